// SPDX-License-Identifier: Apache-2.0
// A formula becomes an easier one: constants are recovered, the rules run on
// named terms (formula/rules/named.h) in the plain e-graph, the term that costs least
// to read is taken, and the reasons become a record (proof/formula/record.h).
#ifndef SIMPLIFY_SIMPLIFY_H
#define SIMPLIFY_SIMPLIFY_H

#include "formula/constants/constant.h"
#include "formula/language/formula.h"
#include "proof/formula/record.h"

struct simplify_options {
    uint32_t max_nodes, max_rounds;
    uint64_t max_steps;  // of all phases, as in run_steps; 0: none
    double seconds;      // of wall clock, only if a user asks; 0: none
    bool expand;         // named functions are written out in the result
    bool keep_constants; // no recovery
};
struct simplify_options simplify_defaults(void);

// All texts are borrowed.  The lines are those of named_rule, for a rule of
// this name.
#define LIFT_RULE_NAME "@"
struct simplify_rule {
    const char *hash, *name;
    const char *canonical; // for the record; NULL: callers fill in the texts of rules it uses
    const char *forward, *backward;
    bool defines; // a function
    bool assumed;
};
struct simplify_result {
    fterm term; // the result
    double cost_before, cost_after;
    struct u32_vec conditions; // givens of the record that the proof uses and
                               // that a reader must know: declared or defined
    uint32_t nodes, rounds;
    const char *stopped; // "saturated", "nodes", ...
    bool cut;            // a limit ended the search: simplified again, it may become easier
    bool no_value;       // the givens contradict that the formula has a value:
                         // the term is the formula as it was
};
// A request to simplify one formula; all pointers are borrowed.
struct simplify_request {
    const char *input; // the text that the formula was read from
    const struct fdefines *defs;
    uint32_t n_rules;
    const struct simplify_rule *rules;
    const struct simplify_options *options;
};
// Fills *out and *record; the caller releases both.  The record borrows the texts
// of the rules.  formula->term becomes the term with recovered constants, and the
// formula gets the conditions under which it has a value.
bool simplify_formula(struct formula *formula, const struct simplify_request *request,
                      struct simplify_result *out, struct formula_record *record, struct err *err);
void simplify_result_release(struct simplify_result *simplify_result);

#endif
