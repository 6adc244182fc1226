// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/terms.h"

#include "formula/terms/number.h"
#include "proof/limits.h"
#include "tensor/language/op.h"

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
    uint64_t bits;
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
    axes->bits |= UINT64_C(1) << (id - 1);
}

static struct axis_names axes_of(struct fsorts *sorts, const char *name, uint32_t len)
{
    struct axis_names axes = {.sorts = sorts, .ok = true};
    bool any = fname_axes(name, len, add_axis, &axes);
    axes.ok = axes.ok && !(any && len >= 2 && name[len - 2] == ',');
    return axes;
}

static bool is_one(uint64_t bits)
{
    return bits != 0 && (bits & (bits - 1)) == 0;
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
    out->axes = axes.bits;
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
        uint64_t left = axes.bits;
        uint32_t n = 0;
        for (; left != 0; left &= left - 1)
            n++;
        return (n == axes.n && n > 0) || wrong(sorts, term, "expected a set of axes");
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
static uint64_t joined_from(const struct fsorts *sorts, uint64_t bits)
{
    for (uint64_t before = 0; before != bits;) {
        before = bits;
        for (uint32_t i = 0; i < sorts->joins.len; i++)
            if (sorts->joins.at[i].axis & bits)
                bits |= sorts->joins.at[i].first | sorts->joins.at[i].second;
    }
    return bits;
}

static bool add_join(struct fsorts *sorts, fterm term)
{
    struct fjoin j = {arg(sorts, term, 0)->axes, arg(sorts, term, 1)->axes,
                      arg(sorts, term, 2)->axes};
    for (uint32_t i = 0; i < sorts->joins.len; i++)
        if (sorts->joins.at[i].axis == j.axis)
            return (sorts->joins.at[i].first == j.first && sorts->joins.at[i].second == j.second) ||
                   wrong(sorts, term, "the axis joins others elsewhere");
    if (joined_from(sorts, j.first | j.second) & j.axis)
        return wrong(sorts, term, "the axis is joined from itself");
    if (sorts->formula & j.axis)
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
    out->axes = (arg(sorts, term, 3)->axes & ~arg(sorts, term, 1)->axes) |
                (arg(sorts, term, 4)->axes & ~arg(sorts, term, 2)->axes) |
                arg(sorts, term, 0)->axes;
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
    out->axes = 0;
    for (uint32_t k = define->n_axes; k < n; k++)
        out->axes |= arg(sorts, term, k)->axes;
    for (uint32_t k = 0; define->reduces && k < define->n_axes; k++)
        out->axes &= ~arg(sorts, term, k)->axes;
    return true;
}

static bool inner(struct fsorts *sorts, fterm term, struct fterm_sort *out)
{
    uint32_t n = fterm_n(sorts->terms, term);
    if (fterm_is(sorts->terms, term, "count", 1) && arg(sorts, term, 0)->sort == SORT_AXES) {
        *out = (struct fterm_sort){SORT_REAL, 0};
        return true;
    }
    if (fterm_is(sorts->terms, term, "concatenate", 5))
        return join(sorts, term, out);
    enum fsort sort = reduction(sorts, term);
    if (sort != SORT_NONE) {
        *out = (struct fterm_sort){(uint8_t)sort,
                                   arg(sorts, term, 1)->axes & ~arg(sorts, term, 0)->axes};
        return true;
    }
    sort = elementwise(sorts, term);
    if (sort == SORT_NONE)
        return call(sorts, term, out);
    *out = (struct fterm_sort){(uint8_t)sort, 0};
    for (uint32_t k = 0; k < n; k++)
        out->axes |= arg(sorts, term, k)->axes;
    return true;
}

bool fsorts_add(struct fsorts *sorts, fterm term)
{
    struct fterm_sort sort = {SORT_NONE, 0};
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
    uint64_t all = 0;
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
            all |= UINT64_C(1) << (id - 1);
    sorts->formula = all;
    return true;
}

uint64_t fterm_tree_size(const struct fterms *terms, fterm term, uint64_t limit)
{
    struct u32_vec all = {0};
    VEC(uint64_t) size = {0};
    fterms_reach(terms, 1, &term, &all);
    vec_zero(&size, term + 1);
    for (uint32_t i = 0; i < all.len; i++) {
        uint64_t sum = 1;
        for (uint32_t k = 0; k < fterm_n(terms, all.at[i]); k++)
            sum += size.at[fterm_args(terms, all.at[i])[k]];
        size.at[all.at[i]] = sum < limit ? sum : limit;
    }
    uint64_t n = size.at[term];
    vec_release(&all);
    vec_release(&size);
    return n;
}
