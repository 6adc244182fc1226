// SPDX-License-Identifier: Apache-2.0
// Are two elements the same?  The ladder of rungs: operators uninterpreted, commutative,
// or with the arithmetic of one domain.
//
// The arithmetic rung works on leaves.  Choices between elements (pad, concat) are
// decided case by case, reads that provably hit the same place become one unknown, and
// the result is an identity between a few unknowns, without tensors or indices.  Leaves
// are solved once per rule and domain.
#ifndef VERIFY_ELEMENTS_SAME_H
#define VERIFY_ELEMENTS_SAME_H

#include "verify/arithmetic/leaf.h"

// A condition on elements that is known where `range` holds.
struct given {
    expr_id range, holds;
};
struct givens {
    VEC(struct given) at;
};

struct element_query {
    struct session *session;
    struct denote *denote; // the instance
    enum rung rung;
    int domain; // enum domain; -1: every domain (rungs below arithmetic)
    // Known element conditions.  NULL: they are found at the places where the elements read
    // the tensors of a condition.
    const struct givens *known;
};

// Do a and b agree under the hypotheses (conjuncts about integers)?  On failure
// session->reason says why, and *model may hold a model of the integers.
bool element_same(const struct element_query *element_query, const struct u32_vec *hyps, expr_id a,
                  expr_id b, struct linear_model *model);

// Replaces the reduces in a and b by unknowns; equal reduces become the same unknown
// (reductions.c).
void reduce_atoms(const struct element_query *element_query, const struct u32_vec *hyps, expr_id *a,
                  expr_id *b);
// Makes session->reason more precise: why the elements, in which reduces are unknowns, are not
// shown to be equal (why.c).
void why_different(const struct element_query *query, expr_id a, expr_id b);
// The arithmetic rung (cases.c).
bool leaf_same(const struct element_query *element_query, const struct u32_vec *hyps,
               const struct givens *givens, expr_id a, expr_id b);

#endif
