// SPDX-License-Identifier: Apache-2.0
// Type variables whose elements are counts, or only chosen.
#include "tests/unit/support/rules_parsed.h"

#include "rules/instance/counts.h"

// The letters of the types that are counts (n: the iotas', or N) or chosen (t: A's).
static void check(const char *body, bool counts, bool chosen)
{
    struct buf text = {0};
    buf_printf(&text,
               "rule r { axis a; axes x; map n, c on a; map k on x; type T : any;"
               "tensor A[a: n, x: k] : T, B[a: n, x: k] : T; where c >= 0; %s }",
               body);
    struct parsed parsed = rule_of(buf_text(&text));
    const struct rule *rule = parsed.set.rules.at[0];
    bool all = true, some = false;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_OP && rule->pats[i].op == OP_IOTA) {
            some = true;
            all = all && rule_type_is_count(rule, rule->pats[i].type);
        }
    assert_int_equal(some && all, counts);
    assert_int_equal(rule_type_is_chosen(rule, rule->tensors[0].type), chosen);
    assert_false(rule_type_is_count(rule, rule->tensors[0].type));
    done(&parsed);
    buf_release(&text);
}

#define IOTA "iota({a: n, x: k}, axis=a)"

static void test_counts(void **state)
{
    (void)state;
    check("select(" IOTA " < value(c), A, B) => select(" IOTA " >= value(c), B, A);", true, true);
    check("select(reverse(" IOTA ", {x}) == " IOTA ", A, B) => A;", true, true);
    check("select(slice(" IOTA ", start={a: c}) < value(c), A, reverse(B, {x})) => B;", true, true);
    // the integers are computed with, converted, literals or indices of an operator
    check("select(" IOTA " + value(c) < value(c), A, B) => A;", false, true);
    check("select(-" IOTA " < value(c), A, B) => A;", false, true);
    check("select(" IOTA " < 2, A, B) => A;", false, true);
    check("type N : int; scalar v : N; select(" IOTA " < v, A, B) => A;", false, true);
    check("type N : int; tensor J[a: n, x: k] : N; select(" IOTA " < J, A, B) => A;", false, true);
    check("select(convert(" IOTA ", bool), A, B) => A;", false, true);
    check("op f : elementwise(N) -> bool; type N : int; select(f(" IOTA "), A, B) => A;", false,
          true);
    check("type N : int, L : int; wider L of N; tensor J[a: n, x: k] : N;"
          "select(convert(J, L) < " IOTA ", A, B) => A;",
          false, true);
    // the elements are compared, computed with, literals, or conditions
    check("select(" IOTA " < value(c), A, B) => select(A == B, A, B);", true, false);
    check("select(" IOTA " < value(c), A, 0) => A + B;", true, false);
    check("select(" IOTA " < value(c), A, 0) => B;", true, false);
    check("where all(A != B); select(" IOTA " < value(c), A, B) => B;", true, false);
    check("op f : elementwise(T) -> T; select(" IOTA " < value(c), f(A), B) => B;", true, false);
    check("op g : monoid(T); select(" IOTA " < value(c), pad(A, unit(g), low={a: 0}, high={a: 0}), "
          "B) => g(A, B);",
          true, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
