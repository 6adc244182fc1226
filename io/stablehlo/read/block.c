// SPDX-License-Identifier: Apache-2.0
// A region of one block, read as a program (tensor/program/region.h).
#include "io/stablehlo/read/scan.h"
#include "tensor/program/region.h"

// An operation that ends a block: stablehlo.return, sdy.return, ..
static bool ends_block(const struct mlir *mlir, uint32_t at)
{
    char name[IO_OPERATION_NAME];
    uint16_t kind = mlir_kind(mlir, at);
    if ((kind != T_BARE && kind != T_STRING) || !stablehlo_op_name(mlir, at, name) ||
        (kind == T_STRING && mlir_kind(mlir, at + 1) != '('))
        return false;
    const char *dot = strrchr(name, '.');
    return dot != NULL && (strcmp(dot, ".return") == 0 || strcmp(dot, ".yield") == 0);
}

bool block_is_program(const struct mlir *mlir, uint32_t open)
{
    uint32_t close = mlir->tok.at[open].match;
    bool ends = false;
    for (uint32_t at = open + 1; at < close; at++) {
        uint16_t kind = mlir_kind(mlir, at);
        if (kind == T_BLOCK && at != open + 1)
            return false;
        ends |= ends_block(mlir, at);
        if (kind == '(' || kind == '{' || kind == '[' || kind == '<')
            at = mlir->tok.at[at].match;
    }
    return ends;
}

bool block_parameter(struct opaque_scan *opaque_scan, const struct region_argument *argument)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct program *program = reader->program;
    int64_t v[2] = {PARAMETER_OF_REGION(opaque_scan->region), argument->number};
    struct err why = {0};
    term_id term;
    if (argument->type.v == NO_TYPE.v)
        return mlir_expected(&reader->mlir, argument->at + 1, "the type of the argument");
    if (!term_build(
            &program->terms,
            (struct operation){OP_PARAMETER, attr_make(program->pool, 2, v), argument->type, 0},
            NULL, &term, &why))
        return mlir_fail(&reader->mlir, argument->at, "%s", why.msg);
    vec_push(&reader->value, term);
    while (opaque_scan->parameters.len <= argument->number)
        vec_push(&opaque_scan->parameters, NO_TYPE);
    opaque_scan->parameters.at[argument->number] = argument->type;
    return stablehlo_bind(reader, argument->at,
                          (struct value_binding){1, reader->value.len - 1, false});
}

// "^bb0(%a: T, ...):", if it is there.
static bool block_label(struct opaque_scan *opaque_scan, uint32_t *next,
                        struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    if (mlir_kind(mlir, *next) != T_BLOCK)
        return true;
    template_newline(opaque_scan);
    template_put(opaque_scan, (*next)++);
    if (mlir_kind(mlir, *next) == '(') {
        uint32_t close = mlir->tok.at[*next].match;
        opaque_scan->first_bound = opaque_scan->n_locals;
        template_put(opaque_scan, (*next)++);
        while (*next < close) {
            struct region_argument argument = {*next, opaque_scan->n_locals++, NO_TYPE};
            if (mlir_kind(mlir, *next) != T_VALUE)
                return mlir_expected(mlir, *next, "an argument such as %arg0");
            template_define(opaque_scan, (*next)++, argument.number);
            uint32_t end = *next + 1;
            if (!template_put_kind(opaque_scan, next, ':', "':'") ||
                !mlir_type(mlir, &end, &argument.type) ||
                !block_parameter(opaque_scan, &argument) ||
                !template_copy(opaque_scan, next, end, scanned_op))
                return false;
            if (*next < close && !template_put_kind(opaque_scan, next, ',', "',' or ')'"))
                return false;
        }
        opaque_scan->n_bound = opaque_scan->n_locals - opaque_scan->first_bound;
        template_put(opaque_scan, (*next)++);
    }
    return template_put_kind(opaque_scan, next, ':', "':'");
}

// The statements up to the one that returns.
static bool block_statements(struct opaque_scan *opaque_scan, uint32_t *next, uint32_t close)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct result_names names = reader->names;
    uint32_t scope = reader->scope, outer = reader->source_block, first = *next;
    uint32_t block = source_block(reader);
    bool ok = true;
    reader->source_block = block;
    reader->names = (struct result_names){0};
    reader->scope = scope_of_region(opaque_scan->region);
    while (ok && *next < close && !ends_block(opaque_scan->mlir, *next))
        ok = stablehlo_statement(reader, next);
    vec_release(&reader->names);
    reader->names = names;
    reader->scope = scope;
    reader->source_block = outer;
    source_block_hole(reader, &opaque_scan->holes, first, *next,
                      opaque_scan->blocks.len / OPAQUE_BLOCK, block);
    return ok;
}

// The statement that returns: its operands are the first arguments of the block, the side
// effects from `base` on the others.
static bool block_return(struct opaque_scan *opaque_scan, uint32_t *next, uint32_t base)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    bool effect = opaque_scan->effect;
    uint32_t first = opaque_scan->args.len;
    template_newline(opaque_scan);
    if (!scan_statement(opaque_scan, next))
        return false;
    opaque_scan->effect = effect || reader->effects.len > base;
    vec_push(&opaque_scan->blocks, first);
    vec_push(&opaque_scan->blocks, opaque_scan->args.len - first);
    vec_push(&opaque_scan->blocks, reader->effects.len - base);
    vec_push(&opaque_scan->blocks, opaque_scan->first_bound);
    vec_push(&opaque_scan->blocks, opaque_scan->n_bound);
    for (uint32_t k = base; k < reader->effects.len; k++)
        vec_push(&opaque_scan->args, reader->effects.at[k]);
    reader->effects.len = base;
    return true;
}

// A region that was taken for an isolated one is open if something from outside is used
// in it that is not closed.
void block_decide_parent(struct opaque_scan *opaque_scan)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct terms *terms = &reader->program->terms;
    if (opaque_scan->region == NO_REGION)
        return;
    struct region *region = &terms->region.at[opaque_scan->region];
    uint32_t own = scope_of_region(opaque_scan->region);
    bool captures = false;
    scopes_extend(terms, &reader->scope_of);
    for (uint32_t b = 0; b < opaque_scan->blocks.len; b += OPAQUE_BLOCK) {
        const int64_t *v = opaque_scan->blocks.at + b;
        for (int64_t k = v[0]; k < v[0] + v[1] + v[2]; k++) {
            uint32_t scope = reader->scope_of.at[opaque_scan->args.at[k].v];
            captures |= scope != own && scope != SCOPE_CLOSED;
        }
    }
    if (region->parent != SCOPE_CLOSED || !captures)
        return;
    region->parent = reader->scope;
    reader->scope_of.len = opaque_scan->n_terms;
    scopes_extend(terms, &reader->scope_of);
}

bool block_read(struct opaque_scan *opaque_scan, uint32_t *next, struct scanned_op *scanned_op)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    struct mlir *mlir = opaque_scan->mlir;
    uint32_t close = mlir->tok.at[*next].match, base = reader->effects.len;
    if (!block_is_program(mlir, *next))
        return mlir_fail(mlir, *next, "expected a region of one block that returns");
    if (opaque_scan->region == NO_REGION) {
        struct terms *terms = &reader->program->terms;
        bool loop = strcmp(scanned_op->name, "stablehlo.while") == 0;
        bool open = loop || strcmp(scanned_op->name, "stablehlo.case") == 0 ||
                    strcmp(scanned_op->name, "stablehlo.if") == 0;
        opaque_scan->region = terms->region.len;
        vec_push(&terms->region,
                 ((struct region){open ? reader->scope : SCOPE_CLOSED, reader->scope, loop}));
    }
    for (uint32_t k = scanned_op->pend_base; k < opaque_scan->pend.len; k++)
        if (!block_parameter(opaque_scan, &opaque_scan->pend.at[k]))
            return false;
    if (opaque_scan->pend.len > scanned_op->pend_base) { // they are those of later blocks, too
        opaque_scan->first_bound = opaque_scan->pend.at[scanned_op->pend_base].number;
        opaque_scan->n_bound = opaque_scan->pend.len - scanned_op->pend_base;
    }
    opaque_scan->pend.len = scanned_op->pend_base;
    uint32_t mark = stablehlo_mark(reader), operands = scanned_op->n_operands;
    template_put(opaque_scan, (*next)++);
    if (!block_label(opaque_scan, next, scanned_op))
        return false;
    opaque_scan->indent++;
    template_newline(opaque_scan);
    buf_printf(opaque_scan->out, "%%{:%u}", opaque_scan->blocks.len / OPAQUE_BLOCK);
    if (!block_statements(opaque_scan, next, close) || !block_return(opaque_scan, next, base))
        return false;
    if (*next != close)
        return mlir_expected(mlir, *next, "'}' behind the statement that returns");
    stablehlo_unbind(reader, mark);
    scanned_op->n_operands = operands;
    opaque_scan->indent--;
    template_newline(opaque_scan);
    template_put(opaque_scan, (*next)++);
    return true;
}
