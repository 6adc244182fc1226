// SPDX-License-Identifier: Apache-2.0
#include "discover/generalize/widen.h"
#include "discover/limits.h"
#include "base/clock.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *widening_text(struct widening *widening, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&widening->learner->set.mem, line);
}

const char *widening_where(struct widening *widening, const struct rule *rule, uint32_t i)
{
    struct buf buf = {0};
    if (rule->wheres[i].cond != NULL)
        cond_print(rule, rule->wheres[i].cond, &buf);
    else {
        buf_puts(&buf, "all(");
        pat_print(rule, rule->wheres[i].pat, &buf);
        buf_puts(&buf, ")");
    }
    const char *text = arena_strdup(&widening->learner->set.mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

bool widening_over(const struct widening *widening)
{
    return learner_over(widening->learner);
}

// A change that the end of the time cut off is not refused.
void widening_refuse(struct widening *widening, const char *what, const char *why)
{
    if (widening_over(widening))
        return;
    for (uint32_t i = 0; i < widening->general->refused.len; i++)
        if (strcmp(widening->general->refused.at[i].what, what) == 0) {
            widening->general->refused.at[i] = (struct refusal){widening->at, what, why};
            return;
        }
    struct refusal refusal = {widening->at, what, why};
    vec_push(&widening->general->refused, refusal);
}

bool widening_refused(const struct widening *widening, const char *what)
{
    for (uint32_t i = 0; i < widening->general->refused.len; i++)
        if (widening->general->refused.at[i].of == widening->at &&
            strcmp(widening->general->refused.at[i].what, what) == 0)
            return true;
    return false;
}

void widening_accept(struct widening *widening, const struct rule *rule, unsigned proved,
                     const char *what, const char *wider)
{
    struct rule_variant variant = {rule, widening->at, what, wider, proved};
    vec_push(&widening->general->variants, variant);
    widening->at = widening->general->variants.len - 1;
    widening->cur = rule;
    uint32_t n = 0; // a change that was refused before may be accepted now
    for (uint32_t i = 0; i < widening->general->refused.len; i++)
        if (strcmp(widening->general->refused.at[i].what, what) != 0)
            widening->general->refused.at[n++] = widening->general->refused.at[i];
    widening->general->refused.len = n;
}

bool widening_try(struct widening *widening, const struct draft *draft, const char *what)
{
    struct err err = {0};
    const struct learn_memo *memo;
    const struct rule *rule = draft_rule(draft, &widening->learner->set, &err);
    widening->learner->n_rules++;
    if (rule == NULL) {
        widening_refuse(widening, what, widening_text(widening, "no rule: %s", err.msg));
        return false;
    }
    for (uint32_t i = 0; i < widening->general->variants.len; i++)
        if (strcmp(widening->general->variants.at[i].rule->hash, rule->hash) == 0)
            return false;
    const char *broken =
        learner_attack(widening->learner, rule, widening->claims, GENERALIZE_ATTACKS);
    if (broken != NULL) {
        widening_refuse(widening, what, widening_text(widening, "false at %s", broken));
        return false;
    }
    unsigned proved = learner_prove(widening->learner, rule, widening->claims, true, &memo);
    if (proved != widening->claims) {
        widening_refuse(widening, what,
                        memo->counterexample
                            ? widening_text(widening, "false: %s", memo->counterexample)
                            : "not decided");
        return false;
    }
    widening_accept(widening, rule, proved, what, "");
    return true;
}
