// SPDX-License-Identifier: Apache-2.0
// The attributes of the operators with many lists, as StableHLO spells them.
#include "io/stablehlo/stablehlo.h"
#include "tensor/language/attr.h"
#include <inttypes.h>

static void put_list(struct buf *out, const char *label, const int64_t *values, uint32_t n)
{
    buf_printf(out, "%s[", label);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? ", " : "", values[k]);
    buf_putc(out, ']');
}

// The member of an attribute; StableHLO leaves out empty ones.
static void put_member(struct buf *out, const char *name, const int64_t *values, uint32_t n)
{
    if (n == 0)
        return;
    buf_printf(out, "%s = ", name);
    put_list(out, "", values, n);
    buf_puts(out, ", ");
}

static void put_array(struct buf *out, const char *name, const int64_t *values, uint32_t n)
{
    buf_printf(out, "%s = array<i64", name);
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%" PRId64, k > 0 ? ", " : ": ", values[k]);
    buf_putc(out, '>');
}

static void put_dot(struct buf *out, const struct dot_attr *attr)
{
    if (attr->nb > 0) {
        put_list(out, ", batching_dims = ", attr->lhs_batch, attr->nb);
        put_list(out, " x ", attr->rhs_batch, attr->nb);
    }
    put_list(out, ", contracting_dims = ", attr->lhs_contracting, attr->nc);
    put_list(out, " x ", attr->rhs_contracting, attr->nc);
}

static bool at_dim(const int64_t *list, uint32_t n, uint32_t dim, uint32_t *k)
{
    for (*k = 0; *k < n; ++*k)
        if (list[*k] == (int64_t)dim)
            return true;
    return false;
}

// [b, 0, 1, f]
static void put_side(struct buf *out, const char letters[2], struct dim_list a, struct dim_list b,
                     struct dim_list spatial)
{
    uint32_t k;
    buf_putc(out, '[');
    for (uint32_t d = 0; d < a.n + b.n + spatial.n; d++) {
        buf_puts(out, d > 0 ? ", " : "");
        if (at_dim(a.at, a.n, d, &k))
            buf_putc(out, letters[0]);
        else if (at_dim(b.at, b.n, d, &k))
            buf_putc(out, letters[1]);
        else if (at_dim(spatial.at, spatial.n, d, &k))
            buf_printf(out, "%u", k);
    }
    buf_putc(out, ']');
}

static bool all_are(const int64_t *values, uint32_t n, int64_t value)
{
    for (uint32_t k = 0; k < n; k++)
        if (values[k] != value)
            return false;
    return true;
}

// One entry of the window, left out if it has its default.
static void put_window(struct buf *out, bool *any, const char *name, const int64_t *values,
                       uint32_t n, int64_t idle)
{
    if (all_are(values, n, idle))
        return;
    buf_printf(out, "%s%s = ", *any ? ", " : "", name);
    *any = true;
    put_list(out, "", values, n);
}

static void put_padding(struct buf *out, bool *any, const struct conv_attr *attr)
{
    if (all_are(attr->low, attr->ns, 0) && all_are(attr->high, attr->ns, 0))
        return;
    buf_printf(out, "%spad = [", *any ? ", " : "");
    *any = true;
    for (uint32_t k = 0; k < attr->ns; k++)
        buf_printf(out, "%s[%" PRId64 ", %" PRId64 "]", k > 0 ? ", " : "", attr->low[k],
                   attr->high[k]);
    buf_putc(out, ']');
}

static void put_reversal(struct buf *out, bool *any, const struct conv_attr *attr)
{
    if (all_are(attr->reversal, attr->ns, 0))
        return;
    buf_printf(out, "%sreverse = [", *any ? ", " : "");
    *any = true;
    for (uint32_t k = 0; k < attr->ns; k++)
        buf_printf(out, "%s%s", k > 0 ? ", " : "", attr->reversal[k] ? "true" : "false");
    buf_putc(out, ']');
}

static void put_convolution(struct buf *out, const struct conv_attr *attr)
{
    bool any = false;
    buf_puts(out, "dim_numbers = ");
    put_side(out, "bf", (struct dim_list){attr->nb, attr->in_batch},
             (struct dim_list){attr->nf, attr->in_feature},
             (struct dim_list){attr->ns, attr->in_spatial});
    buf_putc(out, 'x');
    put_side(out, "io", (struct dim_list){attr->nf, attr->kernel_feature},
             (struct dim_list){attr->no, attr->kernel_out},
             (struct dim_list){attr->ns, attr->kernel_spatial});
    buf_puts(out, "->");
    put_side(out, "bf", (struct dim_list){attr->nb, attr->out_batch},
             (struct dim_list){attr->no, attr->out_feature},
             (struct dim_list){attr->ns, attr->out_spatial});
    buf_puts(out, ", window = {");
    put_window(out, &any, "stride", attr->stride, attr->ns, 1);
    put_padding(out, &any, attr);
    put_window(out, &any, "lhs_dilate", attr->lhs_dilation, attr->ns, 1);
    put_window(out, &any, "rhs_dilate", attr->rhs_dilation, attr->ns, 1);
    put_reversal(out, &any, attr);
    buf_printf(out,
               "} {batch_group_count = %" PRId64 " : i64, feature_group_count = %" PRId64 " : i64}",
               attr->batch_groups, attr->feature_groups);
}

static void put_reduce_window(struct buf *out, const struct window_attr *attr, uint32_t r)
{
    put_array(out, "<{base_dilations", attr->base, r);
    buf_puts(out, r > 0 ? ", padding = dense<[" : ", padding = dense<");
    for (uint32_t k = 0; k < r; k++)
        buf_printf(out, "%s[%" PRId64 ", %" PRId64 "]", k > 0 ? ", " : "", attr->low[k],
                   attr->high[k]);
    buf_printf(out, "%s> : tensor<%ux2xi64>", r > 0 ? "]" : "", r);
    put_array(out, ", window_dilations", attr->dilation, r);
    put_array(out, ", window_dimensions", attr->size, r);
    put_array(out, ", window_strides", attr->stride, r);
    buf_puts(out, "}>");
}

static void put_gather(struct buf *out, const struct gather_attr *attr, uint32_t r)
{
    buf_puts(out, "<{dimension_numbers = #stablehlo.gather<");
    put_member(out, "offset_dims", attr->offset, attr->n_offset);
    put_member(out, "collapsed_slice_dims", attr->collapsed, attr->n_collapsed);
    put_member(out, "operand_batching_dims", attr->batching, attr->n_batching);
    put_member(out, "start_indices_batching_dims", attr->indices_batching, attr->n_batching);
    put_member(out, "start_index_map", attr->map, attr->n_map);
    buf_printf(out, "index_vector_dim = %" PRId64 ">, indices_are_sorted = %s",
               attr->index_vector_dim, attr->sorted ? "true" : "false");
    put_array(out, ", slice_sizes", attr->size, r);
    buf_puts(out, "}>");
}

static void put_scatter(struct buf *out, const struct scatter_attr *attr)
{
    buf_printf(out,
               "<{indices_are_sorted = %s, scatter_dimension_numbers = "
               "#stablehlo.scatter<",
               attr->sorted ? "true" : "false");
    put_member(out, "update_window_dims", attr->window, attr->n_window);
    put_member(out, "inserted_window_dims", attr->inserted, attr->n_inserted);
    put_member(out, "input_batching_dims", attr->batching, attr->n_batching);
    put_member(out, "scatter_indices_batching_dims", attr->indices_batching, attr->n_batching);
    put_member(out, "scatter_dims_to_operand_dims", attr->map, attr->n_map);
    buf_printf(out, "index_vector_dim = %" PRId64 ">, unique_indices = %s}>",
               attr->index_vector_dim, attr->unique ? "true" : "false");
}

void stablehlo_print_dims(const struct terms *terms, term_id id, struct buf *out)
{
    const struct term *node = term_at(terms, id);
    const int64_t *v = attr_at(terms->pool, node->attr);
    uint32_t n = attr_len(terms->pool, node->attr);
    uint32_t rank = type_rank(terms->pool, term_type(terms, term_args(terms, id)[0]));
    struct dot_attr dot;
    struct conv_attr conv;
    struct window_attr window;
    struct gather_attr gather;
    struct scatter_attr scatter;
    if (node->op == OP_DOT_GENERAL && dot_attr_read(n, v, &dot))
        put_dot(out, &dot);
    else if (node->op == OP_CONVOLUTION && conv_attr_read(n, v, &conv))
        put_convolution(out, &conv);
    else if (node->op == OP_REDUCE_WINDOW && window_attr_read(n, v, rank, &window))
        put_reduce_window(out, &window, rank);
    else if (node->op == OP_GATHER && gather_attr_read(n, v, rank, &gather))
        put_gather(out, &gather, rank);
    else if (node->op == OP_SCATTER && scatter_attr_read(n, v, &scatter))
        put_scatter(out, &scatter);
    else if (node->op == OP_DYNAMIC_SLICE)
        put_list(out, ", sizes = ", v, n);
}
