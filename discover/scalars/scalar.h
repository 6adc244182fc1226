// SPDX-License-Identifier: Apache-2.0
// Rules of a scalar theory: equations between terms of operators on elements,
// of booleans, machine words or real numbers.
//
// All terms up to a size stand in one flat e-graph.  Terms that agree on the
// inputs tried are candidates; the best is judged, and what follows from it and
// those before is merged, until no two classes agree any more.
//
// S1  a rule is kept only if prove_rule proves it in the domain, or, at one
//     width (`width`), if its sides agree for all inputs of that width; what of
//     such rules holds at all widths is then said by prove_rule.
// S2  `x / 0` of reals is a function of x of which nothing is known, as in the
//     verifier: so equations are two-way.  A rule that needs a divisor that is
//     not 0 says so in an element precondition.
// S3  equal options give equal rules, unless `seconds` ended the run.
#ifndef DISCOVER_SCALARS_SCALAR_H
#define DISCOVER_SCALARS_SCALAR_H

#include "discover/limits.h"
#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "base/err.h"
#include "rules/domain.h"
#include "tensor/language/op.h"

struct scalar_options {
    enum domain domain; // bool, int, word or real
    unsigned width;     // word: 2 or 4, that width alone; 0: every width
    uint32_t n_ops, n_vars, n_constants;
    enum op ops[SCALAR_MAX_OPS]; // of one or two arguments
    int64_t constants[SCALAR_MAX_CONSTANTS];
    uint32_t max_ops;   // operators of a side
    uint32_t max_depth; // and levels of them; 0: any number
    uint32_t max_terms; // 0: default
    uint32_t samples;   // inputs tried for each element type; 0: default
    uint64_t seed;
    double seconds;     // 0: no limit
    unsigned rlimit;    // of a proof; 0: default
    bool unconditional; // no rules with element preconditions
    bool keep_derived;  // what the others derive is not dropped in the end
};
struct scalar_options scalar_defaults(enum domain domain);
// Names of operators as in rules, comma separated ("and", "+", "mul").
bool scalar_ops(const char *text, struct scalar_options *options, struct err *err);
bool scalar_check(const struct scalar_options *options, struct err *err);

struct scalar_rule {
    const char *name;
    const char *lhs, *rhs; // as plain terms: (add ?a ?b)
    const char *text;      // as a rule
    bool conditional;
    bool proved; // else it holds at the width that was asked for only
};

struct scalar_stats {
    uint32_t terms, classes; // made; left
    uint32_t candidates;     // judged
    uint32_t proved, refuted, unknown;
    uint32_t derived;    // of the proved, from the others
    uint32_t one_width;  // of the kept, not proved at every width
    double seconds, cpu; // to find them
    double proving;      // of that: by the verifier
    double widening;     // and then to prove what was found at one width
    bool cut;            // a limit of terms or seconds was met
};

struct scalar_result {
    struct arena mem;
    VEC(struct scalar_rule) rule;
    struct scalar_stats stats;
};

void discover_scalar(const struct scalar_options *options, struct scalar_result *result);
void scalar_result_release(struct scalar_result *result);

#endif
