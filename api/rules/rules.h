// SPDX-License-Identifier: Apache-2.0
#ifndef API_RULES_RULES_H
#define API_RULES_RULES_H

#include "api/context.h"
#include "rules/rule.h"

struct rw_rules {
    struct rw_context *context;
    struct ruleset set;
    VEC(struct rw_error) errors;      // of the last call
    VEC(const struct rw_rule *) seen; // by rule; NULL: not asked for yet
    struct arena mem;                 // of these
};

#endif
