// SPDX-License-Identifier: Apache-2.0
#include "loops/written/writer.h"
#include "formula/print/decimal.h"
#include "formula/limits.h"

static void write_term(struct writer *w, lterm term, enum level level);

void writer_refuse(struct writer *w, const char *reason)
{
    if (!w->out->reason)
        w->out->reason = reason;
}

void writer_open(struct writer *w, bool needed)
{
    buf_puts(&w->body, needed ? "(" : "");
}
void writer_close(struct writer *w, bool needed)
{
    buf_puts(&w->body, needed ? ")" : "");
}

// ---- operators ----

struct spelling {
    enum code_op op;
    const char *text;
};
static const struct spelling infix[] = {
    {CODE_ADD, " + "},   {CODE_SUBTRACT, " - "},    {CODE_MULTIPLY, "*"}, {CODE_DIVIDE, "/"},
    {CODE_LESS, " < "},  {CODE_LESS_EQUAL, " <= "}, {CODE_EQUAL, " == "}, {CODE_UNEQUAL, " != "},
    {CODE_AND, " and "}, {CODE_OR, " or "},
};
static const struct spelling calls[] = {
    {CODE_MINIMUM, "min"}, {CODE_MAXIMUM, "max"}, {CODE_ABS, "abs"},     {CODE_SELECT, "where"},
    {CODE_EXP, "exp"},     {CODE_EXP2, "exp2"},   {CODE_EXPM1, "expm1"}, {CODE_LOG, "log"},
    {CODE_LOG2, "log2"},   {CODE_LOG1P, "log1p"}, {CODE_SQRT, "sqrt"},   {CODE_RSQRT, "rsqrt"},
    {CODE_CBRT, "cbrt"},   {CODE_SIN, "sin"},     {CODE_COS, "cos"},     {CODE_TAN, "tan"},
    {CODE_TANH, "tanh"},   {CODE_ERF, "erf"},     {CODE_FLOOR, "floor"}, {CODE_CEIL, "ceil"},
    {CODE_POWER, "pow"},
};

static const char *spelled(const struct spelling *table, size_t n, enum code_op op)
{
    for (size_t i = 0; i < n; i++)
        if (table[i].op == op)
            return table[i].text;
    return NULL;
}

static enum level level_of(enum code_op op)
{
    switch (op) {
    case CODE_ADD:
    case CODE_SUBTRACT:
        return LEVEL_SUM;
    case CODE_MULTIPLY:
    case CODE_DIVIDE:
        return LEVEL_PRODUCT;
    case CODE_AND:
    case CODE_OR:
        return LEVEL_CHOICE;
    default:
        return LEVEL_COMPARE;
    }
}

static void write_infix(struct writer *w, lterm term, const char *text, enum level level)
{
    enum code_op op = lterm_number(w->s->terms, term);
    enum level own = level_of(op);
    bool brackets = own < level || own == LEVEL_CHOICE;
    writer_open(w, brackets);
    write_term(w, lterm_arg(w->s->terms, term, 0), own == LEVEL_COMPARE ? LEVEL_SUM : own);
    buf_puts(&w->body, text);
    write_term(w, lterm_arg(w->s->terms, term, 1), own == LEVEL_CHOICE ? own : own + 1);
    writer_close(w, brackets);
}

static void write_call(struct writer *w, lterm term, const char *name)
{
    buf_printf(&w->body, "%s(", name);
    for (uint32_t i = 0; i < lterm_n(w->s->terms, term); i++) {
        buf_puts(&w->body, i ? ", " : "");
        write_term(w, lterm_arg(w->s->terms, term, i), LEVEL_CHOICE);
    }
    buf_putc(&w->body, ')');
}

static void write_apply(struct writer *w, lterm term, enum level level)
{
    enum code_op op = lterm_number(w->s->terms, term);
    const char *text = spelled(infix, sizeof infix / sizeof *infix, op);
    const char *call = spelled(calls, sizeof calls / sizeof *calls, op);
    if (text && lterm_n(w->s->terms, term) == 2) {
        write_infix(w, term, text, level);
    } else if (call) {
        write_call(w, term, call);
    } else if (op == CODE_NEGATE || op == CODE_NOT) {
        writer_open(w, level > LEVEL_SUM);
        buf_puts(&w->body, op == CODE_NOT ? "not " : "-");
        buf_putc(&w->body, '(');
        write_term(w, lterm_arg(w->s->terms, term, 0), LEVEL_CHOICE);
        buf_putc(&w->body, ')');
        writer_close(w, level > LEVEL_SUM);
    } else {
        writer_refuse(w, "an operator that formulas do not have");
    }
}

// ---- reductions ----

// May the name of the axis stand for the index of this reduction?  Not if an index that runs
// along the axis occurs in the body.
static bool usable(struct writer *w, uint32_t axis, const struct lreduce *open)
{
    for (uint32_t i = 0; i < w->scope.len; i++) {
        if (w->scope.at[i].axis != axis)
            continue;
        if (lterm_mentions(w->s->terms, open->body, w->scope.at[i].symbol))
            return false;
        for (uint32_t k = 0; k < open->guards.len; k++)
            if (int_mentions(w->s->in, open->guards.at[k], w->scope.at[i].symbol))
                return false;
    }
    return true;
}

static const char *fold_name(enum code_op op)
{
    return op == CODE_ADD        ? "sum"
           : op == CODE_MULTIPLY ? "prod"
           : op == CODE_MAXIMUM  ? "max"
           : op == CODE_MINIMUM  ? "min"
                                 : NULL;
}

// A range that ends sooner where an index is larger starts later instead: over [0, n - j) of
// F(j + k) is over j <= k < n of F(k).
static void start_later(struct writer *w, struct lreduce *open)
{
    struct integers *in = w->s->in;
    ipoly start = 0;
    for (uint32_t i = 0; i < int_length(in, open->end); i++) {
        struct iterm term = int_term(in, open->end, i);
        ipoly mono = int_mono_poly(in, (imono)term.mono);
        if (term.coefficient < 0 && writer_mentions_scope(w, mono))
            start = int_add(in, start, int_scale(in, mono, -term.coefficient));
    }
    if (start == 0 || !int_prove(in, &w->s->facts, start))
        return;
    iatom index;
    int_is_atom(in, open->index, &index);
    ipoly back = int_subtract(in, open->index, start);
    struct int_substitution by = {1, &index, &back};
    for (uint32_t i = 0; i < open->guards.len; i++)
        open->guards.at[i] = int_substitute(in, open->guards.at[i], &by);
    open->body = lterm_substitute(w->s->terms, open->body, &by);
    open->end = int_add(in, open->end, start);
    vec_push(&open->guards, back);
}

// The axis of the reduction: one of this size, or, if the end depends on indices, one that is
// long enough (then the end becomes a condition).
static uint32_t reduce_axis(struct writer *w, struct lreduce *open)
{
    struct written *out = w->out;
    ipoly end = open->end;
    for (uint32_t a = 0; writer_mentions_scope(w, end) && a < out->axis.len; a++)
        if (int_prove_less_equal(w->s->in, &w->s->facts, open->end, out->axis.at[a].size))
            end = out->axis.at[a].size;
    for (uint32_t p = 0; writer_mentions_scope(w, end) && p < w->s->parameter.len; p++)
        if (int_prove_less_equal(w->s->in, &w->s->facts, open->end, w->s->parameter.at[p]))
            end = w->s->parameter.at[p];
    if (writer_mentions_scope(w, end))
        writer_refuse(w, "a reduction whose length depends on an index");
    if (end != open->end)
        vec_push(&open->guards,
                 int_shift(w->s->in, int_subtract(w->s->in, open->end, open->index), -1));
    for (uint32_t axis = 0; axis < out->axis.len; axis++)
        if (out->axis.at[axis].size == end && usable(w, axis, open))
            return axis;
    return writer_axis(w, end);
}

static void write_guarded(struct writer *w, const struct lreduce *open)
{
    if (open->guards.len && open->op != CODE_ADD && open->op != CODE_MULTIPLY)
        writer_refuse(w, "a maximum under a condition on indices");
    buf_puts(&w->body, open->guards.len ? "where(" : "");
    for (uint32_t i = 0; i < open->guards.len; i++) {
        buf_puts(&w->body, i ? " and " : "");
        writer_condition(w, open->guards.at[i]);
    }
    buf_puts(&w->body, open->guards.len ? ", " : "");
    write_term(w, open->body, LEVEL_CHOICE);
    if (open->guards.len)
        buf_puts(&w->body, open->op == CODE_ADD ? ", 0)" : ", 1)");
}

static void write_reduce(struct writer *w, lterm term)
{
    struct lreduce open;
    lterm_open(w->s->terms, term, &open);
    const char *name = fold_name(open.op);
    if (!name)
        writer_refuse(w, "a fold that formulas do not have");
    if (open.op == CODE_ADD || open.op == CODE_MULTIPLY)
        start_later(w, &open);
    symbolic_clamp(w->s, &open);
    struct index index = {.axis = reduce_axis(w, &open)};
    int_is_atom(w->s->in, open.index, &index.symbol);
    uint32_t mark = ifacts_mark(&w->s->facts);
    symbolic_range(w->s, open.index, w->out->axis.at[index.axis].size);
    vec_push(&w->scope, index);
    buf_printf(&w->body, "%s[%s](", name ? name : "?", w->out->axis.at[index.axis].name);
    write_guarded(w, &open);
    buf_putc(&w->body, ')');
    w->scope.len--;
    ifacts_pop(&w->s->facts, mark);
    lreduce_release(&open);
}

static void write_choice(struct writer *w, lterm term)
{
    buf_puts(&w->body, "where(");
    writer_condition(w, lterm_arg(w->s->terms, term, 0));
    for (uint32_t i = 1; i < 3; i++) {
        buf_puts(&w->body, ", ");
        write_term(w, lterm_arg(w->s->terms, term, i), LEVEL_CHOICE);
    }
    buf_putc(&w->body, ')');
}

static void write_number(struct writer *w, lterm term, enum level level)
{
    struct buf text = {0};
    number_text(intern_text(&w->s->terms->names, lterm_number(w->s->terms, term)), &text);
    bool brackets =
        level > LEVEL_COMPARE && (buf_text(&text)[0] == '-' || strchr(buf_text(&text), '/'));
    writer_open(w, brackets);
    buf_puts(&w->body, buf_text(&text));
    writer_close(w, brackets);
    buf_release(&text);
}

static void write_term(struct writer *w, lterm term, enum level level)
{
    if (w->body.len > FORMULA_TEXT)
        writer_refuse(w, "a formula that is too long");
    if (w->out->reason)
        return;
    switch (lterm_kind(w->s->terms, term)) {
    case LT_NUMBER:
        write_number(w, term, level);
        return;
    case LT_PARAMETER:
        writer_scalar(w, lterm_number(w->s->terms, term));
        return;
    case LT_READ:
        writer_read(w, lterm_number(w->s->terms, term), lterm_arg(w->s->terms, term, 0));
        return;
    case LT_INTEGER:
        writer_integer(w, lterm_arg(w->s->terms, term, 0), level);
        return;
    case LT_TRUTH:
        buf_puts(&w->body, lterm_number(w->s->terms, term) ? "true" : "false");
        return;
    case LT_APPLY:
        write_apply(w, term, level);
        return;
    case LT_REDUCE:
        write_reduce(w, term);
        return;
    case LT_CHOOSE:
        write_choice(w, term);
        return;
    default:
        writer_refuse(w, "a value that formulas do not have");
        return;
    }
}

// ---- declarations ----

static void declare(struct writer *w)
{
    struct written *out = w->out;
    for (uint32_t i = 0; i < out->tensor.len; i++) {
        const struct written_tensor *t = &out->tensor.at[i];
        buf_printf(&out->text, "%s %s", t->n ? "tensor" : "scalar", t->name);
        for (uint32_t k = 0; k < t->n; k++)
            buf_printf(&out->text, "%s%s", k ? ", " : "[", out->axis.at[t->axis[k]].name);
        buf_puts(&out->text, t->n ? "]; " : "; ");
    }
    for (uint32_t i = 0; i < out->scalar.len; i++)
        buf_printf(&out->text, "scalar %s; ",
                   code_parameter_name(w->s->program, out->scalar.at[i]));
    buf_puts(&out->text, buf_text(&w->body));
}

void written_output(struct symbolic *s, const struct output *output, struct written *out)
{
    struct writer w = {.s = s, .out = out};
    *out = (struct written){.n_output = output->n_axes};
    for (uint32_t d = 0; d < output->n_axes; d++) {
        struct index index = {.axis = writer_axis(&w, output->extent[d])};
        int_is_atom(s->in, output->element[d], &index.symbol);
        vec_push(&w.scope, index);
    }
    write_term(&w, output->value, LEVEL_CHOICE);
    if (!out->reason)
        declare(&w);
    vec_release(&w.scope);
    buf_release(&w.body);
}

void written_release(struct written *written)
{
    vec_release(&written->axis);
    vec_release(&written->tensor);
    vec_release(&written->scalar);
    buf_release(&written->text);
}
