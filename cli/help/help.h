// SPDX-License-Identifier: Apache-2.0
// Texts from the tables of the commands (cli/command.h): help, manual pages,
// completions.  Each function appends to `out`.
#ifndef CLI_HELP_HELP_H
#define CLI_HELP_HELP_H

#include "cli/command.h"

// The parts that the texts share.

enum argument_kind { ARGUMENT_TEXT, ARGUMENT_VALUES, ARGUMENT_FILE, ARGUMENT_FOLDER };
// The kind of words that a shell can complete for the argument of the option.
enum argument_kind argument_kind(const struct option_row *row);
// The i-th of the values, *n bytes long; NULL behind the last one.
const char *option_value(const struct option_row *row, uint32_t i, size_t *n);
// Text, values, default and forms:
// "the solver: z3 or cvc5 (default: z3; only with --reprove)".
void option_text(const struct command_table *table, const struct option_row *row, struct buf *out);
// Appends words, indented by `indent` spaces, up to column 79.  The first line
// starts at column `at`.
void wrapped(const char *text, size_t n, unsigned at, unsigned indent, struct buf *out);

void help_command(const struct command_table *table, struct buf *out);

// The manual page of the program (table == NULL) or of a command.
void man_page(const struct command_table *table, struct buf *out);

void completion_bash(struct buf *out);
void completion_zsh(struct buf *out);
void completion_fish(struct buf *out);

// Checks that no text is missing, that no option or letter occurs twice, and
// that defaults name existing limits.
bool command_check(const struct command_table *table, struct err *err);

#endif
