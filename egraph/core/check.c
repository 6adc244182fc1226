// SPDX-License-Identifier: Apache-2.0
// The invariants of cc.h, each looked at in whole and without the code that
// keeps it: nothing here follows `up` with halving, or asks the table with the
// table's own search.
#include "egraph/core/cc.h"
#include "egraph/core/tables.h"

struct cc_checker {
    const struct cc *g;
    uint32_t *root; // by class
    uint8_t *seen;  // by node or place
    struct err *e;
};

static bool bad(const struct cc_checker *c, const char *what, uint32_t id)
{
    return err_set(c->e, ERR_CHECK, "e-graph: %s at %u", what, id);
}

static bool is_dead(const struct cc *g, uint32_t node)
{
    return (g->node.at[node].op & CC_DEAD) != 0;
}

static bool is_hidden(const struct cc *g, uint32_t node)
{
    return (g->node.at[node].op & CC_HIDDEN) != 0;
}

static uint32_t op_of(const struct cc *g, uint32_t node)
{
    return g->node.at[node].op & CC_OP;
}

// Lengths of tables and ids in them, so that the rest can trust them.
static bool check_shape(const struct cc_checker *c)
{
    const struct cc *g = c->g;
    uint32_t n = g->node.len, wide = 0;
    if (g->cls.len != n || g->up.len != g->class_.len || g->n_entered > n)
        return bad(c, "I1: a table's length", n);
    if (g->next.len != g->n_entered || g->mark.len < g->n_entered ||
        g->edge.len != 2 * g->n_entered)
        return bad(c, "I4: a list's length", g->n_entered);
    for (uint32_t i = 0; i < n; i++) {
        if (op_of(g, i) >= g->op.len)
            return bad(c, "I2: an operator that is none", i);
        if (g->cls.at[i] >= g->class_.len)
            return bad(c, "I4: a class that is none", i);
        uint32_t arity = cc_arity(g, i);
        if (arity > 2) {
            if (g->node.at[i].a != wide || g->node.at[i].b != arity)
                return bad(c, "I2: a wide node's arguments", i);
            wide += arity;
        }
        if (wide > g->wide.len)
            return bad(c, "I2: a wide node's arguments", i);
        const uint32_t *args = cc_args(g, i);
        for (uint32_t k = 0; k < arity; k++)
            if (args[k] >= g->class_.len)
                return bad(c, "I3: an argument that is no class", i);
        for (uint32_t k = arity; k < 2; k++)
            if ((k == 0 ? g->node.at[i].a : g->node.at[i].b) != 0)
                return bad(c, "I2: an absent argument that is not 0", i);
    }
    if (wide != g->wide.len)
        return bad(c, "I2: arguments of no node", wide);
    return true;
}

static bool check_classes(struct cc_checker *c)
{
    const struct cc *g = c->g;
    uint32_t n = g->class_.len, roots = 0;
    for (uint32_t i = 0; i < n; i++)
        c->root[i] = CC_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i, steps = 0;
        while (c->root[k] == CC_NONE && g->up.at[k] != k) {
            k = g->up.at[k];
            if (k >= n || steps++ > n)
                return bad(c, "I1: up does not lead to a class", i);
        }
        uint32_t root = c->root[k] == CC_NONE ? k : c->root[k];
        for (k = i; c->root[k] == CC_NONE; k = g->up.at[k])
            c->root[k] = root;
        roots += root == i;
    }
    if (roots != g->n_classes)
        return bad(c, "I1: n_classes", roots);
    if (n - roots != g->n_merges)
        return bad(c, "I1: n_merges", n - roots);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t f = g->class_.at[i].founder;
        if (f >= g->node.len || (i > 0 && f <= g->class_.at[i - 1].founder) ||
            c->root[g->cls.at[f]] != c->root[i])
            return bad(c, "I4: a founder", i);
    }
    return true;
}

static uint64_t hash_of(const struct cc *g, uint32_t node)
{
    return cc_hash(g, op_of(g, node), cc_args(g, node));
}

static bool check_table(struct cc_checker *c)
{
    const struct cc *g = c->g;
    uint32_t used = 0, n = g->node.len, size = g->slot_mask + 1;
    if (g->tag.len != size || g->slot.len != size || (size & (size - 1)) != 0)
        return bad(c, "I2: the table's length", size);
    memset(c->seen, 0, n);
    for (uint32_t s = 0; s < size; s++) {
        used += g->tag.at[s] != 0;
        if (g->tag.at[s] < 2)
            continue;
        uint32_t node = g->slot.at[s];
        if (node >= n || is_dead(g, node))
            return bad(c, "I2: a slot without a live node", s);
        if (c->seen[node]++)
            return bad(c, "I2: a node twice in the table", node);
        uint64_t h = hash_of(g, node);
        if (g->tag.at[s] != cc_tag(h))
            return bad(c, "I2: a wrong tag", node);
        for (uint32_t k = cc_home(g, h); k != s; k = (k + 1) & g->slot_mask)
            if (g->tag.at[k] == 0)
                return bad(c, "I2: a node that is not found", node);
    }
    if (used != g->n_used)
        return bad(c, "I2: n_used", used);
    if (4 * (uint64_t)used > 3 * (uint64_t)size)
        return bad(c, "I2: a table too full", used);
    for (uint32_t i = 0; i < n; i++)
        if (!is_dead(g, i) && !c->seen[i])
            return bad(c, "I2: a live node that is not in the table", i);
    return true;
}

// The live node with the operator and the canonical arguments of a node.
static uint32_t twin_of(const struct cc_checker *c, uint32_t node)
{
    const struct cc *g = c->g;
    uint32_t n = cc_arity(g, node), few[8];
    const uint32_t *args = cc_args(g, node);
    uint32_t *canonical = n <= 8 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = c->root[args[i]];
    uint64_t h = cc_hash(g, op_of(g, node), canonical);
    uint32_t found = CC_NONE;
    for (uint32_t s = cc_home(g, h); g->tag.at[s] != 0;
         s = (s + 1) & g->slot_mask) {
        uint32_t x = g->slot.at[s];
        if (g->tag.at[s] == 1 || x == node || op_of(g, x) != op_of(g, node))
            continue;
        bool same = true;
        for (uint32_t i = 0; i < n && same; i++)
            same = cc_args(g, x)[i] == canonical[i];
        if (same)
            found = x;
    }
    if (n > 8)
        mem_free(canonical);
    return found;
}

static bool check_congruence(const struct cc_checker *c)
{
    const struct cc *g = c->g;
    for (uint32_t i = 0; i < g->node.len; i++) {
        const uint32_t *args = cc_args(g, i);
        for (uint32_t k = 0; k < cc_arity(g, i) && !is_dead(g, i); k++)
            if (c->root[args[k]] != args[k])
                return bad(c, "I3: an argument that is not canonical", i);
        uint32_t twin = twin_of(c, i);
        if (!is_dead(g, i) && twin != CC_NONE)
            return bad(c, "I3: a live node congruent to another", i);
        if (!is_dead(g, i))
            continue;
        if (twin == CC_NONE || twin > i)
            return bad(c, "I3: a dead node without an older live one", i);
        if (c->root[g->cls.at[twin]] != c->root[g->cls.at[i]])
            return bad(c, "I3: congruent nodes in two classes", i);
        if (is_hidden(g, i) && !is_hidden(g, twin))
            return bad(c, "I3: a hidden node lives on under another id", i);
    }
    return true;
}

static bool check_ring(struct cc_checker *c, uint32_t cls)
{
    const struct cc *g = c->g;
    const struct eclass *k = &g->class_.at[cls];
    uint32_t shown = 0, dead = 0, ops = 0, m = k->member;
    do {
        if (m >= g->n_entered || c->seen[m]++)
            return bad(c, "I4: a ring that does not close", cls);
        if (g->cls.at[m] != cls)
            return bad(c, "I4: a node in the ring of another class", m);
        dead += is_dead(g, m) || is_hidden(g, m);
        shown += !is_dead(g, m) && !is_hidden(g, m);
        ops |= is_dead(g, m) || is_hidden(g, m) ? 0 : cc_op_bit(op_of(g, m));
        m = g->next.at[m];
    } while (m != k->member);
    if (shown != k->n_nodes)
        return bad(c, "I4: n_nodes", cls);
    if (dead != k->n_dead)
        return bad(c, "I4: n_dead", cls);
    if ((ops & ~k->ops) != 0)
        return bad(c, "I4: ops without the operator of a node", cls);
    return true;
}

static bool check_rings(struct cc_checker *c)
{
    const struct cc *g = c->g;
    uint32_t live = 0;
    memset(c->seen, 0, g->node.len);
    for (uint32_t i = 0; i < g->class_.len; i++)
        if (c->root[i] == i && !check_ring(c, i))
            return false;
    for (uint32_t i = 0; i < g->node.len; i++) {
        live += !is_dead(g, i) && !is_hidden(g, i);
        if (!is_dead(g, i) && !is_hidden(g, i) && !c->seen[i])
            return bad(c, "I4: a live node in no ring", i);
    }
    return live == g->n_live || bad(c, "I4: n_live", live);
}

// Places of wide nodes are seen behind those of the others.
static uint32_t place_index(const struct cc *g, uint32_t p)
{
    return p & CC_WIDE ? g->edge.len + (p & ~CC_WIDE) : p;
}

static bool check_places(struct cc_checker *c, uint32_t cls, uint64_t *dead)
{
    const struct cc *g = c->g;
    const struct eclass *k = &g->class_.at[cls];
    uint32_t n = 0;
    for (uint32_t p = k->parents; p != CC_NONE; n++) {
        if (p & CC_WIDE ? (p & ~CC_WIDE) >= g->wide.len : p >= g->edge.len)
            return bad(c, "I5: a place that is none", cls);
        if (c->seen[place_index(g, p)]++)
            return bad(c, "I5: a place twice", p);
        uint32_t node = cc_place_node(g, p);
        if (node >= g->node.len || (cc_arity(g, node) > 2) != (p >= CC_WIDE))
            return bad(c, "I5: a place of the wrong node", p);
        uint32_t at = p & CC_WIDE ? (p & ~CC_WIDE) - g->node.at[node].a : p & 1;
        if (at >= cc_arity(g, node) || cc_args(g, node)[at] != cls)
            return bad(c, "I5: a place with another class", p);
        *dead += is_dead(g, node);
        if (!is_dead(g, node) && !(k->uses & cc_use_bit(op_of(g, node), at)))
            return bad(c, "I5: uses without a place", p);
        p = p & CC_WIDE ? g->wide_next.at[p & ~CC_WIDE] : g->edge.at[p];
    }
    return n == k->n_parents || bad(c, "I5: n_parents", cls);
}

static bool check_parents(struct cc_checker *c)
{
    const struct cc *g = c->g;
    uint64_t dead = 0;
    if (g->wide_next.len != g->wide.len || g->wide_node.len != g->wide.len)
        return bad(c, "I5: a list's length", g->wide.len);
    memset(c->seen, 0, (size_t)g->edge.len + g->wide.len);
    for (uint32_t i = 0; i < g->class_.len; i++)
        if (c->root[i] == i && !check_places(c, i, &dead))
            return false;
    for (uint32_t i = 0; i < g->node.len; i++) {
        uint32_t n = cc_arity(g, i);
        uint32_t first = n > 2 ? g->edge.len + g->node.at[i].a : 2 * i;
        for (uint32_t k = 0; k < n && !is_dead(g, i); k++)
            if (!c->seen[first + k])
                return bad(c, "I5: an argument in no parent list", i);
    }
    return dead == g->dead_edges || bad(c, "I5: dead_edges", (uint32_t)dead);
}

static bool check_op(struct cc_checker *c, uint32_t op)
{
    const struct cc *g = c->g;
    const struct cc_op *o = &g->op.at[op];
    for (uint32_t i = 0; i < o->all.len; i++) {
        uint32_t node = o->all.at[i];
        if (node >= g->node.len || op_of(g, node) != op ||
            (i > 0 && node <= o->all.at[i - 1]))
            return bad(c, "I7: a wrong node in an operator's list", op);
        c->seen[node] |= 1;
    }
    if (o->round_events > o->events.len)
        return bad(c, "I7: round_events", op);
    for (uint32_t i = 0; i < o->events.len; i++) {
        uint32_t node = o->events.at[i];
        if (node >= g->node.len || op_of(g, node) != op)
            return bad(c, "I7: an event of another operator", op);
        if (i < o->round_events)
            continue;
        if (!(g->mark.at[node] & o->listen & (CC_EVENTS)))
            return bad(c, "I7: an event without a mark", node);
        if (c->seen[node] & 2)
            return bad(c, "I7: an event twice", node);
        c->seen[node] |= 2;
    }
    return true;
}

static bool check_ops(struct cc_checker *c)
{
    const struct cc *g = c->g;
    memset(c->seen, 0, g->node.len);
    for (uint32_t i = 0; i < g->op.len; i++)
        if (!check_op(c, i))
            return false;
    for (uint32_t i = 0; i < g->node.len; i++) {
        if (!is_dead(g, i) && !(c->seen[i] & 1))
            return bad(c, "I7: a live node in no operator's list", i);
        if ((g->mark.at[i] & CC_EVENTS) && !(c->seen[i] & 2))
            return bad(c, "I7: a mark without an event", i);
    }
    return true;
}

// The first arguments: named where, and only where, a mark says so; and the
// argument that is there now is what became of the first.
static bool check_was(struct cc_checker *c)
{
    const struct cc *g = c->g;
    const struct u32_vec *was = &g->journal.was;
    memset(c->seen, 0, (size_t)g->edge.len + g->wide.len);
    for (uint32_t i = 0; i + 1 < was->len; i += 2) {
        uint32_t p = was->at[i], cls = was->at[i + 1];
        if ((p & CC_WIDE ? (p & ~CC_WIDE) >= g->wide.len : p >= g->edge.len) ||
            cls >= g->class_.len)
            return bad(c, "I6: a first argument of no place", i);
        if (c->seen[place_index(g, p)] && !(p & CC_WIDE))
            return bad(c, "I6: two first arguments of a place", p);
        c->seen[place_index(g, p)] = 1;
        uint32_t node = cc_place_node(g, p);
        uint32_t at = p & CC_WIDE ? (p & ~CC_WIDE) - g->node.at[node].a : p & 1;
        if (at >= cc_arity(g, node) ||
            c->root[cc_args(g, node)[at]] != c->root[cls])
            return bad(c, "I6: a first argument in another class", p);
    }
    for (uint32_t i = 0; i < g->node.len; i++) {
        uint8_t logged = (uint8_t)(c->seen[2 * i] * CC_LOGGED_A |
                                   c->seen[2 * i + 1] * CC_LOGGED_B);
        if ((g->mark.at[i] & (CC_LOGGED_A | CC_LOGGED_B)) != logged)
            return bad(c, "I6: a first argument that is lost", i);
    }
    return true;
}

static bool check_all(struct cc_checker *c)
{
    const struct cc *g = c->g;
    if (!check_shape(c) || !check_classes(c) || !check_table(c))
        return false;
    if (!g->closed)
        return true;
    if (g->n_entered != g->node.len)
        return bad(c, "I4: a node that is not entered", g->n_entered);
    if (g->dirty.len > 0 || g->killed.len > 0 || g->above.len > 0 ||
        g->learned.len > 0)
        return bad(c, "I3: work left over", g->dirty.len);
    return check_congruence(c) && check_rings(c) && check_parents(c) &&
           check_ops(c) && check_was(c);
}

bool cc_check(const struct cc *g, struct err *e)
{
    struct cc_checker c = {.g = g, .e = e};
    c.root = mem_alloc((g->class_.len + 1) * sizeof *c.root);
    c.seen = mem_alloc((size_t)2 * g->node.len + g->edge.len + g->wide.len + 1);
    bool ok = check_all(&c);
    mem_free(c.root);
    mem_free(c.seen);
    return ok;
}
