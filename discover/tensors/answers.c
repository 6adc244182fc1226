// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/answers.h"
#include "discover/limits.h"
#include "base/hash.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

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
    const struct answer *answer = a, *y = b;
    return (answer->key > y->key) - (answer->key < y->key);
}

// The offset behind the last complete entry.
static size_t read_old(struct answers *answers, size_t at)
{
    for (;;) {
        struct head head;
        if (at + sizeof head > answers->old.len)
            return at;
        memcpy(&head, answers->old.at + at, sizeof head);
        const char *bytes = answers->old.at + at + sizeof head;
        if (head.n > answers->old.len - at - sizeof head ||
            check_of(head.key, bytes, head.n) != head.check)
            return at;
        vec_push(&answers->entries, ((struct answer){head.key, bytes, head.n}));
        at += sizeof head + head.n;
    }
}

bool answers_open(struct answers *answers, const char *path, const char *run, struct err *err)
{
    char first[80];
    struct err absent = {0};
    memset(answers, 0, sizeof *answers);
    memcpy(first, "rankwright ", 11);
    sha256_hex(run, strlen(run), first + 11);
    first[75] = '\n';
    size_t end = 0;
    bool there = access(path, F_OK) == 0;
    if (there && !file_read(path, (size_t)SEARCH_ANSWERS_GIB << 30, &answers->old, &absent)) {
        *err = absent;
        return false;
    }
    // A first line that was cut off belongs to this run; else the file is no
    // journal.
    size_t head = answers->old.len < 76 ? answers->old.len : 76;
    if (head > 0 && memcmp(answers->old.at, first, head) != 0)
        return err_at(err, ERR_INPUT, path, 0, 0,
                      "the journal belongs to a run with other options");
    if (answers->old.len >= 76)
        end = read_old(answers, 76);
    if (answers->entries.len > 0)
        qsort(answers->entries.at, answers->entries.len, sizeof *answers->entries.at, by_key);
    FILE *f = fopen(path, there ? "r+b" : "w+b");
    if (f == NULL)
        return err_at(err, ERR_IO, path, 0, 0, "%s", strerror(errno));
    answers->file = f;
    bool ok = ftruncate(fileno(f), (off_t)end) == 0 && fseek(f, 0, SEEK_END) == 0 &&
              (end > 0 || fwrite(first, 1, 76, f) == 76) && fflush(f) == 0;
    return ok || err_at(err, ERR_IO, path, 0, 0, "%s", strerror(errno));
}

void answers_close(struct answers *answers)
{
    if (answers->file != NULL)
        (void)fclose(answers->file);
    buf_release(&answers->old);
    vec_release(&answers->entries);
    memset(answers, 0, sizeof *answers);
}

const struct answer *answers_find(const struct answers *answers, uint64_t key)
{
    struct answer one = {.key = key};
    return answers->entries.len == 0 ? NULL
                                     : bsearch(&one, answers->entries.at, answers->entries.len,
                                               sizeof *answers->entries.at, by_key);
}

void answers_put(struct answers *answers, uint64_t key, const void *at, uint32_t n)
{
    struct head head = {.key = key, .check = check_of(key, at, n), .n = n};
    if (answers->file == NULL)
        return;
    (void)fwrite(&head, sizeof head, 1, answers->file);
    (void)fwrite(at, 1, n, answers->file);
}

bool answers_flush(struct answers *answers, struct err *err)
{
    return answers->file == NULL || (fflush(answers->file) == 0 && !ferror(answers->file)) ||
           err_set(err, ERR_IO, "the journal: %s", strerror(errno));
}
