// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/lemmas.h"

#define MAX_LEMMAS 600
#define MAX_HINTS 400

void gather_init(struct gather *g, struct linear *l)
{
    *g = (struct gather){.l = l};
}

void gather_release(struct gather *g)
{
    vec_release(&g->seen);
    vec_release(&g->choices);
    vec_release(&g->quotients);
    vec_release(&g->vars);
    vec_release(&g->monos);
    vec_release(&g->accesses);
    vec_release(&g->swaps);
    vec_release(&g->form_ids);
    vec_release(&g->forms);
    vec_release(&g->divisors);
}

static bool has(const struct u32_vec *v, uint32_t id)
{
    for (uint32_t i = 0; i < v->len; i++)
        if (v->at[i] == id)
            return true;
    return false;
}

static void add_form(struct gather *g, struct poly a)
{
    int64_t k;
    if (poly_constant(a, &k))
        return;
    if (a.t[0].c < 0)
        a = poly_add(g->l->p, (struct poly){0, NULL}, a, -1);
    expr_id e = poly_expr(g->l->p, a);
    if (has(&g->form_ids, e))
        return;
    vec_push(&g->form_ids, e);
    vec_push(&g->forms, a);
}

static void add_divisor(struct gather *g, struct poly a)
{
    int64_t k;
    bool known = poly_constant(a, &k);
    for (uint32_t i = 0; i < g->divisors.len && !known; i++)
        known = poly_same(g->divisors.at[i], a);
    if (!known)
        vec_push(&g->divisors, a);
}

static void visit(struct gather *g, expr_id e);

static void visit_poly(struct gather *g, struct poly a)
{
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = g->l->p->mono.at[a.t[i].mono];
        if (m.n > 1 && !has(&g->monos, a.t[i].mono))
            vec_push(&g->monos, a.t[i].mono);
        for (uint32_t k = 0; k < m.n; k++)
            visit(g, g->l->p->atoms.at[m.at + k]);
    }
}

// q = a div b: the remainder a - b*q, and what is left of it to the divisor.
static void visit_quotient(struct gather *g, expr_id e)
{
    struct polys *p = g->l->p;
    struct poly a = poly_of(p, expr_arg(g->l->x, e, 0));
    struct poly b = poly_of(p, expr_arg(g->l->x, e, 1));
    struct poly q = poly_atom(p, e);
    struct poly r = poly_add(p, a, poly_mul(p, b, q), -1);
    vec_push(&g->quotients, e);
    visit_poly(g, a);
    visit_poly(g, b);
    visit_poly(g, r);
    add_divisor(g, b);
    add_form(g, q);
    add_form(g, r);
    add_form(g, poly_add(p, poly_add(p, b, poly_int(p, 1), -1), r, -1));
}

static void visit_choice(struct gather *g, expr_id e)
{
    struct polys *p = g->l->p;
    vec_push(&g->choices, e);
    visit(g, expr_arg(g->l->x, e, 0));
    for (uint32_t i = 1; i < 3; i++) {
        struct poly a = poly_of(p, expr_arg(g->l->x, e, i));
        visit_poly(g, a);
        add_form(g, poly_add(p, poly_atom(p, e), a, -1));
    }
}

static bool swappable(const struct linear *l, const struct expr *n)
{
    if (!l->commutative || n->n != 2)
        return false;
    if (n->kind == X_OPVAR)
        return l->r->opvars[n->sym].kind == OPVAR_MONOID;
    return expr_commutes(n);
}

static void visit(struct gather *g, expr_id e)
{
    if (has(&g->seen, e))
        return;
    vec_push(&g->seen, e);
    struct exprs *x = g->l->x;
    const struct expr n = *expr_at(x, e);
    switch ((enum expr_kind)n.kind) {
    case X_VAR:
        vec_push(&g->vars, e);
        return;
    case X_DIV:
        visit_quotient(g, e);
        return;
    case X_IF:
        visit_choice(g, e);
        return;
    case X_LE:
    case X_EQ: {
        struct poly a = poly_add(g->l->p, poly_of(g->l->p, expr_arg(x, e, 1)),
                                 poly_of(g->l->p, expr_arg(x, e, 0)), -1);
        visit_poly(g, a);
        add_form(g, a);
        return;
    }
    case X_ACCESS:
    case X_INJECT:
        vec_push(&g->accesses, e);
        for (uint32_t i = 0; i < n.n; i++)
            visit_poly(g, poly_of(g->l->p, expr_arg(x, e, i)));
        return;
    case X_REDUCE: // a constant to the solver
        return;
    default:
        if (swappable(g->l, &n))
            vec_push(&g->swaps, e);
        for (uint32_t i = 0; i < n.n; i++)
            visit(g, expr_arg(x, e, i));
        return;
    }
}

void gather_conjunct(struct gather *g, expr_id e)
{
    visit(g, e);
}

static void access_differences(struct gather *g)
{
    struct exprs *x = g->l->x;
    struct polys *p = g->l->p;
    for (uint32_t i = 0; i < g->accesses.len; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct expr *a = expr_at(x, g->accesses.at[i]);
            const struct expr *b = expr_at(x, g->accesses.at[j]);
            if (a->kind != b->kind || a->sym != b->sym || a->n != b->n)
                continue;
            for (uint32_t k = 0; k < a->n; k++)
                add_form(g, poly_add(p, poly_of(p, x->args.at[a->at + k]),
                                     poly_of(p, x->args.at[b->at + k]), -1));
        }
}

static void cofactor_differences(struct gather *g)
{
    struct polys *p = g->l->p;
    for (uint32_t i = 0; i < g->monos.len; i++) {
        struct mono m = p->mono.at[g->monos.at[i]];
        for (uint32_t k = 0; k < m.n; k++) {
            uint32_t u, v;
            expr_id atom = p->atoms.at[m.at + k];
            if (!mono_without(p, g->monos.at[i], atom, &u))
                continue;
            add_form(g, poly_mono(p, u));
            for (uint32_t j = 0; j < i && g->forms.len < MAX_HINTS; j++)
                if (mono_without(p, g->monos.at[j], atom, &v))
                    add_form(g,
                             poly_add(p, poly_mono(p, u), poly_mono(p, v), -1));
        }
    }
}

static void quotient_differences(struct gather *g)
{
    struct exprs *x = g->l->x;
    struct polys *p = g->l->p;
    for (uint32_t i = 0; i < g->quotients.len; i++) {
        expr_id e = g->quotients.at[i];
        struct poly a = poly_of(p, expr_arg(x, e, 0));
        struct poly b = poly_of(p, expr_arg(x, e, 1)), q, r;
        poly_divide(p, a, b, &q, &r);
        add_form(g, poly_add(p, poly_atom(p, e), q, -1));
        for (uint32_t j = 0; j < i && g->forms.len < MAX_HINTS; j++) {
            expr_id f = g->quotients.at[j];
            struct poly a2 = poly_of(p, expr_arg(x, f, 0));
            if (!poly_same(b, poly_of(p, expr_arg(x, f, 1))))
                continue;
            for (int k = -1; k <= 1; k += 2) {
                struct poly l =
                    poly_add(p, poly_atom(p, e), poly_atom(p, f), k);
                poly_divide(p, poly_add(p, a, a2, k), b, &q, &r);
                add_form(g, poly_add(p, l, q, -1));
            }
        }
    }
}

void gather_hints(struct gather *g)
{
    access_differences(g);
    cofactor_differences(g);
    quotient_differences(g);
}

static uint32_t join(uint32_t a, uint32_t b)
{
    return a == PART_NONE ? b : b == PART_NONE || a == b ? a : PART_MIXED;
}

// The part that all variables of an atom belong to; integers that are values
// of elements form a part of their own (NONE).
static uint32_t part_of_atom(const struct exprs *x, expr_id e)
{
    const struct expr *n = expr_at(x, e);
    if (n->kind == X_VAR)
        return x->var.at[n->sym].part;
    if (n->kind == X_VALUE)
        return NONE;
    uint32_t part = PART_NONE;
    for (uint32_t i = 0; i < n->n; i++)
        part = join(part, part_of_atom(x, expr_arg(x, e, i)));
    return part;
}

static uint32_t part_of(const struct gather *g, struct poly a)
{
    const struct polys *p = g->l->p;
    uint32_t part = PART_NONE;
    for (uint32_t i = 0; i < a.n; i++) {
        struct mono m = p->mono.at[a.t[i].mono];
        for (uint32_t k = 0; k < m.n; k++)
            part = join(part, part_of_atom(g->l->x, p->atoms.at[m.at + k]));
    }
    return part;
}

static unsigned new_monos(const struct gather *g, struct poly a)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < a.n; i++)
        n +=
            g->l->p->mono.at[a.t[i].mono].n > 1 && !has(&g->monos, a.t[i].mono);
    return n;
}

struct multiplier {
    struct poly d;
    uint32_t part;
};

void gather_lemmas(struct gather *g, unsigned slack, struct lemmas *out)
{
    struct polys *p = g->l->p;
    VEC(struct multiplier) ds = {0};
    struct u32_vec atoms = {0};
    for (uint32_t i = 0; i < g->monos.len; i++) {
        struct mono m = p->mono.at[g->monos.at[i]];
        for (uint32_t k = 0; k < m.n; k++)
            if (!has(&atoms, p->atoms.at[m.at + k]))
                vec_push(&atoms, p->atoms.at[m.at + k]);
    }
    for (uint32_t i = 0; i < atoms.len; i++) {
        struct poly d = poly_atom(p, atoms.at[i]);
        vec_push(&ds, ((struct multiplier){d, part_of(g, d)}));
    }
    for (uint32_t i = 0; i < g->divisors.len; i++) {
        struct poly d = g->divisors.at[i];
        if (d.n > 1 || poly_degree(p, d) > 1) // else an atom, times a constant
            vec_push(&ds, ((struct multiplier){d, part_of(g, d)}));
    }
    for (uint32_t i = 0; i < g->forms.len; i++) {
        uint32_t part = part_of(g, g->forms.at[i]);
        for (uint32_t j = 0; j < ds.len && out->at.len < MAX_LEMMAS; j++) {
            if (part == PART_MIXED || ds.at[j].part != part)
                continue;
            struct poly q = poly_mul(p, g->forms.at[i], ds.at[j].d);
            unsigned fresh = new_monos(g, q);
            // Those with fewer new monomials were added at a smaller slack.
            if (fresh == slack)
                vec_push(&out->at,
                         ((struct lemma){g->forms.at[i], ds.at[j].d, q}));
        }
    }
    vec_release(&ds);
    vec_release(&atoms);
}
