// SPDX-License-Identifier: Apache-2.0
// Rules on named terms.  A rule of the library speaks of classes of axes.  Fix
// an index on each axis that the rule does not bind (reduce, count or join):
// then every tensor is a function of the bound classes alone, and the rule,
// which holds for all ranks, holds with its other classes empty.  So on named
// terms
//   - classes that are not bound vanish, and with them broadcasts, splats and
//     relabels of them;
//   - a bound class is a variable for a set of axes, one for each size that it
//     has (concatenate has three); a broadcast to it vanishes too;
//   - a tensor whose shape lacks a bound class must be constant along it: the
//     condition free_of(?axes, ?tensor);
//   - dot_general is the sum of products;
//   - `where all(P)` is the query same(P, true);
//   - conditions on sizes hold if they follow from: every size is at least 1.
// docs/formulas.md has the argument; tests compare rule by rule with the
// interpreter.
#ifndef FORMULA_RULES_NAMED_H
#define FORMULA_RULES_NAMED_H

#include "base/text/buf.h"
#include "rules/rule.h"

// Of the lines that named_rule writes: changes whenever they do.
#define NAMED_VERSION "4"

// The domain in which a rule must be proved to be used on named terms: real; or
// bool, if it is about truth values alone.  False: none.
bool named_domain(const struct rule *rule, enum domain *out);

// Appends the rule as a plain rule (egraph/plain/plain.h), named `name`:
//   name: (exponential (log ?A)) => ?A if same((lt 0 ?A), true)
// A rule with operator variables becomes a line for each operator that they may
// stand for, named `name.operator`.  A definition that computes numbers of an argument
// has a second line, named `name.C_1`, where that argument C is 1:
//   (select (le (abs ?A) 1) (multiply 1/2 (multiply ?A ?A)) (subtract (abs ?A) 1/2))
//     => (huber ?A 1)
// and a third, named `name.C_n`, where the numbers that are computed of C are given:
//   (select (le (abs ?A) ?C) (multiply 1/2 (multiply ?A ?A)) (multiply ?C (subtract (abs ?A) ?C.1)))
//     => (huber ?A ?C) if same((eq ?C.1 (multiply 1/2 ?C)), true)
// The conditions:
//   same(P, true)      at every index
//   free_of(?y, ?A)    ?A is constant along the axes ?y
//   free_of(?y, ?z)    the sets ?y and ?z have no axis in common: a set depends
//                      on its axes, (count ?z) on none
// `backward`: from its right to its left side.  False: *why says why it says
// nothing about named terms (another domain, positions, ...), or cannot run in
// that direction (the side to match is a variable, or lacks a variable).
bool named_rule(const struct rule *rule, const char *name, bool backward, struct buf *out,
                struct err *why);

#endif
