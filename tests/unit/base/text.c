// SPDX-License-Identifier: Apache-2.0
// Errors, text buffers and files.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/text/buf.h"
#include "base/text/hex.h"
#include "base/text/markup.h"
#include "base/memory/vec.h"

static void first_error_stays(void **state)
{
    (void)state;
    struct err err = {0};
    assert_false(err_at(&err, ERR_INPUT, "a.rw", 3, 7, "expected %s", "a name"));
    assert_false(err_set(&err, ERR_DB, "later"));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(err.line, 3);
    assert_int_equal(err.col, 7);
    assert_string_equal(err.file, "a.rw");
    assert_string_equal(err.msg, "expected a name");
    err_clear(&err);
    assert_int_equal(err.kind, ERR_NONE);
    assert_false(err_set(&err, ERR_DB, "later"));
    assert_string_equal(err.msg, "later");
    assert_string_equal(err.file, "");
    assert_int_equal(err.line, 0);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    struct err err = {0};
    err_at(&err, ERR_INPUT, text, 1, 1, "%s", text);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_int_equal(strlen(err.file), sizeof err.file - 1);
}

// The shortest of 15 to 17 digits that reads back, as printf writes it.
static void numbers(void **state)
{
    (void)state;
    static const double some[] = {0,
                                  -0.0,
                                  1,
                                  -7,
                                  10,
                                  1e6,
                                  123456789012345,
                                  999999999999999,
                                  -999999999999999,
                                  1e15,
                                  -1e15,
                                  9007199254740992,
                                  0.5,
                                  -0.1,
                                  1.0 / 3,
                                  1e300,
                                  5e-324,
                                  INFINITY,
                                  -INFINITY};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        struct buf buf = {0};
        char text[40];
        int digits = 15;
        do
            snprintf(text, sizeof text, "%.*g", digits, some[i]);
        while (strtod(text, NULL) != some[i] && digits++ < 17);
        buf_double(&buf, some[i]);
        assert_string_equal(buf_text(&buf), text);
        buf_release(&buf);
    }
}

static void buf_operations(void **state)
{
    (void)state;
    struct buf buf = {0};
    assert_string_equal(buf_text(&buf), "");
    buf_puts(&buf, "ab");
    buf_putc(&buf, 'c');
    buf_write(&buf, "d\0e", 3);
    buf_write(&buf, NULL, 0);
    buf_indent(&buf, 3);
    buf_printf(&buf, "%d:%s", 42, "z");
    assert_int_equal(buf.len, 3 + 3 + 3 + 4);
    assert_memory_equal(buf_text(&buf), "abcd\0e   42:z", 14);
    buf_clear(&buf);
    assert_string_equal(buf_text(&buf), "");
    for (int n = 0; n < 600; n++) { // around every length of the inner buffer
        buf_clear(&buf);
        buf_printf(&buf, "%*s|", n, "");
        assert_int_equal(buf.len, n + 1);
        assert_int_equal(buf.at[n], '|');
        assert_int_equal(buf.at[n + 1], 0);
    }
    char *text = buf_detach(&buf);
    assert_int_equal(strlen(text), 600);
    assert_null(buf.at);
    mem_free(text);
    text = buf_detach(&buf);
    assert_string_equal(text, "");
    mem_free(text);
    buf_release(&buf);
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(folder, sizeof folder, "/tmp/base_text.%ld.%u", (long)getpid(), i);
        if (mkdir(folder, 0700) == 0)
            return 0;
    }
    return -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const char *in_folder(struct buf *buf, const char *name)
{
    buf_clear(buf);
    buf_printf(buf, "%s/%s", folder, name);
    return buf_text(buf);
}

static void files_come_back(void **state)
{
    (void)state;
    struct buf name = {0}, got = {0};
    struct err err = {0};
    const char *path = in_folder(&name, "file");
    char data[100000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7);
    assert_true(file_write(path, data, sizeof data, &err));
    assert_true(file_read(path, sizeof data, &got, &err));
    assert_int_equal(got.len, sizeof data);
    assert_memory_equal(got.at, data, sizeof data);
    assert_false(file_read(path, sizeof data - 1, &got, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_clear(&err);
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(file_write(path, "new", 3, &err)); // replaced, not appended
    assert_true(file_read(path, 100, &got, &err));
    assert_string_equal(buf_text(&got), "new");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_true(file_write(path, "", 0, &err));
    assert_true(file_read(path, 0, &got, &err));
    assert_int_equal(got.len, 0);
    assert_int_equal(unlink(path), 0);
    buf_release(&name);
    buf_release(&got);
}

static void links_stay_links(void **state)
{
    (void)state;
    struct buf file = {0}, link = {0}, got = {0};
    struct err err = {0};
    in_folder(&file, "file");
    in_folder(&link, "link");
    assert_int_equal(symlink("file", buf_text(&link)), 0);
    assert_true(file_write(buf_text(&link), "one", 3, &err)); // dangling
    assert_true(file_write(buf_text(&link), "two", 3, &err));
    struct stat st;
    assert_int_equal(lstat(buf_text(&link), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(file_read(buf_text(&file), 100, &got, &err));
    assert_string_equal(buf_text(&got), "two");
    unlink(buf_text(&file));
    unlink(buf_text(&link));
    assert_int_equal(symlink("link", buf_text(&link)), 0);
    assert_false(file_write(buf_text(&link), "x", 1, &err)); // a circle
    assert_int_equal(err.kind, ERR_IO);
    unlink(buf_text(&link));
    buf_release(&file);
    buf_release(&link);
    buf_release(&got);
}

static void markup(void **state)
{
    (void)state;
    struct buf buf = {0};
    markup_in("<p title=\"", "a<b> & \"c\" 'd' \u00e9;", "\">", &buf);
    assert_string_equal(buf_text(&buf), "<p title=\"a&lt;b&gt; &amp; "
                                        "&quot;c&quot; 'd' \u00e9;\">");
    buf_release(&buf);
}

static void hex_digits(void **state)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    (void)state;
    for (int c = -128; c < 128; c++) {
        const char *at = c != 0 ? strchr(digits, c) : NULL;
        int want = at == NULL ? -1 : (int)(at - digits) - (at - digits > 15 ? 6 : 0);
        assert_int_equal(hex_digit((char)c), want);
    }
}

static void file_failures(void **state)
{
    (void)state;
    struct buf name = {0}, got = {0};
    struct err err = {0};
    assert_false(file_read(in_folder(&name, "missing"), 10, &got, &err));
    assert_int_equal(err.kind, ERR_IO);
    assert_string_equal(err.file, buf_text(&name));
    err_clear(&err);
    assert_false(file_write(in_folder(&name, "no/file"), "x", 1, &err));
    assert_int_equal(err.kind, ERR_IO);
    err_clear(&err);
    assert_false(file_read(folder, 10, &got, &err)); // a folder is no file
    assert_int_equal(err.kind, ERR_IO);
    err_clear(&err);
    assert_true(file_write("/dev/null", "x", 1, &err));
    buf_release(&name);
    buf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_stays), cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(buf_operations),    cmocka_unit_test(numbers),
        cmocka_unit_test(files_come_back),   cmocka_unit_test(links_stay_links),
        cmocka_unit_test(file_failures),     cmocka_unit_test(markup),
        cmocka_unit_test(hex_digits),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
