// SPDX-License-Identifier: Apache-2.0
// What simplify --missed and --explain-missed say.
#ifndef CLI_COMMANDS_MISSED_H
#define CLI_COMMANDS_MISSED_H

#include "cli/door.h"

struct missed_question {
    const struct command_line *command;
    struct rw_context *context;
    struct rw_database *database;
    struct rw_result *result; // of a program
    enum rw_reading reading;
    size_t limit; // lines of a list
};
// Appends the answer; nothing if neither option is given.
bool missed_answer(const struct missed_question *question, struct buf *out, struct err *err);
// Prints the lines where the result does not go: on standard output if that has a file of its
// own, else on standard error.
bool missed_print(const struct command_line *command, const struct buf *lines, struct err *err);

#endif
