// SPDX-License-Identifier: Apache-2.0
// Discovers rules of a scalar theory: equations between terms of operators on
// elements, over booleans, machine words or real numbers.
//
// All terms up to a size are in one flat e-graph.  Classes that agree on the
// inputs tried are candidates.  The best candidate is judged; if it holds, all
// that follows from it and the earlier ones is merged.  This repeats until no two
// classes agree.
//
// S1  A rule is kept only if prove_rule proves it in the domain.  At one width
//     (`width`), it is kept if its sides agree for all inputs of that width;
//     prove_rule then says which of these rules hold at all widths.
// S2  Over the reals, `x / 0` is an unknown function of x, as in the verifier;
//     so equations can be used in both directions.  A rule that needs a divisor
//     other than 0 says so in an element precondition.
// S3  Equal options give equal rules, unless `seconds` ended the run.
#ifndef DISCOVER_SCALARS_SCALAR_H
#define DISCOVER_SCALARS_SCALAR_H

#include "discover/limits.h"
#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "base/err.h"
#include "base/stop.h"
#include "rules/domain.h"
#include "tensor/language/op.h"

struct scalar_options {
    enum domain domain; // bool, int, word or real
    unsigned width;     // word: 2 or 4, that width alone; 0: every width
    uint32_t n_ops, n_vars, n_constants;
    enum op ops[SCALAR_MAX_OPS]; // operators of one or two arguments
    int64_t constants[SCALAR_MAX_CONSTANTS];
    uint32_t max_ops;   // operators of a side
    uint32_t max_depth; // levels of operators; 0: any number
    uint32_t max_terms; // 0: default
    uint32_t samples;   // inputs tried for each element type; 0: default
    uint64_t seed;
    double seconds;     // 0: no limit
    unsigned rlimit;    // limit of one proof; 0: default
    bool unconditional; // no rules with element preconditions
    bool keep_derived;  // rules that follow from others are kept
    struct stop stop;   // asked before every candidate: those that are judged are kept
};
struct scalar_options scalar_defaults(enum domain domain);
// Reads names of operators as in rules, comma separated ("and", "+", "mul").
bool scalar_ops(const char *text, struct scalar_options *options, struct err *err);
bool scalar_check(const struct scalar_options *options, struct err *err);

struct scalar_rule {
    const char *name;
    const char *lhs, *rhs; // as plain terms: (add ?a ?b)
    const char *text;      // as a rule
    bool conditional;
    bool proved; // false: it holds at the requested width only
};

struct scalar_stats {
    uint32_t terms, classes; // terms made; classes left
    uint32_t candidates;     // candidates judged
    uint32_t proved, refuted, unknown;
    uint32_t derived;    // proved rules that follow from the others
    uint32_t one_width;  // kept rules that are not proved at every width
    double seconds, cpu; // to find the rules
    double proving;      // part of that spent in the verifier
    double widening;     // to prove rules that were found at one width
    bool cut;            // a limit of terms or seconds was met, or the caller asked to stop
};

struct scalar_result {
    struct arena mem;
    VEC(struct scalar_rule) rule;
    struct scalar_stats stats;
};

void discover_scalar(const struct scalar_options *options, struct scalar_result *result);
void scalar_result_release(struct scalar_result *result);

#endif
