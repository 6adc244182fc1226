// SPDX-License-Identifier: Apache-2.0
#include "rules/describe/describe.h"

static void add_name(struct name_list *l, const char *name)
{
    uint32_t i = 0;
    while (i < l->at.len && strcmp(l->at.at[i], name) < 0)
        i++;
    if (i < l->at.len && strcmp(l->at.at[i], name) == 0)
        return;
    vec_push(&l->at, name);
    for (uint32_t k = l->at.len - 1; k > i; k--)
        l->at.at[k] = l->at.at[k - 1];
    l->at.at[i] = name;
}

static const char *opvar_operator(const struct op_var *v)
{
    switch (v->kind) {
    case OPVAR_MONOID:
        return "any monoid";
    case OPVAR_MONOTONE:
        return "any monotone";
    case OPVAR_ELEMENTWISE:
        break;
    }
    return "any elementwise";
}

static const char *pat_operator(const struct rule *r, const struct pat *p)
{
    switch (p->kind) {
    case PAT_OP:
        return op_name(p->op);
    case PAT_LITERAL:
        return p->lit == LIT_VALUE ? "value" : "constant";
    case PAT_SPLAT: // of a literal: the literal says it
        return r->pats[p->args[0]].kind == PAT_LITERAL
                   ? NULL
                   : op_name(OP_BROADCAST_IN_DIM);
    case PAT_RELABEL:
        return "relabel";
    case PAT_OPVAR:
        return opvar_operator(&r->opvars[p->var]);
    case PAT_CALL:
        return "define";
    case PAT_TENSOR:
    case PAT_SCALAR:
        break;
    }
    return NULL;
}

static void add_operators(const struct rule *r, uint32_t root,
                          struct name_list *out)
{
    const struct pat *p = &r->pats[root];
    const char *name = pat_operator(r, p);
    if (name)
        add_name(out, name);
    if (p->kind == PAT_OP && p->opvar != NONE)
        add_name(out, "any monoid");
    for (uint32_t i = 0; i < p->n_args; i++)
        add_operators(r, p->args[i], out);
}

void rule_operators(const struct rule *r, struct name_list *out)
{
    add_operators(r, r->lhs, out);
    add_operators(r, r->rhs, out);
}

// ---- what the maps of a precondition are used for ----

static void mark_iexp(const struct iexp *x, bool *mark)
{
    if (!x)
        return;
    if (x->op == IE_MAP)
        mark[x->map] = true;
    mark_iexp(x->a, mark);
    mark_iexp(x->b, mark);
}

static void mark_cond(const struct cond *c, bool *mark)
{
    if (!c)
        return;
    mark_iexp(c->a, mark);
    mark_iexp(c->b, mark);
    mark_cond(c->l, mark);
    mark_cond(c->r, mark);
}

// A computed map stands for the maps in it, which come before it (R4).
static void mark_lets(const struct rule *r, bool *mark)
{
    for (uint32_t m = r->n_maps; m-- > 0;)
        if (mark[m])
            mark_iexp(r->maps[m].def, mark);
}

// Uses of one name stand together.
static const struct checked_use {
    const char *role;
    enum op op; // N_OPS: sizes
    int k;      // attribute; -1: groups
} uses[] = {
    {"size", N_OPS, 0},
    {"size", OP_DYNAMIC_SLICE, 1},
    {"size", OP_GATHER, 0},
    {"window", OP_REDUCE_WINDOW, 0},
    {"start", OP_SLICE, 0},
    {"start", OP_DYNAMIC_SLICE, 0},
    {"start", OP_DYNAMIC_UPDATE_SLICE, 0},
    {"limit", OP_SLICE, 1},
    {"stride", OP_SLICE, 2},
    {"stride", OP_CONVOLUTION, 0},
    {"stride", OP_REDUCE_WINDOW, 1},
    {"low", OP_PAD, 0},
    {"low", OP_CONVOLUTION, 1},
    {"low", OP_REDUCE_WINDOW, 2},
    {"high", OP_PAD, 1},
    {"high", OP_CONVOLUTION, 2},
    {"high", OP_REDUCE_WINDOW, 3},
    {"interior", OP_PAD, 2},
    {"dilation", OP_CONVOLUTION, 3},
    {"dilation", OP_CONVOLUTION, 4},
    {"dilation", OP_REDUCE_WINDOW, 4},
    {"dilation", OP_REDUCE_WINDOW, 5},
    {"groups", OP_CONVOLUTION, -1},
};
#define N_USES (sizeof uses / sizeof *uses)

// Marks the maps of this use in the nodes at or below `root`.
static void mark_attr(const struct rule *r, uint32_t root, enum op op, int k,
                      bool *mark)
{
    const struct pat *p = &r->pats[root];
    bool here = p->kind == PAT_OP && p->op == op;
    for (uint32_t i = 0; here && k >= 0 && i < p->n_attrs; i++)
        mark_iexp(p->attrs[i].v[k], mark);
    if (here && k < 0) {
        mark_iexp(p->feature_groups, mark);
        mark_iexp(p->batch_groups, mark);
    }
    for (uint32_t i = 0; i < p->n_args; i++)
        mark_attr(r, p->args[i], op, k, mark);
}

// What a reshape makes has sizes.  Constant tensors have, too: one that is a
// map by itself counts, one that follows from the operand beside it (n - k)
// does not.
static void mark_splats(const struct rule *r, uint32_t root, bool *mark)
{
    const struct pat *p = &r->pats[root];
    for (uint32_t i = 0; p->kind == PAT_SPLAT && i < p->n_sizes; i++)
        if (p->sizes[i].size->op == IE_MAP)
            mark_iexp(p->sizes[i].size, mark);
    for (uint32_t g = 0; g < p->n_groups; g++)
        for (uint32_t i = 0; i < p->groups[g].n_to; i++)
            mark_iexp(p->groups[g].to[i].size, mark);
    for (uint32_t i = 0; i < p->n_args; i++)
        mark_splats(r, p->args[i], mark);
}

static void mark_sizes(const struct rule *r, bool *mark)
{
    for (uint32_t i = 0; i < r->n_tensors; i++)
        for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++)
            mark_iexp(r->tensors[i].sizes[k].size, mark);
    mark_attr(r, r->lhs, OP_BROADCAST_IN_DIM, 0, mark);
    mark_attr(r, r->lhs, OP_IOTA, 0, mark);
    mark_splats(r, r->lhs, mark);
}

void where_roles(const struct rule *r, uint32_t w, struct buf *out)
{
    const struct cond *c = r->wheres[w].cond;
    buf_putc(out, ' ');
    if (!c) {
        buf_puts(out, "element ");
        return;
    }
    bool *said = mem_alloc(r->n_maps + 1u), *used = mem_alloc(r->n_maps + 1u);
    mark_cond(c, said);
    mark_lets(r, said);
    const char *last = "";
    for (size_t i = 0; i < N_USES; i++) {
        bool both = false;
        memset(used, 0, r->n_maps + 1u);
        if (uses[i].op == N_OPS)
            mark_sizes(r, used);
        else
            mark_attr(r, r->lhs, uses[i].op, uses[i].k, used);
        mark_lets(r, used);
        for (uint32_t m = 0; m < r->n_maps; m++)
            both = both || (said[m] && used[m]);
        if (both && strcmp(uses[i].role, last) != 0)
            buf_printf(out, "%s ", last = uses[i].role);
    }
    mem_free(said);
    mem_free(used);
}

void where_print(const struct rule *r, uint32_t w, struct buf *out)
{
    const struct where *where = &r->wheres[w];
    if (where->cond) {
        cond_print(r, where->cond, out);
        return;
    }
    buf_puts(out, "all(");
    pat_print(r, where->pat, out);
    buf_putc(out, ')');
}
