// SPDX-License-Identifier: Apache-2.0
// dot_general, convolution and reduce_window against their definitions: all
// pairs of indices for the first, and for the others the operand really padded
// and dilated, then slid over.
#include <math.h>
#include "tests/unit/support/tensor_values.h"

static struct value some(struct fixture *fixture, enum elem elem, uint32_t rank,
                         const int64_t *dims)
{
    return value_random(&fixture->pool, type_of(fixture, elem, rank, dims), &fixture->rng, false,
                        &fixture->mem);
}

// Types whose sums do not depend on the order.
static enum elem exact_elem(struct fixture *fixture)
{
    static const enum elem elem[] = {ELEM_I1, ELEM_I8, ELEM_UI16, ELEM_I64, ELEM_INT, ELEM_REAL};
    return elem[rng_below(&fixture->rng, sizeof elem / sizeof *elem)];
}

static void step(enum op op, enum elem elem, struct scalar *acc, struct scalar scalar)
{
    struct err err = {0};
    if (!eval_binary(op, elem, *acc, scalar, acc, &err))
        fail_msg("%s: %s", op_name(op), err.msg);
}

static void add_product(enum elem elem, struct scalar *acc, struct scalar a, struct scalar b)
{
    step(OP_MULTIPLY, elem, &a, b);
    step(OP_ADD, elem, acc, a);
}

static void shuffle(struct fixture *fixture, uint32_t n, int64_t *v)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(&fixture->rng, i);
        int64_t swap = v[i - 1];
        v[i - 1] = v[k];
        v[k] = swap;
    }
}

static void numbers(uint32_t n, int64_t *v)
{
    for (uint32_t i = 0; i < n; i++)
        v[i] = i;
}

static int64_t size_of_axis(struct fixture *fixture)
{
    return rng_below(&fixture->rng, 10) ? rng_range(&fixture->rng, 1, 3) : 0;
}

// What a dimension of a dot operand is: batch 0.., contracted, or free.
struct dot_case {
    uint32_t nb, nc, nl, nr;
    int64_t l[8], r[8]; // the dimension of each role: batch, contracted, free
};

static struct scalar dot_by_pairs(struct fixture *fixture, const struct dot_case *dot_case,
                                  const struct value *args, const int64_t *place)
{
    enum elem elem = type_elem(&fixture->pool, args[0].type);
    struct scalar acc = scalar_of_int(elem, 0);
    int64_t l[TENSOR_MAX_RANK], r[TENSOR_MAX_RANK];
    EACH_INDEX(fixture, args[0].type, l)
    {
        EACH_INDEX(fixture, args[1].type, r)
        {
            bool same = true;
            for (uint32_t i = 0; i < dot_case->nb; i++)
                same &= l[dot_case->l[i]] == place[i] && r[dot_case->r[i]] == place[i];
            for (uint32_t i = dot_case->nb; i < dot_case->nb + dot_case->nc; i++)
                same &= l[dot_case->l[i]] == r[dot_case->r[i]];
            for (uint32_t i = 0; i < dot_case->nl; i++)
                same &= l[dot_case->l[dot_case->nb + dot_case->nc + i]] == place[dot_case->nb + i];
            for (uint32_t i = 0; i < dot_case->nr; i++)
                same &= r[dot_case->r[dot_case->nb + dot_case->nc + i]] ==
                        place[dot_case->nb + dot_case->nl + i];
            if (same)
                add_product(elem, &acc, at(fixture, &args[0], l), at(fixture, &args[1], r));
        }
    }
    return acc;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void test_dot(void **state)
{
    struct fixture *fixture = *state;
    for (int round = 0; round < 600; round++) {
        struct dot_case dot_case = {(uint32_t)rng_below(&fixture->rng, 3),
                                    (uint32_t)rng_below(&fixture->rng, 3),
                                    (uint32_t)rng_below(&fixture->rng, 3),
                                    (uint32_t)rng_below(&fixture->rng, 3),
                                    {0},
                                    {0}};
        uint32_t k = dot_case.nb + dot_case.nc;
        int64_t dims[2][8], index[TENSOR_MAX_RANK];
        enum elem elem = exact_elem(fixture);
        numbers(k + dot_case.nl, dot_case.l);
        numbers(k + dot_case.nr, dot_case.r);
        shuffle(fixture, k + dot_case.nl, dot_case.l);
        shuffle(fixture, k + dot_case.nr, dot_case.r);
        // Free dimensions keep their order.
        qsort(dot_case.l + k, dot_case.nl, sizeof *dot_case.l, ascending);
        qsort(dot_case.r + k, dot_case.nr, sizeof *dot_case.r, ascending);
        for (uint32_t i = 0; i < k + dot_case.nl; i++)
            dims[0][dot_case.l[i]] = size_of_axis(fixture);
        for (uint32_t i = 0; i < k + dot_case.nr; i++)
            dims[1][dot_case.r[i]] = i < k ? dims[0][dot_case.l[i]] : size_of_axis(fixture);
        struct value args[2] = {some(fixture, elem, k + dot_case.nl, dims[0]),
                                some(fixture, elem, k + dot_case.nr, dims[1])};
        int64_t v[32] = {dot_case.nb, dot_case.nc};
        uint32_t n = 2;
        for (uint32_t i = 0; i < dot_case.nb; i++, n++)
            v[n] = dot_case.l[i], v[n + dot_case.nb] = dot_case.r[i];
        n += dot_case.nb;
        for (uint32_t i = 0; i < dot_case.nc; i++, n++)
            v[n] = dot_case.l[dot_case.nb + i], v[n + dot_case.nc] = dot_case.r[dot_case.nb + i];
        n += dot_case.nc;
        struct value out = run(fixture, OP_DOT_GENERAL, n, v, NO_TYPE, 2, args);
        assert_int_equal(type_rank(&fixture->pool, out.type),
                         dot_case.nb + dot_case.nl + dot_case.nr);
        EACH_INDEX(fixture, out.type, index)
        assert_same(fixture, &out, index, dot_by_pairs(fixture, &dot_case, args, index));
    }
}

struct slide_case { // along one axis
    int64_t stride, low, high, base, dilation, reversal;
};

static struct slide_case some_slide(struct fixture *fixture)
{
    return (struct slide_case){rng_range(&fixture->rng, 1, 3),  rng_range(&fixture->rng, -2, 3),
                               rng_range(&fixture->rng, -2, 3), rng_range(&fixture->rng, 1, 3),
                               rng_range(&fixture->rng, 1, 3),  rng_range(&fixture->rng, 0, 1)};
}

// The places of the padded axis at which a window can start, by trying all.
static int64_t starts(int64_t padded, int64_t size, const struct slide_case *slide_case)
{
    int64_t n = 0, last = size ? (size - 1) * slide_case->dilation : -1;
    for (int64_t at = 0; at + last < padded; at += slide_case->stride)
        n++;
    return padded == 0 ? 0 : n;
}

static int64_t padded_size(int64_t n, const struct slide_case *slide_case)
{
    int64_t size = slide_case->low + slide_case->high;
    for (int64_t i = 0; i < n; i++)
        size += i ? slide_case->base : 1;
    return size < 0 ? 0 : size; // no window starts in either
}

struct conv_case {
    int64_t v[64]; // the attribute
    uint32_t n;
    uint32_t nb, nf, no, ns;
    int64_t fg, bg;
    struct slide_case slide_case[3];
    int64_t in[8], kernel[8], out[8]; // dimension by role: two lists, spatial
};

static void put(struct conv_case *conv_case, uint32_t n, const int64_t *v)
{
    memcpy(conv_case->v + conv_case->n, v, n * sizeof *v);
    conv_case->n += n;
}

static void draw_conv(struct fixture *fixture, struct conv_case *conv_case)
{
    bool one = rng_below(&fixture->rng, 2);
    *conv_case = (struct conv_case){.fg = 1, .bg = 1};
    conv_case->nb = one ? 1 : (uint32_t)rng_below(&fixture->rng, 3);
    conv_case->nf = one ? 1 : (uint32_t)rng_below(&fixture->rng, 3);
    conv_case->no = one ? 1 : (uint32_t)rng_below(&fixture->rng, 3);
    conv_case->ns = (uint32_t)rng_below(&fixture->rng, 3);
    if (one && rng_below(&fixture->rng, 2))
        *(rng_below(&fixture->rng, 2) ? &conv_case->fg : &conv_case->bg) =
            rng_range(&fixture->rng, 1, 3);
    put(conv_case, 4, (int64_t[]){conv_case->nb, conv_case->nf, conv_case->no, conv_case->ns});
    for (uint32_t i = 0; i < conv_case->ns; i++)
        conv_case->slide_case[i] = some_slide(fixture);
    for (uint32_t k = 0; k < 6; k++)
        for (uint32_t i = 0; i < conv_case->ns; i++) {
            const struct slide_case *slide_case = &conv_case->slide_case[i];
            int64_t all[] = {slide_case->stride, slide_case->low,      slide_case->high,
                             slide_case->base,   slide_case->dilation, slide_case->reversal};
            put(conv_case, 1, &all[k]);
        }
    put(conv_case, 2, (int64_t[]){conv_case->fg, conv_case->bg});
    uint32_t n[3] = {conv_case->nb + conv_case->nf + conv_case->ns,
                     conv_case->nf + conv_case->no + conv_case->ns,
                     conv_case->nb + conv_case->no + conv_case->ns};
    int64_t *role[3] = {conv_case->in, conv_case->kernel, conv_case->out};
    for (int k = 0; k < 3; k++) {
        numbers(n[k], role[k]);
        shuffle(fixture, n[k], role[k]);
        put(conv_case, n[k], role[k]);
    }
}

static void draw_sizes(struct fixture *fixture, const struct conv_case *conv_case, int64_t *in,
                       int64_t *kernel)
{
    for (uint32_t i = 0; i < conv_case->nb; i++)
        in[conv_case->in[i]] = size_of_axis(fixture) * conv_case->bg;
    for (uint32_t i = 0; i < conv_case->nf; i++) {
        kernel[conv_case->kernel[i]] = size_of_axis(fixture);
        in[conv_case->in[conv_case->nb + i]] = kernel[conv_case->kernel[i]] * conv_case->fg;
    }
    for (uint32_t i = 0; i < conv_case->no; i++)
        kernel[conv_case->kernel[conv_case->nf + i]] =
            size_of_axis(fixture) * conv_case->fg * conv_case->bg;
    for (uint32_t i = 0; i < conv_case->ns; i++) {
        in[conv_case->in[conv_case->nb + conv_case->nf + i]] = rng_range(&fixture->rng, 0, 4);
        kernel[conv_case->kernel[conv_case->nf + conv_case->no + i]] =
            rng_range(&fixture->rng, 1, 3);
    }
}

// The operand padded with `value` and dilated on the axes given; a cut that
// goes beyond the axis leaves nothing.
static struct value padded(struct fixture *fixture, const struct value *in, struct scalar value,
                           uint32_t n, const int64_t *axis, const struct slide_case *slide_case)
{
    uint32_t rank = type_rank(&fixture->pool, in->type);
    int64_t v[24] = {0};
    enum elem elem = type_elem(&fixture->pool, in->type);
    struct value args[2] = {*in, rank0(fixture, elem, 0)};
    scalar_store(elem, args[1].data, 0, value);
    for (uint32_t i = 0; i < n; i++) {
        v[axis[i]] = slide_case[i].low;
        v[rank + axis[i]] = slide_case[i].high;
        v[2 * rank + axis[i]] = slide_case[i].base - 1;
    }
    return run(fixture, OP_PAD, 3 * rank, v, NO_TYPE, 2, args);
}

static struct scalar conv_by_sliding(struct fixture *fixture, const struct conv_case *conv_case,
                                     const struct value *in, const struct value *kernel,
                                     const int64_t *batches, int64_t outs, const int64_t *place)
{
    enum elem elem = type_elem(&fixture->pool, in->type);
    struct scalar acc = scalar_of_int(elem, 0);
    int64_t k[TENSOR_MAX_RANK], from[TENSOR_MAX_RANK];
    const int64_t *kdims = type_dims(&fixture->pool, kernel->type);
    EACH_INDEX(fixture, kernel->type, k)
    {
        bool mine = true;
        int64_t group = 0, o = conv_case->no ? k[conv_case->kernel[conv_case->nf]] : 0;
        for (uint32_t i = 0; i < conv_case->no; i++)
            mine &=
                k[conv_case->kernel[conv_case->nf + i]] == place[conv_case->out[conv_case->nb + i]];
        if (!mine)
            continue;
        if (conv_case->fg * conv_case->bg > 1)
            group = o / (outs / (conv_case->fg * conv_case->bg));
        for (uint32_t i = 0; i < conv_case->nb; i++)
            from[conv_case->in[i]] =
                place[conv_case->out[i]] +
                (conv_case->bg > 1 ? group * (batches[conv_case->in[i]] / conv_case->bg) : 0);
        for (uint32_t i = 0; i < conv_case->nf; i++)
            from[conv_case->in[conv_case->nb + i]] =
                k[conv_case->kernel[i]] +
                (conv_case->fg > 1 ? group * kdims[conv_case->kernel[i]] : 0);
        for (uint32_t i = 0; i < conv_case->ns; i++) {
            uint32_t kd = (uint32_t)conv_case->kernel[conv_case->nf + conv_case->no + i];
            int64_t w = conv_case->slide_case[i].reversal ? kdims[kd] - 1 - k[kd] : k[kd];
            from[conv_case->in[conv_case->nb + conv_case->nf + i]] =
                place[conv_case->out[conv_case->nb + conv_case->no + i]] *
                    conv_case->slide_case[i].stride +
                w * conv_case->slide_case[i].dilation;
        }
        add_product(elem, &acc, at(fixture, in, from), at(fixture, kernel, k));
    }
    return acc;
}

// A window without elements is no window, as in StableHLO.
static void refuse_empty_kernel(struct fixture *fixture, const struct conv_case *conv_case,
                                const int64_t *in, const int64_t *kernel)
{
    struct err err = {0};
    int64_t empty[8];
    type_id out;
    if (!conv_case->ns)
        return;
    memcpy(empty, kernel, sizeof empty);
    empty[conv_case->kernel[conv_case->nf + conv_case->no]] = 0;
    type_id args[2] = {
        type_of(fixture, ELEM_F32, conv_case->nb + conv_case->nf + conv_case->ns, in),
        type_of(fixture, ELEM_F32, conv_case->nf + conv_case->no + conv_case->ns, empty)};
    assert_false(infer_type(
        &fixture->pool,
        (struct operation){OP_CONVOLUTION, attr_make(&fixture->pool, conv_case->n, conv_case->v),
                           NO_TYPE, 2},
        args, &out, &err));
    assert_non_null(strstr(err.msg, "a kernel of 1 element or more"));
}

static void test_convolution(void **state)
{
    struct fixture *fixture = *state;
    unsigned with_elements = 0;
    for (int round = 0; round < 3000; round++) {
        struct conv_case conv_case;
        int64_t in[8] = {0}, kernel[8] = {0}, index[TENSOR_MAX_RANK];
        enum elem elem = exact_elem(fixture);
        draw_conv(fixture, &conv_case);
        draw_sizes(fixture, &conv_case, in, kernel);
        refuse_empty_kernel(fixture, &conv_case, in, kernel);
        struct value args[2] = {
            some(fixture, elem, conv_case.nb + conv_case.nf + conv_case.ns, in),
            some(fixture, elem, conv_case.nf + conv_case.no + conv_case.ns, kernel)};
        struct value out = run(fixture, OP_CONVOLUTION, conv_case.n, conv_case.v, NO_TYPE, 2, args);
        const int64_t *dims = type_dims(&fixture->pool, out.type);
        for (uint32_t i = 0; i < conv_case.ns; i++)
            assert_int_equal(dims[conv_case.out[conv_case.nb + conv_case.no + i]],
                             starts(padded_size(in[conv_case.in[conv_case.nb + conv_case.nf + i]],
                                                &conv_case.slide_case[i]),
                                    kernel[conv_case.kernel[conv_case.nf + conv_case.no + i]],
                                    &conv_case.slide_case[i]));
        if (type_count(&fixture->pool, out.type) == 0)
            continue;
        with_elements++;
        struct value wide =
            padded(fixture, &args[0], scalar_of_int(elem, 0), conv_case.ns,
                   conv_case.in + conv_case.nb + conv_case.nf, conv_case.slide_case);
        EACH_INDEX(fixture, out.type, index)
        {
            int64_t outs = conv_case.no ? kernel[conv_case.kernel[conv_case.nf]] : 1;
            assert_same(fixture, &out, index,
                        conv_by_sliding(fixture, &conv_case, &wide, &args[1], in, outs, index));
        }
        arena_reset(&fixture->mem, (struct arena_mark){0});
    }
    assert_true(with_elements > 500);
}

static void test_reduce_window(void **state)
{
    struct fixture *fixture = *state;
    static const enum op reducers[] = {OP_ADD, OP_MULTIPLY, OP_MAXIMUM, OP_MINIMUM, OP_AND, OP_OR};
    unsigned with_elements = 0;
    for (int round = 0; round < 3000; round++) {
        enum op op = reducers[rng_below(&fixture->rng, 6)];
        enum elem elem = (enum elem)(1 + rng_below(&fixture->rng, ELEM_F64));
        uint32_t rank = (uint32_t)rng_below(&fixture->rng, 3);
        int64_t dims[2] = {0}, axis[2] = {0, 1}, index[TENSOR_MAX_RANK], k[TENSOR_MAX_RANK];
        int64_t v[16] = {op}, size[2] = {0};
        struct slide_case slide_case[2];
        if (!(op_kinds(op) & (unsigned)elem_kind(elem)))
            continue;
        for (uint32_t i = 0; i < rank; i++) {
            dims[i] = rng_range(&fixture->rng, 0, 4);
            slide_case[i] = some_slide(fixture);
            size[i] = rng_range(&fixture->rng, 1, 3);
            int64_t all[] = {size[i],
                             slide_case[i].stride,
                             slide_case[i].low,
                             slide_case[i].high,
                             slide_case[i].base,
                             slide_case[i].dilation};
            for (uint32_t j = 0; j < 6; j++)
                v[1 + j * rank + i] = all[j];
        }
        struct value args[2] = {some(fixture, elem, rank, dims), some(fixture, elem, 0, NULL)};
        struct value out = run(fixture, OP_REDUCE_WINDOW, 1 + 6 * rank, v, NO_TYPE, 2, args);
        for (uint32_t i = 0; i < rank; i++)
            assert_int_equal(type_dims(&fixture->pool, out.type)[i],
                             starts(padded_size(dims[i], &slide_case[i]), size[i], &slide_case[i]));
        if (type_count(&fixture->pool, out.type) == 0)
            continue;
        with_elements++;
        struct scalar init = at(fixture, &args[1], NULL);
        struct value wide = padded(fixture, &args[0], init, rank, axis, slide_case);
        type_id window = type_of(fixture, ELEM_I1, rank, size);
        EACH_INDEX(fixture, out.type, index)
        {
            struct scalar acc = init;
            EACH_INDEX(fixture, window, k)
            {
                int64_t from[2];
                for (uint32_t i = 0; i < rank; i++)
                    from[i] = index[i] * slide_case[i].stride + k[i] * slide_case[i].dilation;
                step(op, elem, &acc, at(fixture, &wide, from));
            }
            assert_same(fixture, &out, index, acc);
        }
        arena_reset(&fixture->mem, (struct arena_mark){0});
    }
    assert_true(with_elements > 500);
}

static struct value floats(struct fixture *fixture, uint32_t rank, const int64_t *dims,
                           const double *data)
{
    struct value value = {.type = type_of(fixture, ELEM_F32, rank, dims)};
    int64_t n = type_count(&fixture->pool, value.type);
    value.data = arena_alloc(&fixture->mem, (size_t)n * 4 + 1);
    for (int64_t i = 0; i < n; i++)
        scalar_store(ELEM_F32, value.data, (size_t)i, scalar_of_double(ELEM_F32, data[i]));
    return value;
}

// The order of the sums: 1e8 swallows what is added to it.
static void test_order(void **state)
{
    struct fixture *fixture = *state;
    int64_t four[] = {4, 1}, square[] = {2, 2};
    double data[] = {1e8, 1, -1e8, 1}, ones[] = {1, 1, 1, 1};
    struct value flat[2] = {floats(fixture, 1, four, data), floats(fixture, 1, four, ones)};
    struct value two[2] = {floats(fixture, 2, square, data), floats(fixture, 2, square, ones)};
    expect_text(fixture, run(fixture, OP_DOT_GENERAL, 4, (int64_t[]){0, 1, 0, 0}, NO_TYPE, 2, flat),
                "dense<1.000000e+00> : tensor<f32>");
    // Contracting [1, 0]: 1e8, -1e8, 1, 1.
    expect_text(fixture,
                run(fixture, OP_DOT_GENERAL, 6, (int64_t[]){0, 2, 1, 0, 1, 0}, NO_TYPE, 2, two),
                "dense<2.000000e+00> : tensor<f32>");
    // Features first, then the place: 1e8, 1, -1e8, 1; then the other way.
    int64_t conv[] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0};
    expect_text(fixture, run(fixture, OP_CONVOLUTION, 17, conv, NO_TYPE, 2, two),
                "dense<1.000000e+00> : tensor<1xf32>");
    int64_t other[] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0};
    expect_text(fixture, run(fixture, OP_CONVOLUTION, 17, other, NO_TYPE, 2, two),
                "dense<2.000000e+00> : tensor<1xf32>");
    // Padding is a factor 0, which an infinity in the kernel makes NaN.
    double inf[] = {1, (double)INFINITY};
    int64_t one[] = {1}, pair[] = {2};
    struct value edge[2] = {floats(fixture, 1, one, ones), floats(fixture, 1, pair, inf)};
    int64_t pads[] = {0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0};
    expect_text(fixture, run(fixture, OP_CONVOLUTION, 15, pads, NO_TYPE, 2, edge),
                "dense<0x7FC00000> : tensor<1xf32>");
}

// The examples of the specification.
static void test_examples(void **state)
{
    struct fixture *fixture = *state;
    int64_t in[] = {1, 2, 5, 6, 3, 4, 7, 8, 10, 11, 14, 15, 12, 13, 16, 17};
    int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct value args[2] = {ints(fixture, ELEM_I64, 16, in), ints(fixture, ELEM_I64, 9, ones)};
    args[0].type = type_of(fixture, ELEM_I64, 4, (int64_t[]){1, 4, 4, 1});
    args[1].type = type_of(fixture, ELEM_I64, 4, (int64_t[]){3, 3, 1, 1});
    int64_t v[] = {1, 1, 1, 2, 4, 4, 0, 0, 0, 0, 2, 2, 1, 1, 0,
                   0, 1, 1, 0, 3, 1, 2, 2, 3, 0, 1, 0, 3, 1, 2};
    expect_text(fixture, run(fixture, OP_CONVOLUTION, 30, v, NO_TYPE, 2, args),
                "dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>");
    struct value window[2] = {ints(fixture, ELEM_I64, 6, in), rank0(fixture, ELEM_I64, 0)};
    window[0] = ints(fixture, ELEM_I64, 6, (int64_t[]){1, 2, 3, 4, 5, 6});
    window[0].type = type_of(fixture, ELEM_I64, 2, (int64_t[]){3, 2});
    int64_t w[] = {OP_ADD, 2, 1, 4, 1, 2, 0, 1, 0, 2, 1, 3, 1};
    expect_text(fixture, run(fixture, OP_REDUCE_WINDOW, 13, w, NO_TYPE, 2, window),
                "dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>");
}

// A window larger than any tensor is refused, not walked.
static void test_too_many_steps(void **state)
{
    struct fixture *fixture = *state;
    struct err err = {0};
    struct value args[2] = {ints(fixture, ELEM_I8, 1, (int64_t[]){1}), rank0(fixture, ELEM_I8, 0)},
                 out;
    int64_t far = INT64_C(1) << 60;
    int64_t v[] = {OP_ADD, far, 1, far, 0, 1, 1};
    type_id types[2] = {args[0].type, args[1].type}, type;
    attr_id attr = attr_make(&fixture->pool, 7, v);
    assert_true(infer_type(&fixture->pool, (struct operation){OP_REDUCE_WINDOW, attr, NO_TYPE, 2},
                           types, &type, &err));
    assert_int_equal(eval_steps(&fixture->pool, OP_REDUCE_WINDOW, attr, type, types), 2 * far);
    assert_false(eval_node(&fixture->pool, (struct operation){OP_REDUCE_WINDOW, attr, type, 2},
                           args, &fixture->mem, &out, &err));
    assert_int_equal(err.kind, ERR_LIMIT);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        test_seed = strtoull(argv[1], NULL, 10);
    print_message("seed %llu\n", (unsigned long long)test_seed);
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        CASE(test_dot),   CASE(test_convolution), CASE(test_reduce_window),
        CASE(test_order), CASE(test_examples),    CASE(test_too_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
