// SPDX-License-Identifier: Apache-2.0
#include "explorer/pages/query.h"
#include "base/text/hex.h"
#include "base/text/utf8.h"

// NULL: no text.
static const char *decode(const char *text, size_t n, struct arena *mem)
{
    char *out = arena_alloc(mem, n + 1);
    size_t len = 0, bad;
    for (size_t i = 0; i < n; i++) {
        bool encoded = text[i] == '%' && n - i > 2 && hex_digit(text[i + 1]) >= 0 &&
                       hex_digit(text[i + 2]) >= 0;
        out[len++] = encoded          ? (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]))
                     : text[i] == '+' ? ' '
                                      : text[i];
        i += encoded ? 2 : 0;
    }
    out[len] = 0;
    return memchr(out, 0, len) == NULL && utf8_check(out, len, &bad) ? out : NULL;
}

void query_read(struct query_pairs *pairs, const char *text)
{
    *pairs = (struct query_pairs){0};
    while (text && *text && pairs->at.len < QUERY_PAIRS) {
        size_t n = strcspn(text, "&"), key = strcspn(text, "=&");
        struct query_pair pair = {
            decode(text, key, &pairs->mem),
            key < n ? decode(text + key + 1, n - key - 1, &pairs->mem) : "",
        };
        if (pair.key && pair.value)
            vec_push(&pairs->at, pair);
        text += n + (text[n] == '&');
    }
}

void query_pairs_release(struct query_pairs *pairs)
{
    vec_release(&pairs->at);
    arena_release(&pairs->mem);
}

const char *query_value(const struct query_pairs *pairs, const char *key, unsigned which)
{
    for (uint32_t i = 0; i < pairs->at.len; i++)
        if (strcmp(pairs->at.at[i].key, key) == 0 && which-- == 0)
            return pairs->at.at[i].value;
    return NULL;
}
