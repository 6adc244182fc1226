// SPDX-License-Identifier: Apache-2.0
// Tensors of sizes "?" slice by slice.
//
// A tensor with sizes "?" is a family of tensors of known sizes: for every index of its
// dimensions of size "?", in order, the SLICE there, which has the other dimensions.  A node
// SLICES is an opaque node with one region:
//
//     slices(X_0, .., X_n-1) { s }
//
// X_k are tensors with equally many sizes "?"; s is a term of known sizes over the parameters
// [PARAMETER_OF_REGION(region), k], which have the types of slices of the X_k.  Its value has
// the sizes "?" of the X_k, which must agree, and at every index the slice s, where parameter k
// is the slice of X_k there.  No program has such nodes; an equality s = t that holds for all
// values of the parameters makes slices(X..){s} = slices(X..){t} by congruence.
//
// The laws, for nodes with one list of operands and one region:
//   S1  slices(X..){parameter k} = X_k, if the sizes "?" of all X agree
//   S2  slices(X..){f(s, t, ..)} = F(slices(X..){s}, slices(X..){t}, ..), f an operator that works
//       slice by slice, F the same on whole tensors (tensor/dynamic/whole.h); an operand of known
//       sizes is the same term in both, without the parameters.  Where F has the shape of its
//       result as an operand, that is one as in S3
//   S3  slices(X..){broadcast_in_dim(v)} = dynamic_broadcast_in_dim(v, shape), v without the
//       parameters and stretched along no dimension of size "?", if the shape is one that the
//       function uses for this type, and has the sizes "?" of all X; and with v in the place
//       of a broadcast to its own type
// Both sides have a value in the same runs: S2 for any sizes, where it has no shape; the others by
// the facts about sizes (tensor/dynamic/facts.h).
#ifndef TENSOR_DYNAMIC_SLICES_H
#define TENSOR_DYNAMIC_SLICES_H

#include "tensor/dynamic/facts.h"

struct slices_view {
    uint32_t region, n; // n operands
    term_id inner;      // s
};
bool term_is_slices(const struct terms *terms, term_id id);
// False: the node is none, or not well-formed.
bool slices_read(const struct terms *terms, term_id id, struct slices_view *out);
// slices(operand..){inner} of a type whose slices have the type of `inner`.
term_id slices_make(struct terms *terms, uint32_t region, uint32_t n, const term_id *operands,
                    term_id inner, type_id type);
// The parameter of the region for operand k.
term_id slices_parameter(struct terms *terms, uint32_t region, uint32_t k, term_id operand);

// The dimensions of `type` that dimensions dims[0 .. n] of its slices are, or all if dims is NULL.
attr_id slices_spread(const struct terms *terms, type_id type, uint32_t n, const int64_t *dims);

struct slice_laws {
    const struct program *program; // forms of operations
    const struct terms *terms;
    struct size_facts *facts;
    struct u32_vec bound; // per term: region + 1 of the parameters of regions in it; 0: none
};
// Is a = b by S1, S2 or S3?  a is the node slices.
bool slices_equal(struct slice_laws *laws, term_id a, term_id b);
// Has the term no parameter of the region?  False if it has some of several regions.
bool slices_free(struct slice_laws *laws, term_id id, uint32_t region);
void slice_laws_release(struct slice_laws *laws); // not the facts

#endif
