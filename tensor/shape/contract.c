// SPDX-License-Identifier: Apache-2.0
// The shape rules of products that are summed: dot_general and convolution.
#include "tensor/language/attr.h"
#include "tensor/shape/rules.h"
#include <inttypes.h>

// Dimensions a (n_a of them) and b of operand `operand`, all distinct.
static bool check_roles(const struct shape_rule *shape_rule, uint32_t operand, uint32_t n_a,
                        const int64_t *a, uint32_t n_b, const int64_t *b)
{
    int64_t all[2 * TENSOR_MAX_RANK];
    for (uint32_t i = 0; i < n_a; i++)
        all[i] = a[i];
    for (uint32_t i = 0; i < n_b; i++)
        all[n_a + i] = b[i];
    return infer_check_distinct(shape_rule, n_a + n_b, all,
                                type_rank(shape_rule->pool, shape_rule->arg[operand]));
}

static bool check_sizes(const struct shape_rule *shape_rule, const char *what, uint32_t n,
                        const int64_t *lhs, const int64_t *rhs)
{
    const int64_t *a = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *b = type_dims(shape_rule->pool, shape_rule->arg[1]);
    for (uint32_t i = 0; i < n; i++)
        if (a[lhs[i]] != b[rhs[i]])
            return infer_fail(shape_rule,
                              "expected one size of the %s dimensions %" PRId64 " and %" PRId64
                              ", found %" PRId64 " and %" PRId64,
                              what, lhs[i], rhs[i], a[lhs[i]], b[rhs[i]]);
    return true;
}

static bool is_among(struct dim_list list, uint32_t dim)
{
    for (uint32_t i = 0; i < list.n; i++)
        if (list.at[i] == (int64_t)dim)
            return true;
    return false;
}

static void push_free(const struct shape_rule *shape_rule, uint32_t operand, struct dim_list batch,
                      struct dim_list contracting, int64_t *dims, uint32_t *n)
{
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[operand]);
    for (uint32_t i = 0; i < type_rank(shape_rule->pool, shape_rule->arg[operand]); i++)
        if (!is_among(batch, i) && !is_among(contracting, i))
            dims[(*n)++] = from[i];
}

bool infer_dot(struct shape_rule *shape_rule)
{
    struct dot_attr attr;
    int64_t dims[2 * TENSOR_MAX_RANK];
    uint32_t n = 0;
    if (!dot_attr_read(shape_rule->n_attr, shape_rule->attr, &attr))
        return infer_fail(shape_rule, "expected [nb, nc] and lists of these lengths, "
                                      "two of each");
    if (!check_roles(shape_rule, 0, attr.nb, attr.lhs_batch, attr.nc, attr.lhs_contracting) ||
        !check_roles(shape_rule, 1, attr.nb, attr.rhs_batch, attr.nc, attr.rhs_contracting) ||
        !infer_check_elem(shape_rule, 1) ||
        !check_sizes(shape_rule, "batch", attr.nb, attr.lhs_batch, attr.rhs_batch) ||
        !check_sizes(shape_rule, "contracting", attr.nc, attr.lhs_contracting,
                     attr.rhs_contracting))
        return false;
    const int64_t *from = type_dims(shape_rule->pool, shape_rule->arg[0]);
    for (uint32_t i = 0; i < attr.nb; i++)
        dims[n++] = from[attr.lhs_batch[i]];
    push_free(shape_rule, 0, (struct dim_list){attr.nb, attr.lhs_batch},
              (struct dim_list){attr.nc, attr.lhs_contracting}, dims, &n);
    push_free(shape_rule, 1, (struct dim_list){attr.nb, attr.rhs_batch},
              (struct dim_list){attr.nc, attr.rhs_contracting}, dims, &n);
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]), n, dims);
}

// Three lists that together name each of the dimensions of a tensor once.
static bool check_partition(const struct shape_rule *shape_rule, const char *what, uint32_t rank,
                            const struct dim_list list[3])
{
    int64_t all[3 * TENSOR_MAX_RANK];
    uint32_t n = 0;
    for (uint32_t k = 0; k < 3; k++)
        for (uint32_t i = 0; i < list[k].n; i++)
            all[n++] = list[k].at[i];
    if (n != rank)
        return infer_fail(shape_rule, "expected the %u dimensions of the %s, found %u", rank, what,
                          n);
    return infer_check_distinct(shape_rule, n, all, rank);
}

static bool check_numbers(const struct shape_rule *shape_rule, const struct conv_attr *attr)
{
    uint32_t lhs = type_rank(shape_rule->pool, shape_rule->arg[0]);
    uint32_t rhs = type_rank(shape_rule->pool, shape_rule->arg[1]);
    uint32_t out = attr->nb + attr->no + attr->ns;
    const struct dim_list input[3] = {
        {attr->nb, attr->in_batch}, {attr->nf, attr->in_feature}, {attr->ns, attr->in_spatial}};
    const struct dim_list kernel[3] = {{attr->nf, attr->kernel_feature},
                                       {attr->no, attr->kernel_out},
                                       {attr->ns, attr->kernel_spatial}};
    const struct dim_list result[3] = {
        {attr->nb, attr->out_batch}, {attr->no, attr->out_feature}, {attr->ns, attr->out_spatial}};
    return infer_check_elem(shape_rule, 1) && check_partition(shape_rule, "input", lhs, input) &&
           check_partition(shape_rule, "kernel", rhs, kernel) &&
           check_partition(shape_rule, "result", out, result);
}

// With one group the features of both sides are equal; groups are of one
// dimension each.
static bool check_groups(const struct shape_rule *shape_rule, const struct conv_attr *attr)
{
    int64_t fg = attr->feature_groups, bg = attr->batch_groups;
    const int64_t *in = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *kernel = type_dims(shape_rule->pool, shape_rule->arg[1]);
    if (fg < 1 || bg < 1 || (fg != 1 && bg != 1))
        return infer_fail(shape_rule,
                          "expected groups of 1 or more of features or of the "
                          "batch, found %" PRId64 " and %" PRId64,
                          fg, bg);
    if ((fg != 1 || bg != 1) && !conv_attr_is_stablehlo(attr))
        return infer_fail(shape_rule, "expected one batch, feature and output dimension "
                                      "where there are groups");
    if (fg == 1)
        for (uint32_t i = 0; i < attr->nf; i++)
            if (in[attr->in_feature[i]] != kernel[attr->kernel_feature[i]])
                return infer_fail(shape_rule,
                                  "expected %" PRId64 " features of the kernel, found "
                                  "%" PRId64,
                                  in[attr->in_feature[i]], kernel[attr->kernel_feature[i]]);
    if (fg == 1 && bg == 1)
        return true;
    int64_t batch = in[attr->in_batch[0]], features = in[attr->in_feature[0]];
    int64_t outs = kernel[attr->kernel_out[0]];
    if (features % fg != 0 || kernel[attr->kernel_feature[0]] != features / fg)
        return infer_fail(shape_rule,
                          "expected %" PRId64 " features in %" PRId64 " groups, found %" PRId64
                          " in the kernel",
                          features, fg, kernel[attr->kernel_feature[0]]);
    if (batch % bg != 0)
        return infer_fail(shape_rule,
                          "expected a batch that %" PRId64 " groups divide, found %" PRId64, bg,
                          batch);
    int64_t groups = fg * bg; // one of them is 1
    if (outs % groups != 0)
        return infer_fail(shape_rule,
                          "expected outputs that %" PRId64 " groups divide, found %" PRId64, groups,
                          outs);
    return true;
}

static bool check_window(const struct shape_rule *shape_rule, const struct conv_attr *attr,
                         uint32_t i, int64_t *out)
{
    struct window window = {
        .n = type_dims(shape_rule->pool, shape_rule->arg[0])[attr->in_spatial[i]],
        .size = type_dims(shape_rule->pool, shape_rule->arg[1])[attr->kernel_spatial[i]],
        .stride = attr->stride[i],
        .low = attr->low[i],
        .high = attr->high[i],
        .base = attr->lhs_dilation[i],
        .dilation = attr->rhs_dilation[i]};
    if (attr->reversal[i] != 0 && attr->reversal[i] != 1)
        return infer_fail(shape_rule, "expected 0 or 1 for a reversal, found %" PRId64,
                          attr->reversal[i]);
    if (window.size < 1)
        return infer_fail(shape_rule,
                          "expected a kernel of 1 element or more in spatial "
                          "dimension %u",
                          i);
    return window_count(&window, out) ||
           infer_fail(shape_rule,
                      "expected a stride and dilations of 1 or more and fewer "
                      "than 2^62 windows in spatial dimension %u, found "
                      "stride %" PRId64 ", padding %" PRId64 " and %" PRId64 ", dilations %" PRId64
                      " and %" PRId64,
                      i, window.stride, window.low, window.high, window.base, window.dilation);
}

bool infer_convolution(struct shape_rule *shape_rule)
{
    struct conv_attr attr;
    int64_t dims[3 * TENSOR_MAX_RANK];
    if (!conv_attr_read(shape_rule->n_attr, shape_rule->attr, &attr))
        return infer_fail(shape_rule, "expected [nb, nf, no, ns] and lists of these "
                                      "lengths");
    if (!check_numbers(shape_rule, &attr) || !check_groups(shape_rule, &attr))
        return false;
    const int64_t *in = type_dims(shape_rule->pool, shape_rule->arg[0]);
    const int64_t *kernel = type_dims(shape_rule->pool, shape_rule->arg[1]);
    for (uint32_t i = 0; i < attr.nb; i++)
        dims[attr.out_batch[i]] = in[attr.in_batch[i]] / attr.batch_groups;
    for (uint32_t i = 0; i < attr.no; i++)
        dims[attr.out_feature[i]] = kernel[attr.kernel_out[i]];
    for (uint32_t i = 0; i < attr.ns; i++)
        if (!check_window(shape_rule, &attr, i, &dims[attr.out_spatial[i]]))
            return false;
    return infer_result(shape_rule, type_elem(shape_rule->pool, shape_rule->arg[0]),
                        attr.nb + attr.no + attr.ns, dims);
}
