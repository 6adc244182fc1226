// SPDX-License-Identifier: Apache-2.0
#include "rules/reasons.h"
#include "verify/meaning/parts.h"
#include "verify/elements/same.h"

// Has the tensor every class of the pattern?
static bool covers(const struct element_query *element_query, const struct tensor_var *tensor,
                   uint32_t pat)
{
    for (uint32_t c = 0; c < element_query->session->rule->n_classes; c++) {
        bool found = !denote_has_class(element_query->denote, pat, c);
        for (uint32_t j = 0; j < tensor->n_sizes && !found; j++)
            found = tensor->sizes[j].cls == c;
        if (!found)
            return false;
    }
    return true;
}

static bool reads(const struct rule *rule, uint32_t pat, uint32_t tensor)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found = pattern->kind == PAT_TENSOR && pattern->var == tensor;
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = reads(rule, pattern->args[i], tensor);
    return found;
}

static void instantiate(const struct element_query *element_query, uint32_t pat,
                        const expr_id *index, struct givens *out)
{
    struct exprs *exprs = &element_query->session->exprs;
    struct clauses clauses = {{0}};
    struct u32_vec range = {0};
    denote_in_range(element_query->denote, pat, index, &clauses);
    clauses_append(&clauses, NONE, &range);
    struct given given = {expr_and(exprs, range.len, range.at),
                          expr_holds(exprs, denote_element(element_query->denote, pat, index))};
    vec_push(&out->at, given);
    vec_release(&clauses.at);
    vec_release(&range);
}

// The index of the output, if it has all classes of the pattern.
static bool at_output(const struct element_query *element_query, uint32_t pat, expr_id *index)
{
    const struct rule *rule = element_query->session->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (denote_has_class(element_query->denote, pat, c) &&
            !denote_has_class(element_query->denote, rule->lhs, c))
            return false;
    denote_out_index(element_query->denote, rule->lhs, index);
    return true;
}

// Element conditions hold at every index.  They are used at the index of the output
// (unchanged if the condition has no axis), and at the indices at which the two elements
// read a tensor of the condition that has all its classes.
static void find_givens(const struct element_query *element_query, expr_id a, expr_id b,
                        struct givens *out)
{
    const struct rule *rule = element_query->session->rule;
    struct exprs *exprs = &element_query->session->exprs;
    struct u32_vec reach = {0};
    bool any = false;
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        any |= rule->wheres[w].cond == NULL;
    for (uint32_t i = 0; element_query->known != NULL && i < element_query->known->at.len; i++)
        vec_push(&out->at, element_query->known->at.at[i]);
    if (!any || element_query->known != NULL)
        return;
    expr_reach(exprs, a, &reach);
    expr_reach(exprs, b, &reach);
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        uint32_t pat = rule->wheres[w].pat, classes = 0;
        if (rule->wheres[w].cond != NULL)
            continue;
        expr_id *index = denote_new_index(element_query->denote);
        for (uint32_t c = 0; c < rule->n_classes; c++)
            classes += denote_has_class(element_query->denote, pat, c);
        if (at_output(element_query, pat, index))
            instantiate(element_query, pat, index, out);
        for (uint32_t i = 0; i < reach.len && classes > 0; i++) {
            const struct expr node = *expr_at(exprs, reach.at[i]);
            if (node.kind != X_ACCESS || !reads(rule, pat, node.sym) ||
                !covers(element_query, &rule->tensors[node.sym], pat))
                continue;
            const struct tensor_var *tensor = &rule->tensors[node.sym];
            uint32_t at = 0;
            for (uint32_t j = 0; j < tensor->n_sizes; j++)
                for (uint32_t q = 0; q < element_query->denote->rank[tensor->sizes[j].cls]; q++)
                    index[tensor->sizes[j].cls * element_query->denote->max_rank + q] =
                        expr_arg(exprs, reach.at[i], at++);
            instantiate(element_query, pat, index, out);
        }
        mem_free(index);
    }
    vec_release(&reach);
}

// Is every element of the type an integer, in each domain?
static bool is_integer(const struct rule *rule, uint32_t type)
{
    unsigned kinds = rule->types[type].kinds;
    return kinds != 0 && (kinds & ~(unsigned)(KIND_SINT | KIND_UINT)) == 0;
}

// The integer that an element is.  A literal is the number that the rule writes, since the
// rule speaks only of types that have it.
static expr_id number_of(const struct element_query *element_query, expr_id e)
{
    struct exprs *exprs = &element_query->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_LITERAL && node.op == LIT_INT && node.sym == 0)
        return expr_int(exprs, node.k);
    return denote_place(element_query->denote, e);
}

// The integer that an operator gives for integer operands, in every integer type.  NO_EXPR
// if the types differ in that.
static expr_id number_fact(const struct element_query *element_query, expr_id e)
{
    struct exprs *exprs = &element_query->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    bool two = node.op == OP_COMPARE || node.op == OP_MAXIMUM || node.op == OP_MINIMUM;
    if (node.kind != X_OP || !two ||
        !is_integer(element_query->session->rule, expr_at(exprs, expr_arg(exprs, e, 0))->type))
        return NO_EXPR;
    for (uint32_t i = 0; i < 2; i++)
        if (element_may_be_infinite(element_query->session, expr_arg(exprs, e, i)))
            return NO_EXPR;
    expr_id a = number_of(element_query, expr_arg(exprs, e, 0));
    expr_id b = number_of(element_query, expr_arg(exprs, e, 1));
    if (node.op == OP_MAXIMUM)
        return expr_eq(exprs, number_of(element_query, e), expr_max(exprs, a, b));
    if (node.op == OP_MINIMUM)
        return expr_eq(exprs, number_of(element_query, e), expr_min(exprs, a, b));
    expr_id holds = expr_holds(exprs, e);
    expr_id is = node.sym == CMP_EQ   ? expr_eq(exprs, a, b)
                 : node.sym == CMP_LT ? expr_lt(exprs, a, b)
                                      : expr_le(exprs, a, b);
    return expr_or2(exprs, expr_and2(exprs, holds, is),
                    expr_and2(exprs, expr_not(exprs, holds), expr_not(exprs, is)));
}

// Elements that are places are numbers, and compare as numbers do.  So `I >= 1` says where a
// gather by I reads.
static void number_facts(const struct element_query *element_query, struct u32_vec *all)
{
    struct exprs *exprs = &element_query->session->exprs;
    struct u32_vec reach = {0}, seen = {0};
    bool places = false;
    for (uint32_t i = 0; i < all->len; i++)
        expr_reach(exprs, all->at[i], &reach);
    for (uint32_t i = 0; i < reach.len && !places; i++)
        places = expr_at(exprs, reach.at[i])->kind == X_VALUE;
    for (uint32_t i = 0; i < reach.len && places; i++) {
        expr_id fact = NO_EXPR;
        bool known = false;
        for (uint32_t j = 0; j < seen.len && !known; j++)
            known = seen.at[j] == reach.at[i];
        if (!known)
            fact = number_fact(element_query, reach.at[i]);
        if (fact == NO_EXPR)
            continue;
        vec_push(&seen, reach.at[i]);
        vec_push(all, fact);
    }
    vec_release(&reach);
    vec_release(&seen);
}

bool element_same(const struct element_query *element_query, const struct u32_vec *hyps, expr_id a,
                  expr_id b, struct linear_model *model)
{
    struct session *session = element_query->session;
    struct exprs *exprs = &session->exprs;
    struct givens givens = {{0}};
    uint32_t mark = smt_mark(&session->smt);
    a = canon(&session->polys, a);
    b = canon(&session->polys, b);
    if (a == b && !session->polys.overflow)
        return true;
    reduce_atoms(element_query, hyps, &a, &b);
    find_givens(element_query, a, b, &givens);
    bool same = false;
    if (element_query->rung == RUNG_ARITHMETIC) {
        same = leaf_same(element_query, hyps, &givens, a, b);
    } else {
        struct u32_vec all = {0};
        struct linear *linear =
            element_query->rung == RUNG_COMMUTATIVE ? &session->swap : &session->linear;
        for (uint32_t i = 0; i < hyps->len; i++)
            vec_push(&all, hyps->at[i]);
        for (uint32_t i = 0; i < givens.at.len; i++)
            vec_push(&all, expr_or2(exprs, expr_not(exprs, givens.at.at[i].range),
                                    givens.at.at[i].holds));
        vec_push(&all, expr_not(exprs, expr_same(exprs, a, b)));
        number_facts(element_query, &all);
        enum smt_answer answer = linear_refute(linear, all.len, all.at, model);
        same = answer == SMT_UNSAT;
        if (!same)
            session->reason =
                answer == SMT_SAT ? reason_DIFFER : session_text(session, "%s", session->smt.why);
        vec_release(&all);
    }
    if (session->polys.overflow) // canonical forms say nothing
        same = false;
    if (!same && session->smt.spent == NULL)
        why_different(element_query, a, b);
    if (!same)
        smt_forget(&session->smt, mark);
    vec_release(&givens.at);
    return same;
}
