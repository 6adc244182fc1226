// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/answers.h"
#include "base/hash.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define MOST ((size_t)1 << 32)

struct head {
    uint64_t key, check; // of key and bytes
    uint32_t n;
};

static uint64_t check_of(uint64_t key, const void *at, uint32_t n)
{
    return hash_bytes(at, n, key);
}

static int by_key(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

// Where the whole entries end.
static size_t read_old(struct answers *j, size_t at)
{
    for (;;) {
        struct head h;
        if (at + sizeof h > j->old.len)
            return at;
        memcpy(&h, j->old.at + at, sizeof h);
        const char *bytes = j->old.at + at + sizeof h;
        if (h.n > j->old.len - at - sizeof h ||
            check_of(h.key, bytes, h.n) != h.check)
            return at;
        vec_push(&j->entries, ((struct answer){h.key, bytes, h.n}));
        at += sizeof h + h.n;
    }
}

bool answers_open(struct answers *j, const char *path, const char *run,
                  struct err *e)
{
    char first[80];
    struct err absent = {0};
    memset(j, 0, sizeof *j);
    memcpy(first, "rankwright ", 11);
    sha256_hex(run, strlen(run), first + 11);
    first[75] = '\n';
    size_t end = 0;
    bool there = access(path, F_OK) == 0;
    if (there && !file_read(path, MOST, &j->old, &absent)) {
        *e = absent;
        return false;
    }
    // A first line that was cut is one of this run, or the file is no journal.
    size_t head = j->old.len < 76 ? j->old.len : 76;
    if (head > 0 && memcmp(j->old.at, first, head) != 0)
        return err_set(e, ERR_INPUT, "%s: is of a run with other options",
                       path);
    if (j->old.len >= 76)
        end = read_old(j, 76);
    if (j->entries.len > 0)
        qsort(j->entries.at, j->entries.len, sizeof *j->entries.at, by_key);
    FILE *f = fopen(path, there ? "r+b" : "w+b");
    if (f == NULL)
        return err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
    j->file = f;
    bool ok = ftruncate(fileno(f), (off_t)end) == 0 &&
              fseek(f, 0, SEEK_END) == 0 &&
              (end > 0 || fwrite(first, 1, 76, f) == 76) && fflush(f) == 0;
    return ok || err_set(e, ERR_IO, "%s: %s", path, strerror(errno));
}

void answers_close(struct answers *j)
{
    if (j->file != NULL)
        (void)fclose(j->file);
    buf_release(&j->old);
    vec_release(&j->entries);
    memset(j, 0, sizeof *j);
}

const struct answer *answers_find(const struct answers *j, uint64_t key)
{
    struct answer one = {.key = key};
    return j->entries.len == 0 ? NULL
                               : bsearch(&one, j->entries.at, j->entries.len,
                                         sizeof *j->entries.at, by_key);
}

void answers_put(struct answers *j, uint64_t key, const void *at, uint32_t n)
{
    struct head h = {.key = key, .check = check_of(key, at, n), .n = n};
    if (j->file == NULL)
        return;
    (void)fwrite(&h, sizeof h, 1, j->file);
    (void)fwrite(at, 1, n, j->file);
}

bool answers_flush(struct answers *j, struct err *e)
{
    return j->file == NULL || (fflush(j->file) == 0 && !ferror(j->file)) ||
           err_set(e, ERR_IO, "the journal: %s", strerror(errno));
}
