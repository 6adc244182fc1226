// SPDX-License-Identifier: Apache-2.0
#ifndef API_SIMPLIFY_PROGRAM_H
#define API_SIMPLIFY_PROGRAM_H

#include "api/context.h"
#include "tensor/program/program.h"

// A program as it was read, before any term was added.
struct parsed_program {
    struct pool pool;
    struct program at;
};
// NULL: *err says why.  The caller releases.
struct parsed_program *program_parse(const char *text, size_t size, const char *file,
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
// Hands over the program as it was read.
struct parsed_program *program_take(struct rw_program *program, struct err *err);

#endif
