// SPDX-License-Identifier: Apache-2.0
#include "base/character.h"

struct range {
    uint32_t low, high;
};

// In ascending order.
static const struct range hidden_ranges[] = {
    {0x0000, 0x001f},   // C0
    {0x007f, 0x009f},   // DEL and C1
    {0x00ad, 0x00ad},   // soft hyphen
    {0x034f, 0x034f},   // grapheme joiner
    {0x061c, 0x061c},   // Arabic letter mark
    {0x115f, 0x1160},   // Hangul fillers
    {0x17b4, 0x17b5},   // Khmer inherent vowels
    {0x180b, 0x180f},   // Mongolian selectors
    {0x200b, 0x200f},   // no width; marks of direction
    {0x2028, 0x202e},   // ends of lines; embeddings and overrides of direction
    {0x2060, 0x206f},   // invisible operators; isolates of direction
    {0x3164, 0x3164},   // Hangul filler
    {0xfe00, 0xfe0f},   // variation selectors
    {0xfeff, 0xfeff},   // byte order mark
    {0xffa0, 0xffa0},   // Hangul filler
    {0xfff0, 0xfffb},   // annotations
    {0x1bca0, 0x1bca3}, // shorthand format
    {0x1d173, 0x1d17a}, // musical format
    {0xe0000, 0xe0fff}, // tags
};

static bool is_hidden(uint32_t code)
{
    for (size_t i = 0; i < sizeof hidden_ranges / sizeof *hidden_ranges; i++)
        if (code <= hidden_ranges[i].high)
            return code >= hidden_ranges[i].low;
    return false;
}

// Length of the character at `bytes`, 0 if it is not well-formed.
static size_t decode(const unsigned char *bytes, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t len = bytes[0] < 0x80         ? 1
                 : bytes[0] >> 5 == 0x06 ? 2
                 : bytes[0] >> 4 == 0x0e ? 3
                 : bytes[0] >> 3 == 0x1e ? 4
                                         : 0;
    if (len == 0 || len > n)
        return 0;
    *code = len == 1 ? bytes[0] : bytes[0] & (0x7fu >> len);
    for (size_t i = 1; i < len; i++) {
        if (bytes[i] >> 6 != 2)
            return 0;
        *code = *code << 6 | (bytes[i] & 0x3fu);
    }
    bool surrogate = *code >= 0xd800 && *code <= 0xdfff;
    return *code < least[len] || *code > 0x10ffff || surrogate ? 0 : len;
}

struct character character_next(const char *text, size_t n)
{
    struct character next = {0};
    next.len = decode((const unsigned char *)text, n, &next.code);
    if (next.len == 0)
        return (struct character){.code = 0xfffd, .len = 1, .hidden = true, .wrong = true};
    next.hidden = is_hidden(next.code);
    return next;
}

void text_clean(char *text)
{
    size_t n = strlen(text), to = 0;
    for (size_t i = 0; i < n;) {
        struct character next = character_next(text + i, n - i);
        if (next.hidden)
            text[to++] = '?';
        else
            memmove(text + to, text + i, next.len);
        to += next.hidden ? 0 : next.len;
        i += next.len;
    }
    text[to] = 0;
}
