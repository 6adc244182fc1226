// SPDX-License-Identifier: Apache-2.0
// Workers that send, crash, print and never end: the caller always goes on.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/clock.h"
#include "base/process/worker.h"
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct talk {
    void (*after)(const struct talk *); // sending
    int held;                           // for say_and_sleep
    uint64_t sum;
    uint32_t n;
};

static void work(void *arg, const struct worker_port *port)
{
    struct talk *talk = arg;
    for (uint64_t i = 1; i <= 1000; i++) {
        uint64_t message[100] = {i};
        worker_send(port, message);
    }
    talk->sum = 1; // its own memory
    if (talk->after)
        talk->after(talk);
}

static void take(void *arg, const void *message)
{
    struct talk *talk = arg;
    uint64_t first;
    memcpy(&first, message, sizeof first);
    talk->sum += first;
    talk->n++;
}

static void crash(const struct talk *talk)
{
    (void)talk;
    raise(SIGKILL);
}

static void sleep_on(const struct talk *talk)
{
    (void)talk;
    for (;;)
        pause();
}

static void say_and_sleep(const struct talk *talk)
{
    (void)!write(talk->held, "x", 1);
    sleep_on(talk);
}

static void print_much(const struct talk *talk)
{
    (void)talk;
    char text[256];
    memset(text, 'x', sizeof text);
    for (int i = 0; i < 10000; i++)
        (void)!write(STDOUT_FILENO, text, sizeof text);
}

static void check(void (*after)(const struct talk *), enum worker_end end, double seconds)
{
    struct talk talk = {.after = after};
    struct worker_limits limits = {clock_wall() + seconds, (uint64_t)1 << 30};
    assert_int_equal(worker_run(work, take, &talk, 100 * sizeof(uint64_t), &limits), end);
    assert_int_equal(talk.n, 1000);
    assert_int_equal(talk.sum, 500500);
}

static void endings(void **state)
{
    (void)state;
    check(NULL, WORKER_DONE, 600);
    check(print_much, WORKER_DONE, 600);
    check(crash, WORKER_CRASHED, 600);
    check(sleep_on, WORKER_KILLED, 5); // all is sent long before
}

// Whoever asked for the work is killed: the worker does not stay behind, which
// is seen by a pipe that only it holds.
static void orphan(void **state)
{
    (void)state;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        struct talk talk = {.after = say_and_sleep, .held = ends[1]};
        struct worker_limits limits = {clock_wall() + 600, (uint64_t)1 << 30};
        close(ends[0]);
        worker_run(work, take, &talk, 100 * sizeof(uint64_t), &limits);
        _exit(0);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1); // at work
    kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    struct pollfd p = {ends[0], POLLIN, 0};
    assert_int_equal(poll(&p, 1, 600000), 1);
    assert_int_equal(read(ends[0], &byte, 1), 0); // nobody holds it
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings),
        cmocka_unit_test(orphan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
