// SPDX-License-Identifier: Apache-2.0
// The integrity check against planted faults: each of them, in a random closed
// graph, is found and named by the invariant that it breaks.
#include "tests/unit/support/cc_places.h"

// I1

static bool up_cycle(struct cc *graph, struct rng *rng)
{
    uint32_t c = merged_class(graph, rng);
    if (c != CC_NONE)
        graph->up.at[cc_find(graph, c)] = c;
    return c != CC_NONE;
}
static bool up_nowhere(struct cc *graph, struct rng *rng)
{
    graph->up.at[below(rng, graph->class_.len)] = graph->class_.len;
    return true;
}
static bool count_classes(struct cc *graph, struct rng *rng)
{
    graph->n_classes += below(rng, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool count_merges(struct cc *graph, struct rng *rng)
{
    graph->n_merges += below(rng, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}

// I2

static bool slot_lost(struct cc *graph, struct rng *rng)
{
    graph->slot.at[slot_of(graph, live_node(graph, rng, 0, false))] = CC_SLOT_GONE;
    return true;
}
static bool slot_twice(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    fill_slot(graph, free_slot(graph, slot_of(graph, node)), node);
    return true;
}
static bool slot_hash(struct cc *graph, struct rng *rng)
{
    graph->slot.at[slot_of(graph, live_node(graph, rng, 0, false))] ^= graph->id_mask + 1;
    return true;
}
static bool slot_far(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    uint32_t s = free_slot(graph, cc_after(graph, slot_of(graph, node)));
    uint32_t f = free_slot(graph, cc_after(graph, s));
    graph->slot.at[slot_of(graph, node)] = CC_SLOT_GONE;
    fill_slot(graph, f, node);
    return true;
}
static bool slot_dead(struct cc *graph, struct rng *rng)
{
    uint32_t node = dead_node(graph, rng);
    if (node != CC_NONE)
        fill_slot(graph, free_slot(graph, cc_home(graph, hash_of(graph, node))), node);
    return node != CC_NONE;
}
static bool slots_used(struct cc *graph, struct rng *rng)
{
    graph->n_used += below(rng, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool node_op(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false), op = graph->node.at[node].op;
    uint32_t other = op ^ 1;
    if (other >= OPS || arity[other] != arity[op])
        return false;
    graph->node.at[node].op = other;
    return true;
}
static bool node_arg(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 1, true);
    uint32_t c = node == CC_NONE ? CC_NONE : other_class(graph, rng, graph->node.at[node].a);
    if (c != CC_NONE)
        graph->node.at[node].a = c;
    return c != CC_NONE;
}

// I3

static bool arg_stale(struct cc *graph, struct rng *rng)
{
    uint32_t c = merged_class(graph, rng);
    for (uint32_t i = 0; i < graph->node.len && c != CC_NONE; i++) {
        struct enode *node = &graph->node.at[i];
        if (is_dead(graph, i) || cc_arity(graph, i) < 1 || cc_arity(graph, i) > 2 ||
            node->a != cc_find(graph, c))
            continue;
        cc_table_remove(graph, i, hash_of(graph, i));
        node->a = c;
        cc_table_reserve(graph, 1);
        cc_table_put(graph, i, hash_of(graph, i));
        return true;
    }
    return false;
}
static bool dead_lives(struct cc *graph, struct rng *rng)
{
    uint32_t d = dead_node(graph, rng);
    if (d == CC_NONE)
        return false;
    uint32_t n = cc_arity(graph, d);
    uint32_t *args = n > 2 ? graph->wide.at + graph->node.at[d].a : &graph->node.at[d].a;
    for (uint32_t k = 0; k < n; k++)
        args[k] = cc_find(graph, args[k]);
    graph->node.at[d].op &= ~CC_DEAD;
    fill_slot(graph, free_slot(graph, cc_home(graph, hash_of(graph, d))), d);
    return true;
}
static bool live_dies(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    cc_table_remove(graph, node, hash_of(graph, node));
    graph->node.at[node].op |= CC_DEAD;
    return true;
}
static bool dead_elsewhere(struct cc *graph, struct rng *rng)
{
    uint32_t d = dead_node(graph, rng);
    uint32_t c = d == CC_NONE ? CC_NONE : other_class(graph, rng, graph->node.at[d].cls);
    if (c == CC_NONE || is_founder(graph, d))
        return false;
    graph->node.at[d].cls = c;
    return true;
}
static bool dead_hidden(struct cc *graph, struct rng *rng)
{
    uint32_t d = dead_node(graph, rng), arg[5];
    if (d == CC_NONE)
        return false;
    for (uint32_t k = 0; k < cc_arity(graph, d); k++)
        arg[k] = cc_find(graph, cc_args(graph, d)[k]);
    uint32_t twin = cc_lookup(graph, graph->node.at[d].op & CC_OP, arg);
    graph->node.at[d].op |= CC_HIDDEN;
    return !(graph->node.at[twin].op & CC_HIDDEN);
}
static bool work_left(struct cc *graph, struct rng *rng)
{
    struct u32_vec *list[] = {&graph->dirty, &graph->killed, &graph->above, &graph->learned};
    struct u32_vec *one = list[below(rng, 4)];
    vec_push(one, 0);
    return true;
}

// I4

static bool ring_cut(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    uint32_t c = cc_class(graph, node);
    if (graph->next.at[node] == node || graph->class_.at[c].n_nodes < 2)
        return false;
    graph->class_.at[c].member = node;
    graph->next.at[node] = node;
    return true;
}
static bool rings_crossed(struct cc *graph, struct rng *rng)
{
    uint32_t a = live_node(graph, rng, 0, false), b = live_node(graph, rng, 0, false);
    if (cc_class(graph, a) == cc_class(graph, b))
        return false;
    uint32_t x = graph->next.at[a];
    graph->next.at[a] = graph->next.at[b];
    graph->next.at[b] = x;
    return true;
}
static bool ring_of_other(struct cc *graph, struct rng *rng)
{
    uint32_t c = any_class(graph, rng), d = other_class(graph, rng, c);
    if (d != CC_NONE)
        graph->class_.at[c].member = graph->class_.at[d].member;
    return d != CC_NONE;
}
static bool ring_open(struct cc *graph, struct rng *rng)
{
    uint32_t c = any_class(graph, rng), m = graph->class_.at[c].member;
    if (graph->next.at[m] == m)
        return false;
    graph->next.at[graph->next.at[m]] = graph->next.at[m]; // never back to the member
    return true;
}
static bool count_nodes(struct cc *graph, struct rng *rng)
{
    graph->class_.at[any_class(graph, rng)].n_nodes++;
    return true;
}
static bool count_dead(struct cc *graph, struct rng *rng)
{
    graph->class_.at[any_class(graph, rng)].n_dead++;
    return true;
}
static bool count_live(struct cc *graph, struct rng *rng)
{
    graph->n_live += below(rng, 2) == 0 ? 1 : UINT32_MAX;
    return true;
}
static bool ops_lost(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    graph->class_.at[cc_class(graph, node)].ops &= ~cc_op_bit(graph->node.at[node].op & CC_OP);
    return true;
}
static bool node_elsewhere(struct cc *graph, struct rng *rng)
{
    uint32_t node = live_node(graph, rng, 0, false);
    uint32_t c = other_class(graph, rng, graph->node.at[node].cls);
    if (c == CC_NONE || is_founder(graph, node))
        return false;
    for (uint32_t i = 0; i < graph->node.len; i++)
        if (is_dead(graph, i) && // which would say I3
            ((graph->node.at[i].op ^ graph->node.at[node].op) & CC_OP) == 0)
            return false;
    graph->node.at[node].cls = c;
    return true;
}
static bool founder_wrong(struct cc *graph, struct rng *rng)
{
    uint32_t c = below(rng, graph->class_.len), d = other_class(graph, rng, c);
    if (d != CC_NONE)
        graph->class_.at[c].founder = graph->class_.at[d].founder;
    return d != CC_NONE;
}
static bool not_entered(struct cc *graph, struct rng *rng)
{
    (void)rng;
    graph->n_entered--;
    return true;
}

// I5

static bool place_lost(struct cc *graph, struct rng *rng)
{
    uint32_t c = class_with_parents(graph, rng, 1);
    if (c == CC_NONE || is_dead(graph, cc_place_node(graph, graph->class_.at[c].parents)))
        return false;
    graph->class_.at[c].parents = *cc_place_link(graph, graph->class_.at[c].parents);
    graph->class_.at[c].n_parents--;
    return true;
}
static bool place_twice(struct cc *graph, struct rng *rng)
{
    uint32_t c = class_with_parents(graph, rng, 2);
    if (c == CC_NONE)
        return false;
    uint32_t p = graph->class_.at[c].parents;
    *cc_place_link(graph, *cc_place_link(graph, p)) = p;
    return true;
}
static bool place_elsewhere(struct cc *graph, struct rng *rng)
{
    uint32_t c = class_with_parents(graph, rng, 1);
    uint32_t d = c == CC_NONE ? CC_NONE : other_class(graph, rng, c);
    if (d == CC_NONE)
        return false;
    uint32_t p = graph->class_.at[c].parents;
    graph->class_.at[c].parents = *cc_place_link(graph, p);
    graph->class_.at[c].n_parents--;
    *cc_place_link(graph, p) = graph->class_.at[d].parents;
    graph->class_.at[d].parents = p;
    graph->class_.at[d].n_parents++;
    return true;
}
static bool place_nowhere(struct cc *graph, struct rng *rng)
{
    bool wide = below(rng, 2) == 0;
    graph->class_.at[any_class(graph, rng)].parents =
        wide ? CC_WIDE | graph->wide.len : graph->edge.len;
    return true;
}
static bool place_of_other(struct cc *graph, struct rng *rng)
{
    if (graph->wide_node.len == 0)
        return false;
    uint32_t w = below(rng, graph->wide_node.len), node = live_node(graph, rng, 0, true);
    if (is_dead(graph, graph->wide_node.at[w]))
        return false;
    graph->wide_node.at[w] = node;
    return true;
}
static bool count_parents(struct cc *graph, struct rng *rng)
{
    graph->class_.at[any_class(graph, rng)].n_parents++;
    return true;
}
static bool uses_lost(struct cc *graph, struct rng *rng)
{
    uint32_t c = class_with_parents(graph, rng, 1);
    if (c == CC_NONE || is_dead(graph, cc_place_node(graph, graph->class_.at[c].parents)))
        return false;
    graph->class_.at[c].uses = 0;
    return true;
}
static bool count_edges(struct cc *graph, struct rng *rng)
{
    graph->dead_edges += below(rng, 2) == 0 ? 1 : UINT64_MAX;
    return true;
}

// I6

static bool was_other(struct cc *graph, struct rng *rng)
{
    struct u32_vec *was = &graph->journal.was;
    if (was->len == 0)
        return false;
    uint32_t *c = &was->at[2 * below(rng, was->len / 2) + 1];
    uint32_t d = other_class(graph, rng, *c);
    if (d != CC_NONE)
        *c = d;
    return d != CC_NONE;
}
static bool was_lost(struct cc *graph, struct rng *rng)
{
    (void)rng;
    struct u32_vec *was = &graph->journal.was;
    if (was->len == 0 || (was->at[was->len - 2] & CC_WIDE))
        return false;
    was->len -= 2;
    return true;
}
static bool was_twice(struct cc *graph, struct rng *rng)
{
    struct u32_vec *was = &graph->journal.was;
    uint32_t i = was->len == 0 ? 0 : 2 * below(rng, was->len / 2);
    if (was->len == 0 || (was->at[i] & CC_WIDE))
        return false;
    uint32_t place = was->at[i], cls = was->at[i + 1];
    vec_push(was, place);
    vec_push(was, cls);
    return true;
}
static bool was_unmarked(struct cc *graph, struct rng *rng)
{
    graph->mark.at[below(rng, graph->node.len)] ^= below(rng, 2) == 0 ? CC_LOGGED_A : CC_LOGGED_B;
    return true;
}
static bool reason_missing(struct cc *graph, struct rng *rng)
{
    bool news = cc_union(graph, any_class(graph, rng), any_class(graph, rng));
    cc_rebuild(graph);
    return news;
}
static bool reason_too_many(struct cc *graph, struct rng *rng)
{
    uint32_t a = below(rng, graph->node.len), b = below(rng, graph->node.len);
    journal_given(&graph->journal, JOURNAL_GIVEN, a, b, 0);
    return cc_class(graph, a) != cc_class(graph, b);
}
static bool congruence_of_ops(struct cc *graph, struct rng *rng)
{
    uint32_t a = live_node(graph, rng, 0, false), b = graph->next.at[a];
    journal_congruence(&graph->journal, a, b);
    return ((graph->node.at[a].op ^ graph->node.at[b].op) & CC_OP) != 0;
}
static bool congruence_of_args(struct cc *graph, struct rng *rng)
{
    uint32_t a = live_node(graph, rng, 1, true), b = live_node(graph, rng, 1, true);
    if (a == CC_NONE || graph->node.at[a].op != graph->node.at[b].op || a == b)
        return false;
    journal_congruence(&graph->journal, a, b);
    cc_union(graph, graph->node.at[a].cls, graph->node.at[b].cls);
    cc_rebuild(graph);
    return true;
}

// I7

static struct cc_op *some_op(struct cc *graph, struct rng *rng, bool eventful)
{
    for (uint32_t i = 0; i < 1000; i++) {
        struct cc_op *operator= & graph->op.at[below(rng, OPS)];
        if (operator->all.len> 1 &&(!eventful || operator->events.len> operator->round_events))
            return operator;
    }
    return NULL;
}
static bool all_lost(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, false);
    if (operator== NULL || is_dead(graph, vec_last(&operator->all)))
        return false;
    operator->all.len--;
    return true;
}
static bool all_unsorted(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, false);
    if (operator== NULL)
        return false;
    uint32_t x = operator->all.at[0];
    operator->all.at[0] = operator->all.at[1];
    operator->all.at[1] = x;
    return true;
}
static bool all_foreign(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, false), *p = some_op(graph, rng, false);
    if (operator== NULL || operator== p)
        return false;
    operator->all.at[operator->all.len - 1] = p->all.at[p->all.len - 1];
    return true;
}
static bool event_lost(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, true);
    if (operator!= NULL)
        operator->events.len--;
    return operator!= NULL;
}
static bool event_twice(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, true);
    uint32_t node = operator== NULL ? 0 : vec_last(&operator->events);
    if (operator!= NULL)
        vec_push(&operator->events, node);
    return operator!= NULL;
}
static bool event_unmarked(struct cc *graph, struct rng *rng)
{
    struct cc_op *operator= some_op(graph, rng, true);
    if (operator!= NULL)
        graph->mark.at[vec_last(&operator->events)] &= (uint8_t)~CC_EVENTS;
    return operator!= NULL;
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
    {"slot_hash", "I2: a slot with another hash", slot_hash},
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

static bool check(struct cc *graph, struct err *err)
{
    struct why why;
    if (!cc_check(graph, err))
        return false;
    why_init(&why, graph, NULL);
    bool ok = why_read(&why, err) && why_check(&why, err);
    why_release(&why);
    return ok;
}

static void faults_are_found(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        uint32_t planted = 0;
        for (uint64_t s = 1; s <= TRIES && planted < WANTED; s++) {
            struct cc graph;
            struct rng rng;
            struct err err = {0};
            rng_seed(&rng, s);
            random_graph(&graph, &rng);
            if (!check(&graph, &err))
                fail_msg("graph %u: %s", (unsigned)s, err.msg);
            if (faults[i].plant(&graph, &rng)) {
                planted++;
                if (check(&graph, &err))
                    fail_msg("%s is not found in graph %u", faults[i].name, (unsigned)s);
                if (strstr(err.msg, faults[i].found) == NULL)
                    fail_msg("%s in graph %u is found as: %s", faults[i].name, (unsigned)s,
                             err.msg);
            }
            cc_release(&graph);
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
