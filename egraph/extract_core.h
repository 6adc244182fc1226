// SPDX-License-Identifier: Apache-2.0
// Between extract.c and extract_dag.c; nobody else's.
//
// Classes that the roots can reach are numbered 0 .. n - 1 (positions).
// A selection gives each position a node, UINT32_MAX if it has no finite term.
#ifndef EGRAPH_EXTRACT_CORE_H
#define EGRAPH_EXTRACT_CORE_H

#include "egraph/extract.h"

#define NO_NODE UINT32_MAX

struct solver {
    struct egraph *g;
    struct u32_vec root; // position -> class
    uint32_t *pos;       // class -> position + 1
    double *weight;      // live node -> its own cost
    struct u32_vec goal; // positions of the roots, as given
};

// Costs in the order of extract.h.
struct price {
    double cost, nodes;
};
static inline int price_compare(struct price a, struct price b)
{
    if (a.cost != b.cost)
        return a.cost < b.cost ? -1 : 1;
    return (a.nodes > b.nodes) - (a.nodes < b.nodes);
}

static inline uint32_t position(const struct solver *s, term_id t)
{
    return s->pos[egraph_find(s->g, t).v] - 1;
}

// Positions that the goals need under `choice`, arguments first; false if some
// has no node or the choice is cyclic.
bool solver_order(const struct solver *s, const uint32_t *choice,
                  const struct u32_vec *goals, struct u32_vec *order);
struct price solver_price(const struct solver *s, const uint32_t *choice,
                          const struct u32_vec *order);
// Greedy with cost sets; false: out of budget.  What it selects for a class
// may rest on an older choice for another, so it can turn out cyclic.
bool solve_greedy(const struct solver *s, uint32_t *choice);
// Exchanges single nodes as long as the DAG price falls.  Needs an acyclic
// choice over all positions and keeps it so.
void solve_local(const struct solver *s, uint32_t *choice);

#endif
