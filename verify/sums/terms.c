// SPDX-License-Identifier: Apache-2.0
// From an element to its terms: products are distributed over sums, nested
// sums merged, choices become guards, everything else is a read.
#include "verify/sums/parts.h"
#include "verify/integers/translate.h"

static bool convert(struct coeff *k, const struct algebra *alg, expr_id e,
                    struct csum *out);

bool coeff_push(struct coeff *k, struct csum *out, const struct cterm *t)
{
    if (t->c == 0)
        return true;
    if (out->at.len >= MAX_TERMS)
        return coeff_fail(k, "too many terms");
    vec_push(&out->at, *t);
    return true;
}

static bool append(struct coeff *k, struct csum *out, const struct csum *a)
{
    for (uint32_t i = 0; i < a->at.len; i++)
        if (!coeff_push(k, out, &a->at.at[i]))
            return false;
    return true;
}

static bool push_constant(struct coeff *k, struct csum *out, int64_t c)
{
    struct cterm t = {.c = c, .divisor = 1};
    return coeff_push(k, out, &t);
}

bool coeff_guard(struct coeff *k, struct cterm *t, expr_id cond)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, cond);
    uint32_t family = NONE;
    if (n.kind == X_TRUE)
        return true;
    if (n.kind == X_AND) {
        for (uint32_t i = 0; i < n.n; i++)
            if (!coeff_guard(k, t, expr_arg(x, cond, i)))
                return false;
        return true;
    }
    // A constant false says nothing of the axes that it stems from (T4).
    if (!coeff_family(k, cond, &family))
        return false;
    if (family == NONE)
        return coeff_fail(k, "a condition that is never true");
    for (uint32_t i = 0; i < t->n_guards; i++)
        if (t->guard[i].e == cond)
            return true;
    if (t->n_guards == MAX_GUARDS)
        return coeff_fail(k, "too many conditions");
    t->guard[t->n_guards++] = (struct cguard){cond, family};
    return true;
}

// Is the read a condition that the term has already?  Its square is itself.
static bool holds_already(const struct exprs *x, const struct cterm *t,
                          const struct cread *r)
{
    bool found = false;
    if (expr_sort(x, r->head) != SORT_TRUTH)
        return false;
    for (uint32_t i = 0; i < t->n_reads && !found; i++) {
        const struct cread *u = &t->read[i];
        found = u->head == r->head && u->n == r->n;
        for (uint32_t j = 0; j < r->n && found; j++)
            found = u->arg[j] == r->arg[j] && u->family[j] == r->family[j];
    }
    return found;
}

static bool multiply_terms(struct coeff *k, const struct cterm *a,
                           const struct cterm *b, struct cterm *out)
{
    *out = *a;
    if (__builtin_mul_overflow(a->c, b->c, &out->c) ||
        __builtin_mul_overflow(a->divisor, b->divisor, &out->divisor))
        return coeff_fail(k, "constants too large");
    if (a->n_binders + b->n_binders > MAX_BINDERS ||
        a->n_guards + b->n_guards > MAX_GUARDS ||
        a->n_reads + b->n_reads > MAX_READS ||
        a->n_counts + b->n_counts > MAX_COUNTS)
        return coeff_fail(k, "a product is too large");
    for (uint32_t i = 0; i < b->n_binders; i++)
        out->binder[out->n_binders++] = b->binder[i];
    for (uint32_t i = 0; i < b->n_guards; i++)
        out->guard[out->n_guards++] = b->guard[i];
    for (uint32_t i = 0; i < b->n_counts; i++)
        out->count[out->n_counts++] = b->count[i];
    for (uint32_t i = 0; i < b->n_reads; i++)
        if (!holds_already(&k->s->x, out, &b->read[i]))
            out->read[out->n_reads++] = b->read[i];
    return true;
}

static bool product(struct coeff *k, const struct algebra *alg, expr_id a,
                    expr_id b, struct csum *out)
{
    struct csum u = {{0}}, v = {{0}};
    bool ok = convert(k, alg, a, &u) && convert(k, alg, b, &v);
    for (uint32_t i = 0; ok && i < u.at.len; i++)
        for (uint32_t j = 0; ok && j < v.at.len; j++) {
            struct cterm t;
            ok = multiply_terms(k, &u.at.at[i], &v.at.at[j], &t) &&
                 coeff_push(k, out, &t);
        }
    vec_release(&u.at);
    vec_release(&v.at);
    return ok;
}

static bool negate_from(struct coeff *k, struct csum *out, uint32_t from)
{
    for (uint32_t i = from; i < out->at.len; i++)
        if (__builtin_sub_overflow(0, out->at.at[i].c, &out->at.at[i].c))
            return coeff_fail(k, "constants too large");
    return true;
}

// [cond] times the terms: a guard, or where it is about elements a read.
static bool guard_from(struct coeff *k, struct csum *out, uint32_t from,
                       expr_id cond)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, cond);
    bool elements = coeff_has_elements(k, cond);
    struct cread r;
    if (elements && n.kind == X_AND) {
        for (uint32_t i = 0; i < n.n; i++)
            if (!guard_from(k, out, from, expr_arg(x, cond, i)))
                return false;
        return true;
    }
    if (elements && from < out->at.len && !coeff_condition(k, cond, &r))
        return false;
    for (uint32_t i = from; i < out->at.len; i++) {
        struct cterm *t = &out->at.at[i];
        if (!elements && !coeff_guard(k, t, cond))
            return false;
        if (!elements || holds_already(x, t, &r))
            continue;
        if (t->n_reads == MAX_READS)
            return coeff_fail(k, "a product is too large");
        t->read[t->n_reads++] = r;
    }
    return true;
}

// One comparison of one single axis may be negated: [not c] is a guard.
static bool is_plain(struct coeff *k, expr_id c)
{
    enum expr_kind kind = (enum expr_kind)expr_at(&k->s->x, c)->kind;
    uint32_t family = NONE;
    if (kind == X_NOT)
        kind =
            (enum expr_kind)expr_at(&k->s->x, expr_arg(&k->s->x, c, 0))->kind;
    return kind == X_LE && !coeff_has_elements(k, c) &&
           coeff_family(k, c, &family) && family != NONE &&
           coeff_is_single(k, family);
}

// The second branch under "not c".  [not (u and v)]b is [not u]b or [not v]b
// where repetitions do not matter.
static bool otherwise(struct coeff *k, expr_id c, const struct csum *b,
                      struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, c);
    bool conjunction = n.kind == X_AND;
    uint32_t parts = conjunction ? n.n : 1;
    for (uint32_t i = 0; i < parts; i++) {
        expr_id u = conjunction ? expr_arg(x, c, i) : c;
        uint32_t from = out->at.len, family = NONE;
        bool elements = coeff_has_elements(k, u);
        if (!elements && !coeff_family(k, u, &family))
            return false;
        if (!elements && (family == NONE || !coeff_is_single(k, family)))
            return coeff_fail(k, "a negated condition on many axes");
        if (!append(k, out, b) ||
            !guard_from(k, out, from, canon(&k->s->p, expr_not(x, u))))
            return false;
    }
    return true;
}

// c ? a : b  is  [c] a + [not c] b, or  [c] (a - b) + b.
static bool pick(struct coeff *k, const struct algebra *alg, expr_id c,
                 expr_id a, expr_id b, struct csum *out)
{
    struct exprs *x = &k->s->x;
    uint32_t from = out->at.len;
    c = canon(&k->s->p, c);
    if (expr_at(x, c)->kind == X_TRUE)
        return convert(k, alg, a, out);
    if (!convert(k, alg, a, out) || !guard_from(k, out, from, c))
        return false;
    struct csum second = {{0}};
    bool ok = convert(k, alg, b, &second);
    if (ok && second.at.len > 0 && (is_plain(k, c) || alg->positive)) {
        ok = otherwise(k, c, &second, out);
    } else if (ok) {
        from = out->at.len;
        ok = append(k, out, &second) && negate_from(k, out, from) &&
             guard_from(k, out, from, c) && append(k, out, &second);
    }
    vec_release(&second.at);
    return ok;
}

// select(P, a, b), P being about elements.
static bool choose_by(struct coeff *k, const struct algebra *alg, expr_id e,
                      struct csum *out)
{
    struct exprs *x = &k->s->x;
    expr_id p = expr_arg(x, e, 0), a = expr_arg(x, e, 1), b = expr_arg(x, e, 2);
    while (expr_at(x, p)->kind == X_OP && expr_at(x, p)->op == OP_NOT) {
        expr_id other = a;
        p = expr_arg(x, p, 0);
        a = b;
        b = other;
    }
    return pick(k, alg, expr_holds(x, p), a, b, out);
}

// Bound indices get names of their own; their ranges become guards.
static bool reduce(struct coeff *k, const struct algebra *alg, expr_id e,
                   struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    struct u32_vec from = {0}, to = {0};
    uint32_t scopes = k->scope.len, first = out->at.len;
    for (uint32_t i = 1; i + 1 < n.n; i += 2) {
        expr_id v = expr_arg(x, e, i), size = expr_arg(x, e, i + 1);
        uint32_t part = x->var.at[expr_at(x, v)->sym].part;
        struct scope sc = {.var = expr_fresh(x, part), .family = part};
        sc.low = canon(&k->s->p, expr_le(x, expr_int(x, 0), sc.var));
        sc.high = canon(&k->s->p, expr_lt(x, sc.var, size));
        vec_push(&from, v);
        vec_push(&to, sc.var);
        vec_push(&k->scope, sc);
    }
    expr_id body = expr_subst(x, expr_arg(x, e, 0), from.len, from.at, to.at);
    bool ok = convert(k, alg, body, out);
    for (uint32_t i = first; ok && i < out->at.len; i++) {
        struct cterm *t = &out->at.at[i];
        for (uint32_t j = scopes; ok && j < k->scope.len; j++) {
            struct scope sc = k->scope.at[j];
            uint32_t family;
            if (t->n_binders == MAX_BINDERS)
                ok = coeff_fail(k, "too many bound indices");
            else if (!coeff_family(k, sc.high, &family) || family != sc.family)
                ok = coeff_fail(k, "an extent of several rank classes");
            else
                t->binder[t->n_binders++] = (struct cguard){sc.var, family};
            ok = ok && coeff_guard(k, t, sc.low) && coeff_guard(k, t, sc.high);
        }
    }
    k->scope.len = scopes;
    vec_release(&from);
    vec_release(&to);
    return ok;
}

// ---- reads

// The first choice of e that stands below no reduce and has none below it.
static expr_id find_pick(const struct exprs *x, expr_id e)
{
    const struct expr *n = expr_at(x, e);
    if (expr_sort(x, e) != SORT_ELEM || n->kind == X_REDUCE)
        return NO_EXPR;
    uint32_t from = n->kind == X_PICK ? 1 : 0;
    for (uint32_t i = from; i < n->n; i++) {
        expr_id f = find_pick(x, expr_arg(x, e, i));
        if (f != NO_EXPR)
            return f;
    }
    return n->kind == X_PICK ? e : NO_EXPR;
}

static bool laws_need_finite(const struct coeff *k, const struct algebra *alg,
                             uint32_t type)
{
    bool ideal = k->domain == DOMAIN_INT || k->domain == DOMAIN_REAL;
    bool arithmetic = alg->kind == ALG_RING ||
                      (alg->kind == ALG_MONOID && alg->op == OP_MULTIPLY);
    return ideal && arithmetic && !emit_type_is_bool(k->s->r, type);
}

static bool read(struct coeff *k, const struct algebra *alg, expr_id e,
                 struct csum *out)
{
    struct exprs *x = &k->s->x;
    struct cterm t = {.c = 1, .divisor = 1, .n_reads = 1};
    expr_id p = find_pick(x, e);
    if (p != NO_EXPR) { // f(c ? a : b) is c ? f(a) : f(b)
        expr_id a = expr_arg(x, p, 1), b = expr_arg(x, p, 2);
        return pick(k, alg, expr_arg(x, p, 0), expr_subst(x, e, 1, &p, &a),
                    expr_subst(x, e, 1, &p, &b), out);
    }
    if (laws_need_finite(k, alg, expr_at(x, e)->type) &&
        element_may_be_infinite(k->s, e))
        return coeff_fail(k, "arithmetic on what may be an infinity");
    return coeff_read(k, e, &t.read[0]) && coeff_push(k, out, &t);
}

// ---- conversions

static bool in_ring(const struct coeff *k, uint32_t type)
{
    return k->domain >= 0 && k->domain != DOMAIN_BOOL &&
           k->domain != DOMAIN_FLOAT &&
           type_in_domain(k->s->r, type, (enum domain)k->domain);
}

// The mathematical integers convert to themselves, and so do the reals.
static bool conversion(struct coeff *k, const struct algebra *alg, expr_id e,
                       struct csum *out)
{
    struct exprs *x = &k->s->x;
    expr_id a = expr_arg(x, e, 0);
    uint32_t from = expr_at(x, a)->type, to = expr_at(x, e)->type;
    if (!in_ring(k, from) || !in_ring(k, to))
        return read(k, alg, e, out);
    if (k->domain != DOMAIN_WORD)
        return convert(k, alg, a, out);
    expr_id c =
        coeff_is_wider(k->s->r, from, to) ? coeff_cut(k, a, to) : NO_EXPR;
    return c == NO_EXPR ? read(k, alg, e, out) : convert(k, alg, c, out);
}

// ---- the three algebras

static bool ring(struct coeff *k, const struct algebra *alg, expr_id e,
                 struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    uint32_t from;
    if (n.kind == X_LITERAL && n.op == LIT_INT)
        return push_constant(k, out, n.k);
    if (n.kind == X_REDUCE && n.op == OP_ADD)
        return reduce(k, alg, e, out);
    if (n.kind == X_INJECT)
        return coeff_index(k, expr_arg(x, e, 0), out);
    if (n.kind != X_OP)
        return read(k, alg, e, out);
    switch ((enum op)n.op) {
    case OP_ADD:
        return convert(k, alg, expr_arg(x, e, 0), out) &&
               convert(k, alg, expr_arg(x, e, 1), out);
    case OP_SUBTRACT:
        if (!convert(k, alg, expr_arg(x, e, 0), out))
            return false;
        from = out->at.len;
        return convert(k, alg, expr_arg(x, e, 1), out) &&
               negate_from(k, out, from);
    case OP_NEGATE:
        from = out->at.len;
        return convert(k, alg, expr_arg(x, e, 0), out) &&
               negate_from(k, out, from);
    case OP_MULTIPLY:
        return product(k, alg, expr_arg(x, e, 0), expr_arg(x, e, 1), out);
    case OP_CONVERT:
        return conversion(k, alg, e, out);
    default:
        return read(k, alg, e, out);
    }
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
static int truth_literal(const struct expr *n)
{
    if (n->kind != X_LITERAL)
        return -1;
    switch (n->op) {
    case LIT_LOWEST:
        return 0;
    case LIT_HIGHEST:
        return 1;
    case LIT_BOOL:
    case LIT_INT:
        return n->k == 0 ? 0 : n->k == 1 || n->k == -1 ? 1 : -1;
    default:
        return -1;
    }
}

static bool boolean(struct coeff *k, const struct algebra *alg, expr_id e,
                    struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    int literal = truth_literal(&n);
    if (literal >= 0)
        return push_constant(k, out, literal);
    if (n.kind == X_REDUCE && is_join(n.op))
        return reduce(k, alg, e, out);
    if (n.kind == X_OP && n.n == 2 && is_join(n.op))
        return convert(k, alg, expr_arg(x, e, 0), out) &&
               convert(k, alg, expr_arg(x, e, 1), out);
    if (n.kind == X_OP && n.n == 2 && is_meet(n.op))
        return product(k, alg, expr_arg(x, e, 0), expr_arg(x, e, 1), out);
    expr_id moved;
    if (n.kind == X_OP && n.op == OP_NOT &&
        (coeff_order(k, OP_OR, e, &moved) ||
         coeff_order(k, OP_MAXIMUM, e, &moved)))
        return convert(k, alg, moved, out);
    return read(k, alg, e, out);
}

static bool is_unit(const struct algebra *alg, const struct expr *n)
{
    if (n->kind != X_LITERAL)
        return false;
    switch ((int)alg->op) {
    case N_OPS:
        return n->op == LIT_UNIT && n->sym == alg->opvar;
    case OP_MULTIPLY:
        return n->op == LIT_INT && n->k == 1;
    case OP_MAXIMUM:
        return n->op == LIT_LOWEST;
    case OP_MINIMUM:
        return n->op == LIT_HIGHEST;
    case OP_AND:
        return (n->op == LIT_INT && n->k == -1) ||
               (n->op == LIT_BOOL && n->k == 1);
    case OP_OR:
        return (n->op == LIT_INT || n->op == LIT_BOOL) && n->k == 0;
    default:
        return false;
    }
}

static bool monoid(struct coeff *k, const struct algebra *alg, expr_id e,
                   struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (alg->none)
        return read(k, alg, e, out);
    if (is_unit(alg, &n))
        return true;
    bool variable = alg->op == N_OPS;
    if (n.kind == X_REDUCE && n.op == alg->op &&
        (!variable || n.sym == alg->opvar))
        return reduce(k, alg, e, out);
    if (variable ? n.kind == X_OPVAR && n.sym == alg->opvar
                 : n.kind == X_OP && n.op == alg->op)
        return convert(k, alg, expr_arg(x, e, 0), out) &&
               convert(k, alg, expr_arg(x, e, 1), out);
    expr_id moved;
    if (coeff_order(k, alg->op, e, &moved))
        return convert(k, alg, moved, out);
    return read(k, alg, e, out);
}

static bool convert(struct coeff *k, const struct algebra *alg, expr_id e,
                    struct csum *out)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (smt_out_of_time(&k->s->smt))
        return coeff_fail(k, "time");
    expr_id c;
    if (n.kind == X_OP && n.op == OP_SELECT &&
        coeff_index_condition(k, expr_arg(x, e, 0), &c))
        return pick(k, alg, c, expr_arg(x, e, 1), expr_arg(x, e, 2), out);
    if (n.kind == X_OP && n.op == OP_SELECT && !alg->none)
        return choose_by(k, alg, e, out);
    if (n.kind == X_PICK)
        return pick(k, alg, expr_arg(x, e, 0), expr_arg(x, e, 1),
                    expr_arg(x, e, 2), out);
    switch (alg->kind) {
    case ALG_RING:
        return ring(k, alg, e, out);
    case ALG_BOOLEAN:
        return boolean(k, alg, e, out);
    case ALG_MONOID:
        break;
    }
    return monoid(k, alg, e, out);
}

bool coeff_terms(struct coeff *k, const struct algebra *alg, expr_id e,
                 struct csum *out)
{
    return convert(k, alg, e, out);
}
