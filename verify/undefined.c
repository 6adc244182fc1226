// SPDX-License-Identifier: Apache-2.0
#include "verify/undefined.h"
#include "verify/undefined_gaps.h"
#include "verify/limits.h"
#include "verify/obligations/session.h"
#include <stdlib.h>

// Is the rule proved over the reals with these conditions?
static bool proved_with(struct undefined *undefined, const struct conditions *conditions)
{
    struct ruleset set = {0};
    struct report rep = {0};
    const struct rule *rule = rule_with(undefined, conditions, &set);
    if (rule != NULL)
        decide_rule(rule, &undefined->options, &rep);
    bool proved = rep.domains.len == 1 && rep.domains.at[0].verdict == VERDICT_PROVED;
    report_release(&rep);
    ruleset_release(&set);
    return proved;
}

// Drops every condition that is not needed, and weakens the others.
static void weaken(struct undefined *undefined)
{
    struct conditions *all = &undefined->all;
    for (uint32_t i = 0; i < all->at.len;) {
        struct condition dropped = all->at.at[i];
        for (uint32_t k = i; k + 1 < all->at.len; k++)
            all->at.at[k] = all->at.at[k + 1];
        all->at.len--;
        if (proved_with(undefined, all))
            continue;
        vec_push(&all->at, dropped);
        for (uint32_t k = all->at.len - 1; k > i; k--)
            all->at.at[k] = all->at.at[k - 1];
        all->at.at[i++] = dropped;
    }
    for (uint32_t i = 0; i < all->at.len; i++) {
        struct condition *condition = &all->at.at[i];
        bool proved = false;
        for (enum need need = NOT_ZERO; condition->need == POSITIVE && !proved && need < POSITIVE;
             need++) {
            condition->need = need;
            proved = proved_with(undefined, all);
            if (!proved)
                condition->need = POSITIVE;
        }
    }
}

// Do the conditions of the gap speak of an operand that the advice speaks of?
static bool matters(const struct undefined *undefined, const struct gap *gap)
{
    for (uint32_t i = 0; i < gap->needs.at.len; i++)
        for (uint32_t k = 0; k < undefined->all.at.len; k++)
            if (strcmp(gap->needs.at.at[i].text, undefined->all.at.at[k].text) == 0)
                return true;
    return false;
}

static void print_side(struct undefined *undefined, bool left, struct buf *out)
{
    struct conditions said = {{0}};
    for (uint32_t i = 0; i < undefined->gaps.len; i++) {
        const struct gap *gap = &undefined->gaps.at[i];
        if (gap->left == left && matters(undefined, gap))
            conditions_add_all(undefined, &gap->operands, &said);
    }
    for (uint32_t i = 0; i < said.at.len; i++) {
        buf_puts(out, i == 0 ? "" : " or ");
        condition_print(&said.at.at[i], false, out);
    }
    vec_release(&said.at);
}

static void print_conditions(const struct undefined *undefined, struct buf *out)
{
    for (uint32_t i = 0; i < undefined->all.at.len; i++) {
        buf_puts(out, i == 0 ? "all(" : ", all(");
        condition_print(&undefined->all.at.at[i], true, out);
        buf_putc(out, ')');
    }
}

static void print_reason(struct undefined *undefined, const char *conditions, struct buf *out)
{
    struct buf left = {0}, right = {0};
    print_side(undefined, true, &left);
    print_side(undefined, false, &right);
    if (left.len > 0 && strcmp(buf_text(&left), buf_text(&right)) == 0) {
        buf_printf(out, "both sides undefined where %s", buf_text(&left));
    } else {
        if (left.len > 0)
            buf_printf(out, "left side undefined where %s", buf_text(&left));
        if (right.len > 0)
            buf_printf(out, "%sright side undefined where %s", left.len > 0 ? ", " : "",
                       buf_text(&right));
    }
    buf_printf(out, "; add `where %s`", conditions);
    buf_release(&left);
    buf_release(&right);
}

const char *undefined_reason(const struct rule *rule, const struct decide_options *options,
                             struct arena *mem, const char **conditions)
{
    struct undefined undefined = {.rule = rule, .options = *options, .mem = mem};
    const char *reason = NULL;
    if (rule_defines(rule))
        return NULL;
    undefined.options.domains = 1U << DOMAIN_REAL;
    undefined.options.hints = NULL;
    undefined.options.smt2 = NULL;
    undefined.options.solver = SOLVER_Z3;
    gaps_find(&undefined);
    if (undefined.all.at.len > 0 && undefined.all.at.len <= VERIFY_ADVICE_CONDITIONS &&
        proved_with(&undefined, &undefined.all)) {
        struct buf text = {0};
        weaken(&undefined);
        print_conditions(&undefined, &text);
        *conditions = arena_strdup(mem, buf_text(&text));
        buf_clear(&text);
        print_reason(&undefined, *conditions, &text);
        reason = arena_strdup(mem, buf_text(&text));
        buf_release(&text);
    }
    gaps_release(&undefined);
    return reason;
}

// Can elements be tried exactly: is the pattern computed at one index without roundings, functions
// and operators whose meaning is open?
static bool can_be_tried(const struct rule *rule, uint32_t pat)
{
    const struct pat *pattern = &rule->pats[pat];
    bool number = pattern->kind == PAT_LITERAL && pattern->lit == LIT_INT;
    bool ring = pattern->kind == PAT_OP &&
                (pattern->op == OP_ADD || pattern->op == OP_SUBTRACT || pattern->op == OP_NEGATE ||
                 pattern->op == OP_MULTIPLY || pattern->op == OP_ABS || pattern->op == OP_MAXIMUM ||
                 pattern->op == OP_MINIMUM);
    bool yes = number || ring || pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR ||
               pattern->kind == PAT_SPLAT;
    for (uint32_t i = 0; i < pattern->n_args && yes; i++)
        yes = can_be_tried(rule, pattern->args[i]);
    return yes;
}

// Are elements found that meet the rule's conditions and these?
static bool can_be_met(const struct undefined *undefined, const struct conditions *conditions)
{
    struct ruleset set = {0};
    struct arena mem = {0};
    const struct rule *rule = rule_with(undefined, conditions, &set);
    bool met = false;
    if (rule != NULL) {
        struct session session;
        session_init(&session, rule, &undefined->options, &mem);
        met = conditions_have_model(&session, DOMAIN_REAL);
        session_release(&session);
    }
    arena_release(&mem);
    ruleset_release(&set);
    return met;
}

// Is the condition what the operator needs, and no more?  A power of a negative number has a value
// for some exponents.
static bool is_needed(const struct rule *rule, const struct gap *gap,
                      const struct condition *condition)
{
    const struct pat *pattern = &rule->pats[gap->pat];
    if (pattern->op != OP_POWER)
        return condition->need != COSINE_NOT_ZERO;
    pattern = &rule->pats[pattern->args[1]];
    if (pattern->kind == PAT_SPLAT)
        pattern = &rule->pats[pattern->args[0]];
    return pattern->kind == PAT_LITERAL;
}

// Is the number one for which the operator has no value?  A decimal may be rounded to 0 here.
static bool is_outside(const struct pat *pattern, enum need need)
{
    bool decimal = pattern->lit == LIT_DECIMAL && strtod(pattern->text, NULL) != 0;
    return (pattern->lit == LIT_INT || decimal) && !condition_meets(pattern, need);
}

// Does the place never have a value?  The condition that fails; NULL: some elements are found at
// which it has one, or none can be tried.
static const struct condition *never_met(const struct undefined *undefined, const struct gap *gap)
{
    for (uint32_t i = 0; i < gap->direct.at.len; i++) {
        const struct condition *condition = &gap->direct.at.at[i];
        const struct pat *operand = &undefined->rule->pats[condition->pat];
        struct conditions none = {{0}}, one = {{0}};
        if (!is_needed(undefined->rule, gap, condition))
            continue;
        if (operand->kind == PAT_LITERAL && is_outside(operand, condition->need))
            return condition;
        if (operand->kind == PAT_LITERAL || !can_be_tried(undefined->rule, condition->pat))
            continue;
        vec_push(&one.at, *condition);
        bool never = can_be_met(undefined, &none) && !can_be_met(undefined, &one);
        vec_release(&one.at);
        if (never)
            return condition;
    }
    return NULL;
}

const char *undefined_always(const struct rule *rule, struct arena *mem)
{
    struct undefined undefined = {.rule = rule, .mem = mem};
    const char *reason = NULL;
    if (rule_defines(rule))
        return NULL;
    gaps_find(&undefined);
    for (uint32_t i = 0; i < undefined.gaps.len && reason == NULL; i++) {
        const struct gap *gap = &undefined.gaps.at[i];
        const struct condition *condition = never_met(&undefined, gap);
        struct buf text = {0};
        if (condition == NULL)
            continue;
        bool number = rule->pats[condition->pat].kind == PAT_LITERAL;
        buf_printf(&text, "%s side undefined where it computes `", gap->left ? "left" : "right");
        pat_print(rule, gap->pat, &text);
        buf_puts(&text, number ? "`" : "`: ");
        if (!number) {
            condition_print(condition, false, &text);
            buf_puts(&text, " for all elements that were tried");
        }
        reason = arena_strdup(mem, buf_text(&text));
        buf_release(&text);
    }
    gaps_release(&undefined);
    return reason;
}
