// SPDX-License-Identifier: Apache-2.0
// Element types, single elements, and what the pool interns.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include "base/text/buf.h"
#include "base/rng.h"
#include "tensor/language/op.h"
#include "tensor/language/pool.h"

static uint64_t seed = 1;

static struct scalar bits(uint64_t b)
{
    return (struct scalar){.bits = b};
}

static struct scalar fraction(int64_t num, int64_t den)
{
    return (struct scalar){.num = num, .den = den};
}

static void element_names(void **state)
{
    (void)state;
    for (int i = ELEM_OTHER + 1; i < N_ELEMS; i++) {
        enum elem elem = (enum elem)i, got;
        const char *text = elem_text(elem);
        assert_true(elem_by_text(text, strlen(text), &got));
        assert_int_equal(got, elem);
        assert_false(elem_by_text(text, strlen(text) - 1, &got) && got == elem);
        assert_true(elem_bytes(elem) * 8 >= elem_bits(elem));
    }
    enum elem got;
    assert_false(elem_by_text("other", 5, &got));
    assert_false(elem_by_text("f8E4M3FN", 8, &got));
    assert_false(elem_by_text("i32x", 4, &got));
    assert_true(elem_is_ideal(ELEM_INT) && elem_is_ideal(ELEM_REAL));
    assert_false(elem_is_ideal(ELEM_F64));
    assert_int_equal(elem_kind(ELEM_OTHER), 0);
    assert_int_equal(elem_kind(ELEM_UI4), KIND_UINT);
}

// Format by its definition: what the 16 bits mean, computed another way.
static double half_value(enum elem elem, unsigned h)
{
    unsigned mant = elem == ELEM_F16 ? 10 : 7;
    int bias = elem == ELEM_F16 ? 15 : 127;
    unsigned e = (h & 0x7fff) >> mant, m = h & ((1u << mant) - 1);
    unsigned top = (1u << (15 - mant)) - 1;
    double x;
    if (e == top)
        x = m ? NAN : INFINITY;
    else if (e)
        x = (1 + m / pow(2, mant)) * pow(2, (int)e - bias);
    else
        x = m / pow(2, mant) * pow(2, 1 - bias);
    return h >> 15 ? -x : x;
}

// All 65536 patterns: the value is right and comes back bit for bit.
static void half_round_trip(enum elem elem)
{
    for (unsigned h = 0; h < 65536; h++) {
        double x = scalar_to_double(elem, bits(h)), want = half_value(elem, h);
        assert_true(isnan(want) ? isnan(x) : x == want);
        assert_int_equal(!!signbit(x), h >> 15);
        assert_int_equal(scalar_is_nan(elem, bits(h)), isnan(want));
        struct scalar back = scalar_of_double(elem, x);
        if (isnan(want)) {
            assert_true(scalar_is_nan(elem, back));
            assert_int_equal(back.bits >> 15, h >> 15);
        } else {
            assert_int_equal(back.bits, h);
        }
    }
}

// Between any two neighbours: the midpoint goes to the even one, and what lies
// the least step beside it to the nearer one.
static void half_rounds_to_nearest(enum elem elem)
{
    unsigned inf = elem == ELEM_F16 ? 0x7c00 : 0x7f80;
    for (unsigned h = 0; h < inf; h++) {
        double lo = half_value(elem, h), hi = half_value(elem, h + 1);
        if (h + 1 == inf) // the midpoint to the next power of two overflows
            hi = 2 * lo - half_value(elem, h - 1);
        double mid = lo + (hi - lo) / 2;
        unsigned even = h & 1 ? h + 1 : h;
        for (unsigned sign = 0; sign < 2; sign++) {
            double s = sign ? -1 : 1;
            unsigned bit = sign << 15;
            double below = nextafter(mid, 0), above = nextafter(mid, INFINITY);
            assert_int_equal(scalar_of_double(elem, s * mid).bits, even | bit);
            assert_int_equal(scalar_of_double(elem, s * below).bits, h | bit);
            assert_int_equal(scalar_of_double(elem, s * above).bits, (h + 1) | bit);
        }
    }
    assert_int_equal(scalar_of_double(elem, 5e-324).bits, 0);
    assert_int_equal(scalar_of_double(elem, -5e-324).bits, 0x8000);
    assert_int_equal(scalar_of_double(elem, 1e300).bits, inf);
    assert_int_equal(scalar_of_double(elem, -INFINITY).bits, inf | 0x8000);
    assert_true(scalar_is_nan(elem, scalar_of_double(elem, NAN)));
}

static void half_f16(void **state)
{
    (void)state;
    half_round_trip(ELEM_F16);
    half_rounds_to_nearest(ELEM_F16);
}

static void half_bf16(void **state)
{
    (void)state;
    half_round_trip(ELEM_BF16);
    half_rounds_to_nearest(ELEM_BF16);
}

static void floats_32_64(void **state)
{
    (void)state;
    assert_true(scalar_of_double(ELEM_F32, 0.1).bits == 0x3dcccccd);
    assert_true(scalar_of_double(ELEM_F32, -0.0).bits == 0x80000000);
    assert_true(scalar_to_double(ELEM_F32, bits(0x7f800000)) == INFINITY);
    assert_true(scalar_is_nan(ELEM_F32, bits(0x7fc00000)));
    assert_true(scalar_of_double(ELEM_F64, 1.0).bits == UINT64_C(0x3ff0000000000000));
    assert_true(scalar_to_double(ELEM_F64, bits(1)) == 5e-324);
}

static void integers_wrap(void **state)
{
    (void)state;
    assert_true(scalar_of_int(ELEM_I8, 200).bits == (uint64_t)-56);
    assert_true(scalar_of_int(ELEM_UI8, -1).bits == 255);
    assert_true(scalar_of_int(ELEM_I4, 8).bits == (uint64_t)-8);
    assert_true(scalar_of_int(ELEM_UI2, 7).bits == 3);
    assert_true(scalar_of_int(ELEM_UI64, -1).bits == UINT64_MAX);
    assert_true(scalar_of_int(ELEM_I1, 7).bits == 1);
    assert_true(scalar_of_int(ELEM_I1, 0).bits == 0);
    assert_true(scalar_of_int(ELEM_INT, -9).num == -9);
    assert_true(scalar_to_double(ELEM_I8, bits((uint64_t)-56)) == -56);
    assert_true(scalar_to_double(ELEM_UI64, bits(UINT64_MAX)) == 0x1p64);
    assert_true(scalar_lowest(ELEM_I4).bits == (uint64_t)-8);
    assert_true(scalar_highest(ELEM_I4).bits == 7);
    assert_true((int64_t)scalar_lowest(ELEM_I64).bits == INT64_MIN);
    assert_true((int64_t)scalar_highest(ELEM_I64).bits == INT64_MAX);
    assert_true(scalar_highest(ELEM_UI16).bits == 65535);
    assert_true(scalar_lowest(ELEM_UI16).bits == 0);
    assert_true(scalar_highest(ELEM_I1).bits == 1);
    assert_true(scalar_lowest(ELEM_F16).bits == 0xfc00);
    assert_true(scalar_highest(ELEM_BF16).bits == 0x7f80);
    assert_true(scalar_same(ELEM_INT, scalar_highest(ELEM_INT), fraction(1, 0)));
    assert_true(scalar_same(ELEM_REAL, scalar_lowest(ELEM_REAL), fraction(-1, 0)));
}

// Large integers reach the small floats by one rounding.
static void integers_round_once(void **state)
{
    (void)state;
    // 2^60 + 2^52 is a tie of bf16; one more is above it, though a double
    // cannot tell.
    int64_t tie = (INT64_C(1) << 60) + (INT64_C(1) << 52);
    assert_int_equal(scalar_of_int(ELEM_BF16, tie).bits, 0x5d80);
    assert_int_equal(scalar_of_int(ELEM_BF16, tie + 1).bits, 0x5d81);
    assert_int_equal(scalar_of_int(ELEM_BF16, -tie - 1).bits, 0xdd81);
    assert_int_equal(scalar_of_int(ELEM_BF16, tie - 1).bits, 0x5d80);
    int64_t tie32 = (INT64_C(1) << 60) + (INT64_C(1) << 36);
    assert_int_equal(scalar_of_int(ELEM_F32, tie32 + 1).bits, 0x5d800001);
    assert_int_equal(scalar_of_int(ELEM_F32, tie32).bits, 0x5d800000);
    assert_int_equal(scalar_of_int(ELEM_F16, 65519).bits, 0x7bff);
    assert_int_equal(scalar_of_int(ELEM_F16, 65520).bits, 0x7c00);
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 20000; i++) { // against the machine's own conversion
        int64_t x = (int64_t)(rng_u64(&rng) >> rng_below(&rng, 63));
        float f = (float)x;
        uint32_t w;
        memcpy(&w, &f, 4);
        assert_int_equal(scalar_of_int(ELEM_F32, x).bits, w);
        assert_true(scalar_to_double(ELEM_F64, scalar_of_int(ELEM_F64, x)) == (double)x);
    }
    assert_true(scalar_to_double(ELEM_F64, scalar_of_int(ELEM_F64, INT64_MIN)) == -0x1p63);
    assert_int_equal(scalar_of_int(ELEM_BF16, INT64_MIN).bits, 0xdf00);
}

static void fractions(void **state)
{
    (void)state;
    struct scalar scalar = scalar_of_double(ELEM_REAL, -0.375);
    assert_true(scalar.num == -3 && scalar.den == 8);
    scalar = scalar_of_double(ELEM_REAL, 6);
    assert_true(scalar.num == 6 && scalar.den == 1);
    scalar = scalar_of_double(ELEM_REAL, -0.0);
    assert_true(scalar.num == 0 && scalar.den == 1);
    scalar = scalar_of_double(ELEM_REAL, 0x1p62);
    assert_true(scalar.num == INT64_C(1) << 62 && scalar.den == 1);
    scalar = scalar_of_double(ELEM_REAL, 0x1p-62);
    assert_true(scalar.num == 1 && scalar.den == INT64_C(1) << 62);
    assert_true(scalar_same(ELEM_REAL, scalar_of_double(ELEM_REAL, -INFINITY), fraction(-1, 0)));
    double none[] = {NAN, 0x1p63, 1e300, 0x1p-63, 5e-324};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_true(scalar_is_nan(ELEM_REAL, scalar_of_double(ELEM_REAL, none[i])));
    assert_true(scalar_to_double(ELEM_REAL, fraction(1, 3)) == 1.0 / 3);
    assert_true(scalar_to_double(ELEM_REAL, fraction(-1, 0)) == -INFINITY);
    assert_true(scalar_to_double(ELEM_REAL, fraction(0, 1)) == 0);
    assert_true(scalar_to_double(ELEM_INT, fraction(INT64_MIN, 1)) == -0x1p63);
    // (2^62 + 2^9 +- 1) / 1: beside a tie of doubles, which rounds to even.
    int64_t tie = (INT64_C(1) << 62) + (INT64_C(1) << 9);
    assert_true(scalar_to_double(ELEM_INT, fraction(tie, 1)) == 0x1p62);
    assert_true(scalar_to_double(ELEM_INT, fraction(tie + 1, 1)) == 0x1p62 + 0x1p10);
    assert_true(scalar_to_double(ELEM_REAL, fraction(1, INT64_MAX)) == 0x1p-63);
    struct rng rng;
    rng_seed(&rng, seed + 1);
    for (int i = 0; i < 20000; i++) { // small parts: one division is exact
        int64_t a = rng_range(&rng, -1000000, 1000000);
        int64_t b = rng_range(&rng, 1, 1000000);
        assert_true(scalar_to_double(ELEM_REAL, fraction(a, b)) == (double)a / (double)b);
        double x = (double)a / 1024;
        assert_true(scalar_to_double(ELEM_REAL, scalar_of_double(ELEM_REAL, x)) == x);
    }
}

// What is stored comes back, for every type, at every place.
static void load_and_store(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, seed + 2);
    for (int i = ELEM_OTHER + 1; i < N_ELEMS; i++) {
        enum elem elem = (enum elem)i;
        unsigned char data[16 * 8] = {0};
        struct scalar scalar[8];
        for (size_t k = 0; k < 8; k++) {
            scalar[k] = scalar_of_int(elem, (int64_t)rng_u64(&rng));
            scalar_store(elem, data, k, scalar[k]);
        }
        for (size_t k = 0; k < 8; k++)
            assert_true(scalar_same(elem, scalar_load(elem, data, k), scalar[k]));
    }
    unsigned char odd[] = {0xff, 0x0f, 0x08, 2};
    assert_true(scalar_load(ELEM_I1, odd, 3).bits == 1);
    assert_true(scalar_load(ELEM_I4, odd, 1).bits == UINT64_MAX);
    assert_true(scalar_load(ELEM_I4, odd, 2).bits == (uint64_t)-8);
    assert_true(scalar_load(ELEM_UI4, odd, 0).bits == 15);
    assert_true(scalar_load(ELEM_I8, odd, 0).bits == UINT64_MAX);
    assert_true(scalar_load(ELEM_UI8, odd, 0).bits == 255);
    assert_true(scalar_load(ELEM_I16, odd, 0).bits == 0x0fff);
}

static type_id tensor(struct pool *pool, enum elem elem, uint32_t rank, const int64_t *dims)
{
    struct err err = {0};
    type_id out;
    assert_true(type_tensor(pool, elem, rank, dims, &out, &err));
    return out;
}

static void check_text(const struct pool *pool, type_id type, const char *want)
{
    struct buf buf = {0};
    type_print(pool, type, &buf);
    assert_string_equal(buf_text(&buf), want);
    buf_release(&buf);
}

static void types(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    int64_t d[] = {2, 0, 3};
    type_id type = tensor(&pool, ELEM_F32, 3, d), b = tensor(&pool, ELEM_I32, 3, d);
    type_id s = tensor(&pool, ELEM_F32, 0, NULL), c = tensor(&pool, ELEM_F32, 2, d);
    assert_int_equal(tensor(&pool, ELEM_F32, 3, d).v, type.v);
    assert_true(type.v != b.v && type.v != s.v && type.v != c.v);
    assert_true(type_same_shape(&pool, type, b));
    assert_false(type_same_shape(&pool, type, c));
    assert_int_equal(type_count(&pool, type), 0);
    assert_int_equal(type_count(&pool, s), 1);
    assert_int_equal(type_rank(&pool, c), 2);
    type_id o = type_other(&pool, "tensor<?xf32>");
    assert_int_equal(type_other(&pool, "tensor<?xf32>").v, o.v);
    assert_true(type_other(&pool, "!stablehlo.token").v != o.v);
    assert_false(type_is_tensor(&pool, o));
    assert_false(type_same_shape(&pool, o, o));
    type_id t = type_tuple(&pool, 2, (type_id[]){type, o});
    assert_int_equal(type_tuple(&pool, 2, (type_id[]){type, o}).v, t.v);
    assert_true(type_tuple(&pool, 2, (type_id[]){o, type}).v != t.v);
    assert_true(type_tuple(&pool, 0, NULL).v != t.v);
    assert_int_equal(tuple_type(&pool, t, 1).v, o.v);
    check_text(&pool, type, "tensor<2x0x3xf32>");
    check_text(&pool, s, "tensor<f32>");
    check_text(&pool, t, "(tensor<2x0x3xf32>, tensor<?xf32>)");
    pool_release(&pool);
}

static void types_of_the_pool_itself(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    int64_t d[] = {5, 6, 7, 8};
    type_id type = tensor(&pool, ELEM_F32, 4, d);
    for (int i = 0; i < 200; i++) { // the source moves while it is read
        const int64_t *dims = type_dims(&pool, type);
        type = tensor(&pool, ELEM_F32, 4, dims);
        type_id b = tensor(&pool, (enum elem)(1 + i % 19), 3, type_dims(&pool, type) + i % 2);
        assert_int_equal(type_dims(&pool, b)[0], 5 + i % 2);
        attr_id attr = attr_make(&pool, 2, type_dims(&pool, type) + 1);
        assert_int_equal(attr_at(&pool, attr)[1], 7);
        int64_t fresh[] = {i, i + 1, i + 2};
        attr_id y = attr_make(&pool, 3, fresh);
        attr_id z = attr_make(&pool, 2, attr_at(&pool, y) + 1);
        assert_int_equal(attr_at(&pool, z)[0], i + 1);
        assert_int_equal(attr_at(&pool, z)[1], i + 2);
    }
    pool_release(&pool);
}

static void bad_types(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    const int64_t big = INT64_C(1) << 40;
    int64_t many[TENSOR_MAX_RANK + 1] = {0};
    struct {
        enum elem elem;
        uint32_t rank;
        int64_t dims[3];
    } bad[] = {
        {ELEM_F32, 1, {-1}},          {ELEM_F32, 2, {big, big}},
        {ELEM_F32, 3, {big, 0, big}}, {ELEM_F32, 1, {INT64_C(1) << 60}},
        {ELEM_I8, 1, {INT64_MAX}},    {ELEM_OTHER, 1, {1}},
    };
    type_id type;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct err err = {0};
        assert_false(type_tensor(&pool, bad[i].elem, bad[i].rank, bad[i].dims, &type, &err));
        assert_int_equal(err.kind, ERR_INPUT);
    }
    struct err error = {0};
    assert_false(type_tensor(&pool, ELEM_I1, TENSOR_MAX_RANK + 1, many, &type, &error));
    err_clear(&error);
    assert_true(type_tensor(&pool, ELEM_I1, TENSOR_MAX_RANK, many, &type, &error));
    assert_true(
        type_tensor(&pool, ELEM_F32, 1, (int64_t[]){(INT64_C(1) << 60) - 1}, &type, &error));
    pool_release(&pool);
}

static void attributes(void **state)
{
    (void)state;
    struct pool pool;
    struct rng rng;
    pool_init(&pool);
    rng_seed(&rng, seed + 3);
    assert_int_equal(attr_make(&pool, 0, NULL).v, NO_ATTR.v);
    assert_int_equal(attr_len(&pool, NO_ATTR), 0);
    int64_t v[4];
    for (int i = 0; i < 5000; i++) {
        uint32_t n = (uint32_t)rng_below(&rng, 4);
        for (uint32_t k = 0; k < n; k++)
            v[k] = rng_range(&rng, -5, 5);
        attr_id attr = attr_make(&pool, n, v);
        assert_int_equal(attr_len(&pool, attr), n);
        assert_memory_equal(attr_at(&pool, attr), v, n * sizeof *v);
        assert_int_equal(attr_make(&pool, n, v).v, attr.v);
    }
    assert_true(pool.attr.len <= 1 + 11 + 121 + 1331);
    for (uint32_t i = 0; i < pool.attr.len; i++) // each stands there once
        for (uint32_t k = 0; k < i; k++)
            assert_false(pool.attr.at[i].n == pool.attr.at[k].n &&
                         !memcmp(attr_at(&pool, (attr_id){i}), attr_at(&pool, (attr_id){k}),
                                 pool.attr.at[i].n * sizeof *v));
    pool_release(&pool);
}

static void literals(void **state)
{
    (void)state;
    struct pool pool;
    pool_init(&pool);
    float f[] = {1.5f, 2.5f, 2.5f};
    lit_id literal = literal_make(&pool, ELEM_F32, 3, f);
    assert_false(pool_literal(&pool, literal)->splat);
    assert_true(pool_literal(&pool, literal)->count == 3);
    assert_true(scalar_to_double(ELEM_F32, literal_get(&pool, literal, 2)) == 2.5);
    lit_id b = literal_make(&pool, ELEM_F32, 2, f + 1);
    assert_true(pool_literal(&pool, b)->splat);
    assert_true(pool_literal(&pool, b)->count == 1);
    assert_int_equal(literal_make(&pool, ELEM_F32, 1, f + 1).v, b.v);
    assert_int_equal(literal_splat(&pool, ELEM_F32, scalar_of_double(ELEM_F32, 2.5)).v, b.v);
    assert_true(scalar_to_double(ELEM_F32, literal_get(&pool, b, 77)) == 2.5);
    lit_id none = literal_make(&pool, ELEM_F32, 0, NULL);
    assert_true(pool_literal(&pool, none)->count == 0);
    assert_false(pool_literal(&pool, none)->splat);
    assert_true(literal_make(&pool, ELEM_I32, 0, NULL).v != none.v);
    float zero[] = {0.0f, -0.0f}; // equal numbers, other bits
    assert_false(pool_literal(&pool, literal_make(&pool, ELEM_F32, 2, zero))->splat);
    unsigned char one[] = {1, 255, 2}, four[] = {0x1f, 0xff};
    lit_id yes = literal_make(&pool, ELEM_I1, 3, one);
    assert_int_equal(literal_splat(&pool, ELEM_I1, bits(1)).v, yes.v);
    assert_int_equal(literal_make(&pool, ELEM_I4, 2, four).v,
                     literal_splat(&pool, ELEM_I4, bits(UINT64_MAX)).v);
    assert_int_equal(literal_make(&pool, ELEM_UI4, 2, four).v,
                     literal_splat(&pool, ELEM_UI4, bits(15)).v);
    assert_int_equal(((const unsigned char *)literal_data(&pool, yes))[0], 1);
    for (int64_t i = 0; i < 500; i++) {
        lit_id l = literal_splat(&pool, ELEM_I64, scalar_of_int(ELEM_I64, i));
        assert_true((int64_t)literal_get(&pool, l, 0).bits == i);
        assert_int_equal(literal_splat(&pool, ELEM_I64, scalar_of_int(ELEM_I64, i)).v, l.v);
    }
    pool_release(&pool);
}

static void operator_table(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i, got = N_OPS;
        bool named = op != OP_PARAMETER && op != OP_OPAQUE && op != OP_RESULT;
        assert_int_equal(op_by_name(op_name(op), &got), named);
        assert_int_equal(got, named ? op : N_OPS);
        assert_true(op_kinds(op) != 0 && op_kinds(op) <= KIND_ANY);
        if (op_class(op) == OPC_UNARY)
            assert_true(op_arity(op) == 1 && op_is_elementwise(op));
        if (op_class(op) == OPC_BINARY)
            assert_true(op_arity(op) == 2 && op_is_elementwise(op));
        if (op_is_reducer(op))
            assert_true(op_is_commutative(op) && op_class(op) == OPC_BINARY);
    }
    enum op got;
    assert_false(op_by_name("no_such", &got));
    assert_true(op_is_commutative(OP_XOR) && !op_is_reducer(OP_XOR));
    assert_false(op_is_commutative(OP_SUBTRACT) || op_is_commutative(OP_POWER));
    assert_true(op_is_elementwise(OP_SELECT) && op_is_elementwise(OP_CONVERT));
    assert_false(op_is_elementwise(OP_TRANSPOSE) || op_is_elementwise(OP_IOTA));
    for (int d = CMP_EQ; d <= CMP_LT; d++) {
        enum compare_dir dir;
        assert_true(compare_dir_by_text(compare_dir_text((enum compare_dir)d), &dir));
        assert_int_equal(dir, d);
    }
    for (int c = CMPT_FLOAT; c <= CMPT_UNSIGNED; c++) {
        enum compare_type ct;
        assert_true(compare_type_by_text(compare_type_text((enum compare_type)c), &ct));
        assert_int_equal(ct, c);
    }
    enum compare_dir dir;
    assert_false(compare_dir_by_text("lt", &dir));
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(element_names), cmocka_unit_test(half_f16),
        cmocka_unit_test(half_bf16),     cmocka_unit_test(floats_32_64),
        cmocka_unit_test(integers_wrap), cmocka_unit_test(integers_round_once),
        cmocka_unit_test(fractions),     cmocka_unit_test(load_and_store),
        cmocka_unit_test(types),         cmocka_unit_test(types_of_the_pool_itself),
        cmocka_unit_test(bad_types),     cmocka_unit_test(attributes),
        cmocka_unit_test(literals),      cmocka_unit_test(operator_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
