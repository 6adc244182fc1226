// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/linear.h"
#include "verify/integers/translate.h"
#include "verify/symbolic/eval.h"
#include "verify/integers/lemma_pool.h"
#include "verify/limits.h"

struct solved {
    expr_id var, value;
};

// A query after its equations were solved.
struct linear_query {
    struct u32_vec conj;
    VEC(struct solved) solved;
    bool contradiction;
};

void linear_init(struct linear *linear, struct exprs *exprs, struct polys *polys, struct smt *smt,
                 const struct rule *rule)
{
    *linear = (struct linear){.exprs = exprs, .polys = polys, .smt = smt, .rule = rule};
}

void linear_release(struct linear *linear)
{
    vec_release(&linear->answers);
    vec_release(&linear->mono_ast);
    vec_release(&linear->expr_ast);
}

void linear_model_release(struct linear_model *model)
{
    vec_release(&model->value);
    vec_release(&model->known);
}

void lemmas_release(struct lemmas *ls)
{
    vec_release(&ls->at);
}

// Appends the canonical conjuncts of e.
static void add_conjunct(struct linear *linear, struct linear_query *query, expr_id e)
{
    e = canon(linear->polys, e);
    const struct expr node = *expr_at(linear->exprs, e);
    if (node.kind == X_FALSE)
        query->contradiction = true;
    if (node.kind == X_FALSE || node.kind == X_TRUE)
        return;
    if (node.kind == X_AND) {
        for (uint32_t i = 0; i < node.n; i++)
            add_conjunct(linear, query, expr_arg(linear->exprs, e, i));
        return;
    }
    for (uint32_t i = 0; i < query->conj.len; i++)
        if (query->conj.at[i] == e)
            return;
    vec_push(&query->conj, e);
}

// Does 0 = a give v = rest for a variable v with coefficient 1 or -1 that occurs nowhere
// else in a?
static bool solve(struct linear *linear, struct poly poly, expr_id *var, struct poly *rest)
{
    struct polys *polys = linear->polys;
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = polys->mono.at[poly.term[i].mono];
        if (mono.n != 1 || (poly.term[i].c != 1 && poly.term[i].c != -1))
            continue;
        expr_id v = polys->atoms.at[mono.at];
        if (expr_at(linear->exprs, v)->kind != X_VAR)
            continue;
        *rest = poly_add(polys, poly, poly_atom(polys, v), -poly.term[i].c);
        if (expr_contains(linear->exprs, poly_expr(polys, *rest), v))
            continue;
        if (poly.term[i].c == 1)
            *rest = poly_negated(polys, *rest);
        *var = v;
        return true;
    }
    return false;
}

static void substitute(struct linear *linear, struct linear_query *query, expr_id var,
                       expr_id value)
{
    struct u32_vec old = query->conj;
    query->conj = (struct u32_vec){0};
    for (uint32_t i = 0; i < old.len; i++)
        add_conjunct(linear, query, expr_subst(linear->exprs, old.at[i], 1, &var, &value));
    vec_release(&old);
}

static void solve_equations(struct linear *linear, struct linear_query *query)
{
    bool again = true;
    while (again && !query->contradiction && !linear->polys->overflow) {
        again = false;
        for (uint32_t i = 0; i < query->conj.len && !again; i++) {
            const struct expr *node = expr_at(linear->exprs, query->conj.at[i]);
            if (node->kind != X_EQ)
                continue;
            struct poly poly =
                poly_add(linear->polys,
                         poly_of(linear->polys, expr_arg(linear->exprs, query->conj.at[i], 1)),
                         poly_of(linear->polys, expr_arg(linear->exprs, query->conj.at[i], 0)), -1);
            struct poly rest;
            struct solved solved;
            if (!solve(linear, poly, &solved.var, &rest))
                continue;
            solved.value = poly_expr(linear->polys, rest);
            vec_push(&query->solved, solved);
            substitute(linear, query, solved.var, solved.value);
            again = true;
        }
    }
}

static void assert_quotient(struct linear *linear, expr_id e)
{
    struct polys *polys = linear->polys;
    struct poly poly = poly_of(polys, expr_arg(linear->exprs, e, 0));
    struct poly b = poly_of(polys, expr_arg(linear->exprs, e, 1));
    struct poly r = poly_add(polys, poly, poly_mul(polys, b, poly_atom(polys, e)), -1);
    Z3_context context = linear->smt->ctx;
    struct poly left = poly_add(polys, b, r, -1), nr = poly_negated(polys, r);
    Z3_ast up[] = {emit_at_least(linear, r, 0), emit_at_least(linear, left, 1)};
    Z3_ast down[] = {emit_at_least(linear, nr, 0),
                     emit_at_least(linear, poly_negated(polys, left), 1)};
    smt_assert(linear->smt,
               Z3_mk_implies(context, emit_at_least(linear, b, 1), smt_and(linear->smt, 2, up)));
    smt_assert(linear->smt, Z3_mk_implies(context, emit_at_least(linear, poly_negated(polys, b), 1),
                                          smt_and(linear->smt, 2, down)));
}

static void assert_choice(struct linear *linear, expr_id e)
{
    Z3_context context = linear->smt->ctx;
    Z3_ast when = emit_truth(linear, expr_arg(linear->exprs, e, 0));
    Z3_ast v = emit_poly(linear, poly_atom(linear->polys, e));
    Z3_ast a = emit_poly(linear, poly_of(linear->polys, expr_arg(linear->exprs, e, 1)));
    Z3_ast b = emit_poly(linear, poly_of(linear->polys, expr_arg(linear->exprs, e, 2)));
    smt_assert(linear->smt, Z3_mk_implies(context, when, Z3_mk_eq(context, v, a)));
    smt_assert(linear->smt,
               Z3_mk_implies(context, Z3_mk_not(context, when), Z3_mk_eq(context, v, b)));
}

static void assert_query(struct linear *linear, const struct linear_query *query,
                         const struct gather *gather)
{
    struct exprs *exprs = linear->exprs;
    for (uint32_t i = 0; i < query->conj.len; i++)
        smt_assert(linear->smt, emit_truth(linear, query->conj.at[i]));
    for (uint32_t i = 0; i < gather->quotients.len; i++)
        assert_quotient(linear, gather->quotients.at[i]);
    for (uint32_t i = 0; i < gather->choices.len; i++)
        assert_choice(linear, gather->choices.at[i]);
    for (uint32_t i = 0; i < gather->swaps.len; i++) {
        expr_id e = gather->swaps.at[i];
        expr_id args[] = {expr_arg(exprs, e, 1), expr_arg(exprs, e, 0)};
        expr_id f = expr_with_args(exprs, e, args);
        smt_assert(linear->smt,
                   Z3_mk_eq(linear->smt->ctx, emit_element(linear, e), emit_element(linear, f)));
    }
}

// Are the products of the model true products, and its divisors not 0?
static bool is_genuine(struct linear *linear, const struct gather *gather)
{
    struct polys *polys = linear->polys;
    for (uint32_t i = 0; i < gather->monos.len; i++) {
        struct mono mono = polys->mono.at[gather->monos.at[i]];
        int64_t v, product = 1;
        for (uint32_t k = 0; k < mono.n; k++) {
            struct poly poly = poly_atom(polys, polys->atoms.at[mono.at + k]);
            if (!smt_value(linear->smt, emit_poly(linear, poly), &v) ||
                __builtin_mul_overflow(product, v, &product))
                return false;
        }
        if (!smt_value(linear->smt, emit_mono(linear, gather->monos.at[i]), &v) || v != product)
            return false;
    }
    for (uint32_t i = 0; i < gather->divisors.len; i++) {
        int64_t v;
        if (!smt_value(linear->smt, emit_poly(linear, gather->divisors.at[i]), &v) || v == 0)
            return false;
    }
    return true;
}

static void read_model(struct linear *linear, const struct gather *gather,
                       const struct linear_query *query, struct linear_model *model)
{
    uint32_t n = linear->exprs->var.len;
    vec_clear(&model->value);
    vec_clear(&model->known);
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&model->value, 0);
        vec_push(&model->known, 0);
    }
    for (uint32_t i = 0; i < gather->vars.len; i++) {
        uint32_t v = expr_at(linear->exprs, gather->vars.at[i])->sym;
        struct poly poly = poly_atom(linear->polys, gather->vars.at[i]);
        model->known.at[v] = smt_value(linear->smt, emit_poly(linear, poly), &model->value.at[v]);
    }
    for (uint32_t i = query->solved.len; i-- > 0;) {
        uint32_t v = expr_at(linear->exprs, query->solved.at[i].var)->sym;
        struct eval_env env = {.exprs = linear->exprs, .value = model->value.at, .n_values = n};
        int64_t k;
        model->known.at[v] = eval_int(&env, query->solved.at[i].value, &k);
        if (model->known.at[v])
            model->value.at[v] = k;
    }
}

// UNKNOWN if a coefficient of what was asserted did not fit: it says something else then.
static enum smt_answer check_asserted(struct linear *linear, uint32_t mark)
{
    smt_forget(linear->smt, mark); // earlier ones were not enough
    if (linear->polys->overflow) {
        linear->smt->why = "constants too large";
        return SMT_UNKNOWN;
    }
    linear->queries++;
    return smt_check(linear->smt);
}

// Adds lemmas that the models of the query violate, until it has none, or one that violates no
// lemma.  `genuine`: the last model has true products.  Once the solver gives up, it gets all
// lemmas, for it may need one that no model asked for.
static enum smt_answer check_lemmas(struct linear *linear, struct lemma_pool *pool,
                                    const struct gather *gather, uint32_t mark, bool *genuine)
{
    enum smt_answer answer = SMT_UNKNOWN;
    *genuine = false;
    if (!pool->whole) {
        do {
            answer = check_asserted(linear, mark);
            *genuine = answer == SMT_SAT && is_genuine(linear, gather);
        } while (answer == SMT_SAT && !*genuine && lemma_pool_assert_violated(pool));
    }
    if (answer == SMT_UNKNOWN && !linear->polys->overflow) {
        lemma_pool_assert_all(pool);
        answer = check_asserted(linear, mark);
        *genuine = answer == SMT_SAT && is_genuine(linear, gather);
    }
    return answer;
}

static enum smt_answer solve_query(struct linear *linear, const struct linear_query *query,
                                   struct linear_model *out)
{
    struct gather gather;
    gather_init(&gather, linear);
    for (uint32_t i = 0; i < query->conj.len; i++)
        gather_conjunct(&gather, query->conj.at[i]);
    gather_hints(&gather);
    smt_open(linear->smt);
    assert_query(linear, query, &gather);
    enum smt_answer answer = SMT_UNKNOWN;
    uint32_t mark = smt_mark(linear->smt);
    unsigned most = linear->quick ? VERIFY_LINEAR_SLACK - 1 : VERIFY_LINEAR_SLACK;
    struct lemma_pool pool;
    lemma_pool_init(&pool, linear, &gather);
    bool genuine = false;
    for (unsigned slack = 0; slack <= most && answer != SMT_UNSAT && !genuine; slack++) {
        if (!lemma_pool_add(&pool, &gather, slack) && slack > 0)
            continue;
        answer = check_lemmas(linear, &pool, &gather, mark, &genuine);
        if (answer == SMT_SAT && out != NULL) {
            read_model(linear, &gather, query, out);
            out->genuine = genuine;
        }
    }
    lemma_pool_release(&pool);
    if (answer == SMT_UNKNOWN)
        smt_forget(linear->smt, mark);
    smt_close(linear->smt);
    gather_release(&gather);
    return answer;
}

// The first choice below a conjunct whose condition contains no other choice.
static expr_id find_choice(struct linear *linear, const struct linear_query *query)
{
    expr_id found = NO_EXPR;
    struct u32_vec reach = {0};
    for (uint32_t i = 0; i < query->conj.len && found == NO_EXPR; i++) {
        vec_clear(&reach);
        expr_reach(linear->exprs, query->conj.at[i], &reach);
        for (uint32_t k = 0; k < reach.len && found == NO_EXPR; k++)
            if (expr_at(linear->exprs, reach.at[k])->kind == X_IF)
                found = reach.at[k]; // ascending: nothing below has one
    }
    vec_release(&reach);
    return found;
}

static void query_release(struct linear_query *query)
{
    vec_release(&query->conj);
    vec_release(&query->solved);
}

static enum smt_answer refute(struct linear *linear, uint32_t n, const expr_id *conjuncts,
                              unsigned splits, bool split_now, struct linear_model *out)
{
    struct linear_query query = {.contradiction = false};
    for (uint32_t i = 0; i < n; i++)
        add_conjunct(linear, &query, conjuncts[i]);
    solve_equations(linear, &query);
    enum smt_answer answer = SMT_UNSAT;
    expr_id f = NO_EXPR;
    if (query.contradiction && !linear->polys->overflow)
        goto out;
    if (split_now && splits > 0)
        f = find_choice(linear, &query);
    if (f == NO_EXPR) {
        answer = solve_query(linear, &query, out);
        goto out;
    }
    // First case: the choice is its first branch.  Second case: its second branch.
    expr_id c = expr_arg(linear->exprs, f, 0);
    for (uint32_t k = 1; k <= 2 && answer == SMT_UNSAT; k++) {
        struct u32_vec more = {0};
        expr_id to = expr_arg(linear->exprs, f, k);
        for (uint32_t i = 0; i < query.conj.len; i++)
            vec_push(&more, expr_subst(linear->exprs, query.conj.at[i], 1, &f, &to));
        vec_push(&more, k == 1 ? c : expr_not(linear->exprs, c));
        // The equations give the variables that were solved their values.
        for (uint32_t i = 0; out != NULL && i < query.solved.len; i++)
            vec_push(&more,
                     expr_eq(linear->exprs, query.solved.at[i].var, query.solved.at[i].value));
        answer = refute(linear, more.len, more.at, splits - 1, true, out);
        vec_release(&more);
    }
out:
    query_release(&query);
    return answer;
}

enum smt_answer linear_refute(struct linear *linear, uint32_t n, const expr_id *conjuncts,
                              struct linear_model *out)
{
    const struct random_values few = {0, VERIFY_RANDOM_GOAL, VERIFY_RANDOM_GOAL_GROWTH};
    bool choices = false;
    if (out == NULL && eval_meets(linear->exprs, n, conjuncts, few))
        return SMT_SAT;
    for (uint32_t i = 0; i < n && !choices; i++) {
        struct u32_vec reach = {0};
        expr_reach(linear->exprs, canon(linear->polys, conjuncts[i]), &reach);
        for (uint32_t k = 0; k < reach.len && !choices; k++)
            choices = expr_at(linear->exprs, reach.at[k])->kind == X_IF;
        vec_release(&reach);
    }
    struct linear_model first = {.genuine = false};
    uint32_t mark = smt_mark(linear->smt);
    enum smt_answer answer = refute(linear, n, conjuncts, VERIFY_LINEAR_SPLITS, false, &first);
    if (answer != SMT_UNSAT && !first.genuine && choices && !linear->quick &&
        !linear->polys->overflow) {
        smt_forget(linear->smt, mark);
        answer = refute(linear, n, conjuncts, VERIFY_LINEAR_SPLITS, true, &first);
    }
    if (answer != SMT_UNSAT)
        smt_keep_last_sat(linear->smt, mark);
    if (out != NULL)
        *out = first;
    else
        linear_model_release(&first);
    return answer;
}

bool linear_proves(struct linear *linear, uint32_t n, const expr_id *hyps, expr_id goal)
{
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&all, hyps[i]);
    vec_push(&all, expr_not(linear->exprs, goal));
    expr_id key = canon(linear->polys, expr_and(linear->exprs, all.len, all.at));
    bool refuted = false, known = false;
    uint32_t mark = smt_mark(linear->smt);
    for (uint32_t i = 0; i < linear->answers.len && !known; i++) {
        const struct linear_answer *linear_answer = &linear->answers.at[i];
        known = linear_answer->conjunction == key &&
                (linear_answer->refuted || linear_answer->quick == linear->quick);
        refuted = known && linear_answer->refuted;
        if (refuted)
            smt_reuse(linear->smt, linear_answer->rests_on);
    }
    if (!known) {
        refuted = linear_refute(linear, all.len, all.at, NULL) == SMT_UNSAT;
        if (!refuted)
            smt_forget(linear->smt, mark);
        vec_push(&linear->answers, ((struct linear_answer){key, refuted, linear->quick,
                                                           smt_save(linear->smt, mark)}));
    }
    vec_release(&all);
    return refuted && !linear->polys->overflow;
}

void linear_lemmas(struct linear *linear, uint32_t n, const expr_id *conjuncts, unsigned slack,
                   struct lemmas *out)
{
    struct gather gather;
    struct linear_query query = {.contradiction = false};
    gather_init(&gather, linear);
    for (uint32_t i = 0; i < n; i++)
        add_conjunct(linear, &query, conjuncts[i]);
    for (uint32_t i = 0; i < query.conj.len; i++)
        gather_conjunct(&gather, query.conj.at[i]);
    gather_hints(&gather);
    gather_lemmas(&gather, slack, out);
    gather_release(&gather);
    query_release(&query);
}
