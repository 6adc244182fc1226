// SPDX-License-Identifier: Apache-2.0
// A checked record of a kernel for people: what was proved, and how.
#ifndef API_KERNEL_PAGE_H
#define API_KERNEL_PAGE_H

#include "api/kernel/kernel.h"

struct formula_record;

// A simpler formula that the record proves.
struct kernel_simpler {
    uint32_t output; // of the check
    struct buf text, mathml;
};
struct kernel_page {
    struct kernel_job *job; // its program, claim and check
    const char *kernel;     // the text
    const char *lines;      // what the check says
    bool valid;
    uint32_t n_simpler;
    const struct kernel_simpler *simpler;
};

// The lines of the check, closed forms of loops, and all obligations.
void kernel_explanation(const struct kernel_page *page, struct buf *out);
// One file of HTML in the style of the other pages: formulas beside the text of the kernel.
void kernel_page(const struct kernel_page *page, struct buf *out);

// ---- mathml.c, which does not see programs

// Nothing if the text is no formula.
void kernel_formula_mathml(const char *formula, struct buf *out);
void kernel_record_mathml(const struct formula_record *record, struct buf *out);

#endif
