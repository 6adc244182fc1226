// SPDX-License-Identifier: Apache-2.0
// Tokens to computations and instructions.
#include "base/text/cursor.h"
#include "io/hlo/read/reader.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

bool hlo_fail(struct hlo_reader *reader, uint32_t at, const char *fmt, ...)
{
    char msg[600];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return hlo_fail_at(reader->text, reader->tok.at[at].at, reader->file, reader->err, msg);
}

bool hlo_expected(struct hlo_reader *reader, uint32_t at, const char *what)
{
    const struct hlo_token *token = &reader->tok.at[at];
    if (token->kind == H_EOF)
        return hlo_fail(reader, at, "expected %s, found the end of the file", what);
    int n = token->len > IO_FOUND_SHOWN ? IO_FOUND_SHOWN : (int)token->len;
    return hlo_fail(reader, at, "expected %s, found '%.*s%s'", what, n, reader->text + token->at,
                    token->len > IO_FOUND_SHOWN ? "..." : "");
}

uint16_t hlo_kind(const struct hlo_reader *reader, uint32_t at)
{
    return at < reader->tok.len ? reader->tok.at[at].kind : (uint16_t)H_EOF;
}

bool hlo_is(const struct hlo_reader *reader, uint32_t at, const char *word)
{
    const struct hlo_token *token = &reader->tok.at[at];
    size_t n = strlen(word);
    return token->len == n && memcmp(reader->text + token->at, word, n) == 0;
}

bool hlo_accept(struct hlo_reader *reader, uint32_t *at, uint16_t kind)
{
    if (hlo_kind(reader, *at) != kind)
        return false;
    ++*at;
    return true;
}

bool hlo_expect(struct hlo_reader *reader, uint32_t *at, uint16_t kind, const char *what)
{
    return hlo_accept(reader, at, kind) || hlo_expected(reader, *at, what);
}

bool hlo_is_name(const struct hlo_reader *reader, uint32_t at)
{
    return hlo_kind(reader, at) == H_NAME || hlo_kind(reader, at) == H_WORD;
}

uint32_t hlo_name(struct hlo_reader *reader, uint32_t at)
{
    const struct hlo_token *token = &reader->tok.at[at];
    uint32_t sigil = token->kind == H_NAME;
    return intern_bytes(&reader->names, reader->text + token->at + sigil, token->len - sigil);
}

bool hlo_int(struct hlo_reader *reader, uint32_t *at, int64_t *out)
{
    const struct hlo_token *token = &reader->tok.at[*at];
    char text[24], *end;
    if (token->kind != H_WORD || token->len >= sizeof text)
        return hlo_expected(reader, *at, "an integer");
    memcpy(text, reader->text + token->at, token->len);
    text[token->len] = '\0';
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (*end != '\0' || text[0] == '+')
        return hlo_expected(reader, *at, "an integer");
    if (errno != 0)
        return hlo_fail(reader, *at, "an integer of more than 64 bits");
    ++*at;
    return true;
}

void hlo_emit(const struct hlo_reader *reader, uint32_t from, uint32_t to, struct buf *out)
{
    for (uint32_t at = from; at < to; at++) {
        const struct hlo_token *token = &reader->tok.at[at];
        if (at > from && token->flags != 0)
            buf_putc(out, ' ');
        buf_write(out, reader->text + token->at, token->len);
    }
}

sym_id hlo_keep(struct hlo_reader *reader, uint32_t from, uint32_t to)
{
    struct buf text = {0};
    hlo_emit(reader, from, to, &text);
    sym_id symbol = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
    return symbol;
}

static bool is_open(uint16_t kind)
{
    return kind == '(' || kind == '[' || kind == '{';
}

static bool starts_value(uint16_t kind)
{
    return is_open(kind) || kind == H_NAME || kind == H_WORD || kind == H_STRING;
}

static bool touches(const struct hlo_reader *reader, uint32_t at)
{
    return reader->tok.at[at].flags == 0;
}

// Does a value that stands in front of the token go on with it?  Nothing else begins with a bracket.
static bool goes_on(const struct hlo_reader *reader, uint32_t at)
{
    uint16_t kind = hlo_kind(reader, at);
    bool sign = kind < 128 && strchr(",=)]}", kind) == NULL;
    return is_open(kind) || (touches(reader, at) && (sign || starts_value(kind)));
}

// Words, texts, signs and brackets without blanks between them.  Blanks may stand around "->" and
// "<=", and in front of a bracket: mesh['x'=2,'y'=4] {'x'}.
bool hlo_skip_value(struct hlo_reader *reader, uint32_t *at)
{
    bool joined = true;
    while (joined || goes_on(reader, *at)) {
        uint16_t kind = hlo_kind(reader, *at);
        if (joined && !starts_value(kind))
            return hlo_expected(reader, *at, "a value");
        *at = is_open(kind) ? reader->tok.at[*at].match + 1 : *at + 1;
        kind = hlo_kind(reader, *at);
        joined = kind == H_ARROW || kind == H_UP_TO;
        *at += joined;
    }
    return true;
}

// Behind a shape: a body begins with a name.
bool hlo_starts_layout(const struct hlo_reader *reader, uint32_t at)
{
    uint32_t next = at + 1;
    if (hlo_kind(reader, at) != '{')
        return false;
    if (touches(reader, at) || hlo_kind(reader, next) == ':')
        return true;
    return hlo_kind(reader, next) == H_WORD && is_digit(reader->text[reader->tok.at[next].at]);
}

bool hlo_skip_shape(struct hlo_reader *reader, uint32_t *at)
{
    if (hlo_kind(reader, *at) == '(') {
        *at = reader->tok.at[*at].match + 1;
        return true;
    }
    if (hlo_kind(reader, *at) != H_WORD || hlo_kind(reader, *at + 1) != '[')
        return hlo_expected(reader, *at, "a shape such as f32[2,3]");
    *at = reader->tok.at[*at + 1].match + 1;
    if (hlo_starts_layout(reader, *at))
        *at = reader->tok.at[*at].match + 1;
    return true;
}

bool hlo_next_attribute(const struct hlo_reader *reader, uint32_t *at, uint32_t end,
                        struct hlo_attribute *out)
{
    if (*at >= end)
        return false;
    // hlo_syntax has seen: , key = value
    out->key = *at + 1;
    out->value = *at + 3;
    out->end = out->value;
    while (out->end < end && hlo_kind(reader, out->end) != ',')
        out->end =
            is_open(hlo_kind(reader, out->end)) ? reader->tok.at[out->end].match + 1 : out->end + 1;
    *at = out->end;
    return true;
}

// The first time in this list?
static bool is_new_key(struct hlo_reader *reader, uint32_t at)
{
    uint32_t key = hlo_name(reader, at);
    while (reader->key_in.len <= key)
        vec_push(&reader->key_in, 0);
    bool fresh = reader->key_in.at[key] != reader->n_lists;
    reader->key_in.at[key] = reader->n_lists;
    return fresh;
}

// , key=value, ..
static bool skip_attributes(struct hlo_reader *reader, uint32_t *at)
{
    reader->n_lists++;
    while (hlo_accept(reader, at, ',')) {
        if (hlo_kind(reader, *at) == H_WORD && !is_new_key(reader, *at))
            return hlo_fail(reader, *at, "a second attribute of this name");
        if (!hlo_expect(reader, at, H_WORD, "the name of an attribute") ||
            !hlo_expect(reader, at, '=', "'='") || !hlo_skip_value(reader, at))
            return false;
    }
    return true;
}

// [shape] opcode(: an instruction among operands, or behind a name.
static bool starts_instruction(struct hlo_reader *reader, uint32_t at)
{
    return hlo_kind(reader, at) == H_WORD && hlo_kind(reader, at + 1) == '(';
}

// The instructions among the operands of one: each stands before those that use it.
static bool read_inner(struct hlo_reader *reader, uint32_t open, uint32_t depth)
{
    uint32_t close = reader->tok.at[open].match;
    if (depth == IO_HLO_INNER)
        return hlo_fail(reader, open, "instructions inside one another, %d deep", IO_HLO_INNER);
    for (uint32_t at = open + 1; at < close;) {
        struct hlo_instruction inner = {0};
        if (!starts_instruction(reader, at)) {
            inner.shape = at;
            bool shaped = hlo_kind(reader, at) == '(' ||
                          (hlo_kind(reader, at) == H_WORD && hlo_kind(reader, at + 1) == '[');
            if (shaped && !hlo_skip_shape(reader, &at))
                return false;
            if (!shaped || !starts_instruction(reader, at)) {
                at += !shaped;
                continue;
            }
        }
        inner.name = inner.opcode = at;
        inner.open = at + 1;
        at = inner.attrs = inner.end = reader->tok.at[inner.open].match + 1;
        if (!read_inner(reader, inner.open, depth + 1))
            return false;
        vec_push(&reader->instruction, inner);
    }
    return true;
}

// [ROOT] name = [shape] opcode(..), key=value
static bool read_instruction(struct hlo_reader *reader, uint32_t *at, bool *root)
{
    struct hlo_instruction read = {0};
    *root = hlo_is(reader, *at, "ROOT") && hlo_is_name(reader, *at + 1);
    *at += *root;
    if (!hlo_is_name(reader, *at))
        return hlo_expected(reader, *at, "an instruction such as %x = f32[] add(%a, %b)");
    read.name = (*at)++;
    if (!hlo_expect(reader, at, '=', "'='"))
        return false;
    if (!starts_instruction(reader, *at)) {
        read.shape = *at;
        if (!hlo_skip_shape(reader, at))
            return false;
    }
    read.opcode = *at;
    if (!hlo_expect(reader, at, H_WORD, "the name of an operation"))
        return false;
    read.open = *at;
    if (hlo_kind(reader, *at) != '(')
        return hlo_expected(reader, *at, "'(' and the operands");
    *at = read.attrs = reader->tok.at[*at].match + 1;
    if (!hlo_is(reader, read.opcode, "constant") && !read_inner(reader, read.open, 0))
        return false;
    if (!skip_attributes(reader, at))
        return false;
    read.end = *at;
    vec_push(&reader->instruction, read);
    return true;
}

static bool read_instructions(struct hlo_reader *reader, uint32_t *at,
                              struct hlo_computation *computation)
{
    uint32_t from = *at, n_roots = 0;
    computation->first = reader->instruction.len;
    while (*at < computation->close) {
        bool root;
        if (!read_instruction(reader, at, &root))
            return false;
        if (root && n_roots++ > 0)
            return hlo_fail(reader, *at - 1, "a second ROOT in one computation");
        if (root)
            computation->root = reader->instruction.len - 1;
    }
    computation->n = reader->instruction.len - computation->first;
    if (computation->n == 0)
        return hlo_expected(reader, from, "an instruction");
    // Without ROOT, the last instruction is the root.
    if (n_roots == 0)
        computation->root = reader->instruction.len - 1;
    return true;
}

// A second computation of a name is refused.
static bool name_computation(struct hlo_reader *reader, struct hlo_computation *computation)
{
    uint32_t name = computation->name = hlo_name(reader, computation->at);
    while (reader->computation_of.len <= name)
        vec_push(&reader->computation_of, 0);
    if (reader->computation_of.at[name] != 0)
        return hlo_fail(reader, computation->at, "a second computation of this name");
    reader->computation_of.at[name] = reader->computation.len + 1;
    return true;
}

// [ENTRY] name [(x: shape, ..) -> shape] { .. }
static bool read_computation(struct hlo_reader *reader, uint32_t *at)
{
    struct hlo_computation computation = {0};
    computation.entry = hlo_is(reader, *at, "ENTRY") && hlo_is_name(reader, *at + 1);
    *at += computation.entry;
    computation.at = *at;
    if (!hlo_is_name(reader, *at))
        return hlo_expected(reader, *at, "a computation");
    ++*at;
    computation.text = !computation.entry && hlo_kind(reader, computation.at) == H_NAME &&
                       hlo_kind(reader, *at) == '{';
    if (hlo_kind(reader, *at) == '(') {
        *at = reader->tok.at[*at].match + 1;
        if (!hlo_expect(reader, at, H_ARROW, "'->'") || !hlo_skip_shape(reader, at))
            return false;
    }
    if (hlo_kind(reader, *at) != '{')
        return hlo_expected(reader, *at, "'{' and the instructions");
    computation.close = reader->tok.at[*at].match;
    ++*at;
    if (!name_computation(reader, &computation) || !read_instructions(reader, at, &computation))
        return false;
    computation.attrs = *at = computation.close + 1;
    if (!skip_attributes(reader, at))
        return false;
    computation.end = *at;
    vec_push(&reader->computation, computation);
    return true;
}

// A computation may have such a name; a table may be empty.
static bool is_table(const struct hlo_reader *reader, uint32_t at)
{
    static const char *const tables[] = {"FileNames", "FunctionNames", "FileLocations",
                                         "StackFrames"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (hlo_is(reader, at, tables[i]))
            return hlo_kind(reader, at + 1) != '(' && hlo_kind(reader, at + 1) != '{';
    return false;
}

// A table of source places, which metadata refer to: a name, then lines of a number and a
// text or a bracket.
static bool read_table(struct hlo_reader *reader, uint32_t *at)
{
    struct buf text = {0};
    hlo_emit(reader, *at, *at + 1, &text);
    ++*at;
    while (hlo_kind(reader, *at) == H_WORD &&
           (hlo_kind(reader, *at + 1) == H_STRING || hlo_kind(reader, *at + 1) == '{') &&
           reader->text[reader->tok.at[*at].at] >= '0' &&
           reader->text[reader->tok.at[*at].at] <= '9') {
        uint32_t from = (*at)++;
        *at = hlo_kind(reader, *at) == '{' ? reader->tok.at[*at].match + 1 : *at + 1;
        buf_putc(&text, '\n');
        hlo_emit(reader, from, *at, &text);
    }
    sym_id symbol = sym_make(reader->pool, buf_text(&text));
    vec_push(&reader->program->extras, symbol);
    buf_release(&text);
    return true;
}

bool hlo_syntax(struct hlo_reader *reader)
{
    uint32_t at = 0, n_entries = 0;
    if (!hlo_is(reader, at, "HloModule"))
        return hlo_expected(reader, at, "HloModule");
    at++;
    if (!hlo_is_name(reader, at))
        return hlo_expected(reader, at, "the module's name");
    struct module module = {
        .name = sym_make(reader->pool, intern_text(&reader->names, hlo_name(reader, at))),
        .written = true};
    uint32_t attrs = ++at;
    if (!skip_attributes(reader, &at))
        return false;
    module.attrs = hlo_keep(reader, attrs, at);
    vec_push(&reader->program->modules, module);
    while (is_table(reader, at))
        if (!read_table(reader, &at))
            return false;
    while (hlo_kind(reader, at) != H_EOF) {
        if (!read_computation(reader, &at))
            return false;
        if (vec_last(&reader->computation).entry && n_entries++ > 0)
            return hlo_fail(reader, vec_last(&reader->computation).at, "a second ENTRY");
    }
    if (reader->computation.len == 0)
        return hlo_expected(reader, at, "a computation");
    // Without ENTRY, the last computation is the entry.
    if (n_entries == 0) {
        vec_last(&reader->computation).entry = true;
        vec_last(&reader->computation).text = false;
    }
    return true;
}
