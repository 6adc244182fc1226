// SPDX-License-Identifier: Apache-2.0
#include "loops/program/program.h"
#include <math.h>
#include <stdlib.h>

void code_init(struct code_program *program)
{
    *program = (struct code_program){.grid = {NO_CODE, NO_CODE, NO_CODE}};
    intern_init(&program->names);
    vec_reserve(&program->operand, 1); // never NULL
    program->body = code_open_block(program);
}

void code_release(struct code_program *program)
{
    intern_release(&program->names);
    vec_release(&program->node);
    vec_release(&program->operand);
    vec_release(&program->parameter);
    vec_release(&program->statement);
    vec_release(&program->block);
    vec_release(&program->loop);
    vec_release(&program->carried);
    vec_release(&program->branch);
    vec_release(&program->merged);
    vec_release(&program->region);
    vec_release(&program->bound);
    vec_release(&program->fact);
    vec_release(&program->note);
    vec_release(&program->named);
}

// ---- nodes

code_value code_make(struct code_program *program, enum code_op op, struct code_type type,
                     int64_t number, uint32_t n, const code_value *operands,
                     struct code_place place)
{
    struct code_node node = {.op = (uint8_t)op,
                             .n = n,
                             .at = program->operand.len,
                             .type = type,
                             .number = number,
                             .place = place};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&program->operand, operands[i]);
    vec_push(&program->node, node);
    return program->node.len - 1;
}

code_value code_parameter_value(struct code_program *program, uint32_t parameter)
{
    struct code_parameter *p = &program->parameter.at[parameter];
    if (p->value == NO_CODE)
        p->value = code_make(program, CODE_PARAMETER, p->type, parameter, 0, NULL, p->place);
    return p->value;
}

code_value code_integer(struct code_program *program, struct code_type type, int64_t number)
{
    return code_make(program, CODE_CONSTANT, type, number, 0, NULL, (struct code_place){0});
}

code_value code_real(struct code_program *program, struct code_type type, const char *text)
{
    uint32_t name = intern_str(&program->names, text);
    return code_make(program, CODE_CONSTANT, type, name, 0, NULL, (struct code_place){0});
}

code_value code_bound(struct code_program *program, struct code_type type, struct code_place place)
{
    return code_make(program, CODE_BOUND, type, 0, 0, NULL, place);
}

code_value code_opaque(struct code_program *program, struct code_type type, const char *reason,
                       struct code_place place)
{
    uint32_t name = intern_str(&program->names, reason);
    return code_make(program, CODE_OPAQUE, type, name, 0, NULL, place);
}

static bool is_comparison(enum code_op op)
{
    return op >= CODE_EQUAL && op <= CODE_UNSIGNED_LESS_EQUAL;
}

code_value code_unary(struct code_program *program, enum code_op op, code_value a,
                      struct code_place place)
{
    return code_make(program, op, code_node(program, a)->type, 0, 1, &a, place);
}

code_value code_binary(struct code_program *program, enum code_op op, code_value a, code_value b,
                       struct code_place place)
{
    struct code_type type = code_node(program, a)->type;
    if (is_comparison(op))
        type = code_shaped(code_scalar(CODE_BOOL, 1), &type);
    return code_make(program, op, type, 0, 2, (code_value[]){a, b}, place);
}

code_value code_splat(struct code_program *program, code_value a, const struct code_type *shape,
                      struct code_place place)
{
    struct code_type type = code_node(program, a)->type;
    if (code_shape_same(&type, shape))
        return a;
    return code_make(program, CODE_SPLAT, code_shaped(type, shape), 0, 1, &a, place);
}

const char *code_real_text(const struct code_program *program, code_value constant)
{
    return code_name(program, (uint32_t)code_node(program, constant)->number);
}

double code_real_value(const struct code_program *program, code_value constant)
{
    return strtod(code_real_text(program, constant), NULL);
}

// ---- parameters

// Has a parameter other than `which` the name?
static bool has_name(const struct code_program *program, uint32_t which, const char *name)
{
    for (uint32_t i = 0; i < program->parameter.len; i++)
        if (i != which && !strcmp(code_name(program, program->parameter.at[i].name), name))
            return true;
    return false;
}

bool code_rename_parameter(struct code_program *program, uint32_t which, const char *name)
{
    if (has_name(program, which, name))
        return false;
    program->parameter.at[which].name = intern_str(&program->names, name);
    return true;
}

uint32_t code_add_parameter(struct code_program *program, const struct code_parameter *parameter)
{
    struct code_parameter added = *parameter;
    struct buf name = {0};
    buf_puts(&name, code_name(program, added.name));
    for (uint32_t i = 1; has_name(program, NO_CODE, buf_text(&name)); i++) {
        buf_clear(&name);
        buf_printf(&name, "%s_%u", code_name(program, added.name), i);
    }
    added.name = intern_str(&program->names, buf_text(&name));
    buf_release(&name);
    added.value = NO_CODE;
    if (added.divisor < 1)
        added.divisor = 1;
    vec_push(&program->parameter, added);
    return program->parameter.len - 1;
}

uint32_t code_find_parameter(const struct code_program *program, const char *name)
{
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        const struct code_parameter *p = &program->parameter.at[i];
        if (!strcmp(code_name(program, p->name), name) ||
            !strcmp(code_name(program, p->source), name))
            return i;
    }
    return NO_CODE;
}

// ---- statements

uint32_t code_open_block(struct code_program *program)
{
    struct code_block block = {
        .first = NO_CODE, .last = NO_CODE, .from = program->node.len, .end = program->node.len};
    vec_push(&program->block, block);
    return program->block.len - 1;
}

void code_close_block(struct code_program *program, uint32_t block)
{
    program->block.at[block].end = program->node.len;
}

struct code_statement code_statement(enum code_statement_kind kind, struct code_place place)
{
    return (struct code_statement){.kind = (uint8_t)kind,
                                   .combine = CODE_OPAQUE,
                                   .next = NO_CODE,
                                   .array = NO_CODE,
                                   .offset = NO_CODE,
                                   .value = NO_CODE,
                                   .mask = NO_CODE,
                                   .result = NO_CODE,
                                   .index = NO_CODE,
                                   .place = place};
}

uint32_t code_append(struct code_program *program, uint32_t block,
                     const struct code_statement *statement)
{
    uint32_t index = program->statement.len;
    vec_push(&program->statement, *statement);
    struct code_block *b = &program->block.at[block];
    if (b->first == NO_CODE)
        b->first = index;
    else
        program->statement.at[b->last].next = index;
    b->last = index;
    return index;
}

bool code_each_statement(const struct code_program *program, uint32_t block,
                         bool (*each)(void *ctx, const struct code_statement *statement), void *ctx)
{
    if (block == NO_CODE)
        return true;
    for (uint32_t s = program->block.at[block].first; s != NO_CODE;
         s = program->statement.at[s].next) {
        const struct code_statement *statement = &program->statement.at[s];
        if (!each(ctx, statement))
            return false;
        if (statement->kind == STATEMENT_LOOP &&
            !code_each_statement(program, program->loop.at[statement->index].block, each, ctx))
            return false;
        if (statement->kind != STATEMENT_BRANCH)
            continue;
        const struct code_branch *branch = &program->branch.at[statement->index];
        if (!code_each_statement(program, branch->then, each, ctx) ||
            !code_each_statement(program, branch->otherwise, each, ctx))
            return false;
    }
    return true;
}
