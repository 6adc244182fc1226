// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/proving/meanings.h"
#include "cli/proving/proving.h"
#include "cli/records/records.h"
#include "cli/proving/rule_json.h"
#include "cli/proving/statuses.h"

#include "io/stablehlo/stablehlo.h"
#include "proof/program/check.h"

struct check_context {
    struct db *db;        // NULL: none; with --reprove only for definitions
    const char *db_error; // why not
    bool reprove;
    struct ruleset assumed; // --assume
    struct proving proving;
};

static bool in_set(const struct ruleset *set, const char *hash)
{
    for (uint32_t i = 0; i < set->rules.len; i++)
        if (strcmp(set->rules.at[i]->hash, hash) == 0)
            return true;
    return false;
}

static bool status_of(struct check_context *context, const struct rule *rule, const char *name,
                      bool assumed, struct rule_status *out, struct err *err)
{
    bool known = false;
    if (assumed) {
        if (!in_set(&context->assumed, rule->hash))
            return err_set(err, ERR_CHECK,
                           "rule %s is assumed by the record, "
                           "but is in no file given with --assume",
                           name);
        out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
        return true;
    }
    if (context->reprove)
        return prove_status(&context->proving, rule, out, err);
    if (!context->db)
        return err_set(err, ERR_CHECK, "rule %s: %s (--reprove proves it again)", name,
                       context->db_error);
    if (!status_by_hash(context->db, rule->hash, out, &known, err))
        return false;
    return known || err_set(err, ERR_CHECK,
                            "rule %s (%.12s) is not in the "
                            "database (--reprove proves it again)",
                            name, rule->hash);
}

static bool status(void *ctx, const struct record_rule *rule, struct rule_status *out,
                   struct err *err)
{
    return status_of(ctx, rule->rule, rule->name, rule->assumed, out, err);
}

static bool formula_status(void *ctx, const struct rule *rule, const char *name, bool assumed,
                           struct rule_status *out, struct err *err)
{
    return status_of(ctx, rule, name, assumed, out, err);
}

// A text of the record: its own, or that of a file that must say the same.
static bool text_is(const char *text, const char *what, const char *file, struct err *err)
{
    struct buf other = {0};
    if (!file)
        return true;
    bool ok = file_read(file, (size_t)1 << 30, &other, err);
    if (ok && (other.len != strlen(text) || memcmp(buf_text(&other), text, other.len) != 0))
        ok = err_set(err, ERR_CHECK, "%s is not the %s of the record", file, what);
    buf_release(&other);
    return ok;
}

// The program that the record speaks of.
static bool program_of(const char *text, const char *what, const char *file, struct pool *pool,
                       struct program *out, struct err *err)
{
    if (!text_is(text, what, file, err))
        return false;
    program_init(out, pool);
    bool ok = stablehlo_read(text, strlen(text), what, out, err);
    if (!ok)
        program_release(out);
    return ok;
}

static bool check_formula(struct command_line *command, const struct formula_record *record,
                          struct check_context *context, struct err *err)
{
    struct formula_check_options options = {formula_status, context,
                                            command->value[OPTION_assume] != NULL};
    return text_is(record->input, "input formula", command->value[OPTION_input], err) &&
           text_is(record->output, "output formula", command->value[OPTION_program], err) &&
           formula_record_check(record, &options, err);
}

static bool check_program(struct command_line *command, struct record *record, struct pool *pool,
                          struct check_context *context, struct err *err)
{
    struct program in, out;
    if (!program_of(record->input, "input program", command->value[OPTION_input], pool, &in, err))
        return false;
    if (!program_of(record->output, "output program", command->value[OPTION_program], pool, &out,
                    err)) {
        program_release(&in);
        return false;
    }
    struct check_options options = {status, context, command->value[OPTION_assume] != NULL};
    bool ok = record_check(record, &in, &out, &options, err);
    program_release(&in);
    program_release(&out);
    return ok;
}

static bool prepare(struct command_line *command, struct check_context *context,
                    struct err *db_error, struct err *err)
{
    const char *assume = command->value[OPTION_assume];
    if (assume && !load_rules(&context->assumed, assume, err))
        return false;
    context->reprove = command->value[OPTION_reprove] != NULL;
    if (!proving_options(command, &context->proving, err))
        return false;
    // Whoever names a solver should not be told what another one proved.
    if (!context->reprove && context->proving.again)
        return err_set(err, ERR_USAGE, "check: --solver and --method need --reprove");
    if (open_database(command, DB_READ, &context->db, db_error))
        return true;
    context->db_error = db_error->msg;
    // A database that was asked for must be there, if verdicts are to be read.
    if (command->value[OPTION_db] && !context->reprove) {
        *err = *db_error;
        return false;
    }
    return true;
}

// Who has no use for the database does without one that cannot be read.
static bool find_meanings(const struct check_context *context, const struct formula_record *record,
                          struct meanings *meanings, struct err *err)
{
    if (meanings_find(meanings, record, context->db, err))
        return true;
    meanings_release(meanings);
    return context->reprove && meanings_find(meanings, record, NULL, err);
}

static void report(struct command_line *command, const struct any_record *record, bool valid,
                   const char *why, const struct meanings *meanings, struct buf *out)
{
    uint32_t uses = 0, lines = 0, rules = 0;
    if (record && record->is_formula) {
        rules = record->formula.rules.len;
        formula_record_count(&record->formula, &lines, &uses);
    } else if (record) {
        rules = record->program.rules.len;
        lines = record->program.lines.len;
        for (uint32_t i = 0; i < lines; i++)
            uses += record->program.lines.at[i].kind == LINE_RULE;
    }
    if (command->value[OPTION_json]) {
        json_t *json =
            json_pack("{s:b, s:s, s:I, s:I, s:I}", "valid", valid, "reason", why, "lines",
                      (json_int_t)lines, "rule_uses", (json_int_t)uses, "rules", (json_int_t)rules);
        if (valid && record->is_formula)
            json_object_set_new(json, "functions", meanings_json(meanings));
        json_line(json, out);
    } else if (valid) {
        buf_printf(out, "valid: %u lines, %u uses of %u rules\n", lines, uses, rules);
        meanings_print(meanings, out);
    } else {
        buf_printf(out, "rejected: %s\n", why);
    }
}

int cmd_check(struct command_line *command)
{
    struct err err = {0}, db_error = {0}, io = {0};
    struct pool pool;
    struct any_record record;
    struct check_context context = {0};
    struct meanings meanings = {0};
    struct buf out = {0};
    if (command->words.len != 1) {
        err_set(&err, ERR_USAGE, "check: expected one proof record");
        return report_error(&err);
    }
    pool_init(&pool);
    ruleset_init(&context.assumed);
    bool ok = prepare(command, &context, &db_error, &err);
    bool read = ok && read_any_record(command->words.at[0], &pool, &record, &err);
    bool valid = read && (record.is_formula
                              ? check_formula(command, &record.formula, &context, &err)
                              : check_program(command, &record.program, &pool, &context, &err));
    bool told =
        !valid || !record.is_formula || find_meanings(&context, &record.formula, &meanings, &io);
    // A record that is well formed, but whose terms or texts do not build,
    // is rejected too.
    bool rejected = !valid && (err.kind == ERR_CHECK || (read && err.kind == ERR_INPUT));
    if (valid || rejected) {
        report(command, read ? &record : NULL, valid, err.msg, &meanings, &out);
        if (!told || !print_all(&out, &io)) {
            valid = rejected = false;
            err = io;
        }
    }
    meanings_release(&meanings);
    if (read)
        any_record_release(&record);
    db_close(context.db);
    ruleset_release(&context.assumed);
    buf_release(&out);
    pool_release(&pool);
    return valid ? EXIT_YES : rejected ? EXIT_NO : report_error(&err);
}
