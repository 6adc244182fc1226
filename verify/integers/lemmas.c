// SPDX-License-Identifier: Apache-2.0
#include "verify/integers/lemmas.h"
#include "verify/limits.h"

void gather_init(struct gather *gather, struct linear *linear)
{
    *gather = (struct gather){.linear = linear};
}

void gather_release(struct gather *gather)
{
    vec_release(&gather->seen);
    vec_release(&gather->choices);
    vec_release(&gather->quotients);
    vec_release(&gather->vars);
    vec_release(&gather->monos);
    vec_release(&gather->accesses);
    vec_release(&gather->swaps);
    vec_release(&gather->form_ids);
    vec_release(&gather->forms);
    vec_release(&gather->divisors);
}

static bool has(const struct u32_vec *list, uint32_t id)
{
    for (uint32_t i = 0; i < list->len; i++)
        if (list->at[i] == id)
            return true;
    return false;
}

static void add_form(struct gather *gather, struct poly poly)
{
    int64_t k;
    if (poly_constant(poly, &k))
        return;
    if (poly.term[0].c < 0)
        poly = poly_negated(gather->linear->polys, poly);
    expr_id e = poly_expr(gather->linear->polys, poly);
    if (has(&gather->form_ids, e))
        return;
    vec_push(&gather->form_ids, e);
    vec_push(&gather->forms, poly);
}

static void add_divisor(struct gather *gather, struct poly poly)
{
    int64_t k;
    bool known = poly_constant(poly, &k);
    for (uint32_t i = 0; i < gather->divisors.len && !known; i++)
        known = poly_same(gather->divisors.at[i], poly);
    if (!known)
        vec_push(&gather->divisors, poly);
}

static void visit(struct gather *gather, expr_id e);

static void visit_poly(struct gather *gather, struct poly poly)
{
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = gather->linear->polys->mono.at[poly.term[i].mono];
        if (mono.n > 1 && !has(&gather->monos, poly.term[i].mono))
            vec_push(&gather->monos, poly.term[i].mono);
        for (uint32_t k = 0; k < mono.n; k++)
            visit(gather, gather->linear->polys->atoms.at[mono.at + k]);
    }
}

// For q = a div b: the remainder r = a - b*q, and b - 1 - r, which is not negative if b >= 1.
static void visit_quotient(struct gather *gather, expr_id e)
{
    struct polys *polys = gather->linear->polys;
    struct poly poly = poly_of(polys, expr_arg(gather->linear->exprs, e, 0));
    struct poly b = poly_of(polys, expr_arg(gather->linear->exprs, e, 1));
    struct poly q = poly_atom(polys, e);
    struct poly r = poly_add(polys, poly, poly_mul(polys, b, q), -1);
    vec_push(&gather->quotients, e);
    visit_poly(gather, poly);
    visit_poly(gather, b);
    visit_poly(gather, r);
    add_divisor(gather, b);
    add_form(gather, q);
    add_form(gather, r);
    add_form(gather, poly_add(polys, poly_add(polys, b, poly_int(polys, 1), -1), r, -1));
}

static void visit_choice(struct gather *gather, expr_id e)
{
    struct polys *polys = gather->linear->polys;
    vec_push(&gather->choices, e);
    visit(gather, expr_arg(gather->linear->exprs, e, 0));
    for (uint32_t i = 1; i < 3; i++) {
        struct poly poly = poly_of(polys, expr_arg(gather->linear->exprs, e, i));
        visit_poly(gather, poly);
        add_form(gather, poly_add(polys, poly_atom(polys, e), poly, -1));
    }
}

static bool swappable(const struct linear *linear, const struct expr *node)
{
    if (!linear->commutative || node->n != 2)
        return false;
    if (node->kind == X_OPVAR)
        return linear->rule->opvars[node->sym].kind == OPVAR_MONOID;
    return expr_commutes(node);
}

static void visit(struct gather *gather, expr_id e)
{
    if (has(&gather->seen, e))
        return;
    vec_push(&gather->seen, e);
    struct exprs *exprs = gather->linear->exprs;
    const struct expr node = *expr_at(exprs, e);
    switch ((enum expr_kind)node.kind) {
    case X_VAR:
        vec_push(&gather->vars, e);
        return;
    case X_DIV:
        visit_quotient(gather, e);
        return;
    case X_IF:
        visit_choice(gather, e);
        return;
    case X_LE:
    case X_EQ: {
        struct poly poly =
            poly_add(gather->linear->polys, poly_of(gather->linear->polys, expr_arg(exprs, e, 1)),
                     poly_of(gather->linear->polys, expr_arg(exprs, e, 0)), -1);
        visit_poly(gather, poly);
        add_form(gather, poly);
        return;
    }
    case X_ACCESS:
    case X_INJECT:
        vec_push(&gather->accesses, e);
        for (uint32_t i = 0; i < node.n; i++)
            visit_poly(gather, poly_of(gather->linear->polys, expr_arg(exprs, e, i)));
        return;
    case X_REDUCE: // a constant to the solver
        return;
    default:
        if (swappable(gather->linear, &node))
            vec_push(&gather->swaps, e);
        for (uint32_t i = 0; i < node.n; i++)
            visit(gather, expr_arg(exprs, e, i));
        return;
    }
}

void gather_conjunct(struct gather *gather, expr_id e)
{
    visit(gather, e);
}

static void access_differences(struct gather *gather)
{
    struct exprs *exprs = gather->linear->exprs;
    struct polys *polys = gather->linear->polys;
    for (uint32_t i = 0; i < gather->accesses.len; i++)
        for (uint32_t j = 0; j < i; j++) {
            const struct expr *node = expr_at(exprs, gather->accesses.at[i]);
            const struct expr *b = expr_at(exprs, gather->accesses.at[j]);
            if (node->kind != b->kind || node->sym != b->sym || node->n != b->n)
                continue;
            for (uint32_t k = 0; k < node->n; k++)
                add_form(gather, poly_add(polys, poly_of(polys, exprs->args.at[node->at + k]),
                                          poly_of(polys, exprs->args.at[b->at + k]), -1));
        }
}

static void cofactor_differences(struct gather *gather)
{
    struct polys *polys = gather->linear->polys;
    for (uint32_t i = 0; i < gather->monos.len; i++) {
        struct mono mono = polys->mono.at[gather->monos.at[i]];
        for (uint32_t k = 0; k < mono.n; k++) {
            uint32_t u, v;
            expr_id atom = polys->atoms.at[mono.at + k];
            if (!mono_without(polys, gather->monos.at[i], atom, &u))
                continue;
            add_form(gather, poly_mono(polys, u));
            for (uint32_t j = 0; j < i && gather->forms.len < VERIFY_LEMMA_FORMS; j++)
                if (mono_without(polys, gather->monos.at[j], atom, &v))
                    add_form(gather, poly_add(polys, poly_mono(polys, u), poly_mono(polys, v), -1));
        }
    }
}

static void quotient_differences(struct gather *gather)
{
    struct exprs *exprs = gather->linear->exprs;
    struct polys *polys = gather->linear->polys;
    for (uint32_t i = 0; i < gather->quotients.len; i++) {
        expr_id e = gather->quotients.at[i];
        struct poly poly = poly_of(polys, expr_arg(exprs, e, 0));
        struct poly b = poly_of(polys, expr_arg(exprs, e, 1)), q, r;
        poly_divide(polys, poly, b, &q, &r);
        add_form(gather, poly_add(polys, poly_atom(polys, e), q, -1));
        for (uint32_t j = 0; j < i && gather->forms.len < VERIFY_LEMMA_FORMS; j++) {
            expr_id f = gather->quotients.at[j];
            struct poly a2 = poly_of(polys, expr_arg(exprs, f, 0));
            if (!poly_same(b, poly_of(polys, expr_arg(exprs, f, 1))))
                continue;
            for (int k = -1; k <= 1; k += 2) {
                struct poly l = poly_add(polys, poly_atom(polys, e), poly_atom(polys, f), k);
                poly_divide(polys, poly_add(polys, poly, a2, k), b, &q, &r);
                add_form(gather, poly_add(polys, l, q, -1));
            }
        }
    }
}

void gather_hints(struct gather *gather)
{
    access_differences(gather);
    cofactor_differences(gather);
    quotient_differences(gather);
}

static uint32_t join(uint32_t a, uint32_t b)
{
    return a == PART_NONE ? b : b == PART_NONE || a == b ? a : PART_MIXED;
}

// The part that all variables of an atom belong to.  Integers that are values of elements
// form a part of their own (NONE).
static uint32_t part_of_atom(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    if (node->kind == X_VAR)
        return exprs->var.at[node->sym].part;
    if (node->kind == X_VALUE)
        return NONE;
    uint32_t part = PART_NONE;
    for (uint32_t i = 0; i < node->n; i++)
        part = join(part, part_of_atom(exprs, expr_arg(exprs, e, i)));
    return part;
}

static uint32_t part_of(const struct gather *gather, struct poly poly)
{
    const struct polys *polys = gather->linear->polys;
    uint32_t part = PART_NONE;
    for (uint32_t i = 0; i < poly.n; i++) {
        struct mono mono = polys->mono.at[poly.term[i].mono];
        for (uint32_t k = 0; k < mono.n; k++)
            part = join(part, part_of_atom(gather->linear->exprs, polys->atoms.at[mono.at + k]));
    }
    return part;
}

static unsigned new_monos(const struct gather *gather, struct poly poly)
{
    unsigned n = 0;
    for (uint32_t i = 0; i < poly.n; i++)
        n += gather->linear->polys->mono.at[poly.term[i].mono].n > 1 &&
             !has(&gather->monos, poly.term[i].mono);
    return n;
}

struct multiplier {
    struct poly poly;
    uint32_t part;
};

void gather_lemmas(struct gather *gather, unsigned slack, struct lemmas *out)
{
    struct polys *polys = gather->linear->polys;
    VEC(struct multiplier) ds = {0};
    struct u32_vec atoms = {0};
    for (uint32_t i = 0; i < gather->monos.len; i++) {
        struct mono mono = polys->mono.at[gather->monos.at[i]];
        for (uint32_t k = 0; k < mono.n; k++)
            if (!has(&atoms, polys->atoms.at[mono.at + k]))
                vec_push(&atoms, polys->atoms.at[mono.at + k]);
    }
    for (uint32_t i = 0; i < atoms.len; i++) {
        struct poly poly = poly_atom(polys, atoms.at[i]);
        vec_push(&ds, ((struct multiplier){poly, part_of(gather, poly)}));
    }
    for (uint32_t i = 0; i < gather->divisors.len; i++) {
        struct poly d = gather->divisors.at[i];
        if (d.n > 1 || poly_degree(polys, d) > 1) // else an atom, times a constant
            vec_push(&ds, ((struct multiplier){d, part_of(gather, d)}));
    }
    for (uint32_t i = 0; i < gather->forms.len; i++) {
        uint32_t part = part_of(gather, gather->forms.at[i]);
        for (uint32_t j = 0; j < ds.len && out->at.len < VERIFY_LEMMAS; j++) {
            if (part == PART_MIXED || ds.at[j].part != part)
                continue;
            struct poly q = poly_mul(polys, gather->forms.at[i], ds.at[j].poly);
            unsigned fresh = new_monos(gather, q);
            // Lemmas with fewer new monomials were added at a smaller slack.
            if (fresh == slack)
                vec_push(&out->at, ((struct lemma){gather->forms.at[i], ds.at[j].poly, q}));
        }
    }
    vec_release(&ds);
    vec_release(&atoms);
}
