// SPDX-License-Identifier: Apache-2.0
#ifndef API_SIMPLIFY_RESULT_H
#define API_SIMPLIFY_RESULT_H

#include "api/simplify/formula.h"
#include "api/simplify/simplify.h"

struct rw_result {
    struct rw_context *context;
    struct rw_summary summary;
    struct simplification *program; // one of the two
    struct formula_simplification *formula;
    struct buf text;    // of a formula
    struct buf written; // the record's text, after the first request
    struct buf cost;    // the model's name
};

#endif
