// SPDX-License-Identifier: Apache-2.0
// Shared by named.c, formula/rules/sets.c and formula/rules/put.c.
#ifndef FORMULA_RULES_CORE_H
#define FORMULA_RULES_CORE_H

#include "formula/rules/named.h"

enum {
    NAMED_MAX_SETS = 16,
    NAMED_MAX_NODES = 32,  // of a plain rule's side
    NAMED_MAX_GUARDS = 8,  // of a plain rule
    NAMED_MAX_DEPTH = 60,  // of a pattern
    NAMED_MAX_LINES = 400, // for one rule with operator variables
};

// A set of axes: a bound class with one of its sizes.
struct named_set {
    uint32_t cls, nth; // nth of its class
    const struct iexp *size;
};

struct named_rule {
    const struct rule *rule;
    struct err *why;
    enum domain domain;
    uint64_t bound; // classes
    uint32_t n_sets;
    struct named_set set[NAMED_MAX_SETS];
    const enum op *ops;   // of the operator variables
    int64_t *one, **ones; // maps where all that can be chosen are 1
};

// A side or a condition that is being written.
struct named_side {
    struct buf *out;
    uint32_t nodes;
    uint64_t *tensor; // variables, as bits
    uint64_t *scalar;
    uint32_t *sets;
};

struct named_writer {
    struct named_rule named_rule;
    // Of tensors, then scalars: sets that the term must be constant along.
    uint32_t *constant;
    uint32_t apart[NAMED_MAX_SETS]; // sets that must have no axis in common
    // Element types: bit 0: numbers only, bit 1: truth values only.
    unsigned *used, *found;
};

bool named_fail(struct named_rule *n, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Elements of the type are truth values, not numbers.
bool named_is_bool(const struct named_rule *n, uint32_t type);
// Calls `each` with all patterns below the root, arguments first.
bool named_each(struct named_rule *n, uint32_t root,
                bool (*each)(struct named_rule *n, const struct pat *p));
// The set that stands for the class in a shape; NONE: none.
uint32_t named_set_of(const struct named_rule *n, uint32_t n_sizes, const struct axis_size *sizes,
                      uint32_t cls);
// All sets of a shape, as bits.
uint32_t named_sets(const struct named_rule *n, uint32_t n_sizes, const struct axis_size *sizes);
// The classes that patterns bind, together (reduce, contraction, call) or as a
// join; 0: none.
uint64_t named_binds(const struct pat *pattern);

// Finds bound classes and sets, and makes sure that conditions on sizes hold
// whatever they are.  `from`: the side that is matched.
bool named_prepare(struct named_rule *n, uint32_t from);

// formula/rules/put.c.  `?y`, `?a.1`; the pattern i of the rule; `path`: sets that
// nodes above it bind.
void named_put_set(const struct named_rule *n, uint32_t set, struct buf *out);
bool named_put(struct named_writer *writer, uint32_t i, uint32_t path, struct named_side *side);

#endif
