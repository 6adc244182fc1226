// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/confirm.h"
#include "base/clock.h"

#define SECONDS_PER_QUERY 5.0
#define LEAST_SECONDS 5.0

// Queries with one text are asked once.
static uint32_t known(const struct confirm *c, uint32_t query)
{
    const struct smt *m = &c->s->smt;
    const struct buf *t = &m->query.at[query].text;
    for (uint32_t i = 0; i < c->asked.len; i++) {
        const struct buf *o = &m->query.at[c->asked.at[i]].text;
        if (o->len == t->len && memcmp(o->at, t->at, t->len) == 0)
            return i;
    }
    return NONE;
}

void confirm_init(struct confirm *c, struct session *s)
{
    *c = (struct confirm){.s = s};
    for (uint32_t i = 0; i < s->smt.query.len; i++)
        vec_push(&c->number, NONE);
    for (uint32_t i = 0; i < s->script.at.len; i++) {
        struct smt_slice q = s->script.at.at[i].queries;
        for (uint32_t k = 0; k < q.n; k++) {
            uint32_t id = s->smt.saved.at[q.at + k];
            if (c->number.at[id] != NONE)
                continue;
            c->number.at[id] = known(c, id);
            if (c->number.at[id] != NONE)
                continue;
            c->number.at[id] = c->asked.len;
            vec_push(&c->asked, id);
        }
    }
    uint32_t n = c->asked.len;
    struct buf *text = mem_alloc((n + 1) * sizeof *text);
    const struct buf **at = mem_alloc((n + 1) * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        script_query(s, c->asked.at[i], &text[i]);
        at[i] = &text[i];
    }
    double left = s->smt.deadline - clock_wall();
    struct second_solver_options o = {.program = s->o.solver_program,
                               .seconds =
                                   left < LEAST_SECONDS ? LEAST_SECONDS : left,
                               .per_query = SECONDS_PER_QUERY};
    second_solver_ask(at, n, &o, &c->second);
    for (uint32_t i = 0; i < n; i++)
        buf_release(&text[i]);
    mem_free(text);
    mem_free(at);
}

void confirm_release(struct confirm *c)
{
    second_solver_release(&c->second);
    vec_release(&c->asked);
    vec_release(&c->number);
}

static enum smt_answer answer(const struct confirm *c, uint32_t id)
{
    return (enum smt_answer)c->second.answer.at[c->number.at[id]];
}

static const char *name_of(const struct confirm *c)
{
    if (c->second.name.len > 0)
        return buf_text(&c->second.name);
    const char *path = c->s->o.solver_program;
    const char *last = path == NULL ? NULL : strrchr(path, '/');
    return path == NULL ? "cvc5" : last == NULL ? path : last + 1;
}

static bool concerns(const struct script_section *q, enum domain d)
{
    return q->domain < 0 || q->domain == (int)d;
}

enum confirmed confirm_domain(struct confirm *c, enum domain d,
                              const char **why)
{
    struct session *s = c->s;
    enum confirmed out = CONFIRMED;
    if (c->second.error != NULL) { // also where there is no query
        *why = session_text(s, "%s: %s", name_of(c), c->second.error);
        return UNCONFIRMED;
    }
    for (uint32_t i = 0; i < s->script.at.len; i++) {
        const struct script_section *q = &s->script.at.at[i];
        for (uint32_t k = 0; k < q->queries.n && concerns(q, d); k++) {
            uint32_t id = s->smt.saved.at[q->queries.at + k];
            bool unsat = s->smt.query.at[id].unsat;
            enum smt_answer a = answer(c, id);
            if (a == (unsat ? SMT_SAT : SMT_UNSAT))
                return CONTRADICTED;
            // A model that the solver gave was evaluated: it is one.
            if (a != SMT_UNKNOWN || !unsat || out == UNCONFIRMED)
                continue;
            out = UNCONFIRMED;
            *why = session_text(s, "%s: %s: %s", name_of(c),
                                c->second.timeout ? "time" : "no answer",
                                q->title);
        }
    }
    return out;
}

// The kind of a section: its title up to the colon.
static size_t kind_of(const struct script_section *q)
{
    return strcspn(q->title, ":");
}

static bool same_kind(const struct script_section *a,
                      const struct script_section *b)
{
    return kind_of(a) == kind_of(b) &&
           memcmp(a->title, b->title, kind_of(a)) == 0;
}

const char *confirm_text(struct confirm *c, enum domain d)
{
    struct session *s = c->s;
    struct buf b = {0};
    buf_puts(&b, name_of(c));
    size_t before = b.len;
    if (c->second.error != NULL)
        buf_printf(&b, ": %s", c->second.error);
    for (uint32_t i = 0; i < s->script.at.len; i++) {
        const struct script_section *q = &s->script.at.at[i];
        uint32_t n = 0, same = 0;
        bool first = true;
        for (uint32_t j = 0; j < i; j++)
            first &= !same_kind(q, &s->script.at.at[j]);
        for (uint32_t j = i; j < s->script.at.len && first; j++) {
            const struct script_section *o = &s->script.at.at[j];
            if (!same_kind(q, o) || !concerns(o, d))
                continue;
            for (uint32_t k = 0; k < o->queries.n; k++, n++) {
                uint32_t id = s->smt.saved.at[o->queries.at + k];
                same += answer(c, id) ==
                        (s->smt.query.at[id].unsat ? SMT_UNSAT : SMT_SAT);
            }
        }
        if (n == 0)
            continue;
        buf_printf(&b, "%s%.*s %u of %u", b.len == before ? ": " : ", ",
                   (int)kind_of(q), q->title, (unsigned)same, (unsigned)n);
    }
    if (b.len == before)
        buf_puts(&b, ": no queries, by normal forms");
    const char *out = arena_strdup(s->mem, buf_text(&b));
    buf_release(&b);
    return out;
}
