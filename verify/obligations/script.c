// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/script.h"
#include "verify/obligations/session.h"

void script_end(struct session *s, uint32_t mark, const char *title,
                const char *remark)
{
    if (!s->smt.keep_text)
        return;
    struct script_section q = {arena_strdup(s->mem, title),
                               arena_strdup(s->mem, remark), s->asked - 1,
                               smt_save(&s->smt, mark)};
    smt_forget(&s->smt, mark);
    vec_push(&s->script.at, q);
}

uint32_t script_mark(const struct session *s)
{
    return s->script.at.len;
}

void script_drop(struct session *s, uint32_t mark)
{
    if (s->script.at.len > mark)
        s->script.at.len = mark;
}

void script_release(struct script *c)
{
    vec_release(&c->at);
}

// Our names for output indices begin with '@', which the standard keeps for
// solvers; the prefix that replaces it begins no other name.  Quoted symbols
// are changed alike, so that one name stays one name.
static void write_legal(const char *text, struct buf *out)
{
    char before = '(';
    for (const char *p = text; *p != '\0'; before = *p++) {
        bool starts = before == ' ' || before == '(' || before == ')' ||
                      before == '|' || before == '\n';
        if (*p == '@' && starts)
            buf_puts(out, "out!");
        else
            buf_putc(out, *p);
    }
}

void script_query(const struct session *s, uint32_t query, struct buf *out)
{
    write_legal(buf_text(&s->smt.query.at[query].text), out);
}

// The first query with this text, and when it was written (from 1; 0: not yet).
struct script_numbering {
    VEC(uint32_t) number; // per query
    uint32_t n;
};

static uint32_t *number_of(const struct smt *s, struct script_numbering *w, uint32_t id)
{
    const struct smt_query *q = &s->query.at[id];
    for (uint32_t i = 0; i < id; i++) {
        const struct smt_query *o = &s->query.at[i];
        if (w->number.at[i] != 0 && o->text.len == q->text.len &&
            o->unsat == q->unsat &&
            memcmp(o->text.at, q->text.at, q->text.len) == 0)
            return &w->number.at[i];
    }
    return &w->number.at[id];
}

static void write_query(struct session *s, struct script_numbering *w, uint32_t id)
{
    struct buf *out = s->o.smt2;
    const struct smt_query *q = &s->smt.query.at[id];
    uint32_t *number = number_of(&s->smt, w, id);
    if (*number != 0) {
        buf_printf(out, "; query %u once more\n", (unsigned)*number);
        return;
    }
    *number = ++w->n;
    buf_printf(out, "; query %u%s%s\n(push 1)\n(set-info :status %s)\n",
               (unsigned)*number, q->note[0] == '\0' ? "" : ": ", q->note,
               q->unsat ? "unsat" : "sat");
    write_legal(buf_text(&q->text), out);
    buf_puts(out, "(check-sat)\n(pop 1)\n");
}

// A comment is one line.
static void write_comment(const char *mark, const char *text, struct buf *out)
{
    buf_puts(out, mark);
    for (const char *p = text; *p != '\0'; p++)
        buf_putc(out, *p == '\n' || *p == '\r' ? ' ' : *p);
    buf_putc(out, '\n');
}

void script_write(struct session *s)
{
    struct buf *out = s->o.smt2;
    struct script_numbering w = {.n = 0};
    if (out == NULL)
        return;
    for (uint32_t i = 0; i < s->smt.query.len; i++)
        vec_push(&w.number, 0);
    buf_printf(out,
               "; %s: the queries that its verdicts rest on.\n"
               "; Every answer should be the :status in front of it.\n"
               "; mul_A_B stands for a product, divN for a quotient, ifN for a "
               "choice of integers;\n"
               "; what is used of them is asserted.\n"
               "(set-logic ALL)\n",
               s->r->name);
    for (uint32_t i = 0; i < s->script.at.len; i++) {
        const struct script_section *q = &s->script.at.at[i];
        buf_putc(out, '\n');
        write_comment("; == ", q->title, out);
        if (q->remark[0] != '\0')
            write_comment("; ", q->remark, out);
        for (uint32_t k = 0; k < q->queries.n; k++)
            write_query(s, &w, s->smt.saved.at[q->queries.at + k]);
    }
    vec_release(&w.number);
}
