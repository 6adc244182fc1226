// SPDX-License-Identifier: Apache-2.0
// What a difference is: the arguments run again in exact arithmetic, or in f64.
#include "tensor/compare/core.h"

#include "tensor/resize/resize.h"
#include <math.h>

#define WIDE_TOLERANCE 1e-9
#define ROUNDING_RUNS 16u   // that tell a value from the rounding of one
#define PLACES_OF_KIND 256u // elements that are looked at again

// An element that differs, and what its two values look like.
struct place {
    uint32_t result;
    int64_t element;
    enum difference kind;
};

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
    const struct function *function = &side[0].program->functions.at[side[0].function];
    for (uint32_t k = 0; k < function->results.len; k++)
        if (out->result[0][k].type.v != out->result[1][k].type.v)
            return err_set(err, ERR_LIMIT, "the programs give result %u other sizes", k);
    return true;
}

static bool retype_pair(const struct compare_side side[2], const enum elem elem[N_ELEMS],
                        struct program out[2])
{
    struct err err = {0};
    return retype_function(side[0].program, side[0].function, elem, &out[0], &err) &&
           retype_function(side[1].program, side[1].function, elem, &out[1], &err);
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

void judge_init(struct judge *judge, const struct compare_side side[2])
{
    enum elem exact[N_ELEMS], wide[N_ELEMS], integers[N_ELEMS];
    *judge = (struct judge){.side = {side[0], side[1]}};
    for (uint32_t e = 0; e < N_ELEMS; e++) {
        enum elem_kind kind = elem_kind((enum elem)e);
        exact[e] = kind == KIND_FLOAT                      ? ELEM_REAL
                   : (kind & (KIND_SINT | KIND_UINT)) != 0 ? ELEM_INT
                                                           : (enum elem)e;
        integers[e] = kind == KIND_FLOAT ? (enum elem)e : exact[e];
        wide[e] = kind == KIND_FLOAT && !elem_is_ideal((enum elem)e) ? ELEM_F64 : (enum elem)e;
    }
    for (uint32_t s = 0; s < 2; s++) {
        program_init(&judge->exact[s], side[s].program->pool);
        program_init(&judge->wide[s], side[s].program->pool);
        program_init(&judge->integers[s], side[s].program->pool);
    }
    judge->has_floats = has_floats(judge);
    judge->has_exact = retype_pair(side, exact, judge->exact);
    judge->has_wide = retype_pair(side, wide, judge->wide);
    judge->has_integers = judge->has_floats && retype_pair(side, integers, judge->integers);
}

void judge_release(struct judge *judge)
{
    for (uint32_t s = 0; s < 2; s++) {
        program_release(&judge->exact[s]);
        program_release(&judge->wide[s]);
        program_release(&judge->integers[s]);
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

// The arguments once more in other arithmetic.
struct again {
    bool ran, exact;
    const struct program *program; // both retyped functions
    struct value *params;
    struct pair_run run;
    uint32_t rounded_runs;
    const struct value *rounded[ROUNDING_RUNS][2];
};

static bool run_again(const struct judge *judge, const struct program again[2], bool exact,
                      const struct value *params, struct arena *mem, struct again *out)
{
    const struct function *function =
        &judge->side[0].program->functions.at[judge->side[0].function];
    struct compare_side side[2] = {{&again[0], 0}, {&again[1], 0}};
    struct err err = {0};
    *out = (struct again){.exact = exact, .program = again};
    out->ran = convert_params(&again[0], function, params, mem, &out->params) &&
               pair_run(side, out->params, mem, &out->run, &err);
    return out->ran;
}

// The functions with other roundings, once for all elements.
static bool round_again(struct again *again, struct arena *mem)
{
    struct rng rng;
    struct err err = {0};
    rng_seed(&rng, 1);
    for (; again->rounded_runs < ROUNDING_RUNS; again->rounded_runs++)
        for (uint32_t s = 0; s < 2; s++) {
            uint32_t n = again->program[s].functions.at[0].results.len;
            struct value *out = ARENA_NEW(mem, struct value, n + 1u);
            if (!eval_function_rounding(&again->program[s], 0, again->params, mem, &rng, out, &err))
                return false;
            again->rounded[again->rounded_runs][s] = out;
        }
    return true;
}

// Are the values of the element results of rounding?  So they are if the sides' values under
// several roundings lie among one another.
static bool is_rounded(struct again *again, uint32_t result, int64_t element, struct arena *mem)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    if (!round_again(again, mem))
        return false;
    for (uint32_t i = 0; i < ROUNDING_RUNS; i++)
        for (uint32_t s = 0; s < 2; s++) {
            const struct value *value = &again->rounded[i][s][result];
            enum elem elem = type_elem(again->program[0].pool, value->type);
            double x = scalar_to_double(elem, scalar_load(elem, value->data, (size_t)element));
            if (!isfinite(x))
                return false;
            low[s] = fmin(low[s], x);
            high[s] = fmax(high[s], x);
        }
    return low[0] <= high[1] && low[1] <= high[0];
}

// Have both functions the same element again?
static bool same_again(struct again *again, uint32_t result, int64_t element, struct arena *mem)
{
    return value_same_at(again->program[0].pool, &again->run.result[0][result],
                         &again->run.result[1][result], again->exact ? 0 : WIDE_TOLERANCE,
                         element) ||
           (!again->exact && is_rounded(again, result, element, mem));
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

// Is the element the same with floats as they are, and integers without limits?
static bool overflowed(struct judge *judge, const struct again *integers, const struct place *place)
{
    bool same = integers->ran &&
                value_same_at(integers->program[0].pool, &integers->run.result[0][place->result],
                              &integers->run.result[1][place->result], 0, place->element);
    judge->words |= same;
    return same;
}

// An element that differs on finite arguments, after these ran again.
static enum difference kind_again(struct judge *judge, struct again *again,
                                  const struct again *integers, enum difference seen, bool ordinary,
                                  const struct place *place, struct arena *mem)
{
    if (overflowed(judge, integers, place))
        return DIFFERENCE_OVERFLOW;
    // Numbers of all magnitudes overflow in f64, too, and some have no exact values here.  What is
    // undefined for another reason is so at ordinary numbers as well.
    if (seen == DIFFERENCE_UNDEFINED && !ordinary && !(again->ran && again->exact))
        return DIFFERENCE_OVERFLOW;
    if (seen == DIFFERENCE_ZERO || !again->ran ||
        !same_again(again, place->result, place->element, mem))
        return seen;
    judge->words |= !judge->has_floats;
    if (!judge->has_floats || (seen == DIFFERENCE_UNDEFINED && !ordinary))
        return DIFFERENCE_OVERFLOW;
    return seen == DIFFERENCE_UNDEFINED ? seen : rounding(judge);
}

static void ask_again(struct judge *judge, const struct value *params, struct arena *mem,
                      struct again *out)
{
    *out = (struct again){.ran = false};
    if (judge->has_exact && run_again(judge, judge->exact, true, params, mem, out))
        judge->ran_exact = true;
    else if (judge->has_floats && judge->has_wide)
        run_again(judge, judge->wide, false, params, mem, out);
}

// The elements that differ, as they look; the first ones of a kind only, if there are many.
static uint32_t list_places(const struct pool *pool, const struct function *function,
                            const struct pair_run *run, struct place *out)
{
    uint32_t n = 0, of[N_DIFFERENCES] = {0};
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
            if (of[kind]++ < PLACES_OF_KIND)
                out[n++] = (struct place){k, i, kind};
        }
    }
    return n;
}

enum difference judge_run(struct judge *judge, const struct value *params,
                          const struct pair_run *run, bool ordinary, struct difference_at *at,
                          struct arena *mem)
{
    const struct function *function =
        &judge->side[0].program->functions.at[judge->side[0].function];
    struct pool *pool = judge->side[0].program->pool;
    struct place place[N_DIFFERENCES * PLACES_OF_KIND];
    struct again again = {.ran = false}, integers = {.ran = false};
    enum difference worst = DIFFERENCE_NONE;
    uint32_t n = list_places(pool, function, run, place);
    bool finite = n == 0 || all_finite(pool, function, params), asked = false;
    for (uint32_t i = 0; i < n; i++) {
        enum difference kind = place[i].kind;
        if (!asked && judge->has_integers)
            run_again(judge, judge->integers, true, params, mem, &integers);
        if (!asked && finite)
            ask_again(judge, params, mem, &again);
        asked = true;
        if (!finite && kind != DIFFERENCE_ZERO) {
            kind =
                overflowed(judge, &integers, &place[i]) ? DIFFERENCE_OVERFLOW : DIFFERENCE_SPECIAL;
        } else if (kind > worst && kind != DIFFERENCE_ZERO) {
            kind = kind_again(judge, &again, &integers, kind, ordinary, &place[i], mem);
        }
        if (kind <= worst)
            continue;
        worst = kind;
        *at = (struct difference_at){
            .found = true,
            .result = place[i].result,
            .element = place[i].element,
            .params = params,
            .value = {run->result[0][place[i].result], run->result[1][place[i].result]}};
    }
    return worst;
}
