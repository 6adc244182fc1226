// SPDX-License-Identifier: Apache-2.0
#include "proof/kernel/parse.h"
#include "formula/language/formula.h"

bool parse_formula(const char *text, struct fterms *terms, fterm *out)
{
    struct formula formula;
    struct err err = {0};
    bool ok = formula_read(&formula, terms, NULL, NULL, text, &err);
    if (ok)
        *out = formula.term;
    formula_release(&formula);
    return ok;
}

bool parse_variables(const char *text,
                     void (*each)(void *ctx, const char *name, uint32_t n, const char *const *axes),
                     void *ctx)
{
    struct formula formula;
    struct fterms terms;
    struct err err = {0};
    fterms_init(&terms);
    bool ok = formula_read(&formula, &terms, NULL, NULL, text, &err);
    for (uint32_t i = 0; ok && i < formula.variables.len; i++) {
        const struct fvariable *variable = &formula.variables.at[i];
        each(ctx, variable->name, variable->n, formula.axes.at + variable->at);
    }
    formula_release(&formula);
    fterms_release(&terms);
    return ok;
}
