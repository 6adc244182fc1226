// SPDX-License-Identifier: Apache-2.0
// Prints patterns as text, and conditions on their variables.
#include "formula/rules/core.h"
#include "formula/limits.h"
#include "formula/terms/names.h"
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>

void named_put_set(const struct named_rule *named_rule, uint32_t set, struct buf *out)
{
    const struct named_set *s = &named_rule->set[set];
    buf_printf(out, "?%s", named_rule->rule->classes[s->cls].name);
    if (s->nth > 0)
        buf_printf(out, ".%u", s->nth);
}

// ---- operators ----

static const char *operator_name(struct named_rule *named_rule, enum op op, uint32_t n_args)
{
    if (fname_of_op(op_name(op), n_args))
        return op_name(op);
    named_fail(named_rule, "%s", op_name(op));
    return NULL;
}

static const char *reduce_name(struct named_rule *named_rule, enum op op, bool truth)
{
    switch (op) {
    case OP_ADD:
    case OP_MULTIPLY:
    case OP_MAXIMUM:
    case OP_MINIMUM:
        if (!truth)
            return op == OP_ADD        ? "reduce_add"
                   : op == OP_MULTIPLY ? "reduce_multiply"
                   : op == OP_MAXIMUM  ? "reduce_maximum"
                                       : "reduce_minimum";
        break;
    case OP_AND:
    case OP_OR:
        if (truth)
            return op == OP_AND ? "reduce_and" : "reduce_or";
        break;
    case OP_DIVIDE:
    case OP_REMAINDER:
    case OP_SHIFT_LEFT:
    case OP_SHIFT_RIGHT_ARITHMETIC:
    case OP_SHIFT_RIGHT_LOGICAL:
    case OP_SUBTRACT:
    case OP_XOR:
        LEAF_CASES
        UNARY_CASES
        POINT_CASES
        TRANSCENDENTAL_BINARY_CASES
        SHAPED_CASES
        OUTSIDE_CASES
        break;
    }
    named_fail(named_rule, "a reduction by %s", op_name(op));
    return NULL;
}

// Prints a decimal as a ratio: `-0.5` is -1/2.
static bool put_decimal(struct named_rule *named_rule, const char *text, struct buf *out)
{
    const char *dot = strchr(text, '.');
    if (!dot || strlen(text) > NAMED_DIGITS)
        return named_fail(named_rule, "the number %s", text);
    char digits[NAMED_DIGITS + 28];
    snprintf(digits, sizeof digits, "%.*s%s", (int)(dot - text), text, dot + 1);
    mpq_t q;
    mpq_init(q);
    bool ok = mpz_set_str(mpq_numref(q), digits, 10) == 0;
    mpz_ui_pow_ui(mpq_denref(q), 10, strlen(dot + 1));
    mpq_canonicalize(q);
    if (ok) {
        char number[400]; // digits of both, a sign and the slash
        mpq_get_str(number, 10, q);
        buf_puts(out, number);
    }
    mpq_clear(q);
    return ok || named_fail(named_rule, "the number %s", text);
}

static bool put_unit(struct named_rule *named_rule, enum op op, bool truth, struct buf *out)
{
    if (op != OP_ADD && op != OP_MULTIPLY && op != OP_AND && op != OP_OR)
        return named_fail(named_rule, "an infinity");
    if (truth != (op == OP_AND || op == OP_OR))
        return named_fail(named_rule, "the unit of %s", op_name(op));
    buf_puts(out, op == OP_ADD ? "0" : op == OP_MULTIPLY ? "1" : op == OP_AND ? "true" : "false");
    return true;
}

static bool put_literal(struct named_rule *named_rule, const struct pat *pattern, struct buf *out)
{
    bool truth = named_is_bool(named_rule, pattern->type);
    switch (pattern->lit) {
    case LIT_INT:
        if (truth)
            return named_fail(named_rule, "a number as a truth value");
        buf_printf(out, "%" PRId64, pattern->k);
        return true;
    case LIT_DECIMAL:
        return put_decimal(named_rule, pattern->text, out);
    case LIT_BOOL:
        buf_puts(out, pattern->k ? "true" : "false");
        return true;
    case LIT_LOWEST:
    case LIT_HIGHEST:
        if (!truth)
            return named_fail(named_rule, "an infinity");
        buf_puts(out, pattern->lit == LIT_HIGHEST ? "true" : "false");
        return true;
    case LIT_UNIT:
        return put_unit(named_rule,
                        pattern->opvar == NONE ? pattern->reducer : named_rule->ops[pattern->opvar],
                        truth, out);
    case LIT_INF:
        return named_fail(named_rule, "an infinity");
    case LIT_PI:
        buf_puts(out, "pi");
        return true;
    case LIT_VALUE:
        break;
    }
    return named_fail(named_rule, "a size as an element");
}

// ---- patterns ----
// `path`: sets that nodes above bind.

static bool put_args(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                     struct named_side *side)
{
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        buf_putc(side->out, ' ');
        if (!named_put(writer, pattern->args[k], path, side))
            return false;
    }
    buf_putc(side->out, ')');
    return true;
}

static bool node(struct named_writer *writer, struct named_side *side)
{
    return side->nodes++ < NAMED_MAX_NODES ||
           named_fail(&writer->named_rule, "more than %d nodes", NAMED_MAX_NODES);
}

static bool put_variable(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                         struct named_side *side)
{
    const struct rule *rule = writer->named_rule.rule;
    bool tensor = pattern->kind == PAT_TENSOR;
    uint32_t own = named_sets(&writer->named_rule, pattern->n_sizes, pattern->sizes);
    buf_printf(side->out, "?%s",
               tensor ? rule->tensors[pattern->var].name : rule->scalars[pattern->var].name);
    uint64_t *used = tensor ? side->tensor : side->scalar;
    used[pattern->var / 64] |= (uint64_t)1 << pattern->var % 64;
    writer->constant[pattern->var + (tensor ? 0 : rule->n_tensors)] |= path & ~own;
    return true;
}

// The sets of the classes in the shape of the argument.
static bool sets_of(struct named_writer *writer, const struct pat *arg, uint64_t classes,
                    uint32_t *out)
{
    *out = 0;
    for (uint32_t c = 0; c < writer->named_rule.rule->n_classes; c++) {
        if (!(classes & writer->named_rule.bound & (uint64_t)1 << c))
            continue;
        uint32_t k = named_set_of(&writer->named_rule, arg->n_sizes, arg->sizes, c);
        if (k == NONE)
            return named_fail(&writer->named_rule, "an operand without %s",
                              writer->named_rule.rule->classes[c].name);
        *out |= 1U << k;
    }
    return true;
}

// Prints `(name ?x (name ?y `, and the closing parentheses.
static bool open_reduce(struct named_writer *writer, const char *name, uint32_t sets,
                        struct named_side *side)
{
    for (uint32_t k = 0; k < writer->named_rule.n_sets; k++)
        if (sets >> k & 1) {
            if (!node(writer, side))
                return false;
            *side->sets |= 1U << k;
            buf_printf(side->out, "(%s ", name);
            named_put_set(&writer->named_rule, k, side->out);
            buf_putc(side->out, ' ');
        }
    return true;
}

static void close_reduce(uint32_t sets, struct named_side *side)
{
    for (; sets; sets &= sets - 1)
        buf_putc(side->out, ')');
}

static bool is_one(const struct rule *rule, uint32_t i)
{
    const struct pat *pattern = &rule->pats[i];
    while (pattern->kind == PAT_SPLAT)
        pattern = &rule->pats[pattern->args[0]];
    return pattern->kind == PAT_LITERAL && pattern->lit == LIT_INT && pattern->k == 1;
}

// The size of a set, as a sum of ones.
static bool put_count(struct named_writer *writer, uint32_t sets, struct named_side *side)
{
    uint32_t n = 0;
    for (uint32_t rest = sets; rest; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest);
        if (!node(writer, side) || !node(writer, side))
            return false;
        if (rest & (rest - 1)) {
            buf_puts(side->out, "(multiply ");
            n++;
        }
        *side->sets |= 1U << k;
        buf_puts(side->out, "(count ");
        named_put_set(&writer->named_rule, k, side->out);
        buf_puts(side->out, rest & (rest - 1) ? ") " : ")");
    }
    while (n-- > 0)
        buf_putc(side->out, ')');
    return true;
}

static bool put_reduce(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                       struct named_side *side)
{
    const struct rule *rule = writer->named_rule.rule;
    enum op op = pattern->opvar == NONE ? pattern->reducer : writer->named_rule.ops[pattern->opvar];
    const char *name =
        reduce_name(&writer->named_rule, op, named_is_bool(&writer->named_rule, pattern->type));
    uint32_t sets;
    if (!name || !sets_of(writer, &rule->pats[pattern->args[0]], pattern->classes, &sets))
        return false;
    if (pattern->n_args == 2) {
        if (!node(writer, side))
            return false;
        buf_printf(side->out, "(%s ", op_name(op));
        if (!named_put(writer, pattern->args[1], path, side))
            return false;
        buf_putc(side->out, ' ');
    }
    if (op == OP_ADD && sets && is_one(rule, pattern->args[0])) {
        if (!put_count(writer, sets, side))
            return false;
    } else {
        if (!open_reduce(writer, name, sets, side) ||
            !named_put(writer, pattern->args[0], path | sets, side))
            return false;
        close_reduce(sets, side);
    }
    if (pattern->n_args == 2)
        buf_putc(side->out, ')');
    return true;
}

static bool put_dot(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                    struct named_side *side)
{
    uint32_t sets;
    if (named_is_bool(&writer->named_rule, pattern->type))
        return named_fail(&writer->named_rule, "a contraction of truth values");
    if (!sets_of(writer, &writer->named_rule.rule->pats[pattern->args[0]], pattern->classes,
                 &sets) ||
        !open_reduce(writer, "reduce_add", sets, side) || !node(writer, side))
        return false;
    buf_puts(side->out, "(multiply");
    if (!put_args(writer, pattern, path | sets, side))
        return false;
    close_reduce(sets, side);
    return true;
}

static bool put_join(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                     struct named_side *side)
{
    uint32_t set[3];
    for (uint32_t k = 0; k < 3; k++) {
        if (!sets_of(writer,
                     k == 0 ? pattern : &writer->named_rule.rule->pats[pattern->args[k - 1]],
                     pattern->classes, &set[k]))
            return false;
        *side->sets |= set[k];
    }
    if (!node(writer, side))
        return false;
    buf_puts(side->out, "(concatenate");
    for (uint32_t k = 0; k < 3; k++) {
        buf_putc(side->out, ' ');
        named_put_set(&writer->named_rule, (uint32_t)__builtin_ctz(set[k]), side->out);
    }
    for (uint32_t k = 0; k < 2; k++) {
        buf_putc(side->out, ' ');
        if (!named_put(writer, pattern->args[k], path | set[k + 1], side))
            return false;
    }
    buf_putc(side->out, ')');
    return true;
}

static bool put_compare(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                        struct named_side *side)
{
    static const struct {
        const char *name;
        bool swap, any;
    } of[] = {
        [CMP_EQ] = {"eq", false, true},  [CMP_NE] = {"ne", false, true},
        [CMP_GE] = {"le", true, false},  [CMP_GT] = {"lt", true, false},
        [CMP_LE] = {"le", false, false}, [CMP_LT] = {"lt", false, false},
    };
    if (!of[pattern->dir].any &&
        named_is_bool(&writer->named_rule, writer->named_rule.rule->pats[pattern->args[0]].type))
        return named_fail(&writer->named_rule, "the order of truth values");
    if (!node(writer, side))
        return false;
    buf_printf(side->out, "(%s ", of[pattern->dir].name);
    if (!named_put(writer, pattern->args[of[pattern->dir].swap], path, side))
        return false;
    buf_putc(side->out, ' ');
    if (!named_put(writer, pattern->args[!of[pattern->dir].swap], path, side))
        return false;
    buf_putc(side->out, ')');
    return true;
}

// clamp(l, x, h) is minimum(maximum(x, l), h).
static bool put_clamp(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                      struct named_side *side)
{
    if (named_is_bool(&writer->named_rule, pattern->type))
        return named_fail(&writer->named_rule, "the order of truth values");
    if (!node(writer, side) || !node(writer, side))
        return false;
    buf_puts(side->out, "(minimum (maximum ");
    if (!named_put(writer, pattern->args[1], path, side))
        return false;
    buf_putc(side->out, ' ');
    if (!named_put(writer, pattern->args[0], path, side))
        return false;
    buf_puts(side->out, ") ");
    if (!named_put(writer, pattern->args[2], path, side))
        return false;
    buf_putc(side->out, ')');
    return true;
}

static bool for_truth_values(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_NOT;
}

static bool put_elementwise(struct named_writer *writer, const struct pat *pattern, enum op op,
                            uint32_t path, struct named_side *side)
{
    const char *name = operator_name(&writer->named_rule, op, pattern->n_args);
    if (!name)
        return false;
    if (op != OP_SELECT &&
        named_is_bool(&writer->named_rule, pattern->type) != for_truth_values(op))
        return named_fail(&writer->named_rule, "%s of %s", name,
                          for_truth_values(op) ? "numbers" : "truth values");
    if (!node(writer, side))
        return false;
    buf_printf(side->out, "(%s", name);
    return put_args(writer, pattern, path, side);
}

static bool put_op(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                   struct named_side *side)
{
    switch (pattern->op) {
    case OP_REDUCE:
        return put_reduce(writer, pattern, path, side);
    case OP_DOT_GENERAL:
        return put_dot(writer, pattern, path, side);
    case OP_CONCATENATE:
        return put_join(writer, pattern, path, side);
    case OP_COMPARE:
        return put_compare(writer, pattern, path, side);
    case OP_CLAMP:
        return put_clamp(writer, pattern, path, side);
    case OP_BROADCAST_IN_DIM:
        return named_put(writer, pattern->args[0], path, side);
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CONVERT:
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_SLICE:
    case OP_PAD:
    case OP_CONVOLUTION:
    case OP_REDUCE_WINDOW:
    case OP_DYNAMIC_SLICE:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return put_elementwise(writer, pattern, pattern->op, path, side);
}

// A variable is a function of tensors as the rule declares them: it is constant
// along a class that its shape lacks.
static bool put_call(struct named_writer *writer, const struct pat *pattern, uint32_t path,
                     struct named_side *side)
{
    uint32_t sets;
    if (!sets_of(writer, &writer->named_rule.rule->pats[pattern->args[0]], pattern->classes,
                 &sets) ||
        !node(writer, side))
        return false;
    *side->sets |= sets;
    buf_printf(side->out, "(%s", pattern->text);
    for (uint32_t rest = sets; rest; rest &= rest - 1) {
        buf_putc(side->out, ' ');
        named_put_set(&writer->named_rule, (uint32_t)__builtin_ctz(rest), side->out);
    }
    return put_args(writer, pattern, path | sets, side);
}

// The sets of one shape, of a variable or of a computed term, must be disjoint,
// so that an index of each can be chosen.
static void keep_apart(struct named_writer *writer, const struct pat *pattern)
{
    uint32_t own = named_sets(&writer->named_rule, pattern->n_sizes, pattern->sizes);
    for (uint32_t k = 0; k < writer->named_rule.n_sets; k++)
        if (own >> k & 1)
            writer->apart[k] |= own & ~(1U << k);
}

bool named_put(struct named_writer *writer, uint32_t i, uint32_t path, struct named_side *side)
{
    const struct pat *pattern = &writer->named_rule.rule->pats[i];
    keep_apart(writer, pattern);
    switch (pattern->kind) {
    case PAT_TENSOR:
    case PAT_SCALAR:
        return put_variable(writer, pattern, path, side);
    case PAT_LITERAL:
        return node(writer, side) && put_literal(&writer->named_rule, pattern, side->out);
    case PAT_SPLAT:
        return named_put(writer, pattern->args[0], path, side);
    case PAT_OP:
        return put_op(writer, pattern, path, side);
    case PAT_OPVAR:
        return put_elementwise(writer, pattern, writer->named_rule.ops[pattern->var], path, side);
    case PAT_CALL:
        return put_call(writer, pattern, path, side);
    case PAT_RELABEL:
        for (uint32_t k = 0; k < pattern->n_relabels; k++)
            if (writer->named_rule.bound >> pattern->relabels[k].from & 1 ||
                writer->named_rule.bound >> pattern->relabels[k].to & 1)
                return named_fail(&writer->named_rule, "renamed axes");
        return named_put(writer, pattern->args[0], path, side);
    }
    return false;
}
