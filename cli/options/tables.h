// SPDX-License-Identifier: Apache-2.0
// The commands, in the order of the help.  A new command needs a line here, a
// table in NAME.c beside this file and cmd_NAME in cli/commands/.
#ifndef CLI_OPTIONS_TABLES_H
#define CLI_OPTIONS_TABLES_H

#include "cli/command.h"

#define COMMANDS(X)                                                                                \
    X(prove)                                                                                       \
    X(show)                                                                                        \
    X(query)                                                                                       \
    X(simplify)                                                                                    \
    X(explain)                                                                                     \
    X(check)                                                                                       \
    X(eval)                                                                                        \
    X(lift)                                                                                        \
    X(compare)                                                                                     \
    X(merge)                                                                                       \
    X(learn)                                                                                       \
    X(generalize)                                                                                  \
    X(extract)                                                                                     \
    X(discover)                                                                                    \
    X(derive)                                                                                      \
    X(lint)                                                                                        \
    X(export)                                                                                      \
    X(serve)                                                                                       \
    X(site)                                                                                        \
    X(help)                                                                                        \
    X(version)

#define X(name) extern const struct command_table name##_table;
COMMANDS(X)
#undef X

#endif
