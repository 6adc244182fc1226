// SPDX-License-Identifier: Apache-2.0
// Sums: reduce, dot_general, convolution, reduce_window, scatter.  Each is one
// X_REDUCE over bound indices of the classes that denote_bound_classes names.
#include "verify/meaning/parts.h"

bool denote_is_sum(const struct pat *pattern)
{
    return pattern->kind == PAT_OP && (op_has_reducer(pattern->op) ||
                                       (op_info(pattern->op)->flow == FLOW_SUM &&
                                        (pattern->op != OP_DOT_GENERAL || pattern->classes != 0)));
}

uint64_t denote_bound_classes(struct denote *denote, uint32_t pat)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    uint64_t set = 0;
    switch (pattern->op) {
    case OP_CONVOLUTION:
        return pattern->classes | pattern->spatial;
    case OP_REDUCE_WINDOW:
        for (uint32_t i = 0; i < pattern->n_attrs; i++)
            if (pattern->attrs[i].expr[0] != NULL)
                set |= (uint64_t)1 << (pattern->attrs[i].cls & 63);
        return set;
    case OP_SCATTER:
        for (uint32_t c = 0; c < denote->rule->n_classes && c < 64; c++)
            if (denote_has_class(denote, pattern->args[1], c))
                set |= (uint64_t)1 << c;
        return set & ~pattern->batch;
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return pattern->classes;
}

// A reduce under construction: its arguments, body first.
struct reduce_builder {
    uint32_t pat;
    struct u32_vec args;
};

static struct reduce_builder sum_start(uint32_t pat)
{
    struct reduce_builder reduce_builder = {.pat = pat};
    vec_push(&reduce_builder.args, NO_EXPR);
    return reduce_builder;
}

// Binds one place.  Returns the variable.
static expr_id sum_bind(struct denote *denote, struct reduce_builder *reduce_builder, uint32_t cls,
                        uint32_t place, expr_id size)
{
    expr_id v = expr_var(denote->exprs, VAR_BOUND, cls, place, denote->level,
                         denote_part(denote->rule, cls, place));
    vec_push(&reduce_builder->args, v);
    vec_push(&reduce_builder->args, size);
    return v;
}

// Binds all places of the classes, each for the index of that place.  The sizes are those of
// operand `of`.
static void sum_bind_classes(struct denote *denote, struct reduce_builder *reduce_builder,
                             uint64_t set, uint32_t of, expr_id *ix)
{
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        for (uint32_t k = 0; denote_bit(set, c) && k < denote->rank[c]; k++)
            ix[c * denote->max_rank + k] =
                sum_bind(denote, reduce_builder, c, k, denote_size(denote, of, c, k));
}

bool denote_is_float(const struct rule *rule, uint32_t type, int domain)
{
    unsigned kinds = rule->types[type].kinds;
    enum domain lives;
    if (domain < 0)
        return (kinds & KIND_FLOAT) != 0;
    return domain_of_kinds(kinds, (enum domain)domain, &lives) && lives == DOMAIN_FLOAT;
}

static bool may_round(const struct denote *denote, enum op reducer, uint32_t type)
{
    return (reducer == OP_ADD || reducer == OP_MULTIPLY) &&
           denote_is_float(denote->rule, type, denote->float_sums ? denote->domain : -1);
}

static expr_id sum_end(struct denote *denote, struct reduce_builder *reduce_builder,
                       enum op reducer, uint32_t opvar, uint32_t type, expr_id body)
{
    reduce_builder->args.at[0] = body;
    const struct expr *node = expr_at(denote->exprs, body);
    // 0 + 0 + .. is 0 and 1 * 1 * .. is 1, for any number of terms.
    bool units = denote->float_sums && may_round(denote, reducer, type) &&
                 node->kind == X_LITERAL && node->op == LIT_INT &&
                 node->k == (reducer == OP_MULTIPLY);
    struct expr_reducer of = {reducer, opvar, reduce_builder->pat, type};
    expr_id out =
        units ? body
              : expr_reduce(denote->exprs, of, reduce_builder->args.len, reduce_builder->args.at);
    vec_release(&reduce_builder->args);
    return out;
}

static expr_id combine(struct denote *denote, const struct pat *pattern, expr_id a, expr_id b)
{
    expr_id args[] = {a, b};
    if (pattern->reducer == N_OPS)
        return expr_opvar(denote->exprs, pattern->opvar, pattern->type, 2, args);
    return expr_op(denote->exprs, pattern->reducer, 0, pattern->type, 2, args);
}

// The sum of a body, from `init` on (NO_EXPR: from the unit).  In floats, a first value and
// a list of others do not give `init + sum`: the result is a function of both, and the sum,
// marked, stands for the list alone.
static expr_id sum_from(struct denote *denote, struct reduce_builder *reduce_builder, expr_id init,
                        expr_id body)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[reduce_builder->pat];
    uint32_t opvar = pattern->reducer == N_OPS ? pattern->opvar : 0;
    bool rounds = init != NO_EXPR && may_round(denote, pattern->reducer, pattern->type);
    bool places = denote_bound_classes(denote, reduce_builder->pat) != 0;
    bool opaque = rounds && denote->float_sums && (places || pattern->op == OP_SCATTER);
    denote->rounds |= rounds;
    if (rounds && denote->float_sums && !opaque) { // windows of one place
        vec_release(&reduce_builder->args);
        return combine(denote, pattern, init, body);
    }
    if (opaque)
        body = expr_op(exprs, OP_OPAQUE, 0, pattern->type, 1, &body);
    expr_id sum = sum_end(denote, reduce_builder, pattern->reducer, opvar, pattern->type, body);
    if (init == NO_EXPR)
        return sum;
    if (opaque)
        return expr_op(exprs, pattern->op, 0, pattern->type, 2, (expr_id[]){init, sum});
    return combine(denote, pattern, init, sum);
}

static expr_id initial_value(struct denote *denote, const struct pat *pattern)
{
    if (pattern->n_args < 2)
        return NO_EXPR;
    expr_id *none = denote_new_index(denote);
    expr_id v = denote_element(denote, pattern->args[1], none);
    mem_free(none);
    return v;
}

static bool only_blocks(const struct rule *rule, const struct pat *pattern)
{
    bool only = true;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_bit(pattern->classes, c))
            only &= rule->classes[c].block && !rule->classes[c].single;
    return only;
}

// Along no axis there may be no sum at all, but a sum of one element turns -0 into 0.  The
// ranks of `classes` decide which of them it is.  So in floats a term stands for one such
// sum over these rank classes only.
static expr_id maybe_sum(struct denote *denote, const struct pat *pattern, uint64_t classes,
                         expr_id body)
{
    uint64_t set = 0;
    denote->rounds = true;
    if (!denote->float_sums)
        return body;
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        if (denote_bit(classes, c))
            set |= (uint64_t)1 << (denote->rule->classes[c].like & 63);
    expr_id kind = expr_literal(denote->exprs, LIT_INT, (int64_t)set, 0, pattern->type);
    return expr_op(denote->exprs, pattern->op, 0, pattern->type, 3, (expr_id[]){body, kind, kind});
}

expr_id denote_reduce(struct denote *denote, uint32_t pat, expr_id *ix)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct reduce_builder reduce_builder = sum_start(pat);
    expr_id init = initial_value(denote, pattern);
    sum_bind_classes(denote, &reduce_builder, pattern->classes, pattern->args[0], ix);
    denote->level++;
    expr_id body = denote_element(denote, pattern->args[0], ix);
    denote->level--;
    if (may_round(denote, pattern->reducer, pattern->type) && only_blocks(denote->rule, pattern))
        body = maybe_sum(denote, pattern, pattern->classes, body);
    return sum_from(denote, &reduce_builder, init, body);
}

// An order of elements that ignores the places at which they are read.  So it stays when the
// places change.
static int by_shape(const struct exprs *exprs, expr_id a, expr_id b)
{
    const struct expr *node = expr_at(exprs, a), *n = expr_at(exprs, b);
    if (a == b)
        return 0;
    if (node->kind != n->kind)
        return node->kind < n->kind ? -1 : 1;
    if (node->op != n->op)
        return node->op < n->op ? -1 : 1;
    if (node->sym != n->sym && node->kind != X_ATOM)
        return node->sym < n->sym ? -1 : 1;
    for (uint32_t i = 0; i < node->n && i < n->n; i++) {
        expr_id u = expr_arg(exprs, a, i), v = expr_arg(exprs, b, i);
        if (expr_sort(exprs, u) != SORT_ELEM || expr_sort(exprs, v) != SORT_ELEM)
            continue;
        int order = by_shape(exprs, u, v);
        if (order != 0)
            return order;
    }
    return 0;
}

// A product of a dot or a convolution.  In floats the precision of such products and their
// sums is open; the factors may be exchanged.
static expr_id product(struct denote *denote, const struct pat *pattern, expr_id a, expr_id b)
{
    bool rounds = may_round(denote, OP_ADD, pattern->type);
    denote->rounds |= rounds;
    if (rounds && denote->float_sums && by_shape(denote->exprs, b, a) < 0) {
        expr_id c = a;
        a = b;
        b = c;
    }
    return expr_op(denote->exprs, rounds && denote->float_sums ? pattern->op : OP_MULTIPLY, 0,
                   pattern->type, 2, (expr_id[]){a, b});
}

expr_id denote_dot(struct denote *denote, uint32_t pat, expr_id *ix)
{
    const struct pat *pattern = &denote->rule->pats[pat];
    struct reduce_builder reduce_builder = sum_start(pat);
    sum_bind_classes(denote, &reduce_builder, pattern->classes, pattern->args[0], ix);
    denote->level++;
    expr_id a = denote_element(denote, pattern->args[0], ix);
    expr_id b = denote_element(denote, pattern->args[1], ix);
    denote->level--;
    expr_id c = product(denote, pattern, a, b);
    if (!denote_is_sum(pattern)) { // one product: nothing is added, so it is rounded
        vec_release(&reduce_builder.args);
        bool lone = denote->float_sums && may_round(denote, OP_ADD, pattern->type);
        return lone ? expr_op(denote->exprs, OP_OPAQUE, 0, pattern->type, 1, &c) : c;
    }
    return sum_end(denote, &reduce_builder, OP_ADD, 0, pattern->type, c);
}

// The position of place k of window o on the operand's axis.  Returns the condition that the
// position is an element of the axis.
static expr_id window_at(struct denote *denote, const struct sliding *window, expr_id o, expr_id k,
                         expr_id *at)
{
    struct exprs *exprs = denote->exprs;
    expr_id zero = expr_int(exprs, 0), one = expr_int(exprs, 1), fits = expr_true(exprs);
    if (window->flipped)
        k = expr_sub(exprs, expr_sub(exprs, window->size, one), k);
    expr_id i =
        expr_add(exprs, expr_mul(exprs, o, window->stride), expr_mul(exprs, k, window->dilation));
    i = expr_sub(exprs, i, window->low);
    if (window->base != one) {
        fits = expr_eq(exprs, expr_mod(exprs, i, window->base), zero);
        i = expr_div(exprs, i, window->base);
    }
    *at = i;
    expr_id all[] = {fits, expr_le(exprs, zero, i), expr_lt(exprs, i, window->n)};
    return expr_and(exprs, 3, all);
}

// One class of windows: binds its places if `binds`, moves ix to the operand's elements and
// notes the condition. kernel (may be NULL) gets the places.
static expr_id window_class(struct denote *denote, struct reduce_builder *reduce_builder,
                            uint32_t cls, bool binds, expr_id *ix, expr_id *kernel)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[reduce_builder->pat];
    expr_id all = expr_true(exprs);
    for (uint32_t k = 0; k < denote->rank[cls]; k++) {
        uint32_t at = cls * denote->max_rank + k;
        struct sliding window = denote_sliding(denote, pattern, cls, k);
        expr_id place =
            binds ? sum_bind(denote, reduce_builder, cls, k, window.size) : expr_int(exprs, 0);
        if (kernel != NULL)
            kernel[at] = place;
        all = expr_and2(exprs, all, window_at(denote, &window, ix[at], place, &ix[at]));
    }
    denote_note_fold(denote, cls, all);
    return all;
}

// Does one of the classes have an axis at all ranks?
static bool surely_binds(const struct rule *rule, uint64_t classes)
{
    bool any = false;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_bit(classes, c))
            any |= rule->classes[c].single || rule->classes[c].least_rank > 0;
    return any;
}

static uint64_t classes_of(const struct pat *pattern)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        set |= (uint64_t)1 << (pattern->sizes[i].cls & 63);
    return set;
}

expr_id denote_reduce_window(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    struct reduce_builder reduce_builder = sum_start(pat);
    expr_id init = initial_value(denote, pattern), inside = expr_true(exprs);
    uint64_t bound = denote_bound_classes(denote, pat);
    for (uint32_t i = 0; i < pattern->n_attrs; i++) {
        uint32_t c = pattern->attrs[i].cls;
        inside =
            expr_and2(exprs, inside,
                      window_class(denote, &reduce_builder, c, denote_bit(bound, c), ix, NULL));
    }
    denote->level++;
    expr_id body = denote_element(denote, pattern->args[0], ix);
    denote->level--;
    expr_id empty = init == NO_EXPR ? denote_unit(denote, pattern) : init;
    body = expr_pick(exprs, inside, body, empty);
    if (init == NO_EXPR && !surely_binds(denote->rule, bound) &&
        may_round(denote, pattern->reducer, pattern->type))
        body = maybe_sum(denote, pattern, classes_of(pattern), body);
    return sum_from(denote, &reduce_builder, init, body);
}

// The operand's feature (batch) index for o, a feature of the result in one of `groups`
// groups: the first index of the group plus the old index.
static expr_id in_group(struct denote *denote, const struct iexp *groups, expr_id features,
                        expr_id o, expr_id count, expr_id i)
{
    struct exprs *exprs = denote->exprs;
    if (groups == NULL)
        return i;
    expr_id each = expr_div(exprs, features, denote_iexp(denote, groups, 0));
    return expr_add(exprs, expr_mul(exprs, expr_div(exprs, o, each), count), i);
}

static void convolution_groups(struct denote *denote, const struct pat *pattern, uint32_t pat,
                               expr_id *ix)
{
    uint32_t out = denote_lowest_bit(pattern->out), f = denote_lowest_bit(pattern->classes);
    uint32_t b = denote_lowest_bit(pattern->batch);
    if (pattern->feature_groups == NULL && pattern->batch_groups == NULL)
        return;
    expr_id o = ix[out * denote->max_rank];
    expr_id no = denote_size(denote, pattern->args[1], out, 0);
    if (pattern->feature_groups != NULL && pattern->classes != 0)
        ix[f * denote->max_rank] =
            in_group(denote, pattern->feature_groups, no, o,
                     denote_size(denote, pattern->args[1], f, 0), ix[f * denote->max_rank]);
    if (pattern->batch_groups != NULL && pattern->batch != 0)
        ix[b * denote->max_rank] =
            in_group(denote, pattern->batch_groups, no, o, denote_size(denote, pat, b, 0),
                     ix[b * denote->max_rank]);
}

expr_id denote_convolution(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    struct reduce_builder reduce_builder = sum_start(pat);
    expr_id inside = expr_true(exprs);
    size_t n = (size_t)denote->rule->n_classes * denote->max_rank;
    sum_bind_classes(denote, &reduce_builder, pattern->classes, pattern->args[1], ix);
    expr_id *kernel = denote_new_index(denote);
    memcpy(kernel, ix, n * sizeof *ix);
    for (uint32_t c = 0; c < denote->rule->n_classes; c++)
        if (denote_bit(pattern->spatial, c))
            inside = expr_and2(exprs, inside,
                               window_class(denote, &reduce_builder, c, true, ix, kernel));
    convolution_groups(denote, pattern, pat, ix);
    denote->level++;
    expr_id a = denote_element(denote, pattern->args[0], ix);
    expr_id b = denote_element(denote, pattern->args[1], kernel);
    denote->level--;
    mem_free(kernel);
    a = expr_pick(exprs, inside, a, expr_literal(exprs, LIT_INT, 0, 0, pattern->type));
    return sum_end(denote, &reduce_builder, OP_ADD, 0, pattern->type,
                   product(denote, pattern, a, b));
}

// The element combined with every update whose place is this one.
expr_id denote_scatter(struct denote *denote, uint32_t pat, expr_id *ix)
{
    struct exprs *exprs = denote->exprs;
    const struct pat *pattern = &denote->rule->pats[pat];
    struct reduce_builder reduce_builder = sum_start(pat);
    uint32_t axis = denote_lowest_bit(pattern->classes);
    if (pattern->reducer == N_OPS && pattern->opvar == NONE) {
        denote->failure = "scatter: updates that replace";
        return expr_atom(exprs, pat, pattern->type);
    }
    expr_id i = ix[axis * denote->max_rank];
    expr_id element = denote_element(denote, pattern->args[0], ix);
    sum_bind_classes(denote, &reduce_builder, denote_bound_classes(denote, pat), pattern->args[1],
                     ix);
    denote->level++;
    expr_id place = denote_place(denote, denote_element(denote, pattern->args[1], ix));
    expr_id update = denote_element(denote, pattern->args[2], ix);
    denote->level--;
    expr_id here = expr_eq(exprs, place, i);
    denote_note_fold(denote, axis, here);
    // No update is not an update by 0: -0 stays -0.
    if (denote->float_sums && may_round(denote, pattern->reducer, pattern->type))
        update = expr_op(exprs, OP_OPAQUE, 0, pattern->type, 1, &update);
    return sum_from(denote, &reduce_builder, element,
                    expr_pick(exprs, here, update, denote_unit(denote, pattern)));
}
