// SPDX-License-Identifier: Apache-2.0
// Internal to fit/: expressions over the known values, enumerated by size.
#ifndef DISCOVER_FIT_CORE_H
#define DISCOVER_FIT_CORE_H

#include "discover/limits.h"
#include "base/memory/vec.h"
#include "discover/fit/fit.h"

enum fit_op {
    FIT_KNOWN,
    FIT_CONST,
    FIT_ADD,
    FIT_SUB,
    FIT_MUL,
    FIT_MIN,
    FIT_MAX,
    FIT_CDIV,
    N_FIT_OPS,
};

struct fit_node {
    enum fit_op op;
    uint32_t a, b; // nodes; of FIT_KNOWN: an index into the known values
    int64_t k;
    uint32_t size;
};

struct fit_candidate {
    struct fit_node node;
    uint32_t hits; // probes that the expression meets
};

struct target { // values that one unknown must take, and the best expressions for it
    uint32_t n[FIT_PROBES];
    const int64_t *value[FIT_PROBES];
    uint32_t n_best[FIT_SIZES];
    struct fit_candidate best[FIT_SIZES][FIT_PER_SIZE];
};

struct fit {
    const struct fit_problem *problem;
    struct arena *mem;
    uint32_t n_probes;
    uint32_t probe[FIT_PROBES]; // samples in use, those with few solutions first
    VEC(struct fit_node) nodes;
    VEC(int64_t) values;           // n_probes for each node
    VEC(uint32_t) table;           // hash table of node + 1
    uint32_t first[FIT_SIZES + 1]; // nodes of size 2k+1 start at first[k]
    struct target *target;
};

// Chooses the probes; n_probes is 0 if no sample is usable.
void fit_probes(struct fit *fit);
// Collects the values that each unknown may take at the probes.
void fit_targets(struct fit *fit);
// Enumerates all expressions up to the size of the problem; the best for each
// unknown go to its target.
void fit_enumerate(struct fit *fit);
// The value of the node at any sample.
int64_t fit_value(const struct fit *fit, const struct fit_node *node, uint32_t sample);

#endif
