// SPDX-License-Identifier: Apache-2.0
// The shape rules, case by case.
#include "tests/unit/support/tensor_cases.h"

static uint64_t seed = 1;

static void leaves(void **state)
{
    (void)state;
    RUN({"parameter", "0,0", "", "f32[2]", "f32[2]"}, {"parameter", "0,7", "", "?token", "?token"},
        {"parameter", "0,0", "", "", "!result type"}, {"parameter", "0", "", "f32", "!2 attribute"},
        {"parameter", "0,-1", "", "f32", "!index"},
        {"parameter", "0,0", "", "(f32 f32)", "!one value"},
        {"parameter", "0,0", "f32", "f32", "!0 operands"},
        {"constant", "0", "", "f32[3]", "f32[3]"}, {"constant", "0", "", "f32[1,3]", "f32[1,3]"},
        {"constant", "0", "", "f32[2]", "!2 elements"}, {"constant", "0", "", "i32[3]", "!i32"},
        {"constant", "0", "", "", "!result type"}, {"constant", "0", "", "?x", "!static tensor"},
        {"constant", "1", "", "f32", "f32"},
        {"constant", "1", "", "f32[2000000000,5]", "f32[2000000000,5]"},
        {"constant", "1", "", "f32[0]", "!splat"}, {"constant", "2", "", "f32[4,0]", "f32[4,0]"},
        {"constant", "2", "", "f32", "!1 elements, found 0"},
        {"constant", "3", "", "i32[2]", "i32[2]"}, {"constant", "4", "", "i32[2]", "!literal"},
        {"constant", "-1", "", "i32[2]", "!literal"}, {"constant", BIG, "", "i32[2]", "!literal"},
        {"constant", "", "", "i32[2]", "!attribute"}, {"iota", "1", "", "i32[2,3]", "i32[2,3]"},
        {"iota", "0", "", "bf16[0]", "bf16[0]"}, {"iota", "0", "", "i1[2]", "!element type"},
        {"iota", "2", "", "i32[2,3]", "!below 2"}, {"iota", "-1", "", "i32[2,3]", "!below 2"},
        {"iota", "0", "", "i32", "!below 0"}, {"iota", "0", "", "", "!result type"});
}

static void elementwise(void **state)
{
    (void)state;
    RUN({"add", "", "f32[2] f32[2]", "", "f32[2]"}, {"add", "", "i1[2] i1[2]", "", "i1[2]"},
        {"add", "", "real[2] real[2]", "", "real[2]"},
        {"add", "", "f32[2] f32[2]", "f32[2]", "f32[2]"},
        {"add", "", "f32[2] f32[2]", "f32[3]", "!result"},
        {"add", "", "f32[2] f32[3]", "", "!tensor<3xf32>"},
        {"add", "", "f32[2] i32[2]", "", "!tensor<2xi32>"},
        {"add", "", "f32[2]", "", "!2 operands, found 1"},
        {"add", "", "f32 f32 f32", "", "!2 operands, found 3"},
        {"add", "1", "f32 f32", "", "!0 attribute"}, {"add", "", "?x ?x", "", "!static tensor"},
        {"add", "", "(f32 f32) (f32 f32)", "", "!static tensor"},
        {"negate", "", "ui8[2]", "", "ui8[2]"}, {"negate", "", "i1", "", "!element type"},
        {"abs", "", "i4", "", "i4"}, {"abs", "", "ui8", "", "!element type"},
        {"not", "", "i1", "", "i1"}, {"not", "", "f32", "", "!element type"},
        {"is_finite", "", "f16[2,0]", "", "i1[2,0]"},
        {"is_finite", "", "i32", "", "!element type"});
}

// Each operator of one type with each element type: what its kinds say.
static void kinds_of_elements(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    for (int o = 0; o < N_OPS; o++) {
        enum op op = (enum op)o;
        if (op_class(op) != OPC_UNARY && op_class(op) != OPC_BINARY)
            continue;
        for (int i = ELEM_I1; i < N_ELEMS; i++) {
            struct err err = {0};
            type_id type, out;
            assert_true(type_tensor(&pool, (enum elem)i, 0, NULL, &type, &err));
            bool ok =
                infer_type(&pool, (struct operation){op, NO_ATTR, NO_TYPE, (uint32_t)op_arity(op)},
                           (type_id[]){type, type}, &out, &err);
            assert_int_equal(ok, (op_kinds(op) & (unsigned)elem_kind((enum elem)i)) != 0);
            assert_true(!ok || out.v == type.v);
        }
    }
    pool_release(&pool);
}

// Operators on i1, word by word of the specification.
static void kinds_of_i1(void **state)
{
    (void)state;
    static const char *const yes[] = {"add", "maximum", "minimum", "multiply",
                                      "and", "or",      "xor",     "not"};
    unsigned found = 0;
    for (int o = 0; o < N_OPS; o++) {
        enum op op = (enum op)o;
        if ((op_class(op) == OPC_UNARY || op_class(op) == OPC_BINARY) && op_kinds(op) & KIND_BOOL)
            found++;
    }
    assert_int_equal(found, sizeof yes / sizeof *yes);
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(op_kinds(read_op(yes[i])) & KIND_BOOL);
}

static void comparing(void **state)
{
    (void)state;
    RUN({"compare", "0,0", "f32[2] f32[2]", "", "i1[2]"},
        {"compare", "5,1", "f32[2] f32[2]", "", "i1[2]"}, {"compare", "5,2", "i8 i8", "i1", "i1"},
        {"compare", "5,3", "ui8 ui8", "", "i1"}, {"compare", "0,3", "i1 i1", "", "i1"},
        {"compare", "0,2", "int int", "", "i1"}, {"compare", "0,0", "real real", "", "i1"},
        {"compare", "0,0", "i8 i8", "", "!FLOAT"}, {"compare", "0,2", "ui8 ui8", "", "!SIGNED"},
        {"compare", "0,2", "i1 i1", "", "!SIGNED"}, {"compare", "0,3", "f32 f32", "", "!UNSIGNED"},
        {"compare", "6,0", "f32 f32", "", "!direction"},
        {"compare", "-1,0", "f32 f32", "", "!direction"},
        {"compare", "0,4", "f32 f32", "", "!comparison type"},
        {"compare", "0," LEAST, "f32 f32", "", "!comparison type"},
        {"compare", "0", "f32 f32", "", "!2 attribute"},
        {"compare", "0,0", "f32[2] f32", "", "!operand"},
        {"compare", "0,0", "f32 f32", "f32", "!result"},
        {"select", "", "i1[2] f32[2] f32[2]", "", "f32[2]"},
        {"select", "", "i1 f32[2] f32[2]", "", "f32[2]"},
        {"select", "", "i1[1] f32[2] f32[2]", "", "!predicate"},
        {"select", "", "i8[2] f32[2] f32[2]", "", "!i1"},
        {"select", "", "i1[2] f32[2] f32[3]", "", "!last operand"},
        {"select", "", "i1[2] f32[2] i32[2]", "", "!last operand"},
        {"clamp", "", "f32[2] f32[2] f32[2]", "", "f32[2]"},
        {"clamp", "", "f32 f32[2] f32[2]", "", "f32[2]"},
        {"clamp", "", "f32[2] f32[2] f32", "", "f32[2]"},
        {"clamp", "", "f32[1] f32[2] f32", "", "!bound"},
        {"clamp", "", "f32 f32[2] i32", "", "!bound"},
        {"clamp", "", "f32[2] f32 f32[2]", "", "!bound"},
        {"convert", "", "f32[2]", "i1[2]", "i1[2]"}, {"convert", "", "i1[2]", "real[2]", "real[2]"},
        {"convert", "", "f32[2]", "i32[3]", "!shape"},
        {"convert", "", "f32[2]", "", "!result type"},
        {"convert", "", "f32[2]", "?x", "!static tensor"});
}

static void broadcasting(void **state)
{
    (void)state;
    RUN({"broadcast_in_dim", "", "f32", "f32[2,3]", "f32[2,3]"},
        {"broadcast_in_dim", "1", "f32[3]", "f32[2,3]", "f32[2,3]"},
        {"broadcast_in_dim", "1,0", "f32[3,1]", "f32[2,3]", "f32[2,3]"},
        {"broadcast_in_dim", "0", "f32[1]", "f32[0]", "f32[0]"},
        {"broadcast_in_dim", "0", "f32[0]", "f32[0]", "f32[0]"},
        {"broadcast_in_dim", "0", "f32[0]", "f32[1]", "!size 1 or 1"},
        {"broadcast_in_dim", "0", "f32[3]", "f32[2,3]", "!size 1 or 2"},
        {"broadcast_in_dim", "0,0", "f32[2,1]", "f32[2]", "!distinct"},
        {"broadcast_in_dim", "2", "f32[3]", "f32[2,3]", "!below 2"},
        {"broadcast_in_dim", "-1", "f32[3]", "f32[2,3]", "!below 2"},
        {"broadcast_in_dim", BIG, "f32[3]", "f32[2,3]", "!below 2"},
        {"broadcast_in_dim", "", "f32[3]", "f32[2,3]", "!1 attribute"},
        {"broadcast_in_dim", "1", "f32[3]", "f16[2,3]", "!elements"},
        {"broadcast_in_dim", "1", "f32[3]", "", "!result type"});
}

static void moving(void **state)
{
    (void)state;
    RUN({"transpose", "2,0,1", "f32[2,3,4]", "", "f32[4,2,3]"}, {"transpose", "", "f32", "", "f32"},
        {"transpose", "0,0", "f32[2,3]", "", "!distinct"},
        {"transpose", "0,2", "f32[2,3]", "", "!below 2"},
        {"transpose", "0", "f32[2,3]", "", "!2 attribute"},
        {"transpose", "1,0", "f32[2,3]", "f32[2,3]", "!tensor<3x2xf32>"},
        {"reverse", "", "f32[2,3]", "", "f32[2,3]"}, {"reverse", "0,1", "f32[2,3]", "", "f32[2,3]"},
        {"reverse", "1,0", "f32[2,3]", "", "!ascending"},
        {"reverse", "1,1", "f32[2,3]", "", "!distinct"},
        {"reverse", "2", "f32[2,3]", "", "!below 2"},
        {"concatenate", "0", "f32[2,3] f32[0,3] f32[5,3]", "", "f32[7,3]"},
        {"concatenate", "0", "i1[2]", "", "i1[2]"}, {"concatenate", "0", "", "", "!at least one"},
        {"concatenate", "0", "f32 f32", "", "!below 0"},
        {"concatenate", "1", "f32[2] f32[2]", "", "!below 1"},
        {"concatenate", "-1", "f32[2] f32[2]", "", "!below 1"},
        {"concatenate", "", "f32[2] f32[2]", "", "!one dimension"},
        {"concatenate", "0", "f32[2,3] f32[2,4]", "", "!joins"},
        {"concatenate", "0", "f32[2,3] f32[2]", "", "!joins"},
        {"concatenate", "0", "f32[2] f16[2]", "", "!joins"},
        {"concatenate", "0", "i8[4000000000000000000] i8[4000000000000000000]", "", "!2^62"},
        {"concatenate", "0",
         "i8[4000000000000000000] i8[4000000000000000000] "
         "i8[4000000000000000000]",
         "", "!2^62"});
}

static void slicing(void **state)
{
    (void)state;
    RUN({"slice", "0,0,2,3,1,2", "f32[2,3]", "", "f32[2,2]"},
        {"slice", "1,4,1", "f32[4]", "", "f32[3]"}, {"slice", "4,4,1", "f32[4]", "", "f32[0]"},
        {"slice", "0,0,1", "f32[0]", "", "f32[0]"}, {"slice", "0,4," BIG, "f32[4]", "", "f32[1]"},
        {"slice", "", "f32", "", "f32"}, {"slice", "-1,4,1", "f32[4]", "", "!start"},
        {"slice", "3,2,1", "f32[4]", "", "!start"}, {"slice", "0,5,1", "f32[4]", "", "!start"},
        {"slice", "0,4,0", "f32[4]", "", "!stride"}, {"slice", "0,4,-1", "f32[4]", "", "!stride"},
        {"slice", LEAST "," BIG ",1", "f32[4]", "", "!start"},
        {"slice", "0,4", "f32[4]", "", "!3 attribute"},
        {"pad", "1,2,0", "f32[4] f32", "", "f32[7]"}, {"pad", "1,2,3", "f32[4] f32", "", "f32[16]"},
        {"pad", "-1,-3,0", "f32[4] f32", "", "f32[0]"},
        {"pad", "2,1,5", "f32[0] f32", "", "f32[3]"},
        {"pad", "0,-1,1,0,0,2", "f32[2,3] f32", "", "f32[3,6]"}, {"pad", "", "f32 f32", "", "f32"},
        {"pad", LEAST "," BIG ",0", "f32[4] f32", "", "f32[3]"},
        {"pad", "-2,-3,0", "f32[4] f32", "", "!result size"},
        {"pad", "-1,0,0", "f32[0] f32", "", "!result size"},
        {"pad", "0,0,-1", "f32[4] f32", "", "!interior"},
        {"pad", "0,0,-1", "f32[0] f32", "", "!interior"},
        {"pad", BIG "," BIG ",0", "f32[4] f32", "", "!result size"},
        {"pad", "0,0," BIG, "f32[4] f32", "", "!result size"},
        {"pad", "1000000000000000000,0,0", "f64[4] f64", "", "!2^62"},
        {"pad", "0,0,0", "f32[4] f32[1]", "", "!rank 0"},
        {"pad", "0,0,0", "f32[4] i32", "", "!element type"},
        {"pad", "0,0", "f32[4] f32", "", "!3 attribute"},
        {"pad", "0,0,0", "f32[4]", "", "!2 operands"});
}

static void reducing(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    char add[64], add_text[6][64];
    static const char *const dims[] = {"", ",0", ",1,2", ",0,1,2", ",2,1", ",3"};
    static const char *const expect[] = {"f32[2,3,4]", "f32[3,4]",   "f32[2]",
                                         "f32",        "!ascending", "!below 3"};
    for (int i = 0; i < 6; i++) {
        snprintf(add_text[i], sizeof *add_text, "%d%s", OP_ADD, dims[i]);
        struct infer_case infer_case = {"reduce", add_text[i], "f32[2,3,4] f32", "", expect[i]};
        run_case(&pool, &infer_case);
    }
    for (int o = -1; o <= N_OPS; o++) { // each reducer with i1, i32 and f32
        bool is = o >= 0 && o < N_OPS && op_is_reducer((enum op)o);
        bool bits_only = o == OP_AND || o == OP_OR;
        snprintf(add, sizeof add, "%d,0", o);
        struct infer_case c[] = {{"reduce", add, "i1[2] i1", "", is ? "i1" : "!reducer"},
                                 {"reduce", add, "i32[2] i32", "", is ? "i32" : "!reducer"},
                                 {"reduce", add, "f32[2] f32", "",
                                  !is         ? "!reducer"
                                  : bits_only ? "!takes"
                                              : "f32"}};
        for (int k = 0; k < 3; k++)
            run_case(&pool, &c[k]);
    }
    snprintf(add, sizeof add, "%d,0", OP_ADD);
    struct infer_case c[] = {{"reduce", "", "f32[2] f32", "", "!reducer"},
                             {"reduce", add, "f32[2] f32[1]", "", "!rank 0"},
                             {"reduce", add, "f32[2] f64", "", "!element type"},
                             {"reduce", add, "f32 f32", "", "!below 0"},
                             {"reduce", add, "f32[2]", "", "!2 operands"},
                             {"reduce", add, "f32[0,2] f32", "", "f32[2]"}};
    for (size_t k = 0; k < sizeof c / sizeof *c; k++)
        run_case(&pool, &c[k]);
    pool_release(&pool);
}

static void opaque_nodes(void **state)
{
    (void)state;
    RUN({"opaque", "0,1,0", "", "f32[2]", "f32[2]"}, {"opaque", "0,1,0", "?x f32", "?y", "?y"},
        {"opaque", "0,2,0", "f32", "(f32 ?y)", "(f32 ?y)"}, {"opaque", "0,0,9", "f32", "()", "()"},
        {"opaque", "0,1,0", "f32", "", "!result type"},
        {"opaque", "0,2,0", "f32", "f32", "!2 results, found one of 1"},
        {"opaque", "0,1,0", "f32", "(f32)", "!tuple"},
        {"opaque", "0,3,0", "f32", "(f32 f32)", "!3 results"},
        {"opaque", "0,1,-1", "f32", "f32", "!serial"},
        {"opaque", "1000000,1,0", "f32", "f32", "!symbol"},
        {"opaque", "-1,1,0", "f32", "f32", "!symbol"},
        {"opaque", "0,1", "f32", "f32", "!3 attribute"},
        {"opaque", "0,1,0", "(f32 f32)", "f32", "!one value"},
        {"result", "1", "(f32 i32[2])", "", "i32[2]"}, {"result", "0", "(f32 ?x)", "f32", "f32"},
        {"result", "2", "(f32 ?x)", "", "!below 2"}, {"result", "-1", "(f32 ?x)", "", "!below 2"},
        {"result", "0", "f32", "", "!several results"},
        {"result", "", "(f32 f32)", "", "!1 attribute"});
}

// Sizes by counting, over all small cases.
static void sizes_by_counting(void **state)
{
    (void)state;
    int64_t got;
    for (int64_t n = -1; n < 6; n++)
        for (int64_t a = -3; a < 7; a++)
            for (int64_t b = -3; b < 7; b++)
                for (int64_t k = -1; k < 4; k++) {
                    bool ok = n >= 0 && 0 <= a && a <= b && b <= n && k >= 1;
                    int64_t count = 0;
                    for (int64_t i = a; ok && i < b; i += k)
                        count++;
                    assert_int_equal(slice_size(n, a, b, k, &got), ok);
                    assert_true(!ok || got == count);
                    int64_t size = a + b;
                    for (int64_t i = 0; i < n; i++)
                        size += i ? 1 + k : 1;
                    ok = n >= 0 && k >= 0 && size >= 0;
                    assert_int_equal(pad_size(n, a, b, k, &got), ok);
                    assert_true(!ok || got == size);
                }
}

// Attributes of any value never overflow, crash or make a bad type.
static void random_attributes(void **state)
{
    (void)state;
    static const int64_t odd[] = {0, 1, -1, 2, INT64_MAX, INT64_MIN, 3, INT64_C(1) << 62};
    static const char *const types[] = {
        "f32[2,3]", "i1", "i64[0,4]", "?x", "(f32 i1)", "bf16[7]", "i8[4000000000000000000]"};
    struct pool pool;
    struct rng rng;
    pool_init(&pool);
    rng_seed(&rng, seed);
    unsigned good = 0;
    for (int step = 0; step < 80000; step++) {
        int64_t v[9];
        type_id type[4], out;
        struct err err = {0};
        uint32_t n_attr = (uint32_t)rng_below(&rng, 10);
        for (uint32_t i = 0; i < n_attr; i++)
            v[i] = odd[rng_below(&rng, sizeof odd / sizeof *odd)];
        for (int i = 0; i < 4; i++) {
            const char *text = types[rng_below(&rng, sizeof types / sizeof *types)];
            type[i] = read_type(&pool, &text);
        }
        enum op op = (enum op)rng_below(&rng, N_OPS);
        uint32_t n = op_arity(op) >= 0 ? (uint32_t)op_arity(op) : (uint32_t)rng_below(&rng, 4);
        bool ok = infer_type(&pool,
                             (struct operation){op, attr_make(&pool, n_attr, v),
                                                rng_below(&rng, 2) ? type[3] : NO_TYPE, n},
                             type, &out, &err);
        assert_true(ok == (err.kind == ERR_NONE));
        assert_true(ok || err.kind == ERR_INPUT);
        if (ok && type_is_tensor(&pool, out))
            assert_true(type_count(&pool, out) >= 0);
        good += ok;
    }
    assert_true(good > 500);
    pool_release(&pool);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves),
        cmocka_unit_test(elementwise),
        cmocka_unit_test(kinds_of_elements),
        cmocka_unit_test(kinds_of_i1),
        cmocka_unit_test(comparing),
        cmocka_unit_test(broadcasting),
        cmocka_unit_test(moving),
        cmocka_unit_test(slicing),
        cmocka_unit_test(reducing),
        cmocka_unit_test(opaque_nodes),
        cmocka_unit_test(sizes_by_counting),
        cmocka_unit_test(random_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
