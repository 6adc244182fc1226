// SPDX-License-Identifier: Apache-2.0
// A record for people: the uses of rules in order, then which of them make
// each result.
#include "proof/program/record.h"

#include "rules/describe/describe.h"
#include "tensor/fold/layout.h"
#include <stdio.h>

// Long terms are cut; the place is what counts.
#define TERM_DEPTH 3
#define TERM_WIDTH 160

// Nodes that printing a term down to this depth writes, at most `most`.
static uint32_t nodes(const struct terms *t, term_id id, unsigned depth,
                      uint32_t most)
{
    uint32_t n = 1;
    for (uint32_t i = 0; depth && i < term_at(t, id)->n_args && n < most; i++)
        n += nodes(t, term_args(t, id)[i], depth - 1, most - n);
    return n;
}

void record_term(const struct record *r, term_id t, struct buf *out)
{
    struct buf b = {0};
    unsigned depth = TERM_DEPTH;
    while (depth && nodes(&r->terms, t, depth, TERM_WIDTH) == TERM_WIDTH)
        depth--;
    term_print(&r->terms, t, depth, &b);
    if (b.len > TERM_WIDTH)
        buf_printf(out, "%.*s ...", TERM_WIDTH, buf_text(&b));
    else
        buf_puts(out, buf_text(&b));
    buf_release(&b);
}

static void put_instance(const struct record *r, const struct instance *in,
                         struct buf *out)
{
    const struct rule *rule = in->rule;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        buf_printf(out, "      %s: rank %u", rule->classes[c].name,
                   in->rank[c]);
        for (uint32_t m = 0; m < rule->n_maps && in->rank[c]; m++) {
            if (rule->maps[m].cls != c || rule->maps[m].index)
                continue;
            buf_printf(out, ", %s = [", rule->maps[m].name);
            for (uint32_t k = 0; k < in->rank[c]; k++)
                buf_printf(out, "%s%lld", k ? ", " : "",
                           (long long)in->map[m][k]);
            buf_putc(out, ']');
        }
        buf_putc(out, '\n');
    }
    for (uint32_t v = 0; v < rule->n_tensors; v++) {
        buf_printf(out, "      %s = ", rule->tensors[v].name);
        record_term(r, in->tensor[v], out);
        buf_putc(out, '\n');
    }
    for (uint32_t v = 0; v < rule->n_scalars; v++) {
        buf_printf(out, "      %s = ", rule->scalars[v].name);
        record_term(r, in->scalar[v], out);
        buf_putc(out, '\n');
    }
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t k = 0; k < instance_indices(in, m); k++) {
            buf_printf(out, "      %s.%u = ", rule->maps[m].name, (unsigned)k);
            record_term(r, in->index[m][k], out);
            buf_putc(out, '\n');
        }
    for (uint32_t v = 0; v < rule->n_opvars; v++)
        buf_printf(out, "      %s = %s\n", rule->opvars[v].name,
                   op_name(in->op[v].op));
}

static void put_step(const struct record *r, uint32_t line, struct buf *out)
{
    const struct record_line *l = &r->lines.at[line];
    buf_printf(out, "line %u: ", line);
    switch (l->kind) {
    case LINE_RULE:
        buf_printf(out, "rule %s (%.12s)%s%s\n", r->rules.at[l->rule].name,
                   r->rules.at[l->rule].hash,
                   l->backward ? ", right to left" : "",
                   r->rules.at[l->rule].assumed ? ", ASSUMED, not proved" : "");
        break;
    case LINE_FOLD:
        buf_puts(out, "constants are folded\n");
        break;
    case LINE_LAYOUT:
        buf_printf(out, "law of layout: %s\n",
                   layout_text((enum layout_kind)l->law));
        break;
    case LINE_CONG:
    case LINE_TRANS:
        break;
    }
    buf_puts(out, "    ");
    record_term(r, l->a, out);
    buf_puts(out, "\n  = ");
    record_term(r, l->b, out);
    buf_putc(out, '\n');
    if (l->kind == LINE_RULE) {
        put_instance(r, l->inst, out);
        if (l->where[0])
            buf_printf(out, "      preconditions: %s\n", l->where);
    }
}

static bool is_step(const struct record_line *l)
{
    return l->kind == LINE_RULE || l->kind == LINE_FOLD ||
           l->kind == LINE_LAYOUT;
}

// Marks the lines that a line uses, itself included.
static void mark_uses(const struct record *r, uint32_t line,
                      struct u32_vec *mark)
{
    vec_clear(mark);
    for (uint32_t i = 0; i < r->lines.len; i++)
        vec_push(mark, i == line);
    for (uint32_t i = line + 1; i-- > 0;) {
        const struct record_line *l = &r->lines.at[i];
        for (uint32_t k = 0; mark->at[i] && k < l->n_parts; k++)
            if (r->parts.at[l->parts_at + k].line < i)
                mark->at[r->parts.at[l->parts_at + k].line] = 1;
    }
}

static void put_goal(const struct record *r, const struct record_goal *g,
                     struct u32_vec *mark, struct buf *out)
{
    buf_printf(out, "function %u, root %u: ", g->function, g->root);
    if (g->line == NONE || g->line >= r->lines.len) {
        buf_puts(out, "unchanged\n");
        return;
    }
    mark_uses(r, g->line, mark);
    buf_puts(out, "equal by lines");
    for (uint32_t i = 0; i <= g->line; i++)
        if (mark->at[i] && is_step(&r->lines.at[i]))
            buf_printf(out, " %u", i);
    buf_printf(out, ", put together in line %u\n", g->line);
}

void record_explain(const struct record *r, struct buf *out)
{
    uint32_t steps = 0, rules = 0;
    for (uint32_t i = 0; i < r->lines.len; i++) {
        steps += is_step(&r->lines.at[i]);
        rules += r->lines.at[i].kind == LINE_RULE;
    }
    buf_printf(out, "Proof record of %s; floats are %s\n", r->input_name,
               r->float_mode == DOMAIN_REAL ? "taken as real numbers"
                                            : "IEEE, bit for bit");
    buf_printf(out, "%u steps, %u of them by %u rules\n\n", steps, rules,
               r->rules.len);
    for (uint32_t i = 0; i < r->rules.len; i++) {
        struct buf text = {0};
        rule_print(r->rules.at[i].rule, &text);
        buf_printf(out, "rule %s, hash %s%s\n%s\n", r->rules.at[i].name,
                   r->rules.at[i].hash,
                   r->rules.at[i].assumed ? " (ASSUMED, not proved)" : "",
                   buf_text(&text));
        buf_release(&text);
    }
    for (uint32_t i = 0; i < r->lines.len; i++)
        if (is_step(&r->lines.at[i]))
            put_step(r, i, out);
    buf_puts(out, "\nWhy the programs are equal (all other lines only put "
                  "equal arguments and chains together)\n");
    struct u32_vec mark = {0};
    for (uint32_t i = 0; i < r->goals.len; i++)
        put_goal(r, &r->goals.at[i], &mark, out);
    vec_release(&mark);
}
