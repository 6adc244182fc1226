// SPDX-License-Identifier: Apache-2.0
// Any bytes as the record of a formula: read, check with every rule trusted,
// count, explain, write; what was written reads back to the same bytes.
#include "proof/emit/emit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool trust(void *ctx, const struct rule *rule, const char *name, bool assumed,
                  struct rule_status *out, struct err *err)
{
    (void)ctx;
    (void)rule;
    (void)name;
    (void)assumed;
    (void)err;
    out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
    return true;
}

// In every format; what is wrong with the proof may be said instead.
static void show(const struct formula_record *record)
{
    for (uint32_t i = 0; format_names[i] != NULL; i++) {
        const struct record_emitter *format = emitter_by_name(format_names[i]);
        struct emit_request request = {.title = "fuzz"};
        struct buf text = {0};
        struct err err = {0};
        if (!emit_formula(record, format, &request, &text, &err) && err.msg[0] == 0)
            BUG("not written as %s, without a reason", format->name);
        buf_release(&text);
    }
}

static void round_trip(const struct formula_record *record)
{
    struct buf first = {0}, second = {0};
    struct formula_record again;
    struct err err = {0};
    if (!formula_record_write(record, &first, &err))
        BUG("a record that was read is not written: %s", err.msg);
    formula_record_init(&again);
    if (!formula_record_read(&again, buf_text(&first), first.len, "again", &err))
        BUG("a written record does not read: %s", err.msg);
    if (!formula_record_write(&again, &second, &err) || first.len != second.len ||
        memcmp(first.at, second.at, first.len) != 0)
        BUG("a written record reads as another");
    formula_record_release(&again);
    buf_release(&first);
    buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct formula_record record;
    struct err err = {0};
    formula_record_init(&record);
    if (formula_record_read(&record, (const char *)data, size, "fuzz", &err)) {
        struct formula_check_options options = {trust, NULL, true};
        struct err why = {0};
        uint32_t lines, uses;
        if (!formula_record_check(&record, &options, &why) && why.msg[0] == 0)
            BUG("refused without a reason");
        formula_record_count(&record, &lines, &uses);
        show(&record);
        round_trip(&record);
    } else if (err.msg[0] == 0) {
        BUG("not read, without a reason");
    }
    formula_record_release(&record);
    return 0;
}
