// SPDX-License-Identifier: Apache-2.0
// Which patterns of a rule are equal if some of them are: equal operands give equal values.
//
//     struct congruence equal;
//     congruence_init(&equal, rule);
//     congruence_unite(&equal, a, b); // each fact
//     congruence_close(&equal);
//     ... congruence_same(&equal, rule->lhs, rule->rhs)
//
// Equal tensors have the same sizes, and the same elements everywhere.
#ifndef DISCOVER_LINT_CONGRUENCE_H
#define DISCOVER_LINT_CONGRUENCE_H

#include "base/memory/vec.h"
#include "rules/rule.h"

struct congruence {
    const struct rule *rule; // borrowed
    struct u32_vec parent;   // by pattern: a union-find forest
};

void congruence_init(struct congruence *equal, const struct rule *rule);
void congruence_release(struct congruence *equal);
// Patterns of different sizes stay apart.
void congruence_unite(struct congruence *equal, uint32_t a, uint32_t b);
// Finds what follows.  Costs the square of the number of patterns, several times.
void congruence_close(struct congruence *equal);
bool congruence_same(const struct congruence *equal, uint32_t a, uint32_t b);

#endif
