// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/index.h"

#include "egraph/program/orbit.h"

static void fill(struct u32_vec *v, uint32_t n, uint32_t value)
{
    vec_reserve(v, n);
    v->len = n;
    for (uint32_t i = 0; i < n; i++)
        v->at[i] = value;
}

static uint32_t weight(const struct egraph *g, const struct term *m)
{
    switch ((enum op)m->op) {
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_TRANSPOSE:
    case OP_RESULT:
        return 0;
    case OP_BROADCAST_IN_DIM:
        return attr_len(g->terms->pool, m->attr) > 0;
    default:
        return 1;
    }
}

static void find_leaders(struct egraph *g, struct match_index *x)
{
    uint32_t n = g->node.len;
    fill(&x->lead, n, 0);
    vec_reserve(&x->ops, n);
    x->ops.len = n;
    for (uint32_t i = 0; i < n; i++) {
        x->ops.at[i] = 0;
        x->lead.at[i] = orbit_find(g, (class_id){i}).leader.v;
    }
}

static void list_nodes(const struct egraph *g, struct match_index *x)
{
    const struct terms *t = g->terms;
    vec_clear(&x->live);
    vec_clear(&x->arg);
    x->present = 0;
    for (uint32_t i = 0; i < g->node.len; i++) {
        const struct term *m = term_at(t, node_term(g, i));
        if (!node_live(g, i))
            continue;
        uint32_t lead = x->lead.at[i];
        struct index_node node = {i, lead, x->arg.len, weight(g, m)};
        vec_push(&x->live, node);
        for (uint32_t k = 0; k < m->n_args; k++)
            vec_push(&x->arg, x->lead.at[cc_args(&g->cc, i)[k]]);
        x->ops.at[lead] |= op_bit(m->op);
        x->present |= op_bit(m->op);
    }
    struct index_node end = {UINT32_MAX, UINT32_MAX, x->arg.len, 0};
    vec_push(&x->live, end);
}

// `held`: by leader, what is free as an argument, or NULL.
static uint64_t size_of(const struct match_index *x, const struct measure *y,
                        const uint32_t *held, const struct index_node *node)
{
    uint64_t sum = node->weight;
    for (uint32_t k = node->from; k < node[1].from; k++) {
        uint32_t lead = x->arg.at[k];
        sum += held != NULL && held[lead] ? 0 : y->size.at[lead];
        sum = sum < SIZE_MOST ? sum : SIZE_MOST;
    }
    return sum;
}

// Sizes never grow, so those of the last time are a start.  Arguments are
// mostly older than their users, so few passes are needed.
static void find_sizes(const struct match_index *x, struct measure *y,
                       const uint32_t *held)
{
    uint32_t n = x->lead.len, n_live = x->live.len - 1;
    vec_reserve(&y->size, n);
    while (y->size.len < n)
        vec_push(&y->size, SIZE_MOST);
    for (bool again = true; again;) {
        again = false;
        for (uint32_t i = 0; i < n_live; i++) {
            const struct index_node *node = &x->live.at[i];
            uint64_t size = size_of(x, y, held, node);
            if (size < y->size.at[node->lead]) {
                y->size.at[node->lead] = size;
                again = true;
            }
        }
    }
    fill(&y->over, n, 0);
    for (uint32_t i = 0; i < n_live; i++) {
        const struct index_node *node = &x->live.at[i];
        uint64_t size = size_of(x, y, held, node);
        uint64_t over = size - y->size.at[node->lead];
        y->over.at[node->node] =
            size < SIZE_MOST && over < OVER_MOST ? (uint32_t)over : OVER_MOST;
    }
}

static uint32_t add_over(uint32_t a, uint32_t b)
{
    return a + b < OVER_MOST ? a + b : OVER_MOST;
}

static void want(const struct egraph *g, const struct match_index *x,
                 struct measure *y, const struct u32_vec *terms)
{
    for (uint32_t i = 0; i < terms->len; i++)
        y->away.at[x->lead.at[g->node_of.at[terms->at[i]]]] = 0;
}

// Users are mostly younger than their arguments, so few passes are needed.
static void find_distances(const struct egraph *g, const struct match_index *x,
                           struct measure *y, bool shared)
{
    fill(&y->away, x->lead.len, x->roots.len > 0 ? OVER_MOST : 0);
    want(g, x, y, &x->roots);
    if (shared)
        want(g, x, y, &x->shared);
    for (bool again = x->roots.len > 0; again;) {
        again = false;
        for (uint32_t i = x->live.len - 1; i-- > 0;) {
            const struct index_node *node = &x->live.at[i];
            uint32_t away =
                add_over(y->away.at[node->lead], y->over.at[node->node]);
            for (uint32_t k = node->from; k < node[1].from; k++)
                if (away < y->away.at[x->arg.at[k]]) {
                    y->away.at[x->arg.at[k]] = away;
                    again = true;
                }
        }
    }
}

static void find_least(struct match_index *x)
{
    fill(&x->least, x->lead.len, OVER_MOST);
    for (uint32_t i = 0; i + 1 < x->live.len; i++) {
        const struct index_node *node = &x->live.at[i];
        for (uint32_t k = 0; k < N_MEASURES; k++) {
            const struct measure *y = &x->by[k];
            uint32_t sum =
                add_over(y->away.at[node->lead], y->over.at[node->node]);
            if (sum < x->least.at[node->node])
                x->least.at[node->node] = sum;
        }
    }
}

static enum op op_of(const struct egraph *g, uint32_t node)
{
    return g->key.at[g->cc.node.at[node].op & CC_OP].op;
}

static void find_places(const struct egraph *g, struct match_index *x)
{
    uint32_t n_live = x->live.len - 1, *from = x->place_from;
    memset(from, 0, sizeof x->place_from);
    for (uint32_t i = 0; i < n_live; i++)
        from[op_of(g, x->live.at[i].node) + 1]++;
    for (uint32_t op = 0; op < N_OPS; op++)
        from[op + 1] += from[op];
    vec_reserve(&x->place, n_live);
    x->place.len = n_live;
    for (uint32_t i = 0; i < n_live; i++) {
        uint32_t node = x->live.at[i].node;
        x->place.at[from[op_of(g, node)]++] =
            (struct index_place){node, x->least.at[node]};
    }
    // Each operator has moved its start to that of the next one.
    memmove(from + 1, from, N_OPS * sizeof *from);
    from[0] = 0;
}

static void find_elementwise(struct match_index *x)
{
    memset(x->elementwise, 0, sizeof x->elementwise);
    for (uint32_t op = 0; op < N_OPS; op++)
        if (op_is_elementwise((enum op)op))
            x->elementwise[op_arity((enum op)op) & 3] |= op_bit(op);
}

static void raise(uint32_t *at, uint32_t value)
{
    if (*at < value)
        *at = value;
}

// Level k + 1 of the news of nodes and the stamps of classes, from level k of
// the stamps.
static void next_level(struct match_index *x, uint32_t k)
{
    uint32_t n = x->lead.len;
    uint32_t *news = x->news.at + (k + 1) * n;
    uint32_t *inner = x->inner.at + (k + 1) * n;
    for (uint32_t i = 0; i + 1 < x->live.len; i++) {
        const struct index_node *node = &x->live.at[i];
        news[node->node] = x->news.at[node->node];
        for (uint32_t a = node->from; a < node[1].from; a++)
            raise(&news[node->node], index_stamp(x, x->arg.at[a], k));
        raise(&inner[node->lead], news[node->node]);
    }
}

static void find_news(const struct egraph *g, struct match_index *x)
{
    uint32_t n = x->lead.len;
    fill(&x->news, n * (x->depth + 1), 0);
    fill(&x->inner, n * (x->depth + 1), 0);
    fill(&x->changed, n, 0);
    for (uint32_t i = 0; i + 1 < x->live.len; i++) {
        const struct index_node *node = &x->live.at[i];
        uint32_t news = g->node.at[node->node].news;
        x->news.at[node->node] = news;
        raise(&x->inner.at[node->lead], news);
    }
    for (uint32_t c = 0; c < n; c++)
        if (g->cc.up.at[c] == c)
            raise(&x->changed.at[x->lead.at[c]], g->class_.at[c].changed);
    for (uint32_t k = 0; k < x->depth; k++)
        next_level(x, k);
    memset(x->latest, 0, sizeof x->latest);
    for (uint32_t i = 0; i + 1 < x->live.len; i++) {
        uint32_t node = x->live.at[i].node;
        enum op op = op_of(g, node);
        for (uint32_t k = 0; k <= x->depth; k++)
            raise(&x->latest[k][op], x->news.at[k * n + node]);
    }
}

// The places with news at any level: they grow with the level.
static void find_hot(struct match_index *x)
{
    const uint32_t *news = x->news.at + (size_t)x->depth * x->lead.len;
    vec_clear(&x->hot);
    for (uint32_t op = 0; op < N_OPS; op++) {
        x->hot_from[op] = x->hot.len;
        for (uint32_t i = x->place_from[op]; i < x->place_from[op + 1]; i++)
            if (news[x->place.at[i].node] >= x->hot_since)
                vec_push(&x->hot, x->place.at[i]);
    }
    x->hot_from[N_OPS] = x->hot.len;
}

void match_index_build(struct egraph *g, struct match_index *x)
{
    bool same = x->n_nodes == g->node.len && x->n_merges == g->cc.n_merges;
    x->n_nodes = g->node.len;
    x->n_merges = g->cc.n_merges;
    if (same) {
        find_hot(x);
        return;
    }
    find_leaders(g, x);
    list_nodes(g, x);
    fill(&x->held, g->node.len, 0);
    for (uint32_t i = 0; i < x->shared.len; i++)
        x->held.at[x->lead.at[g->node_of.at[x->shared.at[i]]]] = 1;
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        bool shared = k == MEASURE_SHARED;
        find_sizes(x, &x->by[k], shared ? x->held.at : NULL);
        find_distances(g, x, &x->by[k], shared);
    }
    find_least(x);
    find_places(g, x);
    find_elementwise(x);
    find_news(g, x);
    find_hot(x);
}

void match_index_release(struct match_index *x)
{
    vec_release(&x->roots);
    vec_release(&x->shared);
    vec_release(&x->lead);
    vec_release(&x->ops);
    vec_release(&x->live);
    vec_release(&x->arg);
    vec_release(&x->held);
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        vec_release(&x->by[k].size);
        vec_release(&x->by[k].over);
        vec_release(&x->by[k].away);
    }
    vec_release(&x->least);
    vec_release(&x->place);
    vec_release(&x->hot);
    vec_release(&x->news);
    vec_release(&x->inner);
    vec_release(&x->changed);
}
