// SPDX-License-Identifier: Apache-2.0
// One side of a rule, prepared for matching modulo axes.
//
// Nodes over empty classes are not in programs: a broadcast to no new axis, a
// reduce over none, a slice at rank 0.  So a pattern has variants: the pattern
// itself, and for each set of axis classes whose being empty deletes further
// nodes, the pattern without them.  A variant whose sides are then equal, or
// whose root is then a bare variable, is left out.
//
// V1  step[] lists the nodes that are matched, each after its parent; a
//     deleted node is represented by rep[node], the node below it that stands
//     in its place.
// V2  A slot is a pair (matched node, class in its type).  Slots are linked
//     where the same axis or its partner must stand: argument and result of an
//     operator, occurrences of one variable, both ends of a relabel.  A PART
//     is a connected set of slots of one rank class; parts of one rank class
//     are linked by nothing in the pattern and are paired by map values.
#ifndef EGRAPH_MATCH_PATTERN_H
#define EGRAPH_MATCH_PATTERN_H

#include "base/memory/arena.h"
#include "rules/rule.h"

struct pattern_part {
    uint32_t family; // first class of the rank class
    uint32_t n_slots;
};

struct pattern_variant {
    uint64_t empty; // classes of rank 0, as a bit set
    uint64_t needs; // operators that must occur (op_bit)
    int32_t growth; // operators that the other side has more
    uint32_t depth; // nodes below the first whose classes matter
    uint32_t n_steps;
    uint32_t *step;
    uint32_t *look;   // per matched node: the same, below it; NONE: not even
                      // its own class matters
    uint32_t *rep;    // per pattern node below the root; NONE elsewhere
    uint32_t *parent; // per matched node
    uint32_t n_parts;
    struct pattern_part *parts;
    uint32_t *slot_part; // [node * n_classes + class]: part, or NONE
};

struct pattern {
    const struct rule *rule;
    bool backward;
    uint32_t root, target; // lhs and rhs, or the other way round
    uint32_t n_variants;   // 0 iff refused
    struct pattern_variant *variants;
    bool simplifies;     // every variant makes fewer operators
    uint32_t depth;      // the greatest of the variants
    bool *used;          // per map: it occurs in a side or a condition
    const char *refused; // why it cannot run in this direction, or NULL
};

// Everything lives in `mem`; the rule is borrowed.
void pattern_compile(struct pattern *pattern, const struct rule *rule, bool backward,
                     struct arena *mem);

// egraph/match/shift.c.  Has the side that is built an exponential of x where the other one
// has that of x - y?
bool pattern_drops_shift(const struct pattern *pattern);
// egraph/match/laid.c.  Do the laws of layout say it already?
bool pattern_is_layout(const struct pattern *pattern);
// egraph/match/guard.c.  Why the rule does not run on programs although it matches; NULL: it runs.
const char *pattern_guard(const struct pattern *pattern);

// Integer equations at one place of a rank class: values of the maps there.
struct map_values {
    int64_t *value;
    int64_t **at; // at[m] = &value[m], as iexp_eval wants it
    bool *known;
    uint32_t *start; // an index: the class of its term
};
struct map_values map_values_new(const struct rule *rule, struct arena *mem);
enum equation_result { EQ_HOLDS, EQ_FAILS, EQ_OPEN };
// expr = value.  Binds the one unknown map of expr where expr can be solved for it.
// *bound says that it did.
enum equation_result equation_solve(const struct rule *rule, const struct iexp *expr, int64_t value,
                                    struct map_values *values, bool *bound);
// Marks as known the map that equation_solve could bind, whatever the values.
void equation_binds(const struct rule *rule, const struct iexp *expr, struct map_values *values,
                    bool *bound);
// Occurrences of unknown maps, up to 2; a let counts as what it stands for.
unsigned iexp_unknowns(const struct rule *rule, const struct iexp *expr,
                       const struct map_values *values);
// The rank class whose one place an integer as an element binds: where it is
// the map of a single axis, else NONE.
uint32_t pattern_value_family(const struct rule *rule, const struct iexp *expr);
// Of an expression for a start: an index, and nothing else?
bool iexp_is_index(const struct rule *rule, const struct iexp *expr);
// Computes the let maps whose maps are all known; false: one is undefined.
bool lets_solve(const struct rule *rule, struct map_values *values, bool *bound);
bool cond_known(const struct cond *condition, const struct map_values *values);

static inline bool class_in_set(uint64_t set, uint32_t c)
{
    return set >> c & 1;
}

#endif
