// SPDX-License-Identifier: Apache-2.0
// What others have found out about a rule comes into a database: of the same
// rule both may hold texts (names, families, doc comments), verdicts, remarks.
//
// J1  What is there afterwards is the join of what was there and what came:
//     the order of merges, and their number, make no difference.
// J2  One rule is one transaction, with its text, names and verdicts.
// J3  Of two verdicts in a domain stays, from the strongest on: the one that
//     says rankwright contradicts itself (REASON_INTERNAL); proved and refuted;
//     what was not confirmed; unknown.  Of two that say the same, that on the
//     lower rung, with the better grade, and then the lesser one in an order of
//     all fields.
// J4  Where one says proved and the other refuted, with a counterexample that
//     replays, both are gone: unknown, and the reason is that of a
//     contradiction.  One that does not replay has no standing.
// J5  A name that stands for two texts stays with the lesser hash; the other is
//     called NAME_ and the first 8 digits of its hash.  No rule is hidden.
// J6  The text (name, family, doc comment, origins, claims) that stays of two
//     of one rule: one with a name of its own before one named after its hash,
//     then the lesser family and source.
#ifndef DB_MERGE_H
#define DB_MERGE_H

#include "db/db.h"

// Where a verdict came from (table run); texts, NULL if never finished.
struct merge_run {
    const char *started, *finished, *command, *verifier, *semantics, *solver;
};

struct merge_rule {
    const struct rule *rule;     // parsed from its text
    const struct report *report; // any domains, or none
    uint32_t n_names;            // that stand for it
    const char *const *names;
    const struct merge_run *runs; // one for each domain of the report
};

// What the caller knows that the database does not.
struct merge_judge {
    // Does this refutation, stored before, still replay?
    bool (*replays)(void *ctx, const struct rule *r, const struct domain_report *d);
    void *ctx;
    const char *disagree; // the reason of J4
};

struct merge_result {  // masks of domains
    bool fresh;        // the rule was not there
    bool changed;      // something was written
    unsigned taken;    // verdicts that came in
    unsigned kept;     // verdicts that were there and stayed
    unsigned disagree; // J4, just now
    unsigned invalid;  // refutations that were there and do not replay
    unsigned internal; // afterwards rankwright contradicts itself
};

bool db_merge_rule(struct db *db, const struct merge_rule *rule, const struct merge_judge *judge,
                   struct merge_result *res, struct err *err);

// The verdicts of the current versions in one reading, with obligations,
// counterexamples, remarks and (may be NULL) N_DOMAINS runs in the order of
// out->domains.  Fills a zeroed report; all texts are of its memory.
bool db_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
               struct err *err);

// Which names stand for which hashes, by hash and name.
struct db_name {
    const char *hash, *name;
};
struct db_names {
    struct arena mem;
    VEC(struct db_name) at;
};
bool db_names(struct db *db, struct db_names *out, struct err *err);
void db_names_release(struct db_names *names);

// Proof records and which rules they used, those that `db` does not have yet;
// each record is one transaction.
bool db_merge_records(struct db *db, struct db *from, uint32_t *n, struct err *err);

#endif
