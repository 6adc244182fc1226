// SPDX-License-Identifier: Apache-2.0
// Finds rules.
#include "api/discover/tensors.h"
#include "cli/cli.h"
#include "cli/discover/elements.h"
#include "cli/discover/tensors.h"

int cmd_discover(struct command_line *command)
{
    bool tensors = discovery_moves(command->value[OPTION_ops]) ||
                   command->value[OPTION_candidates] || command->value[OPTION_try];
    struct err err = {0};
    if (command->value[OPTION_candidates] && command->value[OPTION_try]) {
        err_set(&err, ERR_USAGE, "discover: either --candidates or --try");
        return report_error(&err);
    }
    return tensors ? discover_tensors(command) : discover_elements(command);
}
