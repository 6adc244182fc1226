// SPDX-License-Identifier: Apache-2.0
// Axioms of transcendental operators over the reals: a table of axioms, and their
// instances at the terms of a leaf.
//
// An axiom speaks of variables a, b, c.  Its triggers are terms.  Where the triggers
// match terms of the leaf, the variables stand for the operands found there, and the
// solver is told `guard => claim`.  An operator that is not defined at an operand (log
// of a number that is not positive, ...) has an unspecified value there:
//
// A1  an axiom about such an operator has a guard that puts the operand into the
//     domain of the operator.
// A2  an axiom is used only if every transcendental operator in it occurs in the leaf,
//     or is defined by one that does (`defines`).  So two rounds after the definitions
//     and VERIFY_AXIOM_USES instances are enough, and leaves stay small.
//
// docs/axioms.md lists the axioms.  tests/unit/verify/axioms.c evaluates every entry of
// this table at random points and compares the table with the list.
#ifndef VERIFY_ARITHMETIC_AXIOMS_H
#define VERIFY_ARITHMETIC_AXIOMS_H

#include "base/text/buf.h"
#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

#define AXIOM_VARS 3

enum aterm_kind {
    AT_VAR, // k
    AT_INT, // k
    AT_OP,  // op: one or two operands
    AT_EQ,  // relations of two terms
    AT_NE,
    AT_LT,
    AT_LE,
    AT_AND, // of relations
    AT_OR,
    AT_IFF,
};
struct aterm {
    enum aterm_kind kind;
    enum op op;
    int k;
    const struct aterm *a, *b;
};

struct axiom {
    const char *name;
    const struct aterm *trigger[AXIOM_VARS]; // from some on they may be NULL
    const struct aterm *needs;               // a term that must occur, too; or NULL
    const struct aterm *guard;               // NULL: none
    const struct aterm *claim;
    bool defines; // its operators count as occurring
};

extern const struct axiom axioms[];
extern const uint32_t n_axioms;

// "a > 0 => exp(log(a)) = a"
void axiom_print(const struct axiom *axiom, struct buf *out);

// The leaf with exponentials of sums as products of exponentials and in ring normal form.
// `out` keeps the data of the instances.  Returns false and leaves *out untouched if no
// transcendental operator occurs.
struct axiom_use {
    const struct axiom *axiom;
    uint32_t type; // of its terms
    expr_id var[AXIOM_VARS];
};
struct axiom_uses {
    struct leaf leaf;
    VEC(struct axiom_use) at;
};
bool axiom_uses_find(struct session *session, const struct leaf *leaf, struct axiom_uses *out);
void axiom_uses_release(struct axiom_uses *instances);
// Tells the open query all instances.
void axiom_uses_assert(struct machine *machine, const struct axiom_uses *instances);

#endif
