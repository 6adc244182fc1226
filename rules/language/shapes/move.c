// SPDX-License-Identifier: Apache-2.0
// Nodes that move elements to computed places or to other axes, or read their
// bits anew.
#include "rules/language/shapes/elaborate.h"

uint32_t elab_dynamic_slice(struct parser *p, uint32_t arg,
                            const struct attr_set *set, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_DYNAMIC_SLICE, at);
    if (!classes_present(p, arg, set->classes, at, "`dynamic_slice`") ||
        !classes_apart(p, set->classes, at, "`dynamic_slice`"))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (set->v[sizes[i].cls][1])
            sizes[i].size = set->v[sizes[i].cls][1];
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    attrs_of_set(p, &n, set);
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_dynamic_update(struct parser *p, uint32_t arg, uint32_t update,
                             const struct attr_set *set, struct place at)
{
    static const char what[] = "`dynamic_update_slice`";
    struct pat n = pat_blank(PAT_OP, OP_DYNAMIC_UPDATE_SLICE, at);
    const struct pat *a = &p->pats.at[arg], *u = &p->pats.at[update];
    if (!classes_present(p, arg, set->classes, at, what) ||
        !classes_apart(p, set->classes, at, what) ||
        !type_unify(p, a->type, u->type, u->place, what))
        return NONE;
    if (pat_classes(p, arg) != pat_classes(p, update)) {
        parser_fail(p, u->place,
             "%s: expected an update with the classes %s, found %s", what,
             classes_text(p, pat_classes(p, arg)),
             classes_text(p, pat_classes(p, update)));
        return NONE;
    }
    n.type = a->type;
    n.n_sizes = a->n_sizes;
    n.sizes = a->sizes;
    attrs_of_set(p, &n, set);
    uint32_t args[2] = {arg, update};
    return pat_push(p, &n, 2, args);
}

// The size that a group's only class on the right does not say.
static const struct iexp *block_size(struct parser *p, uint32_t arg,
                                     const struct reshape_group *g,
                                     struct place at)
{
    const struct iexp *x = iexp_number(p, 1);
    for (uint32_t i = 0; x && i < g->n_from; i++)
        x = iexp_product(p, x, size_on(p, arg, g->from[i]), at);
    return x;
}

// The classes of each group, and the sizes of those on its right.
static bool read_group(struct parser *p, uint32_t arg, struct reshape_group *g,
                       uint64_t *from, uint64_t *to, struct axis_size *sizes,
                       struct place at)
{
    for (uint32_t i = 0; i < g->n_from; i++) {
        if (*from & BIT(g->from[i]))
            return parser_fail(p, at, "`reshape`: `%s` stands on the left twice",
                        p->classes.at[g->from[i]].name);
        *from |= BIT(g->from[i]);
    }
    for (uint32_t i = 0; i < g->n_to; i++) {
        struct axis_class *c = &p->classes.at[sizes[i].cls];
        if (*to & BIT(sizes[i].cls))
            return parser_fail(p, at, "`reshape`: `%s` stands on the right twice",
                        c->name);
        *to |= BIT(sizes[i].cls);
        if (sizes[i].size)
            continue;
        if (g->n_to > 1)
            return parser_fail(p, at,
                        "`reshape`: the size of `%s` is missing; write `[%s: "
                        "size, ..]`",
                        c->name, c->name);
        if (c->block)
            return parser_fail(p, at,
                        "`reshape`: `%s` may have any rank, so that its sizes "
                        "do not follow; write `[%s: map]`, or declare `axis "
                        "%s`",
                        c->name, c->name, c->name);
        if (!(sizes[i].size = block_size(p, arg, g, at)))
            return false;
    }
    return true;
}

uint32_t elab_reshape(struct parser *p, uint32_t arg, uint32_t n_groups,
                      struct reshape_group *groups, struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_RESHAPE, at);
    struct attr_set shape = {0};
    uint64_t from = 0, to = 0, have = pat_classes(p, arg);
    for (uint32_t k = 0; k < n_groups; k++)
        for (uint32_t i = 0; i < groups[k].n_from; i++)
            if (!classes_present(p, arg, BIT(groups[k].from[i]), at,
                                 "`reshape`"))
                return NONE;
    for (uint32_t k = 0; k < n_groups; k++) {
        struct axis_size *sizes =
            ARENA_NEW(p->mem, struct axis_size, groups[k].n_to + 1);
        for (uint32_t i = 0; i < groups[k].n_to; i++)
            sizes[i] = groups[k].to[i];
        groups[k].to = sizes;
        if (!read_group(p, arg, &groups[k], &from, &to, sizes, at))
            return NONE;
        for (uint32_t i = 0; i < groups[k].n_to; i++)
            shape.v[sizes[i].cls][0] = sizes[i].size;
    }
    if (to & have) {
        parser_fail(p, at,
             "`reshape`: the operand has %s already; the classes on the right "
             "are new ones",
             classes_text(p, to & have));
        return NONE;
    }
    for (uint32_t c = 0; c < p->classes.len; c++)
        if ((have & ~from) >> c & 1)
            shape.v[c][0] = size_on(p, arg, c);
    shape.classes = (have & ~from) | to;
    sizes_of_set(p, &n, &shape);
    n.type = p->pats.at[arg].type;
    n.groups = groups;
    n.n_groups = n_groups;
    return pat_push(p, &n, 1, &arg);
}

uint32_t elab_bitcast(struct parser *p, uint32_t arg, uint32_t type,
                      struct place at)
{
    struct pat n = pat_blank(PAT_OP, OP_BITCAST_CONVERT, at);
    n.type = type;
    n.n_sizes = p->pats.at[arg].n_sizes;
    n.sizes = p->pats.at[arg].sizes;
    return pat_push(p, &n, 1, &arg);
}
