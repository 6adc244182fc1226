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
    double (*node)(const struct cost *cost, const struct terms *terms, term_id id);
    const void *user; // for models of the caller
};

// X(name, what it counts): every model, in a function cost_NAME of cost.c.
#define COST_MODELS(X)                                                                             \
    X(time, "nanoseconds of one core, estimated (docs/cost.md)")                                   \
    X(nodes, "1 for every operation, 1/16 for a constant, 0 for parameters and projections")       \
    X(flops, "operations on elements by weight, and a little for bytes written and nodes")         \
    X(bytes, "bytes read and written by each operation")

#define X(name, counts) struct cost cost_##name(void);
COST_MODELS(X)
#undef X
bool cost_by_name(const char *name, struct cost *out);
// Names of all models; NULL behind the last one.
extern const char *const cost_names[];

// For models: elements and bytes of a type, with those of a tuple's parts; at least one element.
// Bytes of a constant's text, where equal elements are one.  Bytes that an operation reads and
// writes; of a constant, those of its text.  The steps of eval_steps.  Elements that an operation
// computes: these steps of a fold or a sum, else those of its result.
double cost_elements_of(const struct pool *pool, type_id type);
double cost_bytes_of(const struct pool *pool, type_id type);
double cost_literal_bytes(const struct terms *terms, term_id id);
double cost_bytes_moved(const struct terms *terms, term_id id);
double cost_steps_of(const struct terms *terms, term_id id);
double cost_elements_made(const struct terms *terms, term_id id);

// What an operation on sizes "?" costs beside: more than the operator that it becomes where the
// sizes are known, which costs what these sizes cost.  0 for a cast (tensor/program/form.h), and
// for all else.
double cost_unsized(const struct terms *terms, term_id id);

// Cost of a program: each reachable node once; or unfolded to trees (may be
// huge, also infinite).
double terms_cost_dag(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                      const term_id *roots);
double terms_cost_tree(const struct terms *terms, const struct cost *model, uint32_t n_roots,
                       const term_id *roots);

#endif
