// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/linear.h"
#include "verify/integers/translate.h"
#include "verify/symbolic/eval.h"
#include "verify/integers/lemmas.h"

#define MAX_SLACK 2
#define MAX_SPLITS 4 // choices split into cases: at most 2^4 queries

struct solved {
    expr_id var, value;
};

// A query after equations were solved.
struct linear_query {
    struct u32_vec conj;
    VEC(struct solved) solved;
    bool contradiction;
};

void linear_init(struct linear *l, struct exprs *x, struct polys *p,
                 struct smt *s, const struct rule *r)
{
    *l = (struct linear){.x = x, .p = p, .s = s, .r = r};
}

void linear_release(struct linear *l)
{
    vec_release(&l->answers);
    vec_release(&l->mono_ast);
    vec_release(&l->expr_ast);
}

void linear_model_release(struct linear_model *m)
{
    vec_release(&m->value);
    vec_release(&m->known);
}

void lemmas_release(struct lemmas *ls)
{
    vec_release(&ls->at);
}

// Appends the canonical conjuncts of e.
static void add_conjunct(struct linear *l, struct linear_query *q, expr_id e)
{
    e = canon(l->p, e);
    const struct expr n = *expr_at(l->x, e);
    if (n.kind == X_FALSE)
        q->contradiction = true;
    if (n.kind == X_FALSE || n.kind == X_TRUE)
        return;
    if (n.kind == X_AND) {
        for (uint32_t i = 0; i < n.n; i++)
            add_conjunct(l, q, expr_arg(l->x, e, i));
        return;
    }
    for (uint32_t i = 0; i < q->conj.len; i++)
        if (q->conj.at[i] == e)
            return;
    vec_push(&q->conj, e);
}

// Does 0 = a give v = rest for a variable v with coefficient 1 or -1 that
// occurs nowhere else in a?
static bool solve(struct linear *l, struct poly a, expr_id *var,
                  struct poly *rest)
{
    struct polys *p = l->p;
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = p->mono.at[a.t[i].mono];
        if (m.n != 1 || (a.t[i].c != 1 && a.t[i].c != -1))
            continue;
        expr_id v = p->atoms.at[m.at];
        if (expr_at(l->x, v)->kind != X_VAR)
            continue;
        *rest = poly_add(p, a, poly_atom(p, v), -a.t[i].c);
        if (expr_contains(l->x, poly_expr(p, *rest), v))
            continue;
        if (a.t[i].c == 1)
            *rest = poly_add(p, (struct poly){0, NULL}, *rest, -1);
        *var = v;
        return true;
    }
    return false;
}

static void substitute(struct linear *l, struct linear_query *q, expr_id var,
                       expr_id value)
{
    struct u32_vec old = q->conj;
    q->conj = (struct u32_vec){0};
    for (uint32_t i = 0; i < old.len; i++)
        add_conjunct(l, q, expr_subst(l->x, old.at[i], 1, &var, &value));
    vec_release(&old);
}

static void solve_equations(struct linear *l, struct linear_query *q)
{
    bool again = true;
    while (again && !q->contradiction && !l->p->overflow) {
        again = false;
        for (uint32_t i = 0; i < q->conj.len && !again; i++) {
            const struct expr *n = expr_at(l->x, q->conj.at[i]);
            if (n->kind != X_EQ)
                continue;
            struct poly a =
                poly_add(l->p, poly_of(l->p, expr_arg(l->x, q->conj.at[i], 1)),
                         poly_of(l->p, expr_arg(l->x, q->conj.at[i], 0)), -1);
            struct poly rest;
            struct solved s;
            if (!solve(l, a, &s.var, &rest))
                continue;
            s.value = poly_expr(l->p, rest);
            vec_push(&q->solved, s);
            substitute(l, q, s.var, s.value);
            again = true;
        }
    }
}

static Z3_ast at_least(struct linear *l, struct poly a, int64_t k)
{
    return Z3_mk_ge(l->s->ctx, emit_poly(l, a), smt_int(l->s, k));
}

static struct poly negated(struct linear *l, struct poly a)
{
    return poly_add(l->p, (struct poly){0, NULL}, a, -1);
}

static Z3_ast implies(struct linear *l, Z3_ast a, Z3_ast b)
{
    return Z3_mk_implies(l->s->ctx, a, b);
}

// A lower bound of an atom that a conjunct 0 <= c*atom + k states: 1, 0, or -1
// for "none known".
static int atom_bound(struct linear *l, const struct linear_query *q, expr_id atom)
{
    int best = -1;
    for (uint32_t i = 0; i < q->conj.len && best < 1; i++) {
        const struct expr *n = expr_at(l->x, q->conj.at[i]);
        if (n->kind != X_LE ||
            !expr_is_int(l->x, expr_arg(l->x, q->conj.at[i], 0), 0))
            continue;
        struct poly a = poly_of(l->p, expr_arg(l->x, q->conj.at[i], 1));
        struct mono m = l->p->mono.at[a.n > 0 ? a.t[0].mono : 0];
        bool alone = a.n > 0 && m.n == 1 && l->p->atoms.at[m.at] == atom &&
                     a.t[0].c > 0 &&
                     (a.n == 1 || (a.n == 2 && a.t[1].mono == 0));
        if (alone && a.n == 2 && a.t[1].c < 0)
            best = 1; // c*atom >= 1 or more
        else if (alone && a.n == 1)
            best = best < 0 ? 0 : best;
    }
    return best;
}

static int lower_bound(struct linear *l, const struct linear_query *q, struct poly a)
{
    int sum = 0;
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = l->p->mono.at[a.t[i].mono];
        int product = 1;
        if (a.t[i].c < 0)
            return -1;
        for (uint32_t k = 0; k < m.n && product >= 0; k++) {
            int b = atom_bound(l, q, l->p->atoms.at[m.at + k]);
            product = b < product ? b : product;
        }
        if (product < 0)
            return -1;
        sum |= product;
    }
    return sum;
}

// For q = l * d:  d >= 1 =>  (l >= 0 => q >= 0)  (l <= 0 => q <= 0)
//                            (l >= 1 => q >= d)  (l <= -1 => q <= -d)
static Z3_ast half_lemma(struct linear *s, struct poly l, struct poly d,
                         struct poly q, bool guarded)
{
    struct poly nl = negated(s, l), nq = negated(s, q);
    Z3_ast parts[] = {
        implies(s, at_least(s, l, 0), at_least(s, q, 0)),
        implies(s, at_least(s, nl, 0), at_least(s, nq, 0)),
        implies(s, at_least(s, l, 1), at_least(s, poly_add(s->p, q, d, -1), 0)),
        implies(s, at_least(s, nl, 1),
                at_least(s, poly_add(s->p, nq, d, -1), 0)),
    };
    Z3_ast all = smt_and(s->s, 4, parts);
    return guarded ? implies(s, at_least(s, d, 1), all) : all;
}

// Both signs of d, and d = 0 => q = 0; less where the sign of d is known.
static void assert_lemma(struct linear *l, const struct linear_query *q,
                         const struct lemma *m)
{
    int bound = lower_bound(l, q, m->d);
    smt_assert(l->s, half_lemma(l, m->l, m->d, m->q, bound < 1));
    if (bound < 0)
        smt_assert(l->s, half_lemma(l, m->l, negated(l, m->d), negated(l, m->q),
                                    true));
    Z3_ast zero = smt_int(l->s, 0);
    if (bound < 1)
        smt_assert(l->s,
                   implies(l, Z3_mk_eq(l->s->ctx, emit_poly(l, m->d), zero),
                           Z3_mk_eq(l->s->ctx, emit_poly(l, m->q), zero)));
}

static void assert_quotient(struct linear *l, expr_id e)
{
    struct polys *p = l->p;
    struct poly a = poly_of(p, expr_arg(l->x, e, 0));
    struct poly b = poly_of(p, expr_arg(l->x, e, 1));
    struct poly r = poly_add(p, a, poly_mul(p, b, poly_atom(p, e)), -1);
    struct poly left = poly_add(p, b, r, -1), nr = negated(l, r);
    Z3_ast up[] = {at_least(l, r, 0), at_least(l, left, 1)};
    Z3_ast down[] = {at_least(l, nr, 0), at_least(l, negated(l, left), 1)};
    smt_assert(l->s, implies(l, at_least(l, b, 1), smt_and(l->s, 2, up)));
    smt_assert(l->s, implies(l, at_least(l, negated(l, b), 1),
                             smt_and(l->s, 2, down)));
}

static void assert_choice(struct linear *l, expr_id e)
{
    Z3_context c = l->s->ctx;
    Z3_ast when = emit_truth(l, expr_arg(l->x, e, 0));
    Z3_ast v = emit_poly(l, poly_atom(l->p, e));
    Z3_ast a = emit_poly(l, poly_of(l->p, expr_arg(l->x, e, 1)));
    Z3_ast b = emit_poly(l, poly_of(l->p, expr_arg(l->x, e, 2)));
    smt_assert(l->s, implies(l, when, Z3_mk_eq(c, v, a)));
    smt_assert(l->s, implies(l, Z3_mk_not(c, when), Z3_mk_eq(c, v, b)));
}

static void assert_query(struct linear *l, const struct linear_query *q,
                         const struct gather *g)
{
    struct exprs *x = l->x;
    for (uint32_t i = 0; i < q->conj.len; i++)
        smt_assert(l->s, emit_truth(l, q->conj.at[i]));
    for (uint32_t i = 0; i < g->quotients.len; i++)
        assert_quotient(l, g->quotients.at[i]);
    for (uint32_t i = 0; i < g->choices.len; i++)
        assert_choice(l, g->choices.at[i]);
    for (uint32_t i = 0; i < g->swaps.len; i++) {
        expr_id e = g->swaps.at[i];
        expr_id args[] = {expr_arg(x, e, 1), expr_arg(x, e, 0)};
        expr_id f = expr_with_args(x, e, args);
        smt_assert(l->s,
                   Z3_mk_eq(l->s->ctx, emit_element(l, e), emit_element(l, f)));
    }
}

// Are the products of the model products, and its divisors not 0?
static bool is_genuine(struct linear *l, const struct gather *g)
{
    struct polys *p = l->p;
    for (uint32_t i = 0; i < g->monos.len; i++) {
        struct mono m = p->mono.at[g->monos.at[i]];
        int64_t v, product = 1;
        for (uint32_t k = 0; k < m.n; k++) {
            struct poly a = poly_atom(p, p->atoms.at[m.at + k]);
            if (!smt_value(l->s, emit_poly(l, a), &v) ||
                __builtin_mul_overflow(product, v, &product))
                return false;
        }
        if (!smt_value(l->s, emit_mono(l, g->monos.at[i]), &v) || v != product)
            return false;
    }
    for (uint32_t i = 0; i < g->divisors.len; i++) {
        int64_t v;
        if (!smt_value(l->s, emit_poly(l, g->divisors.at[i]), &v) || v == 0)
            return false;
    }
    return true;
}

static void read_model(struct linear *l, const struct gather *g,
                       const struct linear_query *q, struct linear_model *m)
{
    uint32_t n = l->x->var.len;
    vec_clear(&m->value);
    vec_clear(&m->known);
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&m->value, 0);
        vec_push(&m->known, 0);
    }
    for (uint32_t i = 0; i < g->vars.len; i++) {
        uint32_t v = expr_at(l->x, g->vars.at[i])->sym;
        struct poly a = poly_atom(l->p, g->vars.at[i]);
        m->known.at[v] = smt_value(l->s, emit_poly(l, a), &m->value.at[v]);
    }
    for (uint32_t i = q->solved.len; i-- > 0;) {
        uint32_t v = expr_at(l->x, q->solved.at[i].var)->sym;
        struct eval_env env = {.x = l->x, .value = m->value.at, .n_values = n};
        int64_t k;
        m->known.at[v] = eval_int(&env, q->solved.at[i].value, &k);
        if (m->known.at[v])
            m->value.at[v] = k;
    }
}

static enum smt_answer solve_query(struct linear *l, const struct linear_query *q,
                                   struct linear_model *out)
{
    struct gather g;
    gather_init(&g, l);
    for (uint32_t i = 0; i < q->conj.len; i++)
        gather_conjunct(&g, q->conj.at[i]);
    gather_hints(&g);
    smt_open(l->s);
    assert_query(l, q, &g);
    enum smt_answer a = SMT_UNKNOWN;
    uint32_t mark = smt_mark(l->s);
    unsigned most = l->quick ? MAX_SLACK - 1 : MAX_SLACK;
    for (unsigned slack = 0; slack <= most; slack++) {
        struct lemmas ls = {{0}};
        gather_lemmas(&g, slack, &ls);
        for (uint32_t i = 0; i < ls.at.len; i++)
            assert_lemma(l, q, &ls.at.at[i]);
        bool more = ls.at.len > 0 || slack == 0;
        lemmas_release(&ls);
        if (!more)
            continue;
        if (l->p->overflow) {
            l->s->why = "constants too large";
            a = SMT_UNKNOWN;
            break;
        }
        smt_forget(l->s, mark); // earlier ones were not enough
        a = smt_check(l->s);
        l->queries++;
        bool genuine = a == SMT_SAT && is_genuine(l, &g);
        if (a == SMT_SAT && out != NULL) {
            read_model(l, &g, q, out);
            out->genuine = genuine;
        }
        if (a == SMT_UNSAT || genuine)
            break;
    }
    if (a == SMT_UNKNOWN)
        smt_forget(l->s, mark);
    smt_close(l->s);
    gather_release(&g);
    return a;
}

// The first choice below a conjunct whose condition holds no other choice.
static expr_id find_choice(struct linear *l, const struct linear_query *q)
{
    expr_id found = NO_EXPR;
    struct u32_vec reach = {0};
    for (uint32_t i = 0; i < q->conj.len && found == NO_EXPR; i++) {
        vec_clear(&reach);
        expr_reach(l->x, q->conj.at[i], &reach);
        for (uint32_t k = 0; k < reach.len && found == NO_EXPR; k++)
            if (expr_at(l->x, reach.at[k])->kind == X_IF)
                found = reach.at[k]; // ascending: nothing below has one
    }
    vec_release(&reach);
    return found;
}

static void query_release(struct linear_query *q)
{
    vec_release(&q->conj);
    vec_release(&q->solved);
}

static enum smt_answer refute(struct linear *l, uint32_t n,
                              const expr_id *conjuncts, unsigned splits,
                              bool split_now, struct linear_model *out)
{
    struct linear_query q = {.contradiction = false};
    for (uint32_t i = 0; i < n; i++)
        add_conjunct(l, &q, conjuncts[i]);
    solve_equations(l, &q);
    enum smt_answer a = SMT_UNSAT;
    expr_id f = NO_EXPR;
    if (q.contradiction && !l->p->overflow)
        goto out;
    if (split_now && splits > 0)
        f = find_choice(l, &q);
    if (f == NO_EXPR) {
        a = solve_query(l, &q, out);
        goto out;
    }
    // Case c: the choice is its first branch; else its second.
    expr_id c = expr_arg(l->x, f, 0);
    for (uint32_t k = 1; k <= 2 && a == SMT_UNSAT; k++) {
        struct u32_vec more = {0};
        expr_id to = expr_arg(l->x, f, k);
        for (uint32_t i = 0; i < q.conj.len; i++)
            vec_push(&more, expr_subst(l->x, q.conj.at[i], 1, &f, &to));
        vec_push(&more, k == 1 ? c : expr_not(l->x, c));
        // Variables solved before keep their meaning through equations.
        for (uint32_t i = 0; out != NULL && i < q.solved.len; i++)
            vec_push(&more,
                     expr_eq(l->x, q.solved.at[i].var, q.solved.at[i].value));
        a = refute(l, more.len, more.at, splits - 1, true, out);
        vec_release(&more);
    }
out:
    query_release(&q);
    return a;
}

enum smt_answer linear_refute(struct linear *l, uint32_t n,
                              const expr_id *conjuncts,
                              struct linear_model *out)
{
    bool choices = false;
    for (uint32_t i = 0; i < n && !choices; i++) {
        struct u32_vec reach = {0};
        expr_reach(l->x, canon(l->p, conjuncts[i]), &reach);
        for (uint32_t k = 0; k < reach.len && !choices; k++)
            choices = expr_at(l->x, reach.at[k])->kind == X_IF;
        vec_release(&reach);
    }
    struct linear_model first = {.genuine = false};
    uint32_t mark = smt_mark(l->s);
    enum smt_answer a = refute(l, n, conjuncts, MAX_SPLITS, false, &first);
    if (a != SMT_UNSAT && !first.genuine && choices && !l->quick &&
        !l->p->overflow) {
        smt_forget(l->s, mark);
        a = refute(l, n, conjuncts, MAX_SPLITS, true, &first);
    }
    if (a != SMT_UNSAT)
        smt_keep_last_sat(l->s, mark);
    if (out != NULL)
        *out = first;
    else
        linear_model_release(&first);
    return a;
}

bool linear_proves(struct linear *l, uint32_t n, const expr_id *hyps,
                   expr_id goal)
{
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&all, hyps[i]);
    vec_push(&all, expr_not(l->x, goal));
    expr_id key = canon(l->p, expr_and(l->x, all.len, all.at));
    bool refuted = false, known = false;
    uint32_t mark = smt_mark(l->s);
    for (uint32_t i = 0; i < l->answers.len && !known; i++) {
        const struct linear_answer *a = &l->answers.at[i];
        known = a->conjunction == key && (a->refuted || a->quick == l->quick);
        refuted = known && a->refuted;
        if (refuted)
            smt_reuse(l->s, a->rests_on);
    }
    if (!known) {
        refuted = linear_refute(l, all.len, all.at, NULL) == SMT_UNSAT;
        if (!refuted)
            smt_forget(l->s, mark);
        vec_push(&l->answers, ((struct linear_answer){key, refuted, l->quick,
                                                      smt_save(l->s, mark)}));
    }
    vec_release(&all);
    return refuted && !l->p->overflow;
}

void linear_lemmas(struct linear *l, uint32_t n, const expr_id *conjuncts,
                   unsigned slack, struct lemmas *out)
{
    struct gather g;
    struct linear_query q = {.contradiction = false};
    gather_init(&g, l);
    for (uint32_t i = 0; i < n; i++)
        add_conjunct(l, &q, conjuncts[i]);
    for (uint32_t i = 0; i < q.conj.len; i++)
        gather_conjunct(&g, q.conj.at[i]);
    gather_hints(&g);
    gather_lemmas(&g, slack, out);
    gather_release(&g);
    query_release(&q);
}
