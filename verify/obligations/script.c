// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/script.h"
#include "verify/obligations/session.h"

void script_end(struct session *session, uint32_t mark, const char *title, const char *remark)
{
    if (!session->smt.keep_text)
        return;
    struct script_section section = {arena_strdup(session->mem, title),
                                     arena_strdup(session->mem, remark), session->asked - 1,
                                     smt_save(&session->smt, mark)};
    smt_forget(&session->smt, mark);
    vec_push(&session->script.at, section);
}

uint32_t script_mark(const struct session *session)
{
    return session->script.at.len;
}

void script_drop(struct session *session, uint32_t mark)
{
    if (session->script.at.len > mark)
        session->script.at.len = mark;
}

void script_release(struct script *script)
{
    vec_release(&script->at);
}

// Our names for output indices begin with '@', which the standard reserves for solvers.  No
// other name begins with the prefix that replaces it.  Quoted symbols change in the same
// way, so that one name stays one name.
static void write_legal(const char *text, struct buf *out)
{
    char before = '(';
    for (const char *string = text; *string != '\0'; before = *string++) {
        bool starts =
            before == ' ' || before == '(' || before == ')' || before == '|' || before == '\n';
        if (*string == '@' && starts)
            buf_puts(out, "out!");
        else
            buf_putc(out, *string);
    }
}

void script_query(const struct session *session, uint32_t query, struct buf *out)
{
    write_legal(buf_text(&session->smt.query.at[query].text), out);
}

// The first query with this text, and its number in the script (from 1; 0: not yet written).
struct script_numbering {
    VEC(uint32_t) number; // per query
    uint32_t n;
};

static uint32_t *number_of(const struct smt *smt, struct script_numbering *numbering, uint32_t id)
{
    const struct smt_query *smt_query = &smt->query.at[id];
    for (uint32_t i = 0; i < id; i++) {
        const struct smt_query *o = &smt->query.at[i];
        if (numbering->number.at[i] != 0 && o->text.len == smt_query->text.len &&
            o->unsat == smt_query->unsat &&
            memcmp(o->text.at, smt_query->text.at, smt_query->text.len) == 0)
            return &numbering->number.at[i];
    }
    return &numbering->number.at[id];
}

static void write_query(struct session *session, struct script_numbering *numbering, uint32_t id)
{
    struct buf *out = session->options.smt2;
    const struct smt_query *smt_query = &session->smt.query.at[id];
    uint32_t *number = number_of(&session->smt, numbering, id);
    if (*number != 0) {
        buf_printf(out, "; query %u once more\n", (unsigned)*number);
        return;
    }
    *number = ++numbering->n;
    buf_printf(out, "; query %u%s%s\n(push 1)\n(set-info :status %s)\n", (unsigned)*number,
               smt_query->note[0] == '\0' ? "" : ": ", smt_query->note,
               smt_query->unsat ? "unsat" : "sat");
    write_legal(buf_text(&smt_query->text), out);
    buf_puts(out, "(check-sat)\n(pop 1)\n");
}

// A comment is one line.
static void write_comment(const char *mark, const char *text, struct buf *out)
{
    buf_puts(out, mark);
    for (const char *string = text; *string != '\0'; string++)
        buf_putc(out, *string == '\n' || *string == '\r' ? ' ' : *string);
    buf_putc(out, '\n');
}

void script_write(struct session *session)
{
    struct buf *out = session->options.smt2;
    struct script_numbering numbering = {.n = 0};
    if (out == NULL)
        return;
    for (uint32_t i = 0; i < session->smt.query.len; i++)
        vec_push(&numbering.number, 0);
    buf_printf(out,
               "; %s: the queries that its verdicts rest on.\n"
               "; Every answer should be the :status in front of it.\n"
               "; mul_A_B stands for a product, divN for a quotient, ifN for a "
               "choice of integers;\n"
               "; what is used of them is asserted.\n"
               "(set-logic ALL)\n",
               session->rule->name);
    for (uint32_t i = 0; i < session->script.at.len; i++) {
        const struct script_section *section = &session->script.at.at[i];
        buf_putc(out, '\n');
        write_comment("; == ", section->title, out);
        if (section->remark[0] != '\0')
            write_comment("; ", section->remark, out);
        for (uint32_t k = 0; k < section->queries.n; k++)
            write_query(session, &numbering, session->smt.saved.at[section->queries.at + k]);
    }
    vec_release(&numbering.number);
}
