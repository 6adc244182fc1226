// SPDX-License-Identifier: Apache-2.0
// A format in which records are written, of programs and of formulas alike: a
// table of functions, one for each event.  A walker (proof/emit/walk.h) goes
// through a record and calls them in this order:
//   begin, member.., then for each part that the format orders and the record
//   has: open, its entries, close; last end.
// There are two kinds of events.  `member` and `element` are exact: they give
// the record's own data, all of it (docs/proof-format.md), for formats that are
// read back.  The other events are for readers: terms can be printed, rules are
// found in the database, the proof is a list of steps.  A function that is NULL
// is not called.  A record is prepared for readers only if a format has
// functions for readers.
//
// All texts are foreign: names and texts of a record may hold any characters.
// The format must escape each text.
#ifndef PROOF_EMIT_EMITTER_H
#define PROOF_EMIT_EMITTER_H

#include "base/err.h"
#include "base/text/buf.h"
#include "formula/language/formula.h"

#include <jansson.h>

enum record_kind { RECORD_PROGRAM, RECORD_FORMULA };

enum record_part {
    PART_DEFINITIONS, // of named functions; formulas only
    PART_CONSTANTS,   // numbers taken for named terms; formulas only
    PART_CONDITIONS,  // the given conditions; formulas only
    PART_RULES,
    PART_TYPES, // exact only, as terms; programs only
    PART_TERMS,
    PART_LINES, // exact only
    PART_STEPS, // for readers only
    PART_GOALS, // results and the steps that prove them equal; programs only
    N_RECORD_PARTS
};

// A term of the record, or a text instead.
struct emit_value {
    const char *text;                // NULL: a term
    const struct emit_terms *source; // prints the term
    uint32_t term;
    // A place of the term to highlight, as numbers of arguments from the root
    // on; NULL: none.
    const uint32_t *path;
    uint32_t n_path;
};
struct emit_terms {
    bool notations; // the term has LaTeX and MathML, else text alone
    void (*print)(const struct emit_terms *terms, const struct emit_value *value,
                  enum notation notation, bool lets, struct buf *out);
    // A term by its text in the record; NULL: the record has none.
    bool (*read)(struct emit_terms *terms, const char *text, uint32_t *term, struct err *err);
};
bool emit_value_has(const struct emit_value *value, enum notation notation);
// As formula_print: `lets` names terms that are used more than once.
void emit_value_print(const struct emit_value *value, enum notation notation, bool lets,
                      struct buf *out);

// Where the texts of a program's record have what the steps are about.  Lines of a text are
// numbered from 1; 0: none.
struct emit_places {
    uint32_t n_terms;
    const uint32_t *before, *after; // by term of the record: the line that makes an equal value
    uint32_t n_before, n_after;     // lines of each text
    // By line - 1: the number of the first step about its value; UINT32_MAX: none.
    const uint32_t *step_before, *step_after;
};
// A call of a named function, and the term that it stands for.
struct emit_function {
    struct emit_value call, meaning;
};
struct emit_head {
    enum record_kind kind;
    const char *title, *remark; // the caller's; ""
    const char *fault;          // the record is not valid, and why; ""
    const char *about, *counts; // a line each: the program of the record; its length
    const char *input, *output; // a formula's texts, with declarations; else NULL
    struct emit_value before, after;
    const char *size_before, *size_after; // "cost 7"
    // The steps are a chain: each step begins with the term that the step
    // before made, the first one with `first`.  Otherwise each step stands
    // alone.
    bool chain;
    bool unchanged; // nothing had to be proved
    struct emit_value first;
    struct emit_terms *terms;         // reads terms of the record
    const struct emit_places *places; // of a program; NULL: not known
    uint32_t n_functions;             // calls in `after`; formulas only
    const struct emit_function *function;
};

struct emit_obligation {
    const char *kind, *verdict, *ranks, *detail;
};
// A rule in the database; unknown texts are NULL.
struct rule_notes {
    const char *name, *text, *doc, *verdict, *precondition, *method;
    uint32_t n_obligations;
    const struct emit_obligation *obligation;
};
struct emit_rule {
    // Records of formulas have a rule once for each direction.  `shown` is the
    // first one with this hash.  Shown rules are numbered from 0.
    const struct emit_rule *shown;
    uint32_t number;
    const char *name, *hash; // the name is the record's claim: emit_rule_name
    const char *text, *meaning;
    bool backward, assumed;
    struct rule_notes notes; // of the shown rule
};

// The name of the rule in the database; the record's name, if the database has none.
const char *emit_rule_name(const struct emit_rule *rule);
// Whether the name that the record gives is that of the database.
enum emit_claim {
    CLAIM_SAME,
    CLAIM_OTHER,   // the database has another name
    CLAIM_UNKNOWN, // the database has none, or there is no database
};
enum emit_claim emit_rule_claim(const struct emit_rule *rule);

struct emit_constant {
    const char *text; // as written
    const char *value, *precision, *difference;
};
struct emit_condition {
    uint32_t number;
    const char *text, *by; // proof/formula/record.h
    bool used;             // by the proof
};

enum emit_step_kind {
    STEP_RULE,
    STEP_FOLD,      // an operator over constants became its value
    STEP_LAYOUT,    // a law of layout, by its name
    STEP_STRUCTURE, // of the program: why, in words
    STEP_GIVEN,     // a given condition, by its number
    STEP_ORDER,     // order and brackets
    STEP_MANY,      // several steps, cut short
};
struct emit_binding {
    const char *name, *is; // "n", " = " or ": "
    const char *text;
};
struct emit_step {
    enum emit_step_kind kind;
    uint32_t number;              // in a chain from 1; otherwise the line of the record
    const char *name;             // RULE: the name in the proof; LAYOUT: the law
    const struct emit_rule *rule; // RULE; NULL: the record has none of this name
    bool flip;                    // RULE: from right to left, as the proof names it
    bool backward;                // RULE: from right to left, as the rule is written
    bool assumed;                 // RULE
    uint32_t count;               // GIVEN: the number of the condition; MANY: the number of steps
    uint32_t line_before, line_after; // of the programs, where its value is made; 0: not known
    struct emit_value before, after;
    uint32_t n_bindings, n_conditions;
    const struct emit_binding *binding; // the terms of the rule's variables
    const struct emit_value *condition; // the rule's conditions, which hold
};
// RULE: the name of the rule, with what the proof of a formula puts behind the name:
// `fold.add` is the rule `fold` for the operator add.
void emit_step_name(const struct emit_step *step, struct buf *out);
struct emit_goal {
    uint32_t function, root;
    bool changed;
    uint32_t line;    // the line that joins the steps
    uint32_t n_steps; // the steps that prove the goal
    const uint32_t *step;
};

struct emission;
struct record_emitter {
    const char *name, *suffix; // "html", ".html"
    enum record_part order[N_RECORD_PARTS];
    uint32_t n_parts;
    bool shows_places;   // uses emit_head.places
    uint32_t most_steps; // of a chain: parts of longer proofs become one step
    // exact; the value is borrowed, NULL: no JSON can say it
    bool (*member)(struct emission *emission, uint32_t i, const char *key, const json_t *value);
    bool (*element)(struct emission *emission, enum record_part part, uint32_t i,
                    const json_t *value);
    // for readers
    bool (*begin)(struct emission *emission);
    bool (*definition)(struct emission *emission, const char *text);
    bool (*constant)(struct emission *emission, const struct emit_constant *constant);
    bool (*condition)(struct emission *emission, const struct emit_condition *condition);
    bool (*rule)(struct emission *emission, const struct emit_rule *rule);
    bool (*step)(struct emission *emission, const struct emit_step *step);
    bool (*goal)(struct emission *emission, const struct emit_goal *goal);
    // both; `key` names the part in the record, n counts its entries
    bool (*open)(struct emission *emission, enum record_part part, const char *key, uint32_t n);
    bool (*close)(struct emission *emission, enum record_part part, uint32_t n);
    bool (*end)(struct emission *emission);
};

// The emission of one record.  If a function returns false, the emission ends
// with *err.
struct emission {
    const struct record_emitter *format;
    enum record_kind kind;
    const struct emit_head *head; // for readers only, else NULL
    struct buf *out;
    uint32_t shown; // the format's: 0 where a part opens
    void *ctx;      // the caller's
    struct err *err;
};

#endif
