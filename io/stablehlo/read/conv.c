// SPDX-License-Identifier: Apache-2.0
// The spelling of convolution: dimension numbers as letters and places, and
// the window.
#include "io/stablehlo/read/op_reader.h"

// One letter of a dimension, or the place of a spatial dimension.
struct side_numbers {
    const char *letters; // of the two dimensions that are not spatial
    int64_t found[2];    // where they stand; -1: not met
    uint32_t n_spatial;
    int64_t spatial[TENSOR_MAX_RANK]; // where spatial dimension d stands; -1: not met
};

static bool read_dimension(struct op_reader *reading, uint32_t *next, int64_t index,
                           struct side_numbers *side)
{
    struct mlir *mlir = reading->mlir;
    if (mlir_kind(mlir, *next) == T_INT) {
        int64_t place;
        uint32_t at = *next;
        if (!mlir_int(mlir, next, &place))
            return false;
        if (place >= TENSOR_MAX_RANK || side->spatial[place] >= 0)
            return mlir_expected(mlir, at, "another spatial dimension");
        side->spatial[place] = index;
        side->n_spatial++;
        return true;
    }
    for (int c = 0; c < 2; c++) {
        char word[2] = {side->letters[c], '\0'};
        if (!mlir_word(mlir, *next, word))
            continue;
        if (side->found[c] >= 0)
            return mlir_fail(mlir, *next, "'%s' is given twice", word);
        side->found[c] = index;
        ++*next;
        return true;
    }
    return mlir_expected(mlir, *next, "a dimension number or letter");
}

// [b, 0, 1, f]: where the letters stand into number[slot], [slot + 1], and
// where the spatial dimensions stand into the list.
static bool read_side(struct op_reader *reading, uint32_t *next, const char letters[2], int slot,
                      int list)
{
    struct mlir *mlir = reading->mlir;
    struct side_numbers side = {.letters = letters, .found = {-1, -1}};
    int64_t index = 0;
    uint32_t at = *next;
    for (int d = 0; d < TENSOR_MAX_RANK; d++)
        side.spatial[d] = -1;
    if (!mlir_expect(mlir, next, '[', "'[' and the dimensions"))
        return false;
    do {
        if (!read_dimension(reading, next, index++, &side))
            return false;
    } while (mlir_accept(mlir, next, ','));
    if (!mlir_expect(mlir, next, ']', "',' or ']'"))
        return false;
    struct i64_vec *out = dims_list(reading, list);
    for (uint32_t d = 0; d < side.n_spatial; d++) {
        if (side.spatial[d] < 0)
            return mlir_fail(mlir, at, "expected the spatial dimension %u", d);
        vec_push(out, side.spatial[d]);
    }
    for (int c = 0; c < 2; c++) {
        if (side.found[c] < 0)
            return mlir_fail(mlir, at, "expected the dimension '%c'", letters[c]);
        reading->number[slot + c] = side.found[c];
        reading->numbers |= 1u << (slot + c);
    }
    return true;
}

bool conv_numbers(struct op_reader *reading, uint32_t *i)
{
    return read_side(reading, i, "bf", CONV_IN_BATCH, CONV_IN) &&
           mlir_expect_word(reading->mlir, i, "x") &&
           read_side(reading, i, "io", CONV_KERNEL_FEATURE, CONV_KERNEL) &&
           mlir_expect(reading->mlir, i, T_ARROW, "'->'") &&
           read_side(reading, i, "bf", CONV_OUT_BATCH, CONV_OUT);
}

// [[1, 1], [0, 2]]
static bool read_pairs(struct op_reader *reading, uint32_t *next, struct i64_vec *out)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect(mlir, next, '[', "'['"))
        return false;
    while (mlir_kind(mlir, *next) != ']') {
        uint32_t at = *next, n = out->len;
        if (!mlir_int_list(mlir, next, out))
            return false;
        if (out->len != n + 2)
            return mlir_fail(mlir, at, "expected a pair of paddings");
        if (!mlir_accept(mlir, next, ','))
            break;
    }
    return mlir_expect(mlir, next, ']', "',' or ']'");
}

// [true, false]; older programs say 1 and 0.
static bool read_flags(struct op_reader *reading, uint32_t *at, struct i64_vec *out)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect(mlir, at, '[', "'['"))
        return false;
    while (mlir_kind(mlir, *at) != ']') {
        int64_t x;
        if (mlir_accept_word(mlir, at, "true"))
            x = 1;
        else if (mlir_accept_word(mlir, at, "false"))
            x = 0;
        else if (!mlir_int(mlir, at, &x))
            return false;
        vec_push(out, x);
        if (!mlir_accept(mlir, at, ','))
            break;
    }
    return mlir_expect(mlir, at, ']', "',' or ']'");
}

static bool window_entry(struct op_reader *reading, uint32_t *at)
{
    static const struct {
        const char *name;
        int list;
    } keys[] = {{"stride", CONV_STRIDE},
                {"pad", CONV_PAD},
                {"lhs_dilate", CONV_BASE},
                {"rhs_dilate", CONV_DILATION},
                {"reverse", CONV_REVERSE}};
    struct mlir *mlir = reading->mlir;
    for (size_t n = 0; n < sizeof keys / sizeof *keys; n++) {
        if (!mlir_word(mlir, *at, keys[n].name))
            continue;
        if (reading->lists >> keys[n].list & 1)
            return mlir_fail(mlir, *at, "'%s' is given twice", keys[n].name);
        struct i64_vec *out = dims_list(reading, keys[n].list);
        ++*at;
        if (!mlir_expect(mlir, at, '=', "'='"))
            return false;
        if (keys[n].list == CONV_PAD)
            return read_pairs(reading, at, out);
        if (keys[n].list == CONV_REVERSE)
            return read_flags(reading, at, out);
        return mlir_int_list(mlir, at, out);
    }
    return mlir_expected(mlir, *at, "stride, pad, lhs_dilate, rhs_dilate or reverse");
}

static bool read_window(struct op_reader *reading, uint32_t *at)
{
    struct mlir *mlir = reading->mlir;
    if (!mlir_expect(mlir, at, '{', "'{'"))
        return false;
    while (mlir_kind(mlir, *at) != '}') {
        if (!window_entry(reading, at))
            return false;
        if (!mlir_accept(mlir, at, ','))
            break;
    }
    return mlir_expect(mlir, at, '}', "',' or '}'");
}

bool conv_pretty(struct op_reader *reading, uint32_t *i)
{
    struct mlir *mlir = reading->mlir;
    return mlir_expect(mlir, i, '(', "'('") && op_reader_push_operand(reading, i) &&
           mlir_expect(mlir, i, ',', "','") && op_reader_push_operand(reading, i) &&
           mlir_expect(mlir, i, ')', "')'") && mlir_expect_word(mlir, i, "dim_numbers") &&
           mlir_expect(mlir, i, '=', "'='") && conv_numbers(reading, i) &&
           mlir_expect(mlir, i, ',', "','") && mlir_expect_word(mlir, i, "window") &&
           mlir_expect(mlir, i, '=', "'='") && read_window(reading, i);
}
