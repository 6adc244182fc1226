// SPDX-License-Identifier: Apache-2.0
// What is said of rules besides their text: operators, uses of preconditions,
// the meaning in index notation.
#include "rules/describe/describe.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct ruleset set;

static const struct rule *parse(const char *text)
{
    struct err_list errs = {0};
    ruleset_release(&set);
    ruleset_init(&set);
    if (!ruleset_parse(&set, text, strlen(text), "test", &errs))
        fail_msg("%s\n%s", errs.at.at[0].msg, text);
    vec_release(&errs.at);
    assert_int_equal(set.rules.len, 1);
    return set.rules.at[0];
}

static void meaning_is(const char *text, const char *left, const char *right)
{
    struct buf have = {0}, want = {0};
    rule_meaning(parse(text), &have);
    buf_printf(&want, "left%s\nright%s\n", left, right);
    assert_string_equal(buf_text(&have), buf_text(&want));
    buf_release(&have);
    buf_release(&want);
}

static void meaning_of_arithmetic(void **state)
{
    (void)state;
    meaning_is("rule a { axes x; map n on x; tensor A[x: n] : num;"
               " A + 0 => A; }",
               "[i_x] = A[i_x] + 0", "[i_x] = A[i_x]");
    meaning_is("rule b { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
               " scalar c : num; (A - B)*c => A*c - B*c; }",
               "[i_x] = (A[i_x] - B[i_x]) * c", "[i_x] = (A[i_x] * c) - (B[i_x] * c)");
    meaning_is("rule c { tensor A[] : num; -A + A => 0; }", "[] = negate(A[]) + A[]", "[] = 0");
    meaning_is("rule d { axes x; map n on x; tensor A[x: n] : float;"
               " select(A < 0, -A, A) => abs(A); }",
               "[i_x] = select(A[i_x] < 0, negate(A[i_x]), A[i_x])", "[i_x] = abs(A[i_x])");
    meaning_is("rule e { axes x; map n on x; type T : sint; type F : float;"
               " tensor A[x: n] : T;"
               " convert(convert(A, F), T) => convert(convert(A, float), T); }",
               "[i_x] = convert(convert(A[i_x], F), T)",
               "[i_x] = convert(convert(A[i_x], float), T)");
    meaning_is("rule f { axes x, y; map n on x; map m on y;"
               " tensor A[x: n] : T, B[x: n] : T; op f : elementwise(T, T) -> U;"
               " f(broadcast(A, {y: m}), broadcast(B, {y: m}))"
               " => broadcast(f(A, B), {y: m}); }",
               "[i_x, i_y] = f(A[i_x], B[i_x])", "[i_x, i_y] = f(A[i_x], B[i_x])");
}

static void meaning_of_movement(void **state)
{
    (void)state;
    meaning_is("rule slices { axes x; map n, s, e, p, t, f, q on x;"
               " tensor A[x: n] : any;"
               " slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f,"
               " stride=q) => slice(A, start=s+t*p, limit=min(e, s+f*p),"
               " stride=p*q); }",
               "[i_x] = A[s + p*(t + q*i_x)]", "[i_x] = A[s + t*p + (p*q)*i_x]");
    meaning_is("rule pads { axes x; map n, l, h, i on x; tensor A[x: n] : T;"
               " scalar v : T; pad(A, v, low=l, high=h, interior=i)"
               " => pad(pad(A, v, interior=i), v, low=l, high=h); }",
               "[i_x] = if (i_x - l)/(i + 1) is whole and in 0..n-1"
               " then A[(i_x - l)/(i + 1)] else v",
               "[i_x] = if i_x - l is in 0..(n + max(n - 1, 0)*i)-1"
               " then (if (i_x - l)/(i + 1) is whole and in 0..n-1"
               " then A[(i_x - l)/(i + 1)] else v) else v");
    meaning_is("rule sum { axes x; map n, l, h on x; tensor A[x: n] : num;"
               " pad(A, 0, low=l, high=h) + pad(A, 0, low=l, high=h)"
               " => pad(A + A, 0, low=l, high=h); }",
               "[i_x] = (if i_x - l is in 0..n-1 then A[i_x - l] else 0)"
               " + (if i_x - l is in 0..n-1 then A[i_x - l] else 0)",
               "[i_x] = if i_x - l is in 0..n-1 then (A[i_x - l] + A[i_x - l])"
               " else 0");
    meaning_is("rule cut { axis a; axes x; map k on x; map n, m, o on a;"
               " tensor A[a: n, x: k] : T, B[a: m, x: k] : T, C[a: o, x: k] : T;"
               " reverse(concat(A, B, C, axis=a), {a})"
               " => concat(reverse(C, {a}), reverse(B, {a}), reverse(A, {a}),"
               " axis=a); }",
               "[i_a, i_x] = if (n + m + o) - 1 - i_a < n"
               " then A[(n + m + o) - 1 - i_a, i_x]"
               " else if (n + m + o) - 1 - i_a - n < m"
               " then B[(n + m + o) - 1 - i_a - n, i_x]"
               " else C[(n + m + o) - 1 - i_a - n - m, i_x]",
               "[i_a, i_x] = if i_a < o then C[o - 1 - i_a, i_x]"
               " else if i_a - o < m then B[m - 1 - (i_a - o), i_x]"
               " else A[n - 1 - (i_a - o - m), i_x]");
    meaning_is("rule iotas { axis a; axes x; map n on a; map m on x;"
               " reverse(iota({a: n, x: m}, axis=a), {a, x})"
               " => reverse(iota({a: n, x: m}, axis=a), {a}); }",
               "[i_a, i_x] = n - 1 - i_a", "[i_a, i_x] = n - 1 - i_a");
    meaning_is("rule swap { axes x; axes y like x; map n on x;"
               " tensor A[x: n, y: n] : num; relabel(A - relabel(A, {x <-> y}),"
               " {x <-> y}) => relabel(A, {x <-> y}) - A; }",
               "[i_x, i_y] = A[i_y, i_x] - A[i_x, i_y]", "[i_x, i_y] = A[i_y, i_x] - A[i_x, i_y]");
}

static void meaning_of_reductions(void **state)
{
    (void)state;
    meaning_is("rule steps { axes x, y, z; map n on x; map m on y; map o on z;"
               " tensor A[x: n, y: m, z: o] : T; op g : monoid(T);"
               " reduce(g, reduce(g, A, {x}), {y}) => reduce(g, A, {x, y}); }",
               "[i_z] = g over j_y < m of g over j_x < n of A[j_x, j_y, i_z]",
               "[i_z] = g over j_x < n, j_y < m of A[j_x, j_y, i_z]");
    // A reduction ends where its parenthesis ends.
    meaning_is("rule two { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
               " reduce(+, A + B, {x}) => reduce(+, A, {x}) + reduce(+, B, {x});"
               " }",
               "[] = add over j_x < n of A[j_x] + B[j_x]",
               "[] = (add over j_x < n of A[j_x])"
               " + (add over j_x < n of B[j_x])");
    // The outer index is still in sight: the inner one has another name.
    meaning_is("rule both { axes x; axes y like x; map n on x;"
               " tensor A[x: n, y: n] : num;"
               " reduce(+, relabel(reduce(+, A, {x}), {y -> x}), {x})"
               " => reduce(+, A, {x, y}); }",
               "[] = add over j_x < n of add over j2_x < n of A[j2_x, j_x]",
               "[] = add over j_x < n, j_y < n of A[j_x, j_y]");
    // A map that is called like an index.
    meaning_is("rule clash { axes x; map n, i_x on x; tensor A[x: n] : any;"
               " slice(A, start=i_x) => slice(slice(A, start=i_x), start=0); }",
               "[i2_x] = A[i_x + i2_x]", "[i2_x] = A[i_x + i2_x]");
}

static void meaning_of_sums(void **state)
{
    (void)state;
    meaning_is("rule dots { axes i, j, k, b; map m on i; map n on j; map o on k;"
               " map p on b; tensor A[b: p, i: m, k: o] : num,"
               " B[b: p, k: o, j: n] : num; dot(A, B, contract={k}, batch={b})"
               " => dot(A, B, contract={k}, batch={b}) + 0; }",
               "[i_i, i_j, i_b] = add over j_k < o of"
               " A[i_i, j_k, i_b] * B[i_j, j_k, i_b]",
               "[i_i, i_j, i_b] = (add over j_k < o of"
               " A[i_i, j_k, i_b] * B[i_j, j_k, i_b]) + 0");
    meaning_is("rule convs { axis b, f, o; axes s; map p, g on b; map m, h on f;"
               " map q on o; map n, w, l, t, d, e on s;"
               " tensor A[b: p, f: m, s: n] : num, K[f: m, o: q, s: w] : num;"
               " conv(A, K, feature={f}, spatial={s}, flip={s}, batch_groups=g)"
               " => conv(A, K, feature={f}, spatial={s}, stride=t, low=l, dilation=d,"
               " kernel_dilation=e, feature_groups=h); }",
               "[i_b, i_o, i_s] = add over j_f < m, j_s < w of"
               " A[div(i_o, div(q, g))*div(p, g) + i_b, j_f, i_s + j_s]"
               " * K[j_f, i_o, w - 1 - j_s]",
               "[i_b, i_o, i_s] = add over j_f < m, j_s < w of"
               " (if (i_s*t + j_s*e - l)/d is whole and in 0..n-1 then"
               " A[i_b, div(i_o, div(q, h))*m + j_f, (i_s*t + j_s*e - l)/d] else 0)"
               " * K[j_f, i_o, j_s]");
    meaning_is("rule windows { axes x; map n, w on x; tensor A[x: n] : num;"
               " scalar v : num; reduce_window(max, A, size=w, high=1, init=v)"
               " => reduce_window(max, A, stride=w) + reduce(+, A, {x},"
               " init=v); }",
               "[i_x] = maximum from v over j_x < w of"
               " if i_x + j_x is in 0..n-1 then A[i_x + j_x] else v",
               "[i_x] = (maximum of A[i_x*w])"
               " + (add from v over j_x < n of A[j_x])");
    meaning_is("rule scattered { axis a; axes x, b; map n on a; map m on x;"
               " map o on b; tensor A[a: n, b: o] : num, I[x: m, b: o] : int,"
               " U[x: m, b: o] : num; scatter(+, A, I, U, axis=a, batch={b})"
               " => A; }",
               "[i_a, i_b] = add from A[i_a, i_b] over j_x < m"
               " where I[j_x, i_b] == i_a of U[j_x, i_b]",
               "[i_a, i_b] = A[i_a, i_b]");
}

static void meaning_of_places(void **state)
{
    (void)state;
    meaning_is("rule starts { axes x; map n, m on x; index i on x;"
               " tensor A[x: n] : T, U[x: m] : T;"
               " dynamic_update_slice(A, U, i) => dynamic_slice("
               "dynamic_update_slice(A, U, start=0), start=i+1, size=n); }",
               "[i_x] = if i_x - clamp(i, 0, n - m) is in 0..m-1 then"
               " U[i_x - clamp(i, 0, n - m)] else A[i_x]",
               "[i_x] = if i_x is in 0..m-1 then U[i_x] else A[i_x]");
    meaning_is("rule cuts { axes x; map n, m on x; index i on x;"
               " tensor A[x: n] : T; dynamic_slice(A, start=i+1, size=m)"
               " => slice(A, limit=m); }",
               "[i_x] = A[clamp(i + 1, 0, n - m) + i_x]", "[i_x] = A[i_x]");
    meaning_is("rule looks { axis a; axes x; map n, k on a; map m on x;"
               " tensor A[a: n] : T, I[x: m] : int;"
               " gather(A, I, axis=a, size=k)"
               " => broadcast(gather(A, I, axis=a), {a: k}); }",
               "[i_a, i_x] = A[clamp(I[i_x], 0, n - k) + i_a]",
               "[i_a, i_x] = A[clamp(I[i_x], 0, n - 1)]");
    meaning_is("rule shapes { axes x, y, u; axis c, z; map n on x; map m on y;"
               " map k on c; map o on u; tensor A[x: n, y: m, c: k, u: o] : T;"
               " reshape(A, [x, c, y] -> [z], [u] -> [])"
               " => merge(reshape(A, [u] -> []), [x, c, y] -> z); }",
               "[i_z] = A[div(i_z, k*m), mod(i_z, m), 0, mod(div(i_z, m), k)]",
               "[i_z] = A[div(i_z, k*m), mod(i_z, m), 0, mod(div(i_z, m), k)]");
    meaning_is("rule splits { axes x, y; axis z; map n on x; map m on y;"
               " map k on z; tensor A[z: k] : T;"
               " split(A, z -> [y: m, x: n]) => split(A, z -> [y: m, x: n]);"
               " }",
               "[i_x, i_y] = A[i_y*n + i_x]", "[i_x, i_y] = A[i_y*n + i_x]");
}

static void operators_are(const char *text, const char *want)
{
    struct name_list names = {0};
    struct buf have = {0};
    rule_operators(parse(text), &names);
    for (uint32_t i = 0; i < names.at.len; i++)
        buf_printf(&have, "%s%s", i ? ", " : "", names.at.at[i]);
    assert_string_equal(buf_text(&have), want);
    vec_release(&names.at);
    buf_release(&have);
}

static void operators(void **state)
{
    (void)state;
    operators_are("rule a { axes x; map n on x; tensor A[x: n] : num;"
                  " A + 0 => A; }",
                  "add, constant");
    operators_are("rule b { axes x; map n on x; tensor A[x: n] : T;"
                  " scalar v : T; pad(slice(A, start=1), v, low=1)"
                  " => pad(slice(A, start=1), v, low=1); }",
                  "pad, slice");
    // A scalar variable need not be a constant.
    operators_are("rule c { axes x; map n on x; tensor A[x: n] : num;"
                  " scalar v : num; A*v => v*A; }",
                  "broadcast_in_dim, multiply");
    operators_are("rule d { axes x, y; map n on x; map m on y;"
                  " tensor A[x: n, y: m] : T; op g : monoid(T);"
                  " op f : elementwise(T) -> T;"
                  " f(reduce(g, A, {y})) => f(reduce(g, A, {y})); }",
                  "any elementwise, any monoid, reduce");
    operators_are("rule e { axes x; axes y like x; map n on x; map m on y;"
                  " tensor A[x: n, y: m] : T;"
                  " relabel(relabel(A, {x <-> y}), {x <-> y}) => A; }",
                  "relabel");
    // A condition is not part of either side.
    operators_are("rule f { axes x; map n on x; tensor A[x: n] : num;"
                  " scalar v : num; where all(v == 1); A*v => A; }",
                  "broadcast_in_dim, multiply");
    operators_are("rule h { axis a; axes x, y; map n on a; map m on x;"
                  " map o on y; tensor A[x: m, a: n] : int; op h : monotone(T) -> U;"
                  " type T : int; type U : int; op g : monoid(U);"
                  " reduce_window(g, h(A), size={x: 1}) + value(n)"
                  " => h(A) + value(n)*count({y: o}); }",
                  "add, any monoid, any monotone, broadcast_in_dim, constant,"
                  " multiply, reduce, reduce_window, value");
    operators_are("rule g { axes x; map n on x; tensor A[x: n] : num;"
                  " A - A => 0; }",
                  "constant, subtract");
}

static void roles_are(const char *text, uint32_t n, const char *const *want)
{
    const struct rule *rule = parse(text);
    assert_int_equal(rule->n_wheres, n);
    for (uint32_t w = 0; w < n; w++) {
        struct buf have = {0};
        where_print(rule, w, &have);
        buf_putc(&have, ':');
        where_roles(rule, w, &have);
        assert_string_equal(buf_text(&have), want[w]);
        buf_release(&have);
    }
}

static void roles(void **state)
{
    (void)state;
    static const char *const slice[] = {"0 <= s: start ", "e <= n: size limit ", "p == 1: stride ",
                                        "s + p < e: start limit stride ", "u < n: size "};
    roles_are("rule a { axes x; map n, s, e, p, u on x; tensor A[x: n] : any;"
              " where 0 <= s, e <= n, p == 1, s + p < e, u < n;"
              " slice(A, start=s, limit=e, stride=p)"
              " => slice(A, start=s, limit=e, stride=p+0*u); }",
              5, slice);
    static const char *const pad[] = {"0 <= l: low ", "h == 0 or i != 0: high interior ",
                                      "all(v == 0): element "};
    roles_are("rule b { axes x; map n, l, h, i on x; tensor A[x: n] : num;"
              " scalar v : num; where 0 <= l, h == 0 or i != 0, all(v == 0);"
              " pad(A, v, low=l, high=h, interior=i)"
              " => pad(A, v, low=l, high=h, interior=i); }",
              3, pad);
    // A computed map stands for the maps in it, wherever it is written.
    static const char *const lets[] = {"q <= n: size start ", "0 <= s: start "};
    roles_are("rule c { axes x; map n, s on x; let q = s + 1;"
              " tensor A[x: n] : any; where q <= n, 0 <= s;"
              " slice(A, start=q) => slice(slice(A, start=1), start=s); }",
              2, lets);
    // What only the right side uses has no use; what a scalar is spread over
    // has one only if it is a size by itself.
    static const char *const sides[] = {"0 <= k: start ", "j == 0: ", "1 <= n: size "};
    roles_are("rule d { axes x; map n, k, j on x; tensor A[x: n] : num;"
              " where 0 <= k, j == 0, 1 <= n;"
              " slice(A, start=k) + 1 => slice(A + 1, start=k+j); }",
              3, sides);
    static const char *const splat[] = {"n <= 5: size "};
    roles_are("rule e { axes x; map n on x; scalar v : num; where n <= 5;"
              " broadcast(v, {x: n}) + 0 => broadcast(v, {x: n}); }",
              1, splat);
}

static void roles_of_windows(void **state)
{
    (void)state;
    static const char *const conv[] = {"1 <= n: size ",         "t == 1: stride ",
                                       "0 <= l + h: low high ", "d < e: dilation ",
                                       "g == 1: groups ",       "0 <= h: high "};
    roles_are("rule a { axis b, f, o; axis s; map p on b; map m, g on f;"
              " map q on o; map n, w, t, l, h, d, e on s;"
              " tensor A[b: p, f: m, s: n] : num, K[f: m, o: q, s: w] : num;"
              " where n >= 1, t == 1, l + h >= 0, d < e, g == 1, h >= 0;"
              " conv(A, K, feature={f}, spatial={s}, stride=t, low=l, high=h,"
              " dilation=d, kernel_dilation=e, feature_groups=g) =>"
              " conv(A, K, feature={f}, spatial={s}, stride=t, low=l, high=h,"
              " dilation=d, kernel_dilation=e, feature_groups=g); }",
              6, conv);
    static const char *const window[] = {"w == 1: window ", "e == 1: dilation ", "0 <= s: start ",
                                         "m < n: size ", "k == 2: size "};
    roles_are("rule b { axes x; axis y, z; map n, m, w, e, s on x; map k on y;"
              " tensor A[x: n, z: 2] : num;"
              " where w == 1, e == 1, s >= 0, m < n, k == 2;"
              " split(reduce_window(+, dynamic_slice(A, start=s, size=m),"
              " size=w, window_dilation=e), z -> [y: k]) =>"
              " split(dynamic_slice(A, start=s, size=m), z -> [y: k]); }",
              5, window);
}

// A chain of computed maps is followed to its end.
static void deep_lets(void **state)
{
    (void)state;
    struct buf buf = {0};
    buf_puts(&buf, "rule deep { axes x; map n, l0 on x; ");
    for (int i = 1; i <= 60; i++)
        buf_printf(&buf, "let l%d = l%d + 1; ", i, i - 1);
    buf_puts(&buf, "tensor A[x: n] : any; where l60 <= n;"
                   " slice(A, start=l0) => slice(A, start=l0); }");
    const char *want[] = {"l60 <= n: size start "};
    roles_are(buf_text(&buf), 1, want);
    buf_release(&buf);
}

static int done(void **state)
{
    (void)state;
    ruleset_release(&set);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meaning_of_arithmetic),
        cmocka_unit_test(meaning_of_movement),
        cmocka_unit_test(meaning_of_reductions),
        cmocka_unit_test(meaning_of_sums),
        cmocka_unit_test(meaning_of_places),
        cmocka_unit_test(operators),
        cmocka_unit_test(roles),
        cmocka_unit_test(roles_of_windows),
        cmocka_unit_test(deep_lets),
    };
    ruleset_init(&set);
    return cmocka_run_group_tests(tests, NULL, done);
}
