// SPDX-License-Identifier: Apache-2.0
// A rule's two sides with one axis in every class, and from them the sides at other ranks:
// every condition of a choice is a conjunction over the axes, and every index of a read is
// computed axis by axis.  This is not assumed of the operators but checked: the sides at
// ranks 0 and 2 must equal the sides that are derived from rank 1 in that way.
//
// A family (rank class) is `many` if it may have any rank, `one` if it always has one
// axis: declared so, or a block, which is treated as a whole.
#ifndef VERIFY_RANKS_TEMPLATE_H
#define VERIFY_RANKS_TEMPLATE_H

#include "verify/obligations/session.h"

struct rank_template {
    struct session *session;
    struct denote denote;    // one axis per class
    expr_id lhs, rhs;        // with every choice kept
    uint64_t many;           // families, by their first class
    struct u32_vec reads;    // X_ACCESS of both sides
    struct u32_vec conds;    // of the choices, without repetition
    struct u32_vec hyps[64]; // per family that is many; [n_classes]: the others
    const char *failure;     // why the sides are not of this kind; NULL: they are
};

void rank_template_init(struct rank_template *sides, struct session *session);
void rank_template_release(struct rank_template *sides);

// The families whose variables the expression mentions; ~0 if a variable belongs to none.
uint64_t rank_template_scope(const struct rank_template *sides, expr_id e);
// The conjuncts of a condition that mention the family; NONE: those about families with one
// axis.
expr_id rank_template_part(const struct rank_template *sides, expr_id cond, uint32_t family);

// Rebuilds both sides' elements with conditions of choices and reads replaced.
struct rank_template_map {
    expr_id (*cond)(void *ctx, expr_id cond);
    expr_id (*read)(void *ctx, expr_id access);
    void *ctx;
};
expr_id rank_template_apply(struct exprs *exprs, const struct rank_template_map *rank_template_map,
                            expr_id e);

#endif
