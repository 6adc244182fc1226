// SPDX-License-Identifier: Apache-2.0
// Merging: db/merge.h says what becomes of what two sources say.
//
// With reprove the sources are read twice: the rules' texts are taken in, and
// proved here; then the refutations that the sources have, which are checked by
// trying them, and names, which proving gives to the last one.
#ifndef API_PROVING_MERGE_H
#define API_PROVING_MERGE_H

#include "api/proving/proving.h"

enum merge_pass { ALL, TEXTS, REFUTATIONS };

struct merge_counts {
    uint32_t rules, fresh, verdicts, kept, unconfirmed;
    uint32_t bad, stale, cut, failed, records, contradictions;
};

struct merge_command {
    struct rw_context *context;
    struct db *db;
    double wait;        // for the locks of sources
    bool json;          // contradictions as objects
    uint32_t n_sources; // databases, and files with lines of verdicts
    const char *const *sources;
    // what became of them
    struct merge_counts merge_counts;
    struct buf out; // a line for each contradiction
    // while it runs
    enum merge_pass pass;
    struct arena mem;
    VEC(const char *) hashes; // of all rules that came, to be proved again
    const char *path;         // the source that is read
};

bool merge_all(struct merge_command *merge_command, struct err *err);
// Proves what the sources have, and trusts no verdict of theirs.
bool merge_reprove(struct merge_command *merge_command, const struct rw_prove_options *options,
                   struct err *err);
// Appends the counts to the lines, as an object.
void merge_put_json(struct merge_command *merge_command);
void merge_release(struct merge_command *merge_command);

#endif
