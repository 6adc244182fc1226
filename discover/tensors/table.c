// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/table.h"
#include "base/hash.h"

enum {
    WORLDS = 6,      // the last is of single elements
    FILLINGS = 1500, // slot values of a right side
    SAMPLES = 300,   // of a left side, in one world
    CROWD = 4000,    // right sides of one value
};

struct table_entry {
    uint64_t hash;
    uint32_t which; // right side
    uint32_t slots; // first one
};
struct table_side {
    uint32_t sketch;
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t cls[SKETCH_CLASSES];
};
struct table_entry_vec {
    struct table_entry *at;
    uint32_t len, cap;
};
struct tally { // of one right side, for the left side at hand
    uint32_t which, count;
    uint32_t thin; // places of single elements
    uint32_t world;
    uint64_t weight; // of the best place
    int16_t left[SKETCH_SLOTS];
    uint32_t slots;
    uint64_t moved;
};
struct table {
    struct enumerate_options o;
    VEC(struct sketch) sketches;
    VEC(struct table_side) sides;
    struct table_entry_vec entries[WORLDS];
    VEC(int16_t) slots;
    struct sketch_world world[WORLDS];
    struct sketch_values values;
    VEC(struct tally) tally;
    VEC(uint32_t) where; // side -> tally + 1
};

static void make_worlds(struct table *t, uint64_t seed)
{
    static const int16_t size[WORLDS][2][SKETCH_TENSORS] = {
        {{3, 3, 3, 3}, {2, 2, 2, 2}}, {{2, 3, 4, 2}, {3, 3, 3, 3}},
        {{3, 3, 3, 3}, {2, 4, 3, 2}}, {{4, 4, 4, 4}, {3, 3, 3, 3}},
        {{4, 2, 3, 4}, {2, 2, 2, 2}}, {{1, 1, 1, 1}, {1, 1, 1, 1}}};
    for (unsigned w = 0; w < WORLDS; w++) {
        t->world[w].seed = hash_u64(w + 1, seed);
        for (unsigned k = 0; k < SKETCH_TENSORS; k++)
            for (unsigned c = 0; c < SKETCH_CLASSES; c++)
                t->world[w].size[k][c] = c < 2            ? size[w][c][k]
                                         : w + 1 < WORLDS ? 2
                                                          : 1;
    }
}

// What a slot may be: from `least`, `n` values.
static void slot_range(const struct sketch *s, unsigned slot, int *least,
                       int *n)
{
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i];
        unsigned per = sketch_node_slots(p);
        unsigned total = per * (unsigned)__builtin_popcount(p->acts);
        if (slot < p->slot || slot >= p->slot + total)
            continue;
        unsigned k = (slot - p->slot) % per;
        if (p->kind == SKETCH_SLICE) {
            *least = k == 2;
            *n = k == 2 ? 3 : 5;
        } else if (p->kind == SKETCH_PAD) {
            *least = k == 2 ? 0 : -1;
            *n = k == 2 ? 2 : 4;
        } else {
            *least = 1;
            *n = 4;
        }
        return;
    }
    *least = 0;
    *n = 1;
}

// The k-th filling of all; at random if there are too many.
static uint64_t count_fillings(const struct sketch *s)
{
    uint64_t n = 1;
    for (unsigned k = 0; k < s->n_slots && n < UINT64_C(1) << 40; k++) {
        int least, r;
        slot_range(s, k, &least, &r);
        n *= (uint64_t)r;
    }
    return n;
}

static void filling(const struct sketch *s, uint64_t k, int16_t *slots)
{
    for (unsigned i = 0; i < s->n_slots; i++) {
        int least, n;
        slot_range(s, i, &least, &n);
        slots[i] = (int16_t)(least + (int)(k % (uint64_t)n));
        k /= (uint64_t)n;
    }
}

static void side_sketch(const struct table *t, const struct table_side *d,
                        struct sketch *s)
{
    *s = t->sketches.at[d->sketch];
    sketch_rename(s, d->tensor, d->scalar, d->cls);
    s->n_tensors = SKETCH_TENSORS;
    s->n_scalars = SKETCH_SCALARS;
    // Slots follow the order of classes, which may have changed.
    sketch_finish(s);
}

// Is the value worth looking at?  One element on axes says little.
static bool poor(const struct sketch_array *a, unsigned world)
{
    return a->classes != 0 && (world + 1 < WORLDS ? a->n < 2 : a->n < 1);
}

static bool all_same(const struct sketch_array *a)
{
    for (uint32_t i = 1; i < a->n; i++)
        if (a->at[i] != a->at[0])
            return false;
    return a->classes != 0;
}

static void fill_side(struct table *t, uint32_t which)
{
    struct sketch s;
    struct rng rng;
    side_sketch(t, &t->sides.at[which], &s);
    uint64_t all = count_fillings(&s);
    uint64_t n = all < FILLINGS ? all : FILLINGS;
    rng_seed(&rng, which);
    for (unsigned w = 0; w < WORLDS; w++) {
        uint32_t first = t->entries[w].len;
        uint64_t seen[512] = {0};
        for (uint64_t k = 0; k < n; k++) {
            int16_t slots[SKETCH_SLOTS] = {0};
            const struct sketch_array *r;
            filling(&s, all == n ? k : rng_below(&rng, all), slots);
            if (!sketch_eval(&s, &t->world[w], slots, &t->values, &r) ||
                poor(r, w) || (all_same(r) && r->n > 1))
                continue;
            uint64_t h = sketch_array_hash(r);
            if (seen[h & 511] == h)
                continue;
            seen[h & 511] = h;
            if (t->entries[w].len - first > 400)
                break;
            vec_push(&t->entries[w], ((struct table_entry){h, which, t->slots.len}));
            for (unsigned i = 0; i < s.n_slots; i++)
                vec_push(&t->slots, slots[i]);
        }
    }
}

static void permute(unsigned n, unsigned of, unsigned k, uint8_t *out,
                    bool *fits)
{
    unsigned used = 0;
    for (unsigned i = 0; i < n; i++) {
        out[i] = (uint8_t)(k % of);
        k /= of;
        *fits &= !(used >> out[i] & 1);
        used |= 1u << out[i];
    }
}

static unsigned power(unsigned a, unsigned n)
{
    return n == 0 ? 1 : a * power(a, n - 1);
}

static void add_sketch(struct table *t, const struct sketch *s)
{
    unsigned nt = power(t->o.tensors, s->n_tensors);
    unsigned ns = power(t->o.scalars, s->n_scalars);
    unsigned nc = power(t->o.classes, t->o.classes);
    uint32_t id = t->sketches.len;
    vec_push(&t->sketches, *s);
    unsigned used = sketch_classes(s);
    VEC(uint64_t) done = {0};
    for (unsigned a = 0; a < nt; a++)
        for (unsigned b = 0; b < ns; b++)
            for (unsigned c = 0; c < nc; c++) {
                struct table_side d = {.sketch = id, .cls = {0, 1, 2, 3}};
                bool fits = true;
                permute(s->n_tensors, t->o.tensors, a, d.tensor, &fits);
                permute(s->n_scalars, t->o.scalars, b, d.scalar, &fits);
                permute(t->o.classes, t->o.classes, c, d.cls, &fits);
                for (unsigned k = 0; k < t->o.classes; k++) // the identity on
                    for (unsigned q = 0; q < k; q++)        // what is not used
                        fits &= !(!(used >> k & 1) && !(used >> q & 1) &&
                                  d.cls[q] > d.cls[k]);
                if (s->relabels && (d.cls[0] > 1 || d.cls[1] > 1))
                    fits = false;
                if (!fits)
                    continue;
                struct sketch one;
                vec_push(&t->sides, d);
                side_sketch(t, &vec_last(&t->sides), &one);
                uint64_t h = sketch_hash(&one);
                for (uint32_t k = 0; k < done.len; k++)
                    if (done.at[k] == h)
                        fits = false;
                if (!fits) {
                    (void)vec_pop(&t->sides);
                    continue;
                }
                vec_push(&done, h);
                fill_side(t, t->sides.len - 1);
            }
    vec_release(&done);
}

static int by_hash(const void *a, const void *b)
{
    const struct table_entry *x = a, *y = b;
    return x->hash != y->hash ? (x->hash < y->hash ? -1 : 1)
                              : (x->which > y->which) - (x->which < y->which);
}

struct table *table_new(const struct enumerate_options *o,
                        const struct sketch_vec *from, unsigned n_from,
                        unsigned plain, uint64_t seed)
{
    struct table *t = mem_alloc(sizeof *t);
    t->o = *o;
    make_worlds(t, seed);
    for (unsigned k = 0; k < n_from; k++)
        for (uint32_t i = 0; i < from[k].len; i++) {
            const struct sketch *s = &from[k].at[i];
            if (s->n_tensors > 0 && (s->n_ops <= plain || s->n_slots == 0))
                add_sketch(t, s);
        }
    for (unsigned w = 0; w < WORLDS; w++)
        if (t->entries[w].len > 0)
            qsort(t->entries[w].at, t->entries[w].len, sizeof *t->entries[w].at,
                  by_hash);
    vec_zero(&t->where, t->sides.len + 1);
    return t;
}

void table_free(struct table *t)
{
    if (t == NULL)
        return;
    vec_release(&t->sketches);
    vec_release(&t->sides);
    for (unsigned w = 0; w < WORLDS; w++)
        vec_release(&t->entries[w]);
    vec_release(&t->slots);
    vec_release(&t->tally);
    vec_release(&t->where);
    mem_free(t);
}

uint64_t table_entries(const struct table *t)
{
    uint64_t n = 0;
    for (unsigned w = 0; w < WORLDS; w++)
        n += t->entries[w].len;
    return n;
}

// ---- looking up

static uint32_t lower(const struct table_entry_vec *v, uint64_t h)
{
    uint32_t a = 0, b = v->len;
    while (a < b) {
        uint32_t m = a + (b - a) / 2;
        if (v->at[m].hash < h)
            a = m + 1;
        else
            b = m;
    }
    return a;
}

static void count_hits(struct table *t, unsigned w, const int16_t *slots,
                       const struct sketch *l, const struct sketch_array *r,
                       uint64_t moved)
{
    const struct table_entry_vec *v = &t->entries[w];
    uint64_t h = sketch_array_hash(r);
    uint32_t from = lower(v, h);
    for (uint32_t i = from;
         i < v->len && v->at[i].hash == h && i - from < CROWD; i++) {
        uint32_t which = v->at[i].which;
        if (t->where.at[which] == 0) {
            vec_push(&t->tally, ((struct tally){.which = which}));
            t->where.at[which] = t->tally.len;
        }
        struct tally *y = &t->tally.at[t->where.at[which] - 1];
        bool thin = w + 1 == WORLDS;
        y->count += !thin;
        y->thin += thin;
        if (r->n <= y->weight)
            continue;
        y->weight = r->n;
        y->world = w;
        y->slots = v->at[i].slots;
        y->moved = moved;
        memcpy(y->left, slots, l->n_slots * sizeof *slots);
    }
}

struct constant {
    uint32_t count;
    uint64_t weight;
    struct agreement at;
    uint64_t moved;
};

// Which of the left side's scalars and literals is the value of all elements?
static void count_constants(const struct table *t, unsigned w,
                            const int16_t *slots, const struct sketch *l,
                            const struct sketch_array *r,
                            struct constant *constant, uint64_t moved)
{
    struct sketch_values *v = mem_alloc(sizeof *v);
    for (unsigned k = 0; k < SKETCH_SCALARS + 3u; k++) {
        struct sketch s = {.n = 1};
        const struct sketch_array *x;
        bool scalar = k < SKETCH_SCALARS;
        if (scalar && k >= l->n_scalars)
            continue;
        s.node[0].kind = scalar ? SKETCH_SCALAR : SKETCH_LITERAL;
        s.node[0].what = (uint8_t)(scalar ? k : k - SKETCH_SCALARS);
        if (!sketch_eval(&s, &t->world[w], slots, v, &x) ||
            x->at[0] != r->at[0])
            continue;
        struct constant *c = &constant[k];
        c->count++;
        if (r->n <= c->weight)
            continue;
        c->weight = r->n;
        c->moved = moved;
        c->at.world = t->world[w];
        memcpy(c->at.left, slots, l->n_slots * sizeof *slots);
    }
    mem_free(v);
}

void table_find(struct table *t, const struct sketch *l, struct rng *rng,
                struct hit_vec *out, uint32_t *samples)
{
    struct sketch_sizes z;
    struct constant constant[SKETCH_SCALARS + 3] = {0};
    *samples = 0;
    sketch_unify(l, &z);
    for (unsigned w = 0; w < WORLDS; w++) {
        unsigned n = l->n_slots == 0 ? 1 : SAMPLES;
        bool thin = w + 1 == WORLDS;
        if (thin && l->n_ops > 1)
            continue;
        for (unsigned k = 0; k < n; k++) {
            int16_t slots[SKETCH_SLOTS] = {0};
            const struct sketch_array *r;
            if (!sketch_sample(l, &t->world[w], &z, rng, slots, &t->values,
                               &r) ||
                poor(r, w))
                continue;
            *samples += !thin;
            uint64_t moved = t->values.moved;
            if (all_same(r) && (r->n > 1 || !thin))
                count_constants(t, w, slots, l, r, constant, moved);
            else
                count_hits(t, w, slots, l, r, moved);
        }
    }
    for (uint32_t i = 0; i < t->tally.len; i++) {
        const struct tally *y = &t->tally.at[i];
        struct table_hit h = {.count = y->count, .thin = y->thin};
        const struct sketch_array *r;
        t->where.at[y->which] = 0;
        side_sketch(t, &t->sides.at[y->which], &h.rhs);
        h.at.world = t->world[y->world];
        memcpy(h.at.left, y->left, sizeof y->left);
        memcpy(h.at.right, t->slots.at + y->slots,
               h.rhs.n_slots * sizeof *h.at.right);
        h.left_moved = y->moved;
        if (!sketch_eval(&h.rhs, &h.at.world, h.at.right, &t->values, &r))
            continue;
        h.right_moved = t->values.moved;
        vec_push(out, h);
    }
    vec_clear(&t->tally);
    for (unsigned k = 0; k < SKETCH_SCALARS + 3u; k++) {
        if (constant[k].count == 0)
            continue;
        struct table_hit h = {.count = constant[k].count,
                              .at = constant[k].at,
                              .left_moved = constant[k].moved,
                              .constant = true};
        bool scalar = k < SKETCH_SCALARS;
        h.rhs.n = 1;
        h.rhs.node[0].kind = scalar ? SKETCH_SCALAR : SKETCH_LITERAL;
        h.rhs.node[0].what = (uint8_t)(scalar ? k : k - SKETCH_SCALARS);
        h.rhs.n_tensors = SKETCH_TENSORS;
        h.rhs.n_scalars = SKETCH_SCALARS;
        vec_push(out, h);
    }
}
