// SPDX-License-Identifier: Apache-2.0
// Between proof/program/read.c and proof/program/instance.c; for no other file:
// a record that is being read.
#ifndef PROOF_PROGRAM_READER_H
#define PROOF_PROGRAM_READER_H

#include "proof/json_in.h"
#include "proof/program/record.h"

struct record_reader {
    struct json_in in;
    struct record *record;
    struct pool *pool;
    struct arena mem;
    struct u32_vec types; // number: type id
    struct u32_vec terms; // number: term id
};

static inline const json_t *record_field(const json_t *json, const char *key)
{
    return json_object_get(json, key);
}

// Each returns false after a message.  They read a whole number below `limit`,
// the number of an earlier term, a list of integers, the name of an element
// type, the name of an operator.
bool record_read_index(struct record_reader *rd, const json_t *json, uint64_t limit,
                       const char *what, uint32_t *out);
bool record_read_term(struct record_reader *rd, const json_t *json, const char *what, term_id *out);
bool record_read_ints(struct record_reader *rd, const json_t *json, const char *what,
                      struct i64_vec *out);
bool record_read_elem(struct record_reader *rd, const char *name, enum elem *out);
bool record_read_op(struct record_reader *rd, const char *name, enum op *out);

// proof/program/instance.c.  An instance of the rule, in the record's memory.
bool record_read_instance(struct record_reader *rd, const json_t *json, const struct rule *rule,
                          struct instance **out);

#endif
