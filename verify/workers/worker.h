// SPDX-License-Identifier: Apache-2.0
// The worker's half of the pool (pool.h).
#ifndef VERIFY_WORKERS_WORKER_H
#define VERIFY_WORKERS_WORKER_H

#include "verify/workers/pool.h"
#include <sys/types.h>

#define WORKER_EXIT_MEMORY 97

struct worker_job {
    const struct rule *const *rules;
    uint32_t n;
    const struct worker_options *options;
    double seconds;   // of a rule; 0: no limit
    const char *late; // the reason when they are over
    uint64_t memory;  // bytes of address space
    pid_t parent;
    int in, out;
};
_Noreturn void worker_main(const struct worker_job *job);

#endif
