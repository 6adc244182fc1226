// SPDX-License-Identifier: Apache-2.0
// One evaluation of terms, for program.c and regions.c.
#ifndef TENSOR_EVAL_EVALUATOR_H
#define TENSOR_EVAL_EVALUATOR_H

#include "tensor/eval/parts.h"

// The terms that a block computes from the parameters of its region, in order; behind them the
// parameters that only regions in it use.
struct block_list {
    uint32_t term, block; // of the operation
    struct u32_vec at;
};

// What an evaluation has done so far.
struct effort {
    uint32_t steps;       // of loops and calls
    uint32_t bodies;      // runs of the body of a reduce, sort or map
    uint32_t calls;       // inside one another, now
    const char *unknown;  // text of the first operation whose value was invented; NULL: none
    struct rng *rounding; // chooses how each operation rounds f64; NULL: to the nearest
};

struct evaluator {
    const struct eval_input *given;
    const struct program *program; // whose calls are known, or NULL
    struct effort *effort;
    struct opaque_value *slot; // by term id
    struct u32_vec scope;      // by term id; empty until an operation has a region
    VEC(struct block_list) lists;
    uint32_t *list_of; // term id -> first of its block lists, + 1
    bool met;          // a parameter was met, of this function
    int64_t function;
};

// The terms that `roots` need, in order; not those inside regions, nor, if `scope` is
// that of a region, those that do not depend on the region.
void eval_needed(struct evaluator *evaluator, uint32_t n, const term_id *roots, uint32_t scope,
                 struct u32_vec *out);
uint32_t eval_scope_of(struct evaluator *evaluator, uint32_t id);
// Fills the slots of these terms, whose operands have values or come before them.
bool eval_list(struct evaluator *evaluator, uint32_t n, const uint32_t *list, struct err *err);
// A tuple of the results, or the only one.
void eval_set_results(struct evaluator *evaluator, term_id id, uint32_t n,
                      const struct opaque_value *results, struct opaque_value *out);
// False: loops and calls took too many steps.
bool eval_take_step(struct evaluator *evaluator, struct err *err);
// Notes the operation, whose value is invented, if it is the first.
void eval_note_unknown(struct evaluator *evaluator, term_id id);
// The value of an operation with regions (regions.c).
bool eval_region_op(struct evaluator *evaluator, term_id id, struct opaque_value *operands,
                    struct opaque_value *out, struct err *err);

#endif
