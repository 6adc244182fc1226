// SPDX-License-Identifier: Apache-2.0
// A computation as a function: parameters, instructions in order, the root.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/region.h"

static struct function *this_function(struct hlo_reader *reader)
{
    return &vec_last(&reader->program->functions);
}

static struct hlo_value *find_value(struct hlo_reader *reader, uint32_t at)
{
    uint32_t name = hlo_name(reader, at);
    uint32_t k = name < reader->value_of.len ? reader->value_of.at[name] : 0;
    return k == 0 ? NULL : &reader->value.at[k - 1];
}

static bool bind(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                 struct hlo_value value)
{
    uint32_t at = instruction->name, name = hlo_name(reader, at);
    if (at == instruction->opcode) {
        vec_push(&reader->value, value);
        vec_push(&reader->inner, at);
        vec_push(&reader->inner, reader->value.len);
        return true;
    }
    while (reader->value_of.len <= name)
        vec_push(&reader->value_of, 0);
    if (reader->value_of.at[name] != 0)
        return hlo_fail(reader, at, "an instruction of this name is defined already");
    vec_push(&reader->value, value);
    vec_push(&reader->bound, name);
    reader->value_of.at[name] = reader->value.len;
    return true;
}

bool hlo_push_operand(struct hlo_reader *reader, uint32_t at)
{
    const struct hlo_value *value = find_value(reader, at);
    if (value == NULL) {
        const struct hlo_token *token = &reader->tok.at[at];
        int n = token->len < IO_TOKEN_SHOWN ? (int)token->len : IO_TOKEN_SHOWN;
        return hlo_fail(reader, at, "'%.*s' is used before its definition", n,
                        reader->text + token->at);
    }
    vec_push(&reader->operand, *value);
    return true;
}

static bool is_shape(const struct hlo_reader *reader, uint32_t at)
{
    return hlo_kind(reader, at) == '(' ||
           (hlo_kind(reader, at) == H_WORD && hlo_kind(reader, at + 1) == '[');
}

// [shape] name
static bool read_operand(struct hlo_reader *reader, uint32_t *at)
{
    type_id type = NO_TYPE;
    sym_id layout;
    uint32_t from = *at;
    if (is_shape(reader, *at) && !hlo_shape(reader, at, &type, &layout))
        return false;
    if (hlo_is_name(reader, *at) && hlo_kind(reader, *at + 1) == '(') {
        uint32_t k = reader->inner.len; // the last ones are the next ones
        while (k > 0 && reader->inner.at[k - 2] != *at)
            k -= 2;
        if (k == 0)
            return hlo_expected(reader, *at, "an operand such as %x");
        vec_push(&reader->operand, reader->value.at[reader->inner.at[k - 1] - 1]);
        *at = reader->tok.at[*at + 1].match + 1;
        return true;
    }
    if (!hlo_is_name(reader, *at))
        return hlo_expected(reader, *at, "an operand such as %x");
    if (!hlo_push_operand(reader, (*at)++))
        return false;
    type_id have = term_type(&reader->program->terms, vec_last(&reader->operand).term);
    if (type.v == NO_TYPE.v || type.v == have.v || !type_is_tensor(reader->pool, type))
        return true;
    return hlo_fail(reader, from, "the operand was defined with another shape");
}

bool hlo_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->open + 1, close = reader->tok.at[instruction->open].match;
    vec_clear(&reader->operand);
    while (at < close) {
        if (!read_operand(reader, &at))
            return false;
        if (at < close && (!hlo_expect(reader, &at, ',', "',' or ')'") || at == close))
            return hlo_expected(reader, at, "an operand such as %x");
    }
    return true;
}

static bool is_opcode(const struct hlo_reader *reader, const struct hlo_instruction *instruction,
                      const char *opcode)
{
    return hlo_is(reader, instruction->opcode, opcode);
}

// The token of the mark, if the instruction is a helper.
static uint32_t helper_mark(const struct hlo_reader *reader,
                            const struct hlo_instruction *instruction)
{
    struct hlo_attribute attribute;
    static const char mark[] = "\"" HLO_HELPER;
    if (!hlo_find_attribute(reader, instruction, "metadata", &attribute) ||
        attribute.end - attribute.value != 5 || !hlo_is(reader, attribute.value + 1, "op_name"))
        return 0;
    const struct hlo_token *token = &reader->tok.at[attribute.value + 3];
    bool marked = token->kind == H_STRING && token->len > sizeof mark - 1 &&
                  memcmp(reader->text + token->at, mark, sizeof mark - 1) == 0;
    return marked ? attribute.value + 3 : 0;
}

// A copy that is marked as a helper is its operand.
static bool is_relayout(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                        struct hlo_stated stated, struct hlo_value *value)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute metadata;
    if (helper_mark(reader, instruction) == 0 || reader->operand.len != 1 ||
        !hlo_next_attribute(reader, &at, instruction->end, &metadata) || at != instruction->end)
        return false;
    *value = reader->operand.at[0];
    value->constant = false;
    value->helper = 0;
    value->layout = stated.layout;
    return term_type(&reader->program->terms, value->term).v == stated.type.v;
}

bool hlo_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                struct hlo_stated stated, term_id *out)
{
    if (!hlo_opaque(reader, instruction, stated, true, out))
        return false;
    vec_push(&this_function(reader)->effects, *out);
    effect_settle(&reader->program->terms, reader->serial, reader->scope);
    return true;
}

// A table operator, or the text.
static bool read_operation(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                           struct hlo_stated stated, struct hlo_value *value)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    enum op op;
    bool stays = hlo_stays(reader, instruction);
    enum hlo_answer answer = HLO_OPAQUE;
    if (is_opcode(reader, instruction, "constant")) {
        answer = hlo_constant(reader, instruction, stated.type, &value->term);
        value->constant = answer == HLO_TERM;
    } else if (!stays && hlo_op(reader->text + opcode->at, opcode->len, &op)) {
        answer = hlo_operator(reader, instruction, op, stated, &value->term);
        if (answer == HLO_TERM && (op == OP_RESHAPE || op == OP_BROADCAST_IN_DIM)) {
            value->helper = helper_mark(reader, instruction);
            value->helped = reader->operand.at[0].term;
            value->reshapes = op == OP_RESHAPE;
        }
    }
    if (answer == HLO_FAILED)
        return false;
    if (answer == HLO_TERM && !stays)
        return true;
    value->constant = false;
    if (!stays)
        return hlo_opaque(reader, instruction, stated, false, &value->term);
    value->unnoted = value->n_elements = 0; // a tuple that stays is one value
    return hlo_effect(reader, instruction, stated, &value->term);
}

// Among operands stand parameters, constants, and operations that need no attribute.  Of operators
// that need one, what is lacking is said where it is read.
static bool may_be_inner(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    enum op op;
    return is_opcode(reader, instruction, "constant") || is_opcode(reader, instruction, "tuple") ||
           is_opcode(reader, instruction, "copy") || is_opcode(reader, instruction, "parameter") ||
           (hlo_op(reader->text + opcode->at, opcode->len, &op) && !op_has_reducer(op)) ||
           hlo_fail(reader, instruction->opcode,
                    "an instruction of this kind among operands: give it a line of its own");
}

static bool read_value(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                       struct hlo_value *value)
{
    uint32_t at = instruction->shape;
    struct hlo_stated stated;
    bool found = false, stays = hlo_stays(reader, instruction);
    if (instruction->name == instruction->opcode && !may_be_inner(reader, instruction))
        return false;
    if (instruction->shape == 0 ? !hlo_infer_shape(reader, instruction, &stated)
                                : !hlo_shape(reader, &at, &stated.type, &stated.layout))
        return false;
    value->layout = stated.layout;
    if (is_opcode(reader, instruction, "parameter") && reader->region != NO_REGION)
        return hlo_block_parameter(reader, instruction, stated, value);
    if (is_opcode(reader, instruction, "parameter"))
        return hlo_parameter(reader, instruction, stated, value);
    if (is_opcode(reader, instruction, "get-tuple-element") && !stays) {
        struct hlo_value element;
        if (!hlo_projection(reader, instruction, stated, &element, &found))
            return false;
        if (found) {
            *value = element;
            if (element.single || term_op(&reader->program->terms, element.term) == OP_RESULT)
                hlo_note_value(reader, instruction, value);
            return true;
        }
    }
    if (is_opcode(reader, instruction, "copy") && !stays) {
        struct hlo_value copied;
        if (!hlo_operands(reader, instruction))
            return false;
        if (is_relayout(reader, instruction, stated, &copied)) {
            *value = copied;
            return true;
        }
    }
    if (instruction->form != HLO_PLAIN) {
        struct hlo_value operation = *value;
        if (!hlo_structured(reader, instruction, stated, value, &operation.term))
            return false;
        term_settle(&reader->program->terms, operation.term, reader->scope);
        if (value->n_elements != 1) // the element has the name
            hlo_note_value(reader, instruction, &operation);
        return true;
    }
    if (is_opcode(reader, instruction, "tuple") && !hlo_tuple_operands(reader, instruction, value))
        return false;
    if (!read_operation(reader, instruction, stated, value))
        return false;
    term_settle(&reader->program->terms, value->term, reader->scope);
    if (value->unnoted == 0)
        hlo_note_value(reader, instruction, value);
    return true;
}

static void add_result(struct hlo_reader *reader, const struct hlo_value *value, sym_id layout)
{
    struct result result = {value->term, term_type(&reader->program->terms, value->term), layout};
    vec_push(&this_function(reader)->results, result);
}

// A tuple at the root gives several results.  What a call of terms gets is its elements, whatever
// instruction gives the tuple, in the default layout.
static bool read_root(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    struct hlo_value value = *find_value(reader, root->name);
    struct hlo_types types = {0};
    bool is_tuple = is_opcode(reader, root, "tuple") && !hlo_stays(reader, root), ok = true;
    struct buf attrs = {0};
    if (computation->called && hlo_root_is_tuple(reader, computation) && value.n_elements == 0)
        ok = (hlo_flat_shape(reader, root->shape, &types) ||
              hlo_expected(reader, root->opcode, "the shape of this operation")) &&
             hlo_elements(reader, &types, &value);
    if (value.n_elements > 0 || is_tuple) {
        buf_puts(&attrs, "tuple");
        if (is_tuple)
            hlo_put_attributes(reader, root->attrs, root->end, true, &attrs);
        for (uint32_t k = 0; k < value.n_elements; k++) {
            const struct hlo_value *element = &reader->element.at[value.elements + k];
            add_result(reader, element,
                       computation->called ? sym_make(reader->pool, "") : element->layout);
        }
    } else {
        add_result(reader, &value, value.layout);
    }
    if (computation->attrs != computation->end) {
        buf_putc(&attrs, '\n');
        hlo_put_attributes(reader, computation->attrs, computation->end, true, &attrs);
    }
    this_function(reader)->attrs = sym_make(reader->pool, buf_text(&attrs));
    buf_release(&attrs);
    vec_release(&types);
    return ok;
}

static void new_function(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    sym_id none = sym_make(reader->pool, "");
    struct function function = {
        .name = sym_make(reader->pool, intern_text(&reader->names, computation->name)),
        .visibility =
            sym_make(reader->pool, computation->entry                                  ? "public"
                                   : computation->n_named > 0 && !computation->by_text ? "private"
                                                                                       : "nested"),
        .attrs = none,
        .number = reader->program->functions.len,
        .serial = reader->serial};
    for (uint32_t i = 0; i < computation->n; i++)
        if (is_opcode(reader, &reader->instruction.at[computation->first + i], "parameter")) {
            struct param param = {none, NO_TYPE, none};
            vec_push(&function.params, param);
        }
    vec_push(&reader->program->functions, function);
}

static void forget(struct hlo_reader *reader)
{
    for (uint32_t k = 0; k < reader->bound.len; k++)
        reader->value_of.at[reader->bound.at[k]] = 0;
    hlo_forget_pinned(reader);
    vec_clear(&reader->bound);
    vec_clear(&reader->inner);
    vec_clear(&reader->value);
    vec_clear(&reader->element);
}

static bool read_instructions(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    hlo_find_pinned(reader, computation);
    for (uint32_t i = 0; i < computation->n; i++) {
        struct hlo_instruction instruction = reader->instruction.at[computation->first + i];
        struct hlo_value value = {0};
        // The printer makes tuples anew where only their elements are used.
        if (is_opcode(reader, &instruction, "tuple"))
            value.unnoted = computation->first + i + 1;
        if (!read_value(reader, &instruction, &value) || !bind(reader, &instruction, value))
            return false;
    }
    return true;
}

static sym_id where_of(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    return sym_make(reader->pool, intern_text(&reader->names, computation->name));
}

bool hlo_block(struct hlo_reader *reader, struct hlo_computation *computation, uint32_t region,
               uint32_t first_parameter)
{
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    uint32_t scope = scope_of_region(region);
    struct hlo_types types = {0};
    if (!hlo_regions(reader, computation, scope))
        return false;
    reader->scope = scope;
    reader->where = where_of(reader, computation);
    reader->region = region;
    reader->first_parameter = first_parameter;
    bool ok = hlo_bind_parameters(reader, computation) && read_instructions(reader, computation);
    computation->first_root = reader->root.len;
    if (ok) {
        struct hlo_value value = *find_value(reader, root->name);
        bool tuple = hlo_root_is_tuple(reader, computation);
        ok = !tuple || value.n_elements > 0 ||
             (hlo_flat_shape(reader, root->shape, &types) && hlo_elements(reader, &types, &value));
        for (uint32_t k = 0; ok && k < value.n_elements; k++)
            vec_push(&reader->root, reader->element.at[value.elements + k].term);
        if (ok && !tuple)
            vec_push(&reader->root, value.term);
    }
    computation->n_roots = reader->root.len - computation->first_root;
    vec_release(&types);
    forget(reader);
    return ok;
}

bool hlo_function(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    uint32_t scope = scope_of_function(reader->program->functions.len);
    if (!hlo_regions(reader, computation, scope))
        return false;
    new_function(reader, computation);
    reader->scope = scope;
    reader->where = where_of(reader, computation);
    reader->region = NO_REGION;
    if (!read_instructions(reader, computation))
        return false;
    hlo_name_parameters(reader);
    if (!read_root(reader, computation))
        return false;
    this_function(reader)->n_serials = reader->serial - this_function(reader)->serial;
    forget(reader);
    return true;
}
