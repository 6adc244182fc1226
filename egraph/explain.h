// SPDX-License-Identifier: Apache-2.0
// Why two terms are equal.  Each merge of two classes adds one edge, between
// the two terms that it was stated for, to a forest over term ids
// (Nieuwenhuis and Oliveras; egg's explanations).  The smaller side turns its
// path around, so that every term has at most one edge upwards.
//
// F1  the trees of the forest are the classes.
// F2  a congruence edge between f(a..) and f(b..) is younger than every edge on
//     the paths from a to b; paths never change, so explanations end.
//
// An explanation is a list of lines.  Each line is an equality a = b of two
// different terms of one type and uses only earlier lines; equalities that are
// needed several times are one line.
//   RULE    the merge (a, b) was stated for rule x, instance y
//   FOLD    a = op(constant terms), b = the constant that fold_node makes
//   LAYOUT  b = layout_rewrite(a, x)  (tensor/layout.h)
//   CONG    same op, attributes and type; a part for each differing argument
//   TRANS   two or more parts, chained from a to b
#ifndef EGRAPH_EXPLAIN_H
#define EGRAPH_EXPLAIN_H

#include "base/err.h"
#include "base/vec.h"
#include "tensor/term.h"

enum reason_kind {
    REASON_RULE, // x = rule, y = instance: the caller's own numbers
    REASON_CONG,
    REASON_FOLD,
    REASON_LAYOUT, // x = enum layout_kind
};
struct reason {
    enum reason_kind kind;
    uint32_t x, y;
};

struct forest_edge {
    term_id a, b; // as the merge stated them
    struct reason why;
};
struct forest {
    struct u32_vec up;   // by term: the term its edge leads to; itself: root
    struct u32_vec link; // by term: that edge
    VEC(struct forest_edge) edge; // in order of age
};

void forest_release(struct forest *f);
void forest_grow(struct forest *f, uint32_t n);
// A new edge for a = b, which must be in different trees; a's tree is turned
// around and hung below b, or b's below a when `turn_b`.
void forest_join(struct forest *f, term_id a, term_id b, bool turn_b,
                 struct reason why);

enum proof_kind {
    PROOF_RULE,
    PROOF_CONG,
    PROOF_FOLD,
    PROOF_LAYOUT,
    PROOF_TRANS,
};
struct proof_part {
    uint32_t line;
    uint32_t arg; // CONG: the argument that it is for
    bool flip;    // the line is used from its b to its a
};
struct proof_line {
    enum proof_kind kind;
    term_id a, b;
    uint32_t x, y;  // RULE: rule, instance; LAYOUT: x = law
    uint32_t at, n; // CONG, TRANS: parts
};

struct explanation {
    VEC(struct proof_line) line;
    VEC(struct proof_part) part;
    struct u32_vec of_edge; // forest edge -> line + 1
    struct u32_vec slot;    // line + 1 by its unordered pair (a, b)
    struct u32_vec mark;    // scratch, by term
    uint32_t stamp;
};

struct egraph;
void explanation_release(struct explanation *x);
// Appends the lines that prove a = b to *x (zero it before the first call;
// later calls share what is there, also after more merges).  *line is the line
// that proves it (flip: as b = a); UINT32_MAX when a and b are one term.
// Fails with ERR_CHECK when the two are not in one class.
bool explain(const struct egraph *g, term_id a, term_id b,
             struct explanation *x, uint32_t *line, bool *flip, struct err *e);

#endif
