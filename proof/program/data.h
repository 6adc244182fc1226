// SPDX-License-Identifier: Apache-2.0
// A program's record as JSON values, one at a time (docs/proof-format.md).
// The values have only the types and terms that lines and goals reach,
// renumbered in ascending order.
#ifndef PROOF_PROGRAM_DATA_H
#define PROOF_PROGRAM_DATA_H

#include "proof/program/record.h"

#include <jansson.h>

struct record_data {
    const struct record *record;
    const struct terms *terms;
    struct u32_vec reach;   // term ids, ascending
    struct u32_vec term_at; // by term id: its number in the record
    struct u32_vec type_at; // by type id: number + 1
    json_t *types;
};

void record_data_init(struct record_data *data, const struct record *record);
void record_data_release(struct record_data *data);

// Member i of the record before its arrays; *key is NULL behind the last one.
json_t *record_data_member(const struct record *record, uint32_t i, const char **key);
// Elements of the arrays, below the lengths in `record`, `types` and `reach`.
json_t *record_data_rule(const struct record *record, uint32_t i);
json_t *record_data_type(const struct record_data *data, uint32_t i);
json_t *record_data_term(struct record_data *data, uint32_t i);
json_t *record_data_line(const struct record_data *data, uint32_t i);
json_t *record_data_goal(const struct record_data *data, uint32_t i);

#endif
