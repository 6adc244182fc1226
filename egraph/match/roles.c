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
    return op == OP_DOT_GENERAL || op == OP_CONVOLUTION || op == OP_GATHER ||
           op == OP_SCATTER || op == OP_RESHAPE;
}

// The lists of an e-node's attribute vector (tensor/language/op.h).
struct operand_lists {
    int64_t n[4];
    const int64_t *at[6];
    int64_t index_dim;
    bool promises; // that the indices are sorted, or unique
};

static const int64_t *attribute(const struct match_axes *x, uint32_t i)
{
    return attr_at(x->pool, term_at(x->m->g->terms, x->m->node[i])->attr);
}

// nb, nc; lhs batch, rhs batch, lhs contracted, rhs contracted.
static struct operand_lists dot_lists(const int64_t *a)
{
    struct operand_lists l = {.n = {a[0], a[1]}};
    l.at[0] = a + 2;
    l.at[1] = l.at[0] + a[0];
    l.at[2] = l.at[1] + a[0];
    l.at[3] = l.at[2] + a[1];
    return l;
}

// The dimension lists of input, kernel and result, after nb nf no ns, six
// lists for the window and two group counts.
struct conv_lists {
    int64_t nb, nf, no, ns;
    const int64_t *flip, *dims[3][3]; // [operand][batch or out, feature, s]
};

static struct conv_lists conv_lists(const int64_t *a)
{
    struct conv_lists l = {a[0], a[1], a[2], a[3], a + 4 + 5 * a[3], {{NULL}}};
    const int64_t *at = a + 4 + 6 * l.ns + 2;
    l.dims[0][0] = at;
    l.dims[0][1] = at += l.nb;
    l.dims[0][2] = at += l.nf;
    l.dims[1][1] = at += l.ns;
    l.dims[1][0] = at += l.nf;
    l.dims[1][2] = at += l.no;
    l.dims[2][0] = at += l.ns; // batch
    l.dims[2][1] = at += l.nb; // out
    l.dims[2][2] = at += l.no;
    return l;
}

// n offset, collapsed, batching, map; offset, collapsed, operand batching,
// indices batching, map.
static struct operand_lists gather_lists(const int64_t *a)
{
    struct operand_lists l = {.n = {a[0], a[1], a[2], a[3]},
                      .index_dim = a[5],
                      .promises = a[4] != 0};
    l.at[0] = a + 6;
    l.at[1] = l.at[0] + l.n[0];
    l.at[2] = l.at[1] + l.n[1];
    l.at[3] = l.at[2] + l.n[2];
    l.at[4] = l.at[3] + l.n[2];
    l.at[5] = l.at[4] + l.n[3]; // slice sizes
    return l;
}

// n window, inserted, batching, map; the same lists.
static struct operand_lists scatter_lists(const int64_t *a)
{
    struct operand_lists l = {.n = {a[1], a[2], a[3], a[4]},
                      .index_dim = a[7],
                      .promises = a[5] != 0 || a[6] != 0};
    l.at[0] = a + 8;
    l.at[1] = l.at[0] + l.n[0];
    l.at[2] = l.at[1] + l.n[1];
    l.at[3] = l.at[2] + l.n[2];
    l.at[4] = l.at[3] + l.n[2];
    return l;
}

// ---- roles

static unsigned role_of_class(const struct pat *p, uint32_t k, uint32_t c)
{
    bool result = k == p->n_args;
    switch (p->op) {
    case OP_DOT_GENERAL:
        return class_in_set(p->batch, c)                ? ROLE_BATCH
               : !result && class_in_set(p->classes, c) ? ROLE_CONTRACTED
                                                        : ROLE_PLAIN;
    case OP_CONVOLUTION:
        return class_in_set(p->flipped, c)   ? ROLE_FLIPPED
               : class_in_set(p->spatial, c) ? ROLE_SPATIAL
               : class_in_set(p->classes, c) ? ROLE_CONTRACTED
               : class_in_set(p->batch, c)   ? ROLE_BATCH
                                             : ROLE_PLAIN;
    case OP_GATHER:
    case OP_SCATTER:
        return class_in_set(p->batch, c)     ? ROLE_BATCH
               : class_in_set(p->classes, c) ? ROLE_AXIS
                                             : ROLE_PLAIN;
    case OP_RESHAPE:
        return reshape_role(p, result, c);
    default:
        return ROLE_PLAIN;
    }
}

static unsigned dot_role(const struct operand_lists *l, uint32_t k, uint32_t d)
{
    if (k == 2)
        return d < l->n[0] ? ROLE_BATCH : ROLE_PLAIN;
    return in_list(l->at[k], l->n[0], d)       ? ROLE_BATCH
           : in_list(l->at[2 + k], l->n[1], d) ? ROLE_CONTRACTED
                                               : ROLE_PLAIN;
}

static unsigned conv_role(const struct conv_lists *l, uint32_t k, uint32_t d)
{
    for (int64_t j = 0; j < l->ns; j++)
        if (l->dims[k][2][j] == (int64_t)d)
            return l->flip[j] != 0 ? ROLE_FLIPPED : ROLE_SPATIAL;
    if (k < 2 && in_list(l->dims[k][1], l->nf, d))
        return ROLE_CONTRACTED;
    return k != 1 && in_list(l->dims[k][0], l->nb, d) ? ROLE_BATCH : ROLE_PLAIN;
}

// Dimension of the indices that dimension d of the gather's result (scatter's
// updates) stands for, or NONE.
static uint32_t index_dim_at(const struct operand_lists *l, uint32_t d)
{
    uint32_t n = 0;
    if (in_list(l->at[0], l->n[0], d))
        return NONE;
    for (uint32_t k = 0; k < d; k++)
        n += !in_list(l->at[0], l->n[0], k);
    return n;
}

// Dimension of the operand that dimension d of the gather's result stands for:
// the offset dimensions are those that are not collapsed and not batching.
static uint32_t operand_dim_at(const struct operand_lists *l, uint32_t d)
{
    uint32_t k = 0, dim = 0;
    while (k < l->n[0] && l->at[0][k] != (int64_t)d)
        k++;
    for (;; dim++) {
        if (in_list(l->at[1], l->n[1], dim) || in_list(l->at[2], l->n[2], dim))
            continue;
        if (k-- == 0)
            return dim;
    }
}

// Operand 0 is indexed, 1 are the indices, 2 is what has both.
static unsigned gather_role(const struct operand_lists *l, uint32_t k, uint32_t d)
{
    if (k == 2) {
        uint32_t i = index_dim_at(l, d);
        if (i != NONE)
            return in_list(l->at[3], l->n[2], i) ? ROLE_BATCH : ROLE_PLAIN;
        d = operand_dim_at(l, d);
        k = 0;
    }
    if (k == 1)
        return in_list(l->at[3], l->n[2], d) ? ROLE_BATCH : ROLE_PLAIN;
    return in_list(l->at[2], l->n[2], d)   ? ROLE_BATCH
           : in_list(l->at[4], l->n[3], d) ? ROLE_AXIS
                                           : ROLE_PLAIN;
}

static unsigned role_of_dim(struct match_axes *x, uint32_t i, uint32_t k, uint32_t d)
{
    const struct pat *p = &x->r->pats[i];
    switch (p->op) {
    case OP_DOT_GENERAL: {
        struct operand_lists l = dot_lists(attribute(x, i));
        return dot_role(&l, k, d);
    }
    case OP_CONVOLUTION: {
        struct conv_lists l = conv_lists(attribute(x, i));
        return conv_role(&l, k, d);
    }
    case OP_GATHER: {
        struct operand_lists l = gather_lists(attribute(x, i));
        return gather_role(&l, k, d);
    }
    case OP_SCATTER: { // its result has the operand's dimensions
        struct operand_lists l = scatter_lists(attribute(x, i));
        return gather_role(&l, k == 3 ? 0 : k, d);
    }
    case OP_RESHAPE: {
        struct grouping g;
        return grouping_of_node(x, i, &g) ? grouping_role(&g, k == 0 ? 0 : 1, d)
                                          : ROLE_PLAIN;
    }
    default:
        return ROLE_PLAIN;
    }
}

// ---- one axis

// Dimension d of operand k (k = n_args: of the result).
static uint32_t at(const struct match_axes *x, uint32_t i, uint32_t k, int64_t d)
{
    const struct pat *p = &x->r->pats[i];
    return k == p->n_args ? x->base[i] + (uint32_t)d
                          : axes_seen(x, x->v->rep[p->args[k]], (uint32_t)d);
}

static void unite_lists(struct match_axes *x, uint32_t i, uint32_t k,
                        const int64_t *a, uint32_t j, const int64_t *b,
                        int64_t n)
{
    for (int64_t d = 0; d < n; d++)
        axes_unite(x, at(x, i, k, a[d]), at(x, i, j, b[d]));
}

static void unite_dot(struct match_axes *x, uint32_t i)
{
    struct operand_lists l = dot_lists(attribute(x, i));
    int64_t out = l.n[0];
    for (int64_t d = 0; d < l.n[0]; d++)
        axes_unite(x, at(x, i, 0, l.at[0][d]), at(x, i, 2, d));
    unite_lists(x, i, 0, l.at[0], 1, l.at[1], l.n[0]);
    unite_lists(x, i, 0, l.at[2], 1, l.at[3], l.n[1]);
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t d = 0;
             d < axes_count(x, x->v->rep[x->r->pats[i].args[k]]); d++)
            if (dot_role(&l, k, d) == ROLE_PLAIN)
                axes_unite(x, at(x, i, k, d), at(x, i, 2, out++));
}

static void unite_convolution(struct match_axes *x, uint32_t i)
{
    struct conv_lists l = conv_lists(attribute(x, i));
    unite_lists(x, i, 0, l.dims[0][0], 2, l.dims[2][0], l.nb);
    unite_lists(x, i, 0, l.dims[0][1], 1, l.dims[1][1], l.nf);
    unite_lists(x, i, 1, l.dims[1][0], 2, l.dims[2][1], l.no);
    unite_lists(x, i, 0, l.dims[0][2], 1, l.dims[1][2], l.ns);
    unite_lists(x, i, 0, l.dims[0][2], 2, l.dims[2][2], l.ns);
}

// Indices along one axis, as single numbers, pieces that are whole elsewhere.
// What a program promises of its indices no pattern says.
static bool gather_form(const struct match_axes *x, uint32_t i, const struct operand_lists *l,
                        bool sizes)
{
    const struct pat *p = &x->r->pats[i];
    const struct terms *t = x->m->g->terms;
    const term_id *args = term_args(t, x->m->node[i]);
    type_id of = term_type(t, args[0]), by = term_type(t, args[1]);
    bool sized = false;
    for (uint32_t k = 0; k < p->n_attrs; k++)
        sized = sized || (p->op == OP_GATHER && p->attrs[k].v[0] != NULL);
    if (l->promises || l->n[3] != 1 || l->n[1] != (sized ? 0 : 1) ||
        (!sized && l->at[1][0] != l->at[4][0]) ||
        l->index_dim != (int64_t)type_rank(x->pool, by))
        return false;
    for (int64_t k = 1; k < l->n[2]; k++) // the builder's order
        if (l->at[2][k] < l->at[2][k - 1])
            return false;
    for (uint32_t d = 0; sizes && d < type_rank(x->pool, of); d++) {
        int64_t n = type_dims(x->pool, of)[d], cut = n < 1 ? n : 1;
        unsigned role = gather_role(l, 0, d);
        if ((role == ROLE_PLAIN && l->at[5][d] != n) ||
            (role == ROLE_BATCH && l->at[5][d] != cut) ||
            (role == ROLE_AXIS && !sized && l->at[5][d] != 1))
            return false;
    }
    return true;
}

// k: the operand, or the result, that has the axes of both.
static void unite_gather(struct match_axes *x, uint32_t i, const struct operand_lists *l,
                         uint32_t k)
{
    unite_lists(x, i, 0, l->at[2], 1, l->at[3], l->n[2]);
    uint32_t n = k == x->r->pats[i].n_args
                     ? axes_count(x, i)
                     : axes_count(x, x->v->rep[x->r->pats[i].args[k]]);
    for (uint32_t d = 0; d < n; d++) {
        uint32_t by = index_dim_at(l, d);
        if (by != NONE)
            axes_unite(x, at(x, i, k, d), at(x, i, 1, by));
        else
            axes_unite(x, at(x, i, k, d), at(x, i, 0, operand_dim_at(l, d)));
    }
}

static bool unite_reshape(struct match_axes *x, uint32_t i)
{
    struct grouping g;
    if (!grouping_of_node(x, i, &g))
        return false;
    for (uint32_t d = 0; d < g.n[0]; d++)
        if (g.pair[d] != NONE)
            axes_unite(x, at(x, i, 0, d), at(x, i, 1, g.pair[d]));
    return true;
}

bool roles_agree(struct match_axes *x, uint32_t i, uint32_t k, uint32_t d, uint32_t c)
{
    const struct pat *p = &x->r->pats[i];
    unsigned role = role_of_dim(x, i, k, d), want = role_of_class(p, k, c);
    struct grouping g;
    if (role == ROLE_DROPPED && want == ROLE_GROUP)
        return reshape_may_be_empty(x->r, p, k == 0, c);
    return role == want && (role != ROLE_GROUP ||
                            (grouping_of_node(x, i, &g) &&
                             grouping_in_place(x->r, p, &g, k > 0, d, c)));
}

bool roles_unite(struct match_axes *x, uint32_t i)
{
    struct operand_lists l;
    switch (x->r->pats[i].op) {
    case OP_DOT_GENERAL:
        unite_dot(x, i);
        return true;
    case OP_CONVOLUTION:
        unite_convolution(x, i);
        return true;
    case OP_GATHER:
        l = gather_lists(attribute(x, i));
        if (!gather_form(x, i, &l, true))
            return false;
        unite_gather(x, i, &l, 2);
        return true;
    case OP_SCATTER:
        l = scatter_lists(attribute(x, i));
        if (!gather_form(x, i, &l, false))
            return false;
        unite_gather(x, i, &l, 2);
        for (uint32_t d = 0; d < axes_count(x, i); d++)
            axes_unite(x, at(x, i, 3, d), at(x, i, 0, d));
        return true;
    case OP_RESHAPE:
        return unite_reshape(x, i);
    default:
        return true;
    }
}
