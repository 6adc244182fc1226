// SPDX-License-Identifier: Apache-2.0
// Tuples: their elements are values of their own wherever they are known.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"

bool hlo_tuple_term(struct hlo_reader *reader, type_id type, struct hlo_value *value)
{
    struct buf text = {0};
    struct err why = {0};
    VEC(term_id) args = {0};
    type_print(reader->pool, type, &text);
    buf_puts(&text, " tuple(");
    for (uint32_t k = 0; k < value->n_elements; k++) {
        buf_printf(&text, "%s%%{%u}", k > 0 ? ", " : "", k);
        vec_push(&args, reader->element.at[value->elements + k].term);
    }
    buf_putc(&text, ')');
    int64_t v[3] = {sym_make(reader->pool, buf_text(&text)).v, 1, 0};
    struct operation operation = {OP_OPAQUE, attr_make(reader->pool, 3, v), type, args.len};
    bool ok = term_build(&reader->program->terms, operation, args.at, &value->term, &why) ||
              err_set(reader->err, ERR_BUG, "%s", why.msg);
    buf_release(&text);
    vec_release(&args);
    return ok;
}

// Element k of a tuple that is one term.
static bool project(struct hlo_reader *reader, term_id tuple, uint32_t k, type_id type,
                    term_id *out)
{
    struct buf text = {0};
    struct err why = {0};
    hlo_put_type(reader->pool, type, "", &text);
    buf_printf(&text, " get-tuple-element(%%{0}), index=%u", k);
    int64_t v[3] = {sym_make(reader->pool, buf_text(&text)).v, 1, 0};
    struct operation operation = {OP_OPAQUE, attr_make(reader->pool, 3, v), type, 1};
    bool ok = term_build(&reader->program->terms, operation, &tuple, out, &why) ||
              err_set(reader->err, ERR_BUG, "%s", why.msg);
    buf_release(&text);
    return ok;
}

bool hlo_elements(struct hlo_reader *reader, const struct hlo_types *types, struct hlo_value *value)
{
    if (value->n_elements > 0)
        return true;
    value->elements = reader->element.len;
    for (uint32_t k = 0; k < types->len; k++) {
        struct hlo_value element = {.layout = sym_make(reader->pool, "")};
        if (!project(reader, value->term, k, types->at[k], &element.term))
            return false;
        vec_push(&reader->element, element);
    }
    value->n_elements = types->len;
    return true;
}

// The operands of a tuple, in the layouts of its shape.
bool hlo_tuple_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                        struct hlo_value *value)
{
    uint32_t at = instruction->shape + 1;
    value->elements = reader->element.len;
    if (!hlo_operands(reader, instruction))
        return false;
    if (instruction->shape == 0) {
        value->n_elements = reader->operand.len;
        for (uint32_t k = 0; k < reader->operand.len; k++) {
            struct hlo_value element = reader->operand.at[k];
            element.constant = false;
            vec_push(&reader->element, element);
        }
        return true;
    }
    if (hlo_kind(reader, instruction->shape) != '(')
        return hlo_expected(reader, instruction->shape, "the shape of a tuple");
    uint32_t close = reader->tok.at[instruction->shape].match;
    for (uint32_t k = 0; k < reader->operand.len; k++) {
        struct hlo_value element = reader->operand.at[k];
        type_id type;
        if (!hlo_shape(reader, &at, &type, &element.layout))
            return false;
        if (type.v != term_type(&reader->program->terms, element.term).v)
            return hlo_fail(reader, instruction->shape, "element %u has another shape", k);
        if (k + 1 < reader->operand.len && !hlo_expect(reader, &at, ',', "','"))
            return false;
        element.constant = false;
        vec_push(&reader->element, element);
    }
    value->n_elements = reader->element.len - value->elements;
    return at == close || hlo_expected(reader, at, "')': the tuple has no more elements");
}

// get-tuple-element of a tuple's own instruction: its operand.  *found: it is one.
bool hlo_projection(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    struct hlo_stated stated, struct hlo_value *value, bool *found)
{
    struct hlo_attribute attribute;
    int64_t index;
    *found = false;
    if (!hlo_operands(reader, instruction))
        return false;
    if (!hlo_find_attribute(reader, instruction, "index", &attribute))
        return hlo_fail(reader, instruction->opcode, "this operation lacks its index");
    if (!hlo_int(reader, &attribute.value, &index))
        return false;
    if (reader->operand.len != 1 || reader->operand.at[0].n_elements == 0)
        return true;
    const struct hlo_value *tuple = &reader->operand.at[0];
    if (index < 0 || index >= tuple->n_elements)
        return hlo_fail(reader, attribute.value - 1, "the tuple has %u elements",
                        tuple->n_elements);
    *value = reader->element.at[tuple->elements + index];
    *found = value->layout.v == stated.layout.v;
    return term_type(&reader->program->terms, value->term).v == stated.type.v ||
           hlo_fail(reader, instruction->shape, "the element of the tuple has another shape");
}
