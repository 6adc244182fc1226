// SPDX-License-Identifier: Apache-2.0
#include "loops/run/sample.h"
#include "loops/program/reach.h"

enum {
    SAMPLE_TRIES = 200,  // choices of scalars
    SAMPLE_REPAIRS = 30, // of facts, for one choice
    SAMPLE_GROWTH = 4,   // runs until arrays are long enough: offsets may depend on contents
    SAMPLE_STRIDE = 600, // added to strides of rows that are far apart
    READ_ONLY_BITS = 2,  // arrays that are read alone take a quarter of the memory
};

const struct sample_limits sample_usual = {.programs = 512, .elements = 1 << 20};
const struct sample_limits sample_part = {.programs = 1 << 16, .elements = 1 << 20, .few = true};

struct sampler {
    struct execution *run;
    struct rng *rng;
    struct i64_vec sizes; // extents of tiles
    bool few, wide;
};

static void find_sizes(struct sampler *sampler)
{
    const struct code_program *program = sampler->run->program;
    for (code_value v = 0; v < program->node.len; v++)
        if (code_node(program, v)->op == CODE_RANGE)
            vec_push(&sampler->sizes, code_node(program, v)->type.extent[0]);
}

// Mostly small, often about the extent of a tile.
static int64_t any_size(struct sampler *sampler)
{
    uint64_t kind = rng_below(sampler->rng, 8);
    if (sampler->wide && sampler->sizes.len > 0 && kind % 2 == 0)
        kind = kind < 4 ? 5 : 6;
    if (sampler->few && kind < 5)
        return rng_range(sampler->rng, 1, 4);
    if (kind < 3 || sampler->sizes.len == 0)
        return rng_range(sampler->rng, 1, 9);
    if (kind < 5)
        return rng_range(sampler->rng, 1, 70);
    int64_t extent = sampler->sizes.at[rng_below(sampler->rng, sampler->sizes.len)];
    // Where tiles begin and end.
    if (kind == 5)
        return extent * rng_range(sampler->rng, 1, 3) + rng_range(sampler->rng, 0, 2) -
               (extent > 1);
    return kind == 6 ? extent + rng_range(sampler->rng, 1, extent)
                     : rng_range(sampler->rng, 1, extent);
}

// ---- facts

// The parameter that the value is, through conversions.
static bool is_parameter(const struct code_program *program, code_value value, uint32_t *out)
{
    while (code_node(program, value)->op == CODE_CONVERT)
        value = code_operand(program, value, 0);
    *out = (uint32_t)code_node(program, value)->number;
    return code_node(program, value)->op == CODE_PARAMETER;
}

static int64_t value_of(struct sampler *sampler, code_value value)
{
    exec_forget(sampler->run, 0, sampler->run->tile.len);
    struct exec_cell cell = exec_scalar(sampler->run, value);
    return cell.undefined ? 0 : cell.whole;
}

// x % e == r: x becomes r more than a multiple.
static bool repair_multiple(struct sampler *sampler, code_value rest, int64_t more)
{
    const struct code_program *program = sampler->run->program;
    uint32_t parameter;
    if (code_node(program, rest)->op != CODE_REMAINDER ||
        !is_parameter(program, code_operand(program, rest, 0), &parameter))
        return false;
    int64_t divisor = value_of(sampler, code_operand(program, rest, 1));
    int64_t *value = &sampler->run->scalar.at[parameter].whole;
    if (divisor <= 0 || more < 0 || more >= divisor)
        return false;
    *value = (*value / divisor + 1) * divisor + more;
    return true;
}

// Changes one scalar so that the fact holds, if that is simple.
static bool repair(struct sampler *sampler, code_value fact)
{
    const struct code_program *program = sampler->run->program;
    const struct code_node *node = code_node(program, fact);
    uint32_t left, right;
    if (node->n != 2)
        return false;
    code_value a = code_operand(program, fact, 0), b = code_operand(program, fact, 1);
    bool is_left = is_parameter(program, a, &left), is_right = is_parameter(program, b, &right);
    int64_t at_a = value_of(sampler, a), at_b = value_of(sampler, b);
    struct exec_cell *scalar = sampler->run->scalar.at;
    bool strict = node->op == CODE_LESS;
    switch (node->op) {
    case CODE_EQUAL:
        if (is_left)
            scalar[left].whole = at_b;
        else if (is_right)
            scalar[right].whole = at_a;
        else
            return repair_multiple(sampler, a, at_b);
        return true;
    case CODE_LESS:
    case CODE_LESS_EQUAL:
        if (is_right && (!is_left || rng_below(sampler->rng, 2)))
            scalar[right].whole = at_a + strict + (int64_t)rng_below(sampler->rng, 4);
        else if (is_left && at_b - strict >= 1)
            scalar[left].whole = rng_range(sampler->rng, 1, at_b - strict);
        else
            return false;
        return true;
    default:
        return false;
    }
}

static bool repair_all(struct sampler *sampler)
{
    for (uint32_t i = 0; i < SAMPLE_REPAIRS; i++) {
        const struct code_fact *failed;
        if (exec_facts_hold(sampler->run, &failed))
            return true;
        if (!repair(sampler, failed->condition))
            return false;
    }
    return false;
}

// ---- scalars

// All scalars, or those that are not fixed.
static void choose_scalars(struct sampler *sampler, const uint8_t *fixed)
{
    const struct code_program *program = sampler->run->program;
    bool wide = rng_below(sampler->rng, 2) == 0; // rows far apart
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        const struct code_parameter *parameter = &program->parameter.at[i];
        struct exec_cell *cell = &sampler->run->scalar.at[i];
        if (parameter->array || (fixed != NULL && fixed[i]))
            continue;
        *cell = (struct exec_cell){0};
        if (parameter->type.kind == CODE_REAL)
            cell->real = 0.05 + rng_unit(sampler->rng);
        else if (parameter->type.kind == CODE_BOOL)
            cell->whole = (int64_t)rng_below(sampler->rng, 2);
        else if (parameter->role == ROLE_GRID)
            cell->whole = rng_range(sampler->rng, 1, 3);
        else
            cell->whole = any_size(sampler) * parameter->divisor;
        if (wide && parameter->type.kind == CODE_INT &&
            strstr(code_parameter_name(program, i), "stride") != NULL)
            cell->whole += SAMPLE_STRIDE * parameter->divisor;
    }
}

static bool grid_is_small(const struct execution *run, uint64_t most)
{
    const struct code_program *program = run->program;
    uint64_t programs = 1;
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        if (program->parameter.at[i].role != ROLE_GRID)
            continue;
        int64_t size = run->scalar.at[i].whole;
        if (size < 1 || (uint64_t)size > most)
            return false;
        programs *= (uint64_t)size;
    }
    return programs <= most;
}

bool sample_scalars(struct execution *run, struct rng *rng, const struct sample_limits *limits)
{
    struct sampler sampler = {.run = run, .rng = rng, .few = limits->few, .wide = limits->wide};
    bool found = false;
    find_sizes(&sampler);
    for (uint32_t i = 0; !found && i < SAMPLE_TRIES; i++) {
        choose_scalars(&sampler, NULL);
        found = repair_all(&sampler) && grid_is_small(run, limits->programs);
    }
    vec_release(&sampler.sizes);
    return found;
}

bool sample_others(struct execution *run, struct rng *rng, const uint8_t *fixed,
                   const struct sample_limits *limits)
{
    struct sampler sampler = {.run = run, .rng = rng, .few = limits->few, .wide = limits->wide};
    VEC(struct exec_cell) before = {0};
    bool found = false;
    for (uint32_t i = 0; i < run->scalar.len; i++)
        vec_push(&before, run->scalar.at[i]);
    find_sizes(&sampler);
    for (uint32_t i = 0; !found && i < SAMPLE_REPAIRS; i++) {
        choose_scalars(&sampler, fixed);
        found = repair_all(&sampler) && grid_is_small(run, limits->programs);
        // A repair may have changed what is fixed.
        for (uint32_t p = 0; p < run->scalar.len; p++)
            if (fixed[p]) {
                found = found && run->scalar.at[p].whole == before.at[p].whole;
                run->scalar.at[p] = before.at[p];
            }
    }
    vec_release(&before);
    vec_release(&sampler.sizes);
    return found;
}

// ---- arrays

// What addresses depend on in memory.
enum address { ADDRESS_FIXED, ADDRESS_READ, ADDRESS_WRITTEN };

static enum address what_addresses_need(const struct execution *run,
                                        const struct reached *addresses)
{
    const struct code_program *program = run->program;
    enum address out = ADDRESS_FIXED;
    for (code_value v = 0; v < program->node.len; v++) {
        const struct code_node *node = code_node(program, v);
        if (!addresses->at.at[v] || (node->op != CODE_READ && node->op != CODE_UPDATED))
            continue;
        if (node->op == CODE_UPDATED || run->written.at[node->number])
            return ADDRESS_WRITTEN;
        out = ADDRESS_READ;
    }
    return out;
}

bool sample_arrays(struct execution *run, struct rng *rng, const struct sample_limits *limits)
{
    uint32_t n = run->array.len;
    VEC(uint8_t) given = {0}, filled = {0};
    vec_zero(&given, n > 0 ? n : 1);
    vec_zero(&filled, n > 0 ? n : 1);
    for (uint32_t i = 0; i < n; i++) {
        given.at[i] = filled.at[i] = run->array.at[i].n > 0;
        if (given.at[i])
            exec_array_fill(run, i, rng);
    }
    struct reached addresses;
    reach(run->program, false, &addresses);
    enum address need = what_addresses_need(run, &addresses);
    bool ok = true, grown = true;
    for (uint32_t round = 0; ok && grown && round < SAMPLE_GROWTH; round++) {
        ok = need == ADDRESS_WRITTEN ? exec_all(run) : exec_addresses(run, addresses.at.at);
        grown = false;
        for (uint32_t i = 0; ok && i < n; i++) {
            int64_t highest = run->array.at[i].highest;
            if (given.at[i] || highest < 0 || (uint64_t)highest < run->array.at[i].n)
                continue;
            ok = (uint64_t)highest < limits->elements << (run->written.at[i] ? 0 : READ_ONLY_BITS);
            if (ok)
                exec_array_resize(run, i, (uint64_t)highest + 1);
            grown = need != ADDRESS_FIXED;
            filled.at[i] = 0;
        }
        // Integers stay what they are: they may point into an array that is as long as they need.
        for (uint32_t i = 0; ok && i < n; i++)
            if (!filled.at[i] || run->program->parameter.at[i].type.kind == CODE_REAL) {
                exec_array_fill(run, i, rng);
                filled.at[i] = 1;
            }
    }
    vec_release(&given);
    vec_release(&filled);
    reach_release(&addresses);
    return ok;
}
