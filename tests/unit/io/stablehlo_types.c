// SPDX-License-Identifier: Apache-2.0
// A call takes and gives what its function does, and a complex number has two parts of one type:
// other texts are refused with their place, and those with sizes "?" are taken.
#include "tests/unit/support/io_text.h"

#define V "tensor<2xf32>"
#define W "tensor<3xf32>"
#define O "tensor<?xf32>"
#define Z "tensor<2xcomplex<f32>>"
// A call of @g with these types in line 2, and the function.
#define CALL(from, to, types, function)                                                            \
    "func.func @f(%x: " from ") -> " to " {\n  %0 = call @g(%x) : " types "\n  return %0 : " to    \
    "\n}\n" function
#define SAME(type) "func.func private @g(%a: " type ") -> " type " {\n  return %a : " type "\n}\n"
// stablehlo.complex in line 2.
#define PAIR(real, imag, whole)                                                                    \
    "func.func @f(%x: " real ", %y: " imag ") -> " whole                                           \
    " {\n  %0 = stablehlo.complex %x, %y : (" real ", " imag ") -> " whole                         \
    "\n  return %0 : " whole "\n}\n"

static const struct {
    const char *text;
    uint32_t line, col;
    const char *msg;
} wrongs[] = {
    {CALL(V, W, "(" V ") -> " W, SAME(V)), 2, 41,
     "call of @g: expected " V " for result 0, found " W},
    {CALL(V, "tensor<2xi32>", "(" V ") -> tensor<2xi32>", "func.func private @g(" V ") -> " V "\n"),
     2, 41, "call of @g: expected " V " for result 0, found tensor<2xi32>"},
    {CALL(V, "tensor<?x2xf32>", "(" V ") -> tensor<?x2xf32>", SAME(V)), 2, 41,
     "call of @g: expected " V " for result 0, found tensor<?x2xf32>"},
    {CALL(V, Z, "(" V ") -> " Z, SAME(V)), 2, 41,
     "call of @g: expected " V " for result 0, found " Z},
    {CALL(Z, "tensor<2xcomplex<f64>>", "(" Z ") -> tensor<2xcomplex<f64>>", SAME(Z)), 2, 50,
     "call of @g: expected " Z " for result 0, found tensor<2xcomplex<f64>>"},
    {CALL(W, V, "(" W ") -> " V, SAME(V)), 2, 22,
     "call of @g: expected " V " for operand 0, found " W},
    {CALL(V, V, "(" V ") -> " V, "func.func private @g() -> " V "\n"), 2, 22,
     "call of @g: expected 0 operands, found 1"},
    {CALL(V, V, "(" V ") -> " V, "func.func private @g(" V ")\n"), 2, 41,
     "call of @g: expected 0 results, found 1"},
    {"func.func private @g(" V ") -> (" V ", " W ")\nfunc.func @f(%x: " V ") -> " V " {\n"
     "  %0:2 = \"func.call\"(%x) <{callee = @g}> : (" V ") -> (" V ", " V ")\n  return %0#0 : " V
     "\n}\n",
     3, 63, "call of @g: expected " W " for result 1, found " V},
    // A function gives what stablehlo.return returns, whatever its head says.
    {CALL(V, W, "(" V ") -> " W,
          "func.func private @g(%a: " V ") -> " W " {\n  stablehlo.return %a : " V "\n}\n"),
     2, 41, "call of @g: expected " V " for result 0, found " W},
    // Each part has a function of its own.
    {SAME(V) "// -----\n" CALL(V, V, "(" V ") -> " V, SAME(W)), 6, 22,
     "call of @g: expected " W " for operand 0, found " V},
    {PAIR("tensor<2xi32>", "tensor<2xi32>", Z), 2, 8,
     "'stablehlo.complex': expected a tensor of f32 or f64 for operand 0, found tensor<2xi32>"},
    {PAIR(V, Z, Z), 2, 8,
     "'stablehlo.complex': expected a tensor of f32 or f64 for operand 1, found " Z},
    {PAIR(V, "tensor<2xf64>", Z), 2, 8,
     "'stablehlo.complex': expected " V " for operand 1, as for operand 0, found tensor<2xf64>"},
    {PAIR(V, W, Z), 2, 8,
     "'stablehlo.complex': expected " V " for operand 1, as for operand 0, found " W},
    {PAIR(V, V, V), 2, 8,
     "'stablehlo.complex': expected complex numbers with parts of " V ", found " V},
    {PAIR(V, V, "tensor<2xcomplex<f64>>"), 2, 8,
     "'stablehlo.complex': expected complex numbers with parts of " V
     ", found tensor<2xcomplex<f64>>"},
    {PAIR(V, V, "tensor<3xcomplex<f32>>"), 2, 8,
     "'stablehlo.complex': expected complex numbers with parts of " V
     ", found tensor<3xcomplex<f32>>"},
    {"func.func @f(%x: tensor<2xi32>) -> " Z " {\n  %0 = stablehlo.complex %x, %x : " Z
     "\n  return %0 : " Z "\n}\n",
     2, 8,
     "'stablehlo.complex': expected a tensor of f32 or f64 for operand 0, found tensor<2xi32>"},
    {"func.func @f(%x: " V ") -> " Z " {\n  %0 = \"stablehlo.complex\"(%x) : (" V ") -> " Z
     "\n  return %0 : " Z "\n}\n",
     2, 8, "'stablehlo.complex': expected 2 operands, found 1"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wrongs / sizeof *wrongs; k++) {
        struct file file;
        read_bytes(&file, wrongs[k].text, strlen(wrongs[k].text));
        assert_false(file.ok);
        assert_string_equal(file.err.msg, wrongs[k].msg);
        assert_int_equal(file.err.line, wrongs[k].line);
        assert_int_equal(file.err.col, wrongs[k].col);
        release(&file);
    }
}

static const char *const taken[] = {
    CALL(V, V, "(" V ") -> " V, SAME(V)),
    CALL(Z, Z, "(" Z ") -> " Z, SAME(Z)),
    // Sizes that are refined at the call, or at the function.
    CALL(V, O, "(" V ") -> " O, SAME(V)),
    CALL(V, V, "(" V ") -> " V, SAME(O)),
    CALL(O, V, "(" O ") -> " V, SAME("tensor<*xf32>")),
    CALL("tensor<2xf32, #sdy.x>", V, "(tensor<2xf32, #sdy.x>) -> " V, SAME(V)),
    // Of a function of several blocks nothing is known.
    CALL(V, W, "(" V ") -> " W,
         "func.func private @g(%a: " V ") -> " V " {\n  cf.br ^bb1\n^bb1:\n  return %a : " V
         "\n}\n"),
    PAIR(V, V, Z),
    PAIR("tensor<f64>", "tensor<f64>", "tensor<complex<f64>>"),
    PAIR(O, V, "tensor<?xcomplex<f32>>"),
    PAIR(O, O, Z),
    PAIR(V, V, "tensor<2xcomplex<f32>, #sdy.x>"),
};

static void test_taken(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
        struct file file;
        read_good(&file, taken[k]);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
