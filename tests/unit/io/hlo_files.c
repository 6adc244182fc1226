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

// A constant is one term in all computations, and has its own name in each.
static void names_of_computations(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nf {\n  p = f32[2] parameter(0)\n  one = f32[] constant(1)\n"
                     "  two = f32[2] broadcast(one), dimensions={}\n"
                     "  ROOT n = f32[2] custom-call(p, two), custom_call_target=\"t\"\n}\n"
                     "ENTRY e {\n  x = f32[2] parameter(0)\n"
                     "  one = f32[2] sine(x)\n  c = f32[] constant(1)\n"
                     "  d = f32[] constant(1)\n  two = f32[2] broadcast(d), dimensions={}\n"
                     "  y = f32[2] call(one), to_apply=f\n"
                     "  ROOT z = (f32[2], f32[], f32[2]) tuple(y, c, two)\n}\n");
    expect_text(&file, "%one = f32[] constant(1)");
    expect_text(&file, "%one = f32[2] sine(%x)");
    expect_text(&file, "%c = f32[] constant(1)");
    release(&file);
}

// A tuple of which only the elements are used is made anew, and gives its name to no equal one.
static void names_of_tuples(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\ngo {\n  s = (f32[2]) parameter(0)\n"
                     "  ROOT t = pred[] constant(true)\n}\n"
                     "step {\n  ROOT s = (f32[2]) parameter(0)\n}\n"
                     "ENTRY e {\n  x = f32[2] parameter(0)\n"
                     "  first = (f32[2]) tuple(x)\n"
                     "  loop = (f32[2]) while(first), condition=go, body=step\n"
                     "  y = f32[2] get-tuple-element(loop), index=0\n"
                     "  second = (f32[2]) tuple(x)\n"
                     "  z = f32[2] custom-call(second), custom_call_target=\"t\"\n"
                     "  ROOT w = f32[2] add(y, z)\n}\n");
    expect_text(&file, "%second = (f32[2]) tuple(%x)");
    expect_text(&file, "%y = f32[2] get-tuple-element(");
    release(&file);
}

// A fold whose computation turns out to be one operator, or the update, is read as such.
static void bodies_that_are_operators(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
                     "  dead = f32[] add(a, b)\n  ROOT s = f32[] add(b, a)\n}\n"
                     "last {\n  a = f32[] parameter(0)\n  ROOT b = f32[] parameter(1)\n"
                     "  dead = f32[] add(a, b)\n}\n"
                     "ENTRY e {\n  x = f32[3] parameter(0)\n  i = s32[2,1] parameter(1)\n"
                     "  u = f32[2] parameter(2)\n  c = f32[] constant(1)\n"
                     "  r = f32[] reduce(x, c), dimensions={0}, to_apply=sum\n"
                     "  w = f32[2] reduce-window(x, c), window={size=2}, to_apply=sum\n"
                     "  s = f32[3] scatter(x, i, u), update_window_dims={}, "
                     "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, "
                     "index_vector_dim=1, to_apply=last\n"
                     "  ROOT t = (f32[], f32[2], f32[3]) tuple(r, w, s)\n}\n");
    expect_text(&file, "reduce(%x, %c), dimensions={0}, to_apply=%add_f32");
    expect_text(&file, "to_apply=%second_f32");
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file),      cmocka_unit_test(late_names),
        cmocka_unit_test(tables),          cmocka_unit_test(names_of_computations),
        cmocka_unit_test(names_of_tuples), cmocka_unit_test(bodies_that_are_operators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
