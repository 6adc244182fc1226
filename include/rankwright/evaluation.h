// SPDX-License-Identifier: Apache-2.0
// Programs and formulas on random arguments, in the interpreter: a part of rankwright.h, which
// programs include.
#ifndef RANKWRIGHT_EVALUATION_H
#define RANKWRIGHT_EVALUATION_H

struct rw_evaluate_options {
    size_t size;
    const char *function; // NULL: "main"
    uint64_t seed;        // of the arguments
    double tolerance;     // relative difference up to which results count as equal, 0 to 1
    // of formulas, which are evaluated in f64
    bool formula;                       // the text is a formula
    bool other_formula;                 // the other text is one
    const struct rw_rules *definitions; // of functions that formulas name; NULL: none
    const char *sizes;                  // of axes: "i=2,j=4"; others have size 3
    // of two programs
    uint32_t runs; // looks for arguments on which they differ, in so many runs; 0: one run
    bool json;     // with runs: *text is an object, as rw_comparison_json has it
    char **module; // with runs: gets a text, as rw_comparison_module has it; NULL: nobody wants it
    // Gets a line if results may depend on an operation that the interpreter does not know: its values
    // are made up, the same for equal operands.  NULL if there is none; not set by a search.
    char **remark;
};
// Evaluates a function of a program: a line for each result, `dense<..> : tensor<..>`.
// Cannot be cancelled.
RW_API char *rw_evaluate(struct rw_context *context, const struct rw_expected *program,
                         const struct rw_evaluate_options *options, struct rw_error *error);
// Evaluates two programs on the same arguments.  *same: proved says no more than that these
// results are equal; refuted: they differ; unknown: they differ where an operation was not
// known to the interpreter.  *text (may be NULL) gets a line that says where.  False: *error says
// why there is no answer.  Cannot be cancelled.
RW_API bool rw_evaluate_both(struct rw_context *context, const struct rw_expected *program,
                             const struct rw_expected *other,
                             const struct rw_evaluate_options *options, enum rw_decision *same,
                             char **text, struct rw_error *error);

#endif
