// SPDX-License-Identifier: Apache-2.0
// Merging of sources into a database: db/merge.h has the rules for two
// verdicts.
//
// With reprove the sources are read twice.  The first pass takes the rules'
// texts and proves them here.  The second pass takes the sources' refutations,
// after trying them, and the names, which proving gives to the last text.
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
    // The target.  NULL: `open` gives it when there is something to put into it, so that
    // sources without a rule leave no new file behind if they are wrong.
    struct db *db;
    bool (*open)(void *user, struct db **out, struct err *err);
    void *user;
    double wait;        // for the locks of sources
    bool json;          // contradictions as objects
    uint32_t n_sources; // databases, and files with lines of verdicts
    const char *const *sources;
    // their outcomes
    struct merge_counts merge_counts;
    struct buf out; // a line for each contradiction
    // while it runs
    enum merge_pass pass;
    struct arena mem;
    VEC(const char *) hashes; // of all merged rules, to be proved again
    const char *path;         // the current source
};

// Fails if the source is the target's file, or is no file and must be read twice.
bool merge_source_usable(const char *path, const char *target, bool twice, struct err *err);
// Reports a contradiction between verdicts.
void merge_contradiction(struct merge_command *merge_command, const struct rule *rule,
                         enum domain domain, const char *why);
bool merge_all(struct merge_command *merge_command, struct err *err);
// Proves the sources' rules, and trusts no verdict of the sources.
bool merge_reprove(struct merge_command *merge_command, const struct rw_prove_options *options,
                   struct err *err);
// Appends the counts to the lines, as an object.
void merge_put_json(struct merge_command *merge_command);
void merge_release(struct merge_command *merge_command);

#endif
