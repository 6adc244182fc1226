// SPDX-License-Identifier: Apache-2.0
// Programs in the text that they were read from: what stays has its bytes, other statements go,
// and names in sight differ.
#include "tests/unit/support/io_text.h"

#define V "tensor<2xf32>"
#define S "tensor<i32>"

struct sample {
    const char *in, *out; // NULL: the same
};

static const struct sample samples[] = {
    // Blanks, comments, types without blanks; no line end at the end.
    {"// first\n\nfunc.func @f(%x: " V ")->" V "{ // body\n"
     "\t%a = stablehlo.abs    %x:" V " // \"quoted\n\n  // second\n"
     "  %b = \"stablehlo.negate\"( %a ) : (" V ")->" V " loc(\"n\")\n"
     "  return %b:" V "\n} // last",
     NULL},
    // Constants of a loop's condition and of a loop inside: each stays where it stood, though they
    // are one term, and no constant comes to stand between.
    {"func.func @main(%x: " S ") -> " S " {\n"
     "  %0 = stablehlo.while(%i = %x) : " S "\n"
     "  cond {\n"
     "    %c = stablehlo.constant dense<3> : " S "\n"
     "    %1 = stablehlo.compare LT, %i, %c : (" S ", " S ") -> tensor<i1>\n"
     "    stablehlo.return %1 : tensor<i1>\n"
     "  } do {\n"
     "    %2 = stablehlo.while(%j = %i) : " S "\n"
     "    cond {\n"
     "      %c_0 = stablehlo.constant dense<3> : " S "\n"
     "      %3 = stablehlo.compare LT, %j, %c_0 : (" S ", " S ") -> tensor<i1>\n"
     "      stablehlo.return %3 : tensor<i1>\n"
     "    } do {\n"
     "      %4 = stablehlo.multiply %j, %x : " S "\n"
     "      stablehlo.return %4 : " S "\n"
     "    }\n"
     "    stablehlo.return %2 : " S "\n"
     "  }\n"
     "  return %0 : " S "\n"
     "}\n",
     NULL},
    // One line for all.
    {"func.func @f(%x: " V ") -> " V " { return %x : " V " }", NULL},
    {"func.func @f(%x: " V ") -> " V " { %a = stablehlo.abs %x : " V " return %a : " V " }",
     "func.func @f(%x: " V ") -> " V " {\n  %a = stablehlo.abs %x : " V "\n  return %a : " V " }"},
    // What nothing needs goes; comments stay.
    {"func.func @f(%x: " V ") -> " V " {\n  // one\n  %a = stablehlo.abs %x : " V "\n\n"
     "  // two\n  %b = stablehlo.sine %x : " V "\n  return %b : " V "\n}\n",
     "func.func @f(%x: " V ") -> " V " {\n  // one\n\n  // two\n"
     "  %b = stablehlo.sine %x : " V "\n  return %b : " V "\n}\n"},
    // The second of two equal values goes: the first one is used.
    {"func.func @f(%x: " V ") -> (" V ", " V ") {\n  %a = stablehlo.abs %x : " V "\n"
     "  %b = \"stablehlo.abs\"(%x) : (" V ") -> " V "\n"
     "  %c = stablehlo.sine %b : " V "\n  return %a, %c : " V ", " V "\n}\n",
     "func.func @f(%x: " V ") -> (" V ", " V ") {\n  %a = stablehlo.abs %x : " V "\n"
     "  %c = stablehlo.sine %a : " V "\n  return %a, %c : " V ", " V "\n}\n"},
    // Groups of names, results without a name, regions that stay text.
    {"func.func @f(%x: " V ") -> " V " {\n"
     "  %p:2, %q = stablehlo.custom_call @g(%x) : (" V ") -> (" V ", " V ", " V ")\n"
     "  stablehlo.custom_call @h(%p#1, %q) : (" V ", " V ") -> " V "\n"
     "  %r = \"a.op\"(%q) ({\n  ^bb0(%i: " V "):\n    %p1 = \"a.in\"(%i, %p#0) : (" V ", " V
     ") -> " V "\n     \"a.end\"(%p1) : (" V ") -> ()\n  }) : (" V ") -> " V "\n"
     "  return %r : " V "\n}\n",
     NULL},
    // Resources stay where a text that stays has them.
    {"func.func @f() -> tensor<1xi8> {\n"
     "  %c = stablehlo.constant dense_resource<r> : tensor<1xi8>\n"
     "  return %c : tensor<1xi8>\n}\n"
     "{-#\n  dialect_resources: { builtin: { r: \"0x0100000007\" } }\n#-}\n",
     NULL},
    {"func.func @f(%x: " V ") -> " V " {\n"
     "  %c = stablehlo.constant dense_resource<r> : tensor<1xi8>\n"
     "  return %x : " V "\n}\n"
     "{-#\n  dialect_resources: { builtin: { r: \"0x0100000007\" } }\n#-}\n",
     "func.func @f(%x: " V ") -> " V " {\n  return %x : " V "\n}\n"},
    // What nothing uses stays in the text of a reducer, unless it needs what stands elsewhere.
    {"func.func @f(%x: " V ", %i: tensor<f32>) -> tensor<f32> {\n"
     "  %r = stablehlo.reduce(%x init: %i) across dimensions = [0] : (" V
     ", tensor<f32>) -> tensor<f32>\n"
     "   reducer(%a: tensor<f32>, %b: tensor<f32>) {\n"
     "    %d = stablehlo.sine %a : tensor<f32>\n"
     "    %c = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %c : tensor<f32>\n"
     "  }\n  return %r : tensor<f32>\n}\n",
     NULL},
    {"func.func @f(%x: " V ", %i: tensor<f32>) -> tensor<f32> {\n"
     "  %r = stablehlo.reduce(%x init: %i) across dimensions = [0] : (" V
     ", tensor<f32>) -> tensor<f32>\n"
     "   reducer(%a: tensor<f32>, %b: tensor<f32>) {\n"
     "    %d = stablehlo.sine %i : tensor<f32>\n"
     "    %c = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %c : tensor<f32>\n"
     "  }\n  return %r : tensor<f32>\n}\n",
     "func.func @f(%x: " V ", %i: tensor<f32>) -> tensor<f32> {\n"
     "  %r = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (" V
     ", tensor<f32>) -> tensor<f32>\n"
     "  return %r : tensor<f32>\n}\n"},
    // Aliases; two parts of one file.
    {"#d = array<i64: 1, 0>\n!t = tensor<2x2xf32>\n"
     "func.func @f(%x: !t) -> !t {\n  %a = \"stablehlo.transpose\"(%x) <{permutation = #d}> : "
     "(!t) -> !t\n  return %a : !t\n}\n// -----\n#d = array<i64: 0, 1>\n"
     "func.func @f(%x: tensor<f32>) -> tensor<f32> {\n  return %x : tensor<f32>\n}\n",
     NULL},
    // Both regions have the names; a statement that moves out of them has one that is free.
    {"func.func @f(%i: tensor<i32>, %x: " V ") -> " V " {\n"
     "  %r = \"stablehlo.case\"(%i) ({\n    %a = stablehlo.abs %x : " V "\n"
     "    %b = stablehlo.sine %a : " V "\n    stablehlo.return %b : " V "\n  }, {\n"
     "    %a = stablehlo.sine %x : " V "\n    %c = stablehlo.abs %x : " V "\n"
     "    %b = stablehlo.add %a, %c : " V "\n    stablehlo.return %b : " V "\n"
     "  }) : (tensor<i32>) -> " V "\n  return %r : " V "\n}\n",
     "func.func @f(%i: tensor<i32>, %x: " V ") -> " V " {\n"
     "  %a = stablehlo.abs %x : " V "\n"
     "  %r = \"stablehlo.case\"(%i) ({\n"
     "    %b = stablehlo.sine %a : " V "\n    stablehlo.return %b : " V "\n  }, {\n"
     "    %a_1 = stablehlo.sine %x : " V "\n"
     "    %b = stablehlo.add %a_1, %a : " V "\n    stablehlo.return %b : " V "\n"
     "  }) : (tensor<i32>) -> " V "\n  return %r : " V "\n}\n"},
};

static void own_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        struct file file;
        struct buf own = {0};
        read_good(&file, samples[i].in); // the text is that of an equal program
        print_source(samples[i].in, &own);
        assert_string_equal(buf_text(&own),
                            samples[i].out != NULL ? samples[i].out : samples[i].in);
        buf_release(&own);
        release(&file);
    }
}

// The regions that were read as reducers are counted as those that a record names.
static void reducers(void **state)
{
    (void)state;
    static const char text[] =
        "func.func @f(%x: " V ", %i: tensor<f32>) -> tensor<f32> {\n"
        "  %r = stablehlo.reduce(%x init: %i) across dimensions = [0] : (" V
        ", tensor<f32>) -> tensor<f32>\n"
        "   reducer(%a: tensor<f32>, %b: tensor<f32>) {\n"
        "    %c = stablehlo.add %a, %b : tensor<f32>\n    stablehlo.return %c : tensor<f32>\n"
        "  }\n  return %r : tensor<f32>\n}\n";
    struct file file = {0};
    struct u32_vec regions = {0};
    pool_init(&file.pool);
    program_init(&file.program, &file.pool);
    file.program.source = source_new(text, strlen(text));
    assert_true(program_text_read(text, strlen(text), "t.mlir", &file.program, &file.err));
    program_text_print_regions(&file.program, &file.text, &regions);
    assert_string_equal(buf_text(&file.text), text);
    assert_int_equal(regions.len, 1);
    assert_int_equal(regions.at[0], NO_REGION);
    struct program again;
    program_init(&again, &file.pool);
    struct output_of output_of = {&file.program, &regions};
    assert_true(
        program_text_read_output(text, strlen(text), "t.mlir", &output_of, &again, &file.err));
    assert_int_equal(again.terms.region.len, 0);
    program_release(&again);
    vec_release(&regions);
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_texts), cmocka_unit_test(reducers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
