// SPDX-License-Identifier: Apache-2.0
#include "simplify/chain.h"

#include <stdlib.h>

void chain_init(struct proof_chain *chain)
{
    memset(chain, 0, sizeof *chain);
    fterms_init(&chain->terms);
}

void chain_release(struct proof_chain *chain)
{
    fterms_release(&chain->terms);
    buf_release(&chain->lines);
    vec_release(&chain->link);
    vec_release(&chain->given);
    vec_release(&chain->fact);
    vec_release(&chain->told);
}

// One proof as it is read: its terms and its lines here, 2 * line, + 1 where it
// is the other way round.
struct chain_reader {
    struct proof_chain *chain;
    struct u32_vec term, line, arg;
    const char *at;
};

struct chain_word {
    const char *at;
    uint32_t len;
};

static struct chain_word next(struct chain_reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
    struct chain_word chain_word = {reader->at, (uint32_t)strcspn(reader->at, " \n")};
    reader->at += chain_word.len;
    return chain_word;
}

static bool number_at(const char *text, const char *end, uint32_t *x)
{
    uint64_t v = 0;
    const char *from = text;
    for (; text < end && *text >= '0' && *text <= '9' && v < UINT32_MAX; text++)
        v = 10 * v + (uint64_t)(*text - '0');
    *x = (uint32_t)v;
    return text == end && text > from && v < UINT32_MAX;
}

static bool number(struct chain_reader *reader, uint32_t *x)
{
    struct chain_word chain_word = next(reader);
    return number_at(chain_word.at, chain_word.at + chain_word.len, x);
}

static bool at_end(struct chain_reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
    return *reader->at == '\n' || *reader->at == 0;
}

static bool read_term(struct chain_reader *reader)
{
    uint32_t x;
    if (!number(reader, &x) || x != reader->term.len)
        return false;
    struct chain_word name = next(reader);
    vec_clear(&reader->arg);
    while (!at_end(reader)) {
        if (!number(reader, &x) || x >= reader->term.len)
            return false;
        vec_push(&reader->arg, reader->term.at[x]);
    }
    fterm term =
        fterm_make_n(&reader->chain->terms, name.at, name.len, reader->arg.len, reader->arg.at);
    vec_push(&reader->term, term);
    return true;
}

static bool put_term(struct chain_reader *reader, const char *text, const char *end)
{
    uint32_t x;
    if (!number_at(text, end, &x) || x >= reader->term.len)
        return false;
    buf_printf(&reader->chain->lines, "%u", reader->term.at[x]);
    return true;
}

// Renumbers a used line; the text before its sign or number stays.
static bool put_part(struct chain_reader *reader, struct chain_word chain_word)
{
    const char *end = chain_word.at + chain_word.len, *text = end;
    uint32_t x;
    while (text > chain_word.at && text[-1] >= '0' && text[-1] <= '9')
        text--;
    bool is_term = text > chain_word.at && text[-1] == '=',
         back = text > chain_word.at && text[-1] == '-';
    buf_write(&reader->chain->lines, chain_word.at, (size_t)(text - chain_word.at - back));
    if (is_term)
        return put_term(reader, text, end);
    if (!number_at(text, end, &x) || x >= reader->line.len)
        return false;
    x = reader->line.at[x] ^ back;
    buf_printf(&reader->chain->lines, "%s%u", x & 1 ? "-" : "", x >> 1);
    return true;
}

static void note_given(struct proof_chain *chain, uint32_t x)
{
    uint32_t i = chain->given.len;
    for (uint32_t k = 0; k < i; k++)
        if (chain->given.at[k] == x)
            return;
    vec_push(&chain->given, x);
    for (; i > 0 && chain->given.at[i - 1] > x; i--)
        chain->given.at[i] = chain->given.at[i - 1];
    chain->given.at[i] = x;
}

static bool put_ends(struct chain_reader *reader)
{
    for (uint32_t i = 0; i < 2; i++) {
        struct chain_word chain_word = next(reader);
        buf_putc(&reader->chain->lines, ' ');
        if (!put_term(reader, chain_word.at, chain_word.at + chain_word.len))
            return false;
    }
    return true;
}

static bool word_is(struct chain_word chain_word, const char *text)
{
    return chain_word.len == strlen(text) && memcmp(chain_word.at, text, chain_word.len) == 0;
}

// The line that says it already; NULL: none does.
static const struct chain_given *said(const struct proof_chain *chain,
                                      const struct chain_given *given)
{
    for (uint32_t i = 0; i < chain->told.len; i++) {
        const struct chain_given *x = &chain->told.at[i];
        if (x->given == given->given && x->a == given->a && x->b == given->b)
            return x;
    }
    return NULL;
}

// A given line between terms, unless it is proved or was there before.
static bool read_given(struct chain_reader *reader)
{
    struct proof_chain *chain = reader->chain;
    uint32_t a, b, x;
    if (!number(reader, &a) || !number(reader, &b) || !number(reader, &x) || !at_end(reader) ||
        a >= reader->term.len || b >= reader->term.len ||
        (chain->renumber.len > 0 && x >= chain->renumber.len))
        return false;
    struct chain_given given = {.given = chain->renumber.len > 0 ? chain->renumber.at[x] : x,
                                .a = reader->term.at[a],
                                .b = reader->term.at[b],
                                .line = chain->n_lines};
    if (given.given < chain->fact.len && chain->fact.at[given.given] != 0) {
        bool back = fterm_is(&chain->terms, given.a, "true", 0);
        vec_push(&reader->line, (chain->fact.at[given.given] - 1) ^ back);
        return true;
    }
    const struct chain_given *before = said(chain, &given);
    vec_push(&reader->line, 2 * (before != NULL ? before->line : given.line));
    if (before != NULL)
        return true;
    buf_printf(&chain->lines, "given %u %u %u %u\n", given.line, given.a, given.b, given.given);
    note_given(chain, given.given);
    vec_push(&chain->told, given);
    chain->n_lines++;
    return true;
}

static bool read_line(struct chain_reader *reader, struct chain_word kind)
{
    struct buf *out = &reader->chain->lines;
    uint32_t x;
    bool by = false;
    if (!number(reader, &x) || x != reader->line.len)
        return false;
    if (word_is(kind, "given"))
        return read_given(reader);
    buf_write(out, kind.at, kind.len);
    buf_printf(out, " %u", reader->chain->n_lines);
    if (!put_ends(reader))
        return false;
    while (!at_end(reader)) {
        struct chain_word chain_word = next(reader);
        buf_putc(out, ' ');
        if (by || word_is(chain_word, "by"))
            buf_write(out, chain_word.at, chain_word.len);
        else if (!put_part(reader, chain_word))
            return false;
        by |= word_is(chain_word, "by");
    }
    buf_putc(out, '\n');
    vec_push(&reader->line, 2 * reader->chain->n_lines);
    reader->chain->n_lines++;
    return true;
}

// *last: 1 + what its last line is here; 0: it has none.
static bool read_proof(struct proof_chain *chain, const char *proof, uint32_t *last,
                       struct err *err)
{
    struct chain_reader reader = {.chain = chain, .at = proof};
    bool ok = true;
    for (; ok && *reader.at != 0; reader.at += *reader.at == '\n') {
        struct chain_word kind = next(&reader);
        if (kind.len > 0)
            ok = word_is(kind, "term") ? read_term(&reader) : read_line(&reader, kind);
    }
    *last = reader.line.len > 0 ? vec_last(&reader.line) + 1 : 0;
    vec_release(&reader.term);
    vec_release(&reader.line);
    vec_release(&reader.arg);
    return ok || err_set(err, ERR_BUG, "the explanation cannot be read");
}

bool chain_add(struct proof_chain *chain, const char *proof, bool flipped, struct err *err)
{
    uint32_t last;
    if (!read_proof(chain, proof, &last, err))
        return false;
    if (last != 0)
        vec_push(&chain->link, (last - 1) ^ flipped);
    return true;
}

bool chain_fact(struct proof_chain *chain, uint32_t given, const char *proof, bool flipped,
                struct err *err)
{
    uint32_t last;
    if (!read_proof(chain, proof, &last, err))
        return false;
    while (chain->fact.len <= given)
        vec_push(&chain->fact, 0);
    chain->fact.at[given] = last != 0 ? ((last - 1) ^ flipped) + 1 : 0;
    return true;
}

bool chain_aside(struct proof_chain *chain, const char *proof, struct err *err)
{
    uint32_t last;
    return read_proof(chain, proof, &last, err);
}

static void print_terms(const struct fterms *terms, struct buf *out)
{
    for (uint32_t x = 0; x < terms->node.len; x++) {
        buf_printf(out, "term %u %s", x, fterm_name(terms, x));
        for (uint32_t k = 0; k < fterm_n(terms, x); k++)
            buf_printf(out, " %u", fterm_args(terms, x)[k]);
        buf_putc(out, '\n');
    }
}

// The terms at the ends of a line, which is read again.
static void ends(const struct proof_chain *chain, uint32_t link, uint32_t *a, uint32_t *b)
{
    const char *text = buf_text(&chain->lines);
    for (uint32_t i = 0; i < link >> 1; i++)
        text = strchr(text, '\n') + 1;
    text += strcspn(text, " ") + 1;
    text += strcspn(text, " ") + 1;
    char *end;
    uint32_t x = (uint32_t)strtoul(text, &end, 10);
    uint32_t y = (uint32_t)strtoul(end, &end, 10);
    *a = link & 1 ? y : x;
    *b = link & 1 ? x : y;
}

// Copies lines, except that numbers of givens become those of the list.
static void print_lines(const struct proof_chain *chain, struct buf *out)
{
    for (const char *text = buf_text(&chain->lines), *end; *text != 0; text = end) {
        end = strchr(text, '\n') + 1;
        if (strncmp(text, "given ", 6) != 0) {
            buf_write(out, text, (size_t)(end - text));
            continue;
        }
        const char *last = end - 1;
        while (last[-1] != ' ')
            last--;
        uint32_t x = (uint32_t)strtoul(last, NULL, 10), i = 0;
        while (chain->given.at[i] != x)
            i++;
        buf_write(out, text, (size_t)(last - text));
        buf_printf(out, "%u\n", i);
    }
}

void chain_print(struct proof_chain *chain, struct buf *out)
{
    if (chain->link.len == 0)
        return;
    print_terms(&chain->terms, out);
    print_lines(chain, out);
    // Its last line may be the one that says it.
    if (chain->link.len == 1 && chain->link.at[0] >> 1 == chain->n_lines - 1)
        return;
    uint32_t a, b, none;
    ends(chain, chain->link.at[0], &a, &none);
    ends(chain, vec_last(&chain->link), &none, &b);
    buf_printf(out, "trans %u %u %u", chain->n_lines, a, b);
    for (uint32_t i = 0; i < chain->link.len; i++)
        buf_printf(out, " %s%u", chain->link.at[i] & 1 ? "-" : "", chain->link.at[i] >> 1);
    buf_putc(out, '\n');
}
