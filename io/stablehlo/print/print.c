// SPDX-License-Identifier: Apache-2.0
// A program as text.  The order of statements follows from the structure of the
// terms alone: effects in their order, then results, each behind its arguments.
// So a program that was read from such a text is printed as the same text.
#include "io/stablehlo/print/printer.h"
#include "base/text/utf8.h"
#include "tensor/program/region.h"
#include <inttypes.h>

static void put_sym(struct stablehlo_printer *printer, sym_id symbol)
{
    buf_puts(printer->out, sym_text(printer->pool, symbol));
}

static bool bare_symbol(const char *text)
{
    if (*text == '\0' || (*text >= '0' && *text <= '9') || *text == '$' || *text == '.')
        return false;
    for (; *text != '\0'; text++)
        if (!(*text >= 'a' && *text <= 'z') && !(*text >= 'A' && *text <= 'Z') &&
            !(*text >= '0' && *text <= '9') && *text != '_' && *text != '$' && *text != '.')
            return false;
    return true;
}

static void put_symbol(struct stablehlo_printer *printer, sym_id name)
{
    const char *text = sym_text(printer->pool, name);
    buf_putc(printer->out, '@');
    if (bare_symbol(text)) {
        buf_puts(printer->out, text);
        return;
    }
    buf_putc(printer->out, '"');
    while (*text != '\0') {
        size_t n = strcspn(text, "\"\\");
        utf8_bytes(text, n, printer->out);
        text += n;
        if (*text != '\0')
            buf_printf(printer->out, "\\%02X", (unsigned char)*text++);
    }
    buf_putc(printer->out, '"');
}

void stablehlo_put_type(struct stablehlo_printer *printer, type_id type)
{
    type_print(printer->pool, type, printer->out);
}

static void put_operation(struct stablehlo_printer *printer, term_id term)
{
    if (term_op(printer->terms, term) == OP_OPAQUE)
        stablehlo_put_template(printer, term);
    else
        stablehlo_put_operator(printer, term);
}

static void put_statement(struct stablehlo_printer *printer, term_id term)
{
    stablehlo_name_results(printer, term);
    if (spelling_of(printer, term) != NULL) {
        stablehlo_put_spelled(printer, term, put_operation);
        return;
    }
    buf_indent(printer->out, printer->indent);
    stablehlo_put_results(printer, term);
    put_operation(printer, term);
    buf_putc(printer->out, '\n');
}

// A walk from roots to the terms that they need, arguments first.  What belongs to an inner
// block is passed through.
struct walk {
    uint32_t pass;
    struct u32_vec *visited; // NULL: statements are printed
};

static void push_term(struct stablehlo_printer *printer, term_id term)
{
    vec_push(&printer->stack, term.v);
    vec_push(&printer->stack, 0);
}

static void want(struct spelling *spelling, term_id term, term_id user)
{
    if (spelling->source == NULL || spelling->wanted_by.at[term.v] != 0)
        return;
    spelling->wanted_by.at[term.v] = user.v + 1;
    vec_push(&spelling->wanted, term.v);
}

// The side effect in front of this one, which must be printed first.
static bool push_effect(struct stablehlo_printer *printer, const struct walk *walk, term_id term)
{
    struct spelling *spelling = &printer->spelling;
    if (spelling->source == NULL || walk->visited != NULL || spelling->before.at[term.v] == 0)
        return false;
    term_id before = {spelling->before.at[term.v] - 1};
    spelling->before.at[term.v] = 0;
    push_term(printer, before);
    return true;
}

static void leave_term(struct stablehlo_printer *printer, const struct walk *walk, term_id term)
{
    printer->passed.at[term.v] = walk->pass;
    if (walk->visited != NULL)
        vec_push(walk->visited, term.v);
    else if (term_op(printer->terms, term) != OP_RESULT &&
             stablehlo_stands_in(printer, term, printer->here))
        put_statement(printer, term);
}

static void walk_tree(struct stablehlo_printer *printer, const struct walk *walk, term_id root)
{
    uint32_t bottom = printer->stack.len;
    push_term(printer, root);
    while (printer->stack.len > bottom) {
        uint32_t next = vec_last(&printer->stack);
        term_id term = {printer->stack.at[printer->stack.len - 2]};
        if (printer->name_of.at[term.v] != 0 || printer->passed.at[term.v] >= walk->pass) {
            printer->stack.len -= 2;
        } else if (next < stablehlo_visible_args(printer, term)) {
            term_id arg = term_args(printer->terms, term)[next];
            vec_last(&printer->stack)++;
            want(&printer->spelling, arg, term);
            push_term(printer, arg);
        } else if (!push_effect(printer, walk, term)) {
            printer->stack.len -= 2;
            leave_term(printer, walk, term);
        }
    }
}

void stablehlo_put_tree(struct stablehlo_printer *printer, term_id root, uint32_t pass)
{
    struct walk walk = {pass, NULL};
    walk_tree(printer, &walk, root);
}

// The terms that the roots need, arguments first.
static void visit(struct stablehlo_printer *printer, struct block_roots roots,
                  struct u32_vec *visited)
{
    struct walk walk = {++printer->n_passes, visited};
    for (uint32_t k = 0; k < roots.n; k++)
        walk_tree(printer, &walk, (term_id){roots.root[k]});
}

uint32_t stablehlo_put_block(struct stablehlo_printer *printer, struct block_text text,
                             struct block_roots roots)
{
    struct u32_vec visited = {0};
    uint32_t end = 0;
    if (printer->spelling.source != NULL) {
        visit(printer, roots, &visited);
        spelling_choose(printer, text.hole == NULL ? NO_BLOCK : text.hole->block, &visited);
    }
    roots.pass = ++printer->n_passes;
    if (text.hole != NULL)
        end = stablehlo_put_lines(printer, text, &visited, roots);
    for (uint32_t k = 0; k < roots.n; k++)
        stablehlo_put_tree(printer, (term_id){roots.root[k]}, roots.pass);
    vec_release(&visited);
    return end;
}

// Names of the terms printed beyond the first `n` are forgotten.
void stablehlo_forget(struct stablehlo_printer *printer, uint32_t n)
{
    while (printer->printed.len > n) {
        uint32_t term = vec_pop(&printer->printed);
        printer->name_of.at[term] = 0;
        if (printer->spelling.source != NULL)
            printer->spelling.chosen.at[term] = 0;
    }
}

static void put_attrs(struct stablehlo_printer *printer, sym_id attrs)
{
    if (sym_text(printer->pool, attrs)[0] == '\0')
        return;
    buf_putc(printer->out, ' ');
    put_sym(printer, attrs);
}

static uint32_t param_name(struct stablehlo_printer *printer, uint32_t k)
{
    const char *name = sym_text(printer->pool, printer->function->params.at[k].name);
    char text[24];
    snprintf(text, sizeof text, "arg%u", k);
    return intern_str(&printer->names, name[0] != '\0' ? name : text);
}

static void put_params(struct stablehlo_printer *printer)
{
    buf_putc(printer->out, '(');
    for (uint32_t k = 0; k < printer->function->params.len; k++) {
        const struct param *param = &printer->function->params.at[k];
        if (k > 0)
            buf_puts(printer->out, ", ");
        if (!printer->function->declaration)
            buf_printf(printer->out,
                       "%%%s: ", intern_text(&printer->names, param_name(printer, k)));
        stablehlo_put_type(printer, param->type);
        put_attrs(printer, param->attrs);
    }
    buf_putc(printer->out, ')');
}

static void put_results(struct stablehlo_printer *printer)
{
    const struct function *function = printer->function;
    uint32_t n = function->results.len;
    if (n == 0)
        return;
    // A function type needs parentheses: a reader would go on behind its arrow.
    bool bare = n == 1 && sym_text(printer->pool, function->results.at[0].attrs)[0] == '\0' &&
                type_is_tensor(printer->pool, function->results.at[0].type);
    buf_puts(printer->out, bare ? " -> " : " -> (");
    for (uint32_t k = 0; k < n; k++) {
        if (k > 0)
            buf_puts(printer->out, ", ");
        stablehlo_put_type(printer, function->results.at[k].type);
        put_attrs(printer, function->results.at[k].attrs);
    }
    if (!bare)
        buf_putc(printer->out, ')');
}

// Sorts the parameter nodes by function.
static void find_params(struct stablehlo_printer *printer)
{
    uint32_t n_terms = printer->terms->term.len;
    vec_zero(&printer->name_of, n_terms);
    vec_zero(&printer->places, n_terms);
    vec_zero(&printer->opened, n_terms);
    vec_zero(&printer->passed, n_terms);
    vec_zero(&printer->region_param, printer->terms->region.len);
    scopes_extend(printer->terms, &printer->scope);
    for (uint32_t f = 0; f < printer->program->functions.len; f++)
        while (printer->param_at.len <= printer->program->functions.at[f].number)
            vec_push(&printer->param_at, 0);
    for (uint32_t i = 0; i < printer->terms->term.len; i++) {
        const struct term *n = &printer->terms->term.at[i];
        if (n->op != OP_PARAMETER)
            continue;
        int64_t f = attr_at(printer->pool, n->attr)[0];
        uint32_t *list =
            f < 0 ? &printer->region_param.at[PARAMETER_OF_REGION(f)] : &printer->param_at.at[f];
        if (f >= printer->param_at.len)
            continue;
        struct param_node node = {i, *list};
        vec_push(&printer->param_node, node);
        *list = printer->param_node.len;
    }
}

static void name_params(struct stablehlo_printer *printer)
{
    for (uint32_t k = 0; k < printer->function->params.len; k++) {
        uint32_t name = param_name(printer, k);
        while (printer->param_has.len <= name)
            vec_push(&printer->param_has, 0);
        printer->param_has.at[name] = 1;
        stablehlo_show_name(printer, name);
    }
    for (uint32_t i = printer->param_at.at[printer->function->number]; i != 0;) {
        const struct param_node *node = &printer->param_node.at[i - 1];
        const struct term *t = &printer->terms->term.at[node->term];
        int64_t k = attr_at(printer->pool, t->attr)[1];
        if (k < printer->function->params.len) {
            stablehlo_name_value(printer, (term_id){node->term}, param_name(printer, (uint32_t)k));
            vec_push(&printer->printed, node->term);
        }
        i = node->next;
    }
}

void stablehlo_forget_function(struct stablehlo_printer *printer)
{
    stablehlo_forget(printer, 0);
    stablehlo_hide_names(printer, 0);
    stablehlo_free_names(printer);
    vec_clear(&printer->name_run);
    for (uint32_t k = 0; k < printer->function->params.len; k++)
        printer->param_has.at[param_name(printer, k)] = 0;
}

static void put_return(struct stablehlo_printer *printer)
{
    const struct function *function = printer->function;
    buf_indent(printer->out, printer->indent);
    buf_puts(printer->out, "return");
    for (uint32_t k = 0; k < function->results.len; k++) {
        buf_puts(printer->out, k > 0 ? ", " : " ");
        stablehlo_put_value(printer, function->results.at[k].term);
    }
    for (uint32_t k = 0; k < function->results.len; k++) {
        buf_puts(printer->out, k > 0 ? ", " : " : ");
        stablehlo_put_type(printer, function->results.at[k].type);
    }
    buf_putc(printer->out, '\n');
}

uint32_t stablehlo_put_body(struct stablehlo_printer *printer, struct block_text text)
{
    const struct function *f = printer->function;
    printer->n_value = printer->n_cst = printer->n_c = 0;
    name_params(printer);
    struct u32_vec roots = {0}, placed = {0};
    for (uint32_t k = 0; k < f->effects.len; k++)
        vec_push(&roots, f->effects.at[k].v);
    for (uint32_t k = 0; k < f->results.len; k++)
        vec_push(&roots, f->results.at[k].term.v);
    printer->here =
        stablehlo_place(printer, scope_of_function(f->number), roots.len, roots.at, &placed);
    uint32_t end = stablehlo_put_block(
        printer, text, (struct block_roots){f->effects.len, roots.len, roots.at, 0});
    for (uint32_t k = 0; k < placed.len; k++)
        printer->places.at[placed.at[k]] = printer->opened.at[placed.at[k]] = 0;
    vec_release(&roots);
    vec_release(&placed);
    return end;
}

static void put_body(struct stablehlo_printer *printer)
{
    printer->indent += 2;
    stablehlo_put_body(printer, (struct block_text){0});
    put_return(printer);
    printer->indent -= 2;
    stablehlo_forget_function(printer);
}

static void put_function(struct stablehlo_printer *printer, uint32_t function)
{
    const char *visibility;
    printer->function = &printer->program->functions.at[function];
    visibility = sym_text(printer->pool, printer->function->visibility);
    buf_indent(printer->out, printer->indent);
    buf_printf(printer->out, "func.func %s%s", visibility, *visibility ? " " : "");
    put_symbol(printer, printer->function->name);
    put_params(printer);
    put_results(printer);
    if (sym_text(printer->pool, printer->function->attrs)[0] != '\0') {
        buf_puts(printer->out, " attributes");
        put_attrs(printer, printer->function->attrs);
    }
    if (!printer->function->declaration) {
        buf_puts(printer->out, " {\n");
        put_body(printer);
        buf_indent(printer->out, printer->indent);
        buf_putc(printer->out, '}');
    }
    buf_putc(printer->out, '\n');
}

// Prints the operations of a module's level, or the resources. Line breaks of
// operations may end statements and stay.
static void put_extras(struct stablehlo_printer *printer, uint32_t from, uint32_t end,
                       bool resources)
{
    for (uint32_t k = from; k < end; k++) {
        const char *text = sym_text(printer->pool, printer->program->extras.at[k]);
        if (stablehlo_is_resources(text) != resources)
            continue;
        buf_indent(printer->out, printer->indent);
        for (; *text != '\0'; text++) {
            buf_putc(printer->out, *text);
            if (*text == '\n')
                buf_indent(printer->out, printer->indent);
        }
        buf_putc(printer->out, '\n');
    }
}

static void put_module_header(struct stablehlo_printer *printer, const struct module *module)
{
    buf_puts(printer->out, "module");
    if (sym_text(printer->pool, module->name)[0] != '\0') {
        buf_putc(printer->out, ' ');
        put_symbol(printer, module->name);
    }
    if (sym_text(printer->pool, module->attrs)[0] != '\0') {
        buf_puts(printer->out, " attributes");
        put_attrs(printer, module->attrs);
    }
    buf_puts(printer->out, " {\n");
    printer->indent = 2;
}

static void put_program(struct stablehlo_printer *printer)
{
    const struct program *program = printer->program;
    uint32_t function = 0, extra = 0;
    for (uint32_t m = 0; m < program->modules.len; m++) {
        const struct module *module = &program->modules.at[m];
        if (module->split)
            buf_puts(printer->out, "\n// -----\n\n");
        if (module->written)
            put_module_header(printer, module);
        put_extras(printer, extra, module->extras_end, false);
        for (; function < module->functions_end; function++)
            put_function(printer, function);
        printer->indent = 0;
        if (module->written)
            buf_puts(printer->out, "}\n");
        put_extras(printer, extra, module->extras_end, true);
        extra = module->extras_end;
    }
}

void stablehlo_print(const struct program *program, struct buf *out)
{
    struct u32_vec regions = {0};
    struct program plain = *program;
    plain.source = NULL;
    stablehlo_print_regions(&plain, out, &regions);
    vec_release(&regions);
}

void stablehlo_print_regions(const struct program *program, struct buf *out,
                             struct u32_vec *regions)
{
    struct stablehlo_printer printer = {.program = program,
                                        .pool = program->pool,
                                        .terms = &program->terms,
                                        .out = out,
                                        .regions = regions};
    intern_init(&printer.names);
    find_params(&printer);
    spelling_init(&printer);
    if (program->source != NULL)
        stablehlo_put_source(&printer);
    else
        put_program(&printer);
    spelling_release(&printer.spelling);
    vec_release(&printer.name_of);
    vec_release(&printer.printed);
    vec_release(&printer.name_run);
    vec_release(&printer.visible);
    vec_release(&printer.shown);
    vec_release(&printer.reserved);
    vec_release(&printer.taken);
    vec_release(&printer.n_derived);
    vec_release(&printer.param_has);
    vec_release(&printer.param_at);
    vec_release(&printer.param_node);
    vec_release(&printer.stack);
    vec_release(&printer.region_param);
    vec_release(&printer.scope);
    vec_release(&printer.places);
    vec_release(&printer.stood);
    vec_release(&printer.opened);
    vec_release(&printer.passed);
    vec_release(&printer.use);
    vec_release(&printer.opening);
    vec_release(&printer.block);
    intern_release(&printer.names);
}
