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

// Some rules of the database, to be read together.
struct unread {
    VEC(const char *) hash, name;
    VEC(const char *) text; // canonical
};

static void unread_release(struct unread *unread)
{
    vec_release(&unread->hash);
    vec_release(&unread->name);
    vec_release(&unread->text);
}

// Fails if one of the rules is no longer proved.
static bool read_texts(struct formula_rules *rules, struct db *db, struct unread *unread,
                       struct err *err)
{
    uint32_t from = rules->texts.at.len, n = unread->hash.len;
    if (n > 0 && !db_read_proved(db, n, unread->hash.at, &rules->texts, err))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct proved_rule *row = &rules->texts.at.at[from + i];
        if (row->proved == 0)
            return err_set(err, ERR_DB, "the verdict on rule %s changed while the rule was in use",
                           unread->name.at[i]);
        vec_push(&unread->text, row->canonical);
    }
    return true;
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

// Makes missing rows, and keeps them if possible.
static bool complete(struct formula_rules *rules, struct db *db, bool *new, struct err *err)
{
    VEC(struct named_row) made = {0};
    struct unread unread = {0};
    struct named_rows *stored = &rules->stored;
    for (uint32_t i = 0; i < stored->at.len; i++)
        if (!stored->at.at[i].known) {
            vec_push(&unread.hash, stored->at.at[i].hash);
            vec_push(&unread.name, stored->at.at[i].name);
        }
    bool ok = read_texts(rules, db, &unread, err);
    for (uint32_t i = 0; ok && i < stored->at.len; i++) {
        struct named_row *row = &stored->at.at[i];
        if (row->known)
            continue;
        const struct rule *rule = parsed(rules, row->name, unread.text.at[made.len], err);
        ok = rule != NULL;
        if (!ok)
            continue;
        write_named(rule, &stored->mem, row);
        vec_push(&made, *row);
    }
    *new = made.len > 0 && db_writable(db);
    // The row is only a copy: a row that cannot be kept is made again.
    struct err why = {0};
    if (ok && *new)
        *new = db_keep_named(db, NAMED_VERSION, made.len, made.at, &why);
    vec_release(&made);
    unread_release(&unread);
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
    struct unread unread = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < rules->rules.len; i++)
        if (rules->rules.at[i].defines && !rules->rules.at[i].assumed) {
            vec_push(&unread.hash, rules->rules.at[i].hash);
            vec_push(&unread.name, rules->rules.at[i].name);
        }
    bool ok = read_texts(rules, db, &unread, err);
    for (uint32_t i = 0; ok && i < rules->rules.len; i++) {
        const struct simplify_rule *at = &rules->rules.at[i];
        if (!at->defines)
            continue;
        const char *text = at->assumed ? at->canonical : unread.text.at[n++];
        const struct rule *rule = parsed(rules, at->name, text, err);
        ok = rule != NULL;
        if (ok)
            vec_push(&defining, rule);
    }
    ok = ok && fdefines_of(&rules->defs, defining.len, defining.at, err);
    vec_release(&defining);
    unread_release(&unread);
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

// Does the text of the rule say what ran as its plain rule?
static bool is_said(struct formula_rules *rules, const struct formula_record_rule *used,
                    struct err *err)
{
    const struct rule *rule = parsed(rules, used->name, used->text, err);
    struct named_row row = {0};
    if (rule == NULL)
        return false;
    write_named(rule, &rules->stored.mem, &row);
    for (uint32_t i = 0; i < rules->rules.len; i++) {
        const struct simplify_rule *ran = &rules->rules.at[i];
        if (strcmp(ran->hash, used->hash) == 0 &&
            (strcmp(ran->forward, row.forward) != 0 || strcmp(ran->backward, row.backward) != 0))
            return err_set(err, ERR_DB,
                           "the plain rule of %s in the database is damaged: it is not what the "
                           "rule says",
                           used->name);
    }
    return true;
}

bool formula_rules_texts(struct formula_rules *rules, struct db *db, struct formula_record *record,
                         struct err *err)
{
    struct unread unread = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < record->rules.len; i++)
        if (record->rules.at[i].text == NULL) {
            vec_push(&unread.hash, record->rules.at[i].hash);
            vec_push(&unread.name, record->rules.at[i].name);
        }
    bool ok = read_texts(rules, db, &unread, err);
    for (uint32_t i = 0; ok && i < record->rules.len; i++)
        if (record->rules.at[i].text == NULL) {
            record->rules.at[i].text = unread.text.at[n++];
            ok = is_said(rules, &record->rules.at[i], err);
        }
    unread_release(&unread);
    return ok;
}
