// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "base/text/suggest.h"

#include <stdlib.h>

static const char *const names[] = {
#define X(name) #name,
    OPTION_NAMES(X)
#undef X
};

void option_name(enum option option, struct buf *out)
{
    for (const char *text = names[option]; *text; text++)
        buf_putc(out, *text == '_' ? '-' : *text);
}

// Option names are written with dashes: no_search is --no-search.
static bool same_name(const char *given, size_t n, const char *name)
{
    if (strlen(name) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (given[i] != (name[i] == '_' ? '-' : name[i]))
            return false;
    return true;
}

static const struct option_row *long_option(const struct command_table *table, const char *given,
                                            size_t n)
{
    for (uint32_t i = 0; i < table->n_options; i++)
        if (same_name(given, n, names[table->option[i].option]))
            return &table->option[i];
    return NULL;
}

static const struct option_row *short_option(const struct command_table *table, char letter)
{
    for (uint32_t i = 0; i < table->n_options; i++)
        if (letter && table->option[i].letter == letter)
            return &table->option[i];
    return NULL;
}

bool option_refuse(enum option option, const char *why, struct err *err)
{
    struct buf name = {0};
    option_name(option, &name);
    err_set(err, ERR_USAGE, "--%s %s", buf_text(&name), why);
    buf_release(&name);
    return false;
}

// --name, --name=value, --name value, -nvalue, -n value: *value is the value in
// the same word, or NULL.
static const struct option_row *find_option(const struct command_table *table, const char *text,
                                            const char **value)
{
    if (text[1] != '-') {
        *value = text[2] ? text + 2 : NULL;
        return short_option(table, text[1]);
    }
    size_t n = strcspn(text + 2, "=");
    *value = text[2 + n] == '=' ? text + 3 + n : NULL;
    return long_option(table, text + 2, n);
}

// The commands that have an option of this name: "check and explain have --html".
static void hint_commands(const char *given, size_t n, struct err *err)
{
    struct buf owners = {0};
    uint32_t found = 0;
    for (uint32_t i = 0; i < n_command_tables; i++)
        if (long_option(command_tables[i], given, n))
            buf_printf(&owners, "%s%s", found++ ? ", " : "", command_tables[i]->name);
    if (found)
        err_hint(err, "--%.*s is an option of %s", (int)n, given, buf_text(&owners));
    buf_release(&owners);
}

static bool unknown_option(const struct command_table *table, const char *text, struct err *err)
{
    err_set(err, ERR_USAGE, "%s: unknown option %s", table->name, text);
    if (text[1] == '-') {
        struct nearest nearest = nearest_to(text + 2, strcspn(text + 2, "="));
        struct buf option[N_OPTIONS] = {0};
        hint_commands(nearest.found, nearest.n_found, err);
        for (uint32_t i = 0; i < table->n_options; i++) {
            buf_puts(&option[i], "--");
            option_name(table->option[i].option, &option[i]);
            nearest_consider(&nearest, buf_text(&option[i]) + 2, option[i].len - 2);
        }
        if (nearest.word)
            err_hint(err, "did you mean %s?", nearest.word - 2);
        for (uint32_t i = 0; i < table->n_options; i++)
            buf_release(&option[i]);
    }
    return err_hint(err, "rankwright %s --help lists the options", table->name);
}

// Refuses an option that no form of this command line reads.
static bool forms_check(const struct command_line *command, const struct command_table *table,
                        struct err *err)
{
    unsigned forms = table->forms_of ? table->forms_of(command) : 0;
    for (uint32_t i = 0; i < table->n_options; i++) {
        const struct option_row *row = &table->option[i];
        if (!command->value[row->option] || row->forms == 0 || (row->forms & forms) != 0)
            continue;
        struct buf name = {0}, text = {0};
        option_name(row->option, &name);
        forms_text(table, row->forms, &text);
        err_set(err, ERR_USAGE, "%s: --%s works only %s", table->name, buf_text(&name),
                buf_text(&text));
        buf_release(&name);
        buf_release(&text);
        return false;
    }
    return true;
}

// No word of a command may be empty, nor the name of a file: an empty variable of a shell is a
// mistake, not the wish to read nothing.
static bool empty_check(const struct command_line *command, const struct command_table *table,
                        struct err *err)
{
    for (uint32_t i = 0; i < table->n_options; i++) {
        const struct option_row *row = &table->option[i];
        const char *value = command->value[row->option];
        bool folder = row->argument && strcmp(row->argument, "DIR") == 0;
        if (!value || *value || (row->role == FILE_NONE && !folder))
            continue;
        struct buf name = {0};
        option_name(row->option, &name);
        err_set(err, ERR_USAGE, "--%s: expected a %s, found nothing", buf_text(&name),
                folder ? "folder" : "file");
        buf_release(&name);
        return false;
    }
    for (uint32_t i = 0; i < command->words.len; i++)
        if (command->words.at[i][0] == '\0')
            return err_set(err, ERR_USAGE, "%s: expected %s, found an empty word", table->name,
                           table->usage);
    return true;
}

bool options_parse(struct command_line *command, const struct command_table *table, int argc,
                   char **argv, struct err *err)
{
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i], *value = NULL;
        if (strcmp(text, "--") == 0) {
            while (++i < argc)
                vec_push(&command->words, argv[i]);
            break;
        }
        if (text[0] != '-' || text[1] == '\0') {
            vec_push(&command->words, text);
            continue;
        }
        const struct option_row *row = find_option(table, text, &value);
        if (!row)
            return unknown_option(table, text, err);
        if (!row->argument && value)
            return err_set(err, ERR_USAGE, "%s: option %s takes no value", table->name, text);
        if (row->argument && !value && ++i < argc)
            value = argv[i];
        if (row->argument && !value)
            return err_set(err, ERR_USAGE, "%s: option %s needs %s", table->name, text,
                           row->argument);
        // Two values contradict each other; a flag may be said twice.
        if (row->argument && command->value[row->option])
            return option_refuse(row->option, "is given twice", err);
        command->value[row->option] = value ? value : "";
    }
    if (!table->usage && command->words.len > 0)
        return err_set(err, ERR_USAGE, "%s: unexpected %s", table->name,
                       command->words.at[0][0] ? command->words.at[0] : "empty word");
    return empty_check(command, table, err) && forms_check(command, table, err);
}

static bool wrong_value(enum option option, const char *what, double least, double most,
                        const char *found, struct err *err)
{
    struct buf name = {0};
    option_name(option, &name);
    err_set(err, ERR_USAGE, "--%s: expected a %s from %.17g to %.17g, found %s", buf_text(&name),
            what, least, most, found);
    buf_release(&name);
    return false;
}

bool option_number(const struct command_line *command, enum option option, double least,
                   double most, double *value, struct err *err)
{
    const char *text = command->value[option];
    if (!text)
        return true;
    char *end;
    double v = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(v >= least && v <= most))
        return wrong_value(option, "number", least, most, text, err);
    *value = v;
    return true;
}

bool option_count(const struct command_line *command, enum option option, double least, double most,
                  double *value, struct err *err)
{
    const char *text = command->value[option];
    if (text && text[strspn(text, "0123456789")] != '\0')
        return wrong_value(option, "whole number", least, most, text, err);
    return option_number(command, option, least, most, value, err);
}

bool option_domains(const struct command_line *command, unsigned *mask, struct err *err)
{
    const char *text = command->value[OPTION_domain];
    *mask = (1u << N_DOMAINS) - 1;
    if (!text)
        return true;
    *mask = 0;
    while (*text) {
        char name[16] = "";
        size_t n = strcspn(text, ",");
        enum domain domain;
        if (n < sizeof name)
            memcpy(name, text, n);
        if (!domain_by_text(name, &domain)) {
            struct nearest nearest = nearest_to(text, n);
            for (int i = 0; i < N_DOMAINS; i++)
                nearest_consider(&nearest, domain_text((enum domain)i),
                                 strlen(domain_text((enum domain)i)));
            err_set(err, ERR_USAGE,
                    "--domain: expected bool, int, word, real or "
                    "float, found %.*s",
                    (int)n, text);
            return nearest_hint(&nearest, err);
        }
        *mask |= 1u << domain;
        text += n + (text[n] == ',');
    }
    if (*mask == 0)
        return err_set(err, ERR_USAGE, "--domain: expected a domain");
    return true;
}

bool option_choice(const struct command_line *command, enum option option, uint32_t n,
                   const char *const *choices, uint32_t *value, struct err *err)
{
    const char *text = command->value[option];
    if (!text)
        return true;
    struct buf all = {0};
    struct nearest nearest = nearest_to(text, strlen(text));
    for (uint32_t i = 0; i < n; i++) {
        nearest_consider(&nearest, choices[i], strlen(choices[i]));
        if (strcmp(text, choices[i]) == 0) {
            *value = i;
            buf_release(&all);
            return true;
        }
        buf_printf(&all, "%s%s", i ? " or " : "", choices[i]);
    }
    struct buf name = {0};
    option_name(option, &name);
    err_set(err, ERR_USAGE, "--%s: expected %s, found %s", buf_text(&name), buf_text(&all), text);
    nearest_hint(&nearest, err);
    buf_release(&name);
    buf_release(&all);
    return false;
}
