// SPDX-License-Identifier: Apache-2.0
// Work in a process of its own, for code that may crash, print, exhaust memory or
// overrun its time.  worker_run always returns, with every message that the worker
// sent before it ended.
//
// The worker has a copy of the caller's memory; its writes are not shared.  Its
// standard output and standard error are discarded.
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

// The end of the pipe that the worker writes to; worker_send blocks until the
// message is taken.
struct worker_port {
    int fd;
    size_t size; // bytes of every message
};
void worker_send(const struct worker_port *port, const void *message);

// Runs work(arg, port) in the worker, and take(arg, message) in this process for
// each message of `size` bytes.
enum worker_end worker_run(void (*work)(void *arg, const struct worker_port *),
                           void (*take)(void *arg, const void *message), void *arg, size_t size,
                           const struct worker_limits *limits);

#endif
