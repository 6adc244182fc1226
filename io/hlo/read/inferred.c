// SPDX-License-Identifier: Apache-2.0
// The shape of an instruction whose text states none.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"

// The layout of such a shape.  XLA's reader hands on layouts through operators that change no
// size; that of a transpose says that nothing moved.
static bool infer_layout(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                         enum op op, struct hlo_stated *out)
{
    struct buf text = {0};
    if (type_rank(reader->pool, out->type) < 2)
        return true; // of one layout
    for (uint32_t k = 0; k < reader->operand.len; k++)
        if (*sym_text(reader->pool, reader->operand.at[k].layout) != 0)
            return hlo_fail(reader, instruction->opcode,
                            "expected the shape of this operation: an operand has a layout of "
                            "its own");
    if (op != OP_TRANSPOSE)
        return true;
    // The dimensions of the result from the one that is next to another in memory.
    uint32_t rank = type_rank(reader->pool, out->type);
    bool moved = false;
    for (uint32_t k = rank; k-- > 0;)
        for (uint32_t d = 0; d < rank; d++)
            if (reader->attr.at[d] == (int64_t)k) {
                buf_printf(&text, "%s%u", text.len == 0 ? "{" : ",", d);
                moved |= d != k;
            }
    buf_puts(&text, "}");
    if (moved)
        out->layout = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
    return true;
}

// The shape that an instruction without one has.
bool hlo_infer_shape(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                     struct hlo_stated *out)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    struct hlo_attribute attribute;
    int64_t index;
    enum op op;
    *out = (struct hlo_stated){NO_TYPE, sym_make(reader->pool, "")};
    if (hlo_op(reader->text + opcode->at, opcode->len, &op))
        return hlo_result_type(reader, instruction, op, &out->type) &&
               infer_layout(reader, instruction, op, out);
    if (!hlo_operands(reader, instruction))
        return false;
    if (hlo_is(reader, instruction->opcode, "tuple")) {
        struct buf text = {0};
        for (uint32_t k = 0; k < reader->operand.len; k++) {
            const struct hlo_value *value = &reader->operand.at[k];
            buf_puts(&text, k == 0 ? "(" : ", ");
            hlo_put_type(reader->pool, term_type(&reader->program->terms, value->term),
                         sym_text(reader->pool, value->layout), &text);
        }
        buf_puts(&text, reader->operand.len == 0 ? "()" : ")");
        out->type = type_other(reader->pool, buf_text(&text));
        buf_release(&text);
        return true;
    }
    const struct hlo_value *operand = reader->operand.len == 1 ? &reader->operand.at[0] : NULL;
    if (operand != NULL && hlo_is(reader, instruction->opcode, "copy")) {
        out->type = term_type(&reader->program->terms, operand->term);
        out->layout = operand->layout;
        return true;
    }
    if (operand != NULL && hlo_is(reader, instruction->opcode, "get-tuple-element") &&
        hlo_find_attribute(reader, instruction, "index", &attribute) &&
        hlo_int(reader, &attribute.value, &index) && index >= 0 && index < operand->n_elements) {
        const struct hlo_value *element = &reader->element.at[operand->elements + index];
        *out =
            (struct hlo_stated){term_type(&reader->program->terms, element->term), element->layout};
        return true;
    }
    return reader->err->kind == ERR_NONE &&
           hlo_expected(reader, instruction->opcode, "the shape of this operation");
}
