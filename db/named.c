// SPDX-License-Identifier: Apache-2.0
// Each table of a layer is read once, from its beginning to its end: to look up every rule in five
// tables took a third of the time of a short simplification.
#include "db/named.h"

#include "base/memory/intern.h"
#include "db/layers.h"
#include "db/sql.h"
#include <stdlib.h>

// What the tables of one layer say of a rule.
struct candidate {
    const char *family, *name; // the least of its names; NULL: no name stands for it
    unsigned proved;           // domains, as bits
    uint32_t layer;            // 1 + number of the layer that has the rule; 0: none was seen
    bool spoken;               // another layer speaks of it: the views are asked (L5 of layers.h)
    struct named_row row;
};
struct reading {
    struct db *db;
    const char *version;
    struct named_rows *out;
    struct intern hashes;
    VEC(struct candidate) at; // by id of the hash
    uint32_t layer;           // that is read now, from 1
    struct err *err;
};

#define OF_VERSION                                                                                 \
    "v.verdict = 'proved' AND v.verifier = '" VERIFIER_VERSION "' AND "                            \
    "v.semantics = '" SEMANTICS_VERSION "'"
// The tables of a layer; ? is the version. The index would give the verdicts in the order of
// hashes, which is no order of the table.
#define TABLES_OF(of)                                                                              \
    {                                                                                              \
        "SELECT hash, family FROM " of "rule", "SELECT hash, name FROM " of "current",             \
            "SELECT rule, defines, domain, forward, backward FROM " of "named WHERE version = ?",  \
            "SELECT rule, domain FROM " of "verdict v NOT INDEXED WHERE domain IN ('real', "       \
            "'bool') AND " OF_VERSION                                                              \
    }
enum { RULES, NAMES, PLAIN, PROOFS, N_TABLES };
static const char *const of_user[N_TABLES] = TABLES_OF("main.");
static const char *const of_library[N_TABLES] = TABLES_OF("library.");

static const char *const spoken_by_user = "SELECT hash FROM main.rule UNION ALL SELECT rule FROM "
                                          "main.verdict UNION ALL SELECT rule FROM "
                                          "main.counterexample";
static const char *const spoken_by_library = "SELECT 1 WHERE " SPEAKS_OF("library.", "?1");

// Of a rule of which both layers speak, from the views.
static const char *const kept =
    "SELECT 1, defines, domain, forward, backward FROM named WHERE rule = ? AND version = ?";
#define PROOFS_BY(unfounded)                                                                       \
    "SELECT v.domain, " unfounded                                                                  \
    " FROM verdict v WHERE v.rule = ? AND v.domain = ? AND " OF_VERSION
static const char *const proofs[] = BY_LAYERS(PROOFS_BY, "v");

static const char *keep(struct named_rows *rows, struct stmt *stmt, int column)
{
    return arena_strdup(&rows->mem, stmt_column(stmt, column));
}

// The columns behind the first.
static void read_plain(struct named_rows *rows, struct stmt *stmt, struct named_row *row)
{
    row->known = true;
    row->defines = sqlite3_column_int(stmt->at, 1) != 0;
    row->domain = keep(rows, stmt, 2);
    row->forward = keep(rows, stmt, 3);
    row->backward = keep(rows, stmt, 4);
}

// Tables

static struct candidate *candidate_of(struct reading *reading, struct stmt *stmt)
{
    uint32_t id = intern_str(&reading->hashes, stmt_column(stmt, 0));
    while (reading->at.len <= id)
        vec_push(&reading->at, (struct candidate){0});
    return &reading->at.at[id];
}

static void read_table(struct reading *reading, struct stmt *stmt, int table)
{
    struct candidate *candidate = candidate_of(reading, stmt);
    if (table == RULES && candidate->layer == 0) {
        candidate->layer = reading->layer;
        candidate->family = keep(reading->out, stmt, 1);
        candidate->row = (struct named_row){
            .hash = keep(reading->out, stmt, 0), .domain = "", .forward = "", .backward = ""};
    }
    if (candidate->layer != reading->layer)
        return;
    const char *text = stmt_column(stmt, 1);
    if (table == NAMES && (candidate->name == NULL || strcmp(text, candidate->name) < 0))
        candidate->name = keep(reading->out, stmt, 1);
    else if (table == PLAIN)
        read_plain(reading->out, stmt, &candidate->row);
    else if (table == PROOFS)
        candidate->proved |= 1U << (strcmp(text, "real") == 0 ? DOMAIN_REAL : DOMAIN_BOOL);
}

static bool read_layer(struct reading *reading, const char *const *tables)
{
    bool ok = true;
    reading->layer++;
    for (int table = 0; ok && table < N_TABLES; table++) {
        struct stmt stmt = stmt_open_layer(reading->db, tables[table], reading->err);
        if (table == PLAIN)
            stmt_text(&stmt, 1, reading->version);
        while (stmt_row(&stmt))
            read_table(reading, &stmt, table);
        ok = stmt_close(&stmt);
    }
    return ok;
}

// The rules of the library of which the user's layer speaks, and the other way round.
static bool find_spoken(struct reading *reading)
{
    struct stmt stmt = stmt_open_layer(reading->db, spoken_by_user, reading->err);
    while (stmt_row(&stmt)) {
        struct candidate *candidate = candidate_of(reading, &stmt);
        candidate->spoken = candidate->layer == 1;
    }
    if (!stmt_close(&stmt))
        return false;
    for (uint32_t i = 0; i < reading->at.len; i++) {
        struct candidate *candidate = &reading->at.at[i];
        if (candidate->layer != 2)
            continue;
        stmt = stmt_cached_layer(reading->db, spoken_by_library, reading->err);
        stmt_text(&stmt, 1, candidate->row.hash);
        candidate->spoken = stmt_row(&stmt);
        if (!stmt_close(&stmt))
            return false;
    }
    return true;
}

// A rule of which both layers speak

static bool read_kept(struct reading *reading, struct candidate *candidate)
{
    struct named_row *row = &candidate->row;
    row->known = false;
    row->domain = row->forward = row->backward = "";
    struct stmt stmt = stmt_cached(reading->db, kept, reading->err);
    stmt_text(&stmt, 1, row->hash);
    stmt_text(&stmt, 2, reading->version);
    if (stmt_row(&stmt))
        read_plain(reading->out, &stmt, row);
    return stmt_close(&stmt);
}

static const enum domain domains[] = {DOMAIN_REAL, DOMAIN_BOOL};

static bool read_proofs(struct reading *reading, struct candidate *candidate)
{
    candidate->proved = 0;
    for (int i = 0; i < 2; i++) {
        const char *hash = candidate->row.hash, *domain = domain_text(domains[i]);
        struct stmt stmt = stmt_cached(reading->db, proofs[reading->db->has_library], reading->err);
        stmt_text(&stmt, 1, hash);
        stmt_text(&stmt, 2, domain);
        if (stmt_row(&stmt) && stmt_is_founded(&stmt, 1, hash, domain))
            candidate->proved |= 1U << domains[i];
        if (!stmt_close(&stmt))
            return false;
    }
    return true;
}

static bool ask_views(struct reading *reading)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < reading->at.len; i++) {
        struct candidate *candidate = &reading->at.at[i];
        if (candidate->spoken)
            ok = read_kept(reading, candidate) && read_proofs(reading, candidate);
    }
    return ok;
}

// Is the rule proved where its row needs it, or could it be, if there is no row?
static bool may_be_used(const struct candidate *candidate)
{
    bool any = true;
    for (int i = 0; i < 2; i++)
        if (strcmp(candidate->row.domain, domain_text(domains[i])) == 0) {
            any = false;
            if (candidate->proved >> domains[i] & 1)
                return true;
        }
    return any && candidate->proved != 0;
}

static int in_order(const void *a, const void *b)
{
    const struct candidate *x = *(struct candidate *const *)a, *y = *(struct candidate *const *)b;
    int by = strcmp(x->family, y->family);
    by = by != 0 ? by : strcmp(x->name, y->name);
    return by != 0 ? by : strcmp(x->row.hash, y->row.hash);
}

static void put_rows(struct reading *reading, bool all)
{
    VEC(struct candidate *) order = {0};
    for (uint32_t i = 0; i < reading->at.len; i++) {
        struct candidate *candidate = &reading->at.at[i];
        bool plain = !candidate->row.known || *candidate->row.domain != 0;
        if (candidate->layer > 0 && candidate->name != NULL && (all || plain) &&
            may_be_used(candidate))
            vec_push(&order, candidate);
    }
    if (order.len > 0)
        qsort(order.at, order.len, sizeof *order.at, in_order);
    for (uint32_t i = 0; i < order.len; i++) {
        order.at[i]->row.name = order.at[i]->name;
        vec_push(&reading->out->at, order.at[i]->row);
    }
    vec_release(&order);
}

static bool read_rows(struct reading *reading)
{
    if (!reading->db->has_library)
        return read_layer(reading, of_user);
    return read_layer(reading, of_library) && read_layer(reading, of_user) &&
           find_spoken(reading) && ask_views(reading);
}

bool db_named_rules(struct db *db, const char *version, bool all, struct named_rows *out,
                    struct err *err)
{
    struct reading reading = {.db = db, .version = version, .out = out, .err = err};
    memset(out, 0, sizeof *out);
    intern_init(&reading.hashes);
    // One transaction: one state of the database.
    bool ok = db_exec(db, "BEGIN", err) && read_rows(&reading);
    db_end(db);
    if (ok)
        put_rows(&reading, all);
    else
        named_rows_release(out);
    vec_release(&reading.at);
    intern_release(&reading.hashes);
    return ok;
}

void named_rows_release(struct named_rows *rows)
{
    vec_release(&rows->at);
    arena_release(&rows->mem);
}

bool db_keep_named(struct db *db, const char *version, uint32_t n, const struct named_row *rows,
                   struct err *err)
{
    if (!db_begin(db, err))
        return false;
    struct stmt stmt =
        stmt_open_layer(db,
                        "INSERT OR REPLACE INTO main.named SELECT ?1, ?2, ?3, ?4, ?5, ?6 "
                        "WHERE EXISTS (SELECT 1 FROM main.rule WHERE hash = ?1)",
                        err);
    for (uint32_t i = 0; i < n; i++) {
        stmt_text(&stmt, 1, rows[i].hash);
        stmt_text(&stmt, 2, version);
        stmt_text(&stmt, 3, rows[i].domain);
        stmt_int(&stmt, 4, rows[i].defines);
        stmt_text(&stmt, 5, rows[i].forward);
        stmt_text(&stmt, 6, rows[i].backward);
        stmt_run(&stmt);
    }
    if (stmt_close(&stmt) && db_commit(db, err))
        return true;
    db_rollback(db);
    return false;
}
