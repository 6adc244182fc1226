// SPDX-License-Identifier: Apache-2.0
// Evaluates sketches on small arrays.  The values guide the search; they prove
// nothing.
#include "base/hash.h"
#include "discover/limits.h"
#include "base/rng.h"
#include "discover/sketch/sketch.h"
#include <string.h>

#define LOWEST (-((int64_t)1 << 40))

static bool shape_array(struct sketch_array *array)
{
    uint64_t n = 1;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(array->classes >> c & 1))
            array->size[c] = 1;
        if (array->size[c] < 0)
            return false;
        n *= (uint64_t)array->size[c];
    }
    array->n = (uint32_t)n;
    return n <= SKETCH_ELEMENTS;
}

static void same_shape(struct sketch_array *a, const struct sketch_array *b)
{
    a->classes = b->classes;
    memcpy(a->size, b->size, sizeof a->size);
    a->n = b->n;
}

static uint32_t dim(const struct sketch_array *array, unsigned c)
{
    return (uint16_t)array->size[c];
}

// Strides: distances of neighbours in memory, by class.
static void strides(const struct sketch_array *array, uint32_t st[SKETCH_CLASSES])
{
    uint32_t n = 1;
    for (unsigned c = SKETCH_CLASSES; c-- > 0;) {
        st[c] = n;
        n *= dim(array, c);
    }
}

static int64_t combine(unsigned what, int64_t a, int64_t b)
{
    if (what == BINARY_ADD)
        return (int64_t)((uint64_t)a + (uint64_t)b);
    if (what == BINARY_MUL)
        return (int64_t)((uint64_t)a * (uint64_t)b);
    return a > b ? a : b;
}

// A small number, never 0 or 1: those are literals.
static int64_t element(uint64_t h)
{
    int64_t k = (int64_t)(h >> 20 & 63) + 2;
    return h >> 40 & 1 ? -k : k;
}

static bool fill_tensor(const struct sketch_world *world, unsigned var, unsigned classes,
                        struct sketch_array *array)
{
    array->classes = (uint8_t)classes;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        array->size[c] = world->size[var][c];
    if (!shape_array(array))
        return false;
    uint64_t h = hash_u64(var * 16u + classes, world->seed);
    uint32_t st[SKETCH_CLASSES];
    strides(array, st);
    for (uint32_t i = 0; i < array->n; i++) {
        uint64_t at = 0; // the element does not depend on sizes
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            at = at * 64 + i / st[c] % dim(array, c);
        array->at[i] = element(hash_u64(at, h));
    }
    return true;
}

static int64_t literal_value(unsigned what)
{
    return what == LITERAL_ZERO ? 0 : what == LITERAL_ONE ? 1 : LOWEST;
}

// The source index along one class; -1: padding.
struct along {
    int32_t from[SKETCH_ELEMENTS];
};

static bool slice_along(int16_t n, const int16_t *v, bool pin, struct along *along, int16_t *size)
{
    int s = v[0], e = v[1], p = pin ? 1 : v[2];
    if (s < 0 || e < s || e > n || p < 1)
        return false;
    *size = (int16_t)((e - s + p - 1) / p);
    for (int i = 0; i < *size; i++)
        along->from[i] = s + i * p;
    return true;
}

static bool pad_along(int16_t n, const int16_t *v, bool pin, struct along *along, int16_t *size)
{
    int l = v[0], h = v[1], in = pin ? 0 : v[2];
    int full = n + l + h + (n > 0 ? n - 1 : 0) * in;
    if (in < 0 || full < 0 || full > SKETCH_SIZE)
        return false;
    *size = (int16_t)full;
    for (int i = 0; i < full; i++) {
        int k = i - l;
        along->from[i] = k >= 0 && k % (in + 1) == 0 && k / (in + 1) < n ? k / (in + 1) : -1;
    }
    return true;
}

// Slice, pad and reverse act on each class separately.
static bool move_axes(const struct sketch_node *node, const int16_t *slots,
                      const struct sketch_array *a, int64_t padding, struct sketch_array *r)
{
    struct along along[SKETCH_CLASSES];
    const int16_t *v = slots + node->slot;
    r->classes = a->classes;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        r->size[c] = a->size[c];
        if (!(node->acts >> c & 1))
            continue;
        if (node->kind == SKETCH_REVERSE) {
            for (int i = 0; i < a->size[c]; i++)
                along[c].from[i] = a->size[c] - 1 - i;
        } else if (!(node->kind == SKETCH_SLICE
                         ? slice_along(a->size[c], v, node->pin, &along[c], &r->size[c])
                         : pad_along(a->size[c], v, node->pin, &along[c], &r->size[c]))) {
            return false;
        }
        v += sketch_node_slots(node);
    }
    if (!shape_array(r))
        return false;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t from = 0;
        bool outside = false;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            uint32_t k = i / rr[c] % dim(r, c);
            if (node->acts >> c & 1) {
                outside |= along[c].from[k] < 0;
                k = along[c].from[k] < 0 ? 0 : (uint32_t)along[c].from[k];
            }
            from += k * ra[c];
        }
        r->at[i] = outside ? padding : a->at[from];
    }
    return true;
}

static bool join(const struct sketch_node *node, const struct sketch_array *a,
                 const struct sketch_array *b, struct sketch_array *r)
{
    unsigned axis = (unsigned)__builtin_ctz(node->acts);
    if (a->classes != b->classes || !(a->classes >> axis & 1))
        return false;
    r->classes = a->classes;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (c != axis && a->size[c] != b->size[c])
            return false;
        r->size[c] = a->size[c];
    }
    r->size[axis] = (int16_t)(a->size[axis] + b->size[axis]);
    if (!shape_array(r))
        return false;
    uint32_t ra[SKETCH_CLASSES], rb[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(b, rb);
    strides(r, rr);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t k = i / rr[axis] % dim(r, axis);
        bool first = k < dim(a, axis);
        const struct sketch_array *from = first ? a : b;
        const uint32_t *st = first ? ra : rb;
        uint32_t at = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            uint32_t q = i / rr[c] % dim(r, c);
            at += (c == axis && !first ? q - dim(a, axis) : q) * st[c];
        }
        r->at[i] = from->at[at];
    }
    return true;
}

static bool spread(const struct sketch_node *node, const int16_t *slots,
                   const struct sketch_array *a, struct sketch_array *r)
{
    const int16_t *v = slots + node->slot;
    if ((a->classes & node->acts) != 0)
        return false;
    r->classes = (uint8_t)(a->classes | node->acts);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        r->size[c] = node->acts >> c & 1 ? *v++ : a->size[c];
    if (!shape_array(r))
        return false;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (!(node->acts >> c & 1))
                at += i / rr[c] % dim(r, c) * ra[c];
        r->at[i] = a->at[at];
    }
    return true;
}

static bool exchange(const struct sketch_array *a, struct sketch_array *r)
{
    unsigned low = a->classes & 1u, high = a->classes >> 1 & 1u;
    if ((a->classes & 3) == 0)
        return false;
    r->classes = (uint8_t)((a->classes & ~3u) | high | low << 1);
    memcpy(r->size, a->size, sizeof r->size);
    r->size[0] = a->size[1];
    r->size[1] = a->size[0];
    if (!shape_array(r))
        return false;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            at += i / rr[c] % dim(r, c) * ra[c < 2 ? 1 - c : c];
        r->at[i] = a->at[at];
    }
    return true;
}

static bool fold_axes(const struct sketch_node *node, const struct sketch_array *a,
                      struct sketch_array *r)
{
    if ((a->classes & node->acts) != node->acts)
        return false;
    r->classes = (uint8_t)(a->classes & ~node->acts);
    memcpy(r->size, a->size, sizeof r->size);
    if (!shape_array(r))
        return false;
    int64_t unit = node->what == BINARY_ADD ? 0 : node->what == BINARY_MUL ? 1 : LOWEST;
    for (uint32_t i = 0; i < r->n; i++)
        r->at[i] = unit;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t to = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (!(node->acts >> c & 1))
                to += i / ra[c] % dim(a, c) * rr[c];
        r->at[to] = combine(node->what, r->at[to], a->at[i]);
    }
    return true;
}

static bool pointwise(const struct sketch_node *node, const struct sketch_array *a,
                      const struct sketch_array *b, bool lift_a, bool lift_b,
                      struct sketch_array *r)
{
    if (lift_a && !lift_b) {
        same_shape(r, b);
    } else {
        same_shape(r, a);
        if (!lift_b && (a->classes != b->classes || memcmp(a->size, b->size, sizeof a->size) != 0))
            return false;
    }
    for (uint32_t i = 0; i < r->n; i++)
        r->at[i] = combine(node->what, a->at[lift_a ? 0 : i], b->at[lift_b ? 0 : i]);
    return true;
}

static bool eval_node(const struct sketch *sketch, unsigned i, const struct sketch_world *world,
                      const int16_t *slots, struct sketch_values *values)
{
    const struct sketch_node *node = &sketch->node[i];
    struct sketch_array *array = &values->node[i];
    const struct sketch_array *a = &values->node[node->arg[0]];
    const struct sketch_array *b = &values->node[node->arg[1]];
    switch (node->kind) {
    case SKETCH_TENSOR:
        return fill_tensor(world, node->what, sketch->shape[node->what], array);
    case SKETCH_SCALAR:
    case SKETCH_LITERAL:
        array->classes = 0;
        (void)shape_array(array);
        array->at[0] = node->kind == SKETCH_LITERAL
                           ? literal_value(node->what)
                           : element(hash_u64(900u + node->what, world->seed));
        return true;
    case SKETCH_SPLAT:
    case SKETCH_BROADCAST:
        return spread(node, slots, a, array);
    case SKETCH_SLICE:
    case SKETCH_REVERSE:
        return (a->classes & node->acts) == node->acts && move_axes(node, slots, a, 0, array);
    case SKETCH_PAD:
        return (a->classes & node->acts) == node->acts &&
               move_axes(node, slots, a, b->at[0], array);
    case SKETCH_CONCAT:
        return join(node, a, b, array);
    case SKETCH_CONCAT3: {
        struct sketch_array part;
        return join(node, a, b, &part) && join(node, &part, &values->node[node->arg[2]], array);
    }
    case SKETCH_RELABEL:
        return exchange(a, array);
    case SKETCH_REDUCE:
        return fold_axes(node, a, array);
    default:
        return pointwise(node, a, b, sketch_is_scalar(sketch, node->arg[0]),
                         sketch_is_scalar(sketch, node->arg[1]), array);
    }
}

// Evaluates node i and counts the elements that it moves.
static bool next_node(const struct sketch *sketch, unsigned i, const struct sketch_world *world,
                      const int16_t *slots, struct sketch_values *values)
{
    if (!eval_node(sketch, i, world, slots, values))
        return false;
    if (sketch->node[i].kind > SKETCH_SPLAT)
        values->moved += values->node[i].n;
    if (sketch->node[i].kind == SKETCH_REDUCE)
        values->moved += values->node[sketch->node[i].arg[0]].n;
    return true;
}

bool sketch_eval(const struct sketch *sketch, const struct sketch_world *world,
                 const int16_t *slots, struct sketch_values *values,
                 const struct sketch_array **out)
{
    values->moved = 0;
    for (unsigned i = 0; i < sketch->n; i++) {
        if (!next_node(sketch, i, world, slots, values))
            return false;
    }
    *out = &values->node[sketch->n - 1];
    return true;
}

struct value_chooser {
    struct rng *rng;
    int16_t pool[SKETCH_SLOTS + 16]; // values that occur already
    unsigned n;
};

static int16_t choose_value(struct value_chooser *chooser, int least, int most)
{
    int v = least;
    bool found = false;
    if (most < least)
        return (int16_t)least;
    // A value that occurs already, or a neighbour of one.
    if (chooser->n > 0 && rng_below(chooser->rng, 3) == 0) {
        v = chooser->pool[rng_below(chooser->rng, chooser->n)];
        if (rng_below(chooser->rng, 3) == 0)
            v += (int)rng_range(chooser->rng, -1, 1);
        found = v >= least && v <= most;
    }
    if (!found)
        v = (int)rng_range(chooser->rng, least, most);
    if (chooser->n < sizeof chooser->pool / sizeof *chooser->pool)
        chooser->pool[chooser->n++] = (int16_t)v;
    return (int16_t)v;
}

static void choose_slots(struct value_chooser *chooser, const struct sketch_node *node,
                         const struct sketch_array *array, const struct sketch_sizes *sizes,
                         const struct sketch_world *world, int16_t *slots)
{
    unsigned at = node->slot;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(node->acts >> c & 1))
            continue;
        int16_t *v = slots + at;
        if (node->kind == SKETCH_SLICE) {
            v[0] = choose_value(chooser, 0,
                                rng_below(chooser->rng, 3) ? array->size[c] / 2 : array->size[c]);
            v[1] = choose_value(chooser, v[0], array->size[c]);
            if (rng_below(chooser->rng, 4) == 0)
                v[1] = array->size[c];
            if (!node->pin)
                v[2] = rng_below(chooser->rng, 2) ? 1 : choose_value(chooser, 1, 3);
        } else if (node->kind == SKETCH_PAD) {
            v[0] = rng_below(chooser->rng, 4) ? choose_value(chooser, -2, 3) : 0;
            v[1] = rng_below(chooser->rng, 4) ? choose_value(chooser, -2, 3) : 0;
            if (!node->pin)
                v[2] = rng_below(chooser->rng, 2) ? 0 : choose_value(chooser, 0, 2);
        } else if (sizes->slot[at] < 64) {
            *v = world->size[sizes->slot[at] / SKETCH_CLASSES][sizes->slot[at] % SKETCH_CLASSES];
        } else if (sizes->slot[at] < 255 && sizes->slot[at] != 64 + at) {
            *v = slots[sizes->slot[at] - 64];
        } else {
            *v = choose_value(chooser, 0, 4);
        }
        at += sketch_node_slots(node);
    }
}

const struct sketch_array *sketch_sample(const struct sketch *sketch,
                                         const struct sketch_world *world,
                                         const struct sketch_sizes *sizes, struct rng *rng,
                                         int16_t *slots, struct sketch_values *values)
{
    struct value_chooser chooser = {.rng = rng};
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (sketch->shape[t] >> c & 1)
                chooser.pool[chooser.n++] = world->size[t][c];
    values->moved = 0;
    for (unsigned i = 0; i < sketch->n; i++) {
        if (sketch_node_slots(&sketch->node[i]) > 0)
            choose_slots(&chooser, &sketch->node[i], &values->node[sketch->node[i].arg[0]], sizes,
                         world, slots);
        if (!next_node(sketch, i, world, slots, values))
            return NULL;
    }
    return &values->node[sketch->n - 1];
}

uint64_t sketch_array_hash(const struct sketch_array *array)
{
    uint64_t h = hash_u64(array->classes, 77);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        h = hash_u64((uint64_t)array->size[c], h);
    return hash_bytes(array->at, array->n * sizeof *array->at, h);
}
