// SPDX-License-Identifier: Apache-2.0
// Terms of tensor operators whose attributes are open: what discovery
// enumerates.  A sketch says which operator acts on which class of axes; the
// numbers (where a slice starts, how much is padded) are slots, one group for
// each class that the operator acts on.
//
// Sketches are evaluated on arrays of at most one axis a class, in integers;
// that is the quick filter in front of rules, ground instances of all ranks
// and proofs.
//
// S1  nodes stand in order of construction; the last one is the root.
// S2  tensors and scalars are numbered by first occurrence in a sketch that
//     stands alone (a left side); a right side uses its left side's numbers.
// S3  class 1 is like class 0 (a rank class) in sketches with a relabel, which
//     exchanges the two.
#ifndef DISCOVER_SKETCH_SKETCH_H
#define DISCOVER_SKETCH_SKETCH_H

#include "discover/limits.h"
#include "base/text/buf.h"
#include <stdbool.h>
#include <stdint.h>

enum sketch_kind {
    SKETCH_TENSOR,
    SKETCH_SCALAR,
    SKETCH_LITERAL, // what: enum sketch_literal
    SKETCH_SPLAT,   // of a scalar or literal (arg 0); slots: sizes
    SKETCH_SLICE,   // slots: start, limit, stride
    SKETCH_PAD,     // arg 1: the value; slots: low, high, interior
    SKETCH_CONCAT,
    SKETCH_CONCAT3, // of three operands
    SKETCH_REVERSE,
    SKETCH_BROADCAST, // slots: sizes
    SKETCH_RELABEL,   // classes 0 and 1 exchanged
    SKETCH_REDUCE,    // what: enum sketch_binary
    SKETCH_BINARY,    // what: enum sketch_binary
};
enum sketch_literal { LITERAL_ZERO, LITERAL_ONE, LITERAL_LOWEST };
enum sketch_binary { BINARY_ADD, BINARY_MUL, BINARY_MAX, N_BINARY };

struct sketch_node {
    uint8_t kind, what;
    uint8_t acts;    // classes that the operator acts on
    uint8_t classes; // of the result
    uint8_t arg[3];
    uint8_t slot; // first one; classes ascending
    uint8_t pin;  // the last slot of each class is its default: stride 1,
                  // interior 0
};
struct sketch {
    uint8_t n, n_ops, n_slots, n_tensors, n_scalars;
    uint8_t relabels;              // has a relabel (S3)
    uint8_t shape[SKETCH_TENSORS]; // classes of each tensor
    struct sketch_node node[SKETCH_NODES];
};

static inline unsigned sketch_arity(unsigned kind)
{
    return kind <= SKETCH_LITERAL                                                 ? 0
           : kind == SKETCH_CONCAT3                                               ? 3
           : kind == SKETCH_PAD || kind == SKETCH_CONCAT || kind == SKETCH_BINARY ? 2
                                                                                  : 1;
}
// Slots for each class that a node acts on.
unsigned sketch_node_slots(const struct sketch_node *node);
// Numbers the slots again and counts operators.
void sketch_finish(struct sketch *sketch);
// All classes of all nodes.
unsigned sketch_classes(const struct sketch *sketch);
// The node as a sketch of its own, with the same variables.
void sketch_below(const struct sketch *sketch, unsigned node, struct sketch *out);
// Equal texts, equal sketches.
void sketch_print(const struct sketch *sketch, struct buf *out);
bool sketch_same(const struct sketch *a, const struct sketch *b);
uint64_t sketch_hash(const struct sketch *sketch);

// Sizes of tensors on each class and the seed of their elements.
struct sketch_world {
    uint64_t seed;
    int16_t size[SKETCH_TENSORS][SKETCH_CLASSES];
};
struct sketch_array {
    uint8_t classes;
    int16_t size[SKETCH_CLASSES]; // 1 for classes it has not
    uint32_t n;
    int64_t at[SKETCH_ELEMENTS];
};
// Room for evaluations, reused; one a thread of work.
struct sketch_values {
    struct sketch_array node[SKETCH_NODES];
    uint64_t moved; // elements of all operators' results of the last one
};
// False: not well-defined, or too large.  The value is that of the root.
bool sketch_eval(const struct sketch *sketch, const struct sketch_world *world,
                 const int16_t *slots, struct sketch_values *values,
                 const struct sketch_array **out);
struct sketch_sizes;
struct rng;
// The same with slots made up on the way, so that it is mostly well-defined:
// small ones, and now and then one that another value coincides with.  What
// must be equal by `sizes` is.
// The value of the root, in *values; NULL where sketch_eval is false.
const struct sketch_array *sketch_sample(const struct sketch *sketch,
                                         const struct sketch_world *world,
                                         const struct sketch_sizes *sizes, struct rng *rng,
                                         int16_t *slots, struct sketch_values *values);
uint64_t sketch_array_hash(const struct sketch_array *array);

// Made of scalars and literals alone: stands for a constant tensor.
bool sketch_is_scalar(const struct sketch *sketch, unsigned i);

// Which sizes must be equal because elementwise operators and joins meet bare
// variables: class[t][c] is the first (tensor, class) pair with the same size
// as t * SKETCH_CLASSES + c; sizes of broadcasts and splats that must be equal
// to a tensor's are bound[slot] (255: free).
struct sketch_sizes {
    uint8_t tensor[SKETCH_TENSORS][SKETCH_CLASSES];
    uint8_t slot[SKETCH_SLOTS]; // 64 + first slot of the same size if no
                                // tensor has it; 255: no size
};
void sketch_unify(const struct sketch *sketch, struct sketch_sizes *sizes);

// Is `s`, from `node` down, an instance of the left side `p`?  Classes of `p`
// may stand for others, its tensors for terms with further classes, the same
// ones for all (if `spectator`).  Operands of sums, products and maxima may be
// exchanged.  `distinct`: its variables stand for different terms.
bool sketch_matches(const struct sketch *p, bool spectator, bool any_binary, bool distinct,
                    const struct sketch *s, unsigned node);

#endif
