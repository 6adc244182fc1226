// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/explain.h"

#include "egraph/program/core.h"
#include "egraph/limits.h"

void explanation_release(struct explanation *proof)
{
    vec_release(&proof->line);
    vec_release(&proof->part);
    vec_release(&proof->line_of);
    vec_release(&proof->waiting);
    if (proof->why != NULL)
        why_release(proof->why);
    mem_free(proof->why);
    proof->why = NULL;
}

// The term of why.h is that of a node: no reason here makes others.
static term_id term_of(const struct egraph *graph, const struct explanation *proof, uint32_t t)
{
    return node_term(graph, proof->why->term.at[t].near);
}

static void put_line(const struct egraph *graph, struct explanation *proof, uint32_t line)
{
    static const enum proof_kind kinds[] = {
        [REASON_RULE] = PROOF_RULE,       [REASON_FOLD] = PROOF_FOLD,
        [REASON_LAYOUT] = PROOF_LAYOUT,   [REASON_CALL] = PROOF_CALL,
        [REASON_CARRIED] = PROOF_CARRIED, [REASON_BRANCH] = PROOF_BRANCH,
        [REASON_TWIN] = PROOF_TWIN,       [REASON_COMPLEX] = PROOF_COMPLEX,
        [REASON_REFINE] = PROOF_REFINE,   [REASON_SLICES] = PROOF_SLICES,
    };
    const struct why_line *l = &proof->why->line.at[line];
    bool cong = l->kind == WHY_CONG;
    struct proof_line to = {.kind = cong ? PROOF_CONG : PROOF_TRANS,
                            .a = term_of(graph, proof, l->a),
                            .b = term_of(graph, proof, l->b),
                            .at = proof->part.len,
                            .n = l->n};
    if (l->kind == WHY_GIVEN) {
        struct reason reason = egraph_reason(graph, l->x);
        to.kind = kinds[reason.kind];
        to.x = reason.x;
        to.y = reason.y;
    }
    for (uint32_t i = 0; i < l->n; i++) {
        struct why_part part = why_shortest(proof->why, proof->why->part.at[l->at + i]);
        vec_push(&proof->part,
                 ((struct proof_part){proof->line_of.at[part.line] - 1, part.arg, part.flip}));
    }
    vec_push(&proof->line, to);
    proof->line_of.at[line] = proof->line.len;
}

// The line and those that it needs and that are not there yet, these first.
static void put_lines(const struct egraph *graph, struct explanation *proof, uint32_t line)
{
    struct why *why = proof->why;
    while (proof->line_of.len < why->line.len)
        vec_push(&proof->line_of, 0);
    vec_push(&proof->waiting, line);
    while (proof->waiting.len > 0) {
        uint32_t top = vec_last(&proof->waiting), deep = proof->waiting.len;
        const struct why_line *l = &why->line.at[top];
        for (uint32_t k = 0; k < l->n && proof->line_of.at[top] == 0; k++) {
            uint32_t p = why_shortest(why, why->part.at[l->at + k]).line;
            if (proof->line_of.at[p] == 0)
                vec_push(&proof->waiting, p);
        }
        if (proof->waiting.len > deep)
            continue;
        if (proof->line_of.at[top] == 0)
            put_line(graph, proof, top);
        proof->waiting.len--;
    }
}

bool explain(struct egraph *graph, term_id a, term_id b, struct explanation *proof,
             struct proof_part *part, struct err *err)
{
    *part = (struct proof_part){.line = UINT32_MAX};
    if (!egraph_known(graph, a) || !egraph_known(graph, b))
        return err_set(err, ERR_CHECK, "term %u is not in the e-graph",
                       egraph_known(graph, a) ? b.v : a.v);
    if (!egraph_same(graph, a, b))
        return err_set(err, ERR_CHECK, "terms %u and %u are not equal", a.v, b.v);
    if (proof->why == NULL) {
        proof->why = mem_alloc(sizeof *proof->why);
        why_init(proof->why, &graph->cc, NULL);
        proof->why->most_work = EGRAPH_WHY_PROGRAM_WORK;
    }
    struct why_part way;
    if (!why_read(proof->why, err) ||
        !why_explain(proof->why, why_term_of(proof->why, egraph_node(graph, a)),
                     why_term_of(proof->why, egraph_node(graph, b)), &way, err))
        return false;
    if (way.line == CC_NONE)
        return true;
    way = why_shortest(proof->why, way);
    put_lines(graph, proof, way.line);
    part->line = proof->line_of.at[way.line] - 1;
    part->flip = way.flip;
    return true;
}
