// SPDX-License-Identifier: Apache-2.0
// No output of a command may be a file that the command reads, the database with
// the files that SQLite keeps beside it, or another output.
#ifndef CLI_OUTPUTS_H
#define CLI_OUTPUTS_H

#include "cli/command.h"

// Compares by device and inode (base/text/place.h), before any work begins, every
// file that the command line names.  The tables say which (cli/options/).
bool outputs_check(const struct command_line *command, const struct command_table *table,
                   struct err *err);

#endif
