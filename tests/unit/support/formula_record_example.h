// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of records of formulas: a record of one step, and changes to it.
#ifndef TESTS_UNIT_SUPPORT_FORMULA_RECORD_EXAMPLE_H
#define TESTS_UNIT_SUPPORT_FORMULA_RECORD_EXAMPLE_H

#include "base/rng.h"
#include "tests/unit/support/formula_records.h"

#define CANCEL                                                                                     \
    "rule cancel { axes i; map n on i; tensor A[i: n] : float, B[i: n] : "                         \
    "float; claims real; where all(B != 0); A * B / B => A; }"
#define TAKE_OUT                                                                                   \
    "rule take_out { axes i, y; map n on i; map m on y; claims real;"                              \
    " tensor A[i: n, y: m] : float, B[i: n] : float;"                                              \
    " reduce(+, A * broadcast(B, {y: m}), {y}) => B * reduce(+, A, {y}); }"
#define COMMUTE                                                                                    \
    "rule commute { axes i; map n on i; tensor A[i: n] : float, B[i: n] : "                        \
    "float; claims real; A * B => B * A; }"

// x*y/y = x where y != 0, which is given since the input has a value.
static inline void example(struct formula_record *record)
{
    formula_record_init(record);
    record->input = "tensor x[j], y[j]; given x > 0; x*y/y";
    record->output = "tensor x[j], y[j]; given x > 0; x";
    add_rule(record, CANCEL, false);
    add_rule(record, COMMUTE, false);
    add_given(record, "(lt 0 x{j})", "declared");
    add_given(record, "(ne y{j} 0)", "defined");
    add_given(record, "(le 1 (count {j}))", "extent");
    record->proof = "term 0 x{j}\n"
                    "term 1 y{j}\n"
                    "term 2 multiply 0 1\n"
                    "term 3 divide 2 1\n"
                    "term 4 0\n"
                    "term 5 ne 1 4\n"
                    "term 6 true\n"
                    "given 0 5 6 1\n"
                    "rule 1 3 0 and:0 by cancel\n";
}

// The example with one of its texts replaced by another.
static inline const char *changed(struct formula_record *record, const char *text, const char *from,
                                  const char *to)
{
    const char *at = strstr(text, from);
    struct buf buf = {0};
    if (at == NULL)
        fail_msg("no %s", from);
    else {
        buf_write(&buf, text, (size_t)(at - text));
        buf_puts(&buf, to);
        buf_puts(&buf, at + strlen(from));
    }
    const char *out = arena_strdup(&record->mem, buf_text(&buf));
    buf_release(&buf);
    return out;
}

#endif
