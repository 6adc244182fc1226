// SPDX-License-Identifier: Apache-2.0
// Comments in front of the module: names of arguments, compile-time values, the launch.
#include "io/ttir/reader.h"

static void take_comment(const char *line, size_t n, const char *key, size_t position,
                         uint32_t number, struct ttir_comment *out)
{
    size_t k = strlen(key);
    if (n < k || memcmp(line, key, k) != 0)
        return;
    while (k < n && line[k] == ' ')
        k++;
    while (n > k && (line[n - 1] == '\r' || line[n - 1] == ' '))
        n--;
    *out = (struct ttir_comment){(uint32_t)(position + k), (uint32_t)(n - k), number};
}

void ttir_find_comments(struct ttir_reader *reader)
{
    const char *text = reader->mlir.text;
    size_t n = reader->mlir.n;
    for (uint32_t i = 0; i < reader->lines.len; i++) {
        size_t from = reader->lines.at[i];
        size_t end = i + 1 < reader->lines.len ? reader->lines.at[i + 1] - 1 : n;
        if (end - from < 2 || memcmp(text + from, "//", 2) != 0)
            return;
        from += 2;
        while (from < end && text[from] == ' ')
            from++;
        take_comment(text + from, end - from, "arguments:", from, i + 1, &reader->arguments);
        take_comment(text + from, end - from, "constexpr:", from, i + 1, &reader->constants);
        take_comment(text + from, end - from, "launch grid:", from, i + 1, &reader->launch);
    }
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// NAME=INTEGER, ..; what is no integer is passed over.
void ttir_read_constants(struct ttir_reader *reader)
{
    const char *at = reader->mlir.text + reader->constants.at, *end = at + reader->constants.len;
    while (at < end) {
        const char *name = at;
        while (at < end && is_word(*at))
            at++;
        size_t n = (size_t)(at - name);
        int64_t value = 0;
        if (n > 0 && at < end && *at == '=') {
            bool negative = ++at < end && *at == '-';
            const char *digits = at += negative;
            for (; at < end && *at >= '0' && *at <= '9' && at - digits < 18; at++)
                value = value * 10 + (*at - '0');
            if (at > digits && (at == end || *at == ',' || *at == ' ')) {
                struct code_named named = {intern_bytes(&reader->out->names, name, n),
                                           negative ? -value : value};
                vec_push(&reader->out->named, named);
            }
        }
        while (at < end && *at != ',')
            at++;
        while (at < end && (*at == ',' || *at == ' '))
            at++;
    }
}

uint32_t ttir_argument_name(struct ttir_reader *reader, const char *source)
{
    const char *at = reader->mlir.text + reader->arguments.at, *end = at + reader->arguments.len;
    size_t n = strlen(source);
    while ((size_t)(end - at) > n) {
        const char *name = at + n + 1;
        if (memcmp(at, source, n) == 0 && at[n] == '=') {
            const char *behind = name;
            while (behind < end && is_word(*behind))
                behind++;
            if (behind > name)
                return intern_bytes(&reader->out->names, name, (size_t)(behind - name));
        }
        while (at < end && *at != ',')
            at++;
        while (at < end && (*at == ',' || *at == ' '))
            at++;
    }
    // %x of the source is x.
    return intern_str(&reader->out->names, source + 1);
}
