// SPDX-License-Identifier: Apache-2.0
// What the integers of a pair have in common by chance, or because the rule asks for it.
#include "discover/examples/search.h"
#include <ctype.h>

static bool is_assumed(const struct search *search, const char *map)
{
    for (uint32_t i = 0; i < search->assumed.len; i++)
        if (strcmp(search->assumed.at[i].map, map) == 0)
            return true;
    return false;
}

static const struct coincidence *assumed_map(const struct search *search, const char *name,
                                             size_t n)
{
    for (uint32_t i = 0; i < search->assumed.len; i++)
        if (!search->assumed.at[i].dropped && strlen(search->assumed.at[i].map) == n &&
            memcmp(search->assumed.at[i].map, name, n) == 0)
            return &search->assumed.at[i];
    return NULL;
}

const char *assumed_text(struct search *search, const char *text)
{
    struct buf out = {0};
    while (*text != '\0') {
        size_t n = 0;
        while (isalnum((unsigned char)text[n]) || text[n] == '_')
            n++;
        const struct coincidence *one = assumed_map(search, text, n);
        if (one != NULL) {
            const char *inner = assumed_text(search, one->text);
            buf_printf(&out, strchr(inner, ' ') ? "(%s)" : "%s", inner);
        } else {
            buf_printf(&out, "%.*s", (int)(n ? n : 1), text);
        }
        text += n ? n : 1;
    }
    const char *all = arena_strdup(&search->pair->mem, buf_text(&out));
    buf_release(&out);
    return all;
}

static void assume(struct search *search, const char *map, const char *text, bool alike)
{
    struct coincidence one = {.map = map, .text = text, .alike = alike};
    if (!is_assumed(search, map))
        vec_push(&search->assumed, one);
}

// The first slot that has the map; NULL: it is a size.
static const struct int_slot *slot_of(const struct pair *pair, const char *map)
{
    for (uint32_t i = 0; i < pair->slots.len; i++)
        if (pair->slots.at[i].map != NULL && pair->slots.at[i].attr != ATTR_SIZE &&
            strcmp(pair->slots.at[i].map, map) == 0)
            return &pair->slots.at[i];
    return NULL;
}

// Are both the same attribute of two operations of one kind?
static bool are_alike(const struct pair *pair, const char *a, const char *b)
{
    const struct int_slot *x = slot_of(pair, a), *y = slot_of(pair, b);
    return x != NULL && y != NULL && x->attr == y->attr &&
           pair->nodes.at[x->node].op == pair->nodes.at[y->node].op;
}

// Is the map `size` the size of an operand of the operation whose attribute the map is?  A slice puts
// nothing anywhere.
static bool is_own_size(struct pair *pair, uint32_t cls, const char *map, const char *size)
{
    const struct int_slot *slot = slot_of(pair, map);
    if (slot != NULL && pair->nodes.at[slot->node].op == OP_SLICE)
        return false;
    for (uint32_t i = 0; slot != NULL && i < pair->nodes.at[slot->node].n_args; i++) {
        const char *own = pair_size(pair, pair->nodes.at[slot->node].args[i], cls);
        if (own != NULL && strcmp(own, size) == 0)
            return true;
    }
    return false;
}

// Is `a` everywhere as much more than `b`?
static bool is_apart(struct search *search, uint32_t cls, const char *a, const char *b,
                     int64_t apart)
{
    struct pair *pair = search->pair;
    for (uint32_t k = 0; k < pair->classes.at[cls].n; k++) {
        int64_t x, y;
        if (!pair_map_value(pair, cls, a, k, &x) || !pair_map_value(pair, cls, b, k, &y) ||
            x != y + apart)
            return false;
    }
    return true;
}

static bool equal_values(struct search *search, uint32_t cls, const char *a, const char *b)
{
    return is_apart(search, cls, a, b, 0);
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

static bool is_sum(struct search *search, uint32_t cls, const char *sum, const char *a,
                   const char *b, int sign)
{
    struct pair *pair = search->pair;
    bool equal = true;
    for (uint32_t p = 0; p < pair->classes.at[cls].n && equal; p++) {
        int64_t x = 0, y = 0, z = 0;
        equal = pair_map_value(pair, cls, sum, p, &x) && pair_map_value(pair, cls, a, p, &y) &&
                pair_map_value(pair, cls, b, p, &z) && z != 0 && y != 0 && x == y + sign * z;
    }
    return equal;
}

// A map that is the sum or the difference of two others; `own`: of a place and the size of what
// stands there.
static void assume_sum(struct search *search, uint32_t cls, const struct known_map *maps,
                       uint32_t i, bool own)
{
    struct pair *pair = search->pair;
    for (int sign = 1; sign >= -1; sign -= 2)
        for (uint32_t k = 0; k < i; k++)
            for (uint32_t j = 0; j < i; j++) {
                const char *of = sign > 0 ? maps[k].name : maps[i].name;
                // Twice one map is mostly 2 or 12 by chance.
                if ((own ? !is_own_size(pair, cls, of, maps[j].name) : k == j) ||
                    !is_sum(search, cls, maps[i].name, maps[k].name, maps[j].name, sign))
                    continue;
                assume(
                    search, maps[i].name,
                    pair_text(pair, "%s %c %s", maps[k].name, sign > 0 ? '+' : '-', maps[j].name),
                    false);
                return;
            }
}

// A map beside an alike one, as the starts of neighbours are.
static void assume_next(struct search *search, uint32_t cls, const struct known_map *maps,
                        uint32_t i)
{
    struct pair *pair = search->pair;
    for (int64_t apart = 1; apart < search->longest_list; apart++)
        for (uint32_t k = 0; k < i; k++)
            for (int sign = 1; sign >= -1; sign -= 2) {
                if (!are_alike(pair, maps[i].name, maps[k].name) ||
                    !is_apart(search, cls, maps[i].name, maps[k].name, sign * apart))
                    continue;
                assume(search, maps[i].name,
                       pair_text(pair, "%s %c %lld", maps[k].name, sign > 0 ? '+' : '-',
                                 (long long)apart),
                       false);
                return;
            }
}

// Is the map an attribute of that kind of the operator?
static bool is_of(const struct pair *pair, const char *map, enum op op, int attr)
{
    const struct int_slot *slot = slot_of(pair, map);
    return slot != NULL && slot->attr == attr && pair->nodes.at[slot->node].op == op;
}

// A stride that goes from one element to the next of those that a padding moved apart.
static void assume_step(struct search *search, uint32_t cls, const struct known_map *maps,
                        uint32_t i)
{
    enum { STRIDE = 2, INTERIOR = 2 }; // as attribute_forms orders them
    struct pair *pair = search->pair;
    for (uint32_t k = 0; k < i; k++) {
        bool stride = is_of(pair, maps[i].name, OP_SLICE, STRIDE) &&
                      is_of(pair, maps[k].name, OP_PAD, INTERIOR);
        if (stride && is_apart(search, cls, maps[i].name, maps[k].name, 1)) {
            assume(search, maps[i].name, pair_text(pair, "%s + 1", maps[k].name), false);
            return;
        }
    }
}

// Sizes that are equal, and not 1, where all sizes may stand apart.
static void assume_sizes(struct search *search, uint32_t cls, const struct known_map *maps,
                         uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (maps[k].size && !has_value(search, cls, maps[i].name, 1) &&
            equal_values(search, cls, maps[i].name, maps[k].name))
            assume(search, maps[i].name, maps[k].name, true);
}

static void assume_class(struct search *search, const struct rule *rule, uint32_t cls, int level)
{
    struct known_map *maps = ARENA_NEW(&search->pair->mem, struct known_map, rule->n_maps + 1);
    uint32_t n = list_maps(search, rule, cls, maps);
    for (uint32_t i = 0; i < n; i++) {
        if (maps[i].size)
            assume_sizes(search, cls, maps, i);
        if (maps[i].size && level < 3)
            continue;
        for (uint32_t k = 0; k < i; k++)
            if (are_alike(search->pair, maps[i].name, maps[k].name) &&
                equal_values(search, cls, maps[i].name, maps[k].name))
                assume(search, maps[i].name, maps[k].name, true);
        if (level > 1 && !maps[i].size) {
            assume_step(search, cls, maps, i);
            assume_sum(search, cls, maps, i, true);
            assume_next(search, cls, maps, i);
        }
        for (uint32_t small = 0; small <= (level < 3 ? 0 : search->longest_list); small++)
            if (has_value(search, cls, maps[i].name, small))
                assume(search, maps[i].name, pair_text(search->pair, "%u", small), false);
        for (uint32_t k = 0; k < i; k++)
            if (equal_values(search, cls, maps[i].name, maps[k].name))
                assume(search, maps[i].name, maps[k].name, false);
        if (level > 1 && !maps[i].size && !is_assumed(search, maps[i].name))
            assume_sum(search, cls, maps, i, false);
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
