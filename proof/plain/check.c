// SPDX-License-Identifier: Apache-2.0
#include "proof/plain/checker.h"

bool plain_wrong(struct plain_checker *checker, const char *what)
{
    return err_at(checker->err, ERR_CHECK, "", checker->number, 1, "%s", what);
}

// Words of a line

void plain_blanks(struct plain_checker *checker)
{
    while (*checker->at == ' ' || *checker->at == '\t')
        checker->at++;
}

static bool at_end(struct plain_checker *checker)
{
    plain_blanks(checker);
    return *checker->at == 0 || *checker->at == '\n' || *checker->at == '\r';
}

static struct plain_word word(struct plain_checker *checker)
{
    plain_blanks(checker);
    struct plain_word name = {checker->at, 0};
    while (*checker->at != 0 && strchr(" \t\r\n", *checker->at) == NULL)
        checker->at++;
    name.len = (uint32_t)(checker->at - name.at);
    return name;
}

bool plain_digits(struct plain_checker *checker, uint32_t limit, uint32_t *x)
{
    uint64_t v = 0;
    const char *text = checker->at;
    for (; *text >= '0' && *text <= '9' && v < limit; text++)
        v = 10 * v + (uint64_t)(*text - '0');
    if (text == checker->at || (*text >= '0' && *text <= '9') || v >= limit)
        return false;
    checker->at = text;
    *x = (uint32_t)v;
    return true;
}

static bool number(struct plain_checker *checker, uint32_t limit, uint32_t *x)
{
    plain_blanks(checker);
    return plain_digits(checker, limit, x);
}

bool plain_sign(struct plain_checker *checker, char s)
{
    if (*checker->at != s)
        return false;
    checker->at++;
    return true;
}

bool plain_earlier(struct plain_checker *checker, struct plain_check_equality *plain_check_equality)
{
    uint32_t i;
    bool flip = plain_sign(checker, '-');
    if (!plain_digits(checker, checker->line.len, &i))
        return plain_wrong(checker, "expected an earlier line");
    plain_check_equality->a = flip ? checker->line.at[i].b : checker->line.at[i].a;
    plain_check_equality->b = flip ? checker->line.at[i].a : checker->line.at[i].b;
    return true;
}

// Terms

static bool read_term(struct plain_checker *checker)
{
    uint32_t i, x;
    if (!number(checker, UINT32_MAX, &i) || i != checker->terms.term.len)
        return plain_wrong(checker, "expected terms numbered from 0");
    struct plain_check_term term = {.name = word(checker)};
    struct u32_vec arg = {0};
    bool ok = term.name.len > 0;
    while (ok && !at_end(checker)) {
        ok = number(checker, i, &x);
        if (ok)
            vec_push(&arg, x);
    }
    uint32_t *copy = ARENA_NEW(&checker->mem, uint32_t, arg.len + 1);
    if (arg.len > 0)
        memcpy(copy, arg.at, arg.len * sizeof *copy);
    term.n = arg.len;
    term.arg = copy;
    vec_release(&arg);
    vec_push(&checker->terms.term, term);
    if (!ok)
        return plain_wrong(checker, "expected an operator over earlier terms");
    return checker->facts == NULL || checker->facts->term == NULL ||
           checker->facts->term(checker->facts->ctx, &checker->terms,
                                checker->terms.term.len - 1) ||
           plain_wrong(checker, "the term has no meaning");
}

// Lines

static bool check_cong(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    const struct plain_check_term *term = &checker->terms.term.at[plain_check_line.a];
    const struct plain_check_term *b = &checker->terms.term.at[plain_check_line.b];
    if (term->n != b->n || !word_is(term->name, b->name))
        return plain_wrong(checker, "the two terms have different operators");
    uint32_t next = 0;
    while (!at_end(checker)) {
        uint32_t k;
        struct plain_check_equality plain_check_equality;
        if (!plain_digits(checker, term->n, &k) || !plain_sign(checker, ':') ||
            !plain_earlier(checker, &plain_check_equality))
            return plain_wrong(checker, "malformed congruence");
        for (; next < k; next++)
            if (term->arg[next] != b->arg[next])
                return plain_wrong(checker, "an argument differs without a reason");
        if (next != k || plain_check_equality.a != term->arg[k] ||
            plain_check_equality.b != b->arg[k])
            return plain_wrong(checker, "a part is not about this argument");
        next++;
    }
    for (; next < term->n; next++)
        if (term->arg[next] != b->arg[next])
            return plain_wrong(checker, "an argument differs without a reason");
    return true;
}

static bool check_trans(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    uint32_t at = plain_check_line.a;
    while (!at_end(checker)) {
        struct plain_check_equality plain_check_equality;
        if (!plain_earlier(checker, &plain_check_equality))
            return false;
        if (plain_check_equality.a != at)
            return plain_wrong(checker, "the chain is broken");
        at = plain_check_equality.b;
    }
    return at == plain_check_line.b || plain_wrong(checker, "the chain ends elsewhere");
}

static bool check_given(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    uint32_t x;
    const struct plain_check_facts *facts = checker->facts;
    if (!number(checker, UINT32_MAX, &x))
        return plain_wrong(checker, "expected a number");
    return (facts != NULL && facts->given != NULL &&
            facts->given(facts->ctx, &checker->terms, plain_check_line.a, plain_check_line.b, x)) ||
           plain_wrong(checker, "the two terms are not a given equality");
}

static bool check_fold(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    const struct plain_check_facts *facts = checker->facts;
    return (facts != NULL && facts->fold != NULL &&
            facts->fold(facts->ctx, &checker->terms, plain_check_line.a, plain_check_line.b)) ||
           plain_wrong(checker, "the second term is not the value of the first");
}

static bool check_ac(struct plain_checker *checker, struct plain_check_line plain_check_line)
{
    return plain_check_ac_equal(&checker->ac, &checker->rules, &checker->terms, plain_check_line.a,
                                plain_check_line.b) ||
           plain_wrong(checker, "the two terms differ in more than order and brackets");
}

static bool check_line(struct plain_checker *checker)
{
    struct plain_word kind = word(checker);
#define IS(s) (kind.len == sizeof(s) - 1 && memcmp(kind.at, s, kind.len) == 0)
    if (IS("term"))
        return read_term(checker);
    uint32_t i;
    struct plain_check_line plain_check_line;
    if (!number(checker, UINT32_MAX, &i) || i != checker->line.len)
        return plain_wrong(checker, "expected lines numbered from 0");
    if (!number(checker, checker->terms.term.len, &plain_check_line.a) ||
        !number(checker, checker->terms.term.len, &plain_check_line.b))
        return plain_wrong(checker, "expected two terms");
    bool ok = IS("rule")    ? plain_use_check(checker, plain_check_line)
              : IS("cong")  ? check_cong(checker, plain_check_line)
              : IS("trans") ? check_trans(checker, plain_check_line)
              : IS("fold")  ? check_fold(checker, plain_check_line)
              : IS("given") ? check_given(checker, plain_check_line)
              : IS("ac")    ? check_ac(checker, plain_check_line)
                            : plain_wrong(checker, "unknown kind of line");
#undef IS
    if (!ok || !at_end(checker))
        return ok && plain_wrong(checker, "unexpected text");
    vec_push(&checker->line, plain_check_line);
    if (checker->facts != NULL && checker->facts->proved != NULL)
        checker->facts->proved(checker->facts->ctx, &checker->terms, plain_check_line.a,
                               plain_check_line.b);
    return true;
}

static bool is_tree(struct plain_checker *checker, uint32_t term,
                    const struct plain_check_tree *plain_check_tree)
{
    vec_clear(&checker->bound);
    return plain_matches(checker, plain_check_tree, term) && checker->bound.len == 0;
}

static bool is_about(struct plain_checker *checker, struct plain_check_line plain_check_line,
                     const char *left, const char *right)
{
    const struct plain_check_tree *plain_check_tree =
        plain_check_tree_read(&checker->mem, &left, UINT32_MAX);
    const struct plain_check_tree *y = plain_check_tree_read(&checker->mem, &right, UINT32_MAX);
    if (plain_check_tree == NULL || y == NULL || left[strspn(left, " \t\r\n")] != 0 ||
        right[strspn(right, " \t\r\n")] != 0)
        return err_set(checker->err, ERR_INPUT, "the term has no meaning");
    return (is_tree(checker, plain_check_line.a, plain_check_tree) &&
            is_tree(checker, plain_check_line.b, y)) ||
           (is_tree(checker, plain_check_line.a, y) &&
            is_tree(checker, plain_check_line.b, plain_check_tree)) ||
           err_set(checker->err, ERR_CHECK, "the explanation is about other terms");
}

static bool check(struct plain_checker *checker, const char *rules, const char *proof,
                  const char *left, const char *right)
{
    if (!plain_check_rules_read(&checker->rules, rules, checker->err))
        return false;
    for (checker->at = proof; *checker->at != 0; checker->at += *checker->at != 0) {
        checker->number++;
        if (!at_end(checker) && !check_line(checker))
            return false;
        checker->at += *checker->at == '\r';
    }
    if (checker->line.len == 0)
        return err_set(checker->err, ERR_CHECK, "an explanation without lines");
    const struct plain_check_line last = vec_last(&checker->line);
    if (checker->facts != NULL && checker->facts->about != NULL)
        return checker->facts->about(checker->facts->ctx, last.a, last.b) ||
               err_set(checker->err, ERR_CHECK, "the explanation is about other terms");
    return is_about(checker, last, left, right);
}

bool plain_check(const char *rules, const char *proof, const char *left, const char *right,
                 const struct plain_check_facts *facts, struct err *err)
{
    struct plain_checker checker = {.facts = facts, .err = err};
    bool ok = check(&checker, rules, proof, left, right);
    arena_release(&checker.mem);
    plain_check_rules_release(&checker.rules);
    plain_check_ac_release(&checker.ac);
    vec_release(&checker.terms.term);
    vec_release(&checker.line);
    vec_release(&checker.bound);
    return ok;
}
