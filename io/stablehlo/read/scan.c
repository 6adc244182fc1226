// SPDX-License-Identifier: Apache-2.0
// Any operation of any dialect: the values that it uses and defines, and its regions.  Where one
// ends that is not in generic form is told by io/stablehlo/read/pretty.c.
#include "io/stablehlo/read/scan.h"

// "(%a: T, ...)" behind a block's label.
static bool block_args(struct opaque_scan *opaque_scan, uint32_t *next,
                       struct scanned_op *scanned_op)
{
    uint32_t close = opaque_scan->mlir->tok.at[*next].match;
    template_put(opaque_scan, (*next)++);
    while (*next < close) {
        uint32_t at = *next, number = opaque_scan->n_locals++;
        if (mlir_kind(opaque_scan->mlir, at) != T_VALUE)
            return mlir_expected(opaque_scan->mlir, at, "an argument such as %arg0");
        template_define(opaque_scan, at, number);
        ++*next;
        if (!template_bind_local(opaque_scan, at, 1, number) ||
            !template_put_kind(opaque_scan, next, ':', "':'"))
            return false;
        uint32_t end = *next;
        if (!mlir_skip_type(opaque_scan->mlir, &end) ||
            !template_copy(opaque_scan, next, end, scanned_op))
            return false;
        if (*next < close && !template_put_kind(opaque_scan, next, ',', "',' or ')'"))
            return false;
    }
    template_put(opaque_scan, (*next)++);
    return true;
}

// Dialects whose regions hold nothing but statements on values and one that returns.
static bool has_programs(const char *name)
{
    return strncmp(name, "stablehlo.", 10) == 0 || strncmp(name, "chlo.", 5) == 0 ||
           strncmp(name, "mhlo.", 5) == 0 || strncmp(name, "sdy.", 4) == 0;
}

bool scan_region(struct opaque_scan *opaque_scan, uint32_t *next, struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    uint32_t close = mlir->tok.at[*next].match;
    // A later region with arguments of its own does not see those in front.
    if (opaque_scan->out != NULL && opaque_scan->pend.len == scanned_op->pend_base &&
        !scanned_op->generic && mlir_kind(mlir, *next + 1) == T_BLOCK &&
        mlir_kind(mlir, *next + 2) == '(')
        stablehlo_unbind(opaque_scan->reader, scanned_op->mark);
    if (opaque_scan->form == REGION_OPEN)
        opaque_scan->form = has_programs(scanned_op->name) && block_is_program(mlir, *next)
                                ? REGION_PROGRAM
                                : REGION_TEXT;
    if (opaque_scan->form == REGION_PROGRAM)
        return block_read(opaque_scan, next, scanned_op);
    for (uint32_t k = scanned_op->pend_base; k < opaque_scan->pend.len; k++)
        if (!template_bind_local(opaque_scan, opaque_scan->pend.at[k].at, 1,
                                 opaque_scan->pend.at[k].number))
            return false;
    opaque_scan->pend.len = scanned_op->pend_base;
    uint32_t mark = stablehlo_mark(opaque_scan->reader), operands = scanned_op->n_operands;
    template_put(opaque_scan, (*next)++);
    opaque_scan->indent++;
    while (*next < close) {
        bool label = mlir_kind(mlir, *next) == T_BLOCK;
        opaque_scan->indent -= label;
        template_newline(opaque_scan);
        opaque_scan->indent += label;
        if (label) {
            template_put(opaque_scan, (*next)++);
            if ((mlir_kind(mlir, *next) == '(' && !block_args(opaque_scan, next, scanned_op)) ||
                !template_put_kind(opaque_scan, next, ':', "':'"))
                return false;
            continue;
        }
        if (!scan_statement(opaque_scan, next))
            return false;
    }
    if (opaque_scan->out != NULL)
        stablehlo_unbind(opaque_scan->reader, mark);
    scanned_op->n_operands = operands;
    opaque_scan->indent--;
    template_newline(opaque_scan);
    template_put(opaque_scan, (*next)++);
    return true;
}

static bool scan_generic(struct opaque_scan *opaque_scan, uint32_t *at,
                         struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    template_put(opaque_scan, (*at)++);
    if (!template_put_kind(opaque_scan, at, '(', "'('"))
        return false;
    while (mlir_kind(mlir, *at) == T_VALUE) {
        if (!template_use(opaque_scan, at, scanned_op))
            return false;
        if (mlir_kind(mlir, *at) != ',')
            break;
        template_put(opaque_scan, (*at)++);
        if (mlir_kind(mlir, *at) != T_VALUE)
            return mlir_expected(mlir, *at, "a value such as %0");
    }
    if (!template_put_kind(opaque_scan, at, ')', "a value or ')'"))
        return false;
    if (mlir_kind(mlir, *at) == '[' && !template_copy_bracket(opaque_scan, at, scanned_op))
        return false;
    if (mlir_kind(mlir, *at) == '<') {
        if (mlir_kind(mlir, *at + 1) != '{')
            return mlir_expected(mlir, *at + 1, "'{'");
        scanned_op->dict[scanned_op->n_dicts++] = *at + 1;
        if (!template_copy_bracket(opaque_scan, at, scanned_op))
            return false;
    }
    if (mlir_kind(mlir, *at) == '(') {
        do {
            template_put(opaque_scan, (*at)++);
            if (mlir_kind(mlir, *at) != '{')
                return mlir_expected(mlir, *at, "a region");
            if (!scan_region(opaque_scan, at, scanned_op))
                return false;
        } while (mlir_kind(mlir, *at) == ',');
        if (!template_put_kind(opaque_scan, at, ')', "',' or ')'"))
            return false;
    }
    if (mlir_kind(mlir, *at) == '{' && !template_copy_dict(opaque_scan, at, scanned_op))
        return false;
    if (!template_put_kind(opaque_scan, at, ':', "':'"))
        return false;
    if (mlir_kind(mlir, *at) != '(')
        return mlir_expected(mlir, *at, "'(' and the operand types");
    scanned_op->types = scanned_op->types_end = *at;
    return mlir_skip_type(mlir, &scanned_op->types_end) &&
           template_copy(opaque_scan, at, scanned_op->types_end, scanned_op);
}

// A word with its dialect, or a word of func that may stand without the
// dialect.
static bool is_pretty_name(const struct mlir *mlir, uint32_t from)
{
    const struct mlir_token *token = &mlir->tok.at[from];
    return token->kind == T_BARE &&
           (memchr(mlir->text + token->at, '.', token->len) != NULL ||
            mlir_text_is(mlir, from, "call") || mlir_text_is(mlir, from, "return") ||
            mlir_text_is(mlir, from, "call_indirect") || mlir_text_is(mlir, from, "constant"));
}

bool opaque_scan_operation(struct opaque_scan *opaque_scan, uint32_t *i,
                           struct scanned_op *scanned_op)
{
    struct mlir *mlir = opaque_scan->mlir;
    memset(scanned_op, 0, sizeof *scanned_op);
    scanned_op->at = *i;
    scanned_op->pend_base = opaque_scan->pend.len;
    scanned_op->generic = mlir_kind(mlir, *i) == T_STRING;
    if (!scanned_op->generic && !is_pretty_name(mlir, *i))
        return mlir_expected(mlir, *i, "an operation");
    if (!stablehlo_op_name(mlir, *i, scanned_op->name))
        return mlir_fail(mlir, *i, "the name of the operation is too long");
    uint32_t mark = scanned_op->mark = stablehlo_mark(opaque_scan->reader);
    if (!(scanned_op->generic ? scan_generic(opaque_scan, i, scanned_op)
                              : scan_pretty(opaque_scan, i, scanned_op)))
        return false;
    opaque_scan->pend.len = scanned_op->pend_base;
    if (opaque_scan->out != NULL)
        stablehlo_unbind(opaque_scan->reader, mark);
    return effect_note(opaque_scan, scanned_op);
}

// A statement inside a region.
bool scan_statement(struct opaque_scan *opaque_scan, uint32_t *next)
{
    struct stablehlo_reader *reader = opaque_scan->reader;
    uint32_t base = reader->names.len, first = opaque_scan->n_locals;
    struct scanned_op scanned_op;
    if (!stablehlo_results(reader, next))
        return false;
    for (uint32_t k = base; k < reader->names.len; k++) {
        uint32_t n = reader->names.at[k].n;
        if (opaque_scan->out != NULL) {
            buf_printf(opaque_scan->out, "%s%%{.%u}", k > base ? ", " : "", opaque_scan->n_locals);
            source_hole(reader, &opaque_scan->holes, reader->names.at[k].at,
                        reader->names.at[k].at + 1,
                        (struct source_place){SOURCE_LOCAL, opaque_scan->n_locals});
            if (n > 1)
                buf_printf(opaque_scan->out, ":%u", n);
        }
        opaque_scan->n_locals++;
    }
    if (opaque_scan->out != NULL && reader->names.len > base)
        buf_puts(opaque_scan->out, " = ");
    opaque_scan->bol = true;
    if (!opaque_scan_operation(opaque_scan, next, &scanned_op))
        return false;
    for (uint32_t k = base; k < reader->names.len; k++)
        if (!template_bind_local(opaque_scan, reader->names.at[k].at, reader->names.at[k].n,
                                 first++))
            return false;
    reader->names.len = base;
    return true;
}

bool stablehlo_walk(struct stablehlo_reader *reader, uint32_t open, uint32_t self)
{
    struct opaque_scan opaque_scan = {.reader = reader, .mlir = &reader->mlir, .self = self};
    struct scanned_op scanned_op = {0};
    bool ok = scan_region(&opaque_scan, &open, &scanned_op);
    reader->callable.at[self].effect |= opaque_scan.effect;
    vec_release(&opaque_scan.pend);
    reader->names.len = 0;
    return ok;
}

bool stablehlo_skip(struct stablehlo_reader *reader, uint32_t *i)
{
    struct opaque_scan opaque_scan = {.reader = reader, .mlir = &reader->mlir, .self = NOBODY};
    struct scanned_op scanned_op;
    bool ok = opaque_scan_operation(&opaque_scan, i, &scanned_op);
    vec_release(&opaque_scan.pend);
    reader->names.len = 0;
    return ok;
}
