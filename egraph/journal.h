// SPDX-License-Identifier: Apache-2.0
// Why nodes are in one class: the merges in the order in which they were made,
// packed into bytes.  An entry says that two nodes are equal, by congruence or
// by a rule; for a rule it names the nodes that were matched and those that the
// other side became, so that the use of the rule can be rebuilt without search.
#ifndef EGRAPH_JOURNAL_H
#define EGRAPH_JOURNAL_H

#include "base/vec.h"

#include <stdbool.h>

enum { JOURNAL_CONGRUENCE = 0, JOURNAL_RULE = 1 }; // JOURNAL_RULE + rule

struct journal {
    bool on;
    uint8_t *at;
    uint64_t len, cap;
    uint32_t n; // entries
    uint32_t last;
    // Arguments of nodes before their first change: place, class.
    struct u32_vec was;
};

void journal_release(struct journal *j);
// a = b by congruence.
void journal_congruence(struct journal *j, uint32_t a, uint32_t b);
// Nodes of an entry of a rule: the matched ones, then the built ones.
void journal_rule(struct journal *j, uint32_t rule, uint32_t n,
                  const uint32_t *nodes);

#endif
