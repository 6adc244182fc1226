// SPDX-License-Identifier: Apache-2.0
// Calls and operations with regions as terms, the same as those of StableHLO's text: an HLO while
// is a stablehlo.while over the elements of its tuple.  A computation sees nothing from outside,
// so the regions are isolated.
#include "io/hlo/element.h"
#include "io/hlo/read/reader.h"
#include "tensor/program/call.h"
#include "tensor/program/region.h"

#include <inttypes.h>

// An operation that is being made: its template, its arguments and its attribute.
struct structure {
    struct hlo_reader *reader;
    struct buf text;
    struct i64_vec attr;
    VEC(term_id) args;
    struct hlo_types types;   // of the operands
    struct hlo_types results; // as the instruction states them
};

static void put_types(struct structure *structure, const struct hlo_types *types)
{
    for (uint32_t k = 0; k < types->len; k++) {
        buf_puts(&structure->text, k > 0 ? ", " : "");
        type_print(structure->reader->pool, types->at[k], &structure->text);
    }
}

// The operand of a conditional's branch, or the elements of its tuple, in the place of the operand.
static bool take_branch(struct structure *structure, const struct hlo_computation *branch,
                        struct hlo_value operand, struct hlo_values *out)
{
    struct hlo_reader *reader = structure->reader;
    struct hlo_types types = {0};
    const struct term *node = term_at(&reader->program->terms, operand.term);
    bool ok = true;
    if (branch->takes_tuple) {
        for (uint32_t k = 0; k < branch->n_bound; k++)
            vec_push(&types, reader->bound_type.at[branch->bound_at + k]);
        ok = !type_is_tensor(reader->pool, node->type) && hlo_elements(reader, &types, &operand) &&
             operand.n_elements == branch->n_bound;
        for (uint32_t k = 0; ok && k < operand.n_elements; k++)
            vec_push(out, reader->element.at[operand.elements + k]);
    } else {
        vec_push(out, operand);
    }
    vec_release(&types);
    return ok;
}

static bool take_branches(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    struct hlo_values all = {0};
    struct hlo_computation *branch;
    uint32_t b = 0;
    bool ok = reader->operand.len > 0;
    if (ok)
        vec_push(&all, reader->operand.at[0]);
    for (; ok && (branch = hlo_branch(reader, instruction, b)) != NULL; b++)
        ok = b + 1 < reader->operand.len &&
             take_branch(structure, branch, reader->operand.at[b + 1], &all);
    ok = ok && b + 1 == reader->operand.len;
    vec_clear(&reader->operand);
    for (uint32_t k = 0; ok && k < all.len; k++)
        vec_push(&reader->operand, all.at[k]);
    vec_release(&all);
    return ok || hlo_fail(reader, instruction->opcode,
                          "expected an index and an operand of its shape for each branch");
}

// The operands: those that the instruction has, or the elements of its tuple.
static bool take_operands(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    if (!hlo_operands(reader, instruction))
        return false;
    if (instruction->form == HLO_WHILE) {
        if (reader->operand.len != 1)
            return hlo_fail(reader, instruction->opcode, "expected one operand, found %u",
                            reader->operand.len);
        struct hlo_value tuple = reader->operand.at[0];
        if (!hlo_elements(reader, &structure->results, &tuple))
            return false;
        vec_clear(&reader->operand);
        for (uint32_t k = 0; k < tuple.n_elements; k++)
            vec_push(&reader->operand, reader->element.at[tuple.elements + k]);
    }
    if (instruction->form == HLO_CONDITIONAL && !take_branches(structure, instruction))
        return false;
    for (uint32_t k = 0; k < reader->operand.len; k++) {
        term_id term = reader->operand.at[k].term;
        vec_push(&structure->args, term);
        vec_push(&structure->types, term_type(&reader->program->terms, term));
        buf_puts(&structure->text, k > 0 ? ", " : "");
        if (instruction->form == HLO_WHILE)
            buf_printf(&structure->text, "%%{.%u} = ", k);
        buf_printf(&structure->text, "%%{%u}", k);
    }
    return true;
}

static bool operand_fails(struct structure *structure, const struct hlo_instruction *instruction,
                          uint32_t k)
{
    return hlo_fail(structure->reader, instruction->opcode,
                    "operand %u has a shape that the operation does not take", k);
}

// An index or a truth value, and what the branches get.
static bool check_branches(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    const struct hlo_types *have = &structure->types;
    const struct hlo_computation *branch;
    uint32_t at = 1, n = 0;
    for (; (branch = hlo_branch(reader, instruction, n)) != NULL; n++)
        for (uint32_t k = 0; k < branch->n_bound; k++, at++)
            if (have->at[at].v != reader->bound_type.at[branch->bound_at + k].v)
                return operand_fails(structure, instruction, n + 1);
    enum elem elem = type_elem(reader->pool, have->at[0]);
    return (type_is_tensor(reader->pool, have->at[0]) &&
            type_rank(reader->pool, have->at[0]) == 0 &&
            (elem == ELEM_I32 || (elem == ELEM_I1 && n == 2))) ||
           operand_fails(structure, instruction, 0);
}

// Do the operands fit the computation and the result?
static bool check_operands(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    const struct hlo_types *have = &structure->types, *results = &structure->results;
    bool folds = instruction->form == HLO_REDUCE || instruction->form == HLO_WINDOW;
    bool scatters = instruction->form == HLO_SCATTER;
    uint32_t n = scatters ? 2 * results->len + 1 : folds ? 2 * results->len : results->len;
    const type_id *bound = NULL;
    if (instruction->form == HLO_CONDITIONAL)
        return check_branches(structure, instruction);
    if (instruction->form == HLO_MAP || hlo_is_call((enum hlo_form)instruction->form)) {
        const struct hlo_computation *named = hlo_callee(reader, instruction);
        n = named->n_bound;
        bound = n > 0 ? reader->bound_type.at + named->bound_at : NULL;
    }
    if (have->len != n)
        return hlo_fail(reader, instruction->opcode, "expected %u operands, found %u", n,
                        have->len);
    for (uint32_t k = 0; k < n; k++) {
        if (!type_is_tensor(reader->pool, have->at[k]))
            return operand_fails(structure, instruction, k);
        enum elem elem = type_elem(reader->pool, have->at[k]);
        bool fits = true;
        if (instruction->form == HLO_WHILE || instruction->form == HLO_SORT)
            fits = have->at[k].v == results->at[k].v;
        else if (hlo_is_call((enum hlo_form)instruction->form))
            fits = have->at[k].v == bound[k].v;
        else if (instruction->form == HLO_MAP)
            fits = elem == type_elem(reader->pool, bound[k]) &&
                   type_same_shape(reader->pool, have->at[k], results->at[0]);
        else if (scatters) // operands, indices, updates
            fits = k == results->len ||
                   elem == type_elem(reader->pool, results->at[k % (results->len + 1)]);
        else if (folds)
            fits = elem == type_elem(reader->pool, results->at[k % results->len]) &&
                   (k < results->len || type_rank(reader->pool, have->at[k]) == 0);
        if (!fits)
            return operand_fails(structure, instruction, k);
    }
    return true;
}

// The type that block b of the operation returns at place k.
static type_id returned_type(const struct structure *structure, enum hlo_form form, uint32_t b,
                             uint32_t k)
{
    struct pool *pool = structure->reader->pool;
    struct err why = {0};
    type_id type;
    enum elem elem = ELEM_I1;
    if (form == HLO_WHILE && b == 1)
        return structure->types.at[k];
    if (form == HLO_CONDITIONAL)
        return structure->results.at[k];
    if (form != HLO_WHILE && form != HLO_SORT)
        elem = type_elem(pool, structure->results.at[k]);
    type_tensor(pool, elem, 0, NULL, &type, &why);
    return type;
}

// The text may not state what a computation returns.
static bool check_returned(const struct structure *structure,
                           const struct hlo_computation *computation, enum hlo_form form,
                           uint32_t b)
{
    struct hlo_reader *reader = structure->reader;
    bool several = form == HLO_REDUCE || form == HLO_WINDOW || form == HLO_SCATTER ||
                   form == HLO_CONDITIONAL || (form == HLO_WHILE && b == 1);
    bool ok = computation->n_roots == (several ? structure->results.len : 1);
    for (uint32_t k = 0; ok && k < computation->n_roots; k++)
        ok = term_type(&reader->program->terms, reader->root.at[computation->first_root + k]).v ==
             returned_type(structure, form, b, k).v;
    return ok || hlo_fail(reader, computation->at,
                          "the computation returns a shape that its operation does not take");
}

// "^bb0(%{.0}: type, ..):"
static void put_parameters(struct structure *structure, const struct hlo_computation *computation,
                           uint32_t first)
{
    struct hlo_reader *reader = structure->reader;
    buf_puts(&structure->text, "\n^bb0(");
    for (uint32_t k = 0; k < computation->n_bound; k++) {
        buf_printf(&structure->text, "%s%%{.%u}: ", k > 0 ? ", " : "", first + k);
        type_print(reader->pool, reader->bound_type.at[computation->bound_at + k],
                   &structure->text);
    }
    buf_puts(&structure->text, "):");
}

// The block of a computation that was read.  Both blocks of a loop bind the same parameters.
static void put_block(struct structure *structure, const struct hlo_computation *computation,
                      uint32_t b, bool loop, uint32_t first_parameter)
{
    struct hlo_reader *reader = structure->reader;
    const struct terms *terms = &reader->program->terms;
    struct buf *out = &structure->text;
    uint32_t first = structure->args.len;
    buf_putc(out, '{');
    if (!loop)
        put_parameters(structure, computation, first_parameter);
    buf_printf(out, "\n  %%{:%u}\n  stablehlo.return ", b);
    for (uint32_t k = 0; k < computation->n_roots; k++) {
        buf_printf(out, "%s%%{%u}", k > 0 ? ", " : "", structure->args.len);
        vec_push(&structure->args, reader->root.at[computation->first_root + k]);
    }
    for (uint32_t k = 0; k < computation->n_roots; k++) {
        buf_puts(out, k > 0 ? ", " : " : ");
        type_print(reader->pool, term_type(terms, structure->args.at[first + k]), out);
    }
    buf_puts(out, "\n}");
    int64_t block[OPAQUE_BLOCK] = {first, computation->n_roots, 0, first_parameter,
                                   computation->n_bound};
    for (int k = 0; k < OPAQUE_BLOCK; k++)
        vec_push(&structure->attr, block[k]);
}

// " <{dimension = 0 : i64, is_stable = true}>"
static bool put_properties(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    struct hlo_attribute attribute;
    struct buf *out = &structure->text;
    int64_t number;
    bool sort = instruction->form == HLO_SORT, first = true;
    if (!hlo_find_attribute(reader, instruction, "dimensions", &attribute) ||
        hlo_kind(reader, attribute.value) != '{')
        return hlo_fail(reader, instruction->opcode, "this operation lacks its dimensions");
    buf_puts(out, sort ? " <{dimension = " : " <{dimensions = array<i64");
    for (uint32_t at = attribute.value + 1; at + 1 < attribute.end; first = false) {
        if ((!first && !hlo_expect(reader, &at, ',', "','")) || !hlo_int(reader, &at, &number))
            return false;
        if (sort && !first)
            return hlo_fail(reader, at - 1, "a sort along two dimensions");
        buf_printf(out, "%s%" PRId64, sort ? "" : first ? ": " : ", ", number);
    }
    if (sort && first)
        return hlo_fail(reader, instruction->opcode, "this operation lacks its dimension");
    bool stable = hlo_find_attribute(reader, instruction, "is_stable", &attribute) &&
                  hlo_is(reader, attribute.value, "true");
    if (sort)
        buf_printf(out, " : i64, is_stable = %s}>", stable ? "true" : "false");
    else
        buf_puts(out, ">}>");
    return true;
}

// ") : types cond {..} do {..}"
static bool put_loop(struct structure *structure, const struct hlo_instruction *instruction)
{
    const struct hlo_computation *go = hlo_block_read(structure->reader, instruction, 0);
    if (!check_returned(structure, go, HLO_WHILE, 0))
        return false;
    buf_puts(&structure->text, ") : ");
    put_types(structure, &structure->types);
    buf_puts(&structure->text, " cond ");
    vec_push(&structure->attr, go->region - 1);
    put_block(structure, go, 0, true, 0);
    const struct hlo_computation *body = hlo_block_read(structure->reader, instruction, 1);
    if (!check_returned(structure, body, HLO_WHILE, 1))
        return false;
    buf_puts(&structure->text, " do ");
    put_block(structure, body, 1, true, 0);
    return true;
}

// " ({..}, {..})"
static bool put_blocks(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    const struct hlo_computation *block;
    uint32_t first_parameter = 0;
    vec_push(&structure->attr, hlo_block_read(reader, instruction, 0)->region - 1);
    for (uint32_t b = 0; (block = hlo_block_read(reader, instruction, b)) != NULL; b++) {
        if (!check_returned(structure, block, (enum hlo_form)instruction->form, b))
            return false;
        buf_puts(&structure->text, b == 0 ? " (" : ", ");
        put_block(structure, block, b, false, first_parameter);
        first_parameter += block->n_bound;
    }
    buf_putc(&structure->text, ')');
    return true;
}

// What stands between operands and blocks.
static bool put_middle(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    uint32_t at = instruction->attrs;
    struct hlo_attribute attribute;
    switch ((enum hlo_form)instruction->form) {
    case HLO_FUSION:
        (void)hlo_find_attribute(reader, instruction, "kind", &attribute);
        buf_puts(&structure->text, " {" HLO_FUSION_KIND " = \"");
        hlo_emit(reader, attribute.value, attribute.end, &structure->text);
        buf_puts(&structure->text, "\"}");
        return true;
    case HLO_WINDOW: // HLO's own attributes
    case HLO_SCATTER:
        buf_puts(&structure->text, " <");
        while (hlo_next_attribute(reader, &at, instruction->end, &attribute))
            if (!hlo_is(reader, attribute.key, "to_apply"))
                hlo_put_attributes(reader, attribute.key - 1, attribute.end, false,
                                   &structure->text);
        buf_putc(&structure->text, '>');
        return true;
    case HLO_SORT:
    case HLO_MAP:
    case HLO_REDUCE:
        return put_properties(structure, instruction);
    case HLO_PLAIN:
    case HLO_CALL:
    case HLO_WHILE:
    case HLO_CONDITIONAL:
        break;
    }
    return true;
}

// ") ({..}) : (types) -> types"
static bool put_rest(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct hlo_reader *reader = structure->reader;
    struct buf *out = &structure->text;
    buf_putc(out, ')');
    if (!put_middle(structure, instruction) ||
        (!hlo_is_call((enum hlo_form)instruction->form) && !put_blocks(structure, instruction)))
        return false;
    buf_puts(out, " : (");
    put_types(structure, &structure->types);
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    buf_puts(out, tuple ? ") -> (" : ") -> ");
    put_types(structure, &structure->results);
    buf_puts(out, tuple ? ")" : "");
    return true;
}

static bool put_operation(struct structure *structure, const struct hlo_instruction *instruction)
{
    static const char *const names[] = {[HLO_PLAIN] = "",
                                        [HLO_CALL] = "func.call @",
                                        [HLO_FUSION] = "func.call @",
                                        [HLO_WHILE] = "stablehlo.while(",
                                        [HLO_SORT] = "\"stablehlo.sort\"(",
                                        [HLO_MAP] = "\"stablehlo.map\"(",
                                        [HLO_REDUCE] = "\"stablehlo.reduce\"(",
                                        [HLO_WINDOW] = "\"hlo.reduce-window\"(",
                                        [HLO_SCATTER] = "\"hlo.scatter\"(",
                                        [HLO_CONDITIONAL] = "\"hlo.conditional\"("};
    struct hlo_reader *reader = structure->reader;
    buf_puts(&structure->text, names[instruction->form]);
    if (hlo_is_call((enum hlo_form)instruction->form)) {
        const struct hlo_computation *function = hlo_callee(reader, instruction);
        buf_printf(&structure->text, "%s(", intern_text(&reader->names, function->name));
    }
    if (!take_operands(structure, instruction) || !check_operands(structure, instruction))
        return false;
    return instruction->form == HLO_WHILE ? put_loop(structure, instruction)
                                          : put_rest(structure, instruction);
}

static void note_callee(struct structure *structure, const struct hlo_instruction *instruction)
{
    struct program *program = structure->reader->program;
    const struct hlo_computation *function = hlo_callee(structure->reader, instruction);
    sym_id text = sym_make(program->pool, buf_text(&structure->text));
    while (program->callee_of.len <= text.v)
        vec_push(&program->callee_of, 0);
    if (program->callee_of.at[text.v] != 0)
        return;
    struct callee callee = {
        text, sym_make(program->pool, intern_text(&structure->reader->names, function->name)), 0,
        NO_FUNCTION};
    vec_push(&program->callees, callee);
    program->callee_of.at[text.v] = program->callees.len;
}

static bool make_term(struct structure *structure, const struct hlo_instruction *instruction,
                      term_id *out)
{
    struct hlo_reader *reader = structure->reader;
    const struct hlo_types *results = &structure->results;
    struct err why = {0};
    int64_t plain[OPAQUE_PLAIN] = {sym_make(reader->pool, buf_text(&structure->text)).v,
                                   results->len, 0};
    struct i64_vec attr = {0};
    for (int k = 0; k < OPAQUE_PLAIN; k++)
        vec_push(&attr, plain[k]);
    for (uint32_t k = 0; k < structure->attr.len; k++)
        vec_push(&attr, structure->attr.at[k]);
    type_id type =
        results->len == 1 ? results->at[0] : type_tuple(reader->pool, results->len, results->at);
    struct operation operation = {OP_OPAQUE, attr_make(reader->pool, attr.len, attr.at), type,
                                  structure->args.len};
    bool ok = term_build(&reader->program->terms, operation, structure->args.at, out, &why) ||
              hlo_fail(reader, instruction->opcode, "%s", why.msg);
    vec_release(&attr);
    return ok;
}

bool hlo_structured(struct hlo_reader *reader, const struct hlo_instruction *instruction,
                    struct hlo_stated stated, struct hlo_value *value, term_id *node)
{
    struct structure structure = {.reader = reader};
    bool tuple = hlo_kind(reader, instruction->shape) == '(';
    bool ok = (hlo_flat_shape(reader, instruction->shape, &structure.results) ||
               hlo_expected(reader, instruction->shape, "the shape of arrays")) &&
              put_operation(&structure, instruction) && make_term(&structure, instruction, node);
    if (ok && hlo_is_call((enum hlo_form)instruction->form))
        note_callee(&structure, instruction);
    value->term = ok ? *node : NO_TERM;
    if (ok && tuple) {
        value->elements = reader->element.len;
        value->n_elements = structure.results.len;
        for (uint32_t k = 0; k < value->n_elements; k++) {
            struct hlo_value element = {.layout = sym_make(reader->pool, ""),
                                        .single = value->n_elements == 1};
            element.term = call_result(&reader->program->terms, *node, k);
            vec_push(&reader->element, element);
        }
        ok = hlo_tuple_term(reader, stated.type, value);
    }
    buf_release(&structure.text);
    vec_release(&structure.attr);
    vec_release(&structure.args);
    vec_release(&structure.types);
    vec_release(&structure.results);
    return ok;
}
