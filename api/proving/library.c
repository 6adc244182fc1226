// SPDX-License-Identifier: Apache-2.0
#include "api/proving/library.h"
#include "api/proving/proving.h"
#include "api/rules/files.h"

#include "base/hash.h"

// The digest of the library's files and of everything else on which verdicts
// depend, and the kind of fact that is kept.
static bool library_digest(const char *path, const char *known, char digest[65])
{
    struct buf text = {0};
    char files[65];
    bool ok = ruleset_digest(path, files);
    buf_printf(&text, "%s %s %s %s", known, VERIFIER_VERSION, SEMANTICS_VERSION, files);
    sha256_hex(buf_text(&text), text.len, digest);
    buf_release(&text);
    return ok;
}

// The number of rules without a verdict, if no other process writes after
// *stamp.
static bool count_lacking(struct db *db, const struct ruleset *set, uint32_t *n, int64_t *stamp,
                          struct err *err)
{
    bool ok = db_stamp(db, stamp, err);
    *n = 0;
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        unsigned done;
        bool current;
        ok = db_rule_state(db, set->rules.at[i], &done, &current, err);
        *n += (rule_domains(set->rules.at[i]) & ~done) != 0;
    }
    return ok;
}

// *n: the rules without any verdict in some domain. Verdicts of provers that were killed are
// none.
static bool count_untold(struct db *db, const struct ruleset *set, uint32_t *n, struct err *err)
{
    bool ok = true;
    *n = 0;
    for (uint32_t i = 0; ok && i < set->rules.len; i++) {
        unsigned told;
        ok = db_told(db, set->rules.at[i]->hash, &told, err);
        *n += (rule_domains(set->rules.at[i]) & ~told) != 0;
    }
    return ok;
}

// The note only saves the next run some work: a failure to write it is no
// error.
static void note_complete(struct db *db, const char *digest, int64_t stamp)
{
    struct err why = {0};
    (void)db_put_complete(db, digest, stamp, &why);
}

static bool prove_files(struct rw_database *database, const char *path, uint32_t *lacking,
                        int64_t *stamp, struct err *err)
{
    struct ruleset set;
    struct proving proving;
    struct rw_proving stats = {0};
    ruleset_init(&set);
    bool ok = rule_files_load(database->context, path, &set, err) &&
              proving_of(database->context, NULL, &proving, err) &&
              prove_into(database->db, &set, &proving, "of the library first", NULL, &stats, err);
    if (ok && stats.interrupted)
        ok = err_set(err, ERR_LIMIT, "interrupted");
    ok = ok && count_lacking(database->db, &set, lacking, stamp, err);
    ruleset_release(&set);
    return ok;
}

bool library_has_proved(struct rw_database *database, bool *yes, struct err *err)
{
    return db_has_proved(database->db, yes, err);
}

bool library_prove(struct rw_database *database, const char *path, struct err *err)
{
    char digest[65];
    bool complete = false;
    uint32_t lacking = 0;
    int64_t stamp = 0;
    bool digested = library_digest(path, "named", digest);
    bool ok = !digested || db_is_complete(database->db, digest, &complete, err);
    if (ok && !complete)
        ok = prove_files(database, path, &lacking, &stamp, err);
    if (ok && digested && !complete && lacking == 0)
        note_complete(database->db, digest, stamp);
    return ok;
}

// What is lacking of the rules, and the facts that follow.
static bool look(struct db *db, const struct ruleset *set, const char *path, const char *proved,
                 uint32_t *lacking, struct err *err)
{
    char told[65];
    int64_t stamp = 0;
    uint32_t untold = 0;
    if (!count_lacking(db, set, lacking, &stamp, err) || !count_untold(db, set, &untold, err))
        return false;
    if (*lacking == 0 && proved != NULL)
        note_complete(db, proved, stamp);
    if (untold == 0 && library_digest(path, "told", told))
        note_complete(db, told, stamp);
    return true;
}

bool library_lacking(struct rw_database *database, const char *path, uint32_t *lacking,
                     uint32_t *rules, struct err *err)
{
    struct ruleset set;
    char digest[65];
    bool complete = false, digested = library_digest(path, "proved", digest);
    bool ok = !digested || db_is_complete(database->db, digest, &complete, err);
    *lacking = *rules = 0;
    ruleset_init(&set);
    if (ok && !complete)
        ok = rule_files_load(database->context, path, &set, err) &&
             look(database->db, &set, path, digested ? digest : NULL, lacking, err);
    *rules = set.rules.len;
    ruleset_release(&set);
    return ok;
}

bool library_lay_under(struct rw_database *database, const char *path, const char *file, bool *fits,
                       struct err *err)
{
    char told[65];
    *fits = false;
    return !library_digest(path, "told", told) || db_lay_over(database->db, file, told, fits, err);
}

bool library_is_under(const struct rw_database *database)
{
    return db_has_library(database->db);
}
