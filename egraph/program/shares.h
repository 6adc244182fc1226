// SPDX-License-Identifier: Apache-2.0
// Shares: the limit on nodes, divided among the parts of a program.
//
// A PART is a stretch of the program's nodes, all equally long.  A node that
// comes later belongs to the part where the match was that made it.  Each part may
// have as many nodes as its length is of the whole.  A part that has them
// is CLOSED: matches there are left out, and cost no effort, while the others go
// on.  When they have nothing more to do, what they left is divided among the
// closed parts (shares_divide).  So no part starves because rules grow without
// end in another.
#ifndef EGRAPH_PROGRAM_SHARES_H
#define EGRAPH_PROGRAM_SHARES_H

#include "egraph/program/graph.h"

struct part {
    uint32_t length; // nodes of the program
    uint32_t nodes;  // of the graph: live ones, and those since the last shares_count
    uint32_t most;   // nodes that it may have
    bool due;        // it was closed when a match was to be looked for there, or used
};

struct shares {
    VEC(struct part) part; // none: the program is one part, and nothing is closed
    struct u32_vec of;     // by node: its part
    bool due;              // some part is
};

// Divides the nodes of the graph, which are the program's, into parts.
void shares_start(struct shares *shares, const struct egraph *graph);
void shares_release(struct shares *shares);
// Nodes that came since belong to `part`.
void shares_own(struct shares *shares, const struct egraph *graph, uint32_t part);
// Nodes that came since belong to the part of their latest argument.  Counts live nodes.
void shares_count(struct shares *shares, struct egraph *graph);
// Has the part no share left?  If so, what was to be done there is due.
bool shares_closed(struct shares *shares, uint32_t part);
// Divides what is left among the parts where something is due, and makes their nodes
// news, so that rules look there again.  If little is left, nothing is divided, and the
// limit on the whole is the only one from then on.
void shares_divide(struct shares *shares, struct egraph *graph);

static inline uint32_t shares_part(const struct shares *shares, uint32_t node)
{
    return shares->part.len == 0 ? 0 : shares->of.at[node];
}

#endif
