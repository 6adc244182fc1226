// SPDX-License-Identifier: Apache-2.0
// Does a rule follow from others?  A base of rules is made once and then asked
// about many goals, in one domain.
//
//   base = derive_base_new(domain, &mem)
//   derive_add(base, rule, status) ..        at any time; numbers count from 0
//   derive_goal(base, goal, &options, &mem, &answer)
//
// Two methods (docs/discovery.md):
//
//   terms      The goal and the base rules are equations between elements:
//              operators on elements over tensors of one shape, scalars, numbers.
//              One run on the terms themselves (egraph/plain/plain.h) answers for
//              all ranks, sizes and values.  The goal's element preconditions are
//              assumed; those of a base rule must be derived.
//   instances  Both sides are built at several ground instances of the goal
//              (sample.h).  Each pair must become equal in its own e-graph.  YES
//              is a statement about these instances only.
//
// A base rule is used only in domains in which its status says proved.
#ifndef DISCOVER_DERIVE_DERIVE_H
#define DISCOVER_DERIVE_DERIVE_H

#include "base/stop.h"
#include "egraph/saturate.h"
#include "rules/rule.h"

enum derive_status {
    DERIVE_YES,
    DERIVE_NO,      // the rules saturated, and the goal is not derived
    DERIVE_LIMIT,   // a limit was reached first
    DERIVE_UNKNOWN, // the method cannot express the goal; `reason` says why
};
const char *derive_status_text(enum derive_status status);

enum derive_method {
    DERIVE_AUTO,      // terms if they can express the goal; then instances
    DERIVE_TERMS,     // terms only
    DERIVE_INSTANCES, // instances only
};
const char *derive_method_text(enum derive_method method);

struct derive_base;
// The e-graph of an instance in which both sides are equal.
struct derive_proof {
    const struct rule *goal;
    uint32_t instance; // number of the instance, from 0
    struct egraph *graph;
    const struct saturation *saturation;
    const uint32_t *rule_of; // number in the base, by number in the saturation
    const struct instance *in;
    term_id lhs, rhs;
};

struct derive_options {
    enum derive_method method;
    bool lhs_only; // the start graph has the left side only
    bool backward; // base rules are also used from right to left
    bool no_used;  // the caller does not need `used`, so less is recorded
    bool try_goal; // the goal may be false: if it is derived at instances,
                   // others are searched for a counterexample, and the
                   // answer is UNKNOWN if there is one
    uint32_t max_nodes, max_rounds;
    uint64_t max_steps; // effort of one graph; 0: no limit
    double seconds;     // of wall clock for one goal, only if a user asks; 0: no limit
    struct stop stop;   // asked after every round at an instance
    uint32_t instances; // how many instances must be derived
    uint64_t seed;
    // By number of the base rule: true = the rule is not used.  NULL: all rules are
    // used.
    const bool *without;
    // Called for each derived instance while its graph still exists.
    void (*proved)(void *ctx, const struct derive_proof *p);
    void *ctx;
};
struct derive_options derive_defaults(void);

struct derive_answer {
    enum derive_status status;
    enum derive_method method; // the method that gave the answer
    bool same;                 // the goal equals a rule of the base that is proved in the domain
    uint32_t instances;        // number of derived instances
    const char *reason;        // of every answer except YES; owned by `mem`
    const char *at;            // the instance that was not derived; may be NULL
    uint32_t n_used;
    const uint32_t *used; // numbers of base rules, ascending; owned by `mem`
    uint32_t nodes, rounds;
    double seconds;
};

struct derive_base *derive_base_new(enum domain domain, struct arena *mem);
void derive_base_free(struct derive_base *base);
// Returns the number of the rule.  The rule is borrowed.
uint32_t derive_add(struct derive_base *base, const struct rule *rule, struct rule_status status);
uint32_t derive_count(const struct derive_base *base);
const struct rule *derive_rule(const struct derive_base *base, uint32_t i);
// Can the method `terms` use the rule?
bool derive_is_plain(const struct derive_base *base, uint32_t i);
// A base rule with the hash of the goal is not used for the goal.
void derive_goal(const struct derive_base *base, const struct rule *goal,
                 const struct derive_options *options, struct arena *mem,
                 struct derive_answer *out);

// Finds rules of the base that suffice to derive the base: needed[i] is false
// for a rule that the needed rules derive within the limits.  Rules are tried
// from the last to the first.
void derive_minimal(const struct derive_base *base, const struct derive_options *options,
                    bool *needed);

#endif
