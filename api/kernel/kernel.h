// SPDX-License-Identifier: Apache-2.0
// From the text of a kernel to the formulas of its outputs:
//   read; find closed forms, axes and formulas (loops/lift); write the claim down and check it from
//   the program and its text alone (proof/kernel); hold it against runs at random sizes.
//
// An output is
//   proved    every obligation of the check holds, if the caller guarantees the needs, and
//             runs agree
//   derived   there is a formula, and an obligation is open or no run says anything
//   refused   there is no formula; the reason has a line of the kernel
//   refuted   a run at some sizes differs from the formula
#ifndef API_KERNEL_KERNEL_H
#define API_KERNEL_KERNEL_H

#include "loops/validate/validate.h"
#include "proof/kernel/check.h"

enum kernel_word { KERNEL_PROVED, KERNEL_DERIVED, KERNEL_REFUSED, KERNEL_REFUTED };

struct kernel_source {
    const char *text;
    size_t n;
    const char *file;   // in messages
    const char *kernel; // its name; NULL: the only one
    const char *grid;   // NULL: what the comments say
    const char *assume; // facts; NULL: none
    uint64_t seed;      // of the runs
    uint32_t runs;
};

struct kernel_answer { // of one output
    enum kernel_word word;
    uint32_t lifted;                      // of lifting.outputs
    const struct kernel_checked *checked; // NULL: there is no formula
    struct validation validation;
};

struct kernel_job {
    struct code_program program;
    struct lifting lifting;
    struct buf claim_text;
    struct claim claim;
    struct kernel_check check;
    VEC(struct kernel_answer) answer;
    uint32_t stated;     // facts of the program that the caller states: the first ones
    struct buf proposed; // facts that nobody stated and that the proofs need; empty: none
    struct buf without;  // what a run showed without the last of them; empty: nothing
    bool lifted, claimed;
    bool impossible; // no launch meets what is given: nothing is run
};

// Reads the kernel and what the caller says of its launch.  Callers release the job even after a
// failure.
bool kernel_read(struct kernel_job *job, const struct kernel_source *source, struct err *err);
// Lifts, checks and runs; if an output is not proved, then again with facts that the caller may
// have left out (loops/lift/propose.h), and keeps those with which more is proved.  Fails only if
// the program contradicts itself.
bool kernel_lift_proposing(struct kernel_job *job, const struct kernel_source *source,
                           struct err *err);
// Lifts, checks and runs, with what was stated alone.
bool kernel_lift(struct kernel_job *job, const struct kernel_source *source, struct err *err);
void kernel_release(struct kernel_job *job);
// The validation of what is not run because no launch meets the facts.
void kernel_validate_nothing(struct validation *out);
// The needs that are facts about sizes become facts of the program: runs meet them.
void kernel_assume_needs(struct kernel_job *job, const struct kernel_checked *checked);

const char *kernel_word_text(enum kernel_word word);
// The name of the array that the output is written to.
const char *kernel_output_name(const struct kernel_job *job, const struct kernel_answer *answer);
// The formula with its declarations; NULL: there is none.
const char *kernel_formula(const struct kernel_job *job, const struct kernel_answer *answer);
// softmax out[i, j], 0 <= i < rows, 0 <= j < n, at out[out_stride*i + j]
void kernel_put_head(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out);
// The head, the formula, and what its tensors are: texts that are equal mean the same if the arguments have
// the same names.  There must be a formula.
void kernel_put_meaning(struct kernel_job *job, const struct kernel_answer *answer,
                        struct buf *out);
// What an output and the tensors of its formula are, of a lifting or of a claim.
struct kernel_elements {
    const struct code_program *program;
    const struct integers *in;
    uint32_t array, n_axes, n_all_axes, n_tensors;
    ipoly base;
    const ipoly *stride, *extent;    // by axis of the output
    const struct written_axis *axis; // the first ones are those of the output
    const struct written_tensor *tensor;
};
struct kernel_elements kernel_claimed_elements(const struct code_program *program,
                                               const struct integers *in,
                                               const struct claim_output *claimed, uint32_t array);
struct kernel_elements kernel_elements_of(const struct kernel_job *job,
                                          const struct kernel_answer *answer);
// base + stride*index + .. of the tensor; NULL: of the output.
void kernel_put_place(const struct kernel_elements *of, const struct written_tensor *tensor,
                      struct buf *out);
// out[i, j], i < rows, j < n, at out[out_stride*i + j]
void kernel_put_elements(const struct kernel_elements *of, struct buf *out);
// Lines: k < K, of axes that are none of the output; x[i,j] is x_ptr[stride*i + j]
void kernel_put_tensors(const struct kernel_elements *of, struct buf *out);
// Lines: needs, and obligations that are open.
void kernel_put_checked(const struct kernel_checked *checked, struct buf *out);
// Lines: what the caller guarantees, and the needs of all outputs.
void kernel_put_needs(const struct kernel_job *job, struct buf *out);
// Lines: what is taken for granted, as it was written.
void kernel_put_facts(const struct kernel_job *job, struct buf *out);
// Lines under the formula: facts, needs, closed forms, obligations that are open, runs, reasons.
void kernel_put_rest(struct kernel_job *job, const struct kernel_answer *answer, struct buf *out);
// The easier formula that this one equals, in one line.
void kernel_put_simplified(const char *text, struct buf *out);
// The kernel as loops over arrays.
void kernel_put_program(const struct kernel_job *job, struct buf *out);
// One JSON object in one line, without the newline.  `simplified` may be NULL.
void kernel_put_json(struct kernel_job *job, const struct kernel_answer *answer,
                     const char *simplified, struct buf *out);

// ---- two kernels (compare.c)

enum kernel_comparison {
    KERNELS_SAME,      // both are proved to compute the same formula, in the same places
    KERNELS_DIFFERENT, // at sizes that were run
    KERNELS_UNKNOWN,   // neither
};
// Arguments are paired by their order.  Appends lines.
bool kernels_compare(const struct kernel_source *a, const struct kernel_source *b,
                     enum kernel_comparison *comparison, struct buf *lines, struct err *err);

#endif
