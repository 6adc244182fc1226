// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/confirm.h"
#include "verify/limits.h"
#include "base/clock.h"

// Queries with equal texts are asked once.
static uint32_t known(const struct confirm *confirm, uint32_t query)
{
    const struct smt *smt = &confirm->session->smt;
    const struct buf *buf = &smt->query.at[query].text;
    for (uint32_t i = 0; i < confirm->asked.len; i++) {
        const struct buf *o = &smt->query.at[confirm->asked.at[i]].text;
        if (o->len == buf->len && memcmp(o->at, buf->at, buf->len) == 0)
            return i;
    }
    return NONE;
}

void confirm_init(struct confirm *confirm, struct session *session)
{
    *confirm = (struct confirm){.session = session};
    for (uint32_t i = 0; i < session->smt.query.len; i++)
        vec_push(&confirm->number, NONE);
    for (uint32_t i = 0; i < session->script.at.len; i++) {
        struct smt_slice slice = session->script.at.at[i].queries;
        for (uint32_t k = 0; k < slice.n; k++) {
            uint32_t id = session->smt.saved.at[slice.at + k];
            if (confirm->number.at[id] != NONE)
                continue;
            confirm->number.at[id] = known(confirm, id);
            if (confirm->number.at[id] != NONE)
                continue;
            confirm->number.at[id] = confirm->asked.len;
            vec_push(&confirm->asked, id);
        }
    }
    uint32_t n = confirm->asked.len;
    struct buf *text = mem_alloc((n + 1) * sizeof *text);
    const struct buf **at = mem_alloc((n + 1) * sizeof *at);
    for (uint32_t i = 0; i < n; i++) {
        script_query(session, confirm->asked.at[i], &text[i]);
        at[i] = &text[i];
    }
    double left =
        session->smt.deadline == 0 ? VERIFY_CONFIRM_SECONDS : session->smt.deadline - clock_wall();
    struct second_solver_options second_solver_options = {
        .program = session->options.solver_program,
        .seconds = left < VERIFY_CONFIRM_LEAST_SECONDS ? VERIFY_CONFIRM_LEAST_SECONDS : left,
        .query_steps = VERIFY_CONFIRM_QUERY_STEPS};
    second_solver_ask(at, n, &second_solver_options, &confirm->second);
    for (uint32_t i = 0; i < n; i++)
        buf_release(&text[i]);
    mem_free(text);
    mem_free(at);
}

void confirm_release(struct confirm *confirm)
{
    second_solver_release(&confirm->second);
    vec_release(&confirm->asked);
    vec_release(&confirm->number);
}

static enum smt_answer answer(const struct confirm *confirm, uint32_t id)
{
    return (enum smt_answer)confirm->second.answer.at[confirm->number.at[id]];
}

static const char *name_of(const struct confirm *confirm)
{
    if (confirm->second.name.len > 0)
        return buf_text(&confirm->second.name);
    const char *path = confirm->session->options.solver_program;
    const char *last = path == NULL ? NULL : strrchr(path, '/');
    return path == NULL ? "cvc5" : last == NULL ? path : last + 1;
}

static bool concerns(const struct script_section *section, enum domain domain)
{
    return section->domain < 0 || section->domain == (int)domain;
}

enum confirmed confirm_domain(struct confirm *confirm, enum domain domain, const char **why)
{
    struct session *session = confirm->session;
    enum confirmed out = CONFIRMED;
    if (confirm->second.error != NULL) { // also where there is no query
        *why = session_text(session, "%s: %s", name_of(confirm), confirm->second.error);
        return UNCONFIRMED;
    }
    for (uint32_t i = 0; i < session->script.at.len; i++) {
        const struct script_section *section = &session->script.at.at[i];
        for (uint32_t k = 0; k < section->queries.n && concerns(section, domain); k++) {
            uint32_t id = session->smt.saved.at[section->queries.at + k];
            bool unsat = session->smt.query.at[id].unsat;
            enum smt_answer a = answer(confirm, id);
            if (a == (unsat ? SMT_SAT : SMT_UNSAT))
                return CONTRADICTED;
            // The solver's model was evaluated and is a true model.
            if (a != SMT_UNKNOWN || !unsat || out == UNCONFIRMED)
                continue;
            out = UNCONFIRMED;
            *why = session_text(session, "%s: %s: %s", name_of(confirm),
                                confirm->second.timeout ? "time" : "no answer", section->title);
        }
    }
    return out;
}

// The kind of a section: its title up to the colon.
static size_t kind_of(const struct script_section *section)
{
    return strcspn(section->title, ":");
}

static bool same_kind(const struct script_section *a, const struct script_section *b)
{
    return kind_of(a) == kind_of(b) && memcmp(a->title, b->title, kind_of(a)) == 0;
}

const char *confirm_text(struct confirm *confirm, enum domain domain)
{
    struct session *session = confirm->session;
    struct buf buf = {0};
    buf_puts(&buf, name_of(confirm));
    size_t before = buf.len;
    if (confirm->second.error != NULL)
        buf_printf(&buf, ": %s", confirm->second.error);
    for (uint32_t i = 0; i < session->script.at.len; i++) {
        const struct script_section *section = &session->script.at.at[i];
        uint32_t n = 0, same = 0;
        bool first = true;
        for (uint32_t j = 0; j < i; j++)
            first &= !same_kind(section, &session->script.at.at[j]);
        for (uint32_t j = i; j < session->script.at.len && first; j++) {
            const struct script_section *o = &session->script.at.at[j];
            if (!same_kind(section, o) || !concerns(o, domain))
                continue;
            for (uint32_t k = 0; k < o->queries.n; k++, n++) {
                uint32_t id = session->smt.saved.at[o->queries.at + k];
                same +=
                    answer(confirm, id) == (session->smt.query.at[id].unsat ? SMT_UNSAT : SMT_SAT);
            }
        }
        if (n == 0)
            continue;
        buf_printf(&buf, "%s%.*s %u of %u", buf.len == before ? ": " : ", ", (int)kind_of(section),
                   section->title, (unsigned)same, (unsigned)n);
    }
    if (buf.len == before)
        buf_puts(&buf, ": no queries, by normal forms");
    const char *out = arena_strdup(session->mem, buf_text(&buf));
    buf_release(&buf);
    return out;
}

bool confirm_text_agrees(const char *solver, bool *asked)
{
    const char *second = strchr(solver, ';');
    bool agrees = false;
    *asked = false;
    for (const char *at = second; at != NULL && (at = strstr(at, " of ")) != NULL; at++) {
        *asked = true;
        for (const char *digit = at - 1; *digit >= '0' && *digit <= '9'; digit--)
            agrees |= *digit != '0';
    }
    return agrees;
}
