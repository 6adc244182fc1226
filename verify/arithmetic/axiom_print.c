// SPDX-License-Identifier: Apache-2.0
// Axioms as text.
#include "verify/arithmetic/axioms.h"

enum { PREFIX = 7, CALL = 8 }; // strengths above those of infix signs

static const char *const infix[] = {
    [AT_EQ] = " = ",    [AT_NE] = " != ", [AT_LT] = " < ",    [AT_LE] = " <= ",
    [AT_AND] = " and ", [AT_OR] = " or ", [AT_IFF] = " <=> ",
};

// As in rules, but that a minus binds more than a product.
static unsigned strength(const struct aterm *term)
{
    int level = term->kind == AT_OP ? op_info(term->op)->level : 0;
    if (term->kind == AT_OP && op_arity(term->op) == 1 && op_infix_sign(term->op) != 0)
        return PREFIX;
    return level > 0 ? (unsigned)level : CALL;
}

static void print(const struct aterm *term, unsigned least, struct buf *out)
{
    unsigned own = strength(term);
    const struct op_info *info = term->kind == AT_OP ? op_info(term->op) : NULL;
    if (term->kind == AT_VAR) {
        buf_printf(out, "%c", 'a' + term->k);
    } else if (term->kind == AT_INT) {
        buf_printf(out, "%d", term->k);
    } else if (term->kind != AT_OP) {
        print(term->a, 0, out);
        buf_puts(out, infix[term->kind]);
        print(term->b, 0, out);
    } else if (own == CALL) {
        buf_printf(out, "%s(", info->word != NULL ? info->word : info->name);
        print(term->a, 0, out);
        if (term->b != NULL)
            buf_puts(out, ", ");
        if (term->b != NULL)
            print(term->b, 0, out);
        buf_puts(out, ")");
    } else {
        buf_puts(out, own < least ? "(" : "");
        if (own == PREFIX) {
            buf_puts(out, info->infix);
            print(term->a, CALL, out);
        } else {
            print(term->a, own, out);
            buf_printf(out, " %c ", op_infix_sign(term->op));
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
