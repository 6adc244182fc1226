// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "base/err.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

void clock_utc(char out[32])
{
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        BUG("the date cannot be read");
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

// Of this program: on Linux ru_maxrss knows also what ran in the process before
// exec, such as a copy of the interpreter that started it.
uint64_t memory_peak(void)
{
    char line[256];
    unsigned long long kib = 0;
    FILE *f = fopen("/proc/self/status", "r");
    while (f != NULL && kib == 0 && fgets(line, sizeof line, f))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtoull(line + 6, NULL, 10);
    if (f != NULL)
        fclose(f);
    struct rusage u;
    if (kib == 0 && getrusage(RUSAGE_SELF, &u) == 0)
        kib = (unsigned long long)u.ru_maxrss;
    return kib * 1024;
}
