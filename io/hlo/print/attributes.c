// SPDX-License-Identifier: Apache-2.0
// The attributes of operators, as HLO spells them.
#include "io/hlo/print/printer.h"

#include "tensor/language/attr.h"
#include <inttypes.h>

static void put_list(struct buf *out, const char *key, const int64_t *values, uint32_t n)
{
    buf_printf(out, ", %s={", key);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? "," : "", values[k]);
    buf_putc(out, '}');
}

// A list that is left out if it is empty.
static void put_some(struct buf *out, const char *key, const int64_t *values, uint32_t n)
{
    if (n > 0)
        put_list(out, key, values, n);
}

static void put_slice(struct buf *out, const int64_t *values, uint32_t rank)
{
    buf_puts(out, ", slice={");
    for (uint32_t k = 0; k < rank; k++) {
        buf_printf(out, "%s[%" PRId64 ":%" PRId64, k > 0 ? ", " : "", values[k], values[rank + k]);
        if (values[2 * rank + k] != 1)
            buf_printf(out, ":%" PRId64, values[2 * rank + k]);
        buf_putc(out, ']');
    }
    buf_putc(out, '}');
}

static void put_padding(struct buf *out, const int64_t *values, uint32_t rank)
{
    // A scalar has no sizes to write.
    if (rank > 0)
        buf_puts(out, ", padding=");
    for (uint32_t k = 0; k < rank; k++) {
        buf_printf(out, "%s%" PRId64 "_%" PRId64, k > 0 ? "x" : "", values[k], values[rank + k]);
        if (values[2 * rank + k] != 0)
            buf_printf(out, "_%" PRId64, values[2 * rank + k]);
    }
}

static bool all_are(const int64_t *values, uint32_t n, int64_t value)
{
    for (uint32_t k = 0; k < n; k++)
        if (values[k] != value)
            return false;
    return true;
}

// One member of a window, left out if it has its default.
static void put_member(struct buf *out, const char *key, const int64_t *values, uint32_t n,
                       int64_t usual)
{
    if (all_are(values, n, usual))
        return;
    buf_printf(out, " %s=", key);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? "x" : "", values[k]);
}

struct window_lists {
    const int64_t *size, *stride, *low, *high, *base, *dilation, *reversal;
};

static void put_window(struct buf *out, const struct window_lists *window, uint32_t n)
{
    if (n == 0)
        return;
    buf_puts(out, ", window={size=");
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? "x" : "", window->size[k]);
    put_member(out, "stride", window->stride, n, 1);
    if (!all_are(window->low, n, 0) || !all_are(window->high, n, 0)) {
        buf_puts(out, " pad=");
        for (uint32_t k = 0; k < n; k++)
            buf_printf(out, "%s%" PRId64 "_%" PRId64, k > 0 ? "x" : "", window->low[k],
                       window->high[k]);
    }
    put_member(out, "lhs_dilate", window->base, n, 1);
    put_member(out, "rhs_dilate", window->dilation, n, 1);
    if (window->reversal != NULL)
        put_member(out, "rhs_reversal", window->reversal, n, 0);
    buf_putc(out, '}');
}

// b01f: the letter of each dimension.
static void put_side(struct buf *out, const char letters[2], int64_t a, int64_t b,
                     struct dim_list spatial)
{
    for (int64_t d = 0; d < (int64_t)spatial.n + 2; d++) {
        uint32_t k = 0;
        while (k < spatial.n && spatial.at[k] != d)
            k++;
        if (d == a || d == b)
            buf_putc(out, letters[d == b]);
        else
            buf_printf(out, "%u", k);
    }
}

static void put_convolution(struct hlo_printer *printer, term_id term, const struct conv_attr *attr)
{
    struct buf *out = printer->out;
    type_id kernel = term_type(printer->terms, term_args(printer->terms, term)[1]);
    int64_t *size = mem_alloc(sizeof *size * (attr->ns + 1u));
    for (uint32_t k = 0; k < attr->ns; k++)
        size[k] = type_dims(printer->pool, kernel)[attr->kernel_spatial[k]];
    struct window_lists window = {size,          attr->stride,       attr->low,
                                  attr->high,    attr->lhs_dilation, attr->rhs_dilation,
                                  attr->reversal};
    put_window(out, &window, attr->ns);
    mem_free(size);
    buf_puts(out, ", dim_labels=");
    put_side(out, "bf", attr->in_batch[0], attr->in_feature[0],
             (struct dim_list){attr->ns, attr->in_spatial});
    buf_putc(out, '_');
    put_side(out, "io", attr->kernel_feature[0], attr->kernel_out[0],
             (struct dim_list){attr->ns, attr->kernel_spatial});
    buf_puts(out, "->");
    put_side(out, "bf", attr->out_batch[0], attr->out_feature[0],
             (struct dim_list){attr->ns, attr->out_spatial});
    if (attr->feature_groups != 1)
        buf_printf(out, ", feature_group_count=%" PRId64, attr->feature_groups);
    if (attr->batch_groups != 1)
        buf_printf(out, ", batch_group_count=%" PRId64, attr->batch_groups);
}

static void put_gather(struct buf *out, const struct gather_attr *attr, uint32_t rank)
{
    put_list(out, "offset_dims", attr->offset, attr->n_offset);
    put_list(out, "collapsed_slice_dims", attr->collapsed, attr->n_collapsed);
    put_list(out, "start_index_map", attr->map, attr->n_map);
    put_some(out, "operand_batching_dims", attr->batching, attr->n_batching);
    put_some(out, "start_indices_batching_dims", attr->indices_batching, attr->n_batching);
    buf_printf(out, ", index_vector_dim=%" PRId64, attr->index_vector_dim);
    put_list(out, "slice_sizes", attr->size, rank);
    buf_puts(out, attr->sorted ? ", indices_are_sorted=true" : "");
}

static void put_scatter(struct buf *out, const struct scatter_attr *attr)
{
    put_list(out, "update_window_dims", attr->window, attr->n_window);
    put_list(out, "inserted_window_dims", attr->inserted, attr->n_inserted);
    put_list(out, "scatter_dims_to_operand_dims", attr->map, attr->n_map);
    put_some(out, "input_batching_dims", attr->batching, attr->n_batching);
    put_some(out, "scatter_indices_batching_dims", attr->indices_batching, attr->n_batching);
    buf_printf(out, ", index_vector_dim=%" PRId64, attr->index_vector_dim);
    buf_puts(out, attr->sorted ? ", indices_are_sorted=true" : "");
    buf_puts(out, attr->unique ? ", unique_indices=true" : "");
}

static void put_reducer(struct hlo_printer *printer, term_id term, int64_t reducer)
{
    enum elem elem = type_elem(printer->pool, term_type(printer->terms, term));
    buf_puts(printer->out, ", to_apply=");
    hlo_put_name(printer, hlo_reducer_name(printer, (enum op)reducer, elem));
}

static void put_dot(struct buf *out, const struct dot_attr *dot)
{
    put_some(out, "lhs_batch_dims", dot->lhs_batch, dot->nb);
    put_list(out, "lhs_contracting_dims", dot->lhs_contracting, dot->nc);
    put_some(out, "rhs_batch_dims", dot->rhs_batch, dot->nb);
    put_list(out, "rhs_contracting_dims", dot->rhs_contracting, dot->nc);
}

// The operators with many lists.
static void put_lists(struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *v = attr_at(printer->pool, node->attr);
    uint32_t n = attr_len(printer->pool, node->attr);
    uint32_t rank =
        type_rank(printer->pool, term_type(printer->terms, term_args(printer->terms, term)[0]));
    struct dot_attr dot;
    struct conv_attr conv;
    struct window_attr window;
    struct gather_attr gather;
    struct scatter_attr scatter;
    if (node->op == OP_DOT_GENERAL && dot_attr_read(n, v, &dot))
        put_dot(printer->out, &dot);
    else if (node->op == OP_CONVOLUTION && conv_attr_read(n, v, &conv))
        put_convolution(printer, term, &conv);
    else if (node->op == OP_GATHER && gather_attr_read(n, v, rank, &gather))
        put_gather(printer->out, &gather, rank);
    else if (node->op == OP_SCATTER && scatter_attr_read(n, v, &scatter))
        put_scatter(printer->out, &scatter);
    else if (node->op == OP_REDUCE_WINDOW && window_attr_read(n, v, rank, &window))
        put_window(printer->out,
                   &(struct window_lists){window.size, window.stride, window.low, window.high,
                                          window.base, window.dilation, NULL},
                   rank);
}

// The dimensions of a broadcast behind its helper: those of the axes that stay.
static void put_broadcast(struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *dims = attr_at(printer->pool, node->attr);
    type_id from = term_type(printer->terms, term_args(printer->terms, term)[0]);
    bool first = true;
    buf_puts(printer->out, ", dimensions={");
    for (uint32_t d = 0; d < type_rank(printer->pool, from); d++) {
        if (type_dims(printer->pool, from)[d] != type_dims(printer->pool, node->type)[dims[d]])
            continue;
        buf_printf(printer->out, "%s%" PRId64, first ? "" : ",", dims[d]);
        first = false;
    }
    buf_putc(printer->out, '}');
}

static void put_compare(struct buf *out, enum elem elem, const int64_t *values)
{
    enum compare_type order = (enum compare_type)values[1];
    enum elem_kind kind = elem_kind(elem);
    bool usual = order == (kind == KIND_FLOAT  ? CMPT_FLOAT
                           : kind == KIND_SINT ? CMPT_SIGNED
                                               : CMPT_UNSIGNED);
    buf_printf(out, ", direction=%s", compare_dir_text((enum compare_dir)values[0]));
    if (!usual)
        buf_printf(out, ", type=%s", compare_type_text(order));
}

void hlo_put_operator_attributes(struct hlo_printer *printer, term_id term)
{
    const struct term *node = term_at(printer->terms, term);
    const int64_t *v = attr_at(printer->pool, node->attr);
    uint32_t n = attr_len(printer->pool, node->attr), rank = n / 3;
    switch ((enum op)node->op) {
    case OP_IOTA:
        buf_printf(printer->out, ", iota_dimension=%" PRId64, v[0]);
        break;
    case OP_COMPARE: {
        term_id arg = term_args(printer->terms, term)[0];
        put_compare(printer->out, type_elem(printer->pool, term_type(printer->terms, arg)), v);
        break;
    }
    case OP_BROADCAST_IN_DIM:
        put_broadcast(printer, term);
        break;
    case OP_TRANSPOSE:
    case OP_REVERSE:
    case OP_CONCATENATE:
        put_list(printer->out, "dimensions", v, n);
        break;
    case OP_SLICE:
        put_slice(printer->out, v, rank);
        break;
    case OP_PAD:
        put_padding(printer->out, v, rank);
        break;
    case OP_REDUCE:
        put_list(printer->out, "dimensions", v + 1, n - 1);
        put_reducer(printer, term, v[0]);
        break;
    case OP_DYNAMIC_SLICE:
        put_list(printer->out, "dynamic_slice_sizes", v, n);
        break;
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_GATHER:
        put_lists(printer, term);
        break;
    case OP_REDUCE_WINDOW:
    case OP_SCATTER:
        put_lists(printer, term);
        put_reducer(printer, term, v[0]);
        break;
    case OP_PARAMETER:
    case OP_CONSTANT:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_RESHAPE:
    case OP_BITCAST_CONVERT:
    case OP_IS_FINITE:
    case OP_SELECT:
    case OP_CLAMP:
    case OP_CONVERT:
        UNARY_CASES
        BINARY_CASES
        OUTSIDE_CASES
        break;
    }
}
