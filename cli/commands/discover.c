// SPDX-License-Identifier: Apache-2.0
// Finds rules.
#include "api/discover/tensors.h"
#include "cli/cli.h"
#include "cli/discover/elements.h"
#include "cli/discover/tensors.h"

// An option that only the other search reads is refused, not ignored.
static bool apply(const struct command_line *command, bool tensors, struct err *err)
{
    static const struct {
        enum option option;
        const char *name;
        bool tensors;
    } own[] = {{OPTION_tensors, "tensors", true},      {OPTION_classes, "classes", true},
               {OPTION_resume, "resume", true},        {OPTION_from, "from", true},
               {OPTION_instances, "instances", true},  {OPTION_vars, "vars", false},
               {OPTION_depth, "depth", false},         {OPTION_width, "width", false},
               {OPTION_constants, "constants", false}, {OPTION_samples, "samples", false}};
    if (command->value[OPTION_candidates] && command->value[OPTION_try])
        return err_set(err, ERR_USAGE, "discover: either --candidates or --try");
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (command->value[own[i].option] && own[i].tensors != tensors)
            return err_set(err, ERR_USAGE, "discover: --%s is for operators %s", own[i].name,
                           tensors ? "that work on elements alone"
                                   : "that move elements or reduce");
    return true;
}

int cmd_discover(struct command_line *command)
{
    bool tensors = discovery_moves(command->value[OPTION_ops]) ||
                   command->value[OPTION_candidates] || command->value[OPTION_try];
    struct err err = {0};
    if (!apply(command, tensors, &err))
        return report_error(&err);
    return tensors ? discover_tensors(command) : discover_elements(command);
}
