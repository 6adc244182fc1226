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
    type_id f, fi, empty; // 2x3 of f32, 2x3 of i32, 0x3 of f32
};

static type_id tensor(struct pool *p, enum elem t, int64_t a, int64_t b)
{
    struct err e = {0};
    type_id out;
    assert_true(type_tensor(p, t, 2, (int64_t[]){a, b}, &out, &e));
    return out;
}

static void setup(struct fixture *x)
{
    pool_init(&x->pool);
    terms_init(&x->terms, &x->pool);
    x->f = tensor(&x->pool, ELEM_F32, 2, 3);
    x->fi = tensor(&x->pool, ELEM_I32, 2, 3);
    x->empty = tensor(&x->pool, ELEM_F32, 0, 3);
}

static void teardown(struct fixture *x)
{
    terms_release(&x->terms);
    pool_release(&x->pool);
}

static term_id build(struct terms *t, enum op op, uint32_t n_attr,
                     const int64_t *attr, type_id want, uint32_t n,
                     const term_id *args)
{
    struct err e = {0};
    term_id out = NO_TERM;
    attr_id a = attr_make(t->pool, n_attr, attr);
    if (!term_build(t, op, a, want, n, args, &out, &e))
        fail_msg("%s", e.msg);
    return out;
}

static term_id parameter(struct terms *t, int64_t f, int64_t i, type_id type)
{
    return build(t, OP_PARAMETER, 2, (int64_t[]){f, i}, type, 0, NULL);
}

static term_id binary(struct terms *t, enum op op, term_id a, term_id b)
{
    return build(t, op, 0, NULL, NO_TYPE, 2, (term_id[]){a, b});
}

static term_id opaque(struct terms *t, const char *text, int64_t n_results,
                      int64_t serial, type_id type, uint32_t n,
                      const term_id *args)
{
    int64_t v[] = {sym_make(t->pool, text).v, n_results, serial};
    return build(t, OP_OPAQUE, 3, v, type, n, args);
}

// The naive model: all nodes in a list, searched from the front.
struct plain {
    enum op op;
    uint32_t attr, type, n, args[5];
};

static uint32_t plain_find(const struct plain *list, uint32_t len,
                           const struct plain *k)
{
    for (uint32_t i = 0; i < len; i++)
        if (list[i].op == k->op && list[i].attr == k->attr &&
            list[i].type == k->type && list[i].n == k->n &&
            !memcmp(list[i].args, k->args, k->n * sizeof *k->args))
            return i;
    return len;
}

static void hash_consing(void **state)
{
    (void)state;
    enum { STEPS = 8000 };
    struct fixture x;
    struct rng r;
    setup(&x);
    rng_seed(&r, seed);
    struct plain *list = mem_alloc(STEPS * sizeof *list);
    uint32_t len = 0, repeats = 0;
    for (int step = 0; step < STEPS; step++) {
        struct plain k = {(enum op)rng_below(&r, 3), 0, 0, 0, {0}};
        int64_t v = rng_range(&r, 0, 3);
        term_id args[5];
        k.attr = attr_make(&x.pool, (uint32_t)rng_below(&r, 2), &v).v;
        k.type = rng_below(&r, 2) ? x.f.v : x.fi.v;
        k.n = (uint32_t)rng_below(&r, len < 20 ? len / 4 + 1 : 6);
        if (k.n > 2 && rng_below(&r, 3))
            k.n = 2;
        for (uint32_t i = 0; i < k.n; i++) { // few choices: many repeats
            k.args[i] = (uint32_t)rng_below(&r, len < 30 ? len : 30);
            args[i].v = k.args[i];
        }
        uint32_t at = plain_find(list, len, &k);
        term_id id = term_make(&x.terms, k.op, (attr_id){k.attr},
                               (type_id){k.type}, k.n, args);
        assert_int_equal(id.v, at);
        if (at == len)
            list[len++] = k;
        else
            repeats++;
        assert_int_equal(x.terms.term.len, len);
    }
    assert_true(repeats > 100 && len > 500);
    for (uint32_t i = 0; i < len; i++) {
        term_id id = {i};
        const struct term *t = term_at(&x.terms, id);
        assert_true(t->op == list[i].op && t->type.v == list[i].type &&
                    t->attr.v == list[i].attr && t->n_args == list[i].n);
        for (uint32_t k = 0; k < list[i].n; k++)
            assert_int_equal(term_args(&x.terms, id)[k].v, list[i].args[k]);
    }
    mem_free(list);
    teardown(&x);
}

// Arguments may be given as a part of the store that moves.
static void arguments_of_the_store(void **state)
{
    (void)state;
    struct fixture x;
    setup(&x);
    term_id a = parameter(&x.terms, 0, 0, x.f);
    term_id b = parameter(&x.terms, 0, 1, x.f);
    term_id c = binary(&x.terms, OP_ADD, a, b);
    for (int64_t i = 0; i < 100; i++) {
        attr_id attr = attr_make(&x.pool, 1, &i);
        term_id d = term_make(&x.terms, OP_SUBTRACT, attr, x.f, 2,
                              term_args(&x.terms, c));
        assert_int_equal(term_args(&x.terms, d)[0].v, a.v);
        assert_int_equal(term_args(&x.terms, d)[1].v, b.v);
    }
    teardown(&x);
}

static void build_checks(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = {0};
    setup(&x);
    term_id a = parameter(&x.terms, 0, 0, x.f);
    term_id b = parameter(&x.terms, 0, 1, x.fi), out = NO_TERM;
    uint32_t len = x.terms.term.len;
    assert_false(term_build(&x.terms, OP_ADD, NO_ATTR, NO_TYPE, 2,
                            (term_id[]){a, b}, &out, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    assert_int_equal(out.v, NO_TERM.v);
    assert_int_equal(x.terms.term.len, len);
    err_clear(&e);
    term_id many[40];
    for (int i = 0; i < 40; i++)
        many[i] = a;
    int64_t dim = 1;
    out = build(&x.terms, OP_CONCATENATE, 1, &dim, NO_TYPE, 40, many);
    assert_true(type_dims(&x.pool, term_type(&x.terms, out))[1] == 120);
    assert_true(terms_check(&x.terms, &e));
    teardown(&x);
}

static void constants_are_canonical(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = {0};
    setup(&x);
    lit_id one =
        literal_splat(&x.pool, ELEM_F32, scalar_of_double(ELEM_F32, 1));
    lit_id two =
        literal_splat(&x.pool, ELEM_F32, scalar_of_double(ELEM_F32, 2));
    term_id a = term_constant(&x.terms, one, x.f);
    assert_int_equal(term_literal(&x.terms, a).v, one.v);
    assert_true(term_constant(&x.terms, two, x.f).v != a.v);
    term_id none = term_constant(&x.terms, one, x.empty);
    assert_int_equal(term_constant(&x.terms, two, x.empty).v, none.v);
    assert_true(pool_literal(&x.pool, term_literal(&x.terms, none))->count ==
                0);
    term_id p = parameter(&x.terms, 0, 0, x.f);
    assert_int_equal(term_literal(&x.terms, p).v, NO_LIT.v);
    assert_true(terms_check(&x.terms, &e));
    teardown(&x);
}

static void reach(void **state)
{
    (void)state;
    struct fixture x;
    struct u32_vec out = {0};
    setup(&x);
    term_id a = parameter(&x.terms, 0, 0, x.f);
    term_id b = parameter(&x.terms, 0, 1, x.f);
    term_id c = binary(&x.terms, OP_ADD, a, a);
    term_id d = binary(&x.terms, OP_ADD, b, b);
    term_id e = binary(&x.terms, OP_ADD, c, a);
    term_id roots[] = {e, c, e};
    vec_push(&out, 999);
    terms_reach(&x.terms, 3, roots, &out);
    assert_int_equal(out.len, 3);
    assert_int_equal(out.at[0], a.v);
    assert_int_equal(out.at[1], c.v);
    assert_int_equal(out.at[2], e.v);
    terms_reach(&x.terms, 1, &d, &out);
    assert_int_equal(out.len, 2);
    terms_reach(&x.terms, 0, NULL, &out);
    assert_int_equal(out.len, 0);
    vec_release(&out);
    teardown(&x);
}

static void check_fails(const struct terms *t, const char *what)
{
    struct err e = {0};
    assert_false(terms_check(t, &e));
    assert_int_equal(e.kind, ERR_CHECK);
    if (!strstr(e.msg, what))
        fail_msg("'%s' does not name %s", e.msg, what);
}

// Each invariant is broken once and found.
static void planted_faults(void **state)
{
    (void)state;
    struct fixture x;
    struct err e = {0};
    setup(&x);
    term_id a = parameter(&x.terms, 0, 0, x.f);
    term_id b = parameter(&x.terms, 0, 1, x.f);
    term_id c = binary(&x.terms, OP_ADD, a, b);
    binary(&x.terms, OP_MULTIPLY, c, b);
    assert_true(terms_check(&x.terms, &e));
    struct terms *t = &x.terms;
    uint32_t at = t->term.at[c.v].args_at;
    t->args.at[at] = c;
    check_fails(t, "T1");
    t->args.at[at] = b; // add(b, b) under the hash of add(a, b)
    check_fails(t, "T2");
    t->args.at[at] = a;
    t->term.at[c.v].type = x.fi;
    check_fails(t, "T2");
    t->term.at[c.v].type = x.f;
    t->term.at[c.v].op = N_OPS;
    check_fails(t, "exist");
    t->term.at[c.v].op = OP_ADD;
    for (uint32_t i = 0; i < t->slot.len; i++) {
        struct term_slot s = t->slot.at[i];
        if (!s.id)
            continue;
        t->slot.at[i].id = 0;
        check_fails(t, "T2");
        t->slot.at[i].id = 4711;
        check_fails(t, "4710");
        t->slot.at[i] = s;
    }
    assert_true(terms_check(t, &e));
    term_make(t, OP_ADD, NO_ATTR, x.fi, 2, (term_id[]){a, b});
    check_fails(t, "T3");
    teardown(&x);
}

static void check_print(const struct terms *t, term_id id, unsigned depth,
                        const char *want)
{
    struct buf b = {0};
    term_print(t, id, depth, &b);
    assert_string_equal(buf_text(&b), want);
    buf_release(&b);
}

static void printing(void **state)
{
    (void)state;
    struct fixture x;
    setup(&x);
    struct terms *t = &x.terms;
    term_id a = parameter(t, 0, 0, x.f), b = parameter(t, 0, 1, x.f);
    int64_t perm[] = {1, 0}, cmp[] = {CMP_LT, CMPT_FLOAT};
    term_id tb = build(t, OP_TRANSPOSE, 2, perm, NO_TYPE, 1, &b);
    tb = build(t, OP_TRANSPOSE, 2, perm, NO_TYPE, 1, &tb);
    term_id s = binary(t, OP_ADD, a, tb);
    check_print(t, s, 9, "add(%0, transpose(transpose(%1, [1, 0]), [1, 0]))");
    check_print(t, s, 1, "add(%0, #3)");
    check_print(t, build(t, OP_COMPARE, 2, cmp, NO_TYPE, 2, (term_id[]){a, b}),
                2, "compare(%0, %1, LT, FLOAT)");
    int64_t cut[] = {0, 1, 2, 3, 1, 2};
    check_print(t, build(t, OP_SLICE, 6, cut, NO_TYPE, 1, &a), 2,
                "slice(%0, [0, 1], [2, 3], [1, 2])");
    int64_t dim = 1;
    check_print(t, build(t, OP_IOTA, 1, &dim, x.fi, 0, NULL), 2,
                "iota([1]) : tensor<2x3xi32>");
    check_print(t, build(t, OP_CONVERT, 0, NULL, x.fi, 1, &a), 2,
                "convert(%0) : tensor<2x3xi32>");
    teardown(&x);
}

// A program of two functions and a declaration.
struct sample {
    struct pool pool;
    struct program program;
    type_id type;
};

static struct function *add_function(struct sample *s, const char *name,
                                     uint32_t n_params)
{
    struct function f = {.name = sym_make(&s->pool, name)};
    for (uint32_t i = 0; i < n_params; i++)
        vec_push(&f.params,
                 ((struct param){sym_make(&s->pool, "arg"), s->type, {0}}));
    vec_push(&s->program.functions, f);
    return &vec_last(&s->program.functions);
}

static void sample_init(struct sample *s)
{
    pool_init(&s->pool);
    program_init(&s->program, &s->pool);
    s->type = tensor(&s->pool, ELEM_F32, 2, 3);
    struct terms *t = &s->program.terms;
    struct function *f = add_function(s, "main", 2);
    term_id a = parameter(t, 0, 0, s->type), b = parameter(t, 0, 1, s->type);
    term_id sum = binary(t, OP_ADD, a, b);
    type_id pair = type_tuple(&s->pool, 2, (type_id[]){s->type, s->type});
    term_id two = opaque(t, "pair", 2, 0, pair, 1, &sum);
    int64_t k = 1;
    term_id second = build(t, OP_RESULT, 1, &k, NO_TYPE, 1, &two);
    term_id print =
        opaque(t, "print", 0, 1, type_tuple(&s->pool, 0, NULL), 1, &sum);
    vec_push(&f->results, ((struct result){second, s->type, {0}}));
    vec_push(&f->effects, print);
    f = add_function(s, "same", 1);
    vec_push(&f->results,
             ((struct result){parameter(t, 1, 0, s->type), s->type, {0}}));
    f = add_function(s, "outside", 1);
    f->declaration = true;
    vec_push(&f->results, ((struct result){NO_TERM, s->type, {0}}));
}

static void sample_release(struct sample *s)
{
    program_release(&s->program);
    pool_release(&s->pool);
}

static void programs(void **state)
{
    (void)state;
    struct sample s;
    struct err e = {0};
    sample_init(&s);
    if (!program_check(&s.program, &e))
        fail_msg("%s", e.msg);
    struct function *f = s.program.functions.at;
    struct u32_vec roots = {0};
    function_roots(&f[0], &roots);
    assert_int_equal(roots.len, 2);
    assert_int_equal(roots.at[0], f[0].results.at[0].term.v);
    assert_int_equal(roots.at[1], f[0].effects.at[0].v);
    function_roots(&f[2], &roots);
    assert_int_equal(roots.len, 0);
    assert_int_equal(function_size(&s.program, &f[0]), 3); // add, pair, print
    assert_int_equal(function_size(&s.program, &f[1]), 0);
    assert_int_equal(function_size(&s.program, &f[2]), 0);
    vec_release(&roots);
    sample_release(&s);
}

static void program_fails(const struct sample *s, const char *what)
{
    struct err e = {0};
    assert_false(program_check(&s->program, &e));
    assert_int_equal(e.kind, ERR_CHECK);
    if (!strstr(e.msg, what))
        fail_msg("'%s' does not say '%s'", e.msg, what);
}

static void program_faults(void **state)
{
    (void)state;
    struct sample s;
    struct err e = {0};
    sample_init(&s);
    struct function *f = s.program.functions.at;
    struct terms *t = &s.program.terms;
    term_id print = f[0].effects.at[0];
    f[0].effects.len = 0;
    vec_push(&f[0].results, f[0].results.at[0]);
    f[0].results.at[1].term = print;
    f[0].results.at[1].type = term_type(t, print);
    program_fails(&s, "type of several");
    (void)vec_pop(&f[0].results);
    term_id user = opaque(t, "use", 1, 2, s.type, 0, NULL);
    vec_push(&f[0].effects, print);
    term_id first = f[0].results.at[0].term;
    f[0].results.at[0].term = binary(t, OP_ADD, user, user);
    program_fails(&s, "not listed");
    vec_push(&f[0].effects, user);
    assert_true(program_check(&s.program, &e));
    vec_push(&f[0].effects, user);
    program_fails(&s, "twice");
    (void)vec_pop(&f[0].effects);
    vec_push(&f[1].effects, opaque(t, "other", 1, 2, s.type, 0, NULL));
    program_fails(&s, "serial 2");
    vec_clear(&f[1].effects);
    f[0].results.at[0].term = parameter(t, 1, 0, s.type);
    program_fails(&s, "parameter 0 of function 1");
    f[0].results.at[0].term = parameter(t, 0, 2, s.type);
    program_fails(&s, "parameter 2");
    f[0].results.at[0].term = first;
    f[0].params.at[0].type = tensor(&s.pool, ELEM_I32, 2, 3);
    program_fails(&s, "another type");
    f[0].params.at[0].type = s.type;
    f[0].results.at[0].term = NO_TERM;
    program_fails(&s, "result 0");
    f[0].results.at[0].term = first;
    f[1].name = f[0].name;
    program_fails(&s, "two functions");
    f[1].name = (sym_id){0};
    program_fails(&s, "no name");
    f[1].name = (sym_id){123456};
    program_fails(&s, "symbol");
    f[1].name = sym_make(&s.pool, "same");
    f[2].results.at[0].term = first;
    program_fails(&s, "result 0");
    f[2].results.at[0].term = NO_TERM;
    vec_push(&f[0].effects, first); // no side effect
    program_fails(&s, "no node with a side effect");
    (void)vec_pop(&f[0].effects);
    assert_true(program_check(&s.program, &e));
    sample_release(&s);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_consing),
        cmocka_unit_test(arguments_of_the_store),
        cmocka_unit_test(build_checks),
        cmocka_unit_test(constants_are_canonical),
        cmocka_unit_test(reach),
        cmocka_unit_test(planted_faults),
        cmocka_unit_test(printing),
        cmocka_unit_test(programs),
        cmocka_unit_test(program_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
