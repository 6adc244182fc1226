// SPDX-License-Identifier: Apache-2.0
// Tokens of an operation into its template.
#include "io/stablehlo/read/scan.h"

void template_put(struct opaque_scan *s, uint32_t i)
{
    if (s->out == NULL)
        return;
    if (mlir_word(s->m, i, "dense_resource"))
        s->r->resources_used = true;
    bool lead = !s->bol;
    s->bol = false;
    mlir_emit(s->m, i, i + 1, lead, SPACE_KEEP, s->out);
}

bool template_put_kind(struct opaque_scan *s, uint32_t *i, uint16_t kind, const char *what)
{
    if (mlir_kind(s->m, *i) != kind)
        return mlir_expected(s->m, *i, what);
    template_put(s, (*i)++);
    return true;
}

void template_newline(struct opaque_scan *s)
{
    if (s->out == NULL)
        return;
    buf_putc(s->out, '\n');
    buf_indent(s->out, 2 * s->indent);
    s->bol = true;
}

bool template_use(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    uint32_t at = *i, k;
    o->n_operands++;
    if (s->out == NULL) {
        ++*i;
        if (mlir_kind(s->m, *i) == T_ATTR && mlir_touches(s->m, *i))
            ++*i;
        return true;
    }
    const struct value_binding *b = stablehlo_lookup(s->r, i, &k);
    if (b == NULL)
        return false;
    if (!s->bol && !mlir_touches(s->m, at))
        buf_putc(s->out, ' ');
    s->bol = false;
    if (b->local) {
        buf_printf(s->out, "%%{.%u}", b->first);
        if (b->n > 1)
            buf_printf(s->out, "#%u", k);
    } else {
        buf_printf(s->out, "%%{%u}", s->r->args.len);
        vec_push(&s->r->args, s->r->value.at[b->first + k]);
    }
    return true;
}

void template_define(struct opaque_scan *s, uint32_t at, uint32_t number)
{
    if (s->out == NULL)
        return;
    if (!s->bol && !mlir_touches(s->m, at))
        buf_putc(s->out, ' ');
    s->bol = false;
    buf_printf(s->out, "%%{.%u}", number);
}

bool template_bind_local(struct opaque_scan *s, uint32_t at, uint32_t n, uint32_t number)
{
    struct value_binding b = {n, number, true};
    return s->out == NULL || stablehlo_bind(s->r, at, b);
}

bool template_copy(struct opaque_scan *s, uint32_t *i, uint32_t to, struct scanned_op *o)
{
    if (s->out == NULL) {
        *i = to;
        return true;
    }
    while (*i < to) {
        if (mlir_kind(s->m, *i) != T_VALUE)
            template_put(s, (*i)++);
        else if (!template_use(s, i, o))
            return false;
    }
    return true;
}

bool template_copy_bracket(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    return template_copy(s, i, s->m->tok.at[*i].match + 1, o);
}

bool template_copy_dict(struct opaque_scan *s, uint32_t *i, struct scanned_op *o)
{
    if (o->n_dicts < 3)
        o->dict[o->n_dicts++] = *i;
    return template_copy_bracket(s, i, o);
}
