// SPDX-License-Identifier: Apache-2.0
// Which computations have an effect, and which are functions of the program.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"

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

bool hlo_next_call(struct hlo_reader *reader, const struct hlo_attribute *attribute, uint32_t *at,
                   struct hlo_computation **out)
{
    bool call = is_call(reader, attribute->key);
    // Predecessors are instructions, which may have the names of computations.
    if (hlo_is(reader, attribute->key, "metadata") ||
        hlo_is(reader, attribute->key, "control-predecessors"))
        return false;
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
        for (uint32_t k = attribute.value; hlo_next_call(reader, &attribute, &k, &callee);) {
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
        for (uint32_t k = attribute.value; hlo_next_call(reader, &attribute, &k, &callee);)
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
                for (uint32_t k = attribute.value;
                     hlo_next_call(reader, &attribute, &k, &callee);) {
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

bool hlo_has_effect(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    if (opcode_has_effect(reader, instruction))
        return true;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; hlo_next_call(reader, &attribute, &k, &callee);)
            if (!callee->pure)
                return true;
    }
    return false;
}

// Is the instruction a fold of one operand by an operator?  As a term it needs no computation.
static bool is_operator_fold(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                             const struct hlo_computation *body)
{
    bool scatter = instruction_is(reader, instruction, "scatter");
    return (scatter || instruction_is(reader, instruction, "reduce") ||
            instruction_is(reader, instruction, "reduce-window")) &&
           hlo_is_operator(body, scatter);
}

// What the computations that the instruction names are.
static void decide_roles(struct hlo_reader *reader, const struct hlo_instruction *instruction)
{
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    while (hlo_next_attribute(reader, &at, instruction->end, &attribute)) {
        struct hlo_computation *callee;
        for (uint32_t k = attribute.value; hlo_next_call(reader, &attribute, &k, &callee);) {
            bool plain = instruction->form == HLO_PLAIN;
            bool folds = plain && is_operator_fold(reader, instruction, callee);
            callee->text |= plain && !folds && !calls_functions(reader, instruction);
            callee->function |= (plain && !folds) || hlo_is_call((enum hlo_form)instruction->form);
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
        const struct hlo_instruction *root = &reader->instruction.at[computation->root];
        if (computation->entry && computation->n_named > 0)
            return hlo_fail(reader, computation->at, "the entry computation is called");
        // These have the shape of an instruction that is not read yet.
        if (computation->n_named > 0 && root->shape == 0 &&
            (instruction_is(reader, root, "copy") ||
             instruction_is(reader, root, "get-tuple-element")))
            return hlo_fail(reader, root->opcode,
                            "expected the shape of this operation: it is the root of a "
                            "computation that others name");
        computation->kept = computation->n_named == 0;
        computation->function = computation->kept;
        hlo_find_reducer(reader, computation);
    }
    decide_effects(reader);
    hlo_find_forms(reader);
    for (uint32_t i = 0; i < reader->instruction.len; i++)
        decide_roles(reader, &reader->instruction.at[i]);
    if (!close_texts(reader))
        return false;
    for (uint32_t i = 0; i < reader->instruction.len; i++) {
        struct hlo_instruction *instruction = &reader->instruction.at[i];
        if (!hlo_is_call((enum hlo_form)instruction->form))
            continue;
        struct hlo_computation *callee = hlo_callee(reader, instruction);
        if (callee->text)
            instruction->form = HLO_PLAIN; // no function of the program
        callee->called |= !callee->text;
    }
    return true;
}
