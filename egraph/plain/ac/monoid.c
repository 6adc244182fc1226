// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/ac/monoid.h"

#define NONE UINT32_MAX
enum { WORK = 256 }; // for each task

// Items of proofs and uses: a rule, or a given equation, and the direction.
#define ITEM_GIVEN 2u
#define ITEM_BACK 1u
#define ITEM(x, flags) ((x) << 2 | (flags))

void monoid_init(struct monoid *m, uint32_t n_atoms, uint32_t max_size,
                 uint32_t max_tasks)
{
    memset(m, 0, sizeof *m);
    m->max_size = max_size;
    m->max_tasks = max_tasks;
    vec_reserve(&m->last_head, n_atoms + 1);
    vec_reserve(&m->has_head, n_atoms + 1);
    for (uint32_t i = 0; i < n_atoms; i++) {
        vec_push(&m->last_head, NONE);
        vec_push(&m->has_head, NONE);
    }
}

void monoid_release(struct monoid *m)
{
    vec_release(&m->pool);
    vec_release(&m->proofs);
    vec_release(&m->rule);
    vec_release(&m->last_head);
    vec_release(&m->has_head);
    vec_release(&m->last_next);
    vec_release(&m->has_rule);
    vec_release(&m->has_next);
    vec_release(&m->task);
    vec_release(&m->stamp);
    vec_release(&m->a);
    vec_release(&m->b);
    vec_release(&m->pa);
    vec_release(&m->pb);
    vec_release(&m->set);
}

static bool includes(uint32_t n, const uint32_t *big, uint32_t n_small,
                     const uint32_t *small)
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
static int compare(uint32_t n, const uint32_t *a, uint32_t n_b,
                   const uint32_t *b)
{
    if (n != n_b)
        return n < n_b ? -1 : 1;
    for (uint32_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// out = set - minus + plus.
static void exchange(struct u32_vec *out, uint32_t n, const uint32_t *set,
                     uint32_t n_minus, const uint32_t *minus, uint32_t n_plus,
                     const uint32_t *plus)
{
    uint32_t k = 0, p = 0;
    vec_clear(out);
    for (uint32_t i = 0; i < n; i++) {
        if (k < n_minus && set[i] == minus[k]) {
            k++;
            continue;
        }
        while (p < n_plus && plus[p] < set[i]) {
            vec_push(out, plus[p]);
            p++;
        }
        vec_push(out, set[i]);
    }
    for (; p < n_plus; p++)
        vec_push(out, plus[p]);
}

// The least multiset that includes both, and whether they share an atom.
static void join(struct u32_vec *out, uint32_t n_a, const uint32_t *a,
                 uint32_t n_b, const uint32_t *b)
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

static uint32_t join_size(uint32_t n_a, const uint32_t *a, uint32_t n_b,
                          const uint32_t *b)
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

static void task_push(struct monoid *m, uint32_t size, uint32_t first,
                      uint32_t second)
{
    struct monoid_task t = {size, m->n_tasks_done + m->task.len, first, second};
    vec_push(&m->task, t);
    uint32_t i = m->task.len - 1;
    for (; i > 0 && before(&t, &m->task.at[(i - 1) / 2]); i = (i - 1) / 2)
        m->task.at[i] = m->task.at[(i - 1) / 2];
    m->task.at[i] = t;
}

static struct monoid_task task_pop(struct monoid *m)
{
    struct monoid_task top = m->task.at[0], t = vec_pop(&m->task);
    uint32_t i = 0, n = m->task.len;
    for (uint32_t k = 1; k < n; i = k, k = 2 * k + 1) {
        k += k + 1 < n && before(&m->task.at[k + 1], &m->task.at[k]);
        if (!before(&m->task.at[k], &t))
            break;
        m->task.at[i] = m->task.at[k];
    }
    if (n > 0)
        m->task.at[i] = t;
    return top;
}

static uint32_t pool_add(struct u32_vec *pool, uint32_t n, const uint32_t *x)
{
    uint32_t at = pool->len;
    for (uint32_t i = 0; i < n; i++)
        vec_push(pool, x[i]);
    return at;
}

// A rule that is not used yet.
static uint32_t rule_new(struct monoid *m, uint32_t n_left,
                         const uint32_t *left, uint32_t n_right,
                         const uint32_t *right)
{
    struct monoid_rule r = {.n_left = n_left, .n_right = n_right};
    r.left = pool_add(&m->pool, n_left, left);
    r.right = pool_add(&m->pool, n_right, right);
    r.proof = m->proofs.len;
    vec_push(&m->rule, r);
    vec_push(&m->last_next, NONE);
    vec_push(&m->stamp, NONE);
    return m->rule.len - 1;
}

void monoid_equation(struct monoid *m, uint32_t n_left, const uint32_t *left,
                     uint32_t n_right, const uint32_t *right, uint32_t reason)
{
    uint32_t size = n_left > n_right ? n_left : n_right;
    uint32_t r = rule_new(m, n_left, left, n_right, right);
    vec_push(&m->proofs, ITEM(reason, ITEM_GIVEN));
    m->rule.at[r].n_proof = 1;
    task_push(m, size, r, NONE);
}

static uint64_t atoms_of(uint32_t n, const uint32_t *set)
{
    uint64_t a = 0;
    for (uint32_t i = 0; i < n; i++)
        a |= UINT64_C(1) << (set[i] & 63);
    return a;
}

static uint32_t reducer(struct monoid *m, const struct u32_vec *set)
{
    uint64_t atoms = atoms_of(set->len, set->at);
    for (uint32_t i = 0; i < set->len; i++) {
        if (i + 1 < set->len && set->at[i] == set->at[i + 1])
            continue;
        uint32_t r = m->last_head.at[set->at[i]];
        for (; r != NONE; r = m->last_next.at[r]) {
            const struct monoid_rule *x = &m->rule.at[r];
            m->work++;
            if (x->live && !(x->atoms & ~atoms) &&
                includes(i + 1, set->at, x->n_left, m->pool.at + x->left))
                return r;
        }
    }
    return NONE;
}

void monoid_normal(struct monoid *m, struct u32_vec *set, struct u32_vec *uses)
{
    for (uint32_t r; (r = reducer(m, set)) != NONE;) {
        const struct monoid_rule *x = &m->rule.at[r];
        exchange(&m->set, set->len, set->at, x->n_left, m->pool.at + x->left,
                 x->n_right, m->pool.at + x->right);
        struct u32_vec t = *set;
        *set = m->set;
        m->set = t;
        if (uses != NULL)
            vec_push(uses, ITEM(r, 0));
    }
}

static void proof_add(struct monoid *m, const struct u32_vec *uses, bool back)
{
    for (uint32_t i = 0; i < uses->len; i++)
        vec_push(&m->proofs,
                 back ? uses->at[uses->len - 1 - i] ^ ITEM_BACK : uses->at[i]);
}

// Rules that the new one rewrites are equations again.
static void reduce_others(struct monoid *m, uint32_t rule)
{
    const struct monoid_rule *x = &m->rule.at[rule];
    const uint32_t *left = m->pool.at + x->left;
    uint32_t h = m->has_head.at[left[0]];
    for (; h != NONE; h = m->has_next.at[h]) {
        uint32_t o = m->has_rule.at[h];
        struct monoid_rule *y = &m->rule.at[o];
        m->work++;
        if (!y->live || o == rule ||
            !includes(y->n_left, m->pool.at + y->left, x->n_left, left))
            continue;
        y->live = false;
        m->n_live--;
        task_push(m, y->n_left, o, NONE);
    }
}

static void overlaps(struct monoid *m, uint32_t rule)
{
    const struct monoid_rule *x = &m->rule.at[rule];
    const uint32_t *left = m->pool.at + x->left;
    for (uint32_t i = 0; i < x->n_left; i++) {
        if (i > 0 && left[i] == left[i - 1])
            continue;
        uint32_t h = m->has_head.at[left[i]];
        for (; h != NONE; h = m->has_next.at[h]) {
            uint32_t o = m->has_rule.at[h];
            const struct monoid_rule *y = &m->rule.at[o];
            m->work++;
            if (!y->live || m->stamp.at[o] == rule || o == rule)
                continue;
            m->stamp.at[o] = rule;
            uint32_t size =
                join_size(x->n_left, left, y->n_left, m->pool.at + y->left);
            if (size <= m->max_size && m->task.len < 2 * m->max_tasks)
                task_push(m, size, rule, o);
            else
                m->cut = true;
        }
    }
}

static void index_rule(struct monoid *m, uint32_t rule)
{
    struct monoid_rule *x = &m->rule.at[rule];
    const uint32_t *left = m->pool.at + x->left;
    uint32_t *head = &m->last_head.at[left[x->n_left - 1]];
    m->last_next.at[rule] = *head;
    *head = rule;
    for (uint32_t i = 0; i < x->n_left; i++) {
        if (i > 0 && left[i] == left[i - 1])
            continue;
        vec_push(&m->has_rule, rule);
        vec_push(&m->has_next, m->has_head.at[left[i]]);
        m->has_head.at[left[i]] = m->has_rule.len - 1;
    }
    x->atoms = atoms_of(x->n_left, left);
    x->live = true;
    m->n_live++;
}

// Is the overlap (in `set`) of two rules settled by a third, whose left side is
// a part of it?  So it is if the overlaps with the third are both less: they
// were looked at before, so that either way around the third there is a proof
// below the overlap (Buchberger's criterion of chains).
static bool settled(struct monoid *m, uint32_t first, uint32_t second)
{
    const struct monoid_rule *x = &m->rule.at[first];
    const struct monoid_rule *y = &m->rule.at[second];
    const uint32_t *pool = m->pool.at, *set = m->set.at;
    uint32_t n = m->set.len;
    uint64_t atoms = atoms_of(n, set);
    for (uint32_t i = 0; i < n; i++) {
        if (i + 1 < n && set[i] == set[i + 1])
            continue;
        uint32_t r = m->last_head.at[set[i]];
        for (; r != NONE; r = m->last_next.at[r]) {
            const struct monoid_rule *z = &m->rule.at[r];
            m->work++;
            if (z->live && r != first && r != second && !(z->atoms & ~atoms) &&
                includes(i + 1, set, z->n_left, pool + z->left) &&
                join_size(x->n_left, pool + x->left, z->n_left,
                          pool + z->left) < n &&
                join_size(y->n_left, pool + y->left, z->n_left,
                          pool + z->left) < n)
                return true;
        }
    }
    return false;
}

// The two sides of a task into a and b.
static bool task_sides(struct monoid *m, const struct monoid_task *t)
{
    const struct monoid_rule *x = &m->rule.at[t->first];
    const uint32_t *pool = m->pool.at;
    vec_clear(&m->a);
    vec_clear(&m->b);
    if (t->second == NONE) {
        pool_add(&m->a, x->n_left, pool + x->left);
        pool_add(&m->b, x->n_right, pool + x->right);
        return true;
    }
    const struct monoid_rule *y = &m->rule.at[t->second];
    if (!x->live || !y->live)
        return false; // its equation comes again, or came
    join(&m->set, x->n_left, pool + x->left, y->n_left, pool + y->left);
    if (settled(m, t->first, t->second))
        return false;
    exchange(&m->a, m->set.len, m->set.at, x->n_left, pool + x->left,
             x->n_right, pool + x->right);
    exchange(&m->b, m->set.len, m->set.at, y->n_left, pool + y->left,
             y->n_right, pool + y->right);
    return true;
}

static void task_do(struct monoid *m, const struct monoid_task *t)
{
    if (!task_sides(m, t))
        return;
    vec_clear(&m->pa);
    vec_clear(&m->pb);
    monoid_normal(m, &m->a, &m->pa);
    monoid_normal(m, &m->b, &m->pb);
    int order = compare(m->a.len, m->a.at, m->b.len, m->b.at);
    if (order == 0)
        return;
    if (m->a.len > m->max_size || m->b.len > m->max_size) {
        m->cut = true;
        return;
    }
    bool swap = order < 0;
    const struct u32_vec *l = swap ? &m->b : &m->a, *r = swap ? &m->a : &m->b;
    uint32_t rule = rule_new(m, l->len, l->at, r->len, r->at);
    proof_add(m, swap ? &m->pb : &m->pa, true);
    if (t->second == NONE) {
        vec_push(&m->proofs, ITEM(t->first, swap ? ITEM_BACK : 0));
    } else {
        vec_push(&m->proofs, ITEM(swap ? t->second : t->first, ITEM_BACK));
        vec_push(&m->proofs, ITEM(swap ? t->first : t->second, 0));
    }
    proof_add(m, swap ? &m->pa : &m->pb, false);
    m->rule.at[rule].n_proof = m->proofs.len - m->rule.at[rule].proof;
    reduce_others(m, rule);
    overlaps(m, rule);
    index_rule(m, rule);
}

uint64_t monoid_bytes(const struct monoid *m)
{
    uint64_t words = (uint64_t)m->pool.cap + m->proofs.cap + m->last_head.cap +
                     m->has_head.cap + m->last_next.cap + m->has_rule.cap +
                     m->has_next.cap + m->stamp.cap;
    return 4 * words + (uint64_t)m->rule.cap * sizeof *m->rule.at +
           (uint64_t)m->task.cap * sizeof *m->task.at;
}

static bool is_late(const struct monoid *m)
{
    return m->late != NULL && m->n_tasks_done % 16 == 0 &&
           m->late(m->late_ctx, monoid_bytes(m));
}

void monoid_complete(struct monoid *m)
{
    while (m->task.len > 0) {
        if (m->n_tasks_done == m->max_tasks || m->work / WORK > m->max_tasks ||
            is_late(m)) {
            m->cut = true;
            vec_clear(&m->task);
            return;
        }
        struct monoid_task t = task_pop(m);
        m->n_tasks_done++;
        task_do(m, &t);
    }
}

// Depth first, with a stack of the items still to be said.
bool monoid_path(struct monoid *m, uint32_t n, const uint32_t *uses, bool back,
                 uint32_t limit, struct u32_vec *path)
{
    struct u32_vec *stack = &m->set;
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
        const struct monoid_rule *x = &m->rule.at[item >> 2];
        for (uint32_t i = 0; i < x->n_proof; i++)
            vec_push(stack,
                     m->proofs.at[x->proof + (flip ? i : x->n_proof - 1 - i)] ^
                         flip);
        if (stack->len > limit)
            return false;
    }
    return true;
}
