// SPDX-License-Identifier: Apache-2.0
// Terms and lines.
#include "base/hash.h"
#include "egraph/why/core.h"

// Terms

static uint32_t arity(const struct why *why, uint32_t op)
{
    return why->graph->op.at[op].arity;
}

static void clear_slots(struct u32_vec *slot, uint32_t n)
{
    vec_release(slot);
    vec_reserve(slot, n);
    memset(slot->at, 0, n * sizeof *slot->at);
    slot->len = n;
}

// Own tables: asked for every term and every line of an explanation, of which
// there are millions before the shortest is chosen.
static uint32_t *term_slot(struct why *why, uint32_t op, const uint32_t *args)
{
    uint32_t n = arity(why, op), mask = why->term_slot.len - 1;
    uint64_t h = hash_u64(op, n);
    for (uint32_t k = 0; k < n; k++)
        h = hash_u64(args[k], h);
    for (uint32_t i = (uint32_t)h & mask;; i = (i + 1) & mask) {
        uint32_t t = why->term_slot.at[i];
        if (t == 0)
            return &why->term_slot.at[i];
        const struct why_term *term = &why->term.at[t - 1];
        if (term->op == op &&
            (n == 0 || memcmp(why->arg.at + term->at, args, n * sizeof *args) == 0))
            return &why->term_slot.at[i];
    }
}

uint32_t why_term(struct why *why, uint32_t op, const uint32_t *args)
{
    if (2 * (why->term.len + 1) > why->term_slot.len) {
        clear_slots(&why->term_slot, why->term_slot.len == 0 ? 128 : 2 * why->term_slot.len);
        for (uint32_t i = 0; i < why->term.len; i++)
            *term_slot(why, why->term.at[i].op, why->arg.at + why->term.at[i].at) = i + 1;
    }
    uint32_t *slot = term_slot(why, op, args);
    if (*slot == 0) {
        struct why_term term = {
            .op = op, .at = why->arg.len, .near = CC_NONE, .via = {.line = CC_NONE}};
        for (uint32_t k = 0; k < arity(why, op); k++)
            vec_push(&why->arg, args[k]);
        vec_push(&why->term, term);
        *slot = why->term.len;
    }
    return *slot - 1;
}

uint32_t why_term_of(struct why *why, uint32_t node)
{
    uint32_t old = why->term_of.len, base = why->waiting.len;
    if (old < why->n_nodes) {
        vec_reserve(&why->term_of, why->n_nodes);
        memset(why->term_of.at + old, 0, (why->n_nodes - old) * sizeof(uint32_t));
        why->term_of.len = why->n_nodes;
    }
    if (why->term_of.at[node] != 0)
        return why->term_of.at[node] - 1;
    vec_push(&why->waiting, node);
    while (why->waiting.len > base) {
        uint32_t x = vec_last(&why->waiting), n = cc_arity(why->graph, x);
        uint32_t wait = why->waiting.len;
        for (uint32_t k = 0; k < n; k++) {
            uint32_t kid = why_kid(why, x, k);
            if (why->term_of.at[kid] == 0)
                vec_push(&why->waiting, kid);
        }
        if (why->waiting.len > wait)
            continue;
        for (uint32_t k = 0; k < n; k++)
            vec_push(&why->chain_arg, why->term_of.at[why_kid(why, x, k)] - 1);
        uint32_t t = why_term(why, why->graph->node.at[x].op & CC_OP,
                              why->chain_arg.at + why->chain_arg.len - n);
        why->chain_arg.len -= n;
        // One that why_explain was asked about may have its node by now: others
        // rest on that.
        if (why->term.at[t].near == CC_NONE)
            why->term.at[t].near = x;
        why->term_of.at[x] = t + 1;
        why->waiting.len--;
    }
    return why->term_of.at[node] - 1;
}

// Lines

static uint32_t *line_slot(struct why *why, uint32_t a, uint32_t b)
{
    uint32_t lo = a < b ? a : b, hi = a < b ? b : a;
    uint32_t mask = why->line_slot.len - 1;
    uint32_t i = (uint32_t)hash_u64((uint64_t)lo << 32 | hi, 2) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t l = why->line_slot.at[i];
        if (l == 0)
            return &why->line_slot.at[i];
        const struct why_line *line = &why->line.at[l - 1];
        if ((line->a == a && line->b == b) || (line->a == b && line->b == a))
            return &why->line_slot.at[i];
    }
}

// The line, or one that proves the same in no more steps.
static struct why_part line_new(struct why *why, struct why_line line, const struct why_part *part)
{
    if (2 * (why->line.len + 1) > why->line_slot.len) {
        clear_slots(&why->line_slot, why->line_slot.len == 0 ? 128 : 2 * why->line_slot.len);
        for (uint32_t i = 0; i < why->line.len; i++)
            *line_slot(why, why->line.at[i].a, why->line.at[i].b) = i + 1;
    }
    uint32_t *slot = line_slot(why, line.a, line.b);
    if (*slot == 0 || why->line.at[*slot - 1].steps > line.steps) {
        uint32_t at = why->part.len;
        vec_reserve(&why->part, at + line.n);
        for (uint32_t i = 0; i < line.n; i++)
            why->part.at[at + i] = part[i];
        why->part.len = at + line.n;
        line.at = at;
        vec_push(&why->line, line);
        *slot = why->line.len;
    }
    return (struct why_part){.line = *slot - 1, .flip = why->line.at[*slot - 1].a != line.a};
}

struct why_part why_shortest(struct why *why, struct why_part part)
{
    uint32_t a = why->line.at[part.line].a, b = why->line.at[part.line].b;
    part.line = *line_slot(why, a, b) - 1;
    part.flip ^= why->line.at[part.line].a != a;
    return part;
}

static const struct why_part none = {.line = CC_NONE};

struct why_part why_step(struct why *why, struct why_line line, const struct why_part *part)
{
    if (line.a == line.b)
        return none;
    line.steps = 1;
    return line_new(why, line, part);
}

uint64_t why_steps(const struct why *why, struct why_part part)
{
    return part.line == CC_NONE ? 0 : why->line.at[part.line].steps;
}

// A line of the parts on the chain from `base` on; takes them off.
static struct why_part line_of(struct why *why, enum why_kind kind, uint32_t a, uint32_t b,
                               uint32_t base)
{
    struct why_line line = {.kind = kind, .a = a, .b = b, .n = why->chain.len - base};
    for (uint32_t i = base; i < why->chain.len; i++)
        line.steps = why_plus(line.steps, why_steps(why, why->chain.at[i]));
    struct why_part part = line.n == 0 || a == b ? none : line_new(why, line, why->chain.at + base);
    why->chain.len = base;
    return part;
}

struct why_part why_cong(struct why *why, uint32_t a, uint32_t b, uint32_t base)
{
    return line_of(why, WHY_CONG, a, b, base);
}

struct why_part why_chain(struct why *why, uint32_t base, uint32_t from)
{
    why_swap(why, base, from);
    uint32_t n = why->chain.len - base;
    if (n == 1) {
        why->chain.len = base;
        return why->chain.at[base];
    }
    uint32_t to = n == 0 ? from : why_to(why, vec_last(&why->chain));
    return line_of(why, WHY_TRANS, from, to, base);
}

static bool is_cong(const struct why *why, struct why_part part)
{
    return why->line.at[part.line].kind == WHY_CONG;
}

// The equality of argument k in a congruence.
struct why_part why_of_arg(const struct why *why, struct why_part part, uint32_t k)
{
    const struct why_line *line = &why->line.at[part.line];
    for (uint32_t i = 0; i < line->n; i++) {
        struct why_part q = why->part.at[line->at + i];
        if (q.arg == k) {
            q.flip ^= part.flip;
            return q;
        }
    }
    return none;
}

// Two congruences in a row are one.
static struct why_part merged(struct why *why, struct why_part first, struct why_part second,
                              uint32_t depth)
{
    uint32_t a = why_from(why, first), b = why_to(why, second), base = why->chain.len;
    uint32_t n = arity(why, why->term.at[a].op);
    for (uint32_t k = 0; k < n && a != b; k++) {
        uint32_t from = why->arg.at[why->term.at[a].at + k], c = why->chain.len;
        why_append(why, c, from, why_of_arg(why, first, k), depth + 1);
        why_append(why, c, from, why_of_arg(why, second, k), depth + 1);
        struct why_part part = why_chain(why, c, from);
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
    }
    return why_cong(why, a, b, base);
}

void why_append(struct why *why, uint32_t base, uint32_t from, struct why_part part, uint32_t depth)
{
    if (part.line == CC_NONE)
        return;
    if (why->line.at[part.line].kind == WHY_TRANS) {
        for (uint32_t n = why->line.at[part.line].n, i = 0; i < n; i++) {
            const struct why_line *line = &why->line.at[part.line];
            struct why_part q = why->part.at[line->at + (part.flip ? n - 1 - i : i)];
            q.flip ^= part.flip;
            why_append(why, base, from, q, depth);
        }
        return;
    }
    if (why->chain.len > base && depth < EGRAPH_WHY_MERGE_DEPTH && is_cong(why, part) &&
        is_cong(why, vec_last(&why->chain))) {
        struct why_part q = vec_pop(&why->chain);
        why_append(why, base, from, merged(why, q, part, depth), depth);
        return;
    }
    // A way that comes back to a term begins there.
    uint32_t to = why_to(why, part);
    if (to == from) {
        why->chain.len = base;
        return;
    }
    for (uint32_t i = why->chain.len, n = 0; i > base && n < EGRAPH_WHY_LOOK_BACK; n++)
        if (why_to(why, why->chain.at[--i]) == to) {
            why->chain.len = i + 1;
            return;
        }
    part.arg = 0;
    vec_push(&why->chain, part);
}

// Explaining

static bool prove(struct why *why, uint32_t x, uint32_t y, struct err *err)
{
    if (x == y)
        return true;
    uint32_t pair = why_pair(why, x, y);
    return why_need(why, pair, err) && why_shorten(why, pair, err) && why_write(why, pair, err);
}

// A node that has the term up to equality; lines for how.
static bool locate(struct why *why, uint32_t t, struct err *err)
{
    uint32_t n = arity(why, why->term.at[t].op), op = why->term.at[t].op;
    const uint32_t at = why->term.at[t].at;
    uint32_t base = why->chain_arg.len;
    for (uint32_t k = 0; k < n; k++)
        vec_push(&why->chain_arg, cc_class(why->graph, why->term.at[why->arg.at[at + k]].near));
    uint32_t node = cc_lookup(why->graph, op, why->chain_arg.at + base);
    why->chain_arg.len = base;
    if (node == CC_NONE)
        return err_set(err, ERR_CHECK, "no term of the graph is equal to the term");
    for (uint32_t k = 0; k < n; k++) {
        uint32_t x = why->term.at[why->arg.at[at + k]].near;
        uint32_t y = why_kid(why, node, k);
        if (!prove(why, x, y, err))
            return false;
    }
    uint32_t own = why_term_of(why, node), parts = why->chain.len;
    for (uint32_t k = 0; k < n && own != t; k++) {
        uint32_t arg = why->arg.at[at + k], c = why->chain.len;
        uint32_t y = why_kid(why, node, k);
        why_append(why, c, arg, why->term.at[arg].via, 0);
        why_append(why, c, arg, why_nodes(why, why->term.at[arg].near, y), 0);
        struct why_part part = why_chain(why, c, arg);
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
    }
    struct why_part via = why_cong(why, t, own, parts);
    why->term.at[t].via = via;
    why->term.at[t].near = node;
    return true;
}

static bool locate_all(struct why *why, uint32_t t, struct err *err)
{
    uint32_t base = why->waiting.len;
    vec_push(&why->waiting, t);
    while (why->waiting.len > base) {
        uint32_t x = vec_last(&why->waiting), wait = why->waiting.len;
        const struct why_term *term = &why->term.at[x];
        for (uint32_t k = 0; term->near == CC_NONE && k < arity(why, term->op); k++)
            if (why->term.at[why->arg.at[term->at + k]].near == CC_NONE)
                vec_push(&why->waiting, why->arg.at[term->at + k]);
        if (why->waiting.len > wait)
            continue;
        why->waiting.len--;
        if (term->near == CC_NONE && !locate(why, x, err)) {
            why->waiting.len = base;
            return false;
        }
    }
    return true;
}

bool why_between(struct why *why, uint32_t a, uint32_t b, struct why_part *line, struct err *err)
{
    if (!locate_all(why, a, err) || !locate_all(why, b, err))
        return false;
    uint32_t x = why->term.at[a].near, y = why->term.at[b].near;
    if (!prove(why, x, y, err))
        return false;
    uint32_t base = why->chain.len;
    struct why_part back = why->term.at[b].via;
    back.flip = !back.flip;
    why_append(why, base, a, why->term.at[a].via, 0);
    why_append(why, base, a, why_nodes(why, x, y), 0);
    why_append(why, base, a, back, 0);
    *line = why_chain(why, base, a);
    return true;
}

bool why_explain(struct why *why, uint32_t a, uint32_t b, struct why_part *line, struct err *err)
{
    if (!why_between(why, a, b, line, err))
        return false;
    if (line->line != CC_NONE)
        *line = why_tidy(why, *line);
    return true;
}
