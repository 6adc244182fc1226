// SPDX-License-Identifier: Apache-2.0
#include "api/records/recorder.h"

#include "tensor/program/import.h"

static term_id imported(struct recorder *recorder, term_id term)
{
    return term_import(&recorder->record->terms, recorder->graph->terms, &recorder->memo, term);
}

static bool rule_number(struct recorder *recorder, uint32_t rule, uint32_t *out, struct err *err)
{
    const struct used_rule *used = &recorder->rules[rule];
    while (recorder->rule_map.len <= rule)
        vec_push(&recorder->rule_map, 0);
    if (recorder->rule_map.at[rule] == 0) {
        if (!record_add_rule(recorder->record, used->name, used->canonical, used->assumed, out,
                             err))
            return false;
        recorder->rule_map.at[rule] = *out + 1;
    }
    *out = recorder->rule_map.at[rule] - 1;
    return true;
}

// A use of a rule; its instance's terms come along.
static bool rule_line(struct recorder *recorder, const struct proof_line *from,
                      struct record_line *to, struct err *err)
{
    const struct instance *in = recorder->instance(recorder->ctx, from->y);
    if (!rule_number(recorder, from->x, &to->rule, err))
        return false;
    for (uint32_t i = 0; i < in->rule->n_tensors; i++)
        (void)imported(recorder, in->tensor[i]);
    for (uint32_t i = 0; i < in->rule->n_scalars; i++)
        (void)imported(recorder, in->scalar[i]);
    for (uint32_t m = 0; m < in->rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++)
            (void)imported(recorder, in->index[m][k]);
    to->kind = LINE_RULE;
    to->backward = recorder->rules[from->x].backward;
    to->inst = record_copy_instance(recorder->record, to->rule, in, &recorder->memo);
    to->where = where_text(to->inst, &recorder->record->terms, &recorder->record->mem);
    return true;
}

// True if no line says yet what this call is.
static bool note_call(struct recorder *recorder, term_id call)
{
    while (recorder->called.len <= call.v)
        vec_push(&recorder->called, 0);
    bool news = recorder->called.at[call.v] == 0;
    recorder->called.at[call.v] = 1;
    return news;
}

static bool add_line(struct recorder *recorder, const struct proof_line *from, struct err *err)
{
    static const enum line_kind kinds[] = {
        [PROOF_RULE] = LINE_RULE,       [PROOF_CONG] = LINE_CONG,     [PROOF_FOLD] = LINE_FOLD,
        [PROOF_LAYOUT] = LINE_LAYOUT,   [PROOF_TRANS] = LINE_TRANS,   [PROOF_CALL] = LINE_CALL,
        [PROOF_CARRIED] = LINE_CARRIED, [PROOF_BRANCH] = LINE_BRANCH, [PROOF_TWIN] = LINE_TWIN,
        [PROOF_COMPLEX] = LINE_COMPLEX, [PROOF_REFINE] = LINE_REFINE, [PROOF_SLICES] = LINE_SLICES,
    };
    struct record_line line = {.kind = kinds[from->kind],
                               .a = imported(recorder, from->a),
                               .b = imported(recorder, from->b),
                               .law = from->x,
                               .first_region = from->x,
                               .index = from->kind == PROOF_SLICES ? from->x : from->y,
                               .parts_at = recorder->record->parts.len,
                               .n_parts = from->n};
    if (from->kind == PROOF_CALL)
        (void)note_call(recorder, line.a);
    if (from->kind == PROOF_CARRIED || from->kind == PROOF_TWIN) {
        line.loop = imported(recorder, (term_id){from->x});
        vec_push(&recorder->loops, ((term_id){from->x}));
    }
    if (from->kind == PROOF_RULE) {
        line.n_parts = 0;
        if (!rule_line(recorder, from, &line, err))
            return false;
    }
    for (uint32_t k = 0; k < line.n_parts; k++) {
        const struct proof_part *p = &recorder->proof.part.at[from->at + k];
        struct line_part part = {recorder->line_map.at[p->line], p->arg, p->flip};
        vec_push(&recorder->record->parts, part);
    }
    vec_push(&recorder->record->lines, line);
    return true;
}

// Proves in = out; *line is NONE for one and the same term.
static bool prove_equal(struct recorder *recorder, term_id in, term_id out, uint32_t *line,
                        bool *flip, struct err *err)
{
    *line = NONE;
    *flip = false;
    if (in.v == out.v)
        return true;
    struct proof_part part;
    if (!explain(recorder->graph, in, out, &recorder->proof, &part, err))
        return false;
    *line = part.line;
    *flip = part.flip;
    while (recorder->line_map.len < recorder->proof.line.len) {
        if (!add_line(recorder, &recorder->proof.line.at[recorder->line_map.len], err))
            return false;
        vec_push(&recorder->line_map, recorder->record->lines.len - 1);
    }
    if (*line != NONE)
        *line = recorder->line_map.at[*line];
    return true;
}

static void add_goal(struct recorder *recorder, const struct root_change *change, uint32_t line,
                     bool flip)
{
    struct record_goal goal = {.function = change->function,
                               .root = change->root,
                               .input = imported(recorder, change->in),
                               .output = imported(recorder, change->out),
                               .line = line,
                               .flip = flip};
    vec_push(&recorder->record->goals, goal);
}

bool recorder_goal(struct recorder *recorder, const struct root_change *change, struct err *err)
{
    uint32_t line;
    bool flip;
    if (!prove_equal(recorder, change->in, change->out, &line, &flip, err))
        return false;
    add_goal(recorder, change, line, flip);
    return true;
}

bool recorder_effect(struct recorder *recorder, const struct root_change *change, struct err *err)
{
    term_id in = change->in, out = change->out;
    VEC(struct line_part) parts = {0};
    uint32_t n = term_at(recorder->graph->terms, in)->n_args;
    bool ok = true;
    for (uint32_t k = 0; ok && k < n; k++) {
        struct line_part part = {.arg = k};
        ok = prove_equal(recorder, term_args(recorder->graph->terms, in)[k],
                         term_args(recorder->graph->terms, out)[k], &part.line, &part.flip, err);
        if (ok && part.line != NONE)
            vec_push(&parts, part);
    }
    uint32_t line = NONE;
    if (ok && in.v != out.v) {
        struct record_line l = {.kind = LINE_CONG,
                                .a = imported(recorder, in),
                                .b = imported(recorder, out),
                                .parts_at = recorder->record->parts.len,
                                .n_parts = parts.len};
        for (uint32_t k = 0; k < parts.len; k++)
            vec_push(&recorder->record->parts, parts.at[k]);
        line = recorder->record->lines.len;
        vec_push(&recorder->record->lines, l);
    }
    if (ok)
        add_goal(recorder, change, line, false);
    vec_release(&parts);
    return ok;
}

void recorder_call(struct recorder *recorder, term_id call, term_id copy, uint32_t first_region)
{
    struct record_line line = {.kind = LINE_CALL,
                               .a = imported(recorder, call),
                               .b = imported(recorder, copy),
                               .first_region = first_region,
                               .parts_at = recorder->record->parts.len};
    if (note_call(recorder, line.a))
        vec_push(&recorder->record->lines, line);
}

void recorder_release(struct recorder *recorder)
{
    vec_release(&recorder->called);
    vec_release(&recorder->loops);
    explanation_release(&recorder->proof);
    vec_release(&recorder->memo);
    vec_release(&recorder->rule_map);
    vec_release(&recorder->line_map);
}
