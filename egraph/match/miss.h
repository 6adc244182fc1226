// SPDX-License-Identifier: Apache-2.0
// Why a candidate is no match, told while the matcher runs.
//
// A NEAR MISS is a candidate whose operators all stand where the left side has
// them, and that fails at a condition: a type, a constant, an attribute, a
// precondition, the rule's verdict.  The matcher tells one near miss for each such
// candidate: of several conditions that failed the last one in enum miss_kind, and
// of equal kinds the first one that was tried.
//
// A candidate of a smaller pattern (a variant without the axes of a class) is not
// told.
#ifndef EGRAPH_MATCH_MISS_H
#define EGRAPH_MATCH_MISS_H

#include "base/text/buf.h"
#include "tensor/program/term.h"

// From far to near.
enum miss_kind {
    MISS_TYPE,      // an element type that the rule does not allow
    MISS_LITERAL,   // another constant
    MISS_AXES,      // the axes do not play the parts of the rule's axis classes
    MISS_ATTRIBUTE, // a size or an attribute
    MISS_CONDITION, // a precondition on maps
    MISS_ELEMENTS,  // a condition on elements that is not known to hold
    MISS_VERDICT,   // not proved in the domain of the element types
};
const char *miss_kind_text(enum miss_kind kind); // "type", "constant", ...

struct near_miss {
    enum miss_kind kind;
    term_id root;          // the node at the top
    const char *condition; // in the rule's own text
    const char *found;     // "s = 3, n = 2"
};
// The texts live until the function returns.
struct miss_reader {
    void (*tell)(void *ctx, const struct near_miss *miss);
    void *ctx;
};

// The state of one candidate, private to egraph/match/.
struct miss {
    bool is;
    enum miss_kind kind;
    struct buf condition, found;
};

struct matcher;
struct match_axes;
struct equation_at;
struct instance;

// Each returns false, and does nothing where no one asks or where a nearer
// condition has failed already.
bool miss_text(struct matcher *matcher, enum miss_kind kind, const char *condition,
               const char *found);
bool miss_type(struct matcher *matcher, uint32_t pat);
bool miss_literal(struct matcher *matcher, uint32_t pat);
bool miss_equation(struct match_axes *axes, const struct equation_at *equation);
// A precondition on maps, at one place of a rank class.
bool miss_where(struct match_axes *axes, uint32_t where);
bool miss_where_of(struct matcher *matcher, const struct instance *in, uint32_t where);
bool miss_elements(struct matcher *matcher, const struct instance *in, uint32_t where);
bool miss_verdict(struct matcher *matcher, const struct instance *in);

void miss_clear(struct matcher *matcher);
// Puts the miss of a candidate aside while one of its axes is looked at, and takes it
// back if it is as near as that of the axis.
void miss_aside(struct matcher *matcher);
void miss_back(struct matcher *matcher);
// Tells the miss of a candidate, if there is one.
void miss_tell(struct matcher *matcher);

#endif
