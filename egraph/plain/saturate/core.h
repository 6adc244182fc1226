// SPDX-License-Identifier: Apache-2.0
// Private to egraph/plain/saturate/.
#ifndef EGRAPH_PLAIN_SATURATE_CORE_H
#define EGRAPH_PLAIN_SATURATE_CORE_H

#include "egraph/plain/saturate/run.h"

enum { RUN_CHUNK = 256 };

// run.c: the work that waits for the next rebuild; whether there is time; how many
// matches of a rule may be applied, at most `n`.  The last two set run->hit.
uint64_t run_pending(const struct cc *graph);
bool run_in_time(struct run *run);
uint32_t run_room(struct run *run, const struct plain_rule *rule, uint32_t n);
// egraph/plain/saturate/held.c: a round in which all rules are searched first, of the first `n`
// rules.  How many are done; the others are not begun.
uint32_t run_held(struct run *run, uint32_t n);
// What was searched counts as seen.
void run_seen(struct run_rule *use);
// At most RUN_CHUNK matches, each the nodes of the rule's atoms; `asked`:
// run_ask left them.
void run_apply(struct run *run, uint32_t rule, uint32_t n, uint32_t *nodes, bool asked);
// Leaves those, in front, that fail no condition by now, as far as nothing
// needs to be computed; how many.
uint32_t run_ask(struct run *run, uint32_t rule, uint32_t n, uint32_t *nodes);

#endif
