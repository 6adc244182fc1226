// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/result.h"

#include "api/rules/json.h"
#include "base/hash.h"
#include "proof/emit/emit.h"

void rw_result_free(struct rw_result *result)
{
    if (result == NULL)
        return;
    simplification_free(result->program);
    formula_simplification_free(result->formula);
    buf_release(&result->text);
    buf_release(&result->written);
    buf_release(&result->cost);
    mem_free(result);
}

const struct rw_summary *rw_result_summary(const struct rw_result *result)
{
    return &result->summary;
}

const char *rw_result_text(const struct rw_result *result, size_t *size)
{
    const struct buf *text = result->program ? &result->program->output : &result->text;
    if (size != NULL)
        *size = text->len;
    return buf_text(text);
}

static bool write_record(struct rw_result *result, struct err *err)
{
    if (result->written.len > 0)
        return true;
    if (result->formula != NULL
            ? formula_record_write(&result->formula->record, &result->written, err)
            : record_write(&result->program->record, &result->written, err))
        return true;
    buf_clear(&result->written);
    return false;
}

const char *rw_result_record(struct rw_result *result, size_t *size, struct rw_error *error)
{
    struct err err = {0};
    if (!write_record(result, &err)) {
        error_give(&err, error);
        return NULL;
    }
    if (size != NULL)
        *size = result->written.len;
    return buf_text(&result->written);
}

char *rw_result_json(const struct rw_result *result)
{
    const struct rw_summary *summary = &result->summary;
    if (result->formula != NULL)
        return json_give(formula_object(result->formula, summary));
    return json_give(json_pack("{s:I, s:I, s:I, s:f, s:f, s:s, s:I, s:f, s:s*}", "nodes",
                               (json_int_t)summary->nodes, "classes", (json_int_t)summary->classes,
                               "iterations", (json_int_t)summary->rounds, "cost_before",
                               summary->cost_before, "cost_after", summary->cost_after, "stop",
                               summary->stop, "steps", (json_int_t)summary->steps, "seconds",
                               summary->seconds, "verified", summary->verified));
}

// A rule that does not run was not read, but for this line.
static void put_refused(struct rw_rewriter *rewriter, uint32_t number, struct buf *out)
{
    struct err why = {0};
    struct arena mem = {0};
    struct pattern pattern;
    if (!rewriter_read(rewriter, 1, &number, &why) || rewriter->rules.at[number].use.rule == NULL)
        return;
    pattern_compile(&pattern, rewriter->rules.at[number].use.rule, false, &mem);
    buf_printf(out, "%-40s does not run: %s\n", rewriter->used.at[number].name, pattern.refused);
    arena_release(&mem);
}

// The work of each rule: a line for each rule that did any.
static void put_statistics(const struct simplification *run, struct buf *out)
{
    uint32_t read = 0;
    for (uint32_t i = 0; i < run->saturation.rules.len; i++)
        read += run->saturation.rules.at[i].use.rule != NULL;
    for (uint32_t i = 0; i < run->saturation.rules.len; i++) {
        const struct running_rule *rule = &run->saturation.rules.at[i];
        const struct rule_stats *stats = &rule->stats;
        const char *name = run->rewriter->used.at[i].name;
        if (rule->use.rule == NULL && rule->outline.roots == 0)
            put_refused(run->rewriter, i, out);
        if (rule->pattern.refused)
            buf_printf(out, "%-40s does not run: %s\n", name, rule->pattern.refused);
        else if (stats->matches || stats->seconds > 1e-3)
            buf_printf(out,
                       "%-40s %6llu new %6llu applied %6llu missed %6llu "
                       "failed %8llu steps %8.1f ms\n",
                       name, (unsigned long long)stats->matches, (unsigned long long)stats->applied,
                       (unsigned long long)stats->missed, (unsigned long long)stats->failed,
                       (unsigned long long)stats->steps, stats->seconds * 1e3);
    }
    buf_printf(out, "%u of %u rules read\n", read, run->saturation.rules.len);
    buf_printf(out, "%llu match steps\n", (unsigned long long)run->saturation.steps);
}

char *rw_result_describe(const struct rw_result *result)
{
    struct buf text = {0};
    if (result->formula != NULL)
        formula_put_lines(result->formula, &text);
    else
        put_statistics(result->program, &text);
    return text_give(&text);
}

struct hashes {
    VEC(const char *) at;
};

// A program's record has a use for each step, a formula's record one for each
// rule.
static void used_hashes(const struct rw_result *result, struct hashes *out)
{
    if (result->formula != NULL) {
        const struct formula_record *record = &result->formula->record;
        for (uint32_t i = 0; i < record->rules.len; i++)
            vec_push(&out->at, record->rules.at[i].hash);
        return;
    }
    const struct record *record = &result->program->record;
    for (uint32_t i = 0; i < record->lines.len; i++)
        if (record->lines.at[i].kind == LINE_RULE)
            vec_push(&out->at, record->rules.at[record->lines.at[i].rule].hash);
}

bool rw_result_store(struct rw_result *result, struct rw_database *database, struct rw_error *error)
{
    struct err err = {0};
    struct hashes hashes = {0};
    char id[65];
    enum float_reading reading = result->formula ? READ_REAL : result->program->reading;
    if (!db_writable(database->db))
        return true;
    bool ok = write_record(result, &err);
    sha256_hex(buf_text(&result->written), result->written.len, id);
    used_hashes(result, &hashes);
    ok = ok &&
         db_put_record(database->db, id, reading_text(reading), hashes.at.len, hashes.at.at, &err);
    vec_release(&hashes.at);
    return ok || error_give(&err, error);
}
