// SPDX-License-Identifier: Apache-2.0
// Named forms of preconditions: `divides(p, e - s)`.  The parser replaces a form by
// its core: comparisons and connectives of integer expressions.  The core is the
// whole meaning of the form.  Prover, matcher, checker, printer, database and
// canonical text have the core alone.  So a new form is one file of this folder and
// one row of CONDITION_FORMS.
#ifndef RULES_LANGUAGE_FORMS_FORMS_H
#define RULES_LANGUAGE_FORMS_FORMS_H

#include "rules/language/tokens/parser.h"

#define MAX_FORM_ARGUMENTS 3

// X(name, number of arguments, meaning)
#define CONDITION_FORMS(X)                                                                         \
    X(divides, 2, "divides(d, x): mod(x, d) == 0, so d != 0")                                      \
    X(within, 3, "within(low, x, high): low <= x and x < high")

struct condition_form {
    const char *name;
    uint32_t n_arguments;
    const char *meaning;
    // Conditions and expressions live in the parser's arena.
    const struct cond *(*write_out)(struct parser *parser, const struct iexp *const *argument);
};
extern const struct condition_form condition_forms[];
extern const uint32_t n_condition_forms;

// The parts that write_out makes a core from.  `op` is a comparison in
// condition_compare, a connective in condition_connect (`not` has l alone).
const struct cond *condition_compare(struct parser *parser, enum cond_op op, const struct iexp *a,
                                     const struct iexp *b);
const struct cond *condition_connect(struct parser *parser, enum cond_op op, const struct cond *l,
                                     const struct cond *r);
const struct iexp *expression_constant(struct parser *parser, int64_t value);
// NULL if the expression is too large; the error has been reported.
const struct iexp *expression_of(struct parser *parser, enum iexp_op op, const struct iexp *a,
                                 const struct iexp *b);

#define X(name, n, meaning)                                                                        \
    const struct cond *form_##name(struct parser *parser, const struct iexp *const *argument);
CONDITION_FORMS(X)
#undef X

#endif
