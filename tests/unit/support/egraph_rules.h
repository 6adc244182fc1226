// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of runs: the rules of a text, and terms over vectors of three elements.
#ifndef TESTS_UNIT_SUPPORT_EGRAPH_RULES_H
#define TESTS_UNIT_SUPPORT_EGRAPH_RULES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "rules/rule.h"
#include "tensor/program/program.h"

// Reads the rules, which the caller releases.  False, and a message: they are wrong.
static inline bool rules_read(struct ruleset *rules, const char *text)
{
    struct err_list errs = {0};
    ruleset_init(rules);
    bool read = ruleset_parse(rules, text, strlen(text), "test.rw", &errs);
    if (!read)
        printf("%s\n", errs.at.at[0].msg);
    vec_release(&errs.at);
    return read;
}

// Of n operands, at most two.
static inline term_id build(struct terms *terms, enum op op, uint32_t n, term_id a, term_id b)
{
    struct err err = {0};
    term_id term, args[2] = {a, b};
    if (!term_build(terms, (struct operation){op, NO_ATTR, NO_TYPE, n}, args, &term, &err))
        fail_msg("%s", err.msg);
    return term;
}

static inline type_id vector_type(struct terms *terms)
{
    static const int64_t dims[1] = {3};
    struct err err = {0};
    type_id type;
    assert_true(type_tensor(terms->pool, ELEM_F64, 1, dims, &type, &err));
    return type;
}

// The next parameter; *n counts them.
static inline term_id next_parameter(struct terms *terms, uint32_t *n)
{
    int64_t at[2] = {0, (*n)++};
    return term_make(terms, OP_PARAMETER, attr_make(terms->pool, 2, at), vector_type(terms), 0,
                     NULL);
}

#endif
