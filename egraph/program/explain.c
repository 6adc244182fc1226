// SPDX-License-Identifier: Apache-2.0
#include "egraph/program/explain.h"

#include "egraph/program/core.h"

// A program may have many results; to tell of them must not cost more than to
// find them.
enum { MOST_WORK = 1 << 20 };

void explanation_release(struct explanation *x)
{
    vec_release(&x->line);
    vec_release(&x->part);
    vec_release(&x->line_of);
    vec_release(&x->waiting);
    if (x->why != NULL)
        why_release(x->why);
    mem_free(x->why);
    x->why = NULL;
}

// The term of why.h is that of a node: no reason here makes others.
static term_id term_of(const struct egraph *g, const struct explanation *x,
                       uint32_t t)
{
    return node_term(g, x->why->term.at[t].near);
}

static void put_line(const struct egraph *g, struct explanation *x,
                     uint32_t line)
{
    static const enum proof_kind kinds[] = {
        [REASON_RULE] = PROOF_RULE,
        [REASON_FOLD] = PROOF_FOLD,
        [REASON_LAYOUT] = PROOF_LAYOUT,
    };
    const struct why_line *l = &x->why->line.at[line];
    bool cong = l->kind == WHY_CONG;
    struct proof_line to = {.kind = cong ? PROOF_CONG : PROOF_TRANS,
                            .a = term_of(g, x, l->a),
                            .b = term_of(g, x, l->b),
                            .at = x->part.len,
                            .n = l->n};
    if (l->kind == WHY_GIVEN) {
        struct reason r = egraph_reason(g, l->x);
        to.kind = kinds[r.kind];
        to.x = r.x;
        to.y = r.y;
    }
    for (uint32_t i = 0; i < l->n; i++) {
        struct why_part p = why_shortest(x->why, x->why->part.at[l->at + i]);
        vec_push(&x->part, ((struct proof_part){x->line_of.at[p.line] - 1,
                                                p.arg, p.flip}));
    }
    vec_push(&x->line, to);
    x->line_of.at[line] = x->line.len;
}

// The line and those that it needs and that are not there yet, these first.
static void put_lines(const struct egraph *g, struct explanation *x,
                      uint32_t line)
{
    struct why *w = x->why;
    while (x->line_of.len < w->line.len)
        vec_push(&x->line_of, 0);
    vec_push(&x->waiting, line);
    while (x->waiting.len > 0) {
        uint32_t top = vec_last(&x->waiting), deep = x->waiting.len;
        const struct why_line *l = &w->line.at[top];
        for (uint32_t k = 0; k < l->n && x->line_of.at[top] == 0; k++) {
            uint32_t p = why_shortest(w, w->part.at[l->at + k]).line;
            if (x->line_of.at[p] == 0)
                vec_push(&x->waiting, p);
        }
        if (x->waiting.len > deep)
            continue;
        if (x->line_of.at[top] == 0)
            put_line(g, x, top);
        x->waiting.len--;
    }
}

bool explain(struct egraph *g, term_id a, term_id b, struct explanation *x,
             uint32_t *line, bool *flip, struct err *e)
{
    *line = UINT32_MAX;
    *flip = false;
    if (!egraph_known(g, a) || !egraph_known(g, b))
        return err_set(e, ERR_CHECK, "term %u is not in the e-graph",
                       egraph_known(g, a) ? b.v : a.v);
    if (!egraph_same(g, a, b))
        return err_set(e, ERR_CHECK, "terms %u and %u are not equal", a.v, b.v);
    if (x->why == NULL) {
        x->why = mem_alloc(sizeof *x->why);
        why_init(x->why, &g->cc, NULL);
        x->why->most_work = MOST_WORK;
    }
    struct why_part p;
    if (!why_read(x->why, e) ||
        !why_explain(x->why, why_term_of(x->why, egraph_node(g, a)),
                     why_term_of(x->why, egraph_node(g, b)), &p, e))
        return false;
    if (p.line == CC_NONE)
        return true;
    p = why_shortest(x->why, p);
    put_lines(g, x, p.line);
    *line = x->line_of.at[p.line] - 1;
    *flip = p.flip;
    return true;
}
