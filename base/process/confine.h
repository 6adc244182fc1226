// SPDX-License-Identifier: Apache-2.0
// What processes that were forked do to themselves first.
#ifndef BASE_PROCESS_CONFINE_H
#define BASE_PROCESS_CONFINE_H

#include <stdint.h>
#include <sys/types.h>

// A limit of setrlimit(2), never raised.
void confine_limit(int what, uint64_t value);
// Ends with the parent, however that ends; at once if it has ended already.
void confine_to(pid_t parent);

#endif
