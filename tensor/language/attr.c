// SPDX-License-Identifier: Apache-2.0
#include "tensor/language/attr.h"
#include "tensor/language/op.h"
#include "tensor/language/pool.h"

__extension__ typedef __int128 i128;

// Reads a vector from the front.  The first number that is no count of
// dimensions, or the first list that is too long, spoils it.
struct attr_cursor {
    const int64_t *v;
    uint32_t n, at;
    bool bad;
};

static int64_t take(struct attr_cursor *cursor)
{
    if (cursor->bad || cursor->at >= cursor->n) {
        cursor->bad = true;
        return 0;
    }
    return cursor->v[cursor->at++];
}

static uint32_t take_count(struct attr_cursor *cursor)
{
    int64_t x = take(cursor);
    if (x < 0 || x > TENSOR_MAX_RANK) {
        cursor->bad = true;
        return 0;
    }
    return (uint32_t)x;
}

static const int64_t *take_list(struct attr_cursor *cursor, uint32_t n)
{
    if (cursor->bad || n > cursor->n - cursor->at) {
        cursor->bad = true;
        return cursor->v;
    }
    cursor->at += n;
    return cursor->v + cursor->at - n;
}

static bool all_taken(const struct attr_cursor *cursor)
{
    return !cursor->bad && cursor->at == cursor->n;
}

bool dot_attr_read(uint32_t n, const int64_t *v, struct dot_attr *out)
{
    struct attr_cursor cursor = {v, n, 0, false};
    out->nb = take_count(&cursor);
    out->nc = take_count(&cursor);
    out->lhs_batch = take_list(&cursor, out->nb);
    out->rhs_batch = take_list(&cursor, out->nb);
    out->lhs_contracting = take_list(&cursor, out->nc);
    out->rhs_contracting = take_list(&cursor, out->nc);
    return all_taken(&cursor);
}

bool conv_attr_read(uint32_t n, const int64_t *v, struct conv_attr *out)
{
    struct attr_cursor cursor = {v, n, 0, false};
    uint32_t nb = out->nb = take_count(&cursor);
    uint32_t nf = out->nf = take_count(&cursor);
    uint32_t no = out->no = take_count(&cursor);
    uint32_t ns = out->ns = take_count(&cursor);
    out->stride = take_list(&cursor, ns);
    out->low = take_list(&cursor, ns);
    out->high = take_list(&cursor, ns);
    out->lhs_dilation = take_list(&cursor, ns);
    out->rhs_dilation = take_list(&cursor, ns);
    out->reversal = take_list(&cursor, ns);
    out->feature_groups = take(&cursor);
    out->batch_groups = take(&cursor);
    out->in_batch = take_list(&cursor, nb);
    out->in_feature = take_list(&cursor, nf);
    out->in_spatial = take_list(&cursor, ns);
    out->kernel_feature = take_list(&cursor, nf);
    out->kernel_out = take_list(&cursor, no);
    out->kernel_spatial = take_list(&cursor, ns);
    out->out_batch = take_list(&cursor, nb);
    out->out_feature = take_list(&cursor, no);
    out->out_spatial = take_list(&cursor, ns);
    return all_taken(&cursor);
}

bool conv_attr_is_stablehlo(const struct conv_attr *attr)
{
    return attr->nb == 1 && attr->nf == 1 && attr->no == 1;
}

bool window_attr_read(uint32_t n, const int64_t *v, uint32_t r, struct window_attr *out)
{
    struct attr_cursor cursor = {v, n, 0, false};
    out->reducer = take(&cursor);
    out->size = take_list(&cursor, r);
    out->stride = take_list(&cursor, r);
    out->low = take_list(&cursor, r);
    out->high = take_list(&cursor, r);
    out->base = take_list(&cursor, r);
    out->dilation = take_list(&cursor, r);
    return all_taken(&cursor);
}

bool gather_attr_read(uint32_t n, const int64_t *v, uint32_t r, struct gather_attr *out)
{
    struct attr_cursor cursor = {v, n, 0, false};
    out->n_offset = take_count(&cursor);
    out->n_collapsed = take_count(&cursor);
    out->n_batching = take_count(&cursor);
    out->n_map = take_count(&cursor);
    out->sorted = take(&cursor);
    out->index_vector_dim = take(&cursor);
    out->offset = take_list(&cursor, out->n_offset);
    out->collapsed = take_list(&cursor, out->n_collapsed);
    out->batching = take_list(&cursor, out->n_batching);
    out->indices_batching = take_list(&cursor, out->n_batching);
    out->map = take_list(&cursor, out->n_map);
    out->size = take_list(&cursor, r);
    return all_taken(&cursor);
}

bool scatter_attr_read(uint32_t n, const int64_t *v, struct scatter_attr *out)
{
    struct attr_cursor cursor = {v, n, 0, false};
    out->reducer = take(&cursor);
    out->n_window = take_count(&cursor);
    out->n_inserted = take_count(&cursor);
    out->n_batching = take_count(&cursor);
    out->n_map = take_count(&cursor);
    out->sorted = take(&cursor);
    out->unique = take(&cursor);
    out->index_vector_dim = take(&cursor);
    out->window = take_list(&cursor, out->n_window);
    out->inserted = take_list(&cursor, out->n_inserted);
    out->batching = take_list(&cursor, out->n_batching);
    out->indices_batching = take_list(&cursor, out->n_batching);
    out->map = take_list(&cursor, out->n_map);
    return all_taken(&cursor);
}

static i128 dilated(int64_t n, int64_t dilation)
{
    return n ? (i128)(n - 1) * dilation + 1 : 0;
}

bool window_count(const struct window *window, int64_t *out)
{
    if (window->n < 0 || window->size < 0 || window->stride < 1 || window->base < 1 ||
        window->dilation < 1)
        return false;
    i128 padded = (i128)window->low + window->high + dilated(window->n, window->base);
    i128 reach = dilated(window->size, window->dilation), count = 0;
    if (padded != 0 && reach <= padded)
        count = (padded - reach) / window->stride + 1;
    *out = (int64_t)count;
    return count < (i128)1 << TENSOR_SIZE_BITS;
}

int64_t window_at(const struct window *window, int64_t o, int64_t k)
{
    if (window->reversed)
        k = window->size - 1 - k;
    i128 at = (i128)o * window->stride + (i128)k * window->dilation - window->low;
    if (at < 0)
        return -1;
    if (window->base != 1) {
        if (at % window->base != 0)
            return -1;
        at /= window->base;
    }
    return at < window->n ? (int64_t)at : -1;
}

bool window_full(const struct window *window, int64_t count)
{
    if (count > TENSOR_WINDOW_STEPS || (count > 0 && window->size > TENSOR_WINDOW_STEPS / count))
        return false;
    for (int64_t o = 0; o < count; o++) {
        int64_t k = 0;
        while (k < window->size && window_at(window, o, k) < 0)
            k++;
        if (k == window->size)
            return false;
    }
    return true;
}
