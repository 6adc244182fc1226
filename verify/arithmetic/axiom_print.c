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

static unsigned strength(const struct aterm *term)
{
    if (term->kind != AT_OP)
        return 4;
    return term->op == OP_ADD || term->op == OP_SUBTRACT      ? 1
           : term->op == OP_MULTIPLY || term->op == OP_DIVIDE ? 2
           : term->op == OP_NEGATE                            ? 3
                                                              : 4;
}

static void print(const struct aterm *term, unsigned least, struct buf *out)
{
    unsigned own = strength(term);
    if (term->kind == AT_VAR) {
        buf_printf(out, "%c", 'a' + term->k);
    } else if (term->kind == AT_INT) {
        buf_printf(out, "%d", term->k);
    } else if (term->kind != AT_OP) {
        print(term->a, 0, out);
        buf_puts(out, infix[term->kind]);
        print(term->b, 0, out);
    } else if (own == 4) {
        buf_printf(out, "%s(", short_name(term->op));
        print(term->a, 0, out);
        if (term->b != NULL)
            buf_puts(out, ", ");
        if (term->b != NULL)
            print(term->b, 0, out);
        buf_puts(out, ")");
    } else {
        buf_puts(out, own < least ? "(" : "");
        if (own == 3) {
            buf_puts(out, "-");
            print(term->a, 4, out);
        } else {
            print(term->a, own, out);
            buf_puts(out, own == 2 ? (term->op == OP_DIVIDE ? " / " : " * ")
                                   : (term->op == OP_ADD ? " + " : " - "));
            print(term->b, own + 1, out);
        }
        buf_puts(out, own < least ? ")" : "");
    }
}

void axiom_print(const struct axiom *axiom, struct buf *out)
{
    if (axiom->guard != NULL) {
        print(axiom->guard, 0, out);
        buf_puts(out, axiom->claim->kind == AT_IFF ? " => (" : " => ");
    }
    print(axiom->claim, 0, out);
    if (axiom->guard != NULL && axiom->claim->kind == AT_IFF)
        buf_puts(out, ")");
}
