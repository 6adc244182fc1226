// SPDX-License-Identifier: Apache-2.0
#include "api/evaluate/difference.h"

#include "api/rules/json.h"
#include "io/stablehlo/stablehlo.h"
#include "tensor/program/call.h"
#include "tensor/program/region.h"
#include "tensor/resize/resize.h"

#define SHOWN_ELEMENTS 32     // most elements of an argument for people
#define MODULE_ELEMENTS 65536 // most elements of all arguments of a module

enum rw_decision comparison_answer(const struct comparison *comparison)
{
    if (comparison->worst == DIFFERENCE_SHAPE)
        return RW_REFUTED;
    if (comparison->runs == 0 || comparison->unknown != NULL ||
        comparison->worst == DIFFERENCE_UNSURE)
        return RW_UNKNOWN;
    return comparison->worst <= DIFFERENCE_SUMS ? RW_PROVED : RW_REFUTED;
}

const struct difference_at *comparison_shown(const struct comparison *comparison)
{
    for (uint32_t k = N_DIFFERENCES; k-- > 0;)
        if (comparison->at[k].found)
            return &comparison->at[k];
    return NULL;
}

static enum difference kind_of(const struct comparison *comparison, const struct difference_at *at)
{
    return (enum difference)(at - comparison->at);
}

static struct pool *pool_of(const struct comparison *comparison)
{
    return comparison->ran[0].program->pool;
}

static const struct function *function_of(const struct comparison *comparison, uint32_t side)
{
    return &comparison->ran[side].program->functions.at[comparison->ran[side].function];
}

static void put_value(struct pool *pool, const struct value *value, struct buf *out)
{
    lit_id literal = literal_make(pool, type_elem(pool, value->type),
                                  (uint64_t)type_count(pool, value->type), value->data);
    stablehlo_print_literal(pool, literal, value->type, out);
}

static void put_element(const struct pool *pool, const struct value *value, int64_t i,
                        struct buf *out)
{
    enum elem elem = type_elem(pool, value->type);
    scalar_print(elem, scalar_load(elem, value->data, (size_t)i), out);
}

// The index of each dimension.
static uint32_t place_of(const struct pool *pool, const struct difference_at *at, int64_t *index)
{
    type_id type = at->value[0].type;
    uint32_t rank = type_rank(pool, type);
    int64_t rest = at->element;
    for (uint32_t d = rank; d-- > 0;) {
        index[d] = rest % type_dims(pool, type)[d];
        rest /= type_dims(pool, type)[d];
    }
    return rank;
}

static void put_place(const struct pool *pool, const struct difference_at *at, struct buf *out)
{
    int64_t index[TENSOR_MAX_RANK];
    uint32_t rank = place_of(pool, at, index);
    buf_printf(out, "result %u at [", at->result);
    for (uint32_t d = 0; d < rank; d++)
        buf_printf(out, "%s%lld", d > 0 ? ", " : "", (long long)index[d]);
    buf_puts(out, "]: ");
    put_element(pool, &at->value[0], at->element, out);
    buf_puts(out, " before, ");
    put_element(pool, &at->value[1], at->element, out);
    buf_puts(out, " after");
}

static void put_unknown(const struct comparison *comparison, struct buf *out)
{
    size_t n = 0;
    const char *name = comparison->unknown != NULL ? opaque_name(comparison->unknown, &n) : NULL;
    if (name != NULL)
        buf_printf(out, "the interpreter does not know %.*s", (int)n, name);
    else if (comparison->why.len > 0)
        buf_puts(out, buf_text(&comparison->why));
    else
        buf_puts(out, difference_phrase(comparison->worst));
}

static void print_arguments(const struct comparison *comparison, const struct difference_at *at,
                            struct buf *out)
{
    struct pool *pool = pool_of(comparison);
    const struct function *function = function_of(comparison, 0);
    for (uint32_t k = 0; k < function->params.len; k++) {
        buf_printf(out, "  %%%s = ", sym_text(pool, function->params.at[k].name));
        if (type_count(pool, at->params[k].type) <= SHOWN_ELEMENTS)
            put_value(pool, &at->params[k], out);
        else {
            buf_puts(out, "... : ");
            type_print(pool, at->params[k].type, out);
        }
        buf_putc(out, '\n');
    }
}

static void print_case(const struct comparison *comparison, const struct difference_at *at,
                       struct buf *out)
{
    put_place(pool_of(comparison), at, out);
    buf_puts(out, at->smaller ? ", at smaller sizes, for\n" : ", for\n");
    print_arguments(comparison, at, out);
}

static void print_runs(const struct comparison *comparison, struct buf *out)
{
    if (comparison->smaller && comparison->own_size_runs > 0)
        buf_printf(out, " in %u runs at smaller sizes and %u at these", comparison->runs,
                   comparison->own_size_runs);
    else
        buf_printf(out, " in %u runs%s", comparison->runs,
                   comparison->smaller ? " at smaller sizes" : "");
}

void comparison_print(const struct comparison *comparison, struct buf *out)
{
    const struct difference_at *at = comparison_shown(comparison);
    switch (comparison_answer(comparison)) {
    case RW_PROVED:
        buf_puts(out, "no difference");
        if (comparison->worst == DIFFERENCE_SUMS)
            buf_printf(out, " but %s,", difference_phrase(DIFFERENCE_SUMS));
        print_runs(comparison, out);
        buf_putc(out, '\n');
        break;
    case RW_UNKNOWN:
        buf_puts(out, "not known: ");
        put_unknown(comparison, out);
        buf_putc(out, '\n');
        break;
    case RW_REFUTED:
        buf_printf(out, "different %s\n", difference_phrase(comparison->worst));
        break;
    }
    if (at != NULL && comparison->unknown == NULL && comparison->worst > DIFFERENCE_SUMS)
        print_case(comparison, at, out);
    // What is special about NaN is not all that one wants to know.
    at = &comparison->at[DIFFERENCE_ROUNDING];
    if (at->found && comparison->unknown == NULL &&
        (comparison->worst == DIFFERENCE_ZERO || comparison->worst == DIFFERENCE_SPECIAL)) {
        buf_printf(out, "and on ordinary numbers different %s\n",
                   difference_phrase(DIFFERENCE_ROUNDING));
        print_case(comparison, at, out);
    }
    for (uint32_t k = 0; k < comparison->n_other; k++)
        if (comparison->other[k].difference > comparison->worst)
            buf_printf(out, "over %s different %s\n", comparison->other[k].name,
                       difference_phrase(comparison->other[k].difference));
}

// ---- JSON

static json_t *text_object(void (*put)(struct pool *, const struct value *, struct buf *),
                           struct pool *pool, const struct value *value)
{
    struct buf text = {0};
    put(pool, value, &text);
    json_t *object = json_string(buf_text(&text));
    buf_release(&text);
    return object;
}

static json_t *difference_object(const struct comparison *comparison,
                                 const struct difference_at *at)
{
    struct pool *pool = pool_of(comparison);
    int64_t index[TENSOR_MAX_RANK];
    uint32_t rank = place_of(pool, at, index);
    json_t *place = json_array(), *arguments = json_array(), *values = json_array();
    for (uint32_t d = 0; d < rank; d++)
        json_array_append_new(place, json_integer(index[d]));
    for (uint32_t k = 0; k < function_of(comparison, 0)->params.len; k++)
        json_array_append_new(arguments, text_object(put_value, pool, &at->params[k]));
    for (uint32_t s = 0; s < 2; s++) {
        struct buf text = {0};
        put_element(pool, &at->value[s], at->element, &text);
        json_array_append_new(values, json_string(buf_text(&text)));
        buf_release(&text);
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:o, s:b}", "sense",
                     difference_name(kind_of(comparison, at)), "result", (int)at->result, "element",
                     place, "values", values, "arguments", arguments, "smaller", at->smaller);
}

void comparison_put_json(const struct comparison *comparison, struct buf *out)
{
    static const char *const answers[] = {
        [RW_PROVED] = "no difference", [RW_REFUTED] = "different", [RW_UNKNOWN] = "unknown"};
    json_t *differences = json_array(), *others = json_array();
    struct buf why = {0};
    enum rw_decision answer = comparison_answer(comparison);
    for (uint32_t k = N_DIFFERENCES; k-- > 0;)
        if (comparison->at[k].found)
            json_array_append_new(differences, difference_object(comparison, &comparison->at[k]));
    for (uint32_t k = 0; k < comparison->n_other; k++)
        json_array_append_new(others,
                              json_pack("{s:s, s:i, s:s}", "type", comparison->other[k].name,
                                        "runs", (int)comparison->other[k].runs, "sense",
                                        difference_name(comparison->other[k].difference)));
    if (answer == RW_UNKNOWN)
        put_unknown(comparison, &why);
    json_line(json_pack("{s:s, s:s, s:i, s:i, s:b, s:o, s:o, s:s}", "answer", answers[answer],
                        "sense", difference_name(comparison->worst), "runs", (int)comparison->runs,
                        "runs_at_given_sizes",
                        (int)(comparison->smaller ? comparison->own_size_runs : comparison->runs),
                        "smaller", comparison->smaller, "differences", differences, "other_types",
                        others, "reason", buf_text(&why)),
              out);
    buf_release(&why);
}

// ---- a module

// The function under another name, as text of a module.
static bool put_function_as(const struct compare_side *side, const char *name, struct buf *out,
                            struct err *err)
{
    struct program alone;
    struct pool *pool = side->program->pool;
    struct module module = {sym_make(pool, ""), sym_make(pool, ""), false, false, 1, 0};
    program_init(&alone, pool);
    bool ok = retype_function(side->program, side->function, NULL, &alone, err);
    if (ok) {
        alone.functions.at[0].name = sym_make(pool, name);
        alone.functions.at[0].visibility = sym_make(pool, "private");
        vec_push(&alone.modules, module);
        alone.format = PROGRAM_STABLEHLO;
        stablehlo_print(&alone, out);
    }
    program_release(&alone);
    return ok;
}

static void put_types(const struct pool *pool, uint32_t n, const type_id *types, struct buf *out)
{
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, k > 0 ? ", " : "");
        type_print(pool, types[k], out);
    }
}

static void put_names(const char *stem, const char *separator, uint32_t n, struct buf *out)
{
    for (uint32_t k = 0; k < n; k++)
        buf_printf(out, "%s%%%s%s%u", k > 0 ? ", " : "", stem, separator, k);
}

static void put_call(const char *name, const struct function *function, const type_id *params,
                     const type_id *results, const struct pool *pool, struct buf *out)
{
    uint32_t n = function->results.len;
    buf_printf(out, "  %%%s:%u = call @%s(", name, n, name);
    put_names("argument", "", function->params.len, out);
    buf_puts(out, ") : (");
    put_types(pool, function->params.len, params, out);
    buf_puts(out, ") -> (");
    put_types(pool, n, results, out);
    buf_puts(out, ")\n");
}

// No compiler computes with the arguments.
static void put_barrier(const struct pool *pool, uint32_t n, const type_id *params, struct buf *out)
{
    for (uint32_t k = 0; k < n; k++) {
        buf_printf(out, "  %%argument%u = stablehlo.optimization_barrier %%constant%u : ", k, k);
        type_print(pool, params[k], out);
        buf_putc(out, '\n');
    }
}

static void put_main(const struct comparison *comparison, const struct difference_at *at,
                     struct buf *out)
{
    struct pool *pool = pool_of(comparison);
    const struct function *function = function_of(comparison, 0),
                          *other = function_of(comparison, 1);
    uint32_t n = function->results.len;
    type_id *params = mem_alloc(sizeof *params * (function->params.len + 1u));
    type_id *results = mem_alloc(sizeof *results * (2 * n + 1u));
    for (uint32_t k = 0; k < function->params.len; k++)
        params[k] = function->params.at[k].type;
    for (uint32_t k = 0; k < n; k++) {
        results[k] = function->results.at[k].type;
        results[n + k] = other->results.at[k].type;
    }
    buf_puts(out, "// ");
    if (comparison->worst == DIFFERENCE_SHAPE)
        buf_puts(out, difference_phrase(DIFFERENCE_SHAPE));
    else
        put_place(pool, at, out);
    buf_puts(out, "\nfunc.func public @main() -> (");
    put_types(pool, 2 * n, results, out);
    buf_puts(out, ") {\n");
    for (uint32_t k = 0; k < function->params.len; k++) {
        buf_printf(out, "  %%constant%u = stablehlo.constant ", k);
        put_value(pool, &at->params[k], out);
        buf_putc(out, '\n');
    }
    put_barrier(pool, function->params.len, params, out);
    put_call("before", function, params, results, pool, out);
    put_call("after", other, params, results + n, pool, out);
    buf_puts(out, "  return ");
    put_names("before", "#", n, out);
    buf_puts(out, ", ");
    put_names("after", "#", n, out);
    buf_puts(out, " : ");
    put_types(pool, 2 * n, results, out);
    buf_puts(out, "\n}\n");
    mem_free(params);
    mem_free(results);
}

static bool calls_others(const struct compare_side *side)
{
    const struct terms *terms = &side->program->terms;
    for (uint32_t t = 0; t < terms->term.len; t++)
        if (term_op(terms, (term_id){t}) == OP_OPAQUE &&
            called_function(side->program, terms->term.at[t].attr) != NO_FUNCTION)
            return true;
    return false;
}

bool comparison_put_module(const struct comparison *comparison, struct buf *out, struct err *err)
{
    const struct difference_at *at = comparison_shown(comparison);
    int64_t elements = 0;
    if (at == NULL || comparison->worst <= DIFFERENCE_SUMS)
        return true;
    for (uint32_t k = 0; k < function_of(comparison, 0)->params.len; k++)
        elements += type_count(pool_of(comparison), at->params[k].type);
    if (elements > MODULE_ELEMENTS || calls_others(&comparison->ran[0]) ||
        calls_others(&comparison->ran[1]))
        return true;
    put_main(comparison, at, out);
    return put_function_as(&comparison->ran[0], "before", out, err) &&
           put_function_as(&comparison->ran[1], "after", out, err);
}
