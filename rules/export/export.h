// SPDX-License-Identifier: Apache-2.0
// Rules as text for other programs.
//
// egglog  A rule at fixed ranks, as a rewrite of first-order terms over tensors whose
//         dimensions stand in the order of the axis classes.  Shapes and attributes
//         are lists of integers; sizes and maps are variables.  A rule's verdicts
//         become conditions on the element types.
// latex   Statement, preconditions and the element at every index.
#ifndef RULES_EXPORT_EXPORT_H
#define RULES_EXPORT_EXPORT_H

#include "base/memory/vec.h"
#include "rules/instance/fire.h"
#include "rules/rule.h"

struct egglog {
    uint32_t rank;          // of every class that is no single axis
    enum domain float_mode; // DOMAIN_REAL or DOMAIN_FLOAT
    VEC(uint64_t) types;    // the sets of element types that rules ask for, by number
    struct buf rules;
};
void egglog_release(struct egglog *egglog);
// Adds the rule from left to right.  Fails, and says why, if the rule has no text or
// is proved for no element type.
bool egglog_add(struct egglog *egglog, const struct rule *rule, struct rule_status status,
                struct err *err);
// Declarations, then the rules.
void egglog_put(const struct egglog *egglog, struct buf *out);

void latex_begin(struct buf *out);
// `verdicts`: text behind the rule.
void latex_add(const struct rule *rule, const char *verdicts, struct buf *out);
void latex_end(struct buf *out);

#endif
