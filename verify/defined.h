// SPDX-License-Identifier: Apache-2.0
// Has the right side a value wherever the left side has one?
//
// Over the reals x/0, the logarithm of a negative number and the like have no value, and an
// element that is computed from a part without a value has none.  The normal forms of
// arithmetic do not keep that: they cancel log(A) - log(A).  So a claim that rests on them
// needs this obligation besides (docs/proving.md, "Where a side has no value").
#ifndef VERIFY_DEFINED_H
#define VERIFY_DEFINED_H

#include "verify/methods.h"
#include "verify/partial.h"

// The rule, in `mem`, with one more type variable, i1, unless it has that or its right side
// has a value everywhere.  A session about the result can state the conditions.
const struct rule *defined_rule(const struct rule *rule, struct arena *mem);

// The domains, among those of `mask`, in which a part of the right side may have no value.
unsigned defined_domains(const struct rule *rule, unsigned mask);

// Proves the obligation in the domain, for all ranks.  On failure session->reason says which
// part may have no value.
bool defined_prove(struct session *session, const struct methods *methods, enum domain domain,
                   enum proved_how how);

#endif
