// SPDX-License-Identifier: Apache-2.0
// tests/wrong/least_types.rw: no counterexample with earlier element types or smaller map values
// exists, whose elements are simple.  Here the types are ordered by a table of their own, and
// instances, types, operators and elements are counted through.  Run in the root of the repository;
// arguments name other files, of whose rules some may be true.
#include "verify/counterexample/json.h"
#include "verify/counterexample/order.h"
#include "verify/counterexample/search.h"
#include "verify/counterexample/values.h"
#include "verify/obligations/element_types.h"
#include "verify/prove.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <jansson.h>
#include <cmocka.h>

#define MOST_TYPES 12
#define MOST_ELEMENTS 8
#define MOST_VECTORS 20000 // of one choice of types
#define FEW_STEPS 50000

static const enum elem integers[] = {ELEM_I8, ELEM_UI8, ELEM_I32, ELEM_UI32, ELEM_I2,  ELEM_UI2,
                                     ELEM_I4, ELEM_UI4, ELEM_I16, ELEM_UI16, ELEM_I64, ELEM_UI64};
static const enum elem floats[] = {ELEM_F32, ELEM_F16, ELEM_BF16, ELEM_F64};

struct brute {
    const struct rule *rule;
    struct arena mem, scratch;
    struct cex_evaluator evaluator;
    struct cex_case *found, *now;
    uint32_t n[MOST_TYPES];
    enum elem choice[MOST_TYPES][12];
    uint32_t found_place[MOST_TYPES];
    uint64_t cases;
    bool sums; // addends instead of the simple values
};

static void list_types(struct brute *brute, uint32_t type)
{
    unsigned kinds = elem_kind(brute->found->elem[type]);
    bool is_float = kinds == KIND_FLOAT;
    brute->choice[type][0] = brute->found->elem[type];
    brute->n[type] = kinds == KIND_BOOL;
    const enum elem *all = is_float ? floats : integers;
    for (uint32_t i = 0; i < (is_float ? 4 : 12); i++)
        if (cex_elem_fits(brute->rule, type, brute->found->domain, false, all[i])) {
            if (all[i] == brute->found->elem[type])
                brute->found_place[type] = brute->n[type];
            brute->choice[type][brute->n[type]++] = all[i];
        }
}

// Elements by counting: all values if there are few vectors, else the first ones of each element.
static bool vectors_fail(struct brute *brute)
{
    struct cex_case *now = brute->now;
    struct cex_simple simple[MOST_ELEMENTS];
    struct scalar *at[MOST_ELEMENTS];
    uint32_t place[MOST_ELEMENTS] = {0}, n = 0, each = 1;
    for (uint32_t i = 0; i < brute->evaluator.n_params; i++)
        for (uint64_t k = 0; k < now->param[i].count; k++, n++) {
            if (n == MOST_ELEMENTS)
                return false;
            enum elem elem = type_elem(&brute->evaluator.pool, brute->evaluator.types[i]);
            (brute->sums ? cex_addends : cex_simple_values)(brute->rule, elem, false, &simple[n]);
            at[n] = &now->param[i].at[k];
        }
    for (uint64_t all = 1; n > 0 && all <= MOST_VECTORS; each++) {
        all = 1;
        for (uint32_t i = 0; i < n; i++)
            all *= each + 1 < simple[i].n ? each + 1 : simple[i].n;
        if (each > 64)
            break;
    }
    for (uint32_t i = 0; i < n; i++) {
        // The simplest values and the special ones by turns.
        struct cex_simple old = simple[i];
        for (uint32_t k = 0; k < old.n && !brute->sums; k++)
            simple[i].at[k] = old.at[k % 2 == 0 ? k / 2 : old.n - 1 - k / 2];
        simple[i].n = each < old.n ? each : old.n;
    }
    for (;;) {
        struct cex_outcome outcome;
        uint32_t i = 0;
        for (uint32_t k = 0; k < n; k++)
            *at[k] = simple[k].at[place[k]];
        brute->cases++;
        if (cex_evaluator_run(&brute->evaluator, now, &outcome) > CEX_DISCARD)
            return true;
        while (i < n && ++place[i] == simple[i].n)
            place[i++] = 0;
        if (i == n)
            return false;
    }
}

static bool filled_fails(struct brute *brute)
{
    arena_reset(&brute->scratch, (struct arena_mark){0});
    for (uint32_t i = 0; i < brute->evaluator.n_params; i++)
        brute->now->param[i] = (struct cex_values){0};
    return cex_evaluator_ground(&brute->evaluator, brute->now, &brute->scratch) &&
           brute->evaluator.lack == CEX_LACKS_NOTHING && vectors_fail(brute);
}

// All operators of the variables from `at` on that the types allow.
static bool ops_fail(struct brute *brute, uint32_t at)
{
    const struct rule *rule = brute->rule;
    struct cex_case *now = brute->now;
    if (at == rule->n_opvars)
        return filled_fails(brute);
    const struct op_var *opvar = &rule->opvars[at];
    enum elem arg = now->elem[opvar->n_args > 0 ? opvar->args[0] : opvar->result];
    for (uint32_t k = 0; k < N_OPS; k++) {
        now->op[at] = (struct cex_op){(enum op)k, CMP_LT, compare_type_of(arg)};
        if (cex_op_fits(rule, &brute->evaluator, now, at, &now->op[at]) && ops_fail(brute, at + 1))
            return true;
    }
    return false;
}

static bool case_fails(struct brute *brute)
{
    return element_types_agree(brute->rule, brute->now->elem) && ops_fail(brute, 0);
}

// All types of the variables from `at` on.  With `before`, only those before the types found.
static bool types_fail(struct brute *brute, uint32_t at, uint32_t *place, bool before)
{
    uint32_t sum = 0, found = 0;
    if (at < brute->rule->n_types) {
        for (place[at] = 0; place[at] < brute->n[at]; place[at]++)
            if (types_fail(brute, at + 1, place, before))
                return true;
        return false;
    }
    int order = 0; // of the first type that differs
    for (uint32_t i = 0; i < at; i++) {
        sum += place[i];
        found += brute->found_place[i];
        if (order == 0)
            order = (place[i] > brute->found_place[i]) - (place[i] < brute->found_place[i]);
        brute->now->elem[i] = brute->choice[i][place[i]];
    }
    if (before && (sum > found || (sum == found && order >= 0)))
        return false;
    return case_fails(brute);
}

static bool any_types_fail(struct brute *brute, bool before)
{
    uint32_t place[MOST_TYPES];
    brute->sums = false;
    if (types_fail(brute, 0, place, before))
        return true;
    for (uint32_t i = 0; i < brute->rule->n_types; i++)
        brute->now->elem[i] = brute->found->elem[i];
    brute->sums = true;
    return !before && case_fails(brute);
}

// All values of the maps from `m` on that weigh `left` together, of the same ranks.
static bool maps_fail(struct brute *brute, uint32_t m, uint32_t i, int64_t left)
{
    const struct rule *rule = brute->rule;
    if (m == rule->n_maps)
        return left == 0 && any_types_fail(brute, false);
    if (i == brute->found->rank[rule->maps[m].cls])
        return maps_fail(brute, m + 1, 0, left);
    for (int64_t v = -left; v <= left; v++) {
        brute->now->map[m][i] = v;
        if (maps_fail(brute, m, i + 1, left - (v < 0 ? -v : v)))
            return true;
    }
    return false;
}

static void brute_init(struct brute *brute, const struct rule *rule, enum domain domain,
                       const char *json)
{
    json_t *root = json_loads(json, 0, NULL);
    struct cex_hint hint;
    *brute = (struct brute){.rule = rule};
    assert_true(cex_hint_of(rule, json, &brute->mem, &hint));
    assert_true(rule->n_types <= MOST_TYPES);
    struct cex_case *found = cex_case_new(rule, &brute->mem);
    found->domain = domain;
    for (uint32_t c = 0; c < rule->n_classes; c++)
        found->rank[c] = hint.rank[c];
    cex_case_maps(rule, found, &brute->mem);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < found->rank[rule->maps[m].cls]; i++)
            found->map[m][i] = hint.map[m][i];
    for (uint32_t i = 0; i < rule->n_types; i++) {
        char name[16];
        const char *text = json_string_value(
            json_object_get(json_object_get(root, "types"), cex_type_name(rule, i, name)));
        assert_true(elem_by_text(text, strlen(text), &found->elem[i]));
    }
    brute->found = found;
    brute->now = cex_case_copy(rule, found, &brute->mem);
    for (uint32_t i = 0; i < rule->n_types; i++)
        list_types(brute, i);
    cex_evaluator_init(&brute->evaluator, rule);
    json_decref(root);
}

static const char *what_fails(struct brute *brute)
{
    const struct rule *rule = brute->rule;
    int64_t weight = cex_case_weight(rule, brute->found);
    for (int64_t w = 0; w < weight; w++)
        if (maps_fail(brute, 0, 0, w))
            return "smaller map values fail";
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t i = 0; i < brute->found->rank[rule->maps[m].cls]; i++)
            brute->now->map[m][i] = brute->found->map[m][i];
    return any_types_fail(brute, true) ? "earlier element types fail" : NULL;
}

static uint32_t check_rule(const struct rule *rule, uint64_t *cases, uint32_t *refutations)
{
    struct prove_options options = {.domains = rule->claims, .rlimit = FEW_STEPS};
    struct report report = {0};
    uint32_t bad = 0, refuted = 0;
    prove_rule(rule, &options, &report);
    for (uint32_t i = 0; i < report.domains.len; i++) {
        const struct domain_report *one = &report.domains.at[i];
        struct brute brute;
        if (one->verdict != VERDICT_REFUTED ||
            (one->domain != DOMAIN_WORD && one->domain != DOMAIN_FLOAT))
            continue;
        refuted++;
        brute_init(&brute, rule, one->domain, one->counterexample);
        const char *why = what_fails(&brute);
        *cases += brute.cases;
        bad += why != NULL;
        if (why != NULL)
            print_message("%s in %s: %s: %s\n", rule->name, domain_text(one->domain), why,
                          one->counterexample);
        cex_evaluator_release(&brute.evaluator);
        arena_release(&brute.scratch);
        arena_release(&brute.mem);
    }
    *refutations += refuted > 0;
    report_release(&report);
    return bad;
}

// The number of rules whose counterexample is not the least one.
static uint32_t check_file(const char *file, uint64_t *cases, uint32_t *refutations)
{
    struct ruleset set;
    struct err_list errs = {0};
    uint32_t bad = 0;
    ruleset_init(&set);
    assert_true(ruleset_load(&set, file, &errs));
    vec_release(&errs.at);
    for (uint32_t i = 0; i < set.rules.len; i++)
        bad += check_rule(set.rules.at[i], cases, refutations);
    ruleset_release(&set);
    return bad;
}

static void test_types(void **state)
{
    uint64_t cases = 0;
    uint32_t refutations = 0;
    (void)state;
    assert_int_equal(check_file("tests/wrong/least_types.rw", &cases, &refutations), 0);
    print_message("%llu cases before the counterexamples\n", (unsigned long long)cases);
    assert_true(refutations >= 23);
    assert_true(cases > 100000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types)};
    uint64_t cases = 0;
    uint32_t refutations = 0, bad = 0;
    for (int i = 1; i < argc; i++)
        bad += check_file(argv[i], &cases, &refutations);
    if (argc > 1)
        print_message("%u rules refuted, %llu cases before\n", refutations,
                      (unsigned long long)cases);
    return argc > 1 ? bad > 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
