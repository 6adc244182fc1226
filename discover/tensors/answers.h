// SPDX-License-Identifier: Apache-2.0
// A journal: a file of answers by key, which grows, so that a stopped run need
// not ask again.  An incomplete last entry is ignored.
#ifndef DISCOVER_TENSORS_ANSWERS_H
#define DISCOVER_TENSORS_ANSWERS_H

#include "base/text/buf.h"
#include "base/memory/vec.h"

struct answer {
    uint64_t key;
    const char *at;
    uint32_t n;
};
struct answers {
    void *file; // FILE
    struct buf old;
    VEC(struct answer) entries; // answers of earlier runs, sorted by key
};
// `run` describes what the answers depend on: options, versions.  Fails with
// ERR_INPUT if the file belongs to another run.
bool answers_open(struct answers *answers, const char *path, const char *run, struct err *err);
void answers_close(struct answers *answers);
const struct answer *answers_find(const struct answers *answers, uint64_t key);
// Adds an answer, which is written by the next answers_flush.
void answers_put(struct answers *answers, uint64_t key, const void *at, uint32_t n);
bool answers_flush(struct answers *answers, struct err *err);

#endif
