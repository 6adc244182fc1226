// SPDX-License-Identifier: Apache-2.0
#include "api/error.h"

#include "base/memory/vec.h"

// In the order of enum err_kind.  A failure without a kind is a bug.
static const enum rw_code codes[] = {
    [ERR_NONE] = RW_ERROR_BUG,    [ERR_USAGE] = RW_ERROR_USAGE, [ERR_INPUT] = RW_ERROR_INPUT,
    [ERR_PIPE] = RW_ERROR_IO,     [ERR_IO] = RW_ERROR_IO,       [ERR_DB] = RW_ERROR_DATABASE,
    [ERR_LIMIT] = RW_ERROR_LIMIT, [ERR_CHECK] = RW_ERROR_CHECK, [ERR_BUG] = RW_ERROR_BUG,
};
static const enum err_kind kinds[] = {
    [RW_OK] = ERR_NONE,           [RW_ERROR_USAGE] = ERR_USAGE, [RW_ERROR_INPUT] = ERR_INPUT,
    [RW_ERROR_IO] = ERR_IO,       [RW_ERROR_DATABASE] = ERR_DB, [RW_ERROR_LIMIT] = ERR_LIMIT,
    [RW_ERROR_CHECK] = ERR_CHECK, [RW_ERROR_BUG] = ERR_BUG,
};

_Static_assert(sizeof(((struct err *)0)->msg) == sizeof(((struct rw_error *)0)->message),
               "messages are copied as a whole");
_Static_assert(sizeof(((struct err *)0)->excerpt) == sizeof(((struct rw_error *)0)->excerpt) &&
                   sizeof(((struct err *)0)->hint) == sizeof(((struct rw_error *)0)->hint),
               "excerpts and hints are copied as a whole");
_Static_assert(sizeof(((struct err *)0)->file) == sizeof(((struct rw_error *)0)->file),
               "file names are copied as a whole");

bool error_give(const struct err *from, struct rw_error *to)
{
    if (to == NULL)
        return false;
    to->code = codes[from->kind];
    to->line = from->line;
    to->column = from->col;
    memcpy(to->file, from->file, sizeof to->file);
    memcpy(to->message, from->msg, sizeof to->message);
    memcpy(to->excerpt, from->excerpt, sizeof to->excerpt);
    memcpy(to->hint, from->hint, sizeof to->hint);
    return false;
}

bool error_take(const struct rw_error *from, struct err *to)
{
    to->kind = kinds[from->code];
    to->line = from->line;
    to->col = from->column;
    memcpy(to->file, from->file, sizeof to->file);
    memcpy(to->msg, from->message, sizeof to->msg);
    memcpy(to->excerpt, from->excerpt, sizeof to->excerpt);
    memcpy(to->hint, from->hint, sizeof to->hint);
    return false;
}

bool options_copy(const void *from, void *to, size_t size, struct err *err)
{
    size_t given = 0;
    memset(to, 0, size);
    if (from == NULL)
        return true;
    memcpy(&given, from, sizeof given);
    if (given < sizeof given || given > 4096)
        return err_set(err, ERR_USAGE,
                       "expected the size of the options as their first "
                       "member, found %zu",
                       given);
    memcpy(to, from, given < size ? given : size);
    return true;
}

const char *rw_version(void)
{
    return RW_VERSION;
}

void rw_free(char *text)
{
    mem_free(text);
}
