// SPDX-License-Identifier: Apache-2.0
// Which rules follow from others, within limits that are stated; a row of text
// or JSON for each answer, and records as proofs.
#ifndef API_DISCOVER_DERIVATION_H
#define API_DISCOVER_DERIVATION_H

#include "api/context.h"
#include "db/db.h"
#include "discover/derive/derive.h"

struct derivation {
    const struct rw_context *context;
    struct derive_options options;
    unsigned domains;   // 0: one for each goal
    const char *proofs; // folder of records; NULL: none
    bool json;
    // gets what is told, from answer to answer, and clears it
    bool (*tell)(void *user, struct buf *out, struct err *e);
    void *user;
    // the base
    struct arena mem;
    VEC(const struct rule *) rule;
    VEC(struct rule_status) status;
    VEC(bool) assumed; // not proved
    struct derive_base *base[N_DOMAINS];
    // answers
    uint32_t counts[4]; // by derive_status
    uint32_t same;      // that are in the base
    struct buf out;
    // of the goal that is asked
    enum domain domain;
    const struct rule *goal;
    uint32_t n_records;
    bool only_used; // a record at one instance
    struct err failure;
};

// The rules of `from` that are proved (db NULL: that claim to hold), and those
// that are given; either may be NULL.
bool derivation_load(struct derivation *run, const struct ruleset *from,
                     const struct ruleset *given, struct db *db, struct err *err);
bool derivation_ask(struct derivation *run, const struct ruleset *goals, struct err *err);
// Which rules of the base derive the others.
bool derivation_minimal(struct derivation *run, struct err *err);
void derivation_release(struct derivation *run);

#endif
