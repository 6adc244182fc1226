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
#include "tests/unit/support/layout_world.h"

enum { RANK = 4 };

struct perm {
    int64_t at[RANK];
};

static void shuffle(struct rng *rng, uint32_t n, int64_t *p)
{
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)rng_below(rng, i + 1);
        p[i] = p[k];
        p[k] = (int64_t)i;
    }
}

static struct perm then(struct perm p, struct perm q)
{
    struct perm perm;
    for (int i = 0; i < RANK; i++)
        perm.at[i] = p.at[q.at[i]];
    return perm;
}

// Three parameters; each term is transpose(parameter, what composition gives).
static void check_pairs(struct world *world, const struct perm *of, const uint32_t *base)
{
    struct egraph *graph = &world->graph;
    for (uint32_t i = 0; i < world->all.len; i++)
        for (uint32_t k = 0; k < world->all.len; k++) {
            class_id class = egraph_find(graph, world->all.at[i]);
            class_id b = egraph_find(graph, world->all.at[k]);
            attr_id attr;
            bool related = orbit_relation(graph, class, b, &attr);
            assert_int_equal(related, base[i] == base[k]);
            bool same = base[i] == base[k] && memcmp(&of[i], &of[k], sizeof of[i]) == 0;
            assert_int_equal(class.v == b.v, same);
            if (!related)
                continue;
            struct perm perm;
            memcpy(perm.at, attr_at(&world->pool, perm_full(&world->pool, attr, RANK)),
                   sizeof perm.at);
            struct perm both = then(of[i], perm);
            assert_memory_equal(&both, &of[k], sizeof both);
            if (same)
                assert_true(proved(graph, world->all.at[i], world->all.at[k], &world->stated));
        }
}

static void chains_of_transposes(void **unused)
{
    (void)unused;
    for (uint32_t run = 0; run < 20; run++) {
        struct world world;
        struct perm of[64];
        uint32_t base[64];
        world_init(&world, run);
        int64_t dims[RANK] = {2, 3, 5, 7}, cube[RANK] = {4, 4, 4, 4};
        for (uint32_t i = 0; i < 3; i++) {
            vec_push(&world.all, parameter(&world, i, RANK, run & 1 ? dims : cube));
            of[i] = (struct perm){{0, 1, 2, 3}};
            base[i] = i;
        }
        while (world.all.len < 28) {
            uint32_t i = (uint32_t)rng_below(&world.rng, world.all.len), n = world.all.len;
            struct perm perm;
            shuffle(&world.rng, RANK, perm.at);
            of[n] = then(of[i], perm);
            base[n] = base[i];
            term_id term = transpose(&world, world.all.at[i], RANK, perm.at);
            vec_push(&world.all, term);
            if (rng_below(&world.rng, 9) == 0)
                closed(&world);
        }
        closed(&world);
        check_pairs(&world, of, base);
        // Two parameters become transposes of each other.
        for (uint32_t i = 0; i < world.all.len; i++)
            for (uint32_t k = 0; k < i; k++)
                if (base[i] == 2 && base[k] == 0 &&
                    term_type(&world.terms, world.all.at[i]).v ==
                        term_type(&world.terms, world.all.at[k]).v) {
                    struct perm back, move;
                    for (int j = 0; j < RANK; j++)
                        back.at[of[i].at[j]] = j;
                    move = then(of[k], back); // base 2 = transpose(base 0, .)
                    assert_true(
                        state(&world.graph, &world.stated, world.all.at[i], world.all.at[k]));
                    for (uint32_t m = 0; m < world.all.len; m++)
                        if (base[m] == 2) {
                            base[m] = 0;
                            of[m] = then(move, of[m]);
                        }
                }
        closed(&world);
        check_pairs(&world, of, base);
        world_release(&world);
    }
}

// Whatever is merged, also tensors with their own transposes: a relation that
// the table states is an equality of the graph as soon as its term is added.
static void relations_are_equalities(void **unused)
{
    (void)unused;
    for (uint32_t run = 0; run < 40; run++) {
        struct world world;
        world_init(&world, 100 + run);
        int64_t cube[3] = {4, 4, 4};
        for (uint32_t i = 0; i < 4; i++)
            vec_push(&world.all, parameter(&world, i, 3, cube));
        for (uint32_t step = 0; step < 40; step++) {
            term_id term = world.all.at[rng_below(&world.rng, world.all.len)];
            term_id b = world.all.at[rng_below(&world.rng, world.all.len)];
            struct err err = {0};
            term_id out;
            int64_t p[3];
            uint64_t dice = rng_below(&world.rng, 10);
            if (dice < 6) {
                shuffle(&world.rng, 3, p);
                out = transpose(&world, term, 3, p);
                vec_push(&world.all, out);
            } else if (dice < 8) {
                assert_true(egraph_add(&world.graph,
                                       (struct operation){OP_NEGATE, NO_ATTR, NO_TYPE, 1}, &term,
                                       &out, &err));
                vec_push(&world.all, out);
            } else if (dice == 8) {
                assert_true(state(&world.graph, &world.stated, term, b));
            } else {
                closed(&world);
            }
        }
        closed(&world);
        for (uint32_t i = 0; i < 60; i++) {
            term_id x = world.all.at[rng_below(&world.rng, world.all.len)];
            class_id class = egraph_find(&world.graph, x);
            class_id member[64];
            uint32_t n = 0;
            for (class_id m = class; m.v != NO_CLASS.v; m = orbit_next(&world.graph, class, m))
                member[n++] = m;
            assert_int_equal(n, orbit_count(&world.graph, class));
            for (uint32_t k = 0; k < n; k++) {
                attr_id attr; // what was added before may have merged classes
                class = egraph_find(&world.graph, x);
                class_id m = egraph_find(&world.graph, class_term(&world.graph, member[k]));
                assert_true(orbit_relation(&world.graph, class, m, &attr));
                attr = perm_full(&world.pool, attr, 3);
                term_id out;
                struct err error = {0};
                assert_true(egraph_add(&world.graph,
                                       (struct operation){OP_TRANSPOSE, attr, NO_TYPE, 1}, &x, &out,
                                       &error));
                egraph_rebuild(&world.graph);
                assert_true(egraph_same(&world.graph, out, class_term(&world.graph, m)));
                assert_true(proved(&world.graph, out, class_term(&world.graph, m), &world.stated));
            }
        }
        closed(&world);
        world_release(&world);
    }
}

static void faults_are_found(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world, 600);
    int64_t cube[3] = {4, 4, 4}, p[3] = {1, 2, 0}, q[3] = {1, 0, 2};
    term_id term = parameter(&world, 0, 3, cube), y = transpose(&world, term, 3, p);
    term_id z = transpose(&world, y, 3, q);
    closed(&world);
    struct err err = {0};
    struct class_data *data = egraph_class(&world.graph, egraph_find(&world.graph, z));
    struct class_data was = *data,
                      *lead = egraph_class(&world.graph, egraph_find(&world.graph, term));
    data->perm = attr_make(&world.pool, 3, p);
    assert_false(orbit_check(&world.graph, &err)); // O2: that is y
    *data = was;
    err_clear(&err);
    data->perm = NO_ATTR;
    assert_false(orbit_check(&world.graph, &err)); // O1: that is x
    *data = was;
    err_clear(&err);
    lead->perm = attr_make(&world.pool, 3, p);
    assert_false(orbit_check(&world.graph, &err)); // O1
    lead->perm = NO_ATTR;
    err_clear(&err);
    data->leader = egraph_node(&world.graph, y);
    assert_false(orbit_check(&world.graph, &err)); // O1, O3
    *data = was;
    err_clear(&err);
    assert_true(orbit_check(&world.graph, &err));
    world_release(&world);
}

// Random programs of layout operators; nothing is merged from outside, so all
// terms of one class must evaluate to the same elements.

// A gather of term by the second parameter, i32 of 2 term 1 term 3, whose vectors of one
// element stand along dimension 1, at times batched along one of the others;
// or a scatter of what was gathered.
static term_id random_places(struct world *world, term_id term)
{
    struct pool *pool = &world->pool;
    type_id from = term_type(&world->terms, term);
    uint32_t rank = type_rank(pool, from), n = 6;
    const int64_t *dims = type_dims(pool, from);
    if (rank == 0 || rank > 3)
        return term;
    int64_t b = rank < 2 || rng_below(&world->rng, 2) == 0 ? -1
                : dims[0] == 2                             ? 0
                : dims[0] == 3                             ? 2
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
    term_id args[3] = {term, world->all.at[1]}, out;
    struct err err = {0};
    assert_true(egraph_add(&world->graph,
                           (struct operation){OP_GATHER, attr_make(pool, n, v), NO_TYPE, 2}, args,
                           &out, &err));
    if (rng_below(&world->rng, 2) == 0)
        return out;
    int64_t s[40] = {OP_ADD, v[0], 1, axis, 1, 0, 0, 1};
    for (uint32_t i = 6; i < sizes; i++)
        s[i + 2] = v[i];
    args[2] = out;
    assert_true(egraph_add(
        &world->graph, (struct operation){OP_SCATTER, attr_make(pool, sizes + 2, s), NO_TYPE, 3},
        args, &out, &err));
    return out;
}

// A gather of one piece at a constant place, in range or not.
static term_id random_piece(struct world *world, term_id term)
{
    struct pool *pool = &world->pool;
    type_id from = term_type(&world->terms, term), vector;
    uint32_t rank = type_rank(pool, from), n = 6;
    int64_t collapsed = (int64_t)rng_below(&world->rng, 2), one = 1;
    int64_t v[40] = {rank - collapsed, collapsed, 0, 1, 0, 0};
    struct err err = {0};
    term_id args[2] = {term}, out;
    for (uint32_t i = 0; i < rank - collapsed; i++)
        v[n++] = (int64_t)i;
    if (collapsed)
        v[n++] = 0;
    v[n++] = (int64_t)rng_below(&world->rng, rank);
    for (uint32_t i = 0; i < rank; i++)
        v[n++] = i == 0 && collapsed ? 1 : rng_range(&world->rng, 1, type_dims(pool, from)[i]);
    assert_true(type_tensor(pool, ELEM_I32, 1, &one, &vector, &err));
    struct scalar start = scalar_of_int(ELEM_I32, rng_range(&world->rng, -1, 3));
    args[1] = term_constant(&world->terms, literal_splat(pool, ELEM_I32, start), vector);
    egraph_add_term(&world->graph, args[1]);
    assert_true(egraph_add(&world->graph,
                           (struct operation){OP_GATHER, attr_make(pool, n, v), NO_TYPE, 2}, args,
                           &out, &err));
    return out;
}

// The same elements by other sizes: at times only with another number of sizes 1.
static term_id random_reshape(struct world *world, term_id term)
{
    struct pool *pool = &world->pool;
    type_id from = term_type(&world->terms, term), want;
    uint32_t rank = type_rank(pool, from), n = 0;
    int64_t dims[2 * TENSOR_MAX_RANK];
    bool merges = rng_below(&world->rng, 3) == 0;
    for (uint32_t d = 0; d < rank; d++) {
        int64_t size = type_dims(pool, from)[d];
        if (rng_below(&world->rng, 5) == 0)
            dims[n++] = 1;
        if (merges && n > 0)
            dims[n - 1] *= size;
        else if (size != 1 || rng_below(&world->rng, 2) == 0)
            dims[n++] = size;
    }
    struct err err = {0};
    term_id out;
    assert_true(type_tensor(pool, type_elem(pool, from), n, dims, &want, &err));
    assert_true(egraph_add(&world->graph, (struct operation){OP_RESHAPE, NO_ATTR, want, 1}, &term,
                           &out, &err));
    return out;
}

// With another term of the same type, or a constant.
static term_id random_sum(struct world *world, term_id term)
{
    type_id type = term_type(&world->terms, term);
    lit_id three = literal_splat(&world->pool, ELEM_I32, scalar_of_int(ELEM_I32, 3));
    term_id args[2] = {term, term_constant(&world->terms, three, type)}, out;
    struct err err = {0};
    for (uint32_t i = 0; i < world->all.len; i++)
        if (term_type(&world->terms, world->all.at[i]).v == type.v &&
            rng_below(&world->rng, 2) == 0)
            args[1] = world->all.at[i];
    egraph_add_term(&world->graph, args[1]);
    assert_true(egraph_add(&world->graph, (struct operation){OP_ADD, NO_ATTR, NO_TYPE, 2}, args,
                           &out, &err));
    return out;
}

static term_id random_layout(struct world *world, term_id term)
{
    struct pool *pool = &world->pool;
    type_id from = term_type(&world->terms, term), want = from;
    uint32_t rank = type_rank(pool, from);
    int64_t dims[TENSOR_MAX_RANK], d[TENSOR_MAX_RANK], p[TENSOR_MAX_RANK];
    struct err err = {0};
    term_id out;
    memcpy(dims, type_dims(pool, from), rank * sizeof dims[0]);
    switch (rng_below(&world->rng, 12)) {
    case 0:
    case 1:
        shuffle(&world->rng, rank, p);
        return transpose(world, term, rank, p);
    case 2:
    case 3: { // broadcast_in_dim to at most rank 4, stretching at times
        uint32_t to = rank + (uint32_t)rng_below(&world->rng, rank < 4 ? 2 : 1);
        shuffle(&world->rng, to, p);
        for (uint32_t i = 0; i < to; i++)
            d[i] = rng_range(&world->rng, 1, 3);
        for (uint32_t i = 0; i < rank; i++)
            if (dims[i] != 1 || rng_below(&world->rng, 2) == 0)
                d[p[i]] = dims[i];
        assert_true(type_tensor(pool, ELEM_I32, to, d, &want, &err));
        assert_true(
            egraph_add(&world->graph,
                       (struct operation){OP_BROADCAST_IN_DIM, attr_make(pool, rank, p), want, 1},
                       &term, &out, &err));
        return out;
    }
    case 4:
        assert_true(egraph_add(&world->graph, (struct operation){OP_CONVERT, NO_ATTR, from, 1},
                               &term, &out, &err));
        return out;
    case 5:
        return rank > 0 && rng_below(&world->rng, 2) == 0 ? random_piece(world, term)
                                                          : random_places(world, term);
    case 6:
    case 7:
        return random_sum(world, term);
    case 8:
    case 9:
        return random_reshape(world, term);
    case 10: { // bounds of rank 0
        term_id three[3] = {world->all.at[0], term, world->all.at[0]};
        assert_true(egraph_add(&world->graph, (struct operation){OP_CLAMP, NO_ATTR, NO_TYPE, 3},
                               three, &out, &err));
        return out;
    }
    default:
        assert_true(egraph_add(&world->graph, (struct operation){OP_REVERSE, NO_ATTR, NO_TYPE, 1},
                               &term, &out, &err));
        return out;
    }
}

static void classes_have_one_value(void **unused)
{
    (void)unused;
    uint32_t law_used[N_LAYOUTS] = {0};
    for (uint32_t run = 0; run < 60; run++) {
        struct world world;
        world_init(&world, 200 + run);
        int64_t dims[3] = {2, 1, 3}, square[2] = {2, 2};
        vec_push(&world.all, parameter(&world, 0, 0, NULL));
        vec_push(&world.all, parameter(&world, 1, 3, dims));
        vec_push(&world.all, parameter(&world, 2, 2, square));
        for (int i = 0; i < 25; i++) {
            term_id term =
                random_layout(&world, world.all.at[rng_below(&world.rng, world.all.len)]);
            vec_push(&world.all, term);
        }
        closed(&world);
        if (run % 2 == 0) {
            orbit_complete(&world.graph);
            closed(&world);
        }
        struct arena mem = {0};
        struct err err = {0};
        struct value params[3], *value;
        struct explanation proof = {0};
        uint32_t n = world.terms.term.len;
        for (uint32_t i = 0; i < 3; i++)
            params[i] = value_random(&world.pool, term_type(&world.terms, world.all.at[i]),
                                     &world.rng, false, &mem);
        value = ARENA_NEW(&mem, struct value, n);
        term_id *roots = ARENA_NEW(&mem, term_id, n);
        for (uint32_t i = 0; i < n; i++)
            roots[i] = (term_id){i};
        if (!eval_terms(&(struct eval_input){&world.terms, 3, params, &mem}, n, roots, value, &err))
            fail_msg("%s", err.msg);
        for (uint32_t i = 0; i < n; i++) {
            if (!egraph_known(&world.graph, roots[i]))
                continue;
            int64_t where;
            term_id root = class_term(&world.graph, egraph_find(&world.graph, roots[i]));
            if (!value_same(&world.pool, &value[i], &value[root.v], 0, &where))
                fail_msg("terms %u and %u differ, seed %lu", i, root.v, (unsigned long)seed);
            assert_true(proved(&world.graph, roots[i], root, &world.stated));
            struct proof_part part;
            assert_true(explain(&world.graph, roots[i], root, &proof, &part, &err));
        }
        for (uint32_t i = 0; i < proof.line.len; i++)
            if (proof.line.at[i].kind == PROOF_LAYOUT)
                law_used[proof.line.at[i].x]++;
        explanation_release(&proof);
        arena_release(&mem);
        world_release(&world);
    }
    for (int k = LAYOUT_COMPOSE; k < N_LAYOUTS; k++)
        if (law_used[k] == 0)
            fail_msg("the law %s was never tried", layout_text((enum layout_kind)k));
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
