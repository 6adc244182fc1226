// SPDX-License-Identifier: Apache-2.0
// For tests: a proof checker that knows nothing of how explanations are made.
#ifndef TESTS_UNIT_SUPPORT_EGRAPH_PROOF_H
#define TESTS_UNIT_SUPPORT_EGRAPH_PROOF_H

#include "egraph/program/egraph.h"
#include "tensor/eval/eval.h"
#include "tensor/fold/layout.h"

// What the test itself stated: rule merges, by instance number.
struct stated {
    VEC(term_id) a, b;
};

static inline bool proof_same_node(const struct terms *t, term_id a, term_id b)
{
    const struct term *x = term_at(t, a), *y = term_at(t, b);
    return x->op == y->op && x->attr.v == y->attr.v && x->type.v == y->type.v &&
           x->n_args == y->n_args;
}

static inline bool proof_part_is(const struct explanation *x, uint32_t line,
                                 struct proof_part p, term_id a, term_id b)
{
    if (p.line >= line)
        return false;
    const struct proof_line *l = &x->line.at[p.line];
    term_id from = p.flip ? l->b : l->a, to = p.flip ? l->a : l->b;
    return from.v == a.v && to.v == b.v;
}

static inline bool proof_cong_ok(const struct terms *t,
                                 const struct explanation *x, uint32_t i)
{
    const struct proof_line *l = &x->line.at[i];
    if (!proof_same_node(t, l->a, l->b))
        return false;
    uint32_t used = 0;
    for (uint32_t k = 0; k < term_at(t, l->a)->n_args; k++) {
        term_id a = term_args(t, l->a)[k], b = term_args(t, l->b)[k];
        if (a.v == b.v)
            continue;
        if (used == l->n)
            return false;
        struct proof_part p = x->part.at[l->at + used++];
        if (p.arg != k || !proof_part_is(x, i, p, a, b))
            return false;
    }
    return used == l->n;
}

static inline bool proof_trans_ok(const struct explanation *x, uint32_t i)
{
    const struct proof_line *l = &x->line.at[i];
    term_id at = l->a;
    for (uint32_t k = 0; k < l->n; k++) {
        struct proof_part p = x->part.at[l->at + k];
        if (p.line >= i)
            return false;
        const struct proof_line *u = &x->line.at[p.line];
        term_id to = p.flip ? u->a : u->b;
        if (!proof_part_is(x, i, p, at, to))
            return false;
        at = to;
    }
    return l->n >= 2 && at.v == l->b.v;
}

// op(constant terms) and the constant must evaluate to the same elements.
static inline bool proof_fold_ok(const struct terms *t, term_id a, term_id b)
{
    for (uint32_t k = 0; k < term_at(t, a)->n_args; k++)
        if (term_op(t, term_args(t, a)[k]) != OP_CONSTANT)
            return false;
    if (term_op(t, b) != OP_CONSTANT)
        return false;
    struct arena mem = {0};
    term_id roots[2] = {a, b};
    struct value v[2];
    struct err e = {0};
    int64_t where;
    bool ok = eval_terms(t, 2, roots, 0, NULL, &mem, v, &e) &&
              value_same(t->pool, &v[0], &v[1], 0, &where);
    arena_release(&mem);
    return ok;
}

static inline bool proof_line_ok(struct terms *t, const struct explanation *x,
                                 uint32_t i, const struct stated *s)
{
    const struct proof_line *l = &x->line.at[i];
    term_id r;
    if (l->a.v == l->b.v || term_type(t, l->a).v != term_type(t, l->b).v)
        return false;
    switch (l->kind) {
    case PROOF_RULE:
        return l->x == 7 && l->y < s->a.len && s->a.at[l->y].v == l->a.v &&
               s->b.at[l->y].v == l->b.v;
    case PROOF_CONG:
        return proof_cong_ok(t, x, i);
    case PROOF_FOLD:
        return proof_fold_ok(t, l->a, l->b);
    case PROOF_LAYOUT:
        return layout_rewrite(t, l->a, (enum layout_kind)l->x, &r) &&
               r.v == l->b.v;
    case PROOF_TRANS:
        return proof_trans_ok(x, i);
    }
    return false;
}

static inline bool proof_ok(struct terms *t, const struct explanation *x,
                            const struct stated *s)
{
    for (uint32_t i = 0; i < x->line.len; i++)
        if (!proof_line_ok(t, x, i, s))
            return false;
    // One line for each unordered pair: nothing is proved twice.
    for (uint32_t i = 0; i < x->line.len && x->line.len < 300; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct proof_line *p = &x->line.at[i], *q = &x->line.at[k];
            if ((p->a.v == q->a.v && p->b.v == q->b.v) ||
                (p->a.v == q->b.v && p->b.v == q->a.v))
                return false;
        }
    return true;
}

// Asks for an explanation of a = b and checks all of it.
static inline bool proved(struct egraph *g, term_id a, term_id b,
                          const struct stated *s)
{
    struct explanation x = {0};
    struct err e = {0};
    uint32_t line;
    bool flip, ok = explain(g, a, b, &x, &line, &flip, &e);
    if (ok && a.v == b.v)
        ok = line == UINT32_MAX;
    else if (ok)
        ok = line < x.line.len && x.line.at[line].a.v == (flip ? b.v : a.v) &&
             x.line.at[line].b.v == (flip ? a.v : b.v);
    ok = ok && proof_ok(g->terms, &x, s);
    explanation_release(&x);
    return ok;
}

// States a rule equality in the e-graph and in the list.
static inline bool state(struct egraph *g, struct stated *s, term_id a,
                         term_id b)
{
    struct err e = {0};
    vec_push(&s->a, a);
    vec_push(&s->b, b);
    return egraph_merge(g, a, b, (struct reason){REASON_RULE, 7, s->a.len - 1},
                        &e);
}

static inline void stated_release(struct stated *s)
{
    vec_release(&s->a);
    vec_release(&s->b);
}

#endif
