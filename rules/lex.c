// SPDX-License-Identifier: Apache-2.0
#include "rules/lex.h"

struct lexer {
    const char *at, *end;
    uint32_t line, col;
    const char *doc, *doc_end; // of the token to come
    struct lexed *out;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static char peek(const struct lexer *l, size_t ahead)
{
    return (size_t)(l->end - l->at) > ahead ? l->at[ahead] : '\0';
}

// Columns count characters: continuation bytes of UTF-8 do not advance.
static void advance(struct lexer *l)
{
    char c = *l->at++;
    if (c == '\n') {
        l->line++;
        l->col = 1;
    } else if (((unsigned char)c & 0xC0) != 0x80) {
        l->col++;
    }
}

static void skip_line(struct lexer *l)
{
    while (l->at < l->end && *l->at != '\n')
        advance(l);
}

// Blanks and comments.  A run of /// lines is remembered until a token comes,
// unless a blank line or another comment stands between.
static void skip_blank(struct lexer *l)
{
    unsigned breaks = 0;
    l->doc = l->doc_end = NULL;
    while (l->at < l->end) {
        char c = *l->at;
        if (c == '\n' && ++breaks > 1)
            l->doc = NULL;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            advance(l);
        } else if (c == '/' && peek(l, 1) == '/') {
            bool doc = peek(l, 2) == '/' && peek(l, 3) != '/';
            if (!doc)
                l->doc = NULL;
            else if (!l->doc)
                l->doc = l->at;
            skip_line(l);
            l->doc_end = l->at;
            breaks = 0;
        } else {
            return;
        }
    }
}

static void bad(struct token *t, const char *why)
{
    t->kind = T_ERROR;
    t->error = why;
}

static void lex_number(struct lexer *l, struct token *t)
{
    bool too_large = false;
    t->kind = T_INT;
    while (is_digit(peek(l, 0))) {
        int digit = *l->at - '0';
        if (t->value > (INT64_MAX - digit) / 10)
            too_large = true;
        else
            t->value = t->value * 10 + digit;
        advance(l);
    }
    if (peek(l, 0) == '.') {
        t->kind = T_DECIMAL;
        advance(l);
        if (!is_digit(peek(l, 0)))
            bad(t, "a decimal number needs digits behind the point");
        while (is_digit(peek(l, 0)))
            advance(l);
        if (l->at - t->at > 60)
            bad(t, "the number has too many digits");
    } else if (too_large) {
        bad(t, "the number does not fit in 63 bits");
    }
    if (is_letter(peek(l, 0))) {
        bad(t, "a number runs into a name");
        while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)))
            advance(l);
    }
}

static void lex_string(struct lexer *l, struct token *t)
{
    t->kind = T_STRING;
    advance(l);
    t->at = l->at;
    while (l->at < l->end && *l->at != '"' && *l->at != '\n') {
        char c = *l->at;
        if (c == '\\') {
            advance(l);
            char next = peek(l, 0);
            if (next != '"' && next != '\\') {
                bad(t, "in a string, \\ stands before \" or \\ only");
                continue;
            }
        } else if ((unsigned char)c < ' ' && c != '\t') {
            bad(t, "a control character in a string");
        }
        advance(l);
    }
    t->len = (uint32_t)(l->at - t->at);
    if (peek(l, 0) == '"')
        advance(l);
    else
        bad(t, "the string is not closed on its line");
}

static void lex_punctuation(struct lexer *l, struct token *t)
{
    static const struct {
        char text[4];
        int kind;
    } longer[] = {
        {"<->", T_SWAP}, {"=>", T_IMPLIES}, {"->", T_ARROW}, {"<=", T_LE},
        {">=", T_GE},    {"==", T_EQ},      {"!=", T_NE},
    };
    for (size_t i = 0; i < sizeof longer / sizeof *longer; i++) {
        size_t n = strlen(longer[i].text);
        if ((size_t)(l->end - l->at) >= n &&
            memcmp(l->at, longer[i].text, n) == 0) {
            t->kind = longer[i].kind;
            while (n--)
                advance(l);
            return;
        }
    }
    char c = *l->at;
    if (c != '\0' && strchr("(){}[],;:=<>+-*/%&|^!", c))
        t->kind = c;
    else
        bad(t, "a character that no token starts with");
    advance(l);
    while (t->kind == T_ERROR && ((unsigned char)peek(l, 0) & 0xC0) == 0x80)
        advance(l);
}

static void lex_token(struct lexer *l, struct token *t)
{
    t->place = (struct place){l->line, l->col};
    t->at = l->at;
    t->doc = l->doc;
    t->doc_end = l->doc_end;
    t->match = NONE;
    if (l->at == l->end) {
        t->kind = T_END;
    } else if (is_letter(*l->at)) {
        t->kind = T_NAME;
        while (is_letter(peek(l, 0)) || is_digit(peek(l, 0)))
            advance(l);
        t->name = intern_bytes(&l->out->names, t->at, (size_t)(l->at - t->at));
    } else if (is_digit(*l->at)) {
        lex_number(l, t);
    } else if (*l->at == '"') {
        lex_string(l, t);
        return; // its length is without the quotes
    } else {
        lex_punctuation(l, t);
    }
    t->len = (uint32_t)(l->at - t->at);
}

static void match_parentheses(struct lexed *l)
{
    struct u32_vec open = {0};
    for (uint32_t i = 0; i < l->tokens.len; i++) {
        int kind = l->tokens.at[i].kind;
        if (kind == '(')
            vec_push(&open, i);
        else if (kind == ')' && open.len)
            l->tokens.at[vec_pop(&open)].match = i;
        else if (kind == ';')
            vec_clear(&open);
    }
    vec_release(&open);
}

void lex_text(struct lexed *out, const char *text, size_t n)
{
    struct lexer l = {.at = text, .end = text + n, .line = 1, .col = 1};
    memset(out, 0, sizeof *out);
    intern_init(&out->names);
    l.out = out;
    for (;;) {
        struct token t = {0};
        skip_blank(&l);
        lex_token(&l, &t);
        vec_push(&out->tokens, t);
        if (t.kind == T_END)
            break;
    }
    match_parentheses(out);
}

void lex_release(struct lexed *l)
{
    vec_release(&l->tokens);
    intern_release(&l->names);
}
