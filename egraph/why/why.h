// SPDX-License-Identifier: Apache-2.0
// Why two nodes of a plain graph (cc.h) are equal: the journal, read back.
//
// Every node stands for one plain term, its own: the operator over the terms of
// the founders of its first arguments' classes.  A node is younger than those,
// so terms are finite.  An entry of the journal is an edge between two nodes,
// with PREMISES: pairs of nodes that were equal before it, so that the terms
// become instances of the rule, or congruent.  Premises are connected by older
// entries, so explanations end.
//
// W1  without the spare uses of rules, the edges are a forest, and its trees
//     are the classes;
// W2  the steps noted for an edge are at least the sum over its premises, and more
//     if the edge is a step itself; the steps of a pair are at least those of its
//     way; and a way is replaced only by a way of fewer steps.  So explanations
//     end (docs/explanations.md).
//
// An explanation is a list of lines.  Each line is an equality a = b of two
// different terms and uses only earlier lines; a line that is needed several
// times is there once.
//   RULE   a, b are the sides of rule x under a substitution, which matching a
//          with the side gives; a part for each condition that rests on an
//          equality
//   CONG   same operator; a part for each differing argument
//   TRANS  two or more parts, chained from a to b
//   FOLD   a = operator over values, b = its value
//   GIVEN  the caller's reason x
//   AC     a and b are equal up to order and brackets, also within them
#ifndef EGRAPH_WHY_WHY_H
#define EGRAPH_WHY_WHY_H

#include "base/text/buf.h"
#include "egraph/plain/plain.h"

enum why_kind { WHY_RULE, WHY_CONG, WHY_TRANS, WHY_FOLD, WHY_GIVEN, WHY_AC };

// A line, or none (CC_NONE); flip: used from its b to its a.
struct why_part {
    uint32_t line;
    uint32_t arg; // CONG: the argument; RULE: WHY_PATTERN + i: equality of the
                  // term that pattern node i matched; WHY_GUARD + 4 * i + k:
                  // that on which condition i rests for its argument k;
                  // WHY_TERM + i: `line` is a term, that which pattern node i
                  // matched
    bool flip;
};
enum { WHY_PATTERN = 0, WHY_GUARD = 1 << 16, WHY_TERM = 1 << 17 };

// op over arg[at ..].  `via` proves it equal to the term of node `near`.
struct why_term {
    uint32_t op, at, near;
    struct why_part via;
};
struct why_line {
    enum why_kind kind;
    uint32_t a, b; // terms
    uint32_t x;
    uint32_t at, n; // parts
    uint64_t steps; // uses of rules and the like when no line is shared
};

// An entry of the journal, to be decoded from byte `at` on.
struct why_entry {
    uint32_t kind : 24, at_high : 8, at;
    uint32_t last;        // node before it; if it is not there: of its nodes in list
    uint32_t first;       // first node of the rule before it
    uint32_t left, right; // equal by it
};
// Facts about one journal entry: its nodes are list[list ..], its premises
// prem[at .. at + n], once they are listed.  The steps of an entry are known when the
// steps of all its premises are.  While `changes` equals `asked`, steps that are not
// known are at least `steps`.
struct why_edge {
    uint64_t steps, asked;
    uint32_t list, at, n;
    bool listed, known;
    bool copied;      // to congruent nodes, where that may help
    bool dull;        // takes too long to find out
    uint8_t refusals; // how often it took more steps than were asked for
};
// Two nodes, x < y, and the best way from x to y: half-edges way[at .. at + n],
// 2 * entry, + 1 when it is used from its r to its l; there once it is found.
struct why_pair {
    uint32_t x, y, at, n;
    uint64_t steps, asked; // as above
    uint64_t searched;     // value of `changes` then
    uint32_t users;        // + 1; a list of user[]
    struct why_part line;  // none where both have one term
    bool found, known, open, written;
};

// A node of a class in which shorter ways are looked for: its half-edges are a
// list; the half-edge by which search number `search` reached it.  In search
// number `near` an edge leads from it to the end.
struct why_linked {
    uint64_t steps;
    uint32_t search, by, near;
    uint32_t head, twin;            // + 1; twin: live node that it is linked to
    uint32_t node : 31, folded : 1; // folded: as an entry says
};
struct why_link {
    uint32_t half, next; // next + 1; a half-edge, or an entry
};
struct why_reached {
    uint64_t steps;
    uint32_t node;
};

// Where a rule finds the node of a variable: list[place] of its entry, or the
// founder of that node's argument.
struct why_place {
    uint32_t place, arg; // CC_NONE: the node itself
    bool whole;          // the variable stands for what the node matched
    bool wide;           // the node has more than two arguments
};
// Two places of a rule that one variable names: equal, in a use of it.
struct why_repeated {
    struct why_place a, b;
};
// Of a rule: nodes of an entry, and where its ends are; n = 0: it joins
// nothing.
struct why_ends {
    uint32_t n, matched; // nodes of an entry; of the left side
    struct why_place left, right;
};

// A condition of a rule may hold because the class of an argument contains a certain
// node, for example a number.  Returns the nth such node; CC_NONE if there are no
// more, or if the condition is a fact about the class.  node[] has the nodes of all
// arguments.  The explanation takes the first witness that is in the class of
// node[arg] by entries older than the use of the rule.
typedef uint32_t why_witness(void *ctx, const struct cc *graph, const struct plain_guard *guard,
                             const uint32_t *node, uint32_t arg, uint32_t nth);

// Finds the value of a folded node and the values of its arguments, as nodes.
// Returns false if the node has no value.
typedef bool why_value(void *ctx, const struct cc *graph, uint32_t node, uint32_t *value,
                       uint32_t *arg);

struct why {
    struct cc *graph;
    const struct plain_rules *rules;
    why_witness *witness;
    why_value *value;
    void *ctx;
    // the journal
    uint64_t at; // bytes read
    uint32_t last, rule_first;
    VEC(struct why_entry) entry;
    VEC(struct why_ends) ends;
    struct u32_vec list;
    uint32_t n_nodes, n_was;
    struct u32_vec first, wide_first; // arguments when the node was made
    struct u32_vec up, joined, size;  // W1: by node; joined: by which entry
    VEC(struct why_edge) edge;
    struct u32_vec edge_of;         // entry -> edge + 1
    VEC(struct why_place) place;    // per rule: of each variable
    struct u32_vec place_at;        // rule -> place
    VEC(struct why_repeated) twice; // per rule
    struct u32_vec twice_at;        // rule -> twice, and the end of the last
    // ways
    VEC(struct why_pair) pair;
    struct u32_vec pair_slot; // pair + 1 by its nodes
    struct u32_vec way, prem, fresh_pair, waiting;
    VEC(uint64_t) fresh, ranked; // scratch, to be sorted
    VEC(struct why_link) user;   // of each pair: entries that rest on it
    // shorter ways (egraph/why/shorten.c)
    VEC(struct why_linked) linked;
    struct u32_vec linked_of;    // node -> linked + 1
    struct u32_vec class_linked; // class -> 1: to be linked, 2: it is
    VEC(struct why_link) link;
    uint32_t n_linked, n_scans;   // entries when that was done; how often
    VEC(struct why_reached) heap; // scratch
    uint32_t search;              // number of searches
    uint64_t changes;             // of steps of pairs, and of what is there
    uint64_t read_at;             // when the journal was read
    VEC(uint64_t) class_changed;  // when an entry in it came to need less
    uint64_t work;                // half-edges looked at for shorter ways
    uint64_t most_work;           // for all of them; 0: only a limit for each
    // terms and lines
    VEC(struct why_term) term;
    struct u32_vec arg, term_slot, term_of; // term_of: node -> term + 1
    struct u32_vec chain_arg;               // scratch
    VEC(struct why_line) line;
    VEC(struct why_part) part, chain; // chain: scratch
    struct u32_vec line_slot;         // line + 1 by its unordered ends
    uint32_t swaps, cuts;             // left to try (egraph/why/swap.c)
};

// The graph must be closed, its rules those that run.h had.
void why_init(struct why *why, struct cc *graph, const struct plain_rules *rules);
void why_release(struct why *why);
// Reads the new entries of the journal.  Fails with ERR_BUG if the journal is not
// consistent.
bool why_read(struct why *why, struct err *err);
// I6 and W1, of a closed graph that is read to its end.
bool why_check(const struct why *why, struct err *err);

uint32_t why_term(struct why *why, uint32_t op, const uint32_t *args);
uint32_t why_term_of(struct why *why, uint32_t node); // its own
// Finds a line that proves a = b, CC_NONE if a and b are one term.  Either may be a
// term that no node has, as long as the graph has an equal term.  Later calls share
// the lines.  Fails with ERR_CHECK if the graph does not make a and b equal.
bool why_explain(struct why *why, uint32_t a, uint32_t b, struct why_part *line, struct err *err);
// The shortest line known by now that proves the same as `part`.  Its use in place of
// `part` makes no circle: lines that need each other do not get longer.
struct why_part why_shortest(struct why *why, struct why_part part);
uint64_t why_steps(const struct why *why, struct why_part line);
// The lines that `line` needs, in order, as text (docs/explanations.md).
void why_print(const struct why *why, uint32_t line, struct buf *out);
// In prefix notation; may be far longer than the term has parts.
void why_print_term(const struct why *why, uint32_t term, struct buf *out);

#endif
