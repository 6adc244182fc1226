// SPDX-License-Identifier: Apache-2.0
// Are two programs equal?  A part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_COMPARISON_H
#define RANKWRIGHT_COMPARISON_H

struct rw_comparison_options {
    size_t size;
    const char *function; // of both programs; NULL: "main"
    uint64_t seed;        // of the arguments
    uint32_t runs;        // 0: as many as `rankwright eval --runs`
};
enum rw_comparison_word {
    RW_NO_DIFFERENCE,      // in all runs, but for the rounding of sums in another order: no proof
    RW_DIFFERENT,          // on arguments that are known, or in the types of results
    RW_COMPARISON_UNKNOWN, // nothing ran, or an operation is unknown to the interpreter
};
// Runs two programs with equal parameters on chosen arguments, and looks for those on which they
// differ.  Programs with large tensors run at smaller sizes.  NULL: *error says why.
struct rw_comparison;
RW_API struct rw_comparison *rw_compare_programs(struct rw_context *context,
                                                 const struct rw_program *before,
                                                 const struct rw_program *after,
                                                 const struct rw_comparison_options *options,
                                                 struct rw_error *error);
RW_API void rw_comparison_free(struct rw_comparison *comparison);
RW_API enum rw_comparison_word rw_comparison_word(const struct rw_comparison *comparison);
// In which sense they differ most: "none", "sums", "rounding", "zero" (the sign of one), "special" (on NaN
// or infinities), "overflow", "unsure" (at smaller sizes only), "undefined", "value", "shape".
RW_API const char *rw_comparison_sense(const struct rw_comparison *comparison);
// Lines for people; one object as `rankwright eval --runs --json` prints it.
RW_API const char *rw_comparison_text(const struct rw_comparison *comparison);
RW_API const char *rw_comparison_json(const struct rw_comparison *comparison);
// A module of StableHLO with both functions, @before and @after, and @main, which calls them on
// arguments on which they differ; "" if there are none or they are too large.
RW_API const char *rw_comparison_module(const struct rw_comparison *comparison);

#endif
