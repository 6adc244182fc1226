// SPDX-License-Identifier: Apache-2.0
// Why a claim is unknown, in words for people who do not know the prover.  One table: the
// verifier takes its texts from here, and docs/proving.md lists them with what helps.  A reason
// may go on behind its text, with a place or an element type.
#ifndef RULES_REASONS_H
#define RULES_REASONS_H

// The start of the reasons that only say that no proof was found.
#define REASON_OPEN "no proof and no counterexample: "

// clang-format off
#define REASONS(X) \
    X(DIFFER,      REASON_OPEN "the elements of the two sides may differ") \
    X(SUMS,        REASON_OPEN "the sums of the two sides may differ") \
    X(REDUCTIONS,  REASON_OPEN "the reductions of the two sides may differ: ") \
    X(VALID,       "the right side may not be well-defined where the left side is: ") \
    X(SHAPE,       "the shapes of the two sides may differ: ") \
    X(UNDEFINED,   "the right side may have no value where the left side has one: ") \
    X(BLOCK,       "a block's size is known, and not that of each of its axes: ") \
    X(STEPS,       "the solver reached its limit") \
    X(NO_ANSWER,   "the solver has no answer") \
    X(CASES,       "too many cases: the elements depend on too many conditions at once") \
    X(LARGE,       "multiplied out, the elements have too many terms") \
    X(RANKS,       "too many ranks to prove one by one") \
    X(TYPES,       "arithmetic in more than four element types") \
    X(NO_TYPE,     "no element type has the numbers of the rule") \
    X(LITERAL,     "a number of the rule is rounded in some float formats") \
    X(FLOATS,      "arithmetic on floats is not decided in this domain: ") \
    X(INTEGERS,    "arithmetic on integers is not decided in this domain: ") \
    X(INFINITY,    "arithmetic on inf, lowest, highest or an extremum of nothing has no meaning in this domain") \
    X(NEVER,       "an element is never finite") \
    X(NO_SIZES,    "vacuous: no sizes and attributes were found that meet the preconditions and make the left side well-defined") \
    X(NO_ELEMENTS, "vacuous: no elements that meet the element conditions were found") \
    X(NO_TYPES,    "vacuous: no element types have the numbers of the rule")
// clang-format on

#define X(id, text) extern const char reason_##id[];
REASONS(X)
#undef X

#endif
