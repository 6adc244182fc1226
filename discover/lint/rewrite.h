// SPDX-License-Identifier: Apache-2.0
// Rules as a directed rewriting system on terms: one step from left to right,
// at any place, as a compiler's driver would do it.  A shared subterm is
// replaced for all its users.
#ifndef DISCOVER_LINT_REWRITE_H
#define DISCOVER_LINT_REWRITE_H

#include "egraph/apply.h"

struct rewrite_rule {
    const struct rule *rule;
    struct rule_status status;
    struct pattern pattern;
    bool off; // is not used
};
struct rewriter {
    struct arena mem; // patterns
    VEC(struct rewrite_rule) rule;
    uint32_t most_matches; // of a rule on one term
    bool whole;            // rules match with all their operators only: none of them
                           // vanishes because a class has no axes (egraph/match/pattern.h)
};
struct step_to {
    uint32_t rule;
    term_id term;
    bool root; // the whole term was the left side
};
typedef VEC(struct step_to) step_vec;

void rewriter_init(struct rewriter *rewriter);
void rewriter_add(struct rewriter *rewriter, const struct rule *rule, struct rule_status status);
void rewriter_release(struct rewriter *rewriter);
// All terms but itself that one step leads to, as term_normal; `only`: by this
// rule, UINT32_MAX: by all. *out is emptied first.
void rewrite_steps(const struct rewriter *rewriter, struct terms *terms, term_id from,
                   enum domain float_mode, uint32_t only, step_vec *out);
// `whole` with `part` replaced by `by`; both have one type.
term_id term_replace(struct terms *terms, term_id whole, term_id part, term_id by);
// The term with the laws of layout (tensor/fold/layout.h) applied as far as they go:
// what a program's transposes, and operators without effect, come to.
term_id term_normal(struct terms *terms, term_id term);
// Has `whole` a subterm that is `part` with other terms for its parameters?
// What is put for them: pairs of parameter and term, in *with.
bool term_has(const struct terms *terms, term_id whole, term_id part, struct u32_vec *with);

#endif
