// SPDX-License-Identifier: Apache-2.0
#include "simplify/chain.h"

#include <stdlib.h>

void chain_init(struct proof_chain *chain)
{
    memset(chain, 0, sizeof *chain);
    fterms_init(&chain->terms);
    intern_init(&chain->known);
}

void chain_release(struct proof_chain *chain)
{
    fterms_release(&chain->terms);
    buf_release(&chain->lines);
    intern_release(&chain->known);
    vec_release(&chain->known_line);
    vec_release(&chain->copied);
    vec_release(&chain->link);
    vec_release(&chain->given);
    vec_release(&chain->fact);
    vec_release(&chain->told);
}

// One proof as it is read: its terms and its lines here, 2 * line, + 1 where it
// is the other way round.
struct chain_reader {
    struct proof_chain *chain;
    const struct chain_meaning *meaning; // or NULL
    struct u32_vec term, line, arg;
    struct buf text; // of the line that is read, behind its number
    const char *at;
    struct err *err;
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
    const struct chain_meaning *meaning = reader->arg.len == 0 ? reader->meaning : NULL;
    fterm term =
        meaning != NULL ? meaning->leaf(meaning->ctx, reader->chain, name.at, name.len) : NO_FTERM;
    if (term == NO_FTERM)
        term =
            fterm_make_n(&reader->chain->terms, name.at, name.len, reader->arg.len, reader->arg.at);
    vec_push(&reader->term, term);
    return true;
}

static bool put_term(struct chain_reader *reader, const char *text, const char *end)
{
    uint32_t x;
    if (!number_at(text, end, &x) || x >= reader->term.len)
        return false;
    buf_printf(&reader->text, "%u", reader->term.at[x]);
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
    buf_write(&reader->text, chain_word.at, (size_t)(text - chain_word.at - back));
    if (is_term)
        return put_term(reader, text, end);
    if (!number_at(text, end, &x) || x >= reader->line.len)
        return false;
    x = reader->line.at[x] ^ back;
    buf_printf(&reader->text, "%s%u", x & 1 ? "-" : "", x >> 1);
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
        buf_putc(&reader->text, ' ');
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

// What stands for given x of the proof.
static bool find_given(struct chain_reader *reader, uint32_t x, bool *proved, uint32_t *out)
{
    const struct proof_chain *chain = reader->chain;
    const struct chain_meaning *meaning = reader->meaning;
    *proved = false;
    if (meaning != NULL)
        return meaning->given(meaning->ctx, reader->chain, x, proved, out, reader->err);
    if (chain->renumber.len > 0 && x >= chain->renumber.len)
        return false;
    *out = chain->renumber.len > 0 ? chain->renumber.at[x] : x;
    *proved = *out < chain->fact.len && chain->fact.at[*out] != 0;
    if (*proved)
        *out = chain->fact.at[*out] - 1;
    return true;
}

// A given line between terms, unless it is proved or was there before.
static bool read_given(struct chain_reader *reader)
{
    struct proof_chain *chain = reader->chain;
    uint32_t a, b, x, found;
    bool proved;
    if (!number(reader, &a) || !number(reader, &b) || !number(reader, &x) || !at_end(reader) ||
        a >= reader->term.len || b >= reader->term.len || !find_given(reader, x, &proved, &found))
        return false;
    struct chain_given given = {
        .given = found, .a = reader->term.at[a], .b = reader->term.at[b], .line = chain->n_lines};
    if (proved) {
        vec_push(&reader->line, found ^ fterm_is(&chain->terms, given.a, "true", 0));
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

// Adds a line, unless it is there.  The text is that behind its number.
static uint32_t add_line(struct proof_chain *chain, const char *kind, uint32_t len,
                         const struct buf *text)
{
    struct buf key = {0};
    buf_write(&key, kind, len);
    buf_write(&key, text->at, text->len);
    uint32_t id = intern_bytes(&chain->known, buf_text(&key), key.len);
    buf_release(&key);
    while (chain->known_line.len <= id)
        vec_push(&chain->known_line, CHAIN_NONE);
    if (chain->known_line.at[id] != CHAIN_NONE)
        return chain->known_line.at[id];
    buf_write(&chain->lines, kind, len);
    buf_printf(&chain->lines, " %u", chain->n_lines);
    buf_write(&chain->lines, text->at, text->len);
    buf_putc(&chain->lines, '\n');
    chain->known_line.at[id] = chain->n_lines;
    return chain->n_lines++;
}

static bool read_line(struct chain_reader *reader, struct chain_word kind)
{
    uint32_t x;
    bool by = false;
    if (!number(reader, &x) || x != reader->line.len)
        return false;
    if (word_is(kind, "given"))
        return read_given(reader);
    buf_clear(&reader->text);
    if (!put_ends(reader))
        return false;
    while (!at_end(reader)) {
        struct chain_word chain_word = next(reader);
        buf_putc(&reader->text, ' ');
        if (by || word_is(chain_word, "by"))
            buf_write(&reader->text, chain_word.at, chain_word.len);
        else if (!put_part(reader, chain_word))
            return false;
        by |= word_is(chain_word, "by");
    }
    vec_push(&reader->line, 2 * add_line(reader->chain, kind.at, kind.len, &reader->text));
    return true;
}

bool chain_read(struct proof_chain *chain, const char *proof, bool flipped,
                const struct chain_meaning *meaning, uint32_t *link, struct err *err)
{
    struct chain_reader reader = {.chain = chain, .meaning = meaning, .at = proof, .err = err};
    bool ok = true;
    for (; ok && *reader.at != 0; reader.at += *reader.at == '\n') {
        struct chain_word kind = next(&reader);
        if (kind.len > 0)
            ok = word_is(kind, "term") ? read_term(&reader) : read_line(&reader, kind);
    }
    *link = reader.line.len > 0 ? vec_last(&reader.line) ^ flipped : CHAIN_NONE;
    vec_release(&reader.term);
    vec_release(&reader.line);
    vec_release(&reader.arg);
    buf_release(&reader.text);
    return ok || err_set(err, ERR_BUG, "the explanation cannot be read");
}

bool chain_add(struct proof_chain *chain, const char *proof, bool flipped, struct err *err)
{
    uint32_t link;
    if (!chain_read(chain, proof, flipped, NULL, &link, err))
        return false;
    if (link != CHAIN_NONE)
        vec_push(&chain->link, link);
    return true;
}

bool chain_fact(struct proof_chain *chain, uint32_t given, const char *proof, bool flipped,
                struct err *err)
{
    uint32_t link;
    if (!chain_read(chain, proof, flipped, NULL, &link, err))
        return false;
    while (chain->fact.len <= given)
        vec_push(&chain->fact, 0);
    chain->fact.at[given] = link != CHAIN_NONE ? link + 1 : 0;
    return true;
}

bool chain_aside(struct proof_chain *chain, const char *proof, struct err *err)
{
    uint32_t link;
    return chain_read(chain, proof, false, NULL, &link, err);
}

fterm chain_term(struct proof_chain *chain, const struct fterms *store, fterm term)
{
    struct u32_vec all = {0}, args = {0};
    while (chain->copied.len <= term)
        vec_push(&chain->copied, 0);
    if (chain->copied.at[term] == 0)
        fterms_reach(store, 1, &term, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        if (chain->copied.at[all.at[i]] != 0)
            continue;
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(store, all.at[i]); k++)
            vec_push(&args, chain->copied.at[fterm_args(store, all.at[i])[k]] - 1);
        chain->copied.at[all.at[i]] =
            fterm_make(&chain->terms, fterm_name(store, all.at[i]), args.len, args.at) + 1;
    }
    vec_release(&all);
    vec_release(&args);
    return chain->copied.at[term] - 1;
}

uint32_t chain_congruence(struct proof_chain *chain, fterm a, fterm b, const uint32_t *links)
{
    struct buf text = {0};
    buf_printf(&text, " %u %u", a, b);
    for (uint32_t k = 0; k < fterm_n(&chain->terms, a); k++)
        if (links[k] != CHAIN_NONE)
            buf_printf(&text, " %u:%s%u", k, links[k] & 1 ? "-" : "", links[k] >> 1);
    uint32_t line = add_line(chain, "cong", 4, &text);
    buf_release(&text);
    return 2 * line;
}

uint32_t chain_join(struct proof_chain *chain, fterm a, fterm b, uint32_t n, const uint32_t *links)
{
    struct buf text = {0};
    uint32_t some = 0, last = CHAIN_NONE;
    buf_printf(&text, " %u %u", a, b);
    for (uint32_t k = 0; k < n; k++)
        if (links[k] != CHAIN_NONE) {
            buf_printf(&text, " %s%u", links[k] & 1 ? "-" : "", links[k] >> 1);
            last = links[k];
            some++;
        }
    if (some > 1)
        last = 2 * add_line(chain, "trans", 5, &text);
    buf_release(&text);
    return last;
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

void chain_print_link(struct proof_chain *chain, uint32_t link, struct buf *out)
{
    uint32_t a, b;
    print_terms(&chain->terms, out);
    buf_puts(out, buf_text(&chain->lines));
    ends(chain, link, &a, &b);
    buf_printf(out, "trans %u %u %u %s%u\n", chain->n_lines, a, b, link & 1 ? "-" : "", link >> 1);
}
