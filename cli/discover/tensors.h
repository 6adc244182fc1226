// SPDX-License-Identifier: Apache-2.0
#ifndef CLI_DISCOVER_TENSORS_H
#define CLI_DISCOVER_TENSORS_H

#include "cli/cli.h"

int discover_tensors(struct command_line *command);

#endif
