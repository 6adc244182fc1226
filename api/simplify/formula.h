// SPDX-License-Identifier: Apache-2.0
// Simplifies a formula to one that is easier to read, by proved rules only:
//   load the rules; read; simplify; check the record.
#ifndef API_SIMPLIFY_FORMULA_H
#define API_SIMPLIFY_FORMULA_H

#include "api/simplify/rewriter.h"
#include "simplify/simplify.h"

struct formula_simplification {
    struct rw_context *context;
    struct rw_rewriter *rewriter;
    struct simplify_options options;
    enum notation notation;
    struct fterms terms;
    struct buf text;  // of the input, with the given conditions
    struct buf given; // the caller's given conditions
    struct formula input;
    struct simplify_result result;
    struct formula_record record;
    bool has_input, has_record;
};

// Is the text a formula as far as that can be seen without the definitions of functions?
// Errors have the places that rw_simplify_formula gives them.
bool formula_is_written(const char *text, const char *given, const char *file, struct err *err);
// Rules that the proof uses, with repetitions.
uint32_t formula_steps(const struct formula_simplification *run);
void formula_simplification_free(struct formula_simplification *run);
// Appends the output: in the notation of texts a complete text with
// declarations, in other notations the formula alone.
void formula_put_output(struct formula_simplification *run, struct buf *out);
// Lines for people, and the JSON object (a new reference).
void formula_put_lines(struct formula_simplification *run, struct buf *out);
struct json_t *formula_object(struct formula_simplification *run, const struct rw_summary *summary);

#endif
