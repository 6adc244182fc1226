// SPDX-License-Identifier: Apache-2.0
// The proof record: why the output program equals the input program.  It is
// JSON (docs/proof-format.md) and complete: both programs' texts, the terms,
// the rules' canonical texts, and the lines.  A line is an equality a = b of
// two terms and uses earlier lines only:
//   RULE    a and b are the two sides of a rule at an instance; `backward`: a
//           is the right side
//   FOLD    a = op(constants), b = the constant that fold_node makes of a
//   LAYOUT  b = layout_rewrite(a, law)
//   CONG    same operator, attributes, type; for each differing argument a part
//   TRANS   parts chained from a to b
//   CALL    a is a result of a call of a pure function of the input, b what the function computes
//           from the call's operands; its regions are numbered from first_region on
//   CARRIED `loop` returns its value `index` unchanged; a is that value inside, or the loop's
//           result, b the operand with which the loop begins
//   TWIN    a and b are values of `loop` at one place: both parameters of its condition or of its
//           body, or both results; these values are equal at every step
//   BRANCH  a is a result of an operation that always takes one branch, b what this gives
//   COMPLEX a and b are equal by the meaning of complex numbers (tensor/program/complex.h)
//   REFINE  b is the operator that a is, now that its sizes are known (tensor/program/form.h)
//   SLICES  a is computed slice by slice, b what that is (tensor/dynamic/slices.h), by the sizes that
//           are equal in every run of function `index` of the input
// A goal says that one result (or side effect) of a function of the input
// equals the one at the same place of the output.
//
// P1  args of a term, parts of a line: smaller indices only.
// P2  a rule is named by its hash, and its text has that hash.
#ifndef PROOF_PROGRAM_RECORD_H
#define PROOF_PROGRAM_RECORD_H

#include "base/text/buf.h"
#include "rules/instance/instance.h"
#include "tensor/program/program.h"

#define RECORD_VERSION 4

#define REPLACES "replace" // in attributes: N_OPS of a scatter, which has no reducer

enum line_kind {
    LINE_RULE,
    LINE_FOLD,
    LINE_LAYOUT,
    LINE_CONG,
    LINE_TRANS,
    LINE_CALL,
    LINE_CARRIED,
    LINE_TWIN,
    LINE_BRANCH,
    LINE_COMPLEX,
    LINE_REFINE,
    LINE_SLICES,
    N_LINE_KINDS
};
// As records name them.
extern const char *const line_names[N_LINE_KINDS];

struct line_part {
    uint32_t line;
    uint32_t arg; // CONG: which argument
    bool flip;    // used from b to a
};
struct record_line {
    enum line_kind kind;
    term_id a, b;
    uint32_t rule;         // RULE: index into rules
    struct instance *inst; // RULE
    bool backward;         // RULE
    const char *where;     // RULE: values of the preconditions, where_text
    uint32_t law;          // LAYOUT: enum layout_kind
    uint32_t first_region; // CALL
    term_id loop;          // CARRIED, TWIN
    uint32_t index;        // CARRIED; SLICES: a function
    uint32_t parts_at, n_parts;
};
struct record_rule {
    const char *hash, *name;
    const struct rule *rule; // parsed from the canonical text
    bool assumed;            // not proved: added by --assume
};
struct record_goal {
    uint32_t function, root; // place in function_roots of both programs
    term_id input, output;
    uint32_t line; // the line that proves the goal; NONE if input and output are one term
    bool flip;
};

struct record {
    struct arena mem; // instances, texts
    struct ruleset rules_mem;
    struct terms terms; // own store over a borrowed pool
    enum float_reading reading;
    const char *input, *output; // program texts
    const char *input_name;     // for readers
    // The number in the input of each region of the output, in the order of its text; NO_REGION
    // for the region of a reduce_window or a scatter that is a term.
    struct u32_vec regions;
    const char *keep_attributes; // program.pinned of both programs
    VEC(struct record_rule) rules;
    VEC(struct record_line) lines;
    VEC(struct line_part) parts;
    VEC(struct record_goal) goals;
};

void record_init(struct record *record, struct pool *pool);
void record_release(struct record *record);

// Adds a rule by its canonical text, once.  Lines name the rule by *index.
// Fails if the text does not parse.
bool record_add_rule(struct record *record, const char *name, const char *canonical, bool assumed,
                     uint32_t *index, struct err *err);
// Deep copy of an instance of an equal rule (same canonical text) into the
// record, its terms mapped by `map` (index: source term id).
struct instance *record_copy_instance(struct record *record, uint32_t rule,
                                      const struct instance *in, const struct u32_vec *map);

// The value of every precondition, as "n <= m: true true; all(P): true", with
// one word for each axis of the precondition's axis class.  The text is in the
// arena.
const char *where_text(const struct instance *in, struct terms *terms, struct arena *mem);

// proof/emit/emit.h writes records and shows them to readers.

// Reads a record, and builds every term with its shape rule.  `file` names the
// text in messages.  Malformed: ERR_INPUT with line and column (JSON) or the
// path in the record ("lines[3].parts[0]").
bool record_read(struct record *record, const char *text, size_t n, const char *file,
                 struct err *err);

// A term on one line, cut if too long.  The function looks at few nodes, even
// of a wide term.
void record_term(const struct record *record, term_id term, struct buf *out);

#endif
