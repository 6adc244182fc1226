// SPDX-License-Identifier: Apache-2.0
// Matches that are written to a list, many at once.
#include "egraph/plain/saturate/search_core.h"

enum step_age search_last_age(const struct plain_search *search, const struct plain_step *st)
{
    if (!search->some_new)
        return st->age;
    for (uint32_t i = 0; i < search->rule->n_atoms; i++)
        if (i != st->atom && search_is_new(search, i, search->node[i]))
            return st->age;
    return AGE_NEW;
}

// Of a rule with two atoms, and any age.
static void write_pairs(struct plain_search *search, uint32_t atom, const struct ring_node *from,
                        const struct ring_node *end)
{
    uint32_t *at = search->list->at + search->list->len, other = search->node[1 - atom];
    for (; from < end; from++, at += 2) {
        at[atom] = from->node;
        at[1 - atom] = other;
    }
    search->list->len = (uint32_t)(at - search->list->at);
}

bool search_write_list(struct plain_search *search, const struct plain_step *st,
                       const struct ring_list *ring)
{
    struct u32_vec *list = search->list;
    uint32_t n = search->rule->n_atoms;
    if (list->len + (uint64_t)ring->n * n > search->most)
        return false;
    vec_reserve(list, list->len + ring->n * n);
    const struct ring_node *from = search->rings->nodes.at + ring->from, *end = from + ring->n;
    enum step_age age = search_last_age(search, st);
    if (n == 2 && age == AGE_ANY) {
        write_pairs(search, st->atom, from, end);
        return true;
    }
    for (; from < end; from++)
        (void)search_write_last(search, st->atom, age, from->node);
    return true;
}
