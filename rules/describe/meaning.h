// SPDX-License-Identifier: Apache-2.0
// Internal to rules/: a rule in index notation (describe.h).  The functions walk
// down a pattern and carry the index along each class as text: "i_x" at the root,
// "s + p*i_x" below a slice, and so on.  At a tensor the index becomes a subscript.
#ifndef RULES_DESCRIBE_MEANING_H
#define RULES_DESCRIBE_MEANING_H

#include "rules/rule.h"

struct subscripts {
    const char **at; // per class; NULL: the pattern has no such class
    struct arena *mem;
    const struct rule *rule;
};

// INNER: the value stands between other signs, so that sums, choices and
// reductions need parentheses.
enum context { OUTER, INNER };

// meaning.c
void meaning_open(enum context where, struct buf *out);
void meaning_close(enum context where, struct buf *out);
const struct iexp *meaning_size(const struct pat *pattern, uint32_t cls);
bool meaning_is(const struct iexp *expr, int64_t k); // is it the constant k, or NULL?
// The text of a buffer, copied to the arena.  Releases the buffer.
const char *meaning_keep(struct subscripts subscripts, struct buf *buf);
// An expression, in parentheses unless it is a name or a number.
void meaning_factor(const struct rule *rule, const struct iexp *expr, struct buf *out);
void meaning_index(const char *index, struct buf *out);
// "i_x", or "i2_x" and so on if "i_x" has another meaning already.
const char *meaning_name(struct subscripts subscripts, char letter, uint32_t cls);
struct subscripts meaning_copy(struct subscripts subscripts);
// Argument k of the pattern.  The argument sees only the classes of its own type.
void meaning_arg(struct subscripts subscripts, const struct pat *pattern, uint32_t k,
                 enum context where, struct buf *out);

// meaning_sum.c
void reduce_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out);
void dot_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                 struct buf *out);
void conv_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                  struct buf *out);
void window_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out);
void scatter_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                     struct buf *out);

// meaning_place.c
void gather_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                    struct buf *out);
void dynamic_slice_meaning(struct subscripts subscripts, const struct pat *pattern,
                           enum context where, struct buf *out);
void dynamic_update_meaning(struct subscripts subscripts, const struct pat *pattern,
                            enum context where, struct buf *out);
void reshape_meaning(struct subscripts subscripts, const struct pat *pattern, enum context where,
                     struct buf *out);

#endif
