// SPDX-License-Identifier: Apache-2.0
// Texts that are kept, and the dictionaries of generic functions and modules.
#include "io/stablehlo/read/reader.h"

// Text of tokens [from, to) as a symbol; "{}" counts as nothing.
sym_id stablehlo_keep(struct stablehlo_reader *r, uint32_t from, uint32_t to,
                   enum mlir_spacing spacing)
{
    struct buf b = {0};
    for (uint32_t i = from; i < to; i++)
        if (mlir_word(&r->m, i, "dense_resource"))
            r->resources_used = true;
    mlir_emit(&r->m, from, to, false, spacing, &b);
    bool empty = strcmp(buf_text(&b), "{}") == 0;
    sym_id s = sym_make(r->p->pool, empty ? "" : buf_text(&b));
    buf_release(&b);
    return s;
}

bool stablehlo_keep_dict(struct stablehlo_reader *r, uint32_t *i, sym_id *out)
{
    struct mlir_entry x;
    bool ok;
    uint32_t open = *i, j = *i + 1;
    while (mlir_next_entry(&r->m, &j, &x, &ok))
        continue;
    if (!ok)
        return false;
    *i = r->m.tok.at[open].match + 1;
    *out = stablehlo_keep(r, open, *i, SPACE_KEEP);
    return true;
}

// The dictionary at '{' without the keys in `skip`, appended to `out` as
// entries separated by commas.
static bool rest_of_dict(struct stablehlo_reader *r, uint32_t open,
                         const char *const *skip, struct buf *out)
{
    struct mlir_entry x;
    uint32_t i = open + 1;
    bool ok;
    while (mlir_next_entry(&r->m, &i, &x, &ok)) {
        bool drop = false;
        for (const char *const *s = skip; *s != NULL; s++)
            drop |= mlir_key_is(&r->m, &x, *s);
        if (drop)
            continue;
        if (out->len > 0)
            buf_puts(out, ", ");
        for (uint32_t k = x.value; k < x.end; k++)
            r->resources_used |= mlir_word(&r->m, k, "dense_resource");
        mlir_emit(&r->m, x.key, x.end, false, SPACE_KEEP, out);
    }
    return ok;
}

static sym_id braced(struct stablehlo_reader *r, const struct buf *entries)
{
    struct buf b = {0};
    if (entries->len > 0)
        buf_printf(&b, "{%s}", entries->at);
    sym_id s = sym_make(r->p->pool, buf_text(&b));
    buf_release(&b);
    return s;
}

bool stablehlo_unquoted(struct stablehlo_reader *r, uint32_t i, sym_id *out)
{
    struct buf b = {0};
    bool ok = mlir_unquote(&r->m, i, &b);
    if (ok)
        *out = sym_make(r->p->pool, buf_text(&b));
    buf_release(&b);
    return ok;
}

bool stablehlo_function_header(struct stablehlo_reader *r, uint32_t *i, struct function_header *h)
{
    struct mlir *m = &r->m;
    memset(h, 0, sizeof *h);
    ++*i;
    if (!mlir_expect(m, i, '(', "'('") || !mlir_expect(m, i, ')', "')'"))
        return false;
    if (mlir_kind(m, *i) == '<') {
        if (mlir_kind(m, *i + 1) != '{')
            return mlir_expected(m, *i + 1, "'{'");
        h->dict[h->n_dicts++] = *i + 1;
        *i = m->tok.at[*i].match + 1;
    }
    if (mlir_kind(m, *i) == '(' && mlir_kind(m, *i + 1) == '{') {
        h->region = *i + 1;
        uint32_t end = m->tok.at[h->region].match + 1;
        if (end != m->tok.at[*i].match)
            return mlir_expected(m, end, "')', as there is one region");
        *i = end + 1;
    } else {
        return mlir_expected(m, *i, "'({' and the region");
    }
    if (mlir_kind(m, *i) == '{') {
        h->dict[h->n_dicts++] = *i;
        *i = m->tok.at[*i].match + 1;
    }
    if (!mlir_expect(m, i, ':', "':'") || !mlir_skip_type(m, i))
        return false;
    for (uint32_t d = 0; d < h->n_dicts; d++) {
        struct mlir_entry x;
        uint32_t j = h->dict[d] + 1;
        bool ok;
        while (mlir_next_entry(m, &j, &x, &ok)) {
            uint32_t v = x.value;
            if (mlir_key_is(m, &x, "function_type"))
                h->type = v;
            else if (mlir_key_is(m, &x, "sym_name"))
                h->name = v;
            else if (mlir_key_is(m, &x, "sym_visibility"))
                h->visibility = v;
            else if (mlir_key_is(m, &x, "arg_attrs"))
                h->arg_attrs = v;
            else if (mlir_key_is(m, &x, "res_attrs"))
                h->res_attrs = v;
        }
        if (!ok)
            return false;
    }
    return true;
}

bool stablehlo_header_attrs(struct stablehlo_reader *r, const struct function_header *h,
                         const char *const *skip, sym_id *out)
{
    struct buf b = {0};
    bool ok = true;
    for (uint32_t d = 0; ok && d < h->n_dicts; d++)
        ok = rest_of_dict(r, h->dict[d], skip, &b);
    if (ok)
        *out = braced(r, &b);
    buf_release(&b);
    return ok;
}
