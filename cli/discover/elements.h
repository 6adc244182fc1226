// SPDX-License-Identifier: Apache-2.0
// `discover` if all operators work on elements.
#ifndef CLI_DISCOVER_ELEMENTS_H
#define CLI_DISCOVER_ELEMENTS_H

#include "cli/cli.h"

int discover_elements(struct command_line *command);

#endif
