// SPDX-License-Identifier: Apache-2.0
// Discovery of rules about tensors: sketches by size, evaluated on small
// arrays; pairs that agree often; what their slots have to be (solve.h); random
// ground instances (trial.h); proofs.  What is kept has a proof.
//
//   enumerate.c  sketches, without those that a kept rule rewrites
//   table.c      values of right sides, looked up by those of left sides
//   solve.c      slots and preconditions
//   search_*.c   the order of work (search_core.h)
//
// N1  A rule is kept only if prove_rule says so, for the domains it claims.
// N2  Equal options (but jobs) give equal rules, in equal order, unless the
//     clock ends the search.
// N3  With a journal, what was proved is known to the next run, which ends
//     with the same rules as one that was never stopped.
#ifndef DISCOVER_TENSORS_SEARCH_H
#define DISCOVER_TENSORS_SEARCH_H

#include "base/err.h"
#include "discover/sketch/enumerate.h"
#include "rules/rule.h"

struct search_progress {
    uint32_t classes, size;         // what is being looked at
    uint32_t attributed;            // at most so many slices and paddings
    uint64_t sketches, left, lefts; // left sides done, of how many
    uint64_t pairs, solved, broken, candidates, proved, refuted, unknown;
    uint64_t lost;        // left sides on which a process died
    uint64_t derived;     // from what is kept
    uint64_t kept, known; // answers that the journal had
    double seconds;
};
struct found_rules;
struct search_options {
    struct enumerate_options enumerate;
    unsigned size;    // operators of a side
    unsigned domains; // mask; 0: all
    uint64_t seed;
    double seconds;      // 0: no end
    double rule_seconds; // for the proof of one; 0: default
    unsigned jobs;
    const char *journal;         // file, or NULL
    const struct ruleset *known; // taken as given: what they derive is not
                                 // kept; or NULL
    // Called when rules were kept.
    bool (*kept)(void *ctx, const struct found_rules *f, struct err *e);
    void (*progress)(void *ctx, const struct search_progress *p);
    void *ctx;
};
struct found_rule {
    const char *text, *name;
    const struct rule *rule; // of the set given
    unsigned proved;         // mask of domains
    bool conditional;
    bool undirected; // neither side costs less
};
struct found_rules {
    struct arena mem;
    VEC(struct found_rule) at;
    bool ended; // by the clock or a signal
};
void found_rules_release(struct found_rules *found);

bool search_rules(const struct search_options *options, struct ruleset *set,
                  struct found_rules *out, struct search_progress *p, struct err *err);

// The same for candidates that are given as rules: they are tried, proved and
// kept as if they had been found, in their order.
bool search_judge(const struct search_options *options, const struct ruleset *given,
                  struct ruleset *set, struct found_rules *out, struct search_progress *p,
                  struct err *err);

#endif
