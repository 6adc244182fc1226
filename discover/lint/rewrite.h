// SPDX-License-Identifier: Apache-2.0
// Rules as a directed rewriting system on terms: one step from left to right,
// at any place, as in the driver of a compiler.  A step replaces a shared
// subterm for all its users.
#ifndef DISCOVER_LINT_REWRITE_H
#define DISCOVER_LINT_REWRITE_H

#include "egraph/apply.h"

struct rewrite_rule {
    const struct rule *rule;
    struct rule_status status;
    struct pattern pattern;
    bool off; // the rule is not used
};
struct rewriter {
    struct arena mem; // owns the patterns
    VEC(struct rewrite_rule) rule;
    uint32_t most_matches; // limit for one rule on one term
    bool whole;            // rules match with all their operators only: none of them
                           // vanishes because a class has no axes (egraph/match/pattern.h)
};
struct step_to {
    uint32_t rule;
    term_id term;
    bool root; // the step replaced the whole term
};
typedef VEC(struct step_to) step_vec;

void rewriter_init(struct rewriter *rewriter);
void rewriter_add(struct rewriter *rewriter, const struct rule *rule, struct rule_status status);
void rewriter_release(struct rewriter *rewriter);
// Finds all other terms that one step leads to, in the normal form of
// term_normal.  `only`: steps by this rule; UINT32_MAX: by all rules.  *out is
// emptied first.
void rewrite_steps(const struct rewriter *rewriter, struct terms *terms, term_id from,
                   enum float_reading reading, uint32_t only, step_vec *out);
// Returns `whole` with `part` replaced by `by`; both have one type.
term_id term_replace(struct terms *terms, term_id whole, term_id part, term_id by);
// The normal form of a term under the laws of layout (tensor/fold/layout.h),
// which merge transposes and drop operators without effect.
term_id term_normal(struct terms *terms, term_id term);
// Does `whole` have a subterm that equals `part` with other terms for its
// parameters?  *with receives pairs of parameter and term.
bool term_has(const struct terms *terms, term_id whole, term_id part, struct u32_vec *with);

#endif
