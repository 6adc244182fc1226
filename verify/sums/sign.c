// SPDX-License-Identifier: Apache-2.0
// Signs in int and real: which of less than, equal to and more than 0 an
// element can be, at every index at which the sides are compared, from its
// operators and the element conditions.  What follows from signs: which factors
// keep the order; over the reals comparisons, extrema, and that a divisor is
// not 0.
#include "verify/sums/parts.h"

static unsigned of_number(int64_t v)
{
    return v < 0 ? SIGN_NEGATIVE : v > 0 ? SIGN_POSITIVE : SIGN_ZERO;
}

static unsigned negated(unsigned s)
{
    return (s & SIGN_ZERO) | (s & SIGN_NEGATIVE ? SIGN_POSITIVE : 0) |
           (s & SIGN_POSITIVE ? SIGN_NEGATIVE : 0);
}

static bool is_number_literal(const struct expr *n)
{
    return n->kind == X_LITERAL && (n->op == LIT_INT || n->op == LIT_DECIMAL);
}

// ---- what is said of several

// All values that f(u, v) can have, u and v of these signs.
static unsigned combine(unsigned (*f)(unsigned, unsigned), unsigned a,
                        unsigned b)
{
    unsigned out = 0;
    for (unsigned s = 1; s <= SIGN_POSITIVE; s <<= 1)
        for (unsigned t = 1; t <= SIGN_POSITIVE; t <<= 1)
            if ((a & s) != 0 && (b & t) != 0)
                out |= f(s, t);
    return out;
}

static unsigned sum(unsigned s, unsigned t)
{
    if (s == SIGN_ZERO || s == t)
        return t;
    return t == SIGN_ZERO ? s : SIGN_ANY;
}

static unsigned times(unsigned s, unsigned t)
{
    if (s == SIGN_ZERO || t == SIGN_ZERO)
        return SIGN_ZERO;
    return s == t ? SIGN_POSITIVE : SIGN_NEGATIVE;
}

static unsigned greater(unsigned s, unsigned t)
{
    return s > t ? s : t;
}

static unsigned lesser(unsigned s, unsigned t)
{
    return s < t ? s : t;
}

// ---- element conditions

// Does the pattern have the tensor or scalar that is read?
static bool reads(const struct rule *r, uint32_t pat, const struct expr *n)
{
    const struct pat *p = &r->pats[pat];
    bool found = p->kind == (n->kind == X_ACCESS ? PAT_TENSOR : PAT_SCALAR) &&
                 p->var == n->sym;
    for (uint32_t i = 0; i < p->n_args && !found; i++)
        found = reads(r, p->args[i], n);
    return found;
}

// The signs of e left by the truth (or falsehood) of a predicate: comparisons
// of e with numbers, and what is made of them.
static unsigned left_by(const struct exprs *x, expr_id predicate, expr_id e,
                        bool truth)
{
    const struct expr p = *expr_at(x, predicate);
    if (p.kind != X_OP)
        return SIGN_ANY;
    expr_id a = expr_arg(x, predicate, 0);
    if (p.op == OP_NOT)
        return left_by(x, a, e, !truth);
    if (p.n != 2)
        return SIGN_ANY;
    expr_id b = expr_arg(x, predicate, 1);
    if (p.op == (truth ? OP_AND : OP_OR))
        return left_by(x, a, e, truth) & left_by(x, b, e, truth);
    if (p.op != OP_COMPARE)
        return SIGN_ANY;
    bool left = a == e;
    const struct expr n = *expr_at(x, left ? b : a);
    if ((!left && b != e) || !is_number_literal(&n))
        return SIGN_ANY;
    unsigned v = of_number(n.k), kept = 0;
    bool equal = p.sym == CMP_EQ;
    if (!equal && p.sym != CMP_LT && p.sym != CMP_LE)
        return SIGN_ANY;
    // A sign is dropped only if no number of it makes the predicate so.
    for (unsigned s = 1; s <= SIGN_POSITIVE; s <<= 1) {
        unsigned low = left ? s : v, high = left ? v : s;
        bool same = s == v && v == SIGN_ZERO, open = s == v && !same;
        bool holds = equal ? same : low < high || (same && p.sym == CMP_LE);
        if (open || holds == truth)
            kept |= s;
    }
    return kept;
}

// The condition at the place of this read, if that is in its range; else
// NO_EXPR.
static expr_id condition_at(struct coeff *k, uint32_t pat, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct rule *r = k->s->r;
    const struct expr n = *expr_at(x, e);
    const struct tensor_var *t = n.kind == X_ACCESS ? &r->tensors[n.sym] : NULL;
    uint32_t n_sizes = t == NULL ? 0 : t->n_sizes;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        bool found = !denote_has_class(&k->d, pat, c);
        for (uint32_t j = 0; j < n_sizes && !found; j++)
            found = t->sizes[j].cls == c;
        if (!found)
            return NO_EXPR;
    }
    struct clauses range = {{0}};
    expr_id *index = denote_new_index(&k->d);
    for (uint32_t j = 0; j < n_sizes; j++)
        index[t->sizes[j].cls * k->d.max_rank] = expr_arg(x, e, j);
    denote_in_range(&k->d, pat, index, &range);
    bool in_range = k->d.failure == NULL;
    for (uint32_t i = 0; i < range.at.len && in_range; i++) {
        const struct clause c = range.at.at[i];
        in_range = !c.each_axis && !coeff_has_elements(k, c.cond) &&
                   c.family < k->n_families &&
                   coeff_follows(k, c.family, NULL, c.cond);
    }
    expr_id p = in_range ? denote_element(&k->d, pat, index) : NO_EXPR;
    mem_free(index);
    vec_release(&range.at);
    return p;
}

static unsigned of_read(struct coeff *k, expr_id e)
{
    const struct rule *r = k->s->r;
    unsigned s = SIGN_ANY;
    for (uint32_t w = 0; w < r->n_wheres; w++) {
        const struct expr n = *expr_at(&k->s->x, e);
        if (r->wheres[w].cond != NULL || !reads(r, r->wheres[w].pat, &n))
            continue;
        expr_id p = condition_at(k, r->wheres[w].pat, e);
        if (p != NO_EXPR)
            s &= left_by(&k->s->x, p, e, true);
    }
    return s == 0 ? SIGN_ANY : s; // conditions that contradict each other
}

// ---- operators

bool coeff_is_finite(struct coeff *k, expr_id e)
{
    const struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_REDUCE && (n.op == OP_MAXIMUM || n.op == OP_MINIMUM))
        return coeff_has_terms(k, e) && coeff_is_finite(k, expr_arg(x, e, 0));
    if (n.kind != X_OP)
        return !element_may_be_infinite(k->s, e);
    for (uint32_t i = 0; i < n.n; i++)
        if (!coeff_is_finite(k, expr_arg(x, e, i)))
            return false;
    return true;
}

static unsigned square_of(unsigned s)
{
    return (s & SIGN_ZERO) |
           ((s & ~(unsigned)SIGN_ZERO) != 0 ? SIGN_POSITIVE : 0);
}

static bool at_least_zero(unsigned s)
{
    return (s & SIGN_NEGATIVE) == 0;
}

static unsigned of_operator(struct coeff *k, expr_id e, const struct expr *n)
{
    struct exprs *x = &k->s->x;
    unsigned a = 0, b = 0;
    if (k->domain != DOMAIN_REAL && (n->op == OP_DIVIDE || n->op == OP_POWER))
        return SIGN_ANY; // 1 / 2 is 0 in int
    if (n->op == OP_SELECT)
        return coeff_sign(k, expr_arg(x, e, 1)) |
               coeff_sign(k, expr_arg(x, e, 2));
    if (n->n > 0)
        a = coeff_sign(k, expr_arg(x, e, 0));
    if (n->n > 1)
        b = coeff_sign(k, expr_arg(x, e, 1));
    switch ((enum op)n->op) {
    case OP_EXPONENTIAL:
    case OP_LOGISTIC:
        return SIGN_POSITIVE;
    case OP_NEGATE:
        return negated(a);
    case OP_ABS:
        return square_of(a);
    case OP_ADD:
        return combine(sum, a, b);
    case OP_SUBTRACT:
        return combine(sum, a, negated(b));
    case OP_MULTIPLY:
        return expr_arg(x, e, 0) == expr_arg(x, e, 1) ? square_of(a)
                                                      : combine(times, a, b);
    case OP_DIVIDE:
        return (b & SIGN_ZERO) == 0 ? combine(times, a, b) : SIGN_ANY;
    case OP_MAXIMUM:
        return combine(greater, a, b);
    case OP_MINIMUM:
        return combine(lesser, a, b);
    case OP_SIGN:
    case OP_ERF:
    case OP_CBRT:
    case OP_TANH:
    case OP_EXPONENTIAL_MINUS_ONE:
        return a;
    case OP_SQRT:
    case OP_LOG_PLUS_ONE:
        return at_least_zero(a) ? a : SIGN_ANY;
    case OP_RSQRT:
    case OP_POWER: // of what is positive
        return a == SIGN_POSITIVE ? SIGN_POSITIVE : SIGN_ANY;
    default:
        return SIGN_ANY;
    }
}

static unsigned of_reduce(struct coeff *k, expr_id e, const struct expr *n)
{
    struct exprs *x = &k->s->x;
    uint32_t mark[64];
    coeff_enter(k, e, mark);
    unsigned s = coeff_sign(k, expr_arg(x, e, 0));
    coeff_leave(k, mark);
    switch ((int)n->op) {
    case OP_ADD:
        if (at_least_zero(s) || at_least_zero(negated(s)))
            return coeff_has_terms(k, e) ? s : s | SIGN_ZERO;
        return SIGN_ANY;
    case OP_MULTIPLY:
        if (at_least_zero(s))
            return s | SIGN_POSITIVE;
        return (s & SIGN_ZERO) == 0 ? SIGN_NEGATIVE | SIGN_POSITIVE : SIGN_ANY;
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return coeff_has_terms(k, e) ? s : SIGN_ANY;
    default:
        return SIGN_ANY;
    }
}

unsigned coeff_sign(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    const char *why = k->why;
    unsigned s = SIGN_ANY;
    if (!type_in_domain(k->s->r, n.type, DOMAIN_REAL) || !coeff_is_finite(k, e))
        return SIGN_ANY;
    switch ((enum expr_kind)n.kind) {
    case X_LITERAL:
        s = is_number_literal(&n) ? of_number(n.k) : SIGN_ANY;
        break;
    case X_ACCESS:
    case X_SCALAR:
        s = of_read(k, e);
        break;
    case X_PICK:
        s = coeff_sign(k, expr_arg(x, e, 1)) | coeff_sign(k, expr_arg(x, e, 2));
        break;
    case X_OP:
        s = of_operator(k, e, &n);
        break;
    case X_REDUCE:
        s = of_reduce(k, e, &n);
        break;
    default:
        break;
    }
    k->why = why; // a sign that is not known is no failure
    return s;
}

bool coeff_is_integer(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    uint32_t from = 0, to = n.n;
    if (n.kind == X_LITERAL)
        return n.op == LIT_INT;
    if (n.kind == X_INJECT)
        return !coeff_has_elements(k, expr_arg(x, e, 0));
    if (n.kind == X_REDUCE) { // the body
        if (n.op != OP_ADD && n.op != OP_MULTIPLY)
            return false;
        to = 1;
    } else if (n.kind == X_OP) {
        switch ((enum op)n.op) {
        case OP_FLOOR:
        case OP_CEIL:
        case OP_SIGN:
            return coeff_is_finite(k, e);
        case OP_ADD:
        case OP_SUBTRACT:
        case OP_MULTIPLY:
        case OP_NEGATE:
        case OP_ABS:
        case OP_MAXIMUM:
        case OP_MINIMUM:
            break;
        case OP_SELECT:
            from = 1;
            break;
        default:
            return false;
        }
    } else {
        return false;
    }
    for (uint32_t i = from; i < to; i++)
        if (!coeff_is_integer(k, expr_arg(x, e, i)))
            return false;
    return true;
}

// ---- what follows

// Is a the body of the extremum e at some index in range?
static bool is_term(struct coeff *k, expr_id e, expr_id body, expr_id a,
                    uint32_t n_vars, const expr_id *var, expr_id *val)
{
    struct exprs *x = &k->s->x;
    const struct expr m = *expr_at(x, body), n = *expr_at(x, a);
    for (uint32_t i = 0; i < n_vars; i++) {
        if (var[i] != body)
            continue;
        if (expr_sort(x, a) != SORT_INT)
            return false;
        if (val[i] == NO_EXPR)
            val[i] = a;
        return val[i] == a;
    }
    if (body == a) {
        for (uint32_t i = 0; i < n_vars; i++)
            if (expr_contains(x, a, var[i]))
                return false;
        return true;
    }
    if (m.kind == X_REDUCE || m.kind != n.kind || m.op != n.op ||
        m.sym != n.sym || m.k != n.k || m.type != n.type || m.n != n.n ||
        m.n == 0)
        return false;
    for (uint32_t i = 0; i < m.n; i++)
        if (!is_term(k, e, expr_arg(x, body, i), expr_arg(x, a, i), n_vars, var,
                     val))
            return false;
    return true;
}

bool coeff_is_term(struct coeff *k, expr_id e, expr_id a)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    const char *why = k->why;
    expr_id var[MAX_INDICES] = {0}, val[MAX_INDICES];
    uint32_t n_vars = (n.n - 1) / 2;
    if (n_vars > MAX_INDICES)
        return false;
    for (uint32_t i = 0; i < n_vars; i++) {
        var[i] = expr_arg(x, e, 2 * i + 1);
        val[i] = NO_EXPR;
    }
    bool yes = is_term(k, e, expr_arg(x, e, 0), a, n_vars, var, val);
    for (uint32_t i = 0; i < n_vars && yes; i++) {
        uint32_t part = x->var.at[expr_at(x, var[i])->sym].part;
        expr_id size = expr_arg(x, e, 2 * i + 2);
        yes = val[i] != NO_EXPR && part < k->n_families;
        expr_id both[2] = {NO_EXPR, NO_EXPR};
        if (yes) {
            both[0] = expr_le(x, expr_int(x, 0), val[i]);
            both[1] = expr_lt(x, val[i], size);
        }
        for (uint32_t j = 0; j < 2 && yes; j++) {
            uint32_t family = NONE;
            yes = !coeff_has_elements(k, both[j]) &&
                  coeff_family(k, both[j], &family) && family == part &&
                  coeff_follows(k, part, NULL, both[j]);
        }
    }
    k->why = why;
    return yes;
}

static bool is_extremum(const struct exprs *x, expr_id e, enum op op)
{
    const struct expr *n = expr_at(x, e);
    return n->kind == X_REDUCE && n->op == op;
}

int coeff_compare(struct coeff *k, expr_id e)
{
    struct exprs *x = &k->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id a = expr_arg(x, e, 0), b = expr_arg(x, e, 1);
    bool strict = n.sym == CMP_LT, equal = n.sym == CMP_EQ;
    if (!equal && !strict && n.sym != CMP_LE)
        return -1;
    if (n.sym == CMP_LE &&
        ((is_extremum(x, b, OP_MAXIMUM) && coeff_is_term(k, b, a)) ||
         (is_extremum(x, a, OP_MINIMUM) && coeff_is_term(k, a, b))))
        return 1;
    unsigned p = coeff_sign(k, a), q = coeff_sign(k, b), found = 0;
    for (unsigned s = 1; s <= SIGN_POSITIVE; s <<= 1)
        for (unsigned t = 1; t <= SIGN_POSITIVE; t <<= 1) {
            if ((p & s) == 0 || (q & t) == 0)
                continue;
            bool same = s == t;
            if (same && s != SIGN_ZERO)
                return -1;
            found |= (equal ? same : s < t || (same && !strict)) ? 2 : 1;
        }
    return found == 2 ? 1 : found == 1 ? 0 : -1;
}
