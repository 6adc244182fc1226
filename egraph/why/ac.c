// SPDX-License-Identifier: Apache-2.0
// The path of an entry for order and brackets, walked over nodes: a multiset of
// them, {l} at first and {r} at last.  A step that wants node y takes a node x
// that is equal by older entries: x = y is a premise.  Between such
// replacements the sum of the multiset stays the same up to order and brackets.
#include "egraph/why/core.h"

struct ac_walk {
    struct why *why;
    uint32_t entry, op;
    struct u32_vec set;
    bool lines;         // write lines, or note premises
    uint32_t base, now; // the chain from why->chain[base] on leads to term `now`
    uint32_t from;
};

static bool equal_before(const struct ac_walk *walk, uint32_t x, uint32_t y)
{
    uint32_t entry = x == y ? 0 : why_joined(walk->why, x, y);
    return x == y || (entry != CC_NONE && entry < walk->entry);
}

static void say(struct ac_walk *walk, struct why_part part)
{
    if (part.line == CC_NONE)
        return;
    why_append(walk->why, walk->base, walk->from, part, 0);
    walk->now = why_to(walk->why, part);
}

static void reorder(struct ac_walk *walk, uint32_t term)
{
    say(walk,
        why_step(walk->why, (struct why_line){.kind = WHY_AC, .a = walk->now, .b = term}, NULL));
}

// The sum of node x (in place i) and the others.
static uint32_t sum(struct ac_walk *walk, uint32_t i, uint32_t x)
{
    uint32_t t = CC_NONE;
    for (uint32_t n = walk->set.len; n-- > 0;) {
        if (n == i)
            continue;
        uint32_t args[2] = {why_term_of(walk->why, walk->set.at[n]), t};
        t = t == CC_NONE ? args[0] : why_term(walk->why, walk->op, args);
    }
    uint32_t args[2] = {why_term_of(walk->why, x), t};
    return t == CC_NONE ? args[0] : why_term(walk->why, walk->op, args);
}

static void replace(struct ac_walk *walk, uint32_t i, uint32_t y)
{
    struct why *why = walk->why;
    uint32_t x = walk->set.at[i];
    if (x != y && !walk->lines)
        why_premise(why, x, y);
    if (x != y && walk->lines) {
        uint32_t a = sum(walk, i, x), b = sum(walk, i, y), c = why->chain.len;
        reorder(walk, a);
        c = why->chain.len;
        struct why_part part = why_nodes(why, x, y);
        if (walk->set.len > 1 && part.line != CC_NONE) {
            part.arg = 0;
            vec_push(&why->chain, part);
            part = why_cong(why, a, b, c);
        }
        say(walk, part);
    }
    walk->set.at[i] = y;
}

// Makes node y be in the set; its place.
static uint32_t take(struct ac_walk *walk, uint32_t y, uint32_t except)
{
    uint32_t at = CC_NONE;
    for (uint32_t i = 0; i < walk->set.len; i++)
        if (i != except &&
            (walk->set.at[i] == y || (at == CC_NONE && equal_before(walk, walk->set.at[i], y)))) {
            at = i;
            if (walk->set.at[i] == y)
                break;
        }
    if (at != CC_NONE)
        replace(walk, at, y);
    return at;
}

static bool take_step(struct ac_walk *walk, uint32_t node, bool back)
{
    struct why *why = walk->why;
    uint32_t kid[2] = {why_kid(why, node, 0), why_kid(why, node, 1)};
    if (!back) {
        uint32_t i = take(walk, node, CC_NONE);
        if (i == CC_NONE)
            return false;
        walk->set.at[i] = kid[0];
        vec_push(&walk->set, kid[1]);
        return true;
    }
    uint32_t i = take(walk, kid[0], CC_NONE);
    uint32_t j = i == CC_NONE ? CC_NONE : take(walk, kid[1], i);
    if (j == CC_NONE)
        return false;
    walk->set.at[i] = node;
    walk->set.at[j] = vec_last(&walk->set);
    walk->set.len--;
    return true;
}

static bool walk(struct ac_walk *path)
{
    const struct why_entry entry = path->why->entry.at[path->entry];
    uint32_t n = why_list(path->why, path->entry)[2];
    bool ok = n > 0;
    vec_push(&path->set, entry.left);
    for (uint32_t i = 0; i < n && ok; i++) {
        uint32_t step = why_list(path->why, path->entry)[3 + i];
        path->op = path->why->graph->node.at[step >> 1].op & CC_OP;
        ok = cc_arity(path->why->graph, step >> 1) == 2 && take_step(path, step >> 1, step & 1);
    }
    ok = ok && path->set.len == 1 && take(path, entry.right, CC_NONE) != CC_NONE;
    vec_release(&path->set);
    return ok;
}

bool why_ac_premises(struct why *why, uint32_t entry)
{
    struct ac_walk k = {.why = why, .entry = entry};
    return walk(&k);
}

struct why_part why_ac_line(struct why *why, uint32_t entry)
{
    const struct why_entry x = why->entry.at[entry];
    struct ac_walk k = {.why = why, .entry = entry, .lines = true};
    k.base = why->chain.len;
    k.from = k.now = why_term_of(why, x.left);
    walk(&k);
    reorder(&k, why_term_of(why, x.right));
    return why_chain(why, k.base, k.from);
}
