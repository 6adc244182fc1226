// SPDX-License-Identifier: Apache-2.0
// The checker: replays a record on plain terms.  The checker shares with the
// finder only the meaning of terms, rules and instances (tensor/, rules/).  It
// has no search, no matching and no e-graph.
//
// For a RULE line it checks the instance (instance_check), evaluates every
// precondition (map and element), rebuilds both sides from the rule's text and
// compares them with the line's terms, and asks whether the rule is proved in
// the domains of the instance's element types.  FOLD and LAYOUT are computed
// again.  CONG and TRANS are compared part by part.  Every goal must have a
// proof and must be about the given programs.
#ifndef PROOF_PROGRAM_CHECK_H
#define PROOF_PROGRAM_CHECK_H

#include "proof/program/record.h"
#include "tensor/program/import.h"
#include "rules/instance/fire.h"

struct check_options {
    // Called once for each rule of the record.  False: *e says why the rule
    // must not be used at all.
    bool (*status)(void *ctx, const struct record_rule *r, struct rule_status *out, struct err *e);
    void *ctx;
    bool allow_assumed; // accept rules marked as assumed
};

// `input` and `output` are the programs read from the record's own texts (or
// from files that must say the same), over the same pool as the record.  They
// must have the same functions, parameters, result types, attributes and side
// effects in the same order.  False: *err (ERR_CHECK) names the wrong line or
// goal and the reason.
bool record_check(struct record *record, const struct program *input, const struct program *output,
                  const struct check_options *options, struct err *err);

#endif
