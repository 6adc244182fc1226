// SPDX-License-Identifier: Apache-2.0
// Semi-naive search: the matches of a plain rule that the last search did not
// find.
#ifndef EGRAPH_PLAIN_SATURATE_SEARCH_H
#define EGRAPH_PLAIN_SATURATE_SEARCH_H

#include "egraph/plain/plain.h"
#include "egraph/plain/saturate/rings.h"

// How far a rule has looked.  Only the part up to the rule's last atom is used, and needs memory
// (seen_mark_new).
struct seen_mark {
    uint32_t nodes; // ids below were there
    uint32_t classes;
    uint32_t round; // of the graph
    bool ever;
    struct {
        uint32_t all;    // length of its op's list
        uint64_t events; // and of its events
    } atom[EGRAPH_PLAIN_ATOMS];
};

// Where a search that was interrupted goes on.
struct search_cursor {
    uint32_t plan;
    bool in_events, whole;
    uint64_t at;
};

struct plain_search {
    struct cc *graph;
    const struct plain_rule *rule;
    const struct seen_mark *since;
    uint32_t n_frozen;   // nodes from here on are not looked at
    struct rings *rings; // of this graph as it is now; may be NULL
    // May be NULL.  With both, the search goes from the cursor to `until`, in
    // as many calls as it takes, between which the graph may change: what
    // changes after `until` was set is for the search that has it as `since`.
    const struct seen_mark *until;
    struct search_cursor *cursor;
    // Asked between nodes of the first atom.  Without it a cursor is not
    // where to go on, but only whether that was begun.
    const bool *pause;
    bool (*tick)(void *ctx); // now and then; false stops
    uint64_t *steps;         // grows by the nodes that were looked at
    uint32_t looks;          // since it was asked last
    bool whole;              // all matches, old ones too, where it can be
    // Its own.
    bool some_new; // matches need a new node
    bool sought;   // nodes with events since are marked
    uint32_t old;  // nodes below are new only with one of an atom's marks
    uint8_t marks[EGRAPH_PLAIN_ATOMS];
    uint32_t reg[EGRAPH_PLAIN_VARIABLES];
    uint32_t node[EGRAPH_PLAIN_ATOMS];
    // A match: node[] of every atom.  False stops the search.
    bool (*found)(void *ctx, const struct plain_search *search);
    void *ctx;
    // Without `found`: the nodes of each match are written here, until they are more than so many.
    struct u32_vec *list;
    uint64_t most;
};

// Is an operator of the rule in no node of the graph?  Then there is nothing to search.
bool search_lacks(const struct cc *graph, const struct plain_rule *rule);
// False: stopped; a cursor is where that was.
bool search_rule(struct plain_search *search);
bool search_can_be_whole(const struct plain_search *search);
// Is the match that was found one that the last search could not find?
bool search_new(const struct plain_search *search);
// All matches whose `left` is this class; `since` is not asked.
bool search_class(struct plain_search *search, uint32_t cls);
// A mark that says `never`, for this rule only.
struct seen_mark *seen_mark_new(struct arena *mem, const struct plain_rule *rule);
void seen_mark_set(struct seen_mark *seen, const struct cc *graph, const struct plain_rule *rule);

#endif
