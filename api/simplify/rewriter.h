// SPDX-License-Identifier: Apache-2.0
// The rules that may rewrite, loaded from the database when they are first
// needed: for programs as the engine runs them, for formulas on named terms.
#ifndef API_SIMPLIFY_REWRITER_H
#define API_SIMPLIFY_REWRITER_H

#include "api/database/database.h"
#include "api/simplify/formula_rules.h"
#include "api/records/recorder.h"
#include "api/rules/statuses.h"

struct rw_rewriter {
    struct rw_database *database;
    const struct ruleset *only, *assumed; // borrowed; NULL: all, none
    // of programs
    bool has_programs;
    struct stored_rules stored;
    struct ruleset rules;       // what the engine runs
    VEC(struct used_rule) used; // by the engine's rule numbers
    VEC(struct rule_status) status;
    // of formulas
    bool has_formulas;
    double load_seconds;
    struct formula_rules formulas;
};

// The context of the rewriter's database. Fails if the rewriter was made without a database.
bool rewriter_context(const struct rw_rewriter *rewriter, struct rw_context **out, struct err *err);
bool rewriter_load_programs(struct rw_rewriter *rewriter, struct err *err);
bool rewriter_load_formulas(struct rw_rewriter *rewriter, struct err *err);

#endif
