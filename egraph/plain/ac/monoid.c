// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/ac/monoid.h"
#include "egraph/limits.h"

#define NONE UINT32_MAX

// Items of proofs and uses: a rule, or a given equation, and the direction.
#define ITEM_GIVEN 2u
#define ITEM_BACK 1u
#define ITEM(x, flags) ((x) << 2 | (flags))

void monoid_init(struct monoid *monoid, uint32_t n_atoms, uint32_t max_size, uint32_t max_tasks)
{
    memset(monoid, 0, sizeof *monoid);
    monoid->max_size = max_size;
    monoid->max_tasks = max_tasks;
    vec_reserve(&monoid->last_head, n_atoms + 1);
    vec_reserve(&monoid->has_head, n_atoms + 1);
    for (uint32_t i = 0; i < n_atoms; i++) {
        vec_push(&monoid->last_head, NONE);
        vec_push(&monoid->has_head, NONE);
    }
}

void monoid_release(struct monoid *monoid)
{
    vec_release(&monoid->pool);
    vec_release(&monoid->proofs);
    vec_release(&monoid->rule);
    vec_release(&monoid->last_head);
    vec_release(&monoid->has_head);
    vec_release(&monoid->last_next);
    vec_release(&monoid->has_rule);
    vec_release(&monoid->has_next);
    vec_release(&monoid->task);
    vec_release(&monoid->stamp);
    vec_release(&monoid->a);
    vec_release(&monoid->b);
    vec_release(&monoid->pa);
    vec_release(&monoid->pb);
    vec_release(&monoid->set);
}

static bool includes(uint32_t n, const uint32_t *big, uint32_t n_small, const uint32_t *small)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < n_small; k++, i++) {
        while (i < n && big[i] < small[k])
            i++;
        if (i == n || big[i] != small[k])
            return false;
    }
    return true;
}

// -1, 0, 1; see the header.
static int compare(uint32_t n, const uint32_t *a, uint32_t n_b, const uint32_t *b)
{
    if (n != n_b)
        return n < n_b ? -1 : 1;
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// out = set - left side + right side of the rule.
static void exchange(const struct monoid *monoid, struct u32_vec *out, const struct u32_vec *set,
                     const struct monoid_rule *rule)
{
    const uint32_t *minus = monoid->pool.at + rule->left, *plus = monoid->pool.at + rule->right;
    uint32_t k = 0, p = 0;
    vec_clear(out);
    for (uint32_t i = 0; i < set->len; i++) {
        if (k < rule->n_left && set->at[i] == minus[k]) {
            k++;
            continue;
        }
        while (p < rule->n_right && plus[p] < set->at[i]) {
            vec_push(out, plus[p]);
            p++;
        }
        vec_push(out, set->at[i]);
    }
    for (; p < rule->n_right; p++)
        vec_push(out, plus[p]);
}

// The least multiset that includes both, and whether they share an atom.
static void join(struct u32_vec *out, uint32_t n_a, const uint32_t *a, uint32_t n_b,
                 const uint32_t *b)
{
    vec_clear(out);
    uint32_t i = 0, k = 0;
    while (i < n_a || k < n_b) {
        if (k == n_b || (i < n_a && a[i] < b[k])) {
            vec_push(out, a[i]);
            i++;
        } else {
            vec_push(out, b[k]);
            i += i < n_a && a[i] == b[k];
            k++;
        }
    }
}

static uint32_t join_size(uint32_t n_a, const uint32_t *a, uint32_t n_b, const uint32_t *b)
{
    uint32_t i = 0, k = 0, shared = 0;
    while (i < n_a && k < n_b) {
        if (a[i] == b[k]) {
            shared++;
            i++;
            k++;
        } else if (a[i] < b[k]) {
            i++;
        } else {
            k++;
        }
    }
    return n_a + n_b - shared;
}

// Tasks: a heap, so that what the choice of rules leaves open is decided by
// size and age alone.

static bool before(const struct monoid_task *x, const struct monoid_task *y)
{
    return x->size != y->size ? x->size < y->size : x->age < y->age;
}

static void task_push(struct monoid *monoid, uint32_t size, uint32_t first, uint32_t second)
{
    struct monoid_task task = {size, monoid->n_tasks_done + monoid->task.len, first, second};
    vec_push(&monoid->task, task);
    uint32_t i = monoid->task.len - 1;
    for (; i > 0 && before(&task, &monoid->task.at[(i - 1) / 2]); i = (i - 1) / 2)
        monoid->task.at[i] = monoid->task.at[(i - 1) / 2];
    monoid->task.at[i] = task;
}

static struct monoid_task task_pop(struct monoid *monoid)
{
    struct monoid_task top = monoid->task.at[0], task = vec_pop(&monoid->task);
    uint32_t i = 0, n = monoid->task.len;
    for (uint32_t k = 1; k < n; i = k, k = 2 * k + 1) {
        k += k + 1 < n && before(&monoid->task.at[k + 1], &monoid->task.at[k]);
        if (!before(&monoid->task.at[k], &task))
            break;
        monoid->task.at[i] = monoid->task.at[k];
    }
    if (n > 0)
        monoid->task.at[i] = task;
    return top;
}

static uint32_t pool_add(struct u32_vec *pool, uint32_t n, const uint32_t *atoms)
{
    uint32_t at = pool->len;
    for (uint32_t i = 0; i < n; i++)
        vec_push(pool, atoms[i]);
    return at;
}

// A rule that is not used yet.
static uint32_t rule_new(struct monoid *monoid, uint32_t n_left, const uint32_t *left,
                         uint32_t n_right, const uint32_t *right)
{
    struct monoid_rule rule = {.n_left = n_left, .n_right = n_right};
    rule.left = pool_add(&monoid->pool, n_left, left);
    rule.right = pool_add(&monoid->pool, n_right, right);
    rule.proof = monoid->proofs.len;
    vec_push(&monoid->rule, rule);
    vec_push(&monoid->last_next, NONE);
    vec_push(&monoid->stamp, NONE);
    return monoid->rule.len - 1;
}

void monoid_equation(struct monoid *monoid, uint32_t n_left, const uint32_t *left, uint32_t n_right,
                     const uint32_t *right, uint32_t reason)
{
    uint32_t size = n_left > n_right ? n_left : n_right;
    uint32_t r = rule_new(monoid, n_left, left, n_right, right);
    vec_push(&monoid->proofs, ITEM(reason, ITEM_GIVEN));
    monoid->rule.at[r].n_proof = 1;
    task_push(monoid, size, r, NONE);
}

static uint64_t atoms_of(uint32_t n, const uint32_t *set)
{
    uint64_t a = 0;
    for (uint32_t i = 0; i < n; i++)
        a |= UINT64_C(1) << (set[i] & 63);
    return a;
}

static uint32_t reducer(struct monoid *monoid, const struct u32_vec *set)
{
    uint64_t atoms = atoms_of(set->len, set->at);
    for (uint32_t i = 0; i < set->len; i++) {
        if (i + 1 < set->len && set->at[i] == set->at[i + 1])
            continue;
        uint32_t r = monoid->last_head.at[set->at[i]];
        for (; r != NONE; r = monoid->last_next.at[r]) {
            const struct monoid_rule *rule = &monoid->rule.at[r];
            monoid->work++;
            if (rule->live && !(rule->atoms & ~atoms) &&
                includes(i + 1, set->at, rule->n_left, monoid->pool.at + rule->left))
                return r;
        }
    }
    return NONE;
}

void monoid_normal(struct monoid *monoid, struct u32_vec *set, struct u32_vec *uses)
{
    for (uint32_t r; (r = reducer(monoid, set)) != NONE;) {
        const struct monoid_rule *rule = &monoid->rule.at[r];
        exchange(monoid, &monoid->set, set, rule);
        struct u32_vec list = *set;
        *set = monoid->set;
        monoid->set = list;
        if (uses != NULL)
            vec_push(uses, ITEM(r, 0));
    }
}

static void proof_add(struct monoid *monoid, const struct u32_vec *uses, bool back)
{
    for (uint32_t i = 0; i < uses->len; i++)
        vec_push(&monoid->proofs, back ? uses->at[uses->len - 1 - i] ^ ITEM_BACK : uses->at[i]);
}

// Rules that the new one rewrites are equations again.
static void reduce_others(struct monoid *monoid, uint32_t rule)
{
    const struct monoid_rule *x = &monoid->rule.at[rule];
    const uint32_t *left = monoid->pool.at + x->left;
    uint32_t h = monoid->has_head.at[left[0]];
    for (; h != NONE; h = monoid->has_next.at[h]) {
        uint32_t o = monoid->has_rule.at[h];
        struct monoid_rule *y = &monoid->rule.at[o];
        monoid->work++;
        if (!y->live || o == rule ||
            !includes(y->n_left, monoid->pool.at + y->left, x->n_left, left))
            continue;
        y->live = false;
        monoid->n_live--;
        task_push(monoid, y->n_left, o, NONE);
    }
}

static void overlaps(struct monoid *monoid, uint32_t rule)
{
    const struct monoid_rule *x = &monoid->rule.at[rule];
    const uint32_t *left = monoid->pool.at + x->left;
    for (uint32_t i = 0; i < x->n_left; i++) {
        if (i > 0 && left[i] == left[i - 1])
            continue;
        uint32_t h = monoid->has_head.at[left[i]];
        for (; h != NONE; h = monoid->has_next.at[h]) {
            uint32_t o = monoid->has_rule.at[h];
            const struct monoid_rule *y = &monoid->rule.at[o];
            monoid->work++;
            if (!y->live || monoid->stamp.at[o] == rule || o == rule)
                continue;
            monoid->stamp.at[o] = rule;
            uint32_t size = join_size(x->n_left, left, y->n_left, monoid->pool.at + y->left);
            if (size <= monoid->max_size && monoid->task.len < 2 * monoid->max_tasks)
                task_push(monoid, size, rule, o);
            else
                monoid->cut = true;
        }
    }
}

static void index_rule(struct monoid *monoid, uint32_t rule)
{
    struct monoid_rule *x = &monoid->rule.at[rule];
    const uint32_t *left = monoid->pool.at + x->left;
    uint32_t *head = &monoid->last_head.at[left[x->n_left - 1]];
    monoid->last_next.at[rule] = *head;
    *head = rule;
    for (uint32_t i = 0; i < x->n_left; i++) {
        if (i > 0 && left[i] == left[i - 1])
            continue;
        vec_push(&monoid->has_rule, rule);
        vec_push(&monoid->has_next, monoid->has_head.at[left[i]]);
        monoid->has_head.at[left[i]] = monoid->has_rule.len - 1;
    }
    x->atoms = atoms_of(x->n_left, left);
    x->live = true;
    monoid->n_live++;
}

// Is the overlap (in `set`) of two rules settled by a third, whose left side is
// a part of it?  So it is if the overlaps with the third are both less: they
// were looked at before, so that either way around the third there is a proof
// below the overlap (Buchberger's criterion of chains).
static bool settled(struct monoid *monoid, uint32_t first, uint32_t second)
{
    const struct monoid_rule *rule = &monoid->rule.at[first];
    const struct monoid_rule *y = &monoid->rule.at[second];
    const uint32_t *pool = monoid->pool.at, *set = monoid->set.at;
    uint32_t n = monoid->set.len;
    uint64_t atoms = atoms_of(n, set);
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && set[i] == set[i + 1])
            continue;
        uint32_t r = monoid->last_head.at[set[i]];
        for (; r != NONE; r = monoid->last_next.at[r]) {
            const struct monoid_rule *z = &monoid->rule.at[r];
            monoid->work++;
            if (z->live && r != first && r != second && !(z->atoms & ~atoms) &&
                includes(i + 1, set, z->n_left, pool + z->left) &&
                join_size(rule->n_left, pool + rule->left, z->n_left, pool + z->left) < n &&
                join_size(y->n_left, pool + y->left, z->n_left, pool + z->left) < n)
                return true;
        }
    }
    return false;
}

// The two sides of a task into a and b.
static bool task_sides(struct monoid *monoid, const struct monoid_task *task)
{
    const struct monoid_rule *rule = &monoid->rule.at[task->first];
    const uint32_t *pool = monoid->pool.at;
    vec_clear(&monoid->a);
    vec_clear(&monoid->b);
    if (task->second == NONE) {
        pool_add(&monoid->a, rule->n_left, pool + rule->left);
        pool_add(&monoid->b, rule->n_right, pool + rule->right);
        return true;
    }
    const struct monoid_rule *y = &monoid->rule.at[task->second];
    if (!rule->live || !y->live)
        return false; // its equation comes again, or came
    join(&monoid->set, rule->n_left, pool + rule->left, y->n_left, pool + y->left);
    if (settled(monoid, task->first, task->second))
        return false;
    exchange(monoid, &monoid->a, &monoid->set, rule);
    exchange(monoid, &monoid->b, &monoid->set, y);
    return true;
}

static void task_do(struct monoid *monoid, const struct monoid_task *task)
{
    if (!task_sides(monoid, task))
        return;
    vec_clear(&monoid->pa);
    vec_clear(&monoid->pb);
    monoid_normal(monoid, &monoid->a, &monoid->pa);
    monoid_normal(monoid, &monoid->b, &monoid->pb);
    int order = compare(monoid->a.len, monoid->a.at, monoid->b.len, monoid->b.at);
    if (order == 0)
        return;
    if (monoid->a.len > monoid->max_size || monoid->b.len > monoid->max_size) {
        monoid->cut = true;
        return;
    }
    bool swap = order < 0;
    const struct u32_vec *list = swap ? &monoid->b : &monoid->a,
                         *r = swap ? &monoid->a : &monoid->b;
    uint32_t rule = rule_new(monoid, list->len, list->at, r->len, r->at);
    proof_add(monoid, swap ? &monoid->pb : &monoid->pa, true);
    if (task->second == NONE) {
        vec_push(&monoid->proofs, ITEM(task->first, swap ? ITEM_BACK : 0));
    } else {
        vec_push(&monoid->proofs, ITEM(swap ? task->second : task->first, ITEM_BACK));
        vec_push(&monoid->proofs, ITEM(swap ? task->first : task->second, 0));
    }
    proof_add(monoid, swap ? &monoid->pa : &monoid->pb, false);
    monoid->rule.at[rule].n_proof = monoid->proofs.len - monoid->rule.at[rule].proof;
    reduce_others(monoid, rule);
    overlaps(monoid, rule);
    index_rule(monoid, rule);
}

uint64_t monoid_bytes(const struct monoid *monoid)
{
    uint64_t words = (uint64_t)monoid->pool.cap + monoid->proofs.cap + monoid->last_head.cap +
                     monoid->has_head.cap + monoid->last_next.cap + monoid->has_rule.cap +
                     monoid->has_next.cap + monoid->stamp.cap;
    return 4 * words + (uint64_t)monoid->rule.cap * sizeof *monoid->rule.at +
           (uint64_t)monoid->task.cap * sizeof *monoid->task.at;
}

static bool is_late(const struct monoid *monoid)
{
    return monoid->late != NULL && monoid->n_tasks_done % 16 == 0 &&
           monoid->late(monoid->late_ctx, monoid_bytes(monoid));
}

void monoid_complete(struct monoid *monoid)
{
    while (monoid->task.len > 0) {
        if (monoid->n_tasks_done == monoid->max_tasks ||
            monoid->work / EGRAPH_AC_TASK_WORK > monoid->max_tasks || is_late(monoid)) {
            monoid->cut = true;
            vec_clear(&monoid->task);
            return;
        }
        struct monoid_task task = task_pop(monoid);
        monoid->n_tasks_done++;
        task_do(monoid, &task);
    }
}

// Depth first, with a stack of the items still to be said.
bool monoid_path(struct monoid *monoid, uint32_t n, const uint32_t *uses, bool back, uint32_t limit,
                 struct u32_vec *path)
{
    struct u32_vec *stack = &monoid->set;
    uint32_t begin = path->len;
    vec_clear(stack);
    for (uint32_t i = 0; i < n; i++)
        vec_push(stack, back ? uses[i] ^ ITEM_BACK : uses[n - 1 - i]);
    while (stack->len > 0) {
        uint32_t item = vec_pop(stack), flip = item & ITEM_BACK;
        if (item & ITEM_GIVEN) {
            uint32_t step = MONOID_STEP(item >> 2, flip);
            if (path->len > begin && vec_last(path) == (step ^ 1))
                path->len--; // to and fro
            else
                vec_push(path, step);
            if (path->len - begin > limit)
                return false;
            continue;
        }
        const struct monoid_rule *rule = &monoid->rule.at[item >> 2];
        for (uint32_t i = 0; i < rule->n_proof; i++)
            vec_push(stack,
                     monoid->proofs.at[rule->proof + (flip ? i : rule->n_proof - 1 - i)] ^ flip);
        if (stack->len > limit)
            return false;
    }
    return true;
}
