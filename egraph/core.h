// SPDX-License-Identifier: Apache-2.0
// Between egraph.c and rebuild.c, orbit.c, analysis.c; nobody else's.
#ifndef EGRAPH_CORE_H
#define EGRAPH_CORE_H

#include "egraph/egraph.h"

// Merges two registered terms of one type.
void egraph_join(struct egraph *g, term_id a, term_id b, struct reason why);
// Moves a live node to where it belongs after an argument's label changed;
// merges it with a congruent node that stands there.
void egraph_rehash(struct egraph *g, uint32_t node);
// Hash of a node by the labels of its arguments.
uint32_t egraph_hash(const struct egraph *g, enum op op, attr_id attr,
                     type_id type, uint32_t n, const term_id *args);
// Rebuilds all parent lists from the live nodes, when many edges are dead.
void egraph_compact_parents(struct egraph *g);

#endif
