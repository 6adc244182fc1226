// SPDX-License-Identifier: Apache-2.0
// Selections that pay shared classes once.
#include "egraph/extract_core.h"

// Greedy with cost sets.  For each class the set of classes under its choice
// is kept; a node costs the union of its arguments' sets and itself.

enum { SET_BUDGET = 1 << 25 };                 // stored members
static const uint64_t WORK_BUDGET = 200000000; // visited members

struct set {
    uint64_t at;
    uint32_t n, cap;
};

struct greedy {
    const struct solver *s;
    uint32_t *choice;
    struct price *best;
    struct set *set;
    struct u32_vec pool; // members of all sets
    struct u32_vec members, mark;
    uint32_t stamp;
    struct u32_vec queue; // nodes; head is the next one
    uint32_t head;
    uint8_t *queued;
    uint64_t work;
};

static void enqueue(struct greedy *d, uint32_t node)
{
    if (d->queued[node])
        return;
    if (d->head > 4096 && d->head > d->queue.len / 2) {
        d->queue.len -= d->head;
        memmove(d->queue.at, d->queue.at + d->head,
                d->queue.len * sizeof(uint32_t));
        d->head = 0;
    }
    d->queued[node] = 1;
    vec_push(&d->queue, node);
}

// The union of the argument sets in d->members; false if one is missing or
// leads back to the node's own class.
static bool gather(struct greedy *d, uint32_t node, uint32_t self,
                   struct price *price)
{
    const struct terms *t = d->s->g->terms;
    const struct term *m = &t->term.at[node];
    *price = (struct price){d->s->weight[node], 1};
    d->stamp++;
    vec_clear(&d->members);
    vec_push(&d->members, self);
    for (uint32_t k = 0; k < m->n_args; k++) {
        uint32_t q = position(d->s, t->args.at[m->args_at + k]);
        if (d->choice[q] == NO_NODE)
            return false;
        d->work += d->set[q].n;
        for (uint32_t i = 0; i < d->set[q].n; i++) {
            uint32_t p = d->pool.at[d->set[q].at + i];
            if (p == self)
                return false;
            if (d->mark.at[p] == d->stamp)
                continue;
            d->mark.at[p] = d->stamp;
            vec_push(&d->members, p);
            price->cost += d->s->weight[d->choice[p]];
            price->nodes++;
        }
    }
    return true;
}

static bool store(struct greedy *d, uint32_t p)
{
    struct set *x = &d->set[p];
    uint32_t n = d->members.len;
    if (n > x->cap) {
        if (d->pool.len + (uint64_t)n > SET_BUDGET)
            return false;
        x->at = d->pool.len;
        x->cap = n;
        vec_reserve(&d->pool, d->pool.len + n);
        d->pool.len += n;
    }
    x->n = n;
    memcpy(d->pool.at + x->at, d->members.at, n * sizeof(uint32_t));
    return true;
}

static bool try_node(struct greedy *d, uint32_t node)
{
    struct egraph *g = d->s->g;
    uint32_t p = position(d->s, (term_id){node});
    struct price price;
    if (!gather(d, node, p, &price) ||
        (d->choice[p] != NO_NODE && price_compare(price, d->best[p]) >= 0))
        return true;
    if (!store(d, p))
        return false;
    d->choice[p] = node;
    d->best[p] = price;
    class_id c = {d->s->root.at[p]};
    for (uint32_t i = parent_first(g, c); i != NO_EDGE; i = parent_next(g, i)) {
        uint32_t n = g->edge.at[i].node;
        if (d->s->pos[egraph_find(g, (term_id){n}).v] != 0)
            enqueue(d, n);
    }
    return true;
}

bool solve_greedy(const struct solver *s, uint32_t *choice)
{
    struct egraph *g = s->g;
    uint32_t n = s->root.len;
    struct greedy d = {.s = s, .choice = choice};
    d.best = mem_alloc((n + 1) * sizeof *d.best);
    d.set = mem_alloc((n + 1) * sizeof *d.set);
    d.queued = mem_alloc(g->node.len + 1);
    vec_reserve(&d.mark, n + 1);
    memset(d.mark.at, 0, (n + 1) * sizeof(uint32_t));
    for (uint32_t p = 0; p < n; p++)
        choice[p] = NO_NODE;
    for (uint32_t p = 0; p < n; p++) {
        class_id c = {s->root.at[p]};
        for (term_id t = class_first(g, c); t.v != NO_TERM.v;
             t = class_next(g, c, t))
            if (term_at(g->terms, t)->n_args == 0)
                enqueue(&d, t.v);
    }
    bool ok = true;
    while (ok && d.head < d.queue.len) {
        uint32_t node = d.queue.at[d.head++];
        d.queued[node] = 0;
        ok = try_node(&d, node) && d.work < WORK_BUDGET;
    }
    mem_free(d.best);
    mem_free(d.set);
    mem_free(d.queued);
    vec_release(&d.pool);
    vec_release(&d.members);
    vec_release(&d.mark);
    vec_release(&d.queue);
    return ok;
}

// Local search by reference counts: what falls away with the present node of a
// class is weighed against what another node of the class would add; then
// classes are tried that pay only when several others turn to them together.

enum { PASSES = 8 };
static const uint64_t LOCAL_BUDGET = 100000000; // visited nodes
static const double ROUNDING =
    1e-12; // relative; sums of floats differ by order

struct local {
    const struct solver *s;
    uint32_t *choice;
    uint32_t *ref;   // uses of a position by needed ones and by goals
    uint32_t *level; // above all that its choice reaches
    struct u32_vec all, order, stack, mark;
    struct u32_vec turn;  // positions to improve, in order
    struct u32_vec trail; // pairs: position, the node that it had
    uint32_t stamp;
    uint64_t work;
};

// Takes a node in (+1) or out (-1) of use; the price of all that follows it.
static struct price use(struct local *l, uint32_t node, bool in)
{
    const struct terms *t = l->s->g->terms;
    struct price p = {0, 0};
    vec_clear(&l->stack);
    vec_push(&l->stack, node);
    while (l->stack.len > 0) {
        uint32_t n = vec_pop(&l->stack);
        const struct term *m = &t->term.at[n];
        p.cost += l->s->weight[n];
        p.nodes++;
        l->work += 1 + m->n_args;
        for (uint32_t k = 0; k < m->n_args; k++) {
            uint32_t q = position(l->s, t->args.at[m->args_at + k]);
            if (in ? l->ref[q]++ == 0 : --l->ref[q] == 0)
                vec_push(&l->stack, l->choice[q]);
        }
    }
    return p;
}

static void find_levels(struct local *l)
{
    const struct terms *t = l->s->g->terms;
    if (!solver_order(l->s, l->choice, &l->all, &l->order))
        BUG("cyclic selection");
    for (uint32_t i = 0; i < l->order.len; i++) {
        uint32_t p = l->order.at[i], level = 0;
        const struct term *m = &t->term.at[l->choice[p]];
        for (uint32_t k = 0; k < m->n_args; k++) {
            uint32_t q = position(l->s, t->args.at[m->args_at + k]);
            level = l->level[q] >= level ? l->level[q] + 1 : level;
        }
        l->level[p] = level;
    }
}

// p has a new choice: its level, and those of all that rest on it, may only
// rise.  A level that stays too high does no harm.
static void raise_levels(struct local *l, uint32_t p)
{
    struct egraph *g = l->s->g;
    vec_clear(&l->stack);
    vec_push(&l->stack, p);
    while (l->stack.len > 0) {
        uint32_t at = vec_pop(&l->stack), level = l->level[at];
        const struct term *m = &g->terms->term.at[l->choice[at]];
        for (uint32_t k = 0; k < m->n_args; k++) {
            uint32_t q = position(l->s, g->terms->args.at[m->args_at + k]);
            level = l->level[q] >= level ? l->level[q] + 1 : level;
        }
        if (level == l->level[at])
            continue;
        l->level[at] = level;
        class_id c = {l->s->root.at[at]};
        for (uint32_t i = parent_first(g, c); i != NO_EDGE;
             i = parent_next(g, i)) {
            uint32_t n = g->edge.at[i].node;
            uint32_t q = l->s->pos[egraph_find(g, (term_id){n}).v];
            l->work++;
            if (q != 0 && l->choice[q - 1] == n)
                vec_push(&l->stack, q - 1);
        }
    }
}

// Would `node`, chosen for p, lead back to p?
static bool reaches(struct local *l, uint32_t node, uint32_t p)
{
    const struct terms *t = l->s->g->terms;
    l->stamp++;
    vec_clear(&l->stack);
    vec_push(&l->stack, node);
    while (l->stack.len > 0) {
        const struct term *m = &t->term.at[vec_pop(&l->stack)];
        l->work += m->n_args;
        for (uint32_t k = 0; k < m->n_args; k++) {
            uint32_t q = position(l->s, t->args.at[m->args_at + k]);
            if (q == p)
                return true;
            if (l->level[q] <= l->level[p] || l->mark.at[q] == l->stamp)
                continue;
            l->mark.at[q] = l->stamp;
            vec_push(&l->stack, l->choice[q]);
        }
    }
    return false;
}

static bool cheaper(struct price a, struct price b)
{
    double slack = ROUNDING * b.cost;
    return a.cost < b.cost - slack ||
           (a.cost <= b.cost + slack && a.nodes < b.nodes);
}

// Gives p its best node, the rest staying as it is.  *gain = what that saves.
static bool improve(struct local *l, uint32_t p, struct price *gain)
{
    struct egraph *g = l->s->g;
    class_id c = {l->s->root.at[p]};
    uint32_t now = l->choice[p], best = now;
    *gain = (struct price){0, 0};
    if (l->ref[p] == 0 || egraph_class(g, c)->n_live < 2)
        return false;
    struct price old = use(l, now, false), least = old;
    for (term_id n = class_first(g, c); n.v != NO_TERM.v;
         n = class_next(g, c, n)) {
        if (n.v == now || reaches(l, n.v, p))
            continue;
        struct price price = use(l, n.v, true);
        use(l, n.v, false);
        if (cheaper(price, least)) {
            least = price;
            best = n.v;
        }
    }
    use(l, best, true);
    if (best == now)
        return false;
    l->choice[p] = best;
    raise_levels(l, p);
    *gain = (struct price){old.cost - least.cost, old.nodes - least.nodes};
    return true;
}

static bool improve_all(struct local *l)
{
    struct price gain;
    bool changed = false;
    if (!solver_order(l->s, l->choice, &l->s->goal, &l->turn))
        BUG("cyclic selection");
    for (uint32_t i = 0; i < l->turn.len && l->work < LOCAL_BUDGET; i++)
        changed |= improve(l, l->turn.at[i], &gain);
    return changed;
}

// Classes in use with a node over class p, that could share it.
static void sharers(struct local *l, uint32_t p)
{
    struct egraph *g = l->s->g;
    class_id c = {l->s->root.at[p]};
    l->stamp++;
    vec_clear(&l->turn);
    for (uint32_t i = parent_first(g, c); i != NO_EDGE; i = parent_next(g, i)) {
        term_id n = {g->edge.at[i].node};
        uint32_t q = l->s->pos[egraph_find(g, n).v];
        l->work++;
        if (q == 0 || l->ref[q - 1] == 0 || l->mark.at[q - 1] == l->stamp)
            continue;
        l->mark.at[q - 1] = l->stamp;
        vec_push(&l->turn, q - 1);
    }
}

static void undo(struct local *l)
{
    while (l->trail.len > 0) {
        uint32_t was = vec_pop(&l->trail), p = vec_pop(&l->trail);
        if (l->ref[p] > 0)
            use(l, l->choice[p], false);
        l->choice[p] = was;
        if (l->ref[p] > 0)
            use(l, was, true);
        raise_levels(l, p);
    }
}

// A class that nobody uses because no single use pays for it: buys it, lets all
// who could use it improve, and keeps that if the sum of it pays.
static bool share(struct local *l, uint32_t p)
{
    sharers(l, p);
    if (l->turn.len < 2)
        return false;
    vec_clear(&l->trail);
    l->ref[p]++;
    struct price paid = use(l, l->choice[p], true), saved = {0, 0}, gain;
    for (uint32_t i = 0; i < l->turn.len; i++) {
        uint32_t q = l->turn.at[i], was = l->choice[q];
        if (!improve(l, q, &gain))
            continue;
        vec_push(&l->trail, q);
        vec_push(&l->trail, was);
        saved.cost += gain.cost;
        saved.nodes += gain.nodes;
    }
    if (--l->ref[p] == 0) {
        struct price back = use(l, l->choice[p], false);
        saved.cost += back.cost;
        saved.nodes += back.nodes;
    }
    if (cheaper(paid, saved))
        return true; // for what is paid is less than what is saved
    if (l->trail.len > 0)
        undo(l);
    return false;
}

static bool share_all(struct local *l)
{
    bool changed = false;
    for (uint32_t p = 0; p < l->s->root.len && l->work < LOCAL_BUDGET; p++)
        if (l->ref[p] == 0)
            changed |= share(l, p);
    return changed;
}

void solve_local(const struct solver *s, uint32_t *choice)
{
    uint32_t n = s->root.len;
    struct local l = {.s = s, .choice = choice};
    l.ref = mem_alloc((n + 1) * sizeof *l.ref);
    l.level = mem_alloc((n + 1) * sizeof *l.level);
    vec_reserve(&l.mark, n + 1);
    memset(l.mark.at, 0, (n + 1) * sizeof(uint32_t));
    for (uint32_t p = 0; p < n; p++)
        vec_push(&l.all, p);
    find_levels(&l);
    for (uint32_t i = 0; i < s->goal.len; i++)
        if (l.ref[s->goal.at[i]]++ == 0)
            use(&l, choice[s->goal.at[i]], true);
    for (int pass = 0; pass < PASSES; pass++)
        if (!improve_all(&l) && !share_all(&l))
            break;
    mem_free(l.ref);
    mem_free(l.level);
    vec_release(&l.turn);
    vec_release(&l.trail);
    vec_release(&l.all);
    vec_release(&l.order);
    vec_release(&l.stack);
    vec_release(&l.mark);
}
