// SPDX-License-Identifier: Apache-2.0
// The proving half of the verifier: takes a rule, and returns PROVED or UNKNOWN for every
// domain.  It never returns REFUTED.  If a proof fails, it leaves hints (ranks and map
// values of a solver's model); counterexample/search.h searches from the hints for a
// concrete counterexample, and prove.h gives the verdict.  docs/proving.md has the
// argument behind every step.
//
//   H0        sizes >= 0, preconditions, left side well-defined
//   VALID     H0 => each condition of the right side, axis by axis
//   SHAPE     H0 => sizes equal, class by class
//   ELEMENTS  H0, right side well-defined, 0 <= i < size  =>  lhs[i] = rhs[i]
//   NONEMPTY  H0 and "the left side has an element" has a checked model
//   DEFINED   over the reals rhs[i] has a value wherever lhs[i] has one (defined.h)
//
// VALID, SHAPE and NONEMPTY speak of one axis of each rank class.  ELEMENTS is proved for
// every instance up to the bound (ranks/bound.h) of each rank class, or for every truth
// vector of the AND-closure (ranks/closure.h), or by coefficient functions
// (sums/coefficients.h).
//
// D1  A domain is PROVED only if all obligations hold in it.
// D2  Answers repeat: every limit counts steps.  The clock is read only to fill `seconds`, and
//     to stop at `seconds_per_rule` if the caller sets it.  A proof that is stopped there, or by
//     a lack of memory, is cut short: what it leaves open is UNKNOWN for that reason.
// D3  If one method proves a claim of which the other has an exact countermodel, the
//     verdict is UNKNOWN with REASON_METHODS: one of them has a bug.
// D4  If the second solver gives the opposite answer to a query, the verdict is UNKNOWN
//     with REASON_SOLVERS.  Goals that our normal forms close have no query.
#ifndef VERIFY_DECIDE_H
#define VERIFY_DECIDE_H

#include "verify/obligations/options.h"

#define REASON_METHODS REASON_INTERNAL "two methods of proof disagree"
#define REASON_SOLVERS REASON_INTERNAL "two solvers disagree"

// The remark of a rule about empty tensors.
#define REMARK_EMPTY "empty: along an axis the left side never has an element"

// Fills a zeroed report.  The rule must have passed the parser.
void decide_rule(const struct rule *rule, const struct decide_options *options, struct report *rep);

// The weaker grade that holds in float of a rule that is not proved there.  GRADE_NONE also
// if nothing could be proved within the limits.
// In *why (may be NULL) the reason for GRADE_NONE, or why the proof was cut short, in `mem`.
enum grade decide_grade(const struct rule *rule, const struct decide_options *options,
                        struct arena *mem, const char **why);

#endif
