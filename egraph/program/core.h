// SPDX-License-Identifier: Apache-2.0
// Between egraph.c and rebuild.c, orbit.c, egraph/program/constants.c, check.c, explain.c;
// nobody else's.
#ifndef EGRAPH_PROGRAM_CORE_H
#define EGRAPH_PROGRAM_CORE_H

#include "egraph/program/egraph.h"
#include "tensor/fold/layout.h"

// Merges two registered terms of one type.
void egraph_join(struct egraph *graph, term_id a, term_id b, struct reason why);
// The class became another, or related to one: what matches with its nodes or
// those above may be new.
void egraph_stir(struct egraph *graph, uint32_t cls);
// What a number in the journal (JOURNAL_GIVEN) means.
struct reason egraph_reason(const struct egraph *graph, uint32_t x);
// The operator of cc.h for a key; false: there is none yet.
bool egraph_operator(const struct egraph *graph, struct operation key, uint32_t *op);
// The canonical class, without shortening paths.
static inline uint32_t egraph_root(const struct egraph *graph, uint32_t c)
{
    while (graph->cc.up.at[c] != c)
        c = graph->cc.up.at[c];
    return c;
}

#endif
