// SPDX-License-Identifier: Apache-2.0
#include "base/process/confine.h"
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

void confine_limit(int what, uint64_t value)
{
    struct rlimit limit;
    if (getrlimit((__rlimit_resource_t)what, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > value)
        limit.rlim_cur = limit.rlim_max = (rlim_t)value;
    setrlimit((__rlimit_resource_t)what, &limit);
}

void confine_to(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL); // outlives exec
#endif
    if (getppid() != parent)
        _exit(1);
}
