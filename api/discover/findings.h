// SPDX-License-Identifier: Apache-2.0
// The findings of include/rankwright/discovery.h, as they are made.
#ifndef API_DISCOVER_FINDINGS_H
#define API_DISCOVER_FINDINGS_H

#include "api/context.h"
#include "base/memory/arena.h"
#include "base/memory/vec.h"
#include "base/stop.h"

struct rw_findings {
    struct rw_context *context;
    struct arena mem; // of the findings
    VEC(struct rw_finding) at;
    VEC(struct rw_expected) records; // of the next finding
    VEC(const char *) names;         // rules of the next finding
    struct buf rules;                // all new rules
    const char *file;                // their name as a file; NULL: this work makes none
    struct buf counts;               // effort.json
    struct rw_effort effort;
    struct rw_progress progress; // what the work says of itself
    double start, told;          // seconds of the clock
    bool stopped;                // the caller wants no more
};

struct rw_findings *findings_new(struct rw_context *context, const char *stage);
// The members of the next finding.
void findings_name(struct rw_findings *findings, const char *rule);
void findings_record(struct rw_findings *findings, const char *name, const struct buf *text);
// Adds a finding about the rules that were named and shows it; takes the line of JSON and the
// text out of their buffers.  `found`: a new rule; may be NULL.
void findings_add(struct rw_findings *findings, const char *kind, struct buf *json,
                  struct buf *text, const char *found);
// Reports progress, and says whether the caller wants to stop.
struct stop findings_stop(struct rw_findings *findings);
// One of `total` rules is done.  True: the work goes on.
bool findings_step(struct rw_findings *findings);
// Ends the work; takes the counts out of their buffer.  Not ok: gives the error and returns NULL.
struct rw_findings *findings_end(struct rw_findings *findings, bool ok, const struct err *err,
                                 struct rw_error *error);

#endif
