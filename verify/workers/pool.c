// SPDX-License-Identifier: Apache-2.0
#include "verify/workers/pool.h"
#include "base/clock.h"
#include "base/hash.h"
#include "verify/workers/worker.h"
#include "verify/workers/report.h"
#include "verify/limits.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define IDLE NONE
#define HASH_DIGITS 16

struct worker_process {
    pid_t pid;          // 0: none
    int in, out, noise; // request, answer, stderr
    uint32_t rule;      // IDLE or the index it works on
    bool fresh;         // it has answered nothing yet
    double started;     // at the rule
    struct buf line, said;
};

struct workers {
    const struct rule *const *rules;
    uint32_t n, next; // next rule to hand out
    const struct worker_options *options;
    double seconds; // 0: no limit
    char late[48];  // the reason when they are over
    uint64_t memory;
    struct report_sink sink;
    struct worker_process *worker;
    uint32_t jobs;
    struct workers_result *res;
    bool stop;
};

static volatile sig_atomic_t stop_signal;

static void on_signal(int s)
{
    stop_signal = s;
}

int workers_signal(void)
{
    return stop_signal;
}

int workers_take_signal(void)
{
    int taken = stop_signal;
    stop_signal = 0;
    return taken;
}

static void worker_close(struct worker_process *worker)
{
    close(worker->in);
    close(worker->out);
    close(worker->noise);
    buf_release(&worker->line);
    buf_release(&worker->said);
    *worker = (struct worker_process){.rule = IDLE};
}

static bool make_pipes(int (*p)[2])
{
    for (int i = 0; i < 3; i++)
        if (pipe(p[i]) != 0) {
            while (i-- > 0) {
                close(p[i][0]);
                close(p[i][1]);
            }
            return false;
        }
    return true;
}

// In the child: only its own ends of pipes stay open.  Otherwise a worker would keep the
// pipes of others alive after the parent's end.
static void child_setup(struct workers *ws, int (*p)[2])
{
    for (uint32_t i = 0; i < ws->jobs; i++)
        if (ws->worker[i].pid != 0) {
            close(ws->worker[i].in);
            close(ws->worker[i].out);
            close(ws->worker[i].noise);
        }
    close(p[0][1]);
    close(p[1][0]);
    close(p[2][0]);
    dup2(p[2][1], STDERR_FILENO);
    close(p[2][1]);
    signal(SIGINT, SIG_IGN); // the parent decides
    signal(SIGTERM, SIG_DFL);
    signal(SIGPIPE, SIG_DFL);
}

static bool worker_start(struct workers *ws, struct worker_process *worker)
{
    int p[3][2];
    if (!make_pipes(p))
        return false;
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        child_setup(ws, p);
        struct worker_job job = {.rules = ws->rules,
                                 .n = ws->n,
                                 .options = ws->options,
                                 .seconds = ws->seconds,
                                 .late = ws->late,
                                 .memory = ws->memory,
                                 .parent = parent,
                                 .in = p[0][0],
                                 .out = p[1][1]};
        worker_main(&job);
    }
    close(p[0][0]);
    close(p[1][1]);
    close(p[2][1]);
    if (pid < 0) {
        close(p[0][1]);
        close(p[1][0]);
        close(p[2][0]);
        return false;
    }
    *worker = (struct worker_process){
        .pid = pid, .in = p[0][1], .out = p[1][0], .noise = p[2][0], .rule = IDLE, .fresh = true};
    fcntl(worker->out, F_SETFL, O_NONBLOCK);
    fcntl(worker->noise, F_SETFL, O_NONBLOCK);
    return true;
}

static void hand_over(struct workers *ws, uint32_t rule, struct report *rep)
{
    ws->res->done++;
    if (!ws->sink.done(ws->sink.ctx, rule, rep))
        ws->stop = true;
}

// Reports all domains as unknown, for one reason.
static void hand_unknown(struct workers *ws, uint32_t rule, const char *why, double seconds)
{
    struct report rep = {0};
    const struct rule *r = ws->rules[rule];
    unsigned mask = rule_domains(r);
    if (ws->options->prove.domains != 0)
        mask &= ws->options->prove.domains;
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        if (!(mask >> d & 1))
            continue;
        struct domain_report one = {.domain = (enum domain)d,
                                    .claimed = r->claims >> d & 1,
                                    .verdict = VERDICT_UNKNOWN,
                                    .reason = arena_strdup(&rep.mem, why),
                                    .method = "",
                                    .bound = "{}",
                                    .bound_why = "",
                                    .solver = "",
                                    .seconds = seconds};
        vec_push(&rep.domains, one);
    }
    hand_over(ws, rule, &rep);
}

// Reads the available bytes.  False at the end of the file.
static bool drain(int fd, struct buf *to, size_t most)
{
    char chunk[4096];
    for (;;) {
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n > 0) {
            if (to->len < most)
                buf_write(to, chunk, (size_t)n);
            continue;
        }
        if (n < 0 && errno == EINTR)
            continue;
        return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }
}

static bool was_memory(const struct worker_process *worker, int status)
{
    const char *said = buf_text(&worker->said);
    return strstr(said, "out of memory") != NULL || strstr(said, "out_of_memory") != NULL ||
           strstr(said, "bad_alloc") != NULL ||
           (WIFEXITED(status) && WEXITSTATUS(status) == WORKER_EXIT_MEMORY);
}

static bool send_rule(struct worker_process *worker, uint32_t rule);

// Kills the worker, waits for its end, and reports its rule, if it had one.  What a worker
// lacked memory for may be due to earlier rules: a new worker tries again.
static void worker_end(struct workers *ws, struct worker_process *worker, const char *why)
{
    char text[256];
    int status = 0;
    uint32_t rule = worker->rule;
    double used = clock_wall() - worker->started;
    kill(worker->pid, SIGKILL);
    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    drain(worker->noise, &worker->said, VERIFY_WORKER_ERROR_BYTES);
    bool memory = why == NULL && was_memory(worker, status), fresh = worker->fresh;
    worker_close(worker);
    ws->res->died++;
    if (rule == IDLE || (memory && !fresh && worker_start(ws, worker) && send_rule(worker, rule)))
        return;
    if (memory)
        snprintf(text, sizeof text, REASON_MEMORY ": limit of %" PRIu64 " MiB", ws->memory >> 20);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        snprintf(text, sizeof text, REASON_TIME ": %d s of the processor",
                 VERIFY_WORKER_CPU_SECONDS);
    else if (WIFSIGNALED(status))
        snprintf(text, sizeof text, REASON_DIED " (signal %d)", WTERMSIG(status));
    else
        snprintf(text, sizeof text, REASON_DIED " (exit %d)", WEXITSTATUS(status));
    hand_unknown(ws, rule, why != NULL ? why : text, used);
}

void workers_seal(struct buf *line)
{
    struct buf out = {0};
    buf_printf(&out, "%016" PRIx64 " ", hash_bytes(buf_text(line), line->len, 0));
    buf_write(&out, buf_text(line), line->len);
    buf_release(line);
    *line = out;
}

static bool unseal(const char *line, size_t n)
{
    char want[HASH_DIGITS + 2];
    if (n < HASH_DIGITS + 1)
        return false;
    snprintf(want, sizeof want, "%016" PRIx64 " ",
             hash_bytes(line + HASH_DIGITS + 1, n - HASH_DIGITS - 1, 0));
    return memcmp(want, line, HASH_DIGITS + 1) == 0;
}

// Takes a line: the answer to the rule of this worker.
static void worker_answer(struct workers *ws, struct worker_process *worker, size_t n)
{
    struct report rep = {0};
    struct err err = {0};
    const char *line = buf_text(&worker->line);
    bool ok = worker->rule != IDLE && n + 1 == worker->line.len && unseal(line, n) &&
              report_decode(ws->rules[worker->rule], ws->options->prove.domains,
                            line + HASH_DIGITS + 1, n - HASH_DIGITS - 1, &rep, &err);
    if (!ok) {
        worker_end(ws, worker, "the worker's answer cannot be read");
        return;
    }
    uint32_t rule = worker->rule;
    worker->rule = IDLE;
    worker->fresh = false;
    buf_clear(&worker->line);
    buf_clear(&worker->said);
    hand_over(ws, rule, &rep);
}

// Takes what the worker said of its steps off the start of its line.
static void take_steps(struct workers *ws, struct worker_process *worker)
{
    enum { MOST = 11 }; // digits and the point; a hash is longer and has none
    size_t at = 0;
    uint32_t steps = 0;
    for (size_t i = 0; i < worker->line.len && i - at < MOST; i++) {
        char c = worker->line.at[i];
        if (c == '.' && i > at) {
            steps = (uint32_t)strtoul(worker->line.at + at, NULL, 10);
            at = i + 1;
        } else if (c < '0' || c > '9') {
            break;
        }
    }
    if (at == 0)
        return;
    worker->line.len -= at;
    memmove(worker->line.at, worker->line.at + at, worker->line.len + 1);
    if (worker->rule != IDLE && ws->options->step != NULL &&
        !ws->options->step(ws->options->step_ctx, steps))
        ws->stop = true;
}

static void worker_read(struct workers *ws, struct worker_process *worker)
{
    bool open = drain(worker->out, &worker->line, (size_t)VERIFY_WORKER_ANSWER_MIB << 20);
    take_steps(ws, worker);
    const char *text = buf_text(&worker->line);
    const char *end = memchr(text, '\n', worker->line.len);
    if (end != NULL)
        worker_answer(ws, worker, (size_t)(end - text));
    else if (worker->line.len >= (size_t)VERIFY_WORKER_ANSWER_MIB << 20)
        worker_end(ws, worker, "the worker's answer cannot be read");
    else if (!open)
        worker_end(ws, worker, NULL);
}

static bool send_rule(struct worker_process *worker, uint32_t rule)
{
    ssize_t n;
    do
        n = write(worker->in, &rule, sizeof rule);
    while (n < 0 && errno == EINTR);
    if (n != (ssize_t)sizeof rule)
        return false;
    worker->rule = rule;
    worker->started = clock_wall();
    return true;
}

// Gives every idle worker a rule, starting workers as needed.
static bool feed(struct workers *ws, struct err *err)
{
    bool any = false;
    for (uint32_t i = 0; i < ws->jobs; i++) {
        struct worker_process *worker = &ws->worker[i];
        if (worker->rule == IDLE && ws->next < ws->n) {
            if (worker->pid == 0 && !worker_start(ws, worker))
                continue;
            if (!send_rule(worker, ws->next)) { // it died while idle
                worker_end(ws, worker, NULL);
                if (!worker_start(ws, worker) || !send_rule(worker, ws->next))
                    continue;
            }
            ws->next++;
        }
        any |= worker->rule != IDLE;
    }
    return any || err_set(err, ERR_IO, "no worker process can be started: %s", strerror(errno));
}

// Seconds until the worker is killed.
static double seconds_left(const struct workers *ws, const struct worker_process *worker)
{
    if (worker->rule == IDLE || ws->seconds <= 0)
        return INFINITY;
    return worker->started + ws->seconds - clock_wall();
}

static int poll_time(const struct workers *ws)
{
    double least = 1;
    for (uint32_t i = 0; i < ws->jobs; i++)
        least = fmin(least, seconds_left(ws, &ws->worker[i]));
    return least <= 0 ? 0 : (int)(least * 1000) + 1;
}

static void wait_for_answers(struct workers *ws, struct pollfd *fds)
{
    for (uint32_t i = 0; i < ws->jobs; i++) {
        bool live = ws->worker[i].pid != 0;
        fds[2 * i] = (struct pollfd){live ? ws->worker[i].out : -1, POLLIN, 0};
        fds[2 * i + 1] = (struct pollfd){live ? ws->worker[i].noise : -1, POLLIN, 0};
    }
    if (poll(fds, 2 * ws->jobs, poll_time(ws)) < 0)
        return; // a signal
    for (uint32_t i = 0; i < ws->jobs && !ws->stop; i++) {
        struct worker_process *worker = &ws->worker[i];
        if (fds[2 * i + 1].revents != 0)
            drain(worker->noise, &worker->said, VERIFY_WORKER_ERROR_BYTES);
        if (fds[2 * i].revents != 0)
            worker_read(ws, worker);
    }
    for (uint32_t i = 0; i < ws->jobs && !ws->stop; i++)
        if (seconds_left(ws, &ws->worker[i]) <= 0)
            worker_end(ws, &ws->worker[i], ws->late);
}

static void dismiss(struct workers *ws)
{
    for (uint32_t i = 0; i < ws->jobs; i++) {
        struct worker_process *worker = &ws->worker[i];
        if (worker->pid == 0)
            continue;
        kill(worker->pid, SIGKILL);
        while (waitpid(worker->pid, NULL, 0) < 0 && errno == EINTR)
            continue;
        worker_close(worker);
    }
}

bool workers_run(const struct rule *const *rules, uint32_t n, const struct worker_options *options,
                 struct report_sink sink, struct workers_result *res, struct err *err)
{
    struct workers ws = {.rules = rules, .n = n, .options = options, .sink = sink, .res = res};
    struct sigaction stop = {.sa_handler = on_signal}, quiet = {0};
    struct sigaction old_int, old_term, old_pipe;
    bool ok = true;
    *res = (struct workers_result){0};
    ws.seconds = options->seconds_per_rule;
    snprintf(ws.late, sizeof ws.late, REASON_TIME ": limit of %g s", ws.seconds);
    ws.memory = options->memory > 0 ? options->memory : (uint64_t)VERIFY_WORKER_MIB << 20;
    ws.jobs = options->jobs == 0               ? 1
              : options->jobs > VERIFY_WORKERS ? VERIFY_WORKERS
                                               : options->jobs;
    ws.jobs = ws.jobs > n && n > 0 ? n : ws.jobs;
    ws.worker = mem_alloc(ws.jobs * sizeof *ws.worker);
    for (uint32_t i = 0; i < ws.jobs; i++)
        ws.worker[i].rule = IDLE;
    struct pollfd *fds = mem_alloc(2 * ws.jobs * sizeof *fds);
    quiet.sa_handler = SIG_IGN;
    stop_signal = 0;
    sigaction(SIGINT, &stop, &old_int);
    sigaction(SIGTERM, &stop, &old_term);
    sigaction(SIGPIPE, &quiet, &old_pipe);
    while (ok && res->done < n && !ws.stop && stop_signal == 0) {
        ok = feed(&ws, err);
        if (ok)
            wait_for_answers(&ws, fds);
        if (options->stop != NULL && options->stop(options->stop_ctx))
            ws.stop = true;
    }
    res->interrupted = ws.stop || stop_signal != 0;
    dismiss(&ws);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    sigaction(SIGPIPE, &old_pipe, NULL);
    mem_free(fds);
    mem_free(ws.worker);
    return ok;
}
