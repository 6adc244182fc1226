// SPDX-License-Identifier: Apache-2.0
// Rules that nobody wrote.
#include "cli/cli.h"
#include "cli/discover_scalar.h"
#include "cli/discover_tensors.h"

int cmd_discover(struct command_line *c)
{
    return discover_moves(c->value[OPTION_ops]) ? discover_tensors(c)
                                                : discover_elements(c);
}
