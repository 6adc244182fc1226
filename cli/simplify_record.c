// SPDX-License-Identifier: Apache-2.0
#include "cli/simplify_record.h"

#include "tensor/import.h"

static term_id imported(struct recorder *w, term_id t)
{
    return term_import(&w->r->terms, w->g->terms, &w->memo, t);
}

static bool rule_number(struct recorder *w, uint32_t rule, uint32_t *out,
                        struct err *e)
{
    const struct used_rule *u = &w->rules[rule];
    while (w->rule_map.len <= rule)
        vec_push(&w->rule_map, 0);
    if (w->rule_map.at[rule] == 0) {
        if (!record_add_rule(w->r, u->name, u->canonical, u->assumed, out, e))
            return false;
        w->rule_map.at[rule] = *out + 1;
    }
    *out = w->rule_map.at[rule] - 1;
    return true;
}

// A use of a rule; its instance's terms come along.
static bool rule_line(struct recorder *w, const struct proof_line *from,
                      struct record_line *to, struct err *e)
{
    const struct instance *in = w->instance(w->ctx, from->y);
    if (!rule_number(w, from->x, &to->rule, e))
        return false;
    for (uint32_t i = 0; i < in->rule->n_tensors; i++)
        (void)imported(w, in->tensor[i]);
    for (uint32_t i = 0; i < in->rule->n_scalars; i++)
        (void)imported(w, in->scalar[i]);
    to->kind = LINE_RULE;
    to->backward = w->rules[from->x].backward;
    to->inst = record_copy_instance(w->r, to->rule, in, &w->memo);
    to->where = where_text(to->inst, &w->r->terms, &w->r->mem);
    return true;
}

static bool add_line(struct recorder *w, const struct proof_line *from,
                     struct err *e)
{
    static const enum line_kind kinds[] = {
        [PROOF_RULE] = LINE_RULE,   [PROOF_CONG] = LINE_CONG,
        [PROOF_FOLD] = LINE_FOLD,   [PROOF_LAYOUT] = LINE_LAYOUT,
        [PROOF_TRANS] = LINE_TRANS,
    };
    struct record_line l = {.kind = kinds[from->kind],
                            .a = imported(w, from->a),
                            .b = imported(w, from->b),
                            .law = from->x,
                            .parts_at = w->r->parts.len,
                            .n_parts = from->n};
    if (from->kind == PROOF_RULE) {
        l.n_parts = 0;
        if (!rule_line(w, from, &l, e))
            return false;
    }
    for (uint32_t k = 0; k < l.n_parts; k++) {
        const struct proof_part *p = &w->x.part.at[from->at + k];
        struct line_part part = {p->line, p->arg, p->flip};
        vec_push(&w->r->parts, part);
    }
    vec_push(&w->r->lines, l);
    return true;
}

bool recorder_goal(struct recorder *w, uint32_t function, uint32_t root,
                   term_id in, term_id out, struct err *e)
{
    struct record_goal goal = {.function = function,
                               .root = root,
                               .input = imported(w, in),
                               .output = imported(w, out),
                               .line = NONE};
    if (in.v != out.v &&
        !explain(w->g, in, out, &w->x, &goal.line, &goal.flip, e))
        return false;
    for (; w->done < w->x.line.len; w->done++)
        if (!add_line(w, &w->x.line.at[w->done], e))
            return false;
    vec_push(&w->r->goals, goal);
    return true;
}

void recorder_release(struct recorder *w)
{
    explanation_release(&w->x);
    vec_release(&w->memo);
    vec_release(&w->rule_map);
}
