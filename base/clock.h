// SPDX-License-Identifier: Apache-2.0
// Time and memory of this process.
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

double clock_wall(void);         // seconds, monotonic
double clock_cpu(void);          // seconds of CPU time of this process
double clock_cpu_children(void); // of its children that have ended
// The date and time as a note of when something was made, 2020-01-31T12:34:56Z.
void clock_utc(char out[32]);
uint64_t memory_peak(void); // bytes of peak resident memory

#endif
