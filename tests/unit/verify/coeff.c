// SPDX-License-Identifier: Apache-2.0
// Coefficient functions: the terms of an element, anchored and without
// binders, add up to the element at random sizes, attributes and tensors; and
// the method proves no false rule.
#include "base/hash.h"
#include "base/rng.h"
#include "verify/sums/parts.h"
#include "verify/decide.h"
#include "verify/integers/translate.h"
#include "verify/symbolic/eval.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LEAST_SIDES 120
#define LEAST_FILLED 1300
#define BOX_LOW (-2)
#define BOX_HIGH 10

static void load(struct ruleset *set, const char *path, const char *text)
{
    struct err_list errs = {0};
    bool ok = path != NULL ? ruleset_load(set, path, &errs)
                           : ruleset_parse(set, text, strlen(text), "test.rw", &errs);
    if (!ok)
        fail_msg("%s:%u: %s: %s", errs.at.at[0].file, errs.at.at[0].line, errs.at.at[0].msg,
                 text == NULL ? "" : text);
    vec_release(&errs.at);
}

// ---- elements against their terms

struct world {
    struct session session;
    struct coeff sums;
    struct rng rng;
    struct i64_vec value; // by variable
    enum elem elem[64];
    struct op_binding op[8];
    uint64_t seed;    // of the tensors
    uint32_t *filled; // comparisons of what is not 0
};

static bool element_of(void *ctx, uint32_t tensor, uint32_t n, const int64_t *index,
                       struct scalar *out)
{
    const struct world *world = ctx;
    const struct rule *rule = world->session.rule;
    uint64_t h = hash_u64(tensor, world->seed);
    for (uint32_t i = 0; i < n; i++)
        h = hash_u64((uint64_t)index[i], h);
    if (tensor < rule->n_tensors && emit_type_is_bool(rule, rule->tensors[tensor].type))
        *out = scalar_of_int(ELEM_I1, (int64_t)(h & 1));
    else
        *out = scalar_of_int(ELEM_I64, (int64_t)(h % 9) - 4);
    return true;
}

static struct scalar scalar_value(void *ctx, uint32_t scalar)
{
    struct scalar out;
    (void)element_of(ctx, 1000 + scalar, 0, NULL, &out);
    return out;
}

static struct eval_env env_of(struct world *world)
{
    while (world->value.len < world->session.exprs.var.len)
        vec_push(&world->value, 0);
    return (struct eval_env){.exprs = &world->session.exprs,
                             .value = world->value.at,
                             .n_values = world->value.len,
                             .rule = world->session.rule,
                             .elem = world->elem,
                             .op = world->op,
                             .tensor = element_of,
                             .scalar = scalar_value,
                             .ctx = world};
}

// Random values of maps and output indices that meet the hypotheses.
static bool sample(struct world *world, uint32_t n_vars)
{
    for (uint32_t round = 0; round < 60000; round++) {
        bool ok = true;
        for (uint32_t v = 0; v < n_vars; v++)
            world->value.at[v] = rng_range(&world->rng, round % 4 == 0 ? -1 : 0, 3);
        struct eval_env env = env_of(world);
        for (uint32_t f = 0; f < world->sums.n_families && ok; f++)
            for (uint32_t i = 0; i < world->sums.hyps[f].len && ok; i++) {
                bool truth = false;
                ok = eval_truth(&env, world->sums.hyps[f].at[i], &truth) && truth;
            }
        if (ok)
            return true;
    }
    return false;
}

struct sum {
    const struct cterm *term;
    struct u32_vec vars;  // the anchors
    struct u32_vec level; // per guard: how many anchors it needs
    uint64_t total;
};

static bool guards_hold(struct world *world, const struct sum *builder, uint32_t level)
{
    struct eval_env env = env_of(world);
    for (uint32_t i = 0; i < builder->term->n_guards; i++) {
        bool truth = false;
        if (builder->level.at[i] == level &&
            !(eval_truth(&env, builder->term->guard[i].e, &truth) && truth))
            return false;
    }
    return true;
}

// Adds the term over all values of the anchors from `at` on.
static void add_term(struct world *world, struct sum *builder, uint32_t at)
{
    if (!guards_hold(world, builder, at))
        return;
    if (at < builder->vars.len) {
        uint32_t v = expr_at(&world->session.exprs, builder->vars.at[at])->sym;
        for (int64_t i = BOX_LOW; i <= BOX_HIGH; i++) {
            world->value.at[v] = i;
            add_term(world, builder, at + 1);
        }
        return;
    }
    struct eval_env env = env_of(world);
    int64_t c = builder->term->c, n;
    for (uint32_t i = 0; i < builder->term->n_counts; i++) {
        assert_true(eval_int(&env, builder->term->count[i].e, &n));
        c *= n;
    }
    assert_int_equal(c % builder->term->divisor, 0);
    uint64_t product = (uint64_t)(c / builder->term->divisor);
    uint32_t next = 0;
    for (uint32_t i = 0; i < builder->term->n_reads; i++) {
        const struct cread *read_of = &builder->term->read[i];
        struct scalar scalar;
        for (uint32_t j = 0; j < read_of->n; j++) {
            expr_id hole = coeff_hole(&world->sums, j, read_of->family[j]);
            uint32_t from = expr_at(&world->session.exprs, builder->vars.at[next++])->sym;
            env = env_of(world);
            world->value.at[expr_at(&world->session.exprs, hole)->sym] = world->value.at[from];
        }
        bool truth = false;
        if (expr_sort(&world->session.exprs, read_of->head) == SORT_TRUTH) { // a condition
            assert_true(eval_truth(&env, read_of->head, &truth));
            product *= truth;
            continue;
        }
        assert_true(eval_elem(&env, read_of->head, &scalar));
        product *= scalar.bits;
    }
    builder->total += product;
}

static uint64_t value_of_term(struct world *world, const struct cterm *term,
                              const struct anchors *anchors)
{
    struct sum builder = {.term = term};
    for (uint32_t i = 0; i < term->n_reads; i++)
        for (uint32_t j = 0; j < term->read[i].n; j++) {
            vec_push(&builder.vars, anchors->at[i][j]);
            (void)coeff_hole(&world->sums, j, term->read[i].family[j]);
        }
    for (uint32_t i = 0; i < term->n_guards; i++) {
        uint32_t level = 0;
        for (uint32_t j = 0; j < builder.vars.len; j++)
            if (expr_contains(&world->session.exprs, term->guard[i].e, builder.vars.at[j]))
                level = j + 1;
        vec_push(&builder.level, level);
    }
    (void)env_of(world);
    add_term(world, &builder, 0);
    vec_release(&builder.vars);
    vec_release(&builder.level);
    return builder.total;
}

// Terms without binders, each with anchors of its own.
struct solved {
    struct cterm term;
    struct anchors anchors;
};
struct solved_terms {
    VEC(struct solved) at;
};

static bool solve_side(struct world *world, expr_id e, struct solved_terms *out)
{
    const struct algebra ring = {.kind = ALG_RING};
    struct csum sum = {{0}};
    bool ok = coeff_terms(&world->sums, &ring, canon(&world->session.polys, e), &sum);
    for (uint32_t i = 0; ok && i < sum.at.len; i++) {
        struct solved solved = {.term = sum.at.at[i]};
        bool zero = false;
        coeff_anchors(&world->sums, &solved.term, &solved.anchors);
        ok = coeff_anchor(&world->sums, &solved.term, &solved.anchors) &&
             coeff_solve(&world->sums, &solved.term, &zero);
        if (ok && !zero)
            vec_push(&out->at, solved);
    }
    vec_release(&sum.at);
    return ok;
}

// Compares a side with its terms at random places; were there any?
static bool compare_side(struct world *world, const char *name, expr_id e, uint32_t n_vars)
{
    struct solved_terms terms = {{0}};
    bool any = false;
    if (!solve_side(world, e, &terms)) {
        vec_release(&terms.at);
        world->sums.why = NULL;
        return false;
    }
    for (uint32_t round = 0; round < 20 && sample(world, n_vars); round++) {
        struct scalar scalar;
        struct eval_env env = env_of(world);
        world->seed = rng_u64(&world->rng);
        if (!eval_elem(&env, e, &scalar))
            continue;
        uint64_t total = 0;
        for (uint32_t i = 0; i < terms.at.len; i++)
            total += value_of_term(world, &terms.at.at[i].term, &terms.at.at[i].anchors);
        if (total != scalar.bits)
            fail_msg("%s: terms give %lld, the element is %lld", name, (long long)total,
                     (long long)scalar.bits);
        *world->filled += scalar.bits != 0;
        any = true;
    }
    vec_release(&terms.at);
    return any;
}

static uint32_t compare_rule(const struct rule *rule, uint32_t *filled)
{
    struct arena mem = {0};
    struct decide_options options = {.domains = 1U << DOMAIN_INT};
    struct world world = {.seed = 1, .filled = filled};
    uint32_t n = 0;
    session_init(&world.session, rule, &options, &mem);
    world.session.exprs.keep_picks = true;
    rng_seed(&world.rng, 7);
    for (uint32_t i = 0; i < 64; i++)
        world.elem[i] = i < rule->n_types && emit_type_is_bool(rule, i) ? ELEM_I1 : ELEM_I64;
    for (uint32_t i = 0; i < 8; i++)
        world.op[i].op = OP_ADD;
    assert_true(coeff_init(&world.sums, &world.session, DOMAIN_INT));
    if (world.sums.why == NULL && rule->n_opvars == 0) {
        uint32_t n_vars = world.session.exprs.var.len;
        (void)env_of(&world);
        n += compare_side(&world, rule->name, world.sums.lhs, n_vars);
        n += compare_side(&world, rule->name, world.sums.rhs, n_vars);
    }
    coeff_release(&world.sums);
    session_release(&world.session);
    vec_release(&world.value);
    arena_release(&mem);
    return n;
}

static bool has_sums(const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->n_pats; p++)
        if (denote_is_sum(&rule->pats[p]))
            return true;
    return false;
}

static uint32_t compare_file(const char *path, uint32_t *filled)
{
    struct ruleset set;
    uint32_t sides = 0;
    ruleset_init(&set);
    load(&set, path, NULL);
    for (uint32_t i = 0; i < set.rules.len; i++)
        if ((rule_domains(set.rules.at[i]) >> DOMAIN_INT & 1) != 0 && has_sums(set.rules.at[i]))
            sides += compare_rule(set.rules.at[i], filled);
    ruleset_release(&set);
    return sides;
}

static void test_terms(void **state)
{
    (void)state;
    uint32_t filled = 0;
    uint32_t sides = compare_file("tests/rules/coefficients.rw", &filled) +
                     compare_file("rules/library", &filled);
    if (sides < LEAST_SIDES || filled < LEAST_FILLED)
        fail_msg("only %u sides were compared, %u times not 0", (unsigned)sides, (unsigned)filled);
}

// ---- false rules

#define CONV                                                                                       \
    "axes b, f, o, s; map nb on b; map nf on f; map no on o;"                                      \
    "map n, w, pl, ph, pi, l, h, d, r, t on s;"                                                    \
    "tensor I[b: nb, f: nf, s: n] : num, K[f: nf, o: no, s: w] : num;"
#define CONV_LEFT                                                                                  \
    "conv(pad(I, 0, low={s: pl}, high={s: ph}, interior={s: pi}), K,"                              \
    " feature={f}, spatial={s}, stride=t, low=l, high=h, dilation=d,"                              \
    " kernel_dilation=r) => conv(I, K, feature={f}, spatial={s}, stride=t, "
#define SUM "axes x, y; map n on x; map m on y; "
#define WINDOW "axes s; map n, w, l, h, d, t, r, pl, ph on s; "

static const char *const wrong[] = {
    // Copies, whatever their number.
    SUM "tensor A[x: n] : num;"
        "reduce(+, broadcast(A, {y: m}), {y}) => A;",
    SUM "tensor A[x: n] : num; where m == 2;"
        "reduce(+, broadcast(A, {y: m}), {y}) => A + A;",
    SUM "tensor A[x: n] : num;"
        "reduce(max, broadcast(A, {y: m}), {y}) => A;",
    SUM "type T : any; op g : monoid(T); tensor A[x: n] : T; where m >= 1;"
        "reduce(g, broadcast(A, {y: m}), {y}) => A;",
    // Nothing to contract: 0, not 42; and with no axis there is something.
    "axes i, j; axis k; map ni on i; map nj on j; map nk on k;"
    "tensor A[i: ni, k: nk] : num, B[j: nj, k: nk] : num; where nk == 0;"
    "dot(A, B, contract={k}) => broadcast(42, {i: ni, j: nj});",
    "axes i, j, k; map ni on i; map nj on j; map nk on k;"
    "tensor A[i: ni, k: nk] : num, B[j: nj, k: nk] : num; where nk == 0;"
    "dot(A, B, contract={k}) => broadcast(0, {i: ni, j: nj});",
    SUM "tensor A[x: n, y: m] : num; where n == 0;"
        "reduce(max, A, {x}) => broadcast(lowest, {y: m});",
    // Padding: its value counts, on some axis, and may crop.
    "axes x; map n, l on x; tensor A[x: n] : num; scalar v : num;"
    "where l >= 0; reduce(+, pad(A, v, low=l), {x}) => reduce(+, A, {x});",
    "axes x; map n, l on x; tensor A[x: n] : num;"
    "reduce(+, pad(A, 0, low=l), {x}) => reduce(+, A, {x});",
    "axes x; map n, l on x; tensor A[x: n] : num; where l >= 0;"
    "reduce(max, pad(A, 0, low=l), {x}) => reduce(max, A, {x});",
    "axes x; map n, l on x; tensor A[x: n] : num; scalar v : num; where l >= n,"
    " n >= 1; reduce(+, slice(pad(A, v, low=l), start=0, limit=l), {x})"
    " => reduce(+, broadcast(v, {x: l}), {x});",
    "axes x; map n, l, h on x; tensor A[x: n] : num; scalar v : num;"
    "where l >= 0, h >= 0; reduce(+, pad(A, v, low=l, high=h), {x})"
    " => reduce(+, A, {x}) + reduce(+, broadcast(v, {x: l+h}), {x});",
    // Cuts that overlap, or leave something out.
    "axis a; map m, c, d on a; tensor A[a: m] : num; where c <= d;"
    "reduce(+, slice(A, limit=d), {a}) + reduce(+, slice(A, start=c, limit=m),"
    " {a}) => reduce(+, A, {a});",
    "axes a; map m, c on a; tensor A[a: m] : num;"
    "reduce(+, slice(A, limit=c), {a}) + reduce(+, slice(A, start=c, limit=m),"
    " {a}) => reduce(+, A, {a});",
    "axis a; map m on a; tensor A[a: m] : num; where m >= 1;"
    "max(reduce(max, slice(A, stride=2), {a}), reduce(max, slice(A, start=1,"
    " stride=3), {a})) => reduce(max, A, {a});",
    "axes x; map m, c, d on x; tensor A[x: m] : num; where c <= d;"
    "max(reduce(max, slice(A, limit=d), {x}), reduce(max, slice(A, start=c,"
    " limit=m), {x})) => reduce(max, A, {x});",
    // Squares.
    "axes x; map n on x; tensor A[x: n] : num;"
    "reduce(+, A * A, {x}) => reduce(+, A, {x}) * reduce(+, A, {x});",
    "axes x; map n on x; tensor A[x: n] : num, B[x: n] : num;"
    "reduce(+, A, {x}) * reduce(+, A, {x}) => reduce(+, A, {x}) *"
    " reduce(+, B, {x});",
    "axes x; axes y like x; map n on x; tensor A[x: n, y: n] : num;"
    "reduce(+, A * relabel(A, {x <-> y}), {x}) => reduce(+, A * A, {x});",
    // Products are not sums; functions stay outside.
    "axis a; map m, k on a; tensor A[a: m] : num, B[a: k] : num;"
    "reduce(*, concat(A, B, axis=a), {a}) => reduce(*, A, {a}) +"
    " reduce(*, B, {a});",
    "axes x; map n on x; type T : num; op f : elementwise(T) -> T;"
    "tensor A[x: n] : T; f(reduce(+, A, {x})) => reduce(+, f(A), {x});",
    "axis a; axes y; map m, k on a; map o on y; type T : num;"
    "tensor A[a: m, y: o] : T, B[a: k, y: o] : T; op f : elementwise(T) -> T;"
    "reduce(+, f(reduce(+, concat(A, B, axis=a), {a})), {y})"
    " => reduce(+, f(reduce(+, B, {a})), {y}) + reduce(+,"
    " f(reduce(+, A, {a})), {y});",
    // Transposed.
    "axes i, j; axes k like j; map ni on i; map n on k;"
    "tensor A[i: ni, k: n] : num, B[k: n, j: n] : num;"
    "dot(A, B, contract={k})"
    " => dot(A, relabel(B, {k <-> j}), contract={k});",
    // Folding padding: low, high, dilation forgotten, or negative, or nothing
    // to pad.
    CONV "where pl >= 0, ph >= 0, n >= 1;" CONV_LEFT
         "low=l+pl, high=h+d*ph+d*pl-pl, dilation=d+d*pi, kernel_dilation=r);",
    CONV "where pl >= 0, ph >= 0, n >= 1, pi == 0;" CONV_LEFT
         "low=l, high=h+d*ph+d*pl, dilation=d, kernel_dilation=r);",
    CONV "where ph >= 0, n >= 1;" CONV_LEFT
         "low=l+d*pl, high=h+d*ph, dilation=d+d*pi, kernel_dilation=r);",
    CONV "where pl >= 0, n >= 1;" CONV_LEFT
         "low=l+d*pl, high=h+d*ph, dilation=d+d*pi, kernel_dilation=r);",
    CONV "where pl >= 0, ph >= 0, n >= 1, pi == 1, w == 1;" CONV_LEFT
         "low=l+d*pl, high=h+d*ph+n*d-d, dilation=d, kernel_dilation=r);",
    CONV "where pl >= 0, ph >= 0, n >= 1, w == 2;" CONV_LEFT
         "low=l+d*pl, high=h+d*ph+1, dilation=d+d*pi, kernel_dilation=r+1);",
    "axes b, o, s, f; map nb on b; map nf on f; map no on o;"
    "map n, w, l, h on s; tensor I[b: nb, f: nf, s: n] : num,"
    " K[f: nf, o: no, s: w] : num; where n >= 1, w >= 1;"
    "conv(I, K, feature={f}, spatial={s}, low=l, high=h)"
    " => conv(I, reverse(K, {s}), feature={f}, spatial={s}, low=l, high=h);",
    // Windows.
    WINDOW "tensor A[s: n] : num; where pl >= 0, ph >= 0, n >= 1;"
           "reduce_window(max, pad(A, 0, low=pl, high=ph), size=w, stride=t,"
           " low=l, high=h, window_dilation=r, dilation=d)"
           " => reduce_window(max, A, size=w, stride=t, low=l+d*pl,"
           " high=h+d*ph, window_dilation=r, dilation=d);",
    "axes s; map n, w, m on s; tensor A[s: m] : num; where w >= 1, m == n*w;"
    "reduce(+, reduce_window(+, A, size=w, stride=1), {s})"
    " => reduce(+, A, {s});",
    "axes s; map n, w on s; tensor A[s: n] : num; where w >= 1, n >= w;"
    "reduce(+, reduce_window(+, A, size=w, stride=w), {s})"
    " => reduce(+, A, {s});",
    // Shifting a part; a quotient by 0.
    "axes x, y; map n on x; map o on y; tensor X[y: o, x: n] : real,"
    " M[y: o] : real; exp(X - broadcast(M, {x: n})) / broadcast(reduce(+,"
    " exp(X), {x}), {x: n}) => exp(X) / broadcast(reduce(+, exp(X), {x}),"
    " {x: n});",
    "axes x, y; map n on x; map o on y; tensor X[y: o, x: n] : real,"
    " M[y: o, x: n] : real; exp(X - M) / broadcast(reduce(+, exp(X - M), {x}),"
    " {x: n}) => exp(X) / broadcast(reduce(+, exp(X), {x}), {x: n});",
    "axes x, y; map n on x; map o on y; tensor X[y: o, x: n] : real,"
    " M[y: o] : real; reduce(+, X * broadcast(exp(M), {x: n}), {x}) /"
    " reduce(+, X * broadcast(exp(M), {x: n}), {x})"
    " => reduce(+, X, {x}) / reduce(+, X, {x});",
    "axes x, y; map n on x; map o on y; tensor X[y: o, x: n] : real,"
    " M[y: o] : real; exp(M) / reduce(+, exp(X) * broadcast(exp(M), {x: n}),"
    " {x}) => broadcast(1, {y: o}) / reduce(+, exp(X), {x});",
    // Masks, and the order in a block.
    "axis a; map n, c on a; tensor A[a: n] : num; where 0 <= c, c < n;"
    "reduce(+, select(iota({a: n}, axis=a) <= value(c), A, 0), {a})"
    " => reduce(+, slice(A, limit={a: c}), {a});",
    "axis a; axis b like a; map n on a; tensor A[a: n] : num;"
    "reduce(+, broadcast(A, {b: n}) * select(iota({a: n, b: n}, axis=a) <"
    " iota({a: n, b: n}, axis=b), broadcast(1, {a: n, b: n}), 0), {a})"
    " => relabel(A, {a -> b});",
    "axes i, j; axis u, v, k, l; map ni on i; map nj on j; map nu on u;"
    "map nv on v; tensor A[i: ni, u: nu, v: nv] : num,"
    " C[k: nv * nu, j: nj] : num; dot(merge(A, [v, u] -> k), C, contract={k})"
    " => dot(merge(A, [u, v] -> l), merge(split(C, k -> [u: nu, v: nv]),"
    " [u, v] -> l), contract={l});",
    // Masks that are elements: along the sum, not exclusive, of others.
    SUM "type T : num; tensor A[x: n, y: m] : T, P[x: n, y: m] : bool;"
        "reduce(+, select(P, A, broadcast(0, {x: n, y: m})), {y})"
        " => select(reduce(|, P, {y}), reduce(+, A, {y}), 0);",
    SUM "type T : num; tensor A[x: n, y: m] : T, P[x: n] : bool, Q[x: n] : bool;"
        "reduce(+, select(broadcast(P, {y: m}), A, 0), {y}) + reduce(+,"
        " select(broadcast(Q, {y: m}), A, 0), {y})"
        " => select(P | Q, reduce(+, A, {y}), 0);",
    SUM "type T : num; tensor A[x: n, y: m] : T, P[x: n] : bool;"
        "reduce(max, select(broadcast(P, {y: m}), A, 0), {y})"
        " => select(P, reduce(max, A, {y}), 0);",
    SUM "type T : num; tensor A[x: n, y: m] : T, P[x: n] : bool;"
        "reduce(max, select(broadcast(!P, {y: m}), A, lowest), {y})"
        " => select(P, reduce(max, A, {y}), lowest);",
    // Updates elsewhere; products of sums at one place.
    "axis a; axes y; map n on a; map l on y; type T : num; type P : int;"
    "tensor A[a: n] : T, I[y: l] : P, K[y: l] : P, U[y: l] : T, V[y: l] : T;"
    "scatter(+, scatter(+, A, I, U, axis=a), K, V, axis=a)"
    " => scatter(+, A, I, U + V, axis=a);",
    "axis a; axes y; map n on a; map l on y; type T : num; type P : int;"
    "tensor I[y: l] : P, U[y: l] : T, V[y: l] : T;"
    "scatter(+, broadcast(0, {a: n}), I, U, axis=a) * scatter(+,"
    " broadcast(0, {a: n}), I, V, axis=a)"
    " => scatter(+, broadcast(0, {a: n}), I, U * V, axis=a);",
    // Extrema of nothing, functions that turn the order or wrap.
    SUM "type T : num; tensor A[x: n, y: m] : T, B[x: n] : T;"
        "reduce(max, A + broadcast(B, {y: m}), {y})"
        " => reduce(max, A, {y}) + B;",
    SUM "tensor A[x: n, y: m] : num; where m >= 1;"
        "-reduce(max, A, {y}) => reduce(max, -A, {y});",
    SUM "type T : num; tensor A[x: n, y: m] : T, B[x: n] : T; where m >= 1;"
        "B - reduce(max, A, {y}) => reduce(max, broadcast(B, {y: m}) - A,"
        " {y});",
    SUM "type T : num; tensor A[x: n, y: m] : T; op h : monotone(T) -> T;"
        "h(reduce(max, A, {y})) => reduce(max, h(A), {y});",
    SUM "type T : num; tensor A[x: n, y: m] : T; op h : elementwise(T) -> T;"
        "where m >= 1; h(reduce(max, A, {y})) => reduce(max, h(A), {y});",
    SUM "type T : num; tensor A[x: n, y: m] : T, B[x: n] : T;"
        "min(reduce(max, A, {y}), B) => reduce(max, min(A, broadcast(B,"
        " {y: m})), {y}) + 0 * B;",
    SUM "tensor A[x: n, y: m] : bool; where m >= 1;"
        "!reduce(&, A, {y}) => reduce(|, A, {y});",
    SUM "tensor A[x: n, y: m] : bool;"
        "!reduce(&, A, {y}) => reduce(&, !A, {y});",
    // Numbers.
    "axis a; map n on a; tensor Z[a: n] : num;"
    "reduce(+, Z * 0 + iota({a: n}, axis=a), {a}) => value(div(n*n+n, 2));",
    "axis a; map n on a; tensor Z[a: n] : num;"
    "reduce(+, Z * 0 + iota({a: n}, axis=a), {a}) => value(div(n*n, 2));",
    "axis a, b, z; map m on a; map k on b; tensor A[a: m, b: k] : num;"
    "reduce(+, slice(merge(A, [a, b] -> z), stride={z: 2}), {z})"
    " => reduce(+, slice(A, stride={b: 2}), {a, b});",
};

static void decide(const struct rule *rule, struct report *rep)
{
    struct decide_options options = {.lifting = RANK_METHOD_COEFFICIENTS};
    decide_rule(rule, &options, rep);
}

static void check_unproved(const struct rule *rule, unsigned domains, const char *text)
{
    struct report rep = {0};
    decide(rule, &rep);
    for (uint32_t i = 0; i < rep.domains.len; i++)
        if (rep.domains.at[i].verdict == VERDICT_PROVED &&
            (domains >> rep.domains.at[i].domain & 1) != 0)
            fail_msg("%s: %s is proved in %s", rule->name, text,
                     domain_text(rep.domains.at[i].domain));
    report_release(&rep);
}

static void test_wrong(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ruleset set;
        struct buf text = {0};
        ruleset_init(&set);
        buf_printf(&text, "rule r { %s }", wrong[i]);
        load(&set, NULL, buf_text(&text));
        check_unproved(set.rules.at[0], ~0U, wrong[i]);
        buf_release(&text);
        ruleset_release(&set);
    }
}

// In words the extremum of nothing is a number; in int and real it is not.
static void test_infinities(void **state)
{
    (void)state;
    struct ruleset set;
    ruleset_init(&set);
    load(&set, NULL,
         "rule r { " SUM "tensor A[x: n, y: m] : num; reduce(max, A, {x}) -"
         " reduce(max, A, {x}) => broadcast(0, {y: m}); }");
    check_unproved(set.rules.at[0], ~(1U << DOMAIN_WORD), "inf - inf");
    ruleset_release(&set);
    // An index may be too large for a word, and come back as another.
    ruleset_init(&set);
    load(&set, NULL,
         "rule r { axis a; map n, c on a; tensor A[a: n] : num;"
         "where 0 <= c, c <= n; reduce(+, select(iota({a: n}, axis=a) <"
         " value(c), A, 0), {a}) => reduce(+, slice(A, limit={a: c}), {a}); }");
    check_unproved(set.rules.at[0], 1U << DOMAIN_WORD, "masks");
    ruleset_release(&set);
    // Addition does not keep the order of words, nor of floats.
    ruleset_init(&set);
    load(&set, NULL,
         "rule r { " SUM "type T : num; tensor A[x: n, y: m] : T, B[x: n] : T;"
         "where m >= 1; reduce(max, A + broadcast(B, {y: m}), {y})"
         " => reduce(max, A, {y}) + B; }");
    check_unproved(set.rules.at[0], 1U << DOMAIN_WORD | 1U << DOMAIN_FLOAT, "shifted words");
    ruleset_release(&set);
}

// The method proves no false rule of the collection in the domains that it claims.
static void test_collection(void **state)
{
    (void)state;
    struct ruleset set;
    uint32_t n = 0;
    ruleset_init(&set);
    load(&set, "tests/wrong", NULL);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        const struct rule *rule = set.rules.at[i];
        if (has_sums(rule))
            check_unproved(rule, rule->claims, "false");
        n += has_sums(rule);
    }
    assert_true(n >= 15);
    ruleset_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_infinities),
        cmocka_unit_test(test_collection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
