// SPDX-License-Identifier: Apache-2.0
// Sums of floats bit for bit: some rules are proved, others refuted, and the prover
// and the search never contradict each other if both run.
#include "verify/prove.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LEN(a) (sizeof(a) / sizeof *(a))
#define P VERDICT_PROVED
#define X VERDICT_REFUTED

struct sample {
    const char *text;
    enum verdict verdict; // in float
};

#define KI "axis k; axes i; map nk on k; map ni on i; type T : float; "
#define KS "axes k; axes i; map nk on k; map ni on i; type T : float; "
#define A KI "tensor A[i: ni, k: nk] : T; "
#define AS KS "tensor A[i: ni, k: nk] : T; "
#define AB                                                                                         \
    "axes i, j, k, u; map ni on i; map nj on j; map nk on k; map nu on u;"                         \
    "type T : float; tensor A[i: ni, k: nk, u: nu] : T,"                                           \
    " B[k: nk, u: nu, j: nj] : T; "
#define CONV                                                                                       \
    "axes b, f, o, s; map nb on b; map nf on f; map no on o; map n, w on s;"                       \
    "type T : float; tensor I[b: nb, f: nf, s: n] : T,"                                            \
    " K[f: nf, o: no, s: w] : T; "

static const struct sample samples[] = {
    // The same terms in the same order.
    {AB "dot(A, B, contract={k, u}) => dot(B, A, contract={u, k});", P},
    {AS "reduce(+, reverse(A, {i}), {k}) => reverse(reduce(+, A, {k}), {i});", P},
    {AS "reduce(+, -A, {k}) => reduce(+, 0.0 - A, {k});", X},
    {KS "map s, t on i; tensor A[i: ni, k: nk] : T;"
        "reduce(+, slice(A, start={i: s}, limit={i: t}), {k})"
        " => slice(reduce(+, A, {k}), start={i: s}, limit={i: t});",
     P},
    {"axis i; axes k; map n, m on i; map nk on k; type T : float;"
     "tensor A[i: n, k: nk] : T, B[i: m, k: nk] : T;"
     "reduce(+, concat(A, B, axis=i), {k})"
     " => concat(reduce(+, A, {k}), reduce(+, B, {k}), axis=i);",
     P},
    {"axis i; axes k; map n, m on i; map nk on k; type T : float;"
     "tensor A[i: n, k: nk] : T, B[i: m, k: nk] : T;"
     "reduce(+, concat(A, B, axis=i), {k})"
     " => concat(reduce(+, B, {k}), reduce(+, A, {k}), axis=i);",
     X},
    {CONV "conv(I, K, feature={f}, spatial={s}, low={s: 1}, high={s: 2})"
          " => conv(pad(I, 0, low={s: 1}, high={s: 2}), K, feature={f},"
          " spatial={s});",
     P},
    {CONV "where n >= 2; conv(I, K, feature={f}, spatial={s}, low={s: -1})"
          " => conv(slice(I, start={s: 1}, limit={s: n}), K, feature={f},"
          " spatial={s});",
     P},
    {CONV "conv(I, reverse(K, {s}), feature={f}, spatial={s})"
          " => conv(I, K, feature={f}, spatial={s}, flip={s});",
     X},
    // None, one, and zeros.
    {A "where nk == 0; reduce(+, A, {k}) => broadcast(0, {i: ni});", P},
    {A "where nk == 0; reduce(+, A, {k}) => broadcast(-0.0, {i: ni});", X},
    {A "where nk == 0; reduce(*, A, {k}) => broadcast(1, {i: ni});", P},
    {AS "where nk == 0; reduce(+, A, {k}) => broadcast(0, {i: ni});", X},
    {A "where nk == 1; reduce(+, A, {k}) => reshape(A, [k] -> []);", X},
    {A "where nk == 1; reduce(+, A, {k}) => reshape(A, [k] -> []) + 0;", P},
    {A "where nk == 1; reduce(*, A, {k}) => reshape(A, [k] -> []);", P},
    {AB "where nu == 1; dot(A, B, contract={k, u})"
        " => dot(reshape(A, [u] -> []), reshape(B, [u] -> []), contract={k});",
     P},
    {"axes i, k, u; map ni on i; map nk on k; map nu on u;"
     "tensor A[i: ni, k: nk, u: nu] : float; where nu == 1;"
     "reduce(+, A, {k, u}) => reduce(+, reshape(A, [u] -> []), {k});",
     X},
    // Along no axis or one.
    {"axes x, y; map n on x; map m on y; type T : float;"
     "tensor A[x: n, y: m] : T; reduce_window(+, A, size={x: n})"
     " => reshape(reduce(+, A, {x}), [] -> [x: 1]);",
     X},
    {"axes x rank >= 1; axes y; map n on x; map m on y; type T : float;"
     "tensor A[x: n, y: m] : T; reduce_window(+, A, size={x: n})"
     " => reshape(reduce(+, A, {x}), [] -> [x: 1]);",
     P},
    {"axes x, y, z; map n on x; map m on y; map k on z;"
     "tensor A[x: n, y: m] : float;"
     "reduce(+, reshape(A, [x] -> [z: k]), {z}) => reduce(+, A, {x});",
     X},
    {"axis u; axes x, y, z; map n on x; map m on y; map k on z; map l on u;"
     "tensor A[x: n, y: m, u: l] : float;"
     "reduce(+, reshape(A, [x] -> [z: k]), {z, u}) => reduce(+, A, {x, u});",
     P},
    // Other orders.
    {A "reduce(+, reverse(A, {k}), {k}) => reduce(+, A, {k});", X},
    {A "reduce(*, reverse(A, {k}), {k}) => reduce(*, A, {k});", X},
    {"axes i, k, l; map ni on i; map nk on k; map nl on l; type T : float;"
     "tensor A[i: ni, k: nk, l: nl] : T;"
     "reduce(+, A, {k, l}) => reduce(+, reduce(+, A, {k}), {l});",
     X},
    {A "scalar v : T; reduce(+, A, {k}, init=v) => reduce(+, A, {k}) + v;", X},
    {A "scalar v : T; reduce(+, A + 0, {k}, init=v)"
       " => reduce(+, 0 + A, {k}, init=v);",
     P},
    // From an initial value on, over nothing, over one element and along no axis.
    {A "where nk == 0; scalar v : T; reduce(+, A, {k}, init=v) => broadcast(v, {i: ni});", P},
    {A "where nk == 0; scalar v : T; reduce(*, A, {k}, init=v) => broadcast(v, {i: ni});", P},
    {A "where nk == 0; scalar v : T; reduce(+, A, {k}, init=v) => broadcast(v, {i: ni}) + 0;", X},
    {AS "where nk == 0; scalar v : T; reduce(+, A, {k}, init=v) => broadcast(v, {i: ni});", X},
    {A "where nk == 1; scalar v : T; reduce(+, A, {k}, init=v) => v + reshape(A, [k] -> []);", P},
    {A "where nk == 1; scalar v : T; reduce(+, A, {k}, init=v) => v + reduce(+, A, {k});", X},
    {A "where nk <= 1; scalar v : T; reduce(+, A, {k}, init=v) => v + reshape(A, [k] -> []);", X},
    {A "scalar v : T; reduce_window(+, A, init=v) => A + v;", P},
    {A "scalar v : T; reduce_window(+, A, init=v) => A;", X},
    {A "scalar v : T; reduce_window(+, A, low={k: 1}, init=v) => pad(A, v, low={k: 1}) + v;", P},
    {A "scalar v : T; reduce_window(+, A, low={k: 1}, init=v) => pad(A, 0, low={k: 1}) + v;", X},
    {"type T : float; scalar a, v : T; reduce_window(+, a, init=v) => v + a;", P},
    {"type T : float; scalar a, v : T; reduce_window(*, a, init=v) => v + a;", X},
    {"axis a, i; map n on a; map m on i; type T : float, N : int; tensor A[a: n] : T,"
     " I[i: m] : N, U[i: m] : T; where m == 0; scatter(+, A, I, U, axis=a) => A;",
     P},
    {"axis a, i; map n on a; map m on i; type T : float, N : int; tensor A[a: n] : T,"
     " I[i: m] : N, U[i: m] : T; where m == 0; scatter(+, A, I, U, axis=a) => A + 0;",
     X},
    // A place that no update hits keeps its -0.
    {"axis a; axes i; map n on a; map m on i; type N : int; tensor A[a: n] :"
     "float, I[i: m] : N, J[i: m] : N; scatter(+, A, I, broadcast(0, {i: m}),"
     " axis=a) => scatter(+, A, J, broadcast(0, {i: m}), axis=a);",
     X},
};

static void check(const struct sample *sample)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct buf text = {0};
    struct report rep = {0};
    struct prove_options options = {.domains = 1U << DOMAIN_FLOAT, .seed = 1, .cross_check = true};
    ruleset_init(&rs);
    buf_printf(&text, "rule r { %s }", sample->text);
    if (!ruleset_parse(&rs, buf_text(&text), text.len, "test.rw", &errs))
        fail_msg("%s: %s", errs.at.at[0].msg, sample->text);
    if (!prove_rule(rs.rules.at[0], &options, &rep))
        fail_msg("%s: %s", REASON_DISAGREE, sample->text);
    assert_int_equal(rep.domains.len, 1);
    if (rep.domains.at[0].verdict != sample->verdict)
        fail_msg("%s (%s): %s", verdict_text(rep.domains.at[0].verdict), rep.domains.at[0].reason,
                 sample->text);
    report_release(&rep);
    ruleset_release(&rs);
    buf_release(&text);
    vec_release(&errs.at);
}

static void test_samples(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LEN(samples); i++)
        check(&samples[i]);
}

// The text names the reason of the difference.
static void test_text(void **state)
{
    (void)state;
    const char *rule = "rule r { " A "reduce(+, reverse(A, {k}), {k}) => reduce(+, A, {k}); }";
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct report rep = {0};
    struct prove_options options = {.domains = 1U << DOMAIN_FLOAT, .seed = 1};
    ruleset_init(&rs);
    assert_true(ruleset_parse(&rs, rule, strlen(rule), "test.rw", &errs));
    assert_true(prove_rule(rs.rules.at[0], &options, &rep));
    assert_non_null(strstr(rep.domains.at[0].counterexample, "sums taken in row-major order"));
    report_release(&rep);
    ruleset_release(&rs);
    vec_release(&errs.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
