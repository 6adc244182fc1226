// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/terms.h"

#include "formula/terms/number.h"
#include "tensor/language/op.h"

void fsorts_init(struct fsorts *s, const struct fterms *t,
                 const struct fdefines *defs, struct err *e)
{
    memset(s, 0, sizeof *s);
    s->t = t;
    s->defs = defs;
    s->e = e;
    intern_init(&s->names);
    intern_init(&s->words);
}

void fsorts_release(struct fsorts *s)
{
    intern_release(&s->names);
    intern_release(&s->words);
    vec_release(&s->at);
    vec_release(&s->symbols);
    vec_release(&s->joins);
}

static bool wrong(struct fsorts *s, fterm x, const char *what)
{
    return err_set(s->e, ERR_CHECK, "%.60s: %s", fterm_name(s->t, x), what);
}

// Names

struct axis_names {
    struct fsorts *s;
    uint64_t bits;
    uint32_t n;
    bool ok; // none is empty, or there twice; not too many
};

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_names *a = ctx;
    uint32_t id = intern_bytes(&a->s->names, axis, len);
    if (id == 0 || id > SORTS_MAX_AXES) {
        a->ok = false;
        return;
    }
    a->n++;
    a->bits |= UINT64_C(1) << (id - 1);
}

static struct axis_names axes_of(struct fsorts *s, const char *name, uint32_t len)
{
    struct axis_names a = {.s = s, .ok = true};
    bool any = fname_axes(name, len, add_axis, &a);
    a.ok = a.ok && !(any && len >= 2 && name[len - 2] == ',');
    return a;
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

static struct fsymbol *symbol_of(struct fsorts *s, const char *name,
                                 uint32_t len)
{
    const char *open = memchr(name, '{', len);
    uint32_t id = intern_bytes(&s->words, name,
                               open != NULL ? (size_t)(open - name) : len);
    for (uint32_t i = 0; i < s->symbols.len; i++)
        if (s->symbols.at[i].name == id)
            return &s->symbols.at[i];
    return NULL;
}

static bool leaf(struct fsorts *s, fterm x, struct fterm_sort *out)
{
    const char *name = fterm_name(s->t, x);
    uint32_t len = (uint32_t)strlen(name);
    struct axis_names a = axes_of(s, name, len);
    if (!a.ok)
        return wrong(s, x, "these are no axes, or too many");
    out->axes = a.bits;
    if (fname_is_number(name, len)) {
        out->sort = SORT_REAL;
        return is_rational(name, len) || wrong(s, x, "no number");
    }
    if (is_truth(name) || strcmp(name, "pi") == 0) {
        out->sort = is_truth(name) ? SORT_TRUTH : SORT_REAL;
        return true;
    }
    if (fname_is_axes(name, len)) {
        out->sort = SORT_AXES;
        uint64_t left = a.bits;
        uint32_t n = 0;
        for (; left != 0; left &= left - 1)
            n++;
        return (n == a.n && n > 0) || wrong(s, x, "no set of axes");
    }
    const struct fsymbol *v = symbol_of(s, name, len);
    if (v == NULL || v->n_axes != a.n)
        return wrong(s, x, "no variable of the formula");
    out->sort = v->truth ? SORT_TRUTH : SORT_REAL;
    return true;
}

// Operators

static const struct fterm_sort *arg(const struct fsorts *s, fterm x, uint32_t k)
{
    return &s->at.at[fterm_args(s->t, x)[k]];
}

static bool args_are(const struct fsorts *s, fterm x, uint32_t from,
                     uint32_t to, enum fsort sort)
{
    bool ok = true;
    for (uint32_t k = from; k < to; k++)
        ok = ok && arg(s, x, k)->sort == sort;
    return ok;
}

static bool is_logical(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_XOR || op == OP_NOT;
}

// Of what is computed element by element: the sort of the result, SORT_NONE
// where it is none.
static enum fsort elementwise(const struct fsorts *s, fterm x)
{
    const char *name = fterm_name(s->t, x);
    uint32_t n = fterm_n(s->t, x);
    enum op op;
    if (n == 2 && (strcmp(name, "lt") == 0 || strcmp(name, "le") == 0))
        return args_are(s, x, 0, 2, SORT_REAL) ? SORT_TRUTH : SORT_NONE;
    if (n == 2 && (strcmp(name, "eq") == 0 || strcmp(name, "ne") == 0))
        return args_are(s, x, 0, 2, SORT_REAL) ||
                       args_are(s, x, 0, 2, SORT_TRUTH)
                   ? SORT_TRUTH
                   : SORT_NONE;
    if (!op_by_name(name, &op) || op_arity(op) != (int)n)
        return SORT_NONE;
    if (op == OP_SELECT)
        return arg(s, x, 0)->sort == SORT_TRUTH &&
                       arg(s, x, 1)->sort == arg(s, x, 2)->sort &&
                       arg(s, x, 1)->sort != SORT_AXES
                   ? arg(s, x, 1)->sort
                   : SORT_NONE;
    if (is_logical(op))
        return args_are(s, x, 0, n, SORT_TRUTH) ? SORT_TRUTH : SORT_NONE;
    bool real = op == OP_CLAMP ||
                ((op_class(op) == OPC_UNARY || op_class(op) == OPC_BINARY) &&
                 (op_kinds(op) & KIND_FLOAT) != 0);
    return real && args_are(s, x, 0, n, SORT_REAL) ? SORT_REAL : SORT_NONE;
}

// (reduce_add S a) ...: the sort of a, SORT_NONE if it is none of them.
static enum fsort reduction(const struct fsorts *s, fterm x)
{
    const char *name = fterm_name(s->t, x);
    enum op op;
    if (fterm_n(s->t, x) != 2 || strncmp(name, "reduce_", 7) != 0 ||
        !op_by_name(name + 7, &op) || !op_is_reducer(op) ||
        arg(s, x, 0)->sort != SORT_AXES)
        return SORT_NONE;
    enum fsort sort = is_logical(op) ? SORT_TRUTH : SORT_REAL;
    return arg(s, x, 1)->sort == sort ? sort : SORT_NONE;
}

// All axes from which these are joined, and these.
static uint64_t joined_from(const struct fsorts *s, uint64_t bits)
{
    for (uint64_t before = 0; before != bits;) {
        before = bits;
        for (uint32_t i = 0; i < s->joins.len; i++)
            if (s->joins.at[i].axis & bits)
                bits |= s->joins.at[i].first | s->joins.at[i].second;
    }
    return bits;
}

static bool add_join(struct fsorts *s, fterm x)
{
    struct fjoin j = {arg(s, x, 0)->axes, arg(s, x, 1)->axes,
                      arg(s, x, 2)->axes};
    for (uint32_t i = 0; i < s->joins.len; i++)
        if (s->joins.at[i].axis == j.axis)
            return (s->joins.at[i].first == j.first &&
                    s->joins.at[i].second == j.second) ||
                   wrong(s, x, "an axis that joins others elsewhere");
    if (joined_from(s, j.first | j.second) & j.axis)
        return wrong(s, x, "an axis that is joined from itself");
    if (s->formula & j.axis)
        return wrong(s, x, "an axis of the formula that joins nothing there");
    vec_push(&s->joins, j);
    return true;
}

static bool join(struct fsorts *s, fterm x, struct fterm_sort *out)
{
    if (!args_are(s, x, 0, 3, SORT_AXES) || !is_one(arg(s, x, 0)->axes) ||
        !is_one(arg(s, x, 1)->axes) || !is_one(arg(s, x, 2)->axes) ||
        arg(s, x, 3)->sort != arg(s, x, 4)->sort ||
        arg(s, x, 3)->sort == SORT_AXES)
        return wrong(s, x, "arguments of the wrong sorts");
    out->sort = arg(s, x, 3)->sort;
    out->axes = (arg(s, x, 3)->axes & ~arg(s, x, 1)->axes) |
                (arg(s, x, 4)->axes & ~arg(s, x, 2)->axes) | arg(s, x, 0)->axes;
    return add_join(s, x);
}

// A named function.
static bool call(struct fsorts *s, fterm x, struct fterm_sort *out)
{
    const char *name = fterm_name(s->t, x);
    const struct fdefine *d =
        s->defs != NULL ? fdefine_named(s->defs, name, (uint32_t)strlen(name))
                        : NULL;
    uint32_t n = fterm_n(s->t, x);
    if (d == NULL || n != d->n_axes + d->n_args)
        return wrong(s, x, "no operator with such arguments");
    bool ok = args_are(s, x, 0, d->n_axes, SORT_AXES);
    for (uint32_t k = 0; k < d->n_args; k++)
        ok = ok && arg(s, x, d->n_axes + k)->sort ==
                       (d->truth >> k & 1 ? SORT_TRUTH : SORT_REAL);
    if (!ok)
        return wrong(s, x, "arguments of the wrong sorts");
    out->sort = d->is_truth ? SORT_TRUTH : SORT_REAL;
    out->axes = 0;
    for (uint32_t k = d->n_axes; k < n; k++)
        out->axes |= arg(s, x, k)->axes;
    for (uint32_t k = 0; d->reduces && k < d->n_axes; k++)
        out->axes &= ~arg(s, x, k)->axes;
    return true;
}

static bool inner(struct fsorts *s, fterm x, struct fterm_sort *out)
{
    uint32_t n = fterm_n(s->t, x);
    if (fterm_is(s->t, x, "count", 1) && arg(s, x, 0)->sort == SORT_AXES) {
        *out = (struct fterm_sort){SORT_REAL, 0};
        return true;
    }
    if (fterm_is(s->t, x, "concatenate", 5))
        return join(s, x, out);
    enum fsort sort = reduction(s, x);
    if (sort != SORT_NONE) {
        *out = (struct fterm_sort){(uint8_t)sort,
                                   arg(s, x, 1)->axes & ~arg(s, x, 0)->axes};
        return true;
    }
    sort = elementwise(s, x);
    if (sort == SORT_NONE)
        return call(s, x, out);
    *out = (struct fterm_sort){(uint8_t)sort, 0};
    for (uint32_t k = 0; k < n; k++)
        out->axes |= arg(s, x, k)->axes;
    return true;
}

bool fsorts_add(struct fsorts *s, fterm x)
{
    struct fterm_sort k = {SORT_NONE, 0};
    while (s->at.len <= x)
        vec_push(&s->at, k);
    if (s->at.at[x].sort != SORT_NONE)
        return true;
    for (uint32_t i = 0; i < fterm_n(s->t, x); i++)
        if (arg(s, x, i)->sort == SORT_NONE)
            return wrong(s, x, "an argument is no term");
    if (!(fterm_n(s->t, x) == 0 ? leaf(s, x, &k) : inner(s, x, &k)))
        return false;
    s->at.at[x] = k;
    return true;
}

bool fsorts_add_all(struct fsorts *s, fterm x)
{
    struct u32_vec all = {0};
    bool ok = true;
    fterms_reach(s->t, 1, &x, &all);
    for (uint32_t i = 0; ok && i < all.len; i++)
        ok = fsorts_add(s, all.at[i]);
    vec_release(&all);
    return ok;
}

// The formula

static void is_truth_at(struct fsorts *s, fterm x)
{
    const char *name = fterm_name(s->t, x);
    struct fsymbol *v = fterm_n(s->t, x) == 0
                            ? symbol_of(s, name, (uint32_t)strlen(name))
                            : NULL;
    if (v != NULL)
        v->truth = true;
}

// Variables that stand where a truth value must stand.
static void find_truths(struct fsorts *s, fterm x)
{
    uint32_t n = fterm_n(s->t, x);
    const fterm *a = fterm_args(s->t, x);
    const char *name = fterm_name(s->t, x);
    enum op op;
    if (n == 3 && strcmp(name, "select") == 0)
        is_truth_at(s, a[0]);
    else if (n == 2 && (strcmp(name, "reduce_and") == 0 ||
                        strcmp(name, "reduce_or") == 0))
        is_truth_at(s, a[1]);
    else if (op_by_name(name, &op) && is_logical(op))
        for (uint32_t k = 0; k < n; k++)
            is_truth_at(s, a[k]);
}

bool fsorts_formula(struct fsorts *s, const struct formula *f, fterm term)
{
    uint64_t all = 0;
    struct u32_vec reach = {0};
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *v = &f->variables.at[i];
        struct fsymbol x = {intern_str(&s->words, v->name), v->n, false};
        vec_push(&s->symbols, x);
    }
    fterms_reach(s->t, 1, &term, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        find_truths(s, reach.at[i]);
    vec_release(&reach);
    if (!fsorts_add_all(s, term))
        return false;
    for (uint32_t i = 0; i < f->axes.len; i++) {
        struct axis_names a = {.s = s, .ok = true};
        add_axis(&a, f->axes.at[i], (uint32_t)strlen(f->axes.at[i]));
        if (!a.ok)
            return err_set(s->e, ERR_CHECK, "too many axes");
    }
    for (uint32_t id = 1; id <= SORTS_MAX_AXES; id++)
        if (id < s->names.entry.len)
            all |= UINT64_C(1) << (id - 1);
    s->formula = all;
    return true;
}

uint64_t fterm_tree_size(const struct fterms *t, fterm x, uint64_t limit)
{
    struct u32_vec all = {0};
    VEC(uint64_t) size = {0};
    fterms_reach(t, 1, &x, &all);
    vec_zero(&size, x + 1);
    for (uint32_t i = 0; i < all.len; i++) {
        uint64_t sum = 1;
        for (uint32_t k = 0; k < fterm_n(t, all.at[i]); k++)
            sum += size.at[fterm_args(t, all.at[i])[k]];
        size.at[all.at[i]] = sum < limit ? sum : limit;
    }
    uint64_t n = size.at[x];
    vec_release(&all);
    vec_release(&size);
    return n;
}
