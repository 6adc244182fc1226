// SPDX-License-Identifier: Apache-2.0
#include "rules/language/tokens/lex.h"

#include "base/text/cursor.h"

struct lexer {
    struct cursor c;
    const char *doc, *doc_end; // of the token to come
    struct lexed *out;
};

// Blanks and comments.  A run of /// lines is remembered until a token comes,
// unless a blank line or another comment stands between.
static void skip_blank(struct lexer *l)
{
    unsigned breaks = 0;
    l->doc = l->doc_end = NULL;
    while (l->c.at < l->c.end) {
        char c = *l->c.at;
        if (c == '\n' && ++breaks > 1)
            l->doc = NULL;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
            cursor_advance(&l->c);
        } else if (c == '/' && cursor_peek(&l->c, 1) == '/') {
            bool doc =
                cursor_peek(&l->c, 2) == '/' && cursor_peek(&l->c, 3) != '/';
            if (!doc)
                l->doc = NULL;
            else if (!l->doc)
                l->doc = l->c.at;
            cursor_skip_line(&l->c);
            l->doc_end = l->c.at;
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

static void lex_number(struct cursor *x, struct token *t)
{
    bool too_large = false;
    t->kind = T_INT;
    while (is_digit(cursor_peek(x, 0))) {
        int digit = *x->at - '0';
        if (t->value > (INT64_MAX - digit) / 10)
            too_large = true;
        else
            t->value = t->value * 10 + digit;
        cursor_advance(x);
    }
    if (cursor_peek(x, 0) == '.') {
        t->kind = T_DECIMAL;
        cursor_advance(x);
        if (!is_digit(cursor_peek(x, 0)))
            bad(t, "a decimal number needs digits behind the point");
        cursor_skip_digits(x);
        if (x->at - t->at > 60)
            bad(t, "the number has too many digits");
    } else if (too_large) {
        bad(t, "the number does not fit in 63 bits");
    }
    if (is_letter(cursor_peek(x, 0))) {
        bad(t, "a number runs into a name");
        cursor_skip_name(x);
    }
}

static void lex_string(struct cursor *x, struct token *t)
{
    t->kind = T_STRING;
    cursor_advance(x);
    t->at = x->at;
    while (x->at < x->end && *x->at != '"' && *x->at != '\n') {
        char c = *x->at;
        if (c == '\\') {
            cursor_advance(x);
            char next = cursor_peek(x, 0);
            if (next != '"' && next != '\\') {
                bad(t, "in a string, \\ stands before \" or \\ only");
                continue;
            }
        } else if ((unsigned char)c < ' ' && c != '\t') {
            bad(t, "a control character in a string");
        }
        cursor_advance(x);
    }
    t->len = (uint32_t)(x->at - t->at);
    if (cursor_peek(x, 0) == '"')
        cursor_advance(x);
    else
        bad(t, "the string is not closed on its line");
}

static void lex_punctuation(struct cursor *x, struct token *t)
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
        if ((size_t)(x->end - x->at) >= n &&
            memcmp(x->at, longer[i].text, n) == 0) {
            t->kind = longer[i].kind;
            while (n--)
                cursor_advance(x);
            return;
        }
    }
    char c = *x->at;
    if (c != '\0' && strchr("(){}[],;:=<>+-*/%&|^!", c))
        t->kind = c;
    else
        bad(t, "a character that no token starts with");
    cursor_advance(x);
    while (t->kind == T_ERROR &&
           ((unsigned char)cursor_peek(x, 0) & 0xC0) == 0x80)
        cursor_advance(x);
}

static void lex_token(struct lexer *l, struct token *t)
{
    t->place = (struct place){l->c.line, l->c.col};
    t->at = l->c.at;
    t->doc = l->doc;
    t->doc_end = l->doc_end;
    t->match = NONE;
    if (l->c.at == l->c.end) {
        t->kind = T_END;
    } else if (is_letter(*l->c.at)) {
        t->kind = T_NAME;
        cursor_skip_name(&l->c);
        t->name =
            intern_bytes(&l->out->names, t->at, (size_t)(l->c.at - t->at));
    } else if (is_digit(*l->c.at)) {
        lex_number(&l->c, t);
    } else if (*l->c.at == '"') {
        lex_string(&l->c, t);
        return; // its length is without the quotes
    } else {
        lex_punctuation(&l->c, t);
    }
    t->len = (uint32_t)(l->c.at - t->at);
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
    struct lexer l = {.c = {text, text + n, 1, 1}};
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
