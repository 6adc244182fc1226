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
#include "tests/unit/support/denote_rules.h"

static uint64_t seed = 1;

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
