// SPDX-License-Identifier: Apache-2.0
// Indices as elements: factors, and predicates that compare them.
#include "verify/sums/parts.h"
#include "verify/symbolic/eval.h"
#include "verify/limits.h"

// Is a polynomial in at most three variables a multiple of m at every integer?  It is if it
// is at all remainders by m.
static bool always_divides(struct coeff *sums, int64_t m, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    struct u32_vec reach = {0}, vars = {0};
    struct i64_vec value = {0};
    bool ok = m >= 2 && m <= VERIFY_SUM_MODULUS;
    expr_reach(exprs, e, &reach);
    for (uint32_t i = 0; i < reach.len && ok; i++) {
        enum expr_kind kind = (enum expr_kind)expr_at(exprs, reach.at[i])->kind;
        ok = kind == X_INT || kind == X_VAR || kind == X_ADD || kind == X_MUL;
        if (kind == X_VAR)
            vec_push(&vars, expr_at(exprs, reach.at[i])->sym);
    }
    for (uint32_t i = 0; i < exprs->var.len; i++)
        vec_push(&value, 0);
    ok = ok && vars.len <= VERIFY_SUM_MODULUS_VARIABLES;
    int64_t all = 1;
    for (uint32_t i = 0; ok && i < vars.len; i++)
        all *= m;
    for (int64_t r = 0; r < all && ok; r++) {
        int64_t rest = r, v = 0;
        for (uint32_t i = 0; i < vars.len; i++, rest /= m)
            value.at[vars.at[i]] = rest % m;
        struct eval_env env = {.exprs = exprs, .value = value.at, .n_values = value.len};
        ok = eval_int(&env, e, &v) && v % m == 0;
    }
    vec_release(&reach);
    vec_release(&vars);
    vec_release(&value);
    return ok;
}

// c * w / divisor, where w is a monomial: one factor for each rank class.
static bool index_term(struct coeff *sums, int64_t c, int64_t divisor, uint32_t n, const expr_id *w,
                       struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    struct cterm term = {.c = c, .divisor = divisor};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t family = NONE, j = 0;
        if (!coeff_family(sums, w[i], &family))
            return false;
        if (family == NONE || !coeff_is_single(sums, family))
            return coeff_fail(sums, "an index of a class of many axes");
        while (j < term.n_counts && term.count[j].family != family)
            j++;
        if (j == VERIFY_SUM_COUNTS)
            return coeff_fail(sums, "too many factors");
        if (j < term.n_counts)
            term.count[j].e = expr_mul(exprs, term.count[j].e, w[i]);
        else
            term.count[term.n_counts++] = (struct cguard){w[i], family};
    }
    return coeff_push(sums, out, &term);
}

// An injected index is an integer factor.  Half of an even index, and similar quotients, are
// split into terms.
bool coeff_index(struct coeff *sums, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    struct polys *polys = &sums->session->polys;
    struct poly all = poly_of(polys, e);
    for (uint32_t i = 0; i < all.n; i++) {
        struct mono mono = polys->mono.at[all.term[i].mono];
        struct u32_vec atoms = {0};
        int64_t divisor = 1;
        for (uint32_t j = 0; j < mono.n; j++)
            vec_push(&atoms, polys->atoms.at[mono.at + j]);
        const struct expr node = mono.n == 1 ? *expr_at(exprs, atoms.at[0]) : (struct expr){.n = 0};
        if (node.kind == X_DIV && mono.n == 1) {
            const struct expr d = *expr_at(exprs, expr_arg(exprs, atoms.at[0], 1));
            expr_id dividend = expr_arg(exprs, atoms.at[0], 0);
            if (d.kind == X_INT && always_divides(sums, d.k, dividend)) {
                divisor = d.k;
                atoms.at[0] = dividend;
            }
        }
        bool ok = index_term(sums, all.term[i].c, divisor, atoms.len, atoms.at, out);
        vec_release(&atoms);
        if (!ok)
            return false;
    }
    return true;
}

// A predicate that only compares indices.
bool coeff_index_condition(struct coeff *sums, expr_id e, expr_id *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id a, b;
    if (node.kind != X_OP)
        return false;
    if (node.op == OP_NOT && coeff_index_condition(sums, expr_arg(exprs, e, 0), &a)) {
        *out = expr_not(exprs, a);
        return true;
    }
    if (node.op == OP_AND && coeff_index_condition(sums, expr_arg(exprs, e, 0), &a) &&
        coeff_index_condition(sums, expr_arg(exprs, e, 1), &b)) {
        *out = expr_and2(exprs, a, b);
        return true;
    }
    return index_comparison(sums->session, sums->domain, e, out);
}
