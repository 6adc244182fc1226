// SPDX-License-Identifier: Apache-2.0
// True rules from a false one: the domains in which it holds, a precondition on
// maps or elements under which it does, or another right side (attributes
// solved anew, a small edit).
//
// P1  Every repair is proved in every domain of `proved`, and claims these.
// P2  Its sides differ, and its preconditions can be met: the prover shows an
//     instance with an element (NONEMPTY, verify/decide.h).
#ifndef DISCOVER_REPAIR_H
#define DISCOVER_REPAIR_H

#include "discover/learn.h"

enum repair_kind {
    REPAIR_DOMAINS, // the rule as it is, elsewhere
    REPAIR_MAPS,    // a precondition on maps
    REPAIR_ATTRIBUTES,
    REPAIR_EDIT,
    REPAIR_ELEMENTS, // a precondition on elements
    REPAIR_EDIT_AND_ELEMENTS,
    N_REPAIR_KINDS,
};
const char *repair_kind_text(enum repair_kind k);

struct repair {
    enum repair_kind kind;
    const struct rule *rule; // in the learner's set
    unsigned proved;
    const char *what;
};
struct repairs {
    VEC(struct repair) at;      // at most one of each kind
    const char *counterexample; // of the rule as it was; NULL: none was found
    unsigned already;           // claimed domains in which it is proved
    uint32_t tried;
    double seconds;
};
struct repair_options {
    uint32_t proofs; // most that are tried; 0: default
    double seconds;  // a net; 0: default
};
// `all`: looks for one of each kind; else the first ends it.
void repair(struct learner *l, const struct rule *r,
            const struct repair_options *o, bool all, struct repairs *out);
void repairs_release(struct repairs *r);

#endif
