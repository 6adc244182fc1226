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
    struct egraph g;
    struct stated stated;
    VEC(term_id) all;
};

static void world_init(struct world *w)
{
    memset(w, 0, sizeof *w);
    pool_init(&w->pool);
    terms_init(&w->terms, &w->pool);
    egraph_init(&w->g, &w->terms, egraph_defaults());
}

static void world_release(struct world *w)
{
    egraph_release(&w->g);
    stated_release(&w->stated);
    vec_release(&w->all);
    terms_release(&w->terms);
    pool_release(&w->pool);
}

static term_id add(struct world *w, enum op op, uint32_t n, const term_id *args)
{
    term_id out;
    struct err e = {0};
    if (!egraph_add(&w->g, op, NO_ATTR, NO_TYPE, n, args, &out, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
    vec_push(&w->all, out);
    return out;
}

static term_id parameter(struct world *w, int64_t i, uint32_t rank,
                         const int64_t *dims)
{
    int64_t v[2] = {0, i};
    type_id type;
    term_id out;
    struct err e = {0};
    assert_true(type_tensor(&w->pool, ELEM_F32, rank, dims, &type, &e));
    assert_true(egraph_add(&w->g, OP_PARAMETER, attr_make(&w->pool, 2, v), type,
                           0, NULL, &out, &e));
    vec_push(&w->all, out);
    return out;
}

// Costs by operator that make trade-offs: never equal to node counts.
static double odd_cost(const struct cost *c, const struct terms *t, term_id id)
{
    static const double of[7] = {1, 3, 0.5, 7, 2, 0, 4};
    (void)c;
    return term_op(t, id) == OP_PARAMETER ? 0 : of[term_op(t, id) % 7];
}

// All selections over the classes that the roots reach.  Counts down the
// mixed-radix number `choice`; prices each acyclic selection.
struct brute {
    struct world *w;
    const struct cost *cost;
    uint32_t n;
    class_id class_[64];
    VEC(term_id) node[64];
    uint32_t choice[64];
    double tree[64];
    uint8_t state[64];
};

static uint32_t index_of(const struct brute *b, class_id c)
{
    for (uint32_t i = 0; i < b->n; i++)
        if (b->class_[i].v == c.v)
            return i;
    return b->n;
}

static bool brute_init(struct brute *b, uint32_t n_roots, const term_id *roots)
{
    struct egraph *g = &b->w->g;
    double product = 1;
    for (uint32_t i = 0; i < n_roots; i++)
        if (index_of(b, egraph_find(g, roots[i])) == b->n)
            b->class_[b->n++] = egraph_find(g, roots[i]);
    for (uint32_t i = 0; i < b->n; i++) {
        for (term_id t = class_first(g, b->class_[i]); t.v != NO_TERM.v;
             t = class_next(g, b->class_[i], t)) {
            vec_push(&b->node[i], t);
            for (uint32_t k = 0; k < term_at(g->terms, t)->n_args; k++) {
                class_id c = egraph_find(g, term_args(g->terms, t)[k]);
                if (index_of(b, c) == b->n) {
                    if (b->n == 64)
                        return false;
                    b->class_[b->n++] = c;
                }
            }
        }
        product *= b->node[i].len;
    }
    return product <= 30000;
}

static void brute_release(struct brute *b)
{
    for (uint32_t i = 0; i < 64; i++)
        vec_release(&b->node[i]);
}

// Tree cost of class i under the selection, infinite on a cycle.
static double visit(struct brute *b, uint32_t i, double *dag)
{
    if (b->state[i] == 2)
        return b->tree[i];
    if (b->state[i] == 1)
        return HUGE_VAL;
    b->state[i] = 1;
    term_id n = b->node[i].at[b->choice[i]];
    double own = b->cost->node(b->cost, &b->w->terms, n), sum = own;
    for (uint32_t k = 0; k < term_at(&b->w->terms, n)->n_args; k++) {
        term_id arg = term_args(&b->w->terms, n)[k];
        sum += visit(b, index_of(b, egraph_find(&b->w->g, arg)), dag);
    }
    b->state[i] = 2;
    *dag += own;
    return b->tree[i] = sum;
}

static void brute_best(struct brute *b, uint32_t n_roots, const term_id *roots,
                       double *tree, double *dag)
{
    *tree = *dag = HUGE_VAL;
    for (;;) {
        double t = 0, d = 0;
        memset(b->state, 0, sizeof b->state);
        for (uint32_t i = 0; i < n_roots; i++)
            t += visit(b, index_of(b, egraph_find(&b->w->g, roots[i])), &d);
        *tree = t < *tree ? t : *tree;
        if (t < HUGE_VAL && d < *dag)
            *dag = d;
        uint32_t i = 0;
        while (i < b->n && ++b->choice[i] == b->node[i].len)
            b->choice[i++] = 0;
        if (i == b->n)
            return;
    }
}

static void random_graph(struct world *w, struct rng *r)
{
    static const enum op ops[] = {OP_NEGATE,   OP_ABS,  OP_ADD,
                                  OP_MULTIPLY, OP_SINE, OP_MAXIMUM};
    for (int64_t i = 0; i < 2; i++)
        parameter(w, i, 0, NULL);
    for (int i = 0; i < 20; i++) {
        enum op op = ops[rng_below(r, 6)];
        term_id args[2] = {w->all.at[rng_below(r, w->all.len)],
                           w->all.at[rng_below(r, w->all.len)]};
        add(w, op, op_arity(op) == 1 ? 1 : 2, args);
    }
    for (int i = 0; i < 9; i++)
        assert_true(state(&w->g, &w->stated,
                          w->all.at[rng_below(r, w->all.len)],
                          w->all.at[rng_below(r, w->all.len)]));
    egraph_rebuild(&w->g);
}

static void check_result(struct world *w, const struct cost *c,
                         uint32_t n_roots, const term_id *roots,
                         const term_id *out, const struct extraction *x)
{
    struct err e = {0};
    for (uint32_t i = 0; i < n_roots; i++) {
        assert_true(egraph_same(&w->g, roots[i], out[i]));
        assert_true(proved(&w->g, roots[i], out[i], &w->stated));
    }
    for (uint32_t i = 0; i < x->at.len; i++) {
        struct extracted p = x->at.at[i];
        assert_true(egraph_same(&w->g, class_term(&w->g, p.root), p.term));
        assert_true(egraph_same(&w->g, class_term(&w->g, p.root), p.node));
        assert_int_equal(term_op(&w->terms, p.node),
                         term_op(&w->terms, p.term));
    }
    assert_true(x->dag_cost == terms_cost_dag(&w->terms, c, n_roots, out));
    assert_true(x->dag_cost <= x->tree_cost + 1e-9);
    if (!egraph_check(&w->g, &e))
        fail_msg("%s", e.msg);
}

static void small_graphs_by_enumeration(void **unused)
{
    (void)unused;
    struct rng r;
    rng_seed(&r, seed);
    uint32_t tried = 0, optimal = 0, differ = 0;
    struct cost costs[2] = {cost_nodes(), {"odd", odd_cost, NULL}};
    for (int run = 0; run < 150; run++) {
        struct world w;
        world_init(&w);
        random_graph(&w, &r);
        const struct cost *c = &costs[run & 1];
        term_id roots[2] = {w.all.at[w.all.len - 1], w.all.at[w.all.len - 2]};
        struct brute b = {.w = &w, .cost = c};
        if (brute_init(&b, 2, roots)) {
            double tree, dag;
            brute_best(&b, 2, roots, &tree, &dag);
            term_id out[2];
            struct extraction x = {0};
            struct err e = {0};
            assert_true(extract(&w.g, c, EXTRACT_TREE, 2, roots, out, &x, &e));
            check_result(&w, c, 2, roots, out, &x);
            assert_true(fabs(x.tree_cost - tree) < 1e-9);
            double tree_dag = x.dag_cost;
            extraction_release(&x);
            assert_true(extract(&w.g, c, EXTRACT_DAG, 2, roots, out, &x, &e));
            check_result(&w, c, 2, roots, out, &x);
            assert_true(x.dag_cost >= dag - 1e-9);
            assert_true(x.dag_cost <= tree_dag + 1e-9);
            tried++;
            optimal += fabs(x.dag_cost - dag) < 1e-9;
            differ += tree_dag > dag + 1e-9;
            extraction_release(&x);
            assert_true(extract(&w.g, c, EXTRACT_EXACT, 2, roots, out, &x, &e));
            check_result(&w, c, 2, roots, out, &x);
            assert_true(x.proved && fabs(x.dag_cost - dag) < 1e-9);
            extraction_release(&x);
        }
        brute_release(&b);
        world_release(&w);
    }
    print_message("%u graphs: dag optimal in %u, tree is not in %u\n", tried,
                  optimal, differ);
    assert_true(tried >= 50);
    assert_true(optimal >= tried * 9 / 10);
}

// Sharing decides: two uses of one expensive value beat two cheap different
// ones only when it is paid once.
static void sharing_is_paid_once(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    term_id x = parameter(&w, 0, 0, NULL);
    term_id s1 = add(&w, OP_SINE, 1, &x), s2 = add(&w, OP_ABS, 1, &s1);
    term_id big = add(&w, OP_NEGATE, 1, &s2); // 3 operations
    term_id u = add(&w, OP_SIGN, 1, &big), v = add(&w, OP_FLOOR, 1, &big);
    term_id c1 = add(&w, OP_COSINE, 1, &x), u1 = add(&w, OP_TANH, 1, &c1);
    term_id u2 = add(&w, OP_CEIL, 1, &u1);
    term_id e1 = add(&w, OP_EXPONENTIAL, 1, &x), v1 = add(&w, OP_SQRT, 1, &e1);
    term_id v2 = add(&w, OP_RSQRT, 1, &v1);
    assert_true(state(&w.g, &w.stated, u, u2)); // 4 as a tree, or 3
    assert_true(state(&w.g, &w.stated, v, v2));
    term_id top = add(&w, OP_ADD, 2, (term_id[]){u, v});
    egraph_rebuild(&w.g);
    struct cost c = cost_nodes();
    struct extraction a = {0};
    struct err e = {0};
    term_id out;
    assert_true(extract(&w.g, &c, EXTRACT_TREE, 1, &top, &out, &a, &e));
    assert_true(a.tree_cost == 7 && a.dag_cost == 7);
    extraction_release(&a);
    // Moving one of u, v alone is no gain, moving both is.
    assert_true(extract(&w.g, &c, EXTRACT_DAG, 1, &top, &out, &a, &e));
    assert_true(a.dag_cost == 6);
    extraction_release(&a);
    world_release(&w);
}

static double no_cost(const struct cost *c, const struct terms *t, term_id id)
{
    (void)c;
    (void)t;
    (void)id;
    return 0;
}

static double bad_cost(const struct cost *c, const struct terms *t, term_id id)
{
    (void)c;
    return term_op(t, id) == OP_ABS ? NAN : 1;
}

static void strange_models(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    term_id x = parameter(&w, 0, 0, NULL);
    term_id f = add(&w, OP_ABS, 1, &x), ff = add(&w, OP_ABS, 1, &f);
    assert_true(state(&w.g, &w.stated, f, ff)); // a cycle, free of cost
    struct cost zero = {"zero", no_cost, NULL}, bad = {"bad", bad_cost, NULL};
    struct extraction a = {0};
    struct err e = {0};
    term_id out;
    assert_false(extract(&w.g, &zero, EXTRACT_DAG, 1, &ff, &out, &a, &e));
    err_clear(&e); // was not closed
    egraph_rebuild(&w.g);
    assert_true(extract(&w.g, &zero, EXTRACT_DAG, 1, &ff, &out, &a, &e));
    assert_int_equal(out.v, f.v); // fewer nodes, and the older of equals
    extraction_release(&a);
    assert_false(extract(&w.g, &bad, EXTRACT_TREE, 1, &ff, &out, &a, &e));
    assert_int_equal(e.kind, ERR_INPUT);
    err_clear(&e);
    term_id strange = {999};
    assert_false(extract(&w.g, &zero, EXTRACT_TREE, 1, &strange, &out, &a, &e));
    assert_true(
        extract(&w.g, &zero, EXTRACT_DAG, 0, NULL, NULL, &a, &(struct err){0}));
    extraction_release(&a);
    world_release(&w);
}

// x + x, a thousand times: the tree cost overflows, extraction does not mind.
static void huge_trees(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    term_id at = parameter(&w, 0, 0, NULL);
    for (int i = 0; i < 3000; i++)
        at = add(&w, OP_ADD, 2, (term_id[]){at, at});
    egraph_rebuild(&w.g);
    struct cost c = cost_nodes();
    struct extraction a = {0};
    struct err e = {0};
    term_id out;
    assert_true(extract(&w.g, &c, EXTRACT_DAG, 1, &at, &out, &a, &e));
    assert_int_equal(out.v, at.v);
    assert_true(a.dag_cost == 3000 && isinf(a.tree_cost));
    extraction_release(&a);
    world_release(&w);
}

static void cost_models(void **unused)
{
    (void)unused;
    struct world w;
    world_init(&w);
    int64_t dims[2] = {8, 4}, perm[2] = {1, 0}, sum[2] = {OP_ADD, 0};
    term_id x = parameter(&w, 0, 2, dims), t, r, z;
    struct err e = {0};
    term_id ex = add(&w, OP_EXPONENTIAL, 1, &x);
    assert_true(egraph_add(&w.g, OP_TRANSPOSE, attr_make(&w.pool, 2, perm),
                           NO_TYPE, 1, &ex, &t, &e));
    type_id scalar;
    assert_true(type_tensor(&w.pool, ELEM_F32, 0, NULL, &scalar, &e));
    z = term_constant(
        &w.terms,
        literal_splat(&w.pool, ELEM_F32, scalar_of_double(ELEM_F32, 0)),
        scalar);
    assert_true(egraph_add(&w.g, OP_REDUCE, attr_make(&w.pool, 2, sum), NO_TYPE,
                           2, (term_id[]){t, z}, &r, &e));
    struct cost nodes, flops, bytes, none;
    assert_true(cost_by_name("nodes", &nodes));
    assert_true(cost_by_name("flops", &flops));
    assert_true(cost_by_name("bytes", &bytes));
    assert_false(cost_by_name("pennies", &none));
    assert_true(nodes.node(&nodes, &w.terms, x) == 0);
    assert_true(terms_cost_dag(&w.terms, &nodes, 1, &r) == 4);
    assert_true(terms_cost_tree(&w.terms, &nodes, 2, (term_id[]){r, t}) == 6);
    assert_true(flops.node(&flops, &w.terms, ex) == 320 + 2 + 0.0625);
    assert_true(flops.node(&flops, &w.terms, t) == 2 + 0.0625);
    assert_true(flops.node(&flops, &w.terms, r) == 32 + 0.5 + 0.0625);
    assert_true(bytes.node(&bytes, &w.terms, r) == 32 + 128 + 4);
    assert_true(bytes.node(&bytes, &w.terms, z) == 4);
    world_release(&w);
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
