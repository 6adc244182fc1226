// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"
#include "cli/help/help.h"
#include "cli/help/limits.h"

static bool completion(const char *shell, struct buf *out, struct err *err)
{
    if (shell && strcmp(shell, "bash") == 0)
        completion_bash(out);
    else if (shell && strcmp(shell, "zsh") == 0)
        completion_zsh(out);
    else if (shell && strcmp(shell, "fish") == 0)
        completion_fish(out);
    else
        return err_set(err, ERR_USAGE, "help completion: expected bash, zsh or fish, found %s",
                       shell ? shell : "nothing");
    return true;
}

static bool limits(const char *form, struct buf *out, struct err *err)
{
    if (form && strcmp(form, "markdown") != 0)
        return err_set(err, ERR_USAGE, "help limits: expected nothing or markdown, found %s", form);
    if (form)
        limits_markdown(out);
    else
        limits_text(out);
    return true;
}

static bool man(const char *name, struct buf *out, struct err *err)
{
    const struct command_table *table =
        name ? command_named(name, "help man: expected a command, found", err) : NULL;
    if (name && !table)
        return false;
    man_page(table, out);
    return true;
}

static bool print_topic(const char *topic, const char *word, struct buf *out, struct err *err)
{
    if (topic && strcmp(topic, "completion") == 0)
        return completion(word, out, err);
    if (topic && strcmp(topic, "limits") == 0)
        return limits(word, out, err);
    if (topic && strcmp(topic, "man") == 0)
        return man(word, out, err);
    const struct command_table *table =
        topic ? command_named(topic, "help: expected a command, limits, man or completion, found",
                              err)
              : NULL;
    if (topic && !table)
        return false;
    if (word)
        return err_set(err, ERR_USAGE, "help: unexpected %s", word);
    if (table)
        help_command(table, out);
    else
        command_list(out);
    return true;
}

int cmd_help(struct command_line *command)
{
    struct buf out = {0};
    struct err err = {0};
    const char *topic = command->words.len > 0 ? command->words.at[0] : NULL;
    const char *word = command->words.len > 1 ? command->words.at[1] : NULL;
    bool ok = (command->words.len <= 2 ||
               err_set(&err, ERR_USAGE, "help: unexpected %s", command->words.at[2])) &&
              print_topic(topic, word, &out, &err) && print_all(&out, &err);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
