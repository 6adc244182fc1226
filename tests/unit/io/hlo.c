// SPDX-License-Identifier: Apache-2.0
// HLO text: every operator in and out, computations, layouts, constants, opaque
// instructions and effects.
#include "tests/unit/support/io_text.h"

#define X "f32[2,3]"

struct instruction {
    const char *text; // behind "r = "
    enum op op;       // OP_OPAQUE: no term
    const char *out;  // part of the output; NULL: as the text, but for '%'
};

// The parameters of every text.
static const char parameters[] = "  x = f32[2,3] parameter(0)\n"
                                 "  y = f32[2,3] parameter(1)\n"
                                 "  p = pred[2,3] parameter(2)\n"
                                 "  i = s32[2,3] parameter(3)\n"
                                 "  s = f32[] parameter(4)\n"
                                 "  v = f32[3] parameter(5)\n"
                                 "  k = s32[] parameter(6)\n"
                                 "  u = u8[2,3] parameter(7)\n"
                                 "  z = c64[2] parameter(8)\n"
                                 "  a = f32[1,8,8,4] parameter(9)\n"
                                 "  w = f32[3,3,2,6] parameter(10)\n"
                                 "  q = pred[] parameter(11)\n"
                                 "  h = bf16[2,3] parameter(12)\n"
                                 "  j = s32[4,1] parameter(13)\n"
                                 "  o = f32[1,3] parameter(14)\n";

static const char computations[] =
    "plus {\n  m = f32[] parameter(0)\n  n = f32[] parameter(1)\n"
    "  ROOT r = f32[] add(n, m), metadata={op_name=\"plus\"}\n}\n"
    "most {\n  m = f32[] parameter(0)\n  n = f32[] parameter(1)\n  ROOT r = f32[] maximum(m, "
    "n)\n}\n"
    "last {\n  m = f32[] parameter(0)\n  ROOT n = f32[] parameter(1)\n}\n"
    "odd {\n  m = f32[] parameter(0)\n  n = f32[] parameter(1)\n  ROOT r = f32[] subtract(m, "
    "n)\n}\n"
    "less {\n  m = f32[] parameter(0)\n  n = f32[] parameter(1)\n"
    "  ROOT r = pred[] compare(m, n), direction=LT\n}\n"
    "twice {\n  m = f32[2,3] parameter(0)\n  ROOT r = f32[2,3] add(m, m)\n}\n";

static void read_instruction(struct file *file, const char *text)
{
    struct buf buf = {0};
    buf_printf(&buf, "HloModule t\n\n%sENTRY e {\n%s  ROOT r = %s\n}\n", computations, parameters,
               text);
    read_good(file, buf_text(&buf));
    buf_release(&buf);
}

static const struct instruction instructions[] = {
    {X " abs(x)", OP_ABS, "= " X " abs(%x)"},
    {X " cbrt(x)", OP_CBRT, "cbrt(%x)"},
    {X " ceil(x)", OP_CEIL, "ceil(%x)"},
    {X " cosine(x)", OP_COSINE, "cosine(%x)"},
    {"s32[2,3] count-leading-zeros(i)", OP_COUNT_LEADING_ZEROS, "count-leading-zeros(%i)"},
    {X " erf(x)", OP_ERF, "erf(%x)"},
    {X " exponential(x)", OP_EXPONENTIAL, "exponential(%x)"},
    {X " exponential-minus-one(x)", OP_EXPONENTIAL_MINUS_ONE, "exponential-minus-one(%x)"},
    {X " floor(x)", OP_FLOOR, "floor(%x)"},
    {X " imag(x)", OP_IMAG, "imag(%x)"},
    {X " log(x)", OP_LOG, "log(%x)"},
    {X " log-plus-one(x)", OP_LOG_PLUS_ONE, "log-plus-one(%x)"},
    {X " logistic(x)", OP_LOGISTIC, "logistic(%x)"},
    {X " negate(x)", OP_NEGATE, "negate(%x)"},
    {"pred[2,3] not(p)", OP_NOT, "pred[2,3] not(%p)"},
    {"u8[2,3] popcnt(u)", OP_POPCNT, "u8[2,3] popcnt(%u)"},
    {X " real(x)", OP_REAL, "real(%x)"},
    {X " round-nearest-afz(x)", OP_ROUND_NEAREST_AFZ, "round-nearest-afz(%x)"},
    {X " round-nearest-even(x)", OP_ROUND_NEAREST_EVEN, "round-nearest-even(%x)"},
    {X " rsqrt(x)", OP_RSQRT, "rsqrt(%x)"},
    {X " sign(x)", OP_SIGN, "sign(%x)"},
    {X " sine(x)", OP_SINE, "sine(%x)"},
    {X " sqrt(x)", OP_SQRT, "sqrt(%x)"},
    {X " tan(x)", OP_TAN, "tan(%x)"},
    {X " tanh(x)", OP_TANH, "tanh(%x)"},
    {X " add(x, y)", OP_ADD, "add(%x, %y)"},
    {"pred[2,3] and(p, p)", OP_AND, "and(%p, %p)"},
    {X " atan2(x, y)", OP_ATAN2, "atan2(%x, %y)"},
    {"u8[2,3] divide(u, u)", OP_DIVIDE, "divide(%u, %u)"},
    {X " maximum(x, y)", OP_MAXIMUM, "maximum(%x, %y)"},
    {X " minimum(x, y)", OP_MINIMUM, "minimum(%x, %y)"},
    {"bf16[2,3] multiply(h, h)", OP_MULTIPLY, "bf16[2,3] multiply(%h, %h)"},
    {"s32[2,3] or(i, i)", OP_OR, "or(%i, %i)"},
    {X " power(x, y)", OP_POWER, "power(%x, %y)"},
    {"s32[2,3] remainder(i, i)", OP_REMAINDER, "remainder(%i, %i)"},
    {"s32[2,3] shift-left(i, i)", OP_SHIFT_LEFT, "shift-left(%i, %i)"},
    {"s32[2,3] shift-right-arithmetic(i, i)", OP_SHIFT_RIGHT_ARITHMETIC,
     "shift-right-arithmetic(%i, %i)"},
    {"s32[2,3] shift-right-logical(i, i)", OP_SHIFT_RIGHT_LOGICAL, "shift-right-logical(%i, %i)"},
    {X " subtract(x, y)", OP_SUBTRACT, "subtract(%x, %y)"},
    {"pred[2,3] xor(p, p)", OP_XOR, "xor(%p, %p)"},
    {"pred[2,3] is-finite(x)", OP_IS_FINITE, "is-finite(%x)"},
    {"pred[2,3] compare(x, y), direction=LE", OP_COMPARE, "compare(%x, %y), direction=LE\n"},
    {"pred[2,3] compare(x, y), direction=GT, type=TOTALORDER", OP_COMPARE,
     "direction=GT, type=TOTALORDER"},
    {X " select(p, x, y)", OP_SELECT, "select(%p, %x, %y)"},
    {X " clamp(x, y, x)", OP_CLAMP, "clamp(%x, %y, %x)"},
    {"s32[2,3] convert(x)", OP_CONVERT, "s32[2,3] convert(%x)"},
    {"s4[2,3] convert(u)", OP_CONVERT, "s4[2,3] convert(%u)"},
    {"s32[2,3] bitcast-convert(x)", OP_BITCAST_CONVERT, "bitcast-convert(%x)"},
    {"f32[3,2] reshape(x)", OP_RESHAPE, "f32[3,2] reshape(%x)"},
    {"f32[3,2] transpose(x), dimensions={1,0}", OP_TRANSPOSE, "transpose(%x), dimensions={1,0}"},
    {"f32[2,3] broadcast(v), dimensions={1}", OP_BROADCAST_IN_DIM, "broadcast(%v), dimensions={1}"},
    {"f32[2] broadcast(s), dimensions={}", OP_BROADCAST_IN_DIM, "broadcast(%s), dimensions={}"},
    {X " reverse(x), dimensions={1}", OP_REVERSE, "reverse(%x), dimensions={1}"},
    {"f32[1,2] slice(x), slice={[1:2], [0:3:2]}", OP_SLICE, "slice={[1:2], [0:3:2]}"},
    {"f32[4,7] pad(x, s), padding=1_1x0_2_1", OP_PAD, "padding=1_1x0_2_1"},
    {"f32[2,2] pad(x, s), padding=0_0x-1_0", OP_PAD, "padding=0_0x-1_0"},
    {"f32[4,3] concatenate(x, y), dimensions={0}", OP_CONCATENATE,
     "concatenate(%x, %y), dimensions={0}"},
    {"s32[5] iota(), iota_dimension=0", OP_IOTA, "s32[5] iota(), iota_dimension=0"},
    {"f32[2] reduce(x, s), dimensions={1}, to_apply=plus", OP_REDUCE,
     "reduce(%x, %s), dimensions={1}, to_apply=%add_f32"},
    {"f32[] reduce(x, s), dimensions={1,0}, to_apply=most", OP_REDUCE,
     "dimensions={0,1}, to_apply=%maximum_f32"},
    {"f32[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}", OP_DOT_GENERAL,
     "lhs_contracting_dims={1}, rhs_contracting_dims={1}"},
    {"f32[2] dot(x, y), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, "
     "rhs_contracting_dims={1}, operand_precision={default,default}",
     OP_DOT_GENERAL, "rhs_batch_dims={0}, rhs_contracting_dims={1}\n"},
    {"f32[1,4,4,6] convolution(a, w), window={size=3x3 stride=2x2 pad=0_1x1_0}, "
     "dim_labels=b01f_01io->b01f, feature_group_count=2",
     OP_CONVOLUTION,
     "window={size=3x3 stride=2x2 pad=0_1x1_0}, dim_labels=b01f_01io->b01f, "
     "feature_group_count=2"},
    {"f32[6,13,1,2] convolution(a, w), window={size=3x3 lhs_dilate=2x1 rhs_dilate=1x3 "
     "rhs_reversal=1x0 pad=0_0x0_0}, dim_labels=b01f_01io->f0b1, feature_group_count=2",
     OP_CONVOLUTION,
     "{size=3x3 lhs_dilate=2x1 rhs_dilate=1x3 rhs_reversal=1x0}, dim_labels=b01f_01io->f0b1"},
    {"f32[2,2] reduce-window(x, s), window={size=1x2}, to_apply=plus", OP_REDUCE_WINDOW,
     "window={size=1x2}, to_apply=%add_f32"},
    {"f32[1,3] reduce-window(x, s), window={size=2x2 stride=1x2 pad=0_0x1_1 lhs_dilate=1x2 "
     "rhs_dilate=1x2}, to_apply=plus",
     OP_REDUCE_WINDOW, "stride=1x2 pad=0_0x1_1 lhs_dilate=1x2 rhs_dilate=1x2}"},
    {"f32[1,2] dynamic-slice(x, k, k), dynamic_slice_sizes={1,2}", OP_DYNAMIC_SLICE,
     "dynamic-slice(%x, %k, %k), dynamic_slice_sizes={1,2}"},
    {X " dynamic-update-slice(x, y, k, k)", OP_DYNAMIC_UPDATE_SLICE,
     "dynamic-update-slice(%x, %y, %k, %k)"},
    {"f32[4,3] gather(x, j), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, "
     "index_vector_dim=1, slice_sizes={1,3}, indices_are_sorted=true",
     OP_GATHER, "index_vector_dim=1, slice_sizes={1,3}, indices_are_sorted=true"},
    {X " scatter(x, j, r4), update_window_dims={1}, inserted_window_dims={0}, "
       "scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=last",
     OP_SCATTER, "unique_indices=true, to_apply=%second_f32"},
    // More than a term holds, or no operator of the table.
    {X " add(x, y), sharding={replicated}", OP_OPAQUE, "add(%x, %y), sharding={replicated}"},
    // Values of several parts, with blanks between them.
    {X " all-reduce(x), replica_groups=mesh['a'=2,'b'=4] {'a','b':(1)2}, to_apply=plus", OP_OPAQUE,
     "replica_groups=mesh['a'=2,'b'=4] {'a','b':(1)2}, to_apply="},
    {X " all-reduce(x), replica_groups=mesh['a'=2], device_ids=([2]T(0)) {'a'}, to_apply=plus",
     OP_OPAQUE, "replica_groups=mesh['a'=2], device_ids=([2]T(0)) {'a'}, to_apply="},
    {X " all-reduce(x), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=plus", OP_OPAQUE,
     "replica_groups=[2,4]<=[4,2]T(1,0), to_apply="},
    {X " all-reduce(x), replica_groups=[2,4] <= [4,2]T(1,0), to_apply=plus", OP_OPAQUE,
     "replica_groups=[2,4] <= [4,2]T(1,0), to_apply="},
    {X " dot(x, y), sparsity=L.1@2:4, sharding={mesh['a'=2], [{'a':(2)2, ?}], replicated={}}",
     OP_OPAQUE, "sparsity=L.1@2:4, sharding={mesh['a'=2], [{'a':(2)2, ?}], replicated={}}"},
    {"f32[2,2] dot(h, h), lhs_contracting_dims={1}, rhs_contracting_dims={1}", OP_OPAQUE,
     "dot(%h, %h)"},
    {"f32[2,2] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={1}, "
     "operand_precision={highest,highest}",
     OP_OPAQUE, "operand_precision={highest,highest}"},
    {"f32[2] reduce(x, s), dimensions={1}, to_apply=odd", OP_OPAQUE,
     "%odd (parameter.1: f32[], parameter.2: f32[]) -> f32[] {"},
    {"c64[2] add(z, z)", OP_OPAQUE, "c64[2] add(%z, %z)"},
    {"f32[2] real(z)", OP_OPAQUE, "f32[2] real(%z)"},
    {"f32[3] sort(v), dimensions={0}, to_apply=less", OP_OPAQUE, "dimensions={0}, to_apply=%less"},
    {"f32[3] map(v, v), dimensions={0}, to_apply=odd", OP_OPAQUE,
     "map(%v, %v), dimensions={0}, to_apply=%odd"},
    // A layout of its own, or an attribute: it stays text.
    {"f32[2,3]{0,1} sort(x), dimensions={0}, to_apply=less", OP_OPAQUE, "to_apply=less"},
    {"f32[3] sort(v), dimensions={0}, to_apply=less, sharding={replicated}", OP_OPAQUE,
     "to_apply=less, sharding={replicated}"},
    {"f32[2,3] fusion(x), kind=kCustom, calls=twice", OP_OPAQUE, "%twice {\n  m = f32[2,3]"},
    {"f32[2,3] fusion(x), kind=kLoop, calls=twice", OP_OPAQUE,
     "fusion(%x), kind=kLoop, calls=%twice\n"},
    {"f32[2,3] call(x), to_apply=twice", OP_OPAQUE,
     "\n%twice (m: f32[2,3]) -> f32[2,3] {\n  %m = f32[2,3]"},
    {"f32[2,3] copy(x)", OP_OPAQUE, "copy(%x)"},
    {"f32[6] bitcast(x)", OP_OPAQUE, "bitcast(%x)"},
    {"f8e4m3fn[2,3] convert(x)", OP_OPAQUE, "f8e4m3fn[2,3] convert(%x)"},
    {"(f32[2,3], u8[]) custom-call(x), custom_call_target=\"f(%{0})\", "
     "backend_config={\"a\":[\"}\"]}",
     OP_OPAQUE, "custom_call_target=\"f(%{0})\", backend_config={\"a\":[\"}\"]}"},
};

static void every_instruction(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++) {
        const struct instruction *at = &instructions[i];
        struct file file;
        struct buf text = {0};
        // A value of scatter's updates.
        const char *updates = strstr(at->text, "r4");
        if (updates != NULL)
            buf_printf(&text, "f32[4,3] broadcast(v), dimensions={1}\n  ROOT rr = %s", at->text);
        else
            buf_puts(&text, at->text);
        if (updates != NULL) {
            struct buf whole = {0};
            buf_printf(&whole, "HloModule t\n%sENTRY e {\n%s  r4 = %s\n}\n", computations,
                       parameters, buf_text(&text));
            read_good(&file, buf_text(&whole));
            buf_release(&whole);
        } else {
            read_instruction(&file, buf_text(&text));
        }
        uint32_t last = file.program.functions.len - 1;
        if (result_op(&file, last, 0) != at->op)
            fail_msg("%s is %s", at->text, op_name(result_op(&file, last, 0)));
        if (at->out != NULL)
            expect_text(&file, at->out);
        buf_release(&text);
        release(&file);
    }
}

// --- constants -------------------------------------------------------------

struct constant {
    const char *text, *out; // behind "r = "; NULL: as the text
};

static const struct constant constants[] = {
    {"f32[] constant(1.5)", NULL},
    {"f32[] constant(-0.0)", NULL},
    {"f32[] constant(-0)", "f32[] constant(0)"}, // as XLA reads it
    {"bf16[2] constant({-00, -0.0})", "bf16[2] constant({0, -0.0})"},
    {"f32[] constant(1e-30)", NULL},
    {"f32[] constant(inf)", NULL},
    {"f32[] constant(-inf)", NULL},
    {"f32[] constant(nan)", NULL},
    {"f32[] constant(-nan)", NULL},
    {"f32[] constant(nan(0x123))", NULL},
    {"f64[] constant(0.1)", NULL},
    {"bf16[] constant(1.1)", "bf16[] constant(1.10156)"},
    {"f16[] constant(65504)", NULL},
    {"pred[] constant(1)", "pred[] constant(true)"},
    {"pred[2] constant({0, true})", "pred[2] constant({false, true})"},
    {"s4[] constant(-8)", NULL},
    {"u64[] constant(18446744073709551615)", NULL},
    {"s64[] constant(-9223372036854775808)", NULL},
    {"s32[2] constant({/*i0=0*/ 1, /*i0=1*/ 2})", "s32[2] constant({1, 2})"},
    {"s32[2,2,1] constant({ { {1}, {2} }, { {3}, {4} } })", NULL},
    {"s32[1,1] constant({ {7} })", NULL},
    {"f32[0] constant({})", "f32[0] broadcast(%constant.1), dimensions={}"},
    {"s32[3] constant({5, 5, 5})", "%constant.1 = s32[] constant(5)"},
    {"c64[2] constant({(1, 2), (0, -inf)})", NULL},
    {"f8e5m2[] constant(2)", NULL},
};

static void every_constant(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
        struct file file;
        read_instruction(&file, constants[i].text);
        expect_text(&file, constants[i].out != NULL ? constants[i].out : constants[i].text);
        release(&file);
    }
}

// The broadcast of a constant is the constant, however it was written.
static void splats_are_one_term(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nENTRY e {\n  a = s32[3] constant({5, 5, 5})\n"
                     "  five = s32[] constant(5)\n  b = s32[3] broadcast(five), dimensions={}\n"
                     "  ROOT r = (s32[3], s32[3]) tuple(a, b)\n}\n");
    assert_int_equal(result_of(&file, 0, 0).v, result_of(&file, 0, 1).v);
    assert_int_equal(result_op(&file, 0, 0), OP_CONSTANT);
    release(&file);
    // A scalar that is used by itself, too, is printed once.
    read_good(&file, "HloModule t\nENTRY e {\n  five = s32[] constant(5)\n"
                     "  b = s32[3] broadcast(five), dimensions={}\n"
                     "  ROOT r = (s32[3], s32[]) tuple(b, five)\n}\n");
    expect_text(&file, "%five = s32[] constant(5)\n  %b = s32[3] broadcast(%five)");
    release(&file);
}

// --- helpers ---------------------------------------------------------------

// A term that HLO has no instruction for is read back as the same term (read_good), and only
// if the marked text has its meaning.
static void helpers(void **state)
{
    (void)state;
    struct file file;
    read_instruction(&file, X " broadcast(o), dimensions={0,1}");
    assert_int_equal(result_op(&file, file.program.functions.len - 1, 0), OP_BROADCAST_IN_DIM);
    expect_text(&file, "= f32[3] reshape(%o), metadata={op_name=\"rankwright.helper 0,1\"}");
    expect_text(&file, "dimensions={1}");
    release(&file);
    read_instruction(&file, X " select(q, x, y)");
    expect_text(&file, "= pred[2,3] broadcast(%q), dimensions={}, metadata={op_name=\"rank");
    release(&file);
    read_instruction(&file, X " clamp(s, x, y)");
    expect_text(&file, "= f32[2,3] broadcast(%s), dimensions={}, metadata={op_name=\"rank");
    release(&file);
}

static void wrong_helpers(void **state)
{
    static const char *const texts[] = {
        // other axes than the mark says
        "f32[3] reshape(o), metadata={op_name=\"rankwright.helper 1,0\"}\n"
        "  ROOT rr = f32[2,3] broadcast(r), dimensions={1}",
        // no axis of size 1
        "f32[6] reshape(x), metadata={op_name=\"rankwright.helper 0,1\"}\n"
        "  ROOT rr = f32[2,6] broadcast(r), dimensions={1}",
        "f32[3] reshape(o), metadata={op_name=\"rankwright.helper 0,1,x\"}\n"
        "  ROOT rr = f32[2,3] broadcast(r), dimensions={1}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct file file;
        struct buf buf = {0};
        buf_printf(&buf, "HloModule t\n\nENTRY e {\n%s  r = %s\n}\n", parameters, texts[i]);
        read_good(&file, buf_text(&buf));
        term_id root = result_of(&file, 0, 0);
        assert_int_equal(term_op(&file.program.terms, root), OP_BROADCAST_IN_DIM);
        assert_int_equal(term_op(&file.program.terms, term_args(&file.program.terms, root)[0]),
                         OP_RESHAPE);
        buf_release(&buf);
        release(&file);
    }
}

// --- layouts ---------------------------------------------------------------

// The layout in which an opaque instruction takes an operand is a part of it.
static void operands_have_layouts(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\nENTRY e {\n  x = f32[2,3]{0,1} parameter(0)\n"
                     "  a = f32[2,3]{1,0} copy(x), metadata={op_name=\"rankwright.helper\"}\n"
                     "  b = f32[6]{0} bitcast(x)\n  c = f32[6]{0} bitcast(a)\n"
                     "  ROOT r = (f32[6], f32[6]) tuple(b, c)\n}\n");
    assert_int_not_equal(result_of(&file, 0, 0).v, result_of(&file, 0, 1).v);
    expect_text(&file, "bitcast(%x)");
    expect_text(&file, "bitcast(%copy.1)");
    release(&file);
    // A copy that is not marked is an operation.
    read_good(&file, "HloModule t\nENTRY e {\n  x = f32[2,3]{0,1} parameter(0)\n"
                     "  ROOT a = f32[2,3]{1,0:S(5)} copy(x)\n}\n");
    assert_int_equal(result_op(&file, 0, 0), OP_OPAQUE);
    expect_text(&file, "ROOT %a = f32[2,3]{1,0:S(5)} copy(%x)");
    release(&file);
}

static void roots_have_layouts(void **state)
{
    (void)state;
    struct file file;
    read_good(&file,
              "HloModule t\nENTRY e {\n  x = f32[2,3] parameter(0)\n  ROOT a = f32[2,3]{0,1} "
              "copy(x), metadata={op_name=\"rankwright.helper\"}\n}\n");
    assert_int_equal(result_op(&file, 0, 0), OP_PARAMETER);
    expect_text(&file, "ROOT %copy.1 = f32[2,3]{0,1} copy(%x)");
    release(&file);
}

// --- effects ---------------------------------------------------------------

struct effect {
    const char *text;
    uint32_t n; // side effects of the entry
};

static const struct effect effects[] = {
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] custom-call(x), custom_call_target=\"f\"\n"
     " ROOT r = f32[] negate(x)\n}\n",
     0},
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] custom-call(x), custom_call_target=\"f\", "
     "custom_call_has_side_effect=true\n ROOT r = f32[] negate(x)\n}\n",
     1},
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] unheard-of(x), a={1}\n"
     " z = f32[] unheard-of(x), a={1}\n ROOT r = f32[] negate(x)\n}\n",
     2},
    {"c {\n p = f32[] parameter(0)\n ROOT o = f32[] rng-get-and-update-state()\n}\n"
     "d {\n p = f32[] parameter(0)\n ROOT o = f32[] call(p), to_apply=c\n}\n"
     "ENTRY e {\n x = f32[] parameter(0)\n y = f32[] call(x), to_apply=d\n"
     " ROOT r = f32[] negate(x)\n}\n",
     1},
    {"c {\n ROOT p = f32[] parameter(0)\n}\nENTRY e {\n x = f32[] parameter(0)\n"
     " y = f32[] call(x), to_apply=c\n ROOT r = f32[] negate(x)\n}\n",
     0},
    // computations that name each other may not end
    {"c {\n p = f32[] parameter(0)\n ROOT o = f32[] call(p), to_apply=d\n}\n"
     "d {\n p = f32[] parameter(0)\n ROOT o = f32[] call(p), to_apply=c\n}\n"
     "ENTRY e {\n x = f32[] parameter(0)\n y = f32[] call(x), to_apply=d\n"
     " ROOT r = f32[] negate(x)\n}\n",
     1},
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] abs(x)\n"
     " ROOT r = f32[] negate(x), control-predecessors={y}\n}\n",
     2},
    // a tuple that comes after another instruction is an effect once, and stays the root
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] abs(x)\n"
     " ROOT r = (f32[], f32[]) tuple(x, x), control-predecessors={y}\n}\n",
     2},
    {"ENTRY e {\n x = f32[] parameter(0)\n y = f32[] abs(x)\n"
     " z = f32[] parameter(1), control-predecessors={y}\n ROOT r = f32[] negate(z)\n}\n",
     2},
};

static void every_effect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof effects / sizeof *effects; i++) {
        struct file file;
        struct buf buf = {0};
        buf_printf(&buf, "HloModule t\n%s", effects[i].text);
        read_good(&file, buf_text(&buf));
        assert_int_equal(vec_last(&file.program.functions).effects.len, effects[i].n);
        buf_release(&buf);
        release(&file);
    }
}

// --- computations ----------------------------------------------------------

static void computations_have_roles(void **state)
{
    (void)state;
    struct file file;
    // c is called and fused: it stays text.  plus reduces terms, and all-reduce names it.
    read_good(&file,
              "HloModule t\n"
              "plus {\n m = f32[] parameter(0)\n n = f32[] parameter(1)\n"
              " ROOT r = f32[] add(f32[] m, f32[]{} n)\n}\n"
              "c {\n ROOT p = f32[2] parameter(0)\n}\n"
              "add_f32 {\n ROOT p = f32[2] parameter(0)\n}\n"
              "ENTRY e {\n x = f32[2] parameter(0)\n z = f32[] constant(0)\n"
              " a = f32[2] call(x), to_apply=c\n b = f32[2] fusion(a), kind=kCustom, calls=c\n"
              " d = f32[2] call(b), to_apply=add_f32\n"
              " f = f32[] reduce(d, z), dimensions={0}, to_apply=plus\n"
              " ROOT g = f32[] all-reduce(f), replica_groups={}, to_apply=plus\n}\n");
    assert_int_equal(file.program.functions.len, 2);
    assert_int_equal(file.program.extras.len, 2);
    expect_text(&file, "\n%plus {\n");
    expect_text(&file, "\n%c {\n");
    // another computation has the name add_f32
    expect_text(&file, "reduce(%d, %z), dimensions={0}, to_apply=%add_f32.2\n");
    release(&file);
}

// A parameter among operands gets a name that nothing else has; of a reducer it is read as any.
static void operands_hold_instructions(void **state)
{
    (void)state;
    struct file file;
    read_good(&file, "HloModule t\n"
                     "plus {\n ROOT r = f32[] add(f32[] parameter(0), f32[] parameter(1))\n}\n"
                     "ENTRY e {\n"
                     " parameter.0 = f32[2,3] broadcast(f32[2] parameter(2)), dimensions={0}\n"
                     " a = f32[6] reshape(f32[2,3] add(parameter.0, f32[2,3] parameter(0)))\n"
                     " b = f32[] reduce(a, f32[] constant(0)), dimensions={0}, to_apply=plus\n"
                     " parameter.2 = f32[] parameter(1)\n"
                     " ROOT c = f32[4] broadcast(f32[] multiply(b, parameter.2))\n}\n");
    assert_int_equal(file.program.functions.len, 1);
    expect_text(&file, "%parameter.1 = f32[2,3] parameter(0)\n");
    expect_text(&file, "%parameter.2 = f32[] parameter(1)\n");
    expect_text(&file, "%parameter.3 = f32[2] parameter(2)\n");
    expect_text(&file, "%parameter.0 = f32[2,3] broadcast(%parameter.3), dimensions={0}\n");
    expect_text(&file, "reduce(%a, ");
    release(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction),       cmocka_unit_test(every_constant),
        cmocka_unit_test(splats_are_one_term),     cmocka_unit_test(helpers),
        cmocka_unit_test(wrong_helpers),           cmocka_unit_test(operands_have_layouts),
        cmocka_unit_test(roots_have_layouts),      cmocka_unit_test(every_effect),
        cmocka_unit_test(computations_have_roles), cmocka_unit_test(operands_hold_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
