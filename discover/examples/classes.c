// SPDX-License-Identifier: Apache-2.0
// Axes with the same role are one class.  The role of an axis is the list of the nodes that
// have it, each with what the node does to it.
#include "discover/examples/core.h"
#include <stdio.h>

static bool in_list(const uint32_t *list, uint32_t n, uint32_t k)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == k)
            return true;
    return false;
}

static uint32_t dim_root(const struct pair *pair, uint32_t dim)
{
    while (pair->dims.at[dim].parent != dim)
        dim = pair->dims.at[dim].parent;
    return dim;
}

// Does a reshape take the axis?
static bool in_group(const struct pair *pair, uint32_t dim)
{
    for (uint32_t g = 0; g < pair->groups.len; g++) {
        const struct dim_group *group = &pair->groups.at[g];
        for (uint32_t i = 0; i < group->n_from + group->n_to; i++) {
            uint32_t other = i < group->n_from ? group->from[i] : group->to[i - group->n_from];
            if (dim_root(pair, other) == dim_root(pair, dim))
                return true;
        }
    }
    return false;
}

// What the node does to its dimension.  Doing nothing is a way to act if that is freed.
static const char *role(const struct pair *pair, uint32_t dim)
{
    const struct dimension *at = &pair->dims.at[dim];
    const struct node *node = &pair->nodes.at[at->node];
    uint32_t n;
    if (node->kind != NODE_OP)
        return "";
    if (at->marked)
        return "m";
    if (node->op != OP_BROADCAST_IN_DIM && attribute_forms(node->op, &n) != NULL &&
        (!dim_is_idle(pair, dim) || (pair->freedom.idle && !in_group(pair, dim))))
        return at->start != 0 ? "p" : "a";
    return "";
}

// `apart`: by group, whether the dimensions of its two sides are classes of their own.
static const char *signature(struct pair *pair, uint32_t root, const bool *apart)
{
    struct buf buf = {0};
    for (uint32_t d = 0; d < pair->dims.len; d++) {
        if (dim_find(pair, d) != root)
            continue;
        buf_printf(&buf, "%u%s%s ", pair->dims.at[d].node, role(pair, d),
                   pair->dims.at[d].size == 0 ? "e" : "");
        for (uint32_t g = 0; g < pair->groups.len; g++) {
            const struct dim_group *group = &pair->groups.at[g];
            if (in_list(group->from, group->n_from, d))
                buf_printf(&buf, "<%u", g);
            if (in_list(group->to, group->n_to, d))
                buf_printf(&buf, ">%u", g);
            if (apart[g] &&
                (in_list(group->from, group->n_from, d) || in_list(group->to, group->n_to, d)))
                buf_printf(&buf, "@%u", root);
        }
    }
    const char *text = arena_strdup(&pair->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// Has the node the axes that every tensor has?
static bool takes_more(const struct pair *pair, uint32_t at)
{
    const struct node *node = &pair->nodes.at[at];
    if (node->kind == NODE_TENSOR || node->kind == NODE_SCALAR)
        return node->kind == NODE_TENSOR;
    if (node->kind == NODE_LITERAL || node->op == OP_IOTA)
        return node->rank > 0;
    bool takes = node->kind == NODE_OP && node->op == OP_BROADCAST_IN_DIM && node->rank > 0;
    for (uint32_t i = 0; i < node->n_args && !takes; i++)
        takes = takes_more(pair, node->args[i]);
    return takes;
}

bool node_has_class(const struct pair *pair, uint32_t at, uint32_t cls)
{
    const struct node *node = &pair->nodes.at[at];
    if (cls == pair->more)
        return takes_more(pair, at);
    for (uint32_t i = 0; i < node->rank; i++)
        if (pair->class_of.at[node->dim + i] == cls)
            return true;
    return false;
}

// The node's dimension on the k-th axis of the class; NONE: it has none.
uint32_t node_class_dim(const struct pair *pair, uint32_t at, uint32_t cls, uint32_t k)
{
    const struct node *node = &pair->nodes.at[at];
    uint32_t root = pair->classes.at[cls].axis[k];
    for (uint32_t i = 0; i < node->rank; i++) {
        uint32_t dim = node->dim + i;
        if (dim_root(pair, dim) == root)
            return dim;
    }
    return NONE;
}

static bool twice(struct pair *pair)
{
    for (uint32_t i = 0; i < pair->nodes.len; i++) {
        const struct node *node = &pair->nodes.at[i];
        for (uint32_t a = 0; a < node->rank; a++)
            for (uint32_t b = 0; b < a; b++)
                if (dim_find(pair, node->dim + a) == dim_find(pair, node->dim + b))
                    return true;
    }
    return false;
}

static void collect(struct pair *pair, const bool *apart)
{
    VEC(const char *) roles = {0};
    vec_clear(&pair->classes);
    vec_zero(&pair->class_of, pair->dims.len);
    for (uint32_t d = 0; d < pair->dims.len; d++) {
        if (dim_find(pair, d) != d)
            continue;
        const char *text = signature(pair, d, apart);
        uint32_t c = 0;
        while (c < roles.len && strcmp(roles.at[c], text) != 0)
            c++;
        if (c == roles.len) {
            struct axis_set set = {.axis = ARENA_NEW(&pair->mem, uint32_t, pair->dims.len)};
            vec_push(&roles, text);
            vec_push(&pair->classes, set);
        }
        struct axis_set *set = &pair->classes.at[c];
        set->axis[set->n++] = d;
    }
    for (uint32_t d = 0; d < pair->dims.len; d++)
        for (uint32_t c = 0; c < pair->classes.len; c++)
            if (in_list(pair->classes.at[c].axis, pair->classes.at[c].n, dim_find(pair, d)))
                pair->class_of.at[d] = c;
    vec_release(&roles);
}

// Does an operator act on the axes of the class one by one?
static bool by_axis(struct pair *pair, uint32_t c)
{
    for (uint32_t d = 0; d < pair->dims.len; d++) {
        const char *text = role(pair, d);
        if (pair->class_of.at[d] == c && text[0] != '\0' &&
            pair->nodes.at[pair->dims.at[d].node].op != OP_BROADCAST_IN_DIM)
            return true;
    }
    return false;
}

// Is the list made of whole classes, each with its axes in row-major order?
static bool whole(struct pair *pair, const uint32_t *dims, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        const struct axis_set *set = &pair->classes.at[pair->class_of.at[dims[i]]];
        for (uint32_t k = 0; k < set->n; k++)
            if (i + k >= n || dim_find(pair, dims[i + k]) != set->axis[k])
                return false;
        i += set->n;
    }
    return true;
}

// The classes of a group with two sides are blocks, or single axes.
static bool fit_group(struct pair *pair, const struct dim_group *group, bool *apart)
{
    bool fits =
        *apart || (whole(pair, group->from, group->n_from) && whole(pair, group->to, group->n_to));
    for (uint32_t i = 0; fits && i < group->n_from + group->n_to; i++) {
        uint32_t dim = i < group->n_from ? group->from[i] : group->to[i - group->n_from];
        struct axis_set *set = &pair->classes.at[pair->class_of.at[dim]];
        bool acted = by_axis(pair, pair->class_of.at[dim]);
        if (acted && set->n > 1)
            fits = false;
        set->block = !acted;
        set->single = acted;
    }
    if (fits)
        return true;
    *apart = true;
    return false;
}

static void find_singles(struct pair *pair)
{
    for (uint32_t d = 0; d < pair->dims.len; d++) {
        enum op op = pair->nodes.at[pair->dims.at[d].node].op;
        if (pair->dims.at[d].marked && (op == OP_CONCATENATE || op == OP_IOTA))
            pair->classes.at[pair->class_of.at[d]].single = true;
    }
}

bool pair_has_plain(struct pair *pair)
{
    for (uint32_t c = 0; c < pair->classes.len; c++) {
        bool plain = !pair->classes.at[c].single && !pair->classes.at[c].block && !by_axis(pair, c);
        for (uint32_t i = 0; i < pair->nodes.len && plain; i++)
            plain = !takes_more(pair, i) || node_has_class(pair, i, c);
        if (plain)
            return true;
    }
    return false;
}

// Its sizes are those of the left side, as along a block.
static void add_more(struct pair *pair)
{
    struct axis_set set = {.block = true, .axis = ARENA_NEW(&pair->mem, uint32_t, 1)};
    set.name = pair_name(pair, "o");
    pair->more = pair->classes.len;
    vec_push(&pair->classes, set);
}

bool pair_classes(struct pair *pair)
{
    bool *apart = ARENA_NEW(&pair->mem, bool, pair->groups.len + 1);
    static const char *const one[] = {"a", "b", "d", "f"};
    static const char *const many[] = {"x", "y", "z", "r"};
    uint32_t n_one = 0, n_many = 0;
    bool fits = false;
    if (twice(pair))
        return pair_fails(pair, "an axis stands twice in one tensor");
    while (!fits) {
        fits = true;
        collect(pair, apart);
        for (uint32_t g = 0; g < pair->groups.len; g++)
            if (pair->groups.at[g].n_from > 0 && pair->groups.at[g].n_to > 0)
                fits = fit_group(pair, &pair->groups.at[g], &apart[g]) && fits;
    }
    find_singles(pair);
    if (pair->classes.len > EXAMPLE_CLASSES)
        return pair_fails(pair, "too many roles of axes");
    for (uint32_t c = 0; c < pair->classes.len; c++) {
        struct axis_set *set = &pair->classes.at[c];
        if (set->single && set->n > 1)
            return pair_fails(pair, "a role of single axes that several axes have");
        uint32_t *n = set->single ? &n_one : &n_many;
        set->name = pair_name(pair, (set->single ? one : many)[*n < 4 ? *n : 3]);
        (*n)++;
    }
    if (pair->freedom.rank)
        add_more(pair);
    return true;
}
