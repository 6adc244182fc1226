// SPDX-License-Identifier: Apache-2.0
// A match becomes an equality: both sides are built through egraph_add and
// merged with reason RULE.  The matched side is built first, and after the
// next rebuild must stand in the class where the match was found; then the
// other side is built with its dimensions in the same order:
//
//     source = instance_build(in, root)
//     target = instance_build_as(in, target, &in->pat[root].out)
//
// with root and target of the pattern (lhs and rhs, or rhs and lhs backwards).
// A checker rebuilds both terms from the rule, the direction and the instance.
#ifndef EGRAPH_APPLY_H
#define EGRAPH_APPLY_H

#include "egraph/match/match.h"

struct builder builder_egraph(struct egraph *graph);

// Builds the matched side.  False: it cannot be built (no harm is done).
bool apply_source(struct egraph *graph, const struct pattern *pattern, const struct match *match,
                  term_id *source, struct err *err);

enum apply_result {
    APPLIED_NEW,    // two classes became one
    APPLIED_KNOWN,  // the sides were equal already
    APPLIED_MISSED, // the source is not in the class of the match
    APPLIED_FAILED, // the other side is not well-defined or not expressible
};
// The graph must be closed with `source` in it, or have been since.
enum apply_result apply_target(struct egraph *graph, const struct pattern *pattern,
                               const struct match *match, term_id source, struct reason why,
                               struct err *err);

#endif
