// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/parallel.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "base/process/confine.h"
#include "base/memory/vec.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct job_header {
    uint32_t job;
    uint32_t bytes;
};

static bool write_all(int fd, const void *at, size_t n)
{
    const char *text = at;
    while (n > 0) {
        ssize_t k = write(fd, text, n);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        text += k;
        n -= (size_t)k;
    }
    return true;
}

static _Noreturn void process(struct parallel_jobs *parallel_jobs, unsigned k, unsigned of,
                              uint32_t n, int fd, pid_t parent)
{
    confine_to(parent);
    (void)signal(SIGINT, SIG_IGN); // the parent decides when to stop
    for (uint32_t i = k; i < n; i += of) {
        struct buf out = {0};
        parallel_jobs->work(parallel_jobs->ctx, i, &out);
        struct job_header job_header = {i, (uint32_t)out.len};
        if (!write_all(fd, &job_header, sizeof job_header) || !write_all(fd, out.at, out.len))
            _exit(1);
        buf_release(&out);
    }
    _exit(0);
}

static void read_all(struct parallel_jobs *parallel_jobs, unsigned n, int *fd, struct buf *got)
{
    double end = parallel_jobs->seconds > 0 ? clock_wall() + parallel_jobs->seconds : 0;
    unsigned open = n;
    while (open > 0) {
        struct pollfd p[SEARCH_PROCESSES];
        for (unsigned i = 0; i < n; i++)
            p[i] = (struct pollfd){.fd = fd[i], .events = POLLIN};
        int ready = poll(p, n, SEARCH_POLL_MS);
        if (end > 0 && clock_wall() > end)
            return;
        for (unsigned i = 0; i < n && ready > 0; i++) {
            char bytes[65536];
            if (fd[i] < 0 || p[i].revents == 0)
                continue;
            ssize_t k = read(fd[i], bytes, sizeof bytes);
            if (k < 0 && errno == EINTR)
                continue;
            if (k > 0) {
                buf_write(&got[i], bytes, (size_t)k);
                continue;
            }
            (void)close(fd[i]);
            fd[i] = -1;
            open--;
        }
    }
}

struct piece {
    const char *at;
    size_t n;
};

static void hand_over(struct parallel_jobs *parallel_jobs, unsigned n, const struct buf *got,
                      uint32_t n_jobs)
{
    struct piece *piece = mem_alloc((n_jobs + 1u) * sizeof *piece);
    for (unsigned i = 0; i < n; i++)
        for (size_t at = 0; at + sizeof(struct job_header) <= got[i].len;) {
            struct job_header job_header;
            memcpy(&job_header, got[i].at + at, sizeof job_header);
            at += sizeof job_header;
            if (job_header.job >= n_jobs || at + job_header.bytes > got[i].len)
                break;
            piece[job_header.job] = (struct piece){got[i].at + at, job_header.bytes};
            at += job_header.bytes;
        }
    for (uint32_t i = 0; i < n_jobs; i++)
        if (piece[i].at != NULL)
            parallel_jobs->take(parallel_jobs->ctx, i, piece[i].at, piece[i].n);
        else
            parallel_jobs->lost++;
    mem_free(piece);
}

bool parallel_run(struct parallel_jobs *parallel_jobs, uint32_t n_jobs, struct err *err)
{
    unsigned n = parallel_jobs->processes == 0 ? 1 : parallel_jobs->processes;
    pid_t pid[SEARCH_PROCESSES];
    int fd[SEARCH_PROCESSES];
    struct buf got[SEARCH_PROCESSES] = {{0}};
    bool ok = true;
    unsigned started = 0;
    n = n > SEARCH_PROCESSES ? SEARCH_PROCESSES : n;
    n = n > n_jobs ? n_jobs : n;
    for (; started < n && ok; started++) {
        int pair[2];
        pid_t self = getpid();
        if (pipe(pair) != 0) {
            ok = err_set(err, ERR_IO, "pipe: %s", strerror(errno));
            break;
        }
        pid[started] = fork();
        if (pid[started] == 0) {
            (void)close(pair[0]);
            process(parallel_jobs, started, n, n_jobs, pair[1], self);
        }
        (void)close(pair[1]);
        fd[started] = pair[0];
        if (pid[started] < 0) {
            (void)close(pair[0]);
            ok = err_set(err, ERR_IO, "fork: %s", strerror(errno));
            break;
        }
    }
    if (ok)
        read_all(parallel_jobs, started, fd, got);
    for (unsigned i = 0; i < started; i++) {
        if (fd[i] >= 0) {
            (void)kill(pid[i], SIGKILL);
            (void)close(fd[i]);
        }
        while (waitpid(pid[i], NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (ok)
        hand_over(parallel_jobs, started, got, n_jobs);
    for (unsigned i = 0; i < started; i++)
        buf_release(&got[i]);
    return ok;
}
