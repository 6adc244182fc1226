// SPDX-License-Identifier: Apache-2.0
// One run against formulas: parts of validate.h and expected.h.
#ifndef LOOPS_VALIDATE_COMPARISON_H
#define LOOPS_VALIDATE_COMPARISON_H

#include "loops/validate/numbers.h"
#include "loops/validate/validate.h"

enum {
    VALIDATE_CELLS = 1 << 25,         // of one run
    VALIDATE_STEPS = 1 << 20,         // of the formula, for one run
    VALIDATE_ELEMENTS = 1 << 10,      // compared in one run
    VALIDATE_PROGRAMS = 8,            // along an axis of the grid, of a run in part
    VALIDATE_PART_ELEMENTS = 1 << 16, // looked at in a run in part
    VALIDATE_MORE = 6,                // runs for what the others have not shown (coverage.h)
};

struct comparison {
    struct numbers numbers;
    uint32_t n; // outputs, whose elements should be at distinct addresses
    const struct output *const *outputs;
    const struct output *output; // that is compared
    const struct execution *run;
    struct validation *out;
    int64_t extent[OUTPUT_AXES], index[OUTPUT_AXES];
    bool several;  // statements write the array
    bool contents; // elements that are not written keep what they are
};

// One run at sizes of its own.  If it is too long, then grids get smaller, and if none is short
// enough, as where sizes are constants of the program, then a few programs of the grid run.
// `apart`: strides keep the elements of outputs apart; NULL: they are what they are.  `tiles`:
// sizes of several tiles.
bool sampled_run(struct execution *run, struct rng *rng, struct lifting *apart, bool tiles);

void comparison_init(struct comparison *c, struct lterms *terms, const struct execution *run,
                     uint32_t n, const struct output *const *outputs, struct validation *out);
// Do all elements of each output have addresses of their own?  If not, then the formulas say
// nothing of the memory.
bool comparison_distinct(struct comparison *c);
// Compares elements of the output: all of them, or some at random.
void compare_run(struct comparison *c, const struct output *output, struct rng *rng);

// Is the fault one of the kernel?  Overflow and refused operations are none: the run says nothing.
bool fault_counts(const struct exec_fault *fault);
// Is a condition false that the source says is true?  That it is true is a need, so the run says
// nothing.
bool run_is_excluded(const struct execution *run);
void print_fault(const struct execution *run, const struct exec_fault *fault, struct buf *out);

#endif
