// SPDX-License-Identifier: Apache-2.0
// One run, private to simplify/engine/.
#ifndef SIMPLIFY_ENGINE_CORE_H
#define SIMPLIFY_ENGINE_CORE_H

#include "egraph/extract/tree/tree.h"
#include "egraph/plain/analysis/reals.h"
#include "egraph/why/why.h"
#include "simplify/engine/engine.h"

struct engine {
    struct fterms *terms;
    const struct engine_options *options;
    struct cc graph;
    struct plain_rules rules;
    struct engine_kept *keeper; // gets the rules in the end, or NULL
    struct reals reals;
    struct ac ac;
    struct run run;
    struct u32_vec node_of; // term -> node + 1
    bool *kept;             // by node; while the problem is filled
    struct problem problem;
    struct u32_vec problem_node; // node of the problem -> node
    VEC(double) besides; // of nodes of the problem: what they cost besides operator and arguments
    struct u32_vec problem_class; // class -> class of the problem + 1
    struct why why;
    struct u32_vec made; // class of the problem -> term + 1
    struct u32_vec said; // class of the problem -> term of `why` + 1
};

// The graph with the rules, the terms and what is given.
bool engine_prepare(struct engine *engine, const struct engine_rules *rules, uint32_t n,
                    const fterm *terms, struct err *err);
void engine_end(struct engine *engine);
// The problem of extracting the term of a node, with the costs of the options.
void engine_fill_problem(struct engine *engine, uint32_t root);
// The cheapest of a few solutions, each of which knows what the terms of those before it cost with
// their arguments.  `made` are the terms of its classes, `order` the classes, those beneath first.
bool engine_solve(struct engine *engine, struct solution *solution, struct u32_vec *order,
                  struct err *err);
// What the node costs besides, if nobody would write it.
double engine_odd(struct engine *engine, uint32_t node);

#endif
