// SPDX-License-Identifier: Apache-2.0
#include "egraph/extract/dag/dag.h"
#include "egraph/extract/tree/tree.h"

#include "base/clock.h"
#include <math.h>

// Visited edges, for each edge of the problem and at least.
enum { EFFORT_EDGE = 200, EFFORT_DEEP = 10, LOOK = 1 << 16 };
enum { EFFORT_LEAST = 1 << 16, EFFORT_MOST = 1 << 30 };
enum { DIVISIONS = 3 }; // starts at divided prices

bool dag_effort_left(struct effort *f)
{
    if (f->spent >= f->look && !f->late) {
        f->look = f->spent + LOOK;
        f->late = f->deadline < INFINITY && clock_wall() >= f->deadline;
    }
    return !f->late && f->spent < f->most;
}

bool space_order(const struct space *s, const uint32_t *choice,
                 const struct u32_vec *roots, struct u32_vec *order)
{
    uint8_t *state = mem_alloc((size_t)s->p.n_classes + 1); // 1 open, 2 done
    struct u32_vec stack = {0};
    bool ok = true;
    vec_clear(order);
    for (uint32_t i = roots->len; i-- > 0;)
        vec_push(&stack, roots->at[i]);
    while (ok && stack.len > 0) {
        uint32_t c = vec_last(&stack);
        if (state[c] != 0) {
            if (state[c] == 1)
                vec_push(order, c);
            state[c] = 2;
            stack.len--;
            continue;
        }
        ok = choice[c] != NO_CHOICE;
        if (!ok)
            break;
        state[c] = 1;
        FOR_CHILDREN(s, choice[c], i)
        {
            uint32_t k = s->p.child.at[i];
            ok &= state[k] != 1;
            if (state[k] == 0)
                vec_push(&stack, k);
        }
    }
    vec_release(&stack);
    mem_free(state);
    return ok;
}

struct dag_search {
    const struct space *s;
    struct effort f;
    uint32_t *best, *other;
    struct price least;
    bool found;
};

// Do the roots need the same of both?
static bool same(const struct dag_search *h, const uint32_t *a, const uint32_t *b)
{
    struct u32_vec order = {0};
    bool equal = space_order(h->s, a, &h->s->p.root, &order);
    for (uint32_t i = 0; equal && i < order.len; i++)
        equal = a[order.at[i]] == b[order.at[i]];
    vec_release(&order);
    return equal;
}

// Improves `other` and keeps it if it is the best.
static bool consider(struct dag_search *h, bool deep)
{
    struct price p = dag_improve(h->s, &h->f, deep, h->other);
    if (h->found && price_compare(p, h->least) >= 0)
        return false;
    memcpy(h->best, h->other, sizeof *h->best * h->s->p.n_classes);
    h->least = p;
    h->found = true;
    return true;
}

// The part of its price that each user of a class would pay, if the classes
// were used as in the best choice.
static void divide(const struct dag_search *h, double *share)
{
    const struct space *s = h->s;
    struct u32_vec order = {0};
    uint32_t *ref = mem_alloc(((size_t)s->p.n_classes + 1) * sizeof *ref);
    if (!space_order(s, h->best, &s->p.root, &order))
        BUG("the best choice is cyclic");
    for (uint32_t k = 0; k < order.len; k++)
        FOR_CHILDREN(s, h->best[order.at[k]], i)
    ref[s->p.child.at[i]]++;
    for (uint32_t c = 0; c < s->p.n_classes; c++)
        share[c] = ref[c] > 1 ? 1.0 / ref[c] : 1;
    mem_free(ref);
    vec_release(&order);
}

static uint64_t share_of(uint64_t edge, const struct space *s)
{
    uint64_t effort = EFFORT_LEAST + edge * s->p.child.len;
    return effort < EFFORT_MOST ? effort : EFFORT_MOST;
}

static void run(struct dag_search *h)
{
    const struct space *s = h->s;
    size_t n = (size_t)s->p.n_classes + 1;
    uint32_t *tree = mem_alloc(n * sizeof *tree);
    struct price *price = mem_alloc(n * sizeof *price);
    double *share = mem_alloc(n * sizeof *share);
    tree_choose(s, NULL, tree, price);
    memcpy(h->other, tree, sizeof *tree * s->p.n_classes);
    consider(h, false);
    memcpy(h->other, tree, sizeof *tree * s->p.n_classes);
    if (dag_effort_left(&h->f) && dag_greedy(s, &h->f, h->other) &&
        !same(h, h->other, tree))
        consider(h, false);
    for (int i = 0; i < DIVISIONS && dag_effort_left(&h->f); i++) {
        divide(h, share);
        struct tree_guide g = {.share = share};
        tree_choose(s, &g, h->other, price);
        h->f.spent += s->p.child.len;
        if (same(h, h->best, h->other) || !consider(h, false))
            break;
    }
    h->f.most =
        h->f.spent + EFFORT_LEAST / 4 + (uint64_t)EFFORT_DEEP * s->p.child.len;
    memcpy(h->other, h->best, sizeof *h->best * s->p.n_classes);
    if (dag_effort_left(&h->f))
        consider(h, true);
    mem_free(tree);
    mem_free(price);
    mem_free(share);
}

bool dag_solve(const struct problem *p, double seconds, struct solution *out,
               bool *limited, struct err *e)
{
    struct space s;
    double deadline = clock_wall() + seconds;
    if (!space_init(&s, p, e))
        return false;
    struct dag_search h = {.s = &s};
    h.f = (struct effort){.deadline = deadline};
    h.f.most = share_of(EFFORT_EDGE, &s);
    h.best = mem_alloc(((size_t)s.p.n_classes + 1) * sizeof *h.best);
    h.other = mem_alloc(((size_t)s.p.n_classes + 1) * sizeof *h.other);
    run(&h);
    space_solution(&s, p, h.best, out);
    *limited = h.f.late;
    mem_free(h.best);
    mem_free(h.other);
    space_release(&s);
    return true;
}
