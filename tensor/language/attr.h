// SPDX-License-Identifier: Apache-2.0
// Views of the attribute vectors of operators with many attributes: the lists of op.h by
// name.  A view borrows the vector.  Callers must drop the view before they call a pool
// function that interns.  A reader checks lengths and counts only, and returns false if
// the vector does not have the operator's form.  infer.h checks the values.
//
// A window slides along one axis of size n: the axis is dilated by `base`, low
// and high positions are added (or cut off, if negative), then a window of
// `size` elements, `dilation` apart, starts at every `stride`-th position.
#ifndef TENSOR_LANGUAGE_ATTR_H
#define TENSOR_LANGUAGE_ATTR_H

#include <stdbool.h>
#include <stdint.h>

// A list of dimensions, in attributes.
struct dim_list {
    uint32_t n;
    const int64_t *at;
};

struct dot_attr {
    uint32_t nb, nc;
    const int64_t *lhs_batch, *rhs_batch;             // nb each
    const int64_t *lhs_contracting, *rhs_contracting; // nc each
};
bool dot_attr_read(uint32_t n, const int64_t *values, struct dot_attr *out);

struct conv_attr {
    uint32_t nb, nf, no, ns;
    const int64_t *stride, *low, *high;         // ns each
    const int64_t *lhs_dilation, *rhs_dilation; // ns each
    const int64_t *reversal;                    // ns, 0 or 1
    int64_t feature_groups, batch_groups;       // numbers of groups
    const int64_t *in_batch, *in_feature;       // nb, nf
    const int64_t *in_spatial;                  // ns
    const int64_t *kernel_feature, *kernel_out; // nf, no
    const int64_t *kernel_spatial;              // ns
    const int64_t *out_batch, *out_feature;     // nb, no
    const int64_t *out_spatial;                 // ns
};
bool conv_attr_read(uint32_t n, const int64_t *values, struct conv_attr *out);
// One batch, one feature and one output dimension, as StableHLO has it: no
// other convolution can be written as a program.
bool conv_attr_is_stablehlo(const struct conv_attr *attr);

struct window_attr { // reduce_window on an operand of rank r
    int64_t reducer; // enum op
    const int64_t *size, *stride, *low, *high, *base, *dilation; // r each
};
bool window_attr_read(uint32_t n, const int64_t *values, uint32_t r, struct window_attr *out);

struct gather_attr { // on an operand of rank r
    uint32_t n_offset, n_collapsed, n_batching, n_map;
    int64_t sorted, index_vector_dim;
    const int64_t *offset, *collapsed;          // ascending
    const int64_t *batching, *indices_batching; // n_batching each
    const int64_t *map;                         // start_index_map
    const int64_t *size;                        // r
};
bool gather_attr_read(uint32_t n, const int64_t *values, uint32_t r, struct gather_attr *out);

struct scatter_attr {
    int64_t reducer; // enum op; N_OPS: the update replaces
    uint32_t n_window, n_inserted, n_batching, n_map;
    int64_t sorted, unique, index_vector_dim;
    const int64_t *window, *inserted;           // ascending
    const int64_t *batching, *indices_batching; // n_batching each
    const int64_t *map;                         // scatter_dims_to_operand_dims
};
bool scatter_attr_read(uint32_t n, const int64_t *values, struct scatter_attr *out);

struct window {
    int64_t n; // size of the axis
    int64_t size, stride, low, high, base, dilation;
    bool reversed; // the window is read backwards
};
// The number of windows; 0 if the window is longer than the padded axis, or if the
// padded axis is empty.  False if the numbers are not well-defined (n or size < 0;
// stride, base or dilation < 1), or if the count does not fit in 62 bits.
bool window_count(const struct window *window, int64_t *out);
// The index on the axis of place k < size of window o; -1 at padding and at a hole of
// the dilation.
int64_t window_at(const struct window *window, int64_t o, int64_t k);
// Does every one of `count` windows hold an element of the axis?  The answer false may
// be wrong for very large windows.
bool window_full(const struct window *window, int64_t count);

#endif
