// SPDX-License-Identifier: Apache-2.0
#include "base/process/child.h"
#include "base/clock.h"
#include "base/limits.h"
#include "base/process/confine.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_NO_PROGRAM 127 // as a shell has it

static _Noreturn void become(const char *const *argv, int in, int out,
                             const struct child_limits *limits, pid_t parent)
{
    confine_to(parent);
    setpgid(0, 0);
    int none = open("/dev/null", O_WRONLY);
    // Pipes may stand where they would be overwritten.
    in = fcntl(in, F_DUPFD, 3);
    out = fcntl(out, F_DUPFD, 3);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(none, STDERR_FILENO);
    for (int fd = 3; fd < BASE_DESCRIPTORS; fd++)
        close(fd);
    unsigned seconds = (unsigned)limits->seconds + BASE_CHILD_GRACE;
    confine_limit(RLIMIT_CPU, seconds);
    confine_limit(RLIMIT_CORE, 0);
    confine_limit(RLIMIT_AS, limits->memory);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    alarm(seconds); // outlives exec
    // The array is of constant pointers to characters that exec leaves alone.
    union {
        const char *const *given;
        char *const *wanted;
    } args = {argv};
    execvp(argv[0], args.wanted);
    _exit(EXIT_NO_PROGRAM);
}

struct child_pipes {
    pid_t pid;
    int in, out; // -1: closed
    const struct buf *input;
    size_t written;
    struct buf *output;
    size_t start;
};

static void shut(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void send_some(struct child_pipes *pipes)
{
    const char *text = buf_text(pipes->input) + pipes->written;
    ssize_t n = write(pipes->in, text, pipes->input->len - pipes->written);
    if (n > 0)
        pipes->written += (size_t)n;
    else if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    if (n <= 0 || pipes->written == pipes->input->len)
        shut(&pipes->in);
}

static void take_some(struct child_pipes *pipes)
{
    char chunk[4096];
    ssize_t n = read(pipes->out, chunk, sizeof chunk);
    if (n > 0)
        buf_write(pipes->output, chunk, (size_t)n);
    else if (n == 0 || (errno != EINTR && errno != EAGAIN))
        shut(&pipes->out);
}

// Until the output ends or a limit is reached.
static enum child_end converse(struct child_pipes *pipes, const struct child_limits *limits)
{
    double deadline = clock_wall() + limits->seconds;
    while (pipes->out >= 0) {
        struct pollfd fd[2] = {{pipes->out, POLLIN, 0}, {pipes->in, POLLOUT, 0}};
        double left = deadline - clock_wall();
        if (left <= 0)
            return CHILD_TIME;
        if (poll(fd, 2, (int)(left * 1000) + 1) < 0)
            continue; // a signal
        if (fd[1].revents != 0)
            send_some(pipes);
        if (fd[0].revents != 0)
            take_some(pipes);
        if (pipes->output->len - pipes->start > limits->output)
            return CHILD_FLOOD;
    }
    return CHILD_ENDED;
}

// A program may close its output and go on.
static bool wait_until(pid_t pid, double deadline, int *status)
{
    for (;;) {
        pid_t done = waitpid(pid, status, WNOHANG);
        if (done == pid || (done < 0 && errno != EINTR))
            return done == pid;
        if (clock_wall() > deadline)
            return false;
        struct pollfd none = {-1, 0, 0};
        (void)poll(&none, 1, BASE_CHILD_WAIT);
    }
}

static enum child_end finish(struct child_pipes *pipes, enum child_end how, double deadline,
                             int *status)
{
    int raw = 0;
    bool ended = how == CHILD_ENDED && wait_until(pipes->pid, deadline, &raw);
    // Also what it may have started itself.
    kill(-pipes->pid, SIGKILL);
    if (!ended) {
        kill(pipes->pid, SIGKILL);
        while (waitpid(pipes->pid, &raw, 0) < 0 && errno == EINTR)
            continue;
        return how == CHILD_ENDED ? CHILD_TIME : how;
    }
    if (WIFSIGNALED(raw)) {
        *status = WTERMSIG(raw);
        return CHILD_CRASHED;
    }
    *status = WEXITSTATUS(raw);
    return *status == EXIT_NO_PROGRAM ? CHILD_ABSENT : CHILD_ENDED;
}

enum child_end child_run(const char *const *argv, const struct buf *input,
                         const struct child_limits *limits, struct buf *out, int *status)
{
    int to[2], from[2];
    *status = 0;
    if (pipe(to) != 0)
        return CHILD_ABSENT;
    if (pipe(from) != 0) {
        close(to[0]);
        close(to[1]);
        return CHILD_ABSENT;
    }
    double deadline = clock_wall() + limits->seconds;
    struct sigaction quiet = {.sa_handler = SIG_IGN}, old;
    sigaction(SIGPIPE, &quiet, &old);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0)
        become(argv, to[0], from[1], limits, parent);
    close(to[0]);
    close(from[1]);
    struct child_pipes pipes = {
        .pid = pid, .in = to[1], .out = from[0], .input = input, .output = out, .start = out->len};
    enum child_end how = CHILD_ABSENT;
    if (pid > 0) {
        setpgid(pid, pid); // whoever is first
        fcntl(pipes.in, F_SETFL, O_NONBLOCK);
        fcntl(pipes.out, F_SETFL, O_NONBLOCK);
        how = finish(&pipes, converse(&pipes, limits), deadline, status);
    }
    shut(&pipes.in);
    shut(&pipes.out);
    sigaction(SIGPIPE, &old, NULL);
    return how;
}
