// SPDX-License-Identifier: Apache-2.0
// Nodes that sum over classes of two operands or over windows, or that look
// elements up at places another tensor holds.
#include "rules/language/shapes/elaborate.h"

static bool same_type(struct parser *p, uint32_t a, uint32_t b,
                      const char *what)
{
    const struct pat *n = &p->pats.at[b];
    return type_unify(p, p->pats.at[a].type, n->type, n->place, what);
}

// The sizes of operand `arg` on some of its classes.
static void add_sizes(const struct parser *p, struct attr_set *shape,
                      uint32_t arg, uint64_t classes)
{
    const struct pat *a = &p->pats.at[arg];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        if (!(classes >> a->sizes[i].cls & 1))
            continue;
        shape->classes |= BIT(a->sizes[i].cls);
        shape->v[a->sizes[i].cls][0] = a->sizes[i].size;
    }
}

static bool shared_are(struct parser *p, uint32_t a, uint32_t b, uint64_t named,
                       struct place at, const char *what, const char *where)
{
    uint64_t shared = pat_classes(p, a) & pat_classes(p, b);
    if (shared & ~named)
        return parser_fail(p, at,
                    "%s: both operands have the classes %s, which do not stand "
                    "in %s",
                    what, classes_text(p, shared & ~named), where);
    if (named & ~shared)
        return parser_fail(p, at, "%s: %s not among the classes %s of both operands",
                    what, classes_text(p, named & ~shared),
                    classes_text(p, shared));
    return true;
}

uint32_t elab_dot(struct parser *p, struct pat n, uint32_t a, uint32_t b)
{
    struct attr_set shape = {0};
    if (n.classes & n.batch) {
        parser_fail(p, n.place, "`dot`: %s in `contract` and in `batch`",
             classes_text(p, n.classes & n.batch));
        return NONE;
    }
    if (!shared_are(p, a, b, n.classes | n.batch, n.place, "`dot`",
                    "`contract` or `batch`") ||
        !same_type(p, a, b, "`dot`"))
        return NONE;
    add_sizes(p, &shape, b, ~n.classes);
    add_sizes(p, &shape, a, ~n.classes); // R2: the first operand's
    sizes_of_set(p, &n, &shape);
    n.type = p->pats.at[a].type;
    uint32_t args[2] = {a, b};
    return pat_push(p, &n, 2, args);
}

// Groups cut one axis into pieces: batch, input and output features are single
// then, as StableHLO has them, and the number is over the axis that is cut.
static bool groups_fit(struct parser *p, const struct pat *n)
{
    const uint64_t sets[] = {n->batch, n->classes, n->out};
    const struct iexp *const groups[] = {n->batch_groups, n->feature_groups,
                                         NULL};
    static const char *const names[] = {"batch", "input feature",
                                        "output feature"};
    if (!n->feature_groups && !n->batch_groups)
        return true;
    for (int i = 0; i < 3; i++) {
        uint32_t c = 0;
        while (c < p->classes.len && !(sets[i] >> c & 1))
            c++;
        if (c == p->classes.len || sets[i] != BIT(c) ||
            !p->classes.at[c].single)
            return parser_fail(p, n->place,
                        "`conv`: with groups there is exactly one %s axis, "
                        "found the classes %s; declare it with `axis`",
                        names[i], classes_text(p, sets[i]));
        const struct map *m =
            groups[i] ? iexp_stranger(p, groups[i], family_mask(p, c)) : NULL;
        if (m)
            return parser_fail(p, n->place,
                        "`conv`: the groups of the %s axis `%s` are an "
                        "expression on it, but `%s` is on `%s`",
                        names[i], p->classes.at[c].name, m->name,
                        p->classes.at[m->cls].name);
    }
    return true;
}

static bool conv_classes(struct parser *p, struct pat *n, uint32_t a,
                         uint32_t k)
{
    uint64_t input = pat_classes(p, a), kernel = pat_classes(p, k);
    if (n->classes & n->spatial)
        return parser_fail(p, n->place, "`conv`: %s in `feature` and in `spatial`",
                    classes_text(p, n->classes & n->spatial));
    if (!shared_are(p, a, k, n->classes | n->spatial, n->place, "`conv`",
                    "`feature` or `spatial`"))
        return false;
    if (n->flipped & ~n->spatial)
        return parser_fail(p, n->place, "`conv`: %s in `flip` but not in `spatial`",
                    classes_text(p, n->flipped & ~n->spatial));
    n->batch = input & ~(n->classes | n->spatial);
    n->out = kernel & ~(n->classes | n->spatial);
    return classes_apart(p, n->spatial, n->place, "`conv`, spatial") &&
           groups_fit(p, n) && same_type(p, a, k, "`conv`");
}

uint32_t elab_conv(struct parser *p, struct pat n, uint32_t a, uint32_t k,
                   const struct attr_set *set)
{
    struct attr_set shape = {0};
    if (!conv_classes(p, &n, a, k))
        return NONE;
    add_sizes(p, &shape, a, n.batch);
    add_sizes(p, &shape, k, n.out);
    for (uint32_t c = 0; c < p->classes.len; c++) {
        if (n.batch_groups && n.batch >> c & 1)
            shape.v[c][0] =
                iexp_new(p, IE_DIV, shape.v[c][0], n.batch_groups, n.place);
        if (n.spatial >> c & 1) {
            shape.classes |= BIT(c);
            shape.v[c][0] = window_result(p, size_on(p, a, c), size_on(p, k, c),
                                          set->v[c], n.place);
        }
        if (shape.classes >> c & 1 && !shape.v[c][0])
            return NONE;
    }
    sizes_of_set(p, &n, &shape);
    attrs_of_set(p, &n, set);
    n.type = p->pats.at[a].type;
    uint32_t args[2] = {a, k};
    return pat_push(p, &n, 2, args);
}

uint32_t elab_reduce_window(struct parser *p, struct pat n, uint32_t arg,
                            uint32_t init, const struct attr_set *set)
{
    static const char what[] = "`reduce_window`";
    n.type = p->pats.at[arg].type;
    if (!classes_present(p, arg, set->classes, n.place, what) ||
        !classes_apart(p, set->classes, n.place, what) ||
        !reducer_type(p, &n, n.type, n.place, what) ||
        !initial_value(p, init, n.type, what))
        return NONE;
    const struct pat *a = &p->pats.at[arg];
    struct axis_size *sizes = sizes_copy(p, a);
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        uint32_t c = sizes[i].cls;
        if (!(set->classes >> c & 1))
            continue;
        const struct iexp *w = set->v[c][0] ? set->v[c][0] : iexp_number(p, 1);
        sizes[i].size =
            window_result(p, sizes[i].size, w, set->v[c] + 1, n.place);
        if (!sizes[i].size)
            return NONE;
    }
    n.n_sizes = a->n_sizes;
    n.sizes = sizes;
    attrs_of_set(p, &n, set);
    uint32_t args[2] = {arg, init};
    return pat_push(p, &n, init == NONE ? 1 : 2, args);
}

// What gather and scatter have in common: an axis of A that I names places of,
// batch classes of both, integers in I.
static bool places_fit(struct parser *p, const struct pat *n, uint32_t a,
                       uint32_t i, const char *what)
{
    uint32_t axis = 0;
    while (!(n->classes >> axis & 1))
        axis++;
    if (n->batch & n->classes)
        return parser_fail(p, n->place, "%s: its axis `%s` is in `batch`", what,
                    p->classes.at[axis].name);
    return class_single(p, axis, n->place, what) &&
           classes_present(p, a, n->classes, n->place, what) &&
           shared_are(p, a, i, n->batch, n->place, what, "`batch`") &&
           type_require(p, p->pats.at[i].type, KIND_SINT | KIND_UINT,
                        p->pats.at[i].place, what);
}

uint32_t elab_gather(struct parser *p, struct pat n, uint32_t a, uint32_t i,
                     const struct attr_set *set)
{
    struct attr_set shape = {0};
    if (!places_fit(p, &n, a, i, "`gather`"))
        return NONE;
    add_sizes(p, &shape, i, ~n.batch);
    add_sizes(p, &shape, a, ~n.classes);
    for (uint32_t c = 0; c < p->classes.len; c++) {
        if (!(set->classes >> c & 1))
            continue;
        shape.classes |= BIT(c);
        shape.v[c][0] = set->v[c][0];
    }
    sizes_of_set(p, &n, &shape);
    attrs_of_set(p, &n, set);
    n.type = p->pats.at[a].type;
    uint32_t args[2] = {a, i};
    return pat_push(p, &n, 2, args);
}

uint32_t elab_scatter(struct parser *p, struct pat n, uint32_t a, uint32_t i,
                      uint32_t u)
{
    n.type = p->pats.at[a].type;
    if (!places_fit(p, &n, a, i, "`scatter`") ||
        !reducer_type(p, &n, n.type, n.place, "`scatter`") ||
        !same_type(p, a, u, "`scatter`"))
        return NONE;
    uint64_t want = (pat_classes(p, a) & ~n.classes) | pat_classes(p, i);
    if (pat_classes(p, u) != want) {
        parser_fail(p, p->pats.at[u].place,
             "`scatter`: expected updates with the classes %s (those of the "
             "operand but its axis, and those of the places), found %s",
             classes_text(p, want), classes_text(p, pat_classes(p, u)));
        return NONE;
    }
    n.n_sizes = p->pats.at[a].n_sizes;
    n.sizes = p->pats.at[a].sizes;
    uint32_t args[3] = {a, i, u};
    return pat_push(p, &n, 3, args);
}
