// SPDX-License-Identifier: Apache-2.0
// The command line: one file a command (commands/).  Only this folder prints,
// exits and reads the environment.  Results go to stdout, all else to stderr.
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/text/buf.h"
#include "base/memory/vec.h"
#include "rules/domain.h"

enum exit_status {
    EXIT_YES = 0,     // all proved, record valid, simplified
    EXIT_NO = 1,      // something refuted, record rejected
    EXIT_UNKNOWN = 2, // unknown, or a limit reached
    EXIT_USAGE = 64,
    EXIT_BAD_INPUT = 65,
    EXIT_BUG = 70,
    EXIT_IO = 74,
    // And 128 + a signal: ended by that signal, as shells say it.  main ends the
    // process so.
    EXIT_SIGNAL = 128,
};

// The names of all options: no_search is --no-search.  The tables in
// cli/options/ have the options of each command.
// clang-format off
#define OPTION_NAMES(X) \
    X(db) X(wait) X(jobs) X(domain) X(timeout) X(solver) X(solver_program) X(method) \
    X(no_search) X(memory) X(again) X(worker) X(no_times) X(list) X(json) X(smt2) X(sql) \
    X(output) X(proof) X(html) X(cost) X(extract) X(rules) X(assume) X(nodes) X(seconds) \
    X(picture) X(picture_nodes) X(dump_egraph) X(iterations) X(scheduler) X(formula) X(given) \
    X(expand) X(notation) X(keep_constants) X(keep_attributes) X(verify) X(missed) X(explain_missed) X(stats) X(verbose) X(reprove) X(input) \
    X(program) \
    X(function) X(functions) X(also) X(counterexamples) X(seed) X(compare) X(tolerance) X(runs) X(sizes) X(from) X(goal) X(minimal) X(lhs) \
    X(both) X(backward) X(rounds) X(instances) X(ops) X(size) X(depth) X(vars) X(constants) \
    X(width) X(tensors) X(classes) X(resume) X(candidates) X(try) X(samples) X(rule) \
    X(repair) X(sort) X(reverse) X(why) X(values) X(count) X(fires) X(limit) X(diff) X(used) \
    X(new) X(format) X(rank) X(since) X(grid) X(as_written) X(expect) X(expectation) X(port) X(open) X(quiet) X(color)
// clang-format on

enum option {
#define X(name) OPTION_##name,
    OPTION_NAMES(X)
#undef X
        N_OPTIONS
};

struct command_line {
    const char *command;
    const char *value[N_OPTIONS]; // NULL: not given; flags: ""
    VEC(const char *) words;      // the words that are not options
};

// Each runs a command and returns the exit status.
int cmd_prove(struct command_line *command);
int cmd_show(struct command_line *command);
int cmd_query(struct command_line *command);
int cmd_simplify(struct command_line *command);
int cmd_explain(struct command_line *command);
int cmd_check(struct command_line *command);
int cmd_eval(struct command_line *command);
int cmd_lift(struct command_line *command);
int cmd_compare(struct command_line *command);
int cmd_extract(struct command_line *command);
int cmd_learn(struct command_line *command);
int cmd_generalize(struct command_line *command);
int cmd_merge(struct command_line *command);
int cmd_discover(struct command_line *command);
int cmd_derive(struct command_line *command);
int cmd_lint(struct command_line *command);
int cmd_serve(struct command_line *command);
int cmd_export(struct command_line *command);
int cmd_site(struct command_line *command);
int cmd_help(struct command_line *command);
int cmd_version(struct command_line *command);

// options.c
bool option_number(const struct command_line *command, enum option option, double least,
                   double most, double *value, struct err *err);
// The same; a whole number in decimal digits.
bool option_count(const struct command_line *command, enum option option, double least, double most,
                  double *value, struct err *err);
// "--name why", ERR_USAGE; false.
bool option_refuse(enum option option, const char *why, struct err *err);
// Comma separated domains as a mask; `all` if the option is not given.
bool option_domains(const struct command_line *command, unsigned *mask, struct err *err);
bool option_choice(const struct command_line *command, enum option option, uint32_t n,
                   const char *const *choices, uint32_t *value, struct err *err);

// common.c
bool path_ends(const char *path, const char *suffix);
bool is_picture(const char *path); // .dot, .svg
// Is the input a formula: --formula, or a file that ends with .expr?
bool formula_wanted(const struct command_line *command);
int report_error(const struct err *err);                // prints the error, returns its exit status
void note(const char *fmt, ...) PRINTF_LIKE(1, 2);      // one line on stderr, unless --quiet
void tell(const char *fmt, ...) PRINTF_LIKE(1, 2);      // the same in any case: what was asked for
bool print_all(const struct buf *buf, struct err *err); // to stdout, printable, flushed
// --db, else $XDG_DATA_HOME/rankwright/rules.db, else ~/.local/share/...;
// `make` creates its folder.
bool database_path(const struct command_line *command, bool make, struct buf *out, struct err *err);

// The rule library of the source tree or the installation; false: not found.
bool library_path(struct buf *out);
// The file that may hold the verdicts of that library (RANKWRIGHT_LIBRARY_DATABASE, or beside
// the program); false: nowhere.
bool library_database(struct buf *out);

#endif
