// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/expr.h"

static void print_var(const struct exprs *exprs, const struct rule *rule, uint32_t v,
                      struct buf *out)
{
    const struct var *var = &exprs->var.at[v];
    switch (var->kind) {
    case VAR_MAP:
        buf_printf(out, "%s.%u", rule == NULL ? "map" : rule->maps[var->a].name,
                   (unsigned)var->place);
        return;
    case VAR_OUT:
        buf_printf(out, "@%s.%u", rule == NULL ? "out" : rule->classes[var->a].name,
                   (unsigned)var->place);
        return;
    case VAR_BOUND:
        buf_printf(out, "#%s.%u.%u", rule == NULL ? "bound" : rule->classes[var->a].name,
                   (unsigned)var->place, (unsigned)var->level);
        return;
    case VAR_FRESH:
        buf_printf(out, "?%u", (unsigned)var->level);
        return;
    }
}

static void print_call(const struct exprs *exprs, const struct rule *rule, expr_id e,
                       const char *name, struct buf *out)
{
    buf_puts(out, name);
    if (exprs->node.at[e].n == 0) // of a tensor of rank 0
        return;
    buf_putc(out, '(');
    for (uint32_t i = 0; i < exprs->node.at[e].n; i++) {
        if (i > 0)
            buf_puts(out, ", ");
        expr_print(exprs, rule, expr_arg(exprs, e, i), out);
    }
    buf_putc(out, ')');
}

static void print_literal(const struct expr *node, struct buf *out)
{
    switch ((enum literal_kind)node->op) {
    case LIT_DECIMAL:
        if (node->k == 0)
            buf_puts(out, "-0.0");
        else
            buf_printf(out, "%lld/10^%u", (long long)node->k, (unsigned)node->sym);
        return;
    case LIT_LOWEST:
        buf_puts(out, "lowest");
        return;
    case LIT_HIGHEST:
        buf_puts(out, "highest");
        return;
    case LIT_UNIT:
        buf_printf(out, "unit%u", (unsigned)node->sym);
        return;
    default:
        buf_printf(out, "%lld", (long long)node->k);
        return;
    }
}

// Names of the kinds that print as calls; NULL for the others.
static const char *call_name(const struct rule *rule, const struct expr *node)
{
    static const char *const name[X_ATOM + 1] = {
        [X_ADD] = "add",     [X_MUL] = "mul",       [X_DIV] = "div",   [X_MOD] = "mod",
        [X_IF] = "if",       [X_VALUE] = "value",   [X_LE] = "le",     [X_EQ] = "eq",
        [X_NOT] = "not",     [X_AND] = "and",       [X_OR] = "or",     [X_SAME] = "same",
        [X_HOLDS] = "holds", [X_INJECT] = "inject", [X_PICK] = "pick", [X_REDUCE] = "reduce",
    };
    switch ((enum expr_kind)node->kind) {
    case X_ACCESS:
        return rule == NULL ? "tensor" : rule->tensors[node->sym].name;
    case X_OPVAR:
        return rule == NULL ? "opvar" : rule->opvars[node->sym].name;
    case X_OP:
        return op_name((enum op)node->op);
    default:
        return name[node->kind];
    }
}

void expr_print(const struct exprs *exprs, const struct rule *rule, expr_id e, struct buf *out)
{
    const struct expr *node = &exprs->node.at[e];
    switch ((enum expr_kind)node->kind) {
    case X_INT:
        buf_printf(out, "%lld", (long long)node->k);
        return;
    case X_VAR:
        print_var(exprs, rule, node->sym, out);
        return;
    case X_TRUE:
        buf_puts(out, "true");
        return;
    case X_FALSE:
        buf_puts(out, "false");
        return;
    case X_LITERAL:
        print_literal(node, out);
        return;
    case X_SCALAR:
        buf_puts(out, rule == NULL ? "scalar" : rule->scalars[node->sym].name);
        return;
    case X_ATOM:
        buf_printf(out, "$%lld", (long long)node->k);
        return;
    default:
        print_call(exprs, rule, e, call_name(rule, node), out);
        return;
    }
}
