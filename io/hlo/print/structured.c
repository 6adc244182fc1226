// SPDX-License-Identifier: Apache-2.0
// Calls and operations with regions.  A block of a region is a computation of its own, in front of
// the one that names it: XLA's reader wants it there.
#include "io/hlo/print/printer.h"

#include <inttypes.h>

// How many blocks of one computation are compared with a new one.
#define BLOCK_CANDIDATES 16

static const char call_template[] = "func.call @";
static const char region_template[] = "stablehlo."; // may be in quotes

static const char *template_of(const struct hlo_printer *printer, term_id term)
{
    const char *text = sym_text(printer->pool, opaque_view(printer->terms, term).text);
    return text + (*text == '"');
}

static bool is_call(const char *text)
{
    return strncmp(text, call_template, sizeof call_template - 1) == 0;
}

bool hlo_is_structured(const struct hlo_printer *printer, term_id term)
{
    if (term_op(printer->terms, term) != OP_OPAQUE)
        return false;
    const char *text = template_of(printer, term);
    return is_call(text) || strncmp(text, region_template, sizeof region_template - 1) == 0;
}

void hlo_put_structured_opcode(const struct hlo_printer *printer, term_id term, struct buf *out)
{
    const char *text = template_of(printer, term) + sizeof region_template - 1;
    if (is_call(template_of(printer, term)))
        buf_puts(out, "call");
    else
        buf_write(out, text, strcspn(text, "\"("));
}

static bool is_while(const struct hlo_printer *printer, term_id term)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    return opaque_is(printer->terms, &view, "stablehlo.while");
}

uint32_t hlo_operands_of(const struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    if (node->op != OP_OPAQUE)
        return node->n_args;
    struct opaque_view view = opaque_view(printer->terms, term);
    return view.n_blocks > 0 ? opaque_block(&view, 0).first : node->n_args;
}

// Is the result a tuple in HLO?
static bool gives_tuple(const struct hlo_printer *printer, term_id term)
{
    const char *text = template_of(printer, term), *arrow = text;
    if (opaque_view(printer->terms, term).n_results != 1 || is_while(printer, term))
        return true;
    for (const char *at = text; (at = strstr(at, ") -> ")) != NULL; at++)
        arrow = at;
    return is_call(text) && strncmp(arrow, ") -> (", 6) == 0;
}

static type_id result_type(const struct hlo_printer *printer, term_id term, uint32_t k)
{
    type_id type = term_type(printer->terms, term);
    return opaque_view(printer->terms, term).n_results == 1 ? type
                                                            : tuple_type(printer->pool, type, k);
}

// (types)
static void put_result_types(struct hlo_printer *printer, term_id term)
{
    uint32_t n = opaque_view(printer->terms, term).n_results;
    bool tuple = gives_tuple(printer, term);
    buf_puts(printer->out, tuple ? "(" : "");
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, result_type(printer, term, k), "", printer->out);
    }
    buf_puts(printer->out, tuple ? ")" : "");
}

// The name of "(types) tuple(operands)" of values in the default layout, whose copies stand in front.
static uint32_t put_tuple(struct hlo_printer *printer, const char *left, uint32_t n,
                          const term_id *element)
{
    for (uint32_t k = 0; k < n; k++)
        hlo_value_in(printer, element[k], "");
    uint32_t name = hlo_fresh_name(printer, "tuple");
    buf_puts(printer->out, left);
    hlo_put_name(printer, name);
    buf_puts(printer->out, " = (");
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, term_type(printer->terms, element[k]), "", printer->out);
    }
    buf_puts(printer->out, ") tuple(");
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_name(printer, hlo_value_in(printer, element[k], ""));
    }
    buf_puts(printer->out, ")\n");
    return name;
}

// ---- the computations that an operation names

// The name that the text gave computation b of the region.
static void put_stem(const struct hlo_printer *printer, uint32_t region, uint32_t b,
                     struct buf *out)
{
    const struct program *program = printer->program;
    const char *text = region < program->region_names.len
                           ? sym_text(printer->pool, program->region_names.at[region])
                           : "";
    for (; b > 0 && *text != '\0'; b--) {
        text += strcspn(text, ",");
        text += *text == ',';
    }
    size_t n = strcspn(text, ",");
    if (n > 0)
        buf_write(out, text, n);
    else
        buf_puts(out, "region");
}

// A block of this computation that is the same one; a loop has computations of its own.
static const struct hlo_printed_block *find_block(const struct hlo_printer *printer, term_id term)
{
    const term_id *args = term_args(printer->terms, term);
    struct opaque_view view = opaque_view(printer->terms, term);
    struct opaque_block block = opaque_block(&view, 0);
    if (view.n_blocks != 1)
        return NULL;
    for (uint32_t i = printer->blocks.len, tried = 0; i-- > 0 && tried < BLOCK_CANDIDATES;
         tried++) {
        const struct hlo_printed_block *other = &printer->blocks.at[i];
        if (printer->regions.at[other->at].parent != printer->inside)
            continue;
        struct opaque_view seen = opaque_view(printer->terms, other->term);
        struct opaque_block its = opaque_block(&seen, 0);
        if (seen.n_blocks == 1 && seen.region == view.region && its.n_returns == block.n_returns &&
            its.n_parameters == block.n_parameters &&
            memcmp(args + block.first, term_args(printer->terms, other->term) + its.first,
                   block.n_returns * sizeof *args) == 0)
            return other;
    }
    return NULL;
}

// Has the computations of the operation printed later; the names of the first and the last.
static void name_blocks(struct hlo_printer *printer, term_id term, uint32_t name[2])
{
    struct opaque_view view = opaque_view(printer->terms, term);
    const struct hlo_printed_block *same = find_block(printer, term);
    if (same != NULL) {
        name[0] = name[1] = same->name;
        return;
    }
    vec_push(&printer->regions, ((struct hlo_printed_region){view.region, printer->inside}));
    for (uint32_t b = 0; b < view.n_blocks; b++) {
        struct buf stem = {0};
        put_stem(printer, view.region, b, &stem);
        name[b == 0 ? 0 : 1] = hlo_computation_name(printer, buf_text(&stem));
        vec_push(&printer->blocks, ((struct hlo_printed_block){term, b, name[b == 0 ? 0 : 1],
                                                               printer->regions.len - 1}));
        buf_release(&stem);
    }
}

// The number or the list behind `key` of a template, as HLO's {..}.
static void put_dimensions(struct hlo_printer *printer, const char *text)
{
    const char *at = strstr(text, "dimension = ");
    if (at != NULL) {
        at += strlen("dimension = ");
        buf_printf(printer->out, ", dimensions={%.*s}", (int)strspn(at, "-0123456789"), at);
        return;
    }
    buf_puts(printer->out, ", dimensions={");
    at = strstr(text, "array<i64");
    for (at = at == NULL ? "" : at + strlen("array<i64"); *at != '\0' && *at != '>'; at++)
        if (strchr("-0123456789,", *at) != NULL)
            buf_putc(printer->out, *at);
    buf_putc(printer->out, '}');
}

static void put_attributes(struct hlo_printer *printer, term_id term, const uint32_t name[2])
{
    const char *text = template_of(printer, term);
    if (is_call(text)) {
        const char *callee = text + sizeof call_template - 1;
        buf_printf(printer->out, ", to_apply=%%%.*s", (int)strcspn(callee, "("), callee);
        return;
    }
    if (is_while(printer, term)) {
        buf_puts(printer->out, ", condition=");
        hlo_put_name(printer, name[0]);
        buf_puts(printer->out, ", body=");
        hlo_put_name(printer, name[1]);
        return;
    }
    put_dimensions(printer, text);
    if (strstr(text, "is_stable = true") != NULL)
        buf_puts(printer->out, ", is_stable=true");
    buf_puts(printer->out, ", to_apply=");
    hlo_put_name(printer, name[0]);
}

void hlo_put_structured(struct hlo_printer *printer, term_id term)
{
    uint32_t n = hlo_operands_of(printer, term), name[2] = {0};
    bool loop = is_while(printer, term);
    struct buf opcode = {0}, operands = {0}, *out = printer->out;
    if (!is_call(template_of(printer, term)))
        name_blocks(printer, term, name);
    if (loop) {
        uint32_t tuple = put_tuple(printer, "  ", n, term_args(printer->terms, term));
        buf_printf(&operands, "%%%s", intern_text(&printer->names, tuple));
    }
    for (uint32_t k = 0; !loop && k < n; k++)
        buf_printf(&operands, "%s%%%s", k > 0 ? ", " : "",
                   intern_text(&printer->names,
                               hlo_value_in(printer, term_args(printer->terms, term)[k], "")));
    hlo_put_structured_opcode(printer, term, &opcode);
    // The one element of a tuple is the value of the term.
    bool wrapped = gives_tuple(printer, term) && opaque_view(printer->terms, term).n_results == 1;
    uint32_t tuple = 0;
    if (wrapped) {
        tuple = hlo_fresh_name(printer, buf_text(&opcode));
        buf_puts(out, "  ");
        hlo_put_name(printer, tuple);
        buf_puts(out, " = ");
    } else {
        hlo_put_left(printer, term);
    }
    put_result_types(printer, term);
    buf_printf(out, " %s(%s)", buf_text(&opcode), buf_text(&operands));
    put_attributes(printer, term, name);
    hlo_put_right(printer, term);
    if (wrapped) {
        hlo_put_left(printer, term);
        hlo_put_type(printer->pool, term_type(printer->terms, term), "", out);
        buf_puts(out, " get-tuple-element(");
        hlo_put_name(printer, tuple);
        buf_puts(out, "), index=0\n");
    }
    buf_release(&opcode);
    buf_release(&operands);
}

// ---- blocks

// Does the block take and give tuples?
struct block_form {
    bool takes_tuple, gives_tuple;
};

static struct block_form form_of(const struct hlo_printer *printer,
                                 const struct hlo_printed_block *block)
{
    bool loop = is_while(printer, block->term);
    return (struct block_form){loop, loop ? block->block == 1 : printer->block.n_returns > 1};
}

// The type of parameter k of the block: that of an operand, or of its elements.
static void put_parameter_type(struct hlo_printer *printer, term_id term, uint32_t k)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    uint32_t of = opaque_is(printer->terms, &view, "stablehlo.sort") ? k / 2 : k;
    type_id type = term_type(printer->terms, term_args(printer->terms, term)[of]);
    if (is_while(printer, term)) {
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
        buf_printf(printer->out, " parameter(%u)\n", k);
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
    printer->root = form.gives_tuple ? UINT32_MAX : gives[0].v;
    put_head(printer, &block, gives, form);
    for (uint32_t k = 0; k < printer->block.n_returns; k++)
        hlo_put_tree(printer, gives[k]);
    if (form.gives_tuple)
        put_tuple(printer, "  ROOT ", printer->block.n_returns, gives);
    buf_puts(printer->out, "}\n");
    hlo_forget_names(printer);
    printer->inside = 0;
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
