// SPDX-License-Identifier: Apache-2.0
// The part of a problem that a solution can consist of, arranged for the
// methods that look for one:
//
//   - only classes that the roots reach and only nodes that have a term (a
//     choice without cycles beneath them) and do not need their own class;
//   - classes numbered so that strongly connected ones are neighbours, and
//     components stand in order: a class that a node needs is in the component
//     of the node or in an earlier one.  Cycles live inside components.
#ifndef EGRAPH_EXTRACT_PROBLEM_SPACE_H
#define EGRAPH_EXTRACT_PROBLEM_SPACE_H

#include "egraph/extract/problem/problem.h"

struct space {
    struct problem problem;       // renumbered
    struct u32_vec class_of;      // its class: that of the whole problem
    struct u32_vec node_of;       // its node: that of the whole problem
    struct u32_vec owner;         // node: its class
    struct u32_vec user_at, user; // class: the nodes that need it
    struct u32_vec part_at, part; // component: first class; class: component
};

// False, ERR_CHECK: a root has no term at all.  The problem has been checked.
bool space_init(struct space *space, const struct problem *whole, struct err *err);
void space_release(struct space *space);
// Choices of all classes of the space to those of the whole problem that the
// roots need.
void space_solution(const struct space *space, const struct problem *whole, const uint32_t *choice,
                    struct solution *out);

// Costs in the order of the methods: among equals fewer nodes.
struct price {
    double cost, nodes;
};
static inline int price_compare(struct price a, struct price b)
{
    if (a.cost != b.cost)
        return a.cost < b.cost ? -1 : 1;
    return (a.nodes > b.nodes) - (a.nodes < b.nodes);
}

#define FOR_NODES(space, c, n)                                                                     \
    for (uint32_t n = (space)->problem.node_at.at[c]; n < (space)->problem.node_at.at[(c) + 1]; n++)
#define FOR_CHILDREN(space, n, i)                                                                  \
    for (uint32_t i = (space)->problem.child_at.at[n]; i < (space)->problem.child_at.at[(n) + 1];  \
         i++)
#define FOR_USERS(space, c, i)                                                                     \
    for (uint32_t i = (space)->user_at.at[c]; i < (space)->user_at.at[(c) + 1]; i++)

#endif
