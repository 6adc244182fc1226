// SPDX-License-Identifier: Apache-2.0
// The cost model `time`: nanoseconds, of one operation by itself.
#include "egraph/extract/cost.h"
#include "egraph/extract/time_weights.h"
#include "tensor/language/attr.h"
#include "tensor/program/form.h"

#include <math.h>

#define X(name, nanoseconds, ...) static const double name = nanoseconds;
TIME_WEIGHTS(X)
#undef X

struct point_weight {
    double f32, f64, integer;
};
#define X(id, f32, f64, integer) [OP_##id] = {f32, f64, integer},
static const struct point_weight point_weight[N_OPS] = {TIME_POINT(X)};
#undef X
#define COUNT(...) +1
_Static_assert(TIME_POINT(COUNT) == OPS_ELEMENTWISE(COUNT), "an operator without TIME_POINT");

// A node that is looked at.
struct timed {
    const struct terms *terms;
    const struct pool *pool;
    const struct term *node;
    const term_id *args;
    type_id type;
    const int64_t *attr;
    uint32_t n_attr;
    double elements, bytes; // of the result
};

static type_id operand(const struct timed *timed, uint32_t i)
{
    return term_type(timed->terms, timed->args[i]);
}

static double operand_bytes(const struct timed *timed, uint32_t i)
{
    return cost_bytes_of(timed->pool, operand(timed, i));
}

static int64_t operand_size(const struct timed *timed, uint32_t i, int64_t dim)
{
    return type_dims(timed->pool, operand(timed, i))[dim];
}

static bool is_narrow(enum elem elem)
{
    return elem_kind(elem) == KIND_FLOAT && elem_bytes(elem) < 4;
}

// A conversion, a comparison and a choice compute on their operands.
static double point_time(const struct timed *timed)
{
    const struct point_weight *weight = &point_weight[timed->node->op];
    type_id in = operand(timed, timed->node->n_args - 1);
    enum elem elem = type_is_tensor(timed->pool, in) ? type_elem(timed->pool, in) : ELEM_OTHER;
    double step = elem_kind(elem) == KIND_FLOAT ? elem_bytes(elem) > 4 ? weight->f64 : weight->f32
                                                : weight->integer * (double)elem_bytes(elem) / 4;
    if (is_narrow(elem))
        step += TIME_NARROW;
    return timed->elements * step + timed->bytes * TIME_FUSED;
}

// The dimension of a transpose's or broadcast's operand that goes to dimension d, or the rank.
static uint32_t came_from(const struct timed *timed, uint32_t d)
{
    if (timed->node->op == OP_TRANSPOSE)
        return (uint32_t)timed->attr[d];
    uint32_t k = 0;
    while (k < timed->n_attr && timed->attr[k] != d)
        k++;
    return k;
}

// Of a transpose, or of a broadcast, which may be one too.  Sizes 1 may go anywhere.
static double transpose_time(const struct timed *timed)
{
    uint32_t rank = type_rank(timed->pool, timed->type), greatest = 0, last = 0;
    bool ordered = true;
    for (uint32_t d = 0; d < rank; d++) {
        uint32_t from = came_from(timed, d);
        if (from == timed->n_attr || operand_size(timed, 0, from) == 1)
            continue;
        ordered = ordered && from >= greatest;
        greatest = from > greatest ? from : greatest;
        last = from;
    }
    if (ordered)
        return 0;
    return cost_elements_of(timed->pool, operand(timed, 0)) *
           (last == greatest ? TIME_ROWS : TIME_TRANSPOSE);
}

static bool has_dim(const int64_t *dims, uint32_t n, int64_t dim)
{
    for (uint32_t i = 0; i < n; i++)
        if (dims[i] == dim)
            return true;
    return false;
}

static double reduce_time(const struct timed *timed)
{
    uint32_t rank = type_rank(timed->pool, operand(timed, 0));
    bool row = has_dim(timed->attr + 1, timed->n_attr - 1, (int64_t)rank - 1);
    return TIME_KERNEL + operand_bytes(timed, 0) * TIME_READ + timed->bytes * TIME_WRITE +
           cost_elements_of(timed->pool, operand(timed, 0)) * TIME_FOLD +
           (row ? timed->elements * TIME_ROW : 0);
}

// One window for all elements of a dimension, on one side of each place.
static bool is_running(const struct window_attr *window, uint32_t i, int64_t n)
{
    int64_t low = window->low[i], high = window->high[i];
    return window->size[i] == n && window->stride[i] == 1 && window->base[i] == 1 &&
           window->dilation[i] == 1 && low + high == n - 1 && (low == 0 || high == 0);
}

static double window_time(const struct timed *timed, double steps)
{
    struct window_attr window;
    uint32_t rank = type_rank(timed->pool, operand(timed, 0));
    bool plain = window_attr_read(timed->n_attr, timed->attr, rank, &window);
    bool running = plain;
    for (uint32_t i = 0; running && i < rank; i++)
        running = is_running(&window, i, window.size[i] == 1 ? 1 : operand_size(timed, 0, i));
    for (uint32_t i = 0; plain && i < rank; i++)
        plain = window.stride[i] == 1 && window.low[i] == 0 && window.high[i] == 0 &&
                window.base[i] == 1 && window.dilation[i] == 1;
    double time = TIME_KERNEL + operand_bytes(timed, 0) * TIME_READ + timed->bytes * TIME_WRITE;
    if (plain)
        return time + timed->elements * TIME_WINDOW + steps * TIME_WINDOW_STEP;
    if (running)
        return time + timed->elements * TIME_WINDOW_RUNNING;
    return time + timed->elements * TIME_WINDOW_PADDED + steps * TIME_WINDOW_PADDED_STEP;
}

// Is the last dimension of an operand contracted?
static bool contracts_last(const struct timed *timed, uint32_t i, const int64_t *dims, uint32_t n)
{
    uint32_t rank = type_rank(timed->pool, operand(timed, i));
    return rank == 0 || has_dim(dims, n, (int64_t)rank - 1);
}

// Is each batch the product of a matrix and a vector?  XLA makes one loop of all batches then.
static bool is_matrix_and_vector(const struct timed *timed, double batches, double contracted)
{
    double rows = cost_elements_of(timed->pool, operand(timed, 0)) / batches / contracted;
    double columns = cost_elements_of(timed->pool, operand(timed, 1)) / batches / contracted;
    return (rows == 1) != (columns == 1);
}

static double dot_time(const struct timed *timed, double steps)
{
    struct dot_attr dot;
    if (!dot_attr_read(timed->n_attr, timed->attr, &dot))
        return steps * TIME_DOT;
    double batches = 1, contracted = 1;
    for (uint32_t i = 0; i < dot.nb; i++)
        batches *= (double)operand_size(timed, 0, dot.lhs_batch[i]);
    for (uint32_t i = 0; i < dot.nc; i++)
        contracted *= (double)operand_size(timed, 0, dot.lhs_contracting[i]);
    enum elem elem = type_elem(timed->pool, timed->type);
    double width = (double)elem_bytes(elem) / 4;
    double time = TIME_KERNEL + steps * TIME_DOT * (width > 1 ? width : 1) +
                  (operand_bytes(timed, 0) + operand_bytes(timed, 1)) * TIME_READ +
                  timed->bytes * TIME_WRITE;
    if (batches > 1 && !is_matrix_and_vector(timed, batches, contracted))
        time += batches * TIME_DOT_BATCH;
    if (contracts_last(timed, 0, dot.lhs_contracting, dot.nc) || dot.nc == 0)
        return time;
    time += steps * TIME_DOT_STRIDED * (contracted < 1024 ? contracted / 1024 : 1);
    if (contracts_last(timed, 1, dot.rhs_contracting, dot.nc))
        time += cost_elements_of(timed->pool, operand(timed, 1)) * TIME_DOT_TRANSPOSED;
    return time;
}

static double conv_time(const struct timed *timed, double steps)
{
    struct conv_attr conv;
    if (!conv_attr_read(timed->n_attr, timed->attr, &conv) || !conv_attr_is_stablehlo(&conv))
        return steps * TIME_CONV;
    double groups = (double)(conv.feature_groups * conv.batch_groups);
    double features = (double)type_dims(timed->pool, timed->type)[conv.out_feature[0]];
    double in = cost_elements_of(timed->pool, operand(timed, 0));
    double time = TIME_KERNEL + steps * TIME_CONV * (groups > 1 ? groups * TIME_CONV_GROUPS : 1);
    if (features > 0)
        time += timed->elements / features * TIME_CONV_PATCH;
    if (conv.ns > 0 && conv.in_feature[0] != (int64_t)conv.ns + 1)
        time += in * TIME_CONV_LAYOUT;
    if (conv.ns > 0 && conv.out_feature[0] != (int64_t)conv.ns + 1)
        time += timed->elements * TIME_CONV_LAYOUT;
    return time;
}

static double gather_time(const struct timed *timed)
{
    struct gather_attr gather;
    uint32_t rank = type_rank(timed->pool, operand(timed, 0));
    double slice = 1;
    if (gather_attr_read(timed->n_attr, timed->attr, rank, &gather))
        for (uint32_t i = 0; i < rank; i++)
            slice *= (double)gather.size[i];
    return TIME_KERNEL + timed->bytes * TIME_WRITE +
           (slice > 0 ? timed->elements / slice * TIME_PLACE : 0);
}

static double scatter_time(const struct timed *timed)
{
    double windows = cost_elements_of(timed->pool, operand(timed, 1));
    return TIME_KERNEL + windows * TIME_UPDATE + operand_bytes(timed, 2) * TIME_WRITE +
           timed->bytes * (TIME_READ + TIME_WRITE);
}

// A call costs what the functions of the program cost, and they are counted where they stand.
static double opaque_time(const struct timed *timed)
{
    static const char *const calls[] = {"call ", "func.call ", "\"func.call\""};
    const char *text = sym_text(timed->pool, (sym_id){(uint32_t)timed->attr[0]});
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(text, calls[i], strlen(calls[i])) == 0)
            return TIME_KERNEL;
    return TIME_KERNEL + timed->elements * TIME_OPAQUE;
}

static double exact_time(const struct terms *terms, term_id id)
{
    struct timed timed = {.terms = terms,
                          .pool = terms->pool,
                          .node = term_at(terms, id),
                          .args = term_args(terms, id),
                          .type = term_type(terms, id)};
    timed.attr = attr_at(timed.pool, timed.node->attr);
    timed.n_attr = attr_len(timed.pool, timed.node->attr);
    timed.elements = cost_elements_of(timed.pool, timed.type);
    timed.bytes = cost_bytes_of(timed.pool, timed.type);
    switch ((enum op)timed.node->op) {
    case OP_PARAMETER:
        return timed.bytes * TIME_PARAMETER;
    case OP_RESULT:
        return 0;
    case OP_CONSTANT:
        return TIME_CONSTANT + cost_literal_bytes(terms, id) * TIME_FUSED;
    case OP_IOTA:
    case OP_BITCAST_CONVERT:
        return TIME_NODE + timed.bytes * TIME_FUSED;
    case OP_RESHAPE:
        return TIME_NODE;
    case OP_TRANSPOSE:
    case OP_BROADCAST_IN_DIM: // registers and rows in the caches, but for the order
        return TIME_NODE + transpose_time(&timed);
    case OP_REVERSE:
        return TIME_NODE + timed.bytes * TIME_REVERSE;
    case OP_SLICE:
    case OP_DYNAMIC_SLICE:
        return TIME_NODE + timed.bytes * TIME_SLICE;
    case OP_PAD:
        return TIME_NODE + timed.bytes * TIME_PAD;
    case OP_CONCATENATE:
        return TIME_NODE + timed.bytes * TIME_CONCATENATE;
    case OP_DYNAMIC_UPDATE_SLICE:
        return TIME_NODE + TIME_KERNEL + 2 * timed.bytes * TIME_WRITE;
    case OP_REDUCE:
        return TIME_NODE + reduce_time(&timed);
    case OP_REDUCE_WINDOW:
        return TIME_NODE + window_time(&timed, cost_steps_of(terms, id));
    case OP_DOT_GENERAL:
        return TIME_NODE + dot_time(&timed, cost_steps_of(terms, id));
    case OP_CONVOLUTION:
        return TIME_NODE + conv_time(&timed, cost_steps_of(terms, id));
    case OP_GATHER:
        return TIME_NODE + gather_time(&timed);
    case OP_SCATTER:
        return TIME_NODE + scatter_time(&timed);
    case N_OPS:
    case OP_OPAQUE:
        return TIME_NODE + (term_is_cast(terms, id) ? 0 : opaque_time(&timed)) +
               cost_unsized(terms, id);
        ELEMENTWISE_CASES
        break;
    }
    return TIME_NODE + point_time(&timed);
}

// Sums of sixteenths have no rounding, so that equal programs cost the same in any order.
static double node_time(const struct cost *model, const struct terms *terms, term_id id)
{
    (void)model;
    return round(exact_time(terms, id) * 16) / 16;
}

struct cost cost_time(void)
{
    return (struct cost){"time", node_time, NULL};
}
