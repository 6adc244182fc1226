// SPDX-License-Identifier: Apache-2.0
// Calls and operations with regions.  A block of a region is a computation of its own, in front of
// the one that names it: XLA's reader wants it there.
#include "io/hlo/print/printer.h"

#include <inttypes.h>

// How many blocks of one computation are compared with a new one.
#define BLOCK_CANDIDATES 16

static const char call_template[] = "func.call @";
static const char region_template[] = "stablehlo."; // may be in quotes
static const char hlo_template[] = "hlo.";          // what StableHLO does not have
static const char fusion_template[] = ") {" HLO_FUSION_KIND " = \"";

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
    return is_call(text) || strncmp(text, region_template, sizeof region_template - 1) == 0 ||
           strncmp(text, hlo_template, sizeof hlo_template - 1) == 0;
}

// The kind of a fusion, up to a quote, or NULL.
static const char *fusion_kind(const char *text)
{
    const char *kind = is_call(text) ? strstr(text, fusion_template) : NULL;
    return kind != NULL ? kind + sizeof fusion_template - 1 : NULL;
}

void hlo_put_structured_opcode(const struct hlo_printer *printer, term_id term, struct buf *out)
{
    const char *text = template_of(printer, term), *name = strchr(text, '.') + 1;
    if (is_call(text))
        buf_puts(out, fusion_kind(text) != NULL ? "fusion" : "call");
    else
        buf_write(out, name, strcspn(name, "\"("));
}

bool hlo_is_while(const struct hlo_printer *printer, term_id term)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    return opaque_is(printer->terms, &view, "stablehlo.while");
}

bool hlo_is_conditional(const struct hlo_printer *printer, term_id term)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    return opaque_is(printer->terms, &view, "hlo.conditional");
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
bool hlo_gives_tuple(const struct hlo_printer *printer, term_id term)
{
    const char *text = template_of(printer, term), *arrow = text;
    if (opaque_view(printer->terms, term).n_results != 1 || hlo_is_while(printer, term))
        return true;
    for (const char *at = text; (at = strstr(at, ") -> ")) != NULL; at++)
        arrow = at;
    return (is_call(text) || hlo_is_conditional(printer, term)) && strncmp(arrow, ") -> (", 6) == 0;
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
    bool tuple = hlo_gives_tuple(printer, term);
    buf_puts(printer->out, tuple ? "(" : "");
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(printer->out, k > 0 ? ", " : "");
        hlo_put_type(printer->pool, result_type(printer, term, k), "", printer->out);
    }
    buf_puts(printer->out, tuple ? ")" : "");
}

// The name of "(types) tuple(operands)" of values in the default layout, whose copies stand in front.
uint32_t hlo_put_tuple(struct hlo_printer *printer, const char *left, uint32_t n,
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

// Has the computations of the operation printed later; their names.
static void name_blocks(struct hlo_printer *printer, term_id term, struct u32_vec *names)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    const struct hlo_printed_block *same = find_block(printer, term);
    if (same != NULL) {
        vec_push(names, same->name);
        return;
    }
    vec_push(&printer->regions, ((struct hlo_printed_region){view.region, printer->inside}));
    for (uint32_t b = 0; b < view.n_blocks; b++) {
        struct buf stem = {0};
        put_stem(printer, view.region, b, &stem);
        vec_push(names, hlo_computation_name(printer, buf_text(&stem)));
        vec_push(&printer->blocks,
                 ((struct hlo_printed_block){term, b, vec_last(names),
                                             intern_str(&printer->names, buf_text(&stem)),
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

static void put_call(struct hlo_printer *printer, const char *text)
{
    const char *callee = text + sizeof call_template - 1, *kind = fusion_kind(text);
    if (kind != NULL)
        buf_printf(printer->out, ", kind=%.*s", (int)strcspn(kind, "\""), kind);
    buf_printf(printer->out, ", %s=%%%.*s", kind != NULL ? "calls" : "to_apply",
               (int)strcspn(callee, "("), callee);
}

static void put_branches(struct hlo_printer *printer, term_id term, const struct u32_vec *names)
{
    bool truth = type_elem(printer->pool, term_type(printer->terms,
                                                    term_args(printer->terms, term)[0])) == ELEM_I1;
    static const char *const keys[] = {", true_computation=", ", false_computation="};
    if (!truth)
        buf_puts(printer->out, ", branch_computations={");
    for (uint32_t b = 0; b < names->len; b++) {
        buf_puts(printer->out, truth ? keys[b] : b > 0 ? ", " : "");
        hlo_put_name(printer, names->at[b]);
    }
    if (!truth)
        buf_putc(printer->out, '}');
}

// HLO's own attributes stand in the template, between '<' and '>'.  They have no line break.
static void put_own(struct hlo_printer *printer, const char *text)
{
    const char *from = strstr(text, ") <"), *to = from == NULL ? NULL : strstr(from, "> ({\n");
    if (to != NULL)
        buf_write(printer->out, from + 3, (size_t)(to - from - 3));
}

static void put_attributes(struct hlo_printer *printer, term_id term, const struct u32_vec *names)
{
    const char *text = template_of(printer, term);
    const uint32_t *name = names->at;
    if (is_call(text)) {
        put_call(printer, text);
        return;
    }
    if (hlo_is_conditional(printer, term)) {
        put_branches(printer, term, names);
        return;
    }
    if (hlo_is_while(printer, term)) {
        buf_puts(printer->out, ", condition=");
        hlo_put_name(printer, name[0]);
        buf_puts(printer->out, ", body=");
        hlo_put_name(printer, name[1]);
        return;
    }
    if (strncmp(text, hlo_template, sizeof hlo_template - 1) == 0) {
        put_own(printer, text);
    } else {
        put_dimensions(printer, text);
        if (strstr(text, "is_stable = true") != NULL)
            buf_puts(printer->out, ", is_stable=true");
    }
    buf_puts(printer->out, ", to_apply=");
    hlo_put_name(printer, name[0]);
}

// The index, and for each branch its only operand, or a tuple.
static void put_branch_operands(struct hlo_printer *printer, term_id term, struct buf *operands)
{
    struct opaque_view view = opaque_view(printer->terms, term);
    VEC(term_id) args = {0};
    for (uint32_t k = 0; k < term_at(printer->terms, term)->n_args; k++)
        vec_push(&args, term_args(printer->terms, term)[k]);
    buf_printf(operands, "%%%s",
               intern_text(&printer->names, hlo_value_in(printer, args.at[0], "")));
    for (uint32_t b = 0; b < view.n_blocks; b++) {
        struct opaque_block block = opaque_block(&view, b);
        const term_id *first = args.at + 1 + block.first_parameter;
        uint32_t name = block.n_parameters == 1
                            ? hlo_value_in(printer, first[0], "")
                            : hlo_put_tuple(printer, "  ", block.n_parameters, first);
        buf_printf(operands, ", %%%s", intern_text(&printer->names, name));
    }
    vec_release(&args);
}

void hlo_put_structured(struct hlo_printer *printer, term_id term)
{
    uint32_t n = hlo_operands_of(printer, term);
    struct u32_vec names = {0};
    bool loop = hlo_is_while(printer, term), branches = hlo_is_conditional(printer, term);
    struct buf opcode = {0}, operands = {0}, *out = printer->out;
    if (!is_call(template_of(printer, term)))
        name_blocks(printer, term, &names);
    if (loop) {
        uint32_t tuple = hlo_put_tuple(printer, "  ", n, term_args(printer->terms, term));
        buf_printf(&operands, "%%%s", intern_text(&printer->names, tuple));
    }
    if (branches)
        put_branch_operands(printer, term, &operands);
    for (uint32_t k = 0; !loop && !branches && k < n; k++)
        buf_printf(&operands, "%s%%%s", k > 0 ? ", " : "",
                   intern_text(&printer->names,
                               hlo_value_in(printer, term_args(printer->terms, term)[k], "")));
    hlo_put_structured_opcode(printer, term, &opcode);
    // The one element of a tuple is the value of the term.
    bool wrapped =
        hlo_gives_tuple(printer, term) && opaque_view(printer->terms, term).n_results == 1;
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
    put_attributes(printer, term, &names);
    if (wrapped) {
        buf_putc(out, '\n');
        hlo_put_left(printer, term);
        hlo_put_type(printer->pool, term_type(printer->terms, term), "", out);
        buf_puts(out, " get-tuple-element(");
        hlo_put_name(printer, tuple);
        buf_puts(out, "), index=0");
    }
    hlo_put_right(printer, term);
    vec_release(&names);
    buf_release(&opcode);
    buf_release(&operands);
}
