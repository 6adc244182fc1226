// SPDX-License-Identifier: Apache-2.0
// Runs jobs in several processes.  Each process sees the memory as it was when the
// jobs started, and sends its results as bytes.
//
// The result does not depend on the number of processes.  If a process dies, its
// jobs from the current one on are lost and counted.
#ifndef DISCOVER_TENSORS_PARALLEL_H
#define DISCOVER_TENSORS_PARALLEL_H

#include "base/text/buf.h"

struct parallel_jobs {
    unsigned processes;
    double seconds; // limit for all jobs; 0: no limit
    // Called in a process of its own.
    void (*work)(void *ctx, uint32_t job, struct buf *out);
    // Called in the calling process, by ascending job, after all jobs are done.
    void (*take)(void *ctx, uint32_t job, const char *at, size_t n);
    void *ctx;
    uint32_t lost;
};
bool parallel_run(struct parallel_jobs *parallel_jobs, uint32_t n_jobs, struct err *err);

#endif
