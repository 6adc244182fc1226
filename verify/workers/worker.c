// SPDX-License-Identifier: Apache-2.0
#include "verify/workers/worker.h"
#include "verify/workers/report.h"
#include "base/clock.h"
#include "base/process/confine.h"
#include "verify/limits.h"
#include <errno.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

// Bytes of address space in use, 0 if unknown.
static uint64_t address_space(void)
{
    struct buf buf = {0};
    struct err err = {0};
    uint64_t pages = 0;
    if (file_read("/proc/self/statm", 4096, &buf, &err))
        pages = strtoull(buf_text(&buf), NULL, 10);
    buf_release(&buf);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// A sanitizer maps terabytes and could not allocate at all under any limit, so its process
// gets none.  Any other process that already holds more ends with the reason memory.
static void limit_memory(uint64_t bytes)
{
    struct rlimit limit;
    if (address_space() >= (uint64_t)VERIFY_SANITIZER_MIB << 20 ||
        getrlimit(RLIMIT_AS, &limit) != 0)
        return;
    if (limit.rlim_max == RLIM_INFINITY || limit.rlim_max > bytes)
        limit.rlim_cur = (rlim_t)bytes;
    setrlimit(RLIMIT_AS, &limit);
    confine_faults((size_t)VERIFY_WORKER_SPARE_MIB << 20, WORKER_EXIT_MEMORY);
}

// The processor's time does not depend on what else the machine does.
static void limit_processor(unsigned seconds)
{
    struct rlimit limit;
    struct rusage own;
    if (getrusage(RUSAGE_SELF, &own) != 0 || getrlimit(RLIMIT_CPU, &limit) != 0)
        return;
    rlim_t end = (rlim_t)(own.ru_utime.tv_sec + own.ru_stime.tv_sec) + seconds;
    limit.rlim_cur = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > end ? end : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit); // SIGXCPU ends the process
}

static bool read_index(int fd, uint32_t *out)
{
    size_t got = 0;
    while (got < sizeof *out) {
        ssize_t n = read(fd, (char *)out + got, sizeof *out - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    return true;
}

static bool write_all(int fd, const char *text, size_t n)
{
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

// The peak of this process or of a program that it ran, whichever is more.
static uint64_t peak_kib(void)
{
    struct rusage own, programs;
    if (getrusage(RUSAGE_SELF, &own) != 0 || getrusage(RUSAGE_CHILDREN, &programs) != 0)
        return 0;
    long kib = own.ru_maxrss > programs.ru_maxrss ? own.ru_maxrss : programs.ru_maxrss;
    return kib < 0 ? 0 : (uint64_t)kib;
}

void workers_prove(void *ctx, const struct rule *rule, const struct prove_options *options,
                   struct buf *line)
{
    struct report rep = {0};
    (void)ctx;
    prove_rule(rule, options, &rep); // a disagreement stands in the report
    for (uint32_t i = 0; i < rep.domains.len; i++)
        if (strcmp(rep.domains.at[i].reason, REASON_MEMORY) == 0)
            _exit(WORKER_EXIT_MEMORY); // another process may have more of it
    rep.peak_kib = peak_kib();
    report_encode(rule, &rep, line);
    workers_seal(line);
    report_release(&rep);
}

#define STEP_SECONDS 0.3 // people read no faster

// How many obligations of a rule are decided, and when that was told.
struct steps {
    int out;
    uint32_t n;
    double told;
};

static void say_step(void *ctx)
{
    struct steps *steps = ctx;
    char text[16];
    steps->n++;
    if (clock_wall() - steps->told < STEP_SECONDS)
        return;
    steps->told = clock_wall();
    snprintf(text, sizeof text, "%" PRIu32 ".", steps->n);
    (void)write_all(steps->out, text, strlen(text)); // the answer tells whether somebody reads
}

_Noreturn void worker_main(const struct worker_job *job)
{
    const struct worker_options *options = job->options;
    struct prove_options prove = options->prove;
    struct buf line = {0};
    struct steps steps;
    uint32_t index;
    prove.smt2 = NULL;
    prove.step = options->step ? say_step : NULL;
    prove.step_ctx = &steps;
    confine_to(job->parent);
    // The rule gives up by itself, with its results so far, before the worker is killed.
    if (prove.seconds_per_rule <= 0)
        prove.seconds_per_rule = VERIFY_WORKER_PROOF_PERCENT / 100.0 * job->seconds;
    prove.late = job->late;
    limit_memory(job->memory);
    while (read_index(job->in, &index) && index < job->n) {
        limit_processor(VERIFY_WORKER_CPU_SECONDS);
        steps = (struct steps){.out = job->out, .told = options->step ? clock_wall() : 0};
        buf_clear(&line);
        if (options->task != NULL)
            options->task(options->task_ctx, job->rules[index], &prove, &line);
        else
            workers_prove(NULL, job->rules[index], &prove, &line);
        buf_putc(&line, '\n');
        if (!write_all(job->out, buf_text(&line), line.len))
            break;
    }
    _exit(0);
}
