// SPDX-License-Identifier: Apache-2.0
// For tests: records of formulas made by hand, and what checking says of them.
#ifndef TESTS_UNIT_SUPPORT_FORMULA_RECORDS_H
#define TESTS_UNIT_SUPPORT_FORMULA_RECORDS_H

#include "proof/emit/emit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

// What the caller says of rules: everything is proved, but for one.
static const char *unproved;
static unsigned proved_in = 1u << DOMAIN_REAL | 1u << DOMAIN_BOOL;

static bool status(void *ctx, const struct rule *rule, const char *name, bool assumed,
                   struct rule_status *out, struct err *err)
{
    (void)ctx;
    (void)rule;
    (void)assumed;
    out->proved = unproved != NULL && strcmp(name, unproved) == 0 ? 1u << DOMAIN_FLOAT : proved_in;
    return err != NULL;
}

static const struct formula_check_options options = {status, NULL, false};

static inline void add_rule(struct formula_record *record, const char *text, bool backward)
{
    struct ruleset set;
    struct err err = {0};
    ruleset_init(&set);
    const struct rule *rule = ruleset_add(&set, text, "test", &err);
    if (rule == NULL)
        fail_msg("%s", err.msg);
    struct formula_record_rule x = {arena_strdup(&record->mem, rule->name),
                                    arena_strdup(&record->mem, rule->hash),
                                    arena_strdup(&record->mem, rule->canonical), backward, false};
    vec_push(&record->rules, x);
    ruleset_release(&set);
}

static inline void add_given(struct formula_record *record, const char *cond, const char *by)
{
    struct formula_record_given given = {cond, by};
    vec_push(&record->givens, given);
}

static inline void define(struct formula_record *record, const char *text)
{
    add_rule(record, text, false);
    vec_push(&record->defines, vec_pop(&record->rules).text);
}

static inline bool check(const struct formula_record *record, struct err *err)
{
    *err = (struct err){0};
    bool ok = formula_record_check(record, &options, err);
    if (!ok && err->kind != ERR_CHECK)
        fail_msg("kind %d: %s", (int)err->kind, err->msg);
    return ok;
}

static inline void accepted(const struct formula_record *record)
{
    struct err err;
    if (!check(record, &err))
        fail_msg("%s", err.msg);
}

static inline void refused(const struct formula_record *record, const char *says)
{
    struct err err;
    if (check(record, &err))
        fail_msg("accepted: %s", says);
    if (strstr(err.msg, says) == NULL)
        fail_msg("'%s' is not in: %s", says, err.msg);
}

#endif
