// SPDX-License-Identifier: Apache-2.0
// Between the files of the exact extraction; nobody else's.
//
// A core is what reductions have left of a problem: a problem in its own right
// (`q`) whose classes and nodes remember which of the whole problem they stand
// for.  What is decided already is written to `choice`, its cost to `base`.
//
// C1  an optimal solution of q, its nodes named by node_name, together with
//     `choice` and trimmed, is an optimal solution of the whole problem; the
//     costs differ by `base`
// C2  children of a node are ascending and distinct, none is its own class
// C3  every class is reachable from the roots and has a term (or else the core
//     is dead: there is no solution); roots are ascending and distinct
#ifndef EGRAPH_EXACT_CORE_H
#define EGRAPH_EXACT_CORE_H

#include "egraph/scc.h"

struct core {
    struct problem q;
    struct u32_vec class_name, node_name;
    uint32_t *choice; // per class of the whole problem; the caller's
    uint32_t n_whole; // classes of the whole problem
    double base;
    bool negative; // some node costs less than nothing
    bool dead;     // some root has no term
    double until;  // clock_wall() when reducing ends
};

// What changes in one rebuilding; all tables belong to the edit.
struct edit {
    bool *gone; // per node: never chosen
    bool *melt; // per class of one node: that node joins those who need it
    bool *cut;  // per place in q.child: need not be asked for
    bool *free; // per class: root that costs `base` and asks for nothing
};

// Which classes are needed wherever a class is: a square of bits.
struct needs {
    uint32_t n, words;
    uint64_t *bit; // row c: the classes in every term of c, c among them
};

void core_init(struct core *x, const struct problem *p, uint32_t *choice,
               double until);
// `choice` is the new core's; it gets what the old one's holds.
void core_copy(struct core *to, const struct core *from, uint32_t *choice);
// The part of the core made of the classes with part[c] == k, base 0.
void core_part(struct core *to, const struct core *from, const uint32_t *part,
               uint32_t k, uint32_t *choice);
void core_release(struct core *x);
void edit_init(struct edit *d, const struct core *x);
void edit_release(struct edit *d);
// Rebuilds the core and releases the edit.
void core_apply(struct core *x, struct edit *d);
// The classes, those beneath a class of one node before it.
void core_order(const struct problem *q, struct u32_vec *order);

// False, with nothing to release, when there are too many classes or no time.
bool needs_init(struct needs *s, const struct core *x);
void needs_release(struct needs *s);
// What a node needs: the union of the rows of its children, into row[words].
void needs_of_node(const struct needs *s, const struct problem *q, uint32_t n,
                   uint64_t *row);
static inline bool bit_get(const uint64_t *row, uint32_t i)
{
    return row[i / 64] >> (i % 64) & 1;
}

// All reductions, until none finds anything or the time is over.
void core_reduce(struct core *x);

#endif
