// SPDX-License-Identifier: Apache-2.0
// A record for people: the uses of rules in order, then which of them make
// each result.
#include "proof/program/record.h"

#include "proof/limits.h"
#include "rules/describe/describe.h"
#include "tensor/fold/layout.h"
#include <stdio.h>

// Nodes that printing a term down to this depth writes, at most `most`.
static uint32_t nodes(const struct terms *terms, term_id id, unsigned depth, uint32_t most)
{
    uint32_t n = 1;
    for (uint32_t i = 0; depth && i < term_at(terms, id)->n_args && n < most; i++)
        n += nodes(terms, term_args(terms, id)[i], depth - 1, most - n);
    return n;
}

void record_term(const struct record *record, term_id term, struct buf *out)
{
    struct buf buf = {0};
    unsigned depth = PROOF_TERM_DEPTH;
    while (depth && nodes(&record->terms, term, depth, PROOF_TERM_SHOWN) == PROOF_TERM_SHOWN)
        depth--;
    term_print(&record->terms, term, depth, &buf);
    if (buf.len > PROOF_TERM_SHOWN)
        buf_printf(out, "%.*s ...", PROOF_TERM_SHOWN, buf_text(&buf));
    else
        buf_puts(out, buf_text(&buf));
    buf_release(&buf);
}

static void put_instance(const struct record *record, const struct instance *in, struct buf *out)
{
    const struct rule *rule = in->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        buf_printf(out, "      %s: rank %u", rule->classes[c].name, in->rank[c]);
        for (uint32_t m = 0; m < rule->n_maps && in->rank[c]; m++) {
            if (rule->maps[m].cls != c || rule->maps[m].index)
                continue;
            buf_printf(out, ", %s = [", rule->maps[m].name);
            for (uint32_t k = 0; k < in->rank[c]; k++)
                buf_printf(out, "%s%lld", k ? ", " : "", (long long)in->map[m][k]);
            buf_putc(out, ']');
        }
        buf_putc(out, '\n');
    }
    for (uint32_t v = 0; v < rule->n_tensors; v++) {
        buf_printf(out, "      %s = ", rule->tensors[v].name);
        record_term(record, in->tensor[v], out);
        buf_putc(out, '\n');
    }
    for (uint32_t v = 0; v < rule->n_scalars; v++) {
        buf_printf(out, "      %s = ", rule->scalars[v].name);
        record_term(record, in->scalar[v], out);
        buf_putc(out, '\n');
    }
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++) {
            buf_printf(out, "      %s.%u = ", rule->maps[m].name, (unsigned)k);
            record_term(record, in->index[m][k], out);
            buf_putc(out, '\n');
        }
    for (uint32_t v = 0; v < rule->n_opvars; v++)
        buf_printf(out, "      %s = %s\n", rule->opvars[v].name, op_name(in->op[v].op));
}

static void put_step(const struct record *record, uint32_t line, struct buf *out)
{
    const struct record_line *l = &record->lines.at[line];
    buf_printf(out, "line %u: ", line);
    switch (l->kind) {
    case LINE_RULE:
        buf_printf(out, "rule %s (%.12s)%s%s\n", record->rules.at[l->rule].name,
                   record->rules.at[l->rule].hash, l->backward ? ", right to left" : "",
                   record->rules.at[l->rule].assumed ? ", ASSUMED, not proved" : "");
        break;
    case LINE_FOLD:
        buf_puts(out, "constants are folded\n");
        break;
    case LINE_LAYOUT:
        buf_printf(out, "law of layout: %s\n", layout_text((enum layout_kind)l->law));
        break;
    case LINE_CONG:
    case LINE_TRANS:
        break;
    }
    buf_puts(out, "    ");
    record_term(record, l->a, out);
    buf_puts(out, "\n  = ");
    record_term(record, l->b, out);
    buf_putc(out, '\n');
    if (l->kind == LINE_RULE) {
        put_instance(record, l->inst, out);
        if (l->where[0])
            buf_printf(out, "      preconditions: %s\n", l->where);
    }
}

static bool is_step(const struct record_line *line)
{
    return line->kind == LINE_RULE || line->kind == LINE_FOLD || line->kind == LINE_LAYOUT;
}

// Marks the lines that a line uses, itself included.
static void mark_uses(const struct record *record, uint32_t line, struct u32_vec *mark)
{
    vec_clear(mark);
    for (uint32_t i = 0; i < record->lines.len; i++)
        vec_push(mark, i == line);
    for (uint32_t i = line + 1; i-- > 0;) {
        const struct record_line *l = &record->lines.at[i];
        for (uint32_t k = 0; mark->at[i] && k < l->n_parts; k++)
            if (record->parts.at[l->parts_at + k].line < i)
                mark->at[record->parts.at[l->parts_at + k].line] = 1;
    }
}

static void put_goal(const struct record *record, const struct record_goal *goal,
                     struct u32_vec *mark, struct buf *out)
{
    buf_printf(out, "function %u, root %u: ", goal->function, goal->root);
    if (goal->line == NONE || goal->line >= record->lines.len) {
        buf_puts(out, "unchanged\n");
        return;
    }
    mark_uses(record, goal->line, mark);
    buf_puts(out, "equal by lines");
    for (uint32_t i = 0; i <= goal->line; i++)
        if (mark->at[i] && is_step(&record->lines.at[i]))
            buf_printf(out, " %u", i);
    buf_printf(out, ", put together in line %u\n", goal->line);
}

void record_explain(const struct record *record, struct buf *out)
{
    uint32_t steps = 0, rules = 0;
    for (uint32_t i = 0; i < record->lines.len; i++) {
        steps += is_step(&record->lines.at[i]);
        rules += record->lines.at[i].kind == LINE_RULE;
    }
    buf_printf(out, "Proof record of %s; floats are %s\n", record->input_name,
               record->float_mode == DOMAIN_REAL ? "taken as real numbers" : "IEEE, bit for bit");
    buf_printf(out, "%u steps, %u of them by %u rules\n\n", steps, rules, record->rules.len);
    for (uint32_t i = 0; i < record->rules.len; i++) {
        struct buf text = {0};
        rule_print(record->rules.at[i].rule, &text);
        buf_printf(out, "rule %s, hash %s%s\n%s\n", record->rules.at[i].name,
                   record->rules.at[i].hash,
                   record->rules.at[i].assumed ? " (ASSUMED, not proved)" : "", buf_text(&text));
        buf_release(&text);
    }
    for (uint32_t i = 0; i < record->lines.len; i++)
        if (is_step(&record->lines.at[i]))
            put_step(record, i, out);
    buf_puts(out, "\nWhy the programs are equal (all other lines only put "
                  "equal arguments and chains together)\n");
    struct u32_vec mark = {0};
    for (uint32_t i = 0; i < record->goals.len; i++)
        put_goal(record, &record->goals.at[i], &mark, out);
    vec_release(&mark);
}
