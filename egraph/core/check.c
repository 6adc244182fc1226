// SPDX-License-Identifier: Apache-2.0
// The invariants of cc.h, each looked at in whole and without the code that
// keeps it: nothing here follows `up` with halving, or asks the table with the
// table's own search.
#include "egraph/core/cc.h"
#include "egraph/core/tables.h"

struct cc_checker {
    const struct cc *graph;
    uint32_t *root; // by class
    uint8_t *seen;  // by node or place
    struct err *err;
};

static bool bad(const struct cc_checker *checker, const char *what, uint32_t id)
{
    return err_set(checker->err, ERR_CHECK, "e-graph: %s at %u", what, id);
}

static bool is_dead(const struct cc *graph, uint32_t node)
{
    return (graph->node.at[node].op & CC_DEAD) != 0;
}

static bool is_hidden(const struct cc *graph, uint32_t node)
{
    return (graph->node.at[node].op & CC_HIDDEN) != 0;
}

static uint32_t op_of(const struct cc *graph, uint32_t node)
{
    return graph->node.at[node].op & CC_OP;
}

// Lengths of tables and ids in them, so that the rest can trust them.
static bool check_shape(const struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    uint32_t n = graph->node.len, wide = 0;
    if (graph->up.len != graph->class_.len || graph->n_entered > n)
        return bad(checker, "I1: a table's length", n);
    if (graph->next.len != graph->n_entered || graph->mark.len < graph->n_entered ||
        graph->edge.len != 2 * graph->n_entered)
        return bad(checker, "I4: a list's length", graph->n_entered);
    for (uint32_t i = 0; i < n; i++) {
        if (op_of(graph, i) >= graph->op.len)
            return bad(checker, "I2: an operator that is none", i);
        if (graph->node.at[i].cls >= graph->class_.len)
            return bad(checker, "I4: a class that is none", i);
        uint32_t arity = cc_arity(graph, i);
        if (arity > 2) {
            if (graph->node.at[i].a != wide || graph->node.at[i].b != arity)
                return bad(checker, "I2: a wide node's arguments", i);
            wide += arity;
        }
        if (wide > graph->wide.len)
            return bad(checker, "I2: a wide node's arguments", i);
        const uint32_t *args = cc_args(graph, i);
        for (uint32_t k = 0; k < arity; k++)
            if (args[k] >= graph->class_.len)
                return bad(checker, "I3: an argument that is no class", i);
        for (uint32_t k = arity; k < 2; k++)
            if ((k == 0 ? graph->node.at[i].a : graph->node.at[i].b) != 0)
                return bad(checker, "I2: an absent argument that is not 0", i);
    }
    if (wide != graph->wide.len)
        return bad(checker, "I2: arguments of no node", wide);
    return true;
}

static bool check_classes(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    uint32_t n = graph->class_.len, roots = 0;
    for (uint32_t i = 0; i < n; i++)
        checker->root[i] = CC_NONE;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = i, steps = 0;
        while (checker->root[k] == CC_NONE && graph->up.at[k] != k) {
            k = graph->up.at[k];
            if (k >= n || steps++ > n)
                return bad(checker, "I1: up does not lead to a class", i);
        }
        uint32_t root = checker->root[k] == CC_NONE ? k : checker->root[k];
        for (k = i; checker->root[k] == CC_NONE; k = graph->up.at[k])
            checker->root[k] = root;
        roots += root == i;
    }
    if (roots != graph->n_classes)
        return bad(checker, "I1: n_classes", roots);
    if (n - roots != graph->n_merges)
        return bad(checker, "I1: n_merges", n - roots);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t f = graph->class_.at[i].founder;
        if (f >= graph->node.len || (i > 0 && f <= graph->class_.at[i - 1].founder) ||
            checker->root[graph->node.at[f].cls] != checker->root[i])
            return bad(checker, "I4: a founder", i);
    }
    return true;
}

static uint64_t hash_of(const struct cc *graph, uint32_t node)
{
    return cc_hash(graph, op_of(graph, node), cc_args(graph, node));
}

static bool check_table(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    uint32_t used = 0, n = graph->node.len, size = graph->slot.len;
    if (size == 0 || (graph->id_mask & (graph->id_mask + 1)) != 0)
        return bad(checker, "I2: the table's length", size);
    memset(checker->seen, 0, n);
    for (uint32_t s = 0; s < size; s++) {
        uint32_t slot = graph->slot.at[s];
        used += slot != CC_SLOT_FREE;
        if (slot < CC_SLOT_NODE)
            continue;
        uint32_t node = cc_slot_node(graph, slot);
        if (node >= n || is_dead(graph, node))
            return bad(checker, "I2: a slot without a live node", s);
        if (checker->seen[node]++)
            return bad(checker, "I2: a node twice in the table", node);
        uint64_t h = hash_of(graph, node);
        if (!cc_slot_fits(graph, slot, h))
            return bad(checker, "I2: a slot with another hash", node);
        for (uint32_t k = cc_home(graph, h); k != s; k = cc_after(graph, k))
            if (graph->slot.at[k] == CC_SLOT_FREE)
                return bad(checker, "I2: a node that is not found", node);
    }
    if (used != graph->n_used)
        return bad(checker, "I2: n_used", used);
    if (cc_crowded(used, size))
        return bad(checker, "I2: a table too full", used);
    for (uint32_t i = 0; i < n; i++)
        if (!is_dead(graph, i) && !checker->seen[i])
            return bad(checker, "I2: a live node that is not in the table", i);
    return true;
}

// The live node with the operator and the canonical arguments of a node.
static uint32_t twin_of(const struct cc_checker *checker, uint32_t node)
{
    const struct cc *graph = checker->graph;
    uint32_t n = cc_arity(graph, node), few[8];
    const uint32_t *args = cc_args(graph, node);
    uint32_t *canonical = n <= 8 ? few : mem_alloc(n * sizeof *canonical);
    for (uint32_t i = 0; i < n; i++)
        canonical[i] = checker->root[args[i]];
    uint64_t h = cc_hash(graph, op_of(graph, node), canonical);
    uint32_t found = CC_NONE;
    for (uint32_t s = cc_home(graph, h); graph->slot.at[s] != CC_SLOT_FREE;
         s = cc_after(graph, s)) {
        uint32_t x = cc_slot_node(graph, graph->slot.at[s]);
        if (graph->slot.at[s] == CC_SLOT_GONE || x == node || op_of(graph, x) != op_of(graph, node))
            continue;
        bool same = true;
        for (uint32_t i = 0; i < n && same; i++)
            same = cc_args(graph, x)[i] == canonical[i];
        if (same)
            found = x;
    }
    if (n > 8)
        mem_free(canonical);
    return found;
}

static bool check_congruence(const struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        const uint32_t *args = cc_args(graph, i);
        for (uint32_t k = 0; k < cc_arity(graph, i) && !is_dead(graph, i); k++)
            if (checker->root[args[k]] != args[k])
                return bad(checker, "I3: an argument that is not canonical", i);
        uint32_t twin = twin_of(checker, i);
        if (!is_dead(graph, i) && twin != CC_NONE)
            return bad(checker, "I3: a live node congruent to another", i);
        if (!is_dead(graph, i))
            continue;
        if (twin == CC_NONE || twin > i)
            return bad(checker, "I3: a dead node without an older live one", i);
        if (checker->root[graph->node.at[twin].cls] != checker->root[graph->node.at[i].cls])
            return bad(checker, "I3: congruent nodes in two classes", i);
        if (is_hidden(graph, i) && !is_hidden(graph, twin))
            return bad(checker, "I3: a hidden node lives on under another id", i);
    }
    return true;
}

static bool check_ring(struct cc_checker *checker, uint32_t cls)
{
    const struct cc *graph = checker->graph;
    const struct eclass *class = &graph->class_.at[cls];
    uint32_t shown = 0, dead = 0, ops = 0, m = class->member;
    do {
        if (m >= graph->n_entered || checker->seen[m]++)
            return bad(checker, "I4: a ring that does not close", cls);
        if (graph->node.at[m].cls != cls)
            return bad(checker, "I4: a node in the ring of another class", m);
        dead += is_dead(graph, m) || is_hidden(graph, m);
        shown += !is_dead(graph, m) && !is_hidden(graph, m);
        ops |= is_dead(graph, m) || is_hidden(graph, m) ? 0 : cc_op_bit(op_of(graph, m));
        m = graph->next.at[m];
    } while (m != class->member);
    if (shown != class->n_nodes)
        return bad(checker, "I4: n_nodes", cls);
    if (dead != class->n_dead)
        return bad(checker, "I4: n_dead", cls);
    if ((ops & ~class->ops) != 0)
        return bad(checker, "I4: ops without the operator of a node", cls);
    return true;
}

static bool check_rings(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    uint32_t live = 0;
    memset(checker->seen, 0, graph->node.len);
    for (uint32_t i = 0; i < graph->class_.len; i++)
        if (checker->root[i] == i && !check_ring(checker, i))
            return false;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        live += !is_dead(graph, i) && !is_hidden(graph, i);
        if (!is_dead(graph, i) && !is_hidden(graph, i) && !checker->seen[i])
            return bad(checker, "I4: a live node in no ring", i);
    }
    return live == graph->n_live || bad(checker, "I4: n_live", live);
}

// Places of wide nodes are seen behind those of the others.
static uint32_t place_index(const struct cc *graph, uint32_t p)
{
    return p & CC_WIDE ? graph->edge.len + (p & ~CC_WIDE) : p;
}

static bool check_places(struct cc_checker *checker, uint32_t cls, uint64_t *dead)
{
    const struct cc *graph = checker->graph;
    const struct eclass *class = &graph->class_.at[cls];
    uint32_t n = 0;
    for (uint32_t p = class->parents; p != CC_NONE; n++) {
        if (p & CC_WIDE ? (p & ~CC_WIDE) >= graph->wide.len : p >= graph->edge.len)
            return bad(checker, "I5: a place that is none", cls);
        if (checker->seen[place_index(graph, p)]++)
            return bad(checker, "I5: a place twice", p);
        uint32_t node = cc_place_node(graph, p);
        if (node >= graph->node.len || (cc_arity(graph, node) > 2) != (p >= CC_WIDE))
            return bad(checker, "I5: a place of the wrong node", p);
        uint32_t at = p & CC_WIDE ? (p & ~CC_WIDE) - graph->node.at[node].a : p & 1;
        if (at >= cc_arity(graph, node) || cc_args(graph, node)[at] != cls)
            return bad(checker, "I5: a place with another class", p);
        *dead += is_dead(graph, node);
        if (!is_dead(graph, node) && !(class->uses & cc_use_bit(op_of(graph, node), at)))
            return bad(checker, "I5: uses without a place", p);
        p = p & CC_WIDE ? graph->wide_next.at[p & ~CC_WIDE] : graph->edge.at[p];
    }
    return n == class->n_parents || bad(checker, "I5: n_parents", cls);
}

static bool check_parents(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    uint64_t dead = 0;
    if (graph->wide_next.len != graph->wide.len || graph->wide_node.len != graph->wide.len)
        return bad(checker, "I5: a list's length", graph->wide.len);
    memset(checker->seen, 0, (size_t)graph->edge.len + graph->wide.len);
    for (uint32_t i = 0; i < graph->class_.len; i++)
        if (checker->root[i] == i && !check_places(checker, i, &dead))
            return false;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        uint32_t n = cc_arity(graph, i);
        uint32_t first = n > 2 ? graph->edge.len + graph->node.at[i].a : 2 * i;
        for (uint32_t k = 0; k < n && !is_dead(graph, i); k++)
            if (!checker->seen[first + k])
                return bad(checker, "I5: an argument in no parent list", i);
    }
    return dead == graph->dead_edges || bad(checker, "I5: dead_edges", (uint32_t)dead);
}

static bool check_op(struct cc_checker *checker, uint32_t op)
{
    const struct cc *graph = checker->graph;
    const struct cc_op *op_info = &graph->op.at[op];
    for (uint32_t i = 0; i < op_info->all.len; i++) {
        uint32_t node = op_info->all.at[i];
        if (node >= graph->node.len || op_of(graph, node) != op ||
            (i > 0 && node <= op_info->all.at[i - 1]))
            return bad(checker, "I7: a wrong node in an operator's list", op);
        checker->seen[node] |= 1;
    }
    if (op_info->round_events > op_info->events.len)
        return bad(checker, "I7: round_events", op);
    for (uint32_t i = 0; i < op_info->events.len; i++) {
        uint32_t node = op_info->events.at[i];
        if (node >= graph->node.len || op_of(graph, node) != op)
            return bad(checker, "I7: an event of another operator", op);
        if (i < op_info->round_events)
            continue;
        if (!(graph->mark.at[node] & op_info->listen & (CC_EVENTS)))
            return bad(checker, "I7: an event without a mark", node);
        if (checker->seen[node] & 2)
            return bad(checker, "I7: an event twice", node);
        checker->seen[node] |= 2;
    }
    return true;
}

static bool check_ops(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    memset(checker->seen, 0, graph->node.len);
    for (uint32_t i = 0; i < graph->op.len; i++)
        if (!check_op(checker, i))
            return false;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        if (!is_dead(graph, i) && !(checker->seen[i] & 1))
            return bad(checker, "I7: a live node in no operator's list", i);
        if ((graph->mark.at[i] & CC_EVENTS) && !(checker->seen[i] & 2))
            return bad(checker, "I7: a mark without an event", i);
    }
    return true;
}

// The first arguments: named where, and only where, a mark says so; and the
// argument that is there now is what became of the first.
static bool check_was(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    const struct u32_vec *was = &graph->journal.was;
    memset(checker->seen, 0, (size_t)graph->edge.len + graph->wide.len);
    for (uint32_t i = 0; i + 1 < was->len; i += 2) {
        uint32_t p = was->at[i], cls = was->at[i + 1];
        if ((p & CC_WIDE ? (p & ~CC_WIDE) >= graph->wide.len : p >= graph->edge.len) ||
            cls >= graph->class_.len)
            return bad(checker, "I6: a first argument of no place", i);
        if (checker->seen[place_index(graph, p)] && !(p & CC_WIDE))
            return bad(checker, "I6: two first arguments of a place", p);
        checker->seen[place_index(graph, p)] = 1;
        uint32_t node = cc_place_node(graph, p);
        uint32_t at = p & CC_WIDE ? (p & ~CC_WIDE) - graph->node.at[node].a : p & 1;
        if (at >= cc_arity(graph, node) ||
            checker->root[cc_args(graph, node)[at]] != checker->root[cls])
            return bad(checker, "I6: a first argument in another class", p);
    }
    for (uint32_t i = 0; i < graph->node.len; i++) {
        uint8_t logged =
            (uint8_t)(checker->seen[2 * i] * CC_LOGGED_A | checker->seen[2 * i + 1] * CC_LOGGED_B);
        if ((graph->mark.at[i] & (CC_LOGGED_A | CC_LOGGED_B)) != logged)
            return bad(checker, "I6: a first argument that is lost", i);
    }
    return true;
}

static bool check_all(struct cc_checker *checker)
{
    const struct cc *graph = checker->graph;
    if (!check_shape(checker) || !check_classes(checker) || !check_table(checker))
        return false;
    if (!graph->closed)
        return true;
    if (graph->n_entered != graph->node.len)
        return bad(checker, "I4: a node that is not entered", graph->n_entered);
    if (graph->dirty.len > 0 || graph->killed.len > 0 || graph->above.len > 0 ||
        graph->learned.len > 0)
        return bad(checker, "I3: work left over", graph->dirty.len);
    return check_congruence(checker) && check_rings(checker) && check_parents(checker) &&
           check_ops(checker) && check_was(checker);
}

bool cc_check(const struct cc *graph, struct err *err)
{
    struct cc_checker checker = {.graph = graph, .err = err};
    checker.root = mem_alloc((graph->class_.len + 1) * sizeof *checker.root);
    checker.seen = mem_alloc((size_t)2 * graph->node.len + graph->edge.len + graph->wide.len + 1);
    bool ok = check_all(&checker);
    mem_free(checker.root);
    mem_free(checker.seen);
    return ok;
}
