// SPDX-License-Identifier: Apache-2.0
// Nodes that move elements to computed places or to other axes, or read the bits of
// elements as another type.
#include "rules/language/shapes/elaborate.h"

uint32_t elab_dynamic_slice(struct parser *parser, uint32_t arg, const struct attr_set *set,
                            struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_DYNAMIC_SLICE, at);
    if (!classes_present(parser, arg, set->classes, at, "`dynamic_slice`") ||
        !classes_apart(parser, set->classes, at, "`dynamic_slice`"))
        return NONE;
    const struct pat *a = &parser->pats.at[arg];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (set->expr[sizes[i].cls][1])
            sizes[i].size = set->expr[sizes[i].cls][1];
    pattern.type = a->type;
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = sizes;
    attrs_of_set(parser, &pattern, set);
    return pat_push(parser, &pattern, 1, &arg);
}

uint32_t elab_dynamic_update(struct parser *parser, uint32_t arg, uint32_t update,
                             const struct attr_set *set, struct place at)
{
    static const char what[] = "`dynamic_update_slice`";
    struct pat pattern = pat_blank(PAT_OP, OP_DYNAMIC_UPDATE_SLICE, at);
    const struct pat *a = &parser->pats.at[arg], *u = &parser->pats.at[update];
    if (!classes_present(parser, arg, set->classes, at, what) ||
        !classes_apart(parser, set->classes, at, what) ||
        !type_unify(parser, a->type, u->type, u->place, what))
        return NONE;
    if (pat_classes(parser, arg) != pat_classes(parser, update)) {
        parser_fail(parser, u->place, "%s: expected an update with the classes %s, found %s", what,
                    classes_text(parser, pat_classes(parser, arg)),
                    classes_text(parser, pat_classes(parser, update)));
        return NONE;
    }
    pattern.type = a->type;
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = a->sizes;
    attrs_of_set(parser, &pattern, set);
    uint32_t args[2] = {arg, update};
    return pat_push(parser, &pattern, 2, args);
}

// Infers the size that a group's only class on the right leaves out.
static const struct iexp *block_size(struct parser *parser, uint32_t arg,
                                     const struct reshape_group *group, struct place at)
{
    const struct iexp *expr = iexp_number(parser, 1);
    for (uint32_t i = 0; expr && i < group->n_from; i++)
        expr = iexp_product(parser, expr, size_on(parser, arg, group->from[i]), at);
    return expr;
}

// The classes of the groups read so far.
struct group_classes {
    uint64_t from, to;
};

// The classes of each group, and the sizes of those on its right.
static bool read_group(struct parser *parser, uint32_t arg, struct reshape_group *group,
                       struct group_classes *classes, struct axis_size *sizes, struct place at)
{
    for (uint32_t i = 0; i < group->n_from; i++) {
        if (classes->from & BIT(group->from[i]))
            return parser_fail(parser, at, "`reshape`: `%s` stands on the left twice",
                               parser->classes.at[group->from[i]].name);
        classes->from |= BIT(group->from[i]);
    }
    for (uint32_t i = 0; i < group->n_to; i++) {
        struct axis_class *cls = &parser->classes.at[sizes[i].cls];
        if (classes->to & BIT(sizes[i].cls))
            return parser_fail(parser, at, "`reshape`: `%s` stands on the right twice", cls->name);
        classes->to |= BIT(sizes[i].cls);
        if (sizes[i].size)
            continue;
        if (group->n_to > 1)
            return parser_fail(parser, at,
                               "`reshape`: the size of `%s` is missing; write `[%s: "
                               "size, ..]`",
                               cls->name, cls->name);
        if (cls->block)
            return parser_fail(parser, at,
                               "`reshape`: `%s` may have any rank, so that its sizes "
                               "do not follow; write `[%s: map]`, or declare `axis "
                               "%s`",
                               cls->name, cls->name, cls->name);
        if (!(sizes[i].size = block_size(parser, arg, group, at)))
            return false;
    }
    return true;
}

uint32_t elab_reshape(struct parser *parser, uint32_t arg, uint32_t n_groups,
                      struct reshape_group *groups, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_RESHAPE, at);
    struct attr_set shape = {0};
    struct group_classes classes = {0, 0};
    uint64_t have = pat_classes(parser, arg);
    for (uint32_t k = 0; k < n_groups; k++)
        for (uint32_t i = 0; i < groups[k].n_from; i++)
            if (!classes_present(parser, arg, BIT(groups[k].from[i]), at, "`reshape`"))
                return NONE;
    for (uint32_t k = 0; k < n_groups; k++) {
        struct axis_size *sizes = ARENA_NEW(parser->mem, struct axis_size, groups[k].n_to + 1);
        for (uint32_t i = 0; i < groups[k].n_to; i++)
            sizes[i] = groups[k].to[i];
        groups[k].to = sizes;
        if (!read_group(parser, arg, &groups[k], &classes, sizes, at))
            return NONE;
        for (uint32_t i = 0; i < groups[k].n_to; i++)
            shape.expr[sizes[i].cls][0] = sizes[i].size;
    }
    if (classes.to & have) {
        parser_fail(parser, at,
                    "`reshape`: the operand has %s already; the classes on the right "
                    "are new ones",
                    classes_text(parser, classes.to & have));
        return NONE;
    }
    for (uint32_t c = 0; c < parser->classes.len; c++)
        if ((have & ~classes.from) >> c & 1)
            shape.expr[c][0] = size_on(parser, arg, c);
    shape.classes = (have & ~classes.from) | classes.to;
    sizes_of_set(parser, &pattern, &shape);
    pattern.type = parser->pats.at[arg].type;
    pattern.groups = groups;
    pattern.n_groups = n_groups;
    return pat_push(parser, &pattern, 1, &arg);
}

uint32_t elab_bitcast(struct parser *parser, uint32_t arg, uint32_t type, struct place at)
{
    struct pat pattern = pat_blank(PAT_OP, OP_BITCAST_CONVERT, at);
    pattern.type = type;
    pattern.n_sizes = parser->pats.at[arg].n_sizes;
    pattern.sizes = parser->pats.at[arg].sizes;
    return pat_push(parser, &pattern, 1, &arg);
}
