// SPDX-License-Identifier: Apache-2.0
// The finder and the checker of kernels share the symbolic meaning of a program (loops/symbolic).  A
// fault in it may deceive both; then the runs of the interpreter are what is left.  Here functions
// of the shared part are replaced by wrong ones, for finder and checker alike: whatever is proved
// then must also be proved without the fault, and of each fault some kernels get as far as the runs.
//
// The linker replaces the calls (--wrap), so no fault is in the program.
#include "api/kernel/expect.h"
#include "loops/symbolic/leaf.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum fault {
    FAULT_NONE,
    FAULT_STEP,  // loops take longer steps from the second iteration on
    FAULT_TRIPS, // loops have one iteration at most
    FAULT_MASK,  // conditions hold for one index more
    FAULT_FOLD,  // folds over lanes are twice as large
    FAULT_DOT,   // products of matrices are twice as large
    N_FAULTS,
};
static enum fault fault;

bool __real_symbolic_variable(struct symbolic *s, uint32_t loop, ipoly iteration, ipoly *out);
bool __wrap_symbolic_variable(struct symbolic *s, uint32_t loop, ipoly iteration, ipoly *out);
bool __wrap_symbolic_variable(struct symbolic *s, uint32_t loop, ipoly iteration, ipoly *out)
{
    if (!__real_symbolic_variable(s, loop, iteration, out))
        return false;
    if (fault == FAULT_STEP && s->program->loop.at[loop].kind != LOOP_PARALLEL)
        *out = int_add(s->in, *out, iteration);
    return true;
}

bool __real_symbolic_trips(struct symbolic *s, uint32_t loop, ipoly *out);
bool __wrap_symbolic_trips(struct symbolic *s, uint32_t loop, ipoly *out);
bool __wrap_symbolic_trips(struct symbolic *s, uint32_t loop, ipoly *out)
{
    if (!__real_symbolic_trips(s, loop, out))
        return false;
    if (fault == FAULT_TRIPS && s->program->loop.at[loop].kind != LOOP_PARALLEL)
        *out = int_minimum(s->in, &s->facts, *out, int_constant(s->in, 1));
    return true;
}

lterm __real_symbolic_choose(struct symbolic *s, ipoly p, lterm yes, lterm no);
lterm __wrap_symbolic_choose(struct symbolic *s, ipoly p, lterm yes, lterm no);
lterm __wrap_symbolic_choose(struct symbolic *s, ipoly p, lterm yes, lterm no)
{
    bool truths = lterm_kind(s->terms, yes) == LT_TRUTH && lterm_kind(s->terms, no) == LT_TRUTH;
    return __real_symbolic_choose(s, fault == FAULT_MASK && truths ? int_shift(s->in, p, 1) : p,
                                  yes, no);
}

static lterm doubled(struct symbolic *s, lterm value)
{
    lterm args[2] = {value, lterm_number_of(s->terms, "2")};
    return symbolic_apply(s, CODE_MULTIPLY, 2, args);
}

lterm __real_value_of_reduction(struct symbolic *s, code_value value, const ipoly *lane);
lterm __wrap_value_of_reduction(struct symbolic *s, code_value value, const ipoly *lane);
lterm __wrap_value_of_reduction(struct symbolic *s, code_value value, const ipoly *lane)
{
    lterm made = __real_value_of_reduction(s, value, lane);
    bool real = code_node(s->program, value)->type.kind == CODE_REAL;
    return fault == FAULT_FOLD && real ? doubled(s, made) : made;
}

lterm __real_value_of_dot(struct symbolic *s, code_value value, const ipoly *lane);
lterm __wrap_value_of_dot(struct symbolic *s, code_value value, const ipoly *lane);
lterm __wrap_value_of_dot(struct symbolic *s, code_value value, const ipoly *lane)
{
    lterm made = __real_value_of_dot(s, value, lane);
    return fault == FAULT_DOT ? doubled(s, made) : made;
}

// ---- kernels

static const char *const kernels[] = {
    "scale_add",  "grid_stride",  "sum_lanes",    "softmax_online",    "matmul_blocks",
    "cumulative", "max_of_tiles", "early_return", "rms_norm_programs",
};
enum { N_KERNELS = sizeof kernels / sizeof *kernels, SEEDS = 2 };

static void lift(const char *name, uint64_t seed, struct buf *text, struct kernel_job *job)
{
    struct buf path = {0};
    struct err err = {0};
    buf_printf(&path, "tests/kernels/%s.ttir", name);
    assert_true(file_read_text(buf_text(&path), 1 << 22, text, &err));
    struct kernel_source source = {
        .text = buf_text(text), .n = text->len, .file = name, .seed = seed, .runs = 3};
    assert_true(kernel_read(job, &source, &err));
    if (!kernel_lift(job, &source, &err))
        assert_int_equal(err.kind, ERR_BUG); // the claim of a deceived finder has no text
    buf_release(&path);
}

// Is the expectation proved of the kernel, without a fault?
static bool holds(const char *name, const struct buf *expectation)
{
    struct kernel_job job;
    struct kernel_expected expected;
    struct buf text = {0};
    struct err err = {0};
    fault = FAULT_NONE;
    lift(name, 1, &text, &job);
    bool read = kernel_check_expected(&job.program, buf_text(&job.claim_text),
                                      buf_text(expectation), NULL, &expected, &err);
    bool proved = read && kernel_expected_proved(&expected);
    kernel_expected_release(&expected);
    kernel_release(&job);
    buf_release(&text);
    return proved;
}

// The number of outputs for which the checker is deceived and a run is not.
static uint32_t caught(const char *name, enum fault which, uint64_t seed)
{
    struct kernel_job job;
    struct buf text = {0};
    uint32_t n = 0;
    fault = which;
    lift(name, seed, &text, &job);
    for (uint32_t i = 0; i < job.answer.len; i++) {
        const struct kernel_answer *answer = &job.answer.at[i];
        struct buf expectation = {0};
        n += answer->word == KERNEL_REFUTED && answer->checked != NULL && answer->checked->proved;
        if (answer->word != KERNEL_PROVED)
            continue;
        kernel_put_expectation(&job, answer, &expectation);
        if (!holds(name, &expectation))
            fail_msg("%s, fault %d, seed %d: proved, and no run differs:\n%s", name, (int)which,
                     (int)seed, buf_text(&expectation));
        fault = which;
        buf_release(&expectation);
    }
    fault = FAULT_NONE;
    kernel_release(&job);
    buf_release(&text);
    return n;
}

static void runs_see_shared_faults(void **state)
{
    (void)state;
    for (int which = FAULT_NONE + 1; which < N_FAULTS; which++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < N_KERNELS; i++)
            for (uint64_t seed = 1; seed <= SEEDS; seed++)
                n += caught(kernels[i], (enum fault)which, seed);
        print_message("fault %d: the checker was deceived %u times, and a run was not\n", which, n);
        assert_true(n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(runs_see_shared_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
