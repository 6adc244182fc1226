// SPDX-License-Identifier: Apache-2.0
// Deciding rules about elements: one rule for each way of going wrong with the
// results of an operator in each domain, and with the grades of float.
#include "rules/reasons.h"
#include "verify/counterexample/search.h"

#include "tests/unit/support/decide_samples.h"

static const struct sample arithmetic[] = {
    {AB "A + B => B + A;", NUM},
    {AB "A - B => B - A;", 0},
    {ONE "-(-A) => A;", NUM},
    {ONE "A * 1 => A;", NUM},
    {ONE "A + 0 => A;", I | W | R},
    {ONE "A - A => broadcast(0, {x: n});", I | W | R},
    {ABC "A * (B + C) => A * B + A * C;", I | W | R},
    {ABC "(A + B) + C => A + (B + C);", I | W | R},
    {AB "max(A, min(A, B)) => A;", I | W | R},
    {ONE "max(A, lowest) => A;", NUM},
    {ONE "max(A, 0) => A;", 0},
    {ONE "A + lowest => broadcast(lowest, {x: n});", 0},
    {ONE "A + A => A * 2;", NUM},
    {ONE "A / 2 => A * 0.5;", R | F},
    {X "tensor A[x: n] : float; A / 3 => A * 0.3333333333;", 0},
    {ABC "max(A + C, B + C) => max(A, B) + C;", I | R},
    {AB "A < B => A - B < 0;", I | R | F},
    {AB "where all(B >= 0); max(A + B, A) => A + B;", I | R | F},
    {AB "where all(B >= -1); max(A + B, A) => A + B;", 0},
    {AB "A + B > A => B > 0;", I | R},
    {ONE "A * 0.5 <= A => A >= 0;", R},
    {X "tensor A[x: n] : float, B[x: n] : float; max(A + 1, B + 1) => max(A, B) + 1;", R | F},
    {X "tensor A[x: n] : float; floor(A) > A => false;", R | F},
    {X "tensor A[x: n] : float; floor(A) >= A => false;", 0},
    // Numbers between 1 and 1.125 are many in f16, and one in a float of 9 bits.
    {X "tensor A[x: n] : float, B[x: n] : float, C[x: n] : float;"
       "where all(A > 1), all(B > A), all(C > B); (C < 1.125) & (B > A) => false;",
     0},
    // So may the unit of a monoid be: it is a value, though it is written like a number.
    {X "type T : float; op g : monoid(T); tensor A[x: n] : T;"
       "(1 < unit(g)) & (unit(g) < A) & (A < 1.125) => false;",
     0},
    {X "tensor A[x: n] : float, B[x: n] : float, C[x: n] : float;"
       "where all(A > 1), all(B > A), all(C > B); (C - A < 0) & (B > A) => false;",
     R | F},
    {AB "max(A, B) > B => A > B;", NUM},
    {AB "!(A < B) => A >= B;", I | W | R},
    {ONE "A == A => broadcast(true, {x: n});", I | W | R},
    {AB "A / B * B => A;", 0},
    {AB "where all(B != 0); A / B * B => A;", R},
    // Over one line; no divisor may be 0.
    {AB "where all(A != 0), all(B != 0); A / B + B / A => (A * A + B * B) / (A * B);", R},
    {AB "where all(A != 0), all(B != 0); A / B + B / A => (A * A - B * B) / (A * B);", 0},
    {AB "where all(B != 0); A / B + B / A => (A * A + B * B) / (A * B);", 0},
    {AB "where all(B != 0); A / B / (1 / B) => A;", R},
    {AB "where all(B == A + 1), all(B != 0); A / B + 1 / B => broadcast(1, {x: n});", R},
    {AB "where all(B == A + 1); A / B + 1 / B => broadcast(1, {x: n});", 0},
    // Sums of numbers rounded to integers are integers.
    {AB "claims real; floor(A) + floor(B) <= floor(A + B) => true;", R},
    {AB "claims real; floor(A + B) <= floor(A) + floor(B) + 1 => true;", R},
    {AB "claims real; ceil(A + B) <= ceil(A) + ceil(B) => true;", R},
    {AB "claims real; floor(A + floor(B)) => floor(A) + floor(B);", R},
    {AB "claims real; ceil(A) <= floor(B) => A <= floor(B);", R},
    {AB "claims real; floor(A) + floor(B) < floor(A + B) => true;", 0},
    {AB "claims real; floor(A + B) <= floor(A) + floor(B) => true;", 0},
    {AB "claims real; floor(A) + B <= floor(A + B) => true;", 0},
    {AB "claims real; floor(A) < B + 1 => floor(A) <= B;", 0},
    {AB "claims real; floor(A) < floor(B) + 0.5 => floor(A) < floor(B);", 0},
    {AB "claims real; floor(A) * 0.5 < floor(B) => floor(A) * 0.5 <= floor(B) - 1;", 0},
    {WORD "A / 0 => broadcast(-1, {x: n});", I | W},
    {WORD "A % 0 => A;", I | W},
    {WORD "A / 8 => shift_right_arithmetic(A, 3);", 0},
    {WORD "A ^ A => broadcast(0, {x: n});", W},
    {WORD "A & 1 => A;", 0},
    {INTS "(A & B) | (A & !B) => A;", W},
    {WORD "A + 1 > A => broadcast(true, {x: n});", I},
    {X "tensor A[x: n] : num; pow(A, 2) => A * A;", I | W | R | F},
    {X "tensor A[x: n] : num; pow(A, -1) => A;", 0},
    {WORD "shift_left(A, 1) => A * 2;", W},
    // Solved as polynomials, where circuits of 64 bits are too large.
    {X "tensor A[x: n] : int, B[x: n] : int, C[x: n] : int;"
       "A * shift_left(B, C) => shift_left(A * B, C);",
     W},
    {X "tensor A[x: n] : int, B[x: n] : int, C[x: n] : int;"
       "shift_left(!(A * B), C) => -(B * shift_left(A, C)) + shift_left(-1, C);",
     W},
    {X "tensor A[x: n] : int, B[x: n] : int, C[x: n] : int;"
       "shift_right_logical(shift_right_logical(A, B), C)"
       " => shift_right_logical(shift_right_logical(A, C), B);",
     W},
    {X "tensor A[x: n] : int, B[x: n] : int, C[x: n] : int;"
       "shift_right_arithmetic(shift_right_arithmetic(A, B), C)"
       " => shift_right_arithmetic(shift_right_logical(A, C), B);",
     0},
    {WORD "A & 255 => A;", 0},
    {X "tensor P[x: n] : bool, A[x: n] : T; type T : num;"
       "convert(P, T) * A => select(P, A, 0);",
     I | W | R},
    {X "tensor P[x: n] : bool; convert(convert(P, num), bool) => P;", NUM},
    {X "tensor P[x: n] : bool, Q[x: n] : bool; !(P & Q) => !P | !Q;", B},
    {X "tensor P[x: n] : bool; P & !P => broadcast(false, {x: n});", B},
    {X "tensor P[x: n] : bool; P ^ true => P;", 0},
    {X "tensor P[x: n] : bool, A[x: n] : any; select(P, A, A) => A;", ALL},
    {X "tensor P[x: n] : bool, A[x: n] : T, B[x: n] : T;"
       "select(!P, A, B) => select(P, B, A);",
     ALL},
    {X "tensor P[x: n] : bool, A[x: n] : T, B[x: n] : T;"
       "select(!P, A, B) => select(P, A, B);",
     0},
    {X "tensor A[x: n] : T, L[x: n] : T, H[x: n] : T;"
       "clamp(L, clamp(L, A, H), H) => clamp(L, A, H);",
     ALL},
    {X "tensor A[x: n] : T, L[x: n] : T, H[x: n] : T;"
       "clamp(L, A, H) => max(min(A, H), L);",
     0},
    {X "tensor A[x: n] : float; exp(A) * exp(A) => exp(A + A) + 1;", 0},
    {X "tensor A[x: n] : float; sqrt(A) * sqrt(A) => A;", 0},
    {X "tensor A[x: n] : T; op f : elementwise(T) -> T; f(A) => A;", 0},
    {X "tensor A[x: n] : T, B[x: n] : T; op g : monoid(T);"
       "g(g(A, unit(g)), B) => g(B, A);",
     ALL},
    {"axis a; map n, s, e, p on a;"
     "slice(iota({a: n}, axis=a), start=s, limit=e, stride=p) + 0 * 2"
     " => slice(iota({a: n}, axis=a), start=s, limit=e, stride=p);",
     I | W | R},
    {"axis a; map n, m on a; slice(iota({a: n}, axis=a), start=1, limit=m)"
     " => slice(iota({a: n}, axis=a), start=0, limit=m - 1) + 1;",
     I | W | R},
    {"axis a; map n, m on a; slice(iota({a: n}, axis=a), start=1, limit=m)"
     " => slice(iota({a: n}, axis=a), start=0, limit=m - 1);",
     0},
};

// Transcendental operators: only where they are defined, and not too much.
#define REAL X "tensor A[x: n] : real; "
#define REALS(v) X "type T : real; tensor " v "; "
#define TWO REALS("A[x: n] : T, B[x: n] : T")
#define THREE REALS("A[x: n] : T, B[x: n] : T, C[x: n] : T")
static const struct sample transcendental[] = {
    {TWO "exp(A) * exp(B) => exp(A + B);", R},
    {TWO "exp(A) * exp(B) => exp(A * B);", 0},
    {TWO "exp(A - B) => exp(A) / exp(B);", R},
    {TWO "exp(max(A, B)) => max(exp(A), exp(B));", R | F},
    {TWO "log(max(A, B)) => max(log(A), log(B));", 0},
    {TWO "sqrt(max(A, B)) => max(sqrt(A), sqrt(B));", 0},
    {TWO "exp(min(A, B)) => max(exp(A), exp(B));", 0},
    {THREE "exp(A - C) / (exp(A - C) + exp(B - C))"
           " => exp(A) / (exp(A) + exp(B));",
     R},
    {THREE "exp(A - C) / (exp(A) + exp(B - C))"
           " => exp(A) / (exp(A) + exp(B));",
     0},
    {TWO "log(A * B) => log(A) + log(B);", 0},
    {TWO "where all(A > 0); log(A * B) => log(A) + log(B);", 0},
    {TWO "where all(A >= 0), all(B > 0); log(A * B) => log(A) + log(B);", 0},
    {TWO "where all(A > 0), all(B > 0); log(A * B) => log(A) + log(B);", R},
    {TWO "log(pow(A, B)) => B * log(A);", 0},
    {TWO "where all(A >= 0); log(pow(A, B)) => B * log(A);", 0},
    {TWO "where all(A > 0); log(pow(A, B)) => B * log(A);", R},
    {TWO "A / sqrt(B) => A * rsqrt(B);", 0},
    {TWO "where all(B >= 0); A / sqrt(B) => A * rsqrt(B);", 0},
    {TWO "where all(B > 0); A / sqrt(B) => A * rsqrt(B);", R},
    {TWO "pow(exp(A), B) => exp(A * B);", R},
    {THREE "pow(pow(A, B), C) => pow(A, B * C);", 0},
    {THREE "where all(A > 0); pow(A, B) * pow(C, B) => pow(A * C, B);", 0},
    {REAL "rsqrt(pow(A, -2)) => A;", 0},
    {REAL "rsqrt(pow(A, -2)) => abs(A);", 0},
    {REAL "where all(A != 0); rsqrt(pow(A, -2)) => abs(A);", R},
    {REAL "pow(A, 0.5) => sqrt(A);", 0},
    {REAL "where all(A >= 0); pow(A, 0.5) => sqrt(A);", R},
    {REAL "where all(A >= 0); pow(A, -0.5) => rsqrt(A);", 0},
    {REAL "pow(A, 1.5) => A * sqrt(A);", 0},
    {REAL "sqrt(A * A) => abs(A);", R},
    {TWO "where all(B > 0); abs(A / B) => abs(A) / B;", R | F},
    {TWO "where all(B < 0); abs(A / B) => abs(A) / -B;", R | F},
    {TWO "where all(B >= 0); abs(A * B) => abs(A) * B;", R}, // not of -0
    {TWO "where all(B > -1); abs(A / B) => abs(A) / B;", 0},
    {REAL "sqrt(A) * sqrt(A) => A;", 0},
    {REAL "log(exp(A)) => A;", R},
    {REAL "exp(log(A)) => A;", 0},
    {REAL "log1p(expm1(A)) => A;", R},
    {REAL "log(A + 1) => log1p(A);", 0},
    {REAL "where all(A > -1); log(A + 1) => log1p(A);", R},
    {REAL "1 / (1 + exp(-A)) => logistic(A);", R},
    {REAL "1 / (1 + exp(A)) => logistic(A);", 0},
    {REAL "0.5 + 0.5 * tanh(0.5 * A) => logistic(A);", R},
    {REAL "0.5 + 0.5 * tanh(A) => logistic(A);", 0},
    {REAL "sine(A + A) => 2 * (sine(A) * cosine(A));", R},
    {REAL "sine(A + A) => 2 * sine(A);", 0},
    {REAL "exp(A) == 0 => broadcast(false, {x: n});", R},
    {REAL "exp(A) < 1 => broadcast(false, {x: n});", 0},
};

// Conversions: of all types that the rule speaks of, at once.
#define TU(kind) X "type T : " kind ", U : " kind "; "
static const struct sample conversions[] = {
    {TU("int") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
               "convert(convert(A, U) + convert(B, U), T) => A + B;",
     I | W},
    {TU("int") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
               "convert(A + B, U) => convert(A, U) + convert(B, U);",
     I},
    {TU("int") "tensor A[x: n] : T, B[x: n] : T;"
               "convert(convert(A, U) + convert(B, U), T) => A + B;",
     I},
    {TU("num") "wider U of T; tensor A[x: n] : T;"
               "convert(convert(A, U), T) => A;",
     NUM},
    {TU("num") "tensor A[x: n] : T; convert(convert(A, U), T) => A;", I | R},
    {TU("uint") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
                "convert(convert(A, U) / convert(B, U), T) => A / B;",
     I | W},
    {TU("sint") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
                "convert(A / B, U) => convert(A, U) / convert(B, U);",
     I},
    {TU("sint") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
                "convert(rem(A, B), U) => rem(convert(A, U), convert(B, U));",
     I | W},
    {TU("sint") "wider U of T; tensor A[x: n] : T;"
                "abs(convert(A, U)) => convert(abs(A), U);",
     I},
    {TU("float") "wider U of T; tensor A[x: n] : T;"
                 "-convert(A, U) => convert(-A, U);",
     R | F},
    {TU("float") "wider U of T; tensor A[x: n] : T, B[x: n] : T;"
                 "convert(A + B, U) => convert(A, U) + convert(B, U);",
     R},
    {X "type S : sint, L : float; tensor A[x: n] : S;"
       "convert(convert(A, L), S) => A;",
     0},
    // No i2 has a 2.
    {TU("sint") "tensor A[x: n] : T;"
                "shift_left(convert(A, U), 2) => convert(A, U) * 4;",
     W},
};

// Words as integers of any width: what is true, and what wraps.  A literal of
// many bits leaves the small widths out, where falsehoods are found first.
#define WORDS X "type T : int; tensor A[x: n] : T, B[x: n] : T; "
#define SIGNED X "type T : sint; tensor A[x: n] : T; "
static const struct sample words[] = {
    {WORDS "rem(rem(A, B), B) => rem(A, B);", I | W},
    {WORDS "A / B * B + rem(A, B) => A;", I | W},
    {WORDS "rem(A, B) / B => broadcast(0, {x: n});", 0},
    {WORDS "where all(B != 0); rem(A, B) / B => broadcast(0, {x: n});", I | W},
    {WORD "rem(A, 1000) / 1000 => broadcast(0, {x: n});", I | W},
    {WORD "rem(A, 1000) < 1000 => broadcast(true, {x: n});", I | W},
    {WORD "A * 1000 / 1000 => A;", I},
    {WORD "(A + 1000) / 1000 > A / 1000 => broadcast(true, {x: n});", 0},
    {WORD "rem(A + 1000, 1000) => rem(A, 1000);", 0},
    {SIGNED "-A / -1000 => A / 1000;", I},
    {SIGNED "abs(A) / 1000 >= 0 => broadcast(true, {x: n});", I},
    {SIGNED "abs(rem(A, 1000)) < 1000 => broadcast(true, {x: n});", I | W},
    {SIGNED "(A - 1000) / 1000 <= A / 1000 => broadcast(true, {x: n});", I},
    {SIGNED "!A / 1000 => -(A + 1) / 1000;", W},
    // An iota wraps.
    {"axis a; map n on a; type T : sint; tensor A[a: n] : T;"
     "select((iota({a: n}, axis=a) + 0 * A) / 1000 >= 0, A, -A) => A;",
     I},
    {X "type T : uint; tensor A[x: n] : T, B[x: n] : T; scalar c : T;"
       "where all(popcnt(c) == 1);"
       "A / c + 0 * B => shift_right_logical(A, popcnt(c - 1));",
     W},
    {X "type T : uint; tensor A[x: n] : T; scalar c : T;"
       "where all(popcnt(c) == 2);"
       "A / c => shift_right_logical(A, popcnt(c - 1));",
     0},
};

// Operator variables that keep the order.
#define MONOTONE                                                                                   \
    X "type T : num; tensor A[x: n] : T, B[x: n] : T;"                                             \
      "op h : monotone(T) -> T; "
static const struct sample monotone[] = {
    {MONOTONE "max(h(A), h(B)) => h(max(A, B));", I | W | R},
    {MONOTONE "max(h(A), h(B)) => h(min(A, B));", 0},
    {MONOTONE "max(h(A), B) => h(max(A, B));", 0},
    {MONOTONE "h(A) < h(B) => A < B;", 0},
    {MONOTONE "h(A) <= h(B) => A <= B;", 0},
    {MONOTONE "where all(A <= B); h(h(A)) <= h(h(B))"
              " => broadcast(true, {x: n});",
     I | W | R},
    {MONOTONE "where all(A <= B); h(A) < h(B) => broadcast(true, {x: n});", 0},
    {MONOTONE "where all(A < B); min(h(A + 1), h(B)) => h(A + 1);", I | W},
    {MONOTONE "where all(A < B); min(h(A + 2), h(B)) => h(A + 2);", 0},
    {X "type T : num; tensor A[x: n] : T, B[x: n] : T;"
       "op h : elementwise(T) -> T; max(h(A), h(B)) => h(max(A, B));",
     0},
    {X "type T : any, U : any; tensor A[x: n] : T, B[x: n] : T;"
       "op h : monotone(T) -> U; min(h(A), h(B)) => h(min(A, B));",
     B | I | W | R},
};

// The grades of rules that are not exact in float.
#define FLOATS X "tensor A[x: n] : float, B[x: n] : float; "
#define ONE_FLOAT X "tensor A[x: n] : float; "
#define ABC_FLOAT X "tensor A[x: n] : float, B[x: n] : float, C[x: n] : float; "
static const struct {
    const char *text;
    enum grade grade;
    bool plain; // a difference of finite numbers, not of a zero's sign
} graded[] = {
    {ONE_FLOAT "A + 0 => A;", GRADE_ZERO_SIGN, false},
    {ONE_FLOAT "0 - A => -A;", GRADE_ZERO_SIGN, false},
    {ONE_FLOAT "sqrt(A) + 0 => sqrt(A);", GRADE_ZERO_SIGN, false},
    {FLOATS "-(A - B) => B - A;", GRADE_ZERO_SIGN, false},
    {FLOATS "-(A + B) => -A - B;", GRADE_ZERO_SIGN, false},
    {FLOATS "(A - B) * (B - A) => -((A - B) * (A - B));", GRADE_ZERO_SIGN, false},
    {FLOATS "1 / -(A - B) => 1 / (B - A);", GRADE_FINITE, false},
    {FLOATS "-(A - B) => A - B;", GRADE_NONE, true},
    {ONE_FLOAT "A - A => 0;", GRADE_FINITE, false},
    {ONE_FLOAT "A == A => broadcast(true, {x: n});", GRADE_FINITE, false},
    {FLOATS "!(A < B) => A >= B;", GRADE_FINITE, false},
    {ONE_FLOAT "A * 0 => 0;", GRADE_FINITE_ZERO_SIGN, false},
    {FLOATS "select(A >= B, A, B) => max(A, B);", GRADE_FINITE_ZERO_SIGN, false},
    {FLOATS "(A + B) - B => A;", GRADE_NONE, true},
    {ONE_FLOAT "A + 1 => A;", GRADE_NONE, true},
    {ONE_FLOAT "where all(A > 0), all(A <= 1); A * A => A;", GRADE_NONE, true},
    {ONE_FLOAT "1 / A => 1 / (A + 0);", GRADE_FINITE, false},
    // What follows from the order of the operands.
    {ABC_FLOAT "max(A + C, B + C) => max(A, B) + C;", GRADE_FINITE, false},
    {ABC_FLOAT "max(A - C, B - C) => max(A, B) - C;", GRADE_FINITE, false},
    {ABC_FLOAT "max(C - A, C - B) => C - max(A, B);", GRADE_NONE, true},
    {ABC_FLOAT "where all(C >= 0); max(A * C, B * C) => max(A, B) * C;", GRADE_FINITE_ZERO_SIGN,
     false},
    {ABC_FLOAT "max(A * C, B * C) => max(A, B) * C;", GRADE_NONE, true},
    {ABC_FLOAT "where all(C > 0); min(A / C, B / C) => min(A, B) / C;", GRADE_FINITE, false},
    {ABC_FLOAT "where all(C > 0); min(C / A, C / B) => C / max(A, B);", GRADE_NONE, true},
    {FLOATS "select(A > B, A - B, 0) => max(A - B, 0);", GRADE_FINITE, false},
    {FLOATS "select(A > B, A - B, 0) => max(A - B, 1);", GRADE_NONE, true},
    {FLOATS "floor(max(A, B)) + 0 => max(floor(A), floor(B));", GRADE_ZERO_SIGN, false},
    {FLOATS "floor(max(A, B)) + 0 => max(floor(A), ceil(B));", GRADE_NONE, true},
    // Of a number that only a condition computes nothing is assumed.
    {FLOATS "tensor P[x: n] : bool; where all(P | !is_finite(A * B)); select(P, A, B) => A;",
     GRADE_NONE, true},
    {FLOATS "tensor P[x: n] : bool; where all(P | !is_finite(A)); select(P, A, B) => A;",
     GRADE_FINITE, false},
    // Never finite: that grade would say nothing.
    {ONE_FLOAT "A + inf => A;", GRADE_NONE, false},
    {ONE_FLOAT "where all(A != A); A => 0;", GRADE_NONE, false},
    // Inside a reduction the sign of zero counts.
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float;"
     "reduce(max, A, {x}) + 0 => reduce(max, A, {x});",
     GRADE_ZERO_SIGN, false},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float;"
     "reduce(max, 1 / (A + 0), {x}) => reduce(max, 1 / A, {x});",
     GRADE_NONE, false},
    // What a maximum starts with is no element.
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float; where m >= 1;"
     "reduce(max, -A, {y}) => -reduce(max, A, {y});",
     GRADE_NONE, true},
};

static void test_arithmetic(void **state)
{
    (void)state;
    check(arithmetic, LEN(arithmetic));
}

static void test_transcendental(void **state)
{
    (void)state;
    check(transcendental, LEN(transcendental));
}

static void test_conversions(void **state)
{
    (void)state;
    check(conversions, LEN(conversions));
}

static void test_words(void **state)
{
    (void)state;
    check(words, LEN(words));
}

static void test_monotone(void **state)
{
    (void)state;
    check(monotone, LEN(monotone));
}

static void test_grades(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LEN(graded); i++) {
        struct ruleset rs;
        struct err_list errs = {{0}};
        struct buf text = {0};
        struct decide_options options = {.domains = F};
        buf_printf(&text, "rule r {%s}", graded[i].text);
        ruleset_init(&rs);
        assert_true(ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs));
        struct arena mem = {0};
        enum grade grade = decide_grade(rs.rules.at[0], &options, &mem, NULL);
        if (grade != graded[i].grade)
            fail_msg("%s: %s", graded[i].text, grade_name(grade));
        // The same on what a proof has established.
        struct established known = {.shape = false};
        struct report report = {0};
        options.established = &known;
        decide_rule(rs.rules.at[0], &options, &report);
        report_release(&report);
        assert_true(known.shape && known.nonempty);
        if (decide_grade(rs.rules.at[0], &options, &mem, NULL) != grade)
            fail_msg("%s: not the same grade after a proof", graded[i].text);
        arena_release(&mem);
        struct cex_budget few = cex_budget_quick();
        struct rng rng;
        rng_seed(&rng, 1);
        if (cex_plain_difference(rs.rules.at[0], NULL, 0, &few, &rng) != graded[i].plain)
            fail_msg("%s: plainly?", graded[i].text);
        vec_release(&errs.at);
        ruleset_release(&rs);
        buf_release(&text);
    }
}

// A product is multiplied out as long as it is no larger than the limit says.
static void test_large_products(void **state)
{
    (void)state;
    for (int power = 2; power <= 6; power += 4) {
        struct ruleset rs;
        struct err_list errs = {{0}};
        struct buf text = {0};
        struct report report = {0};
        struct decide_options options = {.domains = I};
        buf_printf(&text,
                   "rule r {" X "type T : int; tensor A[x: n] : T, B[x: n] : T, C[x: n] : T,"
                   "D[x: n] : T, E[x: n] : T;"
                   "pow(A + B + C + D + E, %d) * pow(E + D + C + B + A, %d)"
                   "=> pow(B + A + C + D + E, %d) * pow(E + D + C + A + B, %d);}",
                   power, power, power, power);
        ruleset_init(&rs);
        assert_true(ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs));
        decide_rule(rs.rules.at[0], &options, &report);
        assert_int_equal(report.domains.len, 1);
        if (power == 2)
            assert_int_equal(report.domains.at[0].verdict, VERDICT_PROVED);
        else
            assert_string_equal(report.domains.at[0].reason, reason_LARGE);
        report_release(&report);
        vec_release(&errs.at);
        ruleset_release(&rs);
        buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),     cmocka_unit_test(test_transcendental),
        cmocka_unit_test(test_conversions),    cmocka_unit_test(test_words),
        cmocka_unit_test(test_monotone),       cmocka_unit_test(test_grades),
        cmocka_unit_test(test_large_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
