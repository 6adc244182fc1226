// SPDX-License-Identifier: Apache-2.0
#include "cli/command.h"

#include "api/evaluate/formula_program.h"
#include "cli/terminal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool path_ends(const char *path, const char *suffix)
{
    size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

bool is_picture(const char *path)
{
    return path_ends(path, ".dot") || path_ends(path, ".svg");
}

bool formula_wanted(const struct command_line *command)
{
    return command->value[OPTION_formula] != NULL ||
           (command->words.len > 0 && is_formula_file(command->words.at[0]));
}

static int status_of(enum err_kind kind)
{
    switch (kind) {
    case ERR_USAGE:
        return EXIT_USAGE;
    case ERR_INPUT:
        return EXIT_BAD_INPUT;
    case ERR_IO:
    case ERR_DB:
        return EXIT_IO;
    case ERR_PIPE:
        return EXIT_SIGNAL + SIGPIPE;
    case ERR_LIMIT:
        return EXIT_UNKNOWN;
    case ERR_CHECK:
        return EXIT_NO;
    case ERR_BUG:
    case ERR_NONE:
        break;
    }
    return EXIT_BUG;
}

// The option that gives the library this argument; false: none is called so.
static bool option_of(const char *argument, struct buf *out)
{
    buf_puts(out, "--");
    if (strcmp(argument, "filter") == 0) // of rw_query_values
        option_name(OPTION_values, out);
    for (int i = 0; i < N_OPTIONS && out->len == 2; i++) {
        struct buf name = {0};
        option_name((enum option)i, &name);
        if (strcmp(buf_text(&name), argument) == 0)
            buf_puts(out, argument);
        buf_release(&name);
    }
    return out->len > 2;
}

// The library names what its caller gave it; here that came from options and words.
static void name_argument(struct err *err)
{
    struct buf name = {0};
    const char *equals = strchr(err->file, '=');
    if (err->kind != ERR_USAGE || err->line > 0)
        return;
    if (option_of(err->file, &name))
        err_in(err, buf_text(&name));
    else if (equals != NULL && err->file[0] != '-')
        err_hint(err, "rankwright query --values %.*s lists the values of rules",
                 (int)(equals - err->file), err->file);
    buf_release(&name);
}

// A reader who has gone wants no message.
int report_error(const struct err *err)
{
    struct err named = *err;
    int status = status_of(err->kind);
    name_argument(&named);
    if (err->kind != ERR_PIPE)
        terminal_error(&named, status);
    return status;
}

PRINTF_LIKE(1, 0)
static void say(const char *fmt, va_list ap)
{
    struct buf text = {0};
    buf_vprintf(&text, fmt, ap);
    terminal_say(buf_text(&text));
    buf_release(&text);
}

void note(const char *fmt, ...)
{
    va_list ap;
    if (terminal_quiet())
        return;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

void tell(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(fmt, ap);
    va_end(ap);
}

bool print_all(const struct buf *buf, struct err *err)
{
    struct buf text = {0};
    terminal_paint(buf, &text);
    bool ok = fwrite(buf_text(&text), 1, text.len, stdout) == text.len && fflush(stdout) == 0;
    if (!ok && errno == EPIPE)
        err_set(err, ERR_PIPE, "nobody reads standard output");
    else if (!ok)
        err_set(err, ERR_IO, "standard output: %s", strerror(errno));
    buf_release(&text);
    return ok;
}

// Makes every folder of the path, except the last part.
static bool make_folders(char *path, struct err *err)
{
    for (char *text = path + 1; *text; text++) {
        if (*text != '/')
            continue;
        *text = '\0';
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!ok)
            err_at(err, ERR_IO, path, 0, 0, "%s", strerror(errno));
        *text = '/';
        if (!ok)
            return false;
    }
    return true;
}

bool database_path(const struct command_line *command, bool make, struct buf *out, struct err *err)
{
    if (command->value[OPTION_db]) {
        buf_puts(out, command->value[OPTION_db]);
        return true;
    }
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && data[0] == '/')
        buf_printf(out, "%s/rankwright/rules.db", data);
    else if (home && home[0])
        buf_printf(out, "%s/.local/share/rankwright/rules.db", home);
    else
        return err_set(err, ERR_USAGE,
                       "none of --db, XDG_DATA_HOME and HOME is set: where is "
                       "the rule database?");
    return !make || make_folders(out->at, err);
}
