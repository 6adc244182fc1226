// SPDX-License-Identifier: Apache-2.0
// Shared by named.c and named_sets.c.
#ifndef FORMULA_NAMED_CORE_H
#define FORMULA_NAMED_CORE_H

#include "formula/named.h"

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

struct named {
    const struct rule *r;
    struct err *why;
    enum domain domain;
    uint64_t bound; // classes
    uint32_t n_sets;
    struct named_set set[NAMED_MAX_SETS];
    const enum op *ops;   // of the operator variables
    int64_t *one, **ones; // maps where all that can be chosen are 1
};

bool named_fail(struct named *n, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Elements of the type are truth values, not numbers.
bool named_is_bool(const struct named *n, uint32_t type);
// Calls `each` with all patterns below the root, arguments first.
bool named_each(struct named *n, uint32_t root,
                bool (*each)(struct named *n, const struct pat *p));
// The set that stands for the class in a shape; NONE: none.
uint32_t named_set_of(const struct named *n, uint32_t n_sizes,
                      const struct axis_size *sizes, uint32_t cls);
// All sets of a shape, as bits.
uint32_t named_sets(const struct named *n, uint32_t n_sizes,
                    const struct axis_size *sizes);
// The classes that patterns bind, together (reduce, contraction, call) or as a
// join; 0: none.
uint64_t named_binds(const struct pat *p);

// Finds bound classes and sets, and makes sure that conditions on sizes hold
// whatever they are.  `from`: the side that is matched.
bool named_prepare(struct named *n, uint32_t from);

#endif
