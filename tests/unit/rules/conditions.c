// SPDX-License-Identifier: Apache-2.0
// Named forms of preconditions mean what their rows say, on all small integers
// and under negation; the visitors of conditions see every expression.
#include "rules/conditions.h"
#include "rules/language/forms/forms.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define SMALL 4 // values from -SMALL to SMALL

// A rule with the precondition, over the maps a, b, c, n in this order.
static const struct rule *rule_where(struct ruleset *set, const char *condition)
{
    struct buf text = {0};
    struct err err = {0};
    buf_printf(&text,
               "rule r { axes x; map a, b, c, n on x; tensor A[x: n] : any; where %s; "
               "reverse(reverse(A, {x}), {x}) => A; }",
               condition);
    ruleset_init(set);
    const struct rule *rule = ruleset_add(set, buf_text(&text), "test", &err);
    if (rule == NULL)
        fail_msg("%s: %s", condition, err.msg);
    buf_release(&text);
    return rule;
}

static uint32_t map_named(const struct rule *rule, const char *name)
{
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (strcmp(rule->maps[m].name, name) == 0)
            return m;
    return NONE; // not in the condition: dropped, or never read
}

// -1: has no value.
static int holds_at(const struct rule *rule, const int64_t values[3])
{
    static const char *const names[] = {"a", "b", "c"};
    int64_t value[8] = {0}, *map[8];
    assert_true(rule->n_maps <= 8);
    for (uint32_t m = 0; m < 8; m++)
        map[m] = &value[m];
    for (int i = 0; i < 3; i++)
        if (map_named(rule, names[i]) != NONE)
            value[map_named(rule, names[i])] = values[i];
    bool all = true;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        bool one = false;
        if (!cond_eval(rule->wheres[w].cond, map, 0, &one))
            return -1;
        all &= one;
    }
    return all;
}

static int divides(const int64_t v[3])
{
    return v[0] == 0 ? -1 : v[1] % v[0] == 0;
}

static int within(const int64_t v[3])
{
    return v[0] <= v[1] && v[1] < v[2];
}

static void check_form(const char *condition, int (*means)(const int64_t v[3]))
{
    struct buf negated = {0};
    buf_printf(&negated, "not (%s)", condition);
    struct ruleset set, not_set;
    const struct rule *rule = rule_where(&set, condition),
                      *not_rule = rule_where(&not_set, buf_text(&negated));
    for (int64_t a = -SMALL; a <= SMALL; a++)
        for (int64_t b = -SMALL; b <= SMALL; b++)
            for (int64_t c = -SMALL; c <= SMALL; c++) {
                int64_t v[] = {a, b, c};
                int want = means(v);
                assert_int_equal(holds_at(rule, v), want);
                assert_int_equal(holds_at(not_rule, v), want < 0 ? want : !want);
            }
    ruleset_release(&set);
    ruleset_release(&not_set);
    buf_release(&negated);
}

static void test_forms(void **state)
{
    (void)state;
    check_form("divides(a, b) and c == c", divides);
    check_form("within(a, b, c) and n == n", within);
}

static void test_every_form_is_checked(void **state)
{
    (void)state;
    static const char *const checked[] = {"divides", "within"};
    assert_int_equal(n_condition_forms, 2);
    for (uint32_t i = 0; i < n_condition_forms; i++)
        assert_string_equal(condition_forms[i].name, checked[i]);
}

// A form is its core: the identity of the rule is the same.
static void test_identity(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"divides(a, b - c)", "mod(b - c, a) == 0"},
        {"a == 0 or not divides(b, c)", "a == 0 or not mod(c, b) == 0"},
        {"within(0, a + b, c)", "0 <= a + b, a + b < c"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct ruleset form, core;
        const struct rule *a = rule_where(&form, pairs[i][0]), *b = rule_where(&core, pairs[i][1]);
        assert_string_equal(a->canonical, b->canonical);
        assert_string_equal(a->hash, b->hash);
        ruleset_release(&form);
        ruleset_release(&core);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"divides(a)", "`,` and another argument"}, {"divides(a, b, c)", "`)`"},
        {"divides(a, b) == 0", "found `==`"},       {"dividez(a, b)", "a function of integers"},
        {"divides(2, 4)", "needs a map"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct ruleset set;
        struct err err = {0};
        struct buf text = {0};
        buf_printf(&text,
                   "rule r { axes x; map a, b, c, n on x; tensor A[x: n] : any; where %s; "
                   "reverse(reverse(A, {x}), {x}) => A; }",
                   wrong[i][0]);
        ruleset_init(&set);
        assert_null(ruleset_add(&set, buf_text(&text), "test", &err));
        if (strstr(err.msg, wrong[i][1]) == NULL)
            fail_msg("%s: %s", wrong[i][0], err.msg);
        ruleset_release(&set);
        buf_release(&text);
    }
}

static bool count_leaf(void *context, const struct iexp *leaf)
{
    (void)leaf;
    ++*(int *)context;
    return false;
}

static const struct iexp *same(void *context, const struct iexp *expr)
{
    (void)context;
    return expr;
}

static void test_visitors(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    const struct rule *rule = rule_where(&set, "not (a + 3 <= b * c or mod(a, 7) == 2)");
    const struct cond *condition = rule->wheres[0].cond;
    int leaves = 0;
    bool mark[8] = {false};
    assert_false(cond_any(condition, count_leaf, &leaves));
    assert_int_equal(leaves, 7);
    cond_mark_maps(condition, mark);
    assert_true(mark[map_named(rule, "a")] && mark[map_named(rule, "b")]);
    assert_true(mark[map_named(rule, "c")] && !mark[map_named(rule, "n")]);
    const struct cond *copy = cond_copy(condition, &mem, same, NULL);
    struct buf a = {0}, b = {0};
    cond_print(rule, condition, &a);
    cond_print(rule, copy, &b);
    assert_string_equal(buf_text(&a), buf_text(&b));
    buf_release(&a);
    buf_release(&b);
    arena_release(&mem);
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),    cmocka_unit_test(test_every_form_is_checked),
        cmocka_unit_test(test_identity), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_visitors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
