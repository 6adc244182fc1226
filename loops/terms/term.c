// SPDX-License-Identifier: Apache-2.0
#include "loops/terms/term.h"

#include <assert.h>

struct head {
    uint32_t kind, number;
};

void lterms_init(struct lterms *terms, struct integers *in)
{
    *terms = (struct lterms){.in = in};
    intern_init(&terms->names);
    intern_init(&terms->nodes);
    vec_push(&terms->height, 0); // the empty node is no term
}

void lterms_release(struct lterms *terms)
{
    intern_release(&terms->names);
    intern_release(&terms->nodes);
    vec_release(&terms->height);
}

static struct head head(const struct lterms *terms, lterm term)
{
    struct head h;
    memcpy(&h, intern_text(&terms->nodes, term), sizeof h);
    return h;
}

enum lterm_kind lterm_kind(const struct lterms *terms, lterm term)
{
    return head(terms, term).kind;
}

uint32_t lterm_number(const struct lterms *terms, lterm term)
{
    return head(terms, term).number;
}

uint32_t lterm_n(const struct lterms *terms, lterm term)
{
    return (uint32_t)((intern_len(&terms->nodes, term) - sizeof(struct head)) / sizeof(uint32_t));
}

uint32_t lterm_arg(const struct lterms *terms, lterm term, uint32_t i)
{
    uint32_t arg;
    assert(i < lterm_n(terms, term));
    memcpy(&arg, intern_text(&terms->nodes, term) + sizeof(struct head) + i * sizeof arg,
           sizeof arg);
    return arg;
}

// Which arguments are terms, and not polynomials?
static bool is_term(enum lterm_kind kind, uint32_t i)
{
    return kind == LT_APPLY || (kind == LT_CHOOSE && i > 0) || (kind == LT_REDUCE && i == 1);
}

static uint16_t height_of(const struct lterms *terms, enum lterm_kind kind, uint32_t number,
                          uint32_t n, const uint32_t *args)
{
    uint16_t height = kind == LT_REDUCE ? (uint16_t)((number & 0xffff) + 1) : 0;
    for (uint32_t i = 0; i < n; i++)
        if (is_term(kind, i) && terms->height.at[args[i]] > height)
            height = terms->height.at[args[i]];
    return height;
}

lterm lterm_make(struct lterms *terms, enum lterm_kind kind, uint32_t number, uint32_t n,
                 const uint32_t *args)
{
    uint32_t words[64];
    if (n > 60)
        return lterm_undefined(terms, "a term with too many parts");
    words[0] = kind, words[1] = number;
    for (uint32_t i = 0; i < n; i++)
        words[2 + i] = args[i];
    lterm term = intern_bytes(&terms->nodes, words, (2 + n) * sizeof *words);
    if (term == terms->height.len)
        vec_push(&terms->height, height_of(terms, kind, number, n, args));
    return term;
}

bool lterm_is(const struct lterms *terms, lterm term, enum code_op op)
{
    return lterm_kind(terms, term) == LT_APPLY && lterm_number(terms, term) == (uint32_t)op;
}

lterm lterm_number_of(struct lterms *terms, const char *rational)
{
    return lterm_make(terms, LT_NUMBER, intern_str(&terms->names, rational), 0, NULL);
}

lterm lterm_infinite(struct lterms *terms, bool positive)
{
    return lterm_make(terms, LT_INFINITE, positive, 0, NULL);
}

lterm lterm_truth(struct lterms *terms, bool value)
{
    return lterm_make(terms, LT_TRUTH, value, 0, NULL);
}

lterm lterm_whole(struct lterms *terms, ipoly value)
{
    return lterm_make(terms, LT_WHOLE, 0, 1, &value);
}

lterm lterm_integer(struct lterms *terms, ipoly value)
{
    int64_t constant;
    if (!int_is_constant(terms->in, value, &constant))
        return lterm_make(terms, LT_INTEGER, 0, 1, &value);
    struct buf text = {0};
    buf_printf(&text, "%lld", (long long)constant);
    lterm made = lterm_number_of(terms, buf_text(&text));
    buf_release(&text);
    return made;
}

lterm lterm_undefined(struct lterms *terms, const char *reason)
{
    return lterm_make(terms, LT_UNDEFINED, intern_str(&terms->names, reason), 0, NULL);
}

bool lterm_is_number(const struct lterms *terms, lterm term, const char *rational)
{
    return lterm_kind(terms, term) == LT_NUMBER &&
           !strcmp(intern_text(&terms->names, lterm_number(terms, term)), rational);
}

// ---- substituting ----

static ipoly bound_symbol(struct lterms *terms, uint32_t height)
{
    struct buf name = {0};
    buf_printf(&name, "#%u", height);
    ipoly made = int_symbol(terms->in, buf_text(&name));
    buf_release(&name);
    return made;
}

static lterm reduce_substituted(struct lterms *terms, lterm term, const struct int_substitution *by)
{
    struct lreduce open;
    lterm_open(terms, term, &open);
    iatom index;
    int_is_atom(terms->in, open.index, &index);
    for (uint32_t i = 0; i < open.guards.len; i++)
        open.guards.at[i] = int_substitute(terms->in, open.guards.at[i], by);
    lterm made =
        lterm_reduce(terms, open.op, index, int_substitute(terms->in, open.end, by),
                     open.guards.len, open.guards.at, lterm_substitute(terms, open.body, by));
    lreduce_release(&open);
    return made;
}

lterm lterm_substitute(struct lterms *terms, lterm term, const struct int_substitution *by)
{
    uint32_t args[64], n = lterm_n(terms, term);
    enum lterm_kind kind = lterm_kind(terms, term);
    if (kind == LT_REDUCE)
        return reduce_substituted(terms, term, by);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arg = lterm_arg(terms, term, i);
        args[i] = is_term(kind, i) ? lterm_substitute(terms, arg, by)
                                   : int_substitute(terms->in, arg, by);
    }
    return lterm_make(terms, kind, lterm_number(terms, term), n, args);
}

static lterm replaced(struct lterms *terms, lterm term, iatom from, ipoly to)
{
    struct int_substitution by = {1, &from, &to};
    return lterm_substitute(terms, term, &by);
}

lterm lterm_reduce(struct lterms *terms, enum code_op op, iatom index, ipoly end, uint32_t n,
                   const ipoly *guards, lterm body)
{
    uint32_t height = terms->height.at[body], args[64];
    ipoly to = bound_symbol(terms, height);
    struct int_substitution by = {1, &index, &to};
    if (n > 50)
        return lterm_undefined(terms, "a reduction with too many conditions");
    args[0] = end;
    args[1] = replaced(terms, body, index, to);
    for (uint32_t i = 0; i < n; i++) {
        ipoly guard = int_substitute(terms->in, guards[i], &by);
        uint32_t k = 2 + i; // sorted
        for (; k > 2 && args[k - 1] > guard; k--)
            args[k] = args[k - 1];
        args[k] = guard;
    }
    return lterm_make(terms, LT_REDUCE, (uint32_t)op << 16 | height, 2 + n, args);
}

void lterm_open(struct lterms *terms, lterm reduce, struct lreduce *out)
{
    uint32_t number = lterm_number(terms, reduce);
    iatom bound;
    int_is_atom(terms->in, bound_symbol(terms, number & 0xffff), &bound);
    *out = (struct lreduce){.op = number >> 16, .end = lterm_arg(terms, reduce, 0)};
    out->index = int_fresh(terms->in, "s");
    struct int_substitution by = {1, &bound, &out->index};
    out->body = lterm_substitute(terms, lterm_arg(terms, reduce, 1), &by);
    for (uint32_t i = 2; i < lterm_n(terms, reduce); i++)
        vec_push(&out->guards, int_substitute(terms->in, lterm_arg(terms, reduce, i), &by));
}

void lreduce_release(struct lreduce *open)
{
    vec_release(&open->guards);
}

bool lterm_mentions(struct lterms *terms, lterm term, iatom symbol)
{
    for (uint32_t i = 0; i < lterm_n(terms, term); i++) {
        uint32_t arg = lterm_arg(terms, term, i);
        if (is_term(lterm_kind(terms, term), i) ? lterm_mentions(terms, arg, symbol)
                                                : int_mentions(terms->in, arg, symbol))
            return true;
    }
    return false;
}

bool lterm_any(const struct lterms *terms, lterm term,
               bool (*holds)(void *ctx, const struct lterms *terms, lterm term), void *ctx)
{
    if (holds(ctx, terms, term))
        return true;
    for (uint32_t i = 0; i < lterm_n(terms, term); i++)
        if (is_term(lterm_kind(terms, term), i) &&
            lterm_any(terms, lterm_arg(terms, term, i), holds, ctx))
            return true;
    return false;
}
