// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/denote.h"
#include "proof/kernel/parse.h"

struct bound {
    uint32_t axis;
    ipoly index;
};
struct denotation {
    struct symbolic *s;
    const struct claim_output *output;
    struct fterms terms;
    VEC(struct bound) scope;
    uint64_t used;   // tensors, as bits
    bool as_written; // nothing is simplified
};

static lterm meaning(struct denotation *d, fterm term);

static lterm nothing(struct denotation *d, const char *reason)
{
    return lterm_undefined(d->s->terms, reason);
}

static bool axis_of(const struct denotation *d, const char *name, uint32_t len, uint32_t *out)
{
    for (uint32_t i = 0; i < d->output->axis.len; i++) {
        const char *have = d->output->axis.at[i].name;
        if (strlen(have) == len && !memcmp(have, name, len))
            return *out = i, true;
    }
    return false;
}

struct axis_list {
    const struct denotation *d;
    uint32_t n, axis[OUTPUT_AXES];
    bool ok;
};

static void list_axis(void *ctx, const char *name, uint32_t len)
{
    struct axis_list *list = ctx;
    list->ok =
        list->ok && list->n < OUTPUT_AXES && axis_of(list->d, name, len, &list->axis[list->n]);
    list->n += list->ok;
}

static struct axis_list axes_of(const struct denotation *d, fterm term)
{
    struct axis_list list = {.d = d, .ok = true};
    const char *name = fterm_name(&d->terms, term);
    fname_axes(name, (uint32_t)strlen(name), list_axis, &list);
    return list;
}

static bool index_of(const struct denotation *d, uint32_t axis, ipoly *out)
{
    for (uint32_t i = d->scope.len; i-- > 0;)
        if (d->scope.at[i].axis == axis)
            return *out = d->scope.at[i].index, true;
    return false;
}

// ---- names ----

static lterm element(struct denotation *d, const struct written_tensor *t,
                     const struct axis_list *list)
{
    struct symbolic *s = d->s;
    ipoly at = t->base, index, place[OUTPUT_AXES];
    iatom from[OUTPUT_AXES];
    bool memory = t->array < s->program->parameter.len && s->program->parameter.at[t->array].array;
    if (list->n != t->n || (!memory && t->array != NO_CODE))
        return nothing(d, "a tensor with other axes");
    for (uint32_t i = 0; i < t->n; i++) {
        // The size of the axis in the text is that of the declared axis.
        if (d->output->axis.at[list->axis[i]].size != d->output->axis.at[t->axis[i]].size ||
            !index_of(d, list->axis[i], &index))
            return nothing(d, "an index that is not bound");
        at = int_add(s->in, at, int_multiply(s->in, t->stride[i], index));
        char name[] = "index'0";
        name[6] = (char)('0' + i);
        int_is_atom(s->in, int_symbol(s->in, name), &from[i]);
        place[i] = index;
    }
    struct int_substitution by = {t->n, from, place};
    at = int_simplify(s->in, &s->facts, int_substitute(s->in, at, &by));
    if (!memory)
        return lterm_integer(s->terms, at);
    if (s->program->parameter.at[t->array].type.kind != CODE_REAL)
        return lterm_integer(s->terms, symbolic_element(s, t->array, at));
    return lterm_make(s->terms, LT_READ, t->array, 1, &at);
}

static lterm scalar(struct denotation *d, const char *name)
{
    struct symbolic *s = d->s;
    uint32_t parameter = code_find_parameter(s->program, name);
    if (parameter == NO_CODE || s->program->parameter.at[parameter].array)
        return nothing(d, "a name that the claim does not explain");
    if (s->program->parameter.at[parameter].type.kind == CODE_REAL)
        return lterm_make(s->terms, LT_PARAMETER, parameter, 0, NULL);
    if (s->program->parameter.at[parameter].type.kind == CODE_INT)
        return lterm_integer(s->terms, s->parameter.at[parameter]);
    return nothing(d, "a parameter that is a truth value");
}

static lterm leaf(struct denotation *d, fterm term)
{
    const char *name = fterm_name(&d->terms, term);
    uint32_t len = (uint32_t)strlen(name);
    if (fname_is_number(name, len))
        return lterm_number_of(d->s->terms, name);
    if (!strcmp(name, "true") || !strcmp(name, "false"))
        return lterm_truth(d->s->terms, name[0] == 't');
    struct axis_list list = axes_of(d, term);
    size_t stem = strcspn(name, "{");
    if (!list.ok)
        return nothing(d, "an axis that the claim does not explain");
    for (uint32_t i = 0; i < d->output->tensor.len; i++) {
        const struct written_tensor *t = &d->output->tensor.at[i];
        if (strlen(t->name) == stem && !memcmp(t->name, name, stem)) {
            d->used |= i < 64 ? UINT64_C(1) << i : 0;
            return element(d, t, &list);
        }
    }
    return list.n ? nothing(d, "a tensor that the claim does not explain") : scalar(d, name);
}

// ---- operators ----

static const struct {
    const char *name;
    enum code_op op;
    uint32_t n;
} operators[] = {
    {"add", CODE_ADD, 2},           {"subtract", CODE_SUBTRACT, 2},
    {"multiply", CODE_MULTIPLY, 2}, {"divide", CODE_DIVIDE, 2},
    {"negate", CODE_NEGATE, 1},     {"maximum", CODE_MAXIMUM, 2},
    {"minimum", CODE_MINIMUM, 2},   {"abs", CODE_ABS, 1},
    {"exponential", CODE_EXP, 1},   {"exponential_minus_one", CODE_EXPM1, 1},
    {"log", CODE_LOG, 1},           {"log_plus_one", CODE_LOG1P, 1},
    {"sqrt", CODE_SQRT, 1},         {"rsqrt", CODE_RSQRT, 1},
    {"cbrt", CODE_CBRT, 1},         {"sine", CODE_SIN, 1},
    {"cosine", CODE_COS, 1},        {"tan", CODE_TAN, 1},
    {"tanh", CODE_TANH, 1},         {"erf", CODE_ERF, 1},
    {"floor", CODE_FLOOR, 1},       {"ceil", CODE_CEIL, 1},
    {"power", CODE_POWER, 2},       {"select", CODE_SELECT, 3},
    {"lt", CODE_LESS, 2},           {"le", CODE_LESS_EQUAL, 2},
    {"eq", CODE_EQUAL, 2},          {"ne", CODE_UNEQUAL, 2},
    {"and", CODE_AND, 2},           {"or", CODE_OR, 2},
    {"not", CODE_NOT, 1},
};
static const struct {
    const char *name;
    enum code_op op;
} folds[] = {{"reduce_add", CODE_ADD},
             {"reduce_multiply", CODE_MULTIPLY},
             {"reduce_maximum", CODE_MAXIMUM},
             {"reduce_minimum", CODE_MINIMUM}};

static lterm fold(struct denotation *d, enum code_op op, const struct axis_list *list, uint32_t i,
                  fterm body)
{
    struct symbolic *s = d->s;
    if (i == list->n)
        return meaning(d, body);
    iatom atom;
    ipoly index = int_fresh(s->in, "f"), end = d->output->axis.at[list->axis[i]].size;
    int_is_atom(s->in, index, &atom);
    uint32_t mark = ifacts_mark(&s->facts);
    symbolic_range(s, index, end);
    vec_push(&d->scope, ((struct bound){list->axis[i], index}));
    lterm inner = fold(d, op, list, i + 1, body);
    d->scope.len--;
    ifacts_pop(&s->facts, mark);
    if (d->as_written)
        return lterm_reduce(s->terms, op, atom, end, 0, NULL, inner);
    return symbolic_reduce(s, op, atom, end, inner);
}

static lterm count(struct denotation *d, fterm set)
{
    ipoly product = int_constant(d->s->in, 1);
    struct axis_list list = axes_of(d, set);
    for (uint32_t i = 0; list.ok && i < list.n; i++)
        product = int_multiply(d->s->in, product, d->output->axis.at[list.axis[i]].size);
    return list.ok ? lterm_integer(d->s->terms, product)
                   : nothing(d, "an axis that the claim does not explain");
}

static lterm meaning(struct denotation *d, fterm term)
{
    uint32_t n = fterm_n(&d->terms, term);
    const char *name = fterm_name(&d->terms, term);
    if (n == 0)
        return leaf(d, term);
    if (n == 1 && !strcmp(name, "count"))
        return count(d, fterm_args(&d->terms, term)[0]);
    for (size_t i = 0; n == 2 && i < sizeof folds / sizeof *folds; i++)
        if (!strcmp(name, folds[i].name)) {
            struct axis_list list = axes_of(d, fterm_args(&d->terms, term)[0]);
            if (!list.ok || list.n == 0)
                return nothing(d, "an axis that the claim does not explain");
            return fold(d, folds[i].op, &list, 0, fterm_args(&d->terms, term)[1]);
        }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++) {
        lterm args[3];
        if (strcmp(name, operators[i].name) != 0 || n != operators[i].n)
            continue;
        for (uint32_t k = 0; k < n; k++)
            args[k] = meaning(d, fterm_args(&d->terms, term)[k]);
        if (d->as_written)
            return lterm_make(d->s->terms, LT_APPLY, operators[i].op, n, args);
        return symbolic_apply(d->s, operators[i].op, n, args);
    }
    return nothing(d, "an operator that values of kernels do not have");
}

static lterm denote_text(struct symbolic *s, const struct claim_output *output, const ipoly *at,
                         bool as_written, uint64_t *used)
{
    struct denotation d = {.s = s, .output = output, .as_written = as_written};
    fterm root;
    fterms_init(&d.terms);
    for (uint32_t i = 0; i < output->n_axes; i++)
        vec_push(&d.scope, ((struct bound){i, at[i]}));
    lterm made = parse_formula(output->formula, &d.terms, &root)
                     ? meaning(&d, root)
                     : nothing(&d, "a text that is no formula");
    if (used != NULL)
        *used = d.used;
    vec_release(&d.scope);
    fterms_release(&d.terms);
    return made;
}

lterm denote(struct symbolic *s, const struct claim_output *output, const ipoly *at, uint64_t *used)
{
    return denote_text(s, output, at, false, used);
}

lterm denote_as_written(struct symbolic *s, const struct claim_output *output, const ipoly *at)
{
    return denote_text(s, output, at, true, NULL);
}
