// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/saturate/search_core.h"

static bool step(struct plain_search *s, const struct plain_step *st, uint32_t left);

// Is the node among those with which its atom goes first in its own plan?
static inline bool is_new(const struct plain_search *s, uint32_t atom, uint32_t node)
{
    return node >= s->old || (s->g->mark.at[node] & s->marks[atom]);
}

bool search_new(const struct plain_search *s)
{
    for (uint32_t i = 0; i < s->rule->n_atoms; i++)
        if (is_new(s, i, s->node[i]))
            return true;
    return false;
}

// All atoms have a node.
static inline bool complete(struct plain_search *s)
{
    return (s->some_new && !search_new(s)) || s->found(s->ctx, s);
}

// Binds the variables of a step's node, or compares them.
static bool bind_wide(struct plain_search *s, const struct plain_step *st, uint32_t node)
{
    const struct plain_atom *a = &s->rule->atom[st->atom];
    const struct cc *g = s->g;
    const uint32_t *args = g->wide.at + g->node.at[node].a;
    uint64_t same = st->same;
    uint32_t *cls = &s->reg[a->cls];
    if (!(same & 1))
        *cls = g->cls.at[node];
    else if (*cls != g->cls.at[node])
        return false;
    for (uint32_t k = 0; k < a->n; k++) {
        uint32_t *x = &s->reg[a->arg[k]];
        same >>= 1;
        if (!(same & 1))
            *x = args[k];
        else if (*x != args[k])
            return false;
    }
    return true;
}

static inline bool bind_var(struct plain_search *s, uint32_t var, bool same,
                            uint32_t cls)
{
    if (same)
        return s->reg[var] == cls;
    s->reg[var] = cls;
    return true;
}

static inline bool bind(struct plain_search *s, const struct plain_step *st, uint32_t node)
{
    if (st->n > 2)
        return bind_wide(s, st, node);
    const struct enode *e = &s->g->node.at[node];
    return bind_var(s, st->cls, st->same & 1, s->g->cls.at[node]) &&
           (st->n < 1 || bind_var(s, st->a, st->same & 2, e->a)) &&
           (st->n < 2 || bind_var(s, st->b, st->same & 4, e->b));
}

static inline bool right_age(const struct plain_search *s, const struct plain_step *st,
                             uint32_t node)
{
    return st->age == AGE_ANY ||
           is_new(s, st->atom, node) == (st->age == AGE_NEW);
}

// Takes the node for the last atom, if it fits what is known.
static inline bool take_last(struct plain_search *s, const struct plain_step *st,
                             uint32_t node)
{
    if (!bind(s, st, node) || !right_age(s, st, node))
        return true;
    s->node[st->atom] = node;
    return complete(s);
}

// The same for an atom that others follow.
static inline bool take_more(struct plain_search *s, const struct plain_step *st,
                             uint32_t node, uint32_t left)
{
    if (!bind(s, st, node))
        return true;
    for (const struct step_check *c = st->check, *end = c + st->n_checks;
         c < end; c++)
        if (!(s->g->class_.at[s->reg[c->var]].ops & c->bits))
            return true;
    if (!right_age(s, st, node))
        return true;
    s->node[st->atom] = node;
    return step(s, st + 1, left - 1);
}

static bool take(struct plain_search *s, const struct plain_step *st, uint32_t node,
                 uint32_t left)
{
    return left == 1 ? take_last(s, st, node) : take_more(s, st, node, left);
}

// Before so many nodes are gone through within one step: is there time?
static inline bool still(struct plain_search *s, uint32_t nodes)
{
    enum { LOOKS = 1 << 18 };
    s->looks += nodes;
    if (s->looks < LOOKS)
        return true;
    s->looks = 0;
    return s->tick == NULL || s->tick(s->ctx);
}

static bool up_wide(struct plain_search *s, const struct plain_step *st,
                    const struct plain_atom *a, uint32_t via, uint32_t left)
{
    struct cc *g = s->g;
    uint32_t p = g->class_.at[s->reg[a->arg[via]]].parents;
    for (; p != CC_NONE; p = *cc_place_link(g, p)) {
        uint32_t node = cc_place_node(g, p);
        const struct enode *n = &g->node.at[node];
        if (n->op == a->op && (p & ~CC_WIDE) - n->a == via &&
            !take(s, st, node, left))
            return false;
    }
    return true;
}

static bool up(struct plain_search *s, const struct plain_step *st, const struct plain_atom *a,
               uint32_t via, uint32_t left)
{
    struct cc *g = s->g;
    const struct eclass *c = &g->class_.at[s->reg[a->arg[via]]];
    if (!(c->uses & cc_use_bit(a->op, via)))
        return true;
    if (!still(s, c->n_parents))
        return false;
    if (a->n > 2)
        return up_wide(s, st, a, via, left);
    const struct enode *nodes = g->node.at;
    const uint32_t *edge = g->edge.at; // stands still
    uint32_t op = a->op, p = c->parents, next;
    // Some places in front, where there are more.
    uint32_t front = p;
    for (uint32_t k = 0; k < 4 && !(front & CC_WIDE); k++)
        front = edge[front];
    for (; p != CC_NONE; p = next) {
        if (p & CC_WIDE) {
            next = *cc_place_link(g, p);
            continue;
        }
        next = edge[p];
        if (!(front & CC_WIDE)) {
            __builtin_prefetch(&nodes[front >> 1]);
            front = edge[front];
        }
        if ((p & 1) != via || nodes[p >> 1].op != op)
            continue;
        if (!take(s, st, p >> 1, left))
            return false;
        nodes = g->node.at;
    }
    return true;
}

static bool down(struct plain_search *s, const struct plain_step *st, const struct plain_atom *a,
                 uint32_t left)
{
    struct cc *g = s->g;
    const struct eclass *c = &g->class_.at[s->reg[a->cls]];
    if (!(c->ops & cc_op_bit(a->op)))
        return true;
    if (!still(s, c->n_nodes))
        return false;
    uint32_t first = c->member, m = first, op = a->op;
    do {
        if (g->node.at[m].op == op &&
            !(left == 1 ? take_last(s, st, m) : take(s, st, m, left)))
            return false;
        m = g->next.at[m];
    } while (m != first);
    return true;
}

static bool lookup(struct plain_search *s, const struct plain_step *st,
                   const struct plain_atom *a, uint32_t left)
{
    uint32_t arg[PLAIN_MAX_ARGS];
    for (uint32_t k = 0; k < a->n; k++)
        arg[k] = s->reg[a->arg[k]];
    uint32_t node = cc_lookup(s->g, a->op, arg);
    if (node == CC_NONE || node >= s->n_frozen ||
        (s->g->node.at[node].op & CC_HIDDEN))
        return true;
    return take(s, st, node, left);
}

static bool step(struct plain_search *s, const struct plain_step *st, uint32_t left)
{
    const struct plain_atom *a = &s->rule->atom[st->atom];
    struct cc *g = s->g;
    switch (st->kind) {
    case STEP_LOOKUP:
        return lookup(s, st, a, left);
    case STEP_DOWN:
        if (st->via != CC_NONE &&
            g->class_.at[s->reg[a->arg[st->via]]].n_parents <
                g->class_.at[s->reg[a->cls]].n_nodes)
            return up(s, st, a, st->via, left);
        return down(s, st, a, left);
    case STEP_UP:
        return up(s, st, a, st->via, left);
    case STEP_FIRST:
    case STEP_SCAN:
        break;
    }
    for (uint32_t i = 0; i < g->op.at[a->op].all.len; i++) {
        uint32_t node = g->op.at[a->op].all.at[i];
        if ((i & 4095) == 0 && !still(s, 4096))
            return false;
        if (g->node.at[node].op == a->op && !take(s, st, node, left))
            return false;
    }
    return true;
}

// Is the search to be interrupted before the first atom's next node?
static inline bool interrupted(const struct plain_search *s, uint64_t k)
{
    return (s->pause != NULL && *s->pause) ||
           ((k & 1023) == 1023 && s->tick != NULL && !s->tick(s->ctx));
}

static bool hold(const struct plain_search *s, bool in_events, uint64_t at)
{
    if (s->cursor != NULL) {
        s->cursor->in_events = in_events;
        s->cursor->at = at;
    }
    return false;
}

static bool any_class(struct plain_search *s, const struct plain_step *st)
{
    struct cc *g = s->g;
    uint32_t from = s->since->ever ? s->since->classes : 0;
    uint32_t n = s->until != NULL ? s->until->classes : g->class_.len;
    if (s->cursor != NULL && s->cursor->at > from)
        from = (uint32_t)s->cursor->at;
    for (uint32_t c = from; c < n; c++) {
        // Classes made while this runs come later.
        if (g->class_.at[c].founder >= s->n_frozen)
            break;
        // As of the last rebuild: a class that was merged since is matched too.
        if (g->class_.at[c].member == CC_NONE)
            continue;
        if (interrupted(s, c))
            return hold(s, false, c);
        s->reg[s->rule->atom[st->atom].cls] = c;
        s->node[st->atom] = g->class_.at[c].founder;
        if (!(s->rule->n_atoms == 1 ? s->found(s->ctx, s)
                                    : step(s, st + 1, s->rule->n_atoms - 1)))
            return hold(s, false, c);
    }
    return true;
}

// While a node is looked at, memory for those behind it is asked for: the node,
// the class that the second step begins with, and that class's list.
struct search_ahead {
    const struct cc *g;
    const uint32_t *list;
    uint32_t n;
    uint32_t arg; // of the node: the class; CC_NONE: the node's own class
    bool up, on, check;
};

static struct search_ahead ahead_of(const struct plain_search *s, uint32_t i)
{
    const struct plain_atom *a = &s->rule->atom[i];
    const struct cc_op *o = &s->g->op.at[a->op];
    struct search_ahead x = {s->g,  o->all.at, o->all.len, CC_NONE,
                      false, false,     false};
    if (s->rule->n_atoms < 2 || a->n > 2)
        return x;
    const struct plain_step *st = &s->rule->plan[i][1];
    const struct plain_atom *b = &s->rule->atom[st->atom];
    uint32_t var = st->kind == STEP_UP ? b->arg[st->via] : b->cls;
    x.up = st->kind == STEP_UP;
    x.on = x.up || st->kind == STEP_DOWN;
    x.check = s->rule->plan[i][0].n_checks > 0 && a->n == 2;
    for (uint32_t k = 0; k < a->n; k++)
        if (a->arg[k] == var)
            x.arg = k;
    return x;
}

static inline uint32_t ahead_class(const struct search_ahead *x, uint32_t node)
{
    return x->arg == CC_NONE ? x->g->cls.at[node]
           : x->arg == 0     ? x->g->node.at[node].a
                             : x->g->node.at[node].b;
}

static inline void look_ahead(const struct search_ahead *x, uint32_t k)
{
    enum { NEAR = 6, MID = 12, FAR = 18 };
    const struct cc *g = x->g;
    if (!x->on || k + FAR >= x->n)
        return;
    __builtin_prefetch(&g->node.at[x->list[k + FAR]]);
    __builtin_prefetch(&g->cls.at[x->list[k + FAR]]);
    __builtin_prefetch(&g->class_.at[ahead_class(x, x->list[k + MID])]);
    if (x->check)
        __builtin_prefetch(&g->class_.at[g->node.at[x->list[k + MID]].b]);
    const struct eclass *c = &g->class_.at[ahead_class(x, x->list[k + NEAR])];
    if (!x->up) {
        __builtin_prefetch(&g->node.at[c->member]);
        __builtin_prefetch(&g->next.at[c->member]);
    } else if (c->parents != CC_NONE && !(c->parents & CC_WIDE)) {
        __builtin_prefetch(&g->node.at[c->parents >> 1]);
        __builtin_prefetch(&g->edge.at[c->parents]);
    }
}

bool search_nodes(struct plain_search *s, const struct plain_step *st)
{
    uint32_t i = st->atom, op = s->rule->atom[i].op;
    const struct cc_op *o = &s->g->op.at[op];
    struct search_ahead x = ahead_of(s, i);
    for (uint32_t k = 0; k < o->all.len; k++) {
        uint32_t node = o->all.at[k];
        if (interrupted(s, k))
            return false;
        look_ahead(&x, k);
        if (s->g->node.at[node].op == op &&
            !take(s, st, node, s->rule->n_atoms))
            return false;
    }
    return true;
}

static bool run_other(struct plain_search *s, uint32_t i)
{
    struct plain_step st[2] = {s->rule->plan[1 - i][0], s->rule->plan[1 - i][1]};
    st[0].age = 1 - i < i ? AGE_OLD : AGE_ANY;
    st[1].age = AGE_NEW;
    return search_nodes(s, st);
}

// A node may have had events in several rounds.
static bool passed(struct cc *g, uint32_t node)
{
    bool before = g->mark.at[node] & CC_PASSED;
    g->mark.at[node] |= CC_PASSED;
    return before;
}

bool search_plan(struct plain_search *s, uint32_t i)
{
    const struct plain_step *st = s->rule->plan[i];
    const struct plain_atom *a = &s->rule->atom[i];
    if (a->op == ATOM_ANY)
        return any_class(s, st);
    if (search_from_other(s, i))
        return run_other(s, i);
    const struct cc_op *o = &s->g->op.at[a->op];
    const struct seen_mark *m = s->since, *u = s->until;
    struct search_cursor none = {0}, *c = s->cursor != NULL ? s->cursor : &none;
    bool lost = m->ever && m->events[i] < o->event_base;
    uint32_t from = m->ever && !lost ? m->all[i] : 0;
    uint32_t n = s->rule->n_atoms, to = u != NULL ? u->all[i] : o->all.len;
    uint64_t k = from, end = o->event_base + o->events.len;
    // Events that were dropped in between: all nodes are looked at instead.
    if (lost && !c->whole)
        *c = (struct search_cursor){.plan = i, .whole = true};
    if (c->at > k || c->in_events)
        k = c->at;
    struct search_ahead x = ahead_of(s, i);
    for (; k < to && !c->in_events; k++) {
        uint32_t node = o->all.at[k];
        if (interrupted(s, k))
            return hold(s, false, k);
        look_ahead(&x, (uint32_t)k);
        if (s->g->node.at[node].op == a->op && !take(s, st, node, n))
            return hold(s, false, k);
    }
    if (from == 0)
        return true;
    bool last = m->round + 1 == s->g->round;
    if (u != NULL && u->events[i] < end)
        end = u->events[i];
    for (k = c->in_events ? k : m->events[i]; a->listen && k < end; k++) {
        uint32_t node = o->events.at[k - o->event_base];
        if (s->g->node.at[node].op != a->op || node >= m->nodes ||
            (last && !(s->g->mark.at[node] & a->listen)) ||
            (s->sought && passed(s->g, node)))
            continue;
        if (interrupted(s, k) || !take(s, st, node, n))
            return hold(s, true, k);
    }
    return true;
}

bool search_class(struct plain_search *s, uint32_t cls)
{
    const struct plain_step *st = s->rule->plan[s->rule->n_atoms];
    s->reg[s->rule->left] = cls;
    if (s->rule->atom[0].op == ATOM_ANY) {
        s->node[0] = s->g->class_.at[cls].founder;
        return s->found(s->ctx, s);
    }
    return step(s, st, s->rule->n_atoms);
}
