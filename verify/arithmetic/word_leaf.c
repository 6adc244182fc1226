// SPDX-License-Identifier: Apache-2.0
// Words of every width at once, as integers: what the solver cannot do with
// divisions of many bits.  Of width w all that is said is M = 2^(w-1) >= 2.
//
// The *value* of a word is the integer that it stands for, between -M and M - 1
// or 0 and 2M - 1; its *representative* is any integer congruent to the value
// modulo 2M.  Sums, differences, products and negations are computed with
// representatives, without wrapping; whatever else looks at a word looks at its
// value, so a representative in such a place must be proved to be in range.
// Two words are the same if their representatives are equal or differ by 2M.
#include "rules/instance/build.h"
#include "verify/arithmetic/leaf.h"
#include "verify/integers/translate.h"

struct word_goals {
    struct session *s;
    bool is_signed;
    uint32_t type;
    expr_id m, lo, hi;
    struct u32_vec facts, goals;
};

static expr_id value(struct word_goals *w, expr_id e);
static expr_id truth(struct word_goals *w, expr_id e);

static bool is_word(const struct word_goals *w, expr_id e)
{
    return expr_at(&w->s->x, e)->type == w->type;
}

static void in_range(const struct word_goals *w, expr_id i, struct u32_vec *out)
{
    struct exprs *x = &w->s->x;
    vec_push(out, expr_le(x, w->lo, i));
    vec_push(out, expr_le(x, i, w->hi));
}

// An element of which nothing is known but which it is.
static expr_id atom(struct word_goals *w, expr_id e)
{
    int64_t name = -2 * (((int64_t)1 << 40) + (int64_t)e); // leaf.c's are small
    return expr_atom(&w->s->x, name, expr_at(&w->s->x, e)->type);
}

static expr_id unknown(struct word_goals *w, expr_id e)
{
    expr_id i = expr_value(&w->s->x, atom(w, e));
    in_range(w, i, &w->facts);
    return i;
}

// An injected number wraps, unless the type has it.
static expr_id injected(struct word_goals *w, expr_id e)
{
    struct exprs *x = &w->s->x;
    expr_id i = unknown(w, e), k = expr_arg(x, e, 0);
    struct u32_vec out = {0};
    in_range(w, k, &out);
    expr_id has = expr_and(x, out.len, out.at);
    vec_push(&w->facts, expr_or2(x, expr_not(x, has), expr_eq(x, i, k)));
    vec_release(&out);
    return i;
}

// The rule speaks only of types that have the numbers of value().
static void value_facts(struct word_goals *w, struct denote *d)
{
    const struct rule *r = w->s->r;
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        if (p->kind == PAT_LITERAL && p->lit == LIT_VALUE &&
            p->type == w->type && !iexp_has_index(r, p->value))
            in_range(w, denote_iexp(d, p->value, 0), &w->facts);
    }
}

static expr_id literal(struct word_goals *w, expr_id e)
{
    const struct expr n = *expr_at(&w->s->x, e);
    if (n.op == LIT_LOWEST)
        return w->lo;
    if (n.op == LIT_HIGHEST)
        return w->hi;
    if (n.op != LIT_INT || n.sym != 0)
        return unknown(w, e);
    expr_id k = expr_int(&w->s->x, n.k);
    in_range(w, k, &w->facts); // the rule speaks of no other types
    return k;
}

static bool is_ring(const struct expr *n)
{
    return n->kind == X_OP && (n->op == OP_ADD || n->op == OP_SUBTRACT ||
                               n->op == OP_MULTIPLY || n->op == OP_NEGATE);
}

static expr_id representative(struct word_goals *w, expr_id e)
{
    struct exprs *x = &w->s->x;
    const struct expr n = *expr_at(x, e);
    if (!is_ring(&n))
        return value(w, e);
    expr_id a = representative(w, expr_arg(x, e, 0));
    if (n.op == OP_NEGATE)
        return expr_neg(x, a);
    expr_id b = representative(w, expr_arg(x, e, 1));
    return n.op == OP_ADD        ? expr_add(x, a, b)
           : n.op == OP_SUBTRACT ? expr_sub(x, a, b)
                                 : expr_mul(x, a, b);
}

// x / 0 is all ones, x rem 0 is x; the least number by -1 is itself.
static expr_id quotient(struct word_goals *w, enum op op, expr_id a, expr_id b)
{
    struct exprs *x = &w->s->x;
    expr_id q = integer_truncated(x, op, a, b);
    if (op == OP_REMAINDER)
        return q;
    if (!w->is_signed)
        return expr_if(x, expr_eq(x, b, expr_int(x, 0)), w->hi, q);
    expr_id wraps =
        expr_and2(x, expr_eq(x, a, w->lo), expr_eq(x, b, expr_int(x, -1)));
    return expr_if(x, wraps, w->lo, q);
}

static expr_id value_of_op(struct word_goals *w, expr_id e)
{
    struct exprs *x = &w->s->x;
    const struct expr n = *expr_at(x, e);
    expr_id p = expr_arg(x, e, 0), q = n.n > 1 ? expr_arg(x, e, 1) : p, a, b;
    switch ((enum op)n.op) {
    case OP_DIVIDE:
    case OP_REMAINDER:
        a = value(w, p);
        b = value(w, q);
        return quotient(w, (enum op)n.op, a, b);
    case OP_MAXIMUM:
        a = value(w, p);
        return expr_max(x, a, value(w, q));
    case OP_MINIMUM:
        a = value(w, p);
        return expr_min(x, a, value(w, q));
    case OP_NOT: // -1 - x, and 2M - 1 - x
        a = value(w, p);
        return expr_sub(x, expr_add(x, w->lo, w->hi), a);
    case OP_SIGN:
        return integer_sign(x, value(w, p));
    case OP_ABS:
        a = value(w, p);
        return expr_if(x, expr_eq(x, a, w->lo), a, expr_abs(x, a));
    case OP_SELECT:
        a = truth(w, p);
        b = value(w, q);
        return expr_if(x, a, b, value(w, expr_arg(x, e, 2)));
    default:
        return unknown(w, e);
    }
}

static expr_id value(struct word_goals *w, expr_id e)
{
    const struct expr n = *expr_at(&w->s->x, e);
    if (n.kind == X_LITERAL)
        return literal(w, e);
    if (is_ring(&n)) {
        expr_id r = representative(w, e);
        in_range(w, r, &w->goals);
        return r;
    }
    if (n.kind == X_OP)
        return value_of_op(w, e);
    if (n.kind == X_INJECT)
        return injected(w, e);
    return unknown(w, e);
}

static expr_id truth(struct word_goals *w, expr_id e)
{
    struct exprs *x = &w->s->x;
    const struct expr n = *expr_at(x, e);
    if (n.kind == X_LITERAL)
        return expr_holds(x, e);
    if (n.kind != X_OP)
        return expr_holds(x, atom(w, e));
    expr_id p = expr_arg(x, e, 0), q = n.n > 1 ? expr_arg(x, e, 1) : p, a, b;
    switch ((enum op)n.op) {
    case OP_COMPARE:
        if (!is_word(w, p))
            return expr_holds(x, atom(w, e));
        a = value(w, p);
        b = value(w, q);
        return n.sym == CMP_EQ   ? expr_eq(x, a, b)
               : n.sym == CMP_LT ? expr_lt(x, a, b)
                                 : expr_le(x, a, b);
    case OP_NOT:
        return expr_not(x, truth(w, p));
    case OP_AND:
        a = truth(w, p);
        return expr_and2(x, a, truth(w, q));
    case OP_OR:
        a = truth(w, p);
        return expr_or2(x, a, truth(w, q));
    default:
        return expr_holds(x, atom(w, e));
    }
}

static expr_id agree(struct word_goals *w, const struct leaf *f)
{
    struct exprs *x = &w->s->x;
    if (emit_type_is_bool(w->s->r, expr_at(x, f->lhs)->type)) {
        expr_id a = truth(w, f->lhs), b = truth(w, f->rhs);
        return expr_or2(x, expr_and2(x, a, b),
                        expr_and2(x, expr_not(x, a), expr_not(x, b)));
    }
    expr_id a = representative(w, f->lhs), b = representative(w, f->rhs);
    expr_id turn = expr_add(x, w->m, w->m);
    expr_id up = expr_eq(x, expr_add(x, a, turn), b);
    expr_id down = expr_eq(x, a, expr_add(x, b, turn));
    return expr_or2(x, expr_eq(x, a, b), expr_or2(x, up, down));
}

static bool follows(struct word_goals *w, const struct leaf *f, expr_id goal)
{
    struct session *s = w->s;
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < f->hyps->len; i++)
        vec_push(&all, f->hyps->at[i]);
    for (uint32_t i = 0; i < w->facts.len; i++)
        vec_push(&all, w->facts.at[i]);
    vec_push(&all, expr_not(&s->x, goal));
    bool proved = linear_refute(&s->ideal, all.len, all.at, NULL) == SMT_UNSAT;
    vec_release(&all);
    return proved;
}

// A condition holds of values.  That the representatives in it are values must
// follow from what is known without it: 250 + 10 < 10 for words of 8 bits.
static void assume(struct word_goals *w, const struct leaf *f, expr_id e)
{
    uint32_t goals = w->goals.len;
    expr_id h = truth(w, e);
    bool known = true;
    for (uint32_t i = goals; i < w->goals.len && known; i++)
        known = follows(w, f, w->goals.at[i]);
    w->goals.len = goals;
    if (known)
        vec_push(&w->facts, h);
}

bool word_leaf(struct session *s, const struct leaf *f, uint32_t type,
               bool is_signed)
{
    struct exprs *x = &s->x;
    struct word_goals w = {.s = s, .is_signed = is_signed, .type = type};
    uint32_t result = expr_at(x, f->lhs)->type;
    if (result != type && !emit_type_is_bool(s->r, result))
        return false;
    uint32_t mark = smt_mark(&s->smt);
    w.m = expr_fresh(x, NONE);
    expr_id most = expr_sub(x, w.m, expr_int(x, 1));
    w.lo = is_signed ? expr_neg(x, w.m) : expr_int(x, 0);
    w.hi = is_signed ? most : expr_add(x, w.m, most);
    vec_push(&w.facts, expr_le(x, expr_int(x, 2), w.m));
    if (f->d != NULL)
        value_facts(&w, f->d);
    for (uint32_t i = 0; i < f->holds.len; i++)
        if (expr_at(x, f->holds.at[i])->kind == X_HOLDS)
            assume(&w, f, expr_arg(x, f->holds.at[i], 0));
    expr_id goal = agree(&w, f);
    bool proved = !s->p.overflow && follows(&w, f, goal);
    for (uint32_t i = 0; i < w.goals.len && proved; i++)
        proved = follows(&w, f, w.goals.at[i]);
    if (!proved)
        smt_forget(&s->smt, mark);
    vec_release(&w.facts);
    vec_release(&w.goals);
    return proved;
}
