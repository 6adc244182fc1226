// SPDX-License-Identifier: Apache-2.0
// Sums: reduce, dot_general, convolution, reduce_window, scatter.  Each is one
// X_REDUCE over bound indices of the classes that denote_bound_classes names.
#include "verify/meaning/parts.h"

bool denote_is_sum(const struct pat *p)
{
    return p->kind == PAT_OP &&
           (p->op == OP_REDUCE ||
            (p->op == OP_DOT_GENERAL && p->classes != 0) ||
            p->op == OP_CONVOLUTION || p->op == OP_REDUCE_WINDOW ||
            p->op == OP_SCATTER);
}

uint64_t denote_bound_classes(struct denote *d, uint32_t pat)
{
    const struct pat *p = &d->r->pats[pat];
    uint64_t set = 0;
    switch (p->op) {
    case OP_CONVOLUTION:
        return p->classes | p->spatial;
    case OP_REDUCE_WINDOW:
        for (uint32_t i = 0; i < p->n_attrs; i++)
            if (p->attrs[i].v[0] != NULL)
                set |= (uint64_t)1 << (p->attrs[i].cls & 63);
        return set;
    case OP_SCATTER:
        for (uint32_t c = 0; c < d->r->n_classes && c < 64; c++)
            if (denote_has_class(d, p->args[1], c))
                set |= (uint64_t)1 << c;
        return set & ~p->batch;
    default:
        return p->classes;
    }
}

// A reduce being built: its arguments, body first.
struct reduce_builder {
    uint32_t pat;
    struct u32_vec args;
};

static struct reduce_builder sum_start(uint32_t pat)
{
    struct reduce_builder s = {.pat = pat};
    vec_push(&s.args, NO_EXPR);
    return s;
}

// Binds one place; the variable.
static expr_id sum_bind(struct denote *d, struct reduce_builder *s, uint32_t cls,
                        uint32_t place, expr_id size)
{
    expr_id v = expr_var(d->x, VAR_BOUND, cls, place, d->level,
                         denote_part(d->r, cls, place));
    vec_push(&s->args, v);
    vec_push(&s->args, size);
    return v;
}

// Binds all places of the classes, each for the index of that place; sizes are
// those of operand `of`.
static void sum_bind_classes(struct denote *d, struct reduce_builder *s, uint64_t set,
                             uint32_t of, expr_id *ix)
{
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        for (uint32_t k = 0; denote_bit(set, c) && k < d->rank[c]; k++)
            ix[c * d->max_rank + k] =
                sum_bind(d, s, c, k, denote_size(d, of, c, k));
}

bool denote_is_float(const struct rule *r, uint32_t type, int domain)
{
    unsigned kinds = r->types[type].kinds;
    enum domain lives;
    if (domain < 0)
        return (kinds & KIND_FLOAT) != 0;
    return domain_of_kinds(kinds, (enum domain)domain, &lives) &&
           lives == DOMAIN_FLOAT;
}

static bool may_round(const struct denote *d, enum op reducer, uint32_t type)
{
    return (reducer == OP_ADD || reducer == OP_MULTIPLY) &&
           denote_is_float(d->r, type, d->float_sums ? d->domain : -1);
}

static expr_id sum_end(struct denote *d, struct reduce_builder *s, enum op reducer,
                       uint32_t opvar, uint32_t type, expr_id body)
{
    s->args.at[0] = body;
    const struct expr *b = expr_at(d->x, body);
    // 0 + 0 + .. is 0, 1 * 1 * .. is 1, however many there are.
    bool units = d->float_sums && may_round(d, reducer, type) &&
                 b->kind == X_LITERAL && b->op == LIT_INT &&
                 b->k == (reducer == OP_MULTIPLY);
    expr_id out = units ? body
                        : expr_reduce(d->x, reducer, opvar, s->pat, type,
                                      s->args.len, s->args.at);
    vec_release(&s->args);
    return out;
}

static expr_id combine(struct denote *d, const struct pat *p, expr_id a,
                       expr_id b)
{
    expr_id args[] = {a, b};
    if (p->reducer == N_OPS)
        return expr_opvar(d->x, p->opvar, p->type, 2, args);
    return expr_op(d->x, p->reducer, 0, p->type, 2, args);
}

// The sum of a body, from `init` on (NO_EXPR: from the unit).  In floats what
// comes of a first value and the list of the others is not `init + sum`: it is
// a function of both, and the sum, marked, stands for the list alone.
static expr_id sum_from(struct denote *d, struct reduce_builder *s, expr_id init,
                        expr_id body)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[s->pat];
    uint32_t opvar = p->reducer == N_OPS ? p->opvar : 0;
    bool rounds = init != NO_EXPR && may_round(d, p->reducer, p->type);
    bool opaque = rounds && d->float_sums;
    d->rounds |= rounds;
    if (opaque)
        body = expr_op(x, OP_OPAQUE, 0, p->type, 1, &body);
    expr_id sum = sum_end(d, s, p->reducer, opvar, p->type, body);
    if (init == NO_EXPR)
        return sum;
    if (opaque)
        return expr_op(x, p->op, 0, p->type, 2, (expr_id[]){init, sum});
    return combine(d, p, init, sum);
}

static expr_id initial_value(struct denote *d, const struct pat *p)
{
    if (p->n_args < 2)
        return NO_EXPR;
    expr_id *none = denote_new_index(d);
    expr_id v = denote_element(d, p->args[1], none);
    mem_free(none);
    return v;
}

static bool only_blocks(const struct rule *r, const struct pat *p)
{
    bool only = true;
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_bit(p->classes, c))
            only &= r->classes[c].block && !r->classes[c].single;
    return only;
}

// Along no axis there may be no sum at all, while one of a single element makes
// 0 of -0.  Which it is goes by the ranks of `classes`: in floats a term is one
// of such sums, of these rank classes, only.
static expr_id maybe_sum(struct denote *d, const struct pat *p,
                         uint64_t classes, expr_id body)
{
    uint64_t set = 0;
    d->rounds = true;
    if (!d->float_sums)
        return body;
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (denote_bit(classes, c))
            set |= (uint64_t)1 << (d->r->classes[c].like & 63);
    expr_id kind = expr_literal(d->x, LIT_INT, (int64_t)set, 0, p->type);
    return expr_op(d->x, p->op, 0, p->type, 3, (expr_id[]){body, kind, kind});
}

expr_id denote_reduce(struct denote *d, uint32_t pat, expr_id *ix)
{
    const struct pat *p = &d->r->pats[pat];
    struct reduce_builder s = sum_start(pat);
    expr_id init = initial_value(d, p);
    sum_bind_classes(d, &s, p->classes, p->args[0], ix);
    d->level++;
    expr_id body = denote_element(d, p->args[0], ix);
    d->level--;
    if (may_round(d, p->reducer, p->type) && only_blocks(d->r, p))
        body = maybe_sum(d, p, p->classes, body);
    return sum_from(d, &s, init, body);
}

// An order of elements that says nothing of the places where they are read, so
// that it stays when these change.
static int by_shape(const struct exprs *x, expr_id a, expr_id b)
{
    const struct expr *m = expr_at(x, a), *n = expr_at(x, b);
    if (a == b)
        return 0;
    if (m->kind != n->kind)
        return m->kind < n->kind ? -1 : 1;
    if (m->op != n->op)
        return m->op < n->op ? -1 : 1;
    if (m->sym != n->sym && m->kind != X_ATOM)
        return m->sym < n->sym ? -1 : 1;
    for (uint32_t i = 0; i < m->n && i < n->n; i++) {
        expr_id u = expr_arg(x, a, i), v = expr_arg(x, b, i);
        if (expr_sort(x, u) != SORT_ELEM || expr_sort(x, v) != SORT_ELEM)
            continue;
        int order = by_shape(x, u, v);
        if (order != 0)
            return order;
    }
    return 0;
}

// A product of a dot or a convolution.  In floats nobody says with how much
// precision such products are made and added; the factors may be exchanged.
static expr_id product(struct denote *d, const struct pat *p, expr_id a,
                       expr_id b)
{
    bool rounds = may_round(d, OP_ADD, p->type);
    d->rounds |= rounds;
    if (rounds && d->float_sums && by_shape(d->x, b, a) < 0) {
        expr_id c = a;
        a = b;
        b = c;
    }
    return expr_op(d->x, rounds && d->float_sums ? p->op : OP_MULTIPLY, 0,
                   p->type, 2, (expr_id[]){a, b});
}

expr_id denote_dot(struct denote *d, uint32_t pat, expr_id *ix)
{
    const struct pat *p = &d->r->pats[pat];
    struct reduce_builder s = sum_start(pat);
    sum_bind_classes(d, &s, p->classes, p->args[0], ix);
    d->level++;
    expr_id a = denote_element(d, p->args[0], ix);
    expr_id b = denote_element(d, p->args[1], ix);
    d->level--;
    expr_id c = product(d, p, a, b);
    if (!denote_is_sum(p)) { // one product: nothing is added, so it is rounded
        vec_release(&s.args);
        bool lone = d->float_sums && may_round(d, OP_ADD, p->type);
        return lone ? expr_op(d->x, OP_OPAQUE, 0, p->type, 1, &c) : c;
    }
    return sum_end(d, &s, OP_ADD, 0, p->type, c);
}

// Where place k of window o lies on the operand's axis; the condition that it
// is an element of it.
static expr_id window_at(struct denote *d, const struct sliding *w, expr_id o,
                         expr_id k, expr_id *at)
{
    struct exprs *x = d->x;
    expr_id zero = expr_int(x, 0), one = expr_int(x, 1), fits = expr_true(x);
    if (w->flipped)
        k = expr_sub(x, expr_sub(x, w->size, one), k);
    expr_id i =
        expr_add(x, expr_mul(x, o, w->stride), expr_mul(x, k, w->dilation));
    i = expr_sub(x, i, w->low);
    if (w->base != one) {
        fits = expr_eq(x, expr_mod(x, i, w->base), zero);
        i = expr_div(x, i, w->base);
    }
    *at = i;
    expr_id all[] = {fits, expr_le(x, zero, i), expr_lt(x, i, w->n)};
    return expr_and(x, 3, all);
}

// One class of windows: binds where `binds`, moves ix to the operand's
// elements and notes the condition; kernel (may be NULL) gets the places.
static expr_id window_class(struct denote *d, struct reduce_builder *s,
                            const struct pat *p, uint32_t cls, bool binds,
                            expr_id *ix, expr_id *kernel)
{
    struct exprs *x = d->x;
    expr_id all = expr_true(x);
    for (uint32_t k = 0; k < d->rank[cls]; k++) {
        uint32_t at = cls * d->max_rank + k;
        struct sliding w = denote_sliding(d, p, cls, k);
        expr_id place = binds ? sum_bind(d, s, cls, k, w.size) : expr_int(x, 0);
        if (kernel != NULL)
            kernel[at] = place;
        all = expr_and2(x, all, window_at(d, &w, ix[at], place, &ix[at]));
    }
    denote_note_fold(d, cls, all);
    return all;
}

// Has one of the classes an axis at all ranks?
static bool surely_binds(const struct rule *r, uint64_t classes)
{
    bool any = false;
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_bit(classes, c))
            any |= r->classes[c].single || r->classes[c].least_rank > 0;
    return any;
}

static uint64_t classes_of(const struct pat *p)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < p->n_sizes; i++)
        set |= (uint64_t)1 << (p->sizes[i].cls & 63);
    return set;
}

expr_id denote_reduce_window(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    struct reduce_builder s = sum_start(pat);
    expr_id init = initial_value(d, p), inside = expr_true(x);
    uint64_t bound = denote_bound_classes(d, pat);
    for (uint32_t i = 0; i < p->n_attrs; i++) {
        uint32_t c = p->attrs[i].cls;
        inside = expr_and2(
            x, inside,
            window_class(d, &s, p, c, denote_bit(bound, c), ix, NULL));
    }
    d->level++;
    expr_id body = denote_element(d, p->args[0], ix);
    d->level--;
    expr_id empty = init == NO_EXPR ? denote_unit(d, p) : init;
    body = expr_pick(x, inside, body, empty);
    if (init == NO_EXPR && !surely_binds(d->r, bound) &&
        may_round(d, p->reducer, p->type))
        body = maybe_sum(d, p, classes_of(p), body);
    return sum_from(d, &s, init, body);
}

// The operand's feature (batch) index where o, a feature of the result, lies
// in one of `groups` groups: the group's first, plus what it was.
static expr_id in_group(struct denote *d, const struct iexp *groups,
                        expr_id features, expr_id o, expr_id count, expr_id i)
{
    struct exprs *x = d->x;
    if (groups == NULL)
        return i;
    expr_id each = expr_div(x, features, denote_iexp(d, groups, 0));
    return expr_add(x, expr_mul(x, expr_div(x, o, each), count), i);
}

static void convolution_groups(struct denote *d, const struct pat *p,
                               uint32_t pat, expr_id *ix)
{
    uint32_t out = denote_lowest_bit(p->out), f = denote_lowest_bit(p->classes);
    uint32_t b = denote_lowest_bit(p->batch);
    if (p->feature_groups == NULL && p->batch_groups == NULL)
        return;
    expr_id o = ix[out * d->max_rank];
    expr_id no = denote_size(d, p->args[1], out, 0);
    if (p->feature_groups != NULL && p->classes != 0)
        ix[f * d->max_rank] =
            in_group(d, p->feature_groups, no, o,
                     denote_size(d, p->args[1], f, 0), ix[f * d->max_rank]);
    if (p->batch_groups != NULL && p->batch != 0)
        ix[b * d->max_rank] =
            in_group(d, p->batch_groups, no, o, denote_size(d, pat, b, 0),
                     ix[b * d->max_rank]);
}

expr_id denote_convolution(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    struct reduce_builder s = sum_start(pat);
    expr_id inside = expr_true(x);
    size_t n = (size_t)d->r->n_classes * d->max_rank;
    sum_bind_classes(d, &s, p->classes, p->args[1], ix);
    expr_id *kernel = denote_new_index(d);
    memcpy(kernel, ix, n * sizeof *ix);
    for (uint32_t c = 0; c < d->r->n_classes; c++)
        if (denote_bit(p->spatial, c))
            inside = expr_and2(x, inside,
                               window_class(d, &s, p, c, true, ix, kernel));
    convolution_groups(d, p, pat, ix);
    d->level++;
    expr_id a = denote_element(d, p->args[0], ix);
    expr_id b = denote_element(d, p->args[1], kernel);
    d->level--;
    mem_free(kernel);
    a = expr_pick(x, inside, a, expr_literal(x, LIT_INT, 0, 0, p->type));
    return sum_end(d, &s, OP_ADD, 0, p->type, product(d, p, a, b));
}

// Every update whose place is this one, combined into the element.
expr_id denote_scatter(struct denote *d, uint32_t pat, expr_id *ix)
{
    struct exprs *x = d->x;
    const struct pat *p = &d->r->pats[pat];
    struct reduce_builder s = sum_start(pat);
    uint32_t axis = denote_lowest_bit(p->classes);
    if (p->reducer == N_OPS && p->opvar == NONE) {
        d->failure = "scatter: updates that replace";
        return expr_atom(x, pat, p->type);
    }
    expr_id i = ix[axis * d->max_rank];
    expr_id element = denote_element(d, p->args[0], ix);
    sum_bind_classes(d, &s, denote_bound_classes(d, pat), p->args[1], ix);
    d->level++;
    expr_id place = denote_place(d, denote_element(d, p->args[1], ix));
    expr_id update = denote_element(d, p->args[2], ix);
    d->level--;
    expr_id here = expr_eq(x, place, i);
    denote_note_fold(d, axis, here);
    // No update is not an update by 0: -0 is left as it is.
    if (d->float_sums && may_round(d, p->reducer, p->type))
        update = expr_op(x, OP_OPAQUE, 0, p->type, 1, &update);
    return sum_from(d, &s, element,
                    expr_pick(x, here, update, denote_unit(d, p)));
}
