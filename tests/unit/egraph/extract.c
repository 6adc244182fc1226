// SPDX-License-Identifier: Apache-2.0
// Extraction against the enumeration of all selections of small graphs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "egraph/program/egraph.h"
#include "egraph/extract/extract.h"
#include "tests/unit/support/egraph_proof.h"

static uint64_t seed = 1;

struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct stated stated;
    VEC(term_id) all;
};

static void world_init(struct world *world)
{
    memset(world, 0, sizeof *world);
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, egraph_defaults());
}

static void world_release(struct world *world)
{
    egraph_release(&world->graph);
    stated_release(&world->stated);
    vec_release(&world->all);
    terms_release(&world->terms);
    pool_release(&world->pool);
}

static term_id add(struct world *world, enum op op, uint32_t n, const term_id *args)
{
    term_id out;
    struct err err = {0};
    if (!egraph_add(&world->graph, (struct operation){op, NO_ATTR, NO_TYPE, n}, args, &out, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
    vec_push(&world->all, out);
    return out;
}

static term_id parameter(struct world *world, int64_t i, uint32_t rank, const int64_t *dims)
{
    int64_t v[2] = {0, i};
    type_id type;
    term_id out;
    struct err err = {0};
    assert_true(type_tensor(&world->pool, ELEM_F32, rank, dims, &type, &err));
    assert_true(egraph_add(&world->graph,
                           (struct operation){OP_PARAMETER, attr_make(&world->pool, 2, v), type, 0},
                           NULL, &out, &err));
    vec_push(&world->all, out);
    return out;
}

// Costs by operator that make trade-offs: never equal to node counts.
static double odd_cost(const struct cost *model, const struct terms *terms, term_id id)
{
    static const double of[7] = {1, 3, 0.5, 7, 2, 0, 4};
    (void)model;
    return term_op(terms, id) == OP_PARAMETER ? 0 : of[term_op(terms, id) % 7];
}

// All selections over the classes that the roots reach.  Counts down the
// mixed-radix number `choice`; prices each acyclic selection.
struct brute {
    struct world *world;
    const struct cost *cost;
    uint32_t n;
    class_id class_[64];
    VEC(term_id) node[64];
    uint32_t choice[64];
    double tree[64];
    uint8_t state[64];
};

static uint32_t index_of(const struct brute *brute, class_id class)
{
    for (uint32_t i = 0; i < brute->n; i++)
        if (brute->class_[i].v == class.v)
            return i;
    return brute->n;
}

static bool brute_init(struct brute *brute, uint32_t n_roots, const term_id *roots)
{
    struct egraph *graph = &brute->world->graph;
    double product = 1;
    for (uint32_t i = 0; i < n_roots; i++)
        if (index_of(brute, egraph_find(graph, roots[i])) == brute->n)
            brute->class_[brute->n++] = egraph_find(graph, roots[i]);
    for (uint32_t i = 0; i < brute->n; i++) {
        for (term_id term = class_first(graph, brute->class_[i]); term.v != NO_TERM.v;
             term = class_next(graph, brute->class_[i], term)) {
            vec_push(&brute->node[i], term);
            for (uint32_t k = 0; k < term_at(graph->terms, term)->n_args; k++) {
                class_id class = egraph_find(graph, term_args(graph->terms, term)[k]);
                if (index_of(brute, class) == brute->n) {
                    if (brute->n == 64)
                        return false;
                    brute->class_[brute->n++] = class;
                }
            }
        }
        product *= brute->node[i].len;
    }
    return product <= 30000;
}

static void brute_release(struct brute *brute)
{
    for (uint32_t i = 0; i < 64; i++)
        vec_release(&brute->node[i]);
}

// Tree cost of class i under the selection, infinite on a cycle.
static double visit(struct brute *brute, uint32_t i, double *dag)
{
    if (brute->state[i] == 2)
        return brute->tree[i];
    if (brute->state[i] == 1)
        return HUGE_VAL;
    brute->state[i] = 1;
    term_id term = brute->node[i].at[brute->choice[i]];
    double own = brute->cost->node(brute->cost, &brute->world->terms, term), sum = own;
    for (uint32_t k = 0; k < term_at(&brute->world->terms, term)->n_args; k++) {
        term_id arg = term_args(&brute->world->terms, term)[k];
        sum += visit(brute, index_of(brute, egraph_find(&brute->world->graph, arg)), dag);
    }
    brute->state[i] = 2;
    *dag += own;
    return brute->tree[i] = sum;
}

static void brute_best(struct brute *brute, uint32_t n_roots, const term_id *roots, double *tree,
                       double *dag)
{
    *tree = *dag = HUGE_VAL;
    for (;;) {
        double t = 0, d = 0;
        memset(brute->state, 0, sizeof brute->state);
        for (uint32_t i = 0; i < n_roots; i++)
            t += visit(brute, index_of(brute, egraph_find(&brute->world->graph, roots[i])), &d);
        *tree = t < *tree ? t : *tree;
        if (t < HUGE_VAL && d < *dag)
            *dag = d;
        uint32_t i = 0;
        while (i < brute->n && ++brute->choice[i] == brute->node[i].len)
            brute->choice[i++] = 0;
        if (i == brute->n)
            return;
    }
}

static void random_graph(struct world *world, struct rng *rng)
{
    static const enum op ops[] = {OP_NEGATE, OP_ABS, OP_ADD, OP_MULTIPLY, OP_SINE, OP_MAXIMUM};
    for (int64_t i = 0; i < 2; i++)
        parameter(world, i, 0, NULL);
    for (int i = 0; i < 20; i++) {
        enum op op = ops[rng_below(rng, 6)];
        term_id args[2] = {world->all.at[rng_below(rng, world->all.len)],
                           world->all.at[rng_below(rng, world->all.len)]};
        add(world, op, op_arity(op) == 1 ? 1 : 2, args);
    }
    for (int i = 0; i < 9; i++)
        assert_true(state(&world->graph, &world->stated,
                          world->all.at[rng_below(rng, world->all.len)],
                          world->all.at[rng_below(rng, world->all.len)]));
    egraph_rebuild(&world->graph);
}

static void check_result(struct world *world, const struct cost *model, uint32_t n_roots,
                         const term_id *roots, const term_id *out,
                         const struct extraction *extraction)
{
    struct err err = {0};
    for (uint32_t i = 0; i < n_roots; i++) {
        assert_true(egraph_same(&world->graph, roots[i], out[i]));
        assert_true(proved(&world->graph, roots[i], out[i], &world->stated));
    }
    for (uint32_t i = 0; i < extraction->at.len; i++) {
        struct extracted extracted = extraction->at.at[i];
        assert_true(
            egraph_same(&world->graph, class_term(&world->graph, extracted.root), extracted.term));
        assert_true(
            egraph_same(&world->graph, class_term(&world->graph, extracted.root), extracted.node));
        assert_int_equal(term_op(&world->terms, extracted.node),
                         term_op(&world->terms, extracted.term));
    }
    assert_true(extraction->dag_cost == terms_cost_dag(&world->terms, model, n_roots, out));
    assert_true(extraction->dag_cost <= extraction->tree_cost + 1e-9);
    if (!egraph_check(&world->graph, &err))
        fail_msg("%s", err.msg);
}

static void small_graphs_by_enumeration(void **unused)
{
    (void)unused;
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t tried = 0, optimal = 0, differ = 0;
    struct cost costs[2] = {cost_nodes(), {"odd", odd_cost, NULL}};
    for (int run = 0; run < 150; run++) {
        struct world world;
        world_init(&world);
        random_graph(&world, &rng);
        const struct cost *model = &costs[run & 1];
        term_id roots[2] = {world.all.at[world.all.len - 1], world.all.at[world.all.len - 2]};
        struct brute brute = {.world = &world, .cost = model};
        if (brute_init(&brute, 2, roots)) {
            double tree, dag;
            brute_best(&brute, 2, roots, &tree, &dag);
            term_id out[2];
            struct extraction extraction = {0};
            struct err err = {0};
            assert_true(
                extract(&world.graph,
                        &(struct extract_request){
                            .model = model, .method = EXTRACT_TREE, .n_roots = 2, .roots = roots},
                        out, &extraction, &err));
            check_result(&world, model, 2, roots, out, &extraction);
            assert_true(fabs(extraction.tree_cost - tree) < 1e-9);
            double tree_dag = extraction.dag_cost;
            extraction_release(&extraction);
            assert_true(
                extract(&world.graph,
                        &(struct extract_request){
                            .model = model, .method = EXTRACT_DAG, .n_roots = 2, .roots = roots},
                        out, &extraction, &err));
            check_result(&world, model, 2, roots, out, &extraction);
            assert_true(extraction.dag_cost >= dag - 1e-9);
            assert_true(extraction.dag_cost <= tree_dag + 1e-9);
            tried++;
            optimal += fabs(extraction.dag_cost - dag) < 1e-9;
            differ += tree_dag > dag + 1e-9;
            extraction_release(&extraction);
            assert_true(
                extract(&world.graph,
                        &(struct extract_request){
                            .model = model, .method = EXTRACT_EXACT, .n_roots = 2, .roots = roots},
                        out, &extraction, &err));
            check_result(&world, model, 2, roots, out, &extraction);
            assert_true(extraction.proved && fabs(extraction.dag_cost - dag) < 1e-9);
            extraction_release(&extraction);
        }
        brute_release(&brute);
        world_release(&world);
    }
    print_message("%u graphs: dag optimal in %u, tree is not in %u\n", tried, optimal, differ);
    assert_true(tried >= 50);
    assert_true(optimal >= tried * 9 / 10);
}

// Sharing decides: two uses of one expensive value beat two cheap different
// ones only when it is paid once.
static void sharing_is_paid_once(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0, 0, NULL);
    term_id s1 = add(&world, OP_SINE, 1, &term), s2 = add(&world, OP_ABS, 1, &s1);
    term_id big = add(&world, OP_NEGATE, 1, &s2); // 3 operations
    term_id u = add(&world, OP_SIGN, 1, &big), v = add(&world, OP_FLOOR, 1, &big);
    term_id c1 = add(&world, OP_COSINE, 1, &term), u1 = add(&world, OP_TANH, 1, &c1);
    term_id u2 = add(&world, OP_CEIL, 1, &u1);
    term_id e1 = add(&world, OP_EXPONENTIAL, 1, &term), v1 = add(&world, OP_SQRT, 1, &e1);
    term_id v2 = add(&world, OP_RSQRT, 1, &v1);
    assert_true(state(&world.graph, &world.stated, u, u2)); // 4 as a tree, or 3
    assert_true(state(&world.graph, &world.stated, v, v2));
    term_id top = add(&world, OP_ADD, 2, (term_id[]){u, v});
    egraph_rebuild(&world.graph);
    struct cost model = cost_nodes();
    struct extraction extraction = {0};
    struct err err = {0};
    term_id out;
    assert_true(extract(&world.graph,
                        &(struct extract_request){
                            .model = &model, .method = EXTRACT_TREE, .n_roots = 1, .roots = &top},
                        &out, &extraction, &err));
    assert_true(extraction.tree_cost == 7 && extraction.dag_cost == 7);
    extraction_release(&extraction);
    // Moving one of u, v alone is no gain, moving both is.
    assert_true(extract(&world.graph,
                        &(struct extract_request){
                            .model = &model, .method = EXTRACT_DAG, .n_roots = 1, .roots = &top},
                        &out, &extraction, &err));
    assert_true(extraction.dag_cost == 6);
    extraction_release(&extraction);
    world_release(&world);
}

static double no_cost(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    (void)terms;
    (void)id;
    return 0;
}

static double bad_cost(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    return term_op(terms, id) == OP_ABS ? NAN : 1;
}

static void strange_models(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    term_id term = parameter(&world, 0, 0, NULL);
    term_id f = add(&world, OP_ABS, 1, &term), ff = add(&world, OP_ABS, 1, &f);
    assert_true(state(&world.graph, &world.stated, f, ff)); // a cycle, free of cost
    struct cost zero = {"zero", no_cost, NULL}, bad = {"bad", bad_cost, NULL};
    struct extraction extraction = {0};
    struct err err = {0};
    term_id out;
    assert_false(extract(&world.graph,
                         &(struct extract_request){
                             .model = &zero, .method = EXTRACT_DAG, .n_roots = 1, .roots = &ff},
                         &out, &extraction, &err));
    err_clear(&err); // was not closed
    egraph_rebuild(&world.graph);
    assert_true(extract(&world.graph,
                        &(struct extract_request){
                            .model = &zero, .method = EXTRACT_DAG, .n_roots = 1, .roots = &ff},
                        &out, &extraction, &err));
    assert_int_equal(out.v, f.v); // fewer nodes, and the older of equals
    extraction_release(&extraction);
    assert_false(extract(&world.graph,
                         &(struct extract_request){
                             .model = &bad, .method = EXTRACT_TREE, .n_roots = 1, .roots = &ff},
                         &out, &extraction, &err));
    assert_int_equal(err.kind, ERR_INPUT);
    err_clear(&err);
    term_id strange = {999};
    assert_false(
        extract(&world.graph,
                &(struct extract_request){
                    .model = &zero, .method = EXTRACT_TREE, .n_roots = 1, .roots = &strange},
                &out, &extraction, &err));
    assert_true(extract(&world.graph,
                        &(struct extract_request){
                            .model = &zero, .method = EXTRACT_DAG, .n_roots = 0, .roots = NULL},
                        NULL, &extraction, &(struct err){0}));
    extraction_release(&extraction);
    world_release(&world);
}

// x + x, a thousand times: the tree cost overflows, extraction does not mind.
static void huge_trees(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    term_id at = parameter(&world, 0, 0, NULL);
    for (int i = 0; i < 3000; i++)
        at = add(&world, OP_ADD, 2, (term_id[]){at, at});
    egraph_rebuild(&world.graph);
    struct cost model = cost_nodes();
    struct extraction extraction = {0};
    struct err err = {0};
    term_id out;
    assert_true(extract(&world.graph,
                        &(struct extract_request){
                            .model = &model, .method = EXTRACT_DAG, .n_roots = 1, .roots = &at},
                        &out, &extraction, &err));
    assert_int_equal(out.v, at.v);
    assert_true(extraction.dag_cost == 3000 && isinf(extraction.tree_cost));
    extraction_release(&extraction);
    world_release(&world);
}

static void cost_models(void **unused)
{
    (void)unused;
    struct world world;
    world_init(&world);
    int64_t dims[2] = {8, 4}, perm[2] = {1, 0}, sum[2] = {OP_ADD, 0};
    term_id term = parameter(&world, 0, 2, dims), t, r, z;
    struct err err = {0};
    term_id ex = add(&world, OP_EXPONENTIAL, 1, &term);
    assert_true(egraph_add(
        &world.graph, (struct operation){OP_TRANSPOSE, attr_make(&world.pool, 2, perm), NO_TYPE, 1},
        &ex, &t, &err));
    type_id scalar;
    assert_true(type_tensor(&world.pool, ELEM_F32, 0, NULL, &scalar, &err));
    z = term_constant(&world.terms,
                      literal_splat(&world.pool, ELEM_F32, scalar_of_double(ELEM_F32, 0)), scalar);
    assert_true(egraph_add(
        &world.graph, (struct operation){OP_REDUCE, attr_make(&world.pool, 2, sum), NO_TYPE, 2},
        (term_id[]){t, z}, &r, &err));
    struct cost nodes, flops, bytes, time, none;
    assert_true(cost_by_name("nodes", &nodes));
    assert_true(cost_by_name("flops", &flops));
    assert_true(cost_by_name("bytes", &bytes));
    assert_true(cost_by_name("time", &time));
    assert_false(cost_by_name("pennies", &none));
    assert_true(nodes.node(&nodes, &world.terms, term) == 0);
    assert_true(terms_cost_dag(&world.terms, &nodes, 1, &r) == 3.0625);
    assert_true(terms_cost_tree(&world.terms, &nodes, 2, (term_id[]){r, t}) == 5.0625);
    assert_true(flops.node(&flops, &world.terms, ex) == 320 + 2 + 0.0625);
    assert_true(flops.node(&flops, &world.terms, t) == 2 + 0.0625);
    assert_true(flops.node(&flops, &world.terms, r) == 32 + 0.5 + 0.0625);
    assert_true(bytes.node(&bytes, &world.terms, r) == 32 + 128 + 4);
    assert_true(bytes.node(&bytes, &world.terms, z) == 4);
    // 10 and 4 bytes; 50, 32 exponentials and 128 bytes; 50 and 32 strided elements: to the sixteenth.
    assert_true(time.node(&time, &world.terms, z) == 10);
    assert_true(time.node(&time, &world.terms, ex) == 64.75);
    assert_true(time.node(&time, &world.terms, t) == 88.375);
    world_release(&world);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %lu\n", (unsigned long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_graphs_by_enumeration),
        cmocka_unit_test(sharing_is_paid_once),
        cmocka_unit_test(strange_models),
        cmocka_unit_test(huge_trees),
        cmocka_unit_test(cost_models),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
