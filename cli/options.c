// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <stdlib.h>

static const struct {
    const char *name, *arg, *commands, *help;
} table[] = {
#define X(name, arg, commands, help) {#name, arg, commands, help},
    OPTIONS(X)
#undef X
};

// Option names are written with dashes: all_splits is --all-splits.
static bool same_name(const char *given, size_t n, const char *name)
{
    if (strlen(name) != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (given[i] != (name[i] == '_' ? '-' : name[i]))
            return false;
    return true;
}

static bool find_option(char letter, const char *given, size_t n, enum option *out)
{
    for (int i = 0; i < N_OPTIONS; i++)
        if (strchr(table[i].commands, letter) && same_name(given, n, table[i].name)) {
            *out = (enum option)i;
            return true;
        }
    return false;
}

// -j N, -jN, -o FILE, -e TEXT; -h is handled by the caller.
static bool short_option(char letter, const char *text, enum option *out)
{
    *out = text[1] == 'j' ? OPTION_jobs : text[1] == 'e' ? OPTION_formula : OPTION_output;
    return strchr("jeo", text[1]) != NULL && strchr(table[*out].commands, letter);
}

static void put_name(enum option option, struct buf *out)
{
    for (const char *text = table[option].name; *text; text++)
        buf_putc(out, *text == '_' ? '-' : *text);
}

bool option_refuse(enum option option, const char *why, struct err *err)
{
    struct buf name = {0};
    put_name(option, &name);
    err_set(err, ERR_USAGE, "--%s %s", buf_text(&name), why);
    buf_release(&name);
    return false;
}

bool options_parse(struct command_line *command, char letter, int argc, char **argv,
                   struct err *err)
{
    for (int i = 0; i < argc; i++) {
        const char *text = argv[i], *value = NULL;
        enum option option;
        if (strcmp(text, "--") == 0) {
            while (++i < argc)
                vec_push(&command->words, argv[i]);
            break;
        }
        if (text[0] != '-' || text[1] == '\0') {
            vec_push(&command->words, text);
            continue;
        }
        if (text[1] == '-') {
            size_t n = strcspn(text + 2, "=");
            if (!find_option(letter, text + 2, n, &option))
                return err_set(err, ERR_USAGE, "%s: unknown option %s", command->command, text);
            value = text[2 + n] == '=' ? text + 3 + n : NULL;
        } else {
            if (!short_option(letter, text, &option))
                return err_set(err, ERR_USAGE, "%s: unknown option %s", command->command, text);
            value = text[2] ? text + 2 : NULL;
        }
        if (!table[option].arg && value)
            return err_set(err, ERR_USAGE, "%s: option %s takes no value", command->command, text);
        if (table[option].arg && !value && ++i < argc)
            value = argv[i];
        if (table[option].arg && !value)
            return err_set(err, ERR_USAGE, "%s: option %s needs %s", command->command, text,
                           table[option].arg);
        if (command->value[option] && (option == OPTION_formula || option == OPTION_given))
            return option_refuse(option, "is given twice", err);
        command->value[option] = value ? value : "";
    }
    return true;
}

static bool wrong_value(enum option option, const char *what, double least, double most,
                        const char *found, struct err *err)
{
    struct buf name = {0};
    put_name(option, &name);
    err_set(err, ERR_USAGE, "--%s: expected a %s from %.15g to %.15g, found %s", buf_text(&name),
            what, least, most, found);
    buf_release(&name);
    return false;
}

void options_help(char letter, struct buf *out)
{
    for (int i = 0; i < N_OPTIONS; i++) {
        if (!strchr(table[i].commands, letter))
            continue;
        struct buf name = {0};
        put_name((enum option)i, &name);
        if (table[i].arg)
            buf_printf(&name, " %s", table[i].arg);
        buf_printf(out, "  --%-18s %s\n", buf_text(&name), table[i].help);
        buf_release(&name);
    }
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
        if (!domain_by_text(name, &domain))
            return err_set(err, ERR_USAGE,
                           "--domain: expected bool, int, word, real or "
                           "float, found %.*s",
                           (int)n, text);
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
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *value = i;
            buf_release(&all);
            return true;
        }
        buf_printf(&all, "%s%s", i ? " or " : "", choices[i]);
    }
    err_set(err, ERR_USAGE, "--%s: expected %s, found %s", table[option].name, buf_text(&all),
            text);
    buf_release(&all);
    return false;
}
