// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/record.h"

#include "proof/formula/data.h"
#include "proof/json_in.h"

#define FORMAT "rankwright formula record"
#define VERSION 1

void formula_record_init(struct formula_record *record)
{
    memset(record, 0, sizeof *record);
    record->input = record->output = record->proof = "";
}

void formula_record_release(struct formula_record *record)
{
    vec_release(&record->defines);
    vec_release(&record->rules);
    vec_release(&record->givens);
    vec_release(&record->constants);
    arena_release(&record->mem);
}

bool formula_record_is(const char *text, size_t n)
{
    static const char *const parts[] = {"{", "\"format\"", ":", "\"" FORMAT "\""};
    const char *at = text, *end = text + n;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t len = strlen(parts[i]);
        while (at < end && memchr(" \t\r\n", *at, 4) != NULL)
            at++;
        if ((size_t)(end - at) < len || memcmp(at, parts[i], len) != 0)
            return false;
        at += len;
    }
    return true;
}

// Writing

json_t *formula_data_member(const struct formula_record *record, uint32_t i, const char **key)
{
    static const char *const keys[] = {"format", "version", "input", "output"};
    *key = i < sizeof keys / sizeof *keys ? keys[i] : NULL;
    switch (i) {
    case 0:
        return json_string(FORMAT);
    case 1:
        return json_integer(VERSION);
    case 2:
        return json_string(record->input);
    case 3:
        return json_string(record->output);
    default:
        return NULL;
    }
}

json_t *formula_data_rule(const struct formula_record *record, uint32_t i)
{
    const struct formula_record_rule *rule = &record->rules.at[i];
    return json_pack("{s:s, s:s, s:b, s:b, s:s}", "name", rule->name, "hash", rule->hash,
                     "backward", rule->backward, "assumed", rule->assumed, "text", rule->text);
}

json_t *formula_data_given(const struct formula_record *record, uint32_t i)
{
    const struct formula_record_given *given = &record->givens.at[i];
    return json_pack("{s:s, s:s}", "cond", given->cond, "by", given->by);
}

json_t *formula_data_constant(const struct formula_record *record, uint32_t i)
{
    const struct formula_record_constant *constant = &record->constants.at[i];
    return json_pack("{s:s, s:s, s:s, s:s}", "text", constant->text, "value", constant->value,
                     "precision", constant->precision, "difference", constant->difference);
}

json_t *formula_data_define(const struct formula_record *record, uint32_t i)
{
    return json_string(record->defines.at[i]);
}

// Reading

struct formula_record_reader {
    struct json_in in;
    struct formula_record *record;
    struct buf proof;
};

static bool text_of(struct formula_record_reader *rd, const json_t *json, const char *key,
                    const char **out)
{
    const char *text = json_string_value(json_object_get(json, key));
    if (text == NULL)
        return json_in_malformed(&rd->in, key);
    *out = arena_strdup(&rd->record->mem, text);
    return true;
}

static bool bool_of(struct formula_record_reader *rd, const json_t *json, const char *key,
                    bool *out)
{
    const json_t *v = json_object_get(json, key);
    *out = json_is_true(v);
    return json_is_boolean(v) || json_in_malformed(&rd->in, key);
}

static bool read_define(void *ctx, const json_t *json)
{
    struct formula_record_reader *rd = ctx;
    vec_push(&rd->record->defines, arena_strdup(&rd->record->mem, json_string_value(json)));
    return true;
}

static bool read_rule(void *ctx, const json_t *json)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_rule rule;
    if (!text_of(rd, json, "name", &rule.name) || !text_of(rd, json, "hash", &rule.hash) ||
        !text_of(rd, json, "text", &rule.text) || !bool_of(rd, json, "backward", &rule.backward) ||
        !bool_of(rd, json, "assumed", &rule.assumed))
        return false;
    vec_push(&rd->record->rules, rule);
    return true;
}

static bool read_given(void *ctx, const json_t *json)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_given given;
    if (!text_of(rd, json, "cond", &given.cond) || !text_of(rd, json, "by", &given.by))
        return false;
    vec_push(&rd->record->givens, given);
    return true;
}

static bool read_constant(void *ctx, const json_t *json)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_constant constant;
    if (!text_of(rd, json, "text", &constant.text) ||
        !text_of(rd, json, "value", &constant.value) ||
        !text_of(rd, json, "precision", &constant.precision) ||
        !text_of(rd, json, "difference", &constant.difference))
        return false;
    vec_push(&rd->record->constants, constant);
    return true;
}

static bool read_line(void *ctx, const json_t *json)
{
    struct formula_record_reader *rd = ctx;
    const char *text = json_string_value(json);
    if (strpbrk(text, "\r\n") != NULL)
        return json_in_malformed(&rd->in, "expected a line of text");
    buf_puts(&rd->proof, text);
    buf_putc(&rd->proof, '\n');
    return true;
}

static bool read_texts(struct formula_record_reader *rd, const json_t *root)
{
    return json_in_head(&rd->in, root, FORMAT, VERSION) &&
           text_of(rd, root, "input", &rd->record->input) &&
           text_of(rd, root, "output", &rd->record->output);
}

bool formula_record_read(struct formula_record *record, const char *text, size_t n,
                         const char *file, struct err *err)
{
    static const struct {
        const char *key;
        json_type what;
        bool (*one)(void *ctx, const json_t *v);
    } arrays[] = {{"defines", JSON_STRING, read_define},
                  {"constants", JSON_OBJECT, read_constant},
                  {"givens", JSON_OBJECT, read_given},
                  {"rules", JSON_OBJECT, read_rule},
                  {"proof", JSON_STRING, read_line}};
    struct formula_record_reader rd = {.record = record};
    json_t *root = json_in_open(&rd.in, text, n, file, err);
    if (root == NULL)
        return false;
    bool ok = read_texts(&rd, root);
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++)
        ok = json_in_each(&rd.in, root, arrays[i].key, arrays[i].what, arrays[i].one, &rd);
    if (ok)
        record->proof = arena_strndup(&record->mem, buf_text(&rd.proof), rd.proof.len);
    json_in_close(&rd.in, root, ok);
    buf_release(&rd.proof);
    return ok;
}

// For readers

void formula_record_count(const struct formula_record *record, uint32_t *lines, uint32_t *uses)
{
    *lines = *uses = 0;
    for (const char *at = record->proof; *at != 0; at += *at == '\n') {
        at += strspn(at, " \t");
        *lines += *at != '\n' && *at != 0 && strncmp(at, "term ", 5) != 0;
        *uses += strncmp(at, "rule ", 5) == 0;
        at += strcspn(at, "\n");
    }
}

uint32_t formula_record_uses(const struct formula_record *record, uint32_t rule)
{
    const char *name = record->rules.at[rule].name;
    size_t n = strlen(name);
    uint32_t uses = 0;
    for (const char *at = record->proof; *at != 0; at += *at == '\n') {
        at += strspn(at, " \t");
        const char *line = at;
        at += strcspn(at, "\n");
        // "rule 5 6 12 and:4 by NAME"
        uses += strncmp(line, "rule ", 5) == 0 && (size_t)(at - line) > n + 4 &&
                strncmp(at - n - 4, " by ", 4) == 0 && strncmp(at - n, name, n) == 0;
    }
    return uses;
}
