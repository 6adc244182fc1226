// SPDX-License-Identifier: Apache-2.0
// Restrictions that a forked process puts on itself first.
#ifndef BASE_PROCESS_CONFINE_H
#define BASE_PROCESS_CONFINE_H

#include <stdint.h>
#include <sys/types.h>

// A limit of setrlimit(2), never raised.
void confine_limit(int what, uint64_t value);
// Makes this process end when its parent ends, for any reason.  Exits at once if
// the parent has ended already.
void confine_to(pid_t parent);

#endif
