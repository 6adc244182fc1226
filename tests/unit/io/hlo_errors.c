// SPDX-License-Identifier: Apache-2.0
// HLO text that is wrong: the message and its place.
#include "tests/unit/support/io_text.h"

#include "io/limits.h"

struct bad {
    const char *text;
    uint32_t line, col;
    const char *message;
};

#define ENTRY(body) "HloModule t\nENTRY e {\nx = f32[2] parameter(0)\n" body "}\n"

static const struct bad bads[] = {
    {"HloModule", 1, 10, "expected the module's name, found the end of the file"},
    {"HloModule t", 1, 12, "expected a computation, found the end of the file"},
    {"HloModule t\nENTRY e {\n", 2, 9, "bracket is not closed"},
    {"HloModule t\nENTRY e {\n}\n", 3, 1, "expected an instruction, found '}'"},
    {"HloModule t\nENTRY e (x {\n)", 3, 1, "this bracket closes another kind of bracket"},
    {"HloModule t\n)", 2, 1, "this bracket was never opened"},
    {ENTRY("y = f32[2] copy(x), a= {}, b=\n"), 5, 1, "expected a value, found '}'"},
    {ENTRY("y = f32[2] copy(x), a=b=c\n"), 4, 24,
     "expected an instruction such as %x = f32[] add(%a, %b), found '='"},
    {"HloModule t /* a", 1, 13, "comment is not closed"},
    {"HloModule t, a=\"b\n", 1, 16, "string is not closed"},
    {"HloModule t\n\x01", 2, 1, "unexpected character"},
    {ENTRY("y = f32[2] negate(z)\n"), 4, 19, "'z' is used before its definition"},
    {ENTRY("y = f32[3] negate(x)\n"), 4, 5, "expected the shape f32[2]"},
    {ENTRY("y = f32[2] negate(x, x)\n"), 4, 12, "expected 1 operands, found 2"},
    {ENTRY("y = f32[2] negate(f32[3] x)\n"), 4, 19, "the operand was defined with another shape"},
    {ENTRY("y = f32[2] negate(f32[3] abs(x))\n"), 4, 19, "expected the shape f32[2]"},
    {ENTRY("y = f32[2] negate(abs(z))\n"), 4, 23, "'z' is used before its definition"},
    {ENTRY("y = abs(f32[2] custom-call(x))\n"), 4, 16,
     "an instruction of this kind among operands: give it a line of its own"},
    {ENTRY("y = abs(f32[2] transpose(x))\n"), 4, 16,
     "transpose: expected 1 attribute values (rank 1), found 0"},
    {ENTRY("y = not(pred[2] compare(x, x))\n"), 4, 17, "this operation lacks a direction"},
    {ENTRY("y = abs(f32[] reduce(x, f32[] constant(0)))\n"), 4, 15,
     "an instruction of this kind among operands: give it a line of its own"},
    {ENTRY("y = f32[2] abs(f32[2] parameter(0))\n"), 4, 33,
     "expected the parameters to have the numbers from 0 on, each once"},
    {ENTRY("a = f32[2,3]{0,1} broadcast(x), dimensions={0}\ny = negate(a)\n"), 5, 5,
     "expected the shape of this operation: an operand has a layout of its own"},
    {ENTRY("y = reshape(x)\n"), 4, 5, "expected the shape of this operation, found 'reshape'"},
    {ENTRY("y = custom-call(x)\n"), 4, 5,
     "expected the shape of this operation, found 'custom-call'"},
    {ENTRY("y = f32[2] negate(x,)\n"), 4, 21, "expected an operand such as %x, found ')'"},
    {ENTRY("x = f32[2] negate(x)\n"), 4, 1, "an instruction of this name is defined already"},
    {ENTRY("y = q32[2] negate(x)\n"), 4, 5, "expected an element type such as f32, found 'q32'"},
    {ENTRY("y = f32[-2] negate(x)\n"), 4, 9, "expected a size, found a negative number"},
    {ENTRY("y = f32 negate(x)\n"), 4, 5, "expected a shape such as f32[2,3], found 'f32'"},
    {ENTRY("y = f32[2] negate x\n"), 4, 19, "expected '(' and the operands, found 'x'"},
    {ENTRY("y = f32[2] negate(x), a\n"), 5, 1, "expected '=', found '}'"},
    {ENTRY("y = f32[2] parameter(2)\n"), 4, 22,
     "expected the parameters to have the numbers from 0 on, each once"},
    {ENTRY("y = f32[2] parameter(0)\n"), 4, 22,
     "expected the parameters to have the numbers from 0 on, each once"},
    {ENTRY("y = f32[2] call(x), to_apply=f\n"), 4, 30, "no computation of this name"},
    {ENTRY("y = f32[2] call(x), to_apply=e\n"), 2, 7, "the entry computation is called"},
    {ENTRY("y = f32[2] custom-call(x), foo={%x}\n"), 4, 33, "no computation of this name"},
    {ENTRY("y = f32[2] constant({1})\n"), 4, 23, "expected ',', found '}'"},
    {ENTRY("y = f32[2] constant({1, 2, 3})\n"), 4, 26,
     "expected '}' behind the last element, found ','"},
    {ENTRY("y = f32[2] constant({1, b})\n"), 4, 25, "expected a number, found 'b'"},
    {ENTRY("y = f32[] constant(1e99)\n"), 4, 20, "the number is no value of f32"},
    {ENTRY("y = s8[] constant(200)\n"), 4, 19, "the number is no value of i8"},
    {ENTRY("y = u8[] constant(-1)\n"), 4, 19, "the number is no value of ui8"},
    {ENTRY("y = f32[] constant(nan(0x0))\n"), 4, 24, "expected the payload of a NaN"},
    {ENTRY("y = f32[1000000000000] constant({1})\n"), 4, 33, "expected more elements"},
    {ENTRY("y = f32[2] compare(x, x)\n"), 4, 12, NULL},
    {ENTRY("y = pred[2] compare(x, x)\n"), 4, 13, "this operation lacks a direction"},
    {ENTRY("y = pred[2] compare(x, x), direction=XX\n"), 4, 38,
     "expected a direction such as LT, found 'XX'"},
    {ENTRY("y = f32[1] slice(x), slice={[0:1}\n"), 4, 33,
     "this bracket closes another kind of bracket"},
    {ENTRY("y = f32[1] slice(x), slice={[0:5]}\n"), 4, 12, NULL},
    {ENTRY("z = f32[] constant(0)\ny = f32[4] pad(x, z), padding=1\n"), 5, 31,
     "expected paddings such as 0_1x0_0, found '1'"},
    {ENTRY("y = f32[2] transpose(x), dimensions={1}\n"), 4, 12, NULL},
    {ENTRY("y = f32[2] get-tuple-element(x)\n"), 4, 12, "this operation lacks its index"},
    {ENTRY("t = (f32[2]) tuple(x)\ny = f32[2] get-tuple-element(t), index=1\n"), 5, 40,
     "the tuple has 1 elements"},
    {ENTRY("t = (f32[3]) tuple(x)\n"), 4, 5, "element 0 has another shape"},
    {ENTRY("t = (f32[2], f32[2]) tuple(x)\n"), 4, 12,
     "expected ')': the tuple has no more elements, found ','"},
    {ENTRY("}\nENTRY f {\ny = f32[] parameter(0)\n"), 5, 7, "a second ENTRY"},
    {ENTRY("}\ne {\ny = f32[] parameter(0)\n"), 5, 1, "a second computation of this name"},
    {ENTRY("ROOT y = f32[2] abs(x)\nROOT z = f32[2] abs(x)\n"), 5, 22,
     "a second ROOT in one computation"},
};

static void every_bad_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        struct file file;
        read_bytes(&file, bads[i].text, strlen(bads[i].text));
        if (file.ok)
            fail_msg("accepted: %s", bads[i].text);
        if (file.err.line != bads[i].line || file.err.col != bads[i].col ||
            (bads[i].message != NULL && strcmp(file.err.msg, bads[i].message) != 0))
            fail_msg("%u:%u: %s\nin: %s", file.err.line, file.err.col, file.err.msg, bads[i].text);
        release(&file);
    }
}

// Brackets nest as deep as a limit allows, and no deeper.
static void deep_brackets(void **state)
{
    (void)state;
    for (unsigned depth = IO_HLO_DEPTH - 3; depth <= IO_HLO_DEPTH + 3; depth++) {
        struct file file;
        struct buf buf = {0};
        buf_puts(&buf, "HloModule t\nENTRY e {\n  ROOT x = ");
        for (unsigned k = 0; k < depth; k++)
            buf_putc(&buf, '(');
        buf_puts(&buf, "f32[]");
        for (unsigned k = 0; k < depth; k++)
            buf_putc(&buf, ')');
        buf_puts(&buf, " parameter(0)\n}\n");
        read_bytes(&file, buf_text(&buf), buf.len);
        // one for the computation, one for the sizes
        assert_int_equal(file.ok, depth + 2 <= IO_HLO_DEPTH);
        release(&file);
        buf_release(&buf);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bad_text),
        cmocka_unit_test(deep_brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
