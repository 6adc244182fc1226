// SPDX-License-Identifier: Apache-2.0
// Private to search.c and search_plans.c.
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

// Where it takes less, all nodes of the plan's other atom are gone through
// instead: from each to the new nodes.
bool search_from_other(const struct plain_search *search, uint32_t i);
// All nodes of the first step's atom.
bool search_nodes(struct plain_search *search, const struct plain_step *st);
// Plan i of the rule, from the cursor on.  False: stopped.
bool search_plan(struct plain_search *search, uint32_t i);

#endif
