// SPDX-License-Identifier: Apache-2.0
// The paths through the choices of both sides, at one axis per class.  A path says which
// per-axis conditions are true on every axis and which are false on some axis, and fixes the
// two sides.  The bound is counted from the paths (docs/proving.md, "Counting along paths").
#ifndef VERIFY_RANKS_PATHS_H
#define VERIFY_RANKS_PATHS_H

#include "verify/obligations/session.h"

// The number of axes that one rank class needs on the worst path.
struct rank_need {
    uint32_t witnesses;  // axes on which a false condition is false
    uint32_t separators; // axes that tell different reads apart
};
struct rank_paths {
    struct session *session;
    uint32_t *group;        // per tensor: the group it is read with (bound.c)
    struct u32_vec *hyps;   // per class: hypotheses of its family at one place
    struct rank_need *need; // per class (families: the first class)
    uint32_t n_paths;
    bool too_many;
};

// Do the tensors have the same classes in the same order?  Only then can the places of their
// reads be compared.
bool rank_paths_same_classes(const struct tensor_var *a, const struct tensor_var *b);

// a, b: canonical elements of both sides in which every choice was kept.
void rank_paths_walk(struct rank_paths *paths, expr_id a, expr_id b);

#endif
