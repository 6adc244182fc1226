// SPDX-License-Identifier: Apache-2.0
// Shapes of what reduces, exchanges and joins axes.
#include "formula/language/infer.h"

// `sum[j]` of what has positions: that of the axis goes.
static bool remove_axes(struct reading *r, uint32_t node, struct formula_shape *s)
{
    const struct ast_node *x = &r->ast.node.at[node];
    for (uint32_t i = 0; i < x->axes_n; i++) {
        const char *name = r->ast.axis.at[x->axes_at + i].name;
        uint32_t axis, at, other;
        (void)reading_axis(r, name, &axis);
        if (!shape_position(r, s, axis, &at))
            return READING_FAIL(
                r, node, "axis %s is not in the shape of the operand", name);
        struct formula_shape rest = *s;
        rest.kept |= 1u << at;
        if (shape_position(r, &rest, axis, &other))
            return READING_FAIL(
                r, node,
                "two axes of the operand have the size of %s: write "
                "out the axes, as in x[%s, ..]",
                name, name);
        uint32_t low = (1u << at) - 1;
        s->kept = (s->kept & low) | (s->kept >> 1 & ~low);
        for (s->rank--; at < s->rank; at++)
            s->dim[at] = s->dim[at + 1];
    }
    return true;
}

uint64_t reading_axes_bits(const struct reading *r, uint32_t node)
{
    const struct ast_node *x = &r->ast.node.at[node];
    uint64_t bits = 0;
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis;
        if (reading_axis(r, r->ast.axis.at[x->axes_at + i].name, &axis))
            bits |= (uint64_t)1 << axis;
    }
    return bits;
}

static bool constant_argument(struct reading *r, uint32_t node, uint32_t arg)
{
    const char *name = r->ast.node.at[node].name;
    return READING_FAIL(
        r, reading_args(r, node)[arg],
        "argument %u of %s may not depend on the axis that it is over", arg + 1,
        name);
}

// *s: the operands combined.  Sums of what has extent 1 are the same.
static bool reduce_last(struct reading *r, uint32_t node, struct formula_shape *s)
{
    const char *name = r->ast.node.at[node].name;
    if (s->free != 0)
        return READING_FAIL(
            r, node, "%s of elements: say over which axis, as in %s[j](..)",
            name, name);
    if (s->rank == 0)
        return READING_FAIL(
            r, node,
            "%s of one argument reduces its last axis, and this has "
            "no axis",
            name);
    bool defined = r->meaning.at[node].kind == MEANS_DEFINED;
    if (defined && (s->kept & 1))
        return READING_FAIL(
            r, node, "the last axis of the argument of %s has extent 1", name);
    for (uint32_t i = 0; defined && i < r->ast.node.at[node].n; i++) {
        const struct formula_shape *arg = reading_arg_shape(r, node, i);
        if (!fdefine_is_along(r->meaning.at[node].def, i) && arg->rank > 0 &&
            !(arg->kept & 1))
            return constant_argument(r, node, i);
    }
    if (!defined || r->meaning.at[node].def->reduces)
        s->kept |= 1;
    return true;
}

// Does the argument depend on an axis that is written at the node?
static bool reaches(struct reading *r, uint32_t node, uint32_t arg)
{
    const struct formula_shape *s = reading_arg_shape(r, node, arg);
    uint32_t at;
    if (s->free & reading_axes_bits(r, node))
        return true;
    for (uint32_t axis = 0; axis < r->axis.len; axis++)
        if ((reading_axes_bits(r, node) >> axis & 1) &&
            shape_position(r, s, axis, &at))
            return true;
    return false;
}

bool reading_reduce(struct reading *r, uint32_t node, struct formula_shape *s)
{
    const struct name_meaning *m = &r->meaning.at[node];
    if (!reading_combine(r, node, s))
        return false;
    if (m->kind == MEANS_DEFINED && m->def->n_axes == 0)
        return true;
    if (r->ast.node.at[node].axes_n == 0)
        return reduce_last(r, node, s);
    bool stays = m->kind == MEANS_DEFINED && !m->def->reduces;
    struct formula_shape gone = *s;
    for (uint32_t i = 0; m->kind == MEANS_DEFINED && i < m->def->n_args; i++)
        if (!fdefine_is_along(m->def, i) && reaches(r, node, i))
            return constant_argument(r, node, i);
    if (shape_open(s)) {
        if (!remove_axes(r, node, &gone))
            return false;
    } else {
        gone.free &= ~reading_axes_bits(r, node);
    }
    if (!stays)
        *s = gone;
    return true;
}

// ---- matrices

bool reading_matmul(struct reading *r, uint32_t node, struct formula_shape *out)
{
    const struct formula_shape *a = reading_arg_shape(r, node, 0),
                       *b = reading_arg_shape(r, node, 1);
    if (a->rank < 2 || b->rank < 2)
        return READING_FAIL(r, node,
                            "matmul takes matrices; of elements, write "
                            "sum[k] a[i, k]*b[k, j]");
    if (!reading_align(r, node, 2, out))
        return false;
    bool one = a->kept & 1, other = b->kept >> 1 & 1;
    if (one != other)
        return READING_FAIL(r, node,
                            "the sizes cannot agree: the inner axis has "
                            "extent 1 on one side only");
    out->kept |= (b->kept & 1) | (a->kept & 2);
    out->dim[0] = b->dim[0];
    out->dim[1] = a->dim[1];
    return one || reading_unite(r, node, a->dim[0], b->dim[1]);
}

bool reading_tr(struct reading *r, uint32_t node, struct formula_shape *out)
{
    *out = *reading_arg_shape(r, node, 0);
    if (out->rank < 2)
        return READING_FAIL(r, node, "tr takes a matrix");
    uint32_t kept = out->kept, dim = out->dim[0];
    out->dim[0] = out->dim[1];
    out->dim[1] = dim;
    out->kept = (kept & ~3u) | (kept >> 1 & 1) | (kept & 1) << 1;
    return true;
}

static void add_cat(struct reading *r, uint32_t node, uint32_t sum, uint32_t u,
                    uint32_t v)
{
    struct rcat cat = {sum, u, v, node};
    vec_push(&r->cat, cat);
}

// cat[a, b, c](u, v)
static bool infer_cat_axes(struct reading *r, uint32_t node, struct formula_shape *out)
{
    uint32_t axis[3];
    const struct ast_node *x = &r->ast.node.at[node];
    uint64_t free[2] = {0, 0};
    for (uint32_t i = 0; i < 3; i++)
        (void)reading_axis(r, r->ast.axis.at[x->axes_at + i].name, &axis[i]);
    for (uint32_t i = 0; i < 2; i++) {
        free[i] = reading_arg_shape(r, node, i)->free;
        if (!reading_name_positions(r, node, reading_args(r, node)[i],
                                    &free[i]))
            return false;
        if (free[i] >> axis[0] & 1)
            return READING_FAIL(r, node,
                                "axis %s is new, and an argument has it",
                                r->axis.at[axis[0]].name);
        free[i] &= ~((uint64_t)1 << axis[i + 1]);
    }
    out->free = free[0] | free[1] | (uint64_t)1 << axis[0];
    add_cat(r, node, r->axis.at[axis[0]].dim, r->axis.at[axis[1]].dim,
            r->axis.at[axis[2]].dim);
    return true;
}

bool reading_cat(struct reading *r, uint32_t node, struct formula_shape *out)
{
    if (r->ast.node.at[node].axes_n == 3)
        return infer_cat_axes(r, node, out);
    const struct formula_shape *a = reading_arg_shape(r, node, 0),
                       *b = reading_arg_shape(r, node, 1);
    if (a->free != 0 || b->free != 0)
        return READING_FAIL(r, node,
                            "cat of elements: write cat[a, b, c](u, v), along "
                            "a, over b of u and c of v");
    if (a->rank == 0 || b->rank == 0 || (a->kept & 1) || (b->kept & 1))
        return READING_FAIL(r, node,
                            "cat joins last axes, and one has extent 1 or "
                            "there is none");
    if (!reading_align(r, node, 1, out))
        return false;
    out->dim[0] = reading_new_dim(r, NO_AXIS);
    add_cat(r, node, out->dim[0], a->dim[0], b->dim[0]);
    return true;
}

bool reading_settle_cats(struct reading *r)
{
    uint32_t n = r->cat.len;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < i; k++) {
                const struct rcat *x = &r->cat.at[i], *y = &r->cat.at[k];
                if (reading_dim(r, x->first) == reading_dim(r, y->first) &&
                    reading_dim(r, x->second) == reading_dim(r, y->second) &&
                    reading_dim(r, x->sum) != reading_dim(r, y->sum)) {
                    changed = true;
                    if (!reading_unite(r, x->node, x->sum, y->sum))
                        return false;
                    if (reading_dim(r, x->sum) != reading_dim(r, y->sum))
                        changed = false; // not united: reported later
                }
            }
    }
    uint32_t *level = mem_alloc((r->dim.len + 1) * sizeof *level);
    bool ok = true, rises = true;
    for (uint32_t round = 0; ok && rises; round++) {
        rises = false;
        for (uint32_t i = 0; ok && i < n; i++) {
            const struct rcat *x = &r->cat.at[i];
            uint32_t u = level[reading_dim(r, x->first)];
            uint32_t v = level[reading_dim(r, x->second)];
            uint32_t *sum = &level[reading_dim(r, x->sum)];
            if (*sum > u && *sum > v)
                continue;
            *sum = (u > v ? u : v) + 1;
            rises = true;
            if (round > n)
                ok = READING_FAIL(r, x->node,
                                  "the sizes cannot agree: what is joined "
                                  "is longer than its parts");
        }
        if (round > n)
            break;
    }
    mem_free(level);
    return ok;
}
