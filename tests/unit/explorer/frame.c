// SPDX-License-Identifier: Apache-2.0
// The frame of the explorer's pages, parts of addresses, queries.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "explorer/files/files.h"
#include "explorer/pages/frame.h"
#include "explorer/pages/pages.h"
#include "explorer/pages/query.h"

static void expect_link(enum explorer_mode mode, const char *page, const char *to,
                        const char *expected)
{
    struct frame frame = {.mode = mode, .path = page};
    struct buf out = {0};
    frame_link(&frame, to, &out);
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
}

static void links(void **state)
{
    (void)state;
    expect_link(EXPLORER_SERVED, "", "", "./");
    expect_link(EXPLORER_SERVED, "", "rules", "rules");
    expect_link(EXPLORER_SERVED, "rule/slice/x", "", "../../");
    expect_link(EXPLORER_SERVED, "rule/slice/x", "rule/pad/y", "../../rule/pad/y");
    expect_link(EXPLORER_SERVED, "rules", "rules?op=a&op=b", "rules?op=a&amp;op=b");
    expect_link(EXPLORER_SITE, "", "", "index.html");
    expect_link(EXPLORER_SITE, "rule/slice/x", "", "../../index.html");
    expect_link(EXPLORER_SITE, "rules", "rule/pad/y#proof", "rule/pad/y.html#proof");
}

static void expect_part(const char *text, const char *expected)
{
    struct buf out = {0};
    frame_part(text, &out);
    assert_string_equal(buf_text(&out), expected);
    buf_release(&out);
}

static void parts(void **state)
{
    (void)state;
    expect_part("slice_of.slice-2~", "slice_of.slice-2~");
    expect_part("..", "%2E%2E");
    expect_part(".", "%2E");
    expect_part("", "");
    expect_part("a/b?c#d&e\"f'<g> \n%", "a%2Fb%3Fc%23d%26e%22f%27%3Cg%3E%20%0A%25");
    expect_part("javascript:alert(1)", "javascript%3Aalert%281%29");
    expect_part("\xc3\xa4", "%C3%A4");
}

static void foreign_text(void **state)
{
    (void)state;
    static const char evil[] = "</title><script>alert(1)</script>\" onload=\"x";
    struct frame frame = {.path = "rules", .title = evil, .description = evil};
    struct buf out = {0};
    frame_begin(&frame, &out);
    frame_anchor(&frame, "rules", evil, &out);
    frame_end(&frame, &out);
    assert_null(strstr(buf_text(&out), "<script>"));
    assert_null(strstr(buf_text(&out), "\" onload"));
    assert_non_null(strstr(buf_text(&out), "&lt;script&gt;"));
    buf_release(&out);
}

static unsigned count(const char *text, const char *word)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

// F1: nothing that the policy would refuse; a script is a file.
static void no_inline(void **state)
{
    (void)state;
    static const char *const scripts[] = {"rules.js", NULL};
    struct frame frame = {
        .path = "play/rules", .title = "t", .entry = FRAME_PLAY, .scripts = scripts};
    struct buf out = {0};
    frame_begin(&frame, &out);
    frame_end(&frame, &out);
    assert_int_equal(count(buf_text(&out), "<script"), 2);
    assert_int_equal(count(buf_text(&out), "<script defer src=\"../static/"), 2);
    assert_null(strstr(buf_text(&out), "<style"));
    assert_null(strstr(buf_text(&out), " style="));
    assert_non_null(strstr(buf_text(&out), "play/kernels"));
    buf_clear(&out);
    frame.mode = EXPLORER_SITE;
    frame.path = "rules";
    frame.entry = FRAME_RULES;
    frame_begin(&frame, &out);
    frame_end(&frame, &out);
    assert_null(strstr(buf_text(&out), "play/"));
    buf_release(&out);
}

static void queries(void **state)
{
    (void)state;
    struct query_pairs pairs;
    query_read(&pairs, "op=slice&q=a+b%26c&op=pad&empty&bad=%00&worse=%ff&half=%4&&=x");
    assert_string_equal(query_value(&pairs, "op", 0), "slice");
    assert_string_equal(query_value(&pairs, "op", 1), "pad");
    assert_null(query_value(&pairs, "op", 2));
    assert_string_equal(query_value(&pairs, "q", 0), "a b&c");
    assert_string_equal(query_value(&pairs, "empty", 0), "");
    assert_null(query_value(&pairs, "bad", 0));
    assert_null(query_value(&pairs, "worse", 0));
    assert_string_equal(query_value(&pairs, "half", 0), "%4");
    query_pairs_release(&pairs);
    query_read(&pairs, NULL);
    assert_int_equal(pairs.at.len, 0);
    query_pairs_release(&pairs);
    struct buf many = {0};
    for (int i = 0; i < 1000; i++)
        buf_printf(&many, "k%d=v&", i);
    query_read(&pairs, buf_text(&many));
    assert_int_equal(pairs.at.len, QUERY_PAIRS);
    query_pairs_release(&pairs);
    buf_release(&many);
}

static void files(void **state)
{
    (void)state;
    const struct explorer_file *style = explorer_file_find("explorer.css");
    assert_non_null(style);
    assert_true(style->size > 1000);
    assert_memory_equal(style->bytes, "/* SPDX", 7);
    assert_string_equal(explorer_file_type("explorer.css"), "text/css; charset=utf-8");
    assert_string_equal(explorer_file_type("x.exe"), "application/octet-stream");
    assert_null(explorer_file_find("../explorer.css"));
    struct explorer_pages *pages = explorer_pages_new(NULL, EXPLORER_SERVED);
    struct explorer_body body = {0};
    explorer_page(pages, "static/explorer.css", NULL, &body);
    assert_int_equal(body.status, 200);
    assert_true(body.constant);
    assert_int_equal(body.bytes.len, style->size);
    static const char *const absent[] = {"static/../files.c", "static/", "static/nothing",
                                         "no/page"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        explorer_page(pages, absent[i], NULL, &body);
        assert_int_equal(body.status, 404);
        assert_false(body.constant);
    }
    explorer_body_release(&body);
    explorer_pages_free(pages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links),     cmocka_unit_test(parts),   cmocka_unit_test(foreign_text),
        cmocka_unit_test(no_inline), cmocka_unit_test(queries), cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
