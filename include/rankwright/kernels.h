// SPDX-License-Identifier: Apache-2.0
// GPU kernels: a part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_KERNELS_H
#define RANKWRIGHT_KERNELS_H

struct rw_kernel_options {
    size_t size;
    const char *function; // the kernel; NULL: the only one of the text
    const char *grid;     // "(cdiv(n, 64),)"; NULL: what the comments of the text say
    const char *assume;   // facts that the caller guarantees, "n <= 1024, n >= 1"
    const char *expect;   // what the kernel should compute, as `rankwright lift --expect`; NULL
    const char *output;   // the array that a bare formula in `expect` is about
    uint64_t seed;        // of the sizes of runs
    uint32_t runs;        // 0: as many as `rankwright lift`
    // What the named functions of `expect` are; NULL: it must have none.
    const struct rw_database *database;
};
enum rw_lift_word {
    RW_LIFT_PROVED,  // the formula holds for all sizes, if the caller guarantees what is needed
    RW_LIFT_DERIVED, // there is a formula, and an obligation is open
    RW_LIFT_REFUSED, // there is no formula
    RW_LIFT_REFUTED  // a run differs from the formula
};
struct rw_kernel_output {
    const char *array; // that is written
    enum rw_lift_word word;
    const char *formula; // NULL: none
    const char *json;    // all of it, as `rankwright lift --json` prints it
};
// A kernel in Triton's tile IR, and the formulas of its outputs.  `size` bytes of text.
struct rw_lifted;
RW_API struct rw_lifted *rw_lift(struct rw_context *context, const char *text, size_t size,
                                 const char *file, const struct rw_kernel_options *options,
                                 struct rw_error *error);
RW_API void rw_lifted_free(struct rw_lifted *lifted);
RW_API size_t rw_lifted_count(const struct rw_lifted *lifted);
RW_API const struct rw_kernel_output *rw_lifted_output(const struct rw_lifted *lifted,
                                                       size_t index);
// What was expected: proved, refuted by a run, or unknown (also if nothing was).  *text (may be
// NULL) has lines for people, "" if nothing was expected.
RW_API enum rw_decision rw_lifted_expected(const struct rw_lifted *lifted, const char **text);
// The record, which rw_check_kernel replays; it holds what was expected if that is proved.
RW_API char *rw_lifted_record(const struct rw_lifted *lifted);

// Do two kernels compute the same, where arguments are paired by their order?  *text (may be NULL)
// gets lines for people.  Both have the options.  False: *error says why.
RW_API bool rw_compare_kernels(struct rw_context *context, const struct rw_expected *first,
                               const struct rw_expected *second,
                               const struct rw_kernel_options *options, enum rw_decision *same,
                               char **text, struct rw_error *error);

// Checks the record of a kernel, and the records of formulas in it, without the finder.  *text (may
// be NULL) gets what is proved, for people.  `options` say which rules are proved, and `input`
// which kernel it must be of.  False: the text is no such record.
RW_API bool rw_check_kernel(struct rw_context *context, const char *text, size_t size,
                            const char *file, const struct rw_check_options *options, bool *valid,
                            char **text_of, struct rw_error *error);

#endif
