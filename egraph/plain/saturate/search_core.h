// SPDX-License-Identifier: Apache-2.0
// Private to search.c, search_list.c and search_plans.c.
#ifndef EGRAPH_PLAIN_SATURATE_SEARCH_CORE_H
#define EGRAPH_PLAIN_SATURATE_SEARCH_CORE_H

#include "egraph/plain/saturate/search.h"

// Tells the caller how many nodes were looked at.
static inline void search_count(struct plain_search *search)
{
    if (search->steps != NULL)
        *search->steps += search->looks;
    search->looks = 0;
}

// Is the node among those with which its atom goes first in its own plan?
static inline bool search_is_new(const struct plain_search *search, uint32_t atom, uint32_t node)
{
    return node >= search->old || (search->graph->mark.at[node] & search->marks[atom]);
}

// search_list.c: the age that the node of the last step must have, where all other atoms have
// their nodes.
enum step_age search_last_age(const struct plain_search *search, const struct plain_step *st);
// Writes the matches that the nodes of a list, all of which fit, make with the nodes before, as far
// as their age is right.  Returns false where these could be more than the list of matches may
// have; nothing is written then.
bool search_write_list(struct plain_search *search, const struct plain_step *st,
                       const struct ring_list *ring);
// Writes the match that a node makes with the nodes before, if its age is right.  Returns false if
// there are too many matches.
static inline bool search_write_last(struct plain_search *search, uint32_t atom, enum step_age age,
                                     uint32_t node)
{
    struct u32_vec *list = search->list;
    uint32_t n = search->rule->n_atoms;
    vec_reserve(list, list->len + n);
    uint32_t *at = list->at + list->len;
    search->node[atom] = node;
    at[0] = search->node[0];
    for (uint32_t i = 1; i < n; i++)
        at[i] = search->node[i];
    if (age == AGE_ANY || search_is_new(search, atom, node) == (age == AGE_NEW))
        list->len += n;
    return list->len <= search->most;
}

// Where it takes less, all nodes of the plan's other atom are gone through
// instead: from each to the new nodes.
bool search_from_other(const struct plain_search *search, uint32_t i);
// All nodes of the first step's atom.
bool search_nodes(struct plain_search *search, const struct plain_step *st);
// Plan i of the rule, from the cursor on.  False: stopped.
bool search_plan(struct plain_search *search, uint32_t i);

#endif
