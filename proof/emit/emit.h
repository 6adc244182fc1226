// SPDX-License-Identifier: Apache-2.0
// Records in any format: a table of formats, and a walker for each kind of
// record. docs/adding.md describes how to add a format.
#ifndef PROOF_EMIT_EMIT_H
#define PROOF_EMIT_EMIT_H

#include "proof/emit/emitter.h"
#include "proof/formula/record.h"
#include "proof/program/record.h"

// The caller's additions; all zero: none.
struct emit_request {
    const char *title, *remark;
    const char *fault; // why a check rejects the record; NULL: nobody says so
    // Finds the rule with this hash in a database, and puts the rule's texts
    // into *mem.  Called once for each rule that is not assumed.  NULL: no
    // database.
    bool (*notes)(void *notes_ctx, const char *hash, struct arena *mem, struct rule_notes *out,
                  struct err *err);
    void *notes_ctx;
    const struct emit_places *places; // NULL: not known
    void *ctx;                        // of the emission
};

// The formats: X(NAME) for each NAME_emitter.
#define RECORD_FORMATS(X) X(text) X(json) X(html)

#define X(name) extern const struct record_emitter name##_emitter;
RECORD_FORMATS(X)
#undef X
// Their names; NULL behind the last one.
extern const char *const format_names[];
// NULL: no format has this name.
const struct record_emitter *emitter_by_name(const char *name);

// A record that is shown to readers need not be checked.  A fault of the record
// is shown, or ends the function with ERR_INPUT or ERR_CHECK.
bool emit_program(const struct record *record, const struct record_emitter *format,
                  const struct emit_request *request, struct buf *out, struct err *err);
bool emit_formula(const struct formula_record *record, const struct record_emitter *format,
                  const struct emit_request *request, struct buf *out, struct err *err);

// As JSON, which record_read and formula_record_read read; equal records give
// equal bytes.
bool record_write(const struct record *record, struct buf *out, struct err *err);
bool formula_record_write(const struct formula_record *record, struct buf *out, struct err *err);
// As readable text.
bool record_explain(const struct record *record, struct buf *out, struct err *err);
bool formula_record_explain(const struct formula_record *record, struct buf *out, struct err *err);

#endif
