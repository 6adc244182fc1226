// SPDX-License-Identifier: Apache-2.0
// Matching modulo axes: all uses of one side of a rule in a closed e-graph.
//
// The structure is matched node by node; an interior node tries the e-nodes of
// every class in the orbit of the class that its parent asks for, so that no
// transpose is in the way.  For each structure the axes are found by union of
// dimensions, each axis gets the class that fits where it occurs, and the maps
// follow from sizes and attributes (axes.c).  There is no search beyond what
// each axis decides: of several choices that pass, the first is taken.
//
// A broadcast that stretches a size 1, and select and clamp with operands of rank 0, match by
// the laws of layout.  The matcher misses these true matches: a class that equals its own
// transpose in a second way, a reshape that merges axes of size 1 or several
// groups, a gather or scatter of several axes or with promises about its
// indices, dimension lists in another order than the builder's.
#ifndef EGRAPH_MATCH_MATCH_H
#define EGRAPH_MATCH_MATCH_H

#include "egraph/match/index.h"
#include "egraph/match/miss.h"
#include "egraph/match/pattern.h"
#include "egraph/program/shares.h"
#include "rules/instance/fire.h"
#include "rules/instance/instance.h"

// A set of 64-bit numbers: keys of earlier matches.
struct match_set {
    VEC(uint64_t) slot; // 0 = free
    uint32_t n;
};
bool match_set_add(struct match_set *set, uint64_t key); // false: was there
void match_set_release(struct match_set *set);

struct match {
    struct instance *in;
    class_id root;  // what the matched side is equal to
    uint32_t place; // its e-node
    uint64_t key;   // equal for matches with the same bindings
    uint64_t form;  // equal for matches with the same nodes
};

// Where the next search goes on, after one that was cut short: at this node, or
// the next one that is live.  A search goes through the nodes by windows of
// EGRAPH_WINDOW nodes, and in a window by variant, operator and age.
struct match_cursor {
    uint32_t variant, op, node;
};

struct match_request {
    const struct pattern *pattern;
    struct rule_status status;
    enum float_reading reading;
    uint32_t max_matches; // new ones
    uint64_t max_steps;   // tries of a pattern node
    bool bounded;         // leave out constants, and what exceeds the slack (index.h)
    uint32_t slack;
    uint32_t since;  // leave out places without news since this round
    double deadline; // on clock_wall(); 0 = none
    // Keys and forms of the matches to leave out; forms that are no match are
    // added.  Both name classes by their roots, so what a merge could change is
    // looked at again.  NULL: none.
    struct match_set *seen;
    struct match_cursor *cursor;
    const struct match_index *index;
    struct shares *shares; // of the run: matches in closed parts are left out; NULL: none
    struct finite *finite; // of the graph's terms (rules/instance/fire.h)
    const struct miss_reader *misses; // NULL: near misses are not told
};

struct match_result {
    VEC(struct match) found;
    uint64_t steps;
    struct match_set keys; // of those found: each is reported once
    uint32_t known;        // left out because seen
    bool complete;         // every place was looked at
};

// Is the other side a tensor of the matched one?  Then nothing grows, whatever it costs to get
// there, and the caller does not bound the match.
bool pattern_gives_tensor(const struct pattern *pattern);
// Is there a place that match_all would look at?  Cheap.
bool match_possible(const struct pattern *pattern, const struct match_index *news, uint32_t since);

// What can be said of a pattern without its rule: if outline_possible is false, then match_all
// takes no step, whatever `since` is. Outlines are stored: changes of pattern_compile that
// change an outline need a new version.
#define OUTLINE_VERSION "5"
enum outline_makes {
    MAKES_OTHERS,
    MAKES_FEWER,  // the pattern simplifies
    MAKES_TENSOR, // it does, and what it makes is a tensor of the match: such rules are not bounded
};
struct pattern_outline {
    uint64_t roots; // operators on top of a match (op_bit); none: the pattern never runs
    uint64_t needs; // operators of every match (op_bit)
    uint32_t depth; // of the pattern
    enum outline_makes makes;
    uint32_t more; // operators that the other side has more in every variant
};
struct pattern_outline pattern_outline(const struct pattern *pattern);
// `bounded`: match_all is, with this slack, but for rules that make a tensor.
bool outline_possible(const struct pattern_outline *outline, const struct match_index *news,
                      bool bounded, uint32_t slack);
bool outline_equal(const struct pattern_outline *a, const struct pattern_outline *b);
// Searches that go through the windows in step find what they need of a large graph in the caches.
// The request is copied, what it points to must outlive the search.  The instances live in `mem`.
// The graph is only read; constants may be made in its term store, unregistered.
struct match_search *match_begin(struct egraph *graph, const struct match_request *request,
                                 struct arena *mem, struct match_result *out);
bool match_on(struct match_search *search);  // one window; false: it was the last, or cut short
void match_end(struct match_search *search); // frees the search
// All windows.
void match_all(struct egraph *graph, const struct match_request *request, struct arena *mem,
               struct match_result *out);
void match_result_release(struct match_result *result);

#endif
