// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"

#include <signal.h>

static const struct {
    const char *name;
    char letter;
    int (*run)(struct command_line *c);
    const char *usage, *help;
} commands[] = {
    {"prove", 'p', cmd_prove, "[FILE...]",
     "Proves the rules of .rw files or folders (default: the rule library)\n"
     "and stores the verdicts.  What is proved already is not proved again.\n"
     "With --worker: proves rules from standard input, one a line (a text or\n"
     "JSON, as --list prints them), and writes each one's verdicts as JSON\n"
     "lines before it reads the next one."},
    {"show", 's', cmd_show, "RULE",
     "Prints a rule (a name, or the start of a hash): statement, meaning,\n"
     "verdicts, bound, obligations, counterexample, uses."},
    {"query", 'q', cmd_query, "[FILTER...]",
     "Rules, one a line.  Filters, all of which must hold:\n"
     "  op=NAME  domain=D  verdict=V  rung=R  grade=G  family=F  record=FILE\n"
     "  precondition  precondition=ROLE  stale  superseded  TEXT\n"
     "Roles: size window start limit stride low high interior dilation groups\n"
     "element, or a part of the precondition's text.  A star marks verdicts "
     "that are stale: of another version of\n"
     "verifier or semantics."},
    {"simplify", 'S', cmd_simplify, "IN",
     "Rewrites a StableHLO program with proved rules to a cheaper one."},
    {"explain", 'e', cmd_explain, "RECORD", "Prints a proof record as readable steps."},
    {"check", 'c', cmd_check, "RECORD", "Replays a proof record."},
    {"eval", 'E', cmd_eval, "PROGRAM",
     "Evaluates a function in the interpreter, on random arguments."},
    {"merge", 'M', cmd_merge, "SOURCE...",
     "Takes the rules and verdicts of databases and of the lines of prove\n"
     "--worker into the database, in any order, as often as you like.\n"
     "Refutations are tried again; proofs are taken on trust, but for\n"
     "--reprove."},
    {"generalize", 'g', cmd_generalize, "RULE...",
     "Makes proved rules wider (names of library rules, or .rw files): drops\n"
     "and weakens preconditions, makes constants maps, operators variables,\n"
     "axes classes; solves for what has to change on the right side.\n"
     "--repair: finds preconditions or right sides that make false rules true."},
    {"extract", 'x', cmd_extract, "EGRAPH...",
     "Chooses the cheapest terms of e-graphs in egraph-serialize JSON.\n"
     "Methods: tree (each use is paid; least), dag (sharing is paid once; by\n"
     "search) and exact (sharing is paid once; with proof, or status 2)."},
    {"discover", 'D', cmd_discover, "--ops NAME,..",
     "Finds rules about these operators, proves them and writes them; of\n"
     "operators on elements all that hold up to a size, less what follows from\n"
     "the others (docs/discovery.md)."},
    {"derive", 'd', cmd_derive, "--from BASE --goal RULES",
     "Which rules follow from others, within limits; status 0: all do.\n"
     "With --minimal instead of --goal: which base rules derive the others."},
    {"lint", 'l', cmd_lint, "FILE...",
     "What is wrong with a set of rules though each may be true: rules said\n"
     "twice, that undo each other, loop or never fire, idle preconditions."},
};

static void usage(struct buf *to)
{
    buf_puts(to, "usage: rankwright COMMAND [OPTION...] [WORD...]\n\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        buf_printf(to, "  %-9s %-12s %.*s\n", commands[i].name, commands[i].usage,
                   (int)strcspn(commands[i].help, "\n"), commands[i].help);
    buf_puts(to, "\nrankwright COMMAND --help says more.  Exit status: 0 yes, "
                 "1 no, 2 don't know;\n64 usage, 65 bad input, 70 a bug, 74 "
                 "I/O or database.\n");
}

static int help(size_t i)
{
    struct buf buf = {0};
    buf_printf(&buf, "usage: rankwright %s [OPTION...] %s\n\n%s\n\n", commands[i].name,
               commands[i].usage, commands[i].help);
    options_help(commands[i].letter, &buf);
    struct err err = {0};
    int status = print_all(&buf, &err) ? EXIT_YES : report_error(&err);
    buf_release(&buf);
    return status;
}

static int run(size_t i, int argc, char **argv)
{
    struct command_line command = {.command = commands[i].name};
    struct err err = {0};
    for (int k = 0; k < argc; k++)
        if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0)
            return help(i);
    int status = options_parse(&command, commands[i].letter, argc, argv, &err)
                     ? commands[i].run(&command)
                     : report_error(&err);
    vec_release(&command.words);
    return status;
}

static int wrong_usage(void)
{
    struct buf buf = {0};
    usage(&buf);
    fputs(buf_text(&buf), stderr);
    buf_release(&buf);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    mem_keep();
    // A closed pipe and a file that may not grow are errors to report.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    if (argc < 2)
        return wrong_usage();
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        struct buf buf = {0};
        struct err err = {0};
        usage(&buf);
        int status = print_all(&buf, &err) ? EXIT_YES : report_error(&err);
        buf_release(&buf);
        return status;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(argv[1], commands[i].name) == 0)
            return run(i, argc - 2, argv + 2);
    fprintf(stderr, "rankwright: unknown command %s\n", argv[1]);
    return wrong_usage();
}
