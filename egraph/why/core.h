// SPDX-License-Identifier: Apache-2.0
// Between why*.c; nobody else's.
#ifndef EGRAPH_WHY_CORE_H
#define EGRAPH_WHY_CORE_H

#include "egraph/why/why.h"

// The node that stands for variables of a rule in one use of it.
struct why_use {
    const struct plain_rule *q;
    const uint32_t *list; // matched nodes, then built ones
    uint32_t node[PLAIN_MAX_VARS];
    uint32_t atom[PLAIN_MAX_VARS]; // variable -> atom + 1 that it is the class
                                   // of; n_atoms + build + 1; 0: none
    uint32_t term[PLAIN_MAX_VARS]; // what they stand for, CC_NONE: not yet
};

static inline uint64_t why_plus(uint64_t a, uint64_t b)
{
    return a + b < a ? UINT64_MAX : a + b;
}

// Is it none of the journal's, but added for shorter ways?
static inline bool why_is_added(const struct why_entry *x)
{
    return x->at == 0 && x->at_high == 0;
}

// The node that names argument k of the node.
static inline uint32_t why_wide_kid(const struct why *w, uint32_t node,
                                    uint32_t k)
{
    uint32_t cls = w->wide_first.at[w->g->node.at[node].a + k];
    return w->g->class_.at[cls].founder;
}
static inline uint32_t why_narrow_kid(const struct why *w, uint32_t node,
                                      uint32_t k)
{
    return w->g->class_.at[w->first.at[2 * node + k]].founder;
}
static inline uint32_t why_kid(const struct why *w, uint32_t node, uint32_t k)
{
    return cc_arity(w->g, node) > 2 ? why_wide_kid(w, node, k)
                                    : why_narrow_kid(w, node, k);
}
// The node at a place of a rule's use with these nodes.
static inline uint32_t why_at(const struct why *w, const uint32_t *list,
                              struct why_place p)
{
    uint32_t node = list[p.place];
    return p.arg == CC_NONE ? node
           : p.wide         ? why_wide_kid(w, node, p.arg)
                            : why_narrow_kid(w, node, p.arg);
}
// What is known of an entry; to be made where it is not there.
struct why_edge *why_edge_new(struct why *w, uint32_t entry);
static inline struct why_edge *why_edge(struct why *w, uint32_t entry)
{
    uint32_t at = w->edge_of.at[entry];
    return at == 0 ? why_edge_new(w, entry) : &w->edge.at[at - 1];
}
static inline const uint32_t *why_list(const struct why *w, uint32_t entry)
{
    return w->list.at + w->edge.at[w->edge_of.at[entry] - 1].list;
}
void why_zeros(struct u32_vec *v, uint32_t n); // up to n of them
void why_sort(uint64_t *at, uint32_t n);
void why_use(const struct why *w, uint32_t entry, struct why_use *u);
// The entry that made the two nodes equal; CC_NONE: none.
uint32_t why_joined(const struct why *w, uint32_t x, uint32_t y);

// why_ac.c: what an entry for order and brackets rests on (false: its path is
// none), and the line, or lines, that it is.
bool why_ac_premises(struct why *w, uint32_t entry);
struct why_part why_ac_line(struct why *w, uint32_t entry);
void why_premise(struct why *w, uint32_t x, uint32_t y);

// The equality to this witness of argument k, whose nodes these are, is what
// the guard rests on.
bool why_guard(const struct why *w, uint32_t entry, const struct plain_guard *x,
               uint32_t k, const uint32_t *node, uint32_t *witness);

uint32_t why_pair(struct why *w, uint32_t x, uint32_t y);
// Finds a way for the pair, and for all premises that it needs.
bool why_need(struct why *w, uint32_t pair, struct err *e);
// The steps of an entry that needs less than `most` of them, else so many or
// more.  What takes more than `work` to find out is dull.
bool why_need_edge(struct why *w, uint32_t entry, uint64_t work, uint64_t most,
                   struct err *e);
// Looks for shorter ways, for the pair and what it needs.
bool why_shorten(struct why *w, uint32_t pair, struct err *e);
// The line of a pair whose way is known.
bool why_write(struct why *w, uint32_t pair, struct err *e);

static inline uint32_t why_from(const struct why *w, struct why_part p)
{
    return p.flip ? w->line.at[p.line].b : w->line.at[p.line].a;
}
static inline uint32_t why_to(const struct why *w, struct why_part p)
{
    return p.flip ? w->line.at[p.line].a : w->line.at[p.line].b;
}
// Chains grow on w->chain from `base` on, and begin at term `from`.
void why_append(struct why *w, uint32_t base, uint32_t from, struct why_part p,
                uint32_t depth);
// What a congruence says of an argument.
struct why_part why_of_arg(const struct why *w, struct why_part p, uint32_t k);
bool why_between(struct why *w, uint32_t a, uint32_t b, struct why_part *line,
                 struct err *e);
// Makes the chain shorter if it can (why_swap.c).
void why_swap(struct why *w, uint32_t base, uint32_t from);
// The same for all chains of a short proof.
struct why_part why_tidy(struct why *w, struct why_part p);
// The chain as one part (line CC_NONE: nothing to prove); takes it off.
struct why_part why_chain(struct why *w, uint32_t base, uint32_t from);
// What proves that the terms of two nodes are equal; their pair is written.
struct why_part why_nodes(struct why *w, uint32_t x, uint32_t y);
// A congruence from a to b, whose parts are on w->chain from `base` on; takes
// them off.
struct why_part why_cong(struct why *w, uint32_t a, uint32_t b, uint32_t base);
struct why_part why_step(struct why *w, enum why_kind kind, uint32_t a,
                         uint32_t b, uint32_t x, const struct why_part *part,
                         uint32_t n);

#endif
