// SPDX-License-Identifier: Apache-2.0
// A file of answers by key, appended to, so that a run that was stopped need
// not ask again.  A last entry that was not written whole is not there.
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
    VEC(struct answer) entries; // of before, by key
};
// `run` says what the answers are about: options, versions.  Fails with
// ERR_INPUT where the file is another run's.
bool answers_open(struct answers *answers, const char *path, const char *run, struct err *err);
void answers_close(struct answers *answers);
const struct answer *answers_find(const struct answers *answers, uint64_t key);
// On disk with the next answers_flush.
void answers_put(struct answers *answers, uint64_t key, const void *at, uint32_t n);
bool answers_flush(struct answers *answers, struct err *err);

#endif
