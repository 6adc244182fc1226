// SPDX-License-Identifier: Apache-2.0
// Any bytes as a rule text.  What parses must survive printing and parsing
// with the same identity, and its canonical text must be a fixed point.
#include "base/err.h"
#include "rules/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const struct rule *rule, const char *text, const char *what)
{
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    if (!ruleset_parse(&set, text, strlen(text), "again", &errs))
        BUG("%s does not parse: %s\n%s", what, errs.at.at[0].msg, text);
    if (set.rules.len != 1)
        BUG("%s holds %u rules", what, set.rules.len);
    if (strcmp(set.rules.at[0]->canonical, rule->canonical) != 0)
        BUG("%s has another canonical text\n%s\n%s", what, rule->canonical,
            set.rules.at[0]->canonical);
    if (strcmp(set.rules.at[0]->hash, rule->hash) != 0)
        BUG("%s has another hash", what);
    vec_release(&errs.at);
    ruleset_release(&set);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    bool ok = ruleset_parse(&set, (const char *)data, size, "fuzz.rw", &errs);
    if (ok != (errs.at.len == 0))
        BUG("%u errors, but the answer is %d", errs.at.len, ok);
    for (uint32_t i = 0; i < errs.at.len; i++)
        if (errs.at.at[i].line == 0 || errs.at.at[i].msg[0] == '\0')
            BUG("an error without place or text");
    for (uint32_t i = 0; i < set.rules.len; i++) {
        struct buf text = {0};
        rule_print(set.rules.at[i], &text);
        same(set.rules.at[i], buf_text(&text), "the printed rule");
        same(set.rules.at[i], set.rules.at[i]->canonical, "the canonical text");
        buf_release(&text);
    }
    vec_release(&errs.at);
    ruleset_release(&set);
    return 0;
}
