// SPDX-License-Identifier: Apache-2.0
// Operations on sizes "?" slice by slice (tensor/dynamic/slices.h).  Before rules run, every tensor
// that is computed so gets the term of its slices, on which rules work as on any other; afterwards,
// what they found is said of the whole.
#ifndef API_SIMPLIFY_SLICES_H
#define API_SIMPLIFY_SLICES_H

#include "api/simplify/simplify.h"
#include "tensor/dynamic/slices.h"

// Tensors of one function whose sizes "?" agree.
struct slice_group {
    uint32_t function, region;
    term_id like;       // one of them
    VEC(term_id) leaf;  // operands of the slices: what is not computed of others slice by slice
    VEC(term_id) whole; // the others, arguments first
};

struct slicing {
    struct simplification *run; // borrowed
    struct slice_laws laws;
    struct u32_vec scope;    // per term
    struct u32_vec group_of; // per term: group + 1
    struct u32_vec inner;    // per term: that of its slices + 1
    VEC(struct slice_group) group;
};

// States what the slices of the program's tensors are.  Before the rules run, and after
// finite_program.
void slicing_begin(struct slicing *slicing, struct simplification *run);
// States what terms that are equal to slices by now say of the whole.
void slicing_end(struct slicing *slicing);
void slicing_release(struct slicing *slicing);

// The sizes that are equal in every run of a function of the input.
void slices_facts(struct simplification *run, uint32_t function, struct size_facts *facts);
// slices(..){inner} of the group.
term_id slices_of(const struct slicing *slicing, const struct slice_group *group, term_id inner,
                  type_id type);
void slices_state(const struct slicing *slicing, const struct slice_group *group, term_id slices,
                  term_id whole);

#endif
