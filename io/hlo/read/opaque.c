// SPDX-License-Identifier: Apache-2.0
// Any instruction as a term: its template and the type of its result.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"

// control-predecessors={%a, %b}: each is an argument, in any layout.
static void put_predecessors(struct hlo_reader *reader, const struct hlo_attribute *attribute,
                             uint32_t n, struct buf *out)
{
    buf_puts(out, "{");
    for (uint32_t at = attribute->value; at < attribute->end; at++)
        if (hlo_is_name(reader, at)) {
            buf_printf(out, "%s%%{%u:*}", out->at[out->len - 1] == '{' ? "" : ", ", n++);
        }
    buf_puts(out, "}");
}

void hlo_put_attributes(struct hlo_reader *reader, uint32_t from, uint32_t end, bool all,
                        struct buf *out)
{
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &from, end, &attribute)) {
        if (!all && hlo_is(reader, attribute.key, "metadata"))
            continue;
        buf_puts(out, ", ");
        hlo_emit(reader, attribute.key, attribute.key + 2, out);
        hlo_emit(reader, attribute.value, attribute.end, out);
    }
}

static bool has_operands(const struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    return !hlo_is(reader, instruction->opcode, "constant") &&
           !hlo_is(reader, instruction->opcode, "parameter");
}

// The operands as placeholders, with their layouts.
static void put_operands(struct hlo_reader *reader, struct buf *out)
{
    for (uint32_t k = 0; k < reader->operand.len; k++) {
        const char *layout = sym_text(reader->pool, reader->operand.at[k].layout);
        buf_printf(out, "%s%%{%u%s%s}", k > 0 ? ", " : "", k, *layout != '\0' ? ":" : "", layout);
    }
}

static void put_template(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                         struct hlo_stated stated, uint32_t n_operands, struct buf *out)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    hlo_put_type(reader->pool, stated.type, sym_text(reader->pool, stated.layout), out);
    buf_putc(out, ' ');
    hlo_emit(reader, instruction->opcode, instruction->open + 1, out);
    if (has_operands(reader, instruction))
        put_operands(reader, out);
    else
        hlo_emit(reader, instruction->open + 1, reader->tok.at[instruction->open].match, out);
    buf_putc(out, ')');
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        if (!hlo_is(reader, attribute.key, "control-predecessors")) {
            hlo_put_attributes(reader, attribute.key - 1, attribute.end, false, out);
            continue;
        }
        buf_puts(out, ", ");
        hlo_emit(reader, attribute.key, attribute.key + 2, out);
        put_predecessors(reader, &attribute, n_operands, out);
    }
}

// The predecessors become arguments.  A name in another attribute is one of a computation:
// names of instructions may change.
static bool find_predecessors(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        bool predecessors = hlo_is(reader, attribute.key, "control-predecessors");
        if (hlo_is(reader, attribute.key, "metadata"))
            continue;
        for (uint32_t k = attribute.value; k < attribute.end; k++) {
            if (predecessors && hlo_is_name(reader, k) && !hlo_push_operand(reader, k))
                return false;
            if (!predecessors && hlo_kind(reader, k) == H_NAME &&
                hlo_computation_at(reader, k) == NULL)
                return hlo_fail(reader, k, "no computation of this name");
        }
    }
    return true;
}

bool hlo_opaque(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                struct hlo_stated stated, bool effect, term_id *out)
{
    struct buf text = {0};
    VEC(term_id) args = {0};
    struct err why = {0};
    vec_clear(&reader->operand);
    if (has_operands(reader, instruction) && !hlo_operands(reader, instruction))
        return false;
    put_template(reader, instruction, stated, reader->operand.len, &text);
    if (!find_predecessors(reader, instruction)) {
        buf_release(&text);
        return false;
    }
    for (uint32_t k = 0; k < reader->operand.len; k++) {
        const struct hlo_value *operand = &reader->operand.at[k];
        if (operand->unnoted != 0)
            hlo_note_value(reader, &reader->instruction.at[operand->unnoted - 1], operand);
        vec_push(&args, operand->term);
    }
    int64_t values[3] = {sym_make(reader->pool, buf_text(&text)).v, 1,
                         effect ? ++reader->serial : 0};
    struct operation operation = {OP_OPAQUE, attr_make(reader->pool, 3, values), stated.type,
                                  args.len};
    bool ok = term_build(&reader->program->terms, operation, args.at, out, &why) ||
              hlo_fail(reader, instruction->opcode, "%s", why.msg);
    hlo_keep_named(reader, instruction);
    buf_release(&text);
    vec_release(&args);
    return ok;
}
