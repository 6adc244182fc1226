// SPDX-License-Identifier: Apache-2.0
// The blocks of regions, each as a computation.
#include "io/hlo/print/printer.h"

#include <inttypes.h>

// Does the block take and give tuples?
struct block_form {
    bool takes_tuple, gives_tuple;
};

static struct block_form form_of(const struct hlo_printer *printer,
                                 const struct hlo_printed_block *block)
{
    uint32_t n_takes = printer->block.n_parameters, n_gives = printer->block.n_returns;
    if (hlo_is_conditional(printer, block->term))
        return (struct block_form){n_takes != 1, hlo_gives_tuple(printer, block->term)};
    if (hlo_is_while(printer, block->term))
        return (struct block_form){true, block->block == 1};
    return (struct block_form){false, n_gives > 1};
}

// The type of parameter k of the block: that of an operand, or of its elements.
static void put_parameter_type(struct hlo_printer *printer, term_id term, uint32_t k)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    uint32_t of = opaque_is(printer->terms, &view, "stablehlo.sort") ? k / 2 : k;
    bool branch = hlo_is_conditional(printer, term);
    if (opaque_is(printer->terms, &view, "hlo.scatter")) // indices stand among the operands
        of = k % view.n_results;
    if (branch)
        of = 1 + printer->block.first_parameter + k;
    type_id type = term_type(printer->terms, term_args(printer->terms, term)[of]);
    if (branch || hlo_is_while(printer, term)) {
        hlo_put_type(printer->pool, type, "", printer->out);
        return;
    }
    hlo_put_element(type_elem(printer->pool, type), printer->out);
    buf_puts(printer->out, "[]");
}

static void put_parameter_types(struct hlo_printer *printer, term_id term)
{
    buf_putc(printer->out, '(');
    for (uint32_t k = 0; k < printer->block.n_parameters; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        put_parameter_type(printer, term, k);
    }
    buf_putc(printer->out, ')');
}

static void put_returned_types(struct hlo_printer *printer, const term_id *gives,
                               struct block_form form)
{
    buf_puts(printer->out, form.gives_tuple ? "(" : "");
    for (uint32_t k = 0; k < printer->block.n_returns; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, term_type(printer->terms, gives[k]), "", printer->out);
    }
    buf_puts(printer->out, form.gives_tuple ? ")" : "");
}

// "%name (x: f32[], y: f32[]) -> f32[] {", and the instructions of the parameters.
static void put_head(struct hlo_printer *printer, const struct hlo_printed_block *block,
                     const term_id *gives, struct block_form form)
{
    uint32_t n = form.takes_tuple ? 1 : printer->block.n_parameters;
    vec_clear(&printer->parameters);
    for (uint32_t k = 0; k < n; k++)
        vec_push(&printer->parameters, hlo_fresh_name(printer, "parameter"));
    buf_putc(printer->out, '\n');
    hlo_put_name(printer, block->name);
    buf_puts(printer->out, " (");
    for (uint32_t k = 0; k < n; k++) {
        buf_printf(printer->out, "%s%s: ", k > 0 ? ", " : "",
                   intern_text(&printer->names, printer->parameters.at[k]));
        if (form.takes_tuple)
            put_parameter_types(printer, block->term);
        else
            put_parameter_type(printer, block->term, k);
    }
    buf_puts(printer->out, ") -> ");
    put_returned_types(printer, gives, form);
    buf_puts(printer->out, " {\n");
    const struct term *root = term_at(printer->terms, gives[0]);
    for (uint32_t k = 0; k < n; k++) {
        bool is_root =
            !form.takes_tuple && !form.gives_tuple && root->op == OP_PARAMETER &&
            attr_at(printer->pool, root->attr)[1] == (int64_t)printer->block.first_parameter + k;
        buf_puts(printer->out, is_root ? "  ROOT " : "  ");
        hlo_put_name(printer, printer->parameters.at[k]);
        buf_puts(printer->out, " = ");
        if (form.takes_tuple)
            put_parameter_types(printer, block->term);
        else
            put_parameter_type(printer, block->term, k);
        buf_printf(printer->out, " parameter(%u)%s\n", k,
                   is_root && printer->folds ? ", metadata={op_name=\"" HLO_REGION "\"}" : "");
    }
}

void hlo_put_block_parameter(struct hlo_printer *printer, term_id term)
{
    int64_t k = attr_at(printer->pool, term_at(printer->terms, term)->attr)[1] -
                (int64_t)printer->block.first_parameter;
    if (!printer->takes_tuple) {
        assert(k >= 0 && k < printer->parameters.len);
        printer->name_of.at[term.v] = printer->parameters.at[k] + 1;
        vec_push(&printer->printed, term.v);
        return;
    }
    hlo_put_left(printer, term);
    buf_puts(printer->out, "get-tuple-element(");
    hlo_put_name(printer, printer->parameters.at[0]);
    buf_printf(printer->out, "), index=%" PRId64 "\n", k);
}

void hlo_put_block(struct hlo_printer *printer, uint32_t i)
{
    const struct hlo_printed_block block = printer->blocks.at[i];
    struct opaque_view view = opaque_view(printer->terms, block.term);
    printer->computation++;
    printer->inside = block.at + 1;
    printer->block = opaque_block(&view, block.block);
    const term_id *gives = term_args(printer->terms, block.term) + printer->block.first;
    struct block_form form = form_of(printer, &block);
    printer->takes_tuple = form.takes_tuple;
    printer->folds =
        view.n_results == 1 && (opaque_is(printer->terms, &view, "stablehlo.reduce") ||
                                opaque_is(printer->terms, &view, "hlo.reduce-window") ||
                                opaque_is(printer->terms, &view, "hlo.scatter"));
    hlo_start_names(printer, block.where);
    printer->root = form.gives_tuple ? UINT32_MAX : gives[0].v;
    put_head(printer, &block, gives, form);
    for (uint32_t k = 0; k < printer->block.n_returns; k++)
        hlo_put_tree(printer, gives[k]);
    if (form.gives_tuple)
        hlo_put_tuple(printer, "  ROOT ", printer->block.n_returns, gives);
    buf_puts(printer->out, "}\n");
    hlo_forget_names(printer);
    printer->inside = 0;
    printer->folds = false;
}

void hlo_order_regions(const struct hlo_printer *printer, struct u32_vec *out)
{
    struct u32_vec last = {0}, before = {0}, stack = {0}; // of a parent; of a region; all + 1
    uint32_t n = printer->regions.len;
    vec_zero(&last, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&before, last.at[printer->regions.at[i].parent]);
        last.at[printer->regions.at[i].parent] = i + 1;
    }
    for (uint32_t i = last.at[0]; i != 0; i = before.at[i - 1])
        vec_push(&stack, i);
    while (stack.len > 0) {
        uint32_t next = vec_pop(&stack);
        vec_push(out, printer->regions.at[next - 1].region);
        for (uint32_t i = last.at[next]; i != 0; i = before.at[i - 1])
            vec_push(&stack, i);
    }
    vec_release(&last);
    vec_release(&before);
    vec_release(&stack);
}
