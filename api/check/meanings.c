// SPDX-License-Identifier: Apache-2.0
#include "api/check/meanings.h"
#include "api/rules/statuses.h"

#include "proof/formula/texts.h"

bool stored_definitions(struct db *db, struct ruleset *set, struct err *err)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    db_filter_init(&filter);
    vec_push(&filter.ops, "define");
    filter.brief = true;
    bool ok = db_find(db, &filter, &found, err);
    for (uint32_t i = 0; ok && i < found.rules.len; i++) {
        const struct stored_rule *stored = &found.rules.at[i];
        ok = status_of_stored(stored).proved == 0 ||
             ruleset_add_canonical(set, stored->canonical, NULL, stored->name, err) != NULL;
    }
    stored_rules_release(&found);
    db_filter_release(&filter);
    return ok;
}

static enum meaning meaning_of(const struct fdefine *define, const struct ruleset *stored)
{
    enum meaning meaning = MEANING_NONE;
    for (uint32_t i = 0; i < stored->rules.len; i++) {
        const struct rule *rule = stored->rules.at[i];
        if (strcmp(rule->pats[rule->rhs].text, define->name) != 0)
            continue;
        if (strcmp(rule->hash, define->rule->hash) != 0)
            return MEANING_OTHER;
        meaning = MEANING_SAME;
    }
    return meaning;
}

static bool is_called(const struct fterms *t, const struct u32_vec *terms, const char *name)
{
    for (uint32_t i = 0; i < terms->len; i++)
        if (fterm_n(t, terms->at[i]) > 0 && strcmp(fterm_name(t, terms->at[i]), name) == 0)
            return true;
    return false;
}

bool meanings_find(struct meanings *meanings, const struct formula_record *record, struct db *db,
                   struct err *err)
{
    struct formula_texts texts;
    struct ruleset stored;
    struct u32_vec terms = {0};
    memset(meanings, 0, sizeof *meanings);
    ruleset_init(&stored);
    bool ok = formula_texts_read(&texts, record, err);
    ok = ok && (db == NULL || texts.defs.at.len == 0 || stored_definitions(db, &stored, err));
    if (ok) {
        fterm both[] = {texts.in.term, texts.out.term};
        fterms_reach(&texts.terms, 2, both, &terms);
    }
    for (uint32_t i = 0; ok && i < texts.defs.at.len; i++) {
        const struct fdefine *define = &texts.defs.at.at[i];
        if (!is_called(&texts.terms, &terms, define->name))
            continue;
        struct function_meaning meaning = {arena_strdup(&meanings->mem, define->name),
                                           db == NULL ? MEANING_UNKNOWN
                                                      : meaning_of(define, &stored)};
        vec_push(&meanings->at, meaning);
    }
    vec_release(&terms);
    ruleset_release(&stored);
    formula_texts_release(&texts);
    return ok;
}

void meanings_release(struct meanings *meanings)
{
    vec_release(&meanings->at);
    arena_release(&meanings->mem);
}
