// SPDX-License-Identifier: Apache-2.0
// All lanes at once are each lane alone.
// A run for addresses alone finds the lengths of a whole run.
#include "loops/run/sample.h"
#include "tests/unit/support/kernel_run.h"
#include <math.h>

enum { LANES = 64 };

// Small ones, those at the ends of the type, and those in between.
static struct exec_cell any_cell(struct rng *rng, struct code_type type)
{
    struct exec_cell cell = {0};
    uint64_t random = rng_u64(rng);
    unsigned bits = (unsigned)rng_below(rng, type.bits);
    cell.undefined = rng_below(rng, 8) == 0;
    if (type.kind == CODE_REAL)
        cell.real = rng_below(rng, 8) ? 4 * rng_unit(rng) - 2 : -HUGE_VAL;
    else if (type.kind == CODE_BOOL)
        cell.whole = (int64_t)(random & 1);
    else
        cell.whole = (int64_t)(random & ((UINT64_C(1) << bits) - 1)) * (random >> 63 ? -1 : 1);
    return cell;
}

static void compare_lanes(struct rng *rng, struct code_type type, enum code_op op)
{
    struct code_program program;
    struct execution run;
    struct exec_cell a[LANES], b[LANES], out[LANES];
    struct exec_tile tile = {out, LANES};
    code_init(&program);
    code_value of_a = code_bound(&program, type, (struct code_place){1, 1});
    code_value of_b = code_bound(&program, type, (struct code_place){1, 1});
    code_value value = code_binary(&program, op, of_a, of_b, (struct code_place){1, 1});
    exec_init(&run, &program, 1 << 20);
    for (int i = 0; i < LANES; i++)
        a[i] = any_cell(rng, type), b[i] = any_cell(rng, type);
    if (exec_apply_all(&run, code_node(&program, value), a, b, &tile))
        for (uint32_t i = 0; i < LANES; i++) {
            struct exec_cell both[2] = {a[i], b[i]};
            struct exec_cell one = exec_apply(&run, code_node(&program, value), both, i);
            assert_int_equal(one.undefined, out[i].undefined);
            assert_true(one.undefined || one.whole == out[i].whole ||
                        (isnan(one.real) && isnan(out[i].real)));
        }
    assert_null(run.fault.at); // what does not fit is left to single lanes
    exec_release(&run);
    code_release(&program);
}

static void lanes_are_each_lane(void **state)
{
    (void)state;
    static const uint8_t ops[] = {CODE_ADD,     CODE_SUBTRACT,  CODE_MULTIPLY, CODE_MAXIMUM,
                                  CODE_MINIMUM, CODE_AND,       CODE_OR,       CODE_LESS,
                                  CODE_EQUAL,   CODE_LESS_EQUAL};
    struct rng rng;
    rng_seed(&rng, 3);
    for (int round = 0; round < 200; round++)
        for (unsigned i = 0; i < sizeof ops; i++) {
            bool bits = ops[i] == CODE_AND || ops[i] == CODE_OR, order = i >= 7 && i != 8;
            for (unsigned width = 8; width <= 64; width *= 2)
                compare_lanes(&rng, code_scalar(CODE_INT, width), (enum code_op)ops[i]);
            if (!bits)
                compare_lanes(&rng, code_scalar(CODE_REAL, 32), (enum code_op)ops[i]);
            if (bits || (i >= 7 && !order))
                compare_lanes(&rng, code_scalar(CODE_BOOL, 1), (enum code_op)ops[i]);
        }
}

static void addresses_are_those_of_a_run(void **state)
{
    (void)state;
    static const char *const names[] = {"scale_add",      "softmax_online", "matmul_blocks",
                                        "embedding_flat", "rotate_rows",    "flip",
                                        "grid_stride",    "layer_norm",     "attention_two_loops",
                                        "cross_entropy",  "choose_array",   "transpose_heads"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        struct kernel k;
        kernel_file(&k, names[i]);
        for (int round = 0; round < 3; round++) {
            for (uint32_t a = 0; a < k.run.array.len; a++)
                exec_array_resize(&k.run, a, 0);
            if (!sample_scalars(&k.run, &k.rng, &sample_usual) ||
                !sample_arrays(&k.run, &k.rng, &sample_usual))
                continue;
            assert_true(exec_all(&k.run));
            assert_null(kernel_fault(&k, EXEC_READ_BOUNDS));
            assert_null(kernel_fault(&k, EXEC_WRITE_BOUNDS));
            for (uint32_t a = 0; a < k.run.array.len; a++)
                if (k.run.array.at[a].n > 0)
                    assert_int_equal(k.run.array.at[a].highest, k.run.array.at[a].n - 1);
        }
        kernel_release(&k);
    }
}

// A grid that needs too much is given up after a few programs.
static void gives_up_early(void **state)
{
    (void)state;
    struct kernel k;
    kernel_file(&k, "scale_add");
    kernel_set(&k, "n", 64000);
    kernel_set(&k, "grid.x", 1000);
    k.run.limit = 20000;
    assert_false(exec_all(&k.run));
    assert_true(k.run.cells > 10000);
    kernel_release(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_each_lane),
        cmocka_unit_test(addresses_are_those_of_a_run),
        cmocka_unit_test(gives_up_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
