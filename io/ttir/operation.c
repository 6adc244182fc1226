// SPDX-License-Identifier: Apache-2.0
// One operation of TTIR: where its parts stand.
#include "io/ttir/reader.h"

static uint32_t line_of(const struct ttir_reader *reader, size_t position)
{
    uint32_t low = 0, high = reader->lines.len;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (reader->lines.at[middle] <= position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct code_place ttir_place(const struct ttir_reader *reader, uint32_t at)
{
    size_t position = reader->mlir.tok.at[at].at;
    uint32_t line = line_of(reader, position);
    return (struct code_place){line + 1, (uint32_t)position - reader->lines.at[line] + 1};
}

struct code_place ttir_here(const struct ttir_reader *reader,
                            const struct ttir_operation *operation)
{
    return ttir_place(reader, operation->at);
}

static bool is_open(uint16_t kind)
{
    return kind == '(' || kind == '[' || kind == '{' || kind == '<';
}

uint32_t ttir_line_end(const struct ttir_reader *reader, uint32_t at, uint32_t limit)
{
    const struct mlir *mlir = &reader->mlir;
    for (uint32_t i = at; i < limit; i++) {
        if (i > at && (mlir->tok.at[i].flags & TOKEN_LINE))
            return i;
        if (is_open(mlir_kind(mlir, i)))
            i = mlir->tok.at[i].match;
    }
    return limit;
}

// %x:2, with the number of results, which is 1 without one.
static bool read_result(struct ttir_reader *reader, uint32_t *at, struct ttir_operation *out)
{
    struct mlir *mlir = &reader->mlir;
    int64_t n = 1;
    vec_push(&out->result, *at);
    if (!mlir_expect(mlir, at, T_VALUE, "a name such as %0"))
        return false;
    if (mlir_accept(mlir, at, ':')) {
        if (mlir_kind(mlir, *at) != T_INT)
            return mlir_expected(mlir, *at, "a number of results");
        if (!mlir_int(mlir, at, &n))
            return false;
        if (n < 1 || n > 1024)
            return mlir_fail(mlir, *at - 1, "expected 1 to 1024 results");
    }
    vec_push(&out->count, (uint32_t)n);
    out->n_results += (uint32_t)n;
    return true;
}

// %x, %y:2 = , or nothing
static bool read_results(struct ttir_reader *reader, uint32_t *at, struct ttir_operation *out)
{
    if (mlir_kind(&reader->mlir, *at) != T_VALUE)
        return true;
    do {
        if (!read_result(reader, at, out))
            return false;
    } while (mlir_accept(&reader->mlir, at, ','));
    return mlir_expect(&reader->mlir, at, '=', "'='");
}

static bool read_types(struct ttir_reader *reader, uint32_t at, struct ttir_operation *out)
{
    struct mlir *mlir = &reader->mlir;
    while (at < out->end) {
        struct ttir_type type;
        uint16_t kind = mlir_kind(mlir, at);
        if (kind == T_ARROW || mlir_word(mlir, at, "to")) {
            out->arrow = true;
            out->n_types = out->type.len;
            at++;
        } else if (kind == ',' || kind == '*' || kind == '(' || kind == ')') {
            at++;
        } else if (ttir_type(reader, &at, &type)) {
            vec_push(&out->type, type);
        } else {
            return false;
        }
    }
    if (!out->arrow)
        out->n_types = out->type.len;
    return true;
}

// Operands of a list in brackets, which may be nested in brackets.
static void list_operands(struct ttir_reader *reader, uint32_t at, uint32_t end,
                          struct ttir_operation *out)
{
    for (; at < end; at++) {
        if (mlir_kind(&reader->mlir, at) == T_VALUE)
            vec_push(&out->operand, at);
    }
}

static void scan_bracket(struct ttir_reader *reader, uint32_t at, struct ttir_operation *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t close = mlir->tok.at[at].match;
    switch (mlir_kind(mlir, at)) {
    case '{':
        vec_push(&out->dictionary, at);
        break;
    case '<':
        if (mlir_kind(mlir, at + 1) == '{')
            vec_push(&out->dictionary, at + 1);
        break;
    case '(':
        if (mlir_kind(mlir, at + 1) != '{') {
            list_operands(reader, at + 1, close, out);
            break;
        }
        for (uint32_t i = at + 1; i < close; i++)
            if (mlir_kind(mlir, i) == '{') {
                vec_push(&out->region, i);
                i = mlir->tok.at[i].match;
            }
        break;
    default:
        list_operands(reader, at + 1, close, out);
        break;
    }
}

// Everything behind the name; the types begin behind a colon.
static bool scan(struct ttir_reader *reader, struct ttir_operation *out)
{
    struct mlir *mlir = &reader->mlir;
    out->words_end = out->end;
    for (uint32_t i = out->at + 1; i < out->end; i++) {
        uint16_t kind = mlir_kind(mlir, i);
        if (kind == ':') {
            out->words_end = i;
            return read_types(reader, i + 1, out);
        }
        if (kind == T_VALUE)
            vec_push(&out->operand, i);
        if (!is_open(kind))
            continue;
        scan_bracket(reader, i, out);
        i = mlir->tok.at[i].match;
    }
    return true;
}

// Operations whose regions and types have a grammar of their own.
static bool has_own_grammar(const struct ttir_operation *operation)
{
    return !operation->generic &&
           (!strncmp(operation->name, "scf.", 4) || !strncmp(operation->name, "cf.", 3) ||
            !strcmp(operation->name, "arith.constant")) &&
           strcmp(operation->name, "scf.yield") != 0;
}

bool ttir_operation(struct ttir_reader *reader, uint32_t at, uint32_t limit,
                    struct ttir_operation *out)
{
    struct mlir *mlir = &reader->mlir;
    *out = (struct ttir_operation){.end = ttir_line_end(reader, at, limit)};
    if (!read_results(reader, &at, out))
        return false;
    out->at = at;
    uint16_t kind = mlir_kind(mlir, at);
    if (at >= limit || (kind != T_STRING && kind != T_BARE))
        return mlir_expected(mlir, at, "the name of an operation");
    out->generic = kind == T_STRING;
    const struct mlir_token *token = &mlir->tok.at[at];
    uint32_t quotes = out->generic ? 1 : 0;
    uint32_t name =
        intern_bytes(&mlir->names, mlir->text + token->at + quotes, token->len - 2 * quotes);
    out->name = intern_text(&mlir->names, name);
    return has_own_grammar(out) || scan(reader, out);
}

void ttir_operation_release(struct ttir_operation *operation)
{
    vec_release(&operation->result);
    vec_release(&operation->count);
    vec_release(&operation->operand);
    vec_release(&operation->dictionary);
    vec_release(&operation->region);
    vec_release(&operation->type);
}

// ---- attributes

uint32_t ttir_attribute(struct ttir_reader *reader, const struct ttir_operation *operation,
                        const char *key)
{
    struct mlir *mlir = &reader->mlir;
    for (uint32_t d = 0; d < operation->dictionary.len; d++) {
        uint32_t at = operation->dictionary.at[d] + 1;
        struct mlir_entry entry;
        bool ok = true;
        while (mlir_next_entry(mlir, &at, &entry, &ok))
            if (mlir_key_is(mlir, &entry, key))
                return entry.value == entry.end ? entry.key : entry.value;
        if (!ok)
            return 0;
    }
    for (uint32_t i = operation->at + 1; i + 2 < operation->words_end; i++) {
        if (is_open(mlir_kind(mlir, i)))
            i = mlir->tok.at[i].match;
        else if (mlir_word(mlir, i, key) && mlir_kind(mlir, i + 1) == '=')
            return i + 2;
    }
    return 0;
}

bool ttir_integer(struct ttir_reader *reader, const struct ttir_operation *operation,
                  const char *key, int64_t *out)
{
    uint32_t at = ttir_attribute(reader, operation, key);
    if (reader->mlir.err->kind != ERR_NONE)
        return false;
    return at == 0 || mlir_int(&reader->mlir, &at, out);
}

bool ttir_has_word(const struct ttir_reader *reader, const struct ttir_operation *operation,
                   const char *word)
{
    for (uint32_t i = operation->at + 1; i < operation->words_end; i++) {
        if (is_open(mlir_kind(&reader->mlir, i)))
            i = reader->mlir.tok.at[i].match;
        else if (mlir_word(&reader->mlir, i, word))
            return true;
    }
    return false;
}

bool ttir_flag(struct ttir_reader *reader, const struct ttir_operation *operation, const char *key)
{
    uint32_t at = ttir_attribute(reader, operation, key);
    if (at == 0)
        return ttir_has_word(reader, operation, key);
    return !mlir_word(&reader->mlir, at, "false");
}

bool ttir_string(struct ttir_reader *reader, const struct ttir_operation *operation,
                 const char *key, struct buf *out)
{
    uint32_t at = ttir_attribute(reader, operation, key);
    if (reader->mlir.err->kind != ERR_NONE)
        return false;
    if (at == 0)
        return true;
    if (mlir_kind(&reader->mlir, at) != T_STRING)
        return mlir_expected(&reader->mlir, at, "a string");
    return mlir_unquote(&reader->mlir, at, out);
}

bool ttir_malformed(struct ttir_reader *reader, const struct ttir_operation *operation,
                    const char *expected)
{
    return mlir_fail(&reader->mlir, operation->at, "%s: expected %s", operation->name, expected);
}

bool ttir_expect_operands(struct ttir_reader *reader, const struct ttir_operation *operation,
                          uint32_t least, uint32_t most)
{
    uint32_t n = operation->operand.len;
    if (n >= least && n <= most)
        return true;
    if (least == most)
        return mlir_fail(&reader->mlir, operation->at, "%s: expected %u operands, found %u",
                         operation->name, least, n);
    return mlir_fail(&reader->mlir, operation->at, "%s: expected %u to %u operands, found %u",
                     operation->name, least, most, n);
}

// [1, 0] or array<i32: 1, 0>
bool ttir_integers(struct ttir_reader *reader, const struct ttir_operation *operation,
                   const char *key, struct i64_vec *out)
{
    struct mlir *mlir = &reader->mlir;
    uint32_t at = ttir_attribute(reader, operation, key);
    if (at == 0)
        return mlir->err->kind == ERR_NONE;
    if (mlir_kind(mlir, at) == '[')
        return mlir_int_list(mlir, &at, out);
    if (!mlir_expect_word(mlir, &at, "array") || mlir_kind(mlir, at) != '<')
        return mlir_expected(mlir, at, "a list such as array<i32: 1, 0>");
    uint32_t close = mlir->tok.at[at].match;
    at += 2;
    if (at < close && !mlir_expect(mlir, &at, ':', "':'"))
        return false;
    while (at < close) {
        int64_t number;
        if (!mlir_int(mlir, &at, &number))
            return false;
        vec_push(out, number);
        if (at < close && !mlir_expect(mlir, &at, ',', "','"))
            return false;
    }
    return true;
}
