// SPDX-License-Identifier: Apache-2.0
// Local search by reference counts: what falls away with the present node of a
// class is weighed against what another node of the class would add.
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"

#include <math.h>

enum { ROUNDS = 8 };
static const double ROUNDING = 1e-12; // relative; sums differ by their order

struct local_search {
    const struct space *s;
    struct effort *f;
    uint32_t *choice;
    uint32_t *ref;   // per class: uses by needed classes and by roots
    uint32_t *level; // per class: above all that its choice reaches in its part
    struct u32_vec stack, touched, sharers;
    uint32_t *mark; // per class
    uint32_t stamp;
    struct u32_vec queue; // needed classes to look at; head is the next one
    uint32_t head;
    bool *queued;
    struct u32_vec trail; // pairs: class, the node that it had
    bool trailing;
    uint32_t banned; // a class that may not come into use, or NO_CHOICE
    bool positive;   // no cost is below zero
    struct price now;
};

static bool cheaper(struct price a, struct price b)
{
    double slack = ROUNDING * fabs(b.cost);
    return a.cost < b.cost - slack ||
           (a.cost <= b.cost + slack && a.nodes < b.nodes);
}

static struct price minus(struct price a, struct price b)
{
    return (struct price){a.cost - b.cost, a.nodes - b.nodes};
}

// Takes a node in or out of use: the price of all that follows it.
static struct price use(struct local_search *l, uint32_t node, bool in)
{
    const struct space *s = l->s;
    struct price p = {0, 0};
    vec_clear(&l->stack);
    vec_push(&l->stack, node);
    while (l->stack.len > 0) {
        uint32_t n = vec_pop(&l->stack);
        p.cost += s->p.cost.at[n];
        p.nodes++;
        FOR_CHILDREN(s, n, i)
        {
            uint32_t c = s->p.child.at[i];
            if (in ? l->ref[c]++ == 0 : --l->ref[c] == 0)
                vec_push(&l->stack, l->choice[c]);
        }
        l->f->spent += 1 + s->p.child_at.at[n + 1] - s->p.child_at.at[n];
    }
    return p;
}

// What taking a node into use would cost; false as soon as it is not below
// `limit` for certain, or needs the banned class.  Leaves the counts as they
// were.
static bool try_use(struct local_search *l, uint32_t node, struct price limit,
                    struct price *price)
{
    const struct space *s = l->s;
    struct price p = {0, 0};
    bool ok = true;
    vec_clear(&l->touched);
    vec_clear(&l->stack);
    vec_push(&l->stack, node);
    while (ok && l->stack.len > 0) {
        uint32_t n = vec_pop(&l->stack);
        p.cost += s->p.cost.at[n];
        p.nodes++;
        ok = !l->positive || cheaper(p, limit);
        for (uint32_t i = s->p.child_at.at[n];
             ok && i < s->p.child_at.at[n + 1]; i++) {
            uint32_t c = s->p.child.at[i];
            ok = c != l->banned;
            vec_push(&l->touched, c);
            if (l->ref[c]++ == 0)
                vec_push(&l->stack, l->choice[c]);
        }
    }
    for (uint32_t i = 0; i < l->touched.len; i++)
        l->ref[l->touched.at[i]]--;
    l->f->spent += 1 + l->touched.len;
    *price = p;
    return ok && cheaper(p, limit);
}

// ---- cycles

static bool find_levels(struct local_search *l, struct u32_vec *order)
{
    const struct space *s = l->s;
    struct u32_vec all = {0};
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        vec_push(&all, c);
    bool ok = space_order(s, l->choice, &all, order);
    for (uint32_t k = 0; ok && k < order->len; k++) {
        uint32_t c = order->at[k];
        l->level[c] = 0;
        FOR_CHILDREN(s, l->choice[c], i)
        {
            uint32_t d = s->p.child.at[i];
            if (s->part.at[d] == s->part.at[c] && l->level[d] >= l->level[c])
                l->level[c] = l->level[d] + 1;
        }
    }
    vec_release(&all);
    return ok;
}

// c has a new choice: its level, and those of all that rest on it, may only
// rise.  A level that stays too high does no harm.
static void raise_levels(struct local_search *l, uint32_t class)
{
    const struct space *s = l->s;
    vec_clear(&l->stack);
    vec_push(&l->stack, class);
    while (l->stack.len > 0) {
        uint32_t c = vec_pop(&l->stack), level = l->level[c];
        uint32_t part = s->part.at[c];
        FOR_CHILDREN(s, l->choice[c], i)
        {
            uint32_t d = s->p.child.at[i];
            if (s->part.at[d] == part && l->level[d] >= level)
                level = l->level[d] + 1;
        }
        if (level == l->level[c])
            continue;
        l->level[c] = level;
        FOR_USERS(s, c, i)
        {
            uint32_t n = s->user.at[i], owner = s->owner.at[n];
            if (s->part.at[owner] == part && l->choice[owner] == n)
                vec_push(&l->stack, owner);
        }
        l->f->spent += s->user_at.at[c + 1] - s->user_at.at[c];
    }
}

// Would `node`, chosen for `class`, lead back to it?
static bool reaches(struct local_search *l, uint32_t node, uint32_t class)
{
    const struct space *s = l->s;
    uint32_t part = s->part.at[class];
    if (s->part_at.at[part + 1] - s->part_at.at[part] == 1)
        return false;
    l->stamp++;
    vec_clear(&l->stack);
    vec_push(&l->stack, node);
    while (l->stack.len > 0) {
        uint32_t n = vec_pop(&l->stack);
        l->f->spent += s->p.child_at.at[n + 1] - s->p.child_at.at[n];
        FOR_CHILDREN(s, n, i)
        {
            uint32_t c = s->p.child.at[i];
            if (c == class)
                return true;
            if (s->part.at[c] != part || l->level[c] <= l->level[class] ||
                l->mark[c] == l->stamp)
                continue;
            l->mark[c] = l->stamp;
            vec_push(&l->stack, l->choice[c]);
        }
    }
    return false;
}

// ---- moves

static void enqueue(struct local_search *l, uint32_t c)
{
    if (l->queued[c] || l->ref[c] == 0)
        return;
    l->queued[c] = true;
    vec_push(&l->queue, c);
}

// What nobody used or nobody uses any more, or one alone, changes what its
// users would pay or save.
static void enqueue_around(struct local_search *l, uint32_t node)
{
    const struct space *s = l->s;
    FOR_CHILDREN(s, node, i)
    {
        uint32_t c = s->p.child.at[i];
        if (l->ref[c] > 1)
            continue;
        l->f->spent += s->user_at.at[c + 1] - s->user_at.at[c];
        FOR_USERS(s, c, k)
        enqueue(l, s->owner.at[s->user.at[k]]);
    }
}

// Gives class c the node, out of use before and in use afterwards.
static void exchange(struct local_search *l, uint32_t c, uint32_t node)
{
    uint32_t was = l->choice[c];
    if (l->trailing) {
        vec_push(&l->trail, c);
        vec_push(&l->trail, was);
    }
    l->choice[c] = node;
    raise_levels(l, c);
    enqueue_around(l, was);
    enqueue_around(l, node);
}

// Gives c its best node, the rest staying as it is; *gain, what that saves, is
// negative when `must` and a banned class made it worse.  False: no change.
static bool improve(struct local_search *l, uint32_t c, bool must, struct price *gain)
{
    const struct space *s = l->s;
    uint32_t now = l->choice[c], best = now;
    *gain = (struct price){0, 0};
    if (l->ref[c] == 0 || s->p.node_at.at[c + 1] - s->p.node_at.at[c] < 2)
        return false;
    struct price old = use(l, now, false), price;
    struct price least = must ? (struct price){INFINITY, INFINITY} : old;
    FOR_NODES(s, c, n)
    {
        if (n == now || !try_use(l, n, least, &price) || reaches(l, n, c))
            continue;
        least = price;
        best = n;
    }
    use(l, best, true);
    if (best == now)
        return false;
    *gain = minus(old, least);
    exchange(l, c, best);
    l->now = minus(l->now, *gain);
    return true;
}

static bool improve_queued(struct local_search *l)
{
    struct price gain;
    bool changed = false;
    while (l->head < l->queue.len && dag_effort_left(l->f)) {
        uint32_t c = l->queue.at[l->head++];
        l->queued[c] = false;
        changed |= improve(l, c, false, &gain);
    }
    if (l->head == l->queue.len)
        l->head = l->queue.len = 0;
    return changed;
}

static void undo(struct local_search *l)
{
    while (l->trail.len > 0) {
        uint32_t was = vec_pop(&l->trail), c = vec_pop(&l->trail);
        bool needed = l->ref[c] > 0;
        struct price p = {0, 0};
        if (needed)
            p = use(l, l->choice[c], false);
        l->choice[c] = was;
        if (needed)
            p = minus(p, use(l, was, true));
        l->now = minus(l->now, p);
        raise_levels(l, c);
    }
}

// Needed classes that could use c with a node of theirs, or that do.
static void find_sharers(struct local_search *l, uint32_t class, bool in_use)
{
    const struct space *s = l->s;
    l->stamp++;
    vec_clear(&l->sharers);
    FOR_USERS(s, class, i)
    {
        uint32_t n = s->user.at[i], c = s->owner.at[n];
        if (l->ref[c] == 0 || l->mark[c] == l->stamp ||
            (l->choice[c] == n) != in_use)
            continue;
        l->mark[c] = l->stamp;
        vec_push(&l->sharers, c);
    }
    l->f->spent += s->user_at.at[class + 1] - s->user_at.at[class];
}

// Ends a move of several steps: kept if it paid.
static bool settle(struct local_search *l, struct price before)
{
    bool pays = cheaper(l->now, before);
    l->trailing = false;
    if (!pays)
        undo(l);
    vec_clear(&l->trail);
    return pays;
}

// A class that nobody uses because no single use pays for it: buys it, and lets
// all who could use it improve.
static bool buy(struct local_search *l, uint32_t class)
{
    struct price before = l->now, gain;
    find_sharers(l, class, false);
    if (l->sharers.len < 2)
        return false;
    l->trailing = true;
    l->ref[class]++;
    struct price paid = use(l, l->choice[class], true);
    l->now = minus(l->now, (struct price){-paid.cost, -paid.nodes});
    for (uint32_t i = 0; i < l->sharers.len && dag_effort_left(l->f); i++)
        improve(l, l->sharers.at[i], false, &gain);
    if (--l->ref[class] == 0)
        l->now = minus(l->now, use(l, l->choice[class], false));
    return settle(l, before);
}

// A class that costs more than all its users would pay without it.
static bool leave(struct local_search *l, uint32_t class)
{
    struct price before = l->now, gain;
    find_sharers(l, class, true);
    if (l->sharers.len < 2)
        return false;
    bool ok = true;
    l->trailing = true;
    l->banned = class;
    for (uint32_t i = 0; ok && i < l->sharers.len && dag_effort_left(l->f); i++)
        ok = l->ref[l->sharers.at[i]] == 0 ||
             improve(l, l->sharers.at[i], true, &gain);
    l->banned = NO_CHOICE;
    return settle(l, before);
}

// Unused classes at the prices that a new user would pay.
static void price_anew(struct local_search *l, struct price *price)
{
    const struct space *s = l->s;
    bool *fixed = mem_alloc((size_t)s->p.n_classes + 1);
    struct u32_vec order = {0};
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        fixed[c] = l->ref[c] > 0;
    struct tree_guide g = {.fixed = fixed};
    tree_choose(s, &g, l->choice, price);
    if (!find_levels(l, &order))
        BUG("choices priced anew are cyclic");
    l->f->spent += s->p.child.len;
    vec_release(&order);
    mem_free(fixed);
}

// Does a node need two classes or more that nobody uses now?  (One is the
// business of `buy`.)  They are left in l->touched.
static bool needs_several(struct local_search *l, uint32_t node)
{
    const struct space *s = l->s;
    l->stamp++;
    vec_clear(&l->touched);
    FOR_CHILDREN(s, node, i)
    {
        uint32_t c = s->p.child.at[i];
        if (l->ref[c] == 0 && l->mark[c] != l->stamp)
            vec_push(&l->touched, c);
        l->mark[c] = l->stamp;
    }
    l->f->spent += s->p.child_at.at[node + 1] - s->p.child_at.at[node];
    return l->touched.len > 1;
}

// Takes a node that does not pay by itself, lets all improve who could share
// what it needs anew.
static bool force(struct local_search *l, uint32_t class, uint32_t node)
{
    struct price before = l->now, gain;
    if (l->choice[class] == node || !needs_several(l, node) ||
        reaches(l, node, class))
        return false;
    struct u32_vec anew = {0};
    for (uint32_t i = 0; i < l->touched.len; i++)
        vec_push(&anew, l->touched.at[i]);
    l->trailing = true;
    l->now = minus(l->now, use(l, l->choice[class], false));
    struct price paid = use(l, node, true);
    l->now = minus(l->now, (struct price){-paid.cost, -paid.nodes});
    exchange(l, class, node);
    for (uint32_t i = 0; i < anew.len; i++) {
        find_sharers(l, anew.at[i], false);
        for (uint32_t k = 0; k < l->sharers.len && dag_effort_left(l->f); k++)
            improve(l, l->sharers.at[k], false, &gain);
    }
    vec_release(&anew);
    return settle(l, before);
}

static bool force_all(struct local_search *l)
{
    const struct space *s = l->s;
    bool changed = false;
    for (uint32_t c = 0; c < s->p.n_classes && dag_effort_left(l->f); c++)
        FOR_NODES(s, c, n)
    if (l->ref[c] > 0)
        changed |= force(l, c, n);
    return changed;
}

static bool improve_jointly(struct local_search *l)
{
    bool changed = false;
    for (uint32_t c = 0; c < l->s->p.n_classes && dag_effort_left(l->f); c++) {
        if (l->ref[c] == 0)
            changed |= buy(l, c);
        else if (l->ref[c] > 1)
            changed |= leave(l, c);
    }
    return changed;
}

static void search(struct local_search *l, bool deep)
{
    const struct space *s = l->s;
    struct price *price =
        mem_alloc(((size_t)s->p.n_classes + 1) * sizeof *price);
    struct u32_vec order = {0};
    if (!find_levels(l, &order))
        BUG("local search begins with a cycle");
    for (uint32_t i = 0; i < s->p.root.len; i++)
        if (l->ref[s->p.root.at[i]]++ == 0) {
            struct price p = use(l, l->choice[s->p.root.at[i]], true);
            l->now = minus(l->now, (struct price){-p.cost, -p.nodes});
        }
    for (int round = 0; round < ROUNDS && dag_effort_left(l->f); round++) {
        price_anew(l, price);
        for (uint32_t i = 0; i < order.len; i++)
            enqueue(l, order.at[i]);
        bool changed = improve_queued(l);
        if (dag_effort_left(l->f))
            changed |= improve_jointly(l);
        if (deep && !changed && dag_effort_left(l->f))
            changed = force_all(l);
        if (!changed)
            break;
    }
    vec_release(&order);
    mem_free(price);
}

struct price dag_improve(const struct space *s, struct effort *f, bool deep,
                           uint32_t *choice)
{
    size_t n = (size_t)s->p.n_classes + 1;
    struct local_search l = {.s = s, .f = f, .choice = choice, .positive = true};
    l.banned = NO_CHOICE;
    l.ref = mem_alloc(n * sizeof *l.ref);
    l.level = mem_alloc(n * sizeof *l.level);
    l.mark = mem_alloc(n * sizeof *l.mark);
    l.queued = mem_alloc(n * sizeof *l.queued);
    for (uint32_t k = 0; k < s->p.n_nodes; k++)
        l.positive &= s->p.cost.at[k] >= 0;
    search(&l, deep);
    mem_free(l.ref);
    mem_free(l.level);
    mem_free(l.mark);
    mem_free(l.queued);
    vec_release(&l.stack);
    vec_release(&l.touched);
    vec_release(&l.sharers);
    vec_release(&l.queue);
    vec_release(&l.trail);
    return l.now;
}
