// SPDX-License-Identifier: Apache-2.0
// Inside of lint.h; of lint*.c only.
#ifndef DISCOVER_LINT_CORE_H
#define DISCOVER_LINT_CORE_H

#include "discover/lint/lint.h"
#include "discover/lint/rewrite.h"
#include "discover/derive/sample.h"

struct lint_rule {
    const struct rule *rule;
    enum domain domain; // in which it is looked at
    struct sampler *sampler;
};
struct lint_run {
    struct lint *lint;
    const struct lint_options *options;
    uint32_t n;
    struct lint_rule *rule;
    struct rewriter steps; // rule i is rule[i]
    struct rng rng;
    double deadline; // 0: none
};

void lint_add(struct lint *lint, enum lint_kind kind, const char *method, uint32_t n,
              const struct rule *const *rules, const char *witness);
// How terms are read in the domain.
static inline enum domain lint_mode(enum domain domain)
{
    return domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL;
}

// discover/lint/overlaps.c: terms of the type that are parts of left sides.
void lint_parts(const struct lint_run *run, struct terms *terms, type_id type, struct arena *mem,
                struct u32_vec *out);
void lint_pairs(struct lint_run *run);      // discover/lint/pairs.c: SAME, EQUAL, INSTANCE
void lint_inverses(struct lint_run *run);   // exact ones
void lint_loops(struct lint_run *run);      // discover/lint/loops.c
void lint_conditions(struct lint_run *run); // lint.c

#endif
