// SPDX-License-Identifier: Apache-2.0
// The solver's meaning of operators on machine types against the interpreter's:
// conversions between all types, and integer operators on all numbers of few
// bits, extended ones included; and the replacements of operators on floats.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/rng.h"
#include "tensor/eval/eval.h"
#include "verify/arithmetic/machine.h"
#include <math.h>

static Z3_ast numeral(struct machine *machine, enum elem elem, struct scalar scalar)
{
    Z3_context context = machine->session->smt.ctx;
    unsigned w = elem_bits(elem);
    uint64_t mask = w == 64 ? UINT64_MAX : (UINT64_C(1) << w) - 1;
    Z3_ast bits = Z3_mk_unsigned_int64(context, scalar.bits & mask, Z3_mk_bv_sort(context, w));
    if (elem_kind(elem) != KIND_FLOAT)
        return bits;
    if (scalar_is_nan(elem, scalar))
        return Z3_mk_fpa_nan(context, machine_elem_sort(machine, elem));
    return Z3_mk_fpa_to_fp_bv(context, bits, machine_elem_sort(machine, elem));
}

static bool same(struct machine *machine, Z3_ast a, Z3_ast b)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast eq = Z3_simplify(context, Z3_mk_eq(context, a, b));
    return Z3_get_bool_value(context, eq) == Z3_L_TRUE;
}

static struct scalar sample(enum elem elem, struct rng *rng)
{
    static const double special[] = {0,    -0.0,  0.5,   -0.5, 1.5,   2.5,    -1,     -1.5,
                                     127,  128,   -128,  -129, 255,   256,    3e9,    -3e9,
                                     1e19, -1e19, 65504, 1e30, -1e30, 0x1p31, 0x1p63, NAN};
    uint64_t k = rng_below(rng, 8);
    if (elem_kind(elem) == KIND_FLOAT && k < 4)
        return scalar_of_double(elem, special[rng_below(rng, sizeof special / sizeof *special)]);
    if (k == 4)
        return scalar_highest(elem);
    if (k == 5)
        return scalar_lowest(elem);
    if (elem_kind(elem) == KIND_FLOAT)
        return scalar_of_double(elem, (double)rng_range(rng, -70000, 70000) / 8);
    return scalar_of_int(elem, (int64_t)(rng_u64(rng) >> rng_below(rng, 64)));
}

static void conversions(void **state)
{
    struct machine machine = *(struct machine *)*state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (int from = ELEM_I2; from <= ELEM_F64; from++)
        for (int to = ELEM_I2; to <= ELEM_F64; to++)
            for (int i = 0; i < 24; i++) {
                struct scalar scalar = sample((enum elem)from, &rng), want;
                struct err err = {0};
                assert_true(eval_convert((enum elem)from, (enum elem)to, scalar, &want, &err));
                Z3_ast got = machine_convert(&machine, (enum elem)from, (enum elem)to,
                                             numeral(&machine, (enum elem)from, scalar));
                if (from != to && !same(&machine, got, numeral(&machine, (enum elem)to, want)))
                    fail_msg("%s %llx to %s", elem_text((enum elem)from),
                             (unsigned long long)scalar.bits, elem_text((enum elem)to));
            }
}

// An operand and what the interpreter makes of it.
struct converted {
    struct scalar x, r;
};

static struct converted converted(enum elem from, enum elem to, struct scalar scalar)
{
    struct converted out = {.x = scalar};
    struct err err = {0};
    assert_true(eval_convert(from, to, scalar, &out.r, &err));
    return out;
}

static bool is_true(struct machine *machine, Z3_ast a)
{
    return Z3_get_bool_value(machine->session->smt.ctx,
                             Z3_simplify(machine->session->smt.ctx, a)) == Z3_L_TRUE;
}

static Z3_ast order_fact(struct machine *machine, enum elem from, enum elem to,
                         const struct converted *a, const struct converted *b)
{
    return machine_convert_order(
        machine, from, to, (Z3_ast[]){numeral(machine, from, a->x), numeral(machine, from, b->x)},
        (Z3_ast[]){numeral(machine, to, a->r), numeral(machine, to, b->r)});
}

// What the solver is told of a conversion that keeps order is true of the interpreter's.
static void convert_facts(void **state)
{
    struct machine machine = *(struct machine *)*state;
    struct rng rng;
    uint32_t pairs = 0;
    rng_seed(&rng, 6);
    for (enum elem from = ELEM_I2; from <= ELEM_F64; from++)
        for (enum elem to = ELEM_I2; to <= ELEM_F64; to++) {
            struct converted at[20];
            if (from == to || !machine_convert_keeps_order(from, to))
                continue;
            pairs++;
            for (int i = 0; i < 20; i++) {
                // Neighbours, too, which rounding may put together.
                struct scalar next = {.bits = i == 0 ? 0 : at[i - 1].x.bits + 1};
                struct scalar scalar = sample(from, &rng);
                bool near = i % 2 == 1 && elem_kind(from) != KIND_FLOAT;
                if (near)
                    scalar = scalar_of_int(from, (int64_t)next.bits);
                at[i] = converted(from, to, scalar);
                if (!is_true(&machine, machine_convert_fact(&machine, from, to,
                                                            numeral(&machine, from, at[i].x),
                                                            numeral(&machine, to, at[i].r))))
                    fail_msg("%s %llx to %s", elem_text(from), (unsigned long long)at[i].x.bits,
                             elem_text(to));
                for (int k = 0; k < i; k++)
                    if (!is_true(&machine, order_fact(&machine, from, to, &at[k], &at[i])))
                        fail_msg("%s %llx, %llx to %s", elem_text(from),
                                 (unsigned long long)at[k].x.bits, (unsigned long long)at[i].x.bits,
                                 elem_text(to));
            }
        }
    assert_int_equal(pairs, 5 + 12 * 4); // floats to wider ones; integers to floats
}

// Facts that no value contradicts would prove nothing.
static void convert_facts_refuse(void **state)
{
    struct machine machine = *(struct machine *)*state;
    struct converted two = converted(ELEM_I8, ELEM_F16, scalar_of_int(ELEM_I8, 2));
    struct converted three = converted(ELEM_I8, ELEM_F16, scalar_of_int(ELEM_I8, 3)), wrong = three;
    static const double other[] = {-3, 0, -0.0, NAN};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        assert_false(is_true(
            &machine, machine_convert_fact(
                          &machine, ELEM_I8, ELEM_F16, numeral(&machine, ELEM_I8, three.x),
                          numeral(&machine, ELEM_F16, scalar_of_double(ELEM_F16, other[i])))));
    wrong.r = two.r; // exact conversions keep numbers apart
    assert_false(is_true(&machine, order_fact(&machine, ELEM_I8, ELEM_F16, &two, &wrong)));
    wrong.r = scalar_of_double(ELEM_F16, 1);
    assert_false(is_true(&machine, order_fact(&machine, ELEM_I8, ELEM_F16, &two, &wrong)));
    assert_false(is_true(&machine, order_fact(&machine, ELEM_I32, ELEM_F16, &two, &wrong)));
    // 2048 and 2049 are one number of f16.
    struct converted a = converted(ELEM_I32, ELEM_F16, scalar_of_int(ELEM_I32, 2048));
    struct converted b = converted(ELEM_I32, ELEM_F16, scalar_of_int(ELEM_I32, 2049));
    assert_true(scalar_same(ELEM_F16, a.r, b.r));
    assert_true(is_true(&machine, order_fact(&machine, ELEM_I32, ELEM_F16, &a, &b)));
}

// The fact about a conversion back, of the interpreter's: of 20 values and their negatives.
static void convert_back_facts(void **state)
{
    struct machine machine = *(struct machine *)*state;
    struct rng rng;
    uint32_t pairs = 0;
    rng_seed(&rng, 7);
    for (enum elem from = ELEM_I2; from <= ELEM_F64; from++)
        for (enum elem to = ELEM_I2; to <= ELEM_F64; to++) {
            struct converted at[40];
            if (from == to || !machine_convert_keeps_order(from, to) || !elem_holds(to, from))
                continue;
            pairs++;
            for (int i = 0; i < 40; i++) {
                struct scalar scalar = sample(from, &rng);
                if (i == 0 && elem_kind(from) == KIND_SINT)
                    scalar = scalar_of_int(from, -((int64_t)1 << (elem_bits(from) - 1)));
                at[i] = converted(from, to, scalar);
                Z3_ast v = numeral(&machine, to, at[i].r);
                if (i % 2 == 1)
                    v = Z3_simplify(machine.session->smt.ctx,
                                    Z3_mk_fpa_neg(machine.session->smt.ctx, v));
                Z3_ast c =
                    Z3_simplify(machine.session->smt.ctx, machine_convert(&machine, to, from, v));
                for (int k = 0; k <= i; k++)
                    if (!is_true(&machine, machine_convert_back(
                                               &machine, from, numeral(&machine, from, at[k].x),
                                               numeral(&machine, to, at[k].r), v, c)))
                        fail_msg("%s %llx to %s and back", elem_text(from),
                                 (unsigned long long)at[k].x.bits, elem_text(to));
            }
        }
    assert_true(pairs >= 5 + 4); // all floats that are wider; small integers
    struct converted two = converted(ELEM_F16, ELEM_F32, scalar_of_double(ELEM_F16, 2));
    Z3_ast x = numeral(&machine, ELEM_F16, two.x), r = numeral(&machine, ELEM_F32, two.r);
    Z3_ast minus =
        Z3_simplify(machine.session->smt.ctx, Z3_mk_fpa_neg(machine.session->smt.ctx, r));
    assert_false(is_true(&machine, machine_convert_back(&machine, ELEM_F16, x, r, minus, x)));
    Z3_ast three = numeral(&machine, ELEM_F16, scalar_of_double(ELEM_F16, 3));
    assert_false(is_true(&machine, machine_convert_back(&machine, ELEM_F16, x, r, r, three)));
}

// A term of reals with so many operators; `integers` says whether all its leaves are integers.
static Z3_ast random_real(Z3_context context, struct rng *rng, uint32_t depth, bool *integers)
{
    Z3_sort real = Z3_mk_real_sort(context);
    int64_t k = rng_range(rng, -9, 9);
    if (depth == 0 && rng_below(rng, 8) == 0) {
        *integers &= k % 2 == 0;
        return Z3_mk_real(context, (int)k, 2);
    }
    if (depth == 0 && rng_below(rng, 3) == 0)
        return Z3_mk_int64(context, k, real);
    if (depth == 0)
        return Z3_mk_int2real(context, Z3_mk_real2int(context, Z3_mk_real(context, (int)k, 4)));
    bool first = *integers;
    Z3_ast a[2];
    a[0] = random_real(context, rng, depth - 1, &first);
    *integers = first;
    a[1] = random_real(context, rng, depth - 1, integers);
    switch (rng_below(rng, 5)) {
    case 0:
        return Z3_mk_add(context, 2, a);
    case 1:
        return Z3_mk_sub(context, 2, a);
    case 2:
        return Z3_mk_mul(context, 2, a);
    case 3:
        *integers = first;
        return Z3_mk_unary_minus(context, a[0]);
    default:
        return Z3_mk_ite(context, Z3_mk_le(context, a[0], a[1]), a[1], a[0]);
    }
}

// The integers as which two reals are compared are these reals.
static void integers_of_reals(void **state)
{
    struct machine machine = *(struct machine *)*state;
    Z3_context context = machine.session->smt.ctx;
    struct rng rng;
    uint32_t met = 0;
    rng_seed(&rng, 3);
    for (int i = 0; i < 3000; i++) {
        bool integers = true;
        uint32_t depth = (uint32_t)rng_below(&rng, 4);
        Z3_ast a[2] = {random_real(context, &rng, depth, &integers),
                       random_real(context, &rng, depth, &integers)};
        Z3_ast b[2] = {a[0], a[1]};
        if (!machine_integers(&machine, b))
            continue;
        met++;
        assert_true(integers);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(Z3_get_sort_kind(context, Z3_get_sort(context, b[k])), Z3_INT_SORT);
            assert_true(is_true(&machine, Z3_mk_eq(context, a[k], Z3_mk_int2real(context, b[k]))));
        }
    }
    assert_true(met > 500);
}

// Division and remainder of numbers extended from four bits to eight, as they
// are simplified, against those of eight bits.
static void extended_division(void **state)
{
    struct machine machine = *(struct machine *)*state;
    Z3_context context = machine.session->smt.ctx;
    Z3_sort narrow = Z3_mk_bv_sort(context, 4);
    for (int sign = 0; sign < 3; sign++) // 1: zero-extended, but signed
        for (int op = 0; op < 2; op++)
            for (unsigned k = 0; k < 256; k++) {
                struct expr node = {.kind = X_OP, .op = op ? OP_REMAINDER : OP_DIVIDE};
                Z3_ast a[2], plain[2];
                machine.is_signed = sign != 0;
                machine.width = 8;
                for (int i = 0; i < 2; i++) {
                    Z3_ast v = Z3_mk_unsigned_int64(context, i == 0 ? k & 15 : k >> 4, narrow);
                    a[i] =
                        sign == 2 ? Z3_mk_sign_ext(context, 4, v) : Z3_mk_zero_ext(context, 4, v);
                    plain[i] = Z3_simplify(context, a[i]); // a numeral
                }
                assert_true(same(&machine, machine_word_op(&machine, &node, a),
                                 machine_word_op(&machine, &node, plain)));
            }
}

static const enum op int_ops[] = {OP_ADD,
                                  OP_SUBTRACT,
                                  OP_MULTIPLY,
                                  OP_DIVIDE,
                                  OP_REMAINDER,
                                  OP_MAXIMUM,
                                  OP_MINIMUM,
                                  OP_AND,
                                  OP_OR,
                                  OP_XOR,
                                  OP_SHIFT_LEFT,
                                  OP_SHIFT_RIGHT_LOGICAL,
                                  OP_SHIFT_RIGHT_ARITHMETIC,
                                  OP_POWER,
                                  OP_NEGATE,
                                  OP_NOT,
                                  OP_ABS,
                                  OP_SIGN,
                                  OP_POPCNT,
                                  OP_COUNT_LEADING_ZEROS};

static void check_four_bits(struct machine machine)
{
    for (size_t i = 0; i < sizeof int_ops / sizeof *int_ops; i++)
        for (int u = 0; u < 2; u++)
            for (unsigned k = 0; k < 256; k++) {
                enum elem elem = u ? ELEM_UI4 : ELEM_I4;
                enum op op = int_ops[i];
                struct scalar scalar[2] = {scalar_of_int(elem, k & 15),
                                           scalar_of_int(elem, k >> 4)};
                struct scalar want;
                struct err err = {0};
                if (!(op_kinds(op) & elem_kind(elem)))
                    continue;
                bool unary = op_class(op) == OPC_UNARY;
                assert_true(unary ? eval_unary(op, elem, scalar[0], &want, &err)
                                  : eval_binary(op, elem, scalar[0], scalar[1], &want, &err));
                struct expr node = {.kind = X_OP, .op = (uint16_t)op};
                machine.width = 4;
                machine.is_signed = !u;
                Z3_ast a[2] = {numeral(&machine, elem, scalar[0]),
                               numeral(&machine, elem, scalar[1])};
                Z3_ast got = machine_word_op(&machine, &node, a);
                if (got != NULL && !same(&machine, got, numeral(&machine, elem, want)))
                    fail_msg("%s of %s %u %u", op_name(op), elem_text(elem), k & 15, k >> 4);
            }
}

static void all_of_four_bits(void **state)
{
    check_four_bits(*(struct machine *)*state);
}

// A leaf with a power of two divides sign by sign, whatever the operands are.
static void four_bits_by_power(void **state)
{
    struct machine machine = *(struct machine *)*state;
    machine.power = expr_atom(&machine.session->exprs, 2, 0);
    check_four_bits(machine);
}

static void always_equal(struct machine *machine, Z3_ast a, Z3_ast b)
{
    Z3_context context = machine->session->smt.ctx;
    smt_open_bits(&machine->session->smt);
    smt_assert(&machine->session->smt, Z3_mk_not(context, Z3_mk_eq(context, a, b)));
    assert_int_equal(smt_check(&machine->session->smt), SMT_UNSAT);
    smt_close(&machine->session->smt);
}

// The replacements of products with a sign, and of sums compared with zero,
// against the solver's own product and sum: all numbers of two small formats.
static void short_cuts(void **state)
{
    struct machine machine = *(struct machine *)*state;
    struct exprs *exprs = &machine.session->exprs;
    Z3_context context = machine.session->smt.ctx;
    Z3_ast rne = Z3_mk_fpa_rne(context);
    expr_id a[] = {expr_atom(exprs, 2, 0), expr_atom(exprs, 4, 0)};
    machine.domain = DOMAIN_FLOAT;
    for (machine.ebits = 3; machine.ebits <= 4; machine.ebits++) {
        machine.sbits = machine.ebits + 1;
        Z3_ast p = machine_term(&machine, a[0]), q = machine_term(&machine, a[1]);
        expr_id sign = expr_op(exprs, OP_SIGN, 0, 0, 1, a);
        for (int i = 0; i < 2; i++) {
            expr_id of[] = {i ? a[1] : sign, i ? sign : a[1]};
            expr_id e = expr_op(exprs, OP_MULTIPLY, 0, 0, 2, of);
            Z3_ast s = machine_term(&machine, sign);
            always_equal(&machine, machine_term(&machine, e),
                         Z3_mk_fpa_mul(context, rne, i ? q : s, i ? s : q));
        }
        for (int i = 0; i < 24; i++) {
            uint32_t dir = i % 3 == 0 ? CMP_EQ : i % 3 == 1 ? CMP_LT : CMP_LE;
            bool sub = i / 3 % 2 != 0, left = i / 6 % 2 != 0, down = i >= 12;
            expr_id sum = expr_op(exprs, sub ? OP_SUBTRACT : OP_ADD, 0, 0, 2, a);
            expr_id zero = expr_literal(exprs, down ? LIT_DECIMAL : LIT_INT, 0, down, 0);
            expr_id of[] = {left ? zero : sum, left ? sum : zero};
            Z3_ast by = sub ? Z3_mk_fpa_sub(context, rne, p, q) : Z3_mk_fpa_add(context, rne, p, q);
            Z3_ast no = machine_term(&machine, zero);
            Z3_ast l = left ? no : by, r = left ? by : no;
            always_equal(&machine,
                         machine_term(&machine, expr_op(exprs, OP_COMPARE, dir, 0, 2, of)),
                         dir == CMP_EQ   ? Z3_mk_fpa_eq(context, l, r)
                         : dir == CMP_LT ? Z3_mk_fpa_lt(context, l, r)
                                         : Z3_mk_fpa_leq(context, l, r));
        }
    }
}

int main(void)
{
    static const char text[] = "rule r { axes x; map n on x; tensor A[x: n] : any; A => A; }";
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct arena mem = {0};
    struct session session;
    struct decide_options options = {.domains = 0};
    ruleset_init(&rs);
    if (!ruleset_parse(&rs, text, sizeof text - 1, "r", &errs))
        return 1;
    session_init(&session, rs.rules.at[0], &options, &mem);
    struct machine machine = {
        .session = &session, .domain = DOMAIN_WORD, .type = NONE, .power = NO_EXPR};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(conversions, &machine),
        cmocka_unit_test_prestate(convert_facts, &machine),
        cmocka_unit_test_prestate(convert_facts_refuse, &machine),
        cmocka_unit_test_prestate(convert_back_facts, &machine),
        cmocka_unit_test_prestate(integers_of_reals, &machine),
        cmocka_unit_test_prestate(extended_division, &machine),
        cmocka_unit_test_prestate(all_of_four_bits, &machine),
        cmocka_unit_test_prestate(four_bits_by_power, &machine),
        cmocka_unit_test_prestate(short_cuts, &machine),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    session_release(&session);
    arena_release(&mem);
    ruleset_release(&rs);
    return failed;
}
