// SPDX-License-Identifier: Apache-2.0
#include "simplify/chain.h"

#include <stdlib.h>

void chain_init(struct proof_chain *c)
{
    memset(c, 0, sizeof *c);
    fterms_init(&c->terms);
}

void chain_release(struct proof_chain *c)
{
    fterms_release(&c->terms);
    buf_release(&c->lines);
    vec_release(&c->link);
    vec_release(&c->given);
    vec_release(&c->fact);
    vec_release(&c->told);
}

// One proof as it is read: its terms and its lines here, 2 * line, + 1 where it
// is the other way round.
struct chain_reader {
    struct proof_chain *c;
    struct u32_vec term, line, arg;
    const char *at;
};

struct chain_word {
    const char *at;
    uint32_t len;
};

static struct chain_word next(struct chain_reader *r)
{
    while (*r->at == ' ')
        r->at++;
    struct chain_word w = {r->at, (uint32_t)strcspn(r->at, " \n")};
    r->at += w.len;
    return w;
}

static bool number_at(const char *s, const char *end, uint32_t *x)
{
    uint64_t v = 0;
    const char *from = s;
    for (; s < end && *s >= '0' && *s <= '9' && v < UINT32_MAX; s++)
        v = 10 * v + (uint64_t)(*s - '0');
    *x = (uint32_t)v;
    return s == end && s > from && v < UINT32_MAX;
}

static bool number(struct chain_reader *r, uint32_t *x)
{
    struct chain_word w = next(r);
    return number_at(w.at, w.at + w.len, x);
}

static bool at_end(struct chain_reader *r)
{
    while (*r->at == ' ')
        r->at++;
    return *r->at == '\n' || *r->at == 0;
}

static bool read_term(struct chain_reader *r)
{
    uint32_t x;
    if (!number(r, &x) || x != r->term.len)
        return false;
    struct chain_word name = next(r);
    vec_clear(&r->arg);
    while (!at_end(r)) {
        if (!number(r, &x) || x >= r->term.len)
            return false;
        vec_push(&r->arg, r->term.at[x]);
    }
    fterm t =
        fterm_make_n(&r->c->terms, name.at, name.len, r->arg.len, r->arg.at);
    vec_push(&r->term, t);
    return true;
}

static bool put_term(struct chain_reader *r, const char *s, const char *end)
{
    uint32_t x;
    if (!number_at(s, end, &x) || x >= r->term.len)
        return false;
    buf_printf(&r->c->lines, "%u", r->term.at[x]);
    return true;
}

// A line that is used: what stands before its sign or number stays.
static bool put_part(struct chain_reader *r, struct chain_word w)
{
    const char *end = w.at + w.len, *s = end;
    uint32_t x;
    while (s > w.at && s[-1] >= '0' && s[-1] <= '9')
        s--;
    bool is_term = s > w.at && s[-1] == '=', back = s > w.at && s[-1] == '-';
    buf_write(&r->c->lines, w.at, (size_t)(s - w.at - back));
    if (is_term)
        return put_term(r, s, end);
    if (!number_at(s, end, &x) || x >= r->line.len)
        return false;
    x = r->line.at[x] ^ back;
    buf_printf(&r->c->lines, "%s%u", x & 1 ? "-" : "", x >> 1);
    return true;
}

static void note_given(struct proof_chain *c, uint32_t x)
{
    uint32_t i = c->given.len;
    for (uint32_t k = 0; k < i; k++)
        if (c->given.at[k] == x)
            return;
    vec_push(&c->given, x);
    for (; i > 0 && c->given.at[i - 1] > x; i--)
        c->given.at[i] = c->given.at[i - 1];
    c->given.at[i] = x;
}

static bool put_ends(struct chain_reader *r)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct chain_word w = next(r);
        buf_putc(&r->c->lines, ' ');
        if (!put_term(r, w.at, w.at + w.len))
            return false;
    }
    return true;
}

static bool word_is(struct chain_word w, const char *s)
{
    return w.len == strlen(s) && memcmp(w.at, s, w.len) == 0;
}

// The line that says it already; NULL: none does.
static const struct chain_given *said(const struct proof_chain *c,
                                      const struct chain_given *g)
{
    for (uint32_t i = 0; i < c->told.len; i++) {
        const struct chain_given *x = &c->told.at[i];
        if (x->given == g->given && x->a == g->a && x->b == g->b)
            return x;
    }
    return NULL;
}

// A given line between terms, unless it is proved or was there before.
static bool read_given(struct chain_reader *r)
{
    struct proof_chain *c = r->c;
    uint32_t a, b, x;
    if (!number(r, &a) || !number(r, &b) || !number(r, &x) || !at_end(r) ||
        a >= r->term.len || b >= r->term.len ||
        (c->renumber.len > 0 && x >= c->renumber.len))
        return false;
    struct chain_given g = {.given =
                                c->renumber.len > 0 ? c->renumber.at[x] : x,
                            .a = r->term.at[a],
                            .b = r->term.at[b],
                            .line = c->n_lines};
    if (g.given < c->fact.len && c->fact.at[g.given] != 0) {
        bool back = fterm_is(&c->terms, g.a, "true", 0);
        vec_push(&r->line, (c->fact.at[g.given] - 1) ^ back);
        return true;
    }
    const struct chain_given *before = said(c, &g);
    vec_push(&r->line, 2 * (before != NULL ? before->line : g.line));
    if (before != NULL)
        return true;
    buf_printf(&c->lines, "given %u %u %u %u\n", g.line, g.a, g.b, g.given);
    note_given(c, g.given);
    vec_push(&c->told, g);
    c->n_lines++;
    return true;
}

static bool read_line(struct chain_reader *r, struct chain_word kind)
{
    struct buf *out = &r->c->lines;
    uint32_t x;
    bool by = false;
    if (!number(r, &x) || x != r->line.len)
        return false;
    if (word_is(kind, "given"))
        return read_given(r);
    buf_write(out, kind.at, kind.len);
    buf_printf(out, " %u", r->c->n_lines);
    if (!put_ends(r))
        return false;
    while (!at_end(r)) {
        struct chain_word w = next(r);
        buf_putc(out, ' ');
        if (by || word_is(w, "by"))
            buf_write(out, w.at, w.len);
        else if (!put_part(r, w))
            return false;
        by |= word_is(w, "by");
    }
    buf_putc(out, '\n');
    vec_push(&r->line, 2 * r->c->n_lines);
    r->c->n_lines++;
    return true;
}

// *last: 1 + what its last line is here; 0: it has none.
static bool read_proof(struct proof_chain *c, const char *proof, uint32_t *last,
                       struct err *e)
{
    struct chain_reader r = {.c = c, .at = proof};
    bool ok = true;
    for (; ok && *r.at != 0; r.at += *r.at == '\n') {
        struct chain_word kind = next(&r);
        if (kind.len > 0)
            ok = word_is(kind, "term") ? read_term(&r) : read_line(&r, kind);
    }
    *last = r.line.len > 0 ? vec_last(&r.line) + 1 : 0;
    vec_release(&r.term);
    vec_release(&r.line);
    vec_release(&r.arg);
    return ok || err_set(e, ERR_BUG, "an explanation that cannot be read");
}

bool chain_add(struct proof_chain *c, const char *proof, bool flipped, struct err *e)
{
    uint32_t last;
    if (!read_proof(c, proof, &last, e))
        return false;
    if (last != 0)
        vec_push(&c->link, (last - 1) ^ flipped);
    return true;
}

bool chain_fact(struct proof_chain *c, uint32_t given, const char *proof,
                bool flipped, struct err *e)
{
    uint32_t last;
    if (!read_proof(c, proof, &last, e))
        return false;
    while (c->fact.len <= given)
        vec_push(&c->fact, 0);
    c->fact.at[given] = last != 0 ? ((last - 1) ^ flipped) + 1 : 0;
    return true;
}

bool chain_aside(struct proof_chain *c, const char *proof, struct err *e)
{
    uint32_t last;
    return read_proof(c, proof, &last, e);
}

static void print_terms(const struct fterms *t, struct buf *out)
{
    for (uint32_t x = 0; x < t->node.len; x++) {
        buf_printf(out, "term %u %s", x, fterm_name(t, x));
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            buf_printf(out, " %u", fterm_args(t, x)[k]);
        buf_putc(out, '\n');
    }
}

// The terms at the ends of a line, which is read again.
static void ends(const struct proof_chain *c, uint32_t link, uint32_t *a, uint32_t *b)
{
    const char *s = buf_text(&c->lines);
    for (uint32_t i = 0; i < link >> 1; i++)
        s = strchr(s, '\n') + 1;
    s += strcspn(s, " ") + 1;
    s += strcspn(s, " ") + 1;
    char *end;
    uint32_t x = (uint32_t)strtoul(s, &end, 10);
    uint32_t y = (uint32_t)strtoul(end, &end, 10);
    *a = link & 1 ? y : x;
    *b = link & 1 ? x : y;
}

// Lines as they are, but for the numbers of what is given: those of the list.
static void print_lines(const struct proof_chain *c, struct buf *out)
{
    for (const char *s = buf_text(&c->lines), *end; *s != 0; s = end) {
        end = strchr(s, '\n') + 1;
        if (strncmp(s, "given ", 6) != 0) {
            buf_write(out, s, (size_t)(end - s));
            continue;
        }
        const char *last = end - 1;
        while (last[-1] != ' ')
            last--;
        uint32_t x = (uint32_t)strtoul(last, NULL, 10), i = 0;
        while (c->given.at[i] != x)
            i++;
        buf_write(out, s, (size_t)(last - s));
        buf_printf(out, "%u\n", i);
    }
}

void chain_print(struct proof_chain *c, struct buf *out)
{
    if (c->link.len == 0)
        return;
    print_terms(&c->terms, out);
    print_lines(c, out);
    // Its last line may be the one that says it.
    if (c->link.len == 1 && c->link.at[0] >> 1 == c->n_lines - 1)
        return;
    uint32_t a, b, none;
    ends(c, c->link.at[0], &a, &none);
    ends(c, vec_last(&c->link), &none, &b);
    buf_printf(out, "trans %u %u %u", c->n_lines, a, b);
    for (uint32_t i = 0; i < c->link.len; i++)
        buf_printf(out, " %s%u", c->link.at[i] & 1 ? "-" : "",
                   c->link.at[i] >> 1);
    buf_putc(out, '\n');
}
