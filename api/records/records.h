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
// From a file.
struct rw_record *record_of_file(struct rw_context *context, const char *path, struct err *err);

// How often a record uses a rule.  The name is the record's own word for it.
struct record_use {
    const char *hash, *name;
    uint64_t count;
};
struct record_uses {
    struct arena mem;
    VEC(struct record_use) at; // each hash once, in the order of first use
};
// Adds the uses of the record to those that are there.
void record_uses_add(const struct rw_record *record, struct record_uses *out);
void record_uses_release(struct record_uses *uses);

// Where the texts of a program's record have what its steps are about.  False: the record is one
// of a formula, or its texts are no programs.  `places` is in the arena.
bool record_places(const struct rw_record *record, struct arena *mem, struct emit_places *places);

// The places are found for formats that show steps, unless the request has some.
bool record_emit(const struct rw_record *record, const struct record_emitter *format,
                 const struct emit_request *request, struct buf *out, struct err *err);

#endif
