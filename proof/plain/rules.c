// SPDX-License-Identifier: Apache-2.0
// Rules as the checker reads them, by code of its own.
#include "proof/plain/core.h"

static void blanks(const char **s)
{
    while (**s == ' ' || **s == '\t')
        ++*s;
}

// A comma ends a word too, except a comma within braces, or as the first
// character: symbols without a text of their own begin so.
static struct plain_word word(const char **s)
{
    blanks(s);
    struct plain_word name = {*s, 0};
    bool braces = false;
    while (**s != 0 && strchr(" \t\r\n()", **s) == NULL &&
           (**s != ',' || *s == name.at || braces)) {
        braces = **s == '{' || (braces && **s != '}');
        ++*s;
    }
    name.len = (uint32_t)(*s - name.at);
    return name;
}

// Without recursion: terms may be deep.  NULL: malformed, or too deep.
struct plain_check_tree *plain_check_tree_read(struct arena *mem, const char **s, uint32_t depth)
{
    VEC(struct plain_check_tree *) open = {0};
    struct plain_check_tree *whole = NULL;
    for (;;) {
        blanks(s);
        // A term may span several lines, a rule may not.
        while (depth > PROOF_PATTERN_DEPTH && (**s == '\n' || **s == '\r')) {
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
            struct plain_check_tree *plain_check_tree = ARENA_NEW(mem, struct plain_check_tree, 1);
            plain_check_tree->name = name;
            plain_check_tree->variable = !list && name.at[0] == '?';
            if (open.len > 0) {
                struct plain_check_tree *up = vec_last(&open);
                *(up->n++ == 0 ? &up->arg : &up->last->next) = plain_check_tree;
                up->last = plain_check_tree;
            }
            if (list) {
                vec_push(&open, plain_check_tree);
                continue;
            }
            whole = plain_check_tree;
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
static bool side(struct arena *mem, const char **s, struct plain_check_side *plain_check_side)
{
    do {
        if (plain_check_side->n == PROOF_PATTERNS)
            return false;
        struct plain_check_tree *plain_check_tree =
            plain_check_tree_read(mem, s, PROOF_PATTERN_DEPTH);
        if (plain_check_tree == NULL)
            return false;
        blanks(s);
        struct plain_word root = {0};
        if (plain_check_tree->variable && (*s)[0] == '=' && (*s)[1] != '>') {
            ++*s;
            root = plain_check_tree->name;
            plain_check_tree = plain_check_tree_read(mem, s, PROOF_PATTERN_DEPTH);
        }
        if (plain_check_tree == NULL || (plain_check_side->n > 0 && root.len == 0))
            return false;
        plain_check_side->root[plain_check_side->n] = root;
        plain_check_side->tree[plain_check_side->n++] = plain_check_tree;
        if (root.len == 0)
            return true;
    } while (token(s, "and "));
    return true;
}

static bool variable(const char **s, struct plain_word *name)
{
    *name = word(s);
    return name->len > 1 && name->at[0] == '?';
}

static bool guard(struct arena *mem, const char **s, struct plain_check_guard *plain_check_guard)
{
    struct plain_word out = {0};
    blanks(s);
    if (**s == '?' && (!variable(s, &out) || !token(s, "=")))
        return false;
    plain_check_guard->name = word(s);
    if (plain_check_guard->name.len == 0 || !token(s, "("))
        return false;
    if (plain_check_guard->name.len == 4 && memcmp(plain_check_guard->name.at, "same", 4) == 0) {
        plain_check_guard->same[0] = plain_check_tree_read(mem, s, PROOF_PATTERN_DEPTH);
        if (plain_check_guard->same[0] == NULL || !token(s, ","))
            return false;
        plain_check_guard->same[1] = plain_check_tree_read(mem, s, PROOF_PATTERN_DEPTH);
        return plain_check_guard->same[1] != NULL && out.len == 0 && token(s, ")");
    }
    while (!token(s, ")")) {
        token(s, ",");
        if (plain_check_guard->n == PROOF_GUARD_ARGUMENTS ||
            !variable(s, &plain_check_guard->arg[plain_check_guard->n]))
            return false;
        plain_check_guard->n++;
    }
    if (out.len > 0)
        plain_check_guard->arg[plain_check_guard->n++] = out;
    return true;
}

static bool right_side(struct arena *mem, const char **s,
                       struct plain_check_right *plain_check_right)
{
    if (!side(mem, s, &plain_check_right->side))
        return false;
    if (!token(s, "if "))
        return true;
    do {
        if (plain_check_right->n_guards == PROOF_GUARDS ||
            !guard(mem, s, &plain_check_right->guard[plain_check_right->n_guards]))
            return false;
        plain_check_right->n_guards++;
    } while (token(s, "and "));
    return true;
}

static bool rule(struct plain_check_rules *plain_check_rules, const char **s)
{
    struct plain_check_rule plain_check_rule = {
        .right = ARENA_NEW(&plain_check_rules->mem, struct plain_check_right, PROOF_RIGHT_SIDES)};
    const char *colon = *s;
    while (!(colon[0] == ':' && (colon[1] == ' ' || colon[1] == '\t')))
        if (*colon == 0 || *colon++ == '\n')
            return false;
    plain_check_rule.name = (struct plain_word){*s, (uint32_t)(colon - *s)};
    *s = colon + 2;
    if (!side(&plain_check_rules->mem, s, &plain_check_rule.left) || !token(s, "=>"))
        return false;
    do {
        if (plain_check_rule.n_right == PROOF_RIGHT_SIDES ||
            !right_side(&plain_check_rules->mem, s,
                        &plain_check_rule.right[plain_check_rule.n_right]) ||
            (plain_check_rule.left.root[0].len == 0) !=
                (plain_check_rule.right[plain_check_rule.n_right].side.root[0].len == 0))
            return false;
        plain_check_rule.n_right++;
    } while (token(s, "else "));
    blanks(s);
    if (**s != 0 && **s != '\n' && **s != '\r')
        return false;
    vec_push(&plain_check_rules->rule, plain_check_rule);
    return true;
}

// A line that is no rule: `ac:x: (f ?x) => ?x` is one.
static bool heading(const char **text, const char *word)
{
    size_t n = strlen(word);
    return strncmp(*text, word, n) == 0 && strchr(" \t\r\n", (*text)[n]) && token(text, word);
}

// `ac: OP ..`
static bool operators(struct plain_check_rules *plain_check_rules, const char **text)
{
    if (!heading(text, "ac:"))
        return false;
    for (blanks(text); strchr("\r\n", **text) == NULL; blanks(text)) {
        struct plain_word name = {*text, (uint32_t)strcspn(*text, " \t\r\n")};
        vec_push(&plain_check_rules->ac, name);
        *text += name.len;
    }
    return true;
}

bool plain_check_rules_read(struct plain_check_rules *plain_check_rules, const char *text,
                            struct err *err)
{
    for (uint32_t line = 1; *text != 0; line++) {
        blanks(&text);
        bool none = strchr("#\r\n", *text) != NULL || heading(&text, "analysis:") ||
                    operators(plain_check_rules, &text);
        if (!none && !rule(plain_check_rules, &text))
            return err_at(err, ERR_INPUT, "", line, 1, "no rule");
        while (*text != 0 && *text != '\n')
            text++;
        text += *text != 0;
    }
    return true;
}

void plain_check_rules_release(struct plain_check_rules *plain_check_rules)
{
    arena_release(&plain_check_rules->mem);
    vec_release(&plain_check_rules->rule);
    vec_release(&plain_check_rules->ac);
}
