// SPDX-License-Identifier: Apache-2.0
// The regions of operations.  Those of a computation are read before its instructions, from the
// outermost to the innermost: a region's number is the place of its operation in the text.
#include "io/hlo/read/reader.h"

#include "tensor/program/region.h"

// The computation of block b, or NULL behind the last one.
struct hlo_computation *hlo_block_of(struct hlo_reader *reader,
                                     const struct hlo_instruction *instruction, uint32_t b)
{
    if (instruction->form == HLO_WHILE)
        return b > 1 ? NULL : hlo_named(reader, instruction, b == 0 ? "condition" : "body");
    if (instruction->form == HLO_CONDITIONAL)
        return hlo_branch(reader, instruction, b);
    return b > 0 ? NULL : hlo_callee(reader, instruction);
}

struct hlo_computation *hlo_block_read(struct hlo_reader *reader,
                                       const struct hlo_instruction *instruction, uint32_t b)
{
    struct hlo_computation *block = hlo_block_of(reader, instruction, b);
    if (block == NULL || instruction->readings == 0)
        return block;
    const struct hlo_reading *reading = &reader->reading.at[instruction->readings - 1 + b];
    block->region = reading->region;
    block->first_root = reading->first_root;
    block->n_roots = reading->n_roots;
    block->n_bound = reading->n_bound;
    block->bound_at = reading->bound_at;
    return block;
}

// The names of the computations, for the printer.
static void name_region(struct hlo_reader *reader, uint32_t region,
                        const struct hlo_instruction *instruction)
{
    struct buf text = {0};
    struct program *program = reader->program;
    const struct hlo_computation *block;
    for (uint32_t b = 0; (block = hlo_block_of(reader, instruction, b)) != NULL; b++)
        buf_printf(&text, "%s%s", b > 0 ? "," : "", intern_text(&reader->names, block->name));
    while (program->region_names.len <= region)
        vec_push(&program->region_names, sym_make(reader->pool, ""));
    program->region_names.at[region] = sym_make(reader->pool, buf_text(&text));
    buf_release(&text);
}

static bool read_region(struct hlo_reader *reader, struct hlo_instruction *instruction,
                        uint32_t scope)
{
    bool loop = instruction->form == HLO_WHILE;
    bool branches = instruction->form == HLO_CONDITIONAL, ok = true;
    struct hlo_computation *first = hlo_block_of(reader, instruction, 0), *block;
    if (!loop && !branches &&
        first->shared != 0) { // closed, so it can be that of several operations
        instruction->readings = first->shared;
        return true;
    }
    if (reader->depth == IO_HLO_DEPTH)
        return hlo_fail(reader, instruction->opcode, "computations inside one another, %d deep",
                        IO_HLO_DEPTH);
    // Loops that share a body read it each for itself.
    for (uint32_t b = 0; (block = hlo_block_of(reader, instruction, b)) != NULL; b++)
        reader->n_in_blocks += block->n;
    if (reader->n_in_blocks > IO_HLO_COPIES * (uint64_t)reader->instruction.len)
        return hlo_fail(reader, instruction->opcode,
                        "loops share their computations so often that these would be read as more "
                        "than %d times the text",
                        IO_HLO_COPIES);
    reader->depth++;
    uint32_t region = reader->program->terms.region.len;
    vec_push(&reader->program->terms.region, ((struct region){SCOPE_CLOSED, scope, loop}));
    name_region(reader, region, instruction);
    first->region = region + 1;
    uint32_t parameters = 0;
    VEC(struct hlo_reading) readings = {0};
    for (uint32_t b = 0; ok && (block = hlo_block_of(reader, instruction, b)) != NULL; b++) {
        ok = hlo_block(reader, block, region, branches ? parameters : 0);
        parameters += block->n_bound;
        vec_push(&readings, ((struct hlo_reading){region + 1, block->first_root, block->n_roots,
                                                  block->n_bound, block->bound_at}));
    }
    instruction->readings = reader->reading.len + 1;
    if (!loop && !branches)
        first->shared = instruction->readings;
    for (uint32_t b = 0; b < readings.len; b++)
        vec_push(&reader->reading, readings.at[b]);
    vec_release(&readings);
    reader->depth--;
    return ok;
}

// A fold whose computation is one operator has a term of its own, without a region.
static void find_operator(struct hlo_reader *reader, struct hlo_instruction *instruction)
{
    bool scatter = instruction->form == HLO_SCATTER;
    if (instruction->form != HLO_REDUCE && instruction->form != HLO_WINDOW && !scatter)
        return;
    struct hlo_computation *block = hlo_block_read(reader, instruction, 0);
    hlo_find_operator(reader, block);
    if (block->n_roots == 1 && hlo_is_operator(block, scatter))
        instruction->form = HLO_PLAIN;
}

bool hlo_regions(struct hlo_reader *reader, const struct hlo_computation *computation,
                 uint32_t scope)
{
    for (uint32_t i = 0; i < computation->n; i++) {
        struct hlo_instruction *instruction = &reader->instruction.at[computation->first + i];
        if (instruction->form >= HLO_WHILE && !read_region(reader, instruction, scope))
            return false;
        find_operator(reader, instruction);
    }
    return true;
}
