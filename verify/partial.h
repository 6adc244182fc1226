// SPDX-License-Identifier: Apache-2.0
// The parts of an element that may have no value: partial operators (1/0, log(-1)), and
// operator variables that may stand for one, each with the conditions under which the element
// is computed from it.
#ifndef VERIFY_PARTIAL_H
#define VERIFY_PARTIAL_H

#include "verify/sums/parts.h"

// How the elements of the two sides were proved equal.  That tells which parts of the right
// side have a value as soon as the left side has one (docs/proving.md).
enum proved_how {
    PROVED_BY_ARITHMETIC, // of none it is known
    PROVED_AS_TERMS,      // without arithmetic: of all outside conditions and truth values
    PROVED_AS_SUMS,       // by coefficients: of operator variables below sums only
};

struct partial {
    expr_id node;
    uint32_t at, n; // its guards: the element is computed from it only if all are true
    bool by_sign;   // it has a value by the signs of its operands
};
struct partials {
    VEC(struct partial) at;
    struct u32_vec guards;
    bool too_many; // the list is not complete
};

struct partial_search {
    struct session *session;
    enum domain domain;
    enum proved_how how; // parts that have a value anyway are left out
    struct coeff *sums;  // asked for signs; NULL: none are asked for
};

// Appends the parts of an element, each as often as it is met, in the order of the text.
void partials_find(const struct partial_search *search, expr_id e, struct partials *out);
void partials_release(struct partials *partials);
// May some part of the pattern have no value in the domain?
bool partial_below(const struct rule *rule, uint32_t pat, enum domain domain);
// Does the type stand for elements of domain `in` if the rule is judged in `domain`?
bool partial_lives_in(const struct rule *rule, uint32_t type, enum domain domain, enum domain in);

#endif
