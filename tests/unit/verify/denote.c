// SPDX-License-Identifier: Apache-2.0
// The two meanings agree: on random ground instances the
// denotation's conditions agree with what the builder accepts, its sizes with
// the terms' types, its elements with the interpreter's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/clock.h"
#include "rules/instance/instance.h"
#include "tensor/eval/eval.h"
#include "verify/meaning/denote.h"
#include "verify/symbolic/eval.h"
#include "verify/obligations/session.h"

static uint64_t seed = 1;

static const char text[] =
    "rule slices { axes x; map n, s, e, p on x; tensor A[x: n] : any;\n"
    "  slice(A, start=s, limit=e, stride=p) =>\n"
    "  slice(slice(A, start=s, limit=e), start=0, stride=p); }\n"
    "rule pads { axes x, y; map n, l, h, i on x; map m, k on y;\n"
    "  tensor A[x: n, y: m] : T; scalar v : T;\n"
    "  pad(A, v, low={x: l, y: k}, high={x: h}, interior={x: i}) =>\n"
    "  pad(pad(A, v, low={x: l}, high={x: h}, interior={x: i}), v,\n"
    "      low={y: k}); }\n"
    "rule concats { axis a; axes x; map n, m on a; map o on x;\n"
    "  tensor A[a: n, x: o] : any, B[a: m, x: o] : any;\n"
    "  reverse(concat(A, B, A, axis=a), {a}) =>\n"
    "  concat(reverse(A, {a}), reverse(B, {a}), reverse(A, {a}), axis=a); }\n"
    "rule broadcasts { axes x, y; map n on x; map m on y;\n"
    "  tensor A[x: n] : int; scalar c : int;\n"
    "  broadcast(A, {y: m}) + c => broadcast(A + c, {y: m}); }\n"
    "rule iotas { axis a; axes x; map n on x; map m, s on a;\n"
    "  tensor A[x: n, a: m] : num;\n"
    "  slice(A + iota({x: n, a: m}, axis=a), start={a: s}) =>\n"
    "  slice(A, start={a: s}) + slice(iota({x: n, a: m}, axis=a),\n"
    "                                 start={a: s}); }\n"
    "rule sums { axes x, y; map n on x; map m on y;\n"
    "  tensor A[x: n, y: m] : int;\n"
    "  reduce(+, A * A, {y}) => reduce(+, reverse(A * A, {y}), {y}); }\n"
    "rule monoids { axes x, y; map n on x; map m on y;\n"
    "  tensor A[x: n, y: m] : int; op g : monoid(int);\n"
    "  reduce(g, A, {x, y}) => g(reduce(g, A, {x, y}), unit(g)); }\n"
    "rule extremes { axes x; map n on x; tensor A[x: n] : num;\n"
    "  reduce(max, A, {x}) => max(lowest, reduce(max, max(A, lowest), {x})); "
    "}\n"
    "rule relabels { axes x; axes y like x; map n on x;\n"
    "  tensor A[x: n, y: n + 1] : any;\n"
    "  relabel(slice(A, limit={y: n}), {x <-> y}) =>\n"
    "  slice(relabel(A, {x <-> y}), limit={x: n}); }\n"
    "rule choices { axes x; map n on x; tensor P[x: n] : bool;\n"
    "  tensor A[x: n] : num, B[x: n] : num;\n"
    "  select(P & !(A < B) | (A >= B) ^ (A == B), clamp(B, A, A), -A) =>\n"
    "  select(P & (B <= A) | (A != B) ^ (A > B), max(B, A), -A); }\n"
    "rule integers { axes x; map n on x; tensor A[x: n] : int, B[x: n] : int;\n"
    "  A / B + A % B => abs(convert(convert(A == B, int), int)) - 3; }\n"
    "rule floats { axes x; map n on x; tensor A[x: n] : float,\n"
    "  B[x: n] : float;\n"
    "  A / B - min(A * 0.5, B) => max(sign(A), floor(B)) + abs(A); }\n"
    "rule lets { axes x; map n, d on x; let q = div(n, d);\n"
    "  let r = mod(n, d); tensor A[x: n] : any; where d != 0 or n == 0;\n"
    "  slice(A, start=r, limit=r + max(q, 0), stride=1) =>\n"
    "  slice(A, start=min(r, n), limit=min(n, r + abs(q)),\n"
    "        stride=ceildiv(d, abs(d))); }\n";

static const char sums[] =
    "rule dots { axes b, x, y, k; map p on b; map n on x; map m on y;\n"
    "  map q on k; tensor A[b: p, x: n, k: q] : num, B[b: p, y: m, k: q] : "
    "int;\n"
    "  dot(A, B, contract={k}, batch={b}) =>\n"
    "  dot(B, A, contract={k}, batch={b}); }\n"
    "rule dots_of_different_sizes { axes x, y, k; map n on x; map m on y;\n"
    "  map p, q on k; tensor A[x: n, k: p] : int, B[y: m, k: q] : int;\n"
    "  dot(A, B, contract={k}) => dot(slice(A, limit={k: min(p, q)}),\n"
    "    slice(B, limit={k: min(p, q)}), contract={k}); }\n"
    "rule outer { axes x, y; map n on x; map m on y; tensor A[x: n] : int,\n"
    "  B[y: m] : int; dot(A, B) => dot(dot(A, 2), B); }\n"
    "rule init { axes x, y; map n on x; map m on y; scalar v : int;\n"
    "  tensor A[x: n, y: m] : int; reduce(+, A, {y}, init=v) =>\n"
    "  reduce(max, A, {y}, init=v + 1); }\n"
    "rule counts { axes x, y; map n on x; map m on y; tensor A[x: n] : int;\n"
    "  A * count({y: m}) => reduce(+, broadcast(A, {y: m}), {y}); }\n"
    "rule windows { axes x, y; map n, w, s, l, h, d, e on x; map m, v on y;\n"
    "  tensor A[x: n, y: m] : int; scalar c : int;\n"
    "  reduce_window(+, A, size={x: w, y: v}, stride={x: s}, low={x: l},\n"
    "    high={x: h}, dilation={x: d}, window_dilation={x: e}, init=c) =>\n"
    "  reduce_window(+, A, size={x: w, y: v}, stride={x: s}, low={x: l},\n"
    "    high={x: h}, dilation={x: d}, window_dilation={x: e}); }\n"
    "rule small_windows { axes x; map n, s, l, h on x;\n"
    "  tensor A[x: n] : num; scalar c : num;\n"
    "  reduce_window(max, A, size=1, stride=s, low=l, high=h, init=c) =>\n"
    "  reduce_window(min, A, stride=s, low=l, high=h, size=1); }\n"
    "rule monoid_windows { axes x; map n, w on x; tensor A[x: n] : int;\n"
    "  op g : monoid(int); scalar c : int;\n"
    "  reduce_window(g, A, size=w, low=w - 1, init=c) =>\n"
    "  reduce_window(g, A, size=w, low=w - 1); }\n"
    "rule convs { axes b, f, o, s; map nb on b; map nf on f; map no on o;\n"
    "  map n, w, p, l, h, d, e on s; tensor A[b: nb, f: nf, s: n] : int,\n"
    "  K[f: nf, o: no, s: w] : int;\n"
    "  conv(A, K, feature={f}, spatial={s}, stride=p, low=l, high=h,\n"
    "       dilation=d, kernel_dilation=e) =>\n"
    "  conv(A, reverse(K, {s}), feature={f}, spatial={s}, stride=p, low=l,\n"
    "       high=h, dilation=d, kernel_dilation=e, flip={s}); }\n"
    "rule two_spatial { axis b, f, o, t; axes s; map nb on b; map nf on f;\n"
    "  map no on o; map n, w, l on s; map m, v, p on t;\n"
    "  tensor A[b: nb, f: nf, s: n, t: m] : int,\n"
    "  K[f: nf, o: no, s: w, t: v] : int;\n"
    "  conv(A, K, feature={f}, spatial={s, t}, stride={t: p}, low={s: l},\n"
    "       flip={t}) => conv(A, K, feature={f}, spatial={s, t},\n"
    "       stride={t: p}, low={s: l}, flip={s}); }\n"
    "rule feature_groups { axis b, f, o; axes s; map nb on b;\n"
    "  map mf, g on f; map no on o; map n, w on s;\n"
    "  tensor A[b: nb, f: mf*g, s: n] : int, K[f: mf, o: no, s: w] : int;\n"
    "  conv(A, K, feature={f}, spatial={s}, feature_groups=g) =>\n"
    "  conv(A, K, feature={f}, spatial={s}, feature_groups=g) + 1; }\n"
    "rule batch_groups { axis b, f, o; axes s; map nb, g on b;\n"
    "  map nf on f; map no on o; map n, w on s;\n"
    "  tensor A[b: nb*g, f: nf, s: n] : int, K[f: nf, o: no, s: w] : int;\n"
    "  conv(A, K, feature={f}, spatial={s}, batch_groups=g) =>\n"
    "  conv(A, K, feature={f}, spatial={s}, batch_groups=g) + 1; }\n"
    "rule free_groups { axis b, f, o; axes s; map nb, h on b;\n"
    "  map nf, mf, g on f; map no on o; map n, w on s;\n"
    "  tensor A[b: nb, f: nf, s: n] : int, K[f: mf, o: no, s: w] : int;\n"
    "  conv(A, K, feature={f}, spatial={s}, feature_groups=g,\n"
    "       batch_groups=h) => conv(A, K, feature={f}, spatial={s},\n"
    "       feature_groups=g, batch_groups=h) + 1; }\n";

static const char places[] =
    "rule dynamic_slices { axes x, y; map n, k on x; index i on x;\n"
    "  map m, l on y; index h on y; tensor A[x: n, y: m] : any;\n"
    "  dynamic_slice(A, start={x: i, y: h}, size={x: k, y: l}) =>\n"
    "  dynamic_slice(A, start={x: clamp(i, 0, n - k), y: h + 0},\n"
    "                size={x: k, y: l}); }\n"
    "rule indices_computed { axes x; map n, k on x; index i, j on x;\n"
    "  tensor A[x: n] : any; let s = min(j, i) + max(i, 0)*2;\n"
    "  dynamic_slice(dynamic_slice(A, start=i, size=k), start=j, size=1) =>\n"
    "  dynamic_slice(A, start=s, size=1); }\n"
    "rule known_starts { axes x; map n, k, s on x; tensor A[x: n] : any,\n"
    "  U[x: k] : any;\n"
    "  dynamic_update_slice(A, U, start=s) =>\n"
    "  dynamic_update_slice(A, dynamic_slice(U, size=k), start=s); }\n"
    "rule dynamic_updates { axes x, y; map n, k on x; map m on y;\n"
    "  index i on x; tensor A[x: n, y: m] : any, U[x: k, y: m] : any;\n"
    "  dynamic_update_slice(A, U, start=i) =>\n"
    "  dynamic_update_slice(A, U, start={x: i, y: 3}); }\n"
    "rule smaller_updates { axes x, y; map n, k on x; map m, l on y;\n"
    "  index i on x; tensor A[x: n, y: m] : any, U[x: k, y: l] : any;\n"
    "  dynamic_update_slice(A, U, start={x: i}) =>\n"
    "  dynamic_update_slice(A, U, start={x: i, y: m}); }\n"
    "rule gathers { axis a; axes b, j, x; map n on a; map p on b;\n"
    "  map q on j; map m on x; tensor A[a: n, b: p, x: m] : any,\n"
    "  I[b: p, j: q] : int;\n"
    "  gather(A, I, axis=a, batch={b}) =>\n"
    "  gather(reverse(A, {a}), value(n - 1) - I, axis=a, batch={b}); }\n"
    "rule pieces { axis a; axes b, j; map n, k on a; map p on b; map q on j;\n"
    "  tensor A[a: n, b: p] : any, I[b: p, j: q] : int;\n"
    "  gather(A, I, axis=a, size=k, batch={b}) =>\n"
    "  gather(A, max(I, 0), axis=a, size=k, batch={b}); }\n"
    "rule gather_of_one { axis a; map n on a; tensor A[a: n] : any;\n"
    "  scalar i : int; gather(A, i, axis=a) => gather(A, max(i, 0), axis=a); "
    "}\n"
    "rule twice { axis a, c; axes j; map n on a; map m on c; map q on j;\n"
    "  tensor A[a: n] : any, I[c: m] : int, J[j: q] : int;\n"
    "  gather(gather(A, I, axis=a), J, axis=c) =>\n"
    "  gather(A, gather(I, J, axis=c), axis=a); }\n"
    "rule scatters { axis a; axes b, j, x; map n on a; map p on b;\n"
    "  map q on j; map m on x; tensor A[a: n, b: p, x: m] : int,\n"
    "  I[b: p, j: q] : int, U[b: p, j: q, x: m] : int;\n"
    "  scatter(+, A, I, U, axis=a, batch={b}) =>\n"
    "  scatter(max, A, I, U, axis=a, batch={b}); }\n"
    "rule values { axis a, b; axes x; map n, k on a; map m on b; map p on x;\n"
    "  tensor A[a: n, b: m, x: p] : sint; index i on b;\n"
    "  A + value(n*m - k) => A + value(n + m*2) + value(min(i, 3)); }\n"
    "rule bits { axes x; map n on x; tensor A[x: n] : T; type T : sint;\n"
    "  type U : uint; type V : float;\n"
    "  bitcast_convert(bitcast_convert(A, U) + 1, T) =>\n"
    "  bitcast_convert(bitcast_convert(bitcast_convert(A, V), U), T); }\n";

static const char reshapes[] =
    "rule merges { axis a, b, c; axes x; map n on a; map m on b; map k on c;\n"
    "  map p on x; tensor A[a: n, x: p, b: m] : any;\n"
    "  reshape(A, [a, b] -> [c: k]) => merge(A, [a, b] -> c); }\n"
    "rule splits { axis a, b, c; axes x; map n on a; map m on b; map k on c;\n"
    "  map p on x; tensor A[c: n*m, x: p] : any; where n*m == k;\n"
    "  reverse(split(A, c -> [a: n, b: m]), {a}) =>\n"
    "  split(A, c -> [a: n, b: m]); }\n"
    "rule three { axis a, b, c, e, f, g, h; map n on a; map p on b;\n"
    "  map k on c; map u on e; map v on f; map w on g;\n"
    "  tensor A[a: n, b: p, c: k] : any;\n"
    "  reshape(A, [a, b, c] -> [e: u, f: v, g: w]) =>\n"
    "  split(merge(A, [a, b, c] -> h), h -> [e: u, f: v, g: w]); }\n"
    "rule three_to_two { axis a, b, c, e, f; map n on a; map p on b;\n"
    "  map k on c; map u on e; map v on f;\n"
    "  tensor A[a: n, b: p, c: k] : any;\n"
    "  reshape(A, [c, a, b] -> [e: u, f: v]) =>\n"
    "  reshape(A, [c, a, b] -> [e: u, f: v]); }\n"
    "rule exchanged { axis a, b; axis c like a; axis e like b; map n on a;\n"
    "  map m on b; tensor A[a: n, b: m] : any;\n"
    "  relabel(reshape(A, [a, b] -> [e: m, c: n]), {e -> b, c -> a}) =>\n"
    "  relabel(reshape(A, [b, a] -> [c: n, e: m]), {e -> b, c -> a}); }\n"
    "rule units { axes x, u, v; map n on x; map m on u; map k on v;\n"
    "  tensor A[x: n, u: m] : any;\n"
    "  reshape(A, [u] -> [], [] -> [v: k]) =>\n"
    "  reshape(reshape(A, [] -> [v: 1]), [u] -> []); }\n"
    "rule blocks { axes x, y, w; axis c; map n on x; map m on y;\n"
    "  map p on w; tensor A[y: m, w: p, x: n] : int;\n"
    "  reshape(reduce(+, A, {w}), [x, y] -> [c]) =>\n"
    "  reduce(+, reshape(A, [y, x] -> [c]), {w}); }\n"
    "rule block_sums { axes x, y; axis c; map n on x; map m on y;\n"
    "  map k on c; tensor A[y: m, c: k*2] : int, B[x: n] : int;\n"
    "  where n == k*2 or n == k + 1;\n"
    "  dot(reshape(B, [x] -> [c: k*2]), A, contract={c}) =>\n"
    "  reduce(+, A, {c}) + broadcast(reduce(+, B, {x}), {y: m}); }\n"
    "rule splits_of_blocks { axes x, y; axis c; map n on x; map m on y;\n"
    "  tensor A[c: 4] : any; split(A, c -> [x: n, y: m]) =>\n"
    "  split(reverse(A, {c}), c -> [x: n, y: m]); }\n";

struct tensors {
    struct pool *pool;
    const struct value *value; // tensor variables, then scalars
    const struct rule *rule;
    const uint32_t *rank; // per class
};

// A block has one index, all of whose axes stand together.
static bool read_tensor(void *ctx, uint32_t tensor, uint32_t n, const int64_t *index,
                        struct scalar *out)
{
    const struct tensors *tensors = ctx;
    const struct value *value = &tensors->value[tensor];
    const struct tensor_var *var = &tensors->rule->tensors[tensor];
    const int64_t *dims = type_dims(tensors->pool, value->type);
    size_t at = 0;
    uint32_t i = 0;
    for (uint32_t s = 0; s < var->n_sizes; s++) {
        uint32_t c = var->sizes[s].cls;
        bool one = denote_one_axis(tensors->rule, c);
        for (uint32_t k = 0; k < (one ? 1 : tensors->rank[c]); k++, i++) {
            int64_t size = one ? 1 : *dims++;
            for (uint32_t b = 0; one && b < tensors->rank[c]; b++)
                size *= *dims++;
            if (i >= n || index[i] < 0 || index[i] >= size)
                return false;
            at = at * (size_t)size + (size_t)index[i];
        }
    }
    assert_int_equal(i, n);
    *out = scalar_load(type_elem(tensors->pool, value->type), value->data, at);
    return true;
}

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    const struct tensors *tensors = ctx;
    const struct value *value = &tensors->value[tensors->rule->n_tensors + scalar];
    return scalar_load(type_elem(tensors->pool, value->type), value->data, 0);
}

static bool converts_bits(const struct rule *rule)
{
    bool any = false;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        any |= rule->pats[i].kind == PAT_OP && rule->pats[i].op == OP_BITCAST_CONVERT;
    return any;
}

static enum elem random_elem(struct rng *rng, unsigned kinds, bool one_width)
{
    static const enum elem wide[] = {ELEM_I32, ELEM_UI32, ELEM_F32};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0] && one_width; i++)
        if ((kinds & elem_kind(wide[i])) != 0)
            return wide[i];
    static const enum elem all[] = {ELEM_I1,  ELEM_I8,  ELEM_I32, ELEM_UI8,
                                    ELEM_F32, ELEM_F64, ELEM_I64};
    for (;;) {
        enum elem elem = all[rng_below(rng, sizeof all / sizeof all[0])];
        if ((kinds & elem_kind(elem)) != 0)
            return elem;
    }
}

struct trial {
    const struct rule *rule;
    struct rng *rng;
    struct arena mem;
    struct pool pool;
    struct terms terms;
    struct exprs exprs;
    struct denote denote;
    uint32_t rank[64]; // of the instance; the denotation has blocks as one axis
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    struct i64_vec values; // by variable
};

static int64_t random_value(const struct rule *rule, uint32_t map, struct rng *rng)
{
    if (rule->maps[map].index)
        return rng_range(rng, -3, 7);
    if (rule->classes[rule->maps[map].cls].block)
        return rng_range(rng, 0, 3);
    if (rng_below(rng, 2) == 0)
        return rng_range(rng, 1, 3);
    return rng_range(rng, rng_below(rng, 4) == 0 ? -2 : 0, 5);
}

static void set_up(struct trial *trial)
{
    const struct rule *rule = trial->rule;
    struct rng *rng = trial->rng;
    pool_init(&trial->pool);
    terms_init(&trial->terms, &trial->pool);
    exprs_init(&trial->exprs);
    trial->map = ARENA_NEW(&trial->mem, int64_t *, rule->n_maps + 1);
    trial->elem = ARENA_NEW(&trial->mem, enum elem, rule->n_types + 1);
    trial->op = ARENA_NEW(&trial->mem, struct op_binding, rule->n_opvars + 1);
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        uint32_t f = denote_rank_class(rule, c);
        trial->rank[c] = f != c ? trial->rank[f]
                         : rule->classes[c].single
                             ? 1
                             : rule->classes[c].least_rank +
                                   (uint32_t)rng_below(rng, 3 - rule->classes[c].least_rank);
    }
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        trial->map[m] = ARENA_NEW(&trial->mem, int64_t, 4);
        for (uint32_t k = 0; k < trial->rank[rule->maps[m].cls]; k++)
            trial->map[m][k] = random_value(rule, m, rng);
    }
    for (uint32_t i = 0; i < rule->n_types; i++)
        trial->elem[i] = random_elem(rng, rule->types[i].kinds, converts_bits(rule));
    // Float sums are no monoid: 0 + -0 = 0.
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        bool adds =
            elem_kind(trial->elem[rule->opvars[i].result]) != KIND_FLOAT && rng_below(rng, 2) == 0;
        trial->op[i] = (struct op_binding){adds ? OP_ADD : OP_MAXIMUM, NO_ATTR};
    }
    uint32_t rank[64];
    for (uint32_t c = 0; c < rule->n_classes; c++)
        rank[c] = denote_one_axis(rule, c) ? 1 : trial->rank[c];
    assert_true(denote_init(&trial->denote, &trial->exprs, rule, rank));
}

static void tear_down(struct trial *trial)
{
    denote_release(&trial->denote);
    exprs_release(&trial->exprs);
    terms_release(&trial->terms);
    pool_release(&trial->pool);
    vec_release(&trial->values);
    arena_release(&trial->mem);
}

static struct eval_env environment(struct trial *trial)
{
    vec_clear(&trial->values);
    for (uint32_t v = 0; v < trial->exprs.var.len; v++) {
        const struct var *var = &trial->exprs.var.at[v];
        int64_t value = INT64_MIN;
        if (var->kind == VAR_MAP) {
            uint32_t c = trial->rule->maps[var->a].cls;
            bool one = denote_one_axis(trial->rule, c);
            value = one ? 1 : trial->map[var->a][var->place];
            for (uint32_t k = 0; one && k < trial->rank[c]; k++)
                value *= trial->map[var->a][k];
        }
        vec_push(&trial->values, value);
    }
    return (struct eval_env){.exprs = &trial->exprs,
                             .value = trial->values.at,
                             .n_values = trial->values.len,
                             .rule = trial->rule,
                             .elem = trial->elem,
                             .op = trial->op};
}

// The builder does not look at the values that indices have when it runs.
static bool about_indices(const struct clause *clause)
{
    return strncmp(clause->what, "an index expression", 19) == 0;
}

static bool all_true(struct trial *trial, const struct clauses *clauses)
{
    struct eval_env env = environment(trial);
    for (uint32_t i = 0; i < clauses->at.len; i++) {
        bool truth = false;
        if (about_indices(&clauses->at.at[i]))
            continue;
        if (!eval_truth(&env, clauses->at.at[i].cond, &truth) || !truth)
            return false;
    }
    return true;
}

// The denotation's judgement of the instance, in the builder's words.
static enum ground_status expected_status(struct trial *trial)
{
    struct clauses where = {{0}}, lhs = {{0}}, rhs = {{0}};
    enum ground_status status = GROUND_OK;
    denote_where(&trial->denote, &where);
    denote_valid(&trial->denote, trial->rule->lhs, &lhs);
    denote_valid(&trial->denote, trial->rule->rhs, &rhs);
    assert_null(trial->denote.failure);
    if (!all_true(trial, &where))
        status = GROUND_PRE_FALSE;
    else if (!all_true(trial, &lhs))
        status = GROUND_LHS_INVALID;
    else if (!all_true(trial, &rhs))
        status = GROUND_RHS_INVALID;
    struct eval_env env = environment(trial);
    for (uint32_t c = 0; c < trial->rule->n_classes && status == GROUND_OK; c++)
        for (uint32_t k = 0; k < trial->denote.rank[c]; k++) {
            int64_t a = 0, b = 0;
            if (!denote_has_class(&trial->denote, trial->rule->lhs, c))
                continue;
            expr_id u = denote_size(&trial->denote, trial->rule->lhs, c, k);
            expr_id v = denote_size(&trial->denote, trial->rule->rhs, c, k);
            env = environment(trial);
            assert_true(eval_int(&env, u, &a) && eval_int(&env, v, &b));
            if (a != b)
                status = GROUND_TYPE_DIFFERS;
        }
    vec_release(&where.at);
    vec_release(&lhs.at);
    vec_release(&rhs.at);
    return status;
}

// The index of element `at` of a term whose dimensions have this order.
static void set_index(struct trial *trial, const struct order *out, type_id type, int64_t at,
                      expr_id *index)
{
    const struct instance *in = trial->inst;
    int64_t value[TENSOR_MAX_RANK], size[TENSOR_MAX_RANK];
    for (uint32_t i = out->n; i-- > 0;) {
        int64_t dim = type_dims(&trial->pool, type)[i];
        value[out->axis[i]] = at % dim;
        size[out->axis[i]] = dim;
        at /= dim;
    }
    for (uint32_t c = 0; c < trial->rule->n_classes; c++) {
        int64_t whole = 0;
        bool has = denote_has_class(&trial->denote, trial->rule->lhs, c);
        for (uint32_t k = 0; has && k < trial->rank[c]; k++) {
            uint32_t axis = in->class_axes[c][k];
            whole = whole * size[axis] + value[axis];
            if (!denote_one_axis(trial->rule, c))
                index[c * trial->denote.max_rank + k] = expr_int(&trial->exprs, value[axis]);
        }
        if (has && denote_one_axis(trial->rule, c))
            index[c * trial->denote.max_rank] = expr_int(&trial->exprs, whole);
    }
}

static bool sums_over_several(const struct exprs *exprs, expr_id e)
{
    struct u32_vec reach = {0};
    bool several = false;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr *node = expr_at(exprs, reach.at[i]);
        several |= node->kind == X_REDUCE && node->n > 3 &&
                   (node->op == OP_ADD || node->op == OP_MULTIPLY);
    }
    vec_release(&reach);
    return several;
}

// Every element of one side, interpreted and denoted.
static uint32_t compare_side(struct trial *trial, uint32_t pat, term_id term,
                             const struct value *params, uint32_t n_params)
{
    struct value value;
    struct err err = {0};
    assert_true(eval_terms(&(struct eval_input){&trial->terms, n_params, params, &trial->mem}, 1,
                           &term, &value, &err));
    // The right side is built in the order of the left one.
    const struct order *out = &trial->inst->pat[trial->rule->lhs].out;
    uint32_t rank = type_rank(&trial->pool, value.type), checked = 0;
    assert_int_equal(rank, out->n);
    struct tensors ctx = {&trial->pool, params, trial->rule, trial->rank};
    int64_t count = type_count(&trial->pool, value.type);
    for (int64_t at = 0; at < count; at++) {
        expr_id *index = denote_new_index(&trial->denote);
        set_index(trial, out, value.type, at, index);
        expr_id elem = denote_element(&trial->denote, pat, index);
        mem_free(index);
        // The denotation leaves float sums open, and over several axes their
        // order is that of the layout.
        if ((trial->denote.rounds || sums_over_several(&trial->exprs, elem)) &&
            elem_kind(type_elem(&trial->pool, value.type)) == KIND_FLOAT)
            continue;
        struct eval_env env = environment(trial);
        env.tensor = read_tensor;
        env.scalar = read_scalar;
        env.ctx = &ctx;
        struct scalar got, want;
        enum elem type = type_elem(&trial->pool, value.type);
        bool known = eval_elem(&env, elem, &got);
        want = scalar_load(type, value.data, (size_t)at);
        if (!known || (!scalar_same(type, got, want) &&
                       !(scalar_is_nan(type, got) && scalar_is_nan(type, want)))) {
            struct buf buf = {0};
            expr_print(&trial->exprs, trial->rule, elem, &buf);
            fail_msg("%s: element %lld of pattern %u: %s", trial->rule->name, (long long)at,
                     (unsigned)pat, buf_text(&buf));
        }
        checked++;
    }
    return checked;
}

static uint32_t compare_elements(struct trial *trial, term_id lhs, term_id rhs, bool both)
{
    const struct rule *rule = trial->rule;
    uint32_t n = rule->n_tensors + rule->n_scalars, checked;
    struct value *params = ARENA_NEW(&trial->mem, struct value, n + 1);
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        params[i] = value_random(&trial->pool, term_type(&trial->terms, trial->inst->tensor[i]),
                                 trial->rng, true, &trial->mem);
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        params[rule->n_tensors + i] =
            value_random(&trial->pool, term_type(&trial->terms, trial->inst->scalar[i]), trial->rng,
                         true, &trial->mem);
    checked = compare_side(trial, rule->lhs, lhs, params, n);
    if (both)
        checked += compare_side(trial, rule->rhs, rhs, params, n);
    return checked;
}

static uint32_t try_once(const struct rule *rule, struct rng *rng)
{
    struct trial trial = {.rule = rule, .rng = rng};
    struct ground ground;
    struct err err = {0};
    term_id lhs = NO_TERM, rhs = NO_TERM;
    uint32_t checked = 0;
    set_up(&trial);
    ground = (struct ground){trial.rank, trial.map, trial.elem, trial.op, ELEM_OTHER};
    enum ground_status want = expected_status(&trial);
    enum ground_status got =
        rule_ground(rule, &ground, (struct ground_place){&trial.terms, NULL, &trial.mem},
                    (struct ground_out){&trial.inst, &lhs, &rhs, NULL}, &err);
    // An undefined let fails before the left side is looked at.
    bool let = got == GROUND_PRE_FALSE && (want != GROUND_OK || err.kind == ERR_LIMIT);
    if (got != want && !let)
        fail_msg("%s: the builder says %d, the denotation %d (%s)", rule->name, (int)got, (int)want,
                 err.msg);
    if (got == GROUND_OK)
        checked = compare_elements(&trial, lhs, rhs, true);
    tear_down(&trial);
    return checked;
}

static void agree_on(const char *which)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct rng rng;
    rng_seed(&rng, seed);
    ruleset_init(&rs);
    bool ok = ruleset_parse(&rs, which, strlen(which), "text", &errs);
    if (!ok)
        fail_msg("%u: %s", (unsigned)errs.at.at[0].line, errs.at.at[0].msg);
    for (uint32_t i = 0; i < rs.rules.len; i++) {
        uint32_t checked = 0;
        for (int k = 0; k < 6000 && checked < 20000; k++)
            checked += try_once(rs.rules.at[i], &rng);
        print_message("%s: %u elements\n", rs.rules.at[i]->name, (unsigned)checked);
        assert_true(checked > 50);
    }
    vec_release(&errs.at);
    ruleset_release(&rs);
}

static void test_agreement(void **state)
{
    (void)state;
    agree_on(text);
}

static void test_sums(void **state)
{
    (void)state;
    agree_on(sums);
}

static void test_places(void **state)
{
    (void)state;
    agree_on(places);
}

static void test_reshapes(void **state)
{
    (void)state;
    agree_on(reshapes);
}

// The builder asks more of operators and types than the denotation says, and
// neither speaks of named functions.
static bool comparable(const struct rule *rule)
{
    bool yes = rule->n_wider == 0 && !rule_defines(rule);
    for (uint32_t k = 0; k < rule->n_opvars; k++)
        yes &= rule->opvars[k].kind == OPVAR_MONOID;
    return yes;
}

static void agree_on_file(const char *path, int tries)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct rng rng;
    uint32_t checked = 0, n = 0;
    rng_seed(&rng, seed + 1);
    ruleset_init(&rs);
    assert_true(ruleset_load(&rs, path, &errs));
    for (uint32_t i = 0; i < rs.rules.len; i++) {
        n += comparable(rs.rules.at[i]);
        for (int k = 0; k < tries && comparable(rs.rules.at[i]); k++)
            checked += try_once(rs.rules.at[i], &rng);
    }
    print_message("%s: %u rules, %u elements\n", path, (unsigned)n, (unsigned)checked);
    assert_true(n > 10 && checked > 1000);
    vec_release(&errs.at);
    ruleset_release(&rs);
}

// Rules as users write them: the library, each form once, and false rules.
static void test_files(void **state)
{
    (void)state;
    agree_on_file("rules/library", 60);
    agree_on_file("tests/rules/forms.rw", 300);
    agree_on_file("tests/wrong", 60);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_places),    cmocka_unit_test(test_reshapes),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
