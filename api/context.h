// SPDX-License-Identifier: Apache-2.0
// The state that all calls share: limits, callbacks for progress and remarks,
// and the caller's wish to stop.
#ifndef API_CONTEXT_H
#define API_CONTEXT_H

#include "api/error.h"
#include <stdatomic.h>

// X(name, least, most): the limits that rw_context_limit knows.
#define CONTEXT_LIMITS(X)                                                                          \
    X(workers, 1, 256)                                                                             \
    X(rule_seconds, 0.001, 1e6)                                                                    \
    X(worker_memory, 1048576, 1.1e12)                                                              \
    X(nodes, 1, 4e9)                                                                               \
    X(rounds, 0, 1e9)                                                                              \
    X(seconds, 0, 1e9)

enum context_limit {
#define X(name, least, most) LIMIT_##name,
    CONTEXT_LIMITS(X)
#undef X
        N_LIMITS
};

struct rw_context {
    bool given[N_LIMITS];
    double limit[N_LIMITS];
    bool (*progress)(void *user, const struct rw_progress *at);
    void *progress_user;
    void (*note)(void *user, const char *text);
    void *note_user;
    bool (*finding)(void *user, const struct rw_finding *finding);
    void *finding_user;
    atomic_bool cancelled; // also from other threads and signal handlers
};

// The limit, or `usual` if the caller set none.
double context_limit(const struct rw_context *context, enum context_limit which, double usual);
void context_note(const struct rw_context *context, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Reports progress; false: the caller wants to stop.
// Is a report due, some time after *told?  Then *told is now.
bool context_report_due(double *told);
bool context_progress(struct rw_context *context, const struct rw_progress *at);
// If the caller asked for a stop since the last answer, then fails with
// ERR_LIMIT.
bool context_continues(struct rw_context *context, struct err *err);

#endif
