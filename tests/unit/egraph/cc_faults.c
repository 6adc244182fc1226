// SPDX-License-Identifier: Apache-2.0
// The integrity check against planted faults: each of them, in a random closed
// graph, is found and named by the invariant that it breaks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "egraph/core/tables.h"
#include "egraph/why/why.h"

enum { OPS = 9, TRIES = 400, WANTED = 12 };
static const uint32_t arity[OPS] = {0, 0, 0, 1, 1, 2, 2, 3, 5};

static uint32_t below(struct rng *r, uint32_t n)
{
    return (uint32_t)rng_below(r, n);
}

static void add_some(struct cc *g, struct rng *r, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t arg[5], op = g->node.len < 3 ? g->node.len : below(r, OPS);
        for (uint32_t k = 0; k < arity[op]; k++)
            arg[k] = cc_class(g, below(r, g->node.len));
        uint32_t into = CC_NONE;
        if (g->node.len > 3 && below(r, 3) == 0)
            into = cc_class(g, below(r, g->node.len));
        if (cc_lookup(g, op, arg) != CC_NONE)
            continue;
        uint32_t node = cc_insert(g, op, arg, into);
        if (into != CC_NONE)
            journal_given(&g->journal, JOURNAL_GIVEN,
                          g->class_.at[into].founder, node, 0);
    }
}

static void random_graph(struct cc *g, struct rng *r)
{
    cc_init(g, true);
    for (uint32_t i = 0; i < OPS; i++) {
        uint32_t op = cc_op_new(g, arity[i]);
        g->op.at[op].listen = CC_EVENTS;
    }
    for (uint32_t round = 0; round < 3; round++) {
        add_some(g, r, 30);
        for (uint32_t i = 0; i < 5; i++)
            cc_union_given(g, JOURNAL_GIVEN, below(r, g->node.len),
                           below(r, g->node.len), i);
        cc_hide(g, below(r, g->node.len));
        cc_rebuild(g);
    }
}

// What a fault may need.  Each returns CC_NONE when the graph has none.

static bool is_dead(const struct cc *g, uint32_t node)
{
    return (g->node.at[node].op & CC_DEAD) != 0;
}

static bool is_founder(const struct cc *g, uint32_t node)
{
    for (uint32_t c = 0; c < g->class_.len; c++)
        if (g->class_.at[c].founder == node)
            return true;
    return false;
}

// A live node with `least` arguments or more, two of them at most if `narrow`.
static uint32_t live_node(const struct cc *g, struct rng *r, uint32_t least,
                          bool narrow)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t n = below(r, g->node.len);
        if (!is_dead(g, n) && !(g->node.at[n].op & CC_HIDDEN) &&
            cc_arity(g, n) >= least && (!narrow || cc_arity(g, n) <= 2))
            return n;
    }
    return CC_NONE;
}

static uint32_t dead_node(const struct cc *g, struct rng *r)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t n = below(r, g->node.len);
        if (is_dead(g, n))
            return n;
    }
    return CC_NONE;
}

static uint32_t any_class(struct cc *g, struct rng *r)
{
    return cc_find(g, below(r, g->class_.len));
}

static uint32_t merged_class(const struct cc *g, struct rng *r)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = below(r, g->class_.len);
        if (g->up.at[c] != c)
            return c;
    }
    return CC_NONE;
}

static uint32_t other_class(struct cc *g, struct rng *r, uint32_t cls)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = any_class(g, r);
        if (c != cc_find(g, cls))
            return c;
    }
    return CC_NONE;
}

static uint32_t class_with_parents(struct cc *g, struct rng *r, uint32_t least)
{
    for (uint32_t i = 0; i < 1000; i++) {
        uint32_t c = any_class(g, r);
        if (g->class_.at[c].n_parents >= least)
            return c;
    }
    return CC_NONE;
}

static uint64_t hash_of(const struct cc *g, uint32_t node)
{
    return cc_hash(g, g->node.at[node].op & CC_OP, cc_args(g, node));
}

static uint32_t slot_of(const struct cc *g, uint32_t node)
{
    uint32_t s = cc_home(g, hash_of(g, node));
    while (g->tag.at[s] < 2 || g->slot.at[s] != node)
        s = (s + 1) & g->slot_mask;
    return s;
}

static uint32_t free_slot(const struct cc *g, uint32_t from)
{
    while (g->tag.at[from] != 0)
        from = (from + 1) & g->slot_mask;
    return from;
}

static void fill_slot(struct cc *g, uint32_t s, uint32_t node)
{
    g->tag.at[s] = cc_tag(hash_of(g, node));
    g->slot.at[s] = node;
    g->n_used++;
}

// I1

static bool up_cycle(struct cc *g, struct rng *r)
{
    uint32_t c = merged_class(g, r);
    if (c != CC_NONE)
        g->up.at[cc_find(g, c)] = c;
    return c != CC_NONE;
}
static bool up_nowhere(struct cc *g, struct rng *r)
{
    g->up.at[below(r, g->class_.len)] = g->class_.len;
    return true;
}
static bool count_classes(struct cc *g, struct rng *r)
{
    g->n_classes += below(r, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool count_merges(struct cc *g, struct rng *r)
{
    g->n_merges += below(r, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}

// I2

static bool slot_lost(struct cc *g, struct rng *r)
{
    g->tag.at[slot_of(g, live_node(g, r, 0, false))] = 1;
    return true;
}
static bool slot_twice(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    fill_slot(g, free_slot(g, slot_of(g, node)), node);
    return true;
}
static bool slot_tag(struct cc *g, struct rng *r)
{
    uint8_t *t = &g->tag.at[slot_of(g, live_node(g, r, 0, false))];
    *t = (uint8_t)(*t ^ 64);
    return true;
}
static bool slot_far(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    uint32_t s = free_slot(g, (slot_of(g, node) + 1) & g->slot_mask);
    uint32_t f = free_slot(g, (s + 1) & g->slot_mask);
    g->tag.at[slot_of(g, node)] = 1;
    fill_slot(g, f, node);
    return true;
}
static bool slot_dead(struct cc *g, struct rng *r)
{
    uint32_t node = dead_node(g, r);
    if (node != CC_NONE)
        fill_slot(g, free_slot(g, cc_home(g, hash_of(g, node))), node);
    return node != CC_NONE;
}
static bool slots_used(struct cc *g, struct rng *r)
{
    g->n_used += below(r, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool node_op(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false), op = g->node.at[node].op;
    uint32_t other = op ^ 1;
    if (other >= OPS || arity[other] != arity[op])
        return false;
    g->node.at[node].op = other;
    return true;
}
static bool node_arg(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 1, true);
    uint32_t c =
        node == CC_NONE ? CC_NONE : other_class(g, r, g->node.at[node].a);
    if (c != CC_NONE)
        g->node.at[node].a = c;
    return c != CC_NONE;
}

// I3

static bool arg_stale(struct cc *g, struct rng *r)
{
    uint32_t c = merged_class(g, r);
    for (uint32_t i = 0; i < g->node.len && c != CC_NONE; i++) {
        struct enode *n = &g->node.at[i];
        if (is_dead(g, i) || cc_arity(g, i) < 1 || cc_arity(g, i) > 2 ||
            n->a != cc_find(g, c))
            continue;
        cc_table_remove(g, i, hash_of(g, i));
        n->a = c;
        cc_table_reserve(g, 1);
        cc_table_put(g, i, hash_of(g, i));
        return true;
    }
    return false;
}
static bool dead_lives(struct cc *g, struct rng *r)
{
    uint32_t d = dead_node(g, r);
    if (d == CC_NONE)
        return false;
    uint32_t n = cc_arity(g, d);
    uint32_t *args = n > 2 ? g->wide.at + g->node.at[d].a : &g->node.at[d].a;
    for (uint32_t k = 0; k < n; k++)
        args[k] = cc_find(g, args[k]);
    g->node.at[d].op &= ~CC_DEAD;
    fill_slot(g, free_slot(g, cc_home(g, hash_of(g, d))), d);
    return true;
}
static bool live_dies(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    cc_table_remove(g, node, hash_of(g, node));
    g->node.at[node].op |= CC_DEAD;
    return true;
}
static bool dead_elsewhere(struct cc *g, struct rng *r)
{
    uint32_t d = dead_node(g, r);
    uint32_t c = d == CC_NONE ? CC_NONE : other_class(g, r, g->cls.at[d]);
    if (c == CC_NONE || is_founder(g, d))
        return false;
    g->cls.at[d] = c;
    return true;
}
static bool dead_hidden(struct cc *g, struct rng *r)
{
    uint32_t d = dead_node(g, r), arg[5];
    if (d == CC_NONE)
        return false;
    for (uint32_t k = 0; k < cc_arity(g, d); k++)
        arg[k] = cc_find(g, cc_args(g, d)[k]);
    uint32_t twin = cc_lookup(g, g->node.at[d].op & CC_OP, arg);
    g->node.at[d].op |= CC_HIDDEN;
    return !(g->node.at[twin].op & CC_HIDDEN);
}
static bool work_left(struct cc *g, struct rng *r)
{
    struct u32_vec *list[] = {&g->dirty, &g->killed, &g->above, &g->learned};
    struct u32_vec *one = list[below(r, 4)];
    vec_push(one, 0);
    return true;
}

// I4

static bool ring_cut(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    uint32_t c = cc_class(g, node);
    if (g->next.at[node] == node || g->class_.at[c].n_nodes < 2)
        return false;
    g->class_.at[c].member = node;
    g->next.at[node] = node;
    return true;
}
static bool rings_crossed(struct cc *g, struct rng *r)
{
    uint32_t a = live_node(g, r, 0, false), b = live_node(g, r, 0, false);
    if (cc_class(g, a) == cc_class(g, b))
        return false;
    uint32_t x = g->next.at[a];
    g->next.at[a] = g->next.at[b];
    g->next.at[b] = x;
    return true;
}
static bool ring_of_other(struct cc *g, struct rng *r)
{
    uint32_t c = any_class(g, r), d = other_class(g, r, c);
    if (d != CC_NONE)
        g->class_.at[c].member = g->class_.at[d].member;
    return d != CC_NONE;
}
static bool ring_open(struct cc *g, struct rng *r)
{
    uint32_t c = any_class(g, r), m = g->class_.at[c].member;
    if (g->next.at[m] == m)
        return false;
    g->next.at[g->next.at[m]] = g->next.at[m]; // never back to the member
    return true;
}
static bool count_nodes(struct cc *g, struct rng *r)
{
    g->class_.at[any_class(g, r)].n_nodes++;
    return true;
}
static bool count_dead(struct cc *g, struct rng *r)
{
    g->class_.at[any_class(g, r)].n_dead++;
    return true;
}
static bool count_live(struct cc *g, struct rng *r)
{
    g->n_live += below(r, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool ops_lost(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    g->class_.at[cc_class(g, node)].ops &=
        ~cc_op_bit(g->node.at[node].op & CC_OP);
    return true;
}
static bool node_elsewhere(struct cc *g, struct rng *r)
{
    uint32_t node = live_node(g, r, 0, false);
    uint32_t c = other_class(g, r, g->cls.at[node]);
    if (c == CC_NONE || is_founder(g, node))
        return false;
    for (uint32_t i = 0; i < g->node.len; i++)
        if (is_dead(g, i) && // which would say I3
            ((g->node.at[i].op ^ g->node.at[node].op) & CC_OP) == 0)
            return false;
    g->cls.at[node] = c;
    return true;
}
static bool founder_wrong(struct cc *g, struct rng *r)
{
    uint32_t c = below(r, g->class_.len), d = other_class(g, r, c);
    if (d != CC_NONE)
        g->class_.at[c].founder = g->class_.at[d].founder;
    return d != CC_NONE;
}
static bool not_entered(struct cc *g, struct rng *r)
{
    (void)r;
    g->n_entered--;
    return true;
}

// I5

static bool place_lost(struct cc *g, struct rng *r)
{
    uint32_t c = class_with_parents(g, r, 1);
    if (c == CC_NONE || is_dead(g, cc_place_node(g, g->class_.at[c].parents)))
        return false;
    g->class_.at[c].parents = *cc_place_link(g, g->class_.at[c].parents);
    g->class_.at[c].n_parents--;
    return true;
}
static bool place_twice(struct cc *g, struct rng *r)
{
    uint32_t c = class_with_parents(g, r, 2);
    if (c == CC_NONE)
        return false;
    uint32_t p = g->class_.at[c].parents;
    *cc_place_link(g, *cc_place_link(g, p)) = p;
    return true;
}
static bool place_elsewhere(struct cc *g, struct rng *r)
{
    uint32_t c = class_with_parents(g, r, 1);
    uint32_t d = c == CC_NONE ? CC_NONE : other_class(g, r, c);
    if (d == CC_NONE)
        return false;
    uint32_t p = g->class_.at[c].parents;
    g->class_.at[c].parents = *cc_place_link(g, p);
    g->class_.at[c].n_parents--;
    *cc_place_link(g, p) = g->class_.at[d].parents;
    g->class_.at[d].parents = p;
    g->class_.at[d].n_parents++;
    return true;
}
static bool place_nowhere(struct cc *g, struct rng *r)
{
    bool wide = below(r, 2) == 0;
    g->class_.at[any_class(g, r)].parents =
        wide ? CC_WIDE | g->wide.len : g->edge.len;
    return true;
}
static bool place_of_other(struct cc *g, struct rng *r)
{
    if (g->wide_node.len == 0)
        return false;
    uint32_t w = below(r, g->wide_node.len), node = live_node(g, r, 0, true);
    if (is_dead(g, g->wide_node.at[w]))
        return false;
    g->wide_node.at[w] = node;
    return true;
}
static bool count_parents(struct cc *g, struct rng *r)
{
    g->class_.at[any_class(g, r)].n_parents++;
    return true;
}
static bool uses_lost(struct cc *g, struct rng *r)
{
    uint32_t c = class_with_parents(g, r, 1);
    if (c == CC_NONE || is_dead(g, cc_place_node(g, g->class_.at[c].parents)))
        return false;
    g->class_.at[c].uses = 0;
    return true;
}
static bool count_edges(struct cc *g, struct rng *r)
{
    g->dead_edges += below(r, 2) == 0 ? 1 : UINT64_MAX;
    return true;
}

// I6

static bool was_other(struct cc *g, struct rng *r)
{
    struct u32_vec *was = &g->journal.was;
    if (was->len == 0)
        return false;
    uint32_t *c = &was->at[2 * below(r, was->len / 2) + 1];
    uint32_t d = other_class(g, r, *c);
    if (d != CC_NONE)
        *c = d;
    return d != CC_NONE;
}
static bool was_lost(struct cc *g, struct rng *r)
{
    (void)r;
    struct u32_vec *was = &g->journal.was;
    if (was->len == 0 || (was->at[was->len - 2] & CC_WIDE))
        return false;
    was->len -= 2;
    return true;
}
static bool was_twice(struct cc *g, struct rng *r)
{
    struct u32_vec *was = &g->journal.was;
    uint32_t i = was->len == 0 ? 0 : 2 * below(r, was->len / 2);
    if (was->len == 0 || (was->at[i] & CC_WIDE))
        return false;
    uint32_t place = was->at[i], cls = was->at[i + 1];
    vec_push(was, place);
    vec_push(was, cls);
    return true;
}
static bool was_unmarked(struct cc *g, struct rng *r)
{
    g->mark.at[below(r, g->node.len)] ^=
        below(r, 2) == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    return true;
}
static bool reason_missing(struct cc *g, struct rng *r)
{
    bool news = cc_union(g, any_class(g, r), any_class(g, r));
    cc_rebuild(g);
    return news;
}
static bool reason_too_many(struct cc *g, struct rng *r)
{
    uint32_t a = below(r, g->node.len), b = below(r, g->node.len);
    journal_given(&g->journal, JOURNAL_GIVEN, a, b, 0);
    return cc_class(g, a) != cc_class(g, b);
}
static bool congruence_of_ops(struct cc *g, struct rng *r)
{
    uint32_t a = live_node(g, r, 0, false), b = g->next.at[a];
    journal_congruence(&g->journal, a, b);
    return ((g->node.at[a].op ^ g->node.at[b].op) & CC_OP) != 0;
}
static bool congruence_of_args(struct cc *g, struct rng *r)
{
    uint32_t a = live_node(g, r, 1, true), b = live_node(g, r, 1, true);
    if (a == CC_NONE || g->node.at[a].op != g->node.at[b].op || a == b)
        return false;
    journal_congruence(&g->journal, a, b);
    cc_union(g, g->cls.at[a], g->cls.at[b]);
    cc_rebuild(g);
    return true;
}

// I7

static struct cc_op *some_op(struct cc *g, struct rng *r, bool eventful)
{
    for (uint32_t i = 0; i < 1000; i++) {
        struct cc_op *o = &g->op.at[below(r, OPS)];
        if (o->all.len > 1 && (!eventful || o->events.len > o->round_events))
            return o;
    }
    return NULL;
}
static bool all_lost(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, false);
    if (o == NULL || is_dead(g, vec_last(&o->all)))
        return false;
    o->all.len--;
    return true;
}
static bool all_unsorted(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, false);
    if (o == NULL)
        return false;
    uint32_t x = o->all.at[0];
    o->all.at[0] = o->all.at[1];
    o->all.at[1] = x;
    return true;
}
static bool all_foreign(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, false), *p = some_op(g, r, false);
    if (o == NULL || o == p)
        return false;
    o->all.at[o->all.len - 1] = p->all.at[p->all.len - 1];
    return true;
}
static bool event_lost(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, true);
    if (o != NULL)
        o->events.len--;
    return o != NULL;
}
static bool event_twice(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, true);
    uint32_t node = o == NULL ? 0 : vec_last(&o->events);
    if (o != NULL)
        vec_push(&o->events, node);
    return o != NULL;
}
static bool event_unmarked(struct cc *g, struct rng *r)
{
    struct cc_op *o = some_op(g, r, true);
    if (o != NULL)
        g->mark.at[vec_last(&o->events)] &= (uint8_t)~CC_EVENTS;
    return o != NULL;
}

static const struct fault {
    const char *name, *found;
    bool (*plant)(struct cc *g, struct rng *r);
} faults[] = {
    {"up_cycle", "I1: up", up_cycle},
    {"up_nowhere", "I1: up", up_nowhere},
    {"count_classes", "I1: n_classes", count_classes},
    {"count_merges", "I1: n_merges", count_merges},
    {"slot_lost", "I2: a live node that is not", slot_lost},
    {"slot_twice", "I2: a node twice", slot_twice},
    {"slot_tag", "I2: a wrong tag", slot_tag},
    {"slot_far", "I2: a node that is not found", slot_far},
    {"slot_dead", "I2: a slot without", slot_dead},
    {"slots_used", "I2: n_used", slots_used},
    {"node_op", "I2: ", node_op},
    {"node_arg", "I2: ", node_arg},
    {"arg_stale", "I3: an argument that is not canonical", arg_stale},
    {"dead_lives", "I3: a live node congruent", dead_lives},
    {"live_dies", "I3: a dead node without", live_dies},
    {"dead_elsewhere", "I3: congruent nodes in two", dead_elsewhere},
    {"dead_hidden", "I3: a hidden node", dead_hidden},
    {"work_left", "I3: work left", work_left},
    {"ring_cut", "I4: n_nodes", ring_cut},
    {"rings_crossed", "I4: a ", rings_crossed},
    {"ring_of_other", "I4: a ", ring_of_other},
    {"ring_open", "I4: a ring", ring_open},
    {"count_nodes", "I4: n_nodes", count_nodes},
    {"count_dead", "I4: n_dead", count_dead},
    {"count_live", "I4: n_live", count_live},
    {"ops_lost", "I4: ops", ops_lost},
    {"node_elsewhere", "I4: a node in the ring", node_elsewhere},
    {"founder_wrong", "I4: a founder", founder_wrong},
    {"not_entered", "I4: a list's length", not_entered},
    {"place_lost", "I5: an argument in no", place_lost},
    {"place_twice", "I5: a place twice", place_twice},
    {"place_elsewhere", "I5: a place with another", place_elsewhere},
    {"place_nowhere", "I5: a place that is none", place_nowhere},
    {"place_of_other", "I5: a place of the wrong", place_of_other},
    {"count_parents", "I5: n_parents", count_parents},
    {"uses_lost", "I5: uses", uses_lost},
    {"count_edges", "I5: dead_edges", count_edges},
    {"was_other", "I6: a first argument in another", was_other},
    {"was_lost", "I6: a first argument that is lost", was_lost},
    {"was_twice", "I6: two first", was_twice},
    {"was_unmarked", "I6: a first argument that is lost", was_unmarked},
    {"reason_missing", "I6: no reason", reason_missing},
    {"reason_too_many", "I6: ", reason_too_many},
    {"congruence_of_ops", "I6: congruence of two", congruence_of_ops},
    {"congruence_of_args", "I6: congruence before", congruence_of_args},
    {"all_lost", "I7: a live node in no", all_lost},
    {"all_unsorted", "I7: a wrong node", all_unsorted},
    {"all_foreign", "I7: a wrong node", all_foreign},
    {"event_lost", "I7: a mark", event_lost},
    {"event_twice", "I7: an event twice", event_twice},
    {"event_unmarked", "I7: an event without", event_unmarked},
};

static bool check(struct cc *g, struct err *e)
{
    struct why w;
    if (!cc_check(g, e))
        return false;
    why_init(&w, g, NULL);
    bool ok = why_read(&w, e) && why_check(&w, e);
    why_release(&w);
    return ok;
}

static void faults_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint32_t planted = 0;
        for (uint64_t s = 1; s <= TRIES && planted < WANTED; s++) {
            struct cc g;
            struct rng r;
            struct err e = {0};
            rng_seed(&r, s);
            random_graph(&g, &r);
            if (!check(&g, &e))
                fail_msg("graph %u: %s", (unsigned)s, e.msg);
            if (faults[i].plant(&g, &r)) {
                planted++;
                if (check(&g, &e))
                    fail_msg("%s is not found in graph %u", faults[i].name,
                             (unsigned)s);
                if (strstr(e.msg, faults[i].found) == NULL)
                    fail_msg("%s in graph %u is found as: %s", faults[i].name,
                             (unsigned)s, e.msg);
            }
            cc_release(&g);
        }
        if (planted < 3)
            fail_msg("%s is planted %u times", faults[i].name, planted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_are_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
