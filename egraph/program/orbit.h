// SPDX-License-Identifier: Apache-2.0
// The orbit table: which classes are transposes of each other.
//
// Every class c knows a leader term and a permutation: c = transpose(leader,
// perm).  Permutations are those of `transpose` (result dim i = operand dim
// perm[i]) as attributes; the identity is always NO_ATTR, at any rank.
//
// O1  the class of the leader has perm NO_ATTR.
// O2  every other class of the orbit contains transpose(leader, perm) (closed
//     graph), so that for all a, b of one orbit, transpose(a, p) with p from
//     orbit_relation is, once added, in the class of b after the next rebuild,
//     with an explanation by LAYOUT and CONG lines.
// O3  the ring of an orbit lists its classes, each once.
//
// A class that equals its own transpose in a non-trivial way keeps one of its
// permutations: sound, incomplete.  Two classes of an orbit never share perm.
#ifndef EGRAPH_PROGRAM_ORBIT_H
#define EGRAPH_PROGRAM_ORBIT_H

#include "egraph/program/egraph.h"
#include "tensor/fold/layout.h"

struct orbit_place {
    class_id leader; // root of the leader's class: equal iff one orbit
    attr_id perm;    // NO_ATTR: identity
};

struct orbit_place orbit_find(struct egraph *graph, class_id class);
// b = transpose(a, *perm)?  False when they are in different orbits.
bool orbit_relation(struct egraph *graph, class_id a, class_id b, attr_id *perm);
// All classes of the orbit of the root c, c first (collect them before adding
// or merging: that changes rings):
//   for (class_id m = c; m.v != NO_CLASS.v; m = orbit_next(g, c, m))
class_id orbit_next(const struct egraph *graph, class_id c, class_id m);
uint32_t orbit_count(struct egraph *graph, class_id class); // 1: no transposes
// What extraction needs and matching does not: a transpose between all classes of each small
// orbit, and the reshapes that transposes are where only sizes 1 move.  These make classes equal
// to transposes of their own, of which the table keeps one, so they come last.  Closes the graph.
void orbit_complete(struct egraph *graph);

// For rebuild.c.
void orbit_start(struct egraph *graph, class_id class); // new class, alone
// States that b's class = transpose(a's class, perm), or that two classes are
// about to merge (perm NO_ATTR); queues the composing terms that O2 needs.
void orbit_relate(struct egraph *graph, class_id a, class_id b, attr_id perm);
// The class `lose` goes into `keep`; they are in one orbit.
void orbit_absorb(struct egraph *graph, class_id keep, class_id lose);
bool orbit_check(const struct egraph *graph, struct err *err); // O1..O3, closed

#endif
