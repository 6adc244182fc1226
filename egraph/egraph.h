// SPDX-License-Identifier: Apache-2.0
// The e-graph: classes of equal terms, closed under congruence.
//
// It works over one borrowed `struct terms`.  Every e-node IS a term with its
// original argument ids, and nothing is ever removed, so every id in an
// explanation is a plain term.  A class is named by its oldest term.
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
// graph.h has the data layout and the invariants.
#ifndef EGRAPH_EGRAPH_H
#define EGRAPH_EGRAPH_H

#include "egraph/graph.h"

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
    return t.v < g->node.len && (g->node.at[t.v].flags & NODE_KNOWN);
}
static inline bool egraph_live(const struct egraph *g, term_id t)
{
    return t.v < g->node.len && (g->node.at[t.v].flags & NODE_LIVE);
}
static inline class_id egraph_find(struct egraph *g, term_id t)
{
    return uf_find(&g->uf, t.v);
}
static inline bool egraph_same(struct egraph *g, term_id a, term_id b)
{
    return egraph_find(g, a).v == egraph_find(g, b).v;
}
static inline struct class_data *egraph_class(struct egraph *g, class_id root)
{
    return &g->class_.at[root.v];
}
static inline term_id class_term(class_id root) // the oldest term
{
    return (term_id){root.v};
}
type_id egraph_type(const struct egraph *g, class_id c);
// The live node congruent to this one, not adding anything.
bool egraph_lookup(struct egraph *g, enum op op, attr_id attr, type_id type,
                   uint32_t n, const term_id *args, term_id *out);

// Live nodes of a class, from its oldest on:
//   for (term_id n = class_first(g, c); n.v != NO_TERM.v;
//        n = class_next(g, c, n))
static inline term_id class_first(const struct egraph *g, class_id root)
{
    (void)g;
    return (term_id){root.v};
}
static inline term_id class_next(const struct egraph *g, class_id root,
                                 term_id n)
{
    uint32_t next = g->node.at[n.v].next;
    return next == root.v ? NO_TERM : (term_id){next};
}
// Terms with an operator, in order of registration: an index only grows, so a
// remembered length is a watermark.  Skip those that are not live.
static inline uint32_t op_count(const struct egraph *g, enum op op)
{
    return g->by_op[op].len;
}
static inline term_id op_node(const struct egraph *g, enum op op, uint32_t i)
{
    return (term_id){g->by_op[op].at[i]};
}
// Parents: for (uint32_t i = parent_first(g, c); i != NO_EDGE;
//               i = parent_next(g, i)) use g->edge.at[i].node.
// A node may come twice.  Valid until the next add or merge.
uint32_t parent_first(const struct egraph *g, class_id root);
uint32_t parent_next(const struct egraph *g, uint32_t edge);

bool egraph_check(const struct egraph *g, struct err *e); // I1..I6, closed

#endif
