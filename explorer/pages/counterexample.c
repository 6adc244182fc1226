// SPDX-License-Identifier: Apache-2.0
// Counterexamples of a rule.
#include "explorer/pages/rule.h"

void put_counterexamples(const struct rule_page *page)
{
    unsigned n = 0;
    for (size_t i = 0; i < page->rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = page->rule->verdicts[i];
        if (verdict->counterexample == NULL)
            continue;
        buf_puts(page->out, n++ ? "" : "<h2 id=\"counterexample\">Counterexample</h2>\n");
        buf_printf(page->out, "<h3>In %s</h3>\n", rw_domain_name(verdict->domain));
        markup_in("<p>", verdict->counterexample_text, "</p>\n", page->out);
    }
}
