// SPDX-License-Identifier: Apache-2.0
// Errors as they are shown: the mark stands under the token, whatever the line holds.
#include "base/text/excerpt.h"
#include "base/limits.h"
#include "base/rng.h"
#include "base/text/utf8.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const struct {
    const char *text;
    uint32_t line, col;
    const char *excerpt;
} cases[] = {
    {"axes x;\nmap n on y;\n", 2, 10, "  2 | map n on y;\n    |          ^"},
    {"A + Bild => A", 1, 5, "  1 | A + Bild => A\n    |     ^~~~"},
    {"A + Bild => A", 1, 10, "  1 | A + Bild => A\n    |          ^~"},
    {"%0 = stablehlo.ad %a", 1, 6, "  1 | %0 = stablehlo.ad %a\n    |      ^~~~~~~~~~~~"},
    {"%0 = stablehlo.ad %a", 1, 19, "  1 | %0 = stablehlo.ad %a\n    |                   ^~"},
    {"origin \"a\\\"b\", 1", 1, 8, "  1 | origin \"a\\\"b\", 1\n    |        ^~~~~~"},
    {"origin \"a", 1, 8, "  1 | origin \"a\n    |        ^~"},
    {"A * 1.5e-10 + B", 1, 5, "  1 | A * 1.5e-10 + B\n    |     ^~~~~~~"},
    // Behind the last line: behind the last one that says something.
    {"exp(x", 1, 6, "  1 | exp(x\n    |      ^"},
    {"exp(x\n\n", 3, 1, "  1 | exp(x\n    |      ^"},
    {"exp(x\n  ", 2, 3, "  1 | exp(x\n    |      ^"},
    // A tab ends at the next stop.
    {"\tab\tcd", 1, 5, "  1 |     ab  cd\n    |         ^~"},
    // Two bytes and one cell; three bytes and two cells; a combining accent.
    {"\xc3\xa4 + b", 1, 5, "  1 | \xc3\xa4 + b\n    |     ^"},
    {"\xe6\xbc\xa2 + b", 1, 5, "  1 | \xe6\xbc\xa2 + b\n    |      ^"},
    {"a\xcc\x88 + b", 1, 6, "  1 | a\xcc\x88 + b\n    |     ^"},
    {"x \xe6\xbc\xa2 y", 1, 3, "  1 | x \xe6\xbc\xa2 y\n    |   ^~"},
    // Control, C1 and bidirectional characters, and no UTF-8, are question marks.
    {"a\033[31m b", 1, 8, "  1 | a?[31m b\n    |        ^"},
    {"a\xc2\x9b b", 1, 4, "  1 | a? b\n    |    ^"},
    {"a\xe2\x80\xae b", 1, 4, "  1 | a? b\n    |    ^"},
    {"a\xff b", 1, 4, "  1 | a? b\n    |    ^"},
    {"a b\r\nc", 1, 3, "  1 | a b\n    |   ^"},
    // No such place.
    {"a", 3, 1, ""},
    {"", 1, 1, ""},
    {"\n\n", 2, 1, ""},
};

static void marks_the_token(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        err_at(&err, ERR_INPUT, "f", cases[i].line, cases[i].col, "m");
        excerpt_attach(&err, cases[i].text, strlen(cases[i].text));
        assert_string_equal(err.excerpt, cases[i].excerpt);
    }
}

static void cuts_long_lines(void **state)
{
    (void)state;
    struct buf line = {0};
    for (int i = 0; i < 1000; i++)
        buf_printf(&line, "a%03d ", i);
    for (uint32_t col = 1; col < 5000; col += 35) {
        struct err err = {0};
        err_at(&err, ERR_INPUT, "f", 1, col, "m");
        excerpt_attach(&err, buf_text(&line), line.len);
        const char *feed = strchr(err.excerpt, '\n');
        const char *caret = strchr(err.excerpt, '^');
        assert_non_null(caret);
        // What stands above the mark is the token of that place.
        assert_memory_equal(err.excerpt + (caret - feed - 1), line.at + col - 1, 4);
        assert_string_equal(caret, "^~~~");
        assert_true(feed - err.excerpt <= BASE_EXCERPT + 12);
    }
    buf_release(&line);
}

static void shows_the_whole_error(void **state)
{
    (void)state;
    struct err err = {0};
    struct buf out = {0};
    err_at(&err, ERR_INPUT, "a.rw", 1, 3, "expected B, found C");
    excerpt_attach(&err, "A C", 3);
    assert_false(err_hint(&err, "did you mean `%s`?", "B"));
    assert_false(err_hint(&err, "a second hint"));
    excerpt_error(&err, &out);
    assert_string_equal(buf_text(&out), "a.rw:1:3: expected B, found C\n  1 | A C\n    |   ^\n"
                                        "  hint: did you mean `B`?");
    buf_clear(&out);
    err_clear(&err);
    assert_false(err_hint(&err, "no error, no hint"));
    err_set(&err, ERR_IO, "no such file");
    excerpt_error(&err, &out);
    assert_string_equal(buf_text(&out), "no such file");
    buf_release(&out);
}

// Bytes at random, places at random: the mark is within the line or just behind it, and
// nothing but the line's own characters reaches the terminal.
static void survives_random_bytes(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",
                                         "bc",
                                         " ",
                                         "\t",
                                         "\n",
                                         "\xc3\xa4",
                                         "\"",
                                         "=>",
                                         "\xff",
                                         "\xe6\xbc\xa2",
                                         "\xe2\x80\xae",
                                         "\033[2J",
                                         "\\",
                                         "%x",
                                         "\xcc\x88",
                                         "\xf0\x9f\x98\x80"};
    enum { N = sizeof pieces / sizeof *pieces };
    struct rng rng;
    rng_seed(&rng, 1);
    for (int round = 0; round < 20000; round++) {
        struct buf text = {0};
        struct err err = {0};
        for (uint64_t i = rng_below(&rng, 300); i > 0; i--)
            buf_puts(&text, pieces[rng_below(&rng, N)]);
        err_at(&err, ERR_INPUT, "f", 1 + (uint32_t)rng_below(&rng, 4),
               1 + (uint32_t)rng_below(&rng, 200), "m");
        excerpt_attach(&err, buf_text(&text), text.len);
        buf_release(&text);
        if (err.excerpt[0] == 0)
            continue;
        size_t bad;
        char *feed = strchr(err.excerpt, '\n');
        assert_true(utf8_check(err.excerpt, strlen(err.excerpt), &bad));
        assert_null(strchr(err.excerpt, '\033'));
        assert_null(strstr(err.excerpt, "\xe2\x80\xae"));
        assert_null(strchr(feed + 1, '\n'));
        size_t cells = 0;
        for (const char *at = err.excerpt; at < feed; at++)
            cells += ((unsigned char)*at & 0xC0) != 0x80;
        for (const char *at = err.excerpt; (at = strstr(at, "\xcc\x88")) && at < feed; at++)
            cells--;
        for (const char *at = err.excerpt; (at = strstr(at, "\xe6\xbc\xa2")) && at < feed; at++)
            cells++;
        for (const char *at = err.excerpt; (at = strstr(at, "\xf0\x9f\x98\x80")) && at < feed; at++)
            cells++;
        assert_true(strlen(feed + 1) <= cells + 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_the_token),
        cmocka_unit_test(cuts_long_lines),
        cmocka_unit_test(shows_the_whole_error),
        cmocka_unit_test(survives_random_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
