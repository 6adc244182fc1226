// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/solve_core.h"
#include "discover/limits.h"
#include <string.h>

// ---- points: what the left side may be

// Writes the values into the sizes of the world and the slots of the left side.
static void put_known(struct solver *solver, const int64_t *v)
{
    const struct sketch *sketch = &solver->pair->lhs;
    for (uint32_t i = 0; i < solver->known.n; i++)
        if (!solver->known.at[i].size)
            solver->left[solver->known.at[i].which] = (int16_t)v[i];
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        for (uint32_t i = 0; i < solver->known.n; i++)
            if (sketch->shape[t] >> solver->cls & 1 && solver->known.at[i].size &&
                solver->known.at[i].which == solver->sizes.tensor[t][solver->cls])
                solver->world.size[t][solver->cls] = (int16_t)v[i];
    // Slots whose size must equal another size.
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(sketch, solver->cls, slot);
    for (uint32_t k = 0; k < n; k++) {
        uint8_t r = solver->sizes.slot[slot[k]];
        if (r < 64)
            solver->left[slot[k]] = solver->world.size[r / SKETCH_CLASSES][r % SKETCH_CLASSES];
        else if (r != 255)
            solver->left[slot[k]] = solver->left[r - 64];
    }
}

static const struct sketch_node *node_of_slot(const struct sketch *sketch, unsigned slot,
                                              unsigned *k)
{
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *node = &sketch->node[i];
        unsigned per = sketch_node_slots(node);
        unsigned n = per * (unsigned)__builtin_popcount(node->acts);
        if (slot >= node->slot && slot < node->slot + n) {
            *k = (slot - node->slot) % per;
            return node;
        }
    }
    return NULL;
}

// ---- solutions of one point

// A scalar right side stands for the constant tensor of the shape of the left
// side.
static bool all_equal(const struct sketch_array *array, int64_t v)
{
    for (uint32_t i = 0; i < array->n; i++)
        if (array->at[i] != v)
            return false;
    return true;
}

bool solver_right_agrees(struct solver *solver)
{
    const struct sketch_array *array;
    solver->counts->evaluations++;
    if (!sketch_eval(&solver->pair->rhs, &solver->world, solver->right, solver->rv, &array))
        return false;
    if (solver->pair->rhs.n == 1 && solver->pair->rhs.node[0].kind != SKETCH_TENSOR)
        return all_equal(solver->target, array->at[0]);
    return array->classes == solver->target->classes && array->n == solver->target->n &&
           memcmp(array->size, solver->target->size, sizeof array->size) == 0 &&
           memcmp(array->at, solver->target->at, array->n * sizeof *array->at) == 0;
}

// The size on the class that a node must have so that the root has the size of
// the target; -1: not determined.
static int needed(const struct solver *solver, unsigned node)
{
    const struct sketch *sketch = &solver->pair->rhs;
    for (unsigned up = node + 1; up < sketch->n; up++) {
        const struct sketch_node *p = &sketch->node[up];
        bool uses = false;
        for (unsigned k = 0; k < sketch_arity(p->kind); k++)
            uses |= p->arg[k] == node;
        if (!uses)
            continue;
        if ((p->acts >> solver->cls & 1) && p->kind != SKETCH_REVERSE)
            return -1;
        if (p->kind == SKETCH_RELABEL || !(p->classes >> solver->cls & 1))
            return -1;
        node = up;
    }
    return solver->target->size[solver->cls];
}

static void keep_solution(struct solver *solver)
{
    struct axis_point *point = solver->at;
    if (point->n == SOLVE_SOLUTIONS) {
        solver->flood = true;
        return;
    }
    for (uint32_t k = 0; k < solver->n_unknown; k++)
        point->solution[point->n * solver->n_unknown + k] = solver->right[solver->unknown[k]];
    point->n++;
}

static void solutions_from(struct solver *solver, uint32_t k);

static void with_values(struct solver *solver, uint32_t k, unsigned n, const int64_t *v)
{
    for (unsigned i = 0; i < n; i++)
        solver->right[solver->unknown[k + i]] = (int16_t)v[i];
    solutions_from(solver, k + n);
}

static bool tired(struct solver *solver)
{
    solver->flood |= ++solver->steps > SOLVE_STEPS;
    return solver->flood;
}

static void each_slice(struct solver *solver, uint32_t k, int size, int need, bool pin, bool many)
{
    for (int64_t s = 0; s <= size && !solver->flood; s++)
        for (int64_t p = 1; p <= (pin ? 1 : many ? 3 : 9) && !solver->flood; p++)
            for (int64_t e = s; e <= size && !tired(solver); e++)
                if (need < 0 || (e - s + p - 1) / p == need)
                    with_values(solver, k, pin ? 2 : 3, (int64_t[]){s, e, p});
}

static void each_pad(struct solver *solver, uint32_t k, int size, int need, bool pin, bool many)
{
    int inner = size > 0 ? size - 1 : 0;
    for (int64_t i = 0; i <= (pin ? 0 : many ? 2 : 8) && !solver->flood; i++)
        for (int64_t l = many ? -3 : -8; l <= (many ? 5 : 10) && !solver->flood; l++) {
            int64_t full = size + l + inner * i;
            int64_t from = need >= 0 ? need - full : -3;
            int64_t to = need >= 0 ? from : 4;
            for (int64_t h = from; h <= to && !tired(solver); h++)
                if (full + h >= 0)
                    with_values(solver, k, pin ? 2 : 3, (int64_t[]){l, h, i});
        }
}

// Computes the sizes of nodes below the next slots, from the values chosen so
// far.
static void solutions_from(struct solver *solver, uint32_t k)
{
    if (k == solver->n_unknown) {
        if (solver_right_agrees(solver))
            keep_solution(solver);
        return;
    }
    unsigned which = 0;
    const struct sketch *sketch = &solver->pair->rhs;
    const struct sketch_node *p = node_of_slot(sketch, solver->unknown[k], &which);
    unsigned node = (unsigned)(p - sketch->node);
    int need = needed(solver, node);
    bool many = solver->n_unknown > 3;
    if (p->kind == SKETCH_BROADCAST || p->kind == SKETCH_SPLAT) {
        int64_t from = need >= 0 ? need : 0, to = need >= 0 ? need : 8;
        for (int64_t m = from; m <= to && !tired(solver); m++)
            with_values(solver, k, 1, &m);
        return;
    }
    // The size of the operand.
    struct sketch below;
    const struct sketch_array *array;
    struct sketch_world world = solver->world;
    if (sketch->node[p->arg[0]].kind == SKETCH_TENSOR) {
        int size = world.size[sketch->node[p->arg[0]].what][solver->cls];
        (p->kind == SKETCH_SLICE ? each_slice : each_pad)(solver, k, size, need, p->pin, many);
        return;
    }
    // Slots are numbered in the order of nodes, so the slots below come first and
    // keep their distances.
    int16_t slots[SKETCH_SLOTS];
    unsigned n = 0;
    sketch_below(sketch, p->arg[0], &below);
    for (unsigned i = 0; i < sketch->n; i++) {
        // Nodes of `below` are in order of construction, too.
        bool in = false;
        uint8_t stack[SKETCH_NODES], top = 0;
        stack[top++] = p->arg[0];
        while (top > 0) {
            uint8_t q = stack[--top];
            in |= q == i;
            for (unsigned a = 0; a < sketch_arity(sketch->node[q].kind); a++)
                stack[top++] = sketch->node[q].arg[a];
        }
        unsigned per = sketch_node_slots(&sketch->node[i]) *
                       (unsigned)__builtin_popcount(sketch->node[i].acts);
        for (unsigned q = 0; in && q < per; q++)
            slots[n++] = solver->right[sketch->node[i].slot + q];
    }
    struct sketch_values *values = solver->lv;
    if (!sketch_eval(&below, &world, slots, values, &array)) {
        return;
    }
    int size = array->size[solver->cls];
    (p->kind == SKETCH_SLICE ? each_slice : each_pad)(solver, k, size, need, p->pin, many);
}

// Evaluates the left side at a point; the target is a copy of the value.
bool solver_left(struct solver *solver, const struct axis_point *point, struct sketch_array *copy)
{
    const struct sketch_array *array;
    put_known(solver, point->known);
    solver->counts->evaluations++;
    if (!sketch_eval(&solver->pair->lhs, &solver->world, solver->left, solver->lv, &array))
        return false;
    copy->classes = array->classes;
    copy->n = array->n;
    memcpy(copy->size, array->size, sizeof array->size);
    memcpy(copy->at, array->at, array->n * sizeof *array->at);
    solver->target = copy;
    return true;
}

void solver_solutions(struct solver *solver, struct axis_point *point, struct sketch_array *copy)
{
    int64_t room[SOLVE_SOLUTIONS * SKETCH_SLOTS];
    if (point->sampled)
        return;
    point->sampled = true;
    if (!solver_left(solver, point, copy))
        return;
    point->solution = room;
    point->n = 0;
    solver->at = point;
    solver->flood = false;
    solver->steps = 0;
    memcpy(solver->right, solver->base->right, sizeof solver->right);
    solutions_from(solver, 0);
    point->usable = !solver->flood;
    point->agrees = point->n > 0;
    uint32_t total = point->n * solver->n_unknown;
    point->solution = ARENA_NEW(solver->mem, int64_t, total + 1);
    memcpy(point->solution, room, total * sizeof *room);
}

// A case of empty parts belongs to another rule.
static bool none_empty(const struct solver *solver)
{
    for (unsigned i = 0; i < solver->pair->lhs.n; i++)
        if (solver->lv->node[i].n == 0)
            return false;
    return true;
}

static int largest_size(const struct solver *solver)
{
    int most = 0;
    for (unsigned t = 0; t < solver->pair->lhs.n_tensors; t++)
        if (solver->pair->lhs.shape[t] >> solver->cls & 1 &&
            solver->world.size[t][solver->cls] > most)
            most = solver->world.size[t][solver->cls];
    return most;
}

static void random_sizes(struct solver *solver, struct rng *rng)
{
    static const int16_t sizes[] = {0, 1, 2, 3, 3, 4, 5, 5};
    const struct sketch *sketch = &solver->pair->lhs;
    int16_t of[SKETCH_TENSORS * SKETCH_CLASSES];
    for (unsigned i = 0; i < SKETCH_TENSORS * SKETCH_CLASSES; i++)
        of[i] = sizes[rng_below(rng, 8)];
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        if (sketch->shape[t] >> solver->cls & 1)
            solver->world.size[t][solver->cls] = of[solver->sizes.tensor[t][solver->cls]];
}

// Chooses random values on this class, and those of the base on others.
bool solver_points(struct solver *solver, struct rng *rng)
{
    uint8_t slot[SKETCH_SLOTS];
    uint32_t n = slots_on(&solver->pair->lhs, solver->cls, slot);
    struct sketch_array *copy = ARENA_NEW(solver->mem, struct sketch_array, 1);
    solver->points = ARENA_NEW(solver->mem, struct axis_point, SOLVE_POINTS);
    for (uint32_t k = 0;
         k < SOLVE_TRIES_PER_POINT * SOLVE_POINTS && solver->n_points < SOLVE_POINTS; k++) {
        struct axis_point *point = &solver->points[solver->n_points];
        int16_t slots[SKETCH_SLOTS] = {0};
        random_sizes(solver, rng);
        (void)sketch_sample(&solver->pair->lhs, &solver->world, &solver->sizes, rng, slots,
                            solver->lv);
        for (uint32_t i = 0; i < n; i++)
            solver->left[slot[i]] = slots[slot[i]];
        for (uint32_t i = 0; i < solver->known.n; i++) {
            if (!solver->known.at[i].size)
                point->known[i] = solver->left[solver->known.at[i].which];
            for (unsigned t = 0; t < solver->pair->lhs.n_tensors; t++)
                if (solver->known.at[i].size && solver->pair->lhs.shape[t] >> solver->cls & 1 &&
                    solver->sizes.tensor[t][solver->cls] == solver->known.at[i].which)
                    point->known[i] = solver->world.size[t][solver->cls];
        }
        if (!solver_left(solver, point, copy) || copy->size[solver->cls] > SOLVE_LARGEST ||
            (solver->base->avoid && solver->left[solver->base->avoid - 1] == solver->base->value))
            continue;
        for (uint32_t i = 0; i < solver->n_computed; i++) {
            const struct computed *computed = &solver->computed[i];
            int64_t size = solver->lv->node[computed->node].size[solver->cls];
            const int16_t *at = &solver->left[computed->slot];
            point->known[solver->known.n + i] = computed->distance ? at[0] + 1
                                                : !computed->end   ? size
                                                : size == 0        ? at[-2]
                                                            : at[-2] + (size - 1) * at[0] + 1;
        }
        // If the axis vanishes, the size of the operand counts; a rule of one operator
        // may be about single elements.
        point->rich = copy->n > 0 && none_empty(solver) &&
                      (solver->pair->lhs.n_ops < 2 ||
                       (copy->classes >> solver->cls & 1 ? copy->size[solver->cls] > 1
                                                         : largest_size(solver) > 1));
        solver->n_points++;
    }
    return solver->n_points >= SOLVE_LEAST_POINTS;
}
