// SPDX-License-Identifier: Apache-2.0
// From entries to lines.
#include "egraph/why/core.h"

static const struct why_part none = {.line = CC_NONE};

struct why_part why_nodes(struct why *w, uint32_t x, uint32_t y)
{
    if (x == y)
        return none;
    struct why_part p = w->pair.at[why_pair(w, x, y)].line;
    p.flip ^= x > y;
    return p;
}

// A node of a pattern: of the left side, or what was built of the right.
struct pattern_shape {
    uint32_t node, op, n;
    const uint32_t *arg;
};

static struct pattern_shape shape_of(const struct why_use *u, uint32_t i)
{
    const struct plain_rule *q = u->q;
    if (i < q->n_atoms)
        return (struct pattern_shape){u->list[i], q->atom[i].op, q->atom[i].n,
                              q->atom[i].arg};
    const struct plain_build *b = &q->build[i - q->n_atoms];
    return (struct pattern_shape){u->list[i], b->op, b->n, b->arg};
}

// What a variable, or a node of a pattern, stands for.  A pattern has at most
// PLAIN_MAX_ATOMS nodes, so this is not deep.
static uint32_t instance(struct why *w, struct why_use *u, uint32_t v);

static uint32_t instance_at(struct why *w, struct why_use *u, uint32_t i)
{
    struct pattern_shape s = shape_of(u, i);
    uint32_t base = w->chain_arg.len;
    for (uint32_t k = 0; k < s.n; k++) {
        uint32_t t = instance(w, u, s.arg[k]);
        vec_push(&w->chain_arg, t);
    }
    uint32_t t = why_term(w, s.op, w->chain_arg.at + base);
    w->chain_arg.len = base;
    return t;
}

static uint32_t instance(struct why *w, struct why_use *u, uint32_t v)
{
    if (u->term[v] == CC_NONE)
        u->term[v] = u->atom[v] == 0 ? why_term_of(w, u->node[v])
                                     : instance_at(w, u, u->atom[v] - 1);
    return u->term[v];
}

// From the term of a node to the instance that it matched, or was built for.
static struct why_part to_instance(struct why *w, struct why_use *u, uint32_t i)
{
    struct pattern_shape s = shape_of(u, i);
    uint32_t base = w->chain.len;
    for (uint32_t k = 0; k < s.n; k++) {
        uint32_t v = s.arg[k], kid = why_kid(w, s.node, k);
        uint32_t from = why_term_of(w, kid), c = w->chain.len;
        why_append(w, c, from, why_nodes(w, kid, u->node[v]), 0);
        if (u->atom[v] != 0)
            why_append(w, c, from, to_instance(w, u, u->atom[v] - 1), 0);
        struct why_part p = why_chain(w, c, from);
        p.arg = k;
        if (p.line != CC_NONE)
            vec_push(&w->chain, p);
    }
    if (w->chain.len == base) // it is that very term
        return none;
    uint32_t v = i < u->q->n_atoms ? u->q->atom[i].cls
                                   : u->q->build[i - u->q->n_atoms].out;
    uint32_t to =
        u->atom[v] == i + 1 ? instance(w, u, v) : instance_at(w, u, i);
    return why_cong(w, why_term_of(w, s.node), to, base);
}

static struct why_part reversed(struct why_part p)
{
    p.flip = !p.flip;
    return p;
}

// A use, and the same of the rule as it was read: of the same classes.
struct use_reading {
    struct why_use *use, *read;
};

// From what the variable stands for to the term of its node.
static void to_node(struct why *w, struct use_reading x, uint32_t v, uint32_t base,
                    uint32_t from)
{
    struct why_use *u = x.use;
    uint32_t now = instance(w, u, v);
    why_append(w, base, from, why_step(w, WHY_AC, from, now, 0, NULL, 0), 0);
    if (u->atom[v] != 0)
        why_append(w, base, from, reversed(to_instance(w, u, u->atom[v] - 1)),
                   0);
}

// Is the atom a pattern of the left side by itself, and not the one whose class
// the rule is about?
static bool stands_alone(const struct plain_rule *q, uint32_t atom)
{
    uint32_t v = q->atom[atom].cls;
    if (atom >= q->n_main || v == q->left)
        return false;
    for (uint32_t i = 0; i < q->n_main; i++)
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            if (q->atom[i].arg[k] == v)
                return false;
    return true;
}

// That what atom i matched is in the class of its variable.
static void pattern(struct why *w, struct use_reading x, uint32_t i)
{
    struct why_use *u = x.use;
    uint32_t v = u->q->atom[i].cls, c = w->chain.len;
    if (u->q->atom[i].op == ATOM_ANY)
        return;
    struct why_part p = none;
    if (u->atom[v] != i + 1) {
        uint32_t from = instance(w, x.read, v);
        to_node(w, x, v, c, from);
        why_append(w, c, from, why_nodes(w, u->node[v], u->list[i]), 0);
        why_append(w, c, from, to_instance(w, u, i), 0);
        uint32_t now = instance_at(w, u, i), to = instance_at(w, x.read, i);
        why_append(w, c, from, why_step(w, WHY_AC, now, to, 0, NULL, 0), 0);
        p = why_chain(w, c, from);
        p.arg = WHY_PATTERN + i;
    }
    if (p.line == CC_NONE && stands_alone(u->q, i))
        p = (struct why_part){.line = instance_at(w, x.read, i),
                              .arg = WHY_TERM + i};
    if (p.line != CC_NONE)
        vec_push(&w->chain, p);
}

// Conditions of the use: patterns that share a class, and guards.
static void conditions(struct why *w, uint32_t entry, struct use_reading x)
{
    struct why_use *u = x.use;
    const struct plain_rule *q = u->q;
    for (uint32_t i = 0; i < q->n_atoms; i++)
        pattern(w, x, i);
    for (uint32_t i = 0; i < q->n_guards; i++) {
        const struct plain_guard *y = &q->guard[i];
        uint32_t node[sizeof y->arg / sizeof *y->arg], witness;
        for (uint32_t k = 0; k < y->n; k++)
            node[k] = u->node[y->arg[k]];
        for (uint32_t k = 0; k < y->n; k++) {
            uint32_t c = w->chain.len;
            if (!why_guard(w, entry, y, k, node, &witness))
                continue;
            uint32_t from = instance(w, x.read, y->arg[k]);
            to_node(w, x, y->arg[k], c, from);
            why_append(w, c, from, why_nodes(w, node[k], witness), 0);
            struct why_part p = why_chain(w, c, from);
            p.arg = WHY_GUARD + 4 * i + k;
            if (p.line != CC_NONE)
                vec_push(&w->chain, p);
        }
    }
}

static void rule_step(struct why *w, uint32_t half, uint32_t base,
                      uint32_t from)
{
    struct why_use u, as_read;
    uint32_t entry = half >> 1;
    why_use(w, entry, &u);
    struct use_reading x = {&u, &u};
    bool back = half & 1;
    uint32_t here = back ? u.q->right : u.q->left;
    uint32_t there = back ? u.q->left : u.q->right;
    if (u.atom[here] != 0)
        why_append(w, base, from, to_instance(w, &u, u.atom[here] - 1), 0);
    uint32_t a_now = instance(w, &u, u.q->left);
    uint32_t b_now = instance(w, &u, u.q->right);
    if (u.q->base != NULL) {
        as_read = u;
        as_read.q = u.q->base;
        for (uint32_t i = 0; i < u.q->n_vars; i++)
            as_read.term[i] = u.atom[i] == 0 ? u.term[i] : CC_NONE;
        x.read = &as_read;
    }
    uint32_t a = instance(w, x.read, u.q->left);
    uint32_t b = instance(w, x.read, u.q->right);
    why_append(
        w, base, from,
        why_step(w, WHY_AC, back ? b_now : a_now, back ? b : a, 0, NULL, 0), 0);
    uint32_t c = w->chain.len;
    conditions(w, entry, x);
    uint32_t n = w->chain.len - c;
    struct why_part p =
        why_step(w, WHY_RULE, a, b, w->entry.at[entry].kind - JOURNAL_RULE,
                 w->chain.at + c, n);
    w->chain.len = c;
    p.flip ^= back;
    why_append(w, base, from, p, 0);
    why_append(
        w, base, from,
        why_step(w, WHY_AC, back ? a : b, back ? a_now : b_now, 0, NULL, 0), 0);
    if (u.atom[there] != 0)
        why_append(w, base, from,
                   reversed(to_instance(w, &u, u.atom[there] - 1)), 0);
}

static void cong_step(struct why *w, uint32_t x, uint32_t y, uint32_t base,
                      uint32_t from)
{
    uint32_t c = w->chain.len;
    for (uint32_t k = 0; k < cc_arity(w->g, x); k++) {
        struct why_part p = why_nodes(w, why_kid(w, x, k), why_kid(w, y, k));
        p.arg = k;
        if (p.line != CC_NONE)
            vec_push(&w->chain, p);
    }
    struct why_part p = why_cong(w, why_term_of(w, x), why_term_of(w, y), c);
    why_append(w, base, from, p, 0);
}

static void fold_step(struct why *w, uint32_t half, uint32_t base,
                      uint32_t from)
{
    const struct why_entry x = w->entry.at[half >> 1];
    const uint32_t *list = why_list(w, half >> 1);
    uint32_t n = cc_arity(w->g, x.l), c = w->chain.len, at = w->chain_arg.len;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t kid = why_kid(w, x.l, k), value = list[2 + k];
        struct why_part p = none;
        if (value == CC_NONE)
            value = kid;
        else
            p = why_nodes(w, kid, value);
        p.arg = k;
        if (p.line != CC_NONE)
            vec_push(&w->chain, p);
        uint32_t t = why_term_of(w, value);
        vec_push(&w->chain_arg, t);
    }
    uint32_t folded =
        why_term(w, w->g->node.at[x.l].op & CC_OP, w->chain_arg.at + at);
    w->chain_arg.len = at;
    struct why_part values = why_cong(w, why_term_of(w, x.l), folded, c);
    struct why_part fold =
        why_step(w, WHY_FOLD, folded, why_term_of(w, x.r), 0, NULL, 0);
    if (half & 1) {
        why_append(w, base, from, reversed(fold), 0);
        why_append(w, base, from, reversed(values), 0);
    } else {
        why_append(w, base, from, values, 0);
        why_append(w, base, from, fold, 0);
    }
}

static void step(struct why *w, uint32_t half, uint32_t base, uint32_t from)
{
    const struct why_entry x = w->entry.at[half >> 1];
    bool back = half & 1;
    struct why_part p;
    switch (x.kind) {
    case JOURNAL_CONGRUENCE:
        cong_step(w, back ? x.r : x.l, back ? x.l : x.r, base, from);
        return;
    case JOURNAL_FOLD:
        fold_step(w, half, base, from);
        return;
    case JOURNAL_AC:
        p = why_ac_line(w, half >> 1);
        p.flip ^= back;
        why_append(w, base, from, p, 0);
        return;
    case JOURNAL_GIVEN:
        p = why_step(w, WHY_GIVEN, why_term_of(w, x.l), why_term_of(w, x.r),
                     why_list(w, half >> 1)[2], NULL, 0);
        p.flip ^= back;
        why_append(w, base, from, p, 0);
        return;
    default:
        rule_step(w, half, base, from);
    }
}

static void push_premises(struct why *w, uint32_t pair)
{
    const struct why_pair *p = &w->pair.at[pair];
    for (uint32_t i = 0; i < p->n; i++) {
        const struct why_edge *g = why_edge(w, w->way.at[p->at + i] >> 1);
        for (uint32_t k = 0; k < g->n; k++)
            if (!w->pair.at[w->prem.at[g->at + k]].written)
                vec_push(&w->waiting, w->prem.at[g->at + k]);
    }
}

bool why_write(struct why *w, uint32_t pair, struct err *e)
{
    uint32_t stack = w->waiting.len;
    vec_push(&w->waiting, pair);
    while (w->waiting.len > stack) {
        uint32_t i = vec_last(&w->waiting), wait = w->waiting.len;
        if (w->pair.at[i].written) {
            w->waiting.len--;
            continue;
        }
        push_premises(w, i);
        if (w->waiting.len > wait) {
            if (w->pair.at[i].open) {
                w->waiting.len = stack;
                return err_set(e, ERR_BUG, "an explanation goes in a circle");
            }
            w->pair.at[i].open = true;
            continue;
        }
        const struct why_pair p = w->pair.at[i];
        uint32_t base = w->chain.len, from = why_term_of(w, p.x);
        for (uint32_t k = 0; k < p.n; k++)
            step(w, w->way.at[p.at + k], base, from);
        w->pair.at[i].line = why_chain(w, base, from);
        w->pair.at[i].open = false;
        w->pair.at[i].written = true;
        w->waiting.len--;
    }
    return true;
}
