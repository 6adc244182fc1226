// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/steps.h"

#include "proof/limits.h"

#include <stdlib.h>

struct step_part {
    uint32_t line, arg;
    bool flip;
};
struct proof_line_read {
    enum proof_line_kind { RULE, CONG, TRANS, FOLD, GIVEN, AC } kind;
    fterm a, b;
    uint32_t at, n;  // CONG, TRANS: part[at ..]; RULE: its conditions
    uint32_t name;   // RULE
    uint32_t number; // GIVEN
    uint64_t steps;  // uses if no line is shared; at most UINT32_MAX
};
struct step_reader {
    struct fterms *terms;
    struct fsteps *out;
    struct err *err;
    const char *at;
    uint32_t text_line;  // 0: the whole text is read
    struct u32_vec term; // numbers of the text to ours
    VEC(struct proof_line_read) line;
    VEC(struct step_part) part;
    fterm now; // the whole formula
    struct u32_vec path;
    bool ok;
};

static bool fail(struct step_reader *reader, const char *what)
{
    if (reader->ok && reader->text_line > 0)
        err_set(reader->err, ERR_INPUT, "proof, line %u: %s", reader->text_line, what);
    else if (reader->ok)
        err_set(reader->err, ERR_INPUT, "proof: %s", what);
    reader->ok = false;
    return false;
}

// Reading

static void blanks(struct step_reader *reader)
{
    while (*reader->at == ' ')
        reader->at++;
}

static bool at_end(struct step_reader *reader)
{
    blanks(reader);
    return *reader->at == 0 || *reader->at == '\n';
}

static bool skip(struct step_reader *reader, const char *text)
{
    size_t n = strlen(text);
    if (strncmp(reader->at, text, n) != 0)
        return false;
    reader->at += n;
    return true;
}

static uint32_t number(struct step_reader *reader, uint32_t below)
{
    uint64_t x = 0;
    blanks(reader);
    const char *from = reader->at;
    for (; *reader->at >= '0' && *reader->at <= '9' && x <= UINT32_MAX; reader->at++)
        x = x * 10 + (uint64_t)(*reader->at - '0');
    if (reader->at == from || x >= below) {
        fail(reader, "expected the number of an earlier term or line");
        return 0;
    }
    return (uint32_t)x;
}

static void read_term(struct step_reader *reader)
{
    struct u32_vec args = {0};
    if (number(reader, UINT32_MAX) != reader->term.len)
        fail(reader, "expected terms numbered from 0");
    blanks(reader);
    const char *name = reader->at;
    uint32_t len = (uint32_t)strcspn(name, " \n");
    reader->at += len;
    while (reader->ok && !at_end(reader)) {
        uint32_t k = number(reader, reader->term.len);
        if (reader->ok)
            vec_push(&args, reader->term.at[k]);
    }
    if (reader->ok && len > 0)
        vec_push(&reader->term, fterm_make_n(reader->terms, name, len, args.len, args.at));
    vec_release(&args);
}

static struct step_part read_part(struct step_reader *reader)
{
    struct step_part part = {.flip = skip(reader, "-")};
    part.line = number(reader, reader->line.len);
    return part;
}

static uint64_t steps_of(const struct step_reader *reader,
                         const struct proof_line_read *proof_line_read)
{
    if (proof_line_read->kind != CONG && proof_line_read->kind != TRANS)
        return 1;
    uint64_t n = 0;
    for (uint32_t k = 0; k < proof_line_read->n && n < UINT32_MAX; k++)
        n += reader->line.at[reader->part.at[proof_line_read->at + k].line].steps;
    return n < UINT32_MAX ? n : UINT32_MAX;
}

static void read_rule(struct step_reader *reader, struct proof_line_read *proof_line_read)
{
    for (blanks(reader); reader->ok && !skip(reader, "by "); blanks(reader)) {
        if (skip(reader, "and:=")) {
            number(reader, reader->term.len);
        } else if (skip(reader, "and:") || skip(reader, "if:")) {
            struct step_part part = read_part(reader);
            if (reader->ok)
                vec_push(&reader->part, part);
        } else {
            fail(reader, "malformed use of a rule");
        }
    }
    size_t n = strcspn(reader->at, "\r\n");
    proof_line_read->name = intern_bytes(&reader->out->names, reader->at, n);
    reader->at += n;
}

static void read_line(struct step_reader *reader, struct proof_line_read proof_line_read)
{
    if (number(reader, UINT32_MAX) != reader->line.len)
        fail(reader, "expected lines numbered from 0");
    uint32_t a = number(reader, reader->term.len), b = number(reader, reader->term.len);
    if (!reader->ok)
        return;
    proof_line_read.a = reader->term.at[a];
    proof_line_read.b = reader->term.at[b];
    proof_line_read.at = reader->part.len;
    if (proof_line_read.kind == GIVEN)
        proof_line_read.number = number(reader, UINT32_MAX);
    if (proof_line_read.kind == RULE)
        read_rule(reader, &proof_line_read);
    while (reader->ok && (proof_line_read.kind == CONG || proof_line_read.kind == TRANS) &&
           !at_end(reader)) {
        uint32_t arg = proof_line_read.kind == CONG
                           ? number(reader, fterm_n(reader->terms, proof_line_read.a))
                           : 0;
        if (proof_line_read.kind == CONG && !skip(reader, ":"))
            fail(reader, "malformed congruence");
        struct step_part part = read_part(reader);
        part.arg = arg;
        if (reader->ok)
            vec_push(&reader->part, part);
    }
    proof_line_read.n = reader->part.len - proof_line_read.at;
    proof_line_read.steps = reader->ok ? steps_of(reader, &proof_line_read) : 0;
    if (reader->ok)
        vec_push(&reader->line, proof_line_read);
}

static void read_proof(struct step_reader *reader)
{
    static const struct {
        const char *word;
        enum proof_line_kind kind;
    } kinds[] = {{"rule ", RULE}, {"cong ", CONG},   {"trans ", TRANS},
                 {"fold ", FOLD}, {"given ", GIVEN}, {"ac ", AC}};
    for (; reader->ok && *reader->at != 0; blanks(reader)) {
        if (skip(reader, "\n")) {
            reader->text_line++;
            continue;
        }
        if (skip(reader, "term ")) {
            read_term(reader);
        } else {
            size_t k = 0, n = sizeof kinds / sizeof *kinds;
            while (k < n && !skip(reader, kinds[k].word))
                k++;
            if (k == n)
                fail(reader, "unknown kind of line");
            else
                read_line(reader, (struct proof_line_read){.kind = kinds[k].kind});
        }
        if (!at_end(reader))
            fail(reader, "unexpected text");
    }
}

// Writing

static fterm subterm(const struct step_reader *reader)
{
    fterm term = reader->now;
    for (uint32_t i = 0; i < reader->path.len; i++)
        term = fterm_args(reader->terms, term)[reader->path.at[i]];
    return term;
}

// The term x with y at the end of the path from its step `i` on.
static fterm replaced(struct step_reader *reader, fterm x, uint32_t i, fterm y)
{
    if (i == reader->path.len)
        return y;
    struct u32_vec args = {0};
    struct buf name = {0};
    uint32_t n = fterm_n(reader->terms, x);
    for (uint32_t k = 0; k < n; k++)
        vec_push(&args, fterm_args(reader->terms, x)[k]);
    args.at[reader->path.at[i]] = replaced(reader, args.at[reader->path.at[i]], i + 1, y);
    buf_puts(&name, fterm_name(reader->terms, x));
    fterm term = fterm_make(reader->terms, buf_text(&name), n, args.at);
    buf_release(&name);
    vec_release(&args);
    return term;
}

static void add_conditions(struct step_reader *reader,
                           const struct proof_line_read *proof_line_read)
{
    for (uint32_t k = 0; k < proof_line_read->n; k++) {
        const struct proof_line_read *q =
            &reader->line.at[reader->part.at[proof_line_read->at + k].line];
        fterm term = fterm_is(reader->terms, q->b, "true", 0)   ? q->a
                     : fterm_is(reader->terms, q->a, "true", 0) ? q->b
                                                                : NO_FTERM;
        if (term != NO_FTERM)
            vec_push(&reader->out->cond, term);
    }
}

// If the chain comes back to a formula, the steps between are dropped.
static bool drop_circle(struct fsteps *steps, fterm now)
{
    if (now == steps->first) {
        steps->step.len = 0;
        return true;
    }
    for (uint32_t i = steps->step.len; i-- > 0;)
        if (steps->step.at[i].after == now) {
            steps->step.len = i + 1;
            return true;
        }
    return false;
}

// The operands of a chain of one operator, whatever its brackets.
static void operands(const struct fterms *terms, const char *op, fterm term, struct u32_vec *out)
{
    if (!fterm_is(terms, term, op, 2)) {
        vec_push(out, term);
        return;
    }
    operands(terms, op, fterm_args(terms, term)[0], out);
    operands(terms, op, fterm_args(terms, term)[1], out);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

// Does the line only put operands in another order, or brackets elsewhere?
static bool is_order(const struct step_reader *reader, const struct proof_line_read *line)
{
    const struct fterms *terms = reader->terms;
    const char *op = fterm_name(terms, line->a);
    struct u32_vec left = {0}, right = {0};
    if (line->kind == AC)
        return true;
    if (line->kind != RULE || line->n > 0 || !fterm_is(terms, line->a, op, 2) ||
        !fterm_is(terms, line->b, op, 2))
        return false;
    operands(terms, op, line->a, &left);
    operands(terms, op, line->b, &right);
    qsort(left.at, left.len, sizeof *left.at, by_number);
    qsort(right.at, right.len, sizeof *right.at, by_number);
    bool same = left.len == right.len && memcmp(left.at, right.at, left.len * sizeof *left.at) == 0;
    vec_release(&left);
    vec_release(&right);
    return same;
}

// Several such steps are one, at what their places have in common.
static bool joins_last(struct step_reader *reader)
{
    struct fsteps *steps = reader->out;
    struct fstep *last = steps->step.len > 0 ? &steps->step.at[steps->step.len - 1] : NULL;
    if (last == NULL || last->kind != FSTEP_ORDER)
        return false;
    uint32_t n = 0;
    while (n < last->n && n < reader->path.len &&
           steps->path.at[last->at + n] == reader->path.at[n])
        n++;
    last->n = n;
    last->after = reader->now;
    return true;
}

static void add_step(struct step_reader *reader, const struct proof_line_read *proof_line_read,
                     bool flip)
{
    static const enum fstep_kind kinds[] = {
        [RULE] = FSTEP_RULE, [CONG] = FSTEP_MANY,   [TRANS] = FSTEP_MANY,
        [FOLD] = FSTEP_FOLD, [GIVEN] = FSTEP_GIVEN, [AC] = FSTEP_ORDER,
    };
    struct fsteps *steps = reader->out;
    if (subterm(reader) != (flip ? proof_line_read->b : proof_line_read->a)) {
        fail(reader, "a line does not fit the place of its use");
        return;
    }
    reader->now = replaced(reader, reader->now, 0, flip ? proof_line_read->a : proof_line_read->b);
    if (drop_circle(steps, reader->now))
        return;
    bool order = is_order(reader, proof_line_read);
    if (order && joins_last(reader))
        return;
    struct fstep step = {.kind = order ? FSTEP_ORDER : kinds[proof_line_read->kind],
                         .after = reader->now,
                         .flip = flip,
                         .rule = "",
                         .at = steps->path.len,
                         .n = reader->path.len,
                         .cond_at = steps->cond.len};
    for (uint32_t i = 0; i < reader->path.len; i++)
        vec_push(&steps->path, reader->path.at[i]);
    step.number =
        step.kind == FSTEP_GIVEN ? proof_line_read->number : (uint32_t)proof_line_read->steps;
    if (step.kind == FSTEP_RULE) {
        step.rule = intern_text(&steps->names, proof_line_read->name);
        add_conditions(reader, proof_line_read);
    }
    step.cond_n = steps->cond.len - step.cond_at;
    vec_push(&steps->step, step);
}

// Adds all steps of a line, or as many as fit and the rest as one step.
static void expand(struct step_reader *reader, uint32_t i, bool flip, uint64_t limit,
                   uint32_t depth)
{
    const struct proof_line_read *proof_line_read = &reader->line.at[i];
    if (!reader->ok)
        return;
    bool parts = proof_line_read->kind == CONG || proof_line_read->kind == TRANS;
    if (!parts || depth > PROOF_STEPS_NESTING ||
        (proof_line_read->steps > limit && limit <= proof_line_read->n)) {
        add_step(reader, proof_line_read, flip);
        return;
    }
    uint64_t left = limit > proof_line_read->steps ? proof_line_read->steps : limit;
    for (uint32_t k = 0; k < proof_line_read->n; k++) {
        // Backwards, a chain is walked from its end.
        uint32_t at = proof_line_read->at +
                      (flip && proof_line_read->kind == TRANS ? proof_line_read->n - 1 - k : k);
        struct step_part part = reader->part.at[at];
        uint64_t want = reader->line.at[part.line].steps, others = proof_line_read->n - 1 - k;
        uint64_t can = left > others ? left - others : 1;
        uint64_t use = want < can ? want : can;
        if (proof_line_read->kind == CONG)
            vec_push(&reader->path, part.arg);
        expand(reader, part.line, part.flip != flip, use, depth + 1);
        if (proof_line_read->kind == CONG)
            reader->path.len--;
        left = left > use ? left - use : 0;
    }
}

bool fsteps_of(struct fsteps *steps, struct fterms *terms, const char *proof, fterm from,
               uint32_t limit, struct err *err)
{
    struct step_reader reader = {.terms = terms,
                                 .out = steps,
                                 .err = err,
                                 .at = proof,
                                 .now = from,
                                 .ok = true,
                                 .text_line = 1};
    memset(steps, 0, sizeof *steps);
    intern_init(&steps->names);
    steps->first = from;
    read_proof(&reader);
    reader.text_line = reader.ok ? 0 : reader.text_line;
    if (reader.ok && reader.line.len == 0)
        fail(&reader, "the proof has no lines");
    if (reader.ok) {
        const struct proof_line_read *last = &reader.line.at[reader.line.len - 1];
        if (last->a != from && last->b != from)
            fail(&reader, "the proof is about other terms");
        else
            expand(&reader, reader.line.len - 1, last->a != from, limit, 0);
    }
    vec_release(&reader.term);
    vec_release(&reader.line);
    vec_release(&reader.part);
    vec_release(&reader.path);
    return reader.ok;
}

void fsteps_release(struct fsteps *steps)
{
    vec_release(&steps->step);
    vec_release(&steps->path);
    vec_release(&steps->cond);
    intern_release(&steps->names);
}
