// SPDX-License-Identifier: Apache-2.0
// Texts that are kept, and the dictionaries of generic functions and modules.
#include "io/stablehlo/read/reader.h"

// Text of tokens [from, to) as a symbol; "{}" counts as "".
sym_id stablehlo_keep(struct stablehlo_reader *reader, uint32_t from, uint32_t to,
                      enum mlir_spacing spacing)
{
    struct buf buf = {0};
    for (uint32_t i = from; i < to; i++)
        if (mlir_word(&reader->mlir, i, "dense_resource"))
            reader->resources_used = true;
    mlir_emit(&reader->mlir, from, to, false, spacing, &buf);
    bool empty = strcmp(buf_text(&buf), "{}") == 0;
    sym_id symbol = sym_make(reader->program->pool, empty ? "" : buf_text(&buf));
    buf_release(&buf);
    return symbol;
}

bool stablehlo_keep_dict(struct stablehlo_reader *reader, uint32_t *i, sym_id *out)
{
    struct mlir_entry entry;
    bool ok;
    uint32_t open = *i, j = *i + 1;
    while (mlir_next_entry(&reader->mlir, &j, &entry, &ok))
        continue;
    if (!ok)
        return false;
    *i = reader->mlir.tok.at[open].match + 1;
    *out = stablehlo_keep(reader, open, *i, SPACE_KEEP);
    return true;
}

// The dictionary at '{' without the keys in `skip`, appended to `out` as
// entries separated by commas.
static bool rest_of_dict(struct stablehlo_reader *reader, uint32_t open, const char *const *skip,
                         struct buf *out)
{
    struct mlir_entry entry;
    uint32_t i = open + 1;
    bool ok;
    while (mlir_next_entry(&reader->mlir, &i, &entry, &ok)) {
        bool drop = false;
        for (const char *const *text = skip; *text != NULL; text++)
            drop |= mlir_key_is(&reader->mlir, &entry, *text);
        if (drop)
            continue;
        if (out->len > 0)
            buf_puts(out, ", ");
        for (uint32_t k = entry.value; k < entry.end; k++)
            reader->resources_used |= mlir_word(&reader->mlir, k, "dense_resource");
        mlir_emit(&reader->mlir, entry.key, entry.end, false, SPACE_KEEP, out);
    }
    return ok;
}

static sym_id braced(struct stablehlo_reader *reader, const struct buf *entries)
{
    struct buf buf = {0};
    if (entries->len > 0)
        buf_printf(&buf, "{%s}", entries->at);
    sym_id symbol = sym_make(reader->program->pool, buf_text(&buf));
    buf_release(&buf);
    return symbol;
}

bool stablehlo_unquoted(struct stablehlo_reader *reader, uint32_t i, sym_id *out)
{
    struct buf buf = {0};
    bool ok = mlir_unquote(&reader->mlir, i, &buf);
    if (ok)
        *out = sym_make(reader->program->pool, buf_text(&buf));
    buf_release(&buf);
    return ok;
}

bool stablehlo_function_header(struct stablehlo_reader *reader, uint32_t *i,
                               struct function_header *header)
{
    struct mlir *mlir = &reader->mlir;
    memset(header, 0, sizeof *header);
    ++*i;
    if (!mlir_expect(mlir, i, '(', "'('") || !mlir_expect(mlir, i, ')', "')'"))
        return false;
    if (mlir_kind(mlir, *i) == '<') {
        if (mlir_kind(mlir, *i + 1) != '{')
            return mlir_expected(mlir, *i + 1, "'{'");
        header->dict[header->n_dicts++] = *i + 1;
        *i = mlir->tok.at[*i].match + 1;
    }
    if (mlir_kind(mlir, *i) == '(' && mlir_kind(mlir, *i + 1) == '{') {
        header->region = *i + 1;
        uint32_t end = mlir->tok.at[header->region].match + 1;
        if (end != mlir->tok.at[*i].match)
            return mlir_expected(mlir, end, "')', as there is one region");
        *i = end + 1;
    } else {
        return mlir_expected(mlir, *i, "'({' and the region");
    }
    if (mlir_kind(mlir, *i) == '{') {
        header->dict[header->n_dicts++] = *i;
        *i = mlir->tok.at[*i].match + 1;
    }
    if (!mlir_expect(mlir, i, ':', "':'") || !mlir_skip_type(mlir, i))
        return false;
    for (uint32_t d = 0; d < header->n_dicts; d++) {
        struct mlir_entry entry;
        uint32_t j = header->dict[d] + 1;
        bool ok;
        while (mlir_next_entry(mlir, &j, &entry, &ok)) {
            uint32_t v = entry.value;
            if (mlir_key_is(mlir, &entry, "function_type"))
                header->type = v;
            else if (mlir_key_is(mlir, &entry, "sym_name"))
                header->name = v;
            else if (mlir_key_is(mlir, &entry, "sym_visibility"))
                header->visibility = v;
            else if (mlir_key_is(mlir, &entry, "arg_attrs"))
                header->arg_attrs = v;
            else if (mlir_key_is(mlir, &entry, "res_attrs"))
                header->res_attrs = v;
        }
        if (!ok)
            return false;
    }
    return true;
}

bool stablehlo_header_attrs(struct stablehlo_reader *reader, const struct function_header *header,
                            const char *const *skip, sym_id *out)
{
    struct buf buf = {0};
    bool ok = true;
    for (uint32_t d = 0; ok && d < header->n_dicts; d++)
        ok = rest_of_dict(reader, header->dict[d], skip, &buf);
    if (ok)
        *out = braced(reader, &buf);
    buf_release(&buf);
    return ok;
}
