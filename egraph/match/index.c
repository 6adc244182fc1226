// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/index.h"

#include "egraph/program/constants.h"
#include "egraph/program/orbit.h"

static void fill(struct u32_vec *list, uint32_t n, uint32_t value)
{
    vec_reserve(list, n);
    list->len = n;
    for (uint32_t i = 0; i < n; i++)
        list->at[i] = value;
}

uint32_t index_weight(const struct terms *terms, const struct term *node)
{
    switch ((enum op)node->op) {
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_TRANSPOSE:
    case OP_RESULT:
        return 0;
    case OP_BROADCAST_IN_DIM:
        return attr_len(terms->pool, node->attr) > 0;
    case OP_IOTA:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONCATENATE:
    case OP_REDUCE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
    case OP_OPAQUE:
    case N_OPS:
        ELEMENTWISE_CASES
        break;
    }
    return 1;
}

static void find_leaders(struct egraph *graph, struct match_index *news)
{
    uint32_t n = graph->node.len;
    fill(&news->lead, n, 0);
    vec_reserve(&news->ops, n);
    news->ops.len = n;
    for (uint32_t i = 0; i < n; i++) {
        news->ops.at[i] = 0;
        news->lead.at[i] = orbit_find(graph, (class_id){i}).leader.v;
    }
}

static void list_nodes(const struct egraph *graph, struct match_index *news)
{
    const struct terms *terms = graph->terms;
    vec_clear(&news->live);
    vec_clear(&news->arg);
    news->present = 0;
    fill(&news->spelled, graph->node.len, 0);
    for (uint32_t i = 0; i < news->unfolded.len; i++)
        news->spelled.at[graph->node_of.at[news->unfolded.at[i]]] = 1;
    for (uint32_t i = 0; i < graph->node.len; i++) {
        const struct term *m = term_at(terms, node_term(graph, i));
        if (!node_live(graph, i))
            continue;
        uint32_t lead = news->lead.at[i];
        uint32_t weight = news->spelled.at[i] != 0 ? OVER_MOST : index_weight(terms, m);
        struct index_node node = {i, lead, news->arg.len, weight};
        vec_push(&news->live, node);
        for (uint32_t k = 0; k < m->n_args; k++)
            vec_push(&news->arg, news->lead.at[cc_args(&graph->cc, i)[k]]);
        news->ops.at[lead] |= op_bit(m->op);
        news->present |= op_bit(m->op);
    }
    struct index_node end = {UINT32_MAX, UINT32_MAX, news->arg.len, 0};
    vec_push(&news->live, end);
}

static void want(const struct egraph *graph, struct match_index *news, const struct u32_vec *terms)
{
    for (uint32_t i = 0; i < terms->len; i++)
        vec_push(&news->wanted, news->lead.at[graph->node_of.at[terms->at[i]]]);
}

// The roots are wanted, and the `free` terms, which count for none of their users.
static void find_wanted(const struct egraph *graph, struct match_index *news,
                        const struct u32_vec *free)
{
    vec_clear(&news->wanted);
    want(graph, news, &news->roots);
    want(graph, news, free);
    fill(&news->held, graph->node.len, 0);
    for (uint32_t i = 0; i < free->len; i++) {
        uint32_t *held = &news->held.at[news->lead.at[graph->node_of.at[free->at[i]]]];
        uint32_t place = free->at[i] + 1;
        *held = *held == 0 || place < *held ? place : *held;
    }
}

static void find_least(struct match_index *news)
{
    fill(&news->least, news->lead.len, OVER_MOST);
    for (uint32_t i = 0; i + 1 < news->live.len; i++) {
        const struct index_node *node = &news->live.at[i];
        for (uint32_t k = 0; k < N_MEASURES; k++) {
            const struct measure *measure = &news->by[k];
            uint32_t sum = add_over(measure->away.at[node->lead], measure->over.at[node->node]);
            if (sum < news->least.at[node->node])
                news->least.at[node->node] = sum;
        }
    }
}

static void swap(struct u32_vec *a, struct u32_vec *b)
{
    struct u32_vec other = *a;
    *a = *b;
    *b = other;
}

static void keep_before(struct match_index *news)
{
    swap(&news->lead, &news->lead_before);
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        swap(&news->by[k].over, &news->by[k].over_before);
        swap(&news->by[k].away, &news->by[k].away_before);
    }
}

// A match that was too large may fit now.
static bool is_eased(const struct match_index *news, const struct index_node *node)
{
    uint32_t lead = news->lead_before.at[node->node];
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        const struct measure *measure = &news->by[k];
        if (measure->over.at[node->node] < measure->over_before.at[node->node] ||
            measure->away.at[node->lead] < measure->away_before.at[lead])
            return true;
    }
    return false;
}

static void find_eased(struct match_index *news)
{
    while (news->eased.len < news->lead.len)
        vec_push(&news->eased, 0);
    for (uint32_t i = 0; i + 1 < news->live.len; i++) {
        const struct index_node *node = &news->live.at[i];
        uint32_t *eased = &news->eased.at[node->node];
        if (node->node < news->lead_before.len && !(*eased & EASE_WAITS) && is_eased(news, node)) {
            *eased |= EASE_WAITS;
            vec_push(&news->easing, node->node);
        }
    }
}

bool match_index_ease(const struct egraph *graph, struct match_index *news)
{
    bool any = news->easing.len > 0;
    for (uint32_t i = 0; i < news->easing.len; i++)
        news->eased.at[news->easing.at[i]] = graph->round;
    vec_clear(&news->easing);
    if (any)
        news->n_nodes = 0; // nodes became news
    return any;
}

static enum op op_of(const struct egraph *graph, uint32_t node)
{
    return graph->key.at[graph->cc.node.at[node].op & CC_OP].op;
}

static void find_varying(struct egraph *graph, struct match_index *news)
{
    news->varying = 0;
    memset(news->nearest, 0xff, sizeof news->nearest);
    for (uint32_t i = 0; i + 1 < news->live.len; i++) {
        uint32_t node = news->live.at[i].node, bit = op_of(graph, node) & 63;
        if (class_constant(graph, (class_id){cc_find(&graph->cc, node)}).v != NO_LIT.v)
            continue;
        news->varying |= UINT64_C(1) << bit;
        if (news->least.at[node] < news->nearest[bit])
            news->nearest[bit] = news->least.at[node];
    }
}

static void find_places(const struct egraph *graph, struct match_index *news)
{
    uint32_t n_live = news->live.len - 1, *from = news->place_from;
    memset(from, 0, sizeof news->place_from);
    for (uint32_t i = 0; i < n_live; i++)
        from[op_of(graph, news->live.at[i].node) + 1]++;
    for (uint32_t op = 0; op < N_OPS; op++)
        from[op + 1] += from[op];
    vec_reserve(&news->place, n_live);
    news->place.len = n_live;
    for (uint32_t i = 0; i < n_live; i++) {
        uint32_t node = news->live.at[i].node;
        news->place.at[from[op_of(graph, node)]++] =
            (struct index_place){node, news->least.at[node]};
    }
    // Each operator has moved its start to that of the next one.
    memmove(from + 1, from, N_OPS * sizeof *from);
    from[0] = 0;
}

static void find_elementwise(struct match_index *news)
{
    memset(news->elementwise, 0, sizeof news->elementwise);
    for (uint32_t op = 0; op < N_OPS; op++)
        if (op_is_elementwise((enum op)op))
            news->elementwise[op_arity((enum op)op) & 3] |= op_bit(op);
}

static void raise(uint32_t *at, uint32_t value)
{
    if (*at < value)
        *at = value;
}

// Level k + 1 of the news of nodes and the stamps of classes, from level k of
// the stamps.
static void next_level(struct match_index *index, uint32_t k)
{
    uint32_t n = index->lead.len;
    uint32_t *news = index->news.at + (k + 1) * n;
    uint32_t *inner = index->inner.at + (k + 1) * n;
    for (uint32_t i = 0; i + 1 < index->live.len; i++) {
        const struct index_node *node = &index->live.at[i];
        news[node->node] = index->news.at[node->node];
        for (uint32_t a = node->from; a < node[1].from; a++)
            raise(&news[node->node], index_stamp(index, index->arg.at[a], k));
        raise(&inner[node->lead], news[node->node]);
    }
}

static void find_news(const struct egraph *graph, struct match_index *index)
{
    uint32_t n = index->lead.len;
    fill(&index->news, n * (index->depth + 1), 0);
    fill(&index->inner, n * (index->depth + 1), 0);
    fill(&index->changed, n, 0);
    for (uint32_t i = 0; i + 1 < index->live.len; i++) {
        const struct index_node *node = &index->live.at[i];
        uint32_t news = graph->node.at[node->node].news;
        raise(&news, index->eased.at[node->node] & ~EASE_WAITS);
        index->news.at[node->node] = news;
        raise(&index->inner.at[node->lead], news);
    }
    for (uint32_t c = 0; c < n; c++)
        if (graph->cc.up.at[c] == c)
            raise(&index->changed.at[index->lead.at[c]], graph->class_.at[c].changed);
    for (uint32_t k = 0; k < index->depth; k++)
        next_level(index, k);
    memset(index->latest, 0, sizeof index->latest);
    for (uint32_t i = 0; i + 1 < index->live.len; i++) {
        uint32_t node = index->live.at[i].node;
        enum op op = op_of(graph, node);
        for (uint32_t k = 0; k <= index->depth; k++)
            raise(&index->latest[k][op], index->news.at[k * n + node]);
    }
}

// The places with news at any level: they grow with the level.
static void find_hot(struct match_index *index)
{
    const uint32_t *news = index->news.at + (size_t)index->depth * index->lead.len;
    vec_clear(&index->hot);
    for (uint32_t op = 0; op < N_OPS; op++) {
        index->hot_from[op] = index->hot.len;
        for (uint32_t i = index->place_from[op]; i < index->place_from[op + 1]; i++)
            if (news[index->place.at[i].node] >= index->hot_since)
                vec_push(&index->hot, index->place.at[i]);
    }
    index->hot_from[N_OPS] = index->hot.len;
}

void match_index_build(struct egraph *graph, struct match_index *news)
{
    bool same = news->n_nodes == graph->node.len && news->n_merges == graph->cc.n_merges;
    news->n_nodes = graph->node.len;
    news->n_merges = graph->cc.n_merges;
    if (same) {
        find_hot(news);
        return;
    }
    keep_before(news);
    find_leaders(graph, news);
    list_nodes(graph, news);
    measure_prepare(news);
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        const struct u32_vec *free = k == MEASURE_SHARED ? &news->shared : &news->cut;
        find_wanted(graph, news, free);
        measure_sizes(news, &news->by[k], free->len > 0 ? news->held.at : NULL);
        measure_distances(news, &news->by[k], &news->wanted, news->roots.len == 0);
    }
    find_eased(news);
    find_least(news);
    find_varying(graph, news);
    find_places(graph, news);
    find_elementwise(news);
    find_news(graph, news);
    find_hot(news);
}

static void places_release(struct places_of *places)
{
    vec_release(&places->from);
    vec_release(&places->at);
}

void match_index_release(struct match_index *news)
{
    vec_release(&news->roots);
    vec_release(&news->shared);
    vec_release(&news->cut);
    vec_release(&news->unfolded);
    vec_release(&news->spelled);
    vec_release(&news->lead);
    vec_release(&news->lead_before);
    vec_release(&news->eased);
    vec_release(&news->easing);
    vec_release(&news->ops);
    vec_release(&news->live);
    vec_release(&news->arg);
    vec_release(&news->held);
    places_release(&news->users);
    places_release(&news->members);
    vec_release(&news->work.now);
    vec_release(&news->work.next);
    vec_release(&news->work.waits);
    vec_release(&news->wanted);
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        vec_release(&news->by[k].size);
        vec_release(&news->by[k].over);
        vec_release(&news->by[k].away);
        vec_release(&news->by[k].over_before);
        vec_release(&news->by[k].away_before);
    }
    vec_release(&news->least);
    vec_release(&news->place);
    vec_release(&news->hot);
    vec_release(&news->news);
    vec_release(&news->inner);
    vec_release(&news->changed);
}
