// SPDX-License-Identifier: Apache-2.0
// The elements obligation by the methods that cover all ranks: instance by instance up to
// the rank bound, the AND-closure, coefficient functions; and the ladder of rungs that each
// of them climbs.
#ifndef VERIFY_METHODS_H
#define VERIFY_METHODS_H

#include "verify/ranks/bound.h"
#include "verify/ranks/closure.h"

#define METHOD_RANK "rank-bounded"
#define METHOD_CLOSURE "and-closure"
#define METHOD_BOTH "rank-bounded, and-closure"
#define METHOD_COEFF "coefficients"

// The state of the elements obligation over all domains.
struct method_outcome {
    bool proved[N_DOMAINS];
    enum rung rung[N_DOMAINS];
    const char *reason[N_DOMAINS];
    const char *method[N_DOMAINS];
    unsigned certain[N_DOMAINS]; // mask of rungs: an exact countermodel exists
};

// State shared by the methods that cover all ranks.
struct methods {
    struct rank_bound bound;
    struct closure closure;
    bool begun;    // the closure was built
    unsigned done; // domains proved by coefficient functions
};

// Gives the same answer for every domain of the mask.
void method_settle(struct method_outcome *out, unsigned mask, bool proved, enum rung rung,
                   const char *reason);
// Proves the obligation in the domains of the mask, by the method that the options name.
void methods_prove(struct session *session, struct methods *methods, unsigned mask,
                   struct method_outcome *out);
// "too many instances (..)", in the report.
const char *too_many_instances(struct session *session, const struct methods *methods);
// Does `prove` succeed at every combination of ranks up to the bound?  If there are
// reductions, the largest comes first: it fixes which reductions are matched, and the others
// must follow.
typedef bool (*prove_at_rank)(struct session *session, const uint32_t *rank, void *ctx);
bool methods_each_instance(struct session *session, const struct rank_bound *bound,
                           prove_at_rank prove, void *ctx);
// Proves every instance up to the bound, on one rung, in one domain or (-1) in all.
bool methods_prove_instances(struct session *session, struct methods *methods, enum rung rung,
                             int domain, unsigned mask, bool *certain);

#endif
