// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs.h"

#include <signal.h>

static bool wants_help(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
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
    if (wants_help(argc, argv))
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

int main(int argc, char **argv)
{
    mem_keep();
    // A closed pipe and a file that may not grow are reported as errors, not as
    // signals.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2)
        return wrong_usage();
    if (wants_help(1, argv + 1))
        return run_help(NULL);
    const struct command_table *table = command_find(argv[1]);
    if (table)
        return run(table, argc - 2, argv + 2);
    note("unknown command %s", argv[1]);
    return wrong_usage();
}
