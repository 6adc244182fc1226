// SPDX-License-Identifier: Apache-2.0
#include "api/discover/scalar_json.h"

#include "api/rules/json.h"

void scalar_put_lines(const struct scalar_options *options, const struct scalar_result *result,
                      struct buf *out)
{
    for (uint32_t i = 0; i < result->rule.len; i++) {
        const struct scalar_rule *rule = &result->rule.at[i];
        json_t *j = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "name", rule->name, "lhs",
                              rule->lhs, "rhs", rule->rhs, "rule", rule->text, "conditional",
                              rule->conditional, "proved", rule->proved);
        if (options->width > 0)
            json_object_set_new(j, "width", json_integer(options->width));
        json_line(j, out);
    }
    const struct scalar_stats *stats = &result->stats;
    json_t *j = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:f, s:f, s:b}",
                          "kept", (int)result->rule.len, "terms", (int)stats->terms, "classes",
                          (int)stats->classes, "candidates", (int)stats->candidates, "proved",
                          (int)stats->proved, "refuted", (int)stats->refuted, "unknown",
                          (int)stats->unknown, "derived", (int)stats->derived, "one_width",
                          (int)stats->one_width, "seconds", stats->seconds, "cpu", stats->cpu,
                          "widening", stats->widening, "cut", stats->cut);
    json_line(j, out);
}
