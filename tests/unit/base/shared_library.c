// SPDX-License-Identifier: Apache-2.0
// Libraries that are loaded when they are first needed: functions, and what is missing.
#include "base/shared_library.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static double (*cosine)(double);
static const struct shared_function known = {"cos", &cosine};
static const struct shared_function unknown[] = {{"cos", &cosine}, {"cosine_of_nothing", &cosine}};

static void found(void **state)
{
    struct shared_library library = {"libm.so.6", "libc6-dev", 1, &known};
    struct err err = {0};
    (void)state;
    for (int i = 0; i < 2; i++) {
        cosine = NULL;
        assert_true(shared_library_load(&library, &err));
        assert_true(cosine(0) == 1);
    }
}

static void no_library(void **state)
{
    struct shared_library library = {"librankwright_none.so.0", "none-dev", 1, &known};
    struct err err = {0};
    (void)state;
    assert_false(shared_library_load(&library, &err));
    assert_int_equal(err.kind, ERR_IO);
    assert_non_null(strstr(err.msg, "librankwright_none.so.0"));
    assert_non_null(strstr(err.msg, "none-dev"));
}

static void no_function(void **state)
{
    struct shared_library library = {"libm.so.6", "libc6-dev", 2, unknown};
    struct err err = {0};
    (void)state;
    assert_false(shared_library_load(&library, &err));
    assert_int_equal(err.kind, ERR_IO);
    assert_non_null(strstr(err.msg, "libm.so.6"));
    assert_non_null(strstr(err.msg, "cosine_of_nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(found),
        cmocka_unit_test(no_library),
        cmocka_unit_test(no_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
