// SPDX-License-Identifier: Apache-2.0
// Any bytes as a proof record: read, check with every rule trusted, show in every
// format; what was written reads back to the same bytes.
#include "io/stablehlo/stablehlo.h"
#include "proof/emit/emit.h"
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

// In every format.
static void show(const struct record *record)
{
    for (uint32_t i = 0; format_names[i] != NULL; i++) {
        const struct record_emitter *format = emitter_by_name(format_names[i]);
        struct emit_request request = {.title = "fuzz"};
        struct buf text = {0};
        struct err err = {0};
        if (!emit_program(record, format, &request, &text, &err))
            BUG("a record that was read is not written as %s: %s", format->name, err.msg);
        buf_release(&text);
    }
}

static void round_trip(struct record *record, struct pool *pool)
{
    struct buf first = {0}, second = {0};
    struct record again;
    struct err err = {0};
    if (!record_write(record, &first, &err))
        BUG("a record that was read is not written: %s", err.msg);
    record_init(&again, pool);
    if (!record_read(&again, buf_text(&first), first.len, "again", &err))
        BUG("a written record does not read: %s", err.msg);
    if (!record_write(&again, &second, &err) || first.len != second.len ||
        memcmp(first.at, second.at, first.len) != 0)
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
        show(&record);
        round_trip(&record, &pool);
        check(&record, &pool);
    } else if (err.msg[0] == '\0') {
        BUG("a failure without a message");
    }
    record_release(&record);
    pool_release(&pool);
    return 0;
}
