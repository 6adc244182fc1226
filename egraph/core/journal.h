// SPDX-License-Identifier: Apache-2.0
// Why nodes are in one class: the merges in the order in which they were made,
// packed into bytes.  An entry says that two nodes are equal, for a reason that
// rests on older entries only:
//
//   CONGRUENCE  old, young   same operator, equal arguments
//   FOLD        node, value, for each argument of node the node of its value
//               (or none, where the value does not matter)
//   GIVEN       a, b, x      a reason of the caller, with the caller's number x
//   AC          a, b, path   equal up to order and brackets: from {a} to {b},
//               each step replacing a class by the arguments of a node in it
//               (node, 0), or those by the class (node, 1)
//   RULE + r    matched nodes, then those that the other side became, so that
//               the use of rule r can be rebuilt without search
//
// A node is packed as the difference to the node before it in the journal.  The first
// node of a rule is packed as the difference to the first node of the last rule's
// entry, for matches come in the order of that node; the first that was built as
// the difference to the last node before the entry, for most of these are new.
//
// Most entries join two classes.  Uses of rules whose sides were equal already
// are kept too, as shorter ways, as long as they take no more than a quarter of
// the journal (and a little, for small graphs).
#ifndef EGRAPH_CORE_JOURNAL_H
#define EGRAPH_CORE_JOURNAL_H

#include "base/memory/vec.h"

#include <stdbool.h>

enum {
    JOURNAL_CONGRUENCE,
    JOURNAL_FOLD,
    JOURNAL_GIVEN,
    JOURNAL_AC,
    JOURNAL_RULE, // + rule
};

struct journal {
    bool on;
    uint8_t *at;
    uint64_t len, cap;
    uint64_t spare;       // bytes of uses of rules that joined nothing
    uint32_t n;           // entries
    uint32_t last, first; // nodes: of the last entry, and the first one of the last rule
    // Arguments of nodes before their first change: place, class.
    struct u32_vec was;
};

void journal_release(struct journal *journal);
// Bytes of memory of the journal: now, and with so many more bytes of entries.
uint64_t journal_bytes(const struct journal *journal, uint64_t more);
// a = b by congruence.
void journal_congruence(struct journal *journal, uint32_t a, uint32_t b);
// a = b, JOURNAL_GIVEN with x.
void journal_given(struct journal *journal, uint32_t kind, uint32_t a, uint32_t b, uint32_t reason);
// `path`: n steps, each 2 * node or, from the arguments to the class, one more.
void journal_ac(struct journal *journal, uint32_t a, uint32_t b, uint32_t n, const uint32_t *path);
// `arg`: n nodes, UINT32_MAX for none.
void journal_fold(struct journal *journal, uint32_t node, uint32_t value, uint32_t n,
                  const uint32_t *arg);
// Nodes of an entry of a rule: the matched ones, one at least, and the built ones, each `by`
// elements behind the one before.
struct journal_use {
    uint32_t matched, built, by;
    const uint32_t *nodes, *made;
};
void journal_rule(struct journal *journal, uint32_t rule, const struct journal_use *use);
// The same where both sides were equal before; may be left out.
void journal_spare(struct journal *journal, uint32_t rule, const struct journal_use *use);

#endif
