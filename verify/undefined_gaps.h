// SPDX-License-Identifier: Apache-2.0
// Shared by the files about elements at which a side has no value over the reals: the places
// where that may be so, and the conditions under which it is not (undefined_gaps.c).
#ifndef VERIFY_UNDEFINED_GAPS_H
#define VERIFY_UNDEFINED_GAPS_H

#include "verify/decide.h"

// What an operand must be for a value to exist.
enum need { NOT_ZERO, NOT_NEGATIVE, POSITIVE, ABOVE_MINUS_ONE, COSINE_NOT_ZERO };

struct condition {
    uint32_t pat;
    enum need need;
    const char *text; // of the operand
};
struct conditions {
    VEC(struct condition) at;
};

// One place where a side may have no value: the operands in question, which may have been
// moved, and the conditions that give them a value.
struct gap {
    bool left;
    uint32_t pat;             // the operator
    struct conditions direct; // what its operand must be
    struct conditions operands, needs;
};

struct undefined {
    const struct rule *rule;
    struct decide_options options;
    struct arena *mem;
    VEC(struct gap) gaps;
    struct conditions all;
    bool splits; // products and the like are taken apart
};

// Finds the places of both sides, and all their conditions.
void gaps_find(struct undefined *undefined);
void gaps_release(struct undefined *undefined);
void conditions_add_all(struct undefined *undefined, const struct conditions *from,
                        struct conditions *out);
// "A > 0", or "A <= 0" where it fails.
void condition_print(const struct condition *condition, bool holds, struct buf *out);
// Does the number meet the condition?
bool condition_meets(const struct pat *pattern, enum need need);
// Adds the conditions to the rule's own text and parses it; NULL: they are no conditions.
const struct rule *rule_with(const struct undefined *undefined, const struct conditions *conditions,
                             struct ruleset *set);

#endif
