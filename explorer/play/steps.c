// SPDX-License-Identifier: Apache-2.0
#include "explorer/play/steps.h"

#include "api/check/notes.h"
#include "api/database/database.h"
#include "api/records/records.h"
#include "base/text/markup.h"
#include "explorer/limits.h"
#include "proof/emit/html_page.h"

static bool begin(struct emission *emission)
{
    html_comparison(emission);
    return true;
}

static bool rule(struct emission *emission, const struct emit_rule *rule)
{
    html_rule(rule, emission->out);
    if (rule->shown == rule && rule->notes.name != NULL)
        markup_in("<p class=\"rule-link\"><a href=\"../rule/", rule->hash,
                  "\">The page of this rule</a></p>\n", emission->out);
    return true;
}

static bool end(struct emission *emission)
{
    (void)emission;
    return true;
}

void play_steps(struct play *play, const char *text, size_t n, const struct rw_check *check)
{
    struct rw_error error;
    struct err err = {0};
    struct rw_record *record = rw_record_read(play->context, text, n, "record", &error);
    if (record == NULL) {
        play_error(&error, &play->out);
        return;
    }
    if (check != NULL)
        rw_record_mark(record, check);
    struct record_emitter format = html_emitter;
    struct emit_request request = {.title = "", .remark = "", .fault = record->fault};
    struct rw_database *database = play->home->database;
    format.begin = begin;
    format.rule = rule;
    format.end = end;
    if (database != NULL) {
        request.notes = notes_of_rule;
        request.notes_ctx = database->db;
    }
    buf_puts(&play->out, "<div class=\"record\">\n");
    bool ok = record_emit(record, &format, &request, &play->out, &err);
    buf_puts(&play->out, "</div>\n");
    if (!ok)
        play_refuse(err.msg, &play->out);
    rw_record_free(record);
}

static void put_base64(const char *text, size_t n, struct buf *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < n ? (unsigned char)text[i + k] : 0);
        for (unsigned k = 0; k < 4; k++)
            buf_putc(out, i + k <= n ? digits[bits >> (18 - 6 * k) & 63] : '=');
    }
}

void play_download(const char *text, size_t n, const char *name, struct buf *out)
{
    if (n > (size_t)EXPLORER_DOWNLOAD_KIB << 10) {
        buf_printf(out,
                   "<p>The record has %zu MiB: too much for a page. The command line writes it "
                   "(rankwright simplify --proof FILE).</p>\n",
                   n >> 20);
        return;
    }
    buf_printf(out,
               "<div class=\"downloads\"><a class=\"button plain\" download=\"%s\" "
               "href=\"data:application/json;base64,",
               name);
    put_base64(text, n, out);
    buf_printf(out, "\">Download the record (%.0f KB)</a>\n", (double)n / 1e3);
    play_offer("play/records", "record", "Check it step by step", text, n, out);
    buf_puts(out, "</div>\n");
}
