// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/records/records.h"
#include "cli/proving/rule_json.h"

// "key=value" with this key: the value, else NULL.
static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

struct rule_query {
    struct db_filter filter;
    bool superseded;    // only these
    bool by_record;     // only rules of this record:
    VEC(char *) hashes; // copies
};

static void query_release(struct rule_query *query)
{
    for (uint32_t i = 0; i < query->hashes.len; i++)
        mem_free(query->hashes.at[i]);
    vec_release(&query->hashes);
    db_filter_release(&query->filter);
}

// The rules that a record names.
static bool read_hashes(struct rule_query *query, const char *path, struct err *err)
{
    struct pool pool;
    struct record record;
    pool_init(&pool);
    bool ok = read_record(path, &pool, &record, NULL, err);
    for (uint32_t i = 0; ok && i < record.rules.len; i++) {
        struct buf buf = {0};
        buf_puts(&buf, record.rules.at[i].hash);
        vec_push(&query->hashes, buf_detach(&buf));
    }
    if (ok)
        record_release(&record);
    pool_release(&pool);
    query->by_record = true;
    return ok;
}

static bool in_record(const struct rule_query *query, const char *hash)
{
    for (uint32_t i = 0; i < query->hashes.len; i++)
        if (strcmp(query->hashes.at[i], hash) == 0)
            return true;
    return false;
}

static bool choose(const char *word, const char *what, bool known, struct err *err)
{
    return known || err_set(err, ERR_USAGE, "query: %s: no such %s", word, what);
}

// As rule_operators names them.
static bool known_operator(const char *name)
{
    static const char *const others[] = {"relabel",    "value",           "define",
                                         "any monoid", "any elementwise", "any monotone"};
    enum op op;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(name, others[i]) == 0)
            return true;
    return op_by_name(name, &op);
}

static bool known_rung(const char *name)
{
    for (int r = RUNG_NONE; r <= RUNG_ARITHMETIC; r++)
        if (strcmp(name, rung_text((enum rung)r)) == 0)
            return true;
    return false;
}

static bool add_filter(const char *word, struct rule_query *query, struct err *err)
{
    struct db_filter *filter = &query->filter;
    const char *text;
    enum domain domain;
    enum verdict verdict;
    enum grade grade;
    if ((text = value_of(word, "op"))) {
        if (!choose(word, "operator", known_operator(text), err))
            return false;
        vec_push(&filter->ops, text);
    } else if ((text = value_of(word, "domain"))) {
        if (!choose(word, "domain", domain_by_text(text, &domain), err))
            return false;
        filter->domain = (int)domain;
    } else if ((text = value_of(word, "verdict"))) {
        if (!choose(word, "verdict", verdict_by_text(text, &verdict), err))
            return false;
        filter->verdict = (int)verdict;
    } else if ((text = value_of(word, "rung"))) {
        if (!choose(word, "rung", known_rung(text), err))
            return false;
        filter->rung = text;
    } else if ((text = value_of(word, "grade"))) {
        if (!choose(word, "grade", grade_by_name(text, &grade), err))
            return false;
        filter->grade = text;
    } else if ((text = value_of(word, "family"))) {
        filter->family = text;
    } else if ((text = value_of(word, "record"))) {
        if (!read_hashes(query, text, err))
            return false;
        filter->superseded = true;
    } else if ((text = value_of(word, "precondition"))) {
        filter->precondition = text;
    } else if (strcmp(word, "precondition") == 0) {
        filter->any_precondition = true;
    } else if (strcmp(word, "stale") == 0) {
        filter->stale = true;
    } else if (strcmp(word, "superseded") == 0) {
        query->superseded = filter->superseded = true;
    } else if (strchr(word, '=') &&
               strspn(word, "abcdefghijklmnopqrstuvwxyz") == strcspn(word, "=")) {
        return err_set(err, ERR_USAGE, "query: %s: no such filter", word);
    } else {
        vec_push(&filter->texts, word);
    }
    return true;
}

static void print_rule(const struct db_filter *filter, const struct stored_rule *stored,
                       struct buf *out)
{
    buf_printf(out, "%.12s %s/%s: ", stored->hash, stored->family, stored->name);
    verdict_words(stored, out);
    if (!stored->current)
        buf_puts(out, "; superseded");
    for (uint32_t i = 0; i < stored->preconditions.len; i++)
        buf_printf(out, "%s%s", i ? ", " : "; where ", stored->preconditions.at[i]);
    for (uint32_t i = 0; i < stored->verdicts.len; i++) {
        const struct stored_verdict *verdict = &stored->verdicts.at[i];
        if (!verdict->counterexample || filter->verdict != VERDICT_REFUTED ||
            (filter->domain >= 0 && verdict->domain != (enum domain)filter->domain))
            continue;
        json_t *j = json_loads(verdict->counterexample, 0, NULL);
        buf_printf(out, "; %s: %s", domain_text(verdict->domain), counterexample_text(j));
        json_decref(j);
    }
    buf_putc(out, '\n');
}

static void print_row(void *ctx, int n, const char *const *names, const char *const *texts)
{
    struct buf *out = ((void **)ctx)[0];
    bool json = ((void **)ctx)[1] != NULL;
    if (json) {
        json_t *o = json_object();
        for (int i = 0; i < n; i++)
            json_object_set_new(o, names[i], texts[i] ? json_string(texts[i]) : json_null());
        json_line(o, out);
        return;
    }
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "\t" : "", texts[i] ? texts[i] : "");
    buf_putc(out, '\n');
}

static bool run_sql(struct command_line *command, struct db *db, struct buf *out, struct err *err)
{
    void *ctx[2] = {out, command->value[OPTION_json] ? out : NULL};
    if (command->words.len)
        return err_set(err, ERR_USAGE, "query: --sql takes no filters");
    return db_sql(db, command->value[OPTION_sql], print_row, ctx, err);
}

static void report(const struct command_line *command, const struct rule_query *query,
                   const struct stored_rules *found, struct buf *out)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < found->rules.len; i++) {
        const struct stored_rule *stored = &found->rules.at[i];
        if ((query->by_record && !in_record(query, stored->hash)) ||
            (query->superseded && stored->current))
            continue;
        seen++;
        if (command->value[OPTION_json])
            json_line(rule_object(stored), out);
        else
            print_rule(&query->filter, stored, out);
    }
    if (query->by_record && command->words.len == 1 && seen < query->hashes.len)
        note("%u of the %u rules of the record are not in the database", query->hashes.len - seen,
             query->hashes.len);
}

static bool run_filters(struct command_line *command, struct db *db, struct buf *out,
                        struct err *err)
{
    struct rule_query query = {0};
    db_filter_init(&query.filter);
    bool ok = true;
    for (uint32_t i = 0; ok && i < command->words.len; i++)
        ok = add_filter(command->words.at[i], &query, err);
    if (ok && command->value[OPTION_domain]) {
        enum domain domain;
        ok = choose(command->value[OPTION_domain], "domain",
                    domain_by_text(command->value[OPTION_domain], &domain), err);
        query.filter.domain = ok ? (int)domain : -1;
    }
    struct stored_rules found = {0};
    ok = ok && db_find(db, &query.filter, &found, err);
    if (ok)
        report(command, &query, &found, out);
    stored_rules_release(&found);
    query_release(&query);
    return ok;
}

int cmd_query(struct command_line *command)
{
    struct err err = {0};
    struct buf out = {0};
    struct db *db = NULL;
    bool ok = open_database(command, DB_READ, &db, &err) &&
              (command->value[OPTION_sql] ? run_sql(command, db, &out, &err)
                                          : run_filters(command, db, &out, &err)) &&
              print_all(&out, &err);
    db_close(db);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&err);
}
