// SPDX-License-Identifier: Apache-2.0
// Rules as the checker reads them, by code of its own.
#include "proof/plain/core.h"

static void blanks(const char **s)
{
    while (**s == ' ' || **s == '\t')
        ++*s;
}

// Ended by a comma too, but for one within braces, or one that begins it:
// symbols that no text has do so.
static struct plain_word word(const char **s)
{
    blanks(s);
    struct plain_word w = {*s, 0};
    bool braces = false;
    while (**s != 0 && strchr(" \t\r\n()", **s) == NULL &&
           (**s != ',' || *s == w.at || braces)) {
        braces = **s == '{' || (braces && **s != '}');
        ++*s;
    }
    w.len = (uint32_t)(*s - w.at);
    return w;
}

// Without recursion: terms may be deep.  NULL: malformed, or too deep.
struct plain_check_tree *plain_check_tree_read(struct arena *mem, const char **s, uint32_t depth)
{
    VEC(struct plain_check_tree *) open = {0};
    struct plain_check_tree *whole = NULL;
    for (;;) {
        blanks(s);
        // A term may go over several lines, a rule not.
        while (depth > PLAIN_MAX_DEPTH && (**s == '\n' || **s == '\r')) {
            ++*s;
            blanks(s);
        }
        if (**s == ')' && open.len > 0) {
            ++*s;
            whole = vec_pop(&open);
        } else {
            bool list = **s == '(';
            *s += list;
            struct plain_word name = word(s);
            if (name.len == 0 || open.len >= depth)
                break;
            struct plain_check_tree *t = ARENA_NEW(mem, struct plain_check_tree, 1);
            t->name = name;
            t->variable = !list && name.at[0] == '?';
            if (open.len > 0) {
                struct plain_check_tree *up = vec_last(&open);
                *(up->n++ == 0 ? &up->arg : &up->last->next) = t;
                up->last = t;
            }
            if (list) {
                vec_push(&open, t);
                continue;
            }
            whole = t;
        }
        if (open.len == 0) {
            vec_release(&open);
            return whole;
        }
    }
    vec_release(&open);
    return NULL;
}

static bool token(const char **s, const char *t)
{
    blanks(s);
    size_t n = strlen(t);
    if (strncmp(*s, t, n) != 0)
        return false;
    *s += n;
    return true;
}

// A pattern, or `?v = pattern` joined by `and`.
static bool side(struct arena *mem, const char **s, struct plain_check_side *x)
{
    do {
        if (x->n == 8)
            return false;
        struct plain_check_tree *t = plain_check_tree_read(mem, s, PLAIN_MAX_DEPTH);
        if (t == NULL)
            return false;
        blanks(s);
        struct plain_word root = {0};
        if (t->variable && (*s)[0] == '=' && (*s)[1] != '>') {
            ++*s;
            root = t->name;
            t = plain_check_tree_read(mem, s, PLAIN_MAX_DEPTH);
        }
        if (t == NULL || (x->n > 0 && root.len == 0))
            return false;
        x->root[x->n] = root;
        x->tree[x->n++] = t;
        if (root.len == 0)
            return true;
    } while (token(s, "and "));
    return true;
}

static bool variable(const char **s, struct plain_word *v)
{
    *v = word(s);
    return v->len > 1 && v->at[0] == '?';
}

static bool guard(struct arena *mem, const char **s, struct plain_check_guard *g)
{
    struct plain_word out = {0};
    blanks(s);
    if (**s == '?' && (!variable(s, &out) || !token(s, "=")))
        return false;
    g->name = word(s);
    if (g->name.len == 0 || !token(s, "("))
        return false;
    if (g->name.len == 4 && memcmp(g->name.at, "same", 4) == 0) {
        g->same[0] = plain_check_tree_read(mem, s, PLAIN_MAX_DEPTH);
        if (g->same[0] == NULL || !token(s, ","))
            return false;
        g->same[1] = plain_check_tree_read(mem, s, PLAIN_MAX_DEPTH);
        return g->same[1] != NULL && out.len == 0 && token(s, ")");
    }
    while (!token(s, ")")) {
        token(s, ",");
        if (g->n == 4 || !variable(s, &g->arg[g->n]))
            return false;
        g->n++;
    }
    if (out.len > 0)
        g->arg[g->n++] = out;
    return true;
}

static bool right_side(struct arena *mem, const char **s, struct plain_check_right *x)
{
    if (!side(mem, s, &x->side))
        return false;
    if (!token(s, "if "))
        return true;
    do {
        if (x->n_guards == 8 || !guard(mem, s, &x->guard[x->n_guards]))
            return false;
        x->n_guards++;
    } while (token(s, "and "));
    return true;
}

static bool rule(struct plain_check_rules *r, const char **s)
{
    struct plain_check_rule q = {.right = ARENA_NEW(&r->mem, struct plain_check_right, 8)};
    const char *colon = *s;
    while (!(colon[0] == ':' && (colon[1] == ' ' || colon[1] == '\t')))
        if (*colon == 0 || *colon++ == '\n')
            return false;
    q.name = (struct plain_word){*s, (uint32_t)(colon - *s)};
    *s = colon + 2;
    if (!side(&r->mem, s, &q.left) || !token(s, "=>"))
        return false;
    do {
        if (q.n_right == 8 || !right_side(&r->mem, s, &q.right[q.n_right]) ||
            (q.left.root[0].len == 0) !=
                (q.right[q.n_right].side.root[0].len == 0))
            return false;
        q.n_right++;
    } while (token(s, "else "));
    blanks(s);
    if (**s != 0 && **s != '\n' && **s != '\r')
        return false;
    vec_push(&r->rule, q);
    return true;
}

// A line that is no rule: `ac:x: (f ?x) => ?x` is one.
static bool heading(const char **text, const char *word)
{
    size_t n = strlen(word);
    return strncmp(*text, word, n) == 0 && strchr(" \t\r\n", (*text)[n]) &&
           token(text, word);
}

// `ac: OP ..`
static bool operators(struct plain_check_rules *r, const char **text)
{
    if (!heading(text, "ac:"))
        return false;
    for (blanks(text); strchr("\r\n", **text) == NULL; blanks(text)) {
        struct plain_word w = {*text, (uint32_t)strcspn(*text, " \t\r\n")};
        vec_push(&r->ac, w);
        *text += w.len;
    }
    return true;
}

bool plain_check_rules_read(struct plain_check_rules *r, const char *text, struct err *e)
{
    for (uint32_t line = 1; *text != 0; line++) {
        blanks(&text);
        bool none = strchr("#\r\n", *text) != NULL ||
                    heading(&text, "analysis:") || operators(r, &text);
        if (!none && !rule(r, &text))
            return err_at(e, ERR_INPUT, "", line, 1, "no rule");
        while (*text != 0 && *text != '\n')
            text++;
        text += *text != 0;
    }
    return true;
}

void plain_check_rules_release(struct plain_check_rules *r)
{
    arena_release(&r->mem);
    vec_release(&r->rule);
    vec_release(&r->ac);
}
