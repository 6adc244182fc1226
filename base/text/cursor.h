// SPDX-License-Identifier: Apache-2.0
// A place in a text that is cut into tokens: rules/language/tokens/lex.c, formula/language/lex.c.
#ifndef BASE_TEXT_CURSOR_H
#define BASE_TEXT_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cursor {
    const char *at, *end;
    uint32_t line, col; // from 1; columns count characters
};

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

// Of a name.
static inline bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// NUL behind the end.
static inline char cursor_peek(const struct cursor *c, size_t ahead)
{
    return (size_t)(c->end - c->at) > ahead ? c->at[ahead] : '\0';
}

// Continuation bytes of UTF-8 do not advance the column.
static inline void cursor_advance(struct cursor *c)
{
    char byte = *c->at++;
    if (byte == '\n') {
        c->line++;
        c->col = 1;
    } else if (((unsigned char)byte & 0xC0) != 0x80) {
        c->col++;
    }
}

static inline void cursor_skip_line(struct cursor *c)
{
    while (c->at < c->end && *c->at != '\n')
        cursor_advance(c);
}

static inline void cursor_skip_digits(struct cursor *c)
{
    while (is_digit(cursor_peek(c, 0)))
        cursor_advance(c);
}

// Letters and digits.
static inline void cursor_skip_name(struct cursor *c)
{
    while (is_letter(cursor_peek(c, 0)) || is_digit(cursor_peek(c, 0)))
        cursor_advance(c);
}

#endif
