// SPDX-License-Identifier: Apache-2.0
#include "cli/options/tables.h"

const struct command_table *const command_tables[] = {
#define X(name) &name##_table,
    COMMANDS(X)
#undef X
};
const uint32_t n_command_tables = sizeof command_tables / sizeof *command_tables;
