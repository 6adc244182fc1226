// SPDX-License-Identifier: Apache-2.0
// Random arguments of a function of the input, with sizes chosen for "?".
#ifndef API_SIMPLIFY_ARGUMENTS_H
#define API_SIMPLIFY_ARGUMENTS_H

#include "api/simplify/simplify.h"
#include "tensor/eval/eval.h"

// The types of a function's arguments in a run.  Sizes "?" that the function needs equal are equal,
// and an argument that is such a size is that size (tensor/dynamic/facts.h).
struct argument_types {
    VEC(type_id) type;
    struct i64_vec size; // of an argument that is a size; -1: it is none
    bool chosen;         // some size was
};
void arguments_choose(struct simplification *run, uint32_t function, uint64_t seed,
                      struct argument_types *out);
void arguments_release(struct argument_types *types);
// Random values of these types.
void arguments_random(struct pool *pool, const struct argument_types *types, struct rng *rng,
                      struct arena *mem, struct value *out);

#endif
