// SPDX-License-Identifier: Apache-2.0
// Sketches: terms of tensor operators whose attributes are open.  A sketch says
// which operator acts on which class of axes.  The numbers (where a slice starts,
// how much is padded) are slots, one group for each class that the operator acts
// on.
//
// Sketches are evaluated in integers on arrays of at most one axis for each
// class.  This is the quick filter before rules, ground instances of all ranks,
// and proofs.
//
// S1  Nodes are in order of construction; the last one is the root.
// S2  A sketch that stands alone (a left side) numbers tensors and scalars by
//     first occurrence; a right side uses the numbers of its left side.
// S3  In a sketch with a relabel, which exchanges classes 0 and 1, the two
//     classes have one rank (a rank class).
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
    uint8_t slot; // the first slot; slots are ordered by class
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
// The number of slots for each class that the node acts on.
unsigned sketch_node_slots(const struct sketch_node *node);
// Numbers the slots again and counts operators.
void sketch_finish(struct sketch *sketch);
// The mask of classes of all nodes.
unsigned sketch_classes(const struct sketch *sketch);
// Extracts the node as a sketch of its own, with the same variables.
void sketch_below(const struct sketch *sketch, unsigned node, struct sketch *out);
// Do the sketches have equal nodes and shapes?
void sketch_print(const struct sketch *sketch, struct buf *out);
bool sketch_same(const struct sketch *a, const struct sketch *b);
uint64_t sketch_hash(const struct sketch *sketch);

// A world: sizes of tensors on each class, and the seed of their elements.
struct sketch_world {
    uint64_t seed;
    int16_t size[SKETCH_TENSORS][SKETCH_CLASSES];
};
struct sketch_array {
    uint8_t classes;
    int16_t size[SKETCH_CLASSES]; // 1 for a class that the array lacks
    uint32_t n;
    int64_t at[SKETCH_ELEMENTS];
};
// Memory of evaluations, reused; each process needs its own.
struct sketch_values {
    struct sketch_array node[SKETCH_NODES];
    uint64_t moved; // elements of the results of all operators of the last evaluation
};
// Evaluates the sketch; *out is the value of the root.  False: the value is not
// well-defined or too large.
bool sketch_eval(const struct sketch *sketch, const struct sketch_world *world,
                 const int16_t *slots, struct sketch_values *values,
                 const struct sketch_array **out);
struct sketch_sizes;
struct rng;
// As sketch_eval, but chooses the slots on the way, so that the value is mostly
// well-defined.  Slots are small and sometimes coincide with other values.  Sizes
// that must be equal by `sizes` are equal.
// Returns the value of the root, which is in *values; NULL if sketch_eval fails.
const struct sketch_array *sketch_sample(const struct sketch *sketch,
                                         const struct sketch_world *world,
                                         const struct sketch_sizes *sizes, struct rng *rng,
                                         int16_t *slots, struct sketch_values *values);
uint64_t sketch_array_hash(const struct sketch_array *array);

// Is the node made of scalars and literals only?  Then it stands for a constant
// tensor.
bool sketch_is_scalar(const struct sketch *sketch, unsigned i);

// Sizes that must be equal because elementwise operators and joins meet bare
// variables.  tensor[t][c] is the first pair of tensor and class with the same
// size, as t * SKETCH_CLASSES + c.
struct sketch_sizes {
    uint8_t tensor[SKETCH_TENSORS][SKETCH_CLASSES];
    uint8_t slot[SKETCH_SLOTS]; // as above; 64 + first slot of the same size if
                                // no tensor has the size; 255: not a size
};
void sketch_unify(const struct sketch *sketch, struct sketch_sizes *sizes);

// Is `s`, from `node` down, an instance of the left side `p`?  Classes of `p`
// may stand for other classes, its tensors for terms; with `spectator`, all of
// these terms may have further classes, the same ones.  Operands of sums,
// products and maxima may be exchanged.  `any_binary`: binary operators of `p`
// stand for any operators.  `distinct`: the variables of `p` stand for
// different terms.
bool sketch_matches(const struct sketch *p, bool spectator, bool any_binary, bool distinct,
                    const struct sketch *s, unsigned node);

#endif
