// SPDX-License-Identifier: Apache-2.0
// The attribute vectors of op.h from the lists and numbers that were read.
#include "io/hlo/read/op_reader.h"
#include <stdlib.h>

static void push(struct hlo_op_reader *reading, int64_t value)
{
    vec_push(&reading->reader->attr, value);
}

static void push_length(struct hlo_op_reader *reading, int slot)
{
    push(reading, reading->reader->list[slot].len);
}

static void push_list(struct hlo_op_reader *reading, int slot)
{
    for (uint32_t k = 0; k < reading->reader->list[slot].len; k++)
        push(reading, reading->reader->list[slot].at[k]);
}

static int compare_ints(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void push_sorted(struct hlo_op_reader *reading, int slot)
{
    struct i64_vec *list = &reading->reader->list[slot];
    if (list->len > 1)
        qsort(list->at, list->len, sizeof *list->at, compare_ints);
    push_list(reading, slot);
}

static bool lacks(struct hlo_op_reader *reading, const char *what)
{
    return hlo_fail(reading->reader, reading->instruction->opcode, "this operation lacks %s", what);
}

// A list of n numbers, all `value` if the list was not given.
static bool push_sized(struct hlo_op_reader *reading, int slot, uint32_t n, int64_t value)
{
    const struct i64_vec *list = &reading->reader->list[slot];
    if (!(reading->given & HLO_LIST_BIT(slot))) {
        for (uint32_t k = 0; k < n; k++)
            push(reading, value);
        return true;
    }
    if (list->len != n)
        return hlo_fail(reading->reader, reading->instruction->opcode,
                        "expected %u numbers, one for each dimension, found %u", n, list->len);
    push_list(reading, slot);
    return true;
}

static const struct hlo_value *operand(const struct hlo_op_reader *reading, uint32_t k)
{
    return &reading->reader->operand.at[k];
}

static type_id operand_type(const struct hlo_op_reader *reading, uint32_t k)
{
    return term_type(&reading->reader->program->terms, operand(reading, k)->term);
}

static uint32_t rank_of(const struct hlo_op_reader *reading, uint32_t k)
{
    return type_rank(reading->reader->pool, operand_type(reading, k));
}

static bool push_window(struct hlo_op_reader *reading)
{
    uint32_t rank = rank_of(reading, 0);
    push(reading, reading->reducer->reducer);
    if (!(reading->given & HLO_LIST_BIT(WINDOW_SIZE)) && rank > 0)
        return lacks(reading, "its window");
    return push_sized(reading, WINDOW_SIZE, rank, 1) &&
           push_sized(reading, WINDOW_STRIDE, rank, 1) &&
           push_sized(reading, WINDOW_LOW, rank, 0) && push_sized(reading, WINDOW_HIGH, rank, 0) &&
           push_sized(reading, WINDOW_BASE, rank, 1) &&
           push_sized(reading, WINDOW_DILATION, rank, 1);
}

// The window's size is the kernel's.
static bool kernel_fits(struct hlo_op_reader *reading, uint32_t ns)
{
    const struct i64_vec *size = &reading->reader->list[WINDOW_SIZE];
    const struct i64_vec *kernel = &reading->reader->list[LABELS_KERNEL];
    const int64_t *dims = type_dims(reading->reader->pool, operand_type(reading, 1));
    uint32_t rank = rank_of(reading, 1);
    for (uint32_t k = 0; k < size->len && k < ns; k++)
        if (kernel->at[2 + k] < (int64_t)rank && dims[kernel->at[2 + k]] != size->at[k])
            return hlo_fail(reading->reader, reading->instruction->opcode,
                            "the window has another size than the kernel");
    return true;
}

static bool push_convolution(struct hlo_op_reader *reading)
{
    const struct i64_vec *list = reading->reader->list;
    if (list[LABELS_IN].len < 2)
        return lacks(reading, "dim_labels");
    uint32_t ns = list[LABELS_IN].len - 2;
    if (list[LABELS_KERNEL].len != ns + 2 || list[LABELS_OUT].len != ns + 2 ||
        rank_of(reading, 0) != ns + 2 || rank_of(reading, 1) != ns + 2)
        return hlo_fail(reading->reader, reading->instruction->opcode,
                        "dim_labels has another number of dimensions than the operands");
    for (int k = 0; k < 3; k++)
        push(reading, 1);
    push(reading, ns);
    if (!kernel_fits(reading, ns) || !push_sized(reading, WINDOW_STRIDE, ns, 1) ||
        !push_sized(reading, WINDOW_LOW, ns, 0) || !push_sized(reading, WINDOW_HIGH, ns, 0) ||
        !push_sized(reading, WINDOW_BASE, ns, 1) || !push_sized(reading, WINDOW_DILATION, ns, 1) ||
        !push_sized(reading, WINDOW_REVERSAL, ns, 0))
        return false;
    push(reading, reading->given & HLO_NUMBER_BIT(NUMBER_FIRST) ? reading->number[0] : 1);
    push(reading, reading->given & HLO_NUMBER_BIT(NUMBER_SECOND) ? reading->number[1] : 1);
    push_list(reading, LABELS_IN);
    push_list(reading, LABELS_KERNEL);
    push_list(reading, LABELS_OUT);
    return true;
}

static bool push_indexed(struct hlo_op_reader *reading)
{
    bool gather = reading->op == OP_GATHER;
    if (!(reading->given & HLO_NUMBER_BIT(NUMBER_FIRST)))
        return lacks(reading, "index_vector_dim");
    if (!gather)
        push(reading, reading->reducer->reducer);
    for (int slot = INDEXED_WINDOW; slot <= INDEXED_MAP; slot++)
        if (slot != INDEXED_INDICES_BATCHING)
            push_length(reading, slot);
    push(reading, reading->number[NUMBER_SECOND]);
    if (!gather)
        push(reading, reading->number[NUMBER_THIRD]);
    push(reading, reading->number[NUMBER_FIRST]);
    const struct i64_vec *list = reading->reader->list;
    if (list[INDEXED_BATCHING].len != list[INDEXED_INDICES_BATCHING].len)
        return lacks(reading, "an equal number of batching dimensions of both operands");
    for (int slot = INDEXED_WINDOW; slot <= INDEXED_MAP; slot++)
        push_list(reading, slot);
    return !gather || push_sized(reading, INDEXED_SIZES, rank_of(reading, 0), 1);
}

static bool push_dot(struct hlo_op_reader *reading)
{
    const struct i64_vec *list = reading->reader->list;
    if (list[LIST_LHS_BATCH].len != list[LIST_RHS_BATCH].len ||
        list[LIST_LHS_CONTRACTING].len != list[LIST_RHS_CONTRACTING].len)
        return lacks(reading, "an equal number of dimensions of both operands");
    push_length(reading, LIST_LHS_BATCH);
    push_length(reading, LIST_LHS_CONTRACTING);
    for (int slot = LIST_LHS_BATCH; slot <= LIST_RHS_CONTRACTING; slot++)
        push_list(reading, slot);
    return true;
}

static bool push_three(struct hlo_op_reader *reading)
{
    uint32_t rank = rank_of(reading, 0);
    return push_sized(reading, LIST_LOW, rank, 0) && push_sized(reading, LIST_HIGH, rank, 0) &&
           push_sized(reading, LIST_STEP, rank, reading->op == OP_SLICE);
}

static void push_compare(struct hlo_op_reader *reading)
{
    enum elem_kind kind = elem_kind(type_elem(reading->reader->pool, operand_type(reading, 0)));
    push(reading, reading->direction);
    push(reading, reading->has_order   ? reading->order
                  : kind == KIND_FLOAT ? CMPT_FLOAT
                  : kind == KIND_SINT  ? CMPT_SIGNED
                                       : CMPT_UNSIGNED);
}

static bool push_number(struct hlo_op_reader *reading)
{
    const struct i64_vec *dims = &reading->reader->list[LIST_DIMS];
    if (reading->op == OP_IOTA) {
        if (!(reading->given & HLO_NUMBER_BIT(NUMBER_FIRST)))
            return lacks(reading, "iota_dimension");
        push(reading, reading->number[NUMBER_FIRST]);
        return true;
    }
    if (dims->len != 1)
        return lacks(reading, "its one dimension");
    push(reading, dims->at[0]);
    return true;
}

bool hlo_make_vector(struct hlo_op_reader *reading)
{
    vec_clear(&reading->reader->attr);
    switch (reading->op) {
    case OP_COMPARE:
        if (!reading->has_direction)
            return lacks(reading, "a direction");
        push_compare(reading);
        return true;
    case OP_IOTA:
    case OP_CONCATENATE:
        return push_number(reading);
    case OP_TRANSPOSE:
    case OP_BROADCAST_IN_DIM:
    case OP_DYNAMIC_SLICE:
        push_list(reading, LIST_DIMS);
        return true;
    case OP_REDUCE:
        push(reading, reading->reducer->reducer);
        push_sorted(reading, LIST_DIMS);
        return true;
    case OP_REVERSE:
        push_sorted(reading, LIST_DIMS);
        return true;
    case OP_SLICE:
    case OP_PAD:
        return push_three(reading);
    case OP_DOT_GENERAL:
        return push_dot(reading);
    case OP_CONVOLUTION:
        return push_convolution(reading);
    case OP_REDUCE_WINDOW:
        return push_window(reading);
    case OP_GATHER:
    case OP_SCATTER:
        return push_indexed(reading);
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
    return true;
}
