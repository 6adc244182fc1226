// SPDX-License-Identifier: Apache-2.0
// The e-graph: classes of equal terms, closed under congruence.
//
// The graph works over one borrowed `struct terms`.  Every e-node is a term with its
// original argument ids, and terms are never removed.  So every id in an explanation
// is a plain term.
//
//   egraph_add      registers a term (and, before it, its arguments)
//   egraph_merge    states that two terms are equal, and why
//   egraph_rebuild  closes the graph: congruence, layout laws, orbit table,
//                   constant folding, until nothing is left to do
//
// Matching, orbits, constants, `changed` stamps, egraph_lookup and extraction
// are exact only when the graph is closed (graph->closed).  Adding and merging
// never need a closed graph, and never wait for limits: a caller asks
// egraph_full between its own steps.
//
// cc.h has the closure, graph.h what terms add to it, with the invariants.
#ifndef EGRAPH_PROGRAM_EGRAPH_H
#define EGRAPH_PROGRAM_EGRAPH_H

#include "egraph/program/graph.h"

struct egraph_options egraph_defaults(void);
void egraph_init(struct egraph *graph, struct terms *terms, struct egraph_options options);
void egraph_release(struct egraph *graph);

// term_build in the store and registration.  Arguments are exact term ids.
// Fails as infer_type fails.
bool egraph_add(struct egraph *graph, struct operation key, const term_id *args, term_id *out,
                struct err *err);
// Registers a term that is in the store, arguments first; any depth.
void egraph_add_term(struct egraph *graph, term_id term);
// a = b because of `why` (not FOLD or LAYOUT, which are the graph's own).  Fails with ERR_CHECK when
// the types differ or a term is not registered.  graph->n_merges tells news.
bool egraph_merge(struct egraph *graph, term_id a, term_id b, struct reason why, struct err *err);
void egraph_rebuild(struct egraph *graph);
bool egraph_full(const struct egraph *graph);
uint64_t egraph_bytes(const struct egraph *graph); // without the term store

static inline bool egraph_known(const struct egraph *graph, term_id term)
{
    return term.v < graph->node_of.len && graph->node_of.at[term.v] != NO_NODE;
}
// Of a registered term.
static inline uint32_t egraph_node(const struct egraph *graph, term_id term)
{
    return graph->node_of.at[term.v];
}
static inline term_id node_term(const struct egraph *graph, uint32_t node)
{
    return (term_id){graph->node.at[node].term};
}
static inline bool node_live(const struct egraph *graph, uint32_t node)
{
    return !(graph->cc.node.at[node].op & CC_DEAD);
}
static inline bool egraph_live(const struct egraph *graph, term_id term)
{
    return egraph_known(graph, term) && node_live(graph, egraph_node(graph, term));
}
static inline class_id egraph_find(struct egraph *graph, term_id term)
{
    return (class_id){cc_find(&graph->cc, egraph_node(graph, term))};
}
static inline bool egraph_same(struct egraph *graph, term_id a, term_id b)
{
    return egraph_find(graph, a).v == egraph_find(graph, b).v;
}
static inline class_id class_find(struct egraph *graph, class_id class)
{
    return (class_id){cc_find(&graph->cc, class.v)};
}
static inline struct class_data *egraph_class(struct egraph *graph, class_id class)
{
    return &graph->class_.at[class.v];
}
// The oldest term of a canonical class.
static inline term_id class_term(const struct egraph *graph, class_id class)
{
    return node_term(graph, graph->class_.at[class.v].oldest);
}
type_id egraph_type(const struct egraph *graph, class_id class);
// The live node congruent to this one, not adding anything.
bool egraph_lookup(struct egraph *graph, struct operation key, const term_id *args, term_id *out);

static inline uint32_t egraph_nodes(const struct egraph *graph) // live ones
{
    return graph->cc.n_live;
}
// The limit on nodes is reached.
static inline bool egraph_has_nodes(const struct egraph *graph)
{
    return graph->opt.max_nodes != 0 && egraph_nodes(graph) >= graph->opt.max_nodes;
}
// Merges so far that made two classes one.  A term that joins its congruent twin
// does not count.
static inline uint32_t egraph_merges(const struct egraph *graph)
{
    return graph->cc.n_merges - graph->n_twins;
}

// Live nodes of a canonical class:
//   for (term_id n = class_first(graph, c); n.v != NO_TERM.v;
//        n = class_next(graph, c, n))
static inline uint32_t ring_live(const struct egraph *graph, uint32_t node, uint32_t end)
{
    while (node != end && !node_live(graph, node))
        node = graph->cc.next.at[node];
    return node;
}
static inline term_id class_next(const struct egraph *graph, class_id class, term_id term)
{
    uint32_t end = graph->cc.class_.at[class.v].member;
    uint32_t at = ring_live(graph, graph->cc.next.at[egraph_node(graph, term)], end);
    return at == end ? NO_TERM : node_term(graph, at);
}
static inline term_id class_first(const struct egraph *graph, class_id class)
{
    uint32_t first = graph->cc.class_.at[class.v].member;
    return node_live(graph, first) ? node_term(graph, first)
                                   : class_next(graph, class, node_term(graph, first));
}
// Parents: for (p = parent_first(graph, c); p != CC_NONE; p = parent_next(graph, p))
// use cc_place_node(&graph->cc, p).  A node may come twice, or be dead.
static inline uint32_t parent_first(const struct egraph *graph, class_id class)
{
    return graph->cc.class_.at[class.v].parents;
}
static inline uint32_t parent_next(struct egraph *graph, uint32_t place)
{
    return *cc_place_link(&graph->cc, place);
}

bool egraph_check(const struct egraph *graph, struct err *err); // I1..I7, E1..E3

#endif
