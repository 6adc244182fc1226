// SPDX-License-Identifier: Apache-2.0
// Conversions that keep order, and those back to the types they came from, as unknown values of
// which the solver is told what matters in a leaf of order and sign: rounding to nearest keeps order and sign, and a type that has all
// values of another one keeps them apart.  Far cheaper than bits of roundings.
#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

// A conversion in the leaf: its types, operand and result.
struct conversion {
    enum elem from, to;
    Z3_ast x, r;
};

bool machine_convert_keeps_order(enum elem from, enum elem to)
{
    if (elem_kind(to) != KIND_FLOAT || elem_is_ideal(to) || elem_is_ideal(from))
        return false;
    return elem_kind(from) == KIND_FLOAT ? elem_holds(to, from)
                                         : (elem_kind(from) & (KIND_SINT | KIND_UINT)) != 0;
}

static Z3_ast every(Z3_context context, unsigned n, const Z3_ast *a)
{
    return Z3_mk_and(context, n, a);
}

static Z3_ast less(Z3_context context, enum elem elem, Z3_ast a, Z3_ast b)
{
    return elem_kind(elem) == KIND_FLOAT  ? Z3_mk_fpa_lt(context, a, b)
           : elem_kind(elem) == KIND_SINT ? Z3_mk_bvslt(context, a, b)
                                          : Z3_mk_bvult(context, a, b);
}

// Of floats: NaN, infinities, zeros and signs stay what they are.
static Z3_ast float_fact(Z3_context context, Z3_ast x, Z3_ast r)
{
    Z3_ast nan = Z3_mk_fpa_is_nan(context, x);
    Z3_ast sign =
        Z3_mk_eq(context, Z3_mk_fpa_is_negative(context, x), Z3_mk_fpa_is_negative(context, r));
    Z3_ast all[] = {
        Z3_mk_eq(context, nan, Z3_mk_fpa_is_nan(context, r)),
        Z3_mk_eq(context, Z3_mk_fpa_is_infinite(context, x), Z3_mk_fpa_is_infinite(context, r)),
        Z3_mk_eq(context, Z3_mk_fpa_is_zero(context, x), Z3_mk_fpa_is_zero(context, r)),
        Z3_mk_or(context, 2, (Z3_ast[]){nan, sign})};
    return every(context, 4, all);
}

// Of an integer: a number of its sign, and 0 becomes 0, not -0.  It is finite if the float type
// has it; a large one may become infinite otherwise.
static Z3_ast integer_fact(Z3_context context, enum elem from, enum elem to, Z3_ast x, Z3_ast r)
{
    Z3_ast zero = Z3_mk_unsigned_int64(context, 0, Z3_get_sort(context, x));
    Z3_ast all[] = {
        Z3_mk_not(context, Z3_mk_fpa_is_nan(context, r)),
        Z3_mk_eq(context, Z3_mk_eq(context, x, zero), Z3_mk_fpa_is_zero(context, r)),
        elem_kind(from) == KIND_SINT
            ? Z3_mk_eq(context, Z3_mk_bvslt(context, x, zero), Z3_mk_fpa_is_negative(context, r))
            : Z3_mk_not(context, Z3_mk_fpa_is_negative(context, r)),
        elem_holds(to, from) ? Z3_mk_not(context, Z3_mk_fpa_is_infinite(context, r))
                             : Z3_mk_true(context)};
    return every(context, 4, all);
}

Z3_ast machine_convert_fact(struct machine *machine, enum elem from, enum elem to, Z3_ast x,
                            Z3_ast r)
{
    Z3_context context = machine->session->smt.ctx;
    return elem_kind(from) == KIND_FLOAT ? float_fact(context, x, r)
                                         : integer_fact(context, from, to, x, r);
}

Z3_ast machine_convert_order(struct machine *machine, enum elem from, enum elem to,
                             const Z3_ast x[2], const Z3_ast r[2])
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast same[] = {Z3_mk_eq(context, x[0], x[1]), Z3_mk_eq(context, r[0], r[1])};
    Z3_ast up[] = {less(context, from, x[0], x[1]), less(context, to, r[0], r[1])};
    Z3_ast down[] = {less(context, from, x[1], x[0]), less(context, to, r[1], r[0])};
    if (elem_holds(to, from))
        return every(context, 3,
                     (Z3_ast[]){Z3_mk_eq(context, same[0], same[1]),
                                Z3_mk_eq(context, up[0], up[1]),
                                Z3_mk_eq(context, down[0], down[1])});
    // Two integers may become one float; none passes the other.
    return every(context, 3,
                 (Z3_ast[]){Z3_mk_implies(context, same[0], same[1]),
                            Z3_mk_implies(context, up[1], up[0]),
                            Z3_mk_implies(context, down[1], down[0])});
}

// A value that was converted to a type that has it, and back, is itself.  Formats are symmetric, so
// the negative of a float is the negative of the value; of integers the least has none.
Z3_ast machine_convert_back(struct machine *machine, enum elem from, Z3_ast x, Z3_ast r, Z3_ast v,
                            Z3_ast c)
{
    Z3_context context = machine->session->smt.ctx;
    Z3_ast same = Z3_mk_implies(context, Z3_mk_eq(context, v, r), Z3_mk_eq(context, c, x));
    if (elem_kind(from) != KIND_FLOAT)
        return same;
    Z3_ast minus = Z3_mk_implies(context, Z3_mk_eq(context, v, Z3_mk_fpa_neg(context, r)),
                                 Z3_mk_eq(context, c, Z3_mk_fpa_neg(context, x)));
    return every(context, 2, (Z3_ast[]){same, minus});
}

static bool converts(const struct exprs *exprs, expr_id e, uint32_t from, uint32_t to)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_OP && node->op == OP_CONVERT && node->type == to &&
           expr_at(exprs, expr_arg(exprs, e, 0))->type == from;
}

bool machine_convert_comes_back(const struct machine *machine, uint32_t from, uint32_t to)
{
    enum elem wide = machine->of[from], narrow = machine->of[to];
    bool found = false;
    if (machine->loose == NULL || elem_is_ideal(wide) || elem_is_ideal(narrow) ||
        !machine_convert_keeps_order(narrow, wide) || !elem_holds(wide, narrow))
        return false;
    for (uint32_t i = 0; i < machine->loose->len && !found; i++)
        found = converts(&machine->session->exprs, machine->loose->at[i], to, from);
    return found;
}

// Tells what the element, if it is a conversion back, is for each of the conversions.
static void tell_back(struct machine *machine, expr_id e, uint32_t n, const struct conversion *at)
{
    struct exprs *exprs = &machine->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind != X_OP || node.op != OP_CONVERT)
        return;
    uint32_t from = expr_at(exprs, expr_arg(exprs, e, 0))->type;
    if (!machine_convert_comes_back(machine, from, node.type))
        return;
    for (uint32_t k = 0; k < n; k++)
        if (at[k].from == machine->of[node.type] && at[k].to == machine->of[from])
            smt_assert(&machine->session->smt,
                       machine_convert_back(machine, at[k].from, at[k].x, at[k].r,
                                            machine_term(machine, expr_arg(exprs, e, 0)),
                                            machine_term(machine, e)));
}

void machine_convert_facts(struct machine *machine, const struct u32_vec *all)
{
    struct exprs *exprs = &machine->session->exprs;
    struct conversion at[VERIFY_CONVERT_FACT_TERMS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < all->len && n < VERIFY_CONVERT_FACT_TERMS; i++) {
        const struct expr node = *expr_at(exprs, all->at[i]);
        if (node.kind != X_OP || node.op != OP_CONVERT)
            continue;
        expr_id e = expr_arg(exprs, all->at[i], 0);
        struct conversion new = {.from = machine->of[expr_at(exprs, e)->type],
                                 .to = machine->of[node.type]};
        if (new.from == new.to || !machine_convert_keeps_order(new.from, new.to))
            continue;
        new.x = machine_term(machine, e);
        new.r = machine_term(machine, all->at[i]);
        smt_assert(&machine->session->smt,
                   machine_convert_fact(machine, new.from, new.to, new.x, new.r));
        for (uint32_t k = 0; k < n; k++)
            if (at[k].from == new.from && at[k].to == new.to)
                smt_assert(&machine->session->smt,
                           machine_convert_order(machine, new.from, new.to,
                                                 (Z3_ast[]){at[k].x, new.x},
                                                 (Z3_ast[]){at[k].r, new.r}));
        at[n++] = new;
    }
    for (uint32_t i = 0; i < all->len; i++)
        tell_back(machine, all->at[i], n, at);
}
