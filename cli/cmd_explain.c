// SPDX-License-Identifier: Apache-2.0
#include "cli/cli.h"
#include "cli/records.h"

int cmd_explain(struct command_line *c)
{
    struct err e = {0};
    struct pool pool;
    struct any_record record;
    struct buf out = {0};
    if (c->words.len != 1) {
        err_set(&e, ERR_USAGE, "explain: expected one proof record");
        return report_error(&e);
    }
    pool_init(&pool);
    bool ok = read_any_record(c->words.at[0], &pool, &record, &e);
    if (ok) {
        if (record.is_formula)
            formula_record_explain(&record.formula, &out);
        else
            record_explain(&record.program, &out);
        ok = print_all(&out, &e);
        any_record_release(&record);
    }
    buf_release(&out);
    pool_release(&pool);
    return ok ? EXIT_YES : report_error(&e);
}
