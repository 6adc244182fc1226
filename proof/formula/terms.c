// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/terms.h"

#include "formula/terms/number.h"
#include "proof/limits.h"
#include "tensor/language/op.h"

#include <assert.h>

static_assert((int)PROOF_FORMULA_AXES <= (int)AXIS_SET, "axes of a formula fit into a set");

void fsorts_init(struct fsorts *sorts, const struct fterms *terms, const struct fdefines *defs,
                 struct err *err)
{
    memset(sorts, 0, sizeof *sorts);
    sorts->terms = terms;
    sorts->defs = defs;
    sorts->err = err;
    intern_init(&sorts->names);
    intern_init(&sorts->words);
}

void fsorts_release(struct fsorts *sorts)
{
    intern_release(&sorts->names);
    intern_release(&sorts->words);
    vec_release(&sorts->at);
    vec_release(&sorts->symbols);
    vec_release(&sorts->joins);
}

static bool wrong(struct fsorts *sorts, fterm term, const char *what)
{
    return err_set(sorts->err, ERR_CHECK, "%.60s: %s", fterm_name(sorts->terms, term), what);
}

// Names

struct axis_names {
    struct fsorts *sorts;
    struct axis_set set;
    uint32_t n;
    bool ok; // no name is empty or occurs twice; not too many names
};

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_names *axes = ctx;
    uint32_t id = intern_bytes(&axes->sorts->names, axis, len);
    if (id == 0 || id > PROOF_FORMULA_AXES) {
        axes->ok = false;
        return;
    }
    axes->n++;
    axis_set_add(&axes->set, id - 1);
}

static struct axis_names axes_of(struct fsorts *sorts, const char *name, uint32_t len)
{
    struct axis_names axes = {.sorts = sorts, .ok = true};
    bool any = fname_axes(name, len, add_axis, &axes);
    axes.ok = axes.ok && !(any && len >= 2 && name[len - 2] == ',');
    return axes;
}

static bool is_one(struct axis_set set)
{
    return axis_set_count(set) == 1;
}

static bool is_truth(const char *name)
{
    return strcmp(name, "true") == 0 || strcmp(name, "false") == 0;
}

static bool is_rational(const char *name, uint32_t len)
{
    mpq_t x;
    mpq_init(x);
    bool ok = number_parse(name, len, x);
    mpq_clear(x);
    return ok;
}

// Leaves

static struct fsymbol *symbol_of(struct fsorts *sorts, const char *name, uint32_t len)
{
    const char *open = memchr(name, '{', len);
    uint32_t id = intern_bytes(&sorts->words, name, open != NULL ? (size_t)(open - name) : len);
    for (uint32_t i = 0; i < sorts->symbols.len; i++)
        if (sorts->symbols.at[i].name == id)
            return &sorts->symbols.at[i];
    return NULL;
}

static bool leaf(struct fsorts *sorts, fterm term, struct fterm_sort *out)
{
    const char *name = fterm_name(sorts->terms, term);
    uint32_t len = (uint32_t)strlen(name);
    struct axis_names axes = axes_of(sorts, name, len);
    if (!axes.ok)
        return wrong(sorts, term, "expected axes, and not too many");
    out->axes = axes.set;
    if (fname_is_number(name, len)) {
        out->sort = SORT_REAL;
        return is_rational(name, len) || wrong(sorts, term, "expected a number");
    }
    if (is_truth(name) || strcmp(name, "pi") == 0) {
        out->sort = is_truth(name) ? SORT_TRUTH : SORT_REAL;
        return true;
    }
    if (fname_is_axes(name, len)) {
        out->sort = SORT_AXES;
        return (axis_set_count(axes.set) == axes.n && axes.n > 0) ||
               wrong(sorts, term, "expected a set of axes");
    }
    const struct fsymbol *symbol = symbol_of(sorts, name, len);
    if (symbol == NULL || symbol->n_axes != axes.n)
        return wrong(sorts, term, "expected a variable of the formula");
    out->sort = symbol->truth ? SORT_TRUTH : SORT_REAL;
    return true;
}

// Operators

static const struct fterm_sort *arg(const struct fsorts *sorts, fterm term, uint32_t k)
{
    return &sorts->at.at[fterm_args(sorts->terms, term)[k]];
}

static bool args_are(const struct fsorts *sorts, fterm term, uint32_t from, uint32_t to,
                     enum fsort sort)
{
    bool ok = true;
    for (uint32_t k = from; k < to; k++)
        ok = ok && arg(sorts, term, k)->sort == sort;
    return ok;
}

static bool is_logical(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_NOT;
}

// The sort of the result of an operator that works element by element;
// SORT_NONE if the operator does not.
static enum fsort elementwise(const struct fsorts *sorts, fterm term)
{
    const char *name = fterm_name(sorts->terms, term);
    uint32_t n = fterm_n(sorts->terms, term);
    enum op op;
    if (n == 2 && (strcmp(name, "lt") == 0 || strcmp(name, "le") == 0))
        return args_are(sorts, term, 0, 2, SORT_REAL) ? SORT_TRUTH : SORT_NONE;
    if (n == 2 && (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0))
        return args_are(sorts, term, 0, 2, SORT_REAL) || args_are(sorts, term, 0, 2, SORT_TRUTH)
                   ? SORT_TRUTH
                   : SORT_NONE;
    if (!op_by_name(name, &op) || op_arity(op) != (int)n)
        return SORT_NONE;
    if (op == OP_SELECT)
        return arg(sorts, term, 0)->sort == SORT_TRUTH &&
                       arg(sorts, term, 1)->sort == arg(sorts, term, 2)->sort &&
                       arg(sorts, term, 1)->sort != SORT_AXES
                   ? arg(sorts, term, 1)->sort
                   : SORT_NONE;
    if (is_logical(op))
        return args_are(sorts, term, 0, n, SORT_TRUTH) ? SORT_TRUTH : SORT_NONE;
    bool real = op == OP_CLAMP || ((op_class(op) == OPC_UNARY || op_class(op) == OPC_BINARY) &&
                                   (op_kinds(op) & KIND_FLOAT) != 0);
    return real && args_are(sorts, term, 0, n, SORT_REAL) ? SORT_REAL : SORT_NONE;
}

// (reduce_add S a) ...: the sort of a; SORT_NONE if the operator is no
// reduction.
static enum fsort reduction(const struct fsorts *sorts, fterm term)
{
    const char *name = fterm_name(sorts->terms, term);
    enum op op;
    if (fterm_n(sorts->terms, term) != 2 || strncmp(name, "reduce_", 7) != 0 ||
        !op_by_name(name + 7, &op) || !op_is_reducer(op) || arg(sorts, term, 0)->sort != SORT_AXES)
        return SORT_NONE;
    enum fsort sort = is_logical(op) ? SORT_TRUTH : SORT_REAL;
    return arg(sorts, term, 1)->sort == sort ? sort : SORT_NONE;
}

// These axes, and all axes from which they are joined.
static struct axis_set joined_from(const struct fsorts *sorts, struct axis_set set)
{
    for (uint32_t before = 0; before != axis_set_count(set);) {
        before = axis_set_count(set);
        for (uint32_t i = 0; i < sorts->joins.len; i++)
            if (axis_set_meet(sorts->joins.at[i].axis, set))
                set = axis_set_union(
                    set, axis_set_union(sorts->joins.at[i].first, sorts->joins.at[i].second));
    }
    return set;
}

static bool add_join(struct fsorts *sorts, fterm term)
{
    struct fjoin j = {arg(sorts, term, 0)->axes, arg(sorts, term, 1)->axes,
                      arg(sorts, term, 2)->axes};
    for (uint32_t i = 0; i < sorts->joins.len; i++)
        if (axis_set_equal(sorts->joins.at[i].axis, j.axis))
            return (axis_set_equal(sorts->joins.at[i].first, j.first) &&
                    axis_set_equal(sorts->joins.at[i].second, j.second)) ||
                   wrong(sorts, term, "the axis joins others elsewhere");
    if (axis_set_meet(joined_from(sorts, axis_set_union(j.first, j.second)), j.axis))
        return wrong(sorts, term, "the axis is joined from itself");
    if (axis_set_meet(sorts->formula, j.axis))
        return wrong(sorts, term, "the axis of the formula joins nothing there");
    vec_push(&sorts->joins, j);
    return true;
}

static bool join(struct fsorts *sorts, fterm term, struct fterm_sort *out)
{
    if (!args_are(sorts, term, 0, 3, SORT_AXES) || !is_one(arg(sorts, term, 0)->axes) ||
        !is_one(arg(sorts, term, 1)->axes) || !is_one(arg(sorts, term, 2)->axes) ||
        arg(sorts, term, 3)->sort != arg(sorts, term, 4)->sort ||
        arg(sorts, term, 3)->sort == SORT_AXES)
        return wrong(sorts, term, "arguments of the wrong sorts");
    out->sort = arg(sorts, term, 3)->sort;
    out->axes = axis_set_union(
        axis_set_union(axis_set_without(arg(sorts, term, 3)->axes, arg(sorts, term, 1)->axes),
                       axis_set_without(arg(sorts, term, 4)->axes, arg(sorts, term, 2)->axes)),
        arg(sorts, term, 0)->axes);
    return add_join(sorts, term);
}

// A named function.
static bool call(struct fsorts *sorts, fterm term, struct fterm_sort *out)
{
    const char *name = fterm_name(sorts->terms, term);
    const struct fdefine *define =
        sorts->defs != NULL ? fdefine_named(sorts->defs, name, (uint32_t)strlen(name)) : NULL;
    uint32_t n = fterm_n(sorts->terms, term);
    if (define == NULL || n != define->n_axes + define->n_args)
        return wrong(sorts, term, "no operator with such arguments");
    bool ok = args_are(sorts, term, 0, define->n_axes, SORT_AXES);
    for (uint32_t k = 0; k < define->n_args; k++)
        ok = ok && arg(sorts, term, define->n_axes + k)->sort ==
                       (define->truth >> k & 1 ? SORT_TRUTH : SORT_REAL);
    if (!ok)
        return wrong(sorts, term, "arguments of the wrong sorts");
    out->sort = define->is_truth ? SORT_TRUTH : SORT_REAL;
    out->axes = (struct axis_set){{0}};
    for (uint32_t k = define->n_axes; k < n; k++)
        out->axes = axis_set_union(out->axes, arg(sorts, term, k)->axes);
    for (uint32_t k = 0; define->reduces && k < define->n_axes; k++)
        out->axes = axis_set_without(out->axes, arg(sorts, term, k)->axes);
    return true;
}

static bool inner(struct fsorts *sorts, fterm term, struct fterm_sort *out)
{
    uint32_t n = fterm_n(sorts->terms, term);
    if (fterm_is(sorts->terms, term, "count", 1) && arg(sorts, term, 0)->sort == SORT_AXES) {
        *out = (struct fterm_sort){.sort = SORT_REAL};
        return true;
    }
    if (fterm_is(sorts->terms, term, "concatenate", 5))
        return join(sorts, term, out);
    enum fsort sort = reduction(sorts, term);
    if (sort != SORT_NONE) {
        *out = (struct fterm_sort){
            (uint8_t)sort, axis_set_without(arg(sorts, term, 1)->axes, arg(sorts, term, 0)->axes)};
        return true;
    }
    sort = elementwise(sorts, term);
    if (sort == SORT_NONE)
        return call(sorts, term, out);
    *out = (struct fterm_sort){.sort = (uint8_t)sort};
    for (uint32_t k = 0; k < n; k++)
        out->axes = axis_set_union(out->axes, arg(sorts, term, k)->axes);
    return true;
}

bool fsorts_add(struct fsorts *sorts, fterm term)
{
    struct fterm_sort sort = {.sort = SORT_NONE};
    while (sorts->at.len <= term)
        vec_push(&sorts->at, sort);
    if (sorts->at.at[term].sort != SORT_NONE)
        return true;
    for (uint32_t i = 0; i < fterm_n(sorts->terms, term); i++)
        if (arg(sorts, term, i)->sort == SORT_NONE)
            return wrong(sorts, term, "an argument is no term");
    if (!(fterm_n(sorts->terms, term) == 0 ? leaf(sorts, term, &sort) : inner(sorts, term, &sort)))
        return false;
    sorts->at.at[term] = sort;
    return true;
}

bool fsorts_add_all(struct fsorts *sorts, fterm term)
{
    struct u32_vec all = {0};
    bool ok = true;
    fterms_reach(sorts->terms, 1, &term, &all);
    for (uint32_t i = 0; ok && i < all.len; i++)
        ok = fsorts_add(sorts, all.at[i]);
    vec_release(&all);
    return ok;
}

// The formula

static void is_truth_at(struct fsorts *sorts, fterm term)
{
    const char *name = fterm_name(sorts->terms, term);
    struct fsymbol *symbol =
        fterm_n(sorts->terms, term) == 0 ? symbol_of(sorts, name, (uint32_t)strlen(name)) : NULL;
    if (symbol != NULL)
        symbol->truth = true;
}

// Marks variables in places that need a truth value.
static void find_truths(struct fsorts *sorts, fterm term)
{
    uint32_t n = fterm_n(sorts->terms, term);
    const fterm *a = fterm_args(sorts->terms, term);
    const char *name = fterm_name(sorts->terms, term);
    enum op op;
    if (n == 3 && strcmp(name, "select") == 0)
        is_truth_at(sorts, a[0]);
    else if (n == 2 && (strcmp(name, "reduce_and") == 0 || strcmp(name, "reduce_or") == 0))
        is_truth_at(sorts, a[1]);
    else if (op_by_name(name, &op) && is_logical(op))
        for (uint32_t k = 0; k < n; k++)
            is_truth_at(sorts, a[k]);
}

bool fsorts_formula(struct fsorts *sorts, const struct formula *formula, fterm term)
{
    struct axis_set all = {{0}};
    struct u32_vec reach = {0};
    for (uint32_t i = 0; i < formula->variables.len; i++) {
        const struct fvariable *variable = &formula->variables.at[i];
        struct fsymbol symbol = {intern_str(&sorts->words, variable->name), variable->n, false};
        vec_push(&sorts->symbols, symbol);
    }
    fterms_reach(sorts->terms, 1, &term, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        find_truths(sorts, reach.at[i]);
    vec_release(&reach);
    if (!fsorts_add_all(sorts, term))
        return false;
    for (uint32_t i = 0; i < formula->axes.len; i++) {
        struct axis_names axes = {.sorts = sorts, .ok = true};
        add_axis(&axes, formula->axes.at[i], (uint32_t)strlen(formula->axes.at[i]));
        if (!axes.ok)
            return err_set(sorts->err, ERR_CHECK, "too many axes");
    }
    for (uint32_t id = 1; id <= PROOF_FORMULA_AXES; id++)
        if (id < sorts->names.entry.len)
            axis_set_add(&all, id - 1);
    sorts->formula = all;
    return true;
}
