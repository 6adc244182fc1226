// SPDX-License-Identifier: Apache-2.0
#include "rules/describe/describe.h"

#include "rules/conditions.h"

static void add_name(struct name_list *names, const char *name)
{
    uint32_t i = 0;
    while (i < names->at.len && strcmp(names->at.at[i], name) < 0)
        i++;
    if (i < names->at.len && strcmp(names->at.at[i], name) == 0)
        return;
    vec_push(&names->at, name);
    for (uint32_t k = names->at.len - 1; k > i; k--)
        names->at.at[k] = names->at.at[k - 1];
    names->at.at[i] = name;
}

static const char *opvar_operator(const struct op_var *opvar)
{
    switch (opvar->kind) {
    case OPVAR_MONOID:
        return "any monoid";
    case OPVAR_MONOTONE:
        return "any monotone";
    case OPVAR_ELEMENTWISE:
        break;
    }
    return "any elementwise";
}

static const char *pat_operator(const struct rule *rule, const struct pat *pattern)
{
    switch (pattern->kind) {
    case PAT_OP:
        return op_name(pattern->op);
    case PAT_LITERAL:
        return pattern->lit == LIT_VALUE ? "value" : "constant";
    case PAT_SPLAT: // the splat of a literal has only the name of the literal
        return rule->pats[pattern->args[0]].kind == PAT_LITERAL ? NULL
                                                                : op_name(OP_BROADCAST_IN_DIM);
    case PAT_RELABEL:
        return "relabel";
    case PAT_OPVAR:
        return opvar_operator(&rule->opvars[pattern->var]);
    case PAT_CALL:
        return "define";
    case PAT_TENSOR:
    case PAT_SCALAR:
        break;
    }
    return NULL;
}

static void add_operators(const struct rule *rule, uint32_t root, struct name_list *out)
{
    const struct pat *pattern = &rule->pats[root];
    const char *name = pat_operator(rule, pattern);
    if (name)
        add_name(out, name);
    if (pattern->kind == PAT_OP && pattern->opvar != NONE)
        add_name(out, "any monoid");
    for (uint32_t i = 0; i < pattern->n_args; i++)
        add_operators(rule, pattern->args[i], out);
}

void rule_operators(const struct rule *rule, struct name_list *out)
{
    add_operators(rule, rule->lhs, out);
    add_operators(rule, rule->rhs, out);
}

// ---- the uses of the maps of a precondition ----

// A computed map stands for the maps in it, which come before it (R4).
static void mark_lets(const struct rule *rule, bool *mark)
{
    for (uint32_t m = rule->n_maps; m-- > 0;)
        if (mark[m])
            iexp_mark_maps(rule->maps[m].def, mark);
}

// Uses with one name are neighbours in the table.
static const struct role_use {
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
static void mark_attr(const struct rule *rule, uint32_t root, enum op op, int k, bool *mark)
{
    const struct pat *pattern = &rule->pats[root];
    bool here = pattern->kind == PAT_OP && pattern->op == op;
    for (uint32_t i = 0; here && k >= 0 && i < pattern->n_attrs; i++)
        iexp_mark_maps(pattern->attrs[i].expr[k], mark);
    if (here && k < 0) {
        iexp_mark_maps(pattern->feature_groups, mark);
        iexp_mark_maps(pattern->batch_groups, mark);
    }
    for (uint32_t i = 0; i < pattern->n_args; i++)
        mark_attr(rule, pattern->args[i], op, k, mark);
}

// The classes on the right of a reshape have sizes.  Constant tensors have sizes,
// too: a size that is a map by itself counts as a use; a size that follows from
// another operand (n - k) does not.
static void mark_splats(const struct rule *rule, uint32_t root, bool *mark)
{
    const struct pat *pattern = &rule->pats[root];
    for (uint32_t i = 0; pattern->kind == PAT_SPLAT && i < pattern->n_sizes; i++)
        if (pattern->sizes[i].size->op == IE_MAP)
            iexp_mark_maps(pattern->sizes[i].size, mark);
    for (uint32_t g = 0; g < pattern->n_groups; g++)
        for (uint32_t i = 0; i < pattern->groups[g].n_to; i++)
            iexp_mark_maps(pattern->groups[g].to[i].size, mark);
    for (uint32_t i = 0; i < pattern->n_args; i++)
        mark_splats(rule, pattern->args[i], mark);
}

static void mark_sizes(const struct rule *rule, bool *mark)
{
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        for (uint32_t k = 0; k < rule->tensors[i].n_sizes; k++)
            iexp_mark_maps(rule->tensors[i].sizes[k].size, mark);
    mark_attr(rule, rule->lhs, OP_BROADCAST_IN_DIM, 0, mark);
    mark_attr(rule, rule->lhs, OP_IOTA, 0, mark);
    mark_splats(rule, rule->lhs, mark);
}

void where_roles(const struct rule *rule, uint32_t w, struct buf *out)
{
    const struct cond *condition = rule->wheres[w].cond;
    buf_putc(out, ' ');
    if (!condition) {
        buf_puts(out, "element ");
        return;
    }
    bool *said = mem_alloc(rule->n_maps + 1u), *used = mem_alloc(rule->n_maps + 1u);
    cond_mark_maps(condition, said);
    mark_lets(rule, said);
    const char *last = "";
    for (size_t i = 0; i < N_USES; i++) {
        bool both = false;
        memset(used, 0, rule->n_maps + 1u);
        if (uses[i].op == N_OPS)
            mark_sizes(rule, used);
        else
            mark_attr(rule, rule->lhs, uses[i].op, uses[i].k, used);
        mark_lets(rule, used);
        for (uint32_t m = 0; m < rule->n_maps; m++)
            both = both || (said[m] && used[m]);
        if (both && strcmp(uses[i].role, last) != 0)
            buf_printf(out, "%s ", last = uses[i].role);
    }
    mem_free(said);
    mem_free(used);
}

void where_print(const struct rule *rule, uint32_t w, struct buf *out)
{
    const struct where *where = &rule->wheres[w];
    if (where->cond) {
        cond_print(rule, where->cond, out);
        return;
    }
    buf_puts(out, "all(");
    pat_print(rule, where->pat, out);
    buf_putc(out, ')');
}
