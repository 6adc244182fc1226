// SPDX-License-Identifier: Apache-2.0
#include "cli/records/simplify.h"

#include "tensor/program/import.h"

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
    for (uint32_t m = 0; m < in->rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            (void)imported(w, in->index[m][k]);
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
        struct line_part part = {w->line_map.at[p->line], p->arg, p->flip};
        vec_push(&w->r->parts, part);
    }
    vec_push(&w->r->lines, l);
    return true;
}

// Proves in = out; *line is NONE for one and the same term.
static bool prove_equal(struct recorder *w, term_id in, term_id out,
                        uint32_t *line, bool *flip, struct err *e)
{
    *line = NONE;
    *flip = false;
    if (in.v == out.v)
        return true;
    if (!explain(w->g, in, out, &w->x, line, flip, e))
        return false;
    while (w->line_map.len < w->x.line.len) {
        if (!add_line(w, &w->x.line.at[w->line_map.len], e))
            return false;
        vec_push(&w->line_map, w->r->lines.len - 1);
    }
    if (*line != NONE)
        *line = w->line_map.at[*line];
    return true;
}

static void add_goal(struct recorder *w, uint32_t function, uint32_t root,
                     term_id in, term_id out, uint32_t line, bool flip)
{
    struct record_goal goal = {.function = function,
                               .root = root,
                               .input = imported(w, in),
                               .output = imported(w, out),
                               .line = line,
                               .flip = flip};
    vec_push(&w->r->goals, goal);
}

bool recorder_goal(struct recorder *w, uint32_t function, uint32_t root,
                   term_id in, term_id out, struct err *e)
{
    uint32_t line;
    bool flip;
    if (!prove_equal(w, in, out, &line, &flip, e))
        return false;
    add_goal(w, function, root, in, out, line, flip);
    return true;
}

bool recorder_effect(struct recorder *w, uint32_t function, uint32_t root,
                     term_id in, term_id out, struct err *e)
{
    VEC(struct line_part) parts = {0};
    uint32_t n = term_at(w->g->terms, in)->n_args;
    bool ok = true;
    for (uint32_t k = 0; ok && k < n; k++) {
        struct line_part p = {.arg = k};
        ok = prove_equal(w, term_args(w->g->terms, in)[k],
                         term_args(w->g->terms, out)[k], &p.line, &p.flip, e);
        if (ok && p.line != NONE)
            vec_push(&parts, p);
    }
    uint32_t line = NONE;
    if (ok && in.v != out.v) {
        struct record_line l = {.kind = LINE_CONG,
                                .a = imported(w, in),
                                .b = imported(w, out),
                                .parts_at = w->r->parts.len,
                                .n_parts = parts.len};
        for (uint32_t k = 0; k < parts.len; k++)
            vec_push(&w->r->parts, parts.at[k]);
        line = w->r->lines.len;
        vec_push(&w->r->lines, l);
    }
    if (ok)
        add_goal(w, function, root, in, out, line, false);
    vec_release(&parts);
    return ok;
}

void recorder_release(struct recorder *w)
{
    explanation_release(&w->x);
    vec_release(&w->memo);
    vec_release(&w->rule_map);
    vec_release(&w->line_map);
}
