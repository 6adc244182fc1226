// SPDX-License-Identifier: Apache-2.0
// From an element to its terms: products are distributed over sums, nested sums are merged,
// choices become guards, and every other element is a read.
#include "verify/sums/parts.h"
#include "verify/integers/translate.h"
#include "verify/limits.h"

static bool convert(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out);

bool coeff_push(struct coeff *sums, struct csum *out, const struct cterm *term)
{
    if (term->c == 0)
        return true;
    if (out->at.len >= VERIFY_SUM_TERMS)
        return coeff_fail(sums, "too many terms");
    vec_push(&out->at, *term);
    return true;
}

static bool append(struct coeff *sums, struct csum *out, const struct csum *sum)
{
    for (uint32_t i = 0; i < sum->at.len; i++)
        if (!coeff_push(sums, out, &sum->at.at[i]))
            return false;
    return true;
}

static bool push_constant(struct coeff *sums, struct csum *out, int64_t c)
{
    struct cterm term = {.c = c, .divisor = 1};
    return coeff_push(sums, out, &term);
}

bool coeff_guard(struct coeff *sums, struct cterm *term, expr_id cond)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, cond);
    uint32_t family = NONE;
    if (node.kind == X_TRUE)
        return true;
    if (node.kind == X_AND) {
        for (uint32_t i = 0; i < node.n; i++)
            if (!coeff_guard(sums, term, expr_arg(exprs, cond, i)))
                return false;
        return true;
    }
    // A constant false does not show the axes from which it comes (T4).
    if (!coeff_family(sums, cond, &family))
        return false;
    if (family == NONE)
        return coeff_fail(sums, "a condition that is never true");
    for (uint32_t i = 0; i < term->n_guards; i++)
        if (term->guard[i].e == cond)
            return true;
    if (term->n_guards == VERIFY_SUM_GUARDS)
        return coeff_fail(sums, "too many conditions");
    term->guard[term->n_guards++] = (struct cguard){cond, family};
    return true;
}

// Is the read a condition that the term has already?  The square of a condition is the
// condition.
static bool holds_already(const struct exprs *exprs, const struct cterm *term,
                          const struct cread *read_of)
{
    bool found = false;
    if (expr_sort(exprs, read_of->head) != SORT_TRUTH)
        return false;
    for (uint32_t i = 0; i < term->n_reads && !found; i++) {
        const struct cread *u = &term->read[i];
        found = u->head == read_of->head && u->n == read_of->n;
        for (uint32_t j = 0; j < read_of->n && found; j++)
            found = u->arg[j] == read_of->arg[j] && u->family[j] == read_of->family[j];
    }
    return found;
}

static bool multiply_terms(struct coeff *sums, const struct cterm *a, const struct cterm *b,
                           struct cterm *out)
{
    *out = *a;
    if (__builtin_mul_overflow(a->c, b->c, &out->c) ||
        __builtin_mul_overflow(a->divisor, b->divisor, &out->divisor))
        return coeff_fail(sums, "constants too large");
    if (a->n_binders + b->n_binders > VERIFY_SUM_BINDERS ||
        a->n_guards + b->n_guards > VERIFY_SUM_GUARDS ||
        a->n_reads + b->n_reads > VERIFY_SUM_READS || a->n_counts + b->n_counts > VERIFY_SUM_COUNTS)
        return coeff_fail(sums, "a product is too large");
    for (uint32_t i = 0; i < b->n_binders; i++)
        out->binder[out->n_binders++] = b->binder[i];
    for (uint32_t i = 0; i < b->n_guards; i++)
        out->guard[out->n_guards++] = b->guard[i];
    for (uint32_t i = 0; i < b->n_counts; i++)
        out->count[out->n_counts++] = b->count[i];
    for (uint32_t i = 0; i < b->n_reads; i++)
        if (!holds_already(&sums->session->exprs, out, &b->read[i]))
            out->read[out->n_reads++] = b->read[i];
    return true;
}

static bool product(struct coeff *sums, const struct algebra *alg, expr_id a, expr_id b,
                    struct csum *out)
{
    struct csum sum = {{0}}, v = {{0}};
    bool ok = convert(sums, alg, a, &sum) && convert(sums, alg, b, &v);
    for (uint32_t i = 0; ok && i < sum.at.len; i++)
        for (uint32_t j = 0; ok && j < v.at.len; j++) {
            struct cterm term;
            ok = multiply_terms(sums, &sum.at.at[i], &v.at.at[j], &term) &&
                 coeff_push(sums, out, &term);
        }
    vec_release(&sum.at);
    vec_release(&v.at);
    return ok;
}

static bool negate_from(struct coeff *sums, struct csum *out, uint32_t from)
{
    for (uint32_t i = from; i < out->at.len; i++)
        if (__builtin_sub_overflow(0, out->at.at[i].c, &out->at.at[i].c))
            return coeff_fail(sums, "constants too large");
    return true;
}

// Multiplies the terms with [cond]: a guard, or a read if cond is about elements.
static bool guard_from(struct coeff *sums, struct csum *out, uint32_t from, expr_id cond)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, cond);
    bool elements = coeff_has_elements(sums, cond);
    struct cread read_of;
    if (elements && node.kind == X_AND) {
        for (uint32_t i = 0; i < node.n; i++)
            if (!guard_from(sums, out, from, expr_arg(exprs, cond, i)))
                return false;
        return true;
    }
    if (elements && from < out->at.len && !coeff_condition(sums, cond, &read_of))
        return false;
    for (uint32_t i = from; i < out->at.len; i++) {
        struct cterm *term = &out->at.at[i];
        if (!elements && !coeff_guard(sums, term, cond))
            return false;
        if (!elements || holds_already(exprs, term, &read_of))
            continue;
        if (term->n_reads == VERIFY_SUM_READS)
            return coeff_fail(sums, "a product is too large");
        term->read[term->n_reads++] = read_of;
    }
    return true;
}

// One comparison on one single axis can be negated: [not c] is a guard.
static bool is_plain(struct coeff *sums, expr_id c)
{
    enum expr_kind kind = (enum expr_kind)expr_at(&sums->session->exprs, c)->kind;
    uint32_t family = NONE;
    if (kind == X_NOT)
        kind = (enum expr_kind)expr_at(&sums->session->exprs, expr_arg(&sums->session->exprs, c, 0))
                   ->kind;
    return kind == X_LE && !coeff_has_elements(sums, c) && coeff_family(sums, c, &family) &&
           family != NONE && coeff_is_single(sums, family);
}

// The second branch, under "not c".  If repetitions do not matter, [not (u and v)] s is [not
// u] s or [not v] s.
static bool otherwise(struct coeff *sums, expr_id c, const struct csum *sum, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, c);
    bool conjunction = node.kind == X_AND;
    uint32_t parts = conjunction ? node.n : 1;
    for (uint32_t i = 0; i < parts; i++) {
        expr_id u = conjunction ? expr_arg(exprs, c, i) : c;
        uint32_t from = out->at.len, family = NONE;
        bool elements = coeff_has_elements(sums, u);
        if (!elements && !coeff_family(sums, u, &family))
            return false;
        if (!elements && (family == NONE || !coeff_is_single(sums, family)))
            return coeff_fail(sums, "a negated condition on many axes");
        if (!append(sums, out, sum) ||
            !guard_from(sums, out, from, canon(&sums->session->polys, expr_not(exprs, u))))
            return false;
    }
    return true;
}

// c ? a : b  is  [c] a + [not c] b, or  [c] (a - b) + b.
static bool pick(struct coeff *sums, const struct algebra *alg, expr_id c, expr_id a, expr_id b,
                 struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    uint32_t from = out->at.len;
    c = canon(&sums->session->polys, c);
    if (expr_at(exprs, c)->kind == X_TRUE)
        return convert(sums, alg, a, out);
    if (!convert(sums, alg, a, out) || !guard_from(sums, out, from, c))
        return false;
    struct csum second = {{0}};
    bool ok = convert(sums, alg, b, &second);
    if (ok && second.at.len > 0 && (is_plain(sums, c) || alg->positive)) {
        ok = otherwise(sums, c, &second, out);
    } else if (ok) {
        from = out->at.len;
        ok = append(sums, out, &second) && negate_from(sums, out, from) &&
             guard_from(sums, out, from, c) && append(sums, out, &second);
    }
    vec_release(&second.at);
    return ok;
}

// select(P, a, b), where P is about elements.
static bool choose_by(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id p = expr_arg(exprs, e, 0), a = expr_arg(exprs, e, 1), b = expr_arg(exprs, e, 2);
    while (expr_at(exprs, p)->kind == X_OP && expr_at(exprs, p)->op == OP_NOT) {
        expr_id other = a;
        p = expr_arg(exprs, p, 0);
        a = b;
        b = other;
    }
    return pick(sums, alg, expr_holds(exprs, p), a, b, out);
}

// Gives the bound indices names of their own; their ranges become guards.
static bool reduce(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    struct u32_vec from = {0}, to = {0};
    uint32_t scopes = sums->scope.len, first = out->at.len;
    for (uint32_t i = 1; i + 1 < node.n; i += 2) {
        expr_id v = expr_arg(exprs, e, i), size = expr_arg(exprs, e, i + 1);
        uint32_t part = exprs->var.at[expr_at(exprs, v)->sym].part;
        struct scope sc = {.var = expr_fresh(exprs, part), .family = part};
        sc.low = canon(&sums->session->polys, expr_le(exprs, expr_int(exprs, 0), sc.var));
        sc.high = canon(&sums->session->polys, expr_lt(exprs, sc.var, size));
        vec_push(&from, v);
        vec_push(&to, sc.var);
        vec_push(&sums->scope, sc);
    }
    expr_id body = expr_subst(exprs, expr_arg(exprs, e, 0), from.len, from.at, to.at);
    bool ok = convert(sums, alg, body, out);
    for (uint32_t i = first; ok && i < out->at.len; i++) {
        struct cterm *term = &out->at.at[i];
        for (uint32_t j = scopes; ok && j < sums->scope.len; j++) {
            struct scope sc = sums->scope.at[j];
            uint32_t family;
            if (term->n_binders == VERIFY_SUM_BINDERS)
                ok = coeff_fail(sums, "too many bound indices");
            else if (!coeff_family(sums, sc.high, &family) || family != sc.family)
                ok = coeff_fail(sums, "an extent of several rank classes");
            else
                term->binder[term->n_binders++] = (struct cguard){sc.var, family};
            ok = ok && coeff_guard(sums, term, sc.low) && coeff_guard(sums, term, sc.high);
        }
    }
    sums->scope.len = scopes;
    vec_release(&from);
    vec_release(&to);
    return ok;
}

// ---- reads

// The first choice of e that is below no reduce and contains no other choice.
static expr_id find_pick(const struct exprs *exprs, expr_id e)
{
    const struct expr *node = expr_at(exprs, e);
    if (expr_sort(exprs, e) != SORT_ELEM || node->kind == X_REDUCE)
        return NO_EXPR;
    uint32_t from = node->kind == X_PICK ? 1 : 0;
    for (uint32_t i = from; i < node->n; i++) {
        expr_id f = find_pick(exprs, expr_arg(exprs, e, i));
        if (f != NO_EXPR)
            return f;
    }
    return node->kind == X_PICK ? e : NO_EXPR;
}

static bool laws_need_finite(const struct coeff *sums, const struct algebra *alg, uint32_t type)
{
    bool ideal = sums->domain == DOMAIN_INT || sums->domain == DOMAIN_REAL;
    bool arithmetic = alg->kind == ALG_RING || (alg->kind == ALG_MONOID && alg->op == OP_MULTIPLY);
    return ideal && arithmetic && !emit_type_is_bool(sums->session->rule, type);
}

static bool read(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    struct cterm term = {.c = 1, .divisor = 1, .n_reads = 1};
    expr_id p = find_pick(exprs, e);
    if (p != NO_EXPR) { // f(c ? a : b) is c ? f(a) : f(b)
        expr_id a = expr_arg(exprs, p, 1), b = expr_arg(exprs, p, 2);
        return pick(sums, alg, expr_arg(exprs, p, 0), expr_subst(exprs, e, 1, &p, &a),
                    expr_subst(exprs, e, 1, &p, &b), out);
    }
    if (laws_need_finite(sums, alg, expr_at(exprs, e)->type) &&
        element_may_be_infinite(sums->session, e))
        return coeff_fail(sums, "arithmetic on a possible infinity");
    return coeff_read(sums, e, &term.read[0]) && coeff_push(sums, out, &term);
}

// ---- conversions

static bool in_ring(const struct coeff *sums, uint32_t type)
{
    return sums->domain >= 0 && sums->domain != DOMAIN_BOOL && sums->domain != DOMAIN_FLOAT &&
           type_in_domain(sums->session->rule, type, (enum domain)sums->domain);
}

// The mathematical integers convert to themselves, and so do the reals.
static bool conversion(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    expr_id a = expr_arg(exprs, e, 0);
    uint32_t from = expr_at(exprs, a)->type, to = expr_at(exprs, e)->type;
    if (!in_ring(sums, from) || !in_ring(sums, to))
        return read(sums, alg, e, out);
    if (sums->domain != DOMAIN_WORD)
        return convert(sums, alg, a, out);
    expr_id c = coeff_is_wider(sums->session->rule, from, to) ? coeff_cut(sums, a, to) : NO_EXPR;
    return c == NO_EXPR ? read(sums, alg, e, out) : convert(sums, alg, c, out);
}

// ---- the three algebras

static bool ring(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    uint32_t from;
    if (node.kind == X_LITERAL && node.op == LIT_INT)
        return push_constant(sums, out, node.k);
    if (node.kind == X_REDUCE && node.op == OP_ADD)
        return reduce(sums, alg, e, out);
    if (node.kind == X_INJECT)
        return coeff_index(sums, expr_arg(exprs, e, 0), out);
    if (node.kind != X_OP)
        return read(sums, alg, e, out);
    switch ((enum op)node.op) {
    case OP_ADD:
        return convert(sums, alg, expr_arg(exprs, e, 0), out) &&
               convert(sums, alg, expr_arg(exprs, e, 1), out);
    case OP_SUBTRACT:
        if (!convert(sums, alg, expr_arg(exprs, e, 0), out))
            return false;
        from = out->at.len;
        return convert(sums, alg, expr_arg(exprs, e, 1), out) && negate_from(sums, out, from);
    case OP_NEGATE:
        from = out->at.len;
        return convert(sums, alg, expr_arg(exprs, e, 0), out) && negate_from(sums, out, from);
    case OP_MULTIPLY:
        return product(sums, alg, expr_arg(exprs, e, 0), expr_arg(exprs, e, 1), out);
    case OP_CONVERT:
        return conversion(sums, alg, e, out);
    case OP_ABS:
    case OP_SIGN:
    case OP_DIVIDE:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_REMAINDER:
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_SELECT:
    case OP_CLAMP:
        LEAF_CASES
        FLOAT_UNARY_CASES
        BITS_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return read(sums, alg, e, out);
}

static bool is_join(uint16_t op)
{
    return op == OP_ADD || op == OP_OR || op == OP_MAXIMUM;
}

static bool is_meet(uint16_t op)
{
    return op == OP_MULTIPLY || op == OP_AND || op == OP_MINIMUM;
}

// 0 or 1 if e is that truth value; else -1.
static int truth_literal(const struct expr *node)
{
    if (node->kind != X_LITERAL)
        return -1;
    switch (node->op) {
    case LIT_LOWEST:
        return 0;
    case LIT_HIGHEST:
        return 1;
    case LIT_BOOL:
    case LIT_INT:
        return node->k == 0 ? 0 : node->k == 1 || node->k == -1 ? 1 : -1;
    default:
        return -1;
    }
}

static bool boolean(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    int literal = truth_literal(&node);
    if (literal >= 0)
        return push_constant(sums, out, literal);
    if (node.kind == X_REDUCE && is_join(node.op))
        return reduce(sums, alg, e, out);
    if (node.kind == X_OP && node.n == 2 && is_join(node.op))
        return convert(sums, alg, expr_arg(exprs, e, 0), out) &&
               convert(sums, alg, expr_arg(exprs, e, 1), out);
    if (node.kind == X_OP && node.n == 2 && is_meet(node.op))
        return product(sums, alg, expr_arg(exprs, e, 0), expr_arg(exprs, e, 1), out);
    expr_id moved;
    if (node.kind == X_OP && node.op == OP_NOT &&
        (coeff_order(sums, OP_OR, e, &moved) || coeff_order(sums, OP_MAXIMUM, e, &moved)))
        return convert(sums, alg, moved, out);
    return read(sums, alg, e, out);
}

static bool is_unit(const struct algebra *alg, const struct expr *node)
{
    if (node->kind != X_LITERAL)
        return false;
    if (alg->op == N_OPS)
        return node->op == LIT_UNIT && node->sym == alg->opvar;
    switch (op_facts((enum op)alg->op)->unit) {
    case UNIT_ZERO: // sums of floats have none: -0 + 0 is not -0
        return alg->op != OP_ADD && (node->op == LIT_INT || node->op == LIT_BOOL) && node->k == 0;
    case UNIT_ONE:
        return node->op == LIT_INT && node->k == 1;
    case UNIT_ONES:
        return (node->op == LIT_INT && node->k == -1) || (node->op == LIT_BOOL && node->k == 1);
    case UNIT_LOWEST:
        return node->op == LIT_LOWEST;
    case UNIT_HIGHEST:
        return node->op == LIT_HIGHEST;
    case UNIT_NONE:
    case UNIT_RIGHT_ZERO:
    case UNIT_RIGHT_ONE:
        return false;
    }
    return false;
}

static bool monoid(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (alg->none)
        return read(sums, alg, e, out);
    if (is_unit(alg, &node))
        return true;
    bool variable = alg->op == N_OPS;
    if (node.kind == X_REDUCE && node.op == alg->op && (!variable || node.sym == alg->opvar))
        return reduce(sums, alg, e, out);
    if (variable ? node.kind == X_OPVAR && node.sym == alg->opvar
                 : node.kind == X_OP && node.op == alg->op)
        return convert(sums, alg, expr_arg(exprs, e, 0), out) &&
               convert(sums, alg, expr_arg(exprs, e, 1), out);
    expr_id moved;
    if (coeff_order(sums, alg->op, e, &moved))
        return convert(sums, alg, moved, out);
    return read(sums, alg, e, out);
}

static bool convert(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (smt_spent(&sums->session->smt))
        return coeff_fail(sums, sums->session->smt.spent);
    expr_id c;
    if (node.kind == X_OP && node.op == OP_SELECT &&
        coeff_index_condition(sums, expr_arg(exprs, e, 0), &c))
        return pick(sums, alg, c, expr_arg(exprs, e, 1), expr_arg(exprs, e, 2), out);
    if (node.kind == X_OP && node.op == OP_SELECT && !alg->none)
        return choose_by(sums, alg, e, out);
    if (node.kind == X_PICK)
        return pick(sums, alg, expr_arg(exprs, e, 0), expr_arg(exprs, e, 1), expr_arg(exprs, e, 2),
                    out);
    switch (alg->kind) {
    case ALG_RING:
        return ring(sums, alg, e, out);
    case ALG_BOOLEAN:
        return boolean(sums, alg, e, out);
    case ALG_MONOID:
        break;
    }
    return monoid(sums, alg, e, out);
}

bool coeff_terms(struct coeff *sums, const struct algebra *alg, expr_id e, struct csum *out)
{
    return convert(sums, alg, e, out);
}
