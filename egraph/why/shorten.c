// SPDX-License-Identifier: Apache-2.0
// Shorter ways: besides the forest there are uses of rules that joined nothing,
// congruences that joined nothing, and uses at other nodes than the graph's.
#include "egraph/why/core.h"

static struct why_linked *linked_new(struct why *why, uint32_t node)
{
    vec_push(&why->linked, (struct why_linked){.node = node & INT32_MAX});
    why->linked_of.at[node] = why->linked.len;
    return &vec_last(&why->linked);
}

static inline struct why_linked *linked(struct why *why, uint32_t node)
{
    uint32_t at = why->linked_of.at[node];
    return at == 0 ? linked_new(why, node) : &why->linked.at[at - 1];
}

static inline void link_half(struct why *why, uint32_t node, uint32_t half)
{
    struct why_linked *why_linked = linked(why, node);
    vec_reserve(&why->link, why->link.len + 1);
    why->link.at[why->link.len++] = (struct why_link){half, why_linked->head};
    why_linked->head = why->link.len;
}

static void link_entry(struct why *why, uint32_t entry)
{
    const struct why_entry *x = &why->entry.at[entry];
    if (x->left == x->right)
        return;
    link_half(why, x->left, 2 * entry);
    link_half(why, x->right, 2 * entry + 1);
    if (x->kind == JOURNAL_FOLD)
        linked(why, x->left)->folded = true;
    else if (x->kind == JOURNAL_CONGRUENCE)
        linked(why, x->right)->twin = x->left + 1;
}

// A dead node has a live one that it is congruent to, which the journal does
// not say where both were in one class already.
static void add_congruence(struct why *why, uint32_t node)
{
    uint32_t few[16], n = cc_arity(why->graph, node);
    if (n > 16)
        return;
    for (uint32_t k = 0; k < n; k++)
        few[k] = cc_find(why->graph, cc_args(why->graph, node)[k]);
    uint32_t live = cc_lookup(why->graph, why->graph->node.at[node].op & CC_OP, few);
    if (live == CC_NONE || live == node || linked(why, node)->twin == live + 1)
        return;
    struct why_entry entry = {.kind = JOURNAL_CONGRUENCE, .left = live, .right = node};
    vec_push(&why->entry, entry);
    link_entry(why, why->entry.len - 1);
}

// Of the nodes that have one value, the journal says of one why.
static void add_value(struct why *why, uint32_t node)
{
    uint32_t value, arg[EGRAPH_WHY_FOLDED];
    if (cc_arity(why->graph, node) > EGRAPH_WHY_FOLDED ||
        !why->value(why->ctx, why->graph, node, &value, arg) || value >= why->n_nodes)
        return;
    struct why_entry entry = {
        .kind = JOURNAL_FOLD, .last = why->list.len, .left = node, .right = value};
    vec_push(&why->list, node);
    vec_push(&why->list, value);
    for (uint32_t k = 0; k < cc_arity(why->graph, node); k++)
        vec_push(&why->list, arg[k]);
    vec_push(&why->entry, entry);
    link_entry(why, why->entry.len - 1);
}

static bool to_link(const struct why *why, uint32_t node)
{
    return why->class_linked.at[cc_class(why->graph, node)] == 1;
}

static void link_marked(struct why *why)
{
    // The unused end of a large array costs nothing.
    vec_reserve(&why->link, 2 * why->entry.len);
    vec_reserve(&why->linked, why->n_nodes);
    uint32_t old = why->linked.len;
    for (uint32_t i = 0, n = why->entry.len; i < n; i++)
        if (to_link(why, why->entry.at[i].left))
            link_entry(why, i);
    for (uint32_t i = 0; i < why->n_nodes; i++)
        if ((why->graph->node.at[i].op & CC_DEAD) && to_link(why, i))
            add_congruence(why, i);
    for (uint32_t i = old, n = why->linked.len; why->value != NULL && i < n; i++)
        if (!why->linked.at[i].folded)
            add_value(why, why->linked.at[i].node);
    why_zeros(&why->edge_of, why->entry.len);
    for (uint32_t i = 0; i < why->class_linked.len; i++)
        why->class_linked.at[i] = why->class_linked.at[i] > 0 ? 2 : 0;
    why->n_linked = why->entry.len;
}

// As of now.
static uint64_t edge_steps(struct why *why, uint32_t entry)
{
    struct why_edge *edge = why_edge(why, entry);
    uint64_t s = why->entry.at[entry].kind != JOURNAL_CONGRUENCE;
    for (uint32_t k = 0; k < edge->n; k++)
        s = why_plus(s, why->pair.at[why->prem.at[edge->at + k]].steps);
    if (s < edge->steps)
        edge->steps = s;
    return edge->steps;
}

// Entries that rest on the pair need fewer steps now: shorter ways may exist again.
static void fell(struct why *why, uint32_t pair)
{
    struct why_pair *p = &why->pair.at[pair];
    why->changes++;
    p->written = false;
    for (uint32_t i = p->users; i != 0; i = why->user.at[i - 1].next) {
        uint32_t node = why->entry.at[why->user.at[i - 1].half].left;
        why->class_changed.at[cc_class(why->graph, node)] = why->changes;
    }
}

static void heap_push(struct why *why, uint64_t steps, uint32_t node)
{
    struct why_reached reached = {steps, node};
    vec_push(&why->heap, reached);
    uint32_t i = why->heap.len - 1;
    for (; i > 0 && why->heap.at[(i - 1) / 2].steps > steps; i = (i - 1) / 2)
        why->heap.at[i] = why->heap.at[(i - 1) / 2];
    why->heap.at[i] = reached;
}

static struct why_reached heap_pop(struct why *why)
{
    struct why_reached top = why->heap.at[0], reached = vec_pop(&why->heap);
    uint32_t i = 0, n = why->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= n)
            break;
        k += k + 1 < n && why->heap.at[k + 1].steps < why->heap.at[k].steps;
        if (why->heap.at[k].steps >= reached.steps)
            break;
        why->heap.at[i] = why->heap.at[k];
        i = k;
    }
    if (n > 0)
        why->heap.at[i] = reached;
    return top;
}

// Edges from here to the end of the search at least.
static inline uint32_t edges_left(const struct why *why, const struct why_pair *pair,
                                  const struct why_linked *why_linked, uint32_t node)
{
    return node == pair->y ? 0 : why_linked->near == why->search ? 1 : 2;
}

static bool reach(struct why *why, struct why_reached reached, const struct why_pair *pair,
                  uint64_t limit, struct err *err)
{
    const struct why_linked *from = linked(why, reached.node);
    uint32_t next;
    // Each edge takes a step at least.
    if (reached.steps + edges_left(why, pair, from, reached.node) >= pair->steps)
        return true;
    for (uint32_t i = from->head; i != 0 && why->work <= limit; i = next) {
        uint32_t half = why->link.at[i - 1].half, entry = half >> 1;
        next = why->link.at[i - 1].next;
        const struct why_entry *y = &why->entry.at[entry];
        uint32_t to = half & 1 ? y->left : y->right;
        struct why_linked *why_linked = linked(why, to);
        uint64_t most = reached.steps + edges_left(why, pair, why_linked, to);
        why->work++;
        if (most + 1 >= pair->steps ||
            (why_linked->search == why->search && why_linked->steps <= reached.steps + 1))
            continue;
        most = pair->steps - most;
        if (why_linked->search == why->search && why_linked->steps - reached.steps < most)
            most = why_linked->steps - reached.steps;
        const struct why_edge *edge = why_edge(why, entry);
        if (!edge->known && !edge->dull &&
            !why_need_edge(why, entry, EGRAPH_WHY_EDGE_WORK, most, err))
            return false;
        edge = why_edge(why, entry);
        if (!edge->known)
            continue;
        uint64_t steps = edge_steps(why, entry);
        if (steps >= most)
            continue;
        why_linked->steps = reached.steps + steps;
        why_linked->search = why->search;
        why_linked->by = half;
        heap_push(why, why_linked->steps, to);
    }
    return true;
}

static void mark_near(struct why *why, uint32_t y)
{
    for (uint32_t i = linked(why, y)->head; i != 0; i = why->link.at[i - 1].next) {
        uint32_t half = why->link.at[i - 1].half;
        const struct why_entry *entry = &why->entry.at[half >> 1];
        linked(why, half & 1 ? entry->left : entry->right)->near = why->search;
    }
}

// A way from x to y of fewer than pair.steps, if there is one.
static bool search(struct why *why, uint32_t pair, uint64_t limit, bool *shorter, struct err *err)
{
    struct why_pair p = why->pair.at[pair];
    struct why_reached reached = {0, p.x};
    why->search++;
    vec_clear(&why->heap);
    mark_near(why, p.y);
    struct why_linked *from = linked(why, p.x);
    from->steps = 0;
    from->search = why->search;
    for (;;) {
        if (why->work > limit)
            return true;
        if (reached.steps == linked(why, reached.node)->steps &&
            !reach(why, reached, &p, limit, err))
            return false;
        if (why->heap.len == 0)
            return true;
        reached = heap_pop(why);
        if (reached.node == p.y)
            break;
    }
    *shorter = true;
    p.at = why->way.len;
    for (uint32_t n = p.y; n != p.x;) {
        uint32_t h = linked(why, n)->by;
        vec_push(&why->way, h);
        n = h & 1 ? why->entry.at[h >> 1].right : why->entry.at[h >> 1].left;
    }
    p.n = why->way.len - p.at;
    for (uint32_t i = 0; i < p.n / 2; i++) {
        uint32_t h = why->way.at[p.at + i];
        why->way.at[p.at + i] = why->way.at[p.at + p.n - 1 - i];
        why->way.at[p.at + p.n - 1 - i] = h;
    }
    p.steps = reached.steps;
    why->pair.at[pair] = p;
    fell(why, pair);
    return true;
}

// The way as its edges are now.
static void sum_up(struct why *why, uint32_t pair)
{
    struct why_pair *p = &why->pair.at[pair];
    uint64_t s = 0;
    for (uint32_t i = 0; i < p->n; i++)
        s = why_plus(s, edge_steps(why, why->way.at[p->at + i] >> 1));
    if (s < p->steps) {
        p->steps = s;
        fell(why, pair);
    }
}

// The premises of the pair, ranked by steps: the steps stand above the number.
static void rank(struct why *why, uint32_t pair)
{
    uint32_t base = why->waiting.len;
    vec_clear(&why->ranked);
    vec_push(&why->waiting, pair);
    while (why->waiting.len > base) {
        uint32_t k = vec_pop(&why->waiting);
        struct why_pair *p = &why->pair.at[k];
        if (p->open)
            continue;
        p->open = true;
        uint64_t steps = p->steps < UINT32_MAX ? p->steps : UINT32_MAX;
        vec_push(&why->ranked, steps << 32 | k);
        for (uint32_t i = 0; i < p->n; i++) {
            const struct why_edge *edge = why_edge(why, why->way.at[p->at + i] >> 1);
            for (uint32_t m = 0; m < edge->n; m++)
                vec_push(&why->waiting, why->prem.at[edge->at + m]);
        }
    }
    for (uint32_t i = 0; i < why->ranked.len; i++)
        why->pair.at[(uint32_t)why->ranked.at[i]].open = false;
    why_sort(why->ranked.at, why->ranked.len);
}

// For the classes of the listed pairs: a scan of all entries, hence of all
// classes when they come one after the other.
static void link_classes(struct why *why)
{
    if (why->n_linked != why->entry.len) { // classes have been merged
        why->n_scans = 0;
        vec_release(&why->linked_of);
        vec_release(&why->class_linked);
        vec_clear(&why->linked);
        vec_clear(&why->link);
    }
    why_zeros(&why->linked_of, why->n_nodes);
    why_zeros(&why->class_linked, why->graph->class_.len);
    bool some = false;
    for (uint32_t i = 0; i < why->ranked.len; i++) {
        const struct why_pair *pair = &why->pair.at[(uint32_t)why->ranked.at[i]];
        uint32_t c = cc_class(why->graph, pair->x);
        if (pair->steps > 1 && why->class_linked.at[c] == 0) {
            why->class_linked.at[c] = 1;
            some = true;
        }
    }
    if (!some)
        return;
    if (++why->n_scans > EGRAPH_WHY_SCANS)
        for (uint32_t i = 0; i < why->class_linked.len; i++)
            why->class_linked.at[i] += why->class_linked.at[i] == 0;
    link_marked(why);
}

// Is anything in the pair's class new since it was searched for?
static bool worth(struct why *why, uint32_t pair)
{
    const struct why_pair *p = &why->pair.at[pair];
    uint32_t c = cc_class(why->graph, p->x);
    return p->searched < why->read_at || p->searched < why->class_changed.at[c];
}

// The use of a rule with node `to` in the place of an end that is congruent to
// it: equal nodes, so it is a use as well.
static void copy_use(struct why *why, uint32_t entry, uint32_t place, uint32_t to)
{
    struct why_entry y = {.kind = why->entry.at[entry].kind, .last = why->list.len};
    const struct why_ends *ends = &why->ends.at[y.kind - JOURNAL_RULE];
    for (uint32_t i = 0; i < ends->n; i++) {
        uint32_t n = why_list(why, entry)[i];
        vec_push(&why->list, i == place ? to : n);
    }
    y.left = why_at(why, why->list.at + y.last, ends->left);
    y.right = why_at(why, why->list.at + y.last, ends->right);
    vec_push(&why->entry, y);
    vec_push(&why->edge_of, 0);
    link_entry(why, why->entry.len - 1);
}

// Does a premise of many steps lead from an argument in which they differ?
static bool is_undone(struct why *why, uint32_t entry, uint32_t node, uint32_t to)
{
    const struct why_edge *edge = why_edge(why, entry);
    for (uint32_t k = 0; k < cc_arity(why->graph, node); k++) {
        uint32_t kid = why_kid(why, node, k);
        for (uint32_t i = 0; i < edge->n && kid != why_kid(why, to, k); i++) {
            const struct why_pair *pair = &why->pair.at[why->prem.at[edge->at + i]];
            if ((pair->x == kid || pair->y == kid) && pair->steps >= EGRAPH_WHY_COPIED_STEPS)
                return true;
        }
    }
    return false;
}

static void copy_at(struct why *why, uint32_t entry, struct why_place end, uint32_t node,
                    uint64_t limit)
{
    uint32_t next;
    if (end.arg != CC_NONE)
        return;
    for (uint32_t i = linked(why, node)->head; i != 0; i = next) {
        const struct why_entry *y = &why->entry.at[why->link.at[i - 1].half >> 1];
        uint32_t to = y->left == node ? y->right : y->left;
        next = why->link.at[i - 1].next;
        if (++why->work > limit)
            return;
        if (y->kind == JOURNAL_CONGRUENCE && is_undone(why, entry, node, to))
            copy_use(why, entry, end.place, to);
    }
}

// A use of a rule whose premises take steps may take fewer at a node congruent
// to the one where the graph has it: a premise then need not undo what the way
// there has done.  Is any of the way's copied?
static bool copy_way(struct why *why, uint32_t pair, uint64_t limit)
{
    const struct why_pair p = why->pair.at[pair];
    uint32_t was = why->entry.len, c = cc_class(why->graph, p.x);
    for (uint32_t i = 0; i < p.n && why->class_linked.at[c] == 2; i++) {
        uint32_t entry = why->way.at[p.at + i] >> 1;
        struct why_edge *edge = why_edge(why, entry);
        const struct why_entry x = why->entry.at[entry];
        if (x.kind < JOURNAL_RULE || why_is_added(&x) || edge->copied ||
            edge->steps <= EGRAPH_WHY_COPIED_STEPS)
            continue;
        edge->copied = true;
        const struct why_ends ends = why->ends.at[x.kind - JOURNAL_RULE];
        copy_at(why, entry, ends.left, x.left, limit);
        copy_at(why, entry, ends.right, x.right, limit);
    }
    if (why->entry.len == was)
        return false;
    why->n_linked = why->entry.len;
    why->pair.at[pair].searched = 0; // to be looked for again
    return true;
}

// For all pairs that the last look went through.
static bool copy_ways(struct why *why, uint64_t limit)
{
    bool some = false;
    for (uint32_t k = 0; k < why->ranked.len && why->work < limit; k++)
        some |= copy_way(why, (uint32_t)why->ranked.at[k], limit);
    return some;
}

static bool pass(struct why *why, uint32_t pair, uint64_t limit, bool *shorter, struct err *err)
{
    bool ok = true;
    *shorter = false;
    rank(why, pair);
    if (why->work < limit)
        link_classes(why);
    for (uint32_t k = 0; k < why->ranked.len && ok; k++) {
        uint32_t x = (uint32_t)why->ranked.at[k];
        sum_up(why, x);
        if (why->pair.at[x].steps <= 1 || why->work >= limit || !worth(why, x))
            continue;
        ok = search(why, x, limit, shorter, err);
        if (why->work <= limit)
            why->pair.at[x].searched = why->changes;
    }
    return ok;
}

// Short ways first: the long ones rest on them.
bool why_shorten(struct why *why, uint32_t pair, struct err *err)
{
    if (why->pair.at[pair].steps < 2)
        return true;
    uint64_t limit = why->work + EGRAPH_WHY_WORK;
    if (why->most_work > 0 && limit > why->most_work)
        limit = why->most_work;
    if (why->work >= limit)
        return true;
    bool ok = true, shorter = true;
    for (uint32_t i = 0; i < EGRAPH_WHY_PASSES && ok && shorter; i++)
        ok = pass(why, pair, limit, &shorter, err);
    if (ok && copy_ways(why, limit))
        ok = pass(why, pair, limit, &shorter, err);
    return ok;
}
