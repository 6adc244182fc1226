// SPDX-License-Identifier: Apache-2.0
#include "base/text/division.h"

#include "base/text/cursor.h"
#include <string.h>

struct divisor {
    struct cursor cursor;
    bool (*knows)(void *user, const char *name, size_t n);
    void *user;
    bool operand; // the last thing was one: an operator may follow
    bool word;    // there was a name that is not known
    bool formula; // there was something that words do not have
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
    bool call = cursor_peek(cursor, 0) == '(', index = cursor_peek(cursor, 0) == '[';
    divisor->formula |= n == 1 || index;
    if (!call && !divisor->word && !divisor->formula && divisor->knows != NULL)
        divisor->word = !divisor->knows(divisor->user, name, n);
    divisor->operand = !call && !index;
    if (!divisor->operand)
        cursor_advance(cursor);
    return true;
}

// The `f` of 2.0f, the `j` of 2j, the `L` of 2L.
static void skip_suffix(struct cursor *cursor)
{
    char next = cursor_peek(cursor, 0), behind = cursor_peek(cursor, 1);
    if (next != '\0' && strchr("fFlLjJuU", next) != NULL && !is_letter(behind) && !is_digit(behind))
        cursor_advance(cursor);
}

static bool skip_number(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    if (divisor->operand)
        return false;
    divisor->operand = divisor->formula = true;
    if (cursor_peek(cursor, 0) == '0' && (cursor_peek(cursor, 1) | ' ') == 'x') {
        cursor_skip_name(cursor);
        return true;
    }
    do
        cursor_advance(cursor);
    while (is_digit(cursor_peek(cursor, 0)) || cursor_peek(cursor, 0) == '.' ||
           (cursor_peek(cursor, 0) == '_' && is_digit(cursor_peek(cursor, 1))));
    char letter = cursor_peek(cursor, 0), sign = cursor_peek(cursor, 1);
    bool exponent = letter == 'e' || letter == 'E';
    bool is_signed = exponent && (sign == '+' || sign == '-');
    if (exponent && is_digit(cursor_peek(cursor, is_signed ? 2 : 1))) {
        cursor_advance(cursor);
        if (is_signed)
            cursor_advance(cursor);
        cursor_skip_digits(cursor);
    }
    skip_suffix(cursor);
    return !is_letter(cursor_peek(cursor, 0));
}

// Words have commas and marks between them, and of operators those that join two words to one.
static bool joins_words(const struct divisor *divisor, char sign, bool blank)
{
    if (!divisor->operand)
        return true;
    return strchr("+-/&", sign) != NULL ? !blank : strchr("!,?:", sign) != NULL;
}

static bool skip_sign(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    char sign = *cursor->at;
    bool blank = cursor->at[-1] == ' ' && cursor_peek(cursor, 1) == ' ';
    cursor_advance(cursor);
    if (sign == ')' || sign == ']')
        return divisor->operand;
    if (sign == '(' && !divisor->operand)
        return true;
    if (strchr(divisor->operand ? "+-*/%^<>=!,?:&|" : "+-!*=>&|", sign) == NULL)
        return false;
    divisor->formula |= !joins_words(divisor, sign, blank);
    divisor->operand = false;
    return true;
}

// A `;` at the end of the line.
static bool statement_ends(struct cursor cursor)
{
    if (cursor_peek(&cursor, 0) != ';')
        return false;
    do
        cursor_advance(&cursor);
    while (cursor_peek(&cursor, 0) == ' ' || cursor_peek(&cursor, 0) == '\r');
    return cursor_peek(&cursor, 0) != ';' && line_ends(&cursor);
}

bool comment_is_divisor(const char *at, const char *end,
                        bool (*knows)(void *user, const char *name, size_t n), void *user)
{
    struct divisor divisor = {.cursor = {at, end, 1, 1}, .knows = knows, .user = user};
    struct cursor *cursor = &divisor.cursor;
    for (;;) {
        char next = cursor_peek(cursor, 0);
        if (line_ends(cursor))
            return divisor.operand && (!divisor.word || divisor.formula || statement_ends(*cursor));
        bool point = next == '.' && is_digit(cursor_peek(cursor, 1));
        if (next == ' ' || next == '\t' || next == '\r')
            cursor_advance(cursor);
        else if (!(is_letter(next)           ? skip_name(&divisor)
                   : is_digit(next) || point ? skip_number(&divisor)
                                             : skip_sign(&divisor)))
            return false;
    }
}
