// SPDX-License-Identifier: Apache-2.0
// Shared by tests that go through all rules of the library.
#ifndef TESTS_UNIT_SUPPORT_LIBRARY_H
#define TESTS_UNIT_SUPPORT_LIBRARY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "rules/rule.h"

static inline void load_library(struct ruleset *set)
{
    struct err_list errs = {0};
    ruleset_init(set);
    if (!ruleset_load(set, "rules/library", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    vec_release(&errs.at);
}

#endif
