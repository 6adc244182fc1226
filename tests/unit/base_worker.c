// SPDX-License-Identifier: Apache-2.0
// Workers that send, crash, print and never end: the caller always goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/worker.h"
#include <signal.h>
#include <unistd.h>

struct talk {
    void (*after)(void); // sending
    uint64_t sum;
    uint32_t n;
};

static void work(void *arg, const struct worker_port *port)
{
    struct talk *t = arg;
    for (uint64_t i = 1; i <= 1000; i++) {
        uint64_t message[100] = {i};
        worker_send(port, message);
    }
    t->sum = 1; // its own memory
    if (t->after)
        t->after();
}

static void take(void *arg, const void *message)
{
    struct talk *t = arg;
    uint64_t first;
    memcpy(&first, message, sizeof first);
    t->sum += first;
    t->n++;
}

static void crash(void)
{
    raise(SIGKILL);
}

static void sleep_on(void)
{
    for (;;)
        pause();
}

static void print_much(void)
{
    char text[256];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 10000; i++)
        (void)!write(STDOUT_FILENO, text, sizeof text);
}

static void check(void (*after)(void), enum worker_end end, double seconds)
{
    struct talk t = {.after = after};
    double start = clock_wall();
    struct worker_limits l = {start + seconds, (uint64_t)1 << 30};
    assert_int_equal(worker_run(work, take, &t, 100 * sizeof(uint64_t), &l),
                     end);
    assert_int_equal(t.n, 1000);
    assert_int_equal(t.sum, 500500);
    assert_true(clock_wall() - start < seconds + 5);
}

static void endings(void **state)
{
    (void)state;
    check(NULL, WORKER_DONE, 20);
    check(print_much, WORKER_DONE, 20);
    check(crash, WORKER_CRASHED, 20);
    check(sleep_on, WORKER_KILLED, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
