// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/expected.h"
#include "loops/validate/apart.h"
#include "loops/validate/comparison.h"
#include <inttypes.h>

enum {
    EXPECTED_WORK = 1 << 26,  // cells and steps of all runs, behind which no further one starts
    EXPECTED_STEPS = 1 << 20, // of one formula, for one run
};

struct expecting {
    const struct expected_run *expected;
    struct execution *run;
    struct rng *rng;
    struct validation *out;
    uint64_t work;
    VEC(uint8_t) element; // of one array: of how many places that are written is it, up to 2?
};

// The lowest and highest address of a place; false: it has no element.
static bool range(struct numbers *numbers, const struct expected_place *place, int64_t *lowest,
                  int64_t *highest)
{
    *lowest = *highest = numbers_poly(numbers, place->base);
    for (uint32_t d = 0; d < place->n; d++) {
        int64_t last = numbers_poly(numbers, place->size[d]) - 1;
        int64_t most = numbers_poly(numbers, place->stride[d]) * last;
        if (last < 0)
            return false;
        *(most < 0 ? lowest : highest) += most;
    }
    return true;
}

// Arrays end behind the last element of their places.
static bool set_lengths(struct expecting *e, const struct sample_limits *limits)
{
    const struct expected_run *expected = e->expected;
    struct numbers numbers;
    bool ok = true;
    numbers_init(&numbers, expected->terms, e->run);
    for (uint32_t i = 0; i < e->run->array.len; i++)
        if (e->run->program->parameter.at[i].array)
            exec_array_resize(e->run, i, 0);
    for (uint32_t i = 0; ok && expected->all && i < expected->n_places; i++) {
        const struct expected_place *place = &expected->places[i];
        int64_t lowest, highest;
        if (!range(&numbers, place, &lowest, &highest))
            continue;
        ok = lowest >= 0 && (uint64_t)highest < limits->elements && numbers.problem == NULL;
        if (ok && (uint64_t)highest >= e->run->array.at[place->array].n)
            exec_array_resize(e->run, place->array, (uint64_t)highest + 1);
    }
    numbers_release(&numbers);
    return ok;
}

// False: the facts do not allow it.
static bool set_strides(struct expecting *e)
{
    const struct expected_run *expected = e->expected;
    const struct code_fact *failed;
    for (uint32_t i = 0; i < expected->n_places; i++) {
        const struct expected_place *place = &expected->places[i];
        if (place->written)
            strides_widen(e->run, e->rng, expected->terms, place->n, place->stride, place->size, 0);
    }
    return exec_facts_hold(e->run, &failed);
}

// If it is too long, then grids get smaller.  Small sizes from the start mean
// more of them in the same time.
static bool sampled(struct expecting *e, bool small, bool apart)
{
    struct sample_limits limits = sample_usual;
    limits.few = small;
    if (small)
        limits.programs = 8;
    for (; limits.programs > 0; limits.programs /= 4)
        if (sample_scalars(e->run, e->rng, &limits) && (!apart || set_strides(e)) &&
            set_lengths(e, &limits) && sample_arrays(e->run, e->rng, &limits) && exec_all(e->run))
            return true;
    return false;
}

static void mark(struct expecting *e, struct numbers *numbers, const struct expected_place *place)
{
    int64_t size[OUTPUT_AXES], index[OUTPUT_AXES] = {0}, lowest, highest;
    if (!range(numbers, place, &lowest, &highest))
        return;
    for (uint32_t d = 0; d < place->n; d++)
        size[d] = numbers_poly(numbers, place->size[d]);
    for (bool more = true; more;) {
        int64_t at = numbers_poly(numbers, place->base);
        for (uint32_t d = 0; d < place->n; d++)
            at += numbers_poly(numbers, place->stride[d]) * index[d];
        if (at >= 0 && (uint64_t)at < e->element.len)
            e->element.at[at] = e->element.at[at] > 0 ? 2 : 1;
        uint32_t d = 0;
        while (d < place->n && ++index[d] == size[d])
            index[d++] = 0;
        more = d < place->n;
    }
}

// False: no place of the array is written.
static bool mark_written(struct expecting *e, struct numbers *numbers, uint32_t array)
{
    const struct expected_run *expected = e->expected;
    bool any = false;
    vec_release(&e->element);
    vec_zero(&e->element, (uint32_t)e->run->array.at[array].n + 1);
    for (uint32_t i = 0; i < expected->n_places; i++)
        if (expected->places[i].array == array && expected->places[i].written) {
            mark(e, numbers, &expected->places[i]);
            any = true;
        }
    return any;
}

// Outputs of one array have no element in common.
static bool is_apart(struct expecting *e, struct numbers *numbers)
{
    for (uint32_t i = 0; i < e->run->array.len; i++) {
        if (!e->run->program->parameter.at[i].array || !mark_written(e, numbers, i))
            continue;
        for (uint32_t k = 0; k < e->element.len; k++)
            if (e->element.at[k] > 1)
                return false;
    }
    return true;
}

// Writes of what is no element of an output.
static void find_stray(struct expecting *e, struct numbers *numbers, uint32_t array)
{
    const struct exec_array *cells = &e->run->array.at[array];
    bool any = mark_written(e, numbers, array);
    for (uint64_t i = 0; any && i < cells->n; i++)
        if (exec_writes(cells, i) > 0 && !e->element.at[i]) {
            e->out->kind = VALIDATED_DIFFERS;
            buf_clear(&e->out->text);
            buf_printf(&e->out->text,
                       "program %" PRIu32 " writes %s[%" PRIu64
                       "], which is no element of the output; sizes ",
                       cells->element[i].writer - 1, code_parameter_name(e->run->program, array),
                       i);
            exec_print_sizes(e->run, &e->out->text);
            return;
        }
}

static bool is_gather(const struct expecting *e, const struct exec_fault *fault)
{
    return fault->kind == EXEC_READ_BOUNDS && e->expected->gathered[fault->array];
}

static bool find_fault(struct expecting *e)
{
    if (run_is_excluded(e->run))
        return true;
    for (uint32_t i = 0; i < e->run->fault.len; i++)
        if (is_gather(e, &e->run->fault.at[i]))
            return true;
    for (uint32_t i = 0; i < e->run->fault.len; i++)
        if (fault_counts(&e->run->fault.at[i])) {
            e->out->kind = VALIDATED_DIFFERS;
            buf_clear(&e->out->text);
            print_fault(e->run, &e->run->fault.at[i], &e->out->text);
            return true;
        }
    return e->run->fault.len > 0; // the run says nothing
}

static void compare(struct expecting *e)
{
    const struct expected_run *expected = e->expected;
    struct comparison c;
    comparison_init(&c, expected->terms, e->run, expected->n_outputs, expected->outputs, e->out);
    c.contents = true;
    if (comparison_distinct(&c) && is_apart(e, &c.numbers) && !find_fault(e)) {
        for (uint32_t i = 0; i < expected->n_compared && e->out->kind != VALIDATED_DIFFERS; i++) {
            c.numbers.steps = EXPECTED_STEPS;
            compare_run(&c, expected->outputs[i], e->rng);
            e->work += EXPECTED_STEPS - c.numbers.steps;
        }
        for (uint32_t i = 0; expected->all && i < e->run->array.len; i++)
            if (e->run->program->parameter.at[i].array && e->out->kind != VALIDATED_DIFFERS)
                find_stray(e, &c.numbers, i);
    }
    numbers_release(&c.numbers);
}

void expected_compare(const struct expected_run *expected, uint64_t seed, uint32_t runs,
                      struct validation *out)
{
    struct execution run;
    struct rng rng;
    struct expecting e = {.expected = expected, .run = &run, .rng = &rng, .out = out};
    *out = (struct validation){.kind = VALIDATED_UNKNOWN};
    rng_seed(&rng, seed);
    exec_init(&run, expected->program, VALIDATE_CELLS);
    for (uint32_t i = 0; i < 4 * runs && out->runs < runs * expected->n_compared &&
                         e.work < EXPECTED_WORK && out->kind != VALIDATED_DIFFERS;
         i++)
        if (sampled(&e, i % 2 == 1, i % 4 >= 2)) {
            e.work += VALIDATE_CELLS - run.cells;
            compare(&e);
        }
    if (out->runs == 0 && out->text.len == 0)
        buf_puts(&out->text, "no sizes were found that meet all facts");
    else if (out->kind == VALIDATED_UNKNOWN && out->elements > 0)
        out->kind = VALIDATED_AGREES;
    vec_release(&e.element);
    exec_release(&run);
}
