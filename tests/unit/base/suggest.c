// SPDX-License-Identifier: Apache-2.0
// Which known word a misspelt one is taken for.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/text/suggest.h"

static const char *const words[] = {"prove",  "show",      "query",    "simplify", "explain",
                                    "check",  "eval",      "merge",    "discover", "x",
                                    "reduce", "no-search", "transpose"};

static const char *nearest(const char *found)
{
    return text_nearest(found, strlen(found), words, sizeof words / sizeof *words);
}

static void near_words(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"simplfy", "simplify"},    // dropped
        {"simpplify", "simplify"},  // inserted
        {"simplify2", "simplify"},  // at the end
        {"ecplain", "explain"},     // replaced
        {"hceck", "check"},         // swapped: one edit, as three letters allow
        {"evla", "eval"},           //
        {"transopse", "transpose"}, //
        {"tarnsopse", "transpose"}, // two swaps
        {"disc", "discover"},       // a beginning
        {"PROVE", "prove"},         // case
        {"no_search", "no-search"}, // dashes
        {"prove", "prove"},         //
        {"x", "x"},                 // short, but equal
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        assert_non_null(nearest(pairs[i][0]));
        assert_string_equal(nearest(pairs[i][0]), pairs[i][1]);
    }
}

static void far_words(void **state)
{
    (void)state;
    static const char *const found[] = {"", "y", "pr", "frobnicate", "sh", "xq", "evil-empire"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        assert_null(nearest(found[i]));
    char text[1000]; // longer than the tables
    memset(text, 'a', sizeof text);
    const char *const one[] = {"aaaa"};
    assert_null(text_nearest(text, sizeof text, one, 1));
    assert_null(text_nearest("prove", 5, NULL, 0));
}

// The distance is the least number of edits: no word that one edit makes is
// farther than one, and two edits are needed where no single one is enough.
static void counts_edits(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        uint32_t edits;
    } some[] = {{"abcdef", "abcdef", 0},   {"abcdef", "abcef", 1},  {"abcdef", "abxcdef", 1},
                {"abcdef", "abxdef", 1},   {"abcdef", "abdcef", 1}, {"abcdef", "badcef", 2},
                {"abcdef", "bcdefa", 2},   {"abcdef", "abcxyf", 2}, {"abcdefghi", "ihgfedcba", 9},
                {"abcdefghi", "cdefgh", 3}};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        for (int turned = 0; turned < 2; turned++) {
            const char *a = turned ? some[i].b : some[i].a, *b = turned ? some[i].a : some[i].b;
            size_t longer = strlen(a) > strlen(b) ? strlen(a) : strlen(b);
            struct nearest nearest = nearest_to(a, strlen(a));
            nearest_consider(&nearest, b, strlen(b));
            assert_int_equal(nearest.word != NULL, some[i].edits <= longer / 3);
            if (nearest.word)
                assert_int_equal(nearest.edits, some[i].edits);
        }
}

static void first_of_equals(void **state)
{
    (void)state;
    const char *const equals[] = {"tree", "free"}, *const turned[] = {"free", "tree"};
    assert_string_equal(text_nearest("xree", 4, equals, 2), "tree");
    assert_string_equal(text_nearest("xree", 4, turned, 2), "free");
    assert_string_equal(text_nearest("free", 4, equals, 2), "free");
}

static void hints(void **state)
{
    (void)state;
    struct err err = {0};
    struct nearest one = nearest_to("redcue", 6);
    err_set(&err, ERR_USAGE, "unknown");
    nearest_hint(&one, &err);
    assert_string_equal(err.hint, "");
    nearest_consider(&one, "reduce(", 6); // a part of a text
    nearest_hint(&one, &err);
    assert_string_equal(err.hint, "did you mean reduce?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_words),   cmocka_unit_test(far_words),
        cmocka_unit_test(counts_edits), cmocka_unit_test(first_of_equals),
        cmocka_unit_test(hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
