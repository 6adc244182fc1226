// SPDX-License-Identifier: Apache-2.0
// What a comparison of two programs found, for people and for programs.
#ifndef API_EVALUATE_DIFFERENCE_H
#define API_EVALUATE_DIFFERENCE_H

#include "api/context.h"
#include "tensor/compare/compare.h"

// Proved: no difference was seen, which is no proof.  Unknown: nothing ran, or values were
// invented.
enum rw_decision comparison_answer(const struct comparison *comparison);
// The difference that is shown: the worst of which arguments are known; NULL: none.
const struct difference_at *comparison_shown(const struct comparison *comparison);
// Lines for people.
void comparison_print(const struct comparison *comparison, struct buf *out);
// One line of JSON (docs/json.md).
void comparison_put_json(const struct comparison *comparison, struct buf *out);
// A module with both functions, and a main function that calls them on the arguments that are
// shown.  Appends nothing if there are none, if they are too large, or if a function calls others.
bool comparison_put_module(const struct comparison *comparison, struct buf *out, struct err *err);

#endif
