// SPDX-License-Identifier: Apache-2.0
#include "tensor/fold/finite.h"

#include "tensor/program/call.h"
#include "tensor/program/complex.h"
#include "tensor/program/form.h"
#include "tensor/program/region.h"
#include "tensor/language/attr.h"
#include "tensor/eval/eval.h"

static bool finite_literal(const struct pool *pool, lit_id literal)
{
    const struct literal *lit = pool_literal(pool, literal);
    for (uint64_t i = 0; i < lit->count; i++) {
        double x = scalar_to_double(lit->elem, literal_get(pool, literal, i));
        if (!(x - x == 0.0)) // infinity or NaN
            return false;
    }
    return true;
}

// Does every element of the result combine at least one element of the input?
static bool reduces_some(const struct terms *terms, const struct term *node)
{
    const int64_t *v = attr_at(terms->pool, node->attr);
    const int64_t *dims =
        type_dims(terms->pool, terms->term.at[terms->args.at[node->args_at].v].type);
    for (uint32_t i = 1; i < attr_len(terms->pool, node->attr); i++)
        if (dims[v[i]] == 0)
            return false;
    return true;
}

// Does every window of a reduce_window hold an element?
static bool windows_some(const struct terms *terms, const struct term *node)
{
    struct window_attr attr;
    type_id in = terms->term.at[terms->args.at[node->args_at].v].type;
    uint32_t rank = type_rank(terms->pool, in);
    if (!window_attr_read(attr_len(terms->pool, node->attr), attr_at(terms->pool, node->attr), rank,
                          &attr))
        return false;
    for (uint32_t i = 0; i < rank; i++) {
        struct window window = {.n = type_dims(terms->pool, in)[i],
                                .size = attr.size[i],
                                .stride = attr.stride[i],
                                .low = attr.low[i],
                                .high = attr.high[i],
                                .base = attr.base[i],
                                .dilation = attr.dilation[i]};
        if (!window_full(&window, type_dims(terms->pool, node->type)[i]))
            return false;
    }
    return true;
}

// A maximum from -inf, or a minimum from inf, over at least one element is an element.
static bool init_is_idle(const struct terms *terms, const struct term *node)
{
    if (node->op != OP_REDUCE && node->op != OP_REDUCE_WINDOW)
        return false;
    int64_t reducer = attr_at(terms->pool, node->attr)[0];
    lit_id init = term_literal(terms, terms->args.at[node->args_at + 1]);
    if ((reducer != OP_MAXIMUM && reducer != OP_MINIMUM) || init.v == NO_LIT.v)
        return false;
    enum elem elem = pool_literal(terms->pool, init)->elem;
    return scalar_same(elem, literal_get(terms->pool, init, 0),
                       reducer_unit((enum op)reducer, elem)) &&
           (node->op == OP_REDUCE ? reduces_some(terms, node) : windows_some(terms, node));
}

static bool is_marked(const struct u32_vec *marks, uint32_t i)
{
    return i < marks->len && marks->at[i] != 0;
}

static bool mark(struct u32_vec *marks, uint32_t i)
{
    while (marks->len <= i)
        vec_push(marks, 0);
    bool news = marks->at[i] == 0;
    marks->at[i] = 1;
    return news;
}

// Of a parameter, an opaque operation or its result: is it of a region or function that a
// constant reaches which is not finite?
static bool is_reached(const struct finite *memo, const struct terms *terms, uint32_t id)
{
    if (term_op(terms, (term_id){id}) == OP_RESULT)
        id = term_args(terms, (term_id){id})[0].v;
    if (term_op(terms, (term_id){id}) == OP_PARAMETER) {
        int64_t owner = attr_at(terms->pool, term_at(terms, (term_id){id})->attr)[0];
        return owner >= 0 ? is_marked(&memo->function, (uint32_t)owner)
                          : is_marked(&memo->infinite, (uint32_t)PARAMETER_OF_REGION(owner));
    }
    struct opaque_view view = opaque_view(terms, (term_id){id});
    return is_marked(&memo->infinite, view.region) ||
           is_marked(&memo->function,
                     memo->program == NULL
                         ? NO_FUNCTION
                         : called_function(memo->program, term_at(terms, (term_id){id})->attr));
}

static bool known_args(const struct finite *memo, const struct terms *terms,
                       const struct term *node, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!memo->known.at[terms->args.at[node->args_at + i].v])
            return false;
    return true;
}

// Of a tensor of elements that terms have: its element type.
static bool is_tensor(const struct pool *pool, type_id type, enum elem *elem)
{
    uint32_t rank;
    int64_t dims[TENSOR_MAX_RANK];
    return shape_of_type(pool, type, elem, &rank, dims);
}

// May the text of an operation without operands say an infinity or a NaN?  Constants of elements
// that terms do not have are text: MLIR writes such numbers in hexadecimal digits, HLO as words, and
// resources have any bits.  What was left out stands for weights, which are finite.
static bool says_infinite(const char *text)
{
    static const char *const says[] = {"0x", "inf", "nan", "dense_resource"};
    bool found = false;
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        found |= strstr(text, says[i]) != NULL;
    return found && strstr(text, "__elided__") == NULL;
}

// What an operation without a region gives is finite if its operands are: infinities come from
// constants only. The node of an operation of several results is finite if all of them are.
static bool opaque_finite(const struct finite *memo, const struct terms *terms, uint32_t id)
{
    const struct term *node = &terms->term.at[id];
    if (node->op == OP_RESULT)
        return memo->known.at[terms->args.at[node->args_at].v];
    if (node->op != OP_OPAQUE)
        return true;
    struct opaque_view view = opaque_view(terms, (term_id){id});
    if (node->n_args == 0 && says_infinite(sym_text(terms->pool, view.text)))
        return false;
    return !opaque_is(terms, &view, "stablehlo.bitcast_convert") &&
           known_args(memo, terms, node, node->n_args);
}

static bool compute(const struct finite *memo, const struct terms *terms, uint32_t id)
{
    const struct term *node = &terms->term.at[id];
    // Infinities go through pairs and their parts.
    if (complex_operator(terms, (term_id){id}) != COMPLEX_NONE)
        return known_args(memo, terms, node, node->n_args);
    enum elem elem;
    if (!is_tensor(terms->pool, node->type, &elem)) // what an operation of several results gives
        return opaque_finite(memo, terms, id);
    if (elem_kind(elem) != KIND_FLOAT)
        return true;
    if (node->op == OP_CONSTANT)
        return finite_literal(terms->pool, term_literal(terms, (term_id){id}));
    if (node->op == OP_OPAQUE || node->op == OP_RESULT || node->op == OP_PARAMETER)
        return !is_reached(memo, terms, id) && opaque_finite(memo, terms, id);
    if (node->op == OP_BITCAST_CONVERT) {
        // The bits of another type may be the bits of an infinity.
        type_id in = terms->term.at[terms->args.at[node->args_at].v].type;
        if (type_elem(terms->pool, in) != type_elem(terms->pool, node->type))
            return false;
    }
    // Of predicates and integers every value is finite.
    return known_args(memo, terms, node, init_is_idle(terms, node) ? 1 : node->n_args);
}

bool finite_term(struct finite *memo, const struct terms *terms, term_id id)
{
    while (memo->known.len <= id.v) {
        uint8_t yes = compute(memo, terms, memo->known.len);
        vec_push(&memo->known, yes);
    }
    return memo->known.at[id.v];
}

// Marks the region and the function of an opaque operation with an argument that is not finite.
static bool mark_operation(struct finite *memo, const struct terms *terms, term_id id)
{
    uint32_t region = opaque_view(terms, id).region;
    uint32_t function = called_function(memo->program, term_at(terms, id)->attr);
    bool all = true, news = false;
    if (region == NO_REGION && function == NO_FUNCTION)
        return false;
    for (uint32_t k = 0; k < term_at(terms, id)->n_args; k++)
        all &= finite_term(memo, terms, term_args(terms, id)[k]);
    if (all)
        return false;
    if (region != NO_REGION)
        news |= mark(&memo->infinite, region);
    if (function != NO_FUNCTION)
        news |= mark(&memo->function, function);
    return news;
}

// Marks the functions that are called and give something that is not finite.
static bool mark_results(struct finite *memo)
{
    const struct program *program = memo->program;
    bool news = false;
    for (uint32_t i = 0; i < program->callees.len; i++) {
        uint32_t f = program->callees.at[i].function;
        for (uint32_t k = 0; f != NO_FUNCTION && k < program->functions.at[f].results.len; k++)
            if (!finite_term(memo, &program->terms, program->functions.at[f].results.at[k].term))
                news |= mark(&memo->function, f);
    }
    return news;
}

// A function that only this program can run, in ways that are not known here (by a call with a side
// effect, by a loop of HLO), may get any constant of the program.
static void mark_unknown_callers(struct finite *memo, const struct terms *terms)
{
    const struct program *program = memo->program;
    bool all = true;
    struct u32_vec called = {0};
    vec_zero(&called, program->functions.len);
    for (uint32_t i = 0; i < program->callees.len; i++)
        if (program->callees.at[i].function != NO_FUNCTION)
            called.at[program->callees.at[i].function] = 1;
    for (uint32_t i = 0; i < terms->term.len && all; i++)
        all = term_op(terms, (term_id){i}) != OP_CONSTANT || finite_term(memo, terms, (term_id){i});
    for (uint32_t f = 0; !all && f < program->functions.len; f++) {
        const char *visibility = sym_text(program->pool, program->functions.at[f].visibility);
        bool inner = strcmp(visibility, "private") == 0 || strcmp(visibility, "nested") == 0;
        if (inner && called.at[f] == 0)
            (void)mark(&memo->function, f);
    }
    vec_release(&called);
    vec_clear(&memo->known);
}

void finite_program(struct finite *memo, const struct program *program, const struct terms *terms)
{
    memo->program = program;
    mark_unknown_callers(memo, terms);
    for (bool news = true; news;) {
        news = false;
        for (uint32_t i = 0; i < terms->term.len; i++)
            if (term_op(terms, (term_id){i}) == OP_OPAQUE)
                news |= mark_operation(memo, terms, (term_id){i});
        vec_clear(&memo->known);
        news |= mark_results(memo);
        vec_clear(&memo->known);
    }
}

bool finite_region(struct finite *memo, const struct terms *terms, uint32_t region, uint32_t n,
                   const term_id *operands)
{
    bool news = false;
    for (uint32_t k = 0; k < n; k++)
        if (!finite_term(memo, terms, operands[k]))
            news |= mark(&memo->infinite, region);
    if (news)
        vec_clear(&memo->known); // of what is computed of the region's parameters
    return news;
}

void finite_release(struct finite *memo)
{
    vec_release(&memo->infinite);
    vec_release(&memo->function);
    vec_release(&memo->known);
}
