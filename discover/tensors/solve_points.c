// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/solve_core.h"
#include <string.h>

enum {
    SOLUTIONS = 600, // of one sample; with more it says too little
    LARGEST = 12,
};

// ---- points: what the left side may be

// Writes the values into the world and the left slots.
static void put_known(struct solver *w, const int64_t *v)
{
    const struct sketch *l = &w->r->lhs;
    for (uint32_t i = 0; i < w->known.n; i++)
        if (!w->known.at[i].size)
            w->left[w->known.at[i].which] = (int16_t)v[i];
    for (unsigned t = 0; t < l->n_tensors; t++)
        for (uint32_t i = 0; i < w->known.n; i++)
            if (l->shape[t] >> w->cls & 1 && w->known.at[i].size &&
                w->known.at[i].which == w->z.tensor[t][w->cls])
                w->world.size[t][w->cls] = (int16_t)v[i];
    // Slots whose size is another's.
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(l, w->cls, slot);
    for (uint32_t k = 0; k < n; k++) {
        uint8_t r = w->z.slot[slot[k]];
        if (r < 64)
            w->left[slot[k]] =
                w->world.size[r / SKETCH_CLASSES][r % SKETCH_CLASSES];
        else if (r != 255)
            w->left[slot[k]] = w->left[r - 64];
    }
}

static const struct sketch_node *node_of_slot(const struct sketch *s,
                                              unsigned slot, unsigned *k)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned n = per * (unsigned)__builtin_popcount(p->acts);
        if (slot >= p->slot && slot < p->slot + n) {
            *k = (slot - p->slot) % per;
            return p;
        }
    }
    return NULL;
}

// ---- solutions of one point

// A scalar on the right stands for the constant tensor of the left's shape.
static bool all_equal(const struct sketch_array *a, int64_t v)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (a->at[i] != v)
            return false;
    return true;
}

bool solver_right_agrees(struct solver *w)
{
    const struct sketch_array *r;
    w->counts->evaluations++;
    if (!sketch_eval(&w->r->rhs, &w->world, w->right, w->rv, &r))
        return false;
    if (w->r->rhs.n == 1 && w->r->rhs.node[0].kind != SKETCH_TENSOR)
        return all_equal(w->target, r->at[0]);
    return r->classes == w->target->classes && r->n == w->target->n &&
           memcmp(r->size, w->target->size, sizeof r->size) == 0 &&
           memcmp(r->at, w->target->at, r->n * sizeof *r->at) == 0;
}

// The size on the class that a node must have for the root to have the
// target's; -1: not fixed.
static int needed(const struct solver *w, unsigned node)
{
    const struct sketch *s = &w->r->rhs;
    for (unsigned up = node + 1; up < s->n; up++) {
        const struct sketch_node *p = &s->node[up];
        bool uses = false;
        for (unsigned k = 0; k < sketch_arity(p->kind); k++)
            uses |= p->arg[k] == node;
        if (!uses)
            continue;
        if ((p->acts >> w->cls & 1) && p->kind != SKETCH_REVERSE)
            return -1;
        if (p->kind == SKETCH_RELABEL || !(p->classes >> w->cls & 1))
            return -1;
        node = up;
    }
    return w->target->size[w->cls];
}

static void keep_solution(struct solver *w)
{
    struct axis_point *p = w->at;
    if (p->n == SOLUTIONS) {
        w->flood = true;
        return;
    }
    for (uint32_t k = 0; k < w->n_unknown; k++)
        p->solution[p->n * w->n_unknown + k] = w->right[w->unknown[k]];
    p->n++;
}

static void solutions_from(struct solver *w, uint32_t k);

static void with_values(struct solver *w, uint32_t k, unsigned n,
                        const int64_t *v)
{
    for (unsigned i = 0; i < n; i++)
        w->right[w->unknown[k + i]] = (int16_t)v[i];
    solutions_from(w, k + n);
}

static bool tired(struct solver *w)
{
    w->flood |= ++w->steps > 60000;
    return w->flood;
}

static void each_slice(struct solver *w, uint32_t k, int size, int need,
                       bool pin, bool many)
{
    for (int64_t s = 0; s <= size && !w->flood; s++)
        for (int64_t p = 1; p <= (pin ? 1 : many ? 3 : 9) && !w->flood; p++)
            for (int64_t e = s; e <= size && !tired(w); e++)
                if (need < 0 || (e - s + p - 1) / p == need)
                    with_values(w, k, pin ? 2 : 3, (int64_t[]){s, e, p});
}

static void each_pad(struct solver *w, uint32_t k, int size, int need, bool pin,
                     bool many)
{
    int inner = size > 0 ? size - 1 : 0;
    for (int64_t i = 0; i <= (pin ? 0 : many ? 2 : 8) && !w->flood; i++)
        for (int64_t l = many ? -3 : -8; l <= (many ? 5 : 10) && !w->flood;
             l++) {
            int64_t full = size + l + inner * i;
            int64_t from = need >= 0 ? need - full : -3;
            int64_t to = need >= 0 ? from : 4;
            for (int64_t h = from; h <= to && !tired(w); h++)
                if (full + h >= 0)
                    with_values(w, k, pin ? 2 : 3, (int64_t[]){l, h, i});
        }
}

// Sizes of nodes below the one whose slots are next are those of the values
// chosen so far.
static void solutions_from(struct solver *w, uint32_t k)
{
    if (k == w->n_unknown) {
        if (solver_right_agrees(w))
            keep_solution(w);
        return;
    }
    unsigned which = 0;
    const struct sketch *s = &w->r->rhs;
    const struct sketch_node *p = node_of_slot(s, w->unknown[k], &which);
    unsigned node = (unsigned)(p - s->node);
    int need = needed(w, node);
    bool many = w->n_unknown > 3;
    if (p->kind == SKETCH_BROADCAST || p->kind == SKETCH_SPLAT) {
        int64_t from = need >= 0 ? need : 0, to = need >= 0 ? need : 8;
        for (int64_t m = from; m <= to && !tired(w); m++)
            with_values(w, k, 1, &m);
        return;
    }
    // The operand's size.
    struct sketch below;
    const struct sketch_array *r;
    struct sketch_world world = w->world;
    if (s->node[p->arg[0]].kind == SKETCH_TENSOR) {
        int size = world.size[s->node[p->arg[0]].what][w->cls];
        (p->kind == SKETCH_SLICE ? each_slice : each_pad)(w, k, size, need,
                                                          p->pin, many);
        return;
    }
    // Slots are numbered in the order of nodes: those below come first and
    // keep their distances.
    int16_t slots[SKETCH_SLOTS];
    unsigned n = 0;
    sketch_below(s, p->arg[0], &below);
    for (unsigned i = 0; i < s->n; i++) {
        // Nodes of `below` stand in the order of construction, too.
        bool in = false;
        uint8_t stack[SKETCH_NODES], top = 0;
        stack[top++] = p->arg[0];
        while (top > 0) {
            uint8_t q = stack[--top];
            in |= q == i;
            for (unsigned a = 0; a < sketch_arity(s->node[q].kind); a++)
                stack[top++] = s->node[q].arg[a];
        }
        unsigned per = sketch_node_slots(&s->node[i]) *
                       (unsigned)__builtin_popcount(s->node[i].acts);
        for (unsigned q = 0; in && q < per; q++)
            slots[n++] = w->right[s->node[i].slot + q];
    }
    struct sketch_values *v = w->lv;
    if (!sketch_eval(&below, &world, slots, v, &r)) {
        return;
    }
    int size = r->size[w->cls];
    (p->kind == SKETCH_SLICE ? each_slice : each_pad)(w, k, size, need, p->pin,
                                                      many);
}

// The left side's value at a point; the target is a copy.
bool solver_left(struct solver *w, const struct axis_point *p,
                 struct sketch_array *copy)
{
    const struct sketch_array *r;
    put_known(w, p->known);
    w->counts->evaluations++;
    if (!sketch_eval(&w->r->lhs, &w->world, w->left, w->lv, &r))
        return false;
    copy->classes = r->classes;
    copy->n = r->n;
    memcpy(copy->size, r->size, sizeof r->size);
    memcpy(copy->at, r->at, r->n * sizeof *r->at);
    w->target = copy;
    return true;
}

void solver_solutions(struct solver *w, struct axis_point *p,
                      struct sketch_array *copy)
{
    int64_t room[SOLUTIONS * SKETCH_SLOTS];
    if (p->sampled)
        return;
    p->sampled = true;
    if (!solver_left(w, p, copy))
        return;
    p->solution = room;
    p->n = 0;
    w->at = p;
    w->flood = false;
    w->steps = 0;
    memcpy(w->right, w->base->right, sizeof w->right);
    solutions_from(w, 0);
    p->usable = !w->flood;
    p->agrees = p->n > 0;
    uint32_t total = p->n * w->n_unknown;
    p->solution = ARENA_NEW(w->mem, int64_t, total + 1);
    memcpy(p->solution, room, total * sizeof *room);
}

// What holds of empty parts only is another rule's.
static bool none_empty(const struct solver *w)
{
    for (unsigned i = 0; i < w->r->lhs.n; i++)
        if (w->lv->node[i].n == 0)
            return false;
    return true;
}

static int largest_size(const struct solver *w)
{
    int most = 0;
    for (unsigned t = 0; t < w->r->lhs.n_tensors; t++)
        if (w->r->lhs.shape[t] >> w->cls & 1 && w->world.size[t][w->cls] > most)
            most = w->world.size[t][w->cls];
    return most;
}

static void random_sizes(struct solver *w, struct rng *rng)
{
    static const int16_t sizes[] = {0, 1, 2, 3, 3, 4, 5, 5};
    const struct sketch *l = &w->r->lhs;
    int16_t of[SKETCH_TENSORS * SKETCH_CLASSES];
    for (unsigned i = 0; i < SKETCH_TENSORS * SKETCH_CLASSES; i++)
        of[i] = sizes[rng_below(rng, 8)];
    for (unsigned t = 0; t < l->n_tensors; t++)
        if (l->shape[t] >> w->cls & 1)
            w->world.size[t][w->cls] = of[w->z.tensor[t][w->cls]];
}

// Values of this class by chance, those of the others as in the base.
bool solver_points(struct solver *w, struct rng *rng)
{
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(&w->r->lhs, w->cls, slot);
    struct sketch_array *copy = ARENA_NEW(w->mem, struct sketch_array, 1);
    w->points = ARENA_NEW(w->mem, struct axis_point, POINTS);
    for (uint32_t k = 0; k < 8 * POINTS && w->n_points < POINTS; k++) {
        struct axis_point *p = &w->points[w->n_points];
        const struct sketch_array *r;
        int16_t slots[SKETCH_SLOTS] = {0};
        random_sizes(w, rng);
        (void)sketch_sample(&w->r->lhs, &w->world, &w->z, rng, slots, w->lv,
                            &r);
        for (uint32_t i = 0; i < n; i++)
            w->left[slot[i]] = slots[slot[i]];
        for (uint32_t i = 0; i < w->known.n; i++) {
            if (!w->known.at[i].size)
                p->known[i] = w->left[w->known.at[i].which];
            for (unsigned t = 0; t < w->r->lhs.n_tensors; t++)
                if (w->known.at[i].size && w->r->lhs.shape[t] >> w->cls & 1 &&
                    w->z.tensor[t][w->cls] == w->known.at[i].which)
                    p->known[i] = w->world.size[t][w->cls];
        }
        if (!solver_left(w, p, copy) || copy->size[w->cls] > LARGEST ||
            (w->base->avoid && w->left[w->base->avoid - 1] == w->base->value))
            continue;
        for (uint32_t i = 0; i < w->n_computed; i++) {
            const struct computed *c = &w->computed[i];
            int64_t size = w->lv->node[c->node].size[w->cls];
            const int16_t *at = &w->left[c->slot];
            p->known[w->known.n + i] = c->distance ? at[0] + 1
                                       : !c->end   ? size
                                       : size == 0
                                           ? at[-2]
                                           : at[-2] + (size - 1) * at[0] + 1;
        }
        // Where the axis goes, the operand's size counts; a rule of one
        // operator may be about single elements.
        p->rich = copy->n > 0 && none_empty(w) &&
                  (w->r->lhs.n_ops < 2 ||
                   (copy->classes >> w->cls & 1 ? copy->size[w->cls] > 1
                                                : largest_size(w) > 1));
        w->n_points++;
    }
    return w->n_points >= 8;
}
