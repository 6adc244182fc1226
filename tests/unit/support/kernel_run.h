// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of programs over arrays: a kernel of tests/kernels, or a text, that is read
// and run at sizes of its own.
#ifndef TESTS_UNIT_SUPPORT_KERNEL_RUN_H
#define TESTS_UNIT_SUPPORT_KERNEL_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/rng.h"
#include "io/ttir/ttir.h"
#include "loops/run/run.h"

struct kernel {
    struct code_program program;
    struct execution run;
    struct err err;
    struct rng rng;
    bool ok;
};

static inline void kernel_text(struct kernel *kernel, const char *text, size_t n)
{
    *kernel = (struct kernel){0};
    rng_seed(&kernel->rng, 7);
    code_init(&kernel->program);
    kernel->ok = ttir_read(text, n, "t.ttir", NULL, &kernel->program, &kernel->err);
    exec_init(&kernel->run, &kernel->program, UINT64_C(1) << 28);
}

static inline void kernel_file(struct kernel *kernel, const char *name)
{
    struct buf path = {0}, text = {0};
    struct err err = {0};
    buf_printf(&path, "tests/kernels/%s.ttir", name);
    assert_true(file_read(buf_text(&path), 1 << 20, &text, &err));
    kernel_text(kernel, text.at, text.len);
    assert_true(kernel->ok);
    buf_release(&path);
    buf_release(&text);
}

static inline void kernel_release(struct kernel *kernel)
{
    exec_release(&kernel->run);
    code_release(&kernel->program);
}

static inline uint32_t kernel_parameter(struct kernel *kernel, const char *name)
{
    uint32_t parameter = code_find_parameter(&kernel->program, name);
    assert_true(parameter != NO_CODE);
    return parameter;
}

static inline void kernel_set(struct kernel *kernel, const char *name, int64_t value)
{
    kernel->run.scalar.at[kernel_parameter(kernel, name)].whole = value;
}

static inline void kernel_set_real(struct kernel *kernel, const char *name, double value)
{
    kernel->run.scalar.at[kernel_parameter(kernel, name)].real = value;
}

// An array of n undefined elements.
static inline struct exec_array *kernel_output(struct kernel *kernel, const char *name, uint64_t n)
{
    exec_array_resize(&kernel->run, kernel_parameter(kernel, name), n);
    return &kernel->run.array.at[kernel_parameter(kernel, name)];
}

// An array of n random elements: reals in [-2, 2), integers in 0 .. 2.
static inline struct exec_array *kernel_input(struct kernel *kernel, const char *name, uint64_t n)
{
    struct exec_array *array = kernel_output(kernel, name, n);
    uint8_t kind = kernel->program.parameter.at[kernel_parameter(kernel, name)].type.kind;
    for (uint64_t i = 0; i < n; i++) {
        array->at[i].undefined = false;
        if (kind == CODE_REAL)
            array->at[i].real = 4 * rng_unit(&kernel->rng) - 2;
        else
            array->at[i].whole = (int64_t)rng_below(&kernel->rng, kind == CODE_BOOL ? 2 : 3);
    }
    return array;
}

static inline void kernel_run(struct kernel *kernel)
{
    const struct code_fact *failed = NULL;
    if (!exec_facts_hold(&kernel->run, &failed))
        fail_msg("not a size of this kernel: %s", code_name(&kernel->program, failed->text));
    assert_true(exec_all(&kernel->run));
}

static inline const struct exec_fault *kernel_fault(const struct kernel *kernel,
                                                    enum exec_fault_kind kind)
{
    for (uint32_t i = 0; i < kernel->run.fault.len; i++)
        if (kernel->run.fault.at[i].kind == kind)
            return &kernel->run.fault.at[i];
    return NULL;
}

// No faults, and every element of the array was written once.
static inline void kernel_is_clean(const struct kernel *kernel, const struct exec_array *output)
{
    if (kernel->run.fault.len > 0)
        fail_msg("fault %u at line %u", kernel->run.fault.at[0].kind,
                 kernel->run.fault.at[0].place.line);
    for (uint64_t i = 0; i < output->n; i++) {
        assert_int_equal(output->element[i].writes, 1);
        assert_false(output->at[i].undefined);
    }
}

static inline void near(double found, double expected)
{
    double size = expected < 0 ? -expected : expected, difference = found - expected;
    if (!((difference < 0 ? -difference : difference) <= 1e-12 * (1 + size)))
        fail_msg("expected %.17g, found %.17g", expected, found);
}

#endif
