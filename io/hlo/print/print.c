// SPDX-License-Identifier: Apache-2.0
// A program as HLO text.  The order of instructions follows from the structure of the terms
// alone: parameters, effects in their order, then results, each behind its arguments.
#include "io/hlo/element.h"
#include "io/hlo/print/printer.h"

void hlo_put_tree(struct hlo_printer *printer, term_id root)
{
    vec_push(&printer->stack, root.v);
    vec_push(&printer->stack, 0);
    while (printer->stack.len > 0) {
        uint32_t next = vec_last(&printer->stack);
        term_id term = {printer->stack.at[printer->stack.len - 2]};
        if (printer->name_of.at[term.v] != 0) {
            printer->stack.len -= 2;
        } else if (next < hlo_operands_of(printer, term)) {
            vec_last(&printer->stack)++;
            vec_push(&printer->stack, term_args(printer->terms, term)[next].v);
            vec_push(&printer->stack, 0);
        } else {
            printer->stack.len -= 2;
            hlo_put_statement(printer, term);
        }
    }
}

// The layout that result k has.
static const char *result_layout(const struct hlo_printer *printer, uint32_t k)
{
    return sym_text(printer->pool, printer->function->results.at[k].attrs);
}

// "  %name = shape parameter(k), attributes"
static void put_parameter(struct hlo_printer *printer, uint32_t k)
{
    const struct param *param = &printer->function->params.at[k];
    const char *attrs = sym_text(printer->pool, param->attrs);
    size_t layout = hlo_bracket_length(attrs);
    if (strcmp(attrs, HLO_PARAMETER_STAYS) == 0) // one of the function's effects
        return;
    uint32_t name = intern_str(&printer->names, sym_text(printer->pool, param->name));
    const struct term *root =
        printer->root == UINT32_MAX ? NULL : &printer->terms->term.at[printer->root];
    bool is_root =
        root != NULL && root->op == OP_PARAMETER && attr_at(printer->pool, root->attr)[1] == k;
    buf_puts(printer->out, is_root ? "  ROOT " : "  ");
    hlo_put_name(printer, name);
    buf_puts(printer->out, " = ");
    hlo_put_type(printer->pool, param->type, "", printer->out);
    buf_write(printer->out, attrs, layout);
    buf_printf(printer->out, " parameter(%u)%s\n", k, attrs + layout);
}

// Gives the parameter nodes of the function their names.
static void name_parameters(struct hlo_printer *printer)
{
    uint32_t from = printer->param_at.at[printer->function_number];
    uint32_t to = printer->param_at.at[printer->function_number + 1];
    for (uint32_t i = from; i < to; i++) {
        uint32_t id = printer->param_node.at[i];
        const int64_t *v = attr_at(printer->pool, printer->terms->term.at[id].attr);
        if (v[1] >= printer->function->params.len)
            continue;
        printer->name_of.at[id] =
            intern_str(&printer->names,
                       sym_text(printer->pool, printer->function->params.at[v[1]].name)) +
            1;
        vec_push(&printer->printed, id);
    }
}

static bool is_tuple(const struct hlo_printer *printer)
{
    return strncmp(sym_text(printer->pool, printer->function->attrs), "tuple", 5) == 0;
}

// The term of the instruction that is ROOT; UINT32_MAX: another one follows at the end.
static uint32_t find_root(struct hlo_printer *printer)
{
    struct buf layout = {0};
    if (is_tuple(printer))
        return UINT32_MAX;
    term_id term = printer->function->results.at[0].term;
    hlo_put_layout(printer, term, &layout);
    bool same = strcmp(buf_text(&layout), result_layout(printer, 0)) == 0;
    buf_release(&layout);
    return same ? term.v : UINT32_MAX;
}

// ROOT %tuple = (shapes) tuple(..)
static void put_tuple(struct hlo_printer *printer)
{
    const struct function *function = printer->function;
    const char *attrs = sym_text(printer->pool, function->attrs) + strlen("tuple");
    for (uint32_t k = 0; k < function->results.len; k++)
        hlo_value_in(printer, function->results.at[k].term, result_layout(printer, k));
    buf_puts(printer->out, "  ROOT ");
    hlo_put_name(printer, hlo_fresh_name(printer, "tuple"));
    buf_puts(printer->out, " = (");
    for (uint32_t k = 0; k < function->results.len; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, function->results.at[k].type, result_layout(printer, k),
                     printer->out);
    }
    buf_puts(printer->out, ") tuple(");
    for (uint32_t k = 0; k < function->results.len; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_name(printer, hlo_value_in(printer, function->results.at[k].term,
                                           result_layout(printer, k)));
    }
    buf_printf(printer->out, ")%.*s\n", (int)strcspn(attrs, "\n"), attrs);
}

static void put_last(struct hlo_printer *printer)
{
    const struct result *result = printer->function->results.at;
    if (is_tuple(printer)) {
        put_tuple(printer);
    } else if (printer->root == UINT32_MAX) {
        buf_puts(printer->out, "  ROOT ");
        hlo_put_copy(printer, hlo_fresh_name(printer, "copy"), result->term,
                     result_layout(printer, 0));
    }
}

// (x: f32[2], y: f32[]) -> f32[2] {
static void put_signature(struct hlo_printer *printer)
{
    const struct function *function = printer->function;
    buf_putc(printer->out, '(');
    for (uint32_t k = 0; k < function->params.len; k++) {
        buf_printf(printer->out, "%s%s: ", k > 0 ? ", " : "",
                   sym_text(printer->pool, function->params.at[k].name));
        hlo_put_type(printer->pool, function->params.at[k].type, "", printer->out);
    }
    buf_puts(printer->out, is_tuple(printer) ? ") -> (" : ") -> ");
    for (uint32_t k = 0; k < function->results.len; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, function->results.at[k].type, "", printer->out);
    }
    buf_puts(printer->out, is_tuple(printer) ? ") {\n" : " {\n");
}

static void put_function(struct hlo_printer *printer, uint32_t f)
{
    const struct function *function = printer->function = &printer->program->functions.at[f];
    const char *attrs = strchr(sym_text(printer->pool, function->attrs), '\n');
    bool entry = strcmp(sym_text(printer->pool, function->visibility), "public") == 0;
    printer->function_number = function->number;
    printer->computation++;
    printer->inside = 0;
    hlo_start_names(printer, intern_str(&printer->names, sym_text(printer->pool, function->name)));
    name_parameters(printer);
    printer->root = find_root(printer);
    buf_printf(printer->out, "\n%s%%%s ", entry ? "ENTRY " : "",
               sym_text(printer->pool, function->name));
    put_signature(printer);
    for (uint32_t k = 0; k < function->params.len; k++)
        put_parameter(printer, k);
    for (uint32_t k = 0; k < function->effects.len; k++)
        hlo_put_tree(printer, function->effects.at[k]);
    for (uint32_t k = 0; k < function->results.len; k++)
        hlo_put_tree(printer, function->results.at[k].term);
    put_last(printer);
    buf_printf(printer->out, "}%s\n", attrs != NULL ? attrs + 1 : "");
    hlo_forget_names(printer);
}

static void put_reducer(struct hlo_printer *printer, const struct hlo_reducer *reducer)
{
    struct buf type = {0};
    hlo_put_element(reducer->elem, &type);
    buf_puts(&type, "[]");
    buf_putc(printer->out, '\n');
    hlo_put_name(printer, reducer->name);
    buf_printf(printer->out, " {\n  %%x = %s parameter(0)\n  %s%%y = %s parameter(1)\n",
               buf_text(&type), reducer->op == N_OPS ? "ROOT " : "", buf_text(&type));
    if (reducer->op != N_OPS) {
        buf_printf(printer->out, "  ROOT %%z = %s ", buf_text(&type));
        hlo_put_opcode(reducer->op, printer->out);
        buf_puts(printer->out, "(%x, %y)\n");
    }
    buf_puts(printer->out, "}\n");
    buf_release(&type);
}

// The tables of source places, or the computations that stay text.
static void put_extras(struct hlo_printer *printer, bool computations)
{
    for (uint32_t k = 0; k < printer->program->extras.len; k++) {
        const char *text = sym_text(printer->pool, printer->program->extras.at[k]);
        if ((text[0] == '%') == computations)
            buf_printf(printer->out, "\n%s\n", text);
    }
}

// The number of the function of a parameter node; UINT32_MAX: the node is no parameter of a
// function.
static uint32_t function_of(const struct hlo_printer *printer, uint32_t id)
{
    const struct term *node = &printer->terms->term.at[id];
    if (node->op != OP_PARAMETER)
        return UINT32_MAX;
    int64_t f = attr_at(printer->pool, node->attr)[0];
    return f >= 0 && f + 2 < printer->param_at.len ? (uint32_t)f : UINT32_MAX;
}

// Counts the parameter nodes of each function, then puts each in its place.
static void sort_parameters(struct hlo_printer *printer)
{
    uint32_t n = 0, total = 0;
    for (uint32_t f = 0; f < printer->program->functions.len; f++) {
        uint32_t number = printer->program->functions.at[f].number;
        n = number >= n ? number + 1 : n;
    }
    vec_zero(&printer->param_at, n + 2);
    for (uint32_t i = 0; i < printer->terms->term.len; i++) {
        uint32_t f = function_of(printer, i);
        if (f == UINT32_MAX)
            continue;
        printer->param_at.at[f + 2]++;
        total++;
    }
    for (uint32_t f = 2; f < n + 2; f++)
        printer->param_at.at[f] += printer->param_at.at[f - 1];
    vec_zero(&printer->param_node, total + 1);
    for (uint32_t i = 0; i < printer->terms->term.len; i++) {
        uint32_t f = function_of(printer, i);
        if (f != UINT32_MAX)
            printer->param_node.at[printer->param_at.at[f + 1]++] = i;
    }
}

static void find_nodes(struct hlo_printer *printer)
{
    const struct program *program = printer->program;
    vec_zero(&printer->name_of, printer->terms->term.len + 1);
    sort_parameters(printer);
    hlo_find_local_notes(printer);
    for (uint32_t i = 0; i < printer->terms->term.len; i++) {
        const struct term *node = &printer->terms->term.at[i];
        if (node->op == OP_CONSTANT && type_rank(printer->pool, node->type) == 0)
            hlo_note_scalar(printer, (term_id){i});
    }
    for (uint32_t k = 0; k < program->notes.len; k++) {
        const struct term *node = term_at(printer->terms, program->notes.at[k].term);
        if (node->op != OP_OPAQUE)
            continue;
        while (printer->noted.len <= node->attr.v)
            vec_push(&printer->noted, 0);
        uint32_t *noted = &printer->noted.at[node->attr.v];
        *noted = *noted == 0 ? k + 1 : UINT32_MAX;
    }
}

// The function behind the computations of its regions: the last one named stands first.
static void put_with_blocks(struct hlo_printer *printer, uint32_t f, struct buf *out)
{
    uint32_t first = printer->blocks.len;
    struct buf function = {0};
    VEC(struct buf) texts = {0};
    printer->out = &function;
    put_function(printer, f);
    for (uint32_t i = first; i < printer->blocks.len; i++) {
        struct buf text = {0};
        printer->out = &text;
        hlo_put_block(printer, i);
        vec_push(&texts, text);
    }
    while (texts.len > 0) {
        struct buf text = vec_pop(&texts);
        buf_write(out, buf_text(&text), text.len);
        buf_release(&text);
    }
    buf_write(out, buf_text(&function), function.len);
    buf_release(&function);
    vec_release(&texts);
}

void hlo_print_regions(const struct program *program, struct buf *out, struct u32_vec *regions)
{
    struct buf functions = {0};
    struct hlo_printer printer = {
        .program = program, .pool = program->pool, .terms = &program->terms, .out = &functions};
    intern_init(&printer.names);
    intern_init(&printer.helpers);
    find_nodes(&printer);
    hlo_name_computations(&printer);
    // The functions say which reducers there are, which stand in front of them.
    for (uint32_t f = 0; f < program->functions.len; f++)
        put_with_blocks(&printer, f, &functions);
    printer.out = out;
    buf_printf(out, "HloModule %s", sym_text(program->pool, program->modules.at[0].name));
    buf_printf(out, "%s\n", sym_text(program->pool, program->modules.at[0].attrs));
    put_extras(&printer, false);
    put_extras(&printer, true);
    for (uint32_t k = 0; k < printer.reducers.len; k++)
        put_reducer(&printer, &printer.reducers.at[k]);
    buf_write(out, buf_text(&functions), functions.len);
    hlo_order_regions(&printer, regions);
    buf_release(&functions);
    hlo_release_names(&printer);
}

void hlo_print(const struct program *program, struct buf *out)
{
    struct u32_vec regions = {0};
    hlo_print_regions(program, out, &regions);
    vec_release(&regions);
}
