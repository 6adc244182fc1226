// SPDX-License-Identifier: Apache-2.0
// Databases into one: a part of rankwright.h, which programs include.
#ifndef RANKWRIGHT_MERGING_H
#define RANKWRIGHT_MERGING_H

struct rw_merge_options {
    size_t size;
    bool reprove;                         // proves the rules again, and trusts no source
    const struct rw_prove_options *prove; // how; NULL: the defaults
    double wait;                          // seconds for locks of the sources; 0: 60
};
struct rw_merged {
    uint32_t rules, new_rules, verdicts, kept, records;
    uint32_t stale;          // verdicts of other versions, left out
    uint32_t refused;        // rules or verdicts that are malformed or do not replay
    uint32_t cut, failed;    // last lines without an end; lines about candidates that were no rules
    uint32_t unconfirmed;    // proved in a source, unknown here
    uint32_t contradictions; // a bug, a solver's error, or a source that was tampered with
};
// Takes the rules, verdicts and records of databases, and of files with the lines of `rankwright
// prove --worker`, into the database.  Counterexamples are run again; proofs are taken on trust,
// unless they are proved again.  *text (may be NULL) gets a line for each contradiction, also of
// a call that fails.  Only with `reprove` it can be cancelled; verdicts that were stored stay.
RW_API bool rw_merge(struct rw_database *database, const char *const *sources, size_t n_sources,
                     const struct rw_merge_options *options, struct rw_merged *merged, char **text,
                     struct rw_error *error);

#endif
