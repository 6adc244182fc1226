// SPDX-License-Identifier: Apache-2.0
// Attributes of operators, in the forms that HLO has for them.
#include "io/hlo/read/op_reader.h"

#include "base/text/cursor.h"

enum form {
    FORM_LIST,      // {0,1}
    FORM_NUMBER,    // 1
    FORM_TRUTH,     // true
    FORM_DIRECTION, // LT
    FORM_ORDER,     // TOTALORDER
    FORM_SLICE,     // {[0:4:2], [1:3]}
    FORM_PADDING,   // 0_1x2_2_1
    FORM_WINDOW,    // {size=2x2 pad=0_1x0_0}
    FORM_LABELS,    // b01f_01io->b01f
    FORM_REDUCER,   // a computation
    FORM_PRECISION, // {default,default}
    FORM_NOTE,      // of no meaning
};

static const struct attribute_row {
    enum op op; // N_OPS: any
    const char *key;
    enum form form;
    int slot;
} rows[] = {
    {N_OPS, "metadata", FORM_NOTE, 0},
    {OP_IOTA, "iota_dimension", FORM_NUMBER, NUMBER_FIRST},
    {OP_COMPARE, "direction", FORM_DIRECTION, 0},
    {OP_COMPARE, "type", FORM_ORDER, 0},
    {OP_BROADCAST_IN_DIM, "dimensions", FORM_LIST, LIST_DIMS},
    {OP_TRANSPOSE, "dimensions", FORM_LIST, LIST_DIMS},
    {OP_REVERSE, "dimensions", FORM_LIST, LIST_DIMS},
    {OP_CONCATENATE, "dimensions", FORM_LIST, LIST_DIMS},
    {OP_REDUCE, "dimensions", FORM_LIST, LIST_DIMS},
    {OP_REDUCE, "to_apply", FORM_REDUCER, 0},
    {OP_SLICE, "slice", FORM_SLICE, 0},
    {OP_PAD, "padding", FORM_PADDING, 0},
    {OP_DOT_GENERAL, "lhs_batch_dims", FORM_LIST, LIST_LHS_BATCH},
    {OP_DOT_GENERAL, "rhs_batch_dims", FORM_LIST, LIST_RHS_BATCH},
    {OP_DOT_GENERAL, "lhs_contracting_dims", FORM_LIST, LIST_LHS_CONTRACTING},
    {OP_DOT_GENERAL, "rhs_contracting_dims", FORM_LIST, LIST_RHS_CONTRACTING},
    {OP_DOT_GENERAL, "operand_precision", FORM_PRECISION, 0},
    {OP_CONVOLUTION, "window", FORM_WINDOW, 0},
    {OP_CONVOLUTION, "dim_labels", FORM_LABELS, 0},
    {OP_CONVOLUTION, "feature_group_count", FORM_NUMBER, NUMBER_FIRST},
    {OP_CONVOLUTION, "batch_group_count", FORM_NUMBER, NUMBER_SECOND},
    {OP_CONVOLUTION, "operand_precision", FORM_PRECISION, 0},
    {OP_REDUCE_WINDOW, "window", FORM_WINDOW, 0},
    {OP_REDUCE_WINDOW, "to_apply", FORM_REDUCER, 0},
    {OP_DYNAMIC_SLICE, "dynamic_slice_sizes", FORM_LIST, LIST_DIMS},
    {OP_GATHER, "offset_dims", FORM_LIST, INDEXED_WINDOW},
    {OP_GATHER, "collapsed_slice_dims", FORM_LIST, INDEXED_REMOVED},
    {OP_GATHER, "operand_batching_dims", FORM_LIST, INDEXED_BATCHING},
    {OP_GATHER, "start_indices_batching_dims", FORM_LIST, INDEXED_INDICES_BATCHING},
    {OP_GATHER, "start_index_map", FORM_LIST, INDEXED_MAP},
    {OP_GATHER, "slice_sizes", FORM_LIST, INDEXED_SIZES},
    {OP_GATHER, "index_vector_dim", FORM_NUMBER, NUMBER_FIRST},
    {OP_GATHER, "indices_are_sorted", FORM_TRUTH, NUMBER_SECOND},
    {OP_SCATTER, "update_window_dims", FORM_LIST, INDEXED_WINDOW},
    {OP_SCATTER, "inserted_window_dims", FORM_LIST, INDEXED_REMOVED},
    {OP_SCATTER, "input_batching_dims", FORM_LIST, INDEXED_BATCHING},
    {OP_SCATTER, "scatter_indices_batching_dims", FORM_LIST, INDEXED_INDICES_BATCHING},
    {OP_SCATTER, "scatter_dims_to_operand_dims", FORM_LIST, INDEXED_MAP},
    {OP_SCATTER, "index_vector_dim", FORM_NUMBER, NUMBER_FIRST},
    {OP_SCATTER, "indices_are_sorted", FORM_TRUTH, NUMBER_SECOND},
    {OP_SCATTER, "unique_indices", FORM_TRUTH, NUMBER_THIRD},
    {OP_SCATTER, "to_apply", FORM_REDUCER, 0},
};

static void push(struct hlo_op_reader *reading, int slot, int64_t value)
{
    vec_push(&reading->reader->list[slot], value);
    reading->given |= HLO_LIST_BIT(slot);
}

// {0,1}
static bool read_list(struct hlo_op_reader *reading, uint32_t at, int slot)
{
    struct hlo_reader *reader = reading->reader;
    uint32_t close = reader->tok.at[at].match;
    if (!hlo_expect(reader, &at, '{', "a list such as {0,1}"))
        return false;
    reading->given |= HLO_LIST_BIT(slot);
    while (at < close) {
        int64_t value;
        if (!hlo_int(reader, &at, &value))
            return false;
        push(reading, slot, value);
        if (at < close && !hlo_expect(reader, &at, ',', "','"))
            return false;
    }
    return true;
}

// [0:4:2] at *at
static bool read_range(struct hlo_op_reader *reading, uint32_t *at)
{
    struct hlo_reader *reader = reading->reader;
    int64_t low, high, step = 1;
    if (!hlo_expect(reader, at, '[', "a range such as [0:4]") || !hlo_int(reader, at, &low) ||
        !hlo_expect(reader, at, ':', "':'") || !hlo_int(reader, at, &high) ||
        (hlo_accept(reader, at, ':') && !hlo_int(reader, at, &step)) ||
        !hlo_expect(reader, at, ']', "']'"))
        return false;
    push(reading, LIST_LOW, low);
    push(reading, LIST_HIGH, high);
    push(reading, LIST_STEP, step);
    return true;
}

static bool read_slice(struct hlo_op_reader *reading, uint32_t at)
{
    struct hlo_reader *reader = reading->reader;
    uint32_t close = reader->tok.at[at].match;
    if (!hlo_expect(reader, &at, '{', "ranges such as {[0:4:2], [1:3]}"))
        return false;
    while (at < close)
        if (!read_range(reading, &at) || (at < close && !hlo_expect(reader, &at, ',', "','")))
            return false;
    return true;
}

struct piece {
    const char *at, *end;
};

static bool piece_int(struct piece *piece, int64_t *out)
{
    bool negative = piece->at < piece->end && *piece->at == '-';
    uint64_t value = 0;
    piece->at += negative;
    const char *from = piece->at;
    for (; piece->at < piece->end && is_digit(*piece->at) && piece->at - from < 18; piece->at++)
        value = value * 10 + (uint64_t)(*piece->at - '0');
    *out = negative ? -(int64_t)value : (int64_t)value;
    return piece->at > from;
}

static bool piece_accept(struct piece *piece, char c)
{
    bool found = piece->at < piece->end && *piece->at == c;
    piece->at += found;
    return found;
}

// 3x3, or with `pads` pairs 1_2x0_1; with `interior` a third number may follow.
static bool read_sizes(struct hlo_op_reader *reading, uint32_t at, const int slots[3], bool pads,
                       bool interior)
{
    struct hlo_reader *reader = reading->reader;
    const struct hlo_token *token = &reader->tok.at[at];
    struct piece piece = {reader->text + token->at, reader->text + token->at + token->len};
    bool ok = true;
    do {
        int64_t value[3] = {0};
        ok = piece_int(&piece, &value[0]) &&
             (!pads || (piece_accept(&piece, '_') && piece_int(&piece, &value[1]))) &&
             (!interior || !piece_accept(&piece, '_') || piece_int(&piece, &value[2]));
        push(reading, slots[0], value[0]);
        if (pads)
            push(reading, slots[1], value[1]);
        if (interior)
            push(reading, slots[2], value[2]);
    } while (ok && piece_accept(&piece, 'x'));
    return (ok && piece.at == piece.end) ||
           hlo_expected(reader, at, pads ? "paddings such as 0_1x0_0" : "sizes such as 2x3");
}

static bool read_padding(struct hlo_op_reader *reading, uint32_t at)
{
    static const int slots[3] = {LIST_LOW, LIST_HIGH, LIST_STEP};
    return read_sizes(reading, at, slots, true, true);
}

// {size=2x2 stride=1x2}
static bool read_window(struct hlo_op_reader *reading, uint32_t at)
{
    static const struct {
        const char *key;
        int slot;
    } members[] = {{"size", WINDOW_SIZE},
                   {"stride", WINDOW_STRIDE},
                   {"pad", WINDOW_LOW},
                   {"lhs_dilate", WINDOW_BASE},
                   {"rhs_dilate", WINDOW_DILATION},
                   {"rhs_reversal", WINDOW_REVERSAL}};
    struct hlo_reader *reader = reading->reader;
    uint32_t close = reader->tok.at[at].match;
    if (!hlo_expect(reader, &at, '{', "a window such as {size=2x2}"))
        return false;
    while (at < close) {
        size_t k = 0;
        while (k < sizeof members / sizeof *members && !hlo_is(reader, at, members[k].key))
            k++;
        if (k == sizeof members / sizeof *members)
            return hlo_expected(reader, at, "size, stride, pad or another member of a window");
        at++;
        if (!hlo_expect(reader, &at, '=', "'='"))
            return false;
        const int slots[3] = {members[k].slot, WINDOW_HIGH, 0};
        if (!read_sizes(reading, at++, slots, members[k].slot == WINDOW_LOW, false))
            return false;
    }
    return true;
}

// One side of the labels, such as b01f: two letters, then each spatial dimension's place.
static bool read_side(struct hlo_op_reader *reading, const char *text, size_t n,
                      const char letters[2], int slot)
{
    for (size_t want = 0; want < n; want++) {
        char letter = want < 2 ? letters[want] : (char)('0' + (want - 2));
        const char *found = memchr(text, letter, n);
        if (found == NULL || want > 11)
            return false;
        push(reading, slot, found - text);
    }
    return n >= 2;
}

// b01f_01io->b01f; unknown dimensions ('?') are more than a term.
static bool read_labels(struct hlo_op_reader *reading, uint32_t at, uint32_t end)
{
    struct hlo_reader *reader = reading->reader;
    const struct hlo_token *sides = &reader->tok.at[at], *result = &reader->tok.at[at + 2];
    const char *text = reader->text + sides->at;
    const char *cut = memchr(text, '_', sides->len);
    if (end - at != 3 || hlo_kind(reader, at + 1) != H_ARROW || cut == NULL)
        return hlo_expected(reader, at, "dimensions such as b01f_01io->b01f");
    size_t n = (size_t)(cut - text);
    if (memchr(text, '?', sides->len) != NULL) {
        reading->opaque = true;
        return true;
    }
    return (read_side(reading, text, n, "bf", LABELS_IN) &&
            read_side(reading, cut + 1, sides->len - n - 1, "io", LABELS_KERNEL) &&
            read_side(reading, reader->text + result->at, result->len, "bf", LABELS_OUT)) ||
           hlo_expected(reader, at, "dimensions such as b01f_01io->b01f");
}

static bool token_text(const struct hlo_reader *reader, uint32_t at, char *text, size_t size)
{
    const struct hlo_token *token = &reader->tok.at[at];
    if (token->len >= size)
        return false;
    memcpy(text, reader->text + token->at, token->len);
    text[token->len] = '\0';
    return true;
}

static bool read_comparison(struct hlo_op_reader *reading, uint32_t at, enum form form)
{
    char text[16];
    bool known = token_text(reading->reader, at, text, sizeof text);
    if (form == FORM_DIRECTION) {
        reading->has_direction = known && compare_dir_by_text(text, &reading->direction);
        return reading->has_direction ||
               hlo_expected(reading->reader, at, "a direction such as LT");
    }
    reading->has_order = known && compare_type_by_text(text, &reading->order);
    return reading->has_order ||
           hlo_expected(reading->reader, at, "FLOAT, TOTALORDER, SIGNED or UNSIGNED");
}

static bool only_defaults(const struct hlo_reader *reader, const struct hlo_attribute *attribute)
{
    for (uint32_t at = attribute->value; at < attribute->end; at++)
        if (hlo_is_name(reader, at) && !hlo_is(reader, at, "default"))
            return false;
    return true;
}

static bool read_attribute(struct hlo_op_reader *reading, const struct attribute_row *row,
                           const struct hlo_attribute *attribute)
{
    struct hlo_reader *reader = reading->reader;
    uint32_t at = attribute->value;
    switch (row->form) {
    case FORM_LIST:
        return read_list(reading, at, row->slot);
    case FORM_NUMBER:
        reading->given |= HLO_NUMBER_BIT(row->slot);
        return hlo_int(reader, &at, &reading->number[row->slot]);
    case FORM_TRUTH:
        reading->number[row->slot] = hlo_is(reader, at, "true");
        return reading->number[row->slot] || hlo_is(reader, at, "false") ||
               hlo_expected(reader, at, "true or false");
    case FORM_DIRECTION:
    case FORM_ORDER:
        return read_comparison(reading, at, row->form);
    case FORM_SLICE:
        return read_slice(reading, at);
    case FORM_PADDING:
        return read_padding(reading, at);
    case FORM_WINDOW:
        return read_window(reading, at);
    case FORM_LABELS:
        return read_labels(reading, at, attribute->end);
    case FORM_REDUCER:
        reading->reducer = hlo_is_name(reader, at) ? hlo_computation_at(reader, at) : NULL;
        return reading->reducer != NULL || hlo_expected(reader, at, "a computation");
    case FORM_PRECISION:
        reading->opaque |= !only_defaults(reader, attribute);
        return true;
    case FORM_NOTE:
        break;
    }
    return true;
}

bool hlo_read_attributes(struct hlo_op_reader *reading)
{
    struct hlo_reader *reader = reading->reader;
    uint32_t at = reading->instruction->attrs;
    struct hlo_attribute attribute;
    for (int slot = 0; slot < HLO_LISTS; slot++)
        vec_clear(&reader->list[slot]);
    while (hlo_next_attribute(reader, &at, reading->instruction->end, &attribute)) {
        size_t k = 0;
        while (k < sizeof rows / sizeof *rows &&
               ((rows[k].op != N_OPS && rows[k].op != reading->op) ||
                !hlo_is(reader, attribute.key, rows[k].key)))
            k++;
        if (k == sizeof rows / sizeof *rows)
            reading->opaque = true;
        else if (!read_attribute(reading, &rows[k], &attribute))
            return false;
    }
    return true;
}
