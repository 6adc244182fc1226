// SPDX-License-Identifier: Apache-2.0
// Shapes and types.  Ranks of names that are not declared start at 0 and rise
// as uses demand: what a reduction takes has a last axis, what matmul takes has
// two, and what is combined with something that has a last axis shares it.
// Each round infers all shapes anew, arguments first, then passes demands down
// to the names; once no rank rises, the last round reports failures.
#include "formula/rules/expand.h"
#include "formula/language/infer.h"

uint32_t reading_dim(const struct reading *r, uint32_t dim)
{
    while (r->dim.at[dim] != dim)
        dim = r->dim.at[dim];
    return dim;
}

uint32_t reading_new_dim(struct reading *r, uint32_t axis)
{
    uint32_t dim = r->dim.len;
    vec_push(&r->dim, dim);
    vec_push(&r->dim_axis, axis);
    return dim;
}

bool reading_unite(struct reading *r, uint32_t node, uint32_t x, uint32_t y)
{
    uint32_t a = reading_dim(r, x), b = reading_dim(r, y);
    if (a == b)
        return true;
    uint32_t p = r->dim_axis.at[a], q = r->dim_axis.at[b];
    bool dp = p != NO_AXIS && r->axis.at[p].declared;
    bool dq = q != NO_AXIS && r->axis.at[q].declared;
    if (dp && dq)
        return READING_FAIL(
            r, node,
            "the sizes cannot agree: axes %s and %s are declared as "
            "different ones",
            r->axis.at[p].name, r->axis.at[q].name);
    uint32_t axis = q == NO_AXIS || dp || (!dq && p < q) ? p : q;
    uint32_t root = a < b ? a : b;
    r->dim.at[a < b ? b : a] = root;
    r->dim_axis.at[root] = axis;
    return true;
}

bool shape_open(const struct formula_shape *s)
{
    return s->kept + 1 < 1u << s->rank;
}

bool shape_position(const struct reading *r, const struct formula_shape *s,
                    uint32_t axis, uint32_t *out)
{
    uint32_t dim = reading_dim(r, r->axis.at[axis].dim);
    for (*out = 0; *out < s->rank; ++*out)
        if (!(s->kept >> *out & 1) && reading_dim(r, s->dim[*out]) == dim)
            return true;
    return false;
}

// ---- elementwise

bool reading_name_positions(struct reading *r, uint32_t node, uint32_t arg,
                            uint64_t *free)
{
    const struct formula_shape *s = &r->shape.at[arg];
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

bool reading_align(struct reading *r, uint32_t node, uint32_t from,
                   struct formula_shape *out)
{
    uint32_t n = r->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        if (reading_arg_shape(r, node, i)->rank > out->rank)
            out->rank = reading_arg_shape(r, node, i)->rank;
    for (uint32_t q = from; q < out->rank; q++) {
        bool kept = true;
        for (uint32_t i = 0; i < n; i++) {
            const struct formula_shape *s = reading_arg_shape(r, node, i);
            if (q >= s->rank || (s->kept >> q & 1))
                continue;
            if (kept)
                out->dim[q] = s->dim[q];
            else if (!reading_unite(r, node, out->dim[q], s->dim[q]))
                return false;
            kept = false;
        }
        out->kept |= (uint32_t)kept << q;
    }
    return true;
}

bool reading_combine(struct reading *r, uint32_t node, struct formula_shape *out)
{
    uint32_t n = r->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        out->free |= reading_arg_shape(r, node, i)->free;
    if (out->free == 0)
        return reading_align(r, node, 0, out);
    for (uint32_t i = 0; i < n; i++)
        if (!reading_name_positions(r, node, reading_args(r, node)[i],
                                    &out->free))
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
    if (reading_arg_shape(r, node, i)->boolean == boolean)
        return true;
    return READING_FAIL(
        r, reading_args(r, node)[i], "%s",
        boolean ? "expected a condition (a comparison, and, or, not), "
                  "found a number"
                : "expected a number, found a condition");
}

static bool infer_types(struct reading *r, uint32_t node, struct formula_shape *out)
{
    static const char *const logic[] = {"and",       "or",         "not",
                                        "reduce_or", "reduce_and", NULL};
    static const char *const compare[] = {"lt", "le", "eq", "ne", NULL};
    const struct name_meaning *m = &r->meaning.at[node];
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

// ---- rounds

static bool infer_element(struct reading *r, uint32_t node, struct formula_shape *out)
{
    const struct ast_node *x = &r->ast.node.at[node];
    const struct rvariable *v = &r->variable.at[r->meaning.at[node].variable];
    out->free = reading_axes_bits(r, node);
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis;
        if (reading_axis(r, r->ast.axis.at[x->axes_at + i].name, &axis) &&
            !reading_unite(r, node, v->dim[x->axes_n - 1 - i],
                           r->axis.at[axis].dim))
            return false;
    }
    return true;
}

static bool infer_node(struct reading *r, uint32_t node)
{
    const struct name_meaning *m = &r->meaning.at[node];
    struct formula_shape s = {0};
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
        s = *reading_arg_shape(r, node, 0);
        break;
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        ok = infer_types(r, node, &s) && reading_combine(r, node, &s);
        break;
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        ok = infer_types(r, node, &s) && reading_reduce(r, node, &s);
        break;
    case MEANS_MATMUL:
        ok = infer_types(r, node, &s) && reading_matmul(r, node, &s);
        break;
    case MEANS_TR:
        ok = infer_types(r, node, &s) && reading_tr(r, node, &s);
        break;
    case MEANS_CAT:
        ok = infer_types(r, node, &s) && reading_cat(r, node, &s);
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
        r->axis.at[i].dim = reading_new_dim(r, i);
    for (uint32_t i = 0; i < r->variable.len; i++) {
        struct rvariable *v = &r->variable.at[i];
        for (uint32_t q = 0; q < v->rank; q++)
            v->dim[q] = v->declared ? r->axis.at[v->axis[q]].dim
                                    : reading_new_dim(r, NO_AXIS);
    }
    for (uint32_t x = 0; x < r->ast.node.len; x++)
        if (!infer_node(r, x))
            return false;
    return reading_settle_cats(r);
}

// How many positions, at the end, the arguments of the node should have.
static uint32_t demand_below(const struct reading *r, uint32_t node,
                             uint32_t demand)
{
    const struct name_meaning *m = &r->meaning.at[node];
    const struct formula_shape *s = &r->shape.at[node];
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
        const struct name_meaning *m = &r->meaning.at[x];
        if (m->kind == MEANS_UNUSED)
            continue;
        uint32_t below = demand_below(r, x, demand[x]);
        // Beside elements, names that are not declared are scalars.
        for (uint32_t i = 0; below > 0 && i < r->ast.node.at[x].n; i++)
            if (reading_arg_shape(r, x, i)->free != 0)
                below = 0;
        for (uint32_t i = 0; i < r->ast.node.at[x].n; i++) {
            uint32_t arg = reading_args(r, x)[i];
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
