// SPDX-License-Identifier: Apache-2.0
// A formula's record as JSON values, one at a time (docs/proof-format.md).
// NULL: a text of the record is not UTF-8.
#ifndef PROOF_FORMULA_DATA_H
#define PROOF_FORMULA_DATA_H

#include "proof/formula/record.h"

#include <jansson.h>

// Member i of the record before its arrays; *key is NULL behind the last one.
json_t *formula_data_member(const struct formula_record *record, uint32_t i, const char **key);
// Elements of the arrays.
json_t *formula_data_define(const struct formula_record *record, uint32_t i);
json_t *formula_data_constant(const struct formula_record *record, uint32_t i);
json_t *formula_data_given(const struct formula_record *record, uint32_t i);
json_t *formula_data_rule(const struct formula_record *record, uint32_t i);

#endif
