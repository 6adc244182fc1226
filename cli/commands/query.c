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

static void query_release(struct rule_query *q)
{
    for (uint32_t i = 0; i < q->hashes.len; i++)
        mem_free(q->hashes.at[i]);
    vec_release(&q->hashes);
    db_filter_release(&q->filter);
}

// The rules that a record names.
static bool read_hashes(struct rule_query *q, const char *path, struct err *e)
{
    struct pool pool;
    struct record r;
    pool_init(&pool);
    bool ok = read_record(path, &pool, &r, NULL, e);
    for (uint32_t i = 0; ok && i < r.rules.len; i++) {
        struct buf b = {0};
        buf_puts(&b, r.rules.at[i].hash);
        vec_push(&q->hashes, buf_detach(&b));
    }
    if (ok)
        record_release(&r);
    pool_release(&pool);
    q->by_record = true;
    return ok;
}

static bool in_record(const struct rule_query *q, const char *hash)
{
    for (uint32_t i = 0; i < q->hashes.len; i++)
        if (strcmp(q->hashes.at[i], hash) == 0)
            return true;
    return false;
}

static bool choose(const char *word, const char *what, bool known,
                   struct err *e)
{
    return known || err_set(e, ERR_USAGE, "query: %s: no such %s", word, what);
}

// As rule_operators names them.
static bool known_operator(const char *name)
{
    static const char *const others[] = {"relabel",         "value",
                                         "define",          "any monoid",
                                         "any elementwise", "any monotone"};
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

static bool add_filter(const char *word, struct rule_query *q, struct err *e)
{
    struct db_filter *f = &q->filter;
    const char *v;
    enum domain d;
    enum verdict verdict;
    enum grade grade;
    if ((v = value_of(word, "op"))) {
        if (!choose(word, "operator", known_operator(v), e))
            return false;
        vec_push(&f->ops, v);
    } else if ((v = value_of(word, "domain"))) {
        if (!choose(word, "domain", domain_by_text(v, &d), e))
            return false;
        f->domain = (int)d;
    } else if ((v = value_of(word, "verdict"))) {
        if (!choose(word, "verdict", verdict_by_text(v, &verdict), e))
            return false;
        f->verdict = (int)verdict;
    } else if ((v = value_of(word, "rung"))) {
        if (!choose(word, "rung", known_rung(v), e))
            return false;
        f->rung = v;
    } else if ((v = value_of(word, "grade"))) {
        if (!choose(word, "grade", grade_by_name(v, &grade), e))
            return false;
        f->grade = v;
    } else if ((v = value_of(word, "family"))) {
        f->family = v;
    } else if ((v = value_of(word, "record"))) {
        if (!read_hashes(q, v, e))
            return false;
        f->superseded = true;
    } else if ((v = value_of(word, "precondition"))) {
        f->precondition = v;
    } else if (strcmp(word, "precondition") == 0) {
        f->any_precondition = true;
    } else if (strcmp(word, "stale") == 0) {
        f->stale = true;
    } else if (strcmp(word, "superseded") == 0) {
        q->superseded = f->superseded = true;
    } else if (strchr(word, '=') &&
               strspn(word, "abcdefghijklmnopqrstuvwxyz") ==
                   strcspn(word, "=")) {
        return err_set(e, ERR_USAGE, "query: %s: no such filter", word);
    } else {
        vec_push(&f->texts, word);
    }
    return true;
}

static void print_rule(const struct db_filter *f, const struct stored_rule *r,
                       struct buf *out)
{
    buf_printf(out, "%.12s %s/%s: ", r->hash, r->family, r->name);
    verdict_words(r, out);
    if (!r->current)
        buf_puts(out, "; superseded");
    for (uint32_t i = 0; i < r->preconditions.len; i++)
        buf_printf(out, "%s%s", i ? ", " : "; where ", r->preconditions.at[i]);
    for (uint32_t i = 0; i < r->verdicts.len; i++) {
        const struct stored_verdict *v = &r->verdicts.at[i];
        if (!v->counterexample || f->verdict != VERDICT_REFUTED ||
            (f->domain >= 0 && v->domain != (enum domain)f->domain))
            continue;
        json_t *j = json_loads(v->counterexample, 0, NULL);
        buf_printf(out, "; %s: %s", domain_text(v->domain),
                   counterexample_text(j));
        json_decref(j);
    }
    buf_putc(out, '\n');
}

static void print_row(void *ctx, int n, const char *const *names,
                      const char *const *texts)
{
    struct buf *out = ((void **)ctx)[0];
    bool json = ((void **)ctx)[1] != NULL;
    if (json) {
        json_t *o = json_object();
        for (int i = 0; i < n; i++)
            json_object_set_new(o, names[i],
                                texts[i] ? json_string(texts[i]) : json_null());
        json_line(o, out);
        return;
    }
    for (int i = 0; i < n; i++)
        buf_printf(out, "%s%s", i ? "\t" : "", texts[i] ? texts[i] : "");
    buf_putc(out, '\n');
}

static bool run_sql(struct command_line *c, struct db *db, struct buf *out,
                    struct err *e)
{
    void *ctx[2] = {out, c->value[OPTION_json] ? out : NULL};
    if (c->words.len)
        return err_set(e, ERR_USAGE, "query: --sql takes no filters");
    return db_sql(db, c->value[OPTION_sql], print_row, ctx, e);
}

static void report(const struct command_line *c, const struct rule_query *q,
                   const struct stored_rules *found, struct buf *out)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i < found->rules.len; i++) {
        const struct stored_rule *r = &found->rules.at[i];
        if ((q->by_record && !in_record(q, r->hash)) ||
            (q->superseded && r->current))
            continue;
        seen++;
        if (c->value[OPTION_json])
            json_line(rule_object(r), out);
        else
            print_rule(&q->filter, r, out);
    }
    if (q->by_record && c->words.len == 1 && seen < q->hashes.len)
        note("%u of the %u rules of the record are not in the database",
             q->hashes.len - seen, q->hashes.len);
}

static bool run_filters(struct command_line *c, struct db *db, struct buf *out,
                        struct err *e)
{
    struct rule_query q = {0};
    db_filter_init(&q.filter);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->words.len; i++)
        ok = add_filter(c->words.at[i], &q, e);
    if (ok && c->value[OPTION_domain]) {
        enum domain d;
        ok = choose(c->value[OPTION_domain], "domain",
                    domain_by_text(c->value[OPTION_domain], &d), e);
        q.filter.domain = ok ? (int)d : -1;
    }
    struct stored_rules found = {0};
    ok = ok && db_find(db, &q.filter, &found, e);
    if (ok)
        report(c, &q, &found, out);
    stored_rules_release(&found);
    query_release(&q);
    return ok;
}

int cmd_query(struct command_line *c)
{
    struct err e = {0};
    struct buf out = {0};
    struct db *db = NULL;
    bool ok = open_database(c, DB_READ, &db, &e) &&
              (c->value[OPTION_sql] ? run_sql(c, db, &out, &e)
                                    : run_filters(c, db, &out, &e)) &&
              print_all(&out, &e);
    db_close(db);
    buf_release(&out);
    return ok ? EXIT_YES : report_error(&e);
}
