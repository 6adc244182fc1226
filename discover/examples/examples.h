// SPDX-License-Identifier: Apache-2.0
// From two concrete programs to the most general rule behind them.
//
//   read      both programs as trees; which dimensions are one axis (axes.c)
//   classes   axes with one role are one class (classes.c)
//   free      every size, attribute and constant of the left side is unknown (slots.c)
//   solve     the attributes of the right side, class by class (solve.c)
//   settle    preconditions, from instances and from counterexamples; proof (settle.c)
//   match     the pair must be an instance (match.c)
//
// Of a pair that is not equal, the rule is written as it would be, and repaired (near.c).
//
// X1  The rule is proved by prove_rule in every domain that it claims.
// X2  The rule rewrites the program before into the program after: the matcher says so.
#ifndef DISCOVER_EXAMPLES_EXAMPLES_H
#define DISCOVER_EXAMPLES_EXAMPLES_H

#include "discover/generalize/generalize.h"
#include "tensor/program/program.h"

struct example {
    const struct program *program; // has both functions
    term_id before, after;         // of one store; parameters have equal numbers
    term_id plain[2];              // what trees are made of: equal to them by laws of layout
    term_id unfolded;              // after, with reshapes as reductions: equal at the pair's sizes
    // What stands in both plain programs below the operations that they have in common, and the
    // second one unfolded; NO_TERM: they have none in common.
    term_id inner[2], inner_unfolded;
};
// Adds the plain programs to the terms of `program`.
void example_start(struct example *example, struct program *program, term_id before, term_id after);
enum example_answer {
    EXAMPLE_RULE,
    EXAMPLE_LAYOUT, // the programs differ in the order of dimensions only
    EXAMPLE_UNKNOWN,
};
enum example_match {
    MATCH_NONE,   // the rule does not match the program before as a whole
    MATCH_BEFORE, // it does, and makes another program than the one after
    MATCH_PAIR,   // it rewrites the program before into the program after
    MATCH_LAYOUT, // laws of layout do so without a rule
};
struct example_rule {
    enum example_match match;
    bool direct; // the instance was built from the pair; the matcher does not find it
    enum example_answer answer;
    const struct rule *rule; // in the learner's set
    unsigned proved;
    struct generalization general; // its last steps; `needs`: why each precondition is there
    struct report report; // a proof of the rule by itself, in every domain that its types allow
    // Before operators became variables, and its proof in floats if a variable stands for a monoid:
    // that one says nothing of sums of floats.
    const struct rule *narrow;
    struct report own;
    const char *why;    // unknown: what is missing
    const char *change; // of a rule near to a wrong pair: what was changed; NULL: it is not one
};
void learn_example(struct learner *learner, const struct example *example,
                   struct example_rule *out);
// A true rule near to that of a pair which is not equal, if one is found (near.c).
void learn_near(struct learner *learner, const struct example *example, struct example_rule *out);
// The verdicts of the rule that the engine asks for.
struct rule_status example_rule_status(const struct example_rule *found);
void example_rule_release(struct example_rule *found);

#endif
