// SPDX-License-Identifier: Apache-2.0
// Which rules do not run on programs although they match.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "egraph/match/pattern.h"

#define LAYOUT "the laws of layout say it without a rule"

static const struct {
    const char *rule, *why; // NULL: it runs
} cases[] = {
    // Chains of reshapes.
    {"axes x, y, z, w; map n on x; map m on y; map k on z; map l on w; tensor A[x: n, w: l] : any;"
     "reshape(reshape(A, [x] -> [y: m]), [y] -> [z: k]) => reshape(A, [x] -> [z: k]);",
     LAYOUT},
    // Not shorter: the right side is new.
    {"axes x, u, y; map n on x; map k on u; map m on y; tensor A[x: n, u: k] : any;"
     "reshape(broadcast(A, {y: m}), [u] -> []) => broadcast(reshape(A, [u] -> []), {y: m});",
     NULL},
    // Copies cut in another way, and the tensor's own axes cut before copies are made.
    {"axes x, y, z; map n on x; map m on y; map k on z; tensor A[x: n] : any;"
     "reshape(broadcast(A, {y: m}), [y] -> [z: k]) => broadcast(A, {z: k});",
     LAYOUT},
    {"axes x, y, z; map n on x; map m on y; map k on z; tensor A[x: n] : any;"
     "reshape(reshape(broadcast(A, {y: m}), [x] -> [z: k]), [z] -> [x: n]) => broadcast(A, {y: "
     "m});",
     NULL},
    // A rule with a precondition may know more than the laws.
    {"axes x, y; map n on x; map m on y; tensor A[x: n] : any; where m == 1;"
     "reshape(broadcast(A, {y: m}), [y] -> []) => A;",
     NULL},
    // Renamings of operands only.
    {"axes x, w; axes z like x; map n on x; map l on w;"
     "tensor A[x: n, w: l] : S, B[x: n, w: l] : T; op f : elementwise(S, T) -> U;"
     "f(relabel(A, {x -> z}), relabel(B, {x -> z})) => relabel(f(A, B), {x -> z});",
     LAYOUT},
    // A tensor that stands there twice says more: the sum is symmetric.
    {"axes x; axes y like x; map n on x; tensor A[x: n, y: n] : num;"
     "relabel(A + relabel(A, {x <-> y}), {x <-> y}) => A + relabel(A, {x <-> y});",
     NULL},
    // A shift that keeps exponentials small.
    {"axes x; map n on x; tensor A[x: n] : float; scalar c : float;"
     "exponential(A - c) * exponential(c) => exponential(A);",
     "an exponential would lose the shift that keeps it from overflowing"},
};

static void test_guard(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct ruleset set;
        struct arena mem = {0};
        struct err err = {0};
        struct buf text = {0};
        struct pattern pattern;
        ruleset_init(&set);
        buf_printf(&text, "rule r { %s }", cases[k].rule);
        const struct rule *rule = ruleset_add(&set, buf_text(&text), "a test", &err);
        if (rule == NULL)
            fail_msg("case %zu: %s", k, err.msg);
        pattern_compile(&pattern, rule, false, &mem);
        assert_null(pattern.refused);
        const char *why = pattern_guard(&pattern);
        if ((why == NULL) != (cases[k].why == NULL) ||
            (why != NULL && strcmp(why, cases[k].why) != 0))
            fail_msg("case %zu: %s", k, why == NULL ? "it runs" : why);
        buf_release(&text);
        arena_release(&mem);
        ruleset_release(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guard)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
