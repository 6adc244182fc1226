// SPDX-License-Identifier: Apache-2.0
// Which computations are one operator of two scalars.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/region.h"

// Has the instruction no attribute but metadata?
static bool is_plain(const struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute))
        if (!hlo_is(reader, attribute.key, "metadata"))
            return false;
    return true;
}

// The number of a parameter; -1: another instruction.
static int parameter_of(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    if (!hlo_is(reader, instruction->opcode, "parameter") || !is_plain(reader, instruction))
        return -1;
    return hlo_is(reader, instruction->open + 1, "0")   ? 0
           : hlo_is(reader, instruction->open + 1, "1") ? 1
                                                        : -1;
}

// The element type of a scalar instruction; ELEM_OTHER: it is no scalar of a term's type.
static enum elem scalar_of(const struct hlo_reader *reader,
                           const struct hlo_instruction *instruction)
{
    const struct hlo_token *word = &reader->tok.at[instruction->shape];
    enum elem elem;
    bool scalar = word->kind == H_WORD && word[1].kind == '[' && word[2].kind == ']' &&
                  hlo_element(reader->text + word->at, word->len, &elem);
    return scalar ? elem : ELEM_OTHER;
}

// The names of the operands [shape] a, [shape] b.
static bool two_operands(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                         uint32_t *first, uint32_t *second)
{
    uint32_t at = instruction->open + 1, *name[2] = {first, second};
    for (int k = 0; k < 2; k++) {
        if (hlo_kind(reader, at) == H_WORD && hlo_kind(reader, at + 1) == '[')
            at = reader->tok.at[at + 1].match + 1;
        if (hlo_kind(reader, at) == '{') // the layout of a scalar
            at = reader->tok.at[at].match + 1;
        if (!hlo_is_name(reader, at))
            return false;
        *name[k] = hlo_name(reader, at++);
        if (k == 0 && !hlo_accept(reader, &at, ','))
            return false;
    }
    return at == reader->tok.at[instruction->open].match;
}

// Did the printer mark the root as that of a region?
static bool is_region(const struct hlo_reader *reader, const struct hlo_instruction *root)
{
    static const char mark[] = "\"" HLO_REGION "\"";
    struct hlo_attribute attribute;
    if (!reader->output || !hlo_find_attribute(reader, root, "metadata", &attribute) ||
        attribute.end - attribute.value != 5 || !hlo_is(reader, attribute.value + 1, "op_name"))
        return false;
    return hlo_is(reader, attribute.value + 3, mark);
}

// Two scalar parameters, and op(p0, p1); or the root is the second one.
void hlo_find_reducer(struct hlo_reader *reader, struct hlo_computation *computation)
{
    const struct hlo_instruction *at = &reader->instruction.at[computation->first], *root;
    uint32_t name[2] = {0};
    unsigned seen = 0;
    enum op op = N_OPS;
    uint32_t first, second;
    root = &reader->instruction.at[computation->root];
    // A root without a shape has that of its operands.
    enum elem elem = scalar_of(reader, root->shape != 0 ? root : at);
    for (uint32_t i = 0; i < computation->n; i++) {
        int number = parameter_of(reader, &at[i]);
        if ((at[i].shape != 0 && scalar_of(reader, &at[i]) != elem) ||
            (number < 0 && &at[i] != root))
            return;
        if (number >= 0) {
            seen |= 1u << number;
            name[number] = hlo_name(reader, at[i].name);
        }
    }
    if (seen != 3 || computation->attrs != computation->end || is_region(reader, root))
        return;
    if (computation->n == 2 && parameter_of(reader, root) == 1) {
        computation->reducer = N_OPS;
        computation->elem = elem;
        return;
    }
    const struct hlo_token *opcode = &reader->tok.at[root->opcode];
    if (computation->n != 3 || !is_plain(reader, root) ||
        !hlo_op(reader->text + opcode->at, opcode->len, &op) || !op_is_reducer(op) ||
        !two_operands(reader, root, &first, &second))
        return;
    if ((first == name[0] && second == name[1]) || (first == name[1] && second == name[0])) {
        computation->reducer = op;
        computation->elem = elem;
    }
}

// The number of a parameter of the block's region; -1: another term.
static int64_t parameter_number(const struct hlo_reader *reader,
                                const struct hlo_computation *block, term_id term)
{
    const struct term *node = term_at(&reader->program->terms, term);
    const int64_t *values = attr_at(reader->pool, node->attr);
    bool own = node->op == OP_PARAMETER && values[0] == PARAMETER_OF_REGION(block->region - 1);
    return own ? values[1] : -1;
}

void hlo_find_operator(struct hlo_reader *reader, struct hlo_computation *block)
{
    const struct terms *terms = &reader->program->terms;
    if (block->elem != ELEM_OTHER || block->n_roots != 1 || block->n_bound != 2 ||
        block->attrs != block->end || is_region(reader, &reader->instruction.at[block->root]))
        return;
    term_id root = reader->root.at[block->first_root];
    const struct term *node = term_at(terms, root);
    const term_id *args = term_args(terms, root);
    if (!type_is_tensor(reader->pool, node->type))
        return;
    if (parameter_number(reader, block, root) == 1)
        block->reducer = N_OPS;
    else if (op_is_reducer((enum op)node->op) && node->n_args == 2 &&
             parameter_number(reader, block, args[0]) + parameter_number(reader, block, args[1]) ==
                 1 &&
             args[0].v != args[1].v)
        block->reducer = (enum op)node->op;
    else
        return;
    block->elem = type_elem(reader->pool, node->type);
}
