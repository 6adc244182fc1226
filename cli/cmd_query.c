// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/rule_json.h"

#include "base/hash.h"

// "key=value" with this key: the value, else NULL.
static const char *value_of(const char *word, const char *key)
{
    size_t n = strlen(key);
    return strncmp(word, key, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

// A record is asked for by its file; the database knows it by its hash.
static bool record_id(const char *path, char id[65], struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(path, (size_t)1 << 32, &text, e);
    if (ok)
        sha256_hex(buf_text(&text), text.len, id);
    buf_release(&text);
    return ok;
}

static bool choose(const char *word, const char *what, bool known,
                   struct err *e)
{
    return known || err_set(e, ERR_USAGE, "query: %s: no such %s", word, what);
}

static bool add_filter(const char *word, struct db_filter *f, char id[65],
                       struct err *e)
{
    const char *v;
    enum domain d;
    enum verdict verdict;
    if ((v = value_of(word, "op"))) {
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
        f->rung = v;
    } else if ((v = value_of(word, "family"))) {
        f->family = v;
    } else if ((v = value_of(word, "record"))) {
        if (!record_id(v, id, e))
            return false;
        f->record = id;
    } else if ((v = value_of(word, "precondition"))) {
        f->precondition = v;
    } else if (strcmp(word, "precondition") == 0) {
        f->any_precondition = true;
    } else if (strcmp(word, "stale") == 0) {
        f->stale = true;
    } else if (strcmp(word, "superseded") == 0) {
        f->superseded = true;
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

static bool run_filters(struct command_line *c, struct db *db, struct buf *out,
                        struct err *e)
{
    struct db_filter f;
    char id[65];
    db_filter_init(&f);
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->words.len; i++)
        ok = add_filter(c->words.at[i], &f, id, e);
    if (ok && c->value[OPTION_domain]) {
        enum domain d;
        ok = choose(c->value[OPTION_domain], "domain",
                    domain_by_text(c->value[OPTION_domain], &d), e);
        f.domain = ok ? (int)d : -1;
    }
    struct stored_rules found = {0};
    ok = ok && db_find(db, &f, &found, e);
    for (uint32_t i = 0; ok && i < found.rules.len; i++) {
        if (c->value[OPTION_json])
            json_line(rule_object(&found.rules.at[i]), out);
        else
            print_rule(&f, &found.rules.at[i], out);
    }
    stored_rules_release(&found);
    db_filter_release(&f);
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
