// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: the inference of pattern nodes.  The files in rules/language
// read the text of a node.  The files in rules/language/shapes infer its type and
// its shape, and check every condition that needs no values.
#ifndef RULES_LANGUAGE_SHAPES_ELABORATE_H
#define RULES_LANGUAGE_SHAPES_ELABORATE_H

#include "rules/language/tokens/parser.h"

#define BIT(c) (UINT64_C(1) << (c))

// rules/language/shapes/types.c: inference of element types.
uint32_t type_fresh(struct parser *parser, unsigned kinds, const char *name);
uint32_t type_root(struct parser *parser, uint32_t t);
bool type_unify(struct parser *parser, uint32_t a, uint32_t b, struct place at, const char *what);
bool type_require(struct parser *parser, uint32_t t, unsigned kinds, struct place at,
                  const char *what);
// Numbers the variables that are in use; writes the rule's types.
void types_finish(struct parser *parser, struct rule *rule);

// elaborate.c: pattern nodes with their shapes.
struct attr_set {
    uint64_t classes; // the classes that have any attribute
    const struct iexp *expr[RULES_MAX_CLASSES][N_ATTRS];
};
uint64_t pat_classes(const struct parser *parser, uint32_t pat);
uint32_t pat_push(struct parser *parser, struct pat *pattern, uint32_t n_args,
                  const uint32_t *args);
uint32_t elab_literal(struct parser *parser, struct pat lit, unsigned kinds, struct place at);
uint32_t elab_elementwise(struct parser *parser, struct pat pattern, uint32_t n_args,
                          const uint32_t *args, const char *what);
uint32_t elab_splat(struct parser *parser, uint32_t arg, uint32_t n_sizes,
                    const struct axis_size *sizes, struct place at);
uint32_t elab_broadcast(struct parser *parser, uint32_t arg, const struct attr_set *set,
                        struct place at);
uint32_t elab_iota(struct parser *parser, const struct attr_set *set, uint32_t axis,
                   struct place at);
uint32_t elab_slice(struct parser *parser, uint32_t arg, const struct attr_set *set,
                    struct place at);
uint32_t elab_pad(struct parser *parser, uint32_t arg, uint32_t value, const struct attr_set *set,
                  struct place at);
uint32_t elab_concat(struct parser *parser, uint32_t n_args, const uint32_t *args, uint32_t axis,
                     struct place at);
uint32_t elab_reverse(struct parser *parser, uint32_t arg, uint64_t classes, struct place at);
// The pattern has the reducer and the classes to reduce.  If `init` is NONE, then the
// initial value is the unit.
uint32_t elab_reduce(struct parser *parser, struct pat pattern, uint32_t arg, uint32_t init);
uint32_t elab_relabel(struct parser *parser, uint32_t arg, uint32_t n, const struct relabel *by,
                      struct place at);
bool elab_sides(struct parser *parser, uint32_t lhs, uint32_t rhs, struct place at);

// rules/language/shapes/sizes.c: parts of shapes.  The expressions omit terms of 0 and
// factors of 1.  NULL operands give NULL.
struct pat pat_blank(enum pat_kind kind, enum op op, struct place at);
const struct iexp *iexp_number(struct parser *parser, int64_t k);
const struct iexp *iexp_sum(struct parser *parser, const struct iexp *a, const struct iexp *b,
                            struct place at);
const struct iexp *iexp_product(struct parser *parser, const struct iexp *a, const struct iexp *b,
                                struct place at);
// v: start, limit, stride.
const struct iexp *slice_result(struct parser *parser, const struct iexp *n,
                                const struct iexp *const v[3], struct place at);
// v: low, high, interior.
const struct iexp *pad_result(struct parser *parser, const struct iexp *n,
                              const struct iexp *const v[3], struct place at);
// The number of windows of w >= 1 elements.  v: stride, low, high, dilation, window
// dilation; NULL: 1, 0, 0, 1, 1.
const struct iexp *window_result(struct parser *parser, const struct iexp *n, const struct iexp *w,
                                 const struct iexp *const v[5], struct place at);
const struct iexp *size_on(const struct parser *parser, uint32_t pat, uint32_t cls);
struct axis_size *sizes_copy(struct parser *parser, const struct pat *pattern);
void attrs_of_set(struct parser *parser, struct pat *pattern, const struct attr_set *set);
// The sizes v[..][0] of the set as the shape of the node.
void sizes_of_set(struct parser *parser, struct pat *pattern, const struct attr_set *set);
bool classes_present(struct parser *parser, uint32_t arg, uint64_t classes, struct place at,
                     const char *what);
bool class_single(struct parser *parser, uint32_t cls, struct place at, const char *what);
// Checks that no class of the set is a block, since attributes are given axis by axis.
bool classes_apart(struct parser *parser, uint64_t classes, struct place at, const char *what);
bool pat_scalar(struct parser *parser, uint32_t pat, const char *what, const char *role);
bool reducer_type(struct parser *parser, const struct pat *pattern, uint32_t type, struct place at,
                  const char *what);
// If `init` is NONE, then the initial value is the unit, which fits any type.
bool initial_value(struct parser *parser, uint32_t init, uint32_t type, const char *what);

// rules/language/shapes/contract.c: `pattern` comes with the reducer, the sets of classes and the
// groups as read.
uint32_t elab_dot(struct parser *parser, struct pat pattern, uint32_t a, uint32_t b);
uint32_t elab_conv(struct parser *parser, struct pat pattern, uint32_t a, uint32_t k,
                   const struct attr_set *set);
uint32_t elab_reduce_window(struct parser *parser, struct pat pattern, uint32_t arg, uint32_t init,
                            const struct attr_set *set);
uint32_t elab_gather(struct parser *parser, struct pat pattern, uint32_t a, uint32_t i,
                     const struct attr_set *set);
uint32_t elab_scatter(struct parser *parser, struct pat pattern, uint32_t a, uint32_t i,
                      uint32_t u);

// rules/language/shapes/move.c
uint32_t elab_dynamic_slice(struct parser *parser, uint32_t arg, const struct attr_set *set,
                            struct place at);
uint32_t elab_dynamic_update(struct parser *parser, uint32_t arg, uint32_t update,
                             const struct attr_set *set, struct place at);
// A size of NULL in a group is inferred.
uint32_t elab_reshape(struct parser *parser, uint32_t arg, uint32_t n_groups,
                      struct reshape_group *groups, struct place at);
uint32_t elab_bitcast(struct parser *parser, uint32_t arg, uint32_t type, struct place at);

#endif
