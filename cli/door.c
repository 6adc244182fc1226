// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"

#include "api/database/database.h"
#include "api/error.h"
#include "api/proving/library.h"
#include "base/memory/vec.h"
#include "cli/library.h"
#include "cli/terminal.h"
#include <sys/stat.h>
#include <unistd.h>

void print_note(void *user, const char *text)
{
    (void)user;
    note("%s", text);
}

// Seconds as "1 h 02 min", "3 min", "12 s".
static void put_duration(double seconds, struct buf *out)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        buf_printf(out, "%lu h %02lu min", s / 3600, s / 60 % 60);
    else if (s >= 100)
        buf_printf(out, "%lu min", (s + 30) / 60);
    else
        buf_printf(out, "%lu s", s);
}

// One line that is written over again and again.
static bool show_progress(void *user, const struct rw_progress *at)
{
    struct buf line = {0};
    (void)user;
    if (strcmp(at->stage, "learn") == 0) {
        buf_printf(&line, "%llu rules tried, %llu proofs; ", (unsigned long long)at->done,
                   (unsigned long long)(at->proved + at->refuted + at->unknown));
        put_duration(at->seconds, &line);
        terminal_progress(at->done == at->total ? NULL : buf_text(&line));
        buf_release(&line);
        return true;
    }
    if (strcmp(at->stage, "prove") != 0 || at->done == 0)
        return true;
    double left = at->seconds / (double)at->done * (double)(at->total - at->done);
    buf_printf(&line,
               "%llu of %llu rules; claims: %llu proved, %llu refuted, %llu "
               "unknown; ",
               (unsigned long long)at->done, (unsigned long long)at->total,
               (unsigned long long)at->proved, (unsigned long long)at->refuted,
               (unsigned long long)at->unknown);
    put_duration(at->seconds, &line);
    buf_puts(&line, ", about ");
    put_duration(left, &line);
    buf_puts(&line, " left");
    terminal_progress(at->done == at->total ? NULL : buf_text(&line));
    buf_release(&line);
    return true;
}

struct rw_context *door_open(void)
{
    struct rw_context *context = rw_context_new();
    rw_context_on_note(context, print_note, NULL);
    if (isatty(STDERR_FILENO) == 1 && !terminal_quiet())
        rw_context_on_progress(context, show_progress, NULL);
    return context;
}

bool door_failed(const struct rw_error *error, struct err *err)
{
    return error_take(error, err);
}

int report_library_error(const struct rw_error *error)
{
    struct err err = {0};
    error_take(error, &err);
    return report_error(&err);
}

static bool set_limit(struct rw_context *context, const char *name, double value, struct err *err)
{
    struct rw_error error = {RW_OK, 0, 0, "", "", "", ""};
    return rw_context_limit(context, name, value, &error) || error_take(&error, err);
}

bool limit_count(const struct command_line *command, enum option option, struct rw_context *context,
                 const char *name, struct option_range range, struct err *err)
{
    double value = range.low;
    return command->value[option] == NULL ||
           (option_count(command, option, range.low, range.high, &value, err) &&
            set_limit(context, name, value, err));
}

bool limit_number(const struct command_line *command, enum option option,
                  struct rw_context *context, const char *name, struct option_range range,
                  struct err *err)
{
    double value = range.low;
    return command->value[option] == NULL ||
           (option_number(command, option, range.low, range.high, &value, err) &&
            set_limit(context, name, value, err));
}

enum { MOST_ERRORS = 10 }; // of a file

static bool unreadable;

bool some_rule_was_unreadable(void)
{
    return unreadable;
}

// A file or folder in which no rule stands is a mistake of its user.
static bool has_rules(const char *path, struct rw_rules *rules, size_t before, struct err *err)
{
    struct stat st;
    if (rw_rules_count(rules) > before)
        return true;
    bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    err_at(err, ERR_INPUT, path, 0, 0, "expected rules, found none");
    return err_hint(err, folder ? "rules stand in files that end with .rw"
                                : "a rule is written: rule NAME { ... left => right; }");
}

// Prints all errors of a call but the last, which its caller prints: of each file MOST_ERRORS.
static void report_errors(const struct rw_rules *rules, const struct rw_error *last)
{
    size_t n = rw_rules_error_count(rules), of_file = 0, hidden = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        const struct rw_error *error = rw_rules_error(rules, i),
                              *next = rw_rules_error(rules, i + 1);
        if (of_file++ < MOST_ERRORS - (strcmp(error->file, last->file) == 0))
            report_library_error(error);
        else
            hidden++;
        bool ends = i + 2 == n || strcmp(error->file, next->file) != 0;
        if (ends && hidden > 0)
            note("%s: %zu more errors", error->file, hidden);
        of_file = ends ? 0 : of_file;
        hidden = ends ? 0 : hidden;
    }
}

// Errors of a file are printed, and the rules without errors used.
static bool load_path(struct rw_rules *rules, const char *path, struct err *err)
{
    struct rw_error error;
    size_t before = rw_rules_count(rules);
    if (rw_rules_load(rules, path, &error))
        return has_rules(path, rules, before, err);
    report_errors(rules, &error);
    if (error.code != RW_ERROR_INPUT || rw_rules_count(rules) == before)
        return error_take(&error, err);
    report_library_error(&error);
    unreadable = true;
    return true;
}

bool load_rules(struct rw_rules *rules, const char *paths, struct err *err)
{
    struct err last = {0};
    while (*paths) {
        struct buf path = {0};
        struct err one = {0};
        size_t n = strcspn(paths, ",");
        buf_write(&path, paths, n);
        if (!load_path(rules, buf_text(&path), &one)) {
            if (last.kind != ERR_NONE)
                report_error(&last);
            last = one;
        }
        buf_release(&path);
        paths += n + (paths[n] == ',');
    }
    if (last.kind != ERR_NONE)
        *err = last;
    return last.kind == ERR_NONE;
}

bool load_set(struct rw_context *context, const char *paths, struct rw_rules **out, struct err *err)
{
    *out = NULL;
    if (paths == NULL)
        return true;
    *out = rw_rules_new(context);
    return load_rules(*out, paths, err);
}

// Opens the database of the path; over: over the library's.
static bool open_file(struct rw_context *context, const char *path, enum rw_mode mode, bool over,
                      double seconds, struct rw_database **out, struct err *err)
{
    struct rw_error error;
    // A database in memory is made even to be read.
    bool memory = strcmp(path, ":memory:") == 0;
    *out = rw_database_open(context, path, memory ? RW_WRITE : mode, seconds, &error);
    if (*out == NULL)
        return error_take(&error, err);
    if (over)
        lay_over_library(*out, path);
    if (memory && mode == RW_WRITE)
        note(":memory: is a database of this command alone: nothing is kept");
    return true;
}

// Nothing has been kept by this user yet: only the library can be read.
static bool open_library_alone(struct rw_context *context, double seconds, struct rw_database **out)
{
    struct err why = {0};
    struct buf file = {0};
    bool ok = find_library_database(&file) &&
              open_file(context, ":memory:", RW_READ, true, seconds, out, &why);
    buf_release(&file);
    if (ok && library_is_under(*out))
        return true;
    rw_database_close(*out);
    *out = NULL;
    return false;
}

bool open_database(const struct command_line *command, struct rw_context *context,
                   enum rw_mode mode, struct rw_database **out, struct err *err)
{
    double seconds = 60;
    struct buf path = {0};
    *out = NULL;
    bool ok = option_number(command, OPTION_wait, 0, 1e6, &seconds, err) &&
              database_path(command, mode == RW_WRITE, &path, err);
    if (ok && command->value[OPTION_db] == NULL && mode == RW_READ &&
        access(buf_text(&path), F_OK) != 0 && open_library_alone(context, seconds, out)) {
        buf_release(&path);
        return true;
    }
    ok = ok && open_file(context, buf_text(&path), mode, true, seconds, out, err);
    buf_release(&path);
    return ok;
}

bool open_two_alone(const struct command_line *command, struct rw_context *context,
                    const char *other, struct rw_database **out, struct rw_database **out_other,
                    struct err *err)
{
    double seconds = 60;
    struct buf path = {0};
    *out = *out_other = NULL;
    bool ok = option_number(command, OPTION_wait, 0, 1e6, &seconds, err) &&
              database_path(command, false, &path, err) &&
              open_file(context, buf_text(&path), RW_READ, false, seconds, out, err) &&
              open_file(context, other, RW_READ, false, seconds, out_other, err);
    buf_release(&path);
    return ok;
}

static bool prove_library(struct rw_database *database, struct err *err)
{
    struct buf path = {0};
    bool ok = find_library(&path, err) && library_prove(database, buf_text(&path), err);
    buf_release(&path);
    return ok;
}

// Says so where a database has a part of the library only, or stale verdicts.
static bool note_incomplete(const struct command_line *command, struct rw_database *database,
                            struct err *err)
{
    struct buf path = {0};
    uint32_t lacking = 0, rules = 0;
    bool ok =
        !library_path(&path) || library_lacking(database, buf_text(&path), &lacking, &rules, err);
    // None at all: the database holds other rules by choice.
    if (ok && lacking && lacking < rules)
        note("%u of %u rules of the library have no current verdict in %s; "
             "rankwright prove --db %s gives them",
             lacking, rules, command->value[OPTION_db], command->value[OPTION_db]);
    buf_release(&path);
    return ok;
}

bool open_proved_library(const struct command_line *command, struct rw_context *context,
                         struct rw_database **out, struct err *err)
{
    bool some = false;
    struct err why = {0};
    if (!open_database(command, context, RW_WRITE, out, &why)) {
        // Nothing has to be written if all is proved.
        struct err again = {0};
        if (open_database(command, context, RW_READ, out, &again) &&
            library_has_proved(*out, &some, &again) && some)
            return true;
        *err = why;
        return false;
    }
    if (library_is_under(*out))
        return true;
    // A database of the user's own choice is left as it is, unless it is empty.
    if (command->value[OPTION_db] && !library_has_proved(*out, &some, err))
        return false;
    return some ? note_incomplete(command, *out, err) : prove_library(*out, err);
}

static bool proving_limits(const struct command_line *command, struct rw_context *context,
                           struct err *err)
{
    double mebibytes = 0;
    if (!limit_count(command, OPTION_jobs, context, "workers", (struct option_range){1, 256},
                     err) ||
        !limit_number(command, OPTION_timeout, context, "rule_seconds",
                      (struct option_range){0.001, 1e6}, err) ||
        !option_count(command, OPTION_memory, 1, 1e6, &mebibytes, err))
        return false;
    return mebibytes == 0 || set_limit(context, "worker_memory", mebibytes * 1048576, err);
}

bool proving_options(const struct command_line *command, struct rw_context *context,
                     struct rw_prove_options *out, struct err *err)
{
    // in the order of enum rw_solver and enum rw_rank_method
    static const char *const solvers[] = {"z3", "cvc5", "both"};
    static const char *const methods[] = {"auto", "rank", "closure", "both", "coefficients"};
    uint32_t solver = 0, method = 0;
    double seed = 0;
    *out = (struct rw_prove_options){.size = sizeof *out};
    if (!option_domains(command, &out->domains, err) || !proving_limits(command, context, err) ||
        !option_count(command, OPTION_seed, 0, 1e15, &seed, err) ||
        !option_choice(command, OPTION_solver, 3, solvers, &solver, err) ||
        !option_choice(command, OPTION_method, 5, methods, &method, err))
        return false;
    out->solver = (enum rw_solver)solver;
    out->rank_method = (enum rw_rank_method)method;
    out->solver_program = command->value[OPTION_solver_program];
    out->no_search = command->value[OPTION_no_search] != NULL;
    out->again = command->value[OPTION_again] != NULL;
    out->seed = (uint64_t)seed;
    return true;
}

void put_line(char *text, struct buf *out)
{
    buf_puts(out, text);
    buf_putc(out, '\n');
    rw_free(text);
}
