// SPDX-License-Identifier: Apache-2.0
// Whole programs in HLO: each is printed, read and printed again, and the second text is the
// first.
#include "tests/unit/support/io_text.h"

#include <dirent.h>

static void read_path(const char *path)
{
    struct buf buf = {0};
    struct err err = {0};
    struct file file;
    if (!file_read(path, 1u << 26, &buf, &err))
        fail_msg("%s", err.msg);
    read_good(&file, buf_text(&buf));
    assert_true(file.program.functions.len > 0);
    release(&file);
    buf_release(&buf);
}

static void every_file(void **state)
{
    (void)state;
    static const char folder[] = "tests/programs/hlo";
    DIR *dir = opendir(folder);
    unsigned n = 0;
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        size_t length = strlen(entry->d_name);
        struct buf path = {0};
        if (length < 4 || strcmp(entry->d_name + length - 4, ".hlo") != 0)
            continue;
        buf_printf(&path, "%s/%s", folder, entry->d_name);
        read_path(buf_text(&path));
        buf_release(&path);
        n++;
    }
    closedir(dir);
    assert_true(n >= 8);
}

// The results of an operation are terms before what gives them names, which may stand far behind
// it: behind terms that are newer and have names.
static void late_names(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nf {\n  p = f32[2] parameter(0)\n  n = f32[2] negate(p)\n"
                     "  ROOT r = (f32[2], f32[2]) tuple(n, p)\n}\n"
                     "ENTRY e {\n  x = f32[2] parameter(0)\n"
                     "  pair = (f32[2], f32[2]) fusion(x), kind=kLoop, calls=f\n"
                     "  left = f32[2] get-tuple-element(pair), index=0\n"
                     "  wave = f32[2] sine(left)\n"
                     "  right = f32[2] get-tuple-element(pair), index=1\n"
                     "  ROOT sum = f32[2] add(wave, right)\n}\n");
    expect_text(&file, "%left = f32[2] get-tuple-element(%pair), index=0");
    expect_text(&file, "%wave = f32[2] sine(%left)");
    expect_text(&file, "%right = f32[2] get-tuple-element(%pair), index=1");
    expect_text(&file, "%sum = f32[2] add(%wave, %right)");
    release(&file);
}

// A table of source places may be empty, and a computation may have the name of one.
static void tables(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nFileNames\n1 \"a.py\"\nStackFrames\n"
                     "%FileNames {\n  ROOT %p = f32[2] parameter(0)\n}\n"
                     "ENTRY e {\n  x = f32[2] parameter(0)\n"
                     "  ROOT y = f32[2] fusion(x), kind=kCustom, calls=FileNames\n}\n");
    expect_text(&file, "FileNames\n1 \"a.py\"\n\nStackFrames\n\n%FileNames {");
    release(&file);
    read_good(&file, "HloModule t\nStackFrames {\n  ROOT p = f32[2] parameter(0)\n}\n");
    expect_text(&file, "ENTRY %StackFrames (");
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),
        cmocka_unit_test(late_names),
        cmocka_unit_test(tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
