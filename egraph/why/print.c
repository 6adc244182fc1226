// SPDX-License-Identifier: Apache-2.0
// Lines as text; the form is in docs/explanations.md.
#include "egraph/why/core.h"

struct why_printer {
    const struct why *w;
    struct buf *out;
    uint32_t *term, *line; // number + 1, 0: not needed
};

// Lines use earlier ones, and terms have younger numbers than their arguments.
static void mark(struct why_printer *p, uint32_t last)
{
    const struct why *w = p->w;
    p->line[last] = 1;
    for (uint32_t i = last + 1; i-- > 0;) {
        const struct why_line *l = &w->line.at[i];
        if (!p->line[i])
            continue;
        p->term[l->a] = p->term[l->b] = 1;
        for (uint32_t k = 0; k < l->n; k++) {
            struct why_part q = w->part.at[l->at + k];
            bool is_term = l->kind == WHY_RULE && q.arg >= WHY_TERM;
            (is_term ? p->term : p->line)[q.line] = 1;
        }
    }
    for (uint32_t i = w->term.len; i-- > 0;) {
        const struct why_term *t = &w->term.at[i];
        for (uint32_t k = 0; p->term[i] && k < w->g->op.at[t->op].arity; k++)
            p->term[w->arg.at[t->at + k]] = 1;
    }
}

static void print_terms(struct why_printer *p)
{
    const struct why *w = p->w;
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->term.len; i++) {
        if (!p->term[i])
            continue;
        const struct why_term *t = &w->term.at[i];
        uint32_t len;
        const char *name = plain_op_name(w->rules, t->op, &len);
        buf_printf(p->out, "term %u ", n);
        buf_write(p->out, name, len);
        for (uint32_t k = 0; k < w->g->op.at[t->op].arity; k++)
            buf_printf(p->out, " %u", p->term[w->arg.at[t->at + k]] - 1);
        buf_putc(p->out, '\n');
        p->term[i] = ++n;
    }
}

static void print_line(struct why_printer *p, uint32_t number,
                       const struct why_line *l)
{
    static const char *const kind[] = {
        [WHY_RULE] = "rule", [WHY_CONG] = "cong",   [WHY_TRANS] = "trans",
        [WHY_FOLD] = "fold", [WHY_GIVEN] = "given", [WHY_AC] = "ac",
    };
    const struct why *w = p->w;
    buf_printf(p->out, "%s %u %u %u", kind[l->kind], number, p->term[l->a] - 1,
               p->term[l->b] - 1);
    if (l->kind == WHY_GIVEN)
        buf_printf(p->out, " %u", l->x);
    for (uint32_t k = 0; k < l->n; k++) {
        struct why_part q = w->part.at[l->at + k];
        buf_putc(p->out, ' ');
        if (l->kind == WHY_RULE && q.arg >= WHY_TERM) {
            buf_printf(p->out, "and:=%u", p->term[q.line] - 1);
            continue;
        }
        if (l->kind == WHY_CONG)
            buf_printf(p->out, "%u:", q.arg);
        else if (l->kind == WHY_RULE)
            buf_puts(p->out, q.arg >= WHY_GUARD ? "if:" : "and:");
        buf_printf(p->out, "%s%u", q.flip ? "-" : "", p->line[q.line] - 1);
    }
    if (l->kind == WHY_RULE)
        buf_printf(p->out, " by %s", w->rules->rule.at[l->x].name);
    buf_putc(p->out, '\n');
}

void why_print(const struct why *w, uint32_t line, struct buf *out)
{
    if (line == CC_NONE)
        return;
    struct why_printer p = {w, out, mem_alloc(w->term.len * sizeof *p.term),
                        mem_alloc(w->line.len * sizeof *p.line)};
    mark(&p, line);
    print_terms(&p);
    uint32_t n = 0;
    for (uint32_t i = 0; i <= line; i++)
        if (p.line[i]) {
            print_line(&p, n, &w->line.at[i]);
            p.line[i] = ++n;
        }
    mem_free(p.term);
    mem_free(p.line);
}

void why_print_term(const struct why *w, uint32_t term, struct buf *out)
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
        const struct why_term *x = &w->term.at[t];
        const char *name = plain_op_name(w->rules, x->op, &len);
        uint32_t n = w->g->op.at[x->op].arity;
        buf_puts(out, first ? "" : " ");
        buf_puts(out, n > 0 ? "(" : "");
        buf_write(out, name, len);
        first = false;
        if (n > 0)
            vec_push(&waiting, CC_NONE);
        while (n-- > 0)
            vec_push(&waiting, w->arg.at[x->at + n]);
    }
    vec_release(&waiting);
}
