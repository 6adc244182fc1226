// SPDX-License-Identifier: Apache-2.0
// Writes the tokens of an operation into its template.
#include "io/stablehlo/read/scan.h"

#include "base/text/cursor.h"

void template_put(struct opaque_scan *opaque_scan, uint32_t at)
{
    if (opaque_scan->out == NULL)
        return;
    struct stablehlo_reader *reader = opaque_scan->reader;
    bool resource = mlir_word(opaque_scan->mlir, at, "dense_resource");
    reader->resources_used |= resource;
    reader->names_module |= resource || mlir_kind(opaque_scan->mlir, at) == T_SYMBOL;
    reader->elided |= mlir_text_is(opaque_scan->mlir, at, "__elided__") ||
                      mlir_text_is(opaque_scan->mlir, at, "\"__elided__\"") ||
                      mlir_text_is(opaque_scan->mlir, at, "\"elided_large_const\"");
    bool lead = !opaque_scan->bol;
    opaque_scan->bol = false;
    mlir_emit(opaque_scan->mlir, at, at + 1, lead, SPACE_KEEP, opaque_scan->out);
}

bool template_put_kind(struct opaque_scan *opaque_scan, uint32_t *i, uint16_t kind,
                       const char *what)
{
    if (mlir_kind(opaque_scan->mlir, *i) != kind)
        return mlir_expected(opaque_scan->mlir, *i, what);
    template_put(opaque_scan, (*i)++);
    return true;
}

void template_newline(struct opaque_scan *opaque_scan)
{
    if (opaque_scan->out == NULL)
        return;
    buf_putc(opaque_scan->out, '\n');
    buf_indent(opaque_scan->out, 2 * opaque_scan->indent);
    opaque_scan->bol = true;
}

bool template_use(struct opaque_scan *opaque_scan, uint32_t *i, struct scanned_op *scanned_op)
{
    uint32_t at = *i, k;
    scanned_op->n_operands++;
    if (opaque_scan->out == NULL) {
        ++*i;
        if (mlir_kind(opaque_scan->mlir, *i) == T_ATTR && mlir_touches(opaque_scan->mlir, *i))
            ++*i;
        return true;
    }
    const struct value_binding *binding = stablehlo_lookup(opaque_scan->reader, i, &k);
    if (binding == NULL)
        return false;
    if (!opaque_scan->bol && !mlir_touches(opaque_scan->mlir, at))
        buf_putc(opaque_scan->out, ' ');
    opaque_scan->bol = false;
    if (binding->local) {
        source_hole(opaque_scan->reader, &opaque_scan->holes, at, at + 1,
                    (struct source_place){SOURCE_LOCAL, binding->first});
        buf_printf(opaque_scan->out, "%%{.%u}", binding->first);
        if (binding->n > 1)
            buf_printf(opaque_scan->out, "#%u", k);
    } else {
        source_hole(opaque_scan->reader, &opaque_scan->holes, at, *i,
                    (struct source_place){SOURCE_ARGUMENT, opaque_scan->args.len});
        buf_printf(opaque_scan->out, "%%{%u}", opaque_scan->args.len);
        vec_push(&opaque_scan->args, opaque_scan->reader->value.at[binding->first + k]);
    }
    // "%0x" is two tokens, but the name of another value would take the letter.
    const struct mlir *mlir = opaque_scan->mlir;
    const struct mlir_token *next = &mlir->tok.at[*i];
    char first = mlir->text[next->at];
    if (mlir_touches(mlir, *i) && next->kind != T_EOF &&
        (is_letter(first) || is_digit(first) || strchr("$.-", first) != NULL))
        buf_putc(opaque_scan->out, ' ');
    return true;
}

void template_define(struct opaque_scan *opaque_scan, uint32_t at, uint32_t number)
{
    if (opaque_scan->out == NULL)
        return;
    if (!opaque_scan->bol && !mlir_touches(opaque_scan->mlir, at))
        buf_putc(opaque_scan->out, ' ');
    opaque_scan->bol = false;
    buf_printf(opaque_scan->out, "%%{.%u}", number);
    source_hole(opaque_scan->reader, &opaque_scan->holes, at, at + 1,
                (struct source_place){SOURCE_LOCAL, number});
}

bool template_bind_local(struct opaque_scan *opaque_scan, uint32_t at, uint32_t n, uint32_t number)
{
    struct value_binding binding = {n, number, true};
    return opaque_scan->out == NULL || stablehlo_bind(opaque_scan->reader, at, binding);
}

bool template_copy(struct opaque_scan *opaque_scan, uint32_t *i, uint32_t to,
                   struct scanned_op *scanned_op)
{
    if (opaque_scan->out == NULL) {
        *i = to;
        return true;
    }
    while (*i < to) {
        if (mlir_kind(opaque_scan->mlir, *i) != T_VALUE)
            template_put(opaque_scan, (*i)++);
        else if (!template_use(opaque_scan, i, scanned_op))
            return false;
    }
    return true;
}

bool template_copy_bracket(struct opaque_scan *opaque_scan, uint32_t *i,
                           struct scanned_op *scanned_op)
{
    return template_copy(opaque_scan, i, opaque_scan->mlir->tok.at[*i].match + 1, scanned_op);
}

bool template_copy_dict(struct opaque_scan *opaque_scan, uint32_t *i, struct scanned_op *scanned_op)
{
    if (scanned_op->n_dicts < 3)
        scanned_op->dict[scanned_op->n_dicts++] = *i;
    return template_copy_bracket(opaque_scan, i, scanned_op);
}
