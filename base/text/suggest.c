// SPDX-License-Identifier: Apache-2.0
#include "base/text/suggest.h"

static char plain(char c)
{
    if ('A' <= c && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

static bool same(char a, char b)
{
    return plain(a) == plain(b);
}

static bool same_text(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!same(a[i], b[i]))
            return false;
    return true;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// Three rows of the table of distances between beginnings of both words.
static uint32_t distance(const char *a, size_t n, const char *b, size_t m)
{
    uint32_t rows[3][SUGGEST_LETTERS + 1];
    uint32_t *before = rows[0], *last = rows[1], *row = rows[2];
    for (size_t j = 0; j <= m; j++)
        before[j] = last[j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        row[0] = (uint32_t)i;
        for (size_t j = 1; j <= m; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1, last[j - 1] + !same(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        uint32_t *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[m];
}

struct nearest nearest_to(const char *found, size_t n)
{
    return (struct nearest){.found = found, .n_found = n, .edits = UINT32_MAX};
}

void nearest_consider(struct nearest *nearest, const char *word, size_t n)
{
    const char *found = nearest->found;
    size_t m = nearest->n_found, longer = n > m ? n : m, shorter = n > m ? m : n;
    uint32_t edits;
    if (n == m && same_text(found, word, n))
        edits = 0;
    else if (shorter < 2 || longer > SUGGEST_LETTERS)
        return;
    else if (m > 2 && m < n && same_text(found, word, m))
        edits = 1;
    else if (n < m && same_text(found, word, n)) // `operator` for `op`
        edits = (uint32_t)longer / 3;
    else
        edits = distance(found, m, word, n);
    if (edits > longer / 3 || edits >= nearest->edits)
        return;
    nearest->word = word;
    nearest->n = n;
    nearest->edits = edits;
}

const char *text_nearest(const char *found, size_t n, const char *const *words, uint32_t count)
{
    struct nearest nearest = nearest_to(found, n);
    for (uint32_t i = 0; i < count; i++)
        nearest_consider(&nearest, words[i], strlen(words[i]));
    return nearest.word;
}

bool nearest_hint(const struct nearest *nearest, struct err *err)
{
    return nearest->word && err_hint(err, "did you mean %.*s?", (int)nearest->n, nearest->word);
}
