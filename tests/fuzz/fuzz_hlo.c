// SPDX-License-Identifier: Apache-2.0
// HLO text (reread.h).  Half of the changes are made to whole lines and to names: bytes alone
// seldom give a text that is read.
#include "io/hlo/hlo.h"
#include "tests/fuzz/reread.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_twice(hlo_read, (const char *)data, size, false);
    return 0;
}

// ---- changes

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245u + 12345u;
    return *state >> 8;
}

// Line k of the text with its end, or an empty one.
static void find_line(const uint8_t *data, size_t size, unsigned k, size_t *from, size_t *to)
{
    for (*from = 0; k > 0 && *from < size; k--) {
        const uint8_t *end = memchr(data + *from, '\n', size - *from);
        *from = end == NULL ? size : (size_t)(end - data) + 1;
    }
    const uint8_t *end = memchr(data + *from, '\n', size - *from);
    *to = end == NULL ? size : (size_t)(end - data) + 1;
}

static unsigned count_lines(const uint8_t *data, size_t size)
{
    unsigned n = 1;
    for (size_t i = 0; i < size; i++)
        n += data[i] == '\n';
    return n;
}

static bool in_name(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '.' || c == '-';
}

// The k-th word of letters, digits, dots and hyphens, of as many as there are.
static void find_word(const uint8_t *data, size_t size, unsigned k, size_t *from, size_t *to)
{
    unsigned n = 0;
    for (size_t i = 0; i < size; i++)
        n += in_name(data[i]) && (i == 0 || !in_name(data[i - 1]));
    *from = *to = 0;
    if (n == 0)
        return;
    for (size_t i = 0, left = k % n + 1; left > 0; i++)
        if (in_name(data[i]) && (i == 0 || !in_name(data[i - 1])) && --left == 0)
            *from = i;
    for (*to = *from; *to < size && in_name(data[*to]); ++*to)
        continue;
}

// Puts data[from, to) of a copy of the text in the place of data[at, end).
static size_t put(uint8_t *data, size_t size, size_t most, size_t at, size_t end,
                  const uint8_t *with, size_t n)
{
    if (size - (end - at) + n > most)
        return size;
    memmove(data + at + n, data + end, size - end);
    memcpy(data + at, with, n);
    return size - (end - at) + n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    size_t from, to, at, end;
    unsigned lines = count_lines(data, size), choice = next_random(&seed) % 8;
    if (choice < 3 || size == 0)
        return LLVMFuzzerMutate(data, size, most);
    if (choice < 6) { // a line is left out, put elsewhere, or in the place of another
        find_line(data, size, next_random(&seed) % lines, &from, &to);
        find_line(data, size, next_random(&seed) % lines, &at, &end);
    } else { // a word in the place of another
        find_word(data, size, next_random(&seed), &from, &to);
        find_word(data, size, next_random(&seed), &at, &end);
    }
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    if (choice == 3)
        size = put(data, size, most, from, to, copy, 0);
    else
        size = put(data, size, most, at, choice == 4 ? at : end, copy + from, to - from);
    free(copy);
    return size;
}
