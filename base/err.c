// SPDX-License-Identifier: Apache-2.0
#include "base/err.h"
#include <stdarg.h>

PRINTF_LIKE(3, 0)
static void write_message(struct err *e, enum err_kind kind, const char *fmt,
                          va_list ap)
{
    e->kind = kind;
    e->line = e->col = 0;
    e->file[0] = 0;
    if (vsnprintf(e->msg, sizeof e->msg, fmt, ap) < 0)
        e->msg[0] = 0;
}

bool err_set(struct err *e, enum err_kind kind, const char *fmt, ...)
{
    if (e->kind != ERR_NONE)
        return false;
    va_list ap;
    va_start(ap, fmt);
    write_message(e, kind, fmt, ap);
    va_end(ap);
    return false;
}

bool err_at(struct err *e, enum err_kind kind, const char *file, uint32_t line,
            uint32_t col, const char *fmt, ...)
{
    if (e->kind != ERR_NONE)
        return false;
    va_list ap;
    va_start(ap, fmt);
    write_message(e, kind, fmt, ap);
    va_end(ap);
    e->line = line;
    e->col = col;
    snprintf(e->file, sizeof e->file, "%s", file ? file : "");
    return false;
}

void err_clear(struct err *e)
{
    memset(e, 0, sizeof *e);
}

// The one place below cli/ that writes to stderr: the process ends here.
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
