// SPDX-License-Identifier: Apache-2.0
#include "api/discover/lint_json.h"

#include "api/rules/json.h"

void lint_put_json(const struct lint_finding *finding, struct buf *out)
{
    json_t *rules = json_array();
    for (uint32_t i = 0; i < finding->n_rules; i++)
        json_array_append_new(rules, json_string(finding->rules[i]->name));
    json_line(json_pack("{s:s, s:o, s:s, s:s}", "kind", lint_kind_text(finding->kind), "rules",
                        rules, "method", finding->method, "witness", finding->witness),
              out);
}
