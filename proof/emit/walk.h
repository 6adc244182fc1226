// SPDX-License-Identifier: Apache-2.0
// The way through a record, which is the same for both kinds.
#ifndef PROOF_EMIT_WALK_H
#define PROOF_EMIT_WALK_H

#include "proof/emit/emit.h"

// A kind of record.  `walk` is what the functions share, made by the caller.
struct record_walker {
    enum record_kind kind;
    const char *key[N_RECORD_PARTS]; // NULL: the record has no such part
    // Prepares the events for readers, and the head.
    bool (*read)(void *walk, const struct record_emitter *format,
                 const struct emit_request *request, struct err *err);
    const struct emit_head *(*head)(const void *walk);
    uint32_t (*count)(const void *walk, enum record_part part);
    // Exact: NULL when no JSON can say it; the caller releases.  *key is NULL
    // behind the last member.
    json_t *(*member)(const void *walk, uint32_t i, const char **key);
    json_t *(*element)(void *walk, enum record_part part, uint32_t i);
    // For readers: calls the format's function for one entry, if it has one.
    bool (*entry)(void *walk, struct emission *emission, enum record_part part, uint32_t i);
};
bool record_walk(const struct record_walker *walker, void *walk,
                 const struct record_emitter *format, const struct emit_request *request,
                 struct buf *out, struct err *err);

// The rules of a record, as readers see them.
struct walk_rules {
    VEC(struct emit_rule) at;
};
// The next rule: finds the one that is shown, and asks for notes.  All room is
// there (walk_rules_init), so addresses stay.
void walk_rules_init(struct walk_rules *rules, uint32_t n);
bool walk_rules_add(struct walk_rules *rules, struct emit_rule rule,
                    const struct emit_request *request, struct arena *mem, struct err *err);
// The text of a buffer, kept; the buffer is released.
const char *walk_keep(struct arena *mem, struct buf *text);

#endif
