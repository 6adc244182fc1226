// SPDX-License-Identifier: Apache-2.0
// Texts of HLO whose second printing once differed from the first: each is printed, read and
// printed again.
#include "tests/unit/support/io_text.h"

// Each names one thing that a reader or the printer does.
static const struct {
    const char *text;    // behind "HloModule m"
    const char *part;    // of the output, or NULL
    const char *no_part; // not of the output
} texts[] = {
    // An element of a tuple keeps its metadata, and not the operation that gives the tuple.
    {"f { p = f32[] parameter(0)\n n = f32[] negate(p)\n ROOT t = (f32[]) tuple(n) }\n"
     "ENTRY e { x = f32[] parameter(0)\n c = (f32[]) call(x), to_apply=f\n"
     " ROOT g = f32[] get-tuple-element(c), index=0, metadata={op_name=\"g\"} }\n",
     "%g = f32[] get-tuple-element(%call.1), index=0, metadata={op_name=\"g\"}",
     "to_apply=%f, metadata"},
    // A tuple that stays in its place is one value, also as the root.
    {"ENTRY e { x = f32[] parameter(0)\n y = f32[] negate(x)\n"
     " ROOT t = (f32[]) tuple(y), control-predecessors={x} }\n",
     "ROOT %t = (f32[]) tuple(%y), control-predecessors={%x}", "%tuple"},
    // So does a parameter that comes after an instruction; a layout may stand behind a blank.
    {"ENTRY e { x = f32[2,2] {0,1} parameter(1)\n y = f32[2,2]{0,1} negate(f32[2,2] {0,1} x)\n"
     " ROOT p = f32[2,2] {0,1} parameter(0), control-predecessors={y}, metadata={op_name=\"p\"} "
     "}\n",
     "ROOT %p = f32[2,2]{0,1} parameter(0), control-predecessors={%y}, metadata={op_name=\"p\"}",
     "%p.1"},
    {"ENTRY e { x = f32[] parameter(1)\n"
     " p = (f32[2], f32[2] {0}) parameter(0), control-predecessors={x}\n"
     " ROOT g = f32[2] {0} get-tuple-element(p), index=1 }\n",
     "%p = (f32[2], f32[2]) parameter(0), control-predecessors={%x}", NULL},
    {"f { x = f32[] parameter(0)\n y = f32[] negate(x)\n"
     " ROOT p = f32[] parameter(1), control-predecessors={y} }\n"
     "ENTRY e { x = f32[] parameter(0)\n ROOT c = f32[] call(x, x), to_apply=f }\n",
     "ROOT %p = f32[] parameter(1), control-predecessors={%y}", NULL},
    // A predecessor is an instruction, whatever computation has its name.
    {"ENTRY x { x = f32[4] parameter(0)\n y = f32[4] parameter(1), control-predecessors={x}\n"
     " ROOT n = f32[4] negate(y) }\n",
     "%y = f32[4] parameter(1), control-predecessors={%x}", NULL},
    // A computation may be a function of a call, although a fold by it is an operator.
    {"ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " c = f32[] call(z, z), to_apply=f\n r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n"
     " ROOT a = f32[] add(c, r) }\n"
     "f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n d = f32[] negate(p)\n"
     " ROOT s = f32[] add(p, q) }\n",
     "\n%f (p: f32[], q: f32[]) -> f32[] {", "\n%f {"},
    {"f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " c = f32[] call(z, z), to_apply=f\n r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n"
     " ROOT a = f32[] add(c, r) }\n",
     "to_apply=%add_f32", "\n%f {"},
    // An operator stays one, whatever unused instructions of its computation name.
    {"g { p = f32[] parameter(0)\n ROOT n = f32[] negate(p) }\n"
     "f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
     " d = f32[] map(p), dimensions={}, to_apply=g\n ROOT s = f32[] add(p, q) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f }\n",
     "to_apply=%add_f32", "rankwright.region"},
    // Blanks are no part of a layout.
    {"ENTRY e { x = f32[2,3]{1, 0} parameter(0)\n"
     " ROOT n = f32[2,3]{ 0,1 :T(8, 128)} negate(x) }\n",
     "ROOT %n = f32[2,3]{0,1:T(8,128)} negate(%x)", "{1, 0}"},
    // A computation that a fold reads as an operator is one text at most, if a call that stays text
    // names it.
    {"f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n d = f32[] negate(p)\n"
     " ROOT s = f32[] add(p, q) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " c = f32[] call(z, z), to_apply=f, sharding={replicated}\n"
     " r = f32[] reduce(x, z), dimensions={0}, to_apply=f\n ROOT a = f32[] add(c, r) }\n",
     "to_apply=%add_f32", "\n%f {"},
    // A call of nothing.
    {"f { ROOT c = f32[] constant(1) }\n"
     "ENTRY e { ROOT a = f32[] call(), to_apply=f }\n",
     "ROOT %a = f32[] call(), to_apply=%f", NULL},
    // A fold that stays text keeps the computation.
    {"f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply=f, sharding={replicated} }\n",
     "\n%f {", "add_f32"},
    // Attributes of a window are any text.
    {"f { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] subtract(p, q) }\n"
     "ENTRY e { x = f32[4] parameter(0)\n z = f32[] constant(0)\n"
     " ROOT r = f32[3] reduce-window(x, z), window={\"> (is_stable = true\"}, to_apply=f }\n",
     "window={\"> (is_stable = true\"}, to_apply=%f\n", "is_stable=true"},
    // Strings of either quotes hold no operands, and no brackets.
    {"ENTRY e { x = f32[4] parameter(0)\n"
     " ROOT r = f32[3] custom-call(x), custom_call_target='\"%{0}', control-predecessors={x} }\n",
     "'\"%{0}', control-predecessors={%x}", NULL},
    {"ENTRY e { x = f32[2,3]{\"}\"} parameter(0)\n n = f32[2,3]{0,1:'{'} negate(x)\n"
     " ROOT r = f32[2,3] custom-call(x, n), custom_call_target=\"x\" }\n",
     "%n = f32[2,3]{0,1:'{'} negate(%x)", NULL},
    // What has an effect by the computations that it names stays in its place, whatever it is.
    {"impure { p = f32[] parameter(0)\n o = token[] outfeed(p, p)\n ROOT s = f32[] negate(p) }\n"
     "f { p = f32[] parameter(0)\n t = (f32[], f32[]) tuple(p, p)\n"
     " g = f32[] get-tuple-element(t), index=0, foo=%impure\n ROOT n = f32[] negate(g) }\n"
     "ENTRY e { x = f32[] parameter(0)\n ROOT c = f32[] call(x), to_apply=f }\n",
     "index=0, foo=%impure", NULL},
    {"impure { p = f32[] parameter(0)\n o = token[] outfeed(p, p)\n ROOT s = f32[] negate(p) }\n"
     "f { p = f32[2] parameter(0)\n ROOT d = f32[] dot(p, p), lhs_contracting_dims={0}, "
     "rhs_contracting_dims={0}, operand_precision={%impure} }\n"
     "ENTRY e { x = f32[2] parameter(0)\n ROOT c = f32[] call(x), to_apply=f }\n",
     "operand_precision={%impure}", NULL},
    {"f { p = f32[] parameter(0)\n o = token[] outfeed(p, p)\n ROOT n = f32[] add(p, p) }\n"
     "ENTRY e { x = f32[] parameter(0)\n"
     " ROOT t = (f32[], f32[]) tuple(x, x), to_apply=f }\n",
     "ROOT %t = (f32[], f32[]) tuple(%x, %x), to_apply=f", NULL},
    // Metadata name no computations.
    {"impure { p = f32[] parameter(0)\n o = token[] outfeed(p, p)\n ROOT s = f32[] negate(p) }\n"
     "f { p = f32[] parameter(0)\n d = f32[] sine(p), metadata={%impure}\n"
     " ROOT n = f32[] negate(p) }\n"
     "ENTRY e { x = f32[] parameter(0)\n ROOT c = f32[] call(x), to_apply=f }\n",
     "call(%x), to_apply=%f", NULL},
    // A parameter keeps what its attributes name.
    {"add { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, q) }\n"
     "ENTRY e { x = f32[] parameter(0), to_apply=add\n ROOT n = f32[] negate(x) }\n",
     "\n%add {", NULL},
    // The last computation is the entry, whatever its head.
    {"f (x: f32[]) -> f32[] { p = f32[] parameter(0)\n ROOT s = f32[] negate(p) }\n"
     "%e { x = f32[] parameter(0)\n ROOT n = f32[] negate(x) }\n",
     "ENTRY %e (x: f32[])", NULL},
    // A call gets the elements of a tuple, whatever instruction gives the tuple.
    {"f { p = f32[] parameter(0)\n t = (f32[], f32[]) tuple(p, p)\n"
     " u = ((f32[], f32[])) tuple(t)\n"
     " ROOT g = (f32[], f32[]) get-tuple-element(u), index=0 }\n"
     "ENTRY e { x = f32[] parameter(0)\n ROOT c = (f32[], f32[]) call(x), to_apply=f }\n",
     "ROOT %tuple.1 = (f32[], f32[]) tuple(%p, %p)", NULL},
    {"f { p = f32[] parameter(0)\n"
     " ROOT g = (f32[], f32[]) custom-call(p), custom_call_target=\"t\" }\n"
     "ENTRY e { x = f32[] parameter(0)\n ROOT c = (f32[], f32[]) call(x), to_apply=f }\n",
     "call(%x), to_apply=%f", "to_apply=f"},
    {"f { p = f32[2,3] parameter(0)\n n = f32[2,3]{0,1} negate(p)\n ROOT t = tuple(n, p) }\n"
     "ENTRY e { x = f32[2,3] parameter(0)\n"
     " ROOT b = (f32[2,3], f32[2,3]) call(x), to_apply=f }\n",
     "ROOT %tuple.1 = (f32[2,3], f32[2,3]) tuple(%copy.1, %p)", NULL},
    // A transpose that moves nothing has the default layout.
    {"f { p = f32[2,2] parameter(0)\n ROOT s = transpose(p), dimensions={0,1} }\n"
     "g { p = f32[2,2] parameter(0)\n ROOT s = transpose(p), dimensions={1,0} }\n"
     "ENTRY e { x = f32[2,2] parameter(0)\n c = f32[2,2] call(x), to_apply=f\n"
     " d = f32[2,2] call(x), to_apply=g\n ROOT a = f32[2,2] add(c, d) }\n",
     "call(%x), to_apply=%f", "to_apply=%g"},
    // Operations with one block may share it; a conditional and a loop have their own.
    {"c { p = f32[] parameter(0)\n ROOT n = f32[] negate(p) }\n"
     "d { p = f32[] parameter(0)\n ROOT n = f32[] sine(p) }\n"
     "g { x = f32[4] parameter(0)\n ROOT m = f32[4] map(x), dimensions={0}, to_apply=c }\n"
     "ENTRY e { x = f32[4] parameter(0)\n s = f32[] parameter(1)\n b = pred[] parameter(2)\n"
     " q = f32[4] call(x), to_apply=g\n"
     " i = f32[] conditional(b, s, s), true_computation=d, false_computation=c\n"
     " y = f32[4] broadcast(i), dimensions={}\n z = f32[4] add(y, q)\n"
     " ROOT m = f32[4] map(z), dimensions={0}, to_apply=c }\n",
     "ROOT %m = f32[4] map(%z), dimensions={0}, to_apply=%c", NULL},
    // A computation that only operations with blocks name is no text.
    {"%less { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
     " ROOT s = pred[] compare(p, q), direction=LT }\n"
     "ENTRY e { x = f32[4] parameter(0)\n"
     " ROOT u = f32[4] sort(x), dimensions={0}, to_apply=%less }\n",
     "to_apply=%less\n", "\n%less {"},
    // An instruction is pinned by its own computation.
    {"less { p = f32[] parameter(0)\n q = f32[] parameter(1)\n"
     " ROOT s = pred[] compare(p, q), direction=LT }\n"
     "f { p = f32[] parameter(0)\n s = f32[] negate(p)\n"
     " ROOT r = f32[] sine(p), control-predecessors={s} }\n"
     "ENTRY e { x = f32[4] parameter(0)\n"
     " ROOT s = f32[4] sort(x), dimensions={0}, to_apply=less }\n",
     "sort(%x), dimensions={0}, to_apply=%less\n", "\n%less {"},
};

static void one_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct buf text = {0};
        struct file file;
        buf_printf(&text, "HloModule m\n%s", texts[i].text);
        read_good(&file, buf_text(&text));
        if (texts[i].part != NULL)
            expect_text(&file, texts[i].part);
        if (texts[i].no_part != NULL)
            expect_no_text(&file, texts[i].no_part);
        release(&file);
        buf_release(&text);
    }
}

static const struct {
    const char *text;
    unsigned line, col;
    const char *msg;
} refused[] = {
    {"HloModule m, a=b, a=c\nENTRY e { ROOT x = f32[] parameter(0) }\n", 1, 19,
     "a second attribute of this name"},
    {"HloModule m\nENTRY e { x = f32[] parameter(0)\n a = f32[] negate(x)\n"
     "ROOT c = f32[] cosine(x), control-predecessors={a}, control-predecessors={x} }\n",
     4, 53, "a second attribute of this name"},
    {"HloModule m\nf { p = f32[2,3] parameter(0)\nROOT n = copy(p) }\n"
     "ENTRY e { x = f32[2,3] parameter(0)\nROOT a = f32[2,3] call(x), to_apply=f }\n",
     3, 10,
     "expected the shape of this operation: it is the root of a computation that others name"},
    // Without a shape, a fold by the second argument would become another operation.
    {"HloModule m\nf { p = f32[] parameter(0)\n ROOT q = f32[] parameter(1) }\n"
     "ENTRY e { x = f32[2] parameter(0)\n z = f32[] constant(0)\n"
     "ROOT a = reduce(x, z), dimensions={0}, to_apply=f }\n",
     6, 10, "expected the shape of this operation, found 'reduce'"},
    {"HloModule m\nf { p = f32[] parameter(0)\n ROOT s = sine(p) }\n"
     "ENTRY e { x = f32[] parameter(0)\nROOT a = f32[2] call(x), to_apply=f }\n",
     5, 10, "the computation gives another shape"},
};

static void no_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct file file;
        read_bytes(&file, refused[i].text, strlen(refused[i].text));
        assert_false(file.ok);
        assert_string_equal(file.err.msg, refused[i].msg);
        assert_int_equal(file.err.line, refused[i].line);
        assert_int_equal(file.err.col, refused[i].col);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_text),
        cmocka_unit_test(no_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
