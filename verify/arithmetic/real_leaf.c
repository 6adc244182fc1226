// SPDX-License-Identifier: Apache-2.0
// Leaves over the reals.
#include "verify/arithmetic/axioms.h"
#include "verify/arithmetic/machine_leaf.h"

// Reals: transcendental operators by their axioms (axioms.h), other operators by the solver.
static bool in_one_case(struct machine *machine, const struct leaf *leaf,
                        const struct leaf_survey *survey)
{
    struct axiom_uses instances = {.at = {0}};
    bool proved = false;
    if (axiom_uses_find(machine->session, leaf, &instances)) {
        struct leaf_survey w;
        machine->axioms = &instances;
        leaf_survey_of(machine->session, machine->domain, &instances.leaf, &w);
        proved = (instances.leaf.lhs == instances.leaf.rhs && !machine->session->polys.overflow) ||
                 leaf_conclude(machine,
                               leaf_refute(machine, &instances.leaf, &w, "reals, with axioms"), "");
        vec_release(&w.all);
    } else {
        proved = leaf_conclude(
            machine, leaf_refute(machine, leaf, survey, domain_text(machine->domain)), "");
    }
    machine->axioms = NULL;
    axiom_uses_release(&instances);
    return proved;
}

// Does a transcendental operator occur?
static bool has_functions(const struct session *session, const struct leaf_survey *survey)
{
    bool found = false;
    for (uint32_t i = 0; i < survey->all.len && !found; i++) {
        const struct expr *node = expr_at(&session->exprs, survey->all.at[i]);
        found = node->kind == X_OP && op_is_transcendental((enum op)node->op);
    }
    return found;
}

// A maximum, minimum or magnitude of finite reals that contains no other one.
static expr_id find_extremum(const struct session *session, const struct leaf_survey *survey)
{
    for (uint32_t i = 0; i < survey->all.len; i++) {
        const struct expr *node = expr_at(&session->exprs, survey->all.at[i]);
        if (node->kind == X_OP && node->n <= 2 &&
            (node->op == OP_MAXIMUM || node->op == OP_MINIMUM || node->op == OP_ABS) &&
            type_in_domain(session->rule, node->type, DOMAIN_REAL) &&
            !element_may_be_infinite(session, survey->all.at[i]))
            return survey->all.at[i];
    }
    return NO_EXPR;
}

static struct leaf leaf_with(struct exprs *exprs, const struct leaf *leaf, expr_id from, expr_id to,
                             expr_id low, expr_id high)
{
    struct leaf g = {.lhs = expr_subst(exprs, leaf->lhs, 1, &from, &to),
                     .rhs = expr_subst(exprs, leaf->rhs, 1, &from, &to),
                     .hyps = leaf->hyps,
                     .denote = leaf->denote};
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        vec_push(&g.holds, expr_subst(exprs, leaf->holds.at[i], 1, &from, &to));
    for (uint32_t i = 0; i < leaf->below.len; i++)
        vec_push(&g.below, expr_subst(exprs, leaf->below.at[i], 1, &from, &to));
    vec_push(&g.below, low);
    vec_push(&g.below, high);
    return g;
}

bool real_leaf(struct machine *machine, const struct leaf *leaf, const struct leaf_survey *survey,
               uint32_t depth)
{
    struct session *session = machine->session;
    struct exprs *exprs = &session->exprs;
    expr_id e =
        depth > 0 && has_functions(session, survey) ? find_extremum(session, survey) : NO_EXPR;
    if (e == NO_EXPR)
        return in_one_case(machine, leaf, survey);
    const struct expr node = *expr_at(exprs, e);
    expr_id a = expr_arg(exprs, e, 0), b;
    if (node.op == OP_ABS)
        b = expr_op(exprs, OP_NEGATE, 0, node.type, 1, &a);
    else
        b = expr_arg(exprs, e, 1);
    bool proved = true;
    for (int k = 0; k < 2 && proved; k++) {
        expr_id low = k == 0 ? b : a, high = k == 0 ? a : b;
        struct leaf g = leaf_with(exprs, leaf, e, node.op == OP_MINIMUM ? low : high, low, high);
        struct leaf_survey w;
        leaf_survey_of(session, machine->domain, &g, &w);
        proved =
            (g.lhs == g.rhs && !session->polys.overflow) || real_leaf(machine, &g, &w, depth - 1);
        vec_release(&w.all);
        vec_release(&g.holds);
        vec_release(&g.below);
    }
    return proved;
}
