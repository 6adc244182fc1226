// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/worker.h"

#include "cli/proving/lines.h"
#include <unistd.h>

struct worker_session {
    const struct proving *p;
    struct db *db; // or NULL
    int64_t run;   // 0: not begun
    bool times;
    uint32_t rules, bad;
    int status;
};

// From harmless to grave: a bug says most, then that the input is no rule.
static int gravity(int status)
{
    static const int order[] = {EXIT_YES, EXIT_UNKNOWN, EXIT_NO, EXIT_BAD_INPUT,
                                EXIT_BUG};
    for (int i = 0; i < 5; i++)
        if (order[i] == status)
            return i;
    return 5;
}

static void worst(struct worker_session *w, int status)
{
    if (gravity(status) > gravity(w->status))
        w->status = status;
}

static void judge(struct worker_session *w, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *d = &rep->domains.at[i];
        if (verdict_is_internal(d->reason))
            worst(w, EXIT_BUG);
        if (d->claimed && d->verdict != VERDICT_PROVED)
            worst(w, d->verdict == VERDICT_REFUTED ? EXIT_NO : EXIT_UNKNOWN);
    }
}

static bool store(struct worker_session *w, const struct rule *r,
                  const struct report *rep, struct err *e)
{
    if (!w->db)
        return true;
    if (!w->run && !db_run_begin(w->db, "prove", "z3", &w->run, e))
        return false;
    return db_put_report(w->db, r, rep, w->run, e);
}

// False only where the work cannot go on.
static bool prove_line(struct worker_session *w, const char *line, size_t n,
                       uint64_t number, bool fits, struct err *e)
{
    struct ruleset set;
    struct report rep = {0};
    struct buf out = {0};
    struct err why = {0};
    const struct rule *r = NULL;
    bool ok = true;
    ruleset_init(&set);
    if (fits)
        r = candidate_read(line, n, &set, &why);
    else
        err_set(&why, ERR_INPUT, "the line is longer than %zu bytes",
                LIMIT_LINE);
    if (r) {
        w->rules++;
        ok = prove_report(w->p, r, &rep, e) && store(w, r, &rep, e);
        if (ok) {
            judge(w, &rep);
            verdicts_write(r, &rep, w->times, &out);
        }
    } else {
        w->bad++;
        worst(w, EXIT_BAD_INPUT);
        error_write(number, &why, &out);
    }
    ok = ok && print_all(&out, e);
    report_release(&rep);
    ruleset_release(&set);
    buf_release(&out);
    return ok;
}

static bool prove_lines(struct worker_session *w, struct err *e)
{
    struct buf line = {0};
    bool ok = true, ended = true, fits;
    for (uint64_t number = 1; ok && line_next(stdin, &line, &ended, &fits, e);
         number++)
        ok = line_is_empty(buf_text(&line), line.len) ||
             prove_line(w, buf_text(&line), line.len, number, fits, e);
    buf_release(&line);
    return ok && e->kind == ERR_NONE;
}

int prove_worker(struct command_line *c, const struct proving *p)
{
    struct err e = {0};
    struct worker_session w = {.p = p, .times = c->value[OPTION_no_times] == NULL};
    bool ok = (c->words.len == 0 ||
               err_set(&e, ERR_USAGE,
                       "--worker reads rules on standard input, not "
                       "from files; --list makes lines of files")) &&
              (!c->value[OPTION_jobs] ||
               option_refuse(OPTION_jobs, "is not for --worker: start several",
                             &e)) &&
              (!c->value[OPTION_db] || open_database(c, DB_WRITE, &w.db, &e)) &&
              prove_lines(&w, &e) && (!w.run || db_run_finish(w.db, w.run, &e));
    db_close(w.db);
    if (!ok)
        return report_error(&e);
    if (c->value[OPTION_stats])
        note("%u rules, %u lines that are none", w.rules, w.bad);
    return w.status;
}

// A database that is not there yet holds nothing.
static bool open_if_there(const struct command_line *c, struct db **db,
                          struct err *e)
{
    *db = NULL;
    if (!c->value[OPTION_db] || c->value[OPTION_again] ||
        (c->value[OPTION_db][0] && access(c->value[OPTION_db], F_OK) != 0))
        return true;
    return open_database(c, DB_READ, db, e);
}

bool list_candidates(const struct command_line *c, const struct ruleset *s,
                     const struct proving *p, struct err *e)
{
    struct db *db;
    struct buf out = {0};
    bool ok = open_if_there(c, &db, e);
    for (uint32_t i = 0; ok && i < s->rules.len; i++) {
        const struct rule *r = s->rules.at[i];
        unsigned told = 0;
        ok = !db || db_told(db, r->hash, &told, e);
        if (ok && p->domains & rule_domains(r) & ~told)
            candidate_write(r, &out);
    }
    ok = ok && print_all(&out, e);
    db_close(db);
    buf_release(&out);
    return ok;
}
