// SPDX-License-Identifier: Apache-2.0
#include "loops/run/run.h"

void exec_init(struct execution *run, const struct code_program *program, uint64_t cells)
{
    *run = (struct execution){.program = program, .cells = cells, .limit = cells, .serial = 1};
    vec_zero(&run->written, program->parameter.len);
    for (uint32_t i = 0; i < program->statement.len; i++) {
        const struct code_statement *statement = &program->statement.at[i];
        if (statement->kind == STATEMENT_WRITE || statement->kind == STATEMENT_UPDATE)
            run->written.at[statement->array] = 1;
    }
    vec_zero(&run->scalar, program->parameter.len);
    vec_zero(&run->array, program->parameter.len);
    vec_zero(&run->tile, program->node.len);
}

static void array_release(struct exec_array *array)
{
    if (array->initial != array->at)
        mem_free(array->initial);
    mem_free(array->at);
    mem_free(array->element);
    *array = (struct exec_array){0};
}

void exec_release(struct execution *run)
{
    exec_forget(run, 0, run->tile.len);
    for (uint32_t i = 0; i < run->array.len; i++)
        array_release(&run->array.at[i]);
    vec_release(&run->scalar);
    vec_release(&run->array);
    vec_release(&run->fault);
    vec_release(&run->tile);
    vec_release(&run->scratch);
    vec_release(&run->stack);
    vec_release(&run->trips);
    vec_release(&run->written);
    vec_release(&run->sides);
}

void exec_array_resize(struct execution *run, uint32_t parameter, uint64_t n)
{
    struct exec_array *array = &run->array.at[parameter];
    array_release(array);
    array->n = n;
    array->at = mem_alloc((n > 0 ? n : 1) * sizeof *array->at);
    array->initial = array->at;
    if (run->written.at[parameter]) {
        array->initial = mem_alloc((n > 0 ? n : 1) * sizeof *array->initial);
        array->element = mem_alloc((n > 0 ? n : 1) * sizeof *array->element);
    }
    for (uint64_t i = 0; i < n; i++)
        array->at[i].undefined = true;
}

uint32_t exec_writes(const struct exec_array *array, uint64_t at)
{
    return array->element == NULL ? 0 : array->element[at].writes;
}

void exec_array_fill(struct execution *run, uint32_t parameter, struct rng *rng)
{
    struct exec_array *array = &run->array.at[parameter];
    uint8_t kind = run->program->parameter.at[parameter].type.kind;
    for (uint64_t i = 0; i < array->n; i++) {
        array->at[i] = (struct exec_cell){0};
        if (kind == CODE_REAL)
            array->at[i].real = 4 * rng_unit(rng) - 2;
        else
            array->at[i].whole = (int64_t)rng_below(rng, kind == CODE_BOOL ? 2 : 3);
    }
}

void exec_fault(struct execution *run, enum exec_fault_kind kind, struct code_place place,
                uint32_t lane, uint32_t array, int64_t offset)
{
    for (uint32_t i = 0; i < run->fault.len; i++) {
        struct exec_fault *old = &run->fault.at[i];
        if (old->kind == kind && old->place.line == place.line && old->place.col == place.col) {
            old->count++;
            return;
        }
    }
    struct exec_fault fault = {.kind = (uint8_t)kind,
                               .place = place,
                               .program = {run->ids[0], run->ids[1], run->ids[2]},
                               .lane = lane,
                               .array = array,
                               .offset = offset,
                               .count = 1};
    vec_push(&run->fault, fault);
}

// ---- values

struct exec_tile exec_tile_make(struct execution *run, const struct code_type *type)
{
    struct exec_tile tile = {.n = (uint32_t)code_elements(type)};
    tile.at = mem_alloc(tile.n * sizeof *tile.at);
    exec_charge(run, tile.n);
    return tile;
}

bool exec_charge(struct execution *run, uint64_t cells)
{
    if (run->cells < cells)
        run->stopped = true;
    else
        run->cells -= cells;
    return !run->stopped;
}

void exec_set(struct execution *run, code_value value, struct exec_tile tile)
{
    mem_free(run->tile.at[value].at);
    run->tile.at[value] = tile;
}

void exec_forget(struct execution *run, code_value from, code_value end)
{
    for (code_value v = from; v < end; v++) {
        mem_free(run->tile.at[v].at);
        run->tile.at[v] = (struct exec_tile){0};
    }
}

static void leaf(struct execution *run, const struct code_node *node, struct exec_tile *out)
{
    struct exec_cell cell = {0};
    switch (node->op) {
    case CODE_PARAMETER:
        cell = run->scalar.at[node->number];
        break;
    case CODE_CONSTANT:
        if (node->type.kind == CODE_REAL)
            cell.real = strtod(code_name(run->program, (uint32_t)node->number), NULL);
        else
            cell.whole = node->number;
        break;
    case CODE_RANGE:
        for (uint32_t i = 0; i < out->n; i++)
            out->at[i].whole = node->number + i;
        return;
    default: // CODE_OPAQUE; CODE_BOUND of a refused statement
        cell.undefined = true;
        break;
    }
    for (uint32_t i = 0; i < out->n; i++)
        out->at[i] = cell;
}

static void lanes(struct execution *run, const struct code_node *node, struct exec_tile *out)
{
    const code_value *of = run->program->operand.at + node->at;
    struct exec_cell operands[8];
    const struct exec_cell *from[8];
    for (uint32_t i = 0; i < node->n; i++)
        from[i] = exec_value(run, of[i])->at;
    if (node->n == 2 && exec_apply_all(run, node, from[0], from[1], out))
        return;
    for (uint32_t lane = 0; lane < out->n; lane++) {
        for (uint32_t i = 0; i < node->n; i++)
            operands[i] = from[i][lane];
        out->at[lane] = exec_apply(run, node, operands, lane);
    }
}

static void compute(struct execution *run, code_value value)
{
    const struct code_node *node = code_node(run->program, value);
    struct exec_tile out = exec_tile_make(run, &node->type);
    run->tile.at[value] = out;
    // Pages that nobody touches cost nothing.
    if (run->stopped)
        return;
    switch (code_op_group((enum code_op)node->op)) {
    case GROUP_LANE:
        lanes(run, node, &out);
        break;
    case GROUP_MOVE:
        exec_move(run, value, &out);
        break;
    case GROUP_FOLD:
        exec_fold(run, value, &out);
        break;
    default:
        leaf(run, node, &out);
        break;
    }
}

// Pushes the operands that are missing; false if there are none.
static bool push_missing(struct execution *run, code_value value)
{
    const struct code_node *node = code_node(run->program, value);
    uint32_t before = run->stack.len;
    if (code_op_group((enum code_op)node->op) == GROUP_MEMORY)
        return false;
    for (uint32_t i = 0; i < node->n; i++) {
        code_value operand = run->program->operand.at[node->at + i];
        if (run->tile.at[operand].at == NULL)
            vec_push(&run->stack, operand);
    }
    return run->stack.len > before;
}

// A chain of operations may be long: no recursion.
const struct exec_tile *exec_value(struct execution *run, code_value value)
{
    if (run->tile.at[value].at != NULL)
        return &run->tile.at[value];
    uint32_t base = run->stack.len;
    vec_push(&run->stack, value);
    while (run->stack.len > base) {
        code_value top = vec_last(&run->stack);
        if (run->tile.at[top].at == NULL && push_missing(run, top))
            continue;
        if (run->tile.at[top].at == NULL)
            compute(run, top);
        run->stack.len--;
    }
    return &run->tile.at[value];
}

struct exec_cell exec_scalar(struct execution *run, code_value value)
{
    return exec_value(run, value)->at[0];
}

bool exec_facts_hold(struct execution *run, const struct code_fact **failed)
{
    const struct code_program *program = run->program;
    exec_forget(run, 0, run->tile.len);
    run->cells = run->limit;
    run->stopped = false;
    for (uint32_t i = 0; i < program->fact.len; i++) {
        struct exec_cell cell = exec_scalar(run, program->fact.at[i].condition);
        if (!cell.undefined && cell.whole)
            continue;
        if (failed != NULL)
            *failed = &program->fact.at[i];
        return false;
    }
    return true;
}
