// SPDX-License-Identifier: Apache-2.0
// Types of TTIR.
#include "io/ttir/reader.h"

struct element_name {
    const char *text;
    uint8_t kind, bits;
};

static bool find_element(const struct ttir_reader *reader, uint32_t at, struct code_type *out)
{
    static const struct element_name names[] = {
        {"i1", CODE_BOOL, 1},    {"i8", CODE_INT, 8},     {"i16", CODE_INT, 16},
        {"i32", CODE_INT, 32},   {"i64", CODE_INT, 64},   {"index", CODE_INT, 64},
        {"f16", CODE_REAL, 16},  {"bf16", CODE_REAL, 16}, {"f32", CODE_REAL, 32},
        {"tf32", CODE_REAL, 32}, {"f64", CODE_REAL, 64},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (mlir_word(&reader->mlir, at, names[i].text)) {
            *out = code_scalar((enum code_kind)names[i].kind, names[i].bits);
            return true;
        }
    const struct mlir_token *token = &reader->mlir.tok.at[at];
    if (mlir_kind(&reader->mlir, at) != T_BARE || token->len < 4 ||
        memcmp(reader->mlir.text + token->at, "f8E", 3) != 0)
        return false;
    *out = code_scalar(CODE_REAL, 8);
    return true;
}

// "64x32x"
static bool read_extents(struct ttir_reader *reader, uint32_t at, struct code_type *out)
{
    const struct mlir_token *token = &reader->mlir.tok.at[at];
    const char *text = reader->mlir.text + token->at, *end = text + token->len;
    uint64_t elements = 1;
    while (text < end) {
        uint64_t extent = 0;
        for (; *text != 'x'; text++) {
            if (*text == '?' || extent > CODE_ELEMENTS)
                return mlir_expected(&reader->mlir, at, "constant extents");
            extent = extent * 10 + (uint64_t)(*text - '0');
        }
        text++;
        elements *= extent;
        if (extent == 0 || elements > CODE_ELEMENTS)
            return mlir_fail(&reader->mlir, at, "expected a tile of 1 to %d elements",
                             CODE_ELEMENTS);
        if (out->rank == CODE_RANK)
            return mlir_fail(&reader->mlir, at, "expected at most %d axes", CODE_RANK);
        out->extent[out->rank++] = (uint32_t)extent;
    }
    return true;
}

// tensor<64x32xT>, behind the word.
static bool read_tensor(struct ttir_reader *reader, uint32_t *at, struct ttir_type *out)
{
    struct mlir *mlir = &reader->mlir;
    struct code_type shape = {0};
    if (mlir_kind(mlir, *at) != '<')
        return mlir_expected(mlir, *at, "'<'");
    uint32_t close = mlir->tok.at[*at].match;
    ++*at;
    if (mlir_kind(mlir, *at) == T_DIMS && !read_extents(reader, (*at)++, &shape))
        return false;
    if (!ttir_type(reader, at, out))
        return false;
    if (out->type.rank > 0 || out->kind == TTIR_BLOCK || out->kind == TTIR_DESCRIPTOR)
        return mlir_fail(mlir, *at - 1, "expected a type of elements");
    if (*at != close)
        return mlir_expected(mlir, *at, "'>'");
    ++*at;
    out->type = code_shaped(out->type, &shape);
    return true;
}

// The inside of !tt.ptr<..>, and the short form <..>.
static bool read_pointee(struct ttir_reader *reader, uint32_t *at, enum ttir_kind block,
                         struct ttir_type *out)
{
    struct mlir *mlir = &reader->mlir;
    if (mlir_kind(mlir, *at) != '<')
        return mlir_expected(mlir, *at, "'<'");
    uint32_t close = mlir->tok.at[*at].match;
    ++*at;
    bool tile = mlir_word(mlir, *at, "tensor");
    if (!ttir_type(reader, at, out))
        return false;
    if (out->kind != TTIR_PLAIN)
        out->kind = TTIR_UNKNOWN;
    else
        out->kind = tile ? (uint8_t)block : (uint8_t)TTIR_POINTER;
    // An address space, or an encoding.
    if (*at != close && mlir_kind(mlir, *at) != ',')
        return mlir_expected(mlir, *at, "'>'");
    *at = close + 1;
    return true;
}

static bool read_pointer(struct ttir_reader *reader, uint32_t *at, struct ttir_type *out)
{
    struct mlir *mlir = &reader->mlir;
    bool pointer = mlir_text_is(mlir, *at, "!tt.ptr");
    bool descriptor = mlir_text_is(mlir, *at, "!tt.tensordesc");
    ++*at;
    if (pointer ||
        (descriptor && mlir_kind(mlir, *at) == '<' && mlir_word(mlir, *at + 1, "tensor")))
        return read_pointee(reader, at, pointer ? TTIR_BLOCK : TTIR_DESCRIPTOR, out);
    if (mlir_kind(mlir, *at) == '<' && mlir_touches(mlir, *at))
        *at = mlir->tok.at[*at].match + 1;
    *out = (struct ttir_type){.kind = TTIR_UNKNOWN};
    return true;
}

bool ttir_type(struct ttir_reader *reader, uint32_t *at, struct ttir_type *out)
{
    struct mlir *mlir = &reader->mlir;
    *out = (struct ttir_type){.kind = TTIR_PLAIN};
    bool ok = true;
    if (mlir_kind(mlir, *at) == T_TYPE)
        ok = read_pointer(reader, at, out);
    else if (mlir_kind(mlir, *at) == '<')
        ok = read_pointee(reader, at, TTIR_BLOCK, out);
    else if (mlir_word(mlir, *at, "tensor"))
        ok = (++*at, read_tensor(reader, at, out));
    else if (find_element(reader, *at, &out->type))
        ++*at;
    else if (mlir_is_type(mlir, *at))
        out->kind = TTIR_UNKNOWN, ok = mlir_skip_type(mlir, at);
    else
        ok = mlir_expected(mlir, *at, "a type");
    return ok;
}
