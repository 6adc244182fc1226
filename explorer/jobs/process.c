// SPDX-License-Identifier: Apache-2.0
#include "explorer/jobs/process.h"

#include "base/limits.h"
#include "base/process/confine.h"
#include "explorer/limits.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

// The limit of address space is not set where the program reserves far more than it uses.
static void limit_memory(void)
{
#if !defined(__SANITIZE_ADDRESS__)
    confine_limit(RLIMIT_AS, (uint64_t)EXPLORER_JOB_MIB << 20);
#endif
}

static _Noreturn void become(const char *const *argv, int in, int out, int most, pid_t parent)
{
    confine_to(parent);
    setpgid(0, 0);
    // Pipes may stand where they would be overwritten.
    in = fcntl(in, F_DUPFD, 3);
    out = fcntl(out, F_DUPFD, 3);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    for (int fd = 3; fd < most; fd++)
        close(fd);
    confine_limit(RLIMIT_CPU, EXPLORER_JOB_CPU_SECONDS);
    confine_limit(RLIMIT_CORE, 0);
    confine_limit(RLIMIT_NOFILE, BASE_DESCRIPTORS);
    limit_memory();
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    // The array is of constant pointers to characters that exec leaves alone.
    union {
        const char *const *given;
        char *const *wanted;
    } args = {argv};
    execv(argv[0], args.wanted);
    _exit(127);
}

static int most_descriptors(void)
{
    struct rlimit limit;
    bool known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (1 << 16);
    return known ? (int)limit.rlim_cur : 1 << 16;
}

static bool pipes_open(int in[2], int out[2], struct err *err)
{
    if (pipe(in) != 0)
        return err_set(err, ERR_IO, "a job could not be started: %s", strerror(errno));
    if (pipe(out) != 0) {
        close(in[0]);
        close(in[1]);
        return err_set(err, ERR_IO, "a job could not be started: %s", strerror(errno));
    }
    return true;
}

bool process_start(struct job_process *process, const char *const *argv, const struct form *form,
                   struct err *err)
{
    int in[2], out[2], most = most_descriptors();
    pid_t parent = getpid();
    *process = (struct job_process){.in = -1, .out = -1};
    if (!pipes_open(in, out, err))
        return false;
    process->pid = fork();
    if (process->pid == 0)
        become(argv, in[0], out[1], most, parent);
    close(in[0]);
    close(out[1]);
    process->in = in[1];
    process->out = out[0];
    if (process->pid < 0) {
        shut(&process->in);
        shut(&process->out);
        return err_set(err, ERR_IO, "a job could not be started: %s", strerror(errno));
    }
    setpgid(process->pid, process->pid);
    fcntl(process->in, F_SETFL, O_NONBLOCK);
    fcntl(process->out, F_SETFL, O_NONBLOCK);
    form_write(form, &process->input);
    if (process->input.len == 0)
        shut(&process->in);
    return true;
}

static void send_some(struct job_process *process)
{
    while (process->in >= 0) {
        ssize_t n = write(process->in, process->input.at + process->written,
                          process->input.len - process->written);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            return;
        process->written += n > 0 ? (size_t)n : 0;
        if (n <= 0 || process->written == process->input.len)
            shut(&process->in);
    }
}

bool process_run(struct job_process *process)
{
    static char chunk[65536];
    send_some(process);
    // What is taken at a time is bounded, so that one process cannot hold up the others.
    for (int i = 0; i < 16 && process->out >= 0; i++) {
        ssize_t n = read(process->out, chunk, sizeof chunk);
        if (n > 0)
            buf_write(&process->output, chunk, (size_t)n);
        else if (n < 0 && errno == EAGAIN)
            break;
        else if (n == 0 || errno != EINTR)
            shut(&process->out);
    }
    return process->out >= 0;
}

void process_end(struct job_process *process)
{
    shut(&process->in);
    shut(&process->out);
    if (process->pid > 0) {
        // A process that has just closed its output has little left to do.
        struct pollfd none = {-1, 0, 0};
        for (int i = 0; i < 5; i++) {
            siginfo_t info = {0};
            if (waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
                info.si_pid != 0)
                break;
            (void)poll(&none, 1, 1);
        }
        kill(-process->pid, SIGKILL);
        kill(process->pid, SIGKILL);
        while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR)
            continue;
    }
    process->pid = 0;
    buf_release(&process->input);
    buf_release(&process->output);
}
