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
