// SPDX-License-Identifier: Apache-2.0
// Cost models: a number >= 0 for each node by itself.
#ifndef EGRAPH_EXTRACT_COST_H
#define EGRAPH_EXTRACT_COST_H

#include "tensor/program/term.h"

// `node` gives the cost of one term without its arguments; it must depend only
// on operator, attributes, type and the types of the arguments, must be finite
// and >= 0.
struct cost {
    const char *name;
    double (*node)(const struct cost *c, const struct terms *t, term_id id);
    const void *user; // for models of the caller
};

// nodes  1 for every operation; parameters and `result` projections 0.
// flops  floating or integer operations (cost.c lists the weights), plus
//        1/64 per byte that is written, plus 1/16 per node so that no
//        operation is free; constants only pay the bytes of their text
// bytes  bytes read and written by each operation
struct cost cost_nodes(void);
struct cost cost_flops(void);
struct cost cost_bytes(void);
bool cost_by_name(const char *name, struct cost *out);

// Cost of a program: each reachable node once; or unfolded to trees (may be
// huge, also infinite).
double terms_cost_dag(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                      const term_id *roots);
double terms_cost_tree(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                       const term_id *roots);

#endif
