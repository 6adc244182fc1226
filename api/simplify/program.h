// SPDX-License-Identifier: Apache-2.0
#ifndef API_SIMPLIFY_PROGRAM_H
#define API_SIMPLIFY_PROGRAM_H

#include "api/context.h"
#include "tensor/program/program.h"

struct rw_program;

// A program as it was read, before any term was added.
struct parsed_program {
    struct pool pool;
    struct program at;
};
// NULL: *err says why.  The caller releases.  `pinned` is program.pinned.
struct parsed_program *program_parse(const struct rw_program *program, const char *pinned,
                                     struct err *err);
void parsed_program_free(struct parsed_program *parsed);

struct rw_program {
    struct rw_context *context;
    struct buf text;
    char *file, *remark;
    // NULL: simplification took the program.  The text is then read again, so
    // that equal calls give equal answers
    struct parsed_program *parsed;
};
// Hands over the program as it was read; with pinned attributes, it is read again.
struct parsed_program *program_take(struct rw_program *program, const char *pinned,
                                    struct err *err);

#endif
