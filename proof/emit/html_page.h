// SPDX-License-Identifier: Apache-2.0
// Pieces of the HTML page.
#ifndef PROOF_EMIT_HTML_PAGE_H
#define PROOF_EMIT_HTML_PAGE_H

#include "proof/emit/emit.h"

extern const char html_head[], html_style[], html_diff_style[], html_kernel_style[];

// A term within a line, and in a line of its own: MathML, or text if the term
// has no other notation.
void html_inline(const struct emit_value *value, struct buf *out);
void html_block(const struct emit_value *value, struct buf *out);

// Why the record is not valid, if somebody said so; before and after, and how much the record has.
void html_comparison(const struct emission *emission);
// The texts of two programs side by side.
void html_diff(const struct emit_head *head, struct buf *out);
// The anchor of a rule's section has letters, digits, - and _ alone, and a
// number that makes it different from others.
void html_rule_anchor(const struct emit_rule *rule, struct buf *out);
void html_rule(const struct emit_rule *rule, struct buf *out);
void html_step(const struct emission *emission, const struct emit_step *step, struct buf *out);

#endif
