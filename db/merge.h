// SPDX-License-Identifier: Apache-2.0
// Merging of another source's rules into a database. Both may hold texts
// (names, families, doc comments), verdicts and remarks of the same rule.
//
// J1  The database afterwards is the join of its contents and the source's: the
//     order of merges, and their number, make no difference.
// J2  One rule is one transaction, with its text, names and verdicts.
// J3  Of two verdicts in a domain, the stronger one stays.  From the strongest
//     on: a contradiction of rankwright with itself (REASON_INTERNAL); proved
//     and refuted; an unconfirmed counterexample; unknown.  Of two equal
//     verdicts, the one on the lower rung stays, then the one with the better
//     grade, then the lesser one in an order of all fields.
// J4  If one verdict is proved and the other is refuted, with a counterexample
//     that replays, then both are replaced by unknown with the reason of a
//     contradiction.  A refutation that does not replay is ignored.
// J5  A name of a family that stands for two texts stays with the lesser hash.  The other
//     text is called NAME_ and the first 8 digits of its hash.  No rule is
//     hidden.
// J6  Of two texts (name, family, doc comment, origins, claims) of one rule,
//     the one with a name of its own stays before the one named after its hash,
//     then the one with the lesser family and source.
// J7  What the library of the database says is not written again. Its texts and its names
//     stand, and its verdicts take part in J3 and J4.
#ifndef DB_MERGE_H
#define DB_MERGE_H

#include "db/db.h"

// Where a verdict came from (table run); texts, NULL if never finished.
struct merge_run {
    const char *started, *finished, *command, *verifier, *semantics, *solver;
};

struct merge_name {
    const char *family, *name;
};

struct merge_rule {
    const struct rule *rule;     // parsed from its text
    const struct report *report; // any domains, or none
    uint32_t n_names;            // names that stand for the rule
    const struct merge_name *names;
    const struct merge_run *runs; // one for each domain of the report
};

// Questions that the database asks of the caller.
struct merge_judge {
    // true if this stored refutation still replays
    bool (*replays)(void *ctx, const struct rule *r, const struct domain_report *d);
    void *ctx;
    const char *disagree; // the reason of J4
};

struct merge_result {  // masks of domains
    bool fresh;        // the rule was not there
    bool changed;      // something was written
    unsigned taken;    // verdicts that came in
    unsigned kept;     // verdicts that were there and stayed
    unsigned disagree; // contradictions (J4) of this merge
    unsigned invalid;  // stored refutations that do not replay
    unsigned internal; // domains with a contradiction afterwards
};

bool db_merge_rule(struct db *db, const struct merge_rule *rule, const struct merge_judge *judge,
                   struct merge_result *res, struct err *err);

// The verdicts of the current versions in one reading, with obligations,
// counterexamples, remarks and (may be NULL) N_DOMAINS runs in the order of
// out->domains.  Fills a zeroed report; all texts are of its memory.
bool db_report(struct db *db, const char *hash, struct report *out, struct merge_run *runs,
               struct err *err);

// The names and the hashes for which they stand, by hash, family and name.
struct db_name {
    const char *hash;
    struct merge_name name;
};
struct db_names {
    struct arena mem;
    VEC(struct db_name) at;
};
bool db_names(struct db *db, struct db_names *out, struct err *err);
void db_names_release(struct db_names *names);

// Adds the proof records, with the rules that they used, that `db` does not
// have yet. Each record is one transaction.
bool db_merge_records(struct db *db, struct db *from, uint32_t *n, struct err *err);

#endif
