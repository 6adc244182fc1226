// SPDX-License-Identifier: Apache-2.0
#include "base/text/buf.h"
#include "base/memory/vec.h"
#include <math.h>
#include <stdarg.h>

// Makes room for n more characters and a NUL.
static void make_room(struct buf *buf, size_t n)
{
    if (n > SIZE_MAX / 2 - buf->len - 1)
        out_of_memory("a text of %zu more bytes", n);
    size_t need = buf->len + n + 1;
    if (need <= buf->cap)
        return;
    size_t cap = buf->cap * 2 < 64 ? 64 : buf->cap * 2;
    if (cap < need)
        cap = need;
    buf->at = mem_resize(buf->at, cap);
    buf->cap = cap;
}

void buf_putc(struct buf *buf, char c)
{
    make_room(buf, 1);
    buf->at[buf->len++] = c;
    buf->at[buf->len] = 0;
}

void buf_puts(struct buf *buf, const char *text)
{
    buf_write(buf, text, strlen(text));
}

void buf_write(struct buf *buf, const void *data, size_t n)
{
    make_room(buf, n);
    if (n)
        memcpy(buf->at + buf->len, data, n);
    buf->len += n;
    buf->at[buf->len] = 0;
}

void buf_printf(struct buf *buf, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    buf_vprintf(buf, fmt, ap);
    va_end(ap);
}

void buf_vprintf(struct buf *buf, const char *fmt, va_list ap)
{
    char small[256];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n < 0)
        BUG("text cannot be formatted");
    if ((size_t)n < sizeof small) {
        buf_write(buf, small, (size_t)n);
    } else {
        make_room(buf, (size_t)n);
        vsnprintf(buf->at + buf->len, (size_t)n + 1, fmt, again);
        buf->len += (size_t)n;
    }
    va_end(again);
}

// What "%.15g" writes for an integer of at most 15 digits.
static void put_integer(struct buf *buf, int64_t x)
{
    char text[20], *at = text + sizeof text - 1;
    uint64_t n = x < 0 ? -(uint64_t)x : (uint64_t)x;
    *at = 0;
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    if (x < 0)
        *--at = '-';
    buf_puts(buf, at);
}

void buf_double(struct buf *buf, double x)
{
    char text[40];
    if (x > -1e15 && x < 1e15 && x == (double)(int64_t)x && !(x == 0 && signbit(x))) {
        put_integer(buf, (int64_t)x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    buf_puts(buf, text);
}

void buf_indent(struct buf *buf, unsigned n)
{
    make_room(buf, n);
    memset(buf->at + buf->len, ' ', n);
    buf->len += n;
    buf->at[buf->len] = 0;
}

const char *buf_text(const struct buf *buf)
{
    return buf->at ? buf->at : "";
}

char *buf_detach(struct buf *buf)
{
    make_room(buf, 0);
    buf->at[buf->len] = 0;
    char *text = buf->at;
    *buf = (struct buf){0};
    return text;
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
    if (buf->at)
        buf->at[0] = 0;
}

void buf_release(struct buf *buf)
{
    mem_free(buf->at);
    *buf = (struct buf){0};
}
