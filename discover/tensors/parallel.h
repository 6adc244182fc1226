// SPDX-License-Identifier: Apache-2.0
// Jobs done by several processes: each sees the memory as it was when the crew
// started, and sends bytes.
//
// What comes out does not depend on the number of processes.  The jobs of a
// process that dies, from the one it died in, are lost, and counted.
#ifndef DISCOVER_TENSORS_PARALLEL_H
#define DISCOVER_TENSORS_PARALLEL_H

#include "base/text/buf.h"

struct parallel_jobs {
    unsigned processes;
    double seconds; // for all jobs; 0: no limit
    // In a process of its own.
    void (*work)(void *ctx, uint32_t job, struct buf *out);
    // Here, by ascending job, when all are done.
    void (*take)(void *ctx, uint32_t job, const char *at, size_t n);
    void *ctx;
    uint32_t lost;
};
bool parallel_run(struct parallel_jobs *parallel_jobs, uint32_t n_jobs, struct err *err);

#endif
