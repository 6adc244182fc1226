// SPDX-License-Identifier: Apache-2.0
// Any bytes as TTIR: read or refused with a place; what is read obeys the invariants of
// programs over arrays, is printed, and runs at small sizes within its limit.
#include "io/ttir/ttir.h"
#include "loops/print/print.h"
#include "loops/program/check.h"
#include "loops/run/sample.h"
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fault(const char *what, uint32_t at)
{
    fprintf(stderr, "%s, %u\n", what, at);
    abort();
}

static void try(const struct code_program *program)
{
    const char *what;
    uint32_t at;
    struct buf text = {0};
    struct execution run;
    struct rng rng;
    static const struct sample_limits limits = {4, 1 << 12};
    if (!code_check(program, &what, &at))
        fault(what, at);
    code_print(program, &text);
    buf_release(&text);
    rng_seed(&rng, 1);
    exec_init(&run, program, 1 << 16);
    if (sample_scalars(&run, &rng, &limits) && sample_arrays(&run, &rng, &limits))
        (void)exec_all(&run);
    exec_release(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct code_program program;
    struct err err = {0};
    code_init(&program);
    if (ttir_read((const char *)data, size, "input", NULL, &program, &err))
        try(&program);
    else if (err.kind == ERR_NONE || err.msg[0] == '\0' || err.line == 0)
        fault("a failure without place or message", 0);
    code_release(&program);
    return 0;
}
