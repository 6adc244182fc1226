// SPDX-License-Identifier: Apache-2.0
// Formulas of kernels as MathML.  (The operators of programs and of tensors have the same
// enumerators, so files that see both do not compile.)
#include "base/text/buf.h"
#include "proof/formula/texts.h"

void kernel_formula_mathml(const char *formula, struct buf *out);
void kernel_record_mathml(const struct formula_record *record, struct buf *out);

void kernel_formula_mathml(const char *formula, struct buf *out)
{
    struct fterms terms;
    struct formula read;
    struct err err = {0};
    fterms_init(&terms);
    if (formula_read(&read, &terms, NULL, NULL, formula, &err))
        formula_print(&read, NULL, read.term, NOTATION_MATHML, false, out);
    formula_release(&read);
    fterms_release(&terms);
}

void kernel_record_mathml(const struct formula_record *record, struct buf *out)
{
    struct formula_texts texts;
    struct err err = {0};
    if (formula_texts_read(&texts, record, &err))
        formula_print(&texts.out, &texts.defs, texts.out.term, NOTATION_MATHML, false, out);
    formula_texts_release(&texts);
}
