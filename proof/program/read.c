// SPDX-License-Identifier: Apache-2.0
// A record from JSON.  The text is hostile: every number is checked before its
// use as an index, and every term goes through its shape rule.
#include "proof/program/reader.h"

#include "base/text/hex.h"
#include "tensor/fold/layout.h"

// Fails: a number names nothing.  The record is readable, but wrong.
static bool dangling(struct record_reader *rd, const char *what, json_int_t k)
{
    return err_set(rd->in.err, ERR_CHECK, "%s: %s, found %lld", rd->in.where, what, (long long)k);
}

// A whole number below `limit`.
bool record_read_index(struct record_reader *rd, const json_t *json, uint64_t limit,
                       const char *what, uint32_t *out)
{
    json_int_t k = json_integer_value(json);
    if (!json_is_integer(json))
        return json_in_malformed(&rd->in, what);
    if (k < 0 || (uint64_t)k >= limit)
        return dangling(rd, what, k);
    *out = (uint32_t)k;
    return true;
}

bool record_read_term(struct record_reader *rd, const json_t *json, const char *what, term_id *out)
{
    uint32_t i = 0;
    if (!record_read_index(rd, json, rd->terms.len, what, &i))
        return false;
    out->v = rd->terms.at[i];
    return true;
}

// The numbers from place `from` on.
static bool ints_from(struct record_reader *rd, const json_t *json, size_t from, const char *what,
                      struct i64_vec *out)
{
    if (json && !json_is_array(json))
        return json_in_malformed(&rd->in, what);
    for (size_t i = from; i < json_array_size(json); i++) {
        const json_t *v = json_array_get(json, i);
        if (!json_is_integer(v))
            return json_in_malformed(&rd->in, what);
        vec_push(out, (int64_t)json_integer_value(v));
    }
    return true;
}

bool record_read_ints(struct record_reader *rd, const json_t *json, const char *what,
                      struct i64_vec *out)
{
    return ints_from(rd, json, 0, what, out);
}

// The results of an operation: two or more, since one result needs no tuple.
// None is a tuple again: the text of nested tuples could grow without bound.
static bool read_tuple(struct record_reader *rd, const json_t *json, type_id *out)
{
    size_t n = json_array_size(json), i;
    json_t *v;
    type_id *parts = ARENA_NEW(&rd->mem, type_id, n + 1);
    if (n == 1)
        return json_in_malformed(&rd->in, "a tuple of one");
    json_array_foreach(json, i, v)
    {
        uint32_t k;
        if (!record_read_index(rd, v, rd->types.len, "expected an earlier type", &k))
            return false;
        parts[i].v = rd->types.at[k];
        if (pool_type(rd->pool, parts[i])->form == TYPE_TUPLE)
            return json_in_malformed(&rd->in, "a tuple in a tuple");
    }
    *out = type_tuple(rd->pool, (uint32_t)n, parts);
    return true;
}

// No program has mathematical integers or reals.  A record could use them to
// prove equalities that do not hold for machine numbers.
bool record_read_elem(struct record_reader *rd, const char *name, enum elem *out)
{
    return (name && elem_by_text(name, strlen(name), out) && !elem_is_ideal(*out)) ||
           json_in_malformed(&rd->in, "expected an element type");
}

static bool read_type(void *ctx, const json_t *json)
{
    struct record_reader *rd = ctx;
    type_id type;
    const char *other = json_string_value(record_field(json, "other"));
    const char *elem_name = json_string_value(record_field(json, "elem"));
    if (other) {
        type = type_other(rd->pool, other);
    } else if (json_is_array(record_field(json, "tuple"))) {
        if (!read_tuple(rd, record_field(json, "tuple"), &type))
            return false;
    } else {
        enum elem elem;
        struct i64_vec dims = {0};
        bool ok = record_read_elem(rd, elem_name, &elem);
        ok = ok && (json_is_array(record_field(json, "dims")) ||
                    json_in_malformed(&rd->in, "expected dims"));
        ok = ok && record_read_ints(rd, record_field(json, "dims"), "expected dims", &dims) &&
             type_tensor(rd->pool, elem, dims.len, dims.at, &type, rd->in.err);
        vec_release(&dims);
        if (!ok)
            return false;
    }
    vec_push(&rd->types, type.v);
    return true;
}

// Records have small letters: a constant has one spelling.
static int small_hex_digit(char c)
{
    return c >= 'A' && c <= 'F' ? -1 : hex_digit(c);
}

static bool read_constant(struct record_reader *rd, const json_t *json, type_id type, term_id *out)
{
    const char *text = json_string_value(record_field(json, "data"));
    if (!text || !type_is_tensor(rd->pool, type))
        return json_in_malformed(&rd->in, "expected a tensor type and data");
    enum elem elem = type_elem(rd->pool, type);
    size_t n = strlen(text) / 2, size = elem_bytes(elem);
    uint64_t total = (uint64_t)type_count(rd->pool, type);
    if (strlen(text) % 2 || n % size || (n / size != total && (n / size != 1 || total == 0)))
        return json_in_malformed(&rd->in, "data of the wrong length");
    unsigned char *data = mem_alloc(n + 1);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        int hi = small_hex_digit(text[2 * i]), lo = small_hex_digit(text[2 * i + 1]);
        ok = ok && hi >= 0 && lo >= 0;
        data[i] = (unsigned char)((hi & 15) << 4 | (lo & 15));
    }
    if (ok)
        *out =
            term_constant(&rd->record->terms, literal_make(rd->pool, elem, n / size, data), type);
    mem_free(data);
    return ok || json_in_malformed(&rd->in, "data is not hexadecimal");
}

bool record_read_op(struct record_reader *rd, const char *name, enum op *out)
{
    static const enum op unnamed[] = {OP_PARAMETER, OP_OPAQUE, OP_RESULT};
    if (!name)
        return json_in_malformed(&rd->in, "expected op");
    for (int i = 0; i < 3; i++)
        if (strcmp(name, op_name(unnamed[i])) == 0) {
            *out = unnamed[i];
            return true;
        }
    return op_by_name(name, out) || json_in_malformed(&rd->in, "unknown operator");
}

// Numbers.  If op.h has an operator as the first attribute, then the first is
// that operator's name.
static bool read_attr(struct record_reader *rd, enum op op, const json_t *json, struct i64_vec *out)
{
    const char *name = json_string_value(json_array_get(json, 0));
    enum op reducer = N_OPS;
    if (!op_has_reducer(op))
        return record_read_ints(rd, json, "bad attr", out);
    if (!name || (strcmp(name, REPLACES) != 0 && !record_read_op(rd, name, &reducer)))
        return json_in_malformed(&rd->in, "expected the name of an operator");
    vec_push(out, (int64_t)reducer);
    return ints_from(rd, json, 1, "bad attr", out);
}

static bool opaque_attr(struct record_reader *rd, const json_t *json, struct i64_vec *attr)
{
    const char *text = json_string_value(record_field(json, "text"));
    const json_t *results = record_field(json, "results"), *serial = record_field(json, "serial");
    if (!text || !json_is_integer(results) || !json_is_integer(serial))
        return json_in_malformed(&rd->in, "expected text, results and serial");
    vec_push(attr, (int64_t)sym_make(rd->pool, text).v);
    vec_push(attr, (int64_t)json_integer_value(results));
    vec_push(attr, (int64_t)json_integer_value(serial));
    return record_field(json, "blocks") == NULL ||
           record_read_ints(rd, record_field(json, "blocks"), "bad blocks", attr);
}

// A term that breaks its shape rule makes the record wrong, not malformed.
static bool build_term(struct record_reader *rd, struct operation operation, const term_id *args,
                       term_id *out)
{
    struct err err = {0};
    if (term_build(&rd->record->terms, operation, args, out, &err))
        return true;
    return err_set(rd->in.err, ERR_CHECK, "%s is not well-defined: %s", rd->in.where, err.msg);
}

static bool read_term(void *ctx, const json_t *json)
{
    struct record_reader *rd = ctx;
    enum op op;
    const json_t *list = record_field(json, "args");
    uint32_t type, n = (uint32_t)json_array_size(list);
    term_id out = NO_TERM;
    if (list && !json_is_array(list))
        return json_in_malformed(&rd->in, "expected an array of args");
    if (!record_read_op(rd, json_string_value(record_field(json, "op")), &op) ||
        !record_read_index(rd, record_field(json, "type"), rd->types.len, "expected a type", &type))
        return false;
    type_id want = {rd->types.at[type]};
    struct i64_vec attr = {0};
    term_id *args = ARENA_NEW(&rd->mem, term_id, n + 1u);
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = record_read_term(rd, json_array_get(list, i), "expected earlier terms as args",
                              &args[i]);
    if (!ok)
        return false;
    if (op == OP_CONSTANT)
        ok = (n == 0 || json_in_malformed(&rd->in, "a constant with args")) &&
             read_constant(rd, json, want, &out);
    else
        ok = (op == OP_OPAQUE ? opaque_attr(rd, json, &attr)
                              : read_attr(rd, op, record_field(json, "attr"), &attr)) &&
             build_term(rd, (struct operation){op, attr_make(rd->pool, attr.len, attr.at), want, n},
                        args, &out);
    vec_release(&attr);
    if (ok)
        vec_push(&rd->terms, out.v);
    return ok;
}

static bool read_rule_line(struct record_reader *rd, const json_t *json, struct record_line *line)
{
    const char *where = json_string_value(record_field(json, "where"));
    const json_t *in = record_field(json, "instance");
    if (!record_read_index(rd, record_field(json, "rule"), rd->record->rules.len, "expected a rule",
                           &line->rule) ||
        !json_is_boolean(record_field(json, "backward")) || !where || !json_is_object(in))
        return json_in_malformed(&rd->in, "expected rule, backward, where and instance");
    line->backward = json_is_true(record_field(json, "backward"));
    line->where = arena_strdup(&rd->record->mem, where);
    return record_read_instance(rd, in, rd->record->rules.at[line->rule].rule, &line->inst);
}

static bool read_parts(struct record_reader *rd, const json_t *json, struct record_line *line)
{
    const json_t *parts = record_field(json, "parts");
    line->parts_at = rd->record->parts.len;
    line->n_parts = (uint32_t)json_array_size(parts);
    if (!json_is_array(parts))
        return json_in_malformed(&rd->in, "expected parts");
    for (uint32_t k = 0; k < line->n_parts; k++) {
        const json_t *part = json_array_get(parts, k);
        struct line_part p = {.flip = json_is_true(record_field(part, "flip"))};
        if (!record_read_index(rd, record_field(part, "line"), rd->record->lines.len,
                               "expected an earlier line", &p.line))
            return false;
        if (line->kind == LINE_CONG &&
            !record_read_index(rd, record_field(part, "arg"), UINT32_MAX, "expected arg", &p.arg))
            return false;
        vec_push(&rd->record->parts, p);
    }
    return true;
}

static bool read_line(void *ctx, const json_t *json)
{
    struct record_reader *rd = ctx;
    struct record_line line = {0};
    const char *kind = json_string_value(record_field(json, "kind"));
    int k = 0;
    while (kind && k < N_LINE_KINDS && strcmp(kind, line_names[k]) != 0)
        k++;
    if (!kind || k == N_LINE_KINDS)
        return json_in_malformed(&rd->in, "unknown kind of line");
    line.kind = (enum line_kind)k;
    if (!record_read_term(rd, record_field(json, "a"), "expected term a", &line.a) ||
        !record_read_term(rd, record_field(json, "b"), "expected term b", &line.b))
        return false;
    enum layout_kind law = LAYOUT_COMPOSE;
    const char *law_name = json_string_value(record_field(json, "law"));
    bool ok = true;
    if (line.kind == LINE_RULE)
        ok = read_rule_line(rd, json, &line);
    else if (line.kind == LINE_LAYOUT)
        ok = (law_name && layout_by_text(law_name, &law)) ||
             json_in_malformed(&rd->in, "unknown law");
    else if (line.kind == LINE_CALL)
        ok = record_read_index(rd, record_field(json, "first_region"), INT32_MAX,
                               "expected first_region", &line.first_region);
    else if (line.kind == LINE_CARRIED)
        ok = record_read_term(rd, record_field(json, "loop"), "expected the term loop",
                              &line.loop) &&
             record_read_index(rd, record_field(json, "index"), INT32_MAX, "expected index",
                               &line.index);
    else if (line.kind == LINE_TWIN)
        ok = record_read_term(rd, record_field(json, "loop"), "expected the term loop", &line.loop);
    else if (line.kind == LINE_SLICES)
        ok = record_read_index(rd, record_field(json, "function"), INT32_MAX, "expected function",
                               &line.index);
    else if (line.kind == LINE_CONG || line.kind == LINE_TRANS)
        ok = read_parts(rd, json, &line);
    line.law = law;
    if (ok)
        vec_push(&rd->record->lines, line);
    return ok;
}

static bool read_goal(void *ctx, const json_t *json)
{
    struct record_reader *rd = ctx;
    struct record_goal goal = {.line = NONE};
    if (!record_read_index(rd, record_field(json, "function"), UINT32_MAX, "expected function",
                           &goal.function) ||
        !record_read_index(rd, record_field(json, "root"), UINT32_MAX, "expected root",
                           &goal.root) ||
        !record_read_term(rd, record_field(json, "input"), "expected input", &goal.input) ||
        !record_read_term(rd, record_field(json, "output"), "expected output", &goal.output))
        return false;
    if (record_field(json, "line") &&
        !record_read_index(rd, record_field(json, "line"), rd->record->lines.len, "expected a line",
                           &goal.line))
        return false;
    goal.flip = json_is_true(record_field(json, "flip"));
    vec_push(&rd->record->goals, goal);
    return true;
}

static bool read_rule(void *ctx, const json_t *json)
{
    struct record_reader *rd = ctx;
    const char *name = json_string_value(record_field(json, "name"));
    const char *hash = json_string_value(record_field(json, "hash"));
    const char *text = json_string_value(record_field(json, "text"));
    uint32_t index, n = rd->record->rules.len;
    if (!name || !hash || !text || !json_is_boolean(record_field(json, "assumed")))
        return json_in_malformed(&rd->in, "expected name, hash, text and assumed");
    struct err err = {0};
    if (!record_add_rule(rd->record, name, text, json_is_true(record_field(json, "assumed")),
                         &index, &err))
        return err_set(rd->in.err, ERR_CHECK, "the text of rule %s is no rule: %s", name, err.msg);
    if (index != n)
        return json_in_malformed(&rd->in, "the same rule twice");
    if (strcmp(rd->record->rules.at[index].hash, hash) != 0)
        return err_set(rd->in.err, ERR_CHECK, "the text of rule %s has another hash than recorded",
                       name);
    return true;
}

static bool read_regions(struct record_reader *rd, const json_t *json)
{
    if (!json_is_array(json))
        return json_in_malformed(&rd->in, "regions: expected an array");
    for (size_t k = 0; k < json_array_size(json); k++) {
        uint32_t region = NO_REGION;
        if (!json_is_null(json_array_get(json, k)) &&
            !record_read_index(rd, json_array_get(json, k), INT32_MAX,
                               "regions: expected a number or null", &region))
            return false;
        vec_push(&rd->record->regions, region);
    }
    return true;
}

static bool read_head(struct record_reader *rd, const json_t *root)
{
    struct record *record = rd->record;
    const char *mode = json_string_value(record_field(root, "float"));
    const char *input = json_string_value(record_field(root, "input"));
    const char *output = json_string_value(record_field(root, "output"));
    const char *name = json_string_value(record_field(root, "input_name"));
    const char *kept = json_string_value(record_field(root, "keep_attributes"));
    if (!json_in_head(&rd->in, root, "rankwright proof record", RECORD_VERSION))
        return false;
    if (!mode || !reading_by_text(mode, &record->reading))
        return json_in_malformed(&rd->in, "float: expected real, float-sums or float");
    if (!input || !output || !name)
        return json_in_malformed(&rd->in, "expected input_name, input and output");
    record->input = arena_strdup(&record->mem, input);
    record->output = arena_strdup(&record->mem, output);
    record->input_name = arena_strdup(&record->mem, name);
    record->keep_attributes = arena_strdup(&record->mem, kept ? kept : "");
    return read_regions(rd, record_field(root, "regions"));
}

bool record_read(struct record *record, const char *text, size_t n, const char *file,
                 struct err *err)
{
    static const struct {
        const char *key;
        bool (*one)(void *ctx, const json_t *o);
    } arrays[] = {{"rules", read_rule},
                  {"types", read_type},
                  {"terms", read_term},
                  {"lines", read_line},
                  {"goals", read_goal}};
    struct record_reader rd = {.record = record, .pool = record->terms.pool};
    json_t *root = json_in_open(&rd.in, text, n, file, err);
    if (root == NULL)
        return false;
    bool ok = read_head(&rd, root);
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++)
        ok = json_in_each(&rd.in, root, arrays[i].key, JSON_OBJECT, arrays[i].one, &rd);
    json_in_close(&rd.in, root, ok);
    vec_release(&rd.types);
    vec_release(&rd.terms);
    arena_release(&rd.mem);
    return ok;
}
