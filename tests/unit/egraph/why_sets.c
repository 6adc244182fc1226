// SPDX-License-Identifier: Apache-2.0
// Explanations in graphs of whole rule sets (bench/terms): conditions that look
// at free variables, `else`, fresh variables, several patterns, folding.
#include "base/text/buf.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"
#include "proof/plain/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static bool fold(void *ctx, const struct plain_check_terms *terms, uint32_t a, uint32_t b)
{
    (void)ctx;
    return terms->term.at[a].n > 0 && terms->term.at[b].n == 0;
}

// Facts of the analysis are believed; what rests on a term must bring it.
static bool guard(void *ctx, const struct plain_check_terms *terms,
                  const struct plain_check_condition *condition, bool holds)
{
    uint32_t *asked = ctx;
    uint32_t other = condition->proved[0];
    uint32_t x = other == PLAIN_CHECK_NONE ? condition->arg[0] : other;
    uint32_t length = condition->name.len;
    bool rests = holds && (length == 8 || length == 6); // is_const, is_sym
    ++*asked;
    return !rests || terms->term.at[x].n == 0;
}

struct set {
    const char *rules, *terms;
    uint32_t rounds, pairs, asked; // at least
};

static void explain_some(const struct set *set, struct why *why, const struct buf *rules)
{
    struct cc *graph = why->graph;
    struct err err = {0};
    uint32_t n = 0, asked = 0;
    const struct plain_check_facts facts = {.fold = fold, .guard = guard, .ctx = &asked};
    for (uint32_t i = 0; i < graph->node.len; i += graph->node.len / 200 + 1) {
        uint32_t k = graph->next.at[i];
        if (k == i || cc_class(graph, k) != cc_class(graph, i))
            continue;
        struct why_part line;
        struct buf proof = {0}, buf = {0}, r = {0};
        uint32_t a = why_term_of(why, i), b = why_term_of(why, k);
        if (!why_explain(why, a, b, &line, &err))
            fail_msg("%s: %s", set->terms, err.msg);
        why_print(why, line.line, &proof);
        why_print_term(why, a, &buf);
        why_print_term(why, b, &r);
        if (!plain_check(rules->at, proof.at, buf.at, r.at, &facts, &err))
            fail_msg("%s: line %u: %s", set->terms, err.line, err.msg);
        buf_release(&proof);
        buf_release(&buf);
        buf_release(&r);
        n++;
    }
    assert_true(n >= set->pairs && asked >= set->asked);
}

static void explain_set(const struct set *set)
{
    struct cc graph;
    struct plain_rules p;
    struct plain_fold f;
    struct run run;
    struct why why;
    struct err err = {0};
    struct buf rules = {0}, terms = {0};
    struct u32_vec root = {0};
    enum plain_fold_kind kind;
    cc_init(&graph, true);
    plain_init(&p);
    if (!file_read(set->rules, 1 << 20, &rules, &err) ||
        !file_read(set->terms, 1 << 20, &terms, &err) ||
        !plain_read(&p, &graph, set->rules, rules.at, plain_fold_guards, &err) ||
        !plain_fold_kind_named(p.analysis, &kind, &err))
        fail_msg("%s", err.msg);
    plain_fold_init(&f, kind, &graph, &p);
    if (!plain_terms(&p, &graph, set->terms, terms.at, &root, &err))
        fail_msg("%s", err.msg);
    struct run_options options = {
        .max_rounds = set->rounds, .max_nodes = 20000, .guard = plain_fold_guard, .ctx = &f};
    run_init(&run, &graph, &p, options);
    run_rounds(&run);
    why_init(&why, &graph, &p);
    why.witness = plain_fold_witness;
    why.value = plain_fold_by_values;
    why.ctx = &f;
    if (!why_read(&why, &err))
        fail_msg("%s", err.msg);
    explain_some(set, &why, &rules);
    why_release(&why);
    run_release(&run);
    plain_fold_release(&f);
    plain_release(&p);
    cc_release(&graph);
    vec_release(&root);
    buf_release(&rules);
    buf_release(&terms);
}

static void rule_sets(void **state)
{
    (void)state;
    static const struct set set[] = {
        {"bench/terms/lambda.rules", "bench/terms/goals/lambda-compose-many.terms", 12, 50, 100},
        {"bench/terms/lambda.rules", "bench/terms/goals/lambda-if-elim.terms", 12, 10, 5},
        {"bench/terms/lambda.rules", "bench/terms/goals/lambda-repeat.terms", 12, 50, 100},
        {"bench/terms/math.rules", "bench/terms/s7.terms", 6, 100, 50},
        {"bench/terms/prop.rules", "bench/terms/prop.terms", 5, 50, 0},
    };
    for (size_t i = 0; i < sizeof set / sizeof *set; i++)
        explain_set(&set[i]);
}

// Steps between two terms after some rounds.
static uint64_t steps_of(const char *rules, const char *terms, bool values)
{
    struct cc graph;
    struct plain_rules p;
    struct plain_fold f;
    struct run run;
    struct why why;
    struct u32_vec root = {0};
    struct why_part line;
    struct err err = {0};
    enum plain_fold_kind kind;
    cc_init(&graph, true);
    plain_init(&p);
    if (!plain_read(&p, &graph, "rules", rules, plain_fold_guards, &err) ||
        !plain_fold_kind_named(p.analysis, &kind, &err))
        fail_msg("%s", err.msg);
    plain_fold_init(&f, kind, &graph, &p);
    if (!plain_terms(&p, &graph, "terms", terms, &root, &err))
        fail_msg("%s", err.msg);
    struct run_options options = {
        .max_rounds = 4, .max_nodes = 2000, .guard = plain_fold_guard, .ctx = &f};
    run_init(&run, &graph, &p, options);
    run_rounds(&run);
    why_init(&why, &graph, &p);
    why.value = values ? plain_fold_by_values : NULL;
    why.ctx = &f;
    if (!why_read(&why, &err) || !why_explain(&why, why_term_of(&why, root.at[0]),
                                              why_term_of(&why, root.at[1]), &line, &err))
        fail_msg("%s", err.msg);
    uint64_t steps = why_steps(&why, line);
    why_release(&why);
    run_release(&run);
    plain_fold_release(&f);
    plain_release(&p);
    cc_release(&graph);
    vec_release(&root);
    return steps;
}

// A node has its value by its own arguments, whatever node had it first.
static void own_values(void **state)
{
    (void)state;
    static const char rules[] = "analysis: lambda\n"
                                "comm: (+ ?a ?b) => (+ ?b ?a)\n"
                                "first: (f ?x) => (g ?x)\n"
                                "then: (g ?x) => ?x\n";
    static const char *const terms[] = {"(+ (f 1) (f 7))\n8\n", "(+ (f 7) (f 1))\n8\n"};
    uint64_t without = 0;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(steps_of(rules, terms[i], true), 5);
        without += steps_of(rules, terms[i], false);
    }
    assert_true(without > 10); // or the test shows nothing
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rule_sets), cmocka_unit_test(own_values)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
