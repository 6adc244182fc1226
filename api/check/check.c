// SPDX-License-Identifier: Apache-2.0
// Reads a record, with its programs or formulas, and replays every step.
#include "api/database/database.h"
#include "api/check/meanings.h"
#include "api/proving/proving.h"
#include "api/records/records.h"
#include "api/rules/json.h"
#include "api/rules/rules.h"
#include "api/rules/statuses.h"

#include "io/program/program.h"
#include "proof/program/check.h"
#include "proof/remedy.h"

// The source of the rules' verdicts.
struct known {
    struct rw_check_options options;
    struct db *db; // NULL: none
    const struct ruleset *assumed;
    struct proving proving;
};

static bool status_of(struct known *known, const struct rule *rule, const char *name, bool assumed,
                      struct rule_status *out, struct err *err)
{
    bool there = false;
    const char *absent = known->options.no_database;
    if (assumed) {
        *out = status_assumed();
        return (known->assumed && has_rule(known->assumed, rule->hash)) ||
               err_at(err, ERR_CHECK, REMEDY_ASSUMED, 0, 0,
                      "rule %s is assumed by the record, but is none of the rules to be assumed",
                      name);
    }
    if (known->options.reprove)
        return prove_status(&known->proving, rule, out, err);
    if (!known->db)
        return err_at(err, ERR_CHECK, REMEDY_REPROVE, 0, 0, "rule %s: %s", name,
                      absent ? absent : "there is no database");
    return status_by_hash(known->db, rule->hash, out, &there, err) &&
           (there || err_at(err, ERR_CHECK, REMEDY_REPROVE, 0, 0,
                            "rule %s (%.12s) is not in the database", name, rule->hash));
}

static bool program_status(void *user, const struct record_rule *rule, struct rule_status *out,
                           struct err *err)
{
    return status_of(user, rule->rule, rule->name, rule->assumed, out, err);
}

static bool formula_status(void *user, const struct rule *rule, const char *name, bool assumed,
                           struct rule_status *out, struct err *err)
{
    return status_of(user, rule, name, assumed, out, err);
}

// Compares a text of the record with the text that the caller expects.
static bool text_is(const char *text, const char *what, const struct rw_expected *expected,
                    struct err *err)
{
    return expected == NULL ||
           (expected->size == strlen(text) && memcmp(expected->text, text, expected->size) == 0) ||
           err_set(err, ERR_CHECK, "%s is not the %s of the record", expected->file, what);
}

// Reads both programs of the record.
static bool read_programs(const struct rw_record *record, const struct known *known,
                          struct program *in, struct program *out, struct err *err)
{
    const char *input = record->program.input, *output = record->program.output;
    return text_is(input, "input program", known->options.input, err) &&
           text_is(output, "output program", known->options.output, err) &&
           program_text_read(input, strlen(input), "input program", in, err) &&
           program_text_read_output(output, strlen(output), "output program",
                                    &(struct output_of){in, &record->program.regions}, out, err);
}

static bool check_formula(const struct formula_record *record, struct known *known, struct err *err)
{
    struct formula_check_options options = {formula_status, known, known->assumed != NULL};
    return text_is(record->input, "input formula", known->options.input, err) &&
           text_is(record->output, "output formula", known->options.output, err) &&
           formula_record_check(record, &options, err);
}

static bool check_program(struct rw_record *record, struct known *known, struct err *err)
{
    struct program in, out;
    struct check_options options = {program_status, known, known->assumed != NULL};
    program_init(&in, &record->pool);
    program_init(&out, &record->pool);
    in.pinned = out.pinned = sym_make(&record->pool, record->program.keep_attributes);
    bool ok = read_programs(record, known, &in, &out, err) &&
              record_check(&record->program, &in, &out, &options, err);
    program_release(&in);
    program_release(&out);
    return ok;
}

// ---- the answer

struct check_answer {
    struct rw_check seen; // first: callers have a pointer to it
    struct arena mem;
};

void rw_check_free(struct rw_check *check)
{
    if (check == NULL)
        return;
    struct check_answer *answer = (struct check_answer *)check;
    arena_release(&answer->mem);
    mem_free(answer);
}

static void count(const struct rw_record *record, struct rw_check *out)
{
    if (record->is_formula) {
        out->formula = true;
        out->rules = record->formula.rules.len;
        formula_record_count(&record->formula, &out->lines, &out->rule_uses);
        return;
    }
    out->rules = record->program.rules.len;
    out->lines = record->program.lines.len;
    for (uint32_t i = 0; i < out->lines; i++)
        out->rule_uses += record->program.lines.at[i].kind == LINE_RULE;
}

static void add_functions(struct check_answer *answer, const struct meanings *meanings)
{
    static const enum rw_same same[] = {[MEANING_SAME] = RW_SAME,
                                        [MEANING_OTHER] = RW_OTHER,
                                        [MEANING_NONE] = RW_NONE,
                                        [MEANING_UNKNOWN] = RW_NOT_KNOWN};
    uint32_t n = meanings->at.len;
    struct rw_function *all = ARENA_NEW(&answer->mem, struct rw_function, n + 1);
    for (uint32_t i = 0; i < n; i++)
        all[i] = (struct rw_function){arena_strdup(&answer->mem, meanings->at.at[i].name),
                                      same[meanings->at.at[i].meaning]};
    answer->seen.functions = all;
    answer->seen.n_functions = n;
}

// Records of formulas mark a rule that runs from right to left.
static bool names_rule(const char *record, const char *name)
{
    size_t n = strlen(name);
    return strncmp(record, name, n) == 0 && (record[n] == '\0' || strcmp(record + n, "-back") == 0);
}

// The database's name of the rule if the record has another one.
static bool other_name(struct db *db, const struct record_use *use, struct buf *out,
                       struct err *err)
{
    struct db_filter filter;
    struct stored_rules rows = {0};
    db_filter_init(&filter);
    filter.hash = use->hash;
    filter.superseded = filter.brief = true;
    bool ok = db_find(db, &filter, &rows, err), same = false;
    for (uint32_t i = 0; ok && i < rows.rules.len; i++)
        same |= names_rule(use->name, rows.rules.at[i].name);
    if (ok && !same && rows.rules.len > 0)
        buf_printf(out, "%s/%s", rows.rules.at[0].family, rows.rules.at[0].name);
    stored_rules_release(&rows);
    db_filter_release(&filter);
    return ok;
}

// Names are for readers only: where the database cannot be read, none is compared.
static void find_renamed(const struct known *known, const struct rw_record *record,
                         struct check_answer *answer)
{
    struct record_uses uses = {0};
    struct err err = {0};
    record_uses_add(record, &uses);
    struct rw_renamed *all = ARENA_NEW(&answer->mem, struct rw_renamed, uses.at.len + 1);
    size_t n = 0;
    for (uint32_t i = 0; known->db && i < uses.at.len; i++) {
        struct buf name = {0};
        if (other_name(known->db, &uses.at.at[i], &name, &err) && name.len > 0)
            all[n++] = (struct rw_renamed){arena_strdup(&answer->mem, uses.at.at[i].name),
                                           arena_strdup(&answer->mem, buf_text(&name)),
                                           arena_strdup(&answer->mem, uses.at.at[i].hash)};
        buf_release(&name);
    }
    record_uses_release(&uses);
    answer->seen.renamed = all;
    answer->seen.n_renamed = n;
}

// A caller without use for the database may go on without a database that
// cannot be read.
static bool find_functions(const struct known *known, const struct formula_record *record,
                           struct check_answer *answer, struct err *err)
{
    struct meanings meanings;
    bool ok = meanings_find(&meanings, record, known->db, err);
    if (!ok && known->options.reprove) {
        meanings_release(&meanings);
        err_clear(err);
        ok = meanings_find(&meanings, record, NULL, err);
    }
    if (ok)
        add_functions(answer, &meanings);
    meanings_release(&meanings);
    return ok;
}

static bool prepare(struct rw_context *context, const struct rw_check_options *options,
                    struct known *known, struct err *err)
{
    memset(known, 0, sizeof *known);
    if (!options_copy(options, &known->options, sizeof known->options, err) ||
        !proving_of(context, known->options.prove, &known->proving, err))
        return false;
    if (known->options.database)
        known->db = known->options.database->db;
    if (known->options.assumed)
        known->assumed = &known->options.assumed->set;
    return true;
}

// False: *err is an error, not a rejection.
static bool answer_of(struct rw_record *record, struct known *known, struct check_answer *answer,
                      struct err *err)
{
    bool valid = record != NULL && (record->is_formula ? check_formula(&record->formula, known, err)
                                                       : check_program(record, known, err));
    if (record != NULL) {
        count(record, &answer->seen);
        find_renamed(known, record, answer);
    }
    answer->seen.valid = valid;
    answer->seen.reason = answer->seen.domain = answer->seen.remedy = "";
    if (valid)
        answer->seen.domain =
            reading_text(record->is_formula ? READ_REAL : record->program.reading);
    if (valid)
        return !record->is_formula || find_functions(known, &record->formula, answer, err);
    // A record that is well formed, but whose terms or texts do not build, is
    // rejected too.
    if (err->kind != ERR_CHECK && (record == NULL || err->kind != ERR_INPUT))
        return false;
    answer->seen.reason = arena_strdup(&answer->mem, err->msg);
    if (strcmp(err->file, REMEDY_REPROVE) == 0 || strcmp(err->file, REMEDY_ASSUMED) == 0)
        answer->seen.remedy = arena_strdup(&answer->mem, err->file);
    return true;
}

struct rw_check *rw_check_record(struct rw_context *context, const char *text, size_t size,
                                 const char *file, const struct rw_check_options *options,
                                 struct rw_error *error)
{
    struct err err = {0};
    struct known known;
    struct rw_record *record = NULL;
    struct check_answer *answer = mem_alloc(sizeof *answer);
    bool ok = prepare(context, options, &known, &err);
    if (ok) {
        record = record_from_text(context, text, size, file, &err);
        ok = answer_of(record, &known, answer, &err);
    }
    rw_record_free(record);
    if (ok)
        return &answer->seen;
    rw_check_free(&answer->seen);
    error_give(&err, error);
    return NULL;
}

char *rw_check_json(const struct rw_check *check)
{
    static const char *const words[] = {
        [RW_SAME] = "same", [RW_OTHER] = "other", [RW_NONE] = "none", [RW_NOT_KNOWN] = "unknown"};
    json_t *object =
        json_pack("{s:b, s:s, s:s, s:I, s:I, s:I}", "valid", check->valid, "reason", check->reason,
                  "remedy", check->remedy, "lines", (json_int_t)check->lines, "rule_uses",
                  (json_int_t)check->rule_uses, "rules", (json_int_t)check->rules);
    json_t *functions = json_array();
    for (size_t i = 0; i < check->n_functions; i++)
        json_array_append_new(functions,
                              json_pack("{s:s, s:s}", "function", check->functions[i].name,
                                        "database", words[check->functions[i].database]));
    json_t *renamed = json_array();
    for (size_t i = 0; i < check->n_renamed; i++)
        json_array_append_new(
            renamed, json_pack("{s:s, s:s, s:s}", "record", check->renamed[i].record, "database",
                               check->renamed[i].database, "hash", check->renamed[i].hash));
    json_object_set_new(object, "renamed", renamed);
    if (check->valid)
        json_object_set_new(object, "domain", json_string(check->domain));
    if (check->valid && check->formula)
        json_object_set_new(object, "functions", functions);
    else
        json_decref(functions);
    return json_give(object);
}
