// SPDX-License-Identifier: Apache-2.0
// What a file is that a reader could not read.
#include "base/text/sniff.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define TEXT(s) s, sizeof(s) - 1

static const struct {
    const char *text;
    size_t n;
    enum text_kind kind;
} cases[] = {
    {TEXT(""), TEXT_UNKNOWN},
    {TEXT("exp(x) + 1"), TEXT_UNKNOWN},
    {TEXT("rule r { axes x; }"), TEXT_RULES},
    {TEXT("// stablehlo.add\nrule\nr {"), TEXT_RULES},
    {TEXT("nonsense\nrule r {\n func.func"), TEXT_RULES},
    {TEXT("ruler {"), TEXT_UNKNOWN},
    {TEXT("module {\n func.func @f() {"), TEXT_PROGRAM},
    {TEXT("%0 = stablehlo.add %a, %b : tensor<f32>"), TEXT_PROGRAM},
    {TEXT("module {\n tt.func @f() {"), TEXT_DIALECT},
    {TEXT("HloModule jit_f"), TEXT_HLO},
    {TEXT("/* HLO */ // of f\n/**/HloModule jit_f"), TEXT_HLO},
    {TEXT("/* HloModule jit_f"), TEXT_UNKNOWN},
    {TEXT("ML\xefR\rStableHLO_v1.0.0\0"), TEXT_BYTECODE},
    {TEXT("SQLite format 3\0abc"), TEXT_DATABASE},
    {TEXT("\x1f\x8b\x08"), TEXT_COMPRESSED},
    {TEXT("PK\003\004abc"), TEXT_COMPRESSED},
    {TEXT("\x08\x07\x12\x07pytorch\x1a"), TEXT_ONNX},
    {TEXT("\xff\xfer\0u\0"), TEXT_UTF16},
    {TEXT("\x7f"
          "ELF\x02\x01\0"),
     TEXT_BINARY},
    {TEXT(" {\"format\": \"rankwright proof record\"}"), TEXT_RECORD},
    {TEXT("{\"nodes\": {}, \"root_eclasses\": []}"), TEXT_EGRAPH},
    {TEXT("[1, 2]"), TEXT_JSON},
    {TEXT("<!DOCTYPE html>"), TEXT_MARKUP},
    {TEXT("import jax\n"), TEXT_PYTHON},
    {TEXT("module attributes {x = 1} {\001}"), TEXT_UNKNOWN},
    {TEXT("{\n\"a\": "), TEXT_JSON},
};

static void knows_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (text_sniff(cases[i].text, cases[i].n) != cases[i].kind)
            fail_msg("%zu: %s", i, cases[i].text);
}

static void replaces_errors(void **state)
{
    (void)state;
    struct err err = {0};
    err_at(&err, ERR_INPUT, "a.rw", 1, 1, "expected `rule`, found `func`");
    sniff_explain(TEXT("func.func @f()"), TEXT_RULES, &err);
    assert_string_equal(err.msg, "expected rules, found a StableHLO program");
    assert_string_equal(err.file, "a.rw");
    assert_int_equal(err.line, 0);
    assert_string_equal(err.hint, "`rankwright simplify FILE` reads programs");
}

// An error in a text of the expected kind stays, as does one of an unknown kind.
static void keeps_errors(void **state)
{
    (void)state;
    static const char *const texts[] = {"rule r {", "abc"};
    for (size_t i = 0; i < 2; i++) {
        struct err err = {0};
        err_at(&err, ERR_INPUT, "a.rw", 1, 9, "expected `}`");
        sniff_explain(texts[i], strlen(texts[i]), TEXT_RULES, &err);
        assert_string_equal(err.msg, "expected `}`");
        assert_int_equal(err.col, 9);
    }
    struct err json = {0};
    err_set(&json, ERR_INPUT, "the record is malformed");
    sniff_explain(TEXT("{}"), TEXT_RECORD, &json);
    assert_string_equal(json.msg, "the record is malformed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_kinds),
        cmocka_unit_test(replaces_errors),
        cmocka_unit_test(keeps_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
