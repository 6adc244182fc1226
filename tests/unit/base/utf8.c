// SPDX-License-Identifier: Apache-2.0
// The filter of foreign texts.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <jansson.h>
#include "base/character.h"
#include "base/text/buf.h"
#include "base/text/markup.h"
#include "base/text/utf8.h"

static size_t encode(uint32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n; i-- > 1; code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3f));
    out[0] = (char)((0xf00 >> n) | code);
    return n;
}

// The characters that the contract of the filter names, by other words than its table.
static bool must_hide(uint32_t code)
{
    bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) ||
                     code == 0x200e || code == 0x200f || code == 0x061c;
    bool no_width = (code >= 0x200b && code <= 0x200d) || code == 0x2060 || code == 0xfeff;
    bool end_of_line = code == 0x2028 || code == 0x2029;
    return control || direction || no_width || end_of_line;
}

static bool must_show(uint32_t code)
{
    return (code >= 0x20 && code < 0x7f) || (code >= 0x370 && code < 0x600 && code != 0x3f6) ||
           (code >= 0x2200 && code < 0x2400) || (code >= 0x4e00 && code < 0xa000) ||
           (code >= 0x1f300 && code < 0x1f600);
}

static void every_character(void **state)
{
    (void)state;
    for (uint32_t code = 1; code <= 0x10ffff; code++) {
        if (code >= 0xd800 && code < 0xe000)
            continue;
        char text[8] = "a";
        size_t n = encode(code, text + 1), bad;
        text[1 + n] = 'b';
        text[2 + n] = 0;
        assert_true(utf8_check(text, n + 2, &bad));
        struct buf line = {0}, lines = {0}, page = {0};
        utf8_printable(text, &line);
        utf8_lines(text, n + 2, &lines);
        markup_text(text, &page);
        char clean[8];
        memcpy(clean, text, sizeof clean);
        text_clean(clean);
        assert_string_equal(clean, buf_text(&line));
        bool same = strcmp(buf_text(&line), text) == 0;
        assert_true(same || strcmp(buf_text(&line), "a?b") == 0);
        if (must_hide(code))
            assert_false(same);
        if (must_show(code))
            assert_true(same);
        if (code == '\n' || code == '\t')
            assert_string_equal(buf_text(&lines), text);
        else
            assert_string_equal(buf_text(&lines), buf_text(&line));
        if (!strchr("<>&\"", text[1]))
            assert_string_equal(buf_text(&page), buf_text(&lines));
        buf_release(&line);
        buf_release(&lines);
        buf_release(&page);
    }
}

// A text of JSON with any character in it says the same, and hides none.
static void json(void **state)
{
    (void)state;
    for (uint32_t code = 1; code <= 0x10ffff; code += code < 0x30000 ? 1 : 0x101) {
        if (code >= 0xd800 && code < 0xe000)
            continue;
        char text[8] = "a";
        text[1 + encode(code, text + 1)] = 0;
        json_t *value = json_string(text);
        char *dump = json_dumps(value, JSON_ENCODE_ANY);
        struct buf safe = {0}, line = {0};
        utf8_json(dump, &safe);
        utf8_printable(buf_text(&safe), &line);
        assert_string_equal(buf_text(&safe), buf_text(&line));
        json_t *back = json_loads(buf_text(&safe), JSON_DECODE_ANY, NULL);
        assert_true(json_equal(value, back));
        json_decref(value);
        json_decref(back);
        free(dump);
        buf_release(&safe);
        buf_release(&line);
    }
}

static void bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"", ""},
        {"\xff\xfe", "??"},
        {"\xc3", "?"},                // cut off
        {"a\xe2\x80", "a??"},         // cut off
        {"\xc0\x80", "??"},           // NUL, too long
        {"\xed\xa0\x80", "???"},      // a surrogate
        {"\xf4\x90\x80\x80", "????"}, // above the last one
        {"\xc2\x9b"
         "2J\x1b[31m\x07",
         "?2J?[31m?"},
        {"name\xe2\x80\xae"
         "fdp.exe",
         "name?fdp.exe"},
        {"two\nlines\r\n", "two?lines??"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct buf line = {0};
        utf8_printable(cases[i].text, &line);
        assert_string_equal(buf_text(&line), cases[i].line);
        buf_release(&line);
    }
    struct buf lines = {0};
    utf8_lines("a\0b\r\n\tc", 7, &lines);
    assert_string_equal(buf_text(&lines), "a?b?\n\tc");
    buf_release(&lines);
}

static void messages(void **state)
{
    (void)state;
    struct err err = {0};
    err_at(&err, ERR_INPUT, "a\nb\x1b.rw", 1, 1, "found %s", "\xe2\x80\xae\x07");
    assert_string_equal(err.file, "a?b?.rw");
    assert_string_equal(err.msg, "found ??");
    err_in(&err, "\x9b");
    assert_string_equal(err.file, "?");
    err_in(&err, NULL);
    assert_string_equal(err.file, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character),
        cmocka_unit_test(json),
        cmocka_unit_test(bytes),
        cmocka_unit_test(messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
