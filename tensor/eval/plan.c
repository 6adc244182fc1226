// SPDX-License-Identifier: Apache-2.0
// Terms that are evaluated many times on other parameters.
#include "tensor/eval/parts.h"

#include <stdlib.h>

void eval_plan_begin(struct eval_plan *plan, const struct terms *terms)
{
    plan->terms = terms;
    plan->done = 0;
    vec_clear(&plan->node);
}

void eval_plan_release(struct eval_plan *plan)
{
    vec_release(&plan->node);
    vec_release(&plan->place);
    vec_release(&plan->value);
    vec_release(&plan->operand);
    plan->terms = NULL;
}

// An old entry of `place` counts only if the node at that place is the term.
static bool is_planned(const struct eval_plan *plan, term_id id)
{
    uint32_t at = plan->place.at[id.v];
    return at < plan->node.len && plan->node.at[at].v == id.v;
}

uint32_t eval_plan_place(const struct eval_plan *plan, term_id id)
{
    assert(is_planned(plan, id));
    return plan->place.at[id.v];
}

static void put(struct eval_plan *plan, term_id id)
{
    if (is_planned(plan, id))
        return;
    plan->place.at[id.v] = plan->node.len;
    vec_push(&plan->node, id);
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const term_id *)a)->v, y = ((const term_id *)b)->v;
    return (x > y) - (x < y);
}

// Most plans have a dozen nodes, nearly in order.
static void sort(term_id *node, uint32_t n)
{
    enum { FEW = 24 };
    if (n > FEW) {
        qsort(node, n, sizeof *node, by_id);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        term_id id = node[i];
        uint32_t k = i;
        for (; k > 0 && node[k - 1].v > id.v; k--)
            node[k] = node[k - 1];
        node[k] = id;
    }
}

uint32_t eval_plan_add(struct eval_plan *plan, uint32_t n_roots, const term_id *roots)
{
    const struct terms *terms = plan->terms;
    uint32_t first = plan->node.len;
    vec_reserve(&plan->place, terms->term.len);
    while (plan->place.len < terms->term.len)
        plan->place.at[plan->place.len++] = 0;
    for (uint32_t i = 0; i < n_roots; i++)
        put(plan, roots[i]);
    for (uint32_t i = first; i < plan->node.len; i++) {
        term_id id = plan->node.at[i];
        for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
            put(plan, term_args(terms, id)[k]);
    }
    // What was planned before has its value before, and arguments have smaller ids.
    if (plan->node.len > first)
        sort(plan->node.at + first, plan->node.len - first);
    for (uint32_t i = first; i < plan->node.len; i++)
        plan->place.at[plan->node.at[i].v] = i;
    return plan->node.len;
}

static bool parameter(const struct eval_input *input, const struct term *node, struct value *out,
                      struct err *err)
{
    const int64_t *v = attr_at(input->terms->pool, node->attr);
    if (v[0] != 0 || v[1] < 0 || v[1] >= (int64_t)input->n_params ||
        input->params[v[1]].type.v != node->type.v)
        return err_set(err, ERR_INPUT, "no value of its type was given for parameter %lld",
                       (long long)v[1]);
    *out = input->params[v[1]];
    return true;
}

static bool evaluate(struct eval_plan *plan, const struct eval_input *input, uint32_t at,
                     struct err *err)
{
    const struct terms *terms = plan->terms;
    const struct pool *pool = terms->pool;
    const struct term *node = term_at(terms, plan->node.at[at]);
    const term_id *args = term_args(terms, plan->node.at[at]);
    struct operation operation = {(enum op)node->op, node->attr, node->type, node->n_args};
    struct interpreter interpreter = {pool, input->arena, false};
    if (operation.op == OP_PARAMETER)
        return parameter(input, node, &plan->value.at[at], err);
    if (operation.op == OP_OPAQUE || operation.op == OP_RESULT ||
        !type_is_tensor(pool, operation.type))
        return err_set(err, ERR_INPUT, "%s is not evaluated by a plan", op_name(operation.op));
    vec_reserve(&plan->operand, operation.n);
    for (uint32_t i = 0; i < operation.n; i++)
        plan->operand.at[i] = plan->value.at[eval_plan_place(plan, args[i])];
    return eval_plain(&interpreter, operation, plan->operand.at, &plan->value.at[at], err);
}

void eval_plan_restart(struct eval_plan *plan)
{
    plan->done = 0;
}

bool eval_plan_run(struct eval_plan *plan, const struct eval_input *input, uint32_t end,
                   struct err *err)
{
    assert(input->terms == plan->terms && end <= plan->node.len);
    vec_reserve(&plan->value, plan->node.len);
    for (; plan->done < end; plan->done++)
        if (!evaluate(plan, input, plan->done, err))
            return false;
    return true;
}
