// SPDX-License-Identifier: Apache-2.0
// Derives rules from others, within stated limits: a finding for each answer, with
// records as proofs.
#ifndef API_DISCOVER_DERIVATION_H
#define API_DISCOVER_DERIVATION_H

#include "api/discover/findings.h"
#include "db/db.h"
#include "discover/derive/derive.h"

struct derivation {
    struct rw_findings *findings;
    struct derive_options options;
    unsigned domains; // 0: one for each goal
    bool records;
    // the base
    struct arena mem;
    VEC(const struct rule *) rule;
    VEC(struct rule_status) status;
    VEC(bool) assumed; // not proved
    struct derive_base *base[N_DOMAINS];
    // answers
    uint32_t counts[4]; // by derive_status
    uint32_t same;      // goals that are in the base
    struct buf json, text;
    // of the current goal
    enum domain domain;
    const struct rule *goal;
    uint32_t n_records;
    bool only_used; // a record at one instance
    struct err failure;
};

// Adds to the base the proved rules of `from` (db NULL: all rules, in the
// domains that they claim), and the given rules.  Either may be NULL.
bool derivation_load(struct derivation *run, const struct ruleset *from,
                     const struct ruleset *given, struct db *db, struct err *err);
bool derivation_ask(struct derivation *run, const struct ruleset *goals, struct err *err);
// Finds rules of the base that derive the others.
void derivation_minimal(struct derivation *run);
// The domain in which a goal is asked if no domain is named: one that the rule claims.
bool derivation_domain(const struct rule *rule, enum domain *out);
void derivation_release(struct derivation *run);

#endif
