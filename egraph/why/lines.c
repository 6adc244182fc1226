// SPDX-License-Identifier: Apache-2.0
// From entries to lines.
#include "egraph/why/core.h"

static const struct why_part none = {.line = CC_NONE};

struct why_part why_nodes(struct why *why, uint32_t x, uint32_t y)
{
    if (x == y)
        return none;
    struct why_part part = why->pair.at[why_pair(why, x, y)].line;
    part.flip ^= x > y;
    return part;
}

// A node of a pattern: of the left side, or what was built of the right.
struct pattern_shape {
    uint32_t node, op, n;
    const uint32_t *arg;
};

static struct pattern_shape shape_of(const struct why_use *use, uint32_t i)
{
    const struct plain_rule *rule = use->rule;
    if (i < rule->n_atoms)
        return (struct pattern_shape){use->list[i], rule->atom[i].op, rule->atom[i].n,
                                      rule->atom[i].arg};
    const struct plain_build *build = &rule->build[i - rule->n_atoms];
    return (struct pattern_shape){use->list[i], build->op, build->n, build->arg};
}

// The term that a variable, or a node of a pattern, stands for.  A pattern has at
// most EGRAPH_PLAIN_ATOMS nodes, so the recursion is not deep.
static uint32_t instance(struct why *why, struct why_use *use, uint32_t v);

static uint32_t instance_at(struct why *why, struct why_use *use, uint32_t i)
{
    struct pattern_shape shape = shape_of(use, i);
    uint32_t base = why->chain_arg.len;
    for (uint32_t k = 0; k < shape.n; k++) {
        uint32_t t = instance(why, use, shape.arg[k]);
        vec_push(&why->chain_arg, t);
    }
    uint32_t t = why_term(why, shape.op, why->chain_arg.at + base);
    why->chain_arg.len = base;
    return t;
}

static uint32_t instance(struct why *why, struct why_use *use, uint32_t v)
{
    if (use->term[v] == CC_NONE)
        use->term[v] = use->atom[v] == 0 ? why_term_of(why, use->node[v])
                                         : instance_at(why, use, use->atom[v] - 1);
    return use->term[v];
}

// From the term of a node to the instance that it matched, or was built for.
static struct why_part to_instance(struct why *why, struct why_use *use, uint32_t i)
{
    struct pattern_shape shape = shape_of(use, i);
    uint32_t base = why->chain.len;
    for (uint32_t k = 0; k < shape.n; k++) {
        uint32_t v = shape.arg[k], kid = why_kid(why, shape.node, k);
        uint32_t from = why_term_of(why, kid), c = why->chain.len;
        why_append(why, c, from, why_nodes(why, kid, use->node[v]), 0);
        if (use->atom[v] != 0)
            why_append(why, c, from, to_instance(why, use, use->atom[v] - 1), 0);
        struct why_part part = why_chain(why, c, from);
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
    }
    if (why->chain.len == base) // it is that very term
        return none;
    uint32_t v = i < use->rule->n_atoms ? use->rule->atom[i].cls
                                        : use->rule->build[i - use->rule->n_atoms].out;
    uint32_t to = use->atom[v] == i + 1 ? instance(why, use, v) : instance_at(why, use, i);
    return why_cong(why, why_term_of(why, shape.node), to, base);
}

static struct why_part reversed(struct why_part part)
{
    part.flip = !part.flip;
    return part;
}

// A use, and the same of the rule as it was read: of the same classes.
struct use_reading {
    struct why_use *use, *read;
};

// From what the variable stands for to the term of its node.
static void to_node(struct why *why, struct use_reading reading, uint32_t v, uint32_t base,
                    uint32_t from)
{
    struct why_use *use = reading.use;
    uint32_t now = instance(why, use, v);
    why_append(why, base, from,
               why_step(why, (struct why_line){.kind = WHY_AC, .a = from, .b = now}, NULL), 0);
    if (use->atom[v] != 0)
        why_append(why, base, from, reversed(to_instance(why, use, use->atom[v] - 1)), 0);
}

// Is the atom a pattern of the left side by itself, and not the one whose class
// the rule is about?
static bool stands_alone(const struct plain_rule *rule, uint32_t atom)
{
    uint32_t v = rule->atom[atom].cls;
    if (atom >= rule->n_main || v == rule->left)
        return false;
    for (uint32_t i = 0; i < rule->n_main; i++)
        for (uint32_t k = 0; k < rule->atom[i].n; k++)
            if (rule->atom[i].arg[k] == v)
                return false;
    return true;
}

// That what atom i matched is in the class of its variable.
static void pattern(struct why *why, struct use_reading reading, uint32_t i)
{
    struct why_use *use = reading.use;
    uint32_t v = use->rule->atom[i].cls, c = why->chain.len;
    if (use->rule->atom[i].op == ATOM_ANY)
        return;
    struct why_part part = none;
    if (use->atom[v] != i + 1) {
        uint32_t from = instance(why, reading.read, v);
        to_node(why, reading, v, c, from);
        why_append(why, c, from, why_nodes(why, use->node[v], use->list[i]), 0);
        why_append(why, c, from, to_instance(why, use, i), 0);
        uint32_t now = instance_at(why, use, i), to = instance_at(why, reading.read, i);
        why_append(why, c, from,
                   why_step(why, (struct why_line){.kind = WHY_AC, .a = now, .b = to}, NULL), 0);
        part = why_chain(why, c, from);
        part.arg = WHY_PATTERN + i;
    }
    if (part.line == CC_NONE && stands_alone(use->rule, i))
        part = (struct why_part){.line = instance_at(why, reading.read, i), .arg = WHY_TERM + i};
    if (part.line != CC_NONE)
        vec_push(&why->chain, part);
}

// Conditions of the use: patterns that share a class, and guards.
static void conditions(struct why *why, uint32_t entry, struct use_reading reading)
{
    struct why_use *use = reading.use;
    const struct plain_rule *rule = use->rule;
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        pattern(why, reading, i);
    for (uint32_t i = 0; i < rule->n_guards; i++) {
        const struct plain_guard *plain_guard = &rule->guard[i];
        uint32_t node[sizeof plain_guard->arg / sizeof *plain_guard->arg], witness;
        for (uint32_t k = 0; k < plain_guard->n; k++)
            node[k] = use->node[plain_guard->arg[k]];
        for (uint32_t k = 0; k < plain_guard->n; k++) {
            uint32_t c = why->chain.len;
            if (!why_guard(why, entry, plain_guard, k, node, &witness))
                continue;
            uint32_t from = instance(why, reading.read, plain_guard->arg[k]);
            to_node(why, reading, plain_guard->arg[k], c, from);
            why_append(why, c, from, why_nodes(why, node[k], witness), 0);
            struct why_part part = why_chain(why, c, from);
            part.arg = WHY_GUARD + 4 * i + k;
            if (part.line != CC_NONE)
                vec_push(&why->chain, part);
        }
    }
}

static void rule_step(struct why *why, uint32_t half, uint32_t base, uint32_t from)
{
    struct why_use use, as_read;
    uint32_t entry = half >> 1;
    why_use(why, entry, &use);
    struct use_reading reading = {&use, &use};
    bool back = half & 1;
    uint32_t here = back ? use.rule->right : use.rule->left;
    uint32_t there = back ? use.rule->left : use.rule->right;
    if (use.atom[here] != 0)
        why_append(why, base, from, to_instance(why, &use, use.atom[here] - 1), 0);
    uint32_t a_now = instance(why, &use, use.rule->left);
    uint32_t b_now = instance(why, &use, use.rule->right);
    if (use.rule->base != NULL) {
        as_read = use;
        as_read.rule = use.rule->base;
        for (uint32_t i = 0; i < use.rule->n_vars; i++)
            as_read.term[i] = use.atom[i] == 0 ? use.term[i] : CC_NONE;
        reading.read = &as_read;
    }
    uint32_t a = instance(why, reading.read, use.rule->left);
    uint32_t b = instance(why, reading.read, use.rule->right);
    why_append(
        why, base, from,
        why_step(why,
                 (struct why_line){.kind = WHY_AC, .a = back ? b_now : a_now, .b = back ? b : a},
                 NULL),
        0);
    uint32_t c = why->chain.len;
    conditions(why, entry, reading);
    uint32_t n = why->chain.len - c;
    struct why_part part = why_step(why,
                                    (struct why_line){.kind = WHY_RULE,
                                                      .a = a,
                                                      .b = b,
                                                      .x = why->entry.at[entry].kind - JOURNAL_RULE,
                                                      .n = n},
                                    why->chain.at + c);
    why->chain.len = c;
    part.flip ^= back;
    why_append(why, base, from, part, 0);
    why_append(
        why, base, from,
        why_step(why,
                 (struct why_line){.kind = WHY_AC, .a = back ? a : b, .b = back ? a_now : b_now},
                 NULL),
        0);
    if (use.atom[there] != 0)
        why_append(why, base, from, reversed(to_instance(why, &use, use.atom[there] - 1)), 0);
}

static void cong_step(struct why *why, uint32_t x, uint32_t y, uint32_t base, uint32_t from)
{
    uint32_t c = why->chain.len;
    for (uint32_t k = 0; k < cc_arity(why->graph, x); k++) {
        struct why_part part = why_nodes(why, why_kid(why, x, k), why_kid(why, y, k));
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
    }
    struct why_part p = why_cong(why, why_term_of(why, x), why_term_of(why, y), c);
    why_append(why, base, from, p, 0);
}

static void fold_step(struct why *why, uint32_t half, uint32_t base, uint32_t from)
{
    const struct why_entry entry = why->entry.at[half >> 1];
    const uint32_t *list = why_list(why, half >> 1);
    uint32_t n = cc_arity(why->graph, entry.left), c = why->chain.len, at = why->chain_arg.len;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t kid = why_kid(why, entry.left, k), value = list[2 + k];
        struct why_part part = none;
        if (value == CC_NONE)
            value = kid;
        else
            part = why_nodes(why, kid, value);
        part.arg = k;
        if (part.line != CC_NONE)
            vec_push(&why->chain, part);
        uint32_t t = why_term_of(why, value);
        vec_push(&why->chain_arg, t);
    }
    uint32_t folded =
        why_term(why, why->graph->node.at[entry.left].op & CC_OP, why->chain_arg.at + at);
    why->chain_arg.len = at;
    struct why_part values = why_cong(why, why_term_of(why, entry.left), folded, c);
    struct why_part fold = why_step(
        why, (struct why_line){.kind = WHY_FOLD, .a = folded, .b = why_term_of(why, entry.right)},
        NULL);
    if (half & 1) {
        why_append(why, base, from, reversed(fold), 0);
        why_append(why, base, from, reversed(values), 0);
    } else {
        why_append(why, base, from, values, 0);
        why_append(why, base, from, fold, 0);
    }
}

static void step(struct why *why, uint32_t half, uint32_t base, uint32_t from)
{
    const struct why_entry entry = why->entry.at[half >> 1];
    bool back = half & 1;
    struct why_part part;
    switch (entry.kind) {
    case JOURNAL_CONGRUENCE:
        cong_step(why, back ? entry.right : entry.left, back ? entry.left : entry.right, base,
                  from);
        return;
    case JOURNAL_FOLD:
        fold_step(why, half, base, from);
        return;
    case JOURNAL_AC:
        part = why_ac_line(why, half >> 1);
        part.flip ^= back;
        why_append(why, base, from, part, 0);
        return;
    case JOURNAL_GIVEN:
        part = why_step(why,
                        (struct why_line){.kind = WHY_GIVEN,
                                          .a = why_term_of(why, entry.left),
                                          .b = why_term_of(why, entry.right),
                                          .x = why_list(why, half >> 1)[2]},
                        NULL);
        part.flip ^= back;
        why_append(why, base, from, part, 0);
        return;
    default:
        rule_step(why, half, base, from);
    }
}

static void push_premises(struct why *why, uint32_t pair)
{
    const struct why_pair *p = &why->pair.at[pair];
    for (uint32_t i = 0; i < p->n; i++) {
        const struct why_edge *edge = why_edge(why, why->way.at[p->at + i] >> 1);
        for (uint32_t k = 0; k < edge->n; k++)
            if (!why->pair.at[why->prem.at[edge->at + k]].written)
                vec_push(&why->waiting, why->prem.at[edge->at + k]);
    }
}

bool why_write(struct why *why, uint32_t pair, struct err *err)
{
    uint32_t stack = why->waiting.len;
    vec_push(&why->waiting, pair);
    while (why->waiting.len > stack) {
        uint32_t i = vec_last(&why->waiting), wait = why->waiting.len;
        if (why->pair.at[i].written) {
            why->waiting.len--;
            continue;
        }
        push_premises(why, i);
        if (why->waiting.len > wait) {
            if (why->pair.at[i].open) {
                why->waiting.len = stack;
                return err_set(err, ERR_BUG, "an explanation goes in a circle");
            }
            why->pair.at[i].open = true;
            continue;
        }
        const struct why_pair p = why->pair.at[i];
        uint32_t base = why->chain.len, from = why_term_of(why, p.x);
        for (uint32_t k = 0; k < p.n; k++)
            step(why, why->way.at[p.at + k], base, from);
        why->pair.at[i].line = why_chain(why, base, from);
        why->pair.at[i].open = false;
        why->pair.at[i].written = true;
        why->waiting.len--;
    }
    return true;
}
