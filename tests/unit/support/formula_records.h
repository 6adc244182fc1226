// SPDX-License-Identifier: Apache-2.0
// For tests: records of formulas made by hand, and what checking says of them.
#ifndef TESTS_UNIT_SUPPORT_FORMULA_RECORDS_H
#define TESTS_UNIT_SUPPORT_FORMULA_RECORDS_H

#include "proof/formula/record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

// What the caller says of rules: everything is proved, but for one.
static const char *unproved;
static unsigned proved_in = 1u << DOMAIN_REAL | 1u << DOMAIN_BOOL;

static bool status(void *ctx, const struct rule *r, const char *name,
                   bool assumed, struct rule_status *out, struct err *e)
{
    (void)ctx;
    (void)r;
    (void)assumed;
    out->proved = unproved != NULL && strcmp(name, unproved) == 0
                      ? 1u << DOMAIN_FLOAT
                      : proved_in;
    return e != NULL;
}

static const struct formula_check_options options = {status, NULL, false};

static inline void add_rule(struct formula_record *r, const char *text,
                            bool backward)
{
    struct ruleset s;
    struct err e = {0};
    ruleset_init(&s);
    const struct rule *rule = ruleset_add(&s, text, "test", &e);
    if (rule == NULL)
        fail_msg("%s", e.msg);
    struct formula_record_rule x = {
        arena_strdup(&r->mem, rule->name), arena_strdup(&r->mem, rule->hash),
        arena_strdup(&r->mem, rule->canonical), backward, false};
    vec_push(&r->rules, x);
    ruleset_release(&s);
}

static inline void add_given(struct formula_record *r, const char *cond,
                             const char *by)
{
    struct formula_record_given g = {cond, by};
    vec_push(&r->givens, g);
}

static inline void define(struct formula_record *r, const char *text)
{
    add_rule(r, text, false);
    vec_push(&r->defines, vec_pop(&r->rules).text);
}

static inline bool check(const struct formula_record *r, struct err *e)
{
    *e = (struct err){0};
    bool ok = formula_record_check(r, &options, e);
    if (!ok && e->kind != ERR_CHECK)
        fail_msg("kind %d: %s", (int)e->kind, e->msg);
    return ok;
}

static inline void accepted(const struct formula_record *r)
{
    struct err e;
    if (!check(r, &e))
        fail_msg("%s", e.msg);
}

static inline void refused(const struct formula_record *r, const char *says)
{
    struct err e;
    if (check(r, &e))
        fail_msg("accepted: %s", says);
    if (strstr(e.msg, says) == NULL)
        fail_msg("'%s' is not in: %s", says, e.msg);
}

#endif
