// SPDX-License-Identifier: Apache-2.0
#include "proof/plain/checker.h"

bool plain_wrong(struct plain_checker *c, const char *what)
{
    return err_at(c->e, ERR_CHECK, "", c->number, 1, "%s", what);
}

// Words of a line

void plain_blanks(struct plain_checker *c)
{
    while (*c->at == ' ' || *c->at == '\t')
        c->at++;
}

static bool at_end(struct plain_checker *c)
{
    plain_blanks(c);
    return *c->at == 0 || *c->at == '\n' || *c->at == '\r';
}

static struct plain_word word(struct plain_checker *c)
{
    plain_blanks(c);
    struct plain_word w = {c->at, 0};
    while (*c->at != 0 && strchr(" \t\r\n", *c->at) == NULL)
        c->at++;
    w.len = (uint32_t)(c->at - w.at);
    return w;
}

bool plain_digits(struct plain_checker *c, uint32_t limit, uint32_t *x)
{
    uint64_t v = 0;
    const char *s = c->at;
    for (; *s >= '0' && *s <= '9' && v < limit; s++)
        v = 10 * v + (uint64_t)(*s - '0');
    if (s == c->at || (*s >= '0' && *s <= '9') || v >= limit)
        return false;
    c->at = s;
    *x = (uint32_t)v;
    return true;
}

static bool number(struct plain_checker *c, uint32_t limit, uint32_t *x)
{
    plain_blanks(c);
    return plain_digits(c, limit, x);
}

bool plain_sign(struct plain_checker *c, char s)
{
    if (*c->at != s)
        return false;
    c->at++;
    return true;
}

bool plain_earlier(struct plain_checker *c, struct plain_check_equality *q)
{
    uint32_t i;
    bool flip = plain_sign(c, '-');
    if (!plain_digits(c, c->line.len, &i))
        return plain_wrong(c, "expected an earlier line");
    q->a = flip ? c->line.at[i].b : c->line.at[i].a;
    q->b = flip ? c->line.at[i].a : c->line.at[i].b;
    return true;
}

// Terms

static bool read_term(struct plain_checker *c)
{
    uint32_t i, x;
    if (!number(c, UINT32_MAX, &i) || i != c->terms.term.len)
        return plain_wrong(c, "terms are to be numbered from 0");
    struct plain_check_term t = {.name = word(c)};
    struct u32_vec arg = {0};
    bool ok = t.name.len > 0;
    while (ok && !at_end(c)) {
        ok = number(c, i, &x);
        if (ok)
            vec_push(&arg, x);
    }
    uint32_t *copy = ARENA_NEW(&c->mem, uint32_t, arg.len + 1);
    if (arg.len > 0)
        memcpy(copy, arg.at, arg.len * sizeof *copy);
    t.n = arg.len;
    t.arg = copy;
    vec_release(&arg);
    vec_push(&c->terms.term, t);
    if (!ok)
        return plain_wrong(c, "a term is an operator over earlier terms");
    return c->facts == NULL || c->facts->term == NULL ||
           c->facts->term(c->facts->ctx, &c->terms, c->terms.term.len - 1) ||
           plain_wrong(c, "no term");
}

// Lines

static bool check_cong(struct plain_checker *c, struct plain_check_line l)
{
    const struct plain_check_term *a = &c->terms.term.at[l.a];
    const struct plain_check_term *b = &c->terms.term.at[l.b];
    if (a->n != b->n || !word_is(a->name, b->name))
        return plain_wrong(c, "a congruence of different operators");
    uint32_t next = 0;
    while (!at_end(c)) {
        uint32_t k;
        struct plain_check_equality q;
        if (!plain_digits(c, a->n, &k) || !plain_sign(c, ':') ||
            !plain_earlier(c, &q))
            return plain_wrong(c, "malformed congruence");
        for (; next < k; next++)
            if (a->arg[next] != b->arg[next])
                return plain_wrong(c, "different arguments");
        if (next != k || q.a != a->arg[k] || q.b != b->arg[k])
            return plain_wrong(c, "a line that is not about this argument");
        next++;
    }
    for (; next < a->n; next++)
        if (a->arg[next] != b->arg[next])
            return plain_wrong(c, "different arguments");
    return true;
}

static bool check_trans(struct plain_checker *c, struct plain_check_line l)
{
    uint32_t at = l.a;
    while (!at_end(c)) {
        struct plain_check_equality q;
        if (!plain_earlier(c, &q))
            return false;
        if (q.a != at)
            return plain_wrong(c, "a chain with a gap");
        at = q.b;
    }
    return at == l.b || plain_wrong(c, "a chain that ends elsewhere");
}

static bool check_given(struct plain_checker *c, struct plain_check_line l)
{
    uint32_t x;
    const struct plain_check_facts *f = c->facts;
    if (!number(c, UINT32_MAX, &x))
        return plain_wrong(c, "expected a number");
    return (f != NULL && f->given != NULL &&
            f->given(f->ctx, &c->terms, l.a, l.b, x)) ||
           plain_wrong(c, "not a given equality");
}

static bool check_fold(struct plain_checker *c, struct plain_check_line l)
{
    const struct plain_check_facts *f = c->facts;
    return (f != NULL && f->fold != NULL &&
            f->fold(f->ctx, &c->terms, l.a, l.b)) ||
           plain_wrong(c, "not its value");
}

static bool check_ac(struct plain_checker *c, struct plain_check_line l)
{
    return plain_check_ac_equal(&c->ac, &c->rules, &c->terms, l.a, l.b) ||
           plain_wrong(c, "not the same up to order and brackets");
}

static bool check_line(struct plain_checker *c)
{
    struct plain_word kind = word(c);
#define IS(s) (kind.len == sizeof(s) - 1 && memcmp(kind.at, s, kind.len) == 0)
    if (IS("term"))
        return read_term(c);
    uint32_t i;
    struct plain_check_line l;
    if (!number(c, UINT32_MAX, &i) || i != c->line.len)
        return plain_wrong(c, "lines are to be numbered from 0");
    if (!number(c, c->terms.term.len, &l.a) ||
        !number(c, c->terms.term.len, &l.b))
        return plain_wrong(c, "expected two terms");
    bool ok = IS("rule")    ? plain_use_check(c, l)
              : IS("cong")  ? check_cong(c, l)
              : IS("trans") ? check_trans(c, l)
              : IS("fold")  ? check_fold(c, l)
              : IS("given") ? check_given(c, l)
              : IS("ac")    ? check_ac(c, l)
                            : plain_wrong(c, "no such kind of line");
#undef IS
    if (!ok || !at_end(c))
        return ok && plain_wrong(c, "unexpected text");
    vec_push(&c->line, l);
    if (c->facts != NULL && c->facts->proved != NULL)
        c->facts->proved(c->facts->ctx, &c->terms, l.a, l.b);
    return true;
}

static bool is_tree(struct plain_checker *c, uint32_t term, const struct plain_check_tree *t)
{
    vec_clear(&c->bound);
    return plain_matches(c, t, term) && c->bound.len == 0;
}

static bool is_about(struct plain_checker *c, struct plain_check_line l, const char *left,
                     const char *right)
{
    const struct plain_check_tree *x = plain_check_tree_read(&c->mem, &left, UINT32_MAX);
    const struct plain_check_tree *y = plain_check_tree_read(&c->mem, &right, UINT32_MAX);
    if (x == NULL || y == NULL || left[strspn(left, " \t\r\n")] != 0 ||
        right[strspn(right, " \t\r\n")] != 0)
        return err_set(c->e, ERR_INPUT, "no term");
    return (is_tree(c, l.a, x) && is_tree(c, l.b, y)) ||
           (is_tree(c, l.a, y) && is_tree(c, l.b, x)) ||
           err_set(c->e, ERR_CHECK, "the explanation is about other terms");
}

static bool check(struct plain_checker *c, const char *rules, const char *proof,
                  const char *left, const char *right)
{
    if (!plain_check_rules_read(&c->rules, rules, c->e))
        return false;
    for (c->at = proof; *c->at != 0; c->at += *c->at != 0) {
        c->number++;
        if (!at_end(c) && !check_line(c))
            return false;
        c->at += *c->at == '\r';
    }
    if (c->line.len == 0)
        return err_set(c->e, ERR_CHECK, "an explanation without lines");
    return is_about(c, vec_last(&c->line), left, right);
}

bool plain_check(const char *rules, const char *proof, const char *left,
                 const char *right, const struct plain_check_facts *facts,
                 struct err *e)
{
    struct plain_checker c = {.facts = facts, .e = e};
    bool ok = check(&c, rules, proof, left, right);
    arena_release(&c.mem);
    plain_check_rules_release(&c.rules);
    plain_check_ac_release(&c.ac);
    vec_release(&c.terms.term);
    vec_release(&c.line);
    vec_release(&c.bound);
    return ok;
}
