// SPDX-License-Identifier: Apache-2.0
// Any bytes as a database file: opened for reading and for writing, queried,
// written to.
#include "base/text/buf.h"
#include "db/db.h"
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void query(struct db *db)
{
    struct db_filter filter;
    struct stored_rules found = {0};
    struct err err = {0};
    db_filter_init(&filter);
    filter.superseded = true;
    if (db_find(db, &filter, &found, &err)) {
        for (uint32_t i = 0; i < found.rules.len; i++) {
            struct report rep = {0};
            (void)db_obligations(db, found.rules.at[i].hash, &rep, &err);
            report_release(&rep);
        }
        stored_rules_release(&found);
    }
    db_filter_release(&filter);
    err_clear(&err);
    (void)db_check(db, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *folder = getenv("TMPDIR");
    struct buf path = {0};
    struct err err = {0};
    buf_printf(&path, "%s/fuzz-%d.db", folder ? folder : "/tmp", (int)getpid());
    FILE *f = fopen(buf_text(&path), "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f) != 0)
        abort();
    for (int mode = DB_READ; mode <= DB_WRITE; mode++) {
        struct db *db;
        const char *hashes[] = {"00", "11"};
        err_clear(&err);
        if (db_open(&db, buf_text(&path), (enum db_mode)mode, 0.01, &err)) {
            query(db);
            if (mode == DB_WRITE)
                (void)db_put_record(db, "id", "real", 2, hashes, &err);
            db_close(db);
        } else if (err.msg[0] == '\0') {
            abort();
        }
    }
    unlink(buf_text(&path));
    buf_release(&path);
    return 0;
}
