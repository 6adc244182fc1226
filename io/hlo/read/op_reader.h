// SPDX-License-Identifier: Apache-2.0
// Internal to the reader of operators: the parts of one instruction that were read so far.
// io/hlo/read/operator.c has the flow; attributes.c reads attributes; vector.c makes the
// attribute vector of the term.
#ifndef IO_HLO_READ_OP_READER_H
#define IO_HLO_READ_OP_READER_H

#include "io/hlo/read/reader.h"

struct hlo_op_reader {
    struct hlo_reader *reader;
    const struct hlo_instruction *instruction;
    enum op op;
    bool opaque;    // valid so far, but more than a term
    uint32_t given; // bits of members of reader.list and number
    int64_t number[4];
    enum compare_dir direction;
    enum compare_type order;
    bool has_direction, has_order;
    const struct hlo_computation *reducer; // NULL: none was given
};

// Members of reader.list.
enum {
    LIST_DIMS = 0, // the only list of an operator
    // slice, pad
    LIST_LOW = 0,
    LIST_HIGH,
    LIST_STEP,
    // dot
    LIST_LHS_BATCH = 0,
    LIST_RHS_BATCH,
    LIST_LHS_CONTRACTING,
    LIST_RHS_CONTRACTING,
    // reduce-window, convolution
    WINDOW_SIZE = 0,
    WINDOW_STRIDE,
    WINDOW_LOW,
    WINDOW_HIGH,
    WINDOW_BASE,
    WINDOW_DILATION,
    WINDOW_REVERSAL,
    // convolution: [batch, feature, spatial..]; of the kernel [feature, out, spatial..]
    LABELS_IN,
    LABELS_KERNEL,
    LABELS_OUT,
    // gather, scatter
    INDEXED_WINDOW = 0,
    INDEXED_REMOVED,
    INDEXED_BATCHING,
    INDEXED_INDICES_BATCHING,
    INDEXED_MAP,
    INDEXED_SIZES,
};
// Members of number.
enum { NUMBER_FIRST, NUMBER_SECOND, NUMBER_THIRD };
// Bits of `given`.
#define HLO_LIST_BIT(slot) (1u << (slot))
#define HLO_NUMBER_BIT(slot) (1u << (16 + (slot)))

// io/hlo/read/attributes.c.  Reads all attributes.  One that is no part of a term makes the
// instruction opaque.
bool hlo_read_attributes(struct hlo_op_reader *reading);
// io/hlo/read/vector.c.  The attribute vector, into reader.attr.
bool hlo_make_vector(struct hlo_op_reader *reading);

#endif
