// SPDX-License-Identifier: Apache-2.0
// Names of values.  MLIR sees the names of outer blocks in inner ones: no name may be defined
// while a value in sight has it.
#include "io/stablehlo/print/printer.h"

#define LOWEST_SUFFIX 1

static uint32_t get(const struct u32_vec *list, uint32_t at)
{
    return at < list->len ? list->at[at] : 0;
}

static uint32_t *entry(struct u32_vec *list, uint32_t at)
{
    while (list->len <= at)
        vec_push(list, 0);
    return &list->at[at];
}

static bool is_unknown(const struct stablehlo_printer *printer, uint32_t name)
{
    return get(&printer->param_has, name) == 0 && get(&printer->visible, name) == 0 &&
           get(&printer->reserved, name) == 0;
}

static void reserve(struct stablehlo_printer *printer, uint32_t name)
{
    uint32_t *reserved = entry(&printer->reserved, name);
    if (*reserved == 0)
        vec_push(&printer->taken, name);
    *reserved = 1;
}

uint32_t stablehlo_fresh_name(struct stablehlo_printer *printer, const char *stem, uint32_t *count)
{
    char text[32];
    for (;;) {
        uint32_t n = (*count)++;
        if (stem[0] == '\0')
            snprintf(text, sizeof text, "%u", n);
        else if (n == 0)
            snprintf(text, sizeof text, "%s", stem);
        else
            snprintf(text, sizeof text, "%s_%u", stem, n - 1);
        uint32_t name = intern_str(&printer->names, text);
        if (is_unknown(printer, name))
            return name;
    }
}

// %x_1, %x_2, .. of %x; %v12, %v12_1, .. of %12, whose name may not go on behind the digits.
uint32_t stablehlo_derived_name(struct stablehlo_printer *printer, uint32_t base)
{
    const char *stem = intern_text(&printer->names, base);
    bool number = stem[0] >= '0' && stem[0] <= '9';
    struct buf text = {0};
    for (;;) {
        uint32_t n = (*entry(&printer->n_derived, base))++;
        buf_clear(&text);
        buf_printf(&text, number ? "v%s" : "%s", stem);
        if (!number || n > 0)
            buf_printf(&text, "_%u", n + LOWEST_SUFFIX - number);
        uint32_t name = intern_str(&printer->names, buf_text(&text));
        if (!is_unknown(printer, name))
            continue;
        reserve(printer, name);
        buf_release(&text);
        return name;
    }
}

uint32_t stablehlo_free_name(struct stablehlo_printer *printer, uint32_t name, bool own)
{
    if (!own && is_unknown(printer, name))
        reserve(printer, name);
    else if (!own || get(&printer->visible, name) != 0)
        return stablehlo_derived_name(printer, name);
    return name;
}

// The name that the source has in a hole.
uint32_t stablehlo_source_name(struct stablehlo_printer *printer, const struct source_hole *hole)
{
    const char *text = printer->spelling.source->text;
    return intern_bytes(&printer->names, text + hole->at + 1, hole->end - hole->at - 1);
}

void stablehlo_show_name(struct stablehlo_printer *printer, uint32_t name)
{
    ++*entry(&printer->visible, name);
    vec_push(&printer->shown, name);
}

void stablehlo_hide_names(struct stablehlo_printer *printer, uint32_t n)
{
    while (printer->shown.len > n)
        printer->visible.at[vec_pop(&printer->shown)]--;
}

static void reserve_holes(struct stablehlo_printer *printer, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < first + n; i++) {
        const struct source_hole *hole = &printer->spelling.source->holes.at[i];
        if (hole->kind == SOURCE_RESULT || hole->kind == SOURCE_LOCAL)
            reserve(printer, stablehlo_source_name(printer, hole));
    }
}

void stablehlo_reserve_names(struct stablehlo_printer *printer,
                             const struct source_function *function)
{
    const struct source *source = printer->spelling.source;
    for (uint32_t i = function->first_statement; i < function->end_statement; i++)
        reserve_holes(printer, source->statements.at[i].first_hole,
                      source->statements.at[i].n_holes);
}

void stablehlo_free_names(struct stablehlo_printer *printer)
{
    for (uint32_t i = 0; i < printer->taken.len; i++)
        printer->reserved.at[printer->taken.at[i]] = 0;
    vec_clear(&printer->taken);
    vec_clear(&printer->n_derived);
}

static uint32_t n_results(const struct stablehlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    return node->op == OP_OPAQUE ? (uint32_t)attr_at(printer->pool, node->attr)[1] : 1;
}

// The k-th name of a statement.
static uint32_t statement_name(struct stablehlo_printer *printer,
                               const struct source_statement *statement, uint32_t k)
{
    return stablehlo_source_name(printer,
                                 &printer->spelling.source->holes.at[statement->first_hole + k]);
}

// A name for a value that the source does not have: after the value that it is computed for.
static uint32_t new_name(struct stablehlo_printer *printer, term_id term)
{
    const struct spelling *spelling = &printer->spelling;
    if (term_op(printer->terms, term) == OP_CONSTANT) {
        enum elem elem = type_elem(printer->pool, term_type(printer->terms, term));
        return elem_kind(elem) == KIND_FLOAT ? stablehlo_fresh_name(printer, "cst", &printer->n_cst)
                                             : stablehlo_fresh_name(printer, "c", &printer->n_c);
    }
    for (uint32_t user = get(&spelling->wanted_by, term.v); user != 0;
         user = get(&spelling->wanted_by, user - 1)) {
        const struct source_statement *statement = spelling_of(printer, (term_id){user - 1});
        if (statement != NULL && statement->n_names > 0)
            return stablehlo_derived_name(printer, statement_name(printer, statement, 0));
    }
    return stablehlo_fresh_name(printer, "", &printer->n_value);
}

// Names of a statement that stands for as many results.
static bool has_names(const struct stablehlo_printer *printer,
                      const struct source_statement *statement, uint32_t n)
{
    uint32_t sum = 0;
    for (uint32_t k = 0; k < statement->n_names; k++)
        sum += printer->spelling.source->names.at[statement->first_name + k];
    return sum == n;
}

void stablehlo_name_results(struct stablehlo_printer *printer, term_id term)
{
    const struct source_statement *statement = spelling_of(printer, term);
    uint32_t n = n_results(printer, term), first = printer->name_run.len;
    printer->name_of.at[term.v] = first + 1;
    vec_push(&printer->printed, term.v);
    if (n == 0)
        return;
    if (statement != NULL && has_names(printer, statement, n)) {
        for (uint32_t k = 0; k < statement->n_names; k++) {
            struct name_run run = {stablehlo_free_name(printer,
                                                       statement_name(printer, statement, k),
                                                       spelling_is_own(printer, statement)),
                                   printer->spelling.source->names.at[statement->first_name + k]};
            vec_push(&printer->name_run, run);
        }
    } else {
        vec_push(&printer->name_run, ((struct name_run){new_name(printer, term), n}));
    }
    for (uint32_t k = first; k < printer->name_run.len; k++)
        stablehlo_show_name(printer, printer->name_run.at[k].name);
}

void stablehlo_name_value(struct stablehlo_printer *printer, term_id term, uint32_t name)
{
    vec_push(&printer->name_run, ((struct name_run){name, 1}));
    printer->name_of.at[term.v] = printer->name_run.len;
}

void stablehlo_put_results(struct stablehlo_printer *printer, term_id term)
{
    uint32_t n = n_results(printer, term), first = printer->name_of.at[term.v] - 1;
    for (uint32_t k = first; n > 0; n -= printer->name_run.at[k++].n) {
        const struct name_run *run = &printer->name_run.at[k];
        buf_printf(printer->out, "%s%%%s", k > first ? ", " : "",
                   intern_text(&printer->names, run->name));
        if (run->n > 1)
            buf_printf(printer->out, ":%u", run->n);
        if (run->n == n)
            buf_puts(printer->out, " = ");
    }
}

void stablehlo_put_value(struct stablehlo_printer *printer, term_id term)
{
    uint32_t k = 0;
    if (term_op(printer->terms, term) == OP_RESULT) {
        k = (uint32_t)attr_at(printer->pool, term_at(printer->terms, term)->attr)[0];
        term = term_args(printer->terms, term)[0];
    }
    const struct name_run *run = &printer->name_run.at[printer->name_of.at[term.v] - 1];
    for (; k >= run->n; run++)
        k -= run->n;
    buf_printf(printer->out, "%%%s", intern_text(&printer->names, run->name));
    if (run->n > 1)
        buf_printf(printer->out, "#%u", k);
}
