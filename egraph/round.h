// SPDX-License-Identifier: Apache-2.0
// The searches of one round of saturation (saturate.h), private to egraph/.
//
// The rules are searched in groups of EGRAPH_TOGETHER.  The searches of a group go through the
// windows of the graph in step, so that a graph larger than the caches is read once for each
// group.  Each rule finds what it would find alone.  If the effort that is left does not do for
// all rules of a group, those that it does for, the first ones first, are used, each in the whole
// graph: else the same block would simplify at the start of a program and not at its end.
#ifndef EGRAPH_ROUND_H
#define EGRAPH_ROUND_H

#include "egraph/saturate.h"

// One match of a round, with its matched side once that is built.
struct applied_match {
    uint32_t rule;
    uint32_t part; // of the program (egraph/program/shares.h)
    struct match match;
    term_id source;
};
struct saturation_round {
    struct saturation *saturation;
    bool simplify;           // only rules that make fewer operators
    VEC(struct arena *) mem; // of instances, which refer to it
    VEC(struct applied_match) work;
    bool complete; // no rule was cut short or pauses
};

// Finds the matches of all rules that take part, and loads those rules first.  False if the round
// ends here: the graph is full, or a rule cannot be loaded.
bool round_match(struct saturation_round *saturation_round);
void round_release(struct saturation_round *saturation_round);
// Is the effort of the run used up?
bool round_spent(const struct saturation *saturation);
// Refuses a rule that loses a guard against overflow, or finds nothing.
void round_guard(const struct saturation *saturation, struct running_rule *running);

#endif
