// SPDX-License-Identifier: Apache-2.0
// Equality saturation with plain rules.  In each round every rule is searched
// on the graph as the round found it, and applied; at the end the graph is
// closed.
#ifndef EGRAPH_PLAIN_SATURATE_RUN_H
#define EGRAPH_PLAIN_SATURATE_RUN_H

#include "egraph/plain/ac/ac.h"
#include "egraph/plain/saturate/search.h"

enum run_scheduler { RUN_SIMPLE, RUN_BACKOFF, RUN_RATION };
enum run_stop {
    RUN_SATURATED,
    RUN_ROUNDS,
    RUN_NODES,
    RUN_MADE,
    RUN_BYTES,
    RUN_STEPS,
    RUN_TIME,
    RUN_MATCHES,
    RUN_GOAL,
    RUN_CONFLICT
};

struct run_options {
    enum run_scheduler scheduler;
    uint32_t max_rounds;
    uint32_t max_nodes; // 0: none
    // Limit on nodes ever made, counted again when an argument was merged: the size
    // of a table that never forgets.  0: none.  Closing may exceed the limit.
    uint64_t max_made;
    // max_made is asked between rules only, and these are applied one after the
    // other, as egg does.
    bool whole_rules;
    uint32_t last_rules;         // the last round has these first rules only; 0: all
    uint64_t max_bytes;          // 0: none
    uint64_t max_matches;        // 0: none
    uint64_t max_steps;          // run_steps may grow to; 0: none
    double deadline;             // on `clock`; 0: none
    double (*clock)(void);       // NULL: clock_wall
    uint32_t match_limit, pause; // back-off: EGRAPH_PLAIN_MATCHES, EGRAPH_PLAIN_PAUSE
    uint32_t ration; // nodes that a rationed round may always add; 0: EGRAPH_PLAIN_RATION
    // Does the condition hold for these classes?  *out: the class that it computes.
    // A condition may become true only when the analysis learns about one of the
    // classes.
    bool (*guard)(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg, uint32_t *out);
    bool (*conflict)(void *ctx);               // asked after each round
    bool (*goal)(void *ctx, struct cc *graph); // asked before each round
    void *ctx;                                 // of guard and conflict
    void *goal_ctx;
    struct ac *ac; // closes the graph, if not NULL
};

struct run_rule {
    const struct plain_rule *rule;
    struct seen_mark *mark;
    // A search that was interrupted: it goes on at the cursor.
    struct seen_mark *until;
    struct search_cursor cursor;
    bool open;
    uint32_t paused_until, times_paused;
    uint64_t bound; // back-off: the graph has at most so many matches
    uint64_t matches, applied;
    uint64_t there; // bits of the nodes it builds that were mostly there, in the last batch
    double seconds;
};

struct match_batch;
struct run {
    struct cc *graph;
    struct run_options opt;
    struct arena mem; // of the marks
    VEC(struct run_rule) rule;
    struct u32_vec match;      // nodes of the matches that wait to be applied
    struct match_batch *batch; // scratch
    struct rings rings;        // of the round
    uint32_t rounds, last_round;
    double round_seconds;  // of the last one, by run_now
    double closed_seconds; // in this one, before its end, and how much that was
    uint64_t closed_waiting;
    double search_seconds, rebuild_seconds; // CPU; a search with its applying
    double rebuild_each;                    // seconds for each node and merge of the last rebuild
    uint64_t n_matches;
    uint64_t steps;    // part of run_steps: of searches, and of closing modulo order and brackets
    enum run_stop hit; // the limit that the round met; RUN_SATURATED: none
    enum run_stop stop;
};

// The effort so far, the same on every machine: nodes that were looked at, and as
// many for matches and nodes made as these take.
uint64_t run_steps(const struct run *run);
double run_now(const struct run *run);     // on the clock of the deadline
uint64_t run_made(const struct cc *graph); // what max_made limits
bool run_scheduler_named(const char *name, enum run_scheduler *out);
void run_init(struct run *run, struct cc *graph, const struct plain_rules *rules,
              struct run_options options);
// One rule more, which must stay where it is until run_release.
void run_add(struct run *run, const struct plain_rule *rule);
enum run_stop run_rounds(struct run *run);
// Searches every rule on the closed graph and applies nothing: how many matches
// there are, or how many of them the next round would find.
uint64_t run_count(struct run *run, bool only_new);
void run_release(struct run *run);

#endif
