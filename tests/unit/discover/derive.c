// SPDX-License-Identifier: Apache-2.0
// Rules that follow from others, and near misses that do not.
#include "discover/derive/derive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

static const char base_text[] =
    "rule comm { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;\n"
    "  A + B => B + A; }\n"
    "rule assoc { axes x; map n on x; type T : num;\n"
    "  tensor A[x: n] : T, B[x: n] : T, C[x: n] : T;\n"
    "  (A + B) + C => A + (B + C); }\n"
    "rule zero { axes x; map n on x; claims int, word, real;\n"
    "  tensor A[x: n] : num; A + 0 => A; }\n"
    "rule self { axes x; map n on x; claims real; tensor A[x: n] : real;\n"
    "  where all(A != 0); A / A => 1; }\n"
    "rule signed_abs { axes x; map n on x; claims word;\n"
    "  tensor A[x: n] : sint; max(A, 0) => A - min(A, 0); }\n"
    "rule bools { axes x; map n on x; tensor A[x: n] : bool; A + A => A; }\n"
    "rule big { axes x; map n on x; tensor A[x: n] : num;\n"
    "  claims int, word; A * A => A * 100; }\n"
    "rule big_back { axes x; map n on x; tensor A[x: n] : num;\n"
    "  claims int, word; A * 100 => A; }\n"
    "rule slices { axes x; map n, s, e, p, t, f, q on x; tensor A[x: n] : "
    "any;\n"
    "  slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, "
    "stride=q)\n"
    "  => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q); }\n"
    "rule turns { axes x; map n on x; tensor A[x: n] : any;\n"
    "  reverse(reverse(A, {x}), {x}) => A; }\n";

struct world {
    struct arena mem;
    struct ruleset base, goals;
    struct derive_base *in[N_DOMAINS];
};

static void world_init(struct world *world)
{
    struct err_list errs = {0};
    *world = (struct world){0};
    ruleset_init(&world->base);
    ruleset_init(&world->goals);
    if (!ruleset_parse(&world->base, base_text, sizeof base_text - 1, "base", &errs))
        fail_msg("%u:%u %s", errs.at.at[0].line, errs.at.at[0].col, errs.at.at[0].msg);
    for (uint32_t d = 0; d < N_DOMAINS; d++) {
        world->in[d] = derive_base_new((enum domain)d, &world->mem);
        for (uint32_t i = 0; i < world->base.rules.len; i++)
            derive_add(world->in[d], world->base.rules.at[i],
                       (struct rule_status){.proved = world->base.rules.at[i]->claims});
    }
}

static void world_release(struct world *world)
{
    for (uint32_t d = 0; d < N_DOMAINS; d++)
        derive_base_free(world->in[d]);
    ruleset_release(&world->base);
    ruleset_release(&world->goals);
    arena_release(&world->mem);
}

static struct derive_answer ask(struct world *world, enum domain domain, const char *body,
                                struct derive_options options)
{
    struct derive_answer answer;
    struct err err = {0};
    char text[1024];
    snprintf(text, sizeof text, "rule _ { %s }", body);
    const struct rule *rule = ruleset_add(&world->goals, text, "goal", &err);
    if (rule == NULL)
        fail_msg("%s: %s", body, err.msg);
    derive_goal(world->in[domain], rule, &options, &world->mem, &answer);
    return answer;
}

static bool uses(const struct world *world, const struct derive_answer *answer, const char *name)
{
    for (uint32_t i = 0; i < answer->n_used; i++)
        if (strcmp(world->base.rules.at[answer->used[i]]->name, name) == 0)
            return true;
    return false;
}

#define THREE                                                                                      \
    "axes x; map n on x; type T : num; tensor A[x: n] : T, B[x: n] : T, "                          \
    "C[x: n] : T; "
#define REAL "axes x; map n on x; claims real; tensor A[x: n] : real; "

static void terms(void **state)
{
    struct world world;
    struct derive_options options = derive_defaults();
    (void)state;
    world_init(&world);
    struct derive_answer answer =
        ask(&world, DOMAIN_INT, THREE "A + (B + C) => C + (A + B);", options);
    assert_int_equal(answer.status, DERIVE_YES);
    assert_int_equal(answer.method, DERIVE_TERMS);
    assert_int_equal(answer.n_used, 2);
    assert_true(uses(&world, &answer, "comm") && uses(&world, &answer, "assoc"));
    // From the left side alone: what is used is told all the same.
    options.lhs_only = true;
    answer = ask(&world, DOMAIN_INT, THREE "A + (B + C) => C + (A + B);", options);
    assert_int_equal(answer.status, DERIVE_YES);
    assert_true(uses(&world, &answer, "comm"));
    answer = ask(&world, DOMAIN_INT,
                 "axes x; map n on x; tensor A[x: n] : num; "
                 "A + A => A + (A + 0);",
                 options);
    assert_int_equal(answer.status, DERIVE_NO); // nothing makes 0 of the left side
    options.lhs_only = false;
    answer = ask(&world, DOMAIN_INT,
                 "axes x; map n on x; tensor A[x: n] : num; "
                 "A + A => A + (A + 0);",
                 options);
    assert_int_equal(answer.status, DERIVE_YES);
    // The claim of `zero` leaves out floats, whose zeros have signs.
    answer = ask(&world, DOMAIN_FLOAT,
                 "axes x; map n on x; tensor A[x: n] : float; "
                 "A + A => A + (A + 0);",
                 options);
    assert_int_equal(answer.status, DERIVE_NO);
    answer = ask(&world, DOMAIN_INT, THREE "A + (B + C) => C + (A + A);", options);
    assert_int_equal(answer.status, DERIVE_NO);
    world_release(&world);
}

static void conditions(void **state)
{
    struct world world;
    struct derive_options options = derive_defaults();
    (void)state;
    world_init(&world);
    struct derive_answer answer =
        ask(&world, DOMAIN_REAL, REAL "where all(A != 0); A / A + 0 => 1;", options);
    assert_int_equal(answer.status, DERIVE_YES);
    assert_true(uses(&world, &answer, "self"));
    assert_int_equal(ask(&world, DOMAIN_REAL, REAL "A / A + 0 => 1;", options).status, DERIVE_NO);
    assert_int_equal(
        ask(&world, DOMAIN_REAL, REAL "where all(A != 1); A / A => 1;", options).status, DERIVE_NO);
    // The condition is given of A and not of another tensor.
    assert_int_equal(ask(&world, DOMAIN_REAL,
                         "axes x; map n on x; claims real; tensor A[x: n] : "
                         "real, B[x: n] : real; where all(A != 0); A + B / B "
                         "=> A + 1;",
                         options)
                         .status,
                     DERIVE_NO);
    // Instances have no way to assume it.
    options.method = DERIVE_INSTANCES;
    answer = ask(&world, DOMAIN_REAL, REAL "where all(A != 0); A / A + 0 => 1;", options);
    assert_int_equal(answer.status, DERIVE_UNKNOWN);
    assert_non_null(answer.reason);
    world_release(&world);
}

// What holds of one sort of elements is not used for another.
static void sorts(void **state)
{
    struct world world;
    struct derive_options options = derive_defaults();
    (void)state;
    world_init(&world);
    options.method = DERIVE_TERMS;
    assert_int_equal(ask(&world, DOMAIN_WORD,
                         "axes x; map n on x; claims word; "
                         "tensor A[x: n] : sint; max(A, 0) + 0 => A - min(A, 0);",
                         options)
                         .status,
                     DERIVE_YES);
    assert_int_equal(ask(&world, DOMAIN_WORD,
                         "axes x; map n on x; claims word; "
                         "tensor A[x: n] : int; max(A, 0) + 0 => A - min(A, 0);",
                         options)
                         .status,
                     DERIVE_NO);
    assert_int_equal(ask(&world, DOMAIN_BOOL,
                         "axes x; map n on x; "
                         "tensor A[x: n] : bool; (A + A) + A => A;",
                         options)
                         .status,
                     DERIVE_YES);
    assert_int_equal(ask(&world, DOMAIN_INT,
                         "axes x; map n on x; "
                         "tensor A[x: n] : num; (A + A) + A => A;",
                         options)
                         .status,
                     DERIVE_NO);
    // A step over a constant that narrow words have not.
    assert_int_equal(ask(&world, DOMAIN_INT,
                         "axes x; map n on x; "
                         "tensor A[x: n] : num; A * A => A;",
                         options)
                         .status,
                     DERIVE_YES);
    assert_int_equal(ask(&world, DOMAIN_WORD,
                         "axes x; map n on x; "
                         "tensor A[x: n] : num; A * A => A;",
                         options)
                         .status,
                     DERIVE_NO);
    // Two shapes.
    struct derive_answer answer = ask(&world, DOMAIN_INT,
                                      "axes x; map n, m on x; "
                                      "tensor A[x: n] : num; A + 0 => "
                                      "A + broadcast(0, {x: m});",
                                      options);
    assert_int_equal(answer.status, DERIVE_UNKNOWN);
    world_release(&world);
}

#define SLICES "axes x; map n, s, e, t, f, u, g on x; tensor A[x: n] : any; "
static void instances(void **state)
{
    struct world world;
    struct derive_options options = derive_defaults();
    (void)state;
    world_init(&world);
    struct derive_answer answer =
        ask(&world, DOMAIN_REAL,
            SLICES "slice(slice(slice(A, start=s, limit=e), start=t, limit=f), start=u, "
                   "limit=g) => slice(A, start=s+t+u, limit=s+t+g);",
            options);
    assert_int_equal(answer.status, DERIVE_YES);
    assert_int_equal(answer.method, DERIVE_INSTANCES);
    assert_true(answer.instances >= options.instances);
    assert_true(uses(&world, &answer, "slices") && answer.n_used == 1);
    // True, but not by these rules.
    answer = ask(&world, DOMAIN_REAL,
                 "axes x; map n, s, e on x; tensor A[x: n] : any; "
                 "slice(reverse(A, {x}), start=s, limit=e) => "
                 "reverse(slice(A, start=n-e, limit=n-s), {x});",
                 options);
    assert_int_equal(answer.status, DERIVE_NO);
    assert_non_null(answer.at);
    answer = ask(&world, DOMAIN_REAL,
                 "axes x; map n, s, e on x; tensor A[x: n] : any; "
                 "reverse(slice(reverse(reverse(A, {x}), {x}), start=s, limit=e), "
                 "{x}) => reverse(slice(A, start=s, limit=e), {x});",
                 options);
    assert_int_equal(answer.status, DERIVE_YES);
    // False, and only where attributes do not coincide.
    answer = ask(&world, DOMAIN_REAL,
                 SLICES "slice(slice(slice(A, start=s, limit=e), start=t, limit=f), "
                        "start=u, limit=g) => slice(A, start=s+t+u, limit=s+g+t*(g-u));",
                 options);
    assert_int_not_equal(answer.status, DERIVE_YES);
    // A limit is told from an answer.
    options.max_nodes = 4;
    answer = ask(&world, DOMAIN_REAL,
                 SLICES "slice(slice(slice(A, start=s, limit=e), start=t, limit=f), "
                        "start=u, limit=g) => slice(A, start=s+t+u, limit=s+t+g);",
                 options);
    assert_int_equal(answer.status, DERIVE_LIMIT);
    world_release(&world);
}

static void left_out(void **state)
{
    struct world world;
    struct derive_options options = derive_defaults();
    bool without[16] = {false};
    (void)state;
    world_init(&world);
    // A rule does not prove itself.
    struct derive_answer answer = ask(&world, DOMAIN_INT,
                                      "axes z; map m on z; tensor B[z: m] : num, "
                                      "A[z: m] : num; B + A => A + B;",
                                      options);
    assert_true(answer.same);
    assert_int_equal(answer.status, DERIVE_NO);
    options.without = without;
    without[0] = true; // comm
    assert_int_equal(ask(&world, DOMAIN_INT, THREE "A + (B + C) => C + (A + B);", options).status,
                     DERIVE_NO);
    world_release(&world);
}

static void minimal(void **state)
{
    static const char more[] = "rule three { axes x; map n on x; type T : num;\n"
                               "  tensor A[x: n] : T, B[x: n] : T, C[x: n] : T;\n"
                               "  A + (B + C) => C + (A + B); }\n"
                               "rule comm_again { axes y; map n on y; tensor A[y: n] : num, "
                               "B[y: n] : num; A + B => B + A; }\n"
                               "rule zero_left { axes x; map n on x; claims int, word, real;\n"
                               "  tensor A[x: n] : num; 0 + A => A; }\n";
    struct world world;
    struct ruleset set;
    struct err_list errs = {0};
    bool needed[16];
    struct derive_options options = derive_defaults();
    (void)state;
    world_init(&world);
    ruleset_init(&set);
    assert_true(ruleset_parse(&set, more, sizeof more - 1, "more", &errs));
    for (uint32_t i = 0; i < 3; i++)
        derive_add(world.in[DOMAIN_INT], set.rules.at[i],
                   (struct rule_status){.proved = set.rules.at[i]->claims});
    derive_minimal(world.in[DOMAIN_INT], &options, needed);
    uint32_t n = world.base.rules.len;
    assert_true(needed[0] && needed[1] && needed[2]);
    assert_false(needed[n] || needed[n + 1] || needed[n + 2]);
    assert_true(needed[8] && needed[9]);
    ruleset_release(&set);
    world_release(&world);
}

// Of a chain of steps each is left out by itself; together they are too far.
static void minimal_within_limits(void **state)
{
    static const char *const sides[][2] = {{"sine", "cosine"}, {"cosine", "tanh"}, {"tanh", "exp"},
                                           {"exp", "log"},     {"sine", "tanh"},   {"sine", "log"}};
    enum { N = 6 };
    struct derive_options options = derive_defaults();
    struct arena mem = {0};
    struct ruleset set;
    struct err err = {0};
    bool needed[N], without[N];
    (void)state;
    options.max_rounds = 3;
    ruleset_init(&set);
    struct derive_base *base = derive_base_new(DOMAIN_REAL, &mem);
    for (uint32_t i = 0; i < N; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "rule _ { axes x; map n on x; claims real; "
                 "tensor A[x: n] : real; %s(A) => %s(A); }",
                 sides[i][0], sides[i][1]);
        const struct rule *rule = ruleset_add(&set, text, "chain", &err);
        if (rule == NULL)
            fail_msg("%s: %s", text, err.msg);
        derive_add(base, rule, (struct rule_status){.proved = rule->claims});
    }
    derive_minimal(base, &options, needed);
    for (uint32_t i = 0; i < 4; i++)
        assert_true(needed[i]);
    assert_true(needed[4] != needed[5]); // one of them makes the way shorter
    for (uint32_t i = 0; i < N; i++)
        without[i] = !needed[i];
    options.without = without;
    for (uint32_t i = 0; i < N; i++) {
        struct derive_answer answer;
        if (needed[i])
            continue;
        derive_goal(base, derive_rule(base, i), &options, &mem, &answer);
        assert_int_equal(answer.status, DERIVE_YES);
    }
    derive_base_free(base);
    ruleset_release(&set);
    arena_release(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms),
        cmocka_unit_test(conditions),
        cmocka_unit_test(sorts),
        cmocka_unit_test(instances),
        cmocka_unit_test(left_out),
        cmocka_unit_test(minimal),
        cmocka_unit_test(minimal_within_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
