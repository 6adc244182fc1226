// SPDX-License-Identifier: Apache-2.0
// Limits of simplifying formulas.  The search has five phases (search.c), each
// with a limit on nodes: so many for each unit of cost of the formula, and at
// most a part of SIMPLIFY_NODES.
#ifndef SIMPLIFY_LIMITS_H
#define SIMPLIFY_LIMITS_H

#include "base/limit.h"

// clang-format off
#define SIMPLIFY_LIMITS(X) \
    X(SIMPLIFY_NODES, 6000, "nodes", "of the graph of one phase; bounds memory and time") \
    X(SIMPLIFY_ROUNDS, 12, "rounds", "of a phase; bounds the length of derivations") \
    X(SIMPLIFY_STEPS, 30000000, "node visits", "of all phases; the answer must come while a person waits") \
    X(SIMPLIFY_FACT_NODES, 2000, "nodes", "of a search for the proof of conditions") \
    X(SIMPLIFY_FACT_STEPS, 10000000, "node visits", "of such a search") \
    X(SIMPLIFY_SIMPLER_NODES, 60, "nodes per unit of cost", "phase 1: rules that make terms simpler") \
    X(SIMPLIFY_SIMPLER_PART, 6, "parts of the nodes", "phase 1 gets one part: it is run most often") \
    X(SIMPLIFY_RATION_NODES, 100, "nodes per unit of cost", "phase 2: all rules, rationed") \
    X(SIMPLIFY_RATION_PART, 3, "parts of the nodes", "phase 2 gets one part") \
    X(SIMPLIFY_LAST_NODES, 300, "nodes per unit of cost", "phases 3 to 5: the last ones, all rules; the fifth begins at the input") \
    X(SIMPLIFY_PRICED_TRIES, 8, "terms", "that are taken out of a graph in turn, each knowing what the operators of those before it cost with their arguments") \
    X(SIMPLIFY_TRIES, 40, "terms", "of one phase that are looked at, the cheapest first, until one has a value wherever the formula has one") \
    X(SIMPLIFY_PROVED_TRIES, 3, "terms", "of these whose conditions are searched for beyond the graph of the phase") \
    X(SIMPLIFY_WINDOW, 7, "operators", "of the first windows on parts; enough for most laws") \
    X(SIMPLIFY_STEP_WINDOW, 14, "operators", "of those on one step of a recurrence: sums stand for themselves") \
    X(SIMPLIFY_WIDE_WINDOW, 12, "operators", "of those that come when the first show nothing more") \
    X(SIMPLIFY_OPEN_WINDOW, 18, "operators", "of the last windows, which look into shared parts, too") \
    X(SIMPLIFY_RECURRENCE_WINDOW, 36, "operators", "of the windows on one step of a recurrence, before others") \
    X(SIMPLIFY_RECURRENCE_SUMS, 3, "sums", "within each other at the root of such a window; those below them are parts") \
    X(SIMPLIFY_RECURRENCE_TIMES, 7, "times", "the nodes of a formula, for the graph of one phase in such a window") \
    X(SIMPLIFY_COMMON_PART, 1, "cost", "of a part that both operands of a sum have, if the sum is a step of a recurrence; it costs more") \
    X(SIMPLIFY_STRIDE, 4, "parts of a window", "one part lies between two places with windows") \
    X(SIMPLIFY_WINDOW_NODES, 1500, "nodes", "of the graph of one phase in a window") \
    X(SIMPLIFY_WINDOW_STEPS, 1000000, "node visits", "of all phases in a window") \
    X(SIMPLIFY_WINDOWS_STEPS, 300000000, "node visits", "of all windows on one formula") \
    X(SIMPLIFY_CHEAP_PART, 4, "cost", "of a part below a window that costs no more; such parts look alike") \
    X(SIMPLIFY_DEAR_PART, 8, "cost", "of all other parts") \
    X(SIMPLIFY_WINDOW_GIVENS, 2000, "conditions", "that are looked for in a window") \
    X(SIMPLIFY_CONDITION_DEPTH, 8, "levels", "of a condition above the parts of a window") \
    X(SIMPLIFY_FACT_DEPTH, 400, "levels", "of windows below windows, for what is known of the sign of parts") \
    X(SIMPLIFY_PART_DEPTH, 200, "levels", "of windows on what windows made; bounds the stack") \
    X(SIMPLIFY_WHOLE, 80, "cost", "of a formula; a dearer one is searched part by part first") \
    X(SIMPLIFY_SMALL, 25, "cost", "of a result; a dearer one is searched part by part, too") \
    X(SIMPLIFY_SHORT, 8, "cost", "of a result; for a dearer one a phase begins at the input once more") \
    X(SIMPLIFY_PARTS, 20, "times", "that the whole and the parts are searched by turns") \
    X(SIMPLIFY_NAME, 32, "bytes", "names of operators whose order is tidied, with the end") \
    X(SIMPLIFY_CHAIN, 300, "operands", "of a sum that is put in order; longer ones stay")
// clang-format on
enum { SIMPLIFY_LIMITS(LIMIT_CONSTANT) };

extern const struct limit simplify_limits[];
extern const unsigned n_simplify_limits;

#endif
