// SPDX-License-Identifier: Apache-2.0
// Statements, blocks, loops and branches.
#include "loops/run/run.h"
#include <fenv.h>

static void exec_block(struct execution *run, uint32_t block);

// Of a value that nobody asks for: nothing.
static struct exec_tile copy_of(struct execution *run, code_value value, code_value for_value)
{
    if (run->only != NULL && !run->only[for_value])
        return (struct exec_tile){0};
    struct exec_tile from = *exec_value(run, value);
    struct exec_tile out = exec_tile_make(run, &code_node(run->program, value)->type);
    memcpy(out.at, from.at, from.n * sizeof *from.at);
    return out;
}

static void set_whole(struct execution *run, code_value value, int64_t whole)
{
    struct exec_tile tile = exec_tile_make(run, &code_node(run->program, value)->type);
    tile.at[0].whole = whole;
    exec_set(run, value, tile);
}

struct iteration {
    const struct code_loop *loop;
    const struct code_carried *carried;
    const struct code_block *block;
    int64_t upper, step;
};

struct tile_vec {
    struct exec_tile *at;
    uint32_t len, cap;
};

// The states behind the block become those in front of the next iteration.
static void next_states(struct execution *run, const struct iteration *it, struct tile_vec *states)
{
    for (uint32_t i = 0; i < it->loop->n; i++) {
        struct exec_tile next = copy_of(run, it->carried[i].next, it->carried[i].result);
        mem_free(states->at[i].at);
        states->at[i] = next;
    }
}

static bool goes_on(const struct iteration *it, int64_t at)
{
    return it->loop->is_unsigned ? (uint64_t)at < (uint64_t)it->upper : at < it->upper;
}

// How far the next program of a grid that runs in part is: `done` of run->most have run.  Those
// between the first and the last are at uneven distances, so that they show other remainders.
static uint64_t programs_to_next(const struct execution *run, const struct iteration *it,
                                 int64_t at, uint32_t done)
{
    uint64_t left = ((uint64_t)it->upper - (uint64_t)at - 1) / (uint64_t)it->step;
    if (done + left <= run->most || left == 0)
        return 1;
    if (done + 1 >= run->most)
        return left;
    return 1 + (uint64_t)done * 7919 % (left / (run->most - done));
}

static bool is_innermost(const struct code_program *program, uint32_t axis)
{
    return axis + 1 >= 3 || program->grid[axis + 1] == NO_CODE;
}

// Programs need about the same: what the first ones needed says early that all need too much.
static void project(struct execution *run)
{
    uint64_t used = run->limit - run->cells;
    run->done++;
    if (run->done >= 2 && (double)used / (double)run->done * (double)run->programs >
                              (double)run->limit * (run->done < 16 ? 2 : 1))
        run->stopped = true;
}

static void iterate(struct execution *run, const struct iteration *it, int64_t at,
                    struct tile_vec *states)
{
    uint32_t axis = run->axis, trips = 0;
    uint32_t *most = &run->trips.at[it->loop - run->program->loop.at];
    bool parallel = it->loop->kind == LOOP_PARALLEL;
    bool in_part = parallel && run->most > 0;
    int64_t by = it->step;
    for (; goes_on(it, at) && !run->stopped; at += by) {
        exec_forget(run, it->block->from, it->block->end);
        set_whole(run, it->loop->variable, at);
        for (uint32_t i = 0; i < it->loop->n; i++) {
            exec_set(run, it->carried[i].state, states->at[i]);
            states->at[i] = (struct exec_tile){0};
        }
        if (parallel && axis < 3) {
            run->ids[axis] = at;
            run->axis = axis + 1;
            run->serial++;
        }
        exec_block(run, it->loop->block);
        run->axis = axis;
        trips++;
        if (parallel && is_innermost(run->program, axis))
            project(run);
        next_states(run, it, states);
        if (in_part)
            by = it->step * (int64_t)programs_to_next(run, it, at, trips);
        if (at > INT64_MAX - by)
            break;
    }
    exec_forget(run, it->block->from, it->block->end);
    *most = trips > *most ? trips : *most;
}

static void exec_loop(struct execution *run, const struct code_statement *statement)
{
    const struct code_program *program = run->program;
    const struct code_loop *loop = &program->loop.at[statement->index];
    struct iteration it = {.loop = loop,
                           .carried = program->carried.at ? program->carried.at + loop->at : NULL,
                           .block = &program->block.at[loop->block]};
    struct exec_cell lower = exec_scalar(run, loop->lower), upper = exec_scalar(run, loop->upper);
    struct exec_cell step = exec_scalar(run, loop->step);
    struct tile_vec states = {0};
    for (uint32_t i = 0; i < loop->n; i++)
        vec_push(&states, copy_of(run, it.carried[i].initial, it.carried[i].result));
    it.upper = upper.whole;
    it.step = step.whole;
    if (lower.undefined || upper.undefined || step.undefined)
        exec_fault(run, EXEC_UNDEFINED_INDEX, statement->place, 0, NO_CODE, 0);
    else if (step.whole <= 0)
        exec_fault(run, EXEC_STEP, statement->place, 0, NO_CODE, step.whole);
    else
        iterate(run, &it, lower.whole, &states);
    for (uint32_t i = 0; i < loop->n; i++)
        exec_set(run, it.carried[i].result, states.at[i]);
    vec_release(&states);
}

static void exec_branch(struct execution *run, const struct code_statement *statement)
{
    const struct code_program *program = run->program;
    const struct code_branch *branch = &program->branch.at[statement->index];
    struct exec_cell condition = exec_scalar(run, branch->condition);
    if (condition.undefined)
        exec_fault(run, EXEC_UNDEFINED_INDEX, statement->place, 0, NO_CODE, 0);
    bool then = !condition.undefined && condition.whole;
    run->sides.at[statement - program->statement.at] |= then ? EXEC_SIDE_ON : EXEC_SIDE_OFF;
    uint32_t block = then ? branch->then : branch->otherwise;
    if (block != NO_CODE)
        exec_block(run, block);
    for (uint32_t i = 0; i < branch->n; i++) {
        const struct code_merged *merged = &program->merged.at[branch->at + i];
        exec_set(run, merged->result,
                 copy_of(run, then ? merged->then : merged->otherwise, merged->result));
    }
}

static void exec_assume(struct execution *run, const struct code_statement *statement)
{
    struct exec_cell condition = exec_value(run, statement->value)->at[0];
    if (condition.undefined || !condition.whole)
        exec_fault(run, EXEC_ASSUMPTION, statement->place, 0, NO_CODE, 0);
}

static void exec_statement(struct execution *run, const struct code_statement *statement)
{
    bool memory = statement->kind == STATEMENT_READ || statement->kind == STATEMENT_WRITE ||
                  statement->kind == STATEMENT_UPDATE;
    if (run->only != NULL && memory &&
        !(statement->kind == STATEMENT_READ && run->only[statement->value])) {
        exec_access(run, statement);
        return;
    }
    switch ((enum code_statement_kind)statement->kind) {
    case STATEMENT_READ:
        exec_read(run, statement);
        break;
    case STATEMENT_WRITE:
        exec_write(run, statement);
        break;
    case STATEMENT_UPDATE:
        exec_update(run, statement);
        break;
    case STATEMENT_LOOP:
        exec_loop(run, statement);
        break;
    case STATEMENT_BRANCH:
        exec_branch(run, statement);
        break;
    case STATEMENT_ASSUME:
        if (run->only == NULL)
            exec_assume(run, statement);
        break;
    case STATEMENT_REFUSED:
        exec_fault(run, EXEC_REFUSED, statement->place, 0, statement->array, 0);
        break;
    }
}

static void exec_block(struct execution *run, uint32_t block)
{
    const struct code_program *program = run->program;
    for (uint32_t s = program->block.at[block].first; s != NO_CODE && !run->stopped;
         s = program->statement.at[s].next)
        exec_statement(run, &program->statement.at[s]);
}

// Of the grid; of a run in part, those that run.
static uint64_t count_programs(const struct execution *run)
{
    uint64_t programs = 1;
    for (uint32_t i = 0; i < run->scalar.len; i++) {
        int64_t size = run->scalar.at[i].whole;
        if (run->program->parameter.at[i].role != ROLE_GRID || size < 1)
            continue;
        programs *= run->most > 0 && (uint64_t)size > run->most ? run->most : (uint64_t)size;
    }
    return programs;
}

static void begin(struct execution *run)
{
    run->programs = count_programs(run);
    run->done = 0;
    exec_forget(run, 0, run->tile.len);
    vec_clear(&run->fault);
    run->cells = run->limit;
    run->stopped = false;
    run->serial = 1;
    run->statement = 0;
    vec_release(&run->trips);
    vec_zero(&run->trips, run->program->loop.len);
    vec_release(&run->sides);
    vec_zero(&run->sides, run->program->statement.len);
    for (uint32_t i = 0; i < run->array.len; i++) {
        struct exec_array *array = &run->array.at[i];
        array->lowest = INT64_MAX;
        array->highest = INT64_MIN;
        if (array->n == 0 || array->element == NULL)
            continue;
        memcpy(array->initial, array->at, array->n * sizeof *array->at);
        memset(array->element, 0, array->n * sizeof *array->element);
    }
}

bool exec_all(struct execution *run)
{
    begin(run);
    feclearexcept(FE_OVERFLOW);
    exec_block(run, run->program->body);
    run->overflow = fetestexcept(FE_OVERFLOW) != 0;
    return !run->stopped;
}

bool exec_addresses(struct execution *run, const uint8_t *only)
{
    run->only = only;
    bool ok = exec_all(run);
    run->only = NULL;
    return ok;
}
