// SPDX-License-Identifier: Apache-2.0
// Which computations have an effect, which are functions of the program, and which are one
// reducer.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/region.h"

struct hlo_computation *hlo_computation_at(struct hlo_reader *reader, uint32_t at)
{
    uint32_t name = hlo_name(reader, at);
    uint32_t k = name < reader->computation_of.len ? reader->computation_of.at[name] : 0;
    return k == 0 ? NULL : &reader->computation.at[k - 1];
}

// Must the words of the attribute be computations?
static bool is_call(const struct hlo_reader *reader, uint32_t key)
{
    static const char *const keys[] = {"to_apply",
                                       "calls",
                                       "body",
                                       "condition",
                                       "branch_computations",
                                       "true_computation",
                                       "false_computation",
                                       "called_computations",
                                       "select",
                                       "scatter"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (hlo_is(reader, key, keys[i]))
            return true;
    return false;
}

// The next computation that the attribute names, at or behind *at.
static bool next_call(struct hlo_reader *reader, const struct hlo_attribute *attribute,
                      uint32_t *at, struct hlo_computation **out)
{
    bool call = is_call(reader, attribute->key);
    for (; *at < attribute->end; ++*at) {
        if (!(call ? hlo_is_name(reader, *at) : hlo_kind(reader, *at) == H_NAME))
            continue;
        *out = hlo_computation_at(reader, *at);
        if (*out != NULL || call) {
            ++*at;
            return true;
        }
    }
    return false;
}

static bool instruction_is(const struct hlo_reader *reader,
                           const struct hlo_instruction *instruction, const char *opcode)
{
    return hlo_is(reader, instruction->opcode, opcode);
}

// The computations that these operations name may be rewritten.
static bool calls_functions(const struct hlo_reader *reader,
                            const struct hlo_instruction *instruction)
{
    return instruction_is(reader, instruction, "call") ||
           instruction_is(reader, instruction, "while") ||
           instruction_is(reader, instruction, "conditional");
}

static bool opcode_has_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    const struct hlo_token *opcode = &reader->tok.at[instruction->opcode];
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    if (!instruction_is(reader, instruction, "custom-call"))
        return !hlo_is_pure(reader->text + opcode->at, opcode->len);
    // XLA writes custom_call_has_side_effect only if it is true.
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute))
        if (hlo_is(reader, attribute.key, "output_to_operand_aliasing") ||
            (hlo_is(reader, attribute.key, "custom_call_has_side_effect") &&
             !hlo_is(reader, attribute.value, "false")))
            return true;
    return false;
}

// Notes the calls of one instruction of computation `self`.
static bool survey_instruction(struct hlo_reader *reader, uint32_t self,
                               const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    reader->computation.at[self].effect |= opcode_has_effect(reader, instruction);
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; next_call(reader, &attribute, &k, &callee);) {
            if (callee == NULL)
                return hlo_fail(reader, k - 1, "no computation of this name");
            struct hlo_edge edge = {self, callee->callers};
            vec_push(&reader->edge, edge);
            callee->callers = reader->edge.len;
            reader->computation.at[self].pending++;
            callee->n_named++;
        }
    }
    return true;
}

// A computation is pure if it has no effect itself and all computations that it names are
// known to be pure.
static void decide_effects(struct hlo_reader *reader)
{
    struct u32_vec ready = {0};
    for (uint32_t c = 0; c < reader->computation.len; c++)
        if (!reader->computation.at[c].effect && reader->computation.at[c].pending == 0)
            vec_push(&ready, c);
    while (ready.len > 0) {
        struct hlo_computation *computation = &reader->computation.at[vec_pop(&ready)];
        computation->pure = true;
        for (uint32_t e = computation->callers; e != 0; e = reader->edge.at[e - 1].next) {
            uint32_t c = reader->edge.at[e - 1].caller;
            struct hlo_computation *caller = &reader->computation.at[c];
            if (--caller->pending == 0 && !caller->effect)
                vec_push(&ready, c);
        }
    }
    vec_release(&ready);
}

void hlo_keep_named(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; next_call(reader, &attribute, &k, &callee);)
            callee->kept = true;
    }
}

// What a text names is text, too.
static bool close_texts(struct hlo_reader *reader)
{
    struct u32_vec work = {0};
    for (uint32_t c = 0; c < reader->computation.len; c++)
        if (reader->computation.at[c].text)
            vec_push(&work, c);
    while (work.len > 0) {
        const struct hlo_computation *computation = &reader->computation.at[vec_pop(&work)];
        for (uint32_t i = 0; i < computation->n; i++) {
            const struct hlo_instruction *instruction =
                &reader->instruction.at[computation->first + i];
            uint32_t at = instruction->attrs;
            struct hlo_attribute attribute;
            hlo_keep_named(reader, instruction);
            while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
                struct hlo_computation *callee;
                for (uint32_t k = attribute.value; next_call(reader, &attribute, &k, &callee);) {
                    if (!callee->text)
                        vec_push(&work, (uint32_t)(callee - reader->computation.at));
                    callee->text = true;
                }
            }
        }
    }
    vec_release(&work);
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        const struct hlo_computation *computation = &reader->computation.at[c];
        for (uint32_t i = 0; computation->text && i < computation->n; i++) {
            const struct hlo_instruction *instruction =
                &reader->instruction.at[computation->first + i];
            if (instruction->name == instruction->opcode)
                return hlo_fail(reader, instruction->opcode,
                                "an instruction among operands in a computation that stays text: "
                                "give it a line of its own");
        }
    }
    return true;
}

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
    if (!instruction_is(reader, instruction, "parameter") || !is_plain(reader, instruction))
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
static void find_reducer(struct hlo_reader *reader, struct hlo_computation *computation)
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

// Does the computation name others?
static bool names_others(struct hlo_reader *reader, const struct hlo_computation *computation)
{
    for (uint32_t i = 0; i < computation->n; i++) {
        const struct hlo_instruction *instruction = &reader->instruction.at[computation->first + i];
        uint32_t at = instruction->attrs;
        struct hlo_attribute attribute;
        while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
            struct hlo_computation *callee;
            uint32_t k = attribute.value;
            if (next_call(reader, &attribute, &k, &callee))
                return true;
        }
    }
    return false;
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
        block->attrs != block->end || is_region(reader, &reader->instruction.at[block->root]) ||
        names_others(reader, block))
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
    block->text = true; // if another text names it
}

bool hlo_has_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    if (opcode_has_effect(reader, instruction))
        return true;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; next_call(reader, &attribute, &k, &callee);)
            if (!callee->pure)
                return true;
    }
    return false;
}

// What the computations that the instruction names are.
static void decide_roles(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; next_call(reader, &attribute, &k, &callee);) {
            bool plain = instruction->form == HLO_PLAIN;
            callee->text |= plain && !calls_functions(reader, instruction);
            callee->function |= plain || hlo_is_call((enum hlo_form)instruction->form);
            callee->by_text |= plain;
        }
    }
}

bool hlo_survey(struct hlo_reader *reader)
{
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        struct hlo_computation computation = reader->computation.at[c];
        for (uint32_t i = 0; i < computation.n; i++)
            if (!survey_instruction(reader, c, &reader->instruction.at[computation.first + i]))
                return false;
    }
    for (uint32_t c = 0; c < reader->computation.len; c++) {
        struct hlo_computation *computation = &reader->computation.at[c];
        if (computation->entry && computation->n_named > 0)
            return hlo_fail(reader, computation->at, "the entry computation is called");
        computation->kept = computation->n_named == 0;
        computation->function = computation->kept;
        find_reducer(reader, computation);
    }
    decide_effects(reader);
    hlo_find_forms(reader);
    for (uint32_t i = 0; i < reader->instruction.len; i++)
        decide_roles(reader, &reader->instruction.at[i]);
    if (!close_texts(reader))
        return false;
    for (uint32_t i = 0; i < reader->instruction.len; i++) {
        struct hlo_instruction *instruction = &reader->instruction.at[i];
        if (hlo_is_call((enum hlo_form)instruction->form) && hlo_callee(reader, instruction)->text)
            instruction->form = HLO_PLAIN; // no function of the program
    }
    return true;
}
