// SPDX-License-Identifier: Apache-2.0
#include "cli/options/rows.h"
#include "cli/options/tables.h"

const struct command_table help_table = {
    .name = "help",
    .run = cmd_help,
    .usage = "[TOPIC]",
    .summary = "Prints help: on a command, on all limits.",
    .description = "Prints help on a topic:\n"
                   "\n"
                   "  COMMAND              the same as rankwright COMMAND --help\n"
                   "  limits [markdown]    all limits: name, value, unit, reason\n"
                   "  man [COMMAND]        the manual page, as man reads it\n"
                   "  completion SHELL     completions for bash, zsh or fish",
    .example = "rankwright help limits",
};
