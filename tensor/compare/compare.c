// SPDX-License-Identifier: Apache-2.0
#include "tensor/compare/core.h"

#include "tensor/resize/resize.h"

// Programs whose runs take more steps, or more elements of arguments, become smaller.
#define SMALL_STEPS (UINT64_C(1) << 14)
// Most steps of one run at the sizes given, if most runs were at smaller ones.
#define OWN_STEPS (UINT64_C(1) << 22)
#define OWN_RUNS 2u

static const struct {
    const char *name, *phrase;
} words[N_DIFFERENCES] = {
    [DIFFERENCE_NONE] = {"none", "no difference"},
    [DIFFERENCE_SUMS] = {"sums", "in the rounding of sums of floats, whose order is open"},
    [DIFFERENCE_ROUNDING] =
        {"rounding", "in the rounding of floats: no difference of the real numbers is seen"},
    [DIFFERENCE_ZERO] = {"zero", "in the sign of a zero"},
    [DIFFERENCE_SPECIAL] = {"special", "on NaN or infinities"},
    [DIFFERENCE_OVERFLOW] = {"overflow",
                             "where numbers overflow: equal over all integers or reals"},
    [DIFFERENCE_UNSURE] = {"unsure", "at smaller sizes, which says nothing of these sizes"},
    [DIFFERENCE_UNDEFINED] = {"undefined",
                              "where one has a number and the other NaN or an infinity"},
    [DIFFERENCE_VALUE] = {"value", "in the value of an element"},
    [DIFFERENCE_SHAPE] = {"shape", "in the types of the results"},
};

const char *difference_name(enum difference difference)
{
    return words[difference].name;
}

const char *difference_phrase(enum difference difference)
{
    return words[difference].phrase;
}

bool function_steps(const struct program *program, const struct function *function,
                    const type_id *params, uint64_t *steps, const char **why)
{
    const struct terms *terms = &program->terms;
    struct u32_vec reach = {0};
    VEC(term_id) ids = {0};
    *steps = 0;
    *why = NULL;
    for (uint32_t i = 0; i < function->results.len; i++)
        vec_push(&ids, function->results.at[i].term);
    terms_reach(terms, ids.len, ids.at, &reach);
    for (uint32_t i = 0; i < reach.len && *why == NULL; i++) {
        term_id id = {reach.at[i]};
        const struct term *node = term_at(terms, id);
        type_id types[3] = {{0}, {0}, {0}};
        bool outside = node->op == OP_OPAQUE || node->op == OP_RESULT;
        if (!outside && !type_is_tensor(terms->pool, node->type) &&
            (node->op != OP_PARAMETER || params == NULL))
            *why = "has values that are no tensors of known sizes";
        if (outside || node->op == OP_PARAMETER)
            continue;
        for (uint32_t k = 0; k < node->n_args && k < 3; k++)
            types[k] = term_type(terms, term_args(terms, id)[k]);
        uint64_t more =
            (uint64_t)eval_steps(terms->pool, (enum op)node->op, node->attr, node->type, types);
        *steps = *steps + more < *steps ? UINT64_MAX : *steps + more;
    }
    for (uint32_t k = 0; k < function->params.len && *why == NULL; k++) {
        type_id type = params != NULL ? params[k] : function->params.at[k].type;
        if (!type_is_tensor(terms->pool, type))
            *why = "has arguments that are no tensors of known sizes";
        else
            *steps += (uint64_t)type_count(terms->pool, type);
    }
    vec_release(&reach);
    vec_release(&ids);
    return *why == NULL;
}

static const struct function *function_of(const struct compare_side *side)
{
    return &side->program->functions.at[side->function];
}

// Same parameters, or a failure; *same: results of the same types.
static bool check_types(const struct compare_side side[2], bool *same, struct err *err)
{
    const struct function *a = function_of(&side[0]), *b = function_of(&side[1]);
    bool ok = a->params.len == b->params.len;
    for (uint32_t k = 0; ok && k < a->params.len; k++)
        ok = a->params.at[k].type.v == b->params.at[k].type.v;
    *same = a->results.len == b->results.len;
    for (uint32_t k = 0; *same && k < a->results.len; k++)
        *same = a->results.at[k].type.v == b->results.at[k].type.v;
    return ok || err_set(err, ERR_INPUT, "the programs have other parameters");
}

// Steps of one run of both; false, with the reason in `out`, if they cannot run.
static bool steps_of(const struct compare_side side[2], uint64_t *steps, struct buf *out)
{
    *steps = 0;
    for (uint32_t s = 0; s < 2; s++) {
        const struct function *function = function_of(&side[s]);
        uint64_t one, held = 0;
        const char *why;
        struct err full = {0};
        bool ok = function_steps(side[s].program, function, NULL, &one, &why);
        for (uint32_t k = 0; ok && k < function->params.len; k++)
            if (!value_fits(side[s].program->pool, function->params.at[k].type, &held, &full)) {
                why = full.msg;
                ok = false;
            }
        if (!ok) {
            if (out->len == 0)
                buf_printf(out, "the program %s", why);
            return false;
        }
        *steps = *steps + one < *steps ? UINT64_MAX : *steps + one;
    }
    return true;
}

static bool is_ordinary(enum input_mode mode)
{
    return mode != INPUT_WIDE && mode != INPUT_SPECIAL && mode != INPUT_EXTREME;
}

struct campaign {
    struct comparison *out;
    const struct compare_side *side;
    struct judge judge;
    struct inputs inputs;
    bool smaller, keep; // keep: differences go to out->at
    uint32_t runs;
    enum difference worst;
    enum input_mode mode; // in which the worst was seen
};

static void campaign_start(struct campaign *c, struct comparison *out,
                           const struct compare_side side[2])
{
    *c = (struct campaign){.out = out, .side = side};
    judge_init(&c->judge, side);
    inputs_find(side, &out->mem, &c->inputs);
}

static void campaign_end(struct campaign *c)
{
    c->out->exact |= c->judge.ran_exact;
    c->out->words |= c->judge.words;
    judge_release(&c->judge);
    inputs_release(&c->inputs);
}

// Keeps the memory of the run if it showed a difference of a new kind.
static bool campaign_run(struct campaign *c, struct input_plan plan, uint64_t seed, struct err *err)
{
    enum input_mode mode = plan.mode;
    struct arena_mark start = arena_mark(&c->out->mem);
    struct value *params = inputs_make(&c->inputs, plan, seed, &c->out->mem);
    struct pair_run run;
    struct err why = {0};
    struct difference_at at = {0};
    if (!pair_run(c->side, params, &c->out->mem, &run, &why)) {
        arena_reset(&c->out->mem, start);
        if (why.kind != ERR_LIMIT) {
            *err = why;
            return false;
        }
        if (c->out->why.len == 0)
            buf_printf(&c->out->why, "%s", why.msg);
        return true;
    }
    c->runs++;
    if (run.unknown != NULL && c->out->unknown == NULL)
        c->out->unknown = run.unknown;
    enum difference kind = judge_run(&c->judge, params, &run, is_ordinary(mode), &at, &c->out->mem);
    if (kind > c->worst) {
        c->worst = kind;
        c->mode = mode;
    }
    if (kind == DIFFERENCE_NONE || !c->keep || c->out->at[kind].found) {
        arena_reset(&c->out->mem, start);
        return true;
    }
    if (run.unknown == NULL)
        shrink_arguments(&c->judge, kind, is_ordinary(mode), &at, &c->out->mem);
    at.smaller = c->smaller;
    c->out->at[kind] = at;
    return true;
}

// NaN, infinities and -0 come first, so that few runs meet them too; then all modes in turn.
static struct input_plan plan_of(uint32_t i)
{
    static const enum input_mode first[] = {
        INPUT_INTEGERS, INPUT_EXTREME,  INPUT_EXTREME,  INPUT_EXTREME, INPUT_SPECIAL,
        INPUT_NEAR,     INPUT_POSITIVE, INPUT_NEGATIVE, INPUT_EVEN,    INPUT_WIDE};
    if (i < sizeof first / sizeof *first)
        return (struct input_plan){first[i], first[i] == INPUT_EXTREME ? i : 0};
    return (struct input_plan){(enum input_mode)(i % N_INPUT_MODES), 0};
}

static bool campaign_runs(struct campaign *c, uint32_t runs, uint64_t seed, struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < runs; i++)
        ok = campaign_run(c, plan_of(i), seed * 1000003u + i, err);
    return ok;
}

// The same search over other element types of the domain.
static bool run_types(struct comparison *out, const struct compare_side side[2], uint32_t runs,
                      uint64_t seed, struct err *err)
{
    static const struct {
        const char *name;
        enum elem_kind kind;
        enum elem elem;
    } others[COMPARE_OTHER_TYPES] = {{"f16", KIND_FLOAT, ELEM_F16},
                                     {"f64", KIND_FLOAT, ELEM_F64},
                                     {"i8", KIND_SINT, ELEM_I8},
                                     {"ui8", KIND_SINT, ELEM_UI8}};
    bool ok = true;
    for (uint32_t k = 0; ok && k < COMPARE_OTHER_TYPES; k++) {
        enum elem elem[N_ELEMS];
        struct program program[2];
        struct err why = {0};
        bool changes = false;
        for (uint32_t e = 0; e < N_ELEMS; e++) {
            bool takes = elem_kind((enum elem)e) == others[k].kind && !elem_is_ideal((enum elem)e);
            elem[e] = takes ? others[k].elem : (enum elem)e;
        }
        for (uint32_t s = 0; s < 2; s++) {
            program_init(&program[s], side[s].program->pool);
            const struct terms *terms = &side[s].program->terms;
            for (uint32_t t = 0; t < terms->term.len; t++)
                changes = changes || (type_is_tensor(terms->pool, terms->term.at[t].type) &&
                                      elem[type_elem(terms->pool, terms->term.at[t].type)] !=
                                          type_elem(terms->pool, terms->term.at[t].type));
        }
        bool same;
        struct compare_side to[2] = {{&program[0], 0}, {&program[1], 0}};
        if (changes &&
            retype_function(side[0].program, side[0].function, elem, &program[0], &why) &&
            retype_function(side[1].program, side[1].function, elem, &program[1], &why) &&
            check_types(to, &same, &why) && same) {
            struct campaign c;
            campaign_start(&c, out, to);
            ok = campaign_runs(&c, runs, seed, err);
            campaign_end(&c);
            if (c.runs > 0)
                out->other[out->n_other++] = (struct other_types){others[k].name, c.runs, c.worst};
        }
        program_release(&program[0]);
        program_release(&program[1]);
    }
    return ok;
}

// Runs at the sizes given, in the mode in which the smaller programs differ.
static bool run_own_sizes(struct comparison *out, const struct compare_side side[2],
                          const struct campaign *smaller, uint64_t seed, struct err *err)
{
    struct campaign c;
    struct buf ignored = {0};
    uint64_t steps;
    bool fits = steps_of(side, &steps, &ignored);
    buf_release(&ignored);
    if (!fits || steps > OWN_STEPS)
        return true;
    campaign_start(&c, out, side);
    bool ok = true;
    for (uint32_t i = 0; ok && i < OWN_RUNS; i++) {
        bool seen = smaller->worst > DIFFERENCE_NONE;
        struct input_plan plan = {seen ? smaller->mode : (enum input_mode)i, 0};
        ok = campaign_run(&c, plan, seed + i, err);
    }
    campaign_end(&c);
    out->own_size_runs = c.runs;
    if (c.worst > out->worst)
        out->worst = c.worst;
    else if (out->worst > DIFFERENCE_NONE && c.runs > 0 && c.worst == DIFFERENCE_NONE)
        out->worst = DIFFERENCE_UNSURE;
    return ok;
}

// Is the number, or its inverse, one by which the elements of a tensor are counted: n of sum(x)/n?
static bool is_count(const struct terms *terms, double x)
{
    double n = x < 0 ? -x : x;
    n = n > 0 && n < 1 ? 1 / n : n;
    int64_t whole = n < 1e15 ? (int64_t)(n + 0.5) : 0;
    if (whole < 4 || n - (double)whole > 1e-6 * n || (double)whole - n > 1e-6 * n)
        return false;
    for (uint32_t t = 0; t < terms->term.len; t++)
        if (type_is_tensor(terms->pool, terms->term.at[t].type) &&
            type_count(terms->pool, terms->term.at[t].type) % whole == 0)
            return true;
    return false;
}

// Have the programs a number that may count elements?  It keeps its value at smaller sizes, so
// programs that are equal at the sizes given may differ there.
static bool count_elements(const struct compare_side side[2], const struct inputs *inputs)
{
    for (uint32_t i = 0; i < inputs->constants.len; i++)
        for (uint32_t s = 0; s < 2; s++)
            if (is_count(&side[s].program->terms, inputs->constants.at[i]))
                return true;
    return inputs->constants.len > MOST_CONSTANTS;
}

bool compare_counts_elements(const struct compare_side side[2])
{
    struct arena mem = {0};
    struct inputs inputs;
    inputs_find(side, &mem, &inputs);
    bool counts = count_elements(side, &inputs);
    inputs_release(&inputs);
    arena_release(&mem);
    return counts;
}

static uint32_t affordable(uint32_t runs, uint64_t steps, uint64_t all)
{
    // A run that shows a difference is run again twice.
    uint64_t most = all / (steps + 1);
    return most < 1 ? 1 : most < runs ? (uint32_t)most : runs;
}

static bool search(const struct compare_side side[2], const struct compare_options *options,
                   struct comparison *out, struct err *err)
{
    uint32_t runs = options->runs != 0 ? options->runs : COMPARE_RUNS;
    uint64_t all = options->steps != 0 ? options->steps : COMPARE_STEPS, steps;
    struct err why = {0};
    bool fits = steps_of(side, &steps, &out->why);
    out->ran[0] = side[0];
    out->ran[1] = side[1];
    if ((!fits || steps > SMALL_STEPS) && !options->keep_sizes) {
        struct resize_side from[2] = {{side[0].program, side[0].function},
                                      {side[1].program, side[1].function}};
        if (resize_pair(from, out->small, &out->smaller, &why) && out->smaller) {
            out->ran[0] = (struct compare_side){&out->small[0], 0};
            out->ran[1] = (struct compare_side){&out->small[1], 0};
            buf_clear(&out->why);
            fits = steps_of(out->ran, &steps, &out->why);
        } else
            out->smaller = false;
    }
    if (!fits)
        return true;
    if (steps > all) {
        buf_printf(&out->why, "one run takes %llu steps", (unsigned long long)steps);
        return true;
    }
    struct campaign c;
    campaign_start(&c, out, out->ran);
    c.smaller = out->smaller;
    c.keep = true;
    bool ok = campaign_runs(&c, affordable(runs, steps, all), options->seed, err);
    bool counts = out->smaller && count_elements(side, &c.inputs);
    campaign_end(&c);
    out->runs = c.runs;
    out->worst = c.worst;
    if (c.runs > 0)
        buf_clear(&out->why);
    if (ok && out->smaller)
        ok = run_own_sizes(out, side, &c, options->seed, err);
    if (counts && out->own_size_runs == 0 && out->worst > DIFFERENCE_SUMS)
        out->worst = DIFFERENCE_UNSURE;
    if (ok && !options->own_types)
        ok = run_types(out, out->ran, affordable(runs / 2, steps, all / 8), options->seed, err);
    return ok;
}

bool compare_functions(const struct compare_side side[2], const struct compare_options *options,
                       struct comparison *out, struct err *err)
{
    bool same;
    *out = (struct comparison){.worst = DIFFERENCE_NONE};
    program_init(&out->small[0], side[0].program->pool);
    program_init(&out->small[1], side[0].program->pool);
    if (!check_types(side, &same, err))
        return false;
    if (same)
        return search(side, options, out, err);
    out->worst = DIFFERENCE_SHAPE;
    out->ran[0] = side[0];
    out->ran[1] = side[1];
    return true;
}

void comparison_release(struct comparison *comparison)
{
    program_release(&comparison->small[0]);
    program_release(&comparison->small[1]);
    buf_release(&comparison->why);
    arena_release(&comparison->mem);
}
