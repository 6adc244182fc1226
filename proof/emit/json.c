// SPDX-License-Identifier: Apache-2.0
// The record itself: one JSON object, one element of an array a line, so that
// records can be read and compared.
#include "proof/emit/emit.h"

#include "base/text/utf8.h"
#include <stdlib.h>

static bool put(struct emission *emission, const json_t *value)
{
    // Records of programs are long.
    size_t flags = emission->kind == RECORD_PROGRAM ? JSON_COMPACT : 0;
    char *text = value ? json_dumps(value, flags | JSON_ENCODE_ANY) : NULL;
    if (text == NULL)
        return err_set(emission->err, ERR_INPUT, "a text of the record is not UTF-8");
    utf8_json(text, emission->out);
    free(text);
    return true;
}

static bool member(struct emission *emission, uint32_t i, const char *key, const json_t *value)
{
    buf_puts(emission->out, i > 0 ? ",\n" : "{");
    buf_printf(emission->out, "\"%s\": ", key);
    return put(emission, value);
}

static bool open_part(struct emission *emission, enum record_part part, const char *key, uint32_t n)
{
    (void)part;
    (void)n;
    buf_printf(emission->out, ",\n\"%s\": [", key);
    return true;
}

static bool element(struct emission *emission, enum record_part part, uint32_t i,
                    const json_t *value)
{
    (void)part;
    buf_puts(emission->out, i > 0 ? ",\n" : "\n");
    return put(emission, value);
}

static bool close_part(struct emission *emission, enum record_part part, uint32_t n)
{
    (void)part;
    (void)n;
    buf_puts(emission->out, "]");
    return true;
}

static bool end(struct emission *emission)
{
    buf_puts(emission->out, "}\n");
    return true;
}

const struct record_emitter json_emitter = {
    .name = "json",
    .suffix = ".json",
    .order = {PART_DEFINITIONS, PART_CONSTANTS, PART_CONDITIONS, PART_RULES, PART_TYPES, PART_TERMS,
              PART_LINES, PART_GOALS},
    .n_parts = 8,
    .member = member,
    .open = open_part,
    .element = element,
    .close = close_part,
    .end = end,
};
