// SPDX-License-Identifier: Apache-2.0
// Internal to lint/: the rules of one run, and the searches.
#ifndef DISCOVER_LINT_CORE_H
#define DISCOVER_LINT_CORE_H

#include "discover/lint/lint.h"
#include "discover/lint/rewrite.h"
#include "discover/derive/sample.h"

struct lint_rule {
    const struct rule *rule;
    enum domain domain; // the domain in which the rule is examined
    struct sampler *sampler;
};
struct lint_run {
    struct lint *lint;
    const struct lint_options *options;
    uint32_t n;
    struct lint_rule *rule;
    struct rewriter steps; // rewrite rule i is rule[i]
    struct rng rng;
    double deadline; // 0: none
};

void lint_add(struct lint *lint, enum lint_kind kind, const char *method, uint32_t n,
              const struct rule *const *rules, const char *witness);
// How the engine reads floats in the domain.
static inline enum float_reading lint_reading(enum domain domain)
{
    return domain == DOMAIN_FLOAT ? READ_FLOAT_SUMS : READ_REAL;
}

// discover/lint/overlaps.c: finds parts of left sides that have the type.
void lint_parts(const struct lint_run *run, struct terms *terms, type_id type, struct arena *mem,
                struct u32_vec *out);
void lint_pairs(struct lint_run *run); // discover/lint/pairs.c: SAME, EQUAL, INSTANCE
void lint_inverses(
    struct lint_run *run); // discover/lint/pairs.c: two rules that undo each other exactly
void lint_loops(struct lint_run *run);                              // discover/lint/loops.c
void lint_tautology(struct lint_run *run, const struct rule *rule); // discover/lint/tautology.c
void lint_conditions(struct lint_run *run);                         // lint.c

#endif
