// SPDX-License-Identifier: Apache-2.0
// Proof records of both kinds.
#ifndef API_RECORDS_RECORDS_H
#define API_RECORDS_RECORDS_H

#include "api/context.h"
#include "proof/emit/emit.h"

struct rw_record {
    struct rw_context *context;
    bool is_formula;
    char *fault; // why a check rejected it, or NULL
    struct pool pool;
    struct record program;
    struct formula_record formula;
};

// NULL: *err says why.
struct rw_record *record_from_text(struct rw_context *context, const char *text, size_t size,
                                   const char *file, struct err *err);
// From a file that must hold the record of a program.
struct rw_record *record_of_program(struct rw_context *context, const char *path, struct err *err);

bool record_emit(const struct rw_record *record, const struct record_emitter *format,
                 const struct emit_request *request, struct buf *out, struct err *err);

#endif
