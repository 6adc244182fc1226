// SPDX-License-Identifier: Apache-2.0
// Internal to rules/named.c, rules/sets.c, rules/put.c and rules/ones.c.
#ifndef FORMULA_RULES_CORE_H
#define FORMULA_RULES_CORE_H

#include "formula/limits.h"
#include "formula/rules/named.h"

// A set of axes: one size of a bound class.
struct named_set {
    uint32_t cls, nth; // the nth set of the class
    const struct iexp *size;
};

struct named_rule {
    const struct rule *rule;
    struct err *why;
    enum domain domain;
    uint64_t bound; // mask of bound classes
    uint32_t n_sets;
    struct named_set set[NAMED_MAX_SETS];
    const enum op *ops;   // operators by operator variable
    int64_t *one, **ones; // values of maps if every free choice is 1
};

// The state of writing a side or a condition.
struct named_side {
    struct buf *out;
    uint32_t nodes;
    uint64_t *tensor; // bit sets of variables
    uint64_t *scalar;
    uint32_t *sets;
};

struct named_writer {
    struct named_rule named_rule;
    // By variable, tensors first: sets along which the term must be constant.
    uint32_t *constant;
    uint32_t apart[NAMED_MAX_SETS]; // sets that must have no axis in common
    // Element types: bit 0: numbers only, bit 1: truth values only.
    unsigned *used, *found;
};

bool named_fail(struct named_rule *n, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Are the elements of the type truth values?
bool named_is_bool(const struct named_rule *n, uint32_t type);
// Calls `each` with all patterns below the root, arguments first.
bool named_each(struct named_rule *n, uint32_t root,
                bool (*each)(struct named_rule *n, const struct pat *p));
// The set that stands for the class in a shape; NONE: there is none.
uint32_t named_set_of(const struct named_rule *n, uint32_t n_sizes, const struct axis_size *sizes,
                      uint32_t cls);
// The mask of all sets of a shape.
uint32_t named_sets(const struct named_rule *n, uint32_t n_sizes, const struct axis_size *sizes);
// The classes that a pattern binds, together (reduce, contraction, call) or as
// a join; 0: none.
uint64_t named_binds(const struct pat *pattern);

// Finds bound classes and sets, and requires that conditions on sizes hold for
// all sizes.  `from`: the side that is matched.
bool named_prepare(struct named_rule *n, uint32_t from);

// formula/rules/put.c: prints `?y`, `?a.1`, and the pattern i of the rule.
// `path`: sets that nodes above it bind.
void named_put_set(const struct named_rule *n, uint32_t set, struct buf *out);
bool named_put(struct named_writer *writer, uint32_t i, uint32_t path, struct named_side *side);

// formula/rules/ones.c: appends the lines of a definition with 1 for the variable, and with any
// number, if that computes numbers on the left side.
void named_put_at_numbers(const char *name, const char *left, const char *right,
                          const char *variable, struct buf *out);

#endif
