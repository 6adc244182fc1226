// SPDX-License-Identifier: Apache-2.0
// The symbolic meaning of a rule at given ranks: the sizes of every pattern node, the
// conditions of its well-definedness axis by axis, and its element at a symbolic index.
// The concrete counterpart is tensor/eval/eval.h; a test compares the two operator by
// operator.
//
// N1  The value of map m at a place is one variable, shared by all instances
//     (VAR_MAP m place); let maps are replaced by their definitions.  An index is such an
//     integer, too.
// N2  Every condition (struct clause) speaks of one place of one family.  A family holds
//     the classes whose maps may meet in one expression: rank classes, joined by reshapes
//     and by grouped convolutions.
// N3  An element's index arguments stand class by class, place by place, in the order of
//     the tensor's declaration.
// N4  A divisor in an attribute or size adds the clause `divisor != 0` to the node that
//     uses it.  A precondition counts as true only if it is true whatever its undefined
//     parts are (Kleene).
// N5  A block has one place, which stands for all its axes in row-major order
//     (docs/proving.md, "Blocks").
#ifndef VERIFY_MEANING_DENOTE_H
#define VERIFY_MEANING_DENOTE_H

#include "verify/symbolic/expr.h"

struct clause {
    expr_id cond;
    uint32_t family, place;
    uint32_t cls;
    const char *what; // "slice: start <= limit"
    uint32_t pat;     // the node, NONE for preconditions
    bool each_axis;   // of a block: must hold of each of its axes; `cond`, about
                      // their product, follows from it but does not give it
};
struct clauses {
    VEC(struct clause) at;
};

// A per-axis condition of one class that decides where an element comes from.
struct axis_condition {
    uint32_t cls;
    expr_id cond;
};

struct denote {
    struct exprs *exprs;
    const struct rule *rule;
    uint32_t rank[64];                // per class
    uint32_t max_rank;                // at least 1: the stride of index arrays
    uint32_t level;                   // enclosing reduces
    VEC(struct axis_condition) folds; // met by denote_element, with repetitions
    // Floats: a sum is an unknown function of the list of its addends, because the order and
    // the precision of a dot, or of a sum that starts with a value, are open.
    bool float_sums;
    int domain;             // with float_sums: judged in this domain, or all (-1)
    bool ideal;             // int, real: integers among the elements have no width
    bool rounds;            // an element depends on float_sums
    struct u32_vec dropped; // elements on which a result does not depend, but without which
                            // it has no value
    const char *failure;    // the part that cannot be expressed; or NULL
};

// `rank` has one entry per class; singles and blocks must be 1.  Returns false if the rule
// has too many classes.
bool denote_init(struct denote *denote, struct exprs *exprs, const struct rule *rule,
                 const uint32_t *rank);
void denote_release(struct denote *denote);

// The first class of the rank class of `cls`.  Classes of one rank class have equal rank.
uint32_t denote_rank_class(const struct rule *rule, uint32_t cls);
// The first class of the family (N2).
uint32_t denote_family(const struct rule *rule, uint32_t cls);
// Is the class one axis here: single, or a block?  Then all of its family are.
bool denote_one_axis(const struct rule *rule, uint32_t cls);
// The part to which the variables of a place belong (X4).
uint32_t denote_part(const struct rule *rule, uint32_t cls, uint32_t place);

expr_id denote_iexp(struct denote *denote, const struct iexp *expr, uint32_t place);
// "expr is defined": its divisors are not 0.
expr_id denote_defined(struct denote *denote, const struct iexp *expr, uint32_t place);
// "condition is true" if `wanted`, else "condition is false" (N4).
expr_id denote_cond(struct denote *denote, const struct cond *condition, uint32_t place,
                    bool wanted);

// Is `cls` one of the classes of the node's result?
bool denote_has_class(struct denote *denote, uint32_t pat, uint32_t cls);
expr_id denote_size(struct denote *denote, uint32_t pat, uint32_t cls, uint32_t place);
// Appends the conditions of the node and of all below it.
void denote_valid(struct denote *denote, uint32_t root, struct clauses *out);
// Appends the map preconditions.
void denote_where(struct denote *denote, struct clauses *out);
// Do bitcasts on the right side join only types that have equal widths whenever the left
// side is well-defined?
bool denote_widths_agree(const struct rule *rule);

// Index arrays: index[cls * max_rank + place].
expr_id *denote_new_index(struct denote *denote); // caller frees with mem_free
// Fills the places of the node's classes with output index variables.
void denote_out_index(struct denote *denote, uint32_t pat, expr_id *index);
// Appends 0 <= index < size for every axis of the node.
void denote_in_range(struct denote *denote, uint32_t pat, const expr_id *index,
                     struct clauses *out);
expr_id denote_element(struct denote *denote, uint32_t pat, const expr_id *index);

// May elements of the type be floats that are compared bit for bit when the rule is judged
// in the domain (-1: in all)?  In word only elements that can be nothing else.
bool denote_is_float(const struct rule *rule, uint32_t type, int domain);
// Is the node a sum: is its element an X_REDUCE?
bool denote_is_sum(const struct pat *pattern);
// The classes whose places such a node binds (variables VAR_BOUND cls place), as a bit set.
uint64_t denote_bound_classes(struct denote *denote, uint32_t pat);

#endif
