// SPDX-License-Identifier: Apache-2.0
// How often records use each rule.
#include "api/records/records.h"

static void add(struct record_uses *out, const char *hash, const char *name, uint64_t count)
{
    for (uint32_t i = 0; i < out->at.len; i++)
        if (strcmp(out->at.at[i].hash, hash) == 0) {
            out->at.at[i].count += count;
            return;
        }
    struct record_use use = {arena_strdup(&out->mem, hash), arena_strdup(&out->mem, name), count};
    vec_push(&out->at, use);
}

void record_uses_add(const struct rw_record *record, struct record_uses *out)
{
    if (record->is_formula) {
        const struct formula_record *formula = &record->formula;
        for (uint32_t i = 0; i < formula->rules.len; i++)
            add(out, formula->rules.at[i].hash, formula->rules.at[i].name,
                formula_record_uses(formula, i));
        return;
    }
    const struct record *program = &record->program;
    for (uint32_t i = 0; i < program->rules.len; i++)
        add(out, program->rules.at[i].hash, program->rules.at[i].name, 0);
    for (uint32_t i = 0; i < program->lines.len; i++)
        if (program->lines.at[i].kind == LINE_RULE)
            add(out, program->rules.at[program->lines.at[i].rule].hash, "", 1);
}

void record_uses_release(struct record_uses *uses)
{
    vec_release(&uses->at);
    arena_release(&uses->mem);
}
