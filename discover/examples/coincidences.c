// SPDX-License-Identifier: Apache-2.0
// What the integers of a pair have in common by chance, or because the rule asks for it.
#include "discover/examples/search.h"

static bool is_assumed(const struct search *search, const char *map)
{
    for (uint32_t i = 0; i < search->assumed.len; i++)
        if (strcmp(search->assumed.at[i].map, map) == 0)
            return true;
    return false;
}

static void assume(struct search *search, const char *map, const char *text)
{
    struct coincidence one = {.map = map, .text = text};
    if (!is_assumed(search, map))
        vec_push(&search->assumed, one);
}

static bool equal_values(struct search *search, uint32_t cls, const char *a, const char *b)
{
    struct pair *pair = search->pair;
    for (uint32_t k = 0; k < pair->classes.at[cls].n; k++) {
        int64_t x, y;
        if (!pair_map_value(pair, cls, a, k, &x) || !pair_map_value(pair, cls, b, k, &y) || x != y)
            return false;
    }
    return true;
}

static bool has_value(struct search *search, uint32_t cls, const char *map, int64_t value)
{
    for (uint32_t k = 0; k < search->pair->classes.at[cls].n; k++) {
        int64_t x;
        if (!pair_map_value(search->pair, cls, map, k, &x) || x != value)
            return false;
    }
    return true;
}

// The maps of the left side on the class: sizes first.
uint32_t list_maps(struct search *search, const struct rule *rule, uint32_t cls,
                   struct known_map *out)
{
    uint32_t n = 0;
    for (int size = 1; size >= 0; size--)
        for (uint32_t m = 0; m < rule->n_maps; m++) {
            bool attribute = false;
            int64_t value;
            if (strcmp(rule->classes[rule->maps[m].cls].name, search->pair->classes.at[cls].name) !=
                    0 ||
                rule->maps[m].index ||
                !pair_map_value(search->pair, cls, rule->maps[m].name, 0, &value))
                continue;
            bool right = false;
            for (uint32_t i = 0; i < search->pair->slots.len; i++) {
                const struct int_slot *slot = &search->pair->slots.at[i];
                if (slot->map != NULL && strcmp(slot->map, rule->maps[m].name) == 0) {
                    attribute = attribute || slot->attr != ATTR_SIZE;
                    right = slot->right;
                }
            }
            if (!right && attribute == (size == 0))
                out[n++] = (struct known_map){rule->maps[m].name, size == 1};
        }
    return n;
}

// Is the map the sum or the difference of two others?
static bool assume_sum(struct search *search, uint32_t cls, const struct known_map *maps,
                       uint32_t i)
{
    struct pair *pair = search->pair;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (uint32_t k = 0; k < i; k++)
            for (uint32_t j = 0; j < i; j++) {
                bool equal = true;
                for (uint32_t p = 0; p < pair->classes.at[cls].n && equal; p++) {
                    int64_t x = 0, y = 0, z = 0;
                    equal = pair_map_value(pair, cls, maps[i].name, p, &x) &&
                            pair_map_value(pair, cls, maps[k].name, p, &y) &&
                            pair_map_value(pair, cls, maps[j].name, p, &z) && z != 0 && y != 0 &&
                            x == y + sign * z;
                }
                if (!equal || is_assumed(search, maps[k].name) || is_assumed(search, maps[j].name))
                    continue;
                assume(
                    search, maps[i].name,
                    pair_text(pair, "%s %c %s", maps[k].name, sign > 0 ? '+' : '-', maps[j].name));
                return true;
            }
    return false;
}

static void assume_class(struct search *search, const struct rule *rule, uint32_t cls, int level)
{
    struct known_map *maps = ARENA_NEW(&search->pair->mem, struct known_map, rule->n_maps + 1);
    uint32_t n = list_maps(search, rule, cls, maps);
    for (uint32_t i = 0; i < n; i++) {
        if (maps[i].size && level < 3)
            continue;
        for (uint32_t small = 0; small <= (level < 3 ? 0 : search->longest_list); small++)
            if (has_value(search, cls, maps[i].name, small))
                assume(search, maps[i].name, pair_text(search->pair, "%u", small));
        for (uint32_t k = 0; k < i; k++)
            if (!is_assumed(search, maps[k].name) &&
                equal_values(search, cls, maps[i].name, maps[k].name))
                assume(search, maps[i].name, maps[k].name);
        if (level > 1 && !maps[i].size && !is_assumed(search, maps[i].name))
            assume_sum(search, cls, maps, i);
    }
}

void assume_coincidences(struct search *search, int level)
{
    vec_clear(&search->assumed);
    const struct rule *rule = level > 0 ? example_write(search, NONE) : NULL;
    for (uint32_t c = 0; c < search->pair->classes.len && rule != NULL; c++)
        if (!search->pair->classes.at[c].block)
            assume_class(search, rule, c, level);
}
