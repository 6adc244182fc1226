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
static inline char cursor_peek(const struct cursor *cursor, size_t ahead)
{
    return (size_t)(cursor->end - cursor->at) > ahead ? cursor->at[ahead] : '\0';
}

// Continuation bytes of UTF-8 do not advance the column.
static inline void cursor_advance(struct cursor *cursor)
{
    char byte = *cursor->at++;
    if (byte == '\n') {
        cursor->line++;
        cursor->col = 1;
    } else if (((unsigned char)byte & 0xC0) != 0x80) {
        cursor->col++;
    }
}

static inline void cursor_skip_line(struct cursor *cursor)
{
    while (cursor->at < cursor->end && *cursor->at != '\n')
        cursor_advance(cursor);
}

static inline void cursor_skip_digits(struct cursor *cursor)
{
    while (is_digit(cursor_peek(cursor, 0)))
        cursor_advance(cursor);
}

// Letters and digits.
static inline void cursor_skip_name(struct cursor *cursor)
{
    while (is_letter(cursor_peek(cursor, 0)) || is_digit(cursor_peek(cursor, 0)))
        cursor_advance(cursor);
}

#endif
