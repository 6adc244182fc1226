// SPDX-License-Identifier: Apache-2.0
#include "verify/meaning/parts.h"
#include "verify/elements/same.h"

// Has the tensor every class of the pattern?
static bool covers(const struct element_query *k, const struct tensor_var *t,
                   uint32_t pat)
{
    for (uint32_t c = 0; c < k->s->r->n_classes; c++) {
        bool found = !denote_has_class(k->d, pat, c);
        for (uint32_t j = 0; j < t->n_sizes && !found; j++)
            found = t->sizes[j].cls == c;
        if (!found)
            return false;
    }
    return true;
}

static bool reads(const struct rule *r, uint32_t pat, uint32_t tensor)
{
    const struct pat *p = &r->pats[pat];
    bool found = p->kind == PAT_TENSOR && p->var == tensor;
    for (uint32_t i = 0; i < p->n_args && !found; i++)
        found = reads(r, p->args[i], tensor);
    return found;
}

static void instantiate(const struct element_query *k, uint32_t pat, const expr_id *index,
                        struct givens *out)
{
    struct exprs *x = &k->s->x;
    struct clauses c = {{0}};
    struct u32_vec range = {0};
    denote_in_range(k->d, pat, index, &c);
    clauses_append(&c, NONE, &range);
    struct given g = {expr_and(x, range.len, range.at),
                      expr_holds(x, denote_element(k->d, pat, index))};
    vec_push(&out->at, g);
    vec_release(&c.at);
    vec_release(&range);
}

// The index of the output, where it has all classes of the pattern.
static bool at_output(const struct element_query *k, uint32_t pat, expr_id *index)
{
    const struct rule *r = k->s->r;
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (denote_has_class(k->d, pat, c) &&
            !denote_has_class(k->d, r->lhs, c))
            return false;
    denote_out_index(k->d, r->lhs, index);
    return true;
}

// Element conditions hold at every index; they are used at the index of the
// output (as they are where the condition has no axis), and at the indices
// where the two elements read a tensor of the condition that has all its
// classes.
static void find_givens(const struct element_query *k, expr_id a, expr_id b,
                        struct givens *out)
{
    const struct rule *r = k->s->r;
    struct exprs *x = &k->s->x;
    struct u32_vec reach = {0};
    bool any = false;
    for (uint32_t w = 0; w < r->n_wheres; w++)
        any |= r->wheres[w].cond == NULL;
    for (uint32_t i = 0; k->known != NULL && i < k->known->at.len; i++)
        vec_push(&out->at, k->known->at.at[i]);
    if (!any || k->known != NULL)
        return;
    expr_reach(x, a, &reach);
    expr_reach(x, b, &reach);
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        uint32_t pat = r->wheres[w].pat, classes = 0;
        if (r->wheres[w].cond != NULL)
            continue;
        expr_id *index = denote_new_index(k->d);
        for (uint32_t c = 0; c < r->n_classes; c++)
            classes += denote_has_class(k->d, pat, c);
        if (at_output(k, pat, index))
            instantiate(k, pat, index, out);
        for (uint32_t i = 0; i < reach.len && classes > 0; i++) {
            const struct expr n = *expr_at(x, reach.at[i]);
            if (n.kind != X_ACCESS || !reads(r, pat, n.sym) ||
                !covers(k, &r->tensors[n.sym], pat))
                continue;
            const struct tensor_var *t = &r->tensors[n.sym];
            uint32_t at = 0;
            for (uint32_t j = 0; j < t->n_sizes; j++)
                for (uint32_t q = 0; q < k->d->rank[t->sizes[j].cls]; q++)
                    index[t->sizes[j].cls * k->d->max_rank + q] =
                        expr_arg(x, reach.at[i], at++);
            instantiate(k, pat, index, out);
        }
        mem_free(index);
    }
    vec_release(&reach);
}

// Is every element of the type an integer, in each domain?
static bool is_integer(const struct rule *r, uint32_t type)
{
    unsigned kinds = r->types[type].kinds;
    return kinds != 0 && (kinds & ~(unsigned)(KIND_SINT | KIND_UINT)) == 0;
}

// The integer that an element is.  A literal is the number that the rule
// writes, as the rule speaks only of types that have it.
static expr_id number_of(const struct element_query *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_LITERAL && n.op == LIT_INT && n.sym == 0)
        return expr_int(x, n.k);
    return denote_place(k->d, e);
}

// What an operator makes of the integers that its operands are, in every type
// of integers: NO_EXPR if that is left open.
static expr_id number_fact(const struct element_query *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    bool two = n.op == OP_COMPARE || n.op == OP_MAXIMUM || n.op == OP_MINIMUM;
    if (n.kind != X_OP || !two ||
        !is_integer(k->s->r, expr_at(x, expr_arg(x, e, 0))->type))
        return NO_EXPR;
    for (uint32_t i = 0; i < 2; i++)
        if (element_may_be_infinite(k->s, expr_arg(x, e, i)))
            return NO_EXPR;
    expr_id a = number_of(k, expr_arg(x, e, 0));
    expr_id b = number_of(k, expr_arg(x, e, 1));
    if (n.op == OP_MAXIMUM)
        return expr_eq(x, number_of(k, e), expr_max(x, a, b));
    if (n.op == OP_MINIMUM)
        return expr_eq(x, number_of(k, e), expr_min(x, a, b));
    expr_id holds = expr_holds(x, e);
    expr_id is = n.sym == CMP_EQ   ? expr_eq(x, a, b)
                 : n.sym == CMP_LT ? expr_lt(x, a, b)
                                   : expr_le(x, a, b);
    return expr_or2(x, expr_and2(x, holds, is),
                    expr_and2(x, expr_not(x, holds), expr_not(x, is)));
}

// Elements that are places are numbers, and compare as numbers do: with that,
// `I >= 1` says where a gather by I reads.
static void number_facts(const struct element_query *k, struct u32_vec *all)
{
    struct exprs *x = &k->s->x;
    struct u32_vec reach = {0}, seen = {0};
    bool places = false;
    for (uint32_t i = 0; i < all->len; i++)
        expr_reach(x, all->at[i], &reach);
    for (uint32_t i = 0; i < reach.len && !places; i++)
        places = expr_at(x, reach.at[i])->kind == X_VALUE;
    for (uint32_t i = 0; i < reach.len && places; i++) {
        expr_id fact = NO_EXPR;
        bool known = false;
        for (uint32_t j = 0; j < seen.len && !known; j++)
            known = seen.at[j] == reach.at[i];
        if (!known)
            fact = number_fact(k, reach.at[i]);
        if (fact == NO_EXPR)
            continue;
        vec_push(&seen, reach.at[i]);
        vec_push(all, fact);
    }
    vec_release(&reach);
    vec_release(&seen);
}

bool element_same(const struct element_query *k, const struct u32_vec *hyps, expr_id a,
                  expr_id b, struct linear_model *m)
{
    struct session *s = k->s;
    struct exprs *x = &s->x;
    struct givens g = {{0}};
    uint32_t mark = smt_mark(&s->smt);
    a = canon(&s->p, a);
    b = canon(&s->p, b);
    if (a == b && !s->p.overflow)
        return true;
    bool reduces = reduce_atoms(k, hyps, &a, &b);
    find_givens(k, a, b, &g);
    bool same = false;
    if (k->rung == RUNG_ARITHMETIC) {
        same = leaf_same(k, hyps, &g, a, b);
    } else {
        struct u32_vec all = {0};
        struct linear *l = k->rung == RUNG_COMMUTATIVE ? &s->swap : &s->l;
        for (uint32_t i = 0; i < hyps->len; i++)
            vec_push(&all, hyps->at[i]);
        for (uint32_t i = 0; i < g.at.len; i++)
            vec_push(&all, expr_or2(x, expr_not(x, g.at.at[i].range),
                                    g.at.at[i].holds));
        vec_push(&all, expr_not(x, expr_same(x, a, b)));
        number_facts(k, &all);
        enum smt_answer answer = linear_refute(l, all.len, all.at, m);
        same = answer == SMT_UNSAT;
        if (!same)
            s->reason = answer == SMT_SAT
                            ? "the elements may differ"
                            : session_text(s, "elements: %s", s->smt.why);
        vec_release(&all);
    }
    if (!same && reduces && strcmp(s->reason, "time") != 0)
        s->reason = "reduction not decided";
    if (!same)
        smt_forget(&s->smt, mark);
    vec_release(&g.at);
    return same;
}
