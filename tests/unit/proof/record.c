// SPDX-License-Identifier: Apache-2.0
// Proof records: one built by hand is written, read and checked; every way to
// make a line wrong is rejected for its own reason.
#include "tests/unit/support/proof_example.h"

static void round_trip(void **state)
{
    (void)state;
    struct record record, again;
    struct buf first = {0}, second = {0}, text = {0};
    struct err err = {0};
    example(&record);
    if (!checks(&record, input_text, output_text, false, &err))
        fail_msg("%s", err.msg);
    assert_true(record_write(&record, &first, &err));
    record_init(&again, &pool);
    if (!record_read(&again, buf_text(&first), first.len, "r.json", &err))
        fail_msg("%s", err.msg);
    assert_int_equal(again.lines.len, record.lines.len);
    assert_int_equal(again.rules.len, 2);
    assert_string_equal(again.input_name, "example.mlir");
    if (!checks(&again, again.input, again.output, false, &err))
        fail_msg("%s", err.msg);
    assert_true(record_write(&again, &second, &err));
    assert_string_equal(buf_text(&first), buf_text(&second));
    assert_true(record_explain(&again, &text, &err));
    assert_non_null(strstr(buf_text(&text), "5 steps, 3 of them by 2 rules"));
    assert_non_null(strstr(buf_text(&text), "right to left"));
    assert_non_null(strstr(buf_text(&text), ": true true\n"));
    assert_non_null(strstr(buf_text(&text), "law of layout: compose"));
    assert_non_null(strstr(buf_text(&text), "equal by lines 0 3 5, put "
                                            "together in line 6"));
    record_release(&record);
    record_release(&again);
    buf_release(&first);
    buf_release(&second);
    buf_release(&text);
}

static void wrong_rule_lines(void **state)
{
    (void)state;
    static const struct change list[] = {
        {"lines.0.rule", "1", ERR_CHECK, "does not fit its rule"},
        {"lines.0.rule", "2", ERR_CHECK, "expected a rule, found 2"},
        {"lines.0.backward", "true", ERR_CHECK, "matched side"},
        {"lines.7.backward", "false", ERR_CHECK, "matched side"},
        {"lines.8.where", "\"s == 0: true\"", ERR_CHECK, "recorded precondition values"},
        {"lines.0.where", "\"n <= 1: true\"", ERR_CHECK, "recorded precondition values"},
        {"lines.0.instance.types.0", "\"i64\"", ERR_CHECK, "line 0"},
        {"lines.0.instance.types.0", "\"i1\"", ERR_CHECK, "line 0"},
        {"lines.0.instance.types.0", "\"int\"", ERR_INPUT, "element type"},
        {"lines.0.instance.types", "[]", ERR_INPUT, "element type"},
        {"lines.0.instance.classes", "{}", ERR_CHECK, "axes of every class"},
    };
    REJECTED(list);
    // Values within the instance, whatever the canonical names are.
    static const struct {
        const char *part, *value;
    } inside[] = {
        {"maps", "[2, 4]"},
        {"maps", "[2]"},
        {"maps", "[2.0, 3]"},
        {"classes", "[0]"},
        {"classes", "[0, 0]"},
        {"classes", "[0, 2]"},
        {"classes", "[0, 1, 2]"},
        {"tensors", "{\"term\": 0, \"order\": [1, 0]}"},
        {"tensors", "{\"term\": 0, \"order\": [0]}"},
        {"tensors", "{\"term\": 0, \"order\": [0, 0]}"},
        {"tensors", "{\"term\": 1, \"order\": [0, 1]}"},
        {"tensors", "{\"term\": 99, \"order\": [0, 1]}"},
        {"tensors", "{\"term\": -1, \"order\": [0, 1]}"},
    };
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++) {
        struct err err = {0};
        json_t *root = loaded();
        json_t *in = json_object_get(look(root, "lines", 0), "instance");
        json_t *part = json_object_get(in, inside[i].part);
        const char *name = json_object_iter_key(json_object_iter(part));
        json_object_set_new(part, name, json_loads(inside[i].value, 0, NULL));
        verdict(root, false, &err);
        if (err.kind != ERR_INPUT && err.kind != ERR_CHECK)
            fail_msg("%s = %s: %s", inside[i].part, inside[i].value, err.msg);
        json_decref(root);
    }
    // Every place of every node, reversed, cut short, or lengthened.
    for (int how = 0; how < 3; how++)
        for (uint32_t k = 0;; k++) {
            struct err error = {0};
            json_t *root = loaded();
            json_t *in = json_object_get(look(root, "lines", 0), "instance");
            json_t *place = json_array_get(json_object_get(in, "places"), k);
            json_t *order = json_object_get(place, "out");
            if (!place) {
                assert_true(k >= 3);
                json_decref(root);
                break;
            }
            bool has_axes = json_array_size(order) > 0;
            json_array_clear(order);
            if (how == 0 && has_axes) {
                json_array_append_new(order, json_integer(1));
                json_array_append_new(order, json_integer(0));
            } else if (how == 2 || !has_axes) {
                json_array_append_new(order, json_integer(0));
            }
            verdict(root, false, &error);
            if (error.kind != ERR_CHECK)
                fail_msg("place %u, %d: kind %d %s", k, how, (int)error.kind, error.msg);
            json_decref(root);
        }
    // A slice that starts elsewhere: built anew it does not even type-check.
    struct err e = {0};
    json_t *root = loaded();
    json_t *maps = json_object_get(json_object_get(look(root, "lines", L_CUT), "instance"), "maps");
    const char *name;
    json_t *json;
    json_object_foreach(maps, name, json)
    {
        if (json_integer_value(json_array_get(json, 0)) == 0)
            json_array_set_new(json, 0, json_integer(1));
    }
    verdict(root, false, &e);
    assert_int_equal(e.kind, ERR_CHECK);
    assert_non_null(strstr(e.msg, "a precondition does not hold"));
    json_decref(root);
}

static void wrong_other_lines(void **state)
{
    (void)state;
    static const struct change list[] = {
        // FOLD: a term that is no fold, no constant result, another result
        {"lines.5.kind", "\"cong\"", ERR_INPUT, "expected parts"},
        {"lines.0.kind", "\"fold\"", ERR_CHECK, "operand of the fold"},
        {"lines.3.law", "\"identity\"", ERR_CHECK, "law does not apply"},
        {"lines.3.law", "\"magic\"", ERR_INPUT, "unknown law"},
        {"lines.3.law", NULL, ERR_INPUT, "unknown law"},
        {"lines.3.kind", "\"fold\"", ERR_CHECK, "operand of the fold"},
        // CONG
        {"lines.1.parts", "[]", ERR_CHECK, "differs without a reason"},
        {"lines.1.parts.0.arg", "1", ERR_CHECK, "not about that argument"},
        {"lines.1.parts.0.arg", "4294967294", ERR_CHECK, "not about that argument"},
        {"lines.1.parts.0.flip", "true", ERR_CHECK, "not about that argument"},
        {"lines.1.parts.0.line", "1", ERR_CHECK, "expected an earlier line"},
        {"lines.1.parts.0.line", "-1", ERR_CHECK, "expected an earlier line"},
        {"lines.6.parts.0", NULL, ERR_CHECK, "differs without a reason"},
        {"lines.6.parts.1", NULL, ERR_CHECK, "differs without a reason"},
        {"lines.6.parts.1.line", "4", ERR_CHECK, "not about that argument"},
        {"lines.4.kind", "\"cong\"", ERR_INPUT, "expected arg"},
        {"lines.6.kind", "\"trans\"", ERR_CHECK, "chain is broken"},
        // TRANS
        {"lines.4.parts", "[]", ERR_CHECK, "chain ends elsewhere"},
        {"lines.4.parts.1", NULL, ERR_CHECK, "chain ends elsewhere"},
        {"lines.4.parts.0", NULL, ERR_CHECK, "chain is broken"},
        {"lines.4.parts.0.flip", "true", ERR_CHECK, "chain is broken"},
        {"lines.4.parts", "{}", ERR_INPUT, "expected parts"},
        // What the lines stand on.
        {"lines.0.a", "999", ERR_CHECK, "expected term a, found 999"},
        {"lines.0.a", "-3", ERR_CHECK, "expected term a, found -3"},
        {"lines.0.b", "\"0\"", ERR_INPUT, "expected term b"},
        {"lines.0.kind", "\"hope\"", ERR_INPUT, "unknown kind of line"},
        {"lines.0.kind", NULL, ERR_INPUT, "unknown kind of line"},
        {"lines.0", NULL, ERR_CHECK, "expected an earlier line"},
        // Goals.
        {"goals.0", NULL, ERR_CHECK, "the record has no goal for"},
        {"goals.1", NULL, ERR_CHECK, "root 1 of @main"},
        {"goals.0.line", NULL, ERR_CHECK, "no line proves root 0"},
        {"goals.0.line", "4", ERR_CHECK, "does not prove root 0"},
        {"goals.0.line", "9", ERR_CHECK, "expected a line"},
        {"goals.0.flip", "true", ERR_CHECK, "does not prove root 0"},
        {"goals.0.input", "0", ERR_CHECK, "another input"},
        {"goals.0.output", "0", ERR_CHECK, "another output"},
        {"goals.0.function", "1", ERR_CHECK, "is about no root"},
        {"goals.0.root", "3", ERR_CHECK, "is about no root"},
        {"goals.0.root", "1", ERR_CHECK, "that another is about"},
    };
    REJECTED(list);
    // Every line with a term of another type, or swapped ends.
    for (uint32_t i = 0; i <= L_CUT; i++) {
        struct err err = {0}, error = {0};
        json_t *root = loaded(), *json = look(root, "lines", i);
        json_t *a = json_incref(json_object_get(json, "a"));
        json_t *b = json_incref(json_object_get(json, "b"));
        json_object_set(json, "a", b);
        json_object_set(json, "b", a);
        verdict(root, false, &err);
        assert_int_equal(err.kind, ERR_CHECK);
        assert_non_null(strstr(err.msg, "line "));
        // The term of the first line of another type.
        json_object_set(json, "a", a);
        json_object_set(json, "b",
                        json_object_get(look(root, "lines", i == L_CONG1 ? L_ZERO : L_CONG1), "b"));
        verdict(root, false, &error);
        assert_int_equal(error.kind, ERR_CHECK);
        assert_non_null(strstr(error.msg, "different types"));
        json_decref(a);
        json_decref(b);
        json_decref(root);
    }
}

static void wrong_heads(void **state)
{
    (void)state;
    static const struct change list[] = {
        {"format", "\"other\"", ERR_INPUT, "expected a rankwright proof"},
        {"version", "1", ERR_INPUT, "unknown version"},
        {"version", "\"2\"", ERR_INPUT, "unknown version"},
        {"float", "\"word\"", ERR_INPUT, "expected real, float-sums or float"},
        {"input", NULL, ERR_INPUT, "expected input_name"},
        {"rules", "{}", ERR_INPUT, "expected an array"},
        {"rules.0", "[]", ERR_INPUT, "expected an object"},
        {"rules.0.hash", "\"00\"", ERR_CHECK, "another hash"},
        {"rules.0.text", "\"rule\"", ERR_CHECK, "is no rule"},
        {"rules.0.text", "\"\"", ERR_CHECK, "text of one rule"},
        {"rules.0.assumed", NULL, ERR_INPUT, "assumed"},
        {"rules.0.assumed", "true", ERR_CHECK, "assumed, not proved"},
        {"types", NULL, ERR_INPUT, "expected an array"},
        {"terms", "[1]", ERR_INPUT, "expected an object"},
    };
    REJECTED(list);
    // Assumed rules pass where they are allowed; a rule not proved in the
    // domain of the elements does not.
    struct err err = {0};
    json_t *root = loaded();
    change(root, "rules.0.assumed", json_true());
    verdict(root, true, &err);
    assert_string_equal(err.msg, "");
    json_decref(root);
    root = loaded();
    known.proved = known.uninterpreted = 1u << DOMAIN_INT | 1u << DOMAIN_REAL;
    verdict(root, false, &err);
    known.proved = known.uninterpreted = 1u << DOMAIN_WORD;
    assert_non_null(strstr(err.msg, "not proved in the domain"));
    json_decref(root);
    // The same rule twice.
    memset(&err, 0, sizeof err);
    root = loaded();
    json_array_append(json_object_get(root, "rules"), look(root, "rules", 0));
    verdict(root, false, &err);
    assert_non_null(strstr(err.msg, "the same rule twice"));
    json_decref(root);
}

static void wrong_programs(void **state)
{
    (void)state;
#define HEAD "func.func @main(%a: tensor<2x3xi32>) -> tensor<2x3xi32> "
    static const struct {
        const char *in, *out, *says;
    } pairs[] = {
        {output_text, input_text, "another input"},
        {input_text, input_text, NULL}, // nothing to say
        {output_text, output_text, NULL},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         "func.func @other(%a: tensor<2x3xi32>) -> tensor<2x3xi32>"
         " { return %a : tensor<2x3xi32> }",
         "no function @main"},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         "func.func @main(%a: tensor<2x3xi32>, %b: tensor<f32>) ->"
         " tensor<2x3xi32> { return %a : tensor<2x3xi32> }",
         "other parameters"},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         "func.func @main(%a: tensor<2x3xi32>) -> (tensor<2x3xi32>,"
         " tensor<2x3xi32>) { return %a, %a : tensor<2x3xi32>,"
         " tensor<2x3xi32> }",
         "other results"},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         HEAD "{ stablehlo.custom_call @f(%a) {has_side_effect = true} :"
              " (tensor<2x3xi32>) -> () return %a : tensor<2x3xi32> }",
         "other side effects"},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         HEAD "{ return %a : tensor<2x3xi32> }"
              " func.func @g() { return }",
         "a function @g"},
        {HEAD "{ return %a : tensor<2x3xi32> }",
         HEAD "{ %0 = stablehlo.negate %a : tensor<2x3xi32>"
              " return %0 : tensor<2x3xi32> }",
         "another input"},
    };
#undef HEAD
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct record record;
        struct err err = {0};
        example(&record);
        // The goals are about other programs.
        record.goals.len = pairs[i].says && strstr(pairs[i].says, "input") ? 1 : 0;
        bool ok = checks(&record, pairs[i].in, pairs[i].out, false, &err);
        if (pairs[i].says ? ok || !strstr(err.msg, pairs[i].says) : !ok)
            fail_msg("programs %zu: %s", i, err.msg);
        record_release(&record);
    }
    // Goals and lines made by hand are not trusted either.
    struct record r;
    struct err error = {0};
    example(&r);
    r.goals.at[0].line = 100;
    assert_false(checks(&r, input_text, output_text, false, &error));
    assert_non_null(strstr(error.msg, "no line proves"));
    memset(&error, 0, sizeof error);
    r.goals.at[0].line = L_TOP;
    r.parts.at[0].line = 100;
    assert_false(checks(&r, input_text, output_text, false, &error));
    assert_non_null(strstr(error.msg, "no earlier line"));
    record_release(&r);
}

// Rules with operator variables cannot be bound to what is no operator.
static void wrong_operators(void **state)
{
    (void)state;
    static const char text[] = "rule move { axes x, y; map n on x; map m on y; tensor A[x: n] : T;"
                               " op f : elementwise(T) -> T;"
                               " f(broadcast(A, {y: m})) => broadcast(f(A), {y: m}); }";
    static const struct {
        enum op op;
        const char *says; // NULL: fine
    } ops[] = {
        {OP_NEGATE, NULL},        {OP_OPAQUE, "line 0"},    {OP_PARAMETER, "line 0"},
        {OP_CONSTANT, "line 0"},  {OP_TRANSPOSE, "line 0"}, {OP_ADD, "line 0"},
        {OP_IS_FINITE, "line 0"}, {OP_CONVERT, "line 0"},   {OP_EXPONENTIAL, "line 0"},
        {OP_REVERSE, "line 0"},   {OP_SIGN, "line 0"}, // of the terms, it is the other operator
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        struct record record;
        struct err err = {0};
        record_init(&record, &pool);
        uint32_t rule = add_rule(&record, text);
        const struct rule *ru = record.rules.at[rule].rule;
        uint32_t rank[] = {1, 1};
        int64_t size[] = {2}, *map[] = {size, size};
        enum elem elem[] = {ELEM_I32, ELEM_I32};
        struct op_binding op = {OP_NEGATE, NO_ATTR};
        struct ground ground = {rank, map, elem, &op, ELEM_I32};
        struct record_line line = {.kind = LINE_RULE};
        assert_int_equal(rule_ground(ru, &ground,
                                     (struct ground_place){&record.terms, NULL, &record.mem},
                                     (struct ground_out){&line.inst, &line.a, &line.b, NULL}, &err),
                         GROUND_OK);
        line.where = "";
        line.inst->op[0].op = ops[i].op;
        vec_push(&record.lines, line);
        bool ok = checks(&record, output_text, output_text, false, &err);
        if (ops[i].says ? ok || !strstr(err.msg, ops[i].says) : !ok)
            fail_msg("%s: %s", op_name(ops[i].op), err.msg);
        record_release(&record);
    }
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, pool_up, pool_down)
    const struct CMUnitTest tests[] = {
        TEST(round_trip),  TEST(wrong_rule_lines), TEST(wrong_other_lines),
        TEST(wrong_heads), TEST(wrong_programs),   TEST(wrong_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
