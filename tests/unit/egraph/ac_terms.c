// SPDX-License-Identifier: Apache-2.0
// Rules with sums of few nodes that have many terms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text/buf.h"
#include "egraph/plain/ac/ac.h"
#include "egraph/plain/plain.h"

static void put_sum(struct buf *out, uint32_t levels)
{
    if (levels == 0) {
        buf_puts(out, "?x");
        return;
    }
    buf_puts(out, "(+ ");
    put_sum(out, levels - 1);
    buf_putc(out, ' ');
    put_sum(out, levels - 1);
    buf_putc(out, ')');
}

// A sum of few nodes that has many terms.
static void sums_of_sums(void **state)
{
    (void)state;
    struct buf text = {0};
    struct err err = {0};
    struct cc graph;
    struct plain_rules rules;
    struct ac ac;
    buf_puts(&text, "r: ");
    put_sum(&text, 11);
    buf_puts(&text, " => (* ?x 2048)\n");
    cc_init(&graph, true);
    plain_init(&rules);
    ac_init(&ac, &graph, AC_LIMITS);
    ac_declare(&ac, plain_op(&rules, &graph, "+", 1, 2));
    if (!plain_read(&rules, &graph, "rules", buf_text(&text), NULL, &err))
        fail_msg("%s", err.msg);
    ac_rules(&ac, &rules);
    assert_true(rules.rule.len > 0);
    ac_release(&ac);
    plain_release(&rules);
    cc_release(&graph);
    buf_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_of_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
