// SPDX-License-Identifier: Apache-2.0
// Texts of StableHLO whose second printing once differed from the first: each is printed, read
// and printed again.
#include "tests/unit/support/io_text.h"

#define SORTS 40

// A sort by "a * value < b" of %x.
static void put_sort(struct buf *out, const char *name, double value)
{
    buf_printf(out,
               "%%%s = \"stablehlo.sort\"(%%x) <{dimension = 0 : i64, is_stable = true}> ({\n"
               "^bb0(%%a: tensor<f32>, %%b: tensor<f32>):\n"
               "  %%k = stablehlo.constant dense<%.1f> : tensor<f32>\n"
               "  %%m = stablehlo.multiply %%a, %%k : tensor<f32>\n"
               "  %%c = stablehlo.compare LT, %%m, %%b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
               "  stablehlo.return %%c : tensor<i1>\n"
               "}) : (tensor<4xf32>) -> tensor<4xf32>\n",
               name, value);
}

static unsigned count(const struct file *file, const char *word)
{
    unsigned n = 0;
    for (const char *at = buf_text(&file->text); (at = strstr(at, word)) != NULL; at++)
        n++;
    return n;
}

// Equal operations with regions are one, whatever unused ones stand between them.
static void far_apart(void **state)
{
    (void)state;
    struct buf text = {0};
    struct file file;
    buf_puts(&text, "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n");
    put_sort(&text, "first", 1);
    for (int i = 0; i < SORTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "s%d", i);
        put_sort(&text, name, 2 + i);
    }
    put_sort(&text, "last", 1);
    put_sort(&text, "other", 2 + SORTS);
    buf_puts(&text, "%r = stablehlo.add %first, %last : tensor<4xf32>\n"
                    "%t = stablehlo.add %r, %other : tensor<4xf32>\n"
                    "return %t : tensor<4xf32>\n}\n");
    read_good(&file, buf_text(&text));
    assert_int_equal(count(&file, "stablehlo.sort"), 2);
    release(&file);
    buf_release(&text);
}

#define LOOP(name, body)                                                                           \
    "%" name " = stablehlo.while(%s = %x) : tensor<4xf32>\n"                                       \
    "cond {\n  %g = stablehlo.constant dense<true> : tensor<i1>\n"                                 \
    "  stablehlo.return %g : tensor<i1>\n} do {\n" body                                            \
    "  stablehlo.return %n : tensor<4xf32>\n}\n"
#define SORT(name, from, direction)                                                                \
    "  %" name " = \"stablehlo.sort\"(%" from ") <{dimension = 0 : i64, is_stable = true}> ({\n"   \
    "  ^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"                                                  \
    "    %c = stablehlo.compare " direction                                                        \
    ", %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"                                        \
    "    stablehlo.return %c : tensor<i1>\n"                                                       \
    "  }) : (tensor<4xf32>) -> tensor<4xf32>\n"
#define BRANCH(name, of)                                                                           \
    "  %" name " = \"stablehlo.if\"(%p) ({\n    %h = stablehlo.sine %" of " : tensor<4xf32>\n"     \
    "    stablehlo.return %h : tensor<4xf32>\n  }, {\n"                                            \
    "    stablehlo.return %x : tensor<4xf32>\n  }) : (tensor<i1>) -> tensor<4xf32>\n"

// A body may have regions, the first of which others share, and values of the regions around it.
static void regions_inside(void **state)
{
    (void)state;
    struct file file;
    read_good(&file,
              "func.func @f(%x: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {\n" LOOP(
                  "u", SORT("m", "s", "LT") BRANCH("n", "m"))
                  LOOP("dead", SORT("m", "s", "GT") BRANCH("n", "m"))
                      LOOP("v", SORT("m", "s", "LT") BRANCH("n", "m"))
                          LOOP("w", SORT("m", "s", "LT") BRANCH("n", "s"))
                              SORT("y", "w", "LT") "%r = stablehlo.add %u, %v : tensor<4xf32>\n"
                                                   "%t = stablehlo.add %r, %y : tensor<4xf32>\n"
                                                   "return %t : tensor<4xf32>\n}\n");
    assert_int_equal(count(&file, "stablehlo.while"), 2);
    assert_int_equal(count(&file, "stablehlo.sort"), 2); // the one of %w is unused
    release(&file);
}

#define BODY(statements, result)                                                                   \
    "({\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n" statements "  stablehlo.return " result        \
    " : tensor<f32>\n})"
#define UNUSED "  %d = stablehlo.sine %a : tensor<f32>\n"
#define ADD "  %c = stablehlo.add %b, %a : tensor<f32>\n"
#define REDUCE(name, body)                                                                         \
    "%" name " = \"stablehlo.reduce\"(%x, %z) <{dimensions = array<i64: 0>}> " body                \
    " : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"

static void read_fold(struct file *file, const char *statement, const char *type)
{
    struct buf text = {0};
    buf_printf(&text,
               "func.func private @g() -> tensor<f32>\n"
               "func.func private @h(%%p: tensor<f32>) -> tensor<f32> {\n"
               "return %%p : tensor<f32>\n}\n"
               "func.func @f(%%x: tensor<4xf32>, %%z: tensor<f32>, %%i: tensor<1xi32>, "
               "%%u: tensor<1xf32>) -> %s {\n%sreturn %%r : %s\n}\n",
               type, statement, type);
    read_good(file, buf_text(&text));
    buf_release(&text);
}

// A body that computes what it does not use is one operator all the same: no printed text has such
// statements.
static void unused_in_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *text, *type;
        enum op op;
    } folds[] = {
        {REDUCE("r", BODY(UNUSED ADD, "%c")), "tensor<f32>", OP_REDUCE},
        {REDUCE("r", BODY(ADD "  %e = stablehlo.sine %c : tensor<f32>\n", "%c")), "tensor<f32>",
         OP_REDUCE},
        {"%r = stablehlo.reduce(%x init: %z) across dimensions = [0] : (tensor<4xf32>, "
         "tensor<f32>) -> tensor<f32>\nreducer(%a: tensor<f32>, %b: tensor<f32>) {\n" UNUSED ADD
         "  stablehlo.return %c : tensor<f32>\n}\n",
         "tensor<f32>", OP_REDUCE},
        {"%r = \"stablehlo.reduce_window\"(%x, %z) <{window_dimensions = array<i64: 2>}> " BODY(
             UNUSED ADD, "%c") " : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>\n",
         "tensor<3xf32>", OP_REDUCE_WINDOW},
        {"%r = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers = "
         "#stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], "
         "index_vector_dim = 1>}> " BODY(
             UNUSED, "%b") " : (tensor<4xf32>, tensor<1xi32>, tensor<1xf32>) -> tensor<4xf32>\n",
         "tensor<4xf32>", OP_SCATTER},
        // values from outside, functions, regions
        {REDUCE("r", BODY("  %d = stablehlo.sine %z : tensor<f32>\n" ADD, "%c")), "tensor<f32>",
         OP_REDUCE},
        {REDUCE("r", BODY("  %d = func.call @h(%a) : (tensor<f32>) -> tensor<f32>\n" ADD, "%c")),
         "tensor<f32>", OP_REDUCE},
        {REDUCE("r", BODY("  %d = stablehlo.custom_call @k(%b) {has_side_effect = false} : "
                          "(tensor<f32>) -> tensor<f32>\n" ADD,
                          "%c")),
         "tensor<f32>", OP_REDUCE},
        {REDUCE("r", BODY("  %d = \"stablehlo.reduce\"(%x, %a) <{dimensions = array<i64: 0>}> ({\n"
                          "  ^bb0(%e: tensor<f32>, %g: tensor<f32>):\n"
                          "    %k = stablehlo.divide %e, %a : tensor<f32>\n"
                          "    stablehlo.return %k : tensor<f32>\n"
                          "  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n" ADD,
                          "%c")),
         "tensor<f32>", OP_REDUCE},
        {REDUCE("r", BODY(UNUSED, "%d")), "tensor<f32>", OP_OPAQUE},
        {REDUCE("r", BODY("  %d = \"a.b\"(%a) : (tensor<f32>) -> tensor<f32>\n" ADD, "%c")),
         "tensor<f32>", OP_OPAQUE},
        {REDUCE("r", BODY("  %d = func.call @g() : () -> tensor<f32>\n" ADD, "%c")), "tensor<f32>",
         OP_OPAQUE},
    };
    for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
        struct file file;
        read_fold(&file, folds[i].text, folds[i].type);
        assert_int_equal(result_op(&file, 2, 0), folds[i].op);
        release(&file);
    }
}

// What nothing uses is read as anything else, and refused where it is wrong.
static void wrong_in_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *statement, *msg;
    } wrongs[] = {
        {"  %d = stablehlo.add %a, %b : tensor<i32>\n",
         "expected the type of operand 0, tensor<f32>, found tensor<i32>"},
        {"  %d = stablehlo.concatenate %a, dim = 0 : (tensor<f32>) -> tensor<5xf32>\n",
         "concatenate: expected a dimension below 0, found 0"},
        {"  %d = stablehlo.constant dense<[1.0]> : tensor<2xf32>\n",
         "expected 2 elements along dimension 0, found fewer"},
        {"  %d = stablehlo.constant dense<1.0> : tensor<4xf32>\n"
         "  %e = stablehlo.constant dense<0.0> : tensor<f32>\n"
         "  %f = \"stablehlo.reduce\"(%d, %e) <{dimensions = array<i64: 0>}> ({\n"
         "  ^bb0(%g: tensor<f32>, %h: tensor<f32>):\n"
         "    %i = stablehlo.subtract %g, %h : tensor<2xf32>\n"
         "    %j = stablehlo.multiply %g, %h : tensor<f32>\n"
         "    stablehlo.return %j : tensor<f32>\n"
         "  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>\n",
         "expected the type of operand 0, tensor<f32>, found tensor<2xf32>"},
    };
    for (size_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        struct file file;
        struct buf text = {0};
        buf_printf(&text,
                   "func.func @f(%%x: tensor<4xf32>, %%z: tensor<f32>) -> tensor<f32> {\n"
                   "%%r = stablehlo.reduce(%%x init: %%z) across dimensions = [0] : "
                   "(tensor<4xf32>, tensor<f32>) -> tensor<f32>\n"
                   "reducer(%%a: tensor<f32>, %%b: tensor<f32>) {\n%s%s"
                   "  stablehlo.return %%c : tensor<f32>\n}\nreturn %%r : tensor<f32>\n}\n",
                   wrongs[i].statement, ADD);
        read_bytes(&file, buf_text(&text), text.len);
        assert_false(file.ok);
        assert_string_equal(file.err.msg, wrongs[i].msg);
        release(&file);
        buf_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_apart),
        cmocka_unit_test(regions_inside),
        cmocka_unit_test(unused_in_bodies),
        cmocka_unit_test(wrong_in_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
