// SPDX-License-Identifier: Apache-2.0
// A simplification as one static HTML file: before and after, what it rests on,
// the steps, and the rules with their proofs.  MathML, no script, nothing from
// elsewhere; light and dark; from 320 pixels on.  The same input gives the same
// bytes.
#ifndef SIMPLIFY_PAGE_HTML_H
#define SIMPLIFY_PAGE_HTML_H

#include "formula/language/formula.h"
#include "simplify/page/steps.h"

struct html_condition {
    fterm cond;
    const char *why; // "declared", ...
};
struct html_constant {
    const char *text; // as written
    fterm value;      // what it was taken for
    const char *precision, *difference;
};
struct html_obligation {
    const char *kind, *verdict, *ranks, *detail;
};
// Empty texts, and NULL, are left out.
struct html_rule {
    const char *name;
    const char *text; // of the rule, as written
    const char *doc, *meaning, *verdict, *precondition, *method, *hash;
    uint32_t n_obligations;
    const struct html_obligation *obligation;
};
// The name that a proof has for a rule in one direction: `name`, or `name.` and an
// operator that a variable of the rule stands for.
struct html_use {
    const char *name;
    uint32_t rule;
    bool backward;
};
struct html_page {
    const char *title;
    const struct formula *formula; // all terms are over its variables, in its store
    const struct fdefines *defs;
    fterm before, after;
    double cost_before, cost_after;
    const char *remark; // why the engine stopped, ...; may be empty
    uint32_t n_conditions, n_constants, n_rules, n_uses;
    const struct html_condition *condition;
    const struct html_constant *constant;
    const struct html_rule *rule;
    const struct html_use *use;
    const struct fsteps *steps; // NULL: none
};
void html_page(const struct html_page *page, struct buf *out);

#endif
