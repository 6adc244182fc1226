// SPDX-License-Identifier: Apache-2.0
// A growing text.  `at` is always NUL-terminated once anything was appended;
// buf_text gives "" for an empty one.  All zero is a valid empty buffer.
#ifndef BASE_TEXT_BUF_H
#define BASE_TEXT_BUF_H

#include "base/err.h"
#include <stdarg.h>
#include <stddef.h>

struct buf {
    char *at;
    size_t len, cap;
};

void buf_putc(struct buf *buf, char c);
void buf_puts(struct buf *buf, const char *text);
void buf_write(struct buf *buf, const void *data, size_t n);
void buf_printf(struct buf *buf, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *buf, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
void buf_double(struct buf *buf, double x);   // shortest that reads back
void buf_indent(struct buf *buf, unsigned n); // n spaces
const char *buf_text(const struct buf *buf);  // borrowed until the next call
char *buf_detach(struct buf *buf);            // caller frees with mem_free
void buf_clear(struct buf *buf);              // keeps the memory
void buf_release(struct buf *buf);

// Reads a whole file ("-" = standard input), without the byte order mark that may stand in front.
// Fails with ERR_IO; files over `limit` bytes fail with ERR_INPUT.
bool file_read(const char *path, size_t limit, struct buf *out, struct err *err);
// The same of a text, which has no NUL in it; else ERR_INPUT.
bool file_read_text(const char *path, size_t limit, struct buf *out, struct err *err);
// Writes through a temporary file in the same folder, fsync and rename, so that
// the file is either the old one or the whole new one.  A symbolic link stays one;
// mode and, where allowed, owner stay.  Devices and pipes are written as they are.
// "-" = standard output, and so is the path of the file that standard output is.
bool file_write(const char *path, const char *text, size_t n, struct err *err);
// Before long work whose result goes there: can the path be written?  Later it may still fail.
bool file_may_write(const char *path, struct err *err);

#endif
