// SPDX-License-Identifier: Apache-2.0
// Why two terms of the e-graph are equal: the explanations of why.h, told in
// terms of programs.
//
// An explanation is a list of lines.  Each line is an equality a = b of two
// different terms of one type and uses only earlier lines; equalities that are
// needed several times are one line.
//   RULE    the merge (a, b) was stated for rule x, instance y
//   FOLD    a = op(constant terms), b = the constant that fold_node makes
//   LAYOUT  b = layout_rewrite(a, x)  (tensor/fold/layout.h)
//   CALL, CARRIED, TWIN, BRANCH   stated from outside, about the structure of the program: a call is what
//           its function computes, x = its first region; a value that a loop hands on unchanged, x
//           = the loop's term, y = which value; values of a loop x that are equal; a branch that is always taken
//   CONG    same op, attributes and type; a part for each differing argument
//   TRANS   two or more parts, chained from a to b
#ifndef EGRAPH_PROGRAM_EXPLAIN_H
#define EGRAPH_PROGRAM_EXPLAIN_H

#include "base/err.h"
#include "base/memory/vec.h"
#include "egraph/why/why.h"
#include "tensor/program/term.h"

enum reason_kind {
    REASON_RULE, // x = rule, y = instance: the caller's own numbers
    REASON_FOLD,
    REASON_LAYOUT, // x = enum layout_kind
    REASON_CALL,
    REASON_CARRIED,
    REASON_TWIN,
    REASON_BRANCH,
    REASON_COMPLEX,
    REASON_REFINE,
    REASON_SLICES, // x = function
};
struct reason {
    enum reason_kind kind;
    uint32_t x, y;
};

enum proof_kind {
    PROOF_RULE,
    PROOF_CONG,
    PROOF_FOLD,
    PROOF_LAYOUT,
    PROOF_TRANS,
    PROOF_CALL,
    PROOF_CARRIED,
    PROOF_TWIN,
    PROOF_BRANCH,
    PROOF_COMPLEX,
    PROOF_REFINE,
    PROOF_SLICES,
};
struct proof_part {
    uint32_t line;
    uint32_t arg; // CONG: the argument that it is for
    bool flip;    // the line is used from its b to its a
};
struct proof_line {
    enum proof_kind kind;
    term_id a, b;
    uint32_t x, y;  // of the reason
    uint32_t at, n; // CONG, TRANS: parts
};

struct explanation {
    VEC(struct proof_line) line;
    VEC(struct proof_part) part;
    struct why *why;
    struct u32_vec line_of; // line of why -> line + 1
    struct u32_vec waiting; // scratch
};

struct egraph;
void explanation_release(struct explanation *proof);
// Appends the lines that prove a = b to *proof (zero it before the first call;
// later calls share what is there, also after more merges).  part->line is the
// line that proves it (flip: as b = a); UINT32_MAX when a and b are one term.
// Fails with ERR_CHECK when the two are not in one class.
bool explain(struct egraph *graph, term_id a, term_id b, struct explanation *proof,
             struct proof_part *part, struct err *err);

#endif
