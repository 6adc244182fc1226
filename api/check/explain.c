// SPDX-License-Identifier: Apache-2.0
// A record in any format.
#include "api/check/notes.h"
#include "api/database/database.h"
#include "api/records/records.h"

static char *written(const struct rw_record *record, const struct record_emitter *format,
                     const struct emit_request *request, struct rw_error *error)
{
    struct err err = {0};
    struct buf text = {0};
    if (record_emit(record, format, request, &text, &err))
        return text_give(&text);
    buf_release(&text);
    error_give(&err, error);
    return NULL;
}

const char *const *rw_record_formats(void)
{
    return format_names;
}

char *rw_record_format(const struct rw_record *record, const char *format,
                       struct rw_database *database, const char *title, const char *remark,
                       struct rw_error *error)
{
    const struct record_emitter *emitter = emitter_by_name(format);
    struct emit_request request = {.title = title, .remark = remark, .fault = record->fault};
    struct err err = {0};
    if (emitter == NULL) {
        err_set(&err, ERR_USAGE, "no such format: %s", format);
        error_give(&err, error);
        return NULL;
    }
    if (database != NULL) {
        request.notes = notes_of_rule;
        request.notes_ctx = database->db;
    }
    return written(record, emitter, &request, error);
}

char *rw_record_write(const struct rw_record *record, struct rw_error *error)
{
    return written(record, &json_emitter, &(struct emit_request){0}, error);
}

char *rw_record_explain(const struct rw_record *record, struct rw_error *error)
{
    return rw_record_format(record, text_emitter.name, NULL, NULL, NULL, error);
}

char *rw_record_html(const struct rw_record *record, struct rw_database *database,
                     const char *title, const char *remark, struct rw_error *error)
{
    return rw_record_format(record, html_emitter.name, database, title, remark, error);
}
