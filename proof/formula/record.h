// SPDX-License-Identifier: Apache-2.0
// The record of a formula's simplification, as JSON (docs/proof-format.md):
// input and output as texts of the formula language with all declarations,
// recovered constants with their differences, the given conditions with their
// reasons, the rules by hash and direction, and the proof as lines of
// proof/plain/check.h over named terms.
#ifndef PROOF_FORMULA_RECORD_H
#define PROOF_FORMULA_RECORD_H

#include "base/memory/arena.h"
#include "base/text/buf.h"
#include "base/err.h"
#include "base/memory/vec.h"
#include "rules/instance/fire.h"

struct formula_record_rule {
    const char *name;        // in the proof
    const char *hash, *text; // canonical text
    bool backward, assumed;
};
struct formula_record_given {
    const char *cond; // named term
    const char *by;   // "declared", "defined", "extent", "number"
};
struct formula_record_constant {
    const char *text, *value, *precision, *difference;
};
struct formula_record {
    struct arena mem;
    const char *input, *output; // formula texts, with declarations
    VEC(const char *) defines;  // canonical texts of rules that define functions
    VEC(struct formula_record_rule) rules;
    VEC(struct formula_record_given) givens;
    VEC(struct formula_record_constant) constants;
    const char *proof;
};

// True if the text claims to be such a record: the format is its first member.
bool formula_record_is(const char *text, size_t n);
void formula_record_init(struct formula_record *record);
void formula_record_release(struct formula_record *record);
// proof/emit/emit.h writes records and shows them to readers.
bool formula_record_read(struct formula_record *record, const char *text, size_t n,
                         const char *file, struct err *err);

// The number of lines of the proof, and of lines that use a rule.
void formula_record_count(const struct formula_record *record, uint32_t *lines, uint32_t *uses);
// The number of lines that use rule `rule` of the record.
uint32_t formula_record_uses(const struct formula_record *record, uint32_t rule);

struct formula_check_options {
    // As in proof/program/check.h: called once for each rule.
    bool (*status)(void *ctx, const struct rule *r, const char *name, bool assumed,
                   struct rule_status *out, struct err *e);
    void *ctx;
    bool allow_assumed;
};
// Reads input and output again, checks each recovered constant, derives the
// given conditions again from the input, writes the rules as plain rules again
// and replays the proof.  ERR_CHECK names the fault.
bool formula_record_check(const struct formula_record *record,
                          const struct formula_check_options *options, struct err *err);

#endif
