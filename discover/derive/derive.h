// SPDX-License-Identifier: Apache-2.0
// Does a rule follow from others?  A base of rules is made once and asked about
// many goals, in one domain.
//
//   base = derive_base_new(domain, &mem)
//   derive_add(base, rule, status) ..        any time; numbers count from 0
//   derive_goal(base, goal, &options, &mem, &answer)
//
// Two methods (docs/discovery.md):
//
//   terms      goal and base rules are equations between elements: operators on
//              elements over tensors of one shape, scalars, numbers.  Run once
//              on the terms themselves (egraph/plain/plain.h) it answers for all
//              ranks, sizes and values.  Element preconditions of the goal are
//              given, those of a base rule must follow.
//   instances  both sides are built at several ground instances of the goal
//              (sample.h), and each pair must become equal in an e-graph of its
//              own.  YES says so of these instances and of no others.
//
// A base rule is used only in domains in which its status says it is proved.
#ifndef DISCOVER_DERIVE_DERIVE_H
#define DISCOVER_DERIVE_DERIVE_H

#include "egraph/saturate.h"
#include "rules/rule.h"

enum derive_status {
    DERIVE_YES,
    DERIVE_NO,      // all that follows was looked at, and it is not there
    DERIVE_LIMIT,   // a limit was reached before
    DERIVE_UNKNOWN, // it cannot be asked; `reason` says why
};
const char *derive_status_text(enum derive_status status);

enum derive_method {
    DERIVE_AUTO,      // terms where they can say it; then instances
    DERIVE_TERMS,     // terms only
    DERIVE_INSTANCES, // instances only
};
const char *derive_method_text(enum derive_method method);

struct derive_base;
// The e-graph of an instance in which both sides are equal.
struct derive_proof {
    const struct rule *goal;
    uint32_t instance; // its number, from 0
    struct egraph *graph;
    const struct saturation *saturation;
    const uint32_t *rule_of; // by the saturation's numbers: of the base
    const struct instance *in;
    term_id lhs, rhs;
};

struct derive_options {
    enum derive_method method;
    bool lhs_only; // the start graph has the left side only
    bool backward; // base rules are used from right to left, too
    bool no_used;  // `used` is not wanted: less is recorded
    bool try_goal; // the goal may be false: what is derived at instances is
                   // searched for a counterexample at others, and UNKNOWN
                   // where there is one
    uint32_t max_nodes, max_rounds;
    double seconds;     // for one goal, by the wall; 0: none
    uint32_t instances; // how many must agree
    uint64_t seed;
    // By numbers of the base: true = is not used.  NULL: all are.
    const bool *without;
    // Called for each instance that was derived, its graph still there.
    void (*proved)(void *ctx, const struct derive_proof *p);
    void *ctx;
};
struct derive_options derive_defaults(void);

struct derive_answer {
    enum derive_status status;
    enum derive_method method; // that gave the answer
    bool same;                 // the goal is a rule of the base, proved there
    uint32_t instances;        // that were derived
    const char *reason;        // of all but YES; of `mem`
    const char *at;            // the instance that was not derived, or NULL
    uint32_t n_used;
    const uint32_t *used; // numbers of base rules, ascending; of `mem`
    uint32_t nodes, rounds;
    double seconds;
};

struct derive_base *derive_base_new(enum domain domain, struct arena *mem);
void derive_base_free(struct derive_base *base);
// The rule is borrowed.  Its number.
uint32_t derive_add(struct derive_base *base, const struct rule *rule, struct rule_status status);
uint32_t derive_count(const struct derive_base *base);
const struct rule *derive_rule(const struct derive_base *base, uint32_t i);
// Can the rule be used by `terms`?
bool derive_is_plain(const struct derive_base *base, uint32_t i);
// A rule of the base with the goal's hash is not used for it.
void derive_goal(const struct derive_base *base, const struct rule *goal,
                 const struct derive_options *options, struct arena *mem,
                 struct derive_answer *out);

// Which rules of the base suffice to derive all of it: needed[i] is false for
// those that the needed ones derive within the limits.  Rules are tried from
// the last to the first.
void derive_minimal(const struct derive_base *base, const struct derive_options *options,
                    bool *needed);

#endif
