// SPDX-License-Identifier: Apache-2.0
// The role of each dimension of an operator's operands, in an e-node and in a
// pattern.  An axis matches a class only if both have the same roles;
// dimensions that the operator ties together are one axis.
#ifndef EGRAPH_MATCH_ROLES_H
#define EGRAPH_MATCH_ROLES_H

#include "egraph/match/axes.h"

enum axis_role {
    ROLE_PLAIN, // goes through
    ROLE_BATCH,
    ROLE_CONTRACTED, // dot_general, convolution's input features
    ROLE_SPATIAL,
    ROLE_FLIPPED, // spatial, window reversed
    ROLE_AXIS,    // of gather and scatter
    ROLE_DROPPED, // reshape: of size 1, gone (or, in the result, come)
    ROLE_GROUP,   // reshape: in a group; which class, its place says
};

// Has dimension d, as the node sees it, of operand k of matched node i (k =
// n_args: of the result) the role that the pattern gives to class c there?
bool roles_agree(struct match_axes *axes, uint32_t i, uint32_t k, uint32_t d, uint32_t c);
// Has the operator operands whose axes have different roles?
bool roles_differ(enum op op);
// Unites the dimensions that are one axis.  False: the e-node has no such form
// as patterns have (docs/rule-language.md): a gather with other dimension
// lists, a reshape with other groups.
bool roles_unite(struct match_axes *axes, uint32_t i);

#endif
