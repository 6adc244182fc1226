// SPDX-License-Identifier: Apache-2.0
// Terms and lines.
#include "base/hash.h"
#include "egraph/why/core.h"

enum { MERGE_DEPTH = 64, LOOK_BACK = 64 };

// Terms

static uint32_t arity(const struct why *w, uint32_t op)
{
    return w->g->op.at[op].arity;
}

static void clear_slots(struct u32_vec *slot, uint32_t n)
{
    vec_release(slot);
    vec_reserve(slot, n);
    memset(slot->at, 0, n * sizeof *slot->at);
    slot->len = n;
}

static uint32_t *term_slot(struct why *w, uint32_t op, const uint32_t *args)
{
    uint32_t n = arity(w, op), mask = w->term_slot.len - 1;
    uint64_t h = hash_u64(op, n);
    for (uint32_t k = 0; k < n; k++)
        h = hash_u64(args[k], h);
    for (uint32_t i = (uint32_t)h & mask;; i = (i + 1) & mask) {
        uint32_t t = w->term_slot.at[i];
        if (t == 0)
            return &w->term_slot.at[i];
        const struct why_term *x = &w->term.at[t - 1];
        if (x->op == op &&
            (n == 0 || memcmp(w->arg.at + x->at, args, n * sizeof *args) == 0))
            return &w->term_slot.at[i];
    }
}

uint32_t why_term(struct why *w, uint32_t op, const uint32_t *args)
{
    if (2 * (w->term.len + 1) > w->term_slot.len) {
        clear_slots(&w->term_slot,
                    w->term_slot.len == 0 ? 128 : 2 * w->term_slot.len);
        for (uint32_t i = 0; i < w->term.len; i++)
            *term_slot(w, w->term.at[i].op, w->arg.at + w->term.at[i].at) =
                i + 1;
    }
    uint32_t *slot = term_slot(w, op, args);
    if (*slot == 0) {
        struct why_term t = {.op = op,
                             .at = w->arg.len,
                             .near = CC_NONE,
                             .via = {.line = CC_NONE}};
        for (uint32_t k = 0; k < arity(w, op); k++)
            vec_push(&w->arg, args[k]);
        vec_push(&w->term, t);
        *slot = w->term.len;
    }
    return *slot - 1;
}

uint32_t why_term_of(struct why *w, uint32_t node)
{
    uint32_t old = w->term_of.len, base = w->waiting.len;
    if (old < w->n_nodes) {
        vec_reserve(&w->term_of, w->n_nodes);
        memset(w->term_of.at + old, 0, (w->n_nodes - old) * sizeof(uint32_t));
        w->term_of.len = w->n_nodes;
    }
    if (w->term_of.at[node] != 0)
        return w->term_of.at[node] - 1;
    vec_push(&w->waiting, node);
    while (w->waiting.len > base) {
        uint32_t x = vec_last(&w->waiting), n = cc_arity(w->g, x);
        uint32_t wait = w->waiting.len;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t kid = why_kid(w, x, k);
            if (w->term_of.at[kid] == 0)
                vec_push(&w->waiting, kid);
        }
        if (w->waiting.len > wait)
            continue;
        for (uint32_t k = 0; k < n; k++)
            vec_push(&w->chain_arg, w->term_of.at[why_kid(w, x, k)] - 1);
        uint32_t t = why_term(w, w->g->node.at[x].op & CC_OP,
                              w->chain_arg.at + w->chain_arg.len - n);
        w->chain_arg.len -= n;
        // One that why_explain was asked about may have its node by now: others
        // rest on that.
        if (w->term.at[t].near == CC_NONE)
            w->term.at[t].near = x;
        w->term_of.at[x] = t + 1;
        w->waiting.len--;
    }
    return w->term_of.at[node] - 1;
}

// Lines

static uint32_t *line_slot(struct why *w, uint32_t a, uint32_t b)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    uint32_t mask = w->line_slot.len - 1;
    uint32_t i = (uint32_t)hash_u64((uint64_t)lo << 32 | hi, 2) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t l = w->line_slot.at[i];
        if (l == 0)
            return &w->line_slot.at[i];
        const struct why_line *x = &w->line.at[l - 1];
        if ((x->a == a && x->b == b) || (x->a == b && x->b == a))
            return &w->line_slot.at[i];
    }
}

// The line, or one that proves the same in no more steps.
static struct why_part line_new(struct why *w, struct why_line x,
                                const struct why_part *part)
{
    if (2 * (w->line.len + 1) > w->line_slot.len) {
        clear_slots(&w->line_slot,
                    w->line_slot.len == 0 ? 128 : 2 * w->line_slot.len);
        for (uint32_t i = 0; i < w->line.len; i++)
            *line_slot(w, w->line.at[i].a, w->line.at[i].b) = i + 1;
    }
    uint32_t *slot = line_slot(w, x.a, x.b);
    if (*slot == 0 || w->line.at[*slot - 1].steps > x.steps) {
        uint32_t at = w->part.len;
        vec_reserve(&w->part, at + x.n);
        for (uint32_t i = 0; i < x.n; i++)
            w->part.at[at + i] = part[i];
        w->part.len = at + x.n;
        x.at = at;
        vec_push(&w->line, x);
        *slot = w->line.len;
    }
    return (struct why_part){.line = *slot - 1,
                             .flip = w->line.at[*slot - 1].a != x.a};
}

struct why_part why_shortest(struct why *w, struct why_part p)
{
    uint32_t a = w->line.at[p.line].a, b = w->line.at[p.line].b;
    p.line = *line_slot(w, a, b) - 1;
    p.flip ^= w->line.at[p.line].a != a;
    return p;
}

static const struct why_part none = {.line = CC_NONE};

struct why_part why_step(struct why *w, enum why_kind kind, uint32_t a,
                         uint32_t b, uint32_t x, const struct why_part *part,
                         uint32_t n)
{
    if (a == b)
        return none;
    struct why_line l = {
        .kind = kind, .a = a, .b = b, .x = x, .n = n, .steps = 1};
    return line_new(w, l, part);
}

uint64_t why_steps(const struct why *w, struct why_part p)
{
    return p.line == CC_NONE ? 0 : w->line.at[p.line].steps;
}

// A line of the parts on the chain from `base` on; takes them off.
static struct why_part line_of(struct why *w, enum why_kind kind, uint32_t a,
                               uint32_t b, uint32_t base)
{
    struct why_line l = {
        .kind = kind, .a = a, .b = b, .n = w->chain.len - base};
    for (uint32_t i = base; i < w->chain.len; i++)
        l.steps = why_plus(l.steps, why_steps(w, w->chain.at[i]));
    struct why_part p =
        l.n == 0 || a == b ? none : line_new(w, l, w->chain.at + base);
    w->chain.len = base;
    return p;
}

struct why_part why_cong(struct why *w, uint32_t a, uint32_t b, uint32_t base)
{
    return line_of(w, WHY_CONG, a, b, base);
}

struct why_part why_chain(struct why *w, uint32_t base, uint32_t from)
{
    why_swap(w, base, from);
    uint32_t n = w->chain.len - base;
    if (n == 1) {
        w->chain.len = base;
        return w->chain.at[base];
    }
    uint32_t to = n == 0 ? from : why_to(w, vec_last(&w->chain));
    return line_of(w, WHY_TRANS, from, to, base);
}

static bool is_cong(const struct why *w, struct why_part p)
{
    return w->line.at[p.line].kind == WHY_CONG;
}

// What a congruence says of an argument.
struct why_part why_of_arg(const struct why *w, struct why_part p, uint32_t k)
{
    const struct why_line *l = &w->line.at[p.line];
    for (uint32_t i = 0; i < l->n; i++) {
        struct why_part q = w->part.at[l->at + i];
        if (q.arg == k) {
            q.flip ^= p.flip;
            return q;
        }
    }
    return none;
}

// Two congruences in a row are one.
static struct why_part merged(struct why *w, struct why_part p,
                              struct why_part q, uint32_t depth)
{
    uint32_t a = why_from(w, p), b = why_to(w, q), base = w->chain.len;
    uint32_t n = arity(w, w->term.at[a].op);
    for (uint32_t k = 0; k < n && a != b; k++) {
        uint32_t from = w->arg.at[w->term.at[a].at + k], c = w->chain.len;
        why_append(w, c, from, why_of_arg(w, p, k), depth + 1);
        why_append(w, c, from, why_of_arg(w, q, k), depth + 1);
        struct why_part r = why_chain(w, c, from);
        r.arg = k;
        if (r.line != CC_NONE)
            vec_push(&w->chain, r);
    }
    return why_cong(w, a, b, base);
}

void why_append(struct why *w, uint32_t base, uint32_t from, struct why_part p,
                uint32_t depth)
{
    if (p.line == CC_NONE)
        return;
    if (w->line.at[p.line].kind == WHY_TRANS) {
        for (uint32_t n = w->line.at[p.line].n, i = 0; i < n; i++) {
            const struct why_line *l = &w->line.at[p.line];
            struct why_part q = w->part.at[l->at + (p.flip ? n - 1 - i : i)];
            q.flip ^= p.flip;
            why_append(w, base, from, q, depth);
        }
        return;
    }
    if (w->chain.len > base && depth < MERGE_DEPTH && is_cong(w, p) &&
        is_cong(w, vec_last(&w->chain))) {
        struct why_part q = vec_pop(&w->chain);
        why_append(w, base, from, merged(w, q, p, depth), depth);
        return;
    }
    // A way that comes back to a term begins there.
    uint32_t to = why_to(w, p);
    if (to == from) {
        w->chain.len = base;
        return;
    }
    for (uint32_t i = w->chain.len, n = 0; i > base && n < LOOK_BACK; n++)
        if (why_to(w, w->chain.at[--i]) == to) {
            w->chain.len = i + 1;
            return;
        }
    p.arg = 0;
    vec_push(&w->chain, p);
}

// Explaining

static bool prove(struct why *w, uint32_t x, uint32_t y, struct err *e)
{
    if (x == y)
        return true;
    uint32_t pair = why_pair(w, x, y);
    return why_need(w, pair, e) && why_shorten(w, pair, e) &&
           why_write(w, pair, e);
}

// A node that has the term up to equality; lines for how.
static bool locate(struct why *w, uint32_t t, struct err *e)
{
    uint32_t n = arity(w, w->term.at[t].op), op = w->term.at[t].op;
    const uint32_t at = w->term.at[t].at;
    uint32_t base = w->chain_arg.len;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&w->chain_arg,
                 cc_class(w->g, w->term.at[w->arg.at[at + k]].near));
    uint32_t node = cc_lookup(w->g, op, w->chain_arg.at + base);
    w->chain_arg.len = base;
    if (node == CC_NONE)
        return err_set(e, ERR_CHECK, "the graph has no equal of a term");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t x = w->term.at[w->arg.at[at + k]].near;
        uint32_t y = why_kid(w, node, k);
        if (!prove(w, x, y, e))
            return false;
    }
    uint32_t own = why_term_of(w, node), parts = w->chain.len;
    for (uint32_t k = 0; k < n && own != t; k++) {
        uint32_t arg = w->arg.at[at + k], c = w->chain.len;
        uint32_t y = why_kid(w, node, k);
        why_append(w, c, arg, w->term.at[arg].via, 0);
        why_append(w, c, arg, why_nodes(w, w->term.at[arg].near, y), 0);
        struct why_part p = why_chain(w, c, arg);
        p.arg = k;
        if (p.line != CC_NONE)
            vec_push(&w->chain, p);
    }
    struct why_part via = why_cong(w, t, own, parts);
    w->term.at[t].via = via;
    w->term.at[t].near = node;
    return true;
}

static bool locate_all(struct why *w, uint32_t t, struct err *e)
{
    uint32_t base = w->waiting.len;
    vec_push(&w->waiting, t);
    while (w->waiting.len > base) {
        uint32_t x = vec_last(&w->waiting), wait = w->waiting.len;
        const struct why_term *y = &w->term.at[x];
        for (uint32_t k = 0; y->near == CC_NONE && k < arity(w, y->op); k++)
            if (w->term.at[w->arg.at[y->at + k]].near == CC_NONE)
                vec_push(&w->waiting, w->arg.at[y->at + k]);
        if (w->waiting.len > wait)
            continue;
        w->waiting.len--;
        if (y->near == CC_NONE && !locate(w, x, e)) {
            w->waiting.len = base;
            return false;
        }
    }
    return true;
}

bool why_between(struct why *w, uint32_t a, uint32_t b, struct why_part *line,
                 struct err *e)
{
    if (!locate_all(w, a, e) || !locate_all(w, b, e))
        return false;
    uint32_t x = w->term.at[a].near, y = w->term.at[b].near;
    if (!prove(w, x, y, e))
        return false;
    uint32_t base = w->chain.len;
    struct why_part back = w->term.at[b].via;
    back.flip = !back.flip;
    why_append(w, base, a, w->term.at[a].via, 0);
    why_append(w, base, a, why_nodes(w, x, y), 0);
    why_append(w, base, a, back, 0);
    *line = why_chain(w, base, a);
    return true;
}

bool why_explain(struct why *w, uint32_t a, uint32_t b, struct why_part *line,
                 struct err *e)
{
    if (!why_between(w, a, b, line, e))
        return false;
    if (line->line != CC_NONE)
        *line = why_tidy(w, *line);
    return true;
}
