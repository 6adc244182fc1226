// SPDX-License-Identifier: Apache-2.0
// The parameters of functions and of blocks, and what instructions are called.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/region.h"

// A parameter that comes after other instructions is a text.
static bool comes_after(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    struct hlo_attribute attribute;
    return hlo_find_attribute(reader, instruction, "control-predecessors", &attribute);
}

static void put_parameter_attributes(struct hlo_reader *reader,
                                     const struct hlo_instruction *instruction,
                                     struct hlo_stated stated, struct buf *out)
{
    if (comes_after(reader, instruction)) {
        buf_puts(out, HLO_PARAMETER_STAYS);
        return;
    }
    buf_puts(out, sym_text(reader->pool, stated.layout));
    hlo_put_attributes(reader, instruction->attrs, instruction->end, true, out);
}

// parameter(k); its attributes and its layout become the parameter's.
bool hlo_parameter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                   struct hlo_stated stated, struct hlo_value *value)
{
    uint32_t at = instruction->open + 1;
    int64_t number;
    struct buf attrs = {0};
    struct err why = {0};
    struct function *function = &vec_last(&reader->program->functions);
    if (!hlo_int(reader, &at, &number))
        return false;
    if (at != reader->tok.at[instruction->open].match)
        return hlo_expected(reader, at, "')'");
    if (number < 0 || number >= function->params.len ||
        function->params.at[number].type.v != NO_TYPE.v)
        return hlo_fail(reader, instruction->open + 1,
                        "expected the parameters to have the numbers from 0 on, each once");
    put_parameter_attributes(reader, instruction, stated, &attrs);
    bool named = instruction->name != instruction->opcode;
    if (named)
        hlo_keep_named(reader, instruction);
    const char *name =
        named ? intern_text(&reader->names, hlo_name(reader, instruction->name)) : "";
    function->params.at[number] = (struct param){sym_make(reader->pool, name), stated.type,
                                                 sym_make(reader->pool, buf_text(&attrs))};
    buf_release(&attrs);
    if (comes_after(reader, instruction)) {
        if (!hlo_effect(reader, instruction, stated, &value->term))
            return false;
        term_settle(&reader->program->terms, value->term, reader->scope);
        hlo_note_value(reader, instruction, value);
        return true;
    }
    int64_t values[2] = {function->number, number};
    struct operation operation = {OP_PARAMETER, attr_make(reader->pool, 2, values), stated.type, 0};
    return term_build(&reader->program->terms, operation, NULL, &value->term, &why) ||
           hlo_fail(reader, instruction->opcode, "%s", why.msg);
}

// A parameter among operands has no name of its own: it gets one that no instruction of the
// computation has.  Called when all of them are bound.
void hlo_name_parameters(struct hlo_reader *reader)
{
    struct function *function = &vec_last(&reader->program->functions);
    struct buf text = {0};
    for (uint32_t k = 0, n = 0; k < function->params.len; k++) {
        struct param *param = &function->params.at[k];
        if (param->type.v == NO_TYPE.v || *sym_text(reader->pool, param->name) != '\0')
            continue;
        for (bool taken = true; taken; n++) {
            buf_clear(&text);
            buf_printf(&text, "parameter.%u", n);
            uint32_t name = intern_str(&reader->names, buf_text(&text));
            taken = name < reader->value_of.len && reader->value_of.at[name] != 0;
        }
        param->name = sym_make(reader->pool, buf_text(&text));
    }
    buf_release(&text);
}

// parameter(k) of a block: forms.c has seen its number, its type and the attributes.
bool hlo_block_parameter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                         struct hlo_stated stated, struct hlo_value *value)
{
    struct hlo_types types = {0};
    struct err why = {0};
    uint32_t at = instruction->open + 1;
    int64_t number;
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    bool ok = hlo_int(reader, &at, &number) &&
              (hlo_flat_shape(reader, instruction->shape, &types) ||
               hlo_is_empty_tuple(reader, instruction->shape) ||
               hlo_expected(reader, instruction->shape, "the shape of arrays"));
    value->elements = reader->element.len;
    for (uint32_t k = 0; ok && k < types.len; k++) {
        int64_t v[2] = {PARAMETER_OF_REGION(reader->region),
                        reader->first_parameter + (tuple ? k : number)};
        struct hlo_value element = {.layout = sym_make(reader->pool, "")};
        struct operation operation = {OP_PARAMETER, attr_make(reader->pool, 2, v), types.at[k], 0};
        ok = term_build(&reader->program->terms, operation, NULL, &element.term, &why) ||
             hlo_fail(reader, instruction->opcode, "%s", why.msg);
        if (tuple)
            vec_push(&reader->element, element);
        else
            value->term = element.term;
    }
    if (ok && tuple) {
        value->n_elements = types.len;
        ok = hlo_tuple_term(reader, stated.type, value);
    }
    vec_release(&types);
    return ok;
}

// The types of the parameters of a block, or of the elements of its one tuple.
bool hlo_bind_parameters(struct hlo_reader *reader, struct hlo_computation *computation)
{
    struct hlo_types types = {0};
    bool ok = hlo_parameter_types(reader, computation, &types);
    computation->bound_at = reader->bound_type.len;
    computation->n_bound = types.len;
    computation->takes_tuple = hlo_takes_tuple(reader, computation);
    for (uint32_t k = 0; k < types.len; k++)
        vec_push(&reader->bound_type, types.at[k]);
    vec_release(&types);
    return ok || hlo_expected(reader, computation->at, "a computation of arrays");
}

void hlo_note_value(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    const struct hlo_value *value)
{
    struct hlo_attribute attribute;
    sym_id none = sym_make(reader->pool, ""), metadata = none;
    if (value->helper != 0 || instruction->name == instruction->opcode)
        return;
    if (hlo_find_attribute(reader, instruction, "metadata", &attribute))
        metadata = hlo_keep(reader, attribute.value, attribute.end);
    const char *name = intern_text(&reader->names, hlo_name(reader, instruction->name));
    bool is_text = term_op(&reader->program->terms, value->term) == OP_OPAQUE;
    struct term_note note = {value->term, sym_make(reader->pool, name),
                             is_text ? none : value->layout, metadata};
    while (reader->noted_in.len <= value->term.v)
        vec_push(&reader->noted_in, 0);
    uint32_t *noted_in = &reader->noted_in.at[value->term.v];
    if (*noted_in == 0)
        program_note(reader->program, note);
    else if (*noted_in != reader->where.v + 1)
        vec_push(&reader->program->local_notes, ((struct local_note){reader->where, note}));
    *noted_in = reader->where.v + 1;
}
