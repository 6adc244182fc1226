// SPDX-License-Identifier: Apache-2.0
// The table.
#include "verify/axioms.h"

#define T(...) (&(const struct aterm){__VA_ARGS__})
#define INT(n) T(AT_INT, N_OPS, n, NULL, NULL)
#define OP1(o, x) T(AT_OP, OP_##o, 0, x, NULL)
#define OP2(o, x, y) T(AT_OP, OP_##o, 0, x, y)
#define REL(r, x, y) T(AT_##r, N_OPS, 0, x, y)
#define A T(AT_VAR, N_OPS, 0, NULL, NULL)
#define B T(AT_VAR, N_OPS, 1, NULL, NULL)
#define C T(AT_VAR, N_OPS, 2, NULL, NULL)
#define PLUS(x, y) OP2(ADD, x, y)
#define MINUS(x, y) OP2(SUBTRACT, x, y)
#define TIMES(x, y) OP2(MULTIPLY, x, y)
#define NEG(x) OP1(NEGATE, x)
#define EXP(x) OP1(EXPONENTIAL, x)
#define LOG(x) OP1(LOG, x)
#define LOG1P(x) OP1(LOG_PLUS_ONE, x)
#define SQRT(x) OP1(SQRT, x)
#define RSQRT(x) OP1(RSQRT, x)
#define CBRT(x) OP1(CBRT, x)
#define TANH(x) OP1(TANH, x)
#define LOGISTIC(x) OP1(LOGISTIC, x)
#define SIN(x) OP1(SINE, x)
#define COS(x) OP1(COSINE, x)
#define ERF(x) OP1(ERF, x)
#define POW(x, y) OP2(POWER, x, y)
#define POSITIVE(x) REL(LT, INT(0), x)
#define NOT_NEGATIVE(x) REL(LE, INT(0), x)
#define SQUARE(x) TIMES(x, x)
#define BOTH(x, y) REL(AND, x, y)
// The order of the arguments is that of the values.
#define RISES(f) REL(IFF, REL(LE, A, B), REL(LE, f(A), f(B)))

const struct axiom axioms[] = {
    // exp
    {"exp_positive", {EXP(A)}, NULL, NULL, POSITIVE(EXP(A)), false},
    {"exp_of_zero",
     {EXP(A)},
     NULL,
     REL(EQ, A, INT(0)),
     REL(EQ, EXP(A), INT(1)),
     false},
    {"exp_of_negation",
     {EXP(A)},
     NULL,
     NULL,
     REL(EQ, TIMES(EXP(A), EXP(NEG(A))), INT(1)),
     false},
    {"exp_tangent",
     {EXP(A)},
     NULL,
     NULL,
     REL(LE, PLUS(A, INT(1)), EXP(A)),
     false},
    {"exp_rises", {EXP(A), EXP(B)}, NULL, NULL, RISES(EXP), false},
    {"exp_of_double",
     {EXP(A), EXP(B)},
     NULL,
     REL(EQ, A, PLUS(B, B)),
     REL(EQ, EXP(A), SQUARE(EXP(B))),
     false},
    // log
    {"log_of_exp", {EXP(A)}, NULL, NULL, REL(EQ, LOG(EXP(A)), A), false},
    {"exp_of_log", {LOG(A)}, NULL, POSITIVE(A), REL(EQ, EXP(LOG(A)), A), false},
    {"log_of_one",
     {LOG(A)},
     NULL,
     REL(EQ, A, INT(1)),
     REL(EQ, LOG(A), INT(0)),
     false},
    {"log_rises",
     {LOG(A), LOG(B)},
     NULL,
     BOTH(POSITIVE(A), POSITIVE(B)),
     RISES(LOG),
     false},
    {"log_tangent",
     {LOG(A)},
     NULL,
     POSITIVE(A),
     REL(LE, LOG(A), MINUS(A, INT(1))),
     false},
    {"log_tangent_of_reciprocal",
     {LOG(A)},
     NULL,
     POSITIVE(A),
     REL(LE, MINUS(A, INT(1)), TIMES(A, LOG(A))),
     false},
    {"log_of_scaled_exp",
     {LOG(A), LOG(B), EXP(C)},
     NULL,
     BOTH(POSITIVE(A), POSITIVE(B)),
     REL(IFF, REL(EQ, A, TIMES(B, EXP(C))), REL(EQ, LOG(A), PLUS(LOG(B), C))),
     false},
    {"log_of_inverse",
     {LOG(A), LOG(B)},
     NULL,
     BOTH(POSITIVE(A), POSITIVE(B)),
     REL(IFF, REL(EQ, TIMES(A, B), INT(1)), REL(EQ, LOG(A), NEG(LOG(B)))),
     false},
    {"log_of_product",
     {LOG(A), LOG(B)},
     LOG(TIMES(A, B)),
     BOTH(POSITIVE(A), POSITIVE(B)),
     REL(EQ, LOG(TIMES(A, B)), PLUS(LOG(A), LOG(B))),
     false},
    {"log_of_square",
     {LOG(A)},
     LOG(SQUARE(A)),
     POSITIVE(A),
     REL(EQ, LOG(SQUARE(A)), PLUS(LOG(A), LOG(A))),
     false},
    {"log_of_square_by_magnitude",
     {LOG(OP1(ABS, A))},
     LOG(SQUARE(A)),
     REL(NE, A, INT(0)),
     REL(EQ, LOG(SQUARE(A)), TIMES(INT(2), LOG(OP1(ABS, A)))),
     false},
    {"log_of_quotient",
     {LOG(A), LOG(B)},
     LOG(OP2(DIVIDE, A, B)),
     BOTH(POSITIVE(A), POSITIVE(B)),
     REL(EQ, LOG(OP2(DIVIDE, A, B)), MINUS(LOG(A), LOG(B))),
     false},
    {"log_of_reciprocal",
     {LOG(A)},
     LOG(OP2(DIVIDE, INT(1), A)),
     POSITIVE(A),
     REL(EQ, LOG(OP2(DIVIDE, INT(1), A)), NEG(LOG(A))),
     false},
    {"log_of_power",
     {POW(A, B)},
     NULL,
     POSITIVE(A),
     REL(EQ, LOG(POW(A, B)), TIMES(B, LOG(A))),
     false},
    {"log_of_sqrt",
     {SQRT(A)},
     NULL,
     POSITIVE(A),
     REL(EQ, TIMES(INT(2), LOG(SQRT(A))), LOG(A)),
     false},
    {"log_of_rsqrt",
     {RSQRT(A)},
     NULL,
     POSITIVE(A),
     REL(EQ, TIMES(INT(-2), LOG(RSQRT(A))), LOG(A)),
     false},
    {"log_of_cbrt",
     {CBRT(A)},
     NULL,
     POSITIVE(A),
     REL(EQ, TIMES(INT(3), LOG(CBRT(A))), LOG(A)),
     false},
    // log1p, expm1
    {"log1p",
     {LOG1P(A)},
     NULL,
     REL(LT, INT(-1), A),
     REL(EQ, LOG1P(A), LOG(PLUS(INT(1), A))),
     true},
    {"expm1",
     {OP1(EXPONENTIAL_MINUS_ONE, A)},
     NULL,
     NULL,
     REL(EQ, OP1(EXPONENTIAL_MINUS_ONE, A), MINUS(EXP(A), INT(1))),
     true},
    {"log1p_of_expm1",
     {OP1(EXPONENTIAL_MINUS_ONE, A)},
     NULL,
     NULL,
     REL(EQ, LOG1P(OP1(EXPONENTIAL_MINUS_ONE, A)), A),
     false},
    // hyperbolic
    {"logistic",
     {LOGISTIC(A)},
     NULL,
     NULL,
     REL(EQ, TIMES(LOGISTIC(A), PLUS(INT(1), EXP(NEG(A)))), INT(1)),
     true},
    {"tanh",
     {TANH(A)},
     NULL,
     NULL,
     REL(EQ, TIMES(TANH(A), PLUS(SQUARE(EXP(A)), INT(1))),
         MINUS(SQUARE(EXP(A)), INT(1))),
     true},
    {"tanh_of_negation",
     {TANH(A)},
     NULL,
     NULL,
     REL(EQ, TANH(NEG(A)), NEG(TANH(A))),
     false},
    {"tanh_bounds",
     {TANH(A)},
     NULL,
     NULL,
     REL(LT, SQUARE(TANH(A)), INT(1)),
     false},
    // the error function
    {"erf_of_negation",
     {ERF(A)},
     NULL,
     NULL,
     REL(EQ, ERF(NEG(A)), NEG(ERF(A))),
     false},
    {"erf_bounds",
     {ERF(A)},
     NULL,
     NULL,
     REL(LT, SQUARE(ERF(A)), INT(1)),
     false},
    {"erf_of_zero",
     {ERF(A)},
     NULL,
     REL(EQ, A, INT(0)),
     REL(EQ, ERF(A), INT(0)),
     false},
    {"erf_rises", {ERF(A), ERF(B)}, NULL, NULL, RISES(ERF), false},
    // roots
    {"sqrt",
     {SQRT(A)},
     NULL,
     NOT_NEGATIVE(A),
     BOTH(NOT_NEGATIVE(SQRT(A)), REL(EQ, SQUARE(SQRT(A)), A)),
     false},
    {"rsqrt",
     {RSQRT(A)},
     NULL,
     POSITIVE(A),
     BOTH(POSITIVE(RSQRT(A)), REL(EQ, TIMES(SQUARE(RSQRT(A)), A), INT(1))),
     false},
    {"sqrt_and_rsqrt",
     {SQRT(A)},
     NULL,
     POSITIVE(A),
     REL(EQ, TIMES(SQRT(A), RSQRT(A)), INT(1)),
     false},
    {"sqrt_rises",
     {SQRT(A), SQRT(B)},
     NULL,
     BOTH(NOT_NEGATIVE(A), NOT_NEGATIVE(B)),
     RISES(SQRT),
     false},
    {"sqrt_of_product",
     {SQRT(A), SQRT(B)},
     SQRT(TIMES(A, B)),
     BOTH(NOT_NEGATIVE(A), NOT_NEGATIVE(B)),
     REL(EQ, SQRT(TIMES(A, B)), TIMES(SQRT(A), SQRT(B))),
     false},
    {"cbrt",
     {CBRT(A)},
     NULL,
     NULL,
     REL(EQ, TIMES(CBRT(A), SQUARE(CBRT(A))), A),
     false},
    {"cbrt_rises", {CBRT(A), CBRT(B)}, NULL, NULL, RISES(CBRT), false},
    {"cbrt_of_negation",
     {CBRT(A)},
     NULL,
     NULL,
     REL(EQ, CBRT(NEG(A)), NEG(CBRT(A))),
     false},
    {"cbrt_of_product",
     {CBRT(A), CBRT(B)},
     CBRT(TIMES(A, B)),
     NULL,
     REL(EQ, CBRT(TIMES(A, B)), TIMES(CBRT(A), CBRT(B))),
     false},
    // powers
    {"power_positive",
     {POW(A, B)},
     NULL,
     POSITIVE(A),
     POSITIVE(POW(A, B)),
     false},
    {"power_0",
     {POW(A, B)},
     NULL,
     REL(EQ, B, INT(0)),
     REL(EQ, POW(A, B), INT(1)),
     false},
    {"power_1",
     {POW(A, B)},
     NULL,
     REL(EQ, B, INT(1)),
     REL(EQ, POW(A, B), A),
     false},
    {"power_2",
     {POW(A, B)},
     NULL,
     REL(EQ, B, INT(2)),
     REL(EQ, POW(A, B), SQUARE(A)),
     false},
    {"power_3",
     {POW(A, B)},
     NULL,
     REL(EQ, B, INT(3)),
     REL(EQ, POW(A, B), TIMES(A, SQUARE(A))),
     false},
    {"power_minus_1",
     {POW(A, B)},
     NULL,
     BOTH(REL(NE, A, INT(0)), REL(EQ, B, INT(-1))),
     REL(EQ, TIMES(POW(A, B), A), INT(1)),
     false},
    {"power_minus_2",
     {POW(A, B)},
     NULL,
     BOTH(REL(NE, A, INT(0)), REL(EQ, B, INT(-2))),
     REL(EQ, TIMES(POW(A, B), SQUARE(A)), INT(1)),
     false},
    {"power_half",
     {POW(A, B)},
     NULL,
     BOTH(NOT_NEGATIVE(A), REL(EQ, TIMES(INT(2), B), INT(1))),
     BOTH(NOT_NEGATIVE(POW(A, B)), REL(EQ, SQUARE(POW(A, B)), A)),
     false},
    {"power_minus_half",
     {POW(A, B)},
     NULL,
     BOTH(POSITIVE(A), REL(EQ, TIMES(INT(-2), B), INT(1))),
     REL(EQ, TIMES(SQUARE(POW(A, B)), A), INT(1)),
     false},
    {"power_of_one",
     {POW(A, B)},
     NULL,
     REL(EQ, A, INT(1)),
     REL(EQ, POW(A, B), INT(1)),
     false},
    {"power_of_exp",
     {POW(EXP(A), B)},
     NULL,
     NULL,
     REL(EQ, POW(EXP(A), B), EXP(TIMES(A, B))),
     false},
    {"power_of_power",
     {POW(POW(A, B), C)},
     NULL,
     POSITIVE(A),
     REL(EQ, POW(POW(A, B), C), POW(A, TIMES(B, C))),
     false},
    {"power_of_sum",
     {POW(A, B), POW(A, C)},
     POW(A, PLUS(B, C)),
     POSITIVE(A),
     REL(EQ, TIMES(POW(A, B), POW(A, C)), POW(A, PLUS(B, C))),
     false},
    {"power_of_product",
     {POW(A, C), POW(B, C)},
     POW(TIMES(A, B), C),
     BOTH(POSITIVE(A), POSITIVE(B)),
     REL(EQ, TIMES(POW(A, C), POW(B, C)), POW(TIMES(A, B), C)),
     false},
    {"power_of_negation",
     {POW(A, B)},
     NULL,
     POSITIVE(A),
     REL(EQ, TIMES(POW(A, B), POW(A, NEG(B))), INT(1)),
     false},
    {"power_by_exp",
     {POW(A, B)},
     NULL,
     POSITIVE(A),
     REL(EQ, POW(A, B), EXP(TIMES(B, LOG(A)))),
     false},
    // trigonometric
    {"pythagoras",
     {SIN(A)},
     NULL,
     NULL,
     REL(EQ, PLUS(SQUARE(SIN(A)), SQUARE(COS(A))), INT(1)),
     false},
    {"sine_bounds",
     {SIN(A)},
     NULL,
     NULL,
     REL(LE, SQUARE(SIN(A)), INT(1)),
     false},
    {"cosine_bounds",
     {COS(A)},
     NULL,
     NULL,
     REL(LE, SQUARE(COS(A)), INT(1)),
     false},
    {"sine_of_negation",
     {SIN(A)},
     NULL,
     NULL,
     REL(EQ, SIN(NEG(A)), NEG(SIN(A))),
     false},
    {"cosine_of_negation",
     {COS(A)},
     NULL,
     NULL,
     REL(EQ, COS(NEG(A)), COS(A)),
     false},
    {"sine_of_zero",
     {SIN(A)},
     NULL,
     REL(EQ, A, INT(0)),
     REL(EQ, SIN(A), INT(0)),
     false},
    {"cosine_of_zero",
     {COS(A)},
     NULL,
     REL(EQ, A, INT(0)),
     REL(EQ, COS(A), INT(1)),
     false},
    {"sine_of_sum",
     {SIN(A), SIN(B)},
     SIN(PLUS(A, B)),
     NULL,
     REL(EQ, SIN(PLUS(A, B)),
         PLUS(TIMES(SIN(A), COS(B)), TIMES(COS(A), SIN(B)))),
     false},
    {"cosine_of_sum",
     {COS(A), COS(B)},
     COS(PLUS(A, B)),
     NULL,
     REL(EQ, COS(PLUS(A, B)),
         MINUS(TIMES(COS(A), COS(B)), TIMES(SIN(A), SIN(B)))),
     false},
    {"sine_of_double",
     {SIN(A)},
     SIN(PLUS(A, A)),
     NULL,
     REL(EQ, SIN(PLUS(A, A)), TIMES(INT(2), TIMES(SIN(A), COS(A)))),
     false},
    {"cosine_of_double",
     {COS(A)},
     COS(PLUS(A, A)),
     NULL,
     REL(EQ, COS(PLUS(A, A)), MINUS(SQUARE(COS(A)), SQUARE(SIN(A)))),
     false},
    {"tan",
     {OP1(TAN, A)},
     NULL,
     REL(NE, COS(A), INT(0)),
     REL(EQ, TIMES(OP1(TAN, A), COS(A)), SIN(A)),
     true},
};
const uint32_t n_axioms = sizeof axioms / sizeof *axioms;

static const char *const infix[] = {
    [AT_EQ] = " = ",    [AT_NE] = " != ", [AT_LT] = " < ",    [AT_LE] = " <= ",
    [AT_AND] = " and ", [AT_OR] = " or ", [AT_IFF] = " <=> ",
};

static const char *short_name(enum op op)
{
    switch (op) {
    case OP_EXPONENTIAL:
        return "exp";
    case OP_EXPONENTIAL_MINUS_ONE:
        return "expm1";
    case OP_LOG_PLUS_ONE:
        return "log1p";
    case OP_POWER:
        return "pow";
    default:
        return op_name(op);
    }
}

static unsigned strength(const struct aterm *t)
{
    if (t->kind != AT_OP)
        return 4;
    return t->op == OP_ADD || t->op == OP_SUBTRACT      ? 1
           : t->op == OP_MULTIPLY || t->op == OP_DIVIDE ? 2
           : t->op == OP_NEGATE                         ? 3
                                                        : 4;
}

static void print(const struct aterm *t, unsigned least, struct buf *out)
{
    unsigned own = strength(t);
    if (t->kind == AT_VAR) {
        buf_printf(out, "%c", 'a' + t->k);
    } else if (t->kind == AT_INT) {
        buf_printf(out, "%d", t->k);
    } else if (t->kind != AT_OP) {
        print(t->a, 0, out);
        buf_puts(out, infix[t->kind]);
        print(t->b, 0, out);
    } else if (own == 4) {
        buf_printf(out, "%s(", short_name(t->op));
        print(t->a, 0, out);
        if (t->b != NULL)
            buf_puts(out, ", ");
        if (t->b != NULL)
            print(t->b, 0, out);
        buf_puts(out, ")");
    } else {
        buf_puts(out, own < least ? "(" : "");
        if (own == 3) {
            buf_puts(out, "-");
            print(t->a, 4, out);
        } else {
            print(t->a, own, out);
            buf_puts(out, own == 2 ? (t->op == OP_DIVIDE ? " / " : " * ")
                                   : (t->op == OP_ADD ? " + " : " - "));
            print(t->b, own + 1, out);
        }
        buf_puts(out, own < least ? ")" : "");
    }
}

void axiom_print(const struct axiom *a, struct buf *out)
{
    if (a->guard != NULL) {
        print(a->guard, 0, out);
        buf_puts(out, a->claim->kind == AT_IFF ? " => (" : " => ");
    }
    print(a->claim, 0, out);
    if (a->guard != NULL && a->claim->kind == AT_IFF)
        buf_puts(out, ")");
}
