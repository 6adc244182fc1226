// SPDX-License-Identifier: Apache-2.0
// Private to egraph/program/.
#ifndef EGRAPH_PROGRAM_CORE_H
#define EGRAPH_PROGRAM_CORE_H

#include "egraph/program/egraph.h"
#include "tensor/fold/layout.h"

// Merges two registered terms of one type.
void egraph_join(struct egraph *graph, term_id a, term_id b, struct reason why);
// Notes that the class became another one or related to one, so that matches with
// its nodes or with nodes above may be new.
void egraph_stir(struct egraph *graph, uint32_t cls);
// The reason that a number in the journal (JOURNAL_GIVEN) stands for.
struct reason egraph_reason(const struct egraph *graph, uint32_t x);
// `equal` is congruent to `node` (or node itself) and equals what the law makes of it.
void egraph_law(struct egraph *graph, term_id node, term_id equal, enum layout_kind kind);
// The transpose in the store, which the graph need not know.
term_id egraph_transpose(struct egraph *graph, term_id term, attr_id attr);
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
