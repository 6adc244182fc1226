// SPDX-License-Identifier: Apache-2.0
#include "loops/print/print.h"
#include "loops/print/value.h"

struct printer {
    struct value_printer values;
    struct u32_vec uses; // of each node
    uint32_t named;
    unsigned indent;
};

static void print_block(struct printer *printer, uint32_t block);

// ---- which values have names

static void use(struct printer *printer, code_value value)
{
    if (value != NO_CODE)
        printer->uses.at[value]++;
}

static bool use_statement(void *ctx, const struct code_statement *statement)
{
    struct printer *printer = ctx;
    const struct code_program *program = printer->values.program;
    // The nodes of reads and updates have these as operands.
    if (statement->kind != STATEMENT_READ && statement->kind != STATEMENT_UPDATE) {
        use(printer, statement->offset);
        use(printer, statement->mask);
        use(printer, statement->value);
    }
    if (statement->kind == STATEMENT_LOOP) {
        const struct code_loop *loop = &program->loop.at[statement->index];
        use(printer, loop->lower);
        use(printer, loop->upper);
        use(printer, loop->step);
        for (uint32_t i = 0; i < loop->n; i++) {
            use(printer, program->carried.at[loop->at + i].initial);
            use(printer, program->carried.at[loop->at + i].next);
        }
    }
    if (statement->kind == STATEMENT_BRANCH) {
        const struct code_branch *branch = &program->branch.at[statement->index];
        use(printer, branch->condition);
        for (uint32_t i = 0; i < branch->n; i++) {
            use(printer, program->merged.at[branch->at + i].then);
            use(printer, program->merged.at[branch->at + i].otherwise);
        }
    }
    return true;
}

// Values that are written as their operand.
static bool has_no_text(const struct code_program *program, const struct code_node *node)
{
    if (node->op == CODE_SPLAT || node->op == CODE_STRETCH)
        return true;
    return node->op == CODE_CONVERT &&
           node->type.kind == code_node(program, program->operand.at[node->at])->type.kind;
}

// A node gives its uses to its operands if it is used itself: operands have smaller numbers.
static void count_uses(struct printer *printer)
{
    const struct code_program *program = printer->values.program;
    code_each_statement(program, program->body, use_statement, printer);
    for (code_value v = program->node.len; v-- > 0;) {
        const struct code_node *node = code_node(program, v);
        bool free = has_no_text(program, node);
        uint32_t uses = printer->uses.at[v];
        if (uses == 0 && node->op != CODE_READ && node->op != CODE_UPDATED)
            continue;
        for (uint32_t i = 0; i < node->n; i++) {
            code_value operand = program->operand.at[node->at + i];
            printer->uses.at[operand] += free ? uses : 1;
        }
    }
}

static bool wants_name(const struct printer *printer, code_value value)
{
    const struct code_node *node = code_node(printer->values.program, value);
    enum code_group group = code_op_group((enum code_op)node->op);
    if (group == GROUP_MEMORY)
        return true;
    return printer->uses.at[value] > 1 && group != GROUP_LEAF && node->op != CODE_EXPAND &&
           !has_no_text(printer->values.program, node);
}

static void name(struct printer *printer, code_value value)
{
    printer->values.name.at[value] = ++printer->named;
}

// ---- lines

static void line(struct printer *printer)
{
    buf_indent(printer->values.out, printer->indent);
}

static void define(struct printer *printer, code_value value)
{
    line(printer);
    name(printer, value);
    buf_printf(printer->values.out, "t%u = ", printer->named - 1);
    print_definition(&printer->values, value);
    buf_puts(printer->values.out, ";\n");
}

// Values of [from, end) that are used more than once and are not of an inner block.
static void define_values(struct printer *printer, code_value from, code_value end)
{
    for (code_value v = from; v < end; v++)
        if (wants_name(printer, v) &&
            code_op_group((enum code_op)code_node(printer->values.program, v)->op) != GROUP_MEMORY)
            define(printer, v);
}

static void print_mask(struct printer *printer, const struct code_statement *statement)
{
    if (statement->mask == NO_CODE)
        return;
    buf_puts(printer->values.out, "if (");
    print_value(&printer->values, statement->mask);
    buf_puts(printer->values.out, ") ");
}

static void print_element(struct printer *printer, const struct code_statement *statement)
{
    buf_printf(printer->values.out, "%s[",
               code_parameter_name(printer->values.program, statement->array));
    print_value(&printer->values, statement->offset);
    buf_puts(printer->values.out, "]");
}

static void print_read(struct printer *printer, const struct code_statement *statement)
{
    const struct code_program *program = printer->values.program;
    const struct code_node *node = code_node(program, statement->value);
    line(printer);
    name(printer, statement->value);
    buf_printf(printer->values.out, "t%u = ", printer->named - 1);
    if (statement->mask != NO_CODE) {
        print_value(&printer->values, statement->mask);
        buf_puts(printer->values.out, " ? ");
    }
    print_element(printer, statement);
    if (node->n == 3) {
        buf_puts(printer->values.out, " : ");
        print_value(&printer->values, program->operand.at[node->at + 2]);
    } else if (statement->mask != NO_CODE) {
        buf_puts(printer->values.out, " : undefined");
    }
    buf_puts(printer->values.out, ";\n");
}

static void print_write(struct printer *printer, const struct code_statement *statement)
{
    bool update = statement->kind == STATEMENT_UPDATE;
    line(printer);
    if (update) {
        name(printer, statement->result);
        buf_printf(printer->values.out, "t%u = found; ", printer->named - 1);
    }
    print_mask(printer, statement);
    print_element(printer, statement);
    if (update && statement->combine != CODE_OPAQUE)
        buf_printf(printer->values.out, " %s=", code_op_text((enum code_op)statement->combine));
    else
        buf_puts(printer->values.out, " =");
    buf_puts(printer->values.out, update ? " (at once) " : " ");
    print_value(&printer->values, statement->value);
    buf_puts(printer->values.out, ";\n");
}

static void print_assignment(struct printer *printer, code_value to, code_value from)
{
    line(printer);
    print_value(&printer->values, to);
    buf_puts(printer->values.out, " = ");
    print_value(&printer->values, from);
    buf_puts(printer->values.out, ";\n");
}

static void print_loop(struct printer *printer, const struct code_statement *statement)
{
    static const char *const kinds[] = {"for", "parallel for", "vector for"};
    const struct code_program *program = printer->values.program;
    const struct code_loop *loop = &program->loop.at[statement->index];
    for (uint32_t i = 0; i < loop->n; i++)
        print_assignment(printer, program->carried.at[loop->at + i].state,
                         program->carried.at[loop->at + i].initial);
    line(printer);
    buf_printf(printer->values.out, "%s (v%u = ", kinds[loop->kind], loop->variable);
    print_value(&printer->values, loop->lower);
    buf_printf(printer->values.out, "; v%u < ", loop->variable);
    print_value(&printer->values, loop->upper);
    buf_printf(printer->values.out, "; v%u += ", loop->variable);
    print_value(&printer->values, loop->step);
    buf_puts(printer->values.out, ") {\n");
    printer->indent += 4;
    print_block(printer, loop->block);
    for (uint32_t i = 0; i < loop->n; i++)
        print_assignment(printer, program->carried.at[loop->at + i].state,
                         program->carried.at[loop->at + i].next);
    printer->indent -= 4;
    line(printer);
    buf_puts(printer->values.out, "}\n");
    for (uint32_t i = 0; i < loop->n; i++)
        print_assignment(printer, program->carried.at[loop->at + i].result,
                         program->carried.at[loop->at + i].state);
}

static void print_side(struct printer *printer, const struct code_branch *branch, bool then)
{
    const struct code_program *program = printer->values.program;
    uint32_t block = then ? branch->then : branch->otherwise;
    printer->indent += 4;
    if (block != NO_CODE)
        print_block(printer, block);
    for (uint32_t i = 0; i < branch->n; i++) {
        const struct code_merged *merged = &program->merged.at[branch->at + i];
        print_assignment(printer, merged->result, then ? merged->then : merged->otherwise);
    }
    printer->indent -= 4;
}

static void print_branch(struct printer *printer, const struct code_statement *statement)
{
    const struct code_branch *branch = &printer->values.program->branch.at[statement->index];
    line(printer);
    buf_puts(printer->values.out, "if (");
    print_value(&printer->values, branch->condition);
    buf_puts(printer->values.out, ") {\n");
    print_side(printer, branch, true);
    line(printer);
    if (branch->otherwise != NO_CODE || branch->n > 0) {
        buf_puts(printer->values.out, "} else {\n");
        print_side(printer, branch, false);
        line(printer);
    }
    buf_puts(printer->values.out, "}\n");
}

static void print_other(struct printer *printer, const struct code_statement *statement)
{
    line(printer);
    if (statement->kind == STATEMENT_ASSUME) {
        buf_puts(printer->values.out, "assume ");
        print_value(&printer->values, statement->value);
    } else {
        buf_printf(printer->values.out, "// refused, line %u: %s", statement->place.line,
                   code_name(printer->values.program, statement->reason));
    }
    buf_puts(printer->values.out, "\n");
}

static void print_statement(struct printer *printer, const struct code_statement *statement)
{
    switch ((enum code_statement_kind)statement->kind) {
    case STATEMENT_READ:
        print_read(printer, statement);
        break;
    case STATEMENT_WRITE:
    case STATEMENT_UPDATE:
        print_write(printer, statement);
        break;
    case STATEMENT_LOOP:
        print_loop(printer, statement);
        break;
    case STATEMENT_BRANCH:
        print_branch(printer, statement);
        break;
    default:
        print_other(printer, statement);
        break;
    }
}

static code_value greater(code_value a, code_value b)
{
    return b == NO_CODE || (a != NO_CODE && a > b) ? a : b;
}

// The nodes that were made for the statement: [*from, the result).
static code_value statement_nodes(const struct code_program *program,
                                  const struct code_statement *statement, code_value *from)
{
    code_value end;
    switch ((enum code_statement_kind)statement->kind) {
    case STATEMENT_READ:
        *from = statement->value;
        return *from + 1;
    case STATEMENT_UPDATE:
        *from = statement->result;
        return *from + 1;
    case STATEMENT_LOOP:
        *from = program->block.at[program->loop.at[statement->index].block].from;
        return program->block.at[program->loop.at[statement->index].block].end;
    case STATEMENT_BRANCH: {
        const struct code_branch *branch = &program->branch.at[statement->index];
        *from = program->block.at[branch->then].from;
        end = program->block.at[branch->then].end;
        return branch->otherwise == NO_CODE ? end : program->block.at[branch->otherwise].end;
    }
    default:
        end = greater(greater(statement->offset, statement->value), statement->mask);
        *from = end == NO_CODE ? 0 : end + 1;
        return *from;
    }
}

static void print_block(struct printer *printer, uint32_t index)
{
    const struct code_program *program = printer->values.program;
    const struct code_block *block = &program->block.at[index];
    code_value at = block->from;
    for (uint32_t s = block->first; s != NO_CODE; s = program->statement.at[s].next) {
        code_value from, end = statement_nodes(program, &program->statement.at[s], &from);
        if (from > at)
            define_values(printer, at, from);
        print_statement(printer, &program->statement.at[s]);
        at = end > at ? end : at;
    }
    if (block->end > at)
        define_values(printer, at, block->end);
}

static void print_parameters(struct printer *printer)
{
    const struct code_program *program = printer->values.program;
    buf_printf(printer->values.out, "%s(", code_name(program, program->name));
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        const struct code_parameter *parameter = &program->parameter.at[i];
        if (i > 0)
            buf_puts(printer->values.out, ", ");
        code_type_print(&parameter->type, printer->values.out);
        buf_printf(printer->values.out, " %s%s", code_name(program, parameter->name),
                   parameter->array ? "[]" : "");
    }
    buf_puts(printer->values.out, ")\n");
    for (uint32_t i = 0; i < program->fact.len; i++)
        buf_printf(printer->values.out, "// given: %s\n",
                   code_name(program, program->fact.at[i].text));
    for (uint32_t i = 0; i < program->note.len; i++)
        buf_printf(printer->values.out, "// said, but not understood: %s\n",
                   code_name(program, program->note.at[i].text));
}

void code_print(const struct code_program *program, struct buf *out)
{
    struct printer printer = {.values = {.program = program, .out = out}};
    vec_zero(&printer.uses, program->node.len);
    vec_zero(&printer.values.name, program->node.len);
    count_uses(&printer);
    print_parameters(&printer);
    buf_puts(out, "{\n");
    printer.indent = 4;
    print_block(&printer, program->body);
    buf_puts(out, "}\n");
    vec_release(&printer.uses);
    vec_release(&printer.values.name);
}
