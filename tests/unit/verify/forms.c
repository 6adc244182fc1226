// SPDX-License-Identifier: Apache-2.0
// Deciding rules with dot, convolution, windows, run-time places, reshapes and
// bits: the true ones are proved, each false one is close to a true one and is
// not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "verify/decide.h"

#include "tests/unit/support/domain_masks.h"

struct sample {
    const char *text;
    unsigned proved;  // the domains in which it must be proved
    unsigned allowed; // those in which it may be
};

#define EXACTLY(d) (d), (d)

#define DOT                                                                                        \
    "axes x, y, k; map n on x; map m on y; map q on k; "                                           \
    "tensor A[x: n, k: q] : num, B[k: q, y: m] : num; "
#define SLICED "axes x; map n, k, m on x; index i, j on x; tensor A[x: n] : any; "
#define UPDATE                                                                                     \
    "axes x; map n, k on x; index i on x; "                                                        \
    "tensor A[x: n] : any, U[x: k] : any; "

static const struct sample sums[] = {
    {DOT "dot(reverse(A, {x}), B, contract={k})"
         " => reverse(dot(A, B, contract={k}), {x});",
     EXACTLY(NUM)},
    {DOT "dot(reverse(A, {x}), B, contract={k}) => dot(A, B, contract={k});", EXACTLY(0)},
    // In floats the order in which a dot adds its products is open.
    {DOT "dot(A, B, contract={k})"
         " => reduce(+, broadcast(A, {y: m})*broadcast(B, {x: n}), {k});",
     EXACTLY(I | W | R)},
    {DOT "dot(A, B, contract={k})"
         " => reduce(max, broadcast(A, {y: m})*broadcast(B, {x: n}), {k});",
     EXACTLY(0)},
    {"axes x, y; map n on x; map m on y; tensor A[x: n] : num, B[y: m] : num;"
     "dot(A, B) => broadcast(A, {y: m})*broadcast(B, {x: n});",
     EXACTLY(I | W | R)},
    {"axes x; map n on x; tensor A[x: n] : num; scalar v : num;"
     "reduce(+, A, {x}, init=v) => v + reduce(+, A, {x});",
     EXACTLY(I | W | R)},
    {"axes x; map n on x; tensor A[x: n] : num; scalar v : num;"
     "reduce(max, A, {x}, init=v) => max(v, reduce(max, A, {x}));",
     I | W, ALL},
    {"axes x; map n on x; tensor A[x: n] : float, C[x: n] : float;"
     "scalar v : float;"
     "reduce(+, A * C, {x}, init=v) => reduce(+, C * A, {x}, init=v);",
     EXACTLY(R | F)},
    // Of no element the initial values are left.
    {"axes x; map n on x; tensor A[x: n] : float; scalar v : float, w : float;"
     "where n == 0;"
     "reduce(+, A, {x}, init=v) => reduce(+, A, {x}, init=w);",
     EXACTLY(0)},
    {"axes x; map n, w, l, h on x; tensor A[x: n] : T;"
     "op g : monoid(T);"
     "reduce_window(g, reverse(A, {x}), size=w, low=l, high=h)"
     " => reverse(reduce_window(g, reverse(A, {x}), size=w, low=l, high=h),"
     " {x});",
     EXACTLY(0)},
    {"axes b, f, o, s; map nb on b; map nf on f; map no on o; map n, w on s;"
     "tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;"
     "conv(reverse(A, {b}), K, feature={f}, spatial={s})"
     " => reverse(conv(A, K, feature={f}, spatial={s}), {b});",
     EXACTLY(NUM)},
    {"axes b, f, o, s; map nb on b; map nf on f; map no on o; map n, w on s;"
     "tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;"
     "conv(A, reverse(K, {s}), feature={f}, spatial={s})"
     " => conv(A, K, feature={f}, spatial={s}, flip={s});",
     0, I | W | R},
    {"axes b, f, o, s; map nb on b; map nf on f; map no on o; map n, w on s;"
     "tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;"
     "conv(A, K, feature={f}, spatial={s}, flip={s})"
     " => conv(A, K, feature={f}, spatial={s});",
     EXACTLY(0)},
    // Right in the sums, but not in the size where there are no windows.
    {"axis b, f, o; axes s; map nb on b; map mf, g on f; map no on o;"
     "map n, w on s;"
     "tensor A[b: nb, f: mf, s: n] : num, K[f: mf, o: no, s: w] : num;"
     "where g == 1;"
     "conv(A, K, feature={f}, spatial={s}, feature_groups=g)"
     " => conv(A, K, feature={f}, spatial={s});",
     I | W | R, NUM},
    {"axis b, f, o; axes s; map nb on b; map mf, g on f; map no on o;"
     "map n, w on s;"
     "tensor A[b: nb, f: mf*g, s: n] : num, K[f: mf, o: no, s: w] : num;"
     "conv(reverse(A, {f}), reverse(K, {f, o}), feature={f}, spatial={s},"
     " feature_groups=g)"
     " => conv(A, K, feature={f}, spatial={s}, feature_groups=g);",
     EXACTLY(0)},
    {"axes b, i; axis a; map n on a; map q on b; map m on i;"
     "tensor A[a: n, b: q] : num, I[b: q, i: m] : int, U[b: q, i: m] : num;"
     "scatter(+, A, I, U, axis=a, batch={b})"
     " => scatter(+, A, I, U + 0, axis=a, batch={b});",
     I | W | R, NUM},
    {"axes i; axis a; map n on a; map m on i;"
     "tensor A[a: n] : num, I[i: m] : int, U[i: m] : num;"
     "scatter(+, A, I, U, axis=a) => scatter(+, A, max(I, 0), U, axis=a);",
     EXACTLY(0)},
};

static const struct sample places[] = {
    {SLICED "dynamic_slice(dynamic_slice(A, start=i, size=k), start=j, size=m)"
            " => dynamic_slice(A, start=clamp(i, 0, n-k) + clamp(j, 0, k-m),"
            " size=m);",
     EXACTLY(ALL)},
    {SLICED "dynamic_slice(dynamic_slice(A, start=i, size=k), start=j, size=m)"
            " => dynamic_slice(A, start=i + j, size=m);",
     EXACTLY(0)},
    {SLICED "dynamic_slice(dynamic_slice(A, start=i, size=k), start=j, size=m)"
            " => dynamic_slice(A, start=clamp(i, 0, n-k) + clamp(j, 0, n-m),"
            " size=m);",
     EXACTLY(0)},
    // Equal as numbers, but i + 1 may not exist in the index type.
    {"axes x; map n on x; index i on x; tensor A[x: n] : any;"
     "dynamic_slice(A, start=i, size=1)"
     " => dynamic_slice(A, start=max(i, 0) + 1 - 1, size=1);",
     EXACTLY(0)},
    {"axes x; map n on x; index i on x; tensor A[x: n] : any;"
     "dynamic_slice(A, start=i, size=1)"
     " => dynamic_slice(A, start=clamp(i, 0, n - 1) + 1 - 1, size=1);",
     EXACTLY(ALL)},
    {"axes x; map n, k, s on x; tensor A[x: n] : any; where 0 <= s <= n - k;"
     "dynamic_slice(A, start=s, size=k) => slice(A, start=s, limit=s + k);",
     EXACTLY(ALL)},
    {"axes x; map n, k, s on x; tensor A[x: n] : any; where 0 <= k <= n;"
     "dynamic_slice(A, start=s, size=k) => slice(A, start=s, limit=s + k);",
     EXACTLY(0)},
    {UPDATE "dynamic_slice(dynamic_update_slice(A, U, start=i), start=i,"
            " size=k) => U;",
     EXACTLY(ALL)},
    {UPDATE "dynamic_update_slice(dynamic_update_slice(A, U, start=i), U + U,"
            " start=i) => dynamic_update_slice(A, U + U, start=i);",
     NUM, ALL},
    {UPDATE "dynamic_update_slice(A, U, start=i) => A;", EXACTLY(0)},
    // Each axis of the update may leave some of A.
    {"axes x; map n, k on x; index i, j on x; "
     "tensor A[x: n] : any, U[x: k] : any;"
     "dynamic_update_slice(dynamic_update_slice(A, U, start=i), U, start=j)"
     " => dynamic_update_slice(A, U, start=j);",
     EXACTLY(0)},
    {"axis a; axes b, j; map n on a; map p on b; map q on j;"
     "tensor A[a: n, b: p] : T, C[a: n, b: p] : T, I[b: p, j: q] : int;"
     "op f : elementwise(T, T) -> S;"
     "f(gather(A, I, axis=a, batch={b}), gather(C, I, axis=a, batch={b}))"
     " => gather(f(A, C), I, axis=a, batch={b});",
     W | F, ALL},
    {"axis a; axes j; map n on a; map q on j;"
     "tensor A[a: n] : any, I[j: q] : int, J[j: q] : int;"
     "gather(A, I, axis=a) => gather(A, J, axis=a);",
     EXACTLY(0)},
    {"axis a, c; axes j; map n on a; map m on c; map q on j;"
     "tensor A[a: n] : any, I[c: m] : int, J[j: q] : int;"
     "gather(gather(A, I, axis=a), J, axis=c)"
     " => gather(A, gather(I, J, axis=c), axis=a);",
     W | F, ALL},
    // Two places that agree along one axis of the indices only.
    {"axis a; axes j; map n on a; map q on j;"
     "tensor A[a: n] : any, I[j: q] : int;"
     "gather(A, reverse(I, {j}), axis=a) => gather(A, I, axis=a);",
     EXACTLY(0)},
    // An index type may be too narrow to count so far.
    {"axis a; axis j like a; map n on a; tensor A[a: n] : int;"
     "gather(A, convert(iota({j: n}, axis=j), int), axis=a)"
     " => relabel(A, {a -> j});",
     0, I},
    {"axis a; axis j like a; map n on a; tensor A[a: n] : int;"
     "gather(A, iota({j: n}, axis=j), axis=a) => relabel(A, {a -> j});",
     0, I},
};

// Two updates cover all of one axis, but not all of two: true where x is one
// axis, false at rank 2 and above.
#define TWO(axes)                                                                                  \
    axes " x; map n, k on x; where n == 2*k; "                                                     \
         "tensor U[x: k] : int, V[x: k] : int, A[x: n] : int, C[x: n] : int; "
#define COVER(t)                                                                                   \
    "dynamic_update_slice(dynamic_update_slice(" t ", U, start=0), V, "                            \
    "start=k)"
#define COVERS(axes, d)                                                                            \
    {TWO(axes) COVER("A") " => " COVER("C") ";", d, d},                                            \
        {TWO(axes) "reduce(+, " COVER("A") ", {x})"                                                \
                                           " => reduce(+, " COVER("C") ", {x});",                  \
         d, d},                                                                                    \
        {TWO(axes) "reduce(max, " COVER("A") ", {x}, init=3)"                                      \
                                             " => reduce(max, " COVER("C") ", {x}, init=3);",      \
         d, d},                                                                                    \
        {TWO(axes) "axis a; map m on a; tensor T[a: m] : int; "                                    \
                   "gather(T, " COVER("A") ", axis=a) => gather(T, " COVER("C") ", axis=a);",      \
         d, d},                                                                                    \
        {TWO(axes) "axis a; map m on a; tensor T[a: m] : int, W[x: n] : int;"                      \
                   "scatter(+, T, " COVER("A") ", W, axis=a)"                                      \
                                               " => scatter(+, T, " COVER("C") ", W, axis=a);",    \
         d, d},                                                                                    \
        {TWO(axes) "axes y; map o on y; tensor D[y: o] : int;"                                     \
                   "dot(" COVER("A") ", D) => dot(" COVER("C") ", D);",                            \
         d, d},                                                                                    \
        {TWO(axes) "map w on x; reduce_window(+, " COVER("A") ", size=w, low=w)"                   \
                                                              " => reduce_window(+, " COVER(       \
                                                                  "C") ", size=w, low=w);",        \
         d, d},                                                                                    \
    {                                                                                              \
        TWO(axes)                                                                                  \
        "axes f, o; map w on x; map p on f; map q on o;"                                           \
        "tensor K[f: p, o: q, x: w] : int;"                                                        \
        "conv(broadcast(" COVER("A") ", {f: p}), K, feature={f}, spatial={x})"                     \
                                     " => conv(broadcast(" COVER("C") ", {f: p}), K, feature={f}," \
                                                                      " spatial={x});",            \
            d, d                                                                                   \
    }

static const struct sample at_rank_one[] = {COVERS("axis", I | W)};
static const struct sample at_rank_two[] = {COVERS("axes", 0)};

static const struct sample reshapes[] = {
    {"axis a, b, c; map n on a; map m on b; tensor A[a: n, b: m] : any;"
     "split(merge(A, [a, b] -> c), c -> [a: n, b: m]) => A;",
     EXACTLY(ALL)},
    {"axis a, b, c; map n on a; map m on b; tensor A[a: n, b: m] : any;"
     "where n == m;"
     "split(merge(A, [a, b] -> c), c -> [b: n, a: m]) => A;",
     EXACTLY(0)},
    {"axis a, b, c; map n on a; map m on b; tensor A[a: n, b: m] : any;"
     "merge(reverse(A, {a, b}), [a, b] -> c)"
     " => reverse(merge(A, [a, b] -> c), {c});",
     EXACTLY(ALL)},
    {"axis a, b, c; map n on a; map m on b; tensor A[a: n, b: m] : any;"
     "merge(reverse(A, {b}), [a, b] -> c)"
     " => reverse(merge(A, [a, b] -> c), {c});",
     EXACTLY(0)},
    // The major axis may be sliced before or after, the minor one not.
    {"axis a, b, c; map n, k on a; map m on b; tensor A[a: n, b: m] : any;"
     "merge(slice(A, limit={a: k}), [a, b] -> c)"
     " => slice(merge(A, [a, b] -> c), limit={c: k*m});",
     EXACTLY(ALL)},
    {"axis a, b, c; map n on a; map m, k on b; tensor A[a: n, b: m] : any;"
     "merge(slice(A, limit={b: k}), [a, b] -> c)"
     " => slice(merge(A, [a, b] -> c), limit={c: n*k});",
     EXACTLY(0)},
    {"axes x, y; axis c; map n on x; map m on y;"
     "tensor A[x: n, y: m] : num, D[x: n, y: m] : num;"
     "merge(A, [x, y] -> c) + merge(D, [x, y] -> c)"
     " => merge(A + D, [x, y] -> c);",
     EXACTLY(NUM)},
    {"axes x, y; axis c; map n on x; map m on y;"
     "tensor A[x: n, y: m] : any;"
     "where n == m; merge(A, [x, y] -> c) => merge(A, [y, x] -> c);",
     EXACTLY(0)},
    {"axes u, x; map n on x; map k on u; tensor A[x: n, u: k] : any;"
     "reshape(reshape(A, [u] -> []), [] -> [u: 1]) => A;",
     EXACTLY(ALL)},
    // A block of rank 0 is not summed over, so -0 stays.
    {"axes x; axis c; map n on x; map k on c; tensor A[x: n] : num;"
     "reduce(+, reshape(A, [x] -> [c: k]), {c}) => reduce(+, A, {x});",
     EXACTLY(I | W | R)},
    // As many elements, but blocks of two shapes.
    {"axes x; axes y; map n on x; map m on y; tensor A[x: n] : any;"
     "reshape(reshape(A, [x] -> [y: m]), [y] -> [x: n]) => A;",
     EXACTLY(ALL)},
    {"axes x; map n on x; tensor A[x: n] : T; type T : float; type U : int;"
     "bitcast_convert(bitcast_convert(A, U), T) => A;",
     EXACTLY(W | F)},
    {"axes x; map n on x; tensor A[x: n] : T; type T : int; type U : float;"
     "bitcast_convert(bitcast_convert(A, U), T) => A;",
     EXACTLY(0)},
    {"axes x; map n on x; tensor A[x: n] : T; type T : int; type U : int;"
     "A => bitcast_convert(bitcast_convert(A, U), T);",
     EXACTLY(0)},
    {"axis a, b; map n on a; map m on b; tensor A[a: n, b: m] : num;"
     "A + value(n*m) + value(0 - m*n) => A + 0;",
     I | R, I | W | R},
    {"axis a, b; map n on a; map m on b; tensor A[a: n, b: m] : num;"
     "A + value(n) => A + value(m);",
     EXACTLY(0)},
};

static void check(const struct sample *sample, uint32_t n)
{
    struct ruleset rs;
    ruleset_init(&rs);
    for (uint32_t i = 0; i < n; i++) {
        struct buf buf = {0};
        struct err err = {0};
        struct report rep = {.remarks = {0}};
        unsigned got = 0;
        buf_printf(&buf, "rule _ { %s }", sample[i].text);
        const struct rule *rule = ruleset_add(&rs, buf_text(&buf), "sample", &err);
        if (rule == NULL)
            fail_msg("%s\n%s", sample[i].text, err.msg);
        const struct decide_options options = {.domains = 0};
        decide_rule(rule, &options, &rep);
        for (uint32_t d = 0; d < rep.domains.len; d++)
            if (rep.domains.at[d].verdict == VERDICT_PROVED)
                got |= 1U << rep.domains.at[d].domain;
        if ((sample[i].proved & ~got) != 0 || (got & ~sample[i].allowed) != 0)
            fail_msg("%s\nproved in %x, expected %x to %x (%s)", sample[i].text, got,
                     sample[i].proved, sample[i].allowed,
                     rep.domains.len > 0 ? rep.domains.at[0].reason : "");
        report_release(&rep);
        buf_release(&buf);
    }
    ruleset_release(&rs);
}

static void test_sums(void **state)
{
    (void)state;
    check(sums, sizeof sums / sizeof *sums);
}

static void test_places(void **state)
{
    (void)state;
    check(places, sizeof places / sizeof *places);
}

static void test_at_rank_two(void **state)
{
    (void)state;
    check(at_rank_one, sizeof at_rank_one / sizeof *at_rank_one);
    check(at_rank_two, sizeof at_rank_two / sizeof *at_rank_two);
}

static void test_reshapes(void **state)
{
    (void)state;
    check(reshapes, sizeof reshapes / sizeof *reshapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_at_rank_two),
        cmocka_unit_test(test_reshapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
