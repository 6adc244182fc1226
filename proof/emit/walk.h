// SPDX-License-Identifier: Apache-2.0
// The walk through a record, in the same order for both kinds of record.
#ifndef PROOF_EMIT_WALK_H
#define PROOF_EMIT_WALK_H

#include "proof/emit/emit.h"

// A kind of record.  `walk` is the state that the functions share; callers make
// it.
struct record_walker {
    enum record_kind kind;
    const char *key[N_RECORD_PARTS]; // NULL: the record has no such part
    // Prepares the events for readers, and the head.
    bool (*read)(void *walk, const struct record_emitter *format,
                 const struct emit_request *request, struct err *err);
    const struct emit_head *(*head)(const void *walk);
    uint32_t (*count)(const void *walk, enum record_part part);
    // Exact: NULL if JSON cannot hold the value; callers must release the
    // value.  *key is NULL behind the last member.
    json_t *(*member)(const void *walk, uint32_t i, const char **key);
    json_t *(*element)(void *walk, enum record_part part, uint32_t i);
    // For readers: calls the format's function for one entry, if the format has
    // one.
    bool (*entry)(void *walk, struct emission *emission, enum record_part part, uint32_t i);
};
bool record_walk(const struct record_walker *walker, void *walk,
                 const struct record_emitter *format, const struct emit_request *request,
                 struct buf *out, struct err *err);

// The rules of a record, as readers see them.
struct walk_rules {
    VEC(struct emit_rule) at;
};
// Adds the next rule: finds the shown one, and asks for notes. walk_rules_init
// has reserved all memory, so addresses stay.
void walk_rules_init(struct walk_rules *rules, uint32_t n);
bool walk_rules_add(struct walk_rules *rules, struct emit_rule rule,
                    const struct emit_request *request, struct arena *mem, struct err *err);
// Keeps the text of a buffer, and releases the buffer.
const char *walk_keep(struct arena *mem, struct buf *text);

#endif
