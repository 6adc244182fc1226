// SPDX-License-Identifier: Apache-2.0
// Limits of the checkers of records, and of records for readers.
#ifndef PROOF_LIMITS_H
#define PROOF_LIMITS_H

#include "base/limit.h"

// clang-format off
#define PROOF_LIMITS(X) \
    X(PROOF_CONDITIONS, 32, "conditions", "that are known to hold at one place of a formula") \
    X(PROOF_PARTIAL_STEPS, 50000, "steps", \
      "of one search for places where a formula has no value") \
    X(PROOF_PARTIAL_DEPTH, 2000, "levels", "of a formula: recursions stay within the stack") \
    X(PROOF_FORMULA_AXES, 256, "axes", "of a formula: sets of axes are a few words (AXIS_SET)") \
    X(PROOF_FLAT_ARGUMENTS, 1 << 16, "arguments", "of one sum without its brackets") \
    X(PROOF_FLAT_KEYS, 1 << 24, "keys", "of all sums of a record without their brackets") \
    X(PROOF_PATTERN_DEPTH, 64, "levels", "of a pattern of a plain rule") \
    X(PROOF_PATTERNS, 8, "patterns", "of one side of a plain rule") \
    X(PROOF_RIGHT_SIDES, 8, "right sides", "of a plain rule") \
    X(PROOF_GUARDS, 8, "guards", "of one right side of a plain rule") \
    X(PROOF_GUARD_ARGUMENTS, 4, "arguments", "of a guard of a plain rule, without its result") \
    X(PROOF_MATCHES, 100000, "matches", "tried for the patterns of one use of a plain rule") \
    X(PROOF_INSTANCE_AXES, 4096, "axes", "of an instance of a rule in a record") \
    X(PROOF_TERM_DEPTH, 3, "levels", "of a term that an explanation shows") \
    X(PROOF_TERM_SHOWN, 160, "bytes", \
      "of a term that an explanation shows; its place is what counts") \
    X(PROOF_STEPS_NESTING, 5000, "levels", "of a proof's lines that become steps; bounds the stack") \
    X(PROOF_TEXT_STEPS, 2000, "steps", "of a formula's proof as text; parts of longer ones are one") \
    X(PROOF_PAGE_STEPS, 200, "steps", "of a formula's proof on a page; parts of longer ones are one") \
    X(PROOF_PAGE_DIFF, 1 << 24, "steps", "of one comparison of the lines or words of two programs") \
    X(PROOF_KERNEL_PRODUCTS, 600, "products", "of one sum that is compared; longer ones count as different") \
    X(PROOF_KERNEL_FACTS, 200, "facts", "while two values are compared case by case") \
    X(PROOF_KERNEL_TOKENS, 1 << 20, "words", "of a kernel's record") \
    X(PROOF_KERNEL_DEPTH, 400, "levels", "of a term in a kernel's record") \
    X(PROOF_REGIONS, 1 << 24, "regions", "with a number of their own, of a program and its copies")
// clang-format on

enum { PROOF_LIMITS(LIMIT_CONSTANT) };

extern const struct limit proof_limits[];
extern const unsigned n_proof_limits;

#endif
