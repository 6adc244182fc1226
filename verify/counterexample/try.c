// SPDX-License-Identifier: Apache-2.0
// One candidate: both sides built by rule_ground, evaluated by the interpreter
// and compared.
#include "tensor/eval/eval.h"
#include "verify/counterexample/parts.h"
#include "verify/limits.h"
#include <math.h>

struct cex_case *cex_case_new(const struct rule *rule, struct arena *mem)
{
    struct cex_case *candidate = ARENA_NEW(mem, struct cex_case, 1);
    candidate->index_elem = ELEM_I32;
    candidate->rank = ARENA_NEW(mem, uint32_t, rule->n_classes);
    candidate->map = ARENA_NEW(mem, int64_t *, rule->n_maps);
    candidate->elem = ARENA_NEW(mem, enum elem, rule->n_types);
    candidate->op = ARENA_NEW(mem, struct cex_op, rule->n_opvars);
    candidate->param = ARENA_NEW(mem, struct cex_values, rule->n_tensors + rule->n_scalars);
    return candidate;
}

void cex_case_maps(const struct rule *rule, struct cex_case *candidate, struct arena *mem)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        candidate->map[m] = ARENA_NEW(mem, int64_t, candidate->rank[rule->maps[m].cls]);
}

struct cex_case *cex_case_copy(const struct rule *rule, const struct cex_case *candidate,
                               struct arena *mem)
{
    struct cex_case *n = cex_case_new(rule, mem);
    n->domain = candidate->domain;
    n->approximate = candidate->approximate;
    n->index_elem = candidate->index_elem;
    for (uint32_t i = 0; i < rule->n_classes; i++)
        n->rank[i] = candidate->rank[i];
    cex_case_maps(rule, n, mem);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < candidate->rank[rule->maps[m].cls]; i++)
            n->map[m][i] = candidate->map[m][i];
    for (uint32_t i = 0; i < rule->n_types; i++)
        n->elem[i] = candidate->elem[i];
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        n->op[i] = candidate->op[i];
    for (uint32_t i = 0; i < rule->n_tensors + rule->n_scalars; i++) {
        n->param[i].count = candidate->param[i].count;
        n->param[i].at = ARENA_NEW(mem, struct scalar, candidate->param[i].count);
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            n->param[i].at[k] = candidate->param[i].at[k];
    }
    return n;
}

void cex_evaluator_init(struct cex_evaluator *cex_evaluator, const struct rule *rule)
{
    *cex_evaluator =
        (struct cex_evaluator){.rule = rule, .n_params = rule->n_tensors + rule->n_scalars};
    pool_init(&cex_evaluator->pool);
    terms_init(&cex_evaluator->terms, &cex_evaluator->pool);
    cex_evaluator->unread.kind = ERR_CHECK;
}

void cex_evaluator_release(struct cex_evaluator *cex_evaluator)
{
    eval_plan_release(&cex_evaluator->conditions);
    eval_plan_release(&cex_evaluator->sides);
    terms_release(&cex_evaluator->terms);
    pool_release(&cex_evaluator->pool);
    arena_release(&cex_evaluator->mem);
}

static void evaluator_renew(struct cex_evaluator *cex_evaluator)
{
    if (++cex_evaluator->grounds % VERIFY_CEX_POOL_GROUNDS == 0) {
        terms_release(&cex_evaluator->terms);
        pool_release(&cex_evaluator->pool);
        pool_init(&cex_evaluator->pool);
        terms_init(&cex_evaluator->terms, &cex_evaluator->pool);
    }
    arena_reset(&cex_evaluator->mem, (struct arena_mark){0});
}

// Types of the parameters and room for their elements.
static bool make_params(struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                        struct arena *mem)
{
    const struct rule *rule = cex_evaluator->rule;
    cex_evaluator->types = ARENA_NEW(&cex_evaluator->mem, type_id, cex_evaluator->n_params);
    cex_evaluator->values = ARENA_NEW(&cex_evaluator->mem, struct value, cex_evaluator->n_params);
    for (uint32_t i = 0; i < cex_evaluator->n_params; i++) {
        term_id term = i < rule->n_tensors ? cex_evaluator->inst->tensor[i]
                                           : cex_evaluator->inst->scalar[i - rule->n_tensors];
        if (term.v == NO_TERM.v)
            return false;
        cex_evaluator->types[i] = term_type(&cex_evaluator->terms, term);
        uint64_t count = (uint64_t)type_count(&cex_evaluator->pool, cex_evaluator->types[i]);
        if (count > VERIFY_CEX_ELEMENTS)
            return false;
        enum elem elem = type_elem(&cex_evaluator->pool, cex_evaluator->types[i]);
        cex_evaluator->values[i].type = cex_evaluator->types[i];
        cex_evaluator->values[i].data =
            arena_alloc(&cex_evaluator->mem, (size_t)count * elem_bytes(elem) + 1);
        if (candidate->param[i].count == count && candidate->param[i].at != NULL)
            continue;
        candidate->param[i].count = count;
        candidate->param[i].at = ARENA_NEW(mem, struct scalar, count + 1);
    }
    return true;
}

static enum cex_lack lack_of(const struct cex_evaluator *evaluator)
{
    const struct pool *pool = &evaluator->pool;
    if (type_count(pool, term_type(&evaluator->terms, evaluator->lhs)) == 0)
        return CEX_LACKS_RESULT;
    for (uint32_t i = 0; i < evaluator->n_params; i++)
        if (type_count(pool, evaluator->types[i]) == 0)
            return CEX_LACKS_OPERANDS;
    return CEX_LACKS_NOTHING;
}

// Are all intermediate tensors small, too?  Sets the cost of one evaluation.
static bool small_enough(struct cex_evaluator *evaluator)
{
    const struct eval_plan *sides = &evaluator->sides;
    int64_t all = 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < sides->node.len; i++) {
        int64_t count =
            type_count(&evaluator->pool, term_type(&evaluator->terms, sides->node.at[i]));
        ok = count <= VERIFY_CEX_INNER_ELEMENTS;
        all += count;
    }
    evaluator->cost = 1 + (uint32_t)(ok ? all : 0) / VERIFY_CEX_STEP_ELEMENTS;
    return ok;
}

static void plan_sides(struct cex_evaluator *evaluator)
{
    term_id roots[2] = {evaluator->lhs, evaluator->rhs};
    eval_plan_begin(&evaluator->sides, &evaluator->terms);
    if (evaluator->status != GROUND_RHS_INVALID)
        eval_plan_add(&evaluator->sides, 2, roots);
}

static void plan_conditions(struct cex_evaluator *evaluator)
{
    const struct rule *rule = evaluator->rule;
    evaluator->cond_end = ARENA_NEW(&evaluator->mem, uint32_t, rule->n_wheres);
    eval_plan_begin(&evaluator->conditions, &evaluator->terms);
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond == NULL && evaluator->cond[w].v != NO_TERM.v)
            evaluator->cond_end[w] = eval_plan_add(&evaluator->conditions, 1, &evaluator->cond[w]);
}

bool cex_evaluator_ground(struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                          struct arena *mem)
{
    const struct rule *rule = cex_evaluator->rule;
    evaluator_renew(cex_evaluator);
    struct op_binding *op = ARENA_NEW(&cex_evaluator->mem, struct op_binding, rule->n_opvars);
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        op[i] = (struct op_binding){candidate->op[i].op,
                                    cex_op_attr(&cex_evaluator->pool, &candidate->op[i])};
    struct ground ground = {candidate->rank, candidate->map, candidate->elem, op,
                            candidate->index_elem};
    cex_evaluator->cond = ARENA_NEW(&cex_evaluator->mem, term_id, rule->n_wheres);
    cex_evaluator->why = (struct err){0};
    cex_evaluator->cost = 1;
    cex_evaluator->status = rule_ground(
        rule, &ground, (struct ground_place){&cex_evaluator->terms, NULL, &cex_evaluator->mem},
        (struct ground_out){&cex_evaluator->inst, &cex_evaluator->lhs, &cex_evaluator->rhs,
                            cex_evaluator->cond},
        &cex_evaluator->why);
    if (cex_evaluator->status == GROUND_PRE_FALSE || cex_evaluator->status == GROUND_LHS_INVALID)
        return false;
    plan_sides(cex_evaluator);
    if (!small_enough(cex_evaluator))
        return false;
    plan_conditions(cex_evaluator);
    cex_evaluator->in_order =
        cex_evaluator->status == GROUND_OK && cex_in_order(cex_evaluator->inst);
    if (!make_params(cex_evaluator, candidate, mem))
        return false;
    cex_evaluator->lack = lack_of(cex_evaluator);
    return true;
}

static bool all_true(const struct cex_evaluator *cex_evaluator, const struct value *value)
{
    const unsigned char *data = value->data;
    int64_t n = type_count(&cex_evaluator->pool, value->type);
    for (int64_t i = 0; i < n; i++)
        if (data[i] == 0)
            return false;
    return true;
}

static struct eval_input input_of(struct cex_evaluator *evaluator)
{
    return (struct eval_input){&evaluator->terms, evaluator->n_params, evaluator->values,
                               &evaluator->mem};
}

// Are the element conditions true everywhere?
static bool conditions_hold(struct cex_evaluator *cex_evaluator)
{
    struct eval_plan *plan = &cex_evaluator->conditions;
    struct eval_input input = input_of(cex_evaluator);
    eval_plan_restart(plan);
    for (uint32_t w = 0; w < cex_evaluator->rule->n_wheres; w++) {
        term_id cond = cex_evaluator->cond[w];
        if (cex_evaluator->rule->wheres[w].cond != NULL)
            continue;
        if (cond.v == NO_TERM.v ||
            !eval_plan_run(plan, &input, cex_evaluator->cond_end[w], &cex_evaluator->unread) ||
            !all_true(cex_evaluator, &plan->value.at[eval_plan_place(plan, cond)]))
            return false;
    }
    return true;
}

// The plan of conditions runs in their order, so every parameter needs elements.
static void spread(struct cex_evaluator *evaluator, uint32_t param, struct scalar scalar)
{
    for (uint32_t i = 0; i < evaluator->n_params; i++) {
        enum elem elem = type_elem(&evaluator->pool, evaluator->types[i]);
        uint64_t n = (uint64_t)type_count(&evaluator->pool, evaluator->types[i]);
        for (uint64_t k = 0; k < n; k++)
            scalar_store(elem, evaluator->values[i].data, k,
                         i == param ? scalar : scalar_of_int(elem, 0));
    }
}

bool cex_allows_alone(struct cex_evaluator *evaluator, uint32_t param, struct scalar scalar)
{
    struct arena_mark mark = arena_mark(&evaluator->mem);
    struct eval_plan *plan = &evaluator->conditions;
    struct eval_input input = input_of(evaluator);
    bool allows = true;
    spread(evaluator, param, scalar);
    eval_plan_restart(plan);
    for (uint32_t w = 0; allows && w < evaluator->rule->n_wheres; w++) {
        term_id cond = evaluator->cond[w];
        if (cond.v == NO_TERM.v || !cex_is_alone(evaluator->rule, w, param))
            continue;
        if (!eval_plan_run(plan, &input, evaluator->cond_end[w], &evaluator->unread))
            break;
        allows = all_true(evaluator, &plan->value.at[eval_plan_place(plan, cond)]);
    }
    arena_reset(&evaluator->mem, mark);
    return allows;
}

static void describe_types(const struct cex_evaluator *cex_evaluator, struct cex_outcome *outcome)
{
    struct buf buf = {0};
    type_print(&cex_evaluator->pool, term_type(&cex_evaluator->terms, cex_evaluator->lhs), &buf);
    snprintf(outcome->text_lhs, sizeof outcome->text_lhs, "%s", buf_text(&buf));
    buf_clear(&buf);
    if (cex_evaluator->status == GROUND_TYPE_DIFFERS) {
        type_print(&cex_evaluator->pool, term_type(&cex_evaluator->terms, cex_evaluator->rhs),
                   &buf);
        snprintf(outcome->text_rhs, sizeof outcome->text_rhs, "%s", buf_text(&buf));
    } else {
        snprintf(outcome->text_rhs, sizeof outcome->text_rhs, "not well-defined: %.120s",
                 cex_evaluator->why.msg);
    }
    buf_release(&buf);
}

static void describe_element(const struct cex_evaluator *cex_evaluator, const struct value *value,
                             struct cex_outcome *outcome)
{
    type_id type = value[0].type;
    size_t at = (size_t)outcome->index;
    outcome->elem = type_elem(&cex_evaluator->pool, type);
    outcome->rank = type_rank(&cex_evaluator->pool, type);
    for (uint32_t i = 0; i < outcome->rank; i++)
        outcome->dims[i] = type_dims(&cex_evaluator->pool, type)[i];
    outcome->lhs = scalar_load(outcome->elem, value[0].data, at);
    outcome->rhs = scalar_load(outcome->elem, value[1].data, at);
}

static bool finite(enum elem elem, struct scalar scalar)
{
    return elem_kind(elem) != KIND_FLOAT || isfinite(scalar_to_double(elem, scalar));
}

static bool not_negative(enum elem elem, struct scalar scalar)
{
    return elem != ELEM_INT || scalar.num >= 0;
}

// The nodes of the sides that are operands, other than initial values that reductions start with:
// no element is one of those.
static bool *mark_operands(struct cex_evaluator *evaluator)
{
    const struct eval_plan *sides = &evaluator->sides;
    bool *used = ARENA_NEW(&evaluator->mem, bool, sides->node.len);
    used[eval_plan_place(sides, evaluator->lhs)] = true;
    used[eval_plan_place(sides, evaluator->rhs)] = true;
    for (uint32_t i = 0; i < sides->node.len; i++) {
        term_id id = sides->node.at[i];
        enum op op = term_op(&evaluator->terms, id);
        bool reduces = op == OP_REDUCE || op == OP_REDUCE_WINDOW;
        for (uint32_t k = 0; k < term_at(&evaluator->terms, id)->n_args; k++)
            if (!reduces || k != 1)
                used[eval_plan_place(sides, term_args(&evaluator->terms, id)[k])] = true;
    }
    return used;
}

// Is the property true of every element of every node, whose values the sides have?
static bool throughout(struct cex_evaluator *evaluator,
                       bool (*property)(enum elem elem, struct scalar scalar))
{
    const struct eval_plan *sides = &evaluator->sides;
    const bool *used = mark_operands(evaluator);
    for (uint32_t i = 0; i < sides->node.len; i++) {
        const struct value *value = &sides->value.at[i];
        enum elem elem = type_elem(&evaluator->pool, value->type);
        int64_t n = type_count(&evaluator->pool, value->type);
        if (!used[i] && term_op(&evaluator->terms, sides->node.at[i]) == OP_CONSTANT)
            continue;
        for (int64_t k = 0; k < n; k++)
            if (!property(elem, scalar_load(elem, value->data, (size_t)k)))
                return false;
    }
    return true;
}

// A number that no unsigned type has decides nothing where there are only unsigned integers.
static bool has_unsigned(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_types; i++)
        if ((rule->types[i].kinds & (KIND_UINT | KIND_SINT | KIND_FLOAT)) == KIND_UINT)
            return true;
    return false;
}

static bool both_zero(const struct cex_outcome *outcome)
{
    return elem_kind(outcome->elem) == KIND_FLOAT &&
           scalar_to_double(outcome->elem, outcome->lhs) == 0 &&
           scalar_to_double(outcome->elem, outcome->rhs) == 0;
}

static enum cex_failure compare_sides(struct cex_evaluator *cex_evaluator,
                                      const struct cex_case *candidate, struct cex_outcome *out)
{
    struct eval_plan *sides = &cex_evaluator->sides;
    struct eval_input input = input_of(cex_evaluator);
    eval_plan_restart(sides);
    if (!eval_plan_run(sides, &input, sides->node.len, &cex_evaluator->unread))
        return CEX_DISCARD;
    struct value value[2] = {sides->value.at[eval_plan_place(sides, cex_evaluator->lhs)],
                             sides->value.at[eval_plan_place(sides, cex_evaluator->rhs)]};
    if (value_same(&cex_evaluator->pool, &value[0], &value[1], 0, &out->index))
        return CEX_NONE;
    if (has_unsigned(cex_evaluator->rule) && !throughout(cex_evaluator, not_negative))
        return CEX_DISCARD;
    enum cex_weight weight = cex_weigh(cex_evaluator, candidate, &cex_evaluator->mem, out);
    if (cex_evaluator->plain && weight != CEX_NOTHING && !throughout(cex_evaluator, finite))
        return CEX_NONE;
    int64_t n = type_count(&cex_evaluator->pool, value[0].type);
    enum elem elem = type_elem(&cex_evaluator->pool, value[0].type);
    for (; weight != CEX_NOTHING && out->index < n; out->index++) {
        describe_element(cex_evaluator, value, out);
        if (scalar_same(elem, out->lhs, out->rhs) ||
            (scalar_is_nan(elem, out->lhs) && scalar_is_nan(elem, out->rhs)) ||
            ((cex_evaluator->plain || candidate->approximate) && both_zero(out)))
            continue;
        bool far = cex_far_apart(out, candidate->approximate);
        if (far && elem_kind(elem) == KIND_FLOAT)
            out->n_rounded = 0; // no matter how they round
        if (far || weight == CEX_EXACT)
            return CEX_ELEMENTS;
    }
    return CEX_NONE;
}

enum cex_failure cex_evaluator_run(struct cex_evaluator *cex_evaluator,
                                   const struct cex_case *candidate, struct cex_outcome *out)
{
    struct arena_mark mark = arena_mark(&cex_evaluator->mem);
    *out = (struct cex_outcome){0};
    for (uint32_t i = 0; i < cex_evaluator->n_params; i++)
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            scalar_store(type_elem(&cex_evaluator->pool, cex_evaluator->types[i]),
                         cex_evaluator->values[i].data, k, candidate->param[i].at[k]);
    if (!conditions_hold(cex_evaluator))
        out->failure = CEX_DISCARD;
    else if (cex_evaluator->status == GROUND_OK)
        out->failure = compare_sides(cex_evaluator, candidate, out);
    else
        out->failure = cex_evaluator->status != GROUND_RHS_INVALID ? CEX_SHAPE
                       : cex_evaluator->both                       ? CEX_DISCARD
                                                                   : CEX_RHS_INVALID;
    if (out->failure > CEX_DISCARD &&
        !cex_conditions_count(cex_evaluator, candidate, &cex_evaluator->mem, out))
        out->failure = CEX_DISCARD;
    if (out->failure == CEX_SHAPE || out->failure == CEX_RHS_INVALID)
        describe_types(cex_evaluator, out);
    arena_reset(&cex_evaluator->mem, mark);
    return out->failure;
}
