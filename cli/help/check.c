// SPDX-License-Identifier: Apache-2.0
#include "cli/help/help.h"
#include "cli/help/limits.h"

#include <ctype.h>

enum {
    SUMMARY = 50,   // the room that command_list has
    MOST_FORMS = 31 // bits of `forms`
};

static bool has_text(const char *text)
{
    return text && *text && !isspace((unsigned char)*text);
}

static bool values_check(const struct option_row *row)
{
    struct buf shown = {0};
    bool ok = (!row->initial || (has_text(row->initial) && limits_replace(row->initial, &shown))) &&
              (!row->values || has_text(row->values)) &&
              (row->argument || (!row->initial && !row->values));
    buf_release(&shown);
    return ok;
}

// The fault of the row; NULL: none.
static const char *row_fault(const struct command_table *table, const struct option_row *row)
{
    if (command_option(table, row->option) != row)
        return "has two rows";
    for (const struct option_row *other = table->option; row->letter && other < row; other++)
        if (other->letter == row->letter)
            return "has the letter of another option";
    if (row->letter == 'h')
        return "has the letter of --help";
    if (!has_text(row->text) || (row->argument && !has_text(row->argument)))
        return "lacks a text";
    if (row->forms >> table->n_forms != 0)
        return "works in forms that the command does not have";
    return values_check(row) ? NULL : "has a default or values that say nothing";
}

bool command_check(const struct command_table *table, struct err *err)
{
    if (!has_text(table->name) || !table->run)
        return err_set(err, ERR_CHECK, "a command without a name or a function");
    if ((table->usage && !has_text(table->usage)) || !has_text(table->summary) ||
        !has_text(table->description) || !has_text(table->example))
        return err_set(err, ERR_CHECK, "%s lacks a text", table->name);
    if (strchr(table->summary, '\n') || strlen(table->summary) > SUMMARY)
        return err_set(err, ERR_CHECK, "%s: the summary is longer than a line", table->name);
    if (table->n_forms > MOST_FORMS || (table->n_forms > 0) != (table->forms_of != NULL))
        return err_set(err, ERR_CHECK, "%s has forms and no function for them", table->name);
    if (table->n_options > 0 &&
        (!command_option(table, OPTION_quiet) || !command_option(table, OPTION_color)))
        return err_set(err, ERR_CHECK, "%s lacks COMMON_ROWS", table->name);
    for (uint32_t i = 0; i < table->n_options; i++) {
        const struct option_row *row = &table->option[i];
        if (row->option >= N_OPTIONS)
            return err_set(err, ERR_CHECK, "%s: row %u has no option", table->name, i);
        const char *fault = row_fault(table, row);
        if (fault)
            return option_refuse(row->option, fault, err);
    }
    return true;
}
