// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/expr.h"

static void print_var(const struct exprs *x, const struct rule *r, uint32_t v,
                      struct buf *out)
{
    const struct var *o = &x->var.at[v];
    switch (o->kind) {
    case VAR_MAP:
        buf_printf(out, "%s.%u", r == NULL ? "map" : r->maps[o->a].name,
                   (unsigned)o->place);
        return;
    case VAR_OUT:
        buf_printf(out, "@%s.%u", r == NULL ? "out" : r->classes[o->a].name,
                   (unsigned)o->place);
        return;
    case VAR_BOUND:
        buf_printf(out, "#%s.%u.%u",
                   r == NULL ? "bound" : r->classes[o->a].name,
                   (unsigned)o->place, (unsigned)o->level);
        return;
    case VAR_FRESH:
        buf_printf(out, "?%u", (unsigned)o->level);
        return;
    }
}

static void print_call(const struct exprs *x, const struct rule *r, expr_id e,
                       const char *name, struct buf *out)
{
    buf_printf(out, "%s(", name);
    for (uint32_t i = 0; i < x->node.at[e].n; i++) {
        if (i > 0)
            buf_puts(out, ", ");
        expr_print(x, r, expr_arg(x, e, i), out);
    }
    buf_putc(out, ')');
}

static void print_literal(const struct expr *n, struct buf *out)
{
    switch ((enum literal_kind)n->op) {
    case LIT_DECIMAL:
        if (n->k == 0)
            buf_puts(out, "-0.0");
        else
            buf_printf(out, "%lld/10^%u", (long long)n->k, (unsigned)n->sym);
        return;
    case LIT_LOWEST:
        buf_puts(out, "lowest");
        return;
    case LIT_HIGHEST:
        buf_puts(out, "highest");
        return;
    case LIT_UNIT:
        buf_printf(out, "unit%u", (unsigned)n->sym);
        return;
    default:
        buf_printf(out, "%lld", (long long)n->k);
        return;
    }
}

// Names of the kinds that print as calls; NULL for the others.
static const char *call_name(const struct rule *r, const struct expr *n)
{
    static const char *const name[X_ATOM + 1] = {
        [X_ADD] = "add",       [X_MUL] = "mul",       [X_DIV] = "div",
        [X_MOD] = "mod",       [X_IF] = "if",         [X_VALUE] = "value",
        [X_LE] = "le",         [X_EQ] = "eq",         [X_NOT] = "not",
        [X_AND] = "and",       [X_OR] = "or",         [X_SAME] = "same",
        [X_HOLDS] = "holds",   [X_INJECT] = "inject", [X_PICK] = "pick",
        [X_REDUCE] = "reduce",
    };
    switch ((enum expr_kind)n->kind) {
    case X_ACCESS:
        return r == NULL ? "tensor" : r->tensors[n->sym].name;
    case X_OPVAR:
        return r == NULL ? "opvar" : r->opvars[n->sym].name;
    case X_OP:
        return op_name((enum op)n->op);
    default:
        return name[n->kind];
    }
}

void expr_print(const struct exprs *x, const struct rule *r, expr_id e,
                struct buf *out)
{
    const struct expr *n = &x->node.at[e];
    switch ((enum expr_kind)n->kind) {
    case X_INT:
        buf_printf(out, "%lld", (long long)n->k);
        return;
    case X_VAR:
        print_var(x, r, n->sym, out);
        return;
    case X_TRUE:
        buf_puts(out, "true");
        return;
    case X_FALSE:
        buf_puts(out, "false");
        return;
    case X_LITERAL:
        print_literal(n, out);
        return;
    case X_SCALAR:
        buf_puts(out, r == NULL ? "scalar" : r->scalars[n->sym].name);
        return;
    case X_ATOM:
        buf_printf(out, "$%lld", (long long)n->k);
        return;
    default:
        print_call(x, r, e, call_name(r, n), out);
        return;
    }
}
