// SPDX-License-Identifier: Apache-2.0
// A number of the right side that counts something: the elements of an axis, or where one ends.
// It is written as value(n), value(n - 1) and so on, of one axis.
#include "discover/examples/search.h"
#include <math.h>

struct counting {
    struct search *search;
    const struct example *example;
    struct example_rule *out;
    uint32_t constant, tried;
    int64_t value;
};

// The constant as an integer; false: it is none, or one that counts nothing.
static bool count_of(const struct constant *constant, int64_t *out)
{
    enum elem_kind kind = elem_kind(constant->elem);
    double x = kind == KIND_FLOAT ? scalar_to_double(constant->elem, constant->value) : 0;
    if (kind == KIND_BOOL || x != floor(x) || fabs(x) > 1e15)
        return false;
    *out = kind == KIND_FLOAT ? (int64_t)x : (int64_t)constant->value.bits;
    return *out >= 2;
}

// The rule with the constant as value(expr), if the expression has the pair's value.
static bool try_count(struct counting *counting, uint32_t cls, int64_t value, const char *expr)
{
    struct search *search = counting->search;
    struct axis_set *set = &search->pair->classes.at[cls];
    bool single = set->single;
    if (value != counting->value || counting->tried++ >= EXAMPLE_COUNTS)
        return false;
    search->choice.as[counting->constant] = pair_text(search->pair, "value(%s)", expr);
    set->single = true; // only one axis has a number
    bool found = search_ranks(search, counting->example, counting->out);
    if (!found && counting->out->answer == EXAMPLE_UNKNOWN) {
        set->single = single;
        search->choice.as[counting->constant] = NULL;
    }
    return found || counting->out->answer == EXAMPLE_RULE;
}

static bool try_class(struct counting *counting, const struct rule *rule, uint32_t cls)
{
    struct search *search = counting->search;
    struct pair *pair = search->pair;
    struct known_map *maps = ARENA_NEW(&pair->mem, struct known_map, rule->n_maps + 1);
    uint32_t n = list_maps(search, rule, cls, maps);
    for (uint32_t i = 0; i < n; i++) {
        int64_t x = 0;
        (void)pair_map_value(pair, cls, maps[i].name, 0, &x);
        for (int k = 0; k <= 1; k++)
            if (try_count(counting, cls, x - k,
                          k ? pair_text(pair, "%s - 1", maps[i].name) : maps[i].name))
                return true;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            int64_t x = 0, y = 0;
            (void)pair_map_value(pair, cls, maps[i].name, 0, &x);
            (void)pair_map_value(pair, cls, maps[k].name, 0, &y);
            if ((i < k && try_count(counting, cls, x + y,
                                    pair_text(pair, "%s + %s", maps[i].name, maps[k].name))) ||
                (i != k && try_count(counting, cls, x - y,
                                     pair_text(pair, "%s - %s", maps[i].name, maps[k].name))))
                return true;
        }
    return false;
}

bool search_counts(struct search *search, const struct example *example, struct example_rule *out)
{
    struct pair *pair = search->pair;
    struct counting counting = {.search = search, .example = example, .out = out};
    uint32_t all = 0;
    for (uint32_t i = 0; i < pair->constants.len; i++)
        all += !pair->constants.at[i].right;
    search_forget(search);
    search_constants(search,
                     all >= EXAMPLE_CONSTANTS ? (1u << EXAMPLE_CONSTANTS) - 1 : (1u << all) - 1);
    for (counting.constant = 0; counting.constant < pair->constants.len; counting.constant++) {
        const struct constant *constant = &pair->constants.at[counting.constant];
        if (!constant->right || search->choice.as[counting.constant] != NULL ||
            !count_of(constant, &counting.value))
            continue;
        const struct rule *rule = example_write(search, NONE);
        for (uint32_t c = 0; c < pair->classes.len && rule != NULL; c++)
            if (pair->classes.at[c].n == 1 && !pair->classes.at[c].block &&
                try_class(&counting, rule, c))
                return true;
    }
    return false;
}
