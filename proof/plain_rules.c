// SPDX-License-Identifier: Apache-2.0
// Rules as the checker reads them, by code of its own.
#include "proof/plain_core.h"

static void blanks(const char **s)
{
    while (**s == ' ' || **s == '\t')
        ++*s;
}

static struct plain_word word(const char **s)
{
    blanks(s);
    struct plain_word w = {*s, 0};
    while (**s != 0 && strchr(" \t\r\n()", **s) == NULL)
        ++*s;
    w.len = (uint32_t)(*s - w.at);
    return w;
}

// Without recursion: terms may be deep.  NULL: malformed, or too deep.
struct ptree *ptree_read(struct arena *mem, const char **s, uint32_t depth)
{
    VEC(struct ptree *) open = {0};
    struct ptree *whole = NULL;
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
            struct ptree *t = ARENA_NEW(mem, struct ptree, 1);
            t->name = name;
            t->variable = !list && name.at[0] == '?';
            if (open.len > 0) {
                struct ptree *up = vec_last(&open);
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

// `pattern` or `?v = pattern`.
static bool side(struct arena *mem, const char **s, struct plain_word *root,
                 struct ptree **out)
{
    *out = ptree_read(mem, s, PLAIN_MAX_DEPTH);
    *root = (struct plain_word){0};
    if (*out == NULL)
        return false;
    blanks(s);
    if (!(*out)->variable || (*s)[0] != '=' || (*s)[1] == '>')
        return true;
    ++*s;
    *root = (*out)->name;
    *out = ptree_read(mem, s, PLAIN_MAX_DEPTH);
    return *out != NULL;
}

static bool guard(const char **s, struct pguard *g)
{
    *g = (struct pguard){.name = word(s)};
    if (g->name.len == 0 || !token(s, "("))
        return false;
    while (!token(s, ")")) {
        if (g->n == 4)
            return false;
        struct plain_word v = word(s);
        v.len -= v.len > 0 && v.at[v.len - 1] == ',';
        if (v.len == 0 || v.at[0] != '?')
            return false;
        g->arg[g->n++] = v;
    }
    return true;
}

static bool rule(struct prules *r, const char **s)
{
    struct prule q = {0};
    const char *colon = strstr(*s, ": "), *end = strchr(*s, '\n');
    if (colon == NULL || (end != NULL && colon > end))
        return false;
    q.name = (struct plain_word){*s, (uint32_t)(colon - *s)};
    *s = colon + 2;
    do {
        if (q.n_left == 8 ||
            !side(&r->mem, s, &q.root[q.n_left], &q.left[q.n_left]))
            return false;
        q.n_left++;
    } while (token(s, "and "));
    struct plain_word root;
    if (!token(s, "=>") || !side(&r->mem, s, &root, &q.right))
        return false;
    // With roots, the one on the right says which class is meant: it goes
    // first.
    for (uint32_t i = 0; i < q.n_left; i++)
        if ((q.root[i].len == 0) != (root.len == 0) ||
            (q.n_left > 1 && root.len == 0))
            return false;
    q.right_root = root;
    if (token(s, "if ")) {
        do {
            if (q.n_guards == 8 || !guard(s, &q.guard[q.n_guards]))
                return false;
            q.n_guards++;
        } while (token(s, "and "));
    }
    blanks(s);
    if (**s != 0 && **s != '\n' && **s != '\r' && **s != '#')
        return false;
    vec_push(&r->rule, q);
    return true;
}

bool prules_read(struct prules *r, const char *text, struct err *e)
{
    for (uint32_t line = 1; *text != 0; line++) {
        blanks(&text);
        bool none = strchr("#\r\n", *text) != NULL ||
                    token(&text, "analysis:") || token(&text, "ac:");
        if (!none && !rule(r, &text))
            return err_at(e, ERR_INPUT, "", line, 1, "no rule");
        while (*text != 0 && *text != '\n')
            text++;
        text += *text != 0;
    }
    return true;
}

void prules_release(struct prules *r)
{
    arena_release(&r->mem);
    vec_release(&r->rule);
}
