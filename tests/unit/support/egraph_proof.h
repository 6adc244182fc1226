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

static inline bool proof_same_node(const struct terms *terms, term_id a, term_id b)
{
    const struct term *node = term_at(terms, a), *y = term_at(terms, b);
    return node->op == y->op && node->attr.v == y->attr.v && node->type.v == y->type.v &&
           node->n_args == y->n_args;
}

static inline bool proof_part_is(const struct explanation *proof, uint32_t line,
                                 struct proof_part part, term_id a, term_id b)
{
    if (part.line >= line)
        return false;
    const struct proof_line *l = &proof->line.at[part.line];
    term_id from = part.flip ? l->b : l->a, to = part.flip ? l->a : l->b;
    return from.v == a.v && to.v == b.v;
}

static inline bool proof_cong_ok(const struct terms *terms, const struct explanation *proof,
                                 uint32_t i)
{
    const struct proof_line *line = &proof->line.at[i];
    if (!proof_same_node(terms, line->a, line->b))
        return false;
    uint32_t used = 0;
    for (uint32_t k = 0; k < term_at(terms, line->a)->n_args; k++) {
        term_id term = term_args(terms, line->a)[k], b = term_args(terms, line->b)[k];
        if (term.v == b.v)
            continue;
        if (used == line->n)
            return false;
        struct proof_part part = proof->part.at[line->at + used++];
        if (part.arg != k || !proof_part_is(proof, i, part, term, b))
            return false;
    }
    return used == line->n;
}

static inline bool proof_trans_ok(const struct explanation *proof, uint32_t i)
{
    const struct proof_line *line = &proof->line.at[i];
    term_id at = line->a;
    for (uint32_t k = 0; k < line->n; k++) {
        struct proof_part part = proof->part.at[line->at + k];
        if (part.line >= i)
            return false;
        const struct proof_line *u = &proof->line.at[part.line];
        term_id to = part.flip ? u->a : u->b;
        if (!proof_part_is(proof, i, part, at, to))
            return false;
        at = to;
    }
    return line->n >= 2 && at.v == line->b.v;
}

// op(constant terms) and the constant must evaluate to the same elements.
static inline bool proof_fold_ok(const struct terms *terms, term_id a, term_id b)
{
    for (uint32_t k = 0; k < term_at(terms, a)->n_args; k++)
        if (term_op(terms, term_args(terms, a)[k]) != OP_CONSTANT)
            return false;
    if (term_op(terms, b) != OP_CONSTANT)
        return false;
    struct arena mem = {0};
    term_id roots[2] = {a, b};
    struct value value[2];
    struct err err = {0};
    int64_t where;
    bool ok = eval_terms(&(struct eval_input){terms, 0, NULL, &mem}, 2, roots, value, &err) &&
              value_same(terms->pool, &value[0], &value[1], 0, &where);
    arena_release(&mem);
    return ok;
}

static inline bool proof_line_ok(struct terms *terms, const struct explanation *proof, uint32_t i,
                                 const struct stated *stated)
{
    const struct proof_line *line = &proof->line.at[i];
    term_id term;
    if (line->a.v == line->b.v || term_type(terms, line->a).v != term_type(terms, line->b).v)
        return false;
    switch (line->kind) {
    case PROOF_RULE:
        return line->x == 7 && line->y < stated->a.len && stated->a.at[line->y].v == line->a.v &&
               stated->b.at[line->y].v == line->b.v;
    case PROOF_CONG:
        return proof_cong_ok(terms, proof, i);
    case PROOF_FOLD:
        return proof_fold_ok(terms, line->a, line->b);
    case PROOF_LAYOUT:
        return layout_rewrite(terms, line->a, (enum layout_kind)line->x, &term) &&
               term.v == line->b.v;
    case PROOF_TRANS:
        return proof_trans_ok(proof, i);
    case PROOF_CALL: // these graphs have no functions, regions, complex elements or forms
    case PROOF_CARRIED:
    case PROOF_TWIN:
    case PROOF_BRANCH:
    case PROOF_COMPLEX:
    case PROOF_REFINE:
    case PROOF_SLICES:
        break;
    }
    return false;
}

static inline bool proof_ok(struct terms *terms, const struct explanation *proof,
                            const struct stated *stated)
{
    for (uint32_t i = 0; i < proof->line.len; i++)
        if (!proof_line_ok(terms, proof, i, stated))
            return false;
    // One line for each unordered pair: nothing is proved twice.
    for (uint32_t i = 0; i < proof->line.len && proof->line.len < 300; i++)
        for (uint32_t k = 0; k < i; k++) {
            const struct proof_line *line = &proof->line.at[i], *q = &proof->line.at[k];
            if ((line->a.v == q->a.v && line->b.v == q->b.v) ||
                (line->a.v == q->b.v && line->b.v == q->a.v))
                return false;
        }
    return true;
}

// Asks for an explanation of a = b and checks all of it.
static inline bool proved(struct egraph *graph, term_id a, term_id b, const struct stated *stated)
{
    struct explanation proof = {0};
    struct err err = {0};
    struct proof_part part;
    bool ok = explain(graph, a, b, &proof, &part, &err);
    if (ok && a.v == b.v)
        ok = part.line == UINT32_MAX;
    else if (ok)
        ok = part.line < proof.line.len &&
             proof.line.at[part.line].a.v == (part.flip ? b.v : a.v) &&
             proof.line.at[part.line].b.v == (part.flip ? a.v : b.v);
    ok = ok && proof_ok(graph->terms, &proof, stated);
    explanation_release(&proof);
    return ok;
}

// States a rule equality in the e-graph and in the list.
static inline bool state(struct egraph *graph, struct stated *stated, term_id a, term_id b)
{
    struct err err = {0};
    vec_push(&stated->a, a);
    vec_push(&stated->b, b);
    return egraph_merge(graph, a, b, (struct reason){REASON_RULE, 7, stated->a.len - 1}, &err);
}

static inline void stated_release(struct stated *stated)
{
    vec_release(&stated->a);
    vec_release(&stated->b);
}

#endif
