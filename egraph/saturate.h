// SPDX-License-Identifier: Apache-2.0
// Equality saturation.  A round runs the rules that make fewer operators until
// they find nothing more, and then all rules once.  Rules are matched against
// the closed graph; then their matches are applied and the graph is closed again.
// A rule looks only at places with news since it last looked (index.h), and
// only takes matches whose outcome is not much larger than the smallest term
// known; so most runs end because nothing is left to do.
//
// Limits on nodes, bytes and time are those of the e-graph's options
// (egraph_full); they are asked between matches, so they hold in the middle of
// a rule.  Effort is counted in tries of a pattern node, so equal runs end equally
// on any machine.  The graph is closed at every stop.  The nodes are divided among
// the parts of a long program (egraph/program/shares.h).  The effort needs no
// division: a rule searches all places in turn, goes on where it was cut short, and is used in
// all places or in none if the effort of the run ends (round.h).
//
// Schedulers:
//   simple    every rule in every round, at most match_limit new matches; the
//             next round goes on where this round ended
//   back-off  a rule with more new matches than its limit is not applied and
//             pauses; limit and pause double each time (egg)
#ifndef EGRAPH_SATURATE_H
#define EGRAPH_SATURATE_H

#include "egraph/apply.h"

enum scheduler { SCHEDULE_SIMPLE, SCHEDULE_BACKOFF };
struct saturate_options {
    enum scheduler scheduler;
    enum float_reading reading;
    uint32_t max_rounds;
    uint32_t match_limit; // per rule and round
    uint64_t step_limit;  // tries of a pattern node, per rule and round
    uint32_t pause;       // back-off: rounds of the first pause
    uint64_t max_steps;   // tries of a pattern node in the run; 0 = no limit
    bool bounded;         // only matches within the slack (index.h), but for rules that add nothing
    uint32_t slack;
    bool guarded; // rules with a pattern_guard do not run
};
struct saturate_options saturate_defaults(void);
// Sets limits on nodes and effort that suit a program of so many operations.
void saturate_scale(struct saturate_options *options, struct egraph_options *graph_options,
                    uint32_t operations);

enum stop_reason {
    STOP_SATURATED, // nothing is left to do
    STOP_ROUNDS,
    STOP_NODES,
    STOP_BYTES,
    STOP_TIME,
    STOP_EFFORT, // max_steps
};
const char *stop_text(enum stop_reason reason); // "saturated" ..

struct rule_use {
    const struct rule *rule;
    bool backward;
    struct rule_status status; // in which domains it may fire
};

struct rule_stats {
    uint64_t matches; // new ones
    uint64_t applied; // of those, that made two classes one
    uint64_t known;   // that were equal already
    uint64_t missed;  // whose rebuilt side was not where it was found
    uint64_t failed;  // whose other side could not be built
    uint64_t steps;
    double seconds; // of matching
};

// A reason RULE names the rule by its number in rule_uses, and instances[y].
struct used_instance {
    uint32_t rule;
    struct instance *in;
};

struct running_rule {
    struct rule_use use;    // rule: NULL if the rule is not loaded
    struct pattern pattern; // refused: why it does not run
    struct pattern_outline outline;
    struct rule_stats stats;
    struct match_set seen;
    struct match_cursor cursor;
    uint32_t paused_until, times_paused;
    uint32_t since; // round of the last complete search
};

// Loads rules of which the run knows the outlines only.
struct rule_loader {
    // Sets use[i] to the rule with the number number[i]. A rule that is NULL never runs. After
    // false the run stops (STOP_TIME).
    bool (*load)(void *user, uint32_t n, const uint32_t *number, struct rule_use *use);
    void *user;
};

struct saturation {
    struct egraph *graph; // borrowed
    struct saturate_options opt;
    struct arena mem; // patterns, used instances
    VEC(struct running_rule) rules;
    struct rule_loader loader;
    uint32_t misfit; // a rule whose outline was not its own, or NONE: the run stopped (STOP_TIME)
    VEC(struct used_instance) instances;
    struct match_index index;
    struct shares shares;
    struct finite finite;
    uint32_t rounds;
    uint32_t last_round[2]; // of the graph, when these rules ran: all, or those
                            // that simplify
    uint64_t steps;         // tries of a pattern node
    enum stop_reason stop;
};

// The rules are borrowed and must outlive *saturation.
void saturation_init(struct saturation *saturation, struct egraph *graph,
                     struct saturate_options options);
void saturation_add(struct saturation *saturation, struct rule_use use);
// Adds a rule that saturation->loader loads once the graph has the operators of the outline. The
// run is the same as if the rule had been added at once: until then the rule cannot match.
void saturation_add_outline(struct saturation *saturation, struct pattern_outline outline);
// Names a term whose class is wanted in the end.  Without roots every class is
// wanted.
void saturation_root(struct saturation *saturation, term_id term);
// Names a term that another term, equal to it by now, spells out: the other one is what counts as
// its size.
void saturation_unfold(struct saturation *saturation, term_id term);
// Runs until nothing is left to do, or a limit is reached; may be called again.
// `progress`, if not NULL, is called after every round and may stop the run by
// answering false (STOP_TIME).
enum stop_reason saturate(struct saturation *saturation,
                          bool (*progress)(void *ctx, const struct saturation *saturation),
                          void *ctx);
void saturation_release(struct saturation *saturation);

#endif
