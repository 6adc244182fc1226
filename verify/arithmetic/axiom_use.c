// SPDX-License-Identifier: Apache-2.0
// Instances of axioms at the terms of a leaf.
#include "verify/arithmetic/axioms.h"
#include "verify/limits.h"

struct axiom_finder {
    struct session *session;
    struct axiom_uses *out;
    struct u32_vec terms; // transcendental ones that occur, in normal form
    bool wanted[N_OPS];   // A2
};

static bool is_real(const struct session *session, const struct expr *node)
{
    return node->kind == X_OP && op_is_transcendental((enum op)node->op) &&
           type_in_domain(session->rule, node->type, DOMAIN_REAL);
}

// exp(t) ^ k as a product, or exp of the term as it stands.
static expr_id exp_of_term(struct session *session, struct pterm t, uint32_t type)
{
    struct exprs *exprs = &session->exprs;
    struct pterm one = t;
    int64_t copies = t.c < 0 ? -t.c : t.c;
    if (t.c > VERIFY_EXP_COPIES || t.c < -VERIFY_EXP_COPIES)
        copies = 1;
    else
        one.c = t.c < 0 ? -1 : 1;
    expr_id arg =
        expr_inject(exprs, poly_expr(&session->polys, (struct poly){.n = 1, .term = &one}), type);
    expr_id e = expr_op(exprs, OP_EXPONENTIAL, 0, type, 1, &arg), out = e;
    while (--copies > 0)
        out = expr_op(exprs, OP_MULTIPLY, 0, type, 2, (expr_id[]){out, e});
    return out;
}

// exp(a + b) = exp(a) * exp(b), for all numbers a and b.
static expr_id exp_of_sum(struct session *session, expr_id arg, uint32_t type)
{
    struct exprs *exprs = &session->exprs;
    expr_id normal = ring_normal(session, DOMAIN_REAL, arg), out = NO_EXPR;
    if (expr_at(exprs, normal)->kind != X_INJECT)
        return expr_op(exprs, OP_EXPONENTIAL, 0, type, 1, &normal);
    struct poly poly = poly_of(&session->polys, expr_arg(exprs, normal, 0));
    for (uint32_t i = 0; i < poly.n; i++) {
        expr_id e = exp_of_term(session, poly.term[i], type);
        out = out == NO_EXPR ? e : expr_op(exprs, OP_MULTIPLY, 0, type, 2, (expr_id[]){out, e});
    }
    return out == NO_EXPR ? expr_literal(exprs, LIT_INT, 1, 0, type) : out;
}

// Exponentials of sums spread, from the inside out.
static expr_id spread(struct session *session, expr_id e)
{
    struct exprs *exprs = &session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if ((node.kind != X_OP && node.kind != X_OPVAR) || node.n == 0)
        return e;
    struct u32_vec args = {0};
    for (uint32_t i = 0; i < node.n; i++) {
        expr_id a = spread(session, expr_arg(exprs, e, i));
        vec_push(&args, a);
    }
    expr_id out;
    if (node.kind == X_OP && node.op == OP_EXPONENTIAL && is_real(session, &node))
        out = exp_of_sum(session, args.at[0], node.type);
    else
        out = expr_with_args(exprs, e, args.at);
    vec_release(&args);
    return out;
}

static expr_id normal(struct session *session, expr_id e)
{
    return ring_normal(session, DOMAIN_REAL, spread(session, e));
}

static expr_id build(struct session *session, const struct axiom_use *instance,
                     const struct aterm *t, uint32_t type)
{
    struct exprs *exprs = &session->exprs;
    if (t->kind == AT_VAR)
        return instance->var[t->k];
    if (t->kind == AT_INT)
        return expr_literal(exprs, LIT_INT, t->k, 0, type);
    expr_id a[2] = {build(session, instance, t->a, type), NO_EXPR};
    if (t->b != NULL)
        a[1] = build(session, instance, t->b, type);
    return expr_op(exprs, t->op, 0, type, t->b == NULL ? 1 : 2, a);
}

static bool match(const struct exprs *exprs, const struct aterm *t, expr_id e, expr_id *var)
{
    const struct expr *node = expr_at(exprs, e);
    if (t->kind == AT_VAR) {
        if (var[t->k] == NO_EXPR)
            var[t->k] = e;
        return var[t->k] == e;
    }
    if (t->kind != AT_OP || node->kind != X_OP || node->op != t->op ||
        node->n != (t->b == NULL ? 1U : 2U))
        return false;
    expr_id a = expr_arg(exprs, e, 0);
    return match(exprs, t->a, a, var) &&
           (t->b == NULL || match(exprs, t->b, expr_arg(exprs, e, 1), var));
}

static bool occurs(const struct u32_vec *list, expr_id e)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == e)
            return true;
    return false;
}

static void collect(struct axiom_finder *axiom_finder, expr_id e)
{
    struct u32_vec reach = {0};
    expr_reach(&axiom_finder->session->exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len; i++)
        if (is_real(axiom_finder->session, expr_at(&axiom_finder->session->exprs, reach.at[i])) &&
            !occurs(&axiom_finder->terms, reach.at[i]))
            vec_push(&axiom_finder->terms, reach.at[i]);
    vec_release(&reach);
}

static bool ops_wanted(const struct axiom_finder *axiom_finder, const struct aterm *t)
{
    return t == NULL ||
           ((t->kind != AT_OP || !op_is_transcendental(t->op) || axiom_finder->wanted[t->op]) &&
            ops_wanted(axiom_finder, t->a) && ops_wanted(axiom_finder, t->b));
}

static void want(struct axiom_finder *axiom_finder, const struct aterm *t)
{
    if (t == NULL)
        return;
    if (t->kind == AT_OP)
        axiom_finder->wanted[t->op] = true;
    want(axiom_finder, t->a);
    want(axiom_finder, t->b);
}

static void want_occurring(struct axiom_finder *axiom_finder)
{
    for (uint32_t i = 0; i < axiom_finder->terms.len; i++)
        axiom_finder
            ->wanted[expr_at(&axiom_finder->session->exprs, axiom_finder->terms.at[i])->op] = true;
    for (uint32_t i = 0; i < n_axioms; i++)
        if (axioms[i].defines && axiom_finder->wanted[axioms[i].trigger[0]->op])
            want(axiom_finder, axioms[i].claim);
}

// Collects the transcendental terms of relation t for the next round.
static void collect_terms(struct axiom_finder *axiom_finder, const struct axiom_use *instance,
                          const struct aterm *t)
{
    if (t == NULL)
        return;
    if (t->kind == AT_OP || t->kind == AT_VAR || t->kind == AT_INT) {
        collect(axiom_finder, normal(axiom_finder->session,
                                     build(axiom_finder->session, instance, t, instance->type)));
        return;
    }
    collect_terms(axiom_finder, instance, t->a);
    collect_terms(axiom_finder, instance, t->b);
}

static void use(struct axiom_finder *axiom_finder, const struct axiom *axiom, uint32_t type,
                const expr_id *var)
{
    struct axiom_use instance = {.axiom = axiom, .type = type};
    memcpy(instance.var, var, sizeof instance.var);
    if (axiom_finder->out->at.len == VERIFY_AXIOM_USES ||
        (axiom->needs != NULL &&
         !occurs(&axiom_finder->terms,
                 normal(axiom_finder->session,
                        build(axiom_finder->session, &instance, axiom->needs, type)))))
        return;
    for (uint32_t i = 0; i < axiom_finder->out->at.len; i++) {
        const struct axiom_use *o = &axiom_finder->out->at.at[i];
        if (o->axiom == axiom && memcmp(o->var, instance.var, sizeof instance.var) == 0)
            return;
    }
    vec_push(&axiom_finder->out->at, instance);
    collect_terms(axiom_finder, &instance, axiom->guard);
    collect_terms(axiom_finder, &instance, axiom->claim);
}

// Adds every use of an axiom at the first n terms, such that the triggers from `at` on match
// different terms.
static void use_from(struct axiom_finder *axiom_finder, const struct axiom *axiom, uint32_t n,
                     uint32_t at, const expr_id *var, uint32_t *where)
{
    const struct exprs *exprs = &axiom_finder->session->exprs;
    if (at == AXIOM_VARS || axiom->trigger[at] == NULL) {
        use(axiom_finder, axiom, expr_at(exprs, axiom_finder->terms.at[where[0]])->type, var);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        expr_id more[AXIOM_VARS];
        bool fits = true;
        for (uint32_t k = 0; k < at && fits; k++)
            fits = where[k] != i && expr_at(exprs, axiom_finder->terms.at[where[k]])->type ==
                                        expr_at(exprs, axiom_finder->terms.at[i])->type;
        memcpy(more, var, sizeof more);
        if (!fits || !match(exprs, axiom->trigger[at], axiom_finder->terms.at[i], more))
            continue;
        where[at] = i;
        use_from(axiom_finder, axiom, n, at + 1, more, where);
    }
}

static void use_everywhere(struct axiom_finder *axiom_finder, const struct axiom *axiom, uint32_t n)
{
    expr_id var[AXIOM_VARS] = {NO_EXPR, NO_EXPR, NO_EXPR};
    uint32_t where[AXIOM_VARS];
    use_from(axiom_finder, axiom, n, 0, var, where);
}

bool axiom_uses_find(struct session *session, const struct leaf *leaf, struct axiom_uses *out)
{
    struct axiom_finder axiom_finder = {.session = session, .out = out};
    collect(&axiom_finder, leaf->lhs);
    collect(&axiom_finder, leaf->rhs);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        collect(&axiom_finder, leaf->holds.at[i]);
    bool any = axiom_finder.terms.len > 0;
    axiom_finder.terms.len = 0;
    if (any) {
        out->leaf = (struct leaf){.lhs = normal(session, leaf->lhs),
                                  .rhs = normal(session, leaf->rhs),
                                  .hyps = leaf->hyps};
        collect(&axiom_finder, out->leaf.lhs);
        collect(&axiom_finder, out->leaf.rhs);
        for (uint32_t i = 0; i < leaf->holds.len; i++) {
            expr_id h = leaf->holds.at[i];
            if (expr_at(&session->exprs, h)->kind != X_HOLDS)
                continue;
            expr_id e = normal(session, expr_arg(&session->exprs, h, 0));
            collect(&axiom_finder, e);
            e = expr_holds(&session->exprs, e);
            vec_push(&out->leaf.holds, e);
        }
        for (uint32_t i = 0; i < leaf->below.len; i++) {
            expr_id e = normal(session, leaf->below.at[i]);
            collect(&axiom_finder, e);
            vec_push(&out->leaf.below, e);
        }
        want_occurring(&axiom_finder);
    }
    // Definitions first.
    for (int round = 0; round <= VERIFY_AXIOM_ROUNDS && any; round++) {
        uint32_t n = axiom_finder.terms.len;
        for (uint32_t i = 0; i < n_axioms; i++)
            if ((round > 0 || axioms[i].defines) && ops_wanted(&axiom_finder, axioms[i].guard) &&
                ops_wanted(&axiom_finder, axioms[i].claim))
                use_everywhere(&axiom_finder, &axioms[i], n);
    }
    vec_release(&axiom_finder.terms);
    return any;
}

void axiom_uses_release(struct axiom_uses *instances)
{
    vec_release(&instances->leaf.holds);
    vec_release(&instances->leaf.below);
    vec_release(&instances->at);
}

static Z3_ast term(struct machine *machine, const struct axiom_use *instance, const struct aterm *t)
{
    return machine_term(
        machine, normal(machine->session, build(machine->session, instance, t, instance->type)));
}

static Z3_ast truth(struct machine *machine, const struct axiom_use *instance,
                    const struct aterm *t)
{
    Z3_context context = machine->session->smt.ctx;
    bool parts = t->kind == AT_AND || t->kind == AT_OR || t->kind == AT_IFF;
    Z3_ast a[2];
    a[0] = parts ? truth(machine, instance, t->a) : term(machine, instance, t->a);
    a[1] = parts ? truth(machine, instance, t->b) : term(machine, instance, t->b);
    switch (t->kind) {
    case AT_EQ:
        return Z3_mk_eq(context, a[0], a[1]);
    case AT_NE:
        return Z3_mk_not(context, Z3_mk_eq(context, a[0], a[1]));
    case AT_LT:
        return Z3_mk_lt(context, a[0], a[1]);
    case AT_LE:
        return Z3_mk_le(context, a[0], a[1]);
    case AT_AND:
        return Z3_mk_and(context, 2, a);
    case AT_OR:
        return Z3_mk_or(context, 2, a);
    default:
        return Z3_mk_iff(context, a[0], a[1]);
    }
}

void axiom_uses_assert(struct machine *machine, const struct axiom_uses *instances)
{
    Z3_context context = machine->session->smt.ctx;
    for (uint32_t i = 0; i < instances->at.len; i++) {
        const struct axiom_use *instance = &instances->at.at[i];
        Z3_ast claim = truth(machine, instance, instance->axiom->claim);
        if (instance->axiom->guard != NULL)
            claim = Z3_mk_implies(context, truth(machine, instance, instance->axiom->guard), claim);
        smt_assert(&machine->session->smt, claim);
    }
}
