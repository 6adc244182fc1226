// SPDX-License-Identifier: Apache-2.0
// A formula becomes an easier one: constants are recovered, the rules run on
// named terms (formula/named.h) in the plain e-graph, the term that costs least
// to read is taken, and the reasons become a record (proof/formula_record.h).
#ifndef LIFT_LIFT_H
#define LIFT_LIFT_H

#include "formula/constant.h"
#include "formula/formula.h"
#include "proof/formula_record.h"

struct lift_options {
    uint32_t max_nodes, max_rounds;
    double seconds;      // of CPU time; 0: none
    bool expand;         // named functions are written out in the result
    bool keep_constants; // no recovery
};
struct lift_options lift_defaults(void);

// All texts are borrowed.  The lines are those of named_rule, for a rule of
// this name.
#define LIFT_RULE_NAME "@"
struct lift_rule {
    const char *hash, *name, *canonical;
    const char *forward, *backward;
    bool defines; // a function
    bool assumed;
};
struct lift_result {
    fterm term; // the result
    double cost_before, cost_after;
    struct u32_vec conditions; // givens of the record that the proof uses and
                               // that a reader must know: declared or defined
    uint32_t nodes, rounds;
    const char *stopped; // "saturated", "nodes", ...
    bool no_value;       // what is given, and that the formula has a value,
                   // contradict each other: the term is the formula as it was
};
// `input` is the text that f was read from.  *record is filled, with texts of
// the rules, which it borrows; the caller releases both.  f->term becomes the
// term with recovered constants, and f gets what is given of it.
bool lift_simplify(struct formula *f, const char *input,
                   const struct fdefines *defs, uint32_t n,
                   const struct lift_rule *rules, const struct lift_options *o,
                   struct lift_result *out, struct formula_record *record,
                   struct err *e);
void lift_result_release(struct lift_result *r);

#endif
