// SPDX-License-Identifier: Apache-2.0
// A formula in, one that is easier to read out, by proved rules only:
//   load the rules; read; simplify; check the record; print.
#include "cli/formula/formula.h"
#include "cli/formula/page.h"
#include "cli/formula/rules.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"
#include "cli/proving/statuses.h"

#include "base/clock.h"
#include "base/text/cursor.h"
#include "base/hash.h"
#include "simplify/simplify.h"

struct formula_job {
    struct command_line *command;
    struct simplify_options simplify_options;
    enum notation notation;
    double start, loaded;

    struct db *db; // borrowed
    struct formula_rules rules;

    struct fterms terms;
    struct buf text; // of the input
    struct formula formula;
    struct simplify_result result;
    struct formula_record record;
    bool has_record;
};

static bool ends_with(const char *text, const char *tail)
{
    size_t n = strlen(text), m = strlen(tail);
    return n >= m && strcmp(text + n - m, tail) == 0;
}

bool formula_wanted(const struct command_line *command)
{
    return command->value[OPTION_formula] != NULL ||
           (command->words.len > 0 && ends_with(command->words.at[0], ".expr"));
}

static bool read_options(struct formula_job *job, struct err *err)
{
    static const char *const notations[] = {"text", "latex", "mathml"};
    static const enum option programs[] = {OPTION_domain,    OPTION_cost,
                                           OPTION_extract,   OPTION_dump_egraph,
                                           OPTION_scheduler, OPTION_picture_nodes};
    struct command_line *command = job->command;
    uint32_t notation = 0;
    job->simplify_options = simplify_defaults();
    double nodes = job->simplify_options.max_nodes, rounds = job->simplify_options.max_rounds;
    if (command->words.len + (command->value[OPTION_formula] != NULL) != 1)
        return err_set(err, ERR_USAGE, "simplify: expected one formula");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (command->value[programs[i]])
            return option_refuse(programs[i], "is about programs, but a formula was given", err);
    if (!option_choice(command, OPTION_notation, 3, notations, &notation, err) ||
        !option_count(command, OPTION_nodes, 60, 1e8, &nodes, err) ||
        !option_number(command, OPTION_seconds, 0, 1e6, &job->simplify_options.seconds, err) ||
        !option_count(command, OPTION_iterations, 0, 1e6, &rounds, err))
        return false;
    job->notation = (enum notation)notation;
    job->simplify_options.max_nodes = (uint32_t)nodes;
    job->simplify_options.max_rounds = (uint32_t)rounds;
    job->simplify_options.expand = command->value[OPTION_expand] != NULL;
    job->simplify_options.keep_constants = command->value[OPTION_keep_constants] != NULL;
    return true;
}

// The formula

// Conditions of --given stand before the formula, between `given` and `; `; the
// place of an error is told in the text that has it.
static void place_error(const struct formula_job *job, size_t conditions, struct err *err)
{
    const char *text = buf_text(&job->text), *from = text + conditions;
    struct cursor cursor = {text, text + job->text.len, 1, 1};
    while (cursor.at < cursor.end && (cursor.line != err->line || cursor.col != err->col))
        cursor_advance(&cursor);
    const char *at = cursor.at;
    if (at < from) {
        from = text + strlen("given ");
        const char *end = from + strlen(job->command->value[OPTION_given]);
        at = at < end ? at : end;
        snprintf(err->file, sizeof err->file, "--given");
    }
    struct cursor own = {from, cursor.end, 1, 1};
    while (own.at < at)
        cursor_advance(&own);
    err->line = own.line;
    err->col = own.col;
}

static bool read_input(struct formula_job *job, struct err *err)
{
    const char *text = job->command->value[OPTION_formula];
    const char *given = job->command->value[OPTION_given], *name = "formula";
    struct buf file = {0};
    if (text == NULL) {
        name = job->command->words.at[0];
        if (!file_read(name, (size_t)1 << 20, &file, err))
            return false;
        text = buf_text(&file);
    }
    if (given != NULL)
        buf_printf(&job->text, "given %s; ", given);
    size_t conditions = job->text.len;
    buf_puts(&job->text, text);
    buf_release(&file);
    bool ok =
        formula_read(&job->formula, &job->terms, &job->rules.defs, name, buf_text(&job->text), err);
    if (!ok && err->line > 0 && conditions > 0)
        place_error(job, conditions, err);
    return ok;
}

static bool trusted(void *ctx, const struct rule *rule, const char *name, bool assumed,
                    struct rule_status *out, struct err *err)
{
    const struct formula_job *job = ctx;
    bool known = false;
    for (uint32_t i = 0; assumed && i < job->rules.assumed.rules.len; i++)
        known |= strcmp(job->rules.assumed.rules.at[i]->hash, rule->hash) == 0;
    if (known) {
        out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
        return true;
    }
    return (!assumed && status_by_hash(job->db, rule->hash, out, &known, err) && known) ||
           err_set(err, ERR_CHECK, "rule %s was not loaded", name);
}

// Nothing leaves that the checker does not accept.
static bool check_result(struct formula_job *job, struct err *err)
{
    struct formula_check_options options = {trusted, job, true};
    struct err why = {0};
    if (!formula_record_check(&job->record, &options, &why))
        return err_set(err, ERR_NONE,
                       "a bug in rankwright: its own result is rejected: "
                       "%.600s",
                       why.msg);
    return true;
}

// Output

static void put_term(struct formula_job *job, fterm term, struct buf *out)
{
    formula_print(&job->formula, &job->rules.defs, term, job->notation, false, out);
}

static fterm condition(struct formula_job *job, uint32_t i)
{
    const char *text = job->record.givens.at[job->result.conditions.at[i]].cond;
    struct err err = {0};
    fterm term;
    if (!fterm_read(&job->terms, text, &term, &err))
        BUG("a condition that cannot be read: %s", text);
    return term;
}

static fterm value_of(struct formula_job *job, uint32_t i)
{
    struct err err = {0};
    fterm term;
    if (!fterm_read(&job->terms, job->record.constants.at[i].value, &term, &err))
        BUG("a constant that cannot be read");
    return term;
}

static void put_lines(struct formula_job *job, struct buf *out)
{
    put_term(job, job->result.term, out);
    buf_puts(out, "\n");
    for (uint32_t i = 0; i < job->result.conditions.len; i++) {
        buf_puts(out, i == 0 ? "where " : ", ");
        put_term(job, condition(job, i), out);
    }
    if (job->result.conditions.len > 0)
        buf_puts(out, "\n");
    for (uint32_t i = 0; i < job->record.constants.len; i++) {
        const struct formula_record_constant *constant = &job->record.constants.at[i];
        buf_printf(out, "recovered %s as ", constant->text);
        put_term(job, value_of(job, i), out);
        buf_printf(out, " (%s), difference %s\n", constant->precision, constant->difference);
    }
}

static bool write_record(struct formula_job *job, struct db *db, struct err *err)
{
    struct buf text = {0};
    char id[65];
    VEC(const char *) hashes = {0};
    bool ok = formula_record_write(&job->record, &text, err);
    sha256_hex(buf_text(&text), text.len, id);
    for (uint32_t i = 0; i < job->record.rules.len; i++)
        vec_push(&hashes, job->record.rules.at[i].hash);
    ok = ok && file_write(job->command->value[OPTION_proof], buf_text(&text), text.len, err) &&
         (!db_writable(db) ||
          db_put_record(db, id, domain_text(DOMAIN_REAL), hashes.len, hashes.at, err));
    vec_release(&hashes);
    buf_release(&text);
    return ok;
}

static bool write_html(struct formula_job *job, struct db *db, struct err *err)
{
    struct buf page = {0}, remark = {0};
    const char *title = job->command->value[OPTION_formula] != NULL ? "A simplified formula"
                                                                    : job->command->words.at[0];
    buf_printf(&remark, "%u nodes, %u rounds, stopped: %s", job->result.nodes, job->result.rounds,
               job->result.stopped);
    bool ok = formula_page(&job->record, db, title, buf_text(&remark), &page, err) &&
              file_write(job->command->value[OPTION_html], buf_text(&page), page.len, err);
    buf_release(&page);
    buf_release(&remark);
    return ok;
}

static uint32_t count_steps(const struct formula_job *job)
{
    uint32_t n = 0;
    for (const char *text = job->record.proof; *text != 0; text += *text == '\n') {
        n += strncmp(text, "rule ", 5) == 0;
        text += strcspn(text, "\n");
    }
    return n;
}

static void put_json(struct formula_job *job, struct buf *out)
{
    struct buf text = {0};
    json_t *conditions = json_array(), *constants = json_array();
    put_term(job, job->result.term, &text);
    for (uint32_t i = 0; i < job->result.conditions.len; i++) {
        struct buf cond = {0};
        put_term(job, condition(job, i), &cond);
        json_array_append_new(conditions, json_string(buf_text(&cond)));
        buf_release(&cond);
    }
    for (uint32_t i = 0; i < job->record.constants.len; i++) {
        const struct formula_record_constant *constant = &job->record.constants.at[i];
        struct buf value = {0};
        put_term(job, value_of(job, i), &value);
        json_array_append_new(constants,
                              json_pack("{s:s, s:s, s:s, s:s}", "text", constant->text, "value",
                                        buf_text(&value), "precision", constant->precision,
                                        "difference", constant->difference));
        buf_release(&value);
    }
    json_line(json_pack("{s:s, s:o, s:o, s:I, s:I, s:f, s:f, s:s, s:I, s:f}", "formula",
                        buf_text(&text), "conditions", conditions, "constants", constants, "nodes",
                        (json_int_t)job->result.nodes, "iterations", (json_int_t)job->result.rounds,
                        "cost_before", job->result.cost_before, "cost_after",
                        job->result.cost_after, "stop", job->result.stopped, "steps",
                        (json_int_t)count_steps(job), "seconds", clock_wall() - job->loaded),
              out);
    buf_release(&text);
}

// -o gets a whole text of the formula language, stdout what people read.
static bool write_output(struct formula_job *job, struct err *err)
{
    if (job->result.no_value)
        note("the formula has no value: that it has one, and what is given, "
             "contradict each other");
    const char *path = job->command->value[OPTION_output];
    struct buf out = {0};
    bool ok = true;
    if (path != NULL) {
        struct buf file = {0};
        if (job->notation == NOTATION_TEXT)
            buf_puts(&file, job->record.output);
        else
            put_term(job, job->result.term, &file);
        buf_puts(&file, "\n");
        ok = file_write(path, buf_text(&file), file.len, err);
        buf_release(&file);
    }
    if (job->command->value[OPTION_json])
        put_json(job, &out);
    else if (path == NULL)
        put_lines(job, &out);
    ok = ok && print_all(&out, err);
    buf_release(&out);
    if (ok && job->command->value[OPTION_stats])
        note("cost %g -> %g, %u rule uses, %u nodes, %u rounds, stopped: %s, "
             "%.1f ms, and %.1f ms to load %u rules, %.1f MB",
             job->result.cost_before, job->result.cost_after, count_steps(job), job->result.nodes,
             job->result.rounds, job->result.stopped, (clock_wall() - job->loaded) * 1e3,
             (job->loaded - job->start) * 1e3, job->rules.rules.len, (double)memory_peak() / 1e6);
    return ok;
}

static bool simplify(struct formula_job *job, struct db *db, struct err *err)
{
    job->db = db;
    if (!formula_rules_load(&job->rules, job->command, db, err))
        return false;
    job->loaded = clock_wall();
    if (!read_input(job, err))
        return false;
    job->has_record = true;
    return simplify_formula(&job->formula, buf_text(&job->text), &job->rules.defs,
                            job->rules.rules.len, job->rules.rules.at, &job->simplify_options,
                            &job->result, &job->record, err) &&
           check_result(job, err) &&
           (!job->command->value[OPTION_proof] || write_record(job, db, err)) &&
           (!job->command->value[OPTION_html] || write_html(job, db, err)) &&
           write_output(job, err);
}

static void release(struct formula_job *job)
{
    if (job->has_record) {
        formula_record_release(&job->record);
        simplify_result_release(&job->result);
        formula_release(&job->formula);
    }
    formula_rules_release(&job->rules);
    buf_release(&job->text);
    fterms_release(&job->terms);
}

int formula_simplify(struct command_line *command)
{
    struct err err = {0};
    struct formula_job job = {.command = command, .start = clock_wall()};
    struct db *db = NULL;
    formula_rules_init(&job.rules);
    fterms_init(&job.terms);
    bool ok = read_options(&job, &err) && open_proved_library(command, &db, &err) &&
              simplify(&job, db, &err);
    // A limit that was set by hand may have cut the search short.
    bool cut =
        ok && command->value[OPTION_seconds] != NULL && strcmp(job.result.stopped, "seconds") == 0;
    int status = !ok ? report_error(&err) : cut ? EXIT_UNKNOWN : EXIT_YES;
    db_close(db);
    release(&job);
    return status;
}
