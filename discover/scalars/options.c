// SPDX-License-Identifier: Apache-2.0
// Options: defaults, reading and checks.
#include "discover/scalars/scalar.h"
#include "base/text/suggest.h"
#include "discover/limits.h"

struct scalar_options scalar_defaults(enum domain domain)
{
    return (struct scalar_options){.domain = domain, .n_vars = SCALAR_DEFAULT_VARS, .max_ops = 2};
}

enum { MOST_LISTED = sizeof((struct err *)0)->hint - 80 }; // bytes of a list

#define wrong_ops(err, ...) err_at(err, ERR_USAGE, "ops", 0, 0, __VA_ARGS__)

static bool on_elements(enum op op)
{
    return op_class(op) == OPC_UNARY || op_class(op) == OPC_BINARY;
}

static bool hint_operators(struct err *err)
{
    struct buf all = {0};
    for (int i = 0; i < N_OPS && all.len < MOST_LISTED; i++)
        if (on_elements((enum op)i))
            buf_printf(&all, "%s%s", all.len ? ", " : "", op_name((enum op)i));
    err_hint(err, "operators on elements are %s ..", buf_text(&all));
    buf_release(&all);
    return false;
}

static bool unknown_operator(const char *name, size_t n, struct err *err)
{
    struct nearest nearest = nearest_to(name, n);
    for (int i = 0; i < N_OPS; i++)
        if (on_elements((enum op)i))
            nearest_consider(&nearest, op_name((enum op)i), strlen(op_name((enum op)i)));
    wrong_ops(err, "unknown operator `%.*s`", (int)(n < 60 ? n : 60), name);
    nearest_hint(&nearest, err);
    return hint_operators(err);
}

bool scalar_ops(const char *text, struct scalar_options *options, struct err *err)
{
    static const struct {
        const char *name;
        enum op op;
    } more[] = {{"sub", OP_SUBTRACT}, {"mul", OP_MULTIPLY},   {"div", OP_DIVIDE},
                {"!", OP_NOT},        {"shl", OP_SHIFT_LEFT}, {"shr", OP_SHIFT_RIGHT_LOGICAL}};
    options->n_ops = 0;
    for (const char *string = text; *string != 0;) {
        size_t n = strcspn(string, ",");
        char name[64] = "";
        enum op op = N_OPS;
        if (n < sizeof name)
            memcpy(name, string, n);
        for (size_t i = 0; i < sizeof more / sizeof *more; i++)
            if (strcmp(more[i].name, name) == 0)
                op = more[i].op;
        if (op == N_OPS && !op_by_word(name, &op) && !op_by_name(name, &op))
            return unknown_operator(string, n, err);
        if (!on_elements(op)) {
            wrong_ops(err, "`%s` is not an operator on one or two elements", name);
            return hint_operators(err);
        }
        if (options->n_ops == SCALAR_MAX_OPS)
            return wrong_ops(err, "more than %d operators", SCALAR_MAX_OPS);
        for (uint32_t i = 0; i < options->n_ops; i++)
            if (options->ops[i] == op)
                return wrong_ops(err, "operator `%s` is listed twice", name);
        options->ops[options->n_ops++] = op;
        string += n + (string[n] == ',');
    }
    return options->n_ops > 0 || wrong_ops(err, "no operators");
}

bool scalar_check(const struct scalar_options *options, struct err *err)
{
    static const enum domain domains[] = {DOMAIN_BOOL, DOMAIN_INT, DOMAIN_WORD, DOMAIN_REAL};
    bool known = false;
    for (size_t i = 0; i < 4; i++)
        known |= options->domain == domains[i];
    if (!known)
        return err_set(err, ERR_USAGE, "expected one of the domains bool, int, word, real");
    if (options->n_vars < 1 || options->n_vars > SCALAR_MAX_VARS)
        return err_set(err, ERR_USAGE, "expected 1 to %d variables", SCALAR_MAX_VARS);
    if ((options->width != 0 && options->width != 2 && options->width != 4) ||
        (options->width != 0 && options->domain != DOMAIN_WORD) ||
        options->width * options->n_vars > SCALAR_TABLE_BITS)
        return err_set(err, ERR_USAGE,
                       "a width must be 2 or 4, with at most %d bits of all variables",
                       SCALAR_TABLE_BITS);
    if (options->max_ops == 0 && options->max_depth == 0)
        return err_set(err, ERR_USAGE, "expected a limit on operators or on levels");
    if (options->max_ops > SCALAR_MAX_TERM_OPS || options->max_depth > SCALAR_MAX_DEPTH)
        return err_set(err, ERR_USAGE, "expected at most %d operators and %d levels",
                       SCALAR_MAX_TERM_OPS, SCALAR_MAX_DEPTH);
    unsigned kinds = domain_kinds(options->domain);
    for (uint32_t i = 0; i < options->n_ops; i++)
        if ((op_kinds(options->ops[i]) & kinds) == 0)
            return wrong_ops(err, "%s has no operator `%s`", domain_text(options->domain),
                             op_name(options->ops[i]));
    return true;
}
