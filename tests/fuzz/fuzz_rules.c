// SPDX-License-Identifier: Apache-2.0
// Any bytes as a rule text.  What parses must survive printing and parsing
// with the same identity, and its canonical text must be a fixed point.
#include "base/err.h"
#include "rules/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void same(const struct rule *r, const char *text, const char *what)
{
    struct ruleset s;
    struct err_list errs = {0};
    ruleset_init(&s);
    if (!ruleset_parse(&s, text, strlen(text), "again", &errs))
        BUG("%s does not parse: %s\n%s", what, errs.at.at[0].msg, text);
    if (s.rules.len != 1)
        BUG("%s holds %u rules", what, s.rules.len);
    if (strcmp(s.rules.at[0]->canonical, r->canonical) != 0)
        BUG("%s has another canonical text\n%s\n%s", what, r->canonical,
            s.rules.at[0]->canonical);
    if (strcmp(s.rules.at[0]->hash, r->hash) != 0)
        BUG("%s has another hash", what);
    vec_release(&errs.at);
    ruleset_release(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ruleset s;
    struct err_list errs = {0};
    ruleset_init(&s);
    bool ok = ruleset_parse(&s, (const char *)data, size, "fuzz.rw", &errs);
    if (ok != (errs.at.len == 0))
        BUG("%u errors, but the answer is %d", errs.at.len, ok);
    for (uint32_t i = 0; i < errs.at.len; i++)
        if (errs.at.at[i].line == 0 || errs.at.at[i].msg[0] == '\0')
            BUG("an error without place or text");
    for (uint32_t i = 0; i < s.rules.len; i++) {
        struct buf text = {0};
        rule_print(s.rules.at[i], &text);
        same(s.rules.at[i], buf_text(&text), "the printed rule");
        same(s.rules.at[i], s.rules.at[i]->canonical, "the canonical text");
        buf_release(&text);
    }
    vec_release(&errs.at);
    ruleset_release(&s);
    return 0;
}
