// SPDX-License-Identifier: Apache-2.0
// Shorter chains: a congruence within what the variables of a rule stand for
// goes past the use of the rule, to meet one that undoes it or goes on from it.
#include "egraph/why/core.h"

// Of a proof of so many steps at most, so often, with so many swaps and ways
// between terms tried.
enum { LONGEST = 32, ROUNDS = 4, SWAPS = 400, CUTS = 24 };

static const struct why_part none = {.line = CC_NONE};

struct use_swap {
    struct why *w;
    const struct plain_rule *q;
    const struct why_place *p;
    uint32_t from[PLAIN_MAX_VARS], to[PLAIN_MAX_VARS]; // CC_NONE: not bound
    struct why_part via[PLAIN_MAX_VARS];
    bool seen[2 * PLAIN_MAX_ATOMS]; // patterns of the sides
    bool there; // the side that the use leads to: only what is bound counts
};

static const uint32_t *shape(const struct use_swap *s, uint32_t v, uint32_t *op,
                             uint32_t *n)
{
    uint32_t i = s->p[v].place;
    const struct plain_build *b =
        i < s->q->n_atoms ? NULL : &s->q->build[i - s->q->n_atoms];
    *op = b == NULL ? s->q->atom[i].op : b->op;
    *n = b == NULL ? s->q->atom[i].n : b->n;
    return b == NULL ? s->q->atom[i].arg : b->arg;
}

static uint32_t arg_of(const struct why *w, uint32_t term, uint32_t k)
{
    return w->arg.at[w->term.at[term].at + k];
}

static bool is_cong(const struct why *w, struct why_part p)
{
    return p.line == CC_NONE || w->line.at[p.line].kind == WHY_CONG;
}

// What a part ends with, if that is a congruence.
static struct why_part last_cong(const struct why *w, struct why_part p)
{
    if (p.line != CC_NONE && w->line.at[p.line].kind == WHY_TRANS) {
        const struct why_line *l = &w->line.at[p.line];
        bool flip = p.flip;
        p = w->part.at[l->at + (flip ? 0 : l->n - 1)];
        p.flip ^= flip;
    }
    return is_cong(w, p) ? p : none;
}

// The part leads from term a to b, instances of what v stands for if nothing
// in between hinders; where the pattern itself is rewritten, b is meant twice.
static bool bind(struct use_swap *s, uint32_t v, uint32_t a, uint32_t b,
                 struct why_part part)
{
    struct why *w = s->w;
    if (!s->p[v].whole) {
        if (s->to[v] == CC_NONE) {
            s->from[v] = a;
            s->to[v] = b;
            s->via[v] = part;
        }
        return s->to[v] == b && (s->from[v] == a || s->there);
    }
    uint32_t op, n;
    const uint32_t *arg = shape(s, v, &op, &n);
    s->seen[s->p[v].place] = true;
    part = last_cong(w, part);
    a = part.line == CC_NONE ? b : why_from(w, part);
    if (w->term.at[a].op != op || w->term.at[b].op != op)
        return false;
    for (uint32_t k = 0; k < n; k++)
        if (!bind(s, arg[k], arg_of(w, a, k), arg_of(w, b, k),
                  part.line == CC_NONE ? none : why_of_arg(w, part, k)))
            return false;
    return true;
}

static uint32_t instance(const struct use_swap *s, uint32_t v)
{
    if (!s->p[v].whole)
        return s->from[v];
    uint32_t op, n, few[PLAIN_MAX_ARGS];
    const uint32_t *arg = shape(s, v, &op, &n);
    for (uint32_t k = 0; k < n; k++)
        few[k] = instance(s, arg[k]);
    return why_term(s->w, op, few);
}

// From a to the instance: what has to go first.
static struct why_part before(struct use_swap *s, uint32_t v, uint32_t a,
                              struct why_part part)
{
    struct why *w = s->w;
    if (!s->p[v].whole || part.line == CC_NONE)
        return none;
    struct why_part last = last_cong(w, part);
    if (last.line == CC_NONE)
        return part;
    if (last.line != part.line) {
        uint32_t c = w->chain.len;
        for (uint32_t n = w->line.at[part.line].n, i = 0; i + 1 < n; i++) {
            const struct why_line *l = &w->line.at[part.line];
            struct why_part q = w->part.at[l->at + (part.flip ? n - 1 - i : i)];
            q.flip ^= part.flip;
            why_append(w, c, a, q, 0);
        }
        why_append(w, c, a, before(s, v, why_from(w, last), last), 0);
        return why_chain(w, c, a);
    }
    uint32_t op, n, base = w->chain.len;
    const uint32_t *arg = shape(s, v, &op, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct why_part x =
            before(s, arg[k], arg_of(w, a, k), why_of_arg(w, part, k));
        x.arg = k;
        if (x.line != CC_NONE)
            vec_push(&w->chain, x);
    }
    return why_cong(w, a, instance(s, v), base);
}

// From the instance to b.
static struct why_part after(struct use_swap *s, uint32_t v, uint32_t b)
{
    struct why *w = s->w;
    if (!s->p[v].whole)
        return s->via[v];
    uint32_t op, n, base = w->chain.len;
    const uint32_t *arg = shape(s, v, &op, &n);
    for (uint32_t k = 0; k < n; k++) {
        struct why_part x = after(s, arg[k], arg_of(w, b, k));
        x.arg = k;
        if (x.line != CC_NONE)
            vec_push(&w->chain, x);
    }
    return why_cong(w, instance(s, v), b, base);
}

// Is a pattern in neither side?  It is a condition then.
static bool has_more(const struct use_swap *s)
{
    for (uint32_t i = 0; i < s->q->n_atoms + s->q->n_builds; i++)
        if (!s->seen[i] && (i >= s->q->n_atoms || s->q->atom[i].op != ATOM_ANY))
            return true;
    return s->q->n_guards > 0;
}

// The last two parts of the chain the other way round, if they can be.
static void swap_last(struct why *w, uint32_t base, uint32_t start)
{
    uint32_t n = w->chain.len;
    struct why_part rule = w->chain.at[n - 1], cong = w->chain.at[n - 2];
    const struct why_line *l = &w->line.at[rule.line];
    if (l->kind != WHY_RULE || w->line.at[cong.line].kind != WHY_CONG ||
        l->n > 0)
        return;
    uint32_t x = l->x;
    struct use_swap s = {.w = w,
                     .q = &w->rules->rule.at[x],
                     .p = w->place.at + w->place_at.at[x]};
    if (s.q->n_guards > 0 || s.q->base != NULL || w->swaps == 0)
        return;
    w->swaps--;
    for (uint32_t v = 0; v < s.q->n_vars; v++)
        s.from[v] = s.to[v] = CC_NONE;
    uint32_t here = rule.flip ? s.q->right : s.q->left;
    uint32_t there = rule.flip ? s.q->left : s.q->right;
    uint32_t a = why_from(w, cong), b = why_to(w, cong), c = why_to(w, rule);
    if (!s.p[here].whole || !bind(&s, here, a, b, cong))
        return;
    s.there = true;
    if (!bind(&s, there, c, c, none) || has_more(&s))
        return;
    struct why_part first = before(&s, here, a, cong);
    struct why_part last = after(&s, there, c);
    uint32_t from = instance(&s, here), to = instance(&s, there);
    if (from == b || from == to ||
        why_plus(why_steps(w, first), why_steps(w, last)) > why_steps(w, cong))
        return;
    struct why_part step = why_step(w, WHY_RULE, rule.flip ? to : from,
                                    rule.flip ? from : to, x, NULL, 0);
    step.flip ^= rule.flip;
    w->chain.len = n - 2;
    why_append(w, base, start, first, 0);
    why_append(w, base, start, step, 0);
    why_append(w, base, start, last, 0);
}

static uint64_t sum(const struct why *w, uint32_t base)
{
    uint64_t s = 0;
    for (uint32_t i = base; i < w->chain.len; i++)
        s = why_plus(s, why_steps(w, w->chain.at[i]));
    return s;
}

// Puts the parts at at[0 .. n] after the chain, swapped where that can be.
static void rebuild(struct why *w, uint32_t at, uint32_t n, uint32_t from,
                    bool back)
{
    uint32_t base = w->chain.len;
    for (uint32_t i = 0; i < n; i++) {
        struct why_part p = w->chain.at[at + (back ? n - 1 - i : i)];
        p.flip ^= back;
        uint32_t was = w->chain.len;
        why_append(w, base, from, p, 0);
        if (w->chain.len >= base + 2 && w->chain.len > was)
            swap_last(w, base, from);
    }
}

void why_swap(struct why *w, uint32_t base, uint32_t from)
{
    uint32_t n = w->chain.len - base, congs = 0, rules = 0;
    if (n < 3 || w->swaps == 0)
        return;
    for (uint32_t i = base; i < w->chain.len; i++) {
        const struct why_line *l = &w->line.at[w->chain.at[i].line];
        congs += l->kind == WHY_CONG;
        rules += l->kind == WHY_RULE && l->n == 0 &&
                 w->rules->rule.at[l->x].n_guards == 0;
    }
    if (congs == 0 || rules == 0)
        return;
    for (uint32_t back = 0; back < 2; back++) {
        uint64_t steps = sum(w, base);
        n = w->chain.len - base;
        uint32_t to = n == 0 ? from : why_to(w, vec_last(&w->chain));
        rebuild(w, base, n, back ? to : from, back);
        uint32_t m = w->chain.len - base - n;
        if (sum(w, base + n) < steps) {
            for (uint32_t i = 0; i < m; i++) {
                struct why_part p = w->chain.at[base + n + i];
                vec_push(&w->chain, p);
            }
            for (uint32_t i = 0; i < m; i++) {
                struct why_part p =
                    w->chain.at[base + n + m + (back ? m - 1 - i : i)];
                p.flip ^= back;
                w->chain.at[base + i] = p;
            }
            n = m;
        }
        w->chain.len = base + n;
    }
}

// Ways between the terms of a chain, looked for anew.
static void cut(struct why *w, uint32_t base, uint32_t from)
{
    for (uint32_t i = base; i + 1 < w->chain.len; i++) {
        uint32_t a = i == base ? from : why_to(w, w->chain.at[i - 1]);
        for (uint32_t j = i + 1; j < w->chain.len && j < i + 8; j++) {
            uint64_t sum = 0;
            for (uint32_t k = i; k <= j; k++)
                sum += why_steps(w, w->chain.at[k]);
            struct why_part x;
            struct err e = {0};
            if (sum < 3 || w->cuts == 0)
                continue;
            w->cuts--;
            if (!why_between(w, a, why_to(w, w->chain.at[j]), &x, &e) ||
                x.line == CC_NONE || why_steps(w, x) >= sum)
                continue;
            struct why_part tail[LONGEST];
            uint32_t n = w->chain.len - (j + 1);
            if (n > LONGEST)
                return;
            memcpy(tail, w->chain.at + j + 1, n * sizeof *tail);
            w->chain.len = i;
            why_append(w, base, from, x, 0);
            for (uint32_t k = 0; k < n; k++)
                why_append(w, base, from, tail[k], 0);
            j = i;
            if (i >= w->chain.len)
                return;
        }
    }
}

enum { DEEPEST = 64 }; // lines beneath each other

static struct why_part tidy(struct why *w, struct why_part p)
{
    enum why_kind kind = w->line.at[p.line].kind;
    if (kind != WHY_CONG && kind != WHY_TRANS)
        return p;
    uint32_t base = w->chain.len, n = w->line.at[p.line].n;
    uint32_t from = why_from(w, p), to = why_to(w, p);
    for (uint32_t i = 0; i < n; i++) {
        const struct why_line *l = &w->line.at[p.line];
        bool turn = p.flip && kind == WHY_TRANS;
        struct why_part q = w->part.at[l->at + (turn ? n - 1 - i : i)];
        uint32_t arg = q.arg;
        q.flip ^= p.flip;
        q = tidy(w, q);
        q.arg = arg;
        if (kind == WHY_TRANS)
            why_append(w, base, from, q, 0);
        else if (q.line != CC_NONE)
            vec_push(&w->chain, q);
    }
    if (kind == WHY_TRANS)
        cut(w, base, from);
    return kind == WHY_TRANS ? why_chain(w, base, from)
                             : why_cong(w, from, to, base);
}

// Few steps may lie beneath congruences as deep as terms are.
static bool is_deep(const struct why *w, uint32_t line, uint32_t left)
{
    const struct why_line *l = &w->line.at[line];
    if (l->kind != WHY_CONG && l->kind != WHY_TRANS)
        return false;
    bool deep = left == 0;
    for (uint32_t i = 0; i < l->n && !deep; i++)
        deep = is_deep(w, w->part.at[l->at + i].line, left - 1);
    return deep;
}

struct why_part why_tidy(struct why *w, struct why_part p)
{
    uint64_t steps = why_steps(w, p), was = steps + 1;
    if (steps > LONGEST || steps < 3 || is_deep(w, p.line, DEEPEST))
        return p;
    w->swaps = SWAPS;
    w->cuts = CUTS;
    for (uint32_t i = 0; i < ROUNDS && steps < was; i++) {
        struct why_part q = tidy(w, p);
        was = steps;
        steps = why_steps(w, q);
        if (steps < was)
            p = q;
    }
    w->swaps = 0;
    return p;
}
