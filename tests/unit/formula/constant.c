// SPDX-License-Identifier: Apache-2.0
// Constants that are recovered from digits, and those that must not be.
#include "base/rng.h"
#include "formula/constants/constant.h"

#include <math.h>
#include <mpfr.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PER_KIND = 650 };

static const struct {
    const char *text, *value;
    enum precision precision;
} known[] = {
    // as kernels carry them
    {"1.4426950216293335", "(divide 1 (log 2))", PRECISION_F32},
    {"1.44269502162933349609375", "(divide 1 (log 2))", PRECISION_F32},
    {"1.4426950408889634", "(divide 1 (log 2))", PRECISION_F64},
    {"1.44269504", "(divide 1 (log 2))", PRECISION_DECIMAL},
    {"0.7071067811", "(divide 1 (sqrt 2))", PRECISION_DECIMAL}, // cut
    {"0.70710678118654752440", "(divide 1 (sqrt 2))", PRECISION_DECIMAL},
    {"0.707106769084930419921875", "(divide 1 (sqrt 2))", PRECISION_F32},
    {"0.79788456", "(sqrt (divide 2 pi))", PRECISION_DECIMAL},
    {"0.7978845608", "(sqrt (divide 2 pi))", PRECISION_DECIMAL},
    {"0.7978845608028654", "(sqrt (divide 2 pi))", PRECISION_F64},
    {"0.797884583473205566", "(sqrt (divide 2 pi))", PRECISION_F32},
    {"0.00999999977648258209228515625", "1/100", PRECISION_F32},
    {"0.100000001490116", "1/10", PRECISION_F32},
    {"0.69314718", "(log 2)", PRECISION_DECIMAL},
    {"0.6931471805599453", "(log 2)", PRECISION_F64},
    {"3.14159265", "pi", PRECISION_DECIMAL},
    {"0.3333333432674408", "1/3", PRECISION_F32},
    {"0.16666666666666666", "1/6", PRECISION_F64},
    {"2.718281828459045", "(exponential 1)", PRECISION_F64},
    {"1.5957691216", "(multiply 2 (sqrt (divide 2 pi)))", PRECISION_DECIMAL},
    {"0.3989422804", "(divide 1 (sqrt (multiply 2 pi)))", PRECISION_DECIMAL},
    {"0.25066283", "(divide (sqrt (multiply 2 pi)) 10)", PRECISION_DECIMAL},
    // with a sign
    {"-1.4426950216293335", "(negate (divide 1 (log 2)))", PRECISION_F32},
    {"0.6666666865348816", "2/3", PRECISION_F32},
    {"-0.3333333432674408", "-1/3", PRECISION_F32},
    {"-9.210340371976184", "(negate (multiply 4 (log 10)))", PRECISION_F64},
    {"-1.5957691216057308", "(negate (multiply 2 (sqrt (divide 2 pi))))", PRECISION_F64},
    // decimals that f32 carried
    {"0.044714998453855515", "8943/200000", PRECISION_F32},
    {"0.9990000128746033", "999/1000", PRECISION_F32},
    {"1.7020000219345093", "851/500", PRECISION_F32},
    {"-0.949999988079071", "-19/20", PRECISION_F32},
    {"1.0507010221481323", "2101401974710961/2000000000000000", PRECISION_F32},
    {"1.6732631921768188", "4183158105885943/2500000000000000", PRECISION_F32},
    {"0.035677406936883926", "(multiply 8943/200000 (sqrt (divide 2 pi)))", PRECISION_F32},
    {"-0.044715", NULL, 0},
    {"-0.5", NULL, 0},
    {"-", NULL, 0},
    {"--1.4426950216293335", NULL, 0},
    {"0.1234500020742416", NULL, 0}, // five digits: no known constant
    // f16 and bf16, written out
    {"1.4423828125", "(divide 1 (log 2))", PRECISION_F16},
    {"0.70703125", "(divide 1 (sqrt 2))", PRECISION_F16},
    {"0.79785156250", "(sqrt (divide 2 pi))", PRECISION_F16},
    {"0.01000213623046875", "1/100", PRECISION_F16},
    {"1.4453125", "(divide 1 (log 2))", PRECISION_BF16},
    {"0.796875", "(sqrt (divide 2 pi))", PRECISION_BF16},
    {"0.010009765625", "1/100", PRECISION_BF16},
    {"-0.010009765625", "-1/100", PRECISION_BF16},
    {"0.01007080078125", NULL, 0}, // the next one
    // what is no such constant stays
    {"0.044715", NULL, 0},
    {"0.5", NULL, 0},
    {"0.1", NULL, 0},
    {"1", NULL, 0},
    {"0.0625", NULL, 0},
    {"1.702", NULL, 0},
    {"0.001", NULL, 0},
    {"12345.678", NULL, 0},
    {"1e-8", NULL, 0},
    {"0", NULL, 0},
    // a unit off: a sum and a product that were rounded, digits that are not the nearest
    {"0.30000000000000004", "3/10", PRECISION_F64_NEAR},
    {"1.7580993408473766",
     "(multiply 2101401974710961/2000000000000000 4183158105885943/2500000000000000)",
     PRECISION_F64_NEAR},
    {"0.3989424", "(divide 1 (sqrt (multiply 2 pi)))", PRECISION_DECIMAL_NEAR},
    {"0.70710679", "(divide 1 (sqrt 2))", PRECISION_DECIMAL_NEAR},
    {"0.70710675", NULL, 0},
    // with fewer digits than f32 has, only the nearest
    {"0.70711", "(divide 1 (sqrt 2))", PRECISION_DECIMAL},
    {"1.41421", "(sqrt 2)", PRECISION_DECIMAL},
    {"3.14159", "pi", PRECISION_DECIMAL},
    {"1.05070", NULL, 0}, // four digits
    {"0.693147", "(log 2)", PRECISION_DECIMAL},
    {"0.69314", NULL, 0},
    {"1.44269", NULL, 0},
    {"3.14160", NULL, 0},
    {"3.14158", NULL, 0},
    // a decimal that as many digits would have written stays away
    {"0.99999", NULL, 0},
    {"-0.99999", NULL, 0},
    {"0.9999999", NULL, 0},
    {"0.999999999999", NULL, 0},
    {"1.0001", NULL, 0},
    {"1.0000001", NULL, 0},
    {"1.99999", NULL, 0},
    {"0.49999", NULL, 0},
    {"0.1000001", NULL, 0},
    {"0.29999999", NULL, 0},
    {"99999e1", NULL, 0},
    {"1.000001e-6", NULL, 0},
    {"0.33333333", "1/3", PRECISION_DECIMAL},
    {"0.66666666", "2/3", PRECISION_DECIMAL}, // cut
    {"0.30000000000000012", NULL, 0},
    {"0.017453292519943295", "(divide pi 180)", PRECISION_F64},
    {"57.29577951308232", "(divide 180 pi)", PRECISION_F64},
};

static void known_ones(void **state)
{
    (void)state;
    struct fterms terms;
    fterms_init(&terms);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct recovered recovered;
        bool found = constant_recover(&terms, known[i].text, 0, NULL, &recovered);
        struct buf text = {0};
        if (found)
            fterm_print(&terms, recovered.value, &text);
        if (found != (known[i].value != NULL) ||
            (found && strcmp(buf_text(&text), known[i].value) != 0))
            fail_msg("%s: %s", known[i].text, found ? buf_text(&text) : "none");
        if (found)
            assert_string_equal(precision_name(recovered.precision),
                                precision_name(known[i].precision));
        double d;
        if (found) {
            assert_true(
                constant_agrees(&terms, recovered.value, known[i].text, recovered.precision, &d));
            assert_true(d == recovered.difference && d != 0);
        }
        buf_release(&text);
    }
    fterms_release(&terms);
}

static void products_with_others(void **state)
{
    (void)state;
    struct fterms terms;
    fterms_init(&terms);
    const char *others[] = {"0.5", "-0.0771", "0.79788456"};
    struct recovered recovered;
    struct buf text = {0};
    assert_false(constant_recover(&terms, "0.1845506989", 0, NULL, &recovered));
    assert_true(constant_recover(&terms, "0.1845506989", 3, others, &recovered));
    fterm_print(&terms, recovered.value, &text);
    // 3 * 0.0771 * sqrt(2 / pi)
    assert_string_equal(buf_text(&text), "(multiply 2313/10000 (sqrt (divide 2 pi)))");
    buf_release(&text);
    fterms_release(&terms);
}

// What differs by more than the precision does not agree.
static void near_misses(void **state)
{
    (void)state;
    struct fterms terms;
    struct err err = {0};
    struct recovered recovered;
    double d;
    fterm half_root;
    fterms_init(&terms);
    assert_true(fterm_read(&terms, "(divide 1 (sqrt 2))", &half_root, &err));
    assert_true(constant_agrees(&terms, half_root, "0.70710678", PRECISION_DECIMAL, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710680", PRECISION_DECIMAL, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710676", PRECISION_DECIMAL, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710676", PRECISION_F32, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710678", PRECISION_F16, &d));
    assert_false(constant_agrees(&terms, half_root, "0.7071x", PRECISION_F32, &d));
    assert_false(constant_agrees(&terms, half_root, "-0.70710678", PRECISION_DECIMAL, &d));
    assert_true(constant_agrees(&terms, half_root, "0.70710679", PRECISION_DECIMAL_NEAR, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710676", PRECISION_DECIMAL_NEAR, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710680", PRECISION_DECIMAL_NEAR, &d));
    assert_false(constant_agrees(&terms, half_root, "0.70710", PRECISION_DECIMAL, &d));
    assert_true(fterm_read(&terms, "1", &half_root, &err));
    assert_false(constant_agrees(&terms, half_root, "0.9999999", PRECISION_DECIMAL, &d));
    assert_false(constant_agrees(&terms, half_root, "1.0000001", PRECISION_DECIMAL_NEAR, &d));
    assert_false(constant_recover(&terms, "1.442697", 0, NULL, &recovered));
    assert_false(constant_recover(&terms, "3.141593e400000", 0, NULL, &recovered));
    assert_false(constant_recover(&terms, "", 0, NULL, &recovered));
    fterms_release(&terms);
}

// In f16 and bf16 only the simplest ones: the digits tell no more apart.  Some
// are the same number in both, and so are found as f16.
static const struct {
    double value;
    const char *f16, *bf16; // what is found
    enum precision precision;
} few[] = {
    {1.4426950408889634, "(divide 1 (log 2))", "(divide 1 (log 2))", PRECISION_BF16},
    {0.7978845608028654, "(sqrt (divide 2 pi))", "(sqrt (divide 2 pi))", PRECISION_BF16},
    {0.7071067811865476, "(divide 1 (sqrt 2))", "(divide 1 (sqrt 2))", PRECISION_F16},
    {3.1415926535897931, "pi", "pi", PRECISION_F16},
    {1.4142135623730951, "(sqrt 2)", "(sqrt 2)", PRECISION_F16},
    {0.6931471805599453, "(log 2)", NULL, 0},
    {0.1, "1/10", NULL, 0},
    {0.01, "1/100", "1/100", PRECISION_BF16},
    {0.001, "1/1000", NULL, 0},
    {1.7724538509055159, NULL, NULL, 0}, // sqrt(pi)
    {0.3333333333333333, NULL, NULL, 0},
    {2.7182818284590452, NULL, NULL, 0},
    {2.8853900817779268, NULL, NULL, 0}, // 2 / log(2)
};

static void check_few(double value, unsigned bits, const char *want, enum precision precision)
{
    struct fterms terms;
    struct recovered recovered;
    struct buf got = {0};
    char text[60];
    mpfr_t x;
    mpfr_init2(x, bits);
    mpfr_set_d(x, value, MPFR_RNDN);
    mpfr_snprintf(text, sizeof text, "%.25Rf", x);
    mpfr_clear(x);
    fterms_init(&terms);
    bool found = constant_recover(&terms, text, 0, NULL, &recovered);
    if (found)
        fterm_print(&terms, recovered.value, &got);
    if (found != (want != NULL) ||
        (found && (strcmp(buf_text(&got), want) != 0 || recovered.precision != precision)))
        fail_msg("%u bits, %s: %s", bits, text, found ? buf_text(&got) : "none");
    buf_release(&got);
    fterms_release(&terms);
}

static void few_digits(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof few / sizeof *few; i++) {
        check_few(few[i].value, 11, few[i].f16, PRECISION_F16);
        check_few(few[i].value, 8, few[i].bf16, few[i].precision);
    }
}

// Random numbers, printed as each precision is printed.
static unsigned accidents(struct fterms *terms, unsigned bits, int digits, double low, double high,
                          uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    unsigned n = 0;
    mpfr_t x;
    mpfr_init2(x, bits);
    for (int i = 0; i < PER_KIND; i++) {
        char text[100];
        struct recovered recovered;
        double u = rng_unit(&rng);
        mpfr_set_d(x, low + u * (high - low), MPFR_RNDN);
        mpfr_snprintf(text, sizeof text, "%.*Rf", digits, x);
        n += constant_recover(terms, text, 0, NULL, &recovered);
    }
    mpfr_clear(x);
    return n;
}

static void random_numbers(void **state)
{
    (void)state;
    struct fterms terms;
    fterms_init(&terms);
    static const struct {
        unsigned bits;
        int digits;
    } kinds[] = {{53, 17}, {53, 10}, {53, 8}, {53, 6}, {53, 5}, {24, 24}, {24, 9}, {24, 7}};
    unsigned all = 0, found = 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        unsigned bits = kinds[i].bits;
        int digits = kinds[i].digits;
        unsigned n = accidents(&terms, bits, digits, 0, 1, i) +
                     accidents(&terms, bits, digits, 0, 10, i + 100);
        printf("%u bits, %d digits: %u of %d\n", bits, digits, n, 2 * PER_KIND);
        assert_true(n * 1000 < 2 * 2 * PER_KIND);
        all += 2 * PER_KIND;
        found += n;
    }
    printf("f32 and f64: %u of %u\n", found, all);
    assert_true(found * 1000 < all);
    // Few digits: a constant of a handful, whose neighbourhoods are wide.
    unsigned half = accidents(&terms, 11, 24, 0, 10, 1) + accidents(&terms, 11, 24, 0, 1, 101);
    unsigned brain = accidents(&terms, 8, 24, 0, 10, 2) + accidents(&terms, 8, 24, 0, 1, 102);
    printf("f16: %u, bf16: %u of %d\n", half, brain, 2 * PER_KIND);
    assert_true(half * 1000 < 3 * 2 * PER_KIND && brain * 1000 < 8 * 2 * PER_KIND);
    fterms_release(&terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_ones),
                                       cmocka_unit_test(products_with_others),
                                       cmocka_unit_test(near_misses), cmocka_unit_test(few_digits),
                                       cmocka_unit_test(random_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
