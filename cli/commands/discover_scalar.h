// SPDX-License-Identifier: Apache-2.0
// `discover` where all operators are on elements.
#ifndef CLI_COMMANDS_DISCOVER_SCALAR_H
#define CLI_COMMANDS_DISCOVER_SCALAR_H

#include "cli/cli.h"

int discover_elements(struct command_line *command);

#endif
