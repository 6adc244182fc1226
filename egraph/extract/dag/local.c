// SPDX-License-Identifier: Apache-2.0
// Local search by reference counts: compares the cost that falls away with the
// present node of a class with the cost that another node of the class would add.
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"
#include "egraph/limits.h"

#include <math.h>

static const double ROUNDING = 1e-12; // relative; sums differ by their order

struct local_search {
    const struct space *space;
    struct effort *effort;
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
    return a.cost < b.cost - slack || (a.cost <= b.cost + slack && a.nodes < b.nodes);
}

static struct price minus(struct price a, struct price b)
{
    return (struct price){a.cost - b.cost, a.nodes - b.nodes};
}

static struct price plus(struct price a, struct price b)
{
    return (struct price){a.cost + b.cost, a.nodes + b.nodes};
}

// Takes a node in or out of use: the price of all that follows it.
static struct price use(struct local_search *local_search, uint32_t node, bool in)
{
    const struct space *space = local_search->space;
    struct price price = {0, 0};
    vec_clear(&local_search->stack);
    vec_push(&local_search->stack, node);
    while (local_search->stack.len > 0) {
        uint32_t n = vec_pop(&local_search->stack);
        price.cost += space->problem.cost.at[n];
        price.nodes++;
        FOR_CHILDREN (space, n, i) {
            uint32_t c = space->problem.child.at[i];
            if (in ? local_search->ref[c]++ == 0 : --local_search->ref[c] == 0)
                vec_push(&local_search->stack, local_search->choice[c]);
        }
        local_search->effort->spent +=
            1 + space->problem.child_at.at[n + 1] - space->problem.child_at.at[n];
    }
    return price;
}

// Would the cost of taking a node into use be below `limit`?  False also if the node needs
// the banned class.  Leaves the counts as they were.
static bool try_use(struct local_search *local_search, uint32_t node, struct price limit)
{
    const struct space *space = local_search->space;
    struct price p = {0, 0};
    bool ok = true;
    vec_clear(&local_search->touched);
    vec_clear(&local_search->stack);
    vec_push(&local_search->stack, node);
    while (ok && local_search->stack.len > 0) {
        uint32_t n = vec_pop(&local_search->stack);
        p.cost += space->problem.cost.at[n];
        p.nodes++;
        ok = !local_search->positive || cheaper(p, limit);
        for (uint32_t i = space->problem.child_at.at[n];
             ok && i < space->problem.child_at.at[n + 1]; i++) {
            uint32_t c = space->problem.child.at[i];
            ok = c != local_search->banned;
            vec_push(&local_search->touched, c);
            if (local_search->ref[c]++ == 0)
                vec_push(&local_search->stack, local_search->choice[c]);
        }
    }
    for (uint32_t i = 0; i < local_search->touched.len; i++)
        local_search->ref[local_search->touched.at[i]]--;
    local_search->effort->spent += 1 + local_search->touched.len;
    return ok && cheaper(p, limit);
}

// ---- cycles

static bool find_levels(struct local_search *local_search, struct u32_vec *order)
{
    const struct space *space = local_search->space;
    struct u32_vec all = {0};
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        vec_push(&all, c);
    bool ok = space_order(space, local_search->choice, &all, order);
    for (uint32_t k = 0; ok && k < order->len; k++) {
        uint32_t c = order->at[k];
        local_search->level[c] = 0;
        FOR_CHILDREN (space, local_search->choice[c], i) {
            uint32_t d = space->problem.child.at[i];
            if (space->part.at[d] == space->part.at[c] &&
                local_search->level[d] >= local_search->level[c])
                local_search->level[c] = local_search->level[d] + 1;
        }
    }
    vec_release(&all);
    return ok;
}

// c has a new choice: its level, and those of all that rest on it, may only
// rise.  A level that stays too high does no harm.
static void raise_levels(struct local_search *local_search, uint32_t class)
{
    const struct space *space = local_search->space;
    vec_clear(&local_search->stack);
    vec_push(&local_search->stack, class);
    while (local_search->stack.len > 0) {
        uint32_t c = vec_pop(&local_search->stack), level = local_search->level[c];
        uint32_t part = space->part.at[c];
        FOR_CHILDREN (space, local_search->choice[c], i) {
            uint32_t d = space->problem.child.at[i];
            if (space->part.at[d] == part && local_search->level[d] >= level)
                level = local_search->level[d] + 1;
        }
        if (level == local_search->level[c])
            continue;
        local_search->level[c] = level;
        FOR_USERS (space, c, i) {
            uint32_t n = space->user.at[i], owner = space->owner.at[n];
            if (space->part.at[owner] == part && local_search->choice[owner] == n)
                vec_push(&local_search->stack, owner);
        }
        local_search->effort->spent += space->user_at.at[c + 1] - space->user_at.at[c];
    }
}

// Would `node`, chosen for `class`, lead back to it?
static bool reaches(struct local_search *local_search, uint32_t node, uint32_t class)
{
    const struct space *space = local_search->space;
    uint32_t part = space->part.at[class];
    if (space->part_at.at[part + 1] - space->part_at.at[part] == 1)
        return false;
    local_search->stamp++;
    vec_clear(&local_search->stack);
    vec_push(&local_search->stack, node);
    while (local_search->stack.len > 0) {
        uint32_t n = vec_pop(&local_search->stack);
        local_search->effort->spent +=
            space->problem.child_at.at[n + 1] - space->problem.child_at.at[n];
        FOR_CHILDREN (space, n, i) {
            uint32_t c = space->problem.child.at[i];
            if (c == class)
                return true;
            if (space->part.at[c] != part || local_search->level[c] <= local_search->level[class] ||
                local_search->mark[c] == local_search->stamp)
                continue;
            local_search->mark[c] = local_search->stamp;
            vec_push(&local_search->stack, local_search->choice[c]);
        }
    }
    return false;
}

// ---- moves

static void enqueue(struct local_search *local_search, uint32_t c)
{
    if (local_search->queued[c] || local_search->ref[c] == 0)
        return;
    local_search->queued[c] = true;
    vec_push(&local_search->queue, c);
}

// A class changes the price that its users would pay or save if it had no user
// before, has none now, or has a single one.
static void enqueue_around(struct local_search *local_search, uint32_t node)
{
    const struct space *space = local_search->space;
    FOR_CHILDREN (space, node, i) {
        uint32_t c = space->problem.child.at[i];
        if (local_search->ref[c] > 1)
            continue;
        local_search->effort->spent += space->user_at.at[c + 1] - space->user_at.at[c];
        FOR_USERS (space, c, k)
            enqueue(local_search, space->owner.at[space->user.at[k]]);
    }
}

// Gives class c the node, out of use before and in use afterwards.
static void exchange(struct local_search *local_search, uint32_t c, uint32_t node)
{
    uint32_t was = local_search->choice[c];
    if (local_search->trailing) {
        vec_push(&local_search->trail, c);
        vec_push(&local_search->trail, was);
    }
    local_search->choice[c] = node;
    raise_levels(local_search, c);
    enqueue_around(local_search, was);
    enqueue_around(local_search, node);
}

// What falls away without the node, if that is the price of EGRAPH_DAG_CONE nodes at most; infinite
// otherwise, since in a deep problem all that is beneath may fall away.
static struct price saved_without(struct local_search *local_search, uint32_t node)
{
    const struct space *space = local_search->space;
    struct price price = {0, 0};
    vec_clear(&local_search->touched);
    vec_clear(&local_search->stack);
    vec_push(&local_search->stack, node);
    while (local_search->stack.len > 0 && price.nodes <= EGRAPH_DAG_CONE) {
        uint32_t n = vec_pop(&local_search->stack);
        price.cost += space->problem.cost.at[n];
        price.nodes++;
        FOR_CHILDREN (space, n, i) {
            uint32_t c = space->problem.child.at[i];
            vec_push(&local_search->touched, c);
            if (--local_search->ref[c] == 0)
                vec_push(&local_search->stack, local_search->choice[c]);
        }
    }
    for (uint32_t i = 0; i < local_search->touched.len; i++)
        local_search->ref[local_search->touched.at[i]]++;
    local_search->effort->spent += 1 + local_search->touched.len;
    return price.nodes <= EGRAPH_DAG_CONE ? price : (struct price){INFINITY, INFINITY};
}

// The node `to` comes into use and `from` goes out of it; what that saves.  What both need is
// not touched, so the effort is the difference, not what is beneath.
static struct price swap(struct local_search *local_search, uint32_t from, uint32_t to, bool *pays)
{
    struct price in = use(local_search, to, true), out = use(local_search, from, false);
    *pays = cheaper(in, out);
    return minus(out, in);
}

// Gives c its best node, the rest staying as it is; *gain, what that saves, is
// negative when `must` and a banned class made it worse.  False: no change.
static bool improve(struct local_search *local_search, uint32_t c, bool must, struct price *gain)
{
    const struct space *space = local_search->space;
    uint32_t now = local_search->choice[c], best = now;
    *gain = (struct price){0, 0};
    if (local_search->ref[c] == 0 ||
        space->problem.node_at.at[c + 1] - space->problem.node_at.at[c] < 2)
        return false;
    struct price most =
        must ? (struct price){INFINITY, INFINITY} : saved_without(local_search, now);
    FOR_NODES (space, c, n) {
        bool pays;
        if (n == now || !try_use(local_search, n, most) || reaches(local_search, n, c))
            continue;
        struct price saved = swap(local_search, best, n, &pays);
        if (pays || (must && best == now)) {
            best = n;
            *gain = plus(*gain, saved);
        } else {
            swap(local_search, n, best, &pays);
        }
    }
    if (best == now)
        return false;
    exchange(local_search, c, best);
    local_search->now = minus(local_search->now, *gain);
    return true;
}

static bool improve_queued(struct local_search *local_search)
{
    struct price gain;
    bool changed = false;
    while (local_search->head < local_search->queue.len && dag_effort_left(local_search->effort)) {
        uint32_t c = local_search->queue.at[local_search->head++];
        local_search->queued[c] = false;
        changed |= improve(local_search, c, false, &gain);
    }
    if (local_search->head == local_search->queue.len)
        local_search->head = local_search->queue.len = 0;
    return changed;
}

static void undo(struct local_search *local_search)
{
    while (local_search->trail.len > 0) {
        uint32_t was = vec_pop(&local_search->trail), c = vec_pop(&local_search->trail);
        bool needed = local_search->ref[c] > 0;
        struct price saved = {0, 0};
        bool pays;
        if (needed)
            saved = swap(local_search, local_search->choice[c], was, &pays);
        local_search->choice[c] = was;
        local_search->now = minus(local_search->now, saved);
        raise_levels(local_search, c);
    }
}

// Needed classes that could use c with a node of theirs, or that do.
static void find_sharers(struct local_search *local_search, uint32_t class, bool in_use)
{
    const struct space *space = local_search->space;
    local_search->stamp++;
    vec_clear(&local_search->sharers);
    FOR_USERS (space, class, i) {
        uint32_t n = space->user.at[i], c = space->owner.at[n];
        if (local_search->ref[c] == 0 || local_search->mark[c] == local_search->stamp ||
            (local_search->choice[c] == n) != in_use)
            continue;
        local_search->mark[c] = local_search->stamp;
        vec_push(&local_search->sharers, c);
    }
    local_search->effort->spent += space->user_at.at[class + 1] - space->user_at.at[class];
}

// Ends a move of several steps: kept if it paid.
static bool settle(struct local_search *local_search, struct price before)
{
    bool pays = cheaper(local_search->now, before);
    local_search->trailing = false;
    if (!pays)
        undo(local_search);
    vec_clear(&local_search->trail);
    return pays;
}

// A class that nobody uses because no single use pays for it: buys it, and lets
// all who could use it improve.
static bool buy(struct local_search *local_search, uint32_t class)
{
    struct price before = local_search->now, gain;
    find_sharers(local_search, class, false);
    if (local_search->sharers.len < 2)
        return false;
    local_search->trailing = true;
    local_search->ref[class]++;
    struct price paid = use(local_search, local_search->choice[class], true);
    local_search->now = plus(local_search->now, paid);
    for (uint32_t i = 0; i < local_search->sharers.len && dag_effort_left(local_search->effort);
         i++)
        improve(local_search, local_search->sharers.at[i], false, &gain);
    if (--local_search->ref[class] == 0)
        local_search->now =
            minus(local_search->now, use(local_search, local_search->choice[class], false));
    return settle(local_search, before);
}

// A class that costs more than all its users would pay without it.
static bool leave(struct local_search *local_search, uint32_t class)
{
    struct price before = local_search->now, gain;
    find_sharers(local_search, class, true);
    if (local_search->sharers.len < 2)
        return false;
    bool ok = true;
    local_search->trailing = true;
    local_search->banned = class;
    for (uint32_t i = 0;
         ok && i < local_search->sharers.len && dag_effort_left(local_search->effort); i++)
        ok = local_search->ref[local_search->sharers.at[i]] == 0 ||
             improve(local_search, local_search->sharers.at[i], true, &gain);
    local_search->banned = NO_CHOICE;
    return settle(local_search, before);
}

// Unused classes at the prices that a new user would pay.
static void price_anew(struct local_search *local_search, struct price *price)
{
    const struct space *space = local_search->space;
    bool *fixed = mem_alloc((size_t)space->problem.n_classes + 1);
    struct u32_vec order = {0};
    for (uint32_t c = 0; c < space->problem.n_classes; c++)
        fixed[c] = local_search->ref[c] > 0;
    struct tree_guide tree_guide = {.fixed = fixed};
    tree_choose(space, &tree_guide, local_search->choice, price);
    if (!find_levels(local_search, &order))
        BUG("choices priced anew are cyclic");
    local_search->effort->spent += space->problem.child.len;
    vec_release(&order);
    mem_free(fixed);
}

// Does a node need two classes or more that nobody uses now?  (One is the
// business of `buy`.)  They are left in local_search->touched.
static bool needs_several(struct local_search *local_search, uint32_t node)
{
    const struct space *space = local_search->space;
    local_search->stamp++;
    vec_clear(&local_search->touched);
    FOR_CHILDREN (space, node, i) {
        uint32_t c = space->problem.child.at[i];
        if (local_search->ref[c] == 0 && local_search->mark[c] != local_search->stamp)
            vec_push(&local_search->touched, c);
        local_search->mark[c] = local_search->stamp;
    }
    local_search->effort->spent +=
        space->problem.child_at.at[node + 1] - space->problem.child_at.at[node];
    return local_search->touched.len > 1;
}

// Takes a node that does not pay by itself, lets all improve who could share
// what it needs anew.
static bool force(struct local_search *local_search, uint32_t class, uint32_t node)
{
    struct price before = local_search->now, gain;
    if (local_search->choice[class] == node || !needs_several(local_search, node) ||
        reaches(local_search, node, class))
        return false;
    struct u32_vec anew = {0};
    for (uint32_t i = 0; i < local_search->touched.len; i++)
        vec_push(&anew, local_search->touched.at[i]);
    local_search->trailing = true;
    bool pays;
    struct price saved = swap(local_search, local_search->choice[class], node, &pays);
    local_search->now = minus(local_search->now, saved);
    exchange(local_search, class, node);
    for (uint32_t i = 0; i < anew.len; i++) {
        find_sharers(local_search, anew.at[i], false);
        for (uint32_t k = 0; k < local_search->sharers.len && dag_effort_left(local_search->effort);
             k++)
            improve(local_search, local_search->sharers.at[k], false, &gain);
    }
    vec_release(&anew);
    return settle(local_search, before);
}

static bool force_all(struct local_search *local_search)
{
    const struct space *space = local_search->space;
    bool changed = false;
    for (uint32_t c = 0; c < space->problem.n_classes && dag_effort_left(local_search->effort); c++)
        FOR_NODES (space, c, n)
            if (local_search->ref[c] > 0)
                changed |= force(local_search, c, n);
    return changed;
}

static bool improve_jointly(struct local_search *local_search)
{
    bool changed = false;
    for (uint32_t c = 0;
         c < local_search->space->problem.n_classes && dag_effort_left(local_search->effort); c++) {
        if (local_search->ref[c] == 0)
            changed |= buy(local_search, c);
        else if (local_search->ref[c] > 1)
            changed |= leave(local_search, c);
    }
    return changed;
}

static void search(struct local_search *local_search, bool deep)
{
    const struct space *space = local_search->space;
    struct price *price = mem_alloc(((size_t)space->problem.n_classes + 1) * sizeof *price);
    struct u32_vec order = {0};
    if (!find_levels(local_search, &order))
        BUG("local search begins with a cycle");
    for (uint32_t i = 0; i < space->problem.root.len; i++)
        if (local_search->ref[space->problem.root.at[i]]++ == 0) {
            struct price p =
                use(local_search, local_search->choice[space->problem.root.at[i]], true);
            local_search->now = plus(local_search->now, p);
        }
    for (int round = 0; round < EGRAPH_DAG_LOCAL_ROUNDS && dag_effort_left(local_search->effort);
         round++) {
        price_anew(local_search, price);
        for (uint32_t i = 0; i < order.len; i++)
            enqueue(local_search, order.at[i]);
        bool changed = improve_queued(local_search);
        if (dag_effort_left(local_search->effort))
            changed |= improve_jointly(local_search);
        if (deep && !changed && dag_effort_left(local_search->effort))
            changed = force_all(local_search);
        if (!changed)
            break;
    }
    vec_release(&order);
    mem_free(price);
}

struct price dag_improve(const struct space *space, struct effort *effort, bool deep,
                         uint32_t *choice)
{
    size_t n = (size_t)space->problem.n_classes + 1;
    struct local_search local_search = {
        .space = space, .effort = effort, .choice = choice, .positive = true};
    local_search.banned = NO_CHOICE;
    local_search.ref = mem_alloc(n * sizeof *local_search.ref);
    local_search.level = mem_alloc(n * sizeof *local_search.level);
    local_search.mark = mem_alloc(n * sizeof *local_search.mark);
    local_search.queued = mem_alloc(n * sizeof *local_search.queued);
    for (uint32_t k = 0; k < space->problem.n_nodes; k++)
        local_search.positive &= space->problem.cost.at[k] >= 0;
    search(&local_search, deep);
    mem_free(local_search.ref);
    mem_free(local_search.level);
    mem_free(local_search.mark);
    mem_free(local_search.queued);
    vec_release(&local_search.stack);
    vec_release(&local_search.touched);
    vec_release(&local_search.sharers);
    vec_release(&local_search.queue);
    vec_release(&local_search.trail);
    return local_search.now;
}
