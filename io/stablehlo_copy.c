// SPDX-License-Identifier: Apache-2.0
// Tokens of an operation into its template.
#include "io/stablehlo_scan.h"

void scan_put(struct scan *s, uint32_t i)
{
    if (s->out == NULL)
        return;
    if (mlir_word(s->m, i, "dense_resource"))
        s->r->resources_used = true;
    bool lead = !s->bol;
    s->bol = false;
    mlir_emit(s->m, i, i + 1, lead, SPACE_KEEP, s->out);
}

bool scan_put_kind(struct scan *s, uint32_t *i, uint16_t kind, const char *what)
{
    if (mlir_kind(s->m, *i) != kind)
        return mlir_expected(s->m, *i, what);
    scan_put(s, (*i)++);
    return true;
}

void scan_newline(struct scan *s)
{
    if (s->out == NULL)
        return;
    buf_putc(s->out, '\n');
    buf_indent(s->out, 2 * s->indent);
    s->bol = true;
}

bool scan_use(struct scan *s, uint32_t *i, struct op_scan *o)
{
    uint32_t at = *i, k;
    o->n_operands++;
    if (s->out == NULL) {
        ++*i;
        if (mlir_kind(s->m, *i) == T_ATTR && mlir_touches(s->m, *i))
            ++*i;
        return true;
    }
    const struct binding *b = reader_lookup(s->r, i, &k);
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

void scan_define(struct scan *s, uint32_t at, uint32_t number)
{
    if (s->out == NULL)
        return;
    if (!s->bol && !mlir_touches(s->m, at))
        buf_putc(s->out, ' ');
    s->bol = false;
    buf_printf(s->out, "%%{.%u}", number);
}

bool scan_bind_local(struct scan *s, uint32_t at, uint32_t n, uint32_t number)
{
    struct binding b = {n, number, true};
    return s->out == NULL || reader_bind(s->r, at, b);
}

bool scan_copy(struct scan *s, uint32_t *i, uint32_t to, struct op_scan *o)
{
    if (s->out == NULL) {
        *i = to;
        return true;
    }
    while (*i < to) {
        if (mlir_kind(s->m, *i) != T_VALUE)
            scan_put(s, (*i)++);
        else if (!scan_use(s, i, o))
            return false;
    }
    return true;
}

bool scan_copy_bracket(struct scan *s, uint32_t *i, struct op_scan *o)
{
    return scan_copy(s, i, s->m->tok.at[*i].match + 1, o);
}

bool scan_copy_dict(struct scan *s, uint32_t *i, struct op_scan *o)
{
    if (o->n_dicts < 3)
        o->dict[o->n_dicts++] = *i;
    return scan_copy_bracket(s, i, o);
}
