// SPDX-License-Identifier: Apache-2.0
// The texts of a formula's record, read: rules, the functions that they define,
// both formulas, and the input's term with its constants recovered.  For the
// checker and for readers.  The texts do not decide whether rules are proved.
#ifndef PROOF_FORMULA_TEXTS_H
#define PROOF_FORMULA_TEXTS_H

#include "formula/language/formula.h"
#include "proof/formula/record.h"

struct formula_texts {
    const struct formula_record *record; // borrowed
    struct err *err;
    struct ruleset set;
    VEC(const struct rule *) defines, rules; // as in the record
    VEC(const struct rule *) defining;       // of both formulas, each once
    struct fdefines defs;
    struct fterms terms;
    struct formula in, out;
    fterm left; // the input, with the meanings of its constants
};

// ERR_CHECK.  Callers must release *out even after a failure.
bool formula_texts_read(struct formula_texts *texts, const struct formula_record *record,
                        struct err *err);
void formula_texts_release(struct formula_texts *texts);

#endif
