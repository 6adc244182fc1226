// SPDX-License-Identifier: Apache-2.0
// The pool: one report a rule comes out whatever the workers do.
#include "verify/workers/pool.h"
#include "verify/workers/report.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#define MAX_RULES 32
#define SECONDS 4.0    // for a rule that hangs
#define GENEROUS 600.0 // for rules that end
#define MEMORY_MB 256  // limit of a worker

// What the worker does with a rule is the first word of the rule's name.
static void good(const struct rule *r, enum verdict v, struct buf *line)
{
    struct report rep = {0};
    unsigned mask = rule_domains(r);
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        if (!(mask >> d & 1))
            continue;
        struct domain_report one = {.domain = (enum domain)d,
                                    .claimed = true,
                                    .verdict = v,
                                    .reason = r->name,
                                    .rung = RUNG_COMMUTATIVE,
                                    .instances = 7,
                                    .bound = "{\"x\":2}",
                                    .seconds = 0.25};
        struct obligation o = {.kind = OBLIGATION_SHAPE,
                               .ranks = "x=1",
                               .verdict = v,
                               .effort = UINT64_C(1) << 40};
        vec_push(&one.obligations, o);
        vec_push(&rep.domains, one);
    }
    vec_push(&rep.remarks, "a remark");
    report_encode(r, &rep, line);
    report_release(&rep);
}

static bool is(const struct rule *r, const char *word)
{
    return strncmp(r->name, word, strlen(word)) == 0;
}

static void sleep_ms(long ms)
{
    struct timespec t = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&t, NULL);
}

// Of all processes: how many are at rules that meet.
static volatile int *meeting;

static void eat_memory(void)
{
    mem_free(mem_resize(NULL, (size_t)2 * MEMORY_MB << 20));
}

static void misbehave(void *ctx, const struct rule *r,
                      const struct prove_options *o, struct buf *line)
{
    (void)ctx;
    (void)o;
    if (is(r, "killed"))
        raise(SIGKILL);
    if (is(r, "leaves"))
        _exit(3);
    while (is(r, "hangs"))
        sleep_ms(1000);
    if (is(r, "meets")) { // it ends only beside two others
        __atomic_add_fetch(meeting, 1, __ATOMIC_SEQ_CST);
        while (*meeting < 3)
            sleep_ms(5);
    }
    if (is(r, "memory"))
        eat_memory();
    if (is(r, "slow"))
        sleep_ms(40);
    good(r, VERDICT_PROVED, line);
    if (is(r, "unsealed"))
        return;
    workers_seal(line);
    if (is(r, "garbage")) {
        buf_clear(line);
        buf_puts(line, "proved, believe me");
    }
    if (is(r, "flipped"))
        line->at[line->len / 2] ^= 1;
    if (is(r, "two"))
        buf_printf(line, "\n%s", "more");
    if (is(r, "refuted")) { // without a counterexample
        buf_clear(line);
        good(r, VERDICT_REFUTED, line);
        workers_seal(line);
    }
    if (is(r, "partial")) { // dies in the middle of its answer
        line->len = line->len / 2;
        line->at[line->len] = '\0';
        for (int fd = 3; fd < 64; fd++)
            if (fcntl(fd, F_GETFL) >= 0 &&
                (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY &&
                write(fd, line->at, line->len) > 0)
                _exit(0);
    }
    if (is(r, "other")) { // the answer to another rule
        struct rule copy = *r;
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
    struct seen *s = ctx;
    s->count[rule]++;
    s->total++;
    assert_int_not_equal(rep->domains.len, 0);
    for (uint32_t i = 0; i < rep->domains.len; i++)
        assert_int_equal(rep->domains.at[i].verdict,
                         rep->domains.at[0].verdict);
    s->verdict[rule] = rep->domains.at[0].verdict;
    snprintf(s->reason[rule], sizeof s->reason[rule], "%s",
             rep->domains.at[0].reason);
    if (s->verdict[rule] == VERDICT_PROVED) {
        assert_string_equal(rep->remarks.at[0], "a remark");
        assert_string_equal(rep->domains.at[0].bound, "{\"x\":2}");
        assert_int_equal(rep->domains.at[0].instances, 7);
        assert_true(rep->domains.at[0].obligations.at[0].effort == UINT64_C(1)
                                                                       << 40);
    }
    report_release(rep);
    if (s->stop_after != 0 && s->total == s->stop_after) {
        if (!s->by_signal)
            return false;
        raise(SIGTERM);
    }
    return true;
}

// Rules whose names are the words; numbers make them different.
static void make_rules(struct ruleset *s, uint32_t n, const char *const *names)
{
    struct err_list errs = {0};
    struct buf b = {0};
    ruleset_init(s);
    for (uint32_t i = 0; i < n; i++)
        buf_printf(&b,
                   "rule %s_%u { axes x; map n on x; tensor A[x: n] : num;"
                   " A + %u => A + %u; }\n",
                   names[i], i, i, i + 1);
    if (!ruleset_parse(s, buf_text(&b), b.len, "pool.rw", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    assert_int_equal(s->rules.len, n);
    vec_release(&errs.at);
    buf_release(&b);
}

// A process that holds more than the limit from the start (sanitizers reserve
// terabytes) runs without one.
static bool limit_works(void)
{
    struct buf b = {0};
    struct err e = {0};
    bool ok =
        file_read("/proc/self/statm", 4096, &b, &e) &&
        strtoull(buf_text(&b), NULL, 10) < ((uint64_t)MEMORY_MB << 20) / 4096;
    buf_release(&b);
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

static void run(const struct ruleset *s, unsigned jobs, struct seen *seen,
                struct workers_result *res)
{
    struct err e = {0};
    struct worker_options o = options(jobs);
    int before = open_files();
    if (!workers_run((const struct rule *const *)s->rules.at, s->rules.len, &o,
                     collect, seen, res, &e))
        fail_msg("%s", e.msg);
    assert_int_equal(open_files(), before);
}

static void expect(const struct ruleset *s, const struct seen *seen)
{
    static const char *const reasons[][2] = {
        {"good", NULL},
        {"slow", NULL},
        {"meets", NULL},
        {"killed", "the worker died (signal 9)"},
        {"leaves", "the worker died (exit 3)"},
        {"partial", "the worker died (exit 0)"},
        {"hangs", "time"},
        {"memory", "memory"},
        {"", "the worker's answer cannot be read"}};
    for (uint32_t i = 0; i < s->rules.len; i++) {
        const struct rule *r = s->rules.at[i];
        size_t k = 0;
        while (!is(r, reasons[k][0]))
            k++;
        assert_int_equal(seen->count[i], 1);
        if (reasons[k][1] == NULL || (is(r, "memory") && !limit_works())) {
            assert_int_equal(seen->verdict[i], VERDICT_PROVED);
            assert_string_equal(seen->reason[i], r->name);
        } else {
            assert_int_equal(seen->verdict[i], VERDICT_UNKNOWN);
            assert_string_equal(seen->reason[i], reasons[k][1]);
        }
    }
}

static const char *const all[] = {
    "good",    "killed", "good",    "garbage", "good",     "hangs",
    "flipped", "leaves", "good",    "other",   "unsealed", "two",
    "memory",  "good",   "partial", "refuted", "slow",     "good"};
#define N_ALL (sizeof all / sizeof *all)

static void test_misbehaviour(void **state)
{
    (void)state;
    struct ruleset s;
    make_rules(&s, N_ALL, all);
    for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
        struct seen seen = {0};
        struct workers_result res;
        run(&s, jobs, &seen, &res);
        assert_int_equal(res.done, N_ALL);
        assert_int_equal(res.died, limit_works() ? 11 : 10);
        assert_false(res.interrupted);
        expect(&s, &seen);
    }
    ruleset_release(&s);
}

static void test_more_jobs_than_rules(void **state)
{
    (void)state;
    static const char *const two[] = {"good", "good"};
    struct ruleset s;
    struct seen seen = {0};
    struct workers_result res;
    make_rules(&s, 2, two);
    run(&s, 64, &seen, &res);
    assert_int_equal(res.done, 2);
    expect(&s, &seen);
    s.rules.len = 0; // no rule at all
    run(&s, 3, &seen, &res);
    assert_int_equal(res.done, 0);
    s.rules.len = 2;
    ruleset_release(&s);
}

static void test_stop(void **state)
{
    (void)state;
    static const char *const names[] = {"good", "slow", "slow",  "slow",
                                        "slow", "slow", "hangs", "hangs"};
    struct ruleset s;
    make_rules(&s, 8, names);
    for (int by_signal = 0; by_signal < 2; by_signal++) {
        struct seen seen = {.stop_after = 2, .by_signal = by_signal};
        struct workers_result res;
        struct sigaction now;
        run(&s, 2, &seen, &res);
        assert_true(res.interrupted);
        assert_in_range(res.done, 2, 4);
        assert_int_equal(res.done, seen.total);
        sigaction(SIGTERM, NULL, &now);
        assert_true(now.sa_handler == SIG_DFL);
    }
    ruleset_release(&s);
}

static void run_four(const char *const names[4])
{
    struct ruleset s;
    struct seen seen = {0};
    struct workers_result res;
    make_rules(&s, 4, names);
    run(&s, 4, &seen, &res);
    expect(&s, &seen);
    ruleset_release(&s);
}

// The limit kills the hanging ones only.
static void test_hanging(void **state)
{
    (void)state;
    static const char *const names[] = {"hangs", "hangs", "hangs", "good"};
    run_four(names);
}

// Several rules are worked at at a time: these wait for each other.
static void test_in_parallel(void **state)
{
    (void)state;
    static const char *const names[] = {"meets", "meets", "meets", "good"};
    FILE *file = tmpfile(); // memory that the workers share
    assert_non_null(file);
    assert_int_equal(ftruncate(fileno(file), sizeof *meeting), 0);
    void *shared = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE,
                        MAP_SHARED, fileno(file), 0);
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
    struct ruleset s;
    struct buf line = {0};
    make_rules(&s, 1, one);
    const struct rule *r = s.rules.at[0];
    good(r, VERDICT_UNKNOWN, &line);
    for (size_t n = 0; n < line.len; n++) {
        struct report rep = {0};
        struct err e = {0};
        assert_false(report_decode(r, 0, line.at, n, &rep, &e));
        assert_int_equal(e.kind, ERR_INPUT);
    }
    for (size_t n = 0; n < line.len; n++) {
        struct report rep = {0};
        struct err e = {0};
        line.at[n] ^= 2;
        if (report_decode(r, 0, line.at, line.len, &rep, &e)) {
            assert_int_equal(rep.domains.len, 4);
            report_release(&rep);
        }
        line.at[n] ^= 2;
    }
    struct report rep = {0};
    struct err e = {0};
    assert_false(report_decode(r, 1u << DOMAIN_INT, line.at, line.len, &rep,
                               &e)); // more domains than asked for
    assert_true(report_decode(r, 0, line.at, line.len, &rep, &e));
    report_release(&rep);
    buf_release(&line);
    ruleset_release(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decode),
        cmocka_unit_test(test_misbehaviour),
        cmocka_unit_test(test_more_jobs_than_rules),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_hanging),
        cmocka_unit_test(test_in_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
