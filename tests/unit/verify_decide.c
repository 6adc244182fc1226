// SPDX-License-Identifier: Apache-2.0
// Deciding rules: what is true is proved, with the rung that it needs; what is
// false is not, in the domains where it is false.  The library and tests/wrong
// are larger collections; here stands one rule for each way of going wrong.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "verify/cex.h"
#include "verify/decide.h"

#define LEN(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

#define B (1U << DOMAIN_BOOL)
#define I (1U << DOMAIN_INT)
#define W (1U << DOMAIN_WORD)
#define R (1U << DOMAIN_REAL)
#define F (1U << DOMAIN_FLOAT)
#define NUM (I | W | R | F)
#define ALL (B | NUM)

struct sample {
    const char *text;
    unsigned proved; // the domains in which it must be proved, and no others
};

#define X "axes x; map n on x; "
#define ONE X "tensor A[x: n] : num; "
#define WORD X "tensor A[x: n] : int; "
#define AB X "tensor A[x: n] : num, B[x: n] : num; "
#define ABC X "tensor A[x: n] : num, B[x: n] : num, C[x: n] : num; "
#define INTS X "tensor A[x: n] : int, B[x: n] : int; "
#define ANY X "tensor A[x: n] : any; "

// Data movement.
static const struct sample movement[] = {
    {"axes x; map n, s, e, p, t, f, q on x; tensor A[x: n] : any;"
     "slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)"
     " => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q);",
     ALL},
    // The minimum is needed where a piece is empty.
    {"axes x; map n, s, e, p, t, f, q on x; tensor A[x: n] : any;"
     "slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)"
     " => slice(A, start=s+t*p, limit=min(e, s+f*p), stride=p*q);",
     0},
    {"axes x; map n, l, h, i on x; tensor A[x: n] : T; scalar v : T;"
     "slice(pad(A, v, low=l, high=h, interior=i), start=l,"
     " limit=l+n+(n-1)*i, stride=i+1) => A;",
     ALL},
    {"axes x; map n, l, h, i on x; tensor A[x: n] : T; scalar v : T;"
     "slice(pad(A, v, low=l, high=h, interior=i), start=l,"
     " limit=l+n+(n-1)*i, stride=i+2) => A;",
     0},
    {"axes x; map n, l, h, k, g on x; tensor A[x: n] : T; scalar v : T;"
     "where l >= 0, h >= 0; pad(pad(A, v, low=l, high=h), v, low=k, high=g)"
     " => pad(A, v, low=k+l, high=g+h);",
     ALL},
    // A negative inner edge crops first.
    {"axes x; map n, l, h, k, g on x; tensor A[x: n] : T; scalar v : T;"
     "pad(pad(A, v, low=l, high=h), v, low=k, high=g)"
     " => pad(A, v, low=k+l, high=g+h);",
     0},
    {"axes x; map n, l, h, i, k, g, j on x; tensor A[x: n] : T; scalar v : T;"
     "where l >= 0, h >= 0, n >= 1;"
     "pad(pad(A, v, low=l, high=h, interior=i), v, low=k, high=g, interior=j)"
     " => pad(A, v, low=k+l*(j+1), high=g+h*(j+1), interior=i+j+i*j);",
     ALL},
    {"axis a; axes x; map n on x; map m, c on a; tensor A[x: n, a: m] : any;"
     "concat(slice(A, start={a: 0}, limit={a: c}),"
     " slice(A, start={a: c}, limit={a: m}), axis=a) => A;",
     ALL},
    // Off by one at the cut.
    {"axis a; axes x; map n on x; map m, c on a; tensor A[x: n, a: m] : any;"
     "concat(slice(A, start={a: 0}, limit={a: c}),"
     " slice(A, start={a: c - 1}, limit={a: m - 1}), axis=a) => A;",
     0},
    {"axis a; map n, m, o on a; tensor A[a: n] : T, B[a: m] : T, C[a: o] : T;"
     "concat(concat(A, B, axis=a), C, axis=a) => concat(A, B, C, axis=a);",
     ALL},
    {ANY "reverse(reverse(A, {x}), {x}) => A;", ALL},
    {"axes x; map n, s, e on x; tensor A[x: n] : any;"
     "slice(reverse(A, {x}), start=s, limit=e)"
     " => reverse(slice(A, start=n-e, limit=n-s), {x});",
     ALL},
    {"axes x; map n, s, e on x; tensor A[x: n] : any;"
     "slice(reverse(A, {x}), start=s, limit=e)"
     " => reverse(slice(A, start=n-e-1, limit=n-s-1), {x});",
     0},
    {"axes x; axes y like x; map n on x; tensor A[x: n, y: n] : num;"
     "relabel(A + relabel(A, {x <-> y}), {x <-> y})"
     " => A + relabel(A, {x <-> y});",
     NUM},
    {"axes x; axes y like x; map n on x; tensor A[x: n, y: n] : any;"
     "relabel(A, {x <-> y}) => A;",
     0},
};

// False only at rank 0, only at rank 2, only for empty tensors, only in the
// shape.
static const struct sample edges[] = {
    // All axes outside: false where there is no axis.
    {"axes x; map n, l on x; tensor A[x: n] : T; scalar v : T;"
     "where l >= n, n >= 1; slice(pad(A, v, low=l), start=0, limit=l)"
     " => broadcast(v, {x: l});",
     0},
    {"axes x rank >= 1; map n, l on x; tensor A[x: n] : T; scalar v : T;"
     "where l >= n, n >= 1; slice(pad(A, v, low=l), start=0, limit=l)"
     " => broadcast(v, {x: l});",
     ALL},
    // Padding needs every axis inside; two pads on two axes may disagree.
    {"axes x; map n, l, h on x; tensor A[x: n] : T; scalar v : T, w : T;"
     "where l >= 0, h >= 0; pad(pad(A, v, low=l), w, high=h)"
     " => pad(pad(A, w, high=h), v, low=l);",
     0},
    // The same with one value is true.
    {"axes x; map n, l, h on x; tensor A[x: n] : T; scalar v : T;"
     "where l >= 0, h >= 0; pad(pad(A, v, low=l), v, high=h)"
     " => pad(pad(A, v, high=h), v, low=l);",
     ALL},
    // Reversal is the identity where every size is 1, not where some is.
    {"axes x; map n on x; tensor A[x: n] : any; where n <= 1;"
     "reverse(A, {x}) => A;",
     ALL},
    {"axes x; map n on x; tensor A[x: n] : any; where n <= 2;"
     "reverse(A, {x}) => A;",
     0},
    // Shapes that differ only when the operand is empty.
    {"axes x; map n, i on x; tensor A[x: n] : T; scalar v : T; where i >= 0;"
     "pad(A, v, interior=i) => pad(A, v, high=0, interior=i);",
     ALL},
    {"axes x; map n, i on x; tensor A[x: n] : T; scalar v : T; where i >= 1;"
     "pad(pad(A, v, interior=i), v, high=i)"
     " => slice(pad(A, v, high=1, interior=i), limit=n*(i+1));",
     0},
    // The right side is not well-defined where the left is.
    {"axes x; map n, s on x; tensor A[x: n] : any; where n == 0;"
     "slice(A, start=0, limit=0) => slice(A, start=s, limit=s);",
     0},
    {"axes x; map n, d on x; tensor A[x: n] : any;"
     "slice(A, start=0, limit=n) => slice(A, start=mod(0, d), limit=n);",
     0},
    {"axes x; map n, d on x; tensor A[x: n] : any; where d != 0;"
     "slice(A, start=0, limit=n) => slice(A, start=mod(0, d), limit=n);",
     ALL},
    // Preconditions that nothing satisfies prove nothing.
    {ANY "where n >= 1, n <= 0; reverse(A, {x}) => A;", 0},
    {ANY "where n <= 0; reverse(A, {x}) => A;", 0},
};

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
    {AB "max(A, B) > B => A > B;", NUM},
    {AB "!(A < B) => A >= B;", I | W | R},
    {ONE "A == A => broadcast(true, {x: n});", I | W | R},
    {AB "A / B * B => A;", 0},
    {AB "where all(B != 0); A / B * B => A;", R},
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
    {X
     "tensor A[x: n] : int, B[x: n] : int, C[x: n] : int;"
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

static const struct sample reductions[] = {
    {"axes x, y, z; map n on x; map m on y; map o on z;"
     "tensor A[x: n, y: m, z: o] : T; op g : monoid(T);"
     "reduce(g, reduce(g, A, {x}), {y}) => reduce(g, A, {x, y});",
     ALL},
    {"axes x, y, z; map n on x; map m on y; map o on z;"
     "tensor A[x: n, y: m, z: o] : num;"
     "reduce(+, reduce(+, A, {x}), {y}) => reduce(+, A, {x, y});",
     I | W | R},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : num,"
     "B[x: n, y: m] : num; reduce(+, A * B, {y}) => reduce(+, B * A, {y});",
     NUM},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : num,"
     "B[x: n, y: m] : num; reduce(+, A - B, {y}) => reduce(+, B - A, {y});",
     0},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : num;"
     "reduce(+, A, {y}) => reduce(max, A, {y});",
     0},
    {"axes x, y, z; map n on x; map m on y; map o on z;"
     "tensor A[x: n, y: m, z: o] : num;"
     "reduce(max, reduce(+, A, {x}), {y}) => reduce(+, reduce(max, A, {y}),"
     "{x});",
     0},
    {"axes x, y; map n on x; map m on y; tensor A[x: n] : num;"
     "reduce(+, broadcast(A, {y: m}), {y}) => A;",
     0},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : num;"
     "where m == 0; reduce(+, A, {y}) => broadcast(42, {x: n});",
     0},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : num;"
     "reduce(+, A, {y}) / reduce(+, A, {y}) => broadcast(1, {x: n});",
     0},
};

// One index name bound in two reduces, one inside the other; infinities under
// operators of which nothing is known; conditions that no element meets or that
// speak of tensors without axes; coefficients without a negative number.
static const struct sample hostile[] = {
    {"axis y; axis w like y; axes x; map n on y; map m on x; type T : num;"
     "tensor C[x: m, y: n] : T, E[w: n] : T, F[y: n] : T;"
     "reduce(+, C * broadcast(relabel(reduce(max, broadcast(E, {y: n})"
     " * broadcast(F, {w: n}), {y}), {w -> y}), {x: m}), {x, y})"
     " => reduce(+, reduce(+, C * broadcast(reduce(max,"
     " relabel(E, {w -> y}) * F, {y}), {x: m, y: n}), {y}), {x});",
     0},
    {"axis y; axis w like y; axes x; map n on y; map m on x; type T : any;"
     "op g : monoid(T); op h : monoid(T); op f : elementwise(T, T) -> T;"
     "tensor C[x: m, y: n] : T, E[w: n] : T, F[y: n] : T;"
     "reduce(g, f(C, broadcast(relabel(reduce(h, f(broadcast(E, {y: n}),"
     " broadcast(F, {w: n})), {y}), {w -> y}), {x: m})), {x, y})"
     " => reduce(g, reduce(g, f(C, broadcast(reduce(h,"
     " f(relabel(E, {w -> y}), F), {y}), {x: m, y: n})), {y}), {x});",
     0},
    // False from rank 2 on.
    {"axes y; axes w like y; axes x; map n on y; map m on x; where n == 2;"
     "type T : num; tensor C[x: m] : T, D[w: n] : T;"
     "reduce(+, broadcast(C, {y: n}) * broadcast(reduce(max,"
     " relabel(D, {w -> y}) + reverse(relabel(D, {w -> y}), {y}), {y}),"
     " {x: m, y: n}), {x, y})"
     " => reduce(+, reduce(+, broadcast(C, {y: n}) * broadcast(relabel("
     "reduce(max, broadcast(D + reverse(D, {w}), {y: n}), {y}), {w -> y}),"
     " {x: m}), {y}), {x});",
     0},
    // Reduces inside reduces, level by level, stay decidable.
    {"axes x, y; map n on x; map m on y; type T : num;"
     "tensor A[x: n, y: m] : T, B[x: n, y: m] : T;"
     "reduce(+, reduce(max, A + B, {y}), {x})"
     " => reduce(+, reduce(max, B + A, {y}), {x});",
     NUM},
    {X "type T : num; tensor A[x: n] : T; op f : elementwise(T) -> T;"
       "select(lowest < f(lowest), A, A + A) => A;",
     0},
    {X "type T : num; tensor A[x: n] : T; op f : elementwise(T, T) -> T;"
       "select(lowest < f(lowest, lowest), A, A + A)"
       " => select(A == A, A, A + A);",
     0},
    {X "type T : num; tensor A[x: n] : T; op f : elementwise(T) -> T;"
       "select(f(highest) < highest, A, A + A) => A;",
     0},
    {"axes x, z; map n on x; map k on z; type T : int, U : int;"
     "tensor A[x: n, z: k] : T, B[x: n] : U;"
     "select(lowest < convert(reduce(max, A, {z}), U), B, B + B) => B;",
     0},
    {"axes x, z; map n on x; map k on z; type T : float, U : float;"
     "tensor A[x: n, z: k] : T, B[x: n] : U;"
     "select(lowest < convert(reduce(max, A, {z}), U), B, B + B) => B;",
     0},
    // An operator of an infinity less itself is not 0.
    {X "tensor A[x: n] : float; A + (exp(highest) - exp(highest)) => A;", 0},
    {X "tensor A[x: n] : bool, B[x: n] : bool; where all(A != A); A => B;", 0},
    {AB "where all(A < A); A => B;", 0},
    {AB "where all(A < B), all(B < A); A => B;", 0},
    // Only wrapping numbers meet it.
    {INTS "where all(A + 1 < A); A * B => B * A;", W},
    // Met by one number that the rule names; by NaN.
    {INTS "where all(A == 12345); A * B => B * A;", I | W},
    {X "tensor A[x: n] : float, B[x: n] : float; where all(A != A);"
       "A * B => B * A;",
     F},
    {X "type T : num; tensor C[] : T, A[x: n] : T; where all(A <= C);"
       "max(C, A) => broadcast(C, {x: n});",
     I | W | R},
    {X "type T : num; tensor C[] : T, A[x: n] : T; where all(A <= C);"
       "broadcast(C, {x: n}) => max(A, C);",
     I | W | R},
    {X "type T : num; tensor C[] : T, A[x: n] : T; where all(A <= C);"
       "max(C, A) => A;",
     0},
    {"axes x; map n, m on x; tensor A[x: n] : any, B[x: m] : any;"
     "where n * -9223372036854775807 - n == m; A + B => B + A;",
     0},
    {"axes x; map n, m on x; tensor A[x: n] : any, B[x: m] : any;"
     "where m - 9223372036854775807 * n - n == 1; A + B => B + A;",
     0},
    {"axes x; map n, m on x; tensor A[x: n] : any, B[x: m] : any;"
     "where div(n, -9223372036854775807 - 1) == -1; A + B => B + A;",
     0},
    {"axes x; map n, m on x; tensor A[x: n] : any, B[x: m] : any;"
     "where div(-9223372036854775807 - 1, -1) == m; A + B => B + A;",
     0},
    // Rounding to integers, which the solver lacks in formats of few digits.
    {X "tensor A[x: n] : float; floor(floor(A)) => floor(A);", R | F},
    {X "tensor A[x: n] : float;"
       "round_nearest_even(-A) => -round_nearest_even(A);",
     F},
    {X "tensor A[x: n] : real; round_nearest_afz(-A) => -round_nearest_afz(A);",
     R | F},
    {X "tensor A[x: n] : real; round_nearest_afz(A) => round_nearest_even(A);",
     0},
    {X "tensor A[x: n] : real; -floor(-A) => ceil(A);", R | F},
    {X "tensor A[x: n] : float; A < floor(A) => broadcast(false, {x: n});",
     R | F},
    {X "tensor A[x: n] : float; floor(A) => ceil(A);", 0},
};

static void check(const struct sample *s, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct ruleset rs;
        struct err_list errs = {{0}};
        struct report rep = {.remarks = {0}};
        struct hints hints = {{0}};
        struct buf text = {0};
        buf_printf(&text, "rule r {%s}", s[i].text);
        ruleset_init(&rs);
        if (!ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs))
            fail_msg("%s: %s", s[i].text, errs.at.at[0].msg);
        struct decide_options o = {.hints = &hints};
        decide_rule(rs.rules.at[0], &o, &rep);
        unsigned got = 0;
        for (uint32_t k = 0; k < rep.domains.len; k++)
            if (rep.domains.at[k].verdict == VERDICT_PROVED)
                got |= 1U << rep.domains.at[k].domain;
        if (got != s[i].proved)
            fail_msg("%s\nproved in %x, expected %x", s[i].text, got,
                     s[i].proved);
        hints_release(&hints);
        report_release(&rep);
        vec_release(&errs.at);
        ruleset_release(&rs);
        buf_release(&text);
    }
}

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
#define MONOTONE                                                               \
    X "type T : num; tensor A[x: n] : T, B[x: n] : T;"                         \
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

// What holds in float of rules that are not exact there.
#define FLOATS X "tensor A[x: n] : float, B[x: n] : float; "
#define ONE_FLOAT X "tensor A[x: n] : float; "
static const struct {
    const char *text;
    enum grade grade;
    bool plain; // a difference of finite numbers, not of a zero's sign
} graded[] = {
    {ONE_FLOAT "A + 0 => A;", GRADE_ZERO_SIGN, false},
    {ONE_FLOAT "0 - A => -A;", GRADE_ZERO_SIGN, false},
    {ONE_FLOAT "sqrt(A) + 0 => sqrt(A);", GRADE_ZERO_SIGN, false},
    {ONE_FLOAT "A - A => 0;", GRADE_FINITE, false},
    {ONE_FLOAT "A == A => broadcast(true, {x: n});", GRADE_FINITE, false},
    {FLOATS "!(A < B) => A >= B;", GRADE_FINITE, false},
    {ONE_FLOAT "A * 0 => 0;", GRADE_FINITE_ZERO_SIGN, false},
    {FLOATS "select(A >= B, A, B) => max(A, B);", GRADE_FINITE_ZERO_SIGN,
     false},
    {FLOATS "(A + B) - B => A;", GRADE_NONE, true},
    {ONE_FLOAT "A + 1 => A;", GRADE_NONE, true},
    {ONE_FLOAT "where all(A > 0), all(A <= 1); A * A => A;", GRADE_NONE, true},
    {ONE_FLOAT "1 / A => 1 / (A + 0);", GRADE_NONE, false},
    // Never finite: nothing is said by that grade.
    {ONE_FLOAT "A + inf => A;", GRADE_NONE, false},
    {ONE_FLOAT "where all(A != A); A => 0;", GRADE_NONE, false},
    // Inside a reduction the sign of zero counts.
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float;"
     "reduce(max, A, {x}) + 0 => reduce(max, A, {x});",
     GRADE_ZERO_SIGN, false},
    {"axes x, y; map n on x; map m on y; tensor A[x: n, y: m] : float;"
     "reduce(max, 1 / (A + 0), {x}) => reduce(max, 1 / A, {x});",
     GRADE_NONE, false},
};

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
        struct decide_options o = {.domains = F};
        buf_printf(&text, "rule r {%s}", graded[i].text);
        ruleset_init(&rs);
        assert_true(ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs));
        enum grade g = decide_grade(rs.rules.at[0], &o);
        if (g != graded[i].grade)
            fail_msg("%s: %s", graded[i].text, grade_name(g));
        struct cex_budget few = cex_budget_quick();
        struct rng rng;
        rng_seed(&rng, 1);
        if (cex_plain_difference(rs.rules.at[0], &few, &rng) != graded[i].plain)
            fail_msg("%s: plainly?", graded[i].text);
        vec_release(&errs.at);
        ruleset_release(&rs);
        buf_release(&text);
    }
}

// Decides a rule of its own text; the caller releases.
static struct report decide_text(struct ruleset *rs, const char *text,
                                 struct hints *hints, struct buf *smt2)
{
    struct err_list errs = {{0}};
    struct report rep = {.remarks = {0}};
    struct decide_options o = {.hints = hints, .smt2 = smt2};
    ruleset_init(rs);
    assert_true(ruleset_parse(rs, text, strlen(text), "r", &errs));
    decide_rule(rs->rules.at[0], &o, &rep);
    return rep;
}

static enum verdict verdict_at(const struct report *rep, const char *ranks)
{
    const struct domain_report *d = &rep->domains.at[0];
    enum verdict last = VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < d->obligations.len; i++)
        if (d->obligations.at[i].kind == OBLIGATION_ELEMENTS &&
            strcmp(d->obligations.at[i].ranks, ranks) == 0)
            last = d->obligations.at[i].verdict;
    return last;
}

// Two pads, on either side: in a corner of two axes the outer one wins.  Both
// orders agree at ranks 0 and 1.
static void test_false_at_rank_two(void **state)
{
    struct ruleset rs;
    struct hints hints = {{0}};
    struct buf smt2 = {0};
    (void)state;
    struct report rep = decide_text(
        &rs,
        "rule r { axes x; map n, l, h on x; type T : any; tensor A[x: n] : T;"
        "scalar v : T, w : T; where l >= 0, h >= 0;"
        "pad(pad(A, v, low=l), w, high=h) => pad(pad(A, w, high=h), v, low=l);"
        "}",
        &hints, &smt2);
    assert_int_equal(rep.domains.at[0].verdict, VERDICT_UNKNOWN);
    assert_int_equal(verdict_at(&rep, "x=0"), VERDICT_PROVED);
    assert_int_equal(verdict_at(&rep, "x=1"), VERDICT_PROVED);
    assert_string_equal(rep.domains.at[0].bound, "{\"x\": 2}");
    assert_true(hints.at.len > 0);
    assert_int_equal(hints.at.at[0].rank[0], 2);
    assert_non_null(strstr(buf_text(&smt2), "(check-sat)"));
    hints_release(&hints);
    buf_release(&smt2);
    report_release(&rep);
    ruleset_release(&rs);
}

static void test_remarks(void **state)
{
    static const char *const text[] = {
        "rule r {" ANY "where n >= 1, n <= 0; reverse(A, {x}) => A; }",
        "rule r {" ANY "reverse(A, {x}) => reverse(A, {x}); }",
        "rule r {" AB "where all(A < A); A => B; }",
    };
    static const char *const remark[] = {"vacuous", "both sides are the same",
                                         "vacuous"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct ruleset rs;
        struct hints hints = {{0}};
        struct report rep = decide_text(&rs, text[i], &hints, NULL);
        assert_int_equal(rep.remarks.len, 1);
        assert_non_null(strstr(rep.remarks.at[0], remark[i]));
        assert_int_equal(rep.domains.at[0].verdict == VERDICT_PROVED, i == 1);
        hints_release(&hints);
        report_release(&rep);
        ruleset_release(&rs);
    }
}

// The same rule gives the same report, but for times.
static void test_repeats(void **state)
{
    static const char text[] =
        "rule r {" ABC "max(A * (B + C), 0) => max(A * B + A * C, 0); }";
    uint64_t effort[2] = {0, 0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ruleset rs;
        struct report rep = decide_text(&rs, text, NULL, NULL);
        const struct domain_report *d = &rep.domains.at[0];
        for (uint32_t k = 0; k < d->obligations.len; k++)
            effort[i] = effort[i] * 31 + d->obligations.at[k].effort;
        report_release(&rep);
        ruleset_release(&rs);
    }
    assert_true(effort[0] == effort[1] && effort[0] > 0);
}

static void test_movement(void **state)
{
    (void)state;
    check(movement, LEN(movement));
}

static void test_edges(void **state)
{
    (void)state;
    check(edges, LEN(edges));
}

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

static void test_reductions(void **state)
{
    (void)state;
    check(reductions, LEN(reductions));
}

static void test_hostile(void **state)
{
    (void)state;
    check(hostile, LEN(hostile));
}

// Facts about infinities make a literal while expressions are read: at every
// number of expressions, so that their array grows at that point, too.
static void test_growth(void **state)
{
    struct buf text = {0};
    (void)state;
    for (unsigned i = 0; i < 80; i++) {
        struct ruleset rs;
        buf_clear(&text);
        buf_puts(&text,
                 "rule r {" X "tensor A[x: n] : float, B[x: n] : float;");
        for (unsigned k = 0; k < i / 4; k++)
            buf_printf(&text, " where n != -%u;", k + 1);
        buf_puts(&text, "select(lowest < ");
        for (unsigned k = 0; k < i % 4; k++)
            buf_puts(&text, "abs(");
        buf_puts(&text, "A");
        for (unsigned k = 0; k < i % 4; k++)
            buf_puts(&text, ")");
        buf_puts(&text, " + 3, A, B) => A; }");
        struct report rep = decide_text(&rs, buf_text(&text), NULL, NULL);
        unsigned proved = 0;
        for (uint32_t k = 0; k < rep.domains.len; k++)
            if (rep.domains.at[k].verdict == VERDICT_PROVED)
                proved |= 1U << rep.domains.at[k].domain;
        assert_int_equal(proved, R);
        report_release(&rep);
        ruleset_release(&rs);
    }
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movement),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_transcendental),
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_grades),
        cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_growth),
        cmocka_unit_test(test_false_at_rank_two),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
