// SPDX-License-Identifier: Apache-2.0
// Planted false rules get back what was taken from them, first of all; what is
// proposed holds by a proof of its own; rules that nothing small makes true get
// nothing; true ones are left alone.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "discover/repair/repair.h"
#include "verify/prove.h"

static const struct rule *parse(struct ruleset *set, const char *body)
{
    struct err err = {0};
    struct buf text = {0};
    buf_printf(&text, "rule _ { %s; }", body);
    const struct rule *rule = ruleset_add(set, buf_text(&text), "a test", &err);
    if (rule == NULL)
        fail_msg("%s\n%s", err.msg, buf_text(&text));
    buf_release(&text);
    return rule;
}

// By another seed, and with the search after the proofs.
static void assert_proved(const struct rule *rule, unsigned domains)
{
    struct prove_options options = {.domains = domains, .seed = 77, .cross_check = true};
    struct report rep = {0};
    assert_int_not_equal(domains, 0);
    assert_true(prove_rule(rule, &options, &rep));
    for (uint32_t i = 0; i < rep.domains.len; i++)
        assert_int_equal(rep.domains.at[i].verdict, VERDICT_PROVED);
    report_release(&rep);
}

static unsigned mask(const char *domains)
{
    static const char letters[] = "biwrf";
    unsigned m = 0;
    for (; *domains; domains++)
        m |= 1u << (strchr(letters, *domains) - letters);
    return m;
}

struct plant {
    const char *is, *was; // false; true
    const char *domains;  // in which the repaired one is proved
};

static void check(const struct plant *plant)
{
    struct learner learner;
    struct repairs out;
    struct repair_options options = {0};
    learner_init(&learner, 1);
    const struct rule *rule = parse(&learner.set, plant->is);
    const struct rule *want = parse(&learner.set, plant->was);
    repair_rule(&learner, rule, &options, &out);
    assert_false(out.is_true);
    assert_non_null(out.counterexample);
    assert_true(out.at.len > 0);
    if (strcmp(out.at.at[0].rule->hash, want->hash) != 0)
        fail_msg("%s\n%s\ninstead of\n%s", out.at.at[0].what, out.at.at[0].rule->canonical,
                 want->canonical);
    assert_int_equal(out.at.at[0].proved, mask(plant->domains));
    for (uint32_t i = 0; i < out.at.len; i++) {
        const struct repair *one = &out.at.at[i];
        assert_int_equal(one->rule->claims, one->proved);
        assert_int_equal(one->proved & one->refuted, 0);
        assert_true(i == 0 || one->cost >= out.at.at[i - 1].cost);
        if (strcmp(one->kind, "claims") != 0) // no part of what a rule is
            assert_string_not_equal(one->rule->hash, rule->hash);
        if (i < 2)
            assert_proved(one->rule, one->proved);
    }
    repairs_release(&out);
    learner_release(&learner);
}

#define X "axes x; map n on x; "

static void right_sides(void **state)
{
    static const struct plant plants[] = {
        // a comparison that is not turned
        {X "claims int; tensor A[x: n] : int; scalar c : int;"
           " -A < c => A < -c",
         X "tensor A[x: n] : int; scalar c : int; -A < c => A > -c", "i"},
        // operands exchanged
        {X "tensor P[x: n] : bool, A[x: n] : T, B[x: n] : T;"
           " select(!P, A, B) => select(P, A, B)",
         X "tensor P[x: n] : bool, A[x: n] : T, B[x: n] : T;"
           " select(!P, A, B) => select(P, B, A)",
         "biwrf"},
        // a sign lost
        {X "tensor A[x: n] : int, B[x: n] : int; A - (B + A) => B",
         X "tensor A[x: n] : int, B[x: n] : int; A - (B + A) => -B", "iw"},
        // a counted axis confused
        {"axis a, b; map m on a; map l on b; tensor A[a: m, b: l] : int;"
         " A + broadcast(iota({a: m}, axis=a), {b: l})"
         " => A + iota({a: m, b: l}, axis=b)",
         "axis a, b; map m on a; map l on b; tensor A[a: m, b: l] : int;"
         " A + broadcast(iota({a: m}, axis=a), {b: l})"
         " => A + iota({a: m, b: l}, axis=a)",
         "iw"},
        // a start that is not clamped
        {X "map m, k on x; index i on x; tensor A[x: n] : T;"
           " dynamic_slice(dynamic_slice(A, start=i, size=m), start=0, size=k)"
           " => dynamic_slice(A, start=i, size=k)",
         X "map m, k on x; index i on x; tensor A[x: n] : T;"
           " dynamic_slice(dynamic_slice(A, start=i, size=m), start=0, size=k)"
           " => dynamic_slice(A, start=clamp(i, 0, n-m), size=k)",
         "biwrf"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        check(&plants[i]);
}

static void left_sides(void **state)
{
    static const struct plant ones = {X "tensor A[x: n] : int; A & 1 => A",
                                      X "tensor A[x: n] : int; A & -1 => A", "w"};
    (void)state;
    check(&ones);
}

static void preconditions(void **state)
{
    static const struct plant plants[] = {
        {X "claims int; type T : int; tensor A[x: n] : T, B[x: n] : T,"
           " D[x: n] : T; select(B == 0, D, A) => A",
         X "type T : int; tensor A[x: n] : T, B[x: n] : T, D[x: n] : T;"
           " where all(B != 0); select(B == 0, D, A) => A",
         "i"},
        // two of them, and the weakest
        {X "claims int; scalar b : int, c : int;"
           " tensor A[x: n] : int, B[x: n] : int; b * A + c * B => A + B",
         X "scalar b : int, c : int; tensor A[x: n] : int, B[x: n] : int;"
           " where all(b == 1), all(c == 1); b * A + c * B => A + B",
         "i"},
        // the weakest of several: the least integer has no opposite
        {X "claims word; tensor A[x: n] : sint;"
           " abs(A) >= 0 => broadcast(true, {x: n})",
         X "claims word; tensor A[x: n] : sint; where all(A != lowest);"
           " abs(A) >= 0 => broadcast(true, {x: n})",
         "w"},
        // on maps
        {X "claims int; map p, w, l on x; tensor A[x: n] : int;"
           " reduce_window(+, pad(A, 0, low=p), size=w, low=l)"
           " => reduce_window(+, A, size=w, low=p+l)",
         X "map p, w, l on x; tensor A[x: n] : int; where p >= 0 or l <= 0;"
           " reduce_window(+, pad(A, 0, low=p), size=w, low=l)"
           " => reduce_window(+, A, size=w, low=p+l)",
         "i"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        check(&plants[i]);
}

static void operands_and_claims(void **state)
{
    static const struct plant plants[] = {
        // the pattern never compared its operands
        {X "claims real; tensor A[x: n] : float, B[x: n] : float;"
           " where all(A >= 0), all(B >= 0); sqrt(A) * sqrt(B) => A",
         X "tensor A[x: n] : float; where all(A >= 0); sqrt(A) * sqrt(A) => A", "r"},
        {X "claims float; tensor A[x: n] : float; log(exp(A)) => A",
         X "claims real; tensor A[x: n] : float; log(exp(A)) => A", "r"},
        // attributes solved anew
        {X "claims int; map p, l on x; tensor A[x: n] : int;"
           " where p >= 0, l >= 0;"
           " pad(pad(A, 0, low=p), 0, low=l) => pad(A, 0, low=p)",
         X "map p, l on x; tensor A[x: n] : int; where p >= 0, l >= 0;"
           " pad(pad(A, 0, low=p), 0, low=l) => pad(A, 0, low=p + l)",
         "i"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof plants / sizeof *plants; i++)
        check(&plants[i]);
}

// max(0, p - l) is p - l under the preconditions.
static void clamps_that_do_nothing_go(void **state)
{
    static const struct plant one = {
        X "claims int; map p, l on x; tensor A[x: n] : int;"
          " where 0 <= l, l <= p; slice(pad(A, 0, low=p), start=l, limit=n + p)"
          " => pad(A, 0, low=max(0, l - p))",
        X "map p, l on x; tensor A[x: n] : int; where 0 <= l, l <= p;"
          " slice(pad(A, 0, low=p), start=l, limit=n + p)"
          " => pad(A, 0, low=p - l)",
        "i"};
    (void)state;
    check(&one);
}

// A tensor of one value, or an axis of one element, costs more than anything
// else; and no side is the other one with a renaming undone.
static void little_comes_last(void **state)
{
    static const char *const rules[] = {
        X "claims word; tensor A[x: n] : uint; A + A => A",
        "axes x; axes y like x; map n on x; claims int; tensor A[x: n] : int;"
        " broadcast(A, {y: n}) => relabel(broadcast(A, {y: n}), {x <-> y})",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct learner learner;
        struct repairs out;
        bool found = false;
        struct repair_options options = {0};
        learner_init(&learner, 1);
        repair_rule(&learner, parse(&learner.set, rules[i]), &options, &out);
        assert_true(out.at.len > 0);
        for (uint32_t k = 0; k < out.at.len; k++)
            if (strstr(out.at.at[k].kind, "precondition on") != NULL) {
                found = true;
                if (out.at.at[k].cost < 16)
                    fail_msg("%s: %s", rules[i], out.at.at[k].what);
            }
        assert_true(found);
        repairs_release(&out);
        learner_release(&learner);
    }
}

// What no small change makes true, or only one that says nothing: an
// unsatisfiable precondition, the left side again, NaN on both sides.
static void nothing_is_proposed(void **state)
{
    static const char *const rules[] = {
        X "claims real; tensor A[x: n] : float; exp(A) => log(A)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct learner learner;
        struct repairs out;
        struct repair_options options = {0};
        learner_init(&learner, 1);
        const struct rule *rule = parse(&learner.set, rules[i]);
        repair_rule(&learner, rule, &options, &out);
        assert_false(out.is_true);
        assert_int_not_equal(out.n_candidates, 0);
        if (out.at.len > 0)
            fail_msg("%s: %s", rules[i], out.at.at[0].what);
        repairs_release(&out);
        learner_release(&learner);
    }
}

static void true_rules_are_left_alone(void **state)
{
    struct learner learner;
    struct repairs out;
    struct repair_options options = {0};
    (void)state;
    learner_init(&learner, 1);
    repair_rule(&learner, parse(&learner.set, X "tensor A[x: n] : int; -(-A) => A"), &options,
                &out);
    assert_true(out.is_true);
    assert_null(out.counterexample);
    assert_int_equal(out.at.len, 0);
    repairs_release(&out);
    learner_release(&learner);
}

static void equal_seeds_equal_answers(void **state)
{
    char *first = NULL;
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct learner learner;
        struct repairs out;
        struct repair_options options = {0};
        struct buf buf = {0};
        learner_init(&learner, 5);
        repair_rule(&learner,
                    parse(&learner.set, X "claims int; tensor A[x: n] : int,"
                                          " B[x: n] : int; A - (B + A) => B"),
                    &options, &out);
        for (uint32_t i = 0; i < out.at.len; i++)
            buf_printf(&buf, "%s %s %.6f\n", out.at.at[i].rule->hash, out.at.at[i].what,
                       out.at.at[i].cost);
        buf_printf(&buf, "%u %u", out.n_candidates, out.n_proofs);
        assert_true(out.at.len > 0);
        char *text = buf_detach(&buf);
        if (run == 0)
            first = text;
        else
            assert_string_equal(first, text);
        if (run > 0)
            mem_free(text);
        repairs_release(&out);
        learner_release(&learner);
    }
    mem_free(first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_sides),
        cmocka_unit_test(left_sides),
        cmocka_unit_test(preconditions),
        cmocka_unit_test(operands_and_claims),
        cmocka_unit_test(clamps_that_do_nothing_go),
        cmocka_unit_test(little_comes_last),
        cmocka_unit_test(nothing_is_proposed),
        cmocka_unit_test(true_rules_are_left_alone),
        cmocka_unit_test(equal_seeds_equal_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
