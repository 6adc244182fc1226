// SPDX-License-Identifier: Apache-2.0
// Writes plain rules for rules of the library.
#include "formula/rules/named.h"
#include "formula/limits.h"

#include "formula/rules/core.h"
#include "formula/terms/names.h"
#include "rules/instance/instance.h"
#include <stdarg.h>
#include <stdio.h>

bool named_fail(struct named_rule *n, const char *fmt, ...)
{
    char msg[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_set(n->why, ERR_CHECK, "%s", msg);
}

bool named_domain(const struct rule *rule, enum domain *out)
{
    bool real = rule->claims >> DOMAIN_REAL & 1, truth = rule->claims >> DOMAIN_BOOL & 1;
    for (uint32_t i = 0; i < rule->n_types; i++) {
        unsigned k = rule->types[i].kinds;
        real = real && (k & KIND_FLOAT || k == KIND_BOOL);
        truth = truth && k & KIND_BOOL;
    }
    *out = real ? DOMAIN_REAL : DOMAIN_BOOL;
    return (real || truth) && rule->n_wider == 0;
}

bool named_is_bool(const struct named_rule *n, uint32_t type)
{
    return n->domain == DOMAIN_BOOL || !(n->rule->types[type].kinds & KIND_FLOAT);
}

// ---- element types ----
// Plain variables have no types.  Truth values are the numbers 0 and 1, so a
// rule about numbers holds for them, too.  But a right side that computes must
// not be made for truth values, and a rule about truth values holds for no
// other numbers.  So the matched side must determine the types.

static void only(struct named_rule *n, unsigned *mark, uint32_t type)
{
    mark[type] |= named_is_bool(n, type) ? 2 : 1;
}

static void mark_types(struct named_writer *writer, uint32_t i, unsigned *mark)
{
    const struct rule *rule = writer->named_rule.rule;
    const struct pat *pattern = &rule->pats[i];
    for (uint32_t k = 0; k < pattern->n_args; k++)
        mark_types(writer, pattern->args[k], mark);
    switch (pattern->kind) {
    case PAT_LITERAL:
        only(&writer->named_rule, mark, pattern->type);
        return;
    case PAT_OPVAR:
    case PAT_CALL:
        only(&writer->named_rule, mark, pattern->type);
        for (uint32_t k = 0; k < pattern->n_args; k++)
            only(&writer->named_rule, mark, rule->pats[pattern->args[k]].type);
        return;
    case PAT_OP:
        break;
    default:
        return;
    }
    if (pattern->op == OP_SELECT) {
        only(&writer->named_rule, mark, rule->pats[pattern->args[0]].type);
    } else if (pattern->op == OP_COMPARE) {
        only(&writer->named_rule, mark, pattern->type);
        if (pattern->dir != CMP_EQ && pattern->dir != CMP_NE)
            only(&writer->named_rule, mark, rule->pats[pattern->args[0]].type);
    } else if (pattern->op != OP_CONCATENATE && pattern->op != OP_BROADCAST_IN_DIM) {
        only(&writer->named_rule, mark, pattern->type);
        for (uint32_t k = 0; k < pattern->n_args; k++)
            only(&writer->named_rule, mark, rule->pats[pattern->args[k]].type);
    }
}

// Collects the types of the variables of a side.
static bool types_are_told(struct named_writer *writer, uint32_t i)
{
    const struct rule *rule = writer->named_rule.rule;
    const struct pat *pattern = &rule->pats[i];
    if (pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR) {
        bool matters =
            named_is_bool(&writer->named_rule, pattern->type) || writer->used[pattern->type];
        if (matters && !writer->found[pattern->type])
            return named_fail(&writer->named_rule, "%s could be a number or a truth value",
                              pattern->kind == PAT_TENSOR ? rule->tensors[pattern->var].name
                                                          : rule->scalars[pattern->var].name);
    }
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (!types_are_told(writer, pattern->args[k]))
            return false;
    return true;
}

static bool check_types(struct named_writer *writer, uint32_t from)
{
    mark_types(writer, from, writer->found);
    mark_types(writer, writer->named_rule.rule->lhs, writer->used);
    mark_types(writer, writer->named_rule.rule->rhs, writer->used);
    return types_are_told(writer, from);
}

// ---- a rule ----

static bool within(struct named_rule *n, const struct named_side *part,
                   const struct named_side *whole)
{
    const struct rule *rule = n->rule;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        if (part->tensor[i / 64] & ~whole->tensor[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", rule->tensors[i].name);
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        if (part->scalar[i / 64] & ~whole->scalar[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", rule->scalars[i].name);
    uint32_t lacks = *part->sets & ~*whole->sets;
    return lacks == 0 || named_fail(n, "the other side lacks %s",
                                    rule->classes[n->set[__builtin_ctz(lacks)].cls].name);
}

static struct named_side side_new(const struct rule *rule, struct buf *out, struct arena *mem)
{
    return (struct named_side){
        .out = out,
        .tensor = ARENA_NEW(mem, uint64_t, rule->n_tensors / 64 + 1),
        .scalar = ARENA_NEW(mem, uint64_t, rule->n_scalars / 64 + 1),
        .sets = ARENA_NEW(mem, uint32_t, 1),
    };
}

static void guard(struct buf *out, uint32_t *n)
{
    buf_puts(out, (*n)++ == 0 ? " if " : " and ");
}

static void put_constant(struct named_writer *writer, const struct named_side *left,
                         struct buf *out, uint32_t *guards)
{
    const struct rule *rule = writer->named_rule.rule;
    for (uint32_t k = 0; k < writer->named_rule.n_sets; k++) {
        for (uint32_t v = 0; v < rule->n_tensors + rule->n_scalars; v++) {
            if (!(writer->constant[v] >> k & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            named_put_set(&writer->named_rule, k, out);
            buf_printf(out, ", ?%s)",
                       v < rule->n_tensors ? rule->tensors[v].name
                                           : rule->scalars[v - rule->n_tensors].name);
        }
        for (uint32_t j = k + 1; j < writer->named_rule.n_sets; j++) {
            if (!(writer->apart[k] >> j & 1) || !(*left->sets >> k & 1) || !(*left->sets >> j & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            named_put_set(&writer->named_rule, k, out);
            buf_puts(out, ", ");
            named_put_set(&writer->named_rule, j, out);
            buf_putc(out, ')');
        }
    }
}

// Conditions after the right side.  Conditions on elements come first, because
// they are part of the query.
static bool put_conditions(struct named_writer *writer, const struct named_side *left,
                           struct arena *mem, struct buf *out)
{
    const struct rule *rule = writer->named_rule.rule;
    uint32_t guards = 0, nodes = left->nodes;
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        if (rule->wheres[i].cond)
            continue;
        struct named_side side = side_new(rule, out, mem);
        guard(out, &guards);
        buf_puts(out, "same(");
        if (!named_put(writer, rule->wheres[i].pat, 0, &side))
            return false;
        buf_puts(out, ", true)");
        if (!within(&writer->named_rule, &side, left))
            return false;
        nodes += 2 * (side.nodes + 1);
    }
    put_constant(writer, left, out, &guards);
    if (guards > NAMED_MAX_GUARDS)
        return named_fail(&writer->named_rule, "more than %d conditions", NAMED_MAX_GUARDS);
    return nodes <= NAMED_MAX_NODES ||
           named_fail(&writer->named_rule, "more than %d nodes", NAMED_MAX_NODES);
}

static uint32_t height(const struct rule *rule, uint32_t i)
{
    uint32_t h = 0;
    for (uint32_t k = 0; k < rule->pats[i].n_args; k++) {
        uint32_t a = height(rule, rule->pats[i].args[k]);
        h = h > a ? h : a;
    }
    return h + 1;
}

// The pattern without operators that vanish around it.
static bool is_variable(const struct rule *rule, uint32_t i)
{
    const struct pat *pattern = &rule->pats[i];
    while (pattern->kind == PAT_SPLAT || pattern->kind == PAT_RELABEL ||
           (pattern->kind == PAT_OP && pattern->op == OP_BROADCAST_IN_DIM))
        pattern = &rule->pats[pattern->args[0]];
    return pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR;
}

// The arguments of a definition of numbers, but the first: what a function is about is no literal.
static void put_at_literals(struct named_writer *writer, const char *name, const struct buf *sides,
                            struct buf *out)
{
    const struct rule *rule = writer->named_rule.rule;
    const struct pat *call = &rule->pats[rule->rhs];
    struct buf variable = {0};
    for (uint32_t k = 1; writer->named_rule.n_sets == 0 && k < call->n_args; k++) {
        const struct pat *arg = &rule->pats[call->args[k]];
        if (arg->kind != PAT_TENSOR || named_is_bool(&writer->named_rule, arg->type))
            continue;
        buf_clear(&variable);
        buf_printf(&variable, "?%s", rule->tensors[arg->var].name);
        named_put_at_numbers(name, buf_text(&sides[0]), buf_text(&sides[1]), buf_text(&variable),
                             out);
    }
    buf_release(&variable);
}

static bool write_rule(struct named_writer *writer, const char *name, uint32_t from, uint32_t to,
                       struct arena *mem, struct buf *out)
{
    const struct rule *rule = writer->named_rule.rule;
    struct buf sides[2] = {{0}, {0}};
    struct named_side left = side_new(rule, &sides[0], mem), right = side_new(rule, &sides[1], mem);
    bool ok = named_put(writer, from, 0, &left) && named_put(writer, to, 0, &right);
    if (ok && strcmp(buf_text(&sides[0]), buf_text(&sides[1])) == 0)
        ok = named_fail(&writer->named_rule, "both sides are the same named term");
    ok = ok && within(&writer->named_rule, &right, &left);
    if (ok) {
        buf_printf(out, "%s: %s => %s", name, buf_text(&sides[0]), buf_text(&sides[1]));
        ok = put_conditions(writer, &left, mem, out);
        buf_putc(out, '\n');
        if (ok && rule_defines(rule) && to == rule->rhs)
            put_at_literals(writer, name, sides, out);
    }
    buf_release(&sides[0]);
    buf_release(&sides[1]);
    return ok;
}

// The operators that stand for the operator variables of a rule, and the lines
// that were written for such choices.
struct op_choice {
    const struct rule *rule;
    bool backward;
    enum op *ops;    // per operator variable
    struct buf name; // of the rule, then ".operator" for each variable
    uint32_t lines;
};

// The line for the operators chosen.
static bool one_rule(const struct op_choice *choice, struct arena *mem, struct buf *out,
                     struct err *why)
{
    const struct rule *rule = choice->rule;
    bool backward = choice->backward;
    struct named_writer writer = {.named_rule = {.rule = rule, .why = why, .ops = choice->ops}};
    uint32_t from = backward ? rule->rhs : rule->lhs, to = backward ? rule->lhs : rule->rhs;
    if (!named_domain(rule, &writer.named_rule.domain))
        return named_fail(&writer.named_rule, "says nothing about reals");
    if (is_variable(rule, from))
        return named_fail(&writer.named_rule, "a variable matches everything");
    if (height(rule, from) > NAMED_MAX_DEPTH || height(rule, to) > NAMED_MAX_DEPTH)
        return named_fail(&writer.named_rule, "deeper than %d", NAMED_MAX_DEPTH);
    writer.named_rule.one = ARENA_NEW(mem, int64_t, rule->n_maps + 1);
    writer.named_rule.ones = ARENA_NEW(mem, int64_t *, rule->n_maps + 1);
    writer.constant = ARENA_NEW(mem, uint32_t, rule->n_tensors + rule->n_scalars + 1);
    writer.used = ARENA_NEW(mem, unsigned, rule->n_types + 1);
    writer.found = ARENA_NEW(mem, unsigned, rule->n_types + 1);
    return named_prepare(&writer.named_rule, from) && check_types(&writer, from) &&
           write_rule(&writer, buf_text(&choice->name), from, to, mem, out);
}

// ---- operator variables ----

// May the operator variable stand for the operator?
static bool op_fits(const struct rule *rule, const struct op_var *opvar, enum op op)
{
    unsigned result = rule->types[opvar->result].kinds;
    if (!(result & KIND_FLOAT) || !(op_kinds(op) & KIND_FLOAT) ||
        !fname_of_op(op_name(op), opvar->n_args))
        return false;
    for (uint32_t k = 0; k < opvar->n_args; k++)
        if (!(rule->types[opvar->args[k]].kinds & KIND_FLOAT))
            return false;
    switch (opvar->kind) {
    case OPVAR_ELEMENTWISE:
        return (op_class(op) == OPC_UNARY && opvar->n_args == 1) ||
               (op_class(op) == OPC_BINARY && opvar->n_args == 2);
    case OPVAR_MONOID:
        return op_is_reducer(op) && monoid_holds(op, ELEM_REAL, DOMAIN_REAL);
    case OPVAR_MONOTONE:
        return op_class(op) == OPC_UNARY && monotone_holds(op, ELEM_REAL, DOMAIN_REAL);
    }
    return false;
}

// Writes the lines for all choices of operators for the variables from `at` on.
static bool choose(struct op_choice *choice, uint32_t at, struct arena *mem, struct buf *out,
                   struct err *why)
{
    const struct rule *rule = choice->rule;
    if (at == rule->n_opvars) {
        struct buf line = {0};
        struct err err = {0};
        bool ok = one_rule(choice, mem, &line, &err);
        if (ok) {
            buf_puts(out, buf_text(&line));
            if (++choice->lines > NAMED_MAX_LINES)
                ok = err_set(why, ERR_LIMIT, "more than %d rules", NAMED_MAX_LINES);
        } else {
            *why = err;
            ok = true;
        }
        buf_release(&line);
        return ok;
    }
    for (uint32_t op = 0; op < N_OPS; op++) {
        if (!op_fits(rule, &rule->opvars[at], (enum op)op))
            continue;
        choice->ops[at] = (enum op)op;
        size_t len = choice->name.len;
        buf_printf(&choice->name, ".%s", op_name((enum op)op));
        bool ok = choose(choice, at + 1, mem, out, why);
        choice->name.len = len;
        choice->name.at[len] = 0;
        if (!ok)
            return false;
    }
    return true;
}

bool named_rule(const struct rule *rule, const char *name, bool backward, struct buf *out,
                struct err *why)
{
    struct arena mem = {0};
    struct op_choice choice = {.rule = rule, .backward = backward};
    size_t before = out->len;
    choice.ops = ARENA_NEW(&mem, enum op, rule->n_opvars + 1);
    struct err err = {0};
    buf_puts(&choice.name, name);
    bool ok = choose(&choice, 0, &mem, out, &err);
    if (ok && choice.lines == 0) {
        ok = false;
        err_set(&err, ERR_CHECK, "no operator of formulas fits");
    }
    if (!ok) {
        *why = err;
        if (out->len > before) {
            out->len = before;
            out->at[before] = 0;
        }
    }
    buf_release(&choice.name);
    arena_release(&mem);
    return ok;
}
