// SPDX-License-Identifier: Apache-2.0
#include "rules/instance/instance.h"

#include "rules/conditions.h"

struct ground_run {
    const struct rule *rule;
    struct instance *in;
    struct terms *terms;
    struct rng *shuffle;
    bool *undefined; // per map: a `let` that divides by zero on some axis
    struct err *err;
};

// The reason why instance_iexp failed: a division by zero (the value is undefined),
// else an overflow.
static bool divides_by_zero(const struct instance *in, const struct iexp *expr, uint32_t cls,
                            uint32_t place)
{
    int64_t v;
    if (expr->op == IE_CONST || expr->op == IE_MAP)
        return false;
    bool divides = expr->op == IE_DIV || expr->op == IE_MOD || expr->op == IE_CDIV;
    if (divides && instance_iexp(in, expr->b, cls, place, &v) && v == 0)
        return true;
    return divides_by_zero(in, expr->a, cls, place) ||
           (expr->b != NULL && divides_by_zero(in, expr->b, cls, place));
}

static bool is_undefined(void *context, const struct iexp *leaf)
{
    const struct ground_run *run = context;
    return leaf->op == IE_MAP && run->undefined[leaf->map];
}

static bool uses_undefined(struct ground_run *run, const struct iexp *expr)
{
    return iexp_any(expr, is_undefined, run);
}

static bool pat_undefined(struct ground_run *run, uint32_t i)
{
    const struct pat *pattern = &run->rule->pats[i];
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        for (uint32_t j = 0; j < N_ATTRS; j++)
            if (uses_undefined(run, pattern->attrs[k].expr[j]))
                return true;
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        if (uses_undefined(run, pattern->sizes[k].size))
            return true;
    if (uses_undefined(run, pattern->value) || uses_undefined(run, pattern->feature_groups) ||
        uses_undefined(run, pattern->batch_groups))
        return true;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (pat_undefined(run, pattern->args[k]))
            return true;
    return false;
}

static bool axis_divides(const struct instance *in, const struct iexp *expr, uint32_t cls)
{
    for (uint32_t i = 0; expr != NULL && i < in->rank[cls]; i++)
        if (divides_by_zero(in, expr, cls, i))
            return true;
    return false;
}

// Does an attribute or a size of the pattern divide by zero?
static bool pat_divides(const struct ground_run *run, uint32_t i)
{
    const struct pat *pattern = &run->rule->pats[i];
    const struct iexp *whole[] = {pattern->value, pattern->feature_groups, pattern->batch_groups};
    for (uint32_t k = 0; k < pattern->n_attrs; k++)
        for (uint32_t j = 0; j < N_ATTRS; j++)
            if (axis_divides(run->in, pattern->attrs[k].expr[j], pattern->attrs[k].cls))
                return true;
    for (uint32_t k = 0; k < pattern->n_sizes; k++)
        if (axis_divides(run->in, pattern->sizes[k].size, pattern->sizes[k].cls))
            return true;
    for (uint32_t k = 0; k < sizeof whole / sizeof *whole; k++)
        if (whole[k] != NULL && divides_by_zero(run->in, whole[k], NONE, 0))
            return true;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (pat_divides(run, pattern->args[k]))
            return true;
    return false;
}

// Fails if a value overflows.  A division by zero only marks the map: a side that uses
// the map is then undefined.
static bool compute_lets(struct ground_run *run)
{
    struct instance *in = run->in;
    for (uint32_t m = 0; m < run->rule->n_maps; m++) {
        const struct map *def = &run->rule->maps[m];
        if (def->def == NULL || def->index)
            continue;
        run->undefined[m] = uses_undefined(run, def->def);
        for (uint32_t i = 0; !run->undefined[m] && i < in->rank[def->cls]; i++) {
            if (instance_iexp(in, def->def, def->cls, i, &in->map[m][i]))
                continue;
            if (!divides_by_zero(in, def->def, def->cls, i))
                return err_set(run->err, ERR_LIMIT, "%s overflows", def->name);
            run->undefined[m] = true;
        }
    }
    return true;
}

static struct order ground_order(struct ground_run *run, uint32_t n, const struct axis_size *sizes)
{
    struct order order = instance_axes(run->in, n, sizes);
    for (uint32_t i = order.n; run->shuffle != NULL && i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(run->shuffle, i), swap = order.axis[i - 1];
        order.axis[i - 1] = order.axis[k];
        order.axis[k] = swap;
    }
    return order;
}

static bool parameter(struct ground_run *run, uint32_t index, enum elem elem, uint32_t rank,
                      const int64_t *dims, term_id *out)
{
    int64_t attr[2] = {0, (int64_t)index};
    type_id type;
    return type_tensor(run->terms->pool, elem, rank, dims, &type, run->err) &&
           term_build(
               run->terms,
               (struct operation){OP_PARAMETER, attr_make(run->terms->pool, 2, attr), type, 0},
               NULL, out, run->err);
}

static bool make_indices(struct ground_run *run)
{
    struct instance *in = run->in;
    for (uint32_t m = 0; m < run->rule->n_maps; m++) {
        for (uint32_t i = 0; in->index[m] != NULL && i < in->rank[run->rule->maps[m].cls]; i++) {
            type_id type;
            int64_t k = in->map[m][i];
            if (!elem_has_int(in->index_elem, k))
                return err_set(run->err, ERR_LIMIT, "%s is no value of %s", run->rule->maps[m].name,
                               elem_text(in->index_elem));
            if (!type_tensor(run->terms->pool, in->index_elem, 0, NULL, &type, run->err))
                return false;
            in->index[m][i] = term_constant(
                run->terms,
                literal_splat(run->terms->pool, in->index_elem, scalar_of_int(in->index_elem, k)),
                type);
        }
    }
    return instance_index_fits(in, run->err);
}

static bool make_operands(struct ground_run *run)
{
    struct instance *in = run->in;
    for (uint32_t i = 0; i < run->rule->n_tensors; i++) {
        const struct tensor_var *tensor = &run->rule->tensors[i];
        struct order order = ground_order(run, tensor->n_sizes, tensor->sizes);
        int64_t dims[TENSOR_MAX_RANK];
        if (order.n > TENSOR_MAX_RANK)
            return err_set(run->err, ERR_LIMIT, "rank %u is over %d", order.n, TENSOR_MAX_RANK);
        for (uint32_t k = 0; k < order.n; k++)
            if (!instance_size(in, tensor->n_sizes, tensor->sizes, order.axis[k], &dims[k]) ||
                dims[k] < 0)
                return err_set(run->err, ERR_INPUT, "%s has no such size", tensor->name);
        for (uint32_t k = 0; k < tensor->n_sizes; k++)
            if (uses_undefined(run, tensor->sizes[k].size))
                return err_set(run->err, ERR_INPUT, "a size of %s is undefined", tensor->name);
        in->order[i] = order;
        if (!parameter(run, i, in->elem[tensor->type], order.n, dims, &in->tensor[i]))
            return false;
    }
    for (uint32_t i = 0; i < run->rule->n_scalars; i++)
        if (!parameter(run, run->rule->n_tensors + i, in->elem[run->rule->scalars[i].type], 0, NULL,
                       &in->scalar[i]))
            return false;
    return true;
}

static bool preconditions(struct ground_run *run, term_id *elem_cond)
{
    struct builder builder = builder_plain(run->terms);
    uint32_t which = 0;
    for (uint32_t w = 0; w < run->rule->n_wheres; w++)
        if (cond_any(run->rule->wheres[w].cond, is_undefined, run))
            return false;
    if (!instance_where(run->in, &which))
        return false;
    for (uint32_t w = 0; w < run->rule->n_wheres; w++) {
        const struct where *wh = &run->rule->wheres[w];
        term_id cond = NO_TERM;
        if (wh->cond == NULL) {
            const struct pat *pattern = &run->rule->pats[wh->pat];
            struct order order = ground_order(run, pattern->n_sizes, pattern->sizes);
            instance_orient(run->in, wh->pat, &order);
            if (pat_undefined(run, wh->pat) ||
                !instance_build_as(run->in, wh->pat, &order, &builder, &cond, run->err))
                return false;
        }
        if (elem_cond != NULL)
            elem_cond[w] = cond;
    }
    return true;
}

static enum ground_status ground_sides(struct ground_run *run, term_id *lhs, term_id *rhs)
{
    struct builder builder = builder_plain(run->terms);
    const struct rule *rule = run->rule;
    struct instance *in = run->in;
    const struct pat *pattern = &rule->pats[rule->lhs];
    struct order wanted = ground_order(run, pattern->n_sizes, pattern->sizes);
    if (run->shuffle != NULL)
        instance_shuffle(in, rule->lhs, &wanted, run->shuffle);
    else
        instance_orient(in, rule->lhs, &wanted);
    if (pat_undefined(run, rule->lhs))
        return GROUND_LHS_INVALID;
    if (!instance_build(in, rule->lhs, &builder, lhs, run->err))
        return run->err->kind == ERR_LIMIT ? GROUND_PRE_FALSE : GROUND_LHS_INVALID;
    instance_orient(in, rule->rhs, &in->pat[rule->lhs].out);
    bool undefined = pat_undefined(run, rule->rhs);
    if (!undefined &&
        !instance_build_as(in, rule->rhs, &in->pat[rule->lhs].out, &builder, rhs, run->err)) {
        if (run->err->kind != ERR_LIMIT)
            return GROUND_RHS_INVALID;
        undefined = pat_divides(run, rule->rhs);
        if (!undefined)
            return GROUND_PRE_FALSE;
    }
    if (undefined) {
        *run->err = (struct err){0};
        err_set(run->err, ERR_INPUT, "a value divides by zero");
        return GROUND_RHS_INVALID;
    }
    bool same = term_type(run->terms, *lhs).v == term_type(run->terms, *rhs).v;
    return same ? GROUND_OK : GROUND_TYPE_DIFFERS;
}

static bool ranks_hold(const struct rule *rule, const uint32_t *rank)
{
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rank[c] < rule->classes[c].least_rank || rank[c] > TENSOR_MAX_RANK ||
            (rule->classes[c].single && rank[c] != 1) || rank[c] != rank[rule->classes[c].like])
            return false;
    return true;
}

enum ground_status rule_ground(const struct rule *rule, const struct ground *ground,
                               struct ground_place place, struct ground_out out, struct err *err)
{
    *out.lhs = *out.rhs = NO_TERM;
    if (out.inst != NULL)
        *out.inst = NULL;
    if (!ranks_hold(rule, ground->rank))
        return GROUND_PRE_FALSE;
    struct instance *in = instance_new(rule, ground->rank, place.mem);
    struct err own = {0};
    struct ground_run run = {rule, in, place.terms, place.shuffle, NULL, err != NULL ? err : &own};
    run.undefined = ARENA_NEW(place.mem, bool, rule->n_maps);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; rule->maps[m].def == NULL && i < ground->rank[rule->maps[m].cls]; i++)
            in->map[m][i] = ground->map[m][i];
    for (uint32_t i = 0; i < rule->n_types; i++)
        in->elem[i] = ground->elem[i];
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        in->op[i] = ground->op[i];
    if (ground->index_elem != ELEM_OTHER)
        in->index_elem = ground->index_elem;
    if (out.inst != NULL)
        *out.inst = in;
    if (!instance_wider(in, run.err) || !compute_lets(&run) || !make_operands(&run) ||
        !make_indices(&run) || !preconditions(&run, out.elem_cond))
        return GROUND_PRE_FALSE;
    return ground_sides(&run, out.lhs, out.rhs);
}
