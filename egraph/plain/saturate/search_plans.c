// SPDX-License-Identifier: Apache-2.0
// Which plans of a rule are searched, and how far they have come.
#include "egraph/plain/saturate/search_core.h"

static void set_new(struct plain_search *s)
{
    const struct seen_mark *m = s->since;
    s->old = m->ever ? m->nodes : 0;
    bool last = m->round + 1 == s->g->round;
    for (uint32_t i = 0; i < s->rule->n_atoms; i++) {
        uint8_t listen = s->rule->atom[i].listen;
        s->marks[i] = s->sought ? (listen ? CC_SOUGHT : 0) : last ? listen : 0;
    }
}

// Can marks tell what is new?  Only where the graph stands still, or the last
// search was in the round before.
static bool tells(const struct plain_search *s)
{
    const struct seen_mark *m = s->since;
    return m->ever && (s->sought || m->round + 1 == s->g->round) &&
           s->pause == NULL &&
           (s->until == NULL || s->until->round == s->g->round) &&
           (s->cursor == NULL || (s->cursor->at == 0 && !s->cursor->in_events));
}

// Have events of one of the atoms been dropped since?
static bool lost(const struct plain_search *s)
{
    for (uint32_t i = 0; i < s->rule->n_atoms; i++)
        if (s->rule->atom[i].op != ATOM_ANY && s->since->ever &&
            s->since->events[i] < s->g->op.at[s->rule->atom[i].op].event_base)
            return true;
    return false;
}

// Nodes with which an atom goes first in its own plan, at most.
static uint64_t news_of(const struct plain_search *s, uint32_t i)
{
    const struct plain_atom *a = &s->rule->atom[i];
    const struct cc_op *o = &s->g->op.at[a->op];
    uint64_t n = o->all.len - s->since->all[i];
    if (a->listen)
        n += o->event_base + o->events.len - s->since->events[i];
    return n;
}

// What the second step looks at when the first atom has this node.
static uint64_t second_looks(const struct plain_search *s, const struct plain_atom *a,
                             const struct plain_step *st, uint32_t node)
{
    const struct plain_atom *b = &s->rule->atom[st->atom];
    const struct cc *g = s->g;
    bool up = st->kind == STEP_UP;
    uint32_t var = up ? b->arg[st->via] : b->cls, cls = g->cls.at[node];
    const uint32_t *args =
        a->n > 2 ? g->wide.at + g->node.at[node].a : &g->node.at[node].a;
    for (uint32_t k = 0; var != a->cls && k < a->n; k++)
        if (a->arg[k] == var)
            cls = args[k];
    const struct eclass *c = &g->class_.at[cls];
    if (up)
        return c->uses & cc_use_bit(b->op, st->via) ? c->n_parents : 0;
    return c->ops & cc_op_bit(b->op) ? c->n_nodes : 0;
}

// Of a rule of two atoms: nodes to be looked at when so many of the first one's
// are gone through, by a sample of those from here on.
static uint64_t effort(const struct plain_search *s, uint32_t i, uint32_t from,
                       uint64_t nodes)
{
    enum { SAMPLE = 64, LOOKUP = 4 };
    const struct plain_atom *a = &s->rule->atom[i];
    const struct plain_step *st = &s->rule->plan[i][1];
    const struct u32_vec *all = &s->g->op.at[a->op].all;
    if (st->kind == STEP_LOOKUP)
        return nodes * LOOKUP;
    if (st->kind == STEP_SCAN)
        return nodes * (1 + s->g->op.at[s->rule->atom[st->atom].op].all.len);
    from = from < all->len ? from : 0;
    uint32_t by = (all->len - from) / SAMPLE + 1, asked = 0;
    uint64_t sum = 0;
    for (uint32_t k = from; k < all->len; k += by, asked++)
        sum += second_looks(s, a, st, all->at[k]);
    return asked == 0 ? 0 : nodes + nodes * sum / asked;
}

bool search_from_other(const struct plain_search *s, uint32_t i)
{
    const struct plain_rule *q = s->rule;
    if (q->n_atoms != 2 || q->atom[1 - i].op == ATOM_ANY || !tells(s) ||
        s->since->events[i] < s->g->op.at[q->atom[i].op].event_base)
        return false;
    uint64_t news = news_of(s, i);
    if (news < 2)
        return false;
    return effort(s, 1 - i, 0, s->g->op.at[q->atom[1 - i].op].all.len) <
           effort(s, i, s->since->all[i], news);
}

// Of the nodes that had events since the last search.
static void set_marks(struct plain_search *s, uint32_t i, uint8_t set, uint8_t clear)
{
    struct cc *g = s->g;
    const struct plain_atom *a = &s->rule->atom[i];
    if (a->op == ATOM_ANY || !a->listen)
        return;
    const struct cc_op *o = &g->op.at[a->op];
    for (uint64_t k = s->since->events[i] - o->event_base; k < o->events.len;
         k++) {
        uint8_t *mark = &g->mark.at[o->events.at[k]];
        *mark = (uint8_t)((*mark | set) & ~clear);
    }
}

// Where most nodes are new, one plan over all of them costs less than a plan
// for each atom over its new ones: lists of parents are longer than rings.
static bool mostly_new(const struct plain_search *s)
{
    const struct plain_rule *q = s->rule;
    const struct seen_mark *m = s->since;
    const struct search_cursor *c = s->cursor;
    if (q->n_atoms < 2 || !tells(s) || lost(s) ||
        (c != NULL && (c->plan > 0 || c->whole)))
        return false;
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        if (q->atom[i].op == ATOM_ANY)
            return false;
        const struct cc_op *o = &s->g->op.at[q->atom[i].op];
        if (o->arity > 0 && m->all[i] > o->all.len / 2)
            return false;
    }
    return true;
}

// Matches new and old by one plan, which may begin with either of two atoms.
static bool run_all(struct plain_search *s)
{
    const struct plain_rule *q = s->rule;
    uint32_t i = 0;
    if (q->n_atoms == 2)
        i = effort(s, 1, 0, s->g->op.at[q->atom[1].op].all.len) <
            effort(s, 0, 0, s->g->op.at[q->atom[0].op].all.len);
    struct plain_step st[PLAIN_MAX_ATOMS];
    for (uint32_t k = 0; k < q->n_atoms; k++) {
        st[k] = q->plan[i][k];
        st[k].age = AGE_ANY;
    }
    return search_nodes(s, st);
}

static bool run_plans(struct plain_search *s)
{
    if (mostly_new(s)) {
        s->some_new = true;
        bool done = run_all(s);
        s->some_new = false;
        return done;
    }
    uint32_t n = s->since->ever ? s->rule->n_atoms : 1;
    for (uint32_t i = s->cursor != NULL ? s->cursor->plan : 0; i < n; i++) {
        if (!search_plan(s, i))
            return false;
        if (s->sought)
            set_marks(s, i, 0, CC_PASSED);
        if (s->cursor != NULL)
            *s->cursor = (struct search_cursor){.plan = i + 1};
    }
    return true;
}

bool search_can_be_whole(const struct plain_search *s)
{
    for (uint32_t i = 0; i < s->rule->n_atoms; i++)
        if (s->rule->atom[i].op == ATOM_ANY)
            return false;
    return s->cursor == NULL && !lost(s);
}

bool search_rule(struct plain_search *s)
{
    const struct seen_mark *m = s->since;
    s->sought =
        m->ever && m->round + 1 != s->g->round && s->cursor == NULL && !lost(s);
    set_new(s);
    for (uint32_t i = 0; s->sought && i < s->rule->n_atoms; i++)
        set_marks(s, i, CC_SOUGHT, 0);
    bool done = s->whole ? run_all(s) : run_plans(s);
    for (uint32_t i = 0; s->sought && i < s->rule->n_atoms; i++)
        set_marks(s, i, 0, CC_SOUGHT | CC_PASSED);
    return done;
}

// The classes that were there at the last rebuild: their founders are older.
static uint32_t entered_classes(const struct cc *g)
{
    uint32_t lo = 0, hi = g->class_.len;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (g->class_.at[mid].founder < g->n_entered)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

void seen_mark_set(struct seen_mark *m, const struct cc *g,
                   const struct plain_rule *r)
{
    m->nodes = g->n_entered;
    m->classes = entered_classes(g);
    m->round = g->round;
    m->ever = true;
    for (uint32_t i = 0; i < r->n_atoms; i++) {
        if (r->atom[i].op == ATOM_ANY)
            continue;
        const struct cc_op *o = &g->op.at[r->atom[i].op];
        m->all[i] = o->all.len;
        m->events[i] = o->event_base + o->events.len;
    }
}
