// SPDX-License-Identifier: Apache-2.0
// Operators on whole tensors against the same on their slices (tensor/dynamic/whole.h): random
// operators, attributes and places of the sizes "?", values by the interpreter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tensor/dynamic/operation.h"
#include "tensor/dynamic/whole.h"
#include "tensor/eval/eval.h"
#include "tensor/shape/infer.h"

static uint64_t seed = 1;

// An operation on tensors of known sizes, and which sizes are "?" beside that.
struct trial {
    struct pool pool;
    struct arena mem;
    struct rng rng;
    struct operation operation;
    struct sized sized[3]; // operands, the result behind them
    bool open[3][8];
    uint32_t n;
};

static uint32_t below(struct trial *trial, uint32_t n)
{
    return (uint32_t)rng_below(&trial->rng, n);
}

static void shuffle(struct trial *trial, uint32_t n, int64_t *v)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t k = below(trial, i);
        int64_t x = v[k];
        v[k] = v[i - 1];
        v[i - 1] = x;
    }
}

static void random_sizes(struct trial *trial, struct sized *sized, uint32_t rank)
{
    *sized = (struct sized){.elem = ELEM_F32, .rank = rank};
    for (uint32_t k = 0; k < rank; k++)
        sized->dims[k] = 1 + below(trial, 3);
}

static attr_id attributes(struct trial *trial, uint32_t n, const int64_t *v)
{
    return attr_make(&trial->pool, n, v);
}

// A product of two tensors: 0 to 2 dimensions of each kind, in any order.
static attr_id random_dot(struct trial *trial)
{
    uint32_t nb = below(trial, 3), nc = below(trial, 3),
             free[2] = {below(trial, 2), below(trial, 2)};
    int64_t dims[2][8], attr[2 + 8 + 8] = {nb, nc};
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t rank = nb + nc + free[side];
        random_sizes(trial, &trial->sized[side], rank);
        for (uint32_t k = 0; k < rank; k++)
            dims[side][k] = k;
        shuffle(trial, rank, dims[side]);
    }
    for (uint32_t k = 0; k < nb + nc; k++)
        trial->sized[1].dims[dims[1][k]] = trial->sized[0].dims[dims[0][k]];
    memcpy(attr + 2, dims[0], nb * sizeof *attr);
    memcpy(attr + 2 + nb, dims[1], nb * sizeof *attr);
    memcpy(attr + 2 + 2 * nb, dims[0] + nb, nc * sizeof *attr);
    memcpy(attr + 2 + 2 * nb + nc, dims[1] + nb, nc * sizeof *attr);
    return attributes(trial, 2 + 2 * nb + 2 * nc, attr);
}

// Dimensions of one operand, ascending.
static uint32_t some_dims(struct trial *trial, uint32_t rank, int64_t *out)
{
    uint32_t n = 0;
    for (uint32_t k = 0; k < rank; k++)
        if (below(trial, 2) == 0)
            out[n++] = k;
    return n;
}

static attr_id random_attr(struct trial *trial)
{
    int64_t v[16] = {0}, order[8], at;
    struct sized *in = &trial->sized[0], *out = &trial->sized[trial->n];
    uint32_t rank = in->rank;
    for (uint32_t k = 0; k < 8; k++)
        order[k] = k;
    switch (trial->operation.op) {
    case OP_TRANSPOSE:
        shuffle(trial, rank, order);
        return attributes(trial, rank, order);
    case OP_REVERSE:
        return attributes(trial, some_dims(trial, rank, v), v);
    case OP_REDUCE:
        v[0] = OP_ADD;
        trial->sized[1] = (struct sized){.elem = ELEM_F32};
        return attributes(trial, 1 + some_dims(trial, rank, v + 1), v);
    case OP_CONCATENATE:
        v[0] = below(trial, rank);
        trial->sized[1] = *in;
        trial->sized[1].dims[v[0]] = 1 + below(trial, 3);
        return attributes(trial, 1, v);
    case OP_BROADCAST_IN_DIM:
        random_sizes(trial, out, rank + below(trial, 3));
        shuffle(trial, out->rank, order);
        for (uint32_t k = 0; k < rank; k++)
            if (below(trial, 3) > 0)
                out->dims[order[k]] = in->dims[k];
            else
                in->dims[k] = 1;
        return attributes(trial, rank, order);
    case OP_RESHAPE: // two dimensions behind one another are one
        *out = *in;
        at = below(trial, rank - 1);
        out->dims[at] *= out->dims[at + 1];
        for (uint32_t k = (uint32_t)at + 2; k < rank; k++)
            out->dims[k - 1] = out->dims[k];
        out->rank--;
        return NO_ATTR;
    default:
        trial->sized[1] = *in;
        return NO_ATTR;
    }
}

static type_id type_of(struct trial *trial, uint32_t k, bool with_open)
{
    struct sized sized = trial->sized[k];
    type_id type;
    for (uint32_t d = 0; with_open && d < sized.rank; d++)
        if (trial->open[k][d]) {
            sized.dims[d] = -1;
            sized.n_open++;
        }
    assert_true(sized_type(&trial->pool, &sized, &type));
    return type;
}

// A random operation that means something; false: it does not.
static bool random_operation(struct trial *trial)
{
    static const enum op ops[] = {OP_ADD,         OP_TRANSPOSE,        OP_REVERSE, OP_REDUCE,
                                  OP_CONCATENATE, OP_BROADCAST_IN_DIM, OP_RESHAPE, OP_DOT_GENERAL};
    enum op op = ops[below(trial, sizeof ops / sizeof *ops)];
    struct err none = {0};
    type_id types[2], type = NO_TYPE;
    trial->n =
        op == OP_ADD || op == OP_REDUCE || op == OP_CONCATENATE || op == OP_DOT_GENERAL ? 2 : 1;
    trial->operation = (struct operation){.op = op, .n = trial->n};
    random_sizes(trial, &trial->sized[0], 2 + below(trial, 3));
    trial->operation.attr = op == OP_DOT_GENERAL ? random_dot(trial) : random_attr(trial);
    for (uint32_t k = 0; k < trial->n; k++)
        types[k] = type_of(trial, k, false);
    if (op == OP_BROADCAST_IN_DIM || op == OP_RESHAPE)
        type = type_of(trial, trial->n, false);
    trial->operation.type = type;
    if (!infer_type(&trial->pool, trial->operation, types, &trial->operation.type, &none))
        return false;
    assert_true(sized_of(&trial->pool, trial->operation.type, &trial->sized[trial->n]));
    for (uint32_t k = 0; k <= trial->n; k++)
        for (uint32_t d = 0; d < 8; d++)
            trial->open[k][d] = below(trial, 3) == 0;
    return true;
}

// The slice of a value at this index of the sizes "?", or the value if it has none.
static struct value slice_value(struct trial *trial, uint32_t k, struct value whole,
                                const int64_t *at)
{
    struct sized open = {.elem = ELEM_F32}, slice;
    const struct sized *sized = &trial->sized[k];
    struct value out;
    open = *sized;
    open.n_open = 0;
    for (uint32_t d = 0; d < sized->rank; d++)
        open.dims[d] = trial->open[k][d] ? -1 : sized->dims[d];
    sized_slice(&open, &slice);
    assert_true(sized_type(&trial->pool, &slice, &out.type));
    float *to =
        arena_alloc(&trial->mem, sizeof(float) * (size_t)(type_count(&trial->pool, out.type) + 1));
    out.data = to;
    int64_t index[8] = {0}, total = type_count(&trial->pool, whole.type);
    for (int64_t i = 0; i < total; i++) {
        bool inside = true;
        for (uint32_t d = 0, n = 0; d < sized->rank; d++)
            if (trial->open[k][d])
                inside = inside && index[d] == at[n++];
        if (inside)
            *to++ = ((const float *)whole.data)[i];
        for (uint32_t d = sized->rank; d-- > 0;) {
            if (++index[d] < sized->dims[d])
                break;
            index[d] = 0;
        }
    }
    return out;
}

static bool is_whole(const struct trial *trial, uint32_t k)
{
    for (uint32_t d = 0; d < trial->sized[k].rank; d++)
        if (trial->open[k][d])
            return false;
    return true;
}

// Have the operands with sizes "?" those of the result, in order?  If not, the program means nothing.
static bool sizes_agree(const struct trial *trial)
{
    int64_t sizes[3][8];
    uint32_t n_open[3] = {0};
    for (uint32_t k = 0; k <= trial->n; k++)
        for (uint32_t d = 0; d < trial->sized[k].rank; d++)
            if (trial->open[k][d])
                sizes[k][n_open[k]++] = trial->sized[k].dims[d];
    for (uint32_t k = 0; k < trial->n; k++)
        for (uint32_t i = 0; i < n_open[k] && i < n_open[trial->n]; i++)
            if (sizes[k][i] != sizes[trial->n][i])
                return false;
    return true;
}

// Every slice of the result is the operation on slices of the operands.
static void compare_slices(struct trial *trial, attr_id attr)
{
    struct err err = {0};
    struct value args[2], slices[2], result, got;
    int64_t at[8] = {0}, sizes[8], different;
    uint32_t n_open = 0, n = trial->n;
    for (uint32_t k = 0; k < n; k++)
        args[k] =
            value_random(&trial->pool, type_of(trial, k, false), &trial->rng, false, &trial->mem);
    assert_true(eval_node(&trial->pool, trial->operation, args, &trial->mem, &result, &err));
    for (uint32_t d = 0; d < trial->sized[n].rank; d++)
        if (trial->open[n][d])
            sizes[n_open++] = trial->sized[n].dims[d];
    for (bool more = true; more;) {
        struct value want = slice_value(trial, n, result, at);
        for (uint32_t k = 0; k < n; k++)
            slices[k] = is_whole(trial, k) ? args[k] : slice_value(trial, k, args[k], at);
        struct operation operation = {trial->operation.op, attr, want.type, n};
        if (!eval_node(&trial->pool, operation, slices, &trial->mem, &got, &err))
            fail_msg("%s on slices: %s", op_name(operation.op), err.msg);
        if (!value_same(&trial->pool, &want, &got, 0, &different))
            fail_msg("%s: element %lld of a slice differs", op_name(operation.op),
                     (long long)different);
        more = false;
        for (uint32_t k = n_open; !more && k-- > 0;) {
            more = ++at[k] < sizes[k];
            if (!more)
                at[k] = 0;
        }
    }
}

static void values(void **state)
{
    (void)state;
    uint32_t compared[N_OPS] = {0}, refused = 0;
    for (uint32_t i = 0; i < 40000; i++) {
        struct trial trial = {0};
        attr_id attr;
        type_id types[2];
        pool_init(&trial.pool);
        rng_seed(&trial.rng, seed * 100000 + i);
        if (random_operation(&trial)) {
            struct operation whole = trial.operation;
            for (uint32_t k = 0; k < trial.n; k++)
                types[k] = type_of(&trial, k, true);
            whole.type = type_of(&trial, trial.n, true);
            bool agree = sizes_agree(&trial);
            if (agree && slice_attr(&trial.pool, whole, types, &attr)) {
                compared[whole.op]++;
                compare_slices(&trial, attr);
            } else {
                refused++;
            }
        }
        arena_release(&trial.mem);
        pool_release(&trial.pool);
    }
    assert_true(refused > 1000);
    static const enum op all[] = {OP_ADD,         OP_TRANSPOSE,        OP_REVERSE, OP_REDUCE,
                                  OP_CONCATENATE, OP_BROADCAST_IN_DIM, OP_RESHAPE, OP_DOT_GENERAL};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (compared[all[i]] < 20)
            fail_msg("%s: only %u operations work slice by slice", op_name(all[i]),
                     compared[all[i]]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values)};
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
