// SPDX-License-Identifier: Apache-2.0
// Which resources a program keeps.  Constants whose data were read need none; whatever else may
// name resources keeps all of the part's.
#include "io/stablehlo/read/reader.h"
#include "io/stablehlo/stablehlo.h"

bool stablehlo_is_resources(const char *extra)
{
    return strncmp(extra, "{-#", 3) == 0;
}

// Only names dense_resource<...> can mean resources of the builtin dialect; those of others
// have any name.
static bool only_builtin(const struct mlir *mlir, uint32_t open)
{
    uint32_t at = open + 1, close = mlir->tok.at[open].match;
    for (int k = 0; k < 2; k++) {
        if (!mlir_word(mlir, at, k == 0 ? "dialect_resources" : "builtin") ||
            mlir_kind(mlir, at + 1) != ':' || mlir_kind(mlir, at + 2) != '{' ||
            mlir->tok.at[at + 2].match + 1 != close)
            return false;
        close = mlir->tok.at[at + 2].match;
        at += 3;
    }
    return true;
}

// What the tokens [from, end) outside of the section at `open` name.
struct resource_names {
    bool data;  // of constants that were read
    bool other; // of anything else
};

static struct resource_names find_names(const struct mlir *mlir, uint32_t from, uint32_t end,
                                        uint32_t open)
{
    struct resource_names names = {false, false};
    for (uint32_t at = from; at < end; at++) {
        if (at == open)
            at = mlir->tok.at[at].match;
        if (!mlir_word(mlir, at, "dense_resource"))
            continue;
        bool data = (mlir->tok.at[at].flags & TOKEN_DATA) != 0;
        names.data |= data;
        names.other |= !data;
    }
    return names;
}

// Does the module of the input in the place of the last one have resources?
static bool input_keeps(const struct stablehlo_reader *reader)
{
    const struct program *input = reader->input;
    uint32_t m = reader->program->modules.len - 1;
    if (m >= input->modules.len)
        return false;
    uint32_t first = m > 0 ? input->modules.at[m - 1].extras_end : 0;
    uint32_t end = input->modules.at[m].extras_end;
    return first < end && stablehlo_is_resources(sym_text(input->pool, input->extras.at[end - 1]));
}

// Resources that nothing names are kept too, as nothing says why they are there.  In an output
// they are those that only constants of the input named.
static bool keeps(const struct stablehlo_reader *reader, uint32_t from, uint32_t end, uint32_t open)
{
    struct resource_names names = find_names(&reader->mlir, from, end, open);
    if (reader->resources_used || names.other || !only_builtin(&reader->mlir, open))
        return true;
    return reader->input != NULL ? input_keeps(reader) : !names.data;
}

void stablehlo_keep_resources(struct stablehlo_reader *reader, uint32_t from, uint32_t end)
{
    const struct mlir *mlir = &reader->mlir;
    struct program *program = reader->program;
    if (mlir->resources == 0 || program->modules.len == 0)
        return;
    uint32_t open = mlir->resources - 1, next = mlir->tok.at[open].match + 1;
    bool kept = keeps(reader, from, end, open);
    if (kept || next < end)
        source_keep_resources(reader, from);
    if (!kept)
        return;
    vec_push(&program->extras, stablehlo_keep(reader, open, next, SPACE_KEEP));
    vec_last(&program->modules).extras_end = program->extras.len;
}
