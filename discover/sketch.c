// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch.h"
#include "base/hash.h"
#include "base/rng.h"
#include <string.h>

#define LOWEST (-((int64_t)1 << 40))

unsigned sketch_node_slots(const struct sketch_node *p)
{
    switch (p->kind) {
    case SKETCH_SLICE:
    case SKETCH_PAD:
        return p->pin ? 2 : 3;
    case SKETCH_SPLAT:
    case SKETCH_BROADCAST:
        return 1;
    default:
        return 0;
    }
}

static unsigned count_classes(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

void sketch_finish(struct sketch *s)
{
    s->n_ops = s->n_slots = s->relabels = 0;
    for (unsigned i = 0; i < s->n; i++) {
        struct sketch_node *p = &s->node[i];
        p->slot = s->n_slots;
        s->n_slots = (uint8_t)(s->n_slots +
                               sketch_node_slots(p) * count_classes(p->acts));
        s->n_ops = (uint8_t)(s->n_ops + (p->kind > SKETCH_SPLAT));
        s->relabels |= p->kind == SKETCH_RELABEL;
    }
}

unsigned sketch_classes(const struct sketch *s)
{
    unsigned all = 0;
    for (unsigned i = 0; i < s->n; i++)
        all |= s->node[i].classes | (s->node[i].acts);
    return all;
}

static unsigned copy_below(const struct sketch *s, unsigned node,
                           struct sketch *out)
{
    struct sketch_node p = s->node[node];
    for (unsigned k = 0; k < sketch_arity(p.kind); k++)
        p.arg[k] = (uint8_t)copy_below(s, p.arg[k], out);
    out->node[out->n] = p;
    return out->n++;
}

void sketch_below(const struct sketch *s, unsigned node, struct sketch *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->shape, s->shape, sizeof out->shape);
    out->n_tensors = s->n_tensors;
    out->n_scalars = s->n_scalars;
    (void)copy_below(s, node, out);
    sketch_finish(out);
}

static void print_classes(unsigned mask, struct buf *out)
{
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            buf_putc(out, "xyzw"[c]);
}

static void print_node(const struct sketch *s, unsigned i, struct buf *out)
{
    static const char *const name[] = {"",        "",      "",        "splat",
                                       "slice",   "pad",   "concat",  "concat",
                                       "reverse", "bcast", "relabel", "reduce"};
    static const char *const binary[] = {"+", "*", "max"};
    const struct sketch_node *p = &s->node[i];
    if (p->kind == SKETCH_TENSOR) {
        buf_putc(out, (char)('A' + p->what));
        print_classes(p->classes, out);
    } else if (p->kind == SKETCH_SCALAR) {
        buf_putc(out, (char)('v' + p->what));
    } else if (p->kind == SKETCH_LITERAL) {
        buf_putc(out, "01L"[p->what]);
    } else if (p->kind == SKETCH_BINARY) {
        buf_printf(out, "(%s ", binary[p->what]);
        print_node(s, p->arg[0], out);
        buf_putc(out, ' ');
        print_node(s, p->arg[1], out);
        buf_putc(out, ')');
    } else {
        buf_printf(out, "(%s%s", name[p->kind], p->pin ? "1" : "");
        if (p->kind == SKETCH_REDUCE)
            buf_puts(out, binary[p->what]);
        buf_putc(out, ':');
        print_classes(p->acts, out);
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            buf_putc(out, ' ');
            print_node(s, p->arg[k], out);
        }
        buf_putc(out, ')');
    }
}

void sketch_print(const struct sketch *s, struct buf *out)
{
    print_node(s, s->n - 1u, out);
}

static bool same_at(const struct sketch *a, unsigned i, const struct sketch *b,
                    unsigned j)
{
    const struct sketch_node *p = &a->node[i], *q = &b->node[j];
    if (p->kind != q->kind || p->what != q->what || p->acts != q->acts ||
        p->classes != q->classes || p->pin != q->pin)
        return false;
    for (unsigned k = 0; k < sketch_arity(p->kind); k++)
        if (!same_at(a, p->arg[k], b, q->arg[k]))
            return false;
    return true;
}

bool sketch_same(const struct sketch *a, const struct sketch *b)
{
    return same_at(a, a->n - 1u, b, b->n - 1u);
}

static uint64_t hash_at(const struct sketch *s, unsigned i)
{
    const struct sketch_node *p = &s->node[i];
    uint64_t h = hash_u64(
        (uint64_t)p->kind | (uint64_t)p->what << 8 | (uint64_t)p->acts << 16 |
            (uint64_t)p->classes << 24 | (uint64_t)p->pin << 32,
        1);
    for (unsigned k = 0; k < sketch_arity(p->kind); k++)
        h = hash_u64(hash_at(s, p->arg[k]), h);
    return h;
}

uint64_t sketch_hash(const struct sketch *s)
{
    return hash_at(s, s->n - 1u);
}

// ---- values

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

// Made of scalars and literals alone: stands for a constant tensor.
static bool is_scalar(const struct sketch *s, unsigned i)
{
    const struct sketch_node *p = &s->node[i];
    return p->kind == SKETCH_SCALAR || p->kind == SKETCH_LITERAL ||
           (p->kind == SKETCH_BINARY && is_scalar(s, p->arg[0]) &&
            is_scalar(s, p->arg[1]));
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
        return pointwise(p, a, b, is_scalar(s, p->arg[0]),
                         is_scalar(s, p->arg[1]), r);
    }
}

bool sketch_eval(const struct sketch *s, const struct sketch_world *w,
                 const int16_t *slots, struct sketch_values *v,
                 const struct sketch_array **out)
{
    v->moved = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (!eval_node(s, i, w, slots, v))
            return false;
        if (s->node[i].kind > SKETCH_SPLAT)
            v->moved += v->node[i].n;
        if (s->node[i].kind == SKETCH_REDUCE)
            v->moved += v->node[s->node[i].arg[0]].n;
    }
    *out = &v->node[s->n - 1];
    return true;
}

struct chooser {
    struct rng *rng;
    int16_t pool[SKETCH_SLOTS + 16]; // values there are already
    unsigned n;
};

static int16_t choose_value(struct chooser *c, int least, int most)
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

static void choose_slots(struct chooser *k, const struct sketch_node *p,
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
    struct chooser k = {.rng = rng};
    for (unsigned t = 0; t < s->n_tensors; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            if (s->shape[t] >> c & 1)
                k.pool[k.n++] = w->size[t][c];
    v->moved = 0;
    for (unsigned i = 0; i < s->n; i++) {
        if (sketch_node_slots(&s->node[i]) > 0)
            choose_slots(&k, &s->node[i], &v->node[s->node[i].arg[0]], z, w,
                         slots);
        if (!eval_node(s, i, w, slots, v))
            return false;
        if (s->node[i].kind > SKETCH_SPLAT)
            v->moved += v->node[i].n;
        if (s->node[i].kind == SKETCH_REDUCE)
            v->moved += v->node[s->node[i].arg[0]].n;
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

// ---- sizes

struct unify {
    uint8_t up[16 + SKETCH_SLOTS]; // 0..15 tensors' sizes, then slots
    uint8_t size[SKETCH_NODES][SKETCH_CLASSES];
};

static uint8_t size_root(struct unify *u, uint8_t a)
{
    while (a != 255 && u->up[a] != a)
        a = u->up[a];
    return a;
}

static void same_size(struct unify *u, uint8_t a, uint8_t b)
{
    a = size_root(u, a);
    b = size_root(u, b);
    if (a == 255 || b == 255 || a == b)
        return;
    if (a < b)
        u->up[b] = a;
    else
        u->up[a] = b;
}

static void unify_node(const struct sketch *s, unsigned i, struct unify *u)
{
    const struct sketch_node *p = &s->node[i];
    uint8_t *z = u->size[i];
    const uint8_t *a = u->size[p->arg[0]], *b = u->size[p->arg[1]];
    unsigned slot = p->slot;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        bool acts = p->acts >> c & 1;
        z[c] = 255;
        if (!(p->classes >> c & 1))
            continue;
        if (p->kind == SKETCH_TENSOR)
            z[c] = (uint8_t)(p->what * SKETCH_CLASSES + c);
        else if ((p->kind == SKETCH_SPLAT || p->kind == SKETCH_BROADCAST) &&
                 acts)
            z[c] = (uint8_t)(16 + slot++);
        else if (p->kind == SKETCH_RELABEL)
            z[c] = a[c < 2 ? 1 - c : c];
        else if (p->kind == SKETCH_BINARY && is_scalar(s, p->arg[0]))
            z[c] = b[c];
        else if (!acts || p->kind == SKETCH_REVERSE)
            z[c] = a[c];
        if (p->kind == SKETCH_CONCAT3 && !acts)
            same_size(u, a[c], u->size[p->arg[2]][c]);
        if (((p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3) &&
             !acts) ||
            (p->kind == SKETCH_BINARY && !is_scalar(s, p->arg[0]) &&
             !is_scalar(s, p->arg[1])))
            same_size(u, a[c], b[c]);
    }
}

void sketch_unify(const struct sketch *s, struct sketch_sizes *z)
{
    struct unify u;
    memset(z, 255, sizeof *z);
    for (unsigned i = 0; i < sizeof u.up; i++)
        u.up[i] = (uint8_t)i;
    for (unsigned i = 0; i < s->n; i++)
        unify_node(s, i, &u);
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            z->tensor[t][c] = size_root(&u, (uint8_t)(t * SKETCH_CLASSES + c));
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        if (p->kind != SKETCH_SPLAT && p->kind != SKETCH_BROADCAST)
            continue;
        for (unsigned k = 0; k < count_classes(p->acts); k++) {
            uint8_t r = size_root(&u, (uint8_t)(16u + p->slot + k));
            z->slot[p->slot + k] = r < 16 ? r : (uint8_t)(64 + r - 16);
        }
    }
}

// ---- instances

struct matching {
    const struct sketch *p, *s;
    bool any_binary, distinct;
    uint8_t to[SKETCH_CLASSES]; // classes of p -> of s
    uint8_t extra;              // classes that all of s's terms have besides
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS]; // nodes; 255
    uint8_t binary[N_BINARY]; // what a binary operator of p stands for; 255
};

static unsigned map_classes(const struct matching *m, unsigned mask)
{
    unsigned r = 0;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            r |= 1u << m->to[c];
    return r;
}

static bool bind(struct matching *m, uint8_t *var, unsigned node)
{
    if (*var == 255) {
        // Is it what another variable stands for?
        for (unsigned k = 0; k < SKETCH_TENSORS && m->distinct; k++)
            if (m->tensor[k] != 255 && same_at(m->s, m->tensor[k], m->s, node))
                return false;
        for (unsigned k = 0; k < SKETCH_SCALARS && m->distinct; k++)
            if (m->scalar[k] != 255 && same_at(m->s, m->scalar[k], m->s, node))
                return false;
        *var = (uint8_t)node;
        return true;
    }
    return same_at(m->s, *var, m->s, node);
}

static bool match_at(struct matching *m, unsigned i, unsigned j)
{
    const struct sketch_node *p = &m->p->node[i], *q = &m->s->node[j];
    if (p->kind == SKETCH_SCALAR)
        return is_scalar(m->s, j) && bind(m, &m->scalar[p->what], j);
    if (p->kind == SKETCH_TENSOR)
        return !is_scalar(m->s, j) &&
               q->classes == (map_classes(m, p->classes) | m->extra) &&
               bind(m, &m->tensor[p->what], j);
    if (p->kind != q->kind || (p->pin && !q->pin))
        return false;
    if (p->kind == SKETCH_SPLAT) {
        if (q->acts != (map_classes(m, p->acts) | m->extra))
            return false;
    } else if (p->kind != SKETCH_LITERAL &&
               q->acts != map_classes(m, p->acts)) {
        return false;
    }
    if (p->kind == SKETCH_RELABEL && ((m->to[0] > 1) | (m->to[1] > 1)) != 0)
        return false;
    struct matching before = *m;
    if (p->kind == SKETCH_LITERAL) {
        if (p->what != q->what)
            return false;
    } else if (p->kind == SKETCH_BINARY || p->kind == SKETCH_REDUCE) {
        if (m->any_binary) {
            if (m->binary[p->what] == 255)
                m->binary[p->what] = q->what;
            if (m->binary[p->what] != q->what) {
                *m = before;
                return false;
            }
        } else if (p->what != q->what) {
            return false;
        }
    }
    bool ok = true;
    for (unsigned k = 0; ok && k < sketch_arity(p->kind); k++)
        ok = match_at(m, p->arg[k], q->arg[k]);
    if (!ok && p->kind == SKETCH_BINARY) {
        *m = before;
        m->binary[p->what] = q->what;
        ok = match_at(m, p->arg[0], q->arg[1]) &&
             match_at(m, p->arg[1], q->arg[0]);
    }
    if (!ok)
        *m = before;
    return ok;
}

bool sketch_matches(const struct sketch *p, bool spectator, bool any_binary,
                    bool distinct, const struct sketch *s, unsigned node)
{
    unsigned have = sketch_classes(s), need = sketch_classes(p);
    for (unsigned code = 0; code < 24; code++) {
        // A permutation of the classes.
        uint8_t left[SKETCH_CLASSES] = {0, 1, 2, 3};
        struct matching m = {
            .p = p, .s = s, .any_binary = any_binary, .distinct = distinct};
        unsigned k = code, used = 0;
        bool fits = true;
        memset(m.tensor, 255, sizeof m.tensor);
        memset(m.scalar, 255, sizeof m.scalar);
        memset(m.binary, 255, sizeof m.binary);
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            unsigned pick = k % (SKETCH_CLASSES - c);
            k /= SKETCH_CLASSES - c;
            m.to[c] = left[pick];
            memmove(left + pick, left + pick + 1, sizeof left - pick - 1);
            if (need >> c & 1)
                used |= 1u << m.to[c];
            else
                fits &= c == 0 || !(need >> (c - 1) & 1) ||
                        true; // free classes: any
        }
        // Further classes: all subsets of what is not used.
        unsigned rest = have & ~used;
        for (unsigned x = rest;; x = (x - 1) & rest) {
            m.extra = (uint8_t)x;
            struct matching one = m;
            if (fits && (x == 0 || spectator) &&
                match_at(&one, p->n - 1u, node))
                return true;
            if (x == 0)
                break;
        }
    }
    return false;
}
