// SPDX-License-Identifier: Apache-2.0
// Rationals: one spelling each, decimals read exactly, and what operators make
// of them; random sums and products against doubles.
#include "base/rng.h"
#include "formula/terms/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool reads(const char *text)
{
    mpq_t x;
    mpq_init(x);
    bool ok = number_parse(text, (uint32_t)strlen(text), x);
    mpq_clear(x);
    return ok;
}

static void spellings(void **state)
{
    static const char *const good[] = {"0", "7", "-3", "1/2", "-3/7"};
    static const char *const bad[] = {"",    "-",  "-0",  "07",  "2/4",  "3/1", "1/0",
                                      "1/",  "/2", "1.5", "+1",  "1/-2", " 1",  "1 ",
                                      "0/5", "x",  "1e3", "--1", "1/02", "0x10"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(reads(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(reads(bad[i]));
}

static void decimal(const char *string, const char *expected)
{
    struct buf text = {0};
    mpq_t x;
    mpq_init(x);
    bool ok = number_parse_decimal(string, (uint32_t)strlen(string), x);
    assert_true(ok == (expected != NULL));
    if (ok) {
        assert_true(number_print(x, &text));
        assert_string_equal(buf_text(&text), expected);
    }
    buf_release(&text);
    mpq_clear(x);
}

static void decimals(void **state)
{
    (void)state;
    decimal("12", "12");
    decimal("0.5", "1/2");
    decimal(".5", "1/2");
    decimal("5.", "5");
    decimal("1e-8", "1/100000000");
    decimal("1.5e+3", "1500");
    decimal("-0.25", "-1/4");
    decimal("0.0", "0");
    decimal("00.10", "1/10");
    decimal("1.44269502162933349609375", "12102203/8388608");
    decimal("", NULL);
    decimal(".", NULL);
    decimal("-", NULL);
    decimal("1e", NULL);
    decimal("1e+", NULL);
    decimal("1e99999", NULL);
    decimal("1.2.3", NULL);
    decimal("1f", NULL);
}

static void printed(const char *string, uint32_t digits, const char *expected)
{
    struct buf text = {0};
    mpq_t x;
    mpq_init(x);
    assert_true(number_parse(string, (uint32_t)strlen(string), x));
    bool ok = number_print_decimal(x, digits, &text);
    assert_true(ok == (expected != NULL));
    assert_string_equal(buf_text(&text), ok ? expected : "");
    buf_release(&text);
    mpq_clear(x);
}

static void printed_decimals(void **state)
{
    (void)state;
    printed("1/2", 4, "0.5");
    printed("-1/4", 4, "-0.25");
    printed("1/3", 40, NULL);
    printed("1500", 4, "1500");
    printed("1500", 3, NULL);
    printed("1/100", 2, "0.01");
    printed("1/100", 1, NULL);
    printed("-201/100", 9, "-2.01");
    printed("0", 1, "0");
}

// Words of `call`: operator and values; NULL: no value.
static void folds(const char *call, const char *expected)
{
    char text[100];
    const char *word[5];
    uint32_t len[5], n = 0;
    struct buf out = {0};
    assert_true(strlen(call) < sizeof text);
    memcpy(text, call, strlen(call) + 1);
    for (char *string = text; n < 5; string += len[n++] + 1) {
        word[n] = string;
        len[n] = (uint32_t)strcspn(string, " ");
        if (string[len[n]] == 0) {
            n++;
            break;
        }
    }
    bool ok = number_fold(word[0], len[0], n - 1, word + 1, len + 1, &out);
    if (ok != (expected != NULL) || (ok && strcmp(buf_text(&out), expected) != 0))
        fail_msg("%s: %s", call, ok ? buf_text(&out) : "no value");
    buf_release(&out);
}

static void operators(void **state)
{
    (void)state;
    folds("add 1/2 1/3", "5/6");
    folds("subtract 1/2 1/2", "0");
    folds("multiply -3/7 7/3", "-1");
    folds("divide 1 -4", "-1/4");
    folds("divide 1 0", NULL);
    folds("negate 3", "-3");
    folds("abs -3/2", "3/2");
    folds("sign -3/2", "-1");
    folds("sign 0", "0");
    folds("floor -1/2", "-1");
    folds("ceil -1/2", "0");
    folds("ceil 1/2", "1");
    folds("maximum -1 -2", "-1");
    folds("minimum -1 -2", "-2");
    folds("sqrt 9/4", "3/2");
    folds("sqrt 2", NULL);
    folds("sqrt -4", NULL);
    folds("sqrt 0", "0");
    folds("rsqrt 9/4", "2/3");
    folds("rsqrt 0", NULL);
    folds("cbrt -8/27", "-2/3");
    folds("cbrt 4", NULL);
    folds("power 2 10", "1024");
    folds("power -2 3", "-8");
    folds("power 2 -2", "1/4");
    folds("power 0 0", "1");
    folds("power 0 -1", NULL);
    folds("power 4 1/2", "2");
    folds("power 4 -1/2", "1/2");
    folds("power 2 1/2", NULL);
    folds("power -8 1/3", NULL);
    folds("power 10 1000", NULL);
    folds("power 1 1000", "1");
    folds("exponential 0", "1");
    folds("exponential 1", NULL);
    folds("log 1", "0");
    folds("log 0", NULL);
    folds("logistic 0", "1/2");
    folds("tanh 0", "0");
    folds("cosine 0", "1");
    folds("lt 1/3 1/2", "true");
    folds("le 1 1", "true");
    folds("lt 1 1", "false");
    folds("eq 1 2", "false");
    folds("ne 1 2", "true");
    folds("not true", "false");
    folds("and true false", "false");
    folds("or true false", "true");
    folds("eq true true", "true");
    folds("select true 1 2", "1");
    folds("select false 1 2", "2");
    folds("select true false true", "false");
    folds("clamp 0 7 6", "6");
    folds("clamp 0 -1 6", "0");
    folds("clamp 0 3 6", "3");
    folds("clamp 6 3 0", NULL);
    folds("add true 1", NULL);
    folds("and 1 1", NULL);
    folds("select 1 1 1", NULL);
    folds("add x 1", NULL);
    folds("softmax 1", NULL);
    folds("count 1", NULL);
    folds("lt 1 true", NULL);
}

// Nothing grows without bound.
static void long_numbers(void **state)
{
    struct buf buf = {0}, out = {0};
    (void)state;
    buf_puts(&buf, "3");
    uint32_t n = 0;
    for (;; n++) {
        const char *names[2] = {buf_text(&buf), buf_text(&buf)};
        uint32_t lens[2] = {(uint32_t)buf.len, (uint32_t)buf.len};
        buf_clear(&out);
        if (!number_fold("multiply", 8, 2, names, lens, &out))
            break;
        struct buf swap = buf;
        buf = out;
        out = swap;
        assert_true(n < 20);
    }
    assert_int_equal(n, 8); // 3^256 has 406 bits
    buf_release(&buf);
    buf_release(&out);
}

static void random_sums(void **state)
{
    static const char *const op[] = {"add", "subtract", "multiply", "divide", "maximum", "minimum"};
    struct rng rng;
    (void)state;
    rng_seed(&rng, 5);
    for (uint32_t i = 0; i < 3000; i++) {
        char text[40], string[40];
        struct buf out = {0};
        double v[2];
        mpq_t x;
        mpq_init(x);
        for (uint32_t k = 0; k < 2; k++) {
            long p = (long)rng_below(&rng, 2000) - 1000;
            unsigned long q = 1 + (unsigned long)rng_below(&rng, 50);
            mpq_set_si(x, p, q);
            mpq_canonicalize(x);
            (void)mpq_get_str(k == 0 ? text : string, 10, x);
            v[k] = mpq_get_d(x);
        }
        uint32_t o = (uint32_t)rng_below(&rng, 6);
        const char *names[2] = {text, string};
        uint32_t lens[2] = {(uint32_t)strlen(text), (uint32_t)strlen(string)};
        bool ok = number_fold(op[o], (uint32_t)strlen(op[o]), 2, names, lens, &out);
        assert_true(ok == (o != 3 || v[1] != 0));
        if (ok) {
            double w = o == 0   ? v[0] + v[1]
                       : o == 1 ? v[0] - v[1]
                       : o == 2 ? v[0] * v[1]
                       : o == 3 ? v[0] / v[1]
                       : o == 4 ? fmax(v[0], v[1])
                                : fmin(v[0], v[1]);
            assert_true(number_parse(buf_text(&out), (uint32_t)out.len, x));
            assert_true(fabs(mpq_get_d(x) - w) <= 1e-9 * (1 + fabs(w)));
        }
        buf_release(&out);
        mpq_clear(x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings),        cmocka_unit_test(decimals),
        cmocka_unit_test(printed_decimals), cmocka_unit_test(operators),
        cmocka_unit_test(long_numbers),     cmocka_unit_test(random_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
