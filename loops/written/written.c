// SPDX-License-Identifier: Apache-2.0
#include "loops/written/written.h"
#include "formula/print/decimal.h"
#include "formula/limits.h"

#include <inttypes.h>

// An index that is in scope: a symbol, and the axis it runs along.
struct index {
    iatom symbol;
    uint32_t axis;
};
struct writer {
    struct symbolic *s;
    struct written *out;
    VEC(struct index) scope;
    struct buf body;
};

enum level { LEVEL_CHOICE, LEVEL_COMPARE, LEVEL_SUM, LEVEL_PRODUCT, LEVEL_UNARY, LEVEL_ATOM };

static void refuse(struct writer *w, const char *reason)
{
    if (!w->out->reason)
        w->out->reason = reason;
}

static void write_term(struct writer *w, lterm term, enum level level);

static void axis_name(uint32_t which, char *out, size_t size)
{
    static const char letters[] = "ijklmnpqrstuv";
    struct buf text = {0};
    buf_printf(&text, "%c", letters[which % 13]);
    if (which >= 13)
        buf_printf(&text, "%u", which / 13);
    memcpy(out, buf_text(&text), text.len + 1 < size ? text.len + 1 : size);
    buf_release(&text);
}

static uint32_t add_axis(struct writer *w, ipoly size)
{
    struct written_axis axis = {.size = size};
    axis_name(w->out->axis.len, axis.name, sizeof axis.name);
    vec_push(&w->out->axis, axis);
    return w->out->axis.len - 1;
}

// ---- reads ----

// The address as base + sum of stride * index.
static bool split_address(struct writer *w, ipoly address, struct written_tensor *out)
{
    struct integers *in = w->s->in;
    out->base = address;
    for (uint32_t i = 0; i < w->scope.len; i++) {
        ipoly stride, rest;
        iatom symbol = w->scope.at[i].symbol;
        if (!int_mentions(in, out->base, symbol))
            continue;
        if (!int_linear_in(in, out->base, symbol, &stride, &rest) || out->n == OUTPUT_AXES)
            return false;
        out->stride[out->n] = stride;
        out->axis[out->n++] = w->scope.at[i].axis;
        out->base = rest;
    }
    for (uint32_t i = 0; i < out->n; i++)
        for (uint32_t k = 0; k < w->scope.len; k++)
            if (int_mentions(in, out->stride[i], w->scope.at[k].symbol))
                return false;
    return true;
}

// Large strides first: symbolic ones before constants, products before their factors.
static bool before(const struct integers *in, ipoly a, ipoly b)
{
    int64_t x, y;
    bool constant_a = int_is_constant(in, a, &x), constant_b = int_is_constant(in, b, &y);
    if (constant_a || constant_b)
        return constant_b && (!constant_a || x > y);
    uint32_t da = int_degree(in, (imono)int_term(in, a, 0).mono);
    uint32_t db = int_degree(in, (imono)int_term(in, b, 0).mono);
    return da != db ? da > db : a < b;
}

static void sort_strides(const struct integers *in, struct written_tensor *t)
{
    for (uint32_t i = 1; i < t->n; i++)
        for (uint32_t k = i; k > 0 && before(in, t->stride[k], t->stride[k - 1]); k--) {
            ipoly stride = t->stride[k];
            uint32_t axis = t->axis[k];
            t->stride[k] = t->stride[k - 1], t->axis[k] = t->axis[k - 1];
            t->stride[k - 1] = stride, t->axis[k - 1] = axis;
        }
}

static bool same_tensor(const struct writer *w, const struct written_tensor *a,
                        const struct written_tensor *b)
{
    if (a->array != b->array || a->base != b->base || a->n != b->n)
        return false;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->stride[i] != b->stride[i] ||
            w->out->axis.at[a->axis[i]].size != w->out->axis.at[b->axis[i]].size)
            return false;
    return true;
}

static bool name_taken(const struct writer *w, const char *name)
{
    for (uint32_t i = 0; i < w->out->tensor.len; i++)
        if (!strcmp(w->out->tensor.at[i].name, name))
            return true;
    return false;
}

// The name of the caller without what says that it is a pointer, and a number if it is taken.
static void tensor_name(const struct writer *w, struct written_tensor *t)
{
    struct buf name = {0}, one = {0};
    const char *text = code_parameter_name(w->s->program, t->array);
    for (; *text; text++)
        if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
            (*text >= '0' && *text <= '9' && name.len) || (*text == '_' && name.len))
            buf_putc(&name, *text);
    if (name.len > 4 && !strcmp(buf_text(&name) + name.len - 4, "_ptr"))
        name.at[name.len -= 4] = 0;
    if (name.len == 0 || name.len > 60)
        buf_clear(&name), buf_puts(&name, "x");
    buf_puts(&one, buf_text(&name));
    for (uint32_t i = 1; name_taken(w, buf_text(&one)); i++) {
        buf_clear(&one);
        buf_printf(&one, "%s_%" PRIu32, buf_text(&name), i);
    }
    memcpy(t->name, buf_text(&one), one.len + 1);
    buf_release(&name);
    buf_release(&one);
}

static const struct written_tensor *tensor_of(struct writer *w, const struct written_tensor *read)
{
    for (uint32_t i = 0; i < w->out->tensor.len; i++)
        if (same_tensor(w, &w->out->tensor.at[i], read))
            return &w->out->tensor.at[i];
    struct written_tensor made = *read;
    tensor_name(w, &made);
    vec_push(&w->out->tensor, made);
    return &vec_last(&w->out->tensor);
}

static void write_read(struct writer *w, lterm term)
{
    struct written_tensor read = {.array = lterm_number(w->s->terms, term)};
    if (!split_address(w, lterm_arg(w->s->terms, term, 0), &read)) {
        refuse(w, "an address that is not linear in the indices");
        return;
    }
    sort_strides(w->s->in, &read);
    const struct written_tensor *tensor = tensor_of(w, &read);
    buf_puts(&w->body, tensor->name);
    for (uint32_t i = 0; i < read.n; i++)
        buf_printf(&w->body, "%s%s", i ? "," : "[", w->out->axis.at[read.axis[i]].name);
    buf_puts(&w->body, read.n ? "]" : "");
}

// ---- integers ----

static void open_bracket(struct writer *w, bool needed)
{
    buf_puts(&w->body, needed ? "(" : "");
}
static void close_bracket(struct writer *w, bool needed)
{
    buf_puts(&w->body, needed ? ")" : "");
}

static void write_scalar(struct writer *w, uint32_t parameter)
{
    struct u32_vec *all = &w->out->scalar;
    bool found = false;
    for (uint32_t i = 0; i < all->len; i++)
        found = found || all->at[i] == parameter;
    if (!found)
        vec_push(all, parameter);
    buf_puts(&w->body, code_parameter_name(w->s->program, parameter));
}

// The size of an axis, or an integer parameter.
static void write_symbol(struct writer *w, iatom atom)
{
    ipoly self = int_atom_poly(w->s->in, atom);
    for (uint32_t i = 0; i < w->out->axis.len; i++)
        if (w->out->axis.at[i].size == self) {
            buf_printf(&w->body, "size(%s)", w->out->axis.at[i].name);
            return;
        }
    struct iatom_node node = int_atom(w->s->in, atom);
    uint32_t parameter = node.kind == INT_SYMBOL
                             ? code_find_parameter(w->s->program, int_atom_name(w->s->in, atom))
                             : NO_CODE;
    if (parameter == NO_CODE)
        refuse(w, "a number that depends on an index or on a quotient of sizes");
    else
        write_scalar(w, parameter);
}

static void write_integer(struct writer *w, ipoly value, enum level level)
{
    struct integers *in = w->s->in;
    for (uint32_t i = 0; i < w->out->axis.len; i++)
        if (w->out->axis.at[i].size == value) {
            buf_printf(&w->body, "size(%s)", w->out->axis.at[i].name);
            return;
        }
    uint32_t n = int_length(in, value);
    bool brackets = n > 1 ? level > LEVEL_SUM : level > LEVEL_PRODUCT;
    open_bracket(w, brackets);
    for (uint32_t i = 0; i < n; i++) {
        struct iterm term = int_term(in, value, i);
        uint32_t degree = int_degree(in, (imono)term.mono);
        buf_puts(&w->body, i ? " + " : "");
        if (term.coefficient != 1 || degree == 0)
            buf_printf(&w->body, "%" PRId64 "%s", term.coefficient, degree ? "*" : "");
        for (uint32_t k = 0; k < degree; k++) {
            buf_puts(&w->body, k ? "*" : "");
            write_symbol(w, int_factor(in, (imono)term.mono, k));
        }
    }
    buf_puts(&w->body, n ? "" : "0");
    close_bracket(w, brackets);
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
    open_bracket(w, brackets);
    write_term(w, lterm_arg(w->s->terms, term, 0), own == LEVEL_COMPARE ? LEVEL_SUM : own);
    buf_puts(&w->body, text);
    write_term(w, lterm_arg(w->s->terms, term, 1), own == LEVEL_CHOICE ? own : own + 1);
    close_bracket(w, brackets);
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
        open_bracket(w, level > LEVEL_SUM);
        buf_puts(&w->body, op == CODE_NOT ? "not " : "-");
        buf_putc(&w->body, '(');
        write_term(w, lterm_arg(w->s->terms, term, 0), LEVEL_CHOICE);
        buf_putc(&w->body, ')');
        close_bracket(w, level > LEVEL_SUM);
    } else {
        refuse(w, "an operator that formulas do not have");
    }
}

// ---- reductions ----

// May the name of the axis stand for the index of this reduction?  Not if an index that runs
// along the axis occurs in the body.
static bool usable(struct writer *w, uint32_t axis, const struct lreduce *open)
{
    for (uint32_t i = 0; i < w->scope.len; i++)
        if (w->scope.at[i].axis == axis &&
            lterm_mentions(w->s->terms, open->body, w->scope.at[i].symbol))
            return false;
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

static void write_reduce(struct writer *w, lterm term)
{
    struct lreduce open;
    lterm_open(w->s->terms, term, &open);
    const char *name = fold_name(open.op);
    uint32_t axis = 0;
    if (open.guards.len || !name)
        refuse(w, "a reduction under a condition on indices");
    while (axis < w->out->axis.len &&
           (w->out->axis.at[axis].size != open.end || !usable(w, axis, &open)))
        axis++;
    for (uint32_t i = 0; i < w->scope.len; i++) {
        if (int_mentions(w->s->in, open.end, w->scope.at[i].symbol))
            refuse(w, "a reduction whose length depends on an index");
    }
    if (axis == w->out->axis.len)
        axis = add_axis(w, open.end);
    struct index index = {.axis = axis};
    int_is_atom(w->s->in, open.index, &index.symbol);
    vec_push(&w->scope, index);
    buf_printf(&w->body, "%s[%s](", name ? name : "?", w->out->axis.at[axis].name);
    write_term(w, open.body, LEVEL_CHOICE);
    buf_putc(&w->body, ')');
    w->scope.len--;
    lreduce_release(&open);
}

static void write_number(struct writer *w, lterm term, enum level level)
{
    struct buf text = {0};
    number_text(intern_text(&w->s->terms->names, lterm_number(w->s->terms, term)), &text);
    bool brackets =
        level > LEVEL_COMPARE && (buf_text(&text)[0] == '-' || strchr(buf_text(&text), '/'));
    open_bracket(w, brackets);
    buf_puts(&w->body, buf_text(&text));
    close_bracket(w, brackets);
    buf_release(&text);
}

static void write_term(struct writer *w, lterm term, enum level level)
{
    if (w->body.len > FORMULA_TEXT)
        refuse(w, "a formula that is too long");
    if (w->out->reason)
        return;
    switch (lterm_kind(w->s->terms, term)) {
    case LT_NUMBER:
        write_number(w, term, level);
        return;
    case LT_PARAMETER:
        write_scalar(w, lterm_number(w->s->terms, term));
        return;
    case LT_READ:
        write_read(w, term);
        return;
    case LT_INTEGER:
        write_integer(w, lterm_arg(w->s->terms, term, 0), level);
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
    default:
        refuse(w, "a value that depends on a condition on indices");
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
        struct index index = {.axis = add_axis(&w, output->extent[d])};
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
