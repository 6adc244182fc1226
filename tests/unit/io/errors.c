// SPDX-License-Identifier: Apache-2.0
// Every malformed StableHLO text gets one message with its place; none crashes.
#include "tests/unit/support/io_text.h"

// --- errors ----------------------------------------------------------------

struct wrong {
    const char *text;
    uint32_t line, col;
    const char *msg;
};

#define FUN "func.func @f(%x: " T ", %s: " F ") -> " T " {\n"
#define END "\nreturn %r : " T "\n}\n"

static const struct wrong wrongs[] = {
    {"", 1, 1, "expected a module or a function, found the end of the file"},
    {"#a = 1\n", 2, 1, "expected a module or a function, found the end of the file"},
    {"module {", 1, 9,
     "expected the bracket that closes the '{' of 1:8, found the end of the "
     "file"},
    {"module { ( }", 1, 12, "expected the bracket that closes the '(' of 1:10, found '}'"},
    {"module {}\n}", 2, 1, "'}' closes nothing"},
    {"module {\n%0 = stablehlo.iota dim = 0 : tensor<3xi32>\n}", 2, 1,
     "expected a function, found a statement outside any function"},
    {"func.func @f() {\n}", 2, 1, "expected return, found '}'"},
    {"module {\n}\n--- END ---\nmodule {}", 3, 1,
     "expected a module, a function or an operation, found '-'"},
    {"module {\n}\n}", 3, 1, "'}' closes nothing"},
    {"module {\n\"vhlo.func_v1\"() ({\n}) : () -> ()\n}", 2, 1, "expected StableHLO, found VHLO"},
    {"--- END ---", 1, 1, "expected a module, a function or an operation, found '-'"},
    {"func.func @f() {\nreturn\n}\nfunc.func @f() {\nreturn\n}", 4, 11,
     "a second function of this name"},
    {FUN "%r = stablehlo.add %x, %q : " T END, 2, 24, "value '%q' is used before its definition"},
    {FUN "%x = stablehlo.add %x, %x : " T END, 2, 1, "value '%x' is defined already"},
    {FUN "%r = stablehlo.add %x, %s : " T END, 2, 29,
     "expected the type of operand 1, tensor<f32>, found tensor<2x3xf32>"},
    {FUN "%r = stablehlo.add %x : " T END, 2, 6, "'add': expected 2 operands, found 1"},
    {FUN "%r:2 = stablehlo.add %x, %x : " T "\nreturn %r#0 : " T "\n}", 2, 8,
     "'add': expected 1 result name, found 2"},
    {FUN "%r = stablehlo.add %x, %x tensor<2x3xf32>" END, 2, 27, "expected ':', found 'tensor'"},
    {FUN "%r = stablehlo.transpose %x, dims = [0, 1] : (" T ") -> tensor<3x2xf32>" END, 2, 46,
     "transpose: expected the result type tensor<2x3xf32>, found "
     "tensor<3x2xf32>"},
    {FUN "%r = stablehlo.transpose %x, dims = [0, x] : (" T ") -> " T END, 2, 41,
     "expected an integer, found 'x'"},
    {FUN "%r = \"stablehlo.transpose\"(%x) : (" T ") -> " T END, 2, 6,
     "'transpose' lacks its dimensions"},
    {FUN "%r = \"stablehlo.transpose\"(%x) {permutation = dense<[0, 1]> : "
         "tensor<2xi64>} : (" T ") -> " T END,
     2, 47,
     "expected array<i64: ...>, found dense<...>: the attribute encoding of "
     "an old version"},
    {FUN "%r = \"stablehlo.compare\"(%x, %x) {comparison_direction = \"LT\"} "
         ": (" T ", " T ") -> " P END,
     2, 58,
     "expected #stablehlo<comparison_direction ...>, found a string: the "
     "encoding of an old version"},
    {FUN "%r = stablehlo.compare LESS, %x, %x : (" T ", " T ") -> " P END, 2, 24,
     "expected EQ, NE, GE, GT, LE or LT, found 'LESS'"},
    {FUN "%r = stablehlo.reduce(%x init: %s) applies stablehlo.subtract across "
         "dimensions = [0] : (" T ", " F ") -> " F END,
     2, 44,
     "expected a commutative operation of two operands, found "
     "'stablehlo.subtract'"},
    {FUN "%r = stablehlo.abs(%x) : " T END, 2, 19, "expected a value or name, found '('"},
    {FUN "%r = \"a.b\"(%x) : (" F ") -> " T END, 2, 18,
     "expected the type of operand 0, tensor<2x3xf32>, found tensor<f32>"},
    {FUN "%r = \"a.b\"(%x) : () -> " T END, 2, 18, "expected 1 operand types, found 0"},
    {FUN "%r:2 = \"a.b\"(%x) : (" T ") -> " T "\nreturn %r#0 : " T "\n}", 2, 8,
     "'a.b': expected 1 result names, found 2"},
    {FUN "%r = foo.bar %x : " T END, 2, 6,
     "cannot tell the result types of 'foo.bar': write it in generic form"},
    {FUN "%r = call @g(%x) : (" T ") -> " T END, 2, 11,
     "expected the name of a function of this file, found '@g'"},
    {FUN "%r:2 = \"a.b\"() : () -> (" T ", " T ")\nreturn %r#2 : " T "\n}", 3, 10,
     "value '%r' has 2 results"},
    {FUN "return %s : " F "\n}\n", 2, 1,
     "expected the type of operand 0, tensor<f32>, found tensor<2x3xf32>"},
    {FUN "return\n}\n", 2, 1, "expected 1 values to return, found 0"},
    {FUN "return %x : " T "\n%0 = stablehlo.abs %x : " T "\n}\n", 3, 1,
     "expected '}' behind return, found '%0'"},
    {"func.func @f(%x: tensor<?xf32, 8 9>) {\nreturn\n}", 1, 34, "expected '>', found '9'"},
    {"func.func @f(%x: tensor<2xfoo>) {\nreturn\n}", 1, 27,
     "expected an element type, found 'foo'"},
    {"func.func @f(%x: tensor<2xint>) {\nreturn\n}", 1, 27,
     "expected an element type, found 'int'"},
    {"func.func @f(%x: tensor<99999999999999999999xf32>) {\nreturn\n}", 1, 25,
     "a size does not fit in 63 bits"},
    {"func.func @f(%x: !a) {\nreturn\n}", 1, 18, "alias '!a' is not defined"},
    {"!a = !b\n!b = !a\nfunc.func @f(%x: !a) {\nreturn\n}", 2, 6,
     "aliases are nested too deeply or go round in a circle"},
    {"#a = [#a]\nmodule attributes {x = #a} {}", 1, 7,
     "aliases are nested too deeply or go round in a circle"},
    {"#a = 1\n#a = 2\nmodule {}", 2, 1, "alias is defined twice"},
    {"#a = 1\nmodule {}\n// -----\nmodule attributes {x = #a} {}", 4, 24,
     "alias '#a' is not defined"},
    {"module attributes {x = \"abc} {}", 1, 24, "string is not closed"},
    {"module attributes {x = \"\\q\"} {}", 1, 25,
     "expected \\\", \\\\, \\n, \\t or two hex digits behind a backslash"},
    {"module @\"a\\00b\" {}", 1, 8, "expected a name without NUL bytes"},
    {"module \001 {}", 1, 8, "unexpected byte 0x01"},
    {"module attributes {x 1} {}", 1, 22, "expected ',' or '}', found '1'"},
};

// Whether the failure is the expected one; says what it is otherwise.
static bool same_failure(const struct file *file, const struct wrong *wrong)
{
    if (file->ok) {
        print_error("accepted: %s\n", wrong->text);
        return false;
    }
    if (file->err.line == wrong->line && file->err.col == wrong->col &&
        file->err.kind == ERR_INPUT && strcmp(file->err.msg, wrong->msg) == 0 &&
        strcmp(file->err.file, "t.mlir") == 0)
        return true;
    print_error("%u:%u: %s\ninstead of %u:%u: %s\nin: %s\n", file->err.line, file->err.col,
                file->err.msg, wrong->line, wrong->col, wrong->msg, wrong->text);
    return false;
}

static void test_errors(void **state)
{
    bool good = true;
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        const struct wrong *wrong = &wrongs[k];
        struct file file;
        read_bytes(&file, wrong->text, strlen(wrong->text));
        good &= same_failure(&file, wrong);
        release(&file);
    }
    assert_true(good);
}

static const struct wrong literals[] = {
    {"dense<1> : tensor<f32>", 2, 33,
     "expected a float such as 1.0, found "
     "'1'"},
    {"dense<-1> : tensor<ui8>", 2, 34, "expected an element of ui8, found a negative number"},
    {"dense<256> : tensor<i8>", 2, 33, "the number does not fit in i8"},
    {"dense<-129> : tensor<i8>", 2, 34, "the number does not fit in i8"},
    {"dense<1.0> : tensor<i8>", 2, 33, "expected an integer, found '1.0'"},
    {"dense<0x1FFFFFFFF> : tensor<f32>", 2, 33, "the bits do not fit in f32"},
    {"dense<99999999999999999999> : tensor<i64>", 2, 33, "the number does not fit in 64 bits"},
    {"dense<[1, 2]> : tensor<3xi32>", 2, 38, "expected 3 elements along dimension 0, found fewer"},
    {"dense<[1, 2]> : tensor<1xi32>", 2, 37, "expected 1 elements along dimension 0, found more"},
    {"dense<[1, 2]> : tensor<1x2xi32>", 2, 34, "expected '[', as the rank demands, found '1'"},
    {"dense<[[1]]> : tensor<1xi32>", 2, 34, "the lists are nested deeper than the rank 1"},
    {"dense<[1]> : tensor<i32>", 2, 33, "the lists are nested deeper than the rank 0"},
    {"dense<> : tensor<2xi32>", 2, 33, "expected 2 elements, found none"},
    {"dense<\"0x00\"> : tensor<2xi32>", 2, 33, "expected 2 elements of 4 bytes, found 1 bytes"},
    {"dense<\"0x0g\"> : tensor<2xi32>", 2, 33, "expected \"0x\" and pairs of hex digits"},
    {"dense<\"0x01\"> : tensor<3xi1>", 2, 33,
     "one byte for several elements of i1 can be a splat or packed bits: "
     "write a list"},
    {"dense<1 2> : tensor<2xi32>", 2, 35, "expected '>', found '2'"},
    {"dense<1> : i32", 2, 38, "expected a tensor type, found 'i32'"},
    {"dense<1>", 3, 1, "expected ':' and the type, found 'return'"},
    {"7", 2, 27, "expected dense<...>, found '7'"},
    // Elements that are carried as text.
    {"dense<[(foo, 2.0), (1.0, bar)]> : tensor<2xcomplex<f32>>", 2, 35,
     "expected a float such as 1.0, found 'foo'"},
    {"dense<(1.0, bar)> : tensor<2xcomplex<f32>>", 2, 39,
     "expected a float such as 1.0, found 'bar'"},
    {"dense<(1.0)> : tensor<complex<f32>>", 2, 37,
     "expected ',' and the imaginary part, found ')'"},
    {"dense<[(1.0, 2.0)]> : tensor<2xcomplex<f32>>", 2, 44,
     "expected 2 elements along dimension 0, found fewer"},
    {"dense<1.0> : tensor<complex<f32>>", 2, 33,
     "expected a complex number such as (1.0, 2.0), found '1.0'"},
    {"dense<(1, 2)> : tensor<complex<f32>>", 2, 34, "expected a float such as 1.0, found '1'"},
    {"dense<\"0x000000\"> : tensor<2xcomplex<f32>>", 2, 33,
     "expected 2 elements of 8 bytes, found 3 bytes"},
    {"dense<[zzz, 1.0]> : tensor<2xf8E4M3FN>", 2, 34, "expected a float such as 1.0, found 'zzz'"},
    {"dense<[1.0, 1.0]> : tensor<3xf8E5M2>", 2, 42,
     "expected 3 elements along dimension 0, found fewer"},
    {"dense<0x3CC> : tensor<f8E4M3FN>", 2, 33, "the number does not fit in 8 bits"},
    {"dense<-0x3C> : tensor<f8E4M3FN>", 2, 34, "expected no sign in front of the bits of a float"},
    {"dense<true> : tensor<i3>", 2, 33, "expected an integer, found 'true'"},
    {"dense<8> : tensor<si4>", 2, 33, "the number does not fit in 4 bits"},
    {"dense<> : tensor<2xtf32>", 2, 33, "expected 2 elements, found none"},
};

static void test_literal_errors(void **state)
{
    bool good = true;
    (void)state;
    for (size_t k = 0; k < sizeof literals / sizeof *literals; k++) {
        const struct wrong *wrong = &literals[k];
        struct buf buf = {0};
        struct file file;
        buf_printf(&buf, "func.func @f() {\n%%cst = stablehlo.constant %s\nreturn\n}", wrong->text);
        read_bytes(&file, buf_text(&buf), buf.len);
        good &= same_failure(&file, wrong);
        buf_release(&buf);
        release(&file);
    }
    assert_true(good);
}

// --- hostile input ---------------------------------------------------------

static const char sample[] =
    "#l = loc(\"a\")\n!t = tensor<2x3xf32>\nmodule @m attributes {a = 1 : "
    "i32} {\n  func.func public @main(%x: !t {b = \"c\"}, %s: tensor<f32>) -> "
    "(tensor<2xf32>) {\n"
    "    %c = stablehlo.constant dense<[[1.0, 2.0, 0x7FC00000], [4.0, 5.0, "
    "6.0]]> : !t\n    %0 = stablehlo.add %x, %c : !t loc(#l)\n"
    "    %1 = stablehlo.reduce(%0 init: %s) across dimensions = [1] : (!t, "
    "tensor<f32>) -> tensor<2xf32>\n     reducer(%l: tensor<f32>, %r: "
    "tensor<f32>) {\n      %t = stablehlo.divide %l, %r : tensor<f32>\n"
    "      stablehlo.return %t : tensor<f32>\n    }\n"
    "    return %1 : tensor<2xf32>\n  }\n}\n";

// Cut anywhere, or with one byte changed: an answer, never a crash.
static void test_damaged(void **state)
{
    (void)state;
    size_t n = sizeof sample - 1;
    struct file file;
    read_good(&file, sample);
    release(&file);
    for (size_t k = 0; k < n; k++) {
        read_bytes(&file, sample, k);
        if (k + 1 < n)
            assert_false(file.ok);
        release(&file);
        static const char bytes[] = "\0 %}(<\"0x:=#";
        for (size_t c = 0; c < sizeof bytes - 1; c++) {
            char *text = mem_alloc(n);
            memcpy(text, sample, n);
            text[k] = bytes[c];
            read_bytes(&file, text, n);
            assert_true(file.ok || (file.err.line > 0 && file.err.msg[0] != '\0'));
            release(&file);
            mem_free(text);
        }
    }
}

static void repeat(struct buf *buf, const char *text, int n)
{
    for (int k = 0; k < n; k++)
        buf_puts(buf, text);
}

static void test_hostile(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct file file;
    repeat(&buf, "module {", 100000);
    read_bytes(&file, buf_text(&buf), buf.len);
    assert_string_equal(file.err.msg, "brackets are nested too deeply");
    release(&file);
    // Aliases of aliases that would expand to 10^20 words.
    buf_clear(&buf);
    for (int k = 0; k < 20; k++) {
        buf_printf(&buf, "#a%d = [", k);
        for (int j = 0; j < 10; j++)
            buf_printf(&buf, "%s#a%d", j ? ", " : "", k + 1);
        buf_puts(&buf, "]\n");
    }
    buf_puts(&buf, "#a20 = 1\nmodule attributes {x = #a0} {}\n");
    read_bytes(&file, buf_text(&buf), buf.len);
    assert_string_equal(file.err.msg, "aliases expand to too much text");
    release(&file);
    // A rank over the limit, and one at it.
    for (int rank = 64; rank <= 65; rank++) {
        buf_clear(&buf);
        buf_puts(&buf, "func.func @f(%x: tensor<");
        repeat(&buf, "1x", rank);
        buf_puts(&buf, "f32>) {\nreturn\n}\n");
        read_bytes(&file, buf_text(&buf), buf.len);
        assert_int_equal(file.ok, rank == 64);
        release(&file);
    }
    buf_release(&buf);
    static const char nul[] = "module {\0}";
    read_bytes(&file, nul, sizeof nul - 1);
    assert_false(file.ok);
    assert_int_equal(file.err.col, 9);
    assert_string_equal(file.err.msg, "unexpected byte 0x00");
    release(&file);
}

// Long files take time in proportion.
static void test_long_file(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct file file;
    int n = 20000;
    buf_puts(&buf, "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n%v0 = "
                   "stablehlo.abs %x : tensor<4xf32>\n");
    for (int k = 1; k <= n; k++)
        buf_printf(&buf, "%%v%d = stablehlo.add %%v%d, %%x : tensor<4xf32>\n", k, k - 1);
    buf_printf(&buf, "return %%v%d : tensor<4xf32>\n}\n", n);
    read_good(&file, buf_text(&buf));
    assert_int_equal(function_size(&file.program, &file.program.functions.at[0]), n + 1);
    buf_release(&buf);
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),    cmocka_unit_test(test_literal_errors),
        cmocka_unit_test(test_damaged),   cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_long_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
