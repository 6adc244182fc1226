// SPDX-License-Identifier: Apache-2.0
// What a difference is: the arguments run again in exact arithmetic, or in f64.
#include "tensor/compare/core.h"

#include "tensor/resize/resize.h"
#include <math.h>

#define WIDE_TOLERANCE 1e-9

bool pair_run(const struct compare_side side[2], const struct value *params, struct arena *mem,
              struct pair_run *out, struct err *err)
{
    out->unknown = NULL;
    for (uint32_t s = 0; s < 2; s++) {
        const struct function *function = &side[s].program->functions.at[side[s].function];
        const char *unknown;
        out->result[s] = ARENA_NEW(mem, struct value, function->results.len + 1u);
        if (!eval_function(side[s].program, side[s].function, params, mem, out->result[s], &unknown,
                           err))
            return false;
        out->unknown = out->unknown != NULL ? out->unknown : unknown;
    }
    return true;
}

static bool retype_pair(const struct compare_side side[2], const enum elem elem[N_ELEMS],
                        struct program out[2])
{
    struct err err = {0};
    return retype_function(side[0].program, side[0].function, elem, &out[0], &err) &&
           retype_function(side[1].program, side[1].function, elem, &out[1], &err);
}

void judge_init(struct judge *judge, const struct compare_side side[2])
{
    enum elem exact[N_ELEMS], wide[N_ELEMS];
    *judge = (struct judge){.side = {side[0], side[1]}};
    for (uint32_t e = 0; e < N_ELEMS; e++) {
        enum elem_kind kind = elem_kind((enum elem)e);
        exact[e] = kind == KIND_FLOAT                      ? ELEM_REAL
                   : (kind & (KIND_SINT | KIND_UINT)) != 0 ? ELEM_INT
                                                           : (enum elem)e;
        wide[e] = kind == KIND_FLOAT && !elem_is_ideal((enum elem)e) ? ELEM_F64 : (enum elem)e;
    }
    for (uint32_t s = 0; s < 2; s++) {
        program_init(&judge->exact[s], side[s].program->pool);
        program_init(&judge->wide[s], side[s].program->pool);
    }
    judge->has_exact = retype_pair(side, exact, judge->exact);
    judge->has_wide = retype_pair(side, wide, judge->wide);
}

void judge_release(struct judge *judge)
{
    for (uint32_t s = 0; s < 2; s++) {
        program_release(&judge->exact[s]);
        program_release(&judge->wide[s]);
    }
}

// The arguments as values of the types of a retyped function; false: one is no such value.
static bool convert_params(const struct program *to, const struct function *from,
                           const struct value *params, struct arena *mem, struct value **out)
{
    struct pool *pool = to->pool;
    struct err err = {0};
    *out = ARENA_NEW(mem, struct value, from->params.len + 1u);
    for (uint32_t k = 0; k < from->params.len; k++) {
        type_id type = to->functions.at[0].params.at[k].type;
        enum elem a = type_elem(pool, params[k].type), b = type_elem(pool, type);
        int64_t count = type_count(pool, type);
        (*out)[k] = (struct value){type, arena_alloc(mem, elem_bytes(b) * (size_t)count + 1)};
        for (int64_t i = 0; i < count; i++) {
            struct scalar scalar = scalar_load(a, params[k].data, (size_t)i), made, back;
            if (!eval_convert(a, b, scalar, &made, &err) ||
                !eval_convert(b, a, made, &back, &err) || !scalar_same(a, scalar, back))
                return false;
            scalar_store(b, (*out)[k].data, (size_t)i, made);
        }
    }
    return true;
}

enum verdict_again { AGAIN_NONE, AGAIN_SAME, AGAIN_OTHER };

// The retyped functions on the arguments: are their results the same everywhere?
static enum verdict_again run_again(const struct judge *judge, const struct program again[2],
                                    const struct value *params, double tolerance, struct arena *mem)
{
    const struct function *function =
        &judge->side[0].program->functions.at[judge->side[0].function];
    struct compare_side side[2] = {{&again[0], 0}, {&again[1], 0}};
    struct value *converted;
    struct pair_run run;
    struct err err = {0};
    if (!convert_params(&again[0], function, params, mem, &converted) ||
        !pair_run(side, converted, mem, &run, &err))
        return AGAIN_NONE;
    for (uint32_t k = 0; k < function->results.len; k++) {
        int64_t index;
        if (!value_same(again[0].pool, &run.result[0][k], &run.result[1][k], tolerance, &index))
            return AGAIN_OTHER;
    }
    return AGAIN_SAME;
}

static bool all_finite(const struct pool *pool, const struct function *function,
                       const struct value *params)
{
    for (uint32_t k = 0; k < function->params.len; k++) {
        enum elem elem = type_elem(pool, params[k].type);
        for (int64_t i = 0; elem_kind(elem) == KIND_FLOAT && i < type_count(pool, params[k].type);
             i++)
            if (!isfinite(scalar_to_double(elem, scalar_load(elem, params[k].data, (size_t)i))))
                return false;
    }
    return true;
}

// What two elements look like, before their arguments run again.
static enum difference kind_of_elements(enum elem elem, struct scalar a, struct scalar b)
{
    if (elem_kind(elem) != KIND_FLOAT)
        return DIFFERENCE_VALUE;
    double x = scalar_to_double(elem, a), y = scalar_to_double(elem, b);
    if (x == 0 && y == 0)
        return DIFFERENCE_ZERO;
    return isfinite(x) && isfinite(y) ? DIFFERENCE_VALUE : DIFFERENCE_UNDEFINED;
}

static bool has_floats(const struct judge *judge)
{
    for (uint32_t s = 0; s < 2; s++) {
        const struct terms *terms = &judge->side[s].program->terms;
        for (uint32_t t = 0; t < terms->term.len; t++)
            if (type_is_tensor(terms->pool, terms->term.at[t].type) &&
                elem_kind(type_elem(terms->pool, terms->term.at[t].type)) == KIND_FLOAT)
                return true;
    }
    return false;
}

// Does a program combine several floats in an order that StableHLO leaves open, rounding?
static bool has_open_sums(const struct judge *judge)
{
    for (uint32_t s = 0; s < 2; s++) {
        const struct terms *terms = &judge->side[s].program->terms;
        for (uint32_t t = 0; t < terms->term.len; t++) {
            const struct term *node = &terms->term.at[t];
            enum op_flow flow = op_info((enum op)node->op)->flow;
            if (flow != FLOW_FOLD && flow != FLOW_SUM)
                continue;
            if (elem_kind(type_elem(terms->pool, node->type)) == KIND_FLOAT)
                return true;
        }
    }
    return false;
}

static enum difference rounding(const struct judge *judge)
{
    return has_open_sums(judge) ? DIFFERENCE_SUMS : DIFFERENCE_ROUNDING;
}

// Finite arguments, and elements of other values.
static enum difference judge_values(struct judge *judge, const struct value *params,
                                    enum difference seen, bool ordinary, struct arena *mem)
{
    enum verdict_again again = AGAIN_NONE;
    bool floats = has_floats(judge);
    if (judge->has_exact)
        again = run_again(judge, judge->exact, params, 0, mem);
    judge->ran_exact |= again != AGAIN_NONE;
    if (again == AGAIN_NONE && floats && judge->has_wide)
        again = run_again(judge, judge->wide, params, WIDE_TOLERANCE, mem);
    if (again != AGAIN_SAME)
        return seen;
    if (!floats || (seen == DIFFERENCE_UNDEFINED && !ordinary))
        return DIFFERENCE_OVERFLOW;
    return seen == DIFFERENCE_UNDEFINED ? seen : rounding(judge);
}

enum difference judge_run(struct judge *judge, const struct value *params,
                          const struct pair_run *run, bool ordinary, struct difference_at *at,
                          struct arena *mem)
{
    const struct function *function =
        &judge->side[0].program->functions.at[judge->side[0].function];
    struct pool *pool = judge->side[0].program->pool;
    enum difference worst = DIFFERENCE_NONE;
    for (uint32_t k = 0; k < function->results.len; k++) {
        const struct value *a = &run->result[0][k], *b = &run->result[1][k];
        enum elem elem = type_elem(pool, a->type);
        if (!type_is_tensor(pool, a->type))
            continue;
        for (int64_t i = 0; i < type_count(pool, a->type); i++) {
            struct scalar x = scalar_load(elem, a->data, (size_t)i);
            struct scalar y = scalar_load(elem, b->data, (size_t)i);
            if (scalar_same(elem, x, y) || (scalar_is_nan(elem, x) && scalar_is_nan(elem, y)))
                continue;
            enum difference kind = kind_of_elements(elem, x, y);
            if (kind <= worst)
                continue;
            worst = kind;
            *at = (struct difference_at){
                .found = true, .result = k, .element = i, .params = params, .value = {*a, *b}};
        }
    }
    if (worst == DIFFERENCE_NONE)
        return worst;
    if (!all_finite(pool, function, params))
        return worst == DIFFERENCE_ZERO ? worst : DIFFERENCE_SPECIAL;
    return worst == DIFFERENCE_ZERO ? worst : judge_values(judge, params, worst, ordinary, mem);
}
