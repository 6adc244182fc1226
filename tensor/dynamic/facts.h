// SPDX-License-Identifier: Apache-2.0
// Which sizes "?" are equal in every run of a function that means something.
//
// A size is that of a dimension of a term, or an integer: the value of a term of rank 0, an
// element of one of rank 1.
//
//   F1  A size is what the operation that makes it says: the k-th size of a sum is that of its
//       first operand, that of dynamic_broadcast_in_dim the k-th element of the shape operand,
//       get_dimension_size the size that it names, an element of a concatenation that of the
//       operand.  This holds wherever the operation has a value, so every size has one other
//       size that it is, and chains of these end.
//   F2  What a function computes outside of regions it computes in every run.  There operands of
//       an elementwise operation have the same sizes, and so have batch and contracted
//       dimensions, and what a concatenation joins: StableHLO asks for it, and a run in which it
//       does not hold means nothing.  A call is what its function computes.
//
// F1 is about all terms; F2 about the function whose roots are given, and only where that function
// runs.
#ifndef TENSOR_DYNAMIC_FACTS_H
#define TENSOR_DYNAMIC_FACTS_H

#include "tensor/program/program.h"

// A result of a call, and what the function computes for it.
struct call_equal {
    term_id call, copy;
};

struct size_facts {
    const struct program *program; // borrowed: the forms of operations
    const struct terms *terms;     // borrowed
    struct u32_vec first;          // per term: number of its first size
    struct u32_vec same;           // union-find over sizes
    struct u32_vec shaped;         // terms of F2 whose last argument is the shape
};

void size_facts_init(struct size_facts *facts, const struct program *program,
                     const struct terms *terms, uint32_t n_roots, const term_id *roots,
                     uint32_t n_calls, const struct call_equal *calls);
void size_facts_release(struct size_facts *facts);
// Is size k of a known to be size m of b?  Of terms that were there at the beginning.
bool size_equal(struct size_facts *facts, term_id a, uint32_t k, term_id b, uint32_t m);
// For runs that are to mean something: supposes that dynamic_broadcast_in_dim stretches no size "?".
void size_facts_suppose(struct size_facts *facts);
// Sizes that are known to be equal have one number; UINT32_MAX: the term has no such size.
uint32_t size_number(struct size_facts *facts, term_id id, uint32_t k);
// Are the sizes "?" of a and b the same, in their order?
bool open_sizes_equal(struct size_facts *facts, term_id a, term_id b);
// A term of F2 with this operand for its shape, whose type has the sizes of `type`; NO_TERM: there
// is none.
term_id shape_used(const struct size_facts *facts, term_id shape, type_id type);

#endif
