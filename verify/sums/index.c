// SPDX-License-Identifier: Apache-2.0
// Indices as elements: factors, and predicates that compare them.
#include "verify/sums/parts.h"
#include "verify/symbolic/eval.h"

// Is a polynomial in at most three variables a multiple of m at every integer?
// It is if it is at all remainders by m.
static bool always_divides(struct coeff *k, int64_t m, expr_id e)
{
    const struct exprs *x = &k->s->x;
    struct u32_vec reach = {0}, vars = {0};
    struct i64_vec value = {0};
    bool ok = m >= 2 && m <= 6;
    expr_reach(x, e, &reach);
    for (uint32_t i = 0; i < reach.len && ok; i++) {
        enum expr_kind kind = (enum expr_kind)expr_at(x, reach.at[i])->kind;
        ok = kind == X_INT || kind == X_VAR || kind == X_ADD || kind == X_MUL;
        if (kind == X_VAR)
            vec_push(&vars, expr_at(x, reach.at[i])->sym);
    }
    for (uint32_t i = 0; i < x->var.len; i++)
        vec_push(&value, 0);
    ok = ok && vars.len <= 3;
    int64_t all = 1;
    for (uint32_t i = 0; ok && i < vars.len; i++)
        all *= m;
    for (int64_t r = 0; r < all && ok; r++) {
        int64_t rest = r, v = 0;
        for (uint32_t i = 0; i < vars.len; i++, rest /= m)
            value.at[vars.at[i]] = rest % m;
        struct eval_env env = {
            .x = x, .value = value.at, .n_values = value.len};
        ok = eval_int(&env, e, &v) && v % m == 0;
    }
    vec_release(&reach);
    vec_release(&vars);
    vec_release(&value);
    return ok;
}

// c * w / divisor, where w is a monomial: one factor for each rank class.
static bool index_term(struct coeff *k, int64_t c, int64_t divisor, uint32_t n,
                       const expr_id *w, struct csum *out)
{
    struct exprs *x = &k->s->x;
    struct cterm t = {.c = c, .divisor = divisor};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t family = NONE, j = 0;
        if (!coeff_family(k, w[i], &family))
            return false;
        if (family == NONE || !coeff_is_single(k, family))
            return coeff_fail(k, "an index of a class of many axes");
        while (j < t.n_counts && t.count[j].family != family)
            j++;
        if (j == MAX_COUNTS)
            return coeff_fail(k, "too many factors");
        if (j < t.n_counts)
            t.count[j].e = expr_mul(x, t.count[j].e, w[i]);
        else
            t.count[t.n_counts++] = (struct cguard){w[i], family};
    }
    return coeff_push(k, out, &t);
}

// An injected index is an integer factor.  Half of what is even, and the like,
// is taken apart.
bool coeff_index(struct coeff *k, expr_id e, struct csum *out)
{
    struct exprs *x = &k->s->x;
    struct polys *p = &k->s->p;
    struct poly all = poly_of(p, e);
    for (uint32_t i = 0; i < all.n; i++) {
        struct mono m = p->mono.at[all.t[i].mono];
        struct u32_vec atoms = {0};
        int64_t divisor = 1;
        for (uint32_t j = 0; j < m.n; j++)
            vec_push(&atoms, p->atoms.at[m.at + j]);
        const struct expr n =
            m.n == 1 ? *expr_at(x, atoms.at[0]) : (struct expr){.n = 0};
        if (n.kind == X_DIV && m.n == 1) {
            const struct expr d = *expr_at(x, expr_arg(x, atoms.at[0], 1));
            expr_id dividend = expr_arg(x, atoms.at[0], 0);
            if (d.kind == X_INT && always_divides(k, d.k, dividend)) {
                divisor = d.k;
                atoms.at[0] = dividend;
            }
        }
        bool ok = index_term(k, all.t[i].c, divisor, atoms.len, atoms.at, out);
        vec_release(&atoms);
        if (!ok)
            return false;
    }
    return true;
}

// A predicate that only compares indices.
bool coeff_index_condition(struct coeff *k, expr_id e, expr_id *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id a, b;
    if (n.kind != X_OP)
        return false;
    if (n.op == OP_NOT && coeff_index_condition(k, expr_arg(x, e, 0), &a)) {
        *out = expr_not(x, a);
        return true;
    }
    if (n.op == OP_AND && coeff_index_condition(k, expr_arg(x, e, 0), &a) &&
        coeff_index_condition(k, expr_arg(x, e, 1), &b)) {
        *out = expr_and2(x, a, b);
        return true;
    }
    return index_comparison(k->s, k->domain, e, out);
}
