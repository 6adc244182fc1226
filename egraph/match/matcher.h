// SPDX-License-Identifier: Apache-2.0
// The state of one search, private to egraph/match/.
#ifndef EGRAPH_MATCH_MATCHER_H
#define EGRAPH_MATCH_MATCHER_H

#include "egraph/match/match.h"

struct scalar_bound {
    bool is;
    class_id cls; // of rank 0, or NO_CLASS:
    lit_id lit;   // a constant
};

// One structural match in progress.  Per pattern node: the class that its
// parent asks for is transpose(home, perm); node is the e-node, in home.
struct matcher {
    struct egraph *graph;
    const struct match_request *request;
    const struct rule *rule;
    const struct pattern_variant *variant;
    struct arena *mem; // of instances
    struct arena scratch;
    struct match_result *out;
    uint64_t steps_end;
    int64_t room[N_MEASURES]; // what further excesses may add up to
    // News in the match: e-nodes that came since the last search, classes that
    // changed since, and pattern nodes not matched yet that may have such nodes
    // below.  A match without news was found by the last search.
    uint32_t fresh;
    bool *hope; // per pattern node still to be matched
    bool all;   // there was no last search
    bool stop;
    uint32_t root_step;      // first operator; its e-node is given
    struct match_cursor end; // of this pass
    class_id *cls, *home;
    term_id *node;
    attr_id *perm;
    lit_id *lit;      // cls is NO_CLASS: a rank-0 constant; NO_LIT: any
    class_id *tensor; // per tensor variable, or NO_CLASS
    struct scalar_bound *scalar;
    enum elem *elem; // ELEM_OTHER: not bound
    struct op_binding *op;
    uint32_t *op_uses; // 0: not bound
    // Where someone asks for near misses:
    struct miss *miss, *other_miss; // else NULL
    uint32_t unfit;                 // a leaf of the wrong type or value; NONE: all fit so far
    bool unfit_type;                // of the wrong type:
    enum elem unfit_wanted;         // this type, or ELEM_OTHER: one that the rule allows
};

// Is the e-node what pattern node pattern asks for, apart from axes and operands?
// *var is the operator variable that was bound, or NONE.
bool node_fits(struct matcher *matcher, const struct pat *pattern, term_id node, uint32_t *var);
// The structure is complete: finds the axes and reports the match, if any.
bool axes_match(struct matcher *matcher, uint64_t form);
bool match_seen(const struct match_request *request, uint64_t key);

// Step s of the variant and those behind it; behind the last, the match.
void match_next(struct matcher *matcher, uint32_t step);

#endif
