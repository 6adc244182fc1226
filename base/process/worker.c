// SPDX-License-Identifier: Apache-2.0
#include "base/process/worker.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/process/confine.h"
#include "base/memory/vec.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_MEMORY 0 // its shadow is larger than any limit
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_MEMORY 0
#endif
#endif
#ifndef LIMIT_MEMORY
#define LIMIT_MEMORY 1
#endif

static void confine(const struct worker_limits *limits, pid_t parent)
{
    confine_to(parent);
    int none = open("/dev/null", O_RDWR);
    dup2(none, STDIN_FILENO);
    dup2(none, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    double left = limits->deadline - clock_wall();
    unsigned seconds = left > 0 ? (left < BASE_ALARM_MOST ? (unsigned)left : BASE_ALARM_MOST) : 0;
    confine_limit(RLIMIT_CORE, 0);
    if (LIMIT_MEMORY)
        confine_limit(RLIMIT_AS, memory_peak() + limits->memory);
    signal(SIGPIPE, SIG_DFL); // nobody listens any more: the end
    signal(SIGALRM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    alarm(seconds + BASE_CHILD_GRACE); // should the caller be killed
}

void worker_send(const struct worker_port *port, const void *message)
{
    size_t sent = 0;
    while (sent < port->size) {
        ssize_t n = write(port->fd, (const char *)message + sent, port->size - sent);
        if (n < 0 && errno != EINTR)
            _exit(1);
        sent += n > 0 ? (size_t)n : 0;
    }
}

// Until the worker closes its end or the deadline.
static bool listen_to(int fd, void (*take)(void *, const void *), void *arg, size_t size,
                      double deadline)
{
    char *message = mem_alloc(size + 1);
    size_t got = 0;
    bool open = true;
    while (open) {
        double left = deadline - clock_wall();
        if (left <= 0)
            break;
        struct pollfd p = {fd, POLLIN, 0};
        int ms = left < BASE_POLL_MOST ? (int)(left * 1000) + 1 : BASE_POLL_MOST * 1000;
        if (poll(&p, 1, ms) <= 0)
            continue; // a signal, or time
        ssize_t n = read(fd, message + got, size - got);
        if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
            open = false;
        got += n > 0 ? (size_t)n : 0;
        if (got == size) {
            take(arg, message);
            got = 0;
        }
    }
    mem_free(message);
    return !open;
}

enum worker_end worker_run(void (*work)(void *arg, const struct worker_port *),
                           void (*take)(void *arg, const void *message), void *arg, size_t size,
                           const struct worker_limits *limits)
{
    int ends[2];
    if (pipe(ends) != 0)
        return WORKER_ABSENT;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        confine(limits, parent);
        work(arg, &(struct worker_port){ends[1], size});
        _exit(0);
    }
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return WORKER_ABSENT;
    }
    bool ended = listen_to(ends[0], take, arg, size, limits->deadline);
    if (!ended)
        kill(pid, SIGKILL);
    close(ends[0]);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return WORKER_CRASHED;
    if (!ended)
        return WORKER_KILLED;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? WORKER_DONE : WORKER_CRASHED;
}
