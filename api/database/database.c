// SPDX-License-Identifier: Apache-2.0
#include "api/database/database.h"

#include "api/rules/json.h"
#include "base/memory/vec.h"
#include "base/text/utf8.h"

#define MAX_WAIT 1e6 // seconds

struct rw_database *rw_database_open(struct rw_context *context, const char *path,
                                     enum rw_mode mode, double wait, struct rw_error *error)
{
    struct err err = {0};
    struct db *db = NULL;
    bool ok =
        path != NULL || err_set(&err, ERR_USAGE, "expected the path of a database, found none");
    ok = ok && (mode == RW_READ || mode == RW_WRITE ||
                err_set(&err, ERR_USAGE, "%s: no such mode: %d", path, (int)mode));
    ok = ok && ((wait >= 0 && wait <= MAX_WAIT) ||
                err_set(&err, ERR_USAGE, "%s: expected to wait 0 to %g seconds, found %g", path,
                        MAX_WAIT, wait));
    if (!ok || !db_open(&db, path, mode == RW_WRITE ? DB_WRITE : DB_READ, wait, &err)) {
        error_give(&err, error);
        return NULL;
    }
    struct rw_database *database = mem_alloc(sizeof *database);
    database->context = context;
    database->db = db;
    database->path = text_copy(path);
    return database;
}

void rw_database_close(struct rw_database *database)
{
    if (database == NULL)
        return;
    db_close(database->db);
    mem_free(database->path);
    mem_free(database);
}

bool rw_database_lay_over(struct rw_database *database, const char *library, struct rw_error *error)
{
    struct err err = {0};
    bool fits;
    if (library == NULL)
        err_set(&err, ERR_USAGE, "expected the path of a database, found none");
    else if (db_lay_over(database->db, library, NULL, &fits, &err) && !fits)
        err_at(&err, ERR_DB, library, 0, 0,
               "expected a database of this version, found an older one");
    return err.kind == ERR_NONE || error_give(&err, error);
}

bool rw_database_save(struct rw_database *database, const char *path, struct rw_error *error)
{
    struct err err = {0};
    if (path == NULL)
        err_set(&err, ERR_USAGE, "expected the path of a file, found none");
    return (path != NULL && db_copy(database->db, path, &err)) || error_give(&err, error);
}

struct sql_reader {
    void (*row)(void *user, int n, const char *const *names, const char *const *texts);
    void (*line)(void *user, const char *json);
    void *user;
};

static void give_texts(void *ctx, const struct sql_row *row)
{
    const struct sql_reader *reader = ctx;
    const char **names = mem_alloc(sizeof *names * (size_t)(row->n + 1));
    const char **texts = mem_alloc(sizeof *texts * (size_t)(row->n + 1));
    for (int i = 0; i < row->n; i++) {
        names[i] = row->at[i].name;
        texts[i] = row->at[i].text;
    }
    reader->row(reader->user, row->n, names, texts);
    mem_free(names);
    mem_free(texts);
}

bool rw_query_sql(struct rw_database *database, const char *sql,
                  void (*row)(void *user, int n, const char *const *names,
                              const char *const *texts),
                  void *user, struct rw_error *error)
{
    struct err err = {0};
    if (sql == NULL || row == NULL) {
        err_set(&err, ERR_USAGE, "expected a statement and a function for its rows, found none");
        return error_give(&err, error);
    }
    struct sql_reader reader = {.row = row, .user = user};
    return db_sql(database->db, sql, give_texts, &reader, &err) || error_give(&err, error);
}

static json_t *value_json(const struct sql_value *value)
{
    struct buf text = {0};
    json_t *json = NULL;
    switch (value->kind) {
    case SQL_NULL:
        break;
    case SQL_INTEGER:
        json = json_integer(strtoll(value->text, NULL, 10));
        break;
    case SQL_REAL:
        json = json_real(strtod(value->text, NULL)); // NULL for an infinity
        break;
    case SQL_TEXT:
        json = json_string(value->text); // NULL of what is no UTF-8
        if (json == NULL) {
            utf8_printable(value->text, &text);
            json = json_string(buf_text(&text));
        }
        break;
    case SQL_BLOB:
        for (size_t i = 0; i < value->size; i++)
            buf_printf(&text, "%02x", (unsigned)(unsigned char)value->text[i]);
        json = json_string(buf_text(&text));
        break;
    }
    buf_release(&text);
    return json ? json : json_null();
}

// Columns of one name are told apart by a number: "n", "n:2".
static void give_line(void *ctx, const struct sql_row *row)
{
    const struct sql_reader *reader = ctx;
    json_t *object = json_object();
    for (int i = 0; i < row->n; i++) {
        struct buf name = {0};
        utf8_printable(row->at[i].name, &name);
        size_t plain = name.len;
        for (int k = 2; json_object_get(object, buf_text(&name)); k++) {
            name.len = plain;
            buf_printf(&name, ":%d", k);
        }
        json_object_set_new(object, buf_text(&name), value_json(&row->at[i]));
        buf_release(&name);
    }
    char *line = json_give(object);
    reader->line(reader->user, line);
    mem_free(line);
}

bool rw_query_sql_json(struct rw_database *database, const char *sql,
                       void (*line)(void *user, const char *json), void *user,
                       struct rw_error *error)
{
    struct err err = {0};
    if (sql == NULL || line == NULL) {
        err_set(&err, ERR_USAGE, "expected a statement and a function for its rows, found none");
        return error_give(&err, error);
    }
    struct sql_reader reader = {.line = line, .user = user};
    return db_sql(database->db, sql, give_line, &reader, &err) || error_give(&err, error);
}
