// SPDX-License-Identifier: Apache-2.0
// For tests: rules with the domains in which each must be proved, and a check
// that decide_rule proves it in just those.
#ifndef TESTS_UNIT_SUPPORT_DECIDE_SAMPLES_H
#define TESTS_UNIT_SUPPORT_DECIDE_SAMPLES_H

#include "verify/decide.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "tests/unit/support/domain_masks.h"

#define LEN(a) ((uint32_t)(sizeof(a) / sizeof *(a)))

struct sample {
    const char *text;
    unsigned proved; // the domains in which it must be proved, and no others
};

#define X "axes x; map n on x; "
#define ONE X "tensor A[x: n] : num; "
#define WORD X "tensor A[x: n] : int; "
#define AB X "tensor A[x: n] : num, B[x: n] : num; "
#define ABC X "tensor A[x: n] : num, B[x: n] : num, C[x: n] : num; "
#define INTS X "tensor A[x: n] : int, B[x: n] : int; "
#define ANY X "tensor A[x: n] : any; "

static inline void check(const struct sample *sample, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        struct ruleset rs;
        struct err_list errs = {{0}};
        struct report rep = {.remarks = {0}};
        struct hints hints = {{0}};
        struct buf text = {0};
        buf_printf(&text, "rule r {%s}", sample[i].text);
        ruleset_init(&rs);
        if (!ruleset_parse(&rs, buf_text(&text), text.len, "r", &errs))
            fail_msg("%s: %s", sample[i].text, errs.at.at[0].msg);
        struct decide_options options = {.hints = &hints};
        decide_rule(rs.rules.at[0], &options, &rep);
        unsigned got = 0;
        for (uint32_t k = 0; k < rep.domains.len; k++)
            if (rep.domains.at[k].verdict == VERDICT_PROVED)
                got |= 1U << rep.domains.at[k].domain;
        if (got != sample[i].proved)
            fail_msg("%s\nproved in %x, expected %x", sample[i].text, got, sample[i].proved);
        hints_release(&hints);
        report_release(&rep);
        vec_release(&errs.at);
        ruleset_release(&rs);
        buf_release(&text);
    }
}

#endif
