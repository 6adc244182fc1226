// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_text.h"

void verdict_words(const struct rw_rule *rule, struct buf *out)
{
    const char *separator = "";
    for (int claimed = 1; claimed >= 0; claimed--)
        for (size_t i = 0; i < rule->n_verdicts; i++) {
            const struct rw_verdict *verdict = rule->verdicts[i];
            if (verdict->claimed != (claimed == 1))
                continue;
            buf_printf(out, "%s%s %s%s", separator, rw_domain_name(verdict->domain),
                       rw_decision_name(verdict->decision), verdict->stale ? "*" : "");
            separator = ", ";
        }
    if (!*separator)
        buf_puts(out, "never proved");
}
