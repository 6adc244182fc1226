// SPDX-License-Identifier: Apache-2.0
#include "base/text/division.h"

#include "base/text/cursor.h"
#include <string.h>

struct divisor {
    struct cursor cursor;
    bool (*knows)(void *user, const char *name, size_t n);
    void *user;
    bool operand; // the last thing was one: an operator may follow
};

static bool line_ends(const struct cursor *cursor)
{
    char next = cursor_peek(cursor, 0);
    return next == '\0' || next == '\n' || next == ';' || next == '#' ||
           (next == '/' && cursor_peek(cursor, 1) == '/');
}

// `and`, `or` and `not` stand where operators do.
static bool is_operator(const char *name, size_t n)
{
    static const char *const words[] = {"and", "or", "not"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && memcmp(words[i], name, n) == 0)
            return true;
    return false;
}

static bool skip_name(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    const char *name = cursor->at;
    cursor_skip_name(cursor);
    size_t n = (size_t)(cursor->at - name);
    if (is_operator(name, n)) {
        divisor->operand = false;
        return true;
    }
    if (divisor->operand)
        return false;
    bool call = cursor_peek(cursor, 0) == '(';
    if (!call && divisor->knows != NULL && !divisor->knows(divisor->user, name, n))
        return false;
    divisor->operand = !call;
    if (cursor_peek(cursor, 0) == '(' || cursor_peek(cursor, 0) == '[') {
        cursor_advance(cursor);
        divisor->operand = false;
    }
    return true;
}

static bool skip_number(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    if (divisor->operand)
        return false;
    divisor->operand = true;
    do
        cursor_advance(cursor);
    while (is_digit(cursor_peek(cursor, 0)) || cursor_peek(cursor, 0) == '.');
    char letter = cursor_peek(cursor, 0), sign = cursor_peek(cursor, 1);
    bool exponent = letter == 'e' || letter == 'E';
    bool is_signed = exponent && (sign == '+' || sign == '-');
    if (exponent && is_digit(cursor_peek(cursor, is_signed ? 2 : 1))) {
        cursor_advance(cursor);
        if (is_signed)
            cursor_advance(cursor);
        cursor_skip_digits(cursor);
    }
    return !is_letter(cursor_peek(cursor, 0));
}

static bool skip_sign(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    char sign = *cursor->at;
    cursor_advance(cursor);
    if (sign == ')' || sign == ']')
        return divisor->operand;
    if (sign == '(' && !divisor->operand)
        return true;
    if (strchr(divisor->operand ? "+-*/%^<>=!,?:&|" : "+-!*=>&|", sign) == NULL)
        return false;
    divisor->operand = false;
    return true;
}

bool comment_is_divisor(const char *at, const char *end,
                        bool (*knows)(void *user, const char *name, size_t n), void *user)
{
    struct divisor divisor = {{at, end, 1, 1}, knows, user, false};
    struct cursor *cursor = &divisor.cursor;
    for (;;) {
        char next = cursor_peek(cursor, 0);
        if (line_ends(cursor))
            return divisor.operand;
        bool point = next == '.' && is_digit(cursor_peek(cursor, 1));
        if (next == ' ' || next == '\t' || next == '\r')
            cursor_advance(cursor);
        else if (!(is_letter(next)           ? skip_name(&divisor)
                   : is_digit(next) || point ? skip_number(&divisor)
                                             : skip_sign(&divisor)))
            return false;
    }
}
