// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the rule reader: a text that was read.
#ifndef TESTS_UNIT_SUPPORT_RULES_PARSED_H
#define TESTS_UNIT_SUPPORT_RULES_PARSED_H

#include "rules/rule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMS "tests/rules/forms.rw"

struct parsed {
    struct ruleset set;
    struct err_list errs;
    bool ok;
};

static inline struct parsed parse(const char *text)
{
    struct parsed parsed = {0};
    ruleset_init(&parsed.set);
    parsed.ok = ruleset_parse(&parsed.set, text, strlen(text), "test.rw", &parsed.errs);
    return parsed;
}

static inline void done(struct parsed *parsed)
{
    vec_release(&parsed->errs.at);
    ruleset_release(&parsed->set);
}

// One rule that must parse.
static inline struct parsed rule_of(const char *text)
{
    struct parsed parsed = parse(text);
    if (!parsed.ok)
        fail_msg("%u:%u: %s\n%s", parsed.errs.at.at[0].line, parsed.errs.at.at[0].col,
                 parsed.errs.at.at[0].msg, text);
    assert_int_equal(parsed.set.rules.len, 1);
    return parsed;
}

static inline const char *text_of(struct buf *buf, const struct rule *rule, uint32_t pat)
{
    buf_clear(buf);
    pat_print(rule, pat, buf);
    return buf_text(buf);
}

#endif
