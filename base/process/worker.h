// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own, for code that may crash, print, eat memory or
// overrun its time: whatever becomes of it, worker_run comes back, with all
// that it had sent.
//
// The worker sees the memory as it was and shares nothing of what it writes.
// Its standard output and error lead nowhere.
#ifndef BASE_PROCESS_WORKER_H
#define BASE_PROCESS_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct worker_limits {
    double deadline; // clock_wall(), hard
    uint64_t memory; // bytes of address space beyond what the caller has used
};
enum worker_end {
    WORKER_DONE,
    WORKER_KILLED,  // at the deadline
    WORKER_CRASHED, // by itself
    WORKER_ABSENT,  // could not be started
};

// To where the worker sends; waits until it is taken.
struct worker_port {
    int fd;
    size_t size; // bytes of every message
};
void worker_send(const struct worker_port *port, const void *message);

// Runs work(arg, port) over there and take(arg, message) here, as messages of
// `size` bytes come.
enum worker_end worker_run(void (*work)(void *arg, const struct worker_port *),
                           void (*take)(void *arg, const void *message), void *arg, size_t size,
                           const struct worker_limits *limits);

#endif
