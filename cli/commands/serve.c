// SPDX-License-Identifier: Apache-2.0
// The explorer in a browser; with --worker the process of one of its jobs.
#include "cli/door.h"

#include "explorer/play/work.h"
#include "explorer/server/server.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PROGRAM_PATH = 4096, MOST_WORDS = 8 };

static volatile sig_atomic_t stop;

static void on_stop(int number)
{
    (void)number;
    stop = 1;
}

static void catch_stops(void)
{
    struct sigaction action = {.sa_handler = on_stop};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

// Is there a program of this name on the PATH?
static bool on_path(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at; at += strspn(at, ":")) {
        size_t n = strcspn(at, ":");
        struct buf file = {0};
        buf_write(&file, at, n);
        buf_printf(&file, "/%s", name);
        bool found = n > 0 && access(buf_text(&file), X_OK) == 0;
        buf_release(&file);
        if (found)
            return true;
        at += n;
    }
    return false;
}

// Starts the browser, which outlives this command.
static void open_browser(const char *address)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0)
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        _exit(0);
    }
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        continue;
}

static void on_ready(void *user, const char *address)
{
    const struct command_line *command = user;
    printf("%s\n", address);
    fflush(stdout);
    if (command->value[OPTION_open] != NULL && !on_path("xdg-open"))
        note("no browser was opened: xdg-open is not installed; open the address in one");
    else if (command->value[OPTION_open] != NULL)
        open_browser(address);
}

// The database, or why there is none.
static struct rw_database *open_if_possible(const struct command_line *command,
                                            struct rw_context *context, struct err *why)
{
    struct rw_database *database = NULL;
    return open_database(command, context, RW_READ, &database, why) ? database : NULL;
}

static int work(const struct command_line *command)
{
    struct err why = {0};
    struct rw_context *context = rw_context_new();
    struct rw_database *database = open_if_possible(command, context, &why);
    err_name_file(&why);
    struct play_home home = {.context = context,
                             .database = database,
                             .no_database = why.msg,
                             .in = STDIN_FILENO,
                             .out = STDOUT_FILENO};
    bool ok = play_work(&home);
    rw_database_close(database);
    rw_context_free(context);
    return ok ? EXIT_YES : EXIT_BAD_INPUT;
}

// The command line of the processes of jobs: this program, and the database of this command.
static bool worker_words(const struct command_line *command, char *path, const char **words,
                         struct err *err)
{
    size_t n = 0;
    ssize_t length = readlink("/proc/self/exe", path, PROGRAM_PATH - 1);
    if (length <= 0)
        return err_set(err, ERR_IO, "the path of this program is not known");
    path[length] = '\0';
    words[n++] = path;
    words[n++] = "serve";
    words[n++] = "--worker";
    if (command->value[OPTION_db] != NULL) {
        words[n++] = "--db";
        words[n++] = command->value[OPTION_db];
    }
    words[n] = NULL;
    return true;
}

static bool read_options(const struct command_line *command, struct server_options *options,
                         struct err *err)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    double port = 0, jobs = processors > 0 ? (double)processors : 1;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "serve: expected no words, found %s", command->words.at[0]);
    if (!option_count(command, OPTION_port, 0, 65535, &port, err) ||
        !option_count(command, OPTION_jobs, 1, 256, &jobs, err))
        return false;
    options->port = (uint16_t)port;
    options->jobs = (unsigned)jobs;
    return true;
}

static int serve(struct command_line *command)
{
    struct err err = {0}, why = {0};
    char path[PROGRAM_PATH];
    const char *words[MOST_WORDS];
    struct server_options options = {
        .program = words, .stop = &stop, .ready = on_ready, .user = command};
    if (!read_options(command, &options, &err) || !worker_words(command, path, words, &err))
        return report_error(&err);
    struct rw_context *context = door_open();
    options.database = open_if_possible(command, context, &why);
    options.no_database = why.msg;
    catch_stops();
    // A database that the user named must exist.
    bool ok = options.database != NULL || command->value[OPTION_db] == NULL;
    if (!ok)
        err = why;
    err_name_file(&why);
    ok = ok && server_run(&options, &err);
    rw_database_close(options.database);
    rw_context_free(context);
    return ok ? EXIT_YES : report_error(&err);
}

int cmd_serve(struct command_line *command)
{
    return command->value[OPTION_worker] != NULL ? work(command) : serve(command);
}
