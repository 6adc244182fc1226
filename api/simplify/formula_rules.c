// SPDX-License-Identifier: Apache-2.0
#include "api/simplify/formula_rules.h"

#include "formula/rules/named.h"

void formula_rules_init(struct formula_rules *rules)
{
    memset(rules, 0, sizeof *rules);
    ruleset_init(&rules->set);
}

void formula_rules_release(struct formula_rules *rules)
{
    fdefines_release(&rules->defs);
    vec_release(&rules->rules);
    named_rows_release(&rules->stored);
    proved_rules_release(&rules->texts);
    ruleset_release(&rules->set);
}

static const char *lines(const struct rule *rule, bool backward, struct arena *mem)
{
    struct buf text = {0};
    struct err why = {0};
    const char *out = "";
    if (named_rule(rule, LIFT_RULE_NAME, backward, &text, &why))
        out = arena_strdup(mem, buf_text(&text));
    buf_release(&text);
    return out;
}

// A rule as a plain rule on named terms.
static void write_named(const struct rule *rule, struct arena *mem, struct named_row *out)
{
    enum domain domain;
    out->known = true;
    out->domain = out->forward = out->backward = "";
    out->defines = rule_defines(rule);
    if (!named_domain(rule, &domain))
        return;
    out->forward = lines(rule, false, mem);
    out->backward = lines(rule, true, mem);
    if (out->defines || *out->forward != 0 || *out->backward != 0)
        out->domain = domain_text(domain);
}

// The canonical texts of some rules; NULL: no longer proved.
static bool read_texts(struct formula_rules *rules, struct db *db, uint32_t n,
                       const char *const *hash, const char **text, struct err *err)
{
    uint32_t from = rules->texts.at.len;
    if (n > 0 && !db_read_proved(db, n, hash, &rules->texts, err))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct proved_rule *row = &rules->texts.at.at[from + i];
        text[i] = row->proved != 0 ? row->canonical : NULL;
    }
    return true;
}

static bool changed(const char *name, struct err *err)
{
    return err_set(err, ERR_DB, "the verdict on rule %s changed while the rule was in use", name);
}

static const struct rule *parsed(struct formula_rules *rules, const char *name, const char *text,
                                 struct err *err)
{
    struct err why = {0};
    const struct rule *rule = ruleset_add_canonical(&rules->set, text, NULL, name, &why);
    if (rule == NULL)
        err_set(err, ERR_DB, "rule %s of the database does not parse: %s", name, why.msg);
    return rule;
}

// The stored rule, read and parsed; NULL: failed.
static const struct rule *read_rule(struct formula_rules *rules, struct db *db, const char *hash,
                                    const char *name, struct err *err)
{
    const char *text;
    if (!read_texts(rules, db, 1, &hash, &text, err))
        return NULL;
    if (text == NULL)
        (void)changed(name, err);
    return text != NULL ? parsed(rules, name, text, err) : NULL;
}

// Makes missing rows, and keeps them if possible.
static bool complete(struct formula_rules *rules, struct db *db, bool *new, struct err *err)
{
    VEC(struct named_row) made = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < rules->stored.at.len; i++) {
        struct named_row *row = &rules->stored.at.at[i];
        if (row->known)
            continue;
        const struct rule *rule = read_rule(rules, db, row->hash, row->name, err);
        ok = rule != NULL;
        if (!ok)
            continue;
        write_named(rule, &rules->stored.mem, row);
        vec_push(&made, *row);
    }
    *new = made.len > 0 && db_writable(db);
    // The row is only a copy: a row that cannot be kept is made again.
    struct err why = {0};
    if (ok && *new)
        *new = db_keep_named(db, NAMED_VERSION, made.len, made.at, &why);
    vec_release(&made);
    return ok;
}

// `assumed`: the text of an assumed rule, or NULL.
static void add(struct formula_rules *rules, const struct named_row *row, const char *assumed)
{
    struct simplify_rule simplify_rule = {.hash = row->hash,
                                          .name = row->name,
                                          .canonical = assumed,
                                          .forward = row->forward,
                                          .backward = row->backward,
                                          .defines = row->defines,
                                          .assumed = assumed != NULL};
    vec_push(&rules->rules, simplify_rule);
}

static bool load_stored(struct formula_rules *rules, struct wanted *wanted, struct db *db,
                        struct err *err)
{
    bool new = false, all = wanted->only != NULL; // a remark names the rules that are not proved
    bool ok = db_named_rules(db, NAMED_VERSION, all, &rules->stored, err) &&
              complete(rules, db, &new, err);
    if (ok && new) { // now each row is proved in its domain
        named_rows_release(&rules->stored);
        ok = db_named_rules(db, NAMED_VERSION, all, &rules->stored, err);
    }
    for (uint32_t i = 0; ok && i < rules->stored.at.len; i++) {
        const struct named_row *row = &rules->stored.at.at[i];
        if (is_wanted(wanted, row->hash) && *row->domain != 0)
            add(rules, row, NULL);
    }
    return ok;
}

static void load_assumed(struct formula_rules *rules, const struct ruleset *assumed)
{
    for (uint32_t i = 0; assumed && i < assumed->rules.len; i++) {
        const struct rule *rule = assumed->rules.at[i];
        struct named_row row = {.hash = rule->hash, .name = rule->name};
        bool there = false;
        for (uint32_t k = 0; k < rules->rules.len && !there; k++)
            there = strcmp(rules->rules.at[k].hash, rule->hash) == 0;
        write_named(rule, &rules->stored.mem, &row);
        if (!there && *row.domain != 0)
            add(rules, &row, rule->canonical);
    }
}

static bool define_functions(struct formula_rules *rules, struct db *db, struct err *err)
{
    VEC(const struct rule *) defining = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < rules->rules.len; i++) {
        const struct simplify_rule *at = &rules->rules.at[i];
        const struct rule *rule = !at->defines  ? NULL
                                  : at->assumed ? parsed(rules, at->name, at->canonical, err)
                                                : read_rule(rules, db, at->hash, at->name, err);
        ok = !at->defines || rule != NULL;
        if (rule != NULL)
            vec_push(&defining, rule);
    }
    ok = ok && fdefines_of(&rules->defs, defining.len, defining.at, err);
    vec_release(&defining);
    return ok;
}

bool formula_rules_load(struct formula_rules *rules, struct wanted *wanted,
                        const struct ruleset *assumed, struct db *db, struct err *err)
{
    if (!load_stored(rules, wanted, db, err))
        return false;
    load_assumed(rules, assumed);
    return define_functions(rules, db, err);
}

bool formula_rules_texts(struct formula_rules *rules, struct db *db, struct formula_record *record,
                         struct err *err)
{
    for (uint32_t i = 0; i < record->rules.len; i++) {
        struct formula_record_rule *rule = &record->rules.at[i];
        if (rule->text == NULL && !read_texts(rules, db, 1, &rule->hash, &rule->text, err))
            return false;
        if (rule->text == NULL)
            return changed(rule->name, err);
    }
    return true;
}
