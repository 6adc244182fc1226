// SPDX-License-Identifier: Apache-2.0
// Nodes that sum over classes of two operands or over windows, and nodes that look up
// elements at places that another tensor holds.
#include "rules/language/shapes/elaborate.h"
#include "rules/language/tokens/hints.h"

static bool same_type(struct parser *parser, uint32_t a, uint32_t b, const char *what)
{
    const struct pat *pattern = &parser->pats.at[b];
    return type_unify(parser, parser->pats.at[a].type, pattern->type, pattern->place, what);
}

// The sizes of operand `arg` on some of its classes.
static void add_sizes(const struct parser *parser, struct attr_set *shape, uint32_t arg,
                      uint64_t classes)
{
    const struct pat *pattern = &parser->pats.at[arg];
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        if (!(classes >> pattern->sizes[i].cls & 1))
            continue;
        shape->classes |= BIT(pattern->sizes[i].cls);
        shape->expr[pattern->sizes[i].cls][0] = pattern->sizes[i].size;
    }
}

// The classes that both operands of `what` must share.
struct shared_classes {
    uint64_t named;
    struct place at;
    const char *what, *where; // for messages: the operator, and where the classes are named
};

static bool shared_are(struct parser *parser, uint32_t a, uint32_t b, struct shared_classes classes)
{
    uint64_t named = classes.named;
    uint64_t shared = pat_classes(parser, a) & pat_classes(parser, b);
    if (shared & ~named)
        return parser_fail(parser, classes.at,
                           "%s: both operands have the classes %s, which do not stand "
                           "in %s",
                           classes.what, classes_text(parser, shared & ~named), classes.where);
    if (named & ~shared)
        return parser_fail(parser, classes.at, "%s: %s not among the classes %s of both operands",
                           classes.what, classes_text(parser, named & ~shared),
                           classes_text(parser, shared));
    return true;
}

uint32_t elab_dot(struct parser *parser, struct pat pattern, uint32_t a, uint32_t b)
{
    struct attr_set shape = {0};
    if (pattern.classes & pattern.batch) {
        parser_fail(parser, pattern.place, "`dot`: %s in `contract` and in `batch`",
                    classes_text(parser, pattern.classes & pattern.batch));
        return NONE;
    }
    struct shared_classes classes = {pattern.classes | pattern.batch, pattern.place, "`dot`",
                                     "`contract` or `batch`"};
    if (!shared_are(parser, a, b, classes)) {
        parser_hint(parser, "a class that both operands have is summed over, or kept: "
                            "`dot(A, B, contract={k}, batch={b})`");
        return NONE;
    }
    if (!same_type(parser, a, b, "`dot`"))
        return NONE;
    add_sizes(parser, &shape, b, ~pattern.classes);
    add_sizes(parser, &shape, a, ~pattern.classes); // R2: the first operand's
    sizes_of_set(parser, &pattern, &shape);
    pattern.type = parser->pats.at[a].type;
    uint32_t args[2] = {a, b};
    return pat_push(parser, &pattern, 2, args);
}

// Groups cut one axis into pieces.  As in StableHLO, the batch, the input features and
// the output features are then single axes.  The number of groups is an expression on
// the axis that is cut.
static bool groups_fit(struct parser *parser, const struct pat *pattern)
{
    const uint64_t sets[] = {pattern->batch, pattern->classes, pattern->out};
    const struct iexp *const groups[] = {pattern->batch_groups, pattern->feature_groups, NULL};
    static const char *const names[] = {"batch", "input feature", "output feature"};
    if (!pattern->feature_groups && !pattern->batch_groups)
        return true;
    for (int i = 0; i < 3; i++) {
        uint32_t c = 0;
        while (c < parser->classes.len && !(sets[i] >> c & 1))
            c++;
        if (c == parser->classes.len || sets[i] != BIT(c) || !parser->classes.at[c].single)
            return parser_fail(parser, pattern->place,
                               "`conv`: with groups there is exactly one %s axis, "
                               "found the classes %s; declare it with `axis`",
                               names[i], classes_text(parser, sets[i]));
        const struct map *map =
            groups[i] ? iexp_stranger(parser, groups[i], family_mask(parser, c)) : NULL;
        if (map)
            return parser_fail(parser, pattern->place,
                               "`conv`: the groups of the %s axis `%s` are an "
                               "expression on it, but `%s` is on `%s`",
                               names[i], parser->classes.at[c].name, map->name,
                               parser->classes.at[map->cls].name);
    }
    return true;
}

static bool conv_classes(struct parser *parser, struct pat *pattern, uint32_t a, uint32_t k)
{
    uint64_t input = pat_classes(parser, a), kernel = pat_classes(parser, k);
    if (pattern->classes & pattern->spatial)
        return parser_fail(parser, pattern->place, "`conv`: %s in `feature` and in `spatial`",
                           classes_text(parser, pattern->classes & pattern->spatial));
    if (!shared_are(parser, a, k,
                    (struct shared_classes){pattern->classes | pattern->spatial, pattern->place,
                                            "`conv`", "`feature` or `spatial`"}))
        return false;
    if (pattern->flipped & ~pattern->spatial)
        return parser_fail(parser, pattern->place, "`conv`: %s in `flip` but not in `spatial`",
                           classes_text(parser, pattern->flipped & ~pattern->spatial));
    pattern->batch = input & ~(pattern->classes | pattern->spatial);
    pattern->out = kernel & ~(pattern->classes | pattern->spatial);
    return classes_apart(parser, pattern->spatial, pattern->place, "`conv`, spatial") &&
           groups_fit(parser, pattern) && same_type(parser, a, k, "`conv`");
}

uint32_t elab_conv(struct parser *parser, struct pat pattern, uint32_t a, uint32_t k,
                   const struct attr_set *set)
{
    struct attr_set shape = {0};
    if (!conv_classes(parser, &pattern, a, k))
        return NONE;
    add_sizes(parser, &shape, a, pattern.batch);
    add_sizes(parser, &shape, k, pattern.out);
    for (uint32_t c = 0; c < parser->classes.len; c++) {
        if (pattern.batch_groups && pattern.batch >> c & 1)
            shape.expr[c][0] =
                iexp_new(parser, IE_DIV, shape.expr[c][0], pattern.batch_groups, pattern.place);
        if (pattern.spatial >> c & 1) {
            shape.classes |= BIT(c);
            shape.expr[c][0] = window_result(parser, size_on(parser, a, c), size_on(parser, k, c),
                                             set->expr[c], pattern.place);
        }
        if (shape.classes >> c & 1 && !shape.expr[c][0])
            return NONE;
    }
    sizes_of_set(parser, &pattern, &shape);
    attrs_of_set(parser, &pattern, set);
    pattern.type = parser->pats.at[a].type;
    uint32_t args[2] = {a, k};
    return pat_push(parser, &pattern, 2, args);
}

uint32_t elab_reduce_window(struct parser *parser, struct pat pattern, uint32_t arg, uint32_t init,
                            const struct attr_set *set)
{
    static const char what[] = "`reduce_window`";
    pattern.type = parser->pats.at[arg].type;
    if (!classes_present(parser, arg, set->classes, pattern.place, what) ||
        !classes_apart(parser, set->classes, pattern.place, what) ||
        !reducer_type(parser, &pattern, pattern.type, pattern.place, what) ||
        !initial_value(parser, init, pattern.type, what))
        return NONE;
    const struct pat *a = &parser->pats.at[arg];
    struct axis_size *sizes = sizes_copy(parser, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        uint32_t c = sizes[i].cls;
        if (!(set->classes >> c & 1))
            continue;
        const struct iexp *expr = set->expr[c][0] ? set->expr[c][0] : iexp_number(parser, 1);
        sizes[i].size = window_result(parser, sizes[i].size, expr, set->expr[c] + 1, pattern.place);
        if (!sizes[i].size)
            return NONE;
    }
    pattern.n_sizes = a->n_sizes;
    pattern.sizes = sizes;
    attrs_of_set(parser, &pattern, set);
    uint32_t args[2] = {arg, init};
    return pat_push(parser, &pattern, init == NONE ? 1 : 2, args);
}

// Checks that gather and scatter share: the elements of I are integers, which name
// places on one axis of A; both A and I have the batch classes.
static bool places_fit(struct parser *parser, const struct pat *pattern, uint32_t a, uint32_t i,
                       const char *what)
{
    uint32_t axis = 0;
    while (!(pattern->classes >> axis & 1))
        axis++;
    if (pattern->batch & pattern->classes)
        return parser_fail(parser, pattern->place, "%s: its axis `%s` is in `batch`", what,
                           parser->classes.at[axis].name);
    return class_single(parser, axis, pattern->place, what) &&
           classes_present(parser, a, pattern->classes, pattern->place, what) &&
           shared_are(parser, a, i,
                      (struct shared_classes){pattern->batch, pattern->place, what, "`batch`"}) &&
           type_require(parser, parser->pats.at[i].type, KIND_SINT | KIND_UINT,
                        parser->pats.at[i].place, what);
}

uint32_t elab_gather(struct parser *parser, struct pat pattern, uint32_t a, uint32_t i,
                     const struct attr_set *set)
{
    struct attr_set shape = {0};
    if (!places_fit(parser, &pattern, a, i, "`gather`"))
        return NONE;
    add_sizes(parser, &shape, i, ~pattern.batch);
    add_sizes(parser, &shape, a, ~pattern.classes);
    for (uint32_t c = 0; c < parser->classes.len; c++) {
        if (!(set->classes >> c & 1))
            continue;
        shape.classes |= BIT(c);
        shape.expr[c][0] = set->expr[c][0];
    }
    sizes_of_set(parser, &pattern, &shape);
    attrs_of_set(parser, &pattern, set);
    pattern.type = parser->pats.at[a].type;
    uint32_t args[2] = {a, i};
    return pat_push(parser, &pattern, 2, args);
}

uint32_t elab_scatter(struct parser *parser, struct pat pattern, uint32_t a, uint32_t i, uint32_t u)
{
    pattern.type = parser->pats.at[a].type;
    if (!places_fit(parser, &pattern, a, i, "`scatter`") ||
        !reducer_type(parser, &pattern, pattern.type, pattern.place, "`scatter`") ||
        !same_type(parser, a, u, "`scatter`"))
        return NONE;
    uint64_t want = (pat_classes(parser, a) & ~pattern.classes) | pat_classes(parser, i);
    if (pat_classes(parser, u) != want) {
        parser_fail(parser, parser->pats.at[u].place,
                    "`scatter`: expected updates with the classes %s (those of the "
                    "operand but its axis, and those of the places), found %s",
                    classes_text(parser, want), classes_text(parser, pat_classes(parser, u)));
        return NONE;
    }
    pattern.n_sizes = parser->pats.at[a].n_sizes;
    pattern.sizes = parser->pats.at[a].sizes;
    uint32_t args[3] = {a, i, u};
    return pat_push(parser, &pattern, 3, args);
}
