// SPDX-License-Identifier: Apache-2.0
// Facts about a closed graph that the matcher uses before it looks at a rule.  They
// make the effort for a rule depend on the news for the rule, not on the graph.
//
// SIZE of a class: the fewest operators of a term of its orbit.  Parameters,
// constants, splats of a scalar and transposes are free.  A term that is UNFOLDED, as a call
// beside a copy of its function, is larger than any other: it names operators, and has none.  EXCESS of a node: by
// how much the smallest term with this node on top is larger than that.
// DISTANCE of a class: the least sum of excesses on a way down to it from a
// class that is wanted.  Add the distance of the class of a match and the excesses
// of its nodes: by this sum the smallest wanted term with all these nodes is larger
// than the smallest term known.  A rule that adds n operators makes a term that is
// larger by n more.  Terms far larger than the smallest one rarely lead back, and
// there are infinitely many of them.  So a match whose sum exceeds the slack is left
// out.
//
// There are two measures, and a match must be within the slack by one of them.
//   tree    shared subterms are counted every time; the roots are wanted.  Trees double
//           with the depth of a program, so a shared term whose tree has more than
//           EGRAPH_TREE operators is a CUT: it is counted and wanted as in the other measure
//   shared  a term that the program computes for several users is counted for
//           none of them, and is wanted itself; it may not be computed from what
//           the program computes after it
//
// A node is EASED when its excess or the distance of its class gets smaller: a match with it that
// was left out may be within the slack.  It waits, and is news when nothing else is
// (match_index_ease), though the graph is as it was there.
//
// STAMP of a class at level k: the last round in which a class of its orbit, or
// one at most k nodes below, merged or got a node with news (graph.h).  A rule
// that looks k nodes deep finds nothing new where the stamp is older than its
// last complete search.  INNER is the same for what operators match: its own
// merges do not count, but at the nodes whose class went into another.
#ifndef EGRAPH_MATCH_INDEX_H
#define EGRAPH_MATCH_INDEX_H

#include "egraph/match/measure.h"
#include "egraph/program/egraph.h"
#include "egraph/limits.h"

// The bit of an operator in a set of operators.  There are more operators than
// bits, so a set is a filter: an operator whose bit is not set is not in the set.
static inline uint64_t op_bit(uint32_t op)
{
    return UINT64_C(1) << (op & 63);
}

#define EASE_WAITS (UINT32_C(1) << 31) // of match_index.eased

enum { MEASURE_TREE, MEASURE_SHARED, N_MEASURES };

// A live node, with the leaders of its arguments: arg[from] up to the next.
struct index_node {
    uint32_t node, lead, from;
    uint32_t weight; // operators
};

// A live node where a match may begin.
struct index_place {
    uint32_t node, least; // least[node]
};

struct match_index {
    uint32_t depth;              // set by the caller: levels of stamps to make
    uint32_t hot_since;          // set by the caller: the round that most ask for
    struct u32_vec roots;        // set by the caller: terms; none: every class is one
    struct u32_vec shared;       // set by the caller: terms
    struct u32_vec cut;          // set by the caller: terms, all of them shared
    struct u32_vec unfolded;     // set by the caller: terms that an equal term spells out
    struct u32_vec spelled;      // by node: 1: it is of an unfolded term
    uint64_t present;            // operators with a live node (op_bit)
    uint64_t varying;            // the same, of nodes whose class is no constant
    uint64_t elementwise[4];     // elementwise operators by number of operands
    struct u32_vec lead;         // by class: the leader class of its orbit
    struct u32_vec lead_before;  // when the index was built last
    struct u32_vec eased;        // by node: the round in which it became news so, or EASE_WAITS
    struct u32_vec easing;       // nodes that wait
    VEC(uint64_t) ops;           // by leader: operators of the orbit
    VEC(struct index_node) live; // by age, and one more at the end
    struct u32_vec arg;
    struct u32_vec
        held; // of the measure at hand, by leader: 1 and its oldest shared term or cut; 0: none
    struct places_of users;   // live nodes with the leader as an argument
    struct places_of members; // live nodes of the leader
    struct worklist work;
    struct u32_vec wanted; // leaders that a measure wants
    struct measure by[N_MEASURES];
    struct u32_vec least;           // by live node: distance and excess, the lesser sum
    uint32_t nearest[64];           // by bit of `varying`: the least of them
    VEC(struct index_place) place;  // by operator, and there by age
    uint32_t place_from[N_OPS + 1]; // first place of the operator
    VEC(struct index_place) hot;    // those with news since hot_since
    uint32_t hot_from[N_OPS + 1];
    uint32_t n_nodes, n_merges;                     // of the graph that was looked at
    struct u32_vec news;                            // [level * classes + live node], with its own
    struct u32_vec inner;                           // [level * classes + leader]
    struct u32_vec changed;                         // by leader: the last merge in its orbit
    uint32_t latest[EGRAPH_INDEX_DEPTH + 1][N_OPS]; // of the operator's nodes
};

// How many operators does the term count for?
uint32_t index_weight(const struct terms *terms, const struct term *node);
void match_index_build(struct egraph *graph, struct match_index *news);
// Makes news of the nodes that were eased since the last call.  False if there are none.
bool match_index_ease(const struct egraph *graph, struct match_index *news);
void match_index_release(struct match_index *news);
static inline uint32_t index_stamp(const struct match_index *news, uint32_t leader, uint32_t level)
{
    uint32_t inner = news->inner.at[level * news->lead.len + leader];
    uint32_t own = news->changed.at[leader];
    return inner > own ? inner : own;
}
// Since which round could a pattern of this depth match with the node on top?
static inline uint32_t index_news(const struct match_index *news, uint32_t node, uint32_t depth)
{
    return depth > news->depth ? UINT32_MAX : news->news.at[depth * news->lead.len + node];
}

#endif
