// SPDX-License-Identifier: Apache-2.0
// The two meanings held against each other: on random ground instances the
// denotation's conditions agree with what the builder accepts, its sizes with
// the terms' types, its elements with the interpreter's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "base/clock.h"
#include "rules/instance.h"
#include "tensor/eval.h"
#include "verify/denote.h"
#include "verify/eval_expr.h"
#include "verify/obligation.h"

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

struct tensors {
    struct pool *pool;
    const struct value *value; // tensor variables, then scalars
    uint32_t n_tensors;
};

static bool read_tensor(void *ctx, uint32_t tensor, uint32_t n,
                        const int64_t *index, struct scalar *out)
{
    const struct tensors *t = ctx;
    const struct value *v = &t->value[tensor];
    const int64_t *dims = type_dims(t->pool, v->type);
    size_t at = 0;
    assert_int_equal(type_rank(t->pool, v->type), n);
    for (uint32_t i = 0; i < n; i++) {
        if (index[i] < 0 || index[i] >= dims[i])
            return false;
        at = at * (size_t)dims[i] + (size_t)index[i];
    }
    *out = scalar_load(type_elem(t->pool, v->type), v->data, at);
    return true;
}

static struct scalar read_scalar(void *ctx, uint32_t scalar)
{
    const struct tensors *t = ctx;
    const struct value *v = &t->value[t->n_tensors + scalar];
    return scalar_load(type_elem(t->pool, v->type), v->data, 0);
}

static enum elem random_elem(struct rng *g, unsigned kinds)
{
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
    uint32_t rank[64];
    int64_t **map;
    enum elem *elem;
    struct op_binding *op;
    struct instance *inst;
    struct i64_vec values; // by variable
};

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
        uint32_t f = denote_family(r, c);
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
            t->map[m][k] = rng_range(g, rng_below(g, 4) == 0 ? -2 : 0, 4);
    }
    for (uint32_t i = 0; i < r->n_types; i++)
        t->elem[i] = random_elem(g, r->types[i].kinds);
    for (uint32_t i = 0; i < r->n_opvars; i++)
        t->op[i] = (struct op_binding){
            rng_below(g, 2) == 0 ? OP_ADD : OP_MAXIMUM, NO_ATTR};
    assert_true(denote_init(&t->d, &t->x, r, t->rank));
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
        vec_push(&t->values,
                 o->kind == VAR_MAP ? t->map[o->a][o->place] : INT64_MIN);
    }
    return (struct eval_env){.x = &t->x,
                             .value = t->values.at,
                             .n_values = t->values.len,
                             .r = t->r,
                             .elem = t->elem,
                             .op = t->op};
}

static bool all_true(struct trial *t, const struct clauses *c)
{
    struct eval_env env = environment(t);
    for (uint32_t i = 0; i < c->at.len; i++) {
        bool truth = false;
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
        for (uint32_t k = 0; k < t->rank[c]; k++) {
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

static uint32_t place_of(const struct instance *in, uint32_t axis)
{
    uint32_t c = in->axis_class[axis], k = 0;
    while (in->class_axes[c][k] != axis)
        k++;
    return k;
}

// Every element of one side, interpreted and denoted.
static uint32_t compare_side(struct trial *t, uint32_t pat, term_id term,
                             const struct value *params, uint32_t n_params)
{
    struct value v;
    struct err e = {0};
    assert_true(
        eval_terms(&t->terms, 1, &term, n_params, params, &t->mem, &v, &e));
    const struct order *out = &t->inst->pat[pat].out;
    uint32_t rank = type_rank(&t->pool, v.type), checked = 0;
    assert_int_equal(rank, out->n);
    struct tensors ctx = {&t->pool, params, t->r->n_tensors};
    int64_t count = type_count(&t->pool, v.type);
    for (int64_t at = 0; at < count; at++) {
        expr_id *index = denote_new_index(&t->d);
        int64_t rest = at;
        for (uint32_t i = rank; i-- > 0;) {
            int64_t dim = type_dims(&t->pool, v.type)[i];
            uint32_t axis = out->axis[i];
            index[t->inst->axis_class[axis] * t->d.max_rank +
                  place_of(t->inst, axis)] = expr_int(&t->x, rest % dim);
            rest /= dim;
        }
        expr_id elem = denote_element(&t->d, pat, index);
        mem_free(index);
        struct eval_env env = environment(t);
        env.tensor = read_tensor;
        env.scalar = read_scalar;
        env.ctx = &ctx;
        struct scalar got, want;
        enum elem type = type_elem(&t->pool, v.type);
        assert_true(eval_elem(&env, elem, &got));
        want = scalar_load(type, v.data, (size_t)at);
        if (!scalar_same(type, got, want) &&
            !(scalar_is_nan(type, got) && scalar_is_nan(type, want))) {
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
    g = (struct ground){t.rank, t.map, t.elem, t.op};
    enum ground_status want = expected_status(&t);
    enum ground_status got = rule_ground(r, &g, &t.terms, NULL, &t.mem, &t.inst,
                                         &lhs, &rhs, NULL, &e);
    // An undefined let fails before the left side is looked at.
    bool let = got == GROUND_PRE_FALSE && want != GROUND_OK;
    if (got != want && !let)
        fail_msg("%s: the builder says %d, the denotation %d (%s)", r->name,
                 (int)got, (int)want, e.msg);
    if (got == GROUND_OK)
        checked = compare_elements(&t, lhs, rhs, true);
    tear_down(&t);
    return checked;
}

static void test_agreement(void **state)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct rng rng;
    (void)state;
    rng_seed(&rng, seed);
    ruleset_init(&rs);
    bool ok = ruleset_parse(&rs, text, sizeof text - 1, "text", &errs);
    if (!ok)
        fail_msg("%u: %s", (unsigned)errs.at.at[0].line, errs.at.at[0].msg);
    for (uint32_t i = 0; i < rs.rules.len; i++) {
        uint32_t checked = 0;
        for (int k = 0; k < 3000 && checked < 20000; k++)
            checked += try_once(rs.rules.at[i], &rng);
        print_message("%s: %u elements\n", rs.rules.at[i]->name,
                      (unsigned)checked);
        assert_true(checked > 50);
    }
    vec_release(&errs.at);
    ruleset_release(&rs);
}

// Every library rule: its patterns are what users write.
static void test_library(void **state)
{
    struct ruleset rs;
    struct err_list errs = {{0}};
    struct rng rng;
    uint32_t checked = 0;
    (void)state;
    rng_seed(&rng, seed + 1);
    ruleset_init(&rs);
    (void)ruleset_load(&rs, "rules/library", &errs);
    for (uint32_t i = 0; i < rs.rules.len; i++) {
        const struct rule *r = rs.rules.at[i];
        bool any_op = false;
        for (uint32_t k = 0; k < r->n_opvars; k++)
            any_op |= r->opvars[k].kind == OPVAR_ELEMENTWISE;
        for (int k = 0; k < 60 && !any_op; k++)
            checked += try_once(r, &rng);
    }
    print_message("library: %u rules, %u elements\n", (unsigned)rs.rules.len,
                  (unsigned)checked);
    vec_release(&errs.at);
    ruleset_release(&rs);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
