// SPDX-License-Identifier: Apache-2.0
// dot_general, convolution and reduce_window against their definitions: all
// pairs of indices for the first, and for the others the operand really padded
// and dilated, then slid over.
#include <math.h>
#include "tests/unit/support/tensor_values.h"

static struct value some(struct fixture *x, enum elem t, uint32_t rank,
                         const int64_t *dims)
{
    return value_random(&x->p, type_of(x, t, rank, dims), &x->r, false,
                        &x->mem);
}

// Types whose sums do not depend on the order.
static enum elem exact_elem(struct fixture *x)
{
    static const enum elem t[] = {ELEM_I1,  ELEM_I8,  ELEM_UI16,
                                  ELEM_I64, ELEM_INT, ELEM_REAL};
    return t[rng_below(&x->r, sizeof t / sizeof *t)];
}

static void step(enum op op, enum elem t, struct scalar *acc, struct scalar a)
{
    struct err e = {0};
    if (!eval_binary(op, t, *acc, a, acc, &e))
        fail_msg("%s: %s", op_name(op), e.msg);
}

static void add_product(enum elem t, struct scalar *acc, struct scalar a,
                        struct scalar b)
{
    step(OP_MULTIPLY, t, &a, b);
    step(OP_ADD, t, acc, a);
}

static void shuffle(struct fixture *x, uint32_t n, int64_t *v)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = (uint32_t)rng_below(&x->r, i);
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

static int64_t size_of_axis(struct fixture *x)
{
    return rng_below(&x->r, 10) ? rng_range(&x->r, 1, 3) : 0;
}

// What a dimension of a dot operand is: batch 0.., contracted, or free.
struct dot_case {
    uint32_t nb, nc, nl, nr;
    int64_t l[8], r[8]; // the dimension of each role: batch, contracted, free
};

static struct scalar dot_by_pairs(struct fixture *x, const struct dot_case *c,
                                  const struct value *args,
                                  const int64_t *place)
{
    enum elem t = type_elem(&x->p, args[0].type);
    struct scalar acc = scalar_of_int(t, 0);
    int64_t l[MAX_RANK], r[MAX_RANK];
    EACH_INDEX(x, args[0].type, l)
    {
        EACH_INDEX(x, args[1].type, r)
        {
            bool same = true;
            for (uint32_t i = 0; i < c->nb; i++)
                same &= l[c->l[i]] == place[i] && r[c->r[i]] == place[i];
            for (uint32_t i = c->nb; i < c->nb + c->nc; i++)
                same &= l[c->l[i]] == r[c->r[i]];
            for (uint32_t i = 0; i < c->nl; i++)
                same &= l[c->l[c->nb + c->nc + i]] == place[c->nb + i];
            for (uint32_t i = 0; i < c->nr; i++)
                same &= r[c->r[c->nb + c->nc + i]] == place[c->nb + c->nl + i];
            if (same)
                add_product(t, &acc, at(x, &args[0], l), at(x, &args[1], r));
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
    struct fixture *x = *state;
    for (int round = 0; round < 600; round++) {
        struct dot_case c = {(uint32_t)rng_below(&x->r, 3),
                             (uint32_t)rng_below(&x->r, 3),
                             (uint32_t)rng_below(&x->r, 3),
                             (uint32_t)rng_below(&x->r, 3),
                             {0},
                             {0}};
        uint32_t k = c.nb + c.nc;
        int64_t dims[2][8], index[MAX_RANK];
        enum elem t = exact_elem(x);
        numbers(k + c.nl, c.l);
        numbers(k + c.nr, c.r);
        shuffle(x, k + c.nl, c.l);
        shuffle(x, k + c.nr, c.r);
        // Free dimensions keep their order.
        qsort(c.l + k, c.nl, sizeof *c.l, ascending);
        qsort(c.r + k, c.nr, sizeof *c.r, ascending);
        for (uint32_t i = 0; i < k + c.nl; i++)
            dims[0][c.l[i]] = size_of_axis(x);
        for (uint32_t i = 0; i < k + c.nr; i++)
            dims[1][c.r[i]] = i < k ? dims[0][c.l[i]] : size_of_axis(x);
        struct value args[2] = {some(x, t, k + c.nl, dims[0]),
                                some(x, t, k + c.nr, dims[1])};
        int64_t v[32] = {c.nb, c.nc};
        uint32_t n = 2;
        for (uint32_t i = 0; i < c.nb; i++, n++)
            v[n] = c.l[i], v[n + c.nb] = c.r[i];
        n += c.nb;
        for (uint32_t i = 0; i < c.nc; i++, n++)
            v[n] = c.l[c.nb + i], v[n + c.nc] = c.r[c.nb + i];
        n += c.nc;
        struct value out = run(x, OP_DOT_GENERAL, n, v, NO_TYPE, 2, args);
        assert_int_equal(type_rank(&x->p, out.type), c.nb + c.nl + c.nr);
        EACH_INDEX(x, out.type, index)
        assert_same(x, &out, index, dot_by_pairs(x, &c, args, index));
    }
}

struct slide_case { // along one axis
    int64_t stride, low, high, base, dilation, reversal;
};

static struct slide_case some_slide(struct fixture *x)
{
    return (struct slide_case){rng_range(&x->r, 1, 3),  rng_range(&x->r, -2, 3),
                               rng_range(&x->r, -2, 3), rng_range(&x->r, 1, 3),
                               rng_range(&x->r, 1, 3),  rng_range(&x->r, 0, 1)};
}

// The places of the padded axis at which a window can start, by trying all.
static int64_t starts(int64_t padded, int64_t size, const struct slide_case *c)
{
    int64_t n = 0, last = size ? (size - 1) * c->dilation : -1;
    for (int64_t at = 0; at + last < padded; at += c->stride)
        n++;
    return padded == 0 ? 0 : n;
}

static int64_t padded_size(int64_t n, const struct slide_case *c)
{
    int64_t size = c->low + c->high;
    for (int64_t i = 0; i < n; i++)
        size += i ? c->base : 1;
    return size < 0 ? 0 : size; // no window starts in either
}

struct conv_case {
    int64_t v[64]; // the attribute
    uint32_t n;
    uint32_t nb, nf, no, ns;
    int64_t fg, bg;
    struct slide_case s[3];
    int64_t in[8], kernel[8], out[8]; // dimension by role: two lists, spatial
};

static void put(struct conv_case *c, uint32_t n, const int64_t *v)
{
    memcpy(c->v + c->n, v, n * sizeof *v);
    c->n += n;
}

static void draw_conv(struct fixture *x, struct conv_case *c)
{
    bool one = rng_below(&x->r, 2);
    *c = (struct conv_case){.fg = 1, .bg = 1};
    c->nb = one ? 1 : (uint32_t)rng_below(&x->r, 3);
    c->nf = one ? 1 : (uint32_t)rng_below(&x->r, 3);
    c->no = one ? 1 : (uint32_t)rng_below(&x->r, 3);
    c->ns = (uint32_t)rng_below(&x->r, 3);
    if (one && rng_below(&x->r, 2))
        *(rng_below(&x->r, 2) ? &c->fg : &c->bg) = rng_range(&x->r, 1, 3);
    put(c, 4, (int64_t[]){c->nb, c->nf, c->no, c->ns});
    for (uint32_t i = 0; i < c->ns; i++)
        c->s[i] = some_slide(x);
    for (uint32_t k = 0; k < 6; k++)
        for (uint32_t i = 0; i < c->ns; i++) {
            const struct slide_case *s = &c->s[i];
            int64_t all[] = {s->stride, s->low,      s->high,
                             s->base,   s->dilation, s->reversal};
            put(c, 1, &all[k]);
        }
    put(c, 2, (int64_t[]){c->fg, c->bg});
    uint32_t n[3] = {c->nb + c->nf + c->ns, c->nf + c->no + c->ns,
                     c->nb + c->no + c->ns};
    int64_t *role[3] = {c->in, c->kernel, c->out};
    for (int k = 0; k < 3; k++) {
        numbers(n[k], role[k]);
        shuffle(x, n[k], role[k]);
        put(c, n[k], role[k]);
    }
}

static void draw_sizes(struct fixture *x, const struct conv_case *c,
                       int64_t *in, int64_t *kernel)
{
    for (uint32_t i = 0; i < c->nb; i++)
        in[c->in[i]] = size_of_axis(x) * c->bg;
    for (uint32_t i = 0; i < c->nf; i++) {
        kernel[c->kernel[i]] = size_of_axis(x);
        in[c->in[c->nb + i]] = kernel[c->kernel[i]] * c->fg;
    }
    for (uint32_t i = 0; i < c->no; i++)
        kernel[c->kernel[c->nf + i]] = size_of_axis(x) * c->fg * c->bg;
    for (uint32_t i = 0; i < c->ns; i++) {
        in[c->in[c->nb + c->nf + i]] = rng_range(&x->r, 0, 4);
        kernel[c->kernel[c->nf + c->no + i]] = rng_range(&x->r, 1, 3);
    }
}

// The operand padded with `value` and dilated on the axes given; a cut that
// goes beyond the axis leaves nothing.
static struct value padded(struct fixture *x, const struct value *in,
                           struct scalar value, uint32_t n, const int64_t *axis,
                           const struct slide_case *s)
{
    uint32_t rank = type_rank(&x->p, in->type);
    int64_t v[24] = {0};
    enum elem t = type_elem(&x->p, in->type);
    struct value args[2] = {*in, rank0(x, t, 0)};
    scalar_store(t, args[1].data, 0, value);
    for (uint32_t i = 0; i < n; i++) {
        v[axis[i]] = s[i].low;
        v[rank + axis[i]] = s[i].high;
        v[2 * rank + axis[i]] = s[i].base - 1;
    }
    return run(x, OP_PAD, 3 * rank, v, NO_TYPE, 2, args);
}

static struct scalar
conv_by_sliding(struct fixture *x, const struct conv_case *c,
                const struct value *in, const struct value *kernel,
                const int64_t *batches, int64_t outs, const int64_t *place)
{
    enum elem t = type_elem(&x->p, in->type);
    struct scalar acc = scalar_of_int(t, 0);
    int64_t k[MAX_RANK], from[MAX_RANK];
    const int64_t *kdims = type_dims(&x->p, kernel->type);
    EACH_INDEX(x, kernel->type, k)
    {
        bool mine = true;
        int64_t group = 0, o = c->no ? k[c->kernel[c->nf]] : 0;
        for (uint32_t i = 0; i < c->no; i++)
            mine &= k[c->kernel[c->nf + i]] == place[c->out[c->nb + i]];
        if (!mine)
            continue;
        if (c->fg * c->bg > 1)
            group = o / (outs / (c->fg * c->bg));
        for (uint32_t i = 0; i < c->nb; i++)
            from[c->in[i]] =
                place[c->out[i]] +
                (c->bg > 1 ? group * (batches[c->in[i]] / c->bg) : 0);
        for (uint32_t i = 0; i < c->nf; i++)
            from[c->in[c->nb + i]] =
                k[c->kernel[i]] + (c->fg > 1 ? group * kdims[c->kernel[i]] : 0);
        for (uint32_t i = 0; i < c->ns; i++) {
            uint32_t kd = (uint32_t)c->kernel[c->nf + c->no + i];
            int64_t w = c->s[i].reversal ? kdims[kd] - 1 - k[kd] : k[kd];
            from[c->in[c->nb + c->nf + i]] =
                place[c->out[c->nb + c->no + i]] * c->s[i].stride +
                w * c->s[i].dilation;
        }
        add_product(t, &acc, at(x, in, from), at(x, kernel, k));
    }
    return acc;
}

// A window without elements is no window, as in StableHLO.
static void refuse_empty_kernel(struct fixture *x, const struct conv_case *c,
                                const int64_t *in, const int64_t *kernel)
{
    struct err e = {0};
    int64_t empty[8];
    type_id out;
    if (!c->ns)
        return;
    memcpy(empty, kernel, sizeof empty);
    empty[c->kernel[c->nf + c->no]] = 0;
    type_id args[2] = {type_of(x, ELEM_F32, c->nb + c->nf + c->ns, in),
                       type_of(x, ELEM_F32, c->nf + c->no + c->ns, empty)};
    assert_false(infer_type(&x->p, OP_CONVOLUTION, attr_make(&x->p, c->n, c->v),
                            NO_TYPE, 2, args, &out, &e));
    assert_non_null(strstr(e.msg, "a kernel of 1 element or more"));
}

static void test_convolution(void **state)
{
    struct fixture *x = *state;
    unsigned with_elements = 0;
    for (int round = 0; round < 3000; round++) {
        struct conv_case c;
        int64_t in[8] = {0}, kernel[8] = {0}, index[MAX_RANK];
        enum elem t = exact_elem(x);
        draw_conv(x, &c);
        draw_sizes(x, &c, in, kernel);
        refuse_empty_kernel(x, &c, in, kernel);
        struct value args[2] = {some(x, t, c.nb + c.nf + c.ns, in),
                                some(x, t, c.nf + c.no + c.ns, kernel)};
        struct value out = run(x, OP_CONVOLUTION, c.n, c.v, NO_TYPE, 2, args);
        const int64_t *dims = type_dims(&x->p, out.type);
        for (uint32_t i = 0; i < c.ns; i++)
            assert_int_equal(
                dims[c.out[c.nb + c.no + i]],
                starts(padded_size(in[c.in[c.nb + c.nf + i]], &c.s[i]),
                       kernel[c.kernel[c.nf + c.no + i]], &c.s[i]));
        if (type_count(&x->p, out.type) == 0)
            continue;
        with_elements++;
        struct value wide = padded(x, &args[0], scalar_of_int(t, 0), c.ns,
                                   c.in + c.nb + c.nf, c.s);
        EACH_INDEX(x, out.type, index)
        {
            int64_t outs = c.no ? kernel[c.kernel[c.nf]] : 1;
            assert_same(
                x, &out, index,
                conv_by_sliding(x, &c, &wide, &args[1], in, outs, index));
        }
        arena_reset(&x->mem, (struct arena_mark){0});
    }
    assert_true(with_elements > 500);
}

static void test_reduce_window(void **state)
{
    struct fixture *x = *state;
    static const enum op reducers[] = {OP_ADD,     OP_MULTIPLY, OP_MAXIMUM,
                                       OP_MINIMUM, OP_AND,      OP_OR};
    unsigned with_elements = 0;
    for (int round = 0; round < 3000; round++) {
        enum op op = reducers[rng_below(&x->r, 6)];
        enum elem t = (enum elem)(1 + rng_below(&x->r, ELEM_F64));
        uint32_t rank = (uint32_t)rng_below(&x->r, 3);
        int64_t dims[2] = {0}, axis[2] = {0, 1}, index[MAX_RANK], k[MAX_RANK];
        int64_t v[16] = {op}, size[2] = {0};
        struct slide_case s[2];
        if (!(op_kinds(op) & (unsigned)elem_kind(t)))
            continue;
        for (uint32_t i = 0; i < rank; i++) {
            dims[i] = rng_range(&x->r, 0, 4);
            s[i] = some_slide(x);
            size[i] = rng_range(&x->r, 1, 3);
            int64_t all[] = {size[i],   s[i].stride, s[i].low,
                             s[i].high, s[i].base,   s[i].dilation};
            for (uint32_t j = 0; j < 6; j++)
                v[1 + j * rank + i] = all[j];
        }
        struct value args[2] = {some(x, t, rank, dims), some(x, t, 0, NULL)};
        struct value out =
            run(x, OP_REDUCE_WINDOW, 1 + 6 * rank, v, NO_TYPE, 2, args);
        for (uint32_t i = 0; i < rank; i++)
            assert_int_equal(
                type_dims(&x->p, out.type)[i],
                starts(padded_size(dims[i], &s[i]), size[i], &s[i]));
        if (type_count(&x->p, out.type) == 0)
            continue;
        with_elements++;
        struct scalar init = at(x, &args[1], NULL);
        struct value wide = padded(x, &args[0], init, rank, axis, s);
        type_id window = type_of(x, ELEM_I1, rank, size);
        EACH_INDEX(x, out.type, index)
        {
            struct scalar acc = init;
            EACH_INDEX(x, window, k)
            {
                int64_t from[2];
                for (uint32_t i = 0; i < rank; i++)
                    from[i] = index[i] * s[i].stride + k[i] * s[i].dilation;
                step(op, t, &acc, at(x, &wide, from));
            }
            assert_same(x, &out, index, acc);
        }
        arena_reset(&x->mem, (struct arena_mark){0});
    }
    assert_true(with_elements > 500);
}

static struct value floats(struct fixture *x, uint32_t rank,
                           const int64_t *dims, const double *data)
{
    struct value v = {.type = type_of(x, ELEM_F32, rank, dims)};
    int64_t n = type_count(&x->p, v.type);
    v.data = arena_alloc(&x->mem, (size_t)n * 4 + 1);
    for (int64_t i = 0; i < n; i++)
        scalar_store(ELEM_F32, v.data, (size_t)i,
                     scalar_of_double(ELEM_F32, data[i]));
    return v;
}

// The order of the sums: 1e8 swallows what is added to it.
static void test_order(void **state)
{
    struct fixture *x = *state;
    int64_t four[] = {4, 1}, square[] = {2, 2};
    double data[] = {1e8, 1, -1e8, 1}, ones[] = {1, 1, 1, 1};
    struct value flat[2] = {floats(x, 1, four, data), floats(x, 1, four, ones)};
    struct value two[2] = {floats(x, 2, square, data),
                           floats(x, 2, square, ones)};
    expect_text(
        x, run(x, OP_DOT_GENERAL, 4, (int64_t[]){0, 1, 0, 0}, NO_TYPE, 2, flat),
        "dense<1.000000e+00> : tensor<f32>");
    // Contracting [1, 0]: 1e8, -1e8, 1, 1.
    expect_text(x,
                run(x, OP_DOT_GENERAL, 6, (int64_t[]){0, 2, 1, 0, 1, 0},
                    NO_TYPE, 2, two),
                "dense<2.000000e+00> : tensor<f32>");
    // Features first, then the place: 1e8, 1, -1e8, 1; then the other way.
    int64_t conv[] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0};
    expect_text(x, run(x, OP_CONVOLUTION, 17, conv, NO_TYPE, 2, two),
                "dense<1.000000e+00> : tensor<1xf32>");
    int64_t other[] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0};
    expect_text(x, run(x, OP_CONVOLUTION, 17, other, NO_TYPE, 2, two),
                "dense<2.000000e+00> : tensor<1xf32>");
    // Padding is a factor 0, which an infinity in the kernel makes NaN.
    double inf[] = {1, (double)INFINITY};
    int64_t one[] = {1}, pair[] = {2};
    struct value edge[2] = {floats(x, 1, one, ones), floats(x, 1, pair, inf)};
    int64_t pads[] = {0, 0, 0, 1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 0, 0};
    expect_text(x, run(x, OP_CONVOLUTION, 15, pads, NO_TYPE, 2, edge),
                "dense<0x7FC00000> : tensor<1xf32>");
}

// The examples of the specification.
static void test_examples(void **state)
{
    struct fixture *x = *state;
    int64_t in[] = {1, 2, 5, 6, 3, 4, 7, 8, 10, 11, 14, 15, 12, 13, 16, 17};
    int64_t ones[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct value args[2] = {ints(x, ELEM_I64, 16, in),
                            ints(x, ELEM_I64, 9, ones)};
    args[0].type = type_of(x, ELEM_I64, 4, (int64_t[]){1, 4, 4, 1});
    args[1].type = type_of(x, ELEM_I64, 4, (int64_t[]){3, 3, 1, 1});
    int64_t v[] = {1, 1, 1, 2, 4, 4, 0, 0, 0, 0, 2, 2, 1, 1, 0,
                   0, 1, 1, 0, 3, 1, 2, 2, 3, 0, 1, 0, 3, 1, 2};
    expect_text(x, run(x, OP_CONVOLUTION, 30, v, NO_TYPE, 2, args),
                "dense<[[[[10], [26]], [[46], [62]]]]> : tensor<1x2x2x1xi64>");
    struct value window[2] = {ints(x, ELEM_I64, 6, in), rank0(x, ELEM_I64, 0)};
    window[0] = ints(x, ELEM_I64, 6, (int64_t[]){1, 2, 3, 4, 5, 6});
    window[0].type = type_of(x, ELEM_I64, 2, (int64_t[]){3, 2});
    int64_t w[] = {OP_ADD, 2, 1, 4, 1, 2, 0, 1, 0, 2, 1, 3, 1};
    expect_text(x, run(x, OP_REDUCE_WINDOW, 13, w, NO_TYPE, 2, window),
                "dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>");
}

// A window larger than any tensor is refused, not walked.
static void test_too_many_steps(void **state)
{
    struct fixture *x = *state;
    struct err e = {0};
    struct value args[2] = {ints(x, ELEM_I8, 1, (int64_t[]){1}),
                            rank0(x, ELEM_I8, 0)},
                 out;
    int64_t far = INT64_C(1) << 60;
    int64_t v[] = {OP_ADD, far, 1, far, 0, 1, 1};
    type_id types[2] = {args[0].type, args[1].type}, type;
    attr_id a = attr_make(&x->p, 7, v);
    assert_true(
        infer_type(&x->p, OP_REDUCE_WINDOW, a, NO_TYPE, 2, types, &type, &e));
    assert_int_equal(eval_steps(&x->p, OP_REDUCE_WINDOW, a, type, types),
                     2 * far);
    assert_false(eval_node(&x->p, OP_REDUCE_WINDOW, a, type, 2, args, &x->mem,
                           &out, &e));
    assert_int_equal(e.kind, ERR_LIMIT);
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
