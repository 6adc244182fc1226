// SPDX-License-Identifier: Apache-2.0
// Layout laws against the interpreter; the orbit table against permutations
// that are composed by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "egraph/program/egraph.h"
#include "egraph/program/orbit.h"
#include "tests/unit/support/egraph_proof.h"

static uint64_t seed = 1;

enum { RANK = 4 };

struct perm {
    int64_t at[RANK];
};

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph g;
    struct stated stated;
    struct rng r;
    VEC(term_id) all;
};

static void world_init(struct world *w, uint64_t salt)
{
    memset(w, 0, sizeof *w);
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    egraph_init(&w->g, &w->terms, egraph_defaults());
    rng_seed(&w->r, seed * 1000 + salt);
}

static void world_release(struct world *w)
{
    egraph_release(&w->g);
    stated_release(&w->stated);
    vec_release(&w->all);
    terms_release(&w->terms);
    pool_release(&w->pool);
}

static term_id parameter(struct world *w, int64_t i, uint32_t rank,
                         const int64_t *dims)
{
    type_id type;
    term_id out;
    struct err e = {0};
    int64_t v[2] = {0, i};
    assert_true(type_tensor(&w->pool, ELEM_I32, rank, dims, &type, &e));
    assert_true(egraph_add(&w->g, OP_PARAMETER, attr_make(&w->pool, 2, v), type,
                           0, NULL, &out, &e));
    return out;
}

static void closed(struct world *w)
{
    struct err e = {0};
    egraph_rebuild(&w->g);
    if (!egraph_check(&w->g, &e) || !orbit_check(&w->g, &e))
        fail_msg("%s (seed %lu)", e.msg, (unsigned long)seed);
}

static void shuffle(struct rng *r, uint32_t n, int64_t *p)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)rng_below(r, i + 1);
        p[i] = p[k];
        p[k] = (int64_t)i;
    }
}

static term_id transpose(struct world *w, term_id x, uint32_t n,
                         const int64_t *p)
{
    term_id out;
    struct err e = {0};
    assert_true(egraph_add(&w->g, OP_TRANSPOSE, attr_make(&w->pool, n, p),
                           NO_TYPE, 1, &x, &out, &e));
    return out;
}

static struct perm then(struct perm p, struct perm q)
{
    struct perm r;
    for (int i = 0; i < RANK; i++)
        r.at[i] = p.at[q.at[i]];
    return r;
}

// Three parameters; each term is transpose(parameter, what composition gives).
static void check_pairs(struct world *w, const struct perm *of,
                        const uint32_t *base)
{
    struct egraph *g = &w->g;
    for (uint32_t i = 0; i < w->all.len; i++)
        for (uint32_t k = 0; k < w->all.len; k++) {
            class_id a = egraph_find(g, w->all.at[i]);
            class_id b = egraph_find(g, w->all.at[k]);
            attr_id p;
            bool related = orbit_relation(g, a, b, &p);
            assert_int_equal(related, base[i] == base[k]);
            bool same =
                base[i] == base[k] && memcmp(&of[i], &of[k], sizeof of[i]) == 0;
            assert_int_equal(a.v == b.v, same);
            if (!related)
                continue;
            struct perm q;
            memcpy(q.at, attr_at(&w->pool, perm_full(&w->pool, p, RANK)),
                   sizeof q.at);
            struct perm both = then(of[i], q);
            assert_memory_equal(&both, &of[k], sizeof both);
            if (same)
                assert_true(proved(g, w->all.at[i], w->all.at[k], &w->stated));
        }
}

static void chains_of_transposes(void **unused)
{
    (void)unused;
    for (uint32_t run = 0; run < 20; run++) {
        struct world w;
        struct perm of[64];
        uint32_t base[64];
        world_init(&w, run);
        int64_t dims[RANK] = {2, 3, 5, 7}, cube[RANK] = {4, 4, 4, 4};
        for (uint32_t i = 0; i < 3; i++) {
            vec_push(&w.all, parameter(&w, i, RANK, run & 1 ? dims : cube));
            of[i] = (struct perm){{0, 1, 2, 3}};
            base[i] = i;
        }
        while (w.all.len < 28) {
            uint32_t i = (uint32_t)rng_below(&w.r, w.all.len), n = w.all.len;
            struct perm p;
            shuffle(&w.r, RANK, p.at);
            of[n] = then(of[i], p);
            base[n] = base[i];
            term_id t = transpose(&w, w.all.at[i], RANK, p.at);
            vec_push(&w.all, t);
            if (rng_below(&w.r, 9) == 0)
                closed(&w);
        }
        closed(&w);
        check_pairs(&w, of, base);
        // Two parameters become transposes of each other.
        for (uint32_t i = 0; i < w.all.len; i++)
            for (uint32_t k = 0; k < i; k++)
                if (base[i] == 2 && base[k] == 0 &&
                    term_type(&w.terms, w.all.at[i]).v ==
                        term_type(&w.terms, w.all.at[k]).v) {
                    struct perm back, move;
                    for (int j = 0; j < RANK; j++)
                        back.at[of[i].at[j]] = j;
                    move = then(of[k], back); // base 2 = transpose(base 0, .)
                    assert_true(
                        state(&w.g, &w.stated, w.all.at[i], w.all.at[k]));
                    for (uint32_t m = 0; m < w.all.len; m++)
                        if (base[m] == 2) {
                            base[m] = 0;
                            of[m] = then(move, of[m]);
                        }
                }
        closed(&w);
        check_pairs(&w, of, base);
        world_release(&w);
    }
}

// Whatever is merged, also tensors with their own transposes: a relation that
// the table states is an equality of the graph as soon as its term is added.
static void relations_are_equalities(void **unused)
{
    (void)unused;
    for (uint32_t run = 0; run < 40; run++) {
        struct world w;
        world_init(&w, 100 + run);
        int64_t cube[3] = {4, 4, 4};
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&w.all, parameter(&w, i, 3, cube));
        for (uint32_t step = 0; step < 40; step++) {
            term_id a = w.all.at[rng_below(&w.r, w.all.len)];
            term_id b = w.all.at[rng_below(&w.r, w.all.len)];
            struct err e = {0};
            term_id out;
            int64_t p[3];
            uint64_t dice = rng_below(&w.r, 10);
            if (dice < 6) {
                shuffle(&w.r, 3, p);
                out = transpose(&w, a, 3, p);
                vec_push(&w.all, out);
            } else if (dice < 8) {
                assert_true(egraph_add(&w.g, OP_NEGATE, NO_ATTR, NO_TYPE, 1, &a,
                                       &out, &e));
                vec_push(&w.all, out);
            } else if (dice == 8) {
                assert_true(state(&w.g, &w.stated, a, b));
            } else {
                closed(&w);
            }
        }
        closed(&w);
        for (uint32_t i = 0; i < 60; i++) {
            term_id x = w.all.at[rng_below(&w.r, w.all.len)];
            class_id a = egraph_find(&w.g, x);
            class_id member[64];
            uint32_t n = 0;
            for (class_id m = a; m.v != NO_CLASS.v; m = orbit_next(&w.g, a, m))
                member[n++] = m;
            assert_int_equal(n, orbit_count(&w.g, a));
            for (uint32_t k = 0; k < n; k++) {
                attr_id p; // what was added before may have merged classes
                a = egraph_find(&w.g, x);
                class_id m = egraph_find(&w.g, class_term(&w.g, member[k]));
                assert_true(orbit_relation(&w.g, a, m, &p));
                p = perm_full(&w.pool, p, 3);
                term_id out;
                struct err e = {0};
                assert_true(egraph_add(&w.g, OP_TRANSPOSE, p, NO_TYPE, 1, &x,
                                       &out, &e));
                egraph_rebuild(&w.g);
                assert_true(egraph_same(&w.g, out, class_term(&w.g, m)));
                assert_true(proved(&w.g, out, class_term(&w.g, m), &w.stated));
            }
        }
        closed(&w);
        world_release(&w);
    }
}

static void faults_are_found(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w, 600);
    int64_t cube[3] = {4, 4, 4}, p[3] = {1, 2, 0}, q[3] = {1, 0, 2};
    term_id x = parameter(&w, 0, 3, cube), y = transpose(&w, x, 3, p);
    term_id z = transpose(&w, y, 3, q);
    closed(&w);
    struct err e = {0};
    struct class_data *c = egraph_class(&w.g, egraph_find(&w.g, z));
    struct class_data was = *c,
                      *lead = egraph_class(&w.g, egraph_find(&w.g, x));
    c->perm = attr_make(&w.pool, 3, p);
    assert_false(orbit_check(&w.g, &e)); // O2: that is y
    *c = was;
    err_clear(&e);
    c->perm = NO_ATTR;
    assert_false(orbit_check(&w.g, &e)); // O1: that is x
    *c = was;
    err_clear(&e);
    lead->perm = attr_make(&w.pool, 3, p);
    assert_false(orbit_check(&w.g, &e)); // O1
    lead->perm = NO_ATTR;
    err_clear(&e);
    c->leader = egraph_node(&w.g, y);
    assert_false(orbit_check(&w.g, &e)); // O1, O3
    *c = was;
    err_clear(&e);
    assert_true(orbit_check(&w.g, &e));
    world_release(&w);
}

// Random programs of layout operators; nothing is merged from outside, so all
// terms of one class must evaluate to the same elements.

// A gather of x by the second parameter, i32 of 2 x 1 x 3, whose vectors of one
// element stand along dimension 1, at times batched along one of the others;
// or a scatter of what was gathered.
static term_id random_places(struct world *w, term_id x)
{
    struct pool *pool = &w->pool;
    type_id from = term_type(&w->terms, x);
    uint32_t rank = type_rank(pool, from), n = 6;
    const int64_t *dims = type_dims(pool, from);
    if (rank == 0 || rank > 3)
        return x;
    int64_t b = rank < 2 || rng_below(&w->r, 2) == 0 ? -1
                : dims[0] == 2                       ? 0
                : dims[0] == 3                       ? 2
                                                     : -1;
    int64_t axis = b >= 0, v[40] = {rank - 1 - axis, 1, axis, 1, 0, 1};
    for (uint32_t i = 0; i < rank - 1 - axis; i++)
        v[n++] = 2 + (int64_t)i;
    v[n++] = axis;
    if (b >= 0) {
        v[n++] = 0;
        v[n++] = b;
    }
    v[n++] = axis;
    uint32_t sizes = n;
    for (uint32_t i = 0; i < rank; i++)
        v[n++] = (int64_t)i <= axis ? 1 : dims[i];
    term_id args[3] = {x, w->all.at[1]}, out;
    struct err e = {0};
    assert_true(egraph_add(&w->g, OP_GATHER, attr_make(pool, n, v), NO_TYPE, 2,
                           args, &out, &e));
    if (rng_below(&w->r, 2) == 0)
        return out;
    int64_t s[40] = {OP_ADD, v[0], 1, axis, 1, 0, 0, 1};
    for (uint32_t i = 6; i < sizes; i++)
        s[i + 2] = v[i];
    args[2] = out;
    assert_true(egraph_add(&w->g, OP_SCATTER, attr_make(pool, sizes + 2, s),
                           NO_TYPE, 3, args, &out, &e));
    return out;
}

static term_id random_layout(struct world *w, term_id x)
{
    struct pool *pool = &w->pool;
    type_id from = term_type(&w->terms, x), want = from;
    uint32_t rank = type_rank(pool, from);
    int64_t dims[MAX_RANK], d[MAX_RANK], p[MAX_RANK];
    struct err e = {0};
    term_id out;
    memcpy(dims, type_dims(pool, from), rank * sizeof dims[0]);
    switch (rng_below(&w->r, 7)) {
    case 0:
    case 1:
        shuffle(&w->r, rank, p);
        return transpose(w, x, rank, p);
    case 2:
    case 3: { // broadcast_in_dim to at most rank 4, stretching at times
        uint32_t to = rank + (uint32_t)rng_below(&w->r, rank < 4 ? 2 : 1);
        shuffle(&w->r, to, p);
        for (uint32_t i = 0; i < to; i++)
            d[i] = rng_range(&w->r, 1, 3);
        for (uint32_t i = 0; i < rank; i++)
            if (dims[i] != 1 || rng_below(&w->r, 2) == 0)
                d[p[i]] = dims[i];
        assert_true(type_tensor(pool, ELEM_I32, to, d, &want, &e));
        assert_true(egraph_add(&w->g, OP_BROADCAST_IN_DIM,
                               attr_make(pool, rank, p), want, 1, &x, &out,
                               &e));
        return out;
    }
    case 4:
        assert_true(
            egraph_add(&w->g, OP_CONVERT, NO_ATTR, from, 1, &x, &out, &e));
        return out;
    case 5:
        return random_places(w, x);
    default:
        assert_true(
            egraph_add(&w->g, OP_REVERSE, NO_ATTR, NO_TYPE, 1, &x, &out, &e));
        return out;
    }
}

static void classes_have_one_value(void **unused)
{
    (void)unused;
    uint32_t law_used[N_LAYOUTS] = {0};
    for (uint32_t run = 0; run < 40; run++) {
        struct world w;
        world_init(&w, 200 + run);
        int64_t dims[3] = {2, 1, 3}, square[2] = {2, 2};
        vec_push(&w.all, parameter(&w, 0, 0, NULL));
        vec_push(&w.all, parameter(&w, 1, 3, dims));
        vec_push(&w.all, parameter(&w, 2, 2, square));
        for (int i = 0; i < 25; i++) {
            term_id t = random_layout(&w, w.all.at[rng_below(&w.r, w.all.len)]);
            vec_push(&w.all, t);
        }
        closed(&w);
        struct arena mem = {0};
        struct err e = {0};
        struct value params[3], *v;
        struct explanation x = {0};
        uint32_t n = w.terms.term.len;
        for (uint32_t i = 0; i < 3; i++)
            params[i] = value_random(&w.pool, term_type(&w.terms, w.all.at[i]),
                                     &w.r, false, &mem);
        v = ARENA_NEW(&mem, struct value, n);
        term_id *roots = ARENA_NEW(&mem, term_id, n);
        for (uint32_t i = 0; i < n; i++)
            roots[i] = (term_id){i};
        if (!eval_terms(&w.terms, n, roots, 3, params, &mem, v, &e))
            fail_msg("%s", e.msg);
        for (uint32_t i = 0; i < n; i++) {
            if (!egraph_known(&w.g, roots[i]))
                continue;
            int64_t where;
            term_id root = class_term(&w.g, egraph_find(&w.g, roots[i]));
            if (!value_same(&w.pool, &v[i], &v[root.v], 0, &where))
                fail_msg("terms %u and %u differ, seed %lu", i, root.v,
                         (unsigned long)seed);
            assert_true(proved(&w.g, roots[i], root, &w.stated));
            uint32_t line;
            bool flip;
            assert_true(explain(&w.g, roots[i], root, &x, &line, &flip, &e));
        }
        for (uint32_t i = 0; i < x.line.len; i++)
            if (x.line.at[i].kind == PROOF_LAYOUT)
                law_used[x.line.at[i].x]++;
        explanation_release(&x);
        arena_release(&mem);
        world_release(&w);
    }
    for (int k = LAYOUT_COMPOSE; k < N_LAYOUTS; k++)
        if (law_used[k] == 0)
            fail_msg("the law %s was never tried",
                     layout_text((enum layout_kind)k));
}

static void laws_by_hand(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w, 300);
    int64_t dims[3] = {2, 3, 4}, p[3] = {1, 2, 0}, up[3] = {0, 1, 2};
    term_id x = parameter(&w, 0, 3, dims), r;
    term_id t = transpose(&w, x, 3, p);  // 3 x 4 x 2
    term_id tt = transpose(&w, t, 3, p); // 4 x 2 x 3
    assert_true(layout_rewrite(&w.terms, tt, LAYOUT_COMPOSE, &r));
    int64_t both[3] = {2, 0, 1};
    assert_int_equal(r.v, transpose(&w, x, 3, both).v);
    term_id ttt = transpose(&w, tt, 3, p);
    term_id flat = transpose(&w, r, 3, p);
    assert_false(layout_rewrite(&w.terms, x, LAYOUT_COMPOSE, &r));
    assert_false(layout_rewrite(&w.terms, t, LAYOUT_IDENTITY, &r));
    assert_true(layout_rewrite(&w.terms, flat, LAYOUT_COMPOSE, &r));
    assert_int_equal(r.v, x.v);
    term_id id = transpose(&w, x, 3, up);
    assert_true(layout_rewrite(&w.terms, id, LAYOUT_IDENTITY, &r));
    assert_int_equal(r.v, x.v);
    closed(&w);
    assert_true(egraph_same(&w.g, ttt, x));
    assert_true(egraph_same(&w.g, id, x));
    // Operand dim i is result dim d[i]: 2x3x4 by [1, 2, 0] is 4x2x3, which is
    // the transpose by [2, 0, 1].
    struct err e = {0};
    term_id b;
    assert_true(egraph_add(&w.g, OP_BROADCAST_IN_DIM, attr_make(&w.pool, 3, p),
                           term_type(&w.terms, tt), 1, &x, &b, &e));
    assert_true(layout_rewrite(&w.terms, b, LAYOUT_PERMUTE, &r));
    assert_int_equal(r.v, transpose(&w, x, 3, both).v);
    enum layout_kind k;
    assert_true(layout_by_text("fuse", &k) && k == LAYOUT_FUSE);
    assert_false(layout_by_text("fuze", &k));
    world_release(&w);
}

// Reduce over no dims: dropped only where it is bit-exact.
static void empty_reductions(void **unused)
{
    (void)unused;
    static const struct {
        enum elem elem;
        enum op reducer;
        int64_t init;
        bool dropped;
    } cases[] = {
        {ELEM_I32, OP_ADD, 0, true},      {ELEM_I32, OP_ADD, 1, false},
        {ELEM_F32, OP_ADD, 0, false},     {ELEM_F32, OP_MULTIPLY, 1, true},
        {ELEM_REAL, OP_ADD, 0, true},     {ELEM_I32, OP_MULTIPLY, 1, true},
        {ELEM_I32, OP_MAXIMUM, 0, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct world w;
        world_init(&w, 400);
        struct err e = {0};
        type_id matrix, scalar;
        int64_t dims[2] = {2, 3}, par[2] = {0, 0}, att = cases[i].reducer;
        enum elem t = cases[i].elem;
        assert_true(type_tensor(&w.pool, t, 2, dims, &matrix, &e));
        assert_true(type_tensor(&w.pool, t, 0, NULL, &scalar, &e));
        term_id args[2], out;
        assert_true(egraph_add(&w.g, OP_PARAMETER, attr_make(&w.pool, 2, par),
                               matrix, 0, NULL, &args[0], &e));
        args[1] = term_constant(
            &w.terms,
            literal_splat(&w.pool, t, scalar_of_int(t, cases[i].init)), scalar);
        assert_true(egraph_add(&w.g, OP_REDUCE, attr_make(&w.pool, 1, &att),
                               NO_TYPE, 2, args, &out, &e));
        closed(&w);
        assert_int_equal(egraph_same(&w.g, out, args[0]), cases[i].dropped);
        world_release(&w);
    }
}

// A chain of broadcasts reaches its scalar, whatever comes between.
static void splats_are_found(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w, 500);
    term_id s = parameter(&w, 0, 0, NULL), row, all;
    int64_t n3[1] = {3}, n23[2] = {2, 3}, one[1] = {1}, swap[2] = {1, 0};
    type_id t3, t23;
    struct err e = {0};
    assert_true(type_tensor(&w.pool, ELEM_I32, 1, n3, &t3, &e));
    assert_true(type_tensor(&w.pool, ELEM_I32, 2, n23, &t23, &e));
    assert_true(
        egraph_add(&w.g, OP_BROADCAST_IN_DIM, NO_ATTR, t3, 1, &s, &row, &e));
    assert_true(egraph_add(&w.g, OP_BROADCAST_IN_DIM,
                           attr_make(&w.pool, 1, one), t23, 1, &row, &all, &e));
    term_id turned = transpose(&w, all, 2, swap), direct;
    assert_true(egraph_add(&w.g, OP_BROADCAST_IN_DIM, NO_ATTR,
                           term_type(&w.terms, turned), 1, &s, &direct, &e));
    closed(&w);
    assert_true(egraph_same(&w.g, turned, direct));
    assert_true(proved(&w.g, turned, direct, &w.stated));
    world_release(&w);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_transposes),
        cmocka_unit_test(relations_are_equalities),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(classes_have_one_value),
        cmocka_unit_test(laws_by_hand),
        cmocka_unit_test(empty_reductions),
        cmocka_unit_test(splats_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
