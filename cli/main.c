// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <signal.h>

// Is one of the two words before the first "--"?
static bool has_word(int argc, char **argv, const char *word, const char *letter)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0 || strcmp(argv[i], letter) == 0)
            return true;
    return false;
}

static int run_help(const char *topic)
{
    struct command_line help = {.command = "help"};
    if (topic)
        vec_push(&help.words, topic);
    int status = cmd_help(&help);
    vec_release(&help.words);
    return status;
}

static int run(const struct command_table *table, int argc, char **argv)
{
    struct command_line command = {.command = table->name};
    struct err err = {0};
    if (has_word(argc, argv, "--help", "-h"))
        return run_help(table->name);
    int status =
        options_parse(&command, table, argc, argv, &err) && outputs_check(&command, table, &err)
            ? table->run(&command)
            : report_error(&err);
    vec_release(&command.words);
    return status;
}

static int wrong_usage(void)
{
    struct buf buf = {0};
    command_list(&buf);
    fputs(buf_text(&buf), stderr);
    buf_release(&buf);
    return EXIT_USAGE;
}

// --help, --version, or an option that should stand behind a command.
static int run_option(int argc, char **argv)
{
    struct err err = {0};
    if (has_word(1, argv, "--help", "-h"))
        return run(command_find("help"), argc - 1, argv + 1);
    if (has_word(1, argv, "--version", "-V") && argc == 1)
        return run(command_find("version"), 0, NULL);
    err_set(&err, ERR_USAGE, "expected a command, found %s", argv[0]);
    err_hint(&err, "options stand behind the command: rankwright COMMAND %s", argv[0]);
    return report_error(&err);
}

int main(int argc, char **argv)
{
    struct err err = {0};
    mem_keep();
    // A closed pipe and a file that may not grow are reported as errors, not as
    // signals.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2)
        return wrong_usage();
    if (argv[1][0] == '-')
        return run_option(argc - 1, argv + 1);
    const struct command_table *table = command_named(argv[1], "unknown command", &err);
    return table ? run(table, argc - 2, argv + 2) : report_error(&err);
}
