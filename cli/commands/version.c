// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include "include/rankwright.h"
#include "rules/verdict.h"

int cmd_version(struct command_line *command)
{
    (void)command;
    struct buf out = {0};
    struct err err = {0};
    buf_printf(&out, "rankwright %s\nverifier %s, semantics %s\n", rw_version(), VERIFIER_VERSION,
               SEMANTICS_VERSION);
    bool ok = print_all(&out, &err);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
