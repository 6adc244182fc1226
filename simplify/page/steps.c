// SPDX-License-Identifier: Apache-2.0
#include "simplify/page/steps.h"

enum { MAX_NESTING = 5000 };

struct step_part {
    uint32_t line, arg;
    bool flip;
};
struct proof_line_read {
    enum { RULE, CONG, TRANS, FOLD, GIVEN, AC } kind;
    fterm a, b;
    uint32_t at, n;  // CONG, TRANS: part[at ..]; RULE: its conditions
    uint32_t name;   // RULE
    uint32_t number; // GIVEN
    uint64_t steps;  // uses when no line is shared; stops at UINT32_MAX
};
struct step_reader {
    struct fterms *t;
    struct fsteps *out;
    struct err *e;
    const char *at;
    uint32_t text_line;  // 0: all is read
    struct u32_vec term; // of the text: ours
    VEC(struct proof_line_read) line;
    VEC(struct step_part) part;
    fterm now; // the whole formula
    struct u32_vec path;
    bool ok;
};

static bool fail(struct step_reader *r, const char *what)
{
    if (r->ok && r->text_line > 0)
        err_set(r->e, ERR_INPUT, "proof, line %u: %s", r->text_line, what);
    else if (r->ok)
        err_set(r->e, ERR_INPUT, "proof: %s", what);
    r->ok = false;
    return false;
}

// Reading

static void blanks(struct step_reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool at_end(struct step_reader *r)
{
    blanks(r);
    return *r->at == 0 || *r->at == '\n';
}

static bool skip(struct step_reader *r, const char *s)
{
    size_t n = strlen(s);
    if (strncmp(r->at, s, n) != 0)
        return false;
    r->at += n;
    return true;
}

static uint32_t number(struct step_reader *r, uint32_t below)
{
    uint64_t x = 0;
    blanks(r);
    const char *from = r->at;
    for (; *r->at >= '0' && *r->at <= '9' && x <= UINT32_MAX; r->at++)
        x = x * 10 + (uint64_t)(*r->at - '0');
    if (r->at == from || x >= below) {
        fail(r, "expected a number of what stands before");
        return 0;
    }
    return (uint32_t)x;
}

static void read_term(struct step_reader *r)
{
    struct u32_vec args = {0};
    if (number(r, UINT32_MAX) != r->term.len)
        fail(r, "terms are to be numbered from 0");
    blanks(r);
    const char *name = r->at;
    uint32_t len = (uint32_t)strcspn(name, " \n");
    r->at += len;
    while (r->ok && !at_end(r)) {
        uint32_t k = number(r, r->term.len);
        if (r->ok)
            vec_push(&args, r->term.at[k]);
    }
    if (r->ok && len > 0)
        vec_push(&r->term, fterm_make_n(r->t, name, len, args.len, args.at));
    vec_release(&args);
}

static struct step_part read_part(struct step_reader *r)
{
    struct step_part p = {.flip = skip(r, "-")};
    p.line = number(r, r->line.len);
    return p;
}

static uint64_t steps_of(const struct step_reader *r, const struct proof_line_read *l)
{
    if (l->kind != CONG && l->kind != TRANS)
        return 1;
    uint64_t n = 0;
    for (uint32_t k = 0; k < l->n && n < UINT32_MAX; k++)
        n += r->line.at[r->part.at[l->at + k].line].steps;
    return n < UINT32_MAX ? n : UINT32_MAX;
}

static void read_rule(struct step_reader *r, struct proof_line_read *l)
{
    for (blanks(r); r->ok && !skip(r, "by "); blanks(r)) {
        if (skip(r, "and:=")) {
            number(r, r->term.len);
        } else if (skip(r, "and:") || skip(r, "if:")) {
            struct step_part p = read_part(r);
            if (r->ok)
                vec_push(&r->part, p);
        } else {
            fail(r, "malformed use of a rule");
        }
    }
    size_t n = strcspn(r->at, "\r\n");
    l->name = intern_bytes(&r->out->names, r->at, n);
    r->at += n;
}

static void read_line(struct step_reader *r, struct proof_line_read l)
{
    if (number(r, UINT32_MAX) != r->line.len)
        fail(r, "lines are to be numbered from 0");
    uint32_t a = number(r, r->term.len), b = number(r, r->term.len);
    if (!r->ok)
        return;
    l.a = r->term.at[a];
    l.b = r->term.at[b];
    l.at = r->part.len;
    if (l.kind == GIVEN)
        l.number = number(r, UINT32_MAX);
    if (l.kind == RULE)
        read_rule(r, &l);
    while (r->ok && (l.kind == CONG || l.kind == TRANS) && !at_end(r)) {
        uint32_t arg = l.kind == CONG ? number(r, fterm_n(r->t, l.a)) : 0;
        if (l.kind == CONG && !skip(r, ":"))
            fail(r, "malformed congruence");
        struct step_part p = read_part(r);
        p.arg = arg;
        if (r->ok)
            vec_push(&r->part, p);
    }
    l.n = r->part.len - l.at;
    l.steps = r->ok ? steps_of(r, &l) : 0;
    if (r->ok)
        vec_push(&r->line, l);
}

static void read_proof(struct step_reader *r)
{
    static const struct {
        const char *word;
        int kind;
    } kinds[] = {{"rule ", RULE}, {"cong ", CONG},   {"trans ", TRANS},
                 {"fold ", FOLD}, {"given ", GIVEN}, {"ac ", AC}};
    for (; r->ok && *r->at != 0; blanks(r)) {
        if (skip(r, "\n")) {
            r->text_line++;
            continue;
        }
        if (skip(r, "term ")) {
            read_term(r);
        } else {
            size_t k = 0, n = sizeof kinds / sizeof *kinds;
            while (k < n && !skip(r, kinds[k].word))
                k++;
            if (k == n)
                fail(r, "no such kind of line");
            else
                read_line(r, (struct proof_line_read){.kind = kinds[k].kind});
        }
        if (!at_end(r))
            fail(r, "unexpected text");
    }
}

// Writing

static fterm subterm(const struct step_reader *r)
{
    fterm x = r->now;
    for (uint32_t i = 0; i < r->path.len; i++)
        x = fterm_args(r->t, x)[r->path.at[i]];
    return x;
}

// The term x with y at the end of the path from its step `i` on.
static fterm replaced(struct step_reader *r, fterm x, uint32_t i, fterm y)
{
    if (i == r->path.len)
        return y;
    struct u32_vec args = {0};
    struct buf name = {0};
    uint32_t n = fterm_n(r->t, x);
    for (uint32_t k = 0; k < n; k++)
        vec_push(&args, fterm_args(r->t, x)[k]);
    args.at[r->path.at[i]] = replaced(r, args.at[r->path.at[i]], i + 1, y);
    buf_puts(&name, fterm_name(r->t, x));
    fterm z = fterm_make(r->t, buf_text(&name), n, args.at);
    buf_release(&name);
    vec_release(&args);
    return z;
}

static void add_conditions(struct step_reader *r, const struct proof_line_read *l)
{
    for (uint32_t k = 0; k < l->n; k++) {
        const struct proof_line_read *q = &r->line.at[r->part.at[l->at + k].line];
        fterm c = fterm_is(r->t, q->b, "true", 0)   ? q->a
                  : fterm_is(r->t, q->a, "true", 0) ? q->b
                                                    : NO_FTERM;
        if (c != NO_FTERM)
            vec_push(&r->out->cond, c);
    }
}

// A way that comes back to a formula begins there.
static bool drop_circle(struct fsteps *s, fterm now)
{
    if (now == s->first) {
        s->step.len = 0;
        return true;
    }
    for (uint32_t i = s->step.len; i-- > 0;)
        if (s->step.at[i].after == now) {
            s->step.len = i + 1;
            return true;
        }
    return false;
}

static void add_step(struct step_reader *r, const struct proof_line_read *l, bool flip)
{
    static const enum fstep_kind kinds[] = {
        [RULE] = FSTEP_RULE, [CONG] = FSTEP_MANY,   [TRANS] = FSTEP_MANY,
        [FOLD] = FSTEP_FOLD, [GIVEN] = FSTEP_GIVEN, [AC] = FSTEP_ORDER,
    };
    struct fsteps *s = r->out;
    if (subterm(r) != (flip ? l->b : l->a)) {
        fail(r, "a line does not fit where it is used");
        return;
    }
    r->now = replaced(r, r->now, 0, flip ? l->a : l->b);
    if (drop_circle(s, r->now))
        return;
    struct fstep x = {.kind = kinds[l->kind],
                      .after = r->now,
                      .flip = flip,
                      .rule = "",
                      .at = s->path.len,
                      .n = r->path.len,
                      .cond_at = s->cond.len};
    for (uint32_t i = 0; i < r->path.len; i++)
        vec_push(&s->path, r->path.at[i]);
    x.number = x.kind == FSTEP_GIVEN ? l->number : (uint32_t)l->steps;
    if (l->kind == RULE) {
        x.rule = intern_text(&s->names, l->name);
        add_conditions(r, l);
    }
    x.cond_n = s->cond.len - x.cond_at;
    vec_push(&s->step, x);
}

// All steps of a line, or as many as fit and the rest as one.
static void expand(struct step_reader *r, uint32_t i, bool flip, uint64_t limit,
                   uint32_t depth)
{
    const struct proof_line_read *l = &r->line.at[i];
    if (!r->ok)
        return;
    bool parts = l->kind == CONG || l->kind == TRANS;
    if (!parts || depth > MAX_NESTING || (l->steps > limit && limit <= l->n)) {
        add_step(r, l, flip);
        return;
    }
    uint64_t left = limit > l->steps ? l->steps : limit;
    for (uint32_t k = 0; k < l->n; k++) {
        // Backwards, a chain is walked from its end.
        uint32_t at = l->at + (flip && l->kind == TRANS ? l->n - 1 - k : k);
        struct step_part p = r->part.at[at];
        uint64_t want = r->line.at[p.line].steps, others = l->n - 1 - k;
        uint64_t can = left > others ? left - others : 1;
        uint64_t use = want < can ? want : can;
        if (l->kind == CONG)
            vec_push(&r->path, p.arg);
        expand(r, p.line, p.flip != flip, use, depth + 1);
        if (l->kind == CONG)
            r->path.len--;
        left = left > use ? left - use : 0;
    }
}

bool fsteps_of(struct fsteps *s, struct fterms *t, const char *proof,
               fterm from, uint32_t limit, struct err *e)
{
    struct step_reader r = {.t = t,
                       .out = s,
                       .e = e,
                       .at = proof,
                       .now = from,
                       .ok = true,
                       .text_line = 1};
    memset(s, 0, sizeof *s);
    intern_init(&s->names);
    s->first = from;
    read_proof(&r);
    r.text_line = r.ok ? 0 : r.text_line;
    if (r.ok && r.line.len == 0)
        fail(&r, "no lines");
    if (r.ok) {
        const struct proof_line_read *last = &r.line.at[r.line.len - 1];
        if (last->a != from && last->b != from)
            fail(&r, "it is about other terms");
        else
            expand(&r, r.line.len - 1, last->a != from, limit, 0);
    }
    vec_release(&r.term);
    vec_release(&r.line);
    vec_release(&r.part);
    vec_release(&r.path);
    return r.ok;
}

void fsteps_release(struct fsteps *s)
{
    vec_release(&s->step);
    vec_release(&s->path);
    vec_release(&s->cond);
    intern_release(&s->names);
}
