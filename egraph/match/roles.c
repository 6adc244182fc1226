// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/reshape.h"

static bool in_list(const int64_t *list, int64_t n, int64_t k)
{
    for (int64_t i = 0; i < n; i++)
        if (list[i] == k)
            return true;
    return false;
}

bool roles_differ(enum op op)
{
    return op == OP_DOT_GENERAL || op == OP_CONVOLUTION || op == OP_GATHER || op == OP_SCATTER ||
           op == OP_RESHAPE;
}

// The lists of an e-node's attribute vector (tensor/language/op.h).
struct operand_lists {
    int64_t length[4];
    const int64_t *at[6];
    int64_t index_dim;
    bool promises; // that the indices are sorted, or unique
};

static const int64_t *attribute(const struct match_axes *axes, uint32_t i)
{
    return attr_at(axes->pool, term_at(axes->matcher->graph->terms, axes->matcher->node[i])->attr);
}

// nb, nc; lhs batch, rhs batch, lhs contracted, rhs contracted.
static struct operand_lists dot_lists(const int64_t *a)
{
    struct operand_lists lists = {.length = {a[0], a[1]}};
    lists.at[0] = a + 2;
    lists.at[1] = lists.at[0] + a[0];
    lists.at[2] = lists.at[1] + a[0];
    lists.at[3] = lists.at[2] + a[1];
    return lists;
}

// The dimension lists of input, kernel and result, after nb nf no ns, six
// lists for the window and two group counts.
struct conv_lists {
    int64_t nb, nf, no, ns;
    const int64_t *flip, *dims[3][3]; // [operand][batch or out, feature, s]
};

static struct conv_lists conv_lists(const int64_t *a)
{
    struct conv_lists lists = {a[0], a[1], a[2], a[3], a + 4 + 5 * a[3], {{NULL}}};
    const int64_t *at = a + 4 + 6 * lists.ns + 2;
    lists.dims[0][0] = at;
    lists.dims[0][1] = at += lists.nb;
    lists.dims[0][2] = at += lists.nf;
    lists.dims[1][1] = at += lists.ns;
    lists.dims[1][0] = at += lists.nf;
    lists.dims[1][2] = at += lists.no;
    lists.dims[2][0] = at += lists.ns; // batch
    lists.dims[2][1] = at += lists.nb; // out
    lists.dims[2][2] = at += lists.no;
    return lists;
}

// n offset, collapsed, batching, map; offset, collapsed, operand batching,
// indices batching, map.
static struct operand_lists gather_lists(const int64_t *a)
{
    struct operand_lists lists = {
        .length = {a[0], a[1], a[2], a[3]}, .index_dim = a[5], .promises = a[4] != 0};
    lists.at[0] = a + 6;
    lists.at[1] = lists.at[0] + lists.length[0];
    lists.at[2] = lists.at[1] + lists.length[1];
    lists.at[3] = lists.at[2] + lists.length[2];
    lists.at[4] = lists.at[3] + lists.length[2];
    lists.at[5] = lists.at[4] + lists.length[3]; // slice sizes
    return lists;
}

// n window, inserted, batching, map; the same lists.
static struct operand_lists scatter_lists(const int64_t *a)
{
    struct operand_lists lists = {
        .length = {a[1], a[2], a[3], a[4]}, .index_dim = a[7], .promises = a[5] != 0 || a[6] != 0};
    lists.at[0] = a + 8;
    lists.at[1] = lists.at[0] + lists.length[0];
    lists.at[2] = lists.at[1] + lists.length[1];
    lists.at[3] = lists.at[2] + lists.length[2];
    lists.at[4] = lists.at[3] + lists.length[2];
    return lists;
}

// ---- roles

static unsigned role_of_class(const struct pat *pattern, uint32_t k, uint32_t c)
{
    bool result = k == pattern->n_args;
    switch (pattern->op) {
    case OP_DOT_GENERAL:
        return class_in_set(pattern->batch, c)                ? ROLE_BATCH
               : !result && class_in_set(pattern->classes, c) ? ROLE_CONTRACTED
                                                              : ROLE_PLAIN;
    case OP_CONVOLUTION:
        return class_in_set(pattern->flipped, c)   ? ROLE_FLIPPED
               : class_in_set(pattern->spatial, c) ? ROLE_SPATIAL
               : class_in_set(pattern->classes, c) ? ROLE_CONTRACTED
               : class_in_set(pattern->batch, c)   ? ROLE_BATCH
                                                   : ROLE_PLAIN;
    case OP_GATHER:
    case OP_SCATTER:
        return class_in_set(pattern->batch, c)     ? ROLE_BATCH
               : class_in_set(pattern->classes, c) ? ROLE_AXIS
                                                   : ROLE_PLAIN;
    case OP_RESHAPE:
        return reshape_role(pattern, result, c);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return ROLE_PLAIN;
}

static unsigned dot_role(const struct operand_lists *lists, uint32_t k, uint32_t d)
{
    if (k == 2)
        return d < lists->length[0] ? ROLE_BATCH : ROLE_PLAIN;
    return in_list(lists->at[k], lists->length[0], d)       ? ROLE_BATCH
           : in_list(lists->at[2 + k], lists->length[1], d) ? ROLE_CONTRACTED
                                                            : ROLE_PLAIN;
}

static unsigned conv_role(const struct conv_lists *lists, uint32_t k, uint32_t d)
{
    for (int64_t j = 0; j < lists->ns; j++)
        if (lists->dims[k][2][j] == (int64_t)d)
            return lists->flip[j] != 0 ? ROLE_FLIPPED : ROLE_SPATIAL;
    if (k < 2 && in_list(lists->dims[k][1], lists->nf, d))
        return ROLE_CONTRACTED;
    return k != 1 && in_list(lists->dims[k][0], lists->nb, d) ? ROLE_BATCH : ROLE_PLAIN;
}

// Dimension of the indices that dimension d of the gather's result (scatter's
// updates) stands for, or NONE.
static uint32_t index_dim_at(const struct operand_lists *lists, uint32_t d)
{
    uint32_t n = 0;
    if (in_list(lists->at[0], lists->length[0], d))
        return NONE;
    for (uint32_t k = 0; k < d; k++)
        n += !in_list(lists->at[0], lists->length[0], k);
    return n;
}

// Dimension of the operand that dimension d of the gather's result stands for:
// the offset dimensions are those that are not collapsed and not batching.
static uint32_t operand_dim_at(const struct operand_lists *lists, uint32_t d)
{
    uint32_t k = 0, dim = 0;
    while (k < lists->length[0] && lists->at[0][k] != (int64_t)d)
        k++;
    for (;; dim++) {
        if (in_list(lists->at[1], lists->length[1], dim) ||
            in_list(lists->at[2], lists->length[2], dim))
            continue;
        if (k-- == 0)
            return dim;
    }
}

// Operand 0 is indexed, 1 are the indices, 2 is what has both.
static unsigned gather_role(const struct operand_lists *lists, uint32_t k, uint32_t d)
{
    if (k == 2) {
        uint32_t i = index_dim_at(lists, d);
        if (i != NONE)
            return in_list(lists->at[3], lists->length[2], i) ? ROLE_BATCH : ROLE_PLAIN;
        d = operand_dim_at(lists, d);
        k = 0;
    }
    if (k == 1)
        return in_list(lists->at[3], lists->length[2], d) ? ROLE_BATCH : ROLE_PLAIN;
    return in_list(lists->at[2], lists->length[2], d)   ? ROLE_BATCH
           : in_list(lists->at[4], lists->length[3], d) ? ROLE_AXIS
                                                        : ROLE_PLAIN;
}

static unsigned role_of_dim(struct match_axes *axes, uint32_t i, uint32_t k, uint32_t d)
{
    const struct pat *pattern = &axes->rule->pats[i];
    switch (pattern->op) {
    case OP_DOT_GENERAL: {
        struct operand_lists lists = dot_lists(attribute(axes, i));
        return dot_role(&lists, k, d);
    }
    case OP_CONVOLUTION: {
        struct conv_lists l = conv_lists(attribute(axes, i));
        return conv_role(&l, k, d);
    }
    case OP_GATHER: {
        struct operand_lists l = gather_lists(attribute(axes, i));
        return gather_role(&l, k, d);
    }
    case OP_SCATTER: { // its result has the operand's dimensions
        struct operand_lists l = scatter_lists(attribute(axes, i));
        return gather_role(&l, k == 3 ? 0 : k, d);
    }
    case OP_RESHAPE: {
        struct grouping grouping;
        return grouping_of_node(axes, i, &grouping) ? grouping_role(&grouping, k == 0 ? 0 : 1, d)
                                                    : ROLE_PLAIN;
    }
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return ROLE_PLAIN;
}

// ---- one axis

// Dimension d of operand k (k = n_args: of the result).
static uint32_t at(const struct match_axes *axes, uint32_t i, uint32_t k, int64_t d)
{
    const struct pat *pattern = &axes->rule->pats[i];
    return k == pattern->n_args
               ? axes->base[i] + (uint32_t)d
               : axes_seen(axes, axes->variant->rep[pattern->args[k]], (uint32_t)d);
}

// Dimensions of one operand, or of the result.
struct operand_dims {
    uint32_t operand;
    const int64_t *dim;
};

// The dimensions of the two lists are the same axes, one by one.
static void unite_lists(struct match_axes *axes, uint32_t i, struct operand_dims from,
                        struct operand_dims to, int64_t n)
{
    for (int64_t d = 0; d < n; d++)
        axes_unite(axes, at(axes, i, from.operand, from.dim[d]),
                   at(axes, i, to.operand, to.dim[d]));
}

static void unite_dot(struct match_axes *axes, uint32_t i)
{
    struct operand_lists lists = dot_lists(attribute(axes, i));
    int64_t out = lists.length[0];
    for (int64_t d = 0; d < lists.length[0]; d++)
        axes_unite(axes, at(axes, i, 0, lists.at[0][d]), at(axes, i, 2, d));
    unite_lists(axes, i, (struct operand_dims){0, lists.at[0]},
                (struct operand_dims){1, lists.at[1]}, lists.length[0]);
    unite_lists(axes, i, (struct operand_dims){0, lists.at[2]},
                (struct operand_dims){1, lists.at[3]}, lists.length[1]);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t d = 0; d < axes_count(axes, axes->variant->rep[axes->rule->pats[i].args[k]]);
             d++)
            if (dot_role(&lists, k, d) == ROLE_PLAIN)
                axes_unite(axes, at(axes, i, k, d), at(axes, i, 2, out++));
}

static void unite_convolution(struct match_axes *axes, uint32_t i)
{
    struct conv_lists lists = conv_lists(attribute(axes, i));
    unite_lists(axes, i, (struct operand_dims){0, lists.dims[0][0]},
                (struct operand_dims){2, lists.dims[2][0]}, lists.nb);
    unite_lists(axes, i, (struct operand_dims){0, lists.dims[0][1]},
                (struct operand_dims){1, lists.dims[1][1]}, lists.nf);
    unite_lists(axes, i, (struct operand_dims){1, lists.dims[1][0]},
                (struct operand_dims){2, lists.dims[2][1]}, lists.no);
    unite_lists(axes, i, (struct operand_dims){0, lists.dims[0][2]},
                (struct operand_dims){1, lists.dims[1][2]}, lists.ns);
    unite_lists(axes, i, (struct operand_dims){0, lists.dims[0][2]},
                (struct operand_dims){2, lists.dims[2][2]}, lists.ns);
}

// Tests the form of a gather that patterns have: indices along one axis, as single
// numbers, and pieces that are whole along all other axes.  Promises of a program
// about its indices have no pattern.
static bool gather_form(const struct match_axes *axes, uint32_t i,
                        const struct operand_lists *lists, bool sizes)
{
    const struct pat *pattern = &axes->rule->pats[i];
    const struct terms *terms = axes->matcher->graph->terms;
    const term_id *args = term_args(terms, axes->matcher->node[i]);
    type_id of = term_type(terms, args[0]), by = term_type(terms, args[1]);
    bool sized = false;
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        sized = sized || (pattern->op == OP_GATHER && pattern->attrs[k].expr[0] != NULL);
    if (lists->promises || lists->length[3] != 1 || lists->length[1] != (sized ? 0 : 1) ||
        (!sized && lists->at[1][0] != lists->at[4][0]) ||
        lists->index_dim != (int64_t)type_rank(axes->pool, by))
        return false;
    for (int64_t k = 1; k < lists->length[2]; k++) // the builder's order
        if (lists->at[2][k] < lists->at[2][k - 1])
            return false;
    for (uint32_t d = 0; sizes && d < type_rank(axes->pool, of); d++) {
        int64_t n = type_dims(axes->pool, of)[d], cut = n < 1 ? n : 1;
        unsigned role = gather_role(lists, 0, d);
        if ((role == ROLE_PLAIN && lists->at[5][d] != n) ||
            (role == ROLE_BATCH && lists->at[5][d] != cut) ||
            (role == ROLE_AXIS && !sized && lists->at[5][d] != 1))
            return false;
    }
    return true;
}

// k: the operand, or the result, that has the axes of both.
static void unite_gather(struct match_axes *axes, uint32_t i, const struct operand_lists *lists,
                         uint32_t k)
{
    unite_lists(axes, i, (struct operand_dims){0, lists->at[2]},
                (struct operand_dims){1, lists->at[3]}, lists->length[2]);
    uint32_t n = k == axes->rule->pats[i].n_args
                     ? axes_count(axes, i)
                     : axes_count(axes, axes->variant->rep[axes->rule->pats[i].args[k]]);
    for (uint32_t d = 0; d < n; d++) {
        uint32_t by = index_dim_at(lists, d);
        if (by != NONE)
            axes_unite(axes, at(axes, i, k, d), at(axes, i, 1, by));
        else
            axes_unite(axes, at(axes, i, k, d), at(axes, i, 0, operand_dim_at(lists, d)));
    }
}

static bool unite_reshape(struct match_axes *axes, uint32_t i)
{
    struct grouping grouping;
    if (!grouping_of_node(axes, i, &grouping))
        return false;
    for (uint32_t d = 0; d < grouping.n[0]; d++)
        if (grouping.pair[d] != NONE)
            axes_unite(axes, at(axes, i, 0, d), at(axes, i, 1, grouping.pair[d]));
    return true;
}

bool roles_agree(struct match_axes *axes, uint32_t i, uint32_t k, uint32_t d, uint32_t c)
{
    const struct pat *pattern = &axes->rule->pats[i];
    unsigned role = role_of_dim(axes, i, k, d), want = role_of_class(pattern, k, c);
    struct grouping grouping;
    if (role == ROLE_DROPPED && want == ROLE_GROUP)
        return reshape_may_be_empty(axes->rule, pattern, k == 0, c);
    return role == want &&
           (role != ROLE_GROUP || (grouping_of_node(axes, i, &grouping) &&
                                   grouping_in_place(axes->rule, pattern, &grouping, k > 0, d, c)));
}

bool roles_unite(struct match_axes *axes, uint32_t i)
{
    struct operand_lists lists;
    switch (axes->rule->pats[i].op) {
    case OP_DOT_GENERAL:
        unite_dot(axes, i);
        return true;
    case OP_CONVOLUTION:
        unite_convolution(axes, i);
        return true;
    case OP_GATHER:
        lists = gather_lists(attribute(axes, i));
        if (!gather_form(axes, i, &lists, true))
            return false;
        unite_gather(axes, i, &lists, 2);
        return true;
    case OP_SCATTER:
        lists = scatter_lists(attribute(axes, i));
        if (!gather_form(axes, i, &lists, false))
            return false;
        unite_gather(axes, i, &lists, 2);
        for (uint32_t d = 0; d < axes_count(axes, i); d++)
            axes_unite(axes, at(axes, i, 3, d), at(axes, i, 0, d));
        return true;
    case OP_RESHAPE:
        return unite_reshape(axes, i);
    case OP_BROADCAST_IN_DIM:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}
