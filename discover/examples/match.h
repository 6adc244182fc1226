// SPDX-License-Identifier: Apache-2.0
// Is a pair an instance of a rule?
#ifndef DISCOVER_EXAMPLES_MATCH_H
#define DISCOVER_EXAMPLES_MATCH_H

#include "discover/examples/examples.h"
#include "egraph/saturate.h"

// `status`: the rule's proofs.  NULL rule: only the laws of layout.
enum example_match example_matches(const struct example *example, const struct rule *rule,
                                   struct rule_status status);
// The same if the rule were proved in all domains, and of elements of several types together.
enum example_match example_has_form(const struct example *example, const struct rule *rule);

// A graph of both programs.
struct matching {
    struct terms terms; // a copy: the e-graph adds to it
    struct u32_vec memo;
    const struct example *example;
    struct egraph graph;
    term_id before, after;
};
void matching_start(struct matching *matching, const struct example *example, bool fold,
                    enum float_reading reading);
void matching_end(struct matching *matching);
// The copy of a term of the programs, registered.
term_id matching_term(struct matching *matching, term_id term);

#endif
