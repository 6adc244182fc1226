// SPDX-License-Identifier: Apache-2.0
// A search for arguments on which two functions differ.
//
// Both functions run in the interpreter on arguments of several modes: small integers, numbers
// around 0, positives, negatives, one value everywhere, values near the constants of the programs,
// all magnitudes, and, for floats, NaN, infinities, zeros of both signs and denormals; for machine
// integers also the extremes and their neighbours.  An integer that is a start of a dynamic slice
// or update, or an index of a gather, is taken inside of the bounds in some runs, just outside
// of them and far outside in others.
//
// A difference is judged on its arguments, element by element: they run once more in exact
// arithmetic (rationals and integers) or, where a function has no exact values, in f64, with each
// operation rounded up or down by chance: values that lie among one another then are the same but
// for rounding, as those of (x + y) - y and x with a large y.
//
// Programs with large tensors run at smaller sizes (tensor/resize/resize.h).  If they differ
// there, they run at their own sizes too, if that is possible in a bounded number of steps; if
// these runs show no difference, then the answer is DIFFERENCE_UNSURE.
#ifndef TENSOR_COMPARE_COMPARE_H
#define TENSOR_COMPARE_COMPARE_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "tensor/eval/eval.h"

// From the least to the worst.
enum difference {
    DIFFERENCE_NONE,
    DIFFERENCE_SUMS,      // as ROUNDING, where a program has sums or products of several floats:
                          // their order is open, so machines may give equal bits
    DIFFERENCE_ROUNDING,  // of floats: real numbers show no difference on these arguments
    DIFFERENCE_ZERO,      // the sign of a zero
    DIFFERENCE_SPECIAL,   // on arguments with NaN or infinities
    DIFFERENCE_OVERFLOW,  // equal over the integers or the reals, whose numbers have no limits
    DIFFERENCE_UNSURE,    // at smaller sizes, but not in the runs at the sizes given
    DIFFERENCE_UNDEFINED, // on finite arguments one gives NaN or an infinity, the other a number
    DIFFERENCE_VALUE,     // another value
    DIFFERENCE_SHAPE,     // results of other types
    N_DIFFERENCES
};
const char *difference_name(enum difference difference);   // "rounding", ...
const char *difference_phrase(enum difference difference); // "up to rounding of floats", ...

// Arguments on which the functions differ.
struct difference_at {
    bool found;
    uint32_t result;            // number of the result
    int64_t element;            // row-major index
    const struct value *params; // of the comparison's arena
    struct value value[2];      // the result in question
    bool smaller;               // at the smaller sizes
};

#define COMPARE_RUNS 120u                 // default
#define COMPARE_STEPS (UINT64_C(1) << 27) // of all runs together, both functions

struct compare_options {
    uint64_t seed;
    uint32_t runs;   // 0: COMPARE_RUNS
    uint64_t steps;  // 0: COMPARE_STEPS
    bool keep_sizes; // never run at smaller sizes
    bool own_types;  // do not run over other element types
};
// One run of both functions with other element types.
#define COMPARE_OTHER_TYPES 4
struct other_types {
    const char *name; // "f64", ...
    uint32_t runs;
    enum difference difference;
};

struct compare_side {
    const struct program *program;
    uint32_t function;
};
struct comparison {
    enum difference worst;
    struct difference_at at[N_DIFFERENCES];
    uint32_t runs, own_size_runs; // at the sizes where most ran; at the given ones
    bool exact;                   // some arguments ran in exact arithmetic
    bool words;                   // a difference that is an overflow is one of integers
    bool smaller;                 // most runs were at smaller sizes
    const char *unknown;          // text of an operation that the interpreter does not know
    struct buf why;               // why nothing ran; "" = it did
    struct program small[2];      // if `smaller`
    struct compare_side ran[2];   // at the sizes where most ran
    uint32_t n_other;
    struct other_types other[COMPARE_OTHER_TYPES];
    struct arena mem;
};

// The functions must have parameters of equal types, or the call fails with ERR_INPUT.  Both
// programs are over one pool.  Callers release the comparison, also after a failure, and before
// the programs.
bool compare_functions(const struct compare_side side[2], const struct compare_options *options,
                       struct comparison *out, struct err *err);
void comparison_release(struct comparison *comparison);

// Steps of one run of a function on arguments of the types params[], loops, calls and operations on
// sizes "?" counted once.  False, with the reason, if the function has values that are no tensors.
// NULL: arguments of the declared types.
bool function_steps(const struct program *program, const struct function *function,
                    const type_id *params, uint64_t *steps, const char **why);

// Has one of the programs a number that may count elements of a tensor, as n of sum(x)/n does?
// Smaller sizes leave the number as it is, so what differs there says nothing.
bool compare_counts_elements(const struct compare_side side[2]);

#endif
