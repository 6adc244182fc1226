// SPDX-License-Identifier: Apache-2.0
// Lines as text; the form is in docs/explanations.md.
#include "egraph/why/core.h"

struct why_printer {
    const struct why *why;
    struct buf *out;
    uint32_t *term, *line; // number + 1, 0: not needed
};

// Lines use earlier ones, and terms have younger numbers than their arguments.
static void mark(struct why_printer *printer, uint32_t last)
{
    const struct why *why = printer->why;
    printer->line[last] = 1;
    for (uint32_t i = last + 1; i-- > 0;) {
        const struct why_line *line = &why->line.at[i];
        if (!printer->line[i])
            continue;
        printer->term[line->a] = printer->term[line->b] = 1;
        for (uint32_t k = 0; k < line->n; k++) {
            struct why_part part = why->part.at[line->at + k];
            bool is_term = line->kind == WHY_RULE && part.arg >= WHY_TERM;
            (is_term ? printer->term : printer->line)[part.line] = 1;
        }
    }
    for (uint32_t i = why->term.len; i-- > 0;) {
        const struct why_term *term = &why->term.at[i];
        for (uint32_t k = 0; printer->term[i] && k < why->graph->op.at[term->op].arity; k++)
            printer->term[why->arg.at[term->at + k]] = 1;
    }
}

static void print_terms(struct why_printer *printer)
{
    const struct why *why = printer->why;
    uint32_t n = 0;
    for (uint32_t i = 0; i < why->term.len; i++) {
        if (!printer->term[i])
            continue;
        const struct why_term *term = &why->term.at[i];
        uint32_t len;
        const char *name = plain_op_name(why->rules, term->op, &len);
        buf_printf(printer->out, "term %u ", n);
        buf_write(printer->out, name, len);
        for (uint32_t k = 0; k < why->graph->op.at[term->op].arity; k++)
            buf_printf(printer->out, " %u", printer->term[why->arg.at[term->at + k]] - 1);
        buf_putc(printer->out, '\n');
        printer->term[i] = ++n;
    }
}

static void print_line(struct why_printer *printer, uint32_t number, const struct why_line *line)
{
    static const char *const kind[] = {
        [WHY_RULE] = "rule", [WHY_CONG] = "cong",   [WHY_TRANS] = "trans",
        [WHY_FOLD] = "fold", [WHY_GIVEN] = "given", [WHY_AC] = "ac",
    };
    const struct why *why = printer->why;
    buf_printf(printer->out, "%s %u %u %u", kind[line->kind], number, printer->term[line->a] - 1,
               printer->term[line->b] - 1);
    if (line->kind == WHY_GIVEN)
        buf_printf(printer->out, " %u", line->x);
    for (uint32_t k = 0; k < line->n; k++) {
        struct why_part part = why->part.at[line->at + k];
        buf_putc(printer->out, ' ');
        if (line->kind == WHY_RULE && part.arg >= WHY_TERM) {
            buf_printf(printer->out, "and:=%u", printer->term[part.line] - 1);
            continue;
        }
        if (line->kind == WHY_CONG)
            buf_printf(printer->out, "%u:", part.arg);
        else if (line->kind == WHY_RULE)
            buf_puts(printer->out, part.arg >= WHY_GUARD ? "if:" : "and:");
        buf_printf(printer->out, "%s%u", part.flip ? "-" : "", printer->line[part.line] - 1);
    }
    if (line->kind == WHY_RULE)
        buf_printf(printer->out, " by %s", why->rules->rule.at[line->x].name);
    buf_putc(printer->out, '\n');
}

void why_print(const struct why *why, uint32_t line, struct buf *out)
{
    if (line == CC_NONE)
        return;
    struct why_printer printer = {why, out, mem_alloc(why->term.len * sizeof *printer.term),
                                  mem_alloc(why->line.len * sizeof *printer.line)};
    mark(&printer, line);
    print_terms(&printer);
    uint32_t n = 0;
    for (uint32_t i = 0; i <= line; i++)
        if (printer.line[i]) {
            print_line(&printer, n, &why->line.at[i]);
            printer.line[i] = ++n;
        }
    mem_free(printer.term);
    mem_free(printer.line);
}

void why_print_term(const struct why *why, uint32_t term, struct buf *out)
{
    struct u32_vec waiting = {0};
    vec_push(&waiting, term);
    bool first = true;
    while (waiting.len > 0) {
        uint32_t t = vec_pop(&waiting), len;
        if (t == CC_NONE) {
            buf_putc(out, ')');
            continue;
        }
        const struct why_term *x = &why->term.at[t];
        const char *name = plain_op_name(why->rules, x->op, &len);
        uint32_t n = why->graph->op.at[x->op].arity;
        buf_puts(out, first ? "" : " ");
        buf_puts(out, n > 0 ? "(" : "");
        buf_write(out, name, len);
        first = false;
        if (n > 0)
            vec_push(&waiting, CC_NONE);
        while (n-- > 0)
            vec_push(&waiting, why->arg.at[x->at + n]);
    }
    vec_release(&waiting);
}
