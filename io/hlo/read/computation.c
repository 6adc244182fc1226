// SPDX-License-Identifier: Apache-2.0
// A computation as a function: parameters, instructions in order, the root.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/region.h"

static struct function *this_function(struct hlo_reader *reader)
{
    return &vec_last(&reader->program->functions);
}

static uint32_t this_scope(struct hlo_reader *reader)
{
    return scope_of_function(this_function(reader)->number);
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

// Finds an attribute; false if there is none.
static bool find_attribute(const struct hlo_reader *reader,
                           const struct hlo_instruction *instruction, const char *key,
                           struct hlo_attribute *out)
{
    uint32_t at = instruction->attrs;
    while (hlo_next_attribute(reader, &at, instruction->end, out))
        if (hlo_is(reader, out->key, key))
            return true;
    return false;
}

// Marks the instructions that others must come after.
static void find_pinned(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    for (uint32_t i = 0; i < computation->n; i++) {
        struct hlo_attribute attribute;
        if (!find_attribute(reader, &reader->instruction.at[computation->first + i],
                            "control-predecessors", &attribute))
            continue;
        for (uint32_t at = attribute.value; at < attribute.end; at++) {
            if (!hlo_is_name(reader, at))
                continue;
            uint32_t name = hlo_name(reader, at);
            while (reader->is_pinned.len <= name)
                vec_push(&reader->is_pinned, 0);
            reader->is_pinned.at[name] = 1;
            vec_push(&reader->pinned, name);
        }
    }
}

static bool is_pinned(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    if (instruction->name == instruction->opcode)
        return false;
    uint32_t name = hlo_name(reader, instruction->name);
    struct hlo_attribute attribute;
    return (name < reader->is_pinned.len && reader->is_pinned.at[name] != 0) ||
           find_attribute(reader, instruction, "control-predecessors", &attribute);
}

// parameter(k); its attributes and its layout become the parameter's.
static bool read_parameter(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                           struct hlo_stated stated, term_id *out)
{
    uint32_t at = instruction->open + 1;
    int64_t number;
    struct buf attrs = {0};
    struct err why = {0};
    struct function *function = this_function(reader);
    struct hlo_attribute attribute;
    if (find_attribute(reader, instruction, "control-predecessors", &attribute))
        return hlo_fail(reader, attribute.key, "a parameter that comes after an instruction");
    if (!hlo_int(reader, &at, &number))
        return false;
    if (at != reader->tok.at[instruction->open].match)
        return hlo_expected(reader, at, "')'");
    if (number < 0 || number >= function->params.len ||
        function->params.at[number].type.v != NO_TYPE.v)
        return hlo_fail(reader, instruction->open + 1,
                        "expected the parameters to have the numbers from 0 on, each once");
    buf_puts(&attrs, sym_text(reader->pool, stated.layout));
    hlo_put_attributes(reader, instruction->attrs, instruction->end, true, &attrs);
    const char *name = intern_text(&reader->names, hlo_name(reader, instruction->name));
    function->params.at[number] = (struct param){sym_make(reader->pool, name), stated.type,
                                                 sym_make(reader->pool, buf_text(&attrs))};
    buf_release(&attrs);
    int64_t values[2] = {function->number, number};
    struct operation operation = {OP_PARAMETER, attr_make(reader->pool, 2, values), stated.type, 0};
    return term_build(&reader->program->terms, operation, NULL, out, &why) ||
           hlo_fail(reader, instruction->opcode, "%s", why.msg);
}

// The operands of a tuple, in the layouts of its shape.
static bool read_elements(struct hlo_reader *reader, const struct hlo_instruction *instruction,
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
static bool read_projection(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                            struct hlo_stated stated, struct hlo_value *value, bool *found)
{
    struct hlo_attribute attribute;
    int64_t index;
    *found = false;
    if (!hlo_operands(reader, instruction))
        return false;
    if (!find_attribute(reader, instruction, "index", &attribute))
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

// The token of the mark, if the instruction is a helper.
static uint32_t helper_mark(const struct hlo_reader *reader,
                            const struct hlo_instruction *instruction)
{
    struct hlo_attribute attribute;
    static const char mark[] = "\"" HLO_HELPER;
    if (!find_attribute(reader, instruction, "metadata", &attribute) ||
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

// A table operator, or the text.
static bool read_operation(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                           struct hlo_stated stated, struct hlo_value *value)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    enum op op;
    bool effect = hlo_has_effect(reader, instruction), pinned = is_pinned(reader, instruction);
    enum hlo_answer answer = HLO_OPAQUE;
    if (is_opcode(reader, instruction, "constant")) {
        answer = hlo_constant(reader, instruction, stated.type, &value->term);
        value->constant = answer == HLO_TERM;
    } else if (!pinned && hlo_op(reader->text + opcode->at, opcode->len, &op)) {
        answer = hlo_operator(reader, instruction, op, stated, &value->term);
        if (answer == HLO_TERM && (op == OP_RESHAPE || op == OP_BROADCAST_IN_DIM)) {
            value->helper = helper_mark(reader, instruction);
            value->helped = reader->operand.at[0].term;
            value->reshapes = op == OP_RESHAPE;
        }
    }
    if (answer == HLO_FAILED)
        return false;
    if (answer == HLO_TERM && !pinned)
        return true;
    value->constant = false;
    if (!hlo_opaque(reader, instruction, stated, effect || pinned, &value->term))
        return false;
    if (effect || pinned) {
        vec_push(&this_function(reader)->effects, value->term);
        effect_settle(&reader->program->terms, reader->serial, this_scope(reader));
    }
    return true;
}

// The name, layout and metadata of a term that has none yet.
static void note(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                 const struct hlo_value *value)
{
    struct hlo_attribute attribute;
    sym_id none = sym_make(reader->pool, ""), metadata = none;
    if (value->helper != 0 || instruction->name == instruction->opcode)
        return;
    if (find_attribute(reader, instruction, "metadata", &attribute))
        metadata = hlo_keep(reader, attribute.value, attribute.end);
    const char *name = intern_text(&reader->names, hlo_name(reader, instruction->name));
    bool is_text = term_op(&reader->program->terms, value->term) == OP_OPAQUE;
    program_note(reader->program, (struct term_note){value->term, sym_make(reader->pool, name),
                                                     is_text ? none : value->layout, metadata});
}

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
static bool infer_shape(struct hlo_reader *reader, const struct hlo_instruction *instruction,
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
    if (is_opcode(reader, instruction, "tuple")) {
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
    if (operand != NULL && is_opcode(reader, instruction, "copy")) {
        out->type = term_type(&reader->program->terms, operand->term);
        out->layout = operand->layout;
        return true;
    }
    if (operand != NULL && is_opcode(reader, instruction, "get-tuple-element") &&
        find_attribute(reader, instruction, "index", &attribute) &&
        hlo_int(reader, &attribute.value, &index) && index >= 0 && index < operand->n_elements) {
        const struct hlo_value *element = &reader->element.at[operand->elements + index];
        *out =
            (struct hlo_stated){term_type(&reader->program->terms, element->term), element->layout};
        return true;
    }
    return reader->err->kind == ERR_NONE &&
           hlo_expected(reader, instruction->opcode, "the shape of this operation");
}

// Among operands stand constants, and operations that need no attribute.
static bool may_be_inner(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    enum op op;
    return is_opcode(reader, instruction, "constant") || is_opcode(reader, instruction, "tuple") ||
           is_opcode(reader, instruction, "copy") ||
           (hlo_op(reader->text + opcode->at, opcode->len, &op) && op_is_elementwise(op) &&
            op != OP_COMPARE) ||
           hlo_fail(reader, instruction->opcode,
                    "an instruction of this kind among operands: give it a line of its own");
}

static bool read_value(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                       struct hlo_value *value)
{
    uint32_t at = instruction->shape;
    struct hlo_stated stated;
    bool found = false, pinned = is_pinned(reader, instruction);
    if (instruction->name == instruction->opcode && !may_be_inner(reader, instruction))
        return false;
    if (instruction->shape == 0 ? !infer_shape(reader, instruction, &stated)
                                : !hlo_shape(reader, &at, &stated.type, &stated.layout))
        return false;
    value->layout = stated.layout;
    if (is_opcode(reader, instruction, "parameter"))
        return read_parameter(reader, instruction, stated, &value->term);
    if (is_opcode(reader, instruction, "get-tuple-element") && !pinned) {
        struct hlo_value element;
        if (!read_projection(reader, instruction, stated, &element, &found))
            return false;
        if (found) {
            *value = element;
            return true;
        }
    }
    if (is_opcode(reader, instruction, "copy") && !pinned) {
        struct hlo_value copied;
        if (!hlo_operands(reader, instruction))
            return false;
        if (is_relayout(reader, instruction, stated, &copied)) {
            *value = copied;
            return true;
        }
    }
    if (is_opcode(reader, instruction, "tuple") && !read_elements(reader, instruction, value))
        return false;
    if (!read_operation(reader, instruction, stated, value))
        return false;
    term_settle(&reader->program->terms, value->term, this_scope(reader));
    note(reader, instruction, value);
    return true;
}

static void add_result(struct hlo_reader *reader, const struct hlo_value *value)
{
    struct result result = {value->term, term_type(&reader->program->terms, value->term),
                            value->layout};
    vec_push(&this_function(reader)->results, result);
}

// A tuple at the root gives several results.
static void read_root(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    const struct hlo_instruction *root = &reader->instruction.at[computation->root];
    const struct hlo_value *value = find_value(reader, root->name);
    struct buf attrs = {0};
    if (is_opcode(reader, root, "tuple") && !is_pinned(reader, root)) {
        buf_puts(&attrs, "tuple");
        hlo_put_attributes(reader, root->attrs, root->end, true, &attrs);
        for (uint32_t k = 0; k < value->n_elements; k++)
            add_result(reader, &reader->element.at[value->elements + k]);
    } else {
        add_result(reader, value);
    }
    if (computation->attrs != computation->end) {
        buf_putc(&attrs, '\n');
        hlo_put_attributes(reader, computation->attrs, computation->end, true, &attrs);
    }
    this_function(reader)->attrs = sym_make(reader->pool, buf_text(&attrs));
    buf_release(&attrs);
}

static void new_function(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    sym_id none = sym_make(reader->pool, "");
    struct function function = {
        .name = sym_make(reader->pool, intern_text(&reader->names, computation->name)),
        .visibility = sym_make(reader->pool, computation->entry ? "public" : "nested"),
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
    for (uint32_t k = 0; k < reader->pinned.len; k++)
        reader->is_pinned.at[reader->pinned.at[k]] = 0;
    vec_clear(&reader->bound);
    vec_clear(&reader->pinned);
    vec_clear(&reader->inner);
    vec_clear(&reader->value);
    vec_clear(&reader->element);
}

bool hlo_function(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    new_function(reader, computation);
    find_pinned(reader, computation);
    for (uint32_t i = 0; i < computation->n; i++) {
        struct hlo_instruction instruction = reader->instruction.at[computation->first + i];
        struct hlo_value value = {0};
        if (!read_value(reader, &instruction, &value) || !bind(reader, &instruction, value))
            return false;
    }
    read_root(reader, computation);
    this_function(reader)->n_serials = reader->serial - this_function(reader)->serial;
    forget(reader);
    return true;
}
