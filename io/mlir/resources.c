// SPDX-License-Identifier: Apache-2.0
// The resources of a part: which names of the builtin dialect have which data.  Those of other
// dialects mean what the dialect says.
#include "io/mlir/mlir.h"
#include "base/text/hex.h"

#define ALIGNMENT 8 // hex digits: the first four bytes, little end first

static bool find_section(struct mlir *mlir, uint32_t from, uint32_t to)
{
    mlir->resources = 0;
    for (uint32_t i = from; i < to; i++) {
        uint16_t k = mlir_kind(mlir, i);
        if (k == T_RES_OPEN) {
            if (mlir->resources != 0)
                return mlir_fail(mlir, i, "a second resource section");
            mlir->resources = i + 1;
        }
        if (k == '(' || k == '[' || k == '{' || k == '<' || k == T_RES_OPEN)
            i = mlir->tok.at[i].match;
    }
    return true;
}

// An entry `key: value`; the value is the token at `value`, or the brackets that open there.
struct resource_entry {
    uint32_t key, value;
};

// The next entry before `close`; *at moves behind its comma.
static bool read_entry(struct mlir *mlir, uint32_t *at, uint32_t close, struct resource_entry *out)
{
    uint16_t k = mlir_kind(mlir, *at);
    if (k != T_BARE && k != T_STRING)
        return mlir_expected(mlir, *at, "the name of a resource, a dialect or a section");
    out->key = (*at)++;
    if (!mlir_expect(mlir, at, ':', "':'"))
        return false;
    if (*at == close)
        return mlir_expected(mlir, *at, "a value");
    out->value = *at;
    k = mlir_kind(mlir, *at);
    *at = (k == '{' || k == '[' || k == '(' || k == '<' ? mlir->tok.at[*at].match : *at) + 1;
    return *at == close || mlir_expect(mlir, at, ',', "',' or the end of the resources");
}

// "0x", the alignment, and the data.
static bool is_blob(const struct mlir *mlir, uint32_t value)
{
    const struct mlir_token *token = &mlir->tok.at[value];
    if (mlir_kind(mlir, value) != T_STRING || token->len < 2 + 2 + ALIGNMENT)
        return false;
    const char *text = mlir->text + token->at + 1;
    uint32_t n = token->len - 2, alignment = 0;
    bool ok = n % 2 == 0 && text[0] == '0' && text[1] == 'x';
    for (uint32_t i = 2; ok && i < n; i++)
        ok = hex_digit(text[i]) >= 0;
    for (uint32_t i = 0; ok && i < ALIGNMENT; i += 2)
        alignment |= (uint32_t)(hex_digit(text[2 + i]) << 4 | hex_digit(text[3 + i])) << (4 * i);
    return ok && (alignment & (alignment - 1)) == 0;
}

bool mlir_resource_name(struct mlir *mlir, uint32_t at, uint32_t *name)
{
    struct buf text = {0};
    bool ok = mlir_unquote(mlir, at, &text);
    if (ok)
        *name = intern_bytes(&mlir->names, buf_text(&text), text.len);
    buf_release(&text);
    return ok;
}

static bool enter_blob(struct mlir *mlir, struct resource_entry entry, uint32_t name)
{
    if (!is_blob(mlir, entry.value))
        return mlir_fail(mlir, entry.value,
                         "expected \"0x\" and pairs of hex digits, the first four an "
                         "alignment that is a power of two");
    while (mlir->resource_of.len <= name)
        vec_push(&mlir->resource_of, 0);
    if (mlir->resource_of.at[name] != 0)
        return mlir_fail(mlir, entry.key, "a second resource of this name");
    mlir->resource_of.at[name] = entry.value;
    vec_push(&mlir->resource_names, name);
    return true;
}

enum level { LEVEL_SECTIONS, LEVEL_DIALECTS, LEVEL_BLOBS };

// The entries between brackets; below sections are dialects, below these their resources.
static bool read_level(struct mlir *mlir, uint32_t open, enum level level)
{
    static const char *const inner[] = {"dialect_resources", "builtin"};
    uint32_t at = open + 1, close = mlir->tok.at[open].match, name = 0;
    bool ok = true;
    while (ok && at < close) {
        struct resource_entry entry = {0};
        ok = read_entry(mlir, &at, close, &entry) && mlir_resource_name(mlir, entry.key, &name);
        if (ok && level == LEVEL_BLOBS)
            ok = enter_blob(mlir, entry, name);
        else if (ok && name == intern_str(&mlir->names, inner[level]))
            ok = mlir_kind(mlir, entry.value) == '{' ? read_level(mlir, entry.value, level + 1)
                                                     : mlir_expected(mlir, entry.value, "'{'");
    }
    return ok;
}

bool mlir_read_resources(struct mlir *mlir, uint32_t from, uint32_t to)
{
    while (mlir->resource_names.len > 0)
        mlir->resource_of.at[vec_pop(&mlir->resource_names)] = 0;
    return find_section(mlir, from, to) &&
           (mlir->resources == 0 || read_level(mlir, mlir->resources - 1, LEVEL_SECTIONS));
}
