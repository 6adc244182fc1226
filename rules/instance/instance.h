// SPDX-License-Identifier: Apache-2.0
// One use of a rule on positional tensors: which axes there are, the class of
// each, the value of every map on every axis, the element types, the operand
// terms, and for each pattern node the order of its dimensions.  With that both
// sides of the rule are rebuilt as plain terms without any search.  The same
// function builds ground instances for counterexamples and tests, the right
// side of a rewrite in the e-graph, and both sides in the proof checker.
//
// Axes are numbered 0..n_axes-1.  An `order` lists axis numbers by position.
//
// N1  class_axes[c] lists the axes of class c; partner axes of a rank class
//     stand at equal places.  Classes of a rank class have equal rank.
// N2  pat[i].out is an arrangement of the axes of pattern i's classes;
//     pat[i].in[k] of those of argument k.
// N3  elementwise, slice, pad, reverse, concat: in[k] = out (pad's value and
//     splat's scalar: empty).  reduce: out = in[0] without the reduced axes.
//     relabel: out = in[0] with axes renamed to partners.  broadcast: in[0] is
//     any arrangement.  Between an argument's own `out` and `in[k]` stands a
//     transpose, unless they are equal.
//
// N4  dynamic_slice, dynamic_update_slice, reduce_window, bitcast_convert: all
//     in[k] = out (initial values: empty).
//     reshape: the axes of a group with two sides stand together, in the
//     group's order (a block's axes in theirs), in in[0] and in out; these
//     groups and the other axes stand in one relative order in both.  The axes
//     of a group with one side (their sizes are 1) stand anywhere.
//     dot_general: any operands; out = batch axes in any order, those of lhs,
//     those of rhs.  convolution: any operands, any result.
//     gather: any operands; in out the axes of either stand in its order.
//     scatter: any indices; out = in[0]; in in[2] the axes of indices and the
//     others stand in the orders of in[1] and in[0].
//     Contracted, spatial and batch lists are written in ascending positions
//     of the first operand (dot_general's batch: of the result).
// N5  a map of a block stands in joint expressions for the product over the
//     block's axes.
// N6  every size of a tensor of either side that is sliced at an index is a
//     value of index_elem.
//
// Nodes that touch no axis are not made: broadcast to no new axis, reverse of
// none, reduce over none without an initial value of its own, slice, pad,
// dynamic_slice, dynamic_update_slice, reduce_window (without initial value) at
// rank 0, transposes by the identity, reshapes to the same sizes.
// PAT_SPLAT of a constant is a splat constant; of another rank-0 term, a
// broadcast_in_dim with dims []; at rank 0 it is the term itself.
#ifndef RULES_INSTANCE_INSTANCE_H
#define RULES_INSTANCE_INSTANCE_H

#include "base/rng.h"
#include "rules/rule.h"
#include "tensor/program/term.h"

struct order {
    uint32_t n;
    uint32_t *axis;
};

struct pat_place {
    struct order out;
    struct order *in; // one for each argument
};

struct op_binding {
    enum op op;   // an elementwise operator, or a reducer for a monoid
    attr_id attr; // e.g. the direction of a compare
};

struct instance {
    const struct rule *rule;
    struct arena *mem; // borrowed; owns all arrays below
    uint32_t n_axes;
    uint32_t *axis_class;
    uint32_t *rank;        // per class
    uint32_t **class_axes; // per class: rank[c] axis numbers
    int64_t **map;         // per map: value at each place of its class
    enum elem *elem;       // per type variable
    struct op_binding *op; // per operator variable
    term_id **index;       // per map: the rank-0 terms of an index at each place
                           // (NULL: no index, or a let, which is computed);
                           // map[] of an index says nothing
    enum elem index_elem;  // element type of all indices
    term_id *tensor;       // per tensor variable
    struct order *order;   // per tensor variable: its dimensions' axes
    term_id *scalar;       // per scalar variable: a rank-0 term
    struct pat_place *pat; // per pattern node
};

// How terms are made: plainly (builder_plain) or by the e-graph.
struct builder {
    struct terms *terms; // for types and literals
    bool (*make)(void *ctx, struct operation operation, const term_id *args, term_id *out,
                 struct err *err);
    void *ctx;
};
struct builder builder_plain(struct terms *terms);

bool order_same(const struct order *a, const struct order *b);
// Position of an axis, NONE if it is not there.
uint32_t order_find(const struct order *order, uint32_t axis);

// Empty instance with all arrays sized for the rule and the given ranks; axes
// numbered class by class.  Maps are 0, terms NO_TERM, orders empty.
struct instance *instance_new(const struct rule *rule, const uint32_t *rank, struct arena *mem);
// How many terms the index has: none if the map is no index.
uint32_t instance_indices(const struct instance *in, uint32_t map);
struct instance *instance_copy(const struct instance *in, struct arena *mem);
// Computes the let maps from the others.  False: overflow, division by zero.
bool instance_lets(struct instance *in, struct err *err);
// The axes of the classes of a shape, class by class.
struct order instance_axes(const struct instance *in, uint32_t n, const struct axis_size *sizes);
// The declared size of one axis; false: the class is not in the shape, or the
// value is not defined.
bool instance_size(const struct instance *in, uint32_t n, const struct axis_size *sizes,
                   uint32_t axis, int64_t *out);
// The value of an expression at a place of class `cls`: maps of its rank class
// at that place, maps of other classes by N5.  NONE: all by N5.  False: not
// defined, an overflow, or an index is in it.
bool instance_iexp(const struct instance *in, const struct iexp *expr, uint32_t cls, uint32_t place,
                   int64_t *out);
// Is the precondition over blocks or several joint classes?
bool where_is_joint(const struct rule *rule, uint32_t w);
// How often a precondition on maps is asked: at every place of its family, but
// once where it is over blocks or several joint classes, then of products (N5);
// 0 for element conditions.
uint32_t where_places(const struct instance *in, uint32_t w);
// False: not defined there.
bool where_at(const struct instance *in, uint32_t w, uint32_t place, bool *holds);
// Are all preconditions on maps met?  *which = index of the first that is not.
bool instance_where(const struct instance *in, uint32_t *which);
// Are the preconditions on types met?  Fails with ERR_CHECK.
bool instance_wider(const struct instance *in, struct err *err);
// N6.  Fails with ERR_CHECK.
bool instance_index_fits(const struct instance *in, struct err *err);
// Arranges pattern `root` and all below it, given the order wanted of its
// result: the wish is passed down; broadcasts and reduces take their operand
// in the order it has.  Sets pat[..] of every node below.
void instance_orient(struct instance *in, uint32_t root, const struct order *wanted);
// The same with random orders where any is allowed (rng NULL: none).
void instance_shuffle(struct instance *in, uint32_t root, const struct order *wanted,
                      struct rng *rng);
// N1..N6 for all nodes of both sides, least ranks, let maps as defined, element
// types within the variables' kinds, operand types equal to the declared
// shapes, operator variables bound to operators of their type.  With
// instance_where, instance_element_condition, instance_monoids and
// rule_may_fire (fire.h) this is all that makes a use of a rule sound.  Fails
// with ERR_CHECK.
bool instance_check(const struct instance *in, const struct terms *terms, struct err *err);
// Is the operator on these elements, read in the domain, commutative and
// associative with reducer_unit as its unit?  Integers and i1: every reducer.
// Floats in DOMAIN_REAL: add, multiply, maximum, minimum.  Floats in
// DOMAIN_FLOAT: maximum and minimum only (they round nothing; all NaNs count
// as one).
bool monoid_holds(enum op op, enum elem elem, enum domain float_mode);
// Does the operator keep the order of these elements, read in the domain?  It
// is total and nowhere decreasing: floor, ceil, round, sign; in DOMAIN_REAL
// also exponential, exponential_minus_one, logistic, tanh, cbrt.  Integers:
// sign.
bool monotone_holds(enum op op, enum elem elem, enum domain float_mode);
// Is every monoid or monotone variable's operator one on its elements, floats
// read as float_mode?  In DOMAIN_FLOAT also: does no sum or product of floats
// (a reduce, a window, a contraction, a scatter) run over several axes (its
// order, and so its rounding, would depend on the layout)?
// Fails with ERR_CHECK.
bool instance_monoids(const struct instance *in, enum domain float_mode, struct err *err);
// Value of a PAT_LITERAL in an element type; ops: bindings of the operator
// variables (for LIT_UNIT).  Fails with ERR_LIMIT where it is no value of it.
bool pat_literal(const struct rule *rule, const struct pat *pattern, enum elem elem,
                 const struct op_binding *ops, struct scalar *out, struct err *err);
// How elements are compared in programs that a rule speaks of: FLOAT on floats
// and REAL, SIGNED on signed integers and INT, UNSIGNED on the others and i1.
enum compare_type compare_type_of(enum elem elem);
// Builds pattern `root`.  Its dimensions come in pat[root].out order.  Fails
// with ERR_INPUT or ERR_CHECK when a node is not well-defined, with ERR_LIMIT
// when a value overflows or a literal is not in the element type.
bool instance_build(const struct instance *in, uint32_t root, const struct builder *builder,
                    term_id *out, struct err *err);
// The same with the dimensions in the order wanted (one transpose at most).
bool instance_build_as(const struct instance *in, uint32_t root, const struct order *wanted,
                       const struct builder *builder, term_id *out, struct err *err);
// Does element condition `pat` fold to true everywhere?  The operands must be
// constants; anything that cannot be decided does not hold.
bool instance_element_condition(const struct instance *in, uint32_t pat, struct terms *terms);

// A rule at concrete ranks, map values, element types and operators.
struct ground {
    const uint32_t *rank;        // per class; equal within a rank class
    int64_t *const *map;         // per map; let maps are computed
    const enum elem *elem;       // per type variable
    const struct op_binding *op; // per operator variable
    enum elem index_elem;        // of indices; ELEM_OTHER: i32
};
enum ground_status {
    GROUND_OK,           // both sides built, same type
    GROUND_PRE_FALSE,    // a rank or precondition (on maps, types, N6) is
                         // false, or a value overflows; *inst may be NULL
    GROUND_LHS_INVALID,  // the left side is not well-defined
    GROUND_RHS_INVALID,  // the left is well-defined, the right is not
    GROUND_TYPE_DIFFERS, // both are, with different shapes or element types
};
struct ground_place {
    struct terms *terms;
    struct rng *shuffle; // permutes the dimensions of operands, so that transposes appear;
                         // NULL: axes stand in the order of the classes
    struct arena *mem;   // owns the instance
};
// Where the results go.
struct ground_out {
    struct instance **inst; // NULL: not wanted
    term_id *lhs, *rhs;     // NO_TERM for a side that was not built
    term_id *elem_cond;     // by `where`: the term of an element condition, NO_TERM for a
                            // condition on maps; NULL: not wanted
};
// Tensor variable i becomes parameter [0, i], scalar j parameter [0, n_tensors + j].  An index
// becomes constants with the values of its map.
enum ground_status rule_ground(const struct rule *rule, const struct ground *ground,
                               struct ground_place place, struct ground_out out, struct err *err);

#endif
