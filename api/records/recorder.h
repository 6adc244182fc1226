// SPDX-License-Identifier: Apache-2.0
// From the e-graph's explanations to a proof record.
#ifndef API_RECORDS_RECORDER_H
#define API_RECORDS_RECORDER_H

#include "base/err.h"
#include "egraph/program/egraph.h"
#include "proof/program/record.h"

struct used_rule {
    const char *name;
    const char *canonical;
    bool assumed, backward;
};
struct recorder {
    struct egraph *graph;
    struct record *record;         // initialised, over the same pool
    const struct used_rule *rules; // by the caller's rule numbers
    const struct instance *(*instance)(void *ctx, uint32_t number);
    void *ctx;
    // scratch
    struct explanation proof;
    struct u32_vec memo;     // e-graph term: record term
    struct u32_vec rule_map; // caller's rule: record rule + 1
    struct u32_vec line_map; // explanation line: record line
    struct u32_vec called;   // record term: 1 if a line says what the call is
    VEC(term_id) loops;      // of lines about values of loops
};

// What became of a root of a function: two terms of the e-graph.
struct root_change {
    uint32_t function, root; // as in struct record_goal
    term_id in, out;
};

// Adds the goal that the root went from `in` to `out`, with all lines that
// prove it.
bool recorder_goal(struct recorder *recorder, const struct root_change *change, struct err *err);
// The same for a side effect: one operation whose arguments changed.
bool recorder_effect(struct recorder *recorder, const struct root_change *change, struct err *err);
// Adds the line that the call is equal to its copy (first_region: of the copy), if no line says it:
// the sizes on which lines about slices rest may be those of the copy (proof/program/slices.h), and
// so may what a loop returns.
// Behind all goals.
void recorder_call(struct recorder *recorder, term_id call, term_id copy, uint32_t first_region);
void recorder_release(struct recorder *recorder);

#endif
