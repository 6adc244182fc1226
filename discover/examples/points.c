// SPDX-License-Identifier: Apache-2.0
// Points that are like the pair, but small.
#include "discover/examples/search.h"
#include <stdlib.h>

struct ordered {
    uint32_t map;
    int64_t value; // in the pair
};

static int by_value(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return x->map < y->map ? -1 : 1;
}

// Maps of the left side only: those of the right side are no integers of the pair's choice.
static bool is_left(const struct pair *pair, const char *map)
{
    for (uint32_t i = 0; i < pair->slots.len; i++)
        if (pair->slots.at[i].map != NULL && strcmp(pair->slots.at[i].map, map) == 0)
            return !pair->slots.at[i].right;
    return true;
}

// How often a sum of two values stands on another side of a third one than in the pair.
static uint32_t count_turned(const struct ordered *at, const int64_t *value, uint32_t n)
{
    uint32_t turned = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i; k < n; k++)
            for (uint32_t j = 0; j < n; j++) {
                int64_t was = at[i].value + at[k].value - at[j].value;
                int64_t is = value[i] + value[k] - value[j];
                turned += (was < 0 && is > 0) || (was > 0 && is < 0);
            }
    return turned;
}

// Small values in the order of the pair's.  Neighbours stay neighbours.
static void make_ordered(struct rng *rng, const struct ordered *at, uint32_t n, int64_t *value)
{
    int64_t low = 0, top = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || at[i].value != at[i - 1].value) {
            bool next = i > 0 && at[i].value == at[i - 1].value + 1;
            low = top + (next ? 1 : (int64_t)rng_below(rng, 3));
            if (at[i].value < 0)
                low = at[i].value < -3 ? -3 : at[i].value;
            else if (at[i].value == 0 || low < 0)
                low = at[i].value > 0;
        }
        value[i] = low + (rng_below(rng, 2) ? (int64_t)rng_below(rng, 3) : 0);
        top = i == 0 || value[i] > top ? value[i] : top;
    }
}

void example_ordered(struct pair *pair, const struct rule *rule, struct experiment *lab,
                     uint32_t cls)
{
    struct rng *rng = experiment_rng(lab);
    uint32_t n = 0, axis = (uint32_t)rng_below(rng, pair->classes.at[cls].n), least = UINT32_MAX;
    struct ordered *at = mem_alloc((rule->n_maps + 1) * sizeof *at);
    int64_t *value = mem_alloc((rule->n_maps + 1) * sizeof *value);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        struct ordered one = {.map = m};
        if (!rule->maps[m].index &&
            strcmp(rule->classes[rule->maps[m].cls].name, pair->classes.at[cls].name) == 0 &&
            is_left(pair, rule->maps[m].name) &&
            pair_map_value(pair, cls, rule->maps[m].name, axis, &one.value))
            at[n++] = one;
    }
    qsort(at, n, sizeof *at, by_value);
    for (uint32_t i = 0; i < EXAMPLE_ORDERED_TRIES && least > 0; i++) {
        make_ordered(rng, at, n, value);
        uint32_t turned = count_turned(at, value, n);
        if (turned >= least)
            continue;
        least = turned;
        for (uint32_t k = 0; k < n; k++)
            experiment_map(lab, at[k].map)[0] = value[k];
    }
    mem_free(at);
    mem_free(value);
}

void example_pin_others(struct search *search, const struct rule *rule, struct experiment *lab,
                        uint32_t cls)
{
    struct pair *pair = search->pair;
    for (uint32_t c = 0; c < pair->classes.len; c++)
        if (c != cls && pair->classes.at[c].single && pair->classes.at[c].n > 0 &&
            !search->open[c] && !search->near)
            example_ordered(pair, rule, lab, c);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t own = example_class(pair, rule->classes[rule->maps[m].cls].name);
        int64_t value;
        if (own != cls && own != NONE && search->open[own] && pair->classes.at[own].n > 0 &&
            pair_map_value(pair, own, rule->maps[m].name, 0, &value))
            for (uint32_t i = 0; i < EXPERIMENT_PLACES; i++)
                experiment_map(lab, m)[i] = value;
    }
}

bool example_witness(struct pair *pair, const struct rule *rule, struct experiment *lab)
{
    for (uint32_t i = 0; i < EXAMPLE_WITNESS_TRIES; i++) {
        experiment_random(lab, NONE);
        for (uint32_t c = 0; c < rule->n_classes; c++) {
            uint32_t cls = example_class(pair, rule->classes[c].name);
            experiment_rank(lab)[c] = 1;
            if (cls != NONE && pair->classes.at[cls].n > 0 && i % 4 != 3)
                example_ordered(pair, rule, lab, cls);
        }
        enum experiment_answer answer = experiment_try(lab, 3);
        if (answer == EXPERIMENT_AGREE ||
            (answer == EXPERIMENT_EMPTY && 2 * i > EXAMPLE_WITNESS_TRIES))
            return true;
    }
    return false;
}
