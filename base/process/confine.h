// SPDX-License-Identifier: Apache-2.0
// Restrictions that a forked process puts on itself first.
#ifndef BASE_PROCESS_CONFINE_H
#define BASE_PROCESS_CONFINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A limit of setrlimit(2), never raised.
void confine_limit(int what, uint64_t value);
// Makes this process end when its parent ends, for any reason.  Exits at once if
// the parent has ended already.
void confine_to(pid_t parent);
// A fault that would end this process while `spare` bytes more cannot be had is due to a lack
// of memory: a stack that cannot grow, a library that does not look at what malloc returns.
// It ends the process with the status instead of the signal.
void confine_faults(size_t spare, int status);

#endif
