// SPDX-License-Identifier: Apache-2.0
// The texts of a formula's record, read: rules, what they define, both
// formulas, and the input's term with its constants recovered.  For the checker
// and for readers; whether rules are proved is asked elsewhere.
#ifndef PROOF_FORMULA_TEXTS_H
#define PROOF_FORMULA_TEXTS_H

#include "formula/language/formula.h"
#include "proof/formula/record.h"

struct formula_texts {
    const struct formula_record *record; // borrowed
    struct err *err;
    struct ruleset set;
    VEC(const struct rule *) defines, rules; // as in the record
    VEC(const struct rule *) defining;       // both, each once
    struct fdefines defs;
    struct fterms terms;
    struct formula in, out;
    fterm left; // the input, with what its constants stand for
};

// ERR_CHECK.  The caller releases in either case.
bool formula_texts_read(struct formula_texts *texts, const struct formula_record *record,
                        struct err *err);
void formula_texts_release(struct formula_texts *texts);

#endif
