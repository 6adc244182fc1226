// SPDX-License-Identifier: Apache-2.0
// Sums of products: dot_general and convolution.  Each element of the result
// starts from 0 and takes the products in row-major order of the contracted
// indices, the accumulator on the left; dot_general's in the order of the
// attribute, convolution's features in front of places in the window.
#include "tensor/language/attr.h"
#include "tensor/eval/parts.h"

// acc + a * b
struct multiply_add {
    struct scalar_step multiply, add;
    enum elem elem;
};

static struct multiply_add fused_make(enum elem elem, bool exact)
{
    struct multiply_add multiply_add = {.elem = elem};
    multiply_add.multiply =
        (struct scalar_step){.op = OP_MULTIPLY, .in = elem, .out = elem, .exact = exact};
    multiply_add.add = (struct scalar_step){.op = OP_ADD, .in = elem, .out = elem, .exact = exact};
    return multiply_add;
}

static bool fused_step(const struct multiply_add *multiply_add, struct scalar a, struct scalar b,
                       struct scalar *acc, struct err *err)
{
    struct scalar factor[2] = {a, b}, sum[2] = {*acc};
    return scalar_step_eval(&multiply_add->multiply, factor, &sum[1], err) &&
           scalar_step_eval(&multiply_add->add, sum, acc, err);
}

// Nested loops that move an offset in each operand.
struct loop_nest {
    uint32_t n;
    int64_t size[TENSOR_MAX_RANK], lhs_step[TENSOR_MAX_RANK], rhs_step[TENSOR_MAX_RANK];
};

static void nest_push(struct loop_nest *loop_nest, int64_t size, int64_t lhs, int64_t rhs)
{
    loop_nest->size[loop_nest->n] = size;
    loop_nest->lhs_step[loop_nest->n] = lhs;
    loop_nest->rhs_step[loop_nest->n++] = rhs;
}

static int64_t offset(uint32_t n, const int64_t *index, const int64_t *step)
{
    int64_t at = 0;
    for (uint32_t i = 0; i < n; i++)
        at += index[i] * step[i];
    return at;
}

static bool listed(uint32_t n, const int64_t *list, uint32_t dim)
{
    for (uint32_t i = 0; i < n; i++)
        if (list[i] == (int64_t)dim)
            return true;
    return false;
}

// The loops over the result and over the contracted dimensions.
static void dot_nests(const struct pool *pool, const struct dot_attr *attr, type_id lhs,
                      type_id rhs, struct loop_nest *outer, struct loop_nest *inner)
{
    const int64_t *ld = type_dims(pool, lhs), *rd = type_dims(pool, rhs);
    int64_t ls[TENSOR_MAX_RANK], rs[TENSOR_MAX_RANK];
    row_strides(pool, lhs, ls);
    row_strides(pool, rhs, rs);
    for (uint32_t i = 0; i < attr->nb; i++)
        nest_push(outer, ld[attr->lhs_batch[i]], ls[attr->lhs_batch[i]], rs[attr->rhs_batch[i]]);
    for (uint32_t i = 0; i < type_rank(pool, lhs); i++)
        if (!listed(attr->nb, attr->lhs_batch, i) && !listed(attr->nc, attr->lhs_contracting, i))
            nest_push(outer, ld[i], ls[i], 0);
    for (uint32_t i = 0; i < type_rank(pool, rhs); i++)
        if (!listed(attr->nb, attr->rhs_batch, i) && !listed(attr->nc, attr->rhs_contracting, i))
            nest_push(outer, rd[i], 0, rs[i]);
    for (uint32_t i = 0; i < attr->nc; i++)
        nest_push(inner, ld[attr->lhs_contracting[i]], ls[attr->lhs_contracting[i]],
                  rs[attr->rhs_contracting[i]]);
}

struct dot {
    struct multiply_add multiply_add;
    struct loop_nest outer, inner;
    const void *lhs, *rhs; // elements
};

// One element of the result; its operands start at these offsets.
static bool dot_cell(const struct dot *dot, int64_t lhs, int64_t rhs, struct scalar *acc,
                     struct err *err)
{
    const struct loop_nest *inner = &dot->inner;
    enum elem elem = dot->multiply_add.elem;
    int64_t index[TENSOR_MAX_RANK] = {0};
    do {
        int64_t l = lhs + offset(inner->n, index, inner->lhs_step);
        int64_t r = rhs + offset(inner->n, index, inner->rhs_step);
        if (!fused_step(&dot->multiply_add, scalar_load(elem, dot->lhs, (size_t)l),
                        scalar_load(elem, dot->rhs, (size_t)r), acc, err))
            return false;
    } while (index_next(inner->n, inner->size, index));
    return true;
}

// The machine's own f32 and f64 round once an operation, as the scalar steps do: the same sums
// in the same order.  (-ffp-contract=off: no product is fused with its sum.)
#define DOT_SUM(type)                                                                              \
    do {                                                                                           \
        const type *l = (const type *)dot->lhs + lhs + offset(n, index, inner->lhs_step);          \
        const type *r = (const type *)dot->rhs + rhs + offset(n, index, inner->rhs_step);          \
        type sum = (type)*acc;                                                                     \
        for (int64_t k = 0; k < size; k++)                                                         \
            sum += l[k * lhs_step] * r[k * rhs_step];                                              \
        *acc = sum;                                                                                \
    } while (0)

static void dot_native(const struct dot *dot, int64_t lhs, int64_t rhs, double *acc)
{
    const struct loop_nest *inner = &dot->inner;
    int64_t index[TENSOR_MAX_RANK] = {0};
    uint32_t n = inner->n > 0 ? inner->n - 1 : 0;
    int64_t size = inner->n > 0 ? inner->size[n] : 1;
    int64_t lhs_step = inner->n > 0 ? inner->lhs_step[n] : 0;
    int64_t rhs_step = inner->n > 0 ? inner->rhs_step[n] : 0;
    do {
        if (dot->multiply_add.elem == ELEM_F32)
            DOT_SUM(float);
        else
            DOT_SUM(double);
    } while (index_next(n, inner->size, index));
}

static bool dot_is_native(const struct dot *dot)
{
    enum elem elem = dot->multiply_add.elem;
    return !dot->multiply_add.add.exact && (elem == ELEM_F32 || elem == ELEM_F64);
}

// One element of the result.
static bool dot_element(const struct dot *dot, int64_t lhs, int64_t rhs, struct scalar *acc,
                        struct err *err)
{
    double sum = 0;
    if (!dot_is_native(dot))
        return dot_cell(dot, lhs, rhs, acc, err);
    dot_native(dot, lhs, rhs, &sum);
    *acc = sum == sum ? scalar_of_double(dot->multiply_add.elem, sum)
                      : float_nan(dot->multiply_add.elem);
    return true;
}

bool dot_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
              struct value *out, struct err *err)
{
    struct dot_attr a;
    enum elem elem = type_elem(pool, out->type);
    struct dot dot = {
        .multiply_add = fused_make(elem, exact), .lhs = args[0].data, .rhs = args[1].data};
    const struct loop_nest *outer = &dot.outer;
    int64_t index[TENSOR_MAX_RANK] = {0}, count = type_count(pool, out->type);
    struct scalar acc, zero = scalar_of_int(elem, 0);
    if (!dot_attr_read(attr_len(pool, attr), attr_at(pool, attr), &a))
        return err_set(err, ERR_INPUT, "dot_general without its attributes");
    bool empty = type_count(pool, args[0].type) == 0 || type_count(pool, args[1].type) == 0;
    if (!empty)
        dot_nests(pool, &a, args[0].type, args[1].type, &dot.outer, &dot.inner);
    for (int64_t i = 0; i < count; i++) {
        acc = zero;
        // An operand without elements has no products.
        if (!empty && !dot_element(&dot, offset(outer->n, index, outer->lhs_step),
                                   offset(outer->n, index, outer->rhs_step), &acc, err))
            return false;
        scalar_store(elem, out->data, (size_t)i, acc);
        index_next(outer->n, outer->size, index);
    }
    return true;
}

struct conv {
    const struct pool *pool;
    struct conv_attr attr;
    struct multiply_add multiply_add;
    const struct value *args;
    const int64_t *in, *kernel, *out;                               // sizes
    int64_t in_step[TENSOR_MAX_RANK], kernel_step[TENSOR_MAX_RANK]; // row-major
    struct window window[TENSOR_MAX_RANK];                          // by spatial dimension
    uint32_t n;                                                     // features and spatial ones
    int64_t size[TENSOR_MAX_RANK];
};

static bool conv_init(struct conv *conv, const struct pool *pool, attr_id attr,
                      const struct value *args, type_id out, struct err *err)
{
    const struct conv_attr *a = &conv->attr;
    if (!conv_attr_read(attr_len(pool, attr), attr_at(pool, attr), &conv->attr))
        return err_set(err, ERR_INPUT, "convolution without its attributes");
    conv->pool = pool;
    conv->args = args;
    conv->in = type_dims(pool, args[0].type);
    conv->kernel = type_dims(pool, args[1].type);
    conv->out = type_dims(pool, out);
    // Strides of empty tensors may overflow, and nothing is read from them.
    if (type_count(pool, args[0].type) > 0)
        row_strides(pool, args[0].type, conv->in_step);
    if (type_count(pool, args[1].type) > 0)
        row_strides(pool, args[1].type, conv->kernel_step);
    for (uint32_t i = 0; i < a->nf; i++)
        conv->size[conv->n++] = conv->kernel[a->kernel_feature[i]];
    for (uint32_t i = 0; i < a->ns; i++) {
        conv->window[i] = (struct window){.n = conv->in[a->in_spatial[i]],
                                          .size = conv->kernel[a->kernel_spatial[i]],
                                          .stride = a->stride[i],
                                          .low = a->low[i],
                                          .high = a->high[i],
                                          .base = a->lhs_dilation[i],
                                          .dilation = a->rhs_dilation[i],
                                          .reversed = a->reversal[i] != 0};
        conv->size[conv->n++] = conv->window[i].size;
    }
    return true;
}

// Offsets of both operands that the place in the result gives: the batch, the
// output, and the group that the output is in.
static void conv_base(const struct conv *conv, const int64_t *place, int64_t *in, int64_t *kernel)
{
    const struct conv_attr *attr = &conv->attr;
    *in = *kernel = 0;
    for (uint32_t i = 0; i < attr->nb; i++)
        *in += place[attr->out_batch[i]] * conv->in_step[attr->in_batch[i]];
    for (uint32_t i = 0; i < attr->no; i++)
        *kernel += place[attr->out_feature[i]] * conv->kernel_step[attr->kernel_out[i]];
    int64_t groups = attr->feature_groups * attr->batch_groups; // one is 1
    if (groups == 1)
        return;
    int64_t outs = conv->kernel[attr->kernel_out[0]] / groups;
    int64_t group = place[attr->out_feature[0]] / outs;
    int64_t dim = attr->feature_groups > 1 ? attr->in_feature[0] : attr->in_batch[0];
    *in += group * (conv->in[dim] / groups) * conv->in_step[dim];
}

static bool conv_cell(const struct conv *conv, const int64_t *place, struct scalar *acc,
                      struct err *err)
{
    const struct conv_attr *attr = &conv->attr;
    enum elem elem = conv->multiply_add.elem;
    int64_t index[TENSOR_MAX_RANK] = {0}, in, kernel;
    conv_base(conv, place, &in, &kernel);
    do {
        int64_t l = in, r = kernel;
        bool padding = false;
        for (uint32_t i = 0; i < attr->nf; i++) {
            l += index[i] * conv->in_step[attr->in_feature[i]];
            r += index[i] * conv->kernel_step[attr->kernel_feature[i]];
        }
        for (uint32_t i = 0; i < attr->ns; i++) {
            int64_t k = index[attr->nf + i];
            int64_t at = window_at(&conv->window[i], place[attr->out_spatial[i]], k);
            padding |= at < 0;
            l += at * conv->in_step[attr->in_spatial[i]];
            r += k * conv->kernel_step[attr->kernel_spatial[i]];
        }
        // Padding is a factor 0: 0 * inf = NaN if the kernel holds an infinity.
        struct scalar scalar =
            padding ? scalar_of_int(elem, 0) : scalar_load(elem, conv->args[0].data, (size_t)l);
        if (!fused_step(&conv->multiply_add, scalar,
                        scalar_load(elem, conv->args[1].data, (size_t)r), acc, err))
            return false;
    } while (index_next(conv->n, conv->size, index));
    return true;
}

bool conv_eval(const struct pool *pool, attr_id attr, bool exact, const struct value *args,
               struct value *out, struct err *err)
{
    struct conv conv = {0};
    enum elem elem = type_elem(pool, out->type);
    int64_t place[TENSOR_MAX_RANK] = {0}, count = type_count(pool, out->type);
    uint32_t rank = type_rank(pool, out->type);
    if (!conv_init(&conv, pool, attr, args, out->type, err))
        return false;
    conv.multiply_add = fused_make(elem, exact);
    bool empty = type_count(pool, args[1].type) == 0;
    for (int64_t i = 0; i < count; i++) {
        struct scalar acc = scalar_of_int(elem, 0);
        if (!empty && !conv_cell(&conv, place, &acc, err))
            return false;
        scalar_store(elem, out->data, (size_t)i, acc);
        index_next(rank, conv.out, place);
    }
    return true;
}
