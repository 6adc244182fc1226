// SPDX-License-Identifier: Apache-2.0
// Internal declarations of the counterexample search (search.h).
#ifndef VERIFY_COUNTEREXAMPLE_PARTS_H
#define VERIFY_COUNTEREXAMPLE_PARTS_H

#include "rules/instance/instance.h"
#include "verify/counterexample/search.h"
#include "verify/limits.h"

// One axis of a family: the value of every map of the rule that belongs to the
// family (the entries of other maps are 0), lets included.
enum cex_lack {
    CEX_LACKS_NOTHING,
    CEX_LACKS_OPERANDS, // an operand has size 0 along this axis, the left side has not
    CEX_LACKS_RESULT,   // the left side has size 0 along this axis
};
#define CEX_N_LACKS 3
struct cex_point {
    const int64_t *v;
    bool fails; // the right side is not well-defined or has another size
    enum cex_lack lack;
};
struct cex_family {
    uint32_t root;                 // first class of the rank class, or of those joint with it
    bool single;                   // exactly one axis
    bool joint;                    // classes that reshapes join: one axis each, a block's axes
                                   // are made from its one axis afterwards
    uint32_t least;                // least rank
    uint32_t n_points, n_full;     // points that are not empty come first
    const struct cex_point *point; // in the order in which they were found
    // The same by lack, then weight: those of one lack and of weight w begin at first[lack][w]
    // (order.h).
    const struct cex_point **sorted;
    uint32_t first[CEX_N_LACKS][VERIFY_CEX_WEIGHT + 2];
};
struct cex_space {
    const struct rule *rule;
    const struct cex_hint *hints;
    uint32_t n_hints;
    uint32_t n_families;
    struct cex_family *family;
    struct arena *mem;
};
// Class whose family a class belongs to.
uint32_t cex_root(const struct rule *rule, uint32_t cls);

// A relation between integer expressions of one family (checks.c).
enum cex_check_kind {
    CEX_CHECK_LE,   // a <= b
    CEX_CHECK_EQ,   // a == b
    CEX_CHECK_COND, // a precondition
    CEX_CHECK_PAD,  // pad_size(a, b, c, d) exists
};
struct cex_check {
    enum cex_check_kind kind;
    uint32_t cls; // a class of the family
    const struct iexp *a, *b, *c, *d;
    const struct cond *cond;
    uint64_t uses;  // slots that occur (maps.c)
    uint64_t needs; // free slots that must have values
};
typedef VEC(struct cex_check) cex_check_vec;
void cex_node_checks(const struct rule *rule, const struct pat *pattern, struct arena *mem,
                     cex_check_vec *out);
const struct iexp *cex_size_in(const struct pat *pattern, uint32_t cls);

// Finds the points of one family (points.c).
void cex_family_fill(const struct cex_space *space, struct cex_family *family,
                     const struct cex_budget *budget, struct rng *rng);

// An operator variable's operator, independent of any pool.
struct cex_op {
    enum op op;
    enum compare_dir dir; // compare
    enum compare_type ct;
};

// Element values.  Parameter i is tensor i; the scalars follow.
struct cex_values {
    uint64_t count;
    struct scalar *at;
};
struct cex_case {
    enum domain domain;
    bool approximate;
    uint32_t *rank;       // per class
    int64_t **map;        // per map; of an index: its values
    enum elem index_elem; // of all indices
    enum elem *elem;
    struct cex_op *op;
    struct cex_values *param;
};
struct cex_case *cex_case_new(const struct rule *rule, struct arena *mem);
// Allocates the arrays of maps for the ranks that are set.
void cex_case_maps(const struct rule *rule, struct cex_case *candidate, struct arena *mem);
struct cex_case *cex_case_copy(const struct rule *rule, const struct cex_case *candidate,
                               struct arena *mem);

enum cex_failure {
    CEX_NONE,        // both sides agree
    CEX_DISCARD,     // decides nothing
    CEX_RHS_INVALID, // the right side is not well-defined
    CEX_SHAPE,       // shape or element type differ
    CEX_ELEMENTS,    // an element differs
};
struct cex_outcome {
    enum cex_failure failure;
    int64_t index; // row-major, of the first differing element
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    enum elem elem;
    struct scalar lhs, rhs;
    // Values, types, or the reason why a side is invalid.
    char text_lhs[VERIFY_CEX_VALUE_BYTES], text_rhs[VERIFY_CEX_VALUE_BYTES];
    // Operators whose last bit decides.  All their results are correctly rounded.
    uint32_t n_rounded;
    enum op rounded[VERIFY_CEX_ROUNDED];
    bool ordered; // float sums decide that another order would change
    double off;   // over the reals: bound of the errors of both sides together
};

// Builds and evaluates candidates.  Keeps the grounded case, so that several fillings of one
// case are built once.
struct cex_evaluator {
    const struct rule *rule;
    struct pool pool;
    struct terms terms;
    struct arena mem; // scratch of one ground
    uint32_t grounds; // since the pool was made
    enum ground_status status;
    enum cex_lack lack; // of the instance
    uint32_t cost;      // of one evaluation, in steps
    bool in_order;      // cex_in_order
    bool plain;         // infinite values, NaN and the sign of zero do not count
    bool both;          // a case whose right side is not well-defined decides nothing
    struct err why;
    struct err unread; // of evaluations: set from the start, so that no message is made
    struct instance *inst;
    term_id lhs, rhs, *cond;
    uint32_t n_params;
    type_id *types; // of the parameters
    struct value *values;
    struct eval_plan conditions; // of the element conditions, each with its nodes up to cond_end
    uint32_t *cond_end;
    struct eval_plan sides; // of both sides, unless the right one is not well-defined
};
void cex_evaluator_init(struct cex_evaluator *cex_evaluator, const struct rule *rule);
void cex_evaluator_release(struct cex_evaluator *cex_evaluator);
// Builds both sides.  Returns false if the case decides nothing.  Sets the number of
// elements of every parameter in the case (arrays from `mem`).
bool cex_evaluator_ground(struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                          struct arena *mem);
// Evaluates the grounded case with its values.
enum cex_failure cex_evaluator_run(struct cex_evaluator *cex_evaluator,
                                   const struct cex_case *candidate, struct cex_outcome *out);

// Is condition w one on the single elements of this parameter alone?  Has the rule such conditions, and do
// they hold if the parameter has this value everywhere?  The case is grounded.  What cannot be
// evaluated does not count.
bool cex_is_alone(const struct rule *rule, uint32_t w, uint32_t param);
bool cex_binds_alone(const struct cex_evaluator *cex_evaluator, uint32_t param);
bool cex_allows_alone(struct cex_evaluator *cex_evaluator, uint32_t param, struct scalar scalar);

// The weight of a difference between the sides, for the values that their nodes have now.
enum cex_weight {
    CEX_NOTHING, // rounding or order may explain it
    CEX_FAR,     // it counts if cex_far_apart
    CEX_EXACT,   // it counts
};
enum cex_weight cex_weigh(const struct cex_evaluator *cex_evaluator,
                          const struct cex_case *candidate, struct arena *mem,
                          struct cex_outcome *out);
// Do the element conditions, which hold for the values that their nodes have now, hold however
// their nodes round?  Also true if they hold where all results are correctly rounded, which is
// noted in `out`.
bool cex_conditions_count(const struct cex_evaluator *cex_evaluator,
                          const struct cex_case *candidate, struct arena *mem,
                          struct cex_outcome *out);
// Do all sums of floats take their terms axis by axis, in the order in which the axes are
// numbered (rounding/sum_order.c)?
bool cex_in_order(const struct instance *in);
// May the rule sum or multiply up floats?
bool cex_has_float_sums(const struct rule *rule);
// Does it so with the element types of the case?  f64 that stands for reals is no float here.
bool cex_sums_floats(const struct rule *rule, const struct cex_case *candidate);
// Is `got` the correctly rounded result of the operator (rounding/correctly_rounded.c)?  Also false
// if that is unknown. b is used for binary operators only.
bool cex_rounds_right(enum op op, enum elem elem, double a, double b, struct scalar got);
// Are the two elements further apart than any rounding explains?
bool cex_far_apart(const struct cex_outcome *outcome, bool approximate);

// May the element type stand for the type variable in the domain?
bool cex_elem_fits(const struct rule *rule, uint32_t type, enum domain domain, bool approximate,
                   enum elem elem);
// Choices for one type variable repeat after so many.
#define CEX_TYPE_PICKS 12
// Chooses element types and operators, the simplest in round 0, random ones later.  Returns
// false if some type or operator variable has none.
bool cex_choose_types(const struct rule *rule, struct cex_case *candidate, uint32_t round,
                      struct rng *rng);
// Chooses element type and values of the indices: values near the sizes, and extreme ones.
bool cex_has_index(const struct rule *rule);
// The n-th vector of simple values of the indices.  False after the last.
bool cex_put_indices(const struct rule *rule, struct cex_case *candidate, uint32_t n);
void cex_choose_indices(const struct rule *rule, struct cex_case *candidate, uint32_t round,
                        struct rng *rng);
bool cex_choose_ops(const struct rule *rule, struct cex_evaluator *cex_evaluator,
                    struct cex_case *candidate, uint32_t round, struct rng *rng);
// Does the operator have this type, and is it a monoid's in the domain if it must be?
bool cex_op_fits(const struct rule *rule, struct cex_evaluator *cex_evaluator,
                 const struct cex_case *candidate, uint32_t opvar, const struct cex_op *op);
attr_id cex_op_attr(struct pool *pool, const struct cex_op *op);
// Fills the elements in one of the styles below (0: all distinct).  The last style is for
// sums of floats only: numbers that a sum absorbs or not, depending on the terms before.
#define CEX_STYLES 6
#define CEX_STYLE_SUMS 6
uint32_t cex_styles(const struct rule *rule, const struct cex_case *candidate);
void cex_fill(const struct rule *rule, struct cex_case *candidate, uint32_t style, struct rng *rng);

// Smaller cases that still fail, greedily: fewer axes and smaller map values that lack no more;
// simpler types and elements.  `candidate` must fail.
struct cex_case *cex_shrink(struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                            struct rng *rng, struct arena *mem);
struct cex_case *cex_simplify(struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                              struct rng *rng, struct arena *mem);

// The report of the case that was grounded and run last (json.c).
char *cex_json(const struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
               const struct cex_outcome *outcome, struct arena *mem);
// Name of a type variable in the report ("#2" if it has none); `to` has 16.
const char *cex_type_name(const struct rule *rule, uint32_t type, char *to);

#endif
