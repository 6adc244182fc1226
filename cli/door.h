// SPDX-License-Identifier: Apache-2.0
// Functions that commands share for calls of the library.  Errors of the
// library become messages, notes and progress become lines on standard error,
// and options become limits.
#ifndef CLI_DOOR_H
#define CLI_DOOR_H

#include "cli/cli.h"
#include "include/rankwright.h"

// A context with notes on standard error, and progress if that is a terminal.
struct rw_context *door_open(void);
// Turns an error of the library into an error of the command; returns false.
bool door_failed(const struct rw_error *error, struct err *err);
int report_library_error(const struct rw_error *error);
void print_note(void *user, const char *text);

// Sets a limit from an option, if the option is given.
bool limit_count(const struct command_line *command, enum option option, struct rw_context *context,
                 const char *name, double least, double most, struct err *err);
bool limit_number(const struct command_line *command, enum option option,
                  struct rw_context *context, const char *name, double least, double most,
                  struct err *err);

// Loads .rw files and folders, comma separated.  Prints every error; *err gets
// the last one only when there is no other (e.g. an absent file).
bool load_rules(struct rw_rules *rules, const char *paths, struct err *err);
// A new set with these files; *out stays NULL if there are no paths.
bool load_set(struct rw_context *context, const char *paths, struct rw_rules **out,
              struct err *err);

// Opens the database of --db or the default one. --wait limits the wait for
// locks.
bool open_database(const struct command_line *command, struct rw_context *context,
                   enum rw_mode mode, struct rw_database **out, struct err *err);
// Opens the database of --db, or the default one.  The rule library is proved
// first: into the database of --db if that has no rules, into the default one
// always.
bool open_proved_library(const struct command_line *command, struct rw_context *context,
                         struct rw_database **out, struct err *err);
// --domain, --jobs, --timeout, --memory, --solver, --method, --again, --seed.
bool proving_options(const struct command_line *command, struct rw_context *context,
                     struct rw_prove_options *out, struct err *err);

// Appends a text of the library, and a newline; releases the text.
void put_line(char *text, struct buf *out);

#endif
