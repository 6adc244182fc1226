// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/saturate/search_core.h"

static bool step(struct plain_search *search, const struct plain_step *st, uint32_t left);

bool search_new(const struct plain_search *search)
{
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        if (search_is_new(search, i, search->node[i]))
            return true;
    return false;
}

static inline bool write_match(struct plain_search *search)
{
    struct u32_vec *list = search->list;
    uint32_t n = search->rule->n_atoms;
    vec_reserve(list, list->len + n);
    uint32_t *at = list->at + list->len;
    list->len += n;
    for (uint32_t i = 0; i < n; i++)
        at[i] = search->node[i];
    return list->len <= search->most;
}

// All atoms have a node.
static inline bool complete(struct plain_search *search)
{
    if (search->some_new && !search_new(search))
        return true;
    return search->found == NULL ? write_match(search) : search->found(search->ctx, search);
}

// Binds the variables of a step's node, or compares them.
static bool bind_wide(struct plain_search *search, const struct plain_step *st, uint32_t node)
{
    const struct plain_atom *atom = &search->rule->atom[st->atom];
    const struct cc *graph = search->graph;
    const uint32_t *args = graph->wide.at + graph->node.at[node].a;
    uint64_t same = st->same;
    uint32_t *cls = &search->reg[atom->cls];
    if (!(same & 1))
        *cls = graph->node.at[node].cls;
    else if (*cls != graph->node.at[node].cls)
        return false;
    for (uint32_t k = 0; k < atom->n; k++) {
        uint32_t *x = &search->reg[atom->arg[k]];
        same >>= 1;
        if (!(same & 1))
            *x = args[k];
        else if (*x != args[k])
            return false;
    }
    return true;
}

static inline bool bind_var(struct plain_search *search, uint32_t var, bool same, uint32_t cls)
{
    if (same)
        return search->reg[var] == cls;
    search->reg[var] = cls;
    return true;
}

// The arguments of a node that has at most two.
static inline bool bind_args(struct plain_search *search, const struct plain_step *st, uint32_t a,
                             uint32_t b)
{
    return (st->n < 1 || bind_var(search, st->a, st->same & 2, a)) &&
           (st->n < 2 || bind_var(search, st->b, st->same & 4, b));
}

static inline bool bind(struct plain_search *search, const struct plain_step *st, uint32_t node)
{
    if (st->n > 2)
        return bind_wide(search, st, node);
    const struct enode *e = &search->graph->node.at[node];
    return bind_var(search, st->cls, st->same & 1, e->cls) && bind_args(search, st, e->a, e->b);
}

static inline bool right_age(const struct plain_search *search, const struct plain_step *st,
                             uint32_t node)
{
    return st->age == AGE_ANY || search_is_new(search, st->atom, node) == (st->age == AGE_NEW);
}

// Takes the node for the last atom, if it fits what is known.  `sure`: bits of st->same for what
// agrees already.  A list has no use for the variables that are bound last.
static inline bool take_last(struct plain_search *search, const struct plain_step *st,
                             uint32_t node, uint64_t sure)
{
    if ((search->found != NULL || (st->same & ~sure)) && !bind(search, st, node))
        return true;
    if (!right_age(search, st, node))
        return true;
    search->node[st->atom] = node;
    return complete(search);
}

// The node, whose variables are bound, is taken for an atom that others follow.
static inline bool go_on(struct plain_search *search, const struct plain_step *st, uint32_t node,
                         uint32_t left)
{
    for (const struct step_check *check = st->check, *end = check + st->n_checks; check < end;
         check++)
        if (!(search->graph->class_.at[search->reg[check->var]].ops & check->bits))
            return true;
    if (!right_age(search, st, node))
        return true;
    search->node[st->atom] = node;
    return step(search, st + 1, left - 1);
}

static bool take_more(struct plain_search *search, const struct plain_step *st, uint32_t node,
                      uint32_t left)
{
    return !bind(search, st, node) || go_on(search, st, node, left);
}

static inline bool take(struct plain_search *search, const struct plain_step *st, uint32_t node,
                        uint32_t left, uint64_t sure)
{
    return left == 1 ? take_last(search, st, node, sure) : take_more(search, st, node, left);
}

enum { SURE_CLASS = 1 };
static inline uint64_t sure_arg(uint32_t via)
{
    return UINT64_C(2) << via;
}

// Callers ask before they go through so many nodes within one step: is there time?
static inline bool still(struct plain_search *search, uint32_t nodes)
{
    enum { LOOKS = 1 << 18 };
    search->looks += nodes;
    if (search->looks < LOOKS)
        return true;
    search_count(search);
    return search->tick == NULL || search->tick(search->ctx);
}

static bool up_wide(struct plain_search *search, const struct plain_step *st,
                    const struct plain_atom *atom, uint32_t via, uint32_t left)
{
    struct cc *graph = search->graph;
    uint32_t p = graph->class_.at[search->reg[atom->arg[via]]].parents;
    for (; p != CC_NONE; p = *cc_place_link(graph, p)) {
        uint32_t node = cc_place_node(graph, p);
        const struct enode *n = &graph->node.at[node];
        if (n->op == atom->op && (p & ~CC_WIDE) - n->a == via &&
            !take(search, st, node, left, sure_arg(via)))
            return false;
    }
    return true;
}

// Is every node a match for a list that agrees in what `sure` says and has the right age?
static inline bool writes_all(const struct plain_search *search, const struct plain_step *st,
                              uint32_t left, uint64_t sure)
{
    return left == 1 && search->found == NULL && !(st->same & ~sure);
}

struct writing {
    bool on;           // writes_all
    enum step_age age; // that a node must have then
};

static inline struct writing writing_of(const struct plain_search *search,
                                        const struct plain_step *st, uint32_t left, uint64_t sure)
{
    bool on = writes_all(search, st, left, sure);
    return (struct writing){on, on ? search_last_age(search, st) : st->age};
}

// Takes a node that agrees in what `sure` says.
static inline bool take_sure(struct plain_search *search, const struct plain_step *st,
                             uint32_t node, uint32_t left, uint64_t sure, struct writing writing)
{
    return writing.on ? search_write_last(search, st->atom, writing.age, node)
                      : take(search, st, node, left, sure);
}

static bool up_list(struct plain_search *search, const struct plain_step *st,
                    const struct ring_list *ring, uint32_t via, uint32_t left)
{
    if (writes_all(search, st, left, sure_arg(via)) && search_write_list(search, st, ring))
        return true;
    for (uint32_t i = ring->from, end = i + ring->n; i < end; i++)
        if (!take(search, st, search->rings->nodes.at[i].node, left, sure_arg(via)))
            return false;
    return true;
}

static bool up(struct plain_search *search, const struct plain_step *st,
               const struct plain_atom *atom, uint32_t via, uint32_t left)
{
    struct cc *graph = search->graph;
    const struct eclass *class = &graph->class_.at[search->reg[atom->arg[via]]];
    if (!(class->uses & cc_use_bit(atom->op, via)))
        return true;
    if (!still(search, class->n_parents))
        return false;
    if (atom->n > 2)
        return up_wide(search, st, atom, via, left);
    if (class->n_parents >= EGRAPH_ABOVE_LEAST && search->rings != NULL) {
        const struct ring_list *list = rings_find(search->rings, graph, search->reg[atom->arg[via]],
                                                  atom->op, RING_ABOVE + via);
        if (list != NULL)
            return up_list(search, st, list, via, left);
    }
    const struct enode *nodes = graph->node.at;
    const uint32_t *edge = graph->edge.at; // stands still
    uint32_t op = atom->op, p = class->parents, next;
    // Some places in front, where there are more.
    uint32_t front = p;
    for (uint32_t k = 0; k < 4 && !(front & CC_WIDE); k++)
        front = edge[front];
    struct writing writing = writing_of(search, st, left, sure_arg(via));
    for (; p != CC_NONE; p = next) {
        if (p & CC_WIDE) {
            next = *cc_place_link(graph, p);
            continue;
        }
        next = edge[p];
        if (!(front & CC_WIDE)) {
            __builtin_prefetch(&nodes[front >> 1]);
            front = edge[front];
        }
        if ((p & 1) != via || nodes[p >> 1].op != op)
            continue;
        if (!take_sure(search, st, p >> 1, left, sure_arg(via), writing))
            return false;
        nodes = graph->node.at;
    }
    return true;
}

// A node of a list, which has the class that is known.
static inline bool take_listed(struct plain_search *search, const struct plain_step *st,
                               const struct ring_node *at, uint32_t left, uint64_t sure)
{
    if (left == 1)
        return take_last(search, st, at->node, sure);
    return !bind_args(search, st, at->a, at->b) || go_on(search, st, at->node, left);
}

// The nodes of a list.  Matches that are taken may move the lists' memory, and put another list
// in its place.
static bool down_list(struct plain_search *search, const struct plain_step *st,
                      const struct ring_list *ring, uint32_t left)
{
    struct rings *rings = search->rings;
    if (ring->via == CC_NONE && writes_all(search, st, left, SURE_CLASS) &&
        search_write_list(search, st, ring))
        return true;
    if (ring->via == CC_NONE) {
        for (uint32_t i = ring->from, end = i + ring->n; i < end; i++) {
            struct ring_node at = rings->nodes.at[i];
            if (!take_listed(search, st, &at, left, SURE_CLASS))
                return false;
        }
        return true;
    }
    bool is_a = ring->via == 0;
    uint64_t sure = SURE_CLASS | sure_arg(ring->via);
    uint32_t cls = search->reg[is_a ? st->a : st->b];
    uint32_t i = rings->heads.at[ring->head + rings_hash(cls, ring->bits)];
    struct writing writing = writing_of(search, st, left, sure);
    while (i != CC_NONE) {
        struct ring_node at = rings->nodes.at[i];
        i = at.next;
        if ((is_a ? at.a : at.b) != cls)
            continue;
        if (writing.on ? !search_write_last(search, st->atom, writing.age, at.node)
                       : !take_listed(search, st, &at, left, sure))
            return false;
    }
    return true;
}

static bool down(struct plain_search *search, const struct plain_step *st,
                 const struct plain_atom *atom, uint32_t left)
{
    struct cc *graph = search->graph;
    uint32_t cls = search->reg[atom->cls];
    const struct eclass *class = &graph->class_.at[cls];
    if (!(class->ops & cc_op_bit(atom->op)))
        return true;
    if (!still(search, class->n_nodes))
        return false;
    if (class->n_nodes >= EGRAPH_RING_LEAST && search->rings != NULL && atom->n <= 2) {
        const struct ring_list *list = rings_find(search->rings, graph, cls, atom->op, st->via);
        if (list != NULL)
            return down_list(search, st, list, left);
    }
    uint32_t first = class->member, m = first, op = atom->op;
    struct writing writing = writing_of(search, st, left, SURE_CLASS);
    do {
        if (graph->node.at[m].op == op && !take_sure(search, st, m, left, SURE_CLASS, writing))
            return false;
        m = graph->next.at[m];
    } while (m != first);
    return true;
}

// A number hides the terms that it was computed from, and conditions still ask for these:
// D == 0.5*C of 1.25 and 2.5.  A hidden node may be in no ring, so nobody keeps its class.
static bool take_hidden(struct plain_search *search, const struct plain_step *st, uint32_t node,
                        uint32_t left)
{
    if (st->atom < search->rule->n_main)
        return true;
    search->graph->node.at[node].cls = cc_class(search->graph, node);
    return take(search, st, node, left, 0);
}

// The hidden nodes of a class that has hardly more than its number.
static bool down_hidden(struct plain_search *search, const struct plain_step *st,
                        const struct plain_atom *atom, uint32_t left)
{
    enum { FEW = 2 };
    struct cc *graph = search->graph;
    uint32_t cls = search->reg[atom->cls];
    if (st->atom < search->rule->n_main || st->via == CC_NONE || atom->n > 2 ||
        graph->class_.at[cls].n_nodes > FEW)
        return true;
    uint32_t p = graph->class_.at[search->reg[atom->arg[st->via]]].parents;
    for (; p != CC_NONE; p = *cc_place_link(graph, p)) {
        uint32_t node = cc_place_node(graph, p);
        if (!(p & CC_WIDE) && (p & 1) == st->via &&
            graph->node.at[node].op == (atom->op | CC_HIDDEN) && cc_class(graph, node) == cls &&
            !take_hidden(search, st, node, left))
            return false;
    }
    return true;
}

static bool lookup(struct plain_search *search, const struct plain_step *st,
                   const struct plain_atom *atom, uint32_t left)
{
    uint32_t arg[EGRAPH_PLAIN_ARGUMENTS];
    for (uint32_t k = 0; k < atom->n; k++) {
        arg[k] = search->reg[atom->arg[k]];
        if (!(search->graph->class_.at[arg[k]].uses & cc_use_bit(atom->op, k)))
            return true;
    }
    uint32_t node = cc_lookup(search->graph, atom->op, arg);
    if (node == CC_NONE || node >= search->n_frozen)
        return true;
    return search->graph->node.at[node].op & CC_HIDDEN ? take_hidden(search, st, node, left)
                                                       : take(search, st, node, left, 0);
}

static bool step(struct plain_search *search, const struct plain_step *st, uint32_t left)
{
    const struct plain_atom *atom = &search->rule->atom[st->atom];
    struct cc *graph = search->graph;
    switch (st->kind) {
    case STEP_LOOKUP:
        return lookup(search, st, atom, left);
    case STEP_DOWN:
        if (!down_hidden(search, st, atom, left))
            return false;
        if (st->via != CC_NONE && graph->class_.at[search->reg[atom->arg[st->via]]].n_parents <
                                      graph->class_.at[search->reg[atom->cls]].n_nodes)
            return up(search, st, atom, st->via, left);
        return down(search, st, atom, left);
    case STEP_UP:
        return up(search, st, atom, st->via, left);
    case STEP_FIRST:
    case STEP_SCAN:
        break;
    }
    for (uint32_t i = 0; i < graph->op.at[atom->op].all.len; i++) {
        uint32_t node = graph->op.at[atom->op].all.at[i];
        if ((i & 4095) == 0 && !still(search, 4096))
            return false;
        if (graph->node.at[node].op == atom->op && !take(search, st, node, left, 0))
            return false;
    }
    return true;
}

// Is the search to be interrupted before the first atom's next node?
static inline bool interrupted(const struct plain_search *search, uint64_t step)
{
    return (search->pause != NULL && *search->pause) ||
           ((step & 1023) == 1023 && search->tick != NULL && !search->tick(search->ctx));
}

static bool hold(const struct plain_search *search, bool in_events, uint64_t at)
{
    if (search->cursor != NULL) {
        search->cursor->in_events = in_events;
        search->cursor->at = at;
    }
    return false;
}

static bool any_class(struct plain_search *search, const struct plain_step *st)
{
    struct cc *graph = search->graph;
    uint32_t from = search->since->ever ? search->since->classes : 0;
    uint32_t n = search->until != NULL ? search->until->classes : graph->class_.len;
    if (search->cursor != NULL && search->cursor->at > from)
        from = (uint32_t)search->cursor->at;
    for (uint32_t c = from; c < n; c++) {
        // Classes made while this runs come later.
        if (graph->class_.at[c].founder >= search->n_frozen)
            break;
        // As of the last rebuild: a class that was merged since is matched too.
        if (graph->class_.at[c].member == CC_NONE)
            continue;
        if (interrupted(search, c))
            return hold(search, false, c);
        search->looks++;
        search->reg[search->rule->atom[st->atom].cls] = c;
        search->node[st->atom] = graph->class_.at[c].founder;
        if (!(search->rule->n_atoms == 1 ? complete(search)
                                         : step(search, st + 1, search->rule->n_atoms - 1)))
            return hold(search, false, c);
    }
    return true;
}

// While a node is looked at, memory for those behind it is asked for: the node,
// the class that the second step begins with, and that class's list.
struct search_ahead {
    const struct cc *graph;
    const uint32_t *list;
    uint32_t n;
    uint32_t arg; // of the node: the class; CC_NONE: the node's own class
    bool up, on, check;
    uint32_t needs; // bits of the class's `uses` or `ops`: without them there is no second node
};

static struct search_ahead ahead_of(const struct plain_search *search, uint32_t i)
{
    const struct plain_atom *atom = &search->rule->atom[i];
    const struct cc_op *op_info = &search->graph->op.at[atom->op];
    struct search_ahead search_ahead = {
        search->graph, op_info->all.at, op_info->all.len, CC_NONE, false, false, false, 0};
    if (search->rule->n_atoms < 2 || atom->n > 2)
        return search_ahead;
    const struct plain_step *st = &plain_steps(search->rule, i)[1];
    const struct plain_atom *b = &search->rule->atom[st->atom];
    uint32_t var = st->kind == STEP_UP ? b->arg[st->via] : b->cls;
    search_ahead.up = st->kind == STEP_UP;
    search_ahead.on = search_ahead.up || st->kind == STEP_DOWN;
    search_ahead.check = plain_steps(search->rule, i)[0].n_checks > 0 && atom->n == 2;
    for (uint32_t k = 0; k < atom->n; k++)
        if (atom->arg[k] == var)
            search_ahead.arg = k;
    if (search_ahead.up)
        search_ahead.needs = cc_use_bit(b->op, st->via);
    else if (search_ahead.on && st->atom < search->rule->n_main)
        search_ahead.needs = cc_op_bit(b->op);
    return search_ahead;
}

static inline uint32_t ahead_class(const struct search_ahead *search_ahead, uint32_t node)
{
    return search_ahead->arg == CC_NONE ? search_ahead->graph->node.at[node].cls
           : search_ahead->arg == 0     ? search_ahead->graph->node.at[node].a
                                        : search_ahead->graph->node.at[node].b;
}

// Can the node be followed by another?  Most cannot.
static inline bool leads_on(const struct search_ahead *search_ahead, uint32_t node)
{
    if (search_ahead->needs == 0)
        return true;
    const struct eclass *class = &search_ahead->graph->class_.at[ahead_class(search_ahead, node)];
    return (search_ahead->up ? class->uses : class->ops) & search_ahead->needs;
}

static inline void look_ahead(const struct search_ahead *search_ahead, uint32_t k)
{
    enum { NEAR = 6, MID = 12, FAR = 18 };
    const struct cc *graph = search_ahead->graph;
    if (!search_ahead->on || k + FAR >= search_ahead->n)
        return;
    __builtin_prefetch(&graph->node.at[search_ahead->list[k + FAR]]);
    __builtin_prefetch(&graph->node.at[search_ahead->list[k + FAR]].cls);
    __builtin_prefetch(&graph->class_.at[ahead_class(search_ahead, search_ahead->list[k + MID])]);
    if (search_ahead->check)
        __builtin_prefetch(&graph->class_.at[graph->node.at[search_ahead->list[k + MID]].b]);
    const struct eclass *class =
        &graph->class_.at[ahead_class(search_ahead, search_ahead->list[k + NEAR])];
    if (!search_ahead->up) {
        __builtin_prefetch(&graph->node.at[class->member]);
        __builtin_prefetch(&graph->next.at[class->member]);
    } else if (class->parents != CC_NONE && !(class->parents & CC_WIDE)) {
        __builtin_prefetch(&graph->node.at[class->parents >> 1]);
        __builtin_prefetch(&graph->edge.at[class->parents]);
    }
}

bool search_nodes(struct plain_search *search, const struct plain_step *st)
{
    uint32_t i = st->atom, op = search->rule->atom[i].op;
    const struct cc_op *op_info = &search->graph->op.at[op];
    struct search_ahead search_ahead = ahead_of(search, i);
    for (uint32_t k = 0; k < op_info->all.len; k++) {
        uint32_t node = op_info->all.at[k];
        if (interrupted(search, k))
            return false;
        search->looks++;
        look_ahead(&search_ahead, k);
        if (search->graph->node.at[node].op == op && leads_on(&search_ahead, node) &&
            !take(search, st, node, search->rule->n_atoms, 0))
            return false;
    }
    return true;
}

static bool run_other(struct plain_search *search, uint32_t i)
{
    struct plain_step st[2] = {plain_steps(search->rule, 1 - i)[0],
                               plain_steps(search->rule, 1 - i)[1]};
    st[0].age = 1 - i < i ? AGE_OLD : AGE_ANY;
    st[1].age = AGE_NEW;
    return search_nodes(search, st);
}

// A node may have had events in several rounds.
static bool passed(struct cc *graph, uint32_t node)
{
    bool before = graph->mark.at[node] & CC_PASSED;
    graph->mark.at[node] |= CC_PASSED;
    return before;
}

bool search_plan(struct plain_search *search, uint32_t i)
{
    const struct plain_step *st = plain_steps(search->rule, i);
    const struct plain_atom *atom = &search->rule->atom[i];
    if (atom->op == ATOM_ANY)
        return any_class(search, st);
    if (search_from_other(search, i))
        return run_other(search, i);
    const struct cc_op *op_info = &search->graph->op.at[atom->op];
    const struct seen_mark *seen = search->since, *u = search->until;
    struct search_cursor none = {0}, *cursor = search->cursor != NULL ? search->cursor : &none;
    bool lost = seen->ever && seen->atom[i].events < op_info->event_base;
    uint32_t from = seen->ever && !lost ? seen->atom[i].all : 0;
    uint32_t n = search->rule->n_atoms, to = u != NULL ? u->atom[i].all : op_info->all.len;
    uint64_t k = from, end = op_info->event_base + op_info->events.len;
    // Events that were dropped in between: all nodes are looked at instead.
    if (lost && !cursor->whole)
        *cursor = (struct search_cursor){.plan = i, .whole = true};
    if (cursor->at > k || cursor->in_events)
        k = cursor->at;
    struct search_ahead search_ahead = ahead_of(search, i);
    for (; k < to && !cursor->in_events; k++) {
        uint32_t node = op_info->all.at[k];
        if (interrupted(search, k))
            return hold(search, false, k);
        search->looks++;
        look_ahead(&search_ahead, (uint32_t)k);
        if (search->graph->node.at[node].op == atom->op && leads_on(&search_ahead, node) &&
            !take(search, st, node, n, 0))
            return hold(search, false, k);
    }
    if (from == 0)
        return true;
    bool last = seen->round + 1 == search->graph->round;
    if (u != NULL && u->atom[i].events < end)
        end = u->atom[i].events;
    for (k = cursor->in_events ? k : seen->atom[i].events; atom->listen && k < end; k++) {
        uint32_t node = op_info->events.at[k - op_info->event_base];
        if (search->graph->node.at[node].op != atom->op || node >= seen->nodes ||
            (last && !(search->graph->mark.at[node] & atom->listen)) ||
            (search->sought && passed(search->graph, node)))
            continue;
        search->looks++;
        if (interrupted(search, k) ||
            (leads_on(&search_ahead, node) && !take(search, st, node, n, 0)))
            return hold(search, true, k);
    }
    return true;
}

bool search_class(struct plain_search *search, uint32_t cls)
{
    const struct plain_step *st = plain_steps(search->rule, search->rule->n_atoms);
    search->reg[search->rule->left] = cls;
    if (search->rule->atom[0].op == ATOM_ANY) {
        search->node[0] = search->graph->class_.at[cls].founder;
        return search->found(search->ctx, search);
    }
    return step(search, st, search->rule->n_atoms);
}
