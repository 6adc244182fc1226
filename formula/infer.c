// SPDX-License-Identifier: Apache-2.0
// Shapes and types.  Ranks of names that are not declared start at 0 and rise
// as uses demand: what a reduction takes has a last axis, what matmul takes has
// two, and what is combined with something that has a last axis shares it.
// Each round infers all shapes anew, arguments first, then passes demands down
// to the names; once no rank rises, the last round reports failures.
#include "formula/reading.h"

#include "formula/expand.h"

uint32_t reading_dim(const struct reading *r, uint32_t dim)
{
    while (r->dim.at[dim] != dim)
        dim = r->dim.at[dim];
    return dim;
}

static uint32_t new_dim(struct reading *r, uint32_t axis)
{
    uint32_t dim = r->dim.len;
    vec_push(&r->dim, dim);
    vec_push(&r->dim_axis, axis);
    return dim;
}

// Shapes that mean nothing stay what they are until ranks are known.
#define FAIL(r, node, ...)                                                     \
    ((r)->report ? reading_fail(r, node, __VA_ARGS__) : true)

// Both sizes are one.  Of two axes a declared one, else the older one names it.
static bool unite(struct reading *r, uint32_t node, uint32_t x, uint32_t y)
{
    uint32_t a = reading_dim(r, x), b = reading_dim(r, y);
    if (a == b)
        return true;
    uint32_t p = r->dim_axis.at[a], q = r->dim_axis.at[b];
    bool dp = p != NO_AXIS && r->axis.at[p].declared;
    bool dq = q != NO_AXIS && r->axis.at[q].declared;
    if (dp && dq)
        return FAIL(r, node,
                    "the sizes cannot agree: axes %s and %s are declared as "
                    "different ones",
                    r->axis.at[p].name, r->axis.at[q].name);
    uint32_t axis = q == NO_AXIS || dp || (!dq && p < q) ? p : q;
    uint32_t root = a < b ? a : b;
    r->dim.at[a < b ? b : a] = root;
    r->dim_axis.at[root] = axis;
    return true;
}

bool shape_open(const struct shape *s)
{
    return s->kept + 1 < 1u << s->rank;
}

bool shape_position(const struct reading *r, const struct shape *s,
                    uint32_t axis, uint32_t *out)
{
    uint32_t dim = reading_dim(r, r->axis.at[axis].dim);
    for (*out = 0; *out < s->rank; ++*out)
        if (!(s->kept >> *out & 1) && reading_dim(r, s->dim[*out]) == dim)
            return true;
    return false;
}

static const uint32_t *args_of(const struct reading *r, uint32_t node)
{
    return r->ast.arg.at + r->ast.node.at[node].at;
}

static const struct shape *arg_shape(const struct reading *r, uint32_t node,
                                     uint32_t i)
{
    return &r->shape.at[args_of(r, node)[i]];
}

// ---- elementwise

// The positions of an operand become the axes that their sizes are named by.
static bool name_positions(struct reading *r, uint32_t node, uint32_t arg,
                           uint64_t *free)
{
    const struct shape *s = &r->shape.at[arg];
    uint64_t seen = 0;
    for (uint32_t q = 0; q < s->rank; q++) {
        if (s->kept >> q & 1)
            continue;
        uint32_t axis = r->dim_axis.at[reading_dim(r, s->dim[q])];
        if (axis == NO_AXIS || (seen >> axis & 1)) {
            if (!r->report)
                continue;
            return reading_fail(r, arg,
                                "this stands beside elements, so its axes must "
                                "be named too: write x[..] for each name, or "
                                "declare it (operand of line %u, column %u)",
                                r->ast.node.at[node].line,
                                r->ast.node.at[node].col);
        }
        seen |= (uint64_t)1 << axis;
    }
    *free |= seen;
    return true;
}

// Positions of args from `from` on, aligned at the last one.
static bool align(struct reading *r, uint32_t node, uint32_t from,
                  struct shape *out)
{
    uint32_t n = r->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        if (arg_shape(r, node, i)->rank > out->rank)
            out->rank = arg_shape(r, node, i)->rank;
    for (uint32_t q = from; q < out->rank; q++) {
        bool kept = true;
        for (uint32_t i = 0; i < n; i++) {
            const struct shape *s = arg_shape(r, node, i);
            if (q >= s->rank || (s->kept >> q & 1))
                continue;
            if (kept)
                out->dim[q] = s->dim[q];
            else if (!unite(r, node, out->dim[q], s->dim[q]))
                return false;
            kept = false;
        }
        out->kept |= (uint32_t)kept << q;
    }
    return true;
}

// Positions, or free axes if an operand has some.
static bool combine(struct reading *r, uint32_t node, struct shape *out)
{
    uint32_t n = r->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        out->free |= arg_shape(r, node, i)->free;
    if (out->free == 0)
        return align(r, node, 0, out);
    for (uint32_t i = 0; i < n; i++)
        if (!name_positions(r, node, args_of(r, node)[i], &out->free))
            return false;
    return true;
}

static bool is_one_of(const char *op, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcmp(op, *list) == 0)
            return true;
    return false;
}

static bool check_type(struct reading *r, uint32_t node, uint32_t i,
                       bool boolean)
{
    if (arg_shape(r, node, i)->boolean == boolean)
        return true;
    return FAIL(r, args_of(r, node)[i], "%s",
                boolean ? "expected a condition (a comparison, and, or, not), "
                          "found a number"
                        : "expected a number, found a condition");
}

static bool infer_types(struct reading *r, uint32_t node, struct shape *out)
{
    static const char *const logic[] = {"and",       "or",         "not",
                                        "reduce_or", "reduce_and", NULL};
    static const char *const compare[] = {"lt", "le", "eq", "ne", NULL};
    const struct meaning *m = &r->meaning.at[node];
    const char *op =
        m->kind == MEANS_OP || m->kind == MEANS_REDUCE ? m->op : "";
    bool of_conditions = is_one_of(op, logic);
    bool select = strcmp(op, "select") == 0;
    const struct fdefine *d = m->kind == MEANS_DEFINED ? m->def : NULL;
    for (uint32_t i = 0; i < r->ast.node.at[node].n; i++)
        if (!check_type(r, node, i,
                        of_conditions || (select && i == 0) ||
                            (d != NULL && (d->truth >> i & 1))))
            return false;
    out->boolean =
        of_conditions || is_one_of(op, compare) || (d != NULL && d->is_truth);
    return true;
}

// ---- reductions

// `sum[j]` of what has positions: that of the axis goes.
static bool remove_axes(struct reading *r, uint32_t node, struct shape *s)
{
    const struct ast_node *x = &r->ast.node.at[node];
    for (uint32_t i = 0; i < x->axes_n; i++) {
        const char *name = r->ast.axis.at[x->axes_at + i].name;
        uint32_t axis, at, other;
        (void)reading_axis(r, name, &axis);
        if (!shape_position(r, s, axis, &at))
            return FAIL(r, node, "axis %s is not in the shape of the operand",
                        name);
        struct shape rest = *s;
        rest.kept |= 1u << at;
        if (shape_position(r, &rest, axis, &other))
            return FAIL(r, node,
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

static uint64_t axes_bits(const struct reading *r, uint32_t node)
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
    return FAIL(r, args_of(r, node)[arg],
                "argument %u of %s may not depend on the axis that it is over",
                arg + 1, name);
}

// *s: the operands combined.  Sums of what has extent 1 are the same.
static bool reduce_last(struct reading *r, uint32_t node, struct shape *s)
{
    const char *name = r->ast.node.at[node].name;
    if (s->free != 0)
        return FAIL(r, node,
                    "%s of elements: say over which axis, as in %s[j](..)",
                    name, name);
    if (s->rank == 0)
        return FAIL(r, node,
                    "%s of one argument reduces its last axis, and this has "
                    "no axis",
                    name);
    bool defined = r->meaning.at[node].kind == MEANS_DEFINED;
    if (defined && (s->kept & 1))
        return FAIL(r, node, "the last axis of the argument of %s has extent 1",
                    name);
    for (uint32_t i = 0; defined && i < r->ast.node.at[node].n; i++) {
        const struct shape *arg = arg_shape(r, node, i);
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
    const struct shape *s = arg_shape(r, node, arg);
    uint32_t at;
    if (s->free & axes_bits(r, node))
        return true;
    for (uint32_t axis = 0; axis < r->axis.len; axis++)
        if ((axes_bits(r, node) >> axis & 1) && shape_position(r, s, axis, &at))
            return true;
    return false;
}

static bool infer_reduce(struct reading *r, uint32_t node, struct shape *s)
{
    const struct meaning *m = &r->meaning.at[node];
    if (!combine(r, node, s))
        return false;
    if (m->kind == MEANS_DEFINED && m->def->n_axes == 0)
        return true;
    if (r->ast.node.at[node].axes_n == 0)
        return reduce_last(r, node, s);
    bool stays = m->kind == MEANS_DEFINED && !m->def->reduces;
    struct shape gone = *s;
    for (uint32_t i = 0; m->kind == MEANS_DEFINED && i < m->def->n_args; i++)
        if (!fdefine_is_along(m->def, i) && reaches(r, node, i))
            return constant_argument(r, node, i);
    if (shape_open(s)) {
        if (!remove_axes(r, node, &gone))
            return false;
    } else {
        gone.free &= ~axes_bits(r, node);
    }
    if (!stays)
        *s = gone;
    return true;
}

// ---- matrices

static bool infer_matmul(struct reading *r, uint32_t node, struct shape *out)
{
    const struct shape *a = arg_shape(r, node, 0), *b = arg_shape(r, node, 1);
    if (a->rank < 2 || b->rank < 2)
        return FAIL(r, node,
                    "matmul takes matrices; of elements, write "
                    "sum[k] a[i, k]*b[k, j]");
    if (!align(r, node, 2, out))
        return false;
    bool one = a->kept & 1, other = b->kept >> 1 & 1;
    if (one != other)
        return FAIL(r, node,
                    "the sizes cannot agree: the inner axis has "
                    "extent 1 on one side only");
    out->kept |= (b->kept & 1) | (a->kept & 2);
    out->dim[0] = b->dim[0];
    out->dim[1] = a->dim[1];
    return one || unite(r, node, a->dim[0], b->dim[1]);
}

static bool infer_tr(struct reading *r, uint32_t node, struct shape *out)
{
    *out = *arg_shape(r, node, 0);
    if (out->rank < 2)
        return FAIL(r, node, "tr takes a matrix");
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
static bool infer_cat_axes(struct reading *r, uint32_t node, struct shape *out)
{
    uint32_t axis[3];
    const struct ast_node *x = &r->ast.node.at[node];
    uint64_t free[2] = {0, 0};
    for (uint32_t i = 0; i < 3; i++)
        (void)reading_axis(r, r->ast.axis.at[x->axes_at + i].name, &axis[i]);
    for (uint32_t i = 0; i < 2; i++) {
        free[i] = arg_shape(r, node, i)->free;
        if (!name_positions(r, node, args_of(r, node)[i], &free[i]))
            return false;
        if (free[i] >> axis[0] & 1)
            return FAIL(r, node, "axis %s is new, and an argument has it",
                        r->axis.at[axis[0]].name);
        free[i] &= ~((uint64_t)1 << axis[i + 1]);
    }
    out->free = free[0] | free[1] | (uint64_t)1 << axis[0];
    add_cat(r, node, r->axis.at[axis[0]].dim, r->axis.at[axis[1]].dim,
            r->axis.at[axis[2]].dim);
    return true;
}

static bool infer_cat(struct reading *r, uint32_t node, struct shape *out)
{
    if (r->ast.node.at[node].axes_n == 3)
        return infer_cat_axes(r, node, out);
    const struct shape *a = arg_shape(r, node, 0), *b = arg_shape(r, node, 1);
    if (a->free != 0 || b->free != 0)
        return FAIL(r, node,
                    "cat of elements: write cat[a, b, c](u, v), along "
                    "a, over b of u and c of v");
    if (a->rank == 0 || b->rank == 0 || (a->kept & 1) || (b->kept & 1))
        return FAIL(r, node,
                    "cat joins last axes, and one has extent 1 or "
                    "there is none");
    if (!align(r, node, 1, out))
        return false;
    out->dim[0] = new_dim(r, NO_AXIS);
    add_cat(r, node, out->dim[0], a->dim[0], b->dim[0]);
    return true;
}

// The same sizes joined give one size; and no size has itself as a part, since
// every axis has an index.
static bool settle_cats(struct reading *r)
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
                    if (!unite(r, x->node, x->sum, y->sum))
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
                ok = FAIL(r, x->node,
                          "the sizes cannot agree: what is joined "
                          "is longer than its parts");
        }
        if (round > n)
            break;
    }
    mem_free(level);
    return ok;
}

// ---- rounds

static bool infer_element(struct reading *r, uint32_t node, struct shape *out)
{
    const struct ast_node *x = &r->ast.node.at[node];
    const struct rvariable *v = &r->variable.at[r->meaning.at[node].variable];
    out->free = axes_bits(r, node);
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis;
        if (reading_axis(r, r->ast.axis.at[x->axes_at + i].name, &axis) &&
            !unite(r, node, v->dim[x->axes_n - 1 - i], r->axis.at[axis].dim))
            return false;
    }
    return true;
}

static bool infer_node(struct reading *r, uint32_t node)
{
    const struct meaning *m = &r->meaning.at[node];
    struct shape s = {0};
    bool ok = true;
    switch (m->kind) {
    case MEANS_UNUSED:
        return true;
    case MEANS_NUMBER:
    case MEANS_LOG2E:
    case MEANS_EXTENT:
    case MEANS_SIZE:
        break;
    case MEANS_CONSTANT:
        s.boolean = strcmp(r->ast.node.at[node].name, "pi") != 0;
        break;
    case MEANS_VARIABLE: {
        const struct rvariable *v = &r->variable.at[m->variable];
        s.rank = v->rank;
        memcpy(s.dim, v->dim, sizeof s.dim);
        break;
    }
    case MEANS_ELEMENT:
        ok = infer_element(r, node, &s);
        break;
    case MEANS_LET:
        s = *arg_shape(r, node, 0);
        break;
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        ok = infer_types(r, node, &s) && combine(r, node, &s);
        break;
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        ok = infer_types(r, node, &s) && infer_reduce(r, node, &s);
        break;
    case MEANS_MATMUL:
        ok = infer_types(r, node, &s) && infer_matmul(r, node, &s);
        break;
    case MEANS_TR:
        ok = infer_types(r, node, &s) && infer_tr(r, node, &s);
        break;
    case MEANS_CAT:
        ok = infer_types(r, node, &s) && infer_cat(r, node, &s);
        break;
    }
    // What has free axes has no positions.
    if (s.free != 0)
        s.rank = s.kept = 0;
    r->shape.at[node] = s;
    return ok;
}

static bool infer_round(struct reading *r)
{
    r->dim.len = r->dim_axis.len = r->cat.len = 0;
    for (uint32_t i = 0; i < r->axis.len; i++)
        r->axis.at[i].dim = new_dim(r, i);
    for (uint32_t i = 0; i < r->variable.len; i++) {
        struct rvariable *v = &r->variable.at[i];
        for (uint32_t q = 0; q < v->rank; q++)
            v->dim[q] =
                v->declared ? r->axis.at[v->axis[q]].dim : new_dim(r, NO_AXIS);
    }
    for (uint32_t x = 0; x < r->ast.node.len; x++)
        if (!infer_node(r, x))
            return false;
    return settle_cats(r);
}

// How many positions, at the end, the arguments of the node should have.
static uint32_t demand_below(const struct reading *r, uint32_t node,
                             uint32_t demand)
{
    const struct meaning *m = &r->meaning.at[node];
    const struct shape *s = &r->shape.at[node];
    bool has_last = s->rank > 0 && !(s->kept & 1);
    // Beside extent 1, names stay scalars.
    if (s->rank > 0 && (s->kept & 1) && demand == 1)
        demand = 0;
    switch (m->kind) {
    case MEANS_LET:
        return demand;
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        return demand == 0 && has_last ? 1 : demand;
    case MEANS_CAT:
        return r->ast.node.at[node].axes_n == 0;
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        if (m->kind == MEANS_DEFINED && m->def->n_axes == 0)
            return demand == 0 && has_last ? 1 : demand;
        if (r->ast.node.at[node].axes_n > 0)
            return 0;
        return demand == 0 ? 1 : demand;
    case MEANS_MATMUL:
    case MEANS_TR:
        return 2;
    default:
        return 0;
    }
}

// Passes demands down; true: a rank rose.
static bool raise_ranks(struct reading *r)
{
    uint32_t n = r->ast.node.len, *demand = mem_alloc((n + 1) * sizeof *demand);
    bool rose = false;
    for (uint32_t x = n; x-- > 0;) {
        const struct meaning *m = &r->meaning.at[x];
        if (m->kind == MEANS_UNUSED)
            continue;
        uint32_t below = demand_below(r, x, demand[x]);
        // Beside elements, names that are not declared are scalars.
        for (uint32_t i = 0; below > 0 && i < r->ast.node.at[x].n; i++)
            if (arg_shape(r, x, i)->free != 0)
                below = 0;
        for (uint32_t i = 0; i < r->ast.node.at[x].n; i++) {
            uint32_t arg = args_of(r, x)[i];
            bool enough = below == 2 && r->shape.at[arg].rank >= 2;
            if (m->kind == MEANS_DEFINED && m->def->n_axes > 0 &&
                !fdefine_is_along(m->def, i))
                continue;
            if (!enough && demand[arg] < below)
                demand[arg] = below;
        }
        if (m->kind != MEANS_VARIABLE)
            continue;
        struct rvariable *v = &r->variable.at[m->variable];
        if (!v->fixed && v->rank < demand[x] && strcmp(v->name, "eps") != 0) {
            v->rank = demand[x];
            rose = true;
        }
    }
    mem_free(demand);
    return rose;
}

bool reading_infer(struct reading *r)
{
    uint32_t n = r->ast.node.len;
    vec_zero(&r->shape, n);
    r->shape.len = n;
    do
        (void)infer_round(r);
    while (raise_ranks(r));
    r->report = true;
    return infer_round(r);
}
