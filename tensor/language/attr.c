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

static int64_t take(struct attr_cursor *c)
{
    if (c->bad || c->at >= c->n) {
        c->bad = true;
        return 0;
    }
    return c->v[c->at++];
}

static uint32_t take_count(struct attr_cursor *c)
{
    int64_t x = take(c);
    if (x < 0 || x > MAX_RANK) {
        c->bad = true;
        return 0;
    }
    return (uint32_t)x;
}

static const int64_t *take_list(struct attr_cursor *c, uint32_t n)
{
    if (c->bad || n > c->n - c->at) {
        c->bad = true;
        return c->v;
    }
    c->at += n;
    return c->v + c->at - n;
}

static bool all_taken(const struct attr_cursor *c)
{
    return !c->bad && c->at == c->n;
}

bool dot_attr_read(uint32_t n, const int64_t *v, struct dot_attr *out)
{
    struct attr_cursor c = {v, n, 0, false};
    out->nb = take_count(&c);
    out->nc = take_count(&c);
    out->lhs_batch = take_list(&c, out->nb);
    out->rhs_batch = take_list(&c, out->nb);
    out->lhs_contracting = take_list(&c, out->nc);
    out->rhs_contracting = take_list(&c, out->nc);
    return all_taken(&c);
}

bool conv_attr_read(uint32_t n, const int64_t *v, struct conv_attr *out)
{
    struct attr_cursor c = {v, n, 0, false};
    uint32_t nb = out->nb = take_count(&c);
    uint32_t nf = out->nf = take_count(&c);
    uint32_t no = out->no = take_count(&c);
    uint32_t ns = out->ns = take_count(&c);
    out->stride = take_list(&c, ns);
    out->low = take_list(&c, ns);
    out->high = take_list(&c, ns);
    out->lhs_dilation = take_list(&c, ns);
    out->rhs_dilation = take_list(&c, ns);
    out->reversal = take_list(&c, ns);
    out->feature_groups = take(&c);
    out->batch_groups = take(&c);
    out->in_batch = take_list(&c, nb);
    out->in_feature = take_list(&c, nf);
    out->in_spatial = take_list(&c, ns);
    out->kernel_feature = take_list(&c, nf);
    out->kernel_out = take_list(&c, no);
    out->kernel_spatial = take_list(&c, ns);
    out->out_batch = take_list(&c, nb);
    out->out_feature = take_list(&c, no);
    out->out_spatial = take_list(&c, ns);
    return all_taken(&c);
}

bool conv_attr_is_stablehlo(const struct conv_attr *a)
{
    return a->nb == 1 && a->nf == 1 && a->no == 1;
}

bool window_attr_read(uint32_t n, const int64_t *v, uint32_t r,
                      struct window_attr *out)
{
    struct attr_cursor c = {v, n, 0, false};
    out->reducer = take(&c);
    out->size = take_list(&c, r);
    out->stride = take_list(&c, r);
    out->low = take_list(&c, r);
    out->high = take_list(&c, r);
    out->base = take_list(&c, r);
    out->dilation = take_list(&c, r);
    return all_taken(&c);
}

bool gather_attr_read(uint32_t n, const int64_t *v, uint32_t r,
                      struct gather_attr *out)
{
    struct attr_cursor c = {v, n, 0, false};
    out->n_offset = take_count(&c);
    out->n_collapsed = take_count(&c);
    out->n_batching = take_count(&c);
    out->n_map = take_count(&c);
    out->sorted = take(&c);
    out->index_vector_dim = take(&c);
    out->offset = take_list(&c, out->n_offset);
    out->collapsed = take_list(&c, out->n_collapsed);
    out->batching = take_list(&c, out->n_batching);
    out->indices_batching = take_list(&c, out->n_batching);
    out->map = take_list(&c, out->n_map);
    out->size = take_list(&c, r);
    return all_taken(&c);
}

bool scatter_attr_read(uint32_t n, const int64_t *v, struct scatter_attr *out)
{
    struct attr_cursor c = {v, n, 0, false};
    out->reducer = take(&c);
    out->n_window = take_count(&c);
    out->n_inserted = take_count(&c);
    out->n_batching = take_count(&c);
    out->n_map = take_count(&c);
    out->sorted = take(&c);
    out->unique = take(&c);
    out->index_vector_dim = take(&c);
    out->window = take_list(&c, out->n_window);
    out->inserted = take_list(&c, out->n_inserted);
    out->batching = take_list(&c, out->n_batching);
    out->indices_batching = take_list(&c, out->n_batching);
    out->map = take_list(&c, out->n_map);
    return all_taken(&c);
}

static i128 dilated(int64_t n, int64_t dilation)
{
    return n ? (i128)(n - 1) * dilation + 1 : 0;
}

bool window_count(const struct window *w, int64_t *out)
{
    if (w->n < 0 || w->size < 0 || w->stride < 1 || w->base < 1 ||
        w->dilation < 1)
        return false;
    i128 padded = (i128)w->low + w->high + dilated(w->n, w->base);
    i128 reach = dilated(w->size, w->dilation), count = 0;
    if (padded != 0 && reach <= padded)
        count = (padded - reach) / w->stride + 1;
    *out = (int64_t)count;
    return count < (i128)1 << 62;
}

int64_t window_at(const struct window *w, int64_t o, int64_t k)
{
    if (w->reversed)
        k = w->size - 1 - k;
    i128 at = (i128)o * w->stride + (i128)k * w->dilation - w->low;
    if (at < 0)
        return -1;
    if (w->base != 1) {
        if (at % w->base != 0)
            return -1;
        at /= w->base;
    }
    return at < w->n ? (int64_t)at : -1;
}

bool window_full(const struct window *w, int64_t count)
{
    enum { MOST = 1 << 16 };
    if (count > MOST || (count > 0 && w->size > MOST / count))
        return false;
    for (int64_t o = 0; o < count; o++) {
        int64_t k = 0;
        while (k < w->size && window_at(w, o, k) < 0)
            k++;
        if (k == w->size)
            return false;
    }
    return true;
}
