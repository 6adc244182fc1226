// SPDX-License-Identifier: Apache-2.0
// Which plans of a rule are searched, and how far they have come.
#include "egraph/plain/saturate/search_core.h"

#include <stddef.h>

static void set_new(struct plain_search *search)
{
    const struct seen_mark *seen = search->since;
    search->old = seen->ever ? seen->nodes : 0;
    bool last = seen->round + 1 == search->graph->round;
    for (uint32_t i = 0; i < search->rule->n_atoms; i++) {
        uint8_t listen = search->rule->atom[i].listen;
        search->marks[i] = search->sought ? (listen ? CC_SOUGHT : 0) : last ? listen : 0;
    }
}

// Can marks tell what is new?  Only where the graph stands still, or the last
// search was in the round before.
static bool tells(const struct plain_search *search)
{
    const struct seen_mark *seen = search->since;
    return seen->ever && (search->sought || seen->round + 1 == search->graph->round) &&
           search->pause == NULL &&
           (search->until == NULL || search->until->round == search->graph->round) &&
           (search->cursor == NULL || (search->cursor->at == 0 && !search->cursor->in_events));
}

// Have events of one of the atoms been dropped since?
static bool lost(const struct plain_search *search)
{
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        if (search->rule->atom[i].op != ATOM_ANY && search->since->ever &&
            search->since->atom[i].events <
                search->graph->op.at[search->rule->atom[i].op].event_base)
            return true;
    return false;
}

// Nodes with which an atom goes first in its own plan, at most.
static uint64_t news_of(const struct plain_search *search, uint32_t i)
{
    const struct plain_atom *atom = &search->rule->atom[i];
    const struct cc_op *op_info = &search->graph->op.at[atom->op];
    uint64_t n = op_info->all.len - search->since->atom[i].all;
    if (atom->listen)
        n += op_info->event_base + op_info->events.len - search->since->atom[i].events;
    return n;
}

// How many nodes the second step looks at if the first atom has this node.
static uint64_t second_looks(const struct plain_search *search, const struct plain_atom *atom,
                             const struct plain_step *st, uint32_t node)
{
    const struct plain_atom *b = &search->rule->atom[st->atom];
    const struct cc *graph = search->graph;
    bool up = st->kind == STEP_UP;
    uint32_t var = up ? b->arg[st->via] : b->cls, cls = graph->node.at[node].cls;
    const uint32_t *args =
        atom->n > 2 ? graph->wide.at + graph->node.at[node].a : &graph->node.at[node].a;
    for (uint32_t k = 0; var != atom->cls && k < atom->n; k++)
        if (atom->arg[k] == var)
            cls = args[k];
    const struct eclass *class = &graph->class_.at[cls];
    if (up)
        return class->uses & cc_use_bit(b->op, st->via) ? class->n_parents : 0;
    return class->ops & cc_op_bit(b->op) ? class->n_nodes : 0;
}

// For a rule of two atoms: estimates how many nodes a search looks at that goes
// through so many nodes of the first atom, by a sample from here on.
static uint64_t effort(const struct plain_search *search, uint32_t i, uint32_t from, uint64_t nodes)
{
    enum { LOOKUP = 4 };
    const struct plain_atom *atom = &search->rule->atom[i];
    const struct plain_step *st = &plain_steps(search->rule, i)[1];
    const struct u32_vec *all = &search->graph->op.at[atom->op].all;
    if (st->kind == STEP_LOOKUP)
        return nodes * LOOKUP;
    if (st->kind == STEP_SCAN)
        return nodes * (1 + search->graph->op.at[search->rule->atom[st->atom].op].all.len);
    from = from < all->len ? from : 0;
    uint32_t by = (all->len - from) / EGRAPH_PLAN_SAMPLE + 1, asked = 0;
    uint64_t sum = 0;
    for (uint32_t k = from; k < all->len; k += by, asked++)
        sum += second_looks(search, atom, st, all->at[k]);
    return asked == 0 ? 0 : nodes + nodes * sum / asked;
}

bool search_from_other(const struct plain_search *search, uint32_t i)
{
    const struct plain_rule *rule = search->rule;
    if (rule->n_atoms != 2 || rule->atom[1 - i].op == ATOM_ANY || !tells(search) ||
        search->since->atom[i].events < search->graph->op.at[rule->atom[i].op].event_base)
        return false;
    uint64_t news = news_of(search, i);
    if (news < 2)
        return false;
    return effort(search, 1 - i, 0, search->graph->op.at[rule->atom[1 - i].op].all.len) <
           effort(search, i, search->since->atom[i].all, news);
}

// Of the nodes that had events since the last search.
static void set_marks(struct plain_search *search, uint32_t i, uint8_t set, uint8_t clear)
{
    struct cc *graph = search->graph;
    const struct plain_atom *atom = &search->rule->atom[i];
    if (atom->op == ATOM_ANY || !atom->listen)
        return;
    const struct cc_op *op_info = &graph->op.at[atom->op];
    for (uint64_t k = search->since->atom[i].events - op_info->event_base; k < op_info->events.len;
         k++) {
        uint8_t *mark = &graph->mark.at[op_info->events.at[k]];
        *mark = (uint8_t)((*mark | set) & ~clear);
    }
}

// Where most nodes are new, one plan over all of them costs less than a plan
// for each atom over its new ones: lists of parents are longer than rings.
static bool mostly_new(const struct plain_search *search)
{
    const struct plain_rule *rule = search->rule;
    const struct seen_mark *seen = search->since;
    const struct search_cursor *cursor = search->cursor;
    if (rule->n_atoms < 2 || !tells(search) || lost(search) ||
        (cursor != NULL && (cursor->plan > 0 || cursor->whole)))
        return false;
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        if (rule->atom[i].op == ATOM_ANY)
            return false;
        const struct cc_op *op_info = &search->graph->op.at[rule->atom[i].op];
        if (op_info->arity > 0 && seen->atom[i].all > op_info->all.len / 2)
            return false;
    }
    return true;
}

// Matches new and old by one plan, which may begin with either of two atoms.
static bool run_all(struct plain_search *search)
{
    const struct plain_rule *rule = search->rule;
    uint32_t i = 0;
    if (rule->n_atoms == 2)
        i = effort(search, 1, 0, search->graph->op.at[rule->atom[1].op].all.len) <
            effort(search, 0, 0, search->graph->op.at[rule->atom[0].op].all.len);
    struct plain_step st[EGRAPH_PLAIN_ATOMS];
    for (uint32_t k = 0; k < rule->n_atoms; k++) {
        st[k] = plain_steps(rule, i)[k];
        st[k].age = AGE_ANY;
    }
    return search_nodes(search, st);
}

static bool run_plans(struct plain_search *search)
{
    if (mostly_new(search)) {
        search->some_new = true;
        bool done = run_all(search);
        search->some_new = false;
        return done;
    }
    uint32_t n = search->since->ever ? search->rule->n_atoms : 1;
    for (uint32_t i = search->cursor != NULL ? search->cursor->plan : 0; i < n; i++) {
        if (!search_plan(search, i))
            return false;
        if (search->sought)
            set_marks(search, i, 0, CC_PASSED);
        if (search->cursor != NULL)
            *search->cursor = (struct search_cursor){.plan = i + 1};
    }
    return true;
}

bool search_can_be_whole(const struct plain_search *search)
{
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        if (search->rule->atom[i].op == ATOM_ANY)
            return false;
    return search->cursor == NULL && !lost(search);
}

bool search_lacks(const struct cc *graph, const struct plain_rule *rule)
{
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        if (rule->atom[i].op != ATOM_ANY && graph->op.at[rule->atom[i].op].all.len == 0)
            return true;
    return false;
}

bool search_rule(struct plain_search *search)
{
    if (search_lacks(search->graph, search->rule))
        return true;
    const struct seen_mark *seen = search->since;
    search->sought = seen->ever && seen->round + 1 != search->graph->round &&
                     search->cursor == NULL && !lost(search);
    set_new(search);
    for (uint32_t i = 0; search->sought && i < search->rule->n_atoms; i++)
        set_marks(search, i, CC_SOUGHT, 0);
    bool done = search->whole ? run_all(search) : run_plans(search);
    search_count(search);
    for (uint32_t i = 0; search->sought && i < search->rule->n_atoms; i++)
        set_marks(search, i, 0, CC_SOUGHT | CC_PASSED);
    return done;
}

// The classes that were there at the last rebuild: their founders are older.
static uint32_t entered_classes(const struct cc *graph)
{
    uint32_t lo = 0, hi = graph->class_.len;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (graph->class_.at[mid].founder < graph->n_entered)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

struct seen_mark *seen_mark_new(struct arena *mem, const struct plain_rule *rule)
{
    size_t atoms = rule->n_atoms * sizeof((struct seen_mark *)0)->atom[0];
    return arena_alloc(mem, offsetof(struct seen_mark, atom) + atoms);
}

void seen_mark_set(struct seen_mark *seen, const struct cc *graph, const struct plain_rule *rule)
{
    seen->nodes = graph->n_entered;
    seen->classes = entered_classes(graph);
    seen->round = graph->round;
    seen->ever = true;
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        if (rule->atom[i].op == ATOM_ANY)
            continue;
        const struct cc_op *op_info = &graph->op.at[rule->atom[i].op];
        seen->atom[i].all = op_info->all.len;
        seen->atom[i].events = op_info->event_base + op_info->events.len;
    }
}
