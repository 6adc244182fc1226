// SPDX-License-Identifier: Apache-2.0
// Any bytes as the record of a formula: read, check with every rule trusted,
// count, explain, write; what was written reads back to the same bytes.
#include "proof/formula/record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool trust(void *ctx, const struct rule *r, const char *name,
                  bool assumed, struct rule_status *out, struct err *e)
{
    (void)ctx;
    (void)r;
    (void)name;
    (void)assumed;
    (void)e;
    out->proved = out->uninterpreted = (1u << N_DOMAINS) - 1;
    return true;
}

static void round_trip(const struct formula_record *r)
{
    struct buf first = {0}, second = {0};
    struct formula_record again;
    struct err e = {0};
    if (!formula_record_write(r, &first, &e))
        BUG("a record that was read is not written: %s", e.msg);
    formula_record_init(&again);
    if (!formula_record_read(&again, buf_text(&first), first.len, "again", &e))
        BUG("a written record does not read: %s", e.msg);
    if (!formula_record_write(&again, &second, &e) || first.len != second.len ||
        memcmp(first.at, second.at, first.len) != 0)
        BUG("a written record reads as another");
    formula_record_release(&again);
    buf_release(&first);
    buf_release(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct formula_record r;
    struct err e = {0};
    formula_record_init(&r);
    if (formula_record_read(&r, (const char *)data, size, "fuzz", &e)) {
        struct formula_check_options o = {trust, NULL, true};
        struct buf text = {0};
        struct err why = {0};
        uint32_t lines, uses;
        if (!formula_record_check(&r, &o, &why) && why.msg[0] == 0)
            BUG("refused without a reason");
        formula_record_count(&r, &lines, &uses);
        formula_record_explain(&r, &text);
        round_trip(&r);
        buf_release(&text);
    } else if (e.msg[0] == 0) {
        BUG("not read, without a reason");
    }
    formula_record_release(&r);
    return 0;
}
