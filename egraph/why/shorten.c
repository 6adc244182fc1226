// SPDX-License-Identifier: Apache-2.0
// Shorter ways: besides the forest there are uses of rules that joined nothing,
// congruences that joined nothing, and uses at other nodes than the graph's.
#include "egraph/why/core.h"

enum { PASSES = 6, WORK = 100000, WORK_EDGE = 2000, SCANS = 8 };
// Where premises have fewer steps copies win little, and cost more than that.
enum { MANY = 10 };

static struct why_linked *linked_new(struct why *w, uint32_t node)
{
    vec_push(&w->linked, (struct why_linked){.node = node & INT32_MAX});
    w->linked_of.at[node] = w->linked.len;
    return &vec_last(&w->linked);
}

static inline struct why_linked *linked(struct why *w, uint32_t node)
{
    uint32_t at = w->linked_of.at[node];
    return at == 0 ? linked_new(w, node) : &w->linked.at[at - 1];
}

static inline void link_half(struct why *w, uint32_t node, uint32_t half)
{
    struct why_linked *m = linked(w, node);
    vec_reserve(&w->link, w->link.len + 1);
    w->link.at[w->link.len++] = (struct why_link){half, m->head};
    m->head = w->link.len;
}

static void link_entry(struct why *w, uint32_t entry)
{
    const struct why_entry *x = &w->entry.at[entry];
    if (x->l == x->r)
        return;
    link_half(w, x->l, 2 * entry);
    link_half(w, x->r, 2 * entry + 1);
    if (x->kind == JOURNAL_FOLD)
        linked(w, x->l)->folded = true;
    else if (x->kind == JOURNAL_CONGRUENCE)
        linked(w, x->r)->twin = x->l + 1;
}

// A dead node has a live one that it is congruent to, which the journal does
// not say where both were in one class already.
static void add_congruence(struct why *w, uint32_t node)
{
    uint32_t few[16], n = cc_arity(w->g, node);
    if (n > 16)
        return;
    for (uint32_t k = 0; k < n; k++)
        few[k] = cc_find(w->g, cc_args(w->g, node)[k]);
    uint32_t live = cc_lookup(w->g, w->g->node.at[node].op & CC_OP, few);
    if (live == CC_NONE || live == node || linked(w, node)->twin == live + 1)
        return;
    struct why_entry x = {.kind = JOURNAL_CONGRUENCE, .l = live, .r = node};
    vec_push(&w->entry, x);
    link_entry(w, w->entry.len - 1);
}

// Of the nodes that have one value, the journal says of one why.
static void add_value(struct why *w, uint32_t node)
{
    uint32_t value, arg[WHY_MAX_FOLDED];
    if (cc_arity(w->g, node) > WHY_MAX_FOLDED ||
        !w->value(w->ctx, w->g, node, &value, arg) || value >= w->n_nodes)
        return;
    struct why_entry x = {
        .kind = JOURNAL_FOLD, .last = w->list.len, .l = node, .r = value};
    vec_push(&w->list, node);
    vec_push(&w->list, value);
    for (uint32_t k = 0; k < cc_arity(w->g, node); k++)
        vec_push(&w->list, arg[k]);
    vec_push(&w->entry, x);
    link_entry(w, w->entry.len - 1);
}

static bool to_link(const struct why *w, uint32_t node)
{
    return w->class_linked.at[cc_class(w->g, node)] == 1;
}

static void link_marked(struct why *w)
{
    // The unused end of a large array costs nothing.
    vec_reserve(&w->link, 2 * w->entry.len);
    vec_reserve(&w->linked, w->n_nodes);
    uint32_t old = w->linked.len;
    for (uint32_t i = 0, n = w->entry.len; i < n; i++)
        if (to_link(w, w->entry.at[i].l))
            link_entry(w, i);
    for (uint32_t i = 0; i < w->n_nodes; i++)
        if ((w->g->node.at[i].op & CC_DEAD) && to_link(w, i))
            add_congruence(w, i);
    for (uint32_t i = old, n = w->linked.len; w->value != NULL && i < n; i++)
        if (!w->linked.at[i].folded)
            add_value(w, w->linked.at[i].node);
    why_zeros(&w->edge_of, w->entry.len);
    for (uint32_t i = 0; i < w->class_linked.len; i++)
        w->class_linked.at[i] = w->class_linked.at[i] > 0 ? 2 : 0;
    w->n_linked = w->entry.len;
}

// As of now.
static uint64_t edge_steps(struct why *w, uint32_t entry)
{
    struct why_edge *g = why_edge(w, entry);
    uint64_t s = w->entry.at[entry].kind != JOURNAL_CONGRUENCE;
    for (uint32_t k = 0; k < g->n; k++)
        s = why_plus(s, w->pair.at[w->prem.at[g->at + k]].steps);
    if (s < g->steps)
        g->steps = s;
    return g->steps;
}

// What rests on the pair needs less now: there may be shorter ways again.
static void fell(struct why *w, uint32_t pair)
{
    struct why_pair *p = &w->pair.at[pair];
    w->changes++;
    p->written = false;
    for (uint32_t i = p->users; i != 0; i = w->user.at[i - 1].next) {
        uint32_t node = w->entry.at[w->user.at[i - 1].half].l;
        w->class_changed.at[cc_class(w->g, node)] = w->changes;
    }
}

static void heap_push(struct why *w, uint64_t steps, uint32_t node)
{
    struct why_reached x = {steps, node};
    vec_push(&w->heap, x);
    uint32_t i = w->heap.len - 1;
    for (; i > 0 && w->heap.at[(i - 1) / 2].steps > steps; i = (i - 1) / 2)
        w->heap.at[i] = w->heap.at[(i - 1) / 2];
    w->heap.at[i] = x;
}

static struct why_reached heap_pop(struct why *w)
{
    struct why_reached top = w->heap.at[0], x = vec_pop(&w->heap);
    uint32_t i = 0, n = w->heap.len;
    for (;;) {
        uint32_t k = 2 * i + 1;
        if (k >= n)
            break;
        k += k + 1 < n && w->heap.at[k + 1].steps < w->heap.at[k].steps;
        if (w->heap.at[k].steps >= x.steps)
            break;
        w->heap.at[i] = w->heap.at[k];
        i = k;
    }
    if (n > 0)
        w->heap.at[i] = x;
    return top;
}

// Edges from here to the end of the search at least.
static inline uint32_t edges_left(const struct why *w, const struct why_pair *p,
                                  const struct why_linked *m, uint32_t node)
{
    return node == p->y ? 0 : m->near == w->search ? 1 : 2;
}

static bool reach(struct why *w, struct why_reached x, const struct why_pair *p,
                  uint64_t limit, struct err *e)
{
    const struct why_linked *from = linked(w, x.node);
    uint32_t next;
    // Each edge takes a step at least.
    if (x.steps + edges_left(w, p, from, x.node) >= p->steps)
        return true;
    for (uint32_t i = from->head; i != 0 && w->work <= limit; i = next) {
        uint32_t half = w->link.at[i - 1].half, entry = half >> 1;
        next = w->link.at[i - 1].next;
        const struct why_entry *y = &w->entry.at[entry];
        uint32_t to = half & 1 ? y->l : y->r;
        struct why_linked *v = linked(w, to);
        uint64_t most = x.steps + edges_left(w, p, v, to);
        w->work++;
        if (most + 1 >= p->steps ||
            (v->search == w->search && v->steps <= x.steps + 1))
            continue;
        most = p->steps - most;
        if (v->search == w->search && v->steps - x.steps < most)
            most = v->steps - x.steps;
        const struct why_edge *g = why_edge(w, entry);
        if (!g->known && !g->dull &&
            !why_need_edge(w, entry, WORK_EDGE, most, e))
            return false;
        g = why_edge(w, entry);
        if (!g->known)
            continue;
        uint64_t steps = edge_steps(w, entry);
        if (steps >= most)
            continue;
        v->steps = x.steps + steps;
        v->search = w->search;
        v->by = half;
        heap_push(w, v->steps, to);
    }
    return true;
}

static void mark_near(struct why *w, uint32_t y)
{
    for (uint32_t i = linked(w, y)->head; i != 0; i = w->link.at[i - 1].next) {
        uint32_t half = w->link.at[i - 1].half;
        const struct why_entry *x = &w->entry.at[half >> 1];
        linked(w, half & 1 ? x->l : x->r)->near = w->search;
    }
}

// A way from x to y of fewer than pair.steps, if there is one.
static bool search(struct why *w, uint32_t pair, uint64_t limit, bool *shorter,
                   struct err *e)
{
    struct why_pair p = w->pair.at[pair];
    struct why_reached x = {0, p.x};
    w->search++;
    vec_clear(&w->heap);
    mark_near(w, p.y);
    struct why_linked *from = linked(w, p.x);
    from->steps = 0;
    from->search = w->search;
    for (;;) {
        if (w->work > limit)
            return true;
        if (x.steps == linked(w, x.node)->steps && !reach(w, x, &p, limit, e))
            return false;
        if (w->heap.len == 0)
            return true;
        x = heap_pop(w);
        if (x.node == p.y)
            break;
    }
    *shorter = true;
    p.at = w->way.len;
    for (uint32_t n = p.y; n != p.x;) {
        uint32_t h = linked(w, n)->by;
        vec_push(&w->way, h);
        n = h & 1 ? w->entry.at[h >> 1].r : w->entry.at[h >> 1].l;
    }
    p.n = w->way.len - p.at;
    for (uint32_t i = 0; i < p.n / 2; i++) {
        uint32_t h = w->way.at[p.at + i];
        w->way.at[p.at + i] = w->way.at[p.at + p.n - 1 - i];
        w->way.at[p.at + p.n - 1 - i] = h;
    }
    p.steps = x.steps;
    w->pair.at[pair] = p;
    fell(w, pair);
    return true;
}

// The way as its edges are now.
static void sum_up(struct why *w, uint32_t pair)
{
    struct why_pair *p = &w->pair.at[pair];
    uint64_t s = 0;
    for (uint32_t i = 0; i < p->n; i++)
        s = why_plus(s, edge_steps(w, w->way.at[p->at + i] >> 1));
    if (s < p->steps) {
        p->steps = s;
        fell(w, pair);
    }
}

// What the pair rests on, by steps: these in front of the pair's number.
static void rank(struct why *w, uint32_t pair)
{
    uint32_t base = w->waiting.len;
    vec_clear(&w->ranked);
    vec_push(&w->waiting, pair);
    while (w->waiting.len > base) {
        uint32_t k = vec_pop(&w->waiting);
        struct why_pair *p = &w->pair.at[k];
        if (p->open)
            continue;
        p->open = true;
        uint64_t steps = p->steps < UINT32_MAX ? p->steps : UINT32_MAX;
        vec_push(&w->ranked, steps << 32 | k);
        for (uint32_t i = 0; i < p->n; i++) {
            const struct why_edge *g = why_edge(w, w->way.at[p->at + i] >> 1);
            for (uint32_t m = 0; m < g->n; m++)
                vec_push(&w->waiting, w->prem.at[g->at + m]);
        }
    }
    for (uint32_t i = 0; i < w->ranked.len; i++)
        w->pair.at[(uint32_t)w->ranked.at[i]].open = false;
    why_sort(w->ranked.at, w->ranked.len);
}

// For the classes of the listed pairs: a scan of all entries, hence of all
// classes when they come one after the other.
static void link_classes(struct why *w)
{
    if (w->n_linked != w->entry.len) { // classes have been merged
        w->n_scans = 0;
        vec_release(&w->linked_of);
        vec_release(&w->class_linked);
        vec_clear(&w->linked);
        vec_clear(&w->link);
    }
    why_zeros(&w->linked_of, w->n_nodes);
    why_zeros(&w->class_linked, w->g->class_.len);
    bool some = false;
    for (uint32_t i = 0; i < w->ranked.len; i++) {
        const struct why_pair *p = &w->pair.at[(uint32_t)w->ranked.at[i]];
        uint32_t c = cc_class(w->g, p->x);
        if (p->steps > 1 && w->class_linked.at[c] == 0) {
            w->class_linked.at[c] = 1;
            some = true;
        }
    }
    if (!some)
        return;
    if (++w->n_scans > SCANS)
        for (uint32_t i = 0; i < w->class_linked.len; i++)
            w->class_linked.at[i] += w->class_linked.at[i] == 0;
    link_marked(w);
}

// Is anything in the pair's class new since it was searched for?
static bool worth(struct why *w, uint32_t pair)
{
    const struct why_pair *p = &w->pair.at[pair];
    uint32_t c = cc_class(w->g, p->x);
    return p->searched < w->read_at || p->searched < w->class_changed.at[c];
}

// The use of a rule with node `to` in the place of an end that is congruent to
// it: equal nodes, so it is a use as well.
static void copy_use(struct why *w, uint32_t entry, uint32_t place, uint32_t to)
{
    struct why_entry y = {.kind = w->entry.at[entry].kind, .last = w->list.len};
    const struct why_ends *ends = &w->ends.at[y.kind - JOURNAL_RULE];
    for (uint32_t i = 0; i < ends->n; i++) {
        uint32_t n = why_list(w, entry)[i];
        vec_push(&w->list, i == place ? to : n);
    }
    y.l = why_at(w, w->list.at + y.last, ends->l);
    y.r = why_at(w, w->list.at + y.last, ends->r);
    vec_push(&w->entry, y);
    vec_push(&w->edge_of, 0);
    link_entry(w, w->entry.len - 1);
}

// Does a premise of many steps lead from an argument in which they differ?
static bool is_undone(struct why *w, uint32_t entry, uint32_t node, uint32_t to)
{
    const struct why_edge *g = why_edge(w, entry);
    for (uint32_t k = 0; k < cc_arity(w->g, node); k++) {
        uint32_t kid = why_kid(w, node, k);
        for (uint32_t i = 0; i < g->n && kid != why_kid(w, to, k); i++) {
            const struct why_pair *p = &w->pair.at[w->prem.at[g->at + i]];
            if ((p->x == kid || p->y == kid) && p->steps >= MANY)
                return true;
        }
    }
    return false;
}

static void copy_at(struct why *w, uint32_t entry, struct why_place end,
                    uint32_t node, uint64_t limit)
{
    uint32_t next;
    if (end.arg != CC_NONE)
        return;
    for (uint32_t i = linked(w, node)->head; i != 0; i = next) {
        const struct why_entry *y = &w->entry.at[w->link.at[i - 1].half >> 1];
        uint32_t to = y->l == node ? y->r : y->l;
        next = w->link.at[i - 1].next;
        if (++w->work > limit)
            return;
        if (y->kind == JOURNAL_CONGRUENCE && is_undone(w, entry, node, to))
            copy_use(w, entry, end.place, to);
    }
}

// A use of a rule whose premises take steps may take fewer at a node congruent
// to the one where the graph has it: a premise then need not undo what the way
// there has done.  Is any of the way's copied?
static bool copy_way(struct why *w, uint32_t pair, uint64_t limit)
{
    const struct why_pair p = w->pair.at[pair];
    uint32_t was = w->entry.len, c = cc_class(w->g, p.x);
    for (uint32_t i = 0; i < p.n && w->class_linked.at[c] == 2; i++) {
        uint32_t entry = w->way.at[p.at + i] >> 1;
        struct why_edge *g = why_edge(w, entry);
        const struct why_entry x = w->entry.at[entry];
        if (x.kind < JOURNAL_RULE || why_is_added(&x) || g->copied ||
            g->steps <= MANY)
            continue;
        g->copied = true;
        const struct why_ends ends = w->ends.at[x.kind - JOURNAL_RULE];
        copy_at(w, entry, ends.l, x.l, limit);
        copy_at(w, entry, ends.r, x.r, limit);
    }
    if (w->entry.len == was)
        return false;
    w->n_linked = w->entry.len;
    w->pair.at[pair].searched = 0; // to be looked for again
    return true;
}

// For all pairs that the last look went through.
static bool copy_ways(struct why *w, uint64_t limit)
{
    bool some = false;
    for (uint32_t k = 0; k < w->ranked.len && w->work < limit; k++)
        some |= copy_way(w, (uint32_t)w->ranked.at[k], limit);
    return some;
}

static bool pass(struct why *w, uint32_t pair, uint64_t limit, bool *shorter,
                 struct err *e)
{
    bool ok = true;
    *shorter = false;
    rank(w, pair);
    if (w->work < limit)
        link_classes(w);
    for (uint32_t k = 0; k < w->ranked.len && ok; k++) {
        uint32_t x = (uint32_t)w->ranked.at[k];
        sum_up(w, x);
        if (w->pair.at[x].steps <= 1 || w->work >= limit || !worth(w, x))
            continue;
        ok = search(w, x, limit, shorter, e);
        if (w->work <= limit)
            w->pair.at[x].searched = w->changes;
    }
    return ok;
}

// Short ways first: the long ones rest on them.
bool why_shorten(struct why *w, uint32_t pair, struct err *e)
{
    if (w->pair.at[pair].steps < 2)
        return true;
    uint64_t limit = w->work + WORK;
    if (w->most_work > 0 && limit > w->most_work)
        limit = w->most_work;
    if (w->work >= limit)
        return true;
    bool ok = true, shorter = true;
    for (uint32_t i = 0; i < PASSES && ok && shorter; i++)
        ok = pass(w, pair, limit, &shorter, e);
    if (ok && copy_ways(w, limit))
        ok = pass(w, pair, limit, &shorter, e);
    return ok;
}
