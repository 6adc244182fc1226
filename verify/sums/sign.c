// SPDX-License-Identifier: Apache-2.0
// Signs in int and real.  Which of less than, equal to and more than 0 can an element be, at
// every index at which the sides are compared?  The answer comes from its operators and the
// element conditions.  From signs follow: which factors keep the order; over the reals,
// comparisons, extrema, and that a divisor is not 0.
#include "verify/sums/parts.h"
#include "verify/limits.h"

static unsigned of_number(int64_t v)
{
    return v < 0 ? SIGN_NEGATIVE : v > 0 ? SIGN_POSITIVE : SIGN_ZERO;
}

static unsigned negated(unsigned s)
{
    return (s & SIGN_ZERO) | (s & SIGN_NEGATIVE ? SIGN_POSITIVE : 0) |
           (s & SIGN_POSITIVE ? SIGN_NEGATIVE : 0);
}

static bool is_number_literal(const struct expr *node)
{
    return node->kind == X_LITERAL && (node->op == LIT_INT || node->op == LIT_DECIMAL);
}

// ---- what is said of several

// All signs that f(u, v) can have for u and v of these signs.
static unsigned combine(unsigned (*f)(unsigned, unsigned), unsigned a, unsigned b)
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

// Does the pattern contain the tensor or scalar of the read?
static bool reads(const struct rule *rule, uint32_t pat, const struct expr *node)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found = pattern->kind == (node->kind == X_ACCESS ? PAT_TENSOR : PAT_SCALAR) &&
                 pattern->var == node->sym;
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = reads(rule, pattern->args[i], node);
    return found;
}

// The signs of e that the truth (or falsehood) of a predicate leaves.  The predicate is made
// of comparisons of e with numbers.
static unsigned left_by(const struct exprs *exprs, expr_id predicate, expr_id e, bool truth)
{
    const struct expr node = *expr_at(exprs, predicate);
    if (node.kind != X_OP)
        return SIGN_ANY;
    expr_id a = expr_arg(exprs, predicate, 0);
    if (node.op == OP_NOT)
        return left_by(exprs, a, e, !truth);
    if (node.n != 2)
        return SIGN_ANY;
    expr_id b = expr_arg(exprs, predicate, 1);
    if (node.op == (truth ? OP_AND : OP_OR))
        return left_by(exprs, a, e, truth) & left_by(exprs, b, e, truth);
    if (node.op != OP_COMPARE)
        return SIGN_ANY;
    bool left = a == e;
    const struct expr n = *expr_at(exprs, left ? b : a);
    if ((!left && b != e) || !is_number_literal(&n))
        return SIGN_ANY;
    unsigned v = of_number(n.k), kept = 0;
    bool equal = node.sym == CMP_EQ;
    if (!equal && node.sym != CMP_LT && node.sym != CMP_LE)
        return SIGN_ANY;
    // A sign is dropped only if no number of it gives the predicate this truth value.
    for (unsigned s = 1; s <= SIGN_POSITIVE; s <<= 1) {
        unsigned low = left ? s : v, high = left ? v : s;
        bool same = s == v && v == SIGN_ZERO, open = s == v && !same;
        bool holds = equal ? same : low < high || (same && node.sym == CMP_LE);
        if (open || holds == truth)
            kept |= s;
    }
    return kept;
}

// The condition at the place of this read, if the place is in its range; otherwise NO_EXPR.
static expr_id condition_at(struct coeff *sums, uint32_t pat, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct rule *rule = sums->session->rule;
    const struct expr node = *expr_at(exprs, e);
    const struct tensor_var *tensor = node.kind == X_ACCESS ? &rule->tensors[node.sym] : NULL;
    uint32_t n_sizes = tensor == NULL ? 0 : tensor->n_sizes;
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        bool found = !denote_has_class(&sums->denote, pat, c);
        for (uint32_t j = 0; j < n_sizes && !found; j++)
            found = tensor->sizes[j].cls == c;
        if (!found)
            return NO_EXPR;
    }
    struct clauses range = {{0}};
    expr_id *index = denote_new_index(&sums->denote);
    for (uint32_t j = 0; j < n_sizes; j++)
        index[tensor->sizes[j].cls * sums->denote.max_rank] = expr_arg(exprs, e, j);
    denote_in_range(&sums->denote, pat, index, &range);
    bool in_range = sums->denote.failure == NULL;
    for (uint32_t i = 0; i < range.at.len && in_range; i++) {
        const struct clause clause = range.at.at[i];
        in_range = !clause.each_axis && !coeff_has_elements(sums, clause.cond) &&
                   clause.family < sums->n_families &&
                   coeff_follows(sums, clause.family, NULL, clause.cond);
    }
    expr_id p = in_range ? denote_element(&sums->denote, pat, index) : NO_EXPR;
    mem_free(index);
    vec_release(&range.at);
    return p;
}

static unsigned of_read(struct coeff *sums, expr_id e)
{
    const struct rule *rule = sums->session->rule;
    unsigned s = SIGN_ANY;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        const struct expr node = *expr_at(&sums->session->exprs, e);
        if (rule->wheres[w].cond != NULL || !reads(rule, rule->wheres[w].pat, &node))
            continue;
        expr_id p = condition_at(sums, rule->wheres[w].pat, e);
        if (p != NO_EXPR)
            s &= left_by(&sums->session->exprs, p, e, true);
    }
    return s == 0 ? SIGN_ANY : s; // conditions that contradict each other
}

// ---- operators

bool coeff_is_finite(struct coeff *sums, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_REDUCE && (node.op == OP_MAXIMUM || node.op == OP_MINIMUM))
        return coeff_has_terms(sums, e) && coeff_is_finite(sums, expr_arg(exprs, e, 0));
    if (node.kind != X_OP)
        return !element_may_be_infinite(sums->session, e);
    for (uint32_t i = 0; i < node.n; i++)
        if (!coeff_is_finite(sums, expr_arg(exprs, e, i)))
            return false;
    return true;
}

static unsigned square_of(unsigned s)
{
    return (s & SIGN_ZERO) | ((s & ~(unsigned)SIGN_ZERO) != 0 ? SIGN_POSITIVE : 0);
}

static bool at_least_zero(unsigned s)
{
    return (s & SIGN_NEGATIVE) == 0;
}

// Has a function of one operand a value wherever the operand has this sign?
static bool is_defined(enum op_defined defined, unsigned sign)
{
    switch (defined) {
    case DEFINED_ALWAYS:
        return true;
    case DEFINED_POSITIVE:
        return sign == SIGN_POSITIVE;
    case DEFINED_NOT_NEGATIVE:
    case DEFINED_ABOVE_MINUS_1:
        return at_least_zero(sign);
    case DEFINED_COSINE_NOT_0:
    case DEFINED_SECOND_NOT_0:
    case DEFINED_POWER:
        return false;
    }
    return false;
}

static unsigned of_operator(struct coeff *sums, expr_id e, const struct expr *node)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct op_facts *facts = op_facts((enum op)node->op);
    bool real = sums->domain == DOMAIN_REAL;
    unsigned a = 0, b = 0;
    if (facts->result == RESULT_BRANCHES)
        return coeff_sign(sums, expr_arg(exprs, e, 1)) | coeff_sign(sums, expr_arg(exprs, e, 2));
    if (!real && (facts->result == RESULT_QUOTIENT || facts->result == RESULT_FIRST_POSITIVE))
        return SIGN_ANY; // 1 / 2 is 0 in int
    if (node->n > 0)
        a = coeff_sign(sums, expr_arg(exprs, e, 0));
    if (node->n > 1)
        b = coeff_sign(sums, expr_arg(exprs, e, 1));
    switch (facts->result) {
    case RESULT_POSITIVE:
        return SIGN_POSITIVE;
    case RESULT_OPERAND:
        return is_defined(facts->defined, a) ? a : SIGN_ANY;
    case RESULT_OPPOSITE:
        return negated(a);
    case RESULT_MAGNITUDE:
        return square_of(a);
    case RESULT_SUM:
        return combine(sum, a, b);
    case RESULT_DIFFERENCE:
        return combine(sum, a, negated(b));
    case RESULT_PRODUCT:
        return expr_arg(exprs, e, 0) == expr_arg(exprs, e, 1) ? square_of(a) : combine(times, a, b);
    case RESULT_QUOTIENT:
        return (b & SIGN_ZERO) == 0 ? combine(times, a, b) : SIGN_ANY;
    case RESULT_GREATER:
        return combine(greater, a, b);
    case RESULT_LESSER:
        return combine(lesser, a, b);
    case RESULT_FIRST_POSITIVE:
        return a == SIGN_POSITIVE ? SIGN_POSITIVE : SIGN_ANY;
    case RESULT_BRANCHES: // above
    case RESULT_ABOVE_1:  // signs do not tell where 1 is
    case RESULT_ANY:
        return SIGN_ANY;
    }
    return SIGN_ANY;
}

static unsigned of_reduce(struct coeff *sums, expr_id e, const struct expr *node)
{
    struct exprs *exprs = &sums->session->exprs;
    uint32_t mark[64];
    coeff_enter(sums, e, mark);
    unsigned s = coeff_sign(sums, expr_arg(exprs, e, 0));
    coeff_leave(sums, mark);
    switch ((enum op)node->op) {
    case OP_ADD:
        if (at_least_zero(s) || at_least_zero(negated(s)))
            return coeff_has_terms(sums, e) ? s : s | SIGN_ZERO;
        return SIGN_ANY;
    case OP_MULTIPLY:
        if (at_least_zero(s))
            return s | SIGN_POSITIVE;
        return (s & SIGN_ZERO) == 0 ? SIGN_NEGATIVE | SIGN_POSITIVE : SIGN_ANY;
    case OP_MAXIMUM:
    case OP_MINIMUM:
        return coeff_has_terms(sums, e) ? s : SIGN_ANY;
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_SUBTRACT:
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return SIGN_ANY;
}

unsigned coeff_sign(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    const char *why = sums->why;
    unsigned s = SIGN_ANY;
    if (!type_in_domain(sums->session->rule, node.type, DOMAIN_REAL) || !coeff_is_finite(sums, e))
        return SIGN_ANY;
    switch ((enum expr_kind)node.kind) {
    case X_LITERAL:
        s = is_number_literal(&node) ? of_number(node.k) : SIGN_ANY;
        break;
    case X_ACCESS:
    case X_SCALAR:
        s = of_read(sums, e);
        break;
    case X_PICK:
        s = coeff_sign(sums, expr_arg(exprs, e, 1)) | coeff_sign(sums, expr_arg(exprs, e, 2));
        break;
    case X_OP:
        s = of_operator(sums, e, &node);
        break;
    case X_REDUCE:
        s = of_reduce(sums, e, &node);
        break;
    default:
        break;
    }
    sums->why = why; // a sign that is not known is no failure
    return s;
}

bool coeff_is_integer(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    uint32_t from = 0, to = node.n;
    if (node.kind == X_LITERAL)
        return node.op == LIT_INT;
    if (node.kind == X_INJECT)
        return !coeff_has_elements(sums, expr_arg(exprs, e, 0));
    if (node.kind == X_REDUCE) { // the body
        if (node.op != OP_ADD && node.op != OP_MULTIPLY)
            return false;
        to = 1;
    } else if (node.kind == X_OP) {
        enum op op = (enum op)node.op;
        if (op_has(op, LAW_INTEGRAL))
            return coeff_is_finite(sums, e);
        if (op == OP_SELECT)
            from = 1;
        else if (!op_has(op, LAW_KEEPS_INTEGERS))
            return false;
    } else {
        return false;
    }
    for (uint32_t i = from; i < to; i++)
        if (!coeff_is_integer(sums, expr_arg(exprs, e, i)))
            return false;
    return true;
}

// ---- what follows

// Is a the body of the extremum e at some index in range?
static bool is_term(struct coeff *sums, expr_id body, expr_id a, uint32_t n_vars,
                    const expr_id *var, expr_id *val)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, body), n = *expr_at(exprs, a);
    for (uint32_t i = 0; i < n_vars; i++) {
        if (var[i] != body)
            continue;
        if (expr_sort(exprs, a) != SORT_INT)
            return false;
        if (val[i] == NO_EXPR)
            val[i] = a;
        return val[i] == a;
    }
    if (body == a) {
        for (uint32_t i = 0; i < n_vars; i++)
            if (expr_contains(exprs, a, var[i]))
                return false;
        return true;
    }
    if (node.kind == X_REDUCE || node.kind != n.kind || node.op != n.op || node.sym != n.sym ||
        node.k != n.k || node.type != n.type || node.n != n.n || node.n == 0)
        return false;
    for (uint32_t i = 0; i < node.n; i++)
        if (!is_term(sums, expr_arg(exprs, body, i), expr_arg(exprs, a, i), n_vars, var, val))
            return false;
    return true;
}

bool coeff_is_term(struct coeff *sums, expr_id e, expr_id a)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    const char *why = sums->why;
    expr_id var[VERIFY_SUM_INDICES] = {0}, val[VERIFY_SUM_INDICES];
    uint32_t n_vars = (node.n - 1) / 2;
    if (n_vars > VERIFY_SUM_INDICES)
        return false;
    for (uint32_t i = 0; i < n_vars; i++) {
        var[i] = expr_arg(exprs, e, 2 * i + 1);
        val[i] = NO_EXPR;
    }
    bool yes = is_term(sums, expr_arg(exprs, e, 0), a, n_vars, var, val);
    for (uint32_t i = 0; i < n_vars && yes; i++) {
        uint32_t part = exprs->var.at[expr_at(exprs, var[i])->sym].part;
        expr_id size = expr_arg(exprs, e, 2 * i + 2);
        yes = val[i] != NO_EXPR && part < sums->n_families;
        expr_id both[2] = {NO_EXPR, NO_EXPR};
        if (yes) {
            both[0] = expr_le(exprs, expr_int(exprs, 0), val[i]);
            both[1] = expr_lt(exprs, val[i], size);
        }
        for (uint32_t j = 0; j < 2 && yes; j++) {
            uint32_t family = NONE;
            yes = !coeff_has_elements(sums, both[j]) && coeff_family(sums, both[j], &family) &&
                  family == part && coeff_follows(sums, part, NULL, both[j]);
        }
    }
    sums->why = why;
    return yes;
}

static bool is_extremum(const struct exprs *exprs, expr_id e, enum op op)
{
    const struct expr *node = expr_at(exprs, e);
    return node->kind == X_REDUCE && node->op == op;
}

int coeff_compare(struct coeff *sums, expr_id e)
{
    struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id a = expr_arg(exprs, e, 0), b = expr_arg(exprs, e, 1);
    bool strict = node.sym == CMP_LT, equal = node.sym == CMP_EQ;
    if (!equal && !strict && node.sym != CMP_LE)
        return -1;
    if (node.sym == CMP_LE && ((is_extremum(exprs, b, OP_MAXIMUM) && coeff_is_term(sums, b, a)) ||
                               (is_extremum(exprs, a, OP_MINIMUM) && coeff_is_term(sums, a, b))))
        return 1;
    unsigned p = coeff_sign(sums, a), q = coeff_sign(sums, b), found = 0;
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

bool coeff_has_value(struct coeff *sums, expr_id e)
{
    const struct exprs *exprs = &sums->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    enum op_defined defined = op_facts((enum op)node.op)->defined;
    bool second = defined == DEFINED_SECOND_NOT_0;
    unsigned sign = coeff_sign(sums, expr_arg(exprs, e, second ? 1 : 0));
    if (second)
        return (sign & SIGN_ZERO) == 0;
    if (defined == DEFINED_POWER)
        return sign == SIGN_POSITIVE;
    return is_defined(defined, sign);
}
