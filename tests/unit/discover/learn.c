// SPDX-License-Identifier: Apache-2.0
// Planted attributes and preconditions are learned again; what is learned holds
// by a proof of its own; of sides that never agree nothing is learned.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "discover/generalize/generalize.h"
#include "discover/learn/experiment.h"
#include "verify/prove.h"

static const struct rule *parse(struct ruleset *set, const char *text)
{
    struct err err = {0};
    const struct rule *rule = ruleset_add(set, text, "a test", &err);
    if (rule == NULL)
        fail_msg("%s\n%s", err.msg, text);
    return rule;
}

// Every domain of the mask, by another seed and with the search after proofs.
static void assert_proved(const struct rule *rule, unsigned domains)
{
    struct prove_options options = {.domains = domains, .seed = 77, .cross_check = true};
    struct report rep = {0};
    assert_true(domains != 0);
    assert_true(prove_rule(rule, &options, &rep));
    for (uint32_t i = 0; i < rep.domains.len; i++)
        assert_int_equal(rep.domains.at[i].verdict, VERDICT_PROVED);
    report_release(&rep);
}

// The first `n` slots of the right side on the class become unknown.
static bool learn_slots(struct learner *learner, const struct rule *rule, bool solve,
                        unsigned domains, struct learned *out, const char **why)
{
    struct draft draft;
    struct draft_slot_list draft_slot_list = {0};
    uint32_t unknown[8], n = 0;
    bool positive[8];
    draft_init(&draft, rule);
    draft_slots(&draft, draft.r.rhs, 0, &draft_slot_list);
    for (uint32_t i = 0; i < draft_slot_list.len && solve && n < 4; i++) {
        uint32_t m = draft_new_map(&draft, "u", draft_slot_list.at[i].cls);
        draft_set_slot(&draft, &draft_slot_list.at[i], draft_map(&draft, m));
        positive[n] = draft_slot_list.at[i].usual == 1;
        unknown[n++] = m;
    }
    struct learn_problem problem = {.draft = &draft,
                                    .root = 0,
                                    .n_unknown = n,
                                    .unknown = unknown,
                                    .positive = positive,
                                    .domains = domains};
    bool found = learn_rule(learner, &problem, out, why);
    vec_release(&draft_slot_list);
    draft_release(&draft);
    return found;
}

static const char slices[] =
    "rule _ { axes x; map n, s, e, p, t, f, q on x; tensor A[x: n] : any;\n"
    "  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, "
    "stride=q)\n"
    "    => slice(A, start=s, limit=e, stride=p); }";

static void attributes_of_a_slice(void **state)
{
    (void)state;
    struct learner learner;
    struct learned learned;
    const char *why;
    learner_init(&learner, 1);
    const struct rule *rule = parse(&learner.set, slices);
    assert_true(learn_slots(&learner, rule, true, 1u << DOMAIN_INT, &learned, &why));
    assert_proved(learned.rule, 1u << DOMAIN_INT);
    assert_int_equal(learned.n_terms, 0);
    assert_int_equal(learned.covered, learned.good);
    assert_int_equal(learned.good, learned.points);
    assert_string_equal(learned.expr[2], "p * q");
    learner_release(&learner);
}

// Where all sizes are numbers there is nothing to learn from.
static void nothing_known(void **state)
{
    (void)state;
    struct learner learner;
    struct learned learned;
    const char *why;
    learner_init(&learner, 1);
    const struct rule *rule = parse(&learner.set, "rule _ { axes x; tensor A[x: 3] : any;\n"
                                                  "  slice(slice(A, start=1), start=1)"
                                                  " => slice(A, start=2); }");
    assert_false(learn_slots(&learner, rule, true, 1u << DOMAIN_INT, &learned, &why));
    assert_string_equal(why, "no attributes were found under which both sides agree");
    learner_release(&learner);
}

// At how many points of the lab do two preconditions of one rule differ?
static uint32_t differences(const struct rule *a, const struct rule *b)
{
    struct experiment *experiment = experiment_new(a, a->claims, 9),
                      *y = experiment_new(b, b->claims, 9);
    uint32_t n = 0;
    for (int i = 0; i < 20000; i++) {
        experiment_random(i % 2 ? experiment : y, 0);
        if (i % 2)
            assert_true(experiment_copy(y, experiment));
        else
            assert_true(experiment_copy(experiment, y));
        n += experiment_left(experiment) != experiment_left(y);
    }
    experiment_free(experiment);
    experiment_free(y);
    return n;
}

static const char windows[] = "rule _ { axes x; map n, p, w, l on x; tensor A[x: n] : num;%s\n"
                              "  reduce_window(+, pad(A, 0, low=p), size=w, low=l)\n"
                              "    => reduce_window(+, A, size=w, low=p + l); }";

static void precondition_of_a_window(void **state)
{
    (void)state;
    struct learner learner;
    struct learned learned;
    const char *why;
    char text[512];
    learner_init(&learner, 1);
    snprintf(text, sizeof text, windows, "");
    const struct rule *rule = parse(&learner.set, text);
    unsigned d = 1u << DOMAIN_INT | 1u << DOMAIN_REAL;
    assert_true(learn_slots(&learner, rule, false, d, &learned, &why));
    assert_proved(learned.rule, d);
    snprintf(text, sizeof text, windows, " where p >= 0 or l <= 0;");
    const struct rule *planted = parse(&learner.set, text);
    // As wide as the planted one, or wider by points without elements.
    assert_int_equal(differences(learned.rule, planted), 0);
    assert_non_null(learned.lost); // short windows agree by accident
    learner_release(&learner);
}

static void nothing_of_false_sketches(void **state)
{
    static const char *const sides[] = {
        "slice(A, start=s, limit=e) => -slice(A, start=s, limit=e)",
        "A + 1 => A",
        "reduce(+, A, {x}) => reduce(max, A, {x})",
        "slice(A, start=s, limit=e) => reverse(slice(A + A, start=s, limit=e), "
        "{x})",
        "reduce_window(+, A, size=s) => reduce_window(+, A * 2, size=s)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        for (int solve = 0; solve < 2; solve++) {
            struct learner learner;
            struct learned learned;
            const char *why = NULL;
            char text[512];
            learner_init(&learner, 1);
            bool uses = strchr(sides[i], 's') && strstr(sides[i], "=s");
            bool both = strstr(sides[i], "=e") != NULL;
            snprintf(text, sizeof text,
                     "rule _ { axes x rank >= 1; map n on x;%s%s "
                     "tensor A[x: n] : int; where n >= 1; %s; }",
                     uses ? " map s on x;" : "", both ? " map e on x;" : "", sides[i]);
            const struct rule *rule = parse(&learner.set, text);
            bool found = learn_slots(&learner, rule, solve, 1u << DOMAIN_INT, &learned, &why);
            // Where both sides have no element they agree.
            if (found) {
                assert_proved(learned.rule, 1u << DOMAIN_INT);
                fail_msg("%s: learned where %s", sides[i],
                         learned.n_terms ? learned.term[0] : "nothing");
            }
            assert_non_null(why);
            learner_release(&learner);
        }
}

static void narrow_becomes_wide(void **state)
{
    (void)state;
    struct learner learner;
    struct generalization general;
    struct generalize_options options = {0};
    struct err err = {0};
    learner_init(&learner, 1);
    const struct rule *rule =
        parse(&learner.set, "rule _ { axis a; map n, m, s, e on a; tensor A[a: n] : T, B[a: m] : T;"
                            " where s >= n, e == s + 1;"
                            " slice(concat(A, B, axis=a), start={a: s}, limit={a: e})"
                            " => slice(B, start={a: s - n}, limit={a: e - n}); }");
    assert_true(generalize(&learner, rule, &options, &general, &err));
    assert_true(general.best > 0);
    const struct rule *best = general.variants.at[general.best].rule;
    assert_proved(best, rule->claims);
    // Any stride, any limit, any further axes; still behind the first operand.
    assert_int_equal(best->n_classes, 2);
    assert_int_equal(best->n_wheres, 1);
    assert_int_equal(general.needs.len, 1);
    assert_non_null(general.needs.at[0].breaks);
    for (uint32_t i = 1; i < general.variants.len; i++)
        assert_true(general.variants.at[i].parent < i);
    generalization_release(&general);
    // What is false is not made wider.
    rule = parse(&learner.set, "rule _ { axes x; map n on x; tensor A[x: n] : int;"
                               " A - 1 => A; }");
    assert_false(generalize(&learner, rule, &options, &general, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    generalization_release(&general);
    learner_release(&learner);
}

// No instance of the rule as given is lost on the way.
static void no_instance_is_lost(void **state)
{
    static const char *const rules[] = {
        "map m, s on x; tensor U[x: m] : T; scalar v : T;"
        " where s >= 0, s + m <= n; dynamic_update_slice(broadcast(v, {x: n}),"
        " U, start=s) => pad(U, v, low=s, high=n - m - s, interior=0)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct learner learner;
        struct generalization general;
        struct generalize_options options = {0};
        struct err err = {0};
        char text[512];
        uint32_t inside = 0;
        learner_init(&learner, 1);
        snprintf(text, sizeof text, "rule _ { axes x; map n on x; %s; }", rules[i]);
        const struct rule *rule = parse(&learner.set, text);
        assert_true(generalize(&learner, rule, &options, &general, &err));
        const struct rule *best = general.variants.at[general.best].rule;
        assert_true(general.best > 0);
        assert_proved(best, rule->claims);
        struct experiment *experiment = experiment_new(rule, rule->claims, 12);
        struct experiment *y = experiment_new(best, rule->claims, 12);
        for (int k = 0; k < 20000; k++) {
            experiment_random(experiment, 0);
            if (!experiment_left(experiment))
                continue;
            (void)experiment_copy(y, experiment); // maps that are new keep their values
            for (uint32_t m = 0; m < best->n_maps; m++) {
                const char *name = best->maps[m].name;
                if (map_by_name(rule, name) == NONE) // strides and dilations
                    experiment_map(y, m)[0] = *name != 'i' && *name != 'l' && *name != 'h';
            }
            inside++;
            if (!experiment_left(y)) {
                struct buf buf = {0};
                experiment_print(experiment, &buf);
                fail_msg("rule %zu loses %s", i, buf_text(&buf));
            }
        }
        assert_true(inside > 200);
        experiment_free(experiment);
        experiment_free(y);
        generalization_release(&general);
        learner_release(&learner);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_of_a_slice),    cmocka_unit_test(nothing_known),
        cmocka_unit_test(precondition_of_a_window), cmocka_unit_test(nothing_of_false_sketches),
        cmocka_unit_test(narrow_becomes_wide),      cmocka_unit_test(no_instance_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
