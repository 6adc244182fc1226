// SPDX-License-Identifier: Apache-2.0
// What the rule reader infers: sizes, lifting, types.
#include "tests/unit/support/rules_parsed.h"

// ---- inference ----

// The inferred size of the left side along its only class.
static void check_inferred(const char *lhs, const char *size)
{
    struct buf text = {0}, buf = {0};
    buf_printf(&text,
               "rule r { axes x; axis a; map n, s, e, p on x; map k, j on a;"
               "tensor A[x: n] : T, C[a: k] : T, D[a: j] : T;"
               "where s <= e, p <= n, k <= j;"
               "reduce(+, C, {a}) + reduce(+, D, {a}) + reduce(+, A, {x})"
               "+ reduce(+, %s, {x}) => 0; }",
               lhs);
    struct parsed parsed = rule_of(buf_text(&text));
    const struct rule *rule = parsed.set.rules.at[0];
    const struct pat *top = &rule->pats[rule->lhs];
    const struct pat *pattern = &rule->pats[rule->pats[top->args[1]].args[0]];
    assert_int_equal(pattern->n_sizes, 1);
    iexp_print(rule, pattern->sizes[0].size, &buf);
    assert_string_equal(buf_text(&buf), size);
    buf_release(&buf);
    buf_release(&text);
    done(&parsed);
}

static void test_sizes(void **state)
{
    (void)state;
    check_inferred("slice(A, start=s, limit=e, stride=p)", "ceildiv(e - s, p)");
    check_inferred("slice(A, start=s)", "n - s");
    check_inferred("slice(A, limit=e)", "e");
    check_inferred("slice(A, stride=p)", "ceildiv(n, p)");
    check_inferred("pad(A, 0, low=s)", "n + s");
    check_inferred("pad(A, 0, low=s, high=e, interior=p)", "n + s + e + max(n - 1, 0)*p");
    check_inferred("pad(A, 0, low=1, high=-1)", "n + 1 + -1");
    check_inferred("reduce(+, broadcast(A, {a: k}), {a})", "n");
    check_inferred("broadcast(0, {x: e}) + A", "n");
    check_inferred("broadcast(0, {x: e}) + 1", "e");
    check_inferred("reverse(A, {x})", "n");
    check_inferred("reduce(+, concat(broadcast(C, {x: s}), broadcast(D, "
                   "{x: e}), axis=a), {a})",
                   "s");
}

static void test_concat_size(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct parsed parsed =
        rule_of("rule r { axis a; map k, j on a; tensor C[a: k] : any, D[a: j] : any;"
                "concat(C, D, C, axis=a) => concat(concat(C, D, axis=a), C, axis=a);"
                "}");
    const struct rule *rule = parsed.set.rules.at[0];
    iexp_print(rule, rule->pats[rule->lhs].sizes[0].size, &buf);
    assert_string_equal(buf_text(&buf), "k + j + k");
    assert_true(rule_only_moves(rule));
    buf_release(&buf);
    done(&parsed);
}

static void test_lifting(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct parsed parsed = rule_of("rule r { axes x; map n on x; tensor A[x: n] : num;"
                                   "scalar c, d : num; select(c < d, A, 1) + (c + d) => 0; }");
    const struct rule *rule = parsed.set.rules.at[0];
    const struct pat *top = &rule->pats[rule->lhs];
    const struct pat *sel = &rule->pats[top->args[0]];
    const struct pat *sum = &rule->pats[top->args[1]];
    assert_int_equal(sum->kind, PAT_SPLAT);
    assert_int_equal(rule->pats[sum->args[0]].op, OP_ADD);
    assert_int_equal(rule->pats[sum->args[0]].n_sizes, 0);
    assert_int_equal(rule->pats[sel->args[0]].kind, PAT_SPLAT);
    assert_int_equal(rule->pats[sel->args[1]].kind, PAT_TENSOR);
    assert_int_equal(rule->pats[sel->args[2]].kind, PAT_SPLAT);
    assert_int_equal(rule->pats[rule->rhs].kind, PAT_SPLAT);
    assert_int_equal(rule->n_types, 2); // numbers and the predicate
    assert_string_equal(text_of(&buf, rule, rule->lhs), "select(c < d, A, 1) + (c + d)");
    assert_false(rule_only_moves(rule));
    buf_release(&buf);
    done(&parsed);
}

static void test_rank_zero_is_not_lifted(void **state)
{
    (void)state;
    struct parsed parsed = rule_of("rule r { scalar v : num; 0 => v - v; }");
    const struct rule *rule = parsed.set.rules.at[0];
    for (uint32_t i = 0; i < rule->n_pats; i++)
        assert_int_not_equal(rule->pats[i].kind, PAT_SPLAT);
    assert_int_equal(rule->pats[rule->lhs].n_sizes, 0);
    done(&parsed);
}

static void check_kinds(const char *decls, const char *main, unsigned kinds, unsigned domains)
{
    struct buf text = {0};
    buf_printf(&text, "rule r { axes x; map n on x; %s; %s; }", decls, main);
    struct parsed parsed = rule_of(buf_text(&text));
    const struct rule *rule = parsed.set.rules.at[0];
    assert_int_equal(rule->types[rule->tensors[0].type].kinds, kinds);
    assert_int_equal(rule_domains(rule), domains);
    assert_int_equal(rule->claims, domains);
    buf_release(&text);
    done(&parsed);
}

static void test_types(void **state)
{
    (void)state;
    const unsigned ints = KIND_SINT | KIND_UINT;
    const unsigned i = 1u << DOMAIN_INT | 1u << DOMAIN_WORD;
    const unsigned f = 1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT;
    const unsigned b = 1u << DOMAIN_BOOL;
    check_kinds("tensor A[x: n] : any", "A + 0 => A", ints | KIND_FLOAT, i | f);
    check_kinds("tensor A[x: n] : T", "exp(A) => exp(A)*1", KIND_FLOAT, f);
    const unsigned w = 1u << DOMAIN_WORD;
    check_kinds("tensor A[x: n] : any", "!A => A ^ A", KIND_BOOL | ints, b | w);
    check_kinds("tensor A[x: n] : int", "shift_left(A, 1) => A + A", ints, w);
    check_kinds("tensor A[x: n] : int", "popcnt(A) => A", ints, w);
    check_kinds("tensor A[x: n] : int", "reduce(|, A, {x}) => 0", ints, w);
    check_kinds("tensor A[x: n] : int", "convert(A & 1, float) => 0.0", ints, w | f);
    check_kinds("tensor A[x: n] : int", "(A < 1) & (A > 1) => false", ints, i);
    check_kinds("tensor A[x: n] : any", "A & true => A", KIND_BOOL, b);
    check_kinds("tensor A[x: n] : any", "abs(A) => A", KIND_SINT | KIND_FLOAT, i | f);
    check_kinds("tensor A[x: n] : any", "reverse(A, {x}) => A", KIND_ANY, b | i | f);
    check_kinds("tensor A[x: n] : any", "max(A, lowest) => A", KIND_ANY, b | i | f);
    check_kinds("tensor A[x: n] : any", "A*2.5 => A", KIND_FLOAT, f);
    check_kinds("tensor A[x: n] : num", "A < A => false", ints | KIND_FLOAT, i | f);
    check_kinds("tensor A[x: n] : int", "convert(convert(A, float), int) => A", ints, i | f);
    check_kinds("tensor P[x: n] : bool", "convert(P, num) + 0 => convert(P, num)", KIND_BOOL,
                i | f);
}

static void test_families(void **state)
{
    (void)state;
    struct parsed parsed = rule_of("rule r { axes z like y; axes y like x; axes x rank >= 1;"
                                   "map n on x; tensor A[x: n, y: n, z: n] : any;"
                                   "relabel(A, {x -> z, z -> x}) => relabel(A, {z <-> x}); }");
    const struct rule *rule = parsed.set.rules.at[0];
    for (uint32_t c = 0; c < 3; c++) {
        assert_int_equal(rule->classes[c].like, 0);
        assert_int_equal(rule->classes[c].least_rank, 1);
    }
    done(&parsed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),   cmocka_unit_test(test_concat_size),
        cmocka_unit_test(test_lifting), cmocka_unit_test(test_rank_zero_is_not_lifted),
        cmocka_unit_test(test_types),   cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
