// SPDX-License-Identifier: Apache-2.0
// Strongly connected components of the classes of a problem, by Tarjan's
// algorithm with a stack of its own: any depth.
#ifndef EGRAPH_EXTRACT_PROBLEM_COMPONENTS_H
#define EGRAPH_EXTRACT_PROBLEM_COMPONENTS_H

#include "egraph/extract/problem/problem.h"

struct sccs {
    struct u32_vec class_of; // classes, one component after the other: what a
                             // component needs is in it or stands before it
    struct u32_vec part_at;  // component: its first place there; and the end
    uint32_t *part;          // class: its component; UINT32_MAX: not reached
};

// Of the n classes from[] and what they need; from NULL: of all classes.  Edges
// (places in problem->child) with a mark in skip[] do not count; NULL: all do.
void sccs_find(struct sccs *components, const struct problem *problem, const uint32_t *from,
               uint32_t n, const uint8_t *skip);
void sccs_release(struct sccs *components);

#endif
