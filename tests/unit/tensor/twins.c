// SPDX-License-Identifier: Apache-2.0
// Which values of a loop are found to be equal, and which only look so.  Each answer is also
// held against the loop itself: its first steps are run on numbers.
#include "tests/unit/support/io_text.h"

#include "base/rng.h"
#include "tensor/limits.h"
#include "tensor/program/call.h"
#include "tensor/program/twins.h"

#define MOST_VALUES 8
#define N_STEPS 64

// A while of the values %v0, %v1, .. from the arguments %a, %b and %n.
struct loop {
    const char *what;
    const char *starts[MOST_VALUES]; // of each value; NULL: no more
    const char *body;                // lines
    const char *backs[MOST_VALUES];
    const char *twins; // the first equal value of each; "": none are equal
};

static const char arguments[] = "%a: tensor<i32>, %b: tensor<i32>, %n: tensor<i32>";

#define ADD(to, x, y) "%" to " = stablehlo.add %" x ", %" y " : tensor<i32>\n"
#define DRAW(to, x)                                                                                \
    "%" to " = stablehlo.custom_call @draw(%" x                                                    \
    ") {has_side_effect = true} : (tensor<i32>) -> tensor<i32>\n"

static const struct loop loops[] = {
    {"two counters", {"a", "a"}, ADD("x", "v0", "b") ADD("y", "v1", "b"), {"x", "y"}, "00"},
    {"two that stay", {"a", "a"}, "", {"v0", "v1"}, "00"},
    {"one stays, one comes back", {"a", "a"}, "", {"v0", "a"}, "00"},
    {"a step that is carried",
     {"a", "b", "a"},
     ADD("x", "v0", "b") ADD("y", "v2", "v1"),
     {"x", "v1", "y"},
     "010"},
    {"one counts with the other's value", {"a", "a"}, ADD("x", "v0", "b"), {"x", "x"}, "00"},
    {"swapped, and so equal", {"a", "a"}, "", {"v1", "v0"}, "00"},
    {"sums of counters that are equal",
     {"a", "b", "a", "b"},
     ADD("p", "v0", "n") ADD("q", "v2", "n") ADD("r", "v1", "v0") ADD("s", "v3", "v2"),
     {"p", "r", "q", "s"},
     "0101"},
    {"far apart",
     {"a", "b", "n", "a"},
     ADD("x", "v0", "n") ADD("y", "v3", "n"),
     {"x", "v1", "v2", "y"},
     "0120"},

    {"other starts", {"a", "b"}, ADD("x", "v0", "n") ADD("y", "v1", "n"), {"x", "y"}, ""},
    {"other steps", {"a", "a"}, ADD("x", "v0", "b") ADD("y", "v1", "n"), {"x", "y"}, ""},
    {"one stays, one counts", {"a", "a"}, ADD("x", "v1", "b"), {"v0", "x"}, ""},
    {"swapped, from other starts", {"a", "b"}, "", {"v1", "v0"}, ""},
    {"two pairs, swapped crosswise", {"a", "b", "a", "b"}, "", {"v1", "v0", "v3", "v2"}, "0101"},
    {"one of two pairs swapped", {"a", "b", "a", "b"}, "", {"v1", "v0", "v2", "v3"}, ""},
    {"another value's step",
     {"a", "a", "b"},
     ADD("x", "v0", "n") ADD("y", "v2", "n"),
     {"x", "y", "v2"},
     ""},
    {"comes back as a value with another start",
     {"a", "b", "a"},
     ADD("x", "v0", "b") ADD("y", "v2", "n"),
     {"x", "y", "y"},
     ""},
    {"sides of a sum exchanged",
     {"a", "a"},
     ADD("x", "v0", "b") ADD("y", "b", "v1"),
     {"x", "y"},
     ""},
    {"two draws", {"a", "a"}, DRAW("x", "v0") DRAW("y", "v1"), {"x", "y"}, ""},
    {"one draw for both", {"a", "a"}, DRAW("x", "v0"), {"x", "x"}, "00"},

    {"followers of what differs",
     {"a", "a", "a", "a"},
     ADD("x", "v0", "b") ADD("y", "v1", "n"),
     {"x", "y", "v0", "v1"},
     ""},
    {"followers of followers, a pair beside",
     {"a", "a", "a", "a", "a", "a"},
     ADD("x", "v0", "b") ADD("y", "v1", "n") ADD("z", "v4", "b"),
     {"x", "y", "v0", "v1", "z", "v4"},
     "012302"},
    {"a part that splits in two pairs",
     {"a", "a", "a", "a"},
     ADD("p", "v0", "b") ADD("q", "v1", "n") ADD("r", "v2", "b") ADD("s", "v3", "n"),
     {"p", "q", "r", "s"},
     "0101"},
    {"a chain that comes apart from its end",
     {"a", "a", "a", "a", "a"},
     ADD("x", "v0", "b"),
     {"x", "v0", "v1", "v2", "v3"},
     ""},
};

static void put_list(struct buf *out, uint32_t n, const char *const *names)
{
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%%%s", k > 0 ? ", " : "", names[k]);
}

static void put_types(struct buf *out, uint32_t n)
{
    for (uint32_t k = 0; k < n; k++)
        buf_puts(out, k > 0 ? ", tensor<i32>" : "tensor<i32>");
}

static uint32_t size_of(const struct loop *loop)
{
    uint32_t n = 0;
    while (n < MOST_VALUES && loop->starts[n] != NULL)
        n++;
    return n;
}

// The loop's function, which returns all of its values.
static void put_loop(struct buf *out, const struct loop *loop, uint32_t n)
{
    buf_printf(out, "func.func @f(%s) -> (", arguments);
    put_types(out, n);
    buf_printf(out, ") {\n%%r:%u = stablehlo.while(", n);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%%v%u = %%%s", k > 0 ? ", " : "", k, loop->starts[k]);
    buf_puts(out, ") : ");
    put_types(out, n);
    buf_puts(out, "\ncond {\n%c = stablehlo.compare LT, %v0, %n : (tensor<i32>, tensor<i32>) -> "
                  "tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n");
    buf_printf(out, "%sstablehlo.return ", loop->body);
    put_list(out, n, loop->backs);
    buf_puts(out, " : ");
    put_types(out, n);
    buf_puts(out, "\n}\nreturn ");
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%%r#%u", k > 0 ? ", " : "", k);
    buf_puts(out, " : ");
    put_types(out, n);
    buf_puts(out, "\n}\n");
}

// The value of a term of the body in one step, given those of the loop and of the arguments.  The
// term of a side effect gives another number each time, and each effect its own.
static uint32_t value_of(const struct terms *terms, term_id loop, term_id term, uint32_t step,
                         const uint32_t *values, const uint32_t *given)
{
    uint32_t place, k = loop_value(terms, loop, term, &place);
    const struct term *node = term_at(terms, term);
    if (k != UINT32_MAX)
        return values[k];
    if (node->op == OP_PARAMETER)
        return given[attr_at(terms->pool, node->attr)[1]];
    if (node->op == OP_ADD)
        return value_of(terms, loop, term_args(terms, term)[0], step, values, given) +
               value_of(terms, loop, term_args(terms, term)[1], step, values, given);
    struct rng rng;
    rng_seed(&rng, ((uint64_t)step << 32) + term.v);
    return (uint32_t)rng_u64(&rng);
}

// Values that are said to be equal are so in every step.
static void run(const struct terms *terms, term_id loop, const struct u32_vec *twin,
                const struct loop *of)
{
    struct opaque_view view = opaque_view(terms, loop);
    struct opaque_block body = opaque_block(&view, 1);
    uint32_t given[3] = {3, 1000, 1000000}, now[MOST_VALUES], next[MOST_VALUES];
    for (uint32_t k = 0; k < twin->len; k++)
        now[k] = value_of(terms, loop, term_args(terms, loop)[k], 0, NULL, given);
    for (uint32_t step = 0; step < N_STEPS; step++) {
        for (uint32_t k = 0; k < twin->len; k++)
            if (now[k] != now[twin->at[k]])
                fail_msg("%s: value %u differs in step %u", of->what, k, step);
        for (uint32_t k = 0; k < twin->len; k++)
            next[k] =
                value_of(terms, loop, term_args(terms, loop)[body.first + k], step, now, given);
        memcpy(now, next, sizeof now);
    }
}

static void expect_twins(const struct file *file, const struct loop *loop, const char *expected)
{
    const struct terms *terms = &file->program.terms;
    struct u32_vec twin = {0};
    term_id term = term_args(terms, result_of(file, 0, 0))[0];
    bool found = loop_twins(terms, term, NULL, &twin);
    if (found != (twin.len > 0) || twin.len != strlen(expected))
        fail_msg("%s: %u values, expected '%s'", loop->what, twin.len, expected);
    for (uint32_t k = 0; k < twin.len; k++)
        if (twin.at[k] != (uint32_t)(expected[k] - '0'))
            fail_msg("%s: value %u is %u, expected '%s'", loop->what, k, twin.at[k], expected);
    run(terms, term, &twin, loop);
    vec_release(&twin);
}

static void every_loop(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        struct buf text = {0};
        struct file file;
        put_loop(&text, &loops[i], size_of(&loops[i]));
        read_good(&file, buf_text(&text));
        expect_twins(&file, &loops[i], loops[i].twins);
        release(&file);
        buf_release(&text);
    }
}

// A chain of n values that begin alike, value k the one before it a step ago: each look finds one
// more that is not equal, and a loop that needs too many looks has no equal values.
static void chain(uint32_t n, bool expected)
{
    struct buf text = {0};
    struct file file;
    struct u32_vec twin = {0};
    // the last two are a pair
    buf_printf(&text, "func.func @f(%s) -> tensor<i32> {\n%%r:%u = stablehlo.while(", arguments,
               n + 2);
    for (uint32_t k = 0; k < n + 2; k++)
        buf_printf(&text, "%s%%v%u = %%%s", k > 0 ? ", " : "", k, k < n ? "a" : "b");
    buf_puts(&text, ") : ");
    put_types(&text, n + 2);
    buf_puts(&text, "\ncond {\n%c = stablehlo.compare LT, %v0, %n : (tensor<i32>, tensor<i32>) -> "
                    "tensor<i1>\nstablehlo.return %c : tensor<i1>\n} do {\n");
    buf_puts(&text, ADD("x", "v0", "b"));
    buf_printf(&text, "%%y = stablehlo.add %%v%u, %%a : tensor<i32>\n", n);
    buf_printf(&text, "%%z = stablehlo.add %%v%u, %%a : tensor<i32>\n", n + 1);
    buf_puts(&text, "stablehlo.return %x");
    for (uint32_t k = 1; k < n; k++)
        buf_printf(&text, ", %%v%u", k - 1);
    buf_puts(&text, ", %y, %z : ");
    put_types(&text, n + 2);
    buf_puts(&text, "\n}\nreturn %r#0 : tensor<i32>\n}\n");
    read_good(&file, buf_text(&text));
    bool found = loop_twins(&file.program.terms,
                            term_args(&file.program.terms, result_of(&file, 0, 0))[0], NULL, &twin);
    assert_int_equal(found, expected);
    assert_int_equal(twin.len, expected ? n + 2 : 0);
    for (uint32_t k = 0; k < twin.len; k++)
        assert_int_equal(twin.at[k], k == n + 1 ? n : k);
    vec_release(&twin);
    release(&file);
    buf_release(&text);
}

static void refinement_ends(void **state)
{
    (void)state;
    for (uint32_t n = 1; n < LOOP_TWIN_LOOKS + 4; n++)
        chain(n, n <= LOOP_TWIN_LOOKS);
}

// A loop whose body calls @g for one of two counters.  @g adds `step`.
static void read_calling(struct file *file, const char *step, struct u32_vec *values)
{
    struct buf text = {0};
    buf_printf(
        &text,
        "func.func @f(%s) -> tensor<i32> {\n"
        "%%r:2 = stablehlo.while(%%v0 = %%a, %%v1 = %%a) : tensor<i32>, tensor<i32>\ncond {\n"
        "%%go = stablehlo.compare LT, %%v0, %%n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
        "stablehlo.return %%go : tensor<i1>\n} do {\n"
        "%%c = stablehlo.constant dense<1> : tensor<i32>\n"
        "%%x = stablehlo.add %%v0, %%c : tensor<i32>\n"
        "%%y = func.call @g(%%v1) : (tensor<i32>) -> tensor<i32>\n"
        "stablehlo.return %%x, %%y : tensor<i32>, tensor<i32>\n}\n"
        "return %%r#0 : tensor<i32>\n}\n"
        "func.func private @g(%%p: tensor<i32>) -> tensor<i32> {\n"
        "%%c = stablehlo.constant dense<%s> : tensor<i32>\n"
        "%%x = stablehlo.add %%p, %%c : tensor<i32>\nreturn %%x : tensor<i32>\n}\n",
        arguments, step);
    read_good(file, buf_text(&text));
    struct terms *terms = &file->program.terms;
    for (uint32_t i = 0, n = terms->term.len; i < n; i++) {
        struct inlining inlining = {&file->program, terms, {i}, 1, 1};
        term_id value;
        if (term_op(terms, (term_id){i}) != OP_OPAQUE ||
            called_function(&file->program, term_at(terms, (term_id){i})->attr) != 1)
            continue;
        assert_int_equal(inline_call(&inlining, &value), 0);
        vec_zero(values, i + 1);
        values->at[i] = value.v + 1;
    }
    assert_true(values->len > 0);
    buf_release(&text);
}

static void values_of_calls(void **state)
{
    (void)state;
    for (int same = 0; same < 2; same++) {
        struct file file;
        struct u32_vec values = {0}, twin = {0};
        read_calling(&file, same ? "1" : "2", &values);
        term_id loop = term_args(&file.program.terms, result_of(&file, 0, 0))[0];
        assert_false(loop_twins(&file.program.terms, loop, NULL, &twin));
        assert_int_equal(loop_twins(&file.program.terms, loop, &values, &twin), same);
        // A value that needs the term itself says nothing.
        values.at[values.len - 1] = values.len;
        assert_false(loop_twins(&file.program.terms, loop, &values, &twin));
        vec_release(&values);
        vec_release(&twin);
        release(&file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loop),
        cmocka_unit_test(refinement_ends),
        cmocka_unit_test(values_of_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
