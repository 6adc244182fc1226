// SPDX-License-Identifier: Apache-2.0
// The e-graph: classes of equal terms, closed under congruence.
//
// It works over one borrowed `struct terms`.  Every e-node IS a term with its
// original argument ids, and nothing is ever removed, so every id in an
// explanation is a plain term.
//
//   egraph_add      registers a term (and, before it, its arguments)
//   egraph_merge    states that two terms are equal, and why
//   egraph_rebuild  closes the graph: congruence, layout laws, orbit table,
//                   constant folding, until nothing is left to do
//
// Matching, orbits, constants, `changed` stamps, egraph_lookup and extraction
// are exact only when the graph is closed (g->closed).  Adding and merging
// never need a closed graph, and never wait for limits: a caller asks
// egraph_full between its own steps.
//
// cc.h has the closure, graph.h what terms add to it, with the invariants.
#ifndef EGRAPH_PROGRAM_EGRAPH_H
#define EGRAPH_PROGRAM_EGRAPH_H

#include "egraph/program/graph.h"

struct egraph_options egraph_defaults(void);
void egraph_init(struct egraph *g, struct terms *t, struct egraph_options o);
void egraph_release(struct egraph *g);

// term_build in the store and registration.  Arguments are exact term ids.
// Fails as infer_type fails.
bool egraph_add(struct egraph *g, enum op op, attr_id attr, type_id want,
                uint32_t n, const term_id *args, term_id *out, struct err *e);
// Registers a term that is in the store, arguments first; any depth.
void egraph_add_term(struct egraph *g, term_id t);
// a = b because of `why` (RULE only, from outside).  Fails with ERR_CHECK when
// the types differ or a term is not registered.  g->n_merges tells news.
bool egraph_merge(struct egraph *g, term_id a, term_id b, struct reason why,
                  struct err *e);
void egraph_rebuild(struct egraph *g);
bool egraph_full(const struct egraph *g);
uint64_t egraph_bytes(const struct egraph *g); // without the term store

static inline bool egraph_known(const struct egraph *g, term_id t)
{
    return t.v < g->node_of.len && g->node_of.at[t.v] != NO_NODE;
}
// Of a registered term.
static inline uint32_t egraph_node(const struct egraph *g, term_id t)
{
    return g->node_of.at[t.v];
}
static inline term_id node_term(const struct egraph *g, uint32_t node)
{
    return (term_id){g->node.at[node].term};
}
static inline bool node_live(const struct egraph *g, uint32_t node)
{
    return !(g->cc.node.at[node].op & CC_DEAD);
}
static inline bool egraph_live(const struct egraph *g, term_id t)
{
    return egraph_known(g, t) && node_live(g, egraph_node(g, t));
}
static inline class_id egraph_find(struct egraph *g, term_id t)
{
    return (class_id){cc_find(&g->cc, egraph_node(g, t))};
}
static inline bool egraph_same(struct egraph *g, term_id a, term_id b)
{
    return egraph_find(g, a).v == egraph_find(g, b).v;
}
static inline class_id class_find(struct egraph *g, class_id c)
{
    return (class_id){cc_find(&g->cc, c.v)};
}
static inline struct class_data *egraph_class(struct egraph *g, class_id c)
{
    return &g->class_.at[c.v];
}
// The oldest term of a canonical class.
static inline term_id class_term(const struct egraph *g, class_id c)
{
    return node_term(g, g->class_.at[c.v].oldest);
}
type_id egraph_type(const struct egraph *g, class_id c);
// The live node congruent to this one, not adding anything.
bool egraph_lookup(struct egraph *g, enum op op, attr_id attr, type_id type,
                   uint32_t n, const term_id *args, term_id *out);

static inline uint32_t egraph_nodes(const struct egraph *g) // live ones
{
    return g->cc.n_live;
}
// The limit on nodes is reached.
static inline bool egraph_has_nodes(const struct egraph *g)
{
    return g->opt.max_nodes != 0 && egraph_nodes(g) >= g->opt.max_nodes;
}
// Merges so far that were news: a term that joins its twin is none.
static inline uint32_t egraph_merges(const struct egraph *g)
{
    return g->cc.n_merges - g->n_twins;
}

// Live nodes of a canonical class:
//   for (term_id n = class_first(g, c); n.v != NO_TERM.v;
//        n = class_next(g, c, n))
static inline uint32_t ring_live(const struct egraph *g, uint32_t node,
                                 uint32_t end)
{
    while (node != end && !node_live(g, node))
        node = g->cc.next.at[node];
    return node;
}
static inline term_id class_next(const struct egraph *g, class_id c, term_id n)
{
    uint32_t end = g->cc.class_.at[c.v].member;
    uint32_t at = ring_live(g, g->cc.next.at[egraph_node(g, n)], end);
    return at == end ? NO_TERM : node_term(g, at);
}
static inline term_id class_first(const struct egraph *g, class_id c)
{
    uint32_t first = g->cc.class_.at[c.v].member;
    return node_live(g, first) ? node_term(g, first)
                               : class_next(g, c, node_term(g, first));
}
// Parents: for (p = parent_first(g, c); p != CC_NONE; p = parent_next(g, p))
// use cc_place_node(&g->cc, p).  A node may come twice, or be dead.
static inline uint32_t parent_first(const struct egraph *g, class_id c)
{
    return g->cc.class_.at[c.v].parents;
}
static inline uint32_t parent_next(struct egraph *g, uint32_t place)
{
    return *cc_place_link(&g->cc, place);
}

bool egraph_check(const struct egraph *g, struct err *e); // I1..I7, E1..E3

#endif
