// SPDX-License-Identifier: Apache-2.0
// A function of a program or a formula, evaluated on random arguments.
#ifndef API_EVALUATE_EVALUATE_H
#define API_EVALUATE_EVALUATE_H

#include "api/evaluate/difference.h"
#include "api/evaluate/formula_program.h"

struct evaluation {
    struct formula_setting setting;
    struct formula_text program;
    const struct formula_text *other; // a second program to compare with; NULL: none
    const char *function;
    uint64_t seed;
    double tolerance;   // relative difference that is still the same
    uint32_t runs;      // with `other`: search for a difference in so many runs; 0: one run
    bool json;          // of a search
    struct buf *module; // gets the arguments of a difference as a program; NULL: nobody wants it
    struct buf *remark; // of one run: gets what is to be said of invented values
};
// The function of this name; in HLO, "main" is also the entry.  NULL: *err says so.
const struct function *evaluated_function(const struct program *program, const char *name,
                                          struct err *err);
// Appends the results, or the differences of both programs.
bool evaluate_program(const struct evaluation *evaluation, struct buf *out, enum rw_decision *same,
                      struct err *err);

#endif
