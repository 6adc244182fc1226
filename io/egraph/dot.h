// SPDX-License-Identifier: Apache-2.0
// E-graphs as DOT: a cluster for each class, an edge from a node to the cluster
// of each class that it needs.  Chosen nodes are filled, roots have a thick
// border.
#ifndef IO_EGRAPH_DOT_H
#define IO_EGRAPH_DOT_H

#include "io/egraph/json.h"

struct dot_cut {
    uint32_t nodes, classes; // not shown; classes: of which nothing is shown
};

// At most `most` nodes (at least one): classes from the roots on, first what is
// chosen, then breadth first.  What is left out is told by a node of the
// picture and by *cut.  `chosen`: per class a node or NO_FILE_NODE, or NULL.
void egraph_dot_write(const struct egraph_file *file, const uint32_t *chosen, uint32_t most,
                      struct buf *out, struct dot_cut *cut);

#endif
