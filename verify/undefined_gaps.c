// SPDX-License-Identifier: Apache-2.0
#include "verify/undefined_gaps.h"
#include <math.h>

struct need_text {
    const char *before, *holds, *fails;
};
static const struct need_text need_texts[] = {
    [NOT_ZERO] = {"", " != 0", " = 0"},
    [NOT_NEGATIVE] = {"", " >= 0", " < 0"},
    [POSITIVE] = {"", " > 0", " <= 0"},
    [ABOVE_MINUS_ONE] = {"", " > -1", " <= -1"},
    [COSINE_NOT_ZERO] = {"cosine", " != 0", " = 0"},
};

// The operators without a value for some operands (docs/semantics.md).  Powers of negative
// numbers have one for integral exponents only.
static const struct partial_operator {
    enum op op;
    uint32_t arg;
    enum need need;
} partial_operators[] = {
    {OP_DIVIDE, 1, NOT_ZERO},   {OP_REMAINDER, 1, NOT_ZERO},
    {OP_LOG, 0, POSITIVE},      {OP_LOG_PLUS_ONE, 0, ABOVE_MINUS_ONE},
    {OP_SQRT, 0, NOT_NEGATIVE}, {OP_RSQRT, 0, POSITIVE},
    {OP_POWER, 0, POSITIVE},    {OP_TAN, 0, COSINE_NOT_ZERO},
};

static const struct pat *pat_of(const struct undefined *undefined, uint32_t pat)
{
    return &undefined->rule->pats[pat];
}

static bool is_op(const struct pat *pattern, enum op op)
{
    return pattern->kind == PAT_OP && pattern->op == op;
}

// The condition that both give.
static bool joined(enum need a, enum need b, enum need *out)
{
    if (a == b) {
        *out = a;
        return true;
    }
    *out = POSITIVE;
    return a <= POSITIVE && b <= POSITIVE;
}

static void conditions_add(struct undefined *undefined, uint32_t pat, enum need need,
                           struct conditions *out)
{
    struct buf text = {0};
    pat_print(undefined->rule, pat, &text);
    bool known = false;
    for (uint32_t i = 0; i < out->at.len && !known; i++) {
        struct condition *condition = &out->at.at[i];
        known = strcmp(condition->text, buf_text(&text)) == 0 &&
                joined(condition->need, need, &condition->need);
    }
    if (!known)
        vec_push(&out->at,
                 ((struct condition){pat, need, arena_strdup(undefined->mem, buf_text(&text))}));
    buf_release(&text);
}

void conditions_add_all(struct undefined *undefined, const struct conditions *from,
                        struct conditions *out)
{
    for (uint32_t i = 0; i < from->at.len; i++)
        conditions_add(undefined, from->at.at[i].pat, from->at.at[i].need, out);
}

bool condition_meets(const struct pat *pattern, enum need need)
{
    double value = pattern->lit == LIT_DECIMAL ? strtod(pattern->text, NULL) : (double)pattern->k;
    if (pattern->lit != LIT_DECIMAL && pattern->lit != LIT_INT)
        return false;
    switch (need) {
    case NOT_ZERO:
        return value != 0;
    case NOT_NEGATIVE:
        return value >= 0;
    case POSITIVE:
        return value > 0;
    case ABOVE_MINUS_ONE:
        return value > -1;
    case COSINE_NOT_ZERO:
        break;
    }
    return false;
}

static void needs_of(struct undefined *undefined, uint32_t pat, enum need need,
                     struct conditions *out);

static void needs_of_arguments(struct undefined *undefined, const struct pat *pattern,
                               uint32_t from, uint32_t to, enum need need, struct conditions *out)
{
    for (uint32_t i = from; i < to && i < pattern->n_args; i++)
        needs_of(undefined, pattern->args[i], need, out);
}

// Operators that move elements or choose among them: the operands need what the result needs.
static bool moves(struct undefined *undefined, const struct pat *pattern, enum need need,
                  struct conditions *out)
{
    bool places = is_op(pattern, OP_GATHER) || is_op(pattern, OP_DYNAMIC_SLICE);
    if (pattern->kind == PAT_SPLAT || pattern->kind == PAT_RELABEL || places)
        needs_of_arguments(undefined, pattern, 0, 1, need, out);
    else if (pattern->kind == PAT_OP && op_info(pattern->op)->flow == FLOW_MOVE)
        needs_of_arguments(undefined, pattern, 0, pattern->n_args, need, out);
    else if (is_op(pattern, OP_SELECT))
        needs_of_arguments(undefined, pattern, 1, 3, need, out);
    else if (is_op(pattern, OP_DYNAMIC_UPDATE_SLICE))
        needs_of_arguments(undefined, pattern, 0, 2, need, out);
    else
        return false;
    return true;
}

static bool same_operands(struct undefined *undefined, const struct pat *pattern)
{
    struct buf a = {0}, b = {0};
    pat_print(undefined->rule, pattern->args[0], &a);
    pat_print(undefined->rule, pattern->args[1], &b);
    bool same = strcmp(buf_text(&a), buf_text(&b)) == 0;
    buf_release(&a);
    buf_release(&b);
    return same;
}

// Is the pattern a function of elements at one index, as element conditions must be?
static bool pointwise(struct undefined *undefined, uint32_t pat)
{
    const struct pat *pattern = pat_of(undefined, pat);
    bool yes = pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR ||
               pattern->kind == PAT_LITERAL || pattern->kind == PAT_SPLAT ||
               (pattern->kind == PAT_OP && op_is_elementwise(pattern->op));
    for (uint32_t i = 0; i < pattern->n_args && yes; i++)
        yes = pointwise(undefined, pattern->args[i]);
    return yes;
}

// p + 1 > 0
static bool one_more(struct undefined *undefined, const struct pat *pattern, struct conditions *out)
{
    for (uint32_t i = 0; pattern->op == OP_ADD && i < 2; i++) {
        const struct pat *one = pat_of(undefined, pattern->args[i]);
        if (one->kind == PAT_SPLAT)
            one = pat_of(undefined, one->args[0]);
        if (one->kind != PAT_LITERAL || one->lit != LIT_INT || one->k != 1)
            continue;
        needs_of(undefined, pattern->args[1 - i], ABOVE_MINUS_ONE, out);
        return true;
    }
    return false;
}

// Conditions on parts from which the condition on the whole follows.  They may ask for more
// than is needed: the conditions are tried, and weakened while the proof succeeds.
static bool parts(struct undefined *undefined, uint32_t pat, enum need need, struct conditions *out)
{
    const struct pat *pattern = pat_of(undefined, pat);
    uint32_t n = pattern->n_args;
    enum need more = need == NOT_ZERO ? POSITIVE : need;
    if (pattern->kind != PAT_OP || need >= ABOVE_MINUS_ONE)
        return false;
    if (pattern->op == OP_EXPONENTIAL || pattern->op == OP_LOGISTIC)
        return true;
    if (need == POSITIVE && one_more(undefined, pattern, out))
        return true;
    if (pattern->op == OP_MULTIPLY && same_operands(undefined, pattern)) {
        if (need != NOT_NEGATIVE)
            needs_of(undefined, pattern->args[0], NOT_ZERO, out);
    } else if (pattern->op == OP_ABS) {
        if (need != NOT_NEGATIVE)
            needs_of(undefined, pattern->args[0], NOT_ZERO, out);
    } else if (pattern->op == OP_NEGATE && need == NOT_ZERO) {
        needs_of(undefined, pattern->args[0], need, out);
    } else if (pattern->op == OP_MULTIPLY) {
        needs_of_arguments(undefined, pattern, 0, n, need, out);
    } else if (pattern->op == OP_DIVIDE) {
        needs_of(undefined, pattern->args[0], need, out);
        needs_of(undefined, pattern->args[1], need == NOT_ZERO ? NOT_ZERO : POSITIVE, out);
    } else if (pattern->op == OP_SQRT || pattern->op == OP_RSQRT) {
        needs_of(undefined, pattern->args[0], POSITIVE, out);
    } else if (pattern->op == OP_POWER) {
        needs_of(undefined, pattern->args[0], POSITIVE, out);
    } else if (op_info(pattern->op)->flow == FLOW_FOLD || op_info(pattern->op)->flow == FLOW_SUM) {
        needs_of_arguments(undefined, pattern, 0, n, more, out);
    } else if (pattern->op == OP_ADD && !pointwise(undefined, pat)) {
        needs_of_arguments(undefined, pattern, 0, n, more, out);
    } else {
        return false;
    }
    return true;
}

static void needs_of(struct undefined *undefined, uint32_t pat, enum need need,
                     struct conditions *out)
{
    const struct pat *pattern = pat_of(undefined, pat);
    if (pattern->kind == PAT_LITERAL && condition_meets(pattern, need))
        return;
    if (moves(undefined, pattern, need, out) ||
        (undefined->splits && parts(undefined, pat, need, out)))
        return;
    conditions_add(undefined, pat, need, out);
}

// An exponent that is a number asks for less.
static bool power_needs(const struct pat *exponent, enum need *need)
{
    bool decimal = exponent->kind == PAT_LITERAL && exponent->lit == LIT_DECIMAL;
    if (exponent->kind != PAT_LITERAL || (exponent->lit != LIT_INT && !decimal))
        return true;
    double value = decimal ? strtod(exponent->text, NULL) : (double)exponent->k;
    if (value != floor(value)) {
        *need = value > 0 ? NOT_NEGATIVE : POSITIVE;
        return true;
    }
    *need = NOT_ZERO;
    return value < 0;
}

static void find_gap(struct undefined *undefined, uint32_t pat,
                     const struct partial_operator *partial, bool left)
{
    const struct pat *pattern = pat_of(undefined, pat);
    struct gap gap = {.left = left, .pat = pat};
    uint32_t operand = pattern->args[partial->arg];
    enum need need = partial->need;
    if (partial->op == OP_POWER) {
        const struct pat *exponent = pat_of(undefined, pattern->args[1]);
        if (exponent->kind == PAT_SPLAT)
            exponent = pat_of(undefined, exponent->args[0]);
        if (!power_needs(exponent, &need))
            return;
    }
    struct conditions operands = {{0}};
    undefined->splits = false;
    needs_of(undefined, operand, need, &operands);
    undefined->splits = true;
    for (uint32_t i = 0; i < operands.at.len; i++) {
        struct conditions one = {{0}};
        needs_of(undefined, operands.at.at[i].pat, operands.at.at[i].need, &one);
        conditions_add_all(undefined, &one, &gap.needs);
        if (one.at.len == 1) // says the same about a part
            conditions_add_all(undefined, &one, &gap.operands);
        else if (one.at.len > 1)
            conditions_add(undefined, operands.at.at[i].pat, operands.at.at[i].need, &gap.operands);
        vec_release(&one.at);
    }
    gap.direct = operands;
    conditions_add_all(undefined, &gap.needs, &undefined->all);
    vec_push(&undefined->gaps, gap);
}

static void find_gaps(struct undefined *undefined, uint32_t pat, bool left)
{
    const struct pat *pattern = pat_of(undefined, pat);
    enum domain lives;
    bool real = domain_of_kinds(undefined->rule->types[pattern->type].kinds, DOMAIN_REAL, &lives) &&
                lives == DOMAIN_REAL;
    for (size_t i = 0; i < sizeof partial_operators / sizeof *partial_operators; i++)
        if (real && is_op(pattern, partial_operators[i].op))
            find_gap(undefined, pat, &partial_operators[i], left);
    for (uint32_t i = 0; i < pattern->n_args; i++)
        find_gaps(undefined, pattern->args[i], left);
}

void condition_print(const struct condition *condition, bool holds, struct buf *out)
{
    const struct need_text *text = &need_texts[condition->need];
    buf_printf(out, *text->before ? "%s(%s)%s" : "%s%s%s", text->before, condition->text,
               holds ? text->holds : text->fails);
}

void gaps_find(struct undefined *undefined)
{
    find_gaps(undefined, undefined->rule->lhs, true);
    find_gaps(undefined, undefined->rule->rhs, false);
}

void gaps_release(struct undefined *undefined)
{
    for (uint32_t i = 0; i < undefined->gaps.len; i++) {
        vec_release(&undefined->gaps.at[i].direct.at);
        vec_release(&undefined->gaps.at[i].operands.at);
        vec_release(&undefined->gaps.at[i].needs.at);
    }
    vec_release(&undefined->gaps);
    vec_release(&undefined->all.at);
}

const struct rule *rule_with(const struct undefined *undefined, const struct conditions *conditions,
                             struct ruleset *set)
{
    struct buf text = {0}, with = {0};
    struct err err = {0};
    rule_print(undefined->rule, &text);
    buf_write(&with, buf_text(&text), text.len - strlen("}\n"));
    for (uint32_t i = 0; i < conditions->at.len; i++) {
        buf_puts(&with, "  where all(");
        condition_print(&conditions->at.at[i], true, &with);
        buf_puts(&with, ");\n");
    }
    buf_puts(&with, "}\n");
    const struct rule *rule = ruleset_add(set, buf_text(&with), "conditions", &err);
    buf_release(&text);
    buf_release(&with);
    return rule;
}
