// SPDX-License-Identifier: Apache-2.0
// The rules that may rewrite, loaded from the database when they are first
// needed: for programs as the engine runs them, for formulas on named terms.
#ifndef API_SIMPLIFY_REWRITER_H
#define API_SIMPLIFY_REWRITER_H

#include "api/database/database.h"
#include "api/simplify/formula_rules.h"
#include "api/records/recorder.h"
#include "api/rules/statuses.h"
#include "db/outline.h"
#include "egraph/saturate.h"

// A rule on programs. Most rules never match anything: a rule is read and parsed when the
// engine asks for it.
struct program_rule {
    const char *hash;
    struct pattern_outline outline;
    bool has_outline;
    bool read; // `use` is known; use.rule: NULL if the rule is not proved
    struct rule_use use;
};

struct rw_rewriter {
    struct rw_database *database;
    const struct ruleset *only, *assumed; // borrowed; NULL: all, none
    // of programs
    bool has_programs;
    struct outline_rows outlines;
    struct proved_rules proved;
    struct ruleset set;             // the rules that were read
    VEC(struct program_rule) rules; // by the engine's rule numbers
    VEC(struct used_rule) used;     // the same; no name: not read
    // of formulas
    bool has_formulas;
    double load_seconds;
    struct formula_rules formulas;
};

// The context of the rewriter's database. Fails if the rewriter was made without a database.
bool rewriter_context(const struct rw_rewriter *rewriter, struct rw_context **out, struct err *err);
// Finds the rules on programs, and reads those that rewriter_read cannot wait for: all, where the
// caller chose or assumes rules, else those without an outline.
bool rewriter_load_programs(struct rw_rewriter *rewriter, struct err *err);
// Reads the rules with these numbers, as far as they have not been read.
bool rewriter_read(struct rw_rewriter *rewriter, uint32_t n, const uint32_t *number,
                   struct err *err);
// The error that the outline of rule `number` is not that of the rule. Outlines that can be
// written are forgotten.
bool rewriter_misfit(struct rw_rewriter *rewriter, uint32_t number, struct err *err);
bool rewriter_load_formulas(struct rw_rewriter *rewriter, struct err *err);

#endif
