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
#include "base/text/markup.h"
#include "base/memory/vec.h"

static void first_error_stays(void **state)
{
    (void)state;
    struct err e = {0};
    assert_false(err_at(&e, ERR_INPUT, "a.rw", 3, 7, "expected %s", "a name"));
    assert_false(err_set(&e, ERR_DB, "later"));
    assert_int_equal(e.kind, ERR_INPUT);
    assert_int_equal(e.line, 3);
    assert_int_equal(e.col, 7);
    assert_string_equal(e.file, "a.rw");
    assert_string_equal(e.msg, "expected a name");
    err_clear(&e);
    assert_int_equal(e.kind, ERR_NONE);
    assert_false(err_set(&e, ERR_DB, "later"));
    assert_string_equal(e.msg, "later");
    assert_string_equal(e.file, "");
    assert_int_equal(e.line, 0);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    char text[2000];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    struct err e = {0};
    err_at(&e, ERR_INPUT, text, 1, 1, "%s", text);
    assert_int_equal(strlen(e.msg), sizeof e.msg - 1);
    assert_int_equal(strlen(e.file), sizeof e.file - 1);
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
        struct buf b = {0};
        char text[40];
        int digits = 15;
        do
            snprintf(text, sizeof text, "%.*g", digits, some[i]);
        while (strtod(text, NULL) != some[i] && digits++ < 17);
        buf_double(&b, some[i]);
        assert_string_equal(buf_text(&b), text);
        buf_release(&b);
    }
}

static void buf_operations(void **state)
{
    (void)state;
    struct buf b = {0};
    assert_string_equal(buf_text(&b), "");
    buf_puts(&b, "ab");
    buf_putc(&b, 'c');
    buf_write(&b, "d\0e", 3);
    buf_write(&b, NULL, 0);
    buf_indent(&b, 3);
    buf_printf(&b, "%d:%s", 42, "z");
    assert_int_equal(b.len, 3 + 3 + 3 + 4);
    assert_memory_equal(buf_text(&b), "abcd\0e   42:z", 14);
    buf_clear(&b);
    assert_string_equal(buf_text(&b), "");
    for (int n = 0; n < 600; n++) { // around every length of the inner buffer
        buf_clear(&b);
        buf_printf(&b, "%*s|", n, "");
        assert_int_equal(b.len, n + 1);
        assert_int_equal(b.at[n], '|');
        assert_int_equal(b.at[n + 1], 0);
    }
    char *text = buf_detach(&b);
    assert_int_equal(strlen(text), 600);
    assert_null(b.at);
    mem_free(text);
    text = buf_detach(&b);
    assert_string_equal(text, "");
    mem_free(text);
    buf_release(&b);
}

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(folder, sizeof folder, "/tmp/base_text.%ld.%u", (long)getpid(),
                 i);
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

static const char *in_folder(struct buf *b, const char *name)
{
    buf_clear(b);
    buf_printf(b, "%s/%s", folder, name);
    return buf_text(b);
}

static void files_come_back(void **state)
{
    (void)state;
    struct buf name = {0}, got = {0};
    struct err e = {0};
    const char *path = in_folder(&name, "file");
    char data[100000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7);
    assert_true(file_write(path, data, sizeof data, &e));
    assert_true(file_read(path, sizeof data, &got, &e));
    assert_int_equal(got.len, sizeof data);
    assert_memory_equal(got.at, data, sizeof data);
    assert_false(file_read(path, sizeof data - 1, &got, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    err_clear(&e);
    assert_int_equal(chmod(path, 0640), 0);
    assert_true(file_write(path, "new", 3, &e)); // replaced, not appended
    assert_true(file_read(path, 100, &got, &e));
    assert_string_equal(buf_text(&got), "new");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    assert_true(file_write(path, "", 0, &e));
    assert_true(file_read(path, 0, &got, &e));
    assert_int_equal(got.len, 0);
    assert_int_equal(unlink(path), 0);
    buf_release(&name);
    buf_release(&got);
}

static void links_stay_links(void **state)
{
    (void)state;
    struct buf file = {0}, link = {0}, got = {0};
    struct err e = {0};
    in_folder(&file, "file");
    in_folder(&link, "link");
    assert_int_equal(symlink("file", buf_text(&link)), 0);
    assert_true(file_write(buf_text(&link), "one", 3, &e)); // dangling
    assert_true(file_write(buf_text(&link), "two", 3, &e));
    struct stat st;
    assert_int_equal(lstat(buf_text(&link), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_true(file_read(buf_text(&file), 100, &got, &e));
    assert_string_equal(buf_text(&got), "two");
    unlink(buf_text(&file));
    unlink(buf_text(&link));
    assert_int_equal(symlink("link", buf_text(&link)), 0);
    assert_false(file_write(buf_text(&link), "x", 1, &e)); // a circle
    assert_int_equal(e.kind, ERR_IO);
    unlink(buf_text(&link));
    buf_release(&file);
    buf_release(&link);
    buf_release(&got);
}

static void markup(void **state)
{
    (void)state;
    struct buf b = {0};
    markup_in("<p title=\"", "a<b> & \"c\" 'd' \u00e9;", "\">", &b);
    assert_string_equal(buf_text(&b), "<p title=\"a&lt;b&gt; &amp; "
                                      "&quot;c&quot; 'd' \u00e9;\">");
    buf_release(&b);
}

static void file_failures(void **state)
{
    (void)state;
    struct buf name = {0}, got = {0};
    struct err e = {0};
    assert_false(file_read(in_folder(&name, "missing"), 10, &got, &e));
    assert_int_equal(e.kind, ERR_IO);
    assert_non_null(strstr(e.msg, "missing"));
    err_clear(&e);
    assert_false(file_write(in_folder(&name, "no/file"), "x", 1, &e));
    assert_int_equal(e.kind, ERR_IO);
    err_clear(&e);
    assert_false(file_read(folder, 10, &got, &e)); // a folder is no file
    assert_int_equal(e.kind, ERR_IO);
    err_clear(&e);
    assert_true(file_write("/dev/null", "x", 1, &e));
    buf_release(&name);
    buf_release(&got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_error_stays),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(buf_operations),
        cmocka_unit_test(numbers),
        cmocka_unit_test(files_come_back),
        cmocka_unit_test(links_stay_links),
        cmocka_unit_test(file_failures),
        cmocka_unit_test(markup),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
