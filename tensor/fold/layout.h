// SPDX-License-Identifier: Apache-2.0
// Laws of layout: equalities between terms that hold for every element, shape and
// element type, and that are applied without a rule.  Each law is a function of one
// term.  The e-graph applies the function, and the proof checker calls the same function
// again.  p and q are permutations as in transpose (result dim i = operand dim p[i]), d
// is as in broadcast_in_dim (operand dim i is result dim d[i]).
//
//   COMPOSE   transpose(transpose(x, p), q) = transpose(x, r), r[i] = p[q[i]];
//             x itself when r is the identity
//   IDENTITY  transpose(x, [0, 1, ..]) = x
//   NOOP      these equal their first operand:
//             broadcast_in_dim with d = [0, 1, ..] and reshape to the operand's type;
//             reverse of no dims; slice and pad at rank 0; concatenate of one
//             operand; convert to the same type; reduce over no dims whose
//             init is a constant equal to the reducer's unit, except add on
//             machine floats (0 + -0 = 0)
//   PERMUTE   broadcast_in_dim(x, d) with d a permutation that is not the
//             identity, no size stretched = transpose(x, inverse of d)
//   FUSE      one broadcast_in_dim for two nodes:
//             broadcast(broadcast(x, d), f) = broadcast(x, f[d[i]])
//             broadcast(transpose(x, p), f) = broadcast(x, f[p^-1[i]])
//             transpose(broadcast(x, d), q) = broadcast(x, q^-1[d[i]])
//             (sizes: a size 1 that either node stretches is stretched once)
//   REGROUP   reshape(reshape(x)) = reshape(x)
//   UNITS     a broadcast_in_dim or transpose that copies nothing and moves only
//             dimensions of size 1 = reshape(x); a reshape that only adds or moves such
//             dimensions = broadcast_in_dim(x, e), with e as in SPREAD
//   STRETCH   a broadcast_in_dim that stretches dimensions of size 1 = a broadcast_in_dim of
//             reshape(x), which does not have these dimensions
//   SPREAD    one broadcast_in_dim for a broadcast_in_dim or transpose and a reshape
//             that only adds and drops dimensions of size 1, in either order; copies
//             that the one makes the other may cut in another way.  Sizes 1 of x go to
//             the free dimensions of the result, in order if they can
//   SINGLE    gather and scatter whose index vectors have one element, along a
//             dimension of size 1 = the same by single numbers: over a reshape
//             of the indices without that dimension
//   LIFT      f(transpose(x, p), transpose(y, p), ..) = transpose(f(x, y, ..), p) for
//             elementwise f; operands of rank 0 stay, a constant of one repeated
//             element takes the other type (tensor/fold/lift.h)
//   SCALARS   select and clamp with operands of rank 0 beside a result of another rank
//             = the same with these operands broadcast to the result's dimensions
//   PIECE     gather of one piece whose starts are a constant = a dynamic_slice at these
//             starts, behind a reshape if it collapses dimensions (tensor/fold/piece.h)
//
// The result has the same type as the term.
#ifndef TENSOR_FOLD_LAYOUT_H
#define TENSOR_FOLD_LAYOUT_H

#include "tensor/program/term.h"

enum layout_kind {
    LAYOUT_COMPOSE = 1,
    LAYOUT_IDENTITY,
    LAYOUT_NOOP,
    LAYOUT_PERMUTE,
    LAYOUT_FUSE,
    LAYOUT_REGROUP,
    LAYOUT_UNITS,
    LAYOUT_STRETCH,
    LAYOUT_SPREAD,
    LAYOUT_SINGLE,
    LAYOUT_LIFT,
    LAYOUT_SCALARS,
    LAYOUT_PIECE,
    N_LAYOUTS,
};

const char *layout_text(enum layout_kind kind); // "compose" ..
bool layout_by_text(const char *text, enum layout_kind *out);

// The term that equals `term` by the law.  False if the law does not apply.  The
// function may make new terms in the store, and never registers them anywhere.
bool layout_rewrite(struct terms *terms, term_id term, enum layout_kind kind, term_id *out);

// Permutations as attributes, with NO_ATTR for the identity of any rank.
// compose(p, q) is transpose by p, then by q: r[i] = p[q[i]].
attr_id perm_compose(struct pool *pool, attr_id p, attr_id q);
attr_id perm_inverse(struct pool *pool, attr_id attr);
// An attribute vector 0, 1, .. becomes NO_ATTR; others stay.
attr_id perm_normal(const struct pool *pool, attr_id attr);
// The opposite of perm_normal, for a transpose node: NO_ATTR becomes 0, 1, .. of that
// rank.
attr_id perm_full(struct pool *pool, attr_id attr, uint32_t rank);

#endif
