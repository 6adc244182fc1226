// SPDX-License-Identifier: Apache-2.0
// The pool: every rule gets one report whatever the workers do.
#include "verify/workers/pool.h"
#include "verify/workers/report.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define MAX_RULES 32
#define SECONDS 4.0    // for a rule that hangs
#define GENEROUS 600.0 // for rules that end
#define MEMORY_MB 256  // limit of a worker

// The first word of a rule's name says what the worker does with the rule.
static void good(const struct rule *rule, enum verdict verdict, struct buf *line)
{
    struct report rep = {0};
    unsigned mask = rule_domains(rule);
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        if (!(mask >> d & 1))
            continue;
        struct domain_report one = {.domain = (enum domain)d,
                                    .claimed = true,
                                    .verdict = verdict,
                                    .reason = rule->name,
                                    .rung = RUNG_COMMUTATIVE,
                                    .instances = 7,
                                    .bound = "{\"x\":2}",
                                    .seconds = 0.25};
        struct obligation obligation = {.kind = OBLIGATION_SHAPE,
                                        .ranks = "x=1",
                                        .verdict = verdict,
                                        .effort = UINT64_C(1) << 40};
        vec_push(&one.obligations, obligation);
        vec_push(&rep.domains, one);
    }
    vec_push(&rep.remarks, "a remark");
    report_encode(rule, &rep, line);
    report_release(&rep);
}

static bool is(const struct rule *rule, const char *word)
{
    return strncmp(rule->name, word, strlen(word)) == 0;
}

static void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

// Over all processes: the number that work at rules that meet.
static volatile int *meeting;

// A pipe that hanging workers report to, or -1.
static int held = -1;

static void eat_memory(void)
{
    mem_free(mem_resize(NULL, (size_t)2 * MEMORY_MB << 20));
}

// Calls itself until the stack cannot grow: there is room for a little of it.
static int eat_stack(int n)
{
    volatile char frame[4096];
    frame[0] = (char)n;
    return n == 0 ? 0 : eat_stack(n - 1) + frame[0];
}

static void fill_memory(size_t block)
{
    void *volatile kept;
    for (; block > 4096; block /= 2)
        do
            kept = malloc(block);
        while (kept != NULL);
}

static void misbehave(void *ctx, const struct rule *rule, const struct prove_options *o,
                      struct buf *line)
{
    (void)ctx;
    (void)o;
    if (is(rule, "killed"))
        raise(SIGKILL);
    if (is(rule, "leaves"))
        _exit(3);
    if (is(rule, "hangs") && held >= 0 && write(held, "", 1) != 1)
        _exit(4);
    while (is(rule, "hangs"))
        sleep_ms(1000);
    if (is(rule, "meets")) { // it ends only beside two others
        __atomic_add_fetch(meeting, 1, __ATOMIC_SEQ_CST);
        while (*meeting < 3)
            sleep_ms(5);
    }
    if (is(rule, "memory"))
        eat_memory();
    if (is(rule, "stack")) {
        fill_memory((size_t)1 << 20);
        (void)eat_stack(1000);
    }
    if (is(rule, "faults"))
        raise(SIGSEGV);
    if (is(rule, "slow"))
        sleep_ms(40);
    static bool worked; // a worker that has answered before lacks memory
    if (is(rule, "tired") && worked)
        eat_memory();
    worked = true;
    good(rule, VERDICT_PROVED, line);
    if (is(rule, "unsealed"))
        return;
    workers_seal(line);
    if (is(rule, "tells") || is(rule, "lies")) { // how far it is, and then its answer
        struct buf whole = {0};
        buf_printf(&whole, "%s%s", is(rule, "tells") ? "12.40." : "123456789012.", buf_text(line));
        buf_release(line);
        *line = whole;
    }
    if (is(rule, "garbage")) {
        buf_clear(line);
        buf_puts(line, "proved, believe me");
    }
    if (is(rule, "flipped"))
        line->at[line->len / 2] ^= 1;
    if (is(rule, "two"))
        buf_printf(line, "\n%s", "more");
    if (is(rule, "refuted")) { // without a counterexample
        buf_clear(line);
        good(rule, VERDICT_REFUTED, line);
        workers_seal(line);
    }
    if (is(rule, "partial")) { // dies in the middle of its answer
        line->len = line->len / 2;
        line->at[line->len] = '\0';
        for (int fd = 3; fd < 64; fd++)
            if (fcntl(fd, F_GETFL) >= 0 && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY &&
                write(fd, line->at, line->len) > 0)
                _exit(0);
    }
    if (is(rule, "other")) { // the answer to another rule
        struct rule copy = *rule;
        memset(copy.hash, '0', sizeof copy.hash - 1);
        buf_clear(line);
        good(&copy, VERDICT_PROVED, line);
        workers_seal(line);
    }
}

struct seen {
    uint32_t count[MAX_RULES];
    char reason[MAX_RULES][96];
    enum verdict verdict[MAX_RULES];
    uint32_t total, stop_after;
    bool by_signal;
};

static bool collect(void *ctx, uint32_t rule, struct report *rep)
{
    struct seen *seen = ctx;
    seen->count[rule]++;
    seen->total++;
    assert_int_not_equal(rep->domains.len, 0);
    for (uint32_t i = 0; i < rep->domains.len; i++)
        assert_int_equal(rep->domains.at[i].verdict, rep->domains.at[0].verdict);
    seen->verdict[rule] = rep->domains.at[0].verdict;
    snprintf(seen->reason[rule], sizeof seen->reason[rule], "%s", rep->domains.at[0].reason);
    if (seen->verdict[rule] == VERDICT_PROVED) {
        assert_string_equal(rep->remarks.at[0], "a remark");
        assert_string_equal(rep->domains.at[0].bound, "{\"x\":2}");
        assert_int_equal(rep->domains.at[0].instances, 7);
        assert_true(rep->domains.at[0].obligations.at[0].effort == UINT64_C(1) << 40);
    }
    report_release(rep);
    if (seen->stop_after != 0 && seen->total == seen->stop_after) {
        if (!seen->by_signal)
            return false;
        raise(SIGTERM);
    }
    return true;
}

// Rules whose names are the words; numbers make them different.
static void make_rules(struct ruleset *set, uint32_t n, const char *const *names)
{
    struct err_list errs = {0};
    struct buf buf = {0};
    ruleset_init(set);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&buf,
                   "rule %s_%u { axes x; map n on x; tensor A[x: n] : num;"
                   " A + %u => A + %u; }\n",
                   names[i], i, i, i + 1);
    if (!ruleset_parse(set, buf_text(&buf), buf.len, "pool.rw", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    assert_int_equal(set->rules.len, n);
    vec_release(&errs.at);
    buf_release(&buf);
}

// A process that holds more than the limit from the start (sanitizers reserve
// terabytes) runs without one.
static bool limit_works(void)
{
    struct buf buf = {0};
    struct err err = {0};
    bool ok = file_read("/proc/self/statm", 4096, &buf, &err) &&
              strtoull(buf_text(&buf), NULL, 10) < ((uint64_t)MEMORY_MB << 20) / 4096;
    buf_release(&buf);
    return ok;
}

static double seconds_per_rule = SECONDS;

static int open_files(void)
{
    int n = 0;
    for (int fd = 0; fd < 256; fd++)
        n += fcntl(fd, F_GETFD) >= 0;
    return n;
}

static struct worker_options options(unsigned jobs)
{
    return (struct worker_options){.jobs = jobs,
                                   .seconds_per_rule = seconds_per_rule,
                                   .memory = (uint64_t)MEMORY_MB << 20,
                                   .task = misbehave};
}

static void run(const struct ruleset *set, unsigned jobs, struct seen *seen,
                struct workers_result *res)
{
    struct err err = {0};
    struct worker_options o = options(jobs);
    int before = open_files();
    if (!workers_run((const struct rule *const *)set->rules.at, set->rules.len, &o,
                     (struct report_sink){collect, seen}, res, &err))
        fail_msg("%s", err.msg);
    assert_int_equal(open_files(), before);
}

static void expect(const struct ruleset *set, const struct seen *seen)
{
    static const char *const reasons[][2] = {{"good", NULL},
                                             {"slow", NULL},
                                             {"meets", NULL},
                                             {"tells", NULL},
                                             {"killed", "the worker died (signal 9)"},
                                             {"leaves", "the worker died (exit 3)"},
                                             {"partial", "the worker died (exit 0)"},
                                             {"hangs", "time: limit of 4 s"},
                                             {"memory", "memory: limit of 256 MiB"},
                                             {"stack", "memory: limit of 256 MiB"},
                                             {"faults", "the worker died (signal 11)"},
                                             {"tired", NULL},
                                             {"", "the worker's answer cannot be read"}};
    for (uint32_t i = 0; i < set->rules.len; i++) {
        const struct rule *rule = set->rules.at[i];
        size_t k = 0;
        while (!is(rule, reasons[k][0]))
            k++;
        assert_int_equal(seen->count[i], 1);
        if (reasons[k][1] == NULL || (is(rule, "memory") && !limit_works())) {
            assert_int_equal(seen->verdict[i], VERDICT_PROVED);
            assert_string_equal(seen->reason[i], rule->name);
        } else {
            assert_int_equal(seen->verdict[i], VERDICT_UNKNOWN);
            assert_string_equal(seen->reason[i], reasons[k][1]);
        }
    }
}

static const char *const all[] = {"good",    "killed", "good",    "garbage", "good",     "hangs",
                                  "flipped", "leaves", "good",    "other",   "unsealed", "two",
                                  "memory",  "good",   "partial", "refuted", "slow",     "good"};
#define N_ALL (sizeof all / sizeof *all)

static void test_misbehaviour(void **state)
{
    (void)state;
    struct ruleset set;
    make_rules(&set, N_ALL, all);
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        struct seen seen = {0};
        struct workers_result res;
        run(&set, jobs, &seen, &res);
        assert_int_equal(res.done, N_ALL);
        // A worker that was not fresh when memory was out gives way to one that is.
        assert_in_range(res.died, limit_works() ? 11 : 10, limit_works() ? 12 : 10);
        assert_false(res.interrupted);
        expect(&set, &seen);
    }
    ruleset_release(&set);
}

static void test_more_jobs_than_rules(void **state)
{
    (void)state;
    static const char *const two[] = {"good", "good"};
    struct ruleset set;
    struct seen seen = {0};
    struct workers_result res;
    make_rules(&set, 2, two);
    run(&set, 64, &seen, &res);
    assert_int_equal(res.done, 2);
    expect(&set, &seen);
    set.rules.len = 0; // no rule at all
    run(&set, 3, &seen, &res);
    assert_int_equal(res.done, 0);
    set.rules.len = 2;
    ruleset_release(&set);
}

static bool heard(void *ctx, uint32_t obligations)
{
    uint32_t *last = ctx;
    *last = obligations;
    return true;
}

static bool heard_enough(void *ctx, uint32_t obligations)
{
    (void)heard(ctx, obligations);
    return false;
}

// What a worker says of its steps is told, and is no part of its answer.
static void test_steps(void **state)
{
    (void)state;
    static const char *const names[] = {"good", "tells", "lies", "good"};
    struct ruleset set;
    struct err err = {0};
    make_rules(&set, 4, names);
    for (int asked = 0; asked < 3; asked++) {
        struct seen seen = {0};
        struct workers_result res;
        uint32_t last = 0;
        struct worker_options o = options(1);
        o.step = asked == 0 ? NULL : asked == 1 ? heard : heard_enough;
        o.step_ctx = &last;
        assert_true(workers_run((const struct rule *const *)set.rules.at, 4, &o,
                                (struct report_sink){collect, &seen}, &res, &err));
        assert_int_equal(last, asked == 0 ? 0 : 40);
        assert_int_equal(res.interrupted, asked == 2);
        if (asked < 2)
            expect(&set, &seen);
    }
    ruleset_release(&set);
}

static void test_stop(void **state)
{
    (void)state;
    static const char *const names[] = {"good", "slow", "slow",  "slow",
                                        "slow", "slow", "hangs", "hangs"};
    struct ruleset set;
    make_rules(&set, 8, names);
    for (int by_signal = 0; by_signal < 2; by_signal++) {
        struct seen seen = {.stop_after = 2, .by_signal = by_signal};
        struct workers_result res;
        struct sigaction now;
        run(&set, 2, &seen, &res);
        assert_true(res.interrupted);
        assert_in_range(res.done, 2, 4);
        assert_int_equal(res.done, seen.total);
        sigaction(SIGTERM, NULL, &now);
        assert_true(now.sa_handler == SIG_DFL);
    }
    ruleset_release(&set);
}

static void run_four(const char *const names[4])
{
    struct ruleset set;
    struct seen seen = {0};
    struct workers_result res;
    make_rules(&set, 4, names);
    run(&set, 4, &seen, &res);
    expect(&set, &seen);
    ruleset_release(&set);
}

// The limit kills the hanging ones only.
static void test_hanging(void **state)
{
    (void)state;
    static const char *const names[] = {"hangs", "hangs", "hangs", "good"};
    run_four(names);
}

// A lack of memory that may be due to earlier rules is tried again in a new worker.
static void test_tired(void **state)
{
    (void)state;
    static const char *const names[] = {"good", "tired", "tired", "good"};
    struct ruleset set;
    struct seen seen = {0};
    struct workers_result res;
    make_rules(&set, 4, names);
    run(&set, 1, &seen, &res);
    expect(&set, &seen);
    assert_int_equal(res.died, limit_works() ? 2 : 0);
    ruleset_release(&set);
}

// A fault is a lack of memory if there is none, and a fault otherwise.
static void test_faults(void **state)
{
    (void)state;
    static const char *const names[] = {"stack", "good", "faults", "good"};
    if (limit_works()) // sanitizers take the signals
        run_four(names);
}

// The process that runs the workers is killed: none of them stays behind, which is seen by a
// pipe that only they hold.
static void test_orphans(void **state)
{
    (void)state;
    static const char *const names[] = {"hangs", "hangs", "hangs", "hangs"};
    struct ruleset set;
    int ends[2];
    char byte;
    make_rules(&set, 4, names);
    assert_int_equal(pipe(ends), 0);
    held = ends[1];
    pid_t pid = fork();
    if (pid == 0) {
        struct seen seen = {0};
        struct workers_result res;
        close(ends[0]);
        seconds_per_rule = 0;
        run(&set, 4, &seen, &res);
        _exit(0);
    }
    held = -1;
    close(ends[1]);
    for (int i = 0; i < 4; i++) // all are at work
        assert_int_equal(read(ends[0], &byte, 1), 1);
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    assert_int_equal(read(ends[0], &byte, 1), 0); // nobody holds it
    close(ends[0]);
    ruleset_release(&set);
}

// Several rules are worked at at a time: these wait for each other.
static void test_in_parallel(void **state)
{
    (void)state;
    static const char *const names[] = {"meets", "meets", "meets", "good"};
    FILE *file = tmpfile(); // memory that the workers share
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), sizeof *meeting), 0);
    void *shared = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    assert_true(shared != MAP_FAILED);
    meeting = shared;
    seconds_per_rule = GENEROUS;
    run_four(names);
    seconds_per_rule = SECONDS;
    munmap(shared, sizeof *meeting);
    fclose(file);
}

// Every truncation and every flipped byte of a report is refused or, where it
// is inside a text, read as a report of this rule; never anything else.
static void test_decode(void **state)
{
    (void)state;
    static const char *const one[] = {"good"};
    struct ruleset set;
    struct buf line = {0};
    make_rules(&set, 1, one);
    const struct rule *rule = set.rules.at[0];
    good(rule, VERDICT_UNKNOWN, &line);
    for (size_t n = 0; n < line.len; n++) {
        struct report rep = {0};
        struct err err = {0};
        assert_false(report_decode(rule, 0, line.at, n, &rep, &err));
        assert_int_equal(err.kind, ERR_INPUT);
    }
    for (size_t n = 0; n < line.len; n++) {
        struct report rep = {0};
        struct err error = {0};
        line.at[n] ^= 2;
        if (report_decode(rule, 0, line.at, line.len, &rep, &error)) {
            assert_int_equal(rep.domains.len, 4);
            report_release(&rep);
        }
        line.at[n] ^= 2;
    }
    struct report rep = {0};
    struct err e = {0};
    assert_false(report_decode(rule, 1u << DOMAIN_INT, line.at, line.len, &rep,
                               &e)); // more domains than asked for
    assert_true(report_decode(rule, 0, line.at, line.len, &rep, &e));
    report_release(&rep);
    buf_release(&line);
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_more_jobs_than_rules),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_hanging),
        cmocka_unit_test(test_tired),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_orphans),
        cmocka_unit_test(test_in_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
