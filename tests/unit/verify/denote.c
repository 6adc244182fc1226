// SPDX-License-Identifier: Apache-2.0
// The two meanings held against each other: on random ground instances the
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
    const struct rule *r;
    const uint32_t *rank; // per class
};

// A block has one index, all of whose axes stand together.
static bool read_tensor(void *ctx, uint32_t tensor, uint32_t n,
                        const int64_t *index, struct scalar *out)
{
    const struct tensors *t = ctx;
    const struct value *v = &t->value[tensor];
    const struct tensor_var *var = &t->r->tensors[tensor];
    const int64_t *dims = type_dims(t->pool, v->type);
    size_t at = 0;
    uint32_t i = 0;
    for (uint32_t s = 0; s < var->n_sizes; s++) {
        uint32_t c = var->sizes[s].cls;
        bool one = denote_one_axis(t->r, c);
        for (uint32_t k = 0; k < (one ? 1 : t->rank[c]); k++, i++) {
            int64_t size = one ? 1 : *dims++;
            for (uint32_t b = 0; one && b < t->rank[c]; b++)
                size *= *dims++;
            if (i >= n || index[i] < 0 || index[i] >= size)
                return false;
            at = at * (size_t)size + (size_t)index[i];
        }
    }
    assert_int_equal(i, n);
    *out = scalar_load(type_elem(t->pool, v->type), v->data, at);
    return true;
}

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    const struct tensors *t = ctx;
    const struct value *v = &t->value[t->r->n_tensors + scalar];
    return scalar_load(type_elem(t->pool, v->type), v->data, 0);
}

static bool converts_bits(const struct rule *r)
{
    bool any = false;
    for (uint32_t i = 0; i < r->n_pats; i++)
        any |= r->pats[i].kind == PAT_OP && r->pats[i].op == OP_BITCAST_CONVERT;
    return any;
}

static enum elem random_elem(struct rng *g, unsigned kinds, bool one_width)
{
    static const enum elem wide[] = {ELEM_I32, ELEM_UI32, ELEM_F32};
    for (size_t i = 0; i < sizeof wide / sizeof wide[0] && one_width; i++)
        if ((kinds & elem_kind(wide[i])) != 0)
            return wide[i];
    static const enum elem all[] = {ELEM_I1,  ELEM_I8,  ELEM_I32, ELEM_UI8,
                                    ELEM_F32, ELEM_F64, ELEM_I64};
    for (;;) {
        enum elem t = all[rng_below(g, sizeof all / sizeof all[0])];
        if ((kinds & elem_kind(t)) != 0)
            return t;
    }
}

struct trial {
    const struct rule *r;
    struct rng *rng;
    struct arena mem;
    struct pool pool;
    struct terms terms;
    struct exprs x;
    struct denote d;
    uint32_t rank[64]; // of the instance; the denotation has blocks as one axis
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    struct i64_vec values; // by variable
};

static int64_t random_value(const struct rule *r, uint32_t map, struct rng *g)
{
    if (r->maps[map].index)
        return rng_range(g, -3, 7);
    if (r->classes[r->maps[map].cls].block)
        return rng_range(g, 0, 3);
    if (rng_below(g, 2) == 0)
        return rng_range(g, 1, 3);
    return rng_range(g, rng_below(g, 4) == 0 ? -2 : 0, 5);
}

static void set_up(struct trial *t)
{
    const struct rule *r = t->r;
    struct rng *g = t->rng;
    pool_init(&t->pool);
    terms_init(&t->terms, &t->pool);
    exprs_init(&t->x);
    t->map = ARENA_NEW(&t->mem, int64_t *, r->n_maps + 1);
    t->elem = ARENA_NEW(&t->mem, enum elem, r->n_types + 1);
    t->op = ARENA_NEW(&t->mem, struct op_binding, r->n_opvars + 1);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t f = denote_rank_class(r, c);
        t->rank[c] =
            f != c ? t->rank[f]
            : r->classes[c].single
                ? 1
                : r->classes[c].least_rank +
                      (uint32_t)rng_below(g, 3 - r->classes[c].least_rank);
    }
    for (uint32_t m = 0; m < r->n_maps; m++) {
        t->map[m] = ARENA_NEW(&t->mem, int64_t, 4);
        for (uint32_t k = 0; k < t->rank[r->maps[m].cls]; k++)
            t->map[m][k] = random_value(r, m, g);
    }
    for (uint32_t i = 0; i < r->n_types; i++)
        t->elem[i] = random_elem(g, r->types[i].kinds, converts_bits(r));
    // Float sums are no monoid: 0 + -0 = 0.
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        bool adds = elem_kind(t->elem[r->opvars[i].result]) != KIND_FLOAT &&
                    rng_below(g, 2) == 0;
        t->op[i] = (struct op_binding){adds ? OP_ADD : OP_MAXIMUM, NO_ATTR};
    }
    uint32_t rank[64];
    for (uint32_t c = 0; c < r->n_classes; c++)
        rank[c] = denote_one_axis(r, c) ? 1 : t->rank[c];
    assert_true(denote_init(&t->d, &t->x, r, rank));
}

static void tear_down(struct trial *t)
{
    denote_release(&t->d);
    exprs_release(&t->x);
    terms_release(&t->terms);
    pool_release(&t->pool);
    vec_release(&t->values);
    arena_release(&t->mem);
}

static struct eval_env environment(struct trial *t)
{
    vec_clear(&t->values);
    for (uint32_t v = 0; v < t->x.var.len; v++) {
        const struct var *o = &t->x.var.at[v];
        int64_t value = INT64_MIN;
        if (o->kind == VAR_MAP) {
            uint32_t c = t->r->maps[o->a].cls;
            bool one = denote_one_axis(t->r, c);
            value = one ? 1 : t->map[o->a][o->place];
            for (uint32_t k = 0; one && k < t->rank[c]; k++)
                value *= t->map[o->a][k];
        }
        vec_push(&t->values, value);
    }
    return (struct eval_env){.x = &t->x,
                             .value = t->values.at,
                             .n_values = t->values.len,
                             .r = t->r,
                             .elem = t->elem,
                             .op = t->op};
}

// The builder does not look at the values that indices have when it runs.
static bool about_indices(const struct clause *c)
{
    return strncmp(c->what, "an index expression", 19) == 0;
}

static bool all_true(struct trial *t, const struct clauses *c)
{
    struct eval_env env = environment(t);
    for (uint32_t i = 0; i < c->at.len; i++) {
        bool truth = false;
        if (about_indices(&c->at.at[i]))
            continue;
        if (!eval_truth(&env, c->at.at[i].cond, &truth) || !truth)
            return false;
    }
    return true;
}

// What the denotation says of the instance, in the builder's words.
static enum ground_status expected_status(struct trial *t)
{
    struct clauses where = {{0}}, lhs = {{0}}, rhs = {{0}};
    enum ground_status s = GROUND_OK;
    denote_where(&t->d, &where);
    denote_valid(&t->d, t->r->lhs, &lhs);
    denote_valid(&t->d, t->r->rhs, &rhs);
    assert_null(t->d.failure);
    if (!all_true(t, &where))
        s = GROUND_PRE_FALSE;
    else if (!all_true(t, &lhs))
        s = GROUND_LHS_INVALID;
    else if (!all_true(t, &rhs))
        s = GROUND_RHS_INVALID;
    struct eval_env env = environment(t);
    for (uint32_t c = 0; c < t->r->n_classes && s == GROUND_OK; c++)
        for (uint32_t k = 0; k < t->d.rank[c]; k++) {
            int64_t a = 0, b = 0;
            if (!denote_has_class(&t->d, t->r->lhs, c))
                continue;
            expr_id u = denote_size(&t->d, t->r->lhs, c, k);
            expr_id v = denote_size(&t->d, t->r->rhs, c, k);
            env = environment(t);
            assert_true(eval_int(&env, u, &a) && eval_int(&env, v, &b));
            if (a != b)
                s = GROUND_TYPE_DIFFERS;
        }
    vec_release(&where.at);
    vec_release(&lhs.at);
    vec_release(&rhs.at);
    return s;
}

// The index of element `at` of a term whose dimensions have this order.
static void set_index(struct trial *t, const struct order *out, type_id type,
                      int64_t at, expr_id *index)
{
    const struct instance *in = t->inst;
    int64_t value[MAX_RANK], size[MAX_RANK];
    for (uint32_t i = out->n; i-- > 0;) {
        int64_t dim = type_dims(&t->pool, type)[i];
        value[out->axis[i]] = at % dim;
        size[out->axis[i]] = dim;
        at /= dim;
    }
    for (uint32_t c = 0; c < t->r->n_classes; c++) {
        int64_t whole = 0;
        bool has = denote_has_class(&t->d, t->r->lhs, c);
        for (uint32_t k = 0; has && k < t->rank[c]; k++) {
            uint32_t axis = in->class_axes[c][k];
            whole = whole * size[axis] + value[axis];
            if (!denote_one_axis(t->r, c))
                index[c * t->d.max_rank + k] = expr_int(&t->x, value[axis]);
        }
        if (has && denote_one_axis(t->r, c))
            index[c * t->d.max_rank] = expr_int(&t->x, whole);
    }
}

static bool sums_over_several(const struct exprs *x, expr_id e)
{
    struct u32_vec reach = {0};
    bool several = false;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        const struct expr *n = expr_at(x, reach.at[i]);
        several |= n->kind == X_REDUCE && n->n > 3 &&
                   (n->op == OP_ADD || n->op == OP_MULTIPLY);
    }
    vec_release(&reach);
    return several;
}

// Every element of one side, interpreted and denoted.
static uint32_t compare_side(struct trial *t, uint32_t pat, term_id term,
                             const struct value *params, uint32_t n_params)
{
    struct value v;
    struct err e = {0};
    assert_true(
        eval_terms(&t->terms, 1, &term, n_params, params, &t->mem, &v, &e));
    // The right side is built in the order of the left one.
    const struct order *out = &t->inst->pat[t->r->lhs].out;
    uint32_t rank = type_rank(&t->pool, v.type), checked = 0;
    assert_int_equal(rank, out->n);
    struct tensors ctx = {&t->pool, params, t->r, t->rank};
    int64_t count = type_count(&t->pool, v.type);
    for (int64_t at = 0; at < count; at++) {
        expr_id *index = denote_new_index(&t->d);
        set_index(t, out, v.type, at, index);
        expr_id elem = denote_element(&t->d, pat, index);
        mem_free(index);
        // Float sums are not what the denotation says, by its own account, and
        // over several axes their order is that of the layout.
        if ((t->d.rounds || sums_over_several(&t->x, elem)) &&
            elem_kind(type_elem(&t->pool, v.type)) == KIND_FLOAT)
            continue;
        struct eval_env env = environment(t);
        env.tensor = read_tensor;
        env.scalar = read_scalar;
        env.ctx = &ctx;
        struct scalar got, want;
        enum elem type = type_elem(&t->pool, v.type);
        bool known = eval_elem(&env, elem, &got);
        want = scalar_load(type, v.data, (size_t)at);
        if (!known ||
            (!scalar_same(type, got, want) &&
             !(scalar_is_nan(type, got) && scalar_is_nan(type, want)))) {
            struct buf b = {0};
            expr_print(&t->x, t->r, elem, &b);
            fail_msg("%s: element %lld of pattern %u: %s", t->r->name,
                     (long long)at, (unsigned)pat, buf_text(&b));
        }
        checked++;
    }
    return checked;
}

static uint32_t compare_elements(struct trial *t, term_id lhs, term_id rhs,
                                 bool both)
{
    const struct rule *r = t->r;
    uint32_t n = r->n_tensors + r->n_scalars, checked;
    struct value *params = ARENA_NEW(&t->mem, struct value, n + 1);
    for (uint32_t i = 0; i < r->n_tensors; i++)
        params[i] =
            value_random(&t->pool, term_type(&t->terms, t->inst->tensor[i]),
                         t->rng, true, &t->mem);
    for (uint32_t i = 0; i < r->n_scalars; i++)
        params[r->n_tensors + i] =
            value_random(&t->pool, term_type(&t->terms, t->inst->scalar[i]),
                         t->rng, true, &t->mem);
    checked = compare_side(t, r->lhs, lhs, params, n);
    if (both)
        checked += compare_side(t, r->rhs, rhs, params, n);
    return checked;
}

static uint32_t try_once(const struct rule *r, struct rng *rng)
{
    struct trial t = {.r = r, .rng = rng};
    struct ground g;
    struct err e = {0};
    term_id lhs = NO_TERM, rhs = NO_TERM;
    uint32_t checked = 0;
    set_up(&t);
    g = (struct ground){t.rank, t.map, t.elem, t.op, ELEM_OTHER};
    enum ground_status want = expected_status(&t);
    enum ground_status got = rule_ground(r, &g, &t.terms, NULL, &t.mem, &t.inst,
                                         &lhs, &rhs, NULL, &e);
    // An undefined let fails before the left side is looked at.
    bool let =
        got == GROUND_PRE_FALSE && (want != GROUND_OK || e.kind == ERR_LIMIT);
    if (got != want && !let)
        fail_msg("%s: the builder says %d, the denotation %d (%s)", r->name,
                 (int)got, (int)want, e.msg);
    if (got == GROUND_OK)
        checked = compare_elements(&t, lhs, rhs, true);
    tear_down(&t);
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
        print_message("%s: %u elements\n", rs.rules.at[i]->name,
                      (unsigned)checked);
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
static bool comparable(const struct rule *r)
{
    bool yes = r->n_wider == 0 && !rule_defines(r);
    for (uint32_t k = 0; k < r->n_opvars; k++)
        yes &= r->opvars[k].kind == OPVAR_MONOID;
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
    print_message("%s: %u rules, %u elements\n", path, (unsigned)n,
                  (unsigned)checked);
    assert_true(n > 10 && checked > 1000);
    vec_release(&errs.at);
    ruleset_release(&rs);
}

// What users write: the library, each form once, and false rules.
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
