// SPDX-License-Identifier: Apache-2.0
#include "base/text/division.h"

#include "base/character.h"
#include "base/text/cursor.h"
#include <string.h>

enum last {
    OPERATOR, // or nothing yet: an operand follows
    OPERAND,  // an operator may follow
    SLICE,    // the `:` of an index: either may follow
};
struct divisor {
    struct cursor cursor;
    bool (*knows)(void *user, const char *name, size_t n);
    void *user;
    enum last last;
    bool number;  // the operand is one
    bool word;    // there was a name that is not known
    bool formula; // there was something that words do not have
    // Brackets, bars and `if`s that are open.
    uint32_t indices, bars, choices;
};

static bool line_ends(const struct cursor *cursor)
{
    char next = cursor_peek(cursor, 0);
    return next == '\0' || next == '\n' || next == ';' || next == '#' ||
           (next == '/' && cursor_peek(cursor, 1) == '/');
}

static bool is_blank(char next)
{
    return next == ' ' || next == '\t' || next == '\r';
}

static void skip_bytes(struct cursor *cursor, size_t n)
{
    while (n-- > 0)
        cursor_advance(cursor);
}

// The character that is next; code 0 at the end.
static struct character next_character(const struct cursor *cursor)
{
    size_t left = (size_t)(cursor->end - cursor->at);
    return left > 0 ? character_next(cursor->at, left) : (struct character){.code = 0};
}

static bool is_word(const char *name, size_t n, const char *word)
{
    return strlen(word) == n && memcmp(word, name, n) == 0;
}

// ---- names

static bool is_greek(uint32_t code)
{
    return code >= 0x370 && code <= 0x3ff;
}

// A small digit or letter below the line.
static bool is_index(uint32_t code)
{
    return code >= 0x2080 && code <= 0x209c;
}

// Letters and digits.  A Greek letter stands for itself: where two of them meet, it is a word.
static bool cut_name(struct cursor *cursor)
{
    bool greek = false;
    for (;;) {
        struct character next = next_character(cursor);
        bool letter = next.code < 0x80 && (is_letter((char)next.code) || is_digit((char)next.code));
        if (!letter && !is_greek(next.code) && !is_index(next.code))
            return true;
        if (greek && is_greek(next.code))
            return false;
        greek = is_greek(next.code);
        skip_bytes(cursor, next.len);
    }
}

// `and`, `or`, `not`, and `a if c else b` of Python.
static bool skip_operator(struct divisor *divisor, const char *name, size_t n, bool *found)
{
    bool is_if = is_word(name, n, "if"), is_else = is_word(name, n, "else");
    *found = is_if || is_else || is_word(name, n, "and") || is_word(name, n, "or") ||
             is_word(name, n, "not");
    if (is_else && divisor->choices == 0)
        return false;
    if ((is_if || is_else) && divisor->last != OPERAND)
        return false;
    divisor->choices += is_if;
    divisor->choices -= is_else;
    if (*found)
        divisor->last = OPERATOR;
    return true;
}

static bool starts_operand(struct divisor *divisor)
{
    bool starts = divisor->last != OPERAND;
    divisor->last = OPERAND;
    divisor->number = false;
    return starts;
}

// 2x, 2pi and 2f(x), but not 2nd or 2bit.
static bool is_factor(const struct divisor *divisor, const char *name, size_t n)
{
    bool known = divisor->knows == NULL ? n == 1 : divisor->knows(divisor->user, name, n);
    return divisor->number && !is_blank(name[-1]) &&
           (known || (unsigned char)*name >= 0x80 || is_word(name, n, "pi") ||
            cursor_peek(&divisor->cursor, 0) == '(');
}

static bool is_member(const struct cursor *cursor)
{
    return cursor_peek(cursor, 0) == '.' && is_letter(cursor_peek(cursor, 1));
}

static bool skip_name(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    const char *name = cursor->at;
    if (!cut_name(cursor))
        return false;
    size_t n = (size_t)(cursor->at - name);
    bool found;
    if (!skip_operator(divisor, name, n, &found))
        return false;
    if (found)
        return true;
    bool factor = is_factor(divisor, name, n);
    if (!starts_operand(divisor) && !factor)
        return false;
    bool member = is_member(cursor), call = cursor_peek(cursor, 0) == '(';
    if (member && is_word(name, n, "www"))
        return false;
    divisor->formula |= n == 1 || (unsigned char)*name >= 0x80 || cursor_peek(cursor, 0) == '[';
    if (!call && !member && !divisor->word && !divisor->formula && divisor->knows != NULL)
        divisor->word = !divisor->knows(divisor->user, name, n);
    return true;
}

// np.sqrt(d), n.size, (a + b).T: behind its operand.
static bool skip_member(struct divisor *divisor)
{
    cursor_advance(&divisor->cursor);
    cursor_skip_name(&divisor->cursor);
    divisor->formula = true;
    divisor->number = false;
    return true;
}

// ---- numbers

// The `f` of 2.0f, the `j` of 2j, the `L` of 2L.
static void skip_suffix(struct cursor *cursor)
{
    char next = cursor_peek(cursor, 0), behind = cursor_peek(cursor, 1);
    if (next != '\0' && strchr("fFlLjJuU", next) != NULL && !is_letter(behind) && !is_digit(behind))
        cursor_advance(cursor);
}

// e-3; the sign may be the minus of pages.
static void skip_exponent(struct cursor *cursor)
{
    static const char minus[] = "\xe2\x88\x92";
    struct cursor exponent = *cursor;
    char letter = cursor_peek(&exponent, 0);
    if (letter != 'e' && letter != 'E')
        return;
    cursor_advance(&exponent);
    if (cursor_peek(&exponent, 0) == '+' || cursor_peek(&exponent, 0) == '-')
        cursor_advance(&exponent);
    else if ((size_t)(exponent.end - exponent.at) > strlen(minus) &&
             memcmp(exponent.at, minus, strlen(minus)) == 0)
        skip_bytes(&exponent, strlen(minus));
    if (!is_digit(cursor_peek(&exponent, 0)))
        return;
    cursor_skip_digits(&exponent);
    *cursor = exponent;
}

static bool skip_number(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    if (!starts_operand(divisor))
        return false;
    divisor->number = divisor->formula = true;
    if (cursor_peek(cursor, 0) == '0' && (cursor_peek(cursor, 1) | ' ') == 'x') {
        cursor_skip_name(cursor);
        return true;
    }
    do
        cursor_advance(cursor);
    while (is_digit(cursor_peek(cursor, 0)) || cursor_peek(cursor, 0) == '.' ||
           (cursor_peek(cursor, 0) == '_' && is_digit(cursor_peek(cursor, 1))));
    skip_exponent(cursor);
    skip_suffix(cursor);
    return true;
}

// ---- signs

// Words have commas and marks between them, and of operators those that join two words to one.
static bool joins_words(const struct divisor *divisor, char sign, bool blank)
{
    if (divisor->last != OPERAND)
        return true;
    return strchr("+-/&@", sign) != NULL ? !blank : strchr("!,?:", sign) != NULL;
}

static bool skip_bracket(struct divisor *divisor, char sign, bool behind)
{
    bool closes = sign == ')' || sign == ']', ended = divisor->last != OPERATOR;
    bool call = sign == ')' && divisor->cursor.at[-2] == '('; // of nothing
    divisor->word |= call && divisor->knows != NULL;
    divisor->indices += sign == '[';
    divisor->indices -= sign == ']' && divisor->indices > 0;
    divisor->last = closes ? OPERAND : OPERATOR;
    divisor->number = false;
    return closes ? ended || call : !ended || behind;
}

// |y|, a || b
static bool skip_bar(struct divisor *divisor, size_t n)
{
    bool opens = divisor->last != OPERAND;
    skip_bytes(&divisor->cursor, n);
    divisor->formula = true;
    divisor->number = false;
    if (opens || divisor->bars > 0) {
        divisor->bars = opens ? divisor->bars + 1 : divisor->bars - 1;
        return true;
    }
    if (n == 1 && cursor_peek(&divisor->cursor, 0) == '|')
        cursor_advance(&divisor->cursor);
    divisor->last = OPERATOR;
    return true;
}

static bool skip_sign(struct divisor *divisor)
{
    struct cursor *cursor = &divisor->cursor;
    char sign = *cursor->at, before = cursor->at[-1];
    bool blank = before == ' ' && cursor_peek(cursor, 1) == ' ';
    if (sign == '|')
        return skip_bar(divisor, 1);
    cursor_advance(cursor);
    if (strchr("()[]", sign) != NULL)
        return skip_bracket(divisor, sign, !is_blank(before));
    if (sign == ':' && divisor->indices > 0) {
        divisor->last = SLICE;
        return true;
    }
    if (strchr(divisor->last != OPERATOR ? "+-*/%^<>=!,?:&@" : "+-!*=>&", sign) == NULL)
        return false;
    divisor->formula |= !joins_words(divisor, sign, blank);
    divisor->last = OPERATOR;
    return true;
}

// a[..., 0]
static bool skip_points(struct divisor *divisor)
{
    if (divisor->indices == 0 || cursor_peek(&divisor->cursor, 1) != '.' ||
        cursor_peek(&divisor->cursor, 2) != '.')
        return false;
    skip_bytes(&divisor->cursor, 3);
    return starts_operand(divisor);
}

// Signs of pages and papers.
enum role { PROSE, BLANK, PREFIX, INFIX, JOINT, MINUS, POSTFIX, VALUE, OPENS, CLOSES, BAR };
static const struct {
    uint32_t first, last;
    enum role role;
} marks[] = {
    {0xa0, 0xa0, BLANK},       {0xac, 0xac, PREFIX},      {0xb2, 0xb3, POSTFIX},
    {0xb7, 0xb7, INFIX},       {0xb9, 0xb9, POSTFIX},     {0xbc, 0xbe, VALUE},
    {0xd7, 0xd7, JOINT},       {0xf7, 0xf7, INFIX},       {0x1d40, 0x1d40, POSTFIX},
    {0x2000, 0x200a, BLANK},   {0x2013, 0x2013, JOINT},   {0x2016, 0x2016, BAR},
    {0x202f, 0x202f, BLANK},   {0x2070, 0x207f, POSTFIX}, {0x2153, 0x215e, VALUE},
    {0x220f, 0x220f, PREFIX},  {0x2211, 0x2211, PREFIX},  {0x2212, 0x2212, MINUS},
    {0x2215, 0x2215, INFIX},   {0x2217, 0x2218, INFIX},   {0x221a, 0x221c, PREFIX},
    {0x221e, 0x221e, VALUE},   {0x2225, 0x2225, BAR},     {0x2227, 0x2228, INFIX},
    {0x2260, 0x2260, INFIX},   {0x2264, 0x2265, INFIX},   {0x2299, 0x2299, INFIX},
    {0x22a4, 0x22a4, POSTFIX}, {0x22c5, 0x22c5, INFIX},   {0x2308, 0x2308, OPENS},
    {0x2309, 0x2309, CLOSES},  {0x230a, 0x230a, OPENS},   {0x230b, 0x230b, CLOSES},
    {0x27e8, 0x27e8, OPENS},   {0x27e9, 0x27e9, CLOSES},  {0x3000, 0x3000, BLANK},
    {0xfe63, 0xfe63, MINUS},
};

static enum role role_of(uint32_t code)
{
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (code >= marks[i].first && code <= marks[i].last)
            return marks[i].role;
    return PROSE;
}

static bool skip_mark(struct divisor *divisor)
{
    struct character mark = next_character(&divisor->cursor);
    enum role role = role_of(mark.code);
    bool operand = divisor->last != OPERATOR;
    if (role == BAR)
        return skip_bar(divisor, mark.len);
    skip_bytes(&divisor->cursor, mark.len);
    if (role == PROSE || role == BLANK)
        return role == BLANK;
    if (role == VALUE)
        return starts_operand(divisor);
    divisor->formula |= role != JOINT;
    divisor->last = role == POSTFIX || role == CLOSES ? OPERAND : OPERATOR;
    if (role == MINUS)
        return true;
    // 2√(y) is a product.
    bool factor = divisor->number && role == PREFIX;
    divisor->number = false;
    return (role == PREFIX || role == OPENS ? !operand : operand) || factor;
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

static bool skip_next(struct divisor *divisor)
{
    const struct cursor *cursor = &divisor->cursor;
    char next = cursor_peek(cursor, 0);
    if (is_letter(next) || is_greek(next_character(cursor).code))
        return skip_name(divisor);
    if (is_digit(next) || (next == '.' && is_digit(cursor_peek(cursor, 1))))
        return skip_number(divisor);
    if (next == '.' && divisor->last == OPERAND && is_member(cursor) && !is_blank(cursor->at[-1]))
        return skip_member(divisor);
    if (next == '.')
        return skip_points(divisor);
    return (unsigned char)next < 0x80 ? skip_sign(divisor) : skip_mark(divisor);
}

static bool is_divisor(const struct divisor *divisor)
{
    if (divisor->last != OPERAND || divisor->bars > 0 || divisor->choices > 0)
        return false;
    return !divisor->word || divisor->formula || statement_ends(divisor->cursor);
}

bool comment_is_divisor(const char *at, const char *end,
                        bool (*knows)(void *user, const char *name, size_t n), void *user)
{
    struct divisor divisor = {.cursor = {at, end, 1, 1}, .knows = knows, .user = user};
    while (!line_ends(&divisor.cursor)) {
        if (is_blank(cursor_peek(&divisor.cursor, 0)))
            cursor_advance(&divisor.cursor);
        else if (!skip_next(&divisor))
            return false;
    }
    return is_divisor(&divisor);
}
