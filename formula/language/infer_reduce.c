// SPDX-License-Identifier: Apache-2.0
// Shapes of operators that reduce, exchange or join axes.
#include "formula/language/infer.h"

// `sum[j]` of an operand with positions: the position of the axis goes.
static bool remove_axes(struct reading *reading, uint32_t node, struct formula_shape *shape)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    for (uint32_t i = 0; i < x->axes_n; i++) {
        const char *name = reading->ast.axis.at[x->axes_at + i].name;
        uint32_t axis, at, other;
        (void)reading_axis(reading, name, &axis);
        if (!shape_position(reading, shape, axis, &at))
            return READING_FAIL(reading, node, "axis %s is not in the shape of the operand", name);
        struct formula_shape rest = *shape;
        rest.kept |= 1u << at;
        if (shape_position(reading, &rest, axis, &other))
            return READING_FAIL(reading, node,
                                "two axes of the operand have the size of %s: write "
                                "out the axes, as in x[%s, ..]",
                                name, name);
        uint32_t low = (1u << at) - 1;
        shape->kept = (shape->kept & low) | (shape->kept >> 1 & ~low);
        for (shape->rank--; at < shape->rank; at++)
            shape->dim[at] = shape->dim[at + 1];
    }
    return true;
}

struct axis_set reading_axes_set(const struct reading *reading, uint32_t node)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    struct axis_set set = {{0}};
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis;
        if (reading_axis(reading, reading->ast.axis.at[x->axes_at + i].name, &axis))
            axis_set_add(&set, axis);
    }
    return set;
}

static bool constant_argument(struct reading *reading, uint32_t node, uint32_t arg)
{
    const char *name = reading->ast.node.at[node].name;
    return READING_FAIL(reading, reading_args(reading, node)[arg],
                        "argument %u of %s may not depend on the reduced axis", arg + 1, name);
}

// *shape: the combined shape of the operands.  An operand of extent 1 is not
// changed by a sum.
static bool reduce_last(struct reading *reading, uint32_t node, struct formula_shape *shape)
{
    const char *name = reading->ast.node.at[node].name;
    if (!axis_set_is_empty(shape->free))
        return READING_FAIL(reading, node, "%s of elements: say over which axis, as in %s[j](..)",
                            name, name);
    if (shape->rank == 0)
        return READING_FAIL(reading, node,
                            "%s of one argument reduces its last axis, and this has "
                            "no axis",
                            name);
    bool defined = reading->meaning.at[node].kind == MEANS_DEFINED;
    if (defined && (shape->kept & 1))
        return READING_FAIL(reading, node, "the last axis of the argument of %s has extent 1",
                            name);
    for (uint32_t i = 0; defined && i < reading->ast.node.at[node].n; i++) {
        const struct formula_shape *arg = reading_arg_shape(reading, node, i);
        if (!fdefine_is_along(reading->meaning.at[node].def, i) && arg->rank > 0 &&
            !(arg->kept & 1))
            return constant_argument(reading, node, i);
    }
    if (!defined || reading->meaning.at[node].def->reduces)
        shape->kept |= 1;
    return true;
}

// Does the argument depend on an axis that is written at the node?
static bool reaches(struct reading *reading, uint32_t node, uint32_t arg)
{
    const struct formula_shape *shape = reading_arg_shape(reading, node, arg);
    uint32_t at;
    if (axis_set_meet(shape->free, reading_axes_set(reading, node)))
        return true;
    for (uint32_t axis = 0; axis < reading->axis.len; axis++)
        if (axis_set_has(reading_axes_set(reading, node), axis) &&
            shape_position(reading, shape, axis, &at))
            return true;
    return false;
}

bool reading_reduce(struct reading *reading, uint32_t node, struct formula_shape *shape)
{
    const struct name_meaning *meaning = &reading->meaning.at[node];
    if (!reading_combine(reading, node, shape))
        return false;
    if (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 0)
        return true;
    if (reading->ast.node.at[node].axes_n == 0)
        return reduce_last(reading, node, shape);
    bool stays = meaning->kind == MEANS_DEFINED && !meaning->def->reduces;
    struct formula_shape gone = *shape;
    for (uint32_t i = 0; meaning->kind == MEANS_DEFINED && i < meaning->def->n_args; i++)
        if (!fdefine_is_along(meaning->def, i) && reaches(reading, node, i))
            return constant_argument(reading, node, i);
    if (shape_open(shape)) {
        if (!remove_axes(reading, node, &gone))
            return false;
    } else {
        gone.free = axis_set_without(gone.free, reading_axes_set(reading, node));
    }
    if (!stays)
        *shape = gone;
    return true;
}

// ---- matrices

bool reading_matmul(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    const struct formula_shape *shape = reading_arg_shape(reading, node, 0),
                               *b = reading_arg_shape(reading, node, 1);
    if (shape->rank < 2 || b->rank < 2)
        return READING_FAIL(reading, node,
                            "matmul takes matrices; of elements, write "
                            "sum[k] a[i, k]*b[k, j]");
    if (!reading_align(reading, node, 2, out))
        return false;
    bool one = shape->kept & 1, other = b->kept >> 1 & 1;
    if (one != other)
        return READING_FAIL(reading, node,
                            "the sizes cannot agree: the inner axis has "
                            "extent 1 on one side only");
    out->kept |= (b->kept & 1) | (shape->kept & 2);
    out->dim[0] = b->dim[0];
    out->dim[1] = shape->dim[1];
    return one || reading_unite(reading, node, shape->dim[0], b->dim[1]);
}

bool reading_tr(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    *out = *reading_arg_shape(reading, node, 0);
    if (out->rank < 2)
        return READING_FAIL(reading, node, "tr takes a matrix");
    uint32_t kept = out->kept, dim = out->dim[0];
    out->dim[0] = out->dim[1];
    out->dim[1] = dim;
    out->kept = (kept & ~3u) | (kept >> 1 & 1) | (kept & 1) << 1;
    return true;
}

static void add_cat(struct reading *reading, uint32_t node, uint32_t sum, uint32_t u, uint32_t v)
{
    struct rcat cat = {sum, u, v, node};
    vec_push(&reading->cat, cat);
}

// cat[a, b, c](u, v)
static bool infer_cat_axes(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    uint32_t axis[3];
    const struct ast_node *x = &reading->ast.node.at[node];
    struct axis_set free[2];
    for (uint32_t i = 0; i < 3; i++)
        (void)reading_axis(reading, reading->ast.axis.at[x->axes_at + i].name, &axis[i]);
    for (uint32_t i = 0; i < 2; i++) {
        free[i] = reading_arg_shape(reading, node, i)->free;
        if (!reading_name_positions(reading, node, reading_args(reading, node)[i], &free[i]))
            return false;
        if (axis_set_has(free[i], axis[0]))
            return READING_FAIL(reading, node, "axis %s is new, and an argument has it",
                                reading->axis.at[axis[0]].name);
        free[i] = axis_set_without(free[i], axis_set_of(axis[i + 1]));
    }
    out->free = axis_set_union(free[0], free[1]);
    axis_set_add(&out->free, axis[0]);
    add_cat(reading, node, reading->axis.at[axis[0]].dim, reading->axis.at[axis[1]].dim,
            reading->axis.at[axis[2]].dim);
    return true;
}

bool reading_cat(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    if (reading->ast.node.at[node].axes_n == 3)
        return infer_cat_axes(reading, node, out);
    const struct formula_shape *shape = reading_arg_shape(reading, node, 0),
                               *b = reading_arg_shape(reading, node, 1);
    if (!axis_set_is_empty(shape->free) || !axis_set_is_empty(b->free))
        return READING_FAIL(reading, node,
                            "cat of elements: write cat[a, b, c](u, v), along "
                            "a, over b of u and c of v");
    if (shape->rank == 0 || b->rank == 0 || (shape->kept & 1) || (b->kept & 1))
        return READING_FAIL(reading, node,
                            "cat joins last axes, and one has extent 1 or "
                            "there is none");
    if (!reading_align(reading, node, 1, out))
        return false;
    out->dim[0] = reading_new_dim(reading, NO_AXIS);
    add_cat(reading, node, out->dim[0], shape->dim[0], b->dim[0]);
    return true;
}

bool reading_settle_cats(struct reading *reading)
{
    uint32_t n = reading->cat.len;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++) {
                const struct rcat *cat = &reading->cat.at[i], *y = &reading->cat.at[k];
                if (reading_dim(reading, cat->first) == reading_dim(reading, y->first) &&
                    reading_dim(reading, cat->second) == reading_dim(reading, y->second) &&
                    reading_dim(reading, cat->sum) != reading_dim(reading, y->sum)) {
                    changed = true;
                    if (!reading_unite(reading, cat->node, cat->sum, y->sum))
                        return false;
                    if (reading_dim(reading, cat->sum) != reading_dim(reading, y->sum))
                        changed = false; // not united; the last round reports this
                }
            }
    }
    uint32_t *level = mem_alloc((reading->dim.len + 1) * sizeof *level);
    bool ok = true, rises = true;
    for (uint32_t round = 0; ok && rises; round++) {
        rises = false;
        for (uint32_t i = 0; ok && i < n; i++) {
            const struct rcat *x = &reading->cat.at[i];
            uint32_t u = level[reading_dim(reading, x->first)];
            uint32_t v = level[reading_dim(reading, x->second)];
            uint32_t *sum = &level[reading_dim(reading, x->sum)];
            if (*sum > u && *sum > v)
                continue;
            *sum = (u > v ? u : v) + 1;
            rises = true;
            if (round > n)
                ok = READING_FAIL(reading, x->node,
                                  "the sizes cannot agree: what is joined "
                                  "is longer than its parts");
        }
        if (round > n)
            break;
    }
    mem_free(level);
    return ok;
}
