// SPDX-License-Identifier: Apache-2.0
// The counterexample search: false rules of every kind are refuted by a small
// example that replays, true rules are not, and nothing else replays.
#include "verify/counterexample/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <jansson.h>
#include <cmocka.h>

#define ALL 31u
#define ARITH 30u // all but bool

struct sample {
    const char *text;
    unsigned refuted; // domains; the others must not be
};

static const struct sample samples[] = {
    // Each of the forms with attributes, false and true.
    {"rule dot { axes i, k; axes j like k; map n on i; map o on k;"
     " tensor A[i: n, k: o] : num, B[k: o, j: o] : num;"
     " dot(A, B, contract={k}) => dot(A, relabel(B, {k <-> j}), contract={k});"
     " }",
     ARITH},
    {"rule dot_ok { axes i, j, k; map n, s, e, p on i; map m on j; map o on k;"
     " tensor A[i: n, k: o] : num, B[k: o, j: m] : num;"
     " slice(dot(A, B, contract={k}), start={i: s}, limit={i: e},"
     " stride={i: p}) => dot(slice(A, start=s, limit=e, stride=p), B,"
     " contract={k}); }",
     0},
    {"rule conv { axes b, f, o, s; map nb on b; map nf on f; map no on o;"
     " map n, w, p, d on s; tensor A[b: nb, f: nf, s: n] : num,"
     " K[f: nf, o: no, s: w] : num; where p >= 0, n >= 1;"
     " conv(pad(A, 0, low={s: p}), K, feature={f}, spatial={s}, dilation=d)"
     " => conv(A, K, feature={f}, spatial={s}, low=p, dilation=d); }",
     ARITH},
    {"rule conv_ok { axes b, f, o, s; map nb on b;"
     " map nf on f; map no on o;"
     " map n, w, p, d on s; tensor A[b: nb, f: nf, s: n] : num,"
     " K[f: nf, o: no, s: w] : num; where p >= 0, n >= 1;"
     " conv(pad(A, 0, low={s: p}), K, feature={f}, spatial={s}, dilation=d)"
     " => conv(A, K, feature={f}, spatial={s}, low=d*p, dilation=d); }",
     0},
    {"rule window { axes x; map n, p, w, l on x; tensor A[x: n] : num;"
     " reduce_window(+, pad(A, 0, low=p), size=w, low=l)"
     " => reduce_window(+, A, size=w, low=p+l); }",
     ARITH},
    {"rule window_ok { axes x; map n, p, w, l, s on x; tensor A[x: n] : T;"
     " op g : monoid(T); where p >= 0;"
     " reduce_window(g, pad(A, unit(g), low=p), size=w, stride=s, low=l)"
     " => reduce_window(g, A, size=w, stride=s, low=p+l); }",
     0},
    {"rule start { axes x; map n, m, k on x; index i, j on x;"
     " tensor A[x: n] : T;"
     " dynamic_slice(dynamic_slice(A, start=i, size=m), start=j, size=k)"
     " => dynamic_slice(A, start=clamp(i, 0, n-k) + j, size=k); }",
     ALL},
    {"rule start_ok { axes x; map n, m, k on x; index i, j on x;"
     " tensor A[x: n] : T;"
     " dynamic_slice(dynamic_slice(A, start=i, size=m), start=j, size=k)"
     " => dynamic_slice(A, start=clamp(i, 0, n-m) + clamp(j, 0, m-k),"
     " size=k); }",
     0},
    {"rule update { axes x; map n, m on x; index i on x;"
     " tensor A[x: n] : T, U[x: m] : T;"
     " dynamic_update_slice(A, U, start=i)"
     " => dynamic_update_slice(A, reverse(U, {x}), start=i); }",
     ALL},
    {"rule update_ok { axes x; map n, m on x; index i on x;"
     " tensor A[x: n] : T, U[x: m] : T, V[x: m] : T;"
     " dynamic_update_slice(dynamic_update_slice(A, V, start=i), U, start=i)"
     " => dynamic_update_slice(A, U, start=i); }",
     0},
    {"rule gather { axis a; axes i; map n on a; map m on i;"
     " tensor A[a: n] : num, I[i: m] : sint; where n >= 1;"
     " gather(reverse(A, {a}), I, axis=a) => gather(A, value(n) - I, axis=a);"
     " }",
     ARITH},
    {"rule gather_ok { axis a; axes i, x; map n on a; map m on i; map o on x;"
     " tensor A[a: n, x: o] : T, I[i: m] : int; op f : elementwise(T) -> U;"
     " f(gather(A, I, axis=a, size=2)) => gather(f(A), I, axis=a, size=2); }",
     0},
    {"rule scatter { axis a; axes i; map n on a; map m on i;"
     " tensor A[a: n] : num, I[i: m] : int, U[i: m] : num;"
     " scatter(max, A, I, reverse(U, {i}), axis=a)"
     " => scatter(max, A, I, U, axis=a); }",
     ARITH},
    {"rule scatter_ok { axis a; axes i; map n on a; map m on i;"
     " tensor A[a: n] : num, I[i: m] : int, U[i: m] : num;"
     " scatter(max, A, reverse(I, {i}), reverse(U, {i}), axis=a)"
     " => scatter(max, A, I, U, axis=a); }",
     0},
    {"rule reshape { axes x, y; axis z; map n on x; map m on y;"
     " tensor A[x: n, y: m] : T;"
     " merge(A, [x, y] -> z) => merge(A, [y, x] -> z); }",
     ALL},
    {"rule reshape_ok { axes x, y; axis z; map n on x; map m on y;"
     " tensor A[x: n, y: m] : T;"
     " reverse(merge(A, [x, y] -> z), {z})"
     " => merge(reverse(A, {x, y}), [x, y] -> z); }",
     0},
    {"rule bits { axes x; map n on x; tensor A[x: n] : float; type U : int;"
     " bitcast_convert(bitcast_convert(A, U) ^ 1, float) => A; }",
     ARITH & ~(1u << DOMAIN_INT | 1u << DOMAIN_REAL)},
    {"rule bits_ok { axes x; map n on x; tensor A[x: n] : float; type U : int;"
     " bitcast_convert(bitcast_convert(A, U), float) => A; }",
     0},
    {"rule monotone { axes x; map n on x; tensor A[x: n] : T, B[x: n] : T;"
     " type T : num; op h : monotone(T) -> T; h(A) + h(B) => h(A + B); }",
     ARITH},
    {"rule monotone_ok { axes x; map n on x; tensor A[x: n] : T, B[x: n] : T;"
     " type T : num; op h : monotone(T) -> T; max(h(A), h(B)) => h(max(A, B));"
     " }",
     0},
    {"rule wider_ok { axes x; map n on x; type S : num; type L : num;"
     " tensor A[x: n] : S; wider L of S; convert(convert(A, L), S) => A; }",
     0},
    // Dropped preconditions.
    {"rule pad_pad { axes x; map n, l, h, j, k on x; tensor A[x: n] : T;"
     " scalar v : T; pad(pad(A, v, low=l, high=h), v, low=j, high=k)"
     " => pad(A, v, low=l+j, high=h+k); }",
     ALL},
    {"rule slice_slice { axes x; map n, s, e, p, t, f, q on x;"
     " tensor A[x: n] : any;"
     " slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)"
     " => slice(A, start=s+t*p, limit=s+f*p, stride=p*q); }",
     ALL},
    {"rule max_left { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
     " max(A, B) => A; }",
     ARITH},
    // Off by one.
    {"rule limit { axes x; map n, s, e, p on x; tensor A[x: n] : T;"
     " where e >= 1, s < e;"
     " slice(A, start=s, limit=e, stride=p)"
     " => slice(A, start=s, limit=e-1, stride=p); }",
     ALL},
    {"rule interior { axes x; map n, i on x; tensor A[x: n] : T; scalar v : T;"
     " where n >= 1;"
     " slice(pad(A, v, interior=i), start=0, limit=n+(n-1)*i, stride=i+2)"
     " => A; }",
     ALL},
    // Swapped operands.
    {"rule concat { axis a; axes x; map n on x; map m, k on a;"
     " tensor A[a: m, x: n] : T, B[a: k, x: n] : T;"
     " concat(A, B, axis=a) => concat(B, A, axis=a); }",
     ALL},
    {"rule operator { axes x; map n on x; tensor A[x: n] : T, B[x: n] : T;"
     " op f : elementwise(T, T) -> U; f(A, B) => f(B, A); }",
     ALL},
    {"rule select { axes x; map n on x; tensor P[x: n] : bool,"
     " A[x: n] : T, B[x: n] : T; select(!P, A, B) => select(P, A, B); }",
     ALL},
    // A permutation instead of its inverse.
    {"rule cycle { axes x; axes y like x; axes z like x; map n on x;"
     " tensor A[x: n, y: n, z: n] : T;"
     " relabel(relabel(A, {x -> y, y -> z, z -> x}), {x -> y, y -> z, z -> x})"
     " => A; }",
     ALL},
    {"rule transpose { axes x; axes y like x; map n on x;"
     " tensor A[x: n, y: n] : T; relabel(A, {x <-> y}) => A; }",
     ALL},
    // False only at rank 0, only at rank 2.
    {"rule rank0 { axes x; map n on x; tensor A[x: n] : num;"
     " where n == 0; reduce(+, A, {x}) => 0; }",
     ARITH},
    {"rule rank2 { axes x; map a, b on x; scalar u : num; scalar v : num;"
     " where all(v <= u);"
     " max(pad(broadcast(u, {x: a}), v, high=b),"
     " pad(broadcast(u, {x: b}), v, low=a)) => broadcast(u, {x: a+b}); }",
     ARITH},
    // Only for empty tensors, only for negative edges.
    {"rule empty { axes x, y; map n on x; map m on y; tensor A[x: n] : num;"
     " reduce(max, broadcast(A, {y: m}), {y}) => A; }",
     ARITH},
    {"rule negative { axes x; map n, l on x; tensor A[x: n] : T;"
     " scalar v : T; where n + l >= 0;"
     " slice(pad(A, v, low=l), start=max(l, 0), limit=n+l)"
     " => A; }",
     ALL},
    // Shapes that differ only when empty.
    {"rule shape { axes x; map n, i on x; tensor A[x: n] : T; scalar v : T;"
     " pad(A, v, high=i+1, interior=i)"
     " => pad(A, v, high=max(i+1-n*0, 1), interior=max(i, 0)); }",
     0},
    {"rule shape_empty { axes x; map n, s, e, p on x; tensor A[x: n] : T;"
     " reverse(slice(A, start=s, limit=e, stride=p), {x})"
     " => slice(reverse(A, {x}), start=n-1-(s+(ceildiv(e-s, p)-1)*p),"
     " limit=n-s, stride=p); }",
     ALL},
    // Domains differ.
    {"rule wrap { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
     " C[x: n] : num; A + C < B + C => A < B; }",
     1u << DOMAIN_WORD | 1u << DOMAIN_FLOAT},
    {"rule zero_sign { axes x; map n on x; tensor A[x: n] : num;"
     " A + 0 => A; }",
     1u << DOMAIN_FLOAT},
    {"rule self { axes x; map n on x; tensor A[x: n] : num; A - A => 0; }", 1u << DOMAIN_FLOAT},
    {"rule divide { axes x; map n on x; tensor A[x: n] : num, B[x: n] : num,"
     " C[x: n] : num; A / B - C / B => (A - C) / B; }",
     1u << DOMAIN_INT | 1u << DOMAIN_WORD | 1u << DOMAIN_FLOAT},
    // Element conditions.
    {"rule positive { axes x; map n on x; tensor A[x: n] : num,"
     " B[x: n] : num; where all(B > 0), all(A > B); max(A, B) => A; }",
     0},
    {"rule positive2 { axes x; map n on x; tensor A[x: n] : num,"
     " B[x: n] : num; where all(B > 0), all(A > 0); max(A, B) => A; }",
     ARITH},
    // Transcendental operators.
    {"rule exps { axes x; map n on x; tensor A[x: n] : float,"
     " B[x: n] : float; exp(A) * exp(B) => exp(A + B); }",
     1u << DOMAIN_FLOAT},
    {"rule exps2 { axes x; map n on x; tensor A[x: n] : float,"
     " B[x: n] : float; exp(A) + exp(B) => exp(A + B); }",
     1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT},
    {"rule log_exp { axes x; map n on x; tensor A[x: n] : float;"
     " log(exp(A)) => A; }",
     1u << DOMAIN_FLOAT},
    // True ones.
    {"rule slice_slice_true { axes x; map n, s, e, p, t, f, q on x;"
     " tensor A[x: n] : any;"
     " slice(slice(A, start=s, limit=e, stride=p), start=t, limit=f, stride=q)"
     " => slice(A, start=min(e, s+t*p), limit=min(e, s+f*p), stride=p*q); }",
     0},
    {"rule two_steps { axes x, y; map n on x; map m on y;"
     " tensor A[x: n, y: m] : T; op g : monoid(T);"
     " reduce(g, reduce(g, A, {x}), {y}) => reduce(g, A, {x, y}); }",
     0},
    {"rule broadcasts { axes x, y; map n on x; map m on y;"
     " tensor A[x: n] : T, B[x: n] : T; op f : elementwise(T, T) -> U;"
     " f(broadcast(A, {y: m}), broadcast(B, {y: m}))"
     " => broadcast(f(A, B), {y: m}); }",
     0},
    {"rule vacuous { axis a; map n on a; tensor A[a: n] : num;"
     " where n < 0; A + 0 => A * 2; }",
     0},
};
#define N_SAMPLES (sizeof samples / sizeof *samples)

static const struct rule *parse(struct ruleset *set, const char *text)
{
    struct err_list errs = {0};
    ruleset_init(set);
    if (!ruleset_parse(set, text, strlen(text), "test.rw", &errs))
        fail_msg("%s: %s", text, errs.at.at[0].msg);
    vec_release(&errs.at);
    return set->rules.at[0];
}

static void test_samples(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_SAMPLES; i++) {
        struct ruleset set;
        const struct rule *rule = parse(&set, samples[i].text);
        for (unsigned d = 0; d < N_DOMAINS; d++) {
            struct arena mem = {0};
            struct rng rng;
            struct cex_budget b = cex_budget_quick();
            const char *json;
            struct err err = {0};
            if (!(rule_domains(rule) >> d & 1))
                continue;
            rng_seed(&rng, 1);
            bool found = cex_search(
                &(struct cex_request){rule, (enum domain)d, NULL, 0, &b, &rng, &mem, false}, &json);
            bool expected = samples[i].refuted >> d & 1;
            if (found != expected)
                fail_msg("%s in %s: %s", rule->name, domain_text((enum domain)d),
                         found ? json : "not refuted");
            if (found && !cex_replay(rule, (enum domain)d, json, &err))
                fail_msg("%s: %s", rule->name, err.msg);
            arena_release(&mem);
        }
        ruleset_release(&set);
    }
}

static const char pads[] = "rule pads { axes x; map n, l, h, i, j, k on x; tensor A[x: n] : T;"
                           " scalar v : T;"
                           " pad(pad(A, v, low=l, high=h, interior=i), v, low=j, high=k)"
                           " => pad(A, v, low=l+j, high=h+k, interior=i); }";

static char *search(const struct rule *rule, enum domain domain, uint64_t seed, struct arena *mem)
{
    struct rng rng;
    struct cex_budget b = cex_budget_quick();
    const char *json;
    rng_seed(&rng, seed);
    return cex_search(&(struct cex_request){rule, domain, NULL, 0, &b, &rng, mem, false}, &json)
               ? arena_strdup(mem, json)
               : NULL;
}

static void test_repeats(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    const struct rule *rule = parse(&set, pads);
    for (uint64_t seed = 0; seed < 8; seed++) {
        char *text = search(rule, DOMAIN_WORD, seed, &mem);
        char *string = search(rule, DOMAIN_WORD, seed, &mem);
        assert_non_null(text);
        assert_non_null(string);
        assert_string_equal(text, string);
    }
    arena_release(&mem);
    ruleset_release(&set);
}

// Smallest: one axis, and no value above 2.
static void test_small(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    const struct rule *rule = parse(&set, pads);
    for (uint64_t seed = 0; seed < 8; seed++) {
        json_t *j = json_loads(search(rule, DOMAIN_INT, seed, &mem), 0, NULL);
        const char *key;
        json_t *json;
        assert_int_equal(json_integer_value(json_object_get(json_object_get(j, "ranks"), "x")), 1);
        json_object_foreach(json_object_get(j, "maps"), key, json)
        {
            json_int_t k = json_integer_value(json_array_get(json, 0));
            assert_in_range(k + 2, 0, 4);
        }
        json_decref(j);
    }
    arena_release(&mem);
    ruleset_release(&set);
}

// A counterexample with one thing changed must not replay.
static void refuse(const struct rule *rule, const char *json, const char *object, const char *key,
                   json_t *value)
{
    struct err err = {0};
    json_t *j = json_loads(json, 0, NULL);
    json_object_set_new(object ? json_object_get(j, object) : j, key, value);
    char *text = json_dumps(j, 0);
    if (cex_replay(rule, DOMAIN_INT, text, &err))
        fail_msg("replayed: %s", text);
    assert_true(err.kind == ERR_INPUT || err.kind == ERR_CHECK);
    free(text);
    json_decref(j);
}

static void test_replay_refuses(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    struct err err = {0};
    const struct rule *rule = parse(&set, pads);
    char *json = search(rule, DOMAIN_INT, 3, &mem);
    assert_true(cex_replay(rule, DOMAIN_INT, json, &err));
    assert_false(cex_replay(rule, DOMAIN_REAL, json, &err));
    refuse(rule, json, NULL, "lhs", json_integer(77));
    refuse(rule, json, NULL, "failure", json_string("shape"));
    refuse(rule, json, NULL, "index", json_pack("[i]", 9));
    refuse(rule, json, NULL, "tensors", json_integer(1));
    refuse(rule, json, NULL, "domain", json_string("word"));
    refuse(rule, json, "ranks", "x", json_integer(2));
    refuse(rule, json, "ranks", "x", json_integer(1 << 30));
    refuse(rule, json, "ranks", "x", json_integer(-1));
    refuse(rule, json, "ranks", "x", json_null());
    refuse(rule, json, "maps", "n", json_pack("[i]", -1));
    refuse(rule, json, "maps", "n", json_pack("[I]", (json_int_t)1 << 62));
    refuse(rule, json, "maps", "n", json_pack("[s]", "1"));
    refuse(rule, json, "maps", "l", json_pack("[I]", (json_int_t)INT64_MIN));
    refuse(rule, json, "maps", "l", json_pack("[i]", 5));
    refuse(rule, json, "types", "T", json_string("f32"));
    refuse(rule, json, "types", "T", json_string("no such type"));
    refuse(rule, json, "scalars", "v", json_string("1/0"));
    refuse(rule, json, "scalars", "v", json_real(0.5));
    static const char *const nonsense[] = {
        "", "{", "[]", "3", "{}", "null", "{\"domain\":\"int\"}"};
    for (size_t i = 0; i < sizeof nonsense / sizeof *nonsense; i++)
        assert_false(cex_replay(rule, DOMAIN_INT, nonsense[i], &err));
    for (size_t n = 0; n < strlen(json); n++) { // every truncation
        char *cut = arena_strndup(&mem, json, n);
        assert_false(cex_replay(rule, DOMAIN_INT, cut, &err));
    }
    arena_release(&mem);
    ruleset_release(&set);
}

// Values of indices stand among the maps, their type beside them.
static void test_replay_of_indices(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    struct err err = {0};
    const struct rule *rule = parse(&set, "rule r { axes x; map n, m on x; index i on x;"
                                          " tensor A[x: n] : T; where m <= n;"
                                          " reverse(dynamic_slice(A, start=i, size=m), {x})"
                                          " => dynamic_slice(reverse(A, {x}), start=i, size=m); }");
    char *json = search(rule, DOMAIN_INT, 3, &mem);
    assert_true(cex_replay(rule, DOMAIN_INT, json, &err));
    assert_non_null(strstr(json, "\"index_type\":\"i32\""));
    refuse(rule, json, NULL, "index_type", json_string("f32"));
    refuse(rule, json, NULL, "index_type", json_string("int"));
    refuse(rule, json, NULL, "index_type", json_null());
    refuse(rule, json, "maps", "i", json_null());
    refuse(rule, json, "maps", "i", json_pack("[I]", (json_int_t)1 << 40));
    arena_release(&mem);
    ruleset_release(&set);
}

// The axes of a block are tried apart; its hints count by their product.
static void test_blocks(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    struct rng rng;
    struct err err = {0};
    struct cex_budget b = cex_budget_quick();
    const char *json;
    const struct rule *rule = parse(&set, "rule far { axes x; axis z; map n on x; map k on z;"
                                          " tensor A[x: n] : T; where k >= 15;"
                                          " reshape(A, [x] -> [z: k])"
                                          " => reverse(reshape(A, [x] -> [z: k]), {z}); }");
    int64_t n[2] = {4, 5}, k = 20;
    int64_t *map[2] = {n, &k};
    uint32_t rank[2] = {2, 1};
    struct cex_hint hint = {rank, map, ELEM_I32};
    rng_seed(&rng, 1);
    assert_true(cex_search(&(struct cex_request){rule, DOMAIN_INT, &hint, 1, &b, &rng, &mem, false},
                           &json));
    assert_true(cex_replay(rule, DOMAIN_INT, json, &err));
    // Other axes of the same product do as well, another product is none.
    json_t *j = json_loads(json, 0, NULL);
    json_int_t size =
        json_integer_value(json_array_get(json_object_get(json_object_get(j, "maps"), "k"), 0));
    json_object_set_new(json_object_get(j, "ranks"), "x", json_integer(3));
    json_object_set_new(json_object_get(j, "maps"), "n", json_pack("[iIi]", 1, size, 1));
    char *text = json_dumps(j, 0);
    assert_true(cex_replay(rule, DOMAIN_INT, text, &err));
    free(text);
    json_object_set_new(json_object_get(j, "maps"), "n", json_pack("[iIi]", 2, size, 1));
    text = json_dumps(j, 0);
    assert_false(cex_replay(rule, DOMAIN_INT, text, &err));
    free(text);
    json_decref(j);
    arena_release(&mem);
    ruleset_release(&set);
}

// A model finds what the small search does not reach.
static void test_hints(void **state)
{
    (void)state;
    struct ruleset set;
    struct arena mem = {0};
    struct rng rng;
    struct cex_budget b = cex_budget_quick();
    const char *json;
    const struct rule *rule =
        parse(&set, "rule far { axes x; map n, s, e on x; tensor A[x: n] : T;"
                    " where s * s != 1369 or n != 100 or e != 41;"
                    " slice(A, start=s, limit=e)"
                    " => slice(A, start=s + max(0, 1 - abs(s-37) - abs(n-101) -"
                    " abs(e-61)), limit=e); }");
    int64_t n = 101, st = 37, e = 61;
    int64_t *map[3] = {&n, &st, &e};
    uint32_t rank = 1;
    struct cex_hint hint = {&rank, map, ELEM_I32};
    rng_seed(&rng, 1);
    b.visits = 500;
    assert_false(cex_search(
        &(struct cex_request){rule, DOMAIN_BOOL, NULL, 0, &b, &rng, &mem, false}, &json));
    assert_true(cex_search(
        &(struct cex_request){rule, DOMAIN_BOOL, &hint, 1, &b, &rng, &mem, false}, &json));
    arena_release(&mem);
    ruleset_release(&set);
}

// Counts end a search: every search of the sample set ends, and one that may try a single
// candidate finds less.
static void test_counts(void **state)
{
    (void)state;
    unsigned n[2] = {0};
    for (size_t i = 0; i < 2 * N_SAMPLES; i++) {
        struct ruleset set;
        struct arena mem = {0};
        const struct rule *rule = parse(&set, samples[i / 2].text);
        for (unsigned d = 0; d < N_DOMAINS; d++) {
            struct rng rng;
            struct cex_budget b = cex_budget_quick();
            const char *json;
            b.candidates = i % 2 ? 1 : b.candidates;
            b.systematic = i % 2 ? 1 : b.systematic;
            rng_seed(&rng, 5);
            n[i % 2] += (rule_domains(rule) >> d & 1) != 0 &&
                        cex_search(&(struct cex_request){rule, (enum domain)d, NULL, 0, &b, &rng,
                                                         &mem, false},
                                   &json);
        }
        arena_release(&mem);
        ruleset_release(&set);
    }
    print_message("%u found, %u at the first candidate\n", n[0], n[1]);
    assert_true(n[0] > 0 && n[1] < n[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples),        cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_small),          cmocka_unit_test(test_hints),
        cmocka_unit_test(test_replay_refuses), cmocka_unit_test(test_replay_of_indices),
        cmocka_unit_test(test_blocks),         cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
