// SPDX-License-Identifier: Apache-2.0
// Sizes and contents of the runs that formulas are compared with.
#include "loops/validate/apart.h"
#include "loops/validate/comparison.h"

static void forget_arrays(struct execution *run)
{
    for (uint32_t i = 0; i < run->array.len; i++)
        if (run->program->parameter.at[i].array)
            exec_array_resize(run, i, 0);
}

// How far the first elements of the outputs in one array lie apart, as sizes are now.
static int64_t spread_of(const struct execution *run, struct lifting *lifting, uint32_t array)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    struct numbers numbers;
    numbers_init(&numbers, &lifting->terms, run);
    for (uint32_t i = 0; i < lifting->outputs.len; i++) {
        const struct output *output = &lifting->outputs.at[i].output;
        if (output->reason != NULL || output->statement->array != array)
            continue;
        int64_t at = numbers_poly(&numbers, output->base);
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    bool known = numbers.problem == NULL && least <= most;
    numbers_release(&numbers);
    return known ? most - least : 0;
}

// False: the facts do not allow it.
static bool set_strides(struct execution *run, struct rng *rng, struct lifting *lifting)
{
    const struct code_fact *failed;
    for (uint32_t i = 0; i < lifting->outputs.len; i++) {
        const struct output *output = &lifting->outputs.at[i].output;
        if (output->reason == NULL)
            strides_widen(run, rng, &lifting->terms, output->n_axes, output->stride, output->extent,
                          spread_of(run, lifting, output->statement->array));
    }
    return exec_facts_hold(run, &failed);
}

static bool sampled_within(struct execution *run, struct rng *rng, struct lifting *apart,
                           const struct sample_limits *limits)
{
    forget_arrays(run);
    return sample_scalars(run, rng, limits) && (!apart || set_strides(run, rng, apart)) &&
           sample_arrays(run, rng, limits) && exec_all(run);
}

// Kernels whose whole grid was too large that often are not tried whole again.
enum { WHOLE_TRIES = 2 };

bool sampled_run(struct execution *run, struct rng *rng, struct lifting *apart, bool tiles)
{
    struct sample_limits limits = sample_usual;
    limits.wide = tiles;
    run->most = 0;
    for (; run->in_part < WHOLE_TRIES && limits.programs > 0; limits.programs /= 4) {
        limits.few = limits.programs < sample_usual.programs / 4; // few are small products, too
        if (sampled_within(run, rng, apart, &limits))
            return true;
    }
    run->most = VALIDATE_PROGRAMS;
    run->in_part += apart == NULL; // strides that are far apart may be what no fact allows
    return sampled_within(run, rng, apart, &sample_part);
}
