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

static bool in_set(const struct ruleset *s, const char *hash)
{
    for (uint32_t i = 0; i < s->rules.len; i++)
        if (strcmp(s->rules.at[i]->hash, hash) == 0)
            return true;
    return false;
}

static bool status_of(struct check_context *k, const struct rule *r, const char *name,
                      bool assumed, struct rule_status *out, struct err *e)
{
    bool known = false;
    if (assumed) {
        if (!in_set(&k->assumed, r->hash))
            return err_set(e, ERR_CHECK,
                           "rule %s is assumed by the record, "
                           "but is in no file given with --assume",
                           name);
        out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
        return true;
    }
    if (k->reprove)
        return prove_status(&k->proving, r, out, e);
    if (!k->db)
        return err_set(e, ERR_CHECK, "rule %s: %s (--reprove proves it again)",
                       name, k->db_error);
    if (!status_by_hash(k->db, r->hash, out, &known, e))
        return false;
    return known || err_set(e, ERR_CHECK,
                            "rule %s (%.12s) is not in the "
                            "database (--reprove proves it again)",
                            name, r->hash);
}

static bool status(void *ctx, const struct record_rule *r,
                   struct rule_status *out, struct err *e)
{
    return status_of(ctx, r->rule, r->name, r->assumed, out, e);
}

static bool formula_status(void *ctx, const struct rule *r, const char *name,
                           bool assumed, struct rule_status *out, struct err *e)
{
    return status_of(ctx, r, name, assumed, out, e);
}

// A text of the record: its own, or that of a file that must say the same.
static bool text_is(const char *text, const char *what, const char *file,
                    struct err *e)
{
    struct buf other = {0};
    if (!file)
        return true;
    bool ok = file_read(file, (size_t)1 << 30, &other, e);
    if (ok && (other.len != strlen(text) ||
               memcmp(buf_text(&other), text, other.len) != 0))
        ok =
            err_set(e, ERR_CHECK, "%s is not the %s of the record", file, what);
    buf_release(&other);
    return ok;
}

// The program that the record speaks of.
static bool program_of(const char *text, const char *what, const char *file,
                       struct pool *pool, struct program *out, struct err *e)
{
    if (!text_is(text, what, file, e))
        return false;
    program_init(out, pool);
    bool ok = stablehlo_read(text, strlen(text), what, out, e);
    if (!ok)
        program_release(out);
    return ok;
}

static bool check_formula(struct command_line *c,
                          const struct formula_record *r, struct check_context *k,
                          struct err *e)
{
    struct formula_check_options o = {formula_status, k,
                                      c->value[OPTION_assume] != NULL};
    return text_is(r->input, "input formula", c->value[OPTION_input], e) &&
           text_is(r->output, "output formula", c->value[OPTION_program], e) &&
           formula_record_check(r, &o, e);
}

static bool check_program(struct command_line *c, struct record *r,
                          struct pool *pool, struct check_context *k, struct err *e)
{
    struct program in, out;
    if (!program_of(r->input, "input program", c->value[OPTION_input], pool,
                    &in, e))
        return false;
    if (!program_of(r->output, "output program", c->value[OPTION_program], pool,
                    &out, e)) {
        program_release(&in);
        return false;
    }
    struct check_options o = {status, k, c->value[OPTION_assume] != NULL};
    bool ok = record_check(r, &in, &out, &o, e);
    program_release(&in);
    program_release(&out);
    return ok;
}

static bool prepare(struct command_line *c, struct check_context *k,
                    struct err *db_error, struct err *e)
{
    const char *assume = c->value[OPTION_assume];
    if (assume && !load_rules(&k->assumed, assume, e))
        return false;
    k->reprove = c->value[OPTION_reprove] != NULL;
    if (!proving_options(c, &k->proving, e))
        return false;
    // Whoever names a solver should not be told what another one proved.
    if (!k->reprove && k->proving.again)
        return err_set(e, ERR_USAGE,
                       "check: --solver and --method need --reprove");
    if (open_database(c, DB_READ, &k->db, db_error))
        return true;
    k->db_error = db_error->msg;
    // A database that was asked for must be there, if verdicts are to be read.
    if (c->value[OPTION_db] && !k->reprove) {
        *e = *db_error;
        return false;
    }
    return true;
}

// Who has no use for the database does without one that cannot be read.
static bool find_meanings(const struct check_context *k, const struct formula_record *r,
                          struct meanings *m, struct err *e)
{
    if (meanings_find(m, r, k->db, e))
        return true;
    meanings_release(m);
    return k->reprove && meanings_find(m, r, NULL, e);
}

static void report(struct command_line *c, const struct any_record *r,
                   bool valid, const char *why, const struct meanings *m,
                   struct buf *out)
{
    uint32_t uses = 0, lines = 0, rules = 0;
    if (r && r->is_formula) {
        rules = r->formula.rules.len;
        formula_record_count(&r->formula, &lines, &uses);
    } else if (r) {
        rules = r->program.rules.len;
        lines = r->program.lines.len;
        for (uint32_t i = 0; i < lines; i++)
            uses += r->program.lines.at[i].kind == LINE_RULE;
    }
    if (c->value[OPTION_json]) {
        json_t *o =
            json_pack("{s:b, s:s, s:I, s:I, s:I}", "valid", valid, "reason",
                      why, "lines", (json_int_t)lines, "rule_uses",
                      (json_int_t)uses, "rules", (json_int_t)rules);
        if (valid && r->is_formula)
            json_object_set_new(o, "functions", meanings_json(m));
        json_line(o, out);
    } else if (valid) {
        buf_printf(out, "valid: %u lines, %u uses of %u rules\n", lines, uses,
                   rules);
        meanings_print(m, out);
    } else {
        buf_printf(out, "rejected: %s\n", why);
    }
}

int cmd_check(struct command_line *c)
{
    struct err e = {0}, db_error = {0}, io = {0};
    struct pool pool;
    struct any_record record;
    struct check_context k = {0};
    struct meanings meanings = {0};
    struct buf out = {0};
    if (c->words.len != 1) {
        err_set(&e, ERR_USAGE, "check: expected one proof record");
        return report_error(&e);
    }
    pool_init(&pool);
    ruleset_init(&k.assumed);
    bool ok = prepare(c, &k, &db_error, &e);
    bool read = ok && read_any_record(c->words.at[0], &pool, &record, &e);
    bool valid =
        read &&
        (record.is_formula ? check_formula(c, &record.formula, &k, &e)
                           : check_program(c, &record.program, &pool, &k, &e));
    bool told = !valid || !record.is_formula ||
                find_meanings(&k, &record.formula, &meanings, &io);
    // A record that is well formed, but whose terms or texts do not build,
    // is rejected too.
    bool rejected =
        !valid && (e.kind == ERR_CHECK || (read && e.kind == ERR_INPUT));
    if (valid || rejected) {
        report(c, read ? &record : NULL, valid, e.msg, &meanings, &out);
        if (!told || !print_all(&out, &io)) {
            valid = rejected = false;
            e = io;
        }
    }
    meanings_release(&meanings);
    if (read)
        any_record_release(&record);
    db_close(k.db);
    ruleset_release(&k.assumed);
    buf_release(&out);
    pool_release(&pool);
    return valid ? EXIT_YES : rejected ? EXIT_NO : report_error(&e);
}
