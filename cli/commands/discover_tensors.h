// SPDX-License-Identifier: Apache-2.0
#ifndef CLI_COMMANDS_DISCOVER_TENSORS_H
#define CLI_COMMANDS_DISCOVER_TENSORS_H

#include "cli/cli.h"

// Does any of these operators do more than work on elements?
bool discover_moves(const char *ops);
int discover_tensors(struct command_line *command);

#endif
