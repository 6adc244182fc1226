// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/table.h"
#include "discover/limits.h"
#include "base/hash.h"

struct table_entry {
    uint64_t hash;
    uint32_t which; // number of the right side
    uint32_t slots; // first slot
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
struct tally { // hits of one right side for the current left side
    uint32_t which, count;
    uint32_t thin; // hits at single elements
    uint32_t world;
    uint64_t weight; // elements of the best hit
    int16_t left[SKETCH_SLOTS];
    uint32_t slots;
    uint64_t moved;
};
struct table {
    struct enumerate_options options;
    VEC(struct sketch) sketches;
    VEC(struct table_side) sides;
    struct table_entry_vec entries[TABLE_WORLDS];
    VEC(int16_t) slots;
    struct sketch_world world[TABLE_WORLDS];
    struct sketch_values values;
    VEC(struct tally) tally;
    VEC(uint32_t) where; // side -> tally + 1
};

static void make_worlds(struct table *table, uint64_t seed)
{
    static const int16_t size[TABLE_WORLDS][2][SKETCH_TENSORS] = {
        {{3, 3, 3, 3}, {2, 2, 2, 2}}, {{2, 3, 4, 2}, {3, 3, 3, 3}}, {{3, 3, 3, 3}, {2, 4, 3, 2}},
        {{4, 4, 4, 4}, {3, 3, 3, 3}}, {{4, 2, 3, 4}, {2, 2, 2, 2}}, {{1, 1, 1, 1}, {1, 1, 1, 1}}};
    for (unsigned w = 0; w < TABLE_WORLDS; w++) {
        table->world[w].seed = hash_u64(w + 1, seed);
        for (unsigned k = 0; k < SKETCH_TENSORS; k++)
            for (unsigned c = 0; c < SKETCH_CLASSES; c++)
                table->world[w].size[k][c] = c < 2 ? size[w][c][k] : w + 1 < TABLE_WORLDS ? 2 : 1;
    }
}

// The range of a slot: `n` values from `least`.
static void slot_range(const struct sketch *sketch, unsigned slot, int *least, int *n)
{
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *node = &sketch->node[i];
        unsigned per = sketch_node_slots(node);
        unsigned total = per * (unsigned)__builtin_popcount(node->acts);
        if (slot < node->slot || slot >= node->slot + total)
            continue;
        unsigned k = (slot - node->slot) % per;
        if (node->kind == SKETCH_SLICE) {
            *least = k == 2;
            *n = k == 2 ? 3 : 5;
        } else if (node->kind == SKETCH_PAD) {
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

// Writes the k-th filling of all slots; a random one if there are too many.
static uint64_t count_fillings(const struct sketch *sketch)
{
    uint64_t n = 1;
    for (unsigned k = 0; k < sketch->n_slots && n < UINT64_C(1) << 40; k++) {
        int least, r;
        slot_range(sketch, k, &least, &r);
        n *= (uint64_t)r;
    }
    return n;
}

static void filling(const struct sketch *sketch, uint64_t k, int16_t *slots)
{
    for (unsigned i = 0; i < sketch->n_slots; i++) {
        int least, n;
        slot_range(sketch, i, &least, &n);
        slots[i] = (int16_t)(least + (int)(k % (uint64_t)n));
        k /= (uint64_t)n;
    }
}

static void side_sketch(const struct table *table, const struct table_side *side,
                        struct sketch *sketch)
{
    *sketch = table->sketches.at[side->sketch];
    sketch_rename(sketch, side->tensor, side->scalar, side->cls);
    sketch->n_tensors = SKETCH_TENSORS;
    sketch->n_scalars = SKETCH_SCALARS;
    // Slots are in the order of classes, which the renaming may have changed.
    sketch_finish(sketch);
}

// Is the value too small to be evidence?  One element on an axis is.
static bool poor(const struct sketch_array *array, unsigned world)
{
    return array->classes != 0 && (world + 1 < TABLE_WORLDS ? array->n < 2 : array->n < 1);
}

static bool all_same(const struct sketch_array *array)
{
    for (uint32_t i = 1; i < array->n; i++)
        if (array->at[i] != array->at[0])
            return false;
    return array->classes != 0;
}

static void fill_side(struct table *table, uint32_t which)
{
    struct sketch sketch;
    struct rng rng;
    side_sketch(table, &table->sides.at[which], &sketch);
    uint64_t all = count_fillings(&sketch);
    uint64_t n = all < TABLE_FILLINGS ? all : TABLE_FILLINGS;
    rng_seed(&rng, which);
    for (unsigned w = 0; w < TABLE_WORLDS; w++) {
        uint32_t first = table->entries[w].len;
        uint64_t seen[512] = {0};
        for (uint64_t k = 0; k < n; k++) {
            int16_t slots[SKETCH_SLOTS] = {0};
            const struct sketch_array *array;
            filling(&sketch, all == n ? k : rng_below(&rng, all), slots);
            if (!sketch_eval(&sketch, &table->world[w], slots, &table->values, &array) ||
                poor(array, w) || (all_same(array) && array->n > 1))
                continue;
            uint64_t h = sketch_array_hash(array);
            if (seen[h & 511] == h)
                continue;
            seen[h & 511] = h;
            if (table->entries[w].len - first > TABLE_ENTRIES)
                break;
            vec_push(&table->entries[w], ((struct table_entry){h, which, table->slots.len}));
            for (unsigned i = 0; i < sketch.n_slots; i++)
                vec_push(&table->slots, slots[i]);
        }
    }
}

static void permute(unsigned n, unsigned of, unsigned k, uint8_t *out, bool *fits)
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

static void add_sketch(struct table *table, const struct sketch *sketch)
{
    unsigned nt = power(table->options.tensors, sketch->n_tensors);
    unsigned ns = power(table->options.scalars, sketch->n_scalars);
    unsigned nc = power(table->options.classes, table->options.classes);
    uint32_t id = table->sketches.len;
    vec_push(&table->sketches, *sketch);
    unsigned used = sketch_classes(sketch);
    VEC(uint64_t) done = {0};
    for (unsigned a = 0; a < nt; a++)
        for (unsigned b = 0; b < ns; b++)
            for (unsigned c = 0; c < nc; c++) {
                struct table_side side = {.sketch = id, .cls = {0, 1, 2, 3}};
                bool fits = true;
                permute(sketch->n_tensors, table->options.tensors, a, side.tensor, &fits);
                permute(sketch->n_scalars, table->options.scalars, b, side.scalar, &fits);
                permute(table->options.classes, table->options.classes, c, side.cls, &fits);
                for (unsigned k = 0; k < table->options.classes; k++) // the identity on
                    for (unsigned q = 0; q < k; q++)                  // what is not used
                        fits &=
                            !(!(used >> k & 1) && !(used >> q & 1) && side.cls[q] > side.cls[k]);
                if (sketch->relabels && (side.cls[0] > 1 || side.cls[1] > 1))
                    fits = false;
                if (!fits)
                    continue;
                struct sketch one;
                vec_push(&table->sides, side);
                side_sketch(table, &vec_last(&table->sides), &one);
                uint64_t h = sketch_hash(&one);
                for (uint32_t k = 0; k < done.len; k++)
                    if (done.at[k] == h)
                        fits = false;
                if (!fits) {
                    (void)vec_pop(&table->sides);
                    continue;
                }
                vec_push(&done, h);
                fill_side(table, table->sides.len - 1);
            }
    vec_release(&done);
}

static int by_hash(const void *a, const void *b)
{
    const struct table_entry *entry = a, *y = b;
    return entry->hash != y->hash ? (entry->hash < y->hash ? -1 : 1)
                                  : (entry->which > y->which) - (entry->which < y->which);
}

struct table *table_new(const struct enumerate_options *options, const struct sketch_vec *from,
                        unsigned n_from, unsigned plain, uint64_t seed)
{
    struct table *table = mem_alloc(sizeof *table);
    table->options = *options;
    make_worlds(table, seed);
    for (unsigned k = 0; k < n_from; k++)
        for (uint32_t i = 0; i < from[k].len; i++) {
            const struct sketch *sketch = &from[k].at[i];
            if (sketch->n_tensors > 0 && (sketch->n_ops <= plain || sketch->n_slots == 0))
                add_sketch(table, sketch);
        }
    for (unsigned w = 0; w < TABLE_WORLDS; w++)
        if (table->entries[w].len > 0)
            qsort(table->entries[w].at, table->entries[w].len, sizeof *table->entries[w].at,
                  by_hash);
    vec_zero(&table->where, table->sides.len + 1);
    return table;
}

void table_free(struct table *table)
{
    if (table == NULL)
        return;
    vec_release(&table->sketches);
    vec_release(&table->sides);
    for (unsigned w = 0; w < TABLE_WORLDS; w++)
        vec_release(&table->entries[w]);
    vec_release(&table->slots);
    vec_release(&table->tally);
    vec_release(&table->where);
    mem_free(table);
}

uint64_t table_entries(const struct table *table)
{
    uint64_t n = 0;
    for (unsigned w = 0; w < TABLE_WORLDS; w++)
        n += table->entries[w].len;
    return n;
}

// ---- looking up

static uint32_t lower(const struct table_entry_vec *table_entry_vec, uint64_t h)
{
    uint32_t a = 0, b = table_entry_vec->len;
    while (a < b) {
        uint32_t m = a + (b - a) / 2;
        if (table_entry_vec->at[m].hash < h)
            a = m + 1;
        else
            b = m;
    }
    return a;
}

static void count_hits(struct table *table, unsigned w, const int16_t *slots,
                       const struct sketch *sketch, const struct sketch_array *array,
                       uint64_t moved)
{
    const struct table_entry_vec *table_entry_vec = &table->entries[w];
    uint64_t h = sketch_array_hash(array);
    uint32_t from = lower(table_entry_vec, h);
    for (uint32_t i = from;
         i < table_entry_vec->len && table_entry_vec->at[i].hash == h && i - from < TABLE_CROWD;
         i++) {
        uint32_t which = table_entry_vec->at[i].which;
        if (table->where.at[which] == 0) {
            vec_push(&table->tally, ((struct tally){.which = which}));
            table->where.at[which] = table->tally.len;
        }
        struct tally *tally = &table->tally.at[table->where.at[which] - 1];
        bool thin = w + 1 == TABLE_WORLDS;
        tally->count += !thin;
        tally->thin += thin;
        if (array->n <= tally->weight)
            continue;
        tally->weight = array->n;
        tally->world = w;
        tally->slots = table_entry_vec->at[i].slots;
        tally->moved = moved;
        memcpy(tally->left, slots, sketch->n_slots * sizeof *slots);
    }
}

struct constant {
    uint32_t count;
    uint64_t weight;
    struct agreement at;
    uint64_t moved;
};

// Counts scalars and literals of the left side that equal all elements of its
// value.
static void count_constants(const struct table *table, unsigned w, const int16_t *slots,
                            const struct sketch *sketch, const struct sketch_array *array,
                            struct constant *constant)
{
    struct sketch_values *values = mem_alloc(sizeof *values);
    for (unsigned k = 0; k < SKETCH_SCALARS + 3u; k++) {
        struct sketch s = {.n = 1};
        const struct sketch_array *x;
        bool scalar = k < SKETCH_SCALARS;
        if (scalar && k >= sketch->n_scalars)
            continue;
        s.node[0].kind = scalar ? SKETCH_SCALAR : SKETCH_LITERAL;
        s.node[0].what = (uint8_t)(scalar ? k : k - SKETCH_SCALARS);
        if (!sketch_eval(&s, &table->world[w], slots, values, &x) || x->at[0] != array->at[0])
            continue;
        struct constant *c = &constant[k];
        c->count++;
        if (array->n <= c->weight)
            continue;
        c->weight = array->n;
        c->moved = table->values.moved;
        c->at.world = table->world[w];
        memcpy(c->at.left, slots, sketch->n_slots * sizeof *slots);
    }
    mem_free(values);
}

void table_find(struct table *table, const struct sketch *sketch, struct rng *rng,
                struct hit_vec *out, uint32_t *samples)
{
    struct sketch_sizes sizes;
    struct constant constant[SKETCH_SCALARS + 3] = {0};
    *samples = 0;
    sketch_unify(sketch, &sizes);
    for (unsigned w = 0; w < TABLE_WORLDS; w++) {
        unsigned n = sketch->n_slots == 0 ? 1 : TABLE_SAMPLES;
        bool thin = w + 1 == TABLE_WORLDS;
        if (thin && sketch->n_ops > 1)
            continue;
        for (unsigned k = 0; k < n; k++) {
            int16_t slots[SKETCH_SLOTS] = {0};
            const struct sketch_array *array =
                sketch_sample(sketch, &table->world[w], &sizes, rng, slots, &table->values);
            if (array == NULL || poor(array, w))
                continue;
            *samples += !thin;
            if (all_same(array) && (array->n > 1 || !thin))
                count_constants(table, w, slots, sketch, array, constant);
            else
                count_hits(table, w, slots, sketch, array, table->values.moved);
        }
    }
    for (uint32_t i = 0; i < table->tally.len; i++) {
        const struct tally *tally = &table->tally.at[i];
        struct table_hit hit = {.count = tally->count, .thin = tally->thin};
        const struct sketch_array *r;
        table->where.at[tally->which] = 0;
        side_sketch(table, &table->sides.at[tally->which], &hit.rhs);
        hit.at.world = table->world[tally->world];
        memcpy(hit.at.left, tally->left, sizeof tally->left);
        if (hit.rhs.n_slots > 0)
            memcpy(hit.at.right, table->slots.at + tally->slots,
                   hit.rhs.n_slots * sizeof *hit.at.right);
        hit.left_moved = tally->moved;
        if (!sketch_eval(&hit.rhs, &hit.at.world, hit.at.right, &table->values, &r))
            continue;
        hit.right_moved = table->values.moved;
        vec_push(out, hit);
    }
    vec_clear(&table->tally);
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
