// SPDX-License-Identifier: Apache-2.0
// What sketches are on small arrays: guesses for the search, which is quick and
// proves nothing.
#include "base/hash.h"
#include "base/rng.h"
#include "discover/sketch/sketch.h"
#include <string.h>

#define LOWEST (-((int64_t)1 << 40))

static bool shape_array(struct sketch_array *a)
{
    uint64_t n = 1;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(a->classes >> c & 1))
            a->size[c] = 1;
        if (a->size[c] < 0)
            return false;
        n *= (uint64_t)a->size[c];
    }
    a->n = (uint32_t)n;
    return n <= SKETCH_ELEMENTS;
}

static void same_shape(struct sketch_array *a, const struct sketch_array *b)
{
    a->classes = b->classes;
    memcpy(a->size, b->size, sizeof a->size);
    a->n = b->n;
}

static uint32_t dim(const struct sketch_array *a, unsigned c)
{
    return (uint16_t)a->size[c];
}

// Distances of neighbours.
static void strides(const struct sketch_array *a, uint32_t st[SKETCH_CLASSES])
{
    uint32_t n = 1;
    for (unsigned c = SKETCH_CLASSES; c-- > 0;) {
        st[c] = n;
        n *= dim(a, c);
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

static bool fill_tensor(const struct sketch_world *w, unsigned var,
                        unsigned classes, struct sketch_array *a)
{
    a->classes = (uint8_t)classes;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        a->size[c] = w->size[var][c];
    if (!shape_array(a))
        return false;
    uint64_t h = hash_u64(var * 16u + classes, w->seed);
    uint32_t st[SKETCH_CLASSES];
    strides(a, st);
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t at = 0; // independent of sizes
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            at = at * 64 + i / st[c] % dim(a, c);
        a->at[i] = element(hash_u64(at, h));
    }
    return true;
}

static int64_t literal_value(unsigned what)
{
    return what == LITERAL_ZERO ? 0 : what == LITERAL_ONE ? 1 : LOWEST;
}

// Source index along one class, or -1: padding.
struct along {
    int32_t from[SKETCH_ELEMENTS];
};

static bool slice_along(int16_t n, const int16_t *v, bool pin, struct along *m,
                        int16_t *size)
{
    int s = v[0], e = v[1], p = pin ? 1 : v[2];
    if (s < 0 || e < s || e > n || p < 1)
        return false;
    *size = (int16_t)((e - s + p - 1) / p);
    for (int i = 0; i < *size; i++)
        m->from[i] = s + i * p;
    return true;
}

static bool pad_along(int16_t n, const int16_t *v, bool pin, struct along *m,
                      int16_t *size)
{
    int l = v[0], h = v[1], in = pin ? 0 : v[2];
    int full = n + l + h + (n > 0 ? n - 1 : 0) * in;
    if (in < 0 || full < 0 || full > 200)
        return false;
    *size = (int16_t)full;
    for (int i = 0; i < full; i++) {
        int k = i - l;
        m->from[i] =
            k >= 0 && k % (in + 1) == 0 && k / (in + 1) < n ? k / (in + 1) : -1;
    }
    return true;
}

// slice, pad, reverse: each class on its own.
static bool move_axes(const struct sketch_node *p, const int16_t *slots,
                      const struct sketch_array *a, int64_t padding,
                      struct sketch_array *r)
{
    struct along m[SKETCH_CLASSES];
    const int16_t *v = slots + p->slot;
    r->classes = a->classes;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        r->size[c] = a->size[c];
        if (!(p->acts >> c & 1))
            continue;
        if (p->kind == SKETCH_REVERSE) {
            for (int i = 0; i < a->size[c]; i++)
                m[c].from[i] = a->size[c] - 1 - i;
        } else if (!(p->kind == SKETCH_SLICE
                         ? slice_along(a->size[c], v, p->pin, &m[c],
                                       &r->size[c])
                         : pad_along(a->size[c], v, p->pin, &m[c],
                                     &r->size[c]))) {
            return false;
        }
        v += sketch_node_slots(p);
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
            if (p->acts >> c & 1) {
                outside |= m[c].from[k] < 0;
                k = m[c].from[k] < 0 ? 0 : (uint32_t)m[c].from[k];
            }
            from += k * ra[c];
        }
        r->at[i] = outside ? padding : a->at[from];
    }
    return true;
}

static bool join(const struct sketch_node *p, const struct sketch_array *a,
                 const struct sketch_array *b, struct sketch_array *r)
{
    unsigned axis = (unsigned)__builtin_ctz(p->acts);
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

static bool spread(const struct sketch_node *p, const int16_t *slots,
                   const struct sketch_array *a, struct sketch_array *r)
{
    const int16_t *v = slots + p->slot;
    if ((a->classes & p->acts) != 0)
        return false;
    r->classes = (uint8_t)(a->classes | p->acts);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        r->size[c] = p->acts >> c & 1 ? *v++ : a->size[c];
    if (!shape_array(r))
        return false;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t at = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (!(p->acts >> c & 1))
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

static bool fold_axes(const struct sketch_node *p, const struct sketch_array *a,
                      struct sketch_array *r)
{
    if ((a->classes & p->acts) != p->acts)
        return false;
    r->classes = (uint8_t)(a->classes & ~p->acts);
    memcpy(r->size, a->size, sizeof r->size);
    if (!shape_array(r))
        return false;
    int64_t unit = p->what == BINARY_ADD   ? 0
                   : p->what == BINARY_MUL ? 1
                                           : LOWEST;
    for (uint32_t i = 0; i < r->n; i++)
        r->at[i] = unit;
    uint32_t ra[SKETCH_CLASSES], rr[SKETCH_CLASSES];
    strides(a, ra);
    strides(r, rr);
    for (uint32_t i = 0; i < a->n; i++) {
        uint32_t to = 0;
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (!(p->acts >> c & 1))
                to += i / ra[c] % dim(a, c) * rr[c];
        r->at[to] = combine(p->what, r->at[to], a->at[i]);
    }
    return true;
}

static bool pointwise(const struct sketch_node *p, const struct sketch_array *a,
                      const struct sketch_array *b, bool lift_a, bool lift_b,
                      struct sketch_array *r)
{
    if (lift_a && !lift_b) {
        same_shape(r, b);
    } else {
        same_shape(r, a);
        if (!lift_b && (a->classes != b->classes ||
                        memcmp(a->size, b->size, sizeof a->size) != 0))
            return false;
    }
    for (uint32_t i = 0; i < r->n; i++)
        r->at[i] =
            combine(p->what, a->at[lift_a ? 0 : i], b->at[lift_b ? 0 : i]);
    return true;
}

static bool eval_node(const struct sketch *s, unsigned i,
                      const struct sketch_world *w, const int16_t *slots,
                      struct sketch_values *v)
{
    const struct sketch_node *p = &s->node[i];
    struct sketch_array *r = &v->node[i];
    const struct sketch_array *a = &v->node[p->arg[0]];
    const struct sketch_array *b = &v->node[p->arg[1]];
    switch (p->kind) {
    case SKETCH_TENSOR:
        return fill_tensor(w, p->what, s->shape[p->what], r);
    case SKETCH_SCALAR:
    case SKETCH_LITERAL:
        r->classes = 0;
        (void)shape_array(r);
        r->at[0] = p->kind == SKETCH_LITERAL
                       ? literal_value(p->what)
                       : element(hash_u64(900u + p->what, w->seed));
        return true;
    case SKETCH_SPLAT:
    case SKETCH_BROADCAST:
        return spread(p, slots, a, r);
    case SKETCH_SLICE:
    case SKETCH_REVERSE:
        return (a->classes & p->acts) == p->acts &&
               move_axes(p, slots, a, 0, r);
    case SKETCH_PAD:
        return (a->classes & p->acts) == p->acts &&
               move_axes(p, slots, a, b->at[0], r);
    case SKETCH_CONCAT:
        return join(p, a, b, r);
    case SKETCH_CONCAT3: {
        struct sketch_array part;
        return join(p, a, b, &part) && join(p, &part, &v->node[p->arg[2]], r);
    }
    case SKETCH_RELABEL:
        return exchange(a, r);
    case SKETCH_REDUCE:
        return fold_axes(p, a, r);
    default:
        return pointwise(p, a, b, sketch_is_scalar(s, p->arg[0]),
                         sketch_is_scalar(s, p->arg[1]), r);
    }
}

// Node i, and the elements that it moves.
static bool next_node(const struct sketch *s, unsigned i,
                      const struct sketch_world *w, const int16_t *slots,
                      struct sketch_values *v)
{
    if (!eval_node(s, i, w, slots, v))
        return false;
    if (s->node[i].kind > SKETCH_SPLAT)
        v->moved += v->node[i].n;
    if (s->node[i].kind == SKETCH_REDUCE)
        v->moved += v->node[s->node[i].arg[0]].n;
    return true;
}

bool sketch_eval(const struct sketch *s, const struct sketch_world *w,
                 const int16_t *slots, struct sketch_values *v,
                 const struct sketch_array **out)
{
    v->moved = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (!next_node(s, i, w, slots, v))
            return false;
    }
    *out = &v->node[s->n - 1];
    return true;
}

struct value_chooser {
    struct rng *rng;
    int16_t pool[SKETCH_SLOTS + 16]; // values there are already
    unsigned n;
};

static int16_t choose_value(struct value_chooser *c, int least, int most)
{
    int v = least;
    bool found = false;
    if (most < least)
        return (int16_t)least;
    // A value that there is, or one beside it.
    if (c->n > 0 && rng_below(c->rng, 3) == 0) {
        v = c->pool[rng_below(c->rng, c->n)];
        if (rng_below(c->rng, 3) == 0)
            v += (int)rng_range(c->rng, -1, 1);
        found = v >= least && v <= most;
    }
    if (!found)
        v = (int)rng_range(c->rng, least, most);
    if (c->n < sizeof c->pool / sizeof *c->pool)
        c->pool[c->n++] = (int16_t)v;
    return (int16_t)v;
}

static void choose_slots(struct value_chooser *k, const struct sketch_node *p,
                         const struct sketch_array *a,
                         const struct sketch_sizes *z,
                         const struct sketch_world *w, int16_t *slots)
{
    unsigned at = p->slot;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        if (!(p->acts >> c & 1))
            continue;
        int16_t *v = slots + at;
        if (p->kind == SKETCH_SLICE) {
            v[0] = choose_value(
                k, 0, rng_below(k->rng, 3) ? a->size[c] / 2 : a->size[c]);
            v[1] = choose_value(k, v[0], a->size[c]);
            if (rng_below(k->rng, 4) == 0)
                v[1] = a->size[c];
            if (!p->pin)
                v[2] = rng_below(k->rng, 2) ? 1 : choose_value(k, 1, 3);
        } else if (p->kind == SKETCH_PAD) {
            v[0] = rng_below(k->rng, 4) ? choose_value(k, -2, 3) : 0;
            v[1] = rng_below(k->rng, 4) ? choose_value(k, -2, 3) : 0;
            if (!p->pin)
                v[2] = rng_below(k->rng, 2) ? 0 : choose_value(k, 0, 2);
        } else if (z->slot[at] < 64) {
            *v = w->size[z->slot[at] / SKETCH_CLASSES]
                        [z->slot[at] % SKETCH_CLASSES];
        } else if (z->slot[at] < 255 && z->slot[at] != 64 + at) {
            *v = slots[z->slot[at] - 64];
        } else {
            *v = choose_value(k, 0, 4);
        }
        at += sketch_node_slots(p);
    }
}

bool sketch_sample(const struct sketch *s, const struct sketch_world *w,
                   const struct sketch_sizes *z, struct rng *rng,
                   int16_t *slots, struct sketch_values *v,
                   const struct sketch_array **out)
{
    struct value_chooser k = {.rng = rng};
    for (unsigned t = 0; t < s->n_tensors; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (s->shape[t] >> c & 1)
                k.pool[k.n++] = w->size[t][c];
    v->moved = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (sketch_node_slots(&s->node[i]) > 0)
            choose_slots(&k, &s->node[i], &v->node[s->node[i].arg[0]], z, w,
                         slots);
        if (!next_node(s, i, w, slots, v))
            return false;
    }
    *out = &v->node[s->n - 1];
    return true;
}

uint64_t sketch_array_hash(const struct sketch_array *a)
{
    uint64_t h = hash_u64(a->classes, 77);
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        h = hash_u64((uint64_t)a->size[c], h);
    return hash_bytes(a->at, a->n * sizeof *a->at, h);
}
