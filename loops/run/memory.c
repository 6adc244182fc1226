// SPDX-License-Identifier: Apache-2.0
// Reads, writes and updates, and who made them.
#include "loops/run/run.h"

struct access {
    struct execution *run;
    const struct code_statement *statement;
    struct exec_array *array;
    const struct code_type *type;
    struct exec_tile offset, mask; // mask.at NULL: all lanes
};

static struct access access_of(struct execution *run, const struct code_statement *statement)
{
    struct access access = {.run = run, .statement = statement};
    access.array = &run->array.at[statement->array];
    access.type = &code_node(run->program, statement->offset)->type;
    access.offset = *exec_value(run, statement->offset);
    if (statement->mask != NO_CODE)
        access.mask = *exec_value(run, statement->mask);
    return access;
}

static void fault(const struct access *access, enum exec_fault_kind kind, uint32_t lane)
{
    exec_fault(access->run, kind, access->statement->place, lane, access->statement->array,
               access->offset.at[lane].whole);
}

// Is the lane on, and inside the array?  *on says the first alone.
static bool inside(const struct access *access, uint32_t lane, enum exec_fault_kind kind, bool *on)
{
    *on = true;
    if (access->mask.at != NULL) {
        const struct exec_cell *mask = &access->mask.at[lane];
        *on = !mask->undefined && mask->whole;
        access->run->sides.at[access->statement - access->run->program->statement.at] |=
            *on ? EXEC_SIDE_ON : EXEC_SIDE_OFF;
        if (mask->undefined)
            fault(access, EXEC_UNDEFINED_INDEX, lane);
        if (!*on)
            return false;
    }
    const struct exec_cell *offset = &access->offset.at[lane];
    if (offset->undefined) {
        fault(access, EXEC_UNDEFINED_INDEX, lane);
        return false;
    }
    if (offset->whole < access->array->lowest)
        access->array->lowest = offset->whole;
    if (offset->whole > access->array->highest)
        access->array->highest = offset->whole;
    if (offset->whole >= 0 && (uint64_t)offset->whole < access->array->n)
        return true;
    fault(access, kind, lane);
    return false;
}

static void note_read(const struct access *access, uint32_t lane)
{
    if (access->array->element == NULL)
        return;
    struct exec_element *element = &access->array->element[access->offset.at[lane].whole];
    uint32_t here = access->run->serial;
    if (element->writer != 0 && element->writer != here)
        fault(access, EXEC_RACE, lane);
    element->reader = element->reader == 0 || element->reader == here ? here : EXEC_MANY;
}

// `same`: the element has this value already.
static void note_write(const struct access *access, uint32_t lane, bool same)
{
    struct exec_element *element = &access->array->element[access->offset.at[lane].whole];
    uint32_t here = access->run->serial;
    bool update = access->statement->kind == STATEMENT_UPDATE;
    bool other = element->writer != 0 && element->writer != here;
    if (element->reader != 0 && element->reader != here)
        fault(access, EXEC_RACE, lane);
    if (other && element->updated != update)
        fault(access, EXEC_RACE, lane);
    // Lanes of one statement have no order either.
    bool lanes = element->statement == access->run->statement;
    if ((other || lanes) && !update && !same)
        fault(access, EXEC_WRITTEN_TWICE, lane);
    element->writer = element->writer == 0 || element->writer == here ? here : EXEC_MANY;
    element->statement = access->run->statement;
    element->updated = update;
    element->writes++;
}

static bool cell_same(const struct exec_cell *a, const struct exec_cell *b, uint8_t kind)
{
    if (a->undefined || b->undefined)
        return false;
    return kind == CODE_REAL ? a->real == b->real : a->whole == b->whole;
}

void exec_access(struct execution *run, const struct code_statement *statement)
{
    struct access access = access_of(run, statement);
    bool on;
    exec_charge(run, access.offset.n);
    for (uint32_t lane = 0; !run->stopped && lane < access.offset.n; lane++)
        inside(&access, lane, EXEC_READ_BOUNDS, &on);
}

void exec_read(struct execution *run, const struct code_statement *statement)
{
    struct access access = access_of(run, statement);
    const struct code_node *node = code_node(run->program, statement->value);
    struct exec_tile other = {0};
    if (node->n == 3)
        other = *exec_value(run, run->program->operand.at[node->at + 2]);
    struct exec_tile out = exec_tile_make(run, &node->type);
    for (uint32_t lane = 0; !run->stopped && lane < out.n; lane++) {
        bool on;
        if (inside(&access, lane, EXEC_READ_BOUNDS, &on)) {
            out.at[lane] = access.array->at[access.offset.at[lane].whole];
            note_read(&access, lane);
        } else if (!on && other.at != NULL) {
            out.at[lane] = other.at[lane];
        } else {
            out.at[lane].undefined = true;
        }
    }
    exec_set(run, statement->value, out);
}

void exec_write(struct execution *run, const struct code_statement *statement)
{
    struct access access = access_of(run, statement);
    struct exec_tile value = *exec_value(run, statement->value);
    uint8_t kind = code_node(run->program, statement->value)->type.kind;
    run->statement++;
    exec_charge(run, value.n);
    for (uint32_t lane = 0; !run->stopped && lane < value.n; lane++) {
        bool on;
        if (!inside(&access, lane, EXEC_WRITE_BOUNDS, &on))
            continue;
        struct exec_cell *cell = &access.array->at[access.offset.at[lane].whole];
        if (value.at[lane].undefined)
            fault(&access, EXEC_UNDEFINED, lane);
        note_write(&access, lane, cell_same(cell, &value.at[lane], kind));
        *cell = value.at[lane];
    }
}

// combine(found, value), with a node of the statement's type.
static struct exec_cell combined(struct execution *run, const struct code_statement *statement,
                                 struct exec_cell found, struct exec_cell value, uint32_t lane)
{
    if (statement->combine == CODE_OPAQUE)
        return value;
    struct code_node node = *code_node(run->program, statement->result);
    node.op = statement->combine;
    node.n = 2;
    struct exec_cell both[2] = {found, value};
    return exec_apply(run, &node, both, lane);
}

void exec_update(struct execution *run, const struct code_statement *statement)
{
    struct access access = access_of(run, statement);
    struct exec_tile value = *exec_value(run, statement->value);
    struct exec_tile out = exec_tile_make(run, &code_node(run->program, statement->result)->type);
    run->statement++;
    for (uint32_t lane = 0; !run->stopped && lane < value.n; lane++) {
        bool on;
        out.at[lane].undefined = true;
        if (!inside(&access, lane, EXEC_WRITE_BOUNDS, &on))
            continue;
        struct exec_cell *cell = &access.array->at[access.offset.at[lane].whole];
        out.at[lane] = *cell;
        *cell = combined(run, statement, *cell, value.at[lane], lane);
        if (cell->undefined)
            fault(&access, EXEC_UNDEFINED, lane);
        note_write(&access, lane, false);
    }
    exec_set(run, statement->result, out);
}
