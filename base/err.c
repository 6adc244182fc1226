// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"
#include "base/character.h"
#include <stdarg.h>
#include <unistd.h>

PRINTF_LIKE(3, 0)
static void write_message(struct err *err, enum err_kind kind, const char *fmt, va_list ap)
{
    err->kind = kind;
    err->line = err->col = 0;
    err->file[0] = err->excerpt[0] = err->hint[0] = 0;
    if (vsnprintf(err->msg, sizeof err->msg, fmt, ap) < 0)
        err->msg[0] = 0;
    text_clean(err->msg); // names and other foreign texts are in it
}

bool err_set(struct err *err, enum err_kind kind, const char *fmt, ...)
{
    if (err->kind != ERR_NONE)
        return false;
    va_list ap;
    va_start(ap, fmt);
    write_message(err, kind, fmt, ap);
    va_end(ap);
    return false;
}

bool err_at(struct err *err, enum err_kind kind, const char *file, uint32_t line, uint32_t col,
            const char *fmt, ...)
{
    if (err->kind != ERR_NONE)
        return false;
    va_list ap;
    va_start(ap, fmt);
    write_message(err, kind, fmt, ap);
    va_end(ap);
    err->line = line;
    err->col = col;
    err_in(err, file);
    return false;
}

bool err_hint(struct err *err, const char *fmt, ...)
{
    if (err->kind == ERR_NONE || err->hint[0] != 0)
        return false;
    va_list ap;
    va_start(ap, fmt);
    if (vsnprintf(err->hint, sizeof err->hint, fmt, ap) < 0)
        err->hint[0] = 0;
    text_clean(err->hint);
    va_end(ap);
    return false;
}

void err_in(struct err *err, const char *file)
{
    snprintf(err->file, sizeof err->file, "%s", file ? file : "");
    text_clean(err->file);
}

void err_name_file(struct err *err)
{
    char message[sizeof err->msg];
    if (err->file[0] == 0)
        return;
    memcpy(message, err->msg, sizeof message);
    snprintf(err->msg, sizeof err->msg, "%s: %.*s", err->file,
             (int)(sizeof err->msg - sizeof err->file - 3), message);
    err->file[0] = 0;
}

void err_clear(struct err *err)
{
    memset(err, 0, sizeof *err);
}

// The two places below cli/ that write to stderr: the process ends here.
_Noreturn void bug_abort(const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fprintf(stderr, "bug: %s:%d: ", file, line);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
    abort();
}

_Noreturn void out_of_memory(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fputs("rankwright: out of memory (", stderr);
    vfprintf(stderr, fmt, ap);
    fputs(")\n", stderr);
    va_end(ap);
    _exit(EXIT_NO_MEMORY);
}
