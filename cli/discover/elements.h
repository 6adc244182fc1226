// SPDX-License-Identifier: Apache-2.0
// `discover` where all operators are on elements.
#ifndef CLI_DISCOVER_ELEMENTS_H
#define CLI_DISCOVER_ELEMENTS_H

#include "cli/cli.h"

int discover_elements(struct command_line *command);

#endif
