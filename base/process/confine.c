// SPDX-License-Identifier: Apache-2.0
#include "base/process/confine.h"
#include <signal.h>
#include <sys/mman.h>
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

// What a fault means, for the handler.  It runs on a stack of its own, since a stack that
// cannot grow is one of the faults.
static char handler_stack[64 << 10];
static size_t spare_bytes;
static int no_memory_status;

static void on_fault(int number)
{
    if (mmap(NULL, spare_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED)
        _exit(no_memory_status);
    signal(number, SIG_DFL);
    raise(number);
}

void confine_faults(size_t spare, int status)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGABRT};
    stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
    spare_bytes = spare;
    no_memory_status = status;
    if (sigaltstack(&stack, NULL) != 0)
        return;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigaction(faults[i], &action, NULL);
}
