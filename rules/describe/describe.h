// SPDX-License-Identifier: Apache-2.0
// Descriptions of a rule for people and for the database, besides its text.
#ifndef RULES_DESCRIBE_DESCRIBE_H
#define RULES_DESCRIBE_DESCRIBE_H

#include "rules/rule.h"

// Names of the operators of either side, each once, sorted; strings are
// static.  Besides the operators' own names: "relabel", "value" (an integer
// expression as an element), "define" (a named function), "any elementwise",
// "any monoid" and "any monotone" (operator variables).
struct name_list {
    VEC(const char *) at;
};
void rule_operators(const struct rule *rule, struct name_list *out);

// The uses, on the left side, of the maps of precondition w, each once with
// blanks around: " size stride ".  A computed map counts as the maps of its
// definition.
// Uses: size window start limit stride low high interior dilation groups;
// " element " for an element condition.
void where_roles(const struct rule *rule, uint32_t w, struct buf *out);
// Text of precondition w.
void where_print(const struct rule *rule, uint32_t w, struct buf *out);

// The value of each side at an index, in index notation:
//     left[i_x] = A[s + p*(t + q*i_x)]
//     right[i_x] = if i_x - l is in 0..n-1 then A[i_x - l] else v
//     left[i_y] = add over j_x < n of A[j_x, i_y]
//     left[i_x] = A[clamp(i, 0, n - m) + i_x]
//     left[i_a] = add from A[i_a] over j_x < m where I[j_x] == i_a of U[j_x]
// i_x stands for the index along each axis of class x; for a block, i_x is the place
// in row-major order.  j_x stands for an index that a reduction runs over.  A
// condition must hold on every axis of its class.  The subscripts of a tensor stand
// in the order in which its classes are declared.
void rule_meaning(const struct rule *rule, struct buf *out);

// Why the rule is not judged in the other domains (rule_domains), one line for each:
//     bool: `0` makes T a number
void rule_not_judged(const struct rule *rule, struct buf *out);
// The lines of those domains that the types of the operands have as they are declared: what an
// operator or a literal excludes.
void rule_narrowed(const struct rule *rule, struct buf *out);

#endif
