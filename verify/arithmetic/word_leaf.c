// SPDX-License-Identifier: Apache-2.0
// Words of every width at once, as integers, for divisions of many bits, which the solver
// cannot do.  The only fact about the width w is M = 2^(w-1) >= 2.
//
// The *value* of a word is the integer that it stands for: between -M and M - 1, or
// between 0 and 2M - 1.  Its *representative* is any integer congruent to the value
// modulo 2M.  Sums, differences, products and negations are computed with
// representatives, without wrapping.  Every other operator uses the value, so a
// representative in its operand must be proved to be in range.  Two words are the same
// if their representatives are equal or differ by 2M.
#include "rules/instance/build.h"
#include "verify/arithmetic/leaf.h"
#include "verify/integers/translate.h"

struct word_goals {
    struct session *session;
    bool is_signed;
    uint32_t type;
    expr_id m, lo, hi;
    struct u32_vec facts, goals;
};

static expr_id value(struct word_goals *word_goals, expr_id e);
static expr_id truth(struct word_goals *word_goals, expr_id e);

static bool is_word(const struct word_goals *word_goals, expr_id e)
{
    return expr_at(&word_goals->session->exprs, e)->type == word_goals->type;
}

static void in_range(const struct word_goals *word_goals, expr_id i, struct u32_vec *out)
{
    struct exprs *exprs = &word_goals->session->exprs;
    vec_push(out, expr_le(exprs, word_goals->lo, i));
    vec_push(out, expr_le(exprs, i, word_goals->hi));
}

// An unknown element: any value of the type.
static expr_id atom(struct word_goals *word_goals, expr_id e)
{
    int64_t name = -2 * (((int64_t)1 << 40) + (int64_t)e); // those of elements/cases.c are small
    return expr_atom(&word_goals->session->exprs, name,
                     expr_at(&word_goals->session->exprs, e)->type);
}

static expr_id unknown(struct word_goals *word_goals, expr_id e)
{
    expr_id i = expr_value(&word_goals->session->exprs, atom(word_goals, e));
    in_range(word_goals, i, &word_goals->facts);
    return i;
}

// An injected number wraps unless the type has it.
static expr_id injected(struct word_goals *word_goals, expr_id e)
{
    struct exprs *exprs = &word_goals->session->exprs;
    expr_id i = unknown(word_goals, e), k = expr_arg(exprs, e, 0);
    struct u32_vec out = {0};
    in_range(word_goals, k, &out);
    expr_id has = expr_and(exprs, out.len, out.at);
    vec_push(&word_goals->facts, expr_or2(exprs, expr_not(exprs, has), expr_eq(exprs, i, k)));
    vec_release(&out);
    return i;
}

// The rule speaks only of types that have the numbers of value().
static void value_facts(struct word_goals *word_goals, struct denote *denote)
{
    const struct rule *rule = word_goals->session->rule;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        if (pattern->kind == PAT_LITERAL && pattern->lit == LIT_VALUE &&
            pattern->type == word_goals->type && !iexp_has_index(rule, pattern->value))
            in_range(word_goals, denote_iexp(denote, pattern->value, 0), &word_goals->facts);
    }
}

static expr_id literal(struct word_goals *word_goals, expr_id e)
{
    const struct expr node = *expr_at(&word_goals->session->exprs, e);
    if (node.op == LIT_LOWEST)
        return word_goals->lo;
    if (node.op == LIT_HIGHEST)
        return word_goals->hi;
    if (node.op != LIT_INT || node.sym != 0)
        return unknown(word_goals, e);
    expr_id k = expr_int(&word_goals->session->exprs, node.k);
    in_range(word_goals, k, &word_goals->facts); // the rule speaks of no other types
    return k;
}

static bool is_ring(const struct expr *node)
{
    return node->kind == X_OP && (node->op == OP_ADD || node->op == OP_SUBTRACT ||
                                  node->op == OP_MULTIPLY || node->op == OP_NEGATE);
}

static expr_id representative(struct word_goals *word_goals, expr_id e)
{
    struct exprs *exprs = &word_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (!is_ring(&node))
        return value(word_goals, e);
    expr_id a = representative(word_goals, expr_arg(exprs, e, 0));
    if (node.op == OP_NEGATE)
        return expr_neg(exprs, a);
    expr_id b = representative(word_goals, expr_arg(exprs, e, 1));
    return node.op == OP_ADD        ? expr_add(exprs, a, b)
           : node.op == OP_SUBTRACT ? expr_sub(exprs, a, b)
                                    : expr_mul(exprs, a, b);
}

// x / 0 is all ones, x rem 0 is x; the least number by -1 is itself.
static expr_id quotient(struct word_goals *word_goals, enum op op, expr_id a, expr_id b)
{
    struct exprs *exprs = &word_goals->session->exprs;
    expr_id q = integer_truncated(exprs, op, a, b);
    if (op == OP_REMAINDER)
        return q;
    if (!word_goals->is_signed)
        return expr_if(exprs, expr_eq(exprs, b, expr_int(exprs, 0)), word_goals->hi, q);
    expr_id wraps =
        expr_and2(exprs, expr_eq(exprs, a, word_goals->lo), expr_eq(exprs, b, expr_int(exprs, -1)));
    return expr_if(exprs, wraps, word_goals->lo, q);
}

static expr_id value_of_op(struct word_goals *word_goals, expr_id e)
{
    struct exprs *exprs = &word_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    expr_id p = expr_arg(exprs, e, 0), q = node.n > 1 ? expr_arg(exprs, e, 1) : p, a, b;
    switch ((enum op)node.op) {
    case OP_DIVIDE:
    case OP_REMAINDER:
        a = value(word_goals, p);
        b = value(word_goals, q);
        return quotient(word_goals, (enum op)node.op, a, b);
    case OP_MAXIMUM:
        a = value(word_goals, p);
        return expr_max(exprs, a, value(word_goals, q));
    case OP_MINIMUM:
        a = value(word_goals, p);
        return expr_min(exprs, a, value(word_goals, q));
    case OP_NOT: // -1 - x, and 2M - 1 - x
        a = value(word_goals, p);
        return expr_sub(exprs, expr_add(exprs, word_goals->lo, word_goals->hi), a);
    case OP_SIGN:
        return integer_sign(exprs, value(word_goals, p));
    case OP_ABS:
        a = value(word_goals, p);
        return expr_if(exprs, expr_eq(exprs, a, word_goals->lo), a, expr_abs(exprs, a));
    case OP_SELECT:
        a = truth(word_goals, p);
        b = value(word_goals, q);
        return expr_if(exprs, a, b, value(word_goals, expr_arg(exprs, e, 2)));
    case OP_COUNT_LEADING_ZEROS:
    case OP_NEGATE:
    case OP_POPCNT:
    case OP_ADD:
    case OP_MULTIPLY:
    case OP_SUBTRACT:
    case OP_IS_FINITE:
    case OP_COMPARE:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        FLOAT_UNARY_CASES
        BITS_BINARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return unknown(word_goals, e);
}

static expr_id value(struct word_goals *word_goals, expr_id e)
{
    const struct expr node = *expr_at(&word_goals->session->exprs, e);
    if (node.kind == X_LITERAL)
        return literal(word_goals, e);
    if (is_ring(&node)) {
        expr_id r = representative(word_goals, e);
        in_range(word_goals, r, &word_goals->goals);
        return r;
    }
    if (node.kind == X_OP)
        return value_of_op(word_goals, e);
    if (node.kind == X_INJECT)
        return injected(word_goals, e);
    return unknown(word_goals, e);
}

static expr_id truth(struct word_goals *word_goals, expr_id e)
{
    struct exprs *exprs = &word_goals->session->exprs;
    const struct expr node = *expr_at(exprs, e);
    if (node.kind == X_LITERAL)
        return expr_holds(exprs, e);
    if (node.kind != X_OP)
        return expr_holds(exprs, atom(word_goals, e));
    expr_id p = expr_arg(exprs, e, 0), q = node.n > 1 ? expr_arg(exprs, e, 1) : p, a, b;
    switch ((enum op)node.op) {
    case OP_COMPARE:
        if (!is_word(word_goals, p))
            return expr_holds(exprs, atom(word_goals, e));
        a = value(word_goals, p);
        b = value(word_goals, q);
        return node.sym == CMP_EQ   ? expr_eq(exprs, a, b)
               : node.sym == CMP_LT ? expr_lt(exprs, a, b)
                                    : expr_le(exprs, a, b);
    case OP_NOT:
        return expr_not(exprs, truth(word_goals, p));
    case OP_AND:
        a = truth(word_goals, p);
        return expr_and2(exprs, a, truth(word_goals, q));
    case OP_OR:
        a = truth(word_goals, p);
        return expr_or2(exprs, a, truth(word_goals, q));
    case OP_ABS:
    case OP_COUNT_LEADING_ZEROS:
    case OP_NEGATE:
    case OP_POPCNT:
    case OP_SIGN:
    case OP_ADD:
    case OP_DIVIDE:
    case OP_MAXIMUM:
    case OP_MINIMUM:
    case OP_MULTIPLY:
    case OP_REMAINDER:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SUBTRACT:
    case OP_XOR:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        LEAF_CASES
        FLOAT_UNARY_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    return expr_holds(exprs, atom(word_goals, e));
}

static expr_id agree(struct word_goals *word_goals, const struct leaf *leaf)
{
    struct exprs *exprs = &word_goals->session->exprs;
    if (emit_type_is_bool(word_goals->session->rule, expr_at(exprs, leaf->lhs)->type)) {
        expr_id a = truth(word_goals, leaf->lhs), b = truth(word_goals, leaf->rhs);
        return expr_or2(exprs, expr_and2(exprs, a, b),
                        expr_and2(exprs, expr_not(exprs, a), expr_not(exprs, b)));
    }
    expr_id a = representative(word_goals, leaf->lhs), b = representative(word_goals, leaf->rhs);
    expr_id turn = expr_add(exprs, word_goals->m, word_goals->m);
    expr_id up = expr_eq(exprs, expr_add(exprs, a, turn), b);
    expr_id down = expr_eq(exprs, a, expr_add(exprs, b, turn));
    return expr_or2(exprs, expr_eq(exprs, a, b), expr_or2(exprs, up, down));
}

static bool follows(struct word_goals *word_goals, const struct leaf *leaf, expr_id goal)
{
    struct session *session = word_goals->session;
    struct u32_vec all = {0};
    for (uint32_t i = 0; i < leaf->hyps->len; i++)
        vec_push(&all, leaf->hyps->at[i]);
    for (uint32_t i = 0; i < word_goals->facts.len; i++)
        vec_push(&all, word_goals->facts.at[i]);
    vec_push(&all, expr_not(&session->exprs, goal));
    bool proved = linear_refute(&session->ideal, all.len, all.at, NULL) == SMT_UNSAT;
    vec_release(&all);
    return proved;
}

// Assumes a condition, which speaks of values.  The other facts must imply that the
// representatives in the condition are values: for words of 8 bits, 250 + 10 < 10.
static void assume(struct word_goals *word_goals, const struct leaf *leaf, expr_id e)
{
    uint32_t goals = word_goals->goals.len;
    expr_id h = truth(word_goals, e);
    bool known = true;
    for (uint32_t i = goals; i < word_goals->goals.len && known; i++)
        known = follows(word_goals, leaf, word_goals->goals.at[i]);
    word_goals->goals.len = goals;
    if (known)
        vec_push(&word_goals->facts, h);
}

bool word_leaf(struct session *session, const struct leaf *leaf, uint32_t type, bool is_signed)
{
    struct exprs *exprs = &session->exprs;
    struct word_goals word_goals = {.session = session, .is_signed = is_signed, .type = type};
    uint32_t result = expr_at(exprs, leaf->lhs)->type;
    if (result != type && !emit_type_is_bool(session->rule, result))
        return false;
    uint32_t mark = smt_mark(&session->smt);
    word_goals.m = expr_fresh(exprs, NONE);
    expr_id most = expr_sub(exprs, word_goals.m, expr_int(exprs, 1));
    word_goals.lo = is_signed ? expr_neg(exprs, word_goals.m) : expr_int(exprs, 0);
    word_goals.hi = is_signed ? most : expr_add(exprs, word_goals.m, most);
    vec_push(&word_goals.facts, expr_le(exprs, expr_int(exprs, 2), word_goals.m));
    if (leaf->denote != NULL)
        value_facts(&word_goals, leaf->denote);
    for (uint32_t i = 0; i < leaf->holds.len; i++)
        if (expr_at(exprs, leaf->holds.at[i])->kind == X_HOLDS)
            assume(&word_goals, leaf, expr_arg(exprs, leaf->holds.at[i], 0));
    expr_id goal = agree(&word_goals, leaf);
    bool proved = !session->polys.overflow && follows(&word_goals, leaf, goal);
    for (uint32_t i = 0; i < word_goals.goals.len && proved; i++)
        proved = follows(&word_goals, leaf, word_goals.goals.at[i]);
    if (!proved)
        smt_forget(&session->smt, mark);
    vec_release(&word_goals.facts);
    vec_release(&word_goals.goals);
    return proved;
}
