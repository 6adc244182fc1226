// SPDX-License-Identifier: Apache-2.0
#include "cli/proving/meanings.h"
#include "cli/proving/statuses.h"

#include "proof/formula/texts.h"

// The functions that some name of the database stands for and that are proved.
static bool stored_definitions(struct db *db, struct ruleset *set,
                               struct err *e)
{
    struct db_filter f;
    struct stored_rules found = {0};
    db_filter_init(&f);
    vec_push(&f.ops, "define");
    f.brief = true;
    bool ok = db_find(db, &f, &found, e);
    for (uint32_t i = 0; ok && i < found.rules.len; i++) {
        const struct stored_rule *x = &found.rules.at[i];
        ok = status_of_stored(x).proved == 0 ||
             ruleset_add_canonical(set, x->canonical, x->name, e) != NULL;
    }
    stored_rules_release(&found);
    db_filter_release(&f);
    return ok;
}

static enum meaning meaning_of(const struct fdefine *d,
                               const struct ruleset *stored)
{
    enum meaning m = MEANING_NONE;
    for (uint32_t i = 0; i < stored->rules.len; i++) {
        const struct rule *r = stored->rules.at[i];
        if (strcmp(r->pats[r->rhs].text, d->name) != 0)
            continue;
        if (strcmp(r->hash, d->rule->hash) != 0)
            return MEANING_OTHER;
        m = MEANING_SAME;
    }
    return m;
}

static bool is_called(const struct fterms *t, const struct u32_vec *terms,
                      const char *name)
{
    for (uint32_t i = 0; i < terms->len; i++)
        if (fterm_n(t, terms->at[i]) > 0 &&
            strcmp(fterm_name(t, terms->at[i]), name) == 0)
            return true;
    return false;
}

bool meanings_find(struct meanings *m, const struct formula_record *r,
                   struct db *db, struct err *e)
{
    struct formula_texts x;
    struct ruleset stored;
    struct u32_vec terms = {0};
    memset(m, 0, sizeof *m);
    ruleset_init(&stored);
    bool ok = formula_texts_read(&x, r, e);
    ok = ok && (db == NULL || x.defs.at.len == 0 ||
                stored_definitions(db, &stored, e));
    if (ok) {
        fterm both[] = {x.in.term, x.out.term};
        fterms_reach(&x.t, 2, both, &terms);
    }
    for (uint32_t i = 0; ok && i < x.defs.at.len; i++) {
        const struct fdefine *d = &x.defs.at.at[i];
        if (!is_called(&x.t, &terms, d->name))
            continue;
        struct function_meaning f = {arena_strdup(&m->mem, d->name),
                                     db == NULL ? MEANING_UNKNOWN
                                                : meaning_of(d, &stored)};
        vec_push(&m->at, f);
    }
    vec_release(&terms);
    ruleset_release(&stored);
    formula_texts_release(&x);
    return ok;
}

void meanings_release(struct meanings *m)
{
    vec_release(&m->at);
    arena_release(&m->mem);
}

void meanings_print(const struct meanings *m, struct buf *out)
{
    static const char *const why[] = {
        [MEANING_OTHER] = "the database defines it otherwise",
        [MEANING_NONE] = "the database does not define it",
        [MEANING_UNKNOWN] = "there is no database to compare with",
    };
    for (uint32_t i = 0; i < m->at.len; i++)
        if (m->at.at[i].meaning != MEANING_SAME)
            buf_printf(out, "%s is as the record defines it: %s\n",
                       m->at.at[i].name, why[m->at.at[i].meaning]);
}

json_t *meanings_json(const struct meanings *m)
{
    static const char *const word[] = {
        [MEANING_SAME] = "same",
        [MEANING_OTHER] = "other",
        [MEANING_NONE] = "none",
        [MEANING_UNKNOWN] = "unknown",
    };
    json_t *out = json_array();
    for (uint32_t i = 0; i < m->at.len; i++)
        json_array_append_new(out, json_pack("{s:s, s:s}", "function",
                                             m->at.at[i].name, "database",
                                             word[m->at.at[i].meaning]));
    return out;
}
