// SPDX-License-Identifier: Apache-2.0
// Axioms as text.
#include "verify/arithmetic/axioms.h"

static const char *const infix[] = {
    [AT_EQ] = " = ",    [AT_NE] = " != ", [AT_LT] = " < ",    [AT_LE] = " <= ",
    [AT_AND] = " and ", [AT_OR] = " or ", [AT_IFF] = " <=> ",
};

static const char *short_name(enum op op)
{
    switch (op) {
    case OP_EXPONENTIAL:
        return "exp";
    case OP_EXPONENTIAL_MINUS_ONE:
        return "expm1";
    case OP_LOG_PLUS_ONE:
        return "log1p";
    case OP_POWER:
        return "pow";
    default:
        return op_name(op);
    }
}

static unsigned strength(const struct aterm *t)
{
    if (t->kind != AT_OP)
        return 4;
    return t->op == OP_ADD || t->op == OP_SUBTRACT      ? 1
           : t->op == OP_MULTIPLY || t->op == OP_DIVIDE ? 2
           : t->op == OP_NEGATE                         ? 3
                                                        : 4;
}

static void print(const struct aterm *t, unsigned least, struct buf *out)
{
    unsigned own = strength(t);
    if (t->kind == AT_VAR) {
        buf_printf(out, "%c", 'a' + t->k);
    } else if (t->kind == AT_INT) {
        buf_printf(out, "%d", t->k);
    } else if (t->kind != AT_OP) {
        print(t->a, 0, out);
        buf_puts(out, infix[t->kind]);
        print(t->b, 0, out);
    } else if (own == 4) {
        buf_printf(out, "%s(", short_name(t->op));
        print(t->a, 0, out);
        if (t->b != NULL)
            buf_puts(out, ", ");
        if (t->b != NULL)
            print(t->b, 0, out);
        buf_puts(out, ")");
    } else {
        buf_puts(out, own < least ? "(" : "");
        if (own == 3) {
            buf_puts(out, "-");
            print(t->a, 4, out);
        } else {
            print(t->a, own, out);
            buf_puts(out, own == 2 ? (t->op == OP_DIVIDE ? " / " : " * ")
                                   : (t->op == OP_ADD ? " + " : " - "));
            print(t->b, own + 1, out);
        }
        buf_puts(out, own < least ? ")" : "");
    }
}

void axiom_print(const struct axiom *a, struct buf *out)
{
    if (a->guard != NULL) {
        print(a->guard, 0, out);
        buf_puts(out, a->claim->kind == AT_IFF ? " => (" : " => ");
    }
    print(a->claim, 0, out);
    if (a->guard != NULL && a->claim->kind == AT_IFF)
        buf_puts(out, ")");
}
