// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/expressions.h"
#include "discover/limits.h"
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { EXAMPLE_HASH = 4 * (EXAMPLE_EXPRESSIONS + EXAMPLE_PLACES + EXAMPLE_CLAMPS) };

void expressions_start(struct expressions *list, struct arena *mem, uint32_t n_points,
                       uint32_t n_values)
{
    *list = (struct expressions){.mem = mem, .n_points = n_points, .n_values = n_values};
    list->hashed = ARENA_NEW(mem, uint32_t, EXAMPLE_HASH);
    list->scratch = ARENA_NEW(mem, int64_t, n_values + 1);
}

void expressions_release(struct expressions *list)
{
    vec_release(&list->made);
}

static void offer(struct expressions *list, const char *text, const int64_t *value, uint32_t size,
                  uint32_t most)
{
    size_t bytes = list->n_values * sizeof *value;
    if (list->made.len >= most)
        return;
    uint32_t hash = 2166136261u, at;
    for (uint32_t v = 0; v < list->n_values; v++)
        hash = (hash ^ (uint32_t)value[v]) * 16777619u;
    for (at = hash % EXAMPLE_HASH; list->hashed[at] != 0; at = (at + 1) % EXAMPLE_HASH)
        if (memcmp(list->made.at[list->hashed[at] - 1].value, value, bytes) == 0)
            return;
    list->hashed[at] = list->made.len + 1;
    struct candidate one = {arena_strdup(list->mem, text),
                            ARENA_NEW(list->mem, int64_t, list->n_values + 1), size, 0};
    memcpy(one.value, value, bytes);
    vec_push(&list->made, one);
}

void expressions_add(struct expressions *list, const char *text, const int64_t *value,
                     uint32_t size)
{
    offer(list, text, value, size, EXAMPLE_EXPRESSIONS);
}

enum way { WAY_ADD, WAY_SUBTRACT, WAY_MIN, WAY_MAX, WAY_MULTIPLY, N_WAYS };

static int64_t combine(enum way way, int64_t a, int64_t b)
{
    switch (way) {
    case WAY_ADD:
        return a + b;
    case WAY_SUBTRACT:
        return a - b;
    case WAY_MIN:
        return a < b ? a : b;
    case WAY_MAX:
        return a > b ? a : b;
    case WAY_MULTIPLY:
    case N_WAYS:
        break;
    }
    return a * b;
}

static void join(struct expressions *list, enum way way, uint32_t i, uint32_t k, uint32_t most)
{
    static const struct {
        const char *before, *between, *behind;
    } forms[] = {{"", " + ", ""},
                 {"", " - (", ")"},
                 {"min(", ", ", ")"},
                 {"max(", ", ", ")"},
                 {"(", ")*(", ")"}};
    const struct candidate a = list->made.at[i], b = list->made.at[k];
    int64_t *value = list->scratch;
    char text[512];
    for (uint32_t v = 0; v < list->n_values; v++) {
        value[v] = combine(way, a.value[v], b.value[v]);
        if (value[v] >= 1 << 28 || value[v] <= -(1 << 28))
            return;
    }
    bool bare = way == WAY_SUBTRACT && b.size == 1;
    if (strlen(a.text) + strlen(b.text) > 200)
        return;
    snprintf(text, sizeof text, "%s%s%s%s%s", forms[way].before, a.text,
             bare ? " - " : forms[way].between, b.text, bare ? "" : forms[way].behind);
    offer(list, text, value, a.size + b.size + 1 + (way > WAY_SUBTRACT), most);
}

static bool is_wanted(const struct expressions *list, enum way way, uint32_t i, uint32_t k)
{
    for (uint32_t w = 0; w < list->n_wanted; w++) {
        bool all = true;
        for (uint32_t v = list->n_points; v < list->n_values && all; v++)
            all = combine(way, list->made.at[i].value[v], list->made.at[k].value[v]) ==
                  list->wanted[w][v - list->n_points];
        if (all)
            return true;
    }
    return false;
}

static void join_all(struct expressions *list, uint32_t i, uint32_t k, bool wanted)
{
    for (enum way way = 0; way < N_WAYS; way++) {
        bool other = way != WAY_SUBTRACT && k > i && list->made.at[i].size == list->made.at[k].size;
        if (!other && (!wanted || is_wanted(list, way, i, k)))
            join(list, way, i, k, EXAMPLE_EXPRESSIONS);
    }
}

void expressions_join(struct expressions *list)
{
    uint32_t leaves = list->made.len;
    for (uint32_t i = 0; i < leaves; i++)
        for (uint32_t k = 0; k < leaves; k++)
            join_all(list, i, k, false);
    uint32_t pairs = list->made.len;
    for (uint32_t i = leaves; i < pairs; i++)
        for (uint32_t k = 0; k < leaves; k++) {
            join_all(list, i, k, true);
            join_all(list, k, i, true);
        }
    list->n_leaves = leaves;
    list->n_pairs = pairs;
}

// Sums and differences of three operands: places on an axis.
static void add_places(struct expressions *list)
{
    uint32_t most = list->made.len + EXAMPLE_PLACES;
    for (uint32_t i = list->n_leaves; i < list->n_pairs; i++)
        for (uint32_t k = 0; k < list->n_leaves; k++) {
            join(list, WAY_ADD, i, k, most);
            join(list, WAY_SUBTRACT, i, k, most);
            join(list, WAY_SUBTRACT, k, i, most);
        }
}

void expressions_clamp(struct expressions *list)
{
    add_places(list);
    uint32_t n = list->made.len, most = n + EXAMPLE_CLAMPS;
    for (uint32_t size = 2; size <= EXAMPLE_CLAMP_SIZE; size++)
        for (uint32_t i = 0; i < list->n_pairs; i++)
            for (uint32_t k = i + 1; k < n && list->made.len < most; k++)
                for (enum way way = WAY_MIN; way <= WAY_MAX; way++)
                    if (list->made.at[i].size + list->made.at[k].size == size &&
                        is_wanted(list, way, i, k))
                        join(list, way, i, k, most);
}
