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
    struct command_line *c;
    struct simplify_options o;
    enum notation notation;
    double start, loaded;

    struct db *db; // borrowed
    struct formula_rules rules;

    struct fterms t;
    struct buf text; // of the input
    struct formula f;
    struct simplify_result result;
    struct formula_record record;
    bool has_record;
};

static bool ends_with(const char *s, const char *tail)
{
    size_t n = strlen(s), m = strlen(tail);
    return n >= m && strcmp(s + n - m, tail) == 0;
}

bool formula_wanted(const struct command_line *c)
{
    return c->value[OPTION_formula] != NULL ||
           (c->words.len > 0 && ends_with(c->words.at[0], ".expr"));
}

static bool read_options(struct formula_job *j, struct err *e)
{
    static const char *const notations[] = {"text", "latex", "mathml"};
    static const enum option programs[] = {
        OPTION_domain,      OPTION_cost,      OPTION_extract,
        OPTION_dump_egraph, OPTION_scheduler, OPTION_picture_nodes};
    struct command_line *c = j->c;
    uint32_t notation = 0;
    j->o = simplify_defaults();
    double nodes = j->o.max_nodes, rounds = j->o.max_rounds;
    if (c->words.len + (c->value[OPTION_formula] != NULL) != 1)
        return err_set(e, ERR_USAGE, "simplify: expected one formula");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (c->value[programs[i]])
            return option_refuse(
                programs[i], "is about programs, but a formula was given", e);
    if (!option_choice(c, OPTION_notation, 3, notations, &notation, e) ||
        !option_count(c, OPTION_nodes, 60, 1e8, &nodes, e) ||
        !option_number(c, OPTION_seconds, 0, 1e6, &j->o.seconds, e) ||
        !option_count(c, OPTION_iterations, 0, 1e6, &rounds, e))
        return false;
    j->notation = (enum notation)notation;
    j->o.max_nodes = (uint32_t)nodes;
    j->o.max_rounds = (uint32_t)rounds;
    j->o.expand = c->value[OPTION_expand] != NULL;
    j->o.keep_constants = c->value[OPTION_keep_constants] != NULL;
    return true;
}

// The formula

// Conditions of --given stand before the formula, between `given` and `; `; the
// place of an error is told in the text that has it.
static void place_error(const struct formula_job *j, size_t conditions, struct err *e)
{
    const char *text = buf_text(&j->text), *from = text + conditions;
    struct cursor c = {text, text + j->text.len, 1, 1};
    while (c.at < c.end && (c.line != e->line || c.col != e->col))
        cursor_advance(&c);
    const char *at = c.at;
    if (at < from) {
        from = text + strlen("given ");
        const char *end = from + strlen(j->c->value[OPTION_given]);
        at = at < end ? at : end;
        snprintf(e->file, sizeof e->file, "--given");
    }
    struct cursor own = {from, c.end, 1, 1};
    while (own.at < at)
        cursor_advance(&own);
    e->line = own.line;
    e->col = own.col;
}

static bool read_input(struct formula_job *j, struct err *e)
{
    const char *text = j->c->value[OPTION_formula];
    const char *given = j->c->value[OPTION_given], *name = "formula";
    struct buf file = {0};
    if (text == NULL) {
        name = j->c->words.at[0];
        if (!file_read(name, (size_t)1 << 20, &file, e))
            return false;
        text = buf_text(&file);
    }
    if (given != NULL)
        buf_printf(&j->text, "given %s; ", given);
    size_t conditions = j->text.len;
    buf_puts(&j->text, text);
    buf_release(&file);
    bool ok =
        formula_read(&j->f, &j->t, &j->rules.defs, name, buf_text(&j->text), e);
    if (!ok && e->line > 0 && conditions > 0)
        place_error(j, conditions, e);
    return ok;
}

static bool trusted(void *ctx, const struct rule *r, const char *name,
                    bool assumed, struct rule_status *out, struct err *e)
{
    const struct formula_job *j = ctx;
    bool known = false;
    for (uint32_t i = 0; assumed && i < j->rules.assumed.rules.len; i++)
        known |= strcmp(j->rules.assumed.rules.at[i]->hash, r->hash) == 0;
    if (known) {
        out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
        return true;
    }
    return (!assumed && status_by_hash(j->db, r->hash, out, &known, e) &&
            known) ||
           err_set(e, ERR_CHECK, "rule %s was not loaded", name);
}

// Nothing leaves that the checker does not accept.
static bool check_result(struct formula_job *j, struct err *e)
{
    struct formula_check_options o = {trusted, j, true};
    struct err why = {0};
    if (!formula_record_check(&j->record, &o, &why))
        return err_set(e, ERR_NONE,
                       "a bug in rankwright: its own result is rejected: "
                       "%.600s",
                       why.msg);
    return true;
}

// Output

static void put_term(struct formula_job *j, fterm x, struct buf *out)
{
    formula_print(&j->f, &j->rules.defs, x, j->notation, false, out);
}

static fterm condition(struct formula_job *j, uint32_t i)
{
    const char *text = j->record.givens.at[j->result.conditions.at[i]].cond;
    struct err e = {0};
    fterm x;
    if (!fterm_read(&j->t, text, &x, &e))
        BUG("a condition that cannot be read: %s", text);
    return x;
}

static fterm value_of(struct formula_job *j, uint32_t i)
{
    struct err e = {0};
    fterm x;
    if (!fterm_read(&j->t, j->record.constants.at[i].value, &x, &e))
        BUG("a constant that cannot be read");
    return x;
}

static void put_lines(struct formula_job *j, struct buf *out)
{
    put_term(j, j->result.term, out);
    buf_puts(out, "\n");
    for (uint32_t i = 0; i < j->result.conditions.len; i++) {
        buf_puts(out, i == 0 ? "where " : ", ");
        put_term(j, condition(j, i), out);
    }
    if (j->result.conditions.len > 0)
        buf_puts(out, "\n");
    for (uint32_t i = 0; i < j->record.constants.len; i++) {
        const struct formula_record_constant *x = &j->record.constants.at[i];
        buf_printf(out, "recovered %s as ", x->text);
        put_term(j, value_of(j, i), out);
        buf_printf(out, " (%s), difference %s\n", x->precision, x->difference);
    }
}

static bool write_record(struct formula_job *j, struct db *db, struct err *e)
{
    struct buf text = {0};
    char id[65];
    VEC(const char *) hashes = {0};
    bool ok = formula_record_write(&j->record, &text, e);
    sha256_hex(buf_text(&text), text.len, id);
    for (uint32_t i = 0; i < j->record.rules.len; i++)
        vec_push(&hashes, j->record.rules.at[i].hash);
    ok = ok &&
         file_write(j->c->value[OPTION_proof], buf_text(&text), text.len, e) &&
         (!db_writable(db) || db_put_record(db, id, domain_text(DOMAIN_REAL),
                                            hashes.len, hashes.at, e));
    vec_release(&hashes);
    buf_release(&text);
    return ok;
}

static bool write_html(struct formula_job *j, struct db *db, struct err *e)
{
    struct buf page = {0}, remark = {0};
    const char *title = j->c->value[OPTION_formula] != NULL
                            ? "A simplified formula"
                            : j->c->words.at[0];
    buf_printf(&remark, "%u nodes, %u rounds, stopped: %s", j->result.nodes,
               j->result.rounds, j->result.stopped);
    bool ok =
        formula_page(&j->record, db, title, buf_text(&remark), &page, e) &&
        file_write(j->c->value[OPTION_html], buf_text(&page), page.len, e);
    buf_release(&page);
    buf_release(&remark);
    return ok;
}

static uint32_t count_steps(const struct formula_job *j)
{
    uint32_t n = 0;
    for (const char *s = j->record.proof; *s != 0; s += *s == '\n') {
        n += strncmp(s, "rule ", 5) == 0;
        s += strcspn(s, "\n");
    }
    return n;
}

static void put_json(struct formula_job *j, struct buf *out)
{
    struct buf text = {0};
    json_t *conditions = json_array(), *constants = json_array();
    put_term(j, j->result.term, &text);
    for (uint32_t i = 0; i < j->result.conditions.len; i++) {
        struct buf cond = {0};
        put_term(j, condition(j, i), &cond);
        json_array_append_new(conditions, json_string(buf_text(&cond)));
        buf_release(&cond);
    }
    for (uint32_t i = 0; i < j->record.constants.len; i++) {
        const struct formula_record_constant *x = &j->record.constants.at[i];
        struct buf value = {0};
        put_term(j, value_of(j, i), &value);
        json_array_append_new(
            constants, json_pack("{s:s, s:s, s:s, s:s}", "text", x->text,
                                 "value", buf_text(&value), "precision",
                                 x->precision, "difference", x->difference));
        buf_release(&value);
    }
    json_line(json_pack("{s:s, s:o, s:o, s:I, s:I, s:f, s:f, s:s, s:I, s:f}",
                        "formula", buf_text(&text), "conditions", conditions,
                        "constants", constants, "nodes",
                        (json_int_t)j->result.nodes, "iterations",
                        (json_int_t)j->result.rounds, "cost_before",
                        j->result.cost_before, "cost_after",
                        j->result.cost_after, "stop", j->result.stopped,
                        "steps", (json_int_t)count_steps(j), "seconds",
                        clock_wall() - j->loaded),
              out);
    buf_release(&text);
}

// -o gets a whole text of the formula language, stdout what people read.
static bool write_output(struct formula_job *j, struct err *e)
{
    if (j->result.no_value)
        note("the formula has no value: that it has one, and what is given, "
             "contradict each other");
    const char *path = j->c->value[OPTION_output];
    struct buf out = {0};
    bool ok = true;
    if (path != NULL) {
        struct buf file = {0};
        if (j->notation == NOTATION_TEXT)
            buf_puts(&file, j->record.output);
        else
            put_term(j, j->result.term, &file);
        buf_puts(&file, "\n");
        ok = file_write(path, buf_text(&file), file.len, e);
        buf_release(&file);
    }
    if (j->c->value[OPTION_json])
        put_json(j, &out);
    else if (path == NULL)
        put_lines(j, &out);
    ok = ok && print_all(&out, e);
    buf_release(&out);
    if (ok && j->c->value[OPTION_stats])
        note("cost %g -> %g, %u rule uses, %u nodes, %u rounds, stopped: %s, "
             "%.1f ms, and %.1f ms to load %u rules, %.1f MB",
             j->result.cost_before, j->result.cost_after, count_steps(j),
             j->result.nodes, j->result.rounds, j->result.stopped,
             (clock_wall() - j->loaded) * 1e3, (j->loaded - j->start) * 1e3,
             j->rules.rules.len, (double)memory_peak() / 1e6);
    return ok;
}

static bool simplify(struct formula_job *j, struct db *db, struct err *e)
{
    j->db = db;
    if (!formula_rules_load(&j->rules, j->c, db, e))
        return false;
    j->loaded = clock_wall();
    if (!read_input(j, e))
        return false;
    j->has_record = true;
    return simplify_formula(&j->f, buf_text(&j->text), &j->rules.defs,
                         j->rules.rules.len, j->rules.rules.at, &j->o,
                         &j->result, &j->record, e) &&
           check_result(j, e) &&
           (!j->c->value[OPTION_proof] || write_record(j, db, e)) &&
           (!j->c->value[OPTION_html] || write_html(j, db, e)) &&
           write_output(j, e);
}

static void release(struct formula_job *j)
{
    if (j->has_record) {
        formula_record_release(&j->record);
        simplify_result_release(&j->result);
        formula_release(&j->f);
    }
    formula_rules_release(&j->rules);
    buf_release(&j->text);
    fterms_release(&j->t);
}

int formula_simplify(struct command_line *c)
{
    struct err e = {0};
    struct formula_job j = {.c = c, .start = clock_wall()};
    struct db *db = NULL;
    formula_rules_init(&j.rules);
    fterms_init(&j.t);
    bool ok = read_options(&j, &e) && open_proved_library(c, &db, &e) &&
              simplify(&j, db, &e);
    // A limit that was set by hand may have cut the search short.
    bool cut = ok && c->value[OPTION_seconds] != NULL &&
               strcmp(j.result.stopped, "seconds") == 0;
    int status = !ok ? report_error(&e) : cut ? EXIT_UNKNOWN : EXIT_YES;
    db_close(db);
    release(&j);
    return status;
}
