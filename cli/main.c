// SPDX-License-Identifier: Apache-2.0
#include "api/proving/proving.h"
#include "cli/door.h"
#include "cli/outputs.h"
#include "cli/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

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
    // Also of a command that has no such option: whoever writes it reads JSON.
    if (has_word(argc, argv, "--json", "--json"))
        terminal_json();
    int status = options_parse(&command, table, argc, argv, &err) &&
                         terminal_choose(&command, &err) && outputs_check(&command, table, &err)
                     ? table->run(&command)
                     : report_error(&err);
    vec_release(&command.words);
    if (proving_signal())
        return EXIT_SIGNAL + proving_signal();
    // Of an answer that does not speak of all rules that were named.
    return some_rule_was_unreadable() && status <= EXIT_UNKNOWN ? EXIT_BAD_INPUT : status;
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

// A file that is opened must not get the place of a standard one that is closed:
// what is printed would go into it.
static void hold_descriptors(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY}; // of no use there
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", modes[fd]) != fd)
            _exit(EXIT_IO);
}

static int run_words(int argc, char **argv)
{
    struct err err = {0};
    terminal_choose(&(struct command_line){.command = ""}, &err);
    if (argc < 2)
        return wrong_usage();
    if (argv[1][0] == '-')
        return run_option(argc - 1, argv + 1);
    const struct command_table *table = command_named(argv[1], "unknown command", &err);
    if (table == NULL && has_word(argc - 2, argv + 2, "--json", "--json"))
        terminal_json();
    return table ? run(table, argc - 2, argv + 2) : report_error(&err);
}

int main(int argc, char **argv)
{
    hold_descriptors();
    mem_keep();
    // A closed pipe is noticed where it is written to, and a file that may not
    // grow is an error.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    int status = run_words(argc, argv);
    if (status > EXIT_SIGNAL) { // ends by the signal, for those who wait
        signal(status - EXIT_SIGNAL, SIG_DFL);
        raise(status - EXIT_SIGNAL);
    }
    return status;
}
