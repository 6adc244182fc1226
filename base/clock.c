// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/err.h"
#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t id)
{
    struct timespec t;
    if (clock_gettime(id, &t) != 0)
        BUG("the clock cannot be read");
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double clock_wall(void)
{
    return seconds(CLOCK_MONOTONIC);
}

double clock_cpu(void)
{
    return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static double of_timeval(struct timeval t)
{
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

double clock_cpu_children(void)
{
    struct rusage u;
    if (getrusage(RUSAGE_CHILDREN, &u) != 0)
        BUG("the clock cannot be read");
    return of_timeval(u.ru_utime) + of_timeval(u.ru_stime);
}

uint64_t memory_peak(void)
{
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u) != 0)
        return 0;
    return (uint64_t)u.ru_maxrss * 1024; // Linux counts in KiB
}
