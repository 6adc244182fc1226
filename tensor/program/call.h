// SPDX-License-Identifier: Apache-2.0
// Calls of pure functions.  A call equals the results of the function with its arguments in the
// place of the parameters, since the function has no effect and calls itself in no number of
// steps.
#ifndef TENSOR_PROGRAM_CALL_H
#define TENSOR_PROGRAM_CALL_H

#include "tensor/program/program.h"

// Finds the functions of program->callees, once all functions are there.
void program_link_calls(struct program *program);
// The function that an opaque node calls; NO_FUNCTION: the node is no call of a pure
// function with a body.
uint32_t called_function(const struct program *program, attr_id attr);
// Result k of the node: the node itself if it has only one.
term_id call_result(struct terms *terms, term_id call, uint32_t k);

struct inlining {
    const struct program *program; // its terms have the function
    struct terms *terms;           // has the call; may be the program's
    term_id call;
    uint32_t function;
    // Regions of the function get the numbers from here on, in their order.  The program's own terms
    // must have just as many regions: the new ones, and where the copies stand, are entered there.
    // Other terms have no regions, and their copies stand nowhere.
    uint32_t first_region;
};
// The results of the call, n_results of the function.  Gives back how many regions it has.  Fails
// (UINT32_MAX) if the call does not have the operands and results of the function, or if
// something in the function counts as a side effect (a constant without its elements).
uint32_t inline_call(const struct inlining *inlining, term_id *results);
// Does result k of the function need no operation with regions?  Then copies for equal arguments
// are one term.
bool call_is_plain(const struct program *program, uint32_t function, uint32_t k);

// Marks the functions that stay: those that are not private, and all that a function that stays or
// an operation of the module's level names.  keep[f] is 1 for them.
void functions_needed(const struct program *program, const struct terms *terms,
                      struct u32_vec *keep);

#endif
