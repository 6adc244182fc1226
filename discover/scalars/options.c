// SPDX-License-Identifier: Apache-2.0
// What may be asked for.
#include "discover/scalars/scalar.h"

struct scalar_options scalar_defaults(enum domain d)
{
    return (struct scalar_options){.domain = d, .n_vars = 3, .max_ops = 2};
}

bool scalar_ops(const char *text, struct scalar_options *o, struct err *e)
{
    static const struct {
        const char *name;
        enum op op;
    } more[] = {{"+", OP_ADD},
                {"-", OP_SUBTRACT},
                {"*", OP_MULTIPLY},
                {"/", OP_DIVIDE},
                {"sub", OP_SUBTRACT},
                {"mul", OP_MULTIPLY},
                {"div", OP_DIVIDE},
                {"neg", OP_NEGATE},
                {"max", OP_MAXIMUM},
                {"min", OP_MINIMUM},
                {"rem", OP_REMAINDER},
                {"exp", OP_EXPONENTIAL},
                {"pow", OP_POWER},
                {"&", OP_AND},
                {"|", OP_OR},
                {"^", OP_XOR},
                {"!", OP_NOT},
                {"shl", OP_SHIFT_LEFT},
                {"shr", OP_SHIFT_RIGHT_LOGICAL}};
    o->n_ops = 0;
    for (const char *s = text; *s != 0;) {
        size_t n = strcspn(s, ",");
        char name[64] = "";
        enum op op = N_OPS;
        if (n < sizeof name)
            memcpy(name, s, n);
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            if (strcmp(more[i].name, name) == 0)
                op = more[i].op;
        if (op == N_OPS && !op_by_name(name, &op))
            return err_set(e, ERR_USAGE, "no operator `%s`", name);
        if (op_class(op) != OPC_UNARY && op_class(op) != OPC_BINARY)
            return err_set(e, ERR_USAGE,
                           "`%s` is no operator of one or two elements", name);
        if (o->n_ops == SCALAR_MAX_OPS)
            return err_set(e, ERR_USAGE, "more than %d operators",
                           SCALAR_MAX_OPS);
        for (uint32_t i = 0; i < o->n_ops; i++)
            if (o->ops[i] == op)
                return err_set(e, ERR_USAGE, "`%s` is there twice", name);
        o->ops[o->n_ops++] = op;
        s += n + (s[n] == ',');
    }
    return o->n_ops > 0 || err_set(e, ERR_USAGE, "no operators");
}

bool scalar_check(const struct scalar_options *o, struct err *e)
{
    static const enum domain domains[] = {DOMAIN_BOOL, DOMAIN_INT, DOMAIN_WORD,
                                          DOMAIN_REAL};
    bool known = false;
    for (size_t i = 0; i < 4; i++)
        known |= o->domain == domains[i];
    if (!known)
        return err_set(e, ERR_USAGE,
                       "rules of elements are found in bool, int, word, real");
    if (o->n_vars < 1 || o->n_vars > SCALAR_MAX_VARS)
        return err_set(e, ERR_USAGE, "1 to %d variables", SCALAR_MAX_VARS);
    if ((o->width != 0 && o->width != 2 && o->width != 4) ||
        (o->width != 0 && o->domain != DOMAIN_WORD) ||
        o->width * o->n_vars > 20)
        return err_set(e, ERR_USAGE,
                       "all inputs are tried of words of 2 or 4 bits, at most "
                       "20 bits in all");
    if (o->max_ops == 0 && o->max_depth == 0)
        return err_set(e, ERR_USAGE, "terms of any size");
    if (o->max_ops > 20 || o->max_depth > 5)
        return err_set(e, ERR_USAGE, "at most 20 operators, 5 levels");
    unsigned kinds = domain_kinds(o->domain);
    for (uint32_t i = 0; i < o->n_ops; i++)
        if ((op_kinds(o->ops[i]) & kinds) == 0)
            return err_set(e, ERR_USAGE, "%s has no operator `%s`",
                           domain_text(o->domain), op_name(o->ops[i]));
    return true;
}
