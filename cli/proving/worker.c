// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/worker.h"

#include "cli/proving/lines.h"
#include <unistd.h>

struct worker_session {
    const struct proving *proving;
    struct db *db; // or NULL
    int64_t run;   // 0: not begun
    bool times;
    uint32_t rules, bad;
    int status;
};

// From harmless to grave: a bug says most, then that the input is no rule.
static int gravity(int status)
{
    static const int order[] = {EXIT_YES, EXIT_UNKNOWN, EXIT_NO, EXIT_BAD_INPUT, EXIT_BUG};
    for (int i = 0; i < 5; i++)
        if (order[i] == status)
            return i;
    return 5;
}

static void worst(struct worker_session *worker, int status)
{
    if (gravity(status) > gravity(worker->status))
        worker->status = status;
}

static void judge(struct worker_session *worker, const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *report = &rep->domains.at[i];
        if (verdict_is_internal(report->reason))
            worst(worker, EXIT_BUG);
        if (report->claimed && report->verdict != VERDICT_PROVED)
            worst(worker, report->verdict == VERDICT_REFUTED ? EXIT_NO : EXIT_UNKNOWN);
    }
}

static bool store(struct worker_session *worker, const struct rule *rule, const struct report *rep,
                  struct err *err)
{
    if (!worker->db)
        return true;
    if (!worker->run && !db_run_begin(worker->db, "prove", "z3", &worker->run, err))
        return false;
    return db_put_report(worker->db, rule, rep, worker->run, err);
}

// False only where the work cannot go on.
static bool prove_line(struct worker_session *worker, const char *line, size_t n, uint64_t number,
                       bool fits, struct err *err)
{
    struct ruleset set;
    struct report rep = {0};
    struct buf out = {0};
    struct err why = {0};
    const struct rule *rule = NULL;
    bool ok = true;
    ruleset_init(&set);
    if (fits)
        rule = candidate_read(line, n, &set, &why);
    else
        err_set(&why, ERR_INPUT, "the line is longer than %zu bytes", LIMIT_LINE);
    if (rule) {
        worker->rules++;
        ok = prove_report(worker->proving, rule, &rep, err) && store(worker, rule, &rep, err);
        if (ok) {
            judge(worker, &rep);
            verdicts_write(rule, &rep, worker->times, &out);
        }
    } else {
        worker->bad++;
        worst(worker, EXIT_BAD_INPUT);
        error_write(number, &why, &out);
    }
    ok = ok && print_all(&out, err);
    report_release(&rep);
    ruleset_release(&set);
    buf_release(&out);
    return ok;
}

static bool prove_lines(struct worker_session *worker, struct err *err)
{
    struct buf line = {0};
    bool ok = true, ended = true, fits;
    for (uint64_t number = 1; ok && line_next(stdin, &line, &ended, &fits, err); number++)
        ok = line_is_empty(buf_text(&line), line.len) ||
             prove_line(worker, buf_text(&line), line.len, number, fits, err);
    buf_release(&line);
    return ok && err->kind == ERR_NONE;
}

int prove_worker(struct command_line *command, const struct proving *proving)
{
    struct err err = {0};
    struct worker_session worker = {.proving = proving,
                                    .times = command->value[OPTION_no_times] == NULL};
    bool ok = (command->words.len == 0 || err_set(&err, ERR_USAGE,
                                                  "--worker reads rules on standard input, not "
                                                  "from files; --list makes lines of files")) &&
              (!command->value[OPTION_jobs] ||
               option_refuse(OPTION_jobs, "is not for --worker: start several", &err)) &&
              (!command->value[OPTION_db] || open_database(command, DB_WRITE, &worker.db, &err)) &&
              prove_lines(&worker, &err) &&
              (!worker.run || db_run_finish(worker.db, worker.run, &err));
    db_close(worker.db);
    if (!ok)
        return report_error(&err);
    if (command->value[OPTION_stats])
        note("%u rules, %u lines that are none", worker.rules, worker.bad);
    return worker.status;
}

// A database that is not there yet holds nothing.
static bool open_if_there(const struct command_line *command, struct db **db, struct err *err)
{
    *db = NULL;
    if (!command->value[OPTION_db] || command->value[OPTION_again] ||
        (command->value[OPTION_db][0] && access(command->value[OPTION_db], F_OK) != 0))
        return true;
    return open_database(command, DB_READ, db, err);
}

bool list_candidates(const struct command_line *command, const struct ruleset *set,
                     const struct proving *proving, struct err *err)
{
    struct db *db;
    struct buf out = {0};
    bool ok = open_if_there(command, &db, err);
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        const struct rule *rule = set->rules.at[i];
        unsigned told = 0;
        ok = !db || db_told(db, rule->hash, &told, err);
        if (ok && proving->domains & rule_domains(rule) & ~told)
            candidate_write(rule, &out);
    }
    ok = ok && print_all(&out, err);
    db_close(db);
    buf_release(&out);
    return ok;
}
