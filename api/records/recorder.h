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
};

// Adds the goal that `in`, root `root` of function `function`, equals `out`,
// with all lines that prove the goal.
bool recorder_goal(struct recorder *recorder, uint32_t function, uint32_t root, term_id in,
                   term_id out, struct err *err);
// Adds the goal for a side effect: one operation whose arguments changed.
bool recorder_effect(struct recorder *recorder, uint32_t function, uint32_t root, term_id in,
                     term_id out, struct err *err);
void recorder_release(struct recorder *recorder);

#endif
