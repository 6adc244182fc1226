// SPDX-License-Identifier: Apache-2.0
// The term store against a plain list, and programs.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/text/buf.h"
#include "base/rng.h"
#include "tensor/program/program.h"

static uint64_t seed = 1;

struct fixture {
    struct pool pool;
    struct terms terms;
    type_id type, fi, empty; // 2x3 of f32, 2x3 of i32, 0x3 of f32
};

static type_id tensor(struct pool *pool, enum elem elem, int64_t a, int64_t b)
{
    struct err err = {0};
    type_id out;
    assert_true(type_tensor(pool, elem, 2, (int64_t[]){a, b}, &out, &err));
    return out;
}

static void setup(struct fixture *fixture)
{
    pool_init(&fixture->pool);
    terms_init(&fixture->terms, &fixture->pool);
    fixture->type = tensor(&fixture->pool, ELEM_F32, 2, 3);
    fixture->fi = tensor(&fixture->pool, ELEM_I32, 2, 3);
    fixture->empty = tensor(&fixture->pool, ELEM_F32, 0, 3);
}

static void teardown(struct fixture *fixture)
{
    terms_release(&fixture->terms);
    pool_release(&fixture->pool);
}

static term_id build(struct terms *terms, enum op op, uint32_t n_attr, const int64_t *attr,
                     type_id want, uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id out = NO_TERM;
    attr_id a = attr_make(terms->pool, n_attr, attr);
    if (!term_build(terms, (struct operation){op, a, want, n}, args, &out, &err))
        fail_msg("%s", err.msg);
    return out;
}

static term_id parameter(struct terms *terms, int64_t f, int64_t i, type_id type)
{
    return build(terms, OP_PARAMETER, 2, (int64_t[]){f, i}, type, 0, NULL);
}

static term_id binary(struct terms *terms, enum op op, term_id a, term_id b)
{
    return build(terms, op, 0, NULL, NO_TYPE, 2, (term_id[]){a, b});
}

static term_id opaque(struct terms *terms, const char *text, int64_t n_results, int64_t serial,
                      type_id type, uint32_t n, const term_id *args)
{
    int64_t v[] = {sym_make(terms->pool, text).v, n_results, serial};
    return build(terms, OP_OPAQUE, 3, v, type, n, args);
}

// The naive model: all nodes in a list, searched from the front.
struct plain {
    enum op op;
    uint32_t attr, type, n, args[5];
};

static uint32_t plain_find(const struct plain *list, uint32_t len, const struct plain *plain)
{
    for (uint32_t i = 0; i < len; i++)
        if (list[i].op == plain->op && list[i].attr == plain->attr && list[i].type == plain->type &&
            list[i].n == plain->n &&
            !memcmp(list[i].args, plain->args, plain->n * sizeof *plain->args))
            return i;
    return len;
}

static void hash_consing(void **state)
{
    (void)state;
    enum { STEPS = 8000 };
    struct fixture fixture;
    struct rng rng;
    setup(&fixture);
    rng_seed(&rng, seed);
    struct plain *list = mem_alloc(STEPS * sizeof *list);
    uint32_t len = 0, repeats = 0;
    for (int step = 0; step < STEPS; step++) {
        struct plain plain = {(enum op)rng_below(&rng, 3), 0, 0, 0, {0}};
        int64_t v = rng_range(&rng, 0, 3);
        term_id args[5];
        plain.attr = attr_make(&fixture.pool, (uint32_t)rng_below(&rng, 2), &v).v;
        plain.type = rng_below(&rng, 2) ? fixture.type.v : fixture.fi.v;
        plain.n = (uint32_t)rng_below(&rng, len < 20 ? len / 4 + 1 : 6);
        if (plain.n > 2 && rng_below(&rng, 3))
            plain.n = 2;
        for (uint32_t i = 0; i < plain.n; i++) { // few choices: many repeats
            plain.args[i] = (uint32_t)rng_below(&rng, len < 30 ? len : 30);
            args[i].v = plain.args[i];
        }
        uint32_t at = plain_find(list, len, &plain);
        term_id id = term_make(&fixture.terms, plain.op, (attr_id){plain.attr},
                               (type_id){plain.type}, plain.n, args);
        assert_int_equal(id.v, at);
        if (at == len)
            list[len++] = plain;
        else
            repeats++;
        assert_int_equal(fixture.terms.term.len, len);
    }
    assert_true(repeats > 100 && len > 500);
    for (uint32_t i = 0; i < len; i++) {
        term_id id = {i};
        const struct term *node = term_at(&fixture.terms, id);
        assert_true(node->op == list[i].op && node->type.v == list[i].type &&
                    node->attr.v == list[i].attr && node->n_args == list[i].n);
        for (uint32_t k = 0; k < list[i].n; k++)
            assert_int_equal(term_args(&fixture.terms, id)[k].v, list[i].args[k]);
    }
    mem_free(list);
    teardown(&fixture);
}

// Arguments may be given as a part of the store that moves.
static void arguments_of_the_store(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    term_id term = parameter(&fixture.terms, 0, 0, fixture.type);
    term_id b = parameter(&fixture.terms, 0, 1, fixture.type);
    term_id c = binary(&fixture.terms, OP_ADD, term, b);
    for (int64_t i = 0; i < 100; i++) {
        attr_id attr = attr_make(&fixture.pool, 1, &i);
        term_id d = term_make(&fixture.terms, OP_SUBTRACT, attr, fixture.type, 2,
                              term_args(&fixture.terms, c));
        assert_int_equal(term_args(&fixture.terms, d)[0].v, term.v);
        assert_int_equal(term_args(&fixture.terms, d)[1].v, b.v);
    }
    teardown(&fixture);
}

static void build_checks(void **state)
{
    (void)state;
    struct fixture fixture;
    struct err err = {0};
    setup(&fixture);
    term_id term = parameter(&fixture.terms, 0, 0, fixture.type);
    term_id b = parameter(&fixture.terms, 0, 1, fixture.fi), out = NO_TERM;
    uint32_t len = fixture.terms.term.len;
    assert_false(term_build(&fixture.terms, (struct operation){OP_ADD, NO_ATTR, NO_TYPE, 2},
                            (term_id[]){term, b}, &out, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    assert_int_equal(out.v, NO_TERM.v);
    assert_int_equal(fixture.terms.term.len, len);
    err_clear(&err);
    term_id many[40];
    for (int i = 0; i < 40; i++)
        many[i] = term;
    int64_t dim = 1;
    out = build(&fixture.terms, OP_CONCATENATE, 1, &dim, NO_TYPE, 40, many);
    assert_true(type_dims(&fixture.pool, term_type(&fixture.terms, out))[1] == 120);
    assert_true(terms_check(&fixture.terms, &err));
    teardown(&fixture);
}

static void constants_are_canonical(void **state)
{
    (void)state;
    struct fixture fixture;
    struct err err = {0};
    setup(&fixture);
    lit_id one = literal_splat(&fixture.pool, ELEM_F32, scalar_of_double(ELEM_F32, 1));
    lit_id two = literal_splat(&fixture.pool, ELEM_F32, scalar_of_double(ELEM_F32, 2));
    term_id term = term_constant(&fixture.terms, one, fixture.type);
    assert_int_equal(term_literal(&fixture.terms, term).v, one.v);
    assert_true(term_constant(&fixture.terms, two, fixture.type).v != term.v);
    term_id none = term_constant(&fixture.terms, one, fixture.empty);
    assert_int_equal(term_constant(&fixture.terms, two, fixture.empty).v, none.v);
    assert_true(pool_literal(&fixture.pool, term_literal(&fixture.terms, none))->count == 0);
    term_id p = parameter(&fixture.terms, 0, 0, fixture.type);
    assert_int_equal(term_literal(&fixture.terms, p).v, NO_LIT.v);
    assert_true(terms_check(&fixture.terms, &err));
    teardown(&fixture);
}

static void reach(void **state)
{
    (void)state;
    struct fixture fixture;
    struct u32_vec out = {0};
    setup(&fixture);
    term_id term = parameter(&fixture.terms, 0, 0, fixture.type);
    term_id b = parameter(&fixture.terms, 0, 1, fixture.type);
    term_id c = binary(&fixture.terms, OP_ADD, term, term);
    term_id d = binary(&fixture.terms, OP_ADD, b, b);
    term_id e = binary(&fixture.terms, OP_ADD, c, term);
    term_id roots[] = {e, c, e};
    vec_push(&out, 999);
    terms_reach(&fixture.terms, 3, roots, &out);
    assert_int_equal(out.len, 3);
    assert_int_equal(out.at[0], term.v);
    assert_int_equal(out.at[1], c.v);
    assert_int_equal(out.at[2], e.v);
    terms_reach(&fixture.terms, 1, &d, &out);
    assert_int_equal(out.len, 2);
    terms_reach(&fixture.terms, 0, NULL, &out);
    assert_int_equal(out.len, 0);
    vec_release(&out);
    teardown(&fixture);
}

static void check_fails(const struct terms *terms, const char *what)
{
    struct err err = {0};
    assert_false(terms_check(terms, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    if (!strstr(err.msg, what))
        fail_msg("'%s' does not name %s", err.msg, what);
}

// Each invariant is broken once and found.
static void planted_faults(void **state)
{
    (void)state;
    struct fixture fixture;
    struct err err = {0};
    setup(&fixture);
    term_id term = parameter(&fixture.terms, 0, 0, fixture.type);
    term_id b = parameter(&fixture.terms, 0, 1, fixture.type);
    term_id c = binary(&fixture.terms, OP_ADD, term, b);
    binary(&fixture.terms, OP_MULTIPLY, c, b);
    assert_true(terms_check(&fixture.terms, &err));
    struct terms *terms = &fixture.terms;
    uint32_t at = terms->term.at[c.v].args_at;
    terms->args.at[at] = c;
    check_fails(terms, "T1");
    terms->args.at[at] = b; // add(b, b) under the hash of add(a, b)
    check_fails(terms, "T2");
    terms->args.at[at] = term;
    terms->term.at[c.v].type = fixture.fi;
    check_fails(terms, "T2");
    terms->term.at[c.v].type = fixture.type;
    terms->term.at[c.v].op = N_OPS;
    check_fails(terms, "exist");
    terms->term.at[c.v].op = OP_ADD;
    for (uint32_t i = 0; i < terms->slot.len; i++) {
        struct term_slot slot = terms->slot.at[i];
        if (!slot.id)
            continue;
        terms->slot.at[i].id = 0;
        check_fails(terms, "T2");
        terms->slot.at[i].id = 4711;
        check_fails(terms, "4710");
        terms->slot.at[i] = slot;
    }
    assert_true(terms_check(terms, &err));
    term_make(terms, OP_ADD, NO_ATTR, fixture.fi, 2, (term_id[]){term, b});
    check_fails(terms, "T3");
    teardown(&fixture);
}

static void check_print(const struct terms *terms, term_id id, unsigned depth, const char *want)
{
    struct buf buf = {0};
    term_print(terms, id, depth, &buf);
    assert_string_equal(buf_text(&buf), want);
    buf_release(&buf);
}

static void printing(void **state)
{
    (void)state;
    struct fixture fixture;
    setup(&fixture);
    struct terms *terms = &fixture.terms;
    term_id term = parameter(terms, 0, 0, fixture.type), b = parameter(terms, 0, 1, fixture.type);
    int64_t perm[] = {1, 0}, cmp[] = {CMP_LT, CMPT_FLOAT};
    term_id tb = build(terms, OP_TRANSPOSE, 2, perm, NO_TYPE, 1, &b);
    tb = build(terms, OP_TRANSPOSE, 2, perm, NO_TYPE, 1, &tb);
    term_id s = binary(terms, OP_ADD, term, tb);
    check_print(terms, s, 9, "add(%0, transpose(transpose(%1, [1, 0]), [1, 0]))");
    check_print(terms, s, 1, "add(%0, #3)");
    check_print(terms, build(terms, OP_COMPARE, 2, cmp, NO_TYPE, 2, (term_id[]){term, b}), 2,
                "compare(%0, %1, LT, FLOAT)");
    int64_t cut[] = {0, 1, 2, 3, 1, 2};
    check_print(terms, build(terms, OP_SLICE, 6, cut, NO_TYPE, 1, &term), 2,
                "slice(%0, [0, 1], [2, 3], [1, 2])");
    int64_t dim = 1;
    check_print(terms, build(terms, OP_IOTA, 1, &dim, fixture.fi, 0, NULL), 2,
                "iota([1]) : tensor<2x3xi32>");
    check_print(terms, build(terms, OP_CONVERT, 0, NULL, fixture.fi, 1, &term), 2,
                "convert(%0) : tensor<2x3xi32>");
    teardown(&fixture);
}

// A program of two functions and a declaration.
struct sample {
    struct pool pool;
    struct program program;
    type_id type;
};

static struct function *add_function(struct sample *sample, const char *name, uint32_t n_params)
{
    struct function function = {.name = sym_make(&sample->pool, name),
                                .number = sample->program.functions.len};
    for (uint32_t i = 0; i < n_params; i++)
        vec_push(&function.params,
                 ((struct param){sym_make(&sample->pool, "arg"), sample->type, {0}}));
    vec_push(&sample->program.functions, function);
    return &vec_last(&sample->program.functions);
}

static void sample_init(struct sample *sample)
{
    pool_init(&sample->pool);
    program_init(&sample->program, &sample->pool);
    sample->type = tensor(&sample->pool, ELEM_F32, 2, 3);
    struct terms *terms = &sample->program.terms;
    struct function *function = add_function(sample, "main", 2);
    term_id term = parameter(terms, 0, 0, sample->type), b = parameter(terms, 0, 1, sample->type);
    term_id sum = binary(terms, OP_ADD, term, b);
    type_id pair = type_tuple(&sample->pool, 2, (type_id[]){sample->type, sample->type});
    term_id two = opaque(terms, "pair", 2, 0, pair, 1, &sum);
    int64_t k = 1;
    term_id second = build(terms, OP_RESULT, 1, &k, NO_TYPE, 1, &two);
    term_id print = opaque(terms, "print", 0, 1, type_tuple(&sample->pool, 0, NULL), 1, &sum);
    vec_push(&function->results, ((struct result){second, sample->type, {0}}));
    vec_push(&function->effects, print);
    function = add_function(sample, "same", 1);
    vec_push(&function->results,
             ((struct result){parameter(terms, 1, 0, sample->type), sample->type, {0}}));
    function = add_function(sample, "outside", 1);
    function->declaration = true;
    vec_push(&function->results, ((struct result){NO_TERM, sample->type, {0}}));
    struct module module = {.functions_end = sample->program.functions.len};
    vec_push(&sample->program.modules, module);
}

static void sample_release(struct sample *sample)
{
    program_release(&sample->program);
    pool_release(&sample->pool);
}

static void programs(void **state)
{
    (void)state;
    struct sample sample;
    struct err err = {0};
    sample_init(&sample);
    if (!program_check(&sample.program, &err))
        fail_msg("%s", err.msg);
    struct function *function = sample.program.functions.at;
    struct u32_vec roots = {0};
    function_roots(&function[0], &roots);
    assert_int_equal(roots.len, 2);
    assert_int_equal(roots.at[0], function[0].results.at[0].term.v);
    assert_int_equal(roots.at[1], function[0].effects.at[0].v);
    function_roots(&function[2], &roots);
    assert_int_equal(roots.len, 0);
    assert_int_equal(function_size(&sample.program, &function[0]), 3); // add, pair, print
    assert_int_equal(function_size(&sample.program, &function[1]), 0);
    assert_int_equal(function_size(&sample.program, &function[2]), 0);
    vec_release(&roots);
    sample_release(&sample);
}

static void program_fails(const struct sample *sample, const char *what)
{
    struct err err = {0};
    assert_false(program_check(&sample->program, &err));
    assert_int_equal(err.kind, ERR_CHECK);
    if (!strstr(err.msg, what))
        fail_msg("'%s' does not say '%s'", err.msg, what);
}

static void program_faults(void **state)
{
    (void)state;
    struct sample sample;
    struct err err = {0};
    sample_init(&sample);
    struct function *function = sample.program.functions.at;
    struct terms *terms = &sample.program.terms;
    term_id print = function[0].effects.at[0];
    function[0].effects.len = 0;
    vec_push(&function[0].results, function[0].results.at[0]);
    function[0].results.at[1].term = print;
    function[0].results.at[1].type = term_type(terms, print);
    program_fails(&sample, "type of several");
    (void)vec_pop(&function[0].results);
    term_id user = opaque(terms, "use", 1, 2, sample.type, 0, NULL);
    vec_push(&function[0].effects, print);
    term_id first = function[0].results.at[0].term;
    function[0].results.at[0].term = binary(terms, OP_ADD, user, user);
    program_fails(&sample, "not listed");
    vec_push(&function[0].effects, user);
    assert_true(program_check(&sample.program, &err));
    vec_push(&function[0].effects, user);
    program_fails(&sample, "twice");
    (void)vec_pop(&function[0].effects);
    vec_push(&function[1].effects, opaque(terms, "other", 1, 2, sample.type, 0, NULL));
    program_fails(&sample, "serial 2");
    vec_clear(&function[1].effects);
    function[0].results.at[0].term = parameter(terms, 1, 0, sample.type);
    program_fails(&sample, "parameter 0 of function 1");
    function[0].results.at[0].term = parameter(terms, 0, 2, sample.type);
    program_fails(&sample, "parameter 2");
    function[0].results.at[0].term = first;
    function[0].params.at[0].type = tensor(&sample.pool, ELEM_I32, 2, 3);
    program_fails(&sample, "another type");
    function[0].params.at[0].type = sample.type;
    function[0].results.at[0].term = NO_TERM;
    program_fails(&sample, "result 0");
    function[0].results.at[0].term = first;
    function[1].name = function[0].name;
    program_fails(&sample, "two functions");
    function[1].name = (sym_id){0};
    program_fails(&sample, "no name");
    function[1].name = (sym_id){123456};
    program_fails(&sample, "symbol");
    function[1].name = sym_make(&sample.pool, "same");
    function[2].results.at[0].term = first;
    program_fails(&sample, "result 0");
    function[2].results.at[0].term = NO_TERM;
    vec_push(&function[0].effects, first); // no side effect
    program_fails(&sample, "no node with a side effect");
    (void)vec_pop(&function[0].effects);
    assert_true(program_check(&sample.program, &err));
    sample_release(&sample);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_consing),   cmocka_unit_test(arguments_of_the_store),
        cmocka_unit_test(build_checks),   cmocka_unit_test(constants_are_canonical),
        cmocka_unit_test(reach),          cmocka_unit_test(planted_faults),
        cmocka_unit_test(printing),       cmocka_unit_test(programs),
        cmocka_unit_test(program_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
