// SPDX-License-Identifier: Apache-2.0
// Cores of problems, private to exact extraction.
//
// A core is the part of a problem that reductions have left: a problem in its own
// right (`problem`) whose classes and nodes remember which classes and nodes of the
// whole problem they stand for.  Decisions already made are in `choice`, their cost
// in `base`.
//
// C1  an optimal solution of the core, its nodes named by node_name, together with
//     `choice` and trimmed, is an optimal solution of the whole problem; the
//     costs differ by `base`
// C2  children of a node are ascending and distinct, none is its own class
// C3  every class is reachable from the roots and has a term (or else the core
//     is dead: there is no solution); roots are ascending and distinct
#ifndef EGRAPH_EXTRACT_EXACT_CORE_H
#define EGRAPH_EXTRACT_EXACT_CORE_H

#include "egraph/extract/problem/components.h"

// What a whole extraction may take.  Steps are words of sets, places of nodes, and
// parts of iterations of the simplex method: the same on every machine.
struct exact_effort {
    uint64_t spent, most;
    double until; // clock_wall(), only if a user asks; INFINITY: none
};

struct exact_core {
    struct problem problem;
    struct u32_vec class_name, node_name;
    uint32_t *choice; // per class of the whole problem; the caller's
    uint32_t n_whole; // classes of the whole problem
    double base;
    bool negative;               // some node costs less than nothing
    bool dead;                   // some root has no term
    struct exact_effort *effort; // the caller's
};

// The changes of one rebuilding.  The edit owns all its tables.
struct exact_edit {
    bool *gone; // per node: never chosen
    bool *melt; // per class of one node: that node joins those who need it
    bool *cut;  // per place in q.child: need not be asked for
    bool *free; // per class: root that costs `base` and asks for nothing
};

// Which classes are needed wherever a class is: a square of bits.
struct exact_needs {
    uint32_t n_classes, words;
    uint64_t *bit; // row c: the classes in every term of c, c among them
};

// Classes, nodes and children: what one pass over the core looks at.
uint64_t exact_core_places(const struct exact_core *exact_core);
// Adds to what is spent; is there some left?
bool exact_spend(struct exact_effort *effort, uint64_t steps);
void exact_core_init(struct exact_core *exact_core, const struct problem *problem, uint32_t *choice,
                     struct exact_effort *effort);
// `choice` is the new core's; it gets what the old one's holds.
void exact_core_copy(struct exact_core *to, const struct exact_core *from, uint32_t *choice);
// The part of the core made of the classes with part[c] == k, base 0.
void exact_core_part(struct exact_core *to, const struct exact_core *from, const uint32_t *part,
                     uint32_t k, uint32_t *choice);
void exact_core_release(struct exact_core *exact_core);
void exact_edit_init(struct exact_edit *edit, const struct exact_core *exact_core);
void exact_edit_release(struct exact_edit *edit);
// Rebuilds the core and releases the edit.
void exact_core_apply(struct exact_core *exact_core, struct exact_edit *edit);
// The classes, those beneath a class of one node before it.
void exact_core_order(const struct problem *problem, struct u32_vec *order);

// False, with nothing to release, when there are too many classes or no time.
bool exact_needs_init(struct exact_needs *needs, const struct exact_core *exact_core);
void exact_needs_release(struct exact_needs *needs);
// Writes the needs of a node, the union of its children's rows, to row[words].
void exact_needs_of_node(const struct exact_needs *needs, const struct problem *problem, uint32_t n,
                         uint64_t *row);
static inline bool bit_get(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> (i % 64) & 1;
}

// All reductions, until none finds anything or the effort is spent.
void exact_core_reduce(struct exact_core *exact_core);

#endif
