// SPDX-License-Identifier: Apache-2.0
// E-graphs as DOT: a cluster for each class, an edge from a node to the cluster
// of each class that it needs.  Chosen nodes are filled, roots have a thick
// border.
#ifndef IO_EGRAPH_DOT_H
#define IO_EGRAPH_DOT_H

#include "io/egraph/json.h"

struct dot_cut {
    uint32_t nodes, classes; // nodes that are not shown; classes without a shown node
};

// Shows at most `most` nodes, and at least one: classes from the roots on,
// chosen nodes first, then breadth first; or, if `around` is a class, the classes near it: that
// it needs, and that need it.  A node of the picture and *cut count
// the nodes that are left out.  `chosen`: per class a node or NO_FILE_NODE, or
// NULL.
#define DOT_FROM_ROOTS UINT32_MAX
void egraph_dot_write(const struct egraph_file *file, const uint32_t *chosen, uint32_t around,
                      uint32_t most, struct buf *out, struct dot_cut *cut);

#endif
