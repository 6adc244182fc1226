// SPDX-License-Identifier: Apache-2.0
// Internal to compare/.
#ifndef TENSOR_COMPARE_CORE_H
#define TENSOR_COMPARE_CORE_H

#include "base/rng.h"
#include "tensor/compare/compare.h"

enum input_mode {
    INPUT_INTEGERS, // small
    INPUT_AROUND_ZERO,
    INPUT_POSITIVE,
    INPUT_NEGATIVE,
    INPUT_EVEN,    // one value everywhere in an argument
    INPUT_NEAR,    // near constants of the programs
    INPUT_WIDE,    // of all magnitudes
    INPUT_SPECIAL, // NaN, infinities, zeros, denormals, extremes and their neighbours
    INPUT_EXTREME, // one of these everywhere
    N_INPUT_MODES
};

// Numbers of the programs that inputs are near to; of more, one more is kept.
#define MOST_CONSTANTS 64u
// What is known of one parameter.
struct input_param {
    bool index;   // it is a start or an index
    int64_t last; // greatest start inside of all bounds
};
struct inputs {
    struct pool *pool;
    const struct function *function;
    struct input_param *params; // by parameter
    VEC(double) constants;      // numbers in both programs
};
void inputs_find(const struct compare_side side[2], struct arena *mem, struct inputs *out);
void inputs_release(struct inputs *inputs);
// The arguments of a run; the same seed and mode, the same arguments.
struct input_plan {
    enum input_mode mode;
    uint32_t number; // of the first runs in INPUT_EXTREME: which value; 0: by chance
};
struct value *inputs_make(const struct inputs *inputs, struct input_plan plan, uint64_t seed,
                          struct arena *mem);

// Both functions on the same arguments.
struct pair_run {
    struct value *result[2];
    const char *unknown; // operation whose value was invented; NULL: none
};
// False, with ERR_LIMIT, at a limit of the interpreter, or where exact arithmetic has no value.
bool pair_run(const struct compare_side side[2], const struct value *params, struct arena *mem,
              struct pair_run *out, struct err *err);

// Judges a difference on its arguments.
struct judge {
    struct compare_side side[2];
    struct program exact[2], wide[2]; // in exact arithmetic; floats in f64
    struct program integers[2];       // integers in exact arithmetic, floats as they are
    bool has_exact, has_wide, has_integers, has_floats;
    bool ran_exact; // some arguments did
    bool words;     // some integers overflowed, and that made the difference
};
void judge_init(struct judge *judge, const struct compare_side side[2]);
void judge_release(struct judge *judge);
// The worst difference of the run, and where it is first.
enum difference judge_run(struct judge *judge, const struct value *params,
                          const struct pair_run *run, bool ordinary, struct difference_at *at,
                          struct arena *mem);

// Arguments with fewer numbers that are not 0 or 1, on which the difference is the same.
void shrink_arguments(struct judge *judge, enum difference kind, bool ordinary,
                      struct difference_at *at, struct arena *mem);

#endif
