// SPDX-License-Identifier: Apache-2.0
// One use of a rule on positional tensors: the axes, the class of each axis, the
// value of every map on every axis, the element types, the operand terms, and for
// each pattern node the order of its dimensions.  From these data both sides of the
// rule are rebuilt as plain terms without any search.  The same function builds
// ground instances for counterexamples and tests, the right side of a rewrite in
// the e-graph, and both sides in the proof checker.
//
// Axes are numbered 0..n_axes-1.  An `order` lists axis numbers by position.
//
// N1  class_axes[c] lists the axes of class c.  Partner axes of a rank class stand
//     at equal places.  Classes of a rank class have equal rank.
// N2  pat[i].out is an arrangement of the axes of pattern i's classes.
//     pat[i].in[k] is an arrangement of the axes of argument k's classes.
// N3  The orders of simple nodes:
//     - elementwise, slice, pad, reverse, concat: in[k] = out (pad's value and
//       splat's scalar: empty).
//     - reduce: out = in[0] without the reduced axes.
//     - relabel: out = in[0] with axes renamed to partners.
//     - broadcast: in[0] is any arrangement.
//     If an argument's own `out` differs from `in[k]`, then a transpose stands
//     between them.
// N4  The orders of the other nodes:
//     - dynamic_slice, dynamic_update_slice, reduce_window, bitcast_convert:
//       in[k] = out for every k (initial values: empty).
//     - reshape: the axes of a group with two sides stand together in in[0] and in
//       out, in the group's order; the axes of a block stand in the block's order.
//       The groups and the other axes stand in one relative order in in[0] and out.
//       The axes of a group with one side (their sizes are 1) stand anywhere.
//     - dot_general: any operands; out = batch axes in any order, then the axes of
//       lhs, then the axes of rhs.
//     - convolution: any operands, any result.
//     - gather: any operands; the axes of each operand stand in out in the operand's
//       order.
//     - scatter: any indices; out = in[0]; in in[2] the axes of indices stand in the
//       order of in[1], and the other axes in the order of in[0].
//     Contracted, spatial and batch lists are written in ascending positions
//     of the first operand (dot_general's batch: of the result).
// N5  A map of a block stands in joint expressions for the product over the
//     block's axes.
// N6  If a tensor of either side is sliced at an index, then every size of the
//     tensor is a value of index_elem.
//
// The builder makes no node that changes nothing:
//   - broadcast to no new axis, reverse of no axis;
//   - reduce over no axis without an initial value of its own;
//   - at rank 0: slice, pad, dynamic_slice, dynamic_update_slice, and reduce_window
//     without an initial value;
//   - transposes by the identity, reshapes to the same sizes.
// PAT_SPLAT of a constant is a splat constant.  PAT_SPLAT of another rank-0 term is
// a broadcast_in_dim with dims [].  PAT_SPLAT at rank 0 is its argument.
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
    term_id **index;       // per map: the rank-0 terms of an index at each place.
                           // NULL: no index, or a let, which is computed.
                           // map[] has no meaning for an index
    enum elem index_elem;  // element type of all indices
    term_id *tensor;       // per tensor variable
    struct order *order;   // per tensor variable: its dimensions' axes
    term_id *scalar;       // per scalar variable: a rank-0 term
    struct pat_place *pat; // per pattern node
};

// The function that makes terms: the store's own (builder_plain) or the e-graph's.
struct builder {
    struct terms *terms; // for types and literals
    bool (*make)(void *ctx, struct operation operation, const term_id *args, term_id *out,
                 struct err *err);
    void *ctx;
};
struct builder builder_plain(struct terms *terms);

bool order_same(const struct order *a, const struct order *b);
// Position of an axis in the order; NONE if the order has no such axis.
uint32_t order_find(const struct order *order, uint32_t axis);

// An empty instance.  All arrays have the lengths for the rule and the given ranks;
// the axes are numbered class by class.  Maps are 0, terms NO_TERM, orders empty.
struct instance *instance_new(const struct rule *rule, const uint32_t *rank, struct arena *mem);
// The number of terms of the index; 0 if the map is no index.
uint32_t instance_indices(const struct instance *in, uint32_t map);
struct instance *instance_copy(const struct instance *in, struct arena *mem);
// Computes the let maps from the other maps.  Fails on overflow and division by zero.
bool instance_lets(struct instance *in, struct err *err);
// The axes of the classes of a shape, class by class.
struct order instance_axes(const struct instance *in, uint32_t n, const struct axis_size *sizes);
// The declared size of one axis.  False if the class is not in the shape, or if the
// value is not defined.
bool instance_size(const struct instance *in, uint32_t n, const struct axis_size *sizes,
                   uint32_t axis, int64_t *out);
// The value of an expression at a place of class `cls`: maps of the rank class of
// `cls` have their values at that place, maps of other classes are products (N5).
// If `cls` is NONE, then all maps are products.  False if the value is not defined,
// overflows, or depends on an index.
bool instance_iexp(const struct instance *in, const struct iexp *expr, uint32_t cls, uint32_t place,
                   int64_t *out);
// Is the precondition over blocks or several joint classes?
bool where_is_joint(const struct rule *rule, uint32_t w);
// The number of places at which a precondition on maps is evaluated:
//   - 0 for an element condition;
//   - 1 for a condition over blocks or several joint classes (maps are products, N5);
//   - else the number of places of its family.
uint32_t where_places(const struct instance *in, uint32_t w);
// The precondition at one place.  False if it is not defined there.
bool where_at(const struct instance *in, uint32_t w, uint32_t place, bool *holds);
// Are all preconditions on maps met?  *which = index of the first that is not.
bool instance_where(const struct instance *in, uint32_t *which);
// Are the preconditions on types met?  Fails with ERR_CHECK.
bool instance_wider(const struct instance *in, struct err *err);
// Checks N6.  Fails with ERR_CHECK.
bool instance_index_fits(const struct instance *in, struct err *err);
// Arranges pattern `root` and all nodes below, given the order wanted of the result
// of `root`.  Nodes pass the wish down to their arguments, except broadcasts and
// reduces: they take their operand in the operand's own order.  Sets pat[..] of
// every node at or below `root`.
void instance_orient(struct instance *in, uint32_t root, const struct order *wanted);
// instance_orient with random orders wherever any order is allowed.  If `rng` is
// NULL, then no order is random.
void instance_shuffle(struct instance *in, uint32_t root, const struct order *wanted,
                      struct rng *rng);
// Checks an instance.  Fails with ERR_CHECK unless all of these hold:
//   - N1..N6 for all nodes of both sides;
//   - every class has its least rank;
//   - every let map has the values of its definition;
//   - element types are within the kinds of the type variables;
//   - operand types are equal to the declared shapes;
//   - operator variables are bound to operators of their type.
// A use of a rule is sound if instance_check, instance_where,
// instance_element_condition, instance_monoids and rule_may_fire (fire.h) accept it.
bool instance_check(const struct instance *in, const struct terms *terms, struct err *err);
// Is the operator on these elements, read in the domain, commutative and
// associative with reducer_unit as its unit?  Integers and i1: every reducer.
// Floats in DOMAIN_REAL: add, multiply, maximum, minimum.  Floats in
// DOMAIN_FLOAT: maximum and minimum only (they round nothing; all NaNs count
// as one).
bool monoid_holds(enum op op, enum elem elem, enum domain float_mode);
// Does the operator keep the order of these elements, read in the domain?  Such an
// operator is total and nowhere decreasing.  Floats: floor, ceil, round, sign; in
// DOMAIN_REAL also exponential, exponential_minus_one, logistic, tanh, cbrt.
// Integers: sign.
bool monotone_holds(enum op op, enum elem elem, enum domain float_mode);
// Fails with ERR_CHECK unless both hold, with floats read so:
//   - The operator of every monoid variable is a monoid on its elements, and the
//     operator of every monotone variable keeps the order of its elements.
//   - If floats are not real numbers, then the rule has at most one sum or product of
//     floats (a reduce, a window, a contraction, a scatter) of more than one term, and
//     has it with one order of dimensions.  What an implementation makes of its terms is
//     then one function of them, as the proof asks.
//   - In READ_FLOAT_SUMS there may be several, if none runs over several axes: an
//     implementation takes lists of terms alike, whatever operation they belong to.  Over
//     several axes the order of the list would depend on the layout.
bool instance_monoids(const struct instance *in, enum float_reading reading, struct err *err);
// The value of a PAT_LITERAL in an element type.  `ops` binds the operator variables
// (for LIT_UNIT).  Fails with ERR_LIMIT if the literal is no value of the type.
bool pat_literal(const struct rule *rule, const struct pat *pattern, enum elem elem,
                 const struct op_binding *ops, struct scalar *out, struct err *err);
// The comparison of elements that a rule's comparisons stand for: FLOAT on floats
// and REAL, SIGNED on signed integers and INT, UNSIGNED on unsigned integers and i1.
enum compare_type compare_type_of(enum elem elem);
// Builds pattern `root`.  Its dimensions come in pat[root].out order.  Fails
// with ERR_INPUT or ERR_CHECK when a node is not well-defined, with ERR_LIMIT
// when a value overflows or a literal is not in the element type.
bool instance_build(const struct instance *in, uint32_t root, const struct builder *builder,
                    term_id *out, struct err *err);
// instance_build with the dimensions in the order `wanted` (at most one transpose
// more).
bool instance_build_as(const struct instance *in, uint32_t root, const struct order *wanted,
                       const struct builder *builder, term_id *out, struct err *err);
// Does element condition `pat` fold to true everywhere?  The operands must be
// constants.  A condition that cannot be decided does not hold.
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
    GROUND_PRE_FALSE,    // a rank is too small, a precondition (on maps, types, N6) is
                         // false, or a value overflows; *inst may be NULL
    GROUND_LHS_INVALID,  // the left side is not well-defined
    GROUND_RHS_INVALID,  // only the left side is well-defined
    GROUND_TYPE_DIFFERS, // both are well-defined, with different shapes or element types
};
struct ground_place {
    struct terms *terms;
    struct rng *shuffle; // permutes the dimensions of operands, so that transposes appear.
                         // NULL: axes stand in the order of the classes
    struct arena *mem;   // owns the instance
};
// The results.
struct ground_out {
    struct instance **inst; // NULL: not wanted
    term_id *lhs, *rhs;     // NO_TERM for a side that was not built
    term_id *elem_cond;     // per `where`: the term of an element condition, NO_TERM for a
                            // condition on maps.  NULL: not wanted
};
// Tensor variable i becomes parameter [0, i], scalar j parameter [0, n_tensors + j].  An index
// becomes constants with the values of its map.
enum ground_status rule_ground(const struct rule *rule, const struct ground *ground,
                               struct ground_place place, struct ground_out out, struct err *err);

#endif
