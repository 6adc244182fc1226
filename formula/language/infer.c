// SPDX-License-Identifier: Apache-2.0
// Infers shapes and types.  Ranks of undeclared names start at 0 and rise as
// uses demand: the operand of a reduction has a last axis, operands of matmul
// have two, and an operand combined with one that has a last axis shares that
// axis.  Each round infers all shapes again, arguments first, then passes
// demands down to the names.  When no rank rises, a last round reports
// failures.
#include "formula/rules/expand.h"
#include "formula/language/infer.h"

uint32_t reading_dim(const struct reading *reading, uint32_t dim)
{
    while (reading->dim.at[dim] != dim)
        dim = reading->dim.at[dim];
    return dim;
}

uint32_t reading_new_dim(struct reading *reading, uint32_t axis)
{
    uint32_t dim = reading->dim.len;
    vec_push(&reading->dim, dim);
    vec_push(&reading->dim_axis, axis);
    return dim;
}

bool reading_unite(struct reading *reading, uint32_t node, uint32_t x, uint32_t y)
{
    uint32_t a = reading_dim(reading, x), b = reading_dim(reading, y);
    if (a == b)
        return true;
    uint32_t p = reading->dim_axis.at[a], q = reading->dim_axis.at[b];
    bool dp = p != NO_AXIS && reading->axis.at[p].declared;
    bool dq = q != NO_AXIS && reading->axis.at[q].declared;
    if (dp && dq)
        return READING_FAIL(reading, node,
                            "the sizes cannot agree: axes %s and %s are declared as "
                            "different ones",
                            reading->axis.at[p].name, reading->axis.at[q].name);
    uint32_t axis = q == NO_AXIS || dp || (!dq && p < q) ? p : q;
    uint32_t root = a < b ? a : b;
    reading->dim.at[a < b ? b : a] = root;
    reading->dim_axis.at[root] = axis;
    return true;
}

bool shape_open(const struct formula_shape *shape)
{
    return shape->kept + 1 < 1u << shape->rank;
}

bool shape_position(const struct reading *reading, const struct formula_shape *shape, uint32_t axis,
                    uint32_t *out)
{
    uint32_t dim = reading_dim(reading, reading->axis.at[axis].dim);
    for (*out = 0; *out < shape->rank; ++*out)
        if (!(shape->kept >> *out & 1) && reading_dim(reading, shape->dim[*out]) == dim)
            return true;
    return false;
}

// ---- elementwise

bool reading_name_positions(struct reading *reading, uint32_t node, uint32_t arg,
                            struct axis_set *free)
{
    const struct formula_shape *shape = &reading->shape.at[arg];
    struct axis_set seen = {{0}};
    for (uint32_t q = 0; q < shape->rank; q++) {
        if (shape->kept >> q & 1)
            continue;
        uint32_t axis = reading->dim_axis.at[reading_dim(reading, shape->dim[q])];
        if (axis == NO_AXIS || axis_set_has(seen, axis)) {
            if (!reading->report)
                continue;
            return reading_fail(reading, arg,
                                "this stands beside elements, so its axes must "
                                "be named too: write x[..] for each name, or "
                                "declare it (operand of line %u, column %u)",
                                reading->ast.node.at[node].line, reading->ast.node.at[node].col);
        }
        axis_set_add(&seen, axis);
    }
    *free = axis_set_union(*free, seen);
    return true;
}

bool reading_align(struct reading *reading, uint32_t node, uint32_t from, struct formula_shape *out)
{
    uint32_t n = reading->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        if (reading_arg_shape(reading, node, i)->rank > out->rank)
            out->rank = reading_arg_shape(reading, node, i)->rank;
    for (uint32_t q = from; q < out->rank; q++) {
        bool kept = true;
        for (uint32_t i = 0; i < n; i++) {
            const struct formula_shape *shape = reading_arg_shape(reading, node, i);
            if (q >= shape->rank || (shape->kept >> q & 1))
                continue;
            if (kept)
                out->dim[q] = shape->dim[q];
            else if (!reading_unite(reading, node, out->dim[q], shape->dim[q]))
                return false;
            kept = false;
        }
        out->kept |= (uint32_t)kept << q;
    }
    return true;
}

bool reading_combine(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    uint32_t n = reading->ast.node.at[node].n;
    for (uint32_t i = 0; i < n; i++)
        out->free = axis_set_union(out->free, reading_arg_shape(reading, node, i)->free);
    if (axis_set_is_empty(out->free))
        return reading_align(reading, node, 0, out);
    for (uint32_t i = 0; i < n; i++)
        if (!reading_name_positions(reading, node, reading_args(reading, node)[i], &out->free))
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

static bool check_type(struct reading *reading, uint32_t node, uint32_t i, bool boolean)
{
    if (reading_arg_shape(reading, node, i)->boolean == boolean)
        return true;
    return READING_FAIL(reading, reading_args(reading, node)[i], "%s",
                        boolean ? "expected a condition (a comparison, and, or, not), "
                                  "found a number"
                                : "expected a number, found a condition");
}

static bool infer_types(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    static const char *const logic[] = {"and", "or", "not", "reduce_or", "reduce_and", NULL};
    static const char *const compare[] = {"lt", "le", "eq", "ne", NULL};
    const struct name_meaning *meaning = &reading->meaning.at[node];
    const char *op = meaning->kind == MEANS_OP || meaning->kind == MEANS_REDUCE ? meaning->op : "";
    bool of_conditions = is_one_of(op, logic);
    bool select = strcmp(op, "select") == 0;
    const struct fdefine *define = meaning->kind == MEANS_DEFINED ? meaning->def : NULL;
    for (uint32_t i = 0; i < reading->ast.node.at[node].n; i++)
        if (!check_type(reading, node, i,
                        of_conditions || (select && i == 0) ||
                            (define != NULL && (define->truth >> i & 1))))
            return false;
    out->boolean = of_conditions || is_one_of(op, compare) || (define != NULL && define->is_truth);
    return true;
}

// ---- rounds

static bool infer_element(struct reading *reading, uint32_t node, struct formula_shape *out)
{
    const struct ast_node *x = &reading->ast.node.at[node];
    const struct rvariable *variable = &reading->variable.at[reading->meaning.at[node].variable];
    out->free = reading_axes_set(reading, node);
    for (uint32_t i = 0; i < x->axes_n; i++) {
        uint32_t axis;
        if (reading_axis(reading, reading->ast.axis.at[x->axes_at + i].name, &axis) &&
            !reading_unite(reading, node, variable->dim[x->axes_n - 1 - i],
                           reading->axis.at[axis].dim))
            return false;
    }
    return true;
}

static bool infer_node(struct reading *reading, uint32_t node)
{
    const struct name_meaning *meaning = &reading->meaning.at[node];
    struct formula_shape shape = {0};
    bool ok = true;
    switch (meaning->kind) {
    case MEANS_UNUSED:
        return true;
    case MEANS_NUMBER:
    case MEANS_LOG2E:
    case MEANS_EXTENT:
    case MEANS_SIZE:
        break;
    case MEANS_CONSTANT:
        shape.boolean = strcmp(reading->ast.node.at[node].name, "pi") != 0;
        break;
    case MEANS_VARIABLE: {
        const struct rvariable *variable = &reading->variable.at[meaning->variable];
        shape.rank = variable->rank;
        memcpy(shape.dim, variable->dim, sizeof shape.dim);
        break;
    }
    case MEANS_ELEMENT:
        ok = infer_element(reading, node, &shape);
        break;
    case MEANS_LET:
        shape = *reading_arg_shape(reading, node, 0);
        break;
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        ok = infer_types(reading, node, &shape) && reading_combine(reading, node, &shape);
        break;
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        ok = infer_types(reading, node, &shape) && reading_reduce(reading, node, &shape);
        break;
    case MEANS_MATMUL:
        ok = infer_types(reading, node, &shape) && reading_matmul(reading, node, &shape);
        break;
    case MEANS_TR:
        ok = infer_types(reading, node, &shape) && reading_tr(reading, node, &shape);
        break;
    case MEANS_CAT:
        ok = infer_types(reading, node, &shape) && reading_cat(reading, node, &shape);
        break;
    }
    // A node with free axes has no positions.
    if (!axis_set_is_empty(shape.free))
        shape.rank = shape.kept = 0;
    reading->shape.at[node] = shape;
    return ok;
}

static bool infer_round(struct reading *reading)
{
    reading->dim.len = reading->dim_axis.len = reading->cat.len = 0;
    for (uint32_t i = 0; i < reading->axis.len; i++)
        reading->axis.at[i].dim = reading_new_dim(reading, i);
    for (uint32_t i = 0; i < reading->variable.len; i++) {
        struct rvariable *variable = &reading->variable.at[i];
        for (uint32_t q = 0; q < variable->rank; q++)
            variable->dim[q] = variable->declared ? reading->axis.at[variable->axis[q]].dim
                                                  : reading_new_dim(reading, NO_AXIS);
    }
    for (uint32_t x = 0; x < reading->ast.node.len; x++)
        if (!infer_node(reading, x))
            return false;
    return reading_settle_cats(reading);
}

// The number of positions, counted from the last, that the arguments of the
// node should have.
static uint32_t demand_below(const struct reading *reading, uint32_t node, uint32_t demand)
{
    const struct name_meaning *meaning = &reading->meaning.at[node];
    const struct formula_shape *shape = &reading->shape.at[node];
    bool has_last = shape->rank > 0 && !(shape->kept & 1);
    // Beside an operand of extent 1, names stay scalars.
    if (shape->rank > 0 && (shape->kept & 1) && demand == 1)
        demand = 0;
    switch (meaning->kind) {
    case MEANS_LET:
        return demand;
    case MEANS_OP:
    case MEANS_EXP2:
    case MEANS_LOG2:
        return demand == 0 && has_last ? 1 : demand;
    case MEANS_CAT:
        return reading->ast.node.at[node].axes_n == 0;
    case MEANS_REDUCE:
    case MEANS_DEFINED:
        if (meaning->kind == MEANS_DEFINED && meaning->def->n_axes == 0)
            return demand == 0 && has_last ? 1 : demand;
        if (reading->ast.node.at[node].axes_n > 0)
            return 0;
        return demand == 0 ? 1 : demand;
    case MEANS_MATMUL:
    case MEANS_TR:
        return 2;
    default:
        return 0;
    }
}

// Passes demands down; returns true if a rank rose.
static bool raise_ranks(struct reading *reading)
{
    uint32_t n = reading->ast.node.len, *demand = mem_alloc((n + 1) * sizeof *demand);
    bool rose = false;
    for (uint32_t x = n; x-- > 0;) {
        const struct name_meaning *meaning = &reading->meaning.at[x];
        if (meaning->kind == MEANS_UNUSED)
            continue;
        uint32_t below = demand_below(reading, x, demand[x]);
        // Beside elements written with indices, undeclared names are scalars.
        for (uint32_t i = 0; below > 0 && i < reading->ast.node.at[x].n; i++)
            if (!axis_set_is_empty(reading_arg_shape(reading, x, i)->free))
                below = 0;
        for (uint32_t i = 0; i < reading->ast.node.at[x].n; i++) {
            uint32_t arg = reading_args(reading, x)[i];
            bool enough = below == 2 && reading->shape.at[arg].rank >= 2;
            if (meaning->kind == MEANS_DEFINED && meaning->def->n_axes > 0 &&
                !fdefine_is_along(meaning->def, i))
                continue;
            if (!enough && demand[arg] < below)
                demand[arg] = below;
        }
        if (meaning->kind != MEANS_VARIABLE)
            continue;
        struct rvariable *variable = &reading->variable.at[meaning->variable];
        if (!variable->fixed && variable->rank < demand[x] && strcmp(variable->name, "eps") != 0) {
            variable->rank = demand[x];
            rose = true;
        }
    }
    mem_free(demand);
    return rose;
}

bool reading_infer(struct reading *reading)
{
    uint32_t n = reading->ast.node.len;
    vec_zero(&reading->shape, n);
    reading->shape.len = n;
    do
        (void)infer_round(reading);
    while (raise_ranks(reading));
    reading_find_rows(reading);
    reading->report = true;
    return infer_round(reading);
}
