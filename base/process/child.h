// SPDX-License-Identifier: Apache-2.0
// Another program, run on a text: standard input in, standard output out,
// within limits of time, memory and output.  child_run always returns: at a limit
// it kills the child's process group.
//
// P1  The child has no other open files.  The child ends if this process is
//     killed, and at the latest by its own alarm and CPU limit.
#ifndef BASE_PROCESS_CHILD_H
#define BASE_PROCESS_CHILD_H

#include "base/text/buf.h"
#include <stdbool.h>
#include <stdint.h>

struct child_limits {
    double seconds;  // wall clock, hard
    uint64_t memory; // bytes of address space
    size_t output;   // bytes
};
enum child_end {
    CHILD_ENDED,   // by itself: `status` is its exit status
    CHILD_CRASHED, // by a signal: `status` is its number
    CHILD_TIME,    // killed
    CHILD_FLOOD,   // killed: more output than allowed
    CHILD_ABSENT,  // could not be started
};

// argv ends with NULL; argv[0] is looked up in PATH.  Appends the output of the
// program to *out, even if the program was killed.
enum child_end child_run(const char *const *argv, const struct buf *input,
                         const struct child_limits *limits, struct buf *out, int *status);

#endif
