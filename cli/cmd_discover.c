// SPDX-License-Identifier: Apache-2.0
// Rules that nobody wrote.
#include "cli/cli.h"
#include "cli/discover_scalar.h"
#include "cli/discover_tensors.h"

int cmd_discover(struct command_line *c)
{
    bool tensors = discover_moves(c->value[OPTION_ops]) ||
                   c->value[OPTION_candidates] || c->value[OPTION_try];
    return tensors ? discover_tensors(c) : discover_elements(c);
}
