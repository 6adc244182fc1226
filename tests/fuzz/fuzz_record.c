// SPDX-License-Identifier: Apache-2.0
// Any bytes as a proof record: read, check with every rule trusted, explain,
// write; what was written reads back to the same bytes.
#include "io/stablehlo/stablehlo.h"
#include "proof/program/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool trust(void *ctx, const struct record_rule *rule, struct rule_status *out,
                  struct err *err)
{
    (void)ctx;
    (void)rule;
    (void)err;
    out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
    return true;
}

static bool program(const char *text, struct pool *pool, struct program *out)
{
    struct err err = {0};
    program_init(out, pool);
    if (stablehlo_read(text, strlen(text), "record", out, &err))
        return true;
    program_release(out);
    return false;
}

static void check(struct record *record, struct pool *pool)
{
    struct program in, out;
    struct err err = {0};
    struct check_options options = {trust, NULL, true};
    if (!program(record->input, pool, &in))
        return;
    if (program(record->output, pool, &out)) {
        (void)record_check(record, &in, &out, &options, &err);
        program_release(&out);
    }
    program_release(&in);
}

static void round_trip(struct record *record, struct pool *pool)
{
    struct buf first = {0}, second = {0};
    struct record again;
    struct err err = {0};
    record_write(record, &first);
    record_init(&again, pool);
    if (!record_read(&again, buf_text(&first), first.len, "again", &err))
        BUG("a written record does not read: %s", err.msg);
    record_write(&again, &second);
    if (first.len != second.len || memcmp(first.at, second.at, first.len) != 0)
        BUG("a written record reads as another");
    record_release(&again);
    buf_release(&first);
    buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pool pool;
    struct record record;
    struct err err = {0};
    pool_init(&pool);
    record_init(&record, &pool);
    if (record_read(&record, (const char *)data, size, "fuzz", &err)) {
        struct buf text = {0};
        record_explain(&record, &text);
        buf_release(&text);
        round_trip(&record, &pool);
        check(&record, &pool);
    } else if (err.msg[0] == '\0') {
        BUG("a failure without a message");
    }
    record_release(&record);
    pool_release(&pool);
    return 0;
}
