// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "base/text/suggest.h"

const struct option_row *command_option(const struct command_table *table, enum option option)
{
    for (uint32_t i = 0; i < table->n_options; i++)
        if (table->option[i].option == option)
            return &table->option[i];
    return NULL;
}

void forms_text(const struct command_table *table, unsigned forms, struct buf *out)
{
    bool first = true;
    for (uint32_t i = 0; i < table->n_forms; i++)
        if (forms >> i & 1) {
            buf_printf(out, "%s%s", first ? "" : " or ", table->form[i]);
            first = false;
        }
}

const struct command_table *command_find(const char *name)
{
    for (uint32_t i = 0; i < n_command_tables; i++)
        if (strcmp(command_tables[i]->name, name) == 0)
            return command_tables[i];
    return NULL;
}

const struct command_table *command_named(const char *name, const char *what, struct err *err)
{
    const struct command_table *table = command_find(name);
    if (table)
        return table;
    struct nearest nearest = nearest_to(name, strlen(name));
    for (uint32_t i = 0; i < n_command_tables; i++)
        nearest_consider(&nearest, command_tables[i]->name, strlen(command_tables[i]->name));
    err_set(err, ERR_USAGE, "%s %s", what, name);
    nearest_hint(&nearest, err);
    err_hint(err, "rankwright help lists the commands");
    return NULL;
}

void command_list(struct buf *out)
{
    buf_puts(out, "usage: rankwright COMMAND [OPTION...] [WORD...]\n\n");
    for (uint32_t i = 0; i < n_command_tables; i++) {
        const struct command_table *table = command_tables[i];
        buf_printf(out, "  %-10s %-25s %s\n", table->name, table->usage ? table->usage : "",
                   table->summary);
    }
    buf_puts(out, "\nrankwright COMMAND --help says more, rankwright help limits lists all "
                  "limits.\nExit status: 0 yes, 1 no, 2 don't know; 64 usage, 65 bad input, "
                  "70 a bug,\n74 I/O or database.\n");
}
