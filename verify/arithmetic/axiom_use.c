// SPDX-License-Identifier: Apache-2.0
// Instances of axioms at the terms of a leaf.
#include "verify/arithmetic/axioms.h"
#include "verify/symbolic/transcendental.h"

#define ROUNDS 2
#define MOST_COPIES 4 // exp(k * x) is a product up to this k

struct axiom_finder {
    struct session *s;
    struct axiom_uses *out;
    struct u32_vec terms; // transcendental ones that occur, in normal form
    bool wanted[N_OPS];   // A2
};

static bool is_real(const struct session *s, const struct expr *n)
{
    return n->kind == X_OP && op_is_transcendental((enum op)n->op) &&
           type_in_domain(s->r, n->type, DOMAIN_REAL);
}

// exp(t) ^ k as a product, or exp of the term as it stands.
static expr_id exp_of_term(struct session *s, struct pterm t, uint32_t type)
{
    struct exprs *x = &s->x;
    struct pterm one = t;
    int64_t copies = t.c < 0 ? -t.c : t.c;
    if (t.c > MOST_COPIES || t.c < -MOST_COPIES)
        copies = 1;
    else
        one.c = t.c < 0 ? -1 : 1;
    expr_id arg = expr_inject(
        x, poly_expr(&s->p, (struct poly){.n = 1, .t = &one}), type);
    expr_id e = expr_op(x, OP_EXPONENTIAL, 0, type, 1, &arg), out = e;
    while (--copies > 0)
        out = expr_op(x, OP_MULTIPLY, 0, type, 2, (expr_id[]){out, e});
    return out;
}

// exp(a + b) = exp(a) * exp(b), for all numbers a and b.
static expr_id exp_of_sum(struct session *s, expr_id arg, uint32_t type)
{
    struct exprs *x = &s->x;
    expr_id normal = ring_normal(s, DOMAIN_REAL, arg), out = NO_EXPR;
    if (expr_at(x, normal)->kind != X_INJECT)
        return expr_op(x, OP_EXPONENTIAL, 0, type, 1, &normal);
    struct poly a = poly_of(&s->p, expr_arg(x, normal, 0));
    for (uint32_t i = 0; i < a.n; i++) {
        expr_id e = exp_of_term(s, a.t[i], type);
        out = out == NO_EXPR
                  ? e
                  : expr_op(x, OP_MULTIPLY, 0, type, 2, (expr_id[]){out, e});
    }
    return out == NO_EXPR ? expr_literal(x, LIT_INT, 1, 0, type) : out;
}

// Exponentials of sums spread, from the inside out.
static expr_id spread(struct session *s, expr_id e)
{
    struct exprs *x = &s->x;
    const struct expr n = *expr_at(x, e);
    if ((n.kind != X_OP && n.kind != X_OPVAR) || n.n == 0)
        return e;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < n.n; i++) {
        expr_id a = spread(s, expr_arg(x, e, i));
        vec_push(&args, a);
    }
    expr_id out;
    if (n.kind == X_OP && n.op == OP_EXPONENTIAL && is_real(s, &n))
        out = exp_of_sum(s, args.at[0], n.type);
    else
        out = expr_with_args(x, e, args.at);
    vec_release(&args);
    return out;
}

static expr_id normal(struct session *s, expr_id e)
{
    return ring_normal(s, DOMAIN_REAL, spread(s, e));
}

static expr_id build(struct session *s, const struct axiom_use *u,
                     const struct aterm *t, uint32_t type)
{
    struct exprs *x = &s->x;
    if (t->kind == AT_VAR)
        return u->var[t->k];
    if (t->kind == AT_INT)
        return expr_literal(x, LIT_INT, t->k, 0, type);
    expr_id a[2] = {build(s, u, t->a, type), NO_EXPR};
    if (t->b != NULL)
        a[1] = build(s, u, t->b, type);
    return expr_op(x, t->op, 0, type, t->b == NULL ? 1 : 2, a);
}

static bool match(const struct exprs *x, const struct aterm *t, expr_id e,
                  expr_id *var)
{
    const struct expr *n = expr_at(x, e);
    if (t->kind == AT_VAR) {
        if (var[t->k] == NO_EXPR)
            var[t->k] = e;
        return var[t->k] == e;
    }
    if (t->kind != AT_OP || n->kind != X_OP || n->op != t->op ||
        n->n != (t->b == NULL ? 1U : 2U))
        return false;
    expr_id a = expr_arg(x, e, 0);
    return match(x, t->a, a, var) &&
           (t->b == NULL || match(x, t->b, expr_arg(x, e, 1), var));
}

static bool occurs(const struct u32_vec *v, expr_id e)
{
    for (uint32_t i = 0; i < v->len; i++)
        if (v->at[i] == e)
            return true;
    return false;
}

static void collect(struct axiom_finder *f, expr_id e)
{
    struct u32_vec reach = {0};
    expr_reach(&f->s->x, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (is_real(f->s, expr_at(&f->s->x, reach.at[i])) &&
            !occurs(&f->terms, reach.at[i]))
            vec_push(&f->terms, reach.at[i]);
    vec_release(&reach);
}

static bool ops_wanted(const struct axiom_finder *f, const struct aterm *t)
{
    return t == NULL || ((t->kind != AT_OP || !op_is_transcendental(t->op) ||
                          f->wanted[t->op]) &&
                         ops_wanted(f, t->a) && ops_wanted(f, t->b));
}

static void want(struct axiom_finder *f, const struct aterm *t)
{
    if (t == NULL)
        return;
    if (t->kind == AT_OP)
        f->wanted[t->op] = true;
    want(f, t->a);
    want(f, t->b);
}

static void want_occurring(struct axiom_finder *f)
{
    for (uint32_t i = 0; i < f->terms.len; i++)
        f->wanted[expr_at(&f->s->x, f->terms.at[i])->op] = true;
    for (uint32_t i = 0; i < n_axioms; i++)
        if (axioms[i].defines && f->wanted[axioms[i].trigger[0]->op])
            want(f, axioms[i].claim);
}

// The terms of relation t, for the next round.
static void collect_terms(struct axiom_finder *f, const struct axiom_use *u,
                          const struct aterm *t)
{
    if (t == NULL)
        return;
    if (t->kind == AT_OP || t->kind == AT_VAR || t->kind == AT_INT) {
        collect(f, normal(f->s, build(f->s, u, t, u->type)));
        return;
    }
    collect_terms(f, u, t->a);
    collect_terms(f, u, t->b);
}

static void use(struct axiom_finder *f, const struct axiom *a, uint32_t type,
                const expr_id *var)
{
    struct axiom_use u = {.axiom = a, .type = type};
    memcpy(u.var, var, sizeof u.var);
    if (f->out->at.len == AXIOMS_MOST ||
        (a->needs != NULL &&
         !occurs(&f->terms, normal(f->s, build(f->s, &u, a->needs, type)))))
        return;
    for (uint32_t i = 0; i < f->out->at.len; i++) {
        const struct axiom_use *o = &f->out->at.at[i];
        if (o->axiom == a && memcmp(o->var, u.var, sizeof u.var) == 0)
            return;
    }
    vec_push(&f->out->at, u);
    collect_terms(f, &u, a->guard);
    collect_terms(f, &u, a->claim);
}

// All uses of an axiom at the first n terms, the triggers from `at` on being at
// different ones.
static void use_from(struct axiom_finder *f, const struct axiom *a, uint32_t n,
                     uint32_t at, const expr_id *var, uint32_t *where)
{
    const struct exprs *x = &f->s->x;
    if (at == AXIOM_VARS || a->trigger[at] == NULL) {
        use(f, a, expr_at(x, f->terms.at[where[0]])->type, var);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        expr_id more[AXIOM_VARS];
        bool fits = true;
        for (uint32_t k = 0; k < at && fits; k++)
            fits = where[k] != i && expr_at(x, f->terms.at[where[k]])->type ==
                                        expr_at(x, f->terms.at[i])->type;
        memcpy(more, var, sizeof more);
        if (!fits || !match(x, a->trigger[at], f->terms.at[i], more))
            continue;
        where[at] = i;
        use_from(f, a, n, at + 1, more, where);
    }
}

static void use_everywhere(struct axiom_finder *f, const struct axiom *a, uint32_t n)
{
    expr_id var[AXIOM_VARS] = {NO_EXPR, NO_EXPR, NO_EXPR};
    uint32_t where[AXIOM_VARS];
    use_from(f, a, n, 0, var, where);
}

bool axiom_uses_find(struct session *s, const struct leaf *leaf,
                     struct axiom_uses *out)
{
    struct axiom_finder f = {.s = s, .out = out};
    collect(&f, leaf->lhs);
    collect(&f, leaf->rhs);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        collect(&f, leaf->holds.at[i]);
    bool any = f.terms.len > 0;
    f.terms.len = 0;
    if (any) {
        out->leaf = (struct leaf){.lhs = normal(s, leaf->lhs),
                                  .rhs = normal(s, leaf->rhs),
                                  .hyps = leaf->hyps};
        collect(&f, out->leaf.lhs);
        collect(&f, out->leaf.rhs);
        for (uint32_t i = 0; i < leaf->holds.len; i++) {
            expr_id h = leaf->holds.at[i];
            if (expr_at(&s->x, h)->kind != X_HOLDS)
                continue;
            expr_id e = normal(s, expr_arg(&s->x, h, 0));
            collect(&f, e);
            e = expr_holds(&s->x, e);
            vec_push(&out->leaf.holds, e);
        }
        for (uint32_t i = 0; i < leaf->below.len; i++) {
            expr_id e = normal(s, leaf->below.at[i]);
            collect(&f, e);
            vec_push(&out->leaf.below, e);
        }
        want_occurring(&f);
    }
    // Definitions first.
    for (int round = 0; round <= ROUNDS && any; round++) {
        uint32_t n = f.terms.len;
        for (uint32_t i = 0; i < n_axioms; i++)
            if ((round > 0 || axioms[i].defines) &&
                ops_wanted(&f, axioms[i].guard) &&
                ops_wanted(&f, axioms[i].claim))
                use_everywhere(&f, &axioms[i], n);
    }
    vec_release(&f.terms);
    return any;
}

void axiom_uses_release(struct axiom_uses *u)
{
    vec_release(&u->leaf.holds);
    vec_release(&u->leaf.below);
    vec_release(&u->at);
}

static Z3_ast term(struct machine *m, const struct axiom_use *u,
                   const struct aterm *t)
{
    return machine_term(m, normal(m->s, build(m->s, u, t, u->type)));
}

static Z3_ast truth(struct machine *m, const struct axiom_use *u,
                    const struct aterm *t)
{
    Z3_context c = m->s->smt.ctx;
    bool parts = t->kind == AT_AND || t->kind == AT_OR || t->kind == AT_IFF;
    Z3_ast a[2];
    a[0] = parts ? truth(m, u, t->a) : term(m, u, t->a);
    a[1] = parts ? truth(m, u, t->b) : term(m, u, t->b);
    switch (t->kind) {
    case AT_EQ:
        return Z3_mk_eq(c, a[0], a[1]);
    case AT_NE:
        return Z3_mk_not(c, Z3_mk_eq(c, a[0], a[1]));
    case AT_LT:
        return Z3_mk_lt(c, a[0], a[1]);
    case AT_LE:
        return Z3_mk_le(c, a[0], a[1]);
    case AT_AND:
        return Z3_mk_and(c, 2, a);
    case AT_OR:
        return Z3_mk_or(c, 2, a);
    default:
        return Z3_mk_iff(c, a[0], a[1]);
    }
}

void axiom_uses_assert(struct machine *m, const struct axiom_uses *u)
{
    Z3_context c = m->s->smt.ctx;
    for (uint32_t i = 0; i < u->at.len; i++) {
        const struct axiom_use *q = &u->at.at[i];
        Z3_ast claim = truth(m, q, q->axiom->claim);
        if (q->axiom->guard != NULL)
            claim = Z3_mk_implies(c, truth(m, q, q->axiom->guard), claim);
        smt_assert(&m->s->smt, claim);
    }
}
