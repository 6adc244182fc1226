// SPDX-License-Identifier: Apache-2.0
// What commands share when they call the library: its errors become messages,
// its notes and its progress lines on standard error, options its limits.
#ifndef CLI_DOOR_H
#define CLI_DOOR_H

#include "cli/cli.h"
#include "include/rankwright.h"

// A context whose notes go to standard error, as progress does on a terminal.
struct rw_context *door_open(void);
// An error of the library as one of the command; false.
bool door_failed(const struct rw_error *error, struct err *err);
int report_library_error(const struct rw_error *error);
void print_note(void *user, const char *text);

// Both ends are in it.
struct option_range {
    double low, high;
};
// A limit from an option, if that is given.
bool limit_count(const struct command_line *command, enum option option, struct rw_context *context,
                 const char *name, struct option_range range, struct err *err);
bool limit_number(const struct command_line *command, enum option option,
                  struct rw_context *context, const char *name, struct option_range range,
                  struct err *err);

// Loads .rw files and folders, comma separated.  Prints every error; *err gets
// the last one only when there is no other (e.g. an absent file).
// If some rules of a file can be read and others cannot, then the errors are printed
// and the others used; main makes the status EXIT_BAD_INPUT.
bool some_rule_was_unreadable(void);
bool load_rules(struct rw_rules *rules, const char *paths, struct err *err);
// A new set with these files; *out stays NULL where there are no paths.
bool load_set(struct rw_context *context, const char *paths, struct rw_rules **out,
              struct err *err);

// Opens the database of --db or the default one, waiting as --wait says, over the library's if
// that was made for these rules and this version. To read, a default one need not exist then.
bool open_database(const struct command_line *command, struct rw_context *context,
                   enum rw_mode mode, struct rw_database **out, struct err *err);
// Opens the database of --db or the default one, and another, to compare them: each has what its
// file has, and no library is laid under either. The caller closes what is opened, also on failure.
bool open_two_alone(const struct command_line *command, struct rw_context *context,
                    const char *other, struct rw_database **out, struct rw_database **out_other,
                    struct err *err);
// As open_database, with the rule library in any case: where there is no database of the library's
// verdicts, the rules are proved into the default database, and into one of --db that has no
// rules.
bool open_proved_library(const struct command_line *command, struct rw_context *context,
                         struct rw_database **out, struct err *err);
// --domain, --jobs, --timeout, --memory, --solver, --method, --again, --seed.
bool proving_options(const struct command_line *command, struct rw_context *context,
                     struct rw_prove_options *out, struct err *err);

// Appends a text that the library gave, and a newline; releases the text.
void put_line(char *text, struct buf *out);

#endif
