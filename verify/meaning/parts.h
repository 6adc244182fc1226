// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the denotation: attributes as expressions, and the elements of the
// operators by group.
#ifndef VERIFY_MEANING_PARTS_H
#define VERIFY_MEANING_PARTS_H

#include "verify/meaning/denote.h"

static inline bool denote_bit(uint64_t set, uint32_t cls)
{
    return cls < 64 && (set >> cls & 1) != 0;
}
static inline bool denote_is_op(const struct pat *pattern, enum op op)
{
    return pattern->kind == PAT_OP && pattern->op == op;
}
uint32_t denote_lowest_bit(uint64_t set);
// Is `pat` the root or below it?
bool denote_below(const struct rule *rule, uint32_t root, uint32_t pat);
// Are all maps of expr of the family of `cls`?
bool denote_iexp_within(const struct rule *rule, const struct iexp *expr, uint32_t cls);
// The class of some map of expr; NONE if there is none.
uint32_t denote_iexp_class(const struct rule *rule, const struct iexp *expr);

// Attributes of a class; NULL if the node does not name the class.
const struct pat_attr *denote_attr(const struct pat *pattern, uint32_t cls);
// Attribute i of a class as an expression; `missing` if it is not given.
expr_id denote_attr_value(struct denote *denote, const struct pat_attr *attr, int i, uint32_t place,
                          expr_id missing);
const struct axis_size *denote_size_of(uint32_t n, const struct axis_size *size, uint32_t cls);
// The class of the operand that becomes class `to` under a relabel.
uint32_t denote_relabel_source(const struct pat *pattern, uint32_t to);

// A window that slides along one axis of the operand: reduce_window, and the
// spatial classes of a convolution.
struct sliding {
    expr_id n;                 // size of the operand's axis
    expr_id size;              // of the window
    expr_id stride, low, high; // positions
    expr_id base, dilation;    // of the operand, of the window
    bool flipped;
};
struct sliding denote_sliding(struct denote *denote, const struct pat *pattern, uint32_t cls,
                              uint32_t place);
expr_id denote_window_count(struct denote *denote, const struct sliding *window);

// The group of a reshape that has `cls` on its left (right) side; NULL: none.
const struct reshape_group *denote_group_from(const struct pat *pattern, uint32_t cls);
const struct reshape_group *denote_group_to(const struct pat *pattern, uint32_t cls);
// The size of entry i of the right side of a group; the product of the sizes of its left
// side.
expr_id denote_group_size(struct denote *denote, const struct pat *pattern,
                          const struct reshape_group *group, uint32_t i);
expr_id denote_group_count(struct denote *denote, const struct pat *pattern,
                           const struct reshape_group *group);

// The place of a demanded condition: a node, a class and a place of the class.
struct clause_site {
    uint32_t pat, cls, place;
};

// Each appends conditions of well-definedness (valid_attributes.c).
void denote_demand_clause(struct denote *denote, struct clauses *out, struct clause_site site,
                          expr_id cond, const char *what, bool each_axis);
void denote_demand(struct denote *denote, struct clauses *out, struct clause_site site,
                   expr_id cond, const char *what);
// Demands that the divisors of expr are not 0; expr may be NULL.
void denote_demand_defined(struct denote *denote, struct clauses *out, struct clause_site site,
                           const struct iexp *expr);
void denote_demand_size(struct denote *denote, struct clauses *out, struct clause_site site,
                        const struct iexp *size);
// Demands least <= e.
void denote_demand_least(struct denote *denote, struct clauses *out, struct clause_site site,
                         int64_t least, expr_id e, const char *what);
void denote_demand_equal(struct denote *denote, struct clauses *out, struct clause_site site,
                         expr_id a, expr_id b, const char *what);
// Of the attributes of one class; of a window; of an index expression, and
// does e contain an index?
void denote_valid_attr(struct denote *denote, const struct pat *pattern,
                       const struct pat_attr *attr, struct clause_site site, struct clauses *out);
void denote_valid_window(struct denote *denote, const struct pat *pattern, struct clause_site site,
                         struct clauses *out);
void denote_valid_index(struct denote *denote, const struct iexp *expr, struct clause_site site,
                        struct clauses *out);
bool denote_has_index(const struct rule *rule, const struct iexp *expr);
// Checks which classes the operands have; denote->failure names a violation
// (valid_classes.c).
void denote_check_classes(struct denote *denote, const struct pat *pattern);
void denote_check_blocks(struct denote *denote, const struct pat *pattern);

// denote_element of one node. ix is a copy that may be overwritten.
expr_id denote_reduce(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_dot(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_convolution(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_reduce_window(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_scatter(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_dynamic_slice(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_dynamic_update(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_gather(struct denote *denote, uint32_t pat, expr_id *ix);
expr_id denote_reshape(struct denote *denote, uint32_t pat, expr_id *ix);

// The place that an element of an index tensor names.
expr_id denote_place(struct denote *denote, expr_id element);

// The unit of a node's reducer.
expr_id denote_unit(struct denote *denote, const struct pat *pattern);
// A per-axis condition of one class, noted as a fold.
void denote_note_fold(struct denote *denote, uint32_t cls, expr_id cond);

#endif
