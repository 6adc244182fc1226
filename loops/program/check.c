// SPDX-License-Identifier: Apache-2.0
#include "loops/program/check.h"
#include "loops/program/typing.h"

struct checker {
    const struct code_program *program;
    VEC(uint8_t) bound; // of each node: a statement or region binds it
    VEC(uint8_t) seen;  // of each block
    const char *what;
    uint32_t at;
};

static bool wrong(struct checker *checker, const char *what, uint32_t at)
{
    if (checker->what == NULL) {
        checker->what = what;
        checker->at = at;
    }
    return false;
}

static bool is_type(const struct checker *checker, code_value value, enum code_kind kind,
                    bool scalar)
{
    const struct code_type *type = &checker->program->node.at[value].type;
    return type->kind == kind && (!scalar || type->rank == 0);
}

static bool same_type(const struct checker *checker, code_value a, code_value b)
{
    return code_type_same(&checker->program->node.at[a].type, &checker->program->node.at[b].type);
}

static bool check_nodes(struct checker *checker)
{
    const struct code_program *program = checker->program;
    for (code_value v = 0; v < program->node.len; v++) {
        const struct code_node *node = &program->node.at[v];
        for (uint32_t i = 0; i < node->n; i++)
            if (program->operand.at[node->at + i] >= v)
                return wrong(checker, "P1: an operand is not smaller", v);
        if (!code_fits(program, (enum code_op)node->op, &node->type, node->number, node->n,
                       program->operand.at + node->at))
            return wrong(checker, "P2: the operands do not fit", v);
    }
    return true;
}

static bool check_names(struct checker *checker)
{
    const struct code_program *program = checker->program;
    for (uint32_t i = 0; i < program->parameter.len; i++)
        for (uint32_t k = 0; k < i; k++)
            if (program->parameter.at[i].name == program->parameter.at[k].name)
                return wrong(checker, "P6: two parameters with one name", i);
    return true;
}

static bool bind(struct checker *checker, code_value value)
{
    if (value >= checker->program->node.len || checker->program->node.at[value].op != CODE_BOUND)
        return wrong(checker, "a statement binds what is not bound", value);
    if (checker->bound.at[value])
        return wrong(checker, "a value is bound twice", value);
    checker->bound.at[value] = 1;
    return true;
}

static bool check_block(struct checker *checker, uint32_t block, code_value from, code_value end);

static bool check_loop(struct checker *checker, const struct code_statement *statement,
                       code_value from, code_value end)
{
    const struct code_program *program = checker->program;
    const struct code_loop *loop = &program->loop.at[statement->index];
    if (!is_type(checker, loop->lower, CODE_INT, true) ||
        !same_type(checker, loop->lower, loop->upper) ||
        !same_type(checker, loop->lower, loop->step) ||
        !same_type(checker, loop->lower, loop->variable))
        return wrong(checker, "bounds of a loop are no integers of one type", statement->index);
    if (!bind(checker, loop->variable))
        return false;
    for (uint32_t i = 0; i < loop->n; i++) {
        const struct code_carried *carried = &program->carried.at[loop->at + i];
        if (!same_type(checker, carried->initial, carried->state) ||
            !same_type(checker, carried->state, carried->next) ||
            !same_type(checker, carried->state, carried->result))
            return wrong(checker, "a state changes its type", loop->at + i);
        if (!bind(checker, carried->state) || !bind(checker, carried->result))
            return false;
    }
    return check_block(checker, loop->block, from, end);
}

static bool check_branch(struct checker *checker, const struct code_statement *statement,
                         code_value from, code_value end)
{
    const struct code_program *program = checker->program;
    const struct code_branch *branch = &program->branch.at[statement->index];
    if (!is_type(checker, branch->condition, CODE_BOOL, true))
        return wrong(checker, "a condition is no boolean", statement->index);
    for (uint32_t i = 0; i < branch->n; i++) {
        const struct code_merged *merged = &program->merged.at[branch->at + i];
        if (!same_type(checker, merged->then, merged->otherwise) ||
            !same_type(checker, merged->then, merged->result))
            return wrong(checker, "two sides of a branch differ in type", branch->at + i);
        if (!bind(checker, merged->result))
            return false;
    }
    if (!check_block(checker, branch->then, from, end))
        return false;
    return branch->otherwise == NO_CODE || check_block(checker, branch->otherwise, from, end);
}

static bool check_access(struct checker *checker, const struct code_statement *statement,
                         uint32_t index)
{
    const struct code_program *program = checker->program;
    if (statement->array >= program->parameter.len ||
        !program->parameter.at[statement->array].array)
        return wrong(checker, "an access to no array", index);
    const struct code_type *offset = &program->node.at[statement->offset].type;
    const struct code_type *value = &program->node.at[statement->value].type;
    const struct code_type *element = &program->parameter.at[statement->array].type;
    if (offset->kind != CODE_INT || !code_shape_same(offset, value) || value->kind != element->kind)
        return wrong(checker, "an access whose offset and value do not fit", index);
    if (statement->mask != NO_CODE &&
        (!is_type(checker, statement->mask, CODE_BOOL, false) ||
         !code_shape_same(&program->node.at[statement->mask].type, offset)))
        return wrong(checker, "a mask of another shape", index);
    return true;
}

static bool check_statement(struct checker *checker, uint32_t index, code_value from,
                            code_value end)
{
    const struct code_statement *statement = &checker->program->statement.at[index];
    switch ((enum code_statement_kind)statement->kind) {
    case STATEMENT_READ:
    case STATEMENT_WRITE:
    case STATEMENT_UPDATE:
        return check_access(checker, statement, index);
    case STATEMENT_LOOP:
        return check_loop(checker, statement, from, end);
    case STATEMENT_BRANCH:
        return check_branch(checker, statement, from, end);
    case STATEMENT_ASSUME:
        return is_type(checker, statement->value, CODE_BOOL, true) ||
               wrong(checker, "an assumption that is no boolean", index);
    case STATEMENT_REFUSED:
        return true;
    }
    return wrong(checker, "no kind of statement", index);
}

// P3, P5: blocks lie inside those around them, and each has one place.
static bool check_block(struct checker *checker, uint32_t block, code_value from, code_value end)
{
    const struct code_program *program = checker->program;
    if (block >= program->block.len || checker->seen.at[block])
        return wrong(checker, "P5: a block in two places", block);
    checker->seen.at[block] = 1;
    const struct code_block *b = &program->block.at[block];
    if (b->from < from || b->end > end || b->from > b->end)
        return wrong(checker, "P3: a block outside of the one around it", block);
    for (uint32_t s = b->first; s != NO_CODE; s = program->statement.at[s].next)
        if (!check_statement(checker, s, b->from, b->end))
            return false;
    return true;
}

// P3: who uses a node of a block that is not around it?
static bool check_uses(struct checker *checker)
{
    const struct code_program *program = checker->program;
    for (uint32_t b = 0; b < program->block.len; b++) {
        const struct code_block *block = &program->block.at[b];
        if (!checker->seen.at[b])
            continue;
        for (code_value v = block->end; v < program->node.len; v++)
            for (uint32_t i = 0; i < program->node.at[v].n; i++) {
                code_value operand = program->operand.at[program->node.at[v].at + i];
                if (operand >= block->from && operand < block->end)
                    return wrong(checker, "P3: a value of a block is used behind it", v);
            }
    }
    return true;
}

bool code_check(const struct code_program *program, const char **what, uint32_t *at)
{
    struct checker checker = {.program = program};
    vec_zero(&checker.bound, program->node.len + 1);
    vec_zero(&checker.seen, program->block.len + 1);
    bool ok = check_names(&checker) && check_nodes(&checker) &&
              check_block(&checker, program->body, 0, program->node.len) && check_uses(&checker);
    *what = checker.what;
    *at = checker.at;
    vec_release(&checker.bound);
    vec_release(&checker.seen);
    return ok;
}
