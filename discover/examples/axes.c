// SPDX-License-Identifier: Apache-2.0
// Which dimensions are one axis: an operator joins each dimension of its result with those
// of its operands that it keeps.
#include "discover/examples/core.h"
#include "tensor/eval/eval.h"
#include "tensor/language/attr.h"

static void join_types(struct pair *pair, uint32_t a, uint32_t b)
{
    a = type_find(pair, a);
    b = type_find(pair, b);
    pair->type_of.at[a > b ? a : b] = a > b ? b : a;
}

static void tie_types(struct pair *pair, uint32_t at)
{
    const struct node *node = &pair->nodes.at[at];
    uint32_t first = 0;
    if (node->kind == NODE_OP && (node->op == OP_CONVERT || node->op == OP_BITCAST_CONVERT ||
                                  node->op == OP_IS_FINITE || node->op == OP_IOTA))
        return;
    if (node->kind == NODE_OP && node->op == OP_SELECT)
        first = 1;
    bool result = !(node->kind == NODE_OP && node->op == OP_COMPARE);
    for (uint32_t i = first; i < node->n_args; i++)
        join_types(pair, node->args[i], result ? at : node->args[first]);
}

static void join_all(struct pair *pair, const struct node *a, const struct node *b)
{
    for (uint32_t i = 0; i < a->rank && a->rank == b->rank; i++)
        dim_join(pair, a->dim + i, b->dim + i);
}

static void push_group(struct pair *pair, struct node *node, const struct u32_vec *from,
                       const struct u32_vec *to)
{
    struct dim_group group = {.n_from = from->len, .n_to = to->len};
    group.from = ARENA_NEW(&pair->mem, uint32_t, from->len + 1);
    group.to = ARENA_NEW(&pair->mem, uint32_t, to->len + 1);
    if (from->len > 0)
        memcpy(group.from, from->at, from->len * sizeof *from->at);
    if (to->len > 0)
        memcpy(group.to, to->at, to->len * sizeof *to->at);
    if (node->n_groups++ == 0)
        node->group = pair->groups.len;
    vec_push(&pair->groups, group);
}

// A dimension of size 1 that is repeated is dropped, and another one comes.
static void tie_broadcast(struct pair *pair, struct node *node)
{
    const struct node *operand = &pair->nodes.at[node->args[0]];
    const struct term *term = term_at(pair->terms, node->term);
    struct u32_vec from = {0}, to = {0};
    bool *kept = ARENA_NEW(&pair->mem, bool, node->rank + 1);
    for (uint32_t i = 0; i < operand->rank; i++) {
        uint32_t k = (uint32_t)attr_at(pair->terms->pool, term->attr)[i];
        if (pair->dims.at[operand->dim + i].size == pair->dims.at[node->dim + k].size) {
            dim_join(pair, operand->dim + i, node->dim + k);
            kept[k] = true;
        } else {
            vec_push(&from, operand->dim + i);
        }
    }
    for (uint32_t k = 0; k < node->rank; k++) {
        pair->dims.at[node->dim + k].marked = !kept[k];
        pair->dims.at[node->dim + k].attr[0] = pair->dims.at[node->dim + k].size;
    }
    if (from.len > 0)
        push_group(pair, node, &from, &to);
    vec_release(&from);
}

static void tie_reduce(struct pair *pair, struct node *node)
{
    const struct term *term = term_at(pair->terms, node->term);
    const struct node *operand = &pair->nodes.at[node->args[0]];
    const int64_t *v = attr_at(pair->terms->pool, term->attr);
    uint32_t n = attr_len(pair->terms->pool, term->attr), k = 0;
    for (uint32_t i = 0; i < operand->rank; i++) {
        bool gone = false;
        for (uint32_t j = 1; j < n; j++)
            gone = gone || v[j] == i;
        if (!gone)
            dim_join(pair, node->dim + k++, operand->dim + i);
    }
}

static bool listed(const int64_t *list, uint32_t n, uint32_t k)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == k)
            return true;
    return false;
}

static void tie_dot(struct pair *pair, struct node *node)
{
    const struct term *term = term_at(pair->terms, node->term);
    const struct node *a = &pair->nodes.at[node->args[0]], *b = &pair->nodes.at[node->args[1]];
    struct dot_attr dot;
    uint32_t k = node->dim;
    if (!dot_attr_read(attr_len(pair->terms->pool, term->attr),
                       attr_at(pair->terms->pool, term->attr), &dot))
        return;
    for (uint32_t i = 0; i < dot.nb; i++, k++) {
        dim_join(pair, a->dim + (uint32_t)dot.lhs_batch[i], b->dim + (uint32_t)dot.rhs_batch[i]);
        dim_join(pair, a->dim + (uint32_t)dot.lhs_batch[i], k);
    }
    for (uint32_t i = 0; i < dot.nc; i++)
        dim_join(pair, a->dim + (uint32_t)dot.lhs_contracting[i],
                 b->dim + (uint32_t)dot.rhs_contracting[i]);
    for (uint32_t i = 0; i < a->rank; i++)
        if (!listed(dot.lhs_batch, dot.nb, i) && !listed(dot.lhs_contracting, dot.nc, i))
            dim_join(pair, a->dim + i, k++);
    for (uint32_t i = 0; i < b->rank; i++)
        if (!listed(dot.rhs_batch, dot.nb, i) && !listed(dot.rhs_contracting, dot.nc, i))
            dim_join(pair, b->dim + i, k++);
}

// Rank-0 predicates and bounds do not have the dimensions of the result.
static void tie_operands(struct pair *pair, const struct node *node)
{
    for (uint32_t i = 0; i < node->n_args; i++)
        join_all(pair, node, &pair->nodes.at[node->args[i]]);
}

void pair_tie(struct pair *pair, uint32_t at)
{
    struct node *node = &pair->nodes.at[at];
    const struct term *term = term_at(pair->terms, node->term);
    tie_types(pair, at);
    if (node->kind == NODE_TENSOR) {
        uint32_t first = pair->tensors.at[node->var].node;
        join_all(pair, node, &pair->nodes.at[first]);
        join_types(pair, at, first);
    } else if (node->kind == NODE_SCALAR) {
        join_types(pair, at, pair->scalars.at[node->var].node);
    }
    if (node->kind == NODE_SAME && node->op == OP_TRANSPOSE) {
        for (uint32_t i = 0; i < node->rank; i++)
            dim_join(pair, node->dim + i,
                     pair->nodes.at[node->args[0]].dim +
                         (uint32_t)attr_at(pair->terms->pool, term->attr)[i]);
    } else if (node->kind == NODE_SAME) {
        join_all(pair, node, &pair->nodes.at[node->args[0]]);
    }
    if (node->kind != NODE_OP)
        return;
    switch (node->op) {
    case OP_BROADCAST_IN_DIM:
        tie_broadcast(pair, node);
        break;
    case OP_REDUCE:
        tie_reduce(pair, node);
        break;
    case OP_DOT_GENERAL:
        tie_dot(pair, node);
        break;
    case OP_RESHAPE:
    case OP_IOTA:
        for (uint32_t i = 0; i < node->rank; i++)
            pair->dims.at[node->dim + i].attr[0] = pair->dims.at[node->dim + i].size;
        break;
    case OP_PAD:
    case OP_REDUCE_WINDOW:
        join_all(pair, node, &pair->nodes.at[node->args[0]]);
        break;
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_CONCATENATE:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_CONVOLUTION:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        tie_operands(pair, node);
        break;
    }
}

// ---- reshapes

// The dimensions of one side, behind those that are dealt with.
struct side {
    const struct pair *pair;
    uint32_t at, end;
};

static int64_t size_at(const struct side *side)
{
    return side->pair->dims.at[side->at].size;
}

// Dimensions of size 1 in front: those that are one axis already stay, others come and go,
// unless there are as many on both sides.
static void take_units(struct pair *pair, struct side *a, struct side *b, struct u32_vec *from,
                       struct u32_vec *to)
{
    uint32_t n = a->at, m = b->at;
    while (n < a->end && pair->dims.at[n].size == 1)
        n++;
    while (m < b->end && pair->dims.at[m].size == 1)
        m++;
    bool equal = n - a->at == m - b->at;
    while (a->at < n || b->at < m) {
        uint32_t k = a->at, j = b->at;
        bool found = false;
        for (k = a->at; k < n && !found; k += !found)
            for (j = b->at; j < m && !found; j += !found)
                found = dim_find(pair, k) == dim_find(pair, j);
        if (!found && equal && a->at < n && b->at < m) {
            dim_join(pair, a->at++, b->at++);
            continue;
        }
        for (; a->at < (found ? k : n); a->at++)
            vec_push(from, a->at);
        for (; b->at < (found ? j : m); b->at++)
            vec_push(to, b->at);
        a->at += found;
        b->at += found;
    }
}

// The shortest parts of both sides that have as many elements.
static bool take_block(struct side *a, struct side *b, struct u32_vec *from, struct u32_vec *to,
                       struct u32_vec *unit_from, struct u32_vec *unit_to)
{
    int64_t n = 1, m = 1;
    do {
        struct side *side = n <= m ? a : b;
        if (side->at >= side->end)
            return false;
        int64_t size = size_at(side);
        vec_push(size == 1 ? (n <= m ? unit_from : unit_to) : (n <= m ? from : to), side->at);
        *(n <= m ? &n : &m) *= size;
        side->at++;
    } while (n != m || n == 1);
    return true;
}

// Have both sides several dimensions of size 1, so that which is which is a choice?
bool reshape_is_clear(const struct pair *pair, uint32_t at)
{
    const struct node *node = &pair->nodes.at[at], *operand = &pair->nodes.at[node->args[0]];
    uint32_t n = 0, m = 0;
    for (uint32_t i = 0; i < operand->rank; i++)
        n += pair->dims.at[operand->dim + i].size == 1;
    for (uint32_t i = 0; i < node->rank; i++)
        m += pair->dims.at[node->dim + i].size == 1;
    return n == 0 || m == 0;
}

// Does the reshape nothing but add and drop dimensions of size 1?
static bool only_units(const struct pair *pair, const struct node *node)
{
    const struct node *operand = &pair->nodes.at[node->args[0]];
    uint32_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < operand->rank && pair->dims.at[operand->dim + i].size == 1)
            i++;
        while (k < node->rank && pair->dims.at[node->dim + k].size == 1)
            k++;
        if (i == operand->rank || k == node->rank)
            return i == operand->rank && k == node->rank;
        if (pair->dims.at[operand->dim + i].size != pair->dims.at[node->dim + k].size)
            return false;
    }
}

bool reshape_has_units(const struct pair *pair, uint32_t at)
{
    const struct node *node = &pair->nodes.at[at];
    return node->kind == NODE_OP && node->op == OP_RESHAPE && node->rank > 0 &&
           pair->nodes.at[node->args[0]].rank > 0 && only_units(pair, node);
}

// All dimensions are one group.
static bool group_all(struct pair *pair, struct node *node, const struct node *operand)
{
    struct u32_vec from = {0}, to = {0};
    for (uint32_t i = 0; i < operand->rank; i++)
        vec_push(&from, operand->dim + i);
    for (uint32_t i = 0; i < node->rank; i++)
        vec_push(&to, node->dim + i);
    push_group(pair, node, &from, &to);
    vec_release(&from);
    vec_release(&to);
    return true;
}

// A dimension of size 1 that goes where another one of the same axis comes only moves.
void reshape_settle(struct pair *pair, uint32_t at)
{
    struct node *node = &pair->nodes.at[at];
    struct dim_group *gone = NULL, *come = NULL;
    for (uint32_t g = node->group; g < node->group + node->n_groups; g++) {
        gone = pair->groups.at[g].n_to == 0 ? &pair->groups.at[g] : gone;
        come = pair->groups.at[g].n_from == 0 ? &pair->groups.at[g] : come;
    }
    for (uint32_t i = 0; gone != NULL && come != NULL && i < gone->n_from; i++)
        for (uint32_t k = 0; k < come->n_to; k++) {
            if (dim_find(pair, gone->from[i]) != dim_find(pair, come->to[k]))
                continue;
            gone->from[i--] = gone->from[--gone->n_from];
            come->to[k] = come->to[--come->n_to];
            break;
        }
    // As many that go as come: the reshape is a matter of layout.
    const struct node *operand = gone == NULL ? NULL : &pair->nodes.at[node->args[0]];
    if (gone == NULL || come == NULL || gone->n_from != come->n_to || operand->rank != node->rank ||
        !only_units(pair, node))
        return;
    for (; gone->n_from > 0; gone->n_from--, come->n_to--)
        dim_join(pair, gone->from[gone->n_from - 1], come->to[come->n_to - 1]);
}

bool pair_groups(struct pair *pair, uint32_t at)
{
    struct node *node = &pair->nodes.at[at];
    const struct node *operand = &pair->nodes.at[node->args[0]];
    bool whole = pair->freedom.whole && operand->rank > 0 && node->rank > 0;
    if (whole || (pair->freedom.reshape && reshape_has_units(pair, at)))
        return group_all(pair, node, operand);
    struct side a = {pair, operand->dim, operand->dim + operand->rank};
    struct side b = {pair, node->dim, node->dim + node->rank};
    struct u32_vec from = {0}, to = {0}, gone = {0}, come = {0}, none = {0};
    bool ok = true;
    take_units(pair, &a, &b, &gone, &come);
    while (ok && a.at < a.end && b.at < b.end) {
        vec_clear(&from);
        vec_clear(&to);
        ok = take_block(&a, &b, &from, &to, &gone, &come);
        if (ok && from.len == 1 && to.len == 1)
            dim_join(pair, from.at[0], to.at[0]);
        else if (ok)
            push_group(pair, node, &from, &to);
        take_units(pair, &a, &b, &gone, &come);
    }
    ok = ok && a.at == a.end && b.at == b.end;
    if (gone.len > 0)
        push_group(pair, node, &gone, &none);
    if (come.len > 0)
        push_group(pair, node, &none, &come);
    vec_release(&from);
    vec_release(&to);
    vec_release(&gone);
    vec_release(&come);
    return ok || pair_fails(pair, "a reshape of tensors without elements");
}
