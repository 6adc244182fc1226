// SPDX-License-Identifier: Apache-2.0
// Maxima over the first indices of a range: the clamped fold has the same elements, by trying all
// indices at random sizes; sums, and ranges that may be empty, stay as they are.
#include "base/rng.h"
#include "loops/symbolic/symbolic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { TRIALS = 400 };

struct world {
    struct code_program program;
    struct integers in;
    struct lterms terms;
    struct symbolic s;
    iatom index, a, b;
};

static void setup(struct world *w)
{
    code_init(&w->program);
    integers_init(&w->in);
    lterms_init(&w->terms, &w->in);
    symbolic_init(&w->s, &w->program, &w->in, &w->terms);
    int_is_atom(&w->in, int_symbol(&w->in, "j"), &w->index);
    int_is_atom(&w->in, int_symbol(&w->in, "a"), &w->a);
    int_is_atom(&w->in, int_symbol(&w->in, "b"), &w->b);
}

static void teardown(struct world *w)
{
    symbolic_release(&w->s);
    lterms_release(&w->terms);
    integers_release(&w->in);
    code_release(&w->program);
}

static ipoly of(struct world *w, iatom atom)
{
    return int_atom_poly(&w->in, atom);
}

static int64_t value(struct world *w, ipoly p, int64_t j, int64_t a, int64_t b)
{
    iatom from[] = {w->index, w->a, w->b};
    ipoly to[] = {int_constant(&w->in, j), int_constant(&w->in, a), int_constant(&w->in, b)};
    struct int_substitution by = {3, from, to};
    struct ifacts none = {0};
    int64_t out = 0;
    assert_true(
        int_is_constant(&w->in, int_simplify(&w->in, &none, int_substitute(&w->in, p, &by)), &out));
    ifacts_release(&none);
    return out;
}

// The set of offsets that the fold reads.
static uint64_t elements(struct world *w, const struct lreduce *open, int64_t a, int64_t b)
{
    uint64_t set = 0;
    int64_t end = value(w, open->end, 0, a, b);
    for (int64_t j = 0; j < end; j++) {
        bool in = true;
        for (uint32_t i = 0; i < open->guards.len; i++)
            in = in && value(w, open->guards.at[i], j, a, b) >= 0;
        if (in)
            set |= (uint64_t)1 << value(w, lterm_arg(&w->terms, open->body, 0), j, a, b);
    }
    return set;
}

static struct lreduce fold(struct world *w, enum code_op op, int64_t end, int64_t step)
{
    struct lreduce open = {.op = op, .index = of(w, w->index)};
    ipoly at = int_scale(&w->in, open.index, step);
    open.end = int_constant(&w->in, end);
    open.body = lterm_make(&w->terms, LT_READ, 0, 1, &at);
    // j <= a
    vec_push(&open.guards, int_subtract(&w->in, of(w, w->a), open.index));
    return open;
}

static void same_elements(void **state)
{
    struct world w;
    struct rng rng;
    (void)state;
    setup(&w);
    rng_seed(&rng, 5);
    for (uint32_t i = 0; i < TRIALS; i++) {
        int64_t end = rng_range(&rng, 1, 16), step = rng_range(&rng, 1, 3);
        struct lreduce open = fold(&w, rng_below(&rng, 2) ? CODE_MAXIMUM : CODE_MINIMUM, end, step);
        uint32_t mark = ifacts_mark(&w.s.facts);
        ifacts_push(&w.s.facts, of(&w, w.a), NO_ORIGIN);
        ifacts_push(&w.s.facts, of(&w, w.b), NO_ORIGIN);
        // 2*j <= 2*b + 1 is no cap of the kind, j <= b is.
        int64_t factor = rng_below(&rng, 2) ? 2 : 1;
        ipoly second = int_scale(&w.in, int_subtract(&w.in, of(&w, w.b), open.index), factor);
        vec_push(&open.guards, int_shift(&w.in, second, factor - 1));
        int64_t a = rng_range(&rng, 0, 20), b = rng_range(&rng, 0, 20);
        uint64_t before = elements(&w, &open, a, b);
        symbolic_clamp(&w.s, &open);
        assert_int_equal(open.guards.len, factor - 1);
        assert_true(elements(&w, &open, a, b) == before);
        lreduce_release(&open);
        ifacts_pop(&w.s.facts, mark);
    }
    teardown(&w);
}

static void stays(struct world *w, enum code_op op, int64_t end, int64_t least)
{
    uint32_t mark = ifacts_mark(&w->s.facts);
    struct lreduce open = fold(w, op, end, 1);
    lterm body = open.body;
    ifacts_push(&w->s.facts, int_shift(&w->in, of(w, w->a), -least), NO_ORIGIN);
    symbolic_clamp(&w->s, &open);
    assert_int_equal(open.guards.len, 1);
    assert_int_equal(open.body, body);
    lreduce_release(&open);
    ifacts_pop(&w->s.facts, mark);
}

static void others_stay(void **state)
{
    struct world w;
    (void)state;
    setup(&w);
    stays(&w, CODE_ADD, 8, 0); // an element more than once changes a sum
    stays(&w, CODE_MULTIPLY, 8, 0);
    stays(&w, CODE_MAXIMUM, 8, -1); // perhaps no index is left
    stays(&w, CODE_MAXIMUM, 0, 0);
    teardown(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_elements),
        cmocka_unit_test(others_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
