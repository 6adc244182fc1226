// SPDX-License-Identifier: Apache-2.0
// The shape rules of products that are summed: dot_general and convolution.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

// Dimensions a (n_a of them) and b of operand `operand`, all distinct.
static bool check_roles(const struct shape_rule *x, uint32_t operand, uint32_t n_a,
                        const int64_t *a, uint32_t n_b, const int64_t *b)
{
    int64_t all[2 * MAX_RANK];
    for (uint32_t i = 0; i < n_a; i++)
        all[i] = a[i];
    for (uint32_t i = 0; i < n_b; i++)
        all[n_a + i] = b[i];
    return infer_check_distinct(x, n_a + n_b, all,
                                type_rank(x->p, x->arg[operand]));
}

static bool check_sizes(const struct shape_rule *x, const char *what, uint32_t n,
                        const int64_t *lhs, const int64_t *rhs)
{
    const int64_t *a = type_dims(x->p, x->arg[0]);
    const int64_t *b = type_dims(x->p, x->arg[1]);
    for (uint32_t i = 0; i < n; i++)
        if (a[lhs[i]] != b[rhs[i]])
            return infer_fail(x,
                              "expected one size of the %s dimensions %" PRId64
                              " and %" PRId64 ", found %" PRId64
                              " and %" PRId64,
                              what, lhs[i], rhs[i], a[lhs[i]], b[rhs[i]]);
    return true;
}

static bool is_among(uint32_t n, const int64_t *list, uint32_t dim)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == (int64_t)dim)
            return true;
    return false;
}

static void push_free(const struct shape_rule *x, uint32_t operand, uint32_t nb,
                      const int64_t *batch, uint32_t nc,
                      const int64_t *contracting, int64_t *dims, uint32_t *n)
{
    const int64_t *from = type_dims(x->p, x->arg[operand]);
    for (uint32_t i = 0; i < type_rank(x->p, x->arg[operand]); i++)
        if (!is_among(nb, batch, i) && !is_among(nc, contracting, i))
            dims[(*n)++] = from[i];
}

bool infer_dot(struct shape_rule *x)
{
    struct dot_attr a;
    int64_t dims[2 * MAX_RANK];
    uint32_t n = 0;
    if (!dot_attr_read(x->n_attr, x->attr, &a))
        return infer_fail(x, "expected [nb, nc] and lists of these lengths, "
                             "two of each");
    if (!check_roles(x, 0, a.nb, a.lhs_batch, a.nc, a.lhs_contracting) ||
        !check_roles(x, 1, a.nb, a.rhs_batch, a.nc, a.rhs_contracting) ||
        !infer_check_elem(x, 1) ||
        !check_sizes(x, "batch", a.nb, a.lhs_batch, a.rhs_batch) ||
        !check_sizes(x, "contracting", a.nc, a.lhs_contracting,
                     a.rhs_contracting))
        return false;
    const int64_t *from = type_dims(x->p, x->arg[0]);
    for (uint32_t i = 0; i < a.nb; i++)
        dims[n++] = from[a.lhs_batch[i]];
    push_free(x, 0, a.nb, a.lhs_batch, a.nc, a.lhs_contracting, dims, &n);
    push_free(x, 1, a.nb, a.rhs_batch, a.nc, a.rhs_contracting, dims, &n);
    return infer_result(x, type_elem(x->p, x->arg[0]), n, dims);
}

// Three lists that together name each of the dimensions of a tensor once.
static bool check_partition(const struct shape_rule *x, const char *what,
                            uint32_t rank, uint32_t n_a, const int64_t *a,
                            uint32_t n_b, const int64_t *b, uint32_t n_c,
                            const int64_t *c)
{
    int64_t all[3 * MAX_RANK];
    uint32_t n = 0;
    for (uint32_t i = 0; i < n_a; i++)
        all[n++] = a[i];
    for (uint32_t i = 0; i < n_b; i++)
        all[n++] = b[i];
    for (uint32_t i = 0; i < n_c; i++)
        all[n++] = c[i];
    if (n != rank)
        return infer_fail(x, "expected the %u dimensions of the %s, found %u",
                          rank, what, n);
    return infer_check_distinct(x, n, all, rank);
}

static bool check_numbers(const struct shape_rule *x, const struct conv_attr *a)
{
    uint32_t lhs = type_rank(x->p, x->arg[0]);
    uint32_t rhs = type_rank(x->p, x->arg[1]);
    uint32_t out = a->nb + a->no + a->ns;
    return infer_check_elem(x, 1) &&
           check_partition(x, "input", lhs, a->nb, a->in_batch, a->nf,
                           a->in_feature, a->ns, a->in_spatial) &&
           check_partition(x, "kernel", rhs, a->nf, a->kernel_feature, a->no,
                           a->kernel_out, a->ns, a->kernel_spatial) &&
           check_partition(x, "result", out, a->nb, a->out_batch, a->no,
                           a->out_feature, a->ns, a->out_spatial);
}

// With one group the features of both sides are equal; groups are of one
// dimension each.
static bool check_groups(const struct shape_rule *x, const struct conv_attr *a)
{
    int64_t fg = a->feature_groups, bg = a->batch_groups;
    const int64_t *in = type_dims(x->p, x->arg[0]);
    const int64_t *kernel = type_dims(x->p, x->arg[1]);
    if (fg < 1 || bg < 1 || (fg != 1 && bg != 1))
        return infer_fail(x,
                          "expected groups of 1 or more of features or of the "
                          "batch, found %" PRId64 " and %" PRId64,
                          fg, bg);
    if ((fg != 1 || bg != 1) && !conv_attr_is_stablehlo(a))
        return infer_fail(x, "expected one batch, feature and output dimension "
                             "where there are groups");
    if (fg == 1)
        for (uint32_t i = 0; i < a->nf; i++)
            if (in[a->in_feature[i]] != kernel[a->kernel_feature[i]])
                return infer_fail(
                    x,
                    "expected %" PRId64 " features of the kernel, found "
                    "%" PRId64,
                    in[a->in_feature[i]], kernel[a->kernel_feature[i]]);
    if (fg == 1 && bg == 1)
        return true;
    int64_t batch = in[a->in_batch[0]], features = in[a->in_feature[0]];
    int64_t outs = kernel[a->kernel_out[0]];
    if (features % fg != 0 || kernel[a->kernel_feature[0]] != features / fg)
        return infer_fail(x,
                          "expected %" PRId64 " features in %" PRId64
                          " groups, found %" PRId64 " in the kernel",
                          features, fg, kernel[a->kernel_feature[0]]);
    if (batch % bg != 0)
        return infer_fail(x,
                          "expected a batch that %" PRId64
                          " groups divide, found %" PRId64,
                          bg, batch);
    int64_t groups = fg * bg; // one of them is 1
    if (outs % groups != 0)
        return infer_fail(x,
                          "expected outputs that %" PRId64
                          " groups divide, found %" PRId64,
                          groups, outs);
    return true;
}

static bool check_window(const struct shape_rule *x, const struct conv_attr *a,
                         uint32_t i, int64_t *out)
{
    struct window w = {.n = type_dims(x->p, x->arg[0])[a->in_spatial[i]],
                       .size = type_dims(x->p, x->arg[1])[a->kernel_spatial[i]],
                       .stride = a->stride[i],
                       .low = a->low[i],
                       .high = a->high[i],
                       .base = a->lhs_dilation[i],
                       .dilation = a->rhs_dilation[i]};
    if (a->reversal[i] != 0 && a->reversal[i] != 1)
        return infer_fail(x, "expected 0 or 1 for a reversal, found %" PRId64,
                          a->reversal[i]);
    if (w.size < 1)
        return infer_fail(x,
                          "expected a kernel of 1 element or more in spatial "
                          "dimension %u",
                          i);
    return window_count(&w, out) ||
           infer_fail(x,
                      "expected a stride and dilations of 1 or more and fewer "
                      "than 2^62 windows in spatial dimension %u, found "
                      "stride %" PRId64 ", padding %" PRId64 " and %" PRId64
                      ", dilations %" PRId64 " and %" PRId64,
                      i, w.stride, w.low, w.high, w.base, w.dilation);
}

bool infer_convolution(struct shape_rule *x)
{
    struct conv_attr a;
    int64_t dims[3 * MAX_RANK];
    if (!conv_attr_read(x->n_attr, x->attr, &a))
        return infer_fail(x, "expected [nb, nf, no, ns] and lists of these "
                             "lengths");
    if (!check_numbers(x, &a) || !check_groups(x, &a))
        return false;
    const int64_t *in = type_dims(x->p, x->arg[0]);
    const int64_t *kernel = type_dims(x->p, x->arg[1]);
    for (uint32_t i = 0; i < a.nb; i++)
        dims[a.out_batch[i]] = in[a.in_batch[i]] / a.batch_groups;
    for (uint32_t i = 0; i < a.no; i++)
        dims[a.out_feature[i]] = kernel[a.kernel_out[i]];
    for (uint32_t i = 0; i < a.ns; i++)
        if (!check_window(x, &a, i, &dims[a.out_spatial[i]]))
            return false;
    return infer_result(x, type_elem(x->p, x->arg[0]), a.nb + a.no + a.ns,
                        dims);
}
