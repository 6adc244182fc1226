// SPDX-License-Identifier: Apache-2.0
#include "base/text/diff.h"

#include "base/memory/vec.h"

#include <stdbool.h>
#include <stdlib.h>

// Most cells of a table of lengths.
#define TABLE_CELLS (1u << 20)

struct diff_range {
    uint32_t a, n, b, m; // begins and ends
};
struct diff_place {
    uint32_t key, at;
    bool second; // of b
};
struct differ {
    const uint32_t *a, *b;
    uint64_t steps;
    VEC(struct diff_range) open;
    VEC(struct diff_place) places;
    struct diff unique; // matches in the order of a
    struct u32_vec tail, before;
    struct u32_vec table;
    struct diff *out;
};

static void match(struct differ *differ, uint32_t a, uint32_t b)
{
    vec_push(differ->out, ((struct diff_match){a, b}));
}

static bool pay(struct differ *differ, uint64_t steps)
{
    bool enough = differ->steps >= steps;
    differ->steps -= enough ? steps : differ->steps;
    return enough;
}

static void trim(struct differ *differ, struct diff_range *range)
{
    while (range->a < range->n && range->b < range->m && differ->a[range->a] == differ->b[range->b])
        match(differ, range->a++, range->b++);
    while (range->a < range->n && range->b < range->m &&
           differ->a[range->n - 1] == differ->b[range->m - 1])
        match(differ, --range->n, --range->m);
}

static int compare_places(const void *a, const void *b)
{
    const struct diff_place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->second != y->second)
        return x->second ? 1 : -1;
    return (x->at > y->at) - (x->at < y->at);
}

static int compare_matches(const void *a, const void *b)
{
    const struct diff_match *x = a, *y = b;
    return (x->a > y->a) - (x->a < y->a);
}

// The elements that stand once in both parts.
static void find_unique(struct differ *differ, const struct diff_range *range)
{
    vec_clear(&differ->places);
    vec_clear(&differ->unique);
    for (uint32_t i = range->a; i < range->n; i++)
        vec_push(&differ->places, ((struct diff_place){differ->a[i], i, false}));
    for (uint32_t i = range->b; i < range->m; i++)
        vec_push(&differ->places, ((struct diff_place){differ->b[i], i, true}));
    qsort(differ->places.at, differ->places.len, sizeof *differ->places.at, compare_places);
    for (uint32_t i = 0, end; i < differ->places.len; i = end) {
        const struct diff_place *first = &differ->places.at[i];
        for (end = i + 1; end < differ->places.len && differ->places.at[end].key == first->key;)
            end++;
        if (end == i + 2 && !first->second && first[1].second)
            vec_push(&differ->unique, ((struct diff_match){first->at, first[1].at}));
    }
    if (differ->unique.len > 0)
        qsort(differ->unique.at, differ->unique.len, sizeof *differ->unique.at, compare_matches);
}

// Leaves the longest part of `unique` that ascends in b, too.
static void keep_ascending(struct differ *differ)
{
    struct diff *unique = &differ->unique;
    vec_clear(&differ->tail); // the last of the best sequence of each length
    vec_clear(&differ->before);
    for (uint32_t i = 0; i < unique->len; i++) {
        uint32_t low = 0, high = differ->tail.len;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (unique->at[differ->tail.at[middle]].b < unique->at[i].b)
                low = middle + 1;
            else
                high = middle;
        }
        vec_push(&differ->before, low > 0 ? differ->tail.at[low - 1] : 0);
        if (low == differ->tail.len)
            vec_push(&differ->tail, i);
        else
            differ->tail.at[low] = i;
    }
    uint32_t n = differ->tail.len, at = n > 0 ? differ->tail.at[n - 1] : 0;
    for (uint32_t k = n; k-- > 0; at = differ->before.at[at])
        differ->tail.at[k] = at;
    for (uint32_t k = 0; k < n; k++)
        unique->at[k] = unique->at[differ->tail.at[k]];
    unique->len = n;
}

// The longest common subsequence, by a table of lengths.
static void match_longest(struct differ *differ, const struct diff_range *range)
{
    uint32_t n = range->n - range->a, m = range->m - range->b, width = m + 1;
    uint64_t cells = ((uint64_t)n + 1) * width;
    if (n == 0 || m == 0 || cells > TABLE_CELLS || !pay(differ, cells))
        return;
    vec_release(&differ->table);
    vec_zero(&differ->table, (uint32_t)cells);
    uint32_t *table = differ->table.at;
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t k = m; k-- > 0;) {
            uint32_t down = table[(i + 1) * width + k], right = table[i * width + k + 1];
            table[i * width + k] = differ->a[range->a + i] == differ->b[range->b + k]
                                       ? table[(i + 1) * width + k + 1] + 1
                                   : down > right ? down
                                                  : right;
        }
    for (uint32_t i = 0, k = 0; i < n && k < m;) {
        if (differ->a[range->a + i] == differ->b[range->b + k])
            match(differ, range->a + i++, range->b + k++);
        else if (table[(i + 1) * width + k] >= table[i * width + k + 1])
            i++;
        else
            k++;
    }
}

static uint64_t sort_steps(const struct diff_range *range)
{
    uint64_t n = (uint64_t)(range->n - range->a) + (range->m - range->b), steps = n;
    for (uint64_t k = n; k > 1; k /= 2)
        steps += n;
    return steps;
}

static void split(struct differ *differ, struct diff_range range)
{
    trim(differ, &range);
    if (range.a == range.n || range.b == range.m || !pay(differ, sort_steps(&range)))
        return;
    find_unique(differ, &range);
    keep_ascending(differ);
    if (differ->unique.len == 0) {
        match_longest(differ, &range);
        return;
    }
    struct diff_range part = range;
    for (uint32_t i = 0; i < differ->unique.len; i++) {
        const struct diff_match *anchor = &differ->unique.at[i];
        part.n = anchor->a;
        part.m = anchor->b;
        vec_push(&differ->open, part);
        match(differ, anchor->a, anchor->b);
        part.a = anchor->a + 1;
        part.b = anchor->b + 1;
    }
    part.n = range.n;
    part.m = range.m;
    vec_push(&differ->open, part);
}

void diff_find(const uint32_t *a, uint32_t n, const uint32_t *b, uint32_t m, uint64_t steps,
               struct diff *out)
{
    struct differ differ = {.a = a, .b = b, .steps = steps, .out = out};
    vec_clear(out);
    vec_push(&differ.open, ((struct diff_range){0, n, 0, m}));
    while (differ.open.len > 0)
        split(&differ, vec_pop(&differ.open));
    if (out->len > 0)
        qsort(out->at, out->len, sizeof *out->at, compare_matches);
    vec_release(&differ.open);
    vec_release(&differ.places);
    vec_release(&differ.unique);
    vec_release(&differ.tail);
    vec_release(&differ.before);
    vec_release(&differ.table);
}
