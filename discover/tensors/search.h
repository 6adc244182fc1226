// SPDX-License-Identifier: Apache-2.0
// Discovers rules about tensors.  Sketches are enumerated by size and evaluated on
// small arrays.  For pairs that agree often, the slots of the right side are
// solved for (solve.h).  Candidates are tried at random ground instances
// (trial.h), then proved.
//
//   enumerate.c  sketches, without those that a kept rule rewrites
//   table.c      values of right sides, looked up by values of left sides
//   solve.c      slots and preconditions
//   search.c     the order of work (core.h)
//
// N1  A rule is kept only if prove_rule proves it for the domains it claims.
// N2  Equal options (except jobs) give equal rules in equal order, unless the
//     clock ends the search.
// N3  With a journal, a run knows what earlier runs proved, and ends with the
//     same rules as a run that was never stopped.
#ifndef DISCOVER_TENSORS_SEARCH_H
#define DISCOVER_TENSORS_SEARCH_H

#include "base/err.h"
#include "base/stop.h"
#include "discover/sketch/enumerate.h"
#include "rules/rule.h"

struct search_progress {
    uint32_t classes, size;         // classes and operators of the current left sides
    uint32_t attributed;            // limit of slices and paddings of the current left sides
    uint64_t sketches, left, lefts; // left sides done, and in all
    uint64_t pairs, solved, broken, candidates, proved, refuted, unknown;
    uint64_t lost;        // left sides at which a process died
    uint64_t derived;     // candidates that kept rules derive
    uint64_t kept, known; // rules kept; answers found in the journal
    double seconds;
};
struct found_rules;
struct search_options {
    struct enumerate_options enumerate;
    unsigned size;    // operators of a side
    unsigned domains; // mask; 0: all
    uint64_t seed;
    double seconds; // 0: no limit
    unsigned jobs;
    const char *journal;         // file, or NULL
    const struct ruleset *known; // known rules: rules that they derive are
                                 // not kept; may be NULL
    // Called after rules were kept.
    bool (*kept)(void *ctx, const struct found_rules *f, struct err *e);
    void (*progress)(void *ctx, const struct search_progress *p);
    void *ctx;
    struct stop stop; // asked before every left side and after every proof: what was kept stays
};
struct found_rule {
    const char *text, *name;
    const struct rule *rule; // a rule of the caller's set
    unsigned proved;         // mask of domains
    bool conditional;
    bool undirected; // neither side costs less
};
struct found_rules {
    struct arena mem;
    VEC(struct found_rule) at;
    bool ended; // by the clock, a signal or the caller
};
void found_rules_release(struct found_rules *found);

bool search_rules(const struct search_options *options, struct ruleset *set,
                  struct found_rules *out, struct search_progress *p, struct err *err);

// As the search, for candidates that the caller gives as rules: they are tried,
// proved and kept in their order, as if they had been found.
bool search_judge(const struct search_options *options, const struct ruleset *given,
                  struct ruleset *set, struct found_rules *out, struct search_progress *p,
                  struct err *err);

#endif
