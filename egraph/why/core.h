// SPDX-License-Identifier: Apache-2.0
// Private to egraph/why/.
#ifndef EGRAPH_WHY_CORE_H
#define EGRAPH_WHY_CORE_H

#include "egraph/why/why.h"

// The node that stands for variables of a rule in one use of it.
struct why_use {
    const struct plain_rule *rule;
    const uint32_t *list; // matched nodes, then built ones
    uint32_t node[EGRAPH_PLAIN_VARIABLES];
    uint32_t atom[EGRAPH_PLAIN_VARIABLES]; // variable -> atom + 1 that it is the class
                                           // of; n_atoms + build + 1; 0: none
    uint32_t term[EGRAPH_PLAIN_VARIABLES]; // what they stand for, CC_NONE: not yet
};

static inline uint64_t why_plus(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

// Is it none of the journal's, but added for shorter ways?
static inline bool why_is_added(const struct why_entry *entry)
{
    return entry->at == 0 && entry->at_high == 0;
}

// The node that names argument k of the node.
static inline uint32_t why_wide_kid(const struct why *why, uint32_t node, uint32_t k)
{
    uint32_t cls = why->wide_first.at[why->graph->node.at[node].a + k];
    return why->graph->class_.at[cls].founder;
}
static inline uint32_t why_narrow_kid(const struct why *why, uint32_t node, uint32_t k)
{
    return why->graph->class_.at[why->first.at[2 * node + k]].founder;
}
static inline uint32_t why_kid(const struct why *why, uint32_t node, uint32_t k)
{
    return cc_arity(why->graph, node) > 2 ? why_wide_kid(why, node, k)
                                          : why_narrow_kid(why, node, k);
}
// The node at a place of a rule's use with these nodes.
static inline uint32_t why_at(const struct why *why, const uint32_t *list, struct why_place place)
{
    uint32_t node = list[place.place];
    return place.arg == CC_NONE ? node
           : place.wide         ? why_wide_kid(why, node, place.arg)
                                : why_narrow_kid(why, node, place.arg);
}
// Facts about an entry, made at the first call.
struct why_edge *why_edge_new(struct why *why, uint32_t entry);
static inline struct why_edge *why_edge(struct why *why, uint32_t entry)
{
    uint32_t at = why->edge_of.at[entry];
    return at == 0 ? why_edge_new(why, entry) : &why->edge.at[at - 1];
}
static inline const uint32_t *why_list(const struct why *why, uint32_t entry)
{
    return why->list.at + why->edge.at[why->edge_of.at[entry] - 1].list;
}
void why_zeros(struct u32_vec *list, uint32_t n); // up to n of them
void why_sort(uint64_t *at, uint32_t n);
void why_use(const struct why *why, uint32_t entry, struct why_use *use);
// The entry that made the two nodes equal; CC_NONE: none.
uint32_t why_joined(const struct why *why, uint32_t x, uint32_t y);

// egraph/why/ac.c: notes the premises of an entry for order and brackets (false: its
// path is wrong), and writes its line or lines.
bool why_ac_premises(struct why *why, uint32_t entry);
struct why_part why_ac_line(struct why *why, uint32_t entry);
void why_premise(struct why *why, uint32_t x, uint32_t y);

// The equality to this witness of argument k, whose nodes these are, is what
// the guard rests on.
bool why_guard(const struct why *why, uint32_t entry, const struct plain_guard *plain_guard,
               uint32_t k, const uint32_t *node, uint32_t *witness);

uint32_t why_pair(struct why *why, uint32_t x, uint32_t y);
// Finds a way for the pair, and for all premises that it needs.
bool why_need(struct why *why, uint32_t pair, struct err *err);
// Finds the steps of an entry if they are fewer than `most`; otherwise a number of
// at least `most`.  An entry that takes more than `work` to find out is dull.
bool why_need_edge(struct why *why, uint32_t entry, uint64_t work, uint64_t most, struct err *err);
// Looks for shorter ways, for the pair and what it needs.
bool why_shorten(struct why *why, uint32_t pair, struct err *err);
// The line of a pair whose way is known.
bool why_write(struct why *why, uint32_t pair, struct err *err);

static inline uint32_t why_from(const struct why *why, struct why_part part)
{
    return part.flip ? why->line.at[part.line].b : why->line.at[part.line].a;
}
static inline uint32_t why_to(const struct why *why, struct why_part part)
{
    return part.flip ? why->line.at[part.line].a : why->line.at[part.line].b;
}
// Chains grow on why->chain from `base` on, and begin at term `from`.
void why_append(struct why *why, uint32_t base, uint32_t from, struct why_part part,
                uint32_t depth);
// The equality of argument k in a congruence.
struct why_part why_of_arg(const struct why *why, struct why_part part, uint32_t k);
bool why_between(struct why *why, uint32_t a, uint32_t b, struct why_part *line, struct err *err);
// Makes the chain shorter if it can (egraph/why/swap.c).
void why_swap(struct why *why, uint32_t base, uint32_t from);
// The same for all chains of a short proof.
struct why_part why_tidy(struct why *why, struct why_part part);
// The chain as one part (line CC_NONE: nothing to prove); takes it off.
struct why_part why_chain(struct why *why, uint32_t base, uint32_t from);
// The part that proves the terms of two nodes equal.  Their pair must be written.
struct why_part why_nodes(struct why *why, uint32_t x, uint32_t y);
// A congruence from a to b, whose parts are on why->chain from `base` on; takes
// them off.
struct why_part why_cong(struct why *why, uint32_t a, uint32_t b, uint32_t base);
// A line that counts as one step: kind, a, b, x and n of `line`, and n parts.
struct why_part why_step(struct why *why, struct why_line line, const struct why_part *part);

#endif
