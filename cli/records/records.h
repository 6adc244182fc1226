// SPDX-License-Identifier: Apache-2.0
// Reading proof records from files.
#ifndef CLI_RECORDS_RECORDS_H
#define CLI_RECORDS_RECORDS_H

#include "cli/cli.h"
#include "proof/formula/record.h"
#include "proof/program/record.h"

// Reads and builds the record; id (if not NULL) gets the SHA-256 of its text.
bool read_record(const char *path, struct pool *pool, struct record *out, char id[65],
                 struct err *err);

// The record of a program or of a formula, whichever the file holds.
struct any_record {
    bool is_formula;
    struct record program;
    struct formula_record formula;
};
bool read_any_record(const char *path, struct pool *pool, struct any_record *out, struct err *err);
void any_record_release(struct any_record *record);

#endif
