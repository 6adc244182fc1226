// SPDX-License-Identifier: Apache-2.0
// Tokens to computations and instructions.
#include "io/hlo/read/reader.h"

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
