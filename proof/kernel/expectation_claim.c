// SPDX-License-Identifier: Apache-2.0
// Expectations as outputs of a claim.
#include "proof/kernel/expectation.h"
#include "proof/kernel/parse.h"

// ---- bare formulas ----

// The declarations in front of the claim's formula, of kinds that the text does not have.
static void add_declarations(const char *formula, const char *text, struct buf *out)
{
    const char *last = strrchr(formula, ';');
    for (const char *at = formula; last != NULL && at <= last;) {
        const char *end = strchr(at, ';') + 1;
        at += strspn(at, " ");
        const char *kind = strncmp(at, "tensor ", 7) == 0 ? "tensor " : "scalar ";
        if (strstr(text, kind) == NULL) {
            buf_write(out, at, (size_t)(end - at));
            buf_putc(out, ' ');
        }
        at = end;
    }
}

static void copy_output(const struct claim_output *from, struct claim_output *to)
{
    *to = *from;
    to->axis.at = NULL, to->axis.len = to->axis.cap = 0;
    to->tensor.at = NULL, to->tensor.len = to->tensor.cap = 0;
    for (uint32_t i = 0; i < from->axis.len; i++)
        vec_push(&to->axis, from->axis.at[i]);
    for (uint32_t i = 0; i < from->tensor.len; i++)
        vec_push(&to->tensor, from->tensor.at[i]);
}

struct renaming {
    struct claim_output *output;
    VEC(uint8_t) named; // by axis
    bool differs;
};

// The axes of a tensor of the claim get the names that the formula gives them.
static void rename_axes(void *ctx, const char *name, uint32_t n, const char *const *axes)
{
    struct renaming *r = ctx;
    for (uint32_t t = 0; t < r->output->tensor.len; t++) {
        const struct written_tensor *tensor = &r->output->tensor.at[t];
        if (strcmp(tensor->name, name) != 0)
            continue;
        r->differs = r->differs || n != tensor->n;
        for (uint32_t d = 0; d < n && !r->differs; d++) {
            struct written_axis *axis = &r->output->axis.at[tensor->axis[d]];
            bool same = strcmp(axis->name, axes[d]) == 0;
            if (strlen(axes[d]) + 1 > sizeof axis->name || (r->named.at[tensor->axis[d]] && !same))
                r->differs = true;
            else
                memcpy(axis->name, axes[d], strlen(axes[d]) + 1);
            r->named.at[tensor->axis[d]] = 1;
        }
    }
}

static bool is_plain(const struct integers *in, ipoly a)
{
    struct u32_vec atoms = {0};
    int_atoms(in, a, &atoms);
    bool plain = true;
    for (uint32_t i = 0; i < atoms.len; i++)
        plain = plain && int_atom(in, atoms.at[i]).kind == INT_SYMBOL;
    vec_release(&atoms);
    return plain;
}

static const struct claim_output *find_output(const struct code_program *program,
                                              const struct claim *claim, uint32_t array)
{
    const struct claim_output *found = NULL;
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        const struct claim_output *o = &claim->outputs.at[i];
        if (o->statement >= program->statement.len ||
            (array != NO_CODE && program->statement.at[o->statement].array != array))
            continue;
        if (found != NULL)
            return NULL;
        found = o;
    }
    return found;
}

static void place(struct expected *expected, const struct code_program *program,
                  struct claim *claim, uint32_t array)
{
    const struct claim_output *from = find_output(program, claim, array);
    const char *formula = expected->output.formula;
    if (from == NULL) {
        expected->problem = "the expectation says no places, and there is no one output with a "
                            "formula to take them from";
        return;
    }
    copy_output(from, &expected->output);
    expected->output.statement = NO_CODE;
    expected->array = program->statement.at[from->statement].array;
    struct buf text = {0};
    add_declarations(from->formula, formula, &text);
    buf_puts(&text, formula);
    expected->output.formula = arena_strdup(&claim->mem, buf_text(&text));
    buf_release(&text);
    struct renaming renaming = {.output = &expected->output};
    vec_zero(&renaming.named, expected->output.axis.len + 1);
    parse_variables(expected->output.formula, rename_axes, &renaming);
    vec_release(&renaming.named);
    if (renaming.differs)
        expected->problem = "its tensors have other axes than those of the kernel";
    for (uint32_t i = 0; i < expected->output.axis.len; i++)
        if (!is_plain(&claim->in, expected->output.axis.at[i].size))
            expected->problem = "the kernel has an axis whose size is no polynomial of its "
                                "arguments; the expectation must say all places and sizes";
}

void expectation_place(struct expectation *expectation, const struct code_program *program,
                       struct claim *claim, uint32_t array)
{
    for (uint32_t i = 0; i < expectation->at.len; i++)
        if (expectation->at.at[i].array == NO_CODE)
            place(&expectation->at.at[i], program, claim, array);
}

// ---- partners ----

// Which parameter equals another one by a fact: addresses of the program are over those.
static void substitute(struct symbolic *s, struct claim_output *o)
{
    VEC(iatom) from = {0};
    VEC(ipoly) to = {0};
    for (uint32_t i = 0; i < s->program->parameter.len; i++) {
        iatom atom;
        const struct code_parameter *parameter = &s->program->parameter.at[i];
        ipoly symbol = int_symbol(s->in, code_parameter_name(s->program, i));
        if (parameter->array || parameter->type.kind != CODE_INT || s->parameter.at[i] == symbol ||
            !int_is_atom(s->in, symbol, &atom))
            continue;
        vec_push(&from, atom);
        vec_push(&to, s->parameter.at[i]);
    }
    struct int_substitution by = {from.len, from.at, to.at};
    o->base = int_substitute(s->in, o->base, &by);
    for (uint32_t d = 0; d < o->n_axes; d++) {
        o->stride[d] = int_substitute(s->in, o->stride[d], &by);
        o->extent[d] = int_substitute(s->in, o->extent[d], &by);
    }
    for (uint32_t i = 0; i < o->axis.len; i++)
        o->axis.at[i].size = int_substitute(s->in, o->axis.at[i].size, &by);
    for (uint32_t i = 0; i < o->tensor.len; i++) {
        struct written_tensor *t = &o->tensor.at[i];
        t->base = int_substitute(s->in, t->base, &by);
        for (uint32_t d = 0; d < t->n; d++)
            t->stride[d] = int_substitute(s->in, t->stride[d], &by);
    }
    vec_release(&from);
    vec_release(&to);
}

// Takes index and witness of `from`, whose axes may come in another order.
static bool join(struct symbolic *s, const struct claim_output *from, struct claim_output *to)
{
    iatom axis[OUTPUT_AXES];
    ipoly other[OUTPUT_AXES];
    bool used[OUTPUT_AXES] = {false};
    if (from->n_axes != to->n_axes)
        return false;
    for (uint32_t d = 0; d < to->n_axes; d++) {
        uint32_t e = 0;
        while (e < from->n_axes &&
               (used[e] || !int_prove_zero(s->in, &s->facts,
                                           int_subtract(s->in, from->stride[e], to->stride[d]))))
            e++;
        if (e == from->n_axes)
            return false;
        used[e] = true;
        to->index[d] = from->index[e];
        char name[] = "axis'0";
        name[5] = (char)('0' + e);
        int_is_atom(s->in, int_symbol(s->in, name), &axis[e]);
        name[5] = (char)('0' + d);
        other[e] = int_symbol(s->in, name);
    }
    struct int_substitution by = {from->n_axes, axis, other};
    to->n_members = from->n_members;
    to->statement = from->statement;
    for (uint32_t i = 0; i < from->n_members; i++)
        to->witness[i] = int_substitute(s->in, from->witness[i], &by);
    return true;
}

static bool is_expected(const struct expectation *expectation, uint32_t array)
{
    for (uint32_t i = 0; i < expectation->at.len; i++)
        if (expectation->at.at[i].array == array)
            return true;
    return false;
}

static bool find_any(const struct code_program *program, const struct claim *claim, uint32_t array)
{
    for (uint32_t i = 0; i < claim->outputs.len; i++)
        if (claim->outputs.at[i].statement < program->statement.len &&
            program->statement.at[claim->outputs.at[i].statement].array == array)
            return true;
    return false;
}

// Of several statements that write the array, the one with the same base; otherwise the only one.
static bool find_partner(struct symbolic *s, struct expected *expected, const struct claim *claim)
{
    const struct claim_output *only = find_output(s->program, claim, expected->array);
    if (only != NULL)
        return join(s, only, &expected->output);
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        const struct claim_output *from = &claim->outputs.at[i];
        if (from->statement < s->program->statement.len &&
            s->program->statement.at[from->statement].array == expected->array &&
            int_prove_zero(s->in, &s->facts,
                           int_subtract(s->in, from->base, expected->output.base)) &&
            join(s, from, &expected->output))
            return true;
    }
    return false;
}

void expectation_claim(struct expectation *expectation, const struct code_program *program,
                       struct claim *claim)
{
    struct symbolic s;
    VEC(struct claim_output) outputs = {0};
    symbolic_init(&s, program, &claim->in, &claim->terms);
    symbolic_launch_facts(&s);
    for (uint32_t i = 0; i < expectation->at.len; i++) {
        struct expected *expected = &expectation->at.at[i];
        if (expected->problem != NULL)
            continue;
        substitute(&s, &expected->output);
        if (!find_partner(&s, expected, claim)) {
            expected->problem = find_any(program, claim, expected->array)
                                    ? "the output has other axes or strides than those expected"
                                    : "the kernel's output has no formula";
            continue;
        }
        struct claim_output copy;
        copy_output(&expected->output, &copy);
        expected->which = outputs.len;
        vec_push(&outputs, copy);
    }
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        struct claim_output *o = &claim->outputs.at[i];
        if (o->statement < program->statement.len &&
            !is_expected(expectation, program->statement.at[o->statement].array)) {
            vec_push(&outputs, *o);
            continue;
        }
        vec_release(&o->axis);
        vec_release(&o->tensor);
    }
    claim->outputs.len = 0;
    for (uint32_t i = 0; i < outputs.len; i++)
        vec_push(&claim->outputs, outputs.at[i]);
    vec_release(&outputs);
    symbolic_release(&s);
}
