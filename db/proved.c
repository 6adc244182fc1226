// SPDX-License-Identifier: Apache-2.0
// Which domains rules are proved in: what simplify and check ask of a rule.
#include "db/db.h"

#include "db/layers.h"
#include "db/sql.h"

#define PROVED_BY(of, unfounded)                                                                   \
    "SELECT v.domain, v.rung, " unfounded " FROM " of "verdict v WHERE v.rule = ?1 AND "           \
    "v.verdict = 'proved' AND v.verifier = '" VERIFIER_VERSION "' AND "                            \
    "v.semantics = '" SEMANTICS_VERSION "'"
// A row without a domain says that the rule is there.
#define KNOWN_BY(of, unfounded)                                                                    \
    "SELECT '', '', '' FROM " of "rule WHERE hash = ?1 UNION ALL " PROVED_BY(of, unfounded)

static bool proved_in(struct db *db, const char *sql, const char *hash, unsigned *proved,
                      unsigned *uninterpreted, bool *known, struct err *err)
{
    *proved = *uninterpreted = 0;
    *known = false;
    struct stmt stmt = stmt_cached(db, sql, err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt)) {
        enum domain domain;
        *known = true;
        if (!stmt_is_founded(&stmt, 2, hash, stmt_column(&stmt, 0)))
            break;
        if (!domain_by_text(stmt_column(&stmt, 0), &domain))
            continue;
        *proved |= 1u << domain;
        if (strcmp(stmt_column(&stmt, 1), rung_text(RUNG_UNINTERPRETED)) == 0)
            *uninterpreted |= 1u << domain;
    }
    return stmt_close(&stmt);
}

// What obligations say is read where few rules are asked for. To read those of every rule that a
// program could need would take longer than all other work on a small program: they are counted.
static const char *const known_sql[] = {
    [ON_ONE] = KNOWN_BY("", UNFOUNDED_IN("main.", "v", PROVED_OR_UNKNOWN)),
    [ON_BOTH] = KNOWN_BY("", UNFOUNDED_ON_BOTH("v", PROVED_OR_UNKNOWN)),
    [ON_LIBRARY] = KNOWN_BY("library.", UNFOUNDED_IN("library.", "v", PROVED_OR_UNKNOWN))};
static const char *const proved_sql[] = {
    [ON_ONE] = PROVED_BY("", UNFOUNDED_IN("main.", "v", "")),
    [ON_BOTH] = PROVED_BY("", UNFOUNDED_ON_BOTH("v", "")),
    [ON_LIBRARY] = PROVED_BY("library.", UNFOUNDED_IN("library.", "v", ""))};
#define TEXT_IN(of, same_layer)                                                                    \
    "SELECT " RULE_NAME_IN(of, same_layer) ", r.canonical FROM " of                                \
                                           "rule r WHERE r.hash = ? AND EXISTS (SELECT 1 FROM " of \
                                           "current k WHERE k.hash = r.hash)"
static const char *const text_sql[] = {TEXT_IN("", " AND k.layer = r.layer"),
                                       TEXT_IN("library.", "")};

bool db_proved(struct db *db, const char *hash, unsigned *proved, unsigned *uninterpreted,
               bool *known, struct err *err)
{
    bool alone;
    return layers_library_alone(db, hash, &alone, err) &&
           proved_in(db, known_sql[alone ? ON_LIBRARY : db->has_library], hash, proved,
                     uninterpreted, known, err);
}

static bool read_proved(struct db *db, struct proved_rules *out, struct proved_rule *rule,
                        struct err *err)
{
    bool alone, known;
    if (!layers_library_alone(db, rule->hash, &alone, err) ||
        !proved_in(db, proved_sql[alone ? ON_LIBRARY : db->has_library], rule->hash, &rule->proved,
                   &rule->uninterpreted, &known, err))
        return false;
    if (rule->proved == 0)
        return true;
    struct stmt stmt = stmt_cached(db, text_sql[alone], err);
    stmt_text(&stmt, 1, rule->hash);
    if (stmt_row(&stmt)) {
        rule->name = arena_strdup(&out->mem, stmt_column(&stmt, 0));
        rule->canonical = arena_strdup(&out->mem, stmt_column(&stmt, 1));
        stmt_is_intact(&stmt, rule->hash, rule->canonical);
    } else {
        rule->proved = 0;
    }
    return stmt_close(&stmt);
}

bool db_read_proved(struct db *db, uint32_t n, const char *const *hash, struct proved_rules *out,
                    struct err *err)
{
    bool ok = db_exec(db, "BEGIN", err);
    for (uint32_t i = 0; ok && i < n; i++) {
        struct proved_rule rule = {.hash = hash[i]};
        ok = read_proved(db, out, &rule, err);
        vec_push(&out->at, rule);
    }
    db_rollback(db); // nothing was written
    return ok;
}

void proved_rules_release(struct proved_rules *rules)
{
    vec_release(&rules->at);
    arena_release(&rules->mem);
    *rules = (struct proved_rules){0};
}
