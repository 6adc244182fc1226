// SPDX-License-Identifier: Apache-2.0
#include "proof/formula/record.h"

#include "proof/json_in.h"

#include <stdlib.h>

#define FORMAT "rankwright formula record"
#define VERSION 1

void formula_record_init(struct formula_record *r)
{
    memset(r, 0, sizeof *r);
    r->input = r->output = r->proof = "";
}

void formula_record_release(struct formula_record *r)
{
    vec_release(&r->defines);
    vec_release(&r->rules);
    vec_release(&r->givens);
    vec_release(&r->constants);
    arena_release(&r->mem);
}

bool formula_record_is(const char *text, size_t n)
{
    static const char *const parts[] = {"{", "\"format\"", ":",
                                        "\"" FORMAT "\""};
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

// A value of a member; NULL: a text that is not UTF-8.
static bool put(const char *before, json_t *v, struct buf *out, struct err *e)
{
    char *text = v != NULL ? json_dumps(v, JSON_ENCODE_ANY) : NULL;
    buf_puts(out, before);
    buf_puts(out, text != NULL ? text : "null");
    bool ok = text != NULL;
    free(text);
    json_decref(v);
    return ok || err_set(e, ERR_INPUT, "a text of the record is not UTF-8");
}

static bool put_text(const char *key, const char *value, struct buf *out,
                     struct err *e)
{
    buf_printf(out, ",\n\"%s\": ", key);
    return put("", json_string(value), out, e);
}

static void open_array(const char *key, struct buf *out)
{
    buf_printf(out, ",\n\"%s\": [", key);
}

static const char *between(uint32_t i)
{
    return i > 0 ? ",\n" : "\n";
}

static bool put_rules(const struct formula_record *r, struct buf *out,
                      struct err *e)
{
    bool ok = true;
    open_array("rules", out);
    for (uint32_t i = 0; ok && i < r->rules.len; i++) {
        const struct formula_record_rule *x = &r->rules.at[i];
        ok = put(between(i),
                 json_pack("{s:s, s:s, s:b, s:b, s:s}", "name", x->name, "hash",
                           x->hash, "backward", x->backward, "assumed",
                           x->assumed, "text", x->text),
                 out, e);
    }
    buf_puts(out, "]");
    return ok;
}

static bool put_givens(const struct formula_record *r, struct buf *out,
                       struct err *e)
{
    bool ok = true;
    open_array("givens", out);
    for (uint32_t i = 0; ok && i < r->givens.len; i++)
        ok = put(between(i),
                 json_pack("{s:s, s:s}", "cond", r->givens.at[i].cond, "by",
                           r->givens.at[i].by),
                 out, e);
    buf_puts(out, "]");
    return ok;
}

static bool put_constants(const struct formula_record *r, struct buf *out,
                          struct err *e)
{
    bool ok = true;
    open_array("constants", out);
    for (uint32_t i = 0; ok && i < r->constants.len; i++) {
        const struct formula_record_constant *x = &r->constants.at[i];
        ok = put(between(i),
                 json_pack("{s:s, s:s, s:s, s:s}", "text", x->text, "value",
                           x->value, "precision", x->precision, "difference",
                           x->difference),
                 out, e);
    }
    buf_puts(out, "]");
    return ok;
}

static bool put_defines(const struct formula_record *r, struct buf *out,
                        struct err *e)
{
    bool ok = true;
    open_array("defines", out);
    for (uint32_t i = 0; ok && i < r->defines.len; i++)
        ok = put(between(i), json_string(r->defines.at[i]), out, e);
    buf_puts(out, "]");
    return ok;
}

// An element for each line of the text.
static bool put_proof(const char *proof, struct buf *out, struct err *e)
{
    bool ok = true;
    open_array("proof", out);
    for (uint32_t i = 0; ok && *proof != 0; i++) {
        size_t n = strcspn(proof, "\n");
        ok = put(between(i), json_stringn(proof, n), out, e);
        proof += n + (proof[n] == '\n');
    }
    buf_puts(out, "]");
    return ok;
}

bool formula_record_write(const struct formula_record *r, struct buf *out,
                          struct err *e)
{
    buf_printf(out, "{\"format\": \"" FORMAT "\",\n\"version\": %d", VERSION);
    bool ok = put_text("input", r->input, out, e) &&
              put_text("output", r->output, out, e) && put_defines(r, out, e) &&
              put_constants(r, out, e) && put_givens(r, out, e) &&
              put_rules(r, out, e) && put_proof(r->proof, out, e);
    buf_puts(out, "}\n");
    return ok;
}

// Reading

struct formula_record_reader {
    struct json_in in;
    struct formula_record *r;
    struct buf proof;
};

static bool text_of(struct formula_record_reader *rd, const json_t *o, const char *key,
                    const char **out)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (s == NULL)
        return json_in_malformed(&rd->in, key);
    *out = arena_strdup(&rd->r->mem, s);
    return true;
}

static bool bool_of(struct formula_record_reader *rd, const json_t *o, const char *key,
                    bool *out)
{
    const json_t *v = json_object_get(o, key);
    *out = json_is_true(v);
    return json_is_boolean(v) || json_in_malformed(&rd->in, key);
}

static bool read_define(void *ctx, const json_t *v)
{
    struct formula_record_reader *rd = ctx;
    vec_push(&rd->r->defines, arena_strdup(&rd->r->mem, json_string_value(v)));
    return true;
}

static bool read_rule(void *ctx, const json_t *v)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_rule x;
    if (!text_of(rd, v, "name", &x.name) || !text_of(rd, v, "hash", &x.hash) ||
        !text_of(rd, v, "text", &x.text) ||
        !bool_of(rd, v, "backward", &x.backward) ||
        !bool_of(rd, v, "assumed", &x.assumed))
        return false;
    vec_push(&rd->r->rules, x);
    return true;
}

static bool read_given(void *ctx, const json_t *v)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_given x;
    if (!text_of(rd, v, "cond", &x.cond) || !text_of(rd, v, "by", &x.by))
        return false;
    vec_push(&rd->r->givens, x);
    return true;
}

static bool read_constant(void *ctx, const json_t *v)
{
    struct formula_record_reader *rd = ctx;
    struct formula_record_constant x;
    if (!text_of(rd, v, "text", &x.text) ||
        !text_of(rd, v, "value", &x.value) ||
        !text_of(rd, v, "precision", &x.precision) ||
        !text_of(rd, v, "difference", &x.difference))
        return false;
    vec_push(&rd->r->constants, x);
    return true;
}

static bool read_line(void *ctx, const json_t *v)
{
    struct formula_record_reader *rd = ctx;
    const char *s = json_string_value(v);
    if (strpbrk(s, "\r\n") != NULL)
        return json_in_malformed(&rd->in, "expected a line of text");
    buf_puts(&rd->proof, s);
    buf_putc(&rd->proof, '\n');
    return true;
}

static bool read_texts(struct formula_record_reader *rd, const json_t *root)
{
    return json_in_head(&rd->in, root, FORMAT, VERSION) &&
           text_of(rd, root, "input", &rd->r->input) &&
           text_of(rd, root, "output", &rd->r->output);
}

bool formula_record_read(struct formula_record *r, const char *text, size_t n,
                         const char *file, struct err *e)
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
    struct formula_record_reader rd = {.r = r};
    json_t *root = json_in_open(&rd.in, text, n, file, e);
    if (root == NULL)
        return false;
    bool ok = read_texts(&rd, root);
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++)
        ok = json_in_each(&rd.in, root, arrays[i].key, arrays[i].what,
                          arrays[i].one, &rd);
    if (ok)
        r->proof = arena_strndup(&r->mem, buf_text(&rd.proof), rd.proof.len);
    json_in_close(&rd.in, root, ok);
    buf_release(&rd.proof);
    return ok;
}

// For readers

void formula_record_count(const struct formula_record *r, uint32_t *lines,
                          uint32_t *uses)
{
    *lines = *uses = 0;
    for (const char *at = r->proof; *at != 0; at += *at == '\n') {
        at += strspn(at, " \t");
        *lines += *at != '\n' && *at != 0 && strncmp(at, "term ", 5) != 0;
        *uses += strncmp(at, "rule ", 5) == 0;
        at += strcspn(at, "\n");
    }
}

void formula_record_explain(const struct formula_record *r, struct buf *out)
{
    uint32_t lines, uses;
    formula_record_count(r, &lines, &uses);
    buf_printf(out,
               "Proof record of a formula, over the real numbers\n"
               "%u lines, %u uses of %u rules\n\ninput\n  ",
               lines, uses, r->rules.len);
    buf_puts(out, r->input);
    buf_puts(out, "\noutput\n  ");
    buf_puts(out, r->output);
    buf_puts(out, "\n");
    for (uint32_t i = 0; i < r->constants.len; i++) {
        const struct formula_record_constant *x = &r->constants.at[i];
        buf_printf(out, "%s is taken for %s", x->text, x->value);
        buf_printf(out, ": recovered from %s, difference %s\n", x->precision,
                   x->difference);
    }
    for (uint32_t i = 0; i < r->givens.len; i++)
        buf_printf(out, "given %u (%s): %s\n", i, r->givens.at[i].by,
                   r->givens.at[i].cond);
    for (uint32_t i = 0; i < r->defines.len; i++)
        buf_printf(out, "\ndefinition\n%s\n", r->defines.at[i]);
    for (uint32_t i = 0; i < r->rules.len; i++) {
        const struct formula_record_rule *x = &r->rules.at[i];
        buf_printf(out, "\nrule %s, hash %s%s%s\n", x->name, x->hash,
                   x->backward ? ", from right to left" : "",
                   x->assumed ? " (ASSUMED, not proved)" : "");
        buf_puts(out, x->text);
        buf_puts(out, "\n");
    }
}
