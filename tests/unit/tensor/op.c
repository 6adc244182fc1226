// SPDX-License-Identifier: Apache-2.0
// The columns of the operator table against the interpreter: what a column
// claims holds of all small values, and where it claims nothing there is a
// value for which the claim would be wrong.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "base/rng.h"
#include "tensor/eval/eval.h"

#define BF16 0x10000

static struct scalar bits(uint64_t value)
{
    return (struct scalar){.bits = value};
}

static struct scalar one_of(enum op op, enum elem elem, struct scalar a)
{
    struct scalar out = {0};
    struct err err = {0};
    if (!eval_unary(op, elem, a, &out, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return out;
}

static struct scalar two_of(enum op op, enum elem elem, struct scalar a, struct scalar b)
{
    struct scalar out = {0};
    struct err err = {0};
    if (!eval_binary(op, elem, a, b, &out, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    return out;
}

// NaNs are one value.
static bool same(enum elem elem, struct scalar a, struct scalar b)
{
    return scalar_same(elem, a, b) || (scalar_is_nan(elem, a) && scalar_is_nan(elem, b));
}

static bool takes(enum op op, enum elem elem)
{
    return (op_kinds(op) & (unsigned)elem_kind(elem)) != 0;
}

static double bf16(struct scalar a)
{
    return scalar_to_double(ELEM_BF16, a);
}

static double at(enum op op, double x)
{
    return bf16(one_of(op, ELEM_BF16, scalar_of_double(ELEM_BF16, x)));
}

// Pairs: all of i8 and ui8, random ones of bf16.
#define PAIRS 0x10000
static const enum elem types[] = {ELEM_I8, ELEM_UI8, ELEM_I1, ELEM_BF16};
enum { N_TYPES = 4 };

static void pair(enum elem elem, uint32_t i, struct rng *rng, struct scalar out[3])
{
    static const double favourite[] = {0.0, -0.0, 1, -1, 2, 0.5, 256, INFINITY};
    uint64_t mask = elem == ELEM_I1 ? 1 : 0xff;
    out[0] = elem == ELEM_I8 ? scalar_of_int(elem, (int8_t)(i & 0xff)) : bits(i & mask);
    out[1] = elem == ELEM_I8 ? scalar_of_int(elem, (int8_t)(i >> 8)) : bits(i >> 8 & mask);
    out[2] = elem == ELEM_I8 ? scalar_of_int(elem, (int8_t)rng_below(rng, 256))
                             : bits(rng_below(rng, 256) & mask);
    for (int k = 0; elem == ELEM_BF16 && k < 3; k++)
        out[k] = rng_below(rng, 4) == 0 ? scalar_of_double(elem, favourite[rng_below(rng, 8)])
                                        : bits(rng_below(rng, BF16));
}

static bool commutes(enum op op, enum elem elem, const struct scalar *v)
{
    return same(elem, two_of(op, elem, v[0], v[1]), two_of(op, elem, v[1], v[0]));
}

// Of rounded results nothing is said.
static bool associates(enum op op, enum elem elem, const struct scalar *v)
{
    if (elem == ELEM_BF16 && op_facts(op)->accuracy != ACCURACY_EXACT)
        return true;
    struct scalar left = two_of(op, elem, two_of(op, elem, v[0], v[1]), v[2]);
    return same(elem, left, two_of(op, elem, v[0], two_of(op, elem, v[1], v[2])));
}

static bool is_idempotent(enum op op, enum elem elem, const struct scalar *v)
{
    return same(elem, two_of(op, elem, v[0], v[0]), v[0]);
}

static void check_law(enum op_law law, bool (*holds)(enum op, enum elem, const struct scalar *))
{
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        struct rng rng;
        bool always = true;
        rng_seed(&rng, 1);
        for (int t = 0; t < N_TYPES && op_class(op) == OPC_BINARY; t++)
            for (uint32_t k = 0; k < PAIRS && takes(op, types[t]); k++) {
                struct scalar v[3];
                pair(types[t], k, &rng, v);
                always = always && holds(op, types[t], v);
            }
        if (op_class(op) == OPC_BINARY && always != op_has(op, law) && op_kinds(op) != KIND_FLOAT)
            fail_msg("%s: law %u", op_name(op), (unsigned)law);
    }
}

static void laws_of_two(void **state)
{
    (void)state;
    check_law(LAW_COMMUTES, commutes);
    check_law(LAW_ASSOCIATES, associates);
    check_law(LAW_IDEMPOTENT, is_idempotent);
    for (int op = 0; op < N_OPS; op++)
        if (op_is_reducer((enum op)op))
            assert_true(op_has((enum op)op, LAW_REDUCER));
}

static void laws_of_one(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        enum elem elem = takes(op, ELEM_BF16) ? ELEM_BF16 : ELEM_I16;
        bool idempotent = true, involution = true;
        if (op_class(op) != OPC_UNARY)
            continue;
        for (uint64_t raw = 0; raw < BF16; raw++) {
            struct scalar a = scalar_load(elem, &raw, 0), once = one_of(op, elem, a);
            struct scalar twice = one_of(op, elem, once);
            idempotent = idempotent && same(elem, once, twice);
            involution = involution && same(elem, a, twice);
        }
        if (idempotent != op_has(op, LAW_IDEMPOTENT))
            fail_msg("%s is idempotent: %d", op_name(op), idempotent);
        if (!idempotent && involution != op_has(op, LAW_INVOLUTION))
            fail_msg("%s is an involution: %d", op_name(op), involution);
    }
}

static bool unit_of(enum op_unit unit, enum elem elem, struct scalar *out)
{
    switch (unit) {
    case UNIT_ZERO:
    case UNIT_RIGHT_ZERO:
        *out = scalar_of_int(elem, 0);
        return true;
    case UNIT_ONE:
    case UNIT_RIGHT_ONE:
        *out = scalar_of_int(elem, 1);
        return true;
    case UNIT_ONES:
        *out = scalar_of_int(elem, -1);
        return true;
    case UNIT_LOWEST:
        *out = scalar_lowest(elem);
        return true;
    case UNIT_HIGHEST:
        *out = scalar_highest(elem);
        return true;
    case UNIT_NONE:
        break;
    }
    return false;
}

// Which units are there from the right?  -0 and 0 count as one.
static bool is_right_unit(enum op op, enum elem elem, enum op_unit unit)
{
    struct scalar u;
    if (!unit_of(unit, elem, &u) || (unit == UNIT_ONES && elem == ELEM_BF16))
        return false;
    if (same(elem, u, scalar_of_int(elem, 0)) && op_facts(op)->defined == DEFINED_SECOND_NOT_0)
        return false; // machines say a value there, the operator has none
    for (uint64_t raw = 0; raw < (elem == ELEM_BF16 ? BF16 : 256); raw++) {
        struct scalar a = scalar_load(elem, &raw, 0), got = two_of(op, elem, a, u);
        bool zeros = elem == ELEM_BF16 && bf16(a) == 0 && bf16(got) == 0;
        if (!same(elem, a, got) && !zeros)
            return false;
    }
    return true;
}

static void units(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        enum op_unit claimed = op_facts(op)->unit;
        for (int t = 0; t < N_TYPES && op_class(op) == OPC_BINARY; t++) {
            if (!takes(op, types[t]) || types[t] == ELEM_I1)
                continue;
            bool some = false, right = claimed == UNIT_RIGHT_ZERO || claimed == UNIT_RIGHT_ONE;
            for (int u = UNIT_ZERO; u <= UNIT_HIGHEST; u++)
                some = some || is_right_unit(op, types[t], (enum op_unit)u);
            if (some != (claimed != UNIT_NONE) || (some && !is_right_unit(op, types[t], claimed)) ||
                (some && right == op_is_commutative(op)))
                fail_msg("the unit of %s on %s", op_name(op), elem_text(types[t]));
        }
    }
}

static void duals(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 2);
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i, dual = op_facts(op)->dual;
        if (dual == N_OPS)
            continue;
        assert_int_equal(op_facts(dual)->dual, op);
        enum elem elem = takes(op, ELEM_BF16) ? ELEM_BF16 : ELEM_I8;
        enum op turn = elem == ELEM_BF16 ? OP_NEGATE : OP_NOT;
        for (uint32_t k = 0; k < PAIRS; k++) {
            struct scalar v[3];
            pair(elem, k, &rng, v);
            struct scalar other =
                two_of(dual, elem, one_of(turn, elem, v[0]), one_of(turn, elem, v[1]));
            assert_true(same(elem, two_of(op, elem, v[0], v[1]), one_of(turn, elem, other)));
        }
    }
}

// Parity, order, range, sign, domain of functions of one float: at all bf16.

static bool is_defined(enum op op, double x)
{
    switch (op_facts(op)->defined) {
    case DEFINED_POSITIVE:
        return x > 0;
    case DEFINED_NOT_NEGATIVE:
        return x >= 0;
    case DEFINED_ABOVE_MINUS_1:
        return x > -1;
    case DEFINED_ALWAYS:
    case DEFINED_COSINE_NOT_0: // of all floats
        return true;
    case DEFINED_SECOND_NOT_0:
    case DEFINED_POWER:
        break;
    }
    fail_msg("%s has no such domain", op_name(op));
    return false;
}

static bool sign_is(enum op_result claimed, double x, double r)
{
    // Rounding takes a small result to 0, not beyond it.
    switch (claimed) {
    case RESULT_POSITIVE:
        return r >= 0 && (fabs(x) > 1 || r > 0);
    case RESULT_OPERAND:
        return x > 0 ? r > 0 : x < 0 ? r < 0 : r == 0;
    case RESULT_OPPOSITE:
        return x > 0 ? r < 0 : x < 0 ? r > 0 : r == 0;
    case RESULT_MAGNITUDE:
        return x == 0 ? r == 0 : r > 0;
    case RESULT_ABOVE_1:
        return x > 1 ? r > 0 : x < 1 ? r < 0 : r == 0;
    case RESULT_ANY:
        return true;
    default:
        return false;
    }
}

static void functions_of_one_float(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        const struct op_facts *facts = op_facts(op);
        bool odd = true, even = true, rises = true, falls = true, integral = true;
        if (op_class(op) != OPC_UNARY || !takes(op, ELEM_BF16))
            continue;
        for (uint64_t raw = 0; raw < BF16; raw++) {
            struct scalar a = bits(raw), minus = one_of(OP_NEGATE, ELEM_BF16, a);
            double x = bf16(a), r = bf16(one_of(op, ELEM_BF16, a));
            double mirrored = bf16(one_of(op, ELEM_BF16, minus));
            double next = raw % 0x8000 < 0x7f80 ? bf16(one_of(op, ELEM_BF16, bits(raw + 1))) : r;
            if (isnan(x))
                continue;
            odd = odd && (mirrored == -r || isnan(r));
            even = even && (mirrored == r || isnan(r));
            integral = integral && (!isfinite(r) || r == floor(r));
            bool up = raw < 0x8000 ? r <= next : next <= r,
                 down = raw < 0x8000 ? next <= r : r <= next;
            rises = rises && (up || isnan(r) || isnan(next));
            falls = falls && (down || isnan(r) || isnan(next) || !is_defined(op, x));
            if (isfinite(x) && (is_defined(op, x) ? isnan(r) : isfinite(r)))
                fail_msg("%s of %a is %a", op_name(op), x, r);
            if (isinf(x) && is_defined(op, x) && (isnan(r) != 0) != op_has(op, LAW_PERIODIC))
                fail_msg("%s of infinity is %a", op_name(op), r);
            if (is_defined(op, x) && isfinite(x) && !sign_is(facts->result, x, r))
                fail_msg("the sign of %s of %a, %a", op_name(op), x, r);
            bool most = facts->range == RANGE_UP_TO_1 || facts->range == RANGE_MINUS_1_TO_1;
            bool least = facts->range == RANGE_FROM_MINUS_1 || facts->range == RANGE_MINUS_1_TO_1;
            if ((most && r > 1) || (least && r < -1))
                fail_msg("the range of %s of %a, %a", op_name(op), x, r);
        }
        if (op == OP_REAL || op == OP_IMAG) // of them nothing is claimed
            continue;
        if (integral != op_has(op, LAW_INTEGRAL))
            fail_msg("results of %s are integers: %d", op_name(op), integral);
        bool inside = facts->defined == DEFINED_ALWAYS; // half of the line has no mirror
        if ((inside || facts->parity != PARITY_NEITHER) &&
            (odd != (facts->parity == PARITY_ODD) || even != (facts->parity == PARITY_EVEN)))
            fail_msg("%s: odd %d, even %d", op_name(op), odd, even);
        if (rises != (facts->order == ORDER_RISES) || falls != (facts->order == ORDER_FALLS))
            fail_msg("%s: rises %d, falls %d", op_name(op), rises, falls);
    }
}

static void points(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        if (op_class(op) != OPC_UNARY || op_facts(op)->accuracy != ACCURACY_OPEN)
            continue;
        switch (op_facts(op)->point) {
        case POINT_AT_0_IS_0:
            assert_true(at(op, 0) == 0);
            break;
        case POINT_AT_0_IS_1:
            assert_true(at(op, 0) == 1);
            break;
        case POINT_AT_0_IS_HALF:
            assert_true(at(op, 0) == 0.5);
            break;
        case POINT_AT_1_IS_0:
            assert_true(at(op, 1) == 0);
            break;
        case POINT_NONE: // a root, of which arithmetic decides
            break;
        }
    }
}

static struct scalar half(int n)
{
    return n % 2 == 0 ? (struct scalar){.num = n / 2, .den = 1}
                      : (struct scalar){.num = n, .den = 2};
}

static int sign_of(struct scalar a)
{
    return (a.num > 0) - (a.num < 0);
}

// Signs that f(a, b) may have: -1, 0, 1 are bits 0, 1, 2.
static unsigned signs_of_two(enum op_result claimed, int s, int t)
{
    switch (claimed) {
    case RESULT_DIFFERENCE:
        return signs_of_two(RESULT_SUM, s, -t);
    case RESULT_SUM:
        return s == t || t == 0 ? 1U << (s + 1) : s == 0 ? 1U << (t + 1) : 7;
    case RESULT_PRODUCT:
    case RESULT_QUOTIENT:
        return 1U << (s * t + 1);
    case RESULT_GREATER:
        return 1U << ((s > t ? s : t) + 1);
    case RESULT_LESSER:
        return 1U << ((s < t ? s : t) + 1);
    default:
        return 7;
    }
}

static int order_of_reals(struct scalar a, struct scalar b)
{
    int64_t d = a.num * b.den - b.num * a.den;
    return (d > 0) - (d < 0);
}

// In the first operand: as the column says it from the second.
static int direction(enum op op, uint32_t operand, struct scalar other)
{
    switch (op_facts(op)->order) {
    case ORDER_RISES:
        return 1;
    case ORDER_FALLS:
        return -1;
    case ORDER_DIFFERENCE:
        return operand == 0 ? 1 : -1;
    case ORDER_BY_SIGN:
        return sign_of(other);
    case ORDER_NONE:
        break;
    }
    return 2;
}

static void functions_of_two_reals(void **state)
{
    (void)state;
    static const enum op all[] = {OP_ADD,    OP_SUBTRACT, OP_MULTIPLY,
                                  OP_DIVIDE, OP_MAXIMUM,  OP_MINIMUM};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        enum op op = all[i];
        bool integral = true;
        for (int a = -8; a <= 8; a++)
            for (int b = -8; b <= 8; b++) {
                struct scalar x = half(a), y = half(b), z = half(a + 1);
                if (op_facts(op)->defined == DEFINED_SECOND_NOT_0 && (b == 0 || a == 0 || a == -1))
                    continue;
                struct scalar r = two_of(op, ELEM_REAL, x, y);
                integral = integral && (a % 2 != 0 || b % 2 != 0 || r.den == 1);
                unsigned may = signs_of_two(op_facts(op)->result, sign_of(x), sign_of(y));
                if ((may >> (sign_of(r) + 1) & 1) == 0)
                    fail_msg("the sign of %s", op_name(op));
                for (uint32_t k = 0; k < 2; k++) {
                    struct scalar low = two_of(op, ELEM_REAL, k ? y : x, k ? x : y);
                    struct scalar high = two_of(op, ELEM_REAL, k ? y : z, k ? z : y);
                    int want = direction(op, k, y), got = order_of_reals(high, low);
                    if (want != 2 && got != want && got != 0)
                        fail_msg("the order of %s", op_name(op));
                    if (want == 0 && got != 0)
                        fail_msg("the order of %s by a zero", op_name(op));
                }
            }
        if (integral != op_has(op, LAW_KEEPS_INTEGERS))
            fail_msg("%s keeps integers: %d", op_name(op), integral);
    }
}

// On small dyadic numbers an exact operator gives what it gives on reals; any
// other one has a result that is rounded, or is no rational number.
static void accuracy(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        enum op op = (enum op)i;
        bool two = op_class(op) == OPC_BINARY, exact = true;
        if ((!two && op_class(op) != OPC_UNARY) || !takes(op, ELEM_BF16))
            continue;
        for (int a = -20; a <= 20; a++)
            for (int b = two ? 1 : 20; b <= 20; b++) {
                struct err err = {0};
                struct scalar x = scalar_of_double(ELEM_BF16, a / 8.0), ideal;
                struct scalar y = scalar_of_double(ELEM_BF16, 1024.0 * b + 0.125 * b);
                struct scalar q = scalar_of_double(ELEM_REAL, bf16(y));
                struct scalar p = scalar_of_double(ELEM_REAL, a / 8.0);
                bool known = two ? eval_binary(op, ELEM_REAL, p, q, &ideal, &err)
                                 : eval_unary(op, ELEM_REAL, p, &ideal, &err);
                struct scalar got = two ? two_of(op, ELEM_BF16, x, y) : one_of(op, ELEM_BF16, x);
                exact = exact && known && scalar_to_double(ELEM_REAL, ideal) == bf16(got);
            }
        if (exact != (op_facts(op)->accuracy == ACCURACY_EXACT))
            fail_msg("%s is exact: %d", op_name(op), exact);
        assert_true(op_is_transcendental(op) == (op_facts(op)->accuracy >= ACCURACY_ROOT));
    }
}

static void names(void **state)
{
    (void)state;
    for (int i = 0; i < N_OPS; i++) {
        const struct op_info *info = op_info((enum op)i);
        enum op found;
        char sign[2] = {op_infix_sign((enum op)i), 0};
        if (info->word != NULL)
            assert_true(op_by_word(info->word, &found) && found == (enum op)i);
        if (info->level > 0)
            assert_true(op_by_word(sign, &found) && found == (enum op)i);
        assert_true((info->weight > 0) == (op_is_elementwise((enum op)i) || i == OP_OPAQUE ||
                                           info->flow == FLOW_FOLD || info->flow == FLOW_SUM));
        if (info->cls == OPC_UNARY || info->cls == OPC_BINARY)
            assert_true(op_has((enum op)i, LAW_BITWISE) == !(info->kinds & KIND_FLOAT));
    }
    // Of no operator nothing is claimed.
    assert_false(op_is_reducer(N_OPS) || op_is_commutative(N_OPS) || op_is_elementwise(N_OPS) ||
                 op_only_moves(N_OPS) || op_has_reducer(N_OPS) || op_is_transcendental(N_OPS));
    assert_int_equal(op_facts(N_OPS)->unit, UNIT_NONE);
    assert_int_equal(op_facts(N_OPS)->dual, N_OPS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_of_two),
        cmocka_unit_test(laws_of_one),
        cmocka_unit_test(units),
        cmocka_unit_test(duals),
        cmocka_unit_test(functions_of_one_float),
        cmocka_unit_test(points),
        cmocka_unit_test(functions_of_two_reals),
        cmocka_unit_test(accuracy),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
