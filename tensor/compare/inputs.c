// SPDX-License-Identifier: Apache-2.0
#include "tensor/compare/core.h"

#include "tensor/language/attr.h"
#include "tensor/program/region.h"
#include <math.h>

// ---- what the programs say about their arguments

// The parameter behind operations that only move an element or convert it; NULL: another term.
static struct input_param *parameter_behind(const struct terms *terms, const struct inputs *inputs,
                                            term_id id)
{
    for (;;) {
        const struct term *node = term_at(terms, id);
        enum op op = (enum op)node->op;
        if (op == OP_PARAMETER) {
            const int64_t *v = attr_at(terms->pool, node->attr);
            return v[0] < 0 ? NULL : &inputs->params[v[1]];
        }
        if (op != OP_CONVERT && op_info(op)->flow != FLOW_MOVE)
            return NULL;
        id = term_args(terms, id)[0];
    }
}

static void note_index(const struct terms *terms, const struct inputs *inputs, term_id id,
                       int64_t last)
{
    struct input_param *param = parameter_behind(terms, inputs, id);
    if (param == NULL)
        return;
    param->last = param->index && param->last < last ? param->last : last;
    param->index = true;
}

static void note_starts(const struct terms *terms, const struct inputs *inputs, term_id id)
{
    const struct term *node = term_at(terms, id);
    const term_id *args = term_args(terms, id);
    bool update = node->op == OP_DYNAMIC_UPDATE_SLICE;
    type_id piece = update ? term_type(terms, args[1]) : node->type;
    type_id whole = term_type(terms, args[0]);
    for (uint32_t d = 0; d < type_rank(terms->pool, whole); d++)
        note_index(terms, inputs, args[(update ? 2 : 1) + d],
                   type_dims(terms->pool, whole)[d] - type_dims(terms->pool, piece)[d]);
}

static void note_gather(const struct terms *terms, const struct inputs *inputs, term_id id)
{
    const struct term *node = term_at(terms, id);
    type_id whole = term_type(terms, term_args(terms, id)[0]);
    uint32_t r = type_rank(terms->pool, whole);
    struct gather_attr gather;
    gather_attr_read(attr_len(terms->pool, node->attr), attr_at(terms->pool, node->attr), r,
                     &gather);
    for (uint32_t k = 0; k < gather.n_map; k++) {
        int64_t d = gather.map[k];
        note_index(terms, inputs, term_args(terms, id)[1],
                   type_dims(terms->pool, whole)[d] - gather.size[d]);
    }
}

static void note_constant(const struct terms *terms, struct inputs *inputs, term_id id)
{
    lit_id literal = term_literal(terms, id);
    const struct literal *data = pool_literal(terms->pool, literal);
    if (data->elem == ELEM_OTHER || data->count == 0 || inputs->constants.len > MOST_CONSTANTS)
        return;
    double x = scalar_to_double(data->elem, literal_get(terms->pool, literal, 0));
    if (x - x == 0)
        vec_push(&inputs->constants, x);
}

void inputs_find(const struct compare_side side[2], struct arena *mem, struct inputs *out)
{
    const struct function *first = &side[0].program->functions.at[side[0].function];
    *out = (struct inputs){.pool = side[0].program->pool, .function = first};
    out->params = ARENA_NEW(mem, struct input_param, first->params.len + 1u);
    for (uint32_t k = 0; k < first->params.len; k++)
        out->params[k] = (struct input_param){false, 0};
    for (uint32_t s = 0; s < 2; s++) {
        const struct terms *terms = &side[s].program->terms;
        struct u32_vec roots = {0}, reach = {0};
        function_roots(&side[s].program->functions.at[side[s].function], &roots);
        for (uint32_t k = 0; k < roots.len; k++) {
            term_id root = {roots.at[k]};
            terms_reach(terms, 1, &root, &reach);
            for (uint32_t i = 0; i < reach.len; i++) {
                term_id id = {reach.at[i]};
                enum op op = term_op(terms, id);
                if (op == OP_DYNAMIC_SLICE || op == OP_DYNAMIC_UPDATE_SLICE)
                    note_starts(terms, out, id);
                else if (op == OP_GATHER)
                    note_gather(terms, out, id);
                else if (op == OP_CONSTANT)
                    note_constant(terms, out, id);
            }
        }
        vec_release(&roots);
        vec_release(&reach);
    }
}

void inputs_release(struct inputs *inputs)
{
    vec_release(&inputs->constants);
}

// ---- elements

static double constant_of(const struct inputs *inputs, struct rng *rng)
{
    return inputs->constants.len == 0 ? 0
                                      : inputs->constants.at[rng_below(rng, inputs->constants.len)];
}

static struct scalar special_float(enum elem elem, struct rng *rng)
{
    uint64_t infinity = scalar_highest(elem).bits, sign = UINT64_C(1) << (elem_bits(elem) - 1);
    uint64_t flip = rng_below(rng, 2) != 0 ? sign : 0;
    uint64_t quiet = UINT64_C(1) << (elem_precision(elem) - 2);
    uint64_t bits[] = {infinity, infinity - 1, 0, 0, 1};
    if (rng_below(rng, 6) == 0)
        return (struct scalar){.bits = infinity + quiet}; // NaN
    return (struct scalar){.bits = bits[rng_below(rng, 5)] ^ flip};
}

// NaN, infinity, -0, -infinity.
static struct scalar extreme_float(enum elem elem, uint32_t number)
{
    uint64_t infinity = scalar_highest(elem).bits, sign = UINT64_C(1) << (elem_bits(elem) - 1);
    uint64_t quiet = UINT64_C(1) << (elem_precision(elem) - 2);
    uint64_t bits[] = {infinity + quiet, infinity, sign, infinity + sign};
    return (struct scalar){.bits = bits[number % 4]};
}

static struct scalar wide_float(enum elem elem, struct rng *rng)
{
    int top = elem == ELEM_F64 ? 1000 : elem == ELEM_F16 ? 14 : 124;
    double x = ldexp(rng_unit(rng) + 1, (int)rng_range(rng, -top, top));
    return scalar_of_double(elem, rng_below(rng, 2) != 0 ? x : -x);
}

static struct scalar float_element(const struct inputs *inputs, enum elem elem,
                                   enum input_mode mode, struct rng *rng)
{
    switch (mode) {
    case INPUT_INTEGERS:
        return scalar_of_double(elem, (double)rng_range(rng, -4, 4));
    case INPUT_POSITIVE:
        return scalar_of_double(elem, rng_unit(rng) * 4 + 0x1p-6);
    case INPUT_NEGATIVE:
        return scalar_of_double(elem, -(rng_unit(rng) * 4 + 0x1p-6));
    case INPUT_NEAR:
        return scalar_of_double(elem, constant_of(inputs, rng) + (double)rng_range(rng, -2, 2) / 2);
    case INPUT_WIDE:
        return wide_float(elem, rng);
    case INPUT_SPECIAL:
        if (rng_below(rng, 3) != 0)
            return scalar_of_double(elem, (double)rng_range(rng, -4, 4) / 2);
        return special_float(elem, rng);
    case INPUT_EXTREME:
        return special_float(elem, rng);
    case INPUT_AROUND_ZERO:
    case INPUT_EVEN:
    case N_INPUT_MODES:
        break;
    }
    return scalar_of_double(elem, rng_below(rng, 4) == 0 ? (double)rng_range(rng, -4, 4) / 2
                                                         : rng_unit(rng) * 4 - 2);
}

// The extremes, powers of two, their neighbours, and what lies around 0.
static struct scalar extreme_int(enum elem elem, struct rng *rng)
{
    int64_t base[] = {(int64_t)scalar_lowest(elem).bits, (int64_t)scalar_highest(elem).bits, 0,
                      (int64_t)(UINT64_C(1) << rng_below(rng, elem_bits(elem)))};
    uint64_t x = (uint64_t)base[rng_below(rng, 4)] + (uint64_t)rng_range(rng, -2, 2);
    return scalar_of_int(elem, (int64_t)x);
}

static struct scalar int_element(const struct inputs *inputs, enum elem elem, enum input_mode mode,
                                 struct rng *rng)
{
    bool is_signed = elem_kind(elem) != KIND_UINT;
    switch (mode) {
    case INPUT_POSITIVE:
        return scalar_of_int(elem, rng_range(rng, 1, 100));
    case INPUT_NEGATIVE:
        return scalar_of_int(elem, is_signed ? -rng_range(rng, 1, 100) : rng_range(rng, 0, 3));
    case INPUT_NEAR:
        return scalar_of_int(elem, (int64_t)constant_of(inputs, rng) + rng_range(rng, -2, 2));
    case INPUT_WIDE:
        return scalar_of_int(elem, (int64_t)(rng_u64(rng) >> rng_below(rng, 60)));
    case INPUT_SPECIAL:
        if (rng_below(rng, 2) != 0)
            return scalar_of_int(elem, (int64_t)rng_u64(rng));
        return extreme_int(elem, rng);
    case INPUT_EXTREME:
        return extreme_int(elem, rng);
    case INPUT_AROUND_ZERO:
        return scalar_of_int(elem, is_signed ? rng_range(rng, -20, 20) : rng_range(rng, 0, 20));
    case INPUT_INTEGERS:
    case INPUT_EVEN:
    case N_INPUT_MODES:
        break;
    }
    return scalar_of_int(elem, is_signed ? rng_range(rng, -4, 4) : rng_range(rng, 0, 8));
}

// Inside of the bounds, at them, just outside, far outside.
static struct scalar index_element(enum elem elem, int64_t last, enum input_mode mode,
                                   struct rng *rng)
{
    bool is_signed = elem_kind(elem) != KIND_UINT;
    switch (mode) {
    case INPUT_NEGATIVE:
        return scalar_of_int(elem, is_signed ? -rng_range(rng, 1, 3) : last + 1);
    case INPUT_NEAR:
        return scalar_of_int(elem, last + rng_range(rng, 0, 2));
    case INPUT_WIDE:
        return scalar_of_int(elem, rng_range(rng, is_signed ? -2 * last - 2 : 0, 2 * last + 2));
    case INPUT_SPECIAL:
        return extreme_int(elem, rng);
    case INPUT_EXTREME:
        return rng_below(rng, 2) != 0 ? scalar_lowest(elem) : scalar_highest(elem);
    case INPUT_EVEN:
        return scalar_of_int(elem, rng_below(rng, 2) != 0 ? last : 0);
    case INPUT_INTEGERS:
    case INPUT_AROUND_ZERO:
    case INPUT_POSITIVE:
    case N_INPUT_MODES:
        break;
    }
    return scalar_of_int(elem, rng_range(rng, 0, last < 0 ? 0 : last));
}

static struct scalar element(const struct inputs *inputs, uint32_t k, enum elem elem,
                             enum input_mode mode, struct rng *rng)
{
    const struct input_param *param = &inputs->params[k];
    if (elem_kind(elem) == KIND_BOOL)
        return scalar_of_int(elem, (int64_t)rng_below(rng, 2));
    if (elem_kind(elem) == KIND_FLOAT)
        return float_element(inputs, elem, mode, rng);
    return param->index ? index_element(elem, param->last, mode, rng)
                        : int_element(inputs, elem, mode, rng);
}

struct value *inputs_make(const struct inputs *inputs, struct input_plan plan, uint64_t seed,
                          struct arena *mem)
{
    enum input_mode mode = plan.mode;
    const struct function *function = inputs->function;
    struct value *params = ARENA_NEW(mem, struct value, function->params.len + 1u);
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint32_t k = 0; k < function->params.len; k++) {
        type_id type = function->params.at[k].type;
        enum elem elem = type_elem(inputs->pool, type);
        int64_t count = type_count(inputs->pool, type);
        bool even = mode == INPUT_EVEN || mode == INPUT_EXTREME;
        // Even values have the mode of others too.
        enum input_mode of = mode != INPUT_EVEN        ? mode
                             : rng_below(&rng, 2) != 0 ? INPUT_INTEGERS
                                                       : INPUT_NEAR;
        struct scalar one = element(inputs, k, elem, of, &rng);
        if (plan.number > 0 && elem_kind(elem) == KIND_FLOAT)
            one = extreme_float(elem, plan.number - 1 + k);
        params[k] = (struct value){type, arena_alloc(mem, elem_bytes(elem) * (size_t)count + 1)};
        for (int64_t i = 0; i < count; i++)
            scalar_store(elem, params[k].data, (size_t)i,
                         even ? one : element(inputs, k, elem, of, &rng));
    }
    return params;
}
