// SPDX-License-Identifier: Apache-2.0
// Shared by the tests of the matcher: the rules, a term store with an e-graph,
// one use of a rule, and the check that all terms of a class have one value.
#ifndef TESTS_UNIT_SUPPORT_EGRAPH_MATCH_H
#define TESTS_UNIT_SUPPORT_EGRAPH_MATCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "egraph/saturate.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"

static uint64_t seed = 7;

static const char *const rules_text[] = {
    "rule add_zero { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }",
    "rule slice_of_slice { axes x; map n, s, e, p, t, f, q on x;"
    " tensor A[x: n] : any;"
    " slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)"
    " => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q); }",
    "rule slice_undoes_pad { axes x; map n, l, h, i on x;"
    " tensor A[x: n] : T; scalar v : T;"
    " slice(pad(A, v, low=l, high=h, interior=i), start=l,"
    " limit=l+n+(n-1)*i, stride=i+1) => A; }",
    "rule concat_at_the_cut { axis a; axes x; map n on x; map m, c on a;"
    " tensor A[x: n, a: m] : any;"
    " concat(slice(A, start={a: 0}, limit={a: c}, stride={a: 1}),"
    " slice(A, start={a: c}, limit={a: m}, stride={a: 1}), axis=a) => A; }",
    "rule elementwise_of_broadcasts { axes x, y; map n on x; map m on y;"
    " tensor A[x: n] : T, B[x: n] : T; op f : elementwise(T, T) -> U;"
    " f(broadcast(A, {y: m}), broadcast(B, {y: m}))"
    " => broadcast(f(A, B), {y: m}); }",
    "rule reduce_in_two_steps { axes x, y, z; map n on x; map m on y;"
    " map o on z; tensor A[x: n, y: m, z: o] : T; op g : monoid(T);"
    " reduce(g, reduce(g, A, {x}), {y}) => reduce(g, A, {x, y}); }",
    "rule reduce_of_concat { axis a; axes x; map n, m on a; map o on x;"
    " tensor A[a: n, x: o] : T, B[a: m, x: o] : T; op g : monoid(T);"
    " reduce(g, concat(A, B, axis=a), {a})"
    " => g(reduce(g, A, {a}), reduce(g, B, {a})); }",
    "rule sum_of_outer { axes i, j; map m on i; map n on j;"
    " tensor A[i: m] : num, B[j: n] : num;"
    " reduce(+, broadcast(A, {j: n}) * broadcast(B, {i: m}), {i, j})"
    " => reduce(+, A, {i}) * reduce(+, B, {j}); }",
    "rule product_rule { axes i, j, k; map ni on i; map nj on j; map nk on k;"
    " tensor A[i: ni, k: nk] : num, B[k: nk, j: nj] : num;"
    " reduce(+, broadcast(A, {j: nj}) * broadcast(B, {i: ni}), {k})"
    " => reduce(+, broadcast(B, {i: ni}) * broadcast(A, {j: nj}), {k}); }",
    "rule symmetric { axes x; axes y like x; map n on x;"
    " tensor A[x: n, y: n] : num;"
    " relabel(A + relabel(A, {x <-> y}), {x <-> y})"
    " => A + relabel(A, {x <-> y}); }",
    "rule softmax_shift { axes x, y; map n on x; map o on y;"
    " tensor X[y: o, x: n] : float, M[y: o] : float;"
    " exp(X - broadcast(M, {x: n})) / broadcast(reduce(+, exp(X -"
    " broadcast(M, {x: n})), {x}), {x: n})"
    " => exp(X) / broadcast(reduce(+, exp(X), {x}), {x: n}); }",
    "rule reverse_twice { axes x, y, z; map n on x; map m on y; map o on z;"
    " tensor A[x: n, y: m, z: o] : any;"
    " reverse(reverse(A, {x, y}), {y, z}) => reverse(A, {x, z}); }",
    "rule pad_of_pad { axes x; map n, l, h, k, j on x; tensor A[x: n] : T;"
    " scalar v : T; where l >= 0, h >= 0, k >= 0, j >= 0;"
    " pad(pad(A, v, low=l, high=h, interior=0), v, low=k, high=j, interior=0)"
    " => pad(A, v, low=l+k, high=h+j, interior=0); }",
    "rule sum_of_sums { axes x, z; map n on x; map o on z;"
    " tensor A[x: n, z: o] : num, B[x: n, z: o] : num;"
    " reduce(+, A, {x}) + reduce(+, B, {x}) => reduce(+, A + B, {x}); }",
    "rule select_same { axes x; map n on x; tensor P[x: n] : bool;"
    " tensor A[x: n] : T; select(P, A, A) => A; }",
    "rule scalar_out { axes x; map n on x; tensor A[x: n] : int;"
    " scalar v : int; reduce(+, A * v, {x}) => reduce(+, A, {x}) * v; }",
    "rule reverse_concat { axis a; axes x; map n, m on a; map o on x;"
    " tensor A[a: n, x: o] : any, B[a: m, x: o] : any;"
    " reverse(concat(A, B, axis=a), {a})"
    " => concat(reverse(B, {a}), reverse(A, {a}), axis=a); }",
    "rule iota_left { axes x; axis a; map n on x; map m on a;"
    " tensor A[x: n, a: m] : int;"
    " iota({x: n, a: m}, axis=a) + A => A + iota({x: n, a: m}, axis=a); }",
    "rule clamp_nest { axes x; map n on x; tensor A[x: n] : int;"
    " scalar l : int, h : int;"
    " clamp(l, clamp(l, A, h), h) => clamp(l, A, h); }",
    "rule outer_square { axes x; axes y like x; map n on x;"
    " tensor A[x: n] : num;"
    " broadcast(A, {y: n}) * broadcast(relabel(A, {x -> y}), {x: n})"
    " => broadcast(relabel(A, {x -> y}), {x: n}) * broadcast(A, {y: n}); }",
    "rule gram { axes i, k; axes j like i; map m on i; map n on k;"
    " tensor A[i: m, k: n] : num;"
    " reduce(+, broadcast(A, {j: m}) * broadcast(relabel(A, {i -> j}),"
    " {i: m}), {k}) => reduce(+, broadcast(relabel(A, {i -> j}), {i: m}) *"
    " broadcast(A, {j: m}), {k}); }",
    "rule batch_product { axes b, i, j, k; map nb on b; map ni on i;"
    " map nj on j; map nk on k; tensor A[b: nb, i: ni, k: nk] : num,"
    " B[b: nb, k: nk, j: nj] : num;"
    " reduce(+, broadcast(A, {j: nj}) * broadcast(B, {i: ni}), {k})"
    " => reduce(+, broadcast(B, {i: ni}) * broadcast(A, {j: nj}), {k}); }",
    "rule concat_of_broadcasts { axis a; axes x; map n on x; map p, q on a;"
    " tensor A[x: n] : any;"
    " concat(broadcast(A, {a: p}), broadcast(A, {a: q}), axis=a)"
    " => broadcast(A, {a: p + q}); }",
    "rule whole_axis { axis a; axes x; map n on x; map m on a;"
    " tensor A[x: n, a: m] : any;"
    " slice(A, start={a: 0}, limit={a: m}, stride={a: 1}) => A; }",
    "rule positive { axes x; map n on x; tensor A[x: n] : int; scalar v : int;"
    " where all(v > 0); max(A, v) * v => v * max(A, v); }",
    "rule dot_commutes { axes b, i, j, k; map nb on b; map ni on i;"
    " map nj on j; map nk on k; tensor A[b: nb, i: ni, k: nk] : num,"
    " B[b: nb, k: nk, j: nj] : num;"
    " dot(A, B, contract={k}, batch={b})"
    " => dot(B, A, contract={k}, batch={b}); }",
    "rule dot_is_sum { axes i, j, k; map ni on i; map nj on j; map nk on k;"
    " tensor A[i: ni, k: nk] : num, B[k: nk, j: nj] : num;"
    " dot(A, B, contract={k})"
    " => reduce(+, broadcast(A, {j: nj}) * broadcast(B, {i: ni}), {k}); }",
    "rule pad_into_window { axes x; map n, l, h, w, p, q, d, e on x;"
    " tensor A[x: n] : num; where l >= 0, h >= 0, n >= 1;"
    " reduce_window(+, pad(A, 0, low=l, high=h), size=w, stride=p, low=q,"
    " dilation=d, window_dilation=e)"
    " => reduce_window(+, A, size=w, stride=p, low=q+d*l, high=d*h,"
    " dilation=d, window_dilation=e); }",
    "rule pad_into_convolution { axis b, f, o; axes s; map nb on b; map nf on "
    "f;"
    " map no on o; map n, w, u, v, i, l, h, d, r, t on s;"
    " tensor A[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;"
    " where u >= 0, v >= 0, n >= 1;"
    " conv(pad(A, 0, low={s: u}, high={s: v}, interior={s: i}), K,"
    " feature={f}, spatial={s}, stride=t, low=l, high=h, dilation=d,"
    " kernel_dilation=r) => conv(A, K, feature={f}, spatial={s}, stride=t,"
    " low=l+d*u, high=h+d*v, dilation=d+d*i, kernel_dilation=r); }",
    "rule slice_at_twice { axes x; map n, m, k on x; index i, j on x;"
    " tensor A[x: n] : any; dynamic_slice(dynamic_slice(A, start=i, size=m),"
    " start=j, size=k) => dynamic_slice(A,"
    " start=clamp(i, 0, n-m)+clamp(j, 0, m-k), size=k); }",
    "rule slice_at_constant { axes x; map n, m, s on x; tensor A[x: n] : any;"
    " where s >= 0; dynamic_slice(A, start=s, size=m)"
    " => slice(A, start=min(s, n-m), limit=min(s, n-m)+m); }",
    "rule update_of_all { axes x, y; map n on x; map m on y; index i on x;"
    " tensor A[x: n, y: m] : any, U[x: n, y: m] : any;"
    " dynamic_update_slice(A, -U, start={x: i}) => -U; }",
    "rule split_of_merge { axis a; axis b like a; axis d like a; axes x;"
    " map n on a; map m on b; map o on x; tensor A[a: n, b: m, x: o] : any;"
    " split(merge(A, [a, b] -> d), d -> [a: n, b: m]) => A; }",
    "rule merge_of_sum { axis a, b, d; axes x; map n on a; map m on b;"
    " map o on x; tensor A[a: n, b: m, x: o] : num, B[a: n, b: m, x: o] : num;"
    " merge(A + B, [a, b] -> d)"
    " => merge(A, [a, b] -> d) + merge(B, [a, b] -> d); }",
    "rule block_negated { axes x, y, w; map n on x; map m on y;"
    " map o on w; tensor A[x: n, w: o] : num;"
    " reshape(-A, [x] -> [y: m]) => -reshape(A, [x] -> [y: m]); }",
    "rule sum_of_block { axes x, y; axis z; map n on x; map m on y;"
    " tensor A[x: n, y: m] : num; reduce(+, merge(A, [x] -> z), {z})"
    " => reduce(+, A, {x}); }",
    "rule block_and_axis { axes x, w; axis a, z; map n on x; map m on a;"
    " map o on w; tensor A[x: n, a: m, w: o] : num;"
    " merge(-A, [x, a] -> z) => -merge(A, [x, a] -> z); }",
    "rule drop_units { axes u, x; map n on x; tensor A[u: 1, x: n] : num;"
    " reshape(-A, [u] -> []) => -reshape(A, [u] -> []); }",
    "rule gather_negated { axis a; axes g, y, b; map n on a; map k on g;"
    " map m on y; map o on b; tensor A[a: n, y: m, b: o] : num;"
    " tensor I[g: k, b: o] : int;"
    " gather(-A, I, axis=a, batch={b}) => -gather(A, I, axis=a, batch={b}); }",
    "rule scatter_onto_sum { axis a; axes g, y; map n on a; map k on g;"
    " map m on y; tensor A[a: n, y: m] : num, B[a: n, y: m] : num;"
    " tensor I[g: k] : int; tensor U[g: k, y: m] : num;"
    " A + scatter(+, B, I, U, axis=a) => scatter(+, A + B, I, U, axis=a); }",
    "rule sum_from { axes x, y; map n on x; map m on y;"
    " tensor A[x: n, y: m] : int; scalar v : int;"
    " reduce(+, A, {x}, init=v) => reduce(+, A, {x}) + v; }",
    "rule compare_flip { axes x; map n on x; tensor A[x: n] : T,"
    " B[x: n] : T; A < B => B > A; }",
};

static struct ruleset rules;

static int load(void **state)
{
    (void)state;
    struct err_list errs = {0};
    ruleset_init(&rules);
    for (size_t i = 0; i < sizeof rules_text / sizeof *rules_text; i++)
        ruleset_parse(&rules, rules_text[i], strlen(rules_text[i]), "test.rw", &errs);
    for (uint32_t i = 0; i < errs.at.len; i++)
        printf("%s:%u:%u: %s\n", errs.at.at[i].file, errs.at.at[i].line, errs.at.at[i].col,
               errs.at.at[i].msg);
    return errs.at.len > 0 ? -1 : 0;
}

static int unload(void **state)
{
    (void)state;
    ruleset_release(&rules);
    return 0;
}

// A term store, an e-graph and the values of the parameters.
struct world {
    struct pool pool;
    struct terms terms;
    struct egraph graph;
    struct arena mem;
};

static void world_init(struct world *world)
{
    *world = (struct world){0};
    pool_init(&world->pool);
    terms_init(&world->terms, &world->pool);
    egraph_init(&world->graph, &world->terms, egraph_defaults());
}

static void world_release(struct world *world)
{
    egraph_release(&world->graph);
    terms_release(&world->terms);
    pool_release(&world->pool);
    arena_release(&world->mem);
}

static uint32_t set_parameters(struct world *world, struct value *value, struct rng *rng)
{
    const struct terms *terms = &world->terms;
    uint32_t n = 0;
    for (uint32_t i = 0; i < terms->term.len; i++) {
        const struct term *node = term_at(terms, (term_id){i});
        if (node->op != OP_PARAMETER || !egraph_known(&world->graph, (term_id){i}))
            continue;
        uint32_t k = (uint32_t)attr_at(terms->pool, node->attr)[1];
        assert_true(k < 32);
        value[k] = value_random(terms->pool, node->type, rng, false, &world->mem);
        n = k + 1 > n ? k + 1 : n;
    }
    return n;
}

// All terms of a class have one value.
static bool values_agree(struct world *world, struct rng *rng, struct buf *why)
{
    struct value params[32] = {{{0}, NULL}};
    uint32_t n = set_parameters(world, params, rng);
    for (uint32_t i = 0; i < world->terms.term.len; i++) {
        term_id term = {i};
        if (!egraph_known(&world->graph, term))
            continue;
        term_id two[2] = {term, class_term(&world->graph, egraph_find(&world->graph, term))};
        struct value value[2];
        struct err err = {0};
        int64_t at;
        if (two[0].v == two[1].v)
            continue;
        if (!eval_terms(&(struct eval_input){&world->terms, n, params, &world->mem}, 2, two, value,
                        &err))
            fail_msg("%s", err.msg);
        if (!value_same(&world->pool, &value[0], &value[1], 1e-9, &at)) {
            term_print(&world->terms, two[0], 9, why);
            buf_puts(why, "  is not  ");
            term_print(&world->terms, two[1], 9, why);
            return false;
        }
    }
    return true;
}

static void check_values(struct world *world, struct rng *rng, const char *name)
{
    struct buf why = {0};
    if (!values_agree(world, rng, &why))
        fail_msg("%s (seed %llu): %s", name, (unsigned long long)seed, buf_text(&why));
    buf_release(&why);
}

struct outcome {
    uint32_t matches, at_root, applied, missed, failed;
};

// Matches one rule once and applies what it finds; every instance passes the
// checker's gate and rebuilds to the same term.
static struct outcome run_rule(struct world *world, const struct rule *rule, bool backward,
                               term_id root)
{
    struct outcome out = {0};
    struct pattern pattern;
    struct match_cursor cursor = {0};
    struct match_index index = {0};
    struct match_result found = {0};
    struct finite finite = {0};
    pattern_compile(&pattern, rule, backward, &world->mem);
    if (pattern.refused != NULL)
        fail_msg("%s: %s", rule->name, pattern.refused);
    egraph_add_term(&world->graph, root);
    egraph_rebuild(&world->graph);
    struct match_request request = {
        .pattern = &pattern,
        .status = {0xff, 0xff, 0},
        .reading = READ_REAL,
        .max_matches = 1000,
        .max_steps = 1000000,
        .cursor = &cursor,
        .index = &index,
        .finite = &finite,
    };
    match_index_build(&world->graph, &index);
    match_all(&world->graph, &request, &world->mem, &found);
    finite_release(&finite);
    assert_true(found.complete);
    out.matches = found.found.len;
    while (term_op(&world->terms, root) == OP_TRANSPOSE)
        root = term_args(&world->terms, root)[0];
    term_id *source = ARENA_NEW(&world->mem, term_id, found.found.len);
    for (uint32_t i = 0; i < found.found.len; i++) {
        const struct match *match = &found.found.at[i];
        struct err err = {0};
        if (match->root.v == egraph_find(&world->graph, root).v)
            out.at_root++;
        if (!apply_source(&world->graph, &pattern, match, &source[i], &err))
            fail_msg("%s: source: %s", rule->name, err.msg);
    }
    egraph_rebuild(&world->graph);
    for (uint32_t i = 0; i < found.found.len; i++) {
        const struct match *m = &found.found.at[i];
        struct err error = {0};
        struct reason why = {REASON_RULE, 0, i};
        enum apply_result a = apply_target(&world->graph, &pattern, m, source[i], why, &error);
        out.applied += a == APPLIED_NEW || a == APPLIED_KNOWN;
        out.missed += a == APPLIED_MISSED;
        out.failed += a == APPLIED_FAILED;
        error = (struct err){0};
        if (!instance_check(m->in, &world->terms, &error))
            fail_msg("%s: %s", rule->name, error.msg);
        struct builder builder = builder_plain(&world->terms);
        term_id again;
        assert_true(instance_build(m->in, pattern.root, &builder, &again, &error));
        assert_int_equal(again.v, source[i].v);
    }
    egraph_rebuild(&world->graph);
    struct err e = {0};
    if (!egraph_check(&world->graph, &e))
        fail_msg("%s: %s", rule->name, e.msg);
    match_result_release(&found);
    match_index_release(&index);
    return out;
}

#endif
