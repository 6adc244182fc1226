// SPDX-License-Identifier: Apache-2.0
// From a pair of programs to a rule: what is printed is proved by a proof of its own, the pair is
// an instance of it, and sizes of the pair do not stand in it; of pairs that are not equal nothing
// is learned.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "discover/examples/examples.h"
#include "discover/examples/match.h"
#include "io/program/program.h"
#include "verify/prove.h"

struct learned_pair {
    struct pool pool;
    struct program program;
    struct learner learner;
    struct example example;
    struct example_rule found;
};

// The two functions of the text, whose parameters are made equal by the text's own order.
static void learn(struct learned_pair *pair, const char *params, const char *type,
                  const char *before, const char *after)
{
    struct buf text = {0};
    struct err err = {0};
    buf_printf(&text, "func.func @main(%s) -> (%s, %s) {\n%s\n%s\n  return %%b, %%a : %s, %s\n}\n",
               params, type, type, before, after, type, type);
    pool_init(&pair->pool);
    program_init(&pair->program, &pair->pool);
    if (!program_text_read(buf_text(&text), text.len, "a test", &pair->program, &err))
        fail_msg("%s:%u: %s\n%s", err.file, err.line, err.msg, buf_text(&text));
    buf_release(&text);
    const struct function *function = &pair->program.functions.at[0];
    example_start(&pair->example, &pair->program, function->results.at[0].term,
                  function->results.at[1].term);
    learner_init(&pair->learner, 1);
    learn_example(&pair->learner, &pair->example, &pair->found);
}

static void release(struct learned_pair *pair)
{
    example_rule_release(&pair->found);
    learner_release(&pair->learner);
    program_release(&pair->program);
    pool_release(&pair->pool);
}

static void assert_rule(struct learned_pair *pair, const char *const *without)
{
    struct prove_options options = {.domains = pair->found.proved, .seed = 77, .cross_check = true};
    struct report rep = {0};
    struct buf text = {0};
    if (pair->found.answer != EXAMPLE_RULE)
        fail_msg("%s", pair->found.why);
    assert_int_equal(
        example_matches(&pair->example, pair->found.rule, example_rule_status(&pair->found)),
        MATCH_PAIR);
    assert_true(prove_rule(pair->found.rule, &options, &rep));
    for (uint32_t i = 0; i < rep.domains.len; i++)
        assert_int_equal(rep.domains.at[i].verdict, VERDICT_PROVED);
    rule_print(pair->found.rule, &text);
    for (uint32_t i = 0; without[i] != NULL; i++)
        assert_null(strstr(buf_text(&text), without[i]));
    buf_release(&text);
    report_release(&rep);
}

#define T(d) "tensor<" d "xf32>"

static void padding_before_joined(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("5x17") ", %y: " T("3x17") ", %v: tensor<f32>", T("12x17"),
          "  %s = stablehlo.broadcast_in_dim %v, dims = [] : (tensor<f32>) -> " T(
              "4x17") "\n"
                      "  %b = stablehlo.concatenate %s, %x, %y, dim = 0 : (" T("4x17") ", " T(
                          "5x17") ", " T("3x17") ") -> " T("12x17"),
          "  %c = stablehlo.concatenate %x, %y, dim = 0 : (" T("5x17") ", " T("3x17") ") -> " T(
              "8x17") "\n"
                      "  %a = stablehlo.pad %c, %v, low = [4, 0], high = [0, 0], interior = [0, 0] "
                      ": (" T("8x17") ", tensor<f32>) -> " T("12x17"));
    assert_rule(&pair, (const char *const[]){"17", "12", "5", "8", NULL});
    assert_int_equal(pair.found.proved & 1u << DOMAIN_FLOAT, 1u << DOMAIN_FLOAT);
    assert_int_equal(pair.found.rule->n_wheres, 0);
    release(&pair);
}

// At one element a reverse does nothing; the rule must not hold for two.
static void reverse_of_one(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("1x9"), T("1x9"),
          "  %n = stablehlo.negate %x : " T("1x9") "\n"
                                                   "  %b = stablehlo.reverse %n, dims = [0] : " T(
                                                       "1x9"),
          "  %a = stablehlo.negate %x : " T("1x9"));
    assert_rule(&pair, (const char *const[]){"9", NULL});
    assert_int_equal(pair.found.rule->n_wheres, 1);
    release(&pair);
}

// The constant of the right side is the product of those of the left side.
static void folded_constant(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: tensor<7xi32>", "tensor<7xi32>",
          "  %c = stablehlo.constant dense<6> : tensor<7xi32>\n"
          "  %d = stablehlo.constant dense<11> : tensor<7xi32>\n"
          "  %m = stablehlo.multiply %x, %c : tensor<7xi32>\n"
          "  %b = stablehlo.multiply %m, %d : tensor<7xi32>",
          "  %e = stablehlo.constant dense<66> : tensor<7xi32>\n"
          "  %a = stablehlo.multiply %x, %e : tensor<7xi32>");
    assert_rule(&pair, (const char *const[]){"6", "11", "66", NULL});
    release(&pair);
}

// Dimensions of size 1 may stand anywhere; the matcher does not look for this use, so the
// instance is built.
static void unit_dimension(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("6x9") ", %y: " T("9"), T("6"),
          "  %r = stablehlo.reshape %y : (" T("9") ") -> " T(
              "9x1") "\n"
                     "  %d = stablehlo.dot_general %x, %r, contracting_dims = [1] x [0] : (" T(
                         "6x9") ", " T("9x1") ") -> " T("6x1") "\n"
                                                               "  %b = stablehlo.reshape %d : (" T(
                                                                   "6x1") ") -> " T("6"),
          "  %a = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (" T("6x9") ", " T(
              "9") ") -> " T("6"));
    assert_int_equal(pair.found.answer, EXAMPLE_RULE);
    assert_int_equal(pair.found.match, MATCH_PAIR);
    release(&pair);
}

// Shapes agree because the tensor is square.
static void not_equal(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("4x4"), T("4x4"),
          "  %n = stablehlo.negate %x : " T("4x4") "\n"
                                                   "  %b = stablehlo.reverse %n, dims = [0] : " T(
                                                       "4x4"),
          "  %m = stablehlo.negate %x : " T("4x4") "\n"
                                                   "  %a = stablehlo.reverse %m, dims = [1] : " T(
                                                       "4x4"));
    assert_int_equal(pair.found.answer, EXAMPLE_UNKNOWN);
    assert_null(pair.found.rule);
    assert_non_null(pair.found.why);
    release(&pair);
}

static bool rule_has(struct learned_pair *pair, const char *part)
{
    struct buf text = {0};
    rule_print(pair->found.rule, &text);
    bool has = strstr(buf_text(&text), part) != NULL;
    buf_release(&text);
    return has;
}

// The pair has no interior padding, and pads one axis only; the rule says neither.
static void usual_values(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("5x7") ", %v: tensor<f32>", T("9x7"),
          "  %p = stablehlo.pad %x, %v, low = [3, 0], high = [1, 0], interior = [0, 0] : (" T(
              "5x7") ", tensor<f32>) -> " T("9x7") "\n"
                                                   "  %b = stablehlo.negate %p : " T("9x7"),
          "  %n = stablehlo.negate %x : " T(
              "5x7") "\n"
                     "  %w = stablehlo.negate %v : tensor<f32>\n"
                     "  %a = stablehlo.pad %n, %w, low = [3, 0], high = [1, 0], interior = [0, 0] "
                     ": (" T("5x7") ", tensor<f32>) -> " T("9x7"));
    assert_rule(&pair, (const char *const[]){"9", "7", NULL});
    assert_true(rule_has(&pair, "interior="));
    assert_int_equal(pair.found.rule->n_wheres, 0);
    release(&pair);
}

// The pair has one axis, which the iota counts; the rule has any further ones.
static void further_axes(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: tensor<9xi32>, %y: tensor<9xi32>", "tensor<9xi32>",
          "  %i = stablehlo.iota dim = 0 : tensor<9xi32>\n"
          "  %c = stablehlo.constant dense<4> : tensor<9xi32>\n"
          "  %p = stablehlo.compare LT, %i, %c : (tensor<9xi32>, tensor<9xi32>) -> tensor<9xi1>\n"
          "  %b = stablehlo.select %p, %x, %y : tensor<9xi1>, tensor<9xi32>",
          "  %s = stablehlo.slice %x [0:4] : (tensor<9xi32>) -> tensor<4xi32>\n"
          "  %t = stablehlo.slice %y [4:9] : (tensor<9xi32>) -> tensor<5xi32>\n"
          "  %a = stablehlo.concatenate %s, %t, dim = 0 : (tensor<4xi32>, tensor<5xi32>) -> "
          "tensor<9xi32>");
    // It is proved of integers that do not overflow, so the engine does not use it on words.
    assert_int_equal(pair.found.answer, EXAMPLE_RULE);
    assert_int_equal(pair.found.match, MATCH_PAIR);
    assert_false(rule_has(&pair, "9"));
    assert_true(rule_has(&pair, "axes o"));
    release(&pair);
}

static void only_layout(void **state)
{
    struct learned_pair pair;
    (void)state;
    learn(&pair, "%x: " T("4x5"), T("5x4"),
          "  %n = stablehlo.negate %x : " T(
              "4x5") "\n"
                     "  %b = stablehlo.transpose %n, dims = [1, 0] : (" T("4x5") ") -> " T("5x4"),
          "  %t = stablehlo.transpose %x, dims = [1, 0] : (" T("4x5") ") -> " T(
              "5x4") "\n"
                     "  %a = stablehlo.negate %t : " T("5x4"));
    assert_int_equal(pair.found.answer, EXAMPLE_LAYOUT);
    release(&pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding_before_joined),
        cmocka_unit_test(reverse_of_one),
        cmocka_unit_test(folded_constant),
        cmocka_unit_test(unit_dimension),
        cmocka_unit_test(not_equal),
        cmocka_unit_test(usual_values),
        cmocka_unit_test(further_axes),
        cmocka_unit_test(only_layout),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
