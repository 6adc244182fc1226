// SPDX-License-Identifier: Apache-2.0
// Deciding rules: true rules are proved, with the rung that they need; false rules
// are not, in the domains in which they are false.  The library and tests/wrong
// are larger collections.  Here is one rule for each way of going wrong with shapes,
// ranks and reductions; decide_scalar.c has those about elements.
#include "tests/unit/support/decide_samples.h"

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
    // The right side is not well-defined although the left is.
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
    // But empty tensors are tensors.
    {ANY "where n <= 0; reverse(A, {x}) => A;", ALL},
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
     R | F},
    {X "tensor A[x: n] : real; round_nearest_afz(-A) => -round_nearest_afz(A);", R | F},
    {X "tensor A[x: n] : real; round_nearest_afz(A) => round_nearest_even(A);", 0},
    {X "tensor A[x: n] : real; -floor(-A) => ceil(A);", R | F},
    {X "tensor A[x: n] : float; A < floor(A) => broadcast(false, {x: n});", R | F},
    {X "tensor A[x: n] : float; floor(A) => ceil(A);", 0},
};

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

// Decides a rule of its own text; the caller releases.
static struct report decide_text(struct ruleset *rs, const char *text, struct hints *hints,
                                 struct buf *smt2)
{
    struct err_list errs = {{0}};
    struct report rep = {.remarks = {0}};
    struct decide_options options = {.hints = hints, .smt2 = smt2};
    ruleset_init(rs);
    assert_true(ruleset_parse(rs, text, strlen(text), "r", &errs));
    decide_rule(rs->rules.at[0], &options, &rep);
    return rep;
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
        buf_puts(&text, "rule r {" X "tensor A[x: n] : float, B[x: n] : float;");
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

static enum verdict verdict_at(const struct report *rep, const char *ranks)
{
    const struct domain_report *report = &rep->domains.at[0];
    enum verdict last = VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < report->obligations.len; i++)
        if (report->obligations.at[i].kind == OBLIGATION_ELEMENTS &&
            strcmp(report->obligations.at[i].ranks, ranks) == 0)
            last = report->obligations.at[i].verdict;
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
    struct report rep =
        decide_text(&rs,
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
    static const char *const remark[] = {"vacuous", "both sides are the same", "vacuous"};
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

// The same rule gives the same report, except for times.
static void test_repeats(void **state)
{
    static const char text[] = "rule r {" ABC "max(A * (B + C), 0) => max(A * B + A * C, 0); }";
    uint64_t effort[2] = {0, 0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct ruleset rs;
        struct report rep = decide_text(&rs, text, NULL, NULL);
        const struct domain_report *report = &rep.domains.at[0];
        for (uint32_t k = 0; k < report->obligations.len; k++)
            effort[i] = effort[i] * 31 + report->obligations.at[k].effort;
        report_release(&rep);
        ruleset_release(&rs);
    }
    assert_true(effort[0] == effort[1] && effort[0] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_movement),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_growth),     cmocka_unit_test(test_false_at_rank_two),
        cmocka_unit_test(test_remarks),    cmocka_unit_test(test_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
