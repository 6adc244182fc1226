// SPDX-License-Identifier: Apache-2.0
// The rule database: rules, verdicts per domain, obligations, counterexamples,
// runs and uses in proof records, in one SQLite file (schema.sql).
//
// D1  A rule's hash is its key. The row of a rule never changes, except `doc`,
//     `name`, `family`, `source` and `claims`, which are not part of the
//     identity.
// D2  One call writes one transaction: a verdict is stored with its obligations
//     and counterexample, or not at all.
// D3  An `unknown` never replaces `proved` or `refuted` of the same versions, and a verdict that
//     was cut short (rules/verdict.h) no other verdict of the same versions.
//     Contradictions and second opinions do replace them (verdict_overrides).
//     The verdicts of another database are joined by rules of their own:
//     db/merge.h.
// D4  A call fails if it reads a rule whose text does not have its hash, or a
//     verdict or obligation that is malformed, or a proof or a refutation without its ground
//     (UNFOUNDED_BY and stmt_is_refuted of db/sql.h).
//
// A database may lie over a library: a second database, of the verdicts of a rule library,
// that is read and never written (db/layers.h has the rules for both). All that is read is
// of both; all that is written goes to the upper one.
//
// Several processes may use one file: each waits for the others' locks.
// Every failure is ERR_DB with the file's name, except that an absent file
// opened for reading is ERR_IO.
#ifndef DB_DB_H
#define DB_DB_H

#include "base/err.h"
#include "rules/rule.h"
#include "rules/verdict.h"

struct db;

enum db_mode {
    DB_READ,  // must exist; never written
    DB_WRITE, // made on first use, migrated if older
};

// The caller closes *out.  The call fails if the schema is newer than this
// program's.  Waits `seconds` for locks of other processes, here and in later
// calls.
bool db_open(struct db **out, const char *path, enum db_mode mode, double seconds, struct err *err);
bool db_writable(const struct db *db);
// Lays the database over the library in the file `path`. *fits is false, and the library is
// not used, if its schema is of another version, or if the library does not note the fact
// (db_put_complete; NULL: any library). Fails, with the library's file in *err, if that file
// cannot be read or is no rule database; the database stays as it was, without a library.
bool db_lay_over(struct db *db, const char *path, const char *fact, bool *fits, struct err *err);
bool db_has_library(const struct db *db);
void db_close(struct db *db);
// Makes the file `path` a copy of the upper layer; what was in it is gone.
bool db_copy(struct db *db, const char *path, struct err *err);
// SQLite's own integrity check and the foreign keys.
bool db_check(struct db *db, struct err *err);

// A run of `prove`: made with its first result, finished after its last.
bool db_run_begin(struct db *db, const char *command, const char *solver, int64_t *run,
                  struct err *err);
bool db_run_finish(struct db *db, int64_t run, struct err *err);

// Says how much of the database's knowledge of a rule is up to date. *done is
// the mask of domains with a verdict of the current versions that need not be
// computed again: any verdict but an unknown claim, and one that was cut
// short. *current is true if the
// name stands for this hash in some layer, and there name, family, source, doc, claims and
// origins are as given.
bool db_rule_state(struct db *db, const struct rule *rule, unsigned *done, bool *current,
                   struct err *err);
// The domains with any verdict of the current versions, except one that was cut short.
bool db_told(struct db *db, const char *hash, unsigned *domains, struct err *err);
// Writes the rule's text and makes its name stand for it, in the user's layer. A name belongs
// to a family: rules of other families may have the same name.
bool db_put_rule(struct db *db, const struct rule *rule, struct err *err);
// The same, with the verdicts of a report. Nothing is written that the library says too. An
// answer against the library's is stored as a contradiction.
bool db_put_report(struct db *db, const struct rule *rule, const struct report *rep, int64_t run,
                   struct err *err);
// A proof record and the hashes of the rules of its steps, with repetitions.
bool db_put_record(struct db *db, const char *id, const char *domain, uint32_t n_steps,
                   const char *const *hashes, struct err *err);

struct stored_verdict {
    enum domain domain;
    enum verdict verdict;
    const char *grade; // grade_name, of float
    const char *rung, *reason, *method, *bound, *bound_why, *solver;
    const char *verifier, *semantics; // versions
    const char *layer;                // "library" or "user"
    bool claimed;
    bool stale;   // not of the current versions
    bool earlier; // set by callers: a run that was to prove it again found no answer
    int64_t instances, obligations;
    double seconds;
    const char *counterexample; // JSON or NULL
};
struct stored_rule {
    const char *hash, *name, *family, *source, *canonical, *doc;
    const char *layer; // "library" or "user"
    unsigned claims;
    bool current; // some name, `name` if so, stands for this hash
    int64_t uses; // steps in stored proof records
    VEC(const char *) origins;
    VEC(const char *) operators;
    VEC(const char *) preconditions;
    VEC(const char *) remarks;
    VEC(struct stored_verdict) verdicts; // by domain
};
struct stored_rules {
    struct arena mem;
    VEC(struct stored_rule) rules; // by family, name, hash
};
void stored_rules_drop(struct stored_rules *stored, uint32_t index);
void stored_rules_release(struct stored_rules *stored);

// The filters of a query; NULL or 0 = any.  A rule must pass all of them.
struct db_filter {
    const char *hash;        // all of it
    const char *name;        // a name it goes by, hash or start of one (DB_PREFIX_DIGITS)
    const char *of_family;   // that the name belongs to; needs `name`
    VEC(const char *) ops;   // every one occurs
    VEC(const char *) texts; // every one occurs in name, source, doc or origin
    const char *family;
    const char *precondition; // a role (stride, size, ...) or a piece of text
    bool any_precondition;
    const char *record; // used by this stored record
    int domain;         // enum domain, or -1
    int verdict;        // enum verdict, or -1 (in `domain` if given)
    const char *rung;
    const char *grade; // of the verdict in float
    // Text or a verdict came at this UTC time or later ("2026-11-23", "..T10:00:00Z");
    // a verdict is of a later version of the verifier.
    const char *since, *since_version;
    bool stale;      // some verdict is stale, or the text superseded
    bool superseded; // also rules whose name stands for another text
    bool brief;      // of a rule no source, doc, uses or lists but verdicts
    bool unjudged;   // sources and counterexamples may be damaged: callers read them
};
void db_filter_init(struct db_filter *filter);
void db_filter_release(struct db_filter *filter);
bool db_find(struct db *db, const struct db_filter *filter, struct stored_rules *out,
             struct err *err);
// The domains in which the current verifier proved the rule with this hash, as
// a mask, and those of them on the rung of uninterpreted operators. *known: the
// database has the rule.
bool db_proved(struct db *db, const char *hash, unsigned *proved, unsigned *uninterpreted,
               bool *known, struct err *err);
// A rule as the engine needs it.
struct proved_rule {
    const char *hash;
    const char *name, *canonical;   // NULL unless proved
    unsigned proved, uninterpreted; // as db_proved says; 0 too if no name stands for the rule
};
struct proved_rules {
    struct arena mem;
    VEC(struct proved_rule) at;
};
// Appends a row for each of the hashes, which are borrowed.
bool db_read_proved(struct db *db, uint32_t n, const char *const *hash, struct proved_rules *out,
                    struct err *err);
void proved_rules_release(struct proved_rules *rules);
// *yes: some rule is proved.
bool db_has_proved(struct db *db, bool *yes, struct err *err);
// A number that changes whenever another process has written to the database.
bool db_stamp(struct db *db, int64_t *stamp, struct err *err);
// A fact about the rules of some files, kept so that no later run must find the
// fact again.  The key is a digest of the files' texts, of the versions and of
// the kind of fact.  Writing a rule deletes all facts.  A fact is not stored if
// another process has written since `stamp`, which callers must take before
// they look at the rules.
bool db_put_complete(struct db *db, const char *library, int64_t stamp, struct err *err);
bool db_is_complete(struct db *db, const char *library, bool *yes, struct err *err);
// Domains with their obligations only; fills a zeroed report, which the caller
// releases even after a failure.
bool db_obligations(struct db *db, const char *hash, struct report *out, struct err *err);

// Raw read-only SQL; each row through `row` (texts, NULL for SQL null).
enum sql_kind { SQL_NULL, SQL_INTEGER, SQL_REAL, SQL_TEXT, SQL_BLOB };
struct sql_value {
    const char *name; // of the column
    const char *text; // NULL: SQL_NULL
    size_t size;      // bytes of the text
    enum sql_kind kind;
};
struct sql_row {
    int n;
    const struct sql_value *at;
};
// `row` gets each row.  ERR_USAGE: a text that is no statement, or more than one.
bool db_sql(struct db *db, const char *sql, void (*row)(void *ctx, const struct sql_row *row),
            void *ctx, struct err *err);

#endif
