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
    enum elem t;
};

static struct multiply_add fused_make(enum elem t, bool exact)
{
    struct multiply_add f = {.t = t};
    f.multiply =
        (struct scalar_step){.op = OP_MULTIPLY, .in = t, .out = t, .exact = exact};
    f.add = (struct scalar_step){.op = OP_ADD, .in = t, .out = t, .exact = exact};
    return f;
}

static bool fused_step(const struct multiply_add *f, struct scalar a, struct scalar b,
                       struct scalar *acc, struct err *e)
{
    struct scalar factor[2] = {a, b}, sum[2] = {*acc};
    return scalar_step_eval(&f->multiply, factor, &sum[1], e) &&
           scalar_step_eval(&f->add, sum, acc, e);
}

// Nested loops that move an offset in each operand.
struct loop_nest {
    uint32_t n;
    int64_t size[MAX_RANK], lhs_step[MAX_RANK], rhs_step[MAX_RANK];
};

static void nest_push(struct loop_nest *k, int64_t size, int64_t lhs, int64_t rhs)
{
    k->size[k->n] = size;
    k->lhs_step[k->n] = lhs;
    k->rhs_step[k->n++] = rhs;
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

// The loops over the result and over what is contracted.
static void dot_nests(const struct pool *p, const struct dot_attr *a,
                      type_id lhs, type_id rhs, struct loop_nest *outer,
                      struct loop_nest *inner)
{
    const int64_t *ld = type_dims(p, lhs), *rd = type_dims(p, rhs);
    int64_t ls[MAX_RANK], rs[MAX_RANK];
    row_strides(p, lhs, ls);
    row_strides(p, rhs, rs);
    for (uint32_t i = 0; i < a->nb; i++)
        nest_push(outer, ld[a->lhs_batch[i]], ls[a->lhs_batch[i]],
                  rs[a->rhs_batch[i]]);
    for (uint32_t i = 0; i < type_rank(p, lhs); i++)
        if (!listed(a->nb, a->lhs_batch, i) &&
            !listed(a->nc, a->lhs_contracting, i))
            nest_push(outer, ld[i], ls[i], 0);
    for (uint32_t i = 0; i < type_rank(p, rhs); i++)
        if (!listed(a->nb, a->rhs_batch, i) &&
            !listed(a->nc, a->rhs_contracting, i))
            nest_push(outer, rd[i], 0, rs[i]);
    for (uint32_t i = 0; i < a->nc; i++)
        nest_push(inner, ld[a->lhs_contracting[i]], ls[a->lhs_contracting[i]],
                  rs[a->rhs_contracting[i]]);
}

static bool dot_cell(const struct multiply_add *f, const struct loop_nest *inner,
                     const struct value *args, int64_t lhs, int64_t rhs,
                     struct scalar *acc, struct err *e)
{
    int64_t index[MAX_RANK] = {0};
    do {
        int64_t l = lhs + offset(inner->n, index, inner->lhs_step);
        int64_t r = rhs + offset(inner->n, index, inner->rhs_step);
        if (!fused_step(f, scalar_load(f->t, args[0].data, (size_t)l),
                        scalar_load(f->t, args[1].data, (size_t)r), acc, e))
            return false;
    } while (index_next(inner->n, inner->size, index));
    return true;
}

bool dot_eval(const struct pool *p, attr_id attr, bool exact,
              const struct value *args, struct value *out, struct err *e)
{
    struct dot_attr a;
    enum elem t = type_elem(p, out->type);
    struct multiply_add f = fused_make(t, exact);
    struct loop_nest outer = {0}, inner = {0};
    int64_t index[MAX_RANK] = {0}, count = type_count(p, out->type);
    struct scalar acc, zero = scalar_of_int(t, 0);
    if (!dot_attr_read(attr_len(p, attr), attr_at(p, attr), &a))
        return err_set(e, ERR_INPUT, "dot_general without its attributes");
    bool empty =
        type_count(p, args[0].type) == 0 || type_count(p, args[1].type) == 0;
    if (!empty)
        dot_nests(p, &a, args[0].type, args[1].type, &outer, &inner);
    for (int64_t i = 0; i < count; i++) {
        acc = zero;
        // No operand without elements has any to contract.
        if (!empty &&
            !dot_cell(&f, &inner, args, offset(outer.n, index, outer.lhs_step),
                      offset(outer.n, index, outer.rhs_step), &acc, e))
            return false;
        scalar_store(t, out->data, (size_t)i, acc);
        index_next(outer.n, outer.size, index);
    }
    return true;
}

struct conv {
    const struct pool *p;
    struct conv_attr a;
    struct multiply_add f;
    const struct value *args;
    const int64_t *in, *kernel, *out;                 // sizes
    int64_t in_step[MAX_RANK], kernel_step[MAX_RANK]; // row-major
    struct window window[MAX_RANK];                   // by spatial dimension
    uint32_t n; // features and spatial ones
    int64_t size[MAX_RANK];
};

static bool conv_init(struct conv *c, const struct pool *p, attr_id attr,
                      const struct value *args, type_id out, struct err *e)
{
    const struct conv_attr *a = &c->a;
    if (!conv_attr_read(attr_len(p, attr), attr_at(p, attr), &c->a))
        return err_set(e, ERR_INPUT, "convolution without its attributes");
    c->p = p;
    c->args = args;
    c->in = type_dims(p, args[0].type);
    c->kernel = type_dims(p, args[1].type);
    c->out = type_dims(p, out);
    // Strides of empty tensors may overflow, and nothing is read from them.
    if (type_count(p, args[0].type) > 0)
        row_strides(p, args[0].type, c->in_step);
    if (type_count(p, args[1].type) > 0)
        row_strides(p, args[1].type, c->kernel_step);
    for (uint32_t i = 0; i < a->nf; i++)
        c->size[c->n++] = c->kernel[a->kernel_feature[i]];
    for (uint32_t i = 0; i < a->ns; i++) {
        c->window[i] = (struct window){.n = c->in[a->in_spatial[i]],
                                       .size = c->kernel[a->kernel_spatial[i]],
                                       .stride = a->stride[i],
                                       .low = a->low[i],
                                       .high = a->high[i],
                                       .base = a->lhs_dilation[i],
                                       .dilation = a->rhs_dilation[i],
                                       .reversed = a->reversal[i] != 0};
        c->size[c->n++] = c->window[i].size;
    }
    return true;
}

// Offsets of both operands that the place in the result gives: the batch, the
// output, and the group that the output is in.
static void conv_base(const struct conv *c, const int64_t *place, int64_t *in,
                      int64_t *kernel)
{
    const struct conv_attr *a = &c->a;
    *in = *kernel = 0;
    for (uint32_t i = 0; i < a->nb; i++)
        *in += place[a->out_batch[i]] * c->in_step[a->in_batch[i]];
    for (uint32_t i = 0; i < a->no; i++)
        *kernel += place[a->out_feature[i]] * c->kernel_step[a->kernel_out[i]];
    int64_t groups = a->feature_groups * a->batch_groups; // one is 1
    if (groups == 1)
        return;
    int64_t outs = c->kernel[a->kernel_out[0]] / groups;
    int64_t group = place[a->out_feature[0]] / outs;
    int64_t dim = a->feature_groups > 1 ? a->in_feature[0] : a->in_batch[0];
    *in += group * (c->in[dim] / groups) * c->in_step[dim];
}

static bool conv_cell(const struct conv *c, const int64_t *place,
                      struct scalar *acc, struct err *e)
{
    const struct conv_attr *a = &c->a;
    enum elem t = c->f.t;
    int64_t index[MAX_RANK] = {0}, in, kernel;
    conv_base(c, place, &in, &kernel);
    do {
        int64_t l = in, r = kernel;
        bool padding = false;
        for (uint32_t i = 0; i < a->nf; i++) {
            l += index[i] * c->in_step[a->in_feature[i]];
            r += index[i] * c->kernel_step[a->kernel_feature[i]];
        }
        for (uint32_t i = 0; i < a->ns; i++) {
            int64_t k = index[a->nf + i];
            int64_t at = window_at(&c->window[i], place[a->out_spatial[i]], k);
            padding |= at < 0;
            l += at * c->in_step[a->in_spatial[i]];
            r += k * c->kernel_step[a->kernel_spatial[i]];
        }
        // Padding is a factor 0, which tells infinities in the kernel.
        struct scalar x = padding ? scalar_of_int(t, 0)
                                  : scalar_load(t, c->args[0].data, (size_t)l);
        if (!fused_step(&c->f, x, scalar_load(t, c->args[1].data, (size_t)r),
                        acc, e))
            return false;
    } while (index_next(c->n, c->size, index));
    return true;
}

bool conv_eval(const struct pool *p, attr_id attr, bool exact,
               const struct value *args, struct value *out, struct err *e)
{
    struct conv c = {0};
    enum elem t = type_elem(p, out->type);
    int64_t place[MAX_RANK] = {0}, count = type_count(p, out->type);
    uint32_t rank = type_rank(p, out->type);
    if (!conv_init(&c, p, attr, args, out->type, e))
        return false;
    c.f = fused_make(t, exact);
    bool empty = type_count(p, args[1].type) == 0;
    for (int64_t i = 0; i < count; i++) {
        struct scalar acc = scalar_of_int(t, 0);
        if (!empty && !conv_cell(&c, place, &acc, e))
            return false;
        scalar_store(t, out->data, (size_t)i, acc);
        index_next(rank, c.out, place);
    }
    return true;
}
