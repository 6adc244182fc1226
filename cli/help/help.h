// SPDX-License-Identifier: Apache-2.0
// Texts from the tables of the commands (cli/command.h): help, manual pages,
// completions.  Each function appends to `out`.
#ifndef CLI_HELP_HELP_H
#define CLI_HELP_HELP_H

#include "cli/command.h"

// What the texts have in common.

enum argument_kind { ARGUMENT_TEXT, ARGUMENT_VALUES, ARGUMENT_FILE, ARGUMENT_FOLDER };
// What a shell can complete for the argument of the option.
enum argument_kind argument_kind(const struct option_row *row);
// The i-th of the values, *n bytes long; NULL: there are no more.
const char *option_value(const struct option_row *row, uint32_t i, size_t *n);
// Text, values and default: "the solver: z3 or cvc5 (default: z3)".
void option_text(const struct option_row *row, struct buf *out);
// Words set in by `indent` spaces up to column 79; the first line goes on at
// column `at`.
void wrapped(const char *text, size_t n, unsigned at, unsigned indent, struct buf *out);

void help_command(const struct command_table *table, struct buf *out);

// The page of the program (table == NULL) or of a command.
void man_page(const struct command_table *table, struct buf *out);

void completion_bash(struct buf *out);
void completion_zsh(struct buf *out);
void completion_fish(struct buf *out);

// Every text is there, no option or letter twice, defaults name limits that
// exist.
bool command_check(const struct command_table *table, struct err *err);

#endif
