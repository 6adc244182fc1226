// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/match.h"
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"

static uint32_t set_find(const uint64_t *slot, uint32_t cap, uint64_t key)
{
    uint32_t i = (uint32_t)hash_u64(key, 1) & (cap - 1);
    while (slot[i] != 0 && slot[i] != key)
        i = (i + 1) & (cap - 1);
    return i;
}

static bool set_has(const struct match_set *s, uint64_t key)
{
    key += key == 0;
    return s->slot.len > 0 &&
           s->slot.at[set_find(s->slot.at, s->slot.len, key)] == key;
}

bool match_set_add(struct match_set *s, uint64_t key)
{
    key += key == 0;
    if (2 * (s->n + 1) > s->slot.len) {
        struct match_set old = *s;
        uint32_t n = old.slot.len == 0 ? 16 : 2 * old.slot.len;
        vec_zero(&s->slot, n);
        for (uint32_t i = 0; i < old.slot.len; i++)
            if (old.slot.at[i] != 0)
                s->slot.at[set_find(s->slot.at, n, old.slot.at[i])] =
                    old.slot.at[i];
        vec_release(&old.slot);
    }
    uint32_t i = set_find(s->slot.at, s->slot.len, key);
    if (s->slot.at[i] == key)
        return false;
    s->slot.at[i] = key;
    s->n++;
    return true;
}

void match_set_release(struct match_set *s)
{
    vec_release(&s->slot);
    s->n = 0;
}

// What the nodes of a match may be larger than the smallest, so that the other
// side does not exceed the slack.  Where the rule makes more operators than
// that, the smallest are matched still.
static bool start_room(struct matcher *m, term_id node)
{
    const struct match_index *x = m->q->index;
    int64_t room = (int64_t)m->q->slack - m->v->growth;
    bool some = false;
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        m->room[k] = room > 0 ? room : 0;
        m->room[k] -= x->by[k].away.at[x->lead.at[egraph_node(m->g, node)]];
        some = some || m->room[k] >= 0;
    }
    return some || !m->q->bounded;
}

// Relabels above the first operator match the class of its e-node.  Nothing is
// simpler than a constant.
static void match_root(struct matcher *m, term_id node)
{
    class_id c = egraph_find(m->g, node);
    if (!start_room(m, node) ||
        (m->q->bounded && class_constant(m->g, c).v != NO_LIT.v))
        return;
    m->cls[m->v->step[0]] = c;
    m->lit[m->v->step[0]] = NO_LIT;
    m->node[m->v->step[m->root_step]] = node;
    m->fresh = m->hope[m->v->step[0]] = true;
    match_next(m, 0);
}

static void start_variant(struct matcher *m, const struct pattern_variant *v)
{
    const struct rule *r = m->r;
    m->v = v;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        m->tensor[i] = NO_CLASS;
    for (uint32_t i = 0; i < r->n_scalars; i++)
        m->scalar[i].is = false;
    for (uint32_t i = 0; i < r->n_types; i++)
        m->elem[i] = ELEM_OTHER;
    for (uint32_t i = 0; i < r->n_opvars; i++)
        m->op_uses[i] = 0;
    // A relabel has one argument, so these steps follow each other.
    m->root_step = 0;
    while (r->pats[v->step[m->root_step]].kind == PAT_RELABEL)
        m->root_step++;
}

// The pattern node that a match begins with: relabels above it are of its
// class.
static const struct pat *root_of(const struct rule *r, const struct pattern_variant *v)
{
    uint32_t s = 0;
    while (r->pats[v->step[s]].kind == PAT_RELABEL)
        s++;
    return &r->pats[v->step[s]];
}

static bool root_may_be(const struct rule *r, const struct pat *p, uint32_t op)
{
    if (p->kind == PAT_OP)
        return p->op == op;
    return op_is_elementwise((enum op)op) &&
           op_arity((enum op)op) == (int)r->opvars[p->var].n_args;
}

// Is there anything with this operator on top that was not there when the
// pattern was last looked for?
static bool op_has_news(const struct match_index *x, uint32_t depth,
                        uint32_t op, uint32_t since)
{
    return x->place_from[op] < x->place_from[op + 1] &&
           (since == 0 || depth > x->depth || x->latest[depth][op] >= since);
}

static bool variant_may_match(const struct rule *r, const struct pattern_variant *v,
                              const struct match_index *x, uint32_t since)
{
    const struct pat *p = root_of(r, v);
    if (v->needs & ~x->present)
        return false;
    if (p->kind == PAT_OP)
        return op_has_news(x, v->depth, p->op, since);
    for (uint32_t op = 0; op < N_OPS; op++)
        if (op_has_news(x, v->depth, op, since) && root_may_be(r, p, op))
            return true;
    return false;
}

bool match_possible(const struct pattern *p, const struct match_index *x,
                    uint32_t since)
{
    for (uint32_t i = 0; i < p->n_variants; i++)
        if (variant_may_match(p->rule, &p->variants[i], x, since))
            return true;
    return false;
}

// Has the second pass come to where the first one began?
static bool at_end(const struct matcher *m, const struct match_cursor *c)
{
    const struct match_cursor *e = &m->end;
    if (c->variant != e->variant)
        return c->variant > e->variant;
    return c->op != e->op ? c->op > e->op : c->node >= e->node;
}

// The places of one operator from the cursor on; false when cut short there or
// at the end of this pass.
static bool match_operator_from(struct matcher *m, struct match_cursor *c)
{
    const struct match_request *q = m->q;
    const struct match_index *x = q->index;
    bool hot = q->since >= x->hot_since && m->v->depth <= x->depth;
    const struct index_place *list = hot ? x->hot.at : x->place.at;
    const uint32_t *from = hot ? x->hot_from : x->place_from;
    const struct index_place *at = list + from[c->op];
    const struct index_place *end = list + from[c->op + 1];
    int64_t room = (int64_t)q->slack - m->v->growth;
    uint32_t most = !q->bounded ? UINT32_MAX : room > 0 ? (uint32_t)room : 0;
    uint32_t depth = m->v->depth;
    bool all = q->since == 0 || depth > x->depth;
    const uint32_t *news = all ? NULL : x->news.at + depth * x->lead.len;
    for (; at < end; at++) {
        if (at->least > most || at->node < c->node ||
            (news != NULL && news[at->node] < q->since))
            continue;
        c->node = at->node;
        if (at_end(m, c))
            return false;
        match_root(m, node_term(m->g, at->node));
        if (m->stop)
            return false;
    }
    return true;
}

// All places from the cursor to the end; false when cut short there.
static bool match_from(struct matcher *m, struct match_cursor *c)
{
    const struct pattern *p = m->q->pattern;
    const struct match_index *x = m->q->index;
    for (; c->variant < p->n_variants; c->variant++, c->op = 0) {
        const struct pattern_variant *v = &p->variants[c->variant];
        if (v->needs & ~x->present)
            continue;
        start_variant(m, v);
        const struct pat *root = root_of(m->r, v);
        bool one = root->kind == PAT_OP; // else an operator variable
        if (one && c->op < (uint32_t)root->op) {
            c->op = (uint32_t)root->op;
            c->node = 0;
        }
        uint32_t end = one ? (uint32_t)root->op + 1 : N_OPS;
        for (; c->op < end; c->op++, c->node = 0)
            if (op_has_news(x, v->depth, c->op, m->q->since) &&
                root_may_be(m->r, root, c->op) && !match_operator_from(m, c))
                return !m->stop;
        c->node = 0;
    }
    return true;
}

void match_all(struct egraph *g, const struct match_request *q,
               struct arena *mem, struct match_result *out)
{
    const struct rule *r = q->pattern->rule;
    struct matcher m = {.g = g, .q = q, .r = r, .mem = mem, .out = out};
    struct arena own = {0};
    m.steps_end = out->steps + q->max_steps;
    m.cls = ARENA_NEW(&own, class_id, r->n_pats);
    m.home = ARENA_NEW(&own, class_id, r->n_pats);
    m.node = ARENA_NEW(&own, term_id, r->n_pats);
    m.perm = ARENA_NEW(&own, attr_id, r->n_pats);
    m.hope = ARENA_NEW(&own, bool, r->n_pats);
    m.all = q->since == 0;
    m.lit = ARENA_NEW(&own, lit_id, r->n_pats);
    m.tensor = ARENA_NEW(&own, class_id, r->n_tensors);
    m.scalar = ARENA_NEW(&own, struct scalar_bound, r->n_scalars);
    m.elem = ARENA_NEW(&own, enum elem, r->n_types);
    m.op = ARENA_NEW(&own, struct op_binding, r->n_opvars);
    m.op_uses = ARENA_NEW(&own, uint32_t, r->n_opvars);
    struct match_cursor start = *q->cursor, *c = q->cursor;
    m.end.variant = UINT32_MAX;
    out->complete = match_from(&m, c);
    bool begun = start.variant != 0 || start.op != 0 || start.node != 0;
    if (out->complete && begun) { // the places before the cursor are still due
        m.end = start;
        *c = (struct match_cursor){0};
        out->complete = match_from(&m, c);
    }
    if (out->complete)
        *c = (struct match_cursor){0};
    else
        c->node++; // this place was given its share
    arena_release(&m.scratch);
    arena_release(&own);
}

void match_result_release(struct match_result *m)
{
    vec_release(&m->found);
    match_set_release(&m->keys);
}

bool match_seen(const struct match_request *q, uint64_t key)
{
    return q->seen != NULL && set_has(q->seen, key);
}
