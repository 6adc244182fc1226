// SPDX-License-Identifier: Apache-2.0
// Texts of tests/messages, cut and mixed at random: an error has its place and its line,
// and no reader crashes.  The argument is the seed.
#include "tests/unit/support/formula_world.h"

#include "base/rng.h"
#include "io/stablehlo/stablehlo.h"
#include "rules/rule.h"
#include <stdlib.h>

static uint64_t seed = 1;

static void damage(struct rng *rng, const struct buf *from, struct buf *out)
{
    static const char *const pieces[] = {"(",  ")", "[",  "]",        "{",  "}",    ";",      "=",
                                         "=>", ".", "1e", "\xc2\xb2", "**", " and", "where ", "%"};
    uint64_t at = rng_below(rng, from->len), n = 1 + rng_below(rng, 600);
    if (n > from->len - at)
        n = from->len - at;
    buf_clear(out);
    for (uint64_t i = 0; i < n; i++)
        switch (rng_below(rng, 60)) {
        case 0:
            buf_puts(out, pieces[rng_below(rng, sizeof pieces / sizeof *pieces)]);
            break;
        case 1:
            i += rng_below(rng, 8);
            break;
        default:
            if (from->at[at + i] != 0)
                buf_putc(out, from->at[at + i]);
        }
}

static void check_error(const struct err *err, const struct buf *text)
{
    if (err->msg[0] == 0 || (err->line > 0 && err->excerpt[0] == 0 && text->len > 0 &&
                             strspn(buf_text(text), " \n\t\r") < text->len))
        fail_msg("no excerpt: %u:%u: %s\n%s", err->line, err->col, err->msg, buf_text(text));
}

static void read_all(const struct buf *text)
{
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    if (!ruleset_parse(&set, buf_text(text), text->len, "t.rw", &errs))
        for (uint32_t i = 0; i < errs.at.len; i++)
            check_error(&errs.at.at[i], text);
    vec_release(&errs.at);
    ruleset_release(&set);

    struct fterms terms;
    struct formula formula;
    struct err err = {0};
    fterms_init(&terms);
    if (formula_read(&formula, &terms, NULL, "t.expr", buf_text(text), &err))
        formula_release(&formula);
    else
        check_error(&err, text);
    fterms_release(&terms);

    struct pool pool;
    struct program program;
    struct err wrong = {0};
    pool_init(&pool);
    program_init(&program, &pool);
    if (!stablehlo_read(buf_text(text), text->len, "t.mlir", &program, &wrong))
        check_error(&wrong, text);
    program_release(&program);
    pool_release(&pool);
}

static void survives_damage(void **state)
{
    (void)state;
    static const char *const files[] = {"rules", "formulas", "programs", "kinds"};
    struct rng rng;
    rng_seed(&rng, seed);
    for (int i = 0; i < 4; i++) {
        struct buf path = {0}, text = {0}, out = {0};
        struct err err = {0};
        buf_printf(&path, "tests/messages/%s.txt", files[i]);
        assert_true(file_read(buf_text(&path), 1 << 20, &text, &err));
        for (int round = 0; round < 2000; round++) {
            damage(&rng, &text, &out);
            read_all(&out);
        }
        buf_release(&path);
        buf_release(&text);
        buf_release(&out);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {cmocka_unit_test(survives_damage)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
