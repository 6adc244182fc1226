// SPDX-License-Identifier: Apache-2.0
// Which domains rules are proved in: what simplify and check ask of a rule.
#include "db/db.h"

#include "db/layers.h"
#include "db/sql.h"

#define OF_VERSION                                                                                 \
    " AND v.verdict = 'proved' AND v.verifier = '" VERIFIER_VERSION "' AND v.semantics = "         \
    "'" SEMANTICS_VERSION "'"
#define PROVED_BY(of, unfounded)                                                                   \
    "SELECT 0, v.domain, v.rung, " unfounded " FROM " of "verdict v WHERE v.rule = ?1" OF_VERSION
// A row without a domain says that the rule is there.
#define KNOWN_BY(of, unfounded)                                                                    \
    "SELECT 0, '', '', '' FROM " of "rule WHERE hash = ?1 UNION ALL " PROVED_BY(of, unfounded)
static const char *const known_sql[] = {
    [ON_ONE] = KNOWN_BY("main.", UNFOUNDED_IN("main.", "v", PROVED_OR_UNKNOWN)),
    [ON_BOTH] = KNOWN_BY("", UNFOUNDED_ON_BOTH("v", PROVED_OR_UNKNOWN)),
    [ON_LIBRARY] = KNOWN_BY("library.", UNFOUNDED_IN("library.", "v", PROVED_OR_UNKNOWN))};

// The statement of a form (db/sql.h): that for both layers names the views.
static struct stmt cached(struct db *db, const char *const *sql, int form, struct err *err)
{
    return form == ON_BOTH ? stmt_cached(db, sql[form], err)
                           : stmt_cached_layer(db, sql[form], err);
}

// Adds the domain of a row. False: the row says proved, but has no ground.
static bool add_domain(struct stmt *stmt, const char *hash, unsigned *proved,
                       unsigned *uninterpreted)
{
    enum domain domain;
    if (!stmt_is_founded(stmt, 3, hash, stmt_column(stmt, 1)))
        return false;
    if (!domain_by_text(stmt_column(stmt, 1), &domain))
        return true;
    *proved |= 1u << domain;
    if (strcmp(stmt_column(stmt, 2), rung_text(RUNG_UNINTERPRETED)) == 0)
        *uninterpreted |= 1u << domain;
    return true;
}

bool db_proved(struct db *db, const char *hash, unsigned *proved, unsigned *uninterpreted,
               bool *known, struct err *err)
{
    bool alone;
    *proved = *uninterpreted = 0;
    *known = false;
    if (!layers_library_alone(db, hash, &alone, err))
        return false;
    struct stmt stmt = cached(db, known_sql, alone ? ON_LIBRARY : db->has_library, err);
    stmt_text(&stmt, 1, hash);
    while (stmt_row(&stmt)) {
        *known = true;
        if (!add_domain(&stmt, hash, proved, uninterpreted))
            break;
    }
    return stmt_close(&stmt);
}

// Rules of one layer are asked for together, for a statement per rule costs more than what it
// finds: ?1 is a JSON array of their hashes, and a row begins with a place in it. A rule of which
// both layers speak is asked for alone: SQLite would write out the views of a join.
#define ASKED(of) "json_each(?1) a CROSS JOIN " of
// What obligations say is read where few rules are asked for. To read those of every rule that a
// program could need would take longer than all other work on a small program: they are counted.
#define PROVED_IN(of)                                                                              \
    "SELECT a.key, v.domain, v.rung, " UNFOUNDED_IN(of, "v", "") " FROM " ASKED(                   \
        of) "verdict v WHERE v.rule = a.value" OF_VERSION
static const char *const proved_sql[] = {[ON_ONE] = PROVED_IN("main."),
                                         [ON_BOTH] = PROVED_BY("", UNFOUNDED_ON_BOTH("v", "")),
                                         [ON_LIBRARY] = PROVED_IN("library.")};
// A row for each name that stands for the text, and whether it is the name last written, which the
// rule then has; else it has the least of them.
#define TEXT_IN(of)                                                                                \
    "SELECT a.key, k.name, k.name = r.name AND k.family = r.family, r.canonical FROM " ASKED(      \
        of) "rule r CROSS JOIN " of "current k WHERE r.hash = a.value AND k.hash = r.hash"
static const char *const text_sql[] = {
    [ON_ONE] = TEXT_IN("main."),
    [ON_BOTH] = "SELECT 0, " RULE_NAME_IN(
        "", " AND k.layer = r.layer") ", 1, r.canonical "
                                      "FROM rule r WHERE r.hash = ?1 "
                                      "AND EXISTS (SELECT 1 FROM current k WHERE k.hash = r.hash)",
    [ON_LIBRARY] = TEXT_IN("library.")};
// Most users' layers have no rules.
static const char speaks_sql[] = "SELECT 1 WHERE EXISTS (SELECT 1 FROM main.rule) OR "
                                 "EXISTS (SELECT 1 FROM main.verdict) OR "
                                 "EXISTS (SELECT 1 FROM main.counterexample)";
static const char spoken_sql[] =
    "SELECT a.key FROM json_each(?1) a WHERE " SPEAKS_OF("main.", "a.value");

// Rules that are read by statements of one form (db/sql.h).
struct reading {
    struct db *db;
    struct proved_rules *out;
    struct u32_vec rules; // their numbers in `out`, by their places in the array
    struct err *err;
};

static struct proved_rule *rule_at(const struct reading *reading, uint32_t place)
{
    return &reading->out->at.at[reading->rules.at[place]];
}

static struct proved_rule *rule_of(const struct reading *reading, struct stmt *stmt)
{
    return rule_at(reading, (uint32_t)sqlite3_column_int64(stmt->at, 0));
}

// Hashes are hexadecimal digits, but in a damaged database they may be any text.
static void put_string(const char *text, struct buf *out)
{
    const char *from = text;
    buf_putc(out, '"');
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ') {
            buf_write(out, from, (size_t)(text - from));
            buf_printf(out, "\\u%04x", (unsigned)*text);
            from = text + 1;
        }
    buf_write(out, from, (size_t)(text - from));
    buf_putc(out, '"');
}

static void bind_hashes(const struct reading *reading, struct stmt *stmt)
{
    struct buf hashes = {0};
    buf_putc(&hashes, '[');
    for (uint32_t i = 0; i < reading->rules.len; i++) {
        buf_puts(&hashes, i > 0 ? "," : "");
        put_string(rule_at(reading, i)->hash, &hashes);
    }
    buf_putc(&hashes, ']');
    stmt_text(stmt, 1, buf_text(&hashes));
    buf_release(&hashes);
}

static struct stmt ask(const struct reading *reading, const char *const *sql, int form)
{
    struct stmt stmt = cached(reading->db, sql, form, reading->err);
    if (form == ON_BOTH)
        stmt_text(&stmt, 1, rule_at(reading, 0)->hash);
    else
        bind_hashes(reading, &stmt);
    return stmt;
}

static bool read_verdicts(const struct reading *reading, int form)
{
    struct stmt stmt = ask(reading, proved_sql, form);
    while (stmt_row(&stmt)) {
        struct proved_rule *rule = rule_of(reading, &stmt);
        if (!add_domain(&stmt, rule->hash, &rule->proved, &rule->uninterpreted))
            break;
    }
    return stmt_close(&stmt);
}

static bool read_texts(const struct reading *reading, int form)
{
    struct stmt stmt = ask(reading, text_sql, form);
    bool last_written = false;
    while (stmt_row(&stmt)) {
        struct proved_rule *rule = rule_of(reading, &stmt);
        const char *name = stmt_column(&stmt, 1);
        bool is_last = sqlite3_column_int(stmt.at, 2) != 0, first = rule->canonical == NULL;
        last_written = last_written && !first;
        if (first || is_last || (!last_written && strcmp(name, rule->name) < 0))
            rule->name = arena_strdup(&reading->out->mem, name);
        last_written = last_written || is_last;
        if (!first)
            continue;
        rule->canonical = arena_strdup(&reading->out->mem, stmt_column(&stmt, 3));
        if (!stmt_is_intact(&stmt, rule->hash, rule->canonical))
            break;
    }
    return stmt_close(&stmt);
}

// Takes the rules that are not proved from the list.
static void drop_unproved(struct reading *reading)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < reading->rules.len; i++)
        if (rule_at(reading, i)->proved != 0)
            reading->rules.at[n++] = reading->rules.at[i];
    reading->rules.len = n;
}

// Reads the rules of the list, and empties it. A rule that no name stands for is not proved.
static bool read_rules(struct reading *reading, int form)
{
    bool ok = reading->rules.len == 0 || read_verdicts(reading, form);
    drop_unproved(reading);
    ok = ok && (reading->rules.len == 0 || read_texts(reading, form));
    for (uint32_t i = 0; i < reading->rules.len; i++)
        if (rule_at(reading, i)->canonical == NULL)
            rule_at(reading, i)->proved = 0;
    vec_clear(&reading->rules);
    return ok;
}

static bool user_speaks(const struct reading *reading, bool *yes)
{
    struct stmt stmt = stmt_cached_layer(reading->db, speaks_sql, reading->err);
    *yes = stmt_row(&stmt);
    return stmt_close(&stmt);
}

// Marks the rules of the list of which the user's layer speaks, too.
static bool find_spoken(const struct reading *reading, bool *spoken)
{
    bool any, ok = user_speaks(reading, &any);
    if (!ok || !any)
        return ok;
    struct stmt stmt = stmt_cached_layer(reading->db, spoken_sql, reading->err);
    bind_hashes(reading, &stmt);
    while (stmt_row(&stmt))
        spoken[sqlite3_column_int64(stmt.at, 0)] = true;
    return stmt_close(&stmt);
}

struct hashed {
    const char *hash;
    uint32_t rule;
};

static int by_hash(const void *a, const void *b)
{
    const struct hashed *x = a, *y = b;
    int by = strcmp(x->hash, y->hash);
    return by != 0 ? by : (x->rule > y->rule) - (x->rule < y->rule);
}

// The order of the indexes: neighbours share their pages.
static void sort(struct reading *reading)
{
    struct hashed *at = mem_alloc(sizeof *at * ((size_t)reading->rules.len + 1));
    for (uint32_t i = 0; i < reading->rules.len; i++)
        at[i] = (struct hashed){rule_at(reading, i)->hash, reading->rules.at[i]};
    qsort(at, reading->rules.len, sizeof *at, by_hash);
    for (uint32_t i = 0; i < reading->rules.len; i++)
        reading->rules.at[i] = at[i].rule;
    mem_free(at);
}

// Reads the rules from number `from` on.
static bool read_from(struct reading *reading, uint32_t from)
{
    uint32_t n = reading->out->at.len - from;
    bool *spoken = mem_alloc(n);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&reading->rules, from + i);
    bool ok = !reading->db->has_library || find_spoken(reading, spoken);
    vec_clear(&reading->rules);
    for (uint32_t i = 0; i < n; i++)
        if (!spoken[i])
            vec_push(&reading->rules, from + i);
    sort(reading);
    ok = ok && read_rules(reading, reading->db->has_library ? ON_LIBRARY : ON_ONE);
    for (uint32_t i = 0; ok && i < n; i++)
        if (spoken[i]) {
            vec_push(&reading->rules, from + i);
            ok = read_rules(reading, ON_BOTH);
        }
    mem_free(spoken);
    return ok;
}

bool db_read_proved(struct db *db, uint32_t n, const char *const *hash, struct proved_rules *out,
                    struct err *err)
{
    struct reading reading = {.db = db, .out = out, .err = err};
    uint32_t from = out->at.len;
    for (uint32_t i = 0; i < n; i++)
        vec_push(&out->at, ((struct proved_rule){.hash = hash[i]}));
    bool ok = db_exec(db, "BEGIN", err) && read_from(&reading, from);
    db_end(db);
    vec_release(&reading.rules);
    return ok;
}

void proved_rules_release(struct proved_rules *rules)
{
    vec_release(&rules->at);
    arena_release(&rules->mem);
    *rules = (struct proved_rules){0};
}
