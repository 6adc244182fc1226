// SPDX-License-Identifier: Apache-2.0
// Sources of `merge`, read rule by rule: databases, opened for reading only,
// and the lines of `prove --worker`.  Nothing but verdicts is trusted: every
// rule is parsed and hashed again.
#ifndef API_PROVING_MERGE_SOURCE_H
#define API_PROVING_MERGE_SOURCE_H

#include "api/context.h"
#include "db/merge.h"

struct merge_source {
    const struct rw_context *context;
    const char *path; // "-": lines on standard input
    double wait;      // for the locks of databases
    // Called with each rule in turn.  False: stop.
    bool (*rule)(void *ctx, const struct merge_rule *m, struct err *e);
    void *ctx;
    bool quiet;      // writes no notes about bad lines
    uint32_t bad;    // lines and rules that cannot be read; each was noted
    uint32_t stale;  // verdicts of other versions, left out
    uint32_t cut;    // last lines without an end, of killed workers, left out
    uint32_t failed; // lines that say why a text was no candidate
};

// False if the source as a whole cannot be read.
bool merge_source_read(struct merge_source *source, struct err *err);
// The rule of a row, if its text has the row's hash.
const struct rule *stored_rule_read(const struct stored_rule *stored, struct ruleset *set,
                                    struct err *err);
// True if the path is a file with a database.  Nothing is read of a path that
// is no file, such as a pipe.  False with *err if the file cannot be read.
bool is_database(const char *path, bool *yes, struct err *err);

#endif
