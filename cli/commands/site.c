// SPDX-License-Identifier: Apache-2.0
#include "cli/door.h"
#include "explorer/site/site.h"

int cmd_site(struct command_line *command)
{
    struct err err = {0};
    struct rw_database *database = NULL;
    struct site_written written = {0};
    struct rw_context *context = door_open();
    bool ok = (command->words.len == 1 || err_set(&err, ERR_USAGE, "site: expected one folder")) &&
              open_database(command, context, RW_READ, &database, &err) &&
              site_write(database, command->words.at[0], &written, &err);
    if (ok)
        note("%s: %llu files, %.1f MB", command->words.at[0], (unsigned long long)written.files,
             (double)written.bytes / 1e6);
    rw_database_close(database);
    rw_context_free(context);
    return ok ? EXIT_YES : report_error(&err);
}
