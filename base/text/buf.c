// SPDX-License-Identifier: Apache-2.0
#include "base/text/buf.h"
#include "base/memory/vec.h"
#include <math.h>
#include <stdarg.h>

// Makes room for n more characters and a NUL.
static void make_room(struct buf *b, size_t n)
{
    if (n > SIZE_MAX / 2 - b->len - 1)
        BUG("out of memory (a text of %zu more bytes)", n);
    size_t need = b->len + n + 1;
    if (need <= b->cap)
        return;
    size_t cap = b->cap * 2 < 64 ? 64 : b->cap * 2;
    if (cap < need)
        cap = need;
    b->at = mem_resize(b->at, cap);
    b->cap = cap;
}

void buf_putc(struct buf *b, char c)
{
    make_room(b, 1);
    b->at[b->len++] = c;
    b->at[b->len] = 0;
}

void buf_puts(struct buf *b, const char *s)
{
    buf_write(b, s, strlen(s));
}

void buf_write(struct buf *b, const void *p, size_t n)
{
    make_room(b, n);
    if (n)
        memcpy(b->at + b->len, p, n);
    b->len += n;
    b->at[b->len] = 0;
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char small[256];
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    if (n < 0)
        BUG("text cannot be formatted");
    if ((size_t)n < sizeof small) {
        buf_write(b, small, (size_t)n);
    } else {
        make_room(b, (size_t)n);
        vsnprintf(b->at + b->len, (size_t)n + 1, fmt, again);
        b->len += (size_t)n;
    }
    va_end(again);
    va_end(ap);
}

// What "%.15g" writes for an integer of at most 15 digits.
static void put_integer(struct buf *b, int64_t x)
{
    char text[20], *at = text + sizeof text - 1;
    uint64_t n = x < 0 ? -(uint64_t)x : (uint64_t)x;
    *at = 0;
    do
        *--at = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    if (x < 0)
        *--at = '-';
    buf_puts(b, at);
}

void buf_double(struct buf *b, double x)
{
    char text[40];
    if (x > -1e15 && x < 1e15 && x == (double)(int64_t)x &&
        !(x == 0 && signbit(x))) {
        put_integer(b, (int64_t)x);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    buf_puts(b, text);
}

void buf_indent(struct buf *b, unsigned n)
{
    make_room(b, n);
    memset(b->at + b->len, ' ', n);
    b->len += n;
    b->at[b->len] = 0;
}

const char *buf_text(const struct buf *b)
{
    return b->at ? b->at : "";
}

char *buf_detach(struct buf *b)
{
    make_room(b, 0);
    b->at[b->len] = 0;
    char *text = b->at;
    *b = (struct buf){0};
    return text;
}

void buf_clear(struct buf *b)
{
    b->len = 0;
    if (b->at)
        b->at[0] = 0;
}

void buf_release(struct buf *b)
{
    mem_free(b->at);
    *b = (struct buf){0};
}
